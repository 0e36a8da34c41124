//! Texts without macros and functions, and the way back to what was written.

use rg_ir::{Diagnostic, SourceId, Span};
use serde::Serialize;

/// Where a word of an expanded text comes from.
#[derive(Clone, Debug)]
pub struct Origin {
    /// Where the word begins in the expanded text.
    pub at: usize,
    /// What it comes from.
    pub span: Span,
    /// The macros and parameters that lead there, innermost first, with the places of their calls.
    pub through: Vec<(String, Span)>,
}

/// A text in which macros or functions are written out.
#[derive(Clone, Debug)]
pub struct Expanded {
    /// The text.
    pub text: String,
    /// Where its words come from, in order; nothing is said about what stands as it was written.
    pub origins: Vec<Origin>,
}

/// Expands a text; nothing if there are errors. The findings are returned in any case.
pub type Expansion = fn(SourceId, &str) -> (Option<Expanded>, Vec<Diagnostic>);

/// Expands the call at a byte of a text; nothing if there is none.
pub type CallExpansion = fn(SourceId, &str, u32) -> Option<Expanded>;

/// A line of an expanded text with what it comes from.
#[derive(Clone, Debug, Serialize)]
pub struct Line {
    /// The line.
    pub text: String,
    /// Line and column of what its first word comes from; `None` for what stands as it was written.
    pub from: Option<[usize; 2]>,
    /// The macros and parameters that lead there, innermost first, with line and column of their calls.
    pub through: Vec<(String, [usize; 2])>,
}

/// The lines of an expansion of `text`. Linear, with a logarithm for places.
pub fn lines(expanded: &Expanded, text: &str) -> Vec<Line> {
    let starts: Vec<usize> = std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect();
    let place = |span: Span| {
        let at = (span.start as usize).min(text.len());
        let line = starts.partition_point(|&start| start <= at);
        let begin = starts.get(line.checked_sub(1)?)?;
        Some([line, text.get(*begin..at)?.chars().count() + 1])
    };
    let mut origins = expanded.origins.iter().peekable();
    let mut start = 0;
    let mut out = Vec::new();
    for text in expanded.text.split_inclusive('\n') {
        let end = start + text.len();
        while origins.next_if(|origin| origin.at < start).is_some() {}
        let first = origins.peek().filter(|origin| origin.at < end);
        let through = first.map_or(&[][..], |origin| &origin.through);
        out.push(Line {
            text: text.trim_end_matches(['\n', '\r']).to_owned(),
            from: first.and_then(|origin| place(origin.span)),
            through: through.iter().filter_map(|(name, call)| Some((name.clone(), place(*call)?))).collect(),
        });
        start = end;
    }
    out
}

/// The lines as text, each with a comment that says what its first word comes from: `// 12:5 step (31:9)` for line 12, column 5, in the macro
/// `step` that is called in line 31. Of macros that call each other the outermost is named last. Lines that already have a comment get none.
pub fn annotated(lines: &[Line]) -> String {
    let mut out = String::new();
    for line in lines {
        out.push_str(&line.text);
        if let Some([row, column]) = line.from.filter(|_| !line.text.contains("//")) {
            out.push_str(&format!("  // {row}:{column}"));
            for (name, [row, column]) in &line.through {
                out.push_str(&format!(" {name} ({row}:{column})"));
            }
        }
        out.push('\n');
    }
    out
}

/// Expands RBG.
pub(crate) fn rbg(source: SourceId, text: &str) -> (Option<Expanded>, Vec<Diagnostic>) {
    let (expanded, findings) = rbg::without_macros(source, text);
    (expanded.map(of_rbg), findings)
}

/// Expands a call of RBG.
pub(crate) fn rbg_call(source: SourceId, text: &str, offset: u32) -> Option<Expanded> {
    rbg::expanded_call(source, text, offset).map(of_rbg)
}

fn of_rbg(expanded: rbg::Expanded) -> Expanded {
    let step = |index: Option<u32>| expanded.expansions.get(index? as usize);
    let through = |index: Option<u32>| {
        let chain = std::iter::successors(step(index), |found| step(found.outer));
        chain.map(|found| (found.name.clone(), found.span)).collect()
    };
    let origins = expanded.words.iter();
    let origins = origins.map(|&(at, origin)| Origin { at, span: origin.span, through: through(origin.expansion) });
    Expanded { origins: origins.collect(), text: expanded.text.clone() }
}

/// Expands HRG.
pub(crate) fn hrg(source: SourceId, text: &str) -> (Option<Expanded>, Vec<Diagnostic>) {
    let (evaluated, findings) = hrg::evaluated(source, text);
    let expanded = evaluated.map(|evaluated| Expanded {
        origins: evaluated.lines.iter().map(|&(at, span)| Origin { at, span, through: Vec::new() }).collect(),
        text: evaluated.text,
    });
    (expanded, findings)
}
