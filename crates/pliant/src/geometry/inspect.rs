//! What a mesh is, what is wrong with it, and what that means for simulation.

use super::edges::{EdgeTable, components_by_vertex};
use super::orient::LEAST_VOLUME;
use super::shells::Shells;
use super::slivers::Thinness;
use super::{TriMesh, orient, weld_as_needed};
use glam::{DVec3, Vec3};
use rustc_hash::FxHashSet;
use serde::Serialize;

/// The share of the bounding box's diagonal within which vertices are one place: well above the rounding of `f32`
/// and of text files, well below any detail.
pub const WELD_TOLERANCE: f32 = 1e-5;

/// Below this ratio of smallest to largest extent a solid counts as thin: about the thickness of a coin.
const THIN: f32 = 0.05;

/// What [`inspect`] found. Topology is that of the welded mesh.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct MeshReport {
    /// Vertices as drawn.
    pub vertices: usize,
    /// Vertices that welding would merge into others.
    pub duplicate_vertices: usize,
    /// Vertices that no triangle names.
    pub unreferenced_vertices: usize,
    /// Vertices whose position is NaN or infinite.
    pub non_finite_vertices: usize,
    /// Triangles as drawn.
    pub triangles: usize,
    /// Triangles that name a vertex which is not there.
    pub impossible_triangles: usize,
    /// Triangles without area: a vertex or place named twice, or three on a line.
    pub degenerate_triangles: usize,
    /// Triangles that another one covers, whichever way it faces.
    pub duplicate_triangles: usize,
    /// Triangles that wind against the majority of those connected to them.
    pub flipped_triangles: usize,
    /// Parts that share no vertex.
    pub components: usize,
    /// Those of them that overlap others and are joined to them by that.
    pub overlapping_components: usize,
    /// Pieces of material that do not touch: they would be as many bodies.
    pub bodies: usize,
    /// Components without open edges.
    pub closed_components: usize,
    /// Edges with one triangle.
    pub open_edges: usize,
    /// Loops that the open edges form.
    pub boundary_loops: usize,
    /// Edges with more than two triangles.
    pub non_manifold_edges: usize,
    /// No open edge.
    pub closed: bool,
    /// Neighbours wind alike everywhere.
    pub oriented: bool,
    /// Flipping triangles could make neighbours wind alike; false for a Möbius strip.
    pub orientable: bool,
    /// Closed and oriented, but facing inward.
    pub inside_out: bool,
    /// Enclosed volume in m³, negative when inside out; meaningless unless closed and oriented.
    pub volume: f64,
    /// Area in m².
    pub area: f64,
    /// Size of the bounding box in metres.
    pub extent: Vec3,
    /// Middle of the bounding box, with the mesh's origin added.
    pub centre: DVec3,
    /// Smallest extent divided by the largest; zero for a flat mesh.
    pub thin: f32,
    /// Vertices − edges + triangles.
    pub euler_characteristic: i64,
    /// Handles of all components together, when closed, oriented and manifold.
    pub genus: Option<u64>,
}

