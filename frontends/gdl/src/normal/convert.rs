//! From the syntax tree to the normal form.

use super::{Atom, Literal, Program, Relation, RelationId, RelationKind, Rule, Term, TermId, Terms};
use crate::ast::{self, Description, Word};
use crate::codes;
use rg_ir::{Diagnostic, Span};
use rustc_hash::{FxHashMap, FxHashSet};

/// Most rules that a rule with disjunctions is split into; more, and disjunctions become relations.
const SPLIT: usize = 8;

/// Most rules that one rule may become where its disjunctions cannot be relations (they would be unsafe).
const MAX_SPLIT: usize = 4096;

/// The reserved relations in the order of [`RelationKind`].
const RESERVED: [(Word, usize, RelationKind); 11] = [
    (Word::ROLE, 1, RelationKind::Role),
    (Word::BASE, 1, RelationKind::Base),
    (Word::INPUT, 2, RelationKind::Input),
    (Word::INIT, 1, RelationKind::Init),
    (Word::TRUE, 1, RelationKind::True),
    (Word::DOES, 2, RelationKind::Does),
    (Word::LEGAL, 2, RelationKind::Legal),
    (Word::NEXT, 1, RelationKind::Next),
    (Word::TERMINAL, 0, RelationKind::Terminal),
    (Word::GOAL, 2, RelationKind::Goal),
    (Word::SEES, 2, RelationKind::Sees),
];

/// Brings a description that has no errors into normal form.
///
/// Rules that are read leniently are what they are read as.
///
/// Fails where a rule has too many combinations of disjuncts. Linear in the description and what it splits into.
pub fn normalize(description: &Description) -> Result<Program, Box<Diagnostic>> {
    let reading = crate::lenient::read(description);
    let description = reading.as_ref().map_or(description, |reading| &reading.description);
    let relations = RESERVED
        .iter()
        .map(|&(word, arity, kind)| Relation { name: description.words.text(word).into(), arity, kind })
        .collect();
    let program = Program {
        words: description.words.clone(),
        terms: Terms::default(),
        relations,
        rules: Vec::new(),
        roles: Vec::new(),
    };
    let names = (0..).zip(RESERVED).map(|(index, (word, arity, _))| ((word, arity), RelationId(index))).collect();
    let mut converter = Converter { program, names, seen: FxHashSet::default() };
    for rule in &description.rules {
        converter.rule(rule)?;
    }
    let mut program = converter.program;
    for rule in &program.rules {
        if program.relations[rule.head.relation.index()].kind == RelationKind::Role
            && let Some(&role) = rule.head.args.first().filter(|role| !program.roles.contains(role))
        {
            program.roles.push(role);
        }
    }
    Ok(program)
}

/// A condition without negation of anything but atoms.
#[derive(Clone, Debug)]
enum Condition {
    Literal(Literal),
    Same(TermId, TermId),
    All(Vec<Condition>),
    Any(Vec<Condition>),
}

struct Converter {
    program: Program,
    names: FxHashMap<(Word, usize), RelationId>,
    seen: FxHashSet<(Atom, Vec<Literal>)>,
}

/// The variables of the rule at hand.
#[derive(Default)]
struct Scope {
    vars: Vec<Word>,
}

impl Scope {
    fn number(&mut self, word: Word) -> u32 {
        let found = self.vars.iter().position(|&other| other == word);
        let position = found.unwrap_or_else(|| {
            self.vars.push(word);
            self.vars.len() - 1
        });
        u32::try_from(position).unwrap_or(u32::MAX)
    }
}

impl Converter {
    fn rule(&mut self, rule: &ast::Rule) -> Result<(), Box<Diagnostic>> {
        let mut scope = Scope::default();
        let head = self.atom(&rule.head, &mut scope);
        let parts = rule.body.iter().map(|literal| self.condition(literal, false, &mut scope)).collect();
        self.split(head, Condition::All(parts), &scope, rule.span)
    }

