//! From a scene's description to its world.

use super::painting::share;
use super::{
    BodyEntry, Motion, MovingKnife, MovingTool, PickEntry, Rotation, Scene, SceneError, SceneFile, TimedCut,
    check, cutting,
};
use crate::{is_volume, read_mesh, read_volume};
use pliant::geometry::TetMesh;
use pliant::glam::{DVec3, Quat, Vec3};
use pliant::math::functions::sin;
use pliant::math::quat_from_axis_angle;
use pliant::sampling::clustering::ClusteringError;
use pliant::sampling::filling::FillingError;
use pliant::sampling::particles::SamplingError;
use pliant::tool::ToolError;
use pliant::{Body, BodyBuilder, BodyHandle, Push, ToolHandle, TriMesh, World};
use std::path::Path;

/// Gives the mesh of a figure by its name.
pub type Figures<'a> = &'a dyn Fn(&str) -> Option<TriMesh>;

/// Bodies that `copies` may make: more are a slip of the finger.
const MOST_COPIES: u64 = 100_000;
/// Nodes that the copies of one body may have together: a gigabyte or two.
const MOST_NODES: u64 = 10_000_000;

impl SceneFile {
    /// Reads a scene's text.
    ///
    /// # Errors
    /// With line and key if it is not a scene.
    pub fn parse(text: &str) -> Result<Self, SceneError> {
        let scene = toml::from_str(text).map_err(|error| SceneError::from_toml(&error, text))?;
        let written = toml::from_str(text).map_err(|error| SceneError::from_toml(&error, text))?;
        super::surplus::check(&written, &scene).map_err(|error| error.located(text))?;
        Ok(scene)
    }

    /// The scene as the text of a scene file, which [`SceneFile::parse`] reads back.
    ///
    /// # Errors
    /// If a number cannot be written; none of a scene that was read can fail.
    pub fn to_text(&self) -> Result<String, SceneError> {
        toml::to_string(self).map_err(|error| SceneError::new("", error))
    }

    /// Reads a scene file and builds its world; `settings` are `key=value` changes to it.
    ///
    /// # Errors
    /// With file, line and key.
    pub fn load(path: &Path, settings: &[String], figures: Figures) -> Result<Scene, SceneError> {
        let fail = |error: SceneError| SceneError { file: Some(path.to_owned()), ..error };
        let text = crate::read::read_text(path).map_err(|error| SceneError::new("", error))?;
        let mut scene = settings
            .iter()
            .try_fold(Self::parse(&text).map_err(fail)?, |scene, setting| super::set(&scene, setting))?;
        if scene.name.is_empty() {
            scene.name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        }
        scene.build(path.parent().unwrap_or(Path::new("")), figures).map_err(|error| {
            // What a setting changed is not what the file says.
            let from_setting = settings.iter().any(|setting| super::overrides::sets(setting, &error.key));
            if from_setting { error } else { fail(error.located(&text)) }
        })
    }

    /// Builds the world. Mesh files are looked for in `folder`.
    ///
    /// # Errors
    /// With the key of what is wrong.
    pub fn build(&self, folder: &Path, figures: Figures) -> Result<Scene, SceneError> {
        self.check()?;
        let mut scene = Scene {
            name: self.name.clone(),
            description: self.description.clone(),
            world: World::with_settings(self.world),
            rigids: None,
            dt_secs: self.dt_secs.unwrap_or(1.0 / 60.0),
            frames: self.frames.unwrap_or(300),
            camera: self.camera,
            warnings: Vec::new(),
            tools: Vec::new(),
            colliders: Vec::new(),
            driven: Vec::new(),
            knives: Vec::new(),
            cuts: Vec::new(),
        };
        scene.world.look_from(self.camera.map(|camera| camera.eye));
        for (i, entry) in self.collider.iter().enumerate() {
            let key = format!("collider[{i}]");
            let moving = entry.add_to(&mut scene.world, &key, folder, figures, &mut scene.warnings)?;
            scene.colliders.extend(moving);
        }
        let mut names: Vec<(String, Vec<BodyHandle>)> = Vec::new();
        for (i, entry) in self.body.iter().enumerate() {
            let key = format!("body[{i}]");
            if names.iter().any(|(name, _)| !name.is_empty() && *name == entry.name) {
                return Err(SceneError::new(
                    format!("{key}.name"),
                    format!("there are two bodies named {:?}", entry.name),
                ));
            }
            let handles = entry.add_to(&mut scene, &key, folder, figures)?;
            if let Some(motion) = &entry.driven {
                scene.drive(&key, &handles, motion)?;
            }
            names.push((entry.name.clone(), handles));
        }
        names.retain(|(name, _)| !name.is_empty());
        self.add_tools(&mut scene, &names)?;
        Ok(scene)
    }

