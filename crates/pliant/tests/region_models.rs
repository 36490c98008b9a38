//! The laws that hold for every model of regions: `lattice` and `octree`.

mod common;
#[path = "common/blocks.rs"]
mod made_of_blocks;

use common::{Random, deform, deformation, is_finite, momentum, weightless};
use made_of_blocks::l_bar;
use pliant::geometry::shapes;
use pliant::glam::{DVec3, Mat3, Quat, Vec3};
use pliant::math::{Mat3x8, Quatx8};
use pliant::model::regions::rest::Summation;
use pliant::model::regions::{Constants, Pull, Shares, fit};
use pliant::model::{Model, regions};
use pliant::*;

const H: f32 = 1.0 / 60.0;

/// Gives a body one of the models.
type Make = fn(BodyBuilder, f32) -> BodyBuilder;

/// Each for cells of a given size.
const MODELS: [(&str, Make); 4] = [
    ("lattice, narrow", |b, cell| b.lattice(LatticeSettings { cell, width: cell })),
    ("lattice, wide", |b, cell| b.lattice(LatticeSettings { cell, width: 3.0 * cell })),
    ("octree, uniform", |b, cell| {
        b.octree(OctreeSettings { cell, levels: 0, width: 2.0 * cell, slack: 0.0 })
    }),
    ("octree, painted", |b, cell| {
        let near = Selection::Sphere { center: Vec3::ZERO, radius: 4.0 * cell };
        b.octree(OctreeSettings { cell, levels: 2, width: cell, slack: 0.5 })
            .refine([Rule::Region { within: near, size: cell }])
            .widths(move |p| cell * (2.0 + 2.0 * (3.0 * p.x / cell).sin() + 2.0 * (2.0 * p.y / cell).cos()))
    }),
];

/// Cells of [`bar`].
const CELL: f32 = 0.1;

fn bar() -> BodyBuilder {
    Body::builder(l_bar())
}

/// A box of few nodes.
fn small() -> BodyBuilder {
    Body::builder(shapes::cuboid(Vec3::new(1.0, 0.75, 0.5), [4, 3, 2]))
}

fn undamped() -> Material {
    Material { damping: 0.0, ..Material::default() }
}

/// Stretched, sheared, dented, trembling, flying and spinning.
fn thrown(make: Make, material: Material, seed: u64) -> Body {
    let mut body = make(bar(), CELL)
        .material(material)
        .velocity(Vec3::new(3.0, -1.0, 2.0))
        .spin(Vec3::new(1.0, 4.0, -2.0))
        .build()
        .expect("a body");
    let mut random = Random::new(seed);
    let map = Mat3::from_cols(Vec3::new(1.3, 0.1, 0.0), Vec3::new(0.2, 0.8, 0.1), Vec3::new(0.0, -0.1, 1.1));
    for (x, v) in body.nodes.positions.iter_mut().zip(&mut body.nodes.velocities) {
        *x = map * *x + 0.02 * random.vec3();
        *v += 0.5 * random.vec3();
    }
    body
}

/// The parts of a model of regions that a step works with.
fn parts(body: &Body) -> (&dyn Summation, &[Constants], &Shares, &regions::State) {
    match &body.model {
        Model::Lattice(l) => (&*l.rest, &l.rest.constants, &l.rest.shares, &l.state),
        Model::Octree(o) => (&*o.rest, &o.rest.constants, &o.rest.shares, &o.state),
        other => panic!("this body's model is {}", other.name()),
    }
}

/// Lasting strain of the region that has most.
fn plastic_strain(body: &Body) -> f32 {
    let strain = |s: &Mat3| (*s - Mat3::IDENTITY).to_cols_array().iter().map(|v| v * v).sum::<f32>().sqrt();
    parts(body).3.plastic.iter().map(strain).fold(0.0, f32::max)
}

