//! One deformable object.

use crate::geometry::{MeshError, TriMesh, WELD_TOLERANCE, weld_as_needed};
use crate::material::{Material, MaterialError};
use crate::model::clusters::{self, Clustering, ClusteringError, Clusters};
use crate::model::{Model, ModelRest};
use crate::nodes::{NodeRest, NodeState};
use crate::sampling::particles::{self, ParticleSettings, SamplingError};
use crate::selection::Selection;
use crate::skin::{Binding, NormalGroups, Skin};
use crate::tool::Loads;
use glam::{DVec3, Quat, Vec3};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// What never changes about a body; bodies of the same shape share it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct BodyRest {
    /// The mesh as people draw it, relative to the centre of mass and at the body's scale.
    pub mesh: TriMesh,
    /// The simulated points.
    pub nodes: NodeRest,
    /// Which nodes carry each vertex of the mesh.
    pub binding: Binding,
    /// Which vertices share a normal.
    pub normal_groups: NormalGroups,
    /// What the model knows of the undeformed shape.
    pub model: ModelRest,
    /// Volume in m³ that the mesh encloses at rest (negative if inside out).
    pub volume: f64,
    /// Where the centre of mass is in the scaled mesh's coordinates.
    pub center: Vec3,
    /// What the mesh was scaled by.
    pub scale: f32,
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
    rest: Arc<BodyRest>,
    skin: Skin,
    loads: Loads,
    /// Velocities at the start of the step: what a node arrives at a collider with, before anything pulls it there.
    pub(crate) arrivals: Vec<Vec3>,
    pub(crate) tally: Tally,
}

/// What one step counted in this body.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Tally {
    pub contacts: usize,
    pub contained: usize,
    /// Change of linear momentum by forces inside the body, which should be none.
    pub momentum_slip: DVec3,
}

/// The part of a body that changes: what a snapshot keeps.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct BodyState {
    pub name: String,
    pub material: Material,
    pub nodes: NodeState,
    pub model: Model,
}

