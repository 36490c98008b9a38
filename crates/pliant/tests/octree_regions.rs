//! The graph, the regions and the resampling of an octree are what their definitions say.

mod common;
#[path = "common/blocks.rs"]
mod made_of_blocks;

use common::Random;
use made_of_blocks::{blocks, l_bar, octree_of, rough_hand, two_boxes, two_fingers};
use pliant::geometry::{TriMesh, shapes};
use pliant::glam::{Mat3, Vec3};
use pliant::material::Material;
use pliant::model::octree::distance::Search;
use pliant::model::octree::regions::{Finder, members};
use pliant::model::octree::visibility::Graph;
use pliant::model::octree::{self, Octree, Rest};
use pliant::model::{Changes, Simulate};
use pliant::nodes::NodeState;
use pliant::sampling::CellKey;
use pliant::{Body, OctreeSettings, Rule};
use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap};
use std::sync::Arc;

const SETTINGS: OctreeSettings =
    OctreeSettings { cell: Some(0.05), levels: Some(2), width: Some(0.2), slack: 0.5 };

/// Distances by a binary heap; `None` beyond the limit.
fn dijkstra(graph: &Graph, sources: &[u32], limit: u32) -> Vec<Option<u32>> {
    let mut distances = vec![None; graph.len()];
    let mut heap: BinaryHeap<Reverse<(u32, u32)>> = sources.iter().map(|&node| Reverse((0, node))).collect();
    while let Some(Reverse((distance, node))) = heap.pop() {
        if distance > limit || distances[node as usize].is_some() {
            continue;
        }
        distances[node as usize] = Some(distance);
        heap.extend(graph.of(node as usize).iter().map(|edge| Reverse((distance + edge.length, edge.node))));
    }
    distances
}

/// How many pieces a graph has.
fn pieces(graph: &Graph) -> usize {
    let mut seen = vec![false; graph.len()];
    let mut count = 0;
    for start in 0..graph.len() {
        if seen[start] {
            continue;
        }
        count += 1;
        let of = dijkstra(graph, &[start as u32], u32::MAX);
        seen.iter_mut().zip(of).for_each(|(seen, distance)| *seen |= distance.is_some());
    }
    count
}

fn random_changes(rest: &Rest, random: &mut Random, most: usize) -> Changes {
    let count = rest.tree.cells.len();
    let mut changes = Changes::default();
    for _ in 0..1 + random.below(most) {
        let node = random.below(count) as u32;
        match random.below(5) {
            0 | 1 if count < 1500 => changes.refine.push(node),
            0..=3 => changes.coarsen.push(node),
            _ => {
                let near = rest.graph.of(node as usize);
                if !near.is_empty() {
                    changes.disconnect.push((node, near[random.below(near.len())].node));
                }
            }
        }
    }
    changes
}

/// A body with widths painted at random, refined at random places.
fn random_octree(mesh: TriMesh, slack: f32, random: &mut Random) -> Rest {
    let (a, b) = (random.vec3() * 12.0, random.between(0.1, 0.4));
    let settings = OctreeSettings { levels: Some(3), slack, ..SETTINGS };
    let paint = move |p: Vec3| b * (p.dot(a).sin() + 1.0);
    let mut rest = octree_of(Body::builder(mesh).widths(paint), settings).1;
    for _ in 0..12 {
        rest = rest.changed(&random_changes(&rest, random, 6)).map_or(rest, |(rest, _)| rest);
    }
    rest
}

#[test]
fn distances_by_buckets_are_those_of_a_heap() {
    let mut random = Random::new(1);
    let mut search = Search::default();
    for mesh in [shapes::sphere(0.5, 3), l_bar(), two_fingers(0.02), two_boxes(0.02)] {
        let rest = random_octree(mesh, 0.5, &mut random);
        for _ in 0..30 {
            let sources: Vec<u32> =
                (0..1 + random.below(3)).map(|_| random.below(rest.graph.len()) as u32).collect();
            let limit = random.below(60) as u32;
            search.run(&rest.graph, &sources, limit);
            let plain = dijkstra(&rest.graph, &sources, limit);
            let mut found = vec![None; plain.len()];
            for &(node, distance) in &search.reached {
                assert_eq!(found[node as usize].replace(distance), None, "a node is reached once");
            }
            assert_eq!(found, plain);
            assert!(search.reached.is_sorted_by_key(|&(_, distance)| distance), "nearest first");
        }
    }
}

