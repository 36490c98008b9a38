//! Reading a mesh of any format.

use crate::error::{IoError, Place};
use crate::format::{Format, sniff};
use crate::{gltf, obj, off, ply, stl};
use pliant::geometry::TriMesh;
use std::fs;
use std::path::{Component, Path, PathBuf};

/// Files of this many bytes and more are refused, so that every count in a file fits `u32`.
const FILE_LIMIT: u64 = u32::MAX as u64;
/// More warnings than this are only counted: a hostile file must not fill memory with them.
const WARNING_LIMIT: usize = 50;

/// A mesh from a file.
#[derive(Clone, Debug)]
pub struct Loaded {
    /// The mesh; passes [`TriMesh::validate`].
    pub mesh: TriMesh,
    /// What the content turned out to be, whatever the file's name says.
    pub format: Format,
    /// What was left out or put right, in plain words.
    pub warnings: Vec<String>,
}

/// Reads a mesh; the content decides about the format, then the name's ending.
///
/// # Errors
/// An [`IoError`] that names the file, the place and the fault.
pub fn read_mesh(path: impl AsRef<Path>) -> Result<Loaded, IoError> {
    let path = path.as_ref();
    let bytes = read_file(path)?;
    let by_name = Format::from_path(path);
    let format = sniff(&bytes, by_name)
        .map_err(|looks_like| IoError::UnknownFormat { file: path.to_path_buf(), looks_like })?;
    let source = Source { file: path, bytes: &bytes, base_dir: Some(folder_of(path)) };
    let mut warnings = Warnings::default();
    if let Some(name) = by_name.filter(|name| !name.same_family(format)) {
        warnings.push(format!("the name says {name}, the content is {format}: read as {format}"));
    }
    parse(&source, format, warnings)
}

/// Reads a mesh from memory that has a name but no place, as from a browser; the content decides about the format, then the
/// name's ending. Files that it refers to are not looked for.
///
/// # Errors
/// As [`read_mesh`].
pub fn read_mesh_bytes(name: &str, bytes: &[u8]) -> Result<Loaded, IoError> {
    let file = Path::new(name);
    let format = sniff(bytes, Format::from_path(file))
        .map_err(|looks_like| IoError::UnknownFormat { file: file.to_path_buf(), looks_like })?;
    parse(&Source { file, bytes, base_dir: None }, format, Warnings::default())
}

/// Reads a mesh from memory. Files that it refers to are looked for in `base_dir` and nowhere else.
///
/// # Errors
/// As [`read_mesh`]; the file is called `<memory>`.
pub fn parse_mesh(bytes: &[u8], format: Format, base_dir: Option<&Path>) -> Result<Loaded, IoError> {
    let source = Source { file: Path::new("<memory>"), bytes, base_dir };
    parse(&source, format, Warnings::default())
}

fn parse(source: &Source<'_>, format: Format, mut warnings: Warnings) -> Result<Loaded, IoError> {
    if source.bytes.is_empty() {
        return Err(IoError::EmptyFile { file: source.file.to_path_buf() });
    }
    if source.bytes.len() as u64 >= FILE_LIMIT {
        return Err(source.too_large(Place::File, "files of 4 GiB and more are not read; split it"));
    }
    let raw = match format {
        Format::Obj => obj::parse(source, &mut warnings)?,
        Format::Ply => ply::parse(source, &mut warnings)?,
        Format::Stl => stl::parse(source, &mut warnings)?,
        Format::Off => off::parse(source, &mut warnings)?,
        Format::Gltf | Format::Glb => gltf::parse(source, &mut warnings)?,
    };
    let mesh = raw.finish(source, &mut warnings)?;
    Ok(Loaded { mesh, format, warnings: warnings.into_list() })
}

/// The text of a scene file.
pub(crate) fn read_text(path: &Path) -> Result<String, IoError> {
    String::from_utf8(read_file(path)?).map_err(|fault| IoError::Syntax {
        file: path.to_path_buf(),
        place: Place::Byte(fault.utf8_error().valid_up_to()),
        fault: "this is not UTF-8 text".into(),
    })
}

