//! A body that is cut while it moves.

use super::{Body, BodyRest};
use crate::cut::crossings::{Deformed, Edge, parted};
use crate::cut::scissors::ScissorsError;
use crate::cut::splitting_cubes::Cubes;
use crate::cut::{
    Blade, CutSurface, Cuttable, LEAST_NODES, Outside, Parting, Pieces, Takes, first_surface, part, uncrossed,
};
use crate::model::lattice::skin::Carriers;
use crate::model::octree::resample::Changes;
use crate::model::regions::State;
use crate::model::{Lattice, Model, ModelRest, Octree, clusters, lattice, octree};
use crate::nodes::{NodeRest, NodeState};
use crate::sampling::CellKey;
use crate::skin::{Cells, RestSkin};
use glam::{IVec3, Vec3};
use std::sync::Arc;

/// What came of a cut.
#[derive(Debug)]
pub(crate) struct Severed {
    /// Edges of the grid that were crossed.
    pub crossed: usize,
    /// What came off; the largest piece is the body itself.
    pub others: Vec<Body>,
    /// For each node before, its piece (0 is the body itself, then `others`) and its number there.
    pub nodes: Vec<(u32, u32)>,
    /// Whether the nodes were all made anew: then `nodes` has those nearest to where each was.
    pub anew: bool,
}

/// Why a body was not cut.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Refusal {
    /// Everything that would come off is too small.
    #[error("the cut would only part pieces of fewer than {least} nodes; use a finer body or cut elsewhere")]
    TooSmall {
        /// Nodes that a piece has at least.
        least: usize,
    },
    /// The model has whole cuts, and the blade is not flat.
    #[error(
        "a body of {model} is only cut whole, along a plane, and this blade is bent; give it the model lattice or octree"
    )]
    Bent {
        /// The model's word.
        model: &'static str,
    },
    /// The skin cannot be clipped.
    #[error(transparent)]
    Scissors(#[from] ScissorsError),
    /// What is left cannot be simulated.
    #[error("a piece cannot be simulated: {0}")]
    Build(String),
}

impl Body {
    /// Makes an octree as fine as it can be along a blade, for up to `room` more nodes. Returns whether anything changed.
    pub(crate) fn refine_along(&mut self, blade: &Blade, room: usize) -> bool {
        let Model::Octree(model) = &self.model else { return false };
        let (rest, blade) = (&*model.rest, blade.seen_from(self.nodes.origin));
        let grid = &*rest.grid;
        let (mut divide, mut room) = (Vec::new(), room);
        for node in 0..rest.places.len() {
            let key = rest.tree.key_of(node);
            if key.level() == 0 {
                continue;
            }
            let map = model.node_map(node);
            let stretch = map.x_axis.length().max(map.y_axis.length()).max(map.z_axis.length());
            let near = |key: CellKey| {
                let place = grid.middle(key.low(), key.edge()) - grid.centre;
                let at = self.nodes.positions[node] + map * (place - rest.places[node]);
                let size = key.edge() as f32 * grid.filling.cell;
                blade.is_near(at, HALF_DIAGONAL * size * stretch)
            };
            let mut found = Vec::new();
            let holds = |key: CellKey| grid.filling.material(key.low().to_array(), key.edge()).count > 0;
            divided(key, &near, &holds, &mut found);
            let more = 7 * found.len();
            if more <= room {
                room -= more;
                divide.extend(found);
            }
        }
        !divide.is_empty() && self.resample_octree(&Changes { divide, ..Changes::default() })
    }

    /// Whether its model is only cut whole.
    pub(crate) fn takes_whole_cuts(&self) -> bool {
        let takes = match &self.model {
            Model::Clusters(_) => <clusters::Rest as Cuttable>::TAKES,
            Model::Lattice(_) => <lattice::Rest as Cuttable>::TAKES,
            Model::Octree(_) => <octree::Rest as Cuttable>::TAKES,
        };
        takes == Takes::Whole
    }

