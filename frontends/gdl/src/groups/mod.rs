//! Groups of fluents of which at most one is true (section 9.5), proven.
//!
//! A candidate is a kind of fluents with some arguments as the *value*, the others being the *key*: for one key, at most
//! one value. All candidates are assumed for a state at once; one that does not follow for the next state is dropped, and
//! the others are looked at again, until all follow (simultaneous induction). What follows is found by refutation on the
//! rules with variables: two rules that yield different values for one key must contradict each other.

mod consequences;
mod entailment;
mod exceptions;
mod facts;
mod idle;
mod refute;

pub(crate) use exceptions::exceptions;
pub(crate) use idle::{idle, without};

use crate::domains::Domains;
use crate::flat::{Arg, Atom, Flat, Fluent, Literal, Rel, Rule, Tables};
use crate::normal::{RelationKind, TermId};
use consequences::{Consequences, place_of_some, with_some};
use facts::Facts;
use refute::Order;
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::{Cell, RefCell};
use std::rc::Rc;

/// Most cases of one proof that two rules do not yield different values.
const BUDGET: usize = 4_000;

/// Most cases of all proofs together that look into what is known longest first. Often that is short.
const TOTAL_BUDGET: usize = 25_000;

/// Most cases of all proofs with the same assumptions that look into what has fewest cases first.
const ROUND_BUDGET: usize = 25_000;

/// The same for all such proofs.
const TOTAL_BUDGET_OF_FEWEST: usize = 60_000;

/// Most arguments of a fluent that is looked at.
const MAX_ARITY: usize = 8;

/// Most values of a group that is shown to have one always.
const MAX_VALUES: usize = 1_000;

/// Most attempts to show that each value of a group is followed by one, if that has not many values.
const MAX_FOLLOWED: usize = 2_000;

/// Largest table whose functional dependencies are looked for.
const MAX_ROWS: usize = 5_000;

/// In an atom of which is assumed that it does not hold: whatever stands there.
pub(crate) const ANY: Arg = Arg::Var(u32::MAX - 1);

/// Fluents of one kind that exclude each other.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Group {
    /// Position in [`Flat::fluents`].
    pub(crate) fluent: usize,
    /// The arguments that tell groups apart, ascending.
    pub(crate) key: Vec<usize>,
    /// The other arguments, ascending: for one key, at most one list of values holds.
    pub(crate) value: Vec<usize>,
    /// Whether exactly one holds.
    pub(crate) exactly_one: bool,
}

/// What proofs look at.
pub(crate) struct Context<'c> {
    pub(crate) flat: &'c Flat,
    pub(crate) tables: &'c Tables,
    pub(crate) domains: &'c Domains,
    /// Per relation the lists of arguments that are determined by the others.
    dependencies: FxHashMap<Rel, Vec<Vec<usize>>>,
    /// How much has been looked at in proofs.
    work: Cell<usize>,
    /// In which order proofs look into what is known.
    order: Cell<Order>,
    /// What proofs know of atoms of derived relations without looking into their rules; nothing at first.
    consequences: Consequences,
    /// Rows of static relations by the value in a place, as far as they were asked for.
    by_value: RefCell<FxHashMap<(Rel, usize), RowsByValue>>,
}

/// Numbers of rows, ascending, by a value in them.
type RowsByValue = FxHashMap<TermId, Rc<[u32]>>;

/// Tables with no more rows are looked through without an index.
const FEW_ROWS: usize = 16;

/// Most rows and pairs of atoms that are looked at in all proofs for one game; then nothing more is proven.
const MAX_WORK: usize = 150_000_000;

impl<'c> Context<'c> {
    /// What is known without groups.
    pub(crate) fn new(flat: &'c Flat, tables: &'c Tables, domains: &'c Domains) -> Self {
        let mut dependencies: FxHashMap<Rel, Vec<Vec<usize>>> = FxHashMap::default();
        for rel in flat.rels() {
            let (relation, rows) = (flat.relation(rel), tables.of(rel).rows());
            if relation.is_static
                && relation.arity >= 2
                && rows.len() <= MAX_ROWS
                && relation.kind != RelationKind::Init
            {
                let determined = (0..relation.arity).filter(|&place| determines(rows, &[place]));
                dependencies.insert(rel, determined.map(|place| vec![place]).collect());
            }
        }
        Self {
            flat,
            tables,
            domains,
            dependencies,
            work: Cell::new(0),
            order: Cell::default(),
            consequences: Consequences::default(),
            by_value: RefCell::default(),
        }
    }

