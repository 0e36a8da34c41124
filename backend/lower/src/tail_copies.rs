//! Copies of tails: as the keeper's moves, and as checks; see [`super::tails`].

use super::ahead::read_by;
use super::region::constant_player;
use super::tails::{Begin, End, Rest, Tails};
use passes::effects;
use rg_ir::{EdgeId, Expr, Game, Label, NodeId, Symbol, VarId};
use rustc_hash::{FxHashMap, FxHashSet};

/// A variable of the copy of a tail, and what it is compared with.
struct Compared {
    last: VarId,
    choice: VarId,
}

impl Tails {
    /// Makes one tail the keeper's. `game` is the one without any such change.
    pub(super) fn add(&mut self, game: &Game, begin: &Begin) {
        let edges: Vec<EdgeId> = self.game.automaton.outgoing(begin.node).to_vec();
        for id in edges {
            self.game.automaton.remove_edge(id);
        }
        let compared = begin.choice.map(|choice| {
            let mut copy = |what: &str| {
                let decl = game.vars[choice].clone();
                let name = self.fresh(what, |game, name| game.find_var(name).is_none());
                self.game.add_var(name, decl.ty, decl.initial, decl.span)
            };
            Compared { last: copy("last"), choice: copy("choice") }
        });
        let (check, done) = self.add_check(game, begin, compared.as_ref());
        let span = game.automaton.node(begin.node).span;
        let reach = Label::Reach { from: check, to: done, negated: false };
        if let End::At(node) = begin.end {
            self.game.automaton.add_edge(begin.node, node, reach, span);
            return;
        }
        let walk = self.add_walk(game, begin);
        let mut node = self.node("tail");
        self.game.automaton.add_edge(begin.node, node, reach, span);
        let rest = match begin.choice {
            None => Rest::Follows(next_tags(game, begin.node)),
            Some(choice) => {
                let next = self.node("tail");
                self.game.automaton.add_edge(node, next, Label::TagVar(choice), span);
                node = next;
                Rest::LastOf { ends: last_tags(game, &begin.tail) }
            }
        };
        let (player, keeper) = (self.game.symbols.intern("player"), self.game.symbols.intern("keeper"));
        let (lhs, rhs) = (self.game.resolve_name(player), self.game.resolve_name(keeper));
        let edge = self.game.automaton.add_edge(node, walk, Label::Assign { lhs, rhs }, span);
        self.rest.insert(edge, rest);
    }

    /// Copies a tail as the keeper's; the node where it begins.
    fn add_walk(&mut self, game: &Game, begin: &Begin) -> NodeId {
        let keeper = game.symbols.get("keeper");
        let copies = self.copies(begin, "walk");
        for (&node, &copy) in begin.tail.iter().filter_map(|node| Some((node, copies.get(node)?))) {
            for &id in game.automaton.outgoing(node) {
                let edge = game.automaton.edge(id);
                let target = copies.get(&edge.target).filter(|_| !game.ends_move(&edge.label));
                // The keeper goes on.
                let goes_on = target.is_none()
                    && keeper.is_some()
                    && constant_player(game, &edge.label) == keeper
                    && edge.target != game.end();
                let label = if goes_on { Label::Skip } else { edge.label };
                self.game.automaton.add_edge(copy, target.copied().unwrap_or(edge.target), label, edge.span);
            }
        }
        copies.get(&begin.node).copied().unwrap_or(begin.node)
    }

    /// Copies a tail as a check: from where to where.
    fn add_check(&mut self, game: &Game, begin: &Begin, compared: Option<&Compared>) -> (NodeId, NodeId) {
        let copies = self.copies(begin, "check");
        let done = self.node("done");
        self.done.insert(done);
        let span = game.automaton.node(begin.node).span;
        let start = copies.get(&begin.node).copied().unwrap_or(done);
        let var = |tails: &mut Self, var: VarId| tails.game.exprs.intern(Expr::Var(var));
        let (mut first, mut last) = (start, done);
        if let (Some(compared), Some(choice)) = (compared, begin.choice) {
            let (lhs, rhs) = (var(self, compared.choice), var(self, choice));
            first = self.node("check");
            self.game.automaton.add_edge(first, start, Label::Assign { lhs, rhs }, span);
            let (rhs, unlike) = (var(self, compared.last), self.node("unlike"));
            last = self.node("check");
            self.unlike.insert(unlike);
            for (target, negated) in [(done, false), (unlike, true)] {
                self.game.automaton.add_edge(last, target, Label::Compare { lhs, rhs, negated }, span);
            }
            self.game.automaton.add_edge(unlike, done, Label::Skip, span);
        }
        let needed = needed(game, begin);
        for (&node, &copy) in begin.tail.iter().filter_map(|node| Some((node, copies.get(node)?))) {
            if let Some(&value) = begin.safe.get(&node) {
                let label = match (value, compared) {
                    (Some(value), Some(compared)) => {
                        Label::Assign { lhs: var(self, compared.last), rhs: var(self, value) }
                    }
                    _ => Label::Skip,
                };
                self.game.automaton.add_edge(copy, last, label, span);
                continue;
            }
            for &id in game.automaton.outgoing(node) {
                let edge = game.automaton.edge(id);
                let target = match begin.end.is(game, edge) {
                    true => last,
                    false => copies.get(&edge.target).copied().unwrap_or(last),
                };
                let label = match (edge.label, compared) {
                    (label, _) if game.ends_move(&label) => Label::Skip,
                    (Label::TagVar(value), Some(compared)) => {
                        Label::Assign { lhs: var(self, compared.last), rhs: var(self, value) }
                    }
                    (Label::Tag(_) | Label::TagVar(_), _) => Label::Skip,
                    (label @ Label::Assign { .. }, _)
                        if effects::write(game, &label).is_some_and(|write| !needed.contains(&write.var)) =>
                    {
                        Label::Skip
                    }
                    (label, _) => label,
                };
                self.game.automaton.add_edge(copy, target, label, edge.span);
            }
        }
        (first, done)
    }

