//! Solids to cut, and what any half must be.

use glam::{Vec2, Vec3};
use pliant::cut::scissors::{CapSettings, Half, Plane, ScissorsError, clip};
use pliant::geometry::{EdgeTable, TriMesh, shapes, weld};
use std::f32::consts::TAU;

/// Numbers that are the same in every run.
pub struct Lcg(pub u64);

impl Lcg {
    pub fn unit(&mut self) -> f32 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 40) as f32 / (1_u64 << 24) as f32
    }

    pub fn vector(&mut self) -> Vec3 {
        Vec3::from_array(std::array::from_fn(|_| self.unit() * 2.0 - 1.0))
    }

    /// A plane that passes within `reach` of zero.
    pub fn plane(&mut self, reach: f32) -> Plane {
        let direction = self.vector();
        let direction = if direction.length() < 0.1 { Vec3::X } else { direction };
        Plane::through(self.vector() * reach, direction)
    }
}

pub fn caps(spacing: f32) -> CapSettings {
    CapSettings { spacing, ..CapSettings::default() }
}

pub fn at_rest(mesh: &TriMesh, plane: &Plane, spacing: f32) -> Result<[Half; 2], ScissorsError> {
    clip(mesh, &mesh.positions, plane, &caps(spacing))
}

/// All promises that hold for any half.
pub fn assert_sound(half: &Half) {
    half.mesh.validate().expect("arrays fit");
    assert_eq!(half.now.len(), half.mesh.positions.len());
    assert_eq!(half.origins.len(), half.mesh.positions.len());
    assert!(half.now.iter().all(|p| p.is_finite()));
    let mut used = vec![false; half.now.len()];
    half.mesh.triangles.iter().flatten().for_each(|&v| used[v as usize] = true);
    assert!(used.iter().all(|&u| u), "a vertex that no triangle names");
    for (index, triangle) in half.mesh.triangles.iter().enumerate() {
        let cap = triangle.map(|v| v as usize >= half.skin_vertices);
        assert_eq!(cap, [index >= half.skin_triangles; 3], "caps have vertices of their own");
    }
}

pub fn assert_closed(half: &Half) {
    assert_sound(half);
    let table = EdgeTable::new(&weld(&half.mesh, 0.0).triangles);
    assert!(table.is_closed(), "{} open edges", table.open().count());
    assert!(table.is_oriented(), "not oriented");
}

/// Closed, and each edge has two triangles.
pub fn assert_manifold(half: &Half) {
    assert_closed(half);
    let table = EdgeTable::new(&weld(&half.mesh, 0.0).triangles);
    assert_eq!(table.non_manifold().count(), 0);
}

pub fn assert_volumes_add_up(mesh: &TriMesh, halves: &[Half; 2]) {
    let whole = mesh.signed_volume();
    let sum = halves[0].mesh.signed_volume() + halves[1].mesh.signed_volume();
    assert!((sum - whole).abs() <= 1e-5 * whole.abs(), "{sum} is not {whole}");
}

pub fn cap_area(half: &Half) -> f64 {
    let of = |t: &[u32; 3]| {
        let [a, b, c] = t.map(|v| half.now[v as usize].as_dvec3());
        (b - a).cross(c - a).length() * 0.5
    };
    half.mesh.triangles[half.skin_triangles..].iter().map(of).sum()
}

/// A prism along y over a polygon that may be concave, given counter-clockwise seen from +z to +x.
pub fn prism(outline: &[Vec2], ears: &[[u32; 3]]) -> TriMesh {
    let n = outline.len() as u32;
    let mut positions: Vec<Vec3> = outline.iter().map(|p| Vec3::new(p.x, -0.5, -p.y)).collect();
    positions.extend(outline.iter().map(|p| Vec3::new(p.x, 0.5, -p.y)));
    let mut triangles = Vec::new();
    for i in 0..n {
        let j = (i + 1) % n;
        triangles.extend([[i, j, j + n], [i, j + n, i + n]]);
    }
    for &[a, b, c] in ears {
        triangles.extend([[a, c, b], [a + n, b + n, c + n]]);
    }
    TriMesh::new(positions, triangles)
}

