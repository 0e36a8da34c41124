//! What a check says of a walk that goes the same way.

use super::{Chain, cases};
use crate::analysis::Values;
use crate::effects;
use rg_ir::ids::Id;
use rg_ir::{EdgeId, Expr, ExprId, Game, Label, NodeId, Symbol, VarId};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;

/// Most steps that are looked at for one loop.
const MAX_STEPS: usize = 1 << 17;
/// Deepest expression that is evaluated.
const MAX_DEPTH: usize = 50;

type Set = BTreeSet<Symbol>;

/// Whether walks that have gone through all copies of a chain, and go on with what is behind the last one, would be led
/// there from the beginning of one more copy, too, and only there: because of a check before the first copy.
///
/// ```text
/// m, a: ? s -> t;   s, r: board[v] == his;   r, q: v = up[v];   q, r: board[v] == his;   q, t: board[v] == mine;
/// a, b: board[v] == his;   b, c: board[v] = mine;   c, d: v = up[v];   a, z: board[v] == mine;   d, …
/// ```
/// A walk that has seen as many of his pieces as there are copies must find one of mine next, if there are only so many
/// places in a line: else the check would have failed.
///
/// Each walk is followed with known values of the variables, and what its comparisons say of the cells of maps is noted. Then
/// each value of the cell that is asked for next is tried: if the check cannot succeed with it, the cell has another. A walk
/// writes only cells of which nothing is asked afterwards. O(values of the variables · values of a cell · edges of the check).
pub(super) fn leads_behind(game: &Game, values: &Values, chain: &Chain, behind: NodeId) -> bool {
    leads(game, values, chain, behind).unwrap_or(false)
}

fn leads(game: &Game, values: &Values, chain: &Chain, behind: NodeId) -> Option<bool> {
    let (from, to) = guard(game, chain)?;
    let path = path(game, chain)?;
    let mut read: Vec<VarId> = Vec::new();
    let asked = game.automaton.outgoing(chain.header).iter().copied();
    let checked = game.automaton.reachable([from]);
    let checked = checked.ones().map(NodeId::from_index).flat_map(|node| game.automaton.outgoing(node));
    for id in path.iter().copied().chain(asked).chain(checked.copied()) {
        effects::reads(game, &game.automaton.edge(id).label, |var| read.push(var));
    }
    read.retain(|&var| var != chain.moving);
    read.sort_unstable();
    read.dedup();
    let mut left = MAX_STEPS;
    for known in cases(values, chain.header, &read)? {
        for first in values.at(chain.header, chain.moving)? {
            let mut walk = Walk {
                game,
                values,
                chain,
                known: &known,
                cells: FxHashMap::default(),
                written: FxHashSet::default(),
                left,
            };
            if !walk.leads(&path, first, (from, to), behind)? {
                return None;
            }
            left = walk.left;
        }
    }
    Some(true)
}

/// The check that holds wherever walks come to a chain.
fn guard(game: &Game, chain: &Chain) -> Option<(NodeId, NodeId)> {
    let mut check = None;
    for &id in game.automaton.incoming(chain.header) {
        let Label::Reach { from, to, negated: false } = game.automaton.edge(id).label else { return None };
        if check.is_some_and(|known| known != (from, to)) {
            return None;
        }
        check = Some((from, to));
    }
    check
}

/// The one way round.
fn path(game: &Game, chain: &Chain) -> Option<Vec<EdgeId>> {
    let (mut at, mut path) = (chain.header, Vec::new());
    while path.len() <= chain.body.len() {
        let inside = |id: &EdgeId| chain.again.contains(id) || chain.body.contains(&game.automaton.edge(*id).target);
        let mut edges = game.automaton.outgoing(at).iter().copied().filter(inside);
        let (Some(id), None) = (edges.next(), edges.next()) else { return None };
        path.push(id);
        if chain.again.contains(&id) {
            return Some(path);
        }
        at = game.automaton.edge(id).target;
    }
    None
}

/// A walk with known values of all variables, but not of the cells of maps.
struct Walk<'a> {
    game: &'a Game,
    values: &'a Values,
    chain: &'a Chain,
    known: &'a [(VarId, Symbol)],
    /// What cells had at first.
    cells: FxHashMap<(VarId, Symbol), Set>,
    /// Cells that have been written since.
    written: FxHashSet<(VarId, Symbol)>,
    left: usize,
}