#[test]
fn a_region_has_all_leaves_within_its_width_and_none_beyond_its_slack() {
    let mut random = Random::new(2);
    for mesh in [shapes::sphere(0.5, 3), l_bar(), two_fingers(0.02)] {
        for slack in [0.0, 0.5, 1.0] {
            let rest = random_octree(mesh.clone(), slack, &mut random);
            for node in 0..rest.graph.len() {
                let width = rest.width_of(node);
                assert!(f64::from(width.limit) <= f64::from(1.0 + slack) * f64::from(width.w) + 0.01);
                let distances = dijkstra(&rest.graph, &[node as u32], u32::MAX);
                let cells = rest.region(node);
                assert!(cells.is_sorted());
                let mut inside = vec![false; distances.len()];
                for member in members(&rest.tree, cells) {
                    assert!(!inside[member as usize], "summation cells are disjoint");
                    inside[member as usize] = true;
                }
                assert!(inside[node], "a node is in its own region");
                for (leaf, distance) in distances.iter().enumerate() {
                    let near = distance.is_some_and(|d| d <= width.w);
                    let far = distance.is_none_or(|d| d > width.limit);
                    assert!(!near || inside[leaf], "{leaf} is within the width of {node}");
                    assert!(!far || !inside[leaf], "{leaf} is beyond the slack of {node}");
                }
                for edge in rest.graph.of(node) {
                    assert!(inside[edge.node as usize], "a region has its node's neighbours");
                }
            }
        }
    }
}

#[test]
fn regions_found_together_are_those_found_one_by_one() {
    let mut random = Random::new(11);
    for slack in [0.0, 0.5, 1.5] {
        let rest = random_octree(shapes::sphere(0.5, 3), slack, &mut random);
        let longest = rest.graph.items.iter().map(|edge| edge.length).max().unwrap_or(0);
        let (mut finder, mut cells) = (Finder::default(), Vec::new());
        for node in 0..rest.places.len() {
            finder.find(&rest.tree, &rest.graph, node as u32, rest.width_of(node), longest, &mut cells);
            assert_eq!(rest.region(node), cells, "node {node}, slack {slack}");
        }
    }
}

#[test]
fn a_region_of_a_hand_is_far_fewer_cells_than_leaves() {
    let cell = 0.02;
    let settings = OctreeSettings { cell: Some(cell), levels: Some(3), width: Some(0.08), slack: 0.5 };
    let rules = [Rule::Features { size: cell }, Rule::Surface { size: 2.0 * cell }];
    let (_, rest) = octree_of(Body::builder(rough_hand()).refine(rules), settings);
    let regions = rest.regions.len();
    let cells = rest.regions.items.len() as f64 / regions as f64;
    let leaves = (0..regions).map(|r| members(&rest.tree, rest.regions.of(r)).len()).sum::<usize>() as f64
        / regions as f64;
    println!("{regions} regions of {leaves:.1} leaves in {cells:.2} summation cells");
    assert!(cells > 1.0 && cells < 0.5 * leaves, "{leaves} leaves in {cells} cells");
}

#[test]
fn nodes_share_a_region_if_and_only_if_it_has_the_same_cells() {
    let mut random = Random::new(5);
    for slack in [0.0, 0.5, 1.0] {
        let rest = random_octree(l_bar(), slack, &mut random);
        let distinct: BTreeSet<&[u32]> = (0..rest.places.len()).map(|node| rest.region(node)).collect();
        assert_eq!(distinct.len(), rest.regions.len(), "no two regions are alike");
        let mut masses = vec![0.0; rest.regions.len()];
        for (node, mass) in rest.masses.iter().enumerate() {
            masses[rest.region_of[node] as usize] += *mass;
        }
        for (region, mass) in masses.iter().enumerate() {
            assert_eq!(
                rest.constants[region / 8].weight.0[region % 8],
                *mass,
                "counts as much as its nodes weigh"
            );
            let hub = rest.nodes[region].expect("a node") as usize;
            assert_eq!((rest.region_of[hub], rest.hubs[region]), (region as u32, rest.places[hub]));
        }
    }
}

