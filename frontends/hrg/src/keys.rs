//! Keys that may be outside the type of their map, which then gives its default: `board[right(here)]` where `right` leads off the board.
//!
//! Which values an expression may have is known from its type, from the tables of functions, and from what was compared and assigned on the way: a data flow
//! analysis over the automaton, with a set of values for each expression that matters at each node. Sets are only ever too large, so that what is not
//! reported is right; what is reported may be ruled out by more than one variable together.

use crate::codes;
use crate::order::{Guards, Left, Order};
use crate::reading::{Reading, Set};
use rg_ir::ids::Id;
use rg_ir::{Diagnostic, Edge, Expr, ExprId, Game, Label, NodeId, Span, Symbol, TypeId, TypeKind, VarId};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::{BTreeMap, BTreeSet};

/// Words of all sets at all nodes; of games that would need more, nothing is reported.
const MAX_WORDS: usize = 1 << 21;
/// Words of sets that are looked at; the same.
const MAX_WORK: usize = 1 << 26;
/// Values outside that a finding names.
const MAX_NAMED: usize = 3;

/// Warnings of accesses with keys that their maps may not have. Linear where the types of all keys fit; else time and memory are within fixed limits.
pub(crate) fn check(game: &Game) -> Vec<Diagnostic> {
    let reading = Reading::new(game);
    let suspects = suspects(&reading);
    let flow = if suspects.is_empty() { None } else { Flow::new(&reading, &suspects) };
    let Some(flow) = flow else { return Vec::new() };
    let mut found: BTreeMap<(u32, u32), (Span, TypeId, BTreeSet<Symbol>)> = BTreeMap::new();
    for (_, edge) in game.automaton.edges() {
        let Some(state) = flow.state(edge.source) else { continue };
        for (key, wanted, span) in accesses(game, edge).filter(|(key, ..)| suspects.contains(key)) {
            let outside = flow.values(state, key).into_iter().filter(|&value| !game.types.contains(wanted, value));
            let outside: Vec<Symbol> = outside.collect();
            if !outside.is_empty() {
                let entry = found.entry((span.start, span.end)).or_insert((span, wanted, BTreeSet::new()));
                entry.2.extend(outside);
            }
        }
    }
    found.into_values().map(|(span, wanted, outside)| finding(game, span, wanted, &outside)).collect()
}

fn finding(game: &Game, span: Span, wanted: TypeId, outside: &BTreeSet<Symbol>) -> Diagnostic {
    let mut named: Vec<String> =
        outside.iter().take(MAX_NAMED).map(|&value| format!("`{}`", game.name(value))).collect();
    let more = outside.len().saturating_sub(named.len());
    if more > 0 {
        named.push(format!("{more} more"));
    }
    let values = rg_ir::diag::alternatives(&named);
    let ty = match game.types.kind(wanted) {
        TypeKind::Name(name) => format!("the type `{}`", game.name(*name)),
        _ => "the type".to_owned(),
    };
    let message = format!("this key may be {values}, which {ty} of the keys does not have");
    let warning = Diagnostic::warning(codes::OUTSIDE_KEYS, span, message);
    let first = outside.first().map_or("", |&value| game.name(value));
    warning
        .note("for such a key, a map gives its default, and a function its most common result")
        .help(format!("test the key before, as in `… != {first}`, or let the type of the keys have this value"))
}

/// The keys in the label of an edge, with the types that they should be of, and where they stand.
fn accesses<'g>(game: &'g Game, edge: &'g Edge) -> impl Iterator<Item = (ExprId, TypeId, Span)> + 'g {
    let mut found = Vec::new();
    let mut order: Vec<ExprId> = Vec::new();
    for root in edge.label.exprs() {
        game.exprs.preorder(root, |id, _| order.push(id));
    }
    // The key comes behind all parts of its map.
    for (at, &id) in order.iter().enumerate() {
        let Expr::Access(map, key) = game.exprs.get(id) else { continue };
        let Some(wanted) = key_type(game, map) else { continue };
        let mut size = 0;
        game.exprs.preorder(map, |_, _| size += 1);
        let place = edge.spans.get(at + 1 + size).copied().filter(|span| span.is_some());
        found.push((key, wanted, place.unwrap_or(edge.span)));
    }
    found.into_iter()
}

