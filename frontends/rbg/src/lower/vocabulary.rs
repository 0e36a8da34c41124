//! What the game is made of: names, types, variables, and tables shared by content.
//!
//! Names of RBG contain no underscore, and every translated one gets a prefix with one, so nothing can clash:
//! players `player_x`, pieces `piece_x`, vertices `v_x`, variables `var_x`, shift tables `shift_x`; numbers are digits,
//! negative ones `m3`; the rest (`board`, `pos`, `off`, …) has names of ours without a prefix.

mod tables;

use super::arith::MAX_ENTRIES;
use super::relation::Map;
use crate::ast::{Bounded, Description};
use crate::codes;
use rg_ir::ids::{ConstId, ExprId, Id, Symbol, TypeId, VarId};
use rg_ir::{Diagnostic, Expr, Game, Label, Pragma, PragmaDecl, Span, Value};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};

/// What the draft needs of the state, found before anything is declared.
#[derive(Clone, Debug, Default)]
pub(super) struct Needs {
    /// The current vertex can be off the board.
    pub(super) off: bool,
    /// The board is read there.
    pub(super) off_cell: bool,
    /// Some step goes to any vertex.
    pub(super) anywhere: bool,
    /// Pieces that are counted.
    pub(super) counted: BTreeSet<u32>,
    /// The other pieces are counted together.
    pub(super) count_others: bool,
    /// Most alternatives chosen through the helper variable; 0 without it.
    pub(super) choices: usize,
}

/// The game in the making.
pub(super) struct Vocabulary {
    pub(super) game: Game,
    pub(super) needs: Needs,
    pub(super) players: Vec<Symbol>,
    pub(super) pieces: Vec<Symbol>,
    pub(super) vertices: Vec<Symbol>,
    pub(super) variables: Vec<VarId>,
    pub(super) board: ExprId,
    pub(super) pos: VarId,
    player: ExprId,
    goals: ExprId,
    count: Option<ExprId>,
    choice: Option<ExprId>,
    pub(super) vertex_type: TypeId,
    /// Vertices, and `off` if the game needs it.
    place_type: TypeId,
    /// Pieces, and `off` if the board is read there.
    piece_type: TypeId,
    bool_type: TypeId,
    ranges: BTreeMap<(i64, i64), TypeId>,
    best_score: i64,
    tables: FxHashMap<(Vec<TypeId>, TypeId, Vec<Symbol>), ConstId>,
    maps: FxHashMap<Map, ConstId>,
    subsets: FxHashMap<Vec<u32>, TypeId>,
    shift_names: FxHashMap<Map, String>,
    numbered: FxHashMap<&'static str, u32>,
    /// Symbols of the numbers from 0 on.
    naturals: Vec<Symbol>,
}

impl Vocabulary {
    /// Declares types and variables. Fails if a bound is too large for a type.
    pub(super) fn new(description: &Description, needs: Needs) -> Result<Self, Vec<Diagnostic>> {
        let bounded = description.players.iter().chain(&description.variables);
        let too_large: Vec<Diagnostic> = bounded.filter(|b| b.bound as usize >= MAX_ENTRIES).map(bound_error).collect();
        if !too_large.is_empty() {
            return Err(too_large);
        }
        let mut game = Game::new();
        let mut all = |prefix: &str, names: &mut dyn Iterator<Item = &str>| -> Vec<Symbol> {
            names.map(|name| game.symbols.intern(&format!("{prefix}_{name}"))).collect()
        };
        let players = all("player", &mut description.players.iter().map(|p| p.name.text.as_str()));
        let pieces = all("piece", &mut description.pieces.iter().map(|p| p.text.as_str()));
        let vertices = all("v", &mut description.board.vertices.iter().map(|v| v.name.text.as_str()));
        let off = game.symbols.intern("off");
        let span = description.players.first().map_or(Span::NONE, |player| player.name.origin.span);
        declare_at(&mut game, "Player", players.clone(), span);
        let best = description.players.iter().map(|p| p.bound).max().unwrap_or(0);
        let scores = (0..=i64::from(best)).map(|n| number(&mut game, n)).collect();
        declare(&mut game, "Score", scores);
        let with_off = |symbols: &[Symbol]| symbols.iter().copied().chain([off]).collect();
        let off_type = needs.off.then(|| declare(&mut game, "VertexOrOff", with_off(&vertices)));
        let vertex_type = match off_type {
            // Nothing is about vertices only.
            Some(off_type) if needs.off_cell && !needs.anywhere => off_type,
            _ => declare(&mut game, "Vertex", vertices.clone()),
        };
        let place_type = off_type.unwrap_or(vertex_type);
        let piece_type = if needs.off_cell {
            declare(&mut game, "PieceOrOff", with_off(&pieces))
        } else {
            declare(&mut game, "Piece", pieces.clone())
        };
        game.complete_builtins();
        let bool_name = game.symbols.intern("Bool");
        let bool_type = game.types.name(bool_name);
        let mut vocabulary = Self {
            board: ExprId::from_index(0),
            pos: VarId::from_index(0),
            player: ExprId::from_index(0),
            goals: ExprId::from_index(0),
            count: None,
            choice: None,
            variables: Vec::new(),
            ranges: BTreeMap::new(),
            best_score: best.into(),
            tables: FxHashMap::default(),
            maps: FxHashMap::default(),
            subsets: FxHashMap::default(),
            shift_names: shift_names(description),
            numbered: FxHashMap::default(),
            naturals: Vec::new(),
            game,
            needs,
            players,
            pieces,
            vertices,
            vertex_type,
            place_type,
            piece_type,
            bool_type,
        };
        vocabulary.variables(description);
        Ok(vocabulary)
    }

