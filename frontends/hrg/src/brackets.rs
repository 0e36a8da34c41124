//! Findings about brackets that are missing behind a name, and about those of another kind than is meant.

use crate::codes;
use crate::lexer::{Kind, STATEMENTS, Token};
use crate::syntax::{Builder, Part};
use rg_ir::diag::{Applies, Edit, Fix};
use rg_ir::{Diagnostic, Span};

/// Variables that every description has.
const BUILTINS: [&str; 3] = ["goals", "player", "visible"];

impl Builder<'_> {
    /// The finding that the name before the token `at` lacks its round brackets: that of a graph where it is declared, and that of a statement such as
    /// `end` or of a graph where it is called. Linear.
    pub(crate) fn without_brackets(&self, at: usize, part: Part, expected: &[String]) -> Option<Diagnostic> {
        let before = at.checked_sub(1).filter(|&before| before >= part.start)?;
        let name = self.tokens.get(before).filter(|name| name.kind.is_name())?;
        let text = name.text(self.text);
        let accepts = |sign: &str| expected.iter().any(|e| e.trim_matches('"') == sign);
        let end = Span::new(self.source, name.end as usize, name.end as usize);
        let place = name.span(self.source);
        let next = self.kind_at(at);
        let is_head = before.checked_sub(1).filter(|&word| word >= part.first).and_then(|word| self.kind_at(word));
        if is_head == Some(Kind::Graph) {
            if next != Some(Kind::BraceOpen) || !accepts("(") {
                return None;
            }
            let message = format!("the graph `{text}` lacks its parameters, which stand in brackets");
            let finding = Diagnostic::error(codes::SYNTAX, place, message);
            return Some(finding.help(format!("without any, write `graph {text}()`")).fix("add `()`", end, "()"));
        }
        let is_whole = next != Some(Kind::ParenOpen) && ["(", "=", "["].iter().all(|sign| accepts(sign));
        if !part.is_graph || !is_whole || !(self.begins_line_at(at) || next == Some(Kind::BraceClose)) {
            return None;
        }
        let empty = self.has_no_parameters(text);
        if !STATEMENTS.contains(&text) && empty.is_none() {
            return None;
        }
        let finding = Diagnostic::error(codes::SYNTAX, place, format!("found `{text}` without brackets"));
        Some(match empty {
            Some(false) => finding.help(format!("a graph is called with its arguments: `{text}(…)`")),
            None if text == "check" => finding.help("a condition follows in brackets: `check(…)`"),
            _ => finding.help(format!("write `{text}()`")).fix("add `()`", end, "()"),
        })
    }

    /// The finding that a variable is called in front of the sign `=` at `at`, as in `goals(who) = 100`. Linear.
    pub(crate) fn called_variable(&self, at: usize, part: Part) -> Option<Diagnostic> {
        let mut edits = Vec::new();
        let mut depth = 0_usize;
        let mut index = at;
        loop {
            index = index.checked_sub(1).filter(|&index| index >= part.start)?;
            let token = self.tokens.get(index)?;
            match token.kind {
                Kind::ParenClose | Kind::BracketClose => depth += 1,
                Kind::ParenOpen | Kind::BracketOpen => depth = depth.checked_sub(1)?,
                _ => {}
            }
            match (token.kind, depth) {
                (Kind::ParenClose, 1) => edits.push(self.edit(*token, "]")),
                (Kind::Comma, 1) => edits.push(self.edit(*token, "][")),
                (Kind::ParenOpen, 0) => {
                    edits.push(self.edit(*token, "["));
                    break;
                }
                (_, 0) => return None,
                _ => {}
            }
        }
        let name = self.tokens.get(index.checked_sub(1)?).filter(|name| name.kind.is_name())?;
        let text = name.text(self.text);
        if !BUILTINS.contains(&text) && !self.is_declared(text) {
            return None;
        }
        let key = self.text.get(name.end as usize + 1..edits.first()?.span.start as usize)?.trim();
        if key.is_empty() {
            return None;
        }
        let keys: Vec<&str> =
            if key.contains(['(', '\n']) { vec!["…"] } else { key.split(',').map(str::trim).collect() };
        let meant = format!("{text}[{}]", keys.join("]["));
        let message = format!("`{text}` is called here, and what a call gives cannot be assigned");
        let mut finding = Diagnostic::error(codes::SYNTAX, name.span(self.source), message)
            .help(format!("keys of a variable stand in square brackets: `{meant}`"));
        edits.reverse();
        finding.fixes.push(Fix { title: "write square brackets".to_owned(), edits, applies: Applies::Always });
        Some(finding)
    }

    fn edit(&self, token: Token, text: &str) -> Edit {
        Edit { span: token.span(self.source), instead_of: None, text: text.to_owned() }
    }

    fn kind_at(&self, index: usize) -> Option<Kind> {
        self.tokens.get(index).map(|token| token.kind)
    }

    /// Whether the token `at` begins a line, or the text ends before it. The first one does.
    pub(crate) fn begins_line_at(&self, at: usize) -> bool {
        let start =
            at.checked_sub(1).and_then(|before| self.tokens.get(before)).map_or(0, |before| before.end as usize);
        let end = self.tokens.get(at).map_or(self.text.len(), |token| token.start as usize);
        at == 0 || at >= self.tokens.len() || self.text.get(start..end).is_some_and(|gap| gap.contains('\n'))
    }

    /// Whether the graph of that name has no parameters, if there is one.
    fn has_no_parameters(&self, name: &str) -> Option<bool> {
        let is_head = |head: &&[Token]| matches!(head, [word, graph, ..] if word.kind == Kind::Graph && graph.text(self.text) == name);
        let head = self.tokens.windows(4).find(is_head)?;
        Some(!matches!(head, [_, _, open, next] if open.kind == Kind::ParenOpen && next.kind != Kind::ParenClose))
    }
}
