//! How each kind of thing is drawn.

use super::frame::Frame;
use super::items::{ITEM_BYTES, ITEM_COLOR_AT};
use super::maps::{LIGHT_SIDE, SHARP_SIDE, SOFT_SIDE};
use super::markers::{BALL, ROD};
use super::targets::{COLOR, DEPTH};
use wgpu::{VertexAttribute, VertexBufferLayout, VertexFormat, VertexStepMode};

/// All pipelines, and the layouts of what they read.
pub(super) struct Pipelines {
    /// With the frame's settings only.
    pub plain: wgpu::BindGroupLayout,
    /// With the light's map.
    pub shaded: wgpu::BindGroupLayout,
    /// With two textures.
    pub pictured: wgpu::BindGroupLayout,

    /// First by whether there are normals, then by whether there are colours.
    pub bodies: [[wgpu::RenderPipeline; 2]; 2],
    /// The depth of ghosts, and then their veils.
    pub ghost_depths: [[wgpu::RenderPipeline; 2]; 2],
    pub ghosts: [[wgpu::RenderPipeline; 2]; 2],
    pub light: wgpu::RenderPipeline,
    pub below: wgpu::RenderPipeline,
    /// Across, then down.
    pub sharp: [wgpu::RenderPipeline; 2],
    pub soft: [wgpu::RenderPipeline; 2],
    pub sky: wgpu::RenderPipeline,
    pub floor: wgpu::RenderPipeline,
    pub balls: wgpu::RenderPipeline,
    pub rods: wgpu::RenderPipeline,
}

/// Cells along a side of the grid that the sky is drawn as.
pub(super) const SKY_CELLS: u32 = 32;

const POSITION: &[VertexAttribute] = &[attribute(0, 0, VertexFormat::Float32x3)];
const NORMAL: &[VertexAttribute] = &[attribute(1, 0, VertexFormat::Float32x3)];
const COLORS: &[VertexAttribute] = &[attribute(2, 0, VertexFormat::Float32x4)];
const ITEM_COLOR: &[VertexAttribute] = &[attribute(2, ITEM_COLOR_AT, VertexFormat::Float32x4)];
const ITEM_OFFSET: &[VertexAttribute] = &[attribute(3, 0, VertexFormat::Float32x3)];

pub(super) const fn attribute(shader_location: u32, offset: u64, format: VertexFormat) -> VertexAttribute {
    VertexAttribute { format, offset, shader_location }
}

const fn vertices(stride: u64, attributes: &[VertexAttribute]) -> Option<VertexBufferLayout<'_>> {
    Some(VertexBufferLayout { array_stride: stride, step_mode: VertexStepMode::Vertex, attributes })
}

const fn instances(stride: u64, attributes: &[VertexAttribute]) -> Option<VertexBufferLayout<'_>> {
    Some(VertexBufferLayout { array_stride: stride, step_mode: VertexStepMode::Instance, attributes })
}

/// A ghost hides as much of what is behind it as its alpha says.
const VEIL: wgpu::BlendState = wgpu::BlendState::ALPHA_BLENDING;

/// The nearest counts, in any order.
const NEAREST: wgpu::BlendState = {
    let most = wgpu::BlendComponent {
        src_factor: wgpu::BlendFactor::One,
        dst_factor: wgpu::BlendFactor::One,
        operation: wgpu::BlendOperation::Max,
    };
    wgpu::BlendState { color: most, alpha: most }
};

/// What sets one pipeline apart from the others.
struct Kind<'a> {
    label: &'a str,
    module: &'a wgpu::ShaderModule,
    layout: &'a wgpu::BindGroupLayout,
    entries: [&'a str; 2],
    buffers: &'a [Option<VertexBufferLayout<'a>>],
    constants: &'a [(&'a str, f64)],
    strip: bool,
    depth: Option<(wgpu::CompareFunction, bool)>,
    samples: u32,
    blend: Option<wgpu::BlendState>,
    /// Alpha says how much of a pixel is covered, and is not kept.
    coverage: bool,
    /// Whether colours are written.
    colors: bool,
}

