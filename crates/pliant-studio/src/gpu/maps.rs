//! Shadows: what the light sees, and what the floor makes of it.
//!
//! Bodies ask the light's depth map. The floor asks soft outlines: the same pass writes an outline and how high the body is
//! above the floor; that is blurred a little, then much, together with how near bodies are to the floor seen from below. So
//! the floor, which is most of a picture, costs three texture reads a pixel.

use super::targets::{COLOR, DEPTH, texture};

/// Texels along a side of the light's map, as in the software renderer: fewer make softer shadows on bodies.
pub(super) const LIGHT_SIDE: u32 = 448;
/// Texels along a side of the floor's sharper outlines and of the map seen from below.
pub(super) const SHARP_SIDE: u32 = LIGHT_SIDE / 2;
/// Texels along a side of the floor's softer outlines.
pub(super) const SOFT_SIDE: u32 = SHARP_SIDE / 2;

/// All maps.
pub(super) struct Maps {
    pub depth: wgpu::TextureView,
    /// Outline and lift as the light sees them.
    pub outline: wgpu::TextureView,
    /// Nearness to the floor, seen from below.
    pub below: wgpu::TextureView,
    /// Blurred across, then blurred down too.
    pub sharp: [wgpu::TextureView; 2],
    pub soft: [wgpu::TextureView; 2],
    pub linear: wgpu::Sampler,
    pub compare: wgpu::Sampler,
}

impl Maps {
    pub fn new(device: &wgpu::Device) -> Self {
        let make = |side: u32, format| {
            let usage = wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::TEXTURE_BINDING;
            let texture = texture(device, [side; 2], 1, format, usage);
            texture.create_view(&wgpu::TextureViewDescriptor::default())
        };
        let linear = wgpu::SamplerDescriptor {
            mag_filter: wgpu::FilterMode::Linear,
            min_filter: wgpu::FilterMode::Linear,
            ..Default::default()
        };
        let compare =
            wgpu::SamplerDescriptor { compare: Some(wgpu::CompareFunction::LessEqual), ..linear.clone() };
        Self {
            depth: make(LIGHT_SIDE, DEPTH),
            outline: make(LIGHT_SIDE, COLOR),
            below: make(SHARP_SIDE, COLOR),
            sharp: [make(SHARP_SIDE, COLOR), make(SHARP_SIDE, COLOR)],
            soft: [make(SOFT_SIDE, COLOR), make(SOFT_SIDE, COLOR)],
            linear: device.create_sampler(&linear),
            compare: device.create_sampler(&compare),
        }
    }
}
