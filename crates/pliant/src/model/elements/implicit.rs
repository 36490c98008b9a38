//! Implicit steps: stable at any length, for any stiffness.
//!
//! One Newton step of backward Euler, \[BW98\], from a guess of where nodes will be:
//!
//! ```text
//! (M/h² + K + D/h) d = M/h² (x* − x) + f(x, ẋ)        x ← x + d
//! ```
//!
//! with x* where nodes would come to without elastic forces, and the guess x where they come to at the speed that they have. What rests, in
//! equilibrium with what acts on it, leaves nothing over, so nothing moves it. K is the Hessian of the energy without what stress takes from
//! the stiffness, and with strains within the limits of Green strain: positive definite in any state.
//!
//! Solved by conjugate gradients on the elements themselves, preconditioned with the diagonal.

use super::forces::{CornerForces, for_each_run, on_node};
use super::law::Lame;
use super::rest::{Pack, Rest};
use super::strain::{
    Law, apply, corner_forces, dot, gradient, hooke, load, load_matrix, respond, store, store_matrix,
    symmetric_product, times_symmetric,
};
use super::{Elements, Scratch};
use crate::math::Mat3x8;
use crate::math::functions::square;
use crate::math::lanes::{F32x8, Kernel, Lanes, run};
use crate::model::seam::StepInput;
use crate::model::{integrate, momentum};
use crate::nodes::{Hold, NodeState};
use crate::par;
use glam::Vec3;

/// How eight elements resist a small displacement.
#[derive(Clone, Copy, Debug, Default)]
pub struct Tangent {
    /// F within the limits of Green strain.
    f: Mat3x8,
    /// What stress adds.
    tension: [F32x8; 6],
}

/// What conjugate gradients work on.
#[derive(Clone, Debug, Default)]
pub struct Work {
    tangents: Vec<Tangent>,
    diagonals: Vec<CornerForces>,
    /// Where nodes are guessed to be, and how fast they would have come there.
    places: Vec<Vec3>,
    speeds: Vec<Vec3>,
    /// Nodes that are held: they do not move from the guess.
    held: Vec<bool>,
    /// d, the residual, the search direction and what the matrix makes of it.
    displacements: Vec<Vec3>,
    residuals: Vec<Vec3>,
    directions: Vec<Vec3>,
    products: Vec<Vec3>,
    /// The inverse of the matrix's diagonal.
    inverse: Vec<Vec3>,
    sums: Vec<f64>,
    /// Iterations that the latest step took.
    pub iterations: u32,
}

/// How often a step may count the rate of strain as strain: beyond it nodes would hardly move against each other at all.
const MOST_VISCOUS: f32 = 20.0;

/// A step: guess, respond, solve, advance.
pub fn step(model: &mut Elements, nodes: &mut NodeState, input: &StepInput, law: &Law) {
    let free = input.held.fixed().next().is_none();
    model.scratch.before.clone_from(&nodes.velocities);
    input.push(nodes, input.h);
    let Elements { rest, scratch, .. } = model;
    let viscosity = law.viscosity.min(MOST_VISCOUS * input.h);
    let law = Law { viscosity, ..*law };
    guess(scratch, nodes, input, free);
    // Strain and its rate are resisted alike: what elements are displaced by within the step is both.
    let resisting = law.lame.scaled(1.0 + viscosity / input.h);
    respond_at_guess(rest, scratch, input, &law, &resisting);
    solve(rest, scratch, input, &resisting);
    advance(scratch, nodes, input, free);
}

/// Where nodes come to as fast as before, and with what acts on the body as a whole; held ones where they are held.
fn guess(scratch: &mut Scratch, nodes: &NodeState, input: &StepInput, free: bool) {
    let Scratch { work, before, field, partials, .. } = scratch;
    field.clear();
    field.extend(nodes.velocities.iter().zip(&*before).map(|(now, before)| *now - *before));
    let mut mean = Vec3::ZERO;
    if free {
        momentum::remove_rigid_part(input.rest, nodes, field, partials);
        mean = input.rest.mean_motion(nodes).1.as_vec3();
    }
    let count = nodes.positions.len();
    work.fit(count);
    let field = &*field;
    par::for_each_pair(&mut work.speeds, &mut work.places, par::CHUNK, |node, speed, place| {
        // In a frame that moves with the body, so that one in fast flight does not tremble.
        *speed = nodes.velocities[node] - field[node] - mean;
        *place = nodes.positions[node] + input.h * *speed;
    });
    for held in &input.held.nodes {
        let node = held.node as usize;
        let place = match held.hold {
            Hold::At { place, .. } => (place - nodes.origin).as_vec3(),
            Hold::Moving(velocity) => nodes.positions[node] + input.h * velocity,
            Hold::Shared => continue,
        };
        (work.places[node], work.held[node]) = (place, true);
        work.speeds[node] = (place - nodes.positions[node]) / input.h;
    }
}

