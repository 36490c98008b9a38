//! Soft fingers that lift a ball.

use super::path;
use crate::SceneEntry;
use crate::clusters::{camera, on_a_floor};
use pliant::glam::{DVec3, Quat, Vec3};
use pliant::math::{quat_from_rotation_y, quat_from_rotation_z, quat_to_scaled_axis};
use pliant::{LatticeSettings, Material, Selection};
use pliant_io::scene::{AttachmentEntry, BodyEntry, PinEntry, Rotation, SceneFile, ShapeEntry};
use std::f32::consts::TAU;

/// Metres: of the ball, and of a finger.
const RADIUS: f32 = 0.24;
const LONG: f32 = 0.56;
const THICK: f32 = 0.12;
/// How far the fingers are from the ball at first, and how far they close beyond touching it.
const OPEN: f32 = 0.1;
const SQUEEZE: f32 = 0.12;
/// How high it is lifted.
const LIFT: f32 = 0.5;
/// Radians by which the fingers lean, so that their tips hold the ball below its middle.
const LEAN: f32 = 0.45;
/// Coulomb friction of fingers and ball.
const FRICTION: f32 = 1.5;

pub(crate) fn soft(entry: &SceneEntry) -> SceneFile {
    let material = Material::default().with_damping(0.8).with_friction(FRICTION);
    let lattice = |cell, width| Some(LatticeSettings { cell: Some(cell), width: Some(width) });
    let mut body = vec![BodyEntry {
        name: "ball".into(),
        shape: Some(ShapeEntry::Sphere { radius: RADIUS, subdivisions: 3 }),
        position: DVec3::Y * f64::from(RADIUS),
        material: material.with_density(40.0).with_alpha(0.6),
        lattice: lattice(0.08, 0.16),
        ..BodyEntry::default()
    }];
    let (mut pin, mut attachment) = (Vec::new(), Vec::new());
    for finger in 0..3_u8 {
        let angle = TAU * f32::from(finger) / 3.0;
        let out = quat_from_rotation_y(angle) * Vec3::X;
        let turn: Quat = quat_from_rotation_y(angle) * quat_from_rotation_z(-LEAN);
        let (axis, up) = (quat_to_scaled_axis(turn), turn * Vec3::Y);
        let rotation = Some(Rotation::new(axis, axis.length()));
        let (name, knuckle) = (format!("finger {finger}"), format!("knuckle {finger}"));
        let tip = out * (RADIUS + OPEN + 0.5 * THICK - 0.04) + Vec3::Y * 0.06;
        body.push(BodyEntry {
            name: name.clone(),
            shape: Some(ShapeEntry::Box { size: Vec3::new(THICK, LONG, 0.18), cells: [2, 9, 3] }),
            position: (tip + up * (0.5 * LONG)).as_dvec3(),
            rotation,
            material: material.with_density(150.0).with_alpha(1.0),
            lattice: lattice(0.06, 0.24),
            ..BodyEntry::default()
        });
        body.push(BodyEntry {
            name: knuckle.clone(),
            shape: Some(ShapeEntry::Box { size: Vec3::new(0.2, 0.12, 0.26), cells: [3, 2, 4] }),
            position: (tip + up * (LONG + 0.06)).as_dvec3(),
            rotation,
            material: material.with_alpha(0.9),
            lattice: lattice(0.06, 0.12),
            ..BodyEntry::default()
        });
        attachment.push(AttachmentEntry {
            body: name,
            members: Selection::Box { min: Vec3::new(-9.0, 0.5 * LONG - 0.1, -9.0), max: Vec3::splat(9.0) },
            to: knuckle.clone(),
            to_members: None,
            at: None,
            max_force: None,
            release_secs: None,
        });
        // Close, lift, hold, set down, open.
        let closed = out * -(OPEN + SQUEEZE);
        let lifted = closed + Vec3::Y * LIFT;
        pin.push(PinEntry {
            body: knuckle,
            members: Selection::All,
            motion: path(&[
                (0.3, [0.0; 3]),
                (1.3, closed.to_array()),
                (1.6, closed.to_array()),
                (3.0, lifted.to_array()),
                (4.0, lifted.to_array()),
                (5.2, closed.to_array()),
                (6.0, [0.0; 3]),
            ]),
        });
    }
    SceneFile {
        frames: Some(400),
        body,
        pin,
        attachment,
        ..on_a_floor(entry, camera([1.2, 1.2, 2.6], [0.0, 0.52, 0.0]))
    }
}
