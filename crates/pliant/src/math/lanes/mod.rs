//! Eight `f32` at once: the lanes that kernels run on, and the choice of how they run.
//!
//! A kernel is written once, over [`Lanes`], and started with [`run`]. Where the CPU has AVX2 it runs on
//! 256-bit registers, in a browser with SIMD on pairs of 128-bit ones, elsewhere on plain arrays ([`F32x8`] itself). The
//! choice of AVX2 is made at run time, so one binary serves every machine; WebAssembly can make it only when it is compiled.
//!
//! All ways give the same bits: every operation rounds once, as IEEE 754 says. For this reason there is no
//! fused multiply-add and no approximate reciprocal here; a simulation that repeats on another machine is
//! worth more than the last fifth of speed.

#[cfg(target_arch = "x86_64")]
mod avx2;
mod plain;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod simd128;

#[cfg(target_arch = "x86_64")]
use avx2 as widest;
#[cfg(not(any(target_arch = "x86_64", all(target_arch = "wasm32", target_feature = "simd128"))))]
use plain as widest;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
use simd128 as widest;

use serde::{Deserialize, Serialize};
use std::ops::{Add, BitAnd, BitOr, Div, Mul, Neg, Not, Sub};

/// How many values one register of [`Lanes`] holds.
pub const LANES: usize = 8;

/// Eight values in memory, and the register of the plain path.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[repr(C, align(32))]
pub struct F32x8(pub [f32; LANES]);

impl F32x8 {
    /// The same value in every lane.
    pub const fn splat(value: f32) -> Self {
        Self([value; LANES])
    }
}

/// Eight answers of a comparison.
pub trait LaneMask: Copy + BitAnd<Output = Self> + BitOr<Output = Self> + Not<Output = Self> {
    /// One bit a lane, the first lane lowest.
    fn bits(self) -> u8;

    /// Whether the answer is yes in every lane.
    #[inline(always)]
    fn all(self) -> bool {
        self.bits() == u8::MAX
    }
}

/// A register of eight `f32`. Kernels are generic over it and compiled once for each kind.
///
/// Comparisons with NaN are false. `max` and `min` return the second value where one is NaN.
pub trait Lanes:
    Copy + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + Div<Output = Self> + Neg<Output = Self>
{
    /// What a comparison returns.
    type Mask: LaneMask;
    /// The same value in every lane.
    fn splat(value: f32) -> Self;
    /// Reads a register from memory.
    fn load(from: &F32x8) -> Self;
    /// Reads four values into the first lanes and four into the last.
    fn load_two(first: &[f32; LANES / 2], last: &[f32; LANES / 2]) -> Self;
    /// The register as it stands in memory.
    fn store(self) -> F32x8;
    /// Square root, rounded correctly.
    fn sqrt(self) -> Self;
    /// Absolute value.
    fn abs(self) -> Self;
    /// The larger value.
    fn max(self, other: Self) -> Self;
    /// The smaller value.
    fn min(self, other: Self) -> Self;
    /// `self > other`.
    fn gt(self, other: Self) -> Self::Mask;
    /// `self >= other`.
    fn ge(self, other: Self) -> Self::Mask;
    /// `yes` where the mask is set, `no` elsewhere.
    fn select(mask: Self::Mask, yes: Self, no: Self) -> Self;
    /// Lane i of register j becomes lane j of register i: eight rows become eight columns.
    fn transpose(rows: [Self; LANES]) -> [Self; LANES];
}

/// Work written over [`Lanes`], with its data.
pub trait Kernel {
    /// What the work returns.
    type Output;
    /// Does the work. Mark it, and all it calls with registers, `#[inline(always)]`: only then is it compiled
    /// for the wide registers.
    fn run<L: Lanes>(self) -> Self::Output;
}
/// Runs a kernel on the widest registers this CPU has.
#[inline]
pub fn run<K: Kernel>(kernel: K) -> K::Output {
    widest::run(kernel)
}

/// Runs a kernel on plain arrays, with the same bits as [`run`]. For tests, and for CPUs without AVX2.
pub fn run_plain<K: Kernel>(kernel: K) -> K::Output {
    plain::run(kernel)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every operation on two registers; masks as numbers.
    struct Everything(F32x8, F32x8);

    impl Kernel for Everything {
        type Output = Vec<F32x8>;

        #[inline(always)]
        fn run<L: Lanes>(self) -> Vec<F32x8> {
            let (a, b) = (L::load(&self.0), L::load(&self.1));
            let (gt, ge) = (a.gt(b), a.ge(b));
            let halves: [[f32; 4]; 2] = [0, 4].map(|from| std::array::from_fn(|lane| self.0.0[from + lane]));
            let results = [
                a + b,
                a - b,
                a * b,
                a / b,
                -a,
                a.sqrt(),
                a.abs(),
                a.max(b),
                a.min(b),
                L::select(gt, a, b),
                L::select(!ge, a, b),
                L::splat(f32::from((gt & ge).bits())),
                L::splat(f32::from((gt | !ge).bits())),
                L::splat(f32::from(u8::from(ge.all()))),
                L::load_two(&halves[0], &halves[1]),
            ];
            let columns = L::transpose([a, b, a + b, a - b, a * b, -a, a.sqrt(), a.abs()]);
            results.iter().chain(&columns).map(|v| v.store()).collect()
        }
    }

    #[test]
    fn every_operation_gives_the_same_bits_on_both_paths() {
        let values =
            [0.0, -0.0, 1.0, -1.5, 1e-45, 3e38, -1e-20, f32::INFINITY, f32::NEG_INFINITY, f32::NAN, 0.1];
        for shift in 0..values.len() {
            for other in 0..values.len() {
                let a = F32x8(std::array::from_fn(|lane| values[(lane + shift) % values.len()]));
                let b = F32x8(std::array::from_fn(|lane| values[(3 * lane + other) % values.len()]));
                // IEEE 754 leaves the payload of a NaN open.
                let bits = |v: F32x8| v.0.map(|v| if v.is_nan() { u32::MAX } else { v.to_bits() });
                let wide: Vec<_> = run(Everything(a, b)).into_iter().map(bits).collect();
                let plain: Vec<_> = run_plain(Everything(a, b)).into_iter().map(bits).collect();
                assert_eq!(wide, plain, "{a:?} {b:?}");
            }
        }
    }
}
