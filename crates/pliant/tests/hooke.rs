//! Bodies with a Young's modulus and a Poisson's ratio: forces that have a potential, momentum, cuts and contacts at any substeps.

use pliant::geometry::shapes;
use pliant::glam::{DVec3, Vec3};
use pliant::{Blade, Body, ClusterSettings, Clustering, Collider, LatticeSettings, Material, ModelSettings};
use pliant::{OctreeSettings, Plasticity, Rule, Selection, Sleep, SpringSettings, World, WorldSettings};

const H: f32 = 1.0 / 60.0;
const SUBSTEP: f32 = 1.0 / 240.0;

/// A bar of 0.6 m of each model; the octree has cells of two sizes.
fn bars(material: Material) -> Vec<(&'static str, Body)> {
    let half = Selection::Box { min: Vec3::NEG_ONE, max: Vec3::new(0.0, 1.0, 1.0) };
    let lattice: ModelSettings = LatticeSettings { cell: Some(0.05), width: Some(0.05) }.into();
    let octree = OctreeSettings { cell: Some(0.05), levels: Some(1), width: Some(0.15), slack: 0.5 };
    let clusters = ClusterSettings {
        clustering: Clustering::Spread { count: 8, overlap: 0.5 },
        ..ClusterSettings::default()
    };
    let bar = || Body::builder(shapes::cuboid(Vec3::new(0.6, 0.2, 0.2), [12, 4, 4])).material(material);
    vec![
        ("lattice", bar().model(lattice).build().expect("a bar")),
        (
            "octree",
            bar().model(octree).refine([Rule::Region { within: half, size: 0.05 }]).build().expect("a bar"),
        ),
        ("clusters", bar().model(clusters).build().expect("a bar")),
    ]
}

fn run(world: &mut World, frames: usize) {
    for _ in 0..frames {
        world.step(H);
    }
}

/// Something that is not the same twice.
fn noise(seed: &mut u32) -> Vec3 {
    let mut one = || {
        *seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (*seed >> 8) as f32 / (1 << 23) as f32 - 1.0
    };
    Vec3::new(one(), one(), one())
}

/// Bends, stretches and shakes a body a little.
fn deform(body: &mut Body, seed: &mut u32) {
    let rest = body.rest().nodes.rest_positions.clone();
    for (x, at) in body.nodes.positions.iter_mut().zip(rest) {
        *x += Vec3::new(0.05 * at.x + 0.1 * at.y, 0.2 * at.x * at.x, -0.03 * at.z) + 0.001 * noise(seed);
    }
}

#[test]
fn forces_are_the_slope_of_the_energy() {
    for ratio in [0.0, 0.3, 0.45] {
        for (model, mut body) in bars(Material::default().with_young_modulus(2e4, ratio)) {
            let mut seed = 7;
            deform(&mut body, &mut seed);
            let forces = body.elastic_forces(SUBSTEP, SUBSTEP);
            let ways: Vec<Vec3> = forces.iter().map(|_| noise(&mut seed)).collect();
            let work: f64 = forces.iter().zip(&ways).map(|(f, way)| f64::from(f.dot(*way))).sum();
            let size: f64 =
                forces.iter().zip(&ways).map(|(f, way)| f64::from(f.length() * way.length())).sum();
            let energy = |by: f32| {
                let mut moved = body.clone();
                moved.nodes.positions.iter_mut().zip(&ways).for_each(|(x, way)| *x += by * *way);
                moved.elastic_energy(SUBSTEP, SUBSTEP)
            };
            let slope = (energy(1e-4) - energy(-1e-4)) / 2e-4;
            // The goals of clusters have a potential to the first order of strain.
            let most = if model == "clusters" { 0.02 } else { 0.002 };
            let off = (slope + work).abs() / size;
            assert!(off < most, "{model}, {ratio}: {slope} J/m, not {} ({off})", -work);
        }
    }
}

#[test]
fn a_bar_that_spins_and_swings_keeps_its_momentum() {
    for (model, mut body) in bars(Material::default().with_young_modulus(2e4, 0.45)) {
        deform(&mut body, &mut 3);
        body.set_motion(Vec3::new(1.0, -2.0, 0.5), Vec3::new(1.0, 4.0, -2.0)).unwrap();
        let mut world =
            World::with_settings(WorldSettings { gravity: Vec3::ZERO, ..WorldSettings::default() });
        let body = world.add_body(body);
        let moments = |world: &World| {
            let body = world.body(body).unwrap();
            let masses = body.rest().nodes.masses.iter().zip(&body.nodes.velocities).enumerate();
            masses.fold((DVec3::ZERO, DVec3::ZERO), |(linear, angular), (node, (m, v))| {
                let p = f64::from(*m) * v.as_dvec3();
                (linear + p, angular + body.nodes.world_position(node).cross(p))
            })
        };
        let before = moments(&world);
        run(&mut world, 240);
        let after = moments(&world);
        let off = [(before.0, after.0), (before.1, after.1)].map(|(a, b)| (b - a).length() / a.length());
        assert!(off[0] < 1e-5 && off[1] < 1e-4, "{model}: {off:?}");
    }
}

