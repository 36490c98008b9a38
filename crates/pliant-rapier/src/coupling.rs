//! What links a world of soft bodies with a world of rigid ones.

use crate::convert::{back, place, turn, vector};
use crate::exchange::{Copy, Exchange, Given};
use crate::mirror::Mirror;
use crate::motion::{Felt, Motion};
use crate::shape::{Part, Unmapped, parts};
use pliant::glam::{DVec3, Quat, Vec3};
use pliant::math::quat_to_scaled_axis;
use pliant::tool::ToolError;
use pliant::{BodyHandle, Carrier, Collider, Selection, StepReport, ToolHandle, World};
use rapier3d::dynamics::RigidBodyHandle;
use rapier3d::geometry::{Collider as RapierCollider, ColliderHandle, InteractionGroups, SharedShape};
use rapier3d::pipeline::PhysicsWorld;
use serde::{Deserialize, Serialize};
use std::fmt;

/// What links a world of soft bodies with a world of rigid ones.
///
/// Every collider of the rapier world that is not a sensor becomes one of the Pliant world, and goes with it: nothing has to be
/// registered. Colliders that the Pliant world has of its own stay as they are; rigid bodies feel those that are mirrored
/// ([`Coupling::mirror`]).
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Coupling {
    /// The groups that soft bodies are in, as rapier's colliders see them; all unless set.
    pub groups: InteractionGroups,
    links: Vec<Link>,
    pub(crate) mirrors: Vec<Mirror>,
    /// By handle, ascending.
    felt: Vec<(RigidBodyHandle, Felt)>,
    #[serde(skip)]
    unmapped: Vec<Unmapped>,
}

/// A collider of rapier and what it is in Pliant.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Link {
    theirs: ColliderHandle,
    ours: Vec<Linked>,
    /// The shape that this was made from; unknown after it was read from a file.
    #[serde(skip)]
    shape: Known,
}

/// A collider of Pliant and where it is in that of rapier.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
struct Linked {
    handle: pliant::ColliderHandle,
    position: DVec3,
    rotation: Quat,
}

#[derive(Clone, Default)]
struct Known(Option<SharedShape>);

impl fmt::Debug for Known {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.is_some() { "known" } else { "unknown" })
    }
}

impl Known {
    /// Holding on to the shape keeps its address from being used for another.
    fn is(&mut self, shape: &SharedShape) -> bool {
        let known = self.0.get_or_insert_with(|| shape.clone());
        std::ptr::addr_eq(&raw const **known, &raw const **shape)
    }
}

/// Why nodes could not be attached.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum AttachError {
    /// The soft body or the selection is not right.
    #[error(transparent)]
    Tool(#[from] ToolError),
    /// The rigid body is not right.
    #[error("rapier's world has no body {0:?} with a finite place")]
    NoSuchRigid(RigidBodyHandle),
}

impl Coupling {
    /// Links nothing yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Moves both worlds `dt_secs` seconds on, and lets each feel the other. Rapier's own step length is set to the same.
    ///
    /// 1. rapier's places, speeds and masses → Pliant   2. Pliant's step   3. what rigid bodies got in it → rapier
    /// 4. rapier's step
    ///
    /// Never fails: what is not finite in one world does not reach the other, and shapes that Pliant does not know are passed
    /// over ([`Coupling::unmapped`]).
    pub fn step(&mut self, world: &mut World, physics: &mut PhysicsWorld, dt_secs: f32) -> StepReport {
        weigh(physics);
        let _ = self.couple(world, physics);
        let exchange = self.place(world, physics, dt_secs);
        let report = world.step(dt_secs);
        if report.refused {
            return report;
        }
        let iterations = physics.integration_parameters.num_solver_iterations;
        let given = exchange.finish(world, report.substeps, iterations, dt_secs);
        let forces = self.give(physics, &given, dt_secs);
        self.move_mirrors(world, physics);
        physics.integration_parameters.dt = dt_secs;
        physics.step();
        for (handle, force, torque) in forces {
            // Forces of rapier stay until they are taken back.
            let Some(body) = physics.bodies.get_mut(handle) else { continue };
            body.reset_forces(false);
            body.reset_torques(false);
            body.add_force(force, false);
            body.add_torque(torque, false);
        }
        self.remember(physics, &given, dt_secs);
        self.show(world, physics);
        report
    }

