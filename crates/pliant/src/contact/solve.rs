//! What bodies that are in each other do about it: impulses and displacements of the nodes, equal and opposite.
//!
//! Each contact is between a node and the weighted mean of the nodes it is on, or a rigid collider. Contacts are gone through in
//! a fixed order, several times: each takes away what is left of the approach, holds back sliding by up to μ times what it has
//! pressed with so far, and then takes the two out of each other. Impulses do not depend on masses being alike: a contact
//! moves the lighter one more.
//!
//! Displacements change no velocity, so taking bodies out of each other never throws them.

use super::narrow::CARRIERS;
use super::{ColliderHandle, Rigid, RigidMotion};
use glam::Vec3;

/// A node that takes part in contacts.
#[derive(Clone, Copy, Debug, Default)]
pub struct Member {
    /// m/s
    pub velocity: Vec3,
    /// How far it was displaced, in metres.
    pub moved: Vec3,
    /// 1/kg; 0 for what cannot be moved.
    pub inverse_mass: f32,
}

/// A rigid collider that takes part in contacts.
#[derive(Clone, Copy, Debug)]
pub struct RigidMember {
    /// Of its centre of mass, in m/s.
    pub velocity: Vec3,
    /// rad/s
    pub spin: Vec3,
    /// Its inertia, and what it was given.
    pub rigid: Rigid,
    /// Which it is.
    pub handle: ColliderHandle,
}

impl RigidMember {
    /// How it moves.
    pub fn motion(&self) -> RigidMotion {
        RigidMotion { body: self.rigid.body, velocity: self.velocity, spin: self.spin }
    }
}

/// What a node is in contact with.
#[derive(Clone, Copy, Debug)]
pub enum Against {
    /// The mean of members.
    Members([(u32, f32); CARRIERS]),
    /// A point of a rigid member, relative to its centre of mass.
    Rigid(u32, Vec3),
}

/// A contact to be solved.
#[derive(Clone, Copy, Debug)]
pub struct Constraint {
    /// The member that is in another.
    pub member: u32,
    /// What it is in.
    pub against: Against,
    /// Where it is, relative to the origin of the member's body.
    pub place: Vec3,
    /// The direction out.
    pub normal: Vec3,
    /// How far, in metres.
    pub depth: f32,
    /// How much of it may be undone in this step besides what they approach each other by.
    pub rise: f32,
    /// Coulomb friction.
    pub friction: f32,
    /// m/s that it bounces back with.
    pub back: f32,
    /// m/s up to which what is in each other does not come apart by itself: a contact that only ever pushes makes a pile of
    /// soft bodies tremble. Displacements take them apart.
    pub cling: f32,
    /// kg m/s that it has pressed with.
    pub impulse: f32,
    /// kg m/s that friction has held it back with.
    pub friction_impulse: Vec3,
    /// m/s at which they approached each other at first.
    approach: f32,
    /// 1/kg of both together, along the normal.
    inverse_mass: f32,
}

impl Constraint {
    /// A contact that has done nothing yet.
    pub fn new(member: u32, against: Against, normal: Vec3, depth: f32) -> Self {
        Self {
            member,
            against,
            place: Vec3::ZERO,
            normal,
            depth,
            rise: 0.0,
            friction: 0.0,
            back: 0.0,
            cling: 0.0,
            impulse: 0.0,
            friction_impulse: Vec3::ZERO,
            approach: 0.0,
            inverse_mass: 0.0,
        }
    }
}

/// Times that velocities are gone through.
const VELOCITY_PASSES: usize = 4;
/// Times that displacements are gone through.
const PLACE_PASSES: usize = 3;

/// All that takes part in contacts at the same time.
#[derive(Clone, Debug, Default)]
pub struct Solver {
    /// Nodes.
    pub members: Vec<Member>,
    /// Rigid colliders.
    pub rigids: Vec<RigidMember>,
    /// Contacts.
    pub constraints: Vec<Constraint>,
}

impl Solver {
    /// Forgets everything.
    pub fn clear(&mut self) {
        self.members.clear();
        self.rigids.clear();
        self.constraints.clear();
    }

    /// Solves all contacts for a step of `h` seconds.
    pub fn solve(&mut self, h: f32) {
        let Self { members, rigids, constraints } = self;
        let mut all = SolverBodies { members, rigids };
        for contact in constraints.iter_mut() {
            contact.inverse_mass = all.inverse_mass(contact);
            contact.approach = -all.relative(contact).dot(contact.normal);
        }
        constraints.retain(|contact| contact.inverse_mass > 0.0 && contact.inverse_mass.is_finite());
        for _ in 0..VELOCITY_PASSES {
            for contact in constraints.iter_mut() {
                all.press(contact);
                all.hold(contact, h);
            }
        }
        for pass in 0..PLACE_PASSES {
            for contact in constraints.iter_mut() {
                all.displace(contact, h, pass);
            }
        }
    }
}

/// All that contacts act on.
struct SolverBodies<'a> {
    members: &'a mut [Member],
    rigids: &'a mut [RigidMember],
}