pub fn star() -> TriMesh {
    let mut outline: Vec<Vec2> = (0..10)
        .map(|i| Vec2::from_angle(TAU * i as f32 / 10.0) * if i % 2 == 0 { 1.0 } else { 0.4 })
        .collect();
    outline.iter_mut().for_each(|p| *p += Vec2::new(0.013, 0.007));
    let mut ears: Vec<[u32; 3]> = (0..5).map(|i| [(2 * i + 9) % 10, 2 * i, 2 * i + 1]).collect();
    ears.extend([[1, 3, 5], [1, 5, 7], [1, 7, 9]]);
    prism(&outline, &ears)
}

pub fn c_shape() -> TriMesh {
    let outline =
        [[0.0, 0.0], [3.0, 0.0], [3.0, 1.0], [1.0, 1.0], [1.0, 2.0], [3.0, 2.0], [3.0, 3.0], [0.0, 3.0]];
    let outline = outline.map(|[x, y]| Vec2::new(x, y) * 0.5 - Vec2::splat(0.75));
    prism(&outline, &[[0, 1, 2], [0, 2, 3], [0, 3, 4], [0, 4, 7], [4, 5, 6], [4, 6, 7]])
}

pub fn joined(mut first: TriMesh, second: &TriMesh) -> TriMesh {
    let offset = first.positions.len() as u32;
    first.positions.extend(&second.positions);
    first.triangles.extend(second.triangles.iter().map(|t| t.map(|v| v + offset)));
    first
}

pub fn turned_inside_out(mut mesh: TriMesh) -> TriMesh {
    mesh.triangles.iter_mut().for_each(|t| t.swap(1, 2));
    mesh
}

pub fn hollow() -> TriMesh {
    joined(shapes::sphere(1.0, 3), &turned_inside_out(shapes::sphere(0.6, 2)))
}

/// Every triangle with vertices of its own, with normals, texture coordinates and colours that are linear in space.
pub fn soup(mesh: &TriMesh) -> TriMesh {
    let mut soup = TriMesh::default();
    for triangle in 0..mesh.triangles.len() {
        let corners = mesh.corners(triangle);
        let normal = (corners[1] - corners[0]).cross(corners[2] - corners[0]).normalize();
        let first = soup.positions.len() as u32;
        soup.triangles.push([first, first + 1, first + 2]);
        for p in corners {
            soup.positions.push(p);
            soup.normals.push(normal);
            soup.uvs.push(uv_at(p));
            soup.colors.push(color_at(p));
        }
    }
    soup
}

pub fn uv_at(p: Vec3) -> Vec2 {
    Vec2::new(p.x * 0.5 + p.y * 0.25, p.z - p.y)
}

pub fn color_at(p: Vec3) -> [f32; 4] {
    [0.5 + 0.25 * p.x, 0.5 + 0.25 * p.y, 0.5 + 0.25 * p.z, 1.0]
}

pub fn shapes_under_test() -> Vec<(&'static str, TriMesh)> {
    vec![
        ("cube", shapes::cuboid(Vec3::splat(1.5), [1, 1, 1])),
        ("cuboid", shapes::cuboid(Vec3::new(1.6, 1.0, 1.2), [8, 5, 6])),
        ("sphere", shapes::sphere(1.0, 3)),
        ("torus", shapes::torus(0.8, 0.3, 32, 16)),
        ("knot", shapes::torus_knot(2, 3, 0.7, 0.3, 0.12, 96, 10)),
        ("hollow sphere", hollow()),
        ("star", star()),
        ("c", c_shape()),
        ("soup", soup(&shapes::capsule(0.5, 1.0, 16, 6))),
    ]
}
