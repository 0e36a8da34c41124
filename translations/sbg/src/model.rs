//! What the translation knows of a game: its board, its other variables as slots, tables of constants, what matters where.

use crate::codes;
use crate::live::Live;
use rg_ir::ids::{Id, IdVec};
use rg_ir::{ConstId, Dense, Diagnostic, Expr, ExprId, Game, Label, Span, Symbol, TypeId, VarId};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// Why a game is not translated.
pub(crate) type Refused = Box<Diagnostic>;

/// A cell of the board, by its place among the keys of the map.
pub(crate) type Cell = u32;

/// Most values besides the board; sets of them are the bits of a number.
pub(crate) const MAX_SLOTS: usize = 128;
/// Most nested brackets of an expression.
const MAX_DEPTH: u32 = 200;

/// A value as a table.
pub(crate) struct Table {
    dense: Dense,
    places: Vec<Rc<FxHashMap<Symbol, usize>>>,
}

impl Table {
    fn new(game: &Game, ty: TypeId, dense: Dense, span: Span) -> Result<Self, Refused> {
        let shape = game.shape(ty).ok_or_else(|| invalid(span, "its type does not resolve"))?;
        let places = |&key: &TypeId| Rc::new(game.types.members(key).iter().copied().zip(0..).collect());
        Ok(Self { dense, places: shape.keys.iter().map(places).collect() })
    }

    /// The number of keys.
    pub(crate) fn keys(&self) -> usize {
        self.places.len()
    }

    /// The place of the entry with these keys; keys outside of the type have the default.
    fn index(&self, keys: &[Symbol]) -> usize {
        let dims = self.dense.dims.iter().zip(&self.places);
        dims.zip(keys).fold(0, |index, ((&dim, places), key)| {
            index * dim + places.get(key).copied().unwrap_or(dim.saturating_sub(1))
        })
    }

    /// The value at these keys.
    pub(crate) fn at(&self, keys: &[Symbol]) -> Option<Symbol> {
        self.dense.values.get(self.index(keys)).copied()
    }
}

/// What a variable is to the translation.
pub(crate) enum Role {
    /// The board.
    Board,
    /// Whose turn it is.
    Player,
    /// Values from that slot on, one per entry of its table.
    Slots(usize),
}

/// A value besides the board: a variable, or an entry of a map.
pub(crate) struct Slot {
    pub(crate) name: String,
    pub(crate) domain: Rc<[Symbol]>,
    pub(crate) initial: Symbol,
    pub(crate) span: Span,
}

/// The board as a variable.
pub(crate) struct Board {
    pub(crate) var: VarId,
    pub(crate) cells: Vec<Symbol>,
    pub(crate) cell_of: FxHashMap<Symbol, Cell>,
    pub(crate) initial: Vec<Symbol>,
    pub(crate) outside: Symbol,
    pub(crate) span: Span,
}

/// What an expression is made of.
#[derive(Clone, Copy)]
pub(crate) enum Root {
    Symbol(Symbol),
    Const(ConstId),
    Var(VarId),
}

pub(crate) struct Model<'g> {
    pub(crate) game: &'g Game,
    pub(crate) consts: IdVec<ConstId, Table>,
    pub(crate) vars: IdVec<VarId, Table>,
    pub(crate) roles: IdVec<VarId, Role>,
    pub(crate) slots: Vec<Slot>,
    pub(crate) board: Board,
    pub(crate) players: [Symbol; 2],
    pub(crate) keeper: Symbol,
    /// The slots of the scores of the players.
    pub(crate) scores: [usize; 2],
    pub(crate) live: Live,
}

