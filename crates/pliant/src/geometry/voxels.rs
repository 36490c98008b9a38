//! The boundary of a set of lattice cells.

use super::TriMesh;
use glam::{IVec3, Vec3};
use rustc_hash::FxHashMap;

/// Most cells along one length of [`l_bar`]; more would only exhaust memory.
const MAX_CELLS: i32 = 4096;

/// Collects faces of lattice cells; corners are shared.
#[derive(Debug, Default)]
pub(super) struct LatticeSkin {
    index: FxHashMap<IVec3, u32>,
    corners: Vec<IVec3>,
    triangles: Vec<[u32; 3]>,
}

impl LatticeSkin {
    /// Adds the face of `cell` that looks along `axis`, to its high or low side, as two triangles.
    ///
    /// Diagonals join corners of even parity, so that the pattern is symmetric.
    pub fn face(&mut self, cell: IVec3, axis: usize, high: bool) {
        let unit = |a: usize| IVec3::AXES[a % 3];
        let (u, v) = (unit(axis + 1), unit(axis + 2));
        let base = if high { cell + unit(axis) } else { cell };
        let mut quad = [base, base + u, base + u + v, base + v];
        if !high {
            quad.reverse();
        }
        if quad[0].element_sum() & 1 != 0 {
            quad.rotate_left(1);
        }
        let [a, b, c, d] = quad.map(|p| self.corner(p));
        self.triangles.extend([[a, b, c], [a, c, d]]);
    }

    fn corner(&mut self, at: IVec3) -> u32 {
        let corners = &mut self.corners;
        *self.index.entry(at).or_insert_with(|| {
            corners.push(at);
            corners.len() as u32 - 1
        })
    }

    /// The mesh, with each lattice corner where `position` says.
    pub fn finish(self, position: impl Fn(IVec3) -> Vec3) -> TriMesh {
        TriMesh::new(self.corners.into_iter().map(position).collect(), self.triangles)
    }
}

/// Adds every face between a cell that is in the set and one that is not, over `low ≤ cell < high`.
fn skin_of(low: IVec3, high: IVec3, cells: impl Fn(IVec3) -> bool) -> LatticeSkin {
    let inside = |c: IVec3| c.cmpge(low).all() && c.cmplt(high).all() && cells(c);
    let mut skin = LatticeSkin::default();
    for z in low.z..high.z {
        for y in low.y..high.y {
            for x in low.x..high.x {
                let cell = IVec3::new(x, y, z);
                if !cells(cell) {
                    continue;
                }
                for axis in 0..3 {
                    if !inside(cell - IVec3::AXES[axis]) {
                        skin.face(cell, axis, false);
                    }
                    if !inside(cell + IVec3::AXES[axis]) {
                        skin.face(cell, axis, true);
                    }
                }
            }
        }
    }
    skin
}

/// The boundary of the cells for which `cells` is true, over `low ≤ cell < high`; a cell is a cube of side `cell`,
/// and the one at zero has its lowest corner at zero.
///
/// The mesh is closed and oriented for any set. It is manifold when no two cells of the set touch along an edge or
/// at a corner alone: such an edge has four triangles, such a corner two fans.
/// [`repair`](super::repair()) takes them apart.
pub fn lattice_surface(low: IVec3, high: IVec3, cell: f32, cells: impl Fn(IVec3) -> bool) -> TriMesh {
    skin_of(low, high, cells).finish(|p| p.as_vec3() * cell)
}

/// An L in the xy plane with both arms `arm_length` long and `width` wide, `depth` thick along z, its outer corner
/// at zero and its middle plane at z = 0.
///
/// Cells are about `cell` large; sizes are kept exactly. `width` is at most `arm_length`.
pub fn l_bar(arm_length: f32, width: f32, depth: f32, cell: f32) -> TriMesh {
    let width = width.min(arm_length);
    let count = |length: f32| ((length / cell).round() as i32).clamp(1, MAX_CELLS);
    let (wide, deep) = (count(width), count(depth));
    let beyond = if width < arm_length { count(arm_length - width) } else { 0 };
    let long = wide + beyond;
    let along = |i: i32| {
        if i <= wide {
            width * (i as f32 / wide as f32)
        } else {
            width + (arm_length - width) * ((i - wide) as f32 / beyond as f32)
        }
    };
    let skin = skin_of(IVec3::ZERO, IVec3::new(long, long, deep), |c| c.x < wide || c.y < wide);
    skin.finish(|p| Vec3::new(along(p.x), along(p.y), depth * (p.z as f32 / deep as f32 - 0.5)))
}
