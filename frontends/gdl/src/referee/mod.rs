//! The rules as they are written, asked directly: what is legal in a state, what follows, who sees what, and all goal
//! values of a role.
//!
//! This is for what a translation leaves out: it has one goal value per role, and no word for a role without a move. It is
//! slow, and gives up where it would take too long; what it says is exact. Conditions are solved from the top, with tables
//! of what was asked before ([`solve`]).

mod solve;

use crate::ast::Description;
use crate::normal::{Program, RelationKind, TermId, normalize};
use crate::{ast, prefix};
use rg_ir::{Declared, Report, RuleBook, SourceId};
use solve::{Answers, Situation, Solver};

/// Rules that are tried for one question at most.
const EFFORT: usize = 3_000_000;
/// What it takes to read a term, in rules that are tried.
const TERM: usize = 10;

/// Answers questions about a description.
#[derive(Clone, Debug)]
pub struct Referee {
    solver: Solver,
    roles: Vec<TermId>,
    /// What is left of the work for all answers.
    left: usize,
}

impl Referee {
    /// A referee for a description without errors; `None` if it has too many rules without disjunctions.
    pub fn new(description: &Description) -> Option<Self> {
        let program = normalize(description).ok()?;
        let roles = program.roles.clone();
        Some(Self { solver: Solver::new(program), roles, left: usize::MAX })
    }

    fn terms(&self) -> &Program {
        &self.solver.program
    }

    fn text(&self, term: TermId) -> String {
        self.terms().terms.kif(&self.terms().words, term)
    }

    /// The term with that KIF string.
    fn term(&mut self, text: &str) -> Option<TermId> {
        self.left = self.left.checked_sub(TERM)?;
        let mut report = Report::default();
        let read = prefix::read(SourceId(u32::MAX), text, &mut report);
        let [fact] = read.rules.as_slice() else { return None };
        let head = fact.head.clone();
        let term = match head.args.is_empty() {
            true => ast::Term::Constant(head.name),
            false => ast::Term::Function(head),
        };
        self.own(&read, &term)
    }

    /// A term of another description. Recursion is limited by the depth of the text.
    fn own(&mut self, other: &Description, term: &ast::Term) -> Option<TermId> {
        let program = &mut self.solver.program;
        match term {
            ast::Term::Variable(_) => None,
            ast::Term::Constant(name) => {
                let word = program.words.intern(other.words.text(name.word));
                Some(program.terms.constant(word))
            }
            ast::Term::Function(compound) => {
                let args: Vec<TermId> = compound.args.iter().map(|arg| self.own(other, arg)).collect::<Option<_>>()?;
                let program = &mut self.solver.program;
                let word = program.words.intern(other.words.text(compound.name.word));
                Some(program.terms.compound(word, &args))
            }
        }
    }

    fn state(&mut self, text: &str) -> Option<Vec<TermId>> {
        text.lines().filter(|line| !line.is_empty()).map(|line| self.term(line)).collect()
    }

    fn situation(&mut self, state: &str, moves: &[String]) -> Option<Situation> {
        let fluents = self.state(state)?;
        let moves: Vec<TermId> = moves.iter().map(|text| self.term(text)).collect::<Option<_>>()?;
        Some(Situation::new(&self.solver.program, &fluents, self.roles.iter().copied().zip(moves).collect()))
    }

    fn ask(&mut self, situation: &Situation, kind: RelationKind, args: &[Option<TermId>]) -> Option<Answers> {
        let granted = EFFORT.min(self.left);
        let mut effort = granted;
        let answers = self.solver.ask(situation, Program::reserved(kind), args, &mut effort);
        self.left -= granted - effort;
        answers
    }

    /// The sorted second arguments of a relation, per role.
    fn of_roles(&mut self, situation: &Situation, kind: RelationKind) -> Option<Vec<Vec<String>>> {
        let mut all = Vec::new();
        for role in self.roles.clone() {
            let answers = self.ask(situation, kind, &[Some(role), None])?;
            let mut texts: Vec<String> =
                answers.iter().filter_map(|answer| answer.get(1)).map(|&term| self.text(term)).collect();
            texts.sort_unstable();
            all.push(texts);
        }
        Some(all)
    }

    /// The state text of what one argument of a relation can be.
    fn state_of(&mut self, situation: &Situation, kind: RelationKind) -> Option<String> {
        let answers = self.ask(situation, kind, &[None])?;
        let mut texts: Vec<String> =
            answers.iter().filter_map(|answer| answer.first()).map(|&term| self.text(term)).collect();
        texts.sort_unstable();
        Some(texts.join("\n"))
    }
}

impl RuleBook for Referee {
    fn bound(&mut self, work: usize) {
        self.left = work;
    }

    fn initial(&mut self) -> Option<String> {
        let situation = self.situation("", &[])?;
        self.state_of(&situation, RelationKind::Init)
    }

    fn is_terminal(&mut self, state: &str) -> Option<bool> {
        let situation = self.situation(state, &[])?;
        Some(!self.ask(&situation, RelationKind::Terminal, &[])?.is_empty())
    }

    fn legal(&mut self, state: &str) -> Option<Vec<Vec<String>>> {
        let situation = self.situation(state, &[])?;
        self.of_roles(&situation, RelationKind::Legal)
    }

    fn goals(&mut self, state: &str) -> Option<Vec<Vec<String>>> {
        let situation = self.situation(state, &[])?;
        self.of_roles(&situation, RelationKind::Goal)
    }

    fn next(&mut self, state: &str, moves: &[String]) -> Option<String> {
        let situation = self.situation(state, moves)?;
        self.state_of(&situation, RelationKind::Next)
    }

    fn has_percepts(&self) -> bool {
        let sees = Program::reserved(RelationKind::Sees);
        self.solver.program.rules.iter().any(|rule| rule.head.relation == sees)
    }

    fn declared(&mut self) -> Option<Declared> {
        let situation = self.situation("", &[])?;
        let has = |kind| {
            let relation = Program::reserved(kind);
            self.solver.program.rules.iter().any(|rule| rule.head.relation == relation)
        };
        let (base, input) = (has(RelationKind::Base), has(RelationKind::Input));
        let mut declared = Declared::default();
        if base {
            let answers = self.ask(&situation, RelationKind::Base, &[None])?;
            declared.fluents = Some(answers.iter().filter_map(|row| Some(self.text(*row.first()?))).collect());
        }
        if input {
            let answers = self.ask(&situation, RelationKind::Input, &[None, None])?;
            let pair = |row: &[TermId]| Some((self.text(*row.first()?), self.text(*row.get(1)?)));
            declared.moves = Some(answers.iter().filter_map(|row| pair(row)).collect());
        }
        Some(declared)
    }

    fn percepts(&mut self, state: &str, moves: &[String]) -> Option<Vec<Vec<String>>> {
        let situation = self.situation(state, moves)?;
        self.of_roles(&situation, RelationKind::Sees)
    }
}
