//! One step: the three solvers, which differ in which levels and clusters they look at.
//!
//! Based on \[TYGP15\] §2, Algorithm 1. All three take energy out of
//!
//! ```text
//! Ψ(x) = ½ Σ m/h² |x − x*|² + Φ(x)        x* where nodes would be without Φ
//! ```
//!
//! whose lowest place is where an implicit step ends, at any stiffness and any h.
//!
//! - **NSM**: match all clusters of the finest level, move all nodes to the mean of where they are pulled, again and again.
//! - **HSM**: what the finest level leaves over goes up to all levels; the coarsest begins, and each level below inherits what the one
//!   above has moved, and goes on.
//! - **AHSM**: the same, with three conditions. *Termination*: a level ends when it has taken out what it can ([`Thresholds::reduction`]).
//!   *Subdivision*: only clusters are matched whose particles have moved against each other (after three cycles, by more than a little
//!   of what the level has to gain), and only particles moved on which more than a little is left ([`Thresholds::subdivision`]).
//!   *Origination*: it begins at the coarsest level that has a part worth mentioning of what can be taken out ([`Thresholds::origination`]).

use super::levels::{Common, Work};
use super::matching::NOT_LINEAR;
use super::rest::Rest;
use super::{Solver, Thresholds, finest};
use crate::math::functions::square;

/// What a step took.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Effort {
    /// Matches on each level, the finest first.
    pub matches: Vec<u64>,
    /// How often the finest level was gone through, with all above it.
    pub cycles: u32,
    /// The level at which the last one began.
    pub origin: usize,
    /// Σ r²/D before and after: about twice the energy that can be taken out.
    pub excess: [f64; 2],
}

impl Effort {
    /// Matches on all levels.
    pub fn total(&self) -> u64 {
        self.matches.iter().sum()
    }
}

/// Sweeps of a level between the finest and the one that begins, and of the one that begins.
const SWEEPS: u32 = 2;
const FIRST_SWEEPS: u32 = 12;
/// Cycles in which all clusters are matched that have moved at all; a step has fewer by default. What is left alone so early, where most
/// is still to be done, turns bodies by a thousandth of their size in half a second, one way or the other by rounding.
const FULL_CYCLES: u32 = 3;
/// The least part of the fastest swings of a level that its sweeps have to damp: slower ones are left to the level above.
const SMOOTHED: f32 = 0.25;
const FIRST_SMOOTHED: f32 = 0.01;

/// Where a solver is told of each cycle: see [`solve`].
pub type Watch<'a> = &'a mut dyn FnMut(&Work, u64) -> bool;

/// Takes energy out, until `watch` says that it is enough, or as settings have it. `works` are prepared for the step.
pub fn solve(
    rest: &Rest,
    works: &mut [Work],
    common: &Common,
    effort: &mut Effort,
    mut watch: Option<Watch>,
) {
    let settings = &rest.settings;
    let Thresholds { reduction, origination, .. } = settings.thresholds;
    let naive = settings.solver == Solver::Naive || rest.levels.len() == 1;
    let adaptive = settings.solver == Solver::Adaptive;
    let levels = &rest.levels;
    effort.matches.clear();
    effort.matches.resize(levels.len(), 0);
    (effort.cycles, effort.origin, effort.excess) = (0, 0, [0.0; 2]);
    loop {
        let local = effort.cycles >= FULL_CYCLES;
        let worth = |excess: f64| if local { excess } else { 0.0 };
        let still = adaptive.then(|| works[0].still(common, worth(effort.excess[1])));
        let matches = works[0].match_moved(&levels[0], &common.law, finest::NOT_LINEAR, still);
        effort.matches[0] += matches as u64;
        let excess = works[0].find_residuals(common);
        if effort.cycles == 0 {
            effort.excess[0] = excess;
        }
        effort.excess[1] = excess;
        let enough = match &mut watch {
            Some(watch) => watch(&works[0], effort.total()),
            None => {
                let few = effort.cycles >= settings.cycles;
                few || (effort.cycles > 0 && excess <= square(f64::from(reduction)) * effort.excess[0])
            }
        };
        if enough {
            break;
        }
        if naive {
            if !works[0].move_particles(0.0, 1.0, 0.0) {
                break;
            }
            effort.cycles += 1;
            continue;
        }
        let Some(origin) = restrict(rest, works, common, if adaptive { origination } else { 0.0 }) else {
            break;
        };
        effort.origin = origin;
        if effort.cycles == 0 {
            blend(rest, works);
        }
        works[0].begin_cycle(effort.cycles == 0);
        effort.cycles += 1;
        for level in (1..=origin).rev() {
            let first = level == origin;
            let (sweeps, least) = if first { (FIRST_SWEEPS, FIRST_SMOOTHED) } else { (SWEEPS, SMOOTHED) };
            let still = works[level].still(common, worth(excess));
            let plan = Sweeps { sweeps, least, reduction: if adaptive { reduction } else { 0.0 }, still };
            effort.matches[level] += sweep(rest, works, level, common, &plan);
            let (below, above) = works.split_at_mut(level);
            below[level - 1].inherit(&levels[level - 1].homes, (&levels[level], &above[0]));
        }
        // What the search relies on is matched where it is worth as much as a particle's move.
        let least = works[0].least(common, excess);
        let still = common.still.max((least / works[0].firmness).sqrt());
        effort.matches[0] +=
            works[0].match_moved(&levels[0], &common.law, finest::NOT_LINEAR, Some(still)) as u64;
        works[0].find_residuals(common);
        works[0].search();
        let slowest = SMOOTHED.max(works[0].slowest);
        works[0].move_particles(0.0, 2.0 / (1.0 + slowest), least);
    }
}

