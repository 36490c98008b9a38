//! One deformable object.

pub mod border;
mod builder;
mod contain;
mod groups;
mod inside;
mod interpolation;
mod kinematic;
mod momentum;
mod motion;
mod remodel;
mod resample;
mod sleeping;
mod surface;
mod warnings;

pub use crate::model::{BodyError, ModelSettings, ResampleError};
pub use builder::{BodyBuilder, flesh};
pub use groups::CollisionGroups;
pub use inside::Cell;
pub use interpolation::SkinPose;
pub(crate) use momentum::Momentum;
pub(crate) use sleeping::SleepState;
pub(crate) use surface::{SkinPlace, Way};
pub use warnings::{BodyWarning, Stepping};

use crate::geometry::{LazyTree, Paint, TriMesh};
use crate::ids::Handle;
use crate::material::Material;
use crate::model::{Adaptivity, Level, Model, StepInput, StepOutput};
use crate::nodes::{HeldNodes, Loads, NodeRest, NodeState, Renumbering, Support};
use crate::sampling::painted::Painted;
use crate::selection::Selection;
use crate::skin::{Binding, Cells, CutSurface, NormalGroups, RestSkin, Skin, Undeformed};
use glam::{DVec3, Mat3, Quat, Vec3};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// What never changes about a body; bodies of the same shape share it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct BodyRest {
    /// The mesh as people draw it, relative to the centre of mass and at the body's scale.
    pub mesh: Arc<TriMesh>,
    /// The simulated points.
    pub nodes: NodeRest,
    /// Which nodes carry each vertex of the mesh.
    pub binding: Binding,
    /// Which vertices share a normal.
    pub normal_groups: Arc<NormalGroups>,
    /// The undeformed skin by eights; nothing if its vertices are nodes.
    pub skin: Arc<RestSkin>,
    /// Volume in m³ that the mesh encloses at rest (negative if inside out).
    pub volume: f64,
    /// Where the centre of mass is in the scaled mesh's coordinates.
    pub center: Vec3,
    /// What the mesh was scaled by.
    pub scale: f32,
    /// The surface of a body that was cut; its mesh is made from it.
    pub cut: Option<Arc<CutSurface>>,
    /// How cut faces look.
    pub cut_paint: Paint,
    /// How far connections can be stretched at every place before they tear, where that was painted.
    pub toughness: Option<Arc<Painted>>,
    /// Where it begins, for contacts; derived.
    #[serde(skip)]
    pub(crate) border: border::LazyBorder,
    /// The tree over the mesh's triangles, for queries; derived.
    #[serde(skip)]
    pub(crate) tree: LazyTree,
}

/// One deformable object: rest shape, state, model, skin and material.
///
/// A clone shares the rest shape, so a crowd of equal bodies is cheap: build one, clone it, [`place`](Self::place) the clones.
#[derive(Clone, Debug)]
pub struct Body {
    /// What it is called in reports and the interface.
    pub name: String,
    /// What it is made of; may be changed between steps.
    pub material: Material,
    /// Where its nodes are.
    pub nodes: NodeState,
    /// What moves its nodes.
    pub model: Model,
    /// How fine it should be where, for models that adapt.
    pub adaptivity: Adaptivity,
    pub(crate) rest: Arc<BodyRest>,
    pub(crate) skin: Skin,
    /// Whether it touches other bodies and itself; may be changed between steps.
    pub contacts: ContactSettings,
    /// What the world's gravity is multiplied by for it; 1 by default. May be changed between steps.
    pub gravity_scale: f32,
    /// The most steps that its model may make of a substep for the sake of its stiffness, 1 or more: see [`Stiffness`]. Costs that many
    /// times what its model does in one. A body that would need more is less stiff, and [`warnings`](Self::warnings) says so.
    /// May be changed between steps.
    ///
    /// [`Stiffness`]: crate::Stiffness
    pub max_model_steps: u32,
    /// Whether it takes part in steps. A body that does not stays where it is with its skin and its velocities: nothing moves,
    /// touches, cuts or changes it, and it costs nothing. May be changed between steps; what slept on it wakes.
    pub enabled: bool,
    /// Whether it is driven ([`World::drive`](crate::World::drive)): its nodes stay, or go where they are told to, and push others;
    /// forces, contacts and tools do not move them. May be changed between steps; one that is no longer driven goes on as it moves.
    pub kinematic: bool,
    /// Where its nodes will be after the next step, if it is driven.
    pub(crate) targets: Vec<DVec3>,
    /// Whatever the caller wants to remember of it. Pieces of a cut have that of the whole.
    pub user_data: u64,
    /// Whether steps keep the skin from before them, for [`skin_at`](Self::skin_at); off by default. It costs a copy of the skin
    /// per step.
    pub interpolate: bool,
    /// The skin before the latest step, if that was kept and nothing but the step has moved it.
    pub(crate) skin_before: SkinPose,
    /// How long it has been slow, and whether it sleeps.
    pub(crate) sleep: SleepState,
    /// Its nodes that rested on something after the latest substep, by what they rest on and node, for models that ask for it.
    pub(crate) supports: Vec<Support>,
    pub(crate) version: u64,
    /// The body that it was cut from, by the handle that this had; pieces of one body are in its rest coordinates.
    pub(crate) whole: Option<BodyHandle>,
    /// Changes of nodes that tools have not followed yet.
    pub(crate) changes: Vec<Renumbering>,
}

