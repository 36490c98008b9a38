//! Wavefront OBJ.
//!
//! A vertex of the file that is used with several texture coordinates or normals is split: its first use keeps
//! its place, further ones follow at the end, so that plain files keep their numbering. Forward references,
//! negative indices, `\` at line ends, lone CR line ends and vertex colours (`v x y z r g b`) are read; lines,
//! points, curves and smoothing groups are not. A texture coordinate or normal that is not there is left out
//! with a warning, a vertex that is not there is an error.

use crate::color::linear_rgba;
use crate::error::{IoError, Place};
use crate::mtl;
use crate::polygon::Polygons;
use crate::raw::RawMesh;
use crate::read::{Source, Tally, Warnings};
use crate::text::{integer, joined_lines, name, number, shown};
use pliant::geometry::Paint;
use pliant::glam::{DVec3, Vec2, Vec3};
use std::collections::HashMap;
use std::num::NonZeroU32;

/// A corner of a face: indices from 1, as in the file, negative ones resolved.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Corner {
    vertex: NonZeroU32,
    uv: Option<NonZeroU32>,
    normal: Option<NonZeroU32>,
}

/// The lines of a file, sorted by kind.
#[derive(Default)]
struct Obj {
    name: Option<String>,
    positions: Vec<DVec3>,
    /// Colours as written, if any vertex has one.
    colors: Vec<[f32; 3]>,
    uvs: Vec<Vec2>,
    normals: Vec<Vec3>,
    corners: Vec<Corner>,
    face_ends: Vec<u32>,
    face_lines: Vec<u32>,
    face_paints: Vec<u32>,
    /// Names by `usemtl`, in order of first use; `None` before the first.
    paint_names: Vec<Option<String>>,
    paint_ids: HashMap<Option<String>, u32>,
    paint_now: Option<u32>,
    libraries: Vec<Vec<u8>>,
    dropped_lines: Tally,
    unknown: Tally,
    missing: Tally,
}

pub(crate) fn parse(source: &Source<'_>, warnings: &mut Warnings) -> Result<RawMesh, IoError> {
    let mut obj = Obj::default();
    for (line, text) in joined_lines(source.bytes) {
        obj.read_line(text, line).map_err(|fault| fault.at(source, line))?;
    }
    obj.dropped_lines.report(warnings, "points, lines or curves left out");
    obj.unknown.report(warnings, "lines not understood and left out");
    let paints = obj.find_paints(source, warnings);
    let (mut raw, polygons) = obj.split_vertices(source)?;
    obj.missing.report(warnings, "texture coordinates or normals are named but not there; left out");
    let paint_of = (!paints.is_empty()).then_some(obj.face_paints.as_slice());
    raw.paints = paints;
    raw.name = obj.name.take().unwrap_or_default();
    raw.add_polygons(&polygons, paint_of, warnings);
    Ok(raw)
}

/// What is wrong with a line.
enum Fault {
    Syntax(String),
    NotFinite(usize),
    OutOfRange(i64, usize),
}

impl Fault {
    fn at(self, source: &Source<'_>, line: usize) -> IoError {
        match self {
            Self::Syntax(fault) => source.syntax(Place::Line(line), fault),
            Self::NotFinite(vertex) => source.not_finite(Place::Line(line), vertex),
            Self::OutOfRange(index, count) => {
                source.out_of_range(Place::Line(line), "vertices", index, count)
            }
        }
    }
}

impl From<String> for Fault {
    fn from(text: String) -> Self {
        Self::Syntax(text)
    }
}

impl Obj {
    fn read_line(&mut self, text: &[u8], line: usize) -> Result<(), Fault> {
        let text = text.trim_ascii();
        let end = text.iter().position(u8::is_ascii_whitespace).unwrap_or(text.len());
        let (key, rest) = text.split_at(end);
        match key {
            b"v" => self.read_vertex(rest)?,
            b"vt" => {
                let [u, v, ..] = numbers::<3>(rest, 1)?.0;
                self.uvs.push(Vec2::new(u as f32, (1.0 - v) as f32));
            }
            b"vn" => {
                let [x, y, z] = numbers::<3>(rest, 3)?.0;
                self.normals.push(DVec3::new(x, y, z).as_vec3());
            }
            b"f" | b"fo" => self.read_face(rest, line)?,
            b"o" | b"g" if self.name.is_none() && !rest.trim_ascii().is_empty() => {
                self.name = Some(name(rest));
            }
            b"usemtl" => self.paint_now = Some(self.paint_index(Some(name(rest)))),
            b"mtllib" => self.libraries.push(rest.trim_ascii().to_vec()),
            b"p" | b"l" | b"curv" | b"curv2" | b"surf" => self.dropped_lines.add(line),
            b"" | b"o" | b"g" | b"s" | b"vp" | b"end" | b"parm" | b"trim" | b"hole" | b"scrv" | b"sp"
            | b"con" | b"deg" | b"bmat" | b"step" | b"cstype" | b"mg" | b"lod" | b"bevel" | b"usemap"
            | b"maplib" | b"c_interp" | b"d_interp" | b"shadow_obj" | b"trace_obj" => {}
            _ if key.starts_with(b"#") => {}
            _ => self.unknown.add(line),
        }
        Ok(())
    }

