//! Frames that are timed, none of which may be cheap because bodies sleep.

use super::median;
use crate::Failure;
use pliant::World;

/// Milliseconds of the frames that a row is about. Every world that is timed is timed through this.
#[derive(Debug)]
pub(super) struct Frames {
    row: &'static str,
    bodies: Bodies,
    ms: Vec<f64>,
}

/// What bodies must do while they are timed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Bodies {
    Move,
    Sleep,
}

impl Frames {
    /// Frames in which no body sleeps.
    pub fn awake(row: &'static str) -> Self {
        Self { row, bodies: Bodies::Move, ms: Vec::new() }
    }

    /// Frames in which all bodies sleep, for a row that is about this.
    pub fn asleep(row: &'static str) -> Self {
        Self { row, bodies: Bodies::Sleep, ms: Vec::new() }
    }

    /// Keeps the time of the frame that the world has just made.
    ///
    /// # Errors
    /// If bodies sleep that must not, or the other way around.
    pub fn push(&mut self, world: &World, ms: f64) -> Result<(), Failure> {
        let (row, count) = (self.row, world.bodies().count());
        let asleep = world.bodies().filter(|(_, body)| body.is_asleep()).count();
        match self.bodies {
            Bodies::Move if asleep > 0 => Err(Failure::ours(format!(
                "{row}: {asleep} of {count} bodies sleep while they are timed; sleeping must be off in this benchmark"
            ))),
            Bodies::Sleep if asleep < count || count == 0 => Err(Failure::ours(format!(
                "{row}: only {asleep} of {count} bodies sleep; this benchmark times bodies that do"
            ))),
            Bodies::Move | Bodies::Sleep => {
                self.ms.push(ms);
                Ok(())
            }
        }
    }

    pub fn len(&self) -> usize {
        self.ms.len()
    }

    pub fn mean(&self) -> f64 {
        self.ms.iter().sum::<f64>() / self.ms.len() as f64
    }

    pub fn median(&self) -> f64 {
        median(self.ms.clone())
    }

    /// The least time that at least this share of the frames kept to.
    pub fn percentile(&self, share: f64) -> f64 {
        let mut ms = self.ms.clone();
        ms.sort_by(f64::total_cmp);
        let index = ((ms.len() as f64 * share).ceil() as usize).clamp(1, ms.len().max(1)) - 1;
        ms.get(index).copied().unwrap_or(f64::NAN)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pliant::geometry::shapes;
    use pliant::glam::Vec3;
    use pliant::{Body, Collider, LatticeSettings};

    #[test]
    fn sleepers_are_not_timed_except_where_the_row_is_about_them() {
        let mut world = World::new();
        world.add_collider(Collider::floor(0.0)).unwrap();
        let cube = Body::builder(shapes::cuboid(Vec3::ONE, [2; 3])).at([0.0, 0.5, 0.0]);
        world.add_body(cube.model(LatticeSettings { cell: Some(0.5), width: Some(1.0) }).build().unwrap());
        let (mut awake, mut asleep) = (Frames::awake("moving-ms"), Frames::asleep("sleeping-ms"));
        world.step(1.0 / 60.0);
        awake.push(&world, 1.0).unwrap();
        assert!(asleep.push(&world, 1.0).unwrap_err().to_string().contains("sleeping-ms"));
        assert!((0..600).any(|_| world.step(1.0 / 60.0).asleep == 1), "it must fall asleep");
        let error = awake.push(&world, 0.0).unwrap_err();
        assert!(error.to_string().contains("moving-ms: 1 of 1 bodies sleep"), "{error}");
        asleep.push(&world, 0.0).unwrap();
        assert_eq!((awake.len(), asleep.len()), (1, 1));
        assert_eq!(awake.mean(), 1.0);
    }

    #[test]
    fn a_percentile_is_one_of_the_times() {
        let frames = Frames { ms: (1..=20).rev().map(f64::from).collect(), ..Frames::awake("any") };
        assert_eq!(
            (frames.percentile(0.5), frames.percentile(0.95), frames.percentile(1.0)),
            (10.0, 19.0, 20.0)
        );
        assert!(Frames::awake("none").percentile(0.95).is_nan());
    }
}
