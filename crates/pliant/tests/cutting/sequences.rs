//! Random sequences of cuts.

use super::*;
use pliant::{Clustering, ElementSettings, ElementSolver, Material};

#[derive(Clone, Copy, Debug)]
pub enum Kind {
    Plane,
    Stroke,
    EndsInside,
    Grazing,
    AlongTheGrid,
    ThroughCorners,
    WithAHole,
    Ball,
    Polygon,
    Again,
    Scissors,
}

pub const KINDS: [Kind; 11] = [
    Kind::Plane,
    Kind::Stroke,
    Kind::EndsInside,
    Kind::Grazing,
    Kind::AlongTheGrid,
    Kind::ThroughCorners,
    Kind::WithAHole,
    Kind::Ball,
    Kind::Polygon,
    Kind::Again,
    Kind::Scissors,
];

fn bodies() -> Vec<(&'static str, Body)> {
    let sheet = shapes::cuboid(Vec3::new(1.0, 0.12, 1.0), [4, 1, 4]);
    let lattice = LatticeSettings { cell: Some(0.1), width: Some(0.2) };
    let spread = Clustering::Spread { count: 4, overlap: 0.5 };
    vec![
        ("an octree cube", octree_cube(8)),
        ("an octree ball", octree_of(shapes::sphere(0.5, 3), 0.1)),
        ("a lattice torus", Body::builder(shapes::torus(0.4, 0.16, 32, 16)).model(lattice).build().unwrap()),
        ("a lattice sheet", Body::builder(sheet).model(lattice).build().unwrap()),
        (
            "clusters",
            Body::builder(shapes::capsule(0.25, 0.6, 16, 8))
                .model_with(|of: &mut pliant::ClusterSettings| of.clustering = spread)
                .build()
                .unwrap(),
        ),
    ]
}

