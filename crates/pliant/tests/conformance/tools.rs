//! Pins hold, picks draw, pushes push out, wind blows.

use super::*;

/// The vertex farthest along a direction.
fn vertex_at(body: &Body, direction: Vec3) -> u32 {
    let positions = &body.skin().positions;
    let along = |v: &usize| positions[*v].dot(direction);
    (0..positions.len()).max_by(|a, b| along(a).total_cmp(&along(b))).unwrap() as u32
}

#[test]
fn a_pin_holds_its_nodes_exactly_and_carries_them() {
    for model in MODELS {
        let mut world = World::new();
        let body = model.body(block(), SPACING).at([100.0, 50.0, 0.0]).build().unwrap();
        let handle = world.add_body(body);
        let left = Selection::Box { min: Vec3::splat(-9.0), max: Vec3::new(-0.3, 9.0, 9.0) };
        let pin = world.pin(handle, &left).unwrap();
        let nodes = world.body(handle).unwrap().select(&left);
        let at = |world: &World| -> Vec<DVec3> {
            let body = world.body(handle).unwrap();
            nodes.iter().map(|&node| body.nodes.world_position(node as usize)).collect()
        };
        let start = at(&world);
        let farthest = |world: &World, moved: DVec3| {
            start.iter().zip(at(world)).map(|(a, b)| (*a + moved).distance(b)).fold(0.0, f64::max)
        };
        run(&mut world, 120, H);
        let off = farthest(&world, DVec3::ZERO);
        assert!(off < 1e-6, "{}: pinned nodes moved by {off:.1e} m", model.word);
        let before = world.body(handle).unwrap().center_of_mass();
        assert!(before.y < 50.0 && before.y > 49.0, "{}: the rest hangs at {before}", model.word);
        let moved = DVec3::new(1.0, 0.0, 0.5);
        for i in 1..=60 {
            world.move_tool(pin, moved * (f64::from(i) / 60.0)).unwrap();
            run(&mut world, 1, H);
            let off = farthest(&world, moved * (f64::from(i) / 60.0));
            assert!(off < 1e-6, "{}: carried nodes are {off:.1e} m off", model.word);
        }
        run(&mut world, 120, H);
        let carried = world.body(handle).unwrap().center_of_mass() - before;
        assert!(carried.distance(moved) < 0.3, "{}: the rest came along by {carried}", model.word);
        world.remove_tool(pin).unwrap();
        run(&mut world, 30, H);
        let fallen = before.y - world.body(handle).unwrap().center_of_mass().y;
        assert!(fallen > 1.0, "{}: let go it fell {fallen} m in half a second", model.word);
    }
}

#[test]
fn a_pick_brings_its_vertex_to_the_target_and_makes_no_energy() {
    for model in MODELS {
        let mut world = space();
        let body =
            model.body(block(), SPACING).material((model.elastic)(0.3).with_damping(0.2)).build().unwrap();
        let vertex = vertex_at(&body, Vec3::ONE);
        let handle = world.add_body(body);
        let pick = world.pick(handle, vertex, PickSettings::default()).unwrap();
        let (start, target) = (world.tool(pick).unwrap().position().unwrap(), DVec3::new(3.0, 2.0, -1.0));
        for i in 1..=200 {
            world.move_tool(pick, start.lerp(target, f64::from(i) / 200.0)).unwrap();
            run(&mut world, 1, H);
        }
        run(&mut world, 300, H);
        let energy = common::kinetic_energy(world.body(handle).unwrap());
        run(&mut world, 300, H);
        let body = world.body(handle).unwrap();
        let later = common::kinetic_energy(body);
        // Below a microjoule it is rounding.
        assert!(
            later <= 1.05 * energy + 1e-6,
            "{}: a pick held still makes {later} J of {energy} J",
            model.word
        );
        let off = body.vertex_position(vertex as usize).distance(target);
        assert!(off < 2e-2, "{}: {off} m from the target", model.word);
    }
}

#[test]
fn a_push_leaves_no_node_inside() {
    for model in MODELS {
        for offset in [DVec3::new(0.3, 0.2, 0.1), DVec3::new(-0.6, 0.0, 0.0), DVec3::ZERO] {
            let mut world = space();
            let handle = world.add_body(model.body(block(), SPACING).build().unwrap());
            let center = DVec3::new(0.01, 0.02, 0.03) + offset;
            world.push(Push::new(center, 0.5)).unwrap();
            run(&mut world, 900, H);
            let positions = common::world_positions(world.body(handle).unwrap());
            let nearest = positions.iter().map(|x| x.distance(center)).fold(f64::INFINITY, f64::min);
            let word = model.word;
            assert!(nearest > 0.5 - 1e-3, "{word}, {offset}: {nearest} m from the centre of a ball of 0.5 m");
        }
    }
}

#[test]
fn wind_blows_downwind_and_stronger_wind_blows_harder() {
    for model in MODELS {
        let speed = |metres_per_sec: f32| {
            let mut world = space();
            let handle = world.add_body(model.body(block(), SPACING).build().unwrap());
            let velocity = Vec3::new(0.0, 0.0, metres_per_sec);
            world.wind(Wind { velocity, gustiness: 0.0, ..Wind::default() }).unwrap();
            run(&mut world, 60, H);
            world.body(handle).unwrap().velocity()
        };
        let (light, medium, strong) = (speed(3.0), speed(10.0), speed(30.0));
        let harder = light.z > 0.0 && medium.z > 5.0 * light.z && strong.z > 5.0 * medium.z;
        assert!(harder, "{}: {light} {medium} {strong}", model.word);
        let aside = strong.truncate().length();
        assert!(strong.z < 30.0 && aside < 0.02 * strong.z, "{}: {strong}", model.word);
    }
}

#[test]
fn absurdly_strong_tools_stay_finite() {
    for model in MODELS {
        for h in [1e-4, H, 1.0] {
            let mut world = floor();
            let body = model.body(block(), SPACING).at(DVec3::Y);
            let handle = world.add_body(body.build().unwrap());
            let hard = PickSettings { frequency_hz: 1e6, damping_ratio: 100.0, radius: None };
            let targets = [DVec3::splat(50.0), DVec3::new(-80.0, 10.0, 0.0), DVec3::ZERO];
            for (vertex, target) in [0, 5, 9].into_iter().zip(targets) {
                let pick = world.pick(handle, vertex, hard).unwrap();
                world.move_tool(pick, target).unwrap();
            }
            world.push(Push { center: DVec3::Y, radius: 3.0, frequency_hz: 1e6 }).unwrap();
            world.wind(Wind { velocity: Vec3::X * 1e5, air_density: 1e4, ..Wind::default() }).unwrap();
            for _ in 0..100 {
                let contained = world.step(h).contained;
                let body = world.body(handle).unwrap();
                assert!(
                    contained == 0 && is_finite(body),
                    "{}, steps of {h} s: {contained} contained",
                    model.word
                );
            }
            assert!(world.body(handle).unwrap().center_of_mass().length() < 1e7, "{}", model.word);
        }
    }
}