impl<'g> Model<'g> {
    pub(crate) fn new(game: &'g Game) -> Result<Self, Refused> {
        depth(game)?;
        let (players, keeper) = players(game)?;
        let mut consts = IdVec::new();
        for decl in game.consts.values() {
            let dense = game.dense(decl.ty, &decl.value).map_err(|error| invalid(decl.span, &error.to_string()))?;
            consts.push(Table::new(game, decl.ty, dense, decl.span)?);
        }
        let mut vars = IdVec::new();
        for decl in game.vars.values() {
            let dense = game.dense(decl.ty, &decl.initial).map_err(|error| invalid(decl.span, &error.to_string()))?;
            vars.push(Table::new(game, decl.ty, dense, decl.span)?);
        }
        let (visible, one) = (game.symbols.get("visible"), game.symbols.get("1"));
        if let Some(visible) = visible.and_then(|name| game.find_var(name))
            && vars[visible].dense.values.iter().any(|&value| Some(value) != one)
        {
            return Err(refuse(codes::PLAYERS, game.vars[visible].span, "in SBG players see all moves"));
        }
        let board = board(game, &vars)?;
        let player = game.symbols.get("player").and_then(|name| game.find_var(name));
        let (mut slots, mut roles) = (Vec::new(), IdVec::new());
        for id in game.vars.ids() {
            let role = if id == board.var {
                Role::Board
            } else if Some(id) == player {
                Role::Player
            } else {
                let first = slots.len();
                entries(game, id, &vars[id], &mut slots)?;
                Role::Slots(first)
            };
            roles.push(role);
        }
        let goals = game.symbols.get("goals").and_then(|name| game.find_var(name));
        let score = |player: Symbol| match goals.map(|goals| (&roles[goals], &vars[goals])) {
            Some((Role::Slots(first), table)) => Ok(first + table.index(&[player])),
            _ => Err(invalid(Span::NONE, "the game has no `goals`")),
        };
        let scores = [score(players[0])?, score(players[1])?];
        let mut model =
            Self { game, consts, vars, roles, slots, board, players, keeper, scores, live: Live::default() };
        model.live = Live::new(&model);
        Ok(model)
    }

    /// What is accessed, and with which keys, the outermost map's first. Casts never change a value.
    pub(crate) fn spine(&self, mut expr: ExprId) -> (Root, Vec<ExprId>) {
        let mut keys = Vec::new();
        let root = loop {
            match self.game.exprs.get(expr) {
                Expr::Cast(_, inner) => expr = inner,
                Expr::Access(map, key) => {
                    keys.push(key);
                    expr = map;
                }
                Expr::Symbol(symbol) => break Root::Symbol(symbol),
                Expr::Const(id) => break Root::Const(id),
                Expr::Var(id) => break Root::Var(id),
            }
        };
        keys.reverse();
        (root, keys)
    }

    /// The slot of an entry.
    pub(crate) fn slot(&self, var: VarId, keys: &[Symbol]) -> Option<usize> {
        match self.roles[var] {
            Role::Slots(first) if self.vars[var].keys() == keys.len() => Some(first + self.vars[var].index(keys)),
            _ => None,
        }
    }

    /// All slots of a variable.
    pub(crate) fn slots_of(&self, var: VarId) -> std::ops::Range<usize> {
        match self.roles[var] {
            Role::Slots(first) => first..first + self.vars[var].dense.values.len(),
            Role::Board | Role::Player => 0..0,
        }
    }

    /// The content of a cell at the beginning.
    pub(crate) fn initial(&self, cell: Cell) -> Symbol {
        self.board.initial.get(cell as usize).copied().unwrap_or(self.board.outside)
    }

    /// The player who moves after this one.
    pub(crate) fn other(&self, player: Symbol) -> Symbol {
        if player == self.players[0] { self.players[1] } else { self.players[0] }
    }
}

/// The two players, and the keeper.
fn players(game: &Game) -> Result<([Symbol; 2], Symbol), Refused> {
    let keeper = game.symbols.get("keeper").ok_or_else(|| invalid(Span::NONE, "the game has no `keeper`"))?;
    let &[first, second] = game.players() else {
        let count = game.players().len();
        let message = format!("games in SBG have two players, this one has {count}");
        return Err(Box::new(Diagnostic::error(codes::PLAYERS, Span::NONE, message)));
    };
    let random = game.symbols.get("random");
    for (_, edge) in game.automaton.edges() {
        if let Label::Assign { lhs, rhs } = edge.label {
            let value = game.exprs.root(rhs);
            if game.ends_move(&edge.label) && random.is_some_and(|random| value == Expr::Symbol(random)) {
                let message = "there is no chance in SBG";
                return Err(Box::new(Diagnostic::error(codes::PLAYERS, edge.span, message)));
            }
            let visible = game.symbols.get("visible").and_then(|name| game.find_var(name));
            if visible.is_some_and(|visible| game.exprs.root(lhs) == Expr::Var(visible)) {
                let message = "in SBG players see all moves";
                return Err(Box::new(Diagnostic::error(codes::PLAYERS, edge.span, message)));
            }
        }
    }
    Ok(([first, second], keeper))
}

