//! A body cut in two along a plane, with the user's own mesh clipped and capped, \[HW08\] §4.1.
//!
//! Models that take free cuts keep their nodes: each goes to the side it is on. Others are filled anew, piece by piece, and move on
//! as the material did that they are in.

use super::scissors::{CapSettings, Half, Plane, ScissorsError, clip};
use super::sever::some_places;
use super::{Blade, LEAST_NODES, Pieces, Refusal, Severed};
use crate::body::{Body, BodyRest, Momentum};
use crate::geometry::{PointGrid, TriMesh, WELD_TOLERANCE, components_by_material, weld_as_needed};
use crate::model::Part;
use crate::nodes::{NodeRest, NodeState};
use crate::skin::{Binding, NormalGroups, RestSkin};
use glam::{DVec3, Vec3};
use std::sync::Arc;

/// A part of the skin that is smaller than this share of the whole does not become a body of particles.
const LEAST_VOLUME: f64 = 1e-3;

impl Body {
    /// Cuts the body along the plane of a blade; nothing if that misses it.
    ///
    /// # Errors
    /// If it cannot be cut so; then it is as before.
    pub(crate) fn scissor(&mut self, blade: &Blade) -> Result<Option<Severed>, Refusal> {
        let Some((point, normal)) = blade.flat(0.0) else { return Ok(None) };
        if !self.is_met_by(blade) {
            return Ok(None);
        }
        if self.rest.cut.is_some() {
            // Its skin is not the user's any more.
            return self.cut(blade);
        }
        let plane = Plane::through((point - self.nodes.origin).as_vec3(), normal);
        let spacing = self.spacing(0);
        let caps = CapSettings { spacing, paint: self.rest.cut_paint.clone() };
        match clip(&self.mesh_with_normals(), &self.skin.positions, &plane, &caps) {
            Ok(halves) if self.takes_whole_cuts() => self.refill(halves, &plane).map(Some),
            Ok(halves) => self.share_out(halves, &plane).map(Some),
            Err(ScissorsError::Misses) => Ok(None),
            Err(why) => Err(Refusal::Scissors(why)),
        }
    }

    /// The mesh at rest; a mesh without normals gets those it is drawn with, so that the rim of a cut can have others.
    fn mesh_with_normals(&self) -> TriMesh {
        let mut mesh = TriMesh::clone(&self.rest.mesh);
        if mesh.normals.is_empty() {
            self.rest.normal_groups.normals(&mesh.positions, &mut Vec::new(), &mut mesh.normals);
        }
        mesh
    }

    /// Gives each node, and each part of the skin with the nodes that carry it, to the side it is on.
    fn share_out(&mut self, halves: [Half; 2], plane: &Plane) -> Result<Severed, Refusal> {
        let mut sides = [Vec::new(), Vec::new()];
        for (node, &at) in self.nodes.positions[..self.leading_nodes()].iter().enumerate() {
            sides[usize::from(plane.distance(at) >= 0.0)].push(node as u32);
        }
        if sides.iter().any(|side| side.len() < LEAST_NODES) {
            return Err(Refusal::TooSmall { least: LEAST_NODES });
        }
        let edges = self.edges();
        let mut parts: Vec<(Vec<u32>, TriMesh)> = Vec::new();
        for (half, side) in halves.into_iter().zip(sides) {
            parts.extend(self.parts_of(half.mesh, side, &edges));
        }
        let mass = |nodes: &Vec<u32>| -> f64 {
            nodes.iter().map(|&node| f64::from(self.rest.nodes.masses[node as usize])).sum()
        };
        parts.sort_by(|a, b| mass(&b.0).total_cmp(&mass(&a.0)).then(a.0[0].cmp(&b.0[0])));
        let (of_parts, meshes): (Vec<Vec<u32>>, Vec<TriMesh>) = parts.into_iter().unzip();
        let (bodies, nodes): (Vec<Self>, Vec<Vec<u32>>) =
            of_parts.iter().zip(&meshes).map(|(nodes, mesh)| self.with_skin(nodes, mesh)).unzip();
        let nodes = Pieces::places(&nodes, self.nodes.positions.len());
        let crossed = edges.iter().filter(|[a, b]| nodes[*a as usize].0 != nodes[*b as usize].0).count();
        let places = self.places_on(plane);
        let others = self.become_first_of(bodies)?;
        Ok(Severed { crossed, places, others, nodes, anew: false })
    }

