//! Any place, any size.

use super::*;

#[test]
fn a_body_is_the_same_far_from_the_origin() {
    for (name, make) in MODELS {
        let at = |place: f64| {
            let mut body = thrown(make, Material::default(), 3);
            body.nodes.origin += DVec3::new(place, -place, 0.5 * place);
            let mut world = weightless();
            let handle = world.add_body(body);
            common::run(&mut world, 300, H);
            world.remove_body(handle).expect("there")
        };
        let here = at(0.0);
        for place in [1e3, 1e6] {
            let there = at(place);
            assert_eq!(here.nodes.positions, there.nodes.positions, "{name} at {place} m");
            assert_eq!(here.nodes.velocities, there.nodes.velocities, "{name} at {place} m");
        }
    }
}

#[test]
fn a_body_stands_on_a_floor_far_away_as_it_does_here() {
    for (name, make) in MODELS {
        let height = |place: f64| {
            let mut world = World::new();
            // When a body rests is a speed that the user chose.
            world.settings.sleep.speed = 0.0;
            world.add_collider(Collider::floor(place)).expect("a floor");
            let body =
                make(small(), 0.25).at(DVec3::new(place, place + 0.5, -place)).build().expect("a body");
            let handle = world.add_body(body);
            common::run(&mut world, 240, H);
            world.body(handle).expect("there").center_of_mass().y - place
        };
        let here = height(0.0);
        for place in [1e3, 1e6] {
            let there = height(place);
            assert!((here - there).abs() < 1e-4, "{name} at {place} m: {there} m high, not {here} m");
        }
    }
}

#[test]
fn a_grain_and_a_mountain_move_as_a_body_of_a_metre_does() {
    for (name, make) in MODELS {
        // The paint of the last one is a function of the mesh, which is not scaled: so neither is what it paints.
        if name == "octree, painted" {
            continue;
        }
        let at = |scale: f32| {
            let mut body = make(small().scale(scale), 0.25 * scale).build().expect("a body");
            let mut random = Random::new(5);
            for (x, v) in body.nodes.positions.iter_mut().zip(&mut body.nodes.velocities) {
                *x = Vec3::new(1.2, 0.9, 0.8) * *x + 0.02 * scale * random.vec3();
                *v = 0.3 * scale * random.vec3();
            }
            let mut world = weightless();
            let handle = world.add_body(body);
            common::run(&mut world, 30, H);
            let body = world.remove_body(handle).expect("there");
            body.nodes.positions.iter().map(|x| *x / scale).collect::<Vec<_>>()
        };
        let metre = at(1.0);
        for scale in [1e-3, 1e3] {
            let other = at(scale);
            assert_eq!(metre.len(), other.len(), "{name} at {scale}");
            let off = metre.iter().zip(&other).map(|(a, b)| a.distance(*b)).fold(0.0, f32::max);
            assert!(off < 1e-4, "{name} at {scale}: off by {off}");
        }
    }
}

#[test]
fn the_origin_follows_nodes_that_were_moved_without_it() {
    for (name, make) in MODELS {
        let mut body = make(bar(), CELL).build().expect("a body");
        let place = body.center_of_mass() + DVec3::X * 5.0;
        body.nodes.positions.iter_mut().for_each(|x| x.x += 5.0);
        let mut world = weightless();
        let handle = world.add_body(body);
        common::run(&mut world, 2, H);
        let body = world.body(handle).expect("there");
        assert!(body.center_of_mass().distance(place) < 1e-4, "{name}: at {}", body.center_of_mass());
        assert!(body.nodes.origin.distance(place) < 0.1, "{name}: the origin is at {}", body.nodes.origin);
    }
}
