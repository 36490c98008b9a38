//! Scene files: what is wrong is said with file, line and key, and in words that help.
#![expect(clippy::unwrap_used, reason = "helpers of tests may fail as tests do")]

mod common;

use common::folder;
use pliant::TriMesh;
use pliant::geometry::shapes;
use pliant_io::scene::{Scene, SceneError, SceneFile, set};
use std::path::Path;

/// One body, on lines 1 to 3.
const CUBE: &str = "[[body]]\nname = \"cube\"\nshape = { box = { size = [1, 1, 1], cells = [2, 2, 2] } }\n";

fn figures(name: &str) -> Option<TriMesh> {
    (name == "ball").then(|| shapes::sphere(0.5, 2))
}

fn build(text: &str) -> Result<Scene, SceneError> {
    SceneFile::parse(text)?.build(Path::new(""), &figures)
}

/// Loads a scene from a file with these bytes.
fn load(test: &str, bytes: &[u8], settings: &[&str]) -> Result<Scene, String> {
    let path = folder(&format!("scenes/{test}")).join("my.toml");
    std::fs::write(&path, bytes).unwrap();
    let settings: Vec<String> = settings.iter().map(|s| (*s).to_owned()).collect();
    SceneFile::load(&path, &settings, &figures).map_err(|error| error.to_string())
}

/// Expects that a scene of these lines fails with `my.toml:line: key: ` and all the words.
fn fails(test: &str, text: &str, place: &str, words: &[&str]) {
    let error = load(test, text.as_bytes(), &[]).map(|scene| scene.name).unwrap_err();
    assert!(error.contains(&format!("my.toml:{place}: ")), "{place}: expected in {error:?}");
    for word in words {
        assert!(error.contains(word), "{word:?} expected in {error:?}");
    }
    for jargon in ["f32", "f64", "u32", "variant", "field `", "data did not match", "i128", "panicked"] {
        assert!(!error.contains(jargon), "{jargon:?} helps nobody: {error:?}");
    }
}

/// As [`fails`], for lines added to the cube: they begin at line 4.
fn cube_fails(test: &str, more: &str, place: &str, words: &[&str]) {
    fails(test, &format!("{CUBE}{more}"), place, words);
}

#[test]
fn keys_that_there_are_not() {
    cube_fails("unknown", "colour = 3", "4: body[0].colour", &["unknown key `colour`", "`name`, `mesh`"]);
    cube_fails("unknown2", "[body.material]\nalpa = 1", "5: body[0].material.alpa", &["`alpha`"]);
    cube_fails("unknown3", "[[push]]\ncentre = [0, 0, 0]", "5: push[0].centre", &["`center`"]);
    fails("unknown4", "gravity = [0, 0, 0]", "1: gravity", &["unknown key", "`world`"]);
    fails(
        "unknown5",
        "[[body]]\nshape = { box = { sise = 1 } }",
        "2: body[0].shape.box.sise",
        &["unknown", "size, cells"],
    );
}

#[test]
fn values_of_the_wrong_type() {
    cube_fails("type", "scale = \"big\"", "4: body[0].scale", &["\"big\"", "expected a number"]);
    cube_fails("type2", "position = 3", "4: body[0].position", &["expected a list of 3 numbers"]);
    cube_fails("type3", "position = [1, 2]", "4: body[0].position", &["length 2", "list of 3 numbers"]);
    cube_fails("type4", "position = [1, 2, 3, 4]", "4: body[0].position", &["length 4", "list of 3 numbers"]);
    cube_fails("type5", "position = [1, \"a\", 3]", "4: body[0].position[1]", &["expected a number"]);
    cube_fails(
        "type6",
        "[[pick]]\nbody = \"cube\"\nvertex = -1",
        "6: pick[0].vertex",
        &["whole number, 0 or more"],
    );
    cube_fails("type7", "[[pick]]\nbody = \"cube\"\nvertex = 1.5", "6: pick[0].vertex", &["whole number"]);
    cube_fails(
        "type8",
        "copies = { counts = [1, 1], spacing = [1, 1, 1] }",
        "4: body[0].copies.counts",
        &["3 whole numbers"],
    );
    cube_fails(
        "type9",
        "copies = { counts = [1, 1, 1, 9], spacing = [1, 1, 1] }",
        "4: body[0].copies.counts",
        &["length 4"],
    );
    fails("type10", "[body]\nname = \"x\"", "1: body", &["a list is expected", "[["]);
    fails("type11", "frames = 99999999999999999999999999", "1: frames", &["whole number"]);
}