/// Names a body of a world.
pub type BodyHandle = Handle<Body>;

/// What acts on the nodes of a body from outside.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Acting<'a> {
    pub held: &'a HeldNodes,
    pub loads: &'a Loads,
    /// m/s²
    pub gravity: Vec3,
}

/// What a body can touch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ContactSettings {
    /// Other bodies, those that touch bodies too.
    pub bodies: bool,
    /// Other parts of itself, also across a cut. Off unless asked for: it costs, and few bodies fold that far.
    pub itself: bool,
    /// The groups that it is in, and those of the bodies and colliders that it touches.
    pub groups: CollisionGroups,
}

impl Default for ContactSettings {
    fn default() -> Self {
        Self { bodies: true, itself: false, groups: CollisionGroups::default() }
    }
}

/// The part of a body that changes: what a snapshot keeps.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct BodyState {
    pub name: String,
    pub material: Material,
    pub nodes: NodeState,
    pub model: Model,
    pub adaptivity: Adaptivity,
    pub contacts: ContactSettings,
    pub gravity_scale: f32,
    pub max_model_steps: u32,
    pub enabled: bool,
    pub kinematic: bool,
    pub targets: Vec<DVec3>,
    pub user_data: u64,
    pub interpolate: bool,
    pub sleep: SleepState,
    pub supports: Vec<Support>,
    pub version: u64,
    pub whole: Option<BodyHandle>,
}

impl BodyRest {
    /// What a skin is made from.
    pub fn undeformed(&self) -> Undeformed<'_> {
        Undeformed {
            binding: &self.binding,
            normal_groups: &self.normal_groups,
            skin: &self.skin,
            nodes: &self.nodes.rest_positions,
        }
    }

    fn select(&self, selection: &Selection) -> Vec<u32> {
        let to_mesh = |x: &Vec3| (*x + self.center) / self.scale;
        let positions: Vec<Vec3> = self.nodes.rest_positions.iter().map(to_mesh).collect();
        let mesh = TriMesh::new(self.mesh.positions.iter().map(to_mesh).collect(), Vec::new());
        selection.find(&mesh, &positions)
    }
}

impl Body {
    /// The undeformed shape.
    pub fn rest(&self) -> &Arc<BodyRest> {
        &self.rest
    }

    /// Whether both are pieces of one body, in the same rest coordinates.
    pub(crate) fn is_kin_of(&self, other: &Self) -> bool {
        // One that got another model since was built in coordinates of its own.
        let coordinates = |body: &Self| (body.rest.center, body.rest.scale);
        self.whole.is_some() && self.whole == other.whole && coordinates(self) == coordinates(other)
    }

    /// Where the body begins, node by node.
    pub fn border(&self) -> &Arc<border::Border> {
        self.rest.border.of(&self.rest, &self.model)
    }

