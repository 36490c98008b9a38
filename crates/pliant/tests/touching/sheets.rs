//! Bodies that are only surfaces: both sides of them are out.

use super::{cube, middle, run};
use crate::common::weightless;
use pliant::glam::{DVec3, Vec3};
use pliant::{Body, Clustering, Material, Selection, TriMesh, World};

/// A sheet of 1 m that lies flat, with a hundred squares.
fn sheet() -> Body {
    const N: u32 = 10;
    let corner =
        |i: u32| Vec3::new((i % (N + 1)) as f32 / N as f32 - 0.5, 0.0, (i / (N + 1)) as f32 / N as f32 - 0.5);
    let square = |i: u32| {
        let at = i / N * (N + 1) + i % N;
        [[at, at + N + 1, at + 1], [at + 1, at + N + 1, at + N + 2]]
    };
    let mesh =
        TriMesh::new((0..(N + 1) * (N + 1)).map(corner).collect(), (0..N * N).flat_map(square).collect());
    Body::builder(mesh)
        .material(Material::default().with_density(1000.0).with_alpha(0.5))
        .model_with(|of: &mut pliant::ClusterSettings| {
            of.clustering = Clustering::Grid { cells: [3, 1, 3], overlap: 0.5 }
        })
        .build()
        .expect("a sheet")
}

/// A sheet that is held at two sides, and a cube that comes to it at a speed.
fn met(side: f64, speed: f32) -> (World, [pliant::BodyHandle; 2]) {
    let mut world = weightless();
    world.settings.substeps = 4;
    let sheet = world.add_body(sheet());
    for end in [-1.0_f32, 1.0] {
        let (min, max) =
            (Vec3::new((0.45 * end).min(end), -1.0, -1.0), Vec3::new((0.45 * end).max(end), 1.0, 1.0));
        world.pin(sheet, &Selection::Box { min, max }).expect("pinned");
    }
    let velocity = Vec3::Y * (-side as f32 * speed);
    let cube = cube(Material::default()).at(DVec3::Y * (0.3 * side)).velocity(velocity);
    let cube = world.add_body(cube.build().expect("a cube"));
    (world, [sheet, cube])
}

#[test]
fn a_sheet_holds_what_comes_from_either_side() {
    for side in [1.0, -1.0] {
        for speed in [0.3, 1.0, 3.0] {
            let (mut world, [sheet, cube]) = met(side, speed);
            let mut touched = false;
            for frame in 0..120 {
                run(&mut world, 1);
                touched |= !world.touches().is_empty();
                // Where the cube is, measured from the middle of the sheet.
                let apart = side * (middle(&world, cube).y - middle(&world, sheet).y);
                assert!(apart > 0.0, "from {side} at {speed} m/s, frame {frame}: {apart}");
            }
            assert!(touched, "from {side} at {speed} m/s");
        }
    }
}
