//! The border of a body some of whose nodes changed: only theirs is gathered from the mesh again.
//!
//! A node's facets follow from the surface that is its own: the vertices that it is the home of, and the points of large triangles in
//! its cell. Where both are as before, so are the facets, bit for bit.

use super::Border;
use crate::nodes::Correspondence;
use crate::skin::{Binding, Cells};
use glam::{IVec3, Vec3};
use std::ops::Range;
use std::sync::Arc;

/// A border from before some nodes changed.
#[derive(Clone, Debug)]
pub(crate) struct Before {
    /// What it was.
    pub border: Arc<Border>,
    /// For each node now, which it was before, if it has the same surface.
    pub same: Vec<Option<u32>>,
}

impl Before {
    /// Of the nodes that `kept` says have stayed, all have the surface they had but those that lost or got a vertex.
    pub fn new(border: Arc<Border>, kept: &Correspondence, was: &Binding, now: &Binding) -> Self {
        let mut same = kept.before.clone();
        for (&was, &now) in was.homes.iter().zip(&now.homes) {
            let stayed = kept.after[was as usize];
            if stayed != Some(now) {
                same[now as usize] = None;
                stayed.into_iter().for_each(|left| same[left as usize] = None);
            }
        }
        Self { border, same }
    }
}

/// Cells that a map of them has at most: more are joined into larger ones.
const MOST_CELLS: i64 = 1 << 18;

/// The nodes whose surface changed, and a map of where they are.
pub(super) struct Stale {
    nodes: Vec<bool>,
    /// Whether some of them is in a cell.
    cells: Vec<bool>,
    /// Halvings from the map's cells to the finest.
    levels: u32,
    /// Its first cell and their counts, in its cells.
    low: IVec3,
    counts: IVec3,
    /// Where the finest cells begin, and their edge in metres.
    origin: Vec3,
    finest: f32,
}

impl Stale {
    pub fn new(cells: &(dyn Cells + Sync), same: &[Option<u32>]) -> Self {
        let nodes: Vec<bool> = same.iter().map(Option::is_none).collect();
        let cubes = || (0..cells.count()).filter(|&node| nodes[node]).map(|node| cells.cube(node as u32));
        let (low, high) = cubes().fold((IVec3::MAX, IVec3::MIN), |(low, high), (at, edge)| {
            (low.min(at), high.max(at + IVec3::splat(edge - 1)))
        });
        let grid = cells.material().0;
        let (origin, finest) = (grid.filling.origin - grid.centre, grid.filling.cell);
        let mut map = Self {
            nodes: Vec::new(),
            cells: Vec::new(),
            levels: 0,
            low: IVec3::ZERO,
            counts: IVec3::ZERO,
            origin,
            finest,
        };
        if low.x <= high.x {
            let count = |levels: u32| (high >> levels) - (low >> levels) + 1;
            while count(map.levels).as_i64vec3().element_product() > MOST_CELLS {
                map.levels += 1;
            }
            map.low = low >> map.levels;
            map.counts = count(map.levels);
            map.cells = vec![false; map.counts.element_product() as usize];
            for (at, edge) in cubes() {
                for row in map.rows(at, at + IVec3::splat(edge - 1)) {
                    map.cells[row].fill(true);
                }
            }
        }
        Self { nodes, ..map }
    }

    /// Whether a node's surface is to be gathered.
    pub fn has(&self, node: u32) -> bool {
        self.nodes[node as usize]
    }

    /// Whether the box around points, which may be off by a small part of a cell, has something of such a node in it.
    pub fn reaches(&self, points: [Vec3; 3]) -> bool {
        let [a, b, c] = points.map(|point| (point - self.origin) / self.finest);
        let (low, high) = (a.min(b).min(c) - OFF, a.max(b).max(c) + OFF);
        // Toward zero, which no material is beyond: at worst this reaches a cell too far.
        self.rows(low.as_ivec3(), high.as_ivec3()).any(|row| self.cells[row].contains(&true))
    }

    /// The rows of the map that cover finest cells from `low` to `high`.
    fn rows(&self, low: IVec3, high: IVec3) -> impl Iterator<Item = Range<usize>> + use<> {
        let counts = self.counts;
        let low = ((low >> self.levels) - self.low).max(IVec3::ZERO);
        let high = ((high >> self.levels) - self.low + 1).min(counts);
        let lines = (low.z..high.z).flat_map(move |z| (low.y..high.y).map(move |y| z * counts.y + y));
        let row = move |line: i32| (line * counts.x + low.x) as usize..(line * counts.x + high.x) as usize;
        lines.filter(move |_| low.x < high.x).map(row)
    }
}

/// Finest cells that points of the surface are looked for below it, and some more for rounding.
const OFF: f32 = 0.2;

#[cfg(test)]
mod tests {
    use crate::body::{Body, BodyRest};
    use crate::geometry::{TriMesh, shapes};
    use crate::ids::NodeId;
    use crate::model::octree::OctreeSettings;
    use glam::Vec3;

    fn body(mesh: TriMesh) -> Body {
        let settings = OctreeSettings { cell: Some(0.05), levels: Some(3), ..OctreeSettings::default() };
        Body::builder(mesh).model(settings).build().expect("sound")
    }

    fn check(body: &Body, what: &str) {
        // A copy of a rest shape knows nothing of the border that it had.
        let anew = BodyRest::clone(&body.rest);
        assert!(anew.border.before.is_none() && body.rest.border.before.is_some(), "{what}");
        assert_eq!(**body.border(), **anew.border.of(&anew, &body.model), "{what}");
    }

    /// Triangles smaller than cells, larger ones, and two shells that overlap.
    #[test]
    fn the_border_of_changed_nodes_is_that_of_a_body_made_anew() {
        let ball = |x: f32| {
            let mut ball = shapes::sphere(0.4, 3);
            ball.positions.iter_mut().for_each(|p| *p += Vec3::X * x);
            ball
        };
        let (left, right) = (ball(-0.2), ball(0.2));
        let count = left.positions.len() as u32;
        let triangles = right.triangles.iter().map(|t| t.map(|v| v + count));
        let both = TriMesh::new(
            left.positions.iter().chain(&right.positions).copied().collect(),
            left.triangles.iter().copied().chain(triangles).collect(),
        );
        let small = shapes::torus(0.5, 0.2, 120, 60);
        let large = shapes::cuboid(Vec3::new(1.0, 0.7, 0.4), [2, 1, 1]);
        for (what, mesh) in [("small", small), ("large", large), ("two shells", both)] {
            let mut body = body(mesh);
            body.border();
            for round in 0..12_u32 {
                let count = body.nodes.positions.len() as u32;
                let some = |step: u32| -> Vec<NodeId> {
                    (0..count).filter(|node| (node * 7 + round * 13) % step == 0).map(NodeId).collect()
                };
                let changed = if round % 3 == 2 { body.coarsen(&some(3)) } else { body.refine(&some(17)) };
                assert!(changed.expect("its own nodes"), "{what}, round {round}");
                check(&body, &format!("{what}, round {round}"));
            }
        }
    }
}
