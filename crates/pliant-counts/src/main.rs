//! The main kernels, one at a time, always with the same work, so that their instructions can be counted.
//!
//! `benchmarks/instructions` runs it under callgrind, which counts inside the functions named `counted_…` alone: what they need
//! is prepared outside of them, and a run calls one of them once. They must not be inlined, and must not contain closures:
//! callgrind would take a closure's name, which begins with theirs, for the end of the counting.

mod scenes;

use pliant::glam::{Mat3, Quat, Vec3};
use pliant::math::{Mat3x8, Quatx8, rotations_cold_x8, rotations_warm_x8};
use pliant::{Other, World};
use std::error::Error;
use std::hint::black_box;
use std::process::ExitCode;

/// Why a kernel could not be run.
type Fault = Box<dyn Error>;

/// Prepares a kernel's work, does it, and checks that it was done.
type Kernel = fn() -> Result<(), Fault>;

const KERNELS: [(&str, Kernel); 8] = [
    ("rotation_warm", rotation_warm),
    ("rotation_cold", rotation_cold),
    ("lattice_step", || step(scenes::lattice()?)),
    ("octree_step", || step(scenes::octree()?)),
    ("cluster_step", || step(scenes::clusters()?)),
    ("skin_blend", || step(scenes::skin()?)),
    ("contact_step", contact_step),
    ("cut", cut),
];

const FRAME_SECS: f32 = 1.0 / 60.0;
/// Steps that are counted.
const STEPS: usize = 5;
/// Steps before, in which buffers grow and motion begins.
const BEFORE: usize = 3;
/// Steps in which the heap lands.
const LANDING: usize = 40;

fn main() -> ExitCode {
    let name = std::env::args().nth(1);
    let Some(name) = name else {
        println!("lanes {}", if wide() { "avx2" } else { "plain" });
        KERNELS.iter().for_each(|(name, _)| println!("{name}"));
        return ExitCode::SUCCESS;
    };
    let Some((_, kernel)) = KERNELS.iter().find(|(known, _)| *known == name) else {
        eprintln!("pliant-counts: there is no kernel {name:?}");
        return ExitCode::from(2);
    };
    match kernel() {
        Ok(()) => ExitCode::SUCCESS,
        Err(fault) => {
            eprintln!("pliant-counts: {name}: {fault}");
            ExitCode::FAILURE
        }
    }
}

/// Whether the engine takes the wide registers here; under callgrind, whether it does there.
fn wide() -> bool {
    #[cfg(target_arch = "x86_64")]
    return is_x86_feature_detected!("avx2");
    #[cfg(not(target_arch = "x86_64"))]
    return false;
}

/// 2048 matrices, stretched and turned, and rotations that were theirs a step ago.
fn matrices() -> (Vec<Mat3x8>, Vec<Quatx8>) {
    let axis = |t: f32| {
        let t = Vec3::new(0.37 * t, 0.71 * t + 0.3, 0.53 * t + 0.6);
        (t.fract() - 0.5).normalize_or(Vec3::Y)
    };
    let (mut stretched, mut before) = (Vec::new(), Vec::new());
    for i in 0..2048_u16 {
        let t = f32::from(i);
        let turn = Quat::from_axis_angle(axis(t), 6.0 * (0.61 * t).fract());
        let axes = Mat3::from_quat(Quat::from_axis_angle(axis(t + 0.5), 6.0 * (0.17 * t).fract()));
        let stretch = 0.7 + 0.7 * Vec3::new(0.29 * t, 0.43 * t, 0.83 * t).fract();
        stretched.push(Mat3::from_quat(turn) * axes * Mat3::from_diagonal(stretch) * axes.transpose());
        before.push(turn * Quat::from_axis_angle(axis(0.9 * t), 0.07));
    }
    (stretched.chunks(8).map(Mat3x8::pack).collect(), before.chunks(8).map(Quatx8::pack).collect())
}

#[inline(never)]
fn counted_rotation_warm(a: &[Mat3x8], q: &mut [Quatx8]) {
    rotations_warm_x8(black_box(a), black_box(q));
}

fn rotation_warm() -> Result<(), Fault> {
    let (a, mut q) = matrices();
    counted_rotation_warm(&a, &mut q);
    Ok(())
}

#[inline(never)]
fn counted_rotation_cold(a: &[Mat3x8], q: &mut [Quatx8]) {
    rotations_cold_x8(black_box(a), black_box(q));
}

fn rotation_cold() -> Result<(), Fault> {
    let (a, mut q) = matrices();
    counted_rotation_cold(&a, &mut q);
    Ok(())
}

#[inline(never)]
fn counted_steps(world: &mut World, count: usize) {
    steps(world, count);
}

fn steps(world: &mut World, count: usize) {
    for _ in 0..count {
        black_box(world.step(FRAME_SECS));
    }
}

fn step(mut world: World) -> Result<(), Fault> {
    steps(&mut world, BEFORE);
    counted_steps(&mut world, STEPS);
    awake(&world)
}

fn contact_step() -> Result<(), Fault> {
    let mut world = scenes::heap()?;
    steps(&mut world, LANDING);
    counted_steps(&mut world, STEPS);
    // Every cube but those of the lowest layer lies on another.
    let pairs = world.touches().iter().filter(|touch| matches!(touch.other, Other::Body(_))).count();
    if pairs < 18 {
        return Err(format!("only {pairs} pairs of bodies touch").into());
    }
    awake(&world)
}

fn cut() -> Result<(), Fault> {
    let mut world = scenes::cut()?;
    counted_steps(&mut world, 1);
    match world.bodies().count() {
        2 => Ok(()),
        count => Err(format!("it was cut into {count}, not 2").into()),
    }
}

/// Counts of bodies that sleep say nothing.
fn awake(world: &World) -> Result<(), Fault> {
    match world.bodies().filter(|(_, body)| body.is_asleep()).count() {
        0 => Ok(()),
        count => Err(format!("{count} bodies sleep").into()),
    }
}