    fn variables(&mut self, description: &Description) {
        (self.player, self.goals) = (self.named_expr("player"), self.named_expr("goals"));
        let board_key = if self.needs.off_cell { self.place_type } else { self.vertex_type };
        let board_type = self.game.types.arrow(board_key, self.piece_type);
        let off = self.game.symbols.intern("off");
        let initial = |v: &crate::ast::Vertex| self.pieces.get(v.piece as usize).copied();
        let start: Vec<Option<Symbol>> = description.board.vertices.iter().map(initial).collect();
        let common = if self.needs.off_cell { Some(off) } else { most_common(&start) };
        let common = common.or(self.pieces.first().copied()).unwrap_or(off);
        let entries = self.vertices.iter().zip(start).filter_map(|(&v, piece)| Some((v, piece?)));
        let value = symbol_map(common, entries.filter(|&(_, piece)| piece != common));
        self.board = self.variable("board", board_type, value, Span::NONE).1;
        let first = Value::Symbol(self.vertices.first().copied().unwrap_or(off));
        self.pos = self.variable("pos", self.place_type, first, Span::NONE).0;
        for variable in &description.variables {
            let range = self.range(0, variable.bound.into());
            let zero = Value::Symbol(self.number(0));
            let id = self.variable(&format!("var_{}", variable.name.text), range, zero, variable.name.origin.span).0;
            self.variables.push(id);
        }
        if !self.needs.counted.is_empty() {
            self.counters(description);
        }
        if self.needs.choices > 0 {
            let last = i64::try_from(self.needs.choices - 1).unwrap_or(0);
            let (range, zero) = (self.range(0, last), Value::Symbol(self.number(0)));
            self.choice = Some(self.variable("choice", range, zero, Span::NONE).1);
        }
    }

    fn counters(&mut self, description: &Description) {
        let mut amounts: FxHashMap<Symbol, i64> = FxHashMap::default();
        for vertex in &description.board.vertices {
            if let Some(class) = self.class(vertex.piece) {
                *amounts.entry(class).or_default() += 1;
            }
        }
        let counted: Vec<u32> = self.needs.counted.iter().copied().collect();
        let mut classes: Vec<Symbol> = counted.iter().filter_map(|&piece| self.class(piece)).collect();
        if self.needs.count_others {
            classes.push(self.game.symbols.intern("others"));
        }
        let key = declare(&mut self.game, "Counter", classes.clone());
        let most = i64::try_from(description.board.vertices.len()).unwrap_or(i64::MAX);
        let range = self.range(0, most);
        let ty = self.game.types.arrow(key, range);
        let zero = self.number(0);
        let entries: Vec<(Symbol, Symbol)> =
            classes.iter().map(|&c| (c, self.number(amounts.get(&c).copied().unwrap_or(0)))).collect();
        let value = symbol_map(zero, entries.into_iter().filter(|&(_, n)| n != zero));
        self.count = Some(self.variable("count", ty, value, Span::NONE).1);
    }

    /// The counter of a piece: its own, that of the others, or none.
    pub(super) fn class(&mut self, piece: u32) -> Option<Symbol> {
        if self.needs.counted.contains(&piece) {
            return self.pieces.get(piece as usize).copied();
        }
        self.needs.count_others.then(|| self.game.symbols.intern("others"))
    }

