//! Where face and centre vertices lie.
//!
//! *Based on* \[PGCS06\] §6.1 and its Figure 5, whose cases are named (B) to (F) below. Points depend on the place only,
//! not on the component: both sheets of a cut lie on each other at rest, and the two cubes at a face agree on its point.
//!
//! *Symbols*: `u`, `v` coordinates in a face, along the axes that follow the one across it, and `w` across it; all in
//! cells, so that a face is the unit square. α is the angle between normals from which the surface is sharp.
//!
//! *Deviations*:
//! - Edge vertices need not lie on their edges. They are first moved in their tangent planes to the height of the face,
//!   and the points between them may leave the face or the cube as far as they do.
//! - Where the surface is smooth, the middle of the cubic with the given ends and tangents is taken, not of the quadratic
//!   Bézier curve. They differ only where the arc is lopsided, but the cubic needs no intersection of nearly parallel
//!   lines, so it is exact on planes.
//! - A sharp point outside the face is clamped into it and pulled to the triangle's barycentre the more the farther out
//!   it lay, not at once, because rims leave faces often and by little. For the same reason a third tangent that misses
//!   the curve goes to its nearer end.
//! - The paper does not say where centres lie. Here they are the same in one dimension more: where smooth, half-way
//!   between what the edge vertices and what their tangent planes say at the mean of the face points, which cancels the
//!   surface's curvature; where sharp, the point nearest to all tangent planes.
//! - Where a cut meets the first surface, α is smaller: such a rim is never meant to be round.

use super::table::others;
use glam::{Mat3, Vec2, Vec3};

/// cos 40°: normals that differ by more make the surface sharp.
pub const COS_ALPHA: f32 = 0.766_044_4;

/// cos 15°: as [`COS_ALPHA`] between a cut and the first surface.
const COS_RIM: f32 = 0.965_925_8;

/// How strongly the mean of the face points attracts a sharp centre, as a share of the tangent planes' strength.
const PULL: f32 = 0.01;

/// A tangent has no direction in a face when less than this of its unit normal lies in it.
const FLAT: f32 = 1e-3;

/// How far from a curve's end a third tangent that misses it is led to it: at the end itself quads would have no width.
const NEAR_END: f32 = 0.05;

/// The surface at a crossing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tangent {
    /// The edge vertex, in cells from the low node.
    pub point: Vec3,
    /// The unit normal, from the edge's low end to its high end.
    pub normal: Vec3,
    /// Whether a blade made it.
    pub cut: bool,
}

/// A face vertex.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct FacePoint {
    /// Where it is, in cells from the low node.
    pub point: Vec3,
    /// Whether the surface is known to bend sharply in the face.
    pub sharp: bool,
}

/// The point of a face across `axis` from the crossings of its edges: two along `u`, then two along `v`, the lower first.
pub fn face_point(axis: usize, edges: [Option<Tangent>; 4]) -> FacePoint {
    let (b, c) = others(axis);
    let turn = |v: Vec3| Vec3::new(v[b], v[c], v[axis]);
    let edges = edges.map(|edge| edge.map(|t| Tangent { point: turn(t.point), normal: turn(t.normal), ..t }));
    let found = match edges {
        [Some(bottom), Some(top), Some(left), Some(right)] => four([bottom, top], [left, right]),
        [Some(a), Some(b), Some(third), None] | [Some(a), Some(b), None, Some(third)] => three(a, b, third),
        [Some(third), None, Some(a), Some(b)] | [None, Some(third), Some(a), Some(b)] => three(a, b, third),
        [Some(a), Some(b), None, None] | [None, None, Some(a), Some(b)] => two(a, b),
        // Seen from the corner between them, one normal points outward and one inward when the corner is low along
        // one edge and high along the other.
        [Some(a), None, Some(b), None] | [None, Some(a), None, Some(b)] => two(a, b),
        [Some(a), None, None, Some(b)] | [None, Some(a), Some(b), None] => {
            two(a, Tangent { normal: -b.normal, ..b })
        }
        [Some(one), ..] | [_, Some(one), ..] => one_crossing(one, 0),
        [.., Some(one), None] | [.., Some(one)] => one_crossing(one, 1),
        [None, None, None, None] => FacePoint { point: Vec3::new(0.5, 0.5, 0.0), sharp: false },
    };
    let mut point = Vec3::ZERO;
    (point[b], point[c], point[axis]) = (found.point.x, found.point.y, found.point.z);
    FacePoint { point, ..found }
}