impl Kind<'_> {
    fn build(&self, device: &wgpu::Device) -> wgpu::RenderPipeline {
        let layout = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
            label: Some(self.label),
            bind_group_layouts: &[Some(self.layout)],
            immediate_size: 0,
        });
        let options = wgpu::PipelineCompilationOptions { constants: self.constants, ..Default::default() };
        let topology = if self.strip {
            wgpu::PrimitiveTopology::TriangleStrip
        } else {
            wgpu::PrimitiveTopology::TriangleList
        };
        let write_mask = match (self.colors, self.coverage || self.blend == Some(VEIL)) {
            (false, _) => wgpu::ColorWrites::empty(),
            (true, true) => wgpu::ColorWrites::COLOR,
            (true, false) => wgpu::ColorWrites::ALL,
        };
        device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
            label: Some(self.label),
            layout: Some(&layout),
            vertex: wgpu::VertexState {
                module: self.module,
                entry_point: Some(self.entries[0]),
                compilation_options: options.clone(),
                buffers: self.buffers,
            },
            primitive: wgpu::PrimitiveState { topology, ..Default::default() },
            depth_stencil: self.depth.map(|(compare, write)| wgpu::DepthStencilState {
                format: DEPTH,
                depth_write_enabled: Some(write),
                depth_compare: Some(compare),
                stencil: wgpu::StencilState::default(),
                bias: wgpu::DepthBiasState::default(),
            }),
            multisample: wgpu::MultisampleState {
                count: self.samples,
                alpha_to_coverage_enabled: self.coverage && self.samples > 1,
                ..Default::default()
            },
            fragment: Some(wgpu::FragmentState {
                module: self.module,
                entry_point: Some(self.entries[1]),
                compilation_options: options,
                targets: &[Some(wgpu::ColorTargetState { format: COLOR, blend: self.blend, write_mask })],
            }),
            multiview_mask: None,
            cache: None,
        })
    }

    /// First without normals and then with them, each first without colours and then with them.
    fn build_for_bodies(&self, device: &wgpu::Device) -> [[wgpu::RenderPipeline; 2]; 2] {
        [1.0, 0.0].map(|flat| {
            [instances(ITEM_BYTES, ITEM_COLOR), vertices(16, COLORS)].map(|colors| {
                let offset = instances(ITEM_BYTES, ITEM_OFFSET);
                let buffers = [vertices(12, POSITION), vertices(12, NORMAL), colors, offset];
                Kind { buffers: &buffers, constants: &[("FLAT", flat)], ..*self }.build(device)
            })
        })
    }
}

fn module(device: &wgpu::Device, label: &str, samples: u32, sources: &[&str]) -> wgpu::ShaderModule {
    let mut text = format!(
        "const LIGHT_SIDE: u32 = {LIGHT_SIDE}u;\nconst SHARP_SIDE: u32 = {SHARP_SIDE}u;\n\
         const SOFT_SIDE: u32 = {SOFT_SIDE}u;\nconst SKY_CELLS: u32 = {SKY_CELLS}u;\n\
         const ALPHA_STEPS: f32 = {samples}.0;\n"
    );
    sources.iter().for_each(|source| text.push_str(source));
    device.create_shader_module(wgpu::ShaderModuleDescriptor {
        label: Some(label),
        source: wgpu::ShaderSource::Wgsl(text.into()),
    })
}

/// The shaders.
struct Modules {
    bodies: wgpu::ShaderModule,
    casters: wgpu::ShaderModule,
    blur: wgpu::ShaderModule,
    backdrop: wgpu::ShaderModule,
    markers: wgpu::ShaderModule,
}

impl Modules {
    fn new(device: &wgpu::Device, samples: u32) -> Self {
        const FRAME: &str = include_str!("frame.wgsl");
        const SHADE: &str = include_str!("shade.wgsl");
        Self {
            bodies: module(device, "bodies", samples, &[FRAME, SHADE, include_str!("body.wgsl")]),
            casters: module(device, "casters", samples, &[FRAME, include_str!("casters.wgsl")]),
            blur: module(device, "blur", samples, &[include_str!("blur.wgsl")]),
            backdrop: module(device, "backdrop", samples, &[FRAME, include_str!("backdrop.wgsl")]),
            markers: module(device, "markers", samples, &[FRAME, SHADE, include_str!("markers.wgsl")]),
        }
    }
}