    fn read_vertex(&mut self, rest: &[u8]) -> Result<(), Fault> {
        let (values, given) = numbers::<7>(rest, 3)?;
        let [x, y, z, r, g, b, _] = values;
        let position = DVec3::new(x, y, z);
        if !position.is_finite() {
            return Err(Fault::NotFinite(self.positions.len()));
        }
        self.positions.push(position);
        if given >= 6 {
            self.colors.resize(self.positions.len() - 1, [1.0; 3]);
            self.colors.push([r as f32, g as f32, b as f32]);
        }
        Ok(())
    }

    fn read_face(&mut self, rest: &[u8], line: usize) -> Result<(), Fault> {
        for word in words(rest) {
            let corner = self.read_corner(word, line)?;
            self.corners.push(corner);
        }
        let paint = match self.paint_now {
            Some(paint) => paint,
            None => self.paint_index(None),
        };
        self.face_ends.push(self.corners.len() as u32);
        self.face_lines.push(line as u32);
        self.face_paints.push(paint);
        Ok(())
    }

    /// `v`, `v/vt`, `v//vn` or `v/vt/vn`.
    fn read_corner(&mut self, word: &[u8], line: usize) -> Result<Corner, Fault> {
        let mut parts = word.split(|&b| b == b'/');
        let vertex = parts.next().unwrap_or_default();
        if vertex.is_empty() {
            return Err(Fault::Syntax(format!("{} names no vertex", shown(word))));
        }
        let vertex = integer(vertex)?;
        let mut optional = |count: usize| -> Result<Option<NonZeroU32>, Fault> {
            let part = parts.next().unwrap_or_default();
            if part.is_empty() {
                return Ok(None);
            }
            let index = from_end(integer(part)?, count);
            if index.is_none() {
                self.missing.add(line);
            }
            Ok(index)
        };
        let uv = optional(self.uvs.len())?;
        let normal = optional(self.normals.len())?;
        if parts.next().is_some() {
            return Err(Fault::Syntax(format!("{} has too many slashes", shown(word))));
        }
        match from_end(vertex, self.positions.len()) {
            Some(vertex) => Ok(Corner { vertex, uv, normal }),
            None => Err(Fault::OutOfRange(vertex, self.positions.len())),
        }
    }

    fn paint_index(&mut self, name: Option<String>) -> u32 {
        *self.paint_ids.entry(name).or_insert_with_key(|name| {
            self.paint_names.push(name.clone());
            self.paint_names.len() as u32 - 1
        })
    }

    /// The paints that faces use; none when the file has no materials at all.
    fn find_paints(&self, source: &Source<'_>, warnings: &mut Warnings) -> Vec<Paint> {
        if self.paint_names.iter().all(Option::is_none) {
            return Vec::new();
        }
        let mut library: Vec<Paint> = Vec::new();
        for files in &self.libraries {
            let whole = name(files);
            // A name may contain spaces, or the line may name several files.
            match source.read_neighbour(&whole) {
                Ok(bytes) => library.extend(mtl::parse(&bytes)),
                Err(why) => {
                    let parts: Vec<String> = words(files).map(name).collect();
                    for part in &parts {
                        let read =
                            if parts.len() > 1 { source.read_neighbour(part) } else { Err(why.clone()) };
                        match read {
                            Ok(bytes) => library.extend(mtl::parse(&bytes)),
                            Err(why) => warnings.push(format!("materials in '{part}' are left out: {why}")),
                        }
                    }
                }
            }
        }
        let by_name: HashMap<&str, &Paint> = library.iter().rev().map(|p| (p.name.as_str(), p)).collect();
        let find = |wanted: &Option<String>| {
            let wanted = wanted.clone().unwrap_or_default();
            if let Some(paint) = by_name.get(wanted.as_str()) {
                return (*paint).clone();
            }
            if !library.is_empty() {
                warnings.push(format!("the material '{wanted}' is not there; grey is used"));
            }
            Paint { name: wanted, ..Paint::default() }
        };
        self.paint_names.iter().map(find).collect()
    }