    fn atom(&mut self, atom: &ast::Atom, scope: &mut Scope) -> Atom {
        let arity = atom.args.len();
        let (program, word) = (&mut self.program, atom.name.word);
        let relation = *self.names.entry((word, arity)).or_insert_with(|| {
            let name = program.words.text(word).into();
            program.relations.push(Relation { name, arity, kind: RelationKind::Helper });
            RelationId(u32::try_from(program.relations.len() - 1).unwrap_or(u32::MAX))
        });
        Atom { relation, args: atom.args.iter().map(|arg| self.term(arg, scope)).collect() }
    }

    fn term(&mut self, term: &ast::Term, scope: &mut Scope) -> TermId {
        match term {
            ast::Term::Variable(name) => self.program.terms.variable(scope.number(name.word)),
            ast::Term::Constant(name) => self.program.terms.constant(name.word),
            ast::Term::Function(compound) => {
                let args: Vec<TermId> = compound.args.iter().map(|arg| self.term(arg, scope)).collect();
                self.program.terms.compound(compound.name.word, &args)
            }
        }
    }

    /// Pushes negation inward.
    fn condition(&mut self, literal: &ast::Literal, negated: bool, scope: &mut Scope) -> Condition {
        match literal {
            ast::Literal::Atom(atom) => {
                let atom = self.atom(atom, scope);
                Condition::Literal(if negated { Literal::Neg(atom) } else { Literal::Pos(atom) })
            }
            ast::Literal::Distinct(terms, _) => {
                let (a, b) = (self.term(&terms[0], scope), self.term(&terms[1], scope));
                if negated { Condition::Same(a, b) } else { Condition::Literal(Literal::Distinct(a, b)) }
            }
            ast::Literal::Not(inner, _) => self.condition(inner, !negated, scope),
            ast::Literal::And(parts, _) | ast::Literal::Or(parts, _) => {
                let list = parts.iter().map(|part| self.condition(part, negated, scope)).collect();
                if matches!(literal, ast::Literal::And(..)) == negated {
                    Condition::Any(list)
                } else {
                    Condition::All(list)
                }
            }
        }
    }

    /// Adds the rules that `head` and `body` stand for.
    fn split(&mut self, head: Atom, body: Condition, scope: &Scope, span: Span) -> Result<(), Box<Diagnostic>> {
        let body = self.reduce(&head, body, scope, span)?;
        let Some(bodies) = product(&body, MAX_SPLIT) else {
            let message = format!("this rule stands for more than {MAX_SPLIT} rules without `or`");
            return Err(Box::new(
                Diagnostic::error(codes::ALTERNATIVES, span, message)
                    .help("define the alternatives as relations of their own"),
            ));
        };
        for parts in bodies {
            self.add(&head, parts, scope, span);
        }
        Ok(())
    }

    /// Where a body has many combinations of disjuncts, disjunctions become relations over the variables they share with
    /// the rest, as far as these relations are safe.
    fn reduce(
        &mut self,
        head: &Atom,
        body: Condition,
        scope: &Scope,
        span: Span,
    ) -> Result<Condition, Box<Diagnostic>> {
        if combinations(&body) <= SPLIT {
            return Ok(body);
        }
        let Condition::All(parts) = body else { return Ok(body) };
        let mut flat = Vec::new();
        flatten(parts, &mut flat);
        let mut done = Vec::with_capacity(flat.len());
        for (index, part) in flat.iter().enumerate() {
            if !matches!(part, Condition::Any(_)) {
                done.push(part.clone());
                continue;
            }
            let mut inside = Vec::new();
            self.variables(part, &mut inside);
            let mut outside = Vec::new();
            head.args.iter().for_each(|&arg| self.program.terms.variables_of(arg, &mut outside));
            for (other, condition) in flat.iter().enumerate() {
                if other != index {
                    self.variables(condition, &mut outside);
                }
            }
            inside.retain(|var| outside.contains(var));
            let safe = product(part, MAX_SPLIT).is_some_and(|bodies| {
                bodies.iter().all(|body| {
                    let bound = self.bound(body);
                    inside.iter().chain(&self.tested(body)).all(|var| bound.contains(var))
                })
            });
            if !safe {
                done.push(part.clone());
                continue;
            }
            let relation = RelationId(u32::try_from(self.program.relations.len()).unwrap_or(u32::MAX));
            let name = format!("{}|{}", self.program.relation(head.relation).name, relation.0).into();
            self.program.relations.push(Relation { name, arity: inside.len(), kind: RelationKind::Helper });
            let args: Box<[TermId]> = inside.iter().map(|&var| self.program.terms.variable(var)).collect();
            let atom = Atom { relation, args };
            self.split(atom.clone(), part.clone(), scope, span)?;
            done.push(Condition::Literal(Literal::Pos(atom)));
        }
        Ok(Condition::All(done))
    }

