//! Skins that must stay closed and out of each other, and what a whole world weighs and how it moves.

#![allow(dead_code, clippy::allow_attributes, reason = "each test binary uses a part of it")]

use pliant::geometry::{SurfaceTree, TriMesh, WindingTree, weld};
use pliant::glam::{DVec3, IVec3, Vec3};
use pliant::{Body, World};
use std::collections::BTreeMap;

/// How many sides of triangles have no partner that goes the other way.
pub fn unpaired(triangles: impl Iterator<Item = [u32; 3]>) -> usize {
    let mut sides: BTreeMap<[u32; 2], i32> = BTreeMap::new();
    for [a, b, c] in triangles {
        for [from, to] in [[a, b], [b, c], [c, a]] {
            *sides.entry([from.min(to), from.max(to)]).or_default() += if from < to { 1 } else { -1 };
        }
    }
    sides.values().filter(|&&sum| sum != 0).count()
}

/// Checks that a body's skin is closed and oriented, as it is drawn and, if it was cut freely, vertex by vertex.
pub fn assert_closed(body: &Body, when: &str) {
    let mesh = &body.rest().mesh;
    assert_eq!(mesh.validate(), Ok(()), "{when}");
    let welded = weld(mesh, 0.0);
    assert_eq!(unpaired(welded.triangles.iter().copied()), 0, "the drawn mesh {when}");
    if let Some(cut) = &body.rest().cut {
        let surface = cut.cubes.surface();
        assert_eq!(unpaired(surface.triangles().into_iter()), 0, "the surface {when}");
        assert_eq!(cut.sides.len(), mesh.positions.len());
        // Sheets share a vertex only where their nodes hang together within the cube.
        for vertex in &surface.vertices {
            let nodes: Vec<_> = vertex.component().collect();
            let high = vertex.cube + IVec3::ONE;
            for pair in nodes.windows(2) {
                assert!(cut.cubes.joined_in_box(vertex.cube, high, pair[0], pair[1]), "{when}");
            }
        }
    }
    assert!(body.rest().volume > 0.0, "{when}: the volume is {}", body.rest().volume);
}

/// Mass, linear and angular momentum about zero of all bodies.
pub fn totals(world: &World) -> (f64, DVec3, DVec3) {
    let mut sums = (0.0, DVec3::ZERO, DVec3::ZERO);
    for (_, body) in world.bodies() {
        for (node, &m) in body.rest().nodes.masses.iter().enumerate() {
            let (m, v) = (f64::from(m), body.nodes.velocities[node].as_dvec3());
            sums.0 += m;
            sums.1 += m * v;
            sums.2 += m * body.nodes.world_position(node).cross(v);
        }
    }
    sums
}

/// How deep the deepest vertex of one body's skin is inside another's, in metres.
pub fn depth_in(body: &Body, other: &Body) -> f64 {
    let mesh = TriMesh::new(other.skin().positions.clone(), other.rest().mesh.triangles.clone());
    let (low, high) = mesh.bounds().expect("a mesh");
    let offset = (body.nodes.origin - other.nodes.origin).as_vec3();
    let winding = WindingTree::new(&mesh.positions, &mesh.triangles);
    let surface = SurfaceTree::new(&mesh.positions, &mesh.triangles);
    let depth = |p: &Vec3| {
        let p = *p + offset;
        let near = p.cmpge(low).all() && p.cmple(high).all();
        if near && winding.is_inside(p) { surface.distance_up_to(p, f32::INFINITY) } else { 0.0 }
    };
    f64::from(body.skin().positions.iter().map(depth).fold(0.0, f32::max))
}