    /// Brings the Pliant world's colliders up to date with rapier's: new ones are added, those gone are taken out.
    /// [`Coupling::step`] does it by itself; call it to know whether soft bodies feel every collider.
    ///
    /// # Errors
    /// The first collider that soft bodies do not feel; [`Coupling::unmapped`] has all of them. The others are linked.
    pub fn couple(&mut self, world: &mut World, physics: &PhysicsWorld) -> Result<(), Unmapped> {
        let (groups, mirrors) = (self.groups, &self.mirrors);
        let is_felt = |collider: &RapierCollider| {
            let parent = collider.parent().and_then(|parent| physics.bodies.get(parent));
            let is_image = |body| mirrors.iter().any(|mirror| mirror.theirs == body);
            let solid =
                !collider.parent().is_some_and(is_image) && collider.is_enabled() && !collider.is_sensor();
            let alive = parent.is_none_or(|body| body.is_enabled() && body.soft_body().is_none());
            solid
                && alive
                && collider.collision_groups().test(groups)
                && collider.deformable_mesh_ref().is_none()
        };
        self.links.retain_mut(|link| {
            let collider = physics.colliders.get(link.theirs).filter(|collider| is_felt(collider));
            let stays = collider.is_some_and(|collider| link.shape.is(collider.shared_shape()))
                && link.ours.iter().all(|linked| world.collider(linked.handle).is_ok());
            if !stays {
                link.ours.iter().for_each(|linked| drop(world.remove_collider(linked.handle)));
            }
            stays
        });
        self.unmapped.clear();
        for (handle, collider) in physics.colliders.iter().filter(|(_, collider)| is_felt(collider)) {
            let at = self.links.binary_search_by_key(&order(handle.0), |link| order(link.theirs.0));
            let Err(at) = at else { continue };
            match link(world, physics, handle, collider) {
                Ok(link) => self.links.insert(at, link),
                Err(why) => self.unmapped.push(Unmapped { collider: handle, why }),
            }
        }
        self.unmapped.first().map_or(Ok(()), |first| Err(first.clone()))
    }

    /// Takes all that rapier has put into the Pliant world out of it, attachments too.
    pub fn uncouple(&mut self, world: &mut World) {
        for linked in self.links.drain(..).flat_map(|link| link.ours) {
            let _ = world.remove_collider(linked.handle);
        }
        let tools: Vec<ToolHandle> = world.carriers_mut().map(|(tool, _)| tool).collect();
        tools.into_iter().for_each(|tool| drop(world.remove_tool(tool)));
        self.felt.clear();
    }

    /// Rapier's colliders that soft bodies do not feel.
    pub fn unmapped(&self) -> &[Unmapped] {
        &self.unmapped
    }

    /// Pliant's colliders for one of rapier's: several for a compound shape, none if soft bodies do not feel it.
    pub fn colliders(&self, of: ColliderHandle) -> impl Iterator<Item = pliant::ColliderHandle> {
        let found = self.links.iter().find(|link| link.theirs == of);
        found.into_iter().flat_map(|link| link.ours.iter().map(|linked| linked.handle))
    }

    /// Holds nodes of a soft body to a rigid one, where they are now: they go where it goes, and it feels them.
    ///
    /// In each substep the rigid body and the nodes move on as one body with the momentum that they have together, so either may
    /// be much the heavier. The attachment is a tool of the Pliant world: when the soft body is cut, each piece that has some of
    /// the nodes stays attached. It ends with either body.
    ///
    /// # Errors
    /// If a body is not there, or nothing is selected.
    pub fn attach(
        &self,
        world: &mut World,
        physics: &PhysicsWorld,
        soft: BodyHandle,
        nodes: &Selection,
        rigid: RigidBodyHandle,
    ) -> Result<ToolHandle, AttachError> {
        let body = physics.bodies.get(rigid).ok_or(AttachError::NoSuchRigid(rigid))?;
        let felt = Felt::default();
        let motion = Motion::of(body, Vec3::ZERO, &felt, 1.0).ok_or(AttachError::NoSuchRigid(rigid))?;
        let (position, rotation) = motion.pose();
        Ok(world.attach(soft, nodes, Carrier::new(key(rigid), position, rotation))?)
    }

