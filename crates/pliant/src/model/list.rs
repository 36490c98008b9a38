//! The one list of models. A model is a folder beside this file and a line in the list below.
//!
//! From the list follow the enums that hold any model and any model's settings, the words of scene files, reports and menus, and
//! what snapshots keep. The enums stand behind the traits for speed and for `serde`; nobody else matches on them.

/// Calls a macro with the list of models: `folder: Model, Settings { field: Type, … };` for each, with its description. The
/// fields in braces are settings that scene files also take beside the model's own table.
#[macro_export]
macro_rules! for_each_model {
    ($then:ident) => {
        $then! {
            /// Shape matching of overlapping sets of particles.
            clusters: Clusters, ClusterSettings { clustering: Clustering, particles: ParticleSettings };
            /// Shape matching of regions of one width on a regular lattice.
            lattice: Lattice, LatticeSettings {};
            /// Shape matching of regions of any width on an octree whose cells can change.
            octree: Octree, OctreeSettings {};
            /// Shape matching on several levels at once, for stiff and large bodies.
            hierarchy: Hierarchy, HierarchySettings {};
            /// Finite elements: tetrahedra of an elastic material.
            elements: Elements, ElementSettings {};
            /// Springs between neighboring particles: the example of how to write a model.
            springs: Springs, SpringSettings {};
        }
    };
}

