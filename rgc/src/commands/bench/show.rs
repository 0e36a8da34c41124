//! Measurements as a table, and as a report in Markdown.

use super::row::{Row, geometric_mean};
use crate::input::is_stdin;
use crate::table::{grouped, render};
use std::fmt::Write as _;
use std::path::PathBuf;

/// No figure.
const NONE: &str = "–";

fn optional(value: Option<f64>) -> String {
    value.map_or(NONE.to_owned(), |value| format!("{value:.2}"))
}

/// The spread of the runs in percent of the median; nothing for a single one.
fn spread(row: &Row) -> String {
    let [least, greatest] = row.spread;
    let percent = |speed: f64| if row.speed() > 0.0 { (speed / row.speed() * 100.0).round() } else { 100.0 };
    if row.runs < 2 { NONE.to_owned() } else { format!("{:.0}–{:.0}", percent(least), percent(greatest)) }
}

fn mebibytes(bytes: Option<u64>) -> String {
    bytes.map_or("unknown".to_owned(), |bytes| format!("{:.1}", bytes as f64 / f64::from(1 << 20)))
}

fn ratio(ratio: Option<f64>) -> String {
    ratio.map_or(NONE.to_owned(), |ratio| if ratio < 0.1 { format!("{ratio:.4}×") } else { format!("{ratio:.2}×") })
}

/// The ratio to the earlier run, with `~` where the runs overlap.
fn to_earlier(row: &Row) -> String {
    let sign = if row.beyond_spread == Some(false) { "~" } else { "" };
    sign.to_owned() + &ratio(row.ratio_to_earlier)
}

/// Which ratios are shown.
#[derive(Clone, Copy)]
pub(super) struct Columns {
    pub(super) first: bool,
    pub(super) earlier: bool,
}

/// What is said where the fast engine of `auto` came too late.
const EARLY: &str = "where `interpreter` ran, machine code was not ready yet: measure longer (`--seconds`),\n\
                     or with `--engine native`, which waits for it";

/// Characters for the names of games that are played side by side: the rest of the line that says so.
const SIDE_BY_SIDE_WIDTH: usize = 34;
/// Characters in a line.
const LINE: usize = 80;
/// Characters between columns.
const GAP: usize = 2;
/// Room that the names of games have in any case.
const LEAST: usize = 8;

/// How measurements are shown as lines of a table, whose widths are known before they are made.
pub(super) struct Layout {
    columns: Columns,
    /// Headers and widths; the first three columns are aligned to the left.
    header: Vec<(&'static str, usize)>,
    /// Whether each game is run by several engines.
    engines: bool,
}

impl Layout {
    /// For these files. Names of games that leave no room for the rest of a line are cut.
    pub(super) fn new(columns: Columns, files: &[PathBuf], engines: bool) -> Self {
        let mut header =
            vec![("game", 0), ("engine", "backtracking".len()), ("mode", 5), ("playouts/s", 10), ("states/s", 13)];
        if columns.first || columns.earlier {
            header.extend(columns.first.then_some(("to first", 8)));
            header.extend(columns.earlier.then_some(("to earlier", 10)));
        } else {
            header.push(("min–max %", 9));
        }
        let others: usize = header.iter().map(|(_, width)| width + GAP).sum::<usize>() - GAP;
        let letters = |file: &PathBuf| match is_stdin(file) {
            true => "stdin".len(),
            false => file.file_stem().map_or(0, |stem| stem.to_string_lossy().chars().count()),
        };
        let names = files.iter().map(letters);
        // As many characters again for the language, where names are equal.
        let longest = names.max().unwrap_or(0) + if files.len() > 1 { " (rbg)".len() } else { 0 };
        if let Some((name, width)) = header.first_mut() {
            *width = longest.max(name.len()).min(LINE.saturating_sub(others).max(LEAST));
        }
        Self { columns, header, engines }
    }

    /// The line of a measurement, with the header above if it is the first one.
    pub(super) fn line(&self, row: &Row, first: bool) -> String {
        let mut cells = vec![
            row.label.clone(),
            row.engine.to_owned(),
            row.mode.to_owned(),
            row.playouts_per_s.map_or(NONE.to_owned(), |rate| grouped(rate as u64)),
            grouped(row.states_per_s as u64),
        ];
        if self.columns.first || self.columns.earlier {
            cells.extend(self.columns.first.then(|| ratio(row.ratio_to_first)));
            cells.extend(self.columns.earlier.then(|| to_earlier(row)));
        } else {
            cells.push(spread(row));
        }
        let header =
            if first { self.aligned(self.header.iter().map(|(name, _)| (*name).to_owned())) } else { String::new() };
        header + &self.aligned(cells)
    }

