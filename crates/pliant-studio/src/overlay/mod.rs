//! What is inside the bodies, drawn over them.
//!
//! | overlay | what is seen | colours |
//! |---|---|---|
//! | nodes | a ball a node, as large as the room it has | as the body; pinned ones [`PINNED_COLOR`] |
//! | cells | the cells of `lattice` and `octree` as they are deformed now, but those among their like | [`level_color`] |
//! | regions | one region: its node, its members and a line to each | [`distance_color`] |
//! | graph | which nodes are joined | [`level_color`] of the coarser of the two |
//! | clusters | a ball a particle of `clusters` | [`cluster_color`], mixed where clusters overlap |
//! | contacts | where nodes touch a collider, and the direction out of it | [`CONTACT_COLOR`] |
//! | strain | the skin itself | [`strain_color`] |
//! | energy | a ball a region of one level of `hierarchy`, as large as its material | [`strain_color`] of the strain that is worth its energy density |

mod colors;
mod signs;

pub use colors::{
    CONTACT_COLOR, FULL_STRAIN, PINNED_COLOR, cluster_color, distance_color, level_color, strain_color,
};

use crate::{Marker, WorldView};
use pliant::{Body, World};
use serde::{Deserialize, Serialize};
use std::str::FromStr;

/// What is drawn beside skins, colliders and tools.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Overlays {
    /// The simulated points.
    pub nodes: bool,
    /// Octree and lattice cells, coloured by level.
    pub cells: bool,
    /// One region: its node and the nodes it is matched with.
    pub regions: bool,
    /// Which neighbours see each other.
    pub graph: bool,
    /// Particles coloured by the cluster that they belong to.
    pub clusters: bool,
    /// Nodes that touch a collider.
    pub contacts: bool,
    /// Skins coloured by how strained they are.
    pub strain: bool,
    /// One level of each body that has some, coloured by energy density.
    pub energy: bool,
    /// Which level that is: 0 is the finest. A body with fewer shows its coarsest.
    pub level: u32,
}

/// A word that is not the name of an overlay.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no overlay {name:?}; there are {}", Overlays::NAMES.join(", "))]
pub struct UnknownOverlay {
    /// The word.
    pub name: String,
}

impl Overlays {
    /// The names of all overlays, in the order of their fields.
    pub const NAMES: [&str; 8] =
        ["nodes", "cells", "regions", "graph", "clusters", "contacts", "strain", "energy"];

    /// The overlay of that name, to ask or to switch.
    pub fn get_mut(&mut self, name: &str) -> Option<&mut bool> {
        match name {
            "nodes" => Some(&mut self.nodes),
            "cells" => Some(&mut self.cells),
            "regions" => Some(&mut self.regions),
            "graph" => Some(&mut self.graph),
            "clusters" => Some(&mut self.clusters),
            "contacts" => Some(&mut self.contacts),
            "strain" => Some(&mut self.strain),
            "energy" => Some(&mut self.energy),
            _ => None,
        }
    }

    /// Whether something inside the bodies is shown, so that their skins have to be seen through.
    pub fn show_inside(&self) -> bool {
        let Self { nodes, cells, regions, graph, clusters, contacts, strain: _, energy, level: _ } = *self;
        nodes || cells || regions || graph || clusters || contacts || energy
    }
}

/// Names with commas between them.
impl FromStr for Overlays {
    type Err = UnknownOverlay;

    fn from_str(names: &str) -> Result<Self, UnknownOverlay> {
        let mut overlays = Self::default();
        for name in names.split(',').map(str::trim).filter(|name| !name.is_empty()) {
            *overlays.get_mut(name).ok_or_else(|| UnknownOverlay { name: name.into() })? = true;
        }
        Ok(overlays)
    }
}

/// Adds the signs that the overlays of a view ask for.
pub(crate) fn add_markers(world: &World, view: &WorldView, markers: &mut Vec<Marker>) {
    let overlays = &view.overlays;
    if !overlays.show_inside() {
        return;
    }
    for (handle, body) in world.bodies() {
        let mut signs = signs::Signs::new(view, body, markers);
        if overlays.nodes {
            signs.nodes(&signs::pinned(world, handle), view.colors.of(handle));
        }
        if overlays.cells {
            signs.cells();
        }
        if overlays.graph {
            signs.graph();
        }
        if overlays.clusters {
            signs.clusters();
        }
        if overlays.contacts {
            signs.contacts(&world.contacts(handle).unwrap_or_default());
        }
        if overlays.energy {
            signs.energy(&world.levels(handle).unwrap_or_default(), overlays.level);
        }
    }
    if overlays.regions
        && let Some((body, node)) = signs::focused(world, view)
    {
        signs::Signs::new(view, body, markers).region(node);
    }
}

/// One colour a vertex of a body's skin, or nothing to leave it as it is.
pub(crate) fn tint(body: &Body, overlays: &Overlays) -> Vec<[f32; 4]> {
    if !overlays.strain {
        return Vec::new();
    }
    let opaque = |[r, g, b]: [f32; 3]| [r, g, b, 1.0];
    body.strains().into_iter().map(|strain| opaque(strain_color(strain))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_of_the_fields() {
        let all: Overlays = Overlays::NAMES.join(",").parse().unwrap();
        let Overlays { nodes, cells, regions, graph, clusters, contacts, strain, energy, level } = all;
        assert!(nodes && cells && regions && graph && clusters && contacts && strain && energy);
        assert_eq!(level, 0);
        assert_eq!("".parse(), Ok(Overlays::default()));
        assert_eq!(
            " cells , strain".parse(),
            Ok(Overlays { cells: true, strain: true, ..Overlays::default() })
        );
        let error = "nodes,knots".parse::<Overlays>().unwrap_err().to_string();
        assert!(
            error.contains("knots") && Overlays::NAMES.iter().all(|name| error.contains(name)),
            "{error}"
        );
    }
}
