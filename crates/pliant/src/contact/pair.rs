//! Two bodies that can meet, and where they are in each other.

use super::narrow::{self, Approach, ContactPoint, Seen};
use super::self_contact;
use glam::Vec3;

/// Two bodies that can meet, or one that can meet itself.
#[derive(Debug, Default)]
pub struct Pair {
    /// Their numbers.
    pub bodies: [u32; 2],
    /// Tips of the first in the second, and the other way round.
    pub points: [Vec<ContactPoint>; 2],
    /// What their nodes come closer at most, in m/s.
    pub speed: f32,
    /// The way out of the second that the latest step found, zero if from all sides; none if they did not touch.
    pub way: Option<Vec3>,
    /// The latest step took them apart as wholes.
    pub apart: bool,
    /// The boxes around them are too far from each other for them to touch in this substep.
    pub far: bool,
    /// One is mostly inside the other.
    pub engulfed: bool,
    /// Of one body: the nodes that can touch others of it.
    pub suspects: Vec<u32>,
}

/// Spans that something must be deep to be taken out only the way it came in.
const SHALLOW: f32 = 0.2;

impl Pair {
    /// Whether it is one body that can meet itself.
    pub fn is_one(&self) -> bool {
        self.bodies[0] == self.bodies[1]
    }

    /// Finds where two bodies are in each other, or one in itself, in a substep of `h` seconds.
    pub fn meet(&mut self, [a, b]: [&Seen; 2], h: f32) {
        self.engulfed = false;
        if self.is_one() {
            self_contact::meet_itself(a, &self.suspects, &mut self.points[0]);
            self.points[1].clear();
            return;
        }
        if self.far {
            self.points.iter_mut().for_each(Vec::clear);
            return;
        }
        let offset = (b.body.nodes.origin - a.body.nodes.origin).as_vec3();
        let approach = Approach { offset, way: self.way, h, closer: h * self.speed };
        self.engulfed = narrow::meet(a, b, &approach, &mut self.points);
        let deep = SHALLOW * a.border.span.min(b.border.span);
        if let Some(way) = self.way {
            for (points, way) in self.points.iter_mut().zip([way, -way]) {
                points.retain(|point| point.depth < deep || point.normal.dot(way) > 0.0);
            }
        }
        // What is taken apart as wholes is so until it is nearly out.
        self.engulfed |= self.apart && self.points.iter().flatten().any(|point| point.depth > deep);
    }

    /// Whether they touch.
    pub fn touches(&self) -> bool {
        self.engulfed || self.points.iter().any(|points| !points.is_empty())
    }
}
