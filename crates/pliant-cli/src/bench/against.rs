//! Rows measured now against rows that were kept.

use super::machine::{machine, today};
use super::row::Row;
use crate::Failure;
use crate::run::{count, write_json};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::path::Path;

/// Rows that were kept, with where and when they were measured.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
enum File {
    Baseline {
        machine: String,
        date: String,
        rows: Vec<Kept>,
    },
    /// What `--json` writes.
    Rows(Vec<Kept>),
}

/// What a comparison needs of a row that was kept.
#[derive(Clone, Debug, PartialEq, Deserialize)]
struct Kept {
    suite: String,
    name: String,
    /// `None` if it was no number.
    value: Option<f64>,
    threads: usize,
}

/// Rows to compare with.
#[derive(Clone, Debug)]
pub(super) struct Baseline {
    /// Where and when, if it is known.
    source: Option<(String, String)>,
    rows: Vec<Kept>,
}

/// Keeps rows to compare with later.
///
/// # Errors
/// If the file cannot be written.
pub(super) fn save(path: &Path, rows: &[Row]) -> Result<(), Failure> {
    #[derive(Serialize)]
    struct Saved<'a> {
        machine: String,
        date: String,
        rows: &'a [Row],
    }
    write_json(path, &Saved { machine: machine(), date: today(), rows })
}

impl Baseline {
    /// Reads rows that were kept.
    ///
    /// # Errors
    /// If the file cannot be read, or has no rows.
    pub fn read(path: &Path) -> Result<Self, Failure> {
        let fault = |what: String| Failure::input(format!("{}: {what}", path.display()));
        let text =
            std::fs::read_to_string(path).map_err(|error| fault(format!("cannot read it: {error}")))?;
        Self::parse(&text).map_err(|error| {
            fault(format!("these are no rows of `pliant bench --save` or `pliant bench --json`: {error}"))
        })
    }

    fn parse(text: &str) -> Result<Self, serde_json::Error> {
        Ok(match serde_json::from_str(text)? {
            File::Baseline { machine, date, rows } => Self { source: Some((machine, date)), rows },
            File::Rows(rows) => Self { source: None, rows },
        })
    }

    /// Compares with rows measured now, of these suites. A row is the same row if it was measured on as many threads.
    pub fn compare(&self, rows: &[Row], suites: &[&str]) -> Comparison {
        let mut comparison = Comparison::default();
        if let Some((there, date)) = &self.source {
            comparison.source = format!("on {there}, {date}");
            comparison.elsewhere = *there != machine();
        }
        let is = |kept: &Kept, row: &Row| {
            kept.suite == row.suite && kept.name == row.name && kept.threads == row.threads
        };
        for row in rows {
            match self.rows.iter().find(|kept| is(kept, row)).and_then(|kept| kept.value) {
                None => comparison.new.push(row.name.to_owned()),
                Some(before) => {
                    comparison.compared += 1;
                    if row.better.is_worse(before, row.value) {
                        comparison.worse.push(Worse::new(row, before));
                    }
                }
            }
        }
        let gone =
            |kept: &&Kept| suites.contains(&kept.suite.as_str()) && !rows.iter().any(|row| is(kept, row));
        comparison.missing = self.rows.iter().filter(gone).map(|kept| kept.name.clone()).collect();
        comparison
    }
}

/// A row that became worse.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Worse {
    pub suite: &'static str,
    name: &'static str,
    unit: &'static str,
    before: f64,
    now: f64,
}

impl Worse {
    fn new(row: &Row, before: f64) -> Self {
        // The unit is that of the times which a ratio was made of.
        let unit = if row.ratio.is_some() { "×" } else { row.unit };
        Self { suite: row.suite, name: row.name, unit, before, now: row.value }
    }
}

/// How rows differ from those that were kept.
#[derive(Clone, Debug, Default)]
pub(super) struct Comparison {
    /// Where and when the others were measured.
    source: String,
    /// They were measured on another machine.
    elsewhere: bool,
    compared: usize,
    pub worse: Vec<Worse>,
    missing: Vec<String>,
    new: Vec<String>,
}

