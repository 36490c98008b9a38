//! What a run measured: the JSON of `--report`.

use pliant::geometry::{EdgeTable, weld};
use pliant::glam::DVec3;
use pliant::model::Level;
use pliant::world::Energy;
use pliant::{Body, BodyHandle, StepReport, ToolHandle, World};
use pliant_io::scene::Scene;
use serde::Serialize;
use std::collections::BTreeMap;

/// What a run measured.
#[derive(Clone, Debug, Serialize)]
pub struct RunReport {
    /// Name of the scene.
    pub scene: String,
    /// The models in it, by name, separated by `+`.
    pub model: String,
    /// Frames simulated.
    pub frames: usize,
    /// Length of a frame.
    pub dt_secs: f32,
    /// Threads used.
    pub threads: usize,
    /// Everything is deterministic without one; kept for scenes that draw lots.
    pub seed: u64,
    /// One row a body.
    pub bodies: Vec<BodyRow>,
    /// One row for each pin, pick and attachment.
    pub reactions: Vec<ReactionRow>,
    /// Wall-clock milliseconds.
    pub ms_per_frame: PhaseStatistics,
    /// Of positions and velocities of all nodes, in hexadecimal.
    pub state_hash: String,
    /// All skins together.
    pub surface: Surface,
    /// In J, at the beginning and at the end.
    pub energy: EnergyRow,
    /// Momentum that forces inside the bodies added by rounding, relative to the most momentum that moved.
    pub momentum_drift: f64,
    /// Volume of all skins now, as part of that at rest.
    pub volume_ratio: f64,
    /// Nodes that had to be contained.
    pub contained: usize,
    /// Bodies whose surface was closed at first and is open at the end.
    pub opened: usize,
    /// What was put right in mesh files, and what to know of bodies: parts that are not sampled, too little stiffness.
    pub warnings: Vec<String>,
    /// Blades that cut.
    pub cuts: usize,
    /// Most nodes that touched something in one step.
    pub contacts_max: usize,
}

/// One body of a run, with all that came off it.
#[derive(Clone, Debug, Serialize)]
pub struct BodyRow {
    /// Its name.
    pub name: String,
    /// Nodes at the beginning.
    pub nodes_first: usize,
    /// Nodes at the end.
    pub nodes_last: usize,
    /// Most nodes in between.
    pub nodes_max: usize,
    /// kg at the beginning.
    pub mass_first: f64,
    /// kg at the end.
    pub mass_last: f64,
    /// Pieces it has come into.
    pub pieces: usize,
    /// The levels of its model at the end, the finest first; none for models without any.
    pub levels: Vec<LevelRow>,
}

/// What it took to hold a body.
#[derive(Clone, Debug, Serialize)]
pub struct ReactionRow {
    /// What holds it: a pin, a pick or an attachment.
    pub tool: &'static str,
    /// The body that is held; of two that are attached, the first.
    pub body: String,
    /// The body that it is attached to.
    pub other: Option<String>,
    /// N that the body was given in the last frame, as its mean; zero if the tool is gone.
    pub force_last: [f32; 3],
    /// N m that it was given about the middle of what is held.
    pub moment_last: [f32; 3],
    /// N, the largest force of all frames.
    pub force_max: f32,
}

/// A level of a body, and of what came off it, at the end of a run.
#[derive(Clone, Debug, Serialize)]
pub struct LevelRow {
    /// Edge at rest of what is matched together, in m.
    pub size: f32,
    /// How many there are.
    pub regions: usize,
    /// Shape matches in the last substep.
    pub matches: u64,
    /// What they store, in J.
    pub energy: f64,
    /// The same per volume, region by region, in J/m³.
    pub energy_density: Statistics,
}

impl LevelRow {
    /// Of that level of several bodies.
    fn of(levels: &[&Level]) -> Self {
        let regions = || levels.iter().flat_map(|level| &level.regions);
        Self {
            size: levels.first().map_or(0.0, |level| level.size),
            regions: regions().count(),
            matches: levels.iter().map(|level| level.matches).sum(),
            energy: levels.iter().map(|level| level.energy()).sum(),
            energy_density: Statistics::new(regions().map(|region| region.density().into()).collect()),
        }
    }
}

/// Times of a frame, in all and by phase.
#[derive(Clone, Debug, Serialize)]
pub struct PhaseStatistics {
    /// All phases together.
    #[serde(flatten)]
    pub all: Statistics,
    /// Each phase.
    pub phases: BTreeMap<&'static str, Statistics>,
}

/// Order statistics of a sample.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct Statistics {
    /// Half are below.
    pub median: f64,
    /// 95 of 100 are below.
    pub p95: f64,
    /// None is above.
    pub max: f64,
}

/// All skins together.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Surface {
    /// Vertices.
    pub vertices: usize,
    /// Triangles.
    pub triangles: usize,
    /// No open edges.
    pub closed: bool,
    /// All triangles wind the same way as their neighbours.
    pub oriented: bool,
}

