//! The motion of a body as a whole, and giving it back after its nodes have changed.

use crate::model::momentum;
use crate::nodes::{NodeRest, NodeState};
use glam::{DMat3, DVec3};

/// Centre of mass, linear and angular momentum of a body.
pub(crate) struct Momentum {
    centre: DVec3,
    velocity: DVec3,
    angular: DVec3,
}

impl Momentum {
    pub fn of(rest: &NodeRest, nodes: &NodeState) -> Self {
        let (centre, velocity) = rest.mean_motion(nodes);
        Self { centre, velocity, angular: rest.angular_momentum(nodes) }
    }

    /// Gives nodes that have nearly this motion exactly this motion.
    pub fn restore(&self, rest: &NodeRest, nodes: &mut NodeState) {
        let now = Self::of(rest, nodes);
        let shift = (self.centre - now.centre).as_vec3();
        let mut second = DMat3::ZERO;
        for (x, &m) in nodes.positions.iter().zip(&rest.masses) {
            let p = x.as_dvec3() - now.centre;
            second += DMat3::from_cols(p * p.x, p * p.y, p * p.z) * f64::from(m);
        }
        let turn = momentum::turn_of(second, self.angular - now.angular);
        let faster = self.velocity - now.velocity;
        for (x, v) in nodes.positions.iter_mut().zip(&mut nodes.velocities) {
            let change = faster + turn.cross(x.as_dvec3() - now.centre);
            if change.is_finite() {
                *v += change.as_vec3();
            }
            if shift.is_finite() {
                *x += shift;
            }
        }
    }
}
