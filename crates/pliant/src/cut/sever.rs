//! A body that is cut while it moves.

use super::crossings::{Deformed, Edge, FAR};
use super::scissors::ScissorsError;
use super::{Blade, LEAST_NODES, Parting, Pieces, part};
use crate::body::{Body, BodyRest};
use crate::geometry::{is_closed, weld_as_needed};
use crate::model::{CutSupport, Part};
use crate::nodes::NodeState;
use crate::skin::splitting_cubes::Cubes;
use crate::skin::{CutSurface, Outside, RestSkin, first_surface, uncrossed};
use glam::{DVec3, Mat3, Vec3};
use std::sync::Arc;

/// What came of a cut.
#[derive(Debug)]
pub(crate) struct Severed {
    /// Edges of the grid that were crossed.
    pub crossed: usize,
    /// Where in the world, at [`MOST_PLACES`] places at most.
    pub places: Vec<DVec3>,
    /// What came off; the largest piece is the body itself.
    pub others: Vec<Body>,
    /// For each node before, its piece (0 is the body itself, then `others`) and its number there.
    pub nodes: Vec<(u32, u32)>,
    /// Whether the nodes were all made anew: then `nodes` has those nearest to where each was.
    pub anew: bool,
}

/// Places along a cut that are told of at most.
pub const MOST_PLACES: usize = 64;

/// Some of the places along a cut, evenly over all of them, in the world.
pub(super) fn some_places(all: &[Vec3], origin: DVec3) -> Vec<DVec3> {
    let count = all.len().min(MOST_PLACES);
    (0..count).map(|at| origin + all[at * all.len() / count].as_dvec3()).collect()
}