/// The type of the keys of a map.
fn key_type(game: &Game, map: ExprId) -> Option<TypeId> {
    match rg_ir::check::expr_type(game, map)? {
        rg_ir::check::Ty::Type(ty) => game.types.as_arrow(ty).map(|(key, _)| key),
        rg_ir::check::Ty::Symbol(_) => None,
    }
}

/// Keys with values that the types of their maps do not have, as far as types and tables tell.
fn suspects(reading: &Reading<'_>) -> FxHashSet<ExprId> {
    let game = reading.game;
    let mut judged: FxHashMap<(ExprId, TypeId), bool> = FxHashMap::default();
    let mut suspects = FxHashSet::default();
    for (_, edge) in game.automaton.edges() {
        for (key, wanted, _) in accesses(game, edge) {
            let is_suspect = *judged.entry((key, wanted)).or_insert_with(|| {
                let fits = |values: &[Symbol]| values.iter().all(|&value| game.types.contains(wanted, value));
                let ty = reading.set_type(key);
                // Most keys are of the very type.
                ty != Some(wanted) && !fits(&reading.members(key)) && !fits(&reading.possible(key, &|_| None))
            });
            if is_suspect {
                suspects.insert(key);
            }
        }
    }
    suspects
}

/// What expressions may be at each node.
struct Flow<'r, 'g> {
    reading: &'r Reading<'g>,
    /// The expressions that are followed, parts before wholes.
    followed: Vec<ExprId>,
    place: FxHashMap<ExprId, usize>,
    /// All values that they may have.
    symbols: Vec<Symbol>,
    number: FxHashMap<Symbol, usize>,
    /// By node; nothing where no walk leads.
    states: Vec<Option<State>>,
    guards: Guards,
}

/// A set of values for each expression that is followed.
type State = Vec<Set>;

impl<'r, 'g> Flow<'r, 'g> {
    /// `None` if it takes too much time or memory.
    fn new(reading: &'r Reading<'g>, suspects: &FxHashSet<ExprId>) -> Option<Self> {
        let game = reading.game;
        let followed = followed(reading, suspects);
        let mut symbols: Vec<Symbol> = followed.iter().flat_map(|&expr| reading.members(expr)).collect();
        symbols.sort_unstable();
        symbols.dedup();
        let nodes = game.automaton.node_bound();
        let words = Set::words(symbols.len()).max(1);
        if nodes.saturating_mul(followed.len()).saturating_mul(words) > MAX_WORDS {
            return None;
        }
        let place = followed.iter().enumerate().map(|(at, &expr)| (expr, at)).collect();
        let number = symbols.iter().enumerate().map(|(at, &symbol)| (symbol, at)).collect();
        let guards = Guards::of(reading, &followed);
        let mut flow = Self { reading, followed, place, symbols, number, states: vec![None; nodes], guards };
        flow.run(words).then_some(flow)
    }

    fn state(&self, node: NodeId) -> Option<&State> {
        self.states.get(node.index())?.as_ref()
    }

    /// The values that an expression may have in a state.
    fn values(&self, state: &State, expr: ExprId) -> Vec<Symbol> {
        let known = |part: ExprId| {
            let set = state.get(*self.place.get(&part)?)?;
            Some(set.iter().filter_map(|at| self.symbols.get(at)).copied().collect())
        };
        self.reading.possible(expr, &known)
    }

    fn set(&self, values: &[Symbol]) -> Set {
        Set::of(self.symbols.len(), values.iter().filter_map(|value| self.number.get(value)).copied())
    }

