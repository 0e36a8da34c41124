//! Moves of GDL in the terms of people: which arguments of a move are the coordinates of a place on a board.
//!
//! The rules say so themselves: where `(does ?r (move ?x ?y ?u ?v))` or such a `legal` stands in a rule with `(cell ?u ?v ?piece)`, the
//! arguments that share their variables with the coordinates of the board are coordinates, too. So it is where a rule says something else of
//! a move, as `(<= (may_go ?r (move ?x ?y ?u ?v)) ..)` does if that makes moves legal.

use crate::ast::{Atom, Compound, Description, Literal, Term, Word};
use crate::picture::Picture;
use rg_ir::notation::{Item, Places, Reading};
use rustc_hash::{FxHashMap, FxHashSet};

/// Which arguments of a move, by index, are coordinates.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Part {
    /// Both coordinates of a place, in the order of the board's relation; they stand side by side.
    Place(usize, usize),
    /// One coordinate only: the first (0) or the second one (1) of the board's relation.
    Line(usize, usize),
}

/// Reads moves.
#[derive(Clone, Debug, Default)]
pub(crate) struct Reader {
    places: Places,
    /// Names of columns and rows of the boards, by which coordinate it is and its value.
    lines: FxHashMap<(usize, String), String>,
    /// By the function of a move and the number of its arguments: its coordinates, in the order of the arguments.
    moves: FxHashMap<(String, usize), Vec<Part>>,
}

impl Reader {
    /// For the boards of a picture and the rules it was made of. Linear in the rules, for each of the square of its atoms.
    pub(crate) fn new(picture: &Picture, description: &Description) -> Self {
        let places = picture.boards.iter().flat_map(|board| &board.places);
        let places = Places::new(places.map(|place| (place.name.as_str(), place.label.as_str())));
        let mut reader = Self { places, lines: lines(picture), moves: FxHashMap::default() };
        let words = &description.words;
        let axes: FxHashMap<Word, [usize; 2]> =
            picture.relations.iter().filter_map(|(name, axes)| Some((words.find(name)?, *axes))).collect();
        let functions = functions(description);
        for rule in &description.rules {
            let (mut moves, mut cells) = (Vec::new(), Vec::new());
            let mut visit = |atom: &'_ Atom| match (atom.name.word, atom.args.as_slice()) {
                (Word::TRUE | Word::NEXT, [Term::Function(term)]) => {
                    if let Some([first, second]) = axes.get(&term.name.word)
                        && let (Some(x), Some(y)) = (variable(term, *first), variable(term, *second))
                    {
                        cells.push([x, y]);
                    }
                }
                (_, args) => moves
                    .extend(args.iter().filter_map(function).filter(|term| functions.contains(&key(term))).cloned()),
            };
            visit(&rule.head);
            rule.body.iter().for_each(|literal| atoms(literal, &mut visit));
            for term in &moves {
                let name = (words.text(term.name.word).to_owned(), term.args.len());
                let known = reader.moves.entry(name).or_default();
                cells.iter().flat_map(|cell| parts(term, *cell)).for_each(|part| add(known, part));
            }
        }
        reader.moves.values_mut().for_each(|parts| parts.sort_by_key(|part| part.start()));
        reader
    }

    /// What people call the places that moves name; `None` if there is no board.
    pub(crate) fn places(&self) -> Option<&Places> {
        (!self.moves.values().all(Vec::is_empty)).then_some(&self.places)
    }

    /// A move, given as a KIF string. One that names no place is one word.
    pub(crate) fn reading(&self, term: &str) -> Reading {
        self.read(term).unwrap_or_else(|| Reading::plain(vec![Item::Word(term.to_owned())]))
    }

    fn read(&self, term: &str) -> Option<Reading> {
        let inner = term.strip_prefix('(')?.strip_suffix(')')?;
        let mut words = inner.split(' ');
        let name = words.next().filter(|_| !inner.contains(['(', ')']))?;
        let arguments: Vec<&str> = words.collect();
        let parts = self.moves.get(&(name.to_owned(), arguments.len())).filter(|parts| !parts.is_empty())?;
        let (mut items, mut usual) = (vec![Item::Word(name.to_owned())], Vec::new());
        let mut at = 0;
        while let Some(&argument) = arguments.get(at) {
            match parts.iter().find(|part| part.start() == at) {
                Some(&Part::Place(first, second)) => {
                    let name = format!("{} {}", arguments.get(first)?, arguments.get(second)?);
                    usual.push(items.len());
                    items.push(Item::Place(self.places.label(&name)?.to_owned()));
                    at += 1;
                }
                Some(&Part::Line(_, axis)) => {
                    usual.push(items.len());
                    items.push(Item::Word(self.lines.get(&(axis, argument.to_owned()))?.clone()));
                }
                None => items.push(Item::Word(argument.to_owned())),
            }
            at += 1;
        }
        Some(Reading { items, usual, passed: Vec::new() })
    }
}

