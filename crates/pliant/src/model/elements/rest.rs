//! The elements of an undeformed body, by eights.

use super::ElementSettings;
use crate::geometry::{Lists, PointGrid, TetMesh};
use crate::math::lanes::{F32x8, LANES};
use crate::math::{Vec3x8, symmetric_eigen};
use crate::model::build::centered;
use crate::nodes::NodeRest;
use crate::skin::{Binding, Bond, Bonds};
use glam::{DMat3, DVec3, Vec3};
use serde::{Deserialize, Serialize};

/// Corners of a tetrahedron.
pub const CORNERS: usize = 4;

/// The elements of an undeformed body.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Rest {
    /// How it was made.
    pub settings: ElementSettings,
    /// How far nodes are apart, in meters.
    pub spacing: f32,
    /// Nodes of each element.
    pub tetrahedra: Vec<[u32; CORNERS]>,
    /// The same elements, by eights. Lanes beyond the last one repeat it, with no volume.
    pub packs: Vec<Pack>,
    /// The corners of elements that each node is, in the order in which forces on corners stand: see [`corner_place`].
    pub places: Lists,
    /// m³ of material around each node, four times over.
    pub volumes: Vec<f32>,
    /// ω² of the stiffest element for a ratio of stress to strain of 1 m²/s² a kg/m³, in 1/m².
    pub stiffest: f32,
}

/// Eight elements.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Pack {
    /// Nodes, by corner.
    pub corners: [[u32; LANES]; CORNERS],
    /// ∇N of corners 1, 2 and 3, in 1/m: the rows of D_m⁻¹.
    pub gradients: [Vec3x8; 3],
    /// m³ of material.
    pub volumes: F32x8,
}

/// Where a corner of an element stands among those of all packs: beside the one that it shares a register with.
pub fn corner_place(element: usize, corner: usize) -> u32 {
    (2 * (LANES * (CORNERS / 2 * (element / LANES) + corner / 2) + element % LANES) + corner % 2) as u32
}

/// The pack and the lane of the element that has a corner there.
#[inline(always)]
pub fn pack_and_lane(place: u32) -> (usize, usize) {
    (place as usize / (LANES * CORNERS), place as usize / 2 % LANES)
}

/// A body of elements, its mesh centered.
pub struct Meshed {
    /// The nodes, relative to their center of mass.
    pub nodes: NodeRest,
    /// Where that is in the mesh's coordinates.
    pub center: Vec3,
    /// The elements.
    pub rest: Rest,
}

impl Rest {
    /// The elements of a mesh of which `shares` are material; its tetrahedra must have volume.
    pub fn of_mesh(mesh: &TetMesh, shares: &[f32], density: f32, settings: ElementSettings) -> Meshed {
        let volumes = (0..mesh.tetrahedra.len())
            .map(|at| (mesh.signed_volume_of(at) * f64::from(shares[at])) as f32)
            .collect::<Vec<f32>>();
        let mut around = vec![0.0_f32; mesh.positions.len()];
        for (corners, volume) in mesh.tetrahedra.iter().zip(&volumes) {
            corners.iter().for_each(|&corner| around[corner as usize] += volume);
        }
        let masses = around.iter().map(|volume| 0.25 * density * volume).collect();
        let (nodes, center) = centered(mesh.positions.clone(), masses);
        let whole: f64 = (0..mesh.tetrahedra.len()).map(|at| mesh.signed_volume_of(at)).sum();
        let cells = mesh.tetrahedra.len() as f64 / TETRAHEDRA_PER_CELL;
        let mut rest = Self {
            settings,
            spacing: crate::math::functions::cbrt((whole / cells) as f32),
            tetrahedra: mesh.tetrahedra.clone(),
            volumes: around,
            ..Self::default()
        };
        rest.pack(mesh, &volumes);
        Meshed { nodes, center, rest }
    }

    fn pack(&mut self, mesh: &TetMesh, volumes: &[f32]) {
        let count = mesh.tetrahedra.len();
        self.packs = vec![Pack::default(); count.div_ceil(LANES)];
        for at in 0..self.packs.len() * LANES {
            let element = at.min(count - 1);
            let gradients = gradients(mesh.corners(element));
            let (pack, lane) = (&mut self.packs[at / LANES], at % LANES);
            for (corners, node) in pack.corners.iter_mut().zip(mesh.tetrahedra[element]) {
                corners[lane] = node;
            }
            for (to, gradient) in pack.gradients.iter_mut().zip(gradients) {
                to.set(lane, gradient.as_vec3());
            }
            pack.volumes.0[lane] = if at < count { volumes[element] } else { 0.0 };
            self.stiffest = self.stiffest.max(stiffness(&gradients));
        }
        let corners = (0..count).flat_map(|element| (0..CORNERS).map(move |corner| (element, corner)));
        let pairs = corners
            .map(|(element, corner)| (mesh.tetrahedra[element][corner], corner_place(element, corner)));
        self.places = Lists::from_pairs(mesh.positions.len(), pairs);
    }