    /// Lets go of attached nodes.
    ///
    /// # Errors
    /// If they are not attached any more.
    pub fn detach(&self, world: &mut World, attachment: ToolHandle) -> Result<(), pliant::ids::StaleHandle> {
        world.remove_tool(attachment).map(drop)
    }

    /// What a rigid body felt.
    fn felt(&self, handle: RigidBodyHandle) -> Felt {
        let found = self.felt.binary_search_by_key(&order(handle.0), |(of, _)| order(of.0));
        found.map_or_else(|_| Felt::default(), |at| self.felt[at].1)
    }

    fn felt_mut(&mut self, handle: RigidBodyHandle) -> &mut Felt {
        let at = match self.felt.binary_search_by_key(&order(handle.0), |(of, _)| order(of.0)) {
            Ok(at) => at,
            Err(at) => {
                self.felt.insert(at, (handle, Felt::default()));
                at
            }
        };
        &mut self.felt[at].1
    }

    /// Puts Pliant's colliders and carriers where rapier's bodies are, with their speeds and inertia.
    fn place(&mut self, world: &mut World, physics: &PhysicsWorld, dt_secs: f32) -> Exchange {
        let gravity = Some(vector(physics.gravity)).filter(|g| g.is_finite()).unwrap_or_default();
        let mut exchange = Exchange::default();
        let stale: Vec<ToolHandle> = world
            .carriers_mut()
            .filter(|(_, carrier)| !physics.bodies.contains(rigid_of(carrier.key)))
            .map(|(tool, _)| tool)
            .collect();
        stale.into_iter().for_each(|tool| drop(world.remove_tool(tool)));
        let parents = self.links.iter().filter_map(|link| physics.colliders.get(link.theirs)?.parent());
        let carriers: Vec<RigidBodyHandle> =
            world.carriers_mut().map(|(_, carrier)| rigid_of(carrier.key)).collect();
        let mut bodies: Vec<RigidBodyHandle> = parents.chain(carriers.iter().copied()).collect();
        bodies.sort_by_key(|body| order(body.0));
        bodies.dedup();
        self.felt.retain(|(of, _)| bodies.binary_search_by_key(&order(of.0), |body| order(body.0)).is_ok());
        for body in bodies {
            let felt = self.felt(body);
            let motion = physics.bodies.get(body).and_then(|body| Motion::of(body, gravity, &felt, dt_secs));
            exchange.add(body, motion);
        }

        for link in &self.links {
            let Some(collider) = physics.colliders.get(link.theirs) else { continue };
            let motion = collider.parent().map(|parent| exchange.motion(parent).copied());
            for linked in &link.ours {
                let Ok(ours) = world.collider_mut(linked.handle) else { continue };
                ours.surface.friction =
                    Some(collider.friction()).filter(|f| *f >= 0.0 && f.is_finite()).unwrap_or(0.0);
                ours.surface.restitution =
                    Some(collider.restitution()).filter(|r| !r.is_nan()).unwrap_or(0.0).clamp(0.0, 1.0);
                linked.place(ours, motion, collider);
                if let (Some(parent), Some(rigid)) = (collider.parent(), &ours.rigid) {
                    let centre = ours.position + rigid.centre.as_dvec3();
                    exchange.note(parent, Copy::Collider(linked.handle), centre, ours.rotation);
                }
            }
        }
        for (tool, carrier) in world.carriers_mut() {
            let body = rigid_of(carrier.key);
            place_carrier(carrier, exchange.motion(body), dt_secs);
            if carrier.rigid.is_some() {
                exchange.note(body, Copy::Carrier(tool), carrier.centre(), carrier.rotation);
            }
        }
        exchange
    }

