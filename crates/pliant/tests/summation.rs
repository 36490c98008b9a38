//! Sums over regions are what adding up their members one by one gives, and the way back is their exact transpose.

mod common;
#[path = "common/blocks.rs"]
mod made_of_blocks;

use common::Random;
use made_of_blocks::{l_bar, lattice_of, octree_of, two_boxes};
use pliant::geometry::shapes;
use pliant::glam::{DVec3, UVec3, Vec3};
use pliant::math::lanes::F32x8;
use pliant::model::Changes;
use pliant::model::regions::rest::Summation;
use pliant::model::regions::{Field, Moments};
use pliant::model::{lattice, octree};
use pliant::{Body, LatticeSettings, OctreeSettings};
use std::collections::BTreeMap;

/// Who is in the region of each node, and where the nodes are.
struct Plain {
    /// How many there are: nodes may share one.
    regions: usize,
    members: Vec<Vec<u32>>,
    places: Vec<DVec3>,
}

/// By walking: along z, from there along y, from there along x, up to the width and through links only.
fn plain_lattice(rest: &lattice::Rest) -> Plain {
    let node_at: BTreeMap<[u32; 3], u32> =
        rest.cells.iter().enumerate().map(|(i, c)| (c.to_array(), i as u32)).collect();
    let next = |node: u32, axis: usize| {
        let cell = rest.cells[node as usize] + UVec3::AXES[axis];
        node_at.get(&cell.to_array()).copied().filter(|_| rest.links[node as usize][axis])
    };
    let before = |node: u32, axis: usize| {
        let mut cell = rest.cells[node as usize].to_array();
        cell[axis] = cell[axis].checked_sub(1)?;
        node_at.get(&cell).copied().filter(|&other| rest.links[other as usize][axis])
    };
    let walk = |from: &[u32], axis: usize| -> Vec<u32> {
        let mut all = Vec::new();
        for &start in from {
            all.push(start);
            let (mut up, mut down) = (Some(start), Some(start));
            for _ in 0..rest.width {
                up = up.and_then(|node| next(node, axis));
                down = down.and_then(|node| before(node, axis));
                all.extend(up);
                all.extend(down);
            }
        }
        all
    };
    let members = (0..rest.cells.len() as u32).map(|node| walk(&walk(&walk(&[node], 2), 1), 0)).collect();
    let places = rest.cells.iter().map(|c| c.as_dvec3() * f64::from(rest.cell)).collect();
    Plain { regions: rest.cells.len(), members, places }
}

fn plain_octree(rest: &octree::Rest) -> Plain {
    let count = rest.tree.cells.len();
    Plain {
        regions: rest.regions.len(),
        members: (0..count).map(|node| octree::regions::members(&rest.tree, rest.region(node))).collect(),
        places: rest.places.iter().map(|p| p.as_dvec3()).collect(),
    }
}

fn random_register(random: &mut Random) -> F32x8 {
    F32x8(std::array::from_fn(|_| random.between(-1.0, 1.0)))
}

/// Gather and scatter against adding up member by member, and ⟨gather a, b⟩ = ⟨a, scatter b⟩.
fn check(name: &str, sums: &impl Summation, plain: &Plain, random: &mut Random) {
    let count = plain.members.len();
    let slots = sums.nodes();
    assert_eq!(slots.iter().flatten().count(), plain.regions, "{name}: every region has a slot");
    let fields: Vec<Field> = (0..count).map(|_| random_register(random)).collect();
    // What stands in slots that only fill up registers must never be read.
    let nothing = [F32x8::splat(f32::NAN); 4];
    let maps: Vec<Moments> = slots
        .iter()
        .map(|node| node.map_or(nothing, |_| std::array::from_fn(|_| random_register(random))))
        .collect();
    let gathered = sums.gather(&fields);
    let scattered = sums.scatter(&maps);
    let lane = |register: &F32x8, lane: usize| f64::from(register.0[lane]);
    let mut back = vec![[(0.0_f64, 0.0_f64); 8]; count];
    let (mut left, mut right, mut size) = (0.0, 0.0, 0.0_f64);
    for (slot, node) in slots.iter().enumerate() {
        let Some(node) = node else { continue };
        let node = *node as usize;
        let mut unique = plain.members[node].clone();
        unique.sort_unstable();
        unique.dedup();
        assert_eq!(unique.len(), plain.members[node].len(), "{name}: a member counts once");
        for k in [0, 1, 2, 3, 4, 5, 6, 7] {
            let mut expected = [(0.0_f64, 0.0_f64); 4];
            for &member in &plain.members[node] {
                let q = plain.places[member as usize] - plain.places[node];
                let value = lane(&fields[member as usize], k);
                let to = &mut back[member as usize][k];
                for (register, factor) in [1.0, q.x, q.y, q.z].into_iter().enumerate() {
                    expected[register].0 += value * factor;
                    expected[register].1 += (value * factor).abs();
                    to.0 += lane(&maps[slot][register], k) * factor;
                    to.1 += (lane(&maps[slot][register], k) * factor).abs();
                }
            }
            for (register, (value, of)) in expected.into_iter().enumerate() {
                let found = lane(&gathered[slot][register], k);
                assert!(
                    (found - value).abs() <= 2e-6 * of + 1e-7,
                    "{name}: region of {node}, register {register}: {found}, not {value}"
                );
                let product = found * lane(&maps[slot][register], k);
                left += product;
                size += product.abs();
            }
        }
    }
    for (node, lanes) in back.iter().enumerate() {
        for (k, &(value, of)) in lanes.iter().enumerate() {
            let found = lane(&scattered[node], k);
            assert!(
                (found - value).abs() <= 2e-6 * of + 1e-7,
                "{name}: at node {node}: {found}, not {value}"
            );
            right += lane(&fields[node], k) * found;
        }
    }
    assert!((left - right).abs() < 1e-6 * size, "{name}: {left} one way, {right} the other");
}

