//! Solving from the top: a question is a relation with some arguments known; its answers are rows. What was asked is kept
//! in tables, so that recursion ends: a question that contains itself is asked again until there are no new answers.

use crate::normal::{Atom, Literal, Program, RelationId, RelationKind, Rule, Term, TermId};
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

/// Questions inside of questions, at most.
const MAX_DEPTH: usize = 300;

/// Rows of the arguments of a relation.
pub(super) type Answers = Vec<Box<[TermId]>>;

/// A question: a relation, and its arguments as far as they are known.
type Question = (RelationId, Box<[Option<TermId>]>);

/// What holds now, and what is done.
#[derive(Clone, Debug, Default)]
pub(super) struct Situation {
    fluents: FxHashSet<TermId>,
    /// Fluents by name and number of arguments.
    by_name: FxHashMap<Option<(crate::ast::Word, usize)>, Vec<TermId>>,
    moves: Vec<(TermId, TermId)>,
}

impl Situation {
    pub(super) fn new(program: &Program, fluents: &[TermId], moves: Vec<(TermId, TermId)>) -> Self {
        let mut by_name: FxHashMap<_, Vec<TermId>> = FxHashMap::default();
        for &fluent in fluents {
            by_name.entry(program.terms.functor(fluent)).or_default().push(fluent);
        }
        Self { fluents: fluents.iter().copied().collect(), by_name, moves }
    }
}

/// The rules, by what they are asked for.
#[derive(Clone, Debug)]
pub(super) struct Solver {
    pub(super) program: Program,
    rules: Vec<Rc<Rule>>,
    /// Per relation its rules: facts by their first argument, and all others.
    facts: FxHashMap<(RelationId, Option<TermId>), Vec<usize>>,
    open: FxHashMap<RelationId, Vec<usize>>,
}

/// Too much work, or a negation that depends on itself.
#[derive(Clone, Copy, Debug)]
struct GiveUp;

/// What is known about a question.
#[derive(Default)]
struct Table {
    rows: Rc<Answers>,
    known: FxHashSet<Box<[TermId]>>,
    /// The round in which it was asked last, and what the answers depended on then.
    round: Option<usize>,
    lowest: usize,
    is_complete: bool,
    /// Where it is among the questions that are being asked.
    active: Option<usize>,
}

/// One question from outside, with those that it leads to.
struct Search<'a> {
    solver: &'a mut Solver,
    situation: &'a Situation,
    tables: FxHashMap<Question, Table>,
    /// Questions that are answered as far as the outer ones are.
    waiting: Vec<Question>,
    /// The number of questions that are being asked.
    depth: usize,
    /// The outermost question that the last answers depend on and that is not yet answered.
    lowest: usize,
    round: usize,
    /// Whether there was a new answer in this round.
    is_new: bool,
    effort: usize,
}

impl Solver {
    pub(super) fn new(program: Program) -> Self {
        let rules: Vec<Rc<Rule>> = program.rules.iter().cloned().map(Rc::new).collect();
        let (mut facts, mut open) = (FxHashMap::default(), FxHashMap::default());
        for (index, rule) in rules.iter().enumerate() {
            let relation = rule.head.relation;
            if rule.body.is_empty() {
                let first = rule.head.args.first().copied();
                let list: &mut Vec<usize> = facts.entry((relation, first)).or_default();
                list.push(index);
                if first.is_some() {
                    facts.entry((relation, None)).or_default().push(index);
                }
            } else {
                let list: &mut Vec<usize> = open.entry(relation).or_default();
                list.push(index);
            }
        }
        Self { program, rules, facts, open }
    }

    /// All answers, and what is left of the effort; `None` if it takes more.
    pub(super) fn ask(
        &mut self,
        situation: &Situation,
        relation: RelationId,
        args: &[Option<TermId>],
        effort: &mut usize,
    ) -> Option<Answers> {
        let mut search = Search {
            solver: self,
            situation,
            tables: FxHashMap::default(),
            waiting: Vec::new(),
            depth: 0,
            lowest: usize::MAX,
            round: 0,
            is_new: false,
            effort: *effort,
        };
        let answers = search.answers(relation, args).ok().map(|rows| rows.to_vec());
        *effort = search.effort;
        answers
    }
}

