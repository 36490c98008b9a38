//! Filling holes.
//!
//! Based on \[BS95\] and \[L03\]: of all triangulations of a loop, the one of least area, by dynamic programming.
//!
//! Deviations: a share of squared side lengths is added to the area, which decides between the many triangulations of
//! a flat loop, where all areas are equal; angles to the surroundings are not weighed. Loops too long for O(n³) get
//! a fan to their middle.

use super::edges::EdgeTable;
use super::mending::Mending;
use super::repair::{RepairSettings, diagonal};
use glam::{DVec3, Vec3};
use rustc_hash::FxHashSet;

/// Weight of squared side lengths against area; a tenth of it still decides, ten times it ignores area.
const SIDE_WEIGHT: f64 = 0.02;

/// Triangles that dynamic programming may weigh in one pass: about 0.05 s, or one loop of 300 edges.
const MOST_WEIGHED: usize = 5_000_000;

/// A patch larger than this share of the part it closes is no hole's: the loop is the rim of a sheet.
const MOST_OF_A_PART: f64 = 0.4;

/// Fills holes that `settings` calls small and returns how many, and with how many triangles.
pub(super) fn fill_holes(work: &mut Mending, settings: &RepairSettings) -> (usize, usize) {
    let welded = work.welded();
    let edges = EdgeTable::new(&welded);
    let loops = edges.boundary_loops();
    if loops.is_empty() {
        return (0, 0);
    }
    let longest = settings.max_hole_perimeter as f64 * diagonal(work);
    let parts = edges.components_by_edge();
    let mut part_areas = vec![0.0; parts.count];
    for (t, corners) in welded.iter().enumerate() {
        part_areas[parts.of_member[t] as usize] += area(corners.map(|v| at(&work.places, v)));
    }
    let mut filler = Filler { edges: &edges, chords: FxHashSet::default(), weighed: 0 };
    let (mut holes, mut triangles) = (0, 0);
    for found in loops {
        let points: Vec<DVec3> = found.iter().map(|&v| at(&work.places, v)).collect();
        let sides = points.len();
        let perimeter: f64 = (0..sides).map(|i| points[i].distance(points[(i + 1) % sides])).sum();
        let small = sides <= settings.max_hole_edges as usize || perimeter <= longest;
        let Some(rim) = Rim::new(&edges, &work.triangles, &found).filter(|_| small) else { continue };
        let part_area = part_areas[parts.of_member[rim.like] as usize];
        let fits = |patch_area: f64| patch_area <= MOST_OF_A_PART * part_area;
        // Backwards: the patch runs against the sides of its neighbours.
        if let Some((patch, patch_area)) = filler.least_area(&found, &points) {
            if fits(patch_area) {
                filler.note_chords(&found, &patch);
                triangles += patch.len();
                for [a, b, c] in patch {
                    work.add_triangle([c, b, a].map(|i| rim.drawn[i]), rim.like);
                }
                holes += 1;
            }
        } else if sides > 3 {
            let middle = points.iter().sum::<DVec3>() / sides as f64;
            let fan = |i: usize| area([middle, points[(i + 1) % sides], points[i]]);
            if fits((0..sides).map(fan).sum()) {
                let tip = rim.middle(work, middle.as_vec3());
                for i in 0..sides {
                    work.add_triangle([tip, rim.drawn[(i + 1) % sides], rim.drawn[i]], rim.like);
                }
                triangles += sides;
                holes += 1;
            }
        }
    }
    (holes, triangles)
}

/// The drawn vertices around a hole.
struct Rim {
    drawn: Vec<u32>,
    /// A triangle at the rim, which the patch is to look like.
    like: usize,
}

impl Rim {
    /// `None` when the triangles around the loop do not wind alike.
    fn new(edges: &EdgeTable, triangles: &[[u32; 3]], found: &[u32]) -> Option<Self> {
        let mut drawn = Vec::with_capacity(found.len());
        let mut like = None;
        for (i, &from) in found.iter().enumerate() {
            let to = found[(i + 1) % found.len()];
            let [side] = edges.uses_of(edges.find(from, to)?) else { return None };
            if side.forward != (from < to) {
                return None;
            }
            drawn.push(triangles[side.triangle as usize][side.side as usize]);
            like = like.or(Some(side.triangle as usize));
        }
        Some(Self { drawn, like: like? })
    }

