//! Which bodies can touch each other in a step: boxes around their ways, sorted along one axis and swept.
//!
//! Sorting has no cell size, so a kilometre and a millimetre can be in one world. Ties are broken by number: the pairs do not
//! depend on anything but the boxes.

use glam::DVec3;

/// A box, from its low to its high corner.
pub type Bounds = [DVec3; 2];

/// Whether two boxes have a point in common.
pub fn overlap(a: &Bounds, b: &Bounds) -> bool {
    a[0].cmple(b[1]).all() && b[0].cmple(a[1]).all()
}

/// Finds boxes that overlap; keeps its memory from step to step.
#[derive(Clone, Debug, Default)]
pub struct Sweep {
    order: Vec<u32>,
    /// Pairs by their numbers, the lower first, in order.
    pub found: Vec<[u32; 2]>,
}

impl Sweep {
    /// Finds the pairs that overlap. A box that is not finite overlaps none.
    pub fn find(&mut self, boxes: &[Bounds]) {
        let Self { order, found } = self;
        let finite = |of: &Bounds| of[0].is_finite() && of[1].is_finite();
        order.clear();
        order.extend((0..boxes.len() as u32).filter(|&i| finite(&boxes[i as usize])));
        let axis = widest(boxes, order);
        let low = |i: u32| boxes[i as usize][0][axis];
        order.sort_unstable_by(|&a, &b| low(a).total_cmp(&low(b)).then(a.cmp(&b)));
        found.clear();
        for (place, &a) in order.iter().enumerate() {
            let end = boxes[a as usize][1][axis];
            let near = order[place + 1..].iter().take_while(|&&b| low(b) <= end);
            let touching = near.filter(|&&b| overlap(&boxes[a as usize], &boxes[b as usize]));
            found.extend(touching.map(|&b| [a.min(b), a.max(b)]));
        }
        found.sort_unstable();
    }
}

/// The axis along which the boxes are spread most.
fn widest(boxes: &[Bounds], of: &[u32]) -> usize {
    let count = of.len().max(1) as f64;
    let middles = || of.iter().map(|&i| boxes[i as usize]).map(|[low, high]| 0.5 * (low + high));
    let mean = middles().sum::<DVec3>() / count;
    let spread = middles().map(|middle| (middle - mean).abs()).sum::<DVec3>();
    spread.max_position()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::functions::pow;

    fn pairs(boxes: &[Bounds]) -> Vec<[u32; 2]> {
        let mut sweep = Sweep::default();
        sweep.find(boxes);
        sweep.found
    }

    fn brute_force(boxes: &[Bounds]) -> Vec<[u32; 2]> {
        let count = boxes.len() as u32;
        let all = (0..count).flat_map(|a| (a + 1..count).map(move |b| [a, b]));
        all.filter(|pair| overlap(&boxes[pair[0] as usize], &boxes[pair[1] as usize])).collect()
    }

    #[test]
    fn sweeping_finds_what_comparing_all_finds() {
        for seed in 0..40 {
            let mut state = 0x9e37_79b9_u64 + seed;
            let mut random = || {
                state ^= state << 13;
                state ^= state >> 7;
                state ^= state << 17;
                (state >> 11) as f64 / (1_u64 << 53) as f64
            };
            // Many sizes, negative and huge places.
            let scale = pow(10.0, f64::from(seed as i32 % 9 - 4));
            let boxes: Vec<Bounds> = (0..120)
                .map(|_| {
                    let low = DVec3::new(random() - 0.5, random() - 0.5, random() - 0.5) * 10.0 * scale;
                    let size =
                        DVec3::new(random(), random(), random()) * scale * pow(10.0, random() * 2.0 - 1.0);
                    [low, low + size]
                })
                .collect();
            assert_eq!(pairs(&boxes), brute_force(&boxes), "seed {seed}");
        }
    }

    #[test]
    fn what_is_not_finite_overlaps_nothing_and_equal_boxes_all() {
        let one = [DVec3::ZERO, DVec3::ONE];
        let boxes = [one, [DVec3::NAN; 2], one, [DVec3::ZERO, DVec3::splat(f64::INFINITY)], one];
        assert_eq!(pairs(&boxes), [[0, 2], [0, 4], [2, 4]]);
    }
}
