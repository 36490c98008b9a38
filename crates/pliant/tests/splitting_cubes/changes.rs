//! Crossings that come and go.

use crate::blocks::{assert_closed, block, cut, inner_edges, random_crossing};
use crate::common::Random;
use pliant::glam::{IVec3, Vec3};
use pliant::skin::splitting_cubes::{Crossing, Cubes};

/// A block with a slanted cut all the way through it.
fn halves(size: IVec3) -> (Cubes, impl Fn(Vec3) -> f32) {
    let normal = Vec3::new(0.3, -0.2, 1.0).normalize();
    let side = move |p: Vec3| normal.dot(p - 0.47 * size.as_vec3());
    let mut cubes = block(size);
    cut(&mut cubes, size, side, |_| normal);
    (cubes, side)
}

/// The same crossings made in an order of chance.
fn from_scratch(cubes: &Cubes, random: &mut Random) -> Cubes {
    let mut all: Vec<(IVec3, usize, Crossing)> = cubes.iter().map(|(n, a, c)| (n, a, *c)).collect();
    for i in (1..all.len()).rev() {
        all.swap(i, random.below(i + 1));
    }
    let mut fresh = Cubes::new(cubes.origin(), cubes.cell());
    for (node, axis, crossing) in all {
        assert!(fresh.cross(node, axis, crossing));
    }
    fresh
}

#[test]
fn cutting_one_place_a_thousand_times_changes_nothing() {
    let size = IVec3::splat(6);
    let (mut cubes, side) = halves(size);
    cubes.refresh();
    let (once, count) = (cubes.surface(), cubes.len());
    for shift in 0..1_000 {
        // A little elsewhere each time, but through the same edges.
        let shift = 1e-6 * shift as f32;
        cut(&mut cubes, size, |p| side(p) + shift, |_| Vec3::Z);
    }
    assert_eq!(cubes.len(), count);
    cubes.refresh();
    assert_eq!(cubes.surface(), once);
}

#[test]
fn changes_give_what_starting_over_gives() {
    for seed in 0..40 {
        let mut random = Random::new(seed);
        let size = IVec3::splat(2 + random.below(4) as i32);
        let edges: Vec<(IVec3, usize)> = inner_edges(size).collect();
        let mut cubes = block(size);
        for _ in 0..12 {
            for _ in 0..1 + random.below(20) {
                let (node, axis) = edges[random.below(edges.len())];
                if random.unit() < 0.6 {
                    let was = cubes.crossing(node, axis).copied();
                    let crossing = random_crossing(node, axis, &mut random);
                    assert_eq!(cubes.cross(node, axis, crossing), was.is_none());
                    assert_eq!(cubes.crossing(node, axis).copied(), was.or(Some(crossing)));
                } else {
                    let was = cubes.crossing(node, axis).copied();
                    assert_eq!(cubes.uncross(node, axis), was);
                    assert_eq!(cubes.crossing(node, axis), None);
                }
            }
            let unrefreshed = cubes.surface();
            if random.unit() < 0.7 {
                cubes.refresh();
            }
            assert_eq!(cubes.surface(), unrefreshed, "seed {seed}");
            let mut fresh = from_scratch(&cubes, &mut random);
            assert_eq!(fresh, cubes, "seed {seed}");
            assert_eq!(fresh.surface(), unrefreshed, "seed {seed}");
            fresh.refresh();
            assert_eq!(fresh.surface(), unrefreshed, "seed {seed}");
        }
    }
}

#[test]
fn pieces_are_closed_and_together_the_whole() {
    let size = IVec3::splat(7);
    let (cubes, side) = halves(size);
    let whole = cubes.surface();
    let below = |node: IVec3| side(node.as_vec3()) < 0.0;
    let (mut low, mut high) = (cubes.clone(), cubes.clone());
    low.retain(below);
    high.retain(|node| !below(node));
    let (low, high) = (low.surface(), high.surface());
    assert_closed(&low, "below");
    assert_closed(&high, "above");
    assert!(low.quads.iter().all(|quad| below(quad.node)));
    assert!(high.quads.iter().all(|quad| !below(quad.node)));
    assert_eq!(low.quads.len() + high.quads.len(), whole.quads.len());
    assert_eq!(low.vertices.len() + high.vertices.len(), whole.vertices.len());
    let volume = |surface: &pliant::skin::splitting_cubes::Surface| surface.to_mesh().mesh.signed_volume();
    // Not to the bit: along the rim, a piece no longer knows how the other goes on.
    assert!((volume(&low) + volume(&high) - volume(&whole)).abs() < 1e-3 * volume(&whole));
    assert!(volume(&low) > 0.4 * volume(&whole) && volume(&high) > 0.4 * volume(&whole));
}

#[test]
fn stored_cubes_come_back_the_same() {
    let (cubes, _) = halves(IVec3::new(5, 4, 6));
    let bytes = postcard::to_stdvec(&cubes).expect("cubes can be written");
    let back: Cubes = postcard::from_bytes(&bytes).expect("cubes can be read");
    assert_eq!(back, cubes);
    assert_eq!(back.surface(), cubes.surface());
    // Any order of making gives the same bytes.
    let fresh = from_scratch(&cubes, &mut Random::new(5));
    assert_eq!(postcard::to_stdvec(&fresh).expect("cubes can be written"), bytes);
}

#[test]
fn stored_nonsense_is_an_error_not_a_crash() {
    let crossing = Crossing { point: Vec3::ZERO, normal: Vec3::X, inside: [true; 2], cut: true };
    let read = |cell: f32, crossings: &[(IVec3, u8, Crossing)]| {
        let bytes = postcard::to_stdvec(&(Vec3::ZERO, cell, crossings)).expect("tuples can be written");
        postcard::from_bytes::<Cubes>(&bytes).is_ok()
    };
    assert!(read(0.1, &[(IVec3::ZERO, 2, crossing)]));
    assert!(!read(0.1, &[(IVec3::ZERO, 3, crossing)]), "there are three axes");
    assert!(!read(0.1, &[(IVec3::MAX, 0, crossing)]), "too far");
    assert!(!read(0.1, &[(IVec3::ZERO, 0, crossing); 2]), "twice");
    assert!(!read(0.0, &[]) && !read(f32::NAN, &[]), "no size");
}
