//! A body that gets another model while it lives.

use super::{Body, BodyError, BodyRest, Momentum};
use crate::geometry::{Lists, PointGrid, TriMesh};
use crate::model::{Adaptivity, Feature, ModelSettings};
use crate::nodes::{Correspondence, Renumbering};
use crate::sampling::criteria::Rule;
use glam::Vec3;

impl Body {
    /// The settings of its model.
    pub fn model_settings(&self) -> ModelSettings {
        self.model.settings()
    }

    /// Gives the body another model, or other settings of the same, as it stands: shape, place and motion are carried over as
    /// well as the new nodes can have them; linear and angular momentum are those of the body before, to rounding. Pins, picks
    /// and its rules for where it is fine stay, and so does all of its material, also what the new model cannot use. What it had
    /// given way to for good, connections that were cut, painted widths and painted stiffness are lost.
    ///
    /// # Errors
    /// If the settings make no sense for it; then nothing has changed.
    pub fn remodel(&mut self, settings: &ModelSettings) -> Result<(), BodyError> {
        let rules = self.adaptivity.rules().to_vec();
        self.remodel_with(settings, rules)
    }

    /// As [`remodel`](Self::remodel), with other rules for where it is fine. A model that does not adapt leaves them to one that
    /// does.
    ///
    /// # Errors
    /// If the settings or the rules make no sense for it; then nothing has changed.
    pub fn remodel_with(&mut self, settings: &ModelSettings, rules: Vec<Rule>) -> Result<(), BodyError> {
        let mut next = self.rest.rebuild_with(&self.rest.mesh, self, settings, rules)?;
        let moved = next.rest.center - self.rest.center;
        let heirs = self.carry_into(&mut next, moved);
        next.version = self.version + 1;
        next.changes = std::mem::take(&mut self.changes);
        next.changes.push(heirs);
        *self = next;
        Ok(())
    }

    /// Puts the nodes of `next` where this body has material now, with its motion; `moved` is how far apart their centres of mass
    /// are at rest.
    fn carry_into(&self, next: &mut Self, moved: Vec3) -> Renumbering {
        let nearest = self.move_along(next, moved, |_| true);
        Momentum::of(&self.rest.nodes, &self.nodes).restore(&next.rest.nodes, &mut next.nodes);
        next.model.reset(self.model.rotation());
        next.refresh();
        self.heirs(next, moved, nearest)
    }

    /// Puts the nodes of `next`, whose rest shape is `moved` off this one's, where this body has material now, and gives them its
    /// motion. Only nodes that `mine` says count, by where they are now, if there are any. Returns the nearest for each.
    pub(crate) fn move_along(
        &self,
        next: &mut Self,
        moved: Vec3,
        mine: impl Fn(Vec3) -> bool,
    ) -> Vec<Option<u32>> {
        const AROUND: usize = 4;
        let (rest, now) = (&self.rest.nodes, &self.nodes);
        let own: Vec<usize> = (0..now.positions.len()).filter(|&node| mine(now.positions[node])).collect();
        let own = if own.is_empty() { (0..now.positions.len()).collect() } else { own };
        let places: Vec<Vec3> = own.iter().map(|&node| rest.rest_positions[node]).collect();
        let maps: Vec<_> = own.iter().map(|&node| self.model.node_map(rest, node)).collect();
        let grid = PointGrid::fitting(&places);
        let mut near = Vec::new();
        let mut nearest = Vec::with_capacity(next.nodes.positions.len());
        next.nodes.origin = now.origin;
        for (node, place) in next.rest.nodes.rest_positions.iter().enumerate() {
            let place = *place + moved;
            grid.k_nearest(place, AROUND, &mut near);
            nearest.push(near.first().map(|&(at, _)| own[at as usize] as u32));
            let least = near.first().map_or(0.0, |&(_, off)| off).max(f32::MIN_POSITIVE);
            let (mut position, mut velocity, mut sum) = (Vec3::ZERO, Vec3::ZERO, 0.0);
            for &(at, off) in &near {
                let (at, weight) = (at as usize, least / off.max(least));
                let old = own[at];
                position += weight * (now.positions[old] + maps[at] * (place - places[at]));
                velocity += weight * now.velocities[old];
                sum += weight;
            }
            next.nodes.positions[node] = position / sum;
            next.nodes.velocities[node] = velocity / sum;
        }
        nearest
    }

    /// Which new nodes stand where each old one was: the new ones nearest to it, or the new one it is nearest to.
    fn heirs(&self, next: &Self, moved: Vec3, nearest: Vec<Option<u32>>) -> Renumbering {
        let (before, count) = (self.nodes.positions.len(), next.nodes.positions.len());
        let mut heirs = Vec::new();
        let mut found = vec![false; before];
        if count > before {
            nearest.iter().flatten().for_each(|&old| found[old as usize] = true);
        }
        let grid = PointGrid::fitting(&next.rest.nodes.rest_positions);
        let mut near = Vec::new();
        for (old, place) in self.rest.nodes.rest_positions.iter().enumerate() {
            if found[old] {
                continue;
            }
            grid.k_nearest(*place - moved, 1, &mut near);
            if let Some(&(new, _)) = near.first() {
                heirs.push((new, old as u32));
            }
        }
        let from_children = Lists::from_pairs(count, heirs.into_iter());
        let from_parent = if count > before { nearest } else { vec![None; count] };
        let kept = Correspondence {
            before: vec![None; count],
            after: vec![None; before],
            changed: vec![true; count],
        };
        Renumbering { kept, from_parent, from_children }
    }
}

impl BodyRest {
    /// A body of another mesh in the same coordinates, undeformed.
    pub(crate) fn rebuild_with(
        &self,
        mesh: &TriMesh,
        like: &Body,
        settings: &ModelSettings,
        rules: Vec<Rule>,
    ) -> Result<Body, BodyError> {
        let mut mesh = mesh.clone();
        mesh.positions.iter_mut().for_each(|p| *p = (*p + self.center) / self.scale);
        let builder = Body::builder(mesh)
            .name(like.name.clone())
            .material(settings.usable_part_of(&like.material))
            .contacts(like.contacts)
            .scale(self.scale)
            .cut_paint(self.cut_paint.clone())
            .model(settings.clone());
        let follows = settings.can_use(Feature::Rules);
        let mut body = if follows { builder.refine(rules.clone()) } else { builder }.build()?;
        // What this model cannot use is kept for one that can.
        body.material = like.material;
        (body.gravity_scale, body.enabled) = (like.gravity_scale, like.enabled);
        (body.max_model_steps, body.kinematic) = (like.max_model_steps, like.kinematic);
        (body.user_data, body.interpolate) = (like.user_data, like.interpolate);
        if !follows {
            body.adaptivity = Adaptivity::new(rules);
        }
        Ok(body)
    }
}
