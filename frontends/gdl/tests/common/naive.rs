//! A direct interpreter of GDL: the rules, a state, a joint move; nothing is compiled. Negation is decided by the
//! alternating fixpoint (Van Gelder 1993), which gives the perfect model of every locally stratified program.

use gdl::normal::{Atom, Literal, Program, RelationKind, Rule, Term, TermId};
use std::collections::{BTreeMap, BTreeSet};

/// The tuples of each relation.
type Facts = BTreeMap<u32, BTreeSet<Vec<TermId>>>;

/// The values of variables.
type Values = Vec<(u32, TermId)>;

/// The rules of a game.
pub(crate) struct Naive {
    pub(crate) program: Program,
}

/// What holds in a state.
pub(crate) struct View {
    facts: Facts,
}

impl Naive {
    pub(crate) fn new(mut program: Program) -> Self {
        // Positive literals first; the order of the others does not matter.
        for rule in &mut program.rules {
            rule.body.sort_by_key(|literal| !matches!(literal, Literal::Pos(_)));
        }
        Self { program }
    }

    /// The initial state.
    pub(crate) fn initial(&mut self) -> BTreeSet<TermId> {
        let view = self.view(&BTreeSet::new(), &[]);
        view.unary(RelationKind::Init)
    }

    /// What holds in a state with a joint move (or without).
    pub(crate) fn view(&mut self, state: &BTreeSet<TermId>, moves: &[TermId]) -> View {
        let relation = |kind| Program::reserved(kind).0;
        let mut given = Facts::new();
        given.insert(relation(RelationKind::True), state.iter().map(|&fluent| vec![fluent]).collect());
        let done = self.program.roles.iter().zip(moves).map(|(&role, &action)| vec![role, action]).collect();
        given.insert(relation(RelationKind::Does), done);
        let mut low = Facts::new();
        loop {
            let high = self.close(&given, &low);
            let next = self.close(&given, &high);
            if next == low {
                return View { facts: low };
            }
            low = next;
        }
    }

    /// The least model with negative literals decided by `other`.
    fn close(&mut self, given: &Facts, other: &Facts) -> Facts {
        let mut facts = given.clone();
        let rules = std::mem::take(&mut self.program.rules);
        loop {
            let mut new = Vec::new();
            for rule in &rules {
                self.fire(rule, &rule.body, &mut Values::new(), &facts, other, &mut new);
            }
            let mut grown = false;
            for (relation, tuple) in new {
                grown |= facts.entry(relation).or_default().insert(tuple);
            }
            if !grown {
                self.program.rules = rules;
                return facts;
            }
        }
    }

    fn fire(
        &mut self,
        rule: &Rule,
        body: &[Literal],
        values: &mut Values,
        facts: &Facts,
        other: &Facts,
        new: &mut Vec<(u32, Vec<TermId>)>,
    ) {
        let Some((literal, rest)) = body.split_first() else {
            new.push(self.ground(&rule.head, values));
            return;
        };
        match literal {
            Literal::Pos(atom) => {
                let known = values.len();
                for tuple in facts.get(&atom.relation.0).into_iter().flatten() {
                    if atom.args.iter().zip(tuple).all(|(&p, &v)| self.matches(p, v, values)) {
                        self.fire(rule, rest, values, facts, other, new);
                    }
                    values.truncate(known);
                }
            }
            Literal::Neg(atom) => {
                let (relation, tuple) = self.ground(atom, values);
                if !other.get(&relation).is_some_and(|tuples| tuples.contains(&tuple)) {
                    self.fire(rule, rest, values, facts, other, new);
                }
            }
            Literal::Distinct(a, b) => {
                if self.value(*a, values) != self.value(*b, values) {
                    self.fire(rule, rest, values, facts, other, new);
                }
            }
        }
    }

    fn value(&mut self, term: TermId, values: &Values) -> TermId {
        let find = |var| values.iter().find(|(other, _)| *other == var).map(|(_, value)| *value);
        self.program.terms.substitute(term, &find)
    }

    fn ground(&mut self, atom: &Atom, values: &Values) -> (u32, Vec<TermId>) {
        (atom.relation.0, atom.args.iter().map(|&arg| self.value(arg, values)).collect())
    }

    fn matches(&self, pattern: TermId, value: TermId, values: &mut Values) -> bool {
        let terms = &self.program.terms;
        match (terms.get(pattern), terms.get(value)) {
            (Term::Variable(var), _) => match values.iter().find(|(other, _)| *other == var) {
                Some((_, known)) => *known == value,
                None => {
                    values.push((var, value));
                    true
                }
            },
            (Term::Compound(f, xs), Term::Compound(g, ys)) => {
                f == g && xs.len() == ys.len() && xs.iter().zip(ys).all(|(&x, &y)| self.matches(x, y, values))
            }
            _ => pattern == value,
        }
    }

    /// The KIF string of a term.
    pub(crate) fn text(&self, term: TermId) -> String {
        self.program.terms.kif(&self.program.words, term)
    }
}

impl View {
    fn tuples(&self, kind: RelationKind) -> impl Iterator<Item = &Vec<TermId>> {
        self.facts.get(&Program::reserved(kind).0).into_iter().flatten()
    }

    fn unary(&self, kind: RelationKind) -> BTreeSet<TermId> {
        self.tuples(kind).map(|tuple| tuple[0]).collect()
    }

    /// The fluents of the next state.
    pub(crate) fn next(&self) -> BTreeSet<TermId> {
        self.unary(RelationKind::Next)
    }

    /// Whether the game is over.
    pub(crate) fn terminal(&self) -> bool {
        self.tuples(RelationKind::Terminal).next().is_some()
    }

    /// The legal moves of a role.
    pub(crate) fn legal(&self, role: TermId) -> Vec<TermId> {
        self.tuples(RelationKind::Legal).filter(|tuple| tuple[0] == role).map(|tuple| tuple[1]).collect()
    }

    /// What a role is told in the step.
    pub(crate) fn seen_by(&self, role: TermId) -> Vec<TermId> {
        self.tuples(RelationKind::Sees).filter(|tuple| tuple[0] == role).map(|tuple| tuple[1]).collect()
    }

    /// The goal values of a role.
    pub(crate) fn goal(&self, role: TermId) -> Vec<TermId> {
        self.tuples(RelationKind::Goal).filter(|tuple| tuple[0] == role).map(|tuple| tuple[1]).collect()
    }
}
