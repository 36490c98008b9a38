//! Writing motion as an animated GLB that common viewers play.
//!
//! The first frame is the mesh, every later frame a morph target; one weight is 1 at each key and the viewer
//! blends linearly in between. The body's own motion is a translation of its node. Morph targets are the only
//! way of core glTF to move vertices freely. A file takes about 24 bytes a vertex and frame; some viewers hold
//! 256 targets at most, so leave frames out above that.

use crate::error::IoError;
use crate::glb_write::{Glb, named, unit_normal};
use crate::write::{Output, check};
use pliant::geometry::TriMesh;
use pliant::glam::{DVec3, Vec3};
use serde_json::{Value, json};
use std::path::Path;

/// A body further from zero than this hangs under a node that stands there, so that its motion keeps its
/// digits; in metres, where the step of `f32` reaches a tenth of a millimetre.
const FAR_METRES: f64 = 1000.0;

/// One moment of a moving mesh.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Frame {
    /// Where the body's origin is then, in metres.
    pub translation: DVec3,
    /// A position for every vertex of the mesh, relative to `translation`, in metres.
    pub positions: Vec<Vec3>,
    /// A normal for every vertex, or empty; either way the same in all frames.
    pub normals: Vec<Vec3>,
}

/// A mesh that moves.
#[derive(Clone, Debug)]
pub struct AnimatedMesh<'a> {
    /// Triangles, texture coordinates, colours and paints; its positions and origin are not used.
    pub mesh: &'a TriMesh,
    /// The frames, one for each time.
    pub frames: Vec<Frame>,
}