    /// Declares the numbers and other facts for engines.
    pub(super) fn pragmas(&mut self, decisions: &[Symbol], hands: &[Symbol]) {
        self.pragma(Pragma::TranslatedFromRbg);
        let most = self.ranges.keys().map(|&(_, high)| high).fold(self.best_score, i64::max);
        let symbols = (0..=most).map(|n| self.number(n)).collect();
        self.pragma(Pragma::Integer { first: 0, symbols });
        for (claim, nodes) in [("liveness", decisions), ("handover", hands)] {
            if !nodes.is_empty() {
                let names: Vec<&str> = nodes.iter().map(|&name| self.game.symbols.name(name)).collect();
                let text = format!("{claim} {}", names.join(" "));
                self.pragma(Pragma::Unknown(text));
            }
        }
    }

    fn pragma(&mut self, pragma: Pragma) {
        self.game.pragmas.push(PragmaDecl { pragma, span: Span::NONE });
    }

    fn variable(&mut self, name: &str, ty: TypeId, initial: Value, span: Span) -> (VarId, ExprId) {
        let name = self.game.symbols.intern(name);
        let id = self.game.add_var(name, ty, initial, span);
        (id, self.game.exprs.intern(Expr::Var(id)))
    }

    fn named_expr(&mut self, name: &str) -> ExprId {
        let name = self.game.symbols.intern(name);
        self.game.resolve_name(name)
    }

    /// The symbol of a number.
    pub(super) fn number(&mut self, value: i64) -> Symbol {
        let position = usize::try_from(value).unwrap_or(usize::MAX);
        if let Some(&known) = self.naturals.get(position) {
            return known;
        }
        let symbol = number(&mut self.game, value);
        if position == self.naturals.len() {
            self.naturals.push(symbol);
        }
        symbol
    }

    /// The type of the integers `low..=high`.
    pub(super) fn range(&mut self, low: i64, high: i64) -> TypeId {
        if let Some(&known) = self.ranges.get(&(low, high)) {
            return known;
        }
        let symbols: Vec<Symbol> = (low..=high).map(|n| self.number(n)).collect();
        let text = |n: i64| if n < 0 { format!("m{}", n.unsigned_abs()) } else { n.to_string() };
        let ty = declare(&mut self.game, &format!("Int_{}_{}", text(low), text(high)), symbols);
        self.ranges.insert((low, high), ty);
        ty
    }

    // Expressions.

    pub(super) fn symbol(&mut self, symbol: Symbol) -> ExprId {
        self.game.exprs.intern(Expr::Symbol(symbol))
    }

    pub(super) fn constant(&mut self, id: ConstId) -> ExprId {
        self.game.exprs.intern(Expr::Const(id))
    }

    pub(super) fn access(&mut self, map: ExprId, key: ExprId) -> ExprId {
        self.game.exprs.intern(Expr::Access(map, key))
    }

    pub(super) fn pos(&mut self) -> ExprId {
        self.game.exprs.intern(Expr::Var(self.pos))
    }

    /// `board[pos]`
    pub(super) fn here(&mut self) -> ExprId {
        let pos = self.pos();
        self.access(self.board, pos)
    }

    /// The number in a variable.
    pub(super) fn cell(&mut self, index: u32) -> ExprId {
        let id = self.variables.get(index as usize).copied().unwrap_or(self.pos);
        self.game.exprs.intern(Expr::Var(id))
    }

    /// The score of a player.
    pub(super) fn score(&mut self, player: u32) -> ExprId {
        let player = self.player_symbol(Some(player));
        self.access(self.goals, player)
    }

    /// The counter of a class of pieces.
    pub(super) fn counter(&mut self, class: ExprId) -> ExprId {
        match self.count {
            Some(count) => self.access(count, class),
            None => class,
        }
    }

    fn player_symbol(&mut self, player: Option<u32>) -> ExprId {
        let symbol = player.and_then(|p| self.players.get(p as usize).copied());
        let symbol = symbol.unwrap_or_else(|| self.game.symbols.intern("keeper"));
        self.symbol(symbol)
    }

    // Labels.

    /// `lhs == symbol`
    pub(super) fn equals(&mut self, lhs: ExprId, symbol: Symbol, negated: bool) -> Label {
        let rhs = self.symbol(symbol);
        Label::Compare { lhs, rhs, negated }
    }

    /// `table[…] == 1`
    pub(super) fn holds(&mut self, table: ConstId, keys: &[ExprId]) -> Label {
        let mut lhs = self.constant(table);
        for &key in keys {
            lhs = self.access(lhs, key);
        }
        let one = self.number(1);
        self.equals(lhs, one, false)
    }