    /// A new vertex in the middle, with the mean look of two across.
    fn middle(&self, work: &mut Mending, position: Vec3) -> u32 {
        let place = work.add_place(position);
        work.blend(self.drawn[0], self.drawn[self.drawn.len() / 2], 0.5, place)
    }
}

struct Filler<'a> {
    edges: &'a EdgeTable,
    /// Sides of patches made so far that lie inside them.
    chords: FxHashSet<[u32; 2]>,
    weighed: usize,
}

impl Filler<'_> {
    /// The triangulation of least weight as corners of the loop, and its area. `None` when the loop is too long or
    /// every triangulation would repeat an edge of the mesh.
    fn least_area(&mut self, found: &[u32], points: &[DVec3]) -> Option<(Vec<[usize; 3]>, f64)> {
        let n = found.len();
        if n < 3 || n.checked_pow(3)? / 6 + self.weighed > MOST_WEIGHED {
            return None;
        }
        self.weighed += n * n * n / 6;
        let allowed = |i: usize, j: usize| {
            let rim = j - i == 1 || (i == 0 && j == n - 1);
            let chord = [found[i].min(found[j]), found[i].max(found[j])];
            rim || (self.edges.find(chord[0], chord[1]).is_none() && !self.chords.contains(&chord))
        };
        let mut weight = vec![f64::INFINITY; n * n];
        let mut split = vec![0_usize; n * n];
        (0..n - 1).for_each(|i| weight[i * n + i + 1] = 0.0);
        for gap in 2..n {
            for i in 0..n - gap {
                let j = i + gap;
                if !allowed(i, j) {
                    continue;
                }
                for k in i + 1..j {
                    let below = weight[i * n + k] + weight[k * n + j];
                    if below.is_finite() {
                        let total = below + weigh([points[i], points[k], points[j]]);
                        if total < weight[i * n + j] {
                            weight[i * n + j] = total;
                            split[i * n + j] = k;
                        }
                    }
                }
            }
        }
        if n == 3 && self.is_triangle(found) || !weight[n - 1].is_finite() {
            return None;
        }
        let mut patch = Vec::with_capacity(n - 2);
        let mut stack = vec![(0, n - 1)];
        while let Some((i, j)) = stack.pop() {
            if j - i > 1 {
                let k = split[i * n + j];
                patch.push([i, k, j]);
                stack.extend([(i, k), (k, j)]);
            }
        }
        let total = patch.iter().map(|t| area(t.map(|i| points[i]))).sum();
        Some((patch, total))
    }

    /// Whether three vertices are the corners of one triangle of the mesh.
    fn is_triangle(&self, corners: &[u32]) -> bool {
        let at =
            |i: usize| self.edges.find(corners[i], corners[(i + 1) % 3]).map(|e| self.edges.uses_of(e)[0]);
        let sides = [at(0), at(1), at(2)].map(|side| side.map(|s| s.triangle));
        sides[0] == sides[1] && sides[1] == sides[2]
    }

    fn note_chords(&mut self, found: &[u32], patch: &[[usize; 3]]) {
        for [i, k, j] in patch {
            for (a, b) in [(found[*i], found[*k]), (found[*k], found[*j]), (found[*i], found[*j])] {
                self.chords.insert([a.min(b), a.max(b)]);
            }
        }
    }
}

fn weigh([a, b, c]: [DVec3; 3]) -> f64 {
    let sides = a.distance_squared(b) + b.distance_squared(c) + c.distance_squared(a);
    area([a, b, c]) + SIDE_WEIGHT * sides
}

fn area([a, b, c]: [DVec3; 3]) -> f64 {
    (b - a).cross(c - a).length() * 0.5
}

fn at(places: &[Vec3], v: u32) -> DVec3 {
    places[v as usize].as_dvec3()
}
