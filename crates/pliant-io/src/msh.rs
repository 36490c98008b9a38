//! Gmsh MSH 2.x and 4.1, text and binary: nodes, and the elements that are tetrahedra. All other sections are skipped.

use crate::cursor::{Cursor, Encoding, Scalar};
use crate::error::IoError;
use crate::text::{number, shown};
use crate::volume::RawVolume;
use pliant::glam::DVec3;

/// Nodes of each type of element, from type 1 on; 0 where there is none.
const NODES: [u8; 31] = [
    2, 3, 4, 4, 8, 6, 5, 3, 6, 9, 10, 27, 18, 14, 1, 8, 20, 15, 13, 9, 10, 12, 15, 15, 21, 4, 5, 6, 20, 35,
    56,
];
/// Types that are tetrahedra: of first to fifth order.
const TETRAHEDRA: [i64; 5] = [4, 11, 29, 30, 31];

pub(crate) fn parse(cursor: &mut Cursor<'_>) -> Result<RawVolume, IoError> {
    cursor.expect("$MeshFormat")?;
    let version = cursor.word().map(number).and_then(Result::ok).unwrap_or(0.0);
    let newer = version >= 4.05;
    if !newer && !(2.0..3.0).contains(&version) {
        return Err(cursor.syntax(format!("MSH {version} is not read; save it as version 2.2 or 4.1")));
    }
    let binary = cursor.whole(Scalar::I32)? == 1;
    let size = if cursor.whole(Scalar::I32)? == 4 { Scalar::U32 } else { Scalar::U64 };
    if binary {
        cursor.line();
        let one = cursor.rest().first_chunk::<4>().copied();
        let one = one.ok_or_else(|| cursor.truncated("the byte order is missing"))?;
        cursor.at += 4;
        cursor.encoding =
            if u32::from_le_bytes(one) == 1 { Encoding::LittleEndian } else { Encoding::BigEndian };
    }
    let data = cursor.encoding;
    skip(cursor, b"$EndMeshFormat")?;
    let mut raw = RawVolume::default();
    // Section names and the counts of version 2 are text, whatever the numbers are.
    loop {
        cursor.encoding = Encoding::Text;
        let Some(section) = cursor.word() else { break };
        match section {
            b"$Nodes" if newer => nodes_4(cursor, data, size, &mut raw)?,
            b"$Nodes" => nodes_2(cursor, data, &mut raw)?,
            b"$Elements" if newer => elements_4(cursor, data, size, &mut raw)?,
            b"$Elements" => elements_2(cursor, data, &mut raw)?,
            [b'$', name @ ..] if !name.starts_with(b"End") => skip(cursor, &[b"$End", name].concat())?,
            [b'$', ..] => {}
            _ => return Err(cursor.syntax(format!("a section is expected here, not {}", shown(section)))),
        }
    }
    Ok(raw)
}

/// Goes behind a word.
fn skip(cursor: &mut Cursor<'_>, end: &[u8]) -> Result<(), IoError> {
    let found = cursor.rest().windows(end.len()).position(|w| w == end);
    let missing = || cursor.truncated(format!("{} is missing", shown(end)));
    cursor.at += found.ok_or_else(missing)? + end.len();
    Ok(())
}

/// Begins the numbers of a section: in a binary file they follow the end of the line.
fn begin(cursor: &mut Cursor<'_>, data: Encoding) {
    if data != Encoding::Text {
        cursor.line();
    }
    cursor.encoding = data;
}

fn position(cursor: &mut Cursor<'_>) -> Result<DVec3, IoError> {
    Ok(DVec3::new(cursor.real()?, cursor.real()?, cursor.real()?))
}

fn nodes_2(cursor: &mut Cursor<'_>, data: Encoding, raw: &mut RawVolume) -> Result<(), IoError> {
    let count = cursor.count(Scalar::I64, 8, "nodes")?;
    begin(cursor, data);
    for _ in 0..count {
        raw.names.push(cursor.whole(Scalar::I32)?);
        raw.positions.push(position(cursor)?);
    }
    Ok(())
}

fn elements_2(cursor: &mut Cursor<'_>, data: Encoding, raw: &mut RawVolume) -> Result<(), IoError> {
    let count = cursor.count(Scalar::I64, 4, "elements")?;
    begin(cursor, data);
    let mut done = 0;
    while done < count {
        // A text has these for each element, a binary file for many.
        let (kind, many, tags) = if data == Encoding::Text {
            cursor.whole(Scalar::I32)?;
            (cursor.whole(Scalar::I32)?, 1, cursor.whole(Scalar::I32)?)
        } else {
            let kind = cursor.whole(Scalar::I32)?;
            let many = cursor.count(Scalar::I32, 8, "elements")?;
            (kind, many, cursor.whole(Scalar::I32)?)
        };
        if many == 0 {
            return Err(cursor.syntax("a block of no elements"));
        }
        for _ in 0..many {
            if data != Encoding::Text {
                cursor.whole(Scalar::I32)?;
            }
            for _ in 0..tags {
                cursor.whole(Scalar::I32)?;
            }
            element(cursor, kind, Scalar::I32, raw)?;
        }
        done += many;
    }
    Ok(())
}

fn nodes_4(
    cursor: &mut Cursor<'_>,
    data: Encoding,
    size: Scalar,
    raw: &mut RawVolume,
) -> Result<(), IoError> {
    begin(cursor, data);
    let blocks = cursor.count(size, 8, "blocks of nodes")?;
    for _ in 0..3 {
        cursor.whole(size)?;
    }
    for _ in 0..blocks {
        let dimension = cursor.whole(Scalar::I32)?;
        cursor.whole(Scalar::I32)?;
        let parametric = cursor.whole(Scalar::I32)? != 0;
        let count = cursor.count(size, 8, "nodes")?;
        for _ in 0..count {
            raw.names.push(cursor.whole(size)?);
        }
        for _ in 0..count {
            raw.positions.push(position(cursor)?);
            for _ in 0..if parametric { dimension.clamp(0, 3) } else { 0 } {
                cursor.real()?;
            }
        }
    }
    Ok(())
}

fn elements_4(
    cursor: &mut Cursor<'_>,
    data: Encoding,
    size: Scalar,
    raw: &mut RawVolume,
) -> Result<(), IoError> {
    begin(cursor, data);
    let blocks = cursor.count(size, 8, "blocks of elements")?;
    for _ in 0..3 {
        cursor.whole(size)?;
    }
    for _ in 0..blocks {
        cursor.whole(Scalar::I32)?;
        cursor.whole(Scalar::I32)?;
        let kind = cursor.whole(Scalar::I32)?;
        for _ in 0..cursor.count(size, 4, "elements")? {
            cursor.whole(size)?;
            element(cursor, kind, size, raw)?;
        }
    }
    Ok(())
}

/// The nodes of an element, kept if it is a tetrahedron.
fn element(cursor: &mut Cursor<'_>, kind: i64, index: Scalar, raw: &mut RawVolume) -> Result<(), IoError> {
    let known = usize::try_from(kind - 1).ok().and_then(|kind| NODES.get(kind));
    let nodes = *known.ok_or_else(|| cursor.syntax(format!("elements of type {kind} are not known")))?;
    let mut corners = [0; 4];
    for node in 0..usize::from(nodes) {
        let name = cursor.whole(index)?;
        if let Some(corner) = corners.get_mut(node) {
            *corner = name;
        }
    }
    if TETRAHEDRA.contains(&kind) {
        raw.higher_order += usize::from(kind != TETRAHEDRA[0]);
        raw.tetrahedra.push(corners);
    } else {
        raw.others += 1;
    }
    Ok(())
}
