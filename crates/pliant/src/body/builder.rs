//! From a mesh to a body.

use super::border::LazyBorder;
use super::{Body, BodyRest, BodyState, ContactSettings, SleepState};
use crate::geometry::{
    LazyTree, LengthUnit, Paint, PointGrid, TetMesh, TriMesh, WELD_TOLERANCE, weld_as_needed,
};
use crate::material::Material;
use crate::model::{Adaptivity, BodyError, ModelSettings, OneModel, Sampled, Source};
use crate::nodes::NodeState;
use crate::sampling::criteria::Rule;
use crate::sampling::painted::Brush;
use crate::skin::{NormalGroups, RestSkin};
use glam::{DVec3, Quat, Vec3};
use std::sync::Arc;

/// Makes a body from a mesh, step by step; see [`Body::builder`].
#[derive(Clone, Debug)]
pub struct BodyBuilder {
    mesh: TriMesh,
    name: String,
    material: Material,
    model: ModelSettings,
    rules: Vec<Rule>,
    widths: Option<Brush>,
    scale: Option<f32>,
    units: Option<LengthUnit>,
    fit: Option<f32>,
    position: DVec3,
    rotation: Quat,
    velocity: Vec3,
    spin: Vec3,
    cut_paint: Paint,
    stiffness: Option<Brush>,
    toughness: Option<Brush>,
    tetrahedra: Option<TetMesh>,
    contacts: ContactSettings,
    gravity_scale: f32,
    max_model_steps: u32,
    kinematic: bool,
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

    /// Which model moves it, with all of its settings.
    pub fn model(self, model: impl Into<ModelSettings>) -> Self {
        Self { model: model.into(), ..self }
    }

    /// Changes some settings of its model. If it had another model, it gets this one, with default settings otherwise.
    pub fn model_with<S: OneModel + Into<ModelSettings>>(mut self, change: impl FnOnce(&mut S)) -> Self {
        if S::of(&mut self.model).is_none() {
            self.model = S::default().into();
        }
        if let Some(settings) = S::of(&mut self.model) {
            change(settings);
        }
        self
    }

    /// Adds rules for where it is fine, for models that adapt.
    pub fn refine(mut self, rules: impl IntoIterator<Item = Rule>) -> Self {
        self.rules.extend(rules);
        self
    }

    /// Paints the width of the model's regions, in meters, as a function of the mesh's coordinates: soft here, stiff there.
    pub fn widths(self, width: impl Fn(Vec3) -> f32 + Send + Sync + 'static) -> Self {
        self.widths_over(move |place, _| width(place))
    }

    /// As [`widths`](Self::widths), with a function that is also given the width that the settings of the model have.
    pub fn widths_over(self, width: impl Fn(Vec3, f32) -> f32 + Send + Sync + 'static) -> Self {
        Self { widths: Some(Brush(Arc::new(width))), ..self }
    }

    /// Paints the width of the model's regions with one value in meters a vertex of the mesh; a place has that of the vertex
    /// nearest to it. Values that are missing are 0, which is as soft as can be.
    pub fn widths_at_vertices(self, widths: Vec<f32>) -> Self {
        let points = PointGrid::fitting(&self.mesh.positions);
        self.widths(move |place| {
            let mut found = Vec::new();
            points.k_nearest(place, 1, &mut found);
            found.first().and_then(|&(vertex, _)| widths.get(vertex as usize)).copied().unwrap_or(0.0)
        })
    }

    /// How faces look that are cut into it.
    pub fn cut_paint(self, cut_paint: Paint) -> Self {
        Self { cut_paint, ..self }
    }

    /// How many times as stiff as its material it is at every place, in the mesh's coordinates, for models that can have it
    /// ([`Feature::PaintedStiffness`](crate::model::Feature::PaintedStiffness)): from 0.001 to 1000, and what is beyond counts as that.
    pub fn stiffness(self, times: impl Fn(Vec3) -> f32 + Send + Sync + 'static) -> Self {
        Self { stiffness: Some(Brush::of_places(times)), ..self }
    }

