//! Check 18: choices of the keeper that may matter.
//!
//! Wherever the keeper is in control, all he can do must come to the same. Two alternatives with modifiers of their own
//! are harmless if they exclude each other by the tests they begin with; what is left is remarked on.

use rg_ir::Diagnostic;
use rg_ir::ids::Id;

use super::Sink;
use super::graph::{Adjacency, Automaton, entry, exit};
use crate::ast::{Arith, ArithId, Description, Relation, Rule, RuleId};
use crate::codes;

/// Most alternatives of a sum, and most tests of an alternative, that are compared.
const MAX_COMPARED: usize = 32;

/// Remarks on sums the keeper may choose in. Near-linear.
pub(super) fn check(description: &Description, automaton: &Automaton, sink: &mut Sink<'_>) {
    let nodes = &description.rules.nodes;
    let rule = |id: RuleId| nodes.get(id.index()).map(|(rule, _)| rule);
    let is_switch = |id: Option<RuleId>| matches!(id.and_then(rule), Some(Rule::Switch { .. }));
    let inner = automaton.arrows.iter().filter(|arrow| !is_switch(arrow.action));
    let within = Adjacency::new(automaton.nodes, inner.map(|arrow| (arrow.from, arrow.to)));
    let handed = (0..nodes.len()).map(RuleId::from_index);
    let handed = handed.filter(|&id| matches!(rule(id), Some(Rule::Switch { player: None, .. }))).map(exit);
    let keeper = within.reachable(handed.chain([entry(description.rules.root)]));
    let changing = changing(description);
    for (index, (rule, origin)) in nodes.iter().enumerate() {
        let Rule::Sum(parts) = rule else { continue };
        let id = RuleId::from_index(index);
        if keeper.get(entry(id) as usize) != Some(&true) {
            continue;
        }
        let different: Vec<RuleId> =
            parts.iter().copied().filter(|part| changing.get(part.index()) == Some(&true)).take(MAX_COMPARED).collect();
        if !exclusive(description, &different) {
            let diagnostic = Diagnostic::lint(codes::KEEPER_CHOICE, origin.span, "the keeper may have a choice here")
                .note("all his ways of going on must lead to the same state");
            sink.push(*origin, diagnostic);
        }
    }
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

/// Whether at most one of the alternatives is possible at a time, as far as their first tests tell.
fn exclusive(description: &Description, parts: &[RuleId]) -> bool {
    let tests: Vec<Vec<RuleId>> = parts.iter().map(|&part| first_tests(description, part)).collect();
    tests.iter().enumerate().all(|(index, a)| {
        let mut later = tests.iter().skip(index + 1);
        later.all(|b| a.iter().any(|&x| b.iter().any(|&y| contradict(description, x, y))))
    })
}

/// The tests an expression begins with, on the vertex and in the state in which it begins.
fn first_tests(description: &Description, id: RuleId) -> Vec<RuleId> {
    let rule = |id: RuleId| description.rules.nodes.get(id.index()).map(|(rule, _)| rule);
    let test = |id: RuleId| matches!(rule(id), Some(Rule::On(_) | Rule::Compare { .. } | Rule::Check { .. }));
    match rule(id) {
        Some(Rule::Concat(parts)) => parts.iter().copied().take_while(|&part| test(part)).take(MAX_COMPARED).collect(),
        Some(_) if test(id) => vec![id],
        _ => Vec::new(),
    }
}

/// Whether two tests cannot both hold.
fn contradict(description: &Description, a: RuleId, b: RuleId) -> bool {
    let rule = |id: RuleId| description.rules.nodes.get(id.index()).map(|(rule, _)| rule);
    match (rule(a), rule(b)) {
        (Some(Rule::On(a)), Some(Rule::On(b))) => a.iter().all(|piece| b.binary_search(piece).is_err()),
        (
            Some(Rule::Compare { relation: first, left: a, right: b }),
            Some(Rule::Compare { relation: second, left: c, right: d }),
        ) => {
            let arith = |a: ArithId, b: ArithId| same_arith(description, a, b);
            let number = |id: ArithId| match description.rules.arith.get(id.index()) {
                Some(&(Arith::Number(n), _)) => Some(i64::from(n)),
                _ => None,
            };
            if arith(*a, *c) && arith(*b, *d) {
                return outcomes(*first) & outcomes(*second) == 0;
            }
            match (arith(*a, *c), number(*b), number(*d)) {
                (true, Some(b), Some(d)) => disjoint(*first, b, *second, d),
                _ => false,
            }
        }
        (Some(Rule::Check { negated: x, rule: a }), Some(Rule::Check { negated: y, rule: b })) => {
            x != y && same_rule(description, *a, *b)
        }
        _ => false,
    }
}

/// The outcomes of a comparison (less, equal, greater) for which it holds, as bits.
fn outcomes(relation: Relation) -> u8 {
    match relation {
        Relation::Less => 1,
        Relation::Equal => 2,
        Relation::Greater => 4,
        Relation::LessEqual => 3,
        Relation::GreaterEqual => 6,
        Relation::NotEqual => 5,
    }
}

/// Whether no number stands in the first relation to `a` and in the second to `b`.
fn disjoint(first: Relation, a: i64, second: Relation, b: i64) -> bool {
    // Every combination that is possible at all occurs at, just below or just above one of the two numbers.
    let candidates = [a - 1, a, a + 1, b - 1, b, b + 1];
    !candidates.iter().any(|&n| super::holds(first, n, a) && super::holds(second, n, b))
}

fn same_arith(description: &Description, a: ArithId, b: ArithId) -> bool {
    let get = |id: ArithId| description.rules.arith.get(id.index()).map(|&(arith, _)| arith);
    let mut pairs = vec![(a, b)];
    while let Some((a, b)) = pairs.pop() {
        match (get(a), get(b)) {
            (Some(Arith::Binary(x, a, b)), Some(Arith::Binary(y, c, d))) if x == y => pairs.extend([(a, c), (b, d)]),
            (x, y) if x == y => {}
            _ => return false,
        }
    }
    true
}

/// Whether two expressions are written alike; linear in the smaller one.
fn same_rule(description: &Description, a: RuleId, b: RuleId) -> bool {
    let get = |id: RuleId| description.rules.nodes.get(id.index()).map(|(rule, _)| rule);
    let mut pairs = vec![(a, b)];
    while let Some((a, b)) = pairs.pop() {
        let alike = match (get(a), get(b)) {
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
                t == u && same_arith(description, *x, *y)
            }
            (
                Some(Rule::Compare { relation: r, left: a, right: b }),
                Some(Rule::Compare { relation: s, left: c, right: d }),
            ) => r == s && same_arith(description, *a, *c) && same_arith(description, *b, *d),
            // Inside checks modifiers have no numbers, so that equal ones are equal.
            (x, y) => x == y,
        };
        if !alike {
            return false;
        }
    }
    true
}
