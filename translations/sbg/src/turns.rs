//! The turns of a game: where players move, what moves there are, and how plays go on behind them.

use crate::codes;
use crate::explore::{Explorer, Graph, MOVES, Outcome, stopped};
use crate::model::{Advised, Cell, Model, Refused, Role, Root, refuse};
use crate::store::{Known, MAX_CONTENTS, Phase, Source, Store, Val};
use indexmap::{IndexMap, IndexSet};
use rg_ir::{Expr, Label, NodeId, Span, Symbol};
use rustc_hash::FxHashMap;

/// Most values of something besides the board before it is taken for a number of half-moves or pieces.
const FEW: usize = 2;
/// Most turns that differ in what is known besides the board.
const MAX_TURNS: usize = 32;

/// A place where a player moves, with what is known there besides the board.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct Start {
    pub(crate) node: NodeId,
    pub(crate) player: Symbol,
    pub(crate) vals: Vec<Val>,
}

/// A move, as far as it is known at its end, and what follows.
pub(crate) struct Ended {
    /// The state of the graph of the turn.
    pub(crate) state: usize,
    /// Where the piece was, and which one it is.
    pub(crate) origin: (Cell, Symbol),
    /// Where it is put.
    pub(crate) target: Cell,
    pub(crate) tags: Vec<Symbol>,
    pub(crate) outcomes: Vec<Outcome>,
}

/// The moves of a turn.
pub(crate) struct Turn {
    pub(crate) start: Start,
    pub(crate) graph: Graph,
    pub(crate) moves: Vec<Ended>,
}

/// All turns of a game.
pub(crate) struct Turns<'m, 'g> {
    pub(crate) explorer: Explorer<'m, 'g>,
    /// What the slots are at the first turn.
    pub(crate) first: Vec<Val>,
    pub(crate) turns: Vec<Turn>,
}

/// Finds all turns.
///
/// # Errors
/// The game is not one of SBG, as far as that is plain from its turns.
pub(crate) fn turns<'m, 'g>(model: &'m Model<'g>, squares: &[bool]) -> Result<Turns<'m, 'g>, Refused> {
    let mut contents: Vec<Symbol> = Vec::new();
    for (&content, _) in model.board.initial.iter().zip(squares).filter(|(_, is_square)| **is_square) {
        if !contents.contains(&content) {
            contents.push(content);
        }
    }
    if contents.len() > MAX_CONTENTS {
        let message = format!("there are more than {MAX_CONTENTS} kinds of pieces; in SBG they are letters");
        return Err(refuse(codes::BOARD, model.board.span, message));
    }
    let mut open = counted(model);
    let mut spent = 0;
    loop {
        let known = Known::new(squares.to_vec(), contents.clone());
        let explorer = Explorer::new(model, known, spent);
        match (Search { explorer, open: open.clone(), values: FxHashMap::default() }).run()? {
            Found::Turns(turns) => return Ok(*turns),
            Found::Open(slot, looked_at) => {
                open.push(slot);
                spent = looked_at;
            }
        }
    }
}

/// The slots of variables that are computed from what they were, and have more than a few values.
fn counted(model: &Model<'_>) -> Vec<usize> {
    let mut found = IndexSet::new();
    for (_, edge) in model.game.automaton.edges() {
        let Label::Assign { lhs, rhs } = edge.label else { continue };
        let (Root::Var(var), _) = model.spine(lhs) else { continue };
        let mut itself = false;
        model.game.exprs.preorder(rhs, |_, expr| itself |= expr == Expr::Var(var));
        if itself {
            found.extend(model.slots_of(var).filter(|&slot| model.slots[slot].domain.len() > FEW));
        }
    }
    found.into_iter().collect()
}

enum Found<'m, 'g> {
    Turns(Box<Turns<'m, 'g>>),
    /// Another slot has many values.
    Open(usize, usize),
}

