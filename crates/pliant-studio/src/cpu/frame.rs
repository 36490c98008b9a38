//! One picture, band by band.

use super::floor::{Backdrop, Row};
use super::impostor::Impostor;
use super::raster::{ScreenTriangle, Visibility, clip_near};
use super::shade::{Shading, tone, veil};
use super::shadow::Shadows;
use super::soup::{Soup, Triangle, bands, corners_of};
use crate::camera::Lens;
use crate::palette::SrgbEncoder;
use crate::view::{Item, Marker, View};
use pliant::glam::{Vec3, Vec3A};
use rayon::prelude::*;

/// Rows of pixels that are drawn together: their samples stay in the cache.
pub(super) const BAND: usize = 8;
/// Pixels of a row that are looked at together.
const BLOCK: usize = 8;
/// Samples along one side of a pixel.
const S: usize = Lens::SAMPLES;

/// All that the bands of a picture share.
pub(super) struct Frame<'a> {
    items: &'a [Item<'a>],
    lens: Lens,
    shading: Shading,
    backdrop: Backdrop,
    shadows: Shadows,
    soup: Soup,
    /// Each point in samples, with one over its depth; behind the near plane its depth is not above 0.
    points: Vec<Vec3>,
    signs: Vec<Impostor>,
    /// For each band the triangles that touch it, and the signs, in drawing order.
    triangles: Vec<Vec<u32>>,
    sign_bands: Vec<Vec<u32>>,
    any_ghost: bool,
    width: usize,
    height: usize,
}

/// What is seen in a band; one a thread.
#[derive(Default)]
pub(super) struct Layers {
    solid: Visibility,
    ghost: Visibility,
}

/// What is seen at a sample: something solid or the backdrop, and perhaps a ghost in front of it. Ids as in [`Visibility`].
#[derive(Clone, Copy, PartialEq, Eq)]
struct Seen {
    solid: u32,
    ghost: u32,
}

