//! From a mesh to a body.

use super::{Body, BodyRest, BodyState, ContactSettings, ModelSettings};
use crate::adapt::{Adaptivity, Criterion, Rule};
use crate::contact::Rest;
use crate::contact::border::LazyBorder;
use crate::cut;
use crate::geometry::{MeshError, Paint, PointGrid, TriMesh, WELD_TOLERANCE, Welded, weld_as_needed};
use crate::material::{Material, MaterialError};
use crate::model::clusters::{self, Clustering, ClusteringError, Clusters};
use crate::model::lattice::{self, Lattice, LatticeSettings};
use crate::model::octree::{self, Octree, OctreeSettings};
use crate::model::{Model, ModelRest};
use crate::nodes::{NodeRest, NodeState};
use crate::sampling::CellKey;
use crate::sampling::filling::FillingError;
use crate::sampling::grid::Grid;
use crate::sampling::lattice::LatticeSampling;
use crate::sampling::painted::Painted;
use crate::sampling::particles::{self, ParticleSettings, SamplingError};
use crate::skin::{Binding, NormalGroups, RestSkin};
use glam::{DVec3, Quat, Vec3};
use std::sync::Arc;

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
    /// The mesh cannot be filled with cells.
    #[error(transparent)]
    Filling(#[from] FillingError),
    /// A setting of the model is out of range.
    #[error("{name} is {value}; it must be {range}")]
    Setting {
        /// The field.
        name: &'static str,
        /// What it was.
        value: f32,
        /// What it may be.
        range: &'static str,
    },
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
    kind: Kind,
    rules: Vec<Rule>,
    widths: Option<Brush>,
    scale: f32,
    position: DVec3,
    rotation: Quat,
    velocity: Vec3,
    spin: Vec3,
    cut_paint: Paint,
    toughness: Option<Brush>,
    contacts: ContactSettings,
}

/// Which model a body gets.
#[derive(Clone, Copy, Debug)]
enum Kind {
    Clusters,
    Lattice(LatticeSettings),
    Octree(OctreeSettings),
}

/// A number painted by a function of the mesh's coordinates.
#[derive(Clone)]
struct Brush(Arc<dyn Fn(Vec3) -> f32 + Send + Sync>);

impl std::fmt::Debug for Brush {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Brush")
    }
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

    /// Makes it a regular lattice of nodes.
    pub fn lattice(self, settings: LatticeSettings) -> Self {
        Self { kind: Kind::Lattice(settings), ..self }
    }

    /// Makes it an octree of nodes, finer where [`refine`](Self::refine) says.
    pub fn octree(self, settings: OctreeSettings) -> Self {
        Self { kind: Kind::Octree(settings), ..self }
    }

    /// Adds rules for where an octree is fine.
    pub fn refine(mut self, rules: impl IntoIterator<Item = Rule>) -> Self {
        self.rules.extend(rules);
        self
    }

    /// Paints the width of an octree's regions, in metres, as a function of the mesh's coordinates: soft here, stiff there.
    pub fn widths(self, width: impl Fn(Vec3) -> f32 + Send + Sync + 'static) -> Self {
        Self { widths: Some(Brush(Arc::new(width))), ..self }
    }

    /// Paints the width of an octree's regions with one value in metres a vertex of the mesh; a place has that of the vertex
    /// nearest to it. Values that are missing are 0, which is as soft as can be.
    pub fn widths_at_vertices(self, widths: Vec<f32>) -> Self {
        let points = PointGrid::fitting(&self.mesh.positions);
        self.widths(move |place| {
            let mut found = Vec::new();
            points.k_nearest(place, 1, &mut found);
            found.first().and_then(|&(vertex, _)| widths.get(vertex as usize)).copied().unwrap_or(0.0)
        })
    }

    /// Which model, with all of its settings.
    pub fn model(self, model: ModelSettings) -> Self {
        match model {
            ModelSettings::Clusters { particles, clustering, settings } => {
                Self { particles, clustering, settings, kind: Kind::Clusters, ..self }
            }
            ModelSettings::Lattice(settings) => self.lattice(settings),
            ModelSettings::Octree { settings, refine } => self.octree(settings).refine(refine),
        }
    }

    /// How faces look that are cut into it.
    pub fn cut_paint(self, cut_paint: Paint) -> Self {
        Self { cut_paint, ..self }
    }

    /// How tough it is at every place, in the mesh's coordinates: how far its connections can be stretched before they tear, as
    /// part of their length, in place of [`Material::tear`].
    pub fn toughness(self, most: impl Fn(Vec3) -> f32 + Send + Sync + 'static) -> Self {
        Self { toughness: Some(Brush(Arc::new(most))), ..self }
    }

    /// Whether it touches other bodies and itself; other bodies unless told otherwise.
    pub fn contacts(self, contacts: ContactSettings) -> Self {
        Self { contacts, ..self }
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
        let mut mesh = self.mesh.clone();
        mesh.origin = DVec3::ZERO;
        mesh.positions.iter_mut().for_each(|p| *p *= self.scale);
        mesh.validate()?;
        let welded = weld_as_needed(&mesh, WELD_TOLERANCE);
        let sampled = match self.kind {
            Kind::Clusters => self.sample_clusters(&mesh, &welded)?,
            Kind::Lattice(settings) => self.sample_lattice(&mesh, &welded, settings)?,
            Kind::Octree(settings) => self.sample_octree(&mesh, &welded, settings)?,
        };
        let Sampled { nodes, centre: center, binding, rest: model_rest, model } = sampled;
        mesh.positions.iter_mut().for_each(|p| *p -= center);
        let toughness = self.toughness.as_ref().zip(model_rest.grid()).map(|(brush, grid)| {
            Arc::new(Painted::new(grid, |place| (brush.0)(place / self.scale).max(0.0)))
        });
        let normal_groups = NormalGroups::new(&mesh, &welded.vertex_of);
        let rest = BodyRest {
            skin: Arc::new(RestSkin::new(&mesh.positions, &binding, &normal_groups)),
            normal_groups: Arc::new(normal_groups),
            binding,
            volume: mesh.signed_volume(),
            model: model_rest,
            mesh: Arc::new(mesh),
            nodes,
            center,
            scale: self.scale,
            cut: None,
            cut_paint: self.cut_paint,
            toughness,
            recipe: matches!(self.kind, Kind::Clusters).then_some((self.particles, self.clustering)),
            border: LazyBorder::default(),
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
            at_rest: Rest::default(),
            before: Default::default(),
            version: 0,
        };
        let mut body = Body::from_state(Arc::new(rest), state);
        let center = self.rotation.as_dquat() * (mesh_origin + center.as_dvec3());
        body.place(self.position + center, self.rotation)?;
        body.set_motion(self.velocity, self.spin)?;
        Ok(body)
    }
}

