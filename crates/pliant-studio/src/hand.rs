//! Tools on the cursor: from a ray through the picture to what is done to the world.

use crate::blades::{Snip, Stroke};
use crate::session::{Input, InputError, Session};
use crate::{Marker, WorldView};
use pliant::glam::{DVec3, Vec2, Vec3};
use pliant::{BodyHandle, PickSettings, Push, Tool, ToolHandle, Wind};
use serde::{Deserialize, Serialize};

/// What the left button does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum ToolKind {
    /// Pulls at a body with a spring.
    #[default]
    Pick,
    /// Pushes with a ball.
    Push,
    /// Holds nodes in place.
    Pin,
    /// Blows.
    Wind,
    /// Cuts along its way.
    Knife,
    /// Cut along a plane.
    Scissors,
}

impl ToolKind {
    /// All of them, in the order of their keys.
    pub const ALL: [Self; 6] = [Self::Pick, Self::Push, Self::Pin, Self::Wind, Self::Knife, Self::Scissors];

    /// The tool's word.
    pub fn name(self) -> &'static str {
        match self {
            Self::Pick => "pick",
            Self::Push => "push",
            Self::Pin => "pin",
            Self::Wind => "wind",
            Self::Knife => "knife",
            Self::Scissors => "scissors",
        }
    }

    /// How it is used.
    pub fn help(self) -> &'static str {
        match self {
            Self::Pick => {
                "Drag a body; the wheel moves it nearer or farther, L locks it there. A locked one can be taken again."
            }
            Self::Push => "Drag a ball against bodies; the wheel moves it nearer or farther.",
            Self::Pin => {
                "Click a body to hold it there, drag to move what is held, click a pin to take it away."
            }
            Self::Wind => "Drag: the wind blows that way, the farther the stronger; L lets it blow on.",
            Self::Knife => {
                "Drag through a body: what the knife goes through is cut; the wheel makes it cut less deep or deeper."
            }
            Self::Scissors => {
                "Drag a line: bodies under it are cut in two along it; with Shift, all that it would go through."
            }
        }
    }
}

/// A ray from the eye through a point of the picture.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ray {
    /// The eye.
    pub from: DVec3,
    /// Away from the eye; its length along the view is one.
    pub direction: Vec3,
    /// Metres that a pixel covers at a distance of one along the view.
    pub pixel: f32,
}

impl Ray {
    /// The point that far along the view.
    pub fn at(&self, depth: f32) -> DVec3 {
        self.from + (self.direction * depth).as_dvec3()
    }
}

/// The tool on the cursor, and what it is doing.
#[derive(Clone, Debug)]
pub struct Hand {
    /// Which tool.
    pub kind: ToolKind,
    /// How picks pull.
    pub pick: PickSettings,
    /// Radius of the ball that pushes and of the patch that is pinned, as part of the distance to what is looked at.
    pub size: f32,
    /// Wind in m/s for a drag across the whole height of the picture.
    pub wind_speed: f32,
    /// How deep a knife cuts, as part of a body's thickness; 1 goes through.
    pub knife_depth: f32,
    /// Whether scissors cut all that their plane goes through, not only what is under the line.
    pub cuts_all: bool,
    /// Since the button went down.
    drag: Option<Drag>,
    stroke: Option<Stroke>,
    snip: Option<Snip>,
}

#[derive(Clone, Copy, Debug)]
struct Drag {
    /// How far along the view what is dragged is.
    depth: f32,
    /// Where the button went down.
    start: DVec3,
    /// Where what is held was then.
    held: DVec3,
    /// Whether a click takes the pin away that is under it.
    click: Option<ToolHandle>,
    moved: bool,
}

impl Default for Hand {
    fn default() -> Self {
        Self {
            kind: ToolKind::Pick,
            pick: PickSettings::default(),
            size: 0.06,
            wind_speed: 20.0,
            knife_depth: 1.0,
            cuts_all: false,
            drag: None,
            stroke: None,
            snip: None,
        }
    }
}

/// Pixels around a locked pick or a pin in which it can be taken.
const REACH_PIXELS: f32 = 12.0;
/// How deep a knife cuts at least, as part of a body's thickness.
pub(crate) const LEAST_DEPTH: f32 = 0.05;

impl Hand {
    /// With a tool.
    pub fn new(kind: ToolKind) -> Self {
        Self { kind, ..Self::default() }
    }

    /// Holds nothing any more: what it held is gone.
    pub fn forget(&mut self) {
        (self.drag, self.stroke, self.snip) = (None, None, None);
    }

    /// Whether the button is down.
    pub fn is_busy(&self) -> bool {
        self.drag.is_some()
    }

