//! Resolution that comes and goes does no harm: what holds a body holds the same part of it afterwards.
#![expect(clippy::unwrap_used, reason = "helpers of tests may fail as tests do")]

mod common;

use common::weightless;
use pliant::geometry::shapes;
use pliant::glam::{DVec3, Quat, Vec3};
use pliant::tool::{Carrier, Tool};
use pliant::{Body, BodyHandle, NodeId, OctreeSettings, Selection, Snapshot, ToolHandle, World};

/// Radius of the limb in metres.
const RADIUS: f32 = 0.1;
const STEP: f32 = 1.0 / 60.0;

/// A limb along x of the finest cells, 0.025 m, that can be coarsened twice.
fn limb() -> Body {
    let settings = OctreeSettings { cell: Some(0.025), levels: Some(2), width: Some(0.1), slack: 0.5 };
    let size = Vec3::new(0.8, 2.0 * RADIUS, 2.0 * RADIUS);
    let mut body = Body::builder(shapes::cuboid(size, [32, 8, 8])).model(settings).build().unwrap();
    refine(&mut body);
    body
}

fn all(body: &Body) -> Vec<NodeId> {
    (0..body.nodes.positions.len() as u32).map(NodeId).collect()
}

/// Down to the finest cells.
fn refine(body: &mut Body) {
    while body.refine(&all(body)).unwrap() {}
}

/// Up to the largest cells.
fn coarsen(body: &mut Body) {
    while body.coarsen(&all(body)).unwrap() {}
}

/// The end of the limb on one side, 0.06 m of it.
fn end(side: f32) -> Selection {
    let (near, far) = (side * 0.34, side * 9.0);
    Selection::Box { min: Vec3::new(near.min(far), -9.0, -9.0), max: Vec3::new(near.max(far), 9.0, 9.0) }
}

/// A limb whose ends are held to two bones.
struct Arm {
    world: World,
    limb: BodyHandle,
    bones: [ToolHandle; 2],
}

impl Arm {
    fn new() -> Self {
        let mut world = weightless();
        let limb = world.add_body(limb());
        let bone = |key: u64, x: f64| Carrier::new(key, DVec3::new(x, 0.0, 0.0), Quat::IDENTITY);
        let bones = [
            world.attach(limb, &end(-1.0), bone(1, -0.4)).unwrap(),
            world.attach(limb, &end(1.0), bone(2, 0.2)).unwrap(),
        ];
        Self { world, limb, bones }
    }

    /// Bends it by turning the second bone for so many steps.
    fn bend(&mut self, steps: usize) {
        let bone = self.bones[1];
        let turn = |world: &mut World, spin: Vec3, velocity: Vec3| {
            let (_, carrier) = world.carriers_mut().find(|(tool, _)| *tool == bone).unwrap();
            (carrier.spin, carrier.velocity) = (spin, velocity);
        };
        turn(&mut self.world, Vec3::Z, Vec3::new(-0.15, 0.2, 0.0));
        common::run(&mut self.world, steps, STEP);
        turn(&mut self.world, Vec3::ZERO, Vec3::ZERO);
    }

    fn body(&mut self) -> &mut Body {
        self.world.body_mut(self.limb).unwrap()
    }

    /// The nodes that a bone holds, and where.
    fn held(&self, bone: usize) -> Vec<(u32, DVec3)> {
        let Tool::Pin(pin) = self.world.tool(self.bones[bone]).unwrap() else { panic!("a pin stays a pin") };
        pin.held().collect()
    }

    /// The nodes that each bone holds.
    fn nodes_held(&self) -> [Vec<u32>; 2] {
        self.bones.map(|bone| held(&self.world, bone))
    }

    /// How far any vertex is from the same one of another.
    fn off(&self, other: &Self) -> f64 {
        let (one, two) = (self.world.body(self.limb).unwrap(), other.world.body(other.limb).unwrap());
        let vertices = 0..one.skin().positions.len();
        vertices.map(|v| one.vertex_position(v).distance(two.vertex_position(v))).fold(0.0, f64::max)
    }
}