/// A body's nodes, and what carries its skin and moves it.
struct Sampled {
    nodes: NodeRest,
    centre: Vec3,
    binding: Binding,
    rest: ModelRest,
    model: Model,
}

impl BodyBuilder {
    fn sample_clusters(&self, mesh: &TriMesh, welded: &Welded) -> Result<Sampled, BodyError> {
        let particles = particles::fill(welded, self.material.density, &self.particles)?;
        let (nodes, centre) = centred(particles.positions, particles.masses);
        let to_mesh = |x: &Vec3| (*x + centre) / self.scale;
        let places: Vec<Vec3> = nodes.rest_positions.iter().map(to_mesh).collect();
        let plain = TriMesh::new(mesh.positions.iter().map(|p| *p / self.scale).collect(), Vec::new());
        let memberships = self.clustering.divide(&nodes.rest_positions, |s| s.find(&plain, &places))?;
        let quadratic = self.settings.matching == clusters::Matching::Quadratic;
        let rest = Arc::new(clusters::Rest::new(&nodes, &memberships, quadratic));
        let vertices: Vec<Vec3> = mesh.positions.iter().map(|p| *p - centre).collect();
        Ok(Sampled {
            binding: Binding::new(&vertices, &nodes.rest_positions),
            model: Model::Clusters(Clusters::new(rest.clone(), self.settings)),
            rest: ModelRest::Clusters(rest),
            nodes,
            centre,
        })
    }

    fn sample_lattice(
        &self,
        mesh: &TriMesh,
        welded: &Welded,
        settings: LatticeSettings,
    ) -> Result<Sampled, BodyError> {
        check_width(settings.width)?;
        let mut grid = Grid::new(welded, settings.cell, 1, self.material.density)?;
        let LatticeSampling { cells, links, samples, middles } = LatticeSampling::new(&grid);
        let masses = samples.iter().map(|s| (f64::from(s.count) * grid.sample_mass) as f32).collect();
        let (nodes, centre) = centred(middles, masses);
        grid.centre = centre;
        let width = (settings.width / settings.cell).round() as u32;
        let mut rest =
            lattice::Rest::new(settings.cell, width, cells, links, &nodes.masses, &nodes.rest_positions);
        rest.material = Some(Arc::new(lattice::rest::Material { grid: Arc::new(grid), samples }));
        let vertices: Vec<Vec3> = mesh.positions.iter().map(|p| *p - centre).collect();
        let carriers = lattice::skin::Carriers::new(&rest, &nodes.rest_positions);
        let binding = carriers.map(|carriers| Binding::to_cells(&vertices, &carriers)).unwrap_or_default();
        let rest = Arc::new(rest);
        Ok(Sampled {
            binding,
            model: Model::Lattice(Lattice::new(rest.clone())),
            rest: ModelRest::Lattice(rest),
            nodes,
            centre,
        })
    }

