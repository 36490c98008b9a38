//! The motion of skins, for files that other programs play.

use crate::body_color;
use pliant::geometry::Paint;
use pliant::{Body, BodyHandle, TriMesh, World};
use pliant_io::{AnimatedMesh, Frame, IoError, animated_glb_bytes};

/// Frames of an animation at most: what common viewers hold as morph targets.
const MOST_FRAMES: usize = 250;

/// The motion of all skins of a world.
#[derive(Debug)]
pub struct Motion {
    /// For each body that was seen its mesh, when it was first seen, and its frames.
    bodies: Vec<(BodyHandle, TriMesh, usize, Vec<Frame>)>,
    times_secs: Vec<f32>,
    /// Every n-th frame is kept.
    every: usize,
    seen: usize,
}

impl Default for Motion {
    fn default() -> Self {
        Self { bodies: Vec::new(), times_secs: Vec::new(), every: 1, seen: 0 }
    }
}

impl Motion {
    /// Keeps the skins as they are now. Of too many frames every second one goes, and from then on too.
    pub fn frame(&mut self, world: &World) {
        let index = self.seen;
        self.seen += 1;
        if !index.is_multiple_of(self.every) {
            return;
        }
        if self.times_secs.len() == MOST_FRAMES {
            self.every *= 2;
            halve(&mut self.times_secs, 0);
            for (_, _, first, frames) in &mut self.bodies {
                halve(frames, *first % 2);
                *first = first.div_ceil(2);
            }
            if !index.is_multiple_of(self.every) {
                return;
            }
        }
        let now = self.times_secs.len();
        self.times_secs.push(world.time_secs() as f32);
        for (i, (handle, body)) in world.bodies().enumerate() {
            let frame = Frame {
                translation: body.nodes.origin,
                positions: body.skin().positions.clone(),
                normals: body.skin().normals.clone(),
            };
            let known = self.bodies.iter_mut().find(|(known, mesh, _, _)| {
                *known == handle && mesh.positions.len() == body.skin().positions.len()
            });
            match known {
                Some((_, _, _, frames)) => frames.push(frame),
                None => self.bodies.push((handle, painted(body, i), now, vec![frame])),
            }
        }
    }

    /// The motion as an animated GLB, and what could not be kept. A body that was not there all the time stands still before
    /// and after.
    ///
    /// # Errors
    /// If there is nothing to write, or too much.
    pub fn glb(self) -> Result<(Vec<u8>, Vec<String>), IoError> {
        let count = self.times_secs.len();
        let whole = |first: usize, frames: Vec<Frame>| -> Vec<Frame> {
            let (Some(begin), Some(end)) = (frames.first().cloned(), frames.last().cloned()) else {
                return vec![Frame::default(); count];
            };
            let mut all = vec![begin; first.min(count)];
            all.extend(frames);
            all.resize(count, end);
            all
        };
        let meshes: Vec<(TriMesh, Vec<Frame>)> =
            self.bodies.into_iter().map(|(_, mesh, first, frames)| (mesh, whole(first, frames))).collect();
        let animated: Vec<AnimatedMesh> =
            meshes.iter().map(|(mesh, frames)| AnimatedMesh { mesh, frames: frames.clone() }).collect();
        animated_glb_bytes(&animated, &self.times_secs)
    }
}

/// Keeps every second one, beginning with the first or the second.
fn halve<T>(items: &mut Vec<T>, from: usize) {
    let mut index = from;
    items.retain(|_| {
        index += 1;
        index % 2 == 1
    });
}

/// A body's mesh, with a colour of its own if it has none.
pub fn painted(body: &Body, index: usize) -> TriMesh {
    let mut mesh = TriMesh::clone(&body.rest().mesh);
    mesh.name.clone_from(&body.name);
    if mesh.paints.is_empty() && mesh.colors.is_empty() {
        let [r, g, b] = body_color(index);
        mesh.paints.push(Paint { base_color: [r, g, b, 1.0], roughness: 0.4, ..Default::default() });
    }
    mesh
}