    /// The button goes down. Returns whether the tool found something to do: if not, the drag may turn the view.
    ///
    /// # Errors
    /// If what it found cannot be done.
    pub fn press(&mut self, session: &mut Session, view: &WorldView, ray: Ray) -> Result<bool, InputError> {
        let depth_of = |place: DVec3| view.depth(place);
        let hit = session.world().cast_ray(ray.from, ray.direction);
        let hit_depth = hit.map_or(f32::INFINITY, |hit| depth_of(hit.position));
        let begin = |at: DVec3, held: DVec3, click| {
            Some(Drag { depth: depth_of(at), start: at, held, click, moved: false })
        };
        match self.kind {
            ToolKind::Pick => {
                if let Some((tool, at)) = near(session, ray, hit_depth, |tool| matches!(tool, Tool::Pick(_)))
                {
                    session.apply(Input::Hold(tool))?;
                    self.drag = begin(at, at, None);
                } else if let Some(hit) = hit {
                    session.apply(Input::Pick { body: hit.body, vertex: hit.vertex, settings: self.pick })?;
                    let held = session.held().and_then(|held| session.world().tool(held).ok()?.position());
                    // The vertex is near the cursor, not under it: what is dragged is the difference.
                    self.drag = begin(hit.position, held.unwrap_or(hit.position), None);
                }
            }
            ToolKind::Push => {
                let radius = self.radius(view);
                // In front of what is under the cursor, or at the distance of what is looked at.
                let depth =
                    hit.map_or(view.view.camera.distance(), |hit| depth_of(hit.position) - 1.2 * radius);
                let at = ray.at(depth.max(radius));
                session.apply(Input::Push(Push::new(at, radius)))?;
                self.drag = begin(at, at, None);
            }
            ToolKind::Pin => {
                if let Some((tool, at)) = near(session, ray, hit_depth, |tool| matches!(tool, Tool::Pin(_))) {
                    let moved = session.world().tool(tool).ok().and_then(Tool::position).unwrap_or_default();
                    session.apply(Input::Hold(tool))?;
                    self.drag = begin(at, moved, Some(tool));
                } else if let Some(hit) = hit {
                    let (center, radius) = self.patch(session, view, hit.body, hit.vertex);
                    session.apply(Input::Pin { body: hit.body, center, radius })?;
                    self.drag = begin(hit.position, DVec3::ZERO, None);
                }
            }
            ToolKind::Wind => {
                let at = ray.at(view.view.camera.distance());
                self.drag = begin(at, at, None);
            }
            ToolKind::Knife => {
                if let Some(mut stroke) = Stroke::new(session.world(), view, ray) {
                    let (world, steps) = (session.world(), session.steps());
                    let (_, edge) = stroke.follow(world, steps, view, ray, self.knife_depth);
                    session.apply(Input::Knife(edge))?;
                    self.drag = begin(edge[0], edge[0], None);
                    self.stroke = Some(stroke);
                }
            }
            ToolKind::Scissors => {
                if session.world().bodies().next().is_some() {
                    let at = ray.at(view.view.camera.distance());
                    self.drag = begin(at, at, None);
                    self.snip = Some(Snip { from: ray, to: ray });
                }
            }
        }
        Ok(self.drag.is_some())
    }

    /// Where a pin holds: around a vertex of the undeformed mesh, far enough to hold some nodes.
    fn patch(&self, session: &Session, view: &WorldView, body: BodyHandle, vertex: u32) -> (Vec3, f32) {
        let Ok(body) = session.world().body(body) else { return (Vec3::ZERO, 0.0) };
        let rest = body.rest();
        let at = rest.mesh.positions[vertex as usize];
        let mut off: Vec<f32> = rest.nodes.rest_positions.iter().map(|x| x.distance(at)).collect();
        off.sort_by(f32::total_cmp);
        // Fewer nodes than these let it turn about them.
        let some = off.get(3).or(off.last()).copied().unwrap_or(0.0) * 1.01;
        ((at + rest.center) / rest.scale, self.radius(view).max(some) / rest.scale)
    }

