//! Which format a file has: by its content first, by its name second.

use std::fmt;
use std::path::Path;

/// A mesh file format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Format {
    /// Wavefront OBJ, with its MTL.
    Obj,
    /// Stanford PLY: text, or binary of either byte order.
    Ply,
    /// Stereolithography STL: text or binary.
    Stl,
    /// Geomview OFF: text or binary.
    Off,
    /// glTF 2.0 as JSON.
    Gltf,
    /// glTF 2.0 in one binary file.
    Glb,
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Obj => "OBJ",
            Self::Ply => "PLY",
            Self::Stl => "STL",
            Self::Off => "OFF",
            Self::Gltf => "glTF",
            Self::Glb => "GLB",
        })
    }
}

impl Format {
    /// What the ending of a file's name says.
    pub fn from_path(path: &Path) -> Option<Self> {
        let ending = path.extension()?.to_str()?.to_ascii_lowercase();
        Some(match ending.as_str() {
            "obj" => Self::Obj,
            "ply" => Self::Ply,
            "stl" => Self::Stl,
            "off" | "coff" | "noff" | "cnoff" => Self::Off,
            "gltf" => Self::Gltf,
            "glb" => Self::Glb,
            _ => return None,
        })
    }

    /// glTF and GLB are read alike.
    pub(crate) fn same_family(self, other: Self) -> bool {
        let family = |f| if f == Self::Glb { Self::Gltf } else { f };
        family(self) == family(other)
    }
}

/// Beginnings of what people rename by mistake, with what to say.
const FOREIGN: &[(&[u8], &str)] = &[
    (b"\x1f\x8b", "this is gzip-compressed data; unpack it first"),
    (b"PK\x03\x04", "this is a ZIP archive (3MF, USDZ or the like); unpack or convert it first"),
    (b"BZh", "this is bzip2-compressed data; unpack it first"),
    (b"\xfd7zXZ\0", "this is xz-compressed data; unpack it first"),
    (b"\x28\xb5\x2f\xfd", "this is Zstandard-compressed data; unpack it first"),
    (b"7z\xbc\xaf\x27\x1c", "this is a 7-Zip archive; unpack it first"),
    (b"\x89PNG", "this is a PNG picture, not a mesh"),
    (b"\xff\xd8\xff", "this is a JPEG picture, not a mesh"),
    (b"GIF8", "this is a GIF picture, not a mesh"),
    (b"%PDF", "this is a PDF document, not a mesh"),
    (
        b"version https://git-lfs",
        "this is a Git LFS pointer, not the file itself; fetch it with `git lfs pull`",
    ),
    (b"$MeshFormat", "this is a Gmsh file, of a volume; `pliant mesh` says what is in it"),
    (b"# vtk DataFile", "this is a VTK file; `pliant mesh` says which volume is in it"),
    (b"Kaydara FBX", "this is an FBX file; convert it first"),
    (b"BLENDER", "this is a Blender file; export a mesh from it"),
    (b"\x7fELF", "this is a program, not a mesh"),
    (b"<", "this is XML or a web page (COLLADA, X3D, VTU, an error page?); convert or fetch it anew"),
];

/// How far into a text we look for a sign of its format, in bytes.
const LOOK_AHEAD: usize = 1 << 16;

/// The format of some content, or what it looks like instead.
pub(crate) fn sniff(bytes: &[u8], by_name: Option<Format>) -> Result<Format, String> {
    let text = skip_blank(bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes));
    if bytes.starts_with(b"glTF") {
        return Ok(Format::Glb);
    }
    if text.starts_with(b"ply") && text.get(3).is_some_and(u8::is_ascii_whitespace) {
        return Ok(Format::Ply);
    }
    if crate::stl::is_exact_binary(bytes) {
        return Ok(Format::Stl);
    }
    for (beginning, says) in FOREIGN {
        if bytes.starts_with(beginning) || (beginning.len() > 8 && text.starts_with(beginning)) {
            return Err((*says).to_owned());
        }
    }
    let start = &text[..text.len().min(LOOK_AHEAD)];
    if text.starts_with(b"{") {
        return Ok(Format::Gltf);
    }
    if crate::stl::looks_like_text(start) {
        return Ok(Format::Stl);
    }
    if crate::off::has_keyword(start) {
        return Ok(Format::Off);
    }
    if looks_like_obj(start) {
        return Ok(Format::Obj);
    }
    let control = start.iter().take(1024).filter(|b| **b < 9 || (14..32).contains(*b)).count();
    match by_name {
        // Any bytes may be a binary STL: its own reader says what is missing.
        Some(Format::Stl) => Ok(Format::Stl),
        Some(name @ (Format::Obj | Format::Off | Format::Gltf)) if control > 20 => {
            Err(format!("the name says {name}, but this is unknown binary data"))
        }
        Some(name) => Ok(name),
        None if control > 0 => Err("this is binary data of an unknown kind".to_owned()),
        None => Err("this is text of an unknown kind".to_owned()),
    }
}

fn skip_blank(bytes: &[u8]) -> &[u8] {
    let blank = bytes.iter().take(LOOK_AHEAD).take_while(|b| b.is_ascii_whitespace()).count();
    &bytes[blank..]
}

/// A line `v x y z` with numbers is the sign of an OBJ; nothing else has it.
fn looks_like_obj(start: &[u8]) -> bool {
    start.split(|&b| b == b'\n' || b == b'\r').any(|line| {
        let mut words = line.split(u8::is_ascii_whitespace).filter(|w| !w.is_empty());
        words.next() == Some(b"v") && {
            let numbers = words.take(3).filter(|w| crate::text::number(w).is_ok()).count();
            numbers == 3
        }
    })
}
