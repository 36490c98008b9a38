//! From a simple shape's description to its mesh.

use super::ShapeEntry;
use pliant::TriMesh;
use pliant::geometry::shapes;
use pliant::math::functions::{pow, square};

/// Triangles a shape may be asked to have.
const MOST_TRIANGLES: f64 = 4e6;
/// Cells of a bar's bounding box that are looked at.
const MOST_CELLS: f64 = 1e8;

impl ShapeEntry {
    /// The mesh of the shape.
    ///
    /// # Errors
    /// If a length is not above 0 or the shape would be too fine.
    pub fn mesh(&self) -> Result<TriMesh, String> {
        let (lengths, triangles) = match *self {
            Self::Box { size, cells } => {
                let [x, y, z] = cells.map(f64::from);
                (size.to_array().to_vec(), 4.0 * (x * y + y * z + z * x))
            }
            Self::Sphere { radius, subdivisions } => (vec![radius], 20.0 * pow(4.0, f64::from(subdivisions))),
            Self::Cylinder { radius, height, around, along }
            | Self::Capsule { radius, height, around, along } => {
                (vec![radius, height], 2.0 * f64::from(around) * (f64::from(along) + f64::from(around)))
            }
            Self::Torus { major, minor, around, across } => {
                (vec![major, minor], 2.0 * f64::from(around) * f64::from(across))
            }
            Self::TorusKnot { major, minor, tube_radius, around, across, .. } => {
                (vec![major, minor, tube_radius], 2.0 * f64::from(around) * f64::from(across))
            }
            Self::LBar { arm_length, width, depth, cell } => {
                let cells = |a: f32| f64::from(a / cell);
                let area = cells(arm_length) * (cells(width) + cells(depth)) * 4.0;
                let all = square(cells(arm_length)) * cells(depth);
                if all > MOST_CELLS {
                    return Err(format!(
                        "about {all:.0e} cells; at most {MOST_CELLS:.0e} are made; use larger cells"
                    ));
                }
                (vec![arm_length, width, depth, cell], 2.0 * area)
            }
        };
        if let Some(length) = lengths.iter().find(|length| !(**length > 0.0 && length.is_finite())) {
            return Err(format!("a length of {length} m; it must be above 0"));
        }
        if triangles.is_nan() || triangles > MOST_TRIANGLES {
            return Err(format!(
                "about {triangles:.0e} triangles; at most {MOST_TRIANGLES:.0e} are made; use a coarser shape"
            ));
        }
        let mesh = match *self {
            Self::Box { size, cells } => shapes::cuboid(size, cells),
            Self::Sphere { radius, subdivisions } => shapes::sphere(radius, subdivisions),
            Self::Cylinder { radius, height, around, along } => {
                shapes::cylinder(radius, height, around, along)
            }
            Self::Capsule { radius, height, around, along } => shapes::capsule(radius, height, around, along),
            Self::Torus { major, minor, around, across } => shapes::torus(major, minor, around, across),
            Self::TorusKnot { p, q, major, minor, tube_radius, around, across } => {
                shapes::torus_knot(p, q, major, minor, tube_radius, around, across)
            }
            Self::LBar { arm_length, width, depth, cell } => shapes::l_bar(arm_length, width, depth, cell),
        };
        if mesh.triangles.is_empty() {
            return Err("these values make a shape without triangles; choose others".into());
        }
        Ok(mesh)
    }
}
