//! What the levels of a model hold: energy, volume and matches.
#![expect(clippy::unwrap_used, reason = "helpers of tests may fail as tests do")]

use pliant::geometry::shapes;
use pliant::glam::{Mat3, Quat, Vec3};
use pliant::model::Level;
use pliant::*;

const STEP_SECS: f32 = 1.0 / 60.0;

/// A bar of 16×4×4 cells: four levels.
fn bar(poisson_ratio: f32) -> Body {
    let settings = HierarchySettings { cell: Some(0.1), levels: Some(4), ..HierarchySettings::default() };
    let material = Material::default().with_young_modulus(1e5, poisson_ratio);
    let mesh = shapes::cuboid(Vec3::new(1.6, 0.4, 0.4), [16, 4, 4]);
    Body::builder(mesh).material(material).model(settings).build().unwrap()
}

/// The levels of a body whose nodes are somewhere else.
fn levels_where(body: &Body, to: impl Fn(Vec3) -> Vec3) -> (Vec<Level>, f64) {
    let mut body = body.clone();
    let rest = body.rest().nodes.rest_positions.clone();
    body.nodes.positions.iter_mut().zip(&rest).for_each(|(x, rest)| *x = to(*rest));
    (body.levels(STEP_SECS, STEP_SECS), body.elastic_energy(STEP_SECS, STEP_SECS))
}

fn energies(levels: &[Level]) -> Vec<f64> {
    levels.iter().map(Level::energy).collect()
}

#[test]
fn every_level_has_all_of_the_body_s_volume_and_the_finest_all_of_its_energy() {
    let torus = shapes::torus(0.4, 0.15, 40, 20);
    let settings = HierarchySettings { cell: Some(0.05), ..HierarchySettings::default() };
    let torus = Body::builder(torus).model(settings).build().unwrap();
    for body in [bar(0.3), torus] {
        let (levels, elastic) =
            levels_where(&body, |x| x + Vec3::new(0.1 * x.y, 0.3 * x.x * x.x, -0.2 * x.x * x.y));
        assert!(
            levels.len() > 2 && levels.windows(2).all(|pair| pair[1].regions.len() < pair[0].regions.len())
        );
        assert!((levels[0].energy() / elastic - 1.0).abs() < 1e-4, "{} and {elastic} J", levels[0].energy());
        let volume = body.rest().nodes.total_mass / f64::from(body.material.density);
        for level in &levels {
            let sum: f64 = level.regions.iter().map(|region| f64::from(region.volume)).sum();
            assert!((sum / volume - 1.0).abs() < 1e-3, "{sum} of {volume} m³");
        }
        let energies = energies(&levels);
        assert!(energies.windows(2).all(|pair| pair[1] <= 1.0001 * pair[0]), "{energies:?}");
    }
}

#[test]
fn an_even_stretch_is_seen_by_all_levels_alike_and_is_as_much_as_hooke_s_law_has_it() {
    let (strain, ratio) = (0.02_f32, 0.25);
    let body = bar(ratio);
    let turn = Mat3::from_quat(Quat::from_xyzw(0.1, 0.3, -0.2, 0.9).normalize());
    let stretch = Mat3::from_diagonal(Vec3::new(1.0 + strain, 1.0 - ratio * strain, 1.0 - ratio * strain));
    let (levels, _) = levels_where(&body, |x| turn * (stretch * x));
    let density = 0.5e5 * strain * strain;
    for level in &levels {
        for region in &level.regions {
            assert!((region.density() / density - 1.0).abs() < 0.01, "{} J/m³", region.density());
            assert!((level.strain(region) / strain - 1.0).abs() < 0.01);
        }
        assert!((level.max_density() / density - 1.0).abs() < 0.01);
    }
}

#[test]
fn what_ripples_within_a_voxel_is_seen_by_the_levels_below_only() {
    // Every other layer of cells is moved aside: no strain in the mean over two of them, but for the outermost nodes. Those are a
    // half of a quarter of the voxels of the next level, so they leave it 1/4 · 1/4 of the energy, and half as much to each level above.
    let body = bar(0.0);
    let cell = 0.1;
    let ripple = |x: Vec3| {
        let layer = ((x.x + 0.8) / cell) as i32;
        x + Vec3::Y * if layer % 2 == 0 { 0.002 } else { -0.002 }
    };
    let found = energies(&levels_where(&body, ripple).0);
    assert!(found[1] < 0.07 * found[0] && found[2] < 0.04 * found[0], "{found:?}");
    // Voxels of half the bar's thickness see much of a bend; in those as thick as the bar the two sides cancel.
    let bend = |x: Vec3| {
        let turn = 0.6 * x.x;
        let (sin, cos) = pliant::math::functions::sin_cos(turn);
        let radius = 1.0 / 0.6 - x.y;
        Vec3::new(radius * sin, 1.0 / 0.6 - radius * cos, x.z)
    };
    let found = energies(&levels_where(&body, bend).0);
    assert!(found[1] > 0.4 * found[0] && found[2] < 1e-3 * found[0], "{found:?}");
}

#[test]
fn a_world_tells_the_matches_of_its_latest_substep() {
    let mut world = World::with_settings(WorldSettings { substeps: 1, ..WorldSettings::default() });
    let body = world.add_body(bar(0.3));
    assert!(world.levels(body).unwrap().iter().all(|level| level.matches == 0));
    let before = world.state_hash();
    world.add_tool(Tool::Wind(Wind::default())).unwrap();
    world.step(STEP_SECS);
    let levels = world.levels(body).unwrap();
    assert!(levels[0].matches >= levels[0].regions.len() as u64 && levels[1].matches > 0, "{levels:?}");
    // Asking changes nothing.
    let mut copied = World::new();
    copied.restore(&world.snapshot());
    let (mut asked, mut not) = (copied, world);
    assert_ne!(before, not.state_hash());
    for _ in 0..5 {
        asked.levels(body).unwrap();
        asked.step(STEP_SECS);
        not.step(STEP_SECS);
    }
    assert_eq!(asked.state_hash(), not.state_hash());
    let lattice = LatticeSettings { cell: Some(0.25), ..LatticeSettings::default() };
    let plain = Body::builder(shapes::cuboid(Vec3::ONE, [4; 3])).model(lattice).build().unwrap();
    let plain = not.add_body(plain);
    assert_eq!(not.levels(plain).unwrap(), []);
    not.remove_body(plain).unwrap();
    assert!(not.levels(plain).is_err());
}

#[test]
fn a_body_far_from_rest_has_finite_levels() {
    let body = bar(0.45);
    let inverted = |x: Vec3| Vec3::new(-3.0 * x.x, 1e3 * x.y, 0.0);
    let nodes: Vec<fn(Vec3) -> Vec3> = vec![|_| Vec3::ZERO, inverted, |x| 1e-6 * x];
    for to in nodes {
        let (levels, _) = levels_where(&body, to);
        let regions = levels.iter().flat_map(|level| &level.regions);
        assert!(regions.clone().all(|c| c.energy.is_finite() && c.energy >= 0.0 && c.middle.is_finite()));
    }
}