    fn add_tools(&self, scene: &mut Scene, names: &[(String, Vec<BodyHandle>)]) -> Result<(), SceneError> {
        let copies = |key: &str, name: &str| {
            let found = names.iter().find(|(known, _)| known == name).map(|(_, handles)| &handles[..]);
            found.ok_or_else(|| {
                let known: Vec<&str> = names.iter().map(|(name, _)| name.as_str()).collect();
                let known = match known[..] {
                    [] => "no body has a name yet".into(),
                    _ => format!("the names are {known:?}"),
                };
                let fault = match name {
                    "" => format!("it needs the name of the body that it acts on; {known}"),
                    _ => format!("no body is named {name:?}; {known}"),
                };
                SceneError::new(format!("{key}.body"), fault)
            })
        };
        for (i, entry) in self.pick.iter().enumerate() {
            let key = format!("pick[{i}]");
            let &[handle, ..] = copies(&key, &entry.body)? else { continue };
            entry.check(&key)?;
            let vertex = entry.vertex(&key, &scene.world, handle)?;
            let tool = scene
                .world
                .pick(handle, vertex, entry.spring)
                .map_err(|error| tool_error(&key, "spring.", error))?;
            scene.add_motion(&key, tool, &entry.motion, entry.locked)?;
        }
        for (i, entry) in self.pin.iter().enumerate() {
            let key = format!("pin[{i}]");
            for &handle in copies(&key, &entry.body)? {
                let tool =
                    scene.world.pin(handle, &entry.members).map_err(|error| tool_error(&key, "", error))?;
                scene.add_motion(&key, tool, &entry.motion, false)?;
            }
        }
        for (i, entry) in self.attachment.iter().enumerate() {
            let key = format!("attachment[{i}]");
            let others =
                copies(&key, &entry.to).map_err(|error| SceneError { key: format!("{key}.to"), ..error })?;
            entry.add_to(scene, &key, [copies(&key, &entry.body)?, others])?;
        }
        for (i, entry) in self.push.iter().enumerate() {
            let key = format!("push[{i}]");
            entry.check(&key)?;
            let push = Push { center: entry.center, radius: entry.radius, frequency_hz: entry.frequency_hz };
            let tool = scene.world.push(push).map_err(|error| tool_error(&key, "", error))?;
            scene.add_motion(&key, tool, &entry.motion, false)?;
        }
        for (i, wind) in self.wind.iter().enumerate() {
            let key = format!("wind[{i}]");
            check::wind(wind, &key)?;
            scene.world.wind(*wind).map_err(|error| tool_error(&key, "", error))?;
        }
        for (i, entry) in self.rigid.iter().enumerate() {
            let key = format!("rigid[{i}]");
            let attach = entry.attach.as_ref();
            let soft = attach.map_or(Ok(&[][..]), |attach| copies(&format!("{key}.attach"), &attach.body))?;
            entry.add_to(scene, &key, soft)?;
        }
        for (i, knife) in self.knife.iter().enumerate() {
            knife.check(&format!("knife[{i}]"))?;
            scene.knives.push(MovingKnife { entry: knife.clone(), handle: None });
        }
        for (i, entry) in self.cut.iter().enumerate() {
            let key = format!("cut[{i}]");
            entry.check(&key)?;
            let bodies = entry.body.as_ref().map_or(Ok(&[][..]), |name| copies(&key, name))?;
            let names = bodies.iter().filter_map(|&body| Some(scene.world.body(body).ok()?.name.clone()));
            scene.cuts.push(TimedCut { entry: entry.clone(), names: names.collect() });
        }
        Ok(())
    }
}

