//! Shells that overlap are one piece of material: they hold, weigh what they fill together and are cut as one. Shells that do not
//! touch are said to be several.

#[path = "common/joined.rs"]
mod joined;
#[path = "common/surface.rs"]
mod surface;

use joined::joined;
use pliant::cut::Blade;
use pliant::geometry::{OuterSurface, SurfaceTree, TriMesh, WindingTree, inspect, shapes, weld};
use pliant::glam::{DVec3, Quat, Vec3};
use pliant::{
    Body, BodyBuilder, ClusterSettings, Clustering, Collider, LatticeSettings, OctreeSettings, Rule, World,
};
use surface::assert_closed;

const FRAME_SECS: f32 = 1.0 / 60.0;

fn inside_out(mut mesh: TriMesh) -> TriMesh {
    mesh.triangles.iter_mut().for_each(|t| t.swap(1, 2));
    mesh
}

/// An upright torso and an arm that begins in the middle of it. The arm's last vertices are its hand.
fn figure() -> TriMesh {
    let mut arm = shapes::capsule(0.08, 0.6, 12, 8);
    let across = Quat::from_rotation_arc(Vec3::Y, Vec3::X);
    arm.positions.iter_mut().for_each(|p| *p = across * *p);
    joined(&[(shapes::capsule(0.22, 0.4, 20, 8), Vec3::ZERO), (arm, Vec3::new(0.35, 0.1, 0.0))])
}

fn balls(apart: f32) -> TriMesh {
    joined(&[(shapes::sphere(0.3, 3), Vec3::ZERO), (shapes::sphere(0.3, 3), Vec3::new(apart, 0.02, 0.01))])
}

/// A body of each model.
fn models(mesh: &TriMesh) -> [(&'static str, BodyBuilder); 3] {
    let cell = 0.04;
    let lattice = LatticeSettings { cell: Some(cell), width: Some(3.0 * cell) };
    let octree = OctreeSettings { cell: Some(cell), levels: Some(2), width: Some(3.0 * cell), slack: 0.5 };
    let clustering = Clustering::Spread { count: 6, overlap: 0.5 };
    [
        ("lattice", Body::builder(mesh.clone()).model(lattice)),
        ("octree", Body::builder(mesh.clone()).model(octree).refine([Rule::Surface { size: cell }])),
        (
            "clusters",
            Body::builder(mesh.clone()).model(ClusterSettings { clustering, ..ClusterSettings::default() }),
        ),
    ]
}

/// A generator that gives the same numbers everywhere.
struct Random(u64);

impl Random {
    /// In [0, 1).
    fn unit(&mut self) -> f32 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 40) as f32 / (1 << 24) as f32
    }

    fn within(&mut self, low: Vec3, high: Vec3) -> Vec3 {
        low + (high - low) * Vec3::new(self.unit(), self.unit(), self.unit())
    }
}

/// The volume where the winding number is not 0, by counting.
fn counted_volume(mesh: &TriMesh) -> f64 {
    const POINTS: u32 = 200_000;
    let tree = WindingTree::new(&mesh.positions, &mesh.triangles);
    let (low, high) = mesh.bounds().expect("a mesh");
    let mut random = Random(7);
    let inside = (0..POINTS).filter(|_| tree.is_inside(random.within(low, high))).count();
    f64::from((high - low).element_product()) * inside as f64 / f64::from(POINTS)
}

#[test]
fn what_overlaps_weighs_once() {
    for (what, mesh) in [("balls", balls(0.2)), ("balls", balls(0.4)), ("figure", figure())] {
        let volume = counted_volume(&mesh);
        assert!(volume < 0.985 * mesh.signed_volume(), "{what}: {volume} of {}", mesh.signed_volume());
        for (model, builder) in models(&mesh) {
            let body = builder.build().unwrap();
            let density = f64::from(body.material.density);
            let ratio = body.rest().nodes.total_mass / (density * volume);
            assert!((0.99..1.01).contains(&ratio), "{what}, {model}: {ratio} of its mass");
        }
    }
}

