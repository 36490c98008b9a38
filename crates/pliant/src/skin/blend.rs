//! Vertices and normals from blended maps, eight vertices at once.
//!
//! Blending needs the maps of four nodes a vertex, from anywhere: a map is a cache line and two registers. What follows is the
//! same for every vertex, so the eight blended maps are transposed and applied lane by lane.

use super::{Binding, Bonds, NormalGroups};
use crate::math::Vec3x8;
use crate::math::lanes::{F32x8, Kernel, LANES, Lanes, run};
use crate::par;
use glam::{Mat3, Vec3};
use serde::{Deserialize, Serialize};

/// Where a node puts its surroundings: p = M p⁰ + t, in one cache line.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(C, align(64))]
pub struct Affine {
    /// M's first two columns, four lanes each, then its third and t.
    columns: [F32x8; 2],
}

impl Affine {
    /// Of a node with the local map `map` that went from `from` to `to`.
    #[inline]
    pub fn new(map: Mat3, to: Vec3, from: Vec3) -> Self {
        let (x, y, z) = (map.x_axis, map.y_axis, map.z_axis);
        let t = to - map * from;
        let columns = [[x.x, x.y, x.z, 0.0, y.x, y.y, y.z, 0.0], [z.x, z.y, z.z, 0.0, t.x, t.y, t.z, 0.0]];
        Self { columns: columns.map(F32x8) }
    }
}

/// The undeformed skin, by eights.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct RestSkin {
    packs: Vec<RestPack>,
}

/// Eight vertices of the undeformed skin.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
struct RestPack {
    /// p⁰
    positions: Vec3x8,
    /// n⁰
    normals: Vec3x8,
}

impl RestSkin {
    /// The skin with its vertices at `positions`; nothing if the vertices are nodes themselves.
    pub fn new(positions: &[Vec3], binding: &Binding, groups: &NormalGroups) -> Self {
        if !binding.uses_maps() {
            return Self::default();
        }
        let mut normals = Vec::new();
        groups.normals(positions, &mut Vec::new(), &mut normals);
        Self::with_normals(positions, &normals)
    }

    /// The skin with its vertices at `positions` and these normals.
    pub fn with_normals(positions: &[Vec3], normals: &[Vec3]) -> Self {
        let mut packs = vec![RestPack::default(); positions.len().div_ceil(LANES)];
        for (vertex, (&position, &normal)) in positions.iter().zip(normals).enumerate() {
            let pack = &mut packs[vertex / LANES];
            pack.positions.set(vertex % LANES, position);
            pack.normals.set(vertex % LANES, normal);
        }
        Self { packs }
    }
}

/// Positions and unit normals of all vertices.
pub fn skin(rest: &RestSkin, bonds: &[Bonds], maps: &[Affine], positions: &mut [Vec3], normals: &mut [Vec3]) {
    par::for_each_chunk(bonds.len(), (positions, normals), |chunk, (positions, normals)| {
        let first = chunk * par::CHUNK;
        let packs = &rest.packs[first / LANES..];
        run(Blend { packs, bonds: &bonds[first..][..positions.len()], maps, positions, normals });
    });
}

/// A run of vertices that begins with a whole pack.
struct Blend<'a> {
    packs: &'a [RestPack],
    bonds: &'a [Bonds],
    maps: &'a [Affine],
    positions: &'a mut [Vec3],
    normals: &'a mut [Vec3],
}

impl Kernel for Blend<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self) {
        let outputs = self.positions.chunks_mut(LANES).zip(self.normals.chunks_mut(LANES));
        for ((bonds, pack), (positions, normals)) in self.bonds.chunks(LANES).zip(self.packs).zip(outputs) {
            let rows = match bonds.first_chunk::<LANES>() {
                Some(eight) => vertices::<L>(eight, self.maps, pack),
                None => {
                    // Lanes beyond the last vertex blend nothing, and nobody reads them.
                    let mut eight = [Bonds::default(); LANES];
                    eight[..bonds.len()].copy_from_slice(bonds);
                    vertices::<L>(&eight, self.maps, pack)
                }
            };
            for ((row, position), normal) in rows.iter().zip(positions).zip(normals) {
                let [x, y, z, nx, ny, nz, ..] = row.store().0;
                (*position, *normal) = (Vec3::new(x, y, z), Vec3::new(nx, ny, nz));
            }
        }
    }
}

