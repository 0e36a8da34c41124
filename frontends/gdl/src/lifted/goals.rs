//! The scores at the end: per role the goal value that holds.
//!
//! In a well-formed game there is exactly one. Where it is not proven that two values exclude each other, the greater one
//! counts: the smaller is given only if no walk finds the greater. No value counts as 0, and so does one that is not a number.

use super::Lift;
use super::phases::assign;
use super::query::{Query, Step, Stop};
use crate::flat::{Arg, Literal, Rel, Rule};
use crate::lower::as_score;
use crate::normal::{Program, RelationKind, TermId};
use rg_ir::Label;
use rg_ir::ids::{EdgeId, ExprId, NodeId};
use rustc_hash::FxHashMap;

/// Most values of a role whose rules are written apart.
const MAX_VALUES: usize = 101;

/// Most values that are guarded each against those that it does not exclude; more are tried one after the other.
const MAX_GUARDED: usize = 4;

/// Most pairs of rules that are looked at.
const MAX_PAIRS: usize = 5_000;

/// The rules of one goal value.
struct Value {
    value: TermId,
    rules: Vec<Rule>,
    /// Where the walks of these rules begin and end.
    walk: (NodeId, NodeId),
}

impl Lift<'_, '_> {
    pub(super) fn goal_relations(&self) -> Vec<Rel> {
        self.context.flat.parts(Program::reserved(RelationKind::Goal)).collect()
    }

    /// Where the scores are given; leads to the end.
    pub(super) fn scores(&mut self) -> Result<NodeId, Stop> {
        let score = self.voc.node("score");
        let mut at = score;
        let goals = self.voc.builtin("goals");
        for (role, term) in self.context.flat.roles.clone().into_iter().enumerate() {
            let Some(&player) = self.players.get(role) else { continue };
            let name = self.voc.game.name(player).to_owned();
            let key = self.voc.symbol_expr(player);
            let lhs = self.voc.access(goals, key);
            let (enter, scored) = (self.voc.node(&format!("goal_{name}")), self.voc.node(&format!("scored_{name}")));
            let rules = self.goal_rules(term);
            let values = if self.exclude_each_other(&rules) { None } else { self.goal_values(&rules) };
            let sure = match values {
                None => self.any_goal(&rules, lhs, enter, scored)?,
                Some(values) => self.greatest_goal(&values, lhs, enter, scored)?,
            };
            self.edge(at, enter, Label::Skip);
            if !sure {
                self.edge(at, scored, Label::Reach { from: enter, to: scored, negated: true });
            }
            at = scored;
        }
        let (end, keeper) = (self.voc.game.end(), self.voc.game.symbols.intern("keeper"));
        let (lhs, rhs) = (self.voc.builtin("player"), self.voc.symbol_expr(keeper));
        self.edge(at, end, Label::Assign { lhs, rhs });
        Ok(score)
    }

    /// The rules for the goals of a role that can fire, as far as they give numbers.
    fn goal_rules(&self, role: TermId) -> Vec<Rule> {
        let context = self.context;
        let all = self.goal_relations().into_iter().flat_map(|rel| context.flat.rules_of(rel));
        let own = all.filter_map(|rule| assign(rule, *rule.head.args.first()?, role));
        own.flat_map(|rule| self.numbers_only(rule)).collect()
    }

    /// Whether a goal value is a number, which RG can have as a score.
    pub(super) fn is_score(&self, value: TermId) -> bool {
        as_score(&self.voc.program.terms.kif(&self.voc.program.words, value)).is_some()
    }

    /// A goal rule without those of its values that are not numbers; nothing if it never fires.
    fn numbers_only(&self, rule: Rule) -> Vec<Rule> {
        let Some(domains) = self.context.domains.of_rule(rule.vars, &rule.body) else { return Vec::new() };
        match rule.head.args.get(1) {
            Some(&Arg::Is(value)) if !self.is_score(value) => Vec::new(),
            Some(&arg @ Arg::Var(var)) => match domains.get(var as usize) {
                Some(Some(values)) if !values.iter().all(|&value| self.is_score(value)) => {
                    let scores = values.iter().filter(|&&value| self.is_score(value));
                    scores.filter_map(|&value| assign(&rule, arg, value)).collect()
                }
                _ => vec![rule],
            },
            _ => vec![rule],
        }
    }

    /// Whether it is proven that no two of the rules yield different values.
    fn exclude_each_other(&self, rules: &[Rule]) -> bool {
        rules.len().saturating_mul(rules.len()) / 2 <= MAX_PAIRS
            && rules
                .iter()
                .enumerate()
                .all(|(index, first)| rules.iter().skip(index).all(|second| self.exclude(first, second)))
    }

    /// Whether it is proven that two rules do not yield different values.
    fn exclude(&self, first: &Rule, second: &Rule) -> bool {
        let (Some(&left), Some(right)) = (first.head.args.get(1), second.head.args.get(1)) else { return false };
        let right = right.shifted(first.vars);
        if left == right {
            return true;
        }
        let own = first.body.iter().cloned();
        let others = second.body.iter().map(|literal| literal.map(&|arg| arg.shifted(first.vars)));
        let both: Vec<Literal> = own.chain(others).chain([Literal::Distinct(left, right)]).collect();
        self.context.impossible(first.vars + second.vars, &both)
    }

