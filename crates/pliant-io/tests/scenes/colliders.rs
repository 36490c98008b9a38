//! Colliders of every shape, from files, and on the move.

use crate::{CUBE, build, cube_fails, figures};
use pliant::glam::{DVec3, Vec3};
use pliant::{Collider, CollisionGroups, Shape};
use pliant_io::scene::{Scene, SceneFile};

const SHAPES: &str = "
[[collider]]
shape = { cylinder = { radius = 1, half_height = 0.1 } }
[[collider]]
shape = { convex-hull = { points = [[-2, 0, -2], [2, 0, -2], [-2, 0, 2], [2, 0, 2], [0, -1, 0]] } }
[[collider]]
shape = { mesh = { positions = [[-3, 0, -3], [3, 0, -3], [0, 0, 3]], triangles = [[0, 2, 1]], thickness = 0.05 } }
[[collider]]
shape = { mesh = { positions = [[-3, 0, -3], [3, 0, -3], [0, 0, 3]], triangles = [[0, 2, 1]] } }
[[collider]]
shape = { heightfield = { size = [2, 0.5, 2], heights = [[0, 0.1], [0.2, 0], [0.1, 0.1]] } }
[[collider]]
figure = \"ball\"
scale = 2
";

fn colliders(scene: &Scene) -> Vec<Collider> {
    scene.world.colliders().map(|(_, collider)| collider.clone()).collect()
}

#[test]
fn every_shape_is_read_written_and_run() {
    let text = format!("{CUBE}position = [0, 1.5, 0]\n{SHAPES}");
    let scene = SceneFile::parse(&text).unwrap();
    assert_eq!(SceneFile::parse(&scene.to_text().unwrap()).unwrap(), scene);
    for i in 0..6 {
        let mut alone = scene.clone();
        alone.collider = vec![scene.collider[i].clone()];
        let mut scene = alone.build("".as_ref(), &figures).unwrap();
        for _ in 0..120 {
            scene.step();
        }
        let (_, body) = scene.world.bodies().next().unwrap();
        // It lies on it, or slides off it, but has not fallen through: it would be 18 m below.
        assert!(body.center_of_mass().y > -3.0, "{:?} {}", scene.script(), body.center_of_mass());
    }
    let ball = &colliders(&build(&text).unwrap())[5];
    let (low, high) = ball.shape.bounds().unwrap();
    assert!((high - low - 2.0).abs().max_element() < 0.1, "twice the figure: {low} {high}");
}

#[test]
fn a_mesh_file_is_a_collider_where_its_coordinates_say() {
    let obj = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";
    let folder = crate::folder("scenes/collider-mesh");
    std::fs::write(folder.join("corner.obj"), obj).unwrap();
    let entry = "[[collider]]\nmesh = \"corner.obj\"\nscale = 2\nposition = [5, 0, 0]";
    std::fs::write(folder.join("my.toml"), entry).unwrap();
    let scene = SceneFile::load(&folder.join("my.toml"), &[], &figures).unwrap();
    let [corner] = &colliders(&scene)[..] else { panic!("one collider") };
    assert_eq!(corner.position, DVec3::X * 5.0);
    assert_eq!(corner.shape.bounds(), Some((Vec3::ZERO, Vec3::splat(2.0))));
    assert!(matches!(&corner.shape, Shape::Mesh(mesh) if mesh.is_solid()));
}

#[test]
fn colliders_move_along_paths_turn_and_are_taken_out() {
    let path = "path = [{ time_secs = 0, by = [0, 0, 0] }, { time_secs = 1, by = [0, 2, 0] }]";
    let text = format!(
        "[[collider]]\nshape = {{ box = {{ half = [1, 1, 1] }} }}\nposition = [0, 1, 0]\nspin = [0, 1, 0]\n\
         motion = {{ {path}, release_secs = 1.5 }}\n\
         [[collider]]\nshape = {{ sphere = {{ radius = 1 }} }}\nvelocity = [1, 0, 0]\nspin = [0, 0, 2]\n"
    );
    let mut scene = build(&text).unwrap();
    for frame in 1..=60 {
        scene.step();
        if frame == 30 {
            let at = colliders(&scene)[0].position;
            assert!((at.y - 2.0).abs() < 1e-3, "half way up: {at}");
            // A session goes on with the same motion.
            scene = Scene::resumed(scene.script(), std::mem::take(&mut scene.world));
        }
    }
    let now = colliders(&scene);
    assert!(now[0].position.distance(DVec3::Y * 3.0) < 1e-3, "{}", now[0].position);
    assert!((now[0].rotation.to_scaled_axis() - Vec3::Y).length() < 1e-3);
    assert!(now[1].position.distance(DVec3::X) < 1e-3, "{}", now[1].position);
    assert!((now[1].rotation.to_scaled_axis() - Vec3::Z * 2.0).length() < 1e-3);
    for _ in 0..40 {
        scene.step();
    }
    assert_eq!(colliders(&scene).len(), 1);
}

