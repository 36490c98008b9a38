//! How a body turns as a whole: what contacts at its surface need to know besides the nodes that they push.
//!
//! A contact is at a tip, and pushes the node that the tip belongs to: without more, the moment of the impulse about the node would be lost,
//! and a ball would roll as if it were smaller than it is. The tip moves with its node and as the body turns, u = v + ω × arm, and
//! an impulse J at it gives the node J and the body, as a whole, the moment arm × J. One is the transpose of the other: what is gained by the
//! one body is lost by the other, and no energy comes of it.
//!
//! A body that its model keeps rigid moves as a whole after the next step, whatever one of its nodes was given: stopped node by node it
//! would sink until enough of them are. So a share s of an impulse is given to the whole body from the start, and the tip's velocity is by the
//! same share that of the whole: u = (1 − s)(v + ω × arm) + s (V + ω × (out + arm)).

use super::Collider;
use crate::body::Body;
use crate::nodes::NodeState;
use crate::par;
use glam::{Mat3, Mat3A, Quat, Vec3, Vec3A, Vec3Swizzles};
use std::ops::Range;

/// How a body turns as a whole.
#[derive(Clone, Copy, Debug, Default)]
pub struct Turning {
    /// The centre of mass, relative to the body's origin.
    pub center: Vec3A,
    /// rad/s, of all nodes together.
    pub spin: Vec3A,
    /// The part of it that contacts have given to the body besides what they have given to nodes.
    pub given: Vec3A,
    /// m/s of the centre of mass, and the part of it that contacts have given to the body besides what they have given to nodes.
    velocity: Vec3A,
    pushed: Vec3A,
    /// The part of an impulse that is the whole body's.
    share: f32,
    /// 1/kg of the whole body; zero if it cannot be pushed.
    inverse_mass: f32,
    /// kg m²/s that displacements have taken from it.
    owed: Vec3A,
    /// Metres that its nodes may be moved in the substep because it is turned.
    leeway: f32,
    /// 1/(kg m²); zero if it cannot be turned.
    inverse_inertia: Mat3A,
}

/// Sums over nodes: mass, and with it places, velocities, angular momentum, and products of coordinates.
#[derive(Clone, Copy, Default)]
struct Moments {
    mass: f32,
    x: Vec3A,
    p: Vec3A,
    l: Vec3A,
    diagonal: Vec3A,
    mixed: Vec3A,
}

impl Moments {
    fn of(masses: &[f32], nodes: &NodeState, about: Vec3, range: Range<usize>) -> Self {
        let (mut sum, about) = (Self::default(), Vec3A::from(about));
        for i in range {
            let (m, x, v) = (masses[i], Vec3A::from(nodes.positions[i]), Vec3A::from(nodes.velocities[i]));
            let d = x - about;
            let (md, mv) = (m * d, m * v);
            sum.mass += m;
            sum.x += md;
            sum.p += mv;
            sum.l += d.cross(mv);
            sum.diagonal += md * d;
            sum.mixed += md * d.yzx();
        }
        sum
    }

    fn and(self, other: Self) -> Self {
        Self {
            mass: self.mass + other.mass,
            x: self.x + other.x,
            p: self.p + other.p,
            l: self.l + other.l,
            diagonal: self.diagonal + other.diagonal,
            mixed: self.mixed + other.mixed,
        }
    }
}

/// Spans that a body may come in a substep to be slow, and that the nodes of a slow one may be moved.
const SLOW: f32 = 0.05;
const LEEWAY: f32 = 0.05;

/// The least moment of inertia that a body can be turned with, in that of its mass at a span's distance: crumbs whose nodes are nearly in a
/// line would be spun about it without end.
const LINE: f32 = 0.05;

impl Turning {
    /// Of a body as it is now, in a substep of `h` seconds. Contacts can turn it if it is free: not held and not asleep.
    pub fn of(body: &Body, free: bool, h: f32) -> Self {
        let (rest, nodes, span) = (&body.rest().nodes, &body.nodes, body.border().span);
        let Some(&about) = nodes.positions.first() else { return Self::default() };
        let moments = |range: Range<usize>| Moments::of(&rest.masses, nodes, about, range);
        let all = par::reduce(0..nodes.positions.len(), &moments, &Moments::and);
        let mass = all.mass;
        let [x, p, mut l, mut diagonal, mut mixed] =
            [all.x, all.p, all.l, all.diagonal, all.mixed].map(Vec3::from);
        let center = x / mass;
        // All about the centre of mass.
        l -= center.cross(p);
        diagonal -= x * center;
        mixed -= Vec3::new(x.x * center.y, x.y * center.z, x.z * center.x);
        let trace = diagonal.element_sum();
        let inertia = Mat3::from_cols(
            Vec3::new(trace - diagonal.x, -mixed.x, -mixed.z),
            Vec3::new(-mixed.x, trace - diagonal.y, -mixed.y),
            Vec3::new(-mixed.z, -mixed.y, trace - diagonal.z),
        );
        let scaled = inertia * (1.0 / trace);
        // About as much as the least of the three, in those of the other two if it is much less.
        let least = scaled.determinant() * trace;
        // What flies off, or is not finite any more, is not turned either: containment deals with it.
        let turns = least > LINE * mass * span * span && l.is_finite();
        let inverse = if turns { scaled.inverse() * (1.0 / trace) } else { Mat3::ZERO };
        let spin = if turns { inverse * l } else { Vec3::ZERO };
        Self {
            center: (about + center).into(),
            spin: spin.into(),
            // Where nodes come to, nobody has looked for what is there: what is fast keeps its place.
            leeway: if h * (p.length() / mass + spin.length() * rest.radius) < SLOW * span {
                LEEWAY * span
            } else {
                0.0
            },
            given: Vec3A::ZERO,
            velocity: (p / mass).into(),
            pushed: Vec3A::ZERO,
            share: if free { body.model.rigidity(&body.material) } else { 0.0 },
            inverse_mass: if free { 1.0 / mass } else { 0.0 },
            owed: Vec3A::ZERO,
            inverse_inertia: if free { inverse.into() } else { Mat3A::ZERO },
        }
    }

