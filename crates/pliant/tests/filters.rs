//! Groups, ignored pairs, a filter of the user's own, and sensors: what does not touch, and what is only noticed.

mod common;

use pliant::geometry::shapes;
use pliant::glam::{DVec3, Quat, Vec3};
use pliant::*;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

const H: f32 = 1.0 / 60.0;
const EDGE: f32 = 0.2;

fn cube(at: DVec3, groups: CollisionGroups) -> Body {
    Body::builder(shapes::cuboid(Vec3::splat(EDGE), [4; 3]))
        .model(LatticeSettings { cell: Some(0.25 * EDGE), width: Some(0.5 * EDGE) })
        .contacts(ContactSettings { groups, ..ContactSettings::default() })
        .at(at)
        .build()
        .expect("sound")
}

/// A floor with a cube on it and another one above that.
fn two_cubes(lower: CollisionGroups, upper: CollisionGroups) -> (World, [BodyHandle; 2], ColliderHandle) {
    let mut world = World::new();
    let floor = world.add_collider(Collider::floor(0.0)).expect("a floor");
    let lower = world.add_body(cube(DVec3::Y * 0.101, lower));
    let upper = world.add_body(cube(DVec3::new(0.02, 0.35, 0.0), upper));
    (world, [lower, upper], floor)
}

fn height(world: &World, body: BodyHandle) -> f64 {
    world.body(body).expect("there").center_of_mass().y
}

#[test]
fn two_touch_if_each_is_in_a_group_that_the_other_touches() {
    let groups = CollisionGroups::new;
    let all = CollisionGroups::default();
    // The floor is in all groups, so that each stands on it or on the other.
    for (lower, upper, touch) in [
        (all, all, true),
        (groups(1, 2), groups(2, 1), true),
        (groups(1, 2), groups(2, 2), false),
        (groups(2, 2), groups(1, 2), false),
        (groups(5, 5), groups(4, !0), true),
    ] {
        let (mut world, [_, above], _) = two_cubes(lower, upper);
        common::run(&mut world, 90, H);
        let expected = if touch { 0.3 } else { 0.1 };
        let is = height(&world, above);
        assert!((is - expected).abs() < 0.03, "{lower:?}, {upper:?}: at {is} m");
    }
}

#[test]
fn a_body_falls_through_a_collider_of_groups_that_it_does_not_touch_and_wakes_when_they_change() {
    let (mut world, [lower, upper], floor) =
        two_cubes(CollisionGroups::new(1, 1), CollisionGroups::new(2, 2));
    world.collider_mut(floor).expect("there").groups = CollisionGroups::new(1, !0);
    common::run(&mut world, 180, H);
    assert!((height(&world, lower) - 0.1).abs() < 0.02 && height(&world, upper) < -1.0);
    assert!(world.contacts(upper).expect("there").is_empty());
    assert!(world.body(lower).expect("there").is_asleep());
    world.collider_mut(floor).expect("there").groups = CollisionGroups::new(4, !0);
    common::run(&mut world, 60, H);
    assert!(height(&world, lower) < -1.0, "nothing holds it any more");
}

#[test]
fn bodies_ignore_each_other_until_they_no_longer_do_and_snapshots_know() {
    let all = CollisionGroups::default();
    let (mut world, [lower, upper], floor) = two_cubes(all, all);
    world.ignore_pair(upper, lower).expect("there");
    let bytes = world.snapshot().to_bytes();
    common::run(&mut world, 90, H);
    assert!((height(&world, upper) - 0.1).abs() < 0.02, "it stands in the other");
    let mut again = World::new();
    again.restore(&Snapshot::from_bytes(&bytes).expect("sound"));
    assert_eq!(again.ignored_pairs(), [(lower, Other::Body(upper))]);
    common::run(&mut again, 90, H);
    assert_eq!(again.state_hash(), world.state_hash());
    // Restored from before the pair was made, it is not there; taken back, they touch.
    again.restore(&Snapshot::from_bytes(&bytes).expect("sound"));
    again.unignore_pair(lower, upper).expect("there");
    common::run(&mut again, 90, H);
    assert!((height(&again, upper) - 0.3).abs() < 0.03);
    // The floor, and what is gone.
    again.ignore_pair(upper, floor).expect("there");
    again.ignore_pair(lower, upper).expect("there");
    again.remove_body(lower).expect("there");
    assert_eq!(again.ignored_pairs(), [(upper, Other::Collider(floor))]);
    common::run(&mut again, 60, H);
    assert!(height(&again, upper) < -1.0);
    again.remove_collider(floor).expect("there");
    assert!(again.ignored_pairs().is_empty());
    assert!(again.ignore_pair(upper, floor).is_err() && again.ignore_pair(lower, upper).is_err());
}

