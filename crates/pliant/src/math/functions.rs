//! Sines, exponentials and the like, with the same bits on every machine.
//!
//! `f32::sin` and its kin are those of the platform: one rounds up where another rounds down, and a simulation soon shows it.
//! Whatever has a part in a simulated state uses these instead, which are written in Rust and nothing else; clippy refuses the
//! others (see `clippy.toml`). `sqrt`, `mul_add`, `floor` and `round` are exact everywhere and need no twin.

use std::ops::Mul;

/// The functions for one type of number.
pub trait Real: Copy {
    /// See [`sin()`].
    fn sin(x: Self) -> Self;
    /// See [`cos()`].
    fn cos(x: Self) -> Self;
    /// See [`sin_cos()`].
    fn sin_cos(x: Self) -> (Self, Self);
    /// See [`acos()`].
    fn acos(x: Self) -> Self;
    /// See [`atan2()`].
    fn atan2(y: Self, x: Self) -> Self;
    /// See [`exp()`].
    fn exp(x: Self) -> Self;
    /// See [`exp_m1()`].
    fn exp_m1(x: Self) -> Self;
    /// See [`ln_1p()`].
    fn ln_1p(x: Self) -> Self;
    /// See [`log10()`].
    fn log10(x: Self) -> Self;
    /// See [`pow()`].
    fn pow(x: Self, exponent: Self) -> Self;
    /// See [`cbrt()`].
    fn cbrt(x: Self) -> Self;
    /// See [`hypot()`].
    fn hypot(x: Self, y: Self) -> Self;
}

macro_rules! real {
    ($real:ty: $sin:ident $cos:ident $sin_cos:ident $acos:ident $atan2:ident $exp:ident $exp_m1:ident $ln_1p:ident
     $log10:ident $pow:ident $cbrt:ident $hypot:ident) => {
        impl Real for $real {
            fn sin(x: Self) -> Self {
                libm::$sin(x)
            }
            fn cos(x: Self) -> Self {
                libm::$cos(x)
            }
            fn sin_cos(x: Self) -> (Self, Self) {
                libm::$sin_cos(x)
            }
            fn acos(x: Self) -> Self {
                libm::$acos(x)
            }
            fn atan2(y: Self, x: Self) -> Self {
                libm::$atan2(y, x)
            }
            fn exp(x: Self) -> Self {
                libm::$exp(x)
            }
            fn exp_m1(x: Self) -> Self {
                libm::$exp_m1(x)
            }
            fn ln_1p(x: Self) -> Self {
                libm::$ln_1p(x)
            }
            fn log10(x: Self) -> Self {
                libm::$log10(x)
            }
            fn pow(x: Self, exponent: Self) -> Self {
                libm::$pow(x, exponent)
            }
            fn cbrt(x: Self) -> Self {
                libm::$cbrt(x)
            }
            fn hypot(x: Self, y: Self) -> Self {
                libm::$hypot(x, y)
            }
        }
    };
}

real!(f32: sinf cosf sincosf acosf atan2f expf expm1f log1pf log10f powf cbrtf hypotf);
real!(f64: sin cos sincos acos atan2 exp expm1 log1p log10 pow cbrt hypot);

/// The sine of an angle in radians.
pub fn sin<T: Real>(x: T) -> T {
    T::sin(x)
}

/// The cosine of an angle in radians.
pub fn cos<T: Real>(x: T) -> T {
    T::cos(x)
}

/// Sine and cosine of an angle in radians.
pub fn sin_cos<T: Real>(x: T) -> (T, T) {
    T::sin_cos(x)
}

/// The angle in radians, 0 … π, that has this cosine.
pub fn acos<T: Real>(x: T) -> T {
    T::acos(x)
}

/// The angle in radians, −π … π, of the point (x, y).
pub fn atan2<T: Real>(y: T, x: T) -> T {
    T::atan2(y, x)
}

/// eˣ
pub fn exp<T: Real>(x: T) -> T {
    T::exp(x)
}

/// eˣ − 1, also where x is small.
pub fn exp_m1<T: Real>(x: T) -> T {
    T::exp_m1(x)
}

/// The natural logarithm of 1 + x, also where x is small.
pub fn ln_1p<T: Real>(x: T) -> T {
    T::ln_1p(x)
}

/// The logarithm to base 10.
pub fn log10<T: Real>(x: T) -> T {
    T::log10(x)
}

/// x², which [`f32::powi`] gives in unspecified precision.
pub fn square<T: Copy + Mul<Output = T>>(x: T) -> T {
    x * x
}

/// x³
pub fn cube<T: Copy + Mul<Output = T>>(x: T) -> T {
    x * x * x
}

/// x to the power of `exponent`; see also [`square()`] and [`cube()`].
pub fn pow<T: Real>(x: T, exponent: T) -> T {
    T::pow(x, exponent)
}

/// The cube root.
pub fn cbrt<T: Real>(x: T) -> T {
    T::cbrt(x)
}

/// √(x² + y²), also where a square would be too large.
pub fn hypot<T: Real>(x: T, y: T) -> T {
    T::hypot(x, y)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_function_is_the_one_of_its_name() {
        let near = |a: f64, b: f64| assert!((a - b).abs() < 1e-15 * b.abs().max(1.0), "{a}, not {b}");
        near(sin(0.5), 0.479_425_538_604_203);
        near(cos(0.5), 0.877_582_561_890_372_8);
        near(acos(0.5), std::f64::consts::FRAC_PI_3);
        near(atan2(1.0, -1.0), 0.75 * std::f64::consts::PI);
        near(exp(1.0), std::f64::consts::E);
        near(exp_m1(1e-9), 1.000_000_000_5e-9);
        near(ln_1p(1e-9), 0.999_999_999_5e-9);
        near(log10(1000.0), 3.0);
        near(pow(2.0, 0.5), std::f64::consts::SQRT_2);
        near(cbrt(-27.0), -3.0);
        near(hypot(3e200, 4e200) / 1e200, 5.0);
        assert_eq!(sin_cos(0.5_f64), (sin(0.5), cos(0.5)));
    }

    /// Over every range of arguments that is reduced in its own way.
    #[test]
    fn bits_are_the_same_on_every_machine() {
        let mut hash = 0_u64;
        let mut add = |bits: u64| hash = (hash ^ bits).wrapping_mul(0x0000_0100_0000_01b3).rotate_left(17);
        for i in 1..2000 {
            let x = f64::from(i) * 0.037 - 30.0;
            let unit = f64::from(i) / 2000.0;
            for y in
                [sin(x), cos(x), sin(1e4 * x), exp(x), exp_m1(x), cbrt(x), atan2(x, unit), hypot(x, unit)]
            {
                add(y.to_bits());
            }
            for y in [acos(unit), ln_1p(unit), log10(unit), pow(unit, x)] {
                add(y.to_bits());
            }
            let (x, unit) = (x as f32, unit as f32);
            for y in
                [sin(x), cos(x), sin(1e4 * x), exp(x), exp_m1(x), cbrt(x), atan2(x, unit), hypot(x, unit)]
            {
                add(u64::from(y.to_bits()));
            }
            for y in [acos(unit), ln_1p(unit), log10(unit), pow(unit, x)] {
                add(u64::from(y.to_bits()));
            }
        }
        assert_eq!(hash, 0xa363_dc46_b9fc_54ba, "{hash:#018x}");
    }
}