/// Writes moving meshes. `times_secs` are the times of the frames, rising from 0 or later.
///
/// Returns what could not be kept, in plain words.
///
/// # Errors
/// [`IoError::Animation`] when frames, times and meshes do not fit each other, [`IoError::Mesh`] when a mesh does
/// not pass [`TriMesh::validate`], or what the operating system says.
pub fn write_animated_glb(
    path: impl AsRef<Path>,
    meshes: &[AnimatedMesh<'_>],
    times_secs: &[f32],
) -> Result<Vec<String>, IoError> {
    animated_glb(path.as_ref(), meshes, times_secs)?.save()
}

/// As [`write_animated_glb`], into memory. Also returns what could not be kept.
///
/// # Errors
/// As [`write_animated_glb`].
pub fn animated_glb_bytes(
    meshes: &[AnimatedMesh<'_>],
    times_secs: &[f32],
) -> Result<(Vec<u8>, Vec<String>), IoError> {
    let mut output = animated_glb(Path::new("motion.glb"), meshes, times_secs)?;
    let bytes = output.files.pop().map(|(_, bytes)| bytes).unwrap_or_default();
    Ok((bytes, output.warnings))
}

fn animated_glb(path: &Path, meshes: &[AnimatedMesh<'_>], times_secs: &[f32]) -> Result<Output, IoError> {
    for (index, animated) in meshes.iter().enumerate() {
        check(path, animated.mesh)?;
        if let Err((frame, fault)) = fits(animated, times_secs) {
            return Err(IoError::Animation { file: path.to_path_buf(), mesh: index, frame, fault });
        }
    }
    if meshes.is_empty() {
        let file = path.to_path_buf();
        return Err(IoError::NoTriangles { file, found: "no meshes to write".to_owned() });
    }
    let mut glb = Glb::default();
    let mut motion = Motion::default();
    let times: Vec<[f32; 1]> = times_secs.iter().map(|t| [*t]).collect();
    if times.len() > 1 {
        motion.input = glb.floats(&times, None, true);
    }
    let roots: Vec<usize> = meshes.iter().map(|m| add_mesh(&mut glb, m, &mut motion)).collect();
    if !motion.channels.is_empty() {
        glb.push(
            "animations",
            json!({ "name": "motion", "samplers": motion.samplers, "channels": motion.channels }),
        );
    }
    glb.finish(path, &roots)
}

fn fits(animated: &AnimatedMesh<'_>, times: &[f32]) -> Result<(), (usize, String)> {
    if animated.frames.is_empty() || animated.frames.len() != times.len() {
        let fault = format!("{} frames for {} times; one each is needed", animated.frames.len(), times.len());
        return Err((0, fault));
    }
    let vertices = animated.mesh.positions.len();
    let normals = animated.frames[0].normals.len();
    let mut before = -f32::MIN_POSITIVE;
    for (i, (frame, &time)) in animated.frames.iter().zip(times).enumerate() {
        let wrong = |fault: String| Err((i, fault));
        if !(time.is_finite() && time > before) {
            return wrong(format!("the time {time} s does not follow; times rise from 0 or later"));
        }
        before = time;
        if frame.positions.len() != vertices {
            return wrong(format!("{} positions for {vertices} vertices", frame.positions.len()));
        }
        if frame.normals.len() != normals || (normals != 0 && normals != vertices) {
            return wrong(format!("{} normals for {vertices} vertices", frame.normals.len()));
        }
        let deltas = frame.positions.iter().zip(&animated.frames[0].positions).map(|(p, q)| *p - *q);
        if let Some(v) = deltas.map(Vec3::is_finite).position(|finite| !finite) {
            return wrong(format!("vertex {v} is not finite"));
        }
        if !(frame.translation.is_finite() && frame.translation.as_vec3().is_finite()) {
            return wrong("its translation is not finite".to_owned());
        }
    }
    Ok(())
}

#[derive(Default)]
struct Motion {
    /// The accessor of the times.
    input: usize,
    samplers: Vec<Value>,
    channels: Vec<Value>,
}

impl Motion {
    fn add(&mut self, output: usize, node: usize, path: &str) {
        let sampler = json!({ "input": self.input, "output": output, "interpolation": "LINEAR" });
        self.channels
            .push(json!({ "sampler": self.samplers.len(), "target": { "node": node, "path": path } }));
        self.samplers.push(sampler);
    }
}

/// Adds a mesh, its node and its motion; returns the node that belongs to the scene.
fn add_mesh(glb: &mut Glb, animated: &AnimatedMesh<'_>, motion: &mut Motion) -> usize {
    let AnimatedMesh { mesh, frames } = animated;
    let (first, later) = (&frames[0], &frames[1..]);
    let attributes = glb.vertex_attributes(mesh, &first.positions, &first.normals);
    let targets: Vec<Value> = later.iter().map(|frame| add_target(glb, first, frame)).collect();
    let primitives = glb.primitives(mesh, &attributes, &targets);
    let mut entry = named(&mesh.name, json!({ "primitives": primitives }));
    if !targets.is_empty() {
        entry["weights"] = json!(vec![0.0; targets.len()]);
    }
    let entry = glb.push("meshes", entry);

    let far = first.translation.length() > FAR_METRES;
    let anchor = if far { first.translation } else { DVec3::ZERO };
    let moves: Vec<[f32; 3]> = frames.iter().map(|f| (f.translation - anchor).as_vec3().to_array()).collect();
    let mut node = named(&mesh.name, json!({ "mesh": entry }));
    if moves[0] != [0.0; 3] {
        node["translation"] = json!(moves[0]);
    }
    let node = glb.push("nodes", node);
    if moves.iter().any(|m| *m != moves[0]) {
        let output = glb.floats(&moves, None, false);
        motion.add(output, node, "translation");
    }
    if !targets.is_empty() {
        let output = glb.floats(&weights(frames.len()), None, false);
        motion.add(output, node, "weights");
    }
    match far {
        true => glb.push("nodes", json!({ "children": [node], "translation": anchor.to_array() })),
        false => node,
    }
}

fn add_target(glb: &mut Glb, first: &Frame, frame: &Frame) -> Value {
    let deltas: Vec<Vec3> = frame.positions.iter().zip(&first.positions).map(|(p, q)| *p - *q).collect();
    let mut target = json!({ "POSITION": glb.positions(&deltas) });
    if !frame.normals.is_empty() {
        let pairs = frame.normals.iter().zip(&first.normals);
        let deltas: Vec<Vec3> = pairs.map(|(n, m)| unit_normal(*n) - unit_normal(*m)).collect();
        target["NORMAL"] = json!(glb.normal_deltas(&deltas));
    }
    target
}

/// For each frame the weights of all targets: none for the first frame, its own for each later one.
fn weights(frames: usize) -> Vec<[f32; 1]> {
    let rows = (0..frames).flat_map(|frame| (1..frames).map(move |target| frame == target));
    rows.map(|on| [f32::from(u8::from(on))]).collect()
}
