//! Two 128-bit registers of a browser. Nothing here is `unsafe`: a module with instructions that the browser does not know is
//! refused as a whole, before any of it runs.

use std::arch::wasm32::*;
use std::ops::{Add, BitAnd, BitOr, Div, Mul, Neg, Not, Sub};

use super::{F32x8, Kernel, LaneMask, Lanes};

/// The first four lanes and the last four.
#[derive(Clone, Copy)]
struct Pair(v128, v128);

#[derive(Clone, Copy)]
struct PairMask(v128, v128);

/// Runs the kernel on pairs of 128-bit registers.
#[inline]
pub(super) fn run<K: Kernel>(kernel: K) -> K::Output {
    kernel.run::<Pair>()
}

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
    fn load_two(&[a, b, c, d]: &[f32; 4], &[e, f, g, h]: &[f32; 4]) -> Self {
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
