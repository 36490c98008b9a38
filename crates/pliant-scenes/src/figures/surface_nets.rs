//! The surface of a signed distance function as a closed mesh.
//!
//! Based on naive surface nets: one vertex in each grid cell that the surface passes, one quad around each grid
//! edge that it crosses. Deviations:
//!
//! - where a cell's inside or outside corners are not connected along its edges, a corner is filled. Then every
//!   cell holds one disc of surface, and the mesh is a closed manifold whatever the function;
//! - vertices are relaxed along the surface and drawn back onto it, which makes the triangles even, then
//!   smoothed with [Taubin's λ|μ filter](https://doi.org/10.1145/218380.218473), which keeps the volume.

use pliant::geometry::TriMesh;
use pliant::glam::{IVec3, Vec3};

/// How a surface is extracted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// Smallest corner of a box that holds the surface, in metres.
    pub lo: Vec3,
    /// Largest corner, in metres.
    pub hi: Vec3,
    /// Cells along the longest side of the box; 4 … 512.
    pub resolution: usize,
    /// Rounds of relaxing and drawing back.
    pub relax_rounds: usize,
    /// Rounds of smoothing; each wears down what is smaller than a few cells.
    pub smooth_rounds: usize,
}

impl Default for Settings {
    fn default() -> Self {
        Self { lo: Vec3::NEG_ONE, hi: Vec3::ONE, resolution: 32, relax_rounds: 8, smooth_rounds: 2 }
    }
}

/// The surface where `distance` is zero: closed, oriented outward, with normals.
///
/// What reaches beyond the box is cut off there. Empty when nothing lies inside the box.
pub fn extract(settings: &Settings, distance: impl Fn(Vec3) -> f32) -> TriMesh {
    let mut grid = Grid::sample(settings, &distance);
    grid.fill_ambiguous();
    let mut mesh = grid.dual_mesh();
    let neighbours = Neighbours::new(&mesh);
    for _ in 0..settings.relax_rounds {
        relax(&mut mesh, &neighbours, grid.cell, &distance);
    }
    for _ in 0..settings.smooth_rounds {
        smooth(&mut mesh.positions, &neighbours, 0.5);
        smooth(&mut mesh.positions, &neighbours, -0.53);
    }
    mesh.normals = normals(&mesh);
    mesh
}

/// Moves a figure so that it stands on y = 0 with its middle above the origin.
pub fn grounded(mut mesh: TriMesh) -> TriMesh {
    if let Some((lo, hi)) = mesh.bounds() {
        let shift = Vec3::new(0.5 * (lo.x + hi.x), lo.y, 0.5 * (lo.z + hi.z));
        mesh.positions.iter_mut().for_each(|p| *p -= shift);
    }
    mesh
}

/// Gives each vertex the colour of its place.
pub fn painted(mut mesh: TriMesh, color: impl Fn(Vec3) -> [f32; 3]) -> TriMesh {
    let of = |p: &Vec3| {
        let [r, g, b] = color(*p);
        [r, g, b, 1.0]
    };
    mesh.colors = mesh.positions.iter().map(of).collect();
    mesh
}

/// Distances at the corners of cubic cells; the outermost layer is always outside.
struct Grid {
    origin: Vec3,
    cell: f32,
    /// Corners along each axis.
    size: [usize; 3],
    values: Vec<f32>,
}

impl Grid {
    fn sample(settings: &Settings, distance: impl Fn(Vec3) -> f32) -> Self {
        let extent = (settings.hi - settings.lo).max(Vec3::splat(1e-6));
        let cell = extent.max_element() / settings.resolution.clamp(4, 512) as f32;
        // One more cell on all sides keeps the surface off the rim.
        let size = (extent / cell).to_array().map(|n| n.ceil() as usize + 3);
        let middle = (settings.lo + settings.hi) * 0.5;
        let half = Vec3::from(size.map(|n| (n - 1) as f32)) * (0.5 * cell);
        let mut grid = Self { origin: middle - half, cell, size, values: Vec::new() };
        let [nx, ny, nz] = size;
        grid.values = (0..nx * ny * nz)
            .map(|i| {
                let value = distance(grid.origin + Vec3::from(grid.place(i).map(|c| c as f32)) * cell);
                // NaN counts as outside; zero would put vertices onto grid corners.
                let value = if value.is_nan() || grid.on_rim(i) { value.max(0.01 * cell) } else { value };
                if value.abs() < 1e-4 * cell { 1e-4 * cell } else { value }
            })
            .collect();
        grid
    }

