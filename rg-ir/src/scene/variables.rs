//! Scenes of games that say nothing about what their variables mean: maps of two dimensions are boards, other maps tables.

use super::aside::real_places;
use super::folded::halves;
use super::grid::are_squares;
use super::headers::{Pairs, columns};
use super::names::pieces;
use super::slant::{Slant, steps};
use super::term::Term;
use super::{Board, Fact, Scene, Setup, Table};
use crate::ids::{Symbol, TypeId};
use crate::notation::StateView;
use crate::types::Structure;
use crate::value::Value;
use crate::{Game, VarDecl};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// Boards, or rows of tables, for one variable at most; what is beyond is left out.
const MAX_PARTS: usize = 400;

/// A part of the scene.
#[derive(Clone, Debug)]
enum Part {
    /// A board; the cell of each place is that of `keys` and its name.
    Board { index: usize, cells: Cells, pieces: FxHashMap<String, u32> },
    /// A table; per row its name and outer keys.
    Table { title: String, rows: Vec<(String, Cells)>, labels: Vec<String> },
    /// Cells that are mentioned if their value is not the usual one.
    Exceptions { title: String, cells: Cells, labels: Vec<String>, usual: String },
    /// A value; if the functions of its terms say nothing, only the arguments are shown.
    Value { group: &'static str, name: String, cells: Cells, form: Form },
}

/// How a value is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Form {
    /// As a term: `C(3,1)`.
    Term,
    /// As its arguments: all values are numbers in terms of one function (`T(0)`), or terms of one that are no places, and names (`R(king,hearts)`).
    Arguments,
}

/// Cells of a variable: the keys that they share, and the last key of each; without any last key, the variable itself.
#[derive(Clone, Debug)]
struct Cells {
    variable: String,
    keys: Vec<String>,
    last: Vec<String>,
}

impl Cells {
    /// The symbols in the cells.
    fn values<'s>(&self, state: &'s dyn StateView) -> impl Iterator<Item = Option<&'s str>> {
        let keys: Vec<&str> = self.keys.iter().map(String::as_str).collect();
        let alone = self.last.is_empty().then(|| state.get(&self.variable, &keys));
        let each: Vec<Option<&'s str>> = self
            .last
            .iter()
            .map(|last| {
                let path: Vec<&str> = keys.iter().copied().chain([last.as_str()]).collect();
                state.get(&self.variable, &path)
            })
            .collect();
        alone.into_iter().chain(each)
    }
}

/// How the variables of a game are shown: which are boards, and which are tables.
#[derive(Clone, Debug, Default)]
pub struct Variables {
    boards: Vec<Board>,
    parts: Vec<Part>,
    /// What symbols stand for.
    texts: FxHashMap<String, String>,
}

impl Variables {
    /// For the game, without the variables that `skipped` names, and with the meaning of symbols that `term` knows. Linear in the number of
    /// cells of all variables.
    pub fn new(game: &Game, skipped: &dyn Fn(&VarDecl) -> bool, term: &dyn Fn(&str) -> Term) -> Self {
        let mut builder = Builder { game, term, result: Self::default() };
        for variable in game.vars.values().filter(|variable| !skipped(variable)) {
            builder.variable(variable);
        }
        let Self { mut boards, parts, texts } = builder.result;
        if let [only] = boards.as_mut_slice() {
            only.title.clear();
        }
        Self { boards, parts, texts }
    }

    /// The boards.
    pub fn boards(&self) -> &[Board] {
        &self.boards
    }

    fn text<'a>(&'a self, symbol: &'a str) -> &'a str {
        self.texts.get(symbol).map_or(symbol, String::as_str)
    }

