//! Walks through the automaton of a game on a board that is not known.

use crate::codes;
use crate::live::{SlotSet, is_dead, takes_over};
use crate::model::{Advised, Model, Refused, Role, Root, refuse};
use crate::store::{Evaluator, Known, Label, Phase, Several, Source, Stop, Store, Val, whole};
use indexmap::{IndexMap, IndexSet};
use rg_ir::{EdgeId, ExprId, NodeId, Span, Symbol};

/// Most states of walks that are looked at altogether.
const MAX_STATES: usize = 1 << 20;
/// Most edges between states of one graph.
const MAX_EDGES: usize = 1 << 21;
/// Most tags of a move.
const MAX_TAGS: usize = 64;
/// Most checks inside of each other.
const MAX_DEPTH: usize = 32;
/// Most cases that the answer to a check depends on.
const MAX_PARTS: usize = 256;
/// Most squares that a move writes.
const MAX_WRITES: usize = 2;

/// The states that walks come to, and how.
#[derive(Default)]
pub(crate) struct Graph {
    pub(crate) states: IndexSet<Store>,
    /// Per state what leads on: labels, and the next state.
    pub(crate) edges: Vec<Vec<(Vec<Label>, usize)>>,
    /// States where the walk is over.
    pub(crate) exits: Vec<usize>,
}

/// How a play goes on behind a move.
pub(crate) struct Outcome {
    /// Where the next player moves, or the end.
    pub(crate) store: Store,
    /// The scores, if the play is over.
    pub(crate) scores: Option<[Symbol; 2]>,
}

/// A check of whether there is a move, in a position of which nothing is known.
pub(crate) struct Check {
    pub(crate) to: NodeId,
    pub(crate) span: Span,
}

pub(crate) struct Explorer<'m, 'g> {
    pub(crate) eval: Evaluator<'m, 'g>,
    /// Checks by where they begin, and who is to be able to move.
    pub(crate) checks: IndexMap<(Store, Symbol), Check>,
    spent: usize,
    /// How many checks the one that is looked at is inside of.
    depth: usize,
}

impl<'m, 'g> Explorer<'m, 'g> {
    pub(crate) fn new(model: &'m Model<'g>, known: Known, spent: usize) -> Self {
        Self { eval: Evaluator { model, known }, checks: IndexMap::new(), spent, depth: 0 }
    }

    fn model(&self) -> &'m Model<'g> {
        self.eval.model
    }

    /// The states looked at so far.
    pub(crate) fn spent(&self) -> usize {
        self.spent
    }

    /// All that walks come to.
    pub(crate) fn explore(&mut self, start: Store, phase: Phase) -> Result<Graph, Stop> {
        let mut graph = Graph::default();
        graph.states.insert(start);
        let mut edges = 0;
        while let Some(store) = graph.states.get_index(graph.edges.len()).cloned() {
            rg_ir::cancel::check();
            self.spent += 1;
            if self.spent > MAX_STATES || edges > MAX_EDGES {
                let message = "walks through the automaton come to too many states to be looked at";
                return Err(refuse(codes::TOO_LARGE, Span::NONE, message).into());
            }
            let number = graph.edges.len();
            if self.is_over(&store, phase, number) {
                graph.exits.push(number);
                graph.edges.push(Vec::new());
                continue;
            }
            if phase == Phase::Move && store.node == self.model().game.end() {
                return Err(refuse(codes::END, Span::NONE, "the end is in the middle of a move").into());
            }
            let mut list = Vec::new();
            for mut next in self.step(&store, phase)? {
                let labels = std::mem::take(&mut next.emitted);
                list.push((labels, graph.states.insert_full(next).0));
            }
            edges += list.len();
            graph.edges.push(list);
        }
        Ok(graph)
    }

    fn is_over(&self, store: &Store, phase: Phase, number: usize) -> bool {
        match phase {
            Phase::Check(to) | Phase::Decide(to) => store.node == to,
            Phase::Move => number > 0 && store.player != self.mover(store),
            Phase::Keeper | Phase::Setup => {
                store.node == self.model().game.end() || store.player != self.model().keeper
            }
        }
    }

    /// The player whose move a store belongs to; handing over marks the store with the keeper or another player.
    fn mover(&self, store: &Store) -> Symbol {
        store.tags.first().copied().unwrap_or(store.player)
    }

