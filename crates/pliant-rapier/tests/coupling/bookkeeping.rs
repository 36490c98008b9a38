//! Pliant's colliders follow rapier's.

use crate::{Both, DT};
use pliant::{Collider, Selection, Shape, Snapshot, World};
use pliant_rapier::Rigids;
use pliant_rapier::rapier3d::prelude::*;

#[test]
fn colliders_come_and_go_with_rapiers() {
    let mut both = Both::new();
    let own = both.world.add_collider(Collider::floor(-5.0)).unwrap();
    let soft = both.jelly([0.2, 0.2, 0.2], [5.0, 0.0, 0.0]);
    let ball = both.ball(0.1, 1.0, [0.0, 1.0, 0.0], [0.0; 3]);
    let table = both.cuboid([0.5, 0.1, 0.5], 5.0, [3.0, 1.0, 0.0]);
    both.coupling.attach(&mut both.world, &both.physics, soft, &Selection::All, table).unwrap();
    both.step();
    assert_eq!(both.world.colliders().count(), 3);
    both.physics.remove_body(ball);
    both.step();
    assert_eq!(both.world.colliders().count(), 2);
    assert_eq!(both.world.tools().count(), 1);
    both.physics.remove_body(table);
    both.step();
    assert_eq!(both.world.colliders().map(|(handle, _)| handle).collect::<Vec<_>>(), [own]);
    assert_eq!(both.world.tools().count(), 0);
    assert_eq!(both.world.collider(own).unwrap(), &Collider::floor(-5.0));
}

#[test]
fn sensors_and_other_groups_are_not_felt() {
    let mut both = Both::new();
    both.coupling.groups =
        InteractionGroups::new(Group::GROUP_2, Group::GROUP_1, InteractionTestMode::default());
    let mut add = |collider: ColliderBuilder| both.physics.insert_collider(collider, None);
    add(ColliderBuilder::ball(1.0).sensor(true));
    add(ColliderBuilder::ball(1.0).enabled(false));
    let filtered = |group| InteractionGroups::new(group, Group::GROUP_2, InteractionTestMode::default());
    add(ColliderBuilder::ball(1.0).collision_groups(filtered(Group::GROUP_3)));
    let felt = add(ColliderBuilder::ball(1.0).collision_groups(filtered(Group::GROUP_1)));
    both.step();
    assert_eq!(both.world.colliders().count(), 1);
    assert_eq!(both.coupling.colliders(felt).count(), 1);
}

