//! Proofs by resolution (Robinson 1965; selective linear resolution) of conditions on what never changes, with symbols
//! for values of which only this is known: that they are different, and what is true of all constants that they can be.

use crate::normal::{Atom, Literal, Program, RelationId, RelationKind, Rule, Term, TermId, Terms};
use rustc_hash::{FxHashMap, FxHashSet};

/// Most steps of all proofs for one group of relations.
const MAX_STEPS: usize = 100_000;

/// Most conditions that are open at one time.
const MAX_GOALS: usize = 2_000;

/// Variables from here on are symbols.
const SYMBOLS: u32 = 1 << 30;

/// A prover; it is sound, and finds what depth-first search finds.
pub(super) struct Proof<'p> {
    terms: Terms,
    rules: FxHashMap<RelationId, Vec<&'p Rule>>,
    elements: &'p [TermId],
    /// Rows of relations that have facts only.
    facts: FxHashMap<RelationId, FxHashSet<&'p [TermId]>>,
    steps: usize,
}

/// What is still to be proven.
#[derive(Clone)]
struct State {
    goals: Vec<Literal>,
    values: Vec<Option<TermId>>,
}

impl<'p> Proof<'p> {
    pub(super) fn new(program: &'p Program, elements: &'p [TermId]) -> Self {
        let mut rules: FxHashMap<RelationId, Vec<&Rule>> = FxHashMap::default();
        for rule in program.rules.iter().filter(|rule| program.kind(rule.head.relation) == RelationKind::Helper) {
            rules.entry(rule.head.relation).or_default().push(rule);
        }
        let only_facts = rules.iter().filter(|(_, list)| list.iter().all(|rule| rule.body.is_empty()));
        let rows = only_facts.map(|(&rel, list)| (rel, list.iter().map(|rule| &*rule.head.args).collect()));
        Self { terms: program.terms.clone(), facts: rows.collect(), rules, elements, steps: 0 }
    }

    /// The symbol of the element with that number.
    pub(super) fn symbol(&mut self, number: usize) -> TermId {
        self.terms.variable(SYMBOLS.saturating_add(u32::try_from(number).unwrap_or(u32::MAX)))
    }

    /// Proves that all goals hold for some values of their variables, given those of some. The result is the value of
    /// `wanted` (or of anything if there is none), which has no variables; `None` if there is no proof.
    pub(super) fn prove(&mut self, goals: &[Literal], given: &[(u32, TermId)], wanted: Option<u32>) -> Option<TermId> {
        let mut found = Vec::new();
        for goal in goals {
            match goal {
                Literal::Pos(atom) | Literal::Neg(atom) => {
                    atom.args.iter().for_each(|&arg| self.terms.variables_of(arg, &mut found));
                }
                Literal::Distinct(a, b) => [a, b].iter().for_each(|&&arg| self.terms.variables_of(arg, &mut found)),
            }
        }
        found.extend(given.iter().map(|&(var, _)| var).chain(wanted));
        let count = found.iter().max().map_or(0, |&var| var as usize + 1);
        let mut values = vec![None; count];
        for &(var, value) in given {
            *values.get_mut(var as usize)? = Some(value);
        }
        let mut open = vec![State { goals: goals.to_vec(), values }];
        while let Some(mut state) = open.pop() {
            self.steps += 1;
            if self.steps > MAX_STEPS || state.goals.len() > MAX_GOALS {
                return None;
            }
            let Some(goal) = self.selected(&mut state) else {
                let term = wanted.or(given.first().map(|&(var, _)| var)).map(|var| self.terms.variable(var))?;
                let value = self.resolved(&state.values, term);
                return self.is_closed(value).then_some(value);
            };
            match goal {
                Literal::Distinct(a, b) => {
                    if self.differ(a, b) {
                        open.push(state);
                    }
                }
                Literal::Neg(_) => {}
                Literal::Pos(atom) => self.resolve(&atom, &state, &mut open),
            }
        }
        None
    }

    /// Takes the first goal without unknown arguments out of the list, else that with the fewest, with all values put in.
    fn selected(&mut self, state: &mut State) -> Option<Literal> {
        let State { goals, values } = state;
        let mut best: Option<((usize, usize), usize)> = None;
        for (at, goal) in goals.iter_mut().enumerate() {
            *goal = match goal {
                Literal::Pos(atom) => Literal::Pos(self.with_values(atom, values)),
                Literal::Neg(atom) => Literal::Neg(self.with_values(atom, values)),
                Literal::Distinct(a, b) => Literal::Distinct(self.resolved(values, *a), self.resolved(values, *b)),
            };
            let cost = match goal {
                Literal::Pos(atom) => {
                    let open = atom.args.iter().filter(|&&arg| !self.is_closed(arg)).count();
                    (open, usize::MAX - atom.args.len())
                }
                Literal::Distinct(a, b) if self.is_closed(*a) && self.is_closed(*b) => (0, 0),
                Literal::Neg(_) | Literal::Distinct(..) => (usize::MAX, 0),
            };
            if best.is_none_or(|(other, _)| cost < other) {
                best = Some((cost, at));
            }
            if cost.0 == 0 {
                break;
            }
        }
        best.map(|(_, at)| goals.remove(at))
    }

    fn with_values(&mut self, atom: &Atom, values: &[Option<TermId>]) -> Atom {
        let args = atom.args.iter().map(|&arg| self.resolved(values, arg)).collect();
        Atom { relation: atom.relation, args }
    }