#[test]
fn an_arm_stuck_into_a_torso_stays_there() {
    let mesh = figure();
    let torso = shapes::capsule(0.22, 0.4, 20, 8).positions.len();
    let hand = (torso..mesh.positions.len())
        .max_by(|&a, &b| mesh.positions[a].x.total_cmp(&mesh.positions[b].x))
        .unwrap();
    // Where the arm leaves the torso: pairs of vertices of both.
    let near = |a: usize, b: usize| mesh.positions[a].distance(mesh.positions[b]) < 0.05;
    let joint: Vec<(usize, usize)> = (torso..mesh.positions.len())
        .flat_map(|a| (0..torso).filter(move |&b| near(a, b)).map(move |b| (a, b)))
        .collect();
    assert!(joint.len() > 4, "{}", joint.len());
    for (model, builder) in models(&mesh) {
        let body = builder.at(DVec3::Y * 1.0).spin(Vec3::new(0.5, 2.0, -2.0)).build().unwrap();
        assert_eq!(body.parts().count, 1, "{model}");
        let mut world = World::new();
        world.add_collider(Collider::floor(0.0)).unwrap();
        let handle = world.add_body(body);
        for frame in 0..120 {
            world.step(FRAME_SECS);
            let body = world.body(handle).unwrap();
            for &(a, b) in &joint {
                let away = body.vertex_position(a).distance(body.vertex_position(b));
                assert!(away < 0.12, "{model}, frame {frame}: the joint is {away} m open");
            }
        }
        let body = world.body(handle).unwrap();
        let reach = |at: [DVec3; 2]| at[0].distance(at[1]);
        let now = reach([hand, 0].map(|v| body.vertex_position(v)));
        let before = reach([hand, 0].map(|v| mesh.positions[v].as_dvec3()));
        assert!((0.7..1.4).contains(&(now / before)), "{model}: the hand is {now} m away, {before} at first");
    }
}

#[test]
fn a_cut_through_a_joint_is_closed_and_leaves_no_walls_inside() {
    let mesh = figure();
    let volume = counted_volume(&mesh);
    for (model, builder) in models(&mesh).into_iter().take(2) {
        for (at, normal) in
            [(0.15, Vec3::X), (0.0, Vec3::new(0.1, 0.2, 1.0)), (0.3, Vec3::new(1.0, 0.3, 0.2))]
        {
            let mut world = World::new();
            world.settings.gravity = Vec3::ZERO;
            world.add_body(builder.clone().build().unwrap());
            world.cut(Blade::plane(DVec3::new(at, 0.1, 0.0), normal).unwrap());
            world.step(FRAME_SECS);
            let pieces = world.bodies().count();
            assert_eq!(pieces, 2, "{model} at {at}");
            let mut sum = 0.0;
            for (_, body) in world.bodies() {
                assert_closed(body, &format!("{model} at {at}"));
                assert_eq!(body.parts().count, 1, "{model} at {at}");
                sum += body.rest().volume;
            }
            // A wall inside would be a surface twice, and its volume count twice or not at all.
            assert!((0.93..1.07).contains(&(sum / volume)), "{model} at {at}: {sum} of {volume}");
        }
    }
}

