//! Bodies on colliders of every shape, and on colliders that move.

mod common;

use common::{Random, small_box};
use pliant::geometry::{SurfaceTree, shapes};
use pliant::glam::{DVec3, Quat, Vec3};
use pliant::{Body, BodyHandle, Collider, LatticeSettings, Material, MeshShape, Shape, World};

const H: f32 = 1.0 / 60.0;

fn jelly() -> Body {
    Body::builder(shapes::cuboid(Vec3::new(0.4, 0.3, 0.4), [2, 2, 2]))
        .model(LatticeSettings { cell: Some(0.1), width: Some(0.2) })
        .material(Material::default().with_friction(1.0))
        .build()
        .expect("a jelly")
}

fn ground(height: impl Fn(f32, f32) -> f32) -> Shape {
    let row = |z: i32| (-8..=8).map(|x| height(x as f32 / 4.0, z as f32 / 4.0)).collect();
    Shape::heightfield(Vec3::new(4.0, 1.0, 4.0), (-8..=8).map(row).collect::<Vec<Vec<f32>>>())
}

/// Shapes with the height of their tops.
fn table() -> Vec<(&'static str, Shape, f64)> {
    let slab = shapes::cuboid(Vec3::new(3.0, 1.0, 3.0), [5, 2, 5]);
    let sheet = MeshShape::new(
        [[-2.0, 0.0, -2.0], [2.0, 0.0, -2.0], [2.0, 0.0, 2.0], [-2.0, 0.0, 2.0]].map(Vec3::from),
        [[0, 2, 1], [0, 3, 2]],
    );
    vec![
        ("cylinder", Shape::Cylinder { radius: 1.5, half_height: 0.5 }, 0.5),
        ("hull", Shape::convex_hull(slab.positions.clone()), 0.5),
        ("mesh", Shape::mesh(&slab), 0.5),
        ("round mesh", Shape::mesh(&shapes::sphere(3.0, 4)), 3.0),
        ("sheet", Shape::Mesh(sheet.clone().thickness(0.1)), 0.05),
        ("thin sheet", Shape::Mesh(sheet.thickness(1e-3)), 5e-4),
        ("level ground", ground(|_, _| 0.25), 0.25),
        ("a dip in the ground", ground(|x, z| 0.05 * (x * x + z * z)), 0.0),
    ]
}

/// How deep the deepest node is inside the collider.
fn depth(body: &Body, collider: &Collider) -> f64 {
    let inverse = collider.rotation.inverse().as_dquat();
    let local = |i: usize| (inverse * (body.nodes.world_position(i) - collider.position)).as_vec3();
    let distance = |i: usize| f64::from(collider.shape.distance(local(i)).0);
    (0..body.nodes.positions.len()).map(|i| -distance(i)).fold(f64::NEG_INFINITY, f64::max)
}

fn dropped(collider: Collider, mut body: Body, onto: DVec3) -> (World, BodyHandle) {
    let mut world = World::new();
    world.add_collider(collider).expect("a collider");
    body.place(onto, Quat::IDENTITY).expect("a place");
    let handle = world.add_body(body);
    (world, handle)
}

#[test]
fn a_body_rests_on_every_shape_without_sinking() {
    for (name, shape, top) in table() {
        let collider = Collider::new(shape).friction(1.0);
        for body in [jelly(), small_box().build().expect("a box")] {
            let (mut world, handle) = dropped(collider.clone(), body, DVec3::Y * (top + 0.4));
            common::run(&mut world, 240, H);
            let body = world.body(handle).expect("there");
            let center = body.center_of_mass();
            assert!(center.x.hypot(center.z) < 0.3, "{name}: slid to {center}");
            let height = center.y - top;
            assert!(height > 0.08 && height < 0.34, "{name}: at {height}");
            let deep = depth(body, &collider);
            assert!(deep < 5e-3, "{name}: {deep} m inside");
            let before = center;
            common::run(&mut world, 30, H);
            let moved = world.body(handle).expect("there").center_of_mass().distance(before);
            assert!(moved < 2e-3, "{name}: still moves {moved} m in half a second");
        }
    }
}

/// What cells of a mesh know is of the whole cell: points of one are asked about again and again, from all sides.
#[test]
fn a_mesh_is_as_far_as_its_nearest_triangle() {
    let meshes = [
        shapes::torus(0.6, 0.25, 24, 12),
        shapes::l_bar(1.2, 0.4, 0.5, 0.2),
        shapes::torus_knot(2, 3, 1.0, 0.4, 0.15, 120, 10),
    ];
    for (of, mesh) in meshes.iter().enumerate() {
        for aside in [Vec3::ZERO, Vec3::new(300.0, -70.0, 20.0)] {
            let mut mesh = mesh.clone();
            mesh.positions.iter_mut().for_each(|at| *at += aside);
            let (shape, tree) = (Shape::mesh(&mesh), SurfaceTree::new(&mesh.positions, &mesh.triangles));
            let mut random = Random::new(11 + of as u64);
            for _ in 0..20_000 {
                let point = aside + 2.0 * random.vec3();
                let (found, nearest) = (shape.distance(point).0.abs(), tree.distance(point));
                assert!((found - nearest).abs() < 1e-5, "mesh {of} at {point}: {found}, not {nearest}");
            }
        }
    }
}

