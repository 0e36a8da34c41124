//! Which comment describes what: the one that stands right above it.

use crate::source::Span;

/// The comments of a text that stand on lines of their own; those that follow each other are one.
#[derive(Clone, Default, Debug)]
pub struct Docs<'t> {
    text: &'t str,
    runs: Vec<Span>,
}

impl<'t> Docs<'t> {
    /// The comments of `text` at these places, which are in order. Linear.
    pub fn of(text: &'t str, comments: impl IntoIterator<Item = Span>) -> Self {
        let mut docs = Self { text, runs: Vec::new() };
        for comment in comments {
            let written = text.get(comment.range()).unwrap_or_default();
            let comment =
                Span::new(comment.source, comment.start as usize, comment.start as usize + written.trim_end().len());
            let before = text.get(..comment.start as usize).unwrap_or_default();
            let line = before.rfind(['\n', '\r']).map_or(0, |at| at + 1);
            if !before.get(line..).unwrap_or_default().trim_matches('\u{feff}').trim().is_empty() {
                continue;
            }
            let joined = docs.runs.last().is_some_and(|run| docs.is_next(*run, comment.start));
            match docs.runs.last_mut() {
                Some(run) if joined => *run = run.to(comment),
                _ => docs.runs.push(comment),
            }
        }
        docs
    }

    /// Whether a place is on the line below a comment, and nothing is between them.
    fn is_next(&self, run: Span, start: u32) -> bool {
        let gap = self.text.get(run.end as usize..start as usize).unwrap_or("?");
        gap.trim().is_empty() && gap.matches('\n').count() <= 1
    }

    /// The comment on what begins at a place; [`Span::NONE`] if there is none. Logarithmic.
    pub fn on(&self, place: Span) -> Span {
        let before = self.runs.partition_point(|run| run.end <= place.start);
        let run = before.checked_sub(1).and_then(|at| self.runs.get(at)).copied();
        run.filter(|run| self.is_next(*run, place.start)).unwrap_or(Span::NONE)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::SourceId;

    #[test]
    fn a_comment_describes_the_line_below() {
        let text = "; top\n\n; one\n; two\na ; behind\nb\n; three\n c";
        let comments: Vec<Span> = text
            .match_indices(';')
            .map(|(at, _)| Span::new(SourceId(0), at, text[at..].find('\n').map_or(text.len(), |end| at + end)))
            .collect();
        let docs = Docs::of(text, comments);
        let on = |name: &str| {
            let at = text.find(&format!("\n{name}")).unwrap() + 1;
            let doc = docs.on(Span::new(SourceId(0), at, at + 1));
            doc.is_some().then(|| &text[doc.range()])
        };
        assert_eq!((on("a"), on("b"), on(" c")), (Some("; one\n; two"), None, Some("; three")));
    }
}