#[test]
fn a_body_at_rest_stays_so_however_it_is_turned() {
    let mut random = Random::new(1);
    for (name, make) in MODELS {
        for _ in 0..4 {
            let body = make(bar(), CELL).turned(random.rotation()).build().expect("a body");
            let before = body.nodes.positions.clone();
            let mut world = weightless();
            let handle = world.add_body(body);
            common::run(&mut world, 300, H);
            let body = world.body(handle).expect("there");
            let moved =
                body.nodes.positions.iter().zip(&before).map(|(a, b)| a.distance(*b)).fold(0.0, f32::max);
            assert!(moved < 1e-5, "{name}: moved by {moved} m");
            assert!(deformation(body) < 1e-5, "{name}");
        }
    }
}

#[test]
fn momentum_is_conserved_over_2000_steps() {
    for (name, make) in MODELS {
        let plastic = Some(Plasticity { yield_strain: 0.05, creep_per_sec: 2.0, max_strain: 0.6 });
        let materials =
            [undamped(), Material::default(), Material { alpha: 1.0, plasticity: plastic, ..undamped() }];
        for (k, material) in materials.into_iter().enumerate() {
            let body = thrown(make, material, 7 + k as u64);
            let (linear, angular) = momentum(&body);
            let mut world = weightless();
            let handle = world.add_body(body);
            let steps = if k == 0 { 2000 } else { 300 };
            for step in 1..=steps {
                let report = world.step(H);
                assert_eq!(report.contained, 0);
                if step % 100 == 0 {
                    let (now, turning) = momentum(world.body(handle).expect("there"));
                    let off = (now - linear).length() / linear.length();
                    let twisted = (turning - angular).length() / angular.length();
                    assert!(off < 1e-5, "{name}, material {k}, step {step}: linear drifts by {off:.1e}");
                    assert!(twisted < 1e-3, "{name}, material {k}, step {step}: angular by {twisted:.1e}");
                }
            }
        }
    }
}

/// Goals by nothing but gather, fit and scatter: without what the step takes out of all pulls at its end.
fn goals(body: &Body) -> Vec<DVec3> {
    let (sums, constants, shares, state) = parts(body);
    let nodes = body.nodes.positions.iter().zip(&body.nodes.velocities).zip(&shares.masses);
    let fields: Vec<_> = nodes.map(|((x, v), &share)| fit::field(*x, *v, share)).collect();
    let mut moments = sums.gather(&fields);
    let mut rotations: Vec<Quatx8> = state.rotations.clone();
    let pull = Pull { alpha: 1.0, damping: 0.5, h: H };
    let of_regions = moments.chunks_mut(fit::BLOCK).zip(constants.chunks(fit::BLOCK / 8));
    for ((moments, constants), rotations) in of_regions.zip(rotations.chunks_mut(fit::BLOCK / 8)) {
        let mut maps = vec![Mat3x8::default(); constants.len()];
        let block = fit::Block { moments, constants, rotations, plastic: &mut [], maps: &mut maps };
        fit::goals(block, None, &pull);
    }
    let scattered = sums.scatter(&moments);
    scattered
        .iter()
        .zip(&shares.inverse)
        .map(|(field, &inverse)| Vec3::from_slice(&field.0).as_dvec3() * f64::from(inverse))
        .collect()
}

#[test]
fn goals_have_the_momentum_of_the_nodes_before_anything_is_corrected() {
    for (name, make) in MODELS {
        for seed in 0..6 {
            let mut body = thrown(make, undamped(), seed);
            let mut random = Random::new(100 + seed);
            if seed >= 3 {
                body.nodes.positions.iter_mut().for_each(|x| *x = random.vec3());
            }
            let goals = goals(&body);
            let masses = &body.rest().nodes.masses;
            let nodes = masses.iter().zip(&body.nodes.positions).zip(&goals);
            let (mut shift, mut turn, mut pull, mut torque) = (DVec3::ZERO, DVec3::ZERO, 0.0, 0.0);
            for ((&m, x), goal) in nodes {
                let (m, x) = (f64::from(m), x.as_dvec3());
                shift += m * (*goal - x);
                turn += m * x.cross(*goal - x);
                pull += m * (*goal - x).length();
                torque += m * x.length() * (*goal - x).length();
            }
            assert!(pull > 0.0);
            let (off, twisted) = (shift.length() / pull, turn.length() / torque);
            assert!(off < 1e-5, "{name}, state {seed}: goals are off by {off:.1e} of all pulls");
            assert!(twisted < 1e-5, "{name}, state {seed}: goals are turned by {twisted:.1e} of all torques");
        }
    }
}