/// Energy in J.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct EnergyRow {
    /// At the beginning.
    pub first: Energy,
    /// At the end.
    pub last: Energy,
}

/// Collects a run frame by frame.
pub struct Recorder {
    threads: usize,
    bodies: Vec<BodyRow>,
    /// Which row each body of the world is in: what comes off a body counts with it.
    rows: Vec<(BodyHandle, usize)>,
    /// What held bodies so far, by tool.
    reactions: Vec<(ToolHandle, ReactionRow)>,
    /// Whether the surface of each row was closed at first: a mesh that came with holes is allowed to keep them.
    closed: Vec<bool>,
    energy: Energy,
    steps: Vec<StepReport>,
    slip: DVec3,
    momentum_max: f64,
}

impl Recorder {
    /// Before the first step, on the threads that do the work.
    pub fn start(scene: &Scene) -> Self {
        let row = |body: &Body| BodyRow {
            name: body.name.clone(),
            nodes_first: body.nodes.positions.len(),
            nodes_last: body.nodes.positions.len(),
            nodes_max: body.nodes.positions.len(),
            mass_first: body.rest().nodes.total_mass,
            mass_last: body.rest().nodes.total_mass,
            pieces: 1,
            levels: Vec::new(),
        };
        Self {
            threads: rayon::current_num_threads(),
            bodies: scene.world.bodies().map(|(_, body)| row(body)).collect(),
            rows: scene.world.bodies().map(|(handle, _)| handle).zip(0..).collect(),
            reactions: Vec::new(),
            closed: scene.world.bodies().map(|(_, body)| edges(body).is_closed()).collect(),
            energy: scene.world.energy(),
            steps: Vec::new(),
            slip: DVec3::ZERO,
            momentum_max: 0.0,
        }
    }

    /// After each step.
    pub fn frame(&mut self, scene: &Scene, step: &StepReport) {
        self.steps.push(*step);
        self.slip += step.momentum_slip;
        let moved = scene.world.bodies().map(|(_, body)| {
            let nodes = body.rest().nodes.masses.iter().zip(&body.nodes.velocities);
            nodes.map(|(&m, v)| f64::from(m) * f64::from(v.length())).sum::<f64>()
        });
        self.momentum_max = self.momentum_max.max(moved.sum());
        for event in scene.world.cuts() {
            let row = event.body.and_then(|body| self.row_of(body));
            let pieces = event.result.iter().flat_map(|parted| &parted.pieces[1..]);
            self.rows.extend(pieces.filter_map(|&piece| Some((piece, row?))));
        }
        for row in &mut self.bodies {
            (row.nodes_last, row.mass_last, row.pieces) = (0, 0.0, 0);
        }
        for (handle, body) in scene.world.bodies() {
            let Some(row) = self.row_of(handle) else { continue };
            let row = &mut self.bodies[row];
            row.nodes_last += body.nodes.positions.len();
            row.mass_last += body.rest().nodes.masses.iter().map(|&m| f64::from(m)).sum::<f64>();
            row.pieces += 1;
        }
        for row in &mut self.bodies {
            row.nodes_max = row.nodes_max.max(row.nodes_last);
        }
        self.react(&scene.world);
    }

    /// What held bodies in the latest step.
    fn react(&mut self, world: &World) {
        for (_, row) in &mut self.reactions {
            (row.force_last, row.moment_last) = ([0.0; 3], [0.0; 3]);
        }
        for of in world.reactions() {
            let at = self.reactions.binary_search_by_key(&of.tool, |row| row.0).unwrap_or_else(|at| {
                let name = |body| world.body(body).map_or_else(|_| String::new(), |body| body.name.clone());
                let tool = world.tool(of.tool).ok();
                let attached = tool.and_then(|tool| tool.attachment());
                let row = ReactionRow {
                    tool: tool.map_or("tool", |tool| tool.name()),
                    body: name(of.body),
                    other: attached.map(|attached| name(attached.bodies[1])),
                    force_last: [0.0; 3],
                    moment_last: [0.0; 3],
                    force_max: 0.0,
                };
                self.reactions.insert(at, (of.tool, row));
                at
            });
            let row = &mut self.reactions[at].1;
            (row.force_last, row.moment_last) = (of.force.to_array(), of.moment.to_array());
            row.force_max = row.force_max.max(of.force.length());
        }
    }

    fn row_of(&self, body: BodyHandle) -> Option<usize> {
        self.rows.iter().find(|(handle, _)| *handle == body).map(|&(_, row)| row)
    }

    /// Bodies whose surface came open, counted with all that came off them.
    fn opened(&self, scene: &Scene) -> usize {
        let open = scene.world.bodies().filter(|(_, body)| !edges(body).is_closed());
        let mut rows: Vec<usize> = open.filter_map(|(handle, _)| self.row_of(handle)).collect();
        rows.retain(|&row| self.closed[row]);
        rows.sort_unstable();
        rows.dedup();
        rows.len()
    }

