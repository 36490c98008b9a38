//! From a view and its items to a picture.
//!
//! 1. shadow maps
//! 2. triangles onto the sample grid
//! 3. band by band: what is seen at each sample, then one shading a pixel and triangle seen in it, averaged in
//!    linear light

use crate::camera::Lens;
use crate::floor::Backdrop;
use crate::palette::SrgbEncoder;
use crate::picture::{Picture, PictureError, check_size};
use crate::raster::{ScreenTriangle, Visibility, clip_near};
use crate::shade::{Shading, tone};
use crate::shadow::Shadows;
use crate::shapes;
use crate::view::{Item, Marker, View};
use pliant::geometry::TriMesh;
use pliant::glam::{Vec3, Vec3A};
use rayon::prelude::*;

/// Rows of pixels that are drawn together: their samples stay in the cache.
const BAND: usize = 16;

/// Draws `items` and `markers` as seen in `view`.
///
/// Whatever cannot be drawn (non-finite corners, indices out of range, triangles without area) is left out.
///
/// # Errors
/// When the size is zero or above [`Picture::MOST`].
pub fn render(
    view: &View,
    items: &[Item<'_>],
    markers: &[Marker],
    width: usize,
    height: usize,
) -> Result<Picture, PictureError> {
    check_size(width, height)?;
    let meshes: Vec<(TriMesh, [f32; 3])> = markers.iter().map(marker_mesh).collect();
    let mut all = items.to_vec();
    all.extend(meshes.iter().map(|(mesh, color)| shapes::item(mesh, *color)));

    let frame = Frame::new(view, items, &all, width, height);
    let mut rgb = vec![0; 3 * width * height];
    rgb.par_chunks_mut(3 * width * BAND).enumerate().for_each(|(band, rgb)| frame.draw_band(band, rgb));
    Ok(Picture { width, height, rgb })
}

/// A marker's surface and colour.
fn marker_mesh(marker: &Marker) -> (TriMesh, [f32; 3]) {
    match *marker {
        Marker::Ball { centre, radius, color } => (shapes::sphere(centre, radius, 16), color),
        Marker::Line { from, to, radius, color } => (shapes::capsule(from, to, radius, 10), color),
    }
}

/// A triangle of an item on the sample grid.
struct Seen {
    screen: ScreenTriangle,
    item: u32,
    corners: [u32; 3],
}

/// All that the bands of a picture share.
struct Frame<'a> {
    items: &'a [Item<'a>],
    lens: Lens,
    shading: Shading,
    backdrop: Backdrop,
    shadows: Shadows,
    seen: Vec<Seen>,
    /// For each band the triangles that touch it, in drawing order.
    bands: Vec<Vec<u32>>,
    encoder: SrgbEncoder,
    width: usize,
}

