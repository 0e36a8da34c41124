//! Findings as text: for people in the manner of rustc, one line each, or as JSON.

mod human;
mod json;
mod position;

use crate::input::escaped;
use position::Positions;
use rg_ir::{Diagnostic, Severity, SourceMap};
use std::borrow::Cow;
use std::fmt;
use std::fmt::Write as _;

/// At most this many findings are shown to a person; the closing line counts all of them.
pub const MAX_SHOWN: usize = 50;

/// Form of findings.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MessageFormat {
    /// With excerpts of the text.
    Human,
    /// A JSON object in a line for each.
    Json,
    /// A line for each.
    Short,
}

/// Renders findings in one of the formats.
#[derive(Clone, Debug)]
pub struct Renderer {
    format: MessageFormat,
    colour: bool,
}

impl Renderer {
    /// A renderer for the format, coloured or not (JSON never is).
    pub fn new(format: MessageFormat, colour: bool) -> Self {
        Self { format, colour }
    }

    /// The findings as text with a final newline; human output ends with a line that counts them. Linear in the size
    /// of the texts the findings point into, with little work per finding.
    pub fn render(&self, sources: &SourceMap, findings: &[Diagnostic]) -> String {
        let shown: Vec<Cow<'_, Diagnostic>> = match self.format {
            MessageFormat::Json => findings.iter().map(readable).collect(),
            _ => worst(findings).into_iter().map(readable).collect(),
        };
        let mut positions = Positions::new(sources);
        if self.format == MessageFormat::Json {
            return shown.iter().map(|finding| json::render(&mut positions, finding)).collect();
        }
        let mut text = String::new();
        for finding in &shown {
            text.push_str(&match self.format {
                MessageFormat::Short => human::short(&mut positions, finding),
                _ => human::render(&mut positions, finding, self.colour),
            });
        }
        let summary = Summary::of(findings);
        if let (true, Some(level)) = (findings.len() > 1, findings.iter().map(|finding| finding.severity).min()) {
            let _ = write!(text, "{}: {summary}", level.name());
            if findings.len() > MAX_SHOWN {
                let _ = write!(text, "; {MAX_SHOWN} are shown");
            }
            text.push('\n');
        }
        text
    }
}

/// Longest word of a message, in characters; of longer ones the beginning is shown.
const LONG_WORD: usize = 160;

/// A message as it is shown: control characters, which may come from the game's text, are written as escapes, and words of
/// immense length are cut.
fn shown(text: &str) -> Cow<'_, str> {
    let plain = |word: &str| !word.chars().any(char::is_control) && word.chars().nth(LONG_WORD).is_none();
    if text.split(' ').all(plain) {
        return Cow::Borrowed(text);
    }
    let cut = |word: &str| {
        let beginning: String = word.chars().take(LONG_WORD).collect();
        let end = if beginning.len() < word.len() { "…" } else { "" };
        // The closing quote, and what stands behind it.
        let close = word.rfind('`').filter(|&at| at > 0 && word.starts_with('`') && !end.is_empty());
        let rest: String = close.and_then(|at| word.get(at..)).unwrap_or_default().chars().take(3).collect();
        format!("{}{end}{}", escaped(&beginning), escaped(&rest))
    };
    text.split(' ').map(cut).collect::<Vec<_>>().join(" ").into()
}

/// A finding with all its texts as they are shown.
fn readable(finding: &Diagnostic) -> Cow<'_, Diagnostic> {
    let marks = finding.primary.iter().chain(&finding.secondary).map(|mark| &mark.text);
    let mut texts = marks.chain(&finding.notes).chain(&finding.help).chain([&finding.message]);
    if texts.all(|text| matches!(shown(text), Cow::Borrowed(_))) {
        return Cow::Borrowed(finding);
    }
    let mut finding = finding.clone();
    let marks = finding.primary.iter_mut().chain(&mut finding.secondary).map(|mark| &mut mark.text);
    let texts = marks.chain(&mut finding.notes).chain(&mut finding.help).chain([&mut finding.message]);
    texts.for_each(|text| *text = shown(text).into_owned());
    Cow::Owned(finding)
}

/// The findings to show, in their order: all, or if they are too many, the worst.
fn worst(findings: &[Diagnostic]) -> Vec<&Diagnostic> {
    let mut chosen: Vec<(usize, &Diagnostic)> = findings.iter().enumerate().collect();
    if chosen.len() > MAX_SHOWN {
        chosen.sort_by_key(|(index, finding)| (finding.severity, *index));
        chosen.truncate(MAX_SHOWN);
        chosen.sort_by_key(|(index, _)| *index);
    }
    chosen.into_iter().map(|(_, finding)| finding).collect()
}

/// How many findings there are of each severity. Displays as `2 errors, 1 warning`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Summary {
    /// Number of errors.
    pub errors: usize,
    /// Number of warnings.
    pub warnings: usize,
    /// Number of lints.
    pub lints: usize,
}

impl Summary {
    /// Counts.
    pub fn of(findings: &[Diagnostic]) -> Self {
        let count = |severity| findings.iter().filter(|finding| finding.severity == severity).count();
        Self { errors: count(Severity::Error), warnings: count(Severity::Warning), lints: count(Severity::Lint) }
    }
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kinds = [(self.errors, "error"), (self.warnings, "warning"), (self.lints, "lint")];
        let parts: Vec<String> = kinds
            .iter()
            .filter(|(count, _)| *count > 0)
            .map(|(count, name)| format!("{count} {name}{}", if *count == 1 { "" } else { "s" }))
            .collect();
        if parts.is_empty() { write!(f, "no findings") } else { write!(f, "{}", parts.join(", ")) }
    }
}

#[cfg(test)]
mod tests;
