//! All surfaces of a drawing as one list of triangles.

use super::raster::above;
use crate::view::Item;
use pliant::glam::Vec3;
use rayon::prelude::*;

/// All surfaces of a drawing as one list of triangles.
pub(crate) struct Soup {
    /// Where the vertices of all items are.
    pub points: Vec<Vec3>,
    /// Those that can be drawn, in drawing order.
    pub triangles: Vec<Triangle>,
    /// Where the vertices of each item begin.
    starts: Vec<u32>,
}

/// A triangle of an item.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Triangle {
    /// Of all points.
    pub corners: [u32; 3],
    pub item: u32,
}

impl Soup {
    /// Leaves out triangles that name missing vertices or have a corner that is not finite.
    pub fn new(items: &[Item<'_>]) -> Self {
        let mut soup = Self { points: Vec::new(), triangles: Vec::new(), starts: Vec::new() };
        soup.points.reserve_exact(items.iter().map(|item| item.positions.len()).sum());
        soup.triangles.reserve_exact(items.iter().map(|item| item.triangles.len()).sum());
        for (index, item) in items.iter().enumerate() {
            let start = soup.points.len() as u32;
            soup.starts.push(start);
            soup.points.extend(item.positions.iter().map(|p| *p + item.offset));
            let points = &soup.points[start as usize..];
            let good = |v: &u32| points.get(*v as usize).is_some_and(|p| p.is_finite());
            let good = item.triangles.iter().filter(|corners| corners.iter().all(good));
            let triangle = |t: &[u32; 3]| Triangle { corners: t.map(|v| v + start), item: index as u32 };
            soup.triangles.extend(good.map(triangle));
        }
        soup
    }

    /// A triangle's corners.
    pub fn corners(&self, triangle: &Triangle) -> [Vec3; 3] {
        corners_of(triangle, &self.points)
    }

    /// The vertices of a triangle as its item counts them.
    pub fn vertices(&self, triangle: &Triangle) -> [usize; 3] {
        let ([a, b, c], start) = (triangle.corners, self.starts[triangle.item as usize]);
        [(a - start) as usize, (b - start) as usize, (c - start) as usize]
    }

    /// What a function makes of every point, side by side.
    pub fn map<T: Send>(&self, of: impl Fn(Vec3) -> T + Sync + Send) -> Vec<T> {
        self.points.par_iter().with_min_len(2048).map(|p| of(*p)).collect()
    }
}

/// What `points` has for the corners of a triangle.
#[inline]
pub(crate) fn corners_of(triangle: &Triangle, points: &[Vec3]) -> [Vec3; 3] {
    let [a, b, c] = triangle.corners;
    [points[a as usize], points[b as usize], points[c as usize]]
}

/// For each of the bands of `band` rows that make up `rows`, what touches it, in drawing order; `ranges` are lowest and highest
/// row coordinates, in any order of things.
pub(crate) fn bands(
    ranges: impl Iterator<Item = (u32, [f32; 2])>,
    rows: usize,
    band: usize,
) -> Vec<Vec<u32>> {
    let mut bands = vec![Vec::new(); rows.div_ceil(band)];
    for (id, [low, high]) in ranges {
        // Rows are seen at their middles; a little more, for the snapping.
        let (first, after) = (above(low - 0.51), ((high + 0.51).max(0.0) as usize).min(rows));
        if first < after {
            let (first, last) = (first / band, (after - 1) / band);
            bands[first..=last].iter_mut().for_each(|list| list.push(id));
        }
    }
    bands
}