impl Work {
    fn fit(&mut self, count: usize) {
        let Self { places, speeds, held, displacements, residuals, directions, products, inverse, .. } = self;
        held.clear();
        held.resize(count, false);
        for vectors in [places, speeds, displacements, residuals, directions, products, inverse] {
            vectors.resize(count, Vec3::ZERO);
        }
    }
}

/// Stresses and stiffnesses at the guess: the residual, and the diagonal of the matrix.
fn respond_at_guess(rest: &Rest, scratch: &mut Scratch, input: &StepInput, law: &Law, resisting: &Lame) {
    let Scratch { work, corners, field, .. } = scratch;
    let Work { tangents, diagonals, places, speeds, held, residuals, inverse, .. } = work;
    tangents.resize(rest.packs.len(), Tangent::default());
    corners.resize(rest.packs.len(), CornerForces::default());
    diagonals.resize(rest.packs.len(), CornerForces::default());
    let (count, h) = (rest.packs.len(), input.h);
    let bounds = |part: usize| (part * super::forces::PACKS).min(count);
    let outputs = (&mut tangents[..], &mut corners[..], &mut diagonals[..]);
    let (places, speeds) = (&*places, &*speeds);
    par::for_each_part(0..count.div_ceil(super::forces::PACKS), &bounds, outputs, &|part, outputs| {
        let packs = &rest.packs[bounds(part)..bounds(part + 1)];
        let (tangents, forces, diagonals) = outputs;
        run(AtGuess { packs, places, speeds, law, resisting, tangents, forces, diagonals });
    });
    let (masses, field, held) = (&input.rest.masses, &*field, &*held);
    let (corners, diagonals) = (&*corners, &*diagonals);
    par::for_each_pair(residuals, inverse, par::CHUNK, |node, residual, inverse| {
        if held[node] {
            (*residual, *inverse) = (Vec3::ZERO, Vec3::ZERO);
            return;
        }
        let mass = masses[node] / h;
        *residual = mass * field[node] + on_node(rest, corners, node);
        *inverse = (mass / h + on_node(rest, diagonals, node)).recip();
    });
}

struct AtGuess<'a> {
    packs: &'a [Pack],
    places: &'a [Vec3],
    speeds: &'a [Vec3],
    law: &'a Law,
    resisting: &'a Lame,
    tangents: &'a mut [Tangent],
    forces: &'a mut [CornerForces],
    diagonals: &'a mut [CornerForces],
}

impl Kernel for AtGuess<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self) {
        let outputs = self.tangents.iter_mut().zip(self.forces).zip(self.diagonals);
        for (pack, ((tangent, forces), diagonal)) in self.packs.iter().zip(outputs) {
            let f = gradient::<L>(pack, self.places);
            let rate = (self.law.viscosity > 0.0).then(|| gradient::<L>(pack, self.speeds));
            let response = respond::<L, true>(f, rate, self.law);
            *forces = corner_forces(pack, response.stress);
            *tangent = Tangent { f: store_matrix(response.f), tension: response.tension.map(L::store) };
            *diagonal = diagonal_of::<L>(pack, tangent, self.resisting);
        }
    }
}

/// The diagonal of the stiffness at each corner, with b = ∇N and q = F b:
/// V ((λ + μ) q² + μ |b|² diag(F Fᵀ) + bᵀ S b).
#[inline(always)]
fn diagonal_of<L: Lanes>(pack: &Pack, tangent: &Tangent, lame: &Lame) -> CornerForces {
    let f = load_matrix::<L>(&tangent.f);
    let [both, mu] = [lame.lambda + lame.mu, lame.mu].map(L::splat);
    let tension = tangent.tension.each_ref().map(L::load);
    let volume = L::load(&pack.volumes);
    let squares = [0, 1, 2].map(|k| f[0][k] * f[0][k] + f[1][k] * f[1][k] + f[2][k] * f[2][k]);
    let of = |b: [L; 3]| {
        let [xx, yy, zz, xy, yz, zx] = tension;
        let stressed = [
            xx * b[0] + xy * b[1] + zx * b[2],
            xy * b[0] + yy * b[1] + yz * b[2],
            zx * b[0] + yz * b[1] + zz * b[2],
        ];
        let (q, length, along) = (apply(f, b), dot(b, b), dot(b, stressed));
        store([0, 1, 2].map(|k| volume * (both * q[k] * q[k] + mu * length * squares[k] + along)))
    };
    let [b, c, d] = pack.gradients.each_ref().map(load::<L>);
    let a = [0, 1, 2].map(|k| -(b[k] + c[k] + d[k]));
    [of(a), of(b), of(c), of(d)]
}