#[test]
fn spinning_is_not_damped_and_wobbling_is() {
    for (name, make) in MODELS {
        let material = Material { damping: 2.0, alpha: 1.0, ..Material::default() };
        let build = || make(bar(), CELL).material(material);
        let body = build()
            .velocity(Vec3::new(3.0, -1.0, 2.0))
            .spin(Vec3::new(1.0, 2.0, -1.0))
            .build()
            .expect("a body");
        let ((linear, angular), energy) = (momentum(&body), common::kinetic_energy(&body));
        let mut world = weightless();
        let handle = world.add_body(body);
        common::run(&mut world, 500, 1e-3);
        let body = world.body(handle).expect("there");
        let (now, turning) = momentum(body);
        assert!((now - linear).length() < 1e-5 * linear.length(), "{name}");
        assert!((turning - angular).length() < 1e-3 * angular.length(), "{name}");
        let lost = 1.0 - common::kinetic_energy(body) / energy;
        assert!(lost.abs() < 1e-3, "{name}: rigid motion lost {lost:.1e} of its energy");

        let mut body = build().build().expect("a body");
        let nodes = body.nodes.velocities.iter_mut().zip(&body.nodes.positions);
        nodes.for_each(|(v, x)| *v = Vec3::new(x.y * 8.0, 0.0, 0.0).sin());
        let (_, angular) = momentum(&body);
        let before = common::kinetic_energy(&body);
        let handle = world.add_body(body);
        common::run(&mut world, 500, 1e-3);
        let body = world.body(handle).expect("there");
        let (linear, _) = momentum(body);
        // What is left may only be the rigid motion that was in it.
        let mass = body.rest().nodes.total_mass;
        let spin = angular.length_squared() / (2.0 * mass * 0.02);
        let rigid = linear.length_squared() / (2.0 * mass) + spin;
        let left = common::kinetic_energy(body);
        assert!(left < 0.1 * before + rigid, "{name}: {left} J of {before} J are left, {rigid} J rigid");
    }
}

/// Inverts, flattens to a plane, a line or a point, or scrambles.
fn spoil(body: &mut Body, random: &mut Random) -> &'static str {
    let mut turned = |kept: Vec3| {
        let (a, b) = (random.rotation(), random.rotation());
        Mat3::from_quat(a) * Mat3::from_diagonal(kept) * Mat3::from_quat(b)
    };
    let maps = [
        ("inverted", turned(Vec3::new(1.0, 1.0, -1.0))),
        ("inverted and stretched", turned(Vec3::new(-0.2, -3.0, -1.0))),
        ("flat", turned(Vec3::new(1.0, 1.0, 0.0))),
        ("a line", turned(Vec3::new(1.0, 0.0, 0.0))),
        ("a point", Mat3::ZERO),
        ("scrambled", Mat3::IDENTITY),
    ];
    let (kind, map) = maps[random.below(maps.len())];
    deform(body, map);
    if kind == "scrambled" {
        body.nodes.positions.iter_mut().for_each(|x| *x = 0.5 * random.vec3());
    }
    kind
}