    /// The position. Linear in the number of cells.
    pub fn scene(&self, state: &dyn StateView) -> Scene<'_> {
        let mut scene = Scene::default();
        for part in &self.parts {
            self.add(part, state, &mut scene);
        }
        scene
    }

    fn add<'n>(&'n self, part: &'n Part, state: &dyn StateView, scene: &mut Scene<'n>) {
        let shown = |symbol: Option<&str>| symbol.map_or("?".to_owned(), |symbol| self.text(symbol).to_owned());
        match part {
            Part::Board { index, cells, pieces } => {
                let Some(board) = self.boards.get(*index) else { return };
                let at = cells.values(state).map(|symbol| pieces.get(symbol?).copied()).collect();
                scene.boards.push(Setup { board, at, cursor: None });
            }
            Part::Table { title, rows, labels } => {
                let rows: Vec<(&str, Vec<String>)> = rows
                    .iter()
                    .map(|(name, cells)| (name.as_str(), cells.values(state).map(shown).collect()))
                    .collect();
                let mut all: Vec<&str> = rows.iter().flat_map(|(_, values)| values).map(String::as_str).collect();
                all.sort_unstable();
                all.dedup();
                let short = super::names::arguments(&all);
                let shorten = |value: &String| {
                    let at = all.binary_search(&value.as_str()).ok();
                    at.and_then(|at| short.get(at)).map_or(value.clone(), |text| (*text).to_owned())
                };
                let rows = rows.iter().map(|(name, values)| ((*name).to_owned(), values.iter().map(shorten).collect()));
                scene.tables.push(Table { title: title.clone(), columns: labels.clone(), rows: rows.collect() });
            }
            Part::Exceptions { title, cells, labels, usual } => {
                for (label, symbol) in labels.iter().zip(cells.values(state)) {
                    if symbol != Some(usual.as_str()) {
                        scene.facts.push(Fact::of("variables", format!("{title}[{label}]"), shown(symbol)));
                    }
                }
            }
            Part::Value { group, name, cells, form } => {
                let value = shown(cells.values(state).next().flatten());
                let arguments = value.split_once('(').and_then(|(_, rest)| rest.strip_suffix(')'));
                let arguments = arguments.filter(|_| *form == Form::Arguments).map(str::to_owned);
                scene.facts.push(Fact::of(group, name.clone(), arguments.unwrap_or(value)));
            }
        }
    }
}

struct Builder<'g> {
    game: &'g Game,
    term: &'g dyn Fn(&str) -> Term,
    result: Variables,
}

/// Keys with the same function, and their places if they are those of a board.
type Group = (Option<Vec<Place>>, (String, Vec<Symbol>));

/// A key with its column, row and layer.
type Place = (Symbol, [i64; 3]);

/// A map, and what comes before its last key.
struct Inner {
    title: String,
    keys: Vec<Symbol>,
}

