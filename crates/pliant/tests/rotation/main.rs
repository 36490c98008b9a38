//! The contracts of `pliant::math`: rotations, singular values and pseudo-inverses of every finite matrix.

mod rotation;
mod support;
mod svd;