    /// The button is down and the cursor moves.
    ///
    /// # Errors
    /// If what it holds cannot be moved there.
    pub fn drag(&mut self, session: &mut Session, view: &WorldView, ray: Ray) -> Result<(), InputError> {
        let Some(drag) = &mut self.drag else { return Ok(()) };
        let to = ray.at(drag.depth);
        let by = to - drag.start;
        drag.moved |= by.length() > f64::from(3.0 * ray.pixel * drag.depth);
        match self.kind {
            ToolKind::Wind => {
                let across = 2.0 * view.view.camera.distance() * (0.5 * view.view.camera.fov_y_radians).tan();
                let velocity = by.as_vec3() / across.max(1e-6) * self.wind_speed;
                let wind = Wind { velocity, gust_length: view.view.camera.distance(), ..Wind::default() };
                session.apply(Input::Wind(drag.moved.then_some(wind)))
            }
            ToolKind::Scissors => {
                if let Some(snip) = &mut self.snip {
                    snip.to = ray;
                }
                Ok(())
            }
            _ if session.held().is_none() => Ok(()),
            ToolKind::Knife => {
                let Some(stroke) = &mut self.stroke else { return Ok(()) };
                match stroke.follow(session.world(), session.steps(), view, ray, self.knife_depth) {
                    (true, edge) => session.apply(Input::Edge(edge)),
                    (false, _) => Ok(()),
                }
            }
            ToolKind::Pin if !drag.moved => Ok(()),
            ToolKind::Pick | ToolKind::Push | ToolKind::Pin => session.apply(Input::Move(drag.held + by)),
        }
    }

    /// The wheel turns while the button is down: what is held comes nearer or goes farther, a knife cuts less deep or deeper.
    ///
    /// # Errors
    /// If what it holds cannot be moved there.
    pub fn wheel(
        &mut self,
        session: &mut Session,
        view: &WorldView,
        ray: Ray,
        notches: f32,
    ) -> Result<(), InputError> {
        if let ToolKind::Knife = self.kind {
            self.knife_depth = (self.knife_depth * 1.06_f32.powf(notches)).clamp(LEAST_DEPTH, 1.0);
        } else if let (Some(drag), true) = (&mut self.drag, self.kind != ToolKind::Scissors) {
            let factor = 1.06_f32.powf(notches);
            // The start moves along: the cursor has not.
            let start_depth = view.depth(drag.start);
            let before = ray.at(drag.depth);
            drag.depth =
                (drag.depth * factor).clamp(0.05 * start_depth.abs().max(1e-3), 50.0 * start_depth.abs());
            let after = ray.at(drag.depth);
            drag.held += after - before;
            drag.start += after - before;
            drag.moved = true;
        }
        self.drag(session, view, ray)
    }

    /// Lets what is held stay where it is.
    ///
    /// # Errors
    /// If nothing that can be locked is held.
    pub fn lock(&mut self, session: &mut Session) -> Result<(), InputError> {
        match self.kind {
            ToolKind::Wind if session.own_wind().is_some() => {
                self.drag = None;
                Ok(())
            }
            _ => {
                session.apply(Input::Lock)?;
                self.drag = None;
                Ok(())
            }
        }
    }

    /// The button goes up.
    ///
    /// # Errors
    /// If what it holds cannot be let go.
    pub fn release(&mut self, session: &mut Session) -> Result<(), InputError> {
        self.stroke = None;
        let snip = self.snip.take();
        let Some(drag) = self.drag.take() else { return Ok(()) };
        match (self.kind, drag.click) {
            (ToolKind::Wind, _) => session.apply(Input::Wind(None)),
            (ToolKind::Scissors, _) => {
                let Some(((point, normal), snip)) = snip.and_then(|snip| Some((snip.plane()?, snip))) else {
                    return Ok(());
                };
                if !drag.moved {
                    return Ok(());
                }
                let bodies = if self.cuts_all { Vec::new() } else { snip.bodies(session.world()) };
                if bodies.is_empty() && !self.cuts_all {
                    return Err(InputError::NothingUnder);
                }
                session.apply(Input::Scissors { bodies, point, normal })
            }
            (_, Some(tool)) if !drag.moved => session.apply(Input::Remove(tool)),
            _ => session.apply(Input::Release),
        }
    }

    /// Radius of ball and patch in metres, for a view.
    pub fn radius(&self, view: &WorldView) -> f32 {
        self.size * view.view.camera.distance()
    }

