//! Any place, any size.

use super::*;

#[test]
fn a_body_is_the_same_far_from_zero() {
    for model in MODELS {
        let at = |place: f64| {
            let mut body = thrown(model, (model.elastic)(0.3), 1.0, 3);
            body.nodes.origin += DVec3::new(place, -place, 0.5 * place);
            let mut world = weightless();
            let handle = world.add_body(body);
            run(&mut world, 300, H);
            world.remove_body(handle).unwrap()
        };
        let here = at(0.0);
        for place in [1e3, 1e6] {
            let there = at(place);
            assert_eq!(here.nodes.positions, there.nodes.positions, "{} at {place} m", model.word);
            assert_eq!(here.nodes.velocities, there.nodes.velocities, "{} at {place} m", model.word);
        }
    }
}

#[test]
fn a_body_stands_on_a_floor_far_away_as_it_does_here() {
    for model in MODELS {
        let height = |place: f64| {
            let mut world = World::new();
            // When a body rests is a speed that the user chose.
            world.settings.sleep.speed = 0.0;
            world.add_collider(Collider::floor(place)).unwrap();
            let body = model.body(block(), SPACING).at([place, place + 0.5, -place]).build().unwrap();
            let handle = world.add_body(body);
            run(&mut world, 240, H);
            world.body(handle).unwrap().center_of_mass().y - place
        };
        let here = height(0.0);
        for place in [1e3, 1e6] {
            let there = height(place);
            assert!((here - there).abs() < 1e-4, "{} at {place} m: {there} m high, not {here}", model.word);
        }
    }
}

/// Where the nodes of a body of that size are after half a second, in parts of it.
fn shape_at(model: &Entry, scale: f32) -> Vec<Vec3> {
    let mut world = weightless();
    let handle = world.add_body(thrown(model, (model.elastic)(0.3), scale, 5));
    run(&mut world, 30, H);
    let body = world.remove_body(handle).unwrap();
    body.nodes.positions.iter().map(|x| *x / scale).collect()
}

#[test]
fn no_length_is_built_in() {
    for model in MODELS {
        let metre = shape_at(model, 1.0);
        // Powers of two change no digit of any number.
        for (scale, most) in [(1.0 / 1024.0, 1e-6), (1024.0, 1e-6), (1e-3, 1e-4), (1e3, 1e-4)] {
            let other = shape_at(model, scale);
            assert_eq!(metre.len(), other.len(), "{} of {scale} m", model.word);
            let off = metre.iter().zip(&other).map(|(a, b)| a.distance(*b)).fold(0.0, f32::max);
            assert!(off < most, "{} of {scale} m: off by {off:.1e} of its size", model.word);
        }
    }
}

#[test]
fn the_origin_follows_nodes_that_were_moved_without_it() {
    for model in MODELS {
        let mut body = model.body(block(), SPACING).build().unwrap();
        let place = body.center_of_mass() + DVec3::X * 5.0;
        body.nodes.positions.iter_mut().for_each(|x| x.x += 5.0);
        let mut world = weightless();
        let handle = world.add_body(body);
        run(&mut world, 2, H);
        let body = world.body(handle).unwrap();
        let off = body.center_of_mass().distance(place);
        assert!(off < 1e-4, "{}: {off} m from where it was put", model.word);
        let off = body.nodes.origin.distance(place);
        assert!(off < 0.1, "{}: its origin is {off} m from it", model.word);
    }
}
