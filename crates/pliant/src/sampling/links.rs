//! Which finest cells material joins to the next ones along x, y and z.
//!
//! Two cells that share a face are joined if the straight way between points inside them does not leave the body, or, where one
//! is thinly filled, if steps from sample to sample lead from one to the other: in a bent blade, or where a thin part comes off a thick
//! one, the straight way leaves the body although they hang together.
//!
//! What is one shell at rest is one body: parts of a shell that are not joined yet are joined wherever the surface goes on from
//! one to the other, or else where they are nearest ([`bridge`](Grid::bridge)). Otherwise single cells, in which the surface happens to
//! leave a corner, would fall off at the first step. Parts that are joined somewhere are not joined anywhere else: fingers
//! stay apart.

use super::filling::Filling;
use super::grid::{Grid, Sample};
use crate::geometry::DisjointSets;
use crate::par;
use glam::{IVec3, UVec3, Vec3};

/// Cells with a smaller part of their samples inside are thinly filled.
const THINLY: u32 = 32;

/// What is found about the finest cells with material.
pub(super) struct Finest {
    pub cells: Vec<UVec3>,
    pub samples: Vec<Sample>,
    /// The number of each cell of the grid that has material.
    pub node_at: Vec<Option<u32>>,
}

impl Finest {
    pub fn new(grid: &Grid) -> Self {
        let filling = &grid.filling;
        let mut node_at = vec![None; filling.masks.len()];
        let mut cells = Vec::new();
        for index in (0..filling.masks.len()).filter(|&index| filling.masks[index] != 0) {
            node_at[index] = Some(cells.len() as u32);
            cells.push(filling.cell_at(index));
        }
        let nothing = Sample { count: 0, mean: Vec3::ZERO, inside: Vec3::ZERO, at_surface: false };
        let mut samples = vec![nothing; cells.len()];
        par::for_each_indexed(&mut samples, 64, |node, sample| {
            *sample = grid.sample(cells[node], 1).unwrap_or(nothing);
        });
        Self { cells, samples, node_at }
    }

    /// The cell with material at some place.
    fn at(&self, filling: &Filling, cell: IVec3) -> Option<u32> {
        let known = cell.min_element() >= 0 && cell.as_uvec3().cmplt(UVec3::from_array(filling.counts)).all();
        known.then(|| self.node_at[filling.index(cell.as_uvec3().to_array())])?
    }
}

/// Two cells of one shell beside each other that are not joined.
struct Apart {
    nodes: [u32; 2],
    /// The square of the distance between points inside them.
    apart: f32,
    /// Whether the surface passes from one to the other.
    surface_goes_on: bool,
}

impl Grid {
    /// Whether material joins a finest cell to the next one along an axis.
    pub fn is_linked(&self, cell: UVec3, axis: usize) -> bool {
        self.links[self.filling.index(cell.to_array())] >> axis & 1 == 1
    }

    pub(super) fn link(&mut self, cell: UVec3, axis: usize) {
        let index = self.filling.index(cell.to_array());
        self.links[index] |= 1 << axis;
    }

    /// Finds all links; `part_of_mesh` tells which part that hangs together a triangle of the surface belongs to.
    pub(super) fn find_links(&mut self, part_of_mesh: &dyn Fn(u32) -> u32) {
        let finest = Finest::new(self);
        let mut found = vec![0_u8; finest.cells.len()];
        par::for_each_indexed(&mut found, 64, |node, links| {
            for axis in 0..3 {
                let next = finest.at(&self.filling, finest.cells[node].as_ivec3() + IVec3::AXES[axis]);
                let joined = next.is_some_and(|next| self.joins_finest(&finest, node, next as usize));
                *links |= u8::from(joined) << axis;
            }
        });
        self.links = vec![0; self.filling.masks.len()];
        for (cell, links) in finest.cells.iter().zip(found) {
            let index = self.filling.index(cell.to_array());
            self.links[index] = links;
        }
        self.bridge(&finest, part_of_mesh);
        self.find_parts();
    }