impl<'a> Frame<'a> {
    pub fn new(view: &View, items: &'a [Item<'a>], markers: &[Marker], width: usize, height: usize) -> Self {
        let shading = Shading::new(view);
        let lens = Lens::new(&view.camera, width, height);
        let soup = Soup::new(items);
        let (columns, rows) = (width * S, height * S);
        let see = |p: Vec3| {
            let seen = lens.view_from_world(p);
            if seen.z >= lens.near { lens.sample_from_view(seen) } else { Vec3::new(0.0, 0.0, -1.0) }
        };
        let (shadows, (points, signs)) = rayon::join(
            || {
                let floor = view.floor.filter(|f| f.is_finite());
                let reach = 4.0 * view.camera.distance();
                Shadows::new(shading.toward_key().into(), &soup, floor, view.camera.target, reach)
            },
            || {
                let signs: Vec<Impostor> =
                    markers.par_iter().with_min_len(512).filter_map(|m| Impostor::new(m, &lens)).collect();
                (soup.map(see), signs)
            },
        );
        let range = |(i, triangle): (usize, &Triangle)| {
            let [a, b, c] = corners_of(triangle, &points);
            let (low, high) = (a.min(b).min(c), a.max(b).max(c));
            let rows = if low.z > 0.0 {
                // Beside the picture.
                if high.x < 0.0 || low.x > columns as f32 { [1.0, 0.0] } else { [low.y, high.y] }
            } else if high.z > 0.0 {
                // Cut by the near plane: it may be anywhere.
                [0.0, rows as f32]
            } else {
                [1.0, 0.0]
            };
            (i as u32, rows)
        };
        let triangles = bands(soup.triangles.iter().enumerate().map(range), rows, BAND * S);
        let signs_at = signs.iter().enumerate().map(|(i, sign)| (i as u32, sign.rows()));
        let sign_bands = bands(signs_at, rows, BAND * S);
        Self {
            items,
            backdrop: Backdrop::new(view),
            any_ghost: items.iter().any(|item| item.ghost),
            lens,
            shading,
            shadows,
            soup,
            points,
            signs,
            triangles,
            sign_bands,
            width,
            height,
        }
    }

    /// Draws one band of pixel rows.
    pub fn draw_band(&self, band: usize, rgb: &mut [u8], layers: &mut Layers) {
        let samples = self.width * S;
        let rows = rgb.len() / (3 * self.width);
        let encoder = SrgbEncoder::shared();
        let empty = self.triangles[band].is_empty() && self.sign_bands[band].is_empty();
        if !empty {
            self.find_visible(band, rows, layers);
        }
        for (y, row) in rgb.chunks_exact_mut(3 * self.width).enumerate() {
            let top = (band * BAND + y) * S;
            let backdrop = self.backdrop.row(&self.lens, top as f32 + 0.5 * S as f32);
            for (block, pixels) in row.chunks_mut(3 * BLOCK).enumerate() {
                let (first, count) = (block * BLOCK, pixels.len() / 3);
                let at = y * S * samples + first * S;
                if empty || layers.is_empty(at, count * S, self.any_ghost) {
                    self.fill_backdrop(&backdrop, first, pixels);
                    continue;
                }
                for (i, pixel) in pixels.chunks_exact_mut(3).enumerate() {
                    let seen = |k: usize| layers.seen(at + S * i + k, self.any_ghost);
                    let seen = [seen(0), seen(1), seen(samples), seen(samples + 1)];
                    pixel.copy_from_slice(&encoder.bytes(self.pixel((first + i) * S, top, seen)));
                }
            }
        }
    }

    /// Draws pixels of a row from `first` on in which nothing but the backdrop is seen.
    fn fill_backdrop(&self, row: &Row<'_>, first: usize, pixels: &mut [u8]) {
        let encoder = SrgbEncoder::shared();
        let last = pixels.len() / 3 - 1;
        let pixels = pixels.chunks_exact_mut(3);
        let Some([from, to]) = row.ends(first, first + last, &self.shadows) else {
            pixels.enumerate().for_each(|(i, pixel)| {
                let color = row.color(Row::middle(first + i), &self.shadows);
                pixel.copy_from_slice(&encoder.bytes(tone(color)));
            });
            return;
        };
        let (from, to) = (tone(from), tone(to));
        let bytes = encoder.bytes(from);
        if bytes == encoder.bytes(to) {
            pixels.for_each(|pixel| pixel.copy_from_slice(&bytes));
        } else {
            let step = (to - from) / last.max(1) as f32;
            pixels
                .enumerate()
                .for_each(|(i, pixel)| pixel.copy_from_slice(&encoder.bytes(from + step * i as f32)));
        }
    }

    /// Draws all that touches a band.
    fn find_visible(&self, band: usize, rows: usize, layers: &mut Layers) {
        let Layers { solid, ghost } = layers;
        solid.clear(self.width * S, rows * S);
        if self.any_ghost {
            ghost.clear(self.width * S, rows * S);
        }
        let (columns, all_rows) = (self.width * S, self.height * S);
        let top = band * BAND * S;
        for &i in &self.triangles[band] {
            let triangle = &self.soup.triangles[i as usize];
            let layer = if self.items[triangle.item as usize].ghost { &mut *ghost } else { &mut *solid };
            let corners = corners_of(triangle, &self.points);
            let mut draw = |corners: [Vec3; 3]| {
                if let Some(screen) = ScreenTriangle::new(corners, columns, all_rows) {
                    layer.draw(&screen, i + 1, top);
                }
            };
            if corners.iter().all(|p| p.z > 0.0) {
                draw(corners);
            } else {
                let seen = self.soup.corners(triangle).map(|p| self.lens.view_from_world(p));
                let (pieces, count) = clip_near(seen, self.lens.near);
                pieces[..count].iter().for_each(|piece| draw(piece.map(|v| self.lens.sample_from_view(v))));
            }
        }
        let first = self.soup.triangles.len() as u32 + 1;
        for &i in &self.sign_bands[band] {
            self.signs[i as usize].draw(&self.lens, solid, first + i, top);
        }
    }

    /// Mean colour of the samples of a pixel, of which the first is at (`x`, `y`).
    #[inline(never)]
    fn pixel(&self, x: usize, y: usize, seen: [Seen; S * S]) -> Vec3A {
        if seen == [seen[0]; S * S] {
            return tone(self.color(seen[0], x as f32 + 0.5 * S as f32, y as f32 + 0.5 * S as f32));
        }
        let mut sum = Vec3A::ZERO;
        for k in 0..seen.len() {
            if seen[..k].contains(&seen[k]) {
                continue;
            }
            // Shaded once, in the middle of the samples that see the same.
            let (mut sx, mut sy, mut count) = (0.0, 0.0, 0.0);
            for (j, _) in seen.iter().enumerate().filter(|(_, other)| **other == seen[k]) {
                sx += (x + j % S) as f32 + 0.5;
                sy += (y + j / S) as f32 + 0.5;
                count += 1.0;
            }
            sum += tone(self.color(seen[k], sx / count, sy / count)) * count;
        }
        sum / seen.len() as f32
    }

    /// Linear colour at a sample position.
    fn color(&self, seen: Seen, x: f32, y: f32) -> Vec3A {
        let mut color = match seen.solid.checked_sub(1).map(|i| i as usize) {
            None => self.backdrop.row(&self.lens, y).color(x, &self.shadows),
            Some(i) if i < self.soup.triangles.len() => self.surface(&self.soup.triangles[i], x, y).0,
            Some(i) => self.sign(&self.signs[i - self.soup.triangles.len()], x, y),
        };
        if let Some(ghost) = seen.ghost.checked_sub(1) {
            let (skin, facing) = self.surface(&self.soup.triangles[ghost as usize], x, y);
            color = color.lerp(skin, veil(facing));
        }
        color
    }

    /// Colour of a ball or rod, which nothing shades: it is a sign and no thing.
    fn sign(&self, sign: &Impostor, x: f32, y: f32) -> Vec3A {
        let albedo = Vec3A::from(sign.color).clamp(Vec3A::ZERO, Vec3A::ONE);
        let Some(hit) = sign.hit(&self.lens, x, y) else { return albedo };
        let Lens { right, up, forward, .. } = self.lens;
        let normal = right * hit.normal.x + up * hit.normal.y + forward * hit.normal.z;
        let ray = Vec3A::from(self.lens.ray(x, y));
        let point = Vec3A::from(self.lens.eye) + ray / hit.inverse_depth;
        self.shading.body(point, normal.into(), -ray.normalize_or(Vec3A::NEG_Z), albedo, |_, _| 1.0)
    }

    /// Colour of a triangle where the ray through a sample position meets it, and how far it faces the eye.
    fn surface(&self, triangle: &Triangle, x: f32, y: f32) -> (Vec3A, f32) {
        let item = &self.items[triangle.item as usize];
        let [a, b, c] = self.soup.corners(triangle);
        let [a, b, c] = [Vec3A::from(a), Vec3A::from(b), Vec3A::from(c)];
        let ray = Vec3A::from(self.lens.ray(x, y));
        let weights = weights(self.lens.eye.into(), ray, [a, b, c]);
        let mix = |p: Vec3A, q: Vec3A, r: Vec3A| p * weights.x + q * weights.y + r * weights.z;
        let point = mix(a, b, c);
        let to_eye = -ray.normalize_or(Vec3A::NEG_Z);

        let flat = (b - a).cross(c - a);
        let [i, j, k] = self.soup.vertices(triangle);
        let smooth = if item.normals.len() == item.positions.len() {
            mix(item.normals[i].into(), item.normals[j].into(), item.normals[k].into()).try_normalize()
        } else {
            None
        };
        let mut normal = smooth.unwrap_or_else(|| flat.normalize_or(to_eye));
        if flat.dot(to_eye) < 0.0 {
            normal = -normal;
        }
        // Smooth normals may point away near outlines: bend them back to the edge.
        let away = normal.dot(to_eye);
        if away < 0.02 {
            normal = (normal + to_eye * (0.02 - away)).normalize_or(to_eye);
        }

        let of = |v: usize| item.colors.and_then(|c| c.get(v)).map(|c| Vec3A::new(c[0], c[1], c[2]));
        let albedo = match (of(i), of(j), of(k)) {
            (Some(p), Some(q), Some(r)) => mix(p, q, r),
            _ => Vec3A::from(item.color),
        };
        let albedo = albedo.clamp(Vec3A::ZERO, Vec3A::ONE);
        let lit = |point: Vec3A, normal: Vec3A| self.shadows.on_body(point, normal);
        (self.shading.body(point, normal, to_eye, albedo, lit), normal.dot(to_eye))
    }
}

