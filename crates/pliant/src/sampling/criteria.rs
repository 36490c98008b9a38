//! How fine a body should be where.
//!
//! A criterion says how large a cell may be at a place. Of several the one that wants the smallest counts. Those that look at
//! the undeformed body decide how it is sampled at first; all of them are asked again at the end of every step.

use super::grid::{Grid, cells};
use crate::selection::Selection;
use glam::{DVec3, UVec3, Vec3};
use serde::{Deserialize, Serialize};
use std::fmt::Debug;

/// A cell that a criterion is asked about.
#[derive(Clone, Copy, Debug)]
pub struct Place<'a> {
    /// Low corner on the finest lattice.
    pub low: UVec3,
    /// Edge in finest cells.
    pub edge: u32,
    /// Edge in metres.
    pub size: f32,
    /// Its middle, in the coordinates of the mesh that the body was made from.
    pub rest: Vec3,
    /// Edge in the same coordinates.
    pub rest_size: f32,
    /// The material of the whole body.
    pub grid: &'a Grid,
    /// How it is now; none while the body is being made.
    pub now: Option<Now<'a>>,
}

/// How a cell is now.
#[derive(Clone, Copy, Debug)]
pub struct Now<'a> {
    /// Where its node is in the world.
    pub position: DVec3,
    /// How far its material is from being rigid: ‖FᵀF − I‖ / 2, the size of the Green strain.
    pub strain: f32,
    /// Where tools act: centre and radius.
    pub tools: &'a [(DVec3, f32)],
    /// From where the world is looked at, if anybody does.
    pub eye: Option<DVec3>,
}

/// Says how large a cell may be at a place.
pub trait Criterion: Debug + Send + Sync {
    /// The largest edge in metres that will do; infinity if any will.
    ///
    /// `slack` is 1 when it is asked whether a body must be finer, and above 1 when cells are to be made coarser, or finer along
    /// with others: a place that is `slack` times farther off, or strained `slack` times less, than what it takes to refine should
    /// still be wanted as fine. So cells at the limit do not change with every step.
    fn largest(&self, place: &Place, slack: f32) -> f32;
}

/// The criteria that come with Pliant; see [`Criterion`] for your own.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Rule {
    /// The same everywhere.
    Everywhere {
        /// Largest edge in metres.
        size: f32,
    },
    /// Along the surface.
    Surface {
        /// Largest edge in metres of cells that the surface passes through.
        size: f32,
    },
    /// Where a cell holds pieces of material that are not joined inside it: fingers side by side, folds, thin gaps.
    Features {
        /// Smallest edge in metres that is made for them.
        size: f32,
    },
    /// In a part of the body.
    Region {
        /// Which, in the coordinates of the mesh: a box or a sphere.
        within: Selection,
        /// Largest edge in metres.
        size: f32,
    },
    /// Near the viewer, see [`World::look_from`](crate::World::look_from): cells grow with their distance.
    Viewer {
        /// Largest edge of a cell, as part of its distance from the eye.
        angle: f32,
    },
    /// Where the body is strained.
    Strain {
        /// Green strain from which cells are made smaller.
        from: f32,
        /// Largest edge in metres there.
        size: f32,
    },
    /// Near picks and pushes.
    Tools {
        /// How much farther than the tool itself it reaches, in metres.
        margin: f32,
        /// Largest edge in metres there.
        size: f32,
    },
}

impl Criterion for Rule {
    fn largest(&self, place: &Place, slack: f32) -> f32 {
        let if_so = |yes: bool, size: f32| if yes { size } else { f32::INFINITY };
        match self {
            Self::Everywhere { size } => *size,
            Self::Surface { size } => if_so(place.holds_surface(), *size),
            Self::Features { size } => if_so(place.size > *size && place.holds_apart(), 0.75 * place.size),
            Self::Region { within, size } => if_so(place.is_within(within), *size),
            Self::Viewer { angle } => place
                .now
                .and_then(|now| now.eye.map(|eye| (now.position, eye)))
                .map_or(f32::INFINITY, |(position, eye)| angle * position.distance(eye) as f32 / slack),
            Self::Strain { from, size } => {
                if_so(place.now.is_some_and(|now| now.strain * slack > *from), *size)
            }
            Self::Tools { margin, size } => {
                let touched = |now: Now| {
                    // Half the diagonal of a cell: a tool at its corner touches it.
                    let reach = |radius: f32| f64::from(slack * (radius + margin + 0.87 * place.size));
                    now.tools.iter().any(|(at, radius)| at.distance(now.position) < reach(*radius))
                };
                if_so(place.now.is_some_and(touched), *size)
            }
        }
    }
}

