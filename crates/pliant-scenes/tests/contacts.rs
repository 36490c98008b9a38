//! Scenes of contacts and attachments do what their descriptions say.
#![expect(clippy::unwrap_used, reason = "helpers of tests may fail as tests do")]

use pliant_io::scene::Scene;
use std::path::Path;

/// The height of a body's centre of mass, by its name.
fn height(scene: &Scene, name: &str) -> f64 {
    let (_, body) = scene.world.bodies().find(|(_, body)| body.name == name).unwrap();
    body.center_of_mass().y
}

fn run(scene: &mut Scene, frames: usize) {
    for _ in 0..frames {
        assert_eq!(scene.step().contained, 0);
    }
}

#[test]
fn the_soft_gripper_lifts_the_ball_and_sets_it_down() {
    let mut scene = pliant_scenes::build("soft-gripper").unwrap();
    let before = height(&scene, "ball");
    run(&mut scene, 220);
    let lifted = height(&scene, "ball") - before;
    assert!(lifted > 0.35, "lifted by {lifted} m");
    run(&mut scene, 170);
    let after = height(&scene, "ball") - before;
    assert!(after.abs() < 0.05, "set down {after} m from where it was");
}

#[test]
fn the_low_tower_stands_and_the_high_one_falls() {
    let mut scene = pliant_scenes::build("towers").unwrap();
    let before = [height(&scene, "low 3"), height(&scene, "high 6")];
    run(&mut scene, 300);
    let after = [height(&scene, "low 3"), height(&scene, "high 6")];
    assert!(after[0] > 0.9 * before[0], "{} of {} m", after[0], before[0]);
    assert!(after[1] < 0.5 * before[1], "{} of {} m", after[1], before[1]);
}

#[test]
fn an_attachment_that_makes_no_sense_is_refused_with_its_key() {
    let bodies = "[[body]]\nname = \"a\"\nfigure = \"star\"\n[[body]]\nname = \"b\"\nfigure = \"star\"\nposition = [1, 0, 0]\n";
    let refused = |attachment: &str| {
        let text = format!("{bodies}[[attachment]]\nbody = \"a\"\nmembers = \"all\"\n{attachment}");
        pliant_scenes::read(&text, Path::new("")).unwrap_err().to_string()
    };
    assert!(refused("to = \"c\"").contains("attachment[0].to"));
    assert!(refused("to = \"a\"").contains("attached to itself"));
    assert!(refused("to = \"b\"\nmax_force = 0").contains("attachment[0].max_force"));
    assert!(refused("to = \"b\"\nrelease_secs = -1").contains("release_secs"));
    assert!(refused("to = \"b\"\nat = [0, 0, 0]\nto_members = \"all\"").contains("only one of"));
}
