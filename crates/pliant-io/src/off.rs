//! Geomview OFF: `[ST][C][N]OFF`, text and binary.
//!
//! Read: comments, counts on the keyword's line or glued to it (`OFF8 6 12`), a missing keyword (with a
//! warning), vertex normals, colours and texture coordinates. Colours of faces are left out; points of four or
//! n dimensions are refused.

use crate::color::linear_rgba;
use crate::error::{IoError, Place};
use crate::polygon::Polygons;
use crate::raw::RawMesh;
use crate::read::{Source, Warnings};
use crate::text::{Words, integer, number, shown};
use pliant::glam::{DVec3, Vec2, Vec3};

/// What the keyword says about the vertices.
#[derive(Clone, Copy, Default)]
struct Header {
    uvs: bool,
    colors: bool,
    normals: bool,
    other_dimension: bool,
}

impl Header {
    /// The keyword's meaning and what is glued to it.
    fn parse(word: &[u8]) -> Option<(Self, &[u8])> {
        let mut header = Self::default();
        let mut rest = word;
        let mut take = |prefix: &[u8]| {
            let found = rest.strip_prefix(prefix);
            rest = found.unwrap_or(rest);
            found.is_some()
        };
        header.uvs = take(b"ST");
        header.colors = take(b"C");
        header.normals = take(b"N");
        header.other_dimension = take(b"4") | take(b"n");
        take(b"OFF").then_some((header, rest))
    }

    /// Numbers a vertex has, but for its colour.
    fn plain_numbers(self) -> usize {
        3 + if self.normals { 3 } else { 0 } + if self.uvs { 2 } else { 0 }
    }
}

/// Whether the first word is OFF's keyword.
pub(crate) fn has_keyword(start: &[u8]) -> bool {
    let word = Words::new(start, Some(b'#')).word();
    word.and_then(Header::parse).is_some_and(|(_, glued)| glued.iter().all(u8::is_ascii_digit))
}

pub(crate) fn parse(source: &Source<'_>, warnings: &mut Warnings) -> Result<RawMesh, IoError> {
    let mut words = Words::new(source.bytes, Some(b'#'));
    let first = words.word().ok_or_else(|| source.no_triangles("nothing but comments"))?;
    let (header, glued) = match Header::parse(first) {
        Some(found) => found,
        None if integer(first).is_ok() => {
            warnings.push("the keyword OFF is missing");
            (Header::default(), first)
        }
        None => {
            let fault = format!("an OFF file begins with the keyword OFF, this with {}", shown(first));
            return Err(source.syntax(Place::Line(words.line()), fault));
        }
    };
    if header.other_dimension {
        return Err(source.syntax(Place::Line(words.line()), "only three-dimensional OFF files are read"));
    }
    let mut next = (!glued.is_empty()).then_some(glued).or_else(|| words.word());
    if next.is_some_and(|w| w.eq_ignore_ascii_case(b"BINARY")) {
        words.end_line();
        return parse_binary(source, header, source.bytes.len() - words.rest().len(), warnings);
    }
    let mut counts = [0_usize; 3];
    // The number of edges is often left out.
    for (i, count) in counts.iter_mut().enumerate() {
        let word = if i == 0 {
            next.take()
        } else {
            words.word_on_line().or_else(|| (i == 1).then(|| words.word())?)
        };
        *count = match word.map(integer) {
            Some(Ok(n)) => usize::try_from(n)
                .map_err(|_| source.syntax(Place::Line(words.line()), format!("{n} is not a count")))?,
            Some(Err(fault)) => return Err(source.syntax(Place::Line(words.line()), fault)),
            None if i == 2 => 0,
            None => return Err(source.truncated(Place::Line(words.line()), "counts are missing")),
        };
    }
    TextReader { source, words, header, line_based: false }.parse(counts[0], counts[1], warnings)
}

struct TextReader<'a, 'b> {
    source: &'a Source<'b>,
    words: Words<'a>,
    header: Header,
    /// Every vertex and face has a line of its own; what follows the needed numbers is extra.
    line_based: bool,
}