impl Part {
    /// The first of its arguments.
    fn start(self) -> usize {
        match self {
            Part::Place(first, second) => first.min(second),
            Part::Line(argument, _) => argument,
        }
    }

    fn has(self, argument: usize) -> bool {
        match self {
            Part::Place(first, second) => argument == first || argument == second,
            Part::Line(other, _) => argument == other,
        }
    }
}

/// Names of the columns and rows of the boards, without those that have several. Linear.
fn lines(picture: &Picture) -> FxHashMap<(usize, String), String> {
    // The column and the row that all places with a coordinate have in common, as far as there is one.
    let mut lines: FxHashMap<(usize, &str), [Option<&str>; 2]> = FxHashMap::default();
    for place in picture.boards.iter().flat_map(|board| &board.places) {
        let digits = place.label.find(|c: char| c.is_ascii_digit()).unwrap_or(place.label.len());
        let (column, row) = place.label.split_at(digits);
        let Some((first, second)) = place.name.split_once(' ') else { continue };
        for key in [(0, first), (1, second)] {
            let common = lines.entry(key).or_insert([Some(column), Some(row)]);
            common
                .iter_mut()
                .zip([column, row])
                .for_each(|(known, name)| *known = known.filter(|known| *known == name));
        }
    }
    let named = |((axis, value), common): ((usize, &str), [Option<&str>; 2])| match common {
        [Some(name), None] | [None, Some(name)] => Some(((axis, value.to_owned()), name.to_owned())),
        _ => None,
    };
    lines.into_iter().filter_map(named).collect()
}

/// The functions of moves, with the numbers of their arguments. Other relations of the rules may take moves, too: what makes them legal is
/// often said of one of those.
fn functions(description: &Description) -> FxHashSet<(Word, usize)> {
    let mut functions = FxHashSet::default();
    let mut visit = |atom: &'_ Atom| {
        if let (Word::DOES | Word::LEGAL, [_, Term::Function(term)]) = (atom.name.word, atom.args.as_slice()) {
            functions.insert(key(term));
        }
    };
    for rule in &description.rules {
        visit(&rule.head);
        rule.body.iter().for_each(|literal| atoms(literal, &mut visit));
    }
    functions
}

/// The function of a term and the number of its arguments.
fn key(term: &Compound) -> (Word, usize) {
    (term.name.word, term.args.len())
}

fn function(term: &Term) -> Option<&Compound> {
    match term {
        Term::Function(term) => Some(term),
        Term::Constant(_) | Term::Variable(_) => None,
    }
}

/// The variable at an argument.
fn variable(term: &Compound, at: usize) -> Option<Word> {
    match term.args.get(at)? {
        Term::Variable(name) => Some(name.word),
        Term::Constant(_) | Term::Function(_) => None,
    }
}

/// All atoms of a condition.
fn atoms(literal: &Literal, visit: &mut impl FnMut(&Atom)) {
    match literal {
        Literal::Atom(atom) => visit(atom),
        Literal::Not(inner, _) => atoms(inner, visit),
        Literal::Or(list, _) | Literal::And(list, _) => list.iter().for_each(|inner| atoms(inner, visit)),
        Literal::Distinct(..) => {}
    }
}