/// Conjugate gradients until what is left is the part of what it was that the settings ask for.
fn solve(rest: &Rest, scratch: &mut Scratch, input: &StepInput, lame: &Lame) {
    let Scratch { work, corners, .. } = scratch;
    work.displacements.fill(Vec3::ZERO);
    work.iterations = 0;
    let count = work.residuals.len();
    let preconditioned = |residuals: &[Vec3], inverse: &[Vec3], sums: &mut Vec<f64>| {
        par::sum(count, sums, |range| {
            let pairs = residuals[range.clone()].iter().zip(&inverse[range]);
            pairs.map(|(r, inverse)| f64::from((*r * *inverse).dot(*r))).sum::<f64>()
        })
    };
    let mut left = preconditioned(&work.residuals, &work.inverse, &mut work.sums);
    let enough = square(f64::from(rest.settings.tolerance)) * left;
    for node in 0..count {
        work.directions[node] = work.inverse[node] * work.residuals[node];
    }
    // Nothing is left, or nothing that is a number.
    while left > enough && left.is_finite() && work.iterations < rest.settings.iterations {
        let curvature = multiply(rest, work, corners, input, lame);
        if curvature <= 0.0 || !curvature.is_finite() {
            break;
        }
        let far = (left / curvature) as f32;
        let (directions, products) = (&work.directions, &work.products);
        par::for_each_pair(&mut work.displacements, &mut work.residuals, par::CHUNK, |node, d, r| {
            *d += far * directions[node];
            *r -= far * products[node];
        });
        let before =
            std::mem::replace(&mut left, preconditioned(&work.residuals, &work.inverse, &mut work.sums));
        let again = (left / before) as f32;
        let (residuals, inverse) = (&work.residuals, &work.inverse);
        par::for_each_indexed(&mut work.directions, par::CHUNK, |node, direction| {
            *direction = inverse[node] * residuals[node] + again * *direction;
        });
        work.iterations += 1;
    }
}

/// products ← (M/h² + K + D/h) directions; returns their scalar product with the directions.
fn multiply(
    rest: &Rest,
    work: &mut Work,
    corners: &mut [CornerForces],
    input: &StepInput,
    lame: &Lame,
) -> f64 {
    let Work { tangents, directions, products, held, sums, .. } = work;
    let (tangents, directions, held) = (&*tangents, &*directions, &*held);
    for_each_run(corners, |first, forces| {
        let packs = &rest.packs[first..][..forces.len()];
        let tangents = &tangents[first..][..forces.len()];
        run(Resist { packs, tangents, directions, lame, forces });
    });
    let (corners, masses, per) = (&*corners, &input.rest.masses, 1.0 / square(input.h));
    par::for_each_indexed(products, par::CHUNK, |node, product| {
        let resisting = masses[node] * per * directions[node] - on_node(rest, corners, node);
        *product = if held[node] { Vec3::ZERO } else { resisting };
    });
    let products = &*products;
    par::sum(directions.len(), sums, |range| {
        let pairs = directions[range.clone()].iter().zip(&products[range]);
        pairs.map(|(p, q)| f64::from(p.dot(*q))).sum::<f64>()
    })
}

/// What elements do to their corners if nodes are displaced a little.
struct Resist<'a> {
    packs: &'a [Pack],
    tangents: &'a [Tangent],
    directions: &'a [Vec3],
    lame: &'a Lame,
    forces: &'a mut [CornerForces],
}

impl Kernel for Resist<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self) {
        let [lambda, mu] = [self.lame.lambda, self.lame.mu].map(L::splat);
        for ((pack, tangent), forces) in self.packs.iter().zip(self.tangents).zip(self.forces) {
            let f = load_matrix::<L>(&tangent.f);
            let change = gradient::<L>(pack, self.directions);
            let stress = hooke(symmetric_product(f, change), lambda, mu);
            let elastic = times_symmetric(f, stress);
            let tense = times_symmetric(change, tangent.tension.each_ref().map(L::load));
            let all = [0, 1, 2].map(|c| [0, 1, 2].map(|k| elastic[c][k] + tense[c][k]));
            *forces = corner_forces(pack, all);
        }
    }
}

/// Velocities from where nodes have come to. Elastic forces give a free body no momentum: what rounding and what was left unsolved
/// would is taken out.
fn advance(scratch: &mut Scratch, nodes: &mut NodeState, input: &StepInput, free: bool) {
    let Scratch { work, field, partials, .. } = scratch;
    let h = input.h;
    let (displacements, held, speeds) = (&work.displacements, &work.held, &work.speeds);
    let velocities = &nodes.velocities;
    par::for_each_indexed(field, par::CHUNK, |node, change| {
        *change =
            if held[node] { speeds[node] - velocities[node] } else { displacements[node] / h - *change };
    });
    if free {
        momentum::remove_rigid_part(input.rest, nodes, field, partials);
    }
    let field = &*field;
    par::for_each_indexed(&mut nodes.velocities, par::CHUNK, |node, v| *v += field[node]);
    integrate::advance(input.rest, nodes, h);
}
