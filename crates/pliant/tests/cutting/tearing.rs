//! What is stretched too far tears.

use super::*;
use pliant::Cause;
use pliant::{Material, Selection};

fn pulled(body: Body, by: f64) -> World {
    let mut world = space();
    let handle = world.add_body(body);
    let end =
        |x: f32| Selection::Box { min: Vec3::new(x - 0.15, -1.0, -1.0), max: Vec3::new(x + 0.15, 1.0, 1.0) };
    let pins = [-1.0_f32, 1.0].map(|x| world.pin(handle, &end(x)).unwrap());
    for frame in 0..90 {
        let moved = by * f64::from(frame) / 90.0;
        for (pin, way) in pins.into_iter().zip([-1.0, 1.0]) {
            let _ = world.move_tool(pin, DVec3::X * moved * way);
        }
        world.step(FRAME_SECS);
        for event in world.cuts() {
            assert_eq!(event.cause, Cause::Tear);
        }
        world.bodies().for_each(|(_, body)| assert_closed(body, "tearing"));
    }
    world
}

fn strip(tear: Option<f32>) -> pliant::body::BodyBuilder {
    let mesh = shapes::cuboid(Vec3::new(2.0, 0.2, 0.6), [8, 1, 4]);
    let material = Material { tear, ..Material::default() }.with_alpha(0.8);
    Body::builder(mesh).material(material).model(LatticeSettings { cell: Some(0.1), width: Some(0.2) })
}

#[test]
fn a_strip_that_is_pulled_tears_and_one_that_cannot_tear_does_not() {
    let torn = pulled(strip(Some(0.5)).build().unwrap(), 1.2);
    assert!(torn.bodies().count() >= 2, "{}", torn.bodies().count());
    let whole = pulled(strip(None).build().unwrap(), 1.2);
    assert_eq!(whole.bodies().count(), 1);
    let barely = pulled(strip(Some(0.5)).build().unwrap(), 0.1);
    assert_eq!(barely.bodies().count(), 1);
}

#[test]
fn it_tears_where_it_is_weak() {
    let weak = |place: Vec3| if (place.x - 0.4).abs() < 0.15 { 0.3 } else { 5.0 };
    let world = pulled(strip(None).toughness(weak).build().unwrap(), 1.0);
    assert!(world.bodies().count() >= 2, "{}", world.bodies().count());
    for (_, body) in world.bodies() {
        // Everything on one side of the weak place, as far as the nodes go.
        let places = &body.rest().nodes.rest_positions;
        let (low, high) =
            places.iter().fold((f32::INFINITY, f32::NEG_INFINITY), |(l, h), p| (l.min(p.x), h.max(p.x)));
        assert!(high < 0.6 || low > 0.2, "a piece reaches from {low} to {high}");
    }
}