    /// Cells as a line.
    fn aligned(&self, cells: impl IntoIterator<Item = String>) -> String {
        let aligned = cells.into_iter().zip(&self.header).enumerate().map(|(at, (cell, &(_, width)))| match at {
            0 => format!("{:width$}", cut(&cell, width)),
            1 | 2 => format!("{cell:width$}"),
            _ => format!("{cell:>width$}"),
        });
        let line = aligned.collect::<Vec<_>>().join(&" ".repeat(GAP));
        format!("{}\n", line.trim_end())
    }

    /// What stands below the lines: what the games need, and the result of the comparison.
    pub(super) fn end(&self, rows: &[Row]) -> String {
        let mut header = vec!["game"];
        header.extend(self.engines.then_some("engine"));
        header.extend(["plies", "moves", "bytes", "peak MiB", "start-up", "warm-up"]);
        let engine = if self.engines { "backtracking".len() + GAP } else { 0 };
        // The figures take 40 characters.
        let name = LINE - 40 - 6 * GAP - engine;
        let cells = |row: &Row| {
            let mut cells = vec![cut(&row.label, name)];
            cells.extend(self.engines.then(|| row.engine.to_owned()));
            let plays = |of: fn(&Row) -> Option<f64>| {
                let same = rows.iter().filter(|other| (&other.label, other.asked) == (&row.label, row.asked));
                optional(same.filter_map(of).next())
            };
            cells.extend([
                plays(|row| row.mean_plies),
                plays(|row| row.mean_moves),
                grouped(row.state_bytes as u64),
                mebibytes(row.peak_bytes),
                format!("{:.1}", row.startup_ms),
                format!("{:.1}", row.warm_up_ms),
            ]);
            cells
        };
        let needs = needs(rows).into_iter().map(cells).collect();
        let table = render(&header, if self.engines { 2 } else { 1 }, needs);
        let mut text =
            format!("\n{table}in milliseconds; warm-up is start-up, a playout, and what many at once need\n");
        if rows.iter().any(|row| row.is_early) {
            let _ = writeln!(text, "{EARLY}");
        }
        let games = side_by_side(rows);
        if !games.is_empty() {
            let _ = writeln!(text, "playouts side by side, moves as bit sets: {}", cut(&games, SIDE_BY_SIDE_WIDTH));
        }
        if self.columns.earlier {
            let _ = writeln!(text, "\n{}", summary(rows));
        }
        text
    }
}

/// The games of which many playouts were made side by side.
fn side_by_side(rows: &[Row]) -> String {
    let mut games: Vec<&str> = rows.iter().filter(|row| row.plays_at_once > 1).map(|row| row.label.as_str()).collect();
    games.dedup();
    games.join(", ")
}

/// At most this many characters of a text.
fn cut(text: &str, width: usize) -> String {
    if text.chars().count() <= width {
        return text.to_owned();
    }
    text.chars().take(width.saturating_sub(1)).chain(['…']).collect()
}

/// The result of the comparison with an earlier run.
fn summary(rows: &[Row]) -> String {
    let ratios: Vec<f64> = rows.iter().filter_map(|row| row.ratio_to_earlier).filter(|ratio| *ratio > 0.0).collect();
    let missing = rows.iter().filter(|row| row.ratio_to_earlier.is_none()).count();
    let changed = rows.iter().filter(|row| row.beyond_spread == Some(true)).count();
    let mut text = match geometric_mean(ratios.iter().copied()) {
        Some(mean) => format!(
            "against the earlier run: {mean:.3}× in the geometric mean of {}; {changed} beyond the spread of the runs",
            ratios.len()
        ),
        None => "against the earlier run: nothing was measured in both".to_owned(),
    };
    if missing > 0 {
        let _ = write!(text, "; {missing} not in the earlier run");
    }
    text
}

/// A line of a table in Markdown.
fn line(cells: &[String]) -> String {
    let cells: Vec<String> = cells.iter().map(|cell| cell.replace('|', "\\|")).collect();
    format!("| {} |\n", cells.join(" | "))
}

/// A table in Markdown: the first column aligned to the left, the others to the right.
fn markdown_table(header: &[String], rows: &[Vec<String>]) -> String {
    let rule: Vec<String> = (0..header.len()).map(|at| if at == 0 { "---" } else { "---:" }.to_owned()).collect();
    let rows = rows.iter().map(|row| line(row)).collect::<String>();
    format!("{}{}{rows}\n", line(header), line(&rule))
}

/// Distinct values in the order in which they come.
fn distinct<'r, T: PartialEq>(rows: &'r [Row], of: impl Fn(&'r Row) -> T) -> Vec<T> {
    let mut values = Vec::new();
    for value in rows.iter().map(of) {
        if !values.contains(&value) {
            values.push(value);
        }
    }
    values
}

/// A report: for every mode a table of games and engines, then what the games need.
pub(super) fn markdown(rows: &[Row], columns: Columns, seconds: f64) -> String {
    let runs = rows.first().map_or(0, |row| row.runs);
    let mut text = format!(
        "# Benchmark\n\nrgc {} on {} {}. Medians of {runs} runs, least and greatest in brackets; {seconds} s for the runs \
         of a game, engine and mode.\n\n",
        env!("CARGO_PKG_VERSION"),
        std::env::consts::OS,
        std::env::consts::ARCH,
    );
    let (engines, games) = (distinct(rows, |row| row.asked), distinct(rows, |row| row.label.as_str()));
    for mode in distinct(rows, |row| row.mode) {
        let _ = write!(text, "## Mode `{mode}`: {}\n\n", unit(mode));
        let header: Vec<String> = std::iter::once("game").chain(engines.iter().copied()).map(str::to_owned).collect();
        let cell = |game: &str, engine: &str| {
            let row = rows.iter().find(|row| (row.label.as_str(), row.asked, row.mode) == (game, engine, mode));
            row.map_or(NONE.to_owned(), |row| speed_cell(row, columns))
        };
        let lines = games.iter().map(|game| {
            let cells = engines.iter().map(|engine| cell(game, engine));
            std::iter::once((*game).to_owned()).chain(cells).collect()
        });
        text.push_str(&markdown_table(&header, &lines.collect::<Vec<_>>()));
    }
    text.push_str("## Start-up and memory\n\n");
    let header =
        ["game, engine", "read ms", "optimise ms", "build ms", "start-up ms", "warm-up ms", "state bytes", "peak MiB"];
    let lines = needs(rows).into_iter().map(|row| {
        let ms = |time: f64| format!("{time:.2}");
        vec![
            format!("{}, {}", row.label, row.engine),
            ms(row.read_ms),
            ms(row.optimise_ms),
            ms(row.build_ms),
            ms(row.startup_ms),
            ms(row.warm_up_ms),
            grouped(row.state_bytes as u64),
            mebibytes(row.peak_bytes),
        ]
    });
    text.push_str(&markdown_table(&header.map(str::to_owned), &lines.collect::<Vec<_>>()));
    if columns.earlier {
        let _ = write!(text, "## Comparison\n\n{}.\n\n", summary(rows));
    }
    let games = side_by_side(rows);
    if !games.is_empty() {
        let _ = write!(text, "Many playouts were made side by side, with moves as bit sets, of: {games}.\n\n");
    }
    if rows.iter().any(|row| row.is_early) {
        let _ = write!(text, "In this report, {}.\n\n", EARLY.replace('\n', " "));
    }
    text.push_str(
        "Warm-up is start-up, the first playout, and what many playouts at once need. Peak memory is that of the process, from preparing the engine to the last measurement; the game is in it.\n",
    );
    text
}

/// What the figures of a mode count.
fn unit(mode: &str) -> &'static str {
    match mode {
        "list" => "playouts/s, all moves listed",
        "set" => "playouts/s, moves as sets",
        "bulk" => "states/s of perft, the last moves counted",
        _ => "states/s of perft, every move made",
    }
}

/// The speed, its spread and its ratios.
fn speed_cell(row: &Row, columns: Columns) -> String {
    let [least, greatest] = row.spread.map(|speed| grouped(speed as u64));
    let mut text = grouped(row.speed() as u64);
    if row.runs > 1 {
        let _ = write!(text, " [{least}–{greatest}]");
    }
    if row.asked != row.engine {
        let _ = write!(text, ", {}", row.engine);
    }
    if let Some(first) = row.ratio_to_first.filter(|_| columns.first) {
        let _ = write!(text, ", {} of the first", ratio(Some(first)));
    }
    if columns.earlier && row.ratio_to_earlier.is_some() {
        let _ = write!(text, ", {} of the earlier", to_earlier(row));
    }
    text
}

/// For every game and engine its last measurement, when its peak was reached.
fn needs(rows: &[Row]) -> Vec<&Row> {
    let mut last: Vec<&Row> = Vec::new();
    for row in rows {
        match last.iter_mut().find(|other| (&other.label, other.asked) == (&row.label, row.asked)) {
            Some(other) => *other = row,
            None => last.push(row),
        }
    }
    last
}
