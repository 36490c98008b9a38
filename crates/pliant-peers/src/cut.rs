//! One cut through the middle of a body, timed on a body built anew for each measurement.

use crate::engine::Engine;
use anyhow::{Context, Result, ensure};
use std::time::Instant;

/// Normal of the cut, not of unit length: oblique, and through no point of a cube with an even number of them along an edge.
const NORMAL: [f64; 3] = [1.0, 0.3, 0.2];
/// How often it is measured.
const SAMPLES: usize = 9;
/// Steps before the cut that do not count.
const WARM_UP: usize = 4;
/// Steps timed before the cut.
const BEFORE: usize = 4;
/// Steps timed after the first that follows the cut. All of them together end before the cube lands, so that contacts with the
/// floor are in none of them.
const LATER: usize = 4;
/// The two largest pieces must each have this part of the points: the plane goes through the middle.
const SHARE: f64 = 0.4;

/// An engine whose body can be cut.
pub trait Cut: Engine {
    /// The middle of the body now.
    fn middle(&self) -> [f64; 3];

    /// Cuts the body along the whole plane through `point`, and leaves it so that it can be stepped. Only this is timed.
    ///
    /// # Errors
    /// If the body is not cut.
    fn cut(&mut self, point: [f64; 3], normal: [f64; 3]) -> Result<()>;

    /// How many points each piece has.
    fn pieces(&self) -> Vec<usize>;
}

/// One side: how to build the body.
pub type Side = fn() -> Result<Box<dyn Cut>>;

/// ms of one cut and of the steps around it.
#[derive(Clone, Copy, Debug, Default)]
struct Sample {
    cut: f64,
    before: f64,
    first: f64,
    later: f64,
}

/// What one engine did.
#[derive(Clone, Debug, Default)]
pub struct Cuts {
    samples: Vec<Sample>,
    pieces: Vec<usize>,
}

impl Cuts {
    /// Median ms of the cut.
    pub fn median(&self) -> f64 {
        self.median_of(|sample| sample.cut)
    }

    /// Least ms of the cut.
    pub fn least(&self) -> f64 {
        self.samples.iter().map(|sample| sample.cut).fold(f64::NAN, f64::min)
    }

    /// Median ms by which the first step after the cut is longer than one before it: no less than the work the cut put off, as
    /// the pieces touch from now on, which costs time in every later step too.
    pub fn put_off(&self) -> f64 {
        self.median_of(|sample| sample.first - sample.before)
    }

    /// All of it in a line.
    pub fn line(&self) -> String {
        format!(
            "cut {:.2} ms (least {:.2}); step before {:.2}, first after {:.2}, later {:.2}, first less before {:.2}; points of the pieces {:?}",
            self.median(),
            self.least(),
            self.median_of(|sample| sample.before),
            self.median_of(|sample| sample.first),
            self.median_of(|sample| sample.later),
            self.put_off(),
            self.pieces,
        )
    }

    fn median_of(&self, what: impl Fn(&Sample) -> f64) -> f64 {
        median(self.samples.iter().map(what).collect())
    }

    fn measure(&mut self, side: Side) -> Result<()> {
        let mut body = side()?;
        let points = body.nodes();
        (0..WARM_UP).for_each(|_| body.step());
        let step = |body: &mut dyn Cut| ms(|| body.step());
        let before = median((0..BEFORE).map(|_| step(body.as_mut())).collect());
        let (middle, mut done) = (body.middle(), Ok(()));
        let cut = ms(|| done = body.cut(middle, NORMAL));
        done?;
        self.pieces = body.pieces();
        self.pieces.sort_by(|a, b| b.cmp(a));
        let second = self.pieces.get(1).copied().unwrap_or(0);
        ensure!(second as f64 >= SHARE * points as f64, "not cut in the middle: {:?}", self.pieces);
        let first = step(body.as_mut());
        let later = median((0..LATER).map(|_| step(body.as_mut())).collect());
        self.samples.push(Sample { cut, before, first, later });
        Ok(())
    }
}

/// Cuts bodies of both by turns, so that both meet the same machine. Ours may be missing.
///
/// # Errors
/// If a body cannot be built, or is not cut in the middle.
pub fn cuts(peer: Side, ours: Option<Side>) -> Result<(Cuts, Option<Cuts>)> {
    let (mut theirs, mut own) = (Cuts::default(), ours.map(|side| (side, Cuts::default())));
    for _ in 0..SAMPLES {
        theirs.measure(peer).context("the peer")?;
        if let Some((side, cuts)) = &mut own {
            cuts.measure(*side).context("ours")?;
        }
    }
    Ok((theirs, own.map(|(_, cuts)| cuts)))
}

fn ms(work: impl FnOnce()) -> f64 {
    let start = Instant::now();
    work();
    start.elapsed().as_secs_f64() * 1e3
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}
