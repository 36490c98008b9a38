//! Eight `f32` at once: the lanes that kernels run on, and the choice of how they run.
//!
//! A kernel is written once, over [`Lanes`], and started with [`run`]. Where the CPU has AVX2 it runs on
//! 256-bit registers, in a browser with SIMD on pairs of 128-bit ones, elsewhere on plain arrays ([`F32x8`] itself). The
//! choice of AVX2 is made at run time, so one binary serves every machine; WebAssembly can make it only when it is compiled.
//!
//! All ways give the same bits: every operation rounds once, as IEEE 754 says. For this reason there is no
//! fused multiply-add and no approximate reciprocal here; a simulation that repeats on another machine is
//! worth more than the last fifth of speed.
//!
//! This is the only module of the crate with `unsafe` code.
#![cfg_attr(
    target_arch = "x86_64",
    expect(unsafe_code, reason = "AVX2 intrinsics, reached only after the CPU was asked for AVX2")
)]

use serde::{Deserialize, Serialize};
use std::ops::{Add, BitAnd, BitOr, Div, Mul, Neg, Not, Sub};

/// How many values one register of [`Lanes`] holds.
pub const LANES: usize = 8;

/// Eight values in memory, and the register of the plain path.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[repr(C, align(32))]
pub struct F32x8(pub [f32; LANES]);

/// Eight answers of a comparison, on the plain path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mask8([bool; LANES]);

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

/// The widest registers that are known to be there when this is compiled.
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
type Widest = simd128::Pair;
#[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
type Widest = F32x8;

/// Runs a kernel on the widest registers this CPU has.
#[inline]
pub fn run<K: Kernel>(kernel: K) -> K::Output {
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("avx2") {
        // SAFETY: the CPU has AVX2, which is all that `run_avx2` asks for.
        return unsafe { avx2::run_avx2(kernel) };
    }
    kernel.run::<Widest>()
}

/// Runs a kernel on plain arrays, with the same bits as [`run`]. For tests, and for CPUs without AVX2.
pub fn run_plain<K: Kernel>(kernel: K) -> K::Output {
    kernel.run::<F32x8>()
}

macro_rules! plain_binary {
    ($op:ident, $method:ident) => {
        impl $op for F32x8 {
            type Output = Self;
            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                Self(std::array::from_fn(|i| self.0[i].$method(other.0[i])))
            }
        }
    };
}
plain_binary!(Add, add);
plain_binary!(Sub, sub);
plain_binary!(Mul, mul);
plain_binary!(Div, div);

impl Neg for F32x8 {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        Self(self.0.map(|v| -v))
    }
}

impl BitAnd for Mask8 {
    type Output = Self;
    #[inline(always)]
    fn bitand(self, other: Self) -> Self {
        Self(std::array::from_fn(|i| self.0[i] & other.0[i]))
    }
}

impl BitOr for Mask8 {
    type Output = Self;
    #[inline(always)]
    fn bitor(self, other: Self) -> Self {
        Self(std::array::from_fn(|i| self.0[i] | other.0[i]))
    }
}

impl Not for Mask8 {
    type Output = Self;
    #[inline(always)]
    fn not(self) -> Self {
        Self(self.0.map(|yes| !yes))
    }
}

impl LaneMask for Mask8 {
    #[inline(always)]
    fn bits(self) -> u8 {
        self.0.iter().rev().fold(0, |bits, &yes| (bits << 1) | u8::from(yes))
    }
}

