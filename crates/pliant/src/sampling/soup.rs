//! The inside of a surface with holes, by its winding number.
//!
//! Away from the surface the number changes slowly: a cube of cells without surface is asked at its middle and its corners, and
//! divided only where it may be the border of a hole. In a cell with surface, samples without surface between them are on the
//! same side and are asked together, unless the rim of a hole is near: around it the number takes all values.

use super::filling::Placed;
use super::scan;
use crate::geometry::WindingTree;
use crate::par;
use glam::{DVec3, Vec3};

/// Cells a side of the cubes that are tried first.
const CUBE: usize = 8;
/// How far from a half the winding number is clear about a whole cube.
const CLEAR: f32 = 0.25;

/// The samples inside, one mask a cell; `surface` and `rims` say where the surface and its open edges are.
pub(super) fn masks(placed: &Placed, surface: &[bool], rims: &[bool]) -> Vec<u64> {
    let [nx, ny, nz] = placed.counts;
    // In cells from the middle of the grid: nothing is lost far from zero.
    let middle = DVec3::new(nx as f64, ny as f64, nz as f64) * 0.5;
    let positions: Vec<Vec3> = placed.corners.iter().flatten().map(|p| (*p - middle).as_vec3()).collect();
    let triangles: Vec<[u32; 3]> =
        (0..placed.corners.len() as u32).map(|t| [3 * t, 3 * t + 1, 3 * t + 2]).collect();
    let field = Field { tree: WindingTree::new(&positions, &triangles), middle };
    // Only cells with surface and no rim have walls to look at.
    let mut count = 0;
    let number = |(surface, rim): (&bool, &bool)| {
        let walled = *surface && !*rim;
        count += u32::from(walled);
        if walled { count - 1 } else { u32::MAX }
    };
    let slots: Vec<u32> = surface.iter().zip(rims).map(number).collect();
    let walls = scan::walls(placed, &slots, count as usize);
    let mut masks = vec![0_u64; surface.len()];
    let slab = CUBE * nx * ny;
    let mut slabs: Vec<(&mut [u64], &[bool])> = masks.chunks_mut(slab).zip(surface.chunks(slab)).collect();
    par::for_each_indexed(&mut slabs, 1, |index, (masks, surface)| {
        let layers = surface.len() / (nx * ny);
        let mut part = Slab {
            field: &field,
            masks,
            surface,
            slots: &slots[index * slab..],
            walls: &walls,
            counts: [nx, ny],
            first: index * CUBE,
        };
        for y in (0..ny).step_by(CUBE) {
            for x in (0..nx).step_by(CUBE) {
                part.fill([x, y, 0], [(x + CUBE).min(nx), (y + CUBE).min(ny), layers]);
            }
        }
    });
    masks
}

/// The winding number at points of the grid, in cells.
struct Field {
    tree: WindingTree,
    middle: DVec3,
}

impl Field {
    fn at(&self, point: DVec3) -> f32 {
        self.tree.winding((point - self.middle).as_vec3()).abs()
    }

    /// Whether all of a box is inside or outside, if that is clear.
    fn of_box(&self, low: DVec3, high: DVec3) -> Option<bool> {
        let inside = clear(self.at((low + high) * 0.5))?;
        // A single cell is too small to differ from its middle by much; a larger cube may reach through a hole.
        let corners = if (high - low).max_element() > 1.0 { 0..8 } else { 0..0 };
        for corner in corners {
            let share = DVec3::new((corner & 1) as f64, (corner >> 1 & 1) as f64, (corner >> 2) as f64);
            if clear(self.at(low + (high - low) * share))? != inside {
                return None;
            }
        }
        Some(inside)
    }
}

/// A few layers of the grid.
struct Slab<'a> {
    field: &'a Field,
    masks: &'a mut [u64],
    surface: &'a [bool],
    slots: &'a [u32],
    walls: &'a [[u64; 3]],
    counts: [usize; 2],
    /// The layer it starts at.
    first: usize,
}

