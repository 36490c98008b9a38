//! Rotations a second, ours and nalgebra's, on the same matrices in the same run on one core.
//!
//! Before the timings it prints how far each is from an f64 oracle.

use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use glam::{Mat3, Quat, Vec3};
use nalgebra as na;
use pliant::math::{
    Mat3x8, Quatx8, rotation, rotations_cold, rotations_cold_x8, rotations_warm, rotations_warm_x8,
};

/// Matrices a measurement, a body's worth of regions: 100 kB, so that caches matter as they do in a step.
const COUNT: usize = 2048;

/// Matrices as shape matching meets them, and the rotations of the step before.
struct Inputs {
    a: Vec<Mat3>,
    warm: Vec<Quat>,
}

/// Random rotations of random stretches (0.7 … 1.4 along random axes), whose warm starts are off by an angle
/// between `turn.0` and `turn.1` in radians.
fn inputs(count: usize, turn: (f32, f32), seed: u64) -> Inputs {
    let mut random = Random(seed);
    let mut inputs = Inputs { a: Vec::new(), warm: Vec::new() };
    for _ in 0..count {
        let (r, axes) = (random.rotation(), Mat3::from_quat(random.rotation()));
        let stretch = Vec3::from_array(std::array::from_fn(|_| random.between(0.7, 1.4)));
        let s = axes * Mat3::from_diagonal(stretch) * axes.transpose();
        inputs.a.push(Mat3::from_quat(r) * s);
        let axis = random.rotation() * Vec3::X;
        inputs.warm.push(r * Quat::from_axis_angle(axis, random.between(turn.0, turn.1)));
    }
    inputs
}

/// SplitMix64.
struct Random(u64);

impl Random {
    fn between(&mut self, low: f32, high: f32) -> f32 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        low + (high - low) * ((z ^ (z >> 31)) >> 40) as f32 / (1u64 << 24) as f32
    }

    fn rotation(&mut self) -> Quat {
        loop {
            let q = glam::Vec4::from_array(std::array::from_fn(|_| self.between(-1.0, 1.0)));
            if (0.01..1.0).contains(&q.length_squared()) {
                return Quat::from_vec4(q.normalize());
            }
        }
    }
}

/// The rotation part by nalgebra's singular values, with the sign mended (\[Ume91\]).
fn by_nalgebra_svd<T: na::RealField + Copy>(a: &na::Matrix3<T>) -> na::Matrix3<T> {
    let svd = a.svd(true, true);
    let (Some(mut u), Some(v_t)) = (svd.u, svd.v_t) else { return na::Matrix3::identity() };
    if (u * v_t).determinant() < T::zero() {
        u.column_mut(2).neg_mut();
    }
    u * v_t
}

/// nalgebra's iterative extraction from a warm start.
fn by_nalgebra_iteration(a: &na::Matrix3<f32>, warm: &na::Rotation3<f32>) -> na::Rotation3<f32> {
    na::Rotation3::from_matrix_eps(a, 1e-6, 50, *warm)
}

fn to_na(m: &Mat3) -> na::Matrix3<f32> {
    na::Matrix3::from_column_slice(&m.to_cols_array())
}

fn print_error(name: &str, a: &[Mat3], rotation: impl Fn(usize) -> na::Matrix3<f32>) {
    let error =
        |i: usize| (rotation(i).cast::<f64>() - by_nalgebra_svd(&to_na(&a[i]).cast::<f64>())).abs().max();
    let worst = (0..a.len()).map(error).fold(0.0, f64::max);
    println!("{name:<34} largest error of an entry {worst:.2e}");
}

fn quat_to_na(q: Quat) -> na::Matrix3<f32> {
    to_na(&Mat3::from_quat(q))
}

fn compare(c: &mut Criterion, group: &str, inputs: &Inputs, start: &[Quat], packed: Packed, flat: Flat) {
    let a_na: Vec<_> = inputs.a.iter().map(to_na).collect();
    let start_na: Vec<_> =
        start.iter().map(|&q| na::Rotation3::from_matrix_unchecked(quat_to_na(q))).collect();
    let a_packs: Vec<_> = inputs.a.chunks(8).map(Mat3x8::pack).collect();
    let start_packs: Vec<_> = start.chunks(8).map(Quatx8::pack).collect();

    let mut ours = start_packs.clone();
    let slow = packed(&a_packs, &mut ours);
    println!("{group}: {slow} of {} lanes needed the reference", inputs.a.len());
    print_error(&format!("{group}/pliant"), &inputs.a, |i| quat_to_na(ours[i / 8].get(i % 8)));
    print_error(&format!("{group}/pliant-reference"), &inputs.a, |i| {
        quat_to_na(rotation(inputs.a[i], start[i]))
    });
    print_error(&format!("{group}/nalgebra-svd"), &inputs.a, |i| by_nalgebra_svd(&a_na[i]));
    print_error(&format!("{group}/nalgebra-iteration"), &inputs.a, |i| {
        *by_nalgebra_iteration(&a_na[i], &start_na[i]).matrix()
    });

    let mut group = c.benchmark_group(group);
    group.throughput(Throughput::Elements(inputs.a.len() as u64));
    let batch = BatchSize::SmallInput;
    group.bench_function("pliant-packed", |b| {
        b.iter_batched_ref(|| start_packs.clone(), |q| packed(&a_packs, q), batch);
    });
    group.bench_function("pliant-slices", |b| {
        b.iter_batched_ref(|| start.to_vec(), |q| flat(&inputs.a, q), batch);
    });
    group.bench_function("pliant-reference", |b| {
        b.iter(|| inputs.a.iter().zip(start).map(|(&a, &q)| rotation(a, q).w).sum::<f32>());
    });
    group.bench_function("nalgebra-svd", |b| {
        b.iter(|| a_na.iter().map(|a| by_nalgebra_svd(a)[(0, 0)]).sum::<f32>());
    });
    group.bench_function("nalgebra-iteration", |b| {
        b.iter(|| a_na.iter().zip(&start_na).map(|(a, q)| by_nalgebra_iteration(a, q)[(0, 0)]).sum::<f32>());
    });
    group.finish();
}

type Packed = fn(&[Mat3x8], &mut [Quatx8]) -> usize;
type Flat = fn(&[Mat3], &mut [Quat]) -> usize;

fn warm(c: &mut Criterion) {
    let inputs = inputs(COUNT, (0.05, 0.1), 1);
    compare(c, "rotation-warm", &inputs, &inputs.warm, rotations_warm_x8, rotations_warm);
}

fn cold(c: &mut Criterion) {
    let inputs = inputs(COUNT, (0.0, 0.0), 2);
    let start = vec![Quat::IDENTITY; COUNT];
    compare(c, "rotation-cold", &inputs, &start, rotations_cold_x8, rotations_cold);
}

fn config() -> Criterion {
    use std::time::Duration;
    Criterion::default()
        .sample_size(40)
        .warm_up_time(Duration::from_millis(300))
        .measurement_time(Duration::from_millis(1500))
        .without_plots()
}

criterion_group! { name = rotations; config = config(); targets = warm, cold }
criterion_main!(rotations);