impl Layers {
    /// Whether nothing is seen at `count` samples from one on, and below them.
    #[inline]
    fn is_empty(&self, at: usize, count: usize, any_ghost: bool) -> bool {
        let none = |layer: &Visibility| {
            let below = at + layer.width();
            let both = layer.ids[at..at + count].iter().chain(&layer.ids[below..below + count]);
            both.fold(0, |any, id| any | id) == 0
        };
        none(&self.solid) && (!any_ghost || none(&self.ghost))
    }

    /// What is seen at a sample.
    #[inline]
    fn seen(&self, at: usize, any_ghost: bool) -> Seen {
        let in_front = any_ghost && self.ghost.depth[at] > self.solid.depth[at];
        Seen { solid: self.solid.ids[at], ghost: if in_front { self.ghost.ids[at] } else { 0 } }
    }
}

/// Barycentric weights of the point where a ray meets a triangle, moved into the triangle.
fn weights(eye: Vec3A, ray: Vec3A, [a, b, c]: [Vec3A; 3]) -> Vec3A {
    let (ab, ac, from_a) = (b - a, c - a, eye - a);
    let p = ray.cross(ac);
    let scale = 1.0 / ab.dot(p);
    let v = from_a.dot(p) * scale;
    let w = ray.dot(from_a.cross(ab)) * scale;
    let inside = Vec3A::new(1.0 - v - w, v, w).max(Vec3A::ZERO);
    let sum = inside.element_sum();
    if sum.is_finite() && sum > 0.0 { inside / sum } else { Vec3A::splat(1.0 / 3.0) }
}
