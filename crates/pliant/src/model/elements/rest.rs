//! The elements of an undeformed body, by eights.

use super::ElementSettings;
use crate::geometry::{Lists, TetMesh};
use crate::math::lanes::{F32x8, LANES};
use crate::math::{Vec3x8, symmetric_eigen};
use crate::model::build::centered;
use crate::model::cells::CellGraph;
use crate::nodes::NodeRest;
use glam::{DMat3, DVec3, Vec3};
use serde::{Deserialize, Serialize};

/// Corners of a tetrahedron.
pub const CORNERS: usize = 4;

/// The elements of an undeformed body.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Rest {
    /// How it was made.
    pub settings: ElementSettings,
    /// Edge of the cells that were divided, in meters, or of such as the elements may have come from.
    pub spacing: f32,
    /// The cells that were divided: their middles are the first nodes. None in a mesh of other tetrahedra.
    pub graph: CellGraph,
    /// Nodes of each element.
    pub tetrahedra: Vec<[u32; CORNERS]>,
    /// The same elements, by eights. Lanes beyond the last one repeat it, with no volume.
    pub packs: Vec<Pack>,
    /// The corners of elements that each node is, in the order in which forces on corners stand: see [`corner_place`].
    pub places: Lists,
    /// m³ of material around each node, four times over; of a body whose stiffness was painted, times that.
    pub volumes: Vec<f32>,
    /// How many times as stiff as the material each cell is, if that was painted; it counts in the volumes of its elements.
    pub stiffness: Vec<f32>,
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
    /// m³ of material; of a body whose stiffness was painted, times that.
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
        let volumes: Vec<f32> = (0..mesh.tetrahedra.len())
            .map(|at| (mesh.signed_volume_of(at) * f64::from(shares[at])) as f32)
            .collect();
        let whole: f64 = (0..mesh.tetrahedra.len()).map(|at| mesh.signed_volume_of(at)).sum();
        let cells = mesh.tetrahedra.len() as f64 / TETRAHEDRA_PER_CELL;
        let spacing = crate::math::functions::cbrt((whole / cells) as f32);
        let rest =
            Self { settings, spacing, ..Self::default() }.with_mesh(mesh, &volumes, |_| [4.0; CORNERS]);
        let masses = rest.volumes.iter().map(|volume| 0.25 * density * volume).collect();
        let (nodes, center) = centered(mesh.positions.clone(), masses);
        Meshed { nodes, center, rest }
    }

    /// The elements that the tetrahedra of a mesh are, with so many m³ of material each; `weights` are what an element has of mass over
    /// what its corners have of theirs by it.
    pub(super) fn with_mesh(
        self,
        mesh: &TetMesh,
        volumes: &[f32],
        weights: impl Fn(usize) -> [f64; CORNERS],
    ) -> Self {
        let gradients: Vec<[DVec3; 3]> =
            (0..mesh.tetrahedra.len()).map(|element| gradients(mesh.corners(element))).collect();
        let stiffness = (0..).zip(&gradients).map(|(element, of)| stiffness(of, weights(element)));
        let stiffest = stiffness.fold(0.0, f32::max);
        let of = |element: usize| (gradients[element].map(|gradient| gradient.as_vec3()), volumes[element]);
        Self { stiffest, ..self }.with_elements(mesh.positions.len(), mesh.tetrahedra.clone(), of)
    }

    /// Elements between so many nodes.
    fn with_elements(
        mut self,
        nodes: usize,
        tetrahedra: Vec<[u32; CORNERS]>,
        of: impl Fn(usize) -> ([Vec3; 3], f32),
    ) -> Self {
        let count = tetrahedra.len();
        self.packs = vec![Pack::default(); count.div_ceil(LANES)];
        for at in 0..self.packs.len() * LANES {
            let (gradients, volume) = of(at.min(count - 1));
            let (pack, lane) = (&mut self.packs[at / LANES], at % LANES);
            for (to, gradient) in pack.gradients.iter_mut().zip(gradients) {
                to.set(lane, gradient);
            }
            pack.volumes.0[lane] = if at < count { volume } else { 0.0 };
        }
        self.between(nodes, tetrahedra)
    }

    /// The packs there are, between so many nodes.
    pub(super) fn between(mut self, nodes: usize, tetrahedra: Vec<[u32; CORNERS]>) -> Self {
        let count = tetrahedra.len();
        self.volumes = vec![0.0; nodes];
        for at in 0..self.packs.len() * LANES {
            let corners = tetrahedra[at.min(count - 1)];
            let (pack, lane) = (&mut self.packs[at / LANES], at % LANES);
            for (to, node) in pack.corners.iter_mut().zip(corners) {
                to[lane] = node;
            }
            corners.iter().for_each(|&corner| self.volumes[corner as usize] += pack.volumes.0[lane]);
        }
        let corners = (0..count).flat_map(|element| (0..CORNERS).map(move |corner| (element, corner)));
        let pairs =
            corners.map(|(element, corner)| (tetrahedra[element][corner], corner_place(element, corner)));
        self.places = Lists::from_pairs(nodes, pairs);
        self.tetrahedra = tetrahedra;
        self
    }

    /// How many times as stiff as the material it is around a node.
    pub(super) fn stiffness_at(&self, node: usize) -> f32 {
        if self.stiffness.is_empty() {
            return 1.0;
        }
        if let Some(stiffness) = self.stiffness.get(node) {
            return *stiffness;
        }
        let places = self.places.of(node);
        let of_cell = |&place: &u32| self.stiffness[pack_and_lane(place).0];
        places.iter().map(of_cell).sum::<f32>() / places.len() as f32
    }

    /// How far nodes are apart.
    pub(super) fn node_spacing(&self) -> f32 {
        // The nearest to a corner of a cell is its middle.
        if self.graph.cells.is_empty() { self.spacing } else { HALF_DIAGONAL * self.spacing }
    }

    /// Memory that it takes.
    pub(super) fn bytes(&self) -> usize {
        let Self { tetrahedra, packs, volumes, stiffness, .. } = self;
        // A corner is in the lists once, and each node has where its list begins.
        let lists = size_of::<u32>() * (CORNERS * tetrahedra.len() + volumes.len() + 1);
        let of_nodes = size_of_val(&volumes[..]) + size_of_val(&stiffness[..]);
        size_of_val(&tetrahedra[..]) + size_of_val(&packs[..]) + of_nodes + lists
    }

    /// ⟨q²⟩ by which α becomes a modulus, in m²: that of regions which reach two nodes, as those of other models do by default.
    pub fn extent(&self) -> f64 {
        2.0 * f64::from(self.spacing) * f64::from(self.spacing)
    }
}