    /// Follows all walks until nothing is new. Whether that was within the limit.
    fn run(&mut self, words: usize) -> bool {
        let game = self.reading.game;
        let mut state: State = self.followed.iter().map(|&expr| self.set(&self.reading.initial(expr))).collect();
        self.narrow(&mut state, None);
        let order = Order::of(game);
        let mut left = Left::new(&order);
        left.add(game.begin());
        self.join(game.begin(), state);
        let mut work = 0_usize;
        while let Some(node) = left.next() {
            let Some(state) = self.state(node).cloned() else { continue };
            for &id in game.automaton.outgoing(node) {
                work = work.saturating_add(self.followed.len() * words);
                let edge = game.automaton.edge(id);
                if let Label::Reach { from, .. } = edge.label
                    && self.join(from, state.clone())
                {
                    left.add(from);
                }
                let Some(next) = self.behind(&state, edge) else { continue };
                if self.join(edge.target, next) {
                    left.add(edge.target);
                    // What holds at the end of a check holds behind it.
                    self.guards.sources(edge.target).iter().for_each(|&source| left.add(source));
                }
            }
            if work.saturating_add(self.reading.lookups()) > MAX_WORK {
                return false;
            }
        }
        true
    }

    /// Adds what expressions may be at a node. Whether something is new.
    fn join(&mut self, node: NodeId, state: State) -> bool {
        let Some(slot) = self.states.get_mut(node.index()) else { return false };
        match slot {
            Some(known) => {
                known.iter_mut().zip(&state).fold(false, |is_new, (known, more)| known.add_all(more) | is_new)
            }
            None => {
                *slot = Some(state);
                true
            }
        }
    }

    /// What expressions may be behind an edge; `None` if it is never taken.
    fn behind(&self, state: &State, edge: &Edge) -> Option<State> {
        let mut next = state.clone();
        match edge.label {
            Label::Compare { lhs, rhs, negated } => {
                let mut is_less = false;
                for (side, other) in [(lhs, rhs), (rhs, lhs)] {
                    let Some(&at) = self.place.get(&side) else { continue };
                    let values = self.values(state, other);
                    is_less |= match (negated, values.as_slice()) {
                        (false, values) => next.get_mut(at)?.keep(&self.set(values)),
                        (true, [only]) => next.get_mut(at)?.remove_all(&self.set(&[*only])),
                        (true, _) => false,
                    };
                }
                self.possible(next, is_less)
            }
            Label::Reach { from, to, negated: false } => {
                // Where the check ends is known by what leads there; before anything does, it does not hold.
                let there = self.state(to)?;
                let mut is_less = false;
                for (at, set) in next.iter_mut().enumerate().filter(|(at, _)| self.guards.stays(from, *at)) {
                    is_less |= set.keep(there.get(at)?);
                }
                self.possible(next, is_less)
            }
            Label::Assign { lhs, rhs } => {
                self.assign(&mut next, lhs, &self.values(state, rhs));
                Some(next)
            }
            Label::AssignAny { lhs, ty } => {
                self.assign(&mut next, lhs, self.reading.game.types.members(ty));
                Some(next)
            }
            Label::Skip | Label::Tag(_) | Label::TagVar(_) | Label::Reach { .. } => Some(next),
        }
    }

    /// A state after the sets of some expressions were intersected: narrowed if any became smaller, `None` if one is empty.
    fn possible(&self, mut state: State, is_less: bool) -> Option<State> {
        if is_less {
            self.narrow(&mut state, None);
        }
        state.iter().all(|set| !set.is_empty()).then_some(state)
    }

