//! Equal expressions found and summed up: what is worth knowing about a rule before it becomes an automaton.
//!
//! Rules are hash-consed, so that copies of one macro call share their relation, and copies of one check share one
//! automaton. Indices of modifiers are part of a rule; inside checks they are all 0.

use super::relation::{MAX_BRANCHES, Plan, RelId, Relations};
use crate::ast::{Arith, ArithId, Description, Rule, RuleId};
use rg_ir::ids::Id;
use rustc_hash::FxHashMap;

/// The cost of what cannot be expressed in some way.
const IMPOSSIBLE: u32 = u32::MAX;

/// What is known about an expression.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fact {
    /// The same for equal expressions: the first of them.
    pub(super) same: RuleId,
    /// What it does to the current vertex, if it does nothing else.
    pub(super) relation: Option<RelId>,
    /// No word of it is ever legal.
    pub(super) void: bool,
    /// For relations: RG edges of the cheapest translation, and whether that is the one by structure.
    pub(super) cost: Cost,
}

/// RG edges of a translation of a relation, estimated.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Cost {
    /// How many edges.
    pub(super) edges: u32,
    /// Whether the parts of the expression are to be translated one by one.
    pub(super) by_parts: bool,
}

/// Facts about all rules of a description.
pub(super) struct Canon {
    facts: Vec<Fact>,
    arith: Vec<ArithId>,
}

impl Canon {
    /// Examines all rules, children first. Near-linear in the size of the rules (relations have their own budget).
    pub(super) fn new(description: &Description, relations: &mut Relations) -> Self {
        let mut canon = Self { facts: Vec::with_capacity(description.rules.nodes.len()), arith: Vec::new() };
        canon.arith(description);
        let shifts = relations.shifts(&description.board);
        let mut known: FxHashMap<Rule, Fact> = FxHashMap::default();
        for (index, (rule, _)) in description.rules.nodes.iter().enumerate() {
            let key = canon.key(rule);
            let fact = match known.get(&key) {
                Some(&fact) => fact,
                None => {
                    let fact = canon.examine(RuleId::from_index(index), rule, description, relations, &shifts);
                    known.insert(key, fact);
                    fact
                }
            };
            canon.facts.push(fact);
        }
        canon
    }

    /// What is known about a rule.
    pub(super) fn fact(&self, rule: RuleId) -> Fact {
        let unknown =
            Fact { same: rule, relation: None, void: false, cost: Cost { edges: IMPOSSIBLE, by_parts: false } };
        self.facts.get(rule.index()).copied().unwrap_or(unknown)
    }

    /// The first arithmetic expression equal to this one.
    pub(super) fn same_arith(&self, id: ArithId) -> ArithId {
        self.arith.get(id.index()).copied().unwrap_or(id)
    }

    /// The cheaper translation of consecutive factors that have the relation `relation` together.
    pub(super) fn run_cost(&self, relations: &Relations, factors: &[RuleId], relation: RelId) -> Cost {
        let parts = factors.iter().map(|&factor| self.fact(factor).cost.edges).fold(0, u32::saturating_add);
        cheaper(relations, relation, parts, false)
    }

    fn arith(&mut self, description: &Description) {
        let mut known: FxHashMap<Arith, ArithId> = FxHashMap::default();
        for (index, &(arith, _)) in description.rules.arith.iter().enumerate() {
            let key = match arith {
                Arith::Binary(op, a, b) => Arith::Binary(op, self.same_arith(a), self.same_arith(b)),
                leaf => leaf,
            };
            let id = *known.entry(key).or_insert_with(|| ArithId::from_index(index));
            self.arith.push(id);
        }
    }

    /// The rule with its children replaced by what they are the same as.
    fn key(&self, rule: &Rule) -> Rule {
        let all = |children: &[RuleId]| children.iter().map(|&c| self.fact(c).same).collect();
        match *rule {
            Rule::Sum(ref children) => Rule::Sum(all(children)),
            Rule::Concat(ref children) => Rule::Concat(all(children)),
            Rule::Star(child) => Rule::Star(self.fact(child).same),
            Rule::Check { negated, rule } => Rule::Check { negated, rule: self.fact(rule).same },
            Rule::Assign { target, value, index } => Rule::Assign { target, value: self.same_arith(value), index },
            Rule::Compare { relation, left, right } => {
                Rule::Compare { relation, left: self.same_arith(left), right: self.same_arith(right) }
            }
            Rule::Shift(_) | Rule::On(_) | Rule::Off { .. } | Rule::Switch { .. } | Rule::Dot => rule.clone(),
        }
    }