#[test]
fn a_limb_that_is_bent_between_two_bones_ends_where_one_does_that_never_changed() {
    let (mut changed, mut fixed) = (Arm::new(), Arm::new());
    let first = changed.nodes_held();
    for round in 0..3 {
        coarsen(changed.body());
        [&mut changed, &mut fixed].into_iter().for_each(|arm| arm.bend(20));
        let coarse = changed.nodes_held();
        assert!(
            coarse.iter().all(|held| !held.is_empty()),
            "round {round}: {coarse:?} are held while coarse"
        );
        refine(changed.body());
        [&mut changed, &mut fixed].into_iter().for_each(|arm| arm.bend(20));
        assert!(changed.nodes_held() == first, "round {round}: other nodes are held");
        let places = |arm: &Arm| [arm.held(0), arm.held(1)];
        assert!(places(&changed) == places(&fixed), "round {round}: nodes are held elsewhere");
    }
    for arm in [&mut changed, &mut fixed] {
        common::run(&mut arm.world, 240, STEP);
    }
    let off = changed.off(&fixed);
    assert!(off < 0.003, "{off} m off on a limb of {RADIUS} m radius");
}

fn held(world: &World, pin: ToolHandle) -> Vec<u32> {
    let Tool::Pin(pin) = world.tool(pin).unwrap() else { panic!("a pin stays a pin") };
    pin.held().map(|(node, _)| node).collect()
}

#[test]
fn of_a_large_cell_that_is_held_only_the_part_inside_the_selection_stays_held() {
    // The plane goes through large cells whose middles are beyond it.
    let beyond = Selection::Box { min: Vec3::new(0.22, -9.0, -9.0), max: Vec3::splat(9.0) };
    let mut world = weightless();
    let handle = world.add_body(limb());
    coarsen(world.body_mut(handle).unwrap());
    let pin = world.pin(handle, &beyond).unwrap();
    assert_eq!(held(&world, pin).len(), 8, "two layers of four large cells");
    refine(world.body_mut(handle).unwrap());
    common::run(&mut world, 1, STEP);
    let body = world.body(handle).unwrap();
    let (now, meant) = (held(&world, pin), body.select(&beyond));
    assert!(now == meant, "{} nodes are held, and {} are meant", now.len(), meant.len());
}

#[test]
fn nodes_and_vertices_are_held_by_their_places() {
    for selection in [Selection::Nodes(vec![0, 7, 100]), Selection::Vertices(vec![0, 1, 50])] {
        let mut world = weightless();
        let handle = world.add_body(limb());
        let pin = world.pin(handle, &selection).unwrap();
        let before = world.tool(pin).unwrap().clone();
        for _ in 0..2 {
            coarsen(world.body_mut(handle).unwrap());
            common::run(&mut world, 2, STEP);
            assert!(!held(&world, pin).is_empty() && held(&world, pin).len() <= 3, "{selection:?}");
            refine(world.body_mut(handle).unwrap());
            common::run(&mut world, 2, STEP);
            let (now, was) = (world.tool(pin).unwrap().grips(), before.grips());
            assert!(now == was, "{selection:?}: {} places, {} before", now.len(), was.len());
        }
    }
}

#[test]
fn a_pin_that_was_moved_or_made_on_a_deformed_body_comes_back_to_the_same_places() {
    let mut arm = Arm::new();
    arm.bend(60);
    let middle = Selection::Sphere { center: Vec3::ZERO, radius: 0.15 };
    let pin = arm.world.pin(arm.limb, &middle).unwrap();
    arm.world.move_tool(pin, DVec3::Y * 0.05).unwrap();
    // The next step brings it there.
    common::run(&mut arm.world, 1, STEP);
    let before = arm.world.tool(pin).unwrap().grips();
    for _ in 0..2 {
        coarsen(arm.body());
        common::run(&mut arm.world, 10, STEP);
        refine(arm.body());
        common::run(&mut arm.world, 10, STEP);
        assert_eq!(arm.world.tool(pin).unwrap().grips(), before);
    }
}

#[test]
fn a_snapshot_of_a_coarse_limb_remembers_what_was_held() {
    let mut arm = Arm::new();
    arm.bend(30);
    coarsen(arm.body());
    common::run(&mut arm.world, 5, STEP);
    let bytes = arm.world.snapshot().to_bytes();
    let mut restored = World::new();
    restored.restore(&Snapshot::from_bytes(&bytes).unwrap());
    for world in [&mut arm.world, &mut restored] {
        refine(world.body_mut(arm.limb).unwrap());
        common::run(world, 30, STEP);
    }
    assert_eq!(arm.world.state_hash(), restored.state_hash());
}