    /// Adds one rule: equalities are solved, variables numbered anew, duplicates dropped.
    fn add(&mut self, head: &Atom, parts: Vec<Condition>, scope: &Scope, span: Span) {
        let mut unifier = Unifier::default();
        let mut literals = Vec::new();
        for part in parts {
            match part {
                Condition::Same(a, b) => {
                    if !unifier.unify(&mut self.program.terms, a, b) {
                        return;
                    }
                }
                Condition::Literal(literal) => literals.push(literal),
                Condition::All(_) | Condition::Any(_) => {}
            }
        }
        let mut numbers: Vec<u32> = Vec::new();
        let mut body: Vec<Literal> = Vec::new();
        let terms = &mut self.program.terms;
        let head = rename(terms, head, &unifier, &mut numbers);
        for literal in &literals {
            let literal = match literal {
                Literal::Pos(atom) => Literal::Pos(rename(terms, atom, &unifier, &mut numbers)),
                Literal::Neg(atom) => Literal::Neg(rename(terms, atom, &unifier, &mut numbers)),
                Literal::Distinct(a, b) => {
                    let (a, b) =
                        (renamed(terms, *a, &unifier, &mut numbers), renamed(terms, *b, &unifier, &mut numbers));
                    if a == b {
                        return;
                    }
                    if terms.is_ground(a) && terms.is_ground(b) {
                        continue;
                    }
                    Literal::Distinct(a.min(b), a.max(b))
                }
            };
            if !body.contains(&literal) {
                body.push(literal);
            }
        }
        if self.seen.insert((head.clone(), body.clone())) {
            let vars = numbers.iter().filter_map(|&var| scope.vars.get(var as usize).copied()).collect();
            self.program.rules.push(Rule { head, body, vars, span });
        }
    }

    fn variables(&self, condition: &Condition, out: &mut Vec<u32>) {
        match condition {
            Condition::Literal(Literal::Pos(atom) | Literal::Neg(atom)) => {
                atom.args.iter().for_each(|&arg| self.program.terms.variables_of(arg, out));
            }
            Condition::Literal(Literal::Distinct(a, b)) | Condition::Same(a, b) => {
                self.program.terms.variables_of(*a, out);
                self.program.terms.variables_of(*b, out);
            }
            Condition::All(parts) | Condition::Any(parts) => parts.iter().for_each(|part| self.variables(part, out)),
        }
    }

    /// The variables that positive atoms bind.
    fn bound(&self, body: &[Condition]) -> Vec<u32> {
        let mut out = Vec::new();
        for part in body {
            if let Condition::Literal(Literal::Pos(atom)) = part {
                atom.args.iter().for_each(|&arg| self.program.terms.variables_of(arg, &mut out));
            }
        }
        out
    }

    /// The variables of everything else.
    fn tested(&self, body: &[Condition]) -> Vec<u32> {
        let mut out = Vec::new();
        for part in body {
            if !matches!(part, Condition::Literal(Literal::Pos(_))) {
                self.variables(part, &mut out);
            }
        }
        out
    }
}

/// Number of conjunctions that a condition stands for.
fn combinations(condition: &Condition) -> usize {
    match condition {
        Condition::Literal(_) | Condition::Same(..) => 1,
        Condition::All(parts) => parts.iter().fold(1, |n, part| n.saturating_mul(combinations(part))),
        Condition::Any(parts) => parts.iter().fold(0, |n, part| n.saturating_add(combinations(part))),
    }
}