/// Case (B): half-way to where the tangent leaves the face. `along` is the axis of the edge.
fn one_crossing(t: Tangent, along: usize) -> FacePoint {
    let start = t.point.truncate();
    let normal = t.normal.truncate();
    let across = if along == 0 { Vec2::Y } else { Vec2::X };
    let mut direction = if normal.length() > FLAT { normal.normalize().perp() } else { across };
    // Into the face.
    if direction.dot(across) * (0.5 - start.dot(across)) < 0.0 {
        direction = -direction;
    }
    let mut length = f32::INFINITY;
    for axis in 0..2 {
        let wall = if direction[axis] > 0.0 { 1.0 } else { 0.0 };
        if direction[axis].abs() > FLAT {
            length = length.min(((wall - start[axis]) / direction[axis]).max(0.0));
        }
    }
    let length = if length.is_finite() { length } else { 0.0 };
    FacePoint { point: (start + direction * (0.5 * length)).extend(t.point.z), sharp: false }
}

/// Cases (C) and (D), for normals that point to the same side of the surface.
fn two(a: Tangent, b: Tangent) -> FacePoint {
    if !is_sharp(&a, &b) {
        return FacePoint { point: middle(a, b), sharp: false };
    }
    let w = 0.5 * (a.point.z + b.point.z);
    let [p, q] = [a, b].map(|t| at_height(t, w));
    let (m, n) = (a.normal.truncate(), b.normal.truncate());
    let point = match intersection(p, m, q, n) {
        Some(x) => {
            let clamped = room([p, q]).clamp(x);
            clamped.lerp((clamped + p + q) / 3.0, x.distance(clamped).min(1.0))
        }
        None => 0.5 * (p + q),
    };
    FacePoint { point: point.extend(w), sharp: true }
}

/// Case (E): where the third tangent meets the curve between the two opposite crossings.
fn three(a: Tangent, b: Tangent, third: Tangent) -> FacePoint {
    let curve = two(a, b);
    let w = (a.point.z + b.point.z + third.point.z) / 3.0;
    let [p, q, start] = [a, b, third].map(|t| at_height(t, w));
    let bend = curve.point.truncate();
    let normal = third.normal.truncate();
    let on_curve = [(p, bend), (bend, q)].into_iter().find_map(|(from, to)| {
        let x = intersection(start, normal, from, (to - from).perp())?;
        ((x - from).dot(x - to) <= 0.0 && room([p, q, start]).has(x)).then_some(x)
    });
    let at_end = || {
        let [of_p, of_q] = [p, q].map(|end| normal.dot(end - start).abs());
        if normal.length() > FLAT { if of_p < of_q { p } else { q }.lerp(bend, NEAR_END) } else { bend }
    };
    FacePoint { point: on_curve.unwrap_or_else(at_end).extend(w), sharp: curve.sharp }
}

/// Case (F): where the segments between opposite crossings meet.
fn four(along_u: [Tangent; 2], along_v: [Tangent; 2]) -> FacePoint {
    let w = [along_u, along_v].as_flattened().iter().map(|t| t.point.z).sum::<f32>() / 4.0;
    let [a, b] = along_u.map(|t| at_height(t, w));
    let [c, d] = along_v.map(|t| at_height(t, w));
    let point = match intersection(a, (b - a).perp(), c, (d - c).perp()) {
        Some(x) if room([a, b, c, d]).has(x) => x,
        _ => (a + b + c + d) / 4.0,
    };
    FacePoint { point: point.extend(w), sharp: false }
}

/// The middle of a smooth arc.
fn middle(a: Tangent, b: Tangent) -> Vec3 {
    let (p, q) = (a.point.truncate(), b.point.truncate());
    let half = 0.5 * (a.point + b.point);
    // Of the chord's length, and a quarter turn from it.
    let up = (q - p).perp();
    let slope = |t: &Tangent| {
        let normal = t.normal.truncate();
        let (rise, run) = (-normal.dot(q - p), normal.dot(up));
        (rise.abs() < run.abs()).then(|| rise / run)
    };
    // A steeper tangent says that the two crossings are not of one arc.
    let (Some(s), Some(t)) = (slope(&a), slope(&b)) else { return half };
    half + (up * ((s - t) / 8.0)).extend(0.0)
}

/// Whether the surface between two crossings is sharp.
fn is_sharp(a: &Tangent, b: &Tangent) -> bool {
    a.normal.dot(b.normal) < if a.cut == b.cut { COS_ALPHA } else { COS_RIM }
}

