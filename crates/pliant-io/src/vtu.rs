//! VTK XML files with an unstructured grid: arrays as text, base64, or appended as base64 or raw bytes; compressed with zlib or not.
//!
//! Only the tags that matter are looked at; this is no general reader of XML.

use crate::cursor::{Encoding, Scalar};
use crate::error::{IoError, Place};
use crate::read::{Source, Warnings};
use crate::text::{Words, number, shown};
use crate::volume::RawVolume;
use crate::vtk::Cells;
use pliant::glam::DVec3;

/// Bytes that one byte of compressed data can become at most: zlib cannot do more than about 1030.
const MOST_INFLATION: usize = 1040;
/// What the numbers of all arrays may take in memory, as multiples of the file: pieces may share arrays, and compressed ones grow.
const MOST_GROWTH: usize = 32;

pub(crate) fn parse(source: &Source<'_>, warnings: &mut Warnings) -> Result<RawVolume, IoError> {
    let mut file = File { source, head: Head::default(), appended: None, budget: 0 };
    file.budget = source.bytes.len().saturating_mul(MOST_GROWTH).max(1 << 20);
    let tags = file.read_head()?;
    let mut raw = RawVolume::default();
    let (mut pieces, mut parent) = (0, &b""[..]);
    let mut piece = Piece::default();
    for (at, tag) in tags.iter().enumerate() {
        match tag.name {
            b"Piece" => {
                pieces += 1;
                piece = Piece::default();
            }
            b"/Piece" => std::mem::take(&mut piece).add_to(&mut raw, source)?,
            b"Points" | b"Cells" | b"PointData" | b"CellData" | b"FieldData" => parent = tag.name,
            [b'/', ..] if tag.name != b"/DataArray" => parent = b"",
            b"DataArray" => {
                let until = tags.get(at + 1).map_or(source.bytes.len(), |next| next.start);
                match (parent, tag.get("Name").unwrap_or_default()) {
                    (b"Points", _) => piece.points = file.array(tag, until)?,
                    (b"Cells", b"connectivity") => piece.connectivity = file.array(tag, until)?,
                    (b"Cells", b"offsets") => piece.offsets = file.array(tag, until)?,
                    (b"Cells", b"types") => piece.types = file.array(tag, until)?,
                    _ => {}
                }
            }
            _ => {}
        }
    }
    if pieces > 1 {
        warnings.push(format!("{pieces} pieces joined; vertices that they share stay doubled"));
    }
    Ok(raw)
}

/// A tag and what is said in it.
struct Tag<'a> {
    /// With the slash of a closing one.
    name: &'a [u8],
    attributes: Vec<(&'a [u8], &'a [u8])>,
    start: usize,
    end: usize,
}

impl<'a> Tag<'a> {
    fn get(&self, name: &str) -> Option<&'a [u8]> {
        self.attributes.iter().find(|(known, _)| *known == name.as_bytes()).map(|(_, value)| *value)
    }
}

/// What the file says about all its arrays.
#[derive(Clone, Copy)]
struct Head {
    encoding: Encoding,
    header: Scalar,
    zlib: bool,
}

impl Default for Head {
    fn default() -> Self {
        Self { encoding: Encoding::LittleEndian, header: Scalar::U32, zlib: false }
    }
}

struct File<'a> {
    source: &'a Source<'a>,
    head: Head,
    /// Where the appended data begins, and whether it is base64.
    appended: Option<(usize, bool)>,
    /// Bytes of memory that numbers may yet take.
    budget: usize,
}

impl<'a> File<'a> {
    fn fault(&self, at: usize, fault: impl Into<String>) -> IoError {
        self.source.syntax(Place::Byte(at), fault)
    }

