//! The skin of a body that was cut: the surface of its splitting cubes, carried by the nodes of each vertex's own component.
//!
//! Where all nodes of a component are finest cells, they carry the vertex, \[PGCS06\] §6: one at an edge, up to four in a face or
//! in the middle of a flat cut. Beside large cells, where that would kink, the nearest of them is its home and those joined to
//! it help, as in any other skin, if they are on its side of the surface.

use super::outside::Outside;
use super::splitting_cubes::{Cubes, Drawn, Vertex, component};
use super::{BONDS, Binder, Binding, Bond, Bonds, Cells};
use crate::geometry::{Paint, TriMesh, is_closed};
use crate::math::functions::square;
use glam::{IVec3, Vec3};
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// The surface of a body that was cut.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct CutSurface {
    /// Where it is crossed.
    pub cubes: Cubes,
    /// What each vertex of the mesh moves with.
    pub sides: Vec<Side>,
    /// Whether it is closed and oriented, vertex by vertex.
    pub closed: bool,
    pub(crate) outside: Arc<Outside>,
}

/// What a vertex moves with.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Side {
    /// The low node of a cube that has the vertex.
    pub cube: IVec3,
    /// Its component, a bit for each of that cube's nodes.
    pub nodes: u8,
    /// The sum of the normals around it, away from its material: none where two sheets meet at the front of a cut.
    pub outward: Vec3,
}

impl CutSurface {
    /// The surface of a grid, and its mesh; `before` is the mesh before, if that was one of cuts, `paint` that of cut faces.
    pub(crate) fn new(
        mut cubes: Cubes,
        outside: Arc<Outside>,
        before: Option<&TriMesh>,
        paint: &Paint,
    ) -> (Self, TriMesh) {
        cubes.refresh();
        let surface = cubes.surface();
        let mut outward = vec![Vec3::ZERO; surface.vertices.len()];
        for quad in &surface.quads {
            quad.corners.iter().for_each(|&vertex| outward[vertex as usize] += quad.normal);
        }
        let Drawn { mut mesh, vertex_of } = surface.to_mesh();
        mesh.name.clone_from(&outside.mesh.name);
        outside.give_paints(&mut mesh, before, paint);
        outside.paint(&mut mesh, before);
        let side = |&vertex: &u32| {
            let Vertex { cube, nodes, .. } = surface.vertices[vertex as usize];
            Side { cube, nodes, outward: outward[vertex as usize] }
        };
        let sides = vertex_of.iter().map(side).collect();
        let around = |[a, b, c, d]: [u32; 4]| [[a, b], [b, c], [c, d], [d, a]];
        let closed = is_closed(surface.quads.iter().flat_map(|quad| around(quad.corners)));
        (Self { cubes, sides, closed, outside }, mesh)
    }

    /// What carries the vertices, given which vertex of `before` each was, and what carried those: what has not changed is not
    /// looked for again. `kept` gives what each node before is now, if it is still the same in all that matters.
    pub(crate) fn bind(
        &self,
        vertices: &[Vec3],
        cells: &(impl Cells + Sync + ?Sized),
        before: &Binding,
        was: &(dyn Fn(usize) -> Option<usize> + Sync),
        kept: &(dyn Fn(u32) -> Option<u32> + Sync),
    ) -> Binding {
        Binding::made(vertices.len(), &|binder, vertex| {
            let known = was(vertex).and_then(|was| before.carried_over(was, kept));
            known.unwrap_or_else(|| carry(&self.sides[vertex], vertices[vertex], cells, binder))
        })
    }

    /// The pairs of nodes in cells that its cuts part, of which at least one is new.
    pub(crate) fn parted_among(&self, cells: &dyn Cells, is_new: &dyn Fn(u32) -> bool) -> Vec<(u32, u32)> {
        let new = |cell: IVec3| cells.node_in(cell).is_some_and(is_new);
        let crossed = self.cubes.iter().filter(|(.., crossing)| crossing.cut);
        let crossed: Vec<(IVec3, usize)> = crossed
            .map(|(low, axis, _)| (low, axis))
            .filter(|&(low, axis)| new(low) || new(low + IVec3::AXES[axis]))
            .collect();
        super::parted(cells, &self.cubes, crossed.iter().copied())
    }

    /// For each vertex the one of `before` that is in the same place and moves with the same nodes of the grid.
    pub(crate) fn same_as(&self, vertices: &[Vec3], before: &Self, places: &[Vec3]) -> Vec<Option<usize>> {
        let key = |(side, place): (&Side, &Vec3)| (side.cube, side.nodes, place.to_array().map(f32::to_bits));
        let known: FxHashMap<_, usize> = before.sides.iter().zip(places).map(key).zip(0..).collect();
        self.sides.iter().zip(vertices).map(|vertex| known.get(&key(vertex)).copied()).collect()
    }
}

/// The home of a vertex and what carries it.
fn carry(side: &Side, vertex: Vec3, cells: &(impl Cells + ?Sized), binder: &mut Binder) -> (u32, Bonds) {
    let mut nodes = [0; 8];
    let mut count = 0;
    let mut large = false;
    for node in component(side.cube, side.nodes).filter_map(|cell| cells.node_in(cell)) {
        if !nodes[..count].contains(&node) {
            nodes[count] = node;
            count += 1;
            large |= cells.cube(node).1 > 1;
        }
    }
    let nodes = &mut nodes[..count];
    let away = |&node: &u32| cells.place(node).distance_squared(vertex) / square(cells.size(node));
    nodes.sort_by(|a, b| away(a).total_cmp(&away(b)).then(a.cmp(b)));
    let nearest = || (0..cells.count() as u32).min_by(|a, b| away(a).total_cmp(&away(b)));
    let home = nodes.first().copied().or_else(nearest).unwrap_or(0);
    if large || nodes.is_empty() {
        let own_side = |node: u32| side.outward.dot(cells.place(node) - vertex) <= 0.0;
        return (home, binder.carry_where(cells, home, vertex, own_side));
    }
    let weight = |node: &u32| 1.0 / away(node).max(1e-4);
    let nodes = &nodes[..count.min(BONDS)];
    let sum: f32 = nodes.iter().map(weight).sum();
    (home, Bonds::new(nodes.iter().map(|node| Bond { node: *node, weight: weight(node) / sum })))
}