impl Rule {
    /// Whether it looks at the undeformed body alone, so that it always says the same.
    pub fn is_still(&self) -> bool {
        match self {
            Self::Everywhere { .. } | Self::Surface { .. } | Self::Features { .. } | Self::Region { .. } => {
                true
            }
            Self::Viewer { .. } | Self::Strain { .. } | Self::Tools { .. } => false,
        }
    }

    /// Checks the ranges.
    ///
    /// # Errors
    /// The field, what it was, and what it must be.
    pub fn validate(&self) -> Result<(), (&'static str, f32, &'static str)> {
        let above = |name, value: f32| {
            if value > 0.0 && value.is_finite() { Ok(()) } else { Err((name, value, "above 0")) }
        };
        let at_least = |name, value: f32| {
            if value >= 0.0 && value.is_finite() { Ok(()) } else { Err((name, value, "0 or more")) }
        };
        match self {
            Self::Everywhere { size } | Self::Surface { size } | Self::Features { size } => {
                above("size", *size)
            }
            Self::Region { size, .. } => above("size", *size),
            Self::Viewer { angle } => above("angle", *angle),
            Self::Strain { from, size } => at_least("from", *from).and(above("size", *size)),
            Self::Tools { margin, size } => at_least("margin", *margin).and(above("size", *size)),
        }
    }
}

impl Place<'_> {
    fn high(&self) -> UVec3 {
        (self.low + self.edge).min(UVec3::from_array(self.grid.filling.counts))
    }

    fn holds_surface(&self) -> bool {
        let filling = &self.grid.filling;
        cells(self.low, self.high()).any(|at| filling.surface[filling.index(at.to_array())])
    }

    fn is_within(&self, selection: &Selection) -> bool {
        let half = 0.5 * self.rest_size;
        match selection {
            Selection::All => true,
            Selection::Box { min, max } => {
                (self.rest + half).cmpge(*min).all() && (self.rest - half).cmple(*max).all()
            }
            Selection::Sphere { center, radius } => self.rest.distance(*center) < radius + half,
            Selection::Nodes(_) | Selection::Vertices(_) => false,
        }
    }

    /// Whether the cell holds pieces of material that are not joined inside it.
    fn holds_apart(&self) -> bool {
        if !self.holds_surface() {
            return false;
        }
        let filling = &self.grid.filling;
        let edge = self.edge as usize;
        let mask = |at: UVec3| {
            if at.cmplt(self.high()).all() { filling.masks[filling.index(at.to_array())] } else { 0 }
        };
        let index = |at: UVec3| {
            ((at.z - self.low.z) as usize * edge + (at.y - self.low.y) as usize) * edge
                + (at.x - self.low.x) as usize
        };
        let mut seen = vec![false; edge * edge * edge];
        let mut pieces = 0;
        let mut stack = Vec::new();
        for start in cells(self.low, self.high()) {
            if seen[index(start)] || mask(start) == 0 {
                continue;
            }
            pieces += 1;
            seen[index(start)] = true;
            stack.push(start);
            while let Some(at) = stack.pop() {
                for axis in 0..3 {
                    let step = UVec3::AXES[axis];
                    let next = at + step;
                    if next.cmplt(self.high()).all()
                        && !seen[index(next)]
                        && joined(mask(at), mask(next), axis)
                    {
                        seen[index(next)] = true;
                        stack.push(next);
                    }
                    if at[axis] > self.low[axis] {
                        let before = at - step;
                        if !seen[index(before)] && joined(mask(before), mask(at), axis) {
                            seen[index(before)] = true;
                            stack.push(before);
                        }
                    }
                }
            }
        }
        pieces > 1
    }
}

/// Whether two cells, the second after the first along an axis, have samples inside on both sides of their common face.
fn joined(first: u64, second: u64, axis: usize) -> bool {
    // The samples at the high end of a cell along x, y and z, and how far those at the low end are from them.
    const HIGH: [u64; 3] = [0x8888_8888_8888_8888, 0xf000_f000_f000_f000, 0xffff_0000_0000_0000];
    const APART: [u32; 3] = [3, 12, 48];
    ((first & HIGH[axis]) >> APART[axis]) & second != 0
}
