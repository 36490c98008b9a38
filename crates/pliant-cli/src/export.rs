//! `--export`: the skins of a run as a file.

use crate::Failure;
use crate::run::{check_writable, has_ending};
use pliant::TriMesh;
use pliant::glam::Vec3;
use pliant_io::scene::Scene;
use pliant_io::{write_file, write_mesh};
use pliant_studio::{Motion, painted};
use std::path::{Path, PathBuf};

/// Skins on their way into a file.
pub struct Export {
    path: PathBuf,
    /// The motion, for a file that can hold it.
    motion: Option<Motion>,
}

impl Export {
    /// Prepares for a file; its ending chooses the format.
    pub fn to(path: &Path) -> Result<Self, Failure> {
        if !has_ending(path, &["glb", "obj", "ply"]) {
            let fault = format!("{}: --export writes .glb (with the motion), .obj and .ply", path.display());
            return Err(Failure::input(fault));
        }
        check_writable(path)?;
        Ok(Self { path: path.into(), motion: has_ending(path, &["glb"]).then(Motion::default) })
    }

    /// Keeps the skins as they are now.
    pub fn frame(&mut self, scene: &Scene) {
        if let Some(motion) = &mut self.motion {
            motion.frame(&scene.world);
        }
    }

    /// Writes the file; returns what could not be kept.
    pub fn finish(self, scene: &Scene) -> Result<Vec<String>, Failure> {
        let Some(motion) = self.motion else {
            return write_mesh(&self.path, &merged(scene)).map_err(Failure::input);
        };
        let (bytes, warnings) = motion.glb().map_err(Failure::input)?;
        write_file(&self.path, &bytes).map_err(Failure::input)?;
        Ok(warnings)
    }
}

/// All skins as they are now in one mesh, relative to the first body's origin.
fn merged(scene: &Scene) -> TriMesh {
    let bodies: Vec<_> = scene.world.bodies().map(|(_, body)| body).collect();
    let mut all = TriMesh { name: scene.name.clone(), ..TriMesh::default() };
    let far = bodies.first().map(|body| body.nodes.origin).filter(|origin| origin.length() > 1e3);
    all.origin = far.unwrap_or_default();
    let has_uvs = bodies.iter().all(|body| !body.rest().mesh.uvs.is_empty());
    for (i, body) in bodies.iter().enumerate() {
        let mesh = painted(body, i);
        let first = all.positions.len() as u32;
        let offset: Vec3 = (body.nodes.origin - all.origin).as_vec3();
        all.positions.extend(body.skin().positions.iter().map(|p| *p + offset));
        all.normals.extend(&body.skin().normals);
        all.triangles.extend(mesh.triangles.iter().map(|t| t.map(|v| v + first)));
        if has_uvs {
            all.uvs.extend(&mesh.uvs);
        }
        let first_paint = all.paints.len() as u32;
        let paint_of = |t: usize| first_paint + mesh.triangle_paints.get(t).copied().unwrap_or(0);
        all.triangle_paints.extend((0..mesh.triangles.len()).map(paint_of));
        all.paints.extend(if mesh.paints.is_empty() {
            vec![Default::default()]
        } else {
            mesh.paints.clone()
        });
    }
    all
}
