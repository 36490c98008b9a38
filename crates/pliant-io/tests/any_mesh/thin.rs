//! Bodies that are thinner than their cells can show are made finer for their first cut, or not cut.

use super::*;
use pliant::cut::Refusal;

/// One of the nasty shapes in a world without gravity, as a lattice, moving and turning.
fn moving(shape: &str) -> (World, BodyHandle) {
    let (_, mesh) = shapes::nasty().into_iter().find(|(name, _)| *name == shape).unwrap();
    let mut body = Body::builder(fitted(mesh)).model(LatticeSettings::default()).build().unwrap();
    body.set_motion(Vec3::new(0.3, 0.0, 0.1), Vec3::new(0.0, 0.4, 0.2)).unwrap();
    let mut world = World::new();
    world.settings.gravity = Vec3::ZERO;
    let handle = world.add_body(body);
    (world, handle)
}

/// Cuts everything along a plane and returns the one event of it.
fn cut(world: &mut World) -> CutEvent {
    world.cut(Blade::plane(DVec3::ZERO, Vec3::Z).unwrap());
    world.step(1e-3);
    assert_eq!(world.cuts().len(), 1);
    world.cuts()[0].clone()
}

/// Mass and linear momentum.
fn motion(world: &World) -> (f64, DVec3) {
    let of = |body: &Body| (body.rest().nodes.total_mass, body.rest().nodes.total_mass * body.velocity());
    world.bodies().map(|(_, body)| of(body)).fold((0.0, DVec3::ZERO), |(m, p), (n, q)| (m + n, p + q))
}

fn nodes(world: &World) -> usize {
    world.bodies().map(|(_, body)| body.nodes.positions.len()).sum()
}

fn shown(world: &World) -> f64 {
    world.bodies().map(|(_, body)| body.rest().mesh.signed_volume()).sum()
}

#[test]
fn a_body_finer_than_its_cells_gets_smaller_ones_for_its_first_cut() {
    for shape in ["sponge", "chain of balls", "checkers"] {
        let mut world = moving(shape).0;
        let (mesh, before, (mass, momentum)) = (shown(&world), nodes(&world), motion(&world));
        let parted = cut(&mut world).result.unwrap();
        assert!(nodes(&world) > 2 * before, "{shape}: {before} nodes, then {}", nodes(&world));
        assert!(parted.closed && parted.pieces.len() > 1, "{shape}");
        assert!((shown(&world) / mesh - 1.0).abs() < 0.04, "{shape}: {} of the mesh", shown(&world) / mesh);
        let (mass_now, momentum_now) = motion(&world);
        assert!((mass_now / mass - 1.0).abs() < 1e-6, "{shape}: {mass} kg, then {mass_now}");
        assert!((momentum_now - momentum).length() < 1e-4 * momentum.length(), "{shape}");
        // Every node that there was has heirs, and those are there.
        assert_eq!(parted.nodes.len(), before, "{shape}");
        for node in 0..before {
            assert!(!parted.nodes.of(node).is_empty(), "{shape}: node {node}");
            for &(piece, heir) in parted.nodes.of(node) {
                let piece = world.body(parted.pieces[piece as usize]).unwrap();
                assert!(heir.index() < piece.nodes.positions.len(), "{shape}");
            }
        }
        // Only the first cut makes it finer.
        let first = nodes(&world);
        world.cut(Blade::plane(DVec3::ZERO, Vec3::X).unwrap());
        world.step(1e-3);
        assert_eq!(nodes(&world), first, "{shape}");
    }
}

#[test]
fn a_body_whose_cells_show_it_keeps_them() {
    for shape in ["stairs", "hollow box", "thin ring", "plate"] {
        let mut world = moving(shape).0;
        let before = nodes(&world);
        cut(&mut world).result.unwrap();
        assert_eq!(nodes(&world), before, "{shape}");
    }
}

#[test]
fn a_body_too_thin_for_a_budget_is_not_cut_and_stays_as_it_was() {
    let (mut world, handle) = moving("sponge");
    world.settings.budget = Some(Budget::Nodes(nodes(&world) as u32 + 100));
    let (before, (mass, momentum)) = (nodes(&world), motion(&world));
    let version = world.body(handle).unwrap().version();
    assert!(matches!(cut(&mut world).result, Err(Refusal::TooThin)));
    assert_eq!((nodes(&world), world.body(handle).unwrap().version()), (before, version));
    let (mass_now, momentum_now) = motion(&world);
    assert_eq!(mass_now, mass);
    assert!((momentum_now - momentum).length() < 1e-5 * momentum.length());
}

#[test]
fn a_pin_holds_the_smaller_cells_of_what_it_held() {
    let (mut world, handle) = moving("chain of balls");
    let held = Selection::Sphere { center: Vec3::X * -0.4, radius: 0.1 };
    world.body_mut(handle).unwrap().set_motion(Vec3::ZERO, Vec3::ZERO).unwrap();
    world.pin(handle, &held).unwrap();
    world.settings.gravity = Vec3::NEG_Y * 9.81;
    let before = nodes(&world);
    cut(&mut world).result.unwrap();
    assert!(nodes(&world) > 2 * before);
    (0..60).for_each(|_| _ = world.step(1.0 / 60.0));
    let mut count = 0;
    for (_, piece) in world.bodies() {
        for node in piece.select(&held) {
            let at = piece.nodes.origin + piece.nodes.positions[node as usize].as_dvec3();
            let place = piece.rest().nodes.rest_positions[node as usize] + piece.rest().center;
            assert!((at - place.as_dvec3()).length() < 0.01, "{place} is at {at}");
            count += 1;
        }
    }
    assert!(count > 20, "{count} nodes are held");
}
