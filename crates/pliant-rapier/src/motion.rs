//! How a rapier body moves through a step, and what it felt in those before.

use crate::convert::{is_pose, matrix, place, turn, vector};
use pliant::Rigid;
use pliant::glam::{DMat3, DVec3, Mat3, Quat, Vec3};
use rapier3d::dynamics::{RigidBody, RigidBodyType};
use rapier3d::math::Pose;
use serde::{Deserialize, Serialize};

/// Where a body goes in the coming step.
#[derive(Clone, Copy, Debug)]
pub enum Motion {
    /// Nowhere.
    Fixed { position: DVec3, rotation: Quat },
    /// To a known place, whatever is in its way.
    Kinematic { position: DVec3, rotation: Quat, to: (DVec3, Quat) },
    /// Where its speed and what it meets take it.
    Dynamic { position: DVec3, rotation: Quat, mass: Mass },
}

/// Speed and inertia of a body that can be pushed.
#[derive(Clone, Copy, Debug)]
pub struct Mass {
    pub velocity: Vec3,
    pub spin: Vec3,
    pub inverse_mass: f32,
    pub inverse_inertia: Mat3,
    pub centre: DVec3,
    /// What gravity and the user's forces do, in m/s².
    pub weight: Vec3,
    /// The same with what joints and other rigid bodies will probably do.
    pub acceleration: Vec3,
}

impl Mass {
    /// About the centre of mass, in kg m²; nothing about an axis that it cannot turn about.
    pub fn inertia(&self) -> Mat3 {
        let inverse = self.inverse_inertia.as_dmat3();
        let most = inverse.x_axis.x.max(inverse.y_axis.y).max(inverse.z_axis.z);
        if most <= 0.0 {
            return Mat3::ZERO;
        }
        (inverse + DMat3::from_diagonal(DVec3::splat(1e-6 * most))).inverse().as_mat3()
    }

    /// As Pliant wants it of something placed somewhere that stands for the body of this number.
    pub fn rigid(&self, body: u64, position: DVec3) -> Rigid {
        let centre = (self.centre - position).as_vec3();
        let rigid = Rigid::new(self.inverse_mass, self.inverse_inertia, centre);
        Rigid { body, acceleration: self.acceleration, ..rigid }
    }
}

impl Motion {
    /// Of a body; `None` if a number of it is not finite.
    pub fn of(body: &RigidBody, gravity: Vec3, felt: &Felt, dt_secs: f32) -> Option<Self> {
        let pose = body.position();
        let at = |pose: &Pose| (place(pose.translation), turn(pose.rotation));
        let (velocity, spin) = (vector(body.linvel()), vector(body.angvel()));
        if !(is_pose(pose) && velocity.is_finite() && spin.is_finite()) {
            return None;
        }
        let (position, rotation) = at(pose);
        match body.body_type() {
            RigidBodyType::Fixed => Some(Self::Fixed { position, rotation }),
            RigidBodyType::KinematicPositionBased | RigidBodyType::KinematicVelocityBased => {
                let next = match body.body_type() {
                    RigidBodyType::KinematicPositionBased => *body.next_position(),
                    _ => body.predict_position_using_velocity(dt_secs),
                };
                is_pose(&next).then(|| Self::Kinematic { position, rotation, to: at(&next) })
            }
            // A frame of one of rapier's own soft bodies.
            RigidBodyType::SoftFrame => None,
            RigidBodyType::Dynamic => {
                let properties = body.mass_properties();
                let inverse_mass = properties.local_mprops.inv_mass;
                // What weighs nothing is not pushed by anything.
                if !(inverse_mass > 0.0 && inverse_mass.is_finite()) {
                    return Some(Self::Fixed { position, rotation });
                }
                let weight = gravity * body.gravity_scale() + vector(body.user_force()) * inverse_mass;
                let mass = Mass {
                    velocity,
                    spin,
                    inverse_mass,
                    inverse_inertia: matrix(properties.effective_world_inv_inertia),
                    centre: place(properties.local_mprops.world_com(pose)),
                    weight,
                    acceleration: weight + felt.besides(),
                };
                let finite = mass.acceleration.is_finite() && mass.inverse_inertia.is_finite();
                finite.then_some(Self::Dynamic { position, rotation, mass })
            }
        }
    }

    pub fn pose(&self) -> (DVec3, Quat) {
        let (Self::Fixed { position, rotation }
        | Self::Kinematic { position, rotation, .. }
        | Self::Dynamic { position, rotation, .. }) = self;
        (*position, *rotation)
    }

    pub fn mass(&self) -> Option<&Mass> {
        match self {
            Self::Dynamic { mass, .. } => Some(mass),
            Self::Fixed { .. } | Self::Kinematic { .. } => None,
        }
    }
}

/// What a body felt in the latest steps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Felt {
    /// What joints and other rigid bodies did to it besides gravity, in m/s², the latest last.
    besides: [Vec3; 2],
    /// Speeds that soft bodies gave it in a step when it fell asleep, in m/s and rad/s; what holds it still may go on.
    asleep: Option<(Vec3, Vec3)>,
    /// Whether it sleeps on a soft body that sleeps too.
    borne: bool,
}

/// What of Pliant's a rigid body touches.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Touching {
    #[default]
    Nothing,
    Awake,
    /// A body that sleeps, at least one.
    Asleep,
}

/// The most that is expected of joints and other rigid bodies, in m/s²: a few times its weight. More would hold a light body under
/// a heavier load, and throw the load off when it gives way.
const MOST: f32 = 40.0;

impl Felt {
    /// What joints and other rigid bodies will probably do in the next step, in m/s²: what they did in both of the latest two. So
    /// a floor that bears the body is expected to go on, and a hit is not.
    fn besides(&self) -> Vec3 {
        let [before, last] = self.besides;
        let lasting = |a: f32, b: f32| if a * b > 0.0 { a.abs().min(b.abs()).copysign(a) } else { 0.0 };
        let both = Vec3::new(lasting(before.x, last.x), lasting(before.y, last.y), lasting(before.z, last.z));
        both.clamp_length_max(MOST)
    }

    /// Remembers a step in which the body got faster by `gained` m/s, without what soft bodies and its weight did.
    pub fn remember(&mut self, gained: Vec3, dt_secs: f32) {
        let now = gained / dt_secs;
        self.besides = [self.besides[1], if now.is_finite() { now } else { Vec3::ZERO }];
    }

    /// Whether speeds that soft bodies give a sleeping body, in m/s and rad/s, are enough to wake it.
    pub fn wakes(&mut self, given: (Vec3, Vec3), touching: Touching, threshold: f32) -> bool {
        match touching {
            // Two that sleep give each other nothing.
            Touching::Asleep => {
                (self.borne, self.asleep) = (true, None);
                false
            }
            Touching::Nothing if std::mem::take(&mut self.borne) => true,
            Touching::Nothing | Touching::Awake => {
                self.borne = false;
                let held = *self.asleep.get_or_insert(given);
                (given.0 - held.0).length() > threshold || (given.1 - held.1).length() > 10.0 * threshold
            }
        }
    }

    /// Forgets what it slept through.
    pub fn awake(&mut self) {
        (self.borne, self.asleep) = (false, None);
    }
}
