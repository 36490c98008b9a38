//! A knife: an edge that cuts whatever it is moved through, as it moves.
//!
//! In each step it sweeps a surface from where its edge was to where it is, and that is a blade. The body moves in the meantime,
//! so where the edge was is remembered in the body's rest shape and taken from there: strokes join without a gap however fast
//! the body swings.

use super::{Act, Division, Stroke, Tool, ToolError};
use crate::body::{Body, BodyHandle};
use crate::cut::Blade;
use crate::ids::Arena;
use glam::{DVec3, Vec3};
use serde::{Deserialize, Serialize};

/// An edge that cuts what it is moved through.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Knife {
    /// The two ends of the edge, in metres.
    pub edge: [DVec3; 2],
    /// Where the edge was at the end of the latest step.
    from: [DVec3; 2],
    /// Where it was in the bodies it was in.
    traces: Vec<Trace>,
    /// The middle of the edge when the stroke began.
    start: DVec3,
    /// Bodies that this stroke has cut whole, and what came off them.
    parted: Vec<BodyHandle>,
}

/// Where an edge was in a body.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Trace {
    body: BodyHandle,
    /// Points along the edge, in the body's rest shape where they were inside it.
    points: Vec<Option<Vec3>>,
}

/// Points along the edge whose places are remembered.
const POINTS: usize = 17;
/// How far a stroke reaches back over the one before, as part of the distance between nodes: rounding must not leave a thread.
const OVERLAP: f32 = 0.2;

impl Knife {
    /// A knife that has not moved yet.
    ///
    /// # Errors
    /// If an end is not finite.
    pub fn new(edge: [DVec3; 2]) -> Result<Self, ToolError> {
        check(&edge)?;
        let start = 0.5 * (edge[0] + edge[1]);
        Ok(Self { edge, from: edge, traces: Vec::new(), start, parted: Vec::new() })
    }

    /// Moves the edge: what lies between is cut at the end of the next step.
    ///
    /// # Errors
    /// If an end is not finite.
    pub fn move_edge(&mut self, edge: [DVec3; 2]) -> Result<(), ToolError> {
        check(&edge)?;
        self.edge = edge;
        Ok(())
    }

    /// The middle of the edge.
    pub fn middle(&self) -> DVec3 {
        0.5 * (self.edge[0] + self.edge[1])
    }

    /// What the edge has swept through a body since the latest step; none if it has not moved.
    fn blade(&self, handle: BodyHandle, body: &Body) -> Option<Blade> {
        let trace = self.traces.iter().find(|trace| trace.body == handle);
        let points = (0..POINTS).map(|at| {
            let share = at as f64 / (POINTS - 1) as f64;
            let (was, is) = (self.from[0].lerp(self.from[1], share), self.edge[0].lerp(self.edge[1], share));
            let held = trace.and_then(|trace| trace.points.get(at).copied().flatten());
            match held.and_then(|rest| forward(body, rest)) {
                Some((was, spacing)) => {
                    let back = (was - is).normalize_or_zero() * f64::from(OVERLAP * spacing);
                    (was + back, is)
                }
                None => (was, is),
            }
        });
        let (from, to): (Vec<DVec3>, Vec<DVec3>) = points.unzip();
        Blade::between(&from, &to).ok()
    }

    /// For a body that is only cut whole: the plane of the stroke, from its beginning to the edge, once the edge has come to the
    /// body. A stroke cuts such a body once.
    fn plane(&self, handle: BodyHandle, body: &Body) -> Option<Stroke> {
        if self.parted.contains(&handle) {
            return None;
        }
        let sweep = Blade::swept(&[self.from, self.edge]).ok().filter(|sweep| body.is_met_by(sweep));
        let along = (self.edge[1] - self.edge[0]).normalize_or_zero();
        let stroke = (self.middle() - self.start).normalize_or_zero();
        let normal = along.cross(stroke).try_normalize()?;
        sweep.map(|_| Stroke::Plane { point: self.middle(), normal: normal.as_vec3() })
    }

