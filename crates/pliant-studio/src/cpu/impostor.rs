//! Balls and rods without triangles: each sample asks whether it meets them, and how deep.
//!
//! A ball is met exactly. A rod is a line on the picture plane whose half width and inverse depth change evenly along it, as
//! perspective has it, and is round across: right for rods that are thin beside their distance, as signs are.

use super::raster::Visibility;
use crate::camera::Lens;
use crate::view::Marker;
use pliant::glam::{Vec2, Vec3};

/// Half width in samples that a sign has at least: thinner lines would break up.
const THINNEST: f32 = 0.8;

/// A ball or a rod on the sample grid.
pub(crate) struct Impostor {
    shape: Shape,
    pub color: [f32; 3],
    /// Lowest and highest column and row that it may cover, in samples.
    low: Vec2,
    high: Vec2,
}

enum Shape {
    /// Centre as the camera sees it, and radius, in metres.
    Ball { centre: Vec3, radius: f32 },
    /// Ends in samples with inverse depth, half width in samples and in metres.
    Rod { from: Vec3, to: Vec3, per_length2: f32, widths: [f32; 2], radius: f32 },
}

/// Where a ray meets a sign, as the camera sees it.
pub(crate) struct Hit {
    pub inverse_depth: f32,
    /// Right, up and forward.
    pub normal: Vec3,
}

impl Impostor {
    /// `None` for what is behind the camera or not finite.
    pub fn new(marker: &Marker, lens: &Lens) -> Option<Self> {
        match *marker {
            Marker::Ball { centre, radius, color } => {
                let centre = lens.view_from_world(centre);
                // Nearer than its radius the camera is inside, and sees nothing of it.
                let radius = radius.max(THINNEST * centre.z / lens.focal);
                if !(centre.is_finite() && radius.is_finite() && centre.z - radius > lens.near) {
                    return None;
                }
                let middle = lens.sample_from_view(centre).truncate();
                // Of the box around it that stands square to the line of sight; the outline is inside.
                let reach = centre.length() / (centre.length_squared() - radius * radius).sqrt();
                let slant = centre.length() / centre.z;
                let reach = Vec2::splat(reach * slant * slant * radius * lens.focal / centre.z + 1.0);
                let shape = Shape::Ball { centre, radius };
                Some(Self { shape, color, low: middle - reach, high: middle + reach })
            }
            Marker::Line { from, to, radius, color } => {
                let [mut a, mut b] = [from, to].map(|p| lens.view_from_world(p));
                if !(a.is_finite() && b.is_finite() && radius.is_finite()) || a.z.max(b.z) <= lens.near {
                    return None;
                }
                let cut = |p: Vec3, q: Vec3| p + (q - p) * ((lens.near - p.z) / (q.z - p.z));
                if a.z < lens.near {
                    a = cut(a, b);
                } else if b.z < lens.near {
                    b = cut(b, a);
                }
                let [from, to] = [a, b].map(|p| lens.sample_from_view(p));
                let widths = [from, to].map(|p| (radius * p.z * lens.focal).max(THINNEST));
                let (p, q) = (from.truncate(), to.truncate());
                let length2 = p.distance_squared(q);
                let per_length2 = if length2 > 1e-6 { 1.0 / length2 } else { 0.0 };
                let low = (p - widths[0]).min(q - widths[1]);
                let high = (p + widths[0]).max(q + widths[1]);
                Some(Self { shape: Shape::Rod { from, to, per_length2, widths, radius }, color, low, high })
            }
        }
    }

    /// Lowest and highest row coordinate.
    pub fn rows(&self) -> [f32; 2] {
        [self.low.y, self.high.y]
    }

    /// Where the ray through a sample position meets it.
    #[inline]
    pub fn hit(&self, lens: &Lens, x: f32, y: f32) -> Option<Hit> {
        match self.shape {
            Shape::Ball { centre, radius } => {
                let (u, v) = ((x - lens.centre[0]) / lens.focal, (lens.centre[1] - y) / lens.focal);
                let ray = Vec3::new(u, v, 1.0);
                let square = ray.length_squared();
                let nearest = ray.dot(centre) / square;
                // From the ball's middle to the ray: small numbers, so nothing cancels.
                let off = ray * nearest - centre;
                let inside = radius * radius - off.length_squared();
                if inside < 0.0 {
                    return None;
                }
                let back = (inside / square).sqrt();
                let normal = (off - ray * back) / radius;
                Some(Hit { inverse_depth: 1.0 / (nearest - back), normal })
            }
            Shape::Rod { from, to, per_length2, widths, radius } => {
                let (at, axis) = (Vec2::new(x, y) - from.truncate(), (to - from).truncate());
                let t = (at.dot(axis) * per_length2).clamp(0.0, 1.0);
                let width = widths[0] + (widths[1] - widths[0]) * t;
                let off = (at - axis * t) / width;
                let inside = 1.0 - off.length_squared();
                if inside < 0.0 {
                    return None;
                }
                let toward = inside.sqrt();
                let axis_depth = from.z + (to.z - from.z) * t;
                let inverse_depth = axis_depth * (1.0 + radius * toward * axis_depth);
                Some(Hit { inverse_depth, normal: Vec3::new(off.x, -off.y, -toward) })
            }
        }
    }

    /// Columns that it may cover in a row of samples.
    fn columns(&self, row: usize, width: usize) -> [usize; 2] {
        let (mut low, mut high) = (self.low.x, self.high.x);
        if let Shape::Rod { from, to, widths, .. } = self.shape {
            // The part of the axis that is near enough to the row.
            let reach = widths[0].max(widths[1]);
            let (y, slope) = (row as f32 + 0.5 - from.y, to.y - from.y);
            if slope.abs() > 1e-3 {
                let [s, t] = [(y - reach) / slope, (y + reach) / slope].map(|t| t.clamp(0.0, 1.0));
                let [p, q] = [s, t].map(|t| from.x + (to.x - from.x) * t);
                (low, high) = (low.max(p.min(q) - reach), high.min(p.max(q) + reach));
            }
        }
        let most = width as f32;
        [(low - 0.5).clamp(0.0, most).ceil() as usize, (high + 0.5).clamp(0.0, most) as usize]
    }

    /// Draws its samples into rows `first_row ..` of the picture, of which `visible` holds as many as it has.
    pub fn draw(&self, lens: &Lens, visible: &mut Visibility, id: u32, first_row: usize) {
        let first = ((self.low.y - 0.5).ceil().max(0.0) as usize).max(first_row);
        let after = ((self.high.y.max(0.0) + 0.5) as usize).min(first_row + visible.rows());
        for row in first..after {
            let [left, right] = self.columns(row, visible.width());
            for column in left..right {
                if let Some(hit) = self.hit(lens, column as f32 + 0.5, row as f32 + 0.5) {
                    visible.offer(column, row - first_row, hit.inverse_depth, id);
                }
            }
        }
    }
}
