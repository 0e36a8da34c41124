//! Places of a board that are in none of its rows and columns, such as the point in the middle between two grids.

use super::grid::real;
use super::text::{Line, Look, cell, glyphs, label_span, plain};
use super::variables::initial;
use super::{Board, Layout, Place, Setup, Span};
use crate::ids::{ExprId, Symbol, TypeId};
use crate::types::Structure;
use crate::{Expr, Game, Label, Value, VarDecl};
use rustc_hash::FxHashSet;

/// Rows between the last one of a board and the places below it: there are the names of the columns.
const GAP: f32 = 0.5;
/// Columns from one of these places to the next one, for their names.
const STEP: f32 = 2.0;

impl Board {
    /// The places that are in none of its rows and columns, by index: they lie below it, and are called by their names. Linear.
    pub fn aside(&self) -> impl Iterator<Item = usize> {
        let rows = match self.layout {
            Layout::Rectangle { rows, .. } | Layout::Rhombus { rows, .. } => real(rows),
            Layout::Hexagon | Layout::Cuboid { .. } | Layout::Graph => f32::INFINITY,
        };
        self.places.iter().enumerate().filter(move |(_, place)| place.y >= rows).map(|(index, _)| index)
    }

    /// The places in rows and columns.
    pub(super) fn within(&self) -> impl Iterator<Item = (usize, &Place)> {
        let aside: FxHashSet<usize> = self.aside().collect();
        self.places.iter().enumerate().filter(move |(index, _)| !aside.contains(index))
    }

    /// Adds a place in none of the rows and columns; `false` if the board has none.
    pub(super) fn add_aside(&mut self, name: &str, label: &str) -> bool {
        let (Layout::Rectangle { rows, .. } | Layout::Rhombus { rows, .. }) = self.layout else { return false };
        let before = self.aside().count();
        let x = real(u32::try_from(before).unwrap_or(u32::MAX)) * STEP;
        self.places.push(Place { name: name.to_owned(), label: label.to_owned(), x, y: real(rows) + GAP });
        true
    }
}

/// The lines below a board with these places and what is there.
pub(super) fn aside_lines(setup: &Setup<'_>, look: Look<'_>, margin: usize, lines: &mut Vec<Line>) {
    let glyphs = glyphs(setup.board, look);
    let (mut line, mut column) = (Line::new(), 0);
    for index in setup.board.aside() {
        let label = setup.board.places.get(index).map_or("", |place| place.label.as_str());
        let (text, ink) = cell(setup, &glyphs, index);
        let length = label.chars().count() + text.chars().count() + 3;
        if column + length > look.width() && column > 0 {
            lines.push(std::mem::take(&mut line));
            column = 0;
        }
        if column == 0 {
            line.push(label_span(" ".repeat(margin)));
            column = margin;
        }
        line.push(plain(format!(" {label}: ")));
        line.push(Span { text, ink, is_marked: look.marked.contains(&label) });
        column += length;
    }
    if !line.is_empty() {
        lines.push(line);
    }
}

/// Of the keys of a map that has a board, those that have no coordinates, the ones that are places too: a move can name them, they hold at first what
/// places of the board hold or the rules put somewhere, and there is a way from them to the board, if the rules have ways. A value that stands for all
/// that is off the board has none. Linear in the automaton and the constants.
pub(super) fn real_places(game: &Game, variable: &VarDecl, others: &[Symbol], on_board: &[Symbol]) -> Vec<Symbol> {
    let start = |place: &Symbol| initial(game, &variable.initial, &[*place]);
    let mut held: FxHashSet<Symbol> = on_board.iter().filter_map(start).collect();
    let mut named: FxHashSet<Symbol> = FxHashSet::default();
    let mut types = FxHashSet::default();
    for (_, edge) in game.automaton.edges() {
        match edge.label {
            Label::Tag(tag) => _ = named.insert(tag),
            Label::TagVar(var) => types.extend(game.vars.get(var).map(|var| var.ty)),
            Label::Assign { lhs, rhs } if assigns(game, lhs, variable) => held.extend(symbol(game, rhs)),
            _ => {}
        }
    }
    named.extend(types.into_iter().flat_map(|ty| game.types.members(ty)).copied());
    let squares: FxHashSet<Symbol> = on_board.iter().copied().collect();
    let has_way = |&from: &Symbol| {
        game.consts.values().any(|one| ends(game, one.ty, &one.value, from).iter().any(|end| squares.contains(end)))
    };
    let has_ways = on_board.iter().any(has_way);
    let is_real = |place: &Symbol| {
        named.contains(place)
            && start(place).is_some_and(|value| held.contains(&value))
            && (!has_ways || has_way(place))
    };
    others.iter().copied().filter(is_real).collect()
}

/// What a constant has for a key, in all of its maps with such keys.
fn ends(game: &Game, ty: TypeId, value: &Value, key: Symbol) -> Vec<Symbol> {
    let (mut found, mut open) = (Vec::new(), vec![(ty, value)]);
    while let Some((ty, value)) = open.pop() {
        let Some(Structure::Arrow(keys, inner)) = game.types.structure(ty) else { continue };
        match value {
            Value::Const(constant) => open.extend(game.consts.get(*constant).map(|one| (ty, &one.value))),
            Value::Map(map) if game.types.as_arrow(inner).is_some() => {
                open.extend(map.entries.iter().map(|(_, value)| (inner, value)));
            }
            Value::Map(_) if game.types.contains(keys, key) => found.extend(initial(game, value, &[key])),
            Value::Map(_) | Value::Symbol(_) => {}
        }
    }
    found
}

/// The symbol that an expression is.
fn symbol(game: &Game, id: ExprId) -> Option<Symbol> {
    match game.exprs.root(id) {
        Expr::Symbol(symbol) if !matches!(game.exprs.get(id), Expr::Access(..)) => Some(symbol),
        _ => None,
    }
}

/// Whether a left side is a cell of a variable.
fn assigns(game: &Game, lhs: ExprId, variable: &VarDecl) -> bool {
    let Expr::Var(var) = game.exprs.root(lhs) else { return false };
    game.vars.get(var).is_some_and(|var| var.name == variable.name)
}
