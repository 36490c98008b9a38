//! The header of a PLY file: what elements there are and what they hold.

use crate::error::{IoError, Place};
use crate::read::Source;
use crate::text::{Words, integer, name, shown};

/// More properties than this are refused; the largest real files (splats) have about 60.
const PROPERTY_LIMIT: usize = 1000;

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Encoding {
    Text,
    LittleEndian,
    BigEndian,
}

/// A number as PLY stores it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Scalar {
    I8,
    U8,
    I16,
    U16,
    I32,
    U32,
    F32,
    F64,
}

impl Scalar {
    fn parse(word: &[u8]) -> Option<Self> {
        Some(match word {
            b"char" | b"int8" => Self::I8,
            b"uchar" | b"uint8" => Self::U8,
            b"short" | b"int16" => Self::I16,
            b"ushort" | b"uint16" => Self::U16,
            b"int" | b"int32" => Self::I32,
            b"uint" | b"uint32" => Self::U32,
            b"float" | b"float32" => Self::F32,
            b"double" | b"float64" => Self::F64,
            _ => return None,
        })
    }

    pub fn bytes(self) -> usize {
        match self {
            Self::I8 | Self::U8 => 1,
            Self::I16 | Self::U16 => 2,
            Self::I32 | Self::U32 | Self::F32 => 4,
            Self::F64 => 8,
        }
    }

    /// What 1 is, for a colour.
    pub fn color_scale(self) -> f32 {
        match self {
            Self::I8 | Self::U8 => 255.0,
            Self::I16 | Self::U16 => 65535.0,
            Self::I32 | Self::U32 => 255.0,
            Self::F32 | Self::F64 => 1.0,
        }
    }
}

pub(crate) struct Property {
    pub name: Vec<u8>,
    pub scalar: Scalar,
    /// The type of the length, when it is a list.
    pub list: Option<Scalar>,
}

pub(crate) struct Element {
    pub name: Vec<u8>,
    pub count: usize,
    pub properties: Vec<Property>,
}

impl Element {
    /// Bytes that one such element has at least.
    pub fn least_bytes(&self, encoding: Encoding) -> usize {
        let of = |p: &Property| match encoding {
            Encoding::Text => 2,
            _ => p.list.unwrap_or(p.scalar).bytes(),
        };
        self.properties.iter().map(of).sum()
    }

    /// The place of a property that has one of these names.
    pub fn find(&self, names: &[&[u8]]) -> Option<usize> {
        self.properties.iter().position(|p| names.contains(&p.name.as_slice()))
    }
}

pub(crate) struct Header {
    pub encoding: Encoding,
    pub elements: Vec<Element>,
    /// The image that a comment names.
    pub texture: Option<String>,
    /// Where the data begin: byte and line.
    pub body: (usize, usize),
}

pub(crate) fn parse(source: &Source<'_>) -> Result<Header, IoError> {
    let mut words = Words::new(source.bytes, None);
    if words.word() != Some(b"ply") {
        return Err(source.syntax(Place::Line(words.line()), "a PLY file begins with the word ply"));
    }
    let mut encoding = None;
    let mut elements: Vec<Element> = Vec::new();
    let mut texture = None;
    let mut properties = 0;
    loop {
        if !words.end_line() {
            return Err(source.truncated(Place::Line(words.line()), "the header has no end_header"));
        }
        let here = Place::Line(words.line());
        let Some(key) = words.word_on_line() else { continue };
        let fault = match key {
            b"format" => match words.word_on_line() {
                Some(b"ascii") => set(&mut encoding, Encoding::Text),
                Some(b"binary_little_endian") => set(&mut encoding, Encoding::LittleEndian),
                Some(b"binary_big_endian") => set(&mut encoding, Encoding::BigEndian),
                other => Some(format!("the format {} is unknown", shown(other.unwrap_or_default()))),
            },
            b"comment" | b"obj_info" => {
                if words.word_on_line().is_some_and(|w| w.eq_ignore_ascii_case(b"TextureFile")) {
                    texture = Some(name(words.rest_of_line())).filter(|t| !t.is_empty());
                }
                None
            }
            b"element" => {
                let (name, count) = (words.word_on_line(), words.word_on_line().map(integer));
                match (name, count) {
                    (Some(name), Some(Ok(count @ 0..))) => {
                        let count = usize::try_from(count).unwrap_or(usize::MAX);
                        elements.push(Element { name: name.to_vec(), count, properties: Vec::new() });
                        properties += 1;
                        None
                    }
                    (_, Some(Ok(n))) => Some(format!("{n} is not a count")),
                    _ => Some("an element needs a name and a count".to_owned()),
                }
            }
            b"property" => {
                properties += 1;
                match (read_property(&mut words), elements.last_mut()) {
                    (Some(property), Some(element)) => {
                        element.properties.push(property);
                        None
                    }
                    (None, _) => Some("a property needs a known type and a name".to_owned()),
                    (_, None) => Some("a property comes before any element".to_owned()),
                }
            }
            b"end_header" => break,
            other => Some(format!("{} has no place in a PLY header", shown(other))),
        };
        if let Some(fault) = fault {
            return Err(source.syntax(here, fault));
        }
        if properties > PROPERTY_LIMIT {
            return Err(source.too_large(here, "more than 1000 elements and properties"));
        }
    }
    let line = words.line();
    let Some(encoding) = encoding else {
        return Err(source.syntax(Place::Line(line), "the header has no format line"));
    };
    words.end_line();
    Ok(Header { encoding, elements, texture, body: (source.bytes.len() - words.rest().len(), line + 1) })
}

fn set(encoding: &mut Option<Encoding>, value: Encoding) -> Option<String> {
    *encoding = Some(value);
    None
}

fn read_property(words: &mut Words<'_>) -> Option<Property> {
    let first = words.word_on_line()?;
    let list = if first == b"list" { Some(Scalar::parse(words.word_on_line()?)?) } else { None };
    let scalar = Scalar::parse(if list.is_some() { words.word_on_line()? } else { first })?;
    Some(Property { name: words.word_on_line()?.to_vec(), scalar, list })
}
