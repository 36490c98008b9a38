//! Which triangles of a surface can be the nearest one, cell by cell.
//!
//! Bodies that lie on a mesh ask for its distance near the same places over and over. A cell knows the few triangles of which one is
//! nearest to any point in it, so the tree is searched once a cell, when a point is in it for the first time. What is found is what
//! the tree would find.

use crate::geometry::{Candidate, SurfaceTree};
use glam::{UVec3, Vec3};
use std::sync::OnceLock;

/// Cells along the longest side of the box around a surface: small ones know fewer triangles, and are asked more seldom.
const CELLS: f32 = 64.0;
/// Cells along the side of a block, whose memory is taken at once.
const BLOCK: u32 = 4;
/// Triangles that a cell knows at most: a point that is about as far from more of them is soon found by the tree.
const MOST: usize = 32;

/// The cells of a surface.
pub struct Cells {
    low: Vec3,
    cell: f32,
    /// Cells along each axis.
    counts: UVec3,
    blocks: Vec<OnceLock<Box<Block>>>,
}

/// The triangles that can be nearest in each cell of a block; none if they are too many.
type Block = [OnceLock<Option<Box<[Candidate]>>>; (BLOCK * BLOCK * BLOCK) as usize];

impl Cells {
    /// Of a surface in the box from `low` to `high`, and a little beyond it.
    pub fn new(low: Vec3, high: Vec3) -> Self {
        let cell = ((high - low).max_element() / CELLS).max(f32::MIN_POSITIVE);
        let low = low - BLOCK as f32 * cell;
        // Far from zero a small cell is nothing.
        let most = UVec3::splat(CELLS as u32 + BLOCK);
        let blocks = ((high - low) / cell).as_uvec3().min(most) / BLOCK + 2;
        Self {
            low,
            cell,
            counts: blocks * BLOCK,
            blocks: (0..blocks.element_product()).map(|_| OnceLock::new()).collect(),
        }
    }

    /// How far a point is from the surface at least, on whichever side; none if its cell does not know.
    pub fn at_least(&self, tree: &SurfaceTree, point: Vec3) -> Option<f32> {
        let (candidates, aside) = self.candidates(tree, point)?;
        // No triangle has come nearer than the point is aside, but for rounding.
        candidates.first().map(|nearest| nearest.away() - 1.001 * aside - 1e-3 * self.cell)
    }

    /// The triangles that can be nearest to a point, by how far they are from the middle of its cell, and how far the point is from there;
    /// none if they are too many.
    pub fn candidates(&self, tree: &SurfaceTree, point: Vec3) -> Option<(&[Candidate], f32)> {
        let at = (point - self.low) / self.cell;
        if !at.cmpge(Vec3::ZERO).all() || !at.cmplt(self.counts.as_vec3()).all() {
            return None;
        }
        let at = at.as_uvec3().as_vec3();
        let middle = self.low + (at + 0.5) * self.cell;
        // From the middle to a corner, and a little more for what is rounded.
        let (aside, radius) = (point.distance(middle), 0.867 * self.cell);
        if aside > radius {
            return None;
        }
        let (cell, across) = (at.as_uvec3(), self.counts / BLOCK);
        let [block, inner] = [cell / BLOCK, cell % BLOCK];
        let block = &self.blocks[((block.z * across.y + block.y) * across.x + block.x) as usize];
        let block = block.get_or_init(|| Box::new([const { OnceLock::new() }; _]));
        let known = block[((inner.z * BLOCK + inner.y) * BLOCK + inner.x) as usize]
            .get_or_init(|| tree.nearest_within(middle, radius, MOST).map(Vec::into_boxed_slice));
        known.as_deref().map(|candidates| (candidates, aside))
    }
}