impl TextReader<'_, '_> {
    fn parse(mut self, vertices: usize, faces: usize, warnings: &mut Warnings) -> Result<RawMesh, IoError> {
        let rest = self.words.rest();
        // Two bytes a number at the least: what a header claims beyond that cannot be there.
        if vertices.saturating_mul(6).saturating_add(faces.saturating_mul(2)) > rest.len().saturating_add(8) {
            let fault =
                format!("{vertices} vertices and {faces} faces are promised, {} bytes follow", rest.len());
            return Err(self.source.truncated(Place::Line(self.words.line()), fault));
        }
        let lines = rest.split(|b| matches!(b, b'\n' | b'\r'));
        let full = lines.filter(|l| !l.trim_ascii().is_empty() && !l.trim_ascii_start().starts_with(b"#"));
        self.line_based = full.count() >= vertices.saturating_add(faces);
        if self.line_based {
            self.words.end_line();
        }
        let mut raw = RawMesh::default();
        for vertex in 0..vertices {
            self.read_vertex(vertex, &mut raw)?;
        }
        scale_colors(&mut raw.colors);
        let mut polygons = Polygons::default();
        let mut colored = false;
        for face in 0..faces {
            colored |= self.read_face(face, vertices, &mut polygons)?;
        }
        if colored {
            warnings.push("colours of faces are left out");
        }
        raw.add_polygons(&polygons, None, warnings);
        Ok(raw)
    }

    fn here(&self) -> Place {
        Place::Line(self.words.line())
    }

    fn number(&mut self, what: &'static str, index: usize) -> Result<f64, IoError> {
        let Some(word) = self.words.word() else {
            return Err(self.source.truncated(self.here(), format!("it ends within {what} {index}")));
        };
        number(word).map_err(|fault| self.source.syntax(self.here(), fault))
    }

    fn read_vertex(&mut self, vertex: usize, raw: &mut RawMesh) -> Result<(), IoError> {
        let mut values = [0.0; 12];
        let mut given = 0;
        let least = self.header.plain_numbers() + if self.header.colors && !self.line_based { 4 } else { 0 };
        while given < least {
            values[given] = self.number("vertex", vertex)?;
            given += 1;
        }
        if self.line_based {
            while given < values.len()
                && let Some(word) = self.words.word_on_line()
            {
                values[given] = number(word).map_err(|fault| self.source.syntax(self.here(), fault))?;
                given += 1;
            }
        }
        let position = DVec3::new(values[0], values[1], values[2]);
        if !position.is_finite() {
            return Err(self.source.not_finite(self.here(), vertex));
        }
        raw.positions.push(position);
        self.header.push_extras(&values[3..given], raw);
        if self.line_based {
            self.words.end_line();
        }
        Ok(())
    }

    /// Reads a face; true when it has a colour.
    fn read_face(&mut self, face: usize, vertices: usize, polygons: &mut Polygons) -> Result<bool, IoError> {
        let whole = |this: &mut Self| {
            let Some(word) = this.words.word() else {
                return Err(this.source.truncated(this.here(), format!("it ends within face {face}")));
            };
            integer(word).map_err(|fault| this.source.syntax(this.here(), fault))
        };
        let corners = whole(self)?;
        if corners < 0 {
            return Err(self.source.syntax(self.here(), format!("a face cannot have {corners} corners")));
        }
        for _ in 0..corners {
            let index = whole(self)?;
            match usize::try_from(index) {
                Ok(i) if i < vertices => polygons.corners.push(i as u32),
                _ => return Err(self.source.out_of_range(self.here(), "vertices", index, vertices)),
            }
        }
        polygons.close();
        let colored = self.words.word_on_line().is_some();
        self.words.end_line();
        Ok(colored)
    }
}