impl Search<'_> {
    fn spend(&mut self) -> Result<(), GiveUp> {
        self.effort = self.effort.checked_sub(1).ok_or(GiveUp)?;
        Ok(())
    }

    /// The answers to a question, as far as they are known: `lowest` tells what more may depend on.
    fn answers(&mut self, relation: RelationId, args: &[Option<TermId>]) -> Result<Rc<Answers>, GiveUp> {
        let question: Question = (relation, args.into());
        if let Some(table) = self.tables.get(&question) {
            if table.is_complete {
                return Ok(table.rows.clone());
            }
            if let Some(active) = table.active {
                self.lowest = self.lowest.min(active);
                return Ok(table.rows.clone());
            }
            if table.round == Some(self.round) {
                self.lowest = self.lowest.min(table.lowest);
                return Ok(table.rows.clone());
            }
        }
        if self.depth >= MAX_DEPTH {
            return Err(GiveUp);
        }
        let depth = self.depth;
        let outer = std::mem::replace(&mut self.lowest, usize::MAX);
        self.depth += 1;
        let waiting = self.waiting.len();
        loop {
            self.tables.entry(question.clone()).or_default().active = Some(depth);
            self.is_new = false;
            self.rules(&question)?;
            // Only what leads back to this very question is asked again here.
            if self.lowest != depth || !self.is_new {
                break;
            }
            self.round += 1;
        }
        self.depth -= 1;
        let is_complete = self.lowest >= depth;
        let lowest = if is_complete { usize::MAX } else { self.lowest };
        self.lowest = outer.min(lowest);
        let round = self.round;
        if is_complete {
            for inner in self.waiting.drain(waiting..) {
                self.tables.entry(inner).or_default().is_complete = true;
            }
        } else {
            self.waiting.push(question.clone());
        }
        let table = self.tables.entry(question).or_default();
        (table.active, table.round, table.lowest, table.is_complete) = (None, Some(round), lowest, is_complete);
        Ok(table.rows.clone())
    }

    /// Tries all rules for a question.
    fn rules(&mut self, question: &Question) -> Result<(), GiveUp> {
        let (relation, args) = question;
        match self.solver.program.kind(*relation) {
            RelationKind::True => return self.fluents(question),
            RelationKind::Does => {
                let situation = self.situation;
                for &(role, action) in &situation.moves {
                    self.note(question, [role, action].into());
                }
                return Ok(());
            }
            _ => {}
        }
        let first = args.first().copied().flatten();
        let facts = self.solver.facts.get(&(*relation, first)).cloned().unwrap_or_default();
        for index in facts {
            self.spend()?;
            let Some(rule) = self.solver.rules.get(index).cloned() else { continue };
            self.note(question, rule.head.args.clone());
        }
        let open = self.solver.open.get(relation).cloned().unwrap_or_default();
        for index in open {
            self.spend()?;
            let Some(rule) = self.solver.rules.get(index).cloned() else { continue };
            let mut values = vec![None; rule.vars.len()];
            let fits = rule
                .head
                .args
                .iter()
                .zip(args.iter())
                .all(|(&own, asked)| asked.is_none_or(|asked| self.matches(own, asked, &mut values)));
            if fits {
                let left: Vec<usize> = (0..rule.body.len()).collect();
                self.body(question, &rule, values, left)?;
            }
        }
        Ok(())
    }

    fn fluents(&mut self, question: &Question) -> Result<(), GiveUp> {
        let situation = self.situation;
        match question.1.first().copied().flatten() {
            Some(fluent) if situation.fluents.contains(&fluent) => self.note(question, [fluent].into()),
            Some(_) => {}
            None => situation.fluents.iter().for_each(|&fluent| self.note(question, [fluent].into())),
        }
        Ok(())
    }

    /// Enters an answer if it is one to the question.
    fn note(&mut self, question: &Question, row: Box<[TermId]>) {
        let fits = question.1.iter().zip(row.iter()).all(|(asked, &own)| asked.is_none_or(|asked| asked == own));
        let Some(table) = self.tables.get_mut(question).filter(|_| fits) else { return };
        if table.known.insert(row.clone()) {
            Rc::make_mut(&mut table.rows).push(row);
            self.is_new = true;
        }
    }

    /// Solves what is left of a body, one literal after the other. Recursion is as deep as the body is long.
    fn body(
        &mut self,
        question: &Question,
        rule: &Rc<Rule>,
        values: Vec<Option<TermId>>,
        mut left: Vec<usize>,
    ) -> Result<(), GiveUp> {
        self.spend()?;
        let Some(at) = self.choose(rule, &values, &left) else {
            if left.is_empty() {
                let row: Option<Box<[TermId]>> = rule.head.args.iter().map(|&arg| self.value(arg, &values)).collect();
                row.into_iter().for_each(|row| self.note(question, row));
                return Ok(());
            }
            // The rule is not safe: the checks refuse it.
            return Err(GiveUp);
        };
        let literal = rule.body.get(left.swap_remove(at)).ok_or(GiveUp)?;
        match literal {
            Literal::Distinct(a, b) => match self.value(*a, &values) == self.value(*b, &values) {
                true => Ok(()),
                false => self.body(question, rule, values, left),
            },
            Literal::Neg(atom) => {
                let args: Vec<Option<TermId>> = atom.args.iter().map(|&arg| self.value(arg, &values)).collect();
                let lowest = std::mem::replace(&mut self.lowest, usize::MAX);
                let is_new = self.is_new;
                let holds = !self.answers(atom.relation, &args)?.is_empty();
                // An answer that may still come would change what was concluded from its absence.
                if self.lowest != usize::MAX && !holds {
                    return Err(GiveUp);
                }
                (self.lowest, self.is_new) = (lowest.min(self.lowest), is_new || self.is_new);
                if holds { Ok(()) } else { self.body(question, rule, values, left) }
            }
            Literal::Pos(atom) => self.positive(question, rule, values, left, atom),
        }
    }

    fn positive(
        &mut self,
        question: &Question,
        rule: &Rc<Rule>,
        values: Vec<Option<TermId>>,
        left: Vec<usize>,
        atom: &Atom,
    ) -> Result<(), GiveUp> {
        let args: Vec<Option<TermId>> = atom.args.iter().map(|&arg| self.value(arg, &values)).collect();
        if self.solver.program.kind(atom.relation) == RelationKind::True
            && let ([None], Some(&pattern)) = (args.as_slice(), atom.args.first())
            && let Some(functor) = self.solver.program.terms.functor(pattern)
        {
            let situation = self.situation;
            for &fluent in situation.by_name.get(&Some(functor)).into_iter().flatten() {
                self.spend()?;
                let mut inner = values.clone();
                if self.matches(pattern, fluent, &mut inner) {
                    self.body(question, rule, inner, left.clone())?;
                }
            }
            return Ok(());
        }
        let is_new = self.is_new;
        let rows = self.answers(atom.relation, &args)?;
        self.is_new |= is_new;
        for row in rows.iter() {
            self.spend()?;
            let mut inner = values.clone();
            if atom.args.iter().zip(row.iter()).all(|(&own, &value)| self.matches(own, value, &mut inner)) {
                self.body(question, rule, inner, left.clone())?;
            }
        }
        Ok(())
    }

    /// The position of the literal to solve next: tests as soon as they can be made, then what binds most.
    fn choose(&self, rule: &Rule, values: &[Option<TermId>], left: &[usize]) -> Option<usize> {
        let cost = |&index: &usize| match rule.body.get(index)? {
            Literal::Distinct(a, b) => (self.is_known(*a, values) && self.is_known(*b, values)).then_some(0),
            Literal::Neg(atom) => atom.args.iter().all(|&arg| self.is_known(arg, values)).then_some(2),
            Literal::Pos(atom) => {
                let free = atom.args.iter().filter(|&&arg| !self.is_known(arg, values)).count();
                let relation = atom.relation;
                let given = matches!(self.solver.program.kind(relation), RelationKind::True | RelationKind::Does)
                    || !self.solver.open.contains_key(&relation);
                Some(1 + 4 * free.min(10) + if given { 0 } else { 2 + 4 * usize::from(free > 0) })
            }
        };
        let costs = left.iter().enumerate().filter_map(|(at, index)| Some((cost(index)?, *index, at)));
        costs.min().map(|(_, _, at)| at)
    }

    fn is_known(&self, term: TermId, values: &[Option<TermId>]) -> bool {
        let terms = &self.solver.program.terms;
        terms.is_ground(term)
            || match terms.get(term) {
                Term::Constant(_) => true,
                Term::Variable(var) => values.get(var as usize).is_some_and(Option::is_some),
                Term::Compound(_, args) => args.iter().all(|&arg| self.is_known(arg, values)),
            }
    }

    /// The term with the values of its variables; `None` if one has none.
    fn value(&mut self, term: TermId, values: &[Option<TermId>]) -> Option<TermId> {
        if !self.is_known(term, values) {
            return None;
        }
        Some(self.solver.program.terms.substitute(term, &|var| values.get(var as usize).copied().flatten()))
    }

    /// Makes a term one without variables; whether that is possible.
    fn matches(&self, own: TermId, value: TermId, values: &mut [Option<TermId>]) -> bool {
        let terms = &self.solver.program.terms;
        if own == value {
            return true;
        }
        match (terms.get(own), terms.get(value)) {
            (Term::Variable(var), _) => {
                let Some(slot) = values.get_mut(var as usize) else { return false };
                *slot.get_or_insert(value) == value
            }
            (Term::Compound(f, xs), Term::Compound(g, ys)) => {
                f == g && xs.len() == ys.len() && xs.iter().zip(ys).all(|(&x, &y)| self.matches(x, y, values))
            }
            _ => false,
        }
    }
}
