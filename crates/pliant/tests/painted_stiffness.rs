//! Bodies of elements that are stiffer in one part than in another.

mod common;

use common::{run, weightless};
use pliant::geometry::shapes;
use pliant::glam::{DVec3, Vec3};
use pliant::*;

const H: f32 = 1.0 / 60.0;

/// A bar of 1 m along x.
fn bar(modulus: f32, solver: ElementSolver) -> BodyBuilder {
    let settings =
        ElementSettings { cell: Some(0.05), solver, tolerance: 1e-4, ..ElementSettings::default() };
    Body::builder(shapes::cuboid(Vec3::new(1.0, 0.2, 0.2), [10, 2, 2]))
        .material(Material::default().with_young_modulus(modulus, 0.0).with_damping(0.0))
        .model(settings)
}

#[test]
fn twice_as_stiff_everywhere_is_twice_the_modulus_bit_for_bit() {
    for solver in [ElementSolver::Implicit, ElementSolver::Explicit] {
        let swung = |builder: BodyBuilder| {
            let mut body = builder.spin([3.0, 1.0, 5.0]).build().expect("a body");
            body.nodes.positions.iter_mut().for_each(|x| x.y += 0.3 * x.x * x.x);
            let mut world = weightless();
            let handle = world.add_body(body);
            run(&mut world, 20, H);
            let body = world.body(handle).expect("there");
            let stress = body.model.stress(&body.rest().nodes, 7).expect("elements have stress");
            (body.nodes.positions.clone(), stress, body.elastic_energy(H, H))
        };
        let painted = swung(bar(5e4, solver).stiffness(|_| 2.0));
        assert_eq!(painted, swung(bar(1e5, solver)), "{solver:?}");
        assert_ne!(painted.0, swung(bar(5e4, solver)).0, "{solver:?}");
    }
}

/// How many times as long the left and the right half of a bar have become that is pulled at its ends.
fn stretched(world: &mut World, handle: BodyHandle) -> [f64; 2] {
    for way in [-1.0, 1.0_f32] {
        let end = Selection::Box {
            min: Vec3::new(if way < 0.0 { -9.0 } else { 0.46 }, -9.0, -9.0),
            max: Vec3::new(if way < 0.0 { -0.46 } else { 9.0 }, 9.0, 9.0),
        };
        let pin = world.pin(handle, &end).expect("a pin");
        world.move_tool(pin, DVec3::X * 0.02 * f64::from(way)).expect("it moves");
    }
    run(world, 240, H);
    let body = world.body(handle).expect("there");
    let places = &body.rest().nodes.rest_positions;
    let mean = |x: f32| {
        let layer: Vec<usize> = (0..places.len()).filter(|&node| (places[node].x - x).abs() < 0.01).collect();
        assert!(layer.len() >= 16);
        layer.iter().map(|&node| body.nodes.world_position(node).x).sum::<f64>() / layer.len() as f64
    };
    [mean(-0.05) - mean(-0.4), mean(0.4) - mean(0.05)].map(|length| length / 0.35)
}

#[test]
fn a_bar_of_a_soft_and_a_stiff_half_is_stretched_as_their_moduli_say() {
    let half = |place: Vec3| if place.x > 0.0 { 4.0 } else { 1.0 };
    let bar = bar(5e4, ElementSolver::Implicit).stiffness(half);
    let mut world = weightless();
    let handle = world
        .add_body(bar.material(Material::default().with_young_modulus(5e4, 0.0)).build().expect("a bar"));
    let [soft, stiff] = stretched(&mut world, handle);
    assert!(soft > 1.03, "× {soft}");
    // What a stretch is resisted with, for Green strain and a modulus of 1.
    let pull = |stretch: f64| 0.5 * (stretch * stretch - 1.0) * stretch;
    assert!((pull(soft) / pull(stiff) - 4.0).abs() < 0.1, "× {soft} and × {stiff}");
    // The pull is the same all along it.
    let body = world.body(handle).expect("there");
    let places = &body.rest().nodes.rest_positions;
    let stress = |x: f32| {
        let near = |node: &usize| places[*node].distance(Vec3::new(x, 0.025, 0.025)) < 0.01;
        let node = (0..places.len()).find(near).expect("a cell");
        body.model.stress(&body.rest().nodes, node).expect("elements have stress").x_axis.x
    };
    assert!(
        (stress(-0.225) / stress(0.225) - 1.0).abs() < 0.03,
        "{} Pa, {} Pa",
        stress(-0.225),
        stress(0.225)
    );
}

#[test]
fn pieces_are_as_stiff_as_the_whole_was_there() {
    let half = |place: Vec3| if place.x > 0.0 { 4.0 } else { 1.0 };
    let mut world = weightless();
    let body = bar(5e4, ElementSolver::Implicit).stiffness(half).build().expect("a bar");
    let (mut whole, handle) = (weightless(), world.add_body(body.clone()));
    whole.add_body(body);
    for world in [&mut world, &mut whole] {
        let handle = world.bodies().next().expect("a body").0;
        let body = world.body_mut(handle).expect("there");
        body.nodes.positions.iter_mut().for_each(|x| x.x *= 1.1);
    }
    world.cut_body(handle, Blade::plane([0.12, 0.0, 0.0], Vec3::X).expect("a blade")).expect("there");
    world.step(H);
    whole.step(H);
    assert_eq!(world.bodies().count(), 2);
    let energy = |world: &World| world.bodies().map(|(_, body)| body.elastic_energy(H, H)).sum::<f64>();
    assert!(
        (energy(&world) / energy(&whole) - 1.0).abs() < 1e-12,
        "{} J, {} J",
        energy(&world),
        energy(&whole)
    );
}

#[test]
fn what_is_painted_beyond_what_can_be_solved_for_is_as_much_as_can() {
    for times in [f32::NAN, f32::INFINITY, -1.0, 0.0, 1e9] {
        let body = bar(5e4, ElementSolver::Implicit).stiffness(move |_| times).build().expect("a bar");
        let mut world = weightless();
        world.add_body(body);
        run(&mut world, 10, H);
        assert!(
            world.bodies().all(|(_, body)| body.nodes.positions.iter().all(|x| x.is_finite())),
            "{times}"
        );
    }
}
