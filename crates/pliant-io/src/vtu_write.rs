//! VTK XML files for ParaView: an unstructured grid with data at its points, and the list of a series of them.

use pliant::geometry::TetMesh;
use pliant::glam::DVec3;
use std::fmt::Write;

/// Points, what they are joined to, and what is known at them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Grid {
    /// Positions in meters.
    pub points: Vec<DVec3>,
    /// Cells that are tetrahedra.
    pub tetrahedra: Vec<[u32; 4]>,
    /// Cells that are triangles.
    pub triangles: Vec<[u32; 3]>,
    /// Cells that are lines.
    pub lines: Vec<[u32; 2]>,
    /// Numbers at the points.
    pub point_data: Vec<GridArray>,
    /// Numbers of the cells: tetrahedra first, then triangles, then lines.
    pub cell_data: Vec<GridArray>,
}

/// A number, or several, for each point or cell of a [`Grid`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GridArray {
    /// What it is called.
    pub name: String,
    /// Numbers each: 1 for scalars, 3 for vectors, 9 for tensors.
    pub components: usize,
    /// All of them.
    pub values: Vec<f32>,
}

impl From<&TetMesh> for Grid {
    fn from(mesh: &TetMesh) -> Self {
        let points = mesh.positions.iter().map(|p| p.as_dvec3() + mesh.origin).collect();
        Self { points, tetrahedra: mesh.tetrahedra.clone(), ..Self::default() }
    }
}

impl Grid {
    fn cells(&self) -> impl Iterator<Item = (&[u32], u8)> {
        let tetrahedra = self.tetrahedra.iter().map(|corners| (&corners[..], 10));
        let triangles = self.triangles.iter().map(|corners| (&corners[..], 5));
        tetrahedra.chain(triangles).chain(self.lines.iter().map(|corners| (&corners[..], 3)))
    }
}

/// A grid as a `.vtu` file: numbers are appended as raw bytes.
pub fn vtu_bytes(grid: &Grid) -> Vec<u8> {
    let mut file = VtuFile::default();
    let cells = grid.cells().count();
    file.head.push_str("<?xml version=\"1.0\"?>\n<VTKFile type=\"UnstructuredGrid\" version=\"1.0\" ");
    file.head.push_str("byte_order=\"LittleEndian\" header_type=\"UInt64\">\n<UnstructuredGrid>\n");
    file.line(&format!("<Piece NumberOfPoints=\"{}\" NumberOfCells=\"{cells}\">", grid.points.len()));
    for (section, arrays) in [("PointData", &grid.point_data), ("CellData", &grid.cell_data)] {
        file.line(&format!("<{section}>"));
        for array in arrays {
            let values = array.values.iter().flat_map(|value| value.to_le_bytes());
            file.array("Float32", &array.name, array.components, values);
        }
        file.line(&format!("</{section}>"));
    }
    file.line("<Points>");
    let points = grid.points.iter().flat_map(|p| p.to_array()).flat_map(f64::to_le_bytes);
    file.array("Float64", "Points", 3, points);
    file.line("</Points>\n<Cells>");
    let corners = grid.cells().flat_map(|(corners, _)| corners).flat_map(|&v| i64::from(v).to_le_bytes());
    file.array("Int64", "connectivity", 1, corners);
    let mut end = 0_i64;
    let ends = grid.cells().flat_map(|(corners, _)| {
        end += corners.len() as i64;
        end.to_le_bytes()
    });
    file.array("Int64", "offsets", 1, ends);
    file.array("UInt8", "types", 1, grid.cells().map(|(_, kind)| kind));
    file.head.push_str("</Cells>\n</Piece>\n</UnstructuredGrid>\n<AppendedData encoding=\"raw\">\n_");
    let mut bytes = file.head.into_bytes();
    bytes.extend(file.data);
    bytes.extend(b"\n</AppendedData>\n</VTKFile>\n");
    bytes
}

#[derive(Default)]
struct VtuFile {
    head: String,
    data: Vec<u8>,
}

impl VtuFile {
    fn line(&mut self, text: &str) {
        self.head.push_str(text);
        self.head.push('\n');
    }

    fn array(&mut self, kind: &str, name: &str, components: usize, values: impl Iterator<Item = u8>) {
        let (name, offset) = (escaped(name), self.data.len());
        self.line(&format!(
            "<DataArray type=\"{kind}\" Name=\"{name}\" NumberOfComponents=\"{components}\" format=\"appended\" \
             offset=\"{offset}\"/>"
        ));
        self.data.extend([0; 8]);
        self.data.extend(values);
        let count = (self.data.len() - offset - 8) as u64;
        self.data[offset..offset + 8].copy_from_slice(&count.to_le_bytes());
    }
}

/// The `.pvd` file of a series: each file with its time in seconds.
pub fn pvd_bytes(files: &[(f64, String)]) -> Vec<u8> {
    let mut out = String::from(
        "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"0.1\">\n<Collection>\n",
    );
    for (time, file) in files {
        // Writing to a string does not fail.
        let _ = writeln!(out, "<DataSet timestep=\"{time}\" file=\"{}\"/>", escaped(file));
    }
    out.push_str("</Collection>\n</VTKFile>\n");
    out.into_bytes()
}

/// Text for an attribute.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            c if c.is_control() => out.push('_'),
            c => out.push(c),
        }
    }
    out
}
