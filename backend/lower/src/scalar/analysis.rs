//! What is known of a search before it is written: where its walks meet and what is live there, which nodes are marked, and what checks need.

use super::super::region::{self, Region};
use super::super::{Failure, Lifter};
use super::area::{Area, Kept, Mark};
use super::certain::{self, Certainty};
use super::parting::Parting;
use super::{Goal, Labels};
use fixedbitset::FixedBitSet;
use passes::effects;
use rg_ir::ids::Id;
use rg_ir::{EdgeId, Label, NodeId, VarId};
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

/// Most marks of a node, and of one in a loop that may go on for ever.
const MAX_MARKS: u64 = 1 << 10;
const MAX_MARKS_IN_LOOPS: u64 = 1 << 13;

/// Up to how many walks a check makes its answer is found anew each time.
const FEW_WALKS: usize = 8;

/// Limits of inlining at a head, in edges: for one copy; for one copy where there are many; for all copies together.
const MAX_SHORT: usize = 6;
const MIN_INLINED: usize = 2;
const MAX_INLINED: usize = 24;

/// The variables that are live where a check begins.
enum Needs {
    Known(FixedBitSet),
    /// Those of this node of the area that is being analysed: checks to one node may be nested.
    Here(NodeId),
}

impl Lifter<'_> {
    /// What searches for a goal walk, from wherever they begin.
    pub(super) fn area(&mut self, goal: Goal) -> Result<Rc<Area>, Failure> {
        if let Some(area) = self.searches.areas.get(&goal) {
            return Ok(area.clone());
        }
        if !self.searches.open.insert(goal) {
            return Err(Failure::new("a check needs its own result"));
        }
        let area = Rc::new(self.analysed(goal)?);
        self.searches.open.remove(&goal);
        self.searches.areas.insert(goal, area.clone());
        Ok(area)
    }

    /// What a check needs, where it begins, for a search that evaluates it.
    fn needs(&mut self, goal: Goal, (from, to): (NodeId, NodeId)) -> Result<Needs, Failure> {
        if goal == Goal::Check(to) {
            return Ok(Needs::Here(from));
        }
        let check = self.area(Goal::Check(to))?;
        Ok(Needs::Known(check.live.as_ref().and_then(|live| live.get(&from)).cloned().unwrap_or_default()))
    }

    /// Where searches for a goal begin.
    fn starts(&self, goal: Goal) -> Vec<NodeId> {
        let edges = self.game.automaton.edges();
        let mut starts: Vec<NodeId> = match goal {
            Goal::List(_) | Goal::Nth(_) | Goal::Make | Goal::Label => {
                self.known.nodes.iter().copied().filter(|&node| node != self.game.end()).collect()
            }
            Goal::Tail => {
                self.known.tails.iter().flat_map(|tails| tails.rest.keys()).map(|&id| self.led_to(id).0).collect()
            }
            Goal::Keep => {
                let led = edges.filter(|(_, edge)| self.game.ends_move(&edge.label)).map(|(id, _)| self.led_to(id));
                led.filter(|(_, keepers)| *keepers).map(|(target, _)| target).collect()
            }
            Goal::Check(wanted) => {
                let from = |label: &Label| match *label {
                    Label::Reach { from, to, .. } if to == wanted => Some(from),
                    _ => None,
                };
                edges.filter_map(|(_, edge)| from(&edge.label)).collect()
            }
        };
        starts.sort_unstable();
        starts.dedup();
        starts
    }

    fn analysed(&mut self, goal: Goal) -> Result<Area, Failure> {
        let starts = self.starts(goal);
        let sought = match goal {
            Goal::List(_) | Goal::Nth(_) | Goal::Make | Goal::Label | Goal::Tail => region::Goal::Moves,
            Goal::Keep => region::Goal::Keeper,
            Goal::Check(to) => region::Goal::Check(to),
        };
        let mut region = Region::new(self.game, sought, &starts);
        if goal == Goal::Tail {
            region.retain(|node| self.is_in_tail(node));
        }
        let region = Rc::new(region);
        self.work += region.component.len();
        let partings = self.partings();
        let mut area = Area {
            goal,
            region,
            heads: FxHashSet::default(),
            live: None,
            keeps: if matches!(goal, Goal::Nth(_) | Goal::Make | Goal::Keep) { Kept::All } else { Kept::Nothing },
            marks: FxHashMap::default(),
            checks: false,
            answers: FxHashMap::default(),
            nested: FxHashSet::default(),
            partings,
            certainty: Certainty::default(),
            needs_tags: matches!(goal, Goal::Label | Goal::Tail | Goal::Nth(_) | Goal::List(Labels::Compared)),
            marks_ahead: Vec::new(),
            checks_ahead: Vec::new(),
        };
        area.certainty = certain::of(self, &area);
        let nodes: Vec<NodeId> = area.region.members.iter().flatten().copied().collect();
        if !area.needs_tags && matches!(goal, Goal::List(_)) && !self.nodes_to_mark(&area, &nodes).is_empty() {
            area.needs_tags = true;
            area.certainty = certain::of(self, &area);
        }
        let mut arrivals: FxHashMap<NodeId, usize> = FxHashMap::default();
        starts.iter().for_each(|&start| *arrivals.entry(start).or_default() += 1);
        for &node in nodes.iter().filter(|&&node| goal != Goal::Check(node)) {
            for id in area.ways(self, node).into_iter().filter(|&id| !area.ends(self, id)) {
                *arrivals.entry(self.game.automaton.edge(id).target).or_default() += 1;
            }
        }
        let checks = if matches!(goal, Goal::Make | Goal::Label) {
            FxHashMap::default()
        } else {
            self.checks_of(&mut area, &nodes)?
        };
        area.heads = arrivals.iter().filter(|(_, count)| **count > 1).map(|(&node, _)| node).collect();
        if matches!(goal, Goal::List(_) | Goal::Nth(_) | Goal::Label | Goal::Tail | Goal::Check(_)) {
            area.live = Some(self.live_in(&area, &nodes, &checks));
        }
        match goal {
            Goal::List(_) | Goal::Check(_) => self.mark_nodes(&mut area, &nodes),
            Goal::Nth(labels) => area.mark_as(&*self.area(Goal::List(labels))?),
            Goal::Make | Goal::Label | Goal::Tail | Goal::Keep => {}
        }
        self.inline_short(&mut area, &starts, &arrivals);
        if matches!(goal, Goal::Check(_)) && self.takes_long(&area, &nodes) {
            for &start in &starts {
                let vars = area.parameters(self, start);
                if let Some(answers) = self.reserved(vars, MAX_MARKS) {
                    area.answers.insert(start, answers);
                }
            }
        }
        let is_marked = |members: &Vec<NodeId>| members.iter().any(|&node| area.mark(node).is_some());
        let marked: Vec<bool> = area.region.members.iter().map(is_marked).collect();
        let none = vec![false; marked.len()];
        area.marks_ahead = area.ahead(self, marked, |_| false);
        let checks_ahead = area.ahead(self, none, |label| matches!(label, Label::Reach { .. }));
        area.checks_ahead = checks_ahead.into_iter().map(|ahead| ahead && area.checks).collect();
        Ok(area)
    }

    /// What the checks need that an area evaluates, by their edges.
    fn checks_of(&mut self, area: &mut Area, nodes: &[NodeId]) -> Result<FxHashMap<EdgeId, Needs>, Failure> {
        let mut checks = FxHashMap::default();
        for &node in nodes.iter().filter(|&&node| area.goal != Goal::Check(node)) {
            for id in area.ways(self, node) {
                let Label::Reach { from, to, .. } = self.game.automaton.edge(id).label else { continue };
                let needs = self.needs(area.goal, (from, to))?;
                if let Needs::Here(from) = needs {
                    area.nested.insert(from);
                    area.checks = true;
                } else {
                    let check = self.area(Goal::Check(to))?;
                    area.checks |= check.checks || !check.answers.is_empty();
                }
                checks.insert(id, needs);
            }
        }
        Ok(checks)
    }

    /// The tag of an edge, for those who read labels: it may be left out of the game as it is searched.
    pub(super) fn full_label(&self, goal: Goal, id: EdgeId) -> Option<Label> {
        let label = self
            .known
            .labelled
            .filter(|_| matches!(goal, Goal::Label | Goal::Tail | Goal::Nth(_)))?
            .automaton
            .edge(id)
            .label;
        matches!(label, Label::Tag(_) | Label::TagVar(_)).then_some(label)
    }

    /// Live variables: what tests read, and what values are computed from that are. By node, to a fixed point.
    fn live_in(
        &self,
        area: &Area,
        nodes: &[NodeId],
        checks: &FxHashMap<EdgeId, Needs>,
    ) -> FxHashMap<NodeId, FixedBitSet> {
        let empty = FixedBitSet::with_capacity(self.game.vars.len());
        let mut live: FxHashMap<NodeId, FixedBitSet> = nodes.iter().map(|&node| (node, empty.clone())).collect();
        let mut changed = true;
        while changed {
            changed = false;
            for &node in nodes.iter().rev() {
                if area.goal == Goal::Check(node) {
                    continue;
                }
                let mut all = empty.clone();
                for id in area.ways(self, node) {
                    if area.ends(self, id) {
                        continue;
                    }
                    let edge = self.game.automaton.edge(id);
                    let full = self.full_label(area.goal, id);
                    let mut fact = live.get(&edge.target).cloned().unwrap_or_else(|| empty.clone());
                    let write = effects::write(self.game, &edge.label);
                    let dead = write.is_some_and(|write| !fact.contains(write.var.index()));
                    if let Some(write) = write.filter(|write| write.whole) {
                        fact.remove(write.var.index());
                    }
                    let needed = match (full.unwrap_or(edge.label), area.goal) {
                        (Label::TagVar(_), _) => area.needs_tags,
                        // Tests of a move that is made only show the way.
                        (Label::Compare { .. }, Goal::Label) => {
                            matches!(area.partings.get(node.index()), Some(Parting::Tests { .. }))
                        }
                        (Label::Compare { .. }, _) => true,
                        _ => !dead,
                    };
                    if needed {
                        effects::reads(self.game, &full.unwrap_or(edge.label), |var| fact.insert(var.index()));
                    }
                    match checks.get(&id) {
                        Some(Needs::Known(check)) => fact.union_with(check),
                        Some(Needs::Here(from)) => fact.union_with(live.get(from).unwrap_or(&empty)),
                        None => {}
                    }
                    all.union_with(&fact);
                }
                if let Some(slot) = live.get_mut(&node).filter(|slot| **slot != all) {
                    *slot = all;
                    changed = true;
                }
            }
        }
        live
    }

    /// Where walks may come twice with the same values: nodes that are marked in the search over packed states, too, but for those
    /// that are visited once ([`labels`](super::labels)).
    fn nodes_to_mark(&mut self, area: &Area, nodes: &[NodeId]) -> Vec<NodeId> {
        let marked = self.known.walks.map_or(&[][..], |walks| walks.marked);
        let is_marked = |node: &NodeId| marked.get(node.index()) == Some(&true) && !area.is_certain(*node);
        let mut marked: Vec<NodeId> = nodes.iter().copied().filter(is_marked).collect();
        if matches!(area.goal, Goal::List(_) | Goal::Nth(_)) && !marked.is_empty() {
            let labels = self.walk_labels();
            marked.retain(|&node| !labels.is_visited_once(node, area.has_loop_that_ends(node)));
        }
        marked
    }

    /// Marks nodes where walks may come twice with the same values.
    fn mark_nodes(&mut self, area: &mut Area, nodes: &[NodeId]) {
        let marked = self.nodes_to_mark(area, nodes);
        if area.goal == Goal::List(Labels::Compared) && !marked.is_empty() {
            area.keeps = Kept::Marked;
        }
        let written = self.written_in_scopes(area, nodes);
        for node in marked {
            let none = FixedBitSet::new();
            let written = written.get(&node).unwrap_or(&none);
            let vars = area.parameters(self, node).into_iter().filter(|var| written.contains(var.index()));
            let endless = area.is_cyclic(node) && !area.has_loop_that_ends(node);
            let most = if endless { MAX_MARKS_IN_LOOPS } else { MAX_MARKS };
            if let Some(mark) = self.reserved(vars.collect(), most) {
                area.marks.insert(node, mark);
                area.heads.insert(node);
            }
        }
    }

    /// Gives up heads that lead to other heads within a few edges: their code is inlined wherever walks arrive. What a head leads to is decided
    /// before it, so that the code that is inlined there counts, too: each of many branches in a row would double it otherwise.
    fn inline_short(&self, area: &mut Area, starts: &[NodeId], arrivals: &FxHashMap<NodeId, usize>) {
        for head in self.targets_first(area, starts) {
            if !area.heads.contains(&head) || starts.contains(&head) || area.mark(head).is_some() {
                continue;
            }
            let room = MAX_INLINED / arrivals.get(&head).copied().unwrap_or(1).max(1);
            let mut left = room.clamp(MIN_INLINED, MAX_SHORT);
            if self.is_short(area, (head, head), &mut left) {
                area.heads.remove(&head);
            }
        }
    }

    /// The nodes of an area, each behind those that its ways lead to, but for ways back: the post-order of a depth-first search.
    fn targets_first(&self, area: &Area, starts: &[NodeId]) -> Vec<NodeId> {
        let mut seen: FxHashSet<NodeId> = FxHashSet::default();
        let mut order = Vec::new();
        let mut open: Vec<(NodeId, Vec<NodeId>)> = Vec::new();
        let targets = |node: NodeId| {
            let ways = area.ways(self, node).into_iter().filter(|&id| !area.ends(self, id));
            ways.map(|id| self.game.automaton.edge(id).target).collect::<Vec<NodeId>>()
        };
        for &start in starts.iter().filter(|&&start| area.region.contains(start)) {
            if !seen.insert(start) {
                continue;
            }
            open.push((start, targets(start)));
            while let Some((node, rest)) = open.last_mut() {
                match rest.pop() {
                    Some(next) if seen.insert(next) => open.push((next, targets(next))),
                    Some(_) => {}
                    None => {
                        order.push(*node);
                        open.pop();
                    }
                }
            }
        }
        order
    }

    /// Whether all walks from a node reach a head or an end within `left` edges, without a choice of a value or a check, and without coming
    /// back to `head`.
    fn is_short(&self, area: &Area, (head, node): (NodeId, NodeId), left: &mut usize) -> bool {
        area.ways(self, node).into_iter().all(|id| {
            let edge = self.game.automaton.edge(id);
            let Some(rest) = left.checked_sub(1) else { return false };
            *left = rest;
            if area.ends(self, id) {
                return true;
            }
            edge.target != head
                && !matches!(edge.label, Label::AssignAny { .. } | Label::Reach { .. })
                && (area.heads.contains(&edge.target) || self.is_short(area, (head, edge.target), left))
        })
    }

    /// Words for each combination of values of some variables; `None` if there are more than `most`.
    fn reserved(&mut self, vars: Vec<VarId>, most: u64) -> Option<Mark> {
        let sized = vars.into_iter().map(|var| {
            let form = self.known.numbers.vars.get(var)?.as_ref().ok()?;
            Some((var, self.known.numbers.size(form.class).max(1) as u64))
        });
        let sized = sized.collect::<Option<Vec<(VarId, u64)>>>()?;
        let size = sized.iter().try_fold(1u64, |size, (_, more)| size.checked_mul(*more));
        let base = size.filter(|&size| size <= most).and_then(|size| self.reserve_marks(size as u32))?;
        Some((base, sized))
    }

    /// Whether a check is more than a few tests: it has loops, choices of many values, or checks of its own.
    fn takes_long(&self, area: &Area, nodes: &[NodeId]) -> bool {
        let choices = |id: EdgeId| match self.game.automaton.edge(id).label {
            Label::AssignAny { ty, .. } => self.game.types.members(ty).len(),
            _ => 1,
        };
        let ways = nodes.iter().flat_map(|&node| area.ways(self, node));
        let asks = |id: EdgeId| matches!(self.game.automaton.edge(id).label, Label::Reach { .. });
        let walks = ways.clone().fold(1, |walks: usize, id| walks.saturating_mul(choices(id)));
        walks > FEW_WALKS || ways.clone().any(asks) || nodes.iter().any(|&node| area.is_cyclic(node))
    }

    /// By node, the single variables that may have been written since the scope began. To a fixed point.
    fn written_in_scopes(&self, area: &Area, nodes: &[NodeId]) -> FxHashMap<NodeId, FixedBitSet> {
        let empty = FixedBitSet::with_capacity(self.game.vars.len());
        let mut written: FxHashMap<NodeId, FixedBitSet> = nodes.iter().map(|&node| (node, empty.clone())).collect();
        let mut changed = true;
        while changed {
            changed = false;
            for &node in nodes.iter().filter(|&&node| area.goal != Goal::Check(node)) {
                let here = written.get(&node).cloned().unwrap_or_default();
                for id in area.ways(self, node) {
                    let edge = self.game.automaton.edge(id);
                    if area.ends(self, id) || area.opens(self, id) {
                        continue;
                    }
                    let mut next = here.clone();
                    if let Some(write) = effects::write(self.game, &edge.label) {
                        next.insert(write.var.index());
                    }
                    if let Some(slot) = written.get_mut(&edge.target).filter(|slot| !next.is_subset(slot)) {
                        slot.union_with(&next);
                        changed = true;
                    }
                }
            }
        }
        written
    }
}
