//! How a body moves as a whole: where it is, how it is turned, and impulses.

use super::{Body, BodyError, Momentum};
use crate::NodeId;
use crate::math::rotation;
use glam::{DMat3, DVec3, Quat, Vec3};

impl Body {
    /// Where the centre of mass is in the world.
    pub fn center_of_mass(&self) -> DVec3 {
        self.nodes.origin + self.rest.nodes.mean_motion(&self.nodes).0
    }

    /// The velocity of the centre of mass.
    pub fn velocity(&self) -> DVec3 {
        self.rest.nodes.mean_motion(&self.nodes).1
    }

    /// How it is turned as a whole: the rotation that takes its nodes at rest nearest to where they are, by mass.
    ///
    /// Where several are equally near, as for nodes on a line, it is the one nearest to how its model is turned.
    pub fn rotation(&self) -> Quat {
        let (rest, now) = (&self.rest.nodes, &self.nodes.positions);
        let center = rest.mean_motion(&self.nodes).0;
        let mut moment = DMat3::ZERO;
        for ((x, x0), &m) in now.iter().zip(&rest.rest_positions).zip(&rest.masses) {
            let (p, q) = (x.as_dvec3() - center, (*x0 - rest.middle).as_dvec3() * f64::from(m));
            moment += DMat3::from_cols(p * q.x, p * q.y, p * q.z);
        }
        let largest = moment.to_cols_array().iter().fold(0.0_f64, |most, v| most.max(v.abs()));
        rotation((moment * largest.recip()).as_mat3(), self.model.rotation())
    }

    /// Gives all nodes the motion of a rigid body: `velocity` in m/s, `spin` in rad/s.
    ///
    /// # Errors
    /// If either is not finite.
    pub fn set_motion(&mut self, velocity: Vec3, spin: Vec3) -> Result<(), BodyError> {
        if !(velocity.is_finite() && spin.is_finite()) {
            return Err(BodyError::Placement { what: "velocity", why: "it must be finite" });
        }
        let center = self.rest.nodes.mean_motion(&self.nodes).0.as_vec3();
        for (v, x) in self.nodes.velocities.iter_mut().zip(&self.nodes.positions) {
            *v = velocity + spin.cross(*x - center);
        }
        Ok(())
    }

    /// Adds an impulse in kg m/s to one node.
    pub fn apply_impulse(&mut self, node: NodeId, impulse: Vec3) {
        if let Some(v) = self.nodes.velocities.get_mut(node.index()) {
            *v += impulse / self.rest.nodes.masses[node.index()];
        }
    }

    /// Adds an impulse in kg m/s at a point of the world, as to a rigid body: linear and angular momentum change by exactly what it
    /// gives, to rounding, and the shape does not. The point may be anywhere.
    ///
    /// # Errors
    /// If either is not finite.
    pub fn apply_impulse_at(&mut self, point: impl Into<DVec3>, impulse: Vec3) -> Result<(), BodyError> {
        let point = point.into();
        if !(point.is_finite() && impulse.is_finite()) {
            return Err(BodyError::Placement { what: "impulse", why: "it and its point must be finite" });
        }
        let arm = point - self.center_of_mass();
        let Self { rest, nodes, .. } = self;
        Momentum::of(&rest.nodes, nodes).push(&rest.nodes, nodes, impulse.as_dvec3(), arm);
        Ok(())
    }
}
