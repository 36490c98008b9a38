//! What a scene file says.
//!
//! Every table refuses keys it does not know, so a typing error is found and not ignored.

use super::{AttachmentEntry, ColliderEntry, CutEntry, KnifeEntry, Motion, RigidEntry, SceneError};
use pliant::geometry::LengthUnit;
use pliant::glam::{DVec3, Quat, Vec3};
use pliant::math::quat_from_axis_angle;
use pliant::model::OneModel;
use pliant::{ContactSettings, Material, ModelSettings, PickSettings, Rule, Selection, Wind, WorldSettings};
use serde::{Deserialize, Serialize};

/// What a scene file says.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SceneFile {
    /// What it is called.
    pub name: String,
    /// One line that says what there is to see.
    pub description: String,
    /// Length of a frame in seconds; 1/60 unless given.
    pub dt_secs: Option<f32>,
    /// Frames that a run has unless it is told otherwise; 300 unless given.
    pub frames: Option<u32>,
    /// Gravity, substeps and budget.
    pub world: WorldSettings,
    /// From where to look.
    pub camera: Option<Camera>,
    /// Things that bodies cannot enter.
    pub collider: Vec<ColliderEntry>,
    /// Bodies.
    pub body: Vec<BodyEntry>,
    /// Rigid bodies.
    pub rigid: Vec<RigidEntry>,
    /// Springs on bodies.
    pub pick: Vec<PickEntry>,
    /// Nodes held in place.
    pub pin: Vec<PinEntry>,
    /// Bodies held to each other.
    pub attachment: Vec<AttachmentEntry>,
    /// Balls that push.
    pub push: Vec<PushEntry>,
    /// Moving air.
    pub wind: Vec<WindEntry>,
    /// Edges that cut what they are moved through.
    pub knife: Vec<KnifeEntry>,
    /// Cuts made at a time.
    pub cut: Vec<CutEntry>,
}

/// From where to look.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Camera {
    /// Where the eye is.
    pub eye: DVec3,
    /// What it looks at.
    pub target: DVec3,
    /// Angle of the picture's height in radians.
    #[serde(default = "default_fov")]
    pub fov_y_radians: f32,
}

fn default_fov() -> f32 {
    0.7
}

/// A turn of `angle` radians about `axis`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rotation {
    /// Any length but 0.
    pub axis: Vec3,
    /// Radians.
    pub angle: f32,
}

impl Rotation {
    /// About an axis.
    pub fn new(axis: Vec3, angle: f32) -> Self {
        Self { axis, angle }
    }

    /// As a quaternion; `None` without an axis.
    pub fn quat(&self) -> Option<Quat> {
        let axis = self.axis.try_normalize()?;
        self.angle.is_finite().then(|| quat_from_axis_angle(axis, self.angle))
    }
}

