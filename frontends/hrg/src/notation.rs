//! Moves and states as they are written in HRG: `V(0, 1)` for the symbol `V__0_1`, boards as grids.

use crate::values::{Value, ValueRef, Values, integer};
use rg_ir::types::Structure;
use rg_ir::{Game, Notation, StateView, Symbols};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};

/// A map variable whose keys are terms with two numbers.
#[derive(Clone, Debug)]
struct Board {
    variable: String,
    /// Keys by row and column.
    cells: BTreeMap<(i64, i64), String>,
    columns: BTreeSet<i64>,
}

/// The notation of HRG. A move is its tags, joined by spaces.
#[derive(Clone, Debug)]
pub struct HrgNotation {
    /// How symbols that stand for terms are written.
    terms: FxHashMap<String, String>,
    /// Names of parameters, by those of their variables.
    parameters: FxHashMap<String, String>,
    boards: Vec<Board>,
    scalars: Vec<String>,
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
        let terms = terms.map(|(text, &v)| (text.clone(), values.show(v, symbols).replace(", ", ","))).collect();
        let (mut boards, mut scalars) = (Vec::new(), Vec::new());
        for variable in game.vars.values().filter(|v| v.span.is_some()) {
            let name = game.name(variable.name).to_owned();
            if parameters.contains_key(&name) {
                // What was passed last says nothing about the position.
                continue;
            }
            match game.types.structure(variable.ty) {
                Some(Structure::Set) => scalars.push(name),
                Some(Structure::Arrow(key, value)) if game.types.is_set(value) => {
                    let mut board = Board { variable: name, cells: BTreeMap::new(), columns: BTreeSet::new() };
                    for key in game.types.members(key).iter().map(|&key| game.name(key)) {
                        if let Some((column, row)) = written.get(key).and_then(|&v| place(v, values, symbols)) {
                            board.cells.insert((row, column), key.to_owned());
                            board.columns.insert(column);
                        }
                    }
                    if !board.cells.is_empty() {
                        boards.push(board);
                    }
                }
                _ => {}
            }
        }
        Self { terms, parameters, boards, scalars }
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

/// Column and row of a term with two numbers.
fn place(value: ValueRef, values: &Values, symbols: &Symbols) -> Option<(i64, i64)> {
    let Value::Term(_, list) = values.get(value) else { return None };
    let number = |v: &ValueRef| match values.get(*v) {
        Value::Symbol(symbol) => integer(symbols.name(*symbol)),
        _ => None,
    };
    match &**list {
        [x, y] => Some((number(x)?, number(y)?)),
        _ => None,
    }
}

impl Notation for HrgNotation {
    fn render_move(&self, tags: &[&str]) -> String {
        tags.iter().map(|tag| self.term(tag)).collect::<Vec<_>>().join(" ")
    }

    /// Every board, one row per line, and the variables that hold one symbol.
    fn render_state(&self, state: &dyn StateView) -> Option<String> {
        if self.boards.is_empty() && self.scalars.is_empty() {
            return None;
        }
        let mut text = String::new();
        for board in &self.boards {
            text += &format!("{}:\n", board.variable);
            let cell = |key: &String| state.get(&board.variable, &[key]).map_or("", |symbol| self.term(symbol));
            let width = board.cells.values().map(|key| cell(key).chars().count()).max().unwrap_or(0);
            let rows: BTreeSet<i64> = board.cells.keys().map(|&(row, _)| row).collect();
            for row in rows {
                let cells = board.columns.iter().map(|&column| board.cells.get(&(row, column)).map_or("", cell));
                let line = cells.map(|cell| format!("{cell:<width$}")).collect::<Vec<_>>().join(" ");
                text += &format!("  {}\n", line.trim_end());
            }
        }
        for variable in &self.scalars {
            if let Some(symbol) = state.get(variable, &[]) {
                text += &format!("{variable} = {}\n", self.term(symbol));
            }
        }
        Some(text)
    }
}