/// A tool's error with the key that it is about; its settings are `below` the tool's own key.
pub(super) fn tool_error(key: &str, below: &str, error: ToolError) -> SceneError {
    let key = match &error {
        ToolError::Setting { name, .. } => format!("{key}.{below}{name}"),
        ToolError::NoSuchVertex { .. } => format!("{key}.vertex"),
        ToolError::NothingSelected { .. } => format!("{key}.members"),
        _ => key.to_owned(),
    };
    SceneError::new(key, error)
}

impl Scene {
    pub(super) fn add_motion(
        &mut self,
        key: &str,
        handle: ToolHandle,
        motion: &Motion,
        lock: bool,
    ) -> Result<(), SceneError> {
        motion.check(&format!("{key}.motion"))?;
        let start = self.world.tool(handle).ok().and_then(|tool| tool.position()).unwrap_or_default();
        if lock {
            self.world.lock(handle, true).map_err(|error| SceneError::new(key, error))?;
        }
        if *motion != Motion::default() {
            self.tools.push(MovingTool { handle, start, motion: motion.clone(), lock });
        }
        Ok(())
    }
}

pub(super) fn turn(key: &str, rotation: Option<&Rotation>) -> Result<Quat, SceneError> {
    let Some(rotation) = rotation else { return Ok(Quat::IDENTITY) };
    let fault = "a rotation needs an axis that is not zero and a finite angle";
    rotation.quat().ok_or_else(|| SceneError::new(format!("{key}.rotation"), fault))
}

/// Reads the mesh file that the key `mesh` names.
pub(super) fn read_file(
    key: &str,
    file: &str,
    folder: &Path,
    warnings: &mut Vec<String>,
) -> Result<TriMesh, SceneError> {
    let loaded = read_mesh(folder.join(file)).map_err(|e| SceneError::new(format!("{key}.mesh"), e))?;
    warnings.extend(loaded.warnings.iter().map(|warning| format!("{file}: {warning}")));
    Ok(loaded.mesh)
}

/// Reads the file of tetrahedra that the key `mesh` names.
fn read_tetrahedra(
    key: &str,
    file: &str,
    folder: &Path,
    warnings: &mut Vec<String>,
) -> Result<TetMesh, SceneError> {
    let loaded = read_volume(folder.join(file)).map_err(|e| SceneError::new(format!("{key}.mesh"), e))?;
    warnings.extend(loaded.warnings.iter().map(|warning| format!("{file}: {warning}")));
    Ok(loaded.mesh)
}

/// The figure that the key `figure` names.
pub(super) fn figure(key: &str, name: &str, figures: Figures) -> Result<TriMesh, SceneError> {
    let fault = || SceneError::new(format!("{key}.figure"), format!("there is no figure {name:?}"));
    figures(name).ok_or_else(fault)
}