    /// The numbers of the rows of a table that can agree with arguments, ascending: those with the constant that fewest have. `None` for
    /// all rows.
    fn rows_like(&self, rel: Rel, args: &[Arg]) -> Option<Rc<[u32]>> {
        let rows = self.tables.of(rel).rows();
        if rows.len() <= FEW_ROWS {
            return None;
        }
        let constants = args.iter().enumerate().filter_map(|(place, arg)| Some((place, arg.constant()?)));
        let lists = constants.map(|(place, term)| {
            let mut known = self.by_value.borrow_mut();
            let by_value = known.entry((rel, place)).or_insert_with(|| rows_by_value(rows, place));
            by_value.get(&term).cloned().unwrap_or_default()
        });
        lists.min_by_key(|list| list.len())
    }

    /// Counts work; whether there is any left.
    fn spend(&self, work: usize) -> bool {
        self.work.set(self.work.get().saturating_add(work));
        self.work.get() <= MAX_WORK
    }

    /// The lists of arguments of a relation that are determined by its other arguments.
    pub(crate) fn dependencies(&self, rel: Rel) -> &[Vec<usize>] {
        self.dependencies.get(&rel).map_or(&[], |list| list)
    }

    /// Makes groups known, in the place of others.
    pub(crate) fn assume(&mut self, groups: &[Group]) {
        for fluent in &self.flat.fluents {
            self.dependencies.remove(&fluent.truth);
        }
        for group in groups {
            if let Some(fluent) = self.flat.fluents.get(group.fluent) {
                self.dependencies.entry(fluent.truth).or_default().push(group.value.clone());
            }
        }
    }

    /// Makes the consequences of relations known to proofs.
    pub(crate) fn learn(&mut self) {
        self.consequences = Consequences::new(self.flat, self.tables);
    }

    /// What follows from an atom of a derived relation, with variables from `next` on for what is not an argument: lists of
    /// atoms, and how many such variables there are.
    pub(crate) fn implied(&self, atom: &Atom, next: u32) -> (Vec<Vec<Atom>>, u32) {
        let mut vars = 0;
        let list = self.consequences.of_atom(atom).map(|consequence| {
            if place_of_some(&consequence).is_none() {
                return consequence;
            }
            vars += 1;
            with_some(&consequence, Arg::Var(next + vars - 1))
        });
        (list.collect(), vars)
    }

    /// Whether the conditions of a body on variables from 0, with more assumptions, cannot be true in a state.
    pub(crate) fn impossible(&self, vars: u32, body: &[Literal]) -> bool {
        let mut facts = Facts::new(self);
        facts.fresh(vars);
        body.iter().for_each(|literal| facts.assume(literal.clone()));
        refute::refuted(facts, &mut BUDGET.min(500))
    }

    /// Whether wherever conditions on variables before `local` hold, all of one of some lists do, for some values of the other
    /// variables.
    pub(crate) fn implies(&self, local: u32, assumed: &[Literal], goals: Vec<Vec<Literal>>) -> bool {
        let mut facts = Facts::new(self);
        facts.fresh(local);
        assumed.iter().for_each(|literal| facts.assume(literal.clone()));
        facts.assume_not(goals, local);
        refute::refuted(facts, &mut BUDGET.min(500))
    }

    /// As [`Context::impossible`], with so many cases.
    fn impossible_in(&self, rule: &Rule, budget: &mut usize) -> bool {
        let mut facts = Facts::new(self);
        facts.fresh(rule.vars);
        rule.body.iter().for_each(|literal| facts.assume(literal.clone()));
        refute::refuted(facts, budget)
    }

    /// Whether a body is true, for some choice of its variables, wherever the assumptions (without variables) are.
    pub(crate) fn follows(&self, assumptions: &[Literal], vars: u32, body: &[Literal]) -> bool {
        let mut facts = Facts::new(self);
        facts.fresh(vars);
        assumptions.iter().for_each(|literal| facts.assume(literal.clone()));
        facts.saturate().is_ok() && facts.entails(body, 0, 4)
    }
}

