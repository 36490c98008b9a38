//! Knife and scissors on the cursor: from rays to edges and planes.

use crate::hand::Ray;
use crate::{Marker, WorldView};
use pliant::glam::{DVec3, Vec3};
use pliant::{Body, BodyHandle, World};

/// Colour of what is about to be cut.
const COLOR: [f32; 3] = [1.0, 0.55, 0.05];
/// Colour of what a knife has swept.
const SWEPT_COLOR: [f32; 3] = [0.9, 0.25, 0.05];
/// How far a knife reaches out of what it cuts, as part of the thickness.
const MARGIN: f32 = 0.15;
/// Rays along the line of scissors that look for bodies.
const LOOKS: usize = 33;

/// The way of a knife since the button went down.
#[derive(Clone, Debug)]
pub(crate) struct Stroke {
    /// Whose depth it has.
    body: BodyHandle,
    /// Whether the cursor has been over that body.
    met: bool,
    /// Where that begins and ends along the view.
    depths: [f32; 2],
    /// The edge after each number of steps.
    way: Vec<(u64, [DVec3; 2])>,
}

impl Stroke {
    /// A stroke at the depth of the body under the cursor, or of the one nearest to it; none without bodies.
    pub fn new(world: &World, view: &WorldView, ray: Ray) -> Option<Self> {
        let hit = world.cast_ray(ray.from, ray.direction).map(|hit| hit.body);
        let body = hit.or_else(|| nearest(world, ray))?;
        let depths = depths(view, world.body(body).ok()?)?;
        Some(Self { body, met: hit.is_some(), depths, way: Vec::new() })
    }

    /// The edge along a ray after that many steps, and whether it has moved. `share` of the body's thickness is cut.
    pub fn follow(
        &mut self,
        world: &World,
        steps: u64,
        view: &WorldView,
        ray: Ray,
        share: f32,
    ) -> (bool, [DVec3; 2]) {
        if !self.met
            && let Some(hit) = world.cast_ray(ray.from, ray.direction)
        {
            // It began beside all bodies: this is the one that was meant.
            self.met = true;
            if hit.body != self.body
                && let Some(found) = world.body(hit.body).ok().and_then(|body| depths(view, body))
            {
                (self.body, self.depths) = (hit.body, found);
            }
        } else if share >= 1.0
            && let Some([near, far]) = world.body(self.body).ok().and_then(|body| depths(view, body))
        {
            // What moves meanwhile is still cut through.
            self.depths = [self.depths[0].min(near), self.depths[1].max(far)];
        }
        let [near, far] = self.depths;
        let thick = (far - near).max(1e-3 * far.abs());
        let begin = (near - MARGIN * thick).max(0.02 * far);
        let end = near + if share >= 1.0 { (1.0 + MARGIN) * thick } else { share * thick };
        let edge = [ray.at(begin), ray.at(end.max(begin))];
        let moved = self.way.last().is_none_or(|(_, last)| *last != edge);
        let begun = self.way.len() > 1;
        // Between two steps a knife goes straight.
        match self.way.last_mut() {
            _ if !moved => {}
            Some((at, last)) if *at == steps && begun => *last = edge,
            _ => self.way.push((steps, edge)),
        }
        (moved, edge)
    }

    /// The edge and what it has swept.
    pub fn signs(&self, view: &WorldView, ray: Ray) -> Vec<Marker> {
        let place = |at: DVec3| (at - view.origin).as_vec3();
        let fine = |at: DVec3| 0.8 * ray.pixel * view.depth(at).max(0.0);
        let line = |from: DVec3, to: DVec3, wide: f32, color| Marker::Line {
            from: place(from),
            to: place(to),
            radius: wide * fine(from),
            color,
        };
        let mut signs = Vec::new();
        for pair in self.way.windows(2) {
            let [[a, b], [c, d]] = [pair[0].1, pair[1].1];
            signs.extend([line(a, c, 2.0, SWEPT_COLOR), line(b, d, 1.0, SWEPT_COLOR)]);
            signs.push(line(a, b, 0.6, SWEPT_COLOR));
        }
        signs.extend(self.way.last().map(|(_, [a, b])| line(*a, *b, 3.0, COLOR)));
        signs
    }
}

/// A line across the picture that scissors cut along.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Snip {
    /// Where it begins.
    pub from: Ray,
    /// Where it ends.
    pub to: Ray,
}

