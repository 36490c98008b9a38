//! Sums over regions in three passes, and back: F and its transpose, \[RJ07\] §4.
//!
//! A pass goes along all lines of one axis. Each writes its results in its own order, line after line, and reads those of the
//! pass before from wherever they are: so lines can be worked on by different threads, and the last pass has the regions
//! next to each other for the fit.
//!
//! Symbols: a window is the 2w + 1 places around i; blocks are as long as a window. A window is the end of one block and the
//! beginning of the next: sums to the end of the block (suffix) and from its beginning (prefix) are all that is needed, each
//! place is added twice, and nothing is ever subtracted.

use super::{Lines, Rest};
use crate::material::Plasticity;
use crate::math::functions::square;
use crate::math::lanes::{F32x8, Kernel, LANES, Lanes, run};
use crate::model::regions::integrate::{self, Found, Motion};
use crate::model::regions::rest::Summation;
use crate::model::regions::{Field, Moments, Pull, Scratch, State, fit};
use crate::par::{self, ByEight, ByPart, MaybeEmpty, Split};
use glam::Vec3;
use std::cell::RefCell;

/// Partial sums between the passes.
#[derive(Clone, Debug, Default)]
pub struct Sums {
    /// Along x, with the moment along x, by node.
    along_x: Vec<[F32x8; 2]>,
    /// Scattered along z and y, in the order of y.
    back_y: Vec<[F32x8; 2]>,
}

/// Fields of the nodes, and their sums along x: what is between stays in the cache. Returns Σ m x and Σ m v.
pub fn weigh_and_gather_x(rest: &Rest, found: &Found, sums: &mut Sums, motions: &mut Vec<Motion>) -> Motion {
    motions.resize(rest.along_x.part_count(), Motion::default());
    gather_x(rest, sums, ByPart(motions), &|start, fields, motion| motion.0[0] = found.weigh(start, fields));
    integrate::total(motions)
}

/// Sums along x of fields that `make` makes, of the nodes from a number on.
fn gather_x<S: Split>(
    rest: &Rest,
    sums: &mut Sums,
    beside: S,
    make: &(impl Fn(usize, &mut [Field], S) + Sync),
) {
    let x = &rest.along_x;
    sums.along_x.resize(rest.cells.len(), [F32x8::default(); 2]);
    let (data, bounds) = ((&mut sums.along_x[..], beside), |part: usize| x.part_start(part));
    par::for_each_part(0..x.part_count(), &bounds, data, &|part, (output, beside)| {
        with_fields(output.len(), |fields| {
            make(bounds(part), fields, beside);
            windows::<1, 2, false>(rest, x, part, fields.as_chunks().0, Read::Here(bounds(part)), output);
        });
    });
}

/// Sums along y and z, the fit of the regions, and back along z and y, slice by slice: what is between stays in the cache.
pub fn fit_slices(
    rest: &Rest,
    sums: &mut Sums,
    state: &mut State,
    plasticity: Option<&Plasticity>,
    pull: &Pull,
) {
    let Sums { along_x, back_y } = sums;
    let State { rotations, plastic, maps } = state;
    back_y.resize(rest.nodes.len(), [F32x8::default(); 2]);
    let data = (&mut back_y[..], (ByEight(rotations), ByEight(maps)), MaybeEmpty(plastic));
    let bounds = |part: usize| rest.along_z.part_start(part);
    let parts = 0..rest.along_z.part_count();
    par::for_each_part(parts, &bounds, data, &|part, (back_y, (rotations, maps), plastic)| {
        with_moments(rest, part, along_x, |moments, rows| {
            let start = bounds(part);
            for (block, moments) in moments.chunks_mut(fit::BLOCK).enumerate() {
                let first = block * fit::BLOCK;
                let packs = first / LANES..(first + moments.len()) / LANES;
                let yields = if plastic.0.is_empty() { 0..0 } else { first..first + moments.len() };
                let block = fit::Block {
                    constants: &rest.constants[start / LANES + packs.start..start / LANES + packs.end],
                    rotations: &mut rotations.0[packs.clone()],
                    maps: &mut maps.0[packs],
                    plastic: &mut plastic.0[yields],
                    moments,
                };
                fit::goals(block, plasticity, pull);
            }
            scatter_slices(rest, part, moments, rows, back_y);
        });
    });
}