    fn assign(&self, state: &mut State, lhs: ExprId, values: &[Symbol]) {
        let Expr::Var(variable) = self.reading.game.exprs.root(lhs) else { return };
        let is_whole = matches!(self.reading.game.exprs.get(lhs), Expr::Var(_));
        // What was known of anything with the variable in it is known no longer.
        for (at, &expr) in self.followed.iter().enumerate() {
            if self.reading.has(expr, variable)
                && let Some(set) = state.get_mut(at)
            {
                *set = self.set(&self.reading.members(expr));
            }
        }
        if let Some(set) = self.place.get(&lhs).filter(|_| is_whole).and_then(|&at| state.get_mut(at)) {
            set.keep(&self.set(values));
        }
        self.narrow(state, Some(variable));
    }

    /// Makes sets of wholes and of their parts fit each other: of all expressions, or of those with a variable in them.
    fn narrow(&self, state: &mut State, with: Option<VarId>) {
        let is_meant = |expr: &ExprId| with.is_none_or(|variable| self.reading.has(*expr, variable));
        for (at, &expr) in self.followed.iter().enumerate().rev().filter(|_| with.is_none()) {
            let Expr::Access(map, key) = self.reading.game.exprs.get(expr) else { continue };
            let (Some(&part), Some(whole)) = (self.place.get(&key), state.get(at)) else { continue };
            let fits = |value: Symbol| {
                let of = self.reading.results(map, &|part| self.known(state, part), &[value]);
                of.is_none_or(|of| of.iter().any(|value| self.number.get(value).is_some_and(|&at| whole.has(at))))
            };
            let values: Vec<Symbol> = self.values(state, key).into_iter().filter(|&value| fits(value)).collect();
            let kept = self.set(&values);
            if let Some(set) = state.get_mut(part) {
                set.keep(&kept);
            }
        }
        for (at, expr) in self.followed.iter().enumerate().filter(|(_, expr)| is_meant(expr)) {
            let Expr::Access(map, key) = self.reading.game.exprs.get(*expr) else { continue };
            let keys = self.values(state, key);
            let Some(values) = self.reading.results(map, &|part| self.known(state, part), &keys) else { continue };
            let kept = self.set(&values);
            if let Some(set) = state.get_mut(at) {
                set.keep(&kept);
            }
        }
    }

    fn known(&self, state: &State, expr: ExprId) -> Option<Vec<Symbol>> {
        let set = state.get(*self.place.get(&expr)?)?;
        Some(set.iter().filter_map(|at| self.symbols.get(at)).copied().collect())
    }
}

/// The expressions that tell something about some keys: their parts, what is compared that has such a part, and what is assigned to variables among them, with
/// its parts. Parts come first.
fn followed(reading: &Reading<'_>, suspects: &FxHashSet<ExprId>) -> Vec<ExprId> {
    let game = reading.game;
    let mut assigned: FxHashMap<ExprId, Vec<ExprId>> = FxHashMap::default();
    let mut compared: FxHashSet<ExprId> = FxHashSet::default();
    for (_, edge) in game.automaton.edges() {
        match edge.label {
            Label::Assign { lhs, rhs } => assigned.entry(lhs).or_default().push(rhs),
            Label::Compare { lhs, rhs, .. } => compared.extend([lhs, rhs]),
            _ => {}
        }
    }
    let mut followed: FxHashSet<ExprId> = FxHashSet::default();
    let mut add = |mut left: Vec<ExprId>| {
        while let Some(root) = left.pop() {
            game.exprs.preorder(root, |id, expr| {
                let is_value = matches!(expr, Expr::Var(_) | Expr::Access(..)) && reading.set_type(id).is_some();
                if is_value && followed.insert(id) {
                    left.extend(assigned.get(&id).into_iter().flatten());
                }
            });
        }
        followed.clone()
    };
    let known = add(suspects.iter().copied().collect());
    let tells = |root: &ExprId| {
        let mut tells = false;
        game.exprs.preorder(*root, |id, _| tells |= known.contains(&id));
        tells
    };
    let mut followed: Vec<ExprId> = add(compared.into_iter().filter(tells).collect()).into_iter().collect();
    followed.sort_unstable();
    followed
}
