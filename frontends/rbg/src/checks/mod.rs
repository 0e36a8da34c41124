//! Checks of a complete description (numbers 14 to 18 of section 10 of the specification).

mod cycles;
mod graph;
mod keeper;
mod unused;

use rg_ir::ids::Id;
use rg_ir::{Diagnostic, Report, Symbols};

use crate::ast::{Arith, ArithId, Bounded, Cell, Description, Operator, Origin, Relation, Rule};
use crate::codes;
use crate::report::{Located, Steps};
use graph::{Adjacency, Automaton, entry};

/// Where findings go.
struct Sink<'a> {
    report: &'a mut Report,
    steps: &'a Steps,
    names: &'a Symbols,
}

impl Sink<'_> {
    fn push(&mut self, origin: Origin, diagnostic: Diagnostic) {
        self.report.at(self.steps, self.names, origin, diagnostic);
    }
}

/// Runs all checks. Near-linear.
pub(crate) fn run(description: &Description, steps: &Steps, names: &Symbols, report: &mut Report) {
    let mut sink = Sink { report, steps, names };
    let values = constants(description);
    constant_actions(description, &values, &mut sink);
    let automaton = Automaton::new(&description.rules);
    cyclic_modifiers(description, &automaton, &values, &mut sink);
    switches(description, &automaton, &mut sink);
    unused::check(description, &mut sink);
    keeper::check(description, &automaton, &mut sink);
}

/// The value of an expression without variables.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Constant {
    /// It depends on the state.
    No,
    /// It has this value, or none.
    Value(Option<i64>),
}

fn constants(description: &Description) -> Vec<Constant> {
    let mut values: Vec<Constant> = Vec::with_capacity(description.rules.arith.len());
    for &(arith, _) in &description.rules.arith {
        let value = match arith {
            Arith::Number(n) => Constant::Value(Some(i64::from(n))),
            Arith::Cell(_) | Arith::Count(_) => Constant::No,
            Arith::Binary(operator, left, right) => match (of(&values, left), of(&values, right)) {
                (Constant::Value(a), Constant::Value(b)) => Constant::Value(a.zip(b).and_then(|p| apply(operator, p))),
                _ => Constant::No,
            },
        };
        values.push(value);
    }
    values
}

fn of(values: &[Constant], id: ArithId) -> Constant {
    values.get(id.index()).copied().unwrap_or(Constant::No)
}

fn apply(operator: Operator, (a, b): (i64, i64)) -> Option<i64> {
    match operator {
        Operator::Add => a.checked_add(b),
        Operator::Subtract => a.checked_sub(b),
        Operator::Multiply => a.checked_mul(b),
        Operator::Divide => a.checked_div(b),
    }
}

fn holds(relation: Relation, a: i64, b: i64) -> bool {
    match relation {
        Relation::Equal => a == b,
        Relation::NotEqual => a != b,
        Relation::Less => a < b,
        Relation::LessEqual => a <= b,
        Relation::Greater => a > b,
        Relation::GreaterEqual => a >= b,
    }
}

fn bounded(description: &Description, cell: Cell) -> Option<&Bounded> {
    match cell {
        Cell::Variable(index) => description.variables.get(index as usize),
        Cell::Score(index) => description.players.get(index as usize),
    }
}

/// Whether the value, if it is one, can be assigned.
fn fits(description: &Description, target: Cell, value: Option<i64>) -> bool {
    let bound = bounded(description, target).map_or(0, |bounded| i64::from(bounded.bound));
    value.is_some_and(|n| (0..=bound).contains(&n))
}

