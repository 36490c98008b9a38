//! What bodies that are in each other do about it: impulses and displacements of the nodes, equal and opposite.
//!
//! Each contact is between a node's tip and a place that other nodes carry, or a collider. Contacts are gone through in a fixed order,
//! several times: each takes away what is left of the approach and holds back sliding by up to μ times what it has pressed with so far;
//! then they are taken out of each other. Impulses do not depend on masses being alike: a contact moves the lighter one more.
//!
//! Displacements change no velocity, so taking bodies out of each other never throws them.

use super::rolling::Resistance;
use super::turning::Turning;
use super::{ColliderHandle, Rigid, RigidMotion};
use glam::{Vec3, Vec3A};

/// A node that takes part in contacts.
#[derive(Clone, Copy, Debug, Default)]
pub struct Member {
    /// m/s
    pub velocity: Vec3A,
    /// How far it was displaced, in metres.
    pub moved: Vec3A,
    /// From the centre of mass of its body.
    pub out: Vec3A,
    /// 1/kg; 0 for what cannot be moved.
    pub inverse_mass: f32,
    /// The body's number in [`Solver::turnings`].
    pub body: u32,
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

/// A side of a contact: which body, and where on it.
#[derive(Clone, Copy, Debug, Default)]
pub struct ContactSide {
    /// The body's number in [`Solver::turnings`].
    pub body: u32,
    /// From its centre of mass to the node, or the mean of the nodes.
    pub out: Vec3A,
    /// From there to the place where it touches.
    pub arm: Vec3A,
}

/// What a node is in contact with.
#[derive(Clone, Copy, Debug)]
pub enum Against {
    /// The mean of members: which of [`Solver::carriers`].
    Members([u32; 2], ContactSide),
    /// A point of a rigid member, relative to its centre of mass.
    Rigid(u32, Vec3),
    /// A collider that nothing pushes about.
    Collider {
        /// Which it is.
        handle: ColliderHandle,
        /// How fast it moves where it is touched, in m/s.
        velocity: Vec3,
        /// rad/s
        spin: Vec3,
    },
}

/// A contact to be solved.
#[derive(Clone, Copy, Debug)]
pub struct Constraint {
    /// The member that is in another.
    pub member: u32,
    /// Where on its body.
    pub side: ContactSide,
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
    /// Rolling and spinning friction.
    pub resistance: Resistance,
    /// kg m/s that it has pressed with.
    pub impulse: f32,
    /// kg m/s that friction has held it back with.
    friction_impulse: Vec3A,
    /// The part of that which it began with.
    friction_begun: Vec3A,
    /// m/s at which the member slid when it was pressed last.
    pub slip: Vec3A,
    /// m/s at which they may still approach each other: what is left of the gap that was between them.
    closing: f32,
    inverse_mass: InverseMass,
}

impl Constraint {
    /// A contact that has done nothing yet.
    pub fn new(member: u32, side: ContactSide, against: Against, normal: Vec3, depth: f32) -> Self {
        Self {
            member,
            side,
            against,
            place: Vec3::ZERO,
            normal,
            depth,
            rise: 0.0,
            friction: 0.0,
            resistance: Resistance::default(),
            impulse: 0.0,
            friction_impulse: Vec3A::ZERO,
            friction_begun: Vec3A::ZERO,
            slip: Vec3A::ZERO,
            closing: 0.0,
            inverse_mass: InverseMass::default(),
        }
    }

    /// Begins with what the member was given already, in kg m/s.
    pub fn begin_with(&mut self, given: Vec3) {
        self.impulse = given.dot(self.normal).max(0.0);
        let across = given - self.normal * given.dot(self.normal);
        self.friction_impulse = across.clamp_length_max(self.friction * self.impulse).into();
        self.friction_begun = self.friction_impulse;
    }

