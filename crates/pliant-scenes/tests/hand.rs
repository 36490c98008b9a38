//! The hand of the papers as an octree: few nodes, and regions of few cells.

use pliant::model::Model;
use pliant::{Body, OctreeSettings, Rule};
use pliant_scenes::figure;

/// Nodes, and summation cells a region.
fn hand(levels: u32, width: f32, rules: &[Rule]) -> (usize, f64) {
    let settings = OctreeSettings { cell: Some(CELL), levels: Some(levels), width: Some(width), slack: 0.5 };
    let mesh = figure("hand").expect("a figure");
    let body = Body::builder(mesh).model(settings).refine(rules.iter().cloned()).build().expect("a body");
    let Model::Octree(octree) = &body.model else { unreachable!("made of an octree") };
    let resolution = octree.rest.resolution();
    println!("{resolution:?}");
    (resolution.nodes, resolution.sums)
}

const CELL: f32 = 0.0115;

/// A region has at least its node's neighbours, which in the palm are whole base cells: 26 of them in thick material, about
/// half of that here.
#[test]
fn a_region_of_the_hand_is_a_few_summation_cells() {
    let (nodes, mean) = hand(3, 0.05, &[Rule::Features { size: CELL }]);
    assert!((100..1000).contains(&nodes), "{nodes} nodes");
    assert!(mean > 3.0 && mean < 16.0, "{mean} summation cells");
    // Regions that reach across the hand sum over its base cells.
    let (nodes, mean) =
        hand(4, 0.15, &[Rule::Features { size: CELL }, Rule::Everywhere { size: 8.0 * CELL }]);
    assert!((100..1000).contains(&nodes), "{nodes} nodes");
    assert!(mean > 3.0 && mean < 9.0, "{mean} summation cells");
}