/// The largest map with one key that is assigned.
fn board(game: &Game, vars: &IdVec<VarId, Table>) -> Result<Board, Refused> {
    let mut written: Vec<VarId> = Vec::new();
    for (_, edge) in game.automaton.edges() {
        if let Label::Assign { lhs, .. } = edge.label
            && let Expr::Var(var) = game.exprs.root(lhs)
            && game.shape(game.vars[var].ty).is_some_and(|shape| shape.keys.len() == 1)
        {
            written.push(var);
        }
    }
    let size = |var: &VarId| (vars[*var].dense.values.len(), std::cmp::Reverse(var.index()));
    let var = written.into_iter().max_by_key(size).ok_or_else(|| {
        let message = "this game has no board: no map from squares to pieces that moves change";
        Box::new(Diagnostic::error(codes::BOARD, Span::NONE, message))
    })?;
    let (decl, table) = (&game.vars[var], &vars[var]);
    let key = game.shape(decl.ty).and_then(|shape| shape.keys.first().copied());
    let cells: Vec<Symbol> = key.map(|key| game.types.members(key).to_vec()).unwrap_or_default();
    let cell_of = cells.iter().copied().zip(0..).collect();
    let (Some((&outside, initial)), span) = (table.dense.values.split_last(), decl.span) else {
        return Err(invalid(decl.span, "its value is empty"));
    };
    Ok(Board { var, cells, cell_of, initial: initial.to_vec(), outside, span })
}

/// Adds the entries of a variable to the slots.
fn entries(game: &Game, var: VarId, table: &Table, slots: &mut Vec<Slot>) -> Result<(), Refused> {
    let decl = &game.vars[var];
    let name = game.name(decl.name).to_owned();
    if slots.len() + table.dense.values.len() > MAX_SLOTS {
        let message = format!("in SBG there is nothing but a board; `{name}` holds too much besides");
        return Err(Box::new(Diagnostic::error(codes::STATE, decl.span, message)));
    }
    let leaf = game.shape(decl.ty).map(|shape| game.types.members(shape.leaf)).unwrap_or_default();
    let domain: Rc<[Symbol]> = leaf.into();
    let slot = |&initial: &Symbol| Slot { name: name.clone(), domain: domain.clone(), initial, span: decl.span };
    slots.extend(table.dense.values.iter().map(slot));
    Ok(())
}

/// Expressions must not nest too deeply, since they are walked recursively.
fn depth(game: &Game) -> Result<(), Refused> {
    let mut depths: FxHashMap<ExprId, u32> = FxHashMap::default();
    for index in 0..game.exprs.len() {
        let id = ExprId::from_index(index);
        let of = |id: ExprId| depths.get(&id).copied().unwrap_or(0);
        let depth = match game.exprs.get(id) {
            Expr::Access(map, key) => of(map).max(of(key) + 1),
            Expr::Cast(_, inner) => of(inner),
            Expr::Const(_) | Expr::Var(_) | Expr::Symbol(_) => 0,
        };
        if depth > MAX_DEPTH {
            let message = format!("an expression has more than {MAX_DEPTH} nested brackets");
            return Err(Box::new(Diagnostic::error(codes::TOO_LARGE, Span::NONE, message)));
        }
        depths.insert(id, depth);
    }
    Ok(())
}

pub(crate) fn invalid(span: Span, message: &str) -> Refused {
    Box::new(Diagnostic::error(codes::INVALID, span, message.to_owned()))
}

pub(crate) fn refuse(code: &'static str, span: Span, message: impl Into<String>) -> Refused {
    Box::new(Diagnostic::error(code, span, message))
}

/// Refusals with advice.
pub(crate) trait Advised {
    /// The same refusal with that advice.
    fn advised(self, help: impl Into<String>) -> Self;
}

impl Advised for Refused {
    fn advised(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }
}
