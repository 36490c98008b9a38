//! Polygons into triangles: by ear clipping, so that concave ones come out right.
//!
//! Limits: a polygon that crosses itself gives some triangulation, not a meaningful one. Ear clipping is
//! quadratic; a file that spends [`WORK_LIMIT`] on it gets its remaining polygons fanned, and a warning.

use crate::read::Warnings;
use pliant::glam::{DVec2, DVec3};

/// Vertices looked at for all polygons of a file together: about a tenth of a second.
const WORK_LIMIT: u64 = 50_000_000;

/// Polygons of any number of corners, end to end.
#[derive(Default)]
pub(crate) struct Polygons {
    /// The corners of all polygons.
    pub corners: Vec<u32>,
    /// Where each polygon ends in `corners`.
    pub ends: Vec<u32>,
}

impl Polygons {
    /// Ends a polygon: the corners that were pushed since the one before.
    pub fn close(&mut self) {
        self.ends.push(self.corners.len() as u32);
    }

    pub fn iter(&self) -> impl Iterator<Item = &[u32]> {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        starts.zip(&self.ends).map(|(start, &end)| &self.corners[start as usize..end as usize])
    }
}

/// Splits polygons; keeps its workspace from one to the next.
pub(crate) struct Triangulator {
    work_left: u64,
    fanned: usize,
    flat: Vec<DVec2>,
    prev: Vec<u32>,
    next: Vec<u32>,
    reflex: Vec<bool>,
}

impl Default for Triangulator {
    fn default() -> Self {
        let (prev, next, reflex) = Default::default();
        Self { work_left: WORK_LIMIT, fanned: 0, flat: Vec::new(), prev, next, reflex }
    }
}

impl Triangulator {
    /// Says whether the work limit was reached.
    pub fn report(&self, warnings: &mut Warnings) {
        if self.fanned > 0 {
            warnings.push(format!("{} large polygons were fanned; concave ones may overlap", self.fanned));
        }
    }

    /// Adds the triangles of one polygon, as indices into `points`.
    pub fn triangulate(&mut self, points: &[DVec3], out: &mut Vec<[u32; 3]>) {
        let n = points.len() as u32;
        if n < 3 {
            return;
        }
        if !self.flatten(points) || self.is_convex() {
            out.extend((1..n - 1).map(|i| [0, i, i + 1]));
        } else {
            self.clip_ears(n, out);
        }
    }

    /// Drops the axis along which the polygon is thinnest, keeping it counter-clockwise; false without an area.
    fn flatten(&mut self, points: &[DVec3]) -> bool {
        let first = points[0];
        let pairs = points.iter().zip(points.iter().skip(1));
        let area = pairs.fold(DVec3::ZERO, |sum, (a, b)| sum + (*a - first).cross(*b - first));
        let size = area.abs();
        if !(size.max_element() > 0.0 && size.is_finite()) {
            return false;
        }
        let flat = |p: &DVec3| {
            let p = *p - first;
            if size.x >= size.y && size.x >= size.z {
                DVec2::new(p.y * area.x.signum(), p.z)
            } else if size.y >= size.z {
                DVec2::new(p.z * area.y.signum(), p.x)
            } else {
                DVec2::new(p.x * area.z.signum(), p.y)
            }
        };
        self.flat.clear();
        self.flat.extend(points.iter().map(flat));
        true
    }

    fn is_convex(&self) -> bool {
        let p = &self.flat;
        let n = p.len();
        // Left turns alone allow a star; seen from the first corner the others must go round once as well.
        (0..n).all(|i| turn(p[i], p[(i + 1) % n], p[(i + 2) % n]) > 0.0)
            && (1..n - 1).all(|i| turn(p[0], p[i], p[i + 1]) > 0.0)
    }