macro_rules! body_entry {
    ($($(#[$about:meta])* $folder:ident: $Model:ident, $Settings:ident { $($field:ident: $Type:ident),* };)*) => {
        /// A body, or several of the same shape.
        #[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
        #[serde(default, deny_unknown_fields)]
        pub struct BodyEntry {
            /// What tools call it.
            pub name: String,
            /// A mesh file, relative to the scene file. Give this, or `shape`, or `figure`.
            pub mesh: Option<String>,
            /// A simple shape.
            pub shape: Option<ShapeEntry>,
            /// A figure of Pliant's own, by name.
            pub figure: Option<String>,
            /// How much larger than the mesh it is; 1 unless given.
            pub scale: Option<f32>,
            /// What the mesh's coordinates count; metres unless given.
            pub units: Option<LengthUnit>,
            /// Its largest extent in metres: it is scaled to that.
            pub fit: Option<f32>,
            /// Where the zero of the mesh's coordinates is put.
            pub position: DVec3,
            /// How it is turned.
            pub rotation: Option<Rotation>,
            /// How fast it flies at first, in m/s.
            pub velocity: Vec3,
            /// How fast it spins at first, in rad/s.
            pub spin: Vec3,
            /// What it is made of.
            pub material: Material,
            $(
                $(#[$about])*
                pub $folder: Option<pliant::$Settings>,
                $(
                    /// A setting of the model that may stand beside its own table.
                    pub $field: Option<pliant::$Type>,
                )*
            )*
            /// Where it is fine, for models that adapt.
            pub refine: Vec<Rule>,
            /// Where it is soft and where it is stiff, for models with regions; the first entry that has a place counts, and without one
            /// the model's own width.
            pub widths: Vec<WidthEntry>,
            /// Where it is stiffer or softer than its material, for elements; the first entry that has a place counts.
            pub stiffness: Vec<StiffnessEntry>,
            /// Where it is tough and where it tears; the first entry that has a place counts, and without one the material's `tear`.
            pub toughness: Vec<ToughnessEntry>,
            /// Whether it touches other bodies and itself.
            pub contacts: ContactSettings,
            /// What the world's gravity is multiplied by for it; 1 by default.
            pub gravity_scale: Option<f32>,
            /// The most steps that its model may make of a substep for the sake of its stiffness; 2 by default.
            pub max_model_steps: Option<u32>,
            /// Colour of faces that are cut into it: red, green, blue and, if given, opacity, linear, from 0 to 1.
            pub cut_color: Option<Vec<f32>>,
            /// Makes it kinematic: it follows this path as it is, whatever touches it, and is free once it is released.
            pub driven: Option<Motion>,
            /// More of the same.
            pub copies: Option<Copies>,
        }

        impl BodyEntry {
            /// The model that it asks for and the key that says so; clusters of particles unless it says otherwise.
            ///
            /// # Errors
            /// If it asks for several, or for settings of another.
            pub(super) fn model(&self, key: &str) -> Result<(&'static str, ModelSettings), SceneError> {
                let mut found: Vec<(&'static str, ModelSettings)> = Vec::new();
                $(found.extend(self.$folder.clone().map(|settings| (stringify!($folder), settings.into())));)*
                if let [(first, _), (second, _), ..] = &found[..] {
                    let fault = format!("the body may have only one of {first} and {second}");
                    return Err(SceneError::new(format!("{key}.{first}"), fault));
                }
                let mut model = found.pop().map_or_else(ModelSettings::default, |(_, model)| model);
                let word = model.name();
                $($(
                    if let Some(value) = self.$field.clone() {
                        let Some(settings) = <pliant::$Settings as OneModel>::of(&mut model) else {
                            let (name, own) = (stringify!($field), stringify!($folder));
                            let fault = format!("{name} is for the model {own}, and the body has {word}");
                            return Err(SceneError::new(format!("{key}.{name}"), fault));
                        };
                        settings.$field = value;
                    }
                )*)*
                Ok((word, model))
            }

            /// The key of a setting of its model: beside the model's own table, if that is where it was written.
            pub(super) fn key_of_setting(&self, key: &str, word: &str, setting: &str) -> String {
                let first = setting.split('.').next().unwrap_or(setting);
                $($(
                    if first == stringify!($field) && self.$field.is_some() {
                        return format!("{key}.{setting}");
                    }
                )*)*
                format!("{key}.{word}.{setting}")
            }
        }
    };
}
pliant::for_each_model!(body_entry);

/// How wide the regions of a model are in a part of the body.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WidthEntry {
    /// Which part, in the coordinates of the mesh: a box or a sphere. Around a sphere, the width changes over a quarter of its
    /// radius.
    pub within: Selection,
    /// Half-width in metres of the regions there: the larger, the stiffer.
    pub width: f32,
}

/// How stiff a body is in a part of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StiffnessEntry {
    /// Which part, in the coordinates of the mesh: a box or a sphere. Around a sphere, it changes over a quarter of its radius.
    pub within: Selection,
    /// How many times as stiff as its material it is there.
    pub times: f32,
}

/// How tough a body is in a part of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ToughnessEntry {
    /// Which part, in the coordinates of the mesh: a box or a sphere.
    pub within: Selection,
    /// How far it can be stretched there, as part of its length, before it tears.
    pub tear: f32,
}

/// More bodies of the same shape, along a grid that begins at the body's position.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Copies {
    /// How many along x, y and z, the body itself included.
    pub counts: [u32; 3],
    /// Metres from one to the next along x, y and z.
    pub spacing: Vec3,
    /// Turn each another way.
    #[serde(default)]
    pub tumble: bool,
}

/// A simple shape; lengths in metres.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[expect(missing_docs, reason = "the fields are the arguments of the functions in pliant::geometry::shapes")]
pub enum ShapeEntry {
    /// [`cuboid`](pliant::geometry::shapes::cuboid)
    Box { size: Vec3, cells: [u32; 3] },
    /// [`sphere`](pliant::geometry::shapes::sphere)
    Sphere { radius: f32, subdivisions: u32 },
    /// [`cylinder`](pliant::geometry::shapes::cylinder)
    Cylinder { radius: f32, height: f32, around: u32, along: u32 },
    /// [`capsule`](pliant::geometry::shapes::capsule)
    Capsule { radius: f32, height: f32, around: u32, along: u32 },
    /// [`torus`](pliant::geometry::shapes::torus)
    Torus { major: f32, minor: f32, around: u32, across: u32 },
    /// [`torus_knot`](pliant::geometry::shapes::torus_knot)
    TorusKnot { p: u32, q: u32, major: f32, minor: f32, tube_radius: f32, around: u32, across: u32 },
    /// [`l_bar`](pliant::geometry::shapes::l_bar)
    LBar { arm_length: f32, width: f32, depth: f32, cell: f32 },
}

/// A spring on a body.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct PickEntry {
    /// The body's name.
    pub body: String,
    /// The vertex nearest to this point of the mesh's coordinates. Give this or `vertex`.
    pub at: Option<Vec3>,
    /// The vertex by number.
    pub vertex: Option<u32>,
    /// Whether users cannot move it.
    pub locked: bool,
    /// How it pulls.
    pub spring: PickSettings,
    /// How it moves.
    pub motion: Motion,
}

/// Nodes held in place.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PinEntry {
    /// The body's name; all its copies are held.
    pub body: String,
    /// Which nodes.
    pub members: Selection,
    /// How they move.
    #[serde(default)]
    pub motion: Motion,
}

/// A ball that pushes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PushEntry {
    /// Where it starts.
    pub center: DVec3,
    /// Metres.
    pub radius: f32,
    /// How hard it pushes, in Hz.
    #[serde(default = "default_push")]
    pub frequency_hz: f32,
    /// How it moves.
    #[serde(default)]
    pub motion: Motion,
}

fn default_push() -> f32 {
    10.0
}

/// Moving air.
pub type WindEntry = Wind;
