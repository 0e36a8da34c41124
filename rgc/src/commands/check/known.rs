//! `rgc check --perft`: the perft numbers in comments, counted.

use crate::input::{escaped, source_name};
use crate::joint::{Steps, count_each};
use crate::known::known;
use crate::load::Loaded;
use crate::render::MessageFormat;
use crate::runner::Runner;
use crate::session::{Failure, Session};
use crate::table::{counted, grouped};
use backend::{Options, State};
use rg_ir::{Diagnostic, Span};
use serde::Serialize;
use std::io::Write as _;
use std::path::Path;
use std::time::{Duration, Instant};

/// Greater numbers are not counted.
const MOST: u64 = 10_000_000;

/// How much games are optimised for counting.
const LEVEL: u8 = 2;

/// What became of the numbers of a game.
#[derive(Default, Serialize)]
struct Outcome {
    /// Numbers that were counted.
    counted: Vec<u64>,
    /// Numbers that are too large.
    large: Vec<u64>,
    /// Numbers for which there was not enough time.
    late: Vec<u64>,
}

/// Counts what the comments of a game say, and writes a line about it; the findings, `IO372` for the first wrong number of a line.
pub(super) fn recounted(session: &mut Session, file: &Path, loaded: Loaded) -> Result<Vec<Diagnostic>, Failure> {
    let (source, language) = (loaded.source, loaded.language.name);
    let text = session.sources.get(source).map_or("", |file| &file.text);
    let lines = known(language, source, text);
    let (mut outcome, mut findings) = (Outcome::default(), Vec::new());
    if !lines.is_empty() {
        let until = Instant::now() + Duration::from_secs(session.reading.limit.0.into());
        let loaded = loaded.optimised_to_count(LEVEL)?;
        let runner = Runner::new(loaded, Options { checked: true, ..Options::default() })?;
        let count = Count { state: runner.initial()?, runner: &runner, until };
        for line in &lines {
            session.progress(&format!("{} …", runner.loaded.name));
            let wrong = count.line(&line.numbers, &mut outcome);
            session.progress("");
            findings.extend(wrong?);
            let broken =
                |span| Diagnostic::error("IO372", span, "this is not a number, or it is too large to be counted");
            findings.extend(line.broken.map(broken));
        }
        findings.extend(runner.findings());
    }
    let name = source_name(file);
    let line = match session.message_format() {
        MessageFormat::Json => {
            let verdict = serde_json::json!({ "file": name, "perft": outcome });
            serde_json::to_string(&verdict).map_err(std::io::Error::from)?
        }
        _ => format!("{}: {}", escaped(&name), outcome.text(lines.len(), findings.iter().any(is_wrong))),
    };
    writeln!(session.out(), "{line}")?;
    Ok(findings)
}

fn is_wrong(finding: &Diagnostic) -> bool {
    finding.code == "IO372"
}

impl Outcome {
    /// What was counted and what was not, in a line.
    fn text(&self, lines: usize, wrong: bool) -> String {
        if lines == 0 {
            return "no line `perft: …` in a comment".to_owned();
        }
        let list = |numbers: &[u64]| numbers.iter().map(|&number| grouped(number)).collect::<Vec<_>>().join("; ");
        let mut text = counted(self.counted.len() as u64, "number") + " of perft counted";
        text.push_str(if wrong { ", not all as the comment says" } else { ", as the comment says" });
        if !self.large.is_empty() {
            text.push_str(&format!("; too large: {}", list(&self.large)));
        }
        if !self.late.is_empty() {
            text.push_str(&format!("; no time for: {}", list(&self.late)));
        }
        text
    }
}

/// A game whose plays are counted.
struct Count<'a> {
    runner: &'a Runner,
    state: State,
    /// When time is over.
    until: Instant,
}

impl Count<'_> {
    /// Counts for the numbers of a line; the finding about the first one that is wrong.
    fn line(&self, numbers: &[(u64, Span)], outcome: &mut Outcome) -> Result<Option<Diagnostic>, Failure> {
        // Time for a number is in proportion to it, at least.
        let (mut before, mut took) = (1_u64, Duration::ZERO);
        for (&(number, span), depth) in numbers.iter().zip(1..) {
            let growth = number as f64 / before.max(1) as f64;
            let expected = took.mul_f64(growth.clamp(1.0, 1e6));
            if number > MOST {
                outcome.large.push(number);
                continue;
            }
            if Instant::now() + expected > self.until {
                outcome.late.push(number);
                continue;
            }
            let begin = Instant::now();
            let found = self.plays(depth)?;
            (before, took) = (number, begin.elapsed());
            outcome.counted.push(number);
            if found != number {
                let message = format!(
                    "counted {} at depth {depth}, the comment says {}",
                    counted(found, "play"),
                    grouped(number)
                );
                let wrong = Diagnostic::error("IO372", span, message).label(format!("{} were counted", grouped(found)));
                return Ok(Some(wrong.help("`rgc perft --divide` shows with which first moves they begin")));
            }
        }
        Ok(None)
    }

    /// The perft number of this depth; of joint moves in games that have them.
    fn plays(&self, depth: u32) -> Result<u64, Failure> {
        let counted = match self.runner.loaded.notation.joint() {
            Some(_) => Steps::of(self.runner)?.perft(&self.state, depth),
            None => match self.runner.reasoner.perft(&self.state, depth) {
                Err(error) if self.runner.forgives(&error) => count_each(self.runner, &self.state, depth),
                counted => counted,
            },
        };
        Ok(counted.map_err(|error| self.runner.failure(&error))?)
    }
}
