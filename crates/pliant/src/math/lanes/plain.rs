//! Plain arrays, for every CPU, and the reference for the others.

use std::ops::{Add, BitAnd, BitOr, Div, Mul, Neg, Not, Sub};

use super::{F32x8, Kernel, LANES, LaneMask, Lanes};

/// Eight answers of a comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mask8([bool; LANES]);

/// Runs the kernel on plain arrays.
#[inline]
pub(super) fn run<K: Kernel>(kernel: K) -> K::Output {
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
    fn load_two(&[a, b, c, d]: &[f32; 4], &[e, f, g, h]: &[f32; 4]) -> Self {
        Self([a, b, c, d, e, f, g, h])
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
