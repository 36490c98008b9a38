//! What a frame may cost.

use serde::{Deserialize, Serialize};

/// What a frame may cost.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Budget {
    /// Simulated nodes of all bodies together. The same on every machine.
    Nodes(u32),
    /// Wall-clock milliseconds of a step: as many nodes as this machine can move in that time. Runs differ.
    Millis(f32),
}

impl Budget {
    /// How many nodes it has room for, when each costs `node_ms`.
    pub(crate) fn nodes(self, node_ms: f64) -> usize {
        match self {
            Self::Nodes(nodes) => nodes as usize,
            // Nothing is known yet: nothing changes.
            Self::Millis(_) if node_ms <= 0.0 => usize::MAX,
            Self::Millis(ms) => (f64::from(ms) / node_ms) as usize,
        }
    }
}
