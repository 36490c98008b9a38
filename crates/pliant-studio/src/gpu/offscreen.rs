//! Pictures by the GPU without a window.

use super::{Renderer, Uploads};
use crate::picture::check_size;
use crate::{Drawing, Picture, PictureError};

/// Why there is no picture by the GPU.
#[derive(Debug, thiserror::Error)]
pub enum OffscreenError {
    /// No GPU and no driver that stands in for one.
    #[error(
        "no graphics adapter was found ({0}); install a Vulkan driver, or set WGPU_BACKEND=gl, or use the software renderer"
    )]
    NoAdapter(String),
    /// There is an adapter, but it cannot be used.
    #[error("the graphics adapter {name} cannot be used: {reason}")]
    NoDevice {
        /// Name of the adapter.
        name: String,
        /// What the driver said.
        reason: String,
    },
    /// The size is zero or too large.
    #[error(transparent)]
    Size(#[from] PictureError),
    /// The picture is larger than this adapter can draw.
    #[error("{name} draws at most {most} pixels across and down, not {width} × {height}")]
    TooLarge {
        /// Name of the adapter.
        name: String,
        /// Its largest side of a picture.
        most: u32,
        /// Asked width.
        width: usize,
        /// Asked height.
        height: usize,
    },
    /// The adapter stopped working on the way.
    #[error("the graphics adapter did not deliver the picture: {0}")]
    Lost(String),
}

/// A GPU of its own, and a renderer on it.
pub struct Offscreen {
    device: wgpu::Device,
    queue: wgpu::Queue,
    info: wgpu::AdapterInfo,
    renderer: Renderer,
    /// Where pictures are read from, as long as the size is the same.
    read: Option<wgpu::Buffer>,
}

impl Offscreen {
    /// Takes the fastest adapter, or the one that the environment variables `WGPU_BACKEND` and `WGPU_ADAPTER_NAME` name.
    ///
    /// # Errors
    /// If there is no adapter, or it cannot be used.
    pub fn new() -> Result<Self, OffscreenError> {
        Self::make(Renderer::new)
    }

    /// As [`Offscreen::new`], with 1 or 4 samples a pixel.
    ///
    /// # Errors
    /// If there is no adapter, or it cannot be used.
    pub fn with_samples(samples: u32) -> Result<Self, OffscreenError> {
        Self::make(|device, queue| Renderer::with_samples(device, queue, samples))
    }

    fn make(renderer: impl Fn(&wgpu::Device, &wgpu::Queue) -> Renderer) -> Result<Self, OffscreenError> {
        let mut wanted = wgpu::InstanceDescriptor::new_without_display_handle_from_env();
        // Looking for OpenGL asks for a display, and what is asked complains aloud where there is none.
        wanted.backends = wgpu::Backends::from_env().unwrap_or(wgpu::Backends::PRIMARY);
        let instance = wgpu::Instance::new(wanted);
        let named = wgpu::util::initialize_adapter_from_env(&instance, None);
        let adapter = match pollster::block_on(named) {
            Ok(adapter) => adapter,
            Err(_) => pollster::block_on(instance.request_adapter(&wgpu::RequestAdapterOptions {
                power_preference: wgpu::PowerPreference::HighPerformance,
                ..Default::default()
            }))
            .map_err(|error| OffscreenError::NoAdapter(error.to_string()))?,
        };
        let info = adapter.get_info();
        let device = pollster::block_on(adapter.request_device(&wgpu::DeviceDescriptor {
            label: Some("offscreen"),
            required_limits: adapter.limits(),
            ..Default::default()
        }));
        let (device, queue) = device.map_err(|error| OffscreenError::NoDevice {
            name: info.name.clone(),
            reason: error.to_string(),
        })?;
        let renderer = renderer(&device, &queue);
        Ok(Self { device, queue, info, renderer, read: None })
    }

    /// Name of the adapter.
    pub fn name(&self) -> &str {
        &self.info.name
    }

    /// Whether the driver computes on the CPU.
    pub fn is_software(&self) -> bool {
        self.info.device_type == wgpu::DeviceType::Cpu
    }

    /// What the latest frame sent to the GPU.
    pub fn uploads(&self) -> &Uploads {
        self.renderer.uploads()
    }

    /// Submits the work for a picture, and does not wait for it.
    ///
    /// # Errors
    /// If the size is zero or too large.
    pub fn draw(&mut self, drawing: &Drawing<'_>, width: usize, height: usize) -> Result<(), OffscreenError> {
        check_size(width, height)?;
        let most = self.device.limits().max_texture_dimension_2d;
        if width.max(height) > most as usize {
            return Err(OffscreenError::TooLarge { name: self.info.name.clone(), most, width, height });
        }
        self.renderer.draw(&self.device, &self.queue, drawing, [width as u32, height as u32]);
        Ok(())
    }

    /// Waits until all submitted work is done.
    ///
    /// # Errors
    /// If the adapter stopped working.
    pub fn wait(&self) -> Result<(), OffscreenError> {
        let done = self.device.poll(wgpu::PollType::wait_indefinitely());
        done.map(|_| ()).map_err(|error| OffscreenError::Lost(error.to_string()))
    }

    /// Draws a picture and reads it back.
    ///
    /// # Errors
    /// If the size is zero or too large, or the adapter stopped working.
    pub fn picture(
        &mut self,
        drawing: &Drawing<'_>,
        width: usize,
        height: usize,
    ) -> Result<Picture, OffscreenError> {
        self.draw(drawing, width, height)?;
        let row = (4 * width as u64).next_multiple_of(u64::from(wgpu::COPY_BYTES_PER_ROW_ALIGNMENT));
        let size = row * height as u64;
        let read = self.read.take().filter(|buffer| buffer.size() == size).unwrap_or_else(|| {
            self.device.create_buffer(&wgpu::BufferDescriptor {
                label: Some("read"),
                size,
                usage: wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::MAP_READ,
                mapped_at_creation: false,
            })
        });
        let texture = self.renderer.texture();
        let mut encoder = self.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        let layout =
            wgpu::TexelCopyBufferLayout { offset: 0, bytes_per_row: Some(row as u32), rows_per_image: None };
        encoder.copy_texture_to_buffer(
            texture.as_image_copy(),
            wgpu::TexelCopyBufferInfo { buffer: &read, layout },
            texture.size(),
        );
        self.queue.submit([encoder.finish()]);
        let (send, receive) = std::sync::mpsc::channel();
        read.map_async(wgpu::MapMode::Read, .., move |result| {
            // Nobody waits any more if this fails.
            let _ = send.send(result);
        });
        self.wait()?;
        let lost = |error: &dyn std::fmt::Display| OffscreenError::Lost(error.to_string());
        receive.recv().map_err(|error| lost(&error))?.map_err(|error| lost(&error))?;
        let rgb = {
            let bytes = read.get_mapped_range(..).map_err(|error| lost(&error))?;
            let rows = bytes.chunks_exact(row as usize).map(|row| &row[..4 * width]);
            rows.flat_map(|row| row.chunks_exact(4).flat_map(|p| [p[0], p[1], p[2]])).collect()
        };
        read.unmap();
        self.read = Some(read);
        Ok(Picture { width, height, rgb })
    }
}