    /// The states behind an atom, one per rule that can yield it, the first on top.
    fn resolve(&mut self, atom: &Atom, state: &State, open: &mut Vec<State>) {
        if self.holds_of_all(atom) {
            open.push(state.clone());
            return;
        }
        let rules = self.rules.get(&atom.relation).cloned().unwrap_or_default();
        for rule in rules.into_iter().rev() {
            let Ok(first) = u32::try_from(state.values.len()) else { return };
            let mut values = state.values.clone();
            values.resize(state.values.len() + rule.vars.len(), None);
            let heads: Vec<TermId> = rule.head.args.iter().map(|&arg| self.renamed(arg, first)).collect();
            if !heads.iter().zip(&atom.args).all(|(&head, &arg)| self.unify(&mut values, head, arg)) {
                continue;
            }
            let mut goals: Vec<Literal> = Vec::with_capacity(rule.body.len() + state.goals.len());
            for literal in &rule.body {
                let args = |proof: &mut Self, atom: &Atom| Atom {
                    relation: atom.relation,
                    args: atom.args.iter().map(|&arg| proof.renamed(arg, first)).collect(),
                };
                goals.push(match literal {
                    Literal::Pos(atom) => Literal::Pos(args(self, atom)),
                    Literal::Neg(atom) => Literal::Neg(args(self, atom)),
                    Literal::Distinct(a, b) => Literal::Distinct(self.renamed(*a, first), self.renamed(*b, first)),
                });
            }
            goals.extend(state.goals.iter().cloned());
            open.push(State { goals, values });
        }
    }

    /// Whether an atom on constants and one symbol is a fact whatever element the symbol stands for.
    fn holds_of_all(&mut self, atom: &Atom) -> bool {
        let Some(rows) = self.facts.get(&atom.relation) else { return false };
        let mut symbols: Vec<u32> = Vec::new();
        atom.args.iter().for_each(|&arg| self.terms.variables_of(arg, &mut symbols));
        let [symbol] = *symbols.as_slice() else { return false };
        symbol >= SYMBOLS
            && self.elements.iter().all(|&element| {
                let row = atom.args.iter().map(|&arg| match self.terms.get(arg) {
                    Term::Variable(_) => element,
                    _ => arg,
                });
                rows.contains(row.collect::<Vec<_>>().as_slice())
            })
    }

    fn renamed(&mut self, term: TermId, first: u32) -> TermId {
        let mut vars = Vec::new();
        self.terms.variables_of(term, &mut vars);
        let fresh: FxHashMap<u32, TermId> =
            vars.into_iter().map(|var| (var, self.terms.variable(first.saturating_add(var)))).collect();
        self.terms.substitute(term, &|var| fresh.get(&var).copied())
    }

    /// The term with all values put in, as far as they are known.
    fn resolved(&mut self, values: &[Option<TermId>], term: TermId) -> TermId {
        let value = |var: u32| values.get(var as usize).copied().flatten();
        let mut term = term;
        loop {
            let next = self.terms.substitute(term, &value);
            if next == term {
                return term;
            }
            term = next;
        }
    }

    /// Whether there is no variable but symbols in a term.
    fn is_closed(&self, term: TermId) -> bool {
        let mut vars = Vec::new();
        self.terms.variables_of(term, &mut vars);
        vars.iter().all(|&var| var >= SYMBOLS)
    }

    /// Makes two terms equal; symbols are equal to themselves only.
    fn unify(&mut self, values: &mut [Option<TermId>], a: TermId, b: TermId) -> bool {
        let mut open = vec![(a, b)];
        while let Some((a, b)) = open.pop() {
            let (a, b) = (self.walk(values, a), self.walk(values, b));
            if a == b {
                continue;
            }
            match (self.terms.get(a), self.terms.get(b)) {
                (Term::Variable(var), _) if var < SYMBOLS => {
                    if !self.bind(values, var, b) {
                        return false;
                    }
                }
                (_, Term::Variable(var)) if var < SYMBOLS => {
                    if !self.bind(values, var, a) {
                        return false;
                    }
                }
                (Term::Compound(f, left), Term::Compound(g, right)) if f == g && left.len() == right.len() => {
                    open.extend(left.iter().copied().zip(right.iter().copied()));
                }
                _ => return false,
            }
        }
        true
    }

    fn walk(&self, values: &[Option<TermId>], mut term: TermId) -> TermId {
        while let Term::Variable(var) = self.terms.get(term)
            && let Some(next) = values.get(var as usize).copied().flatten()
        {
            term = next;
        }
        term
    }

    /// Gives a variable a value that does not contain it.
    fn bind(&mut self, values: &mut [Option<TermId>], var: u32, value: TermId) -> bool {
        let whole = self.resolved(values, value);
        let mut vars = Vec::new();
        self.terms.variables_of(whole, &mut vars);
        match values.get_mut(var as usize).filter(|_| !vars.contains(&var)) {
            Some(place) => {
                *place = Some(whole);
                true
            }
            None => false,
        }
    }

    /// Whether two terms without variables differ whatever elements the symbols stand for.
    fn differ(&self, a: TermId, b: TermId) -> bool {
        if a == b {
            return false;
        }
        match (self.terms.get(a), self.terms.get(b)) {
            (Term::Variable(a), Term::Variable(b)) => a >= SYMBOLS && b >= SYMBOLS,
            (Term::Variable(symbol), Term::Constant(_)) => symbol >= SYMBOLS && !self.elements.contains(&b),
            (Term::Constant(_), Term::Variable(symbol)) => symbol >= SYMBOLS && !self.elements.contains(&a),
            // Elements are constants.
            (Term::Variable(symbol), Term::Compound(..)) | (Term::Compound(..), Term::Variable(symbol)) => {
                symbol >= SYMBOLS
            }
            (Term::Compound(f, left), Term::Compound(g, right)) if f == g && left.len() == right.len() => {
                left.iter().zip(right).any(|(&a, &b)| self.differ(a, b))
            }
            _ => true,
        }
    }
}