#[test]
fn independent_nodes_are_those_of_which_no_others_are_in_the_same_regions() {
    let mut random = Random::new(8);
    for slack in [0.0, 0.5, 1.0] {
        let rest = random_octree(rough_hand(), slack, &mut random);
        let mut in_regions = vec![BTreeSet::new(); rest.places.len()];
        for region in 0..rest.regions.len() {
            for member in members(&rest.tree, rest.regions.of(region)) {
                in_regions[member as usize].insert(region);
            }
        }
        let distinct: BTreeSet<_> = in_regions.iter().collect();
        let resolution = rest.resolution();
        assert_eq!((resolution.nodes, resolution.independent), (rest.places.len(), distinct.len()));
    }
}

/// A block as an octree of these leaves, with regions that are 0.2 m wide and cells of 0.05 m at the finest.
fn block_of_level(level: u32) -> Rest {
    let size = SETTINGS.cell.unwrap_or_default() * (1 << level) as f32;
    let builder = Body::builder(shapes::cuboid(Vec3::splat(1.6), [4; 3])).refine([Rule::Everywhere { size }]);
    let settings = OctreeSettings { width: Some(0.25), slack: 0.0, ..SETTINGS };
    octree_of(builder, settings).1
}

#[test]
fn large_cells_are_as_stiff_as_small_ones_of_the_same_width() {
    for level in 0..=2 {
        let rest = block_of_level(level);
        let [_, median, most] = rest.resolution().stiffness;
        assert!(median > 0.75 && most < 1.25, "level {level}: {median}, at most {most}");
        assert!((0..rest.places.len()).all(|node| rest.strength(node) <= 1.0));
    }
    // And strained alike they hold as much energy, but for what is lost at the surface.
    let energy = |level: u32| {
        let rest = block_of_level(level);
        let node_rest = rest.node_rest();
        let stretch = |x: &Vec3| *x * Vec3::new(1.02, 1.0, 1.0);
        let positions: Vec<Vec3> = rest.places.iter().map(stretch).collect();
        let velocities = vec![Vec3::ZERO; positions.len()];
        let nodes = NodeState { positions, velocities, ..NodeState::default() };
        Octree::new(Arc::new(rest)).energy(&node_rest, &nodes, &Material::default(), 1.0 / 240.0)
    };
    let [fine, middle, coarse] = [0, 1, 2].map(energy);
    println!("{fine} {middle} {coarse}");
    assert!(
        (middle / fine - 1.0).abs() < 0.3 && (coarse / fine - 1.0).abs() < 0.3,
        "{fine} {middle} {coarse}"
    );
}

#[test]
fn users_of_a_cell_are_the_regions_that_sum_over_it() {
    let mut random = Random::new(3);
    let rest = random_octree(l_bar(), 0.5, &mut random);
    for cell in 0..rest.tree.keys.len() {
        let users: Vec<u32> = (0..rest.regions.len() as u32)
            .filter(|&region| rest.regions.of(region as usize).contains(&(cell as u32)))
            .collect();
        assert_eq!(rest.users.of(cell), users);
    }
}

#[test]
fn edges_go_both_ways_to_leaves_as_near_as_the_larger_cell() {
    let mut random = Random::new(4);
    let rest = random_octree(blocks([&[0.0, 1.0], &[0.0, 0.8], &[0.0, 0.6]], |_| true), 0.5, &mut random);
    let uncut = Rest::new(
        rest.settings,
        rest.grid.clone(),
        rest.widths.clone(),
        &rest.tree.leaf_keys().collect::<Vec<_>>(),
    );
    // A full box without cuts: nothing is between any two nodes.
    let keys: Vec<CellKey> = uncut.tree.leaf_keys().collect();
    for (a, key) in keys.iter().enumerate() {
        let near: Vec<(u32, u32)> = keys
            .iter()
            .enumerate()
            .map(|(b, other)| {
                let away = (key.middle() - other.middle()).abs().max_element() as u32;
                (b, away, away <= 2 * key.edge().max(other.edge()))
            })
            .filter(|&(b, _, near)| near && a != b)
            .map(|(b, away, _)| (b as u32, away))
            .collect();
        let edges: Vec<(u32, u32)> = uncut.graph.of(a).iter().map(|edge| (edge.node, edge.length)).collect();
        assert_eq!(edges, near);
    }
}

