//! Stanford PLY: text, or binary of either byte order, with numbers of any type.
//!
//! Read from vertices: `x y z`, `nx ny nz`, `s t` / `u v` / `texture_u texture_v`, `red green blue alpha`;
//! from faces: `vertex_indices` or `vertex_index`; triangle strips. Everything else is walked over, with a
//! warning where a look is lost. Texture coordinates are turned to glTF's way, v = 0 at the top.

use crate::color::linear_rgba;
use crate::error::{IoError, Place};
use crate::ply_header::{self, Element, Encoding, Scalar};
use crate::polygon::Polygons;
use crate::raw::RawMesh;
use crate::read::{Source, Warnings};
use crate::text::{Words, number};
use pliant::geometry::{Paint, Texture};
use pliant::glam::{DVec3, Vec2};

pub(crate) fn parse(source: &Source<'_>, warnings: &mut Warnings) -> Result<RawMesh, IoError> {
    let header = ply_header::parse(source)?;
    let (start, line) = header.body;
    let body = &source.bytes[start..];
    let mut values = Values {
        source,
        encoding: header.encoding,
        words: Words::new(body, None),
        at: start,
        lines_before: line - 1,
    };
    let mut raw = RawMesh::default();
    let mut faces = Faces::default();
    let vertex_count = header.elements.iter().find(|e| e.name == b"vertex").map_or(0, |e| e.count);
    for element in &header.elements {
        values.check_claim(element)?;
        match element.name.as_slice() {
            b"vertex" if raw.positions.is_empty() => read_vertices(&mut values, element, &mut raw)?,
            b"face" => faces.read(&mut values, element, vertex_count)?,
            b"tristrips" => faces.read_strips(&mut values, element, vertex_count)?,
            _ => skip(&mut values, element)?,
        }
    }
    if faces.left_out {
        warnings.push("colours or texture coordinates of faces are left out");
    }
    if let Some(file) = header.texture {
        raw.paints.push(Paint {
            base_color: [1.0; 4],
            texture: Some(Texture::File(file)),
            ..Paint::default()
        });
    }
    raw.triangles = faces.strips;
    raw.add_polygons(&faces.polygons, None, warnings);
    Ok(raw)
}

/// The numbers of the body, one after another.
struct Values<'a> {
    source: &'a Source<'a>,
    encoding: Encoding,
    words: Words<'a>,
    /// Where we are in a binary file.
    at: usize,
    lines_before: usize,
}

impl Values<'_> {
    fn here(&self) -> Place {
        match self.encoding {
            Encoding::Text => Place::Line(self.lines_before + self.words.line()),
            _ => Place::Byte(self.at),
        }
    }

    fn left(&self) -> usize {
        match self.encoding {
            Encoding::Text => self.words.rest().len() + 1,
            _ => self.source.bytes.len() - self.at,
        }
    }

    /// Refuses a count that the rest of the file cannot hold.
    fn check_claim(&self, element: &Element) -> Result<(), IoError> {
        let least = element.least_bytes(self.encoding);
        if element.count.saturating_mul(least) <= self.left() {
            return Ok(());
        }
        let (count, name) = (element.count, String::from_utf8_lossy(&element.name));
        let fault = format!("{count} of '{name}' are promised, {} bytes follow", self.left());
        Err(self.source.truncated(self.here(), fault))
    }

    fn next(&mut self, scalar: Scalar) -> Result<f64, IoError> {
        if self.encoding == Encoding::Text {
            let Some(word) = self.words.word() else {
                return Err(self.source.truncated(self.here(), "a number is missing"));
            };
            return number(word).map_err(|fault| self.source.syntax(self.here(), fault));
        }
        let Some(bytes) = self.source.bytes.get(self.at..self.at + scalar.bytes()) else {
            return Err(self.source.truncated(self.here(), "a number is missing"));
        };
        self.at += scalar.bytes();
        let mut raw = [0; 8];
        raw[..bytes.len()].copy_from_slice(bytes);
        if self.encoding == Encoding::BigEndian {
            raw[..bytes.len()].reverse();
        }
        let [a, b, c, d, ..] = raw;
        Ok(match scalar {
            Scalar::I8 => (a as i8).into(),
            Scalar::U8 => a.into(),
            Scalar::I16 => i16::from_le_bytes([a, b]).into(),
            Scalar::U16 => u16::from_le_bytes([a, b]).into(),
            Scalar::I32 => i32::from_le_bytes([a, b, c, d]).into(),
            Scalar::U32 => u32::from_le_bytes([a, b, c, d]).into(),
            Scalar::F32 => f32::from_le_bytes([a, b, c, d]).into(),
            Scalar::F64 => f64::from_le_bytes(raw),
        })
    }

    /// The length of a list.
    fn length(&mut self, scalar: Scalar) -> Result<usize, IoError> {
        let place = self.here();
        let length = self.next(scalar)?;
        if length >= 0.0 && length.fract() == 0.0 && length <= f64::from(u32::MAX) {
            Ok(length as usize)
        } else {
            Err(self.source.syntax(place, format!("a list cannot have {length} entries")))
        }
    }
}

fn skip(values: &mut Values<'_>, element: &Element) -> Result<(), IoError> {
    if element.properties.is_empty() {
        return Ok(());
    }
    for _ in 0..element.count {
        for property in &element.properties {
            let length = property.list.map_or(Ok(1), |list| values.length(list))?;
            for _ in 0..length {
                values.next(property.scalar)?;
            }
        }
    }
    Ok(())
}

