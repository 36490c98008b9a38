//! The textures that a picture is drawn into.

/// Colours as a screen shows them: egui takes the bytes of its textures as they are.
pub(super) const COLOR: wgpu::TextureFormat = wgpu::TextureFormat::Rgba8Unorm;
pub(super) const DEPTH: wgpu::TextureFormat = wgpu::TextureFormat::Depth32Float;

/// Colour and depth of one picture size.
pub(super) struct Targets {
    pub size: [u32; 2],
    /// The finished picture.
    pub texture: wgpu::Texture,
    pub color: wgpu::TextureView,
    /// Several samples a pixel, of which `color` is the mean.
    pub samples: Option<wgpu::TextureView>,
    pub depth: wgpu::TextureView,
}

impl Targets {
    pub fn new(device: &wgpu::Device, size: [u32; 2], samples: u32) -> Self {
        use wgpu::TextureUsages as Usage;
        let attachment = Usage::RENDER_ATTACHMENT;
        let texture = texture(device, size, 1, COLOR, attachment | Usage::TEXTURE_BINDING | Usage::COPY_SRC);
        let view = |texture: &wgpu::Texture| texture.create_view(&wgpu::TextureViewDescriptor::default());
        let many = (samples > 1).then(|| self::texture(device, size, samples, COLOR, attachment));
        let depth = self::texture(device, size, samples, DEPTH, attachment);
        Self { size, color: view(&texture), samples: many.as_ref().map(view), depth: view(&depth), texture }
    }

    /// The attachment that passes draw into, cleared to a colour that is on a screen already.
    pub fn attachment(&self, clear: wgpu::Color) -> wgpu::RenderPassColorAttachment<'_> {
        let store = if self.samples.is_some() { wgpu::StoreOp::Discard } else { wgpu::StoreOp::Store };
        wgpu::RenderPassColorAttachment {
            view: self.samples.as_ref().unwrap_or(&self.color),
            depth_slice: None,
            resolve_target: self.samples.as_ref().map(|_| &self.color),
            ops: wgpu::Operations { load: wgpu::LoadOp::Clear(clear), store },
        }
    }
}

/// A plain texture with one level.
pub(super) fn texture(
    device: &wgpu::Device,
    [width, height]: [u32; 2],
    sample_count: u32,
    format: wgpu::TextureFormat,
    usage: wgpu::TextureUsages,
) -> wgpu::Texture {
    device.create_texture(&wgpu::TextureDescriptor {
        label: None,
        size: wgpu::Extent3d { width, height, depth_or_array_layers: 1 },
        mip_level_count: 1,
        sample_count,
        dimension: wgpu::TextureDimension::D2,
        format,
        usage,
        view_formats: &[],
    })
}
