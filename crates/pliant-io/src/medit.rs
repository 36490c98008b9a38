//! Medit `.mesh`, text: `Vertices` and `Tetrahedra`; all else is skipped.

use crate::error::{IoError, Place};
use crate::read::Source;
use crate::text::{Words, integer, number};
use crate::volume::RawVolume;
use pliant::glam::DVec3;

pub(crate) fn parse(source: &Source<'_>) -> Result<RawVolume, IoError> {
    let mut words = Words::new(source.bytes, Some(b'#'));
    let mut raw = RawVolume { first: 1, ..RawVolume::default() };
    let mut known = false;
    while let Some(word) = words.word() {
        match word.to_ascii_lowercase().as_slice() {
            b"meshversionformatted" => {
                known = true;
                words.word();
            }
            b"dimension" => {
                let dimension = whole(source, &mut words)?;
                if dimension != 3 {
                    let fault = format!("vertices have three coordinates, not {dimension}");
                    return Err(source.syntax(Place::Line(words.line()), fault));
                }
            }
            b"vertices" => read_vertices(source, &mut words, &mut raw)?,
            b"tetrahedra" => read_tetrahedra(source, &mut words, &mut raw)?,
            b"end" => break,
            b"hexahedra" | b"prisms" | b"pyramids" => {
                let count = whole(source, &mut words)?;
                raw.others = raw.others.saturating_add(usize::try_from(count).unwrap_or(0));
            }
            // Numbers of sections that are skipped.
            _ => {}
        }
    }
    if !known {
        return Err(source.syntax(Place::Line(1), "a Medit file begins with MeshVersionFormatted"));
    }
    Ok(raw)
}

fn next<'a>(source: &Source<'_>, words: &mut Words<'a>) -> Result<&'a [u8], IoError> {
    words.word().ok_or_else(|| source.truncated(Place::Line(words.line()), "a number is missing"))
}

fn whole(source: &Source<'_>, words: &mut Words<'_>) -> Result<i64, IoError> {
    let word = next(source, words)?;
    integer(word).map_err(|fault| source.syntax(Place::Line(words.line()), fault))
}

/// A count of things of five words.
fn count(source: &Source<'_>, words: &mut Words<'_>, what: &str) -> Result<usize, IoError> {
    let count = whole(source, words)?;
    match usize::try_from(count) {
        Ok(count) if count.saturating_mul(8) <= words.rest().len().saturating_add(8) => Ok(count),
        Ok(count) => {
            let fault = format!("{count} {what} are promised, {} bytes follow", words.rest().len());
            Err(source.truncated(Place::Line(words.line()), fault))
        }
        Err(_) => Err(source.syntax(Place::Line(words.line()), format!("{count} is not a number of {what}"))),
    }
}

fn read_vertices(source: &Source<'_>, words: &mut Words<'_>, raw: &mut RawVolume) -> Result<(), IoError> {
    for _ in 0..count(source, words, "vertices")? {
        let mut position = DVec3::ZERO;
        for axis in 0..3 {
            let word = next(source, words)?;
            position[axis] = number(word).map_err(|fault| source.syntax(Place::Line(words.line()), fault))?;
        }
        raw.positions.push(position);
        words.word();
    }
    Ok(())
}

fn read_tetrahedra(source: &Source<'_>, words: &mut Words<'_>, raw: &mut RawVolume) -> Result<(), IoError> {
    for _ in 0..count(source, words, "tetrahedra")? {
        let mut corners = [0; 4];
        for corner in &mut corners {
            *corner = whole(source, words)?;
        }
        raw.tetrahedra.push(corners);
        words.word();
    }
    Ok(())
}
