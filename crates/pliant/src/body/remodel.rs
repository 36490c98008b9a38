//! A body that gets another model while it lives.

use super::resample::Momentum;
use super::{Body, BodyError, BodyRest};
use crate::adapt::Rule;
use crate::geometry::{Lists, PointGrid, TriMesh};
use crate::model::clusters::{self, Clustering};
use crate::model::lattice::LatticeSettings;
use crate::model::octree::OctreeSettings;
use crate::model::{Model, ModelRest};
use crate::nodes::{Correspondence, Renumbering};
use crate::sampling::particles::ParticleSettings;
use glam::Vec3;
use serde::{Deserialize, Serialize};

/// Which model a body has, and its settings.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum ModelSettings {
    /// Sets of particles.
    Clusters {
        /// How particles are placed.
        particles: ParticleSettings,
        /// How they are divided.
        clustering: Clustering,
        /// How goals are made.
        settings: clusters::Settings,
    },
    /// One regular lattice.
    Lattice(LatticeSettings),
    /// Cells of several sizes.
    Octree {
        /// Cells and regions.
        settings: OctreeSettings,
        /// Where they are fine.
        refine: Vec<Rule>,
    },
}

impl ModelSettings {
    /// The model's word.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Clusters { .. } => "clusters",
            Self::Lattice(_) => "lattice",
            Self::Octree { .. } => "octree",
        }
    }
}

impl ModelSettings {
    /// For a part of a body, `share` of it: as dense, and clusters as large.
    pub(super) fn shared(self, share: f32) -> Self {
        match self {
            Self::Clusters { particles, clustering, settings } => {
                let part = |count: u32| ((count as f32 * share).round() as u32).max(1);
                let spread = |count: u32| Clustering::Spread { count: part(count), overlap: 0.5 };
                let clustering = match clustering {
                    Clustering::One => Clustering::One,
                    Clustering::Spread { count, overlap } => {
                        Clustering::Spread { count: part(count), overlap }
                    }
                    Clustering::Grid { cells, .. } => spread(cells.iter().product()),
                    Clustering::Given(names) => spread(names.len() as u32),
                };
                Self::Clusters { particles, clustering, settings }
            }
            other => other,
        }
    }
}

impl Body {
    /// The settings of its model.
    pub fn model_settings(&self) -> ModelSettings {
        match (&self.rest.model, &self.model) {
            (ModelRest::Lattice(rest), _) => ModelSettings::Lattice(LatticeSettings {
                cell: rest.cell,
                width: rest.width as f32 * rest.cell,
            }),
            (ModelRest::Octree(rest), _) => {
                ModelSettings::Octree { settings: rest.settings, refine: self.adaptivity.rules().to_vec() }
            }
            (ModelRest::Clusters(rest), model) => ModelSettings::Clusters {
                particles: self.rest.recipe.as_ref().map(|recipe| recipe.0).unwrap_or_default(),
                clustering: match (&self.rest.recipe, rest.len() as u32) {
                    (Some((_, clustering)), _) => clustering.clone(),
                    (None, 0 | 1) => Clustering::One,
                    (None, count) => Clustering::Spread { count, overlap: 0.5 },
                },
                settings: match model {
                    Model::Clusters(clusters) => clusters.settings,
                    Model::Lattice(_) | Model::Octree(_) => clusters::Settings::default(),
                },
            },
        }
    }

    /// Gives the body another model, or other settings of the same, as it stands: shape, place and motion are carried over as
    /// well as the new nodes can have them, and both momenta exactly. Pins and picks hold on. What it had given way to for
    /// good, connections that were cut and painted widths are lost.
    ///
    /// # Errors
    /// If the settings make no sense for it; then nothing has changed.
    pub fn remodel(&mut self, settings: &ModelSettings) -> Result<(), BodyError> {
        let mut next = self.rest.rebuild(self, settings)?;
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
    pub(super) fn move_along(
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
        let mut lists = vec![Vec::new(); count];
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
                lists[new as usize].push(old as u32);
            }
        }
        let mut from_children = Lists::new();
        lists.iter().for_each(|list| from_children.push(list));
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
    /// A body of the same mesh with other settings, undeformed.
    fn rebuild(&self, like: &Body, settings: &ModelSettings) -> Result<Body, BodyError> {
        self.rebuild_with(&self.mesh, like, settings)
    }

    /// A body of another mesh in the same coordinates, undeformed.
    pub(super) fn rebuild_with(
        &self,
        mesh: &TriMesh,
        like: &Body,
        settings: &ModelSettings,
    ) -> Result<Body, BodyError> {
        let mut mesh = mesh.clone();
        mesh.positions.iter_mut().for_each(|p| *p = (*p + self.center) / self.scale);
        let builder =
            Body::builder(mesh).name(like.name.clone()).material(like.material).contacts(like.contacts);
        builder.scale(self.scale).cut_paint(self.cut_paint.clone()).model(settings.clone()).build()
    }
}
