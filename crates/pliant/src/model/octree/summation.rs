//! Sums over regions through the tree, and back: HF and its transpose, \[SOG08\] §4.3.
//!
//! Up: each cell sums what is below it, with first moments about its own middle. Each region then sums over its summation cells,
//! with moments about its own node. Back: each cell sums the maps of the regions that use it, hands them down, and a leaf
//! takes their value at its node. Each cell gathers what it needs through lists of regions, so nothing is written twice and
//! cells can be worked on by different threads.

use super::Rest;
use crate::material::Plasticity;
use crate::math::Mat3x8;
use crate::math::lanes::{Kernel, LANES, Lanes, run};
use crate::model::regions::rest::Summation;
use crate::model::regions::{Field, Moments, Pull, State, fit};
use crate::par::{self, ByEight, MaybeEmpty};
use glam::Vec3;

/// Sums of each cell, with moments about its middle: S₀ and S₁ of all that is below it.
pub fn sum_up(rest: &Rest, fields: &[Field], cells: &mut Vec<Moments>) {
    cells.resize(rest.tree.keys.len(), Moments::default());
    par::for_each_part(
        0..rest.parts.len() - 1,
        &|part| rest.parts[part] as usize,
        &mut cells[..],
        &|part, cells| {
            run(Up { rest, fields, cells, first: rest.parts[part] as usize });
        },
    );
}

/// The moments of each region, fitted: they become maps to goals.
pub fn gather_and_fit(
    rest: &Rest,
    cells: &[Moments],
    regions: &mut Vec<Moments>,
    state: &mut State,
    plasticity: Option<&Plasticity>,
    pull: &Pull,
) {
    let slots = rest.nodes.len();
    regions.resize(slots, Moments::default());
    let State { rotations, plastic, maps } = state;
    let data = (&mut regions[..], (ByEight(rotations), ByEight(maps)), MaybeEmpty(plastic));
    let (blocks, bounds) = (slots.div_ceil(fit::BLOCK), |part: usize| (part * fit::BLOCK).min(slots));
    par::for_each_part(0..blocks, &bounds, data, &|part, (moments, (rotations, maps), plastic)| {
        let first = part * fit::BLOCK;
        run(Gather { rest, cells, regions: moments, first });
        let constants = &rest.constants[first / LANES..(first + moments.len()) / LANES];
        let (rotations, maps, plastic) = (rotations.0, maps.0, plastic.0);
        fit::goals(fit::Block { moments, constants, rotations, plastic, maps }, plasticity, pull);
    });
}

/// The linear maps of the regions.
pub fn gather_maps(rest: &Rest, cells: &[Moments], state: &mut State) {
    let slots = rest.nodes.len();
    let State { rotations, maps, .. } = state;
    let (blocks, bounds) = (slots.div_ceil(fit::BLOCK), |part: usize| (part * fit::BLOCK).min(slots));
    par::for_each_part(0..blocks, &bounds, ByEight(maps), &|part, maps| {
        let first = part * fit::BLOCK;
        let mut moments = [Moments::default(); fit::BLOCK];
        let moments = &mut moments[..maps.0.len() * LANES];
        run(Gather { rest, cells, regions: moments, first });
        let packs = first / LANES..(first + moments.len()) / LANES;
        fit::maps(moments, &rest.constants[packs.clone()], &rotations[packs], maps.0);
    });
}

/// The linear parts of the regions' velocities.
pub fn gather_gradients(rest: &Rest, cells: &[Moments]) -> Vec<Mat3x8> {
    let mut gradients = vec![Mat3x8::default(); rest.nodes.len() / LANES];
    let mut moments = vec![Moments::default(); rest.nodes.len()];
    run(Gather { rest, cells, regions: &mut moments, first: 0 });
    let blocks = moments.chunks(fit::BLOCK).zip(rest.constants.chunks(fit::BLOCK / LANES));
    for ((moments, constants), gradients) in blocks.zip(gradients.chunks_mut(fit::BLOCK / LANES)) {
        fit::gradients(moments, constants, gradients);
    }
    gradients
}

/// What the maps of all regions that contain a node give there.
pub fn scatter(rest: &Rest, regions: &[Moments], cells: &mut Vec<Moments>, fields: &mut Vec<Field>) {
    cells.resize(rest.tree.keys.len(), Moments::default());
    fields.resize(rest.tree.cells.len(), Field::default());
    par::for_each_part(
        0..rest.parts.len() - 1,
        &|part| rest.parts[part] as usize,
        &mut cells[..],
        &|part, cells| {
            run(Down { rest, regions, cells, first: rest.parts[part] as usize });
        },
    );
    let cells = &*cells;
    par::for_each_indexed(fields, par::CHUNK, |node, field| {
        *field = cells[rest.tree.cells[node] as usize][0]
    });
}

struct Up<'a> {
    rest: &'a Rest,
    fields: &'a [Field],
    cells: &'a mut [Moments],
    first: usize,
}

