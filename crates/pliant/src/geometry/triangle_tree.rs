//! A tree of triangles whose vertices move.
//!
//! The tree is made once, of the mesh at rest, by median splits: what is near at rest stays near. Its boxes are fitted to where
//! the vertices are now, from the leaves up, when they are first asked for. Leaves are large and name each of their vertices
//! once: that makes fitting several times cheaper than going through the triangles.

use super::{Lists, TriMesh, is_closed, median, weld_as_needed};
use glam::{Vec3, Vec3A};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// Triangles in a leaf: with more, rays test too many; with fewer, fitting takes longer.
const LEAF_TRIANGLES: usize = 16;

/// How much boxes are widened, as a share of the largest coordinate, so that rounding never hides what they hold.
const WIDER: f32 = 4e-6;

/// The tree over the triangles of a mesh, without boxes.
#[derive(Debug)]
pub(crate) struct TriangleTree {
    mesh: Arc<TriMesh>,
    /// Which triangle stands at each place of the tree.
    pub(super) order: Vec<u32>,
    /// In depth-first order: a branch's first child follows it.
    pub(super) branches: Vec<Branch>,
    /// The vertices of each leaf, leaf by leaf.
    vertices: Lists<u32>,
    closed: OnceLock<bool>,
}

/// A group of triangles.
#[derive(Clone, Copy, Debug)]
pub(super) struct Branch {
    /// The branch after this one's descendants.
    pub skip: u32,
    /// The first of its triangles.
    pub begin: u32,
    /// Its triangles if it is a leaf; zero for others.
    pub count: u32,
}

/// Low and high corner of a box.
pub(super) type Corner2 = [Vec3A; 2];

/// The boxes of a tree's branches, for one shape of the mesh.
#[derive(Clone, Debug)]
pub(crate) struct TriangleBoxes {
    pub(super) tree: Arc<TriangleTree>,
    pub(super) boxes: Vec<Corner2>,
}

impl TriangleTree {
    /// The tree of a mesh, by its own positions.
    pub fn new(mesh: Arc<TriMesh>) -> Self {
        let corners: Vec<[Vec3; 3]> =
            mesh.triangles.iter().map(|t| t.map(|v| mesh.positions[v as usize])).collect();
        let mut order: Vec<u32> = (0..corners.len() as u32).collect();
        let mut branches = Vec::with_capacity(4 * order.len() / LEAF_TRIANGLES + 1);
        if !order.is_empty() {
            branch(&corners, &mut order, 0, &mut branches);
        }
        let mut vertices = Lists::new();
        for leaf in branches.iter().filter(|branch| branch.count > 0) {
            let triangles = &order[leaf.begin as usize..(leaf.begin + leaf.count) as usize];
            let mut of: Vec<u32> = triangles.iter().flat_map(|&t| mesh.triangles[t as usize]).collect();
            of.sort_unstable();
            of.dedup();
            vertices.push(of);
        }
        Self { mesh, order, branches, vertices, closed: OnceLock::new() }
    }

    /// The corners of each triangle, by vertex.
    pub fn triangles(&self) -> &[[u32; 3]] {
        &self.mesh.triangles
    }

    /// Whether the triangles enclose something.
    pub fn is_closed(&self) -> bool {
        let sides = |[a, b, c]: [u32; 3]| [[a, b], [b, c], [c, a]];
        *self
            .closed
            .get_or_init(|| is_closed(weld_as_needed(&self.mesh, 0.0).triangles.into_iter().flat_map(sides)))
    }
}

impl TriangleBoxes {
    /// Fits boxes to vertices that are at `positions`. Those that are not finite do not count.
    pub fn fit(tree: Arc<TriangleTree>, positions: &[Vec3]) -> Self {
        let mut boxes = vec![[Vec3A::INFINITY, Vec3A::NEG_INFINITY]; tree.branches.len()];
        let mut leaf = tree.vertices.len();
        for (at, branch) in tree.branches.iter().enumerate().rev() {
            boxes[at] = if branch.count > 0 {
                leaf -= 1;
                around(tree.vertices.of(leaf), positions)
            } else {
                let second = tree.branches[at + 1].skip as usize;
                let ([low, high], [other_low, other_high]) = (boxes[at + 1], boxes[second]);
                [low.min(other_low), high.max(other_high)]
            };
        }
        if let Some(&[low, high]) = boxes.first() {
            let wider = WIDER * low.abs().max(high.abs()).max_element();
            boxes.iter_mut().for_each(|[low, high]| (*low, *high) = (*low - wider, *high + wider));
        }
        Self { tree, boxes }
    }
}

/// The box around some vertices; those that are not finite do not count.
fn around(vertices: &[u32], positions: &[Vec3]) -> Corner2 {
    let points = || vertices.iter().map(|&v| Vec3A::from(positions[v as usize]));
    let widen = |[low, high]: Corner2, p: Vec3A| [p.min(low), p.max(high)];
    let nothing = [Vec3A::INFINITY, Vec3A::NEG_INFINITY];
    let all = points().fold(nothing, widen);
    // What is not finite is rare: it is looked for only where it shows.
    if (all[1] - all[0]).is_finite() { all } else { points().filter(|p| p.is_finite()).fold(nothing, widen) }
}

/// Adds the branch of `order` and those below it; `order` is sorted into tree order.
fn branch(corners: &[[Vec3; 3]], order: &mut [u32], begin: u32, branches: &mut Vec<Branch>) {
    let at = branches.len();
    let leaf = order.len() <= LEAF_TRIANGLES;
    branches.push(Branch { skip: 0, begin, count: if leaf { order.len() as u32 } else { 0 } });
    if !leaf {
        let (left, right) = median::halves(corners, order);
        let second = begin + left.len() as u32;
        branch(corners, left, begin, branches);
        branch(corners, right, second, branches);
    }
    branches[at].skip = branches.len() as u32;
}

/// The tree of a mesh, made when it is first asked for. Clones share it for as long as they have the same mesh.
#[derive(Debug, Default)]
pub(crate) struct LazyTree(Mutex<Option<Arc<TriangleTree>>>);

impl Clone for LazyTree {
    fn clone(&self) -> Self {
        Self(Mutex::new(self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()))
    }
}

impl LazyTree {
    /// The tree of `mesh`.
    pub fn of(&self, mesh: &Arc<TriMesh>) -> Arc<TriangleTree> {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match &*kept {
            Some(tree) if Arc::ptr_eq(&tree.mesh, mesh) => tree.clone(),
            _ => kept.insert(Arc::new(TriangleTree::new(mesh.clone()))).clone(),
        }
    }
}
