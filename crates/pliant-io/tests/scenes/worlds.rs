//! What is built.

use super::*;

#[test]
fn a_body_may_be_a_lattice_or_an_octree() {
    let nodes = |more: &str| {
        let scene = build(&format!("{CUBE}{more}\n")).unwrap();
        scene.world.bodies().map(|(_, body)| body.nodes.positions.len()).sum::<usize>()
    };
    assert_eq!(nodes("lattice = { cell = 0.1, width = 0.2 }"), 1000);
    assert_eq!(nodes("octree = { cell = 0.125, levels = 2 }"), 8);
    assert_eq!(
        nodes("octree = { cell = 0.125, levels = 2 }\nrefine = [{ everywhere = { size = 0.25 } }]"),
        64
    );
    let corner = "{ box = { min = [0.1, 0.1, 0.1], max = [9, 9, 9] } }";
    let rule = format!("refine = [{{ region = {{ within = {corner}, size = 0.125 }} }}]");
    assert_eq!(nodes(&format!("octree = {{ cell = 0.125, levels = 2 }}\n{rule}")), 7 + 64);
}

#[test]
fn painted_widths_make_a_body_soft_and_stiff() {
    // A beam that is held at one end sags less the wider its regions are, and the first entry counts.
    let sag = |widths: &str| {
        let text = format!(
            "[[body]]\nname = \"beam\"\nshape = {{ box = {{ size = [2, 0.2, 0.2], cells = [20, 2, 2] }} }}\n\
             octree = {{ cell = 0.1, levels = 0, width = 0.1 }}\nmaterial.alpha = 1\nwidths = [{widths}]\n\
             [[pin]]\nbody = \"beam\"\nmembers = {{ box = {{ min = [-2, -1, -1], max = [-0.3, 1, 1] }} }}\n"
        );
        let mut scene = build(&text).unwrap();
        for _ in 0..60 {
            scene.step();
        }
        -scene.world.bodies().next().unwrap().1.center_of_mass().y
    };
    let all = |width: f32| format!("{{ within = \"all\", width = {width} }}");
    let boxed = "{ within = { box = { min = [-2, -1, -1], max = [2, 1, 1] } }, width = 0.4 }";
    let ball = "{ within = { sphere = { center = [0, 0, 0], radius = 2 } }, width = 0.4 }";
    let (soft, stiff) = (sag(&all(0.1)), sag(&all(0.4)));
    assert!(stiff > 0.0 && soft > 3.0 * stiff, "{soft} {stiff}");
    for first in [boxed, ball] {
        assert_eq!(sag(&format!("{first}, {}", all(0.1))), stiff);
    }
    assert_eq!(sag(&format!("{}, {boxed}", all(0.1))), soft);
    assert_eq!(sag(""), soft);
}

#[test]
fn a_pin_holds_all_copies_and_moves_them() {
    let text = format!(
        "{CUBE}copies = {{ counts = [3, 1, 1], spacing = [2, 0, 0] }}\n\
         [[pin]]\nbody = \"cube\"\nmembers = {{ box = {{ min = [-1, 0.4, -1], max = [1, 1, 1] }} }}\n\
         motion = {{ path = [{{ time_secs = 0.2, by = [0, 0, 0] }}, {{ time_secs = 1, by = [0, 0, 1] }}] }}\n"
    );
    let mut scene = build(&text).unwrap();
    assert_eq!(scene.world.tools().count(), 3);
    for _ in 0..120 {
        scene.step();
    }
    for (i, (_, body)) in scene.world.bodies().enumerate() {
        let away = body.center_of_mass() - pliant::glam::DVec3::new(2.0 * i as f64, 0.0, 1.0);
        assert!(away.length() < 0.2, "{i}: {away}");
    }
}

#[test]
fn copies_stand_on_a_grid_and_are_numbered() {
    let text = format!("{CUBE}copies = {{ counts = [2, 1, 3], spacing = [2, 0, 3] }}\n");
    let scene = build(&text).unwrap();
    let at: Vec<_> = scene.world.bodies().map(|(_, body)| body.center_of_mass().round().to_array()).collect();
    let expected = [[0., 0., 0.], [2., 0., 0.], [0., 0., 3.], [2., 0., 3.], [0., 0., 6.], [2., 0., 6.]];
    assert_eq!(at, expected);
    let names: Vec<&str> = scene.world.bodies().map(|(_, body)| body.name.as_str()).collect();
    assert_eq!(names, ["cube", "cube 2", "cube 3", "cube 4", "cube 5", "cube 6"]);
}

#[test]
fn locked_picks_follow_their_paths_and_let_go() {
    let text = format!(
        "[world]\ngravity = [0, 0, 0]\n{CUBE}[[pick]]\nbody = \"cube\"\nat = [0.5, 0.5, 0.5]\nlocked = true\n\
         motion = {{ path = [{{ time_secs = 0, by = [0, 0, 0] }}, {{ time_secs = 0.5, by = [2, 0, 0] }}], release_secs = 1.5 }}\n"
    );
    let mut scene = build(&text).unwrap();
    for _ in 0..80 {
        scene.step();
    }
    assert_eq!(scene.world.tools().count(), 1);
    let target = scene.world.tools().next().unwrap().1.position().unwrap();
    assert!(target.distance(pliant::glam::DVec3::new(2.5, 0.5, 0.5)) < 1e-6, "{target}");
    // It hangs on the pick by a corner.
    let body = scene.world.bodies().next().unwrap().1;
    assert!(body.center_of_mass().distance(target) < 1.0, "{}", body.center_of_mass());
    for _ in 0..20 {
        scene.step();
    }
    assert_eq!(scene.world.tools().count(), 0);
}

#[test]
fn driven_bodies_follow_their_paths_carry_what_lies_on_them_and_are_let_go() {
    let text = format!(
        "[world]\nsleep = {{ speed = 0.0 }}\n{CUBE}position = [0, 1.001, 0]\n\
         [[body]]\nname = \"lift\"\nshape = {{ box = {{ size = [3, 0.5, 3], cells = [3, 1, 3] }} }}\n\
         position = [0, -0.25, 0]\nlattice = {{ cell = 0.25, width = 0.5 }}\n\
         driven = {{ path = [{{ time_secs = 0.5, by = [0, 0, 0] }}, {{ time_secs = 1.5, by = [0, 1, 0] }}], release_secs = 3 }}\n"
    );
    let mut scene = build(&text).unwrap();
    let heights = |scene: &Scene| {
        let of = |name: &str| scene.world.bodies().find(|(_, body)| body.name == name).unwrap().1;
        ["lift", "cube"].map(|name| of(name).center_of_mass().y)
    };
    let before = heights(&scene);
    for _ in 0..150 {
        scene.step();
    }
    let [lift, cube] = heights(&scene);
    assert!((lift - before[0] - 1.0).abs() < 1e-5, "the lift is at {lift}");
    assert!((cube - lift - 0.75).abs() < 0.1, "the cube is {} m above the lift", cube - lift);
    for _ in 0..60 {
        scene.step();
    }
    let [fallen, _] = heights(&scene);
    assert!(fallen < lift - 0.5, "the lift is still at {fallen}");
    let faults = text.replace("time_secs = 1.5", "time_secs = 0.2");
    let error = build(&faults).unwrap_err();
    assert_eq!(error.key, "body[1].driven.path[1].time_secs");
}