impl Kernel for Up<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self) {
        let Self { rest, fields, cells, first } = self;
        cells.fill(Moments::default());
        for at in (0..cells.len()).rev() {
            let cell = first + at;
            if let Some(node) = rest.tree.nodes[cell] {
                let mut sums = [L::splat(0.0); 4];
                sums[0] = L::load(&fields[node as usize]);
                store(&mut cells[at], shifted(sums, rest.offsets[node as usize]));
            }
            if let Some(parent) = rest.tree.parents[cell] {
                let moved =
                    shifted(load::<L>(&cells[at]), rest.middles[cell] - rest.middles[parent as usize]);
                add(&mut cells[parent as usize - first], moved);
            }
        }
    }
}

struct Gather<'a> {
    rest: &'a Rest,
    cells: &'a [Moments],
    regions: &'a mut [Moments],
    first: usize,
}

impl Kernel for Gather<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self) {
        let Self { rest, cells, regions, first } = self;
        for (at, region) in regions.iter_mut().enumerate() {
            let mut sums = [L::splat(0.0); 4];
            if first + at < rest.regions.len() {
                let here = rest.hubs[first + at];
                for &cell in rest.regions.of(first + at) {
                    let moved = shifted(load::<L>(&cells[cell as usize]), rest.middles[cell as usize] - here);
                    for k in 0..4 {
                        sums[k] = sums[k] + moved[k];
                    }
                }
            }
            store(region, sums);
        }
    }
}

struct Down<'a> {
    rest: &'a Rest,
    regions: &'a [Moments],
    cells: &'a mut [Moments],
    first: usize,
}

impl Kernel for Down<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self) {
        let Self { rest, regions, cells, first } = self;
        for at in 0..cells.len() {
            let cell = first + at;
            let middle = rest.middles[cell];
            let mut sums = [L::splat(0.0); 4];
            if let Some(parent) = rest.tree.parents[cell] {
                let from = middle - rest.middles[parent as usize];
                sums = valued(load::<L>(&cells[parent as usize - first]), from);
            }
            for &region in rest.users.of(cell) {
                let moved = valued(load::<L>(&regions[region as usize]), middle - rest.hubs[region as usize]);
                for k in 0..4 {
                    sums[k] = sums[k] + moved[k];
                }
            }
            if let Some(node) = rest.tree.nodes[cell] {
                sums = valued(sums, rest.offsets[node as usize]);
            }
            store(&mut cells[at], sums);
        }
    }
}

/// The same sums with moments about a point from which the present one is at `by`.
#[inline(always)]
fn shifted<L: Lanes>(sums: [L; 4], by: Vec3) -> [L; 4] {
    let [s, x, y, z] = sums;
    [s, x + s * L::splat(by.x), y + s * L::splat(by.y), z + s * L::splat(by.z)]
}

/// The same map as seen from a point that is at `from`: the transpose of [`shifted`].
#[inline(always)]
fn valued<L: Lanes>(map: [L; 4], from: Vec3) -> [L; 4] {
    let [t, x, y, z] = map;
    [t + x * L::splat(from.x) + y * L::splat(from.y) + z * L::splat(from.z), x, y, z]
}

#[inline(always)]
fn load<L: Lanes>(from: &Moments) -> [L; 4] {
    [L::load(&from[0]), L::load(&from[1]), L::load(&from[2]), L::load(&from[3])]
}

#[inline(always)]
fn store<L: Lanes>(to: &mut Moments, [a, b, c, d]: [L; 4]) {
    *to = [a.store(), b.store(), c.store(), d.store()];
}

#[inline(always)]
fn add<L: Lanes>(to: &mut Moments, sums: [L; 4]) {
    for (to, sum) in to.iter_mut().zip(sums) {
        *to = (L::load(to) + sum).store();
    }
}

/// Cells that a part has at least.
const PART: usize = 128;

/// Bounds of parts of the tree: whole base cells, some together.
pub(super) fn parts(ends: &[u32]) -> Vec<u32> {
    let mut parts = vec![0];
    let mut at = 0;
    while let Some(&end) = ends.get(at) {
        at = end as usize;
        let start: u32 = parts[parts.len() - 1];
        if end - start >= PART as u32 || at == ends.len() {
            parts.push(end);
        }
    }
    parts
}

impl Summation for Rest {
    fn cell(&self, node: usize) -> f32 {
        self.tree.key_of(node).edge() as f32 * self.grid.filling.cell
    }

    /// ⟨q²⟩ of a region as wide in a lattice of the finest cells.
    fn extent(&self, node: usize) -> Option<f64> {
        Some(self.extent_of(self.wished_width(node)))
    }

    fn reference(&self) -> f64 {
        self.narrowest
    }

    fn gather(&self, fields: &[Field]) -> Vec<Moments> {
        let mut cells = Vec::new();
        sum_up(self, fields, &mut cells);
        let mut regions = vec![Moments::default(); self.nodes.len()];
        run(Gather { rest: self, cells: &cells, regions: &mut regions, first: 0 });
        regions
    }

    fn scatter(&self, maps: &[Moments]) -> Vec<Field> {
        let (mut cells, mut fields) = (Vec::new(), Vec::new());
        scatter(self, maps, &mut cells, &mut fields);
        fields
    }

    fn nodes(&self) -> &[Option<u32>] {
        &self.nodes
    }
}
