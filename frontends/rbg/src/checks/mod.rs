//! Checks of a complete description (numbers 14 to 18 of section 10 of the specification).

mod cycles;
mod graph;
mod keeper;
mod unreachable;
mod unused;

use rg_ir::ids::Id;
use rg_ir::{Diagnostic, Report, Symbols};

use crate::ast::{Arith, ArithId, Bounded, Cell, Description, Operator, Origin, Relation, Rule, RuleId};
use crate::codes;
use crate::report::{Located, Steps};
use graph::{Adjacency, Automaton, entry};

/// Most modifiers that are shown beside the first of those that no switch follows.
const SHOWN_MODIFIERS: usize = 3;

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
    unreachable::check(description, &mut sink);
    unused::check(description, &mut sink);
    keeper::check(description, &automaton, &mut sink);
    keeper::moves(description, &automaton, &mut sink);
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
            Rule::Assign { target, value: assigned, .. } => {
                let (Constant::Value(value), Some(bounded)) = (of(values, *assigned), bounded(description, *target))
                else {
                    continue;
                };
                if fits(description, *target, value) {
                    continue;
                }
                let what = value.map_or("undefined".to_owned(), |n| n.to_string());
                let (name, bound) = (&bounded.name.text, bounded.bound);
                let message =
                    format!("`{name}` is limited to 0–{bound}, but this is {what}: the assignment always fails");
                // It is the value that is too great, whatever it is assigned to.
                let origin = description.rules.arith.get(assigned.index()).map_or(*origin, |(_, origin)| *origin);
                let diagnostic = Diagnostic::warning(codes::ASSIGNMENT_OUT_OF_BOUND, origin.span, message)
                    .also(bounded.name.origin.span, "declared here".to_owned());
                sink.push(origin, diagnostic);
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
        let Some((rule, origin)) = description.rules.nodes.get(finding.rule.index()) else { continue };
        // Inside checks modifiers have no number.
        let in_check = matches!(rule, Rule::Off { index: 0, .. } | Rule::Assign { index: 0, .. });
        let diagnostic = if finding.certain {
            let message = match in_check {
                true => "this cycle of a check can be repeated without end",
                false => "no switch on this cycle: the move never ends",
            };
            Diagnostic::warning(codes::ENDLESS_MODIFIERS, origin.span, message)
                .note("nothing stops this from being repeated: the cycle has no condition, either")
                .help("put a switch, or a condition that becomes false, on the cycle")
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
    if !nodes.iter().any(|(rule, _)| matches!(rule, Rule::Switch { player: Some(_), .. })) {
        no_turn(description, sink);
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
    let rule = |id: RuleId| nodes.get(id.index()).map(|(rule, _)| rule);
    let passable = automaton
        .arrows
        .iter()
        .filter(|arrow| !matches!(arrow.action.and_then(rule), Some(Rule::On(pieces)) if pieces.is_empty()));
    let backwards = Adjacency::new(automaton.nodes, passable.map(|arrow| (arrow.to, arrow.from)));
    let starts = automaton.arrows.iter().filter(|arrow| arrow.action.and_then(rule).is_some_and(switch));
    let alive = backwards.reachable(starts.map(|arrow| arrow.from));
    let has_no_moves = no_moves(description, &alive, sink);
    let mut dead: Vec<(u32, Origin)> = Vec::new();
    for (id, (rule, origin)) in (0..).map(RuleId::from_index).zip(nodes) {
        // Inside checks modifiers have no number, and need no switch.
        let (Rule::Off { index: number, .. } | Rule::Assign { index: number, .. }) = rule else { continue };
        if *number > 0 && alive.get(entry(id) as usize) == Some(&false) {
            dead.push((entry(id), *origin));
        }
    }
    dead_modifiers(&dead, sink);
    // Where there is no move at all, that has been said at the first switch.
    if has_no_moves {
        return;
    }
    let ends = backwards.reachable([graph::exit(description.rules.root)]);
    last_switches(description, [&alive, &ends, &backwards.reachable(dead.into_iter().map(|(node, _)| node))], sink);
}

/// Modifiers that no switch follows. All of them lead to where the switch is missing, so this is one finding, at the first.
fn dead_modifiers(dead: &[(u32, Origin)], sink: &mut Sink<'_>) {
    let mut dead: Vec<Origin> = dead.iter().map(|(_, origin)| *origin).collect();
    dead.sort_by_key(|origin| origin.span.start);
    let Some((first, others)) = dead.split_first() else { return };
    let message = "this never becomes part of a move: no switch can follow, so the game is over before it";
    let mut diagnostic = Diagnostic::warning(codes::DEAD_END, first.span, message);
    for other in others.iter().filter(|other| other.span != first.span).take(SHOWN_MODIFIERS) {
        diagnostic = diagnostic.also(other.span, "nor does this");
    }
    sink.push(*first, diagnostic.help("a switch after it ends the move, and `->> {}` the game as well"));
}

/// Switches to the keeper behind which the rules just end, without `{}` to say so: no node of `alive` is behind them, but one of `ends`. What
/// leads to a modifier that is remarked on, to nodes of `remarked`, is left out. Linear.
fn last_switches(description: &Description, [alive, ends, remarked]: [&[bool]; 3], sink: &mut Sink<'_>) {
    for (id, (rule, origin)) in (0..).map(RuleId::from_index).zip(&description.rules.nodes) {
        let behind = |nodes: &[bool]| nodes.get(graph::exit(id) as usize) == Some(&true);
        let is_last = matches!(rule, Rule::Switch { player: None, .. }) && behind(ends);
        if is_last && !behind(alive) && !behind(remarked) {
            let message = "the game ends after this switch: the rules end without another switch";
            let diagnostic = Diagnostic::warning(codes::DEAD_END, origin.span, message);
            let help = "if the game is to end here, write `->> {}`; if it is to go on, hand over to a player";
            sink.push(*origin, diagnostic.help(help));
        }
    }
}

/// Rules without a switch to a player.
fn no_turn(description: &Description, sink: &mut Sink<'_>) {
    let Some(&(_, origin)) = description.rules.nodes.get(description.rules.root.index()) else { return };
    let message = "no player ever gets a turn";
    let diagnostic = Diagnostic::warning(codes::NO_SWITCH, origin.span, message);
    sink.push(origin, diagnostic.help(format!("hand over with {}", first_switch(description))));
}

/// A switch to the first player, as text.
fn first_switch(description: &Description) -> String {
    description.players.first().map_or("`->player`".to_owned(), |player| format!("`->{}`", player.name.text))
}

/// Rules in which no switch can follow any switch to a player: `alive` tells the nodes from which one can be reached. Returns whether the rules
/// are such.
fn no_moves(description: &Description, alive: &[bool], sink: &mut Sink<'_>) -> bool {
    let nodes = &description.rules.nodes;
    let turns = (0..nodes.len()).map(RuleId::from_index).filter_map(|id| match nodes.get(id.index()) {
        Some((Rule::Switch { player: Some(_), .. }, origin)) => Some((id, *origin)),
        _ => None,
    });
    let turns: Vec<(RuleId, Origin)> = turns.collect();
    if turns.iter().any(|(id, _)| alive.get(graph::exit(*id) as usize) == Some(&true)) {
        return false;
    }
    if let Some(&(_, origin)) = turns.first() {
        let message = "no switch follows here, so there is no move: the game is over before the first one";
        let diagnostic = Diagnostic::warning(codes::NO_MOVE, origin.span, message);
        sink.push(origin, diagnostic.help("a move ends with the next switch, such as `->>`"));
    }
    true
}

/// That no game ends by these rules, as their translation shows: at the cycle that hands over for ever.
pub(crate) fn endless(description: &Description) -> Option<(Origin, Diagnostic)> {
    let nodes = &description.rules.nodes;
    let mut switching: Vec<bool> = Vec::with_capacity(nodes.len());
    let mut cycle = None;
    for (rule, origin) in nodes {
        let of = |id: &RuleId| switching.get(id.index()) == Some(&true);
        let value = match rule {
            Rule::Switch { .. } => true,
            Rule::Sum(parts) | Rule::Concat(parts) => parts.iter().any(of),
            Rule::Star(inner) => of(inner),
            _ => false,
        };
        if value && matches!(rule, Rule::Star(_)) {
            cycle.get_or_insert(*origin);
        }
        switching.push(value);
    }
    let origin = cycle.or_else(|| nodes.get(description.rules.root.index()).map(|&(_, origin)| origin))?;
    let message = "no game ever ends: whoever is to move always has a move here";
    let diagnostic = Diagnostic::warning(codes::NO_END, origin.span, message);
    Some((origin, diagnostic.help("a condition that can fail, or `->> {}`, ends the game")))
}