    /// The parts that one side falls into: nodes that hang together, and the shells of skin they carry. A shell holds together
    /// whatever carries it. What the cut has not touched, nodes without skin, and too few of them, stay with the largest part.
    fn parts_of(&self, mesh: TriMesh, side: Vec<u32>, edges: &[[u32; 2]]) -> Vec<(Vec<u32>, TriMesh)> {
        let mut number = vec![None; self.leading_nodes()];
        side.iter().zip(0..).for_each(|(&node, at)| number[node as usize] = Some(at));
        let before = Pieces::new(number.len(), edges.iter().copied());
        let mut here = vec![0; before.sizes.len()];
        side.iter().for_each(|&node| here[before.of_node[node as usize] as usize] += 1);
        let touched = |node: u32| {
            let was = before.of_node[node as usize] as usize;
            here[was] < before.sizes[was]
        };
        let shells = shells(&mesh);
        let together = self.with_skin(&side, &mesh).0;
        // Nodes first, then shells.
        let of_shell = |shell: u32| side.len() as u32 + shell;
        let shell_of = shells.of_vertex(&mesh);
        let carried =
            shell_of.iter().zip(&together.rest.binding.homes).map(|(&shell, &home)| [home, of_shell(shell)]);
        let inner = edges.iter().filter_map(|&[a, b]| Some([number[a as usize]?, number[b as usize]?]));
        let classes = Pieces::new(side.len() + shells.count, inner.chain(carried));
        let class_of_shell = |shell: u32| classes.of_node[of_shell(shell) as usize] as usize;
        let mut nodes = vec![Vec::new(); classes.sizes.len()];
        side.iter().zip(&classes.of_node).for_each(|(&node, &class)| nodes[class as usize].push(node));
        let mut has_skin = vec![false; nodes.len()];
        (0..shells.count as u32).for_each(|shell| has_skin[class_of_shell(shell)] = true);
        let largest =
            (0..nodes.len()).max_by_key(|&class| (nodes[class].len(), usize::MAX - class)).unwrap_or(0);
        let alone = |class: usize| {
            let of = &nodes[class];
            class == largest
                || of.len() >= LEAST_NODES && has_skin[class] && of.iter().any(|&node| touched(node))
        };
        let owner: Vec<usize> =
            (0..nodes.len()).map(|class| if alone(class) { class } else { largest }).collect();
        let mut of_owner = vec![Vec::new(); nodes.len()];
        nodes.iter().zip(&owner).for_each(|(nodes, &owner)| of_owner[owner].extend(nodes));
        let mut parts = Vec::new();
        for (class, mut nodes) in of_owner.into_iter().enumerate().filter(|(_, nodes)| !nodes.is_empty()) {
            nodes.sort_unstable();
            parts.push((nodes, shells.only(&mesh, |shell| owner[class_of_shell(shell)] == class)));
        }
        parts
    }

    /// The body of some of its nodes with another mesh, and which node each of its nodes was.
    fn with_skin(&self, nodes: &[u32], mesh: &TriMesh) -> (Self, Vec<u32>) {
        let Part { rest: node_rest, model, nodes: from } = self.model.part(&self.rest.nodes, nodes, &[]);
        let mut rest = BodyRest {
            nodes: node_rest.of_a_part(),
            volume: mesh.signed_volume(),
            mesh: Arc::new(mesh.clone()),
            ..BodyRest::clone(&self.rest)
        };
        rest.binding = match model.cells(&rest.nodes) {
            Some(cells) => Binding::to_cells(&mesh.positions, &*cells),
            None => Binding::new(&mesh.positions, &rest.nodes.rest_positions),
        };
        let groups = NormalGroups::new(mesh, &weld_as_needed(mesh, WELD_TOLERANCE).vertex_of);
        rest.skin = Arc::new(RestSkin::new(&mesh.positions, &rest.binding, &groups));
        rest.normal_groups = Arc::new(groups);
        (self.taken_over_by(&from, rest, model), from)
    }

