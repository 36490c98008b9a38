//! The passes of a frame.

use super::Renderer;
use super::frame::Frame;
use super::items::{Draw, ITEM_BYTES};
use super::maps::Maps;
use super::pipelines::{Pipelines, SKY_CELLS};
use crate::cpu::shade::tone;
use crate::palette::srgb_from_linear;
use wgpu::{BindingResource, LoadOp, Operations, RenderPass, StoreOp};

/// What the pipelines read.
pub(super) struct Groups {
    plain: wgpu::BindGroup,
    bodies: wgpu::BindGroup,
    backdrop: wgpu::BindGroup,
    /// Across, then down.
    sharp: [wgpu::BindGroup; 2],
    soft: [wgpu::BindGroup; 2],
}

impl Groups {
    pub fn new(device: &wgpu::Device, pipelines: &Pipelines, maps: &Maps, settings: &wgpu::Buffer) -> Self {
        let make = |layout: &wgpu::BindGroupLayout, more: &[BindingResource<'_>]| {
            let all = std::iter::once(settings.as_entire_binding()).chain(more.iter().cloned());
            let entries: Vec<_> = (0..)
                .zip(all)
                .map(|(binding, resource)| wgpu::BindGroupEntry { binding, resource })
                .collect();
            device.create_bind_group(&wgpu::BindGroupDescriptor { label: None, layout, entries: &entries })
        };
        let pictured = |first: &wgpu::TextureView, second: &wgpu::TextureView| {
            let [first, second] = [first, second].map(BindingResource::TextureView);
            make(&pipelines.pictured, &[first, second, BindingResource::Sampler(&maps.linear)])
        };
        let light = [BindingResource::TextureView(&maps.depth), BindingResource::Sampler(&maps.compare)];
        Self {
            plain: make(&pipelines.plain, &[]),
            bodies: make(&pipelines.shaded, &light),
            backdrop: pictured(&maps.sharp[1], &maps.soft[1]),
            sharp: [pictured(&maps.outline, &maps.outline), pictured(&maps.sharp[0], &maps.sharp[0])],
            soft: [pictured(&maps.sharp[1], &maps.below), pictured(&maps.soft[0], &maps.soft[0])],
        }
    }
}

/// A pass that clears one of the maps and writes into it.
fn begin<'e>(
    encoder: &'e mut wgpu::CommandEncoder,
    color: &wgpu::TextureView,
    depth: Option<&wgpu::TextureView>,
) -> RenderPass<'e> {
    let ops = Operations { load: LoadOp::Clear(wgpu::Color::TRANSPARENT), store: StoreOp::Store };
    encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
        color_attachments: &[Some(wgpu::RenderPassColorAttachment {
            view: color,
            depth_slice: None,
            resolve_target: None,
            ops,
        })],
        depth_stencil_attachment: depth.map(|view| wgpu::RenderPassDepthStencilAttachment {
            view,
            depth_ops: Some(Operations { load: LoadOp::Clear(1.0), store: StoreOp::Store }),
            stencil_ops: None,
        }),
        ..Default::default()
    })
}

impl Renderer {
    /// All items as the light sees them.
    pub(super) fn draw_light(&self, encoder: &mut wgpu::CommandEncoder) {
        let mut pass = begin(encoder, &self.maps.outline, Some(&self.maps.depth));
        pass.set_pipeline(&self.pipelines.light);
        self.draw_casters(&mut pass);
    }

    /// All items as the floor sees them, and soft outlines of both.
    pub(super) fn draw_floor_maps(&self, encoder: &mut wgpu::CommandEncoder) {
        let Self { maps, pipelines, groups, .. } = self;
        {
            let mut pass = begin(encoder, &maps.below, None);
            pass.set_pipeline(&pipelines.below);
            self.draw_casters(&mut pass);
        }
        let sharp = groups.sharp.iter().zip(&pipelines.sharp).zip(&maps.sharp);
        let soft = groups.soft.iter().zip(&pipelines.soft).zip(&maps.soft);
        for ((group, pipeline), target) in sharp.chain(soft) {
            let mut pass = begin(encoder, target, None);
            pass.set_pipeline(pipeline);
            pass.set_bind_group(0, group, &[]);
            pass.draw(0..3, 0..1);
        }
    }

