//! Changes from the command line.

use super::*;

#[test]
fn the_keys_of_models_and_budgets_can_be_set() {
    let scene = SceneFile::parse(CUBE).unwrap();
    let set = |setting: &str| set(&scene, setting).unwrap();
    assert_eq!(set("body[0].octree.cell=0.25").body[0].octree.unwrap().cell, Some(0.25));
    assert_eq!(set("body[*].lattice.width=0.5").body[0].lattice.unwrap().width, Some(0.5));
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
fn a_setting_reaches_one_body_or_all_and_keys_that_the_file_leaves_out() {
    let two = format!("{CUBE}{}", CUBE.replace("\"cube\"", "\"other\""));
    let scene = SceneFile::parse(&two).unwrap();
    let alphas = |scene: &SceneFile| {
        scene.body.iter().map(|body| body.material.elasticity.alpha().unwrap()).collect::<Vec<_>>()
    };
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