/// Where the tangent plane is near its point at height `w`.
fn at_height(t: Tangent, w: f32) -> Vec2 {
    let normal = t.normal.truncate();
    let steepness = normal.length_squared();
    let slid = if steepness > 0.1 { t.normal.z * (t.point.z - w) / steepness } else { 0.0 };
    t.point.truncate() + normal * slid
}

/// Where the lines through `p` and `q` with normals `m` and `n` meet, unless they are parallel.
fn intersection(p: Vec2, m: Vec2, q: Vec2, n: Vec2) -> Option<Vec2> {
    let determinant = m.perp_dot(n);
    if determinant.abs() <= FLAT * m.length() * n.length() {
        return None;
    }
    let (d, e) = (m.dot(p), n.dot(q));
    Some(Vec2::new(d * n.y - e * m.y, m.x * e - n.x * d) / determinant)
}

/// Where a face's point may be: in the face, or as far outside as its edge vertices are.
struct Room {
    low: Vec2,
    high: Vec2,
}

fn room<const N: usize>(points: [Vec2; N]) -> Room {
    let start = Room { low: Vec2::ZERO, high: Vec2::ONE };
    points.into_iter().fold(start, |room, p| Room { low: room.low.min(p), high: room.high.max(p) })
}

impl Room {
    fn clamp(&self, x: Vec2) -> Vec2 {
        x.max(self.low).min(self.high)
    }

    fn has(&self, x: Vec2) -> bool {
        self.clamp(x) == x
    }
}

/// The centre point of a cube from the crossings of its edges and the points of its faces that have some.
pub fn centre_point(edges: &[Option<Tangent>; 12], faces: &[Option<FacePoint>; 6]) -> Vec3 {
    let count = faces.iter().flatten().count().max(1) as f32;
    let mean = faces.iter().flatten().map(|face| face.point).sum::<Vec3>() / count;
    let bent = faces.iter().flatten().any(|face| face.sharp);
    match common_normal(edges) {
        Some(normal) if !bent => smooth_centre(edges, mean, normal),
        _ => sharp_centre(edges, mean),
    }
}

/// The mean normal, if no normal is far from it. Which way they point is not known across axes, so signs do not count.
fn common_normal(edges: &[Option<Tangent>; 12]) -> Option<Vec3> {
    let first = edges.iter().flatten().next()?;
    let align = |normal: Vec3| if normal.dot(first.normal) < 0.0 { -normal } else { normal };
    let sum: Vec3 = edges.iter().flatten().map(|t| align(t.normal)).sum();
    let mean = sum.try_normalize()?;
    let like = |t: &Tangent| t.normal.dot(mean).abs() >= COS_ALPHA;
    let rim = edges.iter().flatten().filter(|t| t.cut != first.cut).any(|t| {
        let same = edges.iter().flatten().filter(|other| other.cut == first.cut);
        same.clone().any(|other| other.normal.dot(t.normal).abs() < COS_RIM)
    });
    (!rim && edges.iter().flatten().all(like)).then_some(mean)
}

/// Over the mean point, half-way between the heights of the edge vertices and those of their tangent planes.
fn smooth_centre(edges: &[Option<Tangent>; 12], mean: Vec3, normal: Vec3) -> Vec3 {
    let (mut points, mut planes, mut count) = (0.0, 0.0, 0.0);
    for t in edges.iter().flatten() {
        let from = t.point - mean;
        points += normal.dot(from);
        planes += t.normal.dot(from) / t.normal.dot(normal);
        count += 1.0;
    }
    mean + normal * (0.5 * (points + planes) / count)
}

/// The point nearest to all tangent planes, and to the mean where they leave it free.
fn sharp_centre(edges: &[Option<Tangent>; 12], mean: Vec3) -> Vec3 {
    let (mut matrix, mut count) = (Mat3::ZERO, 0.0);
    for Tangent { normal, .. } in edges.iter().flatten() {
        matrix += Mat3::from_cols(*normal * normal.x, *normal * normal.y, *normal * normal.z);
        count += 1.0;
    }
    let inverse = (matrix + Mat3::from_diagonal(Vec3::splat(PULL * count))).inverse();
    let mut x = mean;
    // The second time, the pull is towards the first result: what remains of it is squared.
    for _ in 0..2 {
        let rest = edges.iter().flatten().map(|t| t.normal * t.normal.dot(t.point - x));
        x += inverse * rest.sum::<Vec3>();
    }
    let points = || edges.iter().flatten().map(|t| t.point);
    let (low, high) = (points().fold(Vec3::ZERO, Vec3::min), points().fold(Vec3::ONE, Vec3::max));
    if x.is_finite() { x.max(low).min(high) } else { mean }
}