/// What a cube is divided into at least: the spacing of a mesh is told by how many elements there are.
const TETRAHEDRA_PER_CELL: f64 = 5.0;

/// From the middle of a cube to a corner, in edges.
const HALF_DIAGONAL: f32 = 0.866_025_4;

/// ∇N of corners 1, 2 and 3.
fn gradients([a, b, c, d]: [DVec3; CORNERS]) -> [DVec3; 3] {
    let inverse = DMat3::from_cols(b - a, c - a, d - a).inverse().transpose();
    [inverse.x_axis, inverse.y_axis, inverse.z_axis]
}

/// ω² of an element for a ratio of stress to strain over density of 1, given its mass over those of its corners: by the largest
/// eigenvalue of Σ w ∇N ∇Nᵀ. No mode of a mesh is faster than its fastest element (\[IT72\]).
fn stiffness(gradients: &[DVec3; 3], weights: [f64; CORNERS]) -> f32 {
    let first = -(gradients[0] + gradients[1] + gradients[2]);
    let outer = |w: f64, g: DVec3| DMat3::from_cols(g * (w * g.x), g * (w * g.y), g * (w * g.z));
    let others = gradients.iter().zip(&weights[1..]);
    let sum = others.fold(outer(weights[0], first), |sum, (g, &w)| sum + outer(w, *g));
    symmetric_eigen(sum.to_cols_array_2d()).values[0] as f32
}