    fn step(&mut self, store: &Store, phase: Phase) -> Result<Vec<Store>, Stop> {
        let model = self.model();
        let mut out = Vec::new();
        for &id in model.game.automaton.outgoing(store.node) {
            let target = model.game.automaton.edge(id).target;
            let question = match phase {
                Phase::Check(to) | Phase::Decide(to) => Some(to),
                Phase::Setup | Phase::Move | Phase::Keeper => None,
            };
            let Some(live) = model.live.at(question, target) else {
                let edge = model.game.automaton.edge(id);
                let hands_over = takes_over(model, &edge.label) || model.live.hands_over(target);
                // A move that is not completed is none, but the keeper must not go on for ever.
                let gets_lost = hands_over || phase != Phase::Move && model.live.is_endless(target);
                if question.is_none() && gets_lost {
                    let message = "a play may come to where it cannot end any more; in SBG all plays end";
                    return Err(refuse(codes::END, edge.span, message).into());
                }
                continue;
            };
            let next = self.follow(store.clone(), id, phase, live).map_err(|stop| match (stop, phase) {
                (Stop::NeedsBoard(span), Phase::Move | Phase::Check(_)) => {
                    let message =
                        "what is on two squares is looked at together; rules of SBG look at one after the other";
                    refuse(codes::RULE, span, message).into()
                }
                (stop, _) => stop,
            })?;
            for mut next in next {
                next.node = target;
                next.forget(live);
                out.push(next);
            }
        }
        Ok(out)
    }

    /// The stores behind an edge.
    fn follow(&mut self, mut store: Store, id: EdgeId, phase: Phase, live: SlotSet) -> Result<Vec<Store>, Stop> {
        let model = self.model();
        let edge = model.game.automaton.edge(id);
        let span = edge.span;
        match edge.label {
            rg_ir::Label::Skip => Ok(vec![store]),
            rg_ir::Label::Tag(tag) => {
                if phase == Phase::Move {
                    tagged(&mut store, tag, span)?;
                }
                Ok(vec![store])
            }
            rg_ir::Label::TagVar(var) => {
                if phase != Phase::Move {
                    return Ok(vec![store]);
                }
                let val = match model.slot(var, &[]) {
                    Some(slot) => store.vals.get(slot).copied().unwrap_or(Val::Dead),
                    None => Val::Known(store.player),
                };
                let mut out = Vec::new();
                for (mut store, tag) in self.eval.concrete(store, val, span)? {
                    tagged(&mut store, tag, span)?;
                    out.push(store);
                }
                Ok(out)
            }
            rg_ir::Label::Compare { lhs, rhs, negated } => {
                let mut out = Vec::new();
                for (store, left) in self.eval.eval(store, lhs, phase, span)? {
                    for (store, right) in self.eval.eval(store, rhs, phase, span)? {
                        out.extend(self.eval.compared(store, [left, right], negated, span)?);
                    }
                }
                Ok(out)
            }
            // What nobody reads need not be known.
            rg_ir::Label::Assign { lhs, .. } if is_dead(model, lhs, live) => Ok(vec![store]),
            rg_ir::Label::Assign { lhs, rhs } => self.assign(store, [lhs, rhs], phase, span),
            rg_ir::Label::AssignAny { lhs, .. } if is_dead(model, lhs, live) => Ok(vec![store]),
            rg_ir::Label::AssignAny { lhs, ty } => {
                let mut out = Vec::new();
                for &member in model.game.types.members(ty) {
                    out.extend(self.put(store.clone(), lhs, Val::Known(member), phase, span)?);
                }
                Ok(out)
            }
            rg_ir::Label::Reach { from, to, negated } => self.reach(store, [from, to], negated, phase, span),
        }
    }

    fn assign(&mut self, store: Store, [lhs, rhs]: [ExprId; 2], phase: Phase, span: Span) -> Result<Vec<Store>, Stop> {
        let mut out = Vec::new();
        for (store, val) in self.eval.eval(store, rhs, phase, span)? {
            out.extend(self.put(store, lhs, val, phase, span)?);
        }
        Ok(out)
    }

    /// Assigns a value.
    fn put(&mut self, store: Store, lhs: ExprId, val: Val, phase: Phase, span: Span) -> Result<Vec<Store>, Stop> {
        let model = self.model();
        let (Root::Var(var), keys) = model.spine(lhs) else { return Err(whole(span).into()) };
        let mut alternatives: Vec<(Store, Vec<Symbol>)> = vec![(store, Vec::new())];
        for key in keys {
            let mut next = Vec::new();
            for (store, symbols) in alternatives {
                for (store, val) in self.eval.eval(store, key, phase, span)? {
                    for (store, symbol) in self.eval.concrete(store, val, span)? {
                        next.push((store, [symbols.as_slice(), &[symbol]].concat()));
                    }
                }
            }
            alternatives = next;
        }
        let mut out = Vec::new();
        for (store, symbols) in alternatives {
            if let (Role::Slots(_), Some(slot)) = (&model.roles[var], model.slot(var, &symbols)) {
                for (mut store, val) in self.kept(store, val, span)? {
                    store.vals[slot] = val;
                    out.push(store);
                }
                continue;
            }
            for (mut store, symbol) in self.eval.concrete(store, val, span)? {
                match (&model.roles[var], symbols.first()) {
                    (Role::Player, None) if phase == Phase::Move && store.player == symbol => {
                        let message = "a player moves twice in a row; in SBG players alternate";
                        return Err(refuse(codes::PLAYERS, span, message).into());
                    }
                    (Role::Player, None) => store.player = symbol,
                    (Role::Board, Some(&cell)) => self.write(&mut store, cell, symbol, span)?,
                    _ => return Err(whole(span).into()),
                }
                out.push(store);
            }
        }
        Ok(out)
    }

