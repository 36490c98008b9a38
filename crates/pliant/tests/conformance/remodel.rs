//! A body that gets another model while it lives.

use super::*;

/// A bar that flies and turns.
fn bar(model: &Entry, spacing: f32) -> Body {
    let mesh = shapes::cuboid(Vec3::new(1.2, 0.4, 0.4), [12, 4, 4]);
    model
        .body(mesh, spacing)
        .material((model.elastic)(0.5))
        .at([3.0, 2.0, 1.0])
        .turned(Quat::from_rotation_z(0.4))
        .velocity([1.0, 2.0, 0.5])
        .spin([0.5, 1.0, -0.7])
        .build()
        .unwrap()
}

/// Mass, velocity and angular momentum a kilogram.
fn motion(body: &Body) -> (f64, DVec3, DVec3) {
    let mass = body.rest().nodes.total_mass;
    (mass, body.velocity(), momentum(body).1 / mass)
}

/// Gives a body of a world another model and checks what it carried over.
fn remodel(world: &mut World, handle: BodyHandle, to: &Wanted, which: &str) {
    let before = world.body(handle).unwrap().clone();
    to.remodel(world.body_mut(handle).unwrap()).unwrap();
    let after = world.body(handle).unwrap();
    assert_eq!(&Wanted::of(after), to, "{which}");
    assert!(after.version() > before.version(), "{which}");
    let pairs = 0..before.skin().positions.len();
    let worst =
        pairs.map(|v| before.vertex_position(v).distance(after.vertex_position(v))).fold(0.0, f64::max);
    assert!(worst < 0.1, "{which}: the skin jumps by {worst} m");
    // The masses themselves differ by how a model is sampled.
    let ((mass, velocity, turning), now) = (motion(&before), motion(after));
    assert!((now.0 / mass - 1.0).abs() < 0.1, "{which}: {mass} kg became {} kg", now.0);
    assert!((now.1 - velocity).length() < 1e-4 * velocity.length(), "{which}: {velocity} became {}", now.1);
    assert!((now.2 - turning).length() < 0.1 * turning.length(), "{which}: {turning} became {}", now.2);
    let off = before.center_of_mass().distance(after.center_of_mass());
    assert!(off < 1e-4, "{which}: moved by {off:.1e} m");
}

/// What bodies become: everything that a model can be, and finer and coarser than they were.
fn targets(model: &Entry) -> Vec<Wanted> {
    let mut targets = vec![(model.at)(0.05)];
    targets.extend([0.1, 0.2].into_iter().flat_map(|spacing| model.settings(spacing)));
    targets
}

#[test]
fn every_model_becomes_every_other_and_back() {
    for from in MODELS {
        for to in MODELS.iter().flat_map(targets) {
            let which = format!("{} to {to:?}", from.word);
            let mut world = space();
            let handle = world.add_body(bar(from, 0.1));
            let end = world.body(handle).unwrap().skin().positions.len() as u32 - 1;
            let pick = world.pick(handle, end, PickSettings::default()).unwrap();
            world.move_tool(pick, DVec3::new(3.5, 2.9, 1.2)).unwrap();
            run(&mut world, 20, H);
            remodel(&mut world, handle, &to, &which);
            run(&mut world, 20, H);
            remodel(&mut world, handle, &(from.at)(0.1), &format!("{which} and back"));
            run(&mut world, 60, H);
            assert!(world.tool(pick).is_ok(), "{which}: the pick has let go");
        }
    }
}

#[test]
fn pins_hold_on_to_what_the_nodes_became() {
    for from in MODELS {
        for to in MODELS.iter().flat_map(targets) {
            let which = format!("{} to {to:?}", from.word);
            let mut world = World::new();
            let handle = world.add_body(bar(from, 0.1));
            let end = Selection::Box { min: Vec3::splat(-9.0), max: Vec3::new(-0.4, 9.0, 9.0) };
            world.body_mut(handle).unwrap().set_motion(Vec3::ZERO, Vec3::ZERO).unwrap();
            let pin = world.pin(handle, &end).unwrap();
            run(&mut world, 1, H);
            to.remodel(world.body_mut(handle).unwrap()).unwrap();
            run(&mut world, 1, H);
            let Tool::Pin(pin) = world.tool(pin).unwrap() else { panic!("a pin stays a pin") };
            let body = world.body(handle).unwrap();
            assert!(pin.held().count() > 0, "{which}");
            for (node, at) in pin.held() {
                assert!(body.rest().nodes.rest_positions[node as usize].x < -0.2, "{which}");
                assert!(body.nodes.world_position(node as usize).distance(at) < 1e-5, "{which}");
            }
            let before = body.center_of_mass();
            run(&mut world, 120, H);
            let fallen = world.body(handle).unwrap().center_of_mass().distance(before);
            assert!(fallen < 0.7, "{which}: fell {fallen} m");
        }
    }
}
