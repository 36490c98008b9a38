//! How elements resist small displacements: the Hessian K of the energy, element by element, never as a matrix.
//!
//! With b = ∇N of a corner and q = F b, a corner that is displaced by d resists itself with
//!
//! ```text
//! V ((λ + μ) q qᵀ + μ |b|² F Fᵀ + bᵀ S b I) d
//! ```
//!
//! F is within the limits of Green strain and S without what would take from the stiffness, so K is positive semidefinite in any state.

use super::forces::CornerForces;
use super::law::Lame;
use super::rest::{CORNERS, Pack, pack_and_lane};
use super::strain::{
    Law, M, Sym, V, apply, apply_symmetric, corner_forces, dot, gradient, hooke, load, load_matrix,
    load_symmetric, respond, rest_of, store_all, store_matrix, store_symmetric, sum, symmetric_product,
    times_symmetric,
};
use crate::math::Mat3x8;
use crate::math::lanes::{F32x8, Kernel, LANES, Lanes};
use glam::{Mat3, Vec4};

/// How eight elements resist a small displacement.
#[derive(Clone, Copy, Debug, Default)]
pub struct Tangent {
    /// F within the limits of Green strain.
    f: Mat3x8,
    /// What stress adds.
    tension: [F32x8; 6],
}

/// How corners of eight elements resist displacements of their own: corner by corner and lane by lane a symmetric matrix, as xx, yy, zz,
/// xy, yz, zx.
pub type CornerBlocks = [[F32x8; LANES]; CORNERS];

/// Where the matrix of a corner is among those of all packs, given the place of the corner.
#[inline(always)]
fn block_place(place: u32) -> usize {
    let (pack, lane) = pack_and_lane(place);
    let corner = 2 * (place as usize / (2 * LANES) % 2) + place as usize % 2;
    LANES * (CORNERS * pack + corner) + lane
}

/// The sum of the matrices of corners.
pub fn sum_of_blocks(places: &[u32], blocks: &[CornerBlocks]) -> Mat3 {
    let registers = blocks.as_flattened().as_flattened();
    let mut sums = [0.0_f32; LANES];
    for &place in places {
        let block = &registers[block_place(place)].0;
        sums.iter_mut().zip(block).for_each(|(sum, value)| *sum += value);
    }
    let [xx, yy, zz, xy, yz, zx, ..] = sums;
    Mat3::from_cols_array(&[xx, xy, zx, xy, yy, yz, zx, yz, zz])
}

/// Forces on corners at the guess, and how elements resist there.
pub struct AtGuess<'a> {
    /// The elements.
    pub packs: &'a [Pack],
    /// Where nodes are, and how fast they are.
    pub places: &'a [Vec4],
    /// Their velocities.
    pub speeds: &'a [Vec4],
    /// What makes the forces.
    pub law: &'a Law,
    /// What resists displacements: also their rate.
    pub resisting: &'a Lame,
    /// To be filled.
    pub tangents: &'a mut [Tangent],
    /// To be filled.
    pub forces: &'a mut [CornerForces],
    /// To be filled.
    pub blocks: &'a mut [CornerBlocks],
}

impl Kernel for AtGuess<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self) {
        let viscous = self.law.viscosity > 0.0;
        let outputs = self.tangents.iter_mut().zip(self.forces).zip(self.blocks);
        for (pack, ((tangent, forces), blocks)) in self.packs.iter().zip(outputs) {
            let f = gradient::<L>(pack, self.places);
            let rate = if viscous { Some(gradient::<L>(pack, self.speeds)) } else { None };
            let response = respond::<L, true>(f, rate, self.law);
            *forces = corner_forces(pack, response.stress);
            *tangent = Tangent { f: store_matrix(response.f), tension: store_symmetric(response.tension) };
            *blocks = blocks_of::<L>(pack, tangent, self.resisting);
        }
    }
}

#[inline(always)]
fn blocks_of<L: Lanes>(pack: &Pack, tangent: &Tangent, lame: &Lame) -> CornerBlocks {
    let f = load_matrix::<L>(&tangent.f);
    let volume = L::load(&pack.volumes);
    let block = Block {
        f,
        left: left_square(f),
        tension: load_symmetric(&tangent.tension),
        volume,
        both: volume * L::splat(lame.lambda + lame.mu),
        mu: volume * L::splat(lame.mu),
    };
    let [b, c, d] = &pack.gradients;
    let (b, c, d) = (load::<L>(b), load::<L>(c), load::<L>(d));
    [block.of(rest_of(b, c, d)), block.of(b), block.of(c), block.of(d)]
}

/// F Fᵀ
#[inline(always)]
fn left_square<L: Lanes>([x, y, z]: M<L>) -> Sym<L> {
    [
        x[0] * x[0] + y[0] * y[0] + z[0] * z[0],
        x[1] * x[1] + y[1] * y[1] + z[1] * z[1],
        x[2] * x[2] + y[2] * y[2] + z[2] * z[2],
        x[0] * x[1] + y[0] * y[1] + z[0] * z[1],
        x[1] * x[2] + y[1] * y[2] + z[1] * z[2],
        x[2] * x[0] + y[2] * y[0] + z[2] * z[0],
    ]
}

/// What the matrices of all corners of eight elements have in common.
#[derive(Clone, Copy)]
struct Block<L> {
    f: M<L>,
    left: Sym<L>,
    tension: Sym<L>,
    volume: L,
    /// V (λ + μ)
    both: L,
    /// V μ
    mu: L,
}

impl<L: Lanes> Block<L> {
    /// Of a corner with b = ∇N.
    #[inline(always)]
    fn of(self, b: V<L>) -> [F32x8; LANES] {
        let Self { f, left, tension, volume, both, mu } = self;
        let (q, across) = (apply(f, b), mu * dot(b, b));
        let along = volume * dot(b, apply_symmetric(tension, b));
        let zero = L::splat(0.0);
        store_all(L::transpose([
            both * q[0] * q[0] + across * left[0] + along,
            both * q[1] * q[1] + across * left[1] + along,
            both * q[2] * q[2] + across * left[2] + along,
            both * q[0] * q[1] + across * left[3],
            both * q[1] * q[2] + across * left[4],
            both * q[2] * q[0] + across * left[5],
            zero,
            zero,
        ]))
    }
}

/// What elements do to their corners if nodes are displaced a little.
pub struct Resist<'a> {
    /// The elements.
    pub packs: &'a [Pack],
    /// How they resist.
    pub tangents: &'a [Tangent],
    /// The displacements.
    pub directions: &'a [Vec4],
    /// What resists.
    pub lame: &'a Lame,
    /// To be filled.
    pub forces: &'a mut [CornerForces],
}

impl Kernel for Resist<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self) {
        let (lambda, mu) = (L::splat(self.lame.lambda), L::splat(self.lame.mu));
        for ((pack, tangent), forces) in self.packs.iter().zip(self.tangents).zip(self.forces) {
            let f = load_matrix::<L>(&tangent.f);
            let change = gradient::<L>(pack, self.directions);
            let stress = hooke(symmetric_product(f, change), lambda, mu);
            let elastic = times_symmetric(f, stress);
            let tense = times_symmetric(change, load_symmetric(&tangent.tension));
            *forces = corner_forces(pack, sum(elastic, tense));
        }
    }
}