    /// Gives rapier's bodies what they got; returns their own forces, which are to be put back after the step.
    fn give(
        &mut self,
        physics: &mut PhysicsWorld,
        given: &[Given],
        dt_secs: f32,
    ) -> Vec<(RigidBodyHandle, rapier3d::math::Vector, rapier3d::math::Vector)> {
        let unit = physics.integration_parameters.length_unit;
        let mut forces = Vec::new();
        for got in given {
            let Some(body) = physics.bodies.get(got.body) else { continue };
            if body.is_sleeping() {
                let threshold = 0.5 * unit * body.activation().normalized_linear_threshold.max(0.01);
                if !self.felt_mut(got.body).wakes(got.speeds(), got.touching, threshold) {
                    continue;
                }
            }
            if body.is_sleeping() {
                physics.wake_up(got.body, true);
            }
            self.felt_mut(got.body).awake();
            if got.impulse == Vec3::ZERO && got.angular_impulse == Vec3::ZERO {
                continue;
            }
            let Some(body) = physics.bodies.get_mut(got.body) else { continue };
            forces.push((got.body, body.user_force(), body.user_torque()));
            let (impulse, angular_impulse) = got.at_once;
            body.apply_impulse(back(impulse), false);
            body.apply_torque_impulse(back(angular_impulse), false);
            body.add_force(back((got.impulse - impulse) / dt_secs), false);
            body.add_torque(back((got.angular_impulse - angular_impulse) / dt_secs), false);
        }
        forces
    }

    /// Puts Pliant's colliders where rapier has come to, for those who look.
    fn show(&self, world: &mut World, physics: &PhysicsWorld) {
        for link in &self.links {
            let Some(collider) = physics.colliders.get(link.theirs) else { continue };
            for linked in &link.ours {
                let (position, rotation) = linked.pose(pose_of(physics, collider));
                let Ok(ours) = world.collider_mut(linked.handle) else { continue };
                if position.is_finite() && rotation.is_normalized() {
                    (ours.position, ours.rotation) = (position, rotation);
                }
            }
        }
    }

    /// Remembers what rapier did to each body besides gravity and what soft bodies gave it.
    fn remember(&mut self, physics: &PhysicsWorld, given: &[Given], dt_secs: f32) {
        for got in given {
            let Some(body) = physics.bodies.get(got.body) else { continue };
            let gained =
                vector(body.linvel()) - got.mass.velocity - got.speeds().0 - dt_secs * got.mass.weight;
            self.felt_mut(got.body).remember(gained, dt_secs);
        }
    }
}

/// A new link for a collider of rapier.
fn link(
    world: &mut World,
    physics: &PhysicsWorld,
    handle: ColliderHandle,
    collider: &RapierCollider,
) -> Result<Link, String> {
    let pose = pose_of(physics, collider);
    if !(pose.0.is_finite() && pose.1.is_normalized()) {
        return Err("its place is not finite".into());
    }
    let mut ours: Vec<Linked> = Vec::new();
    for Part { shape, position, rotation } in parts(collider.shape())? {
        let (at, turned) = Linked::compose(pose, position, rotation);
        match world.add_collider(Collider::new(shape).at(at).turned(turned)) {
            Ok(handle) => ours.push(Linked { handle, position, rotation }),
            Err(error) => {
                ours.iter().for_each(|linked| drop(world.remove_collider(linked.handle)));
                return Err(error.to_string());
            }
        }
    }
    Ok(Link { theirs: handle, ours, shape: Known(Some(collider.shared_shape().clone())) })
}

/// Where a collider of rapier is: with its body, even if that was moved since the last step.
fn pose_of(physics: &PhysicsWorld, collider: &RapierCollider) -> (DVec3, Quat) {
    let parent = collider.parent().and_then(|parent| physics.bodies.get(parent));
    let pose = match (parent, collider.position_wrt_parent()) {
        (Some(body), Some(within)) => *body.position() * *within,
        _ => *collider.position(),
    };
    (place(pose.translation), turn(pose.rotation))
}

impl Linked {
    fn compose((at, turned): (DVec3, Quat), position: DVec3, rotation: Quat) -> (DVec3, Quat) {
        (at + turned.as_dquat() * position, (turned * rotation).normalize())
    }