fn nothing_blows_up(states: std::ops::Range<u64>) {
    let sound = MODELS.map(|(name, make)| (name, make(small(), 0.25).build().expect("a body")));
    for seed in states {
        let mut random = Random::new(seed);
        let (name, body) = &sound[random.below(sound.len())];
        let mut body = body.clone();
        body.material = Material {
            alpha: [0.0, 1.0, random.unit()][random.below(3)],
            damping: [0.0, 0.3, random.magnitude(0.01, 1e3)][random.below(3)],
            plasticity: [None, Some(Plasticity::default())][random.below(2)],
            ..Material::default()
        };
        let kind = spoil(&mut body, &mut random);
        let speed = random.magnitude(1e-3, 1e4);
        body.nodes.velocities.iter_mut().for_each(|v| *v = speed * random.vec3());
        let h = random.magnitude(1e-6, 1.0);
        let material = body.material;
        let mut world = weightless();
        let handle = world.add_body(body);
        for _ in 0..40 {
            let contained = world.step(h).contained;
            assert!(
                contained == 0 && is_finite(world.body(handle).expect("there")),
                "{name}, state {seed}, {kind} at {speed} m/s, steps of {h} s: {contained} contained; {material:?}"
            );
        }
    }
}

#[test]
fn nothing_blows_up_from_500_states_at_any_step() {
    nothing_blows_up(0..500);
}

#[test]
#[ignore = "long: 20,000 states"]
fn nothing_blows_up_from_20000_states_at_any_step() {
    nothing_blows_up(500..20_500);
}

fn comes_back(states: std::ops::Range<u64>) {
    let sound = MODELS.map(|(name, make)| (name, make(small(), 0.25).build().expect("a body")));
    let mut stuck = Vec::new();
    for seed in states {
        let mut random = Random::new(seed);
        let (name, body) = &sound[random.below(sound.len())];
        let mut body = body.clone();
        body.material = Material { alpha: random.between(0.2, 1.0), ..Material::default() };
        let kind = spoil(&mut body, &mut random);
        let speed = random.magnitude(1e-3, 10.0);
        body.nodes.velocities.iter_mut().for_each(|v| *v = speed * random.vec3());
        let h = random.magnitude(2e-3, 1.0);
        let mut world = weightless();
        let handle = world.add_body(body);
        let mut off = f64::INFINITY;
        for _ in 0..40 {
            common::run(&mut world, 50, h);
            // What still spins is stretched by it: the spin is taken out.
            let body = world.body_mut(handle).expect("there");
            let velocity = body.velocity().as_vec3();
            body.nodes.velocities.fill(velocity);
            off = deformation(body);
            if off < 1e-3 {
                break;
            }
        }
        if off >= 1e-3 {
            stuck.push(format!("{name}, state {seed}, {kind}, steps of {h} s: off by {off:.1e}"));
        }
    }
    assert!(stuck.is_empty(), "{} are stuck:\n{}", stuck.len(), stuck.join("\n"));
}

#[test]
fn a_body_left_alone_comes_back_from_500_states() {
    comes_back(0..500);
}

#[test]
fn a_body_is_the_same_far_from_the_origin() {
    for (name, make) in MODELS {
        let at = |place: f64| {
            let mut body = thrown(make, Material::default(), 3);
            body.nodes.origin += DVec3::new(place, -place, 0.5 * place);
            let mut world = weightless();
            let handle = world.add_body(body);
            common::run(&mut world, 300, H);
            world.remove_body(handle).expect("there")
        };
        let here = at(0.0);
        for place in [1e3, 1e6] {
            let there = at(place);
            assert_eq!(here.nodes.positions, there.nodes.positions, "{name} at {place} m");
            assert_eq!(here.nodes.velocities, there.nodes.velocities, "{name} at {place} m");
        }
    }
}

#[test]
fn a_body_stands_on_a_floor_far_away_as_it_does_here() {
    for (name, make) in MODELS {
        let height = |place: f64| {
            let mut world = World::new();
            world.add_collider(Collider::floor(place)).expect("a floor");
            let body =
                make(small(), 0.25).at(DVec3::new(place, place + 0.5, -place)).build().expect("a body");
            let handle = world.add_body(body);
            common::run(&mut world, 240, H);
            world.body(handle).expect("there").center_of_mass().y - place
        };
        let here = height(0.0);
        for place in [1e3, 1e6] {
            let there = height(place);
            assert!((here - there).abs() < 1e-4, "{name} at {place} m: {there} m high, not {here} m");
        }
    }
}