    fn sample_octree(
        &self,
        mesh: &TriMesh,
        welded: &Welded,
        settings: OctreeSettings,
    ) -> Result<Sampled, BodyError> {
        settings.validate()?;
        for rule in &self.rules {
            rule.validate().map_err(|(name, value, range)| BodyError::Setting { name, value, range })?;
        }
        let grid = Arc::new(Grid::new(welded, settings.cell, 1 << settings.levels, self.material.density)?);
        let rules: Vec<&dyn Criterion> = self.rules.iter().map(|rule| rule as &dyn Criterion).collect();
        let leaves = crate::sampling::first_leaves(&grid, settings.levels, self.scale, &rules);
        let widths = match &self.widths {
            Some(paint) => Painted::new(&grid, |place| (paint.0)(place / self.scale).max(0.0)),
            None => Painted::Uniform(settings.width),
        };
        check_regions(&leaves, &grid, &widths, settings)?;
        let rest = Arc::new(octree::Rest::new(settings, grid.clone(), Arc::new(widths), &leaves));
        let vertices: Vec<Vec3> = mesh.positions.iter().map(|p| *p - grid.centre).collect();
        Ok(Sampled {
            binding: Binding::to_cells(&vertices, &*rest),
            nodes: rest.node_rest(),
            model: Model::Octree(Octree::new(rest.clone())),
            rest: ModelRest::Octree(rest),
            centre: grid.centre,
        })
    }
}

fn check_width(width: f32) -> Result<(), BodyError> {
    if width > 0.0 && width.is_finite() {
        return Ok(());
    }
    Err(BodyError::Setting { name: "width", value: width, range: "above 0" })
}

/// Edges that all searches for regions together may go along: a minute or so.
const MOST_WORK: f64 = 3e10;

/// Refuses regions that hold so many nodes each that finding them would take for ever.
fn check_regions(
    leaves: &[CellKey],
    grid: &Grid,
    widths: &Painted,
    settings: OctreeSettings,
) -> Result<(), BodyError> {
    let widest = widths.largest();
    let reach = f64::from(2.0 * (1.0 + settings.slack) * widest / grid.filling.cell);
    let volume: f64 = leaves.iter().map(|leaf| f64::from(leaf.edge()).powi(3)).sum();
    let nodes = leaves.len() as f64;
    let members = nodes.min(nodes * reach.powi(3) / volume);
    if nodes * members * 26.0 <= MOST_WORK {
        return Ok(());
    }
    let range = "smaller for so many nodes: finding the regions would take minutes; make it coarser, or use the model lattice";
    Err(BodyError::Setting { name: "width", value: widest, range })
}

impl OctreeSettings {
    fn validate(&self) -> Result<(), BodyError> {
        check_width(self.width)?;
        if !(self.slack >= 0.0 && self.slack <= 4.0) {
            return Err(BodyError::Setting { name: "slack", value: self.slack, range: "in [0, 4]" });
        }
        if self.levels > 8 {
            return Err(BodyError::Setting { name: "levels", value: self.levels as f32, range: "at most 8" });
        }
        Ok(())
    }
}

/// Nodes relative to their centre of mass, and where that was.
fn centred(mut positions: Vec<Vec3>, masses: Vec<f32>) -> (NodeRest, Vec3) {
    let total_mass: f64 = masses.iter().map(|&m| f64::from(m)).sum();
    let moment: DVec3 = positions.iter().zip(&masses).map(|(x, &m)| f64::from(m) * x.as_dvec3()).sum();
    let center = (moment / total_mass).as_vec3();
    positions.iter_mut().for_each(|x| *x -= center);
    let radius = positions.iter().map(|x| x.length()).fold(0.0, f32::max);
    (NodeRest { rest_positions: positions, middle: Vec3::ZERO, masses, total_mass, radius }, center)
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
            kind: Kind::Clusters,
            rules: Vec::new(),
            widths: None,
            scale: 1.0,
            position: DVec3::ZERO,
            rotation: Quat::IDENTITY,
            velocity: Vec3::ZERO,
            spin: Vec3::ZERO,
            cut_paint: cut::flesh(),
            toughness: None,
            contacts: ContactSettings::default(),
        }
    }
}
