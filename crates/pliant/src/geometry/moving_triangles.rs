//! What a ray or a moving ball meets of triangles whose vertices move, what is nearest, and what is inside.
//!
//! Boxes are compared in `f32`, triangles in `f64`: answers are those of going through all triangles, of equal ones the triangle
//! with the lowest number.

use super::TriangleBoxes;
use super::surface_tree::nearest_on;
use super::triangle_tests::{Corners, meet_ball, meet_ray, meets_box};
use crate::math::functions::square;
use glam::{DVec3, Vec3, Vec3A};

/// Branches that can wait in a search: halves of `u32::MAX` triangles are at most this deep.
const DEEPEST: usize = 40;

/// How much nearer a box counts than it was computed to be, as a share: more than its rounding.
const NEARER: f64 = 1e-5;

/// Directions in which points are looked at from to find out whether they are inside; none is along an axis or a plane of
/// meshes that people make. Most of the three decide: one may go through an edge.
const OUTWARD: [DVec3; 3] = [
    DVec3::new(0.834_251_7, 0.337_493_2, 0.435_914_9),
    DVec3::new(-0.291_307_1, 0.871_153_9, 0.395_271_3),
    DVec3::new(0.187_415_3, -0.412_937_7, 0.891_260_1),
];

/// Triangles with their vertices where they are now.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MovingTriangles<'a> {
    boxes: &'a TriangleBoxes,
    positions: &'a [Vec3],
}

/// A triangle that was found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct FoundTriangle {
    /// How far along the way, or away, in metres.
    pub distance: f64,
    /// Which.
    pub triangle: u32,
}

/// A ray for boxes.
struct Slabs {
    from: Vec3A,
    inverse: Vec3A,
    /// What boxes are wider by.
    radius: f32,
}

impl Slabs {
    fn new(from: DVec3, along: DVec3, radius: f64) -> Self {
        // A direction without a part along an axis has a tiny one: what it would miss, boxes are wider by.
        let inverse = along.to_array().map(|part| {
            let part = part as f32;
            if part.abs() < 1e-18 { 1e18_f32.copysign(part) } else { 1.0 / part }
        });
        Self {
            from: from.as_vec3().into(),
            inverse: Vec3A::from_array(inverse),
            radius: (radius * (1.0 + NEARER)) as f32,
        }
    }

    /// Where the ray enters a box; none if it does not.
    fn enter(&self, [low, high]: [Vec3A; 2]) -> Option<f32> {
        let (a, b) =
            ((low - self.radius - self.from) * self.inverse, (high + self.radius - self.from) * self.inverse);
        let (near, far) = (a.min(b).max_element(), a.max(b).min_element());
        let wider = NEARER as f32 * far.abs();
        (near <= far + wider && far >= 0.0).then(|| near.max(0.0))
    }
}

impl<'a> MovingTriangles<'a> {
    /// `boxes` must be those of the vertices at `positions`.
    pub fn new(boxes: &'a TriangleBoxes, positions: &'a [Vec3]) -> Self {
        Self { boxes, positions }
    }

    /// The corners of a triangle.
    pub fn corners(&self, triangle: u32) -> Corners {
        self.boxes.tree.triangles()[triangle as usize].map(|v| self.positions[v as usize].as_dvec3())
    }

    /// The place of a triangle nearest to a point.
    pub fn nearest_of(&self, triangle: u32, point: DVec3) -> DVec3 {
        nearest_on(self.corners(triangle), point)
    }

    /// The unit normal of a triangle on the side of a direction; up if it has no area.
    pub fn normal(&self, triangle: u32, side: DVec3) -> DVec3 {
        let [a, b, c] = self.corners(triangle);
        let normal = (b - a).cross(c - a).normalize_or(DVec3::Y);
        if normal.dot(side) < 0.0 { -normal } else { normal }
    }

    /// The first triangle that a ray meets from either side, nearer than `limit`. `along` is a unit vector.
    pub fn first_on_ray(&self, from: DVec3, along: DVec3, limit: f64) -> Option<FoundTriangle> {
        let slabs = Slabs::new(from, along, 0.0);
        self.search(limit, |of| slabs.enter(of), |of| Some(meet_ray(of, from, along)?.0))
    }

    /// The first triangle that a ball touches which goes along a unit vector, nearer than `limit`; at once the nearest of those
    /// that it touches already.
    pub fn first_on_way(&self, from: DVec3, along: DVec3, radius: f64, limit: f64) -> Option<FoundTriangle> {
        if let Some(touched) = self.nearest(from, radius) {
            return Some(FoundTriangle { distance: 0.0, ..touched });
        }
        let slabs = Slabs::new(from, along, radius);
        self.search(limit, |of| slabs.enter(of), |of| meet_ball(of, from, along, radius))
    }

