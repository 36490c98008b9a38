//! Forces of all elements on all nodes: first what each element does to its corners, then what each node gets of those.
//!
//! So nobody writes where another does: results have the same bits on any number of threads.

use super::rest::{CORNERS, Pack, Rest};
use super::strain::{Law, corner_forces, gradient, respond};
use crate::math::Vec3x8;
use crate::math::lanes::{Kernel, LANES, Lanes, run};
use crate::par;
use glam::Vec3;

/// What eight elements do to their corners.
pub type CornerForces = [Vec3x8; CORNERS];

/// Packs that a task takes at a time.
pub const PACKS: usize = 64;

/// What the elements do to their corners, with nodes at `places` that move with `velocities` (which count only if there is viscosity).
pub fn on_corners(
    rest: &Rest,
    places: &[Vec3],
    velocities: &[Vec3],
    law: &Law,
    forces: &mut Vec<CornerForces>,
) {
    forces.resize(rest.packs.len(), CornerForces::default());
    for_each_run(forces, |first, forces| {
        let packs = &rest.packs[first..][..forces.len()];
        run(OnCorners { packs, places, velocities, law, forces });
    });
}

/// Calls `work` with runs of what there is for each pack, and the first of them.
pub fn for_each_run<T: Send>(of_packs: &mut [T], work: impl Fn(usize, &mut [T]) + Sync) {
    let count = of_packs.len();
    let bounds = |part: usize| (part * PACKS).min(count);
    par::for_each_part(0..count.div_ceil(PACKS), &bounds, of_packs, &|part, items| work(part * PACKS, items));
}

struct OnCorners<'a> {
    packs: &'a [Pack],
    places: &'a [Vec3],
    velocities: &'a [Vec3],
    law: &'a Law,
    forces: &'a mut [CornerForces],
}

impl Kernel for OnCorners<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self) {
        for (pack, forces) in self.packs.iter().zip(self.forces) {
            let f = gradient::<L>(pack, self.places);
            let rate = (self.law.viscosity > 0.0).then(|| gradient::<L>(pack, self.velocities));
            *forces = corner_forces(pack, respond::<L, false>(f, rate, self.law).stress);
        }
    }
}

/// The sum of what the corners get that a node is.
#[inline(always)]
pub fn on_node(rest: &Rest, corners: &[CornerForces], node: usize) -> Vec3 {
    rest.places.of(node).iter().fold(Vec3::ZERO, |sum, &place| {
        let (corner, lane) = (place as usize / LANES, place as usize % LANES);
        sum + corners[corner / CORNERS][corner % CORNERS].get(lane)
    })
}