    /// Numbers what links join, if it is not all one.
    fn find_parts(&mut self) {
        let [nx, ny, _] = self.filling.counts.map(|n| n as usize);
        let mut sets = DisjointSets::new(self.links.len());
        for (index, &links) in self.links.iter().enumerate().filter(|(_, links)| **links != 0) {
            for (axis, stride) in [1, nx, nx * ny].into_iter().enumerate() {
                if links >> axis & 1 == 1 {
                    sets.join(index as u32, (index + stride) as u32);
                }
            }
        }
        let held = (0..self.links.len()).filter(|&index| self.filling.masks[index] != 0);
        let mut roots: Vec<u32> = held.map(|index| sets.find(index as u32)).collect();
        roots.dedup();
        if roots.iter().any(|root| *root != roots[0]) {
            self.parts = sets.components().of_member;
        }
    }

    /// Whether links lead from the material at one place to that at another, however far it is.
    pub(super) fn is_one_part(&self, a: Vec3, b: Vec3) -> bool {
        let part = |place: Vec3| {
            let cell = ((place - self.filling.origin) / self.filling.cell).floor().as_ivec3();
            let inside = self.holds(cell).then(|| self.filling.index(cell.as_uvec3().to_array()))?;
            Some(self.parts[inside])
        };
        self.parts.is_empty() || part(a) == part(b)
    }

    fn joins_finest(&self, finest: &Finest, a: usize, b: usize) -> bool {
        let samples = [&finest.samples[a], &finest.samples[b]];
        let at_surface = samples.iter().any(|sample| sample.at_surface);
        if !(at_surface && self.surface.crosses(samples[0].inside, samples[1].inside)) {
            return true;
        }
        samples.iter().any(|sample| sample.count < THINLY) && self.leads(finest, a, b)
    }

    /// Whether steps from sample to sample lead from one finest cell to another, none of which leaves the body.
    fn leads(&self, finest: &Finest, a: usize, b: usize) -> bool {
        let corners = |node: usize| [finest.cells[node], finest.cells[node] + 1].map(|c| c.as_ivec3() * 4);
        let (from, to) = (corners(a), corners(b));
        let within = |[low, high]: [IVec3; 2], at: IVec3| at.cmpge(low).all() && at.cmplt(high).all();
        let (low, size) = (from[0].min(to[0]), from[1].max(to[1]) - from[0].min(to[0]));
        let index = |at: IVec3| {
            let at = at - low;
            ((at.z * size.y + at.y) * size.x + at.x) as usize
        };
        let mut seen = [false; 128];
        let mut stack: Vec<(IVec3, Vec3)> = Vec::new();
        for at in super::grid::cells(from[0].as_uvec3(), from[1].as_uvec3()).map(|at| at.as_ivec3()) {
            let start = finest.samples[a].inside;
            let place = self.sample_place(at).filter(|&place| !self.surface.crosses(start, place));
            seen[index(at)] = place.is_some();
            stack.extend(place.map(|place| (at, place)));
        }
        while let Some((at, place)) = stack.pop() {
            if within(to, at) && !self.surface.crosses(place, finest.samples[b].inside) {
                return true;
            }
            for step in [IVec3::X, IVec3::NEG_X, IVec3::Y, IVec3::NEG_Y, IVec3::Z, IVec3::NEG_Z] {
                let next = at + step;
                if !(within(from, next) || within(to, next)) || seen[index(next)] {
                    continue;
                }
                let there = self.sample_place(next).filter(|&there| !self.surface.crosses(place, there));
                if let Some(there) = there {
                    seen[index(next)] = true;
                    stack.push((next, there));
                }
            }
        }
        false
    }

    /// Where a sample is in the mesh's coordinates, if it is inside; samples are counted over the whole grid.
    fn sample_place(&self, at: IVec3) -> Option<Vec3> {
        let (cell, sub) = ((at / 4).as_uvec3(), (at % 4).as_uvec3());
        let filling = &self.filling;
        let bit = sub.x + 4 * sub.y + 16 * sub.z;
        let inside = filling.masks[filling.index(cell.to_array())] >> bit & 1 == 1;
        inside.then(|| filling.origin + filling.sample(cell, bit) * filling.cell)
    }

