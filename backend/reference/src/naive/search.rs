//! The searches of the naive engine: moves, and reachability checks.

use super::inspect::Inspector;
use super::probe::Probe;
use super::{Cells, Labelled, Naive, Space, Val};
use engine::error::{Error, ErrorKind, ambiguous};
use rg_ir::ids::Id;
use rg_ir::{EdgeId, Label, NodeId, Symbol};
use rustc_hash::FxHashSet;
use std::collections::BTreeMap;

/// One search for moves, with the checks in it.
pub(super) struct Search<'a> {
    pub(super) engine: &'a Naive,
    pub(super) steps: u64,
    /// Bytes of states made so far.
    pub(super) memory: u64,
    pub(super) active: Vec<(Cells, NodeId, NodeId)>,
    /// Whether outcomes that differ in dead variables only count apart.
    pub(super) strict: bool,
    /// Somebody who notes where walks arrive.
    pub(super) probe: Option<Probe>,
    /// Somebody who notes what walks cross.
    pub(super) inspector: Option<Inspector>,
}

/// The labels found, with all outcomes of each, every one with the cells as the state keeps them and who saw the tags.
pub(super) type Found = BTreeMap<Vec<u32>, BTreeMap<(Cells, NodeId), (Cells, Vec<u64>)>>;

impl<'a> Search<'a> {
    pub(super) fn new(engine: &'a Naive) -> Self {
        Self { engine, steps: 0, memory: 0, active: Vec::new(), strict: false, probe: None, inspector: None }
    }

    fn step(&mut self, node: NodeId) -> Result<(), Error> {
        self.steps += 1;
        if self.steps > self.engine.limits.naive_steps {
            let message = format!("the search took more than {} steps", self.engine.limits.naive_steps);
            return Err(Error::new(ErrorKind::Limit, self.engine.game.node_name(node), message));
        }
        Ok(())
    }

    /// Accounts for `copies` of a state and a label.
    pub(super) fn remember(&mut self, node: NodeId, copies: usize, cells: usize, tags: usize) -> Result<(), Error> {
        let bytes = copies as u64 * (4 * cells as u64 + 16 * tags as u64 + 64);
        self.memory = self.memory.saturating_add(bytes);
        if self.memory > self.engine.limits.memory {
            let message = format!("the search met its limit of {} bytes", self.engine.limits.memory);
            return Err(Error::new(ErrorKind::Limit, self.engine.game.node_name(node), message));
        }
        Ok(())
    }

    pub(super) fn moves(&mut self, cells: Cells, node: NodeId) -> Result<Found, Error> {
        let engine = self.engine;
        let search = self.probe.as_mut().map_or(0, Probe::begin);
        let (mut found, mut count) = (Found::new(), 0u64);
        let mut visited: FxHashSet<(NodeId, Labelled, Cells)> = FxHashSet::default();
        let mut stack: Vec<(NodeId, Labelled, Cells)> = vec![(node, Labelled::new(), cells)];
        while let Some(item) = stack.pop() {
            let again = !visited.insert(item.clone());
            if let Some(probe) = &mut self.probe {
                probe.arrive(search, None, item.0, &item.1, &item.2, again);
            }
            if again {
                continue;
            }
            let (node, label, cells) = item;
            self.step(node)?;
            if node == engine.game.end() {
                continue;
            }
            if label.len() as u64 > engine.limits.tags {
                let message = format!("a move has more than {} tags", engine.limits.tags);
                return Err(Error::new(ErrorKind::Limit, engine.game.node_name(node), message));
            }
            for &id in engine.game.automaton.outgoing(node).iter().rev() {
                let edge = engine.game.automaton.edge(id);
                let tag = match edge.label {
                    Label::Tag(tag) => Some(tag.index() as u32),
                    Label::TagVar(var) => Some(engine.read(&cells, Space::State, engine.offsets[var])),
                    _ => None,
                };
                let copies = match edge.label {
                    Label::AssignAny { ty, .. } => engine.game.types.members(ty).len(),
                    _ => 1,
                };
                self.remember(node, copies, cells.len(), label.len() + 1)?;
                if let Some(tag) = tag {
                    let mut label = label.clone();
                    label.push((tag, engine.visibility(&cells)));
                    stack.push((edge.target, label, cells.clone()));
                    if let Some(inspector) = &mut self.inspector {
                        inspector.cross(id);
                    }
                    continue;
                }
                for next in self.inspected(&cells, id)?.into_iter().rev() {
                    if engine.game.ends_move(&edge.label) {
                        let (tags, masks): (Vec<u32>, Vec<u64>) = label.iter().copied().unzip();
                        let cells =
                            if self.strict { next.clone() } else { engine.canonical(next.clone(), edge.target) };
                        let kept = if engine.keep_dead { next } else { cells.clone() };
                        let outcome = (cells, edge.target);
                        let outcomes = found.get(&tags);
                        if outcomes.is_some_and(|outcomes| outcomes.contains_key(&outcome)) {
                            continue;
                        }
                        if outcomes.is_some() && !engine.split && !self.strict {
                            return Err(self.ambiguous(node, &tags));
                        }
                        if count >= engine.limits.moves {
                            let message = format!("there are more than {} legal moves", engine.limits.moves);
                            return Err(Error::new(ErrorKind::Limit, engine.game.node_name(node), message));
                        }
                        count += 1;
                        found.entry(tags).or_default().insert(outcome, (kept, masks));
                    } else {
                        stack.push((edge.target, label.clone(), next));
                    }
                }
            }
        }
        Ok(found)
    }