    /// A value that a variable can have: what depends on a square must be known.
    fn kept(&self, store: Store, val: Val, span: Span) -> Several<Val> {
        match val {
            Val::Func(number) if matches!(self.eval.known.function(number), Some((Source::Cell(_), _))) => {
                let known = self.eval.concrete(store, val, span)?;
                Ok(known.into_iter().map(|(store, symbol)| (store, Val::Known(symbol))).collect())
            }
            _ => Ok(vec![(store, val)]),
        }
    }

    fn write(&mut self, store: &mut Store, cell: Symbol, content: Symbol, span: Span) -> Result<(), Stop> {
        let cell = self.model().board.cell_of.get(&cell).copied().filter(|&cell| self.eval.known.is_square(cell));
        let Some(cell) = cell else {
            return Err(refuse(codes::BOARD, span, "something is put where the board has no square").into());
        };
        if store.mobile.is_some() {
            let message = "whether the next player can move is looked at before the position is complete";
            return Err(refuse(codes::BLOCKED, span, message).into());
        }
        store.write(cell, content);
        if store.writes.len() > MAX_WRITES {
            let message = "a move changes more than the square that it begins at and the one where it ends";
            return Err(refuse(codes::MOVE, span, message).advised(MOVES).into());
        }
        Ok(())
    }

    fn reach(
        &mut self,
        store: Store,
        [from, to]: [NodeId; 2],
        negated: bool,
        phase: Phase,
        span: Span,
    ) -> Result<Vec<Store>, Stop> {
        match self.decided(&store, [from, to]) {
            Ok(answers) => {
                let fitting = answers.into_iter().filter(|(_, answer)| *answer != negated);
                Ok(fitting.map(|(store, _)| store).collect())
            }
            Err(Stop::NeedsBoard(_)) if matches!(phase, Phase::Keeper | Phase::Setup) => {
                let answers = self.mobile(&store, [from, to], span);
                let fits = |store: &Store| store.mobile.is_some_and(|(_, can)| can != negated);
                Ok(answers.into_iter().filter(fits).collect())
            }
            Err(stop @ Stop::NeedsBoard(_)) if matches!(phase, Phase::Decide(_)) => Err(stop),
            Err(Stop::NeedsBoard(_)) => {
                let message = "a move depends on a check of the squares around; rules of SBG are sequences of steps";
                Err(refuse(codes::RULE, span, message).into())
            }
            Err(stop) => Err(stop),
        }
    }

    /// The answers to a check that follow from what is known.
    fn decided(&mut self, store: &Store, [from, to]: [NodeId; 2]) -> Several<bool> {
        let Some(live) = self.model().live.at(Some(to), from) else { return Ok(vec![(store.clone(), false)]) };
        let mut start = Store { node: from, tags: Vec::new(), ..store.clone() };
        start.forget(live);
        if self.depth >= MAX_DEPTH {
            return Err(refuse(codes::TOO_LARGE, Span::NONE, "checks of checks are nested too deeply").into());
        }
        self.depth += 1;
        let graph = self.explore(start, Phase::Decide(to));
        self.depth -= 1;
        let graph = graph?;
        let exits: Vec<&Store> = graph.exits.iter().filter_map(|&exit| graph.states.get_index(exit)).collect();
        if exits.is_empty() {
            return Ok(vec![(store.clone(), false)]);
        }
        if exits.iter().any(|exit| exit.sets == store.sets && exit.pend == store.pend) {
            return Ok(vec![(store.clone(), true)]);
        }
        self.split(store, &exits)
    }

