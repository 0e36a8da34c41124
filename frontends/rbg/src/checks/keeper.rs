//! Check 18: choices of the keeper that may matter.
//!
//! Wherever the keeper is in control, all he can do must lead to the same. Two alternatives with modifiers of their own
//! are harmless if they exclude each other by the tests they begin with; what is left is remarked on.

use rg_ir::ids::Id;
use rg_ir::{Diagnostic, Span};

use super::Sink;
use super::graph::{Adjacency, Automaton, entry, exit};
use crate::ast::{Arith, ArithId, Description, Relation, Rule, RuleId};
use crate::codes;

/// Most alternatives of a sum, and most tests of an alternative, that are compared.
const MAX_COMPARED: usize = 32;

/// Most steps all comparisons together may take; after that no more remarks are made.
const MAX_WORK: usize = 5_000_000;

/// Remarks on sums the keeper may choose in. Near-linear, bounded by [`MAX_WORK`].
pub(super) fn check(description: &Description, automaton: &Automaton, sink: &mut Sink<'_>) {
    let nodes = &description.rules.nodes;
    let rule = |id: RuleId| nodes.get(id.index()).map(|(rule, _)| rule);
    let is_switch = |id: Option<RuleId>| matches!(id.and_then(rule), Some(Rule::Switch { .. }));
    // No walk passes `{}`, which often follows the switch to the keeper.
    let is_wall = |id: Option<RuleId>| matches!(id.and_then(rule), Some(Rule::On(pieces)) if pieces.is_empty());
    let inner = automaton.arrows.iter().filter(|arrow| !is_switch(arrow.action) && !is_wall(arrow.action));
    let within = Adjacency::new(automaton.nodes, inner.map(|arrow| (arrow.from, arrow.to)));
    let handed = (0..nodes.len()).map(RuleId::from_index);
    let handed = handed.filter(|&id| matches!(rule(id), Some(Rule::Switch { player: None, .. }))).map(exit);
    let keeper = within.reachable(handed.chain([entry(description.rules.root)]));
    let changing = changing(description);
    let mut comparison = Comparison { description, work: 0 };
    for (index, (rule, origin)) in nodes.iter().enumerate() {
        let Rule::Sum(parts) = rule else { continue };
        let id = RuleId::from_index(index);
        if keeper.get(entry(id) as usize) != Some(&true) {
            continue;
        }
        let different: Vec<RuleId> =
            parts.iter().copied().filter(|part| changing.get(part.index()) == Some(&true)).take(MAX_COMPARED).collect();
        let exclusive = comparison.exclusive(&different);
        if comparison.work > MAX_WORK {
            return;
        }
        if !exclusive {
            let diagnostic = Diagnostic::lint(codes::KEEPER_CHOICE, origin.span, "the keeper may have a choice here")
                .note("all ways in which the keeper can go on must lead to the same state");
            sink.push(*origin, diagnostic);
        }
    }
}