#[test]
fn a_grain_and_a_mountain_move_as_a_body_of_a_metre_does() {
    for (name, make) in MODELS {
        // The paint of the last one is a function of the mesh, which is not scaled: so neither is what it paints.
        if name == "octree, painted" {
            continue;
        }
        let at = |scale: f32| {
            let mut body = make(small().scale(scale), 0.25 * scale).build().expect("a body");
            let mut random = Random::new(5);
            for (x, v) in body.nodes.positions.iter_mut().zip(&mut body.nodes.velocities) {
                *x = Vec3::new(1.2, 0.9, 0.8) * *x + 0.02 * scale * random.vec3();
                *v = 0.3 * scale * random.vec3();
            }
            let mut world = weightless();
            let handle = world.add_body(body);
            common::run(&mut world, 30, H);
            let body = world.remove_body(handle).expect("there");
            body.nodes.positions.iter().map(|x| *x / scale).collect::<Vec<_>>()
        };
        let metre = at(1.0);
        for scale in [1e-3, 1e3] {
            let other = at(scale);
            assert_eq!(metre.len(), other.len(), "{name} at {scale}");
            let off = metre.iter().zip(&other).map(|(a, b)| a.distance(*b)).fold(0.0, f32::max);
            assert!(off < 1e-4, "{name} at {scale}: off by {off}");
        }
    }
}

/// One of each, falling and held, with plasticity.
fn busy_world(cell: f32) -> World {
    let mut world = World::new();
    world.add_collider(Collider::floor(0.0)).expect("a floor");
    for (i, (_, make)) in MODELS.into_iter().enumerate() {
        let material = Material { plasticity: (i % 2 == 1).then(Plasticity::default), ..Material::default() };
        let body = make(bar(), cell)
            .material(material)
            .at(DVec3::new(2.0 * i as f64, 0.3, 0.0))
            .spin(Vec3::new(3.0, 1.0, 2.0))
            .build()
            .expect("a body");
        let handle = world.add_body(body);
        world.pin(handle, &Selection::Nodes(vec![0])).expect("a pin");
        world.pick(handle, 7, PickSettings::default()).expect("a pick");
    }
    world.wind(Wind::default()).expect("wind");
    world
}

fn hashes(world: &mut World, frames: usize) -> Vec<u64> {
    (0..frames)
        .map(|_| {
            world.step(H);
            world.state_hash()
        })
        .collect()
}

#[cfg(feature = "parallel")]
#[test]
fn any_number_of_threads_gives_the_same_bits() {
    let on = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
        pool.install(|| hashes(&mut busy_world(0.05), 15))
    };
    let one = on(1);
    for threads in [2, 7] {
        assert_eq!(one, on(threads), "{threads} threads");
    }
}

#[test]
fn a_restored_world_goes_on_bit_for_bit() {
    let mut world = busy_world(0.1);
    common::run(&mut world, 40, H);
    let snapshot = Snapshot::from_bytes(&world.snapshot().to_bytes()).expect("sound");
    let first = hashes(&mut world, 60);
    let mut other = World::new();
    other.restore(&snapshot);
    assert_eq!(hashes(&mut other, 60), first);
}

/// How thick a block is after it was squeezed for a second and then left alone, as part of what it was.
fn after_squeezing(make: Make, plasticity: Option<Plasticity>) -> (f64, f32) {
    let material = Material { plasticity, ..Material::default() };
    let mut body = make(small(), 0.125).material(material).build().expect("a body");
    deform(&mut body, Mat3::from_diagonal(Vec3::new(1.0, 0.6, 1.0)));
    let mut world = weightless();
    let handle = world.add_body(body);
    let pin = world.pin(handle, &Selection::All).expect("a pin");
    common::run(&mut world, 60, H);
    world.remove_tool(pin).expect("there");
    common::run(&mut world, 240, H);
    let body = world.body(handle).expect("there");
    let extent = |points: &[Vec3]| {
        let ys = || points.iter().map(|x| f64::from(x.y));
        ys().fold(f64::MIN, f64::max) - ys().fold(f64::MAX, f64::min)
    };
    let ratio = extent(&body.nodes.positions) / extent(&body.rest().nodes.rest_positions);
    (ratio, plastic_strain(body))
}

