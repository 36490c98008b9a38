//! Forces of all elements on all nodes: first what each element does to its corners, then what each node gets of those.
//!
//! So nobody writes where another does: results have the same bits on any number of threads. Quantities of nodes are padded to four
//! numbers, and what elements do to two of their corners stands side by side: both are read and written a register at a time, and
//! turned into lanes there.

use super::rest::{CORNERS, Pack, Rest};
use super::strain::{Law, corner_forces, gradient, respond};
use crate::math::lanes::{F32x8, Kernel, LANES, Lanes, run};
use crate::par;
use glam::{Vec3, Vec4};

/// What eight elements do to their corners: of two corners at a time, lane by lane, the force on the one and on the other.
pub type CornerForces = [[F32x8; LANES]; CORNERS / 2];

/// Packs that a task takes at a time.
pub const PACKS: usize = 64;

/// Vectors as kernels read them.
pub fn pad(vectors: &[Vec3], padded: &mut Vec<Vec4>) {
    padded.resize(vectors.len(), Vec4::ZERO);
    par::for_each_indexed(padded, par::CHUNK, |node, to| *to = vectors[node].extend(0.0));
}

/// What the elements do to their corners, with nodes at `places` that move with `velocities` (which are read only if there is viscosity).
pub fn on_corners(
    packs: &[Pack],
    places: &[Vec4],
    velocities: &[Vec4],
    law: &Law,
    forces: &mut Vec<CornerForces>,
) {
    forces.resize(packs.len(), CornerForces::default());
    for_each_run(forces, |first, forces| {
        let packs = &packs[first..][..forces.len()];
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
    places: &'a [Vec4],
    velocities: &'a [Vec4],
    law: &'a Law,
    forces: &'a mut [CornerForces],
}

impl Kernel for OnCorners<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self) {
        let viscous = self.law.viscosity > 0.0;
        for (pack, forces) in self.packs.iter().zip(self.forces) {
            let f = gradient::<L>(pack, self.places);
            let rate = if viscous { Some(gradient::<L>(pack, self.velocities)) } else { None };
            *forces = corner_forces(pack, respond::<L, false>(f, rate, self.law).stress);
        }
    }
}

/// The sum of what the corners get that a node is.
#[inline(always)]
pub fn on_node(rest: &Rest, corners: &[CornerForces], node: usize) -> Vec4 {
    let registers = corners.as_flattened().as_flattened();
    rest.places.of(node).iter().fold(Vec4::ZERO, |sum, &place| {
        let at = 4 * (place as usize % 2);
        sum + Vec4::from_slice(&registers[place as usize / 2].0[at..at + 4])
    })
}