    /// The levels of each row's bodies.
    fn levels(&self, world: &World) -> Vec<Vec<LevelRow>> {
        let mut all: Vec<Vec<Vec<Level>>> = vec![Vec::new(); self.bodies.len()];
        for (handle, _) in world.bodies() {
            if let (Some(row), Ok(levels)) = (self.row_of(handle), world.levels(handle)) {
                all[row].push(levels);
            }
        }
        let rows = all.iter().map(|bodies| {
            let most = bodies.iter().map(Vec::len).max().unwrap_or(0);
            let of =
                |number: usize| bodies.iter().filter_map(|levels| levels.get(number)).collect::<Vec<_>>();
            (0..most).map(|number| LevelRow::of(&of(number))).collect()
        });
        rows.collect()
    }

    /// After the last step.
    pub fn finish(mut self, scene: &Scene) -> RunReport {
        let levels = self.levels(&scene.world);
        self.bodies.iter_mut().zip(levels).for_each(|(row, levels)| row.levels = levels);
        let world = &scene.world;
        let mut models: Vec<&str> = world.bodies().map(|(_, body)| body.model.name()).collect();
        models.sort_unstable();
        models.dedup();
        let volume = |of: fn(&Body) -> f64| -> f64 { world.bodies().map(|(_, body)| of(body)).sum() };
        let of = |ms: &dyn Fn(&StepReport) -> f64| Statistics::new(self.steps.iter().map(ms).collect());
        let names = StepReport::default().ms.named().map(|(name, _)| name);
        let phases = names.iter().enumerate().map(|(i, &name)| (name, of(&|step| step.ms.named()[i].1)));
        RunReport {
            scene: scene.name.clone(),
            model: models.join("+"),
            frames: self.steps.len(),
            dt_secs: scene.dt_secs,
            threads: self.threads,
            seed: 0,
            ms_per_frame: PhaseStatistics { all: of(&|step| step.ms.total()), phases: phases.collect() },
            state_hash: format!("{:016x}", world.state_hash()),
            surface: surface(scene),
            energy: EnergyRow { first: self.energy, last: world.energy() },
            momentum_drift: self.slip.length() / self.momentum_max.max(f64::MIN_POSITIVE),
            volume_ratio: match volume(|b| b.rest().volume) {
                // Open sheets, or nothing at all.
                0.0 => 1.0,
                at_rest => volume(|b| b.rest().volume * b.volume_ratio()) / at_rest,
            },
            opened: self.opened(scene),
            warnings: scene.warnings.clone(),
            contained: self.steps.iter().map(|step| step.contained).sum(),
            cuts: self.steps.iter().map(|step| step.cuts).sum(),
            contacts_max: self.steps.iter().map(|step| step.contacts).max().unwrap_or(0),
            bodies: self.bodies,
            reactions: self.reactions.into_iter().map(|(_, row)| row).collect(),
        }
    }
}

/// The edges of a body's surface, by the places that its triangles share.
fn edges(body: &Body) -> EdgeTable {
    EdgeTable::new(&weld(&body.rest().mesh, 1e-6).triangles)
}

fn surface(scene: &Scene) -> Surface {
    let mut surface = Surface { vertices: 0, triangles: 0, closed: true, oriented: true };
    for (_, body) in scene.world.bodies() {
        let mesh = &body.rest().mesh;
        surface.vertices += mesh.positions.len();
        surface.triangles += mesh.triangles.len();
        let edges = edges(body);
        surface.closed &= edges.is_closed();
        surface.oriented &= edges.is_oriented();
    }
    surface
}

impl Statistics {
    /// Of a sample in any order.
    pub fn new(mut sample: Vec<f64>) -> Self {
        sample.sort_by(f64::total_cmp);
        let at = |part: f64| {
            let index = (part * sample.len() as f64).ceil() as usize;
            sample.get(index.saturating_sub(1)).copied().unwrap_or(0.0)
        };
        Self { median: at(0.5), p95: at(0.95), max: at(1.0) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pliant::geometry::shapes;
    use pliant::glam::Vec3;

    fn scene_of(mesh: pliant::TriMesh) -> Scene {
        let mut world = pliant::World::new();
        world.add_body(Body::builder(mesh).build().unwrap());
        Scene::resumed(pliant_io::scene::Script::default(), world)
    }

    #[test]
    fn only_a_surface_that_was_closed_can_come_open() {
        let closed = shapes::cuboid(Vec3::ONE, [2, 2, 2]);
        let mut open = closed.clone();
        open.triangles.pop();
        let opened = |first: &pliant::TriMesh, last: &pliant::TriMesh| {
            Recorder::start(&scene_of(first.clone())).finish(&scene_of(last.clone())).opened
        };
        assert_eq!([opened(&closed, &closed), opened(&closed, &open), opened(&open, &open)], [0, 1, 0]);
    }
}