fn rows_by_value(rows: &[Vec<TermId>], place: usize) -> RowsByValue {
    let mut lists: FxHashMap<TermId, Vec<u32>> = FxHashMap::default();
    for (number, row) in (0..).zip(rows) {
        if let Some(&term) = row.get(place) {
            lists.entry(term).or_default().push(number);
        }
    }
    lists.into_iter().map(|(term, list)| (term, list.into())).collect()
}

/// Finds all groups that can be proven, and makes them known to the context.
///
/// Kinds of fluents for which there is no group are tried again with the consequences of relations. Facts make proofs dearer, so
/// that those that need none come first, and each attempt has limits of its own. What is proven first is a hypothesis of the
/// second induction, not a candidate: it follows for the next state from itself, so that all groups together follow from all.
pub(crate) fn prove(context: &mut Context<'_>) -> Vec<Group> {
    let mut groups = induction(context, Vec::new(), candidates(context));
    let is_open = |group: &Group| groups.iter().all(|other| other.fluent != group.fluent);
    let open: Vec<Group> = candidates(context).into_iter().filter(is_open).collect();
    if !open.is_empty() {
        context.consequences = Consequences::new(context.flat, context.tables);
        if !context.consequences.is_empty() {
            let spent = context.work.replace(0);
            groups = induction(context, groups, open);
            context.work.set(spent);
        }
        context.consequences = Consequences::default();
    }
    context.order.set(Order::First);
    for group in &mut groups {
        group.exactly_one = total_group(context, group);
    }
    groups
}

/// The groups that are proven, with those of the candidates that follow from them and each other.
fn induction(context: &mut Context<'_>, proven: Vec<Group>, mut candidates: Vec<Group>) -> Vec<Group> {
    let (mut first, mut fewest) = (TOTAL_BUDGET, TOTAL_BUDGET_OF_FEWEST);
    loop {
        let all = [proven.as_slice(), &candidates].concat();
        context.assume(&all);
        // What was spent on groups that are none is not missing for the others in the next round.
        let given = fewest.min(ROUND_BUDGET);
        let mut left = given;
        let kept: Vec<Group> = candidates
            .iter()
            .filter(|group| {
                context.order.set(Order::First);
                let proven = inductive(context, group, &mut first);
                context.order.set(Order::Fewest);
                proven.or_else(|| inductive(context, group, &mut left)).unwrap_or(false)
            })
            .cloned()
            .collect();
        fewest -= given - left;
        if kept.len() == candidates.len() {
            return all;
        }
        candidates = kept;
    }
}

/// Groups that hold at first: with one value, two values, or no key.
fn candidates(context: &Context<'_>) -> Vec<Group> {
    let mut groups = Vec::new();
    for (fluent, kind) in context.flat.fluents.iter().enumerate() {
        let arity = context.flat.relation(kind.truth).arity;
        if arity == 0 || arity > MAX_ARITY {
            continue;
        }
        let mut values: Vec<Vec<usize>> = (0..arity).map(|place| vec![place]).collect();
        values.extend((0..arity).flat_map(|first| (first + 1..arity).map(move |second| vec![first, second])));
        if arity > 2 {
            values.push((0..arity).collect());
        }
        for value in values {
            if determines(context.tables.of(kind.init).rows(), &value) {
                let key = (0..arity).filter(|place| !value.contains(place)).collect();
                groups.push(Group { fluent, key, value, exactly_one: false });
            }
        }
    }
    groups
}

/// Whether rows that agree in all other places agree in these.
fn determines(rows: &[Vec<TermId>], value: &[usize]) -> bool {
    let mut seen = FxHashSet::default();
    let key = |row: &Vec<TermId>| -> Vec<TermId> {
        row.iter().enumerate().filter(|(place, _)| !value.contains(place)).map(|(_, &term)| term).collect()
    };
    rows.iter().all(|row| seen.insert(key(row)))
}

/// Whether no two rules yield different values of one key, if all assumed groups hold; `None` if the budget was too small
/// to tell.
fn inductive(context: &Context<'_>, group: &Group, total: &mut usize) -> Option<bool> {
    let fluent = context.flat.fluents.get(group.fluent)?;
    let rules: Vec<_> = context.flat.rules_of(fluent.next).collect();
    for (index, first) in rules.iter().enumerate() {
        for second in rules.iter().skip(index) {
            let Some(facts) = yields_two(context, group, first, second) else { continue };
            let mut budget = BUDGET.min(*total);
            let before = budget;
            let refuted = refute::refuted(facts, &mut budget);
            *total -= before - budget;
            if !refuted {
                return if budget == 0 { None } else { Some(false) };
            }
        }
    }
    Some(true)
}