    /// All tags up to the appended data.
    fn read_head(&mut self) -> Result<Vec<Tag<'a>>, IoError> {
        let bytes = self.source.bytes;
        let (mut tags, mut at) = (Vec::new(), 0);
        while let Some(tag) = next_tag(bytes, at) {
            let tag = tag.map_err(|start| self.source.truncated(Place::Byte(start), "a tag does not end"))?;
            at = tag.end;
            match tag.name {
                b"VTKFile" => self.read_file_tag(&tag)?,
                b"AppendedData" => {
                    let base64 = tag.get("encoding") == Some(b"base64");
                    let begin = bytes[at..].iter().position(|&b| b == b'_').map(|n| at + n + 1);
                    let begin =
                        begin.ok_or_else(|| self.fault(at, "appended data begins with an underscore"))?;
                    self.appended = Some((begin, base64));
                    break;
                }
                _ => {}
            }
            tags.push(tag);
        }
        Ok(tags)
    }

    fn read_file_tag(&mut self, tag: &Tag<'_>) -> Result<(), IoError> {
        let kind = tag.get("type").unwrap_or_default();
        if kind != b"UnstructuredGrid" {
            let found = format!("a VTK file of type {}, no UnstructuredGrid", shown(kind));
            return Err(IoError::NoTetrahedra { file: self.source.file.to_path_buf(), found });
        }
        if tag.get("byte_order") == Some(b"BigEndian") {
            self.head.encoding = Encoding::BigEndian;
        }
        if tag.get("header_type") == Some(b"UInt64") {
            self.head.header = Scalar::U64;
        }
        match tag.get("compressor") {
            None | Some(b"") => {}
            Some(b"vtkZLibDataCompressor") => self.head.zlib = true,
            Some(other) => {
                let fault =
                    format!("compressed with {}; save it with zlib or without compression", shown(other));
                return Err(self.fault(tag.start, fault));
            }
        }
        Ok(())
    }

    /// The numbers of an array, whose text ends at `until`.
    fn array(&mut self, tag: &Tag<'_>, until: usize) -> Result<Vec<f64>, IoError> {
        let kind = tag.get("type").unwrap_or_default();
        let scalar = match kind {
            b"Int8" => Scalar::I8,
            b"UInt8" => Scalar::U8,
            b"Int16" => Scalar::I16,
            b"UInt16" => Scalar::U16,
            b"Int32" => Scalar::I32,
            b"UInt32" => Scalar::U32,
            b"Int64" => Scalar::I64,
            b"UInt64" => Scalar::U64,
            b"Float32" => Scalar::F32,
            b"Float64" => Scalar::F64,
            _ => return Err(self.fault(tag.start, format!("{} is no type of numbers", shown(kind)))),
        };
        let text = &self.source.bytes[tag.end..until];
        let bytes = match tag.get("format").unwrap_or(b"ascii") {
            b"ascii" => {
                let mut words = Words::new(text, None);
                let next =
                    || words.word().map(|word| number(word).map_err(|fault| self.fault(tag.end, fault)));
                let found: Vec<f64> = std::iter::from_fn(next).collect::<Result<_, _>>()?;
                return self.charge(found.len(), tag.start).map(|()| found);
            }
            b"binary" => self.unpack(text, true, scalar, tag.start)?,
            b"appended" => {
                let (begin, base64) =
                    self.appended.ok_or_else(|| self.fault(tag.start, "there is no appended data"))?;
                let offset =
                    tag.get("offset").and_then(|o| std::str::from_utf8(o).ok()?.parse::<usize>().ok());
                let data = offset.and_then(|offset| self.source.bytes.get(begin.checked_add(offset)?..));
                let data =
                    data.ok_or_else(|| self.fault(tag.start, "the array's offset is not in the file"))?;
                self.unpack(data, base64, scalar, tag.start)?
            }
            other => return Err(self.fault(tag.start, format!("format {} is not known", shown(other)))),
        };
        self.charge(bytes.len() / scalar.bytes(), tag.start)?;
        let decode = |n: &[u8]| scalar.decode(n, self.head.encoding).map_or(f64::NAN, |n| n.real());
        Ok(bytes.chunks_exact(scalar.bytes()).map(decode).collect())
    }

    /// Takes the memory of some numbers from what there may be.
    fn charge(&mut self, numbers: usize, at: usize) -> Result<(), IoError> {
        let left = self.budget.checked_sub(numbers.saturating_mul(8));
        let fault = "the arrays are many times as large as the file; save it without compression";
        self.budget = left.ok_or_else(|| self.source.too_large(Place::Byte(at), fault))?;
        Ok(())
    }

    /// The bytes of an array behind its header.
    fn unpack(&self, data: &[u8], base64: bool, scalar: Scalar, at: usize) -> Result<Vec<u8>, IoError> {
        let (source, head) = (self.source, self.head);
        let short = || source.truncated(Place::Byte(at), "the numbers of an array are missing");
        let take = |count: usize| {
            if base64 { decode_base64(data, count) } else { data.get(..count).map(<[u8]>::to_vec) }
        };
        let size = head.header.bytes();
        let value = |bytes: &[u8], n: usize| {
            let found = head.header.decode(bytes.get(n * size..)?, head.encoding)?;
            usize::try_from(found.whole()).ok()
        };
        let first = take(size).and_then(|bytes| value(&bytes, 0)).ok_or_else(short)?;
        if !head.zlib {
            if first > data.len() {
                return Err(short());
            }
            let all = take(size + first).ok_or_else(short)?;
            return Ok(all[size..].to_vec());
        }
        // Blocks, their size, that of the last one, and what each is compressed to.
        if first > data.len() / size {
            return Err(short());
        }
        let begin = size * (3 + first);
        let header = take(begin).ok_or_else(short)?;
        let block = value(&header, 1).ok_or_else(short)?;
        let packed: Option<Vec<usize>> = (0..first).map(|n| value(&header, 3 + n)).collect();
        let packed = packed.ok_or_else(short)?;
        let total =
            packed.iter().try_fold(begin, |sum, &n| sum.checked_add(n)).filter(|&n| n <= data.len() + begin);
        let all = total.and_then(take).ok_or_else(short)?;
        let (mut out, mut from) = (Vec::new(), begin);
        for length in packed {
            let piece = &all[from..from + length];
            from += length;
            let left = (self.budget * scalar.bytes() / 8).saturating_sub(out.len());
            let most = block.min(length.saturating_mul(MOST_INFLATION)).min(left);
            let found = miniz_oxide::inflate::decompress_to_vec_zlib_with_limit(piece, most);
            let found =
                found.map_err(|fault| self.fault(at, format!("an array cannot be unpacked: {fault}")))?;
            out.extend(found);
        }
        Ok(out)
    }
}