    fn examine(
        &self,
        same: RuleId,
        rule: &Rule,
        description: &Description,
        relations: &mut Relations,
        shifts: &[RelId],
    ) -> Fact {
        let relation = self.relation(rule, description, relations, shifts);
        let void = match rule {
            _ if relation.is_some_and(|r| relations.is_empty(r)) => true,
            Rule::Sum(children) => children.iter().all(|&c| self.fact(c).void),
            Rule::Concat(children) => children.iter().any(|&c| self.fact(c).void),
            Rule::Check { negated: false, rule } => self.fact(*rule).void,
            _ => false,
        };
        let cost = match relation {
            Some(relation) => self.cost(rule, relations, relation),
            None => Cost { edges: IMPOSSIBLE, by_parts: false },
        };
        Fact { same, relation, void, cost }
    }

    /// The relation of an expression that neither tests nor changes anything but the current vertex.
    fn relation(
        &self,
        rule: &Rule,
        description: &Description,
        relations: &mut Relations,
        shifts: &[RelId],
    ) -> Option<RelId> {
        let of = |rule: &RuleId| self.fact(*rule).relation;
        match rule {
            Rule::Shift(label) => shifts.get(*label as usize).copied(),
            Rule::Dot => Some(relations.identity()),
            Rule::On(pieces) if pieces.is_empty() => Some(relations.empty()),
            Rule::On(pieces) if pieces.len() == description.pieces.len() => Some(relations.identity()),
            Rule::Sum(children) => {
                let parts: Vec<RelId> = children.iter().map(of).collect::<Option<_>>()?;
                let (&first, rest) = parts.split_first()?;
                rest.iter().try_fold(first, |sum, &part| relations.union(sum, part))
            }
            Rule::Concat(children) => {
                let parts: Vec<RelId> = children.iter().map(of).collect::<Option<_>>()?;
                let (&first, rest) = parts.split_first()?;
                rest.iter().try_fold(first, |product, &part| relations.compose(product, part))
            }
            Rule::Star(child) => relations.star(of(child)?),
            Rule::Check { negated, rule } => relations.check(of(rule)?, *negated),
            Rule::On(_) | Rule::Off { .. } | Rule::Assign { .. } | Rule::Compare { .. } | Rule::Switch { .. } => None,
        }
    }

    fn cost(&self, rule: &Rule, relations: &Relations, relation: RelId) -> Cost {
        let sum = |children: &[RuleId]| children.iter().map(|&c| self.fact(c).cost.edges).fold(0, u32::saturating_add);
        match rule {
            Rule::Sum(children) => {
                let simple = children.iter().all(|&c| self.fact(c).cost.edges <= 2);
                cheaper(relations, relation, sum(children), simple)
            }
            Rule::Concat(children) => cheaper(relations, relation, sum(children), false),
            _ => cheaper(relations, relation, IMPOSSIBLE, false),
        }
    }
}

/// The cheaper of a relation's own plan and a translation by parts; `ties` says which wins when they are equal.
fn cheaper(relations: &Relations, relation: RelId, parts: u32, ties_to_parts: bool) -> Cost {
    let whole = plan_cost(relations, relation);
    let by_parts = parts != IMPOSSIBLE && (parts < whole.edges || (ties_to_parts && parts == whole.edges));
    // What a relation does in a step or two is never taken apart.
    if by_parts && !whole.simple {
        Cost { edges: parts, by_parts }
    } else {
        Cost { edges: whole.edges, by_parts: false }
    }
}

struct PlanCost {
    edges: u32,
    simple: bool,
}

fn plan_cost(relations: &Relations, relation: RelId) -> PlanCost {
    let of = |edges: usize, simple| PlanCost { edges: u32::try_from(edges).unwrap_or(IMPOSSIBLE), simple };
    let Some(plan) = relations.plan(relation) else { return of(usize::MAX, false) };
    match &*plan {
        Plan::Empty | Plan::Identity => of(0, true),
        Plan::Filter(_) => of(1, true),
        Plan::Goto { sources, .. } => of(1 + usize::from(sources.is_some()), true),
        Plan::Function(_) => of(if relations.is_total(relation) { 1 } else { 2 }, true),
        Plan::Branches(maps) if maps.len() > MAX_BRANCHES => of(4, false),
        Plan::Branches(maps) => {
            let total = maps.iter().filter(|map| map.len() == relations.vertex_count()).count();
            of(2 * maps.len() - total, false)
        }
    }
}
