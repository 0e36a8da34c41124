//! Types, constants and variables of a translation.

use super::Mover;
use crate::ast::{Description, GoalKind, Square};
use crate::notation;
use rg_ir::expr::Expr;
use rg_ir::ids::{ExprId, Symbol, TypeId, VarId};
use rg_ir::{Game, Span, Value};
use std::collections::{BTreeMap, BTreeSet};

/// Declarations, and how to refer to them.
pub(super) struct Vocabulary {
    pub(super) game: Game,
    pub(super) square_type: TypeId,
    /// Where the moving piece comes from.
    pub(super) from: VarId,
    /// Where the walk is.
    pub(super) pos: VarId,
    pub(super) board: ExprId,
    /// Half-moves made, and the map to the next number.
    pub(super) turn: ExprId,
    pub(super) next: ExprId,
    /// Map from contents to their owner.
    pub(super) owner: ExprId,
    /// What stood where a piece moved to; only if a goal needs it.
    pub(super) captured: Option<ExprId>,
    /// Number of pieces by letter, for goals that need it.
    pub(super) counters: BTreeMap<char, ExprId>,
    /// Map from a number of pieces to the one before; only if there are counters.
    pub(super) fewer: Option<ExprId>,
    /// Maps from a square to the one a displacement away, or off the board.
    pub(super) displacements: BTreeMap<(i32, i32), ExprId>,
    /// Goal squares by letter, as maps to 0 and 1.
    pub(super) goal_squares: BTreeMap<char, ExprId>,
}

impl Vocabulary {
    /// Declares everything. Linear in squares times different displacements.
    pub(super) fn new(description: &Description, movers: &[Mover]) -> Self {
        let mut game = Game::new();
        let letters: Vec<String> = description.letters().iter().map(char::to_string).collect();
        let squares: Vec<String> = description.squares().map(notation::square).collect();
        let home = squares.first().cloned().unwrap_or_default();
        declare(&mut game, "Player", &[notation::WHITE, notation::BLACK]);
        declare(&mut game, "Score", &["0", "50", "100"]);
        let square_type = declare(&mut game, "Square", &squares);
        let with_off: Vec<&str> = squares.iter().map(String::as_str).chain([notation::OFF]).collect();
        let place_type = declare(&mut game, "SquareOrOff", &with_off);
        let contents: Vec<&str> = std::iter::once(notation::EMPTY).chain(letters.iter().map(String::as_str)).collect();
        let content_type = declare(&mut game, "Content", &contents);
        let owner_type = declare(&mut game, "Owner", &[notation::NOBODY, notation::WHITE, notation::BLACK]);
        let turn_type = numbers(&mut game, "Turn", description.limit);
        game.complete_builtins();

        let owner = owner(&mut game, content_type, owner_type, &letters);
        let next = next(&mut game, turn_type, description.limit);
        let displacements = displacements(&mut game, description, movers, square_type, place_type);
        let goal_squares = goal_squares(&mut game, description, square_type);
        let board = board(&mut game, description, square_type, content_type);
        let from = variable(&mut game, "from", square_type, &home).0;
        let pos = variable(&mut game, notation::POS, place_type, &home).0;
        let turn = variable(&mut game, notation::TURN, turn_type, "0").1;
        let decisive = |goal: &crate::ast::Goal| match goal.kind {
            GoalKind::Count(n) => description.count(goal.letter) >= n,
            GoalKind::Reach(_) => false,
        };
        let watched = description.goals.iter().any(decisive);
        let captured = watched.then(|| variable(&mut game, "captured", content_type, notation::EMPTY).1);
        let (counters, fewer) = counters(&mut game, description);
        Self {
            game,
            square_type,
            from,
            pos,
            board,
            turn,
            next,
            owner,
            captured,
            counters,
            fewer,
            displacements,
            goal_squares,
        }
    }

    /// The expression of a variable.
    pub(super) fn var(&mut self, variable: VarId) -> ExprId {
        self.game.exprs.intern(Expr::Var(variable))
    }

    /// The expression of a symbol.
    pub(super) fn symbol(&mut self, name: &str) -> ExprId {
        symbol(&mut self.game, name)
    }

    /// `map[key]`
    pub(super) fn access(&mut self, map: ExprId, key: ExprId) -> ExprId {
        self.game.exprs.intern(Expr::Access(map, key))
    }

    /// A built-in variable.
    pub(super) fn built_in(&mut self, name: &str) -> ExprId {
        let name = self.game.symbols.intern(name);
        self.game.resolve_name(name)
    }

    /// `board[pos]`
    pub(super) fn here(&mut self) -> ExprId {
        let pos = self.var(self.pos);
        self.access(self.board, pos)
    }
}

/// Whether a `#` entry for `n` pieces, of `count` at the start, is decided by the first capture: then nothing has to be
/// counted.
pub(super) fn first_capture_decides(n: u32, count: u32) -> bool {
    count.checked_sub(1) == Some(n)
}

fn symbol(game: &mut Game, name: &str) -> ExprId {
    let symbol = game.symbols.intern(name);
    game.exprs.intern(Expr::Symbol(symbol))
}

fn declare<S: AsRef<str>>(game: &mut Game, name: &str, members: &[S]) -> TypeId {
    let members: Vec<Symbol> = members.iter().map(|member| game.symbols.intern(member.as_ref())).collect();
    let name = game.symbols.intern(name);
    let definition = game.types.set(members);
    game.add_type(name, definition, Span::NONE);
    game.types.name(name)
}

/// The type `0..=last`.
fn numbers(game: &mut Game, name: &str, last: u32) -> TypeId {
    let names: Vec<String> = (0..=last).map(|n| n.to_string()).collect();
    declare(game, name, &names)
}