#[test]
fn shapes_have_the_same_surface_in_both_worlds() {
    let mut both = Both::new();
    let shapes = [
        SharedShape::ball(0.3),
        SharedShape::cuboid(0.2, 0.3, 0.4),
        SharedShape::capsule_x(0.3, 0.2),
        SharedShape::capsule_z(0.3, 0.2),
        SharedShape::capsule(Vector::new(0.1, 0.2, 0.3), Vector::new(0.5, -0.2, 0.1), 0.1),
        SharedShape::new(HalfSpace::new(Vector::new(0.6, 0.8, 0.0))),
        SharedShape::compound(vec![
            (
                Pose::from_parts(Vector::new(0.5, 0.0, 0.0), Rotation::from_rotation_x(0.5)),
                SharedShape::cuboid(0.1, 0.2, 0.3),
            ),
            (Pose::from_parts(Vector::new(-0.5, 0.0, 0.0), Rotation::IDENTITY), SharedShape::ball(0.2)),
        ]),
        SharedShape::cylinder(0.3, 0.2),
        SharedShape::cone(0.3, 0.2),
        SharedShape::round_cuboid(0.2, 0.1, 0.3, 0.1),
        SharedShape::convex_hull(&[Vector::ZERO, Vector::X, Vector::Y, Vector::Z]).unwrap(),
        SharedShape::trimesh(
            vec![Vector::ZERO, Vector::X, Vector::Y, Vector::Z],
            vec![[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]],
        )
        .unwrap(),
    ];
    for shape in shapes {
        let pose = Pose::from_parts(Vector::new(1.0, 2.0, 3.0), Rotation::from_rotation_z(0.7));
        let body = both.physics.insert_body(RigidBodyBuilder::fixed().pose(pose));
        let collider = ColliderBuilder::new(shape.clone()).rotation(Vector::new(0.2, 0.0, 0.4));
        let handle =
            both.physics.insert_collider(collider.translation(Vector::new(0.1, 0.0, 0.0)), Some(body));
        both.coupling.couple(&mut both.world, &both.physics).unwrap();
        let pose = *both.physics.colliders[handle].position();
        for i in 0..200 {
            let t = i as f32;
            let p =
                Vector::new((t * 0.37).sin(), (t * 0.73).cos(), (t * 1.31).sin()) * 1.5 + pose.translation;
            let theirs = shape.distance_to_point(&pose, p, true);
            let ours = both.coupling.colliders(handle).map(|ours| {
                let ours = both.world.collider(ours).unwrap();
                let p = pliant::glam::Vec3::from_array(p.to_array());
                let local = ours.rotation.inverse() * (p - ours.position.as_vec3());
                let distance = ours.shape.distance(local).0;
                // A mesh of rapier is hollow.
                if shape.shape_type() == ShapeType::TriMesh { distance.abs() } else { distance.max(0.0) }
            });
            let ours = ours.fold(f32::INFINITY, f32::min);
            let round = matches!(shape.shape_type(), ShapeType::Cone | ShapeType::RoundCuboid);
            let slack = if round { 5e-3 } else { 1e-4 };
            assert!((ours - theirs).abs() < slack, "{:?} at {p}: {ours} {theirs}", shape.shape_type());
        }
        both.physics.remove_body(body);
    }
}

#[test]
fn a_shape_without_counterpart_is_told_of() {
    let mut both = Both::new();
    let line = both.physics.insert_collider(ColliderBuilder::segment(Vector::ZERO, Vector::X), None);
    let ball = both.physics.insert_collider(ColliderBuilder::ball(1.0), None);
    let error = both.coupling.couple(&mut both.world, &both.physics).unwrap_err();
    assert_eq!(error.collider, line);
    assert!(error.to_string().contains("a segment has no counterpart"), "{error}");
    assert_eq!(both.coupling.colliders(ball).count(), 1);
}

#[test]
fn a_changed_shape_changes_in_both_worlds() {
    let mut both = Both::new();
    let ball = both.physics.insert_collider(ColliderBuilder::ball(1.0), None);
    both.step();
    both.physics.colliders[ball].set_shape(SharedShape::ball(2.0));
    both.step();
    let ours = both.coupling.colliders(ball).next().unwrap();
    assert_eq!(both.world.collider(ours).unwrap().shape, Shape::Sphere { radius: 2.0 });
    assert_eq!(both.world.colliders().count(), 1);
}

/// A scene with a bit of everything.
fn busy() -> Both {
    let mut both = Both::new();
    both.floor();
    both.jelly([0.6, 0.4, 0.6], [0.0, 0.3, 0.0]);
    both.ball(0.2, 30.0, [0.1, 0.9, 0.0], [0.0, -2.0, 0.0]);
    both.cuboid([0.2, 0.2, 0.2], 30.0, [0.0, 1.6, 0.05]);
    let strap = both.jelly([0.2, 0.6, 0.2], [1.5, 2.0, 0.0]);
    let weight = both.cuboid([0.1, 0.1, 0.1], 10.0, [1.5, 1.5, 0.0]);
    both.coupling.attach(&mut both.world, &both.physics, strap, &Selection::All, weight).unwrap();
    both
}