    /// Whether a blade goes through its skin.
    pub(crate) fn is_met_by(&self, blade: &Blade) -> bool {
        let (blade, at) = (blade.seen_from(self.nodes.origin), &self.skin.positions);
        let crossed = |[a, b]: [u32; 2]| blade.crossing(at[a as usize], at[b as usize]).is_some();
        self.rest
            .mesh
            .triangles
            .iter()
            .any(|&[a, b, c]| crossed([a, b]) || crossed([b, c]) || crossed([c, a]))
    }

    /// Whether it tears when it is stretched.
    pub(crate) fn can_tear(&self) -> bool {
        (self.material.tear.is_some() || self.rest.toughness.is_some()) && !self.takes_whole_cuts()
    }

    /// The connections of new nodes that earlier cuts go through: what large cells were joined by, their parts need not be.
    pub(super) fn parted_before(
        cut: &CutSurface,
        rest: &octree::Rest,
        is_new: &dyn Fn(u32) -> bool,
    ) -> Vec<(u32, u32)> {
        let new = |cell: IVec3| rest.node_in(cell).is_some_and(is_new);
        let crossed = cut.cubes.iter().filter(|(.., crossing)| crossing.cut);
        let crossed: Vec<(IVec3, usize)> = crossed
            .map(|(low, axis, _)| (low, axis))
            .filter(|&(low, axis)| new(low) || new(low + IVec3::AXES[axis]))
            .collect();
        let mut pairs = parted(rest, &cut.cubes, crossed.iter().copied());
        pairs.retain(|&(a, b)| rest.graph.edges_of(a as usize).iter().any(|edge| edge.node == b));
        pairs
    }

    /// Cuts what a blade goes through; nothing if that is nothing.
    ///
    /// # Errors
    /// If it cannot be cut so; then it is as before.
    pub(crate) fn cut(&mut self, blade: &Blade) -> Result<Option<Severed>, Refusal> {
        let seen = blade.seen_from(self.nodes.origin);
        self.sever(Edge::Blade(seen))
    }

    /// Tears what is stretched too far.
    ///
    /// # Errors
    /// If only dust would come off; then it is as before.
    pub(crate) fn tear(&mut self) -> Result<Option<Severed>, Refusal> {
        let (toughness, uniform) = (self.rest.toughness.clone(), self.material.tear);
        let Some(grid) = self.rest.model.grid().cloned() else { return Ok(None) };
        if toughness.is_none() && uniform.is_none() {
            return Ok(None);
        }
        let most = move |place: Vec3| match &toughness {
            Some(painted) => painted.at(&grid, place + grid.centre),
            None => uniform.unwrap_or(f32::INFINITY),
        };
        self.sever(Edge::Stretch(&most))
    }

    /// Crosses what an edge goes through, disconnects what that parts, and takes off what hangs on nothing any more.
    fn sever(&mut self, edge: Edge) -> Result<Option<Severed>, Refusal> {
        let (rest, model) = (&*self.rest, &self.model);
        let now =
            Deformed { positions: &self.nodes.positions, map: &|node| model.node_map(&rest.nodes, node) };
        let parting = with_cells(rest, |cells| {
            let known = rest.cut.as_ref().map(|cut| (cut.cubes.clone(), cut.outside().clone()));
            let mut crossed = match &known {
                Some((cubes, _)) => edge.crossed(cells, &now, cubes),
                None => edge.crossed(cells, &now, &uncrossed(cells)),
            };
            if crossed.is_empty() {
                return None;
            }
            // Most blades miss most bodies, so the first surface is only made for one that does not.
            let (mut cubes, outside) = known.unwrap_or_else(|| {
                let outside = Arc::new(Outside::new(rest.mesh.clone()));
                (first_surface(cells, &outside), outside)
            });
            crossed.retain(|edge| cubes.crossing(edge.low, edge.axis).is_none());
            if crossed.is_empty() {
                return None;
            }
            let edges = self.edges();
            let between = |cubes: &Cubes, known: &[(u32, u32)]| {
                edge.parted_between(cells, &now, cubes, (&edges, known))
            };
            let parting = part(cells, &mut cubes, crossed, &edges, &between);
            edge.slide(cells, &now, &mut cubes);
            Some((parting, cubes, outside))
        });
        let Some((parting, cubes, outside)) = parting.flatten() else { return Ok(None) };
        if parting.crossed.is_empty() {
            return Err(Refusal::TooSmall { least: LEAST_NODES });
        }
        Ok(Some(self.fall_apart(&parting, cubes, &outside)))
    }