    /// The answers to a check that depend on what is not known: values that no walk tells apart are looked at together.
    fn split(&self, store: &Store, exits: &[&Store]) -> Several<bool> {
        let sources = |store: &Store| -> Vec<Source> {
            let slots = store.sets.iter().map(|(slot, _)| Source::Slot(*slot));
            slots.chain(store.pend.map(|(cell, _)| Source::Cell(cell))).collect()
        };
        let mut open: Vec<Source> = exits.iter().flat_map(|exit| sources(exit)).collect();
        open.sort_unstable();
        open.dedup();
        let mut parts: Vec<(Store, Vec<&Store>)> = vec![(store.clone(), exits.to_vec())];
        for source in open {
            let count = match source {
                Source::Slot(slot) => self.model().slots[slot].domain.len(),
                Source::Cell(_) => self.eval.known.contents.len(),
            };
            let mut next = Vec::new();
            for (part, fitting) in parts {
                let mut groups: IndexMap<Vec<bool>, Vec<bool>> = IndexMap::new();
                for at in (0..count).filter(|&at| part.allowed(source, at)) {
                    let fits = fitting.iter().map(|exit| exit.allowed(source, at)).collect();
                    groups.entry(fits).or_insert_with(|| vec![false; count])[at] = true;
                }
                for (fits, kept) in groups {
                    let mut part = part.clone();
                    if part.restrict(source, &kept) {
                        let fitting = fitting.iter().zip(fits).filter(|(_, fits)| *fits).map(|(exit, _)| *exit);
                        next.push((part, fitting.collect::<Vec<_>>()));
                    }
                }
            }
            if next.len() > MAX_PARTS {
                let message = "a check depends on too much besides the board";
                return Err(refuse(codes::STATE, Span::NONE, message).into());
            }
            parts = next;
        }
        let answers: Vec<(Store, bool)> =
            parts.into_iter().map(|(part, fitting)| (part, !fitting.is_empty())).collect();
        match answers.first() {
            Some(&(_, first)) if answers.iter().all(|(_, answer)| *answer == first) => Ok(vec![(store.clone(), first)]),
            _ => Ok(answers),
        }
    }

    /// The two answers to a check that is about the whole board: whether the next player can move.
    fn mobile(&mut self, store: &Store, [from, to]: [NodeId; 2], span: Span) -> Vec<Store> {
        let live = self.model().live.at(Some(to), from).unwrap_or(0);
        let mut start = Store {
            node: from,
            writes: Vec::new(),
            pend: None,
            origin: None,
            at: None,
            tags: Vec::new(),
            mobile: None,
            ..store.clone()
        };
        start.forget(live);
        // Before the first move nobody has moved, and the first player is next.
        let mover = store.tags.first().copied();
        let player = mover.map_or(self.model().players[0], |mover| self.model().other(mover));
        let number = match self.checks.get_full(&(start.clone(), player)) {
            Some((number, ..)) => number,
            None => self.checks.insert_full((start, player), Check { to, span }).0,
        };
        let with = |can| Store { mobile: Some((number, can)), ..store.clone() };
        let agrees =
            |next: &Store| store.mobile.is_none_or(|(_, can)| next.mobile.is_some_and(|(_, other)| other == can));
        [true, false].map(with).into_iter().filter(agrees).collect()
    }

    /// How the play goes on where the keeper is in control.
    pub(crate) fn outcomes(&mut self, start: Store, phase: Phase) -> Result<Vec<Outcome>, Refused> {
        let graph = self.explore(start, phase).map_err(stopped)?;
        let mut out = Vec::new();
        for &exit in &graph.exits {
            let Some(store) = graph.states.get_index(exit) else { continue };
            if store.node != self.model().game.end() {
                out.push(Outcome { store: store.clone(), scores: None });
                continue;
            }
            let val = |slot: usize| store.vals.get(slot).copied().unwrap_or(Val::Dead);
            let [Val::Known(first), Val::Known(second)] = self.model().scores.map(val) else {
                return Err(refuse(codes::END, Span::NONE, "the scores depend on more than who has won"));
            };
            out.push(Outcome { store: store.clone(), scores: Some([first, second]) });
        }
        Ok(out)
    }
}

/// What a move is in SBG.
pub(crate) const MOVES: &str =
    "in SBG a move takes one piece and puts it on a square, where it replaces what was there";

/// The refusal of a walk that cannot go on.
pub(crate) fn stopped(stop: Stop) -> Refused {
    match stop {
        Stop::Refused(refused) => refused,
        Stop::NeedsBoard(span) => {
            let message = "what happens after a move depends on squares that it has not come to";
            refuse(codes::END, span, message).advised(
                "in SBG plays are decided by the square that is moved to, by numbers of pieces, by the number of half-moves, or by a player \
                 who cannot move",
            )
        }
    }
}

fn tagged(store: &mut Store, tag: Symbol, span: Span) -> Result<(), Stop> {
    store.tags.push(tag);
    if store.tags.len() > MAX_TAGS {
        return Err(refuse(codes::TAGS, span, format!("a move has more than {MAX_TAGS} tags")).into());
    }
    Ok(())
}
