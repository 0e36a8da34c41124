//! Where the game certainly goes on.
//!
//! A place is *sure* if a switch can be reached from it in every state: because a step that is always legal leads to a
//! sure place, or because several steps that do leave no case out. The latter is found for tests of one kind (pieces,
//! vertices, values of a variable, a check and its opposite), and for checks in two more general ways:
//!
//! * If all checks that lead from a place to sure places fail, others are known to hold: `{! a} + {! b} + {? a} {? b}`.
//! * If `{! r}` leads to a sure place, and the way of `r` itself does, too: `{! r} + r`.

use super::arith::{Arithmetic, Leaf, Subject, Test};
use super::draft::{Arrow, Draft, Outgoing, Place, Step};
use super::relation::{RelId, Relations};
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

/// Vertices to look at, and places to come by, in all searches together.
const BUDGET: usize = 10_000_000;
/// Places to come by in one search.
const SEARCH: usize = 1_000;
/// How often places that are not sure are looked at again.
const ROUNDS: usize = 16;

/// A check as a fact: its automaton, and whether it is the negated one.
type Fact = (Place, Place, bool);

/// The search for sure places.
pub(super) struct Cover<'a> {
    draft: &'a Draft,
    relations: &'a Relations,
    out: Outgoing,
    sure: Vec<bool>,
    /// Per arrow: what it takes to go along it.
    conditions: Vec<Condition>,
    /// Checks that lead to sure places.
    checks: FxHashMap<Place, FxHashSet<Fact>>,
    pieces: FxHashMap<Place, FxHashSet<u32>>,
    vertices: FxHashMap<Place, FxHashSet<u32>>,
    values: FxHashMap<(Place, Leaf), Vec<bool>>,
    budget: usize,
}

enum Condition {
    None,
    Check(Fact),
    Pieces(u32),
    Vertices(RelId),
    Values(Rc<Test>),
    Other,
}

impl<'a> Cover<'a> {
    /// The sure places. Linear in the draft, apart from searches with a fixed budget.
    pub(super) fn sure(draft: &'a Draft, relations: &'a Relations, arithmetic: &mut Arithmetic<'_>) -> Vec<bool> {
        let conditions = draft.arrows.iter().map(|arrow| condition(arrow, relations, arithmetic)).collect();
        let mut cover = Self {
            draft,
            relations,
            out: draft.index(false),
            sure: vec![false; draft.places.len()],
            conditions,
            checks: FxHashMap::default(),
            pieces: FxHashMap::default(),
            vertices: FxHashMap::default(),
            values: FxHashMap::default(),
            budget: BUDGET,
        };
        cover.run();
        cover.sure
    }

    fn run(&mut self) {
        let draft = self.draft;
        let switches = draft.arrows.iter().filter(|arrow| matches!(arrow.step, Step::Switch { .. }));
        let mut stack: Vec<Place> = switches.map(|arrow| arrow.from).collect();
        let back = draft.index(true);
        for _ in 0..ROUNDS {
            while let Some(place) = stack.pop() {
                if std::mem::replace(self.sure.get_mut(place as usize).unwrap_or(&mut true), true) {
                    continue;
                }
                for position in back.of(place) {
                    let Some(arrow) = draft.arrows.get(position) else { continue };
                    if !matches!(arrow.step, Step::Switch { .. }) && self.covers(position, arrow.from) {
                        stack.push(arrow.from);
                    }
                }
            }
            // What became sure meanwhile may help places that were looked at before.
            let mut waiting: Vec<Place> = self.checks.keys().copied().filter(|&place| !self.is_sure(place)).collect();
            waiting.sort_unstable();
            stack.extend(waiting.into_iter().filter(|&place| self.implied(place) || self.followed(place)));
            if stack.is_empty() {
                break;
            }
        }
    }

    fn is_sure(&self, place: Place) -> bool {
        self.sure.get(place as usize).copied().unwrap_or(false)
    }