/// Bodies of elements: implicit and explicit, thick and thin, with gaps between cells.
fn elements() -> [(&'static str, Body); 3] {
    let settings = |cell, solver| ElementSettings { cell: Some(cell), solver, ..ElementSettings::default() };
    let body = |mesh, settings: ElementSettings| {
        let material = Material::default().with_young_modulus(2e4, 0.3);
        Body::builder(mesh).material(material).model(settings).build().unwrap()
    };
    let sheet = shapes::cuboid(Vec3::new(1.0, 0.12, 1.0), [4, 1, 4]);
    [
        (
            "an element cube",
            body(shapes::cuboid(Vec3::ONE, [2; 3]), settings(0.125, ElementSolver::Implicit)),
        ),
        ("an element torus", body(shapes::torus(0.4, 0.16, 32, 16), settings(0.1, ElementSolver::Explicit))),
        ("an element sheet", body(sheet, settings(0.1, ElementSolver::Implicit))),
    ]
}

pub fn blade(kind: Kind, random: &mut Random, middle: DVec3, before: Option<&Blade>) -> Option<Blade> {
    let at = middle + 0.2 * random.vector().as_dvec3();
    let along = random.vector().normalize_or(Vec3::X).as_dvec3();
    let (u, v) = along.any_orthonormal_pair();
    match kind {
        Kind::Plane => Blade::plane(at, along.as_vec3()).ok(),
        Kind::Stroke => {
            let path = [-2.0, -0.5, 0.4, 2.0].map(|s| {
                let here = at + s * u + 0.05 * random.vector().as_dvec3();
                [here - 2.0 * v, here + 2.0 * v]
            });
            Blade::swept(&path).ok()
        }
        Kind::EndsInside => {
            Blade::swept(&[[at - 2.0 * u - 2.0 * v, at - 2.0 * u + 2.0 * v], [at - 2.0 * v, at + 2.0 * v]])
                .ok()
        }
        Kind::Grazing => {
            Blade::plane(middle + along * f64::from(0.5 + 0.02 * (random.unit() - 0.5)), along.as_vec3()).ok()
        }
        Kind::AlongTheGrid => {
            let axis = Vec3::AXES[random.below(3)];
            let cells = (random.unit() * 8.0).floor() / 8.0 - 0.5;
            Blade::plane(middle + (axis * cells).as_dvec3(), axis).ok()
        }
        Kind::ThroughCorners => {
            let signs = random.vector().signum();
            Blade::plane(middle, signs / 3.0_f32.sqrt()).ok()
        }
        Kind::WithAHole => {
            let ring = |radius: f64| {
                (0..=16)
                    .map(move |k| f64::from(k) * std::f64::consts::TAU / 16.0)
                    .map(move |a| at + radius * (a.cos() * u + a.sin() * v))
                    .collect::<Vec<_>>()
            };
            Blade::between(&ring(0.2), &ring(2.0)).ok()
        }
        Kind::Ball => Blade::mesh(&shapes::sphere(0.15 + 0.3 * random.unit(), 2), at).ok(),
        Kind::Polygon => Blade::polygon(&[at + u, at + 0.3 * v, at - u, at - v]).ok(),
        Kind::Again => before.cloned(),
        Kind::Scissors => None,
    }
}

fn run_sequence(seed: u64, name: &str, body: &Body, cuts: usize) {
    let mut random = Random::new(seed);
    let mut world = space();
    let mut body = body.clone();
    // What pieces do to each other is not what is asked here.
    body.contacts.bodies = false;
    body.set_motion(random.vector(), random.vector()).unwrap();
    world.add_body(body);
    let (mass, momentum, angular) = totals(&world);
    let scale = mass * 2.0;
    let mut before: Option<Blade> = None;
    for cut in 0..cuts {
        let kind = KINDS[random.below(KINDS.len())];
        let when = format!("{name}, seed {seed}, cut {cut} ({kind:?})");
        let weight: f64 = world.bodies().map(|(_, body)| body.rest().nodes.total_mass).sum();
        let middle = world
            .bodies()
            .map(|(_, body)| body.center_of_mass() * body.rest().nodes.total_mass)
            .sum::<DVec3>()
            / weight;
        match blade(kind, &mut random, middle, before.as_ref()) {
            Some(blade) => {
                world.cut(blade.clone());
                before = Some(blade);
            }
            None => world.scissors(None, middle, random.vector()).unwrap(),
        }
        world.step(FRAME_SECS);
        world.bodies().for_each(|(_, body)| assert_closed(body, &when));
        let now = totals(&world);
        assert!((now.0 - mass).abs() < 1e-5 * mass, "{when}: the mass was {mass}, is {}", now.0);
        assert!((now.1 - momentum).length() < 1e-5 * scale, "{when}: momentum {momentum} → {}", now.1);
        assert!((now.2 - angular).length() < 1e-5 * scale, "{when}: angular {angular} → {}", now.2);
        for event in world.cuts() {
            if let Ok(parted) = &event.result {
                assert_eq!(Some(parted.pieces[0]), event.body, "{when}");
                assert!(parted.pieces.iter().all(|&piece| world.body(piece).is_ok()), "{when}");
                assert!(parted.closed, "{when}");
            }
        }
    }
    for _ in 0..120 {
        assert_eq!(world.step(FRAME_SECS).contained, 0, "{name}, seed {seed}");
    }
    for (_, body) in world.bodies() {
        assert!(body.skin().positions.iter().all(|p| p.is_finite()), "{name}, seed {seed}");
        assert!(body.nodes.velocities.iter().all(|v| v.length() < 50.0), "{name}, seed {seed}: it flies off");
    }
}

#[test]
fn after_any_cut_the_surface_is_closed_and_nothing_is_lost() {
    for (at, (name, body)) in bodies().iter().enumerate() {
        (0..6).for_each(|seed| run_sequence(seed * 5 + at as u64, name, body, 4));
    }
}

#[test]
#[ignore = "2,000 sequences, some minutes in release"]
fn after_any_of_2000_sequences_of_cuts_the_surface_is_closed_and_nothing_is_lost() {
    for (at, (name, body)) in bodies().iter().enumerate() {
        (0..400).for_each(|seed| run_sequence(seed * 5 + at as u64, name, body, 5));
    }
}

#[test]
fn after_any_cut_of_elements_the_surface_is_closed_and_nothing_is_lost() {
    for (at, (name, body)) in elements().iter().enumerate() {
        (0..7).for_each(|seed| run_sequence(seed * 3 + at as u64, name, body, 4));
    }
}

#[test]
#[ignore = "500 sequences, some minutes in release"]
fn after_any_of_500_sequences_of_cuts_of_elements_the_surface_is_closed_and_nothing_is_lost() {
    for seed in 0..500 {
        let all = elements();
        let (name, body) = &all[seed as usize % all.len()];
        run_sequence(1000 + seed, name, body, 5);
    }
}

#[test]
fn cutting_the_same_place_a_thousand_times_does_not_grow_the_mesh() {
    let mut world = space();
    let handle = world.add_body(lattice_cube(6));
    let blade = Blade::swept(&[
        [DVec3::new(-1.0, 0.0, -1.0), DVec3::new(-1.0, 0.0, 1.0)],
        [DVec3::new(0.1, 0.02, -1.0), DVec3::new(0.1, 0.02, 1.0)],
    ])
    .unwrap();
    let mut counts = Vec::new();
    for cut in 0..1000 {
        world.cut(blade.clone());
        world.step(FRAME_SECS);
        if cut % 100 == 0 || cut == 999 {
            let body = world.body(handle).unwrap();
            assert_closed(body, "again");
            counts.push((body.rest().mesh.triangles.len(), body.nodes.positions.len()));
        }
    }
    assert_eq!(world.bodies().count(), 1);
    assert!(counts.windows(2).all(|pair| pair[1] == pair[0]), "{counts:?}");
}

#[test]
fn cuts_give_the_same_bits_on_any_number_of_threads() {
    let work = || {
        let mut world = space();
        world.add_body(octree_cube(12));
        world.cut(plane([0.03, 0.0, 0.0], [1.0, 0.4, 0.2]));
        world.step(FRAME_SECS);
        world.cut(plane([0.0, 0.02, 0.0], [0.1, 1.0, 0.2]));
        run(&mut world, 0..10);
        assert!(world.bodies().count() >= 4);
        world.state_hash()
    };
    let with = |threads: usize| rayon_pool(threads, work);
    assert_eq!(with(1), with(2));
    assert_eq!(with(1), with(7));
}

fn rayon_pool(threads: usize, work: impl FnOnce() -> u64 + Send) -> u64 {
    rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap().install(work)
}