use super::build::{BodyError, Build, Feature, Sampled, Source};
use super::seam::Simulate;
use crate::material::{Material, Stiffness};
use crate::nodes::NodeRest;
use crate::sampling::criteria::Rule;
use glam::Mat3;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Makes the enums and what depends on all of them from the list. Each folder has the model type (with its undeformed shape in
/// `rest`), the settings type, and `Rest`.
macro_rules! models {
    ($($(#[$about:meta])* $folder:ident: $Model:ident, $Settings:ident { $($field:ident: $Type:ident),* };)*) => {
        $(use super::$folder;)*

        /// The model of a body. What it can do is in [`Simulate`], which it stands for.
        #[derive(Clone, Debug, Serialize, Deserialize)]
        pub enum Model {
            $($(#[$about])* $Model($folder::$Model),)*
        }

        /// Which model a body has, and its settings.
        #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
        #[serde(rename_all = "kebab-case")]
        pub enum ModelSettings {
            $($(#[$about])* $Model($folder::$Settings),)*
        }

        /// What a model knows of the undeformed shape; shared between bodies of the same shape, and kept once by a snapshot.
        #[derive(Clone, Debug, Serialize, Deserialize)]
        pub enum ModelRest {
            $($(#[$about])* $Model(Arc<$folder::Rest>),)*
        }

        $(
            impl From<$folder::$Model> for Model {
                fn from(model: $folder::$Model) -> Self {
                    Self::$Model(model)
                }
            }

            impl From<$folder::$Settings> for ModelSettings {
                fn from(settings: $folder::$Settings) -> Self {
                    Self::$Model(settings)
                }
            }

            impl OneModel for $folder::$Settings {
                fn of(settings: &mut ModelSettings) -> Option<&mut Self> {
                    match settings {
                        ModelSettings::$Model(settings) => Some(settings),
                        _ => None,
                    }
                }
            }
        )*

        /// The words of all models, in the order of the list.
        pub const WORDS: &[&str] = &[$(<$folder::$Settings as Build>::WORD),*];

        impl Model {
            /// What it can do.
            pub fn simulate(&self) -> &dyn Simulate {
                match self {
                    $(Self::$Model(model) => model,)*
                }
            }

            /// What it can do, to do it.
            pub fn simulate_mut(&mut self) -> &mut dyn Simulate {
                match self {
                    $(Self::$Model(model) => model,)*
                }
            }

            /// The model's word in scene files, reports and the interface.
            pub fn name(&self) -> &'static str {
                match self {
                    $(Self::$Model(_) => <$folder::$Settings as Build>::WORD,)*
                }
            }

            /// The linear map that turns a small rest vector at a node into the current one; see [`Simulate::node_map`]. Asked
            /// for node by node, so it is not a virtual call.
            #[inline]
            pub fn node_map(&self, rest: &NodeRest, node: usize) -> Mat3 {
                match self {
                    $(Self::$Model(model) => Simulate::node_map(model, rest, node),)*
                }
            }

            /// What it knows of the undeformed shape.
            pub fn rest(&self) -> ModelRest {
                match self {
                    $(Self::$Model(model) => ModelRest::$Model(model.rest.clone()),)*
                }
            }

            /// Gives a model that comes from a snapshot its undeformed shape back. Returns whether that is one of its kind.
            pub(crate) fn attach(&mut self, rest: &ModelRest) -> bool {
                match (self, rest) {
                    $((Self::$Model(model), ModelRest::$Model(rest)) => {
                        model.rest = rest.clone();
                        true
                    })*
                    _ => false,
                }
            }
        }

        impl ModelRest {
            /// Whether both are the same one, not only equal.
            pub fn is_same(&self, other: &Self) -> bool {
                match (self, other) {
                    $((Self::$Model(a), Self::$Model(b)) => Arc::ptr_eq(a, b),)*
                    _ => false,
                }
            }
        }

        impl ModelSettings {
            /// The model's word.
            pub fn name(&self) -> &'static str {
                match self {
                    $(Self::$Model(_) => <$folder::$Settings as Build>::WORD,)*
                }
            }

            /// Settings that suit a body of a size in meters, of the model with a word; `None` if there is no such word.
            pub fn for_size(word: &str, size: f32) -> Option<Self> {
                match word {
                    $(<$folder::$Settings as Build>::WORD => Some(Self::$Model(Build::for_size(size))),)*
                    _ => None,
                }
            }

            /// Rules that suit these settings on a body of a size in meters; none where the model does not adapt.
            pub fn rules_for_size(&self, size: f32) -> Vec<Rule> {
                match self {
                    $(Self::$Model(settings) => settings.rules_for_size(size),)*
                }
            }

            /// For a part of a body, `share` of it: as dense.
            pub(crate) fn for_part(&self, share: f32) -> Self {
                match self {
                    $(Self::$Model(settings) => Self::$Model(settings.for_part(share)),)*
                }
            }

            /// Whether the model can be made of given tetrahedra, as these settings are.
            pub fn takes_tetrahedra(&self) -> bool {
                match self {
                    $(Self::$Model(settings) => settings.takes_tetrahedra(),)*
                }
            }

            /// What the model can use of that which not every model can.
            pub fn features(&self) -> &'static [Feature] {
                match self {
                    $(Self::$Model(_) => <$folder::$Settings as Build>::FEATURES,)*
                }
            }

            /// Checks what can be checked without a mesh.
            ///
            /// # Errors
            /// The first setting that makes no sense.
            pub fn validate(&self) -> Result<(), BodyError> {
                match self {
                    $(Self::$Model(settings) => settings.validate(),)*
                }
            }

            /// Turns a mesh into nodes and what moves them.
            pub(crate) fn build(&self, from: &Source) -> Result<Sampled<Model>, BodyError> {
                self.validate()?;
                from.only(self.features(), self.name())?;
                match self {
                    $(Self::$Model(settings) => Ok(settings.build(from)?.into_any()),)*
                }
            }
        }
    };
}

for_each_model!(models);

/// Settings of one model of the list.
pub trait OneModel: Build {
    /// These, if the settings are of this model.
    fn of(settings: &mut ModelSettings) -> Option<&mut Self>;
}

/// A body without any choice made is a set of particles.
impl Default for ModelSettings {
    fn default() -> Self {
        Self::Clusters(clusters::ClusterSettings::default())
    }
}

impl ModelSettings {
    /// Whether the model can use something that not every model can.
    pub fn can_use(&self, feature: Feature) -> bool {
        self.features().contains(&feature)
    }

    /// A material without what the model cannot use.
    pub fn usable_part_of(&self, material: &Material) -> Material {
        let mut usable = *material;
        for unused in Feature::ALL.iter().filter(|feature| !self.can_use(**feature)) {
            match unused {
                Feature::Beta => usable.elasticity.beta = None,
                Feature::PoissonRatio => {
                    if let Stiffness::Young { modulus, .. } = usable.elasticity.stiffness {
                        usable = usable.with_young_modulus(modulus, 0.0);
                    }
                }
                Feature::Plasticity => usable.plasticity = None,
                Feature::Tearing => usable.tear = None,
                Feature::Rules | Feature::Widths | Feature::PaintedStiffness | Feature::Tetrahedra => {}
            }
        }
        usable
    }
}

impl Model {
    /// The model, if it is of this kind: for those who look into one.
    pub fn get<M: Simulate>(&self) -> Option<&M> {
        let any: &dyn std::any::Any = self.simulate();
        any.downcast_ref()
    }
}

impl std::ops::Deref for Model {
    type Target = dyn Simulate;
    fn deref(&self) -> &Self::Target {
        self.simulate()
    }
}

impl std::ops::DerefMut for Model {
    fn deref_mut(&mut self) -> &mut Self::Target {
        self.simulate_mut()
    }
}
