//! Bodies that are driven: their nodes go where they are told to, and nothing else moves them.

use super::Body;
use crate::nodes::{HeldNode, HeldNodes, Hold, NodeState};
use glam::{DVec3, Vec3};

impl Body {
    /// Begins a step of `dt_secs` of a driven body: it has its speed from the first, on which depends who can meet whom.
    pub(crate) fn set_off(&mut self, dt_secs: f32) {
        let follows = self.nodes.positions.iter().sum::<Vec3>() / self.nodes.positions.len().max(1) as f32;
        let NodeState { origin, positions, velocities } = &mut self.nodes;
        // Its origin goes with it, as that of others does.
        if !self.targets.is_empty() && follows.length() > 0.1 * self.rest.nodes.radius {
            *origin += follows.as_dvec3();
            positions.iter_mut().for_each(|x| *x -= follows);
        }
        velocities.fill(Vec3::ZERO);
        for ((x, v), to) in positions.iter().zip(velocities).zip(&self.targets) {
            *v = ((*to - *origin) - x.as_dvec3()).as_vec3() / dt_secs;
        }
    }

    /// Moves a driven body on in a substep, of which there are `left` with this one; the last one gets to where it is driven exactly.
    pub(crate) fn drive_on(&mut self, left: u32) {
        if self.targets.is_empty() {
            return;
        }
        let NodeState { origin, positions, .. } = &mut self.nodes;
        for (x, to) in positions.iter_mut().zip(&self.targets) {
            let to = (*to - *origin).as_vec3();
            *x = if left <= 1 { to } else { *x + (to - *x) / left as f32 };
        }
        self.refresh_maps();
    }

    /// All nodes of a driven body are held, whatever tools do.
    pub(crate) fn hold_driven(&self, held: &mut HeldNodes) {
        held.nodes.clear();
        let velocities = (0..).zip(&self.nodes.velocities);
        held.nodes.extend(velocities.map(|(node, &velocity)| HeldNode {
            node,
            hold: Hold::Moving(velocity),
            rigid: None,
        }));
    }

    /// Ends a step of a driven body.
    pub(crate) fn arrive(&mut self) {
        self.targets.clear();
    }

    /// Where the nodes of a driven body will be after the next step; none if it stays.
    pub fn targets(&self) -> &[DVec3] {
        &self.targets
    }
}