/// Why a body was not cut.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Refusal {
    /// The blade goes through no body, or between no two nodes of the body.
    #[error("there was nothing to cut: the blade goes through no material")]
    Nothing,
    /// What would come off is broken.
    #[error("a piece would not be finite after the cut; the body is as it was")]
    NotFinite,
    /// The body, or what would come off, is so thin against its cells that their surface cannot show it: it would be inside out, or
    /// enclose much more or less than the mesh did.
    #[error(
        "the body, or a piece of it, is too thin for its cells to be drawn after the cut; use smaller cells or cut elsewhere"
    )]
    TooThin,
    /// Everything that would come off is too small.
    #[error("the cut would only part pieces of fewer than {least} nodes; use a finer body or cut elsewhere")]
    TooSmall {
        /// Nodes that a piece has at least.
        least: usize,
    },
    /// The model has whole cuts, and the blade is not flat.
    #[error(
        "a body of {model} is only cut whole, along a plane, and this blade is bent; give it a model that takes free cuts"
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
    /// Makes it as fine as it can be along a blade, for up to `room` more nodes. Returns whether anything changed.
    pub(crate) fn refine_along(&mut self, blade: &Blade, room: usize) -> bool {
        let Some(model) = self.model.adapt() else { return false };
        let blade = blade.seen_from(self.nodes.origin);
        let changes = model.finest_near(&self.nodes, &|at, reach| blade.is_near(at, reach), room);
        // Nodes of the body's own plan are there, and its model adapts.
        !changes.divide.is_empty() && self.resample_nodes(&changes).unwrap_or(false)
    }

    /// Whether its model is only cut whole.
    pub(crate) fn takes_whole_cuts(&self) -> bool {
        self.model.support() == CutSupport::Plane
    }

    /// Whether a blade may come near its nodes: a quick answer.
    pub(crate) fn may_be_reached_by(&self, blade: &Blade) -> bool {
        let (blade, nodes) = (blade.seen_from(self.nodes.origin), &self.nodes.positions);
        let size = |node: usize| self.model.spacing(node).unwrap_or(f32::INFINITY);
        (0..nodes.len()).any(|node| blade.may_reach(nodes[node], FAR * size(node)))
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
        let Some(grid) = self.model.grid().cloned() else { return Ok(None) };
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
        let Some(boxed) = self.cells() else { return Ok(None) };
        let cells = &*boxed;
        let known = rest.cut.as_ref().map(|cut| (cut.cubes.clone(), cut.outside().clone()));
        let mut crossed = match &known {
            Some((cubes, _)) => edge.crossed(cells, &now, cubes),
            None => edge.crossed(cells, &now, &uncrossed(cells)),
        };
        if crossed.is_empty() {
            return Ok(None);
        }
        // Most blades miss most bodies, so the first surface is only made for one that does not.
        let (mut cubes, outside) = known.unwrap_or_else(|| {
            let outside = Arc::new(Outside::new(rest.mesh.clone()));
            (first_surface(cells, &outside), outside)
        });
        crossed.retain(|edge| cubes.crossing(edge.low, edge.axis).is_none());
        if crossed.is_empty() {
            return Ok(None);
        }
        let edges = self.edges();
        let between =
            |cubes: &Cubes, known: &[(u32, u32)]| edge.parted_between(cells, &now, cubes, &edges, known);
        let parting = part(cells, &mut cubes, crossed, &edges, &between);
        edge.slide(cells, &now, &mut cubes);
        drop(boxed);
        if parting.crossed.is_empty() {
            return Err(Refusal::TooSmall { least: LEAST_NODES });
        }
        self.fall_apart(&parting, cubes, &outside).map(Some)
    }

    /// Makes a body of each piece; this one becomes the largest.
    fn fall_apart(
        &mut self,
        parting: &Parting,
        cubes: Cubes,
        outside: &Arc<Outside>,
    ) -> Result<Severed, Refusal> {
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
        let alone = pieces.len() == 1;
        let (bodies, nodes): (Vec<Self>, Vec<Vec<u32>>) =
            pieces.iter().map(|nodes| self.piece(nodes, parting, &cubes, outside, alone)).unzip();
        let nodes = Pieces::places(&nodes, self.nodes.positions.len());
        let places: Vec<Vec3> = parting.crossed.iter().map(|edge| edge.now).collect();
        let places = some_places(&places, self.nodes.origin);
        let others = self.become_first_of(bodies)?;
        Ok(Severed { crossed: parting.crossed.len(), places, others, nodes, anew: false })
    }

    /// Becomes the first of its pieces and returns the others.
    ///
    /// # Errors
    /// If one of them is not finite, or inside out; then it is as before.
    pub(super) fn become_first_of(&mut self, pieces: Vec<Self>) -> Result<Vec<Self>, Refusal> {
        if !pieces.iter().all(Self::is_finite) {
            return Err(Refusal::NotFinite);
        }
        let is_inside_out = |piece: &Self| piece.rest.cut.is_some() && piece.rest.volume <= 0.0;
        if pieces.iter().any(is_inside_out) {
            return Err(Refusal::TooThin);
        }
        let mut pieces = pieces.into_iter();
        if let Some(first) = pieces.next() {
            *self = first;
        }
        Ok(pieces.collect())
    }

    /// Whether its nodes, their maps and its skin are.
    fn is_finite(&self) -> bool {
        let NodeState { origin, positions, velocities } = &self.nodes;
        // 0 times what is finite is 0, all others are not: one sum instead of a question each.
        let finite = |all: &[Vec3]| all.iter().fold(Vec3::ZERO, |sum, v| sum + 0.0 * *v) == Vec3::ZERO;
        let maps = (0..positions.len()).fold(Mat3::ZERO, |sum, node| sum + self.node_map(node) * 0.0);
        origin.is_finite()
            && finite(positions)
            && finite(velocities)
            && finite(&self.skin.positions)
            && maps == Mat3::ZERO
    }

    /// Whether its surface is closed and oriented.
    pub(crate) fn has_closed_surface(&self) -> bool {
        let rest = &self.rest;
        rest.cut.as_ref().map_or_else(
            || {
                let sides = |[a, b, c]: [u32; 3]| [[a, b], [b, c], [c, a]];
                is_closed(weld_as_needed(&rest.mesh, 0.0).triangles.into_iter().flat_map(sides))
            },
            |cut| cut.closed,
        )
    }

    /// The body that these nodes are, as they move now, and which node each of its nodes was. `alone` says that they are all.
    fn piece(
        &self,
        nodes: &[u32],
        parting: &Parting,
        cubes: &Cubes,
        outside: &Arc<Outside>,
        alone: bool,
    ) -> (Self, Vec<u32>) {
        let Part { rest: mut node_rest, model, nodes: from } =
            self.model.part(&self.rest.nodes, nodes, &parting.pairs);
        if !alone || self.rest.nodes.middle != Vec3::ZERO {
            node_rest = node_rest.of_a_part();
        }
        let mut rest =
            BodyRest { nodes: node_rest, normal_groups: Arc::default(), ..BodyRest::clone(&self.rest) };
        let before = self.rest.cut.is_some().then_some(&*self.rest.mesh);
        // Which nodes are still joined to the same ones, with their new numbers.
        let mut kept = vec![None; self.nodes.positions.len()];
        nodes.iter().zip(0..).for_each(|(&node, number)| kept[node as usize] = Some(number));
        parting.pairs.iter().for_each(|&(a, b)| (kept[a as usize], kept[b as usize]) = (None, None));
        if let Some(cells) = model.cells(&rest.nodes) {
            let cells = &*cells;
            let cubes = if alone { cubes.clone() } else { cubes.kept(|cell| cells.node_in(cell).is_some()) };
            let (cut, mesh) = CutSurface::new(cubes, outside.clone(), before, &rest.cut_paint);
            let (places, old) = (&mesh.positions, &self.rest);
            let same = old.cut.as_ref().map(|before| cut.same_as(places, before, &old.mesh.positions));
            let was = |vertex: usize| same.as_ref().and_then(|same| same[vertex]);
            rest.binding = cut.bind(places, cells, &old.binding, &was, &|node| kept[node as usize]);
            rest.skin = Arc::new(RestSkin::with_normals(&mesh.positions, &mesh.normals));
            rest.volume = mesh.signed_volume();
            (rest.cut, rest.mesh) = (Some(Arc::new(cut)), Arc::new(mesh));
        }
        (self.taken_over_by(&from, rest, model), from)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::shapes;
    use crate::model::lattice::LatticeSettings;

    #[test]
    fn a_cut_whose_pieces_are_not_finite_is_refused_and_changes_nothing() {
        let settings = LatticeSettings { cell: Some(0.2), width: Some(0.4) };
        let whole = Body::builder(shapes::cuboid(Vec3::ONE, [2; 3])).model(settings).build();
        let mut body = whole.unwrap_or_else(|error| unreachable!("{error}"));
        let blade = Blade::plane(DVec3::X * 0.03, Vec3::X).unwrap_or_else(|error| unreachable!("{error}"));
        let velocity = std::mem::replace(&mut body.nodes.velocities[7], Vec3::NAN);
        let (version, count) = (body.version, body.nodes.positions.len());
        assert!(matches!(body.cut(&blade), Err(Refusal::NotFinite)));
        assert!(matches!(body.scissor(&blade), Err(Refusal::NotFinite)));
        assert_eq!((body.version, body.nodes.positions.len()), (version, count));
        assert!(body.rest.cut.is_none());
        body.nodes.velocities[7] = velocity;
        assert!(matches!(body.cut(&blade), Ok(Some(_))));
    }
}
