//! A body that gets another model while it lives.
#![expect(clippy::unwrap_used, reason = "helpers of tests may fail as tests do")]

use pliant::geometry::shapes;
use pliant::glam::{DVec3, Quat, Vec3};
use pliant::{
    Body, ClusterSettings, Clustering, LatticeSettings, ModelSettings, OctreeSettings, ParticleSettings,
    Rule, Selection, Tool, World, WorldSettings,
};

fn models() -> [ModelSettings; 4] {
    let octree = OctreeSettings { cell: 0.05, levels: 2, width: 0.2, slack: 0.5 };
    [
        ModelSettings::Clusters {
            particles: ParticleSettings::default(),
            clustering: Clustering::Spread { count: 3, overlap: 0.5 },
            settings: ClusterSettings::default(),
        },
        ModelSettings::Lattice(LatticeSettings { cell: 0.1, width: 0.2 }),
        ModelSettings::Octree { settings: octree, refine: vec![Rule::Surface { size: 0.05 }] },
        ModelSettings::Octree { settings: octree, refine: Vec::new() },
    ]
}

/// A bar that is bent, flies and turns.
fn bar(model: &ModelSettings) -> Body {
    let mut body = Body::builder(shapes::cuboid(Vec3::new(1.2, 0.4, 0.4), [12, 4, 4]))
        .lattice(LatticeSettings { cell: 0.1, width: 0.2 })
        .at([3.0, 2.0, 1.0])
        .turned(Quat::from_rotation_z(0.4))
        .velocity([1.0, 2.0, 0.5])
        .spin([0.5, 1.0, -0.7])
        .build()
        .unwrap();
    body.remodel(model).unwrap();
    body
}

fn momenta(body: &Body) -> [DVec3; 2] {
    let rest = &body.rest().nodes;
    [body.velocity() * rest.total_mass, rest.angular_momentum(&body.nodes)]
}

#[test]
fn every_model_becomes_every_other_with_shape_and_momenta_kept() {
    for from in models() {
        for to in models() {
            let mut world = World::with_settings(WorldSettings { gravity: Vec3::ZERO, ..Default::default() });
            let handle = world.add_body(bar(&from));
            let end = world.body(handle).unwrap().skin().positions.len() as u32 - 1;
            let pick = world.pick(handle, end, Default::default()).unwrap();
            world.move_tool(pick, DVec3::new(3.5, 2.9, 1.2)).unwrap();
            for _ in 0..20 {
                world.step(1.0 / 60.0);
            }
            let before = world.body(handle).unwrap().clone();
            world.body_mut(handle).unwrap().remodel(&to).unwrap();
            let after = world.body(handle).unwrap();
            assert_eq!(after.model_settings().name(), to.name());
            let pairs = before.skin().positions.iter().zip(&after.skin().positions);
            let off = (after.nodes.origin - before.nodes.origin).as_vec3();
            let worst = pairs.map(|(a, b)| a.distance(*b + off)).fold(0.0, f32::max);
            // Half of the largest cell: a coarse octree cannot have every bend of a fine one.
            assert!(worst < 0.1, "{} to {}: {worst}", from.name(), to.name());
            let mass = before.rest().nodes.total_mass;
            for (a, b) in momenta(&before).into_iter().zip(momenta(after)) {
                // The masses themselves differ by how a model is sampled.
                let part = after.rest().nodes.total_mass / mass;
                assert!((part - 1.0).abs() < 0.1);
                assert!((b / part - a).length() < 0.2 * a.length().max(0.1 * mass), "{a} became {b}");
            }
            (0..60).for_each(|_| assert_eq!(world.step(1.0 / 60.0).contained, 0));
        }
    }
}

#[test]
fn pins_hold_on_to_what_the_nodes_became() {
    for to in models() {
        let mut world = World::new();
        let handle = world.add_body(bar(&models()[1]));
        let end = Selection::Box { min: Vec3::new(-9.0, -9.0, -9.0), max: Vec3::new(-0.4, 9.0, 9.0) };
        world.body_mut(handle).unwrap().set_motion(Vec3::ZERO, Vec3::ZERO).unwrap();
        let pin = world.pin(handle, &end).unwrap();
        world.step(1.0 / 60.0);
        world.body_mut(handle).unwrap().remodel(&to).unwrap();
        world.step(1.0 / 60.0);
        let Tool::Pin(pin) = world.tool(pin).unwrap() else { panic!("a pin stays a pin") };
        let body = world.body(handle).unwrap();
        assert!(pin.held().count() > 0, "{}", to.name());
        for (node, at) in pin.held() {
            assert!(body.rest().nodes.rest_positions[node as usize].x < -0.2, "{}", to.name());
            assert!(body.nodes.world_position(node as usize).distance(at) < 1e-5);
        }
        let before = body.center_of_mass();
        for _ in 0..120 {
            world.step(1.0 / 60.0);
        }
        assert!(world.body(handle).unwrap().center_of_mass().distance(before) < 0.7, "{} fell", to.name());
    }
}

#[test]
fn settings_that_make_no_sense_change_nothing() {
    let mut body = bar(&models()[1]);
    let before = (body.version(), body.nodes.positions.clone());
    let error =
        body.remodel(&ModelSettings::Lattice(LatticeSettings { cell: -1.0, width: 0.2 })).unwrap_err();
    assert!(error.to_string().contains("cell"), "{error}");
    assert_eq!((body.version(), body.nodes.positions.clone()), before);
}
