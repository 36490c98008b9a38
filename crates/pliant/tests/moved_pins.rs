//! Pins that are moved travel: what rests on the nodes they hold rides along.

mod common;

use pliant::geometry::shapes;
use pliant::glam::{DVec3, Quat, Vec3};
use pliant::tool::ToolError;
use pliant::*;

const H: f32 = 1.0 / 60.0;

/// A slab that is pinned as a whole, with a soft cube on it.
struct Ride {
    world: World,
    slab: BodyHandle,
    cube: BodyHandle,
    pin: ToolHandle,
}

fn ride() -> Ride {
    let mut world = World::new();
    let part = |size: Vec3, cells: [u32; 3], y: f64| {
        Body::builder(shapes::cuboid(size, cells))
            .model(LatticeSettings { cell: Some(0.05), width: Some(0.1) })
            .material(Material::default().with_friction(0.8))
            .at(DVec3::Y * y)
            .build()
            .expect("sound")
    };
    let slab = world.add_body(part(Vec3::new(0.6, 0.1, 0.4), [12, 2, 8], 0.0));
    let cube = world.add_body(part(Vec3::splat(0.2), [4; 3], 0.151));
    let pin = world.pin(slab, &Selection::All).expect("a pin");
    common::run(&mut world, 30, H);
    Ride { world, slab, cube, pin }
}

impl Ride {
    fn middle(&self, body: BodyHandle) -> DVec3 {
        self.world.body(body).expect("there").center_of_mass()
    }

    /// Moves the slab to `x`, eased from 0 to 1 m over a second.
    fn go_to_frame(&mut self, frame: u32) {
        let t = f64::from(frame) / 60.0;
        self.world.move_tool(self.pin, DVec3::X * (t * t * (3.0 - 2.0 * t))).expect("moved");
        common::run(&mut self.world, 1, H);
    }
}

#[test]
fn what_rests_on_a_moved_slab_rides_along_and_stops_with_it() {
    let mut ride = ride();
    let (slab, cube) = (ride.middle(ride.slab), ride.middle(ride.cube));
    (1..=60).for_each(|frame| ride.go_to_frame(frame));
    let moved = ride.middle(ride.slab) - slab;
    assert!(moved.distance(DVec3::X) < 1e-5, "the slab is at {moved}");
    common::run(&mut ride.world, 1, H);
    let of_slab = common::kinetic_energy(ride.world.body(ride.slab).expect("there"));
    assert_eq!(of_slab, 0.0, "a slab that stands has no energy");
    common::run(&mut ride.world, 60, H);
    let rode = ride.middle(ride.cube) - cube;
    assert!(rode.x > 0.9 && rode.x < 1.1 && rode.y.abs() < 0.02, "the cube rode {rode}");
    let speed = ride.world.body(ride.cube).expect("there").velocity().length();
    assert!(speed < 1e-2, "the cube goes on with {speed} m/s");
}

#[test]
fn a_slab_that_is_put_elsewhere_at_once_leaves_its_rider_behind() {
    let mut ride = ride();
    let (slab, cube) = (ride.middle(ride.slab), ride.middle(ride.cube));
    for frame in 1..=20 {
        ride.world.put_tool(ride.pin, DVec3::X * 0.01 * f64::from(frame)).expect("put");
        common::run(&mut ride.world, 1, H);
    }
    assert!((ride.middle(ride.slab) - slab).distance(DVec3::X * 0.2) < 1e-5);
    assert_eq!(ride.world.body(ride.slab).expect("there").velocity(), DVec3::ZERO);
    let rode = (ride.middle(ride.cube) - cube).x;
    assert!(rode < 0.05, "the cube rode {rode} m on something that has no velocity");
}

