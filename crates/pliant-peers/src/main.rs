//! Other engines on the same work, for ratios in one run.

mod cut;
mod duel;
mod engine;
mod ours;
mod pile;
mod rapier;

use anyhow::{Context, Result, bail};
use clap::Parser;
use cut::{Cuts, Side, cuts};
use duel::{DROP_FRAMES, Frames, Run, duel};
use engine::Engine;
use rapier::Kind;
use serde::Serialize;
use std::path::PathBuf;

/// Seconds a frame.
const FRAME_SECS: f32 = 1.0 / 60.0;
/// Edge of the cube in metres.
const EDGE: f32 = 1.0;
/// How far above the floor it is let go, in metres.
const DROP: f32 = 0.5;
/// kg/m³
const DENSITY: f32 = 1000.0;

/// Other engines on the same work, for ratios in one run.
#[derive(Debug, Parser)]
struct Arguments {
    /// Where to write the rows.
    #[arg(long, value_name = "OUT")]
    json: Option<PathBuf>,
    /// Only the row of this name.
    #[arg(long, value_name = "NAME")]
    only: Option<String>,
}

/// One measurement, in the shape of those of `pliant bench`. A ratio is always theirs divided by ours: above 1 we are faster.
#[derive(Clone, Debug, Serialize)]
struct Row {
    suite: &'static str,
    name: &'static str,
    /// NaN, `null` in JSON, if the row is void.
    value: f64,
    unit: &'static str,
    paper: Option<f64>,
    peer: Option<f64>,
    ours: Option<f64>,
    ratio: Option<f64>,
    threads: usize,
}

/// Both engines, their scenes set up.
type Pair = (Box<dyn Engine>, Box<dyn Engine>);

/// A row by name, and how to set up its scenes.
struct Entry {
    name: &'static str,
    set_up: fn() -> Result<Pair>,
    frames: Frames,
}

const ENTRIES: &[Entry] = &[
    Entry { name: "cube20-vs-rapier-volume", set_up: || cubes(20, Kind::Volume), frames: DROP_FRAMES },
    Entry { name: "cube20-vs-rapier-matching", set_up: || cubes(20, Kind::Matching), frames: DROP_FRAMES },
    Entry {
        name: "cube20-vs-rapier-matching-alone",
        set_up: || cubes(20, Kind::MatchingAlone),
        frames: DROP_FRAMES,
    },
    Entry { name: "cube32-vs-rapier-volume", set_up: || cubes(32, Kind::StifferVolume), frames: DROP_FRAMES },
    Entry {
        name: "pile9-vs-rapier",
        set_up: || Ok((Box::new(rapier::pile()), Box::new(ours::pile()?))),
        frames: Frames { warm_up: pile::FRAMES[0], counted: pile::FRAMES[1] },
    },
];

/// A row of cuts by name, and how to build the bodies.
struct CutEntry {
    name: &'static str,
    peer: Side,
    /// Without it the row has no ratio.
    ours: Option<Side>,
}

const CUTS: &[CutEntry] = &[
    CutEntry {
        name: "cut20-vs-rapier",
        peer: || Ok(Box::new(rapier::cube(20, Kind::Volume))),
        ours: Some(|| Ok(Box::new(ours::octree_cube(20)?))),
    },
    CutEntry {
        name: "cut20-vs-rapier-matching",
        peer: || Ok(Box::new(rapier::cube(20, Kind::Matching))),
        ours: Some(|| Ok(Box::new(ours::octree_cube(20)?))),
    },
];

fn cubes(n: u32, kind: Kind) -> Result<Pair> {
    Ok((Box::new(rapier::cube(n, kind)), Box::new(ours::cube(n)?)))
}

