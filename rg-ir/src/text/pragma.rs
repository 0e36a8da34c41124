//! Pragmas: from their syntax to [`Pragma`].

use super::ast::{ApplySet, ApplyTag, Claim, Name};
use super::resolve::Resolver;
use crate::diag::Diagnostic;
use crate::game::{self, Pragma, PragmaDecl};
use crate::ids::{ExprId, Symbol};
use crate::source::Span;

impl Resolver<'_, '_> {
    /// Adds a pragma. Nodes, tags and variables are taken as they are named; numbers have to be numbers.
    pub(crate) fn pragma(&mut self, span: Span, claim: &Claim) {
        let pragma = match claim {
            Claim::ArtificialTag(tags) => Pragma::ArtificialTag(self.names(tags)),
            Claim::Disjoint { exhaustive, node, targets } => {
                Pragma::Disjoint { exhaustive: *exhaustive, node: self.symbol(node), targets: self.names(targets) }
            }
            Claim::Integer { first, symbols } => {
                let Some(first) = self.number(first) else { return };
                Pragma::Integer { first, symbols: self.names(symbols) }
            }
            Claim::Iterator { nodes: [p, q, r], variable } => Pragma::Iterator {
                nodes: [self.symbol(p), self.symbol(q), self.symbol(r)],
                variable: self.symbol(variable),
            },
            Claim::Repeat { nodes, variables } => {
                Pragma::Repeat { nodes: self.names(nodes), variables: self.names(variables) }
            }
            Claim::Unique(nodes) => Pragma::Unique(self.names(nodes)),
            Claim::SimpleApply { exhaustive, from, to, tags, sets } => {
                let (from, to) = (self.symbol(from), self.symbol(to));
                let tags = self.apply_tags(tags);
                let assignments = self.apply_sets(sets);
                self.bound.clear();
                Pragma::SimpleApply { exhaustive: *exhaustive, from, to, tags, assignments }
            }
            Claim::TagIndex { nodes, index } => {
                let Some(index) = self.number(index) else { return };
                Pragma::TagIndex { nodes: self.names(nodes), index }
            }
            Claim::TagMaxIndex { nodes, index } => {
                let Some(index) = self.number(index) else { return };
                Pragma::TagMaxIndex { nodes: self.names(nodes), index }
            }
            Claim::TranslatedFromRbg => Pragma::TranslatedFromRbg,
            Claim::Unknown(text) => Pragma::Unknown((*text).to_owned()),
        };
        self.game.pragmas.push(PragmaDecl { pragma, span });
    }

    fn names(&mut self, names: &[Name]) -> Vec<Symbol> {
        names.iter().map(|name| self.symbol(name)).collect()
    }

    fn number(&mut self, name: &Name) -> Option<u64> {
        let digits = name.text.bytes().all(|b| b.is_ascii_digit());
        let number = name.text.parse().ok().filter(|_| digits);
        if number.is_none() {
            let message = match digits {
                true => format!("found `{}`, expected a number below 2^64", name.text),
                false => format!("found `{}`, expected a number", name.text),
            };
            self.report.add(Diagnostic::error("RG055", name.span, message));
        }
        number
    }

    /// The tags; names with a type are bound for the assignments that follow.
    fn apply_tags(&mut self, tags: &[ApplyTag]) -> Vec<game::ApplyTag> {
        let mut found = Vec::with_capacity(tags.len());
        for tag in tags {
            let name = self.symbol(&tag.name);
            let ty = tag.ty.as_ref().map(|ty| self.ty(ty));
            if ty.is_some() && !self.bound.insert(name) {
                let message = format!("`{}` is bound twice", tag.name.text);
                self.report.add(Diagnostic::error("RG055", tag.name.span, message));
            }
            found.push(game::ApplyTag { name, ty });
        }
        found
    }

    fn apply_sets(&mut self, sets: &[ApplySet]) -> Vec<(ExprId, ExprId)> {
        let mut spans = Vec::new();
        sets.iter().map(|set| (self.expr(&set.lhs, &mut spans), self.expr(&set.rhs, &mut spans))).collect()
    }
}
