//! Knives, cuts and what tears.

use super::*;
use pliant::Cause;

/// A block of fine cells that hangs in the air, 1 m in size, around the zero of the world.
const BLOCK: &str = "[world]\ngravity = [0, 0, 0]\n[[body]]\nname = \"block\"\n\
    shape = { box = { size = [1, 1, 1], cells = [2, 2, 2] } }\nlattice = { cell = 0.125, width = 0.2 }\n";

fn block(more: &str) -> Scene {
    build(&format!("{BLOCK}{more}\n")).unwrap()
}

/// The frames that cut something, and the number of bodies after 60 frames.
fn run(scene: &mut Scene) -> (Vec<usize>, usize) {
    let mut frames = Vec::new();
    for frame in 0..60 {
        if scene.step().cuts > 0 {
            frames.push(frame);
        }
    }
    (frames, scene.world.bodies().count())
}

#[test]
fn each_kind_of_cut_is_made_once_and_at_its_time() {
    for (cut, pieces) in [
        ("plane = { point = [0.03, 0, 0], normal = [2, 0, 0] }", 2),
        ("scissors = { point = [0.03, 0, 0], normal = [1, 0, 0] }", 2),
        ("polygon = [[0.03, -1, -1], [0.03, 1, -1], [0.03, 1, 1], [0.03, -1, 1]]", 2),
        ("polygon = [[0.03, 0, -1], [0.03, 1, -1], [0.03, 1, 1], [0.03, 0, 1]]", 1),
        ("cylinder = { center = [0, 0, 0], axis = [0, 3, 0], radius = 0.3, length = 2 }", 2),
        ("cylinder = { center = [0, 0.5, 0], axis = [0, 3, 0], radius = 0.3, length = 0.8 }", 1),
        ("sphere = { center = [0, 0, 0], radius = 0.3 }", 2),
    ] {
        for (at_secs, frame) in [(0.0, 0), (0.5, 30), (0.51, 31)] {
            let mut scene = block(&format!("[[cut]]\nat_secs = {at_secs}\n{cut}"));
            assert_eq!(run(&mut scene), (vec![frame], pieces), "{cut} at {at_secs}");
        }
    }
}

#[test]
fn a_cut_that_names_a_body_spares_others_and_cuts_copies_and_pieces() {
    let plane = |axis: &str| format!("plane = {{ point = [0.03, 0.03, 0.03], normal = {axis} }}");
    let other = "[[body]]\nname = \"other\"\nshape = { box = { size = [1, 1, 1], cells = [2, 2, 2] } }\n\
        lattice = { cell = 0.125, width = 0.2 }\n";
    let copies = "copies = { counts = [1, 2, 1], spacing = [0, 0, 0] }\n";
    let cuts = format!(
        "[[cut]]\nbody = \"block\"\n{}\n[[cut]]\nat_secs = 0.3\nbody = \"block\"\n{}\n",
        plane("[1, 0, 0]"),
        plane("[0, 1, 0]")
    );
    assert_eq!(run(&mut block(&format!("{copies}{other}{cuts}"))), (vec![0, 18], 9));
    assert_eq!(run(&mut block(&format!("{other}[[cut]]\n{}", plane("[1, 0, 0]")))), (vec![0], 4));
}

#[test]
fn a_knife_is_there_from_its_first_key_to_its_last_and_may_turn() {
    let mut scene = block(
        "[[knife]]\npath = [\n{ time_secs = 0.2, edge = [[0.03, 0.7, -1], [0.03, 0.7, 1]] },\n\
         { time_secs = 0.5, edge = [[0.03, 0.1, -1], [0.03, 0.1, 1]] },\n\
         { time_secs = 0.8, edge = [[-0.8, -0.1, -1], [-0.8, -0.1, 1]] },\n]",
    );
    let mut there = Vec::new();
    let mut causes = 0;
    for frame in 0..60 {
        scene.step();
        causes += scene.world.cuts().iter().filter(|cut| matches!(cut.cause, Cause::Knife(_))).count();
        if scene.world.tools().count() > 0 {
            there.push(frame);
        }
    }
    assert_eq!((there.first(), there.last(), there.len()), (Some(&12), Some(&48), 37));
    // Down into it and out at the side: a corner comes off.
    assert!(causes > 3 && scene.world.bodies().count() == 2, "{causes}");
}

