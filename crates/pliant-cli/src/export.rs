//! `--export`: the skins of a run as a file.

use crate::Failure;
use crate::run::{check_writable, has_ending};
use pliant::TriMesh;
use pliant::glam::Vec3;
use pliant_io::scene::Scene;
use pliant_io::{AnimatedMesh, Frame, write_animated_glb, write_mesh};
use std::path::{Path, PathBuf};

/// Frames of an animation at most: what common viewers hold as morph targets.
const MOST_FRAMES: usize = 250;

/// Skins on their way into a file.
pub struct Export {
    path: PathBuf,
    animated: bool,
    /// For each body its frames.
    bodies: Vec<Vec<Frame>>,
    times_secs: Vec<f32>,
    /// Every n-th frame is kept.
    every: usize,
    seen: usize,
}

impl Export {
    /// Prepares for a file; its ending chooses the format.
    pub fn to(path: &Path) -> Result<Self, Failure> {
        if !has_ending(path, &["glb", "obj", "ply"]) {
            let fault = format!("{}: --export writes .glb (with the motion), .obj and .ply", path.display());
            return Err(Failure::input(fault));
        }
        check_writable(path)?;
        let animated = has_ending(path, &["glb"]);
        Ok(Self {
            path: path.into(),
            animated,
            bodies: Vec::new(),
            times_secs: Vec::new(),
            every: 1,
            seen: 0,
        })
    }

    /// Keeps the skins as they are now.
    pub fn frame(&mut self, scene: &Scene) {
        let index = self.seen;
        self.seen += 1;
        if !self.animated || !index.is_multiple_of(self.every) {
            return;
        }
        if self.times_secs.len() == MOST_FRAMES {
            // Too many: every second one goes, from here on too.
            self.every *= 2;
            halve(&mut self.times_secs);
            self.bodies.iter_mut().for_each(halve);
            if !index.is_multiple_of(self.every) {
                return;
            }
        }
        self.times_secs.push(scene.world.time_secs() as f32);
        self.bodies.resize(scene.world.bodies().count(), Vec::new());
        for (frames, (_, body)) in self.bodies.iter_mut().zip(scene.world.bodies()) {
            frames.push(Frame {
                translation: body.nodes.origin,
                positions: body.skin().positions.clone(),
                normals: body.skin().normals.clone(),
            });
        }
    }

    /// Writes the file; returns what could not be kept.
    pub fn finish(self, scene: &Scene) -> Result<Vec<String>, Failure> {
        if !self.animated {
            return write_mesh(&self.path, &merged(scene)).map_err(Failure::input);
        }
        let meshes: Vec<TriMesh> =
            scene.world.bodies().enumerate().map(|(i, (_, body))| painted(body, i)).collect();
        let animated: Vec<AnimatedMesh> =
            meshes.iter().zip(self.bodies).map(|(mesh, frames)| AnimatedMesh { mesh, frames }).collect();
        write_animated_glb(&self.path, &animated, &self.times_secs).map_err(Failure::input)
    }
}

fn halve<T>(items: &mut Vec<T>) {
    let mut index = 0;
    items.retain(|_| {
        index += 1;
        index % 2 == 1
    });
}

/// A body's mesh, with a colour of its own if it has none.
fn painted(body: &pliant::Body, index: usize) -> TriMesh {
    let mut mesh = TriMesh::clone(&body.rest().mesh);
    mesh.name.clone_from(&body.name);
    if mesh.paints.is_empty() && mesh.colors.is_empty() {
        let [r, g, b] = pliant_studio::body_color(index);
        let base_color = [r, g, b, 1.0];
        mesh.paints.push(pliant::geometry::Paint { base_color, roughness: 0.4, ..Default::default() });
    }
    mesh
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
