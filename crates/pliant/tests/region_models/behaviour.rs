//! What bodies do: stand, sag, settle, keep their dents.

use super::*;

/// How thick a block is after it was squeezed for a second and then left alone, as part of what it was.
fn after_squeezing(make: Make, plasticity: Option<Plasticity>) -> (f64, f32) {
    let material = Material::default().with_plasticity(plasticity);
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
    let lattice =
        |width: f32| sag(|b| b.model(LatticeSettings { cell: Some(cell), width: Some(width * cell) }));
    let octree = |width: f32| {
        sag(|b| {
            b.model(OctreeSettings {
                cell: Some(cell),
                levels: Some(0),
                width: Some(width * cell),
                slack: 0.5,
            })
        })
    };
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
        ("lattice", |b, cell| b.model(LatticeSettings { cell: Some(cell), width: Some(4.0 * cell) })),
        ("octree", |b, cell| {
            b.model(OctreeSettings { cell: Some(cell), levels: Some(2), width: Some(4.0 * cell), slack: 0.5 })
        }),
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
            let settings = LatticeSettings { cell: Some(cell), width: Some(2.0 * cell) };
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
