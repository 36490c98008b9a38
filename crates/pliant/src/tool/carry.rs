//! Rigid bodies that carry nodes, for a substep.

use super::{Tool, ToolHandle};
use crate::body::Body;
use crate::contact::{Collider, RigidMotion};
use crate::ids::Arena;

/// Lets rigid bodies carry the nodes that are held to them for `h` seconds.
///
/// Carriers come one after the other, each with what those before have done. They move last, with the speed that all is
/// known for: what hangs still does not move at all.
pub(crate) fn carry(
    tools: &mut Arena<Tool>,
    bodies: &mut Arena<Body>,
    colliders: &mut Arena<Collider>,
    h: f32,
) {
    let carriers: Vec<ToolHandle> =
        tools.iter().filter(|(_, tool)| tool.carrier().is_some()).map(|(handle, _)| handle).collect();
    for &handle in &carriers {
        let Some(tool) = tools.get_mut(handle) else { continue };
        let body = tool.body().and_then(|body| bodies.get(body)).filter(|body| !body.is_unmoved());
        if let Some(motion) = body.and_then(|body| tool.act_mut().join(body)) {
            motion.give_to_colliders(colliders);
            give_to_carriers(&motion, tools);
        }
    }
    for handle in carriers {
        let Some(tool) = tools.get_mut(handle) else { continue };
        let body = tool.body().and_then(|body| bodies.get_mut(body)).filter(|body| !body.is_unmoved());
        tool.act_mut().carry(body, h);
    }
}

/// Gives all carriers that stand for a rigid body its motion.
pub(crate) fn give_to_carriers(motion: &RigidMotion, tools: &mut Arena<Tool>) {
    for carrier in tools.values_mut().filter_map(Tool::carrier_mut) {
        if motion.is_of(carrier.key) && carrier.rigid.is_some() {
            (carrier.velocity, carrier.spin) = (motion.velocity, motion.spin);
        }
    }
}
