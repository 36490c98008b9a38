//! `--export`: the skins of a run as a file, or its nodes as a series of them.

use crate::Failure;
use crate::run::{check_writable, has_ending};
use crate::series::Series;
use pliant::TriMesh;
use pliant::glam::Vec3;
use pliant_io::scene::Scene;
use pliant_io::{write_file, write_mesh};
use pliant_studio::{Motion, painted};
use std::path::{Path, PathBuf};

/// Skins on their way into a file.
pub struct Export {
    path: PathBuf,
    kind: Kind,
}

/// What is kept of the frames.
enum Kind {
    /// The last one.
    Last,
    /// The motion of the skins, for a file that can hold it.
    Motion(Motion),
    /// A file each.
    Series(Series),
}

impl Export {
    /// Prepares for a file; its ending chooses the format.
    pub fn to(path: &Path) -> Result<Self, Failure> {
        check_writable(path)?;
        let kind = match () {
            () if has_ending(path, &["glb"]) => Kind::Motion(Motion::default()),
            () if has_ending(path, &["vtu"]) => Kind::Series(Series::new(path)),
            () if has_ending(path, &["obj", "ply"]) => Kind::Last,
            () => {
                let known = ".glb (with the motion), .obj, .ply, and .vtu (the nodes of each frame)";
                return Err(Failure::input(format!("{}: --export writes {known}", path.display())));
            }
        };
        Ok(Self { path: path.into(), kind })
    }

    /// Keeps the bodies as they are now.
    pub fn frame(&mut self, scene: &Scene) -> Result<(), Failure> {
        match &mut self.kind {
            Kind::Last => {}
            Kind::Motion(motion) => motion.frame(&scene.world),
            Kind::Series(series) => series.frame(scene)?,
        }
        Ok(())
    }

    /// Writes the file; returns what could not be kept.
    pub fn finish(self, scene: &Scene) -> Result<Vec<String>, Failure> {
        match self.kind {
            Kind::Last => write_mesh(&self.path, &merged(scene)).map_err(Failure::input),
            Kind::Series(series) => series.finish(),
            Kind::Motion(motion) => {
                let (bytes, warnings) = motion.glb().map_err(Failure::input)?;
                write_file(&self.path, &bytes).map_err(Failure::input)?;
                Ok(warnings)
            }
        }
    }
}

/// The file to open: of a series, the list of its files.
pub fn written(path: &Path) -> PathBuf {
    if has_ending(path, &["vtu"]) { path.with_extension("pvd") } else { path.into() }
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