/// Looks at a mesh, however broken.
pub fn inspect(mesh: &TriMesh) -> MeshReport {
    let count = mesh.positions.len();
    let welded = weld_as_needed(mesh, WELD_TOLERANCE);
    let finite = |v: u32| mesh.positions.get(v as usize).is_some_and(|p| p.is_finite());
    let possible = |t: &&[u32; 3]| t.iter().all(|&v| (v as usize) < count);
    let mut used = vec![false; count];
    mesh.triangles.iter().filter(possible).flatten().for_each(|&v| used[v as usize] = true);

    let edges = EdgeTable::new(&welded.triangles);
    let flood = orient::flood(welded.triangles.len(), &orient::manifold_pairs(&edges));
    let components = components_by_vertex(&welded.triangles);
    let mut open_parts: Vec<u32> =
        edges.open().map(|edge| components.of_member[edges.uses_of(edge)[0].triangle as usize]).collect();
    open_parts.sort_unstable();
    open_parts.dedup();
    let open_components = open_parts.len();
    let mut seen = FxHashSet::default();
    let first_of_its_kind = |t: &&[u32; 3]| {
        let mut key = **t;
        key.sort_unstable();
        seen.insert(key)
    };
    let distinct = welded.triangles.iter().filter(first_of_its_kind).count();

    let mut sound = mesh.clone_shape();
    sound.triangles.retain(|t| t.iter().all(|&v| finite(v)));
    sound.positions.iter_mut().filter(|p| !p.is_finite()).for_each(|p| *p = Vec3::ZERO);
    let thinness = Thinness::new(mesh.positions.iter().copied());
    let lines = welded.triangles.iter().filter(|t| {
        let corners = t.map(|v| welded.positions[v as usize]);
        corners.iter().all(|p| p.is_finite()) && thinness.is_sliver(corners)
    });
    let impossible = count_of(&mesh.triangles, |t| !possible(&t));
    let (low, high) = finite_bounds(&mesh.positions).unwrap_or_default();
    let extent = high - low;

    // Shells whose boxes are apart are as many bodies.
    let shells = Shells::overlapping(&welded.positions, &welded.triangles);
    let (bodies, overlapping) = shells.map_or((components.count, 0), |shells| {
        let (bodies, overlapping) = shells.bodies();
        (bodies.count, overlapping)
    });

    let mut report = MeshReport {
        vertices: count,
        duplicate_vertices: count - welded.positions.len(),
        unreferenced_vertices: count_of(&used, |&u| !u),
        non_finite_vertices: count_of(&mesh.positions, |p| !p.is_finite()),
        triangles: mesh.triangles.len(),
        impossible_triangles: impossible,
        degenerate_triangles: mesh.triangles.len() - impossible - welded.triangles.len() + lines.count(),
        duplicate_triangles: welded.triangles.len() - distinct,
        flipped_triangles: count_of(&flood.flipped, |&f| f),
        components: components.count,
        overlapping_components: overlapping,
        bodies,
        closed_components: components.count - open_components,
        open_edges: edges.open().count(),
        boundary_loops: edges.boundary_loops().len(),
        non_manifold_edges: edges.non_manifold().count(),
        closed: edges.is_closed(),
        oriented: edges.is_oriented(),
        orientable: flood.conflicts == 0,
        inside_out: false,
        volume: sound.signed_volume(),
        area: sound.triangles.iter().map(|t| area(t.map(|v| mesh.positions[v as usize]))).sum(),
        extent,
        centre: mesh.origin + (low.as_dvec3() + high.as_dvec3()) * 0.5,
        thin: if extent.max_element() > 0.0 { extent.min_element() / extent.max_element() } else { 0.0 },
        euler_characteristic: euler_characteristic(&welded.triangles, &edges),
        genus: None,
    };
    report.inside_out = report.closed && report.oriented && report.volume < 0.0;
    if report.closed && report.oriented && report.non_manifold_edges == 0 {
        let handles = 2 * report.components as i64 - report.euler_characteristic;
        report.genus = (handles >= 0 && handles % 2 == 0).then_some(handles as u64 / 2);
    }
    report
}

impl MeshReport {
    /// What each finding means for simulation, one line each, what matters most first.
    pub fn verdict(&self) -> Vec<String> {
        let mut findings = Findings(Vec::new());
        self.damage(&mut findings);
        self.surface(&mut findings);
        self.surplus(&mut findings);
        self.shape(&mut findings);
        findings.0
    }

    /// What cannot be simulated at all.
    fn damage(&self, findings: &mut Findings) {
        let n = self.non_finite_vertices;
        findings.say(
            n > 0,
            format!(
                "not finite: {n} vertices are NaN or infinite and cannot be simulated; --repair drops them"
            ),
        );
        let n = self.impossible_triangles;
        findings.say(
            n > 0,
            format!("impossible: {n} triangles name vertices that are not there; the file is damaged"),
        );
        findings.say(self.triangles == 0, "empty: there are no triangles to simulate".into());
    }

