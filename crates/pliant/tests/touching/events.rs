//! Touching begins and ends.

use super::{H, cube, floor, run};
use pliant::glam::{DVec3, Vec3};
use pliant::{ContactChange, Material, Other};

#[test]
fn a_ball_that_lands_and_is_lifted_says_so_once_each() {
    let mut world = floor();
    let body = cube(Material::default().with_alpha(0.5));
    let lower = world.add_body(body.clone().at(DVec3::Y * 0.101).build().expect("a cube"));
    run(&mut world, 120);
    let upper = world.add_body(body.at(DVec3::Y * 0.6).build().expect("a cube"));
    let mut started = Vec::new();
    for frame in 0..120 {
        world.step(H);
        let events = world.contact_events().iter();
        started.extend(events.filter(|event| event.touch.other == Other::Body(upper)).map(|e| (frame, *e)));
    }
    let (frame, event) = started[0];
    // It falls 0.3 m, which takes a quarter of a second.
    assert!((12..22).contains(&frame), "frame {frame}");
    assert_eq!((event.change, event.touch.body), (ContactChange::Started, lower));
    assert!((event.touch.place.y - 0.2).abs() < 0.03, "{}", event.touch.place);
    assert!(event.touch.normal.y < -0.8, "toward the lower one: {}", event.touch.normal);
    assert!(event.touch.impulse > 1.0, "{} kg m/s", event.touch.impulse);
    let touch =
        world.touches().iter().find(|touch| touch.other == Other::Body(upper)).expect("it lies there");
    assert_eq!(touch.body, lower);
    world.body_mut(upper).expect("there").set_motion(Vec3::Y * 4.0, Vec3::ZERO).expect("a motion");
    let mut ended = Vec::new();
    for _ in 0..20 {
        world.step(H);
        ended.extend(world.contact_events().iter().filter(|e| e.touch.other == Other::Body(upper)).copied());
    }
    assert_eq!(ended.len(), 1);
    assert_eq!(ended[0].change, ContactChange::Ended);
    assert!(world.touches().iter().all(|touch| touch.other != Other::Body(upper)));
}