impl BodyEntry {
    fn add_to(
        &self,
        scene: &mut Scene,
        key: &str,
        folder: &Path,
        figures: Figures,
    ) -> Result<Vec<BodyHandle>, SceneError> {
        self.check(key)?;
        let rotation = turn(key, self.rotation.as_ref())?;
        let (mesh, tetrahedra) = self.read_mesh(key, folder, figures, &mut scene.warnings)?;
        let name = if self.name.is_empty() { mesh.name.clone() } else { self.name.clone() };
        let (word, model) = self.model(key)?;
        let mut builder = self.sized(Body::builder(mesh));
        // Other models, and those that are given the size of their cells, fill what tetrahedra enclose.
        if let Some(tetrahedra) = tetrahedra.filter(|_| model.takes_tetrahedra()) {
            builder = builder.tetrahedra(tetrahedra);
        }
        let builder = builder
            .name(name)
            .material(self.material)
            .model(model)
            .contacts(self.contacts)
            .gravity_scale(self.gravity_scale.unwrap_or(1.0))
            .max_model_steps(self.max_model_steps.unwrap_or(2))
            .at(self.position)
            .turned(rotation)
            .velocity(self.velocity)
            .spin(self.spin);
        let body = self
            .painted(builder)
            .build()
            .map_err(|error| SceneError::new(self.key_of(key, word, &error), error))?;
        let parts = body.parts().count;
        if parts > 1 {
            scene.warnings.push(format!(
                "{key}: its {} nodes are {parts} separate parts that nothing joins, and each goes its own way; make a body of \
                 each, let them overlap, or use smaller cells where they are thin",
                body.nodes.positions.len()
            ));
        }
        let named = if body.name.is_empty() { key } else { &body.name };
        scene.warnings.extend(
            body.warnings(&scene.world.settings.stepping(scene.dt_secs))
                .iter()
                .map(|warning| format!("{named}: {warning}")),
        );
        let Some(copies) = &self.copies else { return Ok(vec![scene.world.add_body(body)]) };
        let count = copies.counts.iter().fold(1_u64, |count, &c| count.saturating_mul(u64::from(c)));
        let nodes = body.nodes.positions.len() as u64;
        let most = (MOST_NODES / nodes.max(1)).clamp(1, MOST_COPIES);
        if !(1..=most).contains(&count) {
            let message = format!(
                "{:?} makes {count} bodies of {nodes} nodes; there may be 1 to {most}",
                copies.counts
            );
            return Err(SceneError::new(format!("{key}.copies.counts"), message));
        }
        let [nx, ny, _] = copies.counts.map(u64::from);
        let first = body.center_of_mass();
        let copy = |i: u64| -> Result<Body, SceneError> {
            let mut copy = body.clone();
            let cell = DVec3::new((i % nx) as f64, (i / nx % ny) as f64, (i / (nx * ny)) as f64);
            let turn = if copies.tumble { tumble(i) * rotation } else { rotation };
            let placed = copy.place(first + cell * copies.spacing.as_dvec3(), turn);
            placed
                .and_then(|()| copy.set_motion(self.velocity, self.spin))
                .map_err(|e| SceneError::new(key, e))?;
            if i > 0 && !copy.name.is_empty() {
                copy.name = format!("{} {}", copy.name, i + 1);
            }
            Ok(copy)
        };
        (0..count).map(|i| Ok(scene.world.add_body(copy(i)?))).collect()
    }

    /// As large as it says, in the way it says it.
    fn sized(&self, mut builder: BodyBuilder) -> BodyBuilder {
        if let Some(scale) = self.scale {
            builder = builder.scale(scale);
        }
        if let Some(units) = self.units {
            builder = builder.units(units);
        }
        if let Some(fit) = self.fit {
            builder = builder.fit(fit);
        }
        builder
    }

    /// Paints what differs from part to part.
    fn painted(&self, mut builder: BodyBuilder) -> BodyBuilder {
        if let Some(color) = &self.cut_color {
            builder = builder.cut_paint(cutting::cut_paint(color));
        }
        if !self.stiffness.is_empty() {
            let stiffness = self.stiffness.clone();
            // The first of them counts, so it is painted last.
            builder = builder.stiffness(move |place| {
                stiffness.iter().rev().fold(1.0, |below, entry| entry.over(below, place))
            });
        }
        if !self.toughness.is_empty() {
            let (toughness, elsewhere) =
                (self.toughness.clone(), self.material.tear.unwrap_or(f32::INFINITY));
            builder = builder.toughness(move |place| {
                let here = toughness.iter().find(|entry| share(&entry.within, place) >= 1.0);
                here.map_or(elsewhere, |entry| entry.tear)
            });
        }
        builder = builder.refine(self.refine.iter().cloned());
        if !self.widths.is_empty() {
            let widths = self.widths.clone();
            // The first of them counts, so it is painted last.
            builder = builder.widths_over(move |place, own| {
                widths.iter().rev().fold(own, |below, entry| entry.over(below, place))
            });
        }
        builder
    }