/// Sums along y and z, and the linear maps of the regions.
pub fn map_slices(rest: &Rest, sums: &Sums, state: &mut State) {
    let State { rotations, maps, .. } = state;
    let bounds = |part: usize| rest.along_z.part_start(part);
    par::for_each_part(0..rest.along_z.part_count(), &bounds, ByEight(maps), &|part, maps| {
        with_moments(rest, part, &sums.along_x, |moments, _| {
            let blocks = moments.chunks(fit::BLOCK).zip(maps.0.chunks_mut(fit::BLOCK / LANES));
            for (block, (moments, maps)) in blocks.enumerate() {
                let first = (bounds(part) + block * fit::BLOCK) / LANES;
                let packs = first..first + maps.len();
                fit::maps(moments, &rest.constants[packs.clone()], &rotations[packs], maps);
            }
        });
    });
}

/// Sums along x of what was scattered along z and y, and what they pull the nodes by.
pub fn scatter_x_and_pull(rest: &Rest, found: &Found, sums: &Sums, scratch: &mut Scratch, pull: &Pull) {
    let Scratch { changes, sums: totals, .. } = scratch;
    changes.resize(rest.cells.len(), Vec3::ZERO);
    totals.resize(rest.along_x.part_count(), Default::default());
    scatter_x(rest, sums, (&mut changes[..], ByPart(totals)), &|start, fields, (changes, total)| {
        total.0[0] = found.pull(start, fields, changes, pull);
    });
}

/// Sums along x of what was scattered along z and y, for `take` to take, of the nodes from a number on.
fn scatter_x<S: Split>(rest: &Rest, sums: &Sums, data: S, take: &(impl Fn(usize, &[Field], S) + Sync)) {
    let x = &rest.along_x;
    let bounds = |part: usize| x.part_start(part);
    par::for_each_part(0..x.part_count(), &bounds, data, &|part, data| {
        with_fields(bounds(part + 1) - bounds(part), |fields| {
            let output = fields.as_chunks_mut().0;
            windows::<2, 1, true>(rest, x, part, &sums.back_y, Read::Table(&rest.back_x, 0), output);
            take(bounds(part), fields, data);
        });
    });
}

thread_local! {
    /// Fields of the nodes of a part.
    static FIELDS: RefCell<Vec<Field>> = const { RefCell::new(Vec::new()) };
    /// Sums along x and y of the nodes of a part; on the way back, what was scattered along z.
    static ROWS: RefCell<Vec<[F32x8; 3]>> = const { RefCell::new(Vec::new()) };
    /// Moments of the regions of a part.
    static MOMENTS: RefCell<Vec<Moments>> = const { RefCell::new(Vec::new()) };
    /// Sums to the end of the block, of each place of a line.
    static SUFFIXES: RefCell<Vec<[F32x8; 5]>> = const { RefCell::new(Vec::new()) };
}

fn with_fields(count: usize, work: impl FnOnce(&mut [Field])) {
    FIELDS.with_borrow_mut(|fields| {
        fields.resize(count.max(fields.len()), Field::default());
        work(&mut fields[..count]);
    });
}

/// Gathers along y and z the moments of the regions of a part and works on them; the rows are free to be used.
fn with_moments(
    rest: &Rest,
    part: usize,
    along_x: &[[F32x8; 2]],
    work: impl FnOnce(&mut [Moments], &mut [[F32x8; 3]]),
) {
    let (y, z) = (&rest.along_y, &rest.along_z);
    let (start, count) = (z.part_start(part), z.part_start(part + 1) - z.part_start(part));
    ROWS.with_borrow_mut(|rows| {
        MOMENTS.with_borrow_mut(|moments| {
            rows.resize(count.max(rows.len()), Default::default());
            moments.resize(count.max(moments.len()), Moments::default());
            let (rows, moments) = (&mut rows[..count], &mut moments[..count]);
            windows::<2, 3, false>(rest, y, part, along_x, Read::Table(&y.from, 0), rows);
            // Slots that only fill up a register are at the end.
            moments[count - LANES.min(count)..].fill(Moments::default());
            windows::<3, 4, false>(rest, z, part, rows, Read::Table(&z.from, start), moments);
            work(moments, rows);
        });
    });
}

