//! `pliant bench`: the papers' tables side by side with ours.

mod against;
mod ball;
mod contacts;
mod crowds;
mod cut;
mod elements;
mod frames;
mod hierarchy;
mod kernels;
mod machine;
mod materials;
mod octree;
mod queries;
mod row;
mod studio;

use crate::run::{check_writable, write_json};
use crate::say::say;
use crate::{BenchArguments, Failure};
use against::{Baseline, Comparison};
use pliant::World;
use pliant_io::scene::Scene;
use rayon::ThreadPool;
use row::Row;
use std::time::Instant;

/// Makes the rows of a suite.
type Suite = fn(Threads) -> Result<Vec<Row>, Failure>;

const SUITES: [(&str, Suite); 8] = [
    ("kernels", |_| pool(1)?.install(|| Ok(kernels::rows()))),
    ("octree", octree::rows),
    ("cut", cut::rows),
    ("contacts", contacts::rows),
    ("materials", materials::rows),
    ("hierarchy", hierarchy::rows),
    ("elements", elements::rows),
    ("studio", studio::rows),
];

/// How many threads worlds are stepped on, if the user says so.
#[derive(Clone, Copy, Debug)]
struct Threads(Option<usize>);

impl Threads {
    /// One thread unless the user wants more: ratios of times on one do not depend on what else the machine does.
    fn one(self) -> Result<ThreadPool, Failure> {
        pool(self.0.unwrap_or(1))
    }

    /// All cores unless the user wants another number.
    fn all(self) -> Result<ThreadPool, Failure> {
        pool(self.0.unwrap_or(0))
    }
}

/// Runs a suite, or all of them, prints its rows, and compares them with others where asked to.
pub fn bench(arguments: &BenchArguments) -> Result<(), Failure> {
    let BenchArguments { suite, json, save, against, threads } = arguments;
    [json, save].into_iter().flatten().try_for_each(|path| check_writable(path))?;
    let chosen = chosen(suite.as_deref())?;
    let baseline = against.as_deref().map(Baseline::read).transpose()?;
    let threads = Threads(threads.map(usize::from));
    let mut rows = measure(&chosen, threads)?;
    let comparison = baseline.map(|baseline| compare(&baseline, &mut rows, &chosen, threads)).transpose()?;
    json.as_deref().map_or(Ok(()), |path| write_json(path, &rows))?;
    save.as_deref().map_or(Ok(()), |path| against::save(path, &rows))?;
    say(&table(&rows))?;
    let Some(comparison) = comparison else { return Ok(()) };
    say(&comparison.to_string())?;
    match comparison.worse.len() {
        0 => Ok(()),
        1 => Err(Failure::ours("a row became worse")),
        count => Err(Failure::ours(format!("{count} rows became worse"))),
    }
}

/// The suite of this name, or all of them.
fn chosen(suite: Option<&str>) -> Result<Vec<(&'static str, Suite)>, Failure> {
    let chosen: Vec<_> =
        SUITES.into_iter().filter(|(name, _)| suite.is_none_or(|suite| suite == *name)).collect();
    if chosen.is_empty() {
        let names = SUITES.map(|(name, _)| name).join(", ");
        let suite = suite.unwrap_or_default();
        return Err(Failure::input(format!("there is no suite {suite:?}; there are: {names}")));
    }
    Ok(chosen)
}

fn measure(suites: &[(&'static str, Suite)], threads: Threads) -> Result<Vec<Row>, Failure> {
    let mut rows = Vec::new();
    for (_, run) in suites {
        rows.extend(run(threads)?);
    }
    Ok(rows)
}

/// Compares rows with others. Suites with a row that is worse are measured once more, and the better value of each row counts:
/// what else the machine does for a moment can only make a time longer.
fn compare(
    baseline: &Baseline,
    rows: &mut [Row],
    suites: &[(&'static str, Suite)],
    threads: Threads,
) -> Result<Comparison, Failure> {
    let names: Vec<&str> = suites.iter().map(|(name, _)| *name).collect();
    let first = baseline.compare(rows, &names);
    let again: Vec<_> = suites
        .iter()
        .copied()
        .filter(|(name, _)| first.worse.iter().any(|worse| worse.suite == *name))
        .collect();
    for new in measure(&again, threads)? {
        if let Some(row) = rows.iter_mut().find(|row| row.suite == new.suite && row.name == new.name)
            && new.better.best(row.value, new.value) == new.value
        {
            *row = new;
        }
    }
    Ok(baseline.compare(rows, &names))
}

/// The rows for people.
fn table(rows: &[Row]) -> String {
    let mut text = format!("{:<34} {:>13} {:>13} {:>13} {:>9}\n", "name", "peer", "ours", "value", "paper");
    for row in rows {
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
    text + &format!("on {}", machine::machine())
}

fn seconds(work: impl FnOnce()) -> f64 {
    let start = Instant::now();
    work();
    start.elapsed().as_secs_f64()
}

fn pool(threads: usize) -> Result<ThreadPool, Failure> {
    rayon::ThreadPoolBuilder::new().num_threads(threads).build().map_err(Failure::ours)
}

fn scene(name: &str) -> Result<Scene, Failure> {
    pliant_scenes::build(name).ok_or_else(|| Failure::ours(format!("the scene {name} cannot be built")))
}

/// Lets no body of a world sleep: for benchmarks in which bodies come to rest.
fn keep_awake(world: &mut World) {
    world.settings.sleep.speed = 0.0;
}

fn median(mut sample: Vec<f64>) -> f64 {
    sample.sort_by(f64::total_cmp);
    sample.get(sample.len() / 2).copied().unwrap_or(f64::NAN)
}