    /// Fills what is on either side of the plane with particles again.
    fn refill(&mut self, halves: [Half; 2], plane: &Plane) -> Result<Severed, Refusal> {
        let whole = self.rest.volume.abs();
        let mut parts: Vec<(usize, TriMesh, f64)> = Vec::new();
        for (side, half) in halves.iter().enumerate() {
            for mesh in pieces_of(half, LEAST_VOLUME * whole) {
                let size = mesh.signed_volume().abs();
                parts.push((side, mesh, size));
            }
        }
        let on_side = |side: usize| parts.iter().any(|part| part.0 == side);
        if !(on_side(0) && on_side(1)) {
            return Err(Refusal::TooSmall { least: LEAST_NODES });
        }
        parts.sort_by(|a, b| b.2.total_cmp(&a.2));
        let sum: f64 = parts.iter().map(|part| part.2).sum();
        let mut bodies = Vec::with_capacity(parts.len());
        for (side, mesh, size) in &parts {
            let body = self.refilled(mesh, *size / sum)?;
            if body.nodes.positions.len() < LEAST_NODES {
                return Err(Refusal::TooSmall { least: LEAST_NODES });
            }
            bodies.push((*side, body));
        }
        for (side, body) in &mut bodies {
            self.move_along(body, Vec3::ZERO, |at| usize::from(plane.distance(at) >= 0.0) == *side);
        }
        let mut bodies: Vec<Self> = bodies.into_iter().map(|(_, body)| body).collect();
        restore_momentum(&Momentum::of(&self.rest.nodes, &self.nodes), &mut bodies);
        let sides: Vec<usize> = parts.iter().map(|part| part.0).collect();
        let nodes =
            self.heirs_of_nodes(&bodies, |at, piece| usize::from(plane.distance(at) >= 0.0) == sides[piece]);
        for body in &mut bodies {
            body.model.reset(self.model.rotation());
            body.version = self.version + 1;
            body.refresh();
        }
        let places = self.places_on(plane);
        let others = self.become_first_of(bodies)?;
        Ok(Severed { crossed: 0, places, others, nodes, anew: true })
    }

    /// Some of the places where a plane goes through the skin.
    fn places_on(&self, plane: &Plane) -> Vec<DVec3> {
        let at = &self.skin.positions;
        let mut found = Vec::new();
        for &[a, b, c] in &self.rest.mesh.triangles {
            for [from, to] in [[a, b], [b, c], [c, a]].map(|side| side.map(|v| at[v as usize])) {
                let (here, there) = (plane.distance(from), plane.distance(to));
                // Each edge once: the triangle beside has it the other way round.
                if here < 0.0 && there >= 0.0 {
                    found.push(from.lerp(to, here / (here - there)));
                }
            }
        }
        some_places(&found, self.nodes.origin)
    }

    /// A body of particles with another mesh, at rest, with `share` of this one's mass, in this one's rest coordinates.
    fn refilled(&self, mesh: &TriMesh, share: f64) -> Result<Self, Refusal> {
        let settings = self.model_settings().for_part(share as f32);
        let (rest, here) = (&self.rest, self.rest.center);
        let mut body = rest
            .rebuild_with(mesh, self, &settings, self.adaptivity.rules().to_vec())
            .map_err(|why| Refusal::Build(why.to_string()))?;
        let moved = body.rest.center - here;
        let mut next = BodyRest::clone(&body.rest);
        // Back into the coordinates of the whole: pieces share its rest shape.
        next.center = here;
        let back = |p: &mut Vec3| *p += moved;
        next.nodes.rest_positions.iter_mut().for_each(back);
        let factor = (rest.nodes.total_mass * share / next.nodes.total_mass) as f32;
        next.nodes.masses.iter_mut().for_each(|mass| *mass *= factor);
        next.nodes = next.nodes.of_a_part();
        let mut positions = next.mesh.positions.clone();
        positions.iter_mut().for_each(back);
        next.skin = Arc::new(RestSkin::new(&positions, &next.binding, &next.normal_groups));
        next.mesh = Arc::new(TriMesh { positions, ..TriMesh::clone(&next.mesh) });
        body.model.rebase(&next.nodes);
        body.rest = Arc::new(next);
        Ok(body)
    }

    /// For each node of this body the piece on its side, and the node of it, that is nearest at rest.
    fn heirs_of_nodes(&self, pieces: &[Self], same_side: impl Fn(Vec3, usize) -> bool) -> Vec<(u32, u32)> {
        let grids: Vec<PointGrid> =
            pieces.iter().map(|piece| PointGrid::fitting(&piece.rest.nodes.rest_positions)).collect();
        let mut near = Vec::new();
        let mut heir = |(place, &at): (&Vec3, &Vec3)| {
            let mut best: Option<(f32, (u32, u32))> = None;
            for (piece, grid) in grids.iter().enumerate().filter(|(piece, _)| same_side(at, *piece)) {
                grid.k_nearest(*place, 1, &mut near);
                if let Some(&(node, off)) = near.first()
                    && best.is_none_or(|(least, _)| off < least)
                {
                    best = Some((off, (piece as u32, node)));
                }
            }
            best.map_or((0, 0), |(_, heir)| heir)
        };
        self.rest.nodes.rest_positions.iter().zip(&self.nodes.positions).map(&mut heir).collect()
    }
}

