//! The signs of each overlay.

use super::{CONTACT_COLOR, PINNED_COLOR, cluster_color, distance_color, level_color, strain_color};
use crate::{Marker, WorldView};
use pliant::glam::Vec3;
use pliant::math::functions::cbrt;
use pliant::model::Level;
use pliant::{Body, BodyHandle, Contact, Tool, World};

/// Adds the signs of one body.
pub(super) struct Signs<'a> {
    body: &'a Body,
    markers: &'a mut Vec<Marker>,
    /// The body's origin in the picture.
    offset: Vec3,
    /// Half width of a fine line, in metres: about half a pixel.
    fine: f32,
    /// Where the eye looks, and where the body begins and ends along that.
    forward: Vec3,
    depths: [f32; 2],
}

/// What lines fade into that are at a body's far side.
const FAR_COLOR: Vec3 = Vec3::new(0.66, 0.70, 0.75);

/// The nodes of a body that pins hold, sorted.
pub(super) fn pinned(world: &World, handle: BodyHandle) -> Vec<u32> {
    let mut held: Vec<u32> = world
        .tools()
        .filter_map(|(_, tool)| match tool {
            Tool::Pin(pin) if pin.body == handle => Some(pin.held().map(|(node, _)| node)),
            _ => None,
        })
        .flatten()
        .collect();
    held.sort_unstable();
    held
}

/// The node with a region that is nearest to the view's focus, or to the eye.
pub(super) fn focused<'a>(world: &'a World, view: &WorldView) -> Option<(&'a Body, usize)> {
    let focus = view.focus.unwrap_or(view.origin + view.view.camera.eye.as_dvec3());
    let regions = |body: &&Body| !body.region(0).is_empty();
    let nodes = world.bodies().map(|(_, body)| body).filter(regions).flat_map(|body| {
        let away = move |node: usize| body.nodes.world_position(node).distance_squared(focus);
        (0..body.nodes.positions.len()).map(move |node| (body, node, away(node)))
    });
    nodes.min_by(|a, b| a.2.total_cmp(&b.2)).map(|(body, node, _)| (body, node))
}

impl<'a> Signs<'a> {
    pub fn new(view: &WorldView, body: &'a Body, markers: &'a mut Vec<Marker>) -> Self {
        let offset = (body.nodes.origin - view.origin).as_vec3();
        let camera = &view.view.camera;
        let forward = (camera.target - camera.eye).normalize_or(Vec3::NEG_Z);
        let nodes = body.nodes.positions.iter().map(|p| p.dot(forward));
        let depths = nodes.fold([f32::INFINITY, f32::NEG_INFINITY], |[a, b], d| [a.min(d), b.max(d)]);
        Self { body, markers, offset, fine: 5e-4 * camera.distance(), forward, depths }
    }

    /// A colour as it is at the near side of the body, and paler toward its far side: lines through each other are told apart so.
    fn faded(&self, color: [f32; 3], at: Vec3) -> [f32; 3] {
        let [near, far] = self.depths;
        let share = (at - self.offset).dot(self.forward) - near;
        let share = (share / (far - near).max(f32::MIN_POSITIVE)).clamp(0.0, 1.0);
        Vec3::from(color).lerp(FAR_COLOR, 0.8 * share).to_array()
    }

    fn place(&self, node: u32) -> Vec3 {
        self.offset + self.body.nodes.positions[node as usize]
    }

    fn ball(&mut self, centre: Vec3, radius: f32, color: [f32; 3]) {
        self.markers.push(Marker::Ball { centre, radius, color });
    }

    fn line(&mut self, from: Vec3, to: Vec3, radius: f32, color: [f32; 3]) {
        self.markers.push(Marker::Line { from, to, radius, color });
    }

    pub fn nodes(&mut self, pinned: &[u32], color: [f32; 3]) {
        let dark = color.map(|c| 0.55 * c);
        for node in 0..self.body.nodes.positions.len() as u32 {
            let radius = 0.2 * self.body.spacing(node as usize);
            let (radius, color) = if pinned.binary_search(&node).is_ok() {
                (1.15 * radius, PINNED_COLOR)
            } else {
                (radius, dark)
            };
            self.ball(self.place(node), radius, color);
        }
    }

    pub fn cells(&mut self) {
        for node in 0..self.body.nodes.positions.len() {
            let Some(cell) = self.body.cell(node) else { return };
            // Among its like it would only hide the others.
            if cell.enclosed {
                continue;
            }
            // A little smaller than it is: so the edges of neighbours do not hide each other.
            let half = cell.half_edges * 0.95;
            let middle = self.offset + cell.middle;
            let radius = (0.012 * cell.size).max(self.fine);
            let color = self.faded(level_color(cell.level), middle);
            let corner = |x: f32, y: f32, z: f32| middle + half * Vec3::new(x, y, z);
            for (s, t) in [(-1.0, -1.0), (-1.0, 1.0), (1.0, -1.0), (1.0, 1.0)] {
                self.line(corner(-1.0, s, t), corner(1.0, s, t), radius, color);
                self.line(corner(s, -1.0, t), corner(s, 1.0, t), radius, color);
                self.line(corner(s, t, -1.0), corner(s, t, 1.0), radius, color);
            }
        }
    }

    pub fn graph(&mut self) {
        let level = |node: u32| self.body.cell(node as usize).map_or(0, |cell| cell.level);
        let levels: Vec<u32> = (0..self.body.nodes.positions.len() as u32).map(level).collect();
        for [a, b] in self.body.edges() {
            let (from, to) = (self.place(a), self.place(b));
            let color = level_color(levels[a as usize].max(levels[b as usize]));
            self.line(from, to, self.fine, self.faded(color, (from + to) * 0.5));
        }
    }

    pub fn region(&mut self, node: usize) {
        let members = self.body.region(node);
        let farthest = members.last().map_or(0.0, |member| member.1).max(f32::MIN_POSITIVE);
        let middle = self.place(node as u32);
        for &(member, distance) in &members {
            let (at, color) = (self.place(member), distance_color(distance / farthest));
            let share = if member as usize == node { 0.4 } else { 0.22 };
            self.ball(at, share * self.body.spacing(member as usize), color);
            self.line(middle, at, 1.2 * self.fine, color);
        }
    }

    pub fn clusters(&mut self) {
        for node in 0..self.body.nodes.positions.len() {
            let sets = self.body.model.sets_of(node);
            if sets.is_empty() {
                continue;
            }
            let color: Vec3 =
                sets.iter().map(|&(set, share)| Vec3::from(cluster_color(set as usize)) * share).sum();
            self.ball(self.place(node as u32), 0.3 * self.body.spacing(node), color.to_array());
        }
    }

    pub fn contacts(&mut self, contacts: &[Contact]) {
        for contact in contacts {
            let at = self.offset + contact.point;
            let size = (0.12 * self.body.spacing(contact.node as usize)).max(3.0 * self.fine);
            self.ball(at, size, CONTACT_COLOR);
            self.line(at, at + contact.normal * (6.0 * size), 0.35 * size, CONTACT_COLOR);
        }
    }
    /// The regions of a level, or of the coarsest there is.
    pub fn energy(&mut self, levels: &[Level], level: u32) {
        let Some(level) = levels.get(level as usize).or(levels.last()) else { return };
        for region in level.regions.iter().filter(|region| region.volume > 0.0) {
            let middle = self.offset + region.middle;
            // Balls of full cells nearly touch.
            self.ball(middle, 0.45 * cbrt(region.volume), strain_color(level.strain(region)));
        }
    }
}