    /// The triangle nearest to a point, nearer than `limit`.
    pub fn nearest(&self, point: DVec3, limit: f64) -> Option<FoundTriangle> {
        let place = Vec3A::from(point.as_vec3());
        let away = |[low, high]: [Vec3A; 2]| (low - place).max(place - high).max(Vec3A::ZERO);
        let square_away = |of: Corners| nearest_on(of, point).distance_squared(point);
        let finite = |square: f64| square.is_finite().then_some(square);
        let found =
            self.search(square(limit), |of| Some(away(of).length_squared()), |of| finite(square_away(of)));
        found.map(|found| FoundTriangle { distance: found.distance.sqrt(), ..found })
    }

    /// Whether any triangle reaches into the box around `center`.
    pub fn reach_into(&self, center: DVec3, half: DVec3) -> bool {
        let (middle, reach) =
            (Vec3A::from(center.as_vec3()), Vec3A::from(half.as_vec3()) * (1.0 + NEARER as f32));
        let meets = |[low, high]: [Vec3A; 2]| (low - middle).max(middle - high).cmple(reach).all();
        let within = |corners: Corners| meets_box(corners.map(|corner| corner - center), half);
        let mut found = false;
        self.visit(meets, |_, corners| {
            found |= within(corners);
            !found
        });
        found
    }

    /// Whether a point is inside, if the triangles enclose anything.
    pub fn enclose(&self, point: DVec3) -> bool {
        let inside = |along: &&DVec3| self.crossings(point, **along) != 0;
        self.boxes.tree.is_closed() && OUTWARD.iter().filter(inside).count() >= 2
    }

    /// How many triangles a ray leaves through, less those it enters through.
    fn crossings(&self, from: DVec3, along: DVec3) -> i32 {
        let (slabs, mut sum) = (Slabs::new(from, along, 0.0), 0);
        self.visit(
            |of| slabs.enter(of).is_some(),
            |_, corners| {
                sum -= meet_ray(corners, from, along).map_or(0, |(_, side)| side);
                true
            },
        );
        sum
    }

    /// Visits the triangles of all boxes that `meets` says, until `visit` says no.
    fn visit(&self, meets: impl Fn([Vec3A; 2]) -> bool, mut visit: impl FnMut(u32, Corners) -> bool) {
        let tree = &*self.boxes.tree;
        let mut at = 0;
        while let Some(branch) = tree.branches.get(at) {
            if !meets(self.boxes.boxes[at]) {
                at = branch.skip as usize;
                continue;
            }
            for &triangle in &tree.order[branch.begin as usize..(branch.begin + branch.count) as usize] {
                if !visit(triangle, self.corners(triangle)) {
                    return;
                }
            }
            at += 1;
        }
    }

    /// The triangle with the least value of `of`, if that is less than `limit`. `least` says what no triangle in a box is below.
    fn search(
        &self,
        limit: f64,
        least: impl Fn([Vec3A; 2]) -> Option<f32>,
        of: impl Fn(Corners) -> Option<f64>,
    ) -> Option<FoundTriangle> {
        let (tree, boxes) = (&*self.boxes.tree, &self.boxes.boxes);
        let mut best: Option<FoundTriangle> = None;
        let mut waiting = [(0_u32, 0.0_f32); DEEPEST];
        let mut count = 0;
        if let Some(first) = boxes.first().and_then(|&of| least(of)) {
            (waiting[0], count) = ((0, first), 1);
        }
        while count > 0 {
            count -= 1;
            let (at, value) = waiting[count];
            if f64::from(value) * (1.0 - NEARER) > best.map_or(limit, |best| best.distance) {
                continue;
            }
            let branch = tree.branches[at as usize];
            if branch.count == 0 {
                let children = [at + 1, tree.branches[at as usize + 1].skip];
                let [left, right] = children.map(|child| Some((child, least(boxes[child as usize])?)));
                let right_first = matches!((left, right), (Some(l), Some(r)) if r.1 < l.1);
                let (near, far) = if right_first { (right, left) } else { (left, right) };
                for child in [far, near].into_iter().flatten() {
                    (waiting[count], count) = (child, count + 1);
                }
            }
            for &triangle in &tree.order[branch.begin as usize..(branch.begin + branch.count) as usize] {
                let Some(distance) = of(self.corners(triangle)).filter(|&value| value <= limit) else {
                    continue;
                };
                if best.is_none_or(|best| (distance, triangle) < (best.distance, best.triangle)) {
                    best = Some(FoundTriangle { distance, triangle });
                }
            }
        }
        best
    }
}