    /// How tough it is at every place, in the mesh's coordinates: how far its connections can be stretched before they tear, as
    /// part of their length, in place of [`Material::tear`].
    pub fn toughness(self, most: impl Fn(Vec3) -> f32 + Send + Sync + 'static) -> Self {
        Self { toughness: Some(Brush::of_places(most)), ..self }
    }

    /// The tetrahedra that it is made of, in the mesh's coordinates, for models that can have them
    /// ([`Feature::Tetrahedra`](crate::model::Feature::Tetrahedra)): all must have volume, and the mesh is their surface, or near it. A plane cuts
    /// such a body, and both sides are filled with cells then; what is to be cut freely, or torn, is filled with cells from the start.
    ///
    /// # Examples
    /// ```
    /// use pliant::geometry::TetMesh;
    /// use pliant::glam::Vec3;
    /// use pliant::{Body, ElementSettings};
    ///
    /// let corners = vec![Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z];
    /// let tetrahedra = TetMesh::new(corners, vec![[0, 1, 2, 3]]);
    /// let (surface, _) = tetrahedra.boundary();
    /// let body = Body::builder(surface).model(ElementSettings::default()).tetrahedra(tetrahedra).build()?;
    /// assert_eq!(body.nodes.positions.len(), 4);
    /// # Ok::<(), pliant::BodyError>(())
    /// ```
    pub fn tetrahedra(self, tetrahedra: TetMesh) -> Self {
        Self { tetrahedra: Some(tetrahedra), ..self }
    }

    /// Whether it touches other bodies and itself; other bodies unless told otherwise.
    pub fn contacts(self, contacts: ContactSettings) -> Self {
        Self { contacts, ..self }
    }

    /// What the world's gravity is multiplied by for it; 1 by default.
    pub fn gravity_scale(self, gravity_scale: f32) -> Self {
        Self { gravity_scale, ..self }
    }

    /// The most steps that its model may make of a substep for the sake of its stiffness; 2 by default, at least 1. See
    /// [`Body::max_model_steps`].
    pub fn max_model_steps(self, max_model_steps: u32) -> Self {
        Self { max_model_steps, ..self }
    }

    /// Moved by [`World::drive`](crate::World::drive) only.
    pub fn kinematic(self) -> Self {
        Self { kinematic: true, ..self }
    }

    /// How much larger than the mesh it is.
    pub fn scale(self, scale: f32) -> Self {
        Self { scale: Some(scale), ..self }
    }

    /// What the mesh's coordinates count; meters unless told otherwise.
    pub fn units(self, units: LengthUnit) -> Self {
        Self { units: Some(units), ..self }
    }

