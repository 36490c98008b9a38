//! Keys, types, choices and names that are wrong.

use super::*;

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
    cube_fails("missing2", "[[collider]]\nfriction = 1", "4: collider[0]", &["one of shape, mesh or figure"]);
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