#[test]
fn boxes_a_third_of_a_cell_apart_are_not_joined() {
    for levels in [0, 1, 2] {
        for cell in [0.05, 0.031] {
            let settings = OctreeSettings { cell: Some(cell), levels: Some(levels), ..SETTINGS };
            let body = Body::builder(two_boxes(0.3 * cell)).refine([Rule::Features { size: cell }]);
            let (_, rest) = octree_of(body, settings);
            assert_eq!(pieces(&rest.graph), 2, "cells of {cell}, {levels} levels");
        }
    }
}

#[test]
fn fingers_with_a_thin_gap_are_joined_through_the_palm_only() {
    let gap = 0.015;
    let (_, rest) =
        octree_of(Body::builder(two_fingers(gap)), OctreeSettings { levels: Some(0), ..SETTINGS });
    assert_eq!(pieces(&rest.graph), 1);
    let mesh = |node: usize| rest.places[node] + rest.grid.centre;
    for node in 0..rest.graph.len() {
        for edge in rest.graph.of(node) {
            let (a, b) = (mesh(node), mesh(edge.node as usize));
            let across = (a.x < 0.3) != (b.x < 0.3);
            assert!(!across || a.y.min(b.y) < 0.3, "{a} and {b} are joined across the gap");
        }
    }
    let tip = |left: bool| {
        (0..rest.graph.len() as u32)
            .find(|&node| mesh(node as usize).y > 0.95 && (mesh(node as usize).x < 0.3) == left)
            .expect("a tip")
    };
    let distances = dijkstra(&rest.graph, &[tip(true)], u32::MAX);
    let way = distances[tip(false) as usize].expect("joined") as f32 * 0.5 * rest.settings.cell;
    assert!(way > 1.2, "from tip to tip through the palm, not {way} m");
}

#[test]
fn the_graph_of_a_round_body_is_one_piece() {
    for (name, mesh) in [("sphere", shapes::sphere(0.5, 4)), ("torus", shapes::torus(0.5, 0.13, 48, 24))] {
        for cell in [0.05, 0.07, 0.11] {
            for levels in [0, 2] {
                let settings = OctreeSettings { cell: Some(cell), levels: Some(levels), ..SETTINGS };
                let (_, rest) = octree_of(Body::builder(mesh.clone()), settings);
                assert_eq!(pieces(&rest.graph), 1, "{name}, cells of {cell}, {levels} levels");
            }
        }
    }
}

#[test]
fn a_node_that_sees_nobody_is_joined_to_the_nearest() {
    // A box, and a grain beside it in a cell of its own.
    let planes: [&[f32]; 3] = [&[0.0, 0.5, 0.51, 0.54], &[0.0, 0.26, 0.29, 0.5], &[0.0, 0.26, 0.29, 0.5]];
    let mesh = blocks(planes, |[x, y, z]| x == 0 || [x, y, z] == [2, 1, 1]);
    let (_, rest) = octree_of(Body::builder(mesh), OctreeSettings { levels: Some(0), ..SETTINGS });
    let alone: Vec<usize> =
        (0..rest.visible.len()).filter(|&node| rest.visible.of(node).is_empty()).collect();
    assert_eq!(alone.len(), 1);
    let keys: Vec<CellKey> = rest.tree.leaf_keys().collect();
    let own = keys[alone[0]];
    let away = |key: &CellKey| (own.middle() - key.middle()).abs().max_element() as u32;
    let nearest = keys.iter().filter(|&&key| key != own).map(away).min();
    let lengths: Vec<u32> = rest.graph.of(alone[0]).iter().map(|edge| edge.length).collect();
    assert_eq!(lengths, nearest.into_iter().collect::<Vec<_>>());
    assert_eq!(pieces(&rest.graph), 1);
}