    /// Column, row and layer of a corner.
    fn place(&self, corner: usize) -> [usize; 3] {
        let [nx, ny, _] = self.size;
        [corner % nx, corner / nx % ny, corner / (nx * ny)]
    }

    fn on_rim(&self, corner: usize) -> bool {
        self.place(corner).iter().zip(self.size).any(|(&c, n)| c == 0 || c == n - 1)
    }

    fn step(&self, axis: usize) -> usize {
        [1, self.size[0], self.size[0] * self.size[1]][axis]
    }

    /// Index of the `corner`-th corner of the cell whose first corner is `first`.
    fn corner(&self, first: usize, corner: usize) -> usize {
        first + (0..3).map(|axis| (corner >> axis & 1) * self.step(axis)).sum::<usize>()
    }

    /// First corners of all cells.
    fn cells(&self) -> impl Iterator<Item = usize> + use<> {
        let [nx, ny, nz] = self.size;
        (0..nz - 1)
            .flat_map(move |z| (0..ny - 1).flat_map(move |y| (0..nx - 1).map(move |x| (z * ny + y) * nx + x)))
    }

    /// Which corners of a cell are inside, one bit each.
    fn inside(&self, cell: usize) -> u8 {
        (0..8).fold(0, |mask, c| mask | u8::from(self.values[self.corner(cell, c)] < 0.0) << c)
    }

    /// Fills corners until each cell's inside and outside are connected along its edges.
    fn fill_ambiguous(&mut self) {
        let simple: Vec<bool> = (0..=255u8).map(|mask| connected(mask) && connected(!mask)).collect();
        loop {
            let mut filled = false;
            for cell in self.cells() {
                let mask = self.inside(cell);
                if simple[usize::from(mask)] {
                    continue;
                }
                // The outside corner nearest to the surface. There is always one that is not on the rim: the rim
                // connects all that is outside, so inside corners lie across a face of others.
                let outside = (0..8).filter(|c| mask >> c & 1 == 0).map(|c| self.corner(cell, c));
                let outside = outside.filter(|&corner| !self.on_rim(corner));
                let nearest = outside.min_by(|a, b| self.values[*a].total_cmp(&self.values[*b]));
                if let Some(corner) = nearest {
                    self.values[corner] = -0.1 * self.cell;
                    filled = true;
                }
            }
            if !filled {
                return;
            }
        }
    }

    /// One vertex a cell that the surface passes, two triangles an edge that it crosses.
    fn dual_mesh(&self) -> TriMesh {
        let mut vertex_of = vec![None; self.values.len()];
        let mut positions = Vec::new();
        for cell in self.cells() {
            if !matches!(self.inside(cell), 0 | 255) {
                vertex_of[cell] = Some(positions.len() as u32);
                positions.push(self.mean_crossing(cell));
            }
        }
        let mut triangles = Vec::new();
        for first in self.cells() {
            for axis in 0..3 {
                let (a, b) = (self.values[first], self.values[first + self.step(axis)]);
                if (a < 0.0) == (b < 0.0) {
                    continue;
                }
                let (u, v) = (self.step((axis + 1) % 3), self.step((axis + 2) % 3));
                let around = [first, first - u, first - u - v, first - v].map(|cell| vertex_of[cell]);
                let [Some(p), Some(q), Some(r), Some(s)] = around else { continue };
                let quad = if a < 0.0 { [p, q, r, s] } else { [p, s, r, q] };
                triangles.extend(split(&positions, quad));
            }
        }
        TriMesh::new(positions, triangles)
    }

    /// The mean of the points where the surface crosses a cell's edges.
    fn mean_crossing(&self, cell: usize) -> Vec3 {
        let corner =
            |c: usize| IVec3::new((c & 1) as i32, (c >> 1 & 1) as i32, (c >> 2 & 1) as i32).as_vec3();
        let (mut sum, mut count) = (Vec3::ZERO, 0.0);
        for (c, axis) in (0..8).flat_map(|c| (0..3).map(move |axis| (c, axis))) {
            let d = c | 1 << axis;
            let (a, b) = (self.values[self.corner(cell, c)], self.values[self.corner(cell, d)]);
            if d != c && (a < 0.0) != (b < 0.0) {
                sum += corner(c).lerp(corner(d), a / (a - b));
                count += 1.0;
            }
        }
        let at = self.place(cell).map(|c| c as f32);
        self.origin + (Vec3::from(at) + sum / count) * self.cell
    }
}

