//! VTK legacy files with an unstructured grid, text and binary (big-endian), versions 1 to 5.

use crate::cursor::{Cursor, Encoding, Scalar};
use crate::error::IoError;
use crate::text::{name, shown};
use crate::volume::RawVolume;
use pliant::glam::DVec3;

/// VTK's number of a tetrahedron.
pub(crate) const TETRA: i64 = 10;
/// Those of quadratic and Lagrange ones.
const HIGHER_TETRA: [i64; 2] = [24, 71];

pub(crate) fn parse(cursor: &mut Cursor<'_>) -> Result<RawVolume, IoError> {
    cursor.line();
    let mut raw = RawVolume { name: name(cursor.line()), ..RawVolume::default() };
    let data = match cursor.word() {
        Some(word) if word.eq_ignore_ascii_case(b"ASCII") => Encoding::Text,
        Some(word) if word.eq_ignore_ascii_case(b"BINARY") => Encoding::BigEndian,
        _ => return Err(cursor.syntax("ASCII or BINARY is expected on the third line")),
    };
    let mut cells = Cells::default();
    let mut types = Vec::new();
    loop {
        cursor.encoding = Encoding::Text;
        let Some(word) = cursor.word() else { break };
        match word.to_ascii_uppercase().as_slice() {
            b"DATASET" => {
                let kind = cursor.word().unwrap_or_default();
                if !kind.eq_ignore_ascii_case(b"UNSTRUCTURED_GRID") {
                    let found = format!("a VTK dataset {}, no UNSTRUCTURED_GRID", shown(kind));
                    return Err(IoError::NoTetrahedra { file: cursor.source.file.to_path_buf(), found });
                }
            }
            b"POINTS" => read_points(cursor, data, &mut raw)?,
            b"CELLS" => cells = Cells::read(cursor, data)?,
            b"CELL_TYPES" => {
                let count = cursor.count(Scalar::I64, 1, "cells")?;
                types = numbers(cursor, data, Scalar::I32, count)?;
            }
            b"METADATA" => while !cursor.line().is_empty() || cursor.rest().starts_with(b"INFORMATION") {},
            b"FIELD" => skip_field(cursor, data)?,
            b"POINT_DATA" | b"CELL_DATA" => break,
            _ => return Err(cursor.syntax(format!("{} is not known here", shown(word)))),
        }
    }
    let missing = |what: &str| cursor.source.truncated(cursor.place(), format!("{what} are missing"));
    if raw.positions.is_empty() {
        return Err(missing("POINTS"));
    }
    if types.len() != cells.ends.len() {
        let fault = format!("there are {} cells and {} types of cells", cells.ends.len(), types.len());
        return Err(cursor.source.syntax(cursor.place(), fault));
    }
    cells.tetrahedra(&types, &mut raw).map_err(|fault| cursor.source.syntax(crate::Place::File, fault))?;
    Ok(raw)
}

/// A type of number by its name in VTK.
fn scalar(cursor: &mut Cursor<'_>) -> Result<Scalar, IoError> {
    let word = cursor.word().unwrap_or_default();
    Ok(match word.to_ascii_lowercase().as_slice() {
        b"char" | b"signed_char" => Scalar::I8,
        b"unsigned_char" => Scalar::U8,
        b"short" => Scalar::I16,
        b"unsigned_short" => Scalar::U16,
        b"int" => Scalar::I32,
        b"unsigned_int" => Scalar::U32,
        b"long" | b"vtktypeint64" | b"vtkidtype" | b"long_long" => Scalar::I64,
        b"unsigned_long" | b"vtktypeuint64" => Scalar::U64,
        b"float" => Scalar::F32,
        b"double" => Scalar::F64,
        _ => return Err(cursor.syntax(format!("{} is no type of numbers", shown(word)))),
    })
}

/// Goes to the numbers that follow the line.
fn begin(cursor: &mut Cursor<'_>, data: Encoding) {
    if data != Encoding::Text {
        cursor.line();
    }
    cursor.encoding = data;
}

