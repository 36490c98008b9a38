//! A steady step allocates nothing.

#![expect(unsafe_code, reason = "a global allocator that counts is unsafe to write")]

mod common;
#[path = "conformance/models.rs"]
mod models;

use models::{Entry, MODELS};
use pliant::geometry::shapes;
use pliant::glam::{DVec3, Vec3};
use pliant::*;
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

/// The system's allocator, counting what each thread asks of it.
struct Counting;

thread_local! {
    static COUNT: Cell<usize> = const { Cell::new(0) };
}

// SAFETY: every call goes to the system's allocator as it came; counting touches nothing but a thread's own cell.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        COUNT.with(|count| count.set(count.get() + 1));
        // SAFETY: the caller's promises are passed on.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: the caller's promises are passed on.
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        COUNT.with(|count| count.set(count.get() + 1));
        // SAFETY: the caller's promises are passed on.
        unsafe { System.realloc(pointer, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn busy_world() -> World {
    let mut world = World::new();
    world.add_collider(Collider::floor(0.0)).expect("a floor");
    let cap = AreaCap { method: CapMethod::Blend, limit: 4.0, soft_from: Some(3.5) };
    let plastic = Material::default().with_plasticity(Plasticity::default());
    let bodies = [
        common::small_box()
            .model_with(|of: &mut pliant::ClusterSettings| {
                of.clustering = Clustering::Grid { cells: [2, 2, 2], overlap: 0.5 }
            })
            .material(plastic),
        common::small_ball().model_with(|of: &mut pliant::ClusterSettings| {
            of.set_goals(GoalSettings {
                matching: Matching::Quadratic,
                area_cap: Some(cap),
                ..GoalSettings::default()
            })
        }),
        Body::builder(shapes::sphere(0.5, 4)).model_with(|of: &mut pliant::ClusterSettings| {
            of.clustering = Clustering::Spread { count: 12, overlap: 0.5 }
        }),
        Body::builder(shapes::sphere(0.5, 2))
            .model(LatticeSettings { cell: Some(0.08), width: Some(0.2) })
            .material(plastic),
        Body::builder(shapes::sphere(0.5, 2))
            .model(OctreeSettings { cell: Some(0.06), levels: Some(2), width: Some(0.2), slack: 0.5 })
            .refine([Rule::Surface { size: 0.12 }])
            .material(plastic),
    ];
    for (i, builder) in bodies.into_iter().enumerate() {
        let body = builder.at(DVec3::new(2.0 * i as f64, 1.0, 0.0)).spin(Vec3::ONE).build().expect("a body");
        let handle = world.add_body(body);
        world.pick(handle, 2, PickSettings::default()).expect("a pick");
        world.pin(handle, &Selection::Nodes(vec![0])).expect("a pin");
    }
    world.wind(Wind::default()).expect("wind");
    world.push(Push::new(DVec3::Y, 0.2)).expect("a push");
    world
}

/// Bodies of one model, of every material, that fall onto each other, held, picked, pushed and blown at.
fn world_of(model: &Entry) -> World {
    let mut world = World::new();
    world.add_collider(Collider::floor(0.0)).expect("a floor");
    for (i, (_, material)) in model.materials().into_iter().enumerate() {
        let place = DVec3::new(0.1 * i as f64, 0.6 + 1.1 * i as f64, 0.0);
        let body = model.body(shapes::sphere(0.5, 2), 0.1).material(material).at(place).spin(Vec3::ONE);
        let handle = world.add_body(body.build().expect("a body"));
        world.pick(handle, 2, PickSettings::default()).expect("a pick");
        world.pin(handle, &Selection::Nodes(vec![0])).expect("a pin");
    }
    world.wind(Wind::default()).expect("wind");
    world.push(Push::new(DVec3::Y, 0.2)).expect("a push");
    world
}

fn allocations_in_steady_steps(mut world: World) -> usize {
    // Until all have landed: what touches for the first time needs room.
    common::run(&mut world, 200, 1.0 / 60.0);
    let before = COUNT.with(Cell::get);
    common::run(&mut world, 100, 1.0 / 60.0);
    COUNT.with(Cell::get) - before
}

/// Everything on the thread that counts.
fn on_one_thread<R: Send>(work: impl FnOnce() -> R + Send) -> R {
    #[cfg(feature = "parallel")]
    return rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a thread").install(work);
    #[cfg(not(feature = "parallel"))]
    return work();
}

#[test]
fn a_steady_step_allocates_nothing() {
    let count = on_one_thread(|| allocations_in_steady_steps(busy_world()));
    assert_eq!(count, 0, "allocations in 100 steps");
}

#[test]
fn a_steady_step_of_any_model_allocates_nothing() {
    for model in MODELS {
        let count = on_one_thread(|| allocations_in_steady_steps(world_of(model)));
        assert_eq!(count, 0, "{}: allocations in 100 steps", model.word);
    }
}

#[test]
fn a_steady_step_of_attached_bodies_allocates_nothing() {
    let count = on_one_thread(|| {
        let mut world = World::new();
        let cube = |at: DVec3| {
            Body::builder(shapes::cuboid(Vec3::ONE, [4; 3]))
                .model(LatticeSettings { cell: Some(0.25), width: None })
                .at(at)
                .build()
                .expect("a body")
        };
        let [a, b] = [DVec3::ZERO, DVec3::X].map(|at| world.add_body(cube(at)));
        let left = Selection::Box { min: Vec3::splat(-9.0), max: Vec3::new(-0.25, 9.0, 9.0) };
        world.pin(a, &left).expect("a pin");
        world.attach_nodes([b, a], [&left, &Selection::All], Some(1e9)).expect("an attachment");
        allocations_in_steady_steps(world)
    });
    assert_eq!(count, 0, "allocations in 100 steps");
}
