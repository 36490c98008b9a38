//! Balls and rods, each two triangles that face the camera.

use super::bounds::drawable;
use super::bytes::Piece;
use super::meshes::Gpu;
use super::pages::{Pages, Place};
use super::pipelines::attribute;
use super::uploads::Upload;
use crate::Marker;
use std::borrow::Cow;
use wgpu::{VertexAttribute, VertexFormat};

/// Centre, radius, and the colour's square roots.
#[repr(C)]
#[derive(Clone, Copy, bytemuck::Pod, bytemuck::Zeroable)]
struct Ball {
    centre: [f32; 3],
    radius: f32,
    root: [u8; 4],
}

/// One end, radius, the other end, and the colour's square roots.
#[repr(C)]
#[derive(Clone, Copy, bytemuck::Pod, bytemuck::Zeroable)]
struct Rod {
    from: [f32; 3],
    radius: f32,
    to: [f32; 3],
    root: [u8; 4],
}

/// Bytes of a ball and where shaders find its parts.
pub(super) const BALL: (u64, &[VertexAttribute]) = (
    size_of::<Ball>() as u64,
    &[attribute(0, 0, VertexFormat::Float32x4), attribute(2, 16, VertexFormat::Unorm8x4)],
);
/// Bytes of a rod and where shaders find its parts.
pub(super) const ROD: (u64, &[VertexAttribute]) = (
    size_of::<Rod>() as u64,
    &[
        attribute(0, 0, VertexFormat::Float32x4),
        attribute(1, 16, VertexFormat::Float32x3),
        attribute(2, 28, VertexFormat::Unorm8x4),
    ],
);

/// The markers of a frame.
pub(super) struct Markers {
    pages: Pages,
    ball_scratch: Vec<Ball>,
    rod_scratch: Vec<Rod>,
    /// Where they are, and how many.
    pub balls: Option<(Place, u32)>,
    pub rods: Option<(Place, u32)>,
}

impl Markers {
    pub fn new(most: u64) -> Self {
        let pages = Pages::new(wgpu::BufferUsages::VERTEX, most);
        Self { pages, ball_scratch: Vec::new(), rod_scratch: Vec::new(), balls: None, rods: None }
    }

    /// Sends all markers that can be drawn.
    pub fn send(&mut self, gpu: Gpu<'_>, markers: &[Marker]) -> Upload {
        self.ball_scratch.clear();
        self.rod_scratch.clear();
        for marker in markers {
            match *marker {
                Marker::Ball { centre, radius, color } if drawable(centre) && radius > 0.0 => {
                    self.ball_scratch.push(Ball { centre: centre.to_array(), radius, root: root(color) });
                }
                Marker::Line { from, to, radius, color }
                    if drawable(from) && drawable(to) && radius >= 0.0 =>
                {
                    let (from, to) = (from.to_array(), to.to_array());
                    self.rod_scratch.push(Rod { from, radius, to, root: root(color) });
                }
                _ => {}
            }
        }
        let (balls, rods) = (&self.ball_scratch[..], &self.rod_scratch[..]);
        let mut filling = self.pages.fill((size_of_val(balls) + size_of_val(rods)) as u64);
        let balls_at = filling.add(gpu.device, [Piece::of(Cow::Borrowed(balls))]);
        let rods_at = filling.add(gpu.device, [Piece::of(Cow::Borrowed(rods))]);
        self.balls = balls_at.map(|place| (place, balls.len() as u32));
        self.rods = rods_at.map(|place| (place, rods.len() as u32));
        filling.send(gpu.queue)
    }
}

/// Square roots of a colour in bytes: eight bits are enough for dark colours, too.
fn root(color: [f32; 3]) -> [u8; 4] {
    let [r, g, b] = color.map(|c| (c.clamp(0.0, 1.0).sqrt() * 255.0 + 0.5) as u8);
    [r, g, b, 255]
}
