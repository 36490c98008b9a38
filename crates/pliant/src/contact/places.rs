//! Many places, eight at a time: how far they go along an axis, and which of them are where two bodies can touch.

use super::shell::Overlap;
use crate::body::border::in_all;
use crate::math::lanes::{F32x8, Kernel, LANES, LaneMask, Lanes, run};
use glam::Vec3;

/// Places in a list.
#[derive(Clone, Debug, Default)]
pub(super) struct Places {
    /// Axis by axis; what is left of the last ones is the first place of those.
    blocks: Vec<[F32x8; 3]>,
    count: usize,
}

impl Places {
    pub fn clear(&mut self) {
        self.blocks.clear();
        self.count = 0;
    }

    /// Makes room for so many.
    pub fn reserve(&mut self, count: usize) {
        self.blocks.reserve(count.div_ceil(LANES));
    }

    pub fn push(&mut self, place: Vec3) {
        let lane = self.count % LANES;
        self.count += 1;
        match self.blocks.last_mut() {
            Some([x, y, z]) if lane > 0 => {
                (x.0[lane], y.0[lane], z.0[lane]) = (place.x, place.y, place.z);
            }
            _ => self.blocks.push(place.to_array().map(F32x8::splat)),
        }
    }

    pub fn get(&self, index: u32) -> Vec3 {
        let (block, lane) = (&self.blocks[index as usize / LANES], index as usize % LANES);
        Vec3::from_array([0, 1, 2].map(|axis| block[axis].0[lane]))
    }

    /// The least and the largest place along an axis; infinite the other way round if there are none.
    pub fn along(&self, axis: Vec3) -> [f32; 2] {
        run(Along { places: self, axis })
    }

    /// Finds those that are in an overlap, or not farther from it than a reach, in their order; all of them without one.
    pub fn within(&self, overlap: Option<&Overlap>, reach: f32, found: &mut Vec<Eight>) {
        found.clear();
        found.reserve(self.blocks.len());
        match overlap {
            Some(overlap) => run(Within { places: self, overlap, reach, found }),
            None => found.extend((0..self.blocks.len()).map(|block| self.eight(block, u8::MAX))),
        }
    }

    /// Eight places, of which those count that are there.
    fn eight(&self, block: usize, bits: u8) -> Eight {
        let left = (self.count - block * LANES).min(LANES);
        Eight { block: block as u32, bits: bits & (u8::MAX >> (LANES - left)) }
    }

    /// Eight of them, axis by axis.
    pub fn block(&self, block: usize) -> &[F32x8; 3] {
        &self.blocks[block]
    }
}

/// Some of eight places that follow each other.
#[derive(Clone, Copy, Debug)]
pub(super) struct Eight {
    /// How many eights are before them.
    pub block: u32,
    /// Which of them, the first one lowest.
    pub bits: u8,
}

impl Eight {
    /// Their numbers, in order.
    pub fn indices(self) -> impl Iterator<Item = u32> {
        let mut bits = self.bits;
        std::iter::from_fn(move || {
            let lane = (bits != 0).then(|| bits.trailing_zeros())?;
            bits &= bits - 1;
            Some(self.block * LANES as u32 + lane)
        })
    }
}

struct Along<'a> {
    places: &'a Places,
    axis: Vec3,
}

impl Kernel for Along<'_> {
    type Output = [f32; 2];

    #[inline(always)]
    fn run<L: Lanes>(self) -> [f32; 2] {
        let axis = in_all::<L>(self.axis);
        let (mut least, mut largest) = (L::splat(f32::INFINITY), L::splat(f32::NEG_INFINITY));
        for block in &self.places.blocks {
            let along = dot(block, axis);
            (least, largest) = (along.min(least), along.max(largest));
        }
        let (least, largest) = (least.store().0, largest.store().0);
        [
            least.into_iter().fold(f32::INFINITY, f32::min),
            largest.into_iter().fold(f32::NEG_INFINITY, f32::max),
        ]
    }
}

struct Within<'a> {
    places: &'a Places,
    overlap: &'a Overlap,
    reach: f32,
    found: &'a mut Vec<Eight>,
}

impl Kernel for Within<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self) {
        let Self { places, overlap: &Overlap { region: [low, high], axis, slab }, reach, found } = self;
        let (low, high, axis) = (in_all::<L>(low - reach), in_all::<L>(high + reach), in_all::<L>(axis));
        let (first, last) = (L::splat(slab[0] - reach), L::splat(slab[1] + reach));
        for (index, block) in places.blocks.iter().enumerate() {
            let along = dot(block, axis);
            let mut within = along.ge(first) & last.ge(along);
            for axis in 0..3 {
                let at = L::load(&block[axis]);
                within = within & at.ge(low[axis]) & high[axis].ge(at);
            }
            let bits = within.bits();
            if bits != 0 {
                found.push(places.eight(index, bits));
            }
        }
    }
}

/// How far eight places are along an axis.
#[inline(always)]
fn dot<L: Lanes>(block: &[F32x8; 3], axis: [L; 3]) -> L {
    L::load(&block[0]) * axis[0] + L::load(&block[1]) * axis[1] + L::load(&block[2]) * axis[2]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn eight_at_a_time_find_what_one_by_one_do() {
        let mut state = 7_u32;
        let mut random = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 8) as f32 / (1 << 24) as f32 - 0.5
        };
        for count in 0..40 {
            let all: Vec<Vec3> = (0..count).map(|_| Vec3::new(random(), random(), random())).collect();
            let mut places = Places::default();
            all.iter().for_each(|&place| places.push(place));
            let axis = Vec3::new(random(), random(), random()).normalize();
            let along = all.iter().map(|place| place.dot(axis));
            let least = along.clone().fold(f32::INFINITY, f32::min);
            let largest = along.fold(f32::NEG_INFINITY, f32::max);
            assert_eq!(places.along(axis), [least, largest]);
            assert!((0..).zip(&all).all(|(index, &place)| places.get(index) == place));
            let region = [Vec3::splat(-0.3), Vec3::splat(0.2)];
            let overlap = Overlap { region, axis, slab: [-0.2, 0.1] };
            for reach in [0.0, 0.1] {
                let mut found = Vec::new();
                places.within(Some(&overlap), reach, &mut found);
                let found: Vec<u32> = found.into_iter().flat_map(Eight::indices).collect();
                let one_by_one: Vec<u32> = (0..)
                    .zip(&all)
                    .filter(|(_, at)| overlap.has(**at, reach))
                    .map(|(index, _)| index)
                    .collect();
                assert_eq!(found, one_by_one);
            }
        }
    }
}