impl Header {
    /// Normals, colours and texture coordinates: what follows a vertex's position.
    fn push_extras(self, mut extras: &[f64], raw: &mut RawMesh) {
        if self.normals
            && let Some((n, rest)) = extras.split_first_chunk::<3>()
        {
            raw.normals.push(DVec3::from_array(*n).as_vec3());
            extras = rest;
        }
        if self.uvs
            && let Some((rest, uv)) = extras.split_last_chunk::<2>()
        {
            raw.uvs.push(Vec2::new(uv[0] as f32, (1.0 - uv[1]) as f32));
            extras = rest;
        }
        // Colours come undeclared too.
        let undeclared = !self.normals && !self.uvs && !raw.positions.is_empty();
        let first_or_all = raw.colors.len() + 1 == raw.positions.len();
        match *extras {
            [r, g, b] if (self.colors || undeclared) && first_or_all => {
                raw.colors.push([r as f32, g as f32, b as f32, f32::NAN]);
            }
            [r, g, b, a] if (self.colors || undeclared) && first_or_all => {
                raw.colors.push([r, g, b, a].map(|c| c as f32));
            }
            _ if self.colors => raw.colors.push([1.0; 4]),
            // Colours that only some vertices have are none.
            _ => raw.colors.clear(),
        }
    }
}

/// Colours are 0 … 1 or 0 … 255, sRGB; an alpha that was not given is 1.
fn scale_colors(colors: &mut [[f32; 4]]) {
    let scale = if colors.iter().flatten().any(|c| *c > 1.0) { 1.0 / 255.0 } else { 1.0 };
    for color in colors {
        let alpha = if color[3].is_nan() { 1.0 } else { color[3] * scale };
        *color = linear_rgba([color[0] * scale, color[1] * scale, color[2] * scale, alpha]);
    }
}

/// Big-endian: `i32` counts, `f32` vertices, faces of `i32` with `f32` colours.
fn parse_binary(
    source: &Source<'_>,
    header: Header,
    start: usize,
    warnings: &mut Warnings,
) -> Result<RawMesh, IoError> {
    let mut at = start;
    let mut next = || -> Result<[u8; 4], IoError> {
        let found = source.bytes.get(at..).and_then(|b| b.first_chunk::<4>());
        let found = *found.ok_or_else(|| source.truncated(Place::Byte(at), "a number is missing"))?;
        at += 4;
        Ok(found)
    };
    let mut counts = [0_usize; 3];
    for count in &mut counts {
        let n = i32::from_be_bytes(next()?);
        *count = usize::try_from(n)
            .map_err(|_| source.syntax(Place::Byte(start), format!("{n} is not a count")))?;
    }
    let [vertices, faces, _] = counts;
    let numbers = header.plain_numbers() + if header.colors { 4 } else { 0 };
    let needed = vertices.saturating_mul(4 * numbers).saturating_add(faces.saturating_mul(8));
    if needed > source.bytes.len() - start {
        let fault = format!("{vertices} vertices and {faces} faces are promised, too many for the file");
        return Err(source.truncated(Place::Byte(start), fault));
    }
    let mut raw = RawMesh::default();
    for vertex in 0..vertices {
        let mut values = [0.0; 12];
        for value in &mut values[..numbers] {
            *value = f32::from_be_bytes(next()?).into();
        }
        let position = Vec3::new(values[0] as f32, values[1] as f32, values[2] as f32);
        if !position.is_finite() {
            return Err(source.not_finite(Place::File, vertex));
        }
        raw.positions.push(position.as_dvec3());
        header.push_extras(&values[3..numbers], &mut raw);
    }
    scale_colors(&mut raw.colors);
    let mut polygons = Polygons::default();
    for face in 0..faces {
        let corners = i32::from_be_bytes(next()?);
        for _ in 0..corners {
            let index = i32::from_be_bytes(next()?);
            match usize::try_from(index) {
                Ok(i) if i < vertices => polygons.corners.push(i as u32),
                _ => {
                    let place = Place::Element("face", face);
                    return Err(source.out_of_range(place, "vertices", index.into(), vertices));
                }
            }
        }
        polygons.close();
        for _ in 0..i32::from_be_bytes(next()?) {
            next()?;
        }
    }
    raw.add_polygons(&polygons, None, warnings);
    Ok(raw)
}