    fn ambiguous(&self, node: NodeId, tags: &[u32]) -> Error {
        let game = &self.engine.game;
        let names: Vec<&str> = tags.iter().map(|&tag| game.name(Symbol::from_index(tag as usize))).collect();
        Error::new(ErrorKind::Ambiguous, game.node_name(node), ambiguous(&names))
    }

    /// States after one edge, with a look on.
    fn inspected(&mut self, cells: &Cells, id: EdgeId) -> Result<Vec<Cells>, Error> {
        if let Some(inspector) = &mut self.inspector {
            inspector.meet(self.engine, cells, id)?;
        }
        let next = self.successors(cells, self.engine.game.automaton.edge(id).label)?;
        if let Some(inspector) = self.inspector.as_mut().filter(|_| !next.is_empty()) {
            inspector.cross(id);
        }
        Ok(next)
    }

    /// States after one edge; tags are nothing here.
    pub(super) fn successors(&mut self, cells: &Cells, label: Label) -> Result<Vec<Cells>, Error> {
        let engine = self.engine;
        let keep = |yes: bool| if yes { vec![cells.clone()] } else { Vec::new() };
        Ok(match label {
            Label::Skip | Label::Tag(_) | Label::TagVar(_) => keep(true),
            Label::Compare { lhs, rhs, negated } => {
                let equal = engine.equal(cells, engine.eval(cells, lhs)?, engine.eval(cells, rhs)?);
                keep(equal != negated)
            }
            Label::Assign { lhs, rhs } => vec![engine.assign(cells, lhs, engine.eval(cells, rhs)?)?],
            Label::AssignAny { lhs, ty } => {
                let members = engine.game.types.members(ty);
                let values = members.iter().map(|s| engine.assign(cells, lhs, Val::Symbol(s.index() as u32)));
                values.collect::<Result<_, _>>()?
            }
            Label::Reach { from, to, negated } => keep(self.reaches(cells, from, to)? != negated),
        })
    }

    pub(super) fn reaches(&mut self, cells: &Cells, from: NodeId, to: NodeId) -> Result<bool, Error> {
        let engine = self.engine;
        if self.active.iter().any(|(c, f, t)| (*f, *t) == (from, to) && c == cells) {
            let message = "a reachability check needs its own result";
            return Err(Error::new(ErrorKind::Recursion, engine.game.node_name(from), message));
        }
        if self.active.len() as u64 >= engine.limits.check_depth {
            let message = format!("reachability checks nest more than {} deep", engine.limits.check_depth);
            return Err(Error::new(ErrorKind::Recursion, engine.game.node_name(from), message));
        }
        self.active.push((cells.clone(), from, to));
        let found = self.walk(cells, from, to);
        self.active.pop();
        found
    }

    fn walk(&mut self, cells: &Cells, from: NodeId, to: NodeId) -> Result<bool, Error> {
        let search = self.probe.as_mut().map_or(0, Probe::begin);
        let mut visited: FxHashSet<(NodeId, Cells)> = FxHashSet::default();
        let mut stack = vec![(from, cells.clone())];
        let mut found = false;
        while let Some(item) = stack.pop() {
            if item.0 == to {
                // Who looks on wants to see the other ways, too.
                if self.inspector.is_none() {
                    return Ok(true);
                }
                found = true;
                continue;
            }
            let again = !visited.insert(item.clone());
            if let Some(probe) = &mut self.probe {
                probe.arrive(search, Some(to), item.0, &[], &item.1, again);
            }
            if again {
                continue;
            }
            let (node, cells) = item;
            match self.ahead(node, &cells) {
                Ok(next) => stack.extend(next.into_iter().rev()),
                // The answer is known.
                Err(_) if found => return Ok(true),
                Err(error) => return Err(error),
            }
        }
        Ok(found)
    }

    /// Where a walk of a check can go next, in the order of the edges.
    fn ahead(&mut self, node: NodeId, cells: &Cells) -> Result<Vec<(NodeId, Cells)>, Error> {
        self.step(node)?;
        let mut ahead = Vec::new();
        for &id in self.engine.game.automaton.outgoing(node) {
            let edge = self.engine.game.automaton.edge(id);
            let copies = match edge.label {
                Label::AssignAny { ty, .. } => self.engine.game.types.members(ty).len(),
                _ => 1,
            };
            self.remember(node, copies, cells.len(), 0)?;
            ahead.extend(self.inspected(cells, id)?.into_iter().map(|next| (edge.target, next)));
        }
        Ok(ahead)
    }
}
