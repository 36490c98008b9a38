//! The cells of the lattice: those that hold material or may, and larger ones deep inside if asked for.
//!
//! Coordinates are whole numbers in halves of the smallest cell: corners of the smallest cells are even, their centers odd.

use super::{MOST_CELLS, StuffingError, too_many};
use crate::par;
use crate::sampling::solid::Solid;
use glam::{DVec3, IVec3};

/// Smallest cells that the box may be long.
pub const MOST_ALONG: u32 = 1 << 19;
/// Half the diagonal of a cube, rounded up.
const HALF_DIAGONAL: f64 = 0.8661;
/// How many cells wide the space around a cell is that must be of one kind for the cell to be: all that touches it.
const AROUND: f64 = 1.01;
/// A larger cell is at least this many times its size from the surface. Above 2.6, two that touch differ by at most one level: the
/// distance changes no faster.
const AWAY: f64 = 2.65;

/// A cell: its low corner, and how many times it has doubled.
#[derive(Clone, Copy, Debug)]
pub struct Cell {
    pub low: IVec3,
    pub level: u32,
    /// Whether the cell and its corners are inside for sure.
    pub deep: bool,
}

impl Cell {
    /// Its edge in halves of the smallest cell.
    pub fn edge(&self) -> i32 {
        2 << self.level
    }

    pub fn center(&self) -> IVec3 {
        self.low + (1 << self.level)
    }
}

/// Cells that do not overlap, in the order of their keys.
pub struct CellTree {
    /// Edge of the smallest cells in meters.
    pub size: f64,
    /// Where coordinate 0 is.
    origin: DVec3,
    pub cells: Vec<Cell>,
}

/// A point in one number.
pub fn key(point: IVec3) -> u64 {
    (point.z as u64) << 42 | (point.y as u64) << 21 | point.x as u64
}

/// What becomes of a cell.
#[derive(Clone, Copy, Default, PartialEq)]
enum Kind {
    #[default]
    Outside,
    Divided,
    Kept,
    Deep,
}

impl CellTree {
    /// The cells of a solid; larger ones up to `levels` doublings.
    pub fn new(solid: &impl Solid, size: f64, levels: u32) -> Result<Self, StuffingError> {
        let (low, high) = solid.bounds().ok_or(StuffingError::NoExtent)?;
        let (low, high) = (low.as_dvec3(), high.as_dvec3());
        let along = (high - low).max_element() / size + 4.0;
        let mut level = 0;
        while f64::from(1_u32 << level) < along {
            level += 1;
        }
        let mut tree = Self {
            size,
            origin: (low + high) * 0.5 - 0.5 * size * f64::from(1_u32 << level),
            cells: Vec::new(),
        };
        let mut front = vec![Cell { low: IVec3::ZERO, level, deep: false }];
        while !front.is_empty() {
            let mut kinds = vec![Kind::Outside; front.len()];
            par::for_each_indexed(&mut kinds, 16, |at, kind| *kind = tree.kind(solid, &front[at], levels));
            let mut next = Vec::new();
            for (cell, kind) in front.iter().zip(kinds) {
                match kind {
                    Kind::Outside => {}
                    Kind::Divided => next.extend(children(cell)),
                    Kind::Kept => tree.cells.push(*cell),
                    Kind::Deep => tree.add_deep(cell, levels)?,
                }
            }
            let most = MOST_CELLS.saturating_sub(tree.cells.len());
            // Half of what is at the surface goes, so this is not yet too many.
            if next.len() > 4 * most {
                return Err(tree.too_many(level, next.len() / 4 + tree.cells.len()));
            }
            level = level.saturating_sub(1);
            front = next;
        }
        if tree.cells.len() > MOST_CELLS {
            return Err(tree.too_many(0, tree.cells.len()));
        }
        tree.cells.sort_unstable_by_key(|cell| key(cell.low));
        Ok(tree)
    }

    /// The error that says so; `cells` were found at a level, and each smaller one has four times as many.
    fn too_many(&self, level: u32, cells: usize) -> StuffingError {
        too_many(self.size as f32, cells as f64 * f64::from(1_u32 << (2 * level.min(15))))
    }

    /// What a cell is, by the distance of its middle from the surface.
    fn kind(&self, solid: &impl Solid, cell: &Cell, levels: u32) -> Kind {
        let edge = self.size * f64::from(1_u32 << cell.level);
        let least =
            if cell.level == 0 { AROUND } else { HALF_DIAGONAL * f64::from(1_u32 << cell.level) + AROUND };
        let (least, away) = (least * self.size, AWAY * edge);
        let graded = cell.level > 0 && levels > 0;
        let limit = if graded { away.max(least) } else { least };
        let middle = self.place(cell.center()).as_vec3();
        let distance = f64::from(solid.distance(middle, limit as f32 * 1.000_001));
        if distance < least {
            return if cell.level == 0 { Kind::Kept } else { Kind::Divided };
        }
        match solid.is_inside(middle) {
            false => Kind::Outside,
            true if graded && (distance < away || cell.level > levels) => Kind::Divided,
            true => Kind::Deep,
        }
    }

    /// Keeps a cell that is inside as a whole, in cells as large as there may be.
    fn add_deep(&mut self, cell: &Cell, levels: u32) -> Result<(), StuffingError> {
        let level = if levels == 0 { 0 } else { cell.level };
        let along = 1_i32 << (cell.level - level);
        let count = (along as usize).saturating_pow(3);
        if self.cells.len().saturating_add(count) > MOST_CELLS {
            return Err(self.too_many(0, self.cells.len().saturating_add(count)));
        }
        let edge = 2 << level;
        for z in 0..along {
            for y in 0..along {
                let row = (0..along).map(|x| cell.low + IVec3::new(x, y, z) * edge);
                self.cells.extend(row.map(|low| Cell { low, level, deep: true }));
            }
        }
        Ok(())
    }

    /// Where a point of the lattice is.
    pub fn place(&self, point: IVec3) -> DVec3 {
        self.origin + point.as_dvec3() * (0.5 * self.size)
    }

    /// The cell of a level with this low corner.
    pub fn find(&self, low: IVec3, level: u32) -> Option<usize> {
        if low.min_element() < 0 {
            return None;
        }
        let at = self.cells.binary_search_by_key(&key(low), |cell| key(cell.low)).ok()?;
        (self.cells[at].level == level).then_some(at)
    }
}

/// The eight halves of a cell.
fn children(cell: &Cell) -> impl Iterator<Item = Cell> + use<> {
    let (low, half, level) = (cell.low, cell.edge() / 2, cell.level - 1);
    (0..8).map(move |n| {
        let corner = IVec3::new(n & 1, n >> 1 & 1, n >> 2);
        Cell { low: low + corner * half, level, deep: false }
    })
}
