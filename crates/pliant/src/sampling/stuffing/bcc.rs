//! The points of the lattice: inside or outside, where the surface cuts their edges, and which are moved onto it.

use super::cell_tree::{CellTree, key};
use crate::par;
use crate::sampling::solid::Solid;
use glam::{DVec3, IVec3, Vec3};

/// `α` of long edges, with which the paper proves its bounds of angles.
const LONG_ALPHA: f32 = 0.24999;
/// `α` of short edges.
const SHORT_ALPHA: f32 = 0.41189;

/// Where the neighbors of a point of the smallest lattice are: six along the axes, eight along the diagonals.
pub const DIRECTIONS: [IVec3; 14] = [
    IVec3::new(-2, 0, 0),
    IVec3::new(0, -2, 0),
    IVec3::new(0, 0, -2),
    IVec3::new(-1, -1, -1),
    IVec3::new(1, -1, -1),
    IVec3::new(-1, 1, -1),
    IVec3::new(-1, -1, 1),
    IVec3::new(1, 1, -1),
    IVec3::new(1, -1, 1),
    IVec3::new(-1, 1, 1),
    IVec3::new(1, 1, 1),
    IVec3::new(0, 0, 2),
    IVec3::new(0, 2, 0),
    IVec3::new(2, 0, 0),
];

/// On which side of the surface a point is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Side {
    #[default]
    Outside,
    /// Moved onto it.
    Surface,
    Inside,
}

/// The edges of a point that the surface cuts.
#[derive(Clone, Debug)]
pub struct Fringe {
    pub point: u32,
    /// The point at the other end of each edge.
    ends: [Option<u32>; 14],
    /// Where it is cut, as a share of the edge from this point.
    shares: [f32; 14],
    /// The number of the cut point.
    cuts: [Option<u32>; 14],
}

/// The points of a lattice.
pub struct Bcc {
    /// Keys of the points, ascending.
    keys: Vec<u64>,
    pub places: Vec<IVec3>,
    pub positions: Vec<DVec3>,
    pub sides: Vec<Side>,
    /// The points of each cell: eight corners, x fastest, and the center.
    pub of_cell: Vec<[u32; 9]>,
    /// Points with edges that are cut, ascending.
    fringe: Vec<Fringe>,
    /// Which of them a point is.
    fringe_of: Vec<Option<u32>>,
    /// Positions of cut points.
    pub cuts: Vec<DVec3>,
    /// Points that may be near the surface.
    near: Vec<bool>,
}

impl Bcc {
    /// The points of an octree's cells, and which of them are inside.
    pub fn new(solid: &impl Solid, tree: &CellTree) -> Self {
        let mut places: Vec<IVec3> = Vec::with_capacity(9 * tree.cells.len());
        for cell in &tree.cells {
            places.extend((0..8).map(|n| cell.low + IVec3::new(n & 1, n >> 1 & 1, n >> 2) * cell.edge()));
            places.push(cell.center());
        }
        places.sort_unstable_by_key(|place| key(*place));
        places.dedup();
        let keys: Vec<u64> = places.iter().map(|place| key(*place)).collect();
        let count = places.len();
        let mut bcc = Self {
            keys,
            positions: places.iter().map(|place| tree.place(*place)).collect(),
            places,
            sides: vec![Side::Outside; count],
            of_cell: vec![[0; 9]; tree.cells.len()],
            fringe: Vec::new(),
            fringe_of: vec![None; count],
            cuts: Vec::new(),
            near: vec![false; count],
        };
        let mut of_cell = std::mem::take(&mut bcc.of_cell);
        par::for_each_indexed(&mut of_cell, par::CHUNK, |at, points| {
            let cell = &tree.cells[at];
            *points = std::array::from_fn(|n| {
                let corner = IVec3::new(n as i32 & 1, n as i32 >> 1 & 1, n as i32 >> 2);
                let place = if n == 8 { cell.center() } else { cell.low + corner * cell.edge() };
                bcc.find(place).unwrap_or(0)
            });
        });
        for (cell, points) in tree.cells.iter().zip(&of_cell) {
            for &point in points {
                if cell.deep {
                    bcc.sides[point as usize] = Side::Inside;
                } else {
                    bcc.near[point as usize] = true;
                }
            }
        }
        bcc.of_cell = of_cell;
        let Self { sides, positions, .. } = &mut bcc;
        par::for_each_indexed(sides, 16, |at, side| {
            if *side == Side::Outside && solid.is_inside(positions[at].as_vec3()) {
                *side = Side::Inside;
            }
        });
        bcc
    }

    /// The point at a place.
    pub fn find(&self, place: IVec3) -> Option<u32> {
        if place.min_element() < 0 {
            return None;
        }
        self.keys.binary_search(&key(place)).ok().map(|at| at as u32)
    }

