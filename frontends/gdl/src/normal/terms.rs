//! Hash-consed terms: equal terms have equal ids, so equality of ground terms is equality of numbers.

use crate::ast::{Word, Words};
use rustc_hash::FxHashMap;

/// A term in [`Terms`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct TermId(u32);

impl TermId {
    /// Its number; terms are numbered from 0 in the order of their making, parts before the whole.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// What a term is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Term<'a> {
    /// An object constant.
    Constant(Word),
    /// A variable of the rule at hand, by its number in [`super::Rule::vars`].
    Variable(u32),
    /// A function constant with at least one argument.
    Compound(Word, &'a [TermId]),
}

#[derive(Clone, Copy, Debug)]
enum Kind {
    Constant,
    Variable,
    Compound,
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    kind: Kind,
    /// The word's or the variable's number.
    name: u32,
    first: u32,
    arity: u32,
    depth: u32,
    ground: bool,
}

/// All terms of a program, rules' terms with variables included.
#[derive(Clone, Debug, Default)]
pub struct Terms {
    entries: Vec<Entry>,
    words: Vec<Word>,
    args: Vec<TermId>,
    constants: FxHashMap<Word, TermId>,
    variables: FxHashMap<u32, TermId>,
    compounds: FxHashMap<Box<[u32]>, TermId>,
    key: Vec<u32>,
}

impl Terms {
    /// The term of an object constant.
    pub fn constant(&mut self, word: Word) -> TermId {
        if let Some(&id) = self.constants.get(&word) {
            return id;
        }
        let name = number(self.words.len());
        self.words.push(word);
        let id = self.push(Entry { kind: Kind::Constant, name, first: 0, arity: 0, depth: 0, ground: true });
        self.constants.insert(word, id);
        id
    }

    /// The term of the variable with that number.
    pub fn variable(&mut self, number: u32) -> TermId {
        if let Some(&id) = self.variables.get(&number) {
            return id;
        }
        let id = self.push(Entry { kind: Kind::Variable, name: number, first: 0, arity: 0, depth: 0, ground: false });
        self.variables.insert(number, id);
        id
    }

    /// The term of a function with its arguments.
    pub fn compound(&mut self, functor: Word, args: &[TermId]) -> TermId {
        self.key.clear();
        self.key.push(number(functor.index()));
        self.key.extend(args.iter().map(|arg| arg.0));
        if let Some(&id) = self.compounds.get(self.key.as_slice()) {
            return id;
        }
        let (mut depth, mut ground) = (0, true);
        for arg in args {
            if let Some(entry) = self.entries.get(arg.index()) {
                depth = depth.max(entry.depth);
                ground &= entry.ground;
            }
        }
        let (name, first, arity) = (number(self.words.len()), number(self.args.len()), number(args.len()));
        self.words.push(functor);
        self.args.extend_from_slice(args);
        let id = self.push(Entry { kind: Kind::Compound, name, first, arity, depth: depth + 1, ground });
        self.compounds.insert(self.key.as_slice().into(), id);
        id
    }

    fn push(&mut self, entry: Entry) -> TermId {
        let id = TermId(number(self.entries.len()));
        self.entries.push(entry);
        id
    }

    /// What the term is. O(1).
    pub fn get(&self, id: TermId) -> Term<'_> {
        let entry = &self.entries[id.index()];
        match entry.kind {
            Kind::Constant => Term::Constant(self.words[entry.name as usize]),
            Kind::Variable => Term::Variable(entry.name),
            Kind::Compound => {
                let (first, arity) = (entry.first as usize, entry.arity as usize);
                Term::Compound(self.words[entry.name as usize], &self.args[first..first + arity])
            }
        }
    }

    /// The name and the number of arguments; `None` for a variable.
    pub fn functor(&self, id: TermId) -> Option<(Word, usize)> {
        match self.get(id) {
            Term::Constant(word) => Some((word, 0)),
            Term::Variable(_) => None,
            Term::Compound(word, args) => Some((word, args.len())),
        }
    }

    /// An argument of a compound term.
    pub fn arg(&self, id: TermId, position: usize) -> Option<TermId> {
        match self.get(id) {
            Term::Compound(_, args) => args.get(position).copied(),
            _ => None,
        }
    }

    /// Whether there is no variable in it. O(1).
    pub fn is_ground(&self, id: TermId) -> bool {
        self.entries[id.index()].ground
    }

    /// How deep functions nest in it: 0 for constants and variables. O(1).
    pub fn depth(&self, id: TermId) -> usize {
        self.entries[id.index()].depth as usize
    }

    /// Number of terms.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Adds the numbers of the variables in a term to `out`, each once.
    pub fn variables_of(&self, id: TermId, out: &mut Vec<u32>) {
        let mut stack = vec![id];
        while let Some(id) = stack.pop() {
            if self.is_ground(id) {
                continue;
            }
            match self.get(id) {
                Term::Constant(_) => {}
                Term::Variable(number) => {
                    if !out.contains(&number) {
                        out.push(number);
                    }
                }
                Term::Compound(_, args) => stack.extend(args.iter().rev()),
            }
        }
    }

    /// The term with variables replaced by `value`; variables without a value stay. Recursion is as deep as the term.
    pub fn substitute(&mut self, id: TermId, value: &impl Fn(u32) -> Option<TermId>) -> TermId {
        if self.is_ground(id) {
            return id;
        }
        match self.get(id) {
            Term::Constant(_) => id,
            Term::Variable(number) => value(number).unwrap_or(id),
            Term::Compound(functor, args) => {
                let args: Vec<TermId> = args.to_vec();
                let args: Vec<TermId> = args.into_iter().map(|arg| self.substitute(arg, value)).collect();
                self.compound(functor, &args)
            }
        }
    }

    /// The KIF string of a term (section 10): `(cell 1 1 b)`. Variables print as `?` and their number. No recursion.
    pub fn kif(&self, words: &Words, id: TermId) -> String {
        enum Part {
            Term(TermId),
            Text(&'static str),
        }
        let mut out = String::new();
        let mut stack = vec![Part::Term(id)];
        while let Some(part) = stack.pop() {
            match part {
                Part::Text(text) => out.push_str(text),
                Part::Term(id) => match self.get(id) {
                    Term::Constant(word) => out.push_str(words.text(word)),
                    Term::Variable(number) => {
                        out.push('?');
                        out.push_str(&number.to_string());
                    }
                    Term::Compound(functor, args) => {
                        out.push('(');
                        out.push_str(words.text(functor));
                        stack.push(Part::Text(")"));
                        for &arg in args.iter().rev() {
                            stack.push(Part::Term(arg));
                            stack.push(Part::Text(" "));
                        }
                    }
                },
            }
        }
        out
    }
}

/// Tables hold fewer than 2^32 entries; memory ends long before.
fn number(index: usize) -> u32 {
    u32::try_from(index).unwrap_or(u32::MAX)
}
