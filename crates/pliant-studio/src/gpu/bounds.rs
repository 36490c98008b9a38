//! How far the things that throw shadows reach, and whether they can be drawn as they are.

use crate::Item;
use pliant::glam::{Mat3A, Vec3, Vec3A};

/// Larger coordinates than this, in metres, are left out: their products would not be finite.
const FARTHEST: f32 = 1e15;

/// The box around what throws shadows, along the axes of the light's map and along those of the world.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bounds {
    light_from_world: Mat3A,
    middle: Vec3A,
    /// Only what is nearer to `middle` than this counts, in metres.
    reach: f32,
    light: [Vec3A; 2],
    world: [Vec3A; 2],
}

impl Bounds {
    /// Nothing yet; `axes` are the two directions of the light's map and the one toward the light.
    pub fn new(axes: [Vec3; 3], middle: Vec3, reach: f32) -> Self {
        let none = [Vec3A::INFINITY, Vec3A::NEG_INFINITY];
        let [u, v, up] = axes.map(Vec3A::from);
        let light_from_world = Mat3A::from_cols(u, v, up).transpose();
        Self { light_from_world, middle: middle.into(), reach, light: none, world: none }
    }

    /// Takes in all vertices of an item; says whether all of them can be drawn.
    pub fn add(&mut self, item: &Item<'_>) -> bool {
        let offset = Vec3A::from(item.offset);
        let middle = self.middle - offset;
        let square = self.reach * self.reach;
        let [mut lo, mut hi] = [Vec3A::INFINITY, Vec3A::NEG_INFINITY];
        let [mut lo_light, mut hi_light] = [lo, hi];
        let mut good = true;
        for position in item.positions {
            let p = Vec3A::from(*position);
            good &= p.abs().cmplt(Vec3A::splat(FARTHEST)).all();
            if p.distance_squared(middle) < square {
                let q = self.light_from_world * p;
                (lo, hi) = (lo.min(p), hi.max(p));
                (lo_light, hi_light) = (lo_light.min(q), hi_light.max(q));
            }
        }
        let light_offset = self.light_from_world * offset;
        let join = |all: &mut [Vec3A; 2], lo: Vec3A, hi: Vec3A| *all = [all[0].min(lo), all[1].max(hi)];
        join(&mut self.world, lo + offset, hi + offset);
        join(&mut self.light, lo_light + light_offset, hi_light + light_offset);
        good
    }

    /// Lowest and highest point along the light's axes; the middle if there is nothing.
    pub fn light(&self) -> [Vec3; 2] {
        self.finite(self.light, self.light_from_world * self.middle)
    }

    /// Lowest and highest point along the axes of the world; the middle if there is nothing.
    pub fn world(&self) -> [Vec3; 2] {
        self.finite(self.world, self.middle)
    }

    fn finite(&self, [lo, hi]: [Vec3A; 2], middle: Vec3A) -> [Vec3; 2] {
        if (hi - lo).is_finite() {
            [lo.into(), hi.into()]
        } else {
            let middle = if middle.is_finite() { middle } else { Vec3A::ZERO };
            [middle.into(); 2]
        }
    }
}

/// Whether a point can be drawn.
pub(super) fn drawable(p: Vec3) -> bool {
    p.abs().cmplt(Vec3::splat(FARTHEST)).all()
}