/// Why a body cannot be made.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum BodyError {
    /// The mesh is not a mesh.
    #[error(transparent)]
    Mesh(#[from] MeshError),
    /// The mesh cannot be filled with particles.
    #[error(transparent)]
    Sampling(#[from] SamplingError),
    /// The body cannot be divided into clusters as asked.
    #[error(transparent)]
    Clustering(#[from] ClusteringError),
    /// The material makes no sense.
    #[error(transparent)]
    Material(#[from] MaterialError),
    /// Position, rotation, scale or velocity makes no sense.
    #[error("the body's {what} is not valid: {why}")]
    Placement {
        /// Which.
        what: &'static str,
        /// What it must be.
        why: &'static str,
    },
}

/// Makes a body from a mesh, step by step; see [`Body::builder`].
#[derive(Clone, Debug)]
pub struct BodyBuilder {
    mesh: TriMesh,
    name: String,
    material: Material,
    particles: ParticleSettings,
    clustering: Clustering,
    settings: clusters::Settings,
    scale: f32,
    position: DVec3,
    rotation: Quat,
    velocity: Vec3,
    spin: Vec3,
}

impl BodyBuilder {
    /// What the body is called.
    pub fn name(self, name: impl Into<String>) -> Self {
        Self { name: name.into(), ..self }
    }

    /// What it is made of.
    pub fn material(self, material: Material) -> Self {
        Self { material, ..self }
    }

    /// How particles are placed.
    pub fn particles(self, particles: ParticleSettings) -> Self {
        Self { particles, ..self }
    }

    /// How it is divided into clusters.
    pub fn clustering(self, clustering: Clustering) -> Self {
        Self { clustering, ..self }
    }

    /// How goals are made.
    pub fn settings(self, settings: clusters::Settings) -> Self {
        Self { settings, ..self }
    }

    /// How much larger than the mesh it is.
    pub fn scale(self, scale: f32) -> Self {
        Self { scale, ..self }
    }

    /// Where the zero of the mesh's coordinates is put.
    pub fn at(self, position: impl Into<DVec3>) -> Self {
        Self { position: position.into(), ..self }
    }

    /// How it is turned, about the zero of the mesh's coordinates.
    pub fn turned(self, rotation: Quat) -> Self {
        Self { rotation, ..self }
    }

    /// How fast it flies at first, in m/s.
    pub fn velocity(self, velocity: impl Into<Vec3>) -> Self {
        Self { velocity: velocity.into(), ..self }
    }

    /// How fast it spins about its centre of mass at first, in rad/s.
    pub fn spin(self, spin: impl Into<Vec3>) -> Self {
        Self { spin: spin.into(), ..self }
    }

    /// Makes the body.
    ///
    /// # Errors
    /// If the mesh, the material or a setting makes no sense; the message says which and what to do.
    pub fn build(self) -> Result<Body, BodyError> {
        self.mesh.validate()?;
        self.material.validate()?;
        self.settings.validate()?;
        if !(self.scale > 0.0 && self.scale.is_finite()) {
            return Err(BodyError::Placement { what: "scale", why: "it must be above 0" });
        }
        let mesh_origin = self.mesh.origin * f64::from(self.scale);
        let mut mesh = self.mesh;
        mesh.origin = DVec3::ZERO;
        mesh.positions.iter_mut().for_each(|p| *p *= self.scale);
        mesh.validate()?;
        let welded = weld_as_needed(&mesh, WELD_TOLERANCE);
        let particles = particles::fill(&welded, self.material.density, &self.particles)?;
        let (nodes, center) = centred(particles);
        mesh.positions.iter_mut().for_each(|p| *p -= center);
        let mut rest = BodyRest {
            binding: Binding::new(&mesh.positions, &nodes.rest_positions),
            normal_groups: NormalGroups::new(&mesh, &welded.vertex_of),
            volume: mesh.signed_volume(),
            model: ModelRest::default(),
            mesh,
            nodes,
            center,
            scale: self.scale,
        };
        let memberships = self.clustering.divide(&rest.nodes.rest_positions, |s| rest.select(s))?;
        let quadratic = self.settings.matching == clusters::Matching::Quadratic;
        let of_clusters = Arc::new(clusters::Rest::new(&rest.nodes, &memberships, quadratic));
        rest.model = ModelRest::Clusters(of_clusters.clone());
        let model = Model::Clusters(Clusters::new(of_clusters, self.settings));
        let nodes =
            NodeState { velocities: vec![Vec3::ZERO; rest.nodes.masses.len()], ..NodeState::default() };
        let state = BodyState { name: self.name, material: self.material, nodes, model };
        let mut body = Body::from_state(Arc::new(rest), state);
        let center = self.rotation.as_dquat() * (mesh_origin + center.as_dvec3());
        body.place(self.position + center, self.rotation)?;
        body.set_motion(self.velocity, self.spin)?;
        Ok(body)
    }
}

/// The particles relative to their centre of mass, and where that was.
fn centred(particles: particles::Particles) -> (NodeRest, Vec3) {
    let particles::Particles { mut positions, masses } = particles;
    let total_mass: f64 = masses.iter().map(|&m| f64::from(m)).sum();
    let moment: DVec3 = positions.iter().zip(&masses).map(|(x, &m)| f64::from(m) * x.as_dvec3()).sum();
    let center = (moment / total_mass).as_vec3();
    positions.iter_mut().for_each(|x| *x -= center);
    let radius = positions.iter().map(|x| x.length()).fold(0.0, f32::max);
    (NodeRest { rest_positions: positions, masses, total_mass, radius }, center)
}

impl BodyRest {
    fn select(&self, selection: &Selection) -> Vec<u32> {
        let to_mesh = |x: &Vec3| (*x + self.center) / self.scale;
        let positions: Vec<Vec3> = self.nodes.rest_positions.iter().map(to_mesh).collect();
        let mesh = TriMesh::new(self.mesh.positions.iter().map(to_mesh).collect(), Vec::new());
        selection.find(&mesh, &positions)
    }
}

impl Body {
    /// Starts making a body from a mesh.
    pub fn builder(mesh: TriMesh) -> BodyBuilder {
        BodyBuilder {
            name: mesh.name.clone(),
            mesh,
            material: Material::default(),
            particles: ParticleSettings::default(),
            clustering: Clustering::One,
            settings: clusters::Settings::default(),
            scale: 1.0,
            position: DVec3::ZERO,
            rotation: Quat::IDENTITY,
            velocity: Vec3::ZERO,
            spin: Vec3::ZERO,
        }
    }

    /// The undeformed shape.
    pub fn rest(&self) -> &Arc<BodyRest> {
        &self.rest
    }

    /// The surface as it is now, relative to the body's origin `nodes.origin`.
    pub fn skin(&self) -> &Skin {
        &self.skin
    }

    /// Where a vertex of the skin is in the world.
    pub fn vertex_position(&self, vertex: usize) -> DVec3 {
        self.nodes.origin + self.skin.positions[vertex].as_dvec3()
    }

    /// Where the centre of mass is in the world.
    pub fn center_of_mass(&self) -> DVec3 {
        self.nodes.origin + self.rest.nodes.mean_motion(&self.nodes).0
    }

    /// The velocity of the centre of mass.
    pub fn velocity(&self) -> DVec3 {
        self.rest.nodes.mean_motion(&self.nodes).1
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
        self.nodes.positions = rest_positions.iter().map(|x| rotation * *x).collect();
        self.nodes.velocities = vec![Vec3::ZERO; rest_positions.len()];
        self.model.reset(rotation);
        self.refresh();
    }

    /// Gives all nodes the motion of a rigid body: `velocity` in m/s, `spin` in rad/s.
    ///
    /// # Errors
    /// If either is not finite.
    pub fn set_motion(&mut self, velocity: Vec3, spin: Vec3) -> Result<(), BodyError> {
        if !(velocity.is_finite() && spin.is_finite()) {
            return Err(BodyError::Placement { what: "velocity", why: "it must be finite" });
        }
        let center = self.rest.nodes.mean_motion(&self.nodes).0.as_vec3();
        for (v, x) in self.nodes.velocities.iter_mut().zip(&self.nodes.positions) {
            *v = velocity + spin.cross(*x - center);
        }
        Ok(())
    }

    /// Adds an impulse in kg m/s to one node.
    pub fn apply_impulse(&mut self, node: crate::NodeId, impulse: Vec3) {
        if let Some(v) = self.nodes.velocities.get_mut(node.index()) {
            *v += impulse / self.rest.nodes.masses[node.index()];
        }
    }

    pub(crate) fn state(&self) -> BodyState {
        BodyState {
            name: self.name.clone(),
            material: self.material,
            nodes: self.nodes.clone(),
            model: self.model.clone(),
        }
    }

    pub(crate) fn from_state(rest: Arc<BodyRest>, state: BodyState) -> Self {
        let BodyState { name, material, nodes, mut model } = state;
        model.attach(&rest.model);
        let mut body = Self {
            name,
            material,
            nodes,
            model,
            rest,
            skin: Skin::default(),
            loads: Loads::default(),
            arrivals: Vec::new(),
            tally: Tally::default(),
        };
        if body.nodes.positions.len() == body.rest.nodes.masses.len() {
            body.refresh();
        }
        body
    }

    /// Makes skin and goals from the nodes, after the nodes were set from outside.
    pub fn refresh(&mut self) {
        self.model.refresh(&self.rest.nodes, &self.nodes, &self.material);
        self.update_skin();
    }

    /// Makes the skin from the nodes at the end of a step, whose maps are still those of its beginning.
    pub(crate) fn follow_with_skin(&mut self) {
        if self.rest.binding.uses_maps() {
            self.model.refresh(&self.rest.nodes, &self.nodes, &self.material);
        }
        self.update_skin();
    }

    fn update_skin(&mut self) {
        let Self { rest, nodes, model, skin, .. } = self;
        skin.update(&rest.binding, &rest.normal_groups, nodes, |node| model.node_map(&rest.nodes, node));
    }

    /// Collects the loads of tools and applies them, with gravity, to the velocities.
    pub(crate) fn load(&mut self, gravity: Vec3, h: f32, tools: impl Fn(&Self, &mut Loads)) {
        // What was written into the nodes since the last step must not reach their neighbours through a fit.
        self.tally.contained = self.contain();
        self.arrivals.clone_from(&self.nodes.velocities);
        let mut loads = std::mem::take(&mut self.loads);
        loads.clear(self.nodes.positions.len());
        tools(self, &mut loads);
        loads.apply(&mut self.nodes.velocities, &self.rest.nodes.masses, gravity, h);
        self.loads = loads;
    }

    pub(crate) fn deform(&mut self, h: f32) {
        let before = self.rest.nodes.momentum(&self.nodes);
        self.model.step(&self.rest.nodes, &mut self.nodes, &self.material, h);
        self.tally.momentum_slip = self.rest.nodes.momentum(&self.nodes) - before;
    }

    /// Gives nodes that are not finite, or farther out than anything can be, a place and a motion that are.
    ///
    /// A bad node goes back to where its body's goals want it, which is what the good nodes agree on. A body without any good
    /// node starts again from its rest shape. Returns how many nodes were bad.
    pub(crate) fn contain(&mut self) -> usize {
        let NodeState { origin, positions, velocities } = &mut self.nodes;
        let rest = &self.rest.nodes;
        let far = FAR * rest.radius.max(1.0);
        let good = |x: &Vec3, v: &Vec3| {
            x.is_finite() && v.is_finite() && x.abs().max_element() < far && v.abs().max_element() < FASTEST
        };
        let bad = positions.iter().zip(velocities.iter()).filter(|(x, v)| !good(x, v)).count();
        if bad == 0 && origin.is_finite() {
            return 0;
        }
        let (mut center, mut velocity, mut mass) = (Vec3::ZERO, Vec3::ZERO, 0.0);
        for ((x, v), m) in
            positions.iter().zip(velocities.iter()).zip(&rest.masses).filter(|((x, v), _)| good(x, v))
        {
            center += *m * *x;
            velocity += *m * *v;
            mass += m;
        }
        if mass <= 0.0 || !origin.is_finite() {
            let center = if origin.is_finite() { *origin } else { DVec3::ZERO };
            self.put(center, Quat::IDENTITY);
            return bad.max(1);
        }
        let rotation = self.model.rotation();
        for ((x, v), x0) in positions.iter_mut().zip(velocities.iter_mut()).zip(&rest.rest_positions) {
            if !good(x, v) {
                *x = center / mass + rotation * *x0;
                *v = velocity / mass;
            }
        }
        bad
    }
}

/// How many times its own size (or metres, for small bodies) a body may reach from its origin before it counts as exploded.
const FAR: f32 = 1e7;
/// m/s, beyond which squares leave `f32`. A body as stiff as can be, squashed and stepped by 1 µs, comes back at 1e6.
const FASTEST: f32 = 1e15;
