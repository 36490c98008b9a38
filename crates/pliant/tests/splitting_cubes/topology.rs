//! The table and the surfaces made with it.

use crate::blocks::{STEPS, assert_closed, block, cut, inner_edges, points, random_crossing};
use crate::common::Random;
use pliant::glam::{IVec3, Vec3};
use pliant::skin::splitting_cubes::table::{CONFIGS, Corner, face_edges, face_nodes, table};
use pliant::skin::splitting_cubes::{Cubes, Place};
use std::collections::{BTreeMap, BTreeSet};

/// A vertex on a face, as both cubes at the face see it: place within the face, and nodes of it.
type OnFace = (u8, u8);

fn on_face(vertex: Corner, face: usize) -> OnFace {
    let nodes =
        face_nodes(face).iter().enumerate().fold(0, |mask, (i, n)| mask | (vertex.nodes >> n & 1) << i);
    let place = face_edges(face).iter().position(|&e| e as u8 == vertex.place).map_or(4, |edge| edge as u8);
    (place, nodes)
}

/// The sides that a configuration leaves open on each face; checks that all others are paired.
fn open_sides(config: u16) -> [BTreeSet<(OnFace, OnFace)>; 6] {
    let mut open: [BTreeSet<(OnFace, OnFace)>; 6] = Default::default();
    let mut inner: BTreeMap<(Corner, Corner), usize> = BTreeMap::new();
    for shape in table().shapes(config) {
        for i in 0..4 {
            let (from, to) = (shape.corners[i], shape.corners[(i + 1) % 4]);
            assert!(from.nodes >> shape.node & 1 == 1, "a quad's vertices move with its node");
            if from.place == 18 || to.place == 18 {
                *inner.entry((from, to)).or_default() += 1;
            } else {
                let face = from.place.max(to.place) as usize - 12;
                let new = open[face].insert((on_face(from, face), on_face(to, face)));
                assert!(new, "configuration {config:012b} names a side twice");
            }
        }
    }
    for (&(from, to), &count) in &inner {
        assert_eq!(count, 1, "configuration {config:012b}");
        assert_eq!(inner.get(&(to, from)), Some(&1), "configuration {config:012b}");
    }
    open
}

#[test]
fn neighbouring_cells_agree_on_every_face() {
    let mut known: BTreeMap<(usize, u16), BTreeSet<(OnFace, OnFace)>> = BTreeMap::new();
    for config in 0..CONFIGS as u16 {
        for (face, open) in open_sides(config).into_iter().enumerate() {
            let bits = face_edges(face).into_iter().enumerate();
            let of_face = bits.fold(0, |mask, (i, edge)| mask | (config >> edge & 1) << i);
            let first = known.entry((face, of_face)).or_insert_with(|| open.clone());
            assert_eq!(*first, open, "face {face} of configuration {config:012b}");
        }
    }
    assert_eq!(known.len(), 6 * 16);
    for axis in 0..3 {
        for of_face in 0..16 {
            let reversed = known[&(2 * axis, of_face)].iter().map(|&(from, to)| (to, from)).collect();
            assert_eq!(known[&(2 * axis + 1, of_face)], reversed, "axis {axis}, face {of_face:04b}");
        }
    }
}

/// Blocks of several sizes with anything from few to nearly all edges crossed.
fn random_blocks() -> impl Iterator<Item = (u64, IVec3, Cubes)> {
    (0..200).map(|seed| {
        let mut random = Random::new(seed);
        let size = IVec3::from_array(std::array::from_fn(|_| 1 + random.below(6) as i32));
        let density = random.unit();
        let mut cubes = block(size);
        for (node, axis) in inner_edges(size) {
            if random.unit() < density {
                cubes.cross(node, axis, random_crossing(node, axis, &mut random));
            }
        }
        (seed, size, cubes)
    })
}

#[test]
fn the_surface_is_closed_whatever_is_crossed() {
    for (seed, _, cubes) in random_blocks() {
        let surface = cubes.surface();
        assert!(!surface.quads.is_empty());
        assert_closed(&surface, &format!("seed {seed}"));
    }
}

/// The nodes of a cube that can be reached from one of them, found edge by edge in the grid.
fn reachable(cubes: &Cubes, cube: IVec3, from: IVec3) -> BTreeSet<[i32; 3]> {
    let (mut found, mut stack) = (BTreeSet::from([from.to_array()]), vec![from]);
    while let Some(node) = stack.pop() {
        for (axis, &step) in STEPS.iter().enumerate() {
            for (low, next) in [(node, node + step), (node - step, node - step)] {
                let within = next.cmpge(cube).all() && next.cmple(cube + IVec3::ONE).all();
                if within && cubes.crossing(low, axis).is_none() && found.insert(next.to_array()) {
                    stack.push(next);
                }
            }
        }
    }
    found
}

