//! The convex hull of points.
//!
//! Based on \[BDH96\]. Each face keeps the points that see it; the farthest of them becomes a corner, and the faces that it
//! sees are replaced by a fan around it.
//!
//! Deviations: whether a point sees a face is decided exactly (\[She97\]), so there are no tolerances and no merged facets: a point
//! in the plane of a face does not see it. What is seen is then always one patch with one rim, whatever the points are.

use glam::{DVec3, Vec3};
use robust::{Coord3D, orient3d};
use rustc_hash::FxHashMap;

/// Points that are nearer to one plane than this part of their size have no hull: twice the rounding of `f32`, and some.
const FLAT: f64 = 1e-6;

struct Face {
    corners: [u32; 3],
    /// The face across the side from corner `i` to corner `i + 1`.
    across: [usize; 3],
    /// Points that see it.
    seen_by: Vec<u32>,
    gone: bool,
}

/// The triangles of the hull, counter-clockwise seen from outside; none if the points are in one plane.
///
/// The points must be finite.
pub fn hull(points: &[Vec3]) -> Option<Vec<[u32; 3]>> {
    let mut faces = tetrahedron(points)?;
    let corners: Vec<u32> = faces.iter().flat_map(|face| face.corners).collect();
    let others = (0..points.len() as u32).filter(|p| !corners.contains(p));
    hand_out(points, others, &mut faces, 0);
    let mut at = 0;
    while at < faces.len() {
        let face = &faces[at];
        match farthest(points, face) {
            Some(apex) if !face.gone => add(points, &mut faces, at, apex)?,
            _ => at += 1,
        }
    }
    Some(faces.iter().filter(|face| !face.gone).map(|face| face.corners).collect())
}

/// Replaces the faces that `apex` sees, of which `start` is one, by a fan.
fn add(points: &[Vec3], faces: &mut Vec<Face>, start: usize, apex: u32) -> Option<()> {
    let mut seen = vec![start];
    faces[start].gone = true;
    let mut rim: Vec<([u32; 2], usize)> = Vec::new();
    let mut next = 0;
    while let Some(&face) = seen.get(next) {
        next += 1;
        for side in 0..3 {
            let other = faces[face].across[side];
            if faces[other].gone {
                continue;
            }
            if sees(points, apex, faces[other].corners) {
                faces[other].gone = true;
                seen.push(other);
            } else {
                let corners = faces[face].corners;
                rim.push(([corners[side], corners[(side + 1) % 3]], other));
            }
        }
    }
    let first = faces.len();
    let starts: FxHashMap<u32, usize> =
        rim.iter().enumerate().map(|(i, (ends, _))| (ends[0], first + i)).collect();
    let ends: FxHashMap<u32, usize> =
        rim.iter().enumerate().map(|(i, (ends, _))| (ends[1], first + i)).collect();
    for (i, &([from, to], outer)) in rim.iter().enumerate() {
        let across = [outer, *starts.get(&to)?, *ends.get(&from)?];
        faces.push(Face { corners: [from, to, apex], across, seen_by: Vec::new(), gone: false });
        let side =
            (0..3).find(|&s| faces[outer].corners[s] == to && faces[outer].corners[(s + 1) % 3] == from)?;
        faces[outer].across[side] = first + i;
    }
    for face in seen {
        let orphans = std::mem::take(&mut faces[face].seen_by);
        hand_out(points, orphans.into_iter().filter(|&p| p != apex), faces, first);
    }
    Some(())
}

/// Gives each point to the first face from `first` on that it sees; one that sees none is inside.
fn hand_out(points: &[Vec3], who: impl Iterator<Item = u32>, faces: &mut [Face], first: usize) {
    for point in who {
        let face = faces[first..].iter_mut().find(|face| sees(points, point, face.corners));
        if let Some(face) = face {
            face.seen_by.push(point);
        }
    }
}

/// The farthest of the points that see a face.
fn farthest(points: &[Vec3], face: &Face) -> Option<u32> {
    let [a, b, c] = face.corners.map(|v| points[v as usize].as_dvec3());
    let normal = (b - a).cross(c - a);
    let height = |p: u32| (points[p as usize].as_dvec3() - a).dot(normal);
    face.seen_by.iter().copied().max_by(|&p, &q| height(p).total_cmp(&height(q)).then(q.cmp(&p)))
}

fn sees(points: &[Vec3], point: u32, [a, b, c]: [u32; 3]) -> bool {
    let [a, b, c, p] = [a, b, c, point].map(|v| {
        let [x, y, z] = points[v as usize].as_dvec3().to_array();
        Coord3D { x, y, z }
    });
    orient3d(a, b, c, p) < 0.0
}

/// Four points that are far apart, as a hull to begin with.
fn tetrahedron(points: &[Vec3]) -> Option<Vec<Face>> {
    let at = |p: u32| points[p as usize].as_dvec3();
    let best = |measure: &dyn Fn(DVec3) -> f64| {
        (0..points.len() as u32).max_by(|&p, &q| measure(at(p)).total_cmp(&measure(at(q))).then(q.cmp(&p)))
    };
    let a = best(&|p| -p.x)?;
    let b = best(&|p| p.distance_squared(at(a)))?;
    let size = at(a).distance(at(b));
    let along = (at(b) - at(a)).try_normalize()?;
    let c = best(&|p| (p - at(a)).cross(along).length_squared())?;
    let normal = along.cross(at(c) - at(a)).try_normalize()?;
    let d = best(&|p| (p - at(a)).dot(normal).abs())?;
    if (at(d) - at(a)).dot(normal).abs() <= FLAT * size
        || (at(c) - at(a)).cross(along).length() <= FLAT * size
    {
        return None;
    }
    // The triangle faces away from the fourth point.
    let [a, b, c] = if sees(points, d, [a, b, c]) { [a, c, b] } else { [a, b, c] };
    let faces =
        [([a, b, c], [1, 2, 3]), ([b, a, d], [0, 3, 2]), ([c, b, d], [0, 1, 3]), ([a, c, d], [0, 2, 1])];
    let face = |(corners, across)| Face { corners, across, seen_by: Vec::new(), gone: false };
    Some(faces.into_iter().map(face).collect())
}
