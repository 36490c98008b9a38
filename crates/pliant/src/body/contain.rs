//! Nodes that are not finite, or have flown off, put back.

use super::Body;
use crate::math::largest_coordinate;
use crate::nodes::NodeState;
use glam::{DVec3, Quat, Vec3};

impl Body {
    /// Gives nodes that are not finite, or farther out than anything can be, a place and a motion that are.
    ///
    /// A bad node goes back to where its body's goals want it, which is what the good nodes agree on. A body without any good
    /// node starts again from its rest shape. Returns how many nodes were bad.
    pub(crate) fn contain(&mut self) -> usize {
        let NodeState { origin, positions, velocities } = &mut self.nodes;
        let rest = &self.rest.nodes;
        let far = FAR * rest.radius.max(1.0);
        let good = |x: &Vec3, v: &Vec3| {
            x.is_finite() && v.is_finite() && x.abs().max_element() < far && v.abs().max_element() < FASTEST
        };
        // Nearly always all are good, and that is told by the largest of all numbers.
        if largest_coordinate(positions) < far
            && largest_coordinate(velocities) < FASTEST
            && origin.is_finite()
        {
            return 0;
        }
        let bad = positions.iter().zip(velocities.iter()).filter(|(x, v)| !good(x, v)).count();
        if bad == 0 && origin.is_finite() {
            return 0;
        }
        let (mut center, mut velocity, mut mass) = (Vec3::ZERO, Vec3::ZERO, 0.0);
        for ((x, v), m) in
            positions.iter().zip(velocities.iter()).zip(&rest.masses).filter(|((x, v), _)| good(x, v))
        {
            center += *m * *x;
            velocity += *m * *v;
            mass += m;
        }
        if mass <= 0.0 || !origin.is_finite() {
            let center = if origin.is_finite() { *origin } else { DVec3::ZERO };
            self.put(center, Quat::IDENTITY);
            return bad.max(1);
        }
        let rotation = self.model.rotation();
        for ((x, v), x0) in positions.iter_mut().zip(velocities.iter_mut()).zip(&rest.rest_positions) {
            if !good(x, v) {
                *x = center / mass + rotation * (*x0 - rest.middle);
                *v = velocity / mass;
            }
        }
        bad
    }
}

/// How many times its own size (or metres, for small bodies) a body may reach from its origin before it counts as exploded.
const FAR: f32 = 1e7;
/// m/s, beyond which squares leave `f32`. A body as stiff as can be, squashed and stepped by 1 µs, comes back at 1e6.
const FASTEST: f32 = 1e15;