    /// Scales the mesh so that its largest extent is this many meters, whatever its coordinates count. Not together with
    /// [`scale`](Self::scale) or [`units`](Self::units), which say another size.
    pub fn fit(self, extent: f32) -> Self {
        Self { fit: Some(extent), ..self }
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
        if self.max_model_steps == 0 {
            return Err(BodyError::Placement { what: "max_model_steps", why: "it must be 1 or more" });
        }
        if !self.gravity_scale.is_finite() {
            return Err(BodyError::Placement { what: "gravity_scale", why: "it must be finite" });
        }
        let scale = self.scale_in_all()?;
        let mesh_origin = self.mesh.origin * f64::from(scale);
        let mut mesh = self.mesh.clone();
        mesh.origin = DVec3::ZERO;
        mesh.positions.iter_mut().for_each(|p| *p *= scale);
        mesh.validate()?;
        let welded = weld_as_needed(&mesh, WELD_TOLERANCE);
        let tetrahedra = self.scaled_tetrahedra(scale)?;
        let sampled = self.model.build(&Source {
            mesh: &mesh,
            welded: &welded,
            scale,
            material: &self.material,
            rules: &self.rules,
            widths: self.widths.as_ref(),
            stiffness: self.stiffness.as_ref(),
            toughness: self.toughness.as_ref(),
            tetrahedra: tetrahedra.as_ref(),
        })?;
        let Sampled { nodes, center, binding, model } = sampled;
        mesh.positions.iter_mut().for_each(|p| *p -= center);
        let toughness = self.toughness.as_ref().zip(model.grid());
        let toughness = toughness.map(|(brush, grid)| Arc::new(brush.on(grid, scale, 0.0)));
        let normal_groups = NormalGroups::new(&mesh, &welded.vertex_of);
        let rest = BodyRest {
            skin: Arc::new(RestSkin::new(&mesh.positions, &binding, &normal_groups)),
            normal_groups: Arc::new(normal_groups),
            binding,
            volume: mesh.signed_volume(),
            mesh: Arc::new(mesh),
            nodes,
            center,
            scale,
            cut: None,
            cut_paint: self.cut_paint,
            toughness,
            border: LazyBorder::default(),
            tree: LazyTree::default(),
        };
        let nodes =
            NodeState { velocities: vec![Vec3::ZERO; rest.nodes.masses.len()], ..NodeState::default() };
        let adaptivity = Adaptivity::new(self.rules);
        let state = BodyState {
            name: self.name,
            material: self.material,
            nodes,
            model,
            adaptivity,
            contacts: self.contacts,
            gravity_scale: self.gravity_scale,
            max_model_steps: self.max_model_steps,
            kinematic: self.kinematic,
            targets: Vec::new(),
            enabled: true,
            user_data: 0,
            interpolate: false,
            sleep: SleepState::default(),
            supports: Vec::new(),
            version: 0,
            whole: None,
        };
        let mut body = Body::from_state(Arc::new(rest), state);
        let center = self.rotation.as_dquat() * (mesh_origin + center.as_dvec3());
        body.place(self.position + center, self.rotation)?;
        body.set_motion(self.velocity, self.spin)?;
        Ok(body)
    }

    /// The tetrahedra at the body's scale, if they are given.
    fn scaled_tetrahedra(&self, scale: f32) -> Result<Option<TetMesh>, BodyError> {
        let Some(mut tetrahedra) = self.tetrahedra.clone() else { return Ok(None) };
        tetrahedra.positions.iter_mut().for_each(|p| *p *= scale);
        tetrahedra.validate()?;
        Ok(Some(tetrahedra))
    }

    /// What the mesh's coordinates are multiplied by.
    fn scale_in_all(&self) -> Result<f32, BodyError> {
        let refused = |what, why| Err(BodyError::Placement { what, why });
        let length = |value: f32| value > 0.0 && value.is_finite();
        let Some(fit) = self.fit else {
            let scale = self.scale.unwrap_or(1.0);
            let meters = self.units.unwrap_or_default().meters();
            return if length(scale) { Ok(scale * meters) } else { refused("scale", "it must be above 0") };
        };
        if !length(fit) {
            return refused("fit", "it is the largest extent in meters, and must be above 0");
        }
        if self.scale.is_some() || self.units.is_some() {
            return refused("fit", "it says how large the body is, so leave out scale and units");
        }
        let (low, high) = self.mesh.bounds().unwrap_or_default();
        match fit / (high - low).max_element() {
            scale if length(scale) => Ok(scale),
            _ => refused(
                "fit",
                "a mesh whose vertices are all in one place, or too far apart, cannot be scaled",
            ),
        }
    }
}

impl Body {
    /// Starts making a body from a mesh.
    pub fn builder(mesh: TriMesh) -> BodyBuilder {
        BodyBuilder {
            name: mesh.name.clone(),
            mesh,
            material: Material::default(),
            model: ModelSettings::default(),
            rules: Vec::new(),
            widths: None,
            scale: None,
            units: None,
            fit: None,
            position: DVec3::ZERO,
            rotation: Quat::IDENTITY,
            velocity: Vec3::ZERO,
            spin: Vec3::ZERO,
            cut_paint: flesh(),
            stiffness: None,
            toughness: None,
            tetrahedra: None,
            contacts: ContactSettings::default(),
            gravity_scale: 1.0,
            max_model_steps: 2,
            kinematic: false,
        }
    }
}

/// How cut faces look unless a body says otherwise.
pub fn flesh() -> Paint {
    Paint { name: "cut".into(), base_color: [0.72, 0.2, 0.16, 1.0], roughness: 0.6, ..Paint::default() }
}