    /// Finds edges that begin inside and end outside, and where the surface cuts them.
    pub fn find_cuts(&mut self, solid: &impl Solid) {
        let near: Vec<u32> = (0..self.near.len() as u32).filter(|&at| self.near[at as usize]).collect();
        let mut found: Vec<Option<Fringe>> = vec![None; near.len()];
        par::for_each_indexed(&mut found, 64, |at, fringe| *fringe = self.fringe_at(solid, near[at]));
        self.fringe = found.into_iter().flatten().collect();
        for (at, fringe) in (0_u32..).zip(&self.fringe) {
            self.fringe_of[fringe.point as usize] = Some(at);
        }
        // Points outside have the same cuts, from their end.
        for at in 0..self.fringe.len() {
            if self.sides[self.fringe[at].point as usize] == Side::Inside {
                continue;
            }
            for direction in 0..14 {
                let Some(end) = self.fringe[at].ends[direction] else { continue };
                let share =
                    self.fringe_of[end as usize].map(|of| self.fringe[of as usize].shares[13 - direction]);
                self.fringe[at].shares[direction] = 1.0 - share.unwrap_or(0.5);
            }
        }
    }

    /// The edges of a point that are cut, if there are any; where, if it is inside.
    fn fringe_at(&self, solid: &impl Solid, point: u32) -> Option<Fringe> {
        let (side, place) = (self.sides[point as usize], self.places[point as usize]);
        let beyond = |end: &u32| self.sides[*end as usize] != side;
        let ends = DIRECTIONS.map(|direction| self.find(place + direction).filter(beyond));
        if ends.iter().all(Option::is_none) {
            return None;
        }
        let position = |at: u32| self.positions[at as usize].as_vec3();
        let share = |end: u32| {
            let share = solid.exit(position(point), position(end));
            if share >= 0.0 { share.min(1.0) } else { 0.5 }
        };
        let shares = match side {
            Side::Inside => ends.map(|end| end.map_or(0.0, share)),
            _ => [0.0; 14],
        };
        Some(Fringe { point, ends, shares, cuts: [None; 14] })
    }

    /// Moves each point that the surface nearly touches to the nearest cut point on its edges: then none of its edges is cut. One after
    /// the other, since that frees its neighbors from cut points too.
    pub fn warp(&mut self) {
        for at in 0..self.fringe.len() {
            let fringe = &self.fringe[at];
            let mut nearest: Option<(f32, usize)> = None;
            for direction in 0..14 {
                let cut = fringe.ends[direction].is_some_and(|end| self.sides[end as usize] != Side::Surface);
                let (alpha, length) =
                    if is_long(direction) { (LONG_ALPHA, 2.0) } else { (SHORT_ALPHA, 3.0_f32.sqrt()) };
                let share = fringe.shares[direction];
                if cut && share < alpha && nearest.is_none_or(|(least, _)| share * length < least) {
                    nearest = Some((share * length, direction));
                }
            }
            if let Some((_, direction)) = nearest {
                let point = fringe.point as usize;
                self.positions[point] = self.cut_position(fringe, direction);
                self.sides[point] = Side::Surface;
            }
        }
    }

    /// Numbers the cut points that are left.
    pub fn number_cuts(&mut self) {
        for at in 0..self.fringe.len() {
            if self.sides[self.fringe[at].point as usize] != Side::Inside {
                continue;
            }
            for direction in 0..14 {
                let Some(end) = self.fringe[at].ends[direction] else { continue };
                if self.sides[end as usize] == Side::Outside {
                    self.cuts.push(self.cut_position(&self.fringe[at], direction));
                    self.fringe[at].cuts[direction] = Some(self.cuts.len() as u32 - 1);
                }
            }
        }
    }

    /// Where an edge is cut.
    fn cut_position(&self, fringe: &Fringe, direction: usize) -> DVec3 {
        let end = fringe.ends[direction].unwrap_or(fringe.point);
        let [from, to] = [fringe.point, end].map(|at| self.positions[at as usize]);
        from + (to - from) * f64::from(fringe.shares[direction])
    }

    /// The cut point on the edge from a point inside to one outside.
    pub fn cut(&self, inside: u32, outside: u32) -> Option<u32> {
        let step = self.places[outside as usize] - self.places[inside as usize];
        let direction = DIRECTIONS.iter().position(|direction| *direction == step)?;
        self.fringe[self.fringe_of[inside as usize]? as usize].cuts[direction]
    }

    /// All positions: points, then cut points.
    pub fn position(&self, at: u32) -> Vec3 {
        let count = self.positions.len();
        let place = self.positions.get(at as usize).or_else(|| self.cuts.get(at as usize - count));
        place.map_or(Vec3::ZERO, |place| place.as_vec3())
    }
}

/// Whether edges of a direction are long ones.
fn is_long(direction: usize) -> bool {
    DIRECTIONS[direction].element_product() == 0
}