fn random_cells(random: &mut Random, width: u32) -> lattice::Rest {
    let size = UVec3::new(1, 1, 1) + UVec3::from_array(std::array::from_fn(|_| random.below(20) as u32));
    let (density, joined) = (random.between(0.2, 1.0), random.between(0.3, 1.05));
    let mut cells = Vec::new();
    for z in 0..size.z {
        for y in 0..size.y {
            cells.extend((0..size.x).filter(|_| random.unit() < density).map(|x| UVec3::new(x, y, z)));
        }
    }
    if cells.is_empty() {
        cells.push(UVec3::ZERO);
    }
    let links = cells.iter().map(|_| std::array::from_fn(|_| random.unit() < joined)).collect();
    let masses: Vec<f32> = cells.iter().map(|_| random.magnitude(0.01, 1.0)).collect();
    let at: Vec<Vec3> = cells.iter().map(|c| c.as_vec3() * 0.1).collect();
    lattice::Rest::new(0.1, width, cells, links, &masses, &at)
}

#[test]
fn sums_over_lattices_of_random_cells_and_links_are_those_of_their_members() {
    let mut random = Random::new(1);
    for case in 0..36 {
        let width = 1 + case % 12;
        let rest = random_cells(&mut random, width);
        check(
            &format!("case {case}, {} cells, width {width}", rest.cells.len()),
            &rest,
            &plain_lattice(&rest),
            &mut random,
        );
    }
}

#[test]
fn sums_over_lattices_of_bodies_are_those_of_their_members() {
    let mut random = Random::new(2);
    for (name, mesh) in
        [("l-bar", l_bar()), ("torus", shapes::torus(0.5, 0.2, 32, 16)), ("boxes", two_boxes(0.01))]
    {
        for width in [1, 2, 5, 12] {
            let settings = LatticeSettings { cell: Some(0.08), width: Some(0.08 * width as f32) };
            let (_, rest) = lattice_of(Body::builder(mesh.clone()), settings);
            assert_eq!(rest.width, width);
            check(&format!("{name}, width {width}"), &rest, &plain_lattice(&rest), &mut random);
        }
    }
}

#[test]
fn sums_over_a_cut_lattice_are_those_of_its_members() {
    let mut random = Random::new(3);
    let settings = LatticeSettings { cell: Some(0.1), width: Some(0.3) };
    let (body, mut rest) = lattice_of(Body::builder(l_bar()), settings);
    let nodes = &body.rest().nodes;
    for round in 0..4 {
        let next = |node: usize, axis: usize| {
            rest.cells.iter().position(|&c| c == rest.cells[node] + UVec3::AXES[axis]).unwrap_or(node)
        };
        let mut pair = || {
            let node = random.below(rest.cells.len());
            (node as u32, next(node, random.below(3)) as u32)
        };
        let cut: Vec<(u32, u32)> = (0..20).map(|_| pair()).collect();
        rest.disconnect(&cut, &nodes.masses, &nodes.rest_positions);
        check(&format!("round {round}"), &rest, &plain_lattice(&rest), &mut random);
    }
}

#[test]
fn sums_over_random_octrees_are_those_of_their_members() {
    let mut random = Random::new(4);
    for (name, mesh) in [("sphere", shapes::sphere(0.5, 3)), ("l-bar", l_bar()), ("boxes", two_boxes(0.015))]
    {
        for slack in [0.0, 0.5, 1.0] {
            let seed = random.between(1.0, 100.0);
            let paint = move |p: Vec3| 0.45 * ((seed * (p.x + 2.0 * p.y) - 3.0 * p.z).sin() + 0.9).max(0.0);
            let settings = OctreeSettings { cell: Some(0.05), levels: Some(3), width: Some(0.2), slack };
            let (_, mut rest) = octree_of(Body::builder(mesh.clone()).widths(paint), settings);
            for round in 0..4 {
                check(&format!("{name}, slack {slack}, {round}"), &rest, &plain_octree(&rest), &mut random);
                let mut nodes = |count: usize| -> Vec<u32> {
                    (0..count).map(|_| random.below(rest.tree.cells.len()) as u32).collect()
                };
                let (refine, coarsen) = (nodes(8), nodes(3));
                let disconnect = nodes(4).into_iter().zip(nodes(4)).collect();
                let changes = Changes { refine, coarsen, disconnect, ..Changes::default() };
                rest = rest.changed(&changes).map_or(rest.clone(), |(rest, _)| rest);
            }
        }
    }
}