fn numbers(
    cursor: &mut Cursor<'_>,
    data: Encoding,
    scalar: Scalar,
    count: usize,
) -> Result<Vec<i64>, IoError> {
    begin(cursor, data);
    let found = (0..count).map(|_| cursor.whole(scalar)).collect();
    cursor.encoding = Encoding::Text;
    found
}

fn read_points(cursor: &mut Cursor<'_>, data: Encoding, raw: &mut RawVolume) -> Result<(), IoError> {
    let count = cursor.count(Scalar::I64, 6, "points")?;
    let scalar = scalar(cursor)?;
    begin(cursor, data);
    raw.positions.clear();
    for _ in 0..count {
        let [x, y, z] = [cursor.number(scalar)?, cursor.number(scalar)?, cursor.number(scalar)?];
        raw.positions.push(DVec3::new(x.real(), y.real(), z.real()));
    }
    Ok(())
}

/// Arrays that are not of the grid itself, such as the time.
fn skip_field(cursor: &mut Cursor<'_>, data: Encoding) -> Result<(), IoError> {
    cursor.word();
    for _ in 0..cursor.count(Scalar::I64, 1, "arrays")? {
        cursor.encoding = Encoding::Text;
        cursor.word();
        let components = cursor.count(Scalar::I64, 1, "components")?;
        let tuples = cursor.count(Scalar::I64, 1, "tuples")?;
        let scalar = scalar(cursor)?;
        begin(cursor, data);
        for _ in 0..components.saturating_mul(tuples) {
            cursor.number(scalar)?;
        }
    }
    Ok(())
}

/// The corners of all cells.
#[derive(Default)]
pub(crate) struct Cells {
    pub connectivity: Vec<i64>,
    /// Where each cell's corners end.
    pub ends: Vec<usize>,
}

impl Cells {
    fn read(cursor: &mut Cursor<'_>, data: Encoding) -> Result<Self, IoError> {
        let count = cursor.count(Scalar::I64, 1, "cells")?;
        let size = cursor.count(Scalar::I64, 1, "corners")?;
        if cursor.peek().is_some_and(|word| word.eq_ignore_ascii_case(b"OFFSETS")) {
            cursor.word();
            let scalar = scalar(cursor)?;
            let offsets = numbers(cursor, data, scalar, count)?;
            cursor.expect("CONNECTIVITY")?;
            let scalar = self::scalar(cursor)?;
            let connectivity = numbers(cursor, data, scalar, size)?;
            let ends =
                offsets.iter().skip(1).map(|&end| usize::try_from(end).unwrap_or(usize::MAX)).collect();
            return Ok(Self { connectivity, ends });
        }
        let listed = numbers(cursor, data, Scalar::I32, size)?;
        let mut cells = Self::default();
        let mut at = 0;
        for cell in 0..count {
            let corners = listed.get(at).and_then(|&corners| usize::try_from(corners).ok());
            let own = corners.and_then(|corners| listed.get(at + 1..)?.get(..corners));
            let Some(own) = own else {
                let fault = format!("CELLS promises {size} numbers, cell {cell} goes beyond them");
                return Err(cursor.syntax(fault));
            };
            cells.connectivity.extend(own);
            cells.ends.push(cells.connectivity.len());
            at += 1 + own.len();
        }
        Ok(cells)
    }

    /// Adds the cells that are tetrahedra; `types` has one entry a cell.
    pub fn tetrahedra(&self, types: &[i64], raw: &mut RawVolume) -> Result<(), String> {
        let mut begin = 0;
        for (cell, (&end, kind)) in self.ends.iter().zip(types).enumerate() {
            let own = self.connectivity.get(begin..end);
            let Some(own) = own else { return Err(format!("the corners of cell {cell} are missing")) };
            begin = end;
            let higher = HIGHER_TETRA.contains(kind);
            if !higher && *kind != TETRA {
                raw.others += 1;
                continue;
            }
            let Some(corners) = own.first_chunk::<4>() else {
                return Err(format!("cell {cell} is a tetrahedron of {} corners", own.len()));
            };
            raw.higher_order += usize::from(higher);
            raw.tetrahedra.push(*corners);
        }
        Ok(())
    }
}