    fn draw_casters(&self, pass: &mut RenderPass<'_>) {
        let Some(first) = &self.items.first else { return };
        pass.set_bind_group(0, &self.groups.plain, &[]);
        for (i, draw) in (0..).zip(&self.items.draws) {
            pass.set_vertex_buffer(0, draw.skin.buffer.slice(draw.skin.at..));
            pass.set_vertex_buffer(1, first.buffer.slice(first.at + i * ITEM_BYTES..));
            draw_triangles(pass, draw);
        }
    }

    /// The picture itself.
    pub(super) fn draw_picture(&self, encoder: &mut wgpu::CommandEncoder, frame: &Frame) {
        let Self { pipelines, groups, targets, .. } = self;
        let [r, g, b] = tone(frame.horizon()).to_array().map(|c| f64::from(srgb_from_linear(c)));
        let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            color_attachments: &[Some(targets.attachment(wgpu::Color { r, g, b, a: 1.0 }))],
            depth_stencil_attachment: Some(wgpu::RenderPassDepthStencilAttachment {
                view: &targets.depth,
                depth_ops: Some(Operations { load: LoadOp::Clear(0.0), store: StoreOp::Discard }),
                stencil_ops: None,
            }),
            ..Default::default()
        });
        self.draw_items(&mut pass, Layer::Solid);
        self.draw_markers(&mut pass);
        // Last, so that what bodies hide is not shaded.
        pass.set_bind_group(0, &groups.backdrop, &[]);
        if frame.shows_floor() {
            pass.set_pipeline(&pipelines.floor);
            pass.draw(0..4, 0..1);
        }
        if frame.shows_sky() {
            pass.set_pipeline(&pipelines.sky);
            pass.draw(0..6 * SKY_CELLS * SKY_CELLS, 0..1);
        }
        // Depth first, so that only the nearest ghost is seen, whatever the order.
        self.draw_items(&mut pass, Layer::GhostDepth);
        self.draw_items(&mut pass, Layer::Ghost);
    }

    fn draw_items(&self, pass: &mut RenderPass<'_>, layer: Layer) {
        let Some(first) = &self.items.first else { return };
        pass.set_bind_group(0, &self.groups.bodies, &[]);
        for (i, draw) in (0..).zip(&self.items.draws) {
            let Draw { skin, normals_at, colors, .. } = draw;
            let pipelines = match (layer, draw.ghost) {
                (Layer::Solid, false) => &self.pipelines.bodies,
                (Layer::GhostDepth, true) => &self.pipelines.ghost_depths,
                (Layer::Ghost, true) => &self.pipelines.ghosts,
                _ => continue,
            };
            let settings = first.buffer.slice(first.at + i * ITEM_BYTES..);
            let kind = [normals_at.is_some(), colors.is_some()].map(usize::from);
            pass.set_pipeline(&pipelines[kind[0]][kind[1]]);
            pass.set_vertex_buffer(0, skin.buffer.slice(skin.at..));
            // A flat item has no normals: something must stand in their place.
            pass.set_vertex_buffer(1, skin.buffer.slice(skin.at + normals_at.unwrap_or(0)..));
            match colors {
                Some(colors) => pass.set_vertex_buffer(2, colors.buffer.slice(colors.at..)),
                None => pass.set_vertex_buffer(2, settings),
            }
            pass.set_vertex_buffer(3, settings);
            draw_triangles(pass, draw);
        }
    }

    fn draw_markers(&self, pass: &mut RenderPass<'_>) {
        let kinds =
            [(&self.markers.balls, &self.pipelines.balls), (&self.markers.rods, &self.pipelines.rods)];
        for (markers, pipeline) in kinds {
            let Some((place, count)) = markers else { continue };
            pass.set_pipeline(pipeline);
            pass.set_bind_group(0, &self.groups.plain, &[]);
            pass.set_vertex_buffer(0, place.buffer.slice(place.at..));
            pass.draw(0..4, 0..*count);
        }
    }
}

/// Which of the items are drawn, and how.
#[derive(Clone, Copy)]
enum Layer {
    Solid,
    GhostDepth,
    Ghost,
}

fn draw_triangles(pass: &mut RenderPass<'_>, Draw { triangles, corners, .. }: &Draw) {
    pass.set_index_buffer(triangles.buffer.slice(triangles.at..), wgpu::IndexFormat::Uint32);
    pass.draw_indexed(0..*corners, 0, 0..1);
}
