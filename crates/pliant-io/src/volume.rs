//! Reading a tetrahedral mesh of any format.

use crate::cursor::Cursor;
use crate::error::{IoError, Place};
use crate::raw::to_f32;
use crate::read::{Source, Warnings, folder_of, read_file};
use crate::{medit, msh, tetgen, vtk, vtu};
use pliant::geometry::{TetMending, TetMesh};
use pliant::glam::DVec3;
use std::fmt;
use std::path::Path;

/// A file format of tetrahedral meshes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum VolumeFormat {
    /// Gmsh MSH 2 and 4: text or binary.
    Msh,
    /// VTK legacy, an unstructured grid: text or binary.
    Vtk,
    /// VTK XML, an unstructured grid: text, base64 or raw, also compressed with zlib.
    Vtu,
    /// TetGen: a `.node` and an `.ele` file.
    TetGen,
    /// Medit `.mesh`, text.
    Medit,
}

impl fmt::Display for VolumeFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Msh => "MSH",
            Self::Vtk => "VTK",
            Self::Vtu => "VTU",
            Self::TetGen => "TetGen",
            Self::Medit => "Medit",
        })
    }
}

impl VolumeFormat {
    /// All of them.
    pub const ALL: [Self; 5] = [Self::Msh, Self::Vtk, Self::Vtu, Self::TetGen, Self::Medit];

    /// What the ending of a file's name says.
    pub fn from_path(path: &Path) -> Option<Self> {
        let ending = path.extension()?.to_str()?.to_ascii_lowercase();
        Some(match ending.as_str() {
            "msh" => Self::Msh,
            "vtk" => Self::Vtk,
            "vtu" => Self::Vtu,
            "node" | "ele" => Self::TetGen,
            "mesh" => Self::Medit,
            _ => return None,
        })
    }

    /// What a file's content is, or else its name says.
    fn sniff(bytes: &[u8], path: &Path) -> Option<Self> {
        let start = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes).trim_ascii_start();
        let begins = |with: &[u8]| start.get(..with.len()).is_some_and(|s| s.eq_ignore_ascii_case(with));
        let xml = begins(b"<") && start[..start.len().min(2000)].windows(8).any(|w| w == b"<VTKFile");
        match () {
            () if begins(b"$MeshFormat") => Some(Self::Msh),
            () if begins(b"# vtk DataFile") => Some(Self::Vtk),
            () if xml => Some(Self::Vtu),
            () if begins(b"MeshVersionFormatted") => Some(Self::Medit),
            () => Self::from_path(path),
        }
    }
}

/// A tetrahedral mesh from a file.
#[derive(Clone, Debug)]
pub struct LoadedVolume {
    /// The mesh; passes [`TetMesh::validate`], no tetrahedron is inverted or degenerate.
    pub mesh: TetMesh,
    /// What the content turned out to be.
    pub format: VolumeFormat,
    /// What was put right.
    pub mended: TetMending,
    /// What was left out or put right, in plain words.
    pub warnings: Vec<String>,
}

/// Reads a tetrahedral mesh; the content decides about the format, then the name's ending. Of TetGen's two files either may be named.
///
/// # Errors
/// An [`IoError`] that names the file, the place and the fault.
pub fn read_volume(path: impl AsRef<Path>) -> Result<LoadedVolume, IoError> {
    let path = path.as_ref();
    let bytes = read_file(path)?;
    let format = VolumeFormat::sniff(&bytes, path).ok_or_else(|| unknown(path))?;
    let source = Source { file: path, bytes: &bytes, base_dir: Some(folder_of(path)) };
    if format == VolumeFormat::TetGen {
        let (raw, warnings) = tetgen::read(&source)?;
        return raw.finish(&source, format, warnings);
    }
    parse(&source, format)
}

/// Whether a file is one of tetrahedra, by its content or else its name.
pub fn is_volume(path: impl AsRef<Path>) -> bool {
    let path = path.as_ref();
    let mut start = Vec::new();
    let file = std::fs::File::open(path).map(|file| std::io::Read::take(file, 4096));
    let read = file.and_then(|mut file| std::io::Read::read_to_end(&mut file, &mut start));
    read.is_ok() && VolumeFormat::sniff(&start, path).is_some()
}

/// Reads a tetrahedral mesh from memory; both files of TetGen behind each other, the nodes first.
///
/// # Errors
/// As [`read_volume`]; the file is called `<memory>`.
pub fn parse_volume(bytes: &[u8], format: VolumeFormat) -> Result<LoadedVolume, IoError> {
    parse(&Source { file: Path::new("<memory>"), bytes, base_dir: None }, format)
}

