//! Sums over the regions of an octree in `f64`, for the potential.

use super::Rest;
use crate::model::regions::energy::{ExactSums, Sums, add};

impl ExactSums for Rest {
    /// Up the tree, then over the summation cells of each region.
    fn exact_sums(&self, values: &[Sums]) -> Vec<Sums> {
        let mut cells: Vec<Sums> = vec![[0.0; 26]; self.tree.keys.len()];
        // Children come after their parents.
        for cell in (0..cells.len()).rev() {
            if let Some(node) = self.tree.nodes[cell] {
                add(&mut cells[cell], &values[node as usize]);
            }
            if let Some(parent) = self.tree.parents[cell] {
                let of = cells[cell];
                add(&mut cells[parent as usize], &of);
            }
        }
        let region = |summed: &[u32]| {
            let mut sum = [0.0; 26];
            summed.iter().for_each(|&cell| add(&mut sum, &cells[cell as usize]));
            sum
        };
        let of_regions: Vec<Sums> = self.regions.iter().map(region).collect();
        self.region_of.iter().map(|&region| of_regions[region as usize]).collect()
    }
}
