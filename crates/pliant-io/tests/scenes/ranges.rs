//! Values that cannot be.

use super::*;

#[test]
fn values_out_of_their_range() {
    for (test, more, place, words) in [
        (
            "alpha",
            "[body.material]\nalpha = 1.5",
            "5: body[0].material.alpha",
            "alpha is 1.5; it must be in [0, 1]",
        ),
        ("fit", "fit = 0", "4: body[0].fit", "above 0"),
        ("fit2", "fit = 1.0\nscale = 2.0", "4: body[0].fit", "leave out scale and units"),
        ("fit3", "units = \"mm\"\nfit = 1.0", "5: body[0].fit", "leave out scale and units"),
        ("units", "units = \"furlong\"", "4: body[0].units", "`mm`"),
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
        ("refine", "refine = [{ surface = { size = 0.1 } }]", "4: body[0].refine", "has no use for it"),
        (
            "refine2",
            "lattice = {}\nrefine = [{ surface = { size = 0.1 } }]",
            "5: body[0].refine",
            "has no use for it",
        ),
        ("widths", "widths = [{ within = \"all\", width = 0.1 }]", "4: body[0].widths", "has no use for it"),
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
fn values_that_are_not_finite() {
    for (test, more, place) in [
        ("position", "position = [nan, 0, 0]", "4: body[0].position"),
        ("velocity", "velocity = [0, inf, 0]", "4: body[0].velocity"),
        ("gravity scale", "gravity_scale = nan", "4: body[0].gravity_scale"),
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