#[test]
fn what_is_wrong_with_a_collider_is_said() {
    let table: [(&str, &str, &str, &[&str]); 12] = [
        ("both", "[[collider]]\nshape = \"plane\"\nfigure = \"ball\"", "4: collider[0]", &["only one of"]),
        ("scale", "[[collider]]\nfigure = \"ball\"\nscale = 0", "6: collider[0].scale", &["above 0"]),
        (
            "scaled",
            "[[collider]]\nshape = \"plane\"\nscale = 2",
            "6: collider[0].scale",
            &["mesh or a figure"],
        ),
        ("thin", "[[collider]]\nfigure = \"ball\"\nthickness = -1", "6: collider[0].thickness", &["above 0"]),
        ("nobody", "[[collider]]\nfigure = \"bal\"", "5: collider[0].figure", &["no figure \"bal\""]),
        ("nofile", "[[collider]]\nmesh = \"no.obj\"", "5: collider[0].mesh", &["no.obj"]),
        (
            "flat",
            "[[collider]]\nshape = { convex-hull = { points = [[0, 0, 0], [1, 0, 0], [0, 1, 0]] } }",
            "5: collider[0].shape",
            &["four points"],
        ),
        (
            "index",
            "[[collider]]\nshape = { mesh = { positions = [[0, 0, 0]], triangles = [[0, 1, 2]] } }",
            "5: collider[0].shape",
            &["positions that are there"],
        ),
        (
            "rows",
            "[[collider]]\nshape = { heightfield = { size = [1, 1, 1], heights = [[0, 1], [1]] } }",
            "5: collider[0].shape",
            &["equal length"],
        ),
        (
            "two-ways",
            "[[collider]]\nshape = \"plane\"\nvelocity = [1, 0, 0]\nmotion = { path = [{ time_secs = 0, by = [0, 0, 0] }] }",
            "6: collider[0].velocity",
            &["only one of velocity and a path"],
        ),
        (
            "speed",
            "[[collider]]\nshape = \"plane\"\nvelocity = [nan, 0, 0]",
            "6: collider[0].velocity",
            &["finite"],
        ),
        ("spin", "[[collider]]\nshape = \"plane\"\nspin = [0, inf, 0]", "6: collider[0].spin", &["finite"]),
    ];
    for (name, more, place, words) in table {
        cube_fails(&format!("collider-{name}"), more, place, words);
    }
}

#[test]
fn groups_and_sensors_are_read_written_and_built() {
    let text = format!(
        "{CUBE}contacts = {{ groups = {{ memberships = 0b10 }} }}\n[[collider]]\nshape = \"plane\"\nsensor = true\n\
         groups = {{ memberships = 1, filter = 0x6 }}\n"
    );
    let scene = SceneFile::parse(&text).unwrap();
    assert_eq!(SceneFile::parse(&scene.to_text().unwrap()).unwrap(), scene);
    let built = build(&text).unwrap();
    let collider = &colliders(&built)[0];
    assert!(collider.sensor && collider.groups == CollisionGroups::new(1, 6));
    let (_, body) = built.world.bodies().next().unwrap();
    assert_eq!(body.contacts.groups, CollisionGroups::new(2, u32::MAX));
    cube_fails("groups", "contacts.groups = { filter = -1 }\n", "4: body[0].contacts.groups.filter", &["-1"]);
    cube_fails(
        "sensor",
        "[[collider]]\nshape = \"plane\"\nsensor = 1\n",
        "6: collider[0].sensor",
        &["wrong type"],
    );
}