impl Builder<'_> {
    fn variable(&mut self, variable: &VarDecl) {
        let name = self.game.name(variable.name).to_owned();
        let mut keys = Vec::new();
        let mut ty = variable.ty;
        while let Some(Structure::Arrow(key, value)) = self.game.types.structure(ty) {
            keys.push(key);
            ty = value;
        }
        self.learn(ty);
        keys.iter().for_each(|&key| self.learn(key));
        let Some((&last, outer)) = keys.split_last() else {
            let cells = Cells { variable: name.clone(), keys: Vec::new(), last: Vec::new() };
            self.result.parts.push(Part::Value { group: "variables", name, cells, form: self.form(ty) });
            return;
        };
        if matches!(name.as_str(), "goals" | "visible") && outer.is_empty() {
            self.builtin(&name, variable, last);
            return;
        }
        let inner = self.inner(&name, outer);
        let groups: Vec<Group> = self.groups(last).into_iter().map(|group| (self.places(&group.1), group)).collect();
        let count = groups.iter().filter(|(places, _)| places.is_some()).count();
        let only = match groups.iter().filter_map(|(places, _)| places.as_ref()).collect::<Vec<_>>()[..] {
            [only] => only.iter().map(|&(symbol, _)| symbol).collect(),
            _ => Vec::new(),
        };
        let mut aside = Vec::new();
        for (places, (function, members)) in &groups {
            let prefix = if count > 1 { function.trim_matches(|c: char| c == '#' || c == '_') } else { "" };
            match places {
                Some(places) => self.boards(variable, ty, &inner, prefix, places),
                None if count > 0 => {
                    let real =
                        if inner.len() == 1 { real_places(self.game, variable, members, &only) } else { Vec::new() };
                    let (real, rest): (Vec<Symbol>, Vec<Symbol>) =
                        members.iter().partition(|member| real.contains(member));
                    if !rest.is_empty() {
                        self.exceptions(variable, &inner, &rest);
                    }
                    aside.extend(real);
                }
                None => self.table(variable, &inner, last, members),
            }
        }
        if !aside.is_empty() && !self.lay_aside(&name, &aside) {
            self.table(variable, &inner, last, &aside);
        }
    }

    /// Puts places beside the board of a map, which has one; `false` if it has none with rows and columns.
    fn lay_aside(&mut self, variable: &str, places: &[Symbol]) -> bool {
        let mut boards = self.result.parts.iter_mut().filter_map(|part| match part {
            Part::Board { index, cells, .. } if cells.variable == variable => Some((*index, cells)),
            _ => None,
        });
        let (Some((index, cells)), None) = (boards.next(), boards.next()) else { return false };
        let Some(board) = self.result.boards.get_mut(index) else { return false };
        places.iter().all(|&place| {
            let name = self.game.name(place);
            cells.last.push(name.to_owned());
            board.add_aside(name, &(self.term)(name).text)
        })
    }

    /// How the values of a variable of this type are written: as in tables if they are numbers or are no places, such as cards.
    fn form(&self, ty: TypeId) -> Form {
        let members = self.game.types.members(ty);
        let terms: Vec<Term> = members.iter().map(|&member| (self.term)(self.game.name(member))).collect();
        let function = terms.first().map_or("", |term| term.function.as_str());
        let is_number = |term: &Term| term.numbers.len() == 1 && term.function == function;
        let texts: Vec<&str> = terms.iter().map(|term| term.text.as_str()).collect();
        let have_words =
            || terms.iter().all(|term| term.numbers.is_empty()) && super::names::arguments(&texts) != texts;
        let have_numbers = !function.is_empty() && terms.iter().all(is_number);
        if have_numbers || have_words() { Form::Arguments } else { Form::Term }
    }

    /// Cells beside boards, such as the one that stands for all places off the board.
    fn exceptions(&mut self, variable: &VarDecl, inner: &[Inner], members: &[Symbol]) {
        for one in inner {
            let keys: Vec<Symbol> = one.keys.iter().chain(members.first()).copied().collect();
            let usual = initial(self.game, &variable.initial, &keys);
            self.result.parts.push(Part::Exceptions {
                title: one.title.clone(),
                labels: members.iter().map(|&member| self.text(member)).collect(),
                usual: usual.map_or(String::new(), |symbol| self.game.name(symbol).to_owned()),
                cells: self.cells(variable, &one.keys, members),
            });
        }
    }

    fn cells(&self, variable: &VarDecl, keys: &[Symbol], last: &[Symbol]) -> Cells {
        let names = |symbols: &[Symbol]| symbols.iter().map(|&symbol| self.game.name(symbol).to_owned()).collect();
        Cells { variable: self.game.name(variable.name).to_owned(), keys: names(keys), last: names(last) }
    }

    /// Keeps what the symbols of a set stand for.
    fn learn(&mut self, set: TypeId) {
        for &member in self.game.types.members(set) {
            let name = self.game.name(member);
            let text = (self.term)(name).text;
            if text != name {
                self.result.texts.insert(name.to_owned(), text);
            }
        }
    }

    fn text(&self, symbol: Symbol) -> String {
        self.result.text(self.game.name(symbol)).to_owned()
    }

    /// Scores in a group of their own; who sees what only where it is not everything.
    fn builtin(&mut self, name: &str, variable: &VarDecl, key: TypeId) {
        let members = self.game.types.members(key);
        let first = members.first().and_then(|&member| initial(self.game, &variable.initial, &[member]));
        let labels = members.iter().map(|&member| self.text(member)).collect();
        let parts = if name == "goals" {
            let one = |&member: &Symbol| Part::Value {
                group: "scores",
                name: self.text(member),
                cells: self.cells(variable, &[], &[member]),
                form: Form::Term,
            };
            members.iter().map(one).collect()
        } else {
            let usual = first.map_or(String::new(), |symbol| self.game.name(symbol).to_owned());
            vec![Part::Exceptions { title: name.to_owned(), cells: self.cells(variable, &[], members), labels, usual }]
        };
        self.result.parts.extend(parts);
    }

    /// All combinations of outer keys.
    fn inner(&self, name: &str, outer: &[TypeId]) -> Vec<Inner> {
        let mut inner = vec![Inner { title: name.to_owned(), keys: Vec::new() }];
        for &key in outer {
            let members = self.game.types.members(key);
            let extend = |before: &Inner| -> Vec<Inner> {
                let one = |&member: &Symbol| Inner {
                    title: format!("{}[{}]", before.title, self.text(member)),
                    keys: before.keys.iter().copied().chain([member]).collect(),
                };
                members.iter().map(one).collect()
            };
            inner = inner.iter().flat_map(extend).take(MAX_PARTS).collect();
        }
        inner
    }

    /// The members of a set of keys by their function; members that are not terms are together, and so are squares without one.
    fn groups(&self, key: TypeId) -> Vec<(String, Vec<Symbol>)> {
        let mut groups: Vec<((bool, String), Vec<Symbol>)> = Vec::new();
        for &member in self.game.types.members(key) {
            let term = (self.term)(self.game.name(member));
            let kind = match term.numbers.is_empty() {
                true => (false, String::new()),
                false => (true, term.function),
            };
            match groups.iter_mut().find(|(other, _)| *other == kind) {
                Some((_, members)) => members.push(member),
                None => groups.push((kind, vec![member])),
            }
        }
        groups.into_iter().map(|((_, function), members)| (function, members)).collect()
    }

    /// Column, row and layer of each, if they are the places of boards: two numbers or three, and most places of the rectangle are there.
    fn places(&self, members: &[Symbol]) -> Option<Vec<Place>> {
        let place = |&member: &Symbol| match (self.term)(self.game.name(member)).numbers[..] {
            [x, y] => Some((member, [x, y, 0])),
            [x, y, z] => Some((member, [x, y, z])),
            _ => None,
        };
        let places = members.iter().map(place).collect::<Option<Vec<_>>>()?;
        let distinct = |axis: usize| {
            let numbers = places.iter().filter_map(|(_, place)| place.get(axis));
            numbers.collect::<std::collections::BTreeSet<_>>().len()
        };
        let term = members.first().map(|&member| (self.term)(self.game.name(member)));
        if term.is_some_and(|term| term.function.is_empty()) && !are_squares(places.iter().map(|(_, place)| *place)) {
            return None;
        }
        let [columns, rows, layers] = [0, 1, 2].map(distinct);
        let cells = columns.saturating_mul(rows).saturating_mul(layers);
        (columns > 1 && rows > 1 && 2 * places.len() >= cells).then_some(places)
    }

    /// Boards for every combination of outer keys, and every layer.
    fn boards(&mut self, variable: &VarDecl, value: TypeId, inner: &[Inner], prefix: &str, places: &[Place]) {
        let mut layers: BTreeMap<i64, Vec<(Symbol, i64, i64)>> = BTreeMap::new();
        for &(symbol, [x, y, z]) in places {
            layers.entry(z).or_default().push((symbol, x, y));
        }
        let several = layers.len() > 1;
        let values = self.game.types.members(value).to_vec();
        let names: Vec<String> = values.iter().map(|&value| self.text(value)).collect();
        let players: Vec<&str> = self.game.players().iter().map(|&player| self.game.name(player)).collect();
        for one in inner {
            let counts = self.counts(variable, one, &values, places);
            let pieces = pieces(&names, &counts, &players);
            for (layer, squares) in &layers {
                let mut title = one.title.clone();
                if !prefix.is_empty() {
                    title += &format!(" {prefix}");
                }
                if several {
                    title += &format!(", layer {layer}");
                }
                let named: Vec<(String, i64, i64)> =
                    squares.iter().map(|&(symbol, x, y)| (self.game.name(symbol).to_owned(), x, y)).collect();
                let Some(mut board) = Board::rectangle(&title, &named, pieces.clone()) else { continue };
                if let Some(slant) = Slant::of(steps(self.game, squares)) {
                    board.slant(slant);
                }
                board.places.iter_mut().for_each(|place| place.label.insert_str(0, prefix));
                board.block =
                    if several || inner.len() < 2 || !prefix.is_empty() { None } else { self.block(inner, one) };
                let last: Vec<Symbol> = squares.iter().map(|&(symbol, _, _)| symbol).collect();
                let symbols = values.iter().map(|&value| self.game.name(value).to_owned());
                self.result.parts.push(Part::Board {
                    index: self.result.boards.len(),
                    cells: self.cells(variable, &one.keys, &last),
                    pieces: symbols.zip(0..).collect(),
                });
                self.result.boards.push(board);
            }
        }
    }

    /// Where a board lies among those of its variable: if the last outer keys are places of a rectangle themselves, there; else beside the one
    /// before it.
    fn block(&self, inner: &[Inner], one: &Inner) -> Option<(u32, u32)> {
        let place = |inner: &Inner| match (self.term)(self.game.name(*inner.keys.last()?)).numbers[..] {
            [x, y] if inner.keys.len() == 1 => Some((x, y)),
            _ => None,
        };
        let index = |numbers: std::collections::BTreeSet<i64>, number| numbers.range(..number).count();
        let at = match (inner.iter().map(place).collect::<Option<Vec<_>>>(), place(one)) {
            (Some(all), Some((x, y))) => {
                let above = all.iter().map(|place| -place.1).collect();
                (index(all.iter().map(|place| place.0).collect(), x), index(above, -y))
            }
            _ => (inner.iter().position(|other| other.keys == one.keys)?, 0),
        };
        Some((u32::try_from(at.0).ok()?, u32::try_from(at.1).ok()?))
    }

    /// Per value the number of places that have it at first.
    fn counts(&self, variable: &VarDecl, inner: &Inner, values: &[Symbol], places: &[Place]) -> Vec<usize> {
        let mut counts = vec![0; values.len()];
        for (place, _) in places {
            let keys: Vec<Symbol> = inner.keys.iter().copied().chain([*place]).collect();
            let value = initial(self.game, &variable.initial, &keys);
            let index = values.iter().position(|&other| Some(other) == value);
            index.and_then(|index| counts.get_mut(index)).into_iter().for_each(|count| *count += 1);
        }
        counts
    }

    /// A table of the cells with these last keys, one row for each combination of outer keys; if there are none of these and the keys are
    /// pairs, one for each first part. Where two players own one half of the cells each, these lie opposite each other, and go round: the second
    /// half is above, in reverse.
    fn table(&mut self, variable: &VarDecl, inner: &[Inner], key: TypeId, members: &[Symbol]) {
        let texts: Vec<String> = members.iter().map(|&member| self.text(member)).collect();
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        let short = super::names::arguments(&texts);
        let title = self.game.name(variable.name).to_owned();
        if let [one] = inner
            && let Some(Pairs { rows, columns, rest }) = Pairs::new(&short)
        {
            let pick = |indices: &[usize]| indices.iter().filter_map(|&index| members.get(index).copied()).collect();
            let row = |(name, places): &(&str, Vec<usize>)| {
                let keys: Vec<Symbol> = pick(places);
                ((*name).to_owned(), self.cells(variable, &one.keys, &keys))
            };
            let rows = rows.iter().map(row).collect();
            let labels = columns.into_iter().map(str::to_owned).collect();
            self.result.parts.push(Part::Table { title, rows, labels });
            let rest: Vec<Symbol> = pick(&rest);
            if !rest.is_empty() {
                self.exceptions(variable, inner, &rest);
            }
            return;
        }
        let labels = columns(&title, &texts, &short);
        if let [one] = inner
            && let Some([below, (above, places)]) = halves(self.game, key, members)
        {
            let above = (above, places.into_iter().rev().collect());
            for (owner, places) in [above, below] {
                let label = |place: &Symbol| {
                    members.iter().position(|other| other == place).and_then(|at| labels.get(at)).cloned()
                };
                let labels = places.iter().filter_map(label).collect();
                let owner = self.result.text(owner).to_owned();
                let rows = vec![(owner, self.cells(variable, &one.keys, &places))];
                self.result.parts.push(Part::Table { title: title.clone(), rows, labels });
            }
            return;
        }
        let row = |one: &Inner| {
            let texts: Vec<String> = one.keys.iter().map(|&key| self.text(key)).collect();
            (texts.join(", "), self.cells(variable, &one.keys, members))
        };
        let rows = inner.iter().map(row).collect();
        self.result.parts.push(Part::Table { title, rows, labels });
    }
}

/// The symbol in a cell of an initial value.
pub(super) fn initial(game: &Game, value: &Value, keys: &[Symbol]) -> Option<Symbol> {
    match value {
        Value::Symbol(symbol) => keys.is_empty().then_some(*symbol),
        Value::Const(constant) => initial(game, &game.consts.get(*constant)?.value, keys),
        Value::Map(map) => {
            let (first, rest) = keys.split_first()?;
            let entry = map.entries.iter().find(|(key, _)| key.as_ref() == Some(first)).map(|(_, value)| value);
            initial(game, entry.or_else(|| map.default_value())?, rest)
        }
    }
}
