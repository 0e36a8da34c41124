//! Findings about words and signs that other languages have, and about a declaration without its type.

use crate::codes;
use crate::lexer::{Kind, Token};
use crate::syntax::{Builder, Part};
use rg_ir::{Diagnostic, Span};

/// Words that begin functions in other languages.
const FUNCTIONS: [&str; 6] = ["function", "fn", "func", "def", "proc", "procedure"];

impl Builder<'_> {
    /// The finding that the token `at`, or the one before it, is how another language writes something.
    pub(crate) fn foreign(&self, at: usize, part: Part, expected: &[String]) -> Option<Diagnostic> {
        let accepts = |sign: &str| expected.iter().any(|e| e.trim_matches('"') == sign);
        let token = self.tokens.get(at).filter(|_| at < part.end)?;
        let before =
            at.checked_sub(1).filter(|&before| before >= part.start).and_then(|before| self.tokens.get(before))?;
        let (place, text) = (token.span(self.source), token.text(self.text));
        let is_operand = before.kind.is_name() || matches!(before.kind, Kind::ParenClose | Kind::BracketClose);
        let joins = is_operand && self.is_followed(at) && !self.begins_line_at(at);
        let misfit = |what: &str| Diagnostic::error(codes::SYNTAX, place, format!("found `{text}`, expected {what}"));
        match (before.kind, token.kind) {
            (_, Kind::Lower) if text == "and" && joins && !self.is_declared(text) => {
                Some(misfit("an operator").help("*and* is written `&&`").fix("write `&&`", place, "&&"))
            }
            (_, Kind::Or) if joins => Some(misfit("an operator").help("*or* between conditions is written `||`").fix(
                "write `||`",
                place,
                "||",
            )),
            (Kind::BraceClose, Kind::Else) if accepts("or") => Some(
                misfit("`or`").help("alternatives of `branch` are separated by `or`").fix("write `or`", place, "or"),
            ),
            (Kind::Equal, Kind::Greater) if before.end == token.start => {
                let whole = before.span(self.source).to(place);
                let error = Diagnostic::error(codes::SYNTAX, whole, "found `=>`, which is no sign of the language");
                let first = self.tokens.get(part.first + 1).map(|token| token.kind);
                let is_type = !part.is_graph && first == Some(Kind::Colon);
                Some(if is_type { error.help("did you mean `->`?").fix("write `->`", whole, "->") } else { error })
            }
            (Kind::Lower | Kind::Upper, Kind::Lower | Kind::Upper)
                if at == part.first + 1 && FUNCTIONS.contains(&before.text(self.text)) =>
            {
                let word = before.text(self.text);
                let error =
                    Diagnostic::error(codes::SYNTAX, before.span(self.source), format!("unknown keyword `{word}`"));
                let help = "what is done is written in a `graph`; a function of values begins with its type, as in `f: A -> B`";
                Some(error.help(help).fix("write `graph`", before.span(self.source), "graph").unsure())
            }
            // A parameter without its type.
            (kind, Kind::ParenClose | Kind::Comma)
                if kind.is_name() && part.is_graph && matches!(expected, [only] if only.trim_matches('"') == ":") =>
            {
                let name = before.text(self.text);
                let error = Diagnostic::error(
                    codes::SYNTAX,
                    before.span(self.source),
                    format!("the parameter `{name}` has no type"),
                );
                Some(error.help(format!("write its type behind it, as in `{name}: Player`")))
            }
            (kind, Kind::Equal) if kind.is_name() && !part.is_graph && self.begins_line_at(at - 1) => {
                let head = self.tokens.get(part.first).map(|head| head.text(self.text));
                let is_case = at > part.first + 1 && head == Some(before.text(self.text));
                (!is_case && (accepts(":") || accepts("("))).then(|| self.without_type(*before))
            }
            _ => None,
        }
    }

    /// Whether something stands behind a token on its line.
    fn is_followed(&self, at: usize) -> bool {
        let end = self.tokens.get(at).map_or(self.text.len(), |token| token.end as usize);
        let next = self.tokens.get(at + 1).map(|next| next.start as usize);
        next.and_then(|next| self.text.get(end..next)).is_some_and(|gap| !gap.contains('\n'))
    }

    fn without_type(&self, name: Token) -> Diagnostic {
        let text = name.text(self.text);
        let end = Span { start: name.end, ..name.span(self.source) };
        Diagnostic::error(codes::SYNTAX, end, format!("the type of `{text}` is missing"))
            .help(format!("a variable is declared with its type: `{text}: Type = …`"))
    }
}