fn variable(game: &mut Game, name: &str, ty: TypeId, initial: &str) -> (VarId, ExprId) {
    let initial = Value::Symbol(game.symbols.intern(initial));
    let name = game.symbols.intern(name);
    let id = game.add_var(name, ty, initial, Span::NONE);
    (id, game.exprs.intern(Expr::Var(id)))
}

/// A map with a default and entries.
fn map<K: AsRef<str>, V: AsRef<str>>(
    game: &mut Game,
    default: &str,
    entries: impl IntoIterator<Item = (K, V)>,
) -> Value {
    let default = Value::Symbol(game.symbols.intern(default));
    let mut intern = |name: &str| game.symbols.intern(name);
    let entries: Vec<(Symbol, Value)> =
        entries.into_iter().map(|(k, v)| (intern(k.as_ref()), Value::Symbol(intern(v.as_ref())))).collect();
    Value::map(default, entries)
}

fn constant(game: &mut Game, name: &str, key: TypeId, result: TypeId, value: Value) -> ExprId {
    let ty = game.types.arrow(key, result);
    let name = game.symbols.intern(name);
    let id = game.add_const(name, ty, value, Span::NONE);
    game.exprs.intern(Expr::Const(id))
}

fn owner(game: &mut Game, content: TypeId, owner: TypeId, letters: &[String]) -> ExprId {
    let side = |letter: &String| {
        let white = letter.chars().all(|c| c.is_ascii_uppercase());
        if white { notation::WHITE } else { notation::BLACK }
    };
    let value = map(game, notation::NOBODY, letters.iter().map(|letter| (letter, side(letter))));
    constant(game, "owner", content, owner, value)
}

/// From a number to the next; the last one, which is never followed by another, leads to itself.
fn next(game: &mut Game, turn: TypeId, limit: u32) -> ExprId {
    let last = limit.to_string();
    let value = map(game, &last, (0..limit.saturating_sub(1)).map(|n| (n.to_string(), (n + 1).to_string())));
    constant(game, "next", turn, turn, value)
}

fn displacements(
    game: &mut Game,
    description: &Description,
    movers: &[Mover],
    square_type: TypeId,
    place_type: TypeId,
) -> BTreeMap<(i32, i32), ExprId> {
    let steps = movers.iter().flat_map(|mover| mover.words.transitions.iter().flatten());
    let wanted: BTreeSet<(i32, i32)> = steps.map(|(step, _)| (step.dx, step.dy)).filter(|&d| d != (0, 0)).collect();
    let text = |n: i32| if n < 0 { format!("m{}", n.unsigned_abs()) } else { n.to_string() };
    let mut made = BTreeMap::new();
    for (dx, dy) in wanted {
        let target = |from: Square| {
            let (x, y) = (from.x.checked_add_signed(dx)?, from.y.checked_add_signed(dy)?);
            let inside = x < description.width && y < description.height;
            inside.then(|| (notation::square(from), notation::square(Square { x, y })))
        };
        let value = map(game, notation::OFF, description.squares().filter_map(target));
        let name = format!("by_{}_{}", text(dx), text(dy));
        made.insert((dx, dy), constant(game, &name, square_type, place_type, value));
    }
    made
}

fn goal_squares(game: &mut Game, description: &Description, square_type: TypeId) -> BTreeMap<char, ExprId> {
    let mut wanted: BTreeMap<char, BTreeSet<Square>> = BTreeMap::new();
    for goal in &description.goals {
        if let GoalKind::Reach(squares) = &goal.kind {
            wanted.entry(goal.letter).or_default().extend(squares.iter().map(|&(square, _)| square));
        }
    }
    let bool_name = game.symbols.intern("Bool");
    let bool_type = game.types.name(bool_name);
    let mut made = BTreeMap::new();
    for (letter, squares) in wanted {
        let value = map(game, "0", squares.into_iter().map(|square| (notation::square(square), "1")));
        made.insert(letter, constant(game, &format!("goal_{letter}"), square_type, bool_type, value));
    }
    made
}

fn board(game: &mut Game, description: &Description, square_type: TypeId, content_type: TypeId) -> ExprId {
    let piece = |square| Some((notation::square(square), description.cell(square)?.to_string()));
    let value = map(game, notation::EMPTY, description.squares().filter_map(piece));
    let ty = game.types.arrow(square_type, content_type);
    let name = game.symbols.intern(notation::BOARD);
    let id = game.add_var(name, ty, value, Span::NONE);
    game.exprs.intern(Expr::Var(id))
}

/// Counters for letters whose goals are not decided otherwise.
fn counters(game: &mut Game, description: &Description) -> (BTreeMap<char, ExprId>, Option<ExprId>) {
    let mut counted: BTreeMap<char, u32> = BTreeMap::new();
    for goal in &description.goals {
        let GoalKind::Count(n) = goal.kind else { continue };
        let count = description.count(goal.letter);
        if n <= count && !first_capture_decides(n, count) {
            counted.insert(goal.letter, count);
        }
    }
    let Some(&most) = counted.values().max() else { return (BTreeMap::new(), None) };
    let ty = numbers(game, "Count", most);
    let value = map(game, "0", (1..=most).map(|n| (n.to_string(), (n - 1).to_string())));
    let fewer = constant(game, "fewer", ty, ty, value);
    let counter =
        |(letter, count): (char, u32)| (letter, variable(game, &format!("count_{letter}"), ty, &count.to_string()).1);
    (counted.into_iter().map(counter).collect(), Some(fewer))
}