impl Slab<'_> {
    fn row(&self, y: usize, z: usize) -> usize {
        (z * self.counts[1] + y) * self.counts[0]
    }

    fn rows(
        &self,
        low: [usize; 3],
        high: [usize; 3],
    ) -> impl Iterator<Item = std::ops::Range<usize>> + use<> {
        let [nx, ny] = self.counts;
        (low[2]..high[2]).flat_map(move |z| {
            (low[1]..high[1]).map(move |y| {
                let row = (z * ny + y) * nx;
                row + low[0]..row + high[0]
            })
        })
    }

    /// Fills the cells from `low` to before `high`.
    fn fill(&mut self, low: [usize; 3], high: [usize; 3]) {
        let place = |[x, y, z]: [usize; 3]| DVec3::new(x as f64, y as f64, (z + self.first) as f64);
        let free = !self.rows(low, high).any(|row| self.surface[row].contains(&true));
        if free && let Some(inside) = self.field.of_box(place(low), place(high)) {
            for row in self.rows(low, high) {
                self.masks[row].fill(if inside { u64::MAX } else { 0 });
            }
            return;
        }
        if (0..3).all(|a| high[a] - low[a] == 1) {
            let corner = place(low);
            let index = self.row(low[1], low[2]) + low[0];
            self.masks[index] = match self.walls.get(self.slots[index] as usize) {
                Some(walls) => self.rooms(corner, walls),
                None => self.samples(corner, u64::MAX),
            };
            return;
        }
        let middle: [usize; 3] = std::array::from_fn(|a| (low[a] + high[a]).div_ceil(2));
        for part in 0..8_usize {
            let upper: [bool; 3] = std::array::from_fn(|a| part >> a & 1 == 1);
            let from = std::array::from_fn(|a| if upper[a] { middle[a] } else { low[a] });
            let to: [usize; 3] = std::array::from_fn(|a| if upper[a] { high[a] } else { middle[a] });
            if (0..3).all(|a| from[a] < to[a]) {
                self.fill(from, to);
            }
        }
    }

    /// The samples of a cell, room by room.
    fn rooms(&self, corner: DVec3, walls: &[u64; 3]) -> u64 {
        let (mut mask, mut left) = (0, u64::MAX);
        while left != 0 {
            let room = room(left & left.wrapping_neg(), walls);
            left &= !room;
            let ends = [room.trailing_zeros(), 63 - room.leading_zeros()];
            let [a, b] = ends.map(|bit| self.field.at(sample(corner, bit)));
            mask |= match (clear(a), clear(b)) {
                (Some(true), Some(true)) => room,
                (Some(false), Some(false)) => 0,
                _ => self.samples(corner, room),
            };
        }
        mask
    }

    /// Some samples of a cell, one by one.
    fn samples(&self, corner: DVec3, which: u64) -> u64 {
        let inside = |bit: &u32| which >> bit & 1 == 1 && self.field.at(sample(corner, *bit)) > 0.5;
        (0..64).filter(inside).fold(0, |mask, bit| mask | 1 << bit)
    }
}

/// Inside or outside, if the winding number is clear about it.
fn clear(winding: f32) -> Option<bool> {
    ((winding - 0.5).abs() > CLEAR).then_some(winding > 0.5)
}

/// Where a sample of the cell with this low corner lies.
fn sample(corner: DVec3, bit: u32) -> DVec3 {
    corner + (DVec3::new((bit & 3).into(), (bit >> 2 & 3).into(), (bit >> 4).into()) + 0.5) * 0.25
}

/// All samples of a cell that can be reached from `seed` without passing a wall.
fn room(seed: u64, walls: &[u64; 3]) -> u64 {
    /// For each axis the samples that have none before them, and how many bits apart neighbours are.
    const AXES: [(u64, u32); 3] = [(0x1111_1111_1111_1111, 1), (0x000f_000f_000f_000f, 4), (0xffff, 16)];
    let mut room = seed;
    loop {
        let before = room;
        for ((first, step), walls) in AXES.into_iter().zip(walls) {
            let open = !(walls | first);
            room |= (room << step & open) | (room & open) >> step;
        }
        if room == before {
            return room;
        }
    }
}