fn state(world: &World, physics: &PhysicsWorld) -> (u64, Vec<[u32; 7]>) {
    let bits = |body: &RigidBody| {
        let [x, y, z] = body.translation().to_array();
        let [a, b, c, d] = body.rotation().to_array();
        [x, y, z, a, b, c, d].map(f32::to_bits)
    };
    (world.state_hash(), physics.bodies.iter().map(|(_, body)| bits(body)).collect())
}

#[test]
fn the_same_calls_give_the_same_bits() {
    let (mut one, mut other) = (busy(), busy());
    one.run(120);
    other.run(120);
    assert_eq!(state(&one.world, &one.physics), state(&other.world, &other.physics));
}

#[test]
fn a_kept_world_goes_on_as_the_first_did() {
    let Both { mut world, physics, coupling } = busy();
    let mut rigids = Rigids { physics, coupling };
    for _ in 0..45 {
        rigids.step(&mut world, DT);
    }
    let kept = (world.snapshot(), rigids.clone());
    let bytes = (world.snapshot().to_bytes(), postcard::to_stdvec(&rigids).unwrap());
    for _ in 0..60 {
        rigids.step(&mut world, DT);
    }
    let end = state(&world, &rigids.physics);
    let read = (Snapshot::from_bytes(&bytes.0).unwrap(), postcard::from_bytes(&bytes.1).unwrap());
    for (name, (snapshot, mut rigids)) in [("in memory", kept), ("as bytes", read)] {
        let mut world = World::new();
        world.restore(&snapshot);
        for _ in 0..60 {
            rigids.step(&mut world, DT);
        }
        assert_eq!(state(&world, &rigids.physics), end, "{name}");
    }
}

#[test]
fn ground_has_the_same_height_in_both_worlds() {
    let mut both = Both::new();
    let heights = Array2::new(3, 4, (0..12).map(|i| (i * i % 7) as f32 * 0.1).collect());
    let ground = SharedShape::heightfield(heights, Vector::new(4.0, 2.0, 3.0));
    let handle = both.physics.insert_collider(ColliderBuilder::new(ground.clone()), None);
    both.coupling.couple(&mut both.world, &both.physics).unwrap();
    let ours = both.coupling.colliders(handle).next().unwrap();
    let ours = &both.world.collider(ours).unwrap().shape;
    let field = ground.as_heightfield().unwrap();
    for (i, j) in (0..3).flat_map(|i| (0..4).map(move |j| (i, j))) {
        let at = pliant::glam::Vec3::new(
            0.99 * field.x_at(j),
            field.heights()[(i, j)] * 2.0,
            0.99 * field.z_at(i),
        );
        let (distance, _) = ours.distance(at);
        assert!(distance.abs() < 0.03, "{i} {j} {at}: {distance}");
    }
}

#[test]
fn rigid_bodies_feel_mirrored_colliders() {
    let mut both = Both::new();
    let floor = both.world.add_collider(Collider::floor(1.0)).unwrap();
    let lift = Collider::new(Shape::Box { half: pliant::glam::Vec3::splat(0.5) }).at([3.0, 1.5, 0.0]);
    let lift = lift.moving(pliant::glam::Vec3::Y * 0.2, pliant::glam::Vec3::ZERO);
    let lift = both.world.add_collider(lift).unwrap();
    let ball = both.ball(0.2, 1.0, [0.0, 1.5, 0.0], [0.0; 3]);
    let rider = both.cuboid([0.2, 0.2, 0.2], 1.0, [3.0, 2.3, 0.0]);
    for collider in [floor, lift] {
        both.coupling.mirror(&both.world, &mut both.physics, collider).unwrap();
    }
    both.run(120);
    assert!((both.at(ball).y - 1.2).abs() < 0.01, "{}", both.at(ball));
    assert!((both.at(rider).y - 2.6).abs() < 0.02, "{}", both.at(rider));
    // The two mirrored ones and those of ball and rider.
    assert_eq!(both.world.colliders().count(), 4);
    both.world.remove_collider(floor).unwrap();
    both.run(60);
    assert!(both.at(ball).y < 1.0, "{}", both.at(ball));
}
