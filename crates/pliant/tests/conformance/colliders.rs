//! Colliders hold bodies up and let none through.

use super::*;

/// Heights of the lowest and the highest vertex of the skin.
fn reach(body: &Body) -> (f64, f64) {
    let heights = || (0..body.skin().positions.len()).map(|v| body.vertex_position(v).y);
    (heights().fold(f64::MAX, f64::min), heights().fold(f64::MIN, f64::max))
}

#[test]
fn a_body_comes_to_rest_on_every_shape_without_sinking() {
    let shapes = [
        (Collider::floor(0.0), 0.0),
        (Collider::new(Shape::Sphere { radius: 3.0 }), 3.0),
        (Collider::new(Shape::Box { half: Vec3::new(2.0, 0.5, 2.0) }), 0.5),
    ];
    for model in MODELS {
        for stiffness in [0.3, 1.0] {
            for (collider, top) in &shapes {
                let mut world = World::new();
                world.add_collider(collider.clone().friction(1.0)).unwrap();
                let material = (model.elastic)(stiffness).with_friction(1.0);
                let body = model.body(block(), SPACING).material(material).at(DVec3::Y * (top + 0.45));
                let handle = world.add_body(body.build().unwrap());
                run(&mut world, 480, H);
                let body = world.body(handle).unwrap();
                let which = format!("{} of stiffness {stiffness} on {:?}", model.word, collider.shape);
                let (low, high) = reach(body);
                // The middle of a body that lies on a ball may be above its corners.
                assert!(low - top > if *top == 3.0 { -0.1 } else { -0.02 }, "{which}: down to {}", low - top);
                assert!((0.6..0.8).contains(&(high - top)), "{which}: up to {} m", high - top);
                let fastest = body.nodes.velocities.iter().map(|v| v.length()).fold(0.0, f32::max);
                assert!(fastest < 0.05, "{which}: {fastest} m/s");
                let aside = body.center_of_mass().with_y(0.0).length();
                assert!(aside < 0.02, "{which}: {aside} m aside");
            }
        }
    }
}

#[test]
fn a_body_that_rests_falls_asleep_and_wakes_when_its_floor_goes() {
    for model in MODELS {
        let mut world = World::new();
        let ground = world.add_collider(Collider::floor(0.0)).unwrap();
        let handle = world.add_body(model.body(block(), SPACING).at(DVec3::Y * 0.4).build().unwrap());
        run(&mut world, 600, H);
        let body = world.body(handle).unwrap();
        assert!(body.is_asleep(), "{}: it still moves at {} m/s", model.word, body.velocity().length());
        let height = body.center_of_mass().y;
        world.remove_collider(ground).unwrap();
        run(&mut world, 30, H);
        let fallen = height - world.body(handle).unwrap().center_of_mass().y;
        assert!(fallen > 0.5, "{}: fell {fallen} m", model.word);
    }
}

#[test]
fn nothing_passes_through_a_thin_wall_at_any_speed() {
    // 2 cm thick.
    let wall = Collider::new(Shape::Box { half: Vec3::new(0.01, 50.0, 50.0) });
    let ball = Collider::new(Shape::Sphere { radius: 3.0 });
    for model in MODELS {
        for (collider, start) in [(&wall, 0.8), (&ball, 3.8)] {
            for speed in [1.0, 30.0, 1e3, 1e4] {
                let mut world = space();
                world.add_collider(collider.clone()).unwrap();
                let body = model.body(block(), SPACING).at(DVec3::X * start).velocity(Vec3::X * -speed);
                let handle = world.add_body(body.build().unwrap());
                for _ in 0..60 {
                    run(&mut world, 1, H);
                    let x = world.body(handle).unwrap().center_of_mass().x;
                    assert!(x > 0.0, "{}, {:?} at {speed} m/s: at {x} m", model.word, collider.shape);
                }
            }
        }
    }
}

#[test]
fn a_body_put_half_into_a_floor_comes_out_and_rests_on_it() {
    for model in MODELS {
        let mut world = floor();
        let handle = world.add_body(model.body(block(), SPACING).build().unwrap());
        run(&mut world, 600, H);
        let body = world.body(handle).unwrap();
        let (low, high) = reach(body);
        assert!(low > -0.02 && high < 0.77, "{}: from {low} m to {high} m", model.word);
        assert!(body.velocity().length() < 0.02, "{}: {} m/s", model.word, body.velocity().length());
    }
}

#[test]
fn friction_holds_a_body_on_a_slope_and_without_it_slides_freely() {
    let tilt = Quat::from_rotation_z(-std::f32::consts::FRAC_PI_6);
    let (up, down) = ((tilt * Vec3::Y).as_dvec3(), (tilt * Vec3::X).as_dvec3());
    for model in MODELS {
        let path = |friction: f32| -> Vec<f64> {
            let mut world = World::new();
            world.add_collider(Collider::plane(DVec3::ZERO, tilt * Vec3::Y).friction(friction)).unwrap();
            let material = (model.elastic)(0.9).with_friction(friction);
            let body = model.body(block(), SPACING).material(material).turned(tilt).at(up * 0.376);
            let handle = world.add_body(body.build().unwrap());
            let step = |_| {
                run(&mut world, 1, H);
                world.body(handle).unwrap().center_of_mass().dot(down)
            };
            (0..240).map(step).collect()
        };
        let stuck = path(0.8);
        let crept = stuck[239] - stuck[119];
        assert!(crept.abs() < 1e-2, "{}: crept {crept} m in two seconds", model.word);
        let free = path(0.0);
        let speed = |frame: usize| (free[frame] - free[frame - 1]) / f64::from(H);
        let found = (speed(230) - speed(60)) / (170.0 * f64::from(H));
        assert!((found / 4.905 - 1.0).abs() < 0.05, "{}: {found} m/s², not 4.905", model.word);
    }
}
