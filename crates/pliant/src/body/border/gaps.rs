//! How far the surface is from surface of the same body that faces it.

use super::tips::NO_CORNER;
use super::{Border, Tip};
use crate::geometry::PointGrid;
use glam::Vec3;

/// Spans within which surface that faces a node is looked for: what is farther has to be bent that far to touch.
const GAP_SPANS: f32 = 3.0;

impl Border {
    /// Surface nodes with the distance to surface that faces them, for nodes at these places at rest.
    pub fn gaps(&self, places: &[Vec3]) -> impl Iterator<Item = (u32, f32)> + '_ {
        let gaps = self.gaps.get_or_init(|| self.find_gaps(places));
        self.outer.iter().copied().zip(gaps.iter().copied())
    }

    /// How far to look for surface that faces a node.
    pub fn gap_limit(&self) -> f32 {
        GAP_SPANS * self.span
    }

    fn find_gaps(&self, places: &[Vec3]) -> Vec<f32> {
        let outer: Vec<Vec3> = self.outer.iter().map(|&node| places[node as usize]).collect();
        let grid = PointGrid::new(&outer, self.gap_limit());
        let faces =
            |a: &Tip, b: &Tip, way: Vec3| a.normal.dot(b.normal) < NO_CORNER && way.dot(a.normal) > 0.0;
        let gap = |(&node, &at): (&u32, &Vec3)| {
            let mut least = f32::INFINITY;
            grid.within(at, self.gap_limit(), |index, distance2| {
                let other = self.outer[index as usize];
                // The tips, not the nodes: across a cut they are in one place.
                let of = |a: &Tip| self.tips(other).iter().any(|b| faces(a, b, outer[index as usize] - at));
                if other != node && distance2 < least && self.tips(node).iter().any(of) {
                    least = distance2;
                }
            });
            least.sqrt()
        };
        self.outer.iter().zip(&outer).map(gap).collect()
    }
}