    /// The cells that its nodes stand in, if they stand in any.
    pub(crate) fn cells(&self) -> Option<Box<dyn Cells + Sync + '_>> {
        self.model.cells(&self.rest.nodes)
    }

    /// The surface as it is now, relative to the body's origin `nodes.origin`.
    pub fn skin(&self) -> &Skin {
        &self.skin
    }

    /// Where a vertex of the skin is in the world.
    pub fn vertex_position(&self, vertex: usize) -> DVec3 {
        self.nodes.origin + self.skin.positions[vertex].as_dvec3()
    }

    /// The linear map that turns a small rest vector at a node into the current one.
    pub(crate) fn node_map(&self, node: usize) -> Mat3 {
        self.model.node_map(&self.rest.nodes, node)
    }

    /// The nodes that a selection means.
    pub fn select(&self, selection: &Selection) -> Vec<u32> {
        self.rest.select(selection)
    }

    /// The volume that the skin encloses now, as part of that at rest.
    pub fn volume_ratio(&self) -> f64 {
        let now = TriMesh::new(self.skin.positions.clone(), self.rest.mesh.triangles.clone());
        now.signed_volume() / self.rest.volume
    }

    /// Puts the body, undeformed and at rest, with its centre of mass at a place.
    ///
    /// # Errors
    /// If the place is not finite or the rotation is not one.
    pub fn place(&mut self, center: impl Into<DVec3>, rotation: Quat) -> Result<(), BodyError> {
        let center = center.into();
        if !center.is_finite() {
            return Err(BodyError::Placement { what: "position", why: "it must be finite" });
        }
        if !rotation.is_normalized() {
            return Err(BodyError::Placement { what: "rotation", why: "it must be a unit quaternion" });
        }
        self.put(center, rotation);
        Ok(())
    }

    fn put(&mut self, center: DVec3, rotation: Quat) {
        let rest_positions = &self.rest.nodes.rest_positions;
        self.nodes.origin = center;
        let middle = self.rest.nodes.middle;
        self.nodes.positions = rest_positions.iter().map(|x| rotation * (*x - middle)).collect();
        self.nodes.velocities = vec![Vec3::ZERO; rest_positions.len()];
        self.supports.clear();
        self.model.reset(rotation);
        self.refresh();
    }

    /// This body with some of its nodes, as they move now, and another rest shape and model.
    pub(crate) fn taken_over_by(&self, nodes: &[u32], rest: BodyRest, model: Model) -> Self {
        let pick = |of: &[Vec3]| nodes.iter().map(|&node| of[node as usize]).collect();
        let state = NodeState {
            origin: self.nodes.origin,
            positions: pick(&self.nodes.positions),
            velocities: pick(&self.nodes.velocities),
        };
        let mut body =
            Self { nodes: state, model, rest: Arc::new(rest), version: self.version + 1, ..self.clone() };
        body.changes.clear();
        body.supports.clear();
        body.wake();
        body.border();
        body.refresh();
        body
    }

    pub(crate) fn state(&self) -> BodyState {
        BodyState {
            name: self.name.clone(),
            material: self.material,
            nodes: self.nodes.clone(),
            model: self.model.clone(),
            adaptivity: self.adaptivity.clone(),
            contacts: self.contacts,
            gravity_scale: self.gravity_scale,
            max_model_steps: self.max_model_steps,
            enabled: self.enabled,
            kinematic: self.kinematic,
            targets: self.targets.clone(),
            user_data: self.user_data,
            interpolate: self.interpolate,
            sleep: self.sleep.clone(),
            supports: self.supports.clone(),
            version: self.version,
            whole: self.whole,
        }
    }

    pub(crate) fn from_state(rest: Arc<BodyRest>, state: BodyState) -> Self {
        let mut body = Self {
            name: state.name,
            material: state.material,
            nodes: state.nodes,
            model: state.model,
            adaptivity: state.adaptivity,
            rest,
            skin: Skin::default(),
            contacts: state.contacts,
            gravity_scale: state.gravity_scale,
            max_model_steps: state.max_model_steps,
            enabled: state.enabled,
            kinematic: state.kinematic,
            targets: state.targets,
            user_data: state.user_data,
            interpolate: state.interpolate,
            skin_before: SkinPose::default(),
            sleep: state.sleep,
            supports: state.supports,
            version: state.version,
            whole: state.whole,
            changes: Vec::new(),
        };
        if body.nodes.positions.len() == body.rest.nodes.masses.len() {
            body.refresh_maps();
            body.border();
            body.update_skin();
        }
        body
    }

    /// Makes skin and goals from the nodes, after the nodes were set from outside.
    pub fn refresh(&mut self) {
        self.skin_before.clear();
        self.model.refresh(&self.rest.nodes, &self.nodes, &self.material);
        self.update_skin();
    }

    /// Makes the local maps of the nodes from where they are.
    pub(crate) fn refresh_maps(&mut self) {
        self.model.update_maps(&self.rest.nodes, &self.nodes, &self.material);
    }

    /// Makes the local maps of the nodes, which at the end of a step are still those of its beginning.
    pub(crate) fn update_maps(&mut self) {
        if self.rest.binding.uses_maps() {
            self.refresh_maps();
        }
    }

    /// Makes the local maps of the nodes if [`update_maps`](Self::update_maps) does not.
    pub(crate) fn make_maps_unless_made(&mut self) {
        if !self.rest.binding.uses_maps() {
            self.refresh_maps();
        }
    }

    /// Moves the skin to where the nodes are.
    pub(crate) fn update_skin(&mut self) {
        let Self { rest, nodes, model, skin, .. } = self;
        skin.update(&rest.undeformed(), nodes, |node| model.node_map(&rest.nodes, node));
    }

    /// Lets the model move the nodes for a part `h` of a step of `whole` seconds.
    pub(crate) fn deform(&mut self, acting: &Acting, whole: f32, h: f32, output: &mut StepOutput) {
        let (steps, material) = self.model_steps(whole, h);
        let Acting { held, loads, gravity } = *acting;
        let gravity = gravity * self.gravity_scale;
        let Self { rest, model, nodes, supports, .. } = self;
        let rest = &rest.nodes;
        let input = StepInput { rest, material: &material, held, supports, loads, gravity, h, steps };
        model.step(nodes, &input, output);
    }

    /// Puts held nodes where they are held.
    pub(crate) fn hold(&mut self, held: &mut HeldNodes) {
        held.apply(&mut self.nodes, &self.rest.nodes.masses);
    }

    /// The potential in J of the forces that hold it together, for steps of `h` seconds that are parts of one of `whole` seconds.
    pub fn elastic_energy(&self, whole: f32, h: f32) -> f64 {
        let (steps, material) = self.model_steps(whole, h);
        self.model.energy(&self.rest.nodes, &self.nodes, &material, h / steps as f32)
    }

    /// The levels that its model works on, the finest first, and what each holds of the body as it is now; none for models without
    /// any. Steps are those of [`elastic_energy`](Self::elastic_energy).
    pub fn levels(&self, whole: f32, h: f32) -> Vec<Level> {
        let (steps, material) = self.model_steps(whole, h);
        self.model.levels(&self.nodes, &material, h / steps as f32)
    }

    /// How many steps its model needs of one of `h` seconds to be as stiff as its material.
    pub(crate) fn steps_needed(&self, h: f32) -> u32 {
        if self.model.is_implicit() {
            return 1;
        }
        self.material.steps_needed(h, self.model.extent(&self.material))
    }

    /// How many steps its model makes of a part `h` of a step of `whole` seconds, and its material for each of them.
    fn model_steps(&self, whole: f32, h: f32) -> (u32, Material) {
        if self.model.is_implicit() && self.material.elasticity.alpha().is_none() {
            return (1, self.material);
        }
        self.material.in_steps(whole, h, self.model.extent(&self.material), self.max_model_steps)
    }

    /// The forces in N by which its shape pulls each node, where the nodes are now, for steps as in
    /// [`elastic_energy`](Self::elastic_energy), whose gradient they are. What holds a node pulls as hard the other way.
    pub fn elastic_forces(&self, whole: f32, h: f32) -> Vec<Vec3> {
        let (steps, material) = self.model_steps(whole, h);
        let (rest, material, h) = (&self.rest.nodes, material.with_damping(0.0), h / steps as f32);
        let (mut model, mut nodes) = (self.model.clone(), self.nodes.clone());
        nodes.velocities.fill(Vec3::ZERO);
        let (held, loads, gravity) = (&HeldNodes::default(), &Loads::default(), Vec3::ZERO);
        // From rest, a step gives each node the velocity that the forces on it make.
        let supports = &[];
        let material = &material;
        let input = StepInput { rest, material, held, supports, loads, gravity, h, steps: 1 };
        model.step(&mut nodes, &input, &mut StepOutput::default());
        let force = |(v, m): (&Vec3, &f32)| *v * (*m / h);
        nodes.velocities.iter().zip(&rest.masses).map(force).collect()
    }
}