/// All that follows from leaves and cuts is the same, and so is the next step, bit for bit.
fn assert_same(now: &Rest, anew: &Rest, seed: u64) {
    assert!(now.tree == anew.tree, "tree");
    assert!(now.samples == anew.samples && now.places == anew.places && now.masses == anew.masses, "nodes");
    assert!(now.middles == anew.middles && now.offsets == anew.offsets, "places");
    assert!(now.visible == anew.visible, "who sees whom");
    assert!(now.graph == anew.graph, "graph");
    for node in 0..now.places.len() {
        assert_eq!(now.region(node), anew.region(node), "region of {node}");
    }
    assert!(
        now.regions == anew.regions && now.region_of == anew.region_of && now.users == anew.users,
        "regions"
    );
    assert!(now.parts == anew.parts && now.nodes == anew.nodes, "order");
    assert!(now.constants == anew.constants && now.shares == anew.shares, "constants");
    let after = |rest: &Rest| {
        let mut random = Random::new(seed);
        let node_rest = rest.node_rest();
        let mut model = Octree::new(Arc::new(rest.clone()));
        let map =
            Mat3::from_cols(Vec3::new(1.1, 0.1, 0.0), Vec3::new(0.0, 0.9, 0.1), Vec3::new(0.1, 0.0, 1.0));
        let mut nodes = NodeState {
            positions: rest.places.iter().map(|x| map * *x + 0.01 * random.vec3()).collect(),
            ..NodeState::default()
        };
        nodes.velocities = nodes.positions.iter().map(|_| random.vec3()).collect();
        octree::step(&mut model, &node_rest, &mut nodes, &Material::default(), 1.0 / 240.0);
        nodes
    };
    let (a, b) = (after(now), after(anew));
    assert!(
        a.positions == b.positions && a.velocities == b.velocities && a.origin == b.origin,
        "the next step"
    );
}

/// `operations` at random, a few at a time; every so often the body is built anew from its leaves and cuts.
fn resampled_is_built_anew(mesh: TriMesh, slack: f32, operations: usize, every: usize, seed: u64) {
    let mut random = Random::new(seed);
    let (a, b) = (random.vec3() * 9.0, random.between(0.1, 0.3));
    let settings = OctreeSettings { levels: Some(3), slack, ..SETTINGS };
    let paint = move |p: Vec3| b * (p.dot(a).sin() + 1.0);
    let mut rest = octree_of(Body::builder(mesh).widths(paint), settings).1;
    let nothing = Rest {
        settings: rest.settings,
        grid: rest.grid.clone(),
        widths: rest.widths.clone(),
        ..Rest::default()
    };
    let mass = |rest: &Rest| rest.masses.iter().map(|&m| f64::from(m)).sum::<f64>();
    let whole = mass(&rest);
    let (mut done, mut check) = (0, every);
    while done < operations {
        let changes = random_changes(&rest, &mut random, 6);
        done += changes.refine.len() + changes.coarsen.len() + changes.disconnect.len();
        let Some((next, resampled)) = rest.changed(&changes) else { continue };
        for (now, key) in next.tree.leaf_keys().enumerate() {
            let parent = resampled.from_parent[now].map(|was| rest.tree.key_of(was as usize));
            let children = resampled.from_children.of(now);
            let kept = resampled.kept.before[now].map(|was| rest.tree.key_of(was as usize));
            assert_eq!(
                usize::from(kept == Some(key))
                    + usize::from(parent.is_some_and(|parent| parent != key && parent.contains(key)))
                    + usize::from(
                        !children.is_empty()
                            && children.iter().all(|&was| key.contains(rest.tree.key_of(was as usize)))
                    ),
                1,
                "a node is kept, or from a larger one, or from smaller ones"
            );
        }
        rest = next;
        let off = mass(&rest) / whole - 1.0;
        assert!(off.abs() < 1e-6, "after {done} operations the mass is off by {off:.1e}");
        if done >= check {
            check += every;
            let leaves: Vec<CellKey> = rest.tree.leaf_keys().collect();
            let (anew, _) = nothing.with(&leaves, rest.cuts.clone());
            assert_same(&rest, &anew, done as u64);
        }
    }
    println!("{} nodes and {} cuts after {done} operations", rest.tree.cells.len(), rest.cuts.len());
}

#[test]
fn a_body_resampled_250_times_is_the_one_built_anew() {
    resampled_is_built_anew(l_bar(), 0.5, 250, 10, 11);
    resampled_is_built_anew(two_fingers(0.02), 0.0, 250, 25, 12);
}

#[test]
#[ignore = "long: many resamplings of several bodies, each against a new one"]
fn a_body_resampled_1000_times_is_the_one_built_anew_at_every_step() {
    for (seed, mesh) in
        [shapes::sphere(0.5, 3), l_bar(), two_fingers(0.02), two_boxes(0.02)].into_iter().enumerate()
    {
        for slack in [0.0, 0.5, 1.0] {
            resampled_is_built_anew(mesh.clone(), slack, 1000, 1, 100 + seed as u64);
        }
    }
}