/// Switches to the keeper behind which he makes a move that is meant for a player: without another switch, he comes to a choice of a vertex that a
/// player comes to as well, and to a piece that is put there. Near-linear, bounded by [`MAX_WORK`].
pub(super) fn moves(description: &Description, automaton: &Automaton, sink: &mut Sink<'_>) {
    let nodes = &description.rules.nodes;
    let rule = |id: RuleId| nodes.get(id.index()).map(|(rule, _)| rule);
    let ends_walk = |id: Option<RuleId>| match id.and_then(rule) {
        Some(Rule::Switch { .. }) => true,
        Some(Rule::On(pieces)) => pieces.is_empty(),
        _ => false,
    };
    let inner = automaton.arrows.iter().filter(|arrow| !ends_walk(arrow.action));
    let forwards = Adjacency::new(automaton.nodes, inner.clone().map(|arrow| (arrow.from, arrow.to)));
    let backwards = Adjacency::new(automaton.nodes, inner.map(|arrow| (arrow.to, arrow.from)));
    let all = || (0..nodes.len()).map(RuleId::from_index);
    let is_move = |id: &RuleId| matches!(rule(*id), Some(Rule::Off { index, .. }) if *index > 0);
    let leads_to_move = backwards.reachable(all().filter(is_move).map(entry));
    let turns = all().filter(|&id| matches!(rule(id), Some(Rule::Switch { player: Some(_), .. })));
    let of_player = forwards.reachable(turns.map(exit));
    let wanders = wanders(description);
    let has = |list: &[bool], node: u32| list.get(node as usize) == Some(&true);
    let choices: Vec<RuleId> = all()
        .filter(|id| wanders.get(id.index()) == Some(&true) && matches!(rule(*id), Some(Rule::Star(_) | Rule::Sum(_))))
        .filter(|&id| has(&of_player, entry(id)) && has(&leads_to_move, exit(id)))
        .collect();
    if choices.is_empty() {
        return;
    }
    let leads_to_choice = backwards.reachable(choices.iter().map(|&id| entry(id)));
    let mut work = 0;
    for id in all().filter(|&id| matches!(rule(id), Some(Rule::Switch { player: None, .. }))) {
        if !has(&leads_to_choice, exit(id)) {
            continue;
        }
        work += automaton.nodes;
        if work > MAX_WORK {
            return;
        }
        let behind = forwards.reachable([exit(id)]);
        let place = |id: &RuleId| nodes.get(id.index()).map(|&(_, origin)| origin);
        let first = all().filter(is_move).find(|&id| has(&behind, entry(id)) && has(&of_player, entry(id)));
        let (Some(origin), Some(first)) = (place(&id), first.as_ref().and_then(place)) else { continue };
        let message = "the game goes on behind this switch, and the keeper makes the next move";
        let diagnostic = Diagnostic::warning(codes::KEEPER_MOVE, origin.span, message)
            .also(first.span, "a move of a player, to whom nothing hands over")
            .help("if the game is to end here, write `->> {}`; if it is to go on, hand over to a player")
            .fix("end the game: add `{}`", Span { start: origin.span.end, ..origin.span }, " {}")
            .unsure();
        sink.push(origin, diagnostic);
    }
}

/// Which expressions can end on different vertices wherever they begin: alternatives and repetitions that go along edges and put no piece anywhere.
fn wanders(description: &Description) -> Vec<bool> {
    let mut shifting: Vec<bool> = Vec::with_capacity(description.rules.nodes.len());
    for (rule, _) in &description.rules.nodes {
        let of = |id: &RuleId| shifting.get(id.index()) == Some(&true);
        let value = match rule {
            Rule::Shift(_) => true,
            Rule::Sum(parts) | Rule::Concat(parts) => parts.iter().any(of),
            Rule::Star(inner) => of(inner),
            _ => false,
        };
        shifting.push(value);
    }
    shifting
}

/// Which expressions contain a modifier outside checks.
fn changing(description: &Description) -> Vec<bool> {
    let mut changing: Vec<bool> = Vec::with_capacity(description.rules.nodes.len());
    for (rule, _) in &description.rules.nodes {
        let of = |id: &RuleId| changing.get(id.index()) == Some(&true);
        let value = match rule {
            Rule::Off { index, .. } | Rule::Assign { index, .. } | Rule::Switch { index, .. } => *index > 0,
            Rule::Sum(parts) | Rule::Concat(parts) => parts.iter().any(of),
            Rule::Star(inner) => of(inner),
            _ => false,
        };
        changing.push(value);
    }
    changing
}

/// Comparing expressions, with a count of the steps taken.
struct Comparison<'a> {
    description: &'a Description,
    work: usize,
}