impl Pipelines {
    /// Pipelines that draw pictures with `samples` samples a pixel.
    pub fn new(device: &wgpu::Device, samples: u32) -> Self {
        let [plain, shaded, pictured] = layouts(device);
        let Modules { bodies, casters, blur, backdrop, markers } = Modules::new(device, samples);

        let body = Kind {
            label: "body",
            module: &bodies,
            layout: &shaded,
            entries: ["vs_body", "fs_body"],
            buffers: &[],
            constants: &[],
            strip: false,
            depth: Some((wgpu::CompareFunction::Greater, true)),
            samples,
            blend: None,
            coverage: false,
            colors: true,
        };
        let ghost_depth = Kind { label: "ghost depth", colors: false, ..body };
        let ghost = Kind {
            label: "ghost",
            entries: ["vs_body", "fs_ghost"],
            depth: Some((wgpu::CompareFunction::GreaterEqual, false)),
            blend: Some(VEIL),
            ..body
        };
        let caster = Kind {
            label: "light",
            module: &casters,
            layout: &plain,
            entries: ["vs_light", "fs_light"],
            buffers: &[vertices(12, POSITION), instances(ITEM_BYTES, ITEM_OFFSET)],
            depth: Some((wgpu::CompareFunction::Less, true)),
            samples: 1,
            ..body
        };
        let below = Kind {
            label: "below",
            entries: ["vs_below", "fs_below"],
            depth: None,
            blend: Some(NEAREST),
            ..caster
        };
        let blurring = |entry: &str| {
            let entries = ["vs_whole", entry];
            let kind =
                Kind { label: entry, module: &blur, layout: &pictured, buffers: &[], entries, ..caster };
            Kind { depth: None, ..kind }.build(device)
        };
        let behind = |entries: [&str; 2], strip: bool| {
            let depth = Some((wgpu::CompareFunction::GreaterEqual, false));
            let kind = Kind { label: entries[1], module: &backdrop, layout: &pictured, entries, ..body };
            Kind { depth, strip, ..kind }.build(device)
        };
        let marker = |entries: [&str; 2], attributes: &[VertexAttribute], stride: u64, coverage: bool| {
            let buffers = [instances(stride, attributes)];
            let kind = Kind { label: entries[1], module: &markers, layout: &plain, entries, ..body };
            Kind { buffers: &buffers, strip: true, coverage, ..kind }.build(device)
        };
        Self {
            bodies: body.build_for_bodies(device),
            ghost_depths: ghost_depth.build_for_bodies(device),
            ghosts: ghost.build_for_bodies(device),
            light: caster.build(device),
            below: below.build(device),
            sharp: ["fs_sharp_across", "fs_sharp_down"].map(blurring),
            soft: ["fs_soft_across", "fs_soft_down"].map(blurring),
            sky: behind(["vs_sky", "fs_sky"], false),
            floor: behind(["vs_floor", "fs_floor"], true),
            balls: marker(["vs_ball", "fs_ball"], BALL.1, BALL.0, true),
            rods: marker(["vs_rod", "fs_rod"], ROD.1, ROD.0, false),
            plain,
            shaded,
            pictured,
        }
    }
}

/// Settings only; settings and the light's map; settings and two textures.
fn layouts(device: &wgpu::Device) -> [wgpu::BindGroupLayout; 3] {
    use wgpu::{BindingType, SamplerBindingType, TextureSampleType};
    let settings = BindingType::Buffer {
        ty: wgpu::BufferBindingType::Uniform,
        has_dynamic_offset: false,
        min_binding_size: wgpu::BufferSize::new(size_of::<Frame>() as u64),
    };
    let texture = |sample_type| BindingType::Texture {
        sample_type,
        view_dimension: wgpu::TextureViewDimension::D2,
        multisampled: false,
    };
    let color = texture(TextureSampleType::Float { filterable: true });
    let linear = BindingType::Sampler(SamplerBindingType::Filtering);
    let light = [texture(TextureSampleType::Depth), BindingType::Sampler(SamplerBindingType::Comparison)];
    let make = |kinds: &[BindingType]| {
        let entries: Vec<_> = kinds
            .iter()
            .enumerate()
            .map(|(i, ty)| wgpu::BindGroupLayoutEntry {
                binding: i as u32,
                visibility: if i == 0 {
                    wgpu::ShaderStages::VERTEX_FRAGMENT
                } else {
                    wgpu::ShaderStages::FRAGMENT
                },
                ty: *ty,
                count: None,
            })
            .collect();
        device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor { label: None, entries: &entries })
    };
    [make(&[settings]), make(&[settings, light[0], light[1]]), make(&[settings, color, color, linear])]
}