/// The arguments of a move that have the variables of a cell's coordinates: neighbours where it has both.
fn parts(term: &Compound, [x, y]: [Word; 2]) -> Vec<Part> {
    let with = |wanted: Word| (0..term.args.len()).filter(move |&at| variable(term, at) == Some(wanted));
    let pairs = with(x).flat_map(|first| with(y).map(move |second| (first, second)));
    let pairs: Vec<Part> = pairs
        .filter(|(first, second)| first.abs_diff(*second) == 1)
        .map(|(first, second)| Part::Place(first, second))
        .collect();
    if !pairs.is_empty() || with(x).next().is_some() && with(y).next().is_some() {
        return pairs;
    }
    with(x).map(|at| Part::Line(at, 0)).chain(with(y).map(|at| Part::Line(at, 1))).collect()
}

/// Adds a part, unless one of its arguments belongs to a place already. A place takes the arguments that were single coordinates.
fn add(known: &mut Vec<Part>, part: Part) {
    let meets =
        |other: &Part| (0..2).any(|offset| part.has(other.start() + offset) && other.has(other.start() + offset));
    if matches!(part, Part::Place(..)) && !known.iter().any(|other| matches!(other, Part::Place(..)) && meets(other)) {
        known.retain(|other| !meets(other));
    }
    if !known.iter().any(meets) {
        known.push(part);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lower::{Fluent, Place, Vocabulary};

    fn reader(rules: &str) -> Reader {
        let (description, _) = crate::read(rg_ir::SourceId(0), rules);
        let cells = (1..=3).flat_map(|x| (1..=3).map(move |y| format!("(cell {x} {y} w)")));
        let fluents = cells.map(|term| Fluent { term, place: Place::Always }).collect();
        let vocabulary = Vocabulary { fluents, ..Vocabulary::default() };
        Reader::new(&Picture::new(&vocabulary, &Default::default()), &description.unwrap())
    }

    fn texts(reader: &Reader, term: &str) -> Vec<String> {
        let Reading { items, usual, .. } = reader.reading(term);
        let text = |item: &Item| match item {
            Item::Place(text) | Item::Piece(text) | Item::Word(text) => text.clone(),
        };
        usual.iter().map(|&index| text(&items[index])).collect()
    }

    #[test]
    fn arguments_that_are_coordinates_are_found() {
        let moves = "(<= (next (cell ?u ?v w)) (does ?r (move ?x ?y ?u ?v)))\n\
            (<= (legal ?r (move ?x ?y ?x ?v)) (true (cell ?x ?y w)) (not (true (cell ?x ?v w))))\n\
            (<= (next (cell ?x ?y w)) (does ?r (drop ?x)) (low ?x ?y))\n\
            (<= (next (heap ?a ?b)) (does ?r (leave ?a ?b)))";
        let reader = reader(moves);
        assert_eq!(texts(&reader, "(move 1 2 1 3)"), ["a2", "a3"]);
        assert_eq!(texts(&reader, "(drop 2)"), ["b"]);
        assert_eq!(texts(&reader, "(leave 1 2)"), ["(leave 1 2)"], "no coordinates, though they look alike");
        assert_eq!(texts(&reader, "(move 1 2 1 9)"), ["(move 1 2 1 9)"], "not on the board");
        assert_eq!(texts(&reader, "noop"), ["noop"]);
    }

    #[test]
    fn rules_for_other_relations_of_moves_count() {
        let reader = reader(
            "(<= (legal ?r ?move) (true (control ?r)) (may_go ?r ?move))\n\
            (<= (may_go ?r (move ?x ?y ?u ?v)) (true (cell ?x ?y w)) (step ?x ?y ?u ?v))\n\
            (<= (next (cell ?u ?v w)) (does ?r (move ?x ?y ?u ?v)))",
        );
        assert_eq!(texts(&reader, "(move 1 2 2 3)"), ["a2", "b3"]);
    }

    #[test]
    fn without_moves_on_a_board_there_are_no_places() {
        assert!(reader("(<= (legal ?r (leave ?a ?b)) (true (heap ?a ?b)))").places().is_none());
    }
}