struct Search<'m, 'g> {
    explorer: Explorer<'m, 'g>,
    open: Vec<usize>,
    /// Per place and slot the values that it has had there.
    values: FxHashMap<(NodeId, Symbol, usize), Vec<Val>>,
}

impl<'m, 'g> Search<'m, 'g> {
    fn model(&self) -> &'m Model<'g> {
        self.explorer.eval.model
    }

    fn run(mut self) -> Result<Found<'m, 'g>, Refused> {
        let (first, start) = self.setup()?;
        let mut starts: IndexMap<Start, ()> = IndexMap::new();
        starts.insert(start, ());
        let mut turns = Vec::new();
        while let Some((start, ())) = starts.get_index(turns.len()) {
            let start = start.clone();
            if let Some(slot) = self.many(&start) {
                return Ok(Found::Open(slot, self.explorer.spent()));
            }
            if turns.len() >= MAX_TURNS {
                let message = "moves depend on too much besides the board";
                return Err(refuse(codes::STATE, Span::NONE, message));
            }
            let turn = self.turn(start)?;
            for outcome in turn.moves.iter().flat_map(|ended| &ended.outcomes) {
                if outcome.scores.is_none() {
                    starts.entry(self.start(&outcome.store)?).or_default();
                }
            }
            turns.push(turn);
        }
        let turns = Turns { explorer: self.explorer, first, turns };
        Ok(Found::Turns(Box::new(turns)))
    }

    /// A slot that has more than a few values where that turn begins.
    fn many(&mut self, start: &Start) -> Option<usize> {
        for (slot, &val) in start.vals.iter().enumerate() {
            if self.open.contains(&slot) {
                continue;
            }
            let values = self.values.entry((start.node, start.player, slot)).or_default();
            if !values.contains(&val) {
                values.push(val);
            }
            if values.len() > FEW {
                return Some(slot);
            }
        }
        None
    }

    /// The first turn, and what all slots are there.
    fn setup(&mut self) -> Result<(Vec<Val>, Start), Refused> {
        let model = self.model();
        let player = match model.roles.iter().find(|(_, role)| matches!(role, Role::Player)) {
            Some((var, _)) => model.vars[var].at(&[]).unwrap_or(model.keeper),
            None => model.keeper,
        };
        let mut store = Store {
            node: model.game.begin(),
            player,
            vals: model.slots.iter().map(|slot| Val::Known(slot.initial)).collect(),
            writes: Vec::new(),
            pend: None,
            origin: None,
            at: None,
            tags: Vec::new(),
            sets: Vec::new(),
            mobile: None,
            emitted: Vec::new(),
        };
        store.forget(model.live.at(None, store.node).unwrap_or(0));
        let outcomes = self.explorer.outcomes(store, Phase::Setup)?;
        let mut first: Option<Store> = None;
        for outcome in outcomes {
            // White can move at the beginning, as is checked when all is known.
            if outcome.scores.is_some() && outcome.store.mobile.is_some_and(|(_, can)| !can) {
                continue;
            }
            if outcome.scores.is_some() || !outcome.store.writes.is_empty() || first.is_some() {
                let message =
                    "before the first move more happens than in SBG, where the first player is on turn at once";
                return Err(refuse(codes::STATE, Span::NONE, message));
            }
            first = Some(outcome.store);
        }
        let first = first.ok_or_else(|| refuse(codes::END, Span::NONE, "no player is ever on turn"))?;
        if first.player != model.players[0] {
            let message = format!(
                "`{}` moves first, but `{}` is declared first; in SBG the first player is white, and begins",
                model.game.name(first.player),
                model.game.name(model.players[0])
            );
            return Err(refuse(codes::PLAYERS, Span::NONE, message));
        }
        let start = self.start(&first)?;
        Ok((first.vals, start))
    }