pub(crate) fn read_file(path: &Path) -> Result<Vec<u8>, IoError> {
    let os = |e| IoError::from_os(path, "read", e);
    let about = fs::metadata(path).map_err(os)?;
    if about.is_dir() {
        return Err(IoError::IsDirectory { file: path.to_path_buf() });
    }
    if !about.is_file() {
        let source = std::io::Error::other("it is not a regular file");
        return Err(IoError::Os { file: path.to_path_buf(), action: "read", source });
    }
    if about.len() == 0 {
        return Err(IoError::EmptyFile { file: path.to_path_buf() });
    }
    if about.len() >= FILE_LIMIT {
        let fault = format!("the file has {} bytes; 4 GiB and more are not read; split it", about.len());
        return Err(IoError::TooLarge { file: path.to_path_buf(), place: Place::File, fault });
    }
    let bytes = fs::read(path).map_err(os)?;
    if bytes.is_empty() {
        return Err(IoError::EmptyFile { file: path.to_path_buf() });
    }
    Ok(bytes)
}

pub(crate) fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// The bytes of a file and where they came from.
pub(crate) struct Source<'a> {
    pub file: &'a Path,
    pub bytes: &'a [u8],
    /// Where files that this one names may lie.
    pub base_dir: Option<&'a Path>,
}

impl Source<'_> {
    pub fn syntax(&self, place: Place, fault: impl Into<String>) -> IoError {
        IoError::Syntax { file: self.file.to_path_buf(), place, fault: fault.into() }
    }

    pub fn truncated(&self, place: Place, fault: impl Into<String>) -> IoError {
        IoError::Truncated { file: self.file.to_path_buf(), place, fault: fault.into() }
    }

    pub fn too_large(&self, place: Place, fault: impl Into<String>) -> IoError {
        IoError::TooLarge { file: self.file.to_path_buf(), place, fault: fault.into() }
    }

    pub fn no_triangles(&self, found: impl Into<String>) -> IoError {
        IoError::NoTriangles { file: self.file.to_path_buf(), found: found.into() }
    }

    pub fn not_finite(&self, place: Place, vertex: usize) -> IoError {
        IoError::NotFinite { file: self.file.to_path_buf(), place, vertex }
    }

    pub fn out_of_range(&self, place: Place, what: &'static str, index: i64, count: usize) -> IoError {
        IoError::IndexOutOfRange { file: self.file.to_path_buf(), place, what, index, count }
    }

    /// Reads a file that this one names; it must lie in or below the base folder.
    pub fn read_neighbour(&self, name: &str) -> Result<Vec<u8>, String> {
        fs::read(self.find_neighbour(name)?).map_err(|e| e.to_string())
    }

    /// The true path of a file that this one names.
    pub fn find_neighbour(&self, name: &str) -> Result<PathBuf, String> {
        let base = self.base_dir.ok_or("the mesh comes from memory, other files are not looked for")?;
        let relative = PathBuf::from(name.replace('\\', "/"));
        if relative.components().any(|c| !matches!(c, Component::Normal(_) | Component::CurDir)) {
            return Err("it is not below the mesh's own folder".to_owned());
        }
        let say = |e: std::io::Error| e.to_string();
        let path = base.join(relative).canonicalize().map_err(say)?;
        if !path.starts_with(base.canonicalize().map_err(say)?) {
            return Err("a link leads out of the mesh's own folder".to_owned());
        }
        let about = fs::metadata(&path).map_err(say)?;
        if !about.is_file() || about.len() >= FILE_LIMIT {
            return Err("it is not a regular file below 4 GiB".to_owned());
        }
        Ok(path)
    }
}

/// Findings that do not stop the reading.
#[derive(Default)]
pub(crate) struct Warnings {
    list: Vec<String>,
    left_out: usize,
}

impl Warnings {
    pub fn push(&mut self, text: impl Into<String>) {
        if self.list.len() < WARNING_LIMIT {
            self.list.push(text.into());
        } else {
            self.left_out += 1;
        }
    }

    pub fn into_list(mut self) -> Vec<String> {
        if self.left_out > 0 {
            self.list.push(format!("and {} more", self.left_out));
        }
        self.list
    }
}

/// The same finding at many places: how often, and where first.
#[derive(Default)]
pub(crate) struct Tally {
    count: usize,
    first_line: usize,
}

impl Tally {
    pub fn add(&mut self, line: usize) {
        if self.count == 0 {
            self.first_line = line;
        }
        self.count += 1;
    }

    /// One warning for all, if there was any.
    pub fn report(&self, warnings: &mut Warnings, what: &str) {
        if self.count > 0 {
            warnings.push(format!("{} {what} (first on line {})", self.count, self.first_line));
        }
    }
}