#[test]
fn a_world_restored_on_the_way_goes_on_bit_for_bit() {
    let mut ride = ride();
    (1..=20).for_each(|frame| ride.go_to_frame(frame));
    // Between the order to move and the step that does it, and one step after the last move.
    for moves in [true, false] {
        if moves {
            ride.world.move_tool(ride.pin, DVec3::X * 0.4).expect("moved");
        }
        let bytes = ride.world.snapshot().to_bytes();
        let mut again = World::new();
        again.restore(&Snapshot::from_bytes(&bytes).expect("sound"));
        for step in 0..5 {
            let report = again.step(H);
            assert_eq!(report.contained, 0);
            if step == 0 {
                common::run(&mut ride.world, 1, H);
                assert_eq!(again.state_hash(), ride.world.state_hash(), "moves: {moves}");
            }
        }
    }
}

#[test]
fn a_turned_pin_turns_its_nodes_about_their_middle_and_carries_what_rests_on_them() {
    let mut ride = ride();
    let nodes = |ride: &Ride| common::world_positions(ride.world.body(ride.slab).expect("there"));
    let (before, slab) = (nodes(&ride), ride.middle(ride.slab));
    let turn = |frame: i16| Quat::from_rotation_y(0.5 * f32::from(frame) / 60.0);
    for frame in 1..=60 {
        ride.world.turn_tool(ride.pin, DVec3::ZERO, turn(frame)).expect("turned");
        common::run(&mut ride.world, 1, H);
        let cube = ride.world.body(ride.cube).expect("there");
        if frame == 30 {
            let spin = common::momentum(cube).1.y;
            assert!(spin > 0.0, "the cube turns with {spin} kg m²/s");
        }
    }
    let after = nodes(&ride);
    let off =
        after.iter().zip(&before).map(|(now, was)| now.distance(slab + turn(60).as_dquat() * (*was - slab)));
    let most = off.fold(0.0, f64::max);
    assert!(most < 1e-5, "{most} m off");
}

#[test]
fn what_sleeps_on_a_slab_wakes_when_it_is_moved() {
    let mut ride = ride();
    common::run(&mut ride.world, 240, H);
    let asleep = |ride: &Ride| ride.world.body(ride.cube).expect("there").is_asleep();
    assert!(asleep(&ride), "the cube has come to rest");
    let cube = ride.middle(ride.cube);
    (1..=60).for_each(|frame| ride.go_to_frame(frame));
    let rode = (ride.middle(ride.cube) - cube).x;
    assert!(rode > 0.85, "the cube rode {rode} m");
}

#[test]
fn carried_nodes_travel_with_a_carrier_that_is_moved() {
    let mut ride = ride();
    ride.world.remove_tool(ride.pin).expect("there");
    let carrier = Carrier::new(1, DVec3::ZERO, Quat::IDENTITY);
    ride.world.attach(ride.slab, &Selection::All, carrier).expect("attached");
    let (slab, cube) = (ride.middle(ride.slab), ride.middle(ride.cube));
    for frame in 1..=60 {
        let t = f64::from(frame) / 60.0;
        for (_, carrier) in ride.world.carriers_mut() {
            carrier.move_to(DVec3::X * (t * t * (3.0 - 2.0 * t)), Quat::IDENTITY);
        }
        common::run(&mut ride.world, 1, H);
    }
    common::run(&mut ride.world, 30, H);
    assert!((ride.middle(ride.slab) - slab).distance(DVec3::X) < 1e-4);
    assert_eq!(common::kinetic_energy(ride.world.body(ride.slab).expect("there")), 0.0);
    let rode = (ride.middle(ride.cube) - cube).x;
    assert!(rode > 0.9, "the cube rode {rode} m");
}

#[test]
fn a_pose_that_is_none_and_tools_that_cannot_be_turned_are_refused() {
    let mut ride = ride();
    let refused = ride.world.turn_tool(ride.pin, DVec3::ZERO, Quat::from_xyzw(0.0, 0.0, 0.0, 2.0));
    assert!(matches!(refused, Err(ToolError::Setting { name: "rotation", .. })), "{refused:?}");
    assert!(ride.world.put_tool(ride.pin, DVec3::NAN).is_err());
    let pick = ride.world.pick(ride.cube, 0, PickSettings::default()).expect("a pick");
    let refused = ride.world.turn_tool(pick, DVec3::ZERO, Quat::IDENTITY);
    assert!(matches!(refused, Err(ToolError::NotFor { .. })), "{refused:?}");
}