    /// Makes a body of each piece; this one becomes the largest.
    fn fall_apart(&mut self, parting: &Parting, cubes: Cubes, outside: &Arc<Outside>) -> Severed {
        let mut pieces = parting.pieces.nodes();
        let mass = |nodes: &Vec<u32>| {
            nodes.iter().map(|&i| f64::from(self.rest.nodes.masses[i as usize])).sum::<f64>()
        };
        let mut largest = 0;
        for piece in 1..pieces.len() {
            if mass(&pieces[piece]) > mass(&pieces[largest]) {
                largest = piece;
            }
        }
        let first = pieces.remove(largest);
        pieces.insert(0, first);
        let nodes = Pieces::places(&pieces, self.nodes.positions.len());
        let alone = pieces.len() == 1;
        let surface = (&cubes, outside);
        let bodies: Vec<Self> =
            pieces.iter().map(|nodes| self.piece(nodes, parting, surface, alone)).collect();
        let mut bodies = bodies.into_iter();
        if let Some(body) = bodies.next() {
            *self = body;
        }
        Severed { crossed: parting.crossed.len(), others: bodies.collect(), nodes, anew: false }
    }

    /// The body that these nodes are, as they move now. `alone` says that they are all.
    fn piece(
        &self,
        nodes: &[u32],
        parting: &Parting,
        (cubes, outside): (&Cubes, &Arc<Outside>),
        alone: bool,
    ) -> Self {
        let (mut node_rest, model_rest, model) = self.model.part(&self.rest.nodes, nodes, &parting.pairs);
        if !alone || self.rest.nodes.middle != Vec3::ZERO {
            node_rest = node_rest.of_a_part();
        }
        let mut rest = BodyRest {
            nodes: node_rest,
            model: model_rest,
            normal_groups: Arc::default(),
            ..BodyRest::clone(&self.rest)
        };
        let before = self.rest.cut.is_some().then_some(&*self.rest.mesh);
        // Which nodes are still joined to the same ones, with their new numbers.
        let mut kept = vec![None; self.nodes.positions.len()];
        nodes.iter().zip(0..).for_each(|(&node, number)| kept[node as usize] = Some(number));
        parting.pairs.iter().for_each(|&(a, b)| (kept[a as usize], kept[b as usize]) = (None, None));
        let skin = with_cells(&rest, |cells| {
            let cubes = if alone { cubes.clone() } else { cubes.kept(|cell| cells.node_in(cell).is_some()) };
            let (cut, mesh) = CutSurface::new(cubes, outside.clone(), before, &rest.cut_paint);
            let (places, old) = (&mesh.positions, &self.rest);
            let same = old.cut.as_ref().map(|before| cut.same_as(places, before, &old.mesh.positions));
            let was = |vertex: usize| same.as_ref().and_then(|same| same[vertex]);
            let binding = cut.bind(places, cells, (&old.binding, &was), &|node| kept[node as usize]);
            (cut, mesh, binding)
        });
        if let Some((cut, mesh, binding)) = skin {
            rest.skin = Arc::new(RestSkin::with_normals(&mesh.positions, &mesh.normals));
            rest.volume = mesh.signed_volume();
            (rest.cut, rest.mesh, rest.binding) = (Some(Arc::new(cut)), Arc::new(mesh), binding);
        }
        self.taken_over_by(nodes, rest, model)
    }

