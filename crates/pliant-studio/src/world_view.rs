//! A world as the renderer sees it.

use crate::{COLLIDER_COLOR, Camera, Item, Marker, Picture, PictureError, View, body_color, render, shapes};
use pliant::glam::{DVec3, Vec3};
use pliant::{Body, Collider, Shape, Tool, TriMesh, World};

/// Draws worlds from one place.
///
/// Everything is drawn relative to the point looked at, so that a scene far from zero looks like one beside it.
#[derive(Clone, Copy, Debug)]
pub struct WorldView {
    /// World position of the picture's zero.
    pub origin: DVec3,
    /// Camera and lights, relative to `origin`.
    pub view: View,
}

/// Colour of picks and pins.
const TOOL_COLOR: [f32; 3] = [0.8, 0.05, 0.05];

impl WorldView {
    /// Looks from `eye` at `target`, or, without them, at all bodies of the world from the front.
    pub fn new(world: &World, from: Option<(DVec3, DVec3, f32)>) -> Self {
        let floors = world.colliders().filter(|(_, collider)| is_floor(collider));
        let floor = floors.map(|(_, collider)| collider.position.y).reduce(f64::max);
        let (origin, camera) = match from {
            Some((eye, target, fov_y_radians)) => {
                (target, Camera { eye: (eye - target).as_vec3(), target: Vec3::ZERO, fov_y_radians })
            }
            None => {
                let (mut lo, hi) = extent(world);
                // What hangs over a floor falls on it, unless that is far below.
                let reach = 3.0 * (hi - lo).max_element();
                if let Some(floor) = floor.filter(|floor| (lo.y - reach..lo.y).contains(floor)) {
                    lo.y = floor;
                }
                let middle = (lo + hi) * 0.5;
                // Bodies fall and roll: some room around them.
                let half = ((hi - lo) * DVec3::new(0.7, 0.55, 0.6)).as_vec3();
                (middle, Camera::framing(-half, half))
            }
        };
        let floor = floor.map(|height| (height - origin.y) as f32);
        Self { origin, view: View { floor, ..View::new(camera) } }
    }

    /// Draws the world as it is now.
    ///
    /// # Errors
    /// If the size is zero or too large.
    pub fn draw(&self, world: &World, width: usize, height: usize) -> Result<Picture, PictureError> {
        let bodies: Vec<(Vec<Vec3>, &Body)> =
            world.bodies().map(|(_, body)| (self.positions(body), body)).collect();
        let colliders: Vec<TriMesh> =
            world.colliders().filter_map(|(_, collider)| self.collider_mesh(collider)).collect();
        let mut items: Vec<Item> = colliders.iter().map(|mesh| shapes::item(mesh, COLLIDER_COLOR)).collect();
        items.extend(bodies.iter().enumerate().map(|(i, (positions, body))| {
            let mesh = &body.rest().mesh;
            Item {
                positions,
                normals: &body.skin().normals,
                triangles: &mesh.triangles,
                colors: (!mesh.colors.is_empty()).then_some(&mesh.colors[..]),
                color: body_color(i),
            }
        }));
        let markers: Vec<Marker> = world.tools().flat_map(|(_, tool)| self.markers(world, tool)).collect();
        render(&self.view, &items, &markers, width, height)
    }

    fn positions(&self, body: &Body) -> Vec<Vec3> {
        let offset = (body.nodes.origin - self.origin).as_vec3();
        body.skin().positions.iter().map(|p| *p + offset).collect()
    }

    fn collider_mesh(&self, collider: &Collider) -> Option<TriMesh> {
        let centre = (collider.position - self.origin).as_vec3();
        let mesh = match collider.shape {
            // The floor is part of the view; a tilted plane is shown as a plate below its surface.
            Shape::Plane if is_floor(collider) => return None,
            Shape::Plane => {
                let half = Vec3::new(1.0, 0.01, 1.0) * self.view.camera.eye.length();
                shapes::cuboid(centre - collider.rotation * Vec3::Y * half.y, half, collider.rotation)
            }
            Shape::Sphere { radius } => shapes::sphere(centre, radius, 48),
            Shape::Box { half } => shapes::cuboid(centre, half, collider.rotation),
            Shape::Capsule { radius, half_height } => {
                let end: Vec3 = collider.rotation * (Vec3::Y * half_height);
                shapes::capsule(centre - end, centre + end, radius, 32)
            }
        };
        Some(mesh)
    }

    fn markers(&self, world: &World, tool: &Tool) -> Vec<Marker> {
        let size = 0.008 * (self.view.camera.eye - self.view.camera.target).length();
        let ball = |at: DVec3, radius| Marker::Ball {
            centre: (at - self.origin).as_vec3(),
            radius,
            color: TOOL_COLOR,
        };
        match tool {
            Tool::Pick(pick) => {
                let mut markers = vec![ball(pick.target, 1.3 * size)];
                if let Ok(body) = world.body(pick.body) {
                    markers.push(Marker::Line {
                        from: (pick.target - self.origin).as_vec3(),
                        to: (body.vertex_position(pick.vertex as usize) - self.origin).as_vec3(),
                        radius: 0.4 * size,
                        color: TOOL_COLOR,
                    });
                }
                markers
            }
            Tool::Push(push) => vec![ball(push.center, push.radius)],
            Tool::Pin(pin) => pin.held().map(|(_, at)| ball(at, 0.5 * size)).collect(),
            Tool::Wind(_) => Vec::new(),
        }
    }
}

/// A plane that is level, but for rounding.
fn is_floor(collider: &Collider) -> bool {
    collider.shape == Shape::Plane && (collider.rotation * Vec3::Y).y > 0.999
}

/// The box around all bodies, or a metre around zero.
fn extent(world: &World) -> (DVec3, DVec3) {
    let points = world.bodies().flat_map(|(_, body)| {
        body.skin().positions.iter().map(|p| body.nodes.origin + p.as_dvec3()).filter(|p| p.is_finite())
    });
    points.map(|p| (p, p)).reduce(|a, b| (a.0.min(b.0), a.1.max(b.1))).unwrap_or((DVec3::NEG_ONE, DVec3::ONE))
}