impl Lanes for F32x8 {
    type Mask = Mask8;
    #[inline(always)]
    fn splat(value: f32) -> Self {
        Self([value; LANES])
    }
    #[inline(always)]
    fn load(from: &F32x8) -> Self {
        *from
    }
    #[inline(always)]
    fn store(self) -> F32x8 {
        self
    }
    #[inline(always)]
    fn sqrt(self) -> Self {
        Self(self.0.map(f32::sqrt))
    }
    #[inline(always)]
    fn abs(self) -> Self {
        Self(self.0.map(f32::abs))
    }
    #[inline(always)]
    fn max(self, other: Self) -> Self {
        Self(std::array::from_fn(|i| if self.0[i] > other.0[i] { self.0[i] } else { other.0[i] }))
    }
    #[inline(always)]
    fn min(self, other: Self) -> Self {
        Self(std::array::from_fn(|i| if self.0[i] < other.0[i] { self.0[i] } else { other.0[i] }))
    }
    #[inline(always)]
    fn gt(self, other: Self) -> Mask8 {
        Mask8(std::array::from_fn(|i| self.0[i] > other.0[i]))
    }
    #[inline(always)]
    fn ge(self, other: Self) -> Mask8 {
        Mask8(std::array::from_fn(|i| self.0[i] >= other.0[i]))
    }
    #[inline(always)]
    fn select(mask: Mask8, yes: Self, no: Self) -> Self {
        Self(std::array::from_fn(|i| if mask.0[i] { yes.0[i] } else { no.0[i] }))
    }
    #[inline(always)]
    fn transpose(rows: [Self; LANES]) -> [Self; LANES] {
        std::array::from_fn(|i| Self(std::array::from_fn(|j| rows[j].0[i])))
    }
}

#[cfg(target_arch = "x86_64")]
mod avx2 {
    //! The 256-bit registers. [`Wide`] is private and only `run_avx2` names it, so no safe code can reach an
    //! intrinsic on a CPU without AVX2.

    use std::arch::x86_64::*;
    use std::ops::{Add, BitAnd, BitOr, Div, Mul, Neg, Not, Sub};

    use super::{F32x8, Kernel, LaneMask, Lanes};

    #[derive(Clone, Copy)]
    struct Wide(__m256);

    #[derive(Clone, Copy)]
    struct WideMask(__m256);

    /// Runs the kernel on 256-bit registers.
    #[target_feature(enable = "avx2")]
    pub(super) fn run_avx2<K: Kernel>(kernel: K) -> K::Output {
        kernel.run::<Wide>()
    }

    /// Calls an intrinsic from a method of [`Wide`] or [`WideMask`].
    macro_rules! wide {
        ($call:expr) => {
            // SAFETY: values of this module's types exist only inside `run_avx2`, so the CPU has AVX2.
            unsafe { $call }
        };
    }

    macro_rules! wide_binary {
        ($type:ident, $op:ident, $method:ident, $intrinsic:ident) => {
            impl $op for $type {
                type Output = Self;
                #[inline(always)]
                fn $method(self, other: Self) -> Self {
                    Self(wide!($intrinsic(self.0, other.0)))
                }
            }
        };
    }
    wide_binary!(Wide, Add, add, _mm256_add_ps);
    wide_binary!(Wide, Sub, sub, _mm256_sub_ps);
    wide_binary!(Wide, Mul, mul, _mm256_mul_ps);
    wide_binary!(Wide, Div, div, _mm256_div_ps);
    wide_binary!(WideMask, BitAnd, bitand, _mm256_and_ps);
    wide_binary!(WideMask, BitOr, bitor, _mm256_or_ps);

    impl Neg for Wide {
        type Output = Self;
        #[inline(always)]
        fn neg(self) -> Self {
            Self(wide!(_mm256_xor_ps(self.0, _mm256_set1_ps(-0.0))))
        }
    }

    impl Not for WideMask {
        type Output = Self;
        #[inline(always)]
        fn not(self) -> Self {
            Self(wide!(_mm256_xor_ps(self.0, _mm256_castsi256_ps(_mm256_set1_epi32(-1)))))
        }
    }

    impl LaneMask for WideMask {
        #[inline(always)]
        fn bits(self) -> u8 {
            wide!(_mm256_movemask_ps(self.0)) as u8
        }
    }

