//! Surfaces that are like balls.
//!
//! A mesh has corners, on which a rigid ball would not roll but rattle: each corner that comes down takes a little of its motion. Where the
//! surface around a node is curved like a ball, its tip has a cap of that ball, and what is rigid touches where the cap does. What is soft
//! lies flat on what it touches, and needs none: that is every body of cells.

use super::Border;
use super::gather::Gathered;
use glam::Vec3;

/// The part of a ball that the surface around a tip is like.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cap {
    /// The middle of the ball, relative to the tip's node at rest.
    pub middle: Vec3,
    /// Unit vector from there to the middle of the cap.
    pub normal: Vec3,
    /// Metres.
    pub radius: f32,
    /// How far aside of its middle it goes, in metres: where there are other tips.
    pub aside: f32,
}

impl Cap {
    /// How much farther out its middle may be than where it touches.
    pub fn bulge(&self) -> f32 {
        0.5 * self.aside * self.aside / self.radius
    }

    /// How far from its node it goes, along the normal.
    pub fn reach(&self) -> f32 {
        (self.middle + self.radius * self.normal).length() + self.bulge()
    }
}

/// The ball that the surface of a node is like.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ball {
    /// From the node.
    pub middle: Vec3,
    pub radius: f32,
    /// The node itself is at the surface.
    pub at_surface: bool,
}

impl Ball {
    /// The cap of its node.
    fn cap(self, aside: f32) -> Option<Cap> {
        let normal = (-self.middle).try_normalize()?;
        let radius = if self.at_surface { self.middle.length() } else { self.radius };
        Some(Cap { middle: self.middle, normal, radius, aside })
    }
}

/// Times that the balls of neighbors are averaged: a few triangles tell a radius only to some hundredths.
const PASSES: usize = 4;
/// The part of its radius by which the ball of a neighbor may differ to be the same.
const SAME: f32 = 0.2;

impl Border {
    /// Finds the caps of tips.
    pub(super) fn find_caps(
        &mut self,
        gathered: &Gathered,
        nodes: &[Vec3],
        mut joined: impl FnMut(u32, &mut Vec<u32>),
    ) {
        let mut balls: Vec<Option<Ball>> = (0..nodes.len()).map(|node| gathered.ball(node)).collect();
        let mut near = Vec::new();
        for _ in 0..PASSES {
            let before = balls.clone();
            for &node in &self.outer {
                let Some(ball) = &mut balls[node as usize] else { continue };
                joined(node, &mut near);
                let same = near.iter().filter_map(|&other| {
                    let next = before[other as usize]?;
                    let middle = next.middle + nodes[other as usize] - nodes[node as usize];
                    let apart = middle.distance(ball.middle) + (next.radius - ball.radius).abs();
                    (apart < SAME * ball.radius).then_some((1.0, middle, next.radius))
                });
                let add = |a: (f32, Vec3, f32), b: (f32, Vec3, f32)| (a.0 + b.0, a.1 + b.1, a.2 + b.2);
                let (count, middle, radius) = same.fold((1.0, ball.middle, ball.radius), add);
                (ball.middle, ball.radius) = (middle / count, radius / count);
            }
        }
        for &node in &self.outer {
            let (index, aside) = (node as usize, self.spans[node as usize]);
            let cap = balls[index].and_then(|ball| ball.cap(aside));
            if let [tip] = self.tips.of_mut(index) {
                tip.cap = cap;
            }
        }
        self.cap_reach =
            self.tips.items.iter().filter_map(|tip| tip.cap).map(|cap| cap.reach()).reduce(f32::max);
    }
}