#[test]
fn what_is_still_to_come_is_in_the_script() {
    let text = "[[knife]]\npath = [{ time_secs = 0.2, edge = [[0.03, 0.7, -1], [0.03, 0.7, 1]] }, \
        { time_secs = 0.7, edge = [[0.03, -0.7, -1], [0.03, -0.7, 1]] }]\n\
        [[cut]]\nat_secs = 0.6\nplane = { point = [0, 0.03, 0], normal = [0, 1, 0] }\n\
        [[cut]]\nat_secs = 0.1\nbody = \"block\"\nplane = { point = [0, 0, 0.03], normal = [0, 0, 1] }";
    let whole = {
        let mut scene = block(text);
        let frames = run(&mut scene);
        assert!(frames.1 >= 8, "{frames:?}");
        scene.world.state_hash()
    };
    // Before the knife, while it cuts, and after everything.
    for stop in [0, 10, 25, 36, 50] {
        let mut scene = block(text);
        let start = scene.world.snapshot();
        (0..stop).for_each(|_| _ = scene.step());
        let now = scene.world.snapshot();
        let script = scene.script();
        (stop..60).for_each(|_| _ = scene.step());
        assert_eq!(scene.world.state_hash(), whole, "{stop}");
        for (snapshot, from) in [(&now, stop), (&start, 0)] {
            let mut world = pliant::World::new();
            world.restore(snapshot);
            let mut again = Scene::resumed(script.clone(), world);
            (from..60).for_each(|_| _ = again.step());
            assert_eq!(again.world.state_hash(), whole, "stopped at {stop}, begun again at {from}");
        }
    }
}

#[test]
fn a_painted_part_tears_and_a_tough_one_does_not() {
    let pull = "[[pin]]\nbody = \"block\"\nmembers = { box = { min = [-1, -1, -1], max = [-0.4, 1, 1] } }\n\
        [[pin]]\nbody = \"block\"\nmembers = { box = { min = [0.4, -1, -1], max = [1, 1, 1] } }\n\
        motion = { path = [{ time_secs = 0, by = [0, 0, 0] }, { time_secs = 0.8, by = [1.2, 0, 0] }] }\n";
    let bodies = |more: &str| run(&mut block(&format!("{more}{pull}"))).1;
    let part = "within = { box = { min = [-0.3, -1, -1], max = [0.3, 1, 1] } }";
    assert_eq!(bodies(""), 1);
    assert!(bodies("material.tear = 0.5\n") >= 2);
    assert!(bodies(&format!("toughness = [{{ {part}, tear = 0.5 }}]\n")) >= 2);
    assert_eq!(bodies("material.tear = 0.5\ntoughness = [{ within = \"all\", tear = 50 }]\n"), 1);
}

#[test]
fn a_part_is_as_stiff_as_it_is_painted_and_the_first_entry_counts() {
    let cell = |more: &str| {
        let scene = build(&format!("{CUBE}elements = {{ cell = 0.25 }}\n{more}")).unwrap();
        let body = scene.world.bodies().next().unwrap().1;
        let model: &pliant::model::Elements = body.model.get().unwrap();
        let places = body.rest().nodes.rest_positions.iter();
        let of = places.zip(&model.rest.stiffness).map(|(x, &times)| (x.x, times));
        of.collect::<Vec<_>>()
    };
    assert!(cell("").is_empty());
    let right = "{ within = { box = { min = [0, -1, -1], max = [1, 1, 1] } }, times = 3 }";
    let painted = cell(&format!("stiffness = [{right}, {{ within = \"all\", times = 0.5 }}]\n"));
    assert!(painted.len() > 20);
    for (x, times) in painted {
        assert_eq!(times, if x > 0.0 { 3.0 } else { 0.5 }, "at {x}");
    }
}

#[test]
fn cut_faces_have_the_colour_that_the_scene_gives() {
    let mut scene =
        block("cut_color = [0.1, 0.2, 0.3]\n[[cut]]\nplane = { point = [0, 0, 0], normal = [1, 0, 0.1] }");
    run(&mut scene);
    for (_, body) in scene.world.bodies() {
        let paints = &body.rest().mesh.paints;
        assert!(paints.iter().any(|paint| paint.base_color == [0.1, 0.2, 0.3, 1.0]), "{paints:?}");
    }
}

#[test]
fn settings_change_knives_and_cuts() {
    let text =
        format!("{BLOCK}[[cut]]\nat_secs = 0.5\nplane = {{ point = [0, 0, 0], normal = [1, 0, 0] }}\n");
    let scene = set(&SceneFile::parse(&text).unwrap(), "cut[0].at_secs=0.25").unwrap();
    assert_eq!(run(&mut scene.build(Path::new(""), &figures).unwrap()).0, [15]);
    let error = set(&scene, "cut[0].at=3").unwrap_err().to_string();
    assert!(error.contains("at_secs"), "{error}");
}

