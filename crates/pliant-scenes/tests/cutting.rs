//! What the scenes that cut promise.
#![expect(clippy::unwrap_used, reason = "helpers of tests may fail as tests do")]

use pliant_io::scene::Scene;

struct Run {
    scene: Scene,
    first: usize,
    most: usize,
}

/// Runs a scene to its end, or for as many frames as are enough.
fn run(name: &str, frames: Option<u32>) -> Run {
    let mut scene = pliant_scenes::build(name).unwrap();
    let mass = mass(&scene);
    let first = nodes(&scene);
    let mut most = first;
    for frame in 0..frames.unwrap_or(scene.frames) {
        let report = scene.step();
        assert!(report.contained == 0 && !report.refused, "{name}, frame {frame}");
        most = most.max(nodes(&scene));
    }
    for (_, body) in scene.world.bodies() {
        assert!(body.skin().positions.iter().all(|at| at.is_finite()), "{name}");
    }
    assert!((self::mass(&scene) / mass - 1.0).abs() < 1e-5, "{name} has another mass");
    Run { scene, first, most }
}

fn nodes(scene: &Scene) -> usize {
    scene.world.bodies().map(|(_, body)| body.nodes.positions.len()).sum()
}

fn mass(scene: &Scene) -> f64 {
    scene.world.bodies().map(|(_, body)| body.rest().nodes.total_mass).sum()
}

impl Run {
    fn bodies(&self) -> usize {
        self.scene.world.bodies().count()
    }
}

#[test]
fn the_liver_grows_from_500_to_1550_nodes_and_loses_a_piece() {
    let run = run("liver-cut", None);
    assert!((425..=575).contains(&run.first), "{}", run.first);
    assert!((1318..=1782).contains(&run.most), "{}", run.most);
    assert_eq!(run.bodies(), 2);
}

#[test]
fn a_core_comes_out_of_the_cube() {
    let run = run("cylinder-out-of-cube", Some(200));
    assert_eq!(run.bodies(), 2);
    let heights: Vec<f64> = run.scene.world.bodies().map(|(_, body)| body.center_of_mass().y).collect();
    assert!((heights[0] - 0.5).abs() < 0.05 && heights[1] > 1.5, "{heights:?}");
}

#[test]
fn crossing_cuts_leave_the_cube_in_one_piece() {
    assert_eq!(run("crossing-cuts", Some(210)).bodies(), 1);
}

#[test]
fn scissors_part_fish_and_knot_again_and_again() {
    for (name, least) in [("scissors-fish", 4), ("scissors-torus-knot", 6)] {
        let run = run(name, Some(180));
        assert!(run.bodies() >= least, "{name}: {}", run.bodies());
    }
}

#[test]
fn the_ball_talks_and_stays_one() {
    let run = run("talking-ball", None);
    assert_eq!(run.bodies(), 1);
    assert!(run.most > run.first);
}

#[test]
fn the_sheet_tears_in_two() {
    let run = run("torn-sheet", None);
    assert!(run.bodies() >= 2, "{}", run.bodies());
}
