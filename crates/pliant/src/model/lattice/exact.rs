//! Sums over the regions of a lattice in `f64`, for the potential.

use super::Rest;
use crate::model::regions::energy::{ExactSums, Sums, add};
use glam::IVec3;

impl ExactSums for Rest {
    /// Along x, then y, then z, as a step does it: up to w links each way.
    fn exact_sums(&self, values: &[Sums]) -> Vec<Sums> {
        (0..3).fold(values.to_vec(), |values, axis| self.along(axis, &values))
    }
}

impl Rest {
    fn along(&self, axis: usize, values: &[Sums]) -> Vec<Sums> {
        let count = values.len();
        let mut next: Vec<Option<u32>> = vec![None; count];
        let mut before: Vec<Option<u32>> = vec![None; count];
        for node in (0..count).filter(|&node| self.links[node][axis]) {
            let other = self.node_at(self.cells[node].as_ivec3() + IVec3::AXES[axis]);
            next[node] = other;
            if let Some(other) = other {
                before[other as usize] = Some(node as u32);
            }
        }
        let around = |node: usize| {
            let mut sum = values[node];
            for way in [&next, &before] {
                let mut at = way[node];
                for _ in 0..self.width {
                    let Some(other) = at else { break };
                    add(&mut sum, &values[other as usize]);
                    at = way[other as usize];
                }
            }
            sum
        };
        (0..count).map(around).collect()
    }
}
