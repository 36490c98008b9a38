//! Bodies at rest sleep, and wake for what concerns them.

use super::{H, cube, floor, middle, run};
use pliant::glam::{DVec3, Quat, Vec3};
use pliant::{
    BodyHandle, Collider, ColliderHandle, Material, PickSettings, Push, Shape, World, WorldSettings,
};

/// A cube on a box collider beside one on the floor, both asleep.
fn asleep() -> (World, [BodyHandle; 2], ColliderHandle) {
    let mut world = floor();
    let table = Collider::new(Shape::Box { half: Vec3::new(0.3, 0.2, 0.3) }).at(DVec3::new(1.0, 0.2, 0.0));
    let table = world.add_collider(table).expect("a table");
    let body = cube(Material::default().with_alpha(0.5));
    let bodies = [DVec3::new(0.0, 0.11, 0.0), DVec3::new(1.0, 0.51, 0.0)];
    let bodies = bodies.map(|at| world.add_body(body.clone().at(at).build().expect("a cube")));
    run(&mut world, 240);
    assert!(bodies.iter().all(|&body| is_asleep(&world, body)), "they are at rest");
    (world, bodies, table)
}

fn is_asleep(world: &World, body: BodyHandle) -> bool {
    world.body(body).expect("there").is_asleep()
}

#[test]
fn a_sleeper_costs_nothing_and_does_not_change() {
    let (mut world, _, _) = asleep();
    let before = world.state_hash();
    let report = world.step(H);
    assert_eq!((report.asleep, report.contacts), (2, 0));
    assert_eq!(world.state_hash(), before);
    assert!(world.contact_events().is_empty(), "it still lies where it lay");
    assert_eq!(world.touches().len(), 2);
}

#[test]
fn each_cause_wakes_whom_it_concerns_and_nobody_else() {
    type Cause = (&'static str, fn(&mut World, [BodyHandle; 2], ColliderHandle), [bool; 2]);
    let causes: [Cause; 7] = [
        (
            "changed",
            |world, [a, _], _| {
                let body = world.body_mut(a).expect("there");
                body.material = body.material.with_alpha(0.4);
            },
            [true, false],
        ),
        ("picked", |world, [a, _], _| drop(world.pick(a, 0, PickSettings::default())), [true, false]),
        (
            "the table moves",
            |world, _, table| world.collider_mut(table).expect("there").position.x += 0.1,
            [false, true],
        ),
        ("the table goes", |world, _, table| drop(world.remove_collider(table)), [false, true]),
        ("no gravity", |world, _, _| world.settings.gravity = Vec3::ZERO, [true, true]),
        (
            "pushed",
            |world, _, _| {
                let center = DVec3::new(0.0, 0.3, 0.0);
                drop(world.push(Push::new(center, 0.15)));
            },
            [true, false],
        ),
        (
            "hit",
            |world, _, _| {
                let body = cube(Material::default()).at(DVec3::new(0.0, 0.5, 0.0)).velocity(Vec3::Y * -2.0);
                world.add_body(body.build().expect("a cube"));
            },
            [true, false],
        ),
    ];
    for (name, cause, expected) in causes {
        let (mut world, bodies, table) = asleep();
        cause(&mut world, bodies, table);
        run(&mut world, 8);
        let awake = bodies.map(|body| !is_asleep(&world, body));
        assert_eq!(awake, expected, "{name}");
    }
}

#[test]
fn what_stood_on_a_body_that_is_taken_away_falls() {
    let mut world = floor();
    let body = cube(Material::default().with_alpha(0.6));
    let lower = world.add_body(body.clone().at(DVec3::Y * 0.101).build().expect("a cube"));
    let upper = world.add_body(body.at(DVec3::Y * 0.303).build().expect("a cube"));
    run(&mut world, 300);
    assert!(is_asleep(&world, upper) && is_asleep(&world, lower), "they stand");
    let high = middle(&world, upper).y;
    world.remove_body(lower).expect("there");
    run(&mut world, 60);
    assert!(middle(&world, upper).y < high - 0.15, "{high} {}", middle(&world, upper).y);
}

#[test]
fn nothing_sleeps_where_sleep_is_off_and_a_snapshot_knows_who_sleeps() {
    let (mut world, bodies, _) = asleep();
    let snapshot = world.snapshot();
    let mut other = World::new();
    other.restore(&snapshot);
    assert!(is_asleep(&other, bodies[0]));
    for world in [&mut world, &mut other] {
        world.body_mut(bodies[0]).expect("there").place(DVec3::Y, Quat::IDENTITY).expect("a place");
        run(world, 100);
    }
    assert_eq!(world.state_hash(), other.state_hash());
    let mut settings = WorldSettings::default();
    settings.sleep.speed = 0.0;
    world.settings = settings;
    run(&mut world, 300);
    assert!(bodies.iter().all(|&body| !is_asleep(&world, body)));
}