impl<'a> Comparison<'a> {
    fn rule(&self, id: RuleId) -> Option<&'a Rule> {
        self.description.rules.nodes.get(id.index()).map(|(rule, _)| rule)
    }

    fn arith(&self, id: ArithId) -> Option<Arith> {
        self.description.rules.arith.get(id.index()).map(|&(arith, _)| arith)
    }

    /// Counts a step; false if there were too many.
    fn step(&mut self) -> bool {
        self.work += 1;
        self.work <= MAX_WORK
    }

    /// Whether at most one of the alternatives is possible at a time, as far as their first tests tell.
    fn exclusive(&mut self, parts: &[RuleId]) -> bool {
        let tests: Vec<Vec<RuleId>> = parts.iter().map(|&part| self.first_tests(part)).collect();
        tests.iter().enumerate().all(|(index, a)| {
            let mut later = tests.iter().skip(index + 1);
            later.all(|b| a.iter().any(|&x| b.iter().any(|&y| self.contradict(x, y))))
        })
    }

    /// The tests an expression begins with, on the vertex and in the state in which it begins.
    fn first_tests(&self, id: RuleId) -> Vec<RuleId> {
        let test = |id: RuleId| matches!(self.rule(id), Some(Rule::On(_) | Rule::Compare { .. } | Rule::Check { .. }));
        match self.rule(id) {
            Some(Rule::Concat(parts)) => {
                parts.iter().copied().take_while(|&part| test(part)).take(MAX_COMPARED).collect()
            }
            Some(_) if test(id) => vec![id],
            _ => Vec::new(),
        }
    }

    /// Whether two tests cannot both hold.
    fn contradict(&mut self, a: RuleId, b: RuleId) -> bool {
        if !self.step() {
            return false;
        }
        match (self.rule(a), self.rule(b)) {
            (Some(Rule::On(a)), Some(Rule::On(b))) => {
                self.work += a.len();
                a.iter().all(|piece| b.binary_search(piece).is_err())
            }
            (
                Some(&Rule::Compare { relation: first, left: a, right: b }),
                Some(&Rule::Compare { relation: second, left: c, right: d }),
            ) => self.same_arith(a, c) && self.disjoint((first, b), (second, d)),
            (Some(Rule::Check { negated: x, rule: a }), Some(Rule::Check { negated: y, rule: b })) => {
                x != y && self.same_rule(*a, *b)
            }
            _ => false,
        }
    }

    /// Whether no number stands in the first relation to the first value and in the second to the second.
    fn disjoint(&mut self, (first, a): (Relation, ArithId), (second, b): (Relation, ArithId)) -> bool {
        let (x, y) = match (self.arith(a), self.arith(b)) {
            (Some(Arith::Number(x)), Some(Arith::Number(y))) => (i64::from(x), i64::from(y)),
            _ if self.same_arith(a, b) => (0, 0),
            _ => return false,
        };
        // Every combination that is possible at all occurs at, just below or just above one of the two numbers.
        let candidates = [x - 1, x, x + 1, y - 1, y, y + 1];
        !candidates.iter().any(|&n| super::holds(first, n, x) && super::holds(second, n, y))
    }

    fn same_arith(&mut self, a: ArithId, b: ArithId) -> bool {
        let mut pairs = vec![(a, b)];
        while let Some((a, b)) = pairs.pop() {
            match (self.arith(a), self.arith(b)) {
                _ if !self.step() => return false,
                (Some(Arith::Binary(x, a, b)), Some(Arith::Binary(y, c, d))) if x == y => {
                    pairs.extend([(a, c), (b, d)]);
                }
                (x, y) if x == y => {}
                _ => return false,
            }
        }
        true
    }

    /// Whether two expressions are written alike.
    fn same_rule(&mut self, a: RuleId, b: RuleId) -> bool {
        let mut pairs = vec![(a, b)];
        while let Some((a, b)) = pairs.pop() {
            let alike = match (self.rule(a), self.rule(b)) {
                _ if !self.step() => false,
                (Some(Rule::Sum(x)), Some(Rule::Sum(y))) | (Some(Rule::Concat(x)), Some(Rule::Concat(y))) => {
                    pairs.extend(x.iter().copied().zip(y.iter().copied()));
                    x.len() == y.len()
                }
                (Some(Rule::Star(x)), Some(Rule::Star(y))) => {
                    pairs.push((*x, *y));
                    true
                }
                (Some(Rule::Check { negated: n, rule: x }), Some(Rule::Check { negated: m, rule: y })) => {
                    pairs.push((*x, *y));
                    n == m
                }
                (Some(Rule::Assign { target: t, value: x, .. }), Some(Rule::Assign { target: u, value: y, .. })) => {
                    t == u && self.same_arith(*x, *y)
                }
                (
                    Some(Rule::Compare { relation: r, left: a, right: b }),
                    Some(Rule::Compare { relation: s, left: c, right: d }),
                ) => r == s && self.same_arith(*a, *c) && self.same_arith(*b, *d),
                // Inside checks modifiers have no numbers, so that equal ones are equal.
                (x, y) => x == y,
            };
            if !alike {
                return false;
            }
        }
        true
    }
}