    impl Lanes for Wide {
        type Mask = WideMask;
        #[inline(always)]
        fn splat(value: f32) -> Self {
            Self(wide!(_mm256_set1_ps(value)))
        }
        #[inline(always)]
        fn load(from: &F32x8) -> Self {
            // SAFETY: as for `wide!`; the pointer is valid for eight values and `F32x8` is aligned to 32 bytes.
            Self(unsafe { _mm256_load_ps(from.0.as_ptr()) })
        }
        #[inline(always)]
        fn store(self) -> F32x8 {
            let mut to = F32x8::splat(0.0);
            // SAFETY: as for `wide!`; the pointer is valid for eight values and `F32x8` is aligned to 32 bytes.
            unsafe { _mm256_store_ps(to.0.as_mut_ptr(), self.0) };
            to
        }
        #[inline(always)]
        fn sqrt(self) -> Self {
            Self(wide!(_mm256_sqrt_ps(self.0)))
        }
        #[inline(always)]
        fn abs(self) -> Self {
            Self(wide!(_mm256_andnot_ps(_mm256_set1_ps(-0.0), self.0)))
        }
        #[inline(always)]
        fn max(self, other: Self) -> Self {
            Self(wide!(_mm256_max_ps(self.0, other.0)))
        }
        #[inline(always)]
        fn min(self, other: Self) -> Self {
            Self(wide!(_mm256_min_ps(self.0, other.0)))
        }
        #[inline(always)]
        fn gt(self, other: Self) -> WideMask {
            WideMask(wide!(_mm256_cmp_ps::<_CMP_GT_OQ>(self.0, other.0)))
        }
        #[inline(always)]
        fn ge(self, other: Self) -> WideMask {
            WideMask(wide!(_mm256_cmp_ps::<_CMP_GE_OQ>(self.0, other.0)))
        }
        #[inline(always)]
        fn select(mask: WideMask, yes: Self, no: Self) -> Self {
            Self(wide!(_mm256_blendv_ps(no.0, yes.0, mask.0)))
        }
        #[inline(always)]
        fn transpose([a, b, c, d, e, f, g, h]: [Self; 8]) -> [Self; 8] {
            // Pairs, fours, then halves: three rounds of eight shuffles.
            let (ab0, ab1) = unpacked(a, b);
            let (cd0, cd1) = unpacked(c, d);
            let (ef0, ef1) = unpacked(e, f);
            let (gh0, gh1) = unpacked(g, h);
            let (p0, p1) = shuffled(ab0, cd0);
            let (p2, p3) = shuffled(ab1, cd1);
            let (q0, q1) = shuffled(ef0, gh0);
            let (q2, q3) = shuffled(ef1, gh1);
            let (r0, r4) = halved(p0, q0);
            let (r1, r5) = halved(p1, q1);
            let (r2, r6) = halved(p2, q2);
            let (r3, r7) = halved(p3, q3);
            [r0, r1, r2, r3, r4, r5, r6, r7]
        }
    }

    #[inline(always)]
    fn unpacked(a: Wide, b: Wide) -> (Wide, Wide) {
        (Wide(wide!(_mm256_unpacklo_ps(a.0, b.0))), Wide(wide!(_mm256_unpackhi_ps(a.0, b.0))))
    }

    #[inline(always)]
    fn shuffled(a: Wide, b: Wide) -> (Wide, Wide) {
        (Wide(wide!(_mm256_shuffle_ps::<0x44>(a.0, b.0))), Wide(wide!(_mm256_shuffle_ps::<0xee>(a.0, b.0))))
    }

    #[inline(always)]
    fn halved(a: Wide, b: Wide) -> (Wide, Wide) {
        let low = Wide(wide!(_mm256_permute2f128_ps::<0x20>(a.0, b.0)));
        (low, Wide(wide!(_mm256_permute2f128_ps::<0x31>(a.0, b.0))))
    }
}

