//! Whose turn it is (section 9.8): what each role can do for each value of the fluent that controls the turns.

use crate::flat::{Arg, Atom, Flat, Literal, Rel, Rule, renumber};
use crate::groups::{Context, Group};
use crate::normal::TermId;

/// Most values of a fluent that controls turns.
const MAX_PHASES: usize = 8;

/// Most values of one without which roles would choose at the same time.
const MAX_TURNS: usize = 64;

/// The fluent that controls turns, and its arguments.
pub(super) type Control = (Rel, Vec<TermId>);

/// A move without variables.
pub(super) type Forced = (usize, Vec<TermId>);

/// What roles can do while the controlling fluent has one value.
#[derive(Clone, Debug)]
pub(super) struct Phase {
    /// The value; `None` if no fluent controls the turns.
    pub(super) value: Option<Vec<TermId>>,
    /// Per role: the only move it ever has here.
    pub(super) forced: Vec<Option<Forced>>,
    /// The roles with such a move for which it is not proven that it is always legal.
    pub(super) doubtful: Vec<usize>,
    /// Per role the rules of its moves: kind and rule.
    pub(super) legal: Vec<Vec<(usize, Rule)>>,
    /// The roles that choose; not empty unless there are no roles.
    pub(super) choosers: Vec<usize>,
}

/// The phases of a game.
#[derive(Clone, Debug)]
pub(super) struct Phases {
    /// The fluent that controls turns, by position in [`Flat::fluents`].
    pub(super) control: Option<usize>,
    pub(super) list: Vec<Phase>,
}

impl Phases {
    /// Chooses the controlling fluent for which most roles have no choice in most phases.
    pub(super) fn new(context: &Context<'_>, groups: &[Group]) -> Self {
        let mut best = Phases { control: None, list: vec![phase(context, None)] };
        for most in [MAX_PHASES, MAX_TURNS] {
            if best.in_turns() {
                break;
            }
            for group in groups.iter().filter(|group| group.exactly_one && group.key.is_empty()) {
                let Some(phases) = Self::of(context, group, most) else { continue };
                if phases.score() > best.score() && (most == MAX_PHASES || phases.in_turns()) {
                    best = phases;
                }
            }
        }
        if !best.in_turns() {
            // Then a step is one ply of everyone who ever has a choice.
            let roles = 0..context.flat.roles.len();
            let all: Vec<usize> =
                roles.filter(|role| best.list.iter().any(|phase| phase.choosers.contains(role))).collect();
            for phase in &mut best.list {
                for (_, forced) in phase.forced.iter_mut().enumerate().filter(|(role, _)| all.contains(role)) {
                    *forced = None;
                }
                phase.choosers.clone_from(&all);
                phase.doubtful.retain(|role| !all.contains(role));
            }
        }
        best
    }

    /// The phases if a fluent with at most so many values controls the turns.
    fn of(context: &Context<'_>, group: &Group, most: usize) -> Option<Self> {
        let fluent = context.flat.fluents.get(group.fluent)?;
        let values = context.domains.tuples(fluent.truth, group.value.len(), most)?;
        let list = values.into_iter().map(|value| phase(context, Some((fluent.truth, value)))).collect();
        Some(Self { control: Some(group.fluent), list })
    }

    /// Whether at most one role chooses in each phase.
    fn in_turns(&self) -> bool {
        self.list.iter().all(|phase| phase.choosers.len() <= 1)
    }

    /// The mean share of roles that have no choice, in thousandths.
    fn score(&self) -> usize {
        let idle: usize = self.list.iter().map(|phase| phase.forced.iter().flatten().count()).sum();
        let all: usize = self.list.iter().map(|phase| phase.forced.len()).sum();
        (1000 * idle).checked_div(all).unwrap_or(0)
    }
}

fn phase(context: &Context<'_>, control: Option<Control>) -> Phase {
    let value = control.as_ref().map(|(_, value)| value.clone());
    let control = control.as_ref();
    let (mut forced, mut legal, mut doubtful) = (Vec::new(), Vec::new(), Vec::new());
    for (number, &role) in context.flat.roles.iter().enumerate() {
        let rules = legal_rules(context, role, control);
        let only = only_move(&rules);
        if only.is_some() && !is_always_legal(context, &rules, control) {
            doubtful.push(number);
        }
        forced.push(only);
        legal.push(rules);
    }
    let mut choosers: Vec<usize> =
        forced.iter().enumerate().filter(|(_, forced)| forced.is_none()).map(|(role, _)| role).collect();
    if choosers.is_empty() && !forced.is_empty() {
        // Somebody has to make the step.
        choosers.push(0);
        forced[0] = None;
    }
    doubtful.retain(|role| !choosers.contains(role));
    Phase { value, forced, doubtful, legal, choosers }
}