/// Gives several bodies together exactly the momentum that they nearly have, where they are: other pieces lie against them.
fn restore_momentum(momentum: &Momentum, bodies: &mut [Body]) {
    let mut rest = NodeRest::default();
    let mut nodes = NodeState::default();
    for body in bodies.iter() {
        rest.masses.extend(&body.rest.nodes.masses);
        nodes.positions.extend(&body.nodes.positions);
        nodes.velocities.extend(&body.nodes.velocities);
    }
    rest.total_mass = rest.masses.iter().map(|&m| f64::from(m)).sum();
    momentum.restore_in_place(&rest, &mut nodes);
    let mut at = 0;
    for body in bodies {
        let count = body.nodes.positions.len();
        body.nodes.positions.copy_from_slice(&nodes.positions[at..at + count]);
        body.nodes.velocities.copy_from_slice(&nodes.velocities[at..at + count]);
        at += count;
    }
}

/// Parts of a mesh that do not touch or overlap.
struct Shells {
    count: usize,
    of_triangle: Vec<u32>,
}

fn shells(mesh: &TriMesh) -> Shells {
    let welded = weld_as_needed(mesh, 0.0);
    let triangles: Vec<[u32; 3]> =
        mesh.triangles.iter().map(|t| t.map(|v| welded.vertex_of[v as usize])).collect();
    let found = components_by_material(&welded.positions, &triangles);
    Shells { count: found.count, of_triangle: found.of_member }
}

impl Shells {
    /// The shell of each vertex; unused ones have the first.
    fn of_vertex(&self, mesh: &TriMesh) -> Vec<u32> {
        let mut shells = vec![0; mesh.positions.len()];
        for (triangle, &shell) in mesh.triangles.iter().zip(&self.of_triangle) {
            triangle.iter().for_each(|&v| shells[v as usize] = shell);
        }
        shells
    }

    /// The mesh of some of the shells.
    fn only(&self, mesh: &TriMesh, mine: impl Fn(u32) -> bool) -> TriMesh {
        let kept: Vec<usize> = (0..mesh.triangles.len()).filter(|&t| mine(self.of_triangle[t])).collect();
        if kept.len() == mesh.triangles.len() {
            return mesh.clone();
        }
        let mut number = vec![None; mesh.positions.len()];
        let mut vertices: Vec<usize> = Vec::new();
        let mut part = TriMesh {
            name: mesh.name.clone(),
            origin: mesh.origin,
            paints: mesh.paints.clone(),
            ..TriMesh::default()
        };
        for &t in &kept {
            part.triangles.push(mesh.triangles[t].map(|v| {
                *number[v as usize].get_or_insert_with(|| {
                    vertices.push(v as usize);
                    vertices.len() as u32 - 1
                })
            }));
            part.triangle_paints.extend(mesh.triangle_paints.get(t));
        }
        part.positions = vertices.iter().map(|&v| mesh.positions[v]).collect();
        part.normals = vertices.iter().filter_map(|&v| mesh.normals.get(v)).copied().collect();
        part.uvs = vertices.iter().filter_map(|&v| mesh.uvs.get(v)).copied().collect();
        part.colors = vertices.iter().filter_map(|&v| mesh.colors.get(v)).copied().collect();
        part
    }
}

/// The pieces that one side falls into: the shells that were cut and enclose at least `least` m³. Others stay with the one
/// nearest to them: an eye with its head.
fn pieces_of(half: &Half, least: f64) -> Vec<TriMesh> {
    let mesh = &half.mesh;
    let shells = shells(mesh);
    let was_cut =
        |shell: u32| (half.skin_triangles..mesh.triangles.len()).any(|t| shells.of_triangle[t] == shell);
    let alone = |shell: u32| shells.only(mesh, |other| other == shell);
    let large: Vec<u32> = (0..shells.count as u32)
        .filter(|&shell| was_cut(shell) && alone(shell).signed_volume().abs() >= least)
        .collect();
    let shell_of = shells.of_vertex(mesh);
    let first_vertex = |shell: u32| shell_of.iter().position(|&s| s == shell).map(|v| mesh.positions[v]);
    let nearest = |shell: u32| {
        let from = first_vertex(shell)?;
        let own = mesh.positions.iter().zip(&shell_of).filter(|(_, s)| large.contains(s));
        own.min_by(|a, b| a.0.distance_squared(from).total_cmp(&b.0.distance_squared(from))).map(|(_, &s)| s)
    };
    let owner: Vec<Option<u32>> = (0..shells.count as u32)
        .map(|shell| if large.contains(&shell) { Some(shell) } else { nearest(shell) })
        .collect();
    large.iter().map(|&shell| shells.only(mesh, |other| owner[other as usize] == Some(shell))).collect()
}