#[test]
fn a_cube_bears_its_weight_alike_at_any_number_of_substeps() {
    for (modulus, ratio) in [(1e4, 0.0), (1e5, 0.3), (1e6, 0.0), (1e7, 0.0)] {
        let heights = [1, 4, 16].map(|substeps| {
            let mut world = World::with_settings(WorldSettings { substeps, ..WorldSettings::default() });
            world.add_collider(Collider::floor(0.0)).unwrap();
            let cube = Body::builder(shapes::cuboid(Vec3::splat(0.4), [8; 3]))
                .material(Material::default().with_young_modulus(modulus, ratio))
                .model(LatticeSettings { cell: Some(0.05), width: Some(0.05) })
                .at(DVec3::Y * 0.25);
            let cube = world.add_body(cube.build().unwrap());
            let start = world.energy().total();
            for _ in 0..240 {
                assert_eq!(world.step(H).contained, 0);
                let now = world.energy().total();
                assert!(now < 1.002 * start, "{modulus} Pa, {substeps} substeps: {now} J from {start}");
            }
            world.body(cube).unwrap().center_of_mass().y / 0.2
        });
        // Its middle comes down by a few parts of ρ g L / E.
        let soft = f64::from(1000.0 * 9.81 * 0.4 / modulus);
        let spread = heights.iter().map(|height| (height - heights[1]).abs()).fold(0.0, f64::max);
        assert!(spread < 0.02, "{modulus} Pa: {heights:?}");
        assert!(heights[1] > 0.98 - soft && heights[1] < 1.001, "{modulus} Pa: {heights:?}");
    }
}

/// What fell to 0.6 of its volume with an α, which goes soft in long substeps.
#[test]
fn pieces_of_a_cut_are_not_crushed_on_a_floor_at_one_substep() {
    let material = Material::default().with_young_modulus(1e5, 0.3);
    for (model, body) in bars(material).into_iter().take(2) {
        let mut world = World::with_settings(WorldSettings { substeps: 1, ..WorldSettings::default() });
        world.add_collider(Collider::floor(0.0)).unwrap();
        let mut body = body;
        body.place(DVec3::Y * 0.15, pliant::glam::Quat::IDENTITY).unwrap();
        world.add_body(body);
        world.cut(Blade::plane(DVec3::Y * 0.15, Vec3::new(1.0, 0.3, 0.2)).unwrap());
        for _ in 0..120 {
            assert_eq!(world.step(H).contained, 0, "{model}");
        }
        assert_eq!(world.bodies().count(), 2, "{model}");
        for (_, piece) in world.bodies() {
            let kept = piece.volume_ratio();
            assert!((0.9..1.05).contains(&kept), "{model}: {kept} of its volume");
        }
    }
}

#[test]
fn a_plastic_bar_keeps_a_bend_and_no_more() {
    let plasticity = Plasticity { yield_strain: 0.05, creep_per_sec: 20.0, max_strain: 0.5 };
    let material = Material::default().with_young_modulus(2e4, 0.3).with_plasticity(plasticity);
    for (model, mut body) in bars(material).into_iter().take(2) {
        let rest = body.rest().nodes.rest_positions.clone();
        body.nodes.positions.iter_mut().zip(&rest).for_each(|(x, at)| x.x += 0.3 * at.x);
        let mut world =
            World::with_settings(WorldSettings { gravity: Vec3::ZERO, ..WorldSettings::default() });
        let body = world.add_body(body);
        run(&mut world, 600);
        let body = world.body(body).unwrap();
        let length = |positions: &[Vec3]| {
            let ends = positions.iter().map(|x| x.x);
            ends.clone().fold(f32::MIN, f32::max) - ends.fold(f32::MAX, f32::min)
        };
        let longer = length(&body.nodes.positions) / length(&rest);
        assert!((1.02..1.3).contains(&longer), "{model}: {longer} times as long");
    }
}

#[test]
fn springs_have_a_modulus_but_no_poisson_ratio() {
    let bar = |ratio: f32| {
        Body::builder(shapes::cuboid(Vec3::new(0.6, 0.2, 0.2), [12, 4, 4]))
            .material(Material::default().with_young_modulus(2e4, ratio))
            .model(SpringSettings::default())
            .build()
    };
    assert!(bar(0.0).is_ok());
    let error = bar(0.3).unwrap_err().to_string();
    assert!(
        error.starts_with("material.poisson_ratio was given, and the model springs has no use for it"),
        "{error}"
    );
}

#[test]
fn swings_die_down_as_damping_says_whatever_the_cells_and_widths_are() {
    let left = |cell: f32, width: f32| {
        let sleep = Sleep { speed: 0.0, ..Sleep::default() };
        let settings = WorldSettings { gravity: Vec3::ZERO, sleep, ..WorldSettings::default() };
        let mut world = World::with_settings(settings);
        let bar = Body::builder(shapes::cuboid(Vec3::new(0.8, 0.2, 0.2), [8, 2, 2]))
            .material(Material::default().with_young_modulus(2e4, 0.0).with_damping(0.05))
            .model(LatticeSettings { cell: Some(cell), width: Some(width) });
        let bar = world.add_body(bar.build().unwrap());
        let body = world.body_mut(bar).unwrap();
        let rest = body.rest().nodes.rest_positions.clone();
        body.nodes.velocities.iter_mut().zip(&rest).for_each(|(v, x)| v.x = 0.2 * x.x);
        let start = world.energy().total();
        run(&mut world, 45);
        world.energy().total() / start
    };
    let decays = [(0.05, 0.05), (0.05, 0.1), (0.025, 0.025), (0.025, 0.05)]
        .map(|(cell, width)| -left(cell, width).ln());
    // The longest wave, of twice the bar's length, loses e to the power of −2 ζ ω t of its energy.
    let theory = 2.0 * 0.05 * std::f64::consts::PI / 0.8 * 20.0_f64.sqrt() * 0.75;
    assert!(decays.iter().all(|decay| (decay / theory - 1.0).abs() < 0.3), "{decays:?}, not {theory}");
}
