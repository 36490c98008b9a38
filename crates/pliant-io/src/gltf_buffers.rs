//! The bytes of a glTF: the chunks of a GLB, `data:` URIs and files beside it.

use crate::error::{IoError, Place};
use crate::gltf_schema::Document;
use crate::read::{Source, Warnings};
use base64::Engine;
use base64::engine::general_purpose::GeneralPurpose;
use base64::engine::{DecodePaddingMode, GeneralPurposeConfig};
use std::borrow::Cow;
use std::collections::HashMap;
use std::path::PathBuf;

/// Accepts base64 with and without its padding.
const BASE64: GeneralPurpose = GeneralPurpose::new(
    &base64::alphabet::STANDARD,
    GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent),
);

/// The JSON text and the binary chunk of a glTF or GLB.
pub(crate) fn split_chunks<'a>(
    source: &Source<'a>,
    warnings: &mut Warnings,
) -> Result<(&'a [u8], Option<&'a [u8]>), IoError> {
    let bytes = source.bytes;
    if !bytes.starts_with(b"glTF") {
        return Ok((bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes), None));
    }
    let word = |at: usize| bytes.get(at..)?.first_chunk::<4>().map(|b| u32::from_le_bytes(*b));
    let (Some(version), Some(length)) = (word(4), word(8)) else {
        return Err(source.truncated(Place::File, "a GLB header has 12 bytes"));
    };
    if version != 2 {
        return Err(source.syntax(Place::Byte(4), format!("this is GLB version {version}, only 2 is read")));
    }
    if length as usize != bytes.len() {
        warnings.push(format!("the header says {length} bytes, the file has {}", bytes.len()));
    }
    let (mut at, mut json, mut binary) = (12, None, None);
    while let (Some(size), Some(kind)) = (word(at), word(at + 4)) {
        let size = size as usize;
        let Some(chunk) = bytes.get(at + 8..).and_then(|rest| rest.get(..size)) else {
            let there = bytes.len() - at - 8;
            let fault = format!("a chunk of {size} bytes is promised, {there} are there");
            return Err(source.truncated(Place::Byte(at), fault));
        };
        match kind {
            0x4E4F_534A if json.is_none() => json = Some(chunk),
            0x004E_4942 if binary.is_none() => binary = Some(chunk),
            _ => {}
        }
        at += 8 + size;
    }
    let json = json.ok_or_else(|| source.truncated(Place::Byte(at), "the JSON chunk is missing"))?;
    Ok((json, binary))
}

/// The bytes of every buffer, in order.
pub(crate) fn load<'a>(
    source: &Source<'a>,
    document: &Document,
    binary: Option<&'a [u8]>,
) -> Result<Vec<Cow<'a, [u8]>>, IoError> {
    let mut buffers: Vec<Cow<'a, [u8]>> = Vec::with_capacity(document.buffers.len());
    // A file is read once, however many buffers name it.
    let mut seen: HashMap<PathBuf, usize> = HashMap::new();
    for (index, buffer) in document.buffers.iter().enumerate() {
        let place = Place::Element("buffer", index);
        let bytes: Cow<'a, [u8]> = match buffer.uri.as_deref() {
            None if index == 0 => Cow::Borrowed(binary.unwrap_or_default()),
            None => Cow::Borrowed(&[]),
            Some(uri) if uri.starts_with("data:") => match decode_data_uri(uri) {
                Some((_, bytes)) => Cow::Owned(bytes),
                None => return Err(source.syntax(place, "its data: URI cannot be decoded")),
            },
            Some(uri) => {
                let name = percent_decoded(uri);
                let refuse = |why| {
                    source.syntax(Place::Element("buffer", index), format!("'{name}' cannot be read: {why}"))
                };
                let path = source.find_neighbour(&name).map_err(refuse)?;
                if seen.contains_key(&path) {
                    return Err(refuse("two buffers name the same file".to_owned()));
                }
                let bytes = std::fs::read(&path).map_err(|e| refuse(e.to_string()))?;
                seen.insert(path, index);
                Cow::Owned(bytes)
            }
        };
        if (bytes.len() as u64) < buffer.byte_length {
            let fault = format!("{} bytes are promised, {} are there", buffer.byte_length, bytes.len());
            return Err(source.truncated(place, fault));
        }
        buffers.push(bytes);
    }
    Ok(buffers)
}

/// The media type and the bytes of `data:image/png;base64,…`.
pub(crate) fn decode_data_uri(uri: &str) -> Option<(&str, Vec<u8>)> {
    let (about, data) = uri.strip_prefix("data:")?.split_once(',')?;
    match about.strip_suffix(";base64") {
        Some(media_type) => Some((media_type, BASE64.decode(data).ok()?)),
        None => Some((about, percent_bytes(data))),
    }
}

/// `my%20mesh.bin` → `my mesh.bin`.
pub(crate) fn percent_decoded(uri: &str) -> String {
    String::from_utf8_lossy(&percent_bytes(uri)).into_owned()
}

/// The other way round, for names of files.
pub(crate) fn percent_encoded(path: &str) -> String {
    let keep = |b: u8| b.is_ascii_alphanumeric() || b"-._~/".contains(&b);
    let mut out = String::with_capacity(path.len());
    for byte in path.replace('\\', "/").bytes() {
        if keep(byte) {
            out.push(byte.into());
        } else {
            out.push_str(&format!("%{byte:02X}"));
        }
    }
    out
}

fn percent_bytes(text: &str) -> Vec<u8> {
    let bytes = text.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        let hex = (bytes[at] == b'%').then(|| text.get(at + 1..at + 3)).flatten();
        match hex.filter(|h| !h.starts_with('+')).and_then(|h| u8::from_str_radix(h, 16).ok()) {
            Some(byte) => {
                out.push(byte);
                at += 3;
            }
            None => {
                out.push(bytes[at]);
                at += 1;
            }
        }
    }
    out
}
