//! Writing a tetrahedral mesh: all or nothing.

use crate::error::IoError;
use crate::vtu_write::{Grid, vtu_bytes};
use crate::{msh_write, write_file};
use pliant::geometry::TetMesh;
use std::path::Path;

/// Writes a tetrahedral mesh as Gmsh MSH 4.1 or VTU, by the ending of the name.
///
/// # Errors
/// [`IoError::Mesh`] when the mesh does not pass [`TetMesh::validate`], [`IoError::UnknownOutput`] for any other ending, or what the
/// operating system says.
pub fn write_volume(path: impl AsRef<Path>, mesh: &TetMesh) -> Result<(), IoError> {
    let path = path.as_ref();
    mesh.validate().map_err(|source| IoError::Mesh { file: path.to_path_buf(), source })?;
    let ending = path.extension().and_then(|e| e.to_str()).map(str::to_ascii_lowercase);
    let bytes = match ending.as_deref() {
        Some("msh") => msh_write::bytes(mesh),
        Some("vtu") => vtu_bytes(&Grid::from(mesh)),
        _ => return Err(IoError::UnknownOutput { file: path.to_path_buf() }),
    };
    write_file(path, &bytes)
}
