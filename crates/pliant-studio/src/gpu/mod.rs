//! Drawings by the GPU, looking like those of the software renderer.
//!
//! A frame:
//! 1. skins are sent, all in one write; triangles and colours of a mesh stay on the GPU
//! 2. bodies as the light sees them, and as the floor sees them; their outlines are blurred
//! 3. bodies and colliders, markers, then floor and sky where none of them is
//!
//! Everything here works with WebGL2: no storage buffers, no compute, no reading of depth but by comparison.

mod bounds;
mod bytes;
mod frame;
mod items;
mod maps;
mod markers;
mod meshes;
#[cfg(not(target_arch = "wasm32"))]
mod offscreen;
mod pages;
mod passes;
mod pipelines;
mod targets;
mod uploads;

#[cfg(not(target_arch = "wasm32"))]
pub use offscreen::{Offscreen, OffscreenError};
pub use uploads::{Upload, Uploads};

use crate::Drawing;
use bounds::Bounds;
use frame::Frame;
use items::Items;
use maps::Maps;
use markers::Markers;
use meshes::Gpu;
use passes::Groups;
use pipelines::Pipelines;
use targets::Targets;

/// Draws into a texture of its own, and keeps on the GPU what does not change.
///
/// The texture holds colours as a screen shows them, in the format that egui wants of native textures.
pub struct Renderer {
    pipelines: Pipelines,
    maps: Maps,
    groups: Groups,
    settings: wgpu::Buffer,
    items: Items,
    markers: Markers,
    targets: Targets,
    samples: u32,
    /// Largest buffer, in bytes, and largest side of a texture.
    most_bytes: u64,
    most_pixels: u32,
    uploads: Uploads,
    version: u64,
}

impl Renderer {
    /// A renderer for a device: four samples a pixel on a GPU, and what is fast enough on a driver that computes on the CPU.
    pub fn new(device: &wgpu::Device, queue: &wgpu::Queue) -> Self {
        let software = device.adapter_info().device_type == wgpu::DeviceType::Cpu;
        Self::with_samples(device, queue, if software { 1 } else { 4 })
    }

    /// As [`Renderer::new`], with 1 or 4 samples a pixel.
    pub fn with_samples(device: &wgpu::Device, _queue: &wgpu::Queue, samples: u32) -> Self {
        let samples = if samples > 1 { 4 } else { 1 };
        let limits = device.limits();
        let pipelines = Pipelines::new(device, samples);
        let maps = Maps::new(device);
        let settings = device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("frame"),
            size: size_of::<Frame>() as u64,
            usage: wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        Self {
            groups: Groups::new(device, &pipelines, &maps, &settings),
            pipelines,
            maps,
            settings,
            items: Items::new(limits.max_buffer_size),
            markers: Markers::new(limits.max_buffer_size),
            targets: Targets::new(device, [1, 1], samples),
            samples,
            most_bytes: limits.max_buffer_size,
            most_pixels: limits.max_texture_dimension_2d,
            uploads: Uploads::default(),
            version: 0,
        }
    }

    /// Draws a picture and submits the work; the view shows it as soon as the GPU is done.
    ///
    /// Sizes of zero and beyond what the device can do are moved to the nearest that is possible. Whatever cannot be drawn
    /// (non-finite corners, indices out of range, more than a buffer holds) is left out.
    pub fn draw(
        &mut self,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        drawing: &Drawing<'_>,
        size: [u32; 2],
    ) -> &wgpu::TextureView {
        self.resize(device, size);
        let gpu = Gpu { device, queue, most: self.most_bytes };
        self.uploads = Uploads::default();

        let camera = &drawing.view.camera;
        let axes = frame::light_axes(&drawing.view);
        let mut bounds = Bounds::new(axes, camera.target, 4.0 * camera.distance());
        self.items.send(gpu, &drawing.items, &mut bounds, &mut self.uploads);
        self.uploads.markers = self.markers.send(gpu, drawing.markers);
        let frame = Frame::new(&drawing.view, &bounds, self.targets.size);
        queue.write_buffer(&self.settings, 0, bytemuck::bytes_of(&frame));
        self.uploads.settings.count(size_of::<Frame>() as u64);

        let mut encoder = device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        self.draw_light(&mut encoder);
        if frame.shows_floor() {
            self.draw_floor_maps(&mut encoder);
        }
        self.draw_picture(&mut encoder, &frame);
        queue.submit([encoder.finish()]);
        &self.targets.color
    }

    /// The finished picture.
    pub fn view(&self) -> &wgpu::TextureView {
        &self.targets.color
    }

    /// The texture that [`Renderer::view`] is of; it can be copied from.
    pub fn texture(&self) -> &wgpu::Texture {
        &self.targets.texture
    }

    /// A number that changes whenever [`Renderer::view`] is of another texture, because the size changed.
    pub fn version(&self) -> u64 {
        self.version
    }

    /// What the latest frame sent to the GPU.
    pub fn uploads(&self) -> &Uploads {
        &self.uploads
    }

    fn resize(&mut self, device: &wgpu::Device, size: [u32; 2]) {
        let size = size.map(|side| side.clamp(1, self.most_pixels));
        if self.version == 0 || self.targets.size != size {
            self.targets = Targets::new(device, size, self.samples);
            self.version += 1;
        }
    }
}