#[test]
fn only_what_is_empty_blocks_the_view() {
    let shell = (inside_out(shapes::sphere(0.22, 3)), Vec3::ZERO);
    let meshes = [
        ("balls", balls(0.4)),
        ("figure", figure()),
        (
            "boxes",
            joined(&[
                (shapes::cuboid(Vec3::ONE, [1; 3]), Vec3::ZERO),
                (shapes::cuboid(Vec3::new(1.0, 0.2, 0.3), [1; 3]), Vec3::new(0.7, 0.1, 0.0)),
                (shapes::cuboid(Vec3::new(0.2, 1.0, 0.3), [1; 3]), Vec3::new(1.0, 0.4, 0.05)),
            ]),
        ),
        (
            "a hollow ball and a rod",
            joined(&[
                (shapes::sphere(0.3, 3), Vec3::ZERO),
                shell,
                (shapes::cuboid(Vec3::new(0.9, 0.06, 0.06), [4, 1, 1]), Vec3::new(0.1, 0.05, 0.0)),
            ]),
        ),
    ];
    for (what, mesh) in meshes {
        let welded = weld(&mesh, 0.0);
        let outer = OuterSurface::new(&welded).unwrap();
        let ratio = outer.volume / counted_volume(&mesh);
        assert!((0.99..1.01).contains(&ratio), "{what}: {ratio} of the volume");
        let view = SurfaceTree::new(
            &outer.corners.concat(),
            &(0..outer.corners.len() as u32).map(|t| [3 * t, 3 * t + 1, 3 * t + 2]).collect::<Vec<_>>(),
        );
        let winding = WindingTree::new(&mesh.positions, &mesh.triangles);
        let (low, high) = mesh.bounds().expect("a mesh");
        let (mut random, mut blocked, mut open) = (Random(3), 0, 0);
        while blocked + open < 1000 {
            let a = random.within(low, high);
            let b = a + 0.25 * (random.within(Vec3::ZERO, Vec3::ONE) - 0.5);
            if !(winding.is_inside(a) && winding.is_inside(b)) {
                continue;
            }
            let empty = (1..200).filter(|i| !winding.is_inside(a.lerp(b, *i as f32 / 200.0))).count();
            // A way that only grazes the outside may miss every sample.
            if empty > 0 {
                assert!(view.crosses(a, b), "{what}: from {a} to {b} is a gap");
                blocked += 1;
            } else if view.crosses(a, b) {
                let fine = (1..20_000).any(|i| !winding.is_inside(a.lerp(b, i as f32 / 20_000.0)));
                let ends = view.distance_up_to(a, 1.0).min(view.distance_up_to(b, 1.0));
                assert!(fine || ends < 1e-4, "{what}: from {a} to {b} is material all the way");
            } else {
                open += 1;
            }
        }
        assert!(open > 100, "{what}: {open} of {blocked}");
    }
}

#[test]
fn shells_that_do_not_touch_are_said_to_be_several_bodies() {
    let apart = balls(0.7);
    let report = inspect(&apart);
    assert_eq!((report.components, report.overlapping_components, report.bodies), (2, 0, 2));
    assert!(report.verdict().iter().any(|line| line.contains("2 separate bodies")), "{:?}", report.verdict());
    for (model, builder) in models(&apart).into_iter().take(2) {
        assert_eq!(builder.build().unwrap().parts().count, 2, "{model}");
    }
    let report = inspect(&balls(0.4));
    assert_eq!((report.components, report.overlapping_components, report.bodies), (2, 2, 1));
    let said = "2, of which 2 overlap and are joined";
    assert!(report.verdict().iter().any(|line| line.contains(said)), "{:?}", report.verdict());
    let report = inspect(&shapes::sphere(0.3, 2));
    assert_eq!((report.components, report.overlapping_components, report.bodies), (1, 0, 1));
}

#[test]
fn cavities_stay_and_what_floats_in_them_is_another_body() {
    let hollow = [(shapes::sphere(0.3, 3), Vec3::ZERO), (inside_out(shapes::sphere(0.2, 3)), Vec3::ZERO)];
    let mesh = joined(&hollow);
    assert!(OuterSurface::new(&weld(&mesh, 0.0)).is_none(), "all walls of a hollow ball are outside");
    let report = inspect(&mesh);
    assert_eq!((report.overlapping_components, report.bodies), (0, 1));
    let [one, two] = hollow;
    let report = inspect(&joined(&[one.clone(), two, (shapes::sphere(0.1, 2), Vec3::ZERO)]));
    assert_eq!((report.overlapping_components, report.bodies), (0, 2));
    // The same way round, a ball in a ball is material in material.
    let mesh = joined(&[one, (shapes::sphere(0.2, 3), Vec3::ZERO)]);
    let report = inspect(&mesh);
    assert_eq!((report.overlapping_components, report.bodies), (2, 1));
    for (model, builder) in models(&mesh) {
        let body = builder.build().unwrap();
        assert_eq!(body.parts().count, 1, "{model}");
        let density = f64::from(body.material.density);
        let ratio = body.rest().nodes.total_mass / (density * shapes::sphere(0.3, 3).signed_volume());
        assert!((0.999..1.001).contains(&ratio), "{model}: {ratio}");
    }
}