/// Scatters the maps of the regions of a part along z and y.
fn scatter_slices(
    rest: &Rest,
    part: usize,
    maps: &[Moments],
    rows: &mut [[F32x8; 3]],
    back_y: &mut [[F32x8; 2]],
) {
    let start = rest.along_z.part_start(part);
    windows::<4, 3, true>(rest, &rest.along_z, part, maps, Read::Here(start), rows);
    windows::<3, 2, true>(rest, &rest.along_y, part, rows, Read::Table(&rest.back_y, start), back_y);
}

/// Where the values of a place are read.
#[derive(Clone, Copy)]
enum Read<'a> {
    /// At that place, less where the input begins.
    Here(usize),
    /// Where a table says, less where the input begins.
    Table(&'a [u32], usize),
}

/// Sums over the windows of all lines of a part.
fn windows<const IN: usize, const OUT: usize, const BACK: bool>(
    rest: &Rest,
    lines: &Lines,
    part: usize,
    input: &[[F32x8; IN]],
    from: Read,
    output: &mut [[F32x8; OUT]],
) {
    let start = lines.part_start(part);
    SUFFIXES.with_borrow_mut(|suffixes| {
        let longest = lines.runs_of(part).iter().map(|[first, end]| end - first).max().unwrap_or(0) as usize;
        if suffixes.len() < longest {
            suffixes.resize(longest, [F32x8::default(); 5]);
        }
        let runs = lines.runs_of(part);
        run(Windows::<IN, OUT, BACK> { rest, runs, input, from, output, suffixes, start });
    });
}

struct Windows<'a, const IN: usize, const OUT: usize, const BACK: bool> {
    rest: &'a Rest,
    runs: &'a [[u32; 2]],
    input: &'a [[F32x8; IN]],
    from: Read<'a>,
    output: &'a mut [[F32x8; OUT]],
    suffixes: &'a mut [[F32x8; 5]],
    /// Place of the part's first output.
    start: usize,
}

impl<const IN: usize, const OUT: usize, const BACK: bool> Kernel for Windows<'_, IN, OUT, BACK> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self) {
        let Self { rest, runs, input, from, output, suffixes, start } = self;
        let (width, spacing) = (rest.width as usize, rest.cell);
        for &[first, end] in runs {
            let (first, count) = (first as usize, (end - first) as usize);
            let output = &mut output[first - start..][..count];
            match from {
                Read::Table(table, begin) => {
                    let source = Source { input, table: Some(&table[first..first + count]), begin };
                    line::<L, IN, OUT, BACK>(source, output, suffixes, width, spacing);
                }
                Read::Here(begin) => {
                    let source = Source { input: &input[first - begin..][..count], table: None, begin: 0 };
                    line::<L, IN, OUT, BACK>(source, output, suffixes, width, spacing);
                }
            }
        }
    }
}

/// Where the values of a line are read.
struct Source<'a, const IN: usize> {
    input: &'a [[F32x8; IN]],
    table: Option<&'a [u32]>,
    begin: usize,
}

impl<const IN: usize> Source<'_, IN> {
    #[inline(always)]
    fn row<L: Lanes>(&self, place: usize) -> [L; IN] {
        let at = self.table.map_or(place, |table| table[place] as usize - self.begin);
        let row = &self.input[at];
        let mut values = [L::splat(0.0); IN];
        for k in 0..IN {
            values[k] = L::load(&row[k]);
        }
        values
    }
}

