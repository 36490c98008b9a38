//! Work spread over threads with results that do not depend on how many there are.
//!
//! Everything here splits by fixed sizes and combines in index order. Without the `parallel` feature it all
//! runs on the calling thread.

use std::ops::Range;

/// Items a task takes at a time: large enough that a task outweighs its scheduling.
pub(crate) const CHUNK: usize = 512;

/// Calls `work` with each item and its index, at least `grain` of them a task.
pub(crate) fn for_each_indexed<T: Send>(
    items: &mut [T],
    grain: usize,
    work: impl Fn(usize, &mut T) + Sync + Send,
) {
    #[cfg(feature = "parallel")]
    if items.len() > grain && rayon::current_num_threads() > 1 {
        use rayon::prelude::*;
        items.par_iter_mut().with_min_len(grain).enumerate().for_each(|(i, item)| work(i, item));
        return;
    }
    let _ = grain;
    for (i, item) in items.iter_mut().enumerate() {
        work(i, item);
    }
}

/// Adds up `part` over fixed chunks of `0..count`, in order, so that the sum has the same bits on any number of
/// threads. `partials` is kept by the caller to save the allocation.
pub(crate) fn sum<T: Send + Copy + Default + std::ops::Add<Output = T>>(
    count: usize,
    partials: &mut Vec<T>,
    part: impl Fn(Range<usize>) -> T + Sync + Send,
) -> T {
    partials.clear();
    partials.resize(count.div_ceil(CHUNK), T::default());
    for_each_indexed(partials, 4, |chunk, partial| {
        *partial = part(chunk * CHUNK..((chunk + 1) * CHUNK).min(count));
    });
    partials.iter().fold(T::default(), |sum, &partial| sum + partial)
}