/// The conjunctions that a condition stands for; `None` if they are more than `limit`.
fn product(condition: &Condition, limit: usize) -> Option<Vec<Vec<Condition>>> {
    if combinations(condition) > limit {
        return None;
    }
    Some(match condition {
        Condition::Literal(_) | Condition::Same(..) => vec![vec![condition.clone()]],
        Condition::Any(parts) => {
            let mut all = Vec::new();
            for part in parts {
                all.extend(product(part, limit)?);
            }
            all
        }
        Condition::All(parts) => {
            let mut all = vec![Vec::new()];
            for part in parts {
                let choices = product(part, limit)?;
                let joined = |before: &Vec<Condition>| {
                    let before = before.clone();
                    choices.iter().map(move |choice| before.iter().chain(choice).cloned().collect()).collect::<Vec<_>>()
                };
                all = all.iter().flat_map(joined).collect();
            }
            all
        }
    })
}

fn flatten(parts: Vec<Condition>, out: &mut Vec<Condition>) {
    for part in parts {
        match part {
            Condition::All(inner) => flatten(inner, out),
            other => out.push(other),
        }
    }
}

/// An atom with solved variables, numbered in the order of their appearance.
fn rename(terms: &mut Terms, atom: &Atom, unifier: &Unifier, numbers: &mut Vec<u32>) -> Atom {
    let args = atom.args.iter().map(|&arg| renamed(terms, arg, unifier, numbers)).collect();
    Atom { relation: atom.relation, args }
}

fn renamed(terms: &mut Terms, id: TermId, unifier: &Unifier, numbers: &mut Vec<u32>) -> TermId {
    let id = unifier.resolve(terms, id);
    let mut vars = Vec::new();
    terms.variables_of(id, &mut vars);
    let mut table: Vec<(u32, TermId)> = Vec::with_capacity(vars.len());
    for var in vars {
        let position = numbers.iter().position(|&other| other == var).unwrap_or_else(|| {
            numbers.push(var);
            numbers.len() - 1
        });
        table.push((var, terms.variable(u32::try_from(position).unwrap_or(u32::MAX))));
    }
    terms.substitute(id, &|var| table.iter().find(|entry| entry.0 == var).map(|entry| entry.1))
}

/// A most general unifier.
#[derive(Default)]
struct Unifier {
    bindings: FxHashMap<u32, TermId>,
}

impl Unifier {
    fn walk(&self, terms: &Terms, mut id: TermId) -> TermId {
        while let Term::Variable(var) = terms.get(id) {
            match self.bindings.get(&var) {
                Some(&next) => id = next,
                None => break,
            }
        }
        id
    }

    /// Whether the terms can be made equal.
    fn unify(&mut self, terms: &mut Terms, a: TermId, b: TermId) -> bool {
        let mut tasks = vec![(a, b)];
        while let Some((a, b)) = tasks.pop() {
            let (a, b) = (self.walk(terms, a), self.walk(terms, b));
            if a == b {
                continue;
            }
            match (terms.get(a), terms.get(b)) {
                (Term::Variable(var), _) => {
                    if !self.bind(terms, var, b) {
                        return false;
                    }
                }
                (_, Term::Variable(var)) => {
                    if !self.bind(terms, var, a) {
                        return false;
                    }
                }
                (Term::Compound(f, xs), Term::Compound(g, ys)) if f == g && xs.len() == ys.len() => {
                    tasks.extend(xs.iter().copied().zip(ys.iter().copied()));
                }
                _ => return false,
            }
        }
        true
    }

    fn bind(&mut self, terms: &mut Terms, var: u32, value: TermId) -> bool {
        let mut inside = Vec::new();
        let resolved = self.resolve(terms, value);
        terms.variables_of(resolved, &mut inside);
        if inside.contains(&var) {
            return false;
        }
        self.bindings.insert(var, resolved);
        true
    }

    /// The term with all bindings applied.
    fn resolve(&self, terms: &mut Terms, id: TermId) -> TermId {
        let mut id = id;
        loop {
            let next = terms.substitute(id, &|var| self.bindings.get(&var).copied());
            if next == id {
                return id;
            }
            id = next;
        }
    }
}