    fn clip_ears(&mut self, n: u32, out: &mut Vec<[u32; 3]>) {
        self.prev.clear();
        self.prev.extend((0..n).map(|i| if i == 0 { n - 1 } else { i - 1 }));
        self.next.clear();
        self.next.extend((0..n).map(|i| if i + 1 == n { 0 } else { i + 1 }));
        self.reflex.clear();
        self.reflex.resize(n as usize, false);
        for i in 0..n {
            self.reflex[i as usize] = self.turn_at(i) <= 0.0;
        }
        let (mut left, mut at, mut tried) = (n, 0, 0);
        let fanned_before = self.fanned;
        while left > 3 {
            let spent = self.work_left == 0;
            if spent && self.fanned == fanned_before {
                self.fanned += 1;
            }
            // After a whole round without an ear the polygon is degenerate: clip anyway, to come to an end.
            if spent || tried >= left || self.is_ear(at, left) {
                let (before, after) = (self.prev[at as usize], self.next[at as usize]);
                out.push([before, at, after]);
                self.next[before as usize] = after;
                self.prev[after as usize] = before;
                self.reflex[before as usize] = self.turn_at(before) <= 0.0;
                self.reflex[after as usize] = self.turn_at(after) <= 0.0;
                (left, tried) = (left - 1, 0);
                // Going on after the next corner keeps the triangles from becoming a fan of needles.
                at = if spent { after } else { self.next[after as usize] };
            } else {
                tried += 1;
                at = self.next[at as usize];
            }
        }
        out.push([self.prev[at as usize], at, self.next[at as usize]]);
    }

    fn turn_at(&self, i: u32) -> f64 {
        let [a, b, c] = [self.prev[i as usize], i, self.next[i as usize]].map(|k| self.flat[k as usize]);
        turn(a, b, c)
    }

    fn is_ear(&mut self, i: u32, left: u32) -> bool {
        if self.reflex[i as usize] {
            self.work_left = self.work_left.saturating_sub(1);
            return false;
        }
        let (before, after) = (self.prev[i as usize], self.next[i as usize]);
        let [a, b, c] = [before, i, after].map(|k| self.flat[k as usize]);
        self.work_left = self.work_left.saturating_sub(left.into());
        let mut k = self.next[after as usize];
        while k != before {
            if self.reflex[k as usize] {
                let p = self.flat[k as usize];
                let inside = turn(a, b, p) >= 0.0 && turn(b, c, p) >= 0.0 && turn(c, a, p) >= 0.0;
                if inside && p != a && p != b && p != c {
                    return false;
                }
            }
            k = self.next[k as usize];
        }
        true
    }
}

/// Twice the area of a triangle: positive for a turn to the left.
fn turn(a: DVec2, b: DVec2, c: DVec2) -> f64 {
    (b - a).perp_dot(c - a)
}

#[cfg(test)]
mod tests {
    use super::*;
    use pliant::math::functions::{cos, sin};

    fn area(points: &[DVec3], triangles: &[[u32; 3]]) -> f64 {
        let of = |t: &[u32; 3]| {
            let [a, b, c] = t.map(|i| points[i as usize]);
            (b - a).cross(c - a).z * 0.5
        };
        assert!(triangles.iter().all(|t| of(t) >= 0.0), "a triangle is turned over: {triangles:?}");
        triangles.iter().map(of).sum()
    }

    fn split(points: &[DVec3]) -> Vec<[u32; 3]> {
        let mut out = Vec::new();
        Triangulator::default().triangulate(points, &mut out);
        assert_eq!(out.len(), points.len() - 2);
        out
    }

    #[test]
    fn concave_polygons_keep_their_area_whatever_corner_comes_first() {
        let comb = [[0, 0], [7, 0], [7, 5], [6, 1], [5, 5], [4, 1], [3, 5], [2, 1], [1, 5], [0, 1]];
        let points: Vec<DVec3> = comb.iter().map(|&[x, y]| DVec3::new(x.into(), y.into(), 0.0)).collect();
        let whole: f64 = {
            let next = points.iter().cycle().skip(1);
            points.iter().zip(next).map(|(a, b)| a.cross(*b).z * 0.5).sum()
        };
        for shift in 0..points.len() {
            let mut turned = points.clone();
            turned.rotate_left(shift);
            assert!((area(&turned, &split(&turned)) - whole).abs() < 1e-9);
        }
    }

    #[test]
    fn a_dart_is_not_split_along_its_outer_diagonal() {
        let dart = [[0.0, 0.0], [2.0, 1.0], [0.0, 2.0], [0.5, 1.0]].map(|[x, y]| DVec3::new(x, y, 0.0));
        assert!((area(&dart, &split(&dart)) - 1.5).abs() < 1e-12);
    }

    #[test]
    fn hostile_polygons_come_to_an_end() {
        let mut points = Vec::new();
        for i in 0..60_000 {
            let r = if i % 2 == 0 { 1.0 } else { 0.5 };
            let angle = f64::from(i) * 1e-4;
            points.push(DVec3::new(r * cos(angle), r * sin(angle), 0.0));
        }
        split(&points);
        split(&vec![DVec3::ONE; 100]);
        split(&[DVec3::ZERO, DVec3::X, DVec3::X * 2.0, DVec3::X * 3.0, DVec3::Y]);
    }
}
