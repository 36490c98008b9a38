//! STL: text and binary. Facets stay a soup of separate corners; welding happens where it is needed.
//!
//! Facet normals are not kept: they repeat what the corners say, and many programs write zeros.

use crate::error::{IoError, Place};
use crate::raw::RawMesh;
use crate::read::{Source, Warnings};
use crate::text::{Words, name, number, shown};
use pliant::glam::{DVec3, Vec3};

const HEADER_BYTES: usize = 84;
const FACET_BYTES: usize = 50;

/// Whether the size is exactly what a binary STL of the claimed number of facets has.
pub(crate) fn is_exact_binary(bytes: &[u8]) -> bool {
    claimed_facets(bytes).is_some_and(|n| HEADER_BYTES + n * FACET_BYTES == bytes.len())
}

/// Whether a text begins as an STL does.
pub(crate) fn looks_like_text(start: &[u8]) -> bool {
    let begins = start.get(..5).is_some_and(|w| w.eq_ignore_ascii_case(b"solid"));
    let mut words = start.split(u8::is_ascii_whitespace).filter(|w| !w.is_empty());
    begins && words.any(|w| [&b"facet"[..], b"vertex", b"endsolid"].iter().any(|k| w.eq_ignore_ascii_case(k)))
}

pub(crate) fn parse(source: &Source<'_>, warnings: &mut Warnings) -> Result<RawMesh, IoError> {
    let text = source.bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(source.bytes).trim_ascii_start();
    if !is_exact_binary(source.bytes) && looks_like_text(text) {
        parse_text(source)
    } else {
        parse_binary(source, warnings)
    }
}

fn claimed_facets(bytes: &[u8]) -> Option<usize> {
    let count = bytes.get(80..HEADER_BYTES)?;
    Some(u32::from_le_bytes(count.try_into().ok()?) as usize)
}

fn parse_binary(source: &Source<'_>, warnings: &mut Warnings) -> Result<RawMesh, IoError> {
    let bytes = source.bytes;
    let Some(claimed) = claimed_facets(bytes) else {
        let fault = format!("an STL has {HEADER_BYTES} bytes at least, this has {}", bytes.len());
        return Err(source.truncated(Place::File, fault));
    };
    if claimed == 0 {
        return Err(source.no_triangles("a binary STL that says it has 0 facets"));
    }
    let whole = (bytes.len() - HEADER_BYTES) / FACET_BYTES;
    if claimed > whole {
        let fault = format!("the header promises {claimed} facets, {whole} are there");
        return Err(source.truncated(Place::Byte(HEADER_BYTES + whole * FACET_BYTES), fault));
    }
    let surplus = bytes.len() - HEADER_BYTES - claimed * FACET_BYTES;
    if surplus > 0 {
        warnings.push(format!("{surplus} bytes after the last facet left out"));
    }
    let mut raw = RawMesh::default();
    raw.positions.reserve_exact(claimed * 3);
    for (facet, record) in bytes[HEADER_BYTES..].as_chunks::<FACET_BYTES>().0.iter().take(claimed).enumerate()
    {
        for corner in record[12..48].as_chunks::<12>().0 {
            let [x, y, z] = [0, 4, 8]
                .map(|i| f32::from_le_bytes([corner[i], corner[i + 1], corner[i + 2], corner[i + 3]]));
            let position = Vec3::new(x, y, z);
            if !position.is_finite() {
                return Err(source.not_finite(Place::Element("facet", facet), raw.positions.len()));
            }
            raw.positions.push(position.as_dvec3());
        }
    }
    number_corners(&mut raw);
    Ok(raw)
}

fn parse_text(source: &Source<'_>) -> Result<RawMesh, IoError> {
    let mut raw = RawMesh::default();
    let mut words = Words::new(source.bytes, None);
    let mut in_facet = 0;
    while let Some(word) = words.word() {
        let here = Place::Line(words.line());
        match word.to_ascii_lowercase().as_slice() {
            b"solid" => {
                let rest = words.rest_of_line();
                if raw.name.is_empty() {
                    raw.name = name(rest);
                }
            }
            b"endsolid" => {
                words.rest_of_line();
            }
            b"facet" if in_facet != 0 => {
                return Err(source.syntax(here, "a facet begins before the one before has ended"));
            }
            b"facet" | b"normal" => {
                words.rest_of_line();
            }
            b"vertex" => {
                raw.positions.push(read_vertex(&mut words, source, raw.positions.len())?);
                in_facet += 1;
            }
            b"endfacet" if in_facet == 3 => in_facet = 0,
            b"endfacet" => {
                return Err(source.syntax(here, format!("a facet has 3 vertices, this one {in_facet}")));
            }
            b"outer" | b"loop" | b"endloop" => {}
            _ => return Err(source.syntax(here, format!("{} has no place in an STL", shown(word)))),
        }
    }
    if in_facet != 0 {
        return Err(source.truncated(Place::Line(words.line()), "the last facet does not end"));
    }
    number_corners(&mut raw);
    Ok(raw)
}

fn read_vertex(words: &mut Words<'_>, source: &Source<'_>, vertex: usize) -> Result<DVec3, IoError> {
    let mut xyz = [0.0; 3];
    for value in &mut xyz {
        let Some(word) = words.word() else {
            return Err(source.truncated(Place::Line(words.line()), "a vertex needs three numbers"));
        };
        *value = number(word).map_err(|fault| source.syntax(Place::Line(words.line()), fault))?;
    }
    let position = DVec3::from_array(xyz);
    if !position.is_finite() {
        return Err(source.not_finite(Place::Line(words.line()), vertex));
    }
    Ok(position)
}

fn number_corners(raw: &mut RawMesh) {
    raw.triangles = (0..raw.positions.len() as u32 / 3).map(|t| [3 * t, 3 * t + 1, 3 * t + 2]).collect();
}
