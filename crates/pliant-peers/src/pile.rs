//! The pile of nine cubes of rapier's own benchmark of soft bodies (`examples/fem_bench.rs`, `jelly_pile`): three by three side by
//! side, each let go above the one before it, so that they graze each other as they fall and stand face to face at the end.

use crate::EDGE;

/// Cubes.
pub const CUBES: usize = 9;
/// Points along an edge.
pub const POINTS: usize = 4;
/// kg of a cube: 0.1 a point.
pub const MASS: f32 = 6.4;
/// Frames that they have to land, and frames that count, as there.
pub const FRAMES: [usize; 2] = [400, 600];

/// Where the middle of a cube is let go, in metres; the floor is at 0.
pub fn place(cube: usize) -> [f32; 3] {
    [(cube % 3) as f32 - 1.0, 0.55 + 1.05 * cube as f32, (cube / 3) as f32 - 1.0]
}

/// The faces of a cube by the points on them: the low and the high one of each axis.
pub struct Faces([[Vec<usize>; 2]; 3]);

type Point = [f64; 3];

impl Faces {
    /// Of a cube with these points, as it was built.
    pub fn new(points: &[Point]) -> Self {
        Self([0, 1, 2].map(|axis| {
            let at = |i: usize| points[i][axis];
            let low = (0..points.len()).map(at).fold(f64::MAX, f64::min);
            let high = (0..points.len()).map(at).fold(f64::MIN, f64::max);
            let near = 1e-3 * (high - low);
            [low, high].map(|end| (0..points.len()).filter(|&i| (at(i) - end).abs() < near).collect())
        }))
    }

    /// From the middle of the low face to that of the high one, by axis.
    fn across(&self, points: &[Point]) -> [Point; 3] {
        let mean = |face: &[usize]| {
            [0, 1, 2].map(|k| face.iter().map(|&i| points[i][k]).sum::<f64>() / face.len() as f64)
        };
        self.0.each_ref().map(|[low, high]| {
            let (low, high) = (mean(low), mean(high));
            [0, 1, 2].map(|k| high[k] - low[k])
        })
    }

    /// The height in metres between the faces that lie above each other: the cube may have rolled over.
    fn height(&self, points: &[Point]) -> f64 {
        let upright = self.across(points).into_iter().max_by(|a, b| a[1].abs().total_cmp(&b[1].abs()));
        upright.map_or(f64::NAN, |across| across.iter().map(|x| x * x).sum::<f64>().sqrt())
    }
}

/// Cubes and how they were built.
pub struct Pile {
    cubes: Vec<(Faces, f64)>,
}

impl Pile {
    /// Of cubes with these points.
    pub fn new(cubes: &[Vec<Point>]) -> Self {
        let measured = cubes.iter().map(|points| {
            let faces = Faces::new(points);
            let height = faces.height(points);
            (faces, height)
        });
        Self { cubes: measured.collect() }
    }

    /// Mean height of the cubes, as part of that at rest.
    pub fn height_ratio(&self, cubes: &[Vec<Point>]) -> f64 {
        let ratios = self.cubes.iter().zip(cubes).map(|((faces, rest), points)| faces.height(points) / rest);
        ratios.sum::<f64>() / self.cubes.len() as f64
    }
}

/// How far apart the nearest two cubes are, or a cube and the floor, from middle to middle and as part of an edge: below 1 they
/// are in each other, whichever way they are turned.
pub fn apart(cubes: &[Vec<Point>]) -> f64 {
    let middle = |points: &Vec<Point>| {
        [0, 1, 2].map(|k| points.iter().map(|point| point[k]).sum::<f64>() / points.len() as f64)
    };
    let middles: Vec<Point> = cubes.iter().map(middle).collect();
    let mut least = f64::MAX;
    for (i, a) in middles.iter().enumerate() {
        // One that is nowhere is not apart from anything.
        if !a.iter().all(|x| x.is_finite()) {
            return f64::NAN;
        }
        least = least.min(2.0 * a[1]);
        for b in &middles[..i] {
            least = least.min([0, 1, 2].map(|k| (a[k] - b[k]).powi(2)).iter().sum::<f64>().sqrt());
        }
    }
    least / f64::from(EDGE)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cube(at: Point, scale: Point) -> Vec<Point> {
        let corner = |i: usize| [0, 1, 2].map(|k| at[k] + scale[k] * (((i >> k) & 1) as f64 - 0.5));
        (0..8).map(corner).collect()
    }

    #[test]
    fn a_cube_that_rolled_over_is_as_high_and_a_flat_one_is_not() {
        let upright = cube([0.0, 0.5, 0.0], [1.0; 3]);
        let pile = Pile::new(std::slice::from_ref(&upright));
        let rolled = upright.iter().map(|&[x, y, z]| [y, -x, z]).collect::<Vec<_>>();
        assert!((pile.height_ratio(&[rolled]) - 1.0).abs() < 1e-12);
        let flat = cube([0.0, 0.25, 0.0], [1.0, 0.5, 1.0]);
        assert!(pile.height_ratio(&[flat]) < 0.51);
    }

    #[test]
    fn cubes_in_each_other_or_in_the_floor_are_not_apart() {
        let at = |x: f64, y: f64| cube([x, y, 0.0], [1.0; 3]);
        assert!((apart(&[at(0.0, 0.5), at(1.0, 0.5)]) - 1.0).abs() < 1e-12);
        assert!(apart(&[at(0.0, 0.5), at(0.8, 0.5)]) < 0.81);
        assert!(apart(&[at(0.0, 0.4)]) < 0.81);
        assert!(apart(&[at(f64::NAN, 0.5), at(3.0, 0.5)]).is_nan());
    }
}
