//! A world as the renderer sees it.

use crate::collider_meshes::{ColliderMeshes, is_floor};
use crate::kin::{self, Colors};
use crate::overlay::{self, Overlays};
use crate::{COLLIDER_COLOR, Camera, Drawing, Item, Marker, Picture, PictureError, View, shapes};
use pliant::glam::{DVec3, Vec3};
use pliant::{Body, Tool, TriMesh, World};
use std::sync::Arc;

/// Draws worlds from one place.
///
/// Everything is drawn relative to the point looked at, so that a scene far from zero looks like one beside it.
#[derive(Clone, Debug)]
pub struct WorldView {
    /// World position of the picture's zero.
    pub origin: DVec3,
    /// Camera and lights, relative to `origin`.
    pub view: View,
    /// What is drawn beside skins, colliders and tools.
    pub overlays: Overlays,
    /// Signs that show what the cursor is about to do.
    pub cursor: Vec<Marker>,
    /// World position of what is explained: the overlay of regions shows that of the node nearest to it. The eye unless given.
    pub focus: Option<DVec3>,
    colliders: ColliderMeshes,
    markers: Vec<Marker>,
    /// For each body a colour a vertex, or nothing.
    tints: Vec<Vec<[f32; 4]>>,
    pub(crate) colors: Colors,
    /// Colours of meshes with cut faces.
    faces: Vec<Faces>,
}

/// The colours of a mesh with cut faces.
#[derive(Clone, Debug)]
struct Faces {
    mesh: Arc<TriMesh>,
    /// That of the body.
    color: [f32; 3],
    /// One a vertex.
    colors: Vec<[f32; 4]>,
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
        Self {
            origin,
            view: View { floor, ..View::new(camera) },
            overlays: Overlays::default(),
            cursor: Vec::new(),
            focus: None,
            colliders: ColliderMeshes::default(),
            markers: Vec::new(),
            tints: Vec::new(),
            colors: Colors::default(),
            faces: Vec::new(),
        }
    }

    /// Draws the world as it is now with the software renderer.
    ///
    /// # Errors
    /// If the size is zero or too large.
    pub fn draw(&mut self, world: &World, width: usize, height: usize) -> Result<Picture, PictureError> {
        self.drawing(world).render(width, height)
    }

    /// What there is to draw of the world as it is now.
    pub fn drawing<'a>(&'a mut self, world: &'a World) -> Drawing<'a> {
        self.colliders.meet(world, self.view.camera.distance());
        self.colors.meet(world);
        self.color_faces(world);
        let mut markers = std::mem::take(&mut self.markers);
        markers.clear();
        markers.extend(world.tools().flat_map(|(_, tool)| self.tool_markers(world, tool)));
        overlay::add_markers(world, self, &mut markers);
        markers.extend_from_slice(&self.cursor);
        self.markers = markers;
        self.tints.clear();
        self.tints.extend(world.bodies().map(|(_, body)| overlay::tint(body, &self.overlays)));

        let this = &*self;
        let colliders = world.colliders().filter_map(|(_, collider)| {
            let known = this.colliders.of(collider)?;
            let (positions, normals) = known.points();
            let offset = (collider.position - this.origin).as_vec3();
            let item = shapes::item(&known.mesh, COLLIDER_COLOR);
            Some(Item { positions, normals, offset, mesh: Some(&known.mesh), ..item })
        });
        let bodies = world.bodies().zip(&this.tints);
        let bodies = bodies.map(|((handle, body), tint)| this.body_item(body, tint, this.colors.of(handle)));
        Drawing { view: this.view, items: colliders.chain(bodies).collect(), markers: &this.markers }
    }

    fn body_item<'a>(&'a self, body: &'a Body, tint: &'a [[f32; 4]], color: [f32; 3]) -> Item<'a> {
        let mesh = &body.rest().mesh;
        let faces = self.faces.iter().find(|of| Arc::ptr_eq(&of.mesh, mesh) && of.color == color);
        let own = faces.map(|of| &of.colors).filter(|colors| !colors.is_empty()).unwrap_or(&mesh.colors);
        let colors = if tint.is_empty() { own } else { tint };
        Item {
            positions: &body.skin().positions,
            normals: &body.skin().normals,
            triangles: &mesh.triangles,
            colors: (!colors.is_empty()).then_some(colors),
            color,
            offset: (body.nodes.origin - self.origin).as_vec3(),
            mesh: Some(mesh),
            ghost: self.overlays.show_inside(),
        }
    }

    /// Colours the cut faces of meshes that are new, and forgets those that are gone.
    fn color_faces(&mut self, world: &World) {
        let mut known = std::mem::take(&mut self.faces);
        for (handle, body) in world.bodies().filter(|(_, body)| !body.rest().mesh.triangle_paints.is_empty())
        {
            let (mesh, color) = (&body.rest().mesh, self.colors.of(handle));
            let found = known.iter().position(|of| Arc::ptr_eq(&of.mesh, mesh) && of.color == color);
            self.faces.push(match found {
                Some(index) => known.swap_remove(index),
                None => Faces { mesh: mesh.clone(), color, colors: kin::cut_faces(body, color) },
            });
        }
    }

    fn tool_markers(&self, world: &World, tool: &Tool) -> Vec<Marker> {
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
            Tool::Knife(knife) => vec![Marker::Line {
                from: (knife.edge[0] - self.origin).as_vec3(),
                to: (knife.edge[1] - self.origin).as_vec3(),
                radius: 0.3 * size,
                color: TOOL_COLOR,
            }],
            Tool::Attachment(attachment) => {
                let [Ok(a), Ok(b)] = attachment.bodies.map(|body| world.body(body)) else {
                    return Vec::new();
                };
                attachment.places([a, b]).map(|[at, _]| ball(at, 0.5 * size)).collect()
            }
            Tool::Wind(_) => Vec::new(),
        }
    }
}

/// The box around all bodies, or a metre around zero.
fn extent(world: &World) -> (DVec3, DVec3) {
    let points = world.bodies().flat_map(|(_, body)| {
        body.skin().positions.iter().map(|p| body.nodes.origin + p.as_dvec3()).filter(|p| p.is_finite())
    });
    points.map(|p| (p, p)).reduce(|a, b| (a.0.min(b.0), a.1.max(b.1))).unwrap_or((DVec3::NEG_ONE, DVec3::ONE))
}