/// The rules of a role's moves that can fire.
fn legal_rules(context: &Context<'_>, role: TermId, control: Option<&Control>) -> Vec<(usize, Rule)> {
    let mut found = Vec::new();
    for (kind, moves) in context.flat.moves.iter().enumerate() {
        for rule in context.flat.rules_of(moves.legal) {
            let Some(&first) = rule.head.args.first() else { continue };
            let Some(rule) = assign(rule, first, role).and_then(|rule| specialise(context, &rule, control)) else {
                continue;
            };
            if !context.impossible(rule.vars, &with_control(&rule.body, control))
                && !found.contains(&(kind, rule.clone()))
            {
                found.push((kind, rule));
            }
        }
    }
    found
}

/// The body with what is known in the phase.
pub(super) fn with_control(body: &[Literal], control: Option<&Control>) -> Vec<Literal> {
    let atom = |(rel, value): &Control| Atom { rel: *rel, args: value.iter().map(|&term| Arg::Is(term)).collect() };
    let known = control.map(|control| Literal::Pos(atom(control)));
    body.iter().cloned().chain(known).collect()
}

fn only_move(rules: &[(usize, Rule)]) -> Option<Forced> {
    let ground = |(kind, rule): &(usize, Rule)| -> Option<Forced> {
        let args = rule.head.args.iter().skip(1).map(|arg| arg.constant()).collect::<Option<Vec<_>>>()?;
        Some((*kind, args))
    };
    let first = ground(rules.first()?)?;
    rules.iter().all(|rule| ground(rule).as_ref() == Some(&first)).then_some(first)
}

/// Whether some rule always fires.
fn is_always_legal(context: &Context<'_>, rules: &[(usize, Rule)], control: Option<&Control>) -> bool {
    let known = with_control(&[], control);
    rules.iter().any(|(_, rule)| context.follows(&known, rule.vars, &rule.body))
}

/// The rule with an argument that is that constant; `None` if it cannot be.
pub(super) fn assign(rule: &Rule, arg: Arg, term: TermId) -> Option<Rule> {
    match arg {
        Arg::Is(other) => (other == term).then(|| rule.clone()),
        Arg::Var(_) => Some(mapped(rule, &|other| if other == arg { Arg::Is(term) } else { other })),
    }
}

fn mapped(rule: &Rule, map: &impl Fn(Arg) -> Arg) -> Rule {
    let body = rule.body.iter().map(|literal| literal.map(map)).collect();
    let (head, body, vars) = renumber(rule.head.map(map), body);
    Rule { head, body, vars, span: rule.span }
}

/// The rule in a phase: without conditions on the controlling fluent and on constants; `None` if it never fires.
pub(super) fn specialise(context: &Context<'_>, rule: &Rule, control: Option<&Control>) -> Option<Rule> {
    let mut rule = rule.clone();
    if let Some((rel, value)) = control {
        let own = |atom: &Atom| atom.rel == *rel;
        while let Some((arg, term)) = rule.body.iter().find_map(|literal| match literal {
            Literal::Pos(atom) if own(atom) => {
                atom.args.iter().copied().zip(value.iter().copied()).find(|(arg, _)| arg.var().is_some())
            }
            _ => None,
        }) {
            rule = assign(&rule, arg, term)?;
        }
        let now: Vec<Arg> = value.iter().map(|&term| Arg::Is(term)).collect();
        for literal in &mut rule.body {
            match literal {
                Literal::Neg(atom) if own(atom) && atom.args.len() == 1 => {
                    if let (Some(&arg), Some(&now)) = (atom.args.first(), now.first()) {
                        *literal = Literal::Distinct(arg, now);
                    }
                }
                Literal::Neg(atom) if own(atom) && atom.args == now => return None,
                Literal::Pos(atom) if own(atom) && atom.args != now => return None,
                _ => {}
            }
        }
        rule.body.retain(|literal| match literal {
            Literal::Pos(atom) => !own(atom),
            // Another value.
            Literal::Neg(atom) => !own(atom) || atom.vars().next().is_some(),
            Literal::Distinct(..) => true,
        });
    }
    let mut possible = true;
    rule.body.retain(|literal| match decided(context, context.flat, literal) {
        Some(true) => false,
        Some(false) => {
            possible = false;
            true
        }
        None => true,
    });
    possible.then(|| mapped(&rule, &|arg| arg))
}

/// Whether a literal on constants is true, if that never changes.
fn decided(context: &Context<'_>, flat: &Flat, literal: &Literal) -> Option<bool> {
    match literal {
        Literal::Distinct(Arg::Is(a), Arg::Is(b)) => Some(a != b),
        Literal::Distinct(a, b) => (a == b).then_some(false),
        Literal::Pos(atom) | Literal::Neg(atom) => {
            if !flat.relation(atom.rel).is_static {
                return None;
            }
            let row: Vec<TermId> = atom.args.iter().map(|arg| arg.constant()).collect::<Option<_>>()?;
            Some(context.tables.of(atom.rel).contains(&row) == matches!(literal, Literal::Pos(_)))
        }
    }
}
