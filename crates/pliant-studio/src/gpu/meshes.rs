//! What of a mesh stays the same from frame to frame: its triangles, its colours, and a shape that does not move.

use super::bounds::drawable;
use super::bytes::{Piece, write};
use super::pages::Place;
use super::uploads::Upload;
use crate::Item;
use pliant::TriMesh;
use pliant::glam::Vec3;
use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::Arc;

/// Buffers of meshes that were in the latest frame.
#[derive(Default)]
pub(super) struct Meshes {
    /// By address, which stays taken as long as the mesh is held here.
    kept: HashMap<usize, Kept>,
    frame: u64,
    pub upload: Upload,
}

struct Kept {
    mesh: Arc<TriMesh>,
    /// Number of the latest frame that showed it.
    frame: u64,
    /// How many vertices the triangles were checked against, and how many corners they have.
    vertices: usize,
    corners: u32,
    indices: Option<wgpu::Buffer>,
    colors: Option<wgpu::Buffer>,
    /// Positions and normals of a thing that does not deform.
    shape: Option<wgpu::Buffer>,
}

/// The triangles of `item` that can be drawn.
pub(super) fn good_triangles<'a>(item: &Item<'a>, check_positions: bool) -> Cow<'a, [[u32; 3]]> {
    let good = |v: &u32| item.positions.get(*v as usize).is_some_and(|p| !check_positions || drawable(*p));
    // Most meshes are good: looking first saves a copy.
    if item.triangles.iter().flatten().all(good) {
        Cow::Borrowed(item.triangles)
    } else {
        Cow::Owned(item.triangles.iter().filter(|t| t.iter().all(good)).copied().collect())
    }
}

/// Whether two slices are the same memory.
fn same<T>(a: &[T], b: &[T]) -> bool {
    a.as_ptr() == b.as_ptr() && a.len() == b.len()
}

impl Meshes {
    /// Starts a frame.
    pub fn begin(&mut self) {
        self.frame += 1;
        self.upload = Upload::default();
    }

    /// Lets go of everything that was not in this frame.
    pub fn end(&mut self) {
        self.kept.retain(|_, kept| kept.frame == self.frame);
    }

    /// The item's triangles and how many corners they have, if they are those of a mesh that can be kept.
    pub fn triangles(&mut self, gpu: Gpu<'_>, item: &Item<'_>) -> Option<(Place, u32)> {
        let mesh = item.mesh.filter(|mesh| same(item.triangles, &mesh.triangles))?;
        let frame = self.frame;
        let kept = self.kept.entry(Arc::as_ptr(mesh) as usize).or_insert_with(|| Kept {
            mesh: mesh.clone(),
            frame,
            vertices: 0,
            corners: 0,
            indices: None,
            colors: None,
            shape: None,
        });
        kept.frame = frame;
        if kept.indices.is_none() || kept.vertices != item.positions.len() {
            let triangles = good_triangles(item, false);
            let corners = 3 * triangles.len() as u32;
            kept.indices = gpu.buffer(&[Piece::of(triangles)], wgpu::BufferUsages::INDEX, &mut self.upload);
            kept.vertices = item.positions.len();
            kept.corners = corners;
        }
        kept.indices.clone().map(|buffer| (Place { buffer, at: 0 }, kept.corners))
    }

    /// The item's colours, if they are those of its mesh. To be asked after [`Meshes::triangles`].
    pub fn colors(&mut self, gpu: Gpu<'_>, item: &Item<'_>, colors: &[[f32; 4]]) -> Option<Place> {
        let kept = self.kept.get_mut(&(Arc::as_ptr(item.mesh?) as usize))?;
        if !same(colors, &kept.mesh.colors) || colors.len() < item.positions.len() {
            return None;
        }
        if kept.colors.is_none() {
            kept.colors =
                gpu.buffer(&[Piece::of(Cow::Borrowed(colors))], wgpu::BufferUsages::VERTEX, &mut self.upload);
        }
        kept.colors.clone().map(|buffer| Place { buffer, at: 0 })
    }

    /// The item's positions and, after them, normals, if they are the mesh's own and so never move. To be asked after
    /// [`Meshes::triangles`].
    pub fn shape(&mut self, gpu: Gpu<'_>, item: &Item<'_>, normals: &[Vec3]) -> Option<Place> {
        let kept = self.kept.get_mut(&(Arc::as_ptr(item.mesh?) as usize))?;
        let still = same(item.positions, &kept.mesh.positions)
            && (normals.is_empty() || same(normals, &kept.mesh.normals));
        if !still {
            return None;
        }
        let long = size_of_val(item.positions) + size_of_val(normals);
        if kept.shape.as_ref().is_none_or(|buffer| buffer.size() < long as u64) {
            let pieces = [Piece::Points(item.positions), Piece::Points(normals)];
            kept.shape = gpu.buffer(&pieces, wgpu::BufferUsages::VERTEX, &mut self.upload);
        }
        kept.shape.clone().map(|buffer| Place { buffer, at: 0 })
    }
}

/// Where buffers are made.
#[derive(Clone, Copy)]
pub(super) struct Gpu<'a> {
    pub device: &'a wgpu::Device,
    pub queue: &'a wgpu::Queue,
    /// Largest buffer of the device, in bytes.
    pub most: u64,
}

impl Gpu<'_> {
    /// A buffer that holds pieces one after the other; `None` if they are nothing, or too much.
    fn buffer(
        &self,
        pieces: &[Piece<'_>],
        usage: wgpu::BufferUsages,
        upload: &mut Upload,
    ) -> Option<wgpu::Buffer> {
        let size: u64 = pieces.iter().map(|piece| piece.len() as u64).sum();
        if size == 0 || size > self.most {
            return None;
        }
        let buffer = self.device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("mesh"),
            size,
            usage: usage | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        upload.count(size);
        write(self.queue, &buffer, pieces).then_some(buffer)
    }
}