#[test]
fn a_plastic_block_stays_squeezed_and_an_elastic_one_does_not() {
    for (name, make) in MODELS {
        let (elastic, none) = after_squeezing(make, None);
        assert!((elastic - 1.0).abs() < 1e-3 && none == 0.0, "{name}: {elastic}");
        let plasticity = Plasticity { yield_strain: 0.05, creep_per_sec: 10.0, max_strain: 1.0 };
        let (plastic, strain) = after_squeezing(make, Some(plasticity));
        assert!((0.5..0.85).contains(&plastic), "{name}: {plastic}, strained by {strain}");
    }
}

#[test]
fn the_lasting_strain_is_bounded() {
    for (name, make) in MODELS {
        for max_strain in [0.0, 0.05, 0.2] {
            let plasticity = Plasticity { yield_strain: 0.05, creep_per_sec: 20.0, max_strain };
            let (_, strain) = after_squeezing(make, Some(plasticity));
            assert!(strain <= max_strain * 1.02 + 1e-5, "{name}: {strain}, not {max_strain}");
        }
    }
}

/// How far the free end of a bar that is held at the other sinks.
fn sag(make: impl Fn(BodyBuilder) -> BodyBuilder) -> f64 {
    let mesh = shapes::cuboid(Vec3::new(1.0, 0.2, 0.2), [10, 2, 2]);
    let body = make(Body::builder(mesh)).build().expect("a body");
    let held = Selection::Box { min: Vec3::splat(-9.0), max: Vec3::new(-0.39, 9.0, 9.0) };
    let end = body.select(&Selection::Box { min: Vec3::new(0.4, -9.0, -9.0), max: Vec3::splat(9.0) });
    let mut world = World::new();
    let handle = world.add_body(body);
    world.pin(handle, &held).expect("a pin");
    common::run(&mut world, 600, H);
    let body = world.body(handle).expect("there");
    -end.iter().map(|&node| body.nodes.world_position(node as usize).y).sum::<f64>() / end.len() as f64
}

#[test]
fn wider_regions_sag_less() {
    let cell = 0.05;
    let lattice = |width: f32| sag(|b| b.lattice(LatticeSettings { cell, width: width * cell }));
    let octree =
        |width: f32| sag(|b| b.octree(OctreeSettings { cell, levels: 0, width: width * cell, slack: 0.5 }));
    for (name, narrow, wide) in
        [("lattice", lattice(1.0), lattice(3.0)), ("octree", octree(1.0), octree(3.0))]
    {
        println!("{name}: {narrow:.4} m at w, {wide:.4} m at 3 w");
        assert!(wide > 0.0 && narrow > 1.5 * wide, "{name}: {narrow} m at w, {wide} m at 3 w");
    }
}

#[test]
fn a_standing_cube_settles() {
    let cell = 1.0 / 12.0;
    let makes: [(&str, Make); 2] = [
        ("lattice", |b, cell| b.lattice(LatticeSettings { cell, width: 4.0 * cell })),
        ("octree", |b, cell| b.octree(OctreeSettings { cell, levels: 2, width: 4.0 * cell, slack: 0.5 })),
    ];
    for (name, make) in makes {
        let mut world = World::new();
        world.add_collider(Collider::floor(0.0)).expect("a floor");
        let cube = Body::builder(shapes::cuboid(Vec3::ONE, [4; 3])).at([0.0, 1.0, 0.0]);
        let handle = world.add_body(make(cube, cell).build().expect("a body"));
        common::run(&mut world, 360, H);
        let body = world.body(handle).expect("there");
        let (low, high) = body.skin().positions.iter().fold((f64::MAX, f64::MIN), |(low, high), x| {
            let y = body.nodes.origin.y + f64::from(x.y);
            (low.min(y), high.max(y))
        });
        let fastest = body.nodes.velocities.iter().map(|v| v.length()).fold(0.0, f32::max);
        println!("{name}: from {low:.4} m to {high:.4} m, {fastest:.1e} m/s");
        assert!(low > -0.02 && (0.9..1.02).contains(&high), "{name}: from {low} m to {high} m");
        assert!(fastest < 0.01, "{name}: {fastest} m/s");
        let aside = body.center_of_mass().with_y(0.0).length();
        assert!(aside < 0.01, "{name}: {aside} m aside");
    }
}

