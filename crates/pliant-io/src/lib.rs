//! Meshes and scenes in and out of files, one file a format.
//!
//! [`read_mesh`] looks at a file's content first and at its name second, and never panics, whatever the bytes
//! are; memory stays within a small multiple of the file's size, whatever counts its header claims.
//! [`write_mesh`] and [`write_animated_glb`] write beside the target and rename, so a failed write leaves
//! nothing half done.
//!
//! [`read_volume`] and [`write_volume`] are the same for tetrahedral meshes.
//!
//! Coordinates are read as `f64`. A mesh that lies so far from zero that `f32` would lose its shape gets a
//! [`TriMesh::origin`](pliant::geometry::TriMesh) of its own.
//!
//! ```no_run
//! # fn main() -> Result<(), pliant_io::IoError> {
//! let loaded = pliant_io::read_mesh("bunny.obj")?;
//! for warning in &loaded.warnings {
//!     eprintln!("{warning}");
//! }
//! pliant_io::write_mesh("bunny.glb", &loaded.mesh)?;
//! # Ok(())
//! # }
//! ```

// States are the same on every machine.
#![warn(clippy::disallowed_methods)]

mod color;
mod cursor;
mod error;
mod format;
mod glb_animation;
mod glb_write;
mod gltf;
mod gltf_accessor;
mod gltf_buffers;
mod gltf_paints;
mod gltf_schema;
mod medit;
mod msh;
mod msh_write;
mod mtl;
mod obj;
mod obj_write;
mod off;
mod ply;
mod ply_header;
mod ply_write;
mod polygon;
mod raw;
mod read;
pub mod scene;
mod stl;
mod tetgen;
mod text;
mod volume;
mod volume_write;
mod vtk;
mod vtu;
mod vtu_write;
mod write;

pub use error::{IoError, Place};
pub use format::Format;
pub use glb_animation::{AnimatedMesh, Frame, animated_glb_bytes, write_animated_glb};
pub use read::{Loaded, parse_mesh, read_mesh, read_mesh_bytes};
pub use volume::{LoadedVolume, VolumeFormat, is_volume, parse_volume, read_volume};
pub use volume_write::write_volume;
pub use vtu_write::{Grid, GridArray, pvd_bytes, vtu_bytes};
pub use write::{write_file, write_mesh};
