//! Cuts that a scene makes by itself.

use super::SceneError;
use pliant::body::flesh;
use pliant::cut::{Blade, BladeError};
use pliant::geometry::{Paint, shapes};
use pliant::glam::{DVec3, Vec3};
use pliant::math::functions::{cos, sin};
use pliant::{Tool, ToolHandle, World};
use serde::{Deserialize, Serialize};

/// A knife that cuts what its edge is moved through.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KnifeEntry {
    /// Where its edge is at which time. It eases from key to key, and is there only from the first to the last.
    pub path: Vec<EdgeKey>,
}

/// Where the edge of a knife is at a time.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EdgeKey {
    /// Seconds since the scene began.
    pub time_secs: f64,
    /// Its two ends in the world, in metres.
    pub edge: [DVec3; 2],
}

/// A cut at a time, all at once.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct CutEntry {
    /// Seconds since the scene began.
    pub at_secs: f64,
    /// The name of the body that is cut, with its copies and what has come off them; all bodies unless given.
    pub body: Option<String>,
    /// Along a plane without end. Give this or one of the others.
    pub plane: Option<PlaneEntry>,
    /// Along a plane without end, with the body's own mesh clipped and capped.
    pub scissors: Option<PlaneEntry>,
    /// Along a polygon, by its corners.
    pub polygon: Option<Vec<DVec3>>,
    /// Along the side of a cylinder, which is open at both ends.
    pub cylinder: Option<CylinderEntry>,
    /// Along a sphere.
    pub sphere: Option<SphereEntry>,
}

/// A plane in the world.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlaneEntry {
    /// On the plane.
    pub point: DVec3,
    /// Any length but 0.
    pub normal: Vec3,
}

/// A cylinder in the world.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CylinderEntry {
    /// Its middle.
    pub center: DVec3,
    /// Any length but 0.
    pub axis: Vec3,
    /// Metres.
    pub radius: f64,
    /// Metres.
    pub length: f64,
}

/// A sphere in the world.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SphereEntry {
    /// Its middle.
    pub center: DVec3,
    /// Metres.
    pub radius: f32,
}

/// Corners of the polygon that a cylinder's blade is.
const AROUND: u32 = 96;
/// How often a sphere's blade is divided, beginning with 20 triangles.
const SUBDIVISIONS: u32 = 4;

/// How a cut is made.
enum Way {
    Blade(Blade),
    Scissors(PlaneEntry),
}

impl CutEntry {
    /// Checks that it can be made.
    pub(super) fn check(&self, key: &str) -> Result<(), SceneError> {
        let when = self.at_secs >= 0.0 && self.at_secs.is_finite();
        when.then_some(())
            .ok_or_else(|| SceneError::new(format!("{key}.at_secs"), "it must be 0 or more, and finite"))?;
        let choices = [
            ("plane", self.plane.is_some()),
            ("scissors", self.scissors.is_some()),
            ("polygon", self.polygon.is_some()),
            ("cylinder", self.cylinder.is_some()),
            ("sphere", self.sphere.is_some()),
        ];
        let given: Vec<&str> = choices.iter().filter(|choice| choice.1).map(|choice| choice.0).collect();
        let all = "plane, scissors, polygon, cylinder and sphere";
        match given[..] {
            [] => Err(SceneError::new(key, format!("the cut needs one of {all}"))),
            [one] => match self.way() {
                Ok(_) => Ok(()),
                Err(error) => Err(SceneError::new(format!("{key}.{one}"), error)),
            },
            [_, second, ..] => {
                Err(SceneError::new(format!("{key}.{second}"), format!("the cut may have only one of {all}")))
            }
        }
    }

    fn way(&self) -> Result<Way, BladeError> {
        let plane = |plane: &PlaneEntry| Blade::plane(plane.point, plane.normal);
        if let Some(scissors) = &self.scissors {
            return plane(scissors).map(|_| Way::Scissors(*scissors));
        }
        let blade = match (&self.plane, &self.polygon, &self.cylinder, &self.sphere) {
            (Some(entry), ..) => plane(entry),
            (_, Some(corners), ..) => Blade::polygon(corners),
            (.., Some(cylinder), _) => cylinder.blade(),
            (.., Some(sphere)) => sphere.blade(),
            _ => Err(BladeError::NoArea { why: "it has no shape" }),
        };
        blade.map(Way::Blade)
    }
}

impl CylinderEntry {
    fn blade(&self) -> Result<Blade, BladeError> {
        let numbers = [self.radius, self.length];
        if !(self.axis.is_finite() && numbers.iter().all(|number| number.is_finite())) {
            return Err(BladeError::NotFinite { what: "axis, radius or length" });
        }
        if numbers.iter().any(|&number| number <= 0.0) {
            return Err(BladeError::NoArea { why: "its radius and length must be above 0" });
        }
        let none = BladeError::NoArea { why: "its axis has no length" };
        let axis = self.axis.as_dvec3().try_normalize().ok_or(none)?;
        let (u, v) = axis.any_orthonormal_pair();
        let ring = |side: f64| -> Vec<DVec3> {
            let middle = self.center + axis * (side * self.length);
            let at = |i: u32| std::f64::consts::TAU * f64::from(i % AROUND) / f64::from(AROUND);
            (0..=AROUND).map(|i| middle + self.radius * (cos(at(i)) * u + sin(at(i)) * v)).collect()
        };
        Blade::between(&ring(-0.5), &ring(0.5))
    }
}