    /// What kind of surface it is.
    fn surface(&self, findings: &mut Findings) {
        let flat = self.closed
            && self.oriented
            && self.volume.abs() <= LEAST_VOLUME * (self.area * self.area.sqrt());
        findings
            .say(flat, "flat: closed, but without volume; it is treated as a surface with thickness".into());
        let sound = self.closed && self.oriented && !self.inside_out && self.duplicate_triangles == 0;
        findings.say(sound && !flat, "closed: mass and volume come from the solid".into());
        let (edges, loops) = (self.open_edges, self.boundary_loops);
        findings.say(
            edges > 0,
            format!(
                "open: {edges} open edges in {loops} loops; what it still encloses is filled and measured, a sheet gets a thickness; --repair can fill small holes"
            ),
        );
        findings.say(
            self.inside_out,
            "inside out: the surface faces inward; inside and outside are still told apart, but it is lit and cut the wrong way round; --repair turns it".into(),
        );
        let n = self.flipped_triangles;
        findings.say(
            n > 0 && self.orientable,
            format!(
                "flipped: {n} triangles wind against their neighbours, so volume is wrong; --repair turns them"
            ),
        );
        findings.say(
            !self.orientable,
            "one-sided: no winding fits, as on a Möbius strip; it can only be a surface with thickness"
                .into(),
        );
        let n = self.non_manifold_edges;
        findings.say(
            n > 0,
            format!("non-manifold: {n} edges have more than two triangles; --repair takes the sheets apart"),
        );
    }

    /// What is there more than once, or for nothing.
    fn surplus(&self, findings: &mut Findings) {
        let n = self.degenerate_triangles;
        findings.say(
            n > 0,
            format!("degenerate: {n} triangles have no area and no normal; --repair removes them"),
        );
        let n = self.duplicate_triangles;
        findings.say(
            n > 0,
            format!(
                "doubled: {n} triangles are covered by others, which counts volume twice; --repair removes them"
            ),
        );
        let (n, all) = (self.vertices - self.duplicate_vertices, self.vertices);
        findings.say(
            n < all,
            format!("seams: {n} of {all} vertices after welding; simulation uses the welded ones"),
        );
        let n = self.unreferenced_vertices;
        findings.say(n > 0, format!("unused: {n} vertices belong to no triangle and are ignored"));
    }

    /// Its parts and proportions.
    fn shape(&self, findings: &mut Findings) {
        let (n, overlapping, bodies) = (self.components, self.overlapping_components, self.bodies);
        findings.say(
            overlapping > 0,
            format!(
                "shells: {n}, of which {overlapping} overlap and are joined; where they do, mass counts once"
            ),
        );
        findings.say(
            bodies > 1,
            format!(
                "parts: {bodies} separate bodies; nothing joins them, so models that fill them with cells let each go its own way; make a body of each"
            ),
        );
        let n = self.closed_components;
        findings.say(n > 0 && !self.closed, format!("partly closed: {n} of the components are solids"));
        let n = self.genus.unwrap_or(0);
        findings.say(n > 0, format!("handles: {n}, as a torus has one"));
        let thin = self.thin;
        findings.say(
            self.triangles > 0 && thin < THIN,
            format!("thin: the smallest extent is {thin:.3} of the largest; nodes must be finer than that"),
        );
    }
}

/// Lines of a verdict.
struct Findings(Vec<String>);

impl Findings {
    fn say(&mut self, when: bool, line: String) {
        if when {
            self.0.push(line);
        }
    }
}

impl TriMesh {
    /// Positions and triangles alone.
    pub(super) fn clone_shape(&self) -> TriMesh {
        TriMesh::new(self.positions.clone(), self.triangles.clone())
    }
}

fn count_of<T>(items: &[T], what: impl Fn(&T) -> bool) -> usize {
    items.iter().filter(|item| what(item)).count()
}

fn area([a, b, c]: [Vec3; 3]) -> f64 {
    let (a, b, c) = (a.as_dvec3(), b.as_dvec3(), c.as_dvec3());
    (b - a).cross(c - a).length() * 0.5
}

fn finite_bounds(positions: &[Vec3]) -> Option<(Vec3, Vec3)> {
    let mut finite = positions.iter().filter(|p| p.is_finite());
    let first = *finite.next()?;
    Some(finite.fold((first, first), |(lo, hi), p| (lo.min(*p), hi.max(*p))))
}

/// Vertices − edges + triangles, of vertices that are used.
fn euler_characteristic(triangles: &[[u32; 3]], edges: &EdgeTable) -> i64 {
    let mut used: Vec<u32> = triangles.iter().flatten().copied().collect();
    used.sort_unstable();
    used.dedup();
    used.len() as i64 - edges.edges.len() as i64 + triangles.len() as i64
}