    /// Of a collider, about its centre of mass.
    pub fn of_collider(collider: &Collider) -> Self {
        let inverse_inertia = collider.rigid.map_or(Mat3::ZERO, |rigid| rigid.inverse_inertia);
        Self { spin: collider.spin.into(), inverse_inertia: inverse_inertia.into(), ..Self::default() }
    }

    /// Where the center of mass was `ago` seconds before.
    pub fn center_before(&self, ago: f32) -> Vec3A {
        self.center - self.velocity * ago
    }

    /// m/s of a place that is `arm` from a node or the mean of some, which are `out` from the centre of mass, besides the part that is of those.
    pub fn velocity_at(&self, out: Vec3A, arm: Vec3A) -> Vec3A {
        let beside = self.turns(out) + self.spin.cross(arm);
        match self.share {
            0.0 => beside,
            share => beside * (1.0 - share) + (self.velocity + self.spin.cross(out + arm)) * share,
        }
    }

    /// m/s of a place that is `arm` from the centre of mass, as the body turns.
    pub fn spins(&self, arm: Vec3A) -> Vec3A {
        self.spin.cross(arm)
    }

    /// How the body turns in `h` seconds, which is little.
    pub fn turn_in(&self, h: f32) -> Mat3 {
        let half = Vec3::from(self.spin) * (0.5 * h);
        Mat3::from_quat(Quat::from_vec4(half.extend(1.0)).normalize())
    }

    /// The part of an impulse that is for the nodes beside it.
    pub fn of_nodes(&self) -> f32 {
        1.0 - self.share
    }

    /// Gives an impulse at such a place; the nodes have got theirs.
    pub fn give(&mut self, out: Vec3A, arm: Vec3A, impulse: Vec3A) {
        self.given += self.inverse_inertia * (arm + out * self.share).cross(impulse);
        self.spin += self.inverse_inertia * (out + arm).cross(impulse);
        self.pushed += impulse * (self.share * self.inverse_mass);
        self.velocity += impulse * self.inverse_mass;
    }

    /// How fast it turns, in rad/s, and how easily it is turned, in 1/(kg m²).
    pub fn turning(&self) -> (Vec3A, Mat3A) {
        (self.spin, self.inverse_inertia)
    }

    /// Gives the body a couple, in kg m²/s.
    pub fn twist(&mut self, couple: Vec3A) {
        let turn = self.inverse_inertia * couple;
        self.given += turn;
        self.spin += turn;
    }

    /// How fast nodes that are `out` from the centre of mass are given to go besides what they have.
    pub fn turns(&self, out: Vec3A) -> Vec3A {
        self.pushed + self.given.cross(out)
    }

    /// How easily it is turned, in 1/(kg m²).
    pub fn ease(&self) -> f32 {
        let Mat3A { x_axis, y_axis, z_axis } = self.inverse_inertia;
        x_axis.x + y_axis.y + z_axis.z
    }

    /// Owes the body so many kg m²/s.
    pub fn owe(&mut self, moment: Vec3A) {
        self.owed += moment;
    }

    /// Gives the body what it is owed.
    pub fn pay(&mut self) {
        self.given += self.inverse_inertia * std::mem::take(&mut self.owed);
    }

    /// 1/kg along a direction at such a place, besides that of the nodes, which counts by the square of their part.
    pub fn inverse_mass_at(&self, out: Vec3A, arm: Vec3A, along: Vec3A) -> f32 {
        let (nodes, share) = (self.of_nodes() * self.of_nodes(), self.share);
        let turned = self.inverse_moment(out + arm, along) - nodes * self.inverse_moment(out, along);
        turned + share * (2.0 - share) * self.inverse_mass
    }

    /// 1/kg along a direction at a place that is `arm` from the centre of mass, as the body is turned.
    pub fn inverse_moment(&self, arm: Vec3A, along: Vec3A) -> f32 {
        let turn = arm.cross(along);
        turn.dot(self.inverse_inertia * turn)
    }

    /// How far what the body was given moves a node in a substep of `h` seconds: as if it had been given when that began. Else what leans on
    /// something would creep, and what is rigid would sink.
    pub fn moves(&self, out: Vec3A, h: f32) -> Vec3A {
        self.pushed * h + (self.given.cross(out) * h).clamp_length_max(self.leeway)
    }

    /// Gives all nodes what the body was given, and moves those that `go`.
    pub fn put_into(&self, nodes: &mut NodeState, h: f32, go: impl Fn(u32) -> bool + Sync) {
        if self.given == Vec3A::ZERO && self.pushed == Vec3A::ZERO {
            return;
        }
        let moves = self.leeway > 0.0 || self.pushed != Vec3A::ZERO;
        par::for_each_pair(&mut nodes.velocities, &mut nodes.positions, 8 * par::CHUNK, |node, v, x| {
            let out = Vec3A::from(*x) - self.center;
            *v += Vec3::from(self.turns(out));
            if moves && go(node as u32) {
                *x += Vec3::from(self.moves(out, h));
            }
        });
    }

    /// How near to a collider a node must be to be left where it is, in metres, unless its contacts move it.
    pub fn caution(&self) -> f32 {
        2.0 * self.leeway
    }
}