/// Parents start from the rotations of their children.
fn blend(rest: &Rest, works: &mut [Work]) {
    for level in 1..works.len() {
        let (below, above) = works.split_at_mut(level);
        let (below, children) = (&below[level - 1], &rest.levels[level].children);
        let places = &rest.levels[level - 1].places;
        above[0].blend(rest.levels[level].corners.len(), |cluster, take| {
            for child in children.of(cluster) {
                if let Some(place) = places.of(*child as usize).first() {
                    take(below.clusters[*place as usize / super::rest::CORNERS].rotation);
                }
            }
        });
    }
}

/// Brings what is left over up through all levels; returns the coarsest that has at least that part of what the best of them has, or
/// nothing if no level has anything left to do.
fn restrict(rest: &Rest, works: &mut [Work], common: &Common, part: f32) -> Option<usize> {
    let mut most = 0.0_f64;
    let mut found = [0.0; 32];
    let mut left = works[0].is_left();
    for level in 1..works.len() {
        let (below, above) = works.split_at_mut(level);
        above[0].restrict(&rest.levels[level], &below[level - 1], &rest.levels[level - 1].homes);
        let excess = above[0].find_residuals(common);
        left |= above[0].is_left();
        most = most.max(excess);
        found[level.min(31)] = excess;
    }
    let mut origin = works.len() - 1;
    while origin > 1 && found[origin.min(31)] < f64::from(part) * most {
        origin -= 1;
    }
    left.then_some(origin)
}

/// How a level is gone through.
struct Sweeps {
    sweeps: u32,
    least: f32,
    reduction: f32,
    still: f32,
}

/// Sweeps of Chebyshev's iteration: match, and move by what is left. Returns how many matches it took.
fn sweep(rest: &Rest, works: &mut [Work], level: usize, common: &Common, plan: &Sweeps) -> u64 {
    let (work, of) = (&mut works[level], &rest.levels[level]);
    let not_linear = if level == 0 { finest::NOT_LINEAR } else { NOT_LINEAR };
    // D is at least the stiffest that a level can be, so its fastest swing is 1.
    let least = plan.least.max(work.slowest).min(0.999);
    let (middle, half) = (0.5 * (1.0 + least), 0.5 * (1.0 - least));
    let sigma = middle / half;
    let (mut rho, mut matches, mut first) = (1.0 / sigma, 0, None);
    for sweep in 0..plan.sweeps {
        matches += work.match_moved(of, &common.law, not_linear, Some(plan.still)) as u64;
        let excess = work.find_residuals(common);
        let share = work.least(common, excess);
        let before = *first.get_or_insert(excess);
        if sweep > 0 && excess <= square(f64::from(plan.reduction)) * before {
            break;
        }
        let (keep, by) = if sweep == 0 {
            (0.0, 1.0 / middle)
        } else {
            let next = 1.0 / (2.0 * sigma - rho);
            let keep = rho * next;
            rho = next;
            (keep, 2.0 * next / half)
        };
        if !work.move_particles(keep, by, share) {
            break;
        }
    }
    matches
}
