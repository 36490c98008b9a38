//! Blades, knives, scissors and tears: closed pieces with all the mass and momentum, or a refusal that leaves all as it was.

use super::*;
use pliant::Cause;
use pliant::cut::Refusal;

/// A body whose pieces do not touch each other: fresh faces hold on to each other a little, which is not what is measured here.
fn apart(builder: BodyBuilder) -> Body {
    builder.contacts(ContactSettings { bodies: false, ..ContactSettings::default() }).build().unwrap()
}

/// A cube of 1 m.
fn still_cube(model: &Entry) -> Body {
    apart(model.body(shapes::cuboid(Vec3::ONE, [4; 3]), 0.125))
}

/// One that drifts and spins.
fn cube(model: &Entry) -> Body {
    let mut body = still_cube(model);
    body.set_motion(Vec3::new(0.3, 0.0, 0.1), Vec3::new(0.0, 0.4, 0.2)).unwrap();
    body
}

/// Checks that nothing was lost since `before` ([`totals`]) and that all that there is is closed, and goes on.
fn assert_whole(world: &mut World, before: (f64, DVec3, DVec3), which: &str) {
    let now = totals(world);
    assert!((now.0 / before.0 - 1.0).abs() < 1e-5, "{which}: {} kg became {} kg", before.0, now.0);
    assert!((now.1 - before.1).length() < 1e-5 * before.0, "{which}: {} became {}", before.1, now.1);
    assert!((now.2 - before.2).length() < 2e-5 * before.0, "{which}: {} became {}", before.2, now.2);
    world.bodies().for_each(|(_, body)| assert_closed(body, which));
    run(world, 30, H);
    for (_, body) in world.bodies() {
        let off = body.volume_ratio();
        assert!(is_finite(body) && (0.8..1.25).contains(&off), "{which}: volume × {off}");
    }
}

/// What an untouched body is known by.
fn known_by(body: &Body) -> (u64, usize, usize, usize) {
    let rest = body.rest();
    (body.version(), body.nodes.positions.len(), rest.mesh.triangles.len(), body.edges().len())
}

/// The only event of the latest step.
fn only(world: &World, cause: Cause, which: &str) -> Result<usize, Refusal> {
    let [event] = world.cuts() else { panic!("{which}: {:?}", world.cuts()) };
    assert_eq!(event.cause, cause, "{which}");
    event.result.as_ref().map(|parted| parted.pieces.len()).map_err(Clone::clone)
}

#[test]
fn any_plane_through_the_middle_parts_a_body_in_two() {
    let mut random = Random::new(3);
    for model in MODELS {
        let body = cube(model);
        for case in 0..6 {
            let normal = random.vec3().normalize();
            let which = format!("{}, case {case}, across {normal}", model.word);
            let mut world = space();
            let handle = world.add_body(body.clone());
            run(&mut world, 2, H);
            let (before, at) = (totals(&world), world.body(handle).unwrap().center_of_mass());
            let point = at + 0.15 * random.vec3().as_dvec3();
            world.cut_body(handle, Blade::plane(point, normal).unwrap()).unwrap();
            run(&mut world, 1, H);
            assert_eq!(only(&world, Cause::Blade, &which).unwrap(), 2, "{which}");
            let sides: Vec<f64> = world
                .bodies()
                .map(|(_, body)| (body.center_of_mass() - point).dot(normal.as_dvec3()))
                .collect();
            assert!(sides.len() == 2 && sides[0] * sides[1] < 0.0, "{which}: {sides:?}");
            assert_whole(&mut world, before, &which);
        }
    }
}

#[test]
fn scissors_part_again_and_again_and_keep_the_users_mesh() {
    let ring = shapes::torus(0.4, 0.15, 40, 20);
    for model in MODELS {
        let mut world = space();
        let body = model.body(ring.clone(), 0.06).velocity([0.3, 0.0, 0.0]).spin([0.0, 1.0, 0.4]);
        world.add_body(apart(body));
        run(&mut world, 3, H);
        let mass = totals(&world).0;
        for cut in 0..4 {
            let which = format!("{}, cut {cut}", model.word);
            let (before, count) = (totals(&world), world.bodies().count());
            let middle = world.bodies().next().unwrap().1.center_of_mass();
            world.scissors(None, middle, Vec3::new(1.0, 0.05, 0.1 + cut as f32)).unwrap();
            run(&mut world, 1, H);
            assert!(world.cuts().iter().all(|event| event.result.is_ok()), "{which}: {:?}", world.cuts());
            let more = world.bodies().count();
            assert!(if cut == 0 { more == 2 } else { more > count }, "{which}: {count} bodies became {more}");
            let now = totals(&world);
            assert!((now.0 / mass - 1.0).abs() < 1e-5, "{which}: {} kg of {mass} kg", now.0);
            assert!((now.1 - before.1).length() < 1e-5 * mass, "{which}: {} became {}", before.1, now.1);
            assert!((now.2 - before.2).length() < 2e-5 * mass, "{which}: {} became {}", before.2, now.2);
            for (_, body) in world.bodies() {
                assert_closed(body, &which);
                assert!(body.rest().cut.is_none(), "{which}: the user's mesh is gone");
                assert!(body.rest().mesh.paints.iter().any(|paint| paint.name == "cut"), "{which}");
                assert_eq!(body.model.name(), model.word);
            }
        }
    }
}

