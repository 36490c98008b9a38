//! What is stretched too far tears.

use super::*;
use pliant::Cause;
use pliant::{ElementSettings, Material, Selection};

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

#[test]
fn elements_tear_where_they_are_weak() {
    let weak = |place: Vec3| if (place.x + 0.3).abs() < 0.15 { 0.3 } else { 5.0 };
    let mesh = shapes::cuboid(Vec3::new(2.0, 0.2, 0.6), [8, 1, 4]);
    let material = Material::default().with_young_modulus(5e4, 0.3).with_damping(1.0);
    let settings = ElementSettings { cell: Some(0.1), ..ElementSettings::default() };
    let strip = Body::builder(mesh).material(material).model(settings).toughness(weak).build().unwrap();
    let mass = strip.rest().nodes.total_mass;
    let world = pulled(strip, 1.0);
    assert!(world.bodies().count() >= 2, "{}", world.bodies().count());
    assert!((totals(&world).0 / mass - 1.0).abs() < 1e-5, "mass was lost");
    for (_, body) in world.bodies() {
        let places = body.rest().nodes.rest_positions.iter().map(|p| p.x);
        let (low, high) =
            places.fold((f32::INFINITY, f32::NEG_INFINITY), |(low, high), x| (low.min(x), high.max(x)));
        assert!(high < -0.1 || low > -0.5, "a piece reaches from {low} to {high}");
        // What is torn off goes back to its length.
        let along = |p: &Vec3| p.x;
        let skin = &body.skin().positions;
        let now = skin.iter().map(along).fold(f32::NEG_INFINITY, f32::max)
            - skin.iter().map(along).fold(f32::INFINITY, f32::min);
        assert!(now < 1.25 * (high - low), "{now} m of {} m", high - low);
    }
}

/// A strip that is thin along a slanted line through its middle: how far each place is from that line, and its mesh.
fn necked() -> (impl Fn(Vec3) -> f32, TriMesh) {
    let across = Vec3::new(0.9, 0.0, 0.435_889_9);
    let away = move |place: Vec3| across.dot(place);
    let mut mesh = shapes::cuboid(Vec3::new(2.0, 0.3, 0.8), [40, 4, 16]);
    for p in &mut mesh.positions {
        let near = (1.0 - (away(*p) / 0.3).abs()).max(0.0);
        p.y *= 1.0 - 0.6 * near * near * (3.0 - 2.0 * near);
    }
    (away, mesh)
}

#[test]
fn a_tear_follows_the_ridge_of_strain_and_not_the_cells() {
    let (away, mesh) = necked();
    let material = Material { tear: Some(0.4), ..Material::default() }.with_alpha(0.8);
    let cell = 0.05;
    let settings = LatticeSettings { cell: Some(cell), width: Some(2.0 * cell) };
    let body = Body::builder(mesh).material(material).model(settings).build().unwrap();
    let world = pulled(body, 0.9);
    assert!(world.bodies().count() >= 2, "{}", world.bodies().count());
    let (mut count, mut square, mut along) = (0.0, 0.0, 0.0);
    for (_, body) in world.bodies() {
        for (_, axis, crossing) in body.rest().cut.iter().flat_map(|cut| cut.cubes.iter()) {
            if crossing.cut && axis == 0 {
                let off = away(crossing.point) / cell;
                count += 1.0;
                square += off * off;
                along += crossing.normal.dot(Vec3::new(0.9, 0.0, 0.435_889_9)).abs();
            }
        }
    }
    let (off, along): (f32, f32) = ((square / count).sqrt(), along / count);
    assert!(off < 0.5, "the tear is {off} cells off its line");
    assert!(along > 0.97, "its faces are across the cells, not across the pull: {along}");
}
