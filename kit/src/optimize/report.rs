//! Steps and times of a pipeline as text.

use crate::table::{grouped, render};
use passes::{Observer, Pass, Size, Step};
use std::io::Write;
use std::time::Duration;

/// What is kept of a step.
#[derive(Clone, Debug)]
pub struct Record {
    /// See [`Step::number`].
    pub number: usize,
    /// See [`Step::round`].
    pub round: usize,
    /// The name of the pass.
    pub pass: &'static str,
    /// See [`Step::changed`].
    pub changed: bool,
    /// See [`Step::size_before`].
    pub before: Size,
    /// See [`Step::size_after`].
    pub after: Size,
    /// See [`Step::notes`].
    pub notes: Vec<String>,
    /// See [`Step::time`].
    pub time: Duration,
}

impl From<&Step<'_>> for Record {
    fn from(step: &Step<'_>) -> Self {
        Self {
            number: step.number,
            round: step.round,
            pass: step.pass.name(),
            changed: step.changed,
            before: step.size_before,
            after: step.size_after,
            notes: step.notes.to_vec(),
            time: step.time,
        }
    }
}

/// The heading of [`line`]s.
pub const HEADING: &str =
    "  run round  pass                          nodes    edges        cells     bits        ms  remarks\n";

/// A step in a line: what changed is signed, what did not is the size alone.
pub fn line(step: &Record) -> String {
    let Size { nodes, edges, cells, bits } = step.after;
    let mark = if step.changed { '*' } else { ' ' };
    let ms = step.time.as_secs_f64() * 1e3;
    let name = step.pass;
    let mut text = format!(
        "{:>5} {:>5} {mark}{name:<24} {nodes:>9} {edges:>8} {cells:>12} {bits:>8} {ms:>9.3}",
        step.number, step.round
    );
    let remarks: Vec<String> = changes(step).into_iter().chain(step.notes.iter().cloned()).collect();
    if !remarks.is_empty() {
        text.push_str("  ");
        text.push_str(&remarks.join("; "));
    }
    text.push('\n');
    text
}

/// What a step did to the sizes, such as `-3 nodes, -4 edges`.
pub fn changes(step: &Record) -> Option<String> {
    let (Size { nodes, edges, cells, bits }, old) = (step.after, step.before);
    let signed = |new: u64, old: u64, what: &str| {
        let sign = if new < old { '-' } else { '+' };
        (new != old).then(|| format!("{sign}{} {what}", new.abs_diff(old)))
    };
    let parts = [
        signed(nodes as u64, old.nodes as u64, "nodes"),
        signed(edges as u64, old.edges as u64, "edges"),
        signed(cells, old.cells, "cells"),
        signed(bits, old.bits, "bits"),
    ];
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    if parts.is_empty() { None } else { Some(parts.join(", ")) }
}

/// Writes a line for every step as it is done.
pub struct Printer<W> {
    out: W,
    started: bool,
}

impl<W: Write> Printer<W> {
    /// A printer that writes to `out`.
    pub fn new(out: W) -> Self {
        Self { out, started: false }
    }
}

impl<W: Write> Observer for Printer<W> {
    fn step(&mut self, step: &Step<'_>) -> Result<(), String> {
        let heading = if std::mem::replace(&mut self.started, true) { "" } else { HEADING };
        let text = heading.to_owned() + &line(&Record::from(step));
        self.out.write_all(text.as_bytes()).map_err(|error| format!("cannot write the report: {error}"))
    }
}

/// Adds up the times of passes.
#[derive(Clone, Debug, Default)]
pub struct Times {
    rows: Vec<Row>,
}

#[derive(Clone, Debug)]
struct Row {
    pass: &'static str,
    runs: u64,
    changes: u64,
    total: Duration,
    longest: Duration,
}

impl Observer for Times {
    fn step(&mut self, step: &Step<'_>) -> Result<(), String> {
        self.add(step.pass, step.changed, step.time);
        Ok(())
    }
}

impl Times {
    fn add(&mut self, pass: &'static dyn Pass, changed: bool, time: Duration) {
        let name = pass.name();
        let at = self.rows.iter().position(|row| row.pass == name).unwrap_or(self.rows.len());
        if at == self.rows.len() {
            self.rows.push(Row { pass: name, runs: 0, changes: 0, total: Duration::ZERO, longest: Duration::ZERO });
        }
        if let Some(row) = self.rows.get_mut(at) {
            row.runs += 1;
            row.changes += u64::from(changed);
            row.total += time;
            row.longest = row.longest.max(time);
        }
    }

    /// The time of all runs.
    pub fn total(&self) -> Duration {
        self.rows.iter().map(|row| row.total).sum()
    }

    /// A table, the dearest pass first, with a last row for all of them.
    pub fn table(&self) -> String {
        let total = self.total();
        let share = |time: Duration| match total.is_zero() {
            true => "–".to_owned(),
            false => format!("{:.1} %", time.as_secs_f64() / total.as_secs_f64() * 100.0),
        };
        let ms = |time: Duration| format!("{:.3}", time.as_secs_f64() * 1e3);
        let mut rows = self.rows.clone();
        rows.sort_by(|a, b| b.total.cmp(&a.total).then(a.pass.cmp(b.pass)));
        let sum = |count: fn(&Row) -> u64| rows.iter().map(count).sum();
        rows.push(Row {
            pass: "total",
            runs: sum(|row| row.runs),
            changes: sum(|row| row.changes),
            total,
            longest: rows.iter().map(|row| row.longest).max().unwrap_or_default(),
        });
        let cells = |row: &Row| {
            let (runs, changes) = (grouped(row.runs), grouped(row.changes));
            vec![row.pass.to_owned(), runs, changes, ms(row.total), share(row.total), ms(row.longest)]
        };
        render(&["pass", "runs", "changes", "ms", "share", "longest"], 1, rows.iter().map(cells).collect())
    }
}