impl fmt::Display for Comparison {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.source.is_empty() {
            writeln!(f, "compared with rows measured {}", self.source)?;
        }
        if self.elsewhere {
            writeln!(f, "this is another machine ({}): times say little, ratios and counts more", machine())?;
        }
        for Worse { name, unit, before, now, .. } in &self.worse {
            let change = 100.0 * (now / before - 1.0);
            writeln!(f, "worse: {name:<34} {before:.3} → {now:.3} {unit} ({change:+.0} %)")?;
        }
        self.missing.iter().try_for_each(|name| writeln!(f, "missing: {name}"))?;
        self.new.iter().try_for_each(|name| writeln!(f, "new: {name}"))?;
        write!(
            f,
            "{} compared: {} worse, {} missing, {} new",
            count(self.compared, "row", "rows"),
            self.worse.len(),
            self.missing.len(),
            self.new.len()
        )
    }
}

#[cfg(test)]
mod tests {
    use super::super::row::Better;
    use super::*;

    const KEPT: &str = r#"[
        {"suite": "cut", "name": "time", "value": 10.0, "unit": "ms", "threads": 1},
        {"suite": "cut", "name": "speed", "value": 10.0, "unit": "ms", "threads": 1},
        {"suite": "cut", "name": "nodes", "value": 500.0, "unit": "", "threads": 1},
        {"suite": "cut", "name": "gone", "value": 1.0, "unit": "", "threads": 1},
        {"suite": "cut", "name": "void", "value": null, "unit": "", "threads": 1},
        {"suite": "octree", "name": "elsewhere", "value": 1.0, "unit": "", "threads": 1}
    ]"#;

    fn rows(time: f64, speed: f64, nodes: f64) -> Vec<Row> {
        let row =
            |name, value, better| Row { threads: 1, ..Row::number("cut", name, value, "ms").better(better) };
        vec![
            row("time", time, Better::Lower),
            row("speed", speed, Better::Higher),
            row("nodes", nodes, Better::Same),
        ]
    }

    fn worse(rows: &[Row]) -> Vec<&'static str> {
        let baseline = Baseline::parse(KEPT).unwrap();
        baseline.compare(rows, &["cut"]).worse.iter().map(|worse| worse.name).collect()
    }

    #[test]
    fn only_what_became_worse_is_named() {
        assert!(worse(&rows(10.0, 10.0, 500.0)).is_empty());
        assert!(worse(&rows(1.0, 100.0, 500.0)).is_empty());
        assert_eq!(worse(&rows(12.0, 8.0, 499.0)), ["time", "speed", "nodes"]);
        assert_eq!(worse(&rows(f64::NAN, 10.0, 500.0)), ["time"]);
    }

    #[test]
    fn rows_without_a_counterpart_are_told() {
        let mut rows = rows(12.0, 10.0, 500.0);
        rows[1].threads = 2;
        rows.push(Row { name: "void", ..rows[0].clone() });
        let comparison = Baseline::parse(KEPT).unwrap().compare(&rows, &["cut"]);
        assert_eq!(comparison.missing, ["speed", "gone"]);
        assert_eq!(comparison.new, ["speed", "void"]);
        let text = comparison.to_string();
        assert!(text.contains("time") && text.contains("10.000 → 12.000 ms (+20 %)"), "{text}");
        assert!(text.ends_with("2 rows compared: 1 worse, 2 missing, 2 new"), "{text}");
    }

    #[test]
    fn a_baseline_says_where_and_when() {
        let text = format!(r#"{{"machine": "a slide rule", "date": "1970-01-01", "rows": {KEPT}}}"#);
        let text = Baseline::parse(&text).unwrap().compare(&rows(10.0, 10.0, 500.0), &["cut"]).to_string();
        assert!(text.contains("on a slide rule, 1970-01-01") && text.contains("another machine"), "{text}");
    }
}