    /// kg m/s that the member got, with friction.
    pub fn given(&self) -> Vec3 {
        self.normal * self.impulse + Vec3::from(self.friction_impulse)
    }
}

/// How easily a contact moves both that touch, in 1/kg.
#[derive(Clone, Copy, Debug, Default)]
pub struct InverseMass {
    /// Along the normal.
    out: f32,
    /// Along the surface, the way that is easiest.
    sliding: f32,
    /// Of their nodes alone.
    nodes: f32,
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
    /// How the bodies turn whose nodes they are.
    pub turnings: Vec<Turning>,
    /// Rigid colliders.
    pub rigids: Vec<RigidMember>,
    /// Members that carry places, and how much of it each.
    pub carriers: Vec<(u32, f32)>,
    /// Contacts.
    pub constraints: Vec<Constraint>,
}

impl Solver {
    /// Forgets everything.
    pub fn clear(&mut self) {
        // Room for twice as many as there were: what comes and goes a little allocates nothing.
        self.members.reserve(self.members.len());
        self.turnings.reserve(self.turnings.len());
        self.carriers.reserve(self.carriers.len());
        self.constraints.reserve(self.constraints.len());
        self.members.clear();
        self.turnings.clear();
        self.rigids.clear();
        self.carriers.clear();
        self.constraints.clear();
    }

    /// Where a contact was on a body `ago` seconds before: at a place beside a node or the mean of some.
    pub fn side(&self, body: u32, at: Vec3, place: Vec3, ago: f32) -> ContactSide {
        let out = Vec3A::from(at) - self.turnings[body as usize].center_before(ago);
        ContactSide { body, out, arm: (place - at).into() }
    }

    /// Solves all contacts for a step of `h` seconds.
    pub fn solve(&mut self, h: f32) {
        let Self { members, turnings, rigids, carriers, constraints } = self;
        let mut all = SolverBodies { members, turnings, rigids, carriers };
        for contact in constraints.iter_mut() {
            // What it begins with was given to its node.
            if contact.impulse > 0.0 {
                let given = Vec3A::from(contact.given());
                all.turnings[contact.side.body as usize].twist(contact.side.arm.cross(given));
            }
            contact.inverse_mass = all.inverse_mass(contact);
            let speed = all.relative(contact).dot(contact.normal.into());
            let approach = (-speed).max(0.0);
            // What was inside for long comes out slowly, and not at all if it leaves by itself: a body set down half in another rises
            // out of it and is not shot out.
            let rise = match contact.against {
                Against::Members(..) => {
                    contact.closing = (approach - contact.depth / h).max(0.0);
                    (contact.rise - h * speed.max(0.0)).max(0.0)
                }
                Against::Rigid(..) | Against::Collider { .. } => contact.rise,
            };
            contact.depth = contact.depth.min(h * approach + rise);
        }
        let can_move = |of: &InverseMass| of.out > 0.0 && of.out.is_finite();
        constraints.retain(|contact| can_move(&contact.inverse_mass));
        for _ in 0..VELOCITY_PASSES {
            constraints.iter_mut().for_each(|contact| all.press(contact));
        }
        constraints.iter().for_each(|contact| all.take_back(contact, h));
        for member in all.members.iter_mut().filter(|member| member.inverse_mass > 0.0) {
            member.moved += all.turnings[member.body as usize].moves(member.out, h);
        }
        for _ in 0..PLACE_PASSES {
            constraints.iter().for_each(|contact| all.displace(contact));
        }
        all.turnings.iter_mut().for_each(Turning::pay);
    }
}

/// All that contacts act on.
pub(super) struct SolverBodies<'a> {
    members: &'a mut [Member],
    pub(super) turnings: &'a mut [Turning],
    pub(super) rigids: &'a mut [RigidMember],
    carriers: &'a [(u32, f32)],
}

