//! What can go wrong with a file: which file, where in it, what is wrong, what to do.

use pliant::geometry::MeshError;
use std::fmt;
use std::path::PathBuf;

/// Where in a file a fault is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// The file as a whole.
    File,
    /// A line of a text file, counted from 1.
    Line(usize),
    /// An offset into a binary file.
    Byte(usize),
    /// The n-th thing of its kind, counted from 0.
    Element(&'static str, usize),
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File => Ok(()),
            Self::Line(line) => write!(f, ", line {line}"),
            Self::Byte(byte) => write!(f, ", byte {byte}"),
            Self::Element(kind, index) => write!(f, ", {kind} {index}"),
        }
    }
}

/// Why a mesh could not be read or written. Every message names the file.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum IoError {
    /// There is no such file.
    #[error("{}: there is no such file", file.display())]
    NotFound {
        /// The file.
        file: PathBuf,
    },
    /// A folder was given instead of a file.
    #[error("{}: this is a directory, a file is needed", file.display())]
    IsDirectory {
        /// The folder.
        file: PathBuf,
    },
    /// The operating system does not let us.
    #[error("{}: permission denied; check who may {action} it", file.display())]
    PermissionDenied {
        /// The file.
        file: PathBuf,
        /// `read` or `write`.
        action: &'static str,
    },
    /// Any other refusal of the operating system.
    #[error("{}: cannot {action} it: {source}", file.display())]
    Os {
        /// The file.
        file: PathBuf,
        /// `read` or `write`.
        action: &'static str,
        /// What the system said.
        source: std::io::Error,
    },
    /// The file has 0 bytes.
    #[error("{}: the file is empty (0 bytes)", file.display())]
    EmptyFile {
        /// The file.
        file: PathBuf,
    },
    /// The content is of no format that Pliant reads.
    #[error("{}: {looks_like}; Pliant reads OBJ, PLY, STL, OFF, glTF and GLB", file.display())]
    UnknownFormat {
        /// The file.
        file: PathBuf,
        /// What the content looks like.
        looks_like: String,
    },
    /// The name asks for a format that Pliant does not write.
    #[error("{}: Pliant writes .obj, .ply and .glb, and .msh and .vtu of tetrahedra; choose one of these endings", file.display())]
    UnknownOutput {
        /// The file.
        file: PathBuf,
    },
    /// The content breaks its format's rules.
    #[error("{}{place}: {fault}", file.display())]
    Syntax {
        /// The file.
        file: PathBuf,
        /// Where.
        place: Place,
        /// What is wrong.
        fault: String,
    },
    /// The file ends too early.
    #[error("{}{place}: the file is cut short: {fault}", file.display())]
    Truncated {
        /// The file.
        file: PathBuf,
        /// Where.
        place: Place,
        /// What is missing.
        fault: String,
    },
    /// A face names something that is not there.
    #[error("{}{place}: index {index} is out of range, there are {count} {what}", file.display())]
    IndexOutOfRange {
        /// The file.
        file: PathBuf,
        /// The face.
        place: Place,
        /// What is named.
        what: &'static str,
        /// The index as written in the file.
        index: i64,
        /// How many there are.
        count: usize,
    },
    /// A coordinate is NaN or infinite.
    #[error("{}{place}: vertex {vertex} is not finite (NaN or infinite)", file.display())]
    NotFinite {
        /// The file.
        file: PathBuf,
        /// Where.
        place: Place,
        /// The vertex, counted from 0.
        vertex: usize,
    },
    /// A number or a claim is too large to be honoured.
    #[error("{}{place}: {fault}", file.display())]
    TooLarge {
        /// The file.
        file: PathBuf,
        /// Where.
        place: Place,
        /// What is too large, and the remedy.
        fault: String,
    },
    /// A file of volumes without any that can be used.
    #[error("{}: there are no tetrahedra in it ({found})", file.display())]
    NoTetrahedra {
        /// The file.
        file: PathBuf,
        /// What is in it.
        found: String,
    },
    /// There is nothing to simulate.
    #[error("{}: there are no triangles in it ({found})", file.display())]
    NoTriangles {
        /// The file.
        file: PathBuf,
        /// What was found instead.
        found: String,
    },
    /// The frames of an animation do not fit its mesh or its times.
    #[error("{}, mesh {mesh}, frame {frame}: {fault}", file.display())]
    Animation {
        /// The file.
        file: PathBuf,
        /// Which mesh.
        mesh: usize,
        /// Which frame.
        frame: usize,
        /// What is wrong.
        fault: String,
    },
    /// The mesh's arrays do not fit each other.
    #[error("{}: {source}", file.display())]
    Mesh {
        /// The file.
        file: PathBuf,
        /// The fault.
        source: MeshError,
    },
}

impl IoError {
    /// The file that the error is about.
    pub fn file(&self) -> &std::path::Path {
        match self {
            Self::NotFound { file }
            | Self::IsDirectory { file }
            | Self::PermissionDenied { file, .. }
            | Self::Os { file, .. }
            | Self::EmptyFile { file }
            | Self::UnknownFormat { file, .. }
            | Self::UnknownOutput { file }
            | Self::Syntax { file, .. }
            | Self::Truncated { file, .. }
            | Self::IndexOutOfRange { file, .. }
            | Self::NotFinite { file, .. }
            | Self::TooLarge { file, .. }
            | Self::NoTriangles { file, .. }
            | Self::NoTetrahedra { file, .. }
            | Self::Animation { file, .. }
            | Self::Mesh { file, .. } => file,
        }
    }

    /// What the operating system's answer means for a file.
    pub(crate) fn from_os(file: &std::path::Path, action: &'static str, source: std::io::Error) -> Self {
        let file = file.to_path_buf();
        match source.kind() {
            std::io::ErrorKind::NotFound => Self::NotFound { file },
            std::io::ErrorKind::PermissionDenied => Self::PermissionDenied { file, action },
            std::io::ErrorKind::IsADirectory => Self::IsDirectory { file },
            _ => Self::Os { file, action, source },
        }
    }
}
