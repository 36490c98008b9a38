//! Tetrahedral meshes of others made sound.

use super::{TetMesh, TetQuality};
use serde::{Deserialize, Serialize};
use std::fmt;

/// What [`TetMesh::mend`] did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TetMending {
    /// Inverted tetrahedra turned the right way around.
    pub reoriented: usize,
    /// Tetrahedra without volume left out.
    pub degenerate: usize,
    /// Tetrahedra that there were before left out.
    pub duplicates: usize,
    /// Vertices of no tetrahedron left out.
    pub unused_vertices: usize,
}

impl fmt::Display for TetMending {
    /// A line for each thing that was done; nothing if there was nothing to do.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rows = [
            (self.reoriented, "inverted tetrahedra reoriented"),
            (self.degenerate, "degenerate tetrahedra left out"),
            (self.duplicates, "duplicate tetrahedra left out"),
            (self.unused_vertices, "vertices of no tetrahedron left out"),
        ];
        rows.iter()
            .filter(|(count, _)| *count > 0)
            .try_for_each(|(count, what)| writeln!(f, "{count} {what}"))
    }
}

impl TetMesh {
    /// Turns inverted tetrahedra around and leaves out degenerate and duplicate ones, and vertices of none. Corners must exist; see
    /// [`validate`](Self::validate).
    pub fn mend(&mut self) -> TetMending {
        let mut log = TetMending::default();
        let mut kept = Vec::with_capacity(self.tetrahedra.len());
        for (at, &corners) in self.tetrahedra.iter().enumerate() {
            let quality = TetQuality::of(self.corners(at));
            if quality.degenerate > 0 {
                log.degenerate += 1;
                continue;
            }
            let [a, b, c, d] = corners;
            log.reoriented += quality.inverted;
            kept.push(if quality.inverted > 0 { [a, b, d, c] } else { corners });
        }
        let mut order: Vec<([u32; 4], u32)> = kept.iter().copied().zip(0..).collect();
        order.iter_mut().for_each(|(corners, _)| corners.sort_unstable());
        order.sort_unstable();
        let mut again = vec![false; kept.len()];
        order
            .windows(2)
            .filter(|pair| pair[0].0 == pair[1].0)
            .for_each(|pair| again[pair[1].1 as usize] = true);
        log.duplicates = again.iter().filter(|again| **again).count();
        let mut at = 0;
        kept.retain(|_| {
            at += 1;
            !again[at - 1]
        });
        self.tetrahedra = kept;
        log.unused_vertices = self.drop_unused_vertices();
        log
    }

    /// Leaves out vertices of no tetrahedron, and returns how many.
    fn drop_unused_vertices(&mut self) -> usize {
        let mut used = vec![false; self.positions.len()];
        self.tetrahedra.iter().flatten().for_each(|&vertex| used[vertex as usize] = true);
        let mut count = 0;
        let number: Vec<u32> = used
            .iter()
            .map(|used| {
                count += u32::from(*used);
                count.saturating_sub(1)
            })
            .collect();
        let mut at = 0;
        self.positions.retain(|_| {
            at += 1;
            used[at - 1]
        });
        self.tetrahedra.iter_mut().flatten().for_each(|vertex| *vertex = number[*vertex as usize]);
        used.len() - count as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Vec3;

    #[test]
    fn broken_tetrahedra_are_mended_or_left_out() {
        let positions =
            [[9.0; 3], [0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [1.0, 1.0, 0.0]];
        let tetrahedra = vec![[1, 2, 3, 4], [2, 1, 3, 4], [1, 2, 3, 5], [2, 3, 5, 4], [1, 1, 2, 3]];
        let mut mesh = TetMesh::new(positions.map(Vec3::from_array).to_vec(), tetrahedra);
        let log = mesh.mend();
        // The second is the first again, inverted; the last but one is inverted.
        assert_eq!(log, TetMending { reoriented: 2, degenerate: 2, duplicates: 1, unused_vertices: 1 });
        assert_eq!(mesh.tetrahedra, [[0, 1, 2, 3], [1, 2, 3, 4]]);
        assert_eq!(mesh.positions.len(), 5);
        assert_eq!(mesh.quality().unwrap().inverted, 0);
        assert_eq!(log.to_string().lines().count(), 4);
        assert_eq!(mesh.mend(), TetMending::default());
    }
}