    /// One render vertex for each combination of position, texture coordinate and normal.
    fn split_vertices(&mut self, source: &Source<'_>) -> Result<(RawMesh, Polygons), IoError> {
        let count = self.positions.len();
        let mut polygons = Polygons::default();
        polygons.corners.reserve_exact(self.corners.len());
        let mut uses: Vec<Option<Corner>> = vec![None; count];
        let mut further: HashMap<Corner, u32> = HashMap::new();
        let mut start = 0;
        for (face, &end) in self.face_ends.iter().enumerate() {
            let line = self.face_lines[face] as usize;
            for corner in &mut self.corners[start..end as usize] {
                let place = corner.vertex.get() as usize - 1;
                if place >= count {
                    let index = corner.vertex.get().into();
                    return Err(source.out_of_range(Place::Line(line), "vertices", index, count));
                }
                let missing = &mut self.missing;
                let mut there = |index: Option<NonZeroU32>, count: usize| {
                    let found = index.filter(|i| i.get() as usize <= count);
                    if found != index {
                        missing.add(line);
                    }
                    found
                };
                corner.uv = there(corner.uv, self.uvs.len());
                corner.normal = there(corner.normal, self.normals.len());
                let at = if *uses[place].get_or_insert(*corner) == *corner {
                    place as u32
                } else {
                    *further.entry(*corner).or_insert_with(|| {
                        uses.push(Some(*corner));
                        uses.len() as u32 - 1
                    })
                };
                polygons.corners.push(at);
            }
            polygons.close();
            start = end as usize;
        }
        Ok((self.gather(&uses), polygons))
    }

    fn gather(&mut self, uses: &[Option<Corner>]) -> RawMesh {
        let mut raw = RawMesh::default();
        let uv = |c: &Corner| Some(self.uvs[c.uv?.get() as usize - 1]);
        if uses.iter().flatten().any(|c| c.uv.is_some()) {
            raw.uvs = uses.iter().map(|c| c.as_ref().and_then(uv).unwrap_or(Vec2::ZERO)).collect();
        }
        let normal = |c: &Corner| Some(self.normals[c.normal?.get() as usize - 1]);
        if uses.iter().flatten().any(|c| c.normal.is_some()) {
            raw.normals = uses.iter().map(|c| c.as_ref().and_then(normal).unwrap_or(Vec3::ZERO)).collect();
        }
        // Vertices that no face uses keep their place.
        let vertex_of = |(i, c): (usize, &Option<Corner>)| c.map_or(i, |c| c.vertex.get() as usize - 1);
        if !self.colors.is_empty() {
            self.colors.resize(self.positions.len(), [1.0; 3]);
            // Some programs write 0 … 255.
            let bytes = self.colors.iter().flatten().any(|c| *c > 1.0);
            let scale = if bytes { 1.0 / 255.0 } else { 1.0 };
            let color = |i: usize| {
                let [r, g, b] = self.colors[i].map(|c| c * scale);
                linear_rgba([r, g, b, 1.0])
            };
            raw.colors = uses.iter().enumerate().map(vertex_of).map(color).collect();
        }
        raw.positions = std::mem::take(&mut self.positions);
        raw.positions.reserve_exact(uses.len() - raw.positions.len());
        for vertex in uses.iter().enumerate().skip(raw.positions.len()).map(vertex_of) {
            raw.positions.push(raw.positions[vertex]);
        }
        raw
    }
}

/// An index from 1, counting negative ones from the end; `None` when it cannot be.
fn from_end(index: i64, count: usize) -> Option<NonZeroU32> {
    let index = if index < 0 { (count as i64).checked_add(index)?.checked_add(1)? } else { index };
    NonZeroU32::new(u32::try_from(index).ok()?)
}

/// Words of a line; a backslash at a line's end counts as a blank.
fn words(line: &[u8]) -> impl Iterator<Item = &[u8]> {
    let without_comment = line.split(|&b| b == b'#').next().unwrap_or_default();
    without_comment.split(|&b| b.is_ascii_whitespace() || b == b'\\').filter(|w| !w.is_empty())
}

/// Up to `N` numbers, at least `least`; the others are 0. Also how many there were.
fn numbers<const N: usize>(rest: &[u8], least: usize) -> Result<([f64; N], usize), String> {
    let mut values = [0.0; N];
    let mut given = 0;
    for (value, word) in values.iter_mut().zip(words(rest)) {
        *value = number(word)?;
        given += 1;
    }
    if given < least {
        return Err(format!("{least} numbers are needed, {given} are there"));
    }
    Ok((values, given))
}