#[test]
fn pieces_of_a_cut_ignore_what_the_body_ignored() {
    let all = CollisionGroups::default();
    let (mut world, [lower, upper], _) = two_cubes(all, all);
    world.ignore_pair(lower, upper).expect("there");
    world.cut_body(upper, Blade::plane(DVec3::X * 0.02, Vec3::X).expect("a plane")).expect("there");
    common::run(&mut world, 1, H);
    assert_eq!(world.bodies().count(), 3);
    assert_eq!(world.ignored_pairs().len(), 2);
    assert!(world.ignored_pairs().iter().all(|pair| pair.0 == lower));
    common::run(&mut world, 90, H);
    for (body, _) in world.bodies() {
        assert!((height(&world, body) - 0.1).abs() < 0.03, "{body:?} at {} m", height(&world, body));
    }
}

#[test]
fn the_users_own_filter_is_asked_once_a_pair_and_step_and_kept_when_a_world_is_restored() {
    let all = CollisionGroups::default();
    let (mut world, [lower, upper], floor) = two_cubes(all, all);
    common::run(&mut world, 90, H);
    assert!((height(&world, upper) - 0.3).abs() < 0.03);
    let asked = Arc::new(AtomicUsize::new(0));
    let count = asked.clone();
    world.set_contact_filter(Some(Box::new(move |body, other| {
        if (body, other) == (lower, Other::Body(upper)) {
            count.fetch_add(1, Ordering::Relaxed);
        }
        other == Other::Collider(floor)
    })));
    let snapshot = world.snapshot();
    world.step(H);
    assert_eq!(asked.load(Ordering::Relaxed), 1);
    world.restore(&snapshot);
    common::run(&mut world, 90, H);
    assert!((height(&world, upper) - 0.1).abs() < 0.03, "it has sunk into the other");
    world.set_contact_filter(None);
    let before = asked.load(Ordering::Relaxed);
    world.step(H);
    assert_eq!(asked.load(Ordering::Relaxed), before);
}

/// A floor, a cube that falls onto it through a sensor, and the sensor.
fn watched() -> (World, BodyHandle, ColliderHandle) {
    let mut world = World::new();
    world.add_collider(Collider::floor(0.0)).expect("a floor");
    let shape = Shape::Box { half: Vec3::new(0.5, 0.1, 0.5) };
    let sensor = world.add_collider(Collider::new(shape).at(DVec3::Y * 0.7).sensing()).expect("a sensor");
    let body = world.add_body(cube(DVec3::Y * 1.2, CollisionGroups::default()));
    (world, body, sensor)
}

fn events_of(world: &mut World, frames: usize, sensor: ColliderHandle) -> Vec<(usize, ContactChange)> {
    let mut events = Vec::new();
    for frame in 0..frames {
        let report = world.step(H);
        let of = world.contact_events().iter().filter(|event| event.touch.other == Other::Collider(sensor));
        events.extend(of.map(|event| (frame, event.change)));
        assert!(report.contained == 0);
    }
    events
}

#[test]
fn a_sensor_tells_of_what_comes_and_goes_and_changes_nothing() {
    let (mut world, body, sensor) = watched();
    let mut without = watched().0;
    without.remove_collider(sensor).expect("there");
    let events = events_of(&mut world, 90, sensor);
    common::run(&mut without, 90, H);
    assert_eq!(world.step(H).contacts, without.step(H).contacts);
    assert_eq!(world.state_hash(), without.state_hash(), "a sensor changes no bit");
    let changes: Vec<ContactChange> = events.iter().map(|event| event.1).collect();
    assert_eq!(changes, [ContactChange::Started, ContactChange::Ended], "{events:?}");
    // It falls 0.3 m to where the sensor begins, and 0.7 m to where it ends.
    assert!((12..18).contains(&events[0].0) && (20..27).contains(&events[1].0), "{events:?}");
    assert!(world.contacts(body).expect("there").iter().all(|contact| contact.normal.y > 0.9));
}

#[test]
fn sleepers_stay_in_touch_with_a_sensor_that_does_not_wake_them() {
    let (mut world, body, sensor) = watched();
    world.collider_mut(sensor).expect("there").position = DVec3::Y * 0.1;
    let events = events_of(&mut world, 240, sensor);
    assert!(events.len() == 1 && world.body(body).expect("there").is_asleep(), "{events:?}");
    let touches = |world: &World| world.touches().iter().any(|of| of.other == Other::Collider(sensor));
    assert!(touches(&world));
    // It moves a little, far away and back.
    for (place, touching) in [(0.15, true), (5.0, false), (0.1, true)] {
        world.collider_mut(sensor).expect("there").move_to(DVec3::Y * place, Quat::IDENTITY);
        common::run(&mut world, 2, H);
        assert_eq!(touches(&world), touching, "at {place} m");
        assert!(world.body(body).expect("there").is_asleep());
    }
    world.ignore_pair(body, sensor).expect("there");
    common::run(&mut world, 1, H);
    assert!(!touches(&world), "it is ignored");
}