#[test]
fn a_fast_body_does_not_pass_a_thin_sheet_from_either_side() {
    let corners = [[-2.0, -2.0, 0.0], [2.0, -2.0, 0.0], [2.0, 2.0, 0.0], [-2.0, 2.0, 0.0]].map(Vec3::from);
    let sheet = Shape::Mesh(MeshShape::new(corners, [[0, 1, 2], [0, 2, 3]]).thickness(1e-3));
    for side in [1.0, -1.0] {
        let mut body = jelly();
        body.set_motion(Vec3::Z * -40.0 * side, Vec3::ZERO).expect("a speed");
        let (mut world, handle) =
            dropped(Collider::new(sheet.clone()), body, DVec3::new(0.0, 0.5, 2.0 * f64::from(side)));
        common::run(&mut world, 30, H);
        let body = world.body(handle).expect("there");
        let wrong = (0..body.nodes.positions.len())
            .filter(|&i| body.nodes.world_position(i).z * f64::from(side) < 0.0)
            .count();
        assert_eq!(wrong, 0, "nodes behind the sheet");
    }
}

#[test]
fn a_platform_carries_a_body_sideways_by_friction() {
    for shape in [Shape::Box { half: Vec3::new(1.0, 0.1, 1.0) }, table().remove(2).1] {
        let top = f64::from(shape.bounds().expect("it ends").1.y);
        let (mut world, handle) =
            dropped(Collider::new(shape).friction(1.0), jelly(), DVec3::Y * (top + 0.16));
        common::run(&mut world, 60, H);
        let (platform, _) = world.colliders().next().map(|(h, c)| (h, c.clone())).expect("a platform");
        let start = world.body(handle).expect("there").center_of_mass();
        for i in 1..=180 {
            // Up to 1.5 m/s² at first, which friction can give.
            let t = f64::from(i) / 60.0;
            let collider = world.collider_mut(platform).expect("there");
            collider.move_to(
                DVec3::X * 2.0 * (1.0 - (t * 0.5 * std::f64::consts::PI / 1.5).cos()) * 0.5,
                Quat::IDENTITY,
            );
            world.step(H);
        }
        let end = world.body(handle).expect("there").center_of_mass();
        let at = world.collider(platform).expect("there").position.x;
        assert!(at > 1.9, "{at}");
        assert!((end.x - start.x - at).abs() < 0.15, "carried {} of {at}", end.x - start.x);
        assert!((end.y - start.y).abs() < 0.02, "it stays on it");
    }
}

#[test]
fn a_lift_carries_a_body_up() {
    for (name, shape, top) in table() {
        let (mut world, handle) = dropped(Collider::new(shape), jelly(), DVec3::Y * (top + 0.16));
        common::run(&mut world, 120, H);
        let lift = world.colliders().next().map(|(handle, _)| handle).expect("a lift");
        let start = world.body(handle).expect("there").center_of_mass();
        for i in 1..=90 {
            let collider = world.collider_mut(lift).expect("there");
            collider.move_to(DVec3::Y * (0.02 * f64::from(i)), Quat::IDENTITY);
            world.step(H);
        }
        common::run(&mut world, 60, H);
        let risen = world.body(handle).expect("there").center_of_mass().y - start.y;
        assert!((risen - 1.8).abs() < 0.02, "{name}: {risen}");
    }
}

#[test]
fn a_turntable_carries_a_body_round() {
    let disc = Shape::Cylinder { radius: 1.5, half_height: 0.1 };
    let slow = Collider::new(disc).friction(1.0).moving(Vec3::ZERO, Vec3::Y);
    let (mut world, handle) = dropped(slow, jelly(), DVec3::new(0.8, 0.26, 0.0));
    common::run(&mut world, 60, H);
    let angle = |p: DVec3| (-p.z).atan2(p.x);
    let mut before = world.body(handle).expect("there").center_of_mass();
    let mut turned = 0.0;
    for _ in 0..240 {
        world.step(H);
        let now = world.body(handle).expect("there").center_of_mass();
        turned += (angle(now) - angle(before) + 9.0).rem_euclid(std::f64::consts::TAU)
            - 9.0_f64.rem_euclid(std::f64::consts::TAU);
        before = now;
    }
    assert!((turned - 4.0).abs() < 0.2, "turned by {turned} in 4 s at 1 rad/s");
    assert!((before.x.hypot(before.z) - 0.8).abs() < 0.1, "it is at {before}");
}

#[test]
fn shapes_that_make_no_sense_do_not_get_into_a_world() {
    let mut world = World::new();
    let flat = Shape::convex_hull([Vec3::ZERO, Vec3::X, Vec3::Z, Vec3::ONE.with_y(0.0)]);
    let error = world.add_collider(Collider::new(flat.clone())).expect_err("it is flat");
    assert_eq!(
        error.to_string(),
        "the collider's shape is not valid: a hull needs four points that are not in one plane"
    );
    // And if they do, nothing happens.
    let handle = world.add_collider(Collider::floor(0.0)).expect("a floor");
    world.collider_mut(handle).expect("there").shape = flat;
    world.add_body(jelly());
    common::run(&mut world, 10, H);
}

#[test]
fn a_snapshot_goes_on_with_the_same_bits() {
    for (name, shape, top) in table() {
        let (mut world, _) = dropped(Collider::new(shape), jelly(), DVec3::Y * (top + 0.2));
        common::run(&mut world, 10, H);
        let snapshot = pliant::Snapshot::from_bytes(&world.snapshot().to_bytes()).expect("a snapshot");
        let mut restored = World::new();
        restored.restore(&snapshot);
        common::run(&mut world, 20, H);
        common::run(&mut restored, 20, H);
        assert_eq!(world.state_hash(), restored.state_hash(), "{name}");
    }
}