/// Check 14: constants out of bounds, comparisons of constants.
fn constant_actions(description: &Description, values: &[Constant], sink: &mut Sink<'_>) {
    for (rule, origin) in &description.rules.nodes {
        match rule {
            Rule::Assign { target, value, .. } => {
                let (Constant::Value(value), Some(bounded)) = (of(values, *value), bounded(description, *target))
                else {
                    continue;
                };
                if fits(description, *target, value) {
                    continue;
                }
                let what = value.map_or("what has no value".to_owned(), |n| n.to_string());
                let message = format!("`{}` can never be {what}, so nothing goes on here", bounded.name.text);
                let diagnostic = Diagnostic::warning(codes::ASSIGNMENT_OUT_OF_BOUND, origin.span, message)
                    .also(bounded.name.origin.span, format!("its values are 0 to {}", bounded.bound));
                sink.push(*origin, diagnostic);
            }
            Rule::Compare { relation, left, right } => {
                let (Constant::Value(a), Constant::Value(b)) = (of(values, *left), of(values, *right)) else {
                    continue;
                };
                let result = a.zip(b).is_some_and(|(a, b)| holds(*relation, a, b));
                let message = format!("this comparison is always {result}");
                sink.push(*origin, Diagnostic::warning(codes::CONSTANT_COMPARISON, origin.span, message));
            }
            _ => {}
        }
    }
}

/// Check 15.
fn cyclic_modifiers(description: &Description, automaton: &Automaton, values: &[Constant], sink: &mut Sink<'_>) {
    for finding in cycles::find(description, automaton, values) {
        let Some((_, origin)) = description.rules.nodes.get(finding.rule.index()) else { continue };
        let diagnostic = if finding.certain {
            Diagnostic::error(codes::ENDLESS_MODIFIERS, origin.span, "this can be repeated without end within one move")
                .note("it lies on a cycle of the rules with neither a switch nor a condition")
                .help("put a switch or a condition that becomes false on the cycle")
        } else {
            Diagnostic::warning(codes::CYCLIC_MODIFIER, origin.span, "this may be repeated without end within one move")
                .note("it lies on a cycle of the rules without a switch, and nothing on the cycle can stop it")
        };
        sink.push(*origin, diagnostic);
    }
}

/// Check 16: players without a turn, modifiers that no switch follows.
fn switches(description: &Description, automaton: &Automaton, sink: &mut Sink<'_>) {
    let nodes = &description.rules.nodes;
    let switch = |rule: &Rule| matches!(rule, Rule::Switch { .. });
    if !nodes.iter().any(|(rule, _)| switch(rule)) {
        let origin = nodes.get(description.rules.root.index()).map(|&(_, origin)| origin);
        if let Some(origin) = origin {
            let diagnostic = Diagnostic::warning(codes::NO_SWITCH, origin.span, "nobody ever gets a turn")
                .help("hand over with `->player`");
            sink.push(origin, diagnostic);
        }
        return;
    }
    let mut in_control = vec![false; description.players.len()];
    for (rule, _) in nodes {
        if let Rule::Switch { player: Some(player), .. } = rule
            && let Some(slot) = in_control.get_mut(*player as usize)
        {
            *slot = true;
        }
    }
    for (player, _) in description.players.iter().zip(in_control).filter(|&(_, seen)| !seen) {
        let message = format!("player `{}` never gets a turn", player.name.text);
        sink.push(player.name.origin, Diagnostic::warning(codes::IDLE_PLAYER, player.name.origin.span, message));
    }
    let rule = |id: crate::ast::RuleId| nodes.get(id.index()).map(|(rule, _)| rule);
    let passable = automaton
        .arrows
        .iter()
        .filter(|arrow| !matches!(arrow.action.and_then(rule), Some(Rule::On(pieces)) if pieces.is_empty()));
    let backwards = Adjacency::new(automaton.nodes, passable.map(|arrow| (arrow.to, arrow.from)));
    let starts = automaton.arrows.iter().filter(|arrow| arrow.action.and_then(rule).is_some_and(switch));
    let alive = backwards.reachable(starts.map(|arrow| arrow.from));
    for (index, (rule, origin)) in nodes.iter().enumerate() {
        // Inside checks modifiers have no number, and need no switch.
        let (Rule::Off { index: number, .. } | Rule::Assign { index: number, .. }) = rule else { continue };
        let node = entry(crate::ast::RuleId::from_index(index));
        if *number > 0 && alive.get(node as usize) == Some(&false) {
            let message = "this never becomes part of a move: no switch can follow";
            sink.push(*origin, Diagnostic::warning(codes::DEAD_END, origin.span, message));
        }
    }
}
