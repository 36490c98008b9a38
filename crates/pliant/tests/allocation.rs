//! A steady step allocates nothing.

#![expect(unsafe_code, reason = "a global allocator that counts is unsafe to write")]

mod common;

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
    let plastic = Material { plasticity: Some(Plasticity::default()), ..Material::default() };
    let bodies = [
        common::small_box().clustering(Clustering::Grid { cells: [2, 2, 2], overlap: 0.5 }).material(plastic),
        common::small_ball().settings(ClusterSettings {
            matching: Matching::Quadratic,
            area_cap: Some(cap),
            ..ClusterSettings::default()
        }),
        Body::builder(shapes::sphere(0.5, 4)).clustering(Clustering::Spread { count: 12, overlap: 0.5 }),
        Body::builder(shapes::sphere(0.5, 2))
            .lattice(LatticeSettings { cell: 0.08, width: 0.2 })
            .material(plastic),
        Body::builder(shapes::sphere(0.5, 2))
            .octree(OctreeSettings { cell: 0.06, levels: 2, width: 0.2, slack: 0.5 })
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

fn allocations_in_steady_steps() -> usize {
    let mut world = busy_world();
    // Until all have landed: what touches for the first time needs room.
    common::run(&mut world, 200, 1.0 / 60.0);
    let before = COUNT.with(Cell::get);
    common::run(&mut world, 100, 1.0 / 60.0);
    COUNT.with(Cell::get) - before
}

#[test]
fn a_steady_step_allocates_nothing() {
    #[cfg(feature = "parallel")]
    let count = {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a thread");
        pool.install(allocations_in_steady_steps)
    };
    #[cfg(not(feature = "parallel"))]
    let count = allocations_in_steady_steps();
    assert_eq!(count, 0, "allocations in 100 steps");
}
