//! Operators that other languages write in another way, and operands without brackets of their own.

use super::read::{Node, Reader};
use crate::ast::{Name, Word};
use crate::codes;
use rg_ir::diag::{Applies, Edit, Fix};
use rg_ir::{Diagnostic, Span};
use rustc_hash::FxHashSet;

/// Signs of other languages, and the operators of this one that are meant.
const SIGNS: [(&str, &str); 10] = [
    ("~", "not"),
    ("!", "not"),
    ("\\+", "not"),
    ("!=", "distinct"),
    ("/=", "distinct"),
    ("\\=", "distinct"),
    ("<>", "distinct"),
    ("|", "or"),
    ("||", "or"),
    ("\\/", "or"),
];

/// The names that begin the heads of forms. Linear.
pub(super) fn heads(forms: &[Node]) -> FxHashSet<Word> {
    let first = |node: &Node| match node {
        Node::Word(name) => Some(name.word),
        Node::List(nodes, _) => match nodes.first() {
            Some(Node::Word(name)) => Some(name.word),
            _ => None,
        },
    };
    let head = |form: &Node| match form {
        Node::List(nodes, _) if nodes.first().is_some_and(|node| node.is_word(Word::IF)) => {
            nodes.get(1).and_then(first)
        }
        form => first(form),
    };
    forms.iter().filter_map(head).collect()
}

impl Reader<'_> {
    /// Whether a name is the sign of another language for an operator, and no relation of the description; reports it then.
    pub(super) fn is_foreign_operator(&mut self, name: Name, operands: &[Node]) -> bool {
        let text = self.description.words.text(name.word);
        let Some((_, meant)) = SIGNS.iter().find(|(sign, _)| *sign == text) else { return false };
        if self.heads.contains(&name.word) {
            return false;
        }
        let example = match *meant {
            "distinct" => "(distinct ?x ?y)",
            "not" => "(not (true …))",
            _ => "(or (true …) (true …))",
        };
        let shown = self.shown(name);
        let error = Diagnostic::error(codes::S4_OPERATOR, name.span, format!("`{shown}` is no operator of GDL"))
            .help(format!("write `{meant}`, as in `{example}`"));
        let fits = match *meant {
            "distinct" => operands.len() == 2,
            "not" => operands.len() == 1,
            _ => !operands.is_empty(),
        };
        self.report.push(match fits {
            true => error.fix_here(format!("replace `{shown}` by `{meant}`"), *meant),
            false => error,
        });
        true
    }

    /// Reports operands of `not` that are one condition without its brackets, as in `(not true (control ?r))`; whether they are.
    pub(super) fn lacks_brackets(&mut self, operands: &[Node]) -> bool {
        let [Node::Word(name), .., last] = operands else { return false };
        let takes_arguments = [Word::TRUE, Word::DOES, Word::DISTINCT, Word::ROLE, Word::LEGAL, Word::GOAL];
        if !takes_arguments.contains(&name.word) {
            return false;
        }
        let shown = self.shown(*name);
        let whole = name.span.to(last.span());
        let condition = self.text.get(whole.range()).filter(|text| !text.contains('\n')).unwrap_or("…").to_owned();
        let mut error =
            Diagnostic::error(codes::S3_OPERANDS, name.span, format!("the condition `{shown}` lacks its brackets"))
                .help(format!("write `(not ({condition}))`"));
        let edit = |at: u32, text: &str| Edit {
            span: Span { start: at, end: at, ..whole },
            instead_of: None,
            text: text.to_owned(),
        };
        let edits = vec![edit(whole.start, "("), edit(whole.end, ")")];
        error.fixes.push(Fix { title: "add brackets".to_owned(), edits, applies: Applies::Always });
        self.report.push(error);
        true
    }
}
