//! Hierarchical and adaptive shape matching, \[TYGP15\] Table 1: matches that the three solvers take to come to the same energy, in the
//! first steps of a body that is at rest and begins to be shaken, and what a frame costs.

use super::row::{Better, Row};
use super::{Threads, median};
use crate::Failure;
use pliant::BodyError;
use pliant_scenes::solvers::{Case, Total};

/// The naive solver is taken as it is when it has matched so many times as often as the adaptive one, a little more than
/// the paper's: its counts are at least those.
const ENOUGH: f64 = 1.1;
/// Cells of the dinosaur in metres: about the paper's 98,000 clusters for frames, 42,000 for the solvers, of which the naive one would take
/// minutes.
const CELL: f32 = 0.0069;
const LARGER_CELL: f32 = 0.0091;
const FRAMES: usize = 48;
/// Steps from rest that matches are counted in: the first ones, as in the paper's Figure 3, which has two.
const STEPS: usize = 3;

/// All rows, on one thread unless the user wants more.
pub(super) fn rows(threads: Threads) -> Result<Vec<Row>, Failure> {
    threads.one()?.install(|| {
        let mut rows = Vec::new();
        let build = |case: Result<Case, BodyError>| case.map_err(|error| Failure::ours(error.to_string()));
        let elephant = Names {
            naive: "elephant-matches-nsm-vs-ahsm",
            hierarchical: "elephant-matches-hsm-vs-ahsm",
            time: "elephant-ms-nsm-vs-ahsm",
        };
        rows.extend(race(build(Case::elephant())?, elephant, [314.0, 27.0 / 22.0, 310.0]));
        let willow = Names {
            naive: "willow-matches-nsm-vs-ahsm",
            hierarchical: "willow-matches-hsm-vs-ahsm",
            time: "willow-ms-nsm-vs-ahsm",
        };
        rows.extend(race(build(Case::willow(50.0))?, willow, [372.0, 35.0 / 29.0, 354.0]));
        let dinosaur = Names {
            naive: "dinosaur-matches-nsm-vs-ahsm",
            hierarchical: "dinosaur-matches-hsm-vs-ahsm",
            time: "dinosaur-ms-nsm-vs-ahsm",
        };
        rows.extend(race(build(Case::dinosaur(LARGER_CELL))?, dinosaur, [822.0, 66.0 / 59.0, 788.0]));
        let [breeze, storm] = [0.25, 50.0].map(|acceleration| {
            let mut case = build(Case::willow(acceleration))?;
            case.settle();
            Ok::<_, Failure>(case.by_default(20).0)
        });
        let part = breeze? as f64 / storm? as f64;
        rows.push(Row::number("hierarchy", "willow-breeze-vs-storm", part, "of its matches"));
        rows.push(frame(&build(Case::dinosaur(CELL))?));
        Ok(rows)
    })
}

/// What the rows of a case are called.
struct Names {
    naive: &'static str,
    hierarchical: &'static str,
    time: &'static str,
}

fn race(case: Case, names: Names, paper: [f64; 3]) -> Vec<Row> {
    let [naive, hierarchical, adaptive] = case.race(STEPS, ENOUGH * paper[0]);
    let counts = |name, of: &Total| {
        let unit = if of.reached { "matches" } else { "matches or more" };
        let row = Row::speedup("hierarchy", name, [of.matches as f64, adaptive.matches as f64], unit);
        row.better(Better::Same)
    };
    let times = [&naive, &adaptive].map(|of| 1e3 * of.seconds);
    vec![
        counts(names.naive, &naive).paper(paper[0]),
        counts(names.hierarchical, &hierarchical).paper(paper[1]),
        Row::speedup("hierarchy", names.time, times, "ms").paper(paper[2]),
    ]
}

/// A step of the dinosaur that two tools pull, of as many clusters as the paper's: one a frame, without its skin.
fn frame(dinosaur: &Case) -> Row {
    let times = dinosaur.by_default(FRAMES).1.into_iter().map(|seconds| 1e3 * seconds).collect();
    Row::number("hierarchy", "dinosaur-frame-ms", median(times), "ms").paper(16.0)
}