#[test]
fn choices_that_there_are_not() {
    cube_fails(
        "choice",
        "[body.clusters]\nmatching = \"cubic\"",
        "5: body[0].clusters.matching",
        &["`quadratic`"],
    );
    cube_fails(
        "choice2",
        "[[collider]]\nshape = \"floor\"",
        "5: collider[0].shape",
        &["unknown choice `floor`", "`plane`"],
    );
    cube_fails("choice3", "clustering = { many = {} }", "4: body[0].clustering.many", &["`spread`"]);
    cube_fails(
        "choice4",
        "[body.clusters]\narea_cap = \"much\"",
        "5: body[0].clusters.area_cap",
        &["\"none\"", "limit"],
    );
    let body = |shape: &str| format!("[[body]]\nshape = {shape}");
    fails("choice5", &body("{ cube = {} }"), "2: body[0].shape.cube", &["`box`, `sphere`"]);
    fails("choice6", &body("\"box\""), "2: body[0].shape", &["needs its values"]);
    fails("choice7", &body("{}"), "2: body[0].shape", &["no choice is given"]);
    fails("choice8", &body("3"), "2: body[0].shape", &["a word or a table"]);
    let two = "{ sphere = { radius = 1, subdivisions = 1 }, box = { size = [1, 1, 1], cells = [1, 1, 1] } }";
    fails("choice9", &body(two), "2: body[0].shape", &["several choices"]);
}

#[test]
fn keys_that_are_missing() {
    fails("missing", "[camera]\neye = [0, 0, 1]", "1: camera", &["missing key `target`"]);
    cube_fails("missing2", "[[collider]]\nfriction = 1", "4: collider[0]", &["missing key `shape`"]);
    cube_fails("missing3", "[[pin]]\nbody = \"cube\"", "4: pin[0]", &["missing key `members`"]);
    cube_fails("missing4", "rotation = { angle = 1.0 }", "4: body[0].rotation", &["missing key `axis`"]);
    cube_fails("missing5", "[[pick]]\nat = [0, 0, 0]", "4: pick[0].body", &["needs the name", "\"cube\""]);
    cube_fails("missing6", "[[pick]]\nbody = \"cube\"", "4: pick[0]", &["needs at or vertex"]);
    fails(
        "missing7",
        "[[body]]\nshape = { sphere = { radius = 1 } }",
        "2: body[0].shape.sphere",
        &["`subdivisions`"],
    );
    fails("missing8", "[[body]]\nname = \"x\"", "1: body[0]", &["one of mesh, shape or figure"]);
}

#[test]
fn two_of_what_there_can_be_one() {
    cube_fails("two", "figure = \"ball\"", "1: body[0]", &["only one of mesh, shape and figure"]);
    cube_fails("two2", "mesh = \"ball.obj\"", "1: body[0]", &["only one of mesh, shape and figure"]);
    cube_fails(
        "two3",
        "[[pick]]\nbody = \"cube\"\nat = [0, 0, 0]\nvertex = 0",
        "4: pick[0]",
        &["only one of at and vertex"],
    );
    cube_fails("two4", CUBE, "5: body[1].name", &["two bodies named \"cube\""]);
    fails("two5", "name = \"a\"\nname = \"b\"", "2", &["duplicate key"]);
}