    /// `player = p`, or the keeper.
    pub(super) fn hand(&mut self, player: Option<u32>) -> Label {
        let rhs = self.player_symbol(player);
        Label::Assign { lhs: self.player, rhs }
    }

    /// `pos != off`
    pub(super) fn on_board(&mut self) -> Label {
        let (pos, off) = (self.pos(), self.game.symbols.intern("off"));
        self.equals(pos, off, true)
    }

    /// `pos = v`
    pub(super) fn go_to(&mut self, vertex: u32) -> Option<Label> {
        let vertex = *self.vertices.get(vertex as usize)?;
        let (lhs, rhs) = (self.pos(), self.symbol(vertex));
        Some(Label::Assign { lhs, rhs })
    }

    /// `pos = T(*)`
    pub(super) fn go_anywhere(&mut self, targets: &[u32]) -> Label {
        let lhs = self.pos();
        if targets.len() == self.vertices.len() {
            return Label::AssignAny { lhs, ty: self.vertex_type };
        }
        if let Some(&ty) = self.subsets.get(targets) {
            return Label::AssignAny { lhs, ty };
        }
        let symbols = targets.iter().filter_map(|&v| self.vertices.get(v as usize).copied()).collect();
        let name = self.fresh("Area");
        let ty = declare(&mut self.game, &name, symbols);
        self.subsets.insert(targets.to_vec(), ty);
        Label::AssignAny { lhs, ty }
    }

    /// `choice = T(*)` for n alternatives, and `choice` itself.
    pub(super) fn choose(&mut self, alternatives: usize) -> Option<(Label, ExprId)> {
        let lhs = self.choice?;
        let ty = self.range(0, i64::try_from(alternatives).ok()? - 1);
        Some((Label::AssignAny { lhs, ty }, lhs))
    }

    fn add(&mut self, name: &str, ty: TypeId, value: Value) -> ConstId {
        let name = self.game.symbols.intern(name);
        self.game.add_const(name, ty, value, Span::NONE)
    }

    fn fresh(&mut self, kind: &'static str) -> String {
        let count = self.numbered.entry(kind).or_default();
        *count += 1;
        format!("{kind}_{count}")
    }
}

fn number(game: &mut Game, value: i64) -> Symbol {
    let text = if value < 0 { format!("m{}", value.unsigned_abs()) } else { value.to_string() };
    game.symbols.intern(&text)
}

fn declare(game: &mut Game, name: &str, symbols: Vec<Symbol>) -> TypeId {
    declare_at(game, name, symbols, Span::NONE)
}

fn declare_at(game: &mut Game, name: &str, symbols: Vec<Symbol>, span: Span) -> TypeId {
    let name = game.symbols.intern(name);
    let set = game.types.set(symbols);
    game.add_type(name, set, span);
    game.types.name(name)
}

fn symbol_map(default: Symbol, entries: impl Iterator<Item = (Symbol, Symbol)>) -> Value {
    Value::map(Value::Symbol(default), entries.map(|(key, value)| (key, Value::Symbol(value))))
}

/// The most frequent symbol, the first declared among equals.
fn most_common(symbols: &[Option<Symbol>]) -> Option<Symbol> {
    let mut counts: BTreeMap<Symbol, usize> = BTreeMap::new();
    for symbol in symbols.iter().flatten() {
        *counts.entry(*symbol).or_default() += 1;
    }
    counts.into_iter().max_by_key(|&(symbol, n)| (n, std::cmp::Reverse(symbol))).map(|(symbol, _)| symbol)
}

/// The functions of single labels, to name their tables after them.
fn shift_names(description: &Description) -> FxHashMap<Map, String> {
    let mut maps: Vec<Map> = vec![Map::new(); description.board.labels.len()];
    for (source, vertex) in (0u32..).zip(&description.board.vertices) {
        for &(label, target) in &vertex.edges {
            if let Some(map) = maps.get_mut(label as usize) {
                map.push((source, target));
            }
        }
    }
    let mut names = FxHashMap::default();
    for (map, label) in maps.into_iter().zip(&description.board.labels) {
        names.entry(map).or_insert_with(|| format!("shift_{}", label.text));
    }
    names
}

fn bound_error(bounded: &Bounded) -> Diagnostic {
    let name = &bounded.name;
    Diagnostic::error(
        codes::BOUND_TOO_LARGE,
        name.origin.span,
        format!("the bound of `{}` is too large to be run", name.text),
    )
    .label(format!("{} found", bounded.bound))
    .help(format!("bounds up to {} can be run", MAX_ENTRIES - 1))
}
