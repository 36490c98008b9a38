//! The motion of skins, for files that other programs play.

use crate::body_color;
use crate::kin::{Colors, cut_paint};
use pliant::geometry::Paint;
use pliant::glam::Vec3;
use pliant::{Body, BodyHandle, TriMesh, World};
use pliant_io::{AnimatedMesh, Frame, IoError, animated_glb_bytes};
use std::sync::Arc;

/// Frames of an animation at most: what common viewers hold as morph targets.
const MOST_FRAMES: usize = 250;
/// Frames that a shape must last to be kept, if the body has another after it: a knife makes a new one with every step.
const LEAST_FRAMES: usize = 6;

/// The motion of all skins of a world.
#[derive(Debug)]
pub struct Motion {
    shapes: Vec<Moving>,
    colors: Colors,
    times_secs: Vec<f32>,
    /// Every n-th frame is kept.
    every: usize,
    seen: usize,
}

/// A body as long as it has one and the same mesh.
#[derive(Debug)]
struct Moving {
    body: BodyHandle,
    /// By which it is known again.
    of: Arc<TriMesh>,
    mesh: TriMesh,
    /// When it was first seen.
    first: usize,
    frames: Vec<Frame>,
}

impl Default for Motion {
    fn default() -> Self {
        let (shapes, colors) = (Vec::new(), Colors::default());
        Self { shapes, colors, times_secs: Vec::new(), every: 1, seen: 0 }
    }
}

impl Motion {
    /// Keeps the skins as they are now. Of too many frames every second one goes, and from then on too.
    pub fn frame(&mut self, world: &World) {
        let index = self.seen;
        self.seen += 1;
        self.colors.meet(world);
        if !index.is_multiple_of(self.every) {
            return;
        }
        if self.times_secs.len() == MOST_FRAMES {
            self.every *= 2;
            halve(&mut self.times_secs, 0);
            for shape in &mut self.shapes {
                halve(&mut shape.frames, shape.first % 2);
                shape.first = shape.first.div_ceil(2);
            }
            self.shapes.retain(|shape| !shape.frames.is_empty());
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
            let mesh = &body.rest().mesh;
            let known = self.shapes.iter_mut().find(|shape| {
                // Shapes that a body had before it had another do not come back.
                shape.body == handle
                    && Arc::ptr_eq(&shape.of, mesh)
                    && shape.first + shape.frames.len() == now
            });
            match known {
                Some(shape) => shape.frames.push(frame),
                None => self.shapes.push(Moving {
                    body: handle,
                    of: mesh.clone(),
                    mesh: painted(body, self.colors.number(handle).unwrap_or(i)),
                    first: now,
                    frames: vec![frame],
                }),
            }
        }
    }

    /// The motion as an animated GLB, and what could not be kept. A shape that was not there all the time is a point before and
    /// after.
    ///
    /// # Errors
    /// If there is nothing to write, or too much.
    pub fn glb(self) -> Result<(Vec<u8>, Vec<String>), IoError> {
        let Self { shapes, times_secs, .. } = self;
        let count = times_secs.len();
        let is_brief = |i: &usize| {
            let later = shapes[i + 1..].iter().any(|shape| shape.body == shapes[*i].body);
            later && shapes[*i].frames.len() < LEAST_FRAMES
        };
        let (brief, lasting): (Vec<usize>, Vec<usize>) = (0..shapes.len()).partition(is_brief);
        let animated: Vec<AnimatedMesh> = lasting
            .iter()
            .map(|&i| {
                let shape = &shapes[i];
                let next = lasting
                    .iter()
                    .map(|&j| &shapes[j])
                    .find(|other| other.body == shape.body && other.first > shape.first);
                // What follows a shape after briefer ones follows it at once.
                let until = match next {
                    Some(next) => next.first,
                    None => shape.first + shape.frames.len(),
                };
                AnimatedMesh { mesh: &shape.mesh, frames: shape.whole(until, count) }
            })
            .collect();
        let (bytes, mut warnings) = animated_glb_bytes(&animated, &times_secs)?;
        if !brief.is_empty() {
            let brief = brief.len();
            warnings.push(format!(
                "{brief} shapes that bodies had for a moment while they were cut are left out of the film"
            ));
        }
        Ok((bytes, warnings))
    }
}

impl Moving {
    /// All frames of a film of that many: a point before the shape is there and from `until` on.
    fn whole(&self, until: usize, count: usize) -> Vec<Frame> {
        let (Some(begin), Some(end)) = (self.frames.first(), self.frames.last()) else {
            return vec![Frame::default(); count];
        };
        let point = |frame: &Frame| Frame {
            positions: vec![middle(&frame.positions); frame.positions.len()],
            ..frame.clone()
        };
        let mut all = vec![point(begin); self.first.min(count)];
        all.extend(self.frames.iter().cloned());
        all.resize(until.clamp(all.len(), count), end.clone());
        all.resize(count, point(end));
        all
    }
}

fn middle(positions: &[Vec3]) -> Vec3 {
    positions.iter().sum::<Vec3>() / positions.len().max(1) as f32
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
    let [r, g, b] = body_color(index);
    let own = Paint { base_color: [r, g, b, 1.0], roughness: 0.4, ..Default::default() };
    if mesh.colors.is_empty() {
        match mesh.paints.first_mut() {
            None => mesh.paints.push(own),
            // Cut faces have a paint, and what is not cut has none.
            Some(first) if *first == Paint::default() => *first = own,
            Some(_) => {}
        }
    }
    // A viewer multiplies paints with the colours of vertices.
    let cut = cut_paint(body);
    let faces = mesh.triangles.iter().zip(&mesh.triangle_paints);
    for vertex in faces.filter(|(_, paint)| cut == Some(**paint as usize)).flat_map(|(corners, _)| corners) {
        if let Some(color) = mesh.colors.get_mut(*vertex as usize) {
            *color = [1.0; 4];
        }
    }
    mesh
}
