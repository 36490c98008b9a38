//! How much of an octree's resolution is real, and how evenly stiff it is.
//!
//! Nodes that are in the same regions get goals that differ by a rotation only: they move as one rigid piece. So a body has as
//! many independent nodes as there are different sets of regions. With large slack all leaves below a summation cell are such a
//! piece; so are nodes side by side in parts that are much thinner than the regions are wide.

use super::Rest;
use crate::math::symmetric_eigen;
use crate::model::regions::energy;
use crate::model::regions::rest::Summation;
use glam::DMat3;
use rustc_hash::FxHashSet;

/// How much of an octree's resolution is real, and how evenly stiff it is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Resolution {
    /// Nodes.
    pub nodes: usize,
    /// Nodes that do not move as one rigid piece with others before them.
    pub independent: usize,
    /// Summation cells of a region in the mean.
    pub sums: f64,
    /// How stiff the regions of the nodes are along their longest direction, as part of what they were asked to be: the least, the
    /// middle one and the most.
    pub stiffness: [f64; 3],
}

impl Rest {
    /// Measures it: as long as a few steps.
    pub fn resolution(&self) -> Resolution {
        let nodes = self.places.len();
        let mut stiffness = self.stiffness();
        stiffness.sort_unstable_by(f64::total_cmp);
        let at = |part: f64| {
            stiffness.get((part * nodes.saturating_sub(1) as f64) as usize).copied().unwrap_or(1.0)
        };
        Resolution {
            nodes,
            independent: self.independent(),
            sums: self.regions.items.len() as f64 / self.regions.len().max(1) as f64,
            stiffness: [at(0.0), at(0.5), at(1.0)],
        }
    }

    /// Different sets of regions that nodes are in: a node is in all regions that use its cell or one above it.
    fn independent(&self) -> usize {
        // Sets are told apart by the sum of a random number for each region: 128 bits, so that no two sets ever have the same.
        let mut sums = vec![0_u128; self.tree.keys.len()];
        for cell in 0..sums.len() {
            let above = self.tree.parents[cell].map_or(0, |parent| sums[parent as usize]);
            let here =
                self.users.of(cell).iter().fold(0_u128, |sum, &region| sum.wrapping_add(scrambled(region)));
            sums[cell] = above.wrapping_add(here);
        }
        let distinct: FxHashSet<u128> = self.tree.cells.iter().map(|&cell| sums[cell as usize]).collect();
        distinct.len()
    }

    /// s ⟨q²⟩ of each node's region along its longest direction, as part of what was asked for.
    fn stiffness(&self) -> Vec<f64> {
        let spreads = energy::spreads(self, &self.shares, &self.places);
        let of_node = |(node, spread): (usize, &DMat3)| {
            let [longest, ..] = symmetric_eigen(spread.to_cols_array_2d()).values;
            let asked = self.extent(node).unwrap_or(longest);
            f64::from(self.strength(node)) * longest / asked
        };
        spreads.iter().enumerate().map(of_node).collect()
    }
}

/// A random number for each number, always the same (SplitMix64).
fn scrambled(number: u32) -> u128 {
    let half = |mut x: u64| {
        x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        x ^ (x >> 31)
    };
    let seed = u64::from(number) + 1;
    let [high, low] =
        [0x9e37_79b9_7f4a_7c15, 0xd1b5_4a32_d192_ed03_u64].map(|odd| half(seed.wrapping_mul(odd)));
    u128::from(high) << 64 | u128::from(low)
}
