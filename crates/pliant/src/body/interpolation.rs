//! Skins between two steps, for pictures that are drawn more often than steps are made.

use super::Body;
use glam::{DVec3, Vec3};

/// A skin at one time.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SkinPose {
    /// What the positions are relative to, in the world.
    pub origin: DVec3,
    /// One position per vertex of the mesh.
    pub positions: Vec<Vec3>,
    /// One unit normal per vertex.
    pub normals: Vec<Vec3>,
}

impl SkinPose {
    pub(crate) fn clear(&mut self) {
        self.positions.clear();
        self.normals.clear();
    }

    fn copy(&mut self, body: &Body) {
        self.origin = body.nodes.origin;
        self.positions.clone_from(&body.skin.positions);
        self.normals.clone_from(&body.skin.normals);
    }
}

impl Body {
    /// The skin at a fraction of the latest step, from 0 before it to 1 after it, in `into`.
    ///
    /// Vertices go straight from where they were to where they are. It is the skin of now where there is none from before: if
    /// [`interpolate`](Self::interpolate) was off, the body sleeps or is disabled, was put somewhere by the caller, was cut, or
    /// comes from a snapshot.
    pub fn skin_at(&self, fraction: f32, into: &mut SkinPose) {
        into.copy(self);
        let before = &self.skin_before;
        let (back, known) = (1.0 - fraction.clamp(0.0, 1.0), before.positions.len() == into.positions.len());
        if !known || back == 0.0 || back.is_nan() {
            return;
        }
        let moved = (before.origin - into.origin).as_vec3();
        for (now, before) in into.positions.iter_mut().zip(&before.positions) {
            *now += back * (*before + moved - *now);
        }
        for (now, before) in into.normals.iter_mut().zip(&before.normals) {
            *now = (*now + back * (*before - *now)).normalize_or(*now);
        }
    }

    /// Whether it keeps its skin before steps, or did.
    pub(crate) fn keeps_skin(&self) -> bool {
        self.interpolate || !self.skin_before.positions.is_empty()
    }

    /// Keeps the skin as it is before a step, where that is asked for.
    pub(crate) fn keep_skin(&mut self) {
        if self.interpolate && !self.is_asleep() {
            let mut kept = std::mem::take(&mut self.skin_before);
            kept.copy(self);
            self.skin_before = kept;
        } else {
            self.skin_before.clear();
        }
    }
}