    /// New nodes for those of a tail.
    fn copies(&mut self, begin: &Begin, what: &str) -> FxHashMap<NodeId, NodeId> {
        let copies: FxHashMap<NodeId, NodeId> = begin.tail.iter().map(|&node| (node, self.node(what))).collect();
        self.copies.extend(copies.values());
        copies
    }

    fn node(&mut self, what: &str) -> NodeId {
        let name = self.fresh(what, |game, name| game.find_node(name).is_none());
        self.game.node(name, rg_ir::Span::NONE)
    }

    /// A name that is free.
    fn fresh(&mut self, what: &str, is_free: impl Fn(&Game, Symbol) -> bool) -> Symbol {
        let mut number = self.game.automaton.node_bound() + self.game.vars.len();
        loop {
            let name = self.game.symbols.intern(&format!("{what}_{number}"));
            if is_free(&self.game, name) {
                return name;
            }
            number += 1;
        }
    }
}

/// The tags with which walks through a tail may end.
fn last_tags(game: &Game, tail: &[NodeId]) -> Vec<Symbol> {
    let automaton = &game.automaton;
    let ends = |node: &NodeId| automaton.outgoing(*node).iter().any(|&id| game.ends_move(&automaton.edge(id).label));
    let mut stack: Vec<NodeId> = tail.iter().copied().filter(ends).collect();
    let mut seen: FxHashSet<NodeId> = stack.iter().copied().collect();
    let mut last = Vec::new();
    while let Some(node) = stack.pop() {
        for &id in automaton.incoming(node) {
            let edge = automaton.edge(id);
            match edge.label {
                _ if tail.binary_search(&edge.source).is_err() => {}
                Label::Tag(symbol) => last.push(symbol),
                Label::TagVar(var) => last.extend_from_slice(game.types.members(game.vars[var].ty)),
                _ if seen.insert(edge.source) => stack.push(edge.source),
                _ => {}
            }
        }
    }
    last.sort_unstable();
    last.dedup();
    last
}

/// The tags that come next on walks from a node; `None` stands for the end of the move.
fn next_tags(game: &Game, node: NodeId) -> Vec<Option<Symbol>> {
    let mut next: Vec<Option<Symbol>> = Vec::new();
    let (mut seen, mut stack) = (FxHashSet::from_iter([node]), vec![node]);
    while let Some(node) = stack.pop() {
        for &id in game.automaton.outgoing(node) {
            let edge = game.automaton.edge(id);
            match edge.label {
                Label::Tag(symbol) => next.push(Some(symbol)),
                Label::TagVar(var) => next.extend(game.types.members(game.vars[var].ty).iter().copied().map(Some)),
                label if game.ends_move(&label) => next.push(None),
                _ if seen.insert(edge.target) => stack.push(edge.target),
                _ => {}
            }
        }
    }
    next.sort_unstable();
    next.dedup();
    next
}

/// The variables that tests of a tail depend on.
fn needed(game: &Game, begin: &Begin) -> FxHashSet<VarId> {
    let nodes = || begin.tail.iter().filter(|node| !begin.safe.contains_key(node));
    let edges = || nodes().flat_map(|&node| game.automaton.outgoing(node)).map(|&id| game.automaton.edge(id));
    let labels = || edges().map(|edge| edge.label).filter(|label| !game.ends_move(label));
    let mut needed: FxHashSet<VarId> = begin.safe.values().flatten().copied().collect();
    for label in labels() {
        match label {
            Label::Reach { from, to, .. } => needed.extend(read_by(game, from, to)),
            Label::Compare { .. } | Label::TagVar(_) => effects::reads(game, &label, |var| {
                needed.insert(var);
            }),
            _ => {}
        }
    }
    loop {
        let before = needed.len();
        for label in labels().filter(|label| matches!(label, Label::Assign { .. })) {
            if effects::write(game, &label).is_some_and(|write| needed.contains(&write.var)) {
                effects::reads(game, &label, |var| {
                    needed.insert(var);
                });
            }
        }
        if needed.len() == before {
            return needed;
        }
    }
}