impl SphereEntry {
    fn blade(&self) -> Result<Blade, BladeError> {
        if self.radius <= 0.0 {
            return Err(BladeError::NoArea { why: "its radius must be above 0" });
        }
        Blade::mesh(&shapes::sphere(self.radius, SUBDIVISIONS), self.center)
    }
}

impl KnifeEntry {
    /// Checks that it can be moved so.
    pub(super) fn check(&self, key: &str) -> Result<(), SceneError> {
        if self.path.len() < 2 {
            let message = "a knife is moved: its path needs two keys or more";
            return Err(SceneError::new(format!("{key}.path"), message));
        }
        for (i, step) in self.path.iter().enumerate() {
            let key = format!("{key}.path[{i}]");
            let fail = |name: &str, message: String| Err(SceneError::new(format!("{key}.{name}"), message));
            if !(step.time_secs >= 0.0 && step.time_secs.is_finite()) {
                return fail("time_secs", "it must be 0 or more, and finite".into());
            }
            if !step.edge.iter().all(|end| end.is_finite()) {
                return fail("edge", "it must be finite".into());
            }
            let before = i.checked_sub(1).map(|i| self.path[i].time_secs);
            if let Some(before) = before.filter(|before| step.time_secs <= *before) {
                let message = format!(
                    "the times of a path must rise, but {} s is not after {before} s",
                    step.time_secs
                );
                return fail("time_secs", message);
            }
        }
        Ok(())
    }

    /// Where the edge is; `None` of a path without keys.
    fn at(&self, time_secs: f64) -> Option<[DVec3; 2]> {
        let next = self.path.partition_point(|key| key.time_secs <= time_secs);
        match (next.checked_sub(1).map(|i| self.path[i]), self.path.get(next)) {
            (Some(from), Some(to)) => {
                let t = (time_secs - from.time_secs) / (to.time_secs - from.time_secs);
                Some([0, 1].map(|end| from.edge[end].lerp(to.edge[end], t * t * (3.0 - 2.0 * t))))
            }
            (Some(key), None) => Some(key.edge),
            (None, key) => key.map(|key| key.edge),
        }
    }
}

/// Which step is made at a time, or is the first one that is not before it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frame {
    number: i64,
    time_secs: f64,
    dt_secs: f64,
}

impl Frame {
    /// The step that a world makes next.
    pub fn next(world: &World, dt_secs: f32) -> Self {
        let (time_secs, dt_secs) = (world.time_secs(), f64::from(dt_secs));
        Self { number: (time_secs / dt_secs).round() as i64, time_secs, dt_secs }
    }

    /// Steps from the first one at a time or after it to this one.
    fn since(&self, time_secs: f64) -> i64 {
        // Sums of steps are not exact.
        self.number - (time_secs / self.dt_secs - 1e-3).ceil() as i64
    }
}

/// A cut of a scene. What is to be done is told from the time alone, so a world that is taken back is cut again.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct TimedCut {
    pub entry: CutEntry,
    /// Which bodies, by name; pieces keep the name of what they were part of. All if there are none.
    pub names: Vec<String>,
}

impl TimedCut {
    /// Orders the cut if this is its step.
    pub fn apply(&self, frame: Frame, world: &mut World) {
        if frame.since(self.entry.at_secs) != 0 {
            return;
        }
        let Ok(way) = self.entry.way() else { return };
        if self.entry.body.is_none() {
            match way {
                Way::Blade(blade) => world.cut(blade),
                Way::Scissors(plane) => drop(world.scissors(None, plane.point, plane.normal)),
            }
            return;
        }
        let named = world.bodies().filter(|(_, body)| self.names.contains(&body.name));
        let bodies: Vec<_> = named.map(|(handle, _)| handle).collect();
        for body in bodies {
            // Bodies that were just found are there, and the blade has been checked.
            let _ = match &way {
                Way::Blade(blade) => world.cut_body(body, blade.clone()).is_ok(),
                Way::Scissors(plane) => world.scissors(Some(body), plane.point, plane.normal).is_ok(),
            };
        }
    }
}

/// A knife of a scene, and the tool that it is while it cuts.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct MovingKnife {
    pub entry: KnifeEntry,
    pub handle: Option<ToolHandle>,
}

impl MovingKnife {
    /// Puts the knife into the world at its first key, moves it, and takes it out after its last.
    pub fn apply(&mut self, frame: Frame, world: &mut World) {
        let (Some(first), Some(last)) = (self.entry.path.first(), self.entry.path.last()) else { return };
        let (begun, ended) = (frame.since(first.time_secs), frame.since(last.time_secs));
        if begun < 0 {
            return;
        }
        if begun == 0 {
            self.handle = world.knife(first.edge).ok();
        }
        let is_knife = |handle: &ToolHandle| matches!(world.tool(*handle), Ok(Tool::Knife(_)));
        // One that a user took out in the meantime needs no moving any more.
        let Some(handle) = self.handle.filter(is_knife) else { return };
        if ended > 0 {
            let _ = world.remove_tool(handle);
        } else if let Some(edge) = self.entry.at(if ended == 0 { last.time_secs } else { frame.time_secs }) {
            let _ = world.move_knife(handle, edge);
        }
    }
}

/// How cut faces of that colour look.
pub(super) fn cut_paint(color: &[f32]) -> Paint {
    let mut paint = flesh();
    paint.base_color.iter_mut().zip(color).for_each(|(part, &value)| *part = value);
    paint
}
