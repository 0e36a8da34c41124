//! Which atoms become checks, which variables, and in what order the keeper computes these.

use crate::eval::components;
use crate::ground::{AtomId, AtomKind, Condition, GroundProgram};

/// Conditions that a check may cost at most if the atom is read more than once.
const CHEAP: usize = 24;

/// Conditions that a check may cost at most.
const DEAR: usize = 400;

/// How deep checks may nest.
const NESTING: usize = 30;

/// What stands for an atom in conditions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Form {
    /// The variable of a fluent.
    Fluent,
    /// A check of its rules.
    Check,
    /// A variable that the keeper computes once per state.
    State,
    /// A variable that the keeper computes in every step.
    Step,
}

/// The forms of all atoms.
pub(super) struct Forms {
    pub(super) form: Vec<Form>,
    /// Atoms of form [`Form::State`], in groups that depend on each other; those that others read first.
    pub(super) state: Vec<Group>,
    /// The same for [`Form::Step`]. The atoms of `next` are among them.
    pub(super) step: Vec<Group>,
}

/// Atoms that depend on each other, or one that depends on others only.
pub(super) struct Group {
    pub(super) atoms: Vec<AtomId>,
    /// Whether they depend on themselves.
    pub(super) cyclic: bool,
}

impl Forms {
    /// Decides the form of every atom. Linear.
    pub(super) fn new(ground: &GroundProgram) -> Self {
        let count = ground.atoms.len();
        let mut reads: Vec<Vec<usize>> = vec![Vec::new(); count];
        let mut uses = vec![0usize; count];
        for rule in &ground.rules {
            for condition in &rule.body {
                if let Condition::Holds(atom) | Condition::Fails(atom) = condition {
                    uses[atom.index()] += 1;
                    reads[rule.head.index()].push(atom.index());
                }
            }
        }
        for list in &mut reads {
            list.sort_unstable();
            list.dedup();
        }
        let is_cyclic = |group: &[usize]| match group {
            &[only] => reads[only].binary_search(&only).is_ok(),
            _ => true,
        };
        let mut forms = Self { form: vec![Form::Check; count], state: Vec::new(), step: Vec::new() };
        let (mut cost, mut depth) = (vec![1usize; count], vec![0usize; count]);
        for group in components(&reads, 0..count) {
            let cyclic = is_cyclic(&group);
            let moves = group.iter().any(|&atom| {
                let is_step = |other: &usize| forms.form[*other] == Form::Step;
                let acts = |condition: &Condition| matches!(condition, Condition::Does(_));
                matches!(ground.atoms[atom], AtomKind::Next(_) | AtomKind::Sees(..))
                    || reads[atom].iter().any(is_step)
                    || ground.rules_of(AtomId(atom as u32)).iter().any(|rule| rule.body.iter().any(acts))
            });
            for &atom in &group {
                if matches!(ground.atoms[atom], AtomKind::True(_)) {
                    forms.form[atom] = Form::Fluent;
                    continue;
                }
                let rules = ground.rules_of(AtomId(atom as u32));
                let price = |condition: &Condition| match condition {
                    Condition::Holds(other) | Condition::Fails(other) => match forms.form[other.index()] {
                        Form::Check => cost[other.index()] + 1,
                        _ => 1,
                    },
                    Condition::Does(_) => 1,
                };
                let total = rules.iter().flat_map(|rule| &rule.body).map(price).fold(0usize, usize::saturating_add);
                let nested = reads[atom].iter().filter(|&&other| forms.form[other] == Form::Check);
                let deep = nested.map(|&other| depth[other] + 1).max().unwrap_or(0);
                let output =
                    matches!(ground.atoms[atom], AtomKind::Legal(..) | AtomKind::Goal(..) | AtomKind::Terminal);
                let dear = uses[atom] > 0 && (total > DEAR || deep > NESTING || uses[atom] > 1 && total > CHEAP);
                (cost[atom], depth[atom]) = (total, deep);
                forms.form[atom] = match (moves, cyclic || dear) {
                    (true, _) => Form::Step,
                    (false, true) => Form::State,
                    (false, false) => Form::Check,
                };
                debug_assert!(!output || forms.form[atom] != Form::Step);
            }
            let first = group.first().map(|&atom| forms.form[atom]);
            let atoms = group.iter().map(|&atom| AtomId(atom as u32)).collect();
            match first {
                Some(Form::State) => forms.state.push(Group { atoms, cyclic }),
                Some(Form::Step) => forms.step.push(Group { atoms, cyclic }),
                _ => {}
            }
        }
        forms
    }
}