/// Position and normal of eight vertices, one vertex a register.
#[inline(always)]
fn vertices<L: Lanes>(bonds: &[Bonds; LANES], maps: &[Affine], rest: &RestPack) -> [L; LANES] {
    let zero = L::splat(0.0);
    let (mut xy, mut zt) = ([zero; LANES], [zero; LANES]);
    for lane in 0..LANES {
        (xy[lane], zt[lane]) = blended::<L>(&bonds[lane], maps);
    }
    let [xx, xy, xz, _, yx, yy, yz, _] = L::transpose(xy);
    let [zx, zy, zz, _, tx, ty, tz, _] = L::transpose(zt);
    let (x, y, z) = ([xx, xy, xz], [yx, yy, yz], [zx, zy, zz]);
    let p = load::<L>(&rest.positions);
    let position = combined(x, y, z, p);
    let n = load::<L>(&rest.normals);
    let normal = unit(combined(cross(y, z), cross(z, x), cross(x, y), n)); // cof(M) n⁰
    L::transpose([
        position[0] + tx,
        position[1] + ty,
        position[2] + tz,
        normal[0],
        normal[1],
        normal[2],
        zero,
        zero,
    ])
}

/// Σ w (M, t) of one vertex.
#[inline(always)]
fn blended<L: Lanes>(bonds: &Bonds, maps: &[Affine]) -> (L, L) {
    let mut sums = (L::splat(0.0), L::splat(0.0));
    for (&node, &weight) in bonds.nodes.iter().zip(&bonds.weights) {
        let (map, weight) = (&maps[node as usize], L::splat(weight));
        sums.0 = sums.0 + L::load(&map.columns[0]) * weight;
        sums.1 = sums.1 + L::load(&map.columns[1]) * weight;
    }
    sums
}

#[inline(always)]
fn load<L: Lanes>(v: &Vec3x8) -> [L; 3] {
    [L::load(&v.x), L::load(&v.y), L::load(&v.z)]
}

/// M v of a matrix by columns.
#[inline(always)]
fn combined<L: Lanes>(x: [L; 3], y: [L; 3], z: [L; 3], v: [L; 3]) -> [L; 3] {
    [
        x[0] * v[0] + y[0] * v[1] + z[0] * v[2],
        x[1] * v[0] + y[1] * v[1] + z[1] * v[2],
        x[2] * v[0] + y[2] * v[1] + z[2] * v[2],
    ]
}

#[inline(always)]
fn cross<L: Lanes>(a: [L; 3], b: [L; 3]) -> [L; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

/// Unit vectors; up where there is no direction.
#[inline(always)]
fn unit<L: Lanes>(v: [L; 3]) -> [L; 3] {
    // Scaled before it is squared: a body flattened or blown up a million times must not leave f32's range.
    let largest = v[0].abs().max(v[1].abs()).max(v[2].abs());
    let known = largest.gt(L::splat(f32::MIN_POSITIVE)) & L::splat(f32::MAX).gt(largest);
    let scale = L::splat(1.0) / largest;
    let v = [v[0] * scale, v[1] * scale, v[2] * scale];
    let inverse = L::splat(1.0) / (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]).sqrt();
    let zero = L::splat(0.0);
    [
        L::select(known, v[0] * inverse, zero),
        L::select(known, v[1] * inverse, L::splat(1.0)),
        L::select(known, v[2] * inverse, zero),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::lanes::run_plain;

    #[test]
    fn both_paths_give_the_same_bits() {
        let count = 29_usize;
        let value = |i: usize| ((i * i + 7 * i) % 101) as f32 * 0.013 - 0.6;
        let vector = |i: usize| Vec3::new(value(i), value(i + 31), value(i + 57));
        let map = |i: usize| {
            let map = Mat3::from_cols(vector(3 * i), vector(3 * i + 1), vector(3 * i + 2));
            // Some maps are flat, and one is nothing: those vertices have no normal.
            Affine::new(if i == 4 { Mat3::ZERO } else { map }, vector(i), vector(i + 5))
        };
        let maps: Vec<Affine> = (0..11).map(map).collect();
        let bonds: Vec<Bonds> = (0..count as u32)
            .map(|i| Bonds {
                nodes: if i == 9 { [4; 4] } else { [i % 11, (i + 1) % 11, (i + 5) % 11, i % 11] },
                weights: [0.5, 0.3, 0.2, 0.0],
            })
            .collect();
        let mut packs = vec![RestPack::default(); count.div_ceil(LANES)];
        for i in 0..count {
            packs[i / LANES].positions.set(i % LANES, vector(i + 11));
            packs[i / LANES].normals.set(i % LANES, vector(i + 13).normalize());
        }
        let both = [true, false].map(|fast| {
            let (mut positions, mut normals) = (vec![Vec3::ZERO; count], vec![Vec3::ZERO; count]);
            let (packs, bonds, maps) = (&packs[..], &bonds[..], &maps[..]);
            let kernel = Blend { packs, bonds, maps, positions: &mut positions, normals: &mut normals };
            if fast {
                run(kernel)
            } else {
                run_plain(kernel)
            }
            assert_eq!(normals[9], Vec3::Y);
            assert!(normals.iter().all(|n| (n.length() - 1.0).abs() < 1e-5));
            positions.into_iter().chain(normals).map(|v| v.to_array().map(f32::to_bits)).collect::<Vec<_>>()
        });
        assert_eq!(both[0], both[1]);
    }
}