#[test]
fn values_out_of_their_range() {
    for (test, more, place, words) in [
        (
            "alpha",
            "[body.material]\nalpha = 1.5",
            "5: body[0].material.alpha",
            "alpha is 1.5; it must be in [0, 1]",
        ),
        ("density", "[body.material]\ndensity = -1", "5: body[0].material.density", "above 0"),
        (
            "yield",
            "[body.material.plasticity]\nyield_strain = -1",
            "5: body[0].material.plasticity.yield_strain",
            "0 or more",
        ),
        (
            "stretch",
            "[body.clusters]\nmin_stretch = 0",
            "5: body[0].clusters.min_stretch",
            "above 0 and at most 1",
        ),
        (
            "cap",
            "[body.clusters]\narea_cap = { method = \"rows\", limit = 0.5 }",
            "5: body[0].clusters.area_cap.limit",
            "above 1",
        ),
        ("spread", "clustering = { spread = { count = 0 } }", "4: body[0].clustering", "at least one"),
        ("spread2", "clustering = { spread = { count = 9999999 } }", "4: body[0].clustering", "particles"),
        (
            "overlap",
            "clustering = { grid = { cells = [2, 2, 2], overlap = -1 } }",
            "4: body[0].clustering",
            "above 0",
        ),
        (
            "grid",
            "clustering = { grid = { cells = [4000000000, 4000000000, 4000000000] } }",
            "4: body[0].clustering.grid.cells",
            "1 to 1000000",
        ),
        (
            "given",
            "clustering = { given = [{ name = \"a\", members = { nodes = [99999] } }] }",
            "4: body[0].clustering",
            "selects no particle",
        ),
        ("spacing", "particles = { spacing = -1 }", "4: body[0].particles.spacing", "above 0"),
        (
            "spacing2",
            "particles = { spacing = 1e-9 }",
            "4: body[0].particles.spacing",
            "use a larger spacing",
        ),
        ("shell", "particles = { shell_thickness = 0 }", "4: body[0].particles.shell_thickness", "above 0"),
        ("scale", "scale = 0", "4: body[0].scale", "above 0"),
        (
            "axis",
            "rotation = { axis = [0, 0, 0], angle = 1 }",
            "4: body[0].rotation",
            "axis that is not zero",
        ),
        (
            "copies",
            "copies = { counts = [0, 1, 1], spacing = [1, 1, 1] }",
            "4: body[0].copies.counts",
            "makes 0 bodies",
        ),
        (
            "copies2",
            "copies = { counts = [1000000000, 1, 1], spacing = [1, 1, 1] }",
            "4: body[0].copies.counts",
            "makes 1000000000 bodies",
        ),
        (
            "copies3",
            "copies = { counts = [4000000000, 4000000000, 4000000000], spacing = [1, 1, 1] }",
            "4: body[0].copies.counts",
            "there may be 1 to",
        ),
        ("substeps", "[world]\nsubsteps = 0", "5: world.substeps", "1 to 1000"),
        ("substeps2", "[world]\nsubsteps = 4000000000", "5: world.substeps", "1 to 1000"),
        ("budget", "[world]\nbudget = { nodes = 0 }", "5: world.budget.nodes", "1 or more"),
        ("budget2", "[world]\nbudget = { millis = 0 }", "5: world.budget.millis", "above 0"),
        ("budget3", "[world]\nbudget = { millis = inf }", "5: world.budget.millis", "above 0"),
        (
            "fov",
            "[camera]\neye = [0, 0, 1]\ntarget = [0, 0, 0]\nfov_y_radians = 60",
            "7: camera.fov_y_radians",
            "in radians",
        ),
        ("eye", "[camera]\neye = [0, 0, 1]\ntarget = [0, 0, 1]", "6: camera.target", "another place"),
        ("sphere", "[[collider]]\nshape = { sphere = { radius = -1 } }", "5: collider[0].shape", "above 0"),
        (
            "friction",
            "[[collider]]\nshape = \"plane\"\nfriction = -1",
            "6: collider[0].friction",
            "0 or more",
        ),
        ("vertex", "[[pick]]\nbody = \"cube\"\nvertex = 100000", "6: pick[0].vertex", "no vertex 100000"),
        (
            "spring",
            "[[pick]]\nbody = \"cube\"\nvertex = 0\nspring = { frequency_hz = -1 }",
            "7: pick[0].spring.frequency_hz",
            "0 or more",
        ),
        ("push", "[[push]]\ncenter = [0, 0, 0]\nradius = -1", "6: push[0].radius", "0 or more"),
        ("wind", "[[wind]]\ngust_length = 0", "5: wind[0].gust_length", "above 0"),
        (
            "release",
            "[[push]]\ncenter = [0, 0, 0]\nradius = 1\nmotion = { release_secs = -1 }",
            "7: push[0].motion.release_secs",
            "0 or more",
        ),
    ] {
        cube_fails(&format!("range-{test}"), more, place, &[words]);
    }
    fails("range-dt", "dt_secs = 0", "1: dt_secs", &["above 0"]);
    fails("range-dt2", "dt_secs = 1e-45", "1: dt_secs", &["above 0", "substeps"]);
}

