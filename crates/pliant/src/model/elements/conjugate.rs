//! Conjugate gradients on the elements themselves, preconditioned with the inverse of each node's own block of the matrix.

use super::forces::{CornerForces, for_each_run, on_node};
use super::implicit::{Work, project};
use super::law::Lame;
use super::rest::{Pack, Rest};
use super::tangent::Resist;
use crate::math::functions::square;
use crate::math::lanes::run;
use crate::model::seam::StepInput;
use crate::model::supports::RELEASES;
use crate::par;
use glam::{Mat3, Vec3, Vec4};

/// The inverse of a node's own block of the matrix, by columns.
#[derive(Clone, Copy, Debug, Default)]
pub struct InverseBlock([Vec4; 3]);

impl InverseBlock {
    /// Of a positive definite block; none of something that is no number.
    pub fn of(block: Mat3) -> Self {
        // Of about 1, so that the determinant is far from overflow for any material.
        let scale = 3.0 / (block.x_axis.x + block.y_axis.y + block.z_axis.z);
        let inverse = (block * scale).inverse() * scale;
        if !inverse.is_finite() {
            return Self::default();
        }
        Self([inverse.x_axis, inverse.y_axis, inverse.z_axis].map(|column| column.extend(0.0)))
    }

    /// Of a node that moves perpendicular to some directions only, which are perpendicular to each other.
    pub fn within(block: Mat3, normals: impl Iterator<Item = Vec3> + Clone) -> Self {
        let outer = |n: Vec3| Mat3::from_cols(n * n.x, n * n.y, n * n.z);
        let held = normals.map(outer).fold(Mat3::ZERO, |sum, of| sum + of);
        let free = Mat3::IDENTITY - held;
        let scale = (block.x_axis.x + block.y_axis.y + block.z_axis.z) / 3.0;
        let Self(columns) = Self::of(free * block * free + held * scale);
        let inverse = Mat3::from_cols_array_2d(&columns.map(|column| column.truncate().to_array()));
        let within = free * inverse * free;
        Self([within.x_axis, within.y_axis, within.z_axis].map(|column| column.extend(0.0)))
    }

    /// What it makes of a vector.
    #[inline(always)]
    pub fn times(&self, v: Vec4) -> Vec4 {
        self.0[0] * v.x + self.0[1] * v.y + self.0[2] * v.z
    }
}

/// Displacements for which what is left of the residual is the part of what it was that the settings ask for.
pub fn solve(
    rest: &Rest,
    packs: &[Pack],
    work: &mut Work,
    speeds: &[Vec4],
    corners: &mut [CornerForces],
    input: &StepInput,
    lame: &Lame,
) {
    work.displacements.fill(Vec4::ZERO);
    work.iterations = 0;
    let (mut enough, mut releases) = (None, 0);
    loop {
        let left = start(work);
        let enough = *enough.get_or_insert(square(f64::from(rest.settings.tolerance)) * left);
        reduce(rest, packs, work, corners, input, lame, [left, enough]);
        if work.supports.held().is_empty() {
            break;
        }
        // What the matrix makes of the displacements, in directions that are held as well.
        work.directions.copy_from_slice(&work.displacements);
        resist(packs, work, corners, lame);
        let product = |node: usize| product(rest, input, corners, work.displacements[node], node);
        for (node, _) in work.supports.nodes(input.supports) {
            work.products[node] = product(node);
        }
        releases += 1;
        if !work.react(speeds, input) || releases > RELEASES {
            break;
        }
        work.go_on(rest, input);
    }
}

/// Reduces r · P r from what is left to enough.
fn reduce(
    rest: &Rest,
    packs: &[Pack],
    work: &mut Work,
    corners: &mut [CornerForces],
    input: &StepInput,
    lame: &Lame,
    [mut left, enough]: [f64; 2],
) {
    // Nothing is left, or nothing that is a number.
    while left > enough && left.is_finite() && work.iterations < rest.settings.iterations {
        let curvature = multiply(rest, packs, work, corners, input, lame);
        if curvature <= 0.0 || !curvature.is_finite() {
            break;
        }
        let before = left;
        left = go(work, (left / curvature) as f32);
        turn(work, (left / before) as f32);
        work.iterations += 1;
    }
}

/// p ← P r; returns r · P r.
fn start(work: &mut Work) -> f64 {
    let Work { residuals, directions, inverse, sums, .. } = work;
    let (residuals, inverse) = (&*residuals, &*inverse);
    par::sum_of_chunks(residuals.len(), &mut directions[..], sums, |range, directions| {
        let of = residuals[range.clone()].iter().zip(&inverse[range]);
        let each = directions.iter_mut().zip(of).map(|(direction, (residual, inverse))| {
            *direction = inverse.times(*residual);
            f64::from(direction.dot(*residual))
        });
        each.sum::<f64>()
    })
}

/// What elements do about the search direction, corner by corner.
fn resist(packs: &[Pack], work: &Work, corners: &mut [CornerForces], lame: &Lame) {
    let Work { tangents, directions, .. } = work;
    for_each_run(corners, |first, forces| {
        let packs = &packs[first..][..forces.len()];
        let tangents = &tangents[first..][..forces.len()];
        run(Resist { packs, tangents, directions, lame, forces });
    });
}

/// What the matrix makes of a direction at a node, given what elements do about it.
#[inline(always)]
fn product(rest: &Rest, input: &StepInput, corners: &[CornerForces], direction: Vec4, node: usize) -> Vec4 {
    input.rest.masses[node] / square(input.h) * direction - on_node(rest, corners, node)
}

/// q ← (M/h² + K + D/h) p; returns p · q.
fn multiply(
    rest: &Rest,
    packs: &[Pack],
    work: &mut Work,
    corners: &mut [CornerForces],
    input: &StepInput,
    lame: &Lame,
) -> f64 {
    resist(packs, work, corners, lame);
    let Work { directions, products, supports, sums, .. } = work;
    let (directions, corners) = (&*directions, &*corners);
    let sum = par::sum_of_chunks(directions.len(), &mut products[..], sums, |range, products| {
        let each = range.zip(products).map(|(node, of)| {
            let direction = directions[node];
            *of = product(rest, input, corners, direction, node);
            f64::from(direction.dot(*of))
        });
        each.sum::<f64>()
    });
    // Directions have nothing of what is taken out here.
    project(supports, products);
    sum
}

/// d ← d + a p, r ← r − a q; returns r · P r.
fn go(work: &mut Work, far: f32) -> f64 {
    let Work { displacements, residuals, directions, products, inverse, sums, .. } = work;
    let (directions, products, inverse) = (&*directions, &*products, &*inverse);
    let data = (&mut displacements[..], &mut residuals[..]);
    par::sum_of_chunks(directions.len(), data, sums, |range, (displacements, residuals)| {
        let each = range.zip(displacements.iter_mut().zip(residuals)).map(|(node, (d, r))| {
            *d += far * directions[node];
            *r -= far * products[node];
            f64::from(inverse[node].times(*r).dot(*r))
        });
        each.sum::<f64>()
    })
}

/// p ← P r + b p
fn turn(work: &mut Work, again: f32) {
    let Work { residuals, directions, inverse, .. } = work;
    let (residuals, inverse) = (&*residuals, &*inverse);
    par::for_each_indexed(directions, par::CHUNK, |node, direction| {
        *direction = inverse[node].times(residuals[node]) + again * *direction;
    });
}