impl SolverBodies<'_> {
    /// Velocity of the member relative to what it is in.
    fn relative(&self, contact: &Constraint) -> Vec3 {
        let velocity = self.members[contact.member as usize].velocity;
        velocity
            - match contact.against {
                Against::Members(carriers) => {
                    let of = |&(member, weight): &(u32, f32)| weight * self.members[member as usize].velocity;
                    carriers.iter().map(of).sum()
                }
                Against::Rigid(rigid, arm) => {
                    let rigid = &self.rigids[rigid as usize];
                    rigid.velocity + rigid.spin.cross(arm)
                }
            }
    }

    /// 1/kg of both together along the normal.
    fn inverse_mass(&self, contact: &Constraint) -> f32 {
        let normal = contact.normal;
        self.members[contact.member as usize].inverse_mass
            + match contact.against {
                Against::Members(carriers) => {
                    let of = |&(member, weight): &(u32, f32)| {
                        weight * weight * self.members[member as usize].inverse_mass
                    };
                    carriers.iter().map(of).sum()
                }
                Against::Rigid(rigid, arm) => {
                    let rigid = &self.rigids[rigid as usize].rigid;
                    let turn = arm.cross(normal);
                    rigid.inverse_mass + turn.dot(rigid.inverse_inertia * turn)
                }
            }
    }

    /// Gives both an impulse, the member's own way.
    fn give(&mut self, contact: &Constraint, impulse: Vec3) {
        let member = &mut self.members[contact.member as usize];
        member.velocity += impulse * member.inverse_mass;
        match contact.against {
            Against::Members(carriers) => {
                for (member, weight) in carriers {
                    let member = &mut self.members[member as usize];
                    member.velocity -= impulse * (weight * member.inverse_mass);
                }
            }
            Against::Rigid(rigid, arm) => {
                let member = &mut self.rigids[rigid as usize];
                member.velocity -= impulse * member.rigid.inverse_mass;
                let turn = arm.cross(impulse);
                member.spin -= member.rigid.inverse_inertia * turn;
                member.rigid.impulse -= impulse;
                member.rigid.angular_impulse -= turn;
            }
        }
    }

    /// Takes away what is left of the approach.
    fn press(&mut self, contact: &mut Constraint) {
        let speed = self.relative(contact).dot(contact.normal);
        let wanted = (contact.back - speed) / contact.inverse_mass;
        let impulse = (contact.impulse + wanted).max(-contact.cling / contact.inverse_mass);
        let more = contact.normal * (impulse - contact.impulse);
        contact.impulse = impulse;
        self.give(contact, more);
    }

    /// Holds back sliding, as far as friction can. What it takes from the velocity was already moved this step, and is taken back:
    /// else a body on a slope would creep down it.
    fn hold(&mut self, contact: &mut Constraint, h: f32) {
        if contact.friction <= 0.0 {
            return;
        }
        let velocity = self.relative(contact);
        let along = velocity - contact.normal * velocity.dot(contact.normal);
        let impulse = (contact.friction_impulse - along / contact.inverse_mass)
            .clamp_length_max(contact.friction * contact.impulse.max(0.0));
        let more = impulse - contact.friction_impulse;
        contact.friction_impulse = impulse;
        self.give(contact, more);
        self.shift(contact, more * h);
    }

    /// Displaces both, the member its own way; `way` in kg m.
    fn shift(&mut self, contact: &Constraint, way: Vec3) {
        let member = &mut self.members[contact.member as usize];
        member.moved += way * member.inverse_mass;
        if let Against::Members(carriers) = contact.against {
            for (member, weight) in carriers {
                let member = &mut self.members[member as usize];
                member.moved -= way * (weight * member.inverse_mass);
            }
        }
    }

    /// Takes both out of each other.
    fn displace(&mut self, contact: &mut Constraint, h: f32, pass: usize) {
        if pass == 0 {
            // What was inside for long comes out slowly: a body set down half in another rises out of it and is not shot out.
            contact.depth = contact.depth.min(h * contact.approach.max(0.0) + contact.rise);
        }
        let moved = self.members[contact.member as usize].moved
            - match contact.against {
                Against::Members(carriers) => carriers
                    .iter()
                    .map(|&(member, weight)| weight * self.members[member as usize].moved)
                    .sum(),
                Against::Rigid(..) => Vec3::ZERO,
            };
        let left = contact.depth - moved.dot(contact.normal);
        // Rigid ones are where their own engine says: the member alone makes way.
        let inverse_mass = match contact.against {
            Against::Members(carriers) => {
                let of = |&(member, weight): &(u32, f32)| {
                    weight * weight * self.members[member as usize].inverse_mass
                };
                self.members[contact.member as usize].inverse_mass + carriers.iter().map(of).sum::<f32>()
            }
            Against::Rigid(..) => self.members[contact.member as usize].inverse_mass,
        };
        if left > 0.0 && inverse_mass > 0.0 {
            self.shift(contact, contact.normal * (left / inverse_mass));
        }
    }
}