    fn arrows(&self, place: Place) -> impl Iterator<Item = &'a Arrow> {
        let draft = self.draft;
        let positions: Vec<usize> = self.out.of(place).collect();
        positions.into_iter().filter_map(|position| draft.arrows.get(position))
    }

    fn spend(&mut self, amount: usize) -> bool {
        let enough = self.budget >= amount;
        self.budget = self.budget.saturating_sub(amount);
        enough
    }

    /// Notes that an arrow from `place` leads to a sure place; whether `place` is sure now.
    fn covers(&mut self, position: usize, place: Place) -> bool {
        match self.conditions.get(position) {
            Some(Condition::None) => true,
            Some(&Condition::Check((from, to, negated))) => {
                let known = self.checks.entry(place).or_default();
                known.insert((from, to, negated));
                known.contains(&(from, to, !negated))
            }
            Some(&Condition::Pieces(set)) => {
                let seen = self.pieces.entry(place).or_default();
                seen.extend(self.draft.pieces(set));
                seen.len() == self.draft.all_pieces
            }
            Some(&Condition::Vertices(relation)) => {
                let sources: Vec<u32> = self.relations.sources(relation).collect();
                if !self.spend(sources.len()) {
                    return false;
                }
                let seen = self.vertices.entry(place).or_default();
                seen.extend(sources);
                seen.len() == self.relations.vertex_count()
            }
            Some(Condition::Values(test)) => match &**test {
                Test::One { subject: Subject::Leaf(leaf), accept, .. } => {
                    let seen = self.values.entry((place, *leaf)).or_insert_with(|| vec![false; accept.len()]);
                    seen.iter_mut().zip(accept).for_each(|(seen, accept)| *seen |= accept);
                    !seen.contains(&false)
                }
                _ => false,
            },
            Some(Condition::Other) | None => false,
        }
    }

    /// Whether a sure place is reached by checks that hold if all those fail that lead from `place` to sure places.
    fn implied(&mut self, place: Place) -> bool {
        let Some(failing) = self.checks.get(&place).cloned() else { return false };
        let mut seen = FxHashSet::from_iter([place]);
        let mut stack = vec![place];
        while let Some(at) = stack.pop() {
            if seen.len() > SEARCH || !self.spend(1) {
                return false;
            }
            for arrow in self.arrows(at) {
                let holds = match arrow.step {
                    Step::Skip => true,
                    Step::Check { negated, from, to } => failing.contains(&(from, to, !negated)),
                    _ => false,
                };
                if holds && self.is_sure(arrow.to) {
                    return true;
                }
                if holds && seen.insert(arrow.to) {
                    stack.push(arrow.to);
                }
            }
        }
        false
    }

    /// Whether some `{! r}` leads from `place` to a sure place, and every way of `r` does so, too.
    fn followed(&mut self, place: Place) -> bool {
        let Some(checks) = self.checks.get(&place) else { return false };
        let mut negated: Vec<Fact> = checks.iter().filter(|fact| fact.2).copied().collect();
        negated.sort_unstable();
        negated.into_iter().any(|(from, to, _)| self.simulates(place, from, to))
    }

    /// Whether every walk from `from` to `to` can be made from `place` and then comes by a sure place.
    fn simulates(&mut self, place: Place, from: Place, to: Place) -> bool {
        let mut pairs = FxHashSet::from_iter([(place, from)]);
        let mut stack = vec![(place, from)];
        while let Some((here, there)) = stack.pop() {
            if there == to || pairs.len() > SEARCH || !self.spend(1) {
                return false;
            }
            for step in self.arrows(there) {
                let next = if step.step == Step::Skip {
                    Some(here)
                } else {
                    let same = |arrow: &&Arrow| nameless(arrow.step) == nameless(step.step);
                    let mut ways = self.arrows(here).filter(same).map(|arrow| arrow.to);
                    let first = ways.next();
                    first.into_iter().chain(ways).find(|&way| self.is_sure(way)).or(first)
                };
                match next {
                    Some(next) if self.is_sure(next) => {}
                    Some(next) if step.to != to => {
                        if pairs.insert((next, step.to)) {
                            stack.push((next, step.to));
                        }
                    }
                    _ => return false,
                }
            }
        }
        true
    }
}

/// The step as it is inside a check, where nothing is numbered.
fn nameless(step: Step) -> Step {
    match step {
        Step::Off { piece, .. } => Step::Off { piece, index: 0 },
        Step::Assign { target, value, .. } => Step::Assign { target, value, index: 0 },
        other => other,
    }
}

fn condition(arrow: &Arrow, relations: &Relations, arithmetic: &mut Arithmetic<'_>) -> Condition {
    match arrow.step {
        Step::Skip | Step::Off { .. } | Step::Switch { .. } | Step::Hand(_) => Condition::None,
        Step::Go(relation) if relations.is_total(relation) => Condition::None,
        Step::Go(relation) => Condition::Vertices(relation),
        Step::On(set) => Condition::Pieces(set),
        Step::Check { negated, from, to } => Condition::Check((from, to, negated)),
        Step::Compare { relation, left, right } => {
            arithmetic.compare(relation, left, right, arrow.span).map_or(Condition::Other, Condition::Values)
        }
        Step::Assign { target, value, .. } => match arithmetic.assign(target, value, arrow.span) {
            Ok(answer) if matches!(answer.0, Test::Always) => Condition::None,
            _ => Condition::Other,
        },
    }
}