fn parse(source: &Source<'_>, format: VolumeFormat) -> Result<LoadedVolume, IoError> {
    if source.bytes.is_empty() {
        return Err(IoError::EmptyFile { file: source.file.to_path_buf() });
    }
    let mut warnings = Warnings::default();
    let mut cursor = Cursor::new(source);
    let raw = match format {
        VolumeFormat::Msh => msh::parse(&mut cursor)?,
        VolumeFormat::Vtk => vtk::parse(&mut cursor)?,
        VolumeFormat::Vtu => vtu::parse(source, &mut warnings)?,
        VolumeFormat::Medit => medit::parse(source)?,
        VolumeFormat::TetGen => tetgen::parse(source)?,
    };
    raw.finish(source, format, warnings)
}

fn unknown(path: &Path) -> IoError {
    let looks_like = "this is no tetrahedral mesh (MSH, VTK, VTU, TetGen or Medit)".to_owned();
    IoError::UnknownFormat { file: path.to_path_buf(), looks_like }
}

/// A tetrahedral mesh as a loader found it.
#[derive(Default)]
pub(crate) struct RawVolume {
    pub name: String,
    pub positions: Vec<DVec3>,
    /// What the file calls each vertex; empty if it counts them from `first`.
    pub names: Vec<i64>,
    pub first: i64,
    /// Corners as the file names them.
    pub tetrahedra: Vec<[i64; 4]>,
    /// Tetrahedra of higher order among them.
    pub higher_order: usize,
    /// Cells that are no tetrahedra, left out.
    pub others: usize,
}

impl RawVolume {
    /// The mesh, or what is wrong with it.
    pub fn finish(
        self,
        source: &Source<'_>,
        format: VolumeFormat,
        mut warnings: Warnings,
    ) -> Result<LoadedVolume, IoError> {
        let count = self.positions.len();
        if self.tetrahedra.is_empty() {
            let found = format!("{count} vertices, {} cells of other kinds", self.others);
            return Err(IoError::NoTetrahedra { file: source.file.to_path_buf(), found });
        }
        let number = self.numbering();
        let mut tetrahedra = Vec::with_capacity(self.tetrahedra.len());
        for (at, corners) in self.tetrahedra.iter().enumerate() {
            let mut own = [0; 4];
            for (own, &name) in own.iter_mut().zip(corners) {
                let found = number(name).filter(|&vertex| (vertex as usize) < count);
                let place = Place::Element("tetrahedron", at);
                *own = found.ok_or_else(|| source.out_of_range(place, "vertices", name, count))?;
            }
            tetrahedra.push(own);
        }
        let mut positions = self.positions;
        if let Some(vertex) = positions.iter().position(|p| !p.is_finite()) {
            let used = tetrahedra.iter().flatten().any(|&v| !positions[v as usize].is_finite());
            if used {
                return Err(source.not_finite(Place::File, vertex));
            }
            positions.iter_mut().filter(|p| !p.is_finite()).for_each(|p| *p = DVec3::ZERO);
        }
        let (origin, positions) = to_f32(positions, source)?;
        let mut mesh = TetMesh { name: self.name, origin, positions, tetrahedra };
        let mended = mesh.mend();
        if mesh.tetrahedra.is_empty() {
            let found = format!("{} degenerate ones", mended.degenerate);
            return Err(IoError::NoTetrahedra { file: source.file.to_path_buf(), found });
        }
        mesh.validate().map_err(|fault| IoError::Mesh { file: source.file.to_path_buf(), source: fault })?;
        if self.higher_order > 0 {
            warnings.push(format!(
                "{} tetrahedra of higher order: only their corners are used",
                self.higher_order
            ));
        }
        if self.others > 0 {
            warnings.push(format!("{} cells that are no tetrahedra left out", self.others));
        }
        mended.to_string().lines().for_each(|line| warnings.push(line));
        Ok(LoadedVolume { mesh, format, mended, warnings: warnings.into_list() })
    }

    /// Which vertex a name is.
    fn numbering(&self) -> impl Fn(i64) -> Option<u32> + use<> {
        let first = self.first;
        let mut by_name: Vec<(i64, u32)> = self.names.iter().copied().zip(0..).collect();
        by_name.sort_unstable();
        move |name| {
            if by_name.is_empty() {
                return name.checked_sub(first).and_then(|n| u32::try_from(n).ok());
            }
            let at = by_name.binary_search_by_key(&name, |&(name, _)| name).ok()?;
            Some(by_name[at].1)
        }
    }
}
