//! Where an octree should be finer or coarser.

use super::Octree;
use crate::math::green_strain;
use crate::model::adapt::{Adapt, Adaptivity, Around, Changes, Wish};
use crate::nodes::NodeState;
use crate::sampling::CellKey;
use crate::sampling::criteria::{Now, Place};
use glam::{DVec3, Vec3};

/// How much farther something may be before what was refined for it is coarsened.
const SLACK: f32 = 1.25;
/// How much farther it may be before a body is changed for nothing else. Most of what a change costs does not depend on how many
/// cells it is of: so what is refined is all that would not be coarsened, and what is coarsened waits for more.
const PATIENCE: f32 = SLACK * SLACK;

/// From the middle of a cube to its corner, as part of its edge.
const HALF_DIAGONAL: f32 = 0.867;

impl Adapt for Octree {
    fn wishes(
        &self,
        adaptivity: &mut Adaptivity,
        nodes: &NodeState,
        scale: f32,
        around: &Around,
    ) -> (Vec<Wish>, Vec<Wish>) {
        let (mut refine, mut coarsen) = (Vec::new(), Vec::new());
        let rest = &*self.rest;
        let mut asked = Asked { adaptivity, nodes, scale, around };
        for node in 0..rest.places.len() {
            let key = rest.tree.key_of(node);
            if key.level() > 0 {
                let need = asked.need(self, key, &[node as u32], 1.0);
                if need > 1.0 + 1e-4 {
                    refine.push(Wish { need, node: node as u32, nodes: 7 });
                }
            }
        }
        if !refine.is_empty() {
            let named: Vec<u32> = refine.iter().map(|wish| wish.node).collect();
            let others = (0..rest.places.len() as u32).filter(|node| named.binary_search(node).is_err());
            for node in others {
                let key = rest.tree.key_of(node as usize);
                if key.level() > 0 && asked.need(self, key, &[node], SLACK) > 1.0 + 1e-4 {
                    refine.push(Wish { need: 1.0, node, nodes: 7 });
                }
            }
        }
        let mut changes = !refine.is_empty();
        let mut members = Vec::new();
        for (cell, &key) in (0..).zip(&rest.tree.keys) {
            if rest.tree.nodes[cell as usize].is_some() || !rest.can_be_leaf(cell) {
                continue;
            }
            members.clear();
            members.extend(rest.tree.children(cell).filter_map(|child| rest.tree.nodes[child as usize]));
            let need = asked.need(self, key, &members, SLACK);
            changes |= need <= 1.0 && asked.need(self, key, &members, PATIENCE) <= 1.0;
            coarsen.push(Wish { need, node: members[0], nodes: members.len() as u32 - 1 });
        }
        if !changes {
            coarsen.iter_mut().for_each(|wish| wish.need = wish.need.max(1.0 + 1e-4));
        }
        // One level a step: new rules are followed until nothing is left to do.
        adaptivity.fresh &= !refine.is_empty() || coarsen.iter().any(|wish| wish.need <= 1.0);
        (refine, coarsen)
    }

    fn finest_near(&self, nodes: &NodeState, near: &dyn Fn(Vec3, f32) -> bool, room: usize) -> Changes {
        let rest = &*self.rest;
        let grid = &*rest.grid;
        let (mut divide, mut room) = (Vec::new(), room);
        for node in 0..rest.places.len() {
            let key = rest.tree.key_of(node);
            if key.level() == 0 {
                continue;
            }
            let map = self.map(node);
            let stretch = map.x_axis.length().max(map.y_axis.length()).max(map.z_axis.length());
            let near = |key: CellKey| {
                let place = grid.middle(key.low(), key.edge()) - grid.centre;
                let at = nodes.positions[node] + map * (place - rest.places[node]);
                let size = key.edge() as f32 * grid.filling.cell;
                near(at, HALF_DIAGONAL * size * stretch)
            };
            let mut found = Vec::new();
            let holds = |key: CellKey| !grid.filling.is_empty(key.low().to_array(), key.edge());
            divided(key, &near, &holds, &mut found);
            let more = 7 * found.len();
            if more <= room {
                room -= more;
                divide.extend(found);
            }
        }
        Changes { divide, ..Changes::default() }
    }
}

/// What wishes are made from.
struct Asked<'a> {
    adaptivity: &'a mut Adaptivity,
    nodes: &'a NodeState,
    scale: f32,
    around: &'a Around<'a>,
}

impl Asked<'_> {
    /// How many times too large a cell is, which has or would have the material of these nodes.
    fn need(&mut self, model: &Octree, key: CellKey, members: &[u32], slack: f32) -> f32 {
        let (nodes, scale, around) = (self.nodes, self.scale, self.around);
        let grid = &*model.rest.grid;
        let size = key.edge() as f32 * grid.filling.cell;
        let position = members.iter().map(|&node| nodes.world_position(node as usize)).sum::<DVec3>();
        // What has given way does not strain any more.
        let elastic = |node: usize| model.map(node) * model.state.plastic(model.slot(node)).inverse();
        let strain = members.iter().map(|&node| green_strain(elastic(node as usize))).fold(0.0, f32::max);
        let place = Place {
            low: key.low(),
            edge: key.edge(),
            size,
            rest: grid.middle(key.low(), key.edge()) / scale,
            rest_size: size / scale,
            grid,
            now: Some(Now {
                position: position / members.len() as f64,
                strain,
                tools: around.tools,
                eye: around.eye,
            }),
        };
        size / self.adaptivity.largest(key, &place, slack).max(f32::MIN_POSITIVE)
    }
}

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
