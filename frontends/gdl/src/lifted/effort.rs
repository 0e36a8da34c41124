//! An estimate of what a step of a lifted game costs, in edges that a walk search looks at.
//!
//! The model is that of join orders in databases: a choice multiplies the walks that go on by its values, a test keeps a
//! share of them that depends on its kind only (Selinger et al. 1979). A relation that asks for itself is asked at most
//! once for each of its arguments. Only orders of magnitude matter: what is compared with it is the size of the ground
//! program ([`crate::translate`]).

use super::Lift;
use super::query::Step;
use super::vocabulary::Slot;
use rg_ir::Label;

/// Share of walks that go on behind a test of equality.
const EQUAL: f64 = 0.3;
/// Share of walks that go on behind any other test.
const OTHER: f64 = 0.7;

/// Most rounds that a walk goes on with.
const ROUNDS: f64 = 16.0;

/// What some steps cost.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(super) struct Effort {
    /// Edges that are looked at.
    work: f64,
    /// Walks that get to the end.
    walks: f64,
    /// Walks that go on with the same relation and other arguments.
    again: f64,
    /// Arguments with which that can be.
    arguments: f64,
}

impl Effort {
    /// Edges that are looked at.
    pub(super) fn work(self) -> f64 {
        self.work
    }

    /// Edges that are looked at until the first walk is found.
    pub(super) fn of_check(self) -> f64 {
        self.work / self.walks.max(1.0)
    }

    /// The effort of either.
    pub(super) fn add(&mut self, other: Self) {
        self.work += other.work;
        self.walks += other.walks;
        self.again += other.again;
        self.arguments = self.arguments.max(other.arguments);
    }

    /// The effort with all that the relation asks of itself.
    pub(super) fn closed(self) -> Self {
        let rounds = if self.again < 1.0 { (1.0 / (1.0 - self.again)).min(self.arguments) } else { self.arguments };
        let rounds = rounds.max(1.0);
        Self { work: self.work * rounds, walks: self.walks * rounds, again: 0.0, arguments: 0.0 }
    }
}

impl Lift<'_, '_> {
    /// What steps cost that one walk begins.
    pub(super) fn effort(&self, steps: &[Step]) -> Effort {
        let mut sum = Effort { walks: 1.0, ..Effort::default() };
        for step in steps {
            let one = self.effort_of(step);
            sum.work += sum.walks * one.work;
            sum.again += sum.walks * one.again;
            sum.arguments = sum.arguments.max(one.arguments);
            sum.walks *= one.walks;
        }
        sum
    }

    /// What the steps of an update cost: whatever their conditions, one walk gets through each of them.
    pub(super) fn effort_of_update(&self, steps: &[Step]) -> Effort {
        let work = steps.iter().map(|step| self.effort_of(step).work).sum();
        Effort { work, walks: 1.0, ..Effort::default() }
    }

    fn effort_of(&self, step: &Step) -> Effort {
        let simple = |work: f64, walks: f64| Effort { work, walks, ..Effort::default() };
        match step {
            Step::Do(Label::AssignAny { ty, .. }) => {
                let values = self.voc.values_of_type(*ty) as f64;
                simple(values, values)
            }
            Step::Do(Label::Compare { negated, .. }) => simple(1.0, if *negated { OTHER } else { EQUAL }),
            Step::Do(_) => simple(1.0, 1.0),
            Step::Any(ways) => {
                let mut sum = Effort::default();
                ways.iter().for_each(|way| sum.add(self.effort(way)));
                sum
            }
            Step::Check { steps, .. } => simple(1.0 + self.effort(steps).of_check(), OTHER),
            Step::Call { procedure, params, .. } => {
                let inside = self.procedures.get(*procedure).map_or(0.0, |procedure| procedure.effort.of_check());
                simple(1.0 + params.len() as f64 + inside, OTHER)
            }
            Step::Each { count, steps, .. } => simple(*count as f64 * (2.0 + self.effort(steps).work), 1.0),
            Step::Closure { first, again } => {
                let (mut begun, mut rounds) = (Effort::default(), Effort::default());
                first.iter().for_each(|way| begun.add(self.effort(way)));
                again.iter().for_each(|way| rounds.add(self.effort(way)));
                let count = if rounds.walks < 1.0 { (1.0 / (1.0 - rounds.walks)).min(ROUNDS) } else { ROUNDS };
                simple(begun.work + begun.walks * count * rounds.work, begun.walks * count)
            }
            Step::Again { params, .. } => Effort {
                work: 2.0 * params.len() as f64,
                walks: 0.0,
                again: 1.0,
                arguments: params.iter().map(|&(slot, ..)| self.values_of_slot(slot)).product(),
            },
        }
    }

    fn values_of_slot(&self, slot: Slot) -> f64 {
        self.voc.slot_values(slot).values.len() as f64
    }

    /// Counts what is done in every step of a phase.
    pub(super) fn count(&mut self, effort: Effort) {
        self.work_of_steps += effort.work;
    }

    /// Edges that are looked at in a step, about: the mean of the phases.
    pub(super) fn work_of_step(&self) -> f64 {
        self.work_of_steps / self.phases.list.len().max(1) as f64
    }
}