    /// The turn that begins with a store.
    fn start(&mut self, store: &Store) -> Result<Start, Refused> {
        let mut vals = store.vals.clone();
        for (slot, val) in vals.iter_mut().enumerate() {
            if *val == Val::Dead {
                continue;
            }
            if self.open.contains(&slot) {
                let domain = self.model().slots[slot].domain.clone();
                *val = self.explorer.eval.known.func(Source::Slot(slot), domain);
            } else if matches!(val, Val::Func(_)) {
                let Some(decl) = self.model().slots.get(slot) else { continue };
                let message =
                    format!("`{}` matters from one move to another; SBG has nothing but the board", decl.name);
                return Err(refuse(codes::STATE, decl.span, message));
            }
        }
        Ok(Start { node: store.node, player: store.player, vals })
    }

    fn turn(&mut self, start: Start) -> Result<Turn, Refused> {
        let model = self.model();
        let store = Store {
            node: start.node,
            player: start.player,
            vals: start.vals.clone(),
            writes: Vec::new(),
            pend: None,
            origin: None,
            at: None,
            tags: vec![start.player],
            sets: Vec::new(),
            mobile: None,
            emitted: Vec::new(),
        };
        let graph = self.explorer.explore(store, Phase::Move).map_err(stopped)?;
        let mut moves = Vec::new();
        for &state in &graph.exits {
            let Some(end) = graph.states.get_index(state) else { continue };
            let Some(origin) = end.origin else {
                let message = "a move does not look at the piece that it takes";
                return Err(refuse(codes::MOVE, self.place(start.node), message));
            };
            let (tags, keeper) = (end.tags.clone(), Store { tags: vec![start.player], ..end.clone() });
            let outcomes = self.explorer.outcomes(keeper, Phase::Keeper)?;
            if outcomes.is_empty() {
                return Err(refuse(
                    codes::END,
                    self.place(end.node),
                    "after a move the rules do not say how the play goes on",
                ));
            }
            let other = model.other(start.player);
            if outcomes.iter().any(|outcome| outcome.scores.is_none() && outcome.store.player != other) {
                let message = "a player moves twice in a row; in SBG players alternate";
                return Err(refuse(codes::PLAYERS, self.place(end.node), message));
            }
            let target = self.target(end, &outcomes)?;
            moves.push(Ended { state, origin, target, tags, outcomes });
        }
        Ok(Turn { start, graph, moves })
    }

    /// Where a move puts its piece. If it is not put down before the play ends, that is the square that was looked at last.
    fn target(&self, end: &Store, outcomes: &[Outcome]) -> Result<Cell, Refused> {
        let refused = |message: &str| refuse(codes::MOVE, self.place(end.node), message).advised(MOVES);
        let (origin, kind) = end.origin.ok_or_else(|| refused("a move does not look at the piece that it takes"))?;
        let mut target = None;
        for outcome in outcomes {
            let store = &outcome.store;
            let others: Vec<(Cell, Symbol)> =
                store.writes.iter().copied().filter(|&(cell, _)| cell != origin).collect();
            let left = store.written(origin);
            let put = match others.as_slice() {
                [] if left.is_none_or(|left| left == kind) && store.pend.is_none() => origin,
                [] if left == Some(kind) => origin,
                &[(cell, content)] if content == kind && left.is_some_and(|left| left != kind) => cell,
                [] if outcome.scores.is_some() => store.pend.map_or(origin, |(cell, _)| cell),
                [] => return Err(refused("a move ends without the piece on the board")),
                [_] => {
                    return Err(refused("a move puts down another piece than it has taken, or leaves it where it was"));
                }
                [_, _, ..] => {
                    return Err(refused(
                        "a move changes more than the square that it begins at and the one where it ends",
                    ));
                }
            };
            if target.is_some_and(|target| target != put) {
                return Err(refused("where a piece is put down depends on what follows"));
            }
            target = Some(put);
        }
        target.ok_or_else(|| refused("a move has no end"))
    }

    fn place(&self, node: NodeId) -> Span {
        self.model().game.automaton.node(node).span
    }
}
