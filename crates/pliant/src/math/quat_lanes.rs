//! Matrices and quaternions in registers: the algebra that the rotation kernels are written in.
//!
//! Everything here is `#[inline(always)]` and free of closures: what is not inlined into the kernel is not
//! compiled for its registers, and costs ten times as much.

use super::lanes::Lanes;
use super::packs::{Mat3x8, Quatx8, Vec3x8};

/// Eight matrices in registers; `m[r][c]` is row r, column c.
pub(super) type Mat<L> = [[L; 3]; 3];

/// Eight quaternions in registers: x, y, z, w.
pub(super) type Q<L> = [L; 4];

/// The column of the adjugate of a symmetric matrix whose diagonal entry is largest, divided by that entry.
#[inline(always)]
pub(super) fn largest_adjugate_column<L: Lanes>(b: [[L; 4]; 4]) -> Q<L> {
    // 2×2 minors of the upper two rows (p) and of the lower two rows (q).
    let (top, bottom) = ((&b[0], &b[1]), (&b[2], &b[3]));
    let (p01, p02, p03) = (minor(top, 0, 1), minor(top, 0, 2), minor(top, 0, 3));
    let (p12, p13, p23) = (minor(top, 1, 2), minor(top, 1, 3), minor(top, 2, 3));
    let (q02, q03, q12) = (minor(bottom, 0, 2), minor(bottom, 0, 3), minor(bottom, 1, 2));
    let (q13, q23) = (minor(bottom, 1, 3), minor(bottom, 2, 3));
    let a00 = b[1][1] * q23 - b[1][2] * q13 + b[1][3] * q12;
    let a01 = -(b[0][1] * q23 - b[0][2] * q13 + b[0][3] * q12);
    let a11 = b[0][0] * q23 - b[0][2] * q03 + b[0][3] * q02;
    let a22 = b[3][0] * p13 - b[3][1] * p03 + b[3][3] * p01;
    let a23 = -(b[2][0] * p13 - b[2][1] * p03 + b[2][3] * p01);
    let a33 = b[2][0] * p12 - b[2][1] * p02 + b[2][2] * p01;
    let a02 = b[3][1] * p23 - b[3][2] * p13 + b[3][3] * p12;
    let a12 = -(b[3][0] * p23 - b[3][2] * p03 + b[3][3] * p02);
    let a03 = -(b[2][1] * p23 - b[2][2] * p13 + b[2][3] * p12);
    let a13 = b[2][0] * p23 - b[2][2] * p03 + b[2][3] * p02;
    let (m0, m1, m2, m3) = (a00.abs(), a11.abs(), a22.abs(), a33.abs());
    let first = select_quat(m0.ge(m1), [a00, a01, a02, a03], [a01, a11, a12, a13]);
    let last = select_quat(m2.ge(m3), [a02, a12, a22, a23], [a03, a13, a23, a33]);
    let column = select_quat(m0.max(m1).ge(m2.max(m3)), first, last);
    normalised(column)
}

/// The 2×2 minor of two rows in columns `i` and `j`.
#[inline(always)]
fn minor<L: Lanes>((upper, lower): (&Q<L>, &Q<L>), i: usize, j: usize) -> L {
    upper[i] * lower[j] - upper[j] * lower[i]
}

/// `A` divided by its largest entry: keeps products of three entries inside the range of f32.
#[inline(always)]
pub(super) fn scaled<L: Lanes>(a: &Mat3x8) -> Mat<L> {
    let (x, y, z) = (load_vec::<L>(&a.x_axis), load_vec::<L>(&a.y_axis), load_vec::<L>(&a.z_axis));
    let scale = L::splat(1.0) / max_abs(x).max(max_abs(y)).max(max_abs(z));
    [
        [x[0] * scale, y[0] * scale, z[0] * scale],
        [x[1] * scale, y[1] * scale, z[1] * scale],
        [x[2] * scale, y[2] * scale, z[2] * scale],
    ]
}