    /// What is shown under the cursor while the button is up, or what is being done.
    pub fn cursor(&self, session: &Session, view: &WorldView, ray: Ray) -> Vec<Marker> {
        const COLOR: [f32; 3] = [1.0, 0.55, 0.05];
        let place = |at: DVec3| (at - view.origin).as_vec3();
        let dot = 0.007 * view.view.camera.distance();
        let ball = |at: DVec3, radius: f32| Marker::Ball { centre: place(at), radius, color: COLOR };
        if let (ToolKind::Wind, Some(drag)) = (self.kind, &self.drag) {
            let to = ray.at(drag.depth);
            return arrow(place(drag.start), place(to), dot, COLOR);
        }
        if let Some(stroke) = &self.stroke {
            return stroke.signs(view, ray);
        }
        if let Some(snip) = &self.snip {
            return snip.signs(session.world(), view, self.cuts_all);
        }
        if self.drag.is_some() {
            return Vec::new();
        }
        let hit = session.world().cast_ray(ray.from, ray.direction);
        match (self.kind, hit) {
            (ToolKind::Pick, Some(hit)) => {
                let vertex =
                    session.world().body(hit.body).map(|body| body.vertex_position(hit.vertex as usize));
                vertex.map(|at| vec![ball(at, 1.2 * dot)]).unwrap_or_default()
            }
            (ToolKind::Push, hit) => {
                let radius = self.radius(view);
                let depth =
                    hit.map_or(view.view.camera.distance(), |hit| view.depth(hit.position) - 1.2 * radius);
                vec![ball(ray.at(depth.max(radius)), radius)]
            }
            (ToolKind::Pin, Some(hit)) => {
                let (center, radius) = self.patch(session, view, hit.body, hit.vertex);
                let Ok(body) = session.world().body(hit.body) else { return Vec::new() };
                let (rest, at) = (body.rest(), center * body.rest().scale - body.rest().center);
                let reach = radius * rest.scale;
                let nodes = rest.nodes.rest_positions.iter().enumerate();
                let inside = nodes.filter(|(_, x)| x.distance(at) <= reach);
                inside.map(|(node, _)| ball(body.nodes.world_position(node), 0.6 * dot)).collect()
            }
            (ToolKind::Wind, _) => {
                let at = place(ray.at(view.view.camera.distance()));
                let reach = 6.0 * dot;
                [Vec3::X, Vec3::Z]
                    .into_iter()
                    .flat_map(|way| arrow(at - way * reach, at + way * reach, 0.4 * dot, COLOR))
                    .collect()
            }
            (ToolKind::Knife | ToolKind::Scissors, Some(hit)) => vec![ball(hit.position, 0.8 * dot)],
            (ToolKind::Pick | ToolKind::Pin | ToolKind::Knife | ToolKind::Scissors, None) => Vec::new(),
        }
    }
}

/// A rod with a head.
fn arrow(from: Vec3, to: Vec3, radius: f32, color: [f32; 3]) -> Vec<Marker> {
    let along = to - from;
    let Some(way) = along.try_normalize() else { return Vec::new() };
    let side = way.any_orthonormal_vector();
    let head = (6.0 * radius).min(0.4 * along.length());
    let line = |from, to| Marker::Line { from, to, radius: 0.5 * radius, color };
    let barb = |side: Vec3| line(to, to - way * head + side * 0.5 * head);
    let other = way.cross(side);
    vec![line(from, to), barb(side), barb(-side), barb(other), barb(-other)]
}

/// The tool nearest to the cursor within reach and in front of what is under it, and where it is.
fn near(
    session: &Session,
    ray: Ray,
    hit_depth: f32,
    wanted: impl Fn(&Tool) -> bool,
) -> Option<(ToolHandle, DVec3)> {
    let places = session
        .world()
        .tools()
        .filter(|(_, tool)| wanted(tool))
        .flat_map(|(handle, tool)| tool.grips().into_iter().map(move |at| (handle, at)));
    let off = |at: DVec3| {
        let to = (at - ray.from).as_vec3();
        let along = to.dot(ray.direction) / ray.direction.length_squared();
        let aside = (to - ray.direction * along).length();
        // Signs of tools inside a body are drawn through it, but only near its surface can they be meant.
        (along > 0.0 && along < 1.2 * hit_depth).then_some(aside / (along * ray.pixel))
    };
    let found = places.filter_map(|(tool, at)| Some((off(at)?, tool, at)));
    let nearest = found.min_by(|a, b| a.0.total_cmp(&b.0)).filter(|(pixels, _, _)| *pixels < REACH_PIXELS);
    nearest.map(|(_, tool, at)| (tool, at))
}

impl WorldView {
    /// The ray through a point of a picture, in pixels from its upper left corner.
    pub fn ray(&self, point: Vec2, size: Vec2) -> Ray {
        let lens = crate::camera::Lens::of_pixels(&self.view.camera, size);
        Ray {
            from: self.origin + lens.eye.as_dvec3(),
            direction: lens.ray(point.x, point.y),
            pixel: 1.0 / lens.focal,
        }
    }

    /// How far along the view a place is, in metres.
    pub fn depth(&self, place: DVec3) -> f32 {
        let lens = crate::camera::Lens::of_pixels(&self.view.camera, Vec2::ONE);
        lens.view_from_world((place - self.origin).as_vec3()).z
    }

    /// The point of a picture where a place is seen, in pixels from its upper left corner; `None` behind the eye.
    pub fn project(&self, place: DVec3, size: Vec2) -> Option<Vec2> {
        let lens = crate::camera::Lens::of_pixels(&self.view.camera, size);
        let seen = lens.view_from_world((place - self.origin).as_vec3());
        (seen.z > lens.near).then(|| lens.sample_from_view(seen).truncate())
    }
}
