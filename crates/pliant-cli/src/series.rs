//! `--export OUT.vtu`: the nodes of each frame as a file for ParaView, and a `.pvd` file that lists them with their times.
//!
//! At each node: `displacement` from where it was in the first frame (from where its body has it at rest, moved along with the body, for
//! nodes that came later), `velocity`, `strain`, `body`, and `stress` of models that tell it. Edges are what material joins.

use crate::Failure;
use pliant::glam::{DVec3, Mat3, Vec3};
use pliant::{Body, BodyHandle};
use pliant_io::scene::Scene;
use pliant_io::{Grid, GridArray, pvd_bytes, vtu_bytes, write_file};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Files that have been written, and what displacements are measured from.
pub struct Series {
    path: PathBuf,
    files: Vec<(f64, String)>,
    /// Where the nodes of each body were first, and the version of the body that has them.
    first: BTreeMap<BodyHandle, (u64, Vec<DVec3>)>,
}

impl Series {
    /// A series beside `path`: `NAME-00000.vtu` and so on, and `NAME.pvd`.
    pub fn new(path: &Path) -> Self {
        Self { path: path.into(), files: Vec::new(), first: BTreeMap::new() }
    }

    /// Writes a frame.
    pub fn frame(&mut self, scene: &Scene) -> Result<(), Failure> {
        let number = self.files.len();
        let stem = self.path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let name = format!("{stem}-{number:05}.vtu");
        let grid = self.grid(scene);
        write_file(self.path.with_file_name(&name), &vtu_bytes(&grid)).map_err(Failure::input)?;
        self.files.push((number as f64 * f64::from(scene.dt_secs), name));
        Ok(())
    }

    /// Writes the list.
    pub fn finish(self) -> Result<Vec<String>, Failure> {
        write_file(self.path.with_extension("pvd"), &pvd_bytes(&self.files)).map_err(Failure::input)?;
        Ok(Vec::new())
    }

    fn grid(&mut self, scene: &Scene) -> Grid {
        let array = |name: &str, components| GridArray { name: name.into(), components, values: Vec::new() };
        let mut grid = Grid::default();
        let (mut displacement, mut velocity) = (array("displacement", 3), array("velocity", 3));
        let (mut strain, mut stress, mut number) = (array("strain", 1), array("stress", 9), array("body", 1));
        let mut has_stress = false;
        for (at, (handle, body)) in scene.world.bodies().enumerate() {
            let before = grid.points.len() as u32;
            let rest = &body.rest().nodes;
            for node in 0..body.nodes.positions.len() {
                let place = body.nodes.world_position(node);
                grid.points.push(place);
                velocity.values.extend(body.nodes.velocities[node].to_array());
                strain.values.push(body.node_strain(node));
                let found = body.model.stress(rest, node);
                has_stress |= found.is_some();
                stress.values.extend(found.unwrap_or(Mat3::ZERO).to_cols_array());
                number.values.push(at as f32);
            }
            displacement.values.extend(self.displacements(handle, body).iter().flat_map(|d| d.to_array()));
            grid.lines.extend(body.edges().iter().map(|edge| edge.map(|node| node + before)));
        }
        grid.point_data = vec![displacement, velocity, strain, number];
        if has_stress {
            grid.point_data.push(stress);
        }
        grid
    }

    /// How far the nodes of a body have come.
    fn displacements(&mut self, handle: BodyHandle, body: &Body) -> Vec<Vec3> {
        let count = body.nodes.positions.len();
        let places = || (0..count).map(|node| body.nodes.world_position(node));
        let (version, first) =
            self.first.entry(handle).or_insert_with(|| (body.version(), places().collect()));
        if *version != body.version() || first.len() != count {
            // Other nodes than in the first frame: what is left is how the body is deformed.
            let rest = &body.rest().nodes;
            let (center, _) = rest.mean_motion(&body.nodes);
            let turned = body.model.rotation();
            let home = |node: usize| center + (turned * (rest.rest_positions[node] - rest.middle)).as_dvec3();
            return (0..count)
                .map(|node| (body.nodes.positions[node].as_dvec3() - home(node)).as_vec3())
                .collect();
        }
        places().zip(first).map(|(now, first)| (now - *first).as_vec3()).collect()
    }
}
