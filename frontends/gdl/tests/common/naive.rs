//! A direct interpreter of GDL: the rules, a state, a joint move; nothing is compiled. Negation is decided by the
//! alternating fixpoint (Van Gelder 1993), which gives the perfect model of every locally stratified program.

use gdl::normal::{Atom, Literal, Program, RelationKind, Rule, Term, TermId};
use std::collections::{BTreeSet, HashMap};

type Facts = BTreeSet<(u32, Vec<TermId>)>;

/// The rules of a game.
pub(crate) struct Naive {
    pub(crate) program: Program,
}

/// What holds in a state.
pub(crate) struct View {
    facts: Facts,
}

impl Naive {
    pub(crate) fn new(program: Program) -> Self {
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
        let mut given: Facts = state.iter().map(|&fluent| (relation(RelationKind::True), vec![fluent])).collect();
        for (&role, &action) in self.program.roles.iter().zip(moves) {
            given.insert((relation(RelationKind::Does), vec![role, action]));
        }
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
        let rules = self.program.rules.clone();
        loop {
            let mut by_relation: HashMap<u32, Vec<Vec<TermId>>> = HashMap::new();
            for (relation, tuple) in &facts {
                by_relation.entry(*relation).or_default().push(tuple.clone());
            }
            let mut new = Vec::new();
            for rule in &rules {
                // Positive literals first, the order of the others does not matter.
                let mut body: Vec<&Literal> = rule.body.iter().collect();
                body.sort_by_key(|literal| !matches!(literal, Literal::Pos(_)));
                self.fire(rule, &body, &mut HashMap::new(), &by_relation, other, &mut new);
            }
            let before = facts.len();
            facts.extend(new);
            if facts.len() == before {
                return facts;
            }
        }
    }

    fn fire(
        &mut self,
        rule: &Rule,
        body: &[&Literal],
        values: &mut HashMap<u32, TermId>,
        facts: &HashMap<u32, Vec<Vec<TermId>>>,
        other: &Facts,
        new: &mut Vec<(u32, Vec<TermId>)>,
    ) {
        let Some((literal, rest)) = body.split_first() else {
            new.push(self.ground(&rule.head, values));
            return;
        };
        match literal {
            Literal::Pos(atom) => {
                for tuple in facts.get(&atom.relation.0).map_or(&[][..], Vec::as_slice) {
                    let mut inner = values.clone();
                    if atom.args.iter().zip(tuple).all(|(&p, &v)| self.matches(p, v, &mut inner)) {
                        self.fire(rule, rest, &mut inner, facts, other, new);
                    }
                }
            }
            Literal::Neg(atom) => {
                if !other.contains(&self.ground(atom, values)) {
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

    fn value(&mut self, term: TermId, values: &HashMap<u32, TermId>) -> TermId {
        self.program.terms.substitute(term, &|var| values.get(&var).copied())
    }

    fn ground(&mut self, atom: &Atom, values: &HashMap<u32, TermId>) -> (u32, Vec<TermId>) {
        (atom.relation.0, atom.args.iter().map(|&arg| self.value(arg, values)).collect())
    }

    fn matches(&self, pattern: TermId, value: TermId, values: &mut HashMap<u32, TermId>) -> bool {
        let terms = &self.program.terms;
        match (terms.get(pattern), terms.get(value)) {
            (Term::Variable(var), _) => *values.entry(var).or_insert(value) == value,
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
        let relation = Program::reserved(kind).0;
        self.facts.iter().filter(move |fact| fact.0 == relation).map(|fact| &fact.1)
    }

    fn unary(&self, kind: RelationKind) -> BTreeSet<TermId> {
        self.tuples(kind).map(|tuple| tuple[0]).collect()
    }

    /// The fluents of the next state.
    pub(crate) fn next(&self) -> BTreeSet<TermId> {
        self.unary(RelationKind::Next)
    }

    /// Whether the play is over.
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