#[test]
fn cuts_that_cannot_be() {
    const KNIFE: &str = "[[knife]]\npath = [{ time_secs = 0, edge = [[0, 0, 0], [1, 0, 0]] }, ";
    const PLANE: &str = "plane = { point = [0, 0, 0], normal = [1, 0, 0] }";
    for (test, more, place, words) in [
        ("none", "[[cut]]\nat_secs = 1".to_owned(), "4: cut[0]", "needs one of plane, scissors"),
        (
            "two",
            format!("[[cut]]\n{PLANE}\nsphere = {{ center = [0, 0, 0], radius = 1 }}"),
            "6: cut[0].sphere",
            "only one of plane, scissors",
        ),
        ("time", format!("[[cut]]\nat_secs = -1\n{PLANE}"), "5: cut[0].at_secs", "0 or more"),
        ("time2", format!("[[cut]]\nat_secs = nan\n{PLANE}"), "5: cut[0].at_secs", "finite"),
        (
            "body",
            format!("[[cut]]\nbody = \"cub\"\n{PLANE}"),
            "5: cut[0].body",
            "no body is named \"cub\"; the names are [\"cube\"]",
        ),
        (
            "normal",
            "[[cut]]\nplane = { point = [0, 0, 0], normal = [0, 0, 0] }".to_owned(),
            "5: cut[0].plane",
            "normal has no length",
        ),
        (
            "normal2",
            "[[cut]]\nscissors = { point = [0, nan, 0], normal = [0, 1, 0] }".to_owned(),
            "5: cut[0].scissors",
            "not finite",
        ),
        ("corners", "[[cut]]\npolygon = [[0, 0, 0], [1, 0, 0]]".to_owned(), "5: cut[0].polygon", "no area"),
        ("corners2", "[[cut]]\npolygon = []".to_owned(), "5: cut[0].polygon", "no area"),
        (
            "axis",
            "[[cut]]\ncylinder = { center = [0, 0, 0], axis = [0, 0, 0], radius = 1, length = 1 }".to_owned(),
            "5: cut[0].cylinder",
            "axis has no length",
        ),
        (
            "length",
            "[[cut]]\ncylinder = { center = [0, 0, 0], axis = [0, 1, 0], radius = 1, length = 0 }".to_owned(),
            "5: cut[0].cylinder",
            "above 0",
        ),
        (
            "radius",
            "[[cut]]\nsphere = { center = [0, 0, 0], radius = -1 }".to_owned(),
            "5: cut[0].sphere",
            "above 0",
        ),
        (
            "radius2",
            "[[cut]]\nsphere = { center = [0, 0, 0], radius = nan }".to_owned(),
            "5: cut[0].sphere",
            "not finite",
        ),
        ("short", format!("{KNIFE}]"), "5: knife[0].path", "two keys or more"),
        (
            "rise",
            format!("{KNIFE}{{ time_secs = 0, edge = [[0, 1, 0], [1, 1, 0]] }}]"),
            "5: knife[0].path[1].time_secs",
            "must rise, but 0 s is not after 0 s",
        ),
        (
            "early",
            "[[knife]]\npath = [{ time_secs = -1, edge = [[0, 0, 0], [1, 0, 0]] }, \
             { time_secs = 1, edge = [[0, 0, 0], [1, 0, 0]] }]"
                .to_owned(),
            "5: knife[0].path[0].time_secs",
            "0 or more",
        ),
        (
            "edge",
            format!("{KNIFE}{{ time_secs = 1, edge = [[0, inf, 0], [1, 1, 0]] }}]"),
            "5: knife[0].path[1].edge",
            "finite",
        ),
        ("color", "cut_color = [1, 0]".to_owned(), "4: body[0].cut_color", "3 or 4 numbers"),
        ("color2", "cut_color = [1, 0, 2]".to_owned(), "4: body[0].cut_color", "in [0, 1]"),
        ("tear", "lattice = {}\nmaterial = { tear = 0 }".to_owned(), "5: body[0].material.tear", "above 0"),
        ("tear2", "material = { tear = 1 }".to_owned(), "4: body[0].material.tear", "has no use for it"),
        (
            "stiff",
            "lattice = {}\nstiffness = [{ within = \"all\", times = 2 }]".to_owned(),
            "5: body[0].stiffness",
            "has no use for it",
        ),
        (
            "stiff2",
            "elements = {}\nstiffness = [{ within = \"all\", times = 0 }]".to_owned(),
            "5: body[0].stiffness[0].times",
            "from 0.001 to 1000",
        ),
        (
            "tough",
            "toughness = [{ within = \"all\", tear = 1 }]".to_owned(),
            "4: body[0].toughness",
            "has no use for it",
        ),
        (
            "tough2",
            "lattice = {}\ntoughness = [{ within = \"all\", tear = 0 }]".to_owned(),
            "5: body[0].toughness[0].tear",
            "above 0",
        ),
        (
            "tough3",
            "lattice = {}\ntoughness = [{ within = { nodes = [1] }, tear = 1 }]".to_owned(),
            "5: body[0].toughness[0].within",
            "a box or a sphere",
        ),
    ] {
        cube_fails(&format!("cut-{test}"), &more, place, &[words]);
    }
}
