//! Moves and states as they are written in HRG: `V(0, 1)` for the symbol `V__0_1`, boards as grids.

use crate::values::{Value, ValueRef, Values, integer};
use rg_ir::notation::{Item, Places, Reading};
use rg_ir::scene::{Board, Scene, Term, Variables};
use rg_ir::{Game, Notation, StateView, Symbols, VarDecl};
use rustc_hash::FxHashMap;

/// The notation of HRG. A move is its tags, joined by spaces.
#[derive(Clone, Debug)]
pub struct HrgNotation {
    /// How symbols that stand for terms are written.
    terms: FxHashMap<String, String>,
    /// Names of parameters, by those of their variables.
    parameters: FxHashMap<String, String>,
    variables: Variables,
    /// Labels of places, by their symbols and by how these are written.
    places: Places,
}

impl HrgNotation {
    pub(crate) fn new(
        game: &Game,
        written: &FxHashMap<String, ValueRef>,
        parameters: FxHashMap<String, String>,
        values: &Values,
        symbols: &Symbols,
    ) -> Self {
        let terms = written.iter().filter(|&(_, &v)| matches!(values.get(v), Value::Term(..)));
        let terms: FxHashMap<String, String> =
            terms.map(|(text, &v)| (text.clone(), values.show(v, symbols).replace(", ", ","))).collect();
        // What was passed last says nothing about the position, and neither does who is to move.
        let skipped = |variable: &VarDecl| {
            let name = game.name(variable.name);
            name == "player" || parameters.contains_key(name)
        };
        let term = |name: &str| match written.get(name).map(|&v| values.get(v)) {
            Some(Value::Term(function, list)) => Term {
                text: terms.get(name).cloned().unwrap_or_else(|| name.to_owned()),
                function: symbols.name(*function).to_owned(),
                numbers: numbers(list, values, symbols).unwrap_or_default(),
            },
            _ => Term { text: name.to_owned(), function: String::new(), numbers: Vec::new() },
        };
        let variables = Variables::new(game, &skipped, &term);
        let places = variables.boards().iter().flat_map(|board| &board.places);
        let pairs = places.map(|place| (terms.get(&place.name).unwrap_or(&place.name).as_str(), place.label.as_str()));
        let places = Places::new(pairs);
        Self { terms, parameters, variables, places }
    }

    /// A text with the symbols and variables of RG as they are written in HRG. Linear.
    pub(crate) fn translate(&self, text: &str) -> String {
        let mut out = String::with_capacity(text.len());
        let mut rest = text;
        while !rest.is_empty() {
            let length = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
            let (word, behind) = rest.split_at(length);
            out.push_str(self.parameters.get(word).map_or(self.term(word), String::as_str));
            let mut chars = behind.chars();
            out.extend(chars.next());
            rest = chars.as_str();
        }
        out
    }

    fn term<'a>(&'a self, symbol: &'a str) -> &'a str {
        self.terms.get(symbol).map_or(symbol, String::as_str)
    }
}

/// The arguments of a term, if all are numbers.
fn numbers(list: &[ValueRef], values: &Values, symbols: &Symbols) -> Option<Vec<i64>> {
    let number = |&value: &ValueRef| match values.get(value) {
        Value::Symbol(symbol) => integer(symbols.name(*symbol)),
        _ => None,
    };
    list.iter().map(number).collect()
}

impl Notation for HrgNotation {
    fn render_move(&self, tags: &[&str]) -> String {
        tags.iter().map(|tag| self.term(tag)).collect::<Vec<_>>().join(" ")
    }

    fn places(&self) -> Option<&Places> {
        Some(&self.places)
    }

    /// All tags are said, places by their labels: whoever wrote the rules has chosen them.
    fn readings(&self, moves: &[Vec<&str>]) -> Vec<Reading> {
        let item = |tag: &&str| match self.places.label(self.term(tag)) {
            Some(label) => Item::Place(label.to_owned()),
            None => Item::Word(self.term(tag).to_owned()),
        };
        moves.iter().map(|tags| Reading::plain(tags.iter().map(item).collect())).collect()
    }

    fn boards(&self) -> &[Board] {
        self.variables.boards()
    }

    fn scene(&self, state: &dyn StateView) -> Option<Scene<'_>> {
        Some(self.variables.scene(state))
    }
}
