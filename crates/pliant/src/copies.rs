//! Several colliders and carriers that stand for one rigid body: what one of them gets, all get.

use crate::contact::Collider;
use crate::ids::Arena;
use crate::tool::{Carrier, Tool};
use crate::world::{ToolHandle, World};
use glam::Vec3;

impl World {
    /// Wakes bodies whose nodes are held to something that moves, or that was moved.
    pub(crate) fn wake_carried(&mut self) {
        for tool in self.tools.values() {
            let Tool::Pin(pin) = tool else { continue };
            let (Some(carrier), Some(body)) = (&pin.carrier, self.bodies.get_mut(pin.body)) else { continue };
            let away = pin
                .held()
                .next()
                .map_or(0.0, |(node, at)| at.distance(body.nodes.world_position(node as usize)));
            let moved = away > 1e-4 * f64::from(body.rest().nodes.radius);
            if body.is_asleep() && (moved || carrier.velocity != Vec3::ZERO || carrier.spin != Vec3::ZERO) {
                body.wake();
            }
        }
    }

    /// Lets rigid bodies carry the nodes that are held to them for `h` seconds.
    ///
    /// Carriers come one after the other, each with what those before have done. They move last, with the speed that all is
    /// known for: what hangs still does not move at all.
    pub(crate) fn carry(&mut self, h: f32) {
        let carried = |tool: &Tool| matches!(tool, Tool::Pin(pin) if pin.carrier.is_some());
        let pins: Vec<ToolHandle> =
            self.tools.iter().filter(|(_, tool)| carried(tool)).map(|(pin, _)| pin).collect();
        for &handle in &pins {
            let Some(Tool::Pin(pin)) = self.tools.get_mut(handle) else { continue };
            let Some(body) = self.bodies.get(pin.body).filter(|body| !body.is_asleep()) else { continue };
            pin.join(&body.nodes, &body.rest().nodes.masses);
            if let Some(&Carrier { key, velocity, spin, rigid: Some(_), .. }) = pin.carrier.as_ref() {
                spread(&mut self.colliders, &mut self.tools, key, (velocity, spin));
            }
        }
        for handle in pins {
            let Some(Tool::Pin(pin)) = self.tools.get_mut(handle) else { continue };
            match self.bodies.get_mut(pin.body).filter(|body| !body.is_asleep()) {
                Some(body) => pin.carry(&mut body.nodes, h),
                None => pin.carrier.iter_mut().for_each(|carrier| carrier.advance(h)),
            }
        }
    }
}

/// Gives all that stand for a rigid body its velocity and its spin.
pub(crate) fn spread(
    colliders: &mut Arena<Collider>,
    tools: &mut Arena<Tool>,
    body: u64,
    (velocity, spin): (Vec3, Vec3),
) {
    // 0 stands for itself alone.
    if body == 0 {
        return;
    }
    for collider in colliders.values_mut().filter(|c| c.rigid.is_some_and(|rigid| rigid.body == body)) {
        (collider.velocity, collider.spin) = (velocity, spin);
    }
    for tool in tools.values_mut() {
        let Tool::Pin(pin) = tool else { continue };
        if let Some(carrier) = pin.carrier.as_mut().filter(|c| c.key == body && c.rigid.is_some()) {
            (carrier.velocity, carrier.spin) = (velocity, spin);
        }
    }
}