/// Window sums along one line.
///
/// Forward (`BACK` = false) the sums of all inputs and, last, the first moment of input 0 about each place. Back, the transpose:
/// the last input is the slope along this axis of a map whose value is input 0; what comes out is its value.
#[inline(always)]
fn line<L: Lanes, const IN: usize, const OUT: usize, const BACK: bool>(
    source: Source<'_, IN>,
    output: &mut [[F32x8; OUT]],
    suffixes: &mut [[F32x8; 5]],
    width: usize,
    spacing: f32,
) {
    let count = output.len();
    let block = 2 * width + 1;
    let sloped = if BACK { IN - 1 } else { 0 };
    let zero = L::splat(0.0);
    // From the end: sums to the end of the block, and their moment about the place. A line no longer than half a window
    // needs none.
    if count > width + 1 {
        let (mut sums, mut moment) = ([zero; IN], zero);
        let mut left = count % block;
        for place in (0..count).rev() {
            if left == 0 {
                (sums, moment, left) = ([zero; IN], zero, block);
            }
            left -= 1;
            moment = moment + sums[sloped];
            let row = source.row::<L>(place);
            let to = &mut suffixes[place];
            for k in 0..IN {
                sums[k] = sums[k] + row[k];
                to[k] = sums[k].store();
            }
            to[IN] = moment.store();
        }
    }
    // From the beginning: sums from the beginning of the block up to the window's end.
    let (mut sums, mut moment) = ([zero; IN], zero);
    let (mut next, mut block_start) = (0, 0);
    let w = L::splat(width as f32);
    let spacing = L::splat(spacing);
    for (place, to) in output.iter_mut().enumerate() {
        let end = (place + width + 1).min(count);
        while next < end {
            if next == block_start + block {
                (sums, moment, block_start) = ([zero; IN], zero, next);
            }
            moment = moment - sums[sloped];
            let row = source.row::<L>(next);
            for k in 0..IN {
                sums[k] = sums[k] + row[k];
            }
            next += 1;
        }
        let ahead = L::splat((end - 1 - place) as f32);
        let (mut total, mut about) = (sums, moment + ahead * sums[sloped]);
        if place > width {
            let begin = place - width;
            let suffix = &suffixes[begin];
            let tail = L::load(&suffix[sloped]);
            let of_tail = L::load(&suffix[IN]) - w * tail;
            // A window inside one block is the block's end.
            let inside = begin >= block_start;
            for k in 0..IN {
                let value = L::load(&suffix[k]);
                total[k] = if inside { value } else { total[k] + value };
            }
            about = if inside { of_tail } else { about + of_tail };
        }
        if BACK {
            to[0] = (total[0] - about * spacing).store();
            for k in 1..OUT {
                to[k] = total[k].store();
            }
        } else {
            for k in 0..IN {
                to[k] = total[k].store();
            }
            to[IN] = (about * spacing).store();
        }
    }
}

impl Summation for Rest {
    fn extent(&self, _: usize) -> Option<f64> {
        None
    }

    fn reference(&self) -> f64 {
        let width = f64::from(self.width);
        square(f64::from(self.cell)) * width * (width + 1.0) / 3.0
    }

    fn cell(&self, _: usize) -> f32 {
        self.cell
    }

    fn gather(&self, fields: &[Field]) -> Vec<Moments> {
        let mut sums = Sums::default();
        gather_x(self, &mut sums, (), &|start, to, ()| to.copy_from_slice(&fields[start..start + to.len()]));
        let mut all = Vec::with_capacity(self.nodes.len());
        for part in 0..self.along_z.part_count() {
            with_moments(self, part, &sums.along_x, |moments, _| all.extend_from_slice(moments));
        }
        all
    }

    fn scatter(&self, maps: &[Moments]) -> Vec<Field> {
        let z = &self.along_z;
        let mut sums = Sums { back_y: vec![Default::default(); self.nodes.len()], ..Sums::default() };
        for part in 0..z.part_count() {
            let range = z.part_start(part)..z.part_start(part + 1);
            let mut rows = vec![Default::default(); range.len()];
            scatter_slices(self, part, &maps[range.clone()], &mut rows, &mut sums.back_y[range]);
        }
        let mut fields = vec![Field::default(); self.cells.len()];
        scatter_x(self, &sums, &mut fields[..], &|_, from, fields| fields.copy_from_slice(from));
        fields
    }

    fn nodes(&self) -> &[Option<u32>] {
        &self.nodes
    }
}
