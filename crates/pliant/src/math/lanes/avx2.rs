//! The 256-bit registers. [`Wide`] is private and only `run_avx2` names it, so no safe code can reach an
//! intrinsic on a CPU without AVX2.
//!
//! This is the only file of the crate with `unsafe` code.
#![expect(unsafe_code, reason = "AVX2 intrinsics, reached only after the CPU was asked for AVX2")]

use std::arch::x86_64::*;
use std::ops::{Add, BitAnd, BitOr, Div, Mul, Neg, Not, Sub};

use super::{F32x8, Kernel, LaneMask, Lanes};

#[derive(Clone, Copy)]
struct Wide(__m256);

#[derive(Clone, Copy)]
struct WideMask(__m256);

/// Runs the kernel on 256-bit registers if this CPU has them, else on plain arrays.
#[inline]
pub(super) fn run<K: Kernel>(kernel: K) -> K::Output {
    if is_x86_feature_detected!("avx2") {
        // SAFETY: the CPU has AVX2, which is all that `run_avx2` asks for.
        return unsafe { run_avx2(kernel) };
    }
    super::plain::run(kernel)
}

#[target_feature(enable = "avx2")]
fn run_avx2<K: Kernel>(kernel: K) -> K::Output {
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
    fn load_two(first: &[f32; 4], last: &[f32; 4]) -> Self {
        // SAFETY: as for `wide!`; both pointers are valid for four values.
        Self(unsafe { _mm256_set_m128(_mm_loadu_ps(last.as_ptr()), _mm_loadu_ps(first.as_ptr())) })
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