    /// The key that a body's error is about.
    fn key_of(&self, key: &str, word: &str, error: &pliant::BodyError) -> String {
        use pliant::BodyError as E;
        let own = |setting: &str| self.key_of_setting(key, word, setting);
        let below = match error {
            E::Mesh(_) | E::Sampling(SamplingError::Point) | E::Filling(FillingError::NoExtent) => {
                self.source()
            }
            E::Sampling(SamplingError::NotALength { name, .. }) => return own(&format!("particles.{name}")),
            E::Sampling(SamplingError::TooMany { .. }) => return own("particles.spacing"),
            E::Clustering(ClusteringError::Setting { name: "grid.cells", .. }) => {
                return own("clustering.grid.cells");
            }
            E::Clustering(ClusteringError::Setting { name, .. }) if *name != "overlap" => return own(name),
            E::Clustering(_) => return own("clustering"),
            E::Material(error) => return format!("{key}.material.{}", error.name),
            E::Placement { what, .. } => what,
            E::NotForModel { setting, .. } => setting,
            E::Filling(FillingError::BlockTooLarge { .. }) => return own("levels"),
            E::Filling(_) => return own("cell"),
            E::Setting { name: "size" | "angle" | "from" | "margin", .. } => "refine",
            E::Setting { name, .. } => return own(name),
        };
        format!("{key}.{below}")
    }

    /// The key that its mesh comes from.
    fn source(&self) -> &'static str {
        match (&self.mesh, &self.shape) {
            (Some(_), _) => "mesh",
            (_, Some(_)) => "shape",
            _ => "figure",
        }
    }

    /// The mesh, and the tetrahedra of which it is the boundary if it is that of some.
    fn read_mesh(
        &self,
        key: &str,
        folder: &Path,
        figures: Figures,
        warnings: &mut Vec<String>,
    ) -> Result<(TriMesh, Option<TetMesh>), SceneError> {
        let mesh = match (&self.mesh, &self.shape, &self.figure) {
            (Some(file), None, None) if is_volume(folder.join(file)) => {
                let tetrahedra = read_tetrahedra(key, file, folder, warnings)?;
                return Ok((tetrahedra.boundary().0, Some(tetrahedra)));
            }
            (Some(file), None, None) => read_file(key, file, folder, warnings),
            (None, Some(shape), None) => {
                shape.mesh().map_err(|fault| SceneError::new(format!("{key}.shape"), fault))
            }
            (None, None, Some(name)) => figure(key, name, figures),
            (None, None, None) => Err(SceneError::new(key, "the body needs one of mesh, shape or figure")),
            _ => Err(SceneError::new(key, "the body may have only one of mesh, shape and figure")),
        }?;
        Ok((mesh, None))
    }
}

/// A turn that differs from copy to copy and is the same in every run.
fn tumble(i: u64) -> Quat {
    let t = i as f32;
    let axis = Vec3::new(sin(t * 1.3), sin(t * 0.7 + 1.0), sin(t * 2.1 + 2.0));
    quat_from_axis_angle(axis.try_normalize().unwrap_or(Vec3::Y), t * 2.4)
}

impl PickEntry {
    fn vertex(&self, key: &str, world: &World, handle: BodyHandle) -> Result<u32, SceneError> {
        let rest = world.body(handle).map_err(|error| SceneError::new(key, error))?.rest();
        match (self.vertex, self.at) {
            (Some(vertex), None) => Ok(vertex),
            (None, Some(at)) => {
                let at = at * rest.scale - rest.center;
                let vertices = rest.mesh.positions.iter().enumerate();
                let nearest =
                    vertices.min_by(|a, b| a.1.distance_squared(at).total_cmp(&b.1.distance_squared(at)));
                Ok(nearest.map_or(0, |(vertex, _)| vertex as u32))
            }
            (None, None) => Err(SceneError::new(key, "a pick needs at or vertex")),
            _ => Err(SceneError::new(key, "a pick may have only one of at and vertex")),
        }
    }
}
