//! One body against itself.

use super::{H, run};
use crate::common::weightless;
use pliant::geometry::shapes;
use pliant::glam::{DVec3, Quat, Vec3};
use pliant::{
    Blade, Body, BodyBuilder, ContactSettings, LatticeSettings, Material, OctreeSettings, Other, Selection,
};

/// A horseshoe: two long arms with a gap of 0.2 m between them.
fn horseshoe() -> BodyBuilder {
    // A torus has surface that faces itself across its hole.
    Body::builder(shapes::torus(0.35, 0.2, 32, 16))
        .model(LatticeSettings { cell: Some(0.1), width: Some(0.2) })
}

#[test]
fn nothing_touches_itself_at_rest() {
    let bodies = [
        ("ring", horseshoe()),
        ("fine ring", horseshoe().model(LatticeSettings { cell: Some(0.05), width: Some(0.1) })),
        ("clusters", Body::builder(shapes::torus(0.35, 0.2, 32, 16))),
        (
            "octree",
            Body::builder(shapes::torus_knot(2, 3, 0.5, 0.25, 0.1, 96, 12)).model(OctreeSettings {
                cell: Some(0.04),
                levels: Some(2),
                width: Some(0.1),
                slack: 0.5,
            }),
        ),
        (
            "L",
            Body::builder(shapes::l_bar(0.8, 0.2, 0.2, 0.1))
                .model(LatticeSettings { cell: Some(0.05), width: Some(0.1) }),
        ),
    ];
    for (name, builder) in bodies {
        let mut world = weightless();
        let turn = Quat::from_rotation_x(0.4);
        let body = builder
            .contacts(ContactSettings { itself: true, ..ContactSettings::default() })
            .turned(turn)
            .velocity(Vec3::new(3.0, 1.0, 0.0))
            .build();
        let handle = world.add_body(body.expect("a body"));
        for _ in 0..60 {
            let report = world.step(H);
            assert_eq!(report.contacts, 0, "{name}: {:?}", world.touches());
        }
        assert!(world.body(handle).is_ok() && world.touches().is_empty(), "{name}");
    }
}

#[test]
fn a_slit_does_not_touch_itself_until_its_faces_are_pressed_together() {
    let mut world = weightless();
    let body = Body::builder(shapes::cuboid(Vec3::new(0.8, 0.4, 0.4), [8, 4, 4]))
        .material(Material::default().with_alpha(0.5))
        .contacts(ContactSettings { itself: true, ..ContactSettings::default() })
        .model(LatticeSettings { cell: Some(0.05), width: Some(0.1) });
    world.settings.substeps = 4;
    let body = world.add_body(body.build().expect("a bar"));
    world.step(H);
    // From above to the middle.
    let corner = |x: f64, y: f64, z: f64| DVec3::new(x, y, z);
    let blade = [
        corner(0.012, 0.5, -1.0),
        corner(0.012, 0.5, 1.0),
        corner(0.012, 0.0, 1.0),
        corner(0.012, 0.0, -1.0),
    ];
    world.cut_body(body, Blade::polygon(&blade).expect("a blade")).expect("ordered");
    world.step(H);
    assert!(world.cuts()[0].result.is_ok(), "{:?}", world.cuts()[0].result);
    for _ in 0..30 {
        assert_eq!(world.step(H).contacts, 0, "at rest");
    }
    // The ends are turned up: the slit closes and its faces press on each other.
    let end =
        |x: f32| Selection::Box { min: Vec3::new(x - 0.06, -1.0, -1.0), max: Vec3::new(x + 0.06, 1.0, 1.0) };
    let left = world.pin(body, &end(-0.4)).expect("pinned");
    let right = world.pin(body, &end(0.4)).expect("pinned");
    let mut pressed = 0.0_f32;
    for frame in 1..=60 {
        let by = 0.0003 * f64::from(frame);
        world.move_tool(left, DVec3::new(by, 0.0, 0.0)).expect("moved");
        world.move_tool(right, DVec3::new(-by, 0.0, 0.0)).expect("moved");
        world.step(H);
        let touch = world.touches().iter().find(|touch| touch.other == Other::Itself);
        pressed = pressed.max(touch.map_or(0.0, |touch| touch.impulse));
    }
    assert!(pressed > 0.0, "the faces of the slit never touched");
    // The nodes beside the slit have not changed sides.
    let now = world.body(body).expect("there");
    let rest = &now.rest().nodes.rest_positions;
    let centre = now.rest().center;
    let mut wrong = 0.0_f32;
    for (i, a) in rest.iter().enumerate() {
        for (j, b) in rest.iter().enumerate() {
            let beside = (a.y - b.y).abs() < 0.01 && (a.z - b.z).abs() < 0.01 && a.y + centre.y > 0.05;
            let across = a.x + centre.x < 0.012 && b.x + centre.x > 0.012 && (b.x - a.x) < 0.06;
            if beside && across {
                wrong = wrong.max(0.05 - (now.nodes.positions[j].x - now.nodes.positions[i].x));
            }
        }
    }
    assert!(wrong < 0.025, "the faces are {wrong} m in each other");
    run(&mut world, 1);
}