    /// The rules by their values, the greatest first; `None` if there are too many values.
    fn goal_values(&mut self, rules: &[Rule]) -> Option<Vec<Value>> {
        let mut by_value: FxHashMap<TermId, Vec<Rule>> = FxHashMap::default();
        for rule in rules {
            let &arg = rule.head.args.get(1)?;
            let terms = match arg {
                Arg::Is(term) => vec![term],
                Arg::Var(var) => {
                    let values = self.context.domains.of_rule(rule.vars, &rule.body)?;
                    values.get(var as usize).cloned().flatten()?
                }
            };
            for term in terms {
                by_value.entry(term).or_default().extend(assign(rule, arg, term));
            }
            if by_value.len() > MAX_VALUES {
                return None;
            }
        }
        let mut values: Vec<(u64, String, TermId, Vec<Rule>)> = Vec::new();
        for (value, rules) in by_value {
            let text = self.voc.program.terms.kif(&self.voc.program.words, value);
            values.push((as_score(&text).unwrap_or(0), text, value, rules));
        }
        values.sort_by(|a, b| (b.0, &b.1).cmp(&(a.0, &a.1)));
        let apart = |(_, text, value, rules): (u64, String, TermId, Vec<Rule>)| {
            let walk = (self.voc.node(&format!("value_{text}")), self.voc.node(&format!("has_{text}")));
            Value { value, rules, walk }
        };
        Some(values.into_iter().map(apart).collect())
    }

    /// The walks that set the score of one role by rules that exclude each other; whether one is always possible.
    fn any_goal(&mut self, rules: &[Rule], lhs: ExprId, from: NodeId, to: NodeId) -> Result<bool, Stop> {
        let mut sure = false;
        for rule in rules {
            let mut query = Query::new(rule.vars, rule.body.clone());
            let Some(&value) = rule.head.args.get(1) else { continue };
            query.needed.extend(value.var());
            match self.plan(&mut query) {
                Ok(()) => {}
                Err(Stop::Never) => continue,
                Err(stop) => return Err(stop),
            }
            let (rhs, _) = self.scalar(&query, value)?;
            sure |= query.steps.is_empty();
            query.steps.push(Step::Do(Label::Assign { lhs, rhs }));
            self.emit_to(&query.steps, from, to);
        }
        Ok(sure)
    }

    /// The walks that set the score of one role to the greatest of its values; whether one is always possible.
    fn greatest_goal(&mut self, values: &[Value], lhs: ExprId, from: NodeId, to: NodeId) -> Result<bool, Stop> {
        let mut sure = false;
        let many = values.len() > MAX_GUARDED;
        let mut greater: Vec<&Value> = Vec::new();
        let mut chain = from;
        for own in values {
            let Value { value, rules, walk } = own;
            let mut is_possible = false;
            for rule in rules {
                let mut query = Query::new(rule.vars, rule.body.clone());
                match self.plan(&mut query) {
                    Ok(()) => {}
                    Err(Stop::Never) => continue,
                    Err(stop) => return Err(stop),
                }
                sure |= query.steps.is_empty();
                self.emit_to(&query.steps, walk.0, walk.1);
                is_possible = true;
            }
            if !is_possible {
                continue;
            }
            let at = if many { chain } else { self.guarded(rules, &greater, from) };
            greater.push(own);
            match self.conditions(own).filter(|_| many) {
                // Both answers to a question are at one node, where it is asked only once.
                Some(conditions) => {
                    for (holds, fails) in conditions {
                        let next = self.voc.node("less");
                        self.edge(chain, walk.1, holds);
                        self.edge(chain, next, fails);
                        chain = next;
                    }
                }
                None => {
                    self.edge(at, walk.0, Label::Skip);
                    if many {
                        chain = self.voc.node("less");
                        self.edge(at, chain, Label::Reach { from: walk.0, to: walk.1, negated: true });
                    }
                }
            }
            let symbol = self.voc.symbol(&[*value]);
            let rhs = self.voc.symbol_expr(symbol);
            self.edge(walk.1, to, Label::Assign { lhs, rhs });
        }
        Ok(sure)
    }

    /// The conditions of a value, each with its negation, if every rule for it is one condition.
    fn conditions(&self, value: &Value) -> Option<Vec<(Label, Label)>> {
        let automaton = &self.voc.game.automaton;
        let pair = |&id: &EdgeId| {
            let edge = automaton.edge(id);
            let fails = match edge.label {
                Label::Reach { from, to, negated } => Label::Reach { from, to, negated: !negated },
                Label::Compare { lhs, rhs, negated } => Label::Compare { lhs, rhs, negated: !negated },
                _ => return None,
            };
            (edge.target == value.walk.1).then_some((edge.label, fails))
        };
        automaton.outgoing(value.walk.0).iter().map(pair).collect()
    }

    /// Where a value is looked for if none of the greater ones holds, as far as it does not exclude them.
    fn guarded(&mut self, rules: &[Rule], greater: &[&Value], from: NodeId) -> NodeId {
        let mut at = from;
        for other in greater {
            let apart = |own: &Rule| other.rules.iter().all(|rule| self.exclude(own, rule));
            if rules.iter().all(apart) {
                continue;
            }
            let next = self.voc.node("less");
            self.edge(at, next, Label::Reach { from: other.walk.0, to: other.walk.1, negated: true });
            at = next;
        }
        at
    }
}