    /// Memory that it takes.
    pub(super) fn bytes(&self) -> usize {
        let Self { tetrahedra, packs, volumes, .. } = self;
        // A corner is in the lists once, and each node has where its list begins.
        let lists = size_of::<u32>() * (CORNERS * tetrahedra.len() + volumes.len() + 1);
        size_of_val(&tetrahedra[..]) + size_of_val(&packs[..]) + size_of_val(&volumes[..]) + lists
    }

    /// ⟨q²⟩ by which α becomes a modulus, in m²: that of regions which reach two nodes, as those of other models do by default.
    pub fn extent(&self) -> f64 {
        2.0 * f64::from(self.spacing) * f64::from(self.spacing)
    }

    /// Binds vertices to the elements they are in, or nearest to; `insides` are the vertices a little way into the material, where it is
    /// plain which side of a gap they are on.
    pub fn bind(&self, nodes: &[Vec3], vertices: &[Vec3], insides: &[Vec3]) -> Binding {
        const NEAR: usize = 24;
        let middle = |corners: &[u32; CORNERS]| {
            corners.iter().map(|&corner| nodes[corner as usize]).sum::<Vec3>() * 0.25
        };
        let middles: Vec<Vec3> = self.tetrahedra.iter().map(middle).collect();
        let grid = PointGrid::fitting(&middles);
        let mut near = Vec::new();
        let bond = |(vertex, inside): (&Vec3, &Vec3)| {
            grid.k_nearest(*inside, NEAR, &mut near);
            let of = |element: u32, place: Vec3| {
                let corners = self.tetrahedra[element as usize];
                barycentric(corners.map(|corner| nodes[corner as usize]), place)
            };
            let least = |element: u32| of(element, *inside).iter().copied().fold(f32::INFINITY, f32::min);
            let best = near.iter().map(|&(element, _)| (least(element), element));
            let best = best.reduce(|a, b| if b.0 > a.0 { b } else { a }).map_or(0, |best| best.1);
            // Outside of it, maps of the nodes say where the vertex is, and weights only whose.
            let weights = of(best, *vertex).map(|weight| weight.max(0.0));
            let sum: f32 = weights.iter().sum();
            let corners = self.tetrahedra[best as usize];
            let mut bonds: [Bond; CORNERS] =
                std::array::from_fn(|k| Bond { node: corners[k], weight: weights[k] / sum });
            bonds.sort_by(|a, b| b.weight.total_cmp(&a.weight));
            Bonds::new(bonds.into_iter().filter(|bond| bond.weight > 0.0))
        };
        Binding::of_bonds(vertices.iter().zip(insides).map(bond).collect())
    }
}

/// What a cube is divided into: the spacing of nodes is told by how many elements there are.
const TETRAHEDRA_PER_CELL: f64 = 5.0;

/// ∇N of corners 1, 2 and 3.
fn gradients([a, b, c, d]: [DVec3; CORNERS]) -> [DVec3; 3] {
    let inverse = DMat3::from_cols(b - a, c - a, d - a).inverse().transpose();
    [inverse.x_axis, inverse.y_axis, inverse.z_axis]
}

/// ω² of an element whose corners have a quarter of its mass each, for a ratio of stress to strain over density of 1: by the
/// largest eigenvalue of Σ ∇N ∇Nᵀ. No mode of a mesh is faster than its fastest element (\[IT72\]).
fn stiffness(gradients: &[DVec3; 3]) -> f32 {
    let first = -(gradients[0] + gradients[1] + gradients[2]);
    let outer = |g: DVec3| DMat3::from_cols(g * g.x, g * g.y, g * g.z);
    let sum = gradients.iter().fold(outer(first), |sum, g| sum + outer(*g));
    (CORNERS as f64 * symmetric_eigen(sum.to_cols_array_2d()).values[0]) as f32
}

/// Weights of the corners by which their mean is at a place.
fn barycentric(corners: [Vec3; CORNERS], place: Vec3) -> [f32; CORNERS] {
    let [b, c, d] = gradients(corners.map(|corner| corner.as_dvec3()));
    let from = (place - corners[0]).as_dvec3();
    let [b, c, d] = [b, c, d].map(|gradient| gradient.dot(from) as f32);
    [1.0 - b - c - d, b, c, d]
}
