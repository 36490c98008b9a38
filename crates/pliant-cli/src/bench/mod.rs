//! `pliant bench`: the papers' tables side by side with ours.

mod contacts;
mod cut;
mod kernels;
mod octree;
mod studio;

use crate::Failure;
use crate::run::{check_writable, write_json};
use crate::say::say;
use pliant_io::scene::Scene;
use serde::Serialize;
use std::path::Path;
use std::time::Instant;

/// One measurement. A ratio is always theirs divided by ours: above 1 we are faster.
#[derive(Clone, Debug, Serialize)]
struct Row {
    suite: &'static str,
    name: &'static str,
    value: f64,
    unit: &'static str,
    paper: Option<f64>,
    peer: Option<f64>,
    ours: Option<f64>,
    ratio: Option<f64>,
    threads: usize,
}

/// Makes the rows of a suite.
type Suite = fn() -> Result<Vec<Row>, Failure>;

const SUITES: [(&str, Suite); 5] = [
    ("kernels", || Ok(kernels::rows())),
    ("octree", octree::rows),
    ("cut", cut::rows),
    ("contacts", contacts::rows),
    ("studio", studio::rows),
];

/// Runs a suite, or all of them, and prints its rows.
pub fn bench(suite: Option<&str>, json: Option<&Path>) -> Result<(), Failure> {
    json.map_or(Ok(()), check_writable)?;
    let chosen: Vec<Suite> = SUITES
        .iter()
        .filter(|(name, _)| suite.is_none_or(|suite| suite == *name))
        .map(|(_, run)| *run)
        .collect();
    if chosen.is_empty() {
        let names: Vec<&str> = SUITES.iter().map(|(name, _)| *name).collect();
        let suite = suite.unwrap_or_default();
        return Err(Failure::input(format!("there is no suite {suite:?}; there are: {}", names.join(", "))));
    }
    let mut rows = Vec::new();
    for run in chosen {
        rows.extend(run()?);
    }
    let mut text = format!("{:<34} {:>13} {:>13} {:>13} {:>9}\n", "name", "peer", "ours", "value", "paper");
    for row in &rows {
        let number = |value: Option<f64>, unit: &str| {
            value.map_or(String::from("–"), |v| format!("{v:.2} {unit}").trim().to_string())
        };
        let unit = if row.ratio.is_some() { "×" } else { row.unit };
        text += &format!(
            "{:<34} {:>13} {:>13} {:>13} {:>9}\n",
            row.name,
            number(row.peer, row.unit),
            number(row.ours, row.unit),
            number(Some(row.value), unit),
            number(row.paper, "")
        );
    }
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    text += &format!("on {cores} cores\n");
    json.map_or(Ok(()), |path| write_json(path, &rows))?;
    say(&text)
}

fn seconds(work: impl FnOnce()) -> f64 {
    let start = Instant::now();
    work();
    start.elapsed().as_secs_f64()
}

/// A row that is about a number of its own.
fn number(
    suite: &'static str,
    name: &'static str,
    value: f64,
    unit: &'static str,
    paper: Option<f64>,
) -> Row {
    Row { suite, name, value, unit, paper, peer: None, ours: None, ratio: None, threads: 1 }
}

fn pool(threads: usize) -> Result<rayon::ThreadPool, Failure> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    pool.map_err(|error| Failure::ours(error.to_string()))
}

fn scene(name: &str) -> Result<Scene, Failure> {
    pliant_scenes::build(name).ok_or_else(|| Failure::ours(format!("the scene {name} cannot be built")))
}

fn median(mut sample: Vec<f64>) -> f64 {
    sample.sort_by(f64::total_cmp);
    sample.get(sample.len() / 2).copied().unwrap_or(f64::NAN)
}