/// The assumption that two rules yield different values for one key of a group; `None` if they have no key in common.
fn yields_two<'c>(context: &'c Context<'c>, group: &Group, first: &Rule, second: &Rule) -> Option<Facts<'c>> {
    let fluent = context.flat.fluents.get(group.fluent)?;
    let mut facts = Facts::new(context);
    let arity = context.flat.relation(fluent.truth).arity;
    let base = facts.fresh(u32::try_from(2 * arity).unwrap_or(0));
    let own = |place: &usize| Arg::Var(base + u32::try_from(*place).unwrap_or(0));
    let other = |place: &usize| own(&(place + arity));
    let left: Vec<Arg> = (0..arity).map(|place| own(&place)).collect();
    let right: Vec<Arg> =
        (0..arity).map(|place| if group.value.contains(&place) { other(&place) } else { own(&place) }).collect();
    facts.assume_different(group.value.iter().map(own).collect(), group.value.iter().map(other).collect());
    (facts.apply(first, &left) && facts.apply(second, &right)).then_some(facts)
}

/// Whether a group without a key always has a value: it has one at first, and each value is followed by one, be it by one
/// rule or by another, as some condition holds or not.
fn total_group(context: &Context<'_>, group: &Group) -> bool {
    let Some(fluent) = context.flat.fluents.get(group.fluent) else { return false };
    if !group.key.is_empty() || context.tables.of(fluent.init).rows().len() != 1 {
        return false;
    }
    let Some(values) = context.domains.tuples(fluent.truth, group.value.len(), MAX_VALUES) else { return false };
    let mut left = MAX_FOLLOWED.max(4 * values.len());
    values.into_iter().all(|value| {
        let args = value.into_iter().map(Arg::Is).collect();
        let now = Atom { rel: fluent.truth, args };
        let open = conditions(context, fluent, &now);
        followed(context, fluent, &mut vec![Literal::Pos(now)], &open, &mut left)
    })
}

/// Whether a fluent follows from what is assumed, be it that some of the conditions hold or that they do not (a decision tree,
/// whose leaves are rules that fire). `left` counts the attempts.
fn followed(
    context: &Context<'_>,
    fluent: &Fluent,
    assumed: &mut Vec<Literal>,
    open: &[Atom],
    left: &mut usize,
) -> bool {
    if *left == 0 {
        return false;
    }
    *left -= 1;
    if context.flat.rules_of(fluent.next).any(|rule| context.follows(assumed, rule.vars, &rule.body)) {
        return true;
    }
    (0..open.len()).any(|at| {
        let Some((atom, rest)) = open.get(at).zip(open.get(at + 1..)) else { return false };
        [Literal::Pos(atom.clone()), Literal::Neg(atom.clone())].into_iter().all(|literal| {
            assumed.push(literal);
            let follows = followed(context, fluent, assumed, rest, left);
            assumed.pop();
            follows
        })
    })
}

/// What rules ask besides, without variables if the only fluent of a kind is known: some hold if that holds, others if not.
fn conditions(context: &Context<'_>, fluent: &Fluent, now: &Atom) -> Vec<Atom> {
    let mut found: Vec<Atom> = Vec::new();
    for rule in context.flat.rules_of(fluent.next) {
        let own = |literal: &&Literal| matches!(literal, Literal::Pos(atom) if atom.rel == now.rel);
        let Some(asked) = rule.body.iter().find(own).and_then(Literal::atom) else { continue };
        let value = |arg: Arg| {
            let at = asked.args.iter().position(|&other| other == arg);
            at.and_then(|at| now.args.get(at).copied()).unwrap_or(arg)
        };
        let atoms = rule.body.iter().filter_map(Literal::atom).map(|atom| atom.map(&value));
        let open = |atom: &Atom| atom.rel != now.rel && !context.flat.relation(atom.rel).is_static;
        for atom in atoms.filter(|atom| open(atom) && atom.vars().next().is_none()) {
            if !found.contains(&atom) {
                found.push(atom);
            }
        }
    }
    found
}