    /// Where it is if its collider of rapier is there.
    fn pose(&self, collider: (DVec3, Quat)) -> (DVec3, Quat) {
        Self::compose(collider, self.position, self.rotation)
    }

    /// Puts Pliant's collider where its body is, on its way to where that goes.
    fn place(&self, ours: &mut Collider, motion: Option<Option<Motion>>, collider: &RapierCollider) {
        (ours.velocity, ours.spin, ours.rigid) = (Vec3::ZERO, Vec3::ZERO, None);
        let Some(motion) = motion else {
            let at = (place(collider.position().translation), turn(collider.position().rotation));
            if at.0.is_finite() && at.1.is_normalized() {
                (ours.position, ours.rotation) = self.pose(at);
            }
            return;
        };
        // One that is not finite stays where it last was.
        let Some(motion) = motion else { return };
        let within = collider
            .position_wrt_parent()
            .map_or((DVec3::ZERO, Quat::IDENTITY), |pose| (place(pose.translation), turn(pose.rotation)));
        let there = |body: (DVec3, Quat)| self.pose(Self::compose(body, within.0, within.1));
        let (position, rotation) = there(motion.pose());
        if !(position.is_finite() && rotation.is_normalized()) {
            return;
        }
        (ours.position, ours.rotation) = (position, rotation);
        match motion {
            Motion::Fixed { .. } => {}
            Motion::Kinematic { to, .. } => {
                let (position, rotation) = there(to);
                ours.move_to(position, rotation);
            }
            Motion::Dynamic { mass, .. } => {
                (ours.velocity, ours.spin) = (mass.velocity, mass.spin);
                let body = collider.parent().map_or(0, key);
                ours.rigid = Some(mass.rigid(body, position));
            }
        }
    }
}

/// Puts a carrier where its body is, on its way to where that goes.
fn place_carrier(carrier: &mut Carrier, motion: Option<&Motion>, dt_secs: f32) {
    (carrier.velocity, carrier.spin, carrier.rigid) = (Vec3::ZERO, Vec3::ZERO, None);
    let Some(motion) = motion else { return };
    (carrier.position, carrier.rotation) = motion.pose();
    match motion {
        Motion::Fixed { .. } => {}
        Motion::Kinematic { to, .. } => {
            carrier.velocity = ((to.0 - carrier.position) / f64::from(dt_secs)).as_vec3();
            let turn = to.1 * carrier.rotation.inverse();
            let turn = if turn.w < 0.0 { -turn } else { turn };
            carrier.spin = quat_to_scaled_axis(turn) / dt_secs;
        }
        Motion::Dynamic { mass, .. } => {
            (carrier.velocity, carrier.spin) = (mass.velocity, mass.spin);
            carrier.rigid = Some(mass.rigid(carrier.key, carrier.position));
        }
    }
}

/// Makes sure that bodies put in since the last step know their mass.
fn weigh(physics: &mut PhysicsWorld) {
    let unknown = |body: &rapier3d::dynamics::RigidBody| {
        body.is_dynamic()
            && body.mass_properties().local_mprops.inv_mass == 0.0
            && !body.colliders().is_empty()
    };
    let handles: Vec<RigidBodyHandle> =
        physics.bodies.iter().filter(|(_, body)| unknown(body)).map(|(handle, _)| handle).collect();
    for handle in handles {
        if let Some(body) = physics.bodies.get_mut(handle) {
            body.recompute_mass_properties_from_colliders(&physics.colliders);
        }
    }
}

/// A rapier handle as one number that is not 0.
fn key(body: RigidBodyHandle) -> u64 {
    let (index, generation) = body.into_raw_parts();
    (u64::from(generation) << 32 | u64::from(index)).wrapping_add(1)
}

fn rigid_of(key: u64) -> RigidBodyHandle {
    let key = key.wrapping_sub(1);
    RigidBodyHandle::from_raw_parts(key as u32, (key >> 32) as u32)
}

/// What handles are sorted by.
pub(crate) fn order(index: rapier3d::data::Index) -> (u32, u32) {
    index.into_raw_parts()
}