#[test]
fn a_body_of_one_cell_stands_on_the_floor() {
    for (name, make) in [MODELS[0], MODELS[2]] {
        let mut world = World::new();
        world.add_collider(Collider::floor(0.0)).expect("a floor");
        let body = Body::builder(shapes::cuboid(Vec3::splat(0.25), [1; 3])).at([0.0, 0.4, 0.0]);
        let body = make(body, 0.25).build().expect("a body");
        assert_eq!(body.nodes.positions.len(), 1);
        let handle = world.add_body(body);
        let mut lowest = f64::MAX;
        for _ in 0..120 {
            common::run(&mut world, 1, H);
            lowest = lowest.min(world.body(handle).expect("there").center_of_mass().y);
        }
        assert!((lowest - 0.125).abs() < 1e-3, "{name}: its middle comes down to {lowest} m");
    }
}

#[test]
fn no_node_of_a_round_lattice_is_alone() {
    for (name, mesh) in [("sphere", shapes::sphere(0.5, 4)), ("torus", shapes::torus(0.5, 0.13, 48, 24))] {
        for cell in [0.043, 0.05, 0.07, 0.09, 0.11] {
            let settings = LatticeSettings { cell, width: 2.0 * cell };
            let (_, rest) = made_of_blocks::lattice_of(Body::builder(mesh.clone()), settings);
            let count = rest.cells.len();
            let mut joined = vec![false; count];
            for (node, links) in rest.links.iter().enumerate() {
                for axis in (0..3).filter(|&axis| links[axis]) {
                    let cell = rest.cells[node] + pliant::glam::UVec3::AXES[axis];
                    let key = |c: &pliant::glam::UVec3| [c.z, c.y, c.x];
                    let next =
                        rest.cells.binary_search_by_key(&key(&cell), key).expect("a link has two ends");
                    (joined[node], joined[next]) = (true, true);
                }
            }
            let alone = joined.iter().filter(|joined| !**joined).count();
            assert_eq!(alone, 0, "{name}, cells of {cell} m: {alone} of {count} nodes");
        }
    }
}

#[test]
fn the_origin_follows_nodes_that_were_moved_without_it() {
    for (name, make) in MODELS {
        let mut body = make(bar(), CELL).build().expect("a body");
        let place = body.center_of_mass() + DVec3::X * 5.0;
        body.nodes.positions.iter_mut().for_each(|x| x.x += 5.0);
        let mut world = weightless();
        let handle = world.add_body(body);
        common::run(&mut world, 2, H);
        let body = world.body(handle).expect("there");
        assert!(body.center_of_mass().distance(place) < 1e-4, "{name}: at {}", body.center_of_mass());
        assert!(body.nodes.origin.distance(place) < 0.1, "{name}: the origin is at {}", body.nodes.origin);
    }
}

#[test]
fn elastic_energy_is_there_after_a_step_that_strained_the_body() {
    for (name, make) in MODELS {
        let mut body = make(bar(), CELL).build().expect("a body");
        deform(&mut body, Mat3::from_diagonal(Vec3::new(1.2, 0.9, 1.0)));
        let mut world = weightless();
        let handle = world.add_body(body);
        world.step(1e-3);
        let strained = world.energy(1e-3).elastic;
        assert!(strained > 0.0, "{name}: {strained} J");
        world.body_mut(handle).expect("there").place(DVec3::ZERO, Quat::IDENTITY).expect("a place");
        world.step(1e-3);
        let relaxed = world.energy(1e-3).elastic;
        assert!(relaxed < 1e-6 * strained, "{name}: {relaxed} J");
    }
}
