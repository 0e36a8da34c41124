//! Moves and states as they are written in HRG: `V(0, 1)` for the symbol `V__0_1`, boards as grids.

use crate::values::{Value, ValueRef, Values, integer};
use rg_ir::notation::{Item, Places, Reading, SourceNames};
use rg_ir::scene::{Board, Scene, Term, Variables};
use rg_ir::{Game, Label, Notation, StateView, Symbols, VarDecl};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;

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
            // In `e2`, the name tells the square.
            _ => Term::square(name).unwrap_or_else(|| Term::constant(name)),
        };
        let variables = Variables::new(game, &skipped, &term);
        let places = variables.boards().iter().flat_map(|board| &board.places);
        let pairs = places.map(|place| (terms.get(&place.name).unwrap_or(&place.name).as_str(), place.label.as_str()));
        let mut pairs: Vec<(&str, &str)> = pairs.collect();
        let drawn: FxHashSet<&str> = pairs.iter().map(|&(name, _)| name).collect();
        let tags = tags(game);
        let others =
            terms.iter().filter(|(symbol, term)| tags.contains(symbol.as_str()) && !drawn.contains(term.as_str()));
        let others = others.map(|(_, term)| term.as_str());
        let taken = pairs.iter().map(|&(_, label)| label).chain(written.keys().map(String::as_str)).collect();
        let labels = short_terms(others, &taken);
        pairs.extend(labels.iter().map(|(term, label)| (*term, label.as_str())));
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

/// The names of all symbols that may be tags. Linear.
fn tags(game: &Game) -> FxHashSet<&str> {
    let mut types = FxHashSet::default();
    let mut tags = FxHashSet::default();
    for (_, edge) in game.automaton.edges() {
        match edge.label {
            Label::Tag(tag) => _ = tags.insert(game.name(tag)),
            Label::TagVar(variable) => types.extend(game.vars.get(variable).map(|declared| declared.ty)),
            _ => {}
        }
    }
    let members = types.into_iter().flat_map(|ty| game.types.members(ty));
    tags.extend(members.map(|&symbol| game.name(symbol)));
    tags
}

/// Terms without coordinates as people write them in moves, where that is shorter: `P(small,6)` as in tables, `small,6`, if that is like nothing
/// else in the game, or else `H(4)` without brackets, `H4`; all terms of one constructor alike. `taken` is what already has a meaning.
/// Near-linear.
fn short_terms<'t>(terms: impl Iterator<Item = &'t str>, taken: &FxHashSet<&str>) -> Vec<(&'t str, String)> {
    let mut constructors: BTreeMap<&str, Vec<(&str, &str)>> = BTreeMap::new();
    for term in terms {
        let parts = term.split_once('(').and_then(|(name, rest)| Some((name, rest.strip_suffix(')')?)));
        if let Some((name, arguments)) = parts.filter(|(_, arguments)| !arguments.contains('(')) {
            constructors.entry(name).or_default().push((term, arguments));
        }
    }
    let mut uses: FxHashMap<&str, usize> = FxHashMap::default();
    constructors.values().flatten().for_each(|&(_, arguments)| *uses.entry(arguments).or_default() += 1);
    let mut short: Vec<(&str, String)> = Vec::new();
    for (name, list) in constructors {
        let own = |&(_, arguments): &(&str, &str)| {
            let is_word = arguments.starts_with(char::is_alphabetic);
            is_word && uses.get(arguments) == Some(&1) && !taken.contains(arguments)
        };
        if list.iter().all(own) {
            short.extend(list.iter().map(|&(term, arguments)| (term, arguments.to_owned())));
        } else {
            short.extend(list.iter().map(|&(term, arguments)| (term, format!("{name}{arguments}"))));
        }
    }
    short.retain(|(_, label)| !taken.contains(label.as_str()));
    short
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

    fn source_names(&self) -> SourceNames {
        SourceNames::Variables
    }

    fn places(&self) -> Option<&Places> {
        Some(&self.places)
    }

    fn render_value<'a>(&'a self, value: &'a str) -> &'a str {
        self.term(value)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terms_lose_what_says_nothing() {
        let taken = ["6", "queen", "a1", "X2"].into_iter().collect();
        let short = |terms: &[&str]| -> Vec<String> {
            short_terms(terms.iter().copied(), &taken).into_iter().map(|(_, label)| label).collect()
        };
        assert_eq!(short(&["P(small,6)", "P(large,0)"]), ["small,6", "large,0"]);
        assert_eq!(short(&["H(4)", "H(11)"]), ["H4", "H11"]);
        assert_eq!(short(&["V(0,1)", "V(0,11)"]), ["V0,1", "V0,11"]);
        assert_eq!(short(&["R(queen)", "R(king)"]), ["Rqueen", "Rking"], "`queen` is something else");
        assert_eq!(short(&["P(small)", "S(small)"]), ["Psmall", "Ssmall"], "two terms with these arguments");
        assert_eq!(short(&["X(2)", "F(G(1))"]), Vec::<String>::new());
    }
}
