//! Which functions can stand in which argument of a relation: a least fixed point over the rules.

use super::Shape;
use crate::normal::{Atom, Literal, Program, RelationId, RelationKind, Rule, Term, TermId};
use rustc_hash::FxHashMap;

/// What can stand in each argument of each relation.
pub(super) struct Shapes {
    sets: FxHashMap<(RelationId, usize), Vec<Shape>>,
}

impl Shapes {
    /// Repeats all rules until nothing changes. There are few shapes, so it takes a few rounds.
    pub(super) fn new(program: &Program) -> Self {
        let mut shapes = Self { sets: FxHashMap::default() };
        let mut changed = true;
        while changed {
            changed = false;
            for rule in &program.rules {
                changed |= shapes.apply(program, rule);
            }
        }
        shapes
    }

    /// What can stand there, in the order of discovery.
    pub(super) fn at(&self, program: &Program, relation: RelationId, position: usize) -> Vec<Shape> {
        // What is true was true at first or became so; what is done was legal.
        let sources: &[RelationKind] = match program.kind(relation) {
            RelationKind::True => &[RelationKind::Init, RelationKind::Next],
            RelationKind::Does => &[RelationKind::Legal],
            _ => return self.sets.get(&(relation, position)).cloned().unwrap_or_default(),
        };
        let mut all: Vec<Shape> = Vec::new();
        for &kind in sources {
            for &shape in self.sets.get(&(Program::reserved(kind), position)).into_iter().flatten() {
                if !all.contains(&shape) {
                    all.push(shape);
                }
            }
        }
        all
    }

    /// What a variable of a rule can stand for: what is possible in all its places in positive atoms. `None`: it stands
    /// only inside functions.
    pub(super) fn of_variable(&self, program: &Program, rule: &Rule, var: u32) -> Option<Vec<Shape>> {
        let mut found: Option<Vec<Shape>> = None;
        for literal in &rule.body {
            let Literal::Pos(atom) = literal else { continue };
            for position in places(program, atom, var) {
                let here = self.at(program, atom.relation, position);
                match &mut found {
                    None => found = Some(here),
                    Some(found) => found.retain(|shape| here.contains(shape)),
                }
            }
        }
        found
    }

    fn apply(&mut self, program: &Program, rule: &Rule) -> bool {
        let mut changed = false;
        for (position, &arg) in rule.head.args.iter().enumerate() {
            let shapes = match program.terms.get(arg) {
                Term::Variable(var) => self.of_variable(program, rule, var).unwrap_or_else(|| vec![None]),
                _ => vec![shape_of(program, arg)],
            };
            let set = self.sets.entry((rule.head.relation, position)).or_default();
            for shape in shapes {
                if !set.contains(&shape) {
                    set.push(shape);
                    changed = true;
                }
            }
        }
        changed
    }
}

/// The arguments of `atom` that are that variable.
fn places<'a>(program: &'a Program, atom: &'a Atom, var: u32) -> impl Iterator<Item = usize> + 'a {
    let is = move |arg: TermId| matches!(program.terms.get(arg), Term::Variable(other) if other == var);
    atom.args.iter().enumerate().filter(move |(_, arg)| is(**arg)).map(|(position, _)| position)
}

/// The shape of a term that is not a variable.
pub(super) fn shape_of(program: &Program, term: TermId) -> Shape {
    match program.terms.get(term) {
        Term::Compound(functor, args) => Some((functor, args.len())),
        Term::Constant(_) | Term::Variable(_) => None,
    }
}