impl Snip {
    /// The plane through the eye and both ends; none for a line without length.
    pub fn plane(&self) -> Option<(DVec3, Vec3)> {
        let normal = self.from.direction.cross(self.to.direction).try_normalize()?;
        Some((self.to.from, normal))
    }

    /// The bodies under the line.
    pub fn bodies(&self, world: &World) -> Vec<BodyHandle> {
        let mut found = Vec::new();
        for look in 0..LOOKS {
            let share = look as f32 / (LOOKS - 1) as f32;
            let direction = self.from.direction.lerp(self.to.direction, share);
            if let Some(hit) = world.cast_ray(self.to.from, direction)
                && !found.contains(&hit.body)
            {
                found.push(hit.body);
            }
        }
        found
    }

    /// The line, the plane behind it, and where that goes through skins: of bodies under the line, or of all.
    pub fn signs(&self, world: &World, view: &WorldView, all: bool) -> Vec<Marker> {
        let Some((point, normal)) = self.plane() else { return Vec::new() };
        let distance = view.view.camera.distance();
        let cut = if all { world.bodies().map(|(body, _)| body).collect() } else { self.bodies(world) };
        let bodies = cut.iter().filter_map(|&body| world.body(body).ok());
        let reach = bodies.clone().filter_map(|body| depths(view, body));
        let [near, far] =
            reach.reduce(|a, b| [a[0].min(b[0]), a[1].max(b[1])]).unwrap_or([0.7 * distance, 1.3 * distance]);
        let margin = MARGIN * (far - near);
        let (near, far) = ((near - margin).max(0.02 * far), far + margin);
        let place = |at: DVec3| (at - view.origin).as_vec3();
        let pixel = self.to.pixel;
        let corners = [self.from.at(near), self.to.at(near), self.to.at(far), self.from.at(far)].map(place);
        let side = |i: usize, depth: f32| Marker::Line {
            from: corners[i],
            to: corners[(i + 1) % 4],
            radius: 1.2 * pixel * depth,
            color: COLOR,
        };
        let mut signs = vec![side(0, near), side(1, near), side(2, far), side(3, near)];
        for body in bodies {
            let radius = 1.5 * pixel * view.depth(body.center_of_mass()).max(near);
            let offset = place(body.nodes.origin);
            let line = |[from, to]: [Vec3; 2]| Marker::Line {
                from: from + offset,
                to: to + offset,
                radius,
                color: SWEPT_COLOR,
            };
            signs.extend(section(body, (point - body.nodes.origin).as_vec3(), normal).map(line));
        }
        signs
    }
}

/// Where a plane goes through the skin of a body, triangle by triangle.
fn section(body: &Body, point: Vec3, normal: Vec3) -> impl Iterator<Item = [Vec3; 2]> {
    let skin = &body.skin().positions;
    body.rest().mesh.triangles.iter().filter_map(move |triangle| {
        let corners = triangle.map(|vertex| skin[vertex as usize]);
        let heights = corners.map(|corner| (corner - point).dot(normal));
        let mut ends = [0, 1, 2].into_iter().filter_map(|i| {
            let (a, b) = (heights[i], heights[(i + 1) % 3]);
            ((a < 0.0) != (b < 0.0)).then(|| corners[i].lerp(corners[(i + 1) % 3], a / (a - b)))
        });
        Some([ends.next()?, ends.next()?])
    })
}

/// Where a body begins and ends along the view.
fn depths(view: &WorldView, body: &Body) -> Option<[f32; 2]> {
    let eye = view.origin + view.view.camera.eye.as_dvec3();
    let camera = &view.view.camera;
    let forward = (camera.target - camera.eye).try_normalize()?;
    let offset = (body.nodes.origin - eye).as_vec3();
    let all = body.skin().positions.iter().map(|p| (*p + offset).dot(forward)).filter(|d| d.is_finite());
    let found = all.map(|d| [d, d]).reduce(|a, b| [a[0].min(b[0]), a[1].max(b[1])])?;
    (found[1] > 0.0).then_some(found)
}

/// The body that a ray passes nearest to.
fn nearest(world: &World, ray: Ray) -> Option<BodyHandle> {
    let off = |body: &Body| {
        let to = (body.center_of_mass() - ray.from).as_vec3();
        let along = to.dot(ray.direction) / ray.direction.length_squared();
        (along > 0.0).then(|| (to - ray.direction * along).length() - body.rest().nodes.radius)
    };
    let known = world.bodies().filter_map(|(handle, body)| Some((handle, off(body)?)));
    known.min_by(|a, b| a.1.total_cmp(&b.1)).map(|(handle, _)| handle)
}