/// Whether the corners in a mask are connected along the edges of the cube; also when there are none.
fn connected(mask: u8) -> bool {
    let mut reached = mask & mask.wrapping_neg();
    loop {
        let x = (reached & 0x55) << 1 | (reached & 0xAA) >> 1;
        let y = (reached & 0x33) << 2 | (reached & 0xCC) >> 2;
        let z = reached.rotate_left(4);
        let next = (reached | x | y | z) & mask;
        if next == reached {
            return reached == mask;
        }
        reached = next;
    }
}

/// A quad as two triangles along its shorter diagonal.
fn split(positions: &[Vec3], [p, q, r, s]: [u32; 4]) -> [[u32; 3]; 2] {
    let length = |a: u32, b: u32| positions[a as usize].distance_squared(positions[b as usize]);
    if length(p, r) <= length(q, s) { [[p, q, r], [p, r, s]] } else { [[p, q, s], [q, r, s]] }
}

/// The vertices around each vertex.
struct Neighbours {
    starts: Vec<usize>,
    ids: Vec<u32>,
}

impl Neighbours {
    fn new(mesh: &TriMesh) -> Self {
        // In a closed mesh each neighbour is the end of exactly one directed edge.
        let mut edges: Vec<(u32, u32)> =
            mesh.triangles.iter().flat_map(|&[a, b, c]| [(a, b), (b, c), (c, a)]).collect();
        edges.sort_unstable();
        let starts =
            (0..=mesh.positions.len()).map(|v| edges.partition_point(|e| (e.0 as usize) < v)).collect();
        Self { starts, ids: edges.into_iter().map(|e| e.1).collect() }
    }

    fn mean(&self, positions: &[Vec3], vertex: usize) -> Vec3 {
        let around = &self.ids[self.starts[vertex]..self.starts[vertex + 1]];
        let sum: Vec3 = around.iter().map(|&v| positions[v as usize]).sum();
        if around.is_empty() { positions[vertex] } else { sum / around.len() as f32 }
    }
}

/// One round: toward the mean of the neighbours, along the surface only, then back onto it.
fn relax(mesh: &mut TriMesh, neighbours: &Neighbours, cell: f32, distance: impl Fn(Vec3) -> f32) {
    let normals = normals(mesh);
    let gradient = |p: Vec3| {
        let h = 0.05 * cell;
        let along = |axis: Vec3| (distance(p + axis * h) - distance(p - axis * h)) / (2.0 * h);
        Vec3::new(along(Vec3::X), along(Vec3::Y), along(Vec3::Z))
    };
    let moved = |v: usize| {
        let (p, n) = (mesh.positions[v], normals[v]);
        let pull = neighbours.mean(&mesh.positions, v) - p;
        let p = p + (pull - n * n.dot(pull)) * 0.5;
        let slope = gradient(p);
        let back = slope * (distance(p) / slope.length_squared().max(0.05));
        // A step longer than this comes from a bad slope, such as on the ridge of a thin fin.
        if back.is_finite() { p - back.clamp_length_max(0.25 * cell) } else { p }
    };
    mesh.positions = (0..mesh.positions.len()).map(moved).collect();
}

/// One half of Taubin's filter.
fn smooth(positions: &mut Vec<Vec3>, neighbours: &Neighbours, factor: f32) {
    let moved = |v: usize| positions[v].lerp(neighbours.mean(positions, v), factor);
    *positions = (0..positions.len()).map(moved).collect();
}

/// Unit normals: the mean of the triangles around each vertex, by area.
fn normals(mesh: &TriMesh) -> Vec<Vec3> {
    let mut sums = vec![Vec3::ZERO; mesh.positions.len()];
    for (i, t) in mesh.triangles.iter().enumerate() {
        let [a, b, c] = mesh.corners(i);
        let normal = (b - a).cross(c - a);
        t.iter().for_each(|&v| sums[v as usize] += normal);
    }
    sums.iter().map(|n| n.normalize_or(Vec3::Y)).collect()
}
