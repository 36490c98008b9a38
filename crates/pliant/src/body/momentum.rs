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

    /// Gives nodes that have nearly this motion exactly this motion, and their centre of mass the place of this one.
    pub fn restore(&self, rest: &NodeRest, nodes: &mut NodeState) {
        let now = Self::of(rest, nodes);
        now.change(rest, nodes, self.velocity, self.angular);
        let shift = (self.centre - now.centre).as_vec3();
        if shift.is_finite() {
            nodes.positions.iter_mut().for_each(|x| *x += shift);
        }
    }

    /// As [`restore`](Self::restore), but where the nodes are, which must not be moved into what is beside them: only both momenta are
    /// what they were.
    pub fn restore_in_place(&self, rest: &NodeRest, nodes: &mut NodeState) {
        let now = Self::of(rest, nodes);
        let of_lever = (self.centre - now.centre).cross(self.velocity) * rest.total_mass;
        now.change(rest, nodes, self.velocity, self.angular + of_lever);
    }

    /// Adds an impulse to nodes that have this motion; `arm` is from the centre of mass to where it acts.
    pub fn push(&self, rest: &NodeRest, nodes: &mut NodeState, impulse: DVec3, arm: DVec3) {
        let velocity = self.velocity + impulse / rest.total_mass;
        self.change(rest, nodes, velocity, self.angular + arm.cross(impulse));
    }

    /// Gives nodes that have this motion another velocity and angular momentum.
    fn change(&self, rest: &NodeRest, nodes: &mut NodeState, velocity: DVec3, angular: DVec3) {
        let mut second = DMat3::ZERO;
        for (x, &m) in nodes.positions.iter().zip(&rest.masses) {
            let p = x.as_dvec3() - self.centre;
            second += DMat3::from_cols(p * p.x, p * p.y, p * p.z) * f64::from(m);
        }
        let turn = momentum::turn_of(second, angular - self.angular);
        let faster = velocity - self.velocity;
        for (x, v) in nodes.positions.iter().zip(&mut nodes.velocities) {
            let change = faster + turn.cross(x.as_dvec3() - self.centre);
            if change.is_finite() {
                *v += change.as_vec3();
            }
        }
    }
}