#[inline(always)]
fn max_abs<L: Lanes>(v: [L; 3]) -> L {
    v[0].abs().max(v[1].abs()).max(v[2].abs())
}

/// The rotation matrix of `q` times `|q|²`.
#[inline(always)]
pub(super) fn rotation_matrix<L: Lanes>([x, y, z, w]: Q<L>) -> Mat<L> {
    let (xx, yy, zz, ww) = (x * x, y * y, z * z, w * w);
    let (x2, y2, z2) = (x + x, y + y, z + z);
    let (xy, xz, yz) = (x2 * y, x2 * z, y2 * z);
    let (wx, wy, wz) = (x2 * w, y2 * w, z2 * w);
    let (sum, difference) = (ww + xx, ww - xx);
    let (s, d) = (yy + zz, yy - zz);
    [[sum - s, xy - wz, xz + wy], [xy + wz, difference + d, yz - wx], [xz - wy, yz + wx, difference - d]]
}

/// `aᵀ b`.
#[inline(always)]
pub(super) fn transposed_mul<L: Lanes>(a: &Mat<L>, b: &Mat<L>) -> Mat<L> {
    let mut m = *b;
    for r in 0..3 {
        for c in 0..3 {
            m[r][c] = a[0][r] * b[0][c] + a[1][r] * b[1][c] + a[2][r] * b[2][c];
        }
    }
    m
}

#[inline(always)]
pub(super) fn quat_mul<L: Lanes>(a: Q<L>, b: Q<L>) -> Q<L> {
    [
        a[3] * b[0] + a[0] * b[3] + (a[1] * b[2] - a[2] * b[1]),
        a[3] * b[1] + a[1] * b[3] + (a[2] * b[0] - a[0] * b[2]),
        a[3] * b[2] + a[2] * b[3] + (a[0] * b[1] - a[1] * b[0]),
        a[3] * b[3] - a[0] * b[0] - (a[1] * b[1] + a[2] * b[2]),
    ]
}

#[inline(always)]
pub(super) fn quat_dot<L: Lanes>(a: Q<L>, b: Q<L>) -> L {
    a[0] * b[0] + a[1] * b[1] + (a[2] * b[2] + a[3] * b[3])
}

#[inline(always)]
pub(super) fn normalised<L: Lanes>(q: Q<L>) -> Q<L> {
    let scale = L::splat(1.0) / quat_dot(q, q).sqrt();
    [q[0] * scale, q[1] * scale, q[2] * scale, q[3] * scale]
}

/// `q` or `−q`, whichever is nearer to `side`: both are the same rotation.
#[inline(always)]
pub(super) fn on_side_of<L: Lanes>(q: Q<L>, side: Q<L>) -> Q<L> {
    select_quat(L::splat(0.0).gt(quat_dot(q, side)), [-q[0], -q[1], -q[2], -q[3]], q)
}

#[inline(always)]
pub(super) fn select_quat<L: Lanes>(mask: L::Mask, yes: Q<L>, no: Q<L>) -> Q<L> {
    [
        L::select(mask, yes[0], no[0]),
        L::select(mask, yes[1], no[1]),
        L::select(mask, yes[2], no[2]),
        L::select(mask, yes[3], no[3]),
    ]
}

#[inline(always)]
fn load_vec<L: Lanes>(v: &Vec3x8) -> [L; 3] {
    [L::load(&v.x), L::load(&v.y), L::load(&v.z)]
}

#[inline(always)]
pub(super) fn load_quat<L: Lanes>(q: &Quatx8) -> Q<L> {
    [L::load(&q.x), L::load(&q.y), L::load(&q.z), L::load(&q.w)]
}

#[inline(always)]
pub(super) fn store_quat<L: Lanes>(q: Q<L>, to: &mut Quatx8) {
    *to = Quatx8 { x: q[0].store(), y: q[1].store(), z: q[2].store(), w: q[3].store() };
}