impl<'a> SolverBodies<'a> {
    fn carriers(&self, [start, end]: [u32; 2]) -> &'a [(u32, f32)] {
        &self.carriers[start as usize..end as usize]
    }

    fn turning(&self, side: &ContactSide) -> &Turning {
        &self.turnings[side.body as usize]
    }

    /// Velocity of the tip relative to what it is in.
    fn relative(&self, contact: &Constraint) -> Vec3A {
        let besides = |side: &ContactSide| self.turning(side).velocity_at(side.out, side.arm);
        let own = self.members[contact.member as usize].velocity * self.turning(&contact.side).of_nodes();
        let velocity = own + besides(&contact.side);
        match contact.against {
            Against::Members(carriers, side) => {
                let of_nodes = self.turning(&side).of_nodes();
                let of = |sum: Vec3A, &(member, weight): &(u32, f32)| {
                    sum - weight * of_nodes * self.members[member as usize].velocity
                };
                self.carriers(carriers).iter().fold(velocity - besides(&side), of)
            }
            Against::Rigid(rigid, arm) => {
                let rigid = &self.rigids[rigid as usize];
                velocity - Vec3A::from(rigid.velocity + rigid.spin.cross(arm))
            }
            Against::Collider { velocity: carried, .. } => velocity - Vec3A::from(carried),
        }
    }

    /// How easily a contact moves both.
    fn inverse_mass(&self, contact: &Constraint) -> InverseMass {
        let square =
            |&(member, weight): &(u32, f32)| weight * weight * self.members[member as usize].inverse_mass;
        let own = self.members[contact.member as usize].inverse_mass;
        let carriers: f32 = match contact.against {
            Against::Members(carriers, _) => self.carriers(carriers).iter().map(square).sum(),
            Against::Rigid(..) | Against::Collider { .. } => 0.0,
        };
        let parts = match contact.against {
            Against::Members(_, side) => [&contact.side, &side].map(|side| self.turning(side).of_nodes()),
            Against::Rigid(..) | Against::Collider { .. } => [self.turning(&contact.side).of_nodes(), 1.0],
        };
        let nodes = own * (parts[0] * parts[0]) + carriers * (parts[1] * parts[1]);
        let along = |along: Vec3A| {
            let of = |side: &ContactSide| self.turning(side).inverse_mass_at(side.out, side.arm, along);
            let others = match contact.against {
                Against::Members(_, side) => of(&side),
                Against::Rigid(rigid, arm) => {
                    let rigid = &self.rigids[rigid as usize].rigid;
                    let turn = arm.cross(along.into());
                    rigid.inverse_mass + turn.dot(rigid.inverse_inertia * turn)
                }
                Against::Collider { .. } => 0.0,
            };
            // Never lighter than a quarter of what the nodes say: inertia is that of the whole body, which bends.
            (nodes + others + of(&contact.side)).max(0.25 * nodes)
        };
        let normal = Vec3A::from(contact.normal);
        let out = along(normal);
        // Nodes are as easy to move along a surface as out of it; a rigid body turns besides.
        let sliding = if parts == [1.0, 1.0] {
            out
        } else {
            let (a, b) = normal.any_orthonormal_pair();
            along(a).max(along(b))
        };
        InverseMass { out, sliding, nodes: own + carriers }
    }

    /// Gives both an impulse, the member's own way.
    fn give(&mut self, contact: &Constraint, impulse: Vec3A) {
        let ContactSide { body, out, arm } = contact.side;
        let (member, turning) =
            (&mut self.members[contact.member as usize], &mut self.turnings[body as usize]);
        member.velocity += impulse * (turning.of_nodes() * member.inverse_mass);
        turning.give(out, arm, impulse);
        match contact.against {
            Against::Members(carriers, ContactSide { body, out, arm }) => {
                let turning = &mut self.turnings[body as usize];
                turning.give(out, arm, -impulse);
                let nodes = impulse * turning.of_nodes();
                for &(member, weight) in self.carriers(carriers) {
                    let member = &mut self.members[member as usize];
                    member.velocity -= nodes * (weight * member.inverse_mass);
                }
            }
            Against::Rigid(rigid, arm) => {
                let (member, impulse) = (&mut self.rigids[rigid as usize], Vec3::from(impulse));
                member.velocity -= impulse * member.rigid.inverse_mass;
                let turn = arm.cross(impulse);
                member.spin -= member.rigid.inverse_inertia * turn;
                member.rigid.impulse -= impulse;
                member.rigid.angular_impulse -= turn;
            }
            Against::Collider { .. } => {}
        }
    }

    /// Takes away what is left of the approach, and holds back sliding as far as friction can.
    fn press(&mut self, contact: &mut Constraint) {
        let (normal, velocity) = (Vec3A::from(contact.normal), self.relative(contact));
        let (speed, inverse_mass) = (velocity.dot(normal), contact.inverse_mass);
        let impulse = (contact.impulse - (contact.closing + speed) / inverse_mass.out).max(0.0);
        let mut more = normal * (impulse - contact.impulse);
        contact.impulse = impulse;
        // Many only come near each other: those that press on nothing need nothing.
        if contact.friction > 0.0 && (impulse > 0.0 || contact.friction_impulse != Vec3A::ZERO) {
            let along = velocity - normal * speed;
            let held = (contact.friction_impulse - along / inverse_mass.sliding)
                .clamp_length_max(contact.friction * impulse);
            more += held - contact.friction_impulse;
            contact.slip = along + (held - contact.friction_impulse) * inverse_mass.sliding;
            contact.friction_impulse = held;
        }
        if more != Vec3A::ZERO {
            self.give(contact, more);
        }
        if contact.resistance.acts() {
            self.resist(contact);
        }
    }

    /// Moves both as if they had got the impulse when the step began: what it takes from the velocity was moved too far already. Else a
    /// body on a slope would creep down it, and impulses at places that have moved apart would change angular momentum. Colliders are
    /// where they are, and nodes are only brought out of them.
    fn take_back(&mut self, contact: &Constraint, h: f32) {
        let pressed = match contact.against {
            Against::Members(..) => Vec3A::from(contact.normal) * contact.impulse,
            Against::Rigid(..) | Against::Collider { .. } => Vec3A::ZERO,
        };
        let way = (pressed + contact.friction_impulse - contact.friction_begun) * h;
        if way == Vec3A::ZERO {
            return;
        }
        self.shift(contact, way, Turning::of_nodes);
        // Of velocities, those that are given to the whole body have not been there when the step began.
        self.owe(contact, way, Turning::of_nodes, |_| Vec3A::ZERO);
    }

    /// Displaces both, the member its own way; `way` in kg m, of which `part` is for the nodes.
    fn shift(&mut self, contact: &Constraint, way: Vec3A, part: impl Fn(&Turning) -> f32) {
        let member = &mut self.members[contact.member as usize];
        let of = |side: &ContactSide| way * part(&self.turnings[side.body as usize]);
        member.moved += of(&contact.side) * member.inverse_mass;
        if let Against::Members(carriers, side) = contact.against {
            let way = of(&side);
            for &(member, weight) in self.carriers(carriers) {
                let member = &mut self.members[member as usize];
                member.moved -= way * (weight * member.inverse_mass);
            }
        }
    }

    /// Takes both out of each other. Rigid ones are where their own engine says: the member alone makes way.
    fn displace(&mut self, contact: &Constraint) {
        let mut moved = self.members[contact.member as usize].moved;
        if let Against::Members(carriers, _) = contact.against {
            for &(member, weight) in self.carriers(carriers) {
                moved -= weight * self.members[member as usize].moved;
            }
        }
        let (normal, inverse_mass) = (Vec3A::from(contact.normal), contact.inverse_mass.nodes);
        let left = contact.depth - moved.dot(normal);
        if left > 0.0 && inverse_mass > 0.0 {
            let way = normal * (left / inverse_mass);
            self.shift(contact, way, |_| 1.0);
            self.owe(contact, way, |_| 1.0, |member| member.velocity);
        }
    }

    /// What slides along each other while it is displaced loses angular momentum, way × velocity: the bodies are turned so that it does
    /// not, the one that is harder to turn by more of it. `part` of the way is the nodes', and `own` is what counts of a node's own velocity.
    fn owe(
        &mut self,
        contact: &Constraint,
        way: Vec3A,
        part: impl Fn(&Turning) -> f32,
        own: impl Fn(&Member) -> Vec3A,
    ) {
        let Against::Members(carriers, side) = contact.against else { return };
        // Many only come near each other, and are not displaced at all.
        if way == Vec3A::ZERO {
            return;
        }
        let velocity = |member: u32| {
            let member = &self.members[member as usize];
            let turning = &self.turnings[member.body as usize];
            (own(member) + turning.turns(member.out)) * part(turning)
        };
        let of = |sum: Vec3A, &(member, weight): &(u32, f32)| sum - weight * velocity(member);
        let sliding = self.carriers(carriers).iter().fold(velocity(contact.member), of);
        let lost = sliding.cross(way);
        let bodies = [contact.side.body, side.body];
        let ease = bodies.map(|body| self.turnings[body as usize].ease());
        let sum = ease[0] + ease[1];
        if sum > 0.0 {
            for (body, share) in bodies.into_iter().zip([ease[1] / sum, ease[0] / sum]) {
                self.turnings[body as usize].owe(lost * share);
            }
        }
    }
}
