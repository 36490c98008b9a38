//! Surfaces of simple solids: for colliders, markers and tests.

use crate::Item;
use pliant::geometry::TriMesh;
use pliant::glam::{Quat, Vec3};
use std::f32::consts::{PI, TAU};

/// An item that draws a mesh, in its own colours if it has any.
pub fn item(mesh: &TriMesh, color: [f32; 3]) -> Item<'_> {
    let colors = (!mesh.colors.is_empty()).then_some(&mesh.colors[..]);
    Item {
        positions: &mesh.positions,
        normals: &mesh.normals,
        triangles: &mesh.triangles,
        colors,
        color,
        offset: Vec3::ZERO,
        mesh: None,
        ghost: false,
    }
}

/// Smooth unit normals: the mean of the triangles around each vertex, by area.
pub fn vertex_normals(positions: &[Vec3], triangles: &[[u32; 3]]) -> Vec<Vec3> {
    let mut normals = vec![Vec3::ZERO; positions.len()];
    for t in triangles {
        let [Some(a), Some(b), Some(c)] = t.map(|v| positions.get(v as usize)) else { continue };
        let normal = (*b - *a).cross(*c - *a);
        if normal.is_finite() {
            t.iter().for_each(|&v| normals[v as usize] += normal);
        }
    }
    normals.iter().map(|n| n.normalize_or(Vec3::Y)).collect()
}

/// A ball with `around` vertices on its equator (at least 4).
pub fn sphere(centre: Vec3, radius: f32, around: usize) -> TriMesh {
    capsule(centre, centre, radius, around)
}

/// A rod with round ends from `from` to `to`, with `around` vertices around it (at least 4).
pub fn capsule(from: Vec3, to: Vec3, radius: f32, around: usize) -> TriMesh {
    let around = around.max(4);
    let rings = around.div_ceil(2) / 2 * 2;
    let axis = (to - from).try_normalize().unwrap_or(Vec3::Y);
    let (u, v) = axis.any_orthonormal_pair();
    let mut mesh = TriMesh::default();
    let mut add = |centre: Vec3, normal: Vec3| {
        mesh.positions.push(centre + normal * radius);
        mesh.normals.push(normal);
        (mesh.positions.len() - 1) as u32
    };
    let bottom = add(from, -axis);
    let mut starts = Vec::new();
    // The ring in the middle is doubled when the ends differ.
    for ring in 1..rings {
        let ends: &[Vec3] = match ring.cmp(&(rings / 2)) {
            std::cmp::Ordering::Less => &[from],
            std::cmp::Ordering::Equal if from != to => &[from, to],
            _ => &[to],
        };
        let polar = PI * ring as f32 / rings as f32;
        for &end in ends {
            for i in 0..around {
                let angle = TAU * i as f32 / around as f32;
                let side = u * angle.cos() + v * angle.sin();
                let index = add(end, side * polar.sin() - axis * polar.cos());
                if i == 0 {
                    starts.push(index);
                }
            }
        }
    }
    let top = add(to, axis);
    let n = around as u32;
    let last = starts[starts.len() - 1];
    for i in 0..n {
        let j = (i + 1) % n;
        mesh.triangles.push([bottom, starts[0] + j, starts[0] + i]);
        for pair in starts.windows(2) {
            let (low, high) = (pair[0], pair[1]);
            mesh.triangles.push([low + i, low + j, high + j]);
            mesh.triangles.push([low + i, high + j, high + i]);
        }
        mesh.triangles.push([last + i, last + j, top]);
    }
    mesh
}

/// A rod with flat ends from `from` to `to`, with `around` vertices around it (at least 3).
pub fn cylinder(from: Vec3, to: Vec3, radius: f32, around: usize) -> TriMesh {
    let n = around.max(3) as u32;
    let axis = (to - from).try_normalize().unwrap_or(Vec3::Y);
    let (u, v) = axis.any_orthonormal_pair();
    let mut mesh = TriMesh::default();
    // The rims are there twice: for the side and for the ends.
    for (end, normal) in [(from, None), (to, None), (from, Some(-axis)), (to, Some(axis))] {
        for i in 0..n {
            let angle = TAU * i as f32 / n as f32;
            let side = u * angle.cos() + v * angle.sin();
            mesh.positions.push(end + side * radius);
            mesh.normals.push(normal.unwrap_or(side));
        }
    }
    for i in 0..n {
        let j = (i + 1) % n;
        mesh.triangles.extend([[i, j, n + j], [i, n + j, n + i]]);
    }
    for i in 1..n - 1 {
        let (low, high) = (2 * n, 3 * n);
        mesh.triangles.extend([[low, low + i + 1, low + i], [high, high + i, high + i + 1]]);
    }
    mesh
}

/// A box with half sides `half`, turned by `rotation`; its faces are flat.
pub fn cuboid(centre: Vec3, half: Vec3, rotation: Quat) -> TriMesh {
    let mut mesh = TriMesh::default();
    for (axis, sign) in [(0, 1.0), (0, -1.0), (1, 1.0), (1, -1.0), (2, 1.0), (2, -1.0f32)] {
        let axes = [Vec3::X, Vec3::Y, Vec3::Z];
        let (n, u) = (axes[axis] * sign, axes[(axis + 1) % 3]);
        let v = n.cross(u);
        let first = mesh.positions.len() as u32;
        for (s, t) in [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)] {
            mesh.positions.push(centre + rotation * ((n + u * s + v * t) * half));
            mesh.normals.push(rotation * n);
        }
        mesh.triangles.extend([[first, first + 1, first + 2], [first, first + 2, first + 3]]);
    }
    mesh
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn solids_face_outward_and_have_their_volumes() {
        let close = |mesh: &TriMesh, volume: f32, tolerance: f32| {
            mesh.validate().unwrap();
            let found = mesh.signed_volume() as f32;
            assert!((found / volume - 1.0).abs() < tolerance, "{found} for {volume}");
        };
        close(&sphere(Vec3::ONE, 2.0, 64), 4.0 / 3.0 * PI * 8.0, 0.01);
        close(&capsule(Vec3::ZERO, Vec3::X * 3.0, 1.0, 64), PI * (3.0 + 4.0 / 3.0), 0.01);
        close(&cylinder(Vec3::ONE, Vec3::ONE + Vec3::X * 3.0, 1.0, 64), PI * 3.0, 0.01);
        close(&cuboid(Vec3::ONE, Vec3::new(1.0, 2.0, 3.0), Quat::from_rotation_x(0.7)), 48.0, 1e-4);
    }
}