    /// This body with some of its nodes, as they move now, and another rest shape and model.
    pub(super) fn taken_over_by(&self, nodes: &[u32], rest: BodyRest, model: Model) -> Self {
        let pick = |of: &[Vec3]| nodes.iter().map(|&node| of[node as usize]).collect();
        let state = NodeState {
            origin: self.nodes.origin,
            positions: pick(&self.nodes.positions),
            velocities: pick(&self.nodes.velocities),
        };
        let mut body =
            Self { nodes: state, model, rest: Arc::new(rest), version: self.version + 1, ..self.clone() };
        body.blown.clear();
        body.changes.clear();
        body.wake();
        body.measure();
        body.refresh();
        body
    }
}

/// Any nodes that stand in cells.
type AnyCells<'a> = dyn Cells + Sync + 'a;

/// Does `work` with the cells of a body; nothing if it has none.
pub(crate) fn with_cells<R>(rest: &BodyRest, work: impl FnOnce(&AnyCells) -> R) -> Option<R> {
    match &rest.model {
        ModelRest::Clusters(_) => None,
        ModelRest::Lattice(lattice) => {
            Carriers::new(lattice, &rest.nodes.rest_positions).map(|carriers| work(&carriers))
        }
        ModelRest::Octree(octree) => Some(work(&**octree)),
    }
}

impl Model {
    /// The part of it that has these nodes, with what each of them remembers.
    pub(super) fn part(
        &self,
        rest: &NodeRest,
        nodes: &[u32],
        pairs: &[(u32, u32)],
    ) -> (NodeRest, ModelRest, Self) {
        let pick = |slot_of: &dyn Fn(u32) -> usize, state: &State, slots: &[Option<u32>]| {
            let rotations: Vec<_> = nodes.iter().map(|&node| state.rotation(slot_of(node))).collect();
            let plastic: Vec<_> = nodes.iter().map(|&node| state.plastic(slot_of(node))).collect();
            State::from_nodes(slots, &rotations, (!state.plastic.is_empty()).then_some(&plastic))
        };
        match self {
            Self::Clusters(model) => {
                let (node_rest, part) = model.rest.part(rest, nodes, pairs);
                let part = Arc::new(part);
                let mut model = clusters::Clusters::new(part.clone(), model.settings);
                model.reset(self.rotation());
                (node_rest, ModelRest::Clusters(part), Self::Clusters(model))
            }
            Self::Lattice(model) => {
                let (node_rest, part) = model.rest.part(rest, nodes, pairs);
                let part = Arc::new(part);
                let state = pick(&|node| model.rest.slots[node as usize] as usize, &model.state, &part.nodes);
                let model = Lattice { state, ..Lattice::new(part.clone()) };
                (node_rest, ModelRest::Lattice(part), Self::Lattice(model))
            }
            Self::Octree(model) => {
                let (node_rest, part) = model.rest.part(rest, nodes, pairs);
                let part = Arc::new(part);
                let state = pick(&|node| node as usize, &model.state, &part.nodes);
                let model = Octree { state, ..Octree::new(part.clone()) };
                (node_rest, ModelRest::Octree(part), Self::Octree(model))
            }
        }
    }
}

/// From the middle of a cube to its corner, as part of its edge.
const HALF_DIAGONAL: f32 = 0.867;

/// The cells that must be divided so that all finest cells of `key` that are near are leaves. Returns whether any is.
fn divided(
    key: CellKey,
    near: &dyn Fn(CellKey) -> bool,
    holds: &dyn Fn(CellKey) -> bool,
    found: &mut Vec<CellKey>,
) -> bool {
    if !near(key) || !holds(key) {
        return false;
    }
    if key.level() == 0 {
        return true;
    }
    let at = found.len();
    found.push(key);
    let any = key.children().map(|child| divided(child, near, holds, found)).contains(&true);
    if !any {
        found.truncate(at);
    }
    any
}
