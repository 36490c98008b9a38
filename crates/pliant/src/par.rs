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

/// Calls `work` with the items of two lists that have the same place, and that place, at least `grain` of them a task.
pub(crate) fn for_each_pair<A: Send, B: Send>(
    first: &mut [A],
    second: &mut [B],
    grain: usize,
    work: impl Fn(usize, &mut A, &mut B) + Sync + Send,
) {
    #[cfg(feature = "parallel")]
    if first.len() > grain && rayon::current_num_threads() > 1 {
        use rayon::prelude::*;
        let pairs = first.par_iter_mut().zip(second.par_iter_mut()).with_min_len(grain).enumerate();
        pairs.for_each(|(i, (a, b))| work(i, a, b));
        return;
    }
    let _ = grain;
    for (i, (a, b)) in first.iter_mut().zip(second).enumerate() {
        work(i, a, b);
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

/// Does `work` on a thread of the pool, so that what it splits up starts there and is not handed over piece by piece.
pub(crate) fn inside<R: Send>(work: impl FnOnce() -> R + Send) -> R {
    #[cfg(feature = "parallel")]
    if rayon::current_num_threads() > 1 && rayon::current_thread_index().is_none() {
        return rayon::join(work, || ()).0;
    }
    work()
}

/// Combines what `of` finds in pieces of `range`: halves of halves, which depend on nothing but how long the range is.
pub(crate) fn reduce<T: Send>(
    range: Range<usize>,
    of: &(impl Fn(Range<usize>) -> T + Sync),
    with: &(impl Fn(T, T) -> T + Sync),
) -> T {
    if range.len() <= 16 * CHUNK {
        return of(range);
    }
    let half = range.start + range.len() / 2;
    let (first, second) = (|| reduce(range.start..half, of, with), || reduce(half..range.end, of, with));
    #[cfg(feature = "parallel")]
    if rayon::current_num_threads() > 1 {
        let (first, second) = rayon::join(first, second);
        return with(first, second);
    }
    with(first(), second())
}

/// Data that can be handed out in pieces: slices, and tuples of things that are cut at the same place.
pub(crate) trait Split: Send + Sized {
    /// Cuts after `parts` parts that together have `items` items.
    fn split(self, parts: usize, items: usize) -> (Self, Self);
}

/// One entry an item.
impl<T: Send> Split for &mut [T] {
    fn split(self, _: usize, items: usize) -> (Self, Self) {
        self.split_at_mut(items)
    }
}

/// Nothing to hand out.
impl Split for () {
    fn split(self, _: usize, _: usize) -> (Self, Self) {
        ((), ())
    }
}

/// One entry an item, or none at all.
pub(crate) struct MaybeEmpty<'a, T>(pub &'a mut [T]);

impl<T: Send> Split for MaybeEmpty<'_, T> {
    fn split(self, _: usize, items: usize) -> (Self, Self) {
        let (low, high) = self.0.split_at_mut(items.min(self.0.len()));
        (Self(low), Self(high))
    }
}

/// One entry a part.
pub(crate) struct ByPart<'a, T>(pub &'a mut [T]);

impl<T: Send> Split for ByPart<'_, T> {
    fn split(self, parts: usize, _: usize) -> (Self, Self) {
        let (low, high) = self.0.split_at_mut(parts);
        (Self(low), Self(high))
    }
}

/// One entry for eight items; parts are multiples of eight.
pub(crate) struct ByEight<'a, T>(pub &'a mut [T]);

impl<T: Send> Split for ByEight<'_, T> {
    fn split(self, _: usize, items: usize) -> (Self, Self) {
        let (low, high) = self.0.split_at_mut(items / 8);
        (Self(low), Self(high))
    }
}

impl<A: Split, B: Split> Split for (A, B) {
    fn split(self, parts: usize, items: usize) -> (Self, Self) {
        let ((a, c), (b, d)) = (self.0.split(parts, items), self.1.split(parts, items));
        ((a, b), (c, d))
    }
}

impl<A: Split, B: Split, C: Split> Split for (A, B, C) {
    fn split(self, parts: usize, items: usize) -> (Self, Self) {
        let (((a, b), c), ((d, e), f)) = ((self.0, self.1), self.2).split(parts, items);
        ((a, b, c), (d, e, f))
    }
}

/// Calls `work` with each part of `data`: part i has the items from `bounds(i)` to `bounds(i + 1)`.
pub(crate) fn for_each_part<S: Split>(
    parts: Range<usize>,
    bounds: &(impl Fn(usize) -> usize + Sync),
    data: S,
    work: &(impl Fn(usize, S) + Sync),
) {
    if parts.len() <= 1 {
        if let Some(part) = parts.into_iter().next() {
            work(part, data);
        }
        return;
    }
    let half = parts.start + parts.len() / 2;
    let (low, high) = data.split(half - parts.start, bounds(half) - bounds(parts.start));
    let (first, second) = (parts.start..half, half..parts.end);
    #[cfg(feature = "parallel")]
    if rayon::current_num_threads() > 1 {
        rayon::join(|| for_each_part(first, bounds, low, work), || for_each_part(second, bounds, high, work));
        return;
    }
    for_each_part(first, bounds, low, work);
    for_each_part(second, bounds, high, work);
}

/// Calls `work` with pieces of `data` of [`CHUNK`] items, each with the range that it is of, and adds up what it returns, in order.
pub(crate) fn sum_of_chunks<S: Split>(
    count: usize,
    data: S,
    partials: &mut Vec<f64>,
    work: impl Fn(Range<usize>, S) -> f64 + Sync,
) -> f64 {
    partials.clear();
    partials.resize(count.div_ceil(CHUNK), 0.0);
    for_each_chunk(count, (data, ByPart(partials)), |chunk, (data, partial)| {
        let range = chunk * CHUNK..((chunk + 1) * CHUNK).min(count);
        partial.0.fill(work(range, data));
    });
    partials.iter().sum()
}

/// Calls `work` with pieces of `data` of [`CHUNK`] items.
pub(crate) fn for_each_chunk<S: Split>(count: usize, data: S, work: impl Fn(usize, S) + Sync) {
    for_each_part(0..count.div_ceil(CHUNK), &|part| (part * CHUNK).min(count), data, &work);
}