#[test]
fn a_vertex_moves_with_nodes_that_hang_together_in_its_cube() {
    for (seed, size, cubes) in random_blocks() {
        for vertex in &cubes.surface().vertices {
            let nodes: Vec<IVec3> = vertex.component().collect();
            let together = reachable(&cubes, vertex.cube, nodes[0]);
            assert!(nodes.iter().all(|n| together.contains(&n.to_array())), "seed {seed}: {vertex:?}");
            let material = |n: &IVec3| n.cmpge(IVec3::ZERO).all() && n.cmplt(size).all();
            assert!(nodes.iter().all(material), "seed {seed}: {vertex:?}");
            if vertex.place == Place::Centre {
                assert_eq!(nodes.len(), together.len(), "seed {seed}: {vertex:?}");
            }
        }
    }
}

#[test]
fn separated_nodes_never_share_a_vertex() {
    for (seed, _, cubes) in random_blocks() {
        let surface = cubes.surface();
        let mut users: Vec<BTreeSet<[i32; 3]>> = vec![BTreeSet::new(); surface.vertices.len()];
        for quad in &surface.quads {
            for corner in quad.corners {
                users[corner as usize].insert(quad.node.to_array());
            }
        }
        for (vertex, nodes) in surface.vertices.iter().zip(&users) {
            let Some(&first) = nodes.first() else { panic!("seed {seed}: {vertex:?} is used by no quad") };
            let together = reachable(&cubes, vertex.cube, IVec3::from_array(first));
            assert!(nodes.is_subset(&together), "seed {seed}: {vertex:?}");
            // Each of the users' own vertices moves with it.
            let own: BTreeSet<_> = vertex.component().map(|n| n.to_array()).collect();
            assert!(nodes.is_subset(&own), "seed {seed}: {vertex:?}");
        }
    }
}

#[test]
fn the_sheets_of_a_cut_meet_at_its_front_and_nowhere_else() {
    let size = IVec3::splat(8);
    let mut cubes = block(size);
    // A horizontal blade at z = 3.5 that has come to x = 3.5.
    cut(&mut cubes, size, |p| if p.x < 3.5 { p.z - 3.5 } else { 1.0 }, |_| Vec3::Z);
    // The last of its crossings are across, where the function jumps.
    for (node, axis) in inner_edges(size).filter(|&(_, axis)| axis == 0) {
        cubes.uncross(node, axis);
    }
    let surface = cubes.surface();
    let sheet = |z: i32| -> BTreeSet<u32> {
        let quads = surface.quads.iter().filter(|quad| quad.cut && quad.node.z == z);
        quads.flat_map(|quad| quad.corners).collect()
    };
    let (below, above) = (sheet(3), sheet(4));
    let mut front = 0;
    for &vertex in below.union(&above) {
        let at = &surface.vertices[vertex as usize];
        let across_y = matches!(at.place, Place::Face(2 | 3));
        let at_front = at.cube.x == 3 && (across_y || at.place == Place::Centre);
        assert_eq!(below.contains(&vertex) && above.contains(&vertex), at_front, "{at:?}");
        front += usize::from(at_front);
    }
    // The faces across y at eight rows of nodes, and the cubes between and beside them.
    assert_eq!(front, 8 + 9);
}

#[test]
fn joined_in_a_box_as_a_search_says() {
    for (seed, size, cubes) in random_blocks().take(60) {
        let mut random = Random::new(1_000 + seed);
        let mut pick = |low: IVec3, high: IVec3| {
            low + IVec3::from_array(std::array::from_fn(|i| {
                random.below((high[i] - low[i] + 1) as usize) as i32
            }))
        };
        for _ in 0..20 {
            let (a, b) = (pick(IVec3::ZERO, size - 1), pick(IVec3::ZERO, size - 1));
            let (low, high) = (pick(IVec3::ZERO, a.min(b)), pick(a.max(b), size - 1));
            let (mut found, mut stack) = (BTreeSet::from([a.to_array()]), vec![a]);
            while let Some(node) = stack.pop() {
                for next in points(low, high + 1).filter(|n| (n - node).abs().element_sum() == 1) {
                    let axis = (0..3).find(|&axis| next[axis] != node[axis]).unwrap_or(0);
                    if cubes.crossing(next.min(node), axis).is_none() && found.insert(next.to_array()) {
                        stack.push(next);
                    }
                }
            }
            let expected = found.contains(&b.to_array());
            assert_eq!(cubes.joined_in_box(low, high, a, b), expected, "seed {seed}: {low} {high} {a} {b}");
        }
        assert!(!cubes.joined_in_box(IVec3::ZERO, IVec3::ZERO, IVec3::ZERO, IVec3::X), "outside the box");
        // A box too large for the stack.
        assert!(cubes.joined_in_box(IVec3::splat(-9), size + 9, IVec3::splat(-9), size + 9));
    }
}
