//! Writing a mesh: all or nothing.

use crate::error::IoError;
use crate::{glb_write, obj_write, ply_write};
use pliant::geometry::{Texture, TriMesh};
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

/// Writes a mesh as OBJ, PLY or GLB, by the ending of the name. Returns what could not be kept, in plain words.
///
/// An OBJ with paints gets an MTL beside it; images that came embedded become files beside an OBJ or PLY.
/// Each file is written under another name first and then renamed.
///
/// # Errors
/// [`IoError::Mesh`] when the mesh does not pass [`TriMesh::validate`], [`IoError::UnknownOutput`] for any other
/// ending, or what the operating system says.
pub fn write_mesh(path: impl AsRef<Path>, mesh: &TriMesh) -> Result<Vec<String>, IoError> {
    let path = path.as_ref();
    check(path, mesh)?;
    let ending = path.extension().and_then(|e| e.to_str()).map(str::to_ascii_lowercase);
    let output = match ending.as_deref() {
        Some("obj") => obj_write::write(path, mesh),
        Some("ply") => ply_write::write(path, mesh),
        Some("glb") => glb_write::write(path, mesh)?,
        _ => return Err(IoError::UnknownOutput { file: path.to_path_buf() }),
    };
    output.save()
}

pub(crate) fn check(path: &Path, mesh: &TriMesh) -> Result<(), IoError> {
    mesh.validate().map_err(|source| IoError::Mesh { file: path.to_path_buf(), source })
}

/// Files to write, the main one last.
#[derive(Default)]
pub(crate) struct Output {
    pub files: Vec<(PathBuf, Vec<u8>)>,
    pub warnings: Vec<String>,
}

impl Output {
    pub fn save(self) -> Result<Vec<String>, IoError> {
        for (path, bytes) in &self.files {
            write_file(path, bytes)?;
        }
        Ok(self.warnings)
    }

    /// The file name of a texture; an embedded one becomes a file beside `path`.
    pub fn texture_file(&mut self, path: &Path, index: usize, texture: &Texture) -> String {
        match texture {
            Texture::File(name) => one_line(name),
            Texture::Embedded { media_type, bytes } => {
                let ending = media_type.rsplit('/').next().filter(|e| e.chars().all(char::is_alphanumeric));
                let ending = ending.filter(|e| !e.is_empty()).unwrap_or("png").replace("jpeg", "jpg");
                let name = format!("{}-paint{index}.{ending}", stem(path));
                self.files.push((path.with_file_name(&name), bytes.to_vec()));
                name
            }
        }
    }
}

/// The name without its ending.
pub(crate) fn stem(path: &Path) -> String {
    path.file_stem().map_or_else(|| "mesh".to_owned(), |s| s.to_string_lossy().into_owned())
}

/// A name that cannot break a line-based format.
pub(crate) fn one_line(name: &str) -> String {
    name.trim().chars().map(|c| if c.is_control() { '_' } else { c }).collect()
}

/// Writes bytes under another name first, then renames the file: there is a whole one or none.
///
/// # Errors
/// What the operating system says.
pub fn write_file(path: impl AsRef<Path>, bytes: &[u8]) -> Result<(), IoError> {
    let path = path.as_ref();
    let os = |e| IoError::from_os(path, "write", e);
    if path.is_dir() {
        return Err(IoError::IsDirectory { file: path.to_path_buf() });
    }
    let mut name = std::ffi::OsString::from(".");
    name.push(path.file_name().unwrap_or_default());
    name.push(format!(".{}.tmp", std::process::id()));
    let temporary = path.with_file_name(name);
    let written = fs::File::create(&temporary)
        .and_then(|mut file| file.write_all(bytes).and_then(|()| file.sync_all()))
        .and_then(|()| fs::rename(&temporary, path));
    if written.is_err() {
        // Nothing half done stays behind; that it may not be there at all does not matter.
        let _ = fs::remove_file(&temporary);
    }
    written.map_err(|e| match e.kind() {
        std::io::ErrorKind::NotFound => {
            let source = std::io::Error::other("the folder does not exist; create it first");
            IoError::Os { file: path.to_path_buf(), action: "write", source }
        }
        _ => os(e),
    })
}