fn main() -> Result<()> {
    let arguments = Arguments::parse();
    // Rapier is built without threads; this is for us.
    rayon::ThreadPoolBuilder::new().num_threads(1).build_global().context("one thread")?;
    let chosen = |name: &str| arguments.only.as_deref().is_none_or(|only| only == name);
    let entries: Vec<&Entry> = ENTRIES.iter().filter(|entry| chosen(entry.name)).collect();
    let cut_entries: Vec<&CutEntry> = CUTS.iter().filter(|entry| chosen(entry.name)).collect();
    if entries.is_empty() && cut_entries.is_empty() {
        let names: Vec<&str> =
            ENTRIES.iter().map(|entry| entry.name).chain(CUTS.iter().map(|entry| entry.name)).collect();
        bail!("there is no such row; there are: {}", names.join(", "));
    }
    println!("{:<32} {:>9} {:>9} {:>7}   median, height of each", "name", "peer", "ours", "ratio");
    let mut rows = Vec::new();
    for entry in entries {
        let (mut peer, mut ours) = (entry.set_up)().context(entry.name)?;
        let (theirs, own) = duel(peer.as_mut(), ours.as_mut(), entry.frames).context(entry.name)?;
        println!("{}", line(entry.name, &theirs, &own));
        rows.push(row(entry.name, &theirs, &own));
    }
    for entry in cut_entries {
        let (theirs, own) = cuts(entry.peer, entry.ours).context(entry.name)?;
        let row = cut_row(entry.name, &theirs, own.as_ref());
        println!("{}", cut_lines(&row, &theirs, own.as_ref()));
        rows.push(row);
    }
    if let Some(path) = &arguments.json {
        let text = serde_json::to_string_pretty(&rows)?;
        std::fs::write(path, text).with_context(|| path.display().to_string())?;
    }
    Ok(())
}

fn row(name: &'static str, theirs: &Run, own: &Run) -> Row {
    let stand = theirs.stands() && own.stands();
    let ratio = stand.then(|| theirs.mean() / own.mean());
    Row {
        suite: "peers",
        name,
        value: ratio.unwrap_or(f64::NAN),
        unit: "ms",
        paper: None,
        peer: Some(theirs.mean()),
        ours: Some(own.mean()),
        ratio,
        threads: 1,
    }
}

fn line(name: &str, theirs: &Run, own: &Run) -> String {
    let fallen = [("the peer's", theirs), ("ours", own)].into_iter().find(|(_, run)| !run.stands());
    let ratio = match fallen {
        Some(_) => String::from("void"),
        None => format!("{:.1}", theirs.mean() / own.mean()),
    };
    let mut text = format!(
        "{name:<32} {:>6.2} ms {:>6.2} ms {ratio:>7}   {:.2} ms {:.2}, {:.2} ms {:.2}",
        theirs.mean(),
        own.mean(),
        theirs.median(),
        theirs.height(),
        own.median(),
        own.height()
    );
    if let Some((whose, run)) = fallen {
        let what = if run.height() > 1.0 { "grew" } else { "sank" };
        let (height, apart) = (run.height(), run.apart());
        text += &format!("\n  void: {whose} {what} to {height:.2} of its height, {apart:.2} edges apart");
    }
    text
}

fn cut_row(name: &'static str, theirs: &Cuts, own: Option<&Cuts>) -> Row {
    let (peer, ours) = (theirs.median(), own.map(Cuts::median));
    let ratio = ours.map(|ours| peer / ours);
    Row {
        suite: "peers",
        name,
        value: ratio.unwrap_or(f64::NAN),
        unit: "ms",
        paper: None,
        peer: Some(peer),
        ours,
        ratio,
        threads: 1,
    }
}

fn cut_lines(row: &Row, theirs: &Cuts, own: Option<&Cuts>) -> String {
    let number = |value: Option<f64>| value.map_or_else(|| String::from("-"), |value| format!("{value:.2}"));
    let mut text = format!(
        "{:<32} {:>6} ms {:>6} ms {:>7}",
        row.name,
        number(row.peer),
        number(row.ours),
        number(row.ratio)
    );
    text += &format!("\n  the peer's: {}", theirs.line());
    if let Some(own) = own {
        text += &format!("\n  ours: {}", own.line());
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_void_row_is_null_in_json() {
        let nowhere = Run::default();
        let json = serde_json::to_value(row("fallen", &nowhere, &nowhere)).unwrap();
        assert!(json["value"].is_null() && json["ratio"].is_null());
    }
}