fn read_vertices(values: &mut Values<'_>, element: &Element, raw: &mut RawMesh) -> Result<(), IoError> {
    let scalar = |names: &[&[u8]]| element.find(names).filter(|&i| element.properties[i].list.is_none());
    let all = |names: [&[&[u8]]; 3]| -> Option<[usize; 3]> {
        Some([scalar(names[0])?, scalar(names[1])?, scalar(names[2])?])
    };
    let Some(xyz) = all([&[b"x"], &[b"y"], &[b"z"]]) else {
        return Err(values.source.syntax(Place::File, "the vertices have no properties x, y and z"));
    };
    let normal = all([&[b"nx"], &[b"ny"], &[b"nz"]]);
    let rgb = all([
        &[b"red", b"r", b"diffuse_red"],
        &[b"green", b"g", b"diffuse_green"],
        &[b"blue", b"b", b"diffuse_blue"],
    ]);
    let alpha = scalar(&[b"alpha", b"a", b"diffuse_alpha"]);
    let u = scalar(&[b"s", b"u", b"texture_u", b"s0", b"texture_s"]);
    let v = scalar(&[b"t", b"v", b"texture_v", b"t0", b"texture_t"]);
    raw.positions.reserve_exact(element.count);
    let mut numbers = vec![0.0; element.properties.len()];
    let channel = |numbers: &[f64], i: usize| numbers[i] as f32 / element.properties[i].scalar.color_scale();
    for vertex in 0..element.count {
        for (property, slot) in element.properties.iter().zip(&mut numbers) {
            match property.list {
                None => *slot = values.next(property.scalar)?,
                Some(list) => {
                    for _ in 0..values.length(list)? {
                        values.next(property.scalar)?;
                    }
                }
            }
        }
        let position = DVec3::from_array(xyz.map(|i| numbers[i]));
        if !position.is_finite() {
            return Err(values.source.not_finite(values.here(), vertex));
        }
        raw.positions.push(position);
        if let Some(normal) = normal {
            raw.normals.push(DVec3::from_array(normal.map(|i| numbers[i])).as_vec3());
        }
        if let (Some(u), Some(v)) = (u, v) {
            raw.uvs.push(Vec2::new(numbers[u] as f32, (1.0 - numbers[v]) as f32));
        }
        if let Some(rgb) = rgb {
            let [r, g, b] = rgb.map(|i| channel(&numbers, i));
            raw.colors.push(linear_rgba([r, g, b, alpha.map_or(1.0, |i| channel(&numbers, i))]));
        }
    }
    Ok(())
}

#[derive(Default)]
struct Faces {
    polygons: Polygons,
    strips: Vec<[u32; 3]>,
    /// Something about how faces look was not kept.
    left_out: bool,
}

impl Faces {
    fn read(&mut self, values: &mut Values<'_>, element: &Element, vertices: usize) -> Result<(), IoError> {
        let Some(list) = corner_list(element) else { return skip(values, element) };
        let looks: [&[u8]; 3] = [b"texcoord", b"red", b"texnumber"];
        self.left_out |= element.find(&looks).is_some();
        for face in 0..element.count {
            for (i, property) in element.properties.iter().enumerate() {
                let length = property.list.map_or(Ok(1), |list| values.length(list))?;
                for _ in 0..length {
                    let place = face_place(values, "face", face);
                    let value = values.next(property.scalar)?;
                    if i == list {
                        let index = vertex_index(values.source, place, value, vertices)?;
                        self.polygons.corners.push(index);
                    }
                }
            }
            self.polygons.close();
        }
        Ok(())
    }

    fn read_strips(
        &mut self,
        values: &mut Values<'_>,
        element: &Element,
        vertices: usize,
    ) -> Result<(), IoError> {
        let Some(list) = corner_list(element) else { return skip(values, element) };
        for strip in 0..element.count {
            for (i, property) in element.properties.iter().enumerate() {
                let length = property.list.map_or(Ok(1), |list| values.length(list))?;
                let (mut seen, mut last) = (0_usize, [0; 2]);
                for _ in 0..length {
                    let place = face_place(values, "strip", strip);
                    let value = values.next(property.scalar)?;
                    if i != list {
                        continue;
                    }
                    // −1 begins a new strip.
                    if value == -1.0 {
                        seen = 0;
                        continue;
                    }
                    let corner = vertex_index(values.source, place, value, vertices)?;
                    if seen >= 2 {
                        let [a, b] = if seen.is_multiple_of(2) { last } else { [last[1], last[0]] };
                        self.strips.push([a, b, corner]);
                    }
                    last = [last[1], corner];
                    seen += 1;
                }
            }
        }
        Ok(())
    }
}

fn corner_list(element: &Element) -> Option<usize> {
    let named = element.find(&[b"vertex_indices", b"vertex_index"]);
    let only = element.properties.iter().position(|p| p.list.is_some());
    named.or(only).filter(|&i| element.properties[i].list.is_some())
}

fn face_place(values: &Values<'_>, kind: &'static str, index: usize) -> Place {
    match values.encoding {
        Encoding::Text => values.here(),
        _ => Place::Element(kind, index),
    }
}

fn vertex_index(source: &Source<'_>, place: Place, value: f64, vertices: usize) -> Result<u32, IoError> {
    if value >= 0.0 && value.fract() == 0.0 && value < vertices as f64 {
        Ok(value as u32)
    } else {
        Err(source.out_of_range(place, "vertices", value as i64, vertices))
    }
}
