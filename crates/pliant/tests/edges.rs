//! The edge table knows what is open, what is non-manifold, and what hangs together.

use glam::Vec3;
use pliant::geometry::{EdgeTable, components_by_vertex, shapes};
use pliant::glam;

#[test]
fn a_closed_shape_has_no_open_edge_and_no_loop() {
    let mesh = shapes::torus(1.0, 0.3, 20, 10);
    let edges = EdgeTable::new(&mesh.triangles);
    assert_eq!(edges.edges.len(), mesh.triangles.len() * 3 / 2);
    assert!(edges.is_closed() && edges.is_oriented() && edges.boundary_loops().is_empty());
    assert_eq!(edges.components_by_edge().count, 1);
}

#[test]
fn nothing_is_not_closed() {
    assert!(!EdgeTable::new(&[]).is_closed());
    assert!(!EdgeTable::new(&[[3, 3, 3]]).is_closed());
}

#[test]
fn one_flip_breaks_orientation() {
    let mut mesh = shapes::sphere(1.0, 2);
    mesh.triangles[17].swap(0, 1);
    assert!(!EdgeTable::new(&mesh.triangles).is_oriented());
}

#[test]
fn each_missing_triangle_is_a_loop_even_when_holes_touch() {
    let mesh = shapes::cuboid(Vec3::ONE, [4, 4, 4]);
    // All triangles around one vertex, every other one removed: three holes or more that meet there.
    let around: Vec<usize> = (0..mesh.triangles.len()).filter(|&t| mesh.triangles[t].contains(&30)).collect();
    let valence = around.len();
    let gone: Vec<usize> = fan(&mesh.triangles, &around, 30).into_iter().step_by(2).collect();
    let kept: Vec<[u32; 3]> =
        (0..mesh.triangles.len()).filter(|t| !gone.contains(t)).map(|t| mesh.triangles[t]).collect();
    let loops = EdgeTable::new(&kept).boundary_loops();
    assert_eq!(loops.len(), valence / 2);
    assert!(loops.iter().all(|l| l.len() == 3));
}

#[test]
fn a_triangle_whose_neighbours_are_gone_bounds_three_holes() {
    let mesh = shapes::sphere(1.0, 3);
    for island in (0..mesh.triangles.len()).step_by(7) {
        let shared = |t: &[u32; 3]| t.iter().filter(|v| mesh.triangles[island].contains(v)).count();
        let kept: Vec<[u32; 3]> = mesh.triangles.iter().copied().filter(|t| shared(t) != 2).collect();
        assert_eq!(kept.len(), mesh.triangles.len() - 3);
        let loops = EdgeTable::new(&kept).boundary_loops();
        assert_eq!(loops.iter().map(Vec::len).collect::<Vec<_>>(), [3, 3, 3]);
    }
}

/// The triangles around a vertex in the order in which they follow each other.
fn fan(triangles: &[[u32; 3]], around: &[usize], vertex: u32) -> Vec<usize> {
    let sides = |t: usize| {
        let [a, b, c] = triangles[t];
        if a == vertex {
            (b, c)
        } else if b == vertex {
            (c, a)
        } else {
            (a, b)
        }
    };
    let mut order = vec![around[0]];
    for i in 0..around.len() - 1 {
        let (_, last) = sides(order[i]);
        order.extend(around.iter().find(|&&t| sides(t).0 == last));
    }
    order
}

#[test]
fn loops_run_along_the_sides_of_their_triangles() {
    let edges = EdgeTable::new(&[[0, 1, 2], [0, 2, 3]]);
    let loops = edges.boundary_loops();
    assert_eq!(loops.len(), 1);
    let l = &loops[0];
    let at = l.iter().position(|&v| v == 0).unwrap();
    let turned: Vec<u32> = (0..4).map(|i| l[(at + i) % 4]).collect();
    assert_eq!(turned, [0, 1, 2, 3]);
}

#[test]
fn a_fan_of_three_on_an_edge_is_non_manifold() {
    let edges = EdgeTable::new(&[[0, 1, 2], [1, 0, 3], [0, 1, 4]]);
    let found: Vec<_> = edges.non_manifold().map(|e| e.vertices).collect();
    assert_eq!(found, [[0, 1]]);
    assert_eq!(edges.open().count(), 6);
}

#[test]
fn parts_that_share_a_vertex_are_one_by_vertex_and_two_by_edge() {
    let triangles = [[0, 1, 2], [2, 3, 4], [5, 6, 7]];
    let by_vertex = components_by_vertex(&triangles);
    assert_eq!((by_vertex.count, by_vertex.of_member), (2, vec![0, 0, 1]));
    let by_edge = EdgeTable::new(&triangles).components_by_edge();
    assert_eq!((by_edge.count, by_edge.of_member), (3, vec![0, 1, 2]));
}