/// The next tag from `at` on; the place of one that does not end is the error.
fn next_tag(bytes: &[u8], at: usize) -> Option<Result<Tag<'_>, usize>> {
    let mut at = at;
    loop {
        let start = at + bytes.get(at..)?.iter().position(|&b| b == b'<')?;
        if bytes[start..].starts_with(b"<!--") {
            at = start + bytes[start..].windows(3).position(|w| w == b"-->")? + 3;
            continue;
        }
        // Attributes may hold a closing bracket.
        let (mut quote, mut end) = (None, None);
        for (n, &byte) in bytes[start..].iter().enumerate() {
            match (quote, byte) {
                (None, b'>') => {
                    end = Some(start + n);
                    break;
                }
                (None, b'"' | b'\'') => quote = Some(byte),
                (Some(open), _) if open == byte => quote = None,
                _ => {}
            }
        }
        let Some(end) = end else { return Some(Err(start)) };
        let inside = &bytes[start + 1..end];
        let name_end = inside.iter().position(u8::is_ascii_whitespace).unwrap_or(inside.len());
        let name = inside[..name_end].strip_suffix(b"/").unwrap_or(&inside[..name_end]);
        return Some(Ok(Tag { name, attributes: attributes(&inside[name_end..]), start, end: end + 1 }));
    }
}

/// `name="value"` pairs.
fn attributes(mut text: &[u8]) -> Vec<(&[u8], &[u8])> {
    let mut found = Vec::new();
    while let Some(equals) = text.iter().position(|&b| b == b'=') {
        let name = text[..equals].trim_ascii();
        let rest = text[equals + 1..].trim_ascii_start();
        let Some((&quote, value)) = rest.split_first() else { break };
        let Some(end) = value.iter().position(|&b| b == quote) else { break };
        found.push((name, &value[..end]));
        text = &value[end + 1..];
    }
    found
}

/// The first `count` bytes of base64, in which padded pieces may follow each other; white space does not count.
fn decode_base64(text: &[u8], count: usize) -> Option<Vec<u8>> {
    let mut out = Vec::with_capacity(count.min(text.len()));
    let (mut bits, mut digits, mut padding) = (0_u32, 0, 0);
    for &byte in text {
        let digit = match byte {
            b'A'..=b'Z' => byte - b'A',
            b'a'..=b'z' => byte - b'a' + 26,
            b'0'..=b'9' => byte - b'0' + 52,
            b'+' => 62,
            b'/' => 63,
            b'=' => {
                padding += 1;
                0
            }
            _ if byte.is_ascii_whitespace() => continue,
            _ => return None,
        };
        bits = bits << 6 | u32::from(digit);
        digits += 1;
        if digits == 4 {
            let [_, a, b, c] = bits.to_be_bytes();
            out.extend(&[a, b, c][..3_usize.saturating_sub(padding)]);
            (bits, digits, padding) = (0, 0, 0);
            if out.len() >= count {
                out.truncate(count);
                return Some(out);
            }
        }
    }
    (count == 0).then_some(out)
}

/// The arrays of a piece of the grid.
#[derive(Default)]
struct Piece {
    points: Vec<f64>,
    connectivity: Vec<f64>,
    offsets: Vec<f64>,
    types: Vec<f64>,
}

impl Piece {
    fn add_to(self, raw: &mut RawVolume, source: &Source<'_>) -> Result<(), IoError> {
        // Whole numbers up to 2⁵³ are exact; what is none names no vertex.
        let whole = |n: f64| if n.fract() == 0.0 && n.abs() < 9e15 { n as i64 } else { -1 };
        let first = raw.positions.len() as i64;
        raw.positions.extend(self.points.as_chunks::<3>().0.iter().map(|&p| DVec3::from_array(p)));
        let own = raw.positions.len() as i64 - first;
        if self.types.len() != self.offsets.len() {
            let fault =
                format!("there are {} cells and {} types of cells", self.offsets.len(), self.types.len());
            return Err(source.syntax(Place::File, fault));
        }
        let vertex = |&n: &f64| if (0..own).contains(&whole(n)) { first + whole(n) } else { -1 };
        let cells = Cells {
            connectivity: self.connectivity.iter().map(vertex).collect(),
            ends: self.offsets.iter().map(|&n| usize::try_from(whole(n)).unwrap_or(usize::MAX)).collect(),
        };
        let types: Vec<i64> = self.types.iter().map(|&n| whole(n)).collect();
        cells.tetrahedra(&types, raw).map_err(|fault| source.syntax(Place::File, fault))
    }
}