impl Walk<'_> {
    /// Whether the walk is led behind the copies, if it gets that far; `None` if that is not told.
    fn leads(&mut self, path: &[EdgeId], first: Symbol, (from, to): (NodeId, NodeId), behind: NodeId) -> Option<bool> {
        let mut at = first;
        for _ in 0..self.chain.copies {
            for &id in path {
                self.left = self.left.checked_sub(1)?;
                let label = self.game.automaton.edge(id).label;
                match label {
                    Label::Skip | Label::Tag(_) | Label::TagVar(_) => {}
                    Label::Compare { lhs, rhs, negated } => {
                        if !self.assume(lhs, rhs, negated, at) {
                            return Some(true);
                        }
                    }
                    Label::Assign { lhs, rhs } => match effects::write(self.game, &label) {
                        Some(write) if write.whole && write.var == self.chain.moving => {
                            at = only(&self.eval(rhs, at, true, MAX_DEPTH)?)?;
                        }
                        _ => {
                            let cell = self.cell(lhs, at)?;
                            self.written.insert(cell);
                        }
                    },
                    Label::AssignAny { .. } | Label::Reach { .. } => return None,
                }
            }
        }
        // What the walk asks next is asked of one cell.
        let mut cell = None;
        let edges = self.game.automaton.outgoing(self.chain.header);
        for &id in edges {
            let Label::Compare { lhs, rhs, .. } = self.game.automaton.edge(id).label else { return None };
            for asked in [lhs, rhs].into_iter().filter_map(|expr| self.cell(expr, at)) {
                if cell.is_some_and(|cell| cell != asked) {
                    return None;
                }
                cell = Some(asked);
            }
        }
        if !self.may_succeed(from, to, first)? {
            return Some(true);
        }
        if let Some(cell) = cell {
            if self.written.contains(&cell) {
                return None;
            }
            let mut left = Set::new();
            for value in self.at_first(cell)? {
                self.cells.insert(cell, Set::from([value]));
                if self.may_succeed(from, to, first)? {
                    left.insert(value);
                }
            }
            if left.is_empty() {
                return Some(true);
            }
            self.cells.insert(cell, left);
        }
        let mut led = false;
        for &id in edges {
            let edge = self.game.automaton.edge(id);
            let Label::Compare { lhs, rhs, negated } = edge.label else { return None };
            let (a, b) = (self.eval(lhs, at, true, MAX_DEPTH)?, self.eval(rhs, at, true, MAX_DEPTH)?);
            let equal = match (only(&a), only(&b)) {
                (Some(a), Some(b)) => a == b,
                _ if a.is_disjoint(&b) => false,
                _ => return None,
            };
            if equal != negated {
                if edge.target != behind {
                    return None;
                }
                led = true;
            }
        }
        Some(led)
    }

    /// Notes that a comparison succeeds; whether it can.
    fn assume(&mut self, lhs: ExprId, rhs: ExprId, negated: bool, at: Symbol) -> bool {
        let (Some(a), Some(b)) = (self.eval(lhs, at, true, MAX_DEPTH), self.eval(rhs, at, true, MAX_DEPTH)) else {
            return true;
        };
        for (expr, set, other) in [(lhs, &a, &b), (rhs, &b, &a)] {
            let left: Set = match (negated, only(other)) {
                (false, _) => set.intersection(other).copied().collect(),
                (true, Some(other)) => set.iter().copied().filter(|&value| value != other).collect(),
                (true, None) => set.clone(),
            };
            if left.is_empty() {
                return false;
            }
            if let Some(cell) = self.cell(expr, at).filter(|cell| !self.written.contains(cell)) {
                self.cells.insert(cell, left);
            }
        }
        true
    }

    /// Whether the check may succeed from where the walk began, in the state in which it began.
    fn may_succeed(&mut self, from: NodeId, to: NodeId, first: Symbol) -> Option<bool> {
        let mut seen: FxHashSet<(NodeId, Symbol)> = FxHashSet::from_iter([(from, first)]);
        let mut work = vec![(from, first)];
        while let Some((node, at)) = work.pop() {
            if node == to {
                return Some(true);
            }
            for &id in self.game.automaton.outgoing(node) {
                self.left = self.left.checked_sub(1)?;
                let edge = self.game.automaton.edge(id);
                let mut next = Set::from([at]);
                match edge.label {
                    Label::Skip | Label::Tag(_) | Label::TagVar(_) | Label::Reach { .. } => {}
                    Label::Compare { lhs, rhs, negated } => {
                        let (a, b) = (self.eval(lhs, at, false, MAX_DEPTH)?, self.eval(rhs, at, false, MAX_DEPTH)?);
                        let fails = if negated { only(&a).is_some() && a == b } else { a.is_disjoint(&b) };
                        if fails {
                            continue;
                        }
                    }
                    Label::Assign { rhs, .. } => {
                        effects::write(self.game, &edge.label)
                            .filter(|write| write.whole && write.var == self.chain.moving)?;
                        next = self.eval(rhs, at, false, MAX_DEPTH)?;
                    }
                    Label::AssignAny { .. } => return None,
                }
                work.extend(next.into_iter().map(|at| (edge.target, at)).filter(|&next| seen.insert(next)));
            }
        }
        Some(false)
    }

    /// The values that an expression may have, now or when the walk began; `None` if it is a map, or that is not told.
    fn eval(&self, expr: ExprId, at: Symbol, now: bool, depth: usize) -> Option<Set> {
        let depth = depth.checked_sub(1)?;
        match self.game.exprs.get(expr) {
            Expr::Symbol(symbol) => Some(Set::from([symbol])),
            Expr::Cast(_, inner) => self.eval(inner, at, now, depth),
            Expr::Var(var) if var == self.chain.moving => Some(Set::from([at])),
            Expr::Var(var) => match self.known.iter().find(|(known, _)| *known == var) {
                Some((_, value)) => Some(Set::from([*value])),
                None => Some(self.values.at(self.chain.header, var)?.into_iter().collect()),
            },
            Expr::Const(_) => Some(self.values.entry(self.game, expr, &[])?.into_iter().collect()),
            Expr::Access(..) => {
                let (mut root, mut keys) = (expr, Vec::new());
                loop {
                    match self.game.exprs.get(root) {
                        Expr::Access(map, key) => {
                            keys.push(self.eval(key, at, now, depth)?);
                            root = map;
                        }
                        Expr::Cast(_, inner) => root = inner,
                        Expr::Var(_) | Expr::Const(_) | Expr::Symbol(_) => break,
                    }
                }
                keys.reverse();
                if let (Expr::Var(var), [keys]) = (self.game.exprs.get(root), &keys[..]) {
                    let mut found = Set::new();
                    for &key in keys {
                        match self.real(var, key).filter(|cell| !now || !self.written.contains(cell)) {
                            Some(cell) => found.extend(self.at_first(cell)?),
                            None => found.extend(self.values.entry(self.game, root, &[vec![key]])?),
                        }
                    }
                    return Some(found);
                }
                let keys: Vec<Vec<Symbol>> = keys.into_iter().map(|keys| keys.into_iter().collect()).collect();
                Some(self.values.entry(self.game, root, &keys)?.into_iter().collect())
            }
        }
    }

    /// What a cell had when the walk began.
    fn at_first(&self, cell: (VarId, Symbol)) -> Option<Set> {
        match self.cells.get(&cell) {
            Some(known) => Some(known.clone()),
            None => Some(self.values.ever_at(cell.0, cell.1)?.into_iter().collect()),
        }
    }

    /// The cell of a map of one level at a key, if there is one.
    fn real(&self, var: VarId, key: Symbol) -> Option<(VarId, Symbol)> {
        let (keys, _) = self.game.types.as_arrow(self.game.vars.get(var)?.ty)?;
        self.game.types.contains(keys, key).then_some((var, key))
    }

    /// The cell that an expression is, if it is one.
    fn cell(&self, mut expr: ExprId, at: Symbol) -> Option<(VarId, Symbol)> {
        while let Expr::Cast(_, inner) = self.game.exprs.get(expr) {
            expr = inner;
        }
        let Expr::Access(map, key) = self.game.exprs.get(expr) else { return None };
        let Expr::Var(var) = self.game.exprs.get(map) else { return None };
        self.real(var, only(&self.eval(key, at, true, MAX_DEPTH)?)?)
    }
}

/// The one member of a set.
fn only(set: &Set) -> Option<Symbol> {
    set.first().copied().filter(|_| set.len() == 1)
}