    /// Joins what is of one shell and not joined yet, nearest first.
    fn bridge(&mut self, finest: &Finest, part_of_mesh: &dyn Fn(u32) -> u32) {
        let mut sets = DisjointSets::new(finest.cells.len());
        for (node, cell) in finest.cells.iter().enumerate() {
            for axis in (0..3).filter(|&axis| self.is_linked(*cell, axis)) {
                let next = finest.at(&self.filling, cell.as_ivec3() + IVec3::AXES[axis]);
                next.into_iter().for_each(|next| sets.join(node as u32, next));
            }
        }
        let parts = sets.components();
        if parts.count < 2 {
            return;
        }
        let mut pairs = self.apart(finest, &parts.of_member, part_of_mesh);
        pairs.sort_by(|a, b| a.apart.total_cmp(&b.apart).then(a.nodes.cmp(&b.nodes)));
        for goes_on in [true, false] {
            for pair in pairs.iter().filter(|pair| pair.surface_goes_on == goes_on) {
                let [a, b] = pair.nodes;
                if goes_on || sets.find(a) != sets.find(b) {
                    sets.join(a, b);
                    let end = |node: u32| (finest.cells[node as usize], finest.samples[node as usize].inside);
                    self.link_along([end(a), end(b)]);
                }
            }
        }
    }

    /// Pairs of cells beside each other that are of one shell and of different parts.
    fn apart(&self, finest: &Finest, part_of: &[u32], part_of_mesh: &dyn Fn(u32) -> u32) -> Vec<Apart> {
        let shell = |node: u32| {
            let inside = finest.samples[node as usize].inside;
            self.surface.nearest(inside).map(|(triangle, _)| part_of_mesh(triangle))
        };
        let mut pairs = Vec::new();
        for (node, cell) in finest.cells.iter().enumerate() {
            for by in super::grid::cells(UVec3::ZERO, UVec3::splat(3)).map(|by| by.as_ivec3() - 1) {
                let beside =
                    finest.at(&self.filling, cell.as_ivec3() + by).filter(|&beside| beside > node as u32);
                let Some(beside) = beside.filter(|&beside| part_of[beside as usize] != part_of[node]) else {
                    continue;
                };
                if shell(node as u32) == shell(beside) {
                    let [a, b] = [node, beside as usize].map(|node| finest.samples[node].inside);
                    pairs.push(Apart {
                        nodes: [node as u32, beside],
                        apart: a.distance_squared(b),
                        surface_goes_on: self.surface_goes_on(*cell, finest.cells[beside as usize]),
                    });
                }
            }
        }
        pairs
    }

    /// Whether the surface passes through the face that two cells share; if it does, so does the material below it.
    fn surface_goes_on(&self, a: UVec3, b: UVec3) -> bool {
        let by = b.as_ivec3() - a.as_ivec3();
        let Some(axis) = (0..3).find(|&axis| by.abs() == IVec3::AXES[axis]) else { return false };
        let corner = a.max(b).as_vec3();
        let place = |at: Vec3| self.filling.origin + at * self.filling.cell;
        let [u, v] = [1, 2].map(|k| Vec3::AXES[(axis + k) % 3]);
        [(u, v), (v, u)].into_iter().any(|(along, across)| {
            (0..5)
                .map(|line| corner + across * (0.25 * line as f32))
                .any(|from| self.surface.crosses(place(from), place(from + along)))
        })
    }

    /// Links two cells that touch at a face, an edge or a corner, through cells between them that share faces. Those get a
    /// sample if they have no material.
    fn link_along(&mut self, [(from, a), (to, b)]: [(UVec3, Vec3); 2]) {
        let middle = (0.5 * (a + b) - self.filling.origin) / self.filling.cell;
        let mut at = from;
        while at != to {
            // Through cells that the middle of the way is nearest to.
            let step = |axis: usize| {
                let mut next = at;
                next[axis] = to[axis];
                next
            };
            let off = |cell: UVec3| (cell.as_vec3() + 0.5).distance_squared(middle);
            let open = (0..3).filter(|&axis| at[axis] != to[axis]);
            let Some(axis) = open.min_by(|&x, &y| off(step(x)).total_cmp(&off(step(y)))) else { return };
            let next = step(axis);
            if !self.holds(next.as_ivec3()) {
                self.filling.add_thin(next, middle.clamp(next.as_vec3() + 0.01, next.as_vec3() + 0.99));
            }
            self.link(at.min(next), axis);
            at = next;
        }
    }
}