impl<'a> Frame<'a> {
    /// `casters` throw shadows, `items` are seen.
    fn new(view: &View, casters: &[Item<'_>], items: &'a [Item<'a>], width: usize, height: usize) -> Self {
        let shading = Shading::new(view);
        let lens = Lens::new(&view.camera, width, height);
        let triangles: Vec<[Vec3; 3]> =
            casters.iter().flat_map(|item| item.triangles.iter().filter_map(|t| corners(item, *t))).collect();
        let reach = 4.0 * view.camera.distance();
        let floor = view.floor.filter(|f| f.is_finite());
        let shadows = Shadows::new(shading.toward_key(), &triangles, floor, view.camera.target, reach);
        let seen = onto_samples(items, &lens, width, height);
        let mut bands = vec![Vec::new(); height.div_ceil(BAND)];
        for (i, triangle) in seen.iter().enumerate() {
            let [first, after] = triangle.screen.rows;
            if first < after {
                let band = |row: usize| row / (BAND * Lens::SAMPLES);
                bands[band(first)..=band(after - 1)].iter_mut().for_each(|list| list.push(i as u32));
            }
        }
        let backdrop = Backdrop::new(view);
        Self { items, lens, shading, backdrop, shadows, seen, bands, encoder: SrgbEncoder::new(), width }
    }

    /// Draws one band of pixel rows.
    fn draw_band(&self, band: usize, rgb: &mut [u8]) {
        const S: usize = Lens::SAMPLES;
        let samples = self.width * S;
        let rows = rgb.len() / (3 * self.width);
        let mut visible = Visibility::new(samples, rows * S);
        for &i in &self.bands[band] {
            visible.draw(&self.seen[i as usize].screen, i + 1, band * BAND * S);
        }
        for (y, row) in rgb.chunks_exact_mut(3 * self.width).enumerate() {
            let top = (band * BAND + y) * S;
            let backdrop = self.backdrop.row(&self.lens, top as f32 + 0.5 * S as f32);
            let (upper, lower) = visible.ids[y * S * samples..][..S * samples].split_at(samples);
            let ids = upper.chunks_exact(S).zip(lower.chunks_exact(S)).map(|(u, l)| [u[0], u[1], l[0], l[1]]);
            for (x, (pixel, ids)) in row.chunks_exact_mut(3).zip(ids).enumerate() {
                let color = if ids == [0; S * S] {
                    tone(backdrop.color(x as f32 * S as f32 + 0.5 * S as f32, &self.shadows))
                } else {
                    self.pixel(x * S, top, ids)
                };
                pixel.copy_from_slice(&color.to_array().map(|c| self.encoder.encode(c)));
            }
        }
    }

    /// Mean colour of the samples of a pixel, of which the first is at (`x`, `y`).
    #[inline(never)]
    fn pixel(&self, x: usize, y: usize, ids: [u32; Lens::SAMPLES * Lens::SAMPLES]) -> Vec3A {
        const S: usize = Lens::SAMPLES;
        let mut sum = Vec3A::ZERO;
        for k in 0..ids.len() {
            if ids[..k].contains(&ids[k]) {
                continue;
            }
            // Shaded once, in the middle of the samples that see the same triangle.
            let (mut sx, mut sy, mut count) = (0.0, 0.0, 0.0);
            for (j, _) in ids.iter().enumerate().filter(|(_, id)| **id == ids[k]) {
                sx += (x + j % S) as f32 + 0.5;
                sy += (y + j / S) as f32 + 0.5;
                count += 1.0;
            }
            let (sx, sy) = (sx / count, sy / count);
            let color = match ids[k].checked_sub(1) {
                Some(seen) => self.surface(&self.seen[seen as usize], sx, sy).into(),
                None => self.backdrop.row(&self.lens, sy).color(sx, &self.shadows),
            };
            sum += tone(color) * count;
        }
        sum / ids.len() as f32
    }

    /// Colour of a triangle where the ray through a sample position meets it.
    fn surface(&self, seen: &Seen, x: f32, y: f32) -> Vec3 {
        let item = &self.items[seen.item as usize];
        let Some([a, b, c]) = corners(item, seen.corners) else { return Vec3::ZERO };
        let ray = self.lens.ray(x, y);
        let weights = weights(self.lens.eye, ray, [a, b, c]);
        let mix = |p: Vec3, q: Vec3, r: Vec3| p * weights.x + q * weights.y + r * weights.z;
        let point = mix(a, b, c);
        let to_eye = -ray.normalize_or(Vec3::NEG_Z);

        let flat = (b - a).cross(c - a).normalize_or(to_eye);
        let [i, j, k] = seen.corners.map(|v| v as usize);
        let mut normal = flat;
        if item.normals.len() == item.positions.len() {
            normal = mix(item.normals[i], item.normals[j], item.normals[k]).try_normalize().unwrap_or(flat);
        }
        if flat.dot(to_eye) < 0.0 {
            normal = -normal;
        }
        // Smooth normals may point away near outlines: bend them back to the edge.
        let away = normal.dot(to_eye);
        if away < 0.02 {
            normal = (normal + to_eye * (0.02 - away)).normalize_or(to_eye);
        }

        let of = |v: usize| item.colors.and_then(|c| c.get(v)).map(|c| Vec3::new(c[0], c[1], c[2]));
        let albedo = match (of(i), of(j), of(k)) {
            (Some(p), Some(q), Some(r)) => mix(p, q, r),
            _ => Vec3::from(item.color),
        };
        self.shading.body(point, normal, to_eye, albedo.clamp(Vec3::ZERO, Vec3::ONE), &self.shadows)
    }
}

/// A triangle's corners, unless one is missing or not finite.
fn corners(item: &Item<'_>, triangle: [u32; 3]) -> Option<[Vec3; 3]> {
    let [a, b, c] = triangle.map(|v| item.positions.get(v as usize).copied().filter(|p| p.is_finite()));
    Some([a?, b?, c?])
}

/// All triangles in front of the camera, cut at its near plane.
fn onto_samples(items: &[Item<'_>], lens: &Lens, width: usize, height: usize) -> Vec<Seen> {
    let (columns, rows) = (width * Lens::SAMPLES, height * Lens::SAMPLES);
    let mut seen = Vec::with_capacity(items.iter().map(|i| i.triangles.len()).sum());
    for (index, item) in items.iter().enumerate() {
        for &triangle in item.triangles {
            let Some(corners) = corners(item, triangle) else { continue };
            let (pieces, count) = clip_near(corners.map(|p| lens.view_from_world(p)), lens.near);
            for piece in &pieces[..count] {
                let on_samples = piece.map(|v| lens.sample_from_view(v));
                if let Some(screen) = ScreenTriangle::new(on_samples, columns, rows) {
                    seen.push(Seen { screen, item: index as u32, corners: triangle });
                }
            }
        }
    }
    seen
}

/// Barycentric weights of the point where a ray meets a triangle, moved into the triangle.
fn weights(eye: Vec3, ray: Vec3, [a, b, c]: [Vec3; 3]) -> Vec3 {
    let (ab, ac, from_a) = (b - a, c - a, eye - a);
    let p = ray.cross(ac);
    let scale = 1.0 / ab.dot(p);
    let v = from_a.dot(p) * scale;
    let w = ray.dot(from_a.cross(ab)) * scale;
    let inside = Vec3::new(1.0 - v - w, v, w).max(Vec3::ZERO);
    let sum = inside.element_sum();
    if sum.is_finite() && sum > 0.0 { inside / sum } else { Vec3::splat(1.0 / 3.0) }
}
