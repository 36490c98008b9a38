//! What moves the nodes: one folder a model, and a line in one [`list`].
//!
//! Everything above asks a model through the seam ([`Simulate`], [`Structure`], [`Cut`], [`Adapt`]) and makes it through
//! [`Build`]; no one names a model but its own folder and the list. How to write one is in `docs/models.md`.

pub mod adapt;
pub mod build;
pub mod cells;
pub mod clusters;
pub mod creep;
pub mod elements;
pub mod hierarchy;
pub mod integrate;
pub mod lattice;
pub mod level;
pub mod list;
pub mod momentum;
pub mod octree;
pub mod regions;
pub mod seam;
pub mod springs;
pub mod supports;

pub use adapt::{Adapt, Adaptivity, Changes, ResampleError};
pub use build::{BodyError, Build, Feature, Sampled, Source};
pub use clusters::Clusters;
pub use elements::Elements;
pub use hierarchy::Hierarchy;
pub use lattice::Lattice;
pub use level::{Level, LevelRegion};
pub use list::{Model, ModelRest, ModelSettings, OneModel, WORDS};
pub use octree::Octree;
pub use seam::{Cut, CutSupport, Outline, Part, Simulate, StepInput, StepOutput, Structure};
pub use springs::Springs;
