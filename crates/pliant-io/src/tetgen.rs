//! TetGen: vertices in a `.node` file, tetrahedra in an `.ele` file of the same name.

use crate::error::{IoError, Place};
use crate::read::{Source, Warnings};
use crate::text::{Words, integer, number};
use crate::volume::RawVolume;
use pliant::glam::DVec3;

/// Reads both files; either may be the source.
pub(crate) fn read(source: &Source<'_>) -> Result<(RawVolume, Warnings), IoError> {
    let is_nodes = source.file.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("node"));
    let other = source.file.with_extension(if is_nodes { "ele" } else { "node" });
    let name = other.file_name().unwrap_or_default().to_string_lossy();
    let bytes = source.read_neighbour(&name).map_err(|fault| {
        let fault = format!("its other half {name} cannot be read: {fault}; TetGen writes .node and .ele");
        source.syntax(Place::File, fault)
    })?;
    let other = Source { file: &other, bytes: &bytes, base_dir: None };
    let (nodes, elements) = if is_nodes { (source, &other) } else { (&other, source) };
    let mut raw = RawVolume::default();
    read_nodes(nodes, &mut Words::new(nodes.bytes, Some(b'#')), &mut raw)?;
    read_elements(elements, &mut Words::new(elements.bytes, Some(b'#')), &mut raw)?;
    Ok((raw, Warnings::default()))
}

/// Both files behind each other.
pub(crate) fn parse(source: &Source<'_>) -> Result<RawVolume, IoError> {
    let mut words = Words::new(source.bytes, Some(b'#'));
    let mut raw = RawVolume::default();
    read_nodes(source, &mut words, &mut raw)?;
    read_elements(source, &mut words, &mut raw)?;
    Ok(raw)
}

/// The first words of a file: a count, and what is said about each of them.
fn header(
    source: &Source<'_>,
    words: &mut Words<'_>,
    least: usize,
    what: &str,
) -> Result<[usize; 4], IoError> {
    let mut values = [0; 4];
    for (at, value) in values.iter_mut().enumerate() {
        let word = if at == 0 { words.word() } else { words.word_on_line() };
        let Some(word) = word else { break };
        let found = integer(word).map_err(|fault| source.syntax(Place::Line(words.line()), fault))?;
        *value = usize::try_from(found).map_err(|_| {
            source.syntax(Place::Line(words.line()), format!("{found} is not a number of {what}"))
        })?;
    }
    words.end_line();
    if values[0].saturating_mul(least) > words.rest().len().saturating_add(least) {
        let fault = format!("{} {what} are promised, {} bytes follow", values[0], words.rest().len());
        return Err(source.truncated(Place::Line(words.line()), fault));
    }
    Ok(values)
}

fn next<'a>(source: &Source<'_>, words: &mut Words<'a>, what: &str, at: usize) -> Result<&'a [u8], IoError> {
    words
        .word()
        .ok_or_else(|| source.truncated(Place::Line(words.line()), format!("it ends within {what} {at}")))
}

fn read_nodes(source: &Source<'_>, words: &mut Words<'_>, raw: &mut RawVolume) -> Result<(), IoError> {
    let [count, dimension, ..] = header(source, words, 8, "nodes")?;
    if dimension != 3 {
        let fault = format!("nodes have three coordinates, not {dimension}");
        return Err(source.syntax(Place::Line(words.line()), fault));
    }
    for node in 0..count {
        let say = |words: &Words<'_>, fault| source.syntax(Place::Line(words.line()), fault);
        let name = next(source, words, "node", node)?;
        raw.names.push(integer(name).map_err(|fault| say(words, fault))?);
        let mut position = DVec3::ZERO;
        for axis in 0..3 {
            let word = next(source, words, "node", node)?;
            position[axis] = number(word).map_err(|fault| say(words, fault))?;
        }
        raw.positions.push(position);
        // Attributes and the boundary marker.
        words.end_line();
    }
    Ok(())
}

fn read_elements(source: &Source<'_>, words: &mut Words<'_>, raw: &mut RawVolume) -> Result<(), IoError> {
    let [count, nodes, ..] = header(source, words, 10, "tetrahedra")?;
    if nodes != 4 && nodes != 10 {
        let fault = format!("tetrahedra have 4 or 10 nodes, not {nodes}");
        return Err(source.syntax(Place::Line(words.line()), fault));
    }
    for at in 0..count {
        let mut values = [0; 5];
        for value in &mut values {
            let word = next(source, words, "tetrahedron", at)?;
            *value = integer(word).map_err(|fault| source.syntax(Place::Line(words.line()), fault))?;
        }
        let [_, a, b, c, d] = values;
        raw.tetrahedra.push([a, b, c, d]);
        raw.higher_order += usize::from(nodes == 10);
        // The other nodes and attributes.
        words.end_line();
    }
    Ok(())
}
