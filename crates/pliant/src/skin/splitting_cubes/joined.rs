//! Whether two nodes hang together near where they are.
//!
//! *Based on* \[PGCS06\] §6: "reachable without crossing the cut surface", in a box instead of a cube.

use super::{Cubes, STEPS};
use glam::IVec3;

/// Boxes up to this many nodes are flooded without taking memory.
const SMALL: usize = 512;

/// A bit of a flooded node.
const REACHED: u8 = 1 << 3;

impl Cubes {
    /// Whether a path of edges that are not crossed leads from `a` to `b` within the box `low..=high`.
    ///
    /// Meant for boxes of a few nodes a side. A node outside the box is joined with none.
    pub fn joined_in_box(&self, low: IVec3, high: IVec3, a: IVec3, b: IVec3) -> bool {
        let within = |node: IVec3| node.cmpge(low).all() && node.cmple(high).all();
        if !within(a) || !within(b) {
            return false;
        }
        let size = (high - low + IVec3::ONE).as_usizevec3();
        let strides = [1, size.x, size.x * size.y];
        let nodes = strides[2] * size.z;
        let number = |node: IVec3| {
            let from = (node - low).as_usizevec3();
            from.x + strides[1] * from.y + strides[2] * from.z
        };
        let (mut small, mut large) = ([0; SMALL], Vec::new());
        let (mut small_stack, mut large_stack) = ([0; SMALL], Vec::new());
        let (marks, stack): (&mut [u8], &mut [u32]) = if nodes <= SMALL {
            (&mut small[..nodes], &mut small_stack[..nodes])
        } else {
            large.resize(nodes, 0);
            large_stack.resize(nodes, 0);
            (&mut large, &mut large_stack)
        };
        self.mark_blocked(low, high, marks);
        flood(size.to_array(), strides, marks, stack, number(a), number(b))
    }

    /// Notes for each node of a box the axes along which it has no way upwards.
    fn mark_blocked(&self, low: IVec3, high: IVec3, marks: &mut [u8]) {
        let mut mark = marks.iter_mut();
        for z in low.z..=high.z {
            for y in low.y..=high.y {
                for (x, mark) in (low.x..=high.x).zip(&mut mark) {
                    let node = IVec3::new(x, y, z);
                    for (axis, step) in STEPS.iter().enumerate() {
                        *mark |= u8::from((node + step).cmpgt(high).any()) << axis;
                    }
                    if let Some(site) = self.site(node) {
                        for (axis, crossing) in site.crossings.iter().enumerate() {
                            *mark |= u8::from(crossing.is_some()) << axis;
                        }
                    }
                }
            }
        }
    }
}

/// Whether `to` is reached from `from`. Each node is stacked once, so the stack needs room for all.
fn flood(
    size: [usize; 3],
    strides: [usize; 3],
    marks: &mut [u8],
    stack: &mut [u32],
    from: usize,
    to: usize,
) -> bool {
    let mut top = 1;
    stack[0] = from as u32;
    marks[from] |= REACHED;
    while top > 0 {
        top -= 1;
        let node = stack[top] as usize;
        if node == to {
            return true;
        }
        for axis in 0..3 {
            let stride = strides[axis];
            let up = (marks[node] >> axis & 1 == 0).then_some(node + stride);
            let at = node / stride % size[axis];
            let down = (at > 0 && marks[node - stride] >> axis & 1 == 0).then(|| node - stride);
            for next in [up, down].into_iter().flatten() {
                if marks[next] & REACHED == 0 {
                    marks[next] |= REACHED;
                    stack[top] = next as u32;
                    top += 1;
                }
            }
        }
    }
    false
}
