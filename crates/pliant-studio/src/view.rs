//! What is drawn, and in which light.

use crate::{Camera, Picture, PictureError, render};
use pliant::TriMesh;
use pliant::glam::Vec3;
use std::sync::Arc;

/// A surface to draw; both sides are seen.
///
/// Triangles that name missing vertices or have non-finite corners are left out.
#[derive(Clone, Copy, Debug)]
pub struct Item<'a> {
    /// Vertex positions, in metres from `offset`.
    pub positions: &'a [Vec3],
    /// One unit normal a vertex; with any other length the triangles are shaded flat.
    pub normals: &'a [Vec3],
    /// Corners of each triangle, counter-clockwise seen from outside.
    pub triangles: &'a [[u32; 3]],
    /// One linear RGBA colour a vertex, which replaces `color`; alpha is not used.
    pub colors: Option<&'a [[f32; 4]]>,
    /// Linear colour of the whole item.
    pub color: [f32; 3],
    /// Where the positions' zero is, in metres.
    pub offset: Vec3,
    /// The mesh that `triangles` are of, if it lives longer than the picture: by it, a renderer that keeps buffers finds them
    /// again.
    pub mesh: Option<&'a Arc<TriMesh>>,
    /// A veil over what is inside: of all ghosts only the nearest surface is seen, faint where it faces the eye and clearer
    /// along outlines. Casts its shadow as any other item.
    pub ghost: bool,
}

/// A sign that shows what tools do; casts no shadow.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Marker {
    /// A ball: a pick, a pin, a node.
    Ball {
        /// Centre, in metres.
        centre: Vec3,
        /// Radius, in metres.
        radius: f32,
        /// Linear colour.
        color: [f32; 3],
    },
    /// A round rod: a pull, an axis, an edge.
    Line {
        /// One end, in metres.
        from: Vec3,
        /// The other end, in metres.
        to: Vec3,
        /// Radius, in metres.
        radius: f32,
        /// Linear colour.
        color: [f32; 3],
    },
}

/// All that one picture shows; borrowed, nothing is copied.
#[derive(Clone, Debug)]
pub struct Drawing<'a> {
    /// Camera, lights and surroundings.
    pub view: View,
    /// Surfaces.
    pub items: Vec<Item<'a>>,
    /// Signs.
    pub markers: &'a [Marker],
}

impl Drawing<'_> {
    /// The picture of it by the software renderer.
    ///
    /// # Errors
    /// If the size is zero or too large.
    pub fn render(&self, width: usize, height: usize) -> Result<Picture, PictureError> {
        render(&self.view, &self.items, self.markers, width, height)
    }
}

/// Light that comes from far away.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Light {
    /// From the scene toward the light; any length but zero.
    pub toward: Vec3,
    /// Linear colour times strength.
    pub color: [f32; 3],
}

/// The surroundings: seen behind the scene, mirrored in it, and the source of its soft light.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Background {
    /// Linear colour overhead.
    pub zenith: [f32; 3],
    /// Linear colour at eye level; a floor fades into it.
    pub horizon: [f32; 3],
    /// Linear colour of what lies below, and of the floor.
    pub ground: [f32; 3],
}

/// Camera, lights and surroundings of a picture.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct View {
    /// Where the picture is taken from.
    pub camera: Camera,
    /// The main light; the only one that casts shadows.
    pub key: Light,
    /// A weak light that opens up the shadows.
    pub fill: Light,
    /// A light from behind that draws bright edges.
    pub rim: Light,
    /// Height of the floor in metres, if there is one.
    pub floor: Option<f32>,
    /// The surroundings.
    pub background: Background,
}

impl Default for View {
    fn default() -> Self {
        Self::new(Camera::default())
    }
}

impl View {
    /// Makes the surroundings dark, or bright again.
    pub fn set_dark(&mut self, dark: bool) {
        let bright = Self::new(self.camera);
        self.background = match dark {
            false => bright.background,
            true => Background {
                zenith: [0.020, 0.026, 0.040],
                horizon: [0.060, 0.070, 0.085],
                ground: [0.16, 0.16, 0.165],
            },
        };
    }

    /// A bright studio with a floor at height 0.
    pub fn new(camera: Camera) -> Self {
        Self {
            camera,
            key: Light { toward: Vec3::new(-0.45, 1.0, 0.55), color: [2.35, 2.25, 2.05] },
            fill: Light { toward: Vec3::new(0.9, 0.35, 0.5), color: [0.30, 0.36, 0.46] },
            rim: Light { toward: Vec3::new(0.35, 0.45, -1.0), color: [0.75, 0.75, 0.80] },
            floor: Some(0.0),
            background: Background {
                zenith: [0.42, 0.56, 0.76],
                horizon: [0.80, 0.85, 0.90],
                ground: [0.52, 0.51, 0.49],
            },
        }
    }
}
