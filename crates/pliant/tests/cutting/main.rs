//! Cutting: whatever the blade, the body and the place, the surface stays closed, nothing is lost, and nothing holds on across.

#![expect(clippy::unwrap_used, reason = "helpers of tests may fail as tests do")]

mod hand_over;
mod knife;
mod mixed;
mod scissors;
mod sequences;
mod skin;
#[path = "../common/surface.rs"]
mod surface;
mod tearing;

use pliant::cut::{Blade, Refusal};
use pliant::geometry::{TriMesh, shapes};
use pliant::glam::{DVec3, Vec3};
use pliant::{Body, BodyHandle, LatticeSettings, OctreeSettings, Rule, World, WorldSettings};
use surface::{assert_closed, totals};

const FRAME_SECS: f32 = 1.0 / 60.0;

/// A world without gravity.
fn space() -> World {
    let mut world = World::with_settings(WorldSettings { gravity: Vec3::ZERO, ..WorldSettings::default() });
    world.settings.sleep.speed = 0.0;
    world
}

/// A cube of 1 m whose nodes are 1/n m apart everywhere.
fn lattice_cube(n: u32) -> Body {
    let cell = 1.0 / n as f32;
    let settings = LatticeSettings { cell: Some(cell), width: Some(2.0 * cell) };
    Body::builder(shapes::cuboid(Vec3::ONE, [2; 3])).model(settings).build().unwrap()
}

/// A cube of 1 m with coarse cells that can become as fine as 1/n m.
fn octree_cube(n: u32) -> Body {
    let cell = 1.0 / n as f32;
    let settings = OctreeSettings { cell: Some(cell), levels: Some(2), width: Some(2.0 * cell), slack: 0.5 };
    Body::builder(shapes::cuboid(Vec3::ONE, [2; 3])).model(settings).build().unwrap()
}

/// A mesh as an octree with fine cells along the surface.
fn octree_of(mesh: TriMesh, cell: f32) -> Body {
    let settings = OctreeSettings { cell: Some(cell), levels: Some(2), width: Some(2.0 * cell), slack: 0.5 };
    let rule = Rule::Surface { size: 2.0 * cell };
    Body::builder(mesh).model(settings).refine([rule]).build().unwrap()
}

/// Steps once for each frame.
fn run(world: &mut World, frames: std::ops::Range<u32>) {
    for _ in frames {
        world.step(FRAME_SECS);
    }
}

fn plane(point: [f64; 3], normal: [f32; 3]) -> Blade {
    Blade::plane(DVec3::from(point), Vec3::from(normal)).unwrap()
}

/// A world without gravity with one body, after it was cut once.
fn cut_once(body: Body, blade: Blade) -> (World, BodyHandle) {
    let mut world = space();
    let handle = world.add_body(body);
    world.cut(blade);
    world.step(FRAME_SECS);
    (world, handle)
}

/// A generator that gives the same numbers everywhere.
struct Random(u64);

impl Random {
    fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    /// In [0, 1).
    fn unit(&mut self) -> f32 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 40) as f32 / (1 << 24) as f32
    }

    /// In [-1, 1)³.
    fn vector(&mut self) -> Vec3 {
        Vec3::new(self.unit(), self.unit(), self.unit()) * 2.0 - 1.0
    }

    fn below(&mut self, count: usize) -> usize {
        ((self.unit() * count as f32) as usize).min(count - 1)
    }
}