#[test]
fn lattices_and_octrees_that_cannot_be() {
    const SPHERE: &str = "{ sphere = { center = [0, 0, 0], radius = 1 } }";
    for (test, more, place, words) in [
        ("both", "lattice = {}\noctree = {}", "4: body[0].lattice", "only one of lattice and octree"),
        ("refine", "refine = [{ surface = { size = 0.1 } }]", "4: body[0].refine", "needs octree"),
        (
            "refine2",
            "lattice = {}\nrefine = [{ surface = { size = 0.1 } }]",
            "5: body[0].refine",
            "needs octree",
        ),
        ("widths", "widths = [{ within = \"all\", width = 0.1 }]", "4: body[0].widths", "needs octree"),
        ("cell", "octree = { cell = 0 }", "4: body[0].octree.cell", "above 0"),
        ("cell2", "lattice = { cell = -1 }", "4: body[0].lattice.cell", "above 0"),
        ("cell3", "octree = { cell = nan }", "4: body[0].octree.cell", "above 0"),
        ("cell4", "lattice = { cell = 1e-9 }", "4: body[0].lattice.cell", "use a cell size of"),
        ("cell5", "octree = { cell = 1e-9 }", "4: body[0].octree.cell", "use a cell size of"),
        ("width", "lattice = { width = 0 }", "4: body[0].lattice.width", "above 0"),
        ("width2", "octree = { width = -1 }", "4: body[0].octree.width", "above 0"),
        ("levels", "octree = { levels = 9 }", "4: body[0].octree.levels", "at most 8"),
        ("slack", "octree = { slack = 5 }", "4: body[0].octree.slack", "in [0, 4]"),
        (
            "size",
            "octree = {}\nrefine = [{ surface = { size = 0.1 } }, { strain = { from = -1, size = 0.1 } }]",
            "5: body[0].refine[1].strain.from",
            "0 or more",
        ),
        (
            "size2",
            "octree = {}\nrefine = [{ features = { size = nan } }]",
            "5: body[0].refine[0].features.size",
            "above 0",
        ),
        (
            "angle",
            "octree = {}\nrefine = [{ viewer = { angle = 0 } }]",
            "5: body[0].refine[0].viewer.angle",
            "above 0",
        ),
        (
            "part",
            "octree = {}\nrefine = [{ region = { within = { nodes = [1] }, size = 0.1 } }]",
            "5: body[0].refine[0].region.within",
            "a box or a sphere",
        ),
        (
            "part2",
            "octree = {}\nwidths = [{ within = { vertices = [1] }, width = 0.1 }]",
            "5: body[0].widths[0].within",
            "a box or a sphere",
        ),
        (
            "part3",
            "octree = {}\nwidths = [{ within = { sphere = { center = [nan, 0, 0], radius = 1 } }, width = 0.1 }]",
            "5: body[0].widths[0].within",
            "finite",
        ),
        ("rule", "octree = {}\nrefine = [{ edges = {} }]", "5: body[0].refine[0].edges", "`features`"),
        ("rule2", "octree = {}\nrefine = [\"surface\"]", "5: body[0].refine[0]", "needs its values"),
        ("key", "octree = { cells = 3 }", "4: body[0].octree.cells", "`levels`"),
        ("budget", "[world]\nbudget = { bytes = 3 }", "5: world.budget.bytes", "`millis`"),
        (
            "copies",
            "lattice = { cell = 0.02 }\ncopies = { counts = [100, 1, 1], spacing = [2, 0, 0] }",
            "5: body[0].copies.counts",
            "100 bodies of 125000 nodes; there may be 1 to 80",
        ),
        (
            "copies2",
            "octree = { cell = 0.02, levels = 0, width = 0.02 }\ncopies = { counts = [100, 1, 1], spacing = [2, 0, 0] }",
            "5: body[0].copies.counts",
            "there may be 1 to 80",
        ),
    ] {
        cube_fails(&format!("model-{test}"), more, place, &[words]);
    }
    let width = format!("octree = {{}}\nwidths = [{{ within = {SPHERE}, width = -1 }}]");
    cube_fails("model-painted", &width, "5: body[0].widths[0].width", &["0 or more"]);
    // A sheet is the mesh's fault, not the cell's.
    let folder = folder("scenes/model-sheet-mesh");
    std::fs::write(folder.join("sheet.obj"), "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\nf 1 2 3\nf 2 4 3\n")
        .unwrap();
    fails(
        "model-sheet",
        "[[body]]\nmesh = \"../model-sheet-mesh/sheet.obj\"\noctree = {}",
        "2: body[0].mesh",
        &["the mesh has no volume"],
    );
}

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
fn the_keys_of_models_and_budgets_can_be_set() {
    let scene = SceneFile::parse(CUBE).unwrap();
    let set = |setting: &str| set(&scene, setting).unwrap();
    assert_eq!(set("body[0].octree.cell=0.25").body[0].octree.unwrap().cell, 0.25);
    assert_eq!(set("body[*].lattice.width=0.5").body[0].lattice.unwrap().width, 0.5);
    assert_eq!(set("world.budget.nodes=600").world.budget, Some(pliant::Budget::Nodes(600)));
    assert_eq!(set("world.budget={millis=2.5}").world.budget, Some(pliant::Budget::Millis(2.5)));
    let rules = set("body[0].refine=[{surface={size=0.1}},{tools={margin=0,size=0.2}}]");
    assert_eq!(rules.body[0].refine[1], pliant::Rule::Tools { margin: 0.0, size: 0.2 });
    let finer = pliant_io::scene::set(&rules, "body[0].refine[0].surface.size=0.05").unwrap();
    assert_eq!(finer.body[0].refine[0], pliant::Rule::Surface { size: 0.05 });
    assert_eq!(
        set("body[0].widths=[{within=all,width=1}]".replace("all", "\"all\"").as_str()).body[0].widths.len(),
        1
    );
    let text = finer.to_text().unwrap();
    assert_eq!(SceneFile::parse(&text).unwrap(), finer, "{text}");
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
fn values_that_are_not_finite() {
    for (test, more, place) in [
        ("position", "position = [nan, 0, 0]", "4: body[0].position"),
        ("velocity", "velocity = [0, inf, 0]", "4: body[0].velocity"),
        ("spin", "spin = [0, 0, -inf]", "4: body[0].spin"),
        ("scale", "scale = inf", "4: body[0].scale"),
        ("huge", "scale = 1e300", "4: body[0].scale"),
        ("alpha", "[body.material]\nalpha = nan", "5: body[0].material.alpha"),
        ("density", "[body.material]\ndensity = inf", "5: body[0].material.density"),
        ("angle", "rotation = { axis = [0, 1, 0], angle = nan }", "4: body[0].rotation"),
        ("copies", "copies = { counts = [2, 1, 1], spacing = [nan, 0, 0] }", "4: body[0].copies.spacing"),
        ("gravity", "[world]\ngravity = [0, nan, 0]", "5: world.gravity"),
        ("eye", "[camera]\neye = [nan, 0, 1]\ntarget = [0, 0, 0]", "5: camera.eye"),
        ("collider", "[[collider]]\nshape = \"plane\"\nposition = [0, inf, 0]", "6: collider[0].position"),
        ("at", "[[pick]]\nbody = \"cube\"\nat = [nan, 0, 0]", "6: pick[0].at"),
        (
            "pin",
            "[[pin]]\nbody = \"cube\"\nmembers = { sphere = { center = [nan, 0, 0], radius = 1 } }",
            "6: pin[0].members",
        ),
        ("center", "[[push]]\ncenter = [nan, 0, 0]\nradius = 1", "5: push[0].center"),
        ("radius", "[[push]]\ncenter = [0, 0, 0]\nradius = nan", "6: push[0].radius"),
        ("wind", "[[wind]]\nvelocity = [nan, 0, 0]", "5: wind[0].velocity"),
        (
            "time",
            "[[push]]\ncenter = [0, 0, 0]\nradius = 1\nmotion = { path = [{ time_secs = nan, by = [0, 0, 0] }] }",
            "7: push[0].motion.path[0].time_secs",
        ),
        (
            "by",
            "[[push]]\ncenter = [0, 0, 0]\nradius = 1\nmotion = { path = [{ time_secs = 0, by = [inf, 0, 0] }] }",
            "7: push[0].motion.path[0].by",
        ),
    ] {
        cube_fails(&format!("finite-{test}"), more, place, &[]);
    }
    fails("finite-dt", "dt_secs = nan", "1: dt_secs", &[]);
}

#[test]
fn shapes_that_would_fill_the_memory_are_refused_before_they_are_made() {
    for (i, shape) in [
        "{ box = { size = [1, 1, 1], cells = [1000000000, 1000000000, 1000000000] } }",
        "{ sphere = { radius = 1, subdivisions = 1000000000 } }",
        "{ cylinder = { radius = 1, height = 1, around = 4000000000, along = 4000000000 } }",
        "{ capsule = { radius = 1, height = 1, around = 4000000000, along = 1 } }",
        "{ torus = { major = 1, minor = 0.1, around = 4000000000, across = 4000000000 } }",
        "{ torus-knot = { p = 2, q = 3, major = 1, minor = 0.1, tube_radius = 0.1, around = 4000000000, across = 8 } }",
        "{ l-bar = { arm_length = 1, width = 0.1, depth = 0.1, cell = 1e-9 } }",
        "{ l-bar = { arm_length = 1, width = 4e-6, depth = 4e-6, cell = 4e-6 } }",
    ]
    .into_iter()
    .enumerate()
    {
        let text = format!("[[body]]\nshape = {shape}");
        fails(&format!("large-{i}"), &text, "2: body[0].shape", &["about", "at most"]);
    }
    let flat = "[[body]]\nshape = { box = { size = [1, 0, 1], cells = [1, 1, 1] } }";
    fails("large-flat", flat, "2: body[0].shape", &["a length of 0 m", "above 0"]);
    let knot = "{ torus-knot = { p = 0, q = 0, major = 1, minor = 0.1, tube_radius = 0.1, around = 9, across = 8 } }";
    fails("large-none", &format!("[[body]]\nshape = {knot}"), "2: body[0].shape", &["without triangles"]);
}

#[test]
fn names_that_lead_nowhere() {
    fails("name-figure", "[[body]]\nfigure = \"elephant\"", "2: body[0].figure", &["no figure \"elephant\""]);
    fails(
        "name-mesh",
        "[[body]]\nmesh = \"no-such.obj\"",
        "2: body[0].mesh",
        &["no-such.obj", "no such file"],
    );
    fails("name-mesh2", "[[body]]\nmesh = \"my.toml\"", "2: body[0].mesh", &["my.toml", "Pliant reads OBJ"]);
    fails("name-mesh3", "[[body]]\nmesh = \".\"", "2: body[0].mesh", &["directory"]);
    let pick = "[[pick]]\nbody = \"ball\"\nat = [0, 0, 0]";
    cube_fails("name-body", pick, "5: pick[0].body", &["no body is named \"ball\"", "\"cube\""]);
    fails("name-body2", pick, "2: pick[0].body", &["no body has a name"]);
    let pin = "[[pin]]\nbody = \"cube\"\nmembers = { sphere = { center = [9, 9, 9], radius = 0.1 } }";
    cube_fails("name-pin", pin, "6: pin[0].members", &["contains none of the body's"]);
}

#[test]
fn times_of_a_path_that_do_not_rise() {
    let path = |a: f64, b: f64| {
        format!(
            "[[push]]\ncenter = [0, 0, 0]\nradius = 1\n[push.motion]\npath = [\n  \
             {{ time_secs = {a}, by = [0, 0, 0] }},\n  {{ time_secs = {b}, by = [1, 0, 0] }},\n]"
        )
    };
    for (i, (a, b)) in [(1.0, 1.0), (2.0, 1.0)].into_iter().enumerate() {
        let words = ["must rise", &format!("{b} s is not after {a} s")];
        cube_fails(&format!("path-{i}"), &path(a, b), "10: push[0].motion.path[1].time_secs", &words);
    }
    assert!(build(&path(1.0, 2.0)).is_ok());
}

#[test]
fn files_that_are_not_scenes() {
    fails("syntax", "name = \"x", "1", &["invalid basic string"]);
    fails("syntax2", "name = \"x\"\n[[body]\n", "2", &["`]`"]);
    fails("syntax3", "name = x", "1: name", &["quoted"]);
    let deep = |text: String| load("deep", text.as_bytes(), &[]).map(|_| ()).unwrap_err();
    for text in [
        format!("a = {}{}", "[".repeat(100_000), "]".repeat(100_000)),
        format!("{}a = 1", "a.".repeat(50_000)),
        format!("a = {}1{}", "{ a = ".repeat(50_000), " }".repeat(50_000)),
        "[[".repeat(10_000),
    ] {
        let error = deep(text);
        assert!(error.contains("my.toml") && error.len() < 1000, "{error}");
    }
    let error = load("bytes", b"name = \"\xff\xfe\"", &[]).map(|_| ()).unwrap_err();
    assert!(error.contains("my.toml, byte 8") && error.contains("not UTF-8"), "{error}");
    let error = load("empty", b"", &[]).map(|_| ()).unwrap_err();
    assert!(error.contains("my.toml") && error.contains("empty"), "{error}");
    let folder = folder("scenes/directory.toml");
    let error = SceneFile::load(&folder, &[], &figures).unwrap_err().to_string();
    assert!(error.contains("directory.toml") && error.contains("this is a directory"), "{error}");
    let error = SceneFile::load(&folder.join("none.toml"), &[], &figures).unwrap_err().to_string();
    assert!(error.contains("none.toml") && error.contains("no such file"), "{error}");
}

#[test]
fn any_bytes_give_a_scene_or_an_error() {
    let text = format!("{CUBE}[[pick]]\nbody = \"cube\"\nat = [0, 0, 0]\nmotion = {{ repeat = true }}\n");
    let mut random = common::Prng(7);
    for _ in 0..300 {
        let mut bytes = text.clone().into_bytes();
        for _ in 0..=random.below(4) {
            let at = random.below(bytes.len());
            match random.below(3) {
                0 => bytes[at] = random.next() as u8,
                1 => drop(bytes.remove(at)),
                _ => bytes.insert(at, b"[]{}=\"\n.0-e"[random.below(11)]),
            }
        }
        if let Err(error) = load("any", &bytes, &[]) {
            assert!(error.contains("my.toml"), "{error}");
        }
    }
}

#[test]
fn a_scene_of_windows_and_a_scene_of_nothing_are_read() {
    let text = format!("\u{feff}{}", CUBE.replace('\n', "\r\n"));
    assert_eq!(load("windows", text.as_bytes(), &[]).unwrap().world.bodies().count(), 1);
    let mut empty = load("nothing", b"# only a comment\n", &[]).unwrap();
    assert_eq!((empty.name.as_str(), empty.frames, empty.dt_secs), ("my", 300, 1.0 / 60.0));
    assert_eq!(empty.step().nodes, 0);
}

#[test]
fn a_mesh_file_is_found_beside_the_scene_and_its_warnings_are_kept() {
    let folder = folder("scenes/beside");
    pliant_io::write_mesh(folder.join("ball.obj"), &shapes::sphere(0.5, 2)).unwrap();
    std::fs::rename(folder.join("ball.obj"), folder.join("ball.ply")).unwrap();
    let path = folder.join("scene.toml");
    std::fs::write(&path, "[[body]]\nmesh = \"ball.ply\"\n").unwrap();
    let scene = SceneFile::load(&path, &[], &figures).unwrap();
    assert_eq!(scene.world.bodies().count(), 1);
    assert!(scene.warnings.len() == 1 && scene.warnings[0].starts_with("ball.ply: "), "{:?}", scene.warnings);
}

#[test]
fn numbers_at_the_end_of_their_range_are_contained() {
    for more in [
        "position = [1e300, 0, 0]",
        "position = [0, -1e18, 1e18]",
        "velocity = [3e38, 0, 0]",
        "spin = [0, 3e38, 0]",
        "scale = 1e9",
        "scale = 1e-9",
        "[body.material]\ndensity = 1e-40",
        "[body.material]\ndensity = 3e38",
        "[body.material]\nalpha = 1\nbeta = 1\ndamping = 3e38",
        "[world]\ngravity = [0, -3e38, 0]",
        "[[wind]]\nvelocity = [1e18, 0, 0]\nair_density = 3e38",
        "[[push]]\ncenter = [0, 0, 0]\nradius = 3e38\nfrequency_hz = 3e38",
        "[[pick]]\nbody = \"cube\"\nvertex = 0\nspring = { frequency_hz = 3e38, damping_ratio = 3e38 }",
        "particles = { max_surface = 0, interior = false }",
    ] {
        let text = format!("{CUBE}{more}\n");
        let Ok(mut scene) = build(&text) else { continue };
        for _ in 0..3 {
            scene.step();
        }
        for (_, body) in scene.world.bodies() {
            assert!(
                body.nodes.positions.iter().chain(&body.nodes.velocities).all(|v| v.is_finite()),
                "{more}"
            );
        }
    }
    let mut scene = build(&format!("dt_secs = 1e30\n{CUBE}")).unwrap();
    scene.step();
    assert!(scene.world.bodies().all(|(_, b)| b.nodes.positions.iter().all(|x| x.is_finite())));
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
fn a_setting_reaches_one_body_or_all_and_keys_that_the_file_leaves_out() {
    let two = format!("{CUBE}{}", CUBE.replace("\"cube\"", "\"other\""));
    let scene = SceneFile::parse(&two).unwrap();
    let alphas = |scene: &SceneFile| scene.body.iter().map(|body| body.material.alpha).collect::<Vec<_>>();
    assert_eq!(alphas(&set(&scene, "body[1].material.alpha=0.75").unwrap()), [0.3, 0.75]);
    assert_eq!(alphas(&set(&scene, "body.1.material.alpha = 0.75").unwrap()), [0.3, 0.75]);
    assert_eq!(alphas(&set(&scene, "body[*].material.alpha=1").unwrap()), [1.0, 1.0]);
    assert_eq!(set(&scene, "frames=7").unwrap().frames, Some(7));
    assert_eq!(set(&scene, "name=my scene").unwrap().name, "my scene");
    assert_eq!(set(&scene, "name=\"my scene\"").unwrap().name, "my scene");
    let plastic = set(&scene, "body[0].material.plasticity.yield_strain=0.25").unwrap();
    assert_eq!(plastic.body[0].material.plasticity.unwrap().yield_strain, 0.25);
    let camera = set(&scene, "camera={eye=[0,0,5],target=[0,0,0]}").unwrap();
    assert_eq!(camera.camera.unwrap().eye.z, 5.0);
    assert_eq!(set(&scene, "world.gravity=[0, 0, 0]").unwrap().world.gravity, pliant::glam::Vec3::ZERO);
}

#[test]
fn a_setting_that_does_not_fit_says_why() {
    let scene = SceneFile::parse(CUBE).unwrap();
    for (setting, words) in [
        ("frames", "frames: a setting has the form key=value"),
        ("=3", "this is not a key"),
        ("body..name=x", "body..name: this is not a key"),
        ("colour=3", "colour: unknown key `colour`"),
        ("body[0].colour=3", "body[0].colour: unknown key `colour`, expected one of `name`"),
        ("body[7].name=x", "body[7].name: there is no item 7; there are 1"),
        ("body[-1].name=x", "body[-1].name: "),
        ("body[99999999999999999999].name=x", "body[99999999999999999999].name: "),
        ("body.name=x", "body.name: name is below a list: write [0]"),
        ("pick[*].body=x", "pick[*].body: the list is empty"),
        ("world[0]=3", "world[0]: what is numbered here is no list"),
        ("name.first=x", "name.first: first cannot be set below"),
        ("frames=many", "frames: wrong type: string \"many\", expected a whole number"),
        ("frames=-1", "frames: "),
        ("body[0].position=[1,2,3,4]", "body[0].position: wrong length 4"),
        ("body[0].shape.sphere.radius=1", "body[0].shape.sphere.radius: several choices are given"),
        ("body[0].clusters.area_cap=lots", "body[0].clusters.area_cap: expected \"none\""),
    ] {
        let error = set(&scene, setting).unwrap_err().to_string();
        assert!(error.starts_with(words), "{words:?} expected in {error:?}");
    }
}

#[test]
fn an_error_names_the_file_only_if_the_file_is_to_blame() {
    let text = format!("{CUBE}[body.material]\nalpha = 0.5\n");
    for setting in ["body[0].material.alpha=2", "body[*].material.alpha=2", "body.0.material={alpha=2.0}"] {
        let error = load("blame", text.as_bytes(), &[setting]).map(|_| ()).unwrap_err();
        assert_eq!(error, "body[0].material.alpha: alpha is 2; it must be in [0, 1]");
    }
    let error = load("blame", text.replace("0.5", "7").as_bytes(), &["frames=3"]).map(|_| ()).unwrap_err();
    assert!(
        error.ends_with("my.toml:5: body[0].material.alpha: alpha is 7; it must be in [0, 1]"),
        "{error}"
    );
}

#[test]
fn no_cap_is_written_and_read_as_a_word() {
    let text = format!("{CUBE}[body.clusters]\narea_cap = \"none\"\n");
    let scene = SceneFile::parse(&text).unwrap();
    assert_eq!(scene.body[0].clusters.area_cap, None);
    assert_eq!(set(&SceneFile::parse(CUBE).unwrap(), "body[0].clusters.area_cap=none").unwrap(), scene);
    let written = scene.to_text().unwrap();
    assert!(written.contains("area_cap = \"none\""), "{written}");
    assert_eq!(SceneFile::parse(&written).unwrap(), scene);
    assert!(SceneFile::parse(CUBE).unwrap().body[0].clusters.area_cap.is_some());
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
