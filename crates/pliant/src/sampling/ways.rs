//! Whether material joins cells of any size.
//!
//! Finest cells that share a face are joined by their link. Others are joined if the straight way between points inside them
//! does not leave the body, or if links lead from one to the other without leaving the two. So the connections of every model, of
//! every size of cells, and the surface that is drawn after a cut come from the same links.

use super::CellKey;
use super::grid::{Grid, Sample};
use glam::{IVec3, UVec3, Vec3};

/// A cell of any size and what it holds.
#[derive(Clone, Copy, Debug)]
pub struct Spot {
    /// Its low corner, in finest cells.
    pub low: UVec3,
    /// Its edge, in finest cells.
    pub edge: u32,
    /// Its material.
    pub sample: Sample,
}

impl Spot {
    /// A cell with its material.
    pub fn new(key: CellKey, sample: Sample) -> Self {
        Self { low: key.low(), edge: key.edge(), sample }
    }

    fn corners(&self) -> [IVec3; 2] {
        [self.low, self.low + self.edge].map(|corner| corner.as_ivec3())
    }
}

impl Grid {
    /// Whether material joins two cells.
    pub fn joins(&self, a: &Spot, b: &Spot) -> bool {
        if let Some((cell, axis)) = finest_and_beside(a, b) {
            return self.is_linked(cell, axis);
        }
        let at_surface = a.sample.at_surface || b.sample.at_surface;
        !(at_surface && self.surface.crosses(a.sample.inside, b.sample.inside)) || self.links_lead(a, b)
    }

    /// Whether a link leads from any material of one cell to any of another, and links anywhere join their own.
    pub fn touches(&self, a: &Spot, b: &Spot) -> bool {
        if !self.is_one_part(a.sample.inside, b.sample.inside) {
            return false;
        }
        let ([low, high], [low_b, high_b]) = (a.corners(), b.corners());
        let counts = UVec3::from_array(self.filling.counts).as_ivec3();
        (0..3).any(|axis| {
            let by = IVec3::AXES[axis];
            // Cells of one whose next ones along the axis are of the other.
            let linked = |low: IVec3, high: IVec3| {
                let (low, high) = (low.max(IVec3::ZERO), high.min(counts - by));
                low.cmplt(high).all()
                    && super::grid::cells(low.as_uvec3(), high.as_uvec3())
                        .any(|cell| self.is_linked(cell, axis))
            };
            linked(low.max(low_b - by), high.min(high_b - by))
                || linked(low_b.max(low - by), high_b.min(high - by))
        })
    }

    /// Whether links lead from the material of one cell to that of another without leaving the two.
    fn links_lead(&self, a: &Spot, b: &Spot) -> bool {
        let (from, to) = (a.corners(), b.corners());
        let beside = (0..3).filter(|&k| from[0][k] == to[1][k] || from[1][k] == to[0][k]).count();
        if beside != 1 {
            return false;
        }
        let counts = UVec3::from_array(self.filling.counts).as_ivec3();
        let within = |[low, high]: [IVec3; 2], at: IVec3| {
            at.cmpge(low).all() && at.cmplt(high).all() && at.cmplt(counts).all()
        };
        let (low, size) = (from[0].min(to[0]), from[1].max(to[1]) - from[0].min(to[0]));
        let index = |at: IVec3| {
            let at = at - low;
            ((at.z * size.y + at.y) * size.x + at.x) as usize
        };
        let home = |inside: Vec3| ((inside - self.filling.origin) / self.filling.cell).floor().as_ivec3();
        let (start, end) = (home(a.sample.inside), home(b.sample.inside));
        if !(within(from, start) && within(to, end)) {
            return false;
        }
        let mut seen = vec![false; (size.x * size.y * size.z) as usize];
        let mut stack = vec![start];
        seen[index(start)] = true;
        while let Some(at) = stack.pop() {
            if at == end {
                return true;
            }
            for axis in 0..3 {
                for next in [at - IVec3::AXES[axis], at + IVec3::AXES[axis]] {
                    if !(within(from, next) || within(to, next)) || seen[index(next)] {
                        continue;
                    }
                    if self.is_linked(at.min(next).as_uvec3(), axis) {
                        seen[index(next)] = true;
                        stack.push(next);
                    }
                }
            }
        }
        false
    }
}

/// The link between two finest cells that share a face: the lower of them, and the axis.
fn finest_and_beside(a: &Spot, b: &Spot) -> Option<(UVec3, usize)> {
    let by = b.low.as_ivec3() - a.low.as_ivec3();
    let axis = (0..3).find(|&axis| by.abs() == IVec3::AXES[axis])?;
    (a.edge == 1 && b.edge == 1).then(|| (a.low.min(b.low), axis))
}