    /// Remembers where the edge is in a body.
    fn mark(&mut self, handle: BodyHandle, body: &Body) {
        let share = |at: usize| at as f64 / (POINTS - 1) as f64;
        let at = |at: usize| backward(body, self.edge[0].lerp(self.edge[1], share(at)));
        let points: Vec<Option<Vec3>> = (0..POINTS).map(at).collect();
        self.traces.retain(|trace| trace.body != handle);
        if points.iter().any(Option::is_some) {
            self.traces.push(Trace { body: handle, points });
        }
    }
}

impl Act for Knife {
    fn word(&self) -> &'static str {
        "knife"
    }

    fn validate(&self) -> Result<(), ToolError> {
        check(&self.edge)
    }

    fn position(&self) -> Option<DVec3> {
        Some(self.middle())
    }

    fn move_to(&mut self, position: DVec3) -> Result<(), ToolError> {
        let by = position - self.middle();
        Knife::move_edge(self, self.edge.map(|end| end + by))
    }

    fn move_edge(&mut self, edge: [DVec3; 2]) -> Result<(), ToolError> {
        Knife::move_edge(self, edge)
    }

    fn focus(&self, _: Option<&Body>) -> Option<(DVec3, f32)> {
        Some((self.middle(), (0.5 * self.edge[0].distance(self.edge[1])) as f32))
    }

    /// What was one body is several: the edge was in each of them, for they share a rest shape.
    fn hand_over(&mut self, division: &Division) -> Vec<Tool> {
        let Some((first, others)) = division.pieces.split_first() else { return Vec::new() };
        if let Some(trace) = self.traces.iter().find(|trace| trace.body == *first).cloned() {
            let more = others.iter().map(|&body| Trace { body, points: trace.points.clone() });
            self.traces.extend(more);
        }
        Vec::new()
    }

    fn cuts(&self) -> bool {
        true
    }

    fn stroke(&self, handle: BodyHandle, body: &Body) -> Option<Stroke> {
        if body.takes_whole_cuts() {
            self.plane(handle, body)
        } else {
            self.blade(handle, body).map(Stroke::Blade)
        }
    }

    fn has_parted(&mut self, pieces: &[BodyHandle]) {
        self.parted.extend(pieces);
    }

    /// The next stroke begins here.
    fn end_stroke(&mut self, bodies: &Arena<Body>) {
        for (handle, body) in bodies.iter() {
            self.mark(handle, body);
        }
        self.from = self.edge;
        self.traces.retain(|trace| bodies.get(trace.body).is_some());
    }
}

fn check(edge: &[DVec3; 2]) -> Result<(), ToolError> {
    match edge.iter().find(|end| !end.is_finite()) {
        Some(end) => Err(ToolError::Setting { name: "edge", value: end.length(), range: "finite" }),
        None => Ok(()),
    }
}

/// Where a place in the world is in a body's rest shape; none if that is outside of it.
fn backward(body: &Body, place: DVec3) -> Option<Vec3> {
    let place = (place - body.nodes.origin).as_vec3();
    let node = nearest(&body.nodes.positions, place)?;
    let map = body.model.node_map(&body.rest().nodes, node);
    let away = map.inverse() * (place - body.nodes.positions[node]);
    // Beyond the node's own cell there is no material.
    (away.is_finite() && away.abs().max_element() <= body.spacing(node))
        .then(|| body.rest().nodes.rest_positions[node] + away)
}

/// Where a place of a body's rest shape is in the world, and how far apart nodes are there.
fn forward(body: &Body, rest: Vec3) -> Option<(DVec3, f32)> {
    let places = &body.rest().nodes.rest_positions;
    let node = nearest(places, rest)?;
    let at =
        body.nodes.positions[node] + body.model.node_map(&body.rest().nodes, node) * (rest - places[node]);
    at.is_finite().then(|| (body.nodes.origin + at.as_dvec3(), body.spacing(node)))
}

fn nearest(places: &[Vec3], to: Vec3) -> Option<usize> {
    let away = |&at: &usize| places[at].distance_squared(to);
    (0..places.len()).min_by(|a, b| away(a).total_cmp(&away(b)).then(a.cmp(b)))
}
