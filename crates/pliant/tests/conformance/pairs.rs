//! A body of each model against one of each model.

use super::*;

/// Edge of a cube in metres.
const EDGE: f32 = 0.2;

/// A cube that sits at a place, turned a little.
fn cube(model: &Entry, material: Material, place: [f64; 3], turn: f32) -> BodyBuilder {
    let mesh = shapes::cuboid(Vec3::splat(EDGE), [4; 3]);
    let turn = Quat::from_rotation_y(turn);
    model.body(mesh, 0.25 * EDGE).material(material).at(place).turned(turn)
}

fn pairs() -> impl Iterator<Item = (&'static Entry, &'static Entry)> {
    MODELS.iter().flat_map(|a| MODELS.iter().map(move |b| (a, b)))
}

#[test]
fn bodies_of_every_model_meet_and_keep_their_momentum() {
    for (first, second) in pairs() {
        let which = format!("{} on {}", first.word, second.word);
        let mut world = weightless();
        let material = (first.elastic)(0.3).with_friction(0.5);
        let a = cube(first, material, [-0.2, 0.02, 0.01], 0.3).velocity([2.0, 0.1, 0.0]).spin(Vec3::Y);
        let material = (second.elastic)(0.3).with_friction(0.5);
        let b = cube(second, material, [0.2, 0.0, 0.0], 0.3).velocity(-Vec3::X);
        let [a, b] = [a, b].map(|body| world.add_body(body.build().unwrap()));
        let (_, before, _) = totals(&world);
        let moving = world.body(a).unwrap().rest().nodes.total_mass * 2.0;
        let mut met = false;
        for _ in 0..120 {
            run(&mut world, 1, H);
            met |= !world.touches().is_empty();
            let (_, linear, _) = totals(&world);
            let slip = (linear - before).length() / moving;
            assert!(slip < 1e-4, "{which}: {slip:.1e} of the momentum is gone");
        }
        assert!(met, "{which}: they passed through each other");
        let [a, b] = [a, b].map(|body| world.body(body).unwrap().center_of_mass().x);
        assert!(b - a > 0.8 * f64::from(EDGE), "{which}: {} m apart", b - a);
    }
}

#[test]
fn one_rests_on_another_of_any_model() {
    for (lower, upper) in pairs() {
        let which = format!("{} on {}", upper.word, lower.word);
        let mut world = floor();
        let a = world.add_body(cube(lower, (lower.elastic)(0.5), [0.0, 0.101, 0.0], 0.0).build().unwrap());
        let b = world.add_body(cube(upper, (upper.elastic)(0.5), [0.0, 0.32, 0.0], 0.2).build().unwrap());
        run(&mut world, 240, H);
        let (a, b) = (world.body(a).unwrap(), world.body(b).unwrap());
        let gap = b.center_of_mass().y - a.center_of_mass().y;
        assert!((gap / f64::from(EDGE) - 0.95).abs() < 0.1, "{which}: {gap} m above");
        let deep = depth_in(a, b).max(depth_in(b, a)) / f64::from(EDGE);
        assert!(deep < 0.05, "{which}: {deep} of the edge in each other");
        assert!(b.velocity().length() < 1e-2, "{which}: {}", b.velocity());
    }
}

#[test]
fn a_fast_body_does_not_pass_through_another() {
    for (thrown, hit) in pairs() {
        for speed in [10.0, 100.0] {
            let mut world = weightless();
            let plate = shapes::cuboid(Vec3::new(0.1, 0.6, 0.6), [2, 12, 12]);
            let heavy = (hit.elastic)(1.0).with_density(20_000.0);
            let plate = world.add_body(hit.body(plate, 0.05).material(heavy).build().unwrap());
            let light = (thrown.elastic)(0.3).with_density(100.0);
            let body = cube(thrown, light, [-1.5, 0.0, 0.0], 0.3).velocity(Vec3::X * speed).spin(Vec3::ONE);
            let body = world.add_body(body.build().unwrap());
            run(&mut world, (2.0 / speed / H) as usize + 60, H);
            let [plate, body] = [plate, body].map(|body| world.body(body).unwrap().center_of_mass().x);
            assert!(
                body < plate,
                "{} at {speed} m/s against {}: {body} is behind {plate}",
                thrown.word,
                hit.word
            );
        }
    }
}
