//! Rigid bodies in scenes.

use crate::{build, cube_fails};
use pliant_io::scene::{Scene, SceneFile};

const SCENE: &str = "
[[collider]]
shape = \"plane\"
[[body]]
name = \"jelly\"
shape = { box = { size = [1, 0.4, 1], cells = [5, 2, 5] } }
lattice = { cell = 0.1, width = 0.2 }
position = [0, 0.25, 0]
[[rigid]]
shape = { sphere = { radius = 0.2 } }
position = [0, 1, 0]
density = 300
[[rigid]]
shape = { box = { half = [0.1, 0.1, 0.1] } }
position = [3, 1, 0]
attach = { body = \"jelly\", members = { nodes = [0] } }
";

fn heights(scene: &Scene) -> Vec<f32> {
    let rigids = scene.rigids.as_ref().unwrap();
    rigids.physics.bodies.iter().filter(|(_, b)| b.is_dynamic()).map(|(_, b)| b.translation().y).collect()
}

#[test]
fn rigid_bodies_rest_on_soft_ones_and_on_colliders() {
    let file = SceneFile::parse(SCENE).unwrap();
    assert_eq!(SceneFile::parse(&file.to_text().unwrap()).unwrap(), file);
    let mut scene = build(SCENE).unwrap();
    assert_eq!(scene.world.colliders().count(), 3, "they are there before the first step");
    for _ in 0..240 {
        scene.step();
    }
    let heights = heights(&scene);
    assert!(heights[0] > 0.4 && heights[0] < 0.7, "{heights:?}");
    assert!((heights[1] - 0.1).abs() < 0.02, "{heights:?}");
}

#[test]
fn a_kept_scene_goes_on_as_the_first_did() {
    let mut scene = build(SCENE).unwrap();
    for _ in 0..20 {
        scene.step();
    }
    let kept = scene.keep();
    let run = |scene: &mut Scene| {
        for _ in 0..60 {
            scene.step();
        }
        (scene.world.state_hash(), heights(scene))
    };
    let first = run(&mut scene);
    scene.restore(&kept);
    assert_eq!(run(&mut scene), first);
}

#[test]
fn what_is_wrong_with_a_rigid_body_is_said() {
    let table: [(&str, &str, &str, &[&str]); 4] = [
        ("plane", "[[rigid]]\nshape = \"plane\"", "5: rigid[0].shape", &["no mass"]),
        (
            "density",
            "[[rigid]]\nshape = { sphere = { radius = 1 } }\ndensity = 0",
            "6: rigid[0].density",
            &["above 0"],
        ),
        ("radius", "[[rigid]]\nshape = { sphere = { radius = -1 } }", "5: rigid[0].shape", &["above 0"]),
        (
            "nobody",
            "[[rigid]]\nshape = { sphere = { radius = 1 } }\nattach = { body = \"no\", members = \"all\" }",
            "6: rigid[0].attach.body",
            &["no body is named"],
        ),
    ];
    for (name, more, place, words) in table {
        cube_fails(&format!("rigid-{name}"), more, place, words);
    }
}