#[test]
fn a_knife_parts_what_it_goes_through_however_slow_it_is() {
    for model in MODELS {
        for frames in [1, 7, 40] {
            let which = format!("{}, {frames} frames", model.word);
            let mut world = space();
            world.add_body(still_cube(model));
            let before = totals(&world);
            let edge = |x: f64| [DVec3::new(x, 0.03, -1.5), DVec3::new(x, 0.05, 1.5)];
            let knife = world.knife(edge(-1.0)).unwrap();
            for frame in 1..=frames {
                let share = f64::from(frame) / f64::from(frames);
                world.move_knife(knife, edge(2.0 * share - 1.0)).unwrap();
                run(&mut world, 1, H);
                world.bodies().for_each(|(_, body)| assert_closed(body, &which));
            }
            assert_eq!(world.bodies().count(), 2, "{which}");
            assert_whole(&mut world, before, &which);
        }
    }
}

/// Blades that only some models take, and how many pieces they leave of a cube then.
fn free_blades() -> [(&'static str, Blade, usize); 2] {
    let half = [-1.0, 0.0].map(|x| [DVec3::new(x, 0.02, -1.0), DVec3::new(x, 0.06 + 0.1 * x, 1.0)]);
    [
        ("a bowl", Blade::mesh(&shapes::sphere(0.45, 3), DVec3::new(0.5, 0.02, 0.03)).unwrap(), 2),
        ("a twisted one that ends inside", Blade::swept(&half).unwrap(), 1),
    ]
}

#[test]
fn a_bent_blade_cuts_freely_or_is_refused_and_changes_nothing() {
    for model in MODELS {
        for (kind, blade, pieces) in free_blades() {
            let which = format!("{}, {kind}", model.word);
            let mut world = space();
            let handle = world.add_body(still_cube(model));
            run(&mut world, 1, H);
            let (before, known) = (totals(&world), known_by(world.body(handle).unwrap()));
            world.cut(blade);
            run(&mut world, 1, H);
            match only(&world, Cause::Blade, &which) {
                Ok(parts) => {
                    assert_eq!((parts, world.bodies().count()), (pieces, pieces), "{which}");
                    let body = world.body(handle).unwrap();
                    assert!(body.version() > known.0, "{which}: cut, and still the same version");
                    let mesh = &body.rest().mesh;
                    let cut = |&&paint: &&u32| mesh.paints[paint as usize].name == "cut";
                    assert!(mesh.triangle_paints.iter().filter(cut).count() > 20, "{which}: no cut faces");
                }
                Err(refusal) => {
                    assert!(refusal.to_string().contains(model.word), "{which}: {refusal}");
                    assert_eq!(world.bodies().count(), 1, "{which}");
                    assert_eq!(known_by(world.body(handle).unwrap()), known, "{which}");
                }
            }
            assert_whole(&mut world, before, &which);
        }
    }
}

#[test]
fn a_cut_that_would_leave_dust_is_refused_or_leaves_bodies_that_live() {
    for model in MODELS {
        let mut world = space();
        let handle = world.add_body(still_cube(model));
        run(&mut world, 1, H);
        let (before, known) = (totals(&world), known_by(world.body(handle).unwrap()));
        world.cut(Blade::plane([0.43, 0.43, 0.43], Vec3::ONE).unwrap());
        run(&mut world, 1, H);
        match only(&world, Cause::Blade, model.word) {
            Ok(parts) => assert_eq!(parts, 2, "{}", model.word),
            Err(refusal) => {
                assert!(refusal.to_string().len() > 20, "{}: {refusal}", model.word);
                assert_eq!(known_by(world.body(handle).unwrap()), known, "{}", model.word);
            }
        }
        assert_whole(&mut world, before, model.word);
    }
}

#[test]
fn blades_that_miss_do_nothing() {
    for model in MODELS {
        let mut world = space();
        let handle = world.add_body(cube(model));
        let known = known_by(world.body(handle).unwrap());
        world.cut(Blade::plane(DVec3::X * 5.0, Vec3::X).unwrap());
        world.scissors(Some(handle), DVec3::X * 5.0, Vec3::X).unwrap();
        world.step(H);
        let told: Vec<_> = world.cuts().iter().map(|event| (event.body, event.result.clone())).collect();
        let nothing = Err(Refusal::Nothing);
        assert_eq!(told, [(None, nothing.clone()), (Some(handle), nothing)], "{}", model.word);
        // A knife in the air has nothing to tell.
        let edge = |x: f64| [DVec3::new(x, 4.0, -1.0), DVec3::new(x, 4.0, 1.0)];
        let knife = world.knife(edge(-1.0)).unwrap();
        world.move_knife(knife, edge(1.0)).unwrap();
        world.step(H);
        assert!(world.cuts().is_empty(), "{}: {:?}", model.word, world.cuts());
        assert_eq!(known_by(world.body(handle).unwrap()), known, "{}", model.word);
    }
}

/// A strip that is pulled apart by that many metres at each end.
fn pulled(model: &Entry, tear: Option<f32>, by: f64) -> World {
    let mut material = (model.elastic)(0.8);
    if let Some(tear) = tear {
        material = material.with_tear(tear);
    }
    let mesh = shapes::cuboid(Vec3::new(2.0, 0.2, 0.6), [8, 1, 4]);
    let mut world = space();
    let handle = world.add_body(model.body(mesh, 0.1).material(material).build().unwrap());
    let mass = totals(&world).0;
    let end =
        |x: f32| Selection::Box { min: Vec3::new(x - 0.15, -1.0, -1.0), max: Vec3::new(x + 0.15, 1.0, 1.0) };
    let pins = [-1.0_f32, 1.0].map(|x| world.pin(handle, &end(x)).unwrap());
    for frame in 0..90 {
        for (pin, way) in pins.into_iter().zip([-1.0, 1.0]) {
            // Dust that is torn off takes its pin along.
            let _ = world.move_tool(pin, DVec3::X * way * by * f64::from(frame) / 90.0);
        }
        run(&mut world, 1, H);
        assert!(world.cuts().iter().all(|event| event.cause == Cause::Tear), "{}", model.word);
        world.bodies().for_each(|(_, body)| assert_closed(body, model.word));
    }
    let now = totals(&world).0;
    assert!((now / mass - 1.0).abs() < 1e-5, "{}: {mass} kg became {now} kg", model.word);
    world
}

#[test]
fn what_is_stretched_too_far_tears_if_it_has_connections() {
    for model in MODELS {
        match cube(model).disconnect(&[]) {
            Ok(changed) => {
                assert!(!changed, "{}: no connection was named", model.word);
                let torn = pulled(model, Some(0.5), 1.2).bodies().count();
                assert!(torn >= 2, "{}: {torn} pieces", model.word);
                let barely = pulled(model, Some(0.5), 0.1).bodies().count();
                assert_eq!(barely, 1, "{} barely stretched", model.word);
            }
            Err(refusal) => {
                assert!(refusal.to_string().contains(model.word), "{refusal}");
                // What has no connections cannot be asked to tear.
                let mesh = shapes::cuboid(Vec3::ONE, [4; 3]);
                let body = model.body(mesh, 0.25).material((model.elastic)(0.8).with_tear(0.5)).build();
                let error = body.map(|_| ()).expect_err(model.word).to_string();
                assert!(error.contains("tear") && error.contains(model.word), "{error}");
            }
        }
        assert_eq!(pulled(model, None, 1.2).bodies().count(), 1, "{} cannot tear", model.word);
    }
}

#[test]
fn pins_and_picks_hold_on_to_the_pieces() {
    for model in MODELS {
        let mut world = World::new();
        let handle = world.add_body(still_cube(model));
        world.pin(handle, &Selection::All).unwrap();
        let vertex = |x: f32| {
            let positions = &world.body(handle).unwrap().rest().mesh.positions;
            positions.iter().position(|p| p.x * x > 0.2 && p.y > 0.4).unwrap() as u32
        };
        let picks = [vertex(-1.0), vertex(1.0)];
        let picks = picks.map(|vertex| world.pick(handle, vertex, PickSettings::default()).unwrap());
        world.cut(Blade::plane([0.03, 0.0, 0.0], Vec3::new(1.0, 0.1, 0.0)).unwrap());
        run(&mut world, 1, H);
        assert_eq!(world.bodies().count(), 2, "{}", model.word);
        for (pick, side) in picks.into_iter().zip([-1.0, 1.0]) {
            let Tool::Pick(pick) = world.tool(pick).unwrap() else { panic!("a pick stays a pick") };
            let body = world.body(pick.body).unwrap();
            assert!(body.center_of_mass().x * side > 0.0, "{}", model.word);
            assert!(body.vertex_position(pick.vertex as usize).x * side > 0.15, "{}", model.word);
        }
        run(&mut world, 30, H);
        for (_, body) in world.bodies() {
            let fallen = body.center_of_mass().y.abs();
            assert!(fallen < 0.1, "{}: a piece is {fallen} m off", model.word);
        }
    }
}