#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod simd128 {
    //! Two 128-bit registers of a browser. Nothing here is `unsafe`: a module with instructions that the browser does not know is
    //! refused as a whole, before any of it runs.

    use std::arch::wasm32::*;
    use std::ops::{Add, BitAnd, BitOr, Div, Mul, Neg, Not, Sub};

    use super::{F32x8, LaneMask, Lanes};

    /// The first four lanes and the last four.
    #[derive(Clone, Copy)]
    pub(super) struct Pair(v128, v128);

    #[derive(Clone, Copy)]
    pub(super) struct PairMask(v128, v128);

    macro_rules! pair_binary {
        ($type:ident, $op:ident, $method:ident, $instruction:ident) => {
            impl $op for $type {
                type Output = Self;
                #[inline(always)]
                fn $method(self, other: Self) -> Self {
                    Self($instruction(self.0, other.0), $instruction(self.1, other.1))
                }
            }
        };
    }
    pair_binary!(Pair, Add, add, f32x4_add);
    pair_binary!(Pair, Sub, sub, f32x4_sub);
    pair_binary!(Pair, Mul, mul, f32x4_mul);
    pair_binary!(Pair, Div, div, f32x4_div);
    pair_binary!(PairMask, BitAnd, bitand, v128_and);
    pair_binary!(PairMask, BitOr, bitor, v128_or);

    impl Neg for Pair {
        type Output = Self;
        #[inline(always)]
        fn neg(self) -> Self {
            Self(f32x4_neg(self.0), f32x4_neg(self.1))
        }
    }

    impl Not for PairMask {
        type Output = Self;
        #[inline(always)]
        fn not(self) -> Self {
            Self(v128_not(self.0), v128_not(self.1))
        }
    }

    impl LaneMask for PairMask {
        #[inline(always)]
        fn bits(self) -> u8 {
            i32x4_bitmask(self.0) | i32x4_bitmask(self.1) << 4
        }
    }

    impl Lanes for Pair {
        type Mask = PairMask;
        #[inline(always)]
        fn splat(value: f32) -> Self {
            Self(f32x4_splat(value), f32x4_splat(value))
        }
        #[inline(always)]
        fn load(&F32x8([a, b, c, d, e, f, g, h]): &F32x8) -> Self {
            Self(f32x4(a, b, c, d), f32x4(e, f, g, h))
        }
        #[inline(always)]
        fn store(self) -> F32x8 {
            let lane = |four| {
                [
                    f32x4_extract_lane::<0>(four),
                    f32x4_extract_lane::<1>(four),
                    f32x4_extract_lane::<2>(four),
                    f32x4_extract_lane::<3>(four),
                ]
            };
            let ([a, b, c, d], [e, f, g, h]) = (lane(self.0), lane(self.1));
            F32x8([a, b, c, d, e, f, g, h])
        }
        #[inline(always)]
        fn sqrt(self) -> Self {
            Self(f32x4_sqrt(self.0), f32x4_sqrt(self.1))
        }
        #[inline(always)]
        fn abs(self) -> Self {
            Self(f32x4_abs(self.0), f32x4_abs(self.1))
        }
        // The instruction returns its first value where one is NaN, we return the second.
        #[inline(always)]
        fn max(self, other: Self) -> Self {
            Self(f32x4_pmax(other.0, self.0), f32x4_pmax(other.1, self.1))
        }
        #[inline(always)]
        fn min(self, other: Self) -> Self {
            Self(f32x4_pmin(other.0, self.0), f32x4_pmin(other.1, self.1))
        }
        #[inline(always)]
        fn gt(self, other: Self) -> PairMask {
            PairMask(f32x4_gt(self.0, other.0), f32x4_gt(self.1, other.1))
        }
        #[inline(always)]
        fn ge(self, other: Self) -> PairMask {
            PairMask(f32x4_ge(self.0, other.0), f32x4_ge(self.1, other.1))
        }
        #[inline(always)]
        fn select(mask: PairMask, yes: Self, no: Self) -> Self {
            Self(v128_bitselect(yes.0, no.0, mask.0), v128_bitselect(yes.1, no.1, mask.1))
        }
        #[inline(always)]
        fn transpose([a, b, c, d, e, f, g, h]: [Self; 8]) -> [Self; 8] {
            // Four squares of four by four.
            let (p, q) = (transposed([a.0, b.0, c.0, d.0]), transposed([e.0, f.0, g.0, h.0]));
            let (r, s) = (transposed([a.1, b.1, c.1, d.1]), transposed([e.1, f.1, g.1, h.1]));
            std::array::from_fn(|i| if i < 4 { Self(p[i], q[i]) } else { Self(r[i - 4], s[i - 4]) })
        }
    }

    #[inline(always)]
    fn transposed([a, b, c, d]: [v128; 4]) -> [v128; 4] {
        let (ab, cd) = (i32x4_shuffle::<0, 4, 1, 5>(a, b), i32x4_shuffle::<0, 4, 1, 5>(c, d));
        let (ba, dc) = (i32x4_shuffle::<2, 6, 3, 7>(a, b), i32x4_shuffle::<2, 6, 3, 7>(c, d));
        [
            i64x2_shuffle::<0, 2>(ab, cd),
            i64x2_shuffle::<1, 3>(ab, cd),
            i64x2_shuffle::<0, 2>(ba, dc),
            i64x2_shuffle::<1, 3>(ba, dc),
        ]
    }
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
