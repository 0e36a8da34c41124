//! The static checks of RG (section 6): everything that can be said about a game without running it.
//!
//! [`check`] reports *all* findings. The codes follow the numbers of the specification's table, `RG001` to `RG031`;
//! one module looks after each group:
//!
//! | module | codes | subject |
//! |---|---|---|
//! | `types` | 1–5 | type expressions and aliases |
//! | `names` | 6–7 | names declared twice |
//! | `values` | 8–13 | initial values and values of constants |
//! | `builtins` | 14 | the definitions every game has |
//! | `edges`, `exprs` | 15–21, 23 | what single edges do, and the types of expressions |
//! | `graph` | 22, 24, 25, 28, 30 | the automaton as a graph |
//! | `reach` | 26, 27 | reachability checks |
//! | `unused` | 29 | what nothing refers to |
//! | `lost` | 29 | nodes that no game can reach |
//! | `pragmas` | 31 | claims about things that do not exist |
//!
//! A mistake is reported where it is made: a declaration with a bad type makes no second finding where it is used.

mod builtins;
mod edges;
mod exprs;
mod facts;
mod graph;
mod lost;
mod names;
mod pragmas;
mod reach;
mod scores;
mod types;
mod unused;
mod values;

pub use exprs::{Ty, expr_type};
pub use graph::repeatable_tag;
pub use scores::{Unscored, unscored};

use crate::automaton::{Edge, Label};
use crate::diag::{Diagnostic, Severity};
use crate::expr::Expr;
use crate::game::Game;
use crate::ids::{ExprId, NodeId, Symbol, VarId};
use crate::show::Show;
use crate::source::Span;
use facts::TypeFacts;
use rustc_hash::FxHashMap;

/// How many findings of one run may look for a similar name, which costs more than finding the mistake.
const MAX_SUGGESTIONS: usize = 32;

/// How many findings with one code are kept; of more there is only the number.
const MAX_PER_CODE: usize = 1_000;

/// How many characters of an expression, a type or an edge a message quotes.
const QUOTED: usize = 80;

/// Everything that is wrong with `game`, errors and warnings, in the order of the text (findings without a place last).
/// Of more than a thousand findings with one code only the first thousand are distinguished.
///
/// A game without errors can be given to every pass and engine. Near-linear in the size of the game; the two checks
/// that could cost more (26 and 27) have a budget and say so in a finding of their own when it is used up.
pub fn check(game: &Game) -> Vec<Diagnostic> {
    let mut checker = Checker::new(game);
    types::check(&mut checker);
    names::check(&mut checker);
    values::check(&mut checker);
    builtins::check(&mut checker);
    edges::check(&mut checker);
    if game.automaton.contains_node(game.begin()) && game.automaton.contains_node(game.end()) {
        let end = lost::check(&mut checker);
        graph::check(&mut checker, end);
        reach::check(&mut checker);
        unused::check(&mut checker);
    }
    pragmas::check(&mut checker);
    let mut found = checker.finish();
    found.sort_by_key(|d| d.primary.as_ref().map_or((true, Span::NONE), |p| (false, p.span)));
    found
}

/// What the checks share: the game, resolved types, and the findings so far.
struct Checker<'g> {
    game: &'g Game,
    facts: TypeFacts<'g>,
    found: Vec<Diagnostic>,
    suggestions: usize,
    /// How often each code was reported, and how severe it was at worst.
    counts: FxHashMap<&'static str, (usize, Severity)>,
}

impl<'g> Checker<'g> {
    fn new(game: &'g Game) -> Self {
        Self {
            game,
            facts: TypeFacts::new(game),
            found: Vec::new(),
            suggestions: MAX_SUGGESTIONS,
            counts: FxHashMap::default(),
        }
    }

    fn report(&mut self, diagnostic: Diagnostic) {
        let (count, severity) = self.counts.entry(diagnostic.code).or_insert((0, diagnostic.severity));
        *count += 1;
        *severity = diagnostic.severity.min(*severity);
        if *count <= MAX_PER_CODE {
            self.found.push(diagnostic);
        }
    }

    /// The findings, with a note of what was too much to be kept.
    fn finish(self) -> Vec<Diagnostic> {
        let mut found = self.found;
        let mut cut: Vec<_> = self.counts.into_iter().filter(|(_, (count, _))| *count > MAX_PER_CODE).collect();
        cut.sort_unstable_by_key(|(code, _)| *code);
        found.extend(cut.into_iter().map(|(code, (count, severity))| {
            let message = format!("{} more findings like this are not shown", count - MAX_PER_CODE);
            Diagnostic::new(severity, code, Span::NONE, message)
        }));
        found
    }

    /// Reports with a suggestion, as long as suggestions may be looked for.
    fn report_suggesting<'a>(&mut self, found: Diagnostic, name: &str, known: impl IntoIterator<Item = &'a str>) {
        if self.suggestions == 0 {
            return self.report(found);
        }
        self.suggestions -= 1;
        self.report(found.suggest(name, known));
    }

    /// Reports a finding on an edge; one that has no place in a text is quoted instead.
    fn report_on_edge(&mut self, edge: &Edge, found: Diagnostic) {
        let found = self.quote(edge, found);
        self.report(found);
    }

    fn quote(&self, edge: &Edge, found: Diagnostic) -> Diagnostic {
        if found.primary.is_some() { found } else { found.note(format!("in `{}`", self.show().edge(edge))) }
    }

    /// Texts for messages, cut to a readable length.
    fn show(&self) -> Show<'g> {
        Show::short(self.game, QUOTED)
    }

    fn name(&self, symbol: Symbol) -> &'g str {
        self.game.name(symbol)
    }

    /// The variable `player`, if the game has it.
    fn player(&self) -> Option<VarId> {
        self.game.symbols.get("player").and_then(|name| self.game.find_var(name))
    }

    /// Whether a left side is the variable `player`, casts looked through.
    fn is_player(&self, lhs: ExprId) -> bool {
        matches!(self.game.exprs.root(lhs), Expr::Var(id) if Some(id) == self.player())
    }

    /// Whether the edge ends a move.
    fn ends_move(&self, label: &Label) -> bool {
        matches!(*label, Label::Assign { lhs, .. } | Label::AssignAny { lhs, .. } if self.is_player(lhs))
    }

    /// The name of a node, for messages; `?` for a node that was removed.
    fn node_name(&self, node: NodeId) -> &'g str {
        if self.game.automaton.contains_node(node) { self.game.node_name(node) } else { "?" }
    }

    /// The names of all nodes that edges touch: what a misspelt node name is compared with.
    fn connected_nodes(&self) -> impl Iterator<Item = &'g str> + use<'g> {
        let game = self.game;
        let automaton = &game.automaton;
        let connected = |id: &NodeId| !automaton.outgoing(*id).is_empty() || !automaton.incoming(*id).is_empty();
        automaton.nodes().filter(connected).map(|id| game.node_name(id))
    }
}

/// `a`, `b`, `c` and 4 more: a list for a message.
fn listing<'a>(names: impl ExactSizeIterator<Item = &'a str>) -> String {
    const SHOWN: usize = 6;
    let total = names.len();
    let mut text = names.take(SHOWN).map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
    if total > SHOWN {
        text.push_str(&format!(" and {} more", total - SHOWN));
    }
    text
}

#[cfg(test)]
mod tests;
