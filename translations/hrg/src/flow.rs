//! A part of the automaton that becomes one graph: the rules from `begin` on, or the walks of a check.
//!
//! Nodes are numbered; two of them are special. What walks are not for is left out: those of the rules lead to an assignment of `player`, those of
//! a check to its end.

use rg_ir::{Expr, Game, Label, NodeId};
use rustc_hash::{FxHashMap, FxHashSet};

/// Where a graph is left: the end of a check.
pub(crate) const EXIT: usize = 0;
/// Where the game is over.
pub(crate) const OVER: usize = 1;

/// What is done on the way to the next node.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Step {
    /// Nothing.
    Skip,
    /// What an edge of the automaton does.
    Edge(Label),
    /// The game ends.
    End,
    /// Stores to which node a dispatch sends the walk.
    SetTarget(usize),
    /// Goes on only if that node is stored, or only if it is not.
    IfTarget(usize, bool),
    /// Stores that there is none.
    ClearTarget,
}

impl Step {
    /// The same question with the other answer.
    pub(crate) fn opposite(self) -> Option<Step> {
        match self {
            Step::Edge(Label::Compare { lhs, rhs, negated }) => {
                Some(Step::Edge(Label::Compare { lhs, rhs, negated: !negated }))
            }
            Step::Edge(Label::Reach { from, to, negated }) => {
                Some(Step::Edge(Label::Reach { from, to, negated: !negated }))
            }
            Step::IfTarget(node, holds) => Some(Step::IfTarget(node, !holds)),
            _ => None,
        }
    }
}

/// A step and where it leads.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Arc {
    pub(crate) step: Step,
    pub(crate) target: usize,
}

/// A part of the automaton.
#[derive(Clone, Debug, Default)]
pub(crate) struct Flow {
    pub(crate) entry: usize,
    /// What leaves each node.
    pub(crate) out: Vec<Vec<Arc>>,
    /// The nodes of RG, where there are any.
    pub(crate) origin: Vec<Option<NodeId>>,
}

impl Flow {
    /// A new node.
    pub(crate) fn node(&mut self, origin: Option<NodeId>) -> usize {
        self.out.push(Vec::new());
        self.origin.push(origin);
        self.out.len() - 1
    }

    /// What leaves a node.
    pub(crate) fn arcs(&self, node: usize) -> &[Arc] {
        self.out.get(node).map_or(&[], Vec::as_slice)
    }

    fn add(&mut self, node: usize, step: Step, target: usize) {
        if let Some(arcs) = self.out.get_mut(node) {
            let arc = Arc { step, target };
            // Of equal edges one does nothing.
            if !arcs.contains(&arc) {
                arcs.push(arc);
            }
        }
    }

    /// The number of arcs.
    pub(crate) fn size(&self) -> usize {
        self.out.iter().map(Vec::len).sum()
    }

    /// How many arcs lead to each node; the beginning counts as one.
    pub(crate) fn entered(&self) -> Vec<usize> {
        let mut entered = vec![0; self.out.len()];
        for target in self.out.iter().flatten().map(|arc| arc.target).chain([self.entry]) {
            if let Some(count) = entered.get_mut(target) {
                *count += 1;
            }
        }
        entered
    }

    /// The rules. Linear.
    pub(crate) fn rules(game: &Game) -> Self {
        let mut numbers = Numbers::new(game.end(), OVER);
        let begin = numbers.of(game.begin());
        while let Some((node, number)) = numbers.next() {
            for &edge in game.automaton.outgoing(node) {
                let edge = game.automaton.edge(edge);
                if edge.target != game.end() {
                    let Some(step) = step(game, edge.label) else { continue };
                    let target = numbers.of(edge.target);
                    numbers.flow.add(number, step, target);
                } else if game.ends_move(&edge.label) {
                    // Whose turn it would be does not matter any more.
                    numbers.flow.add(number, Step::End, OVER);
                }
                // Other walks into `end` are no moves.
            }
        }
        let mut flow = numbers.flow;
        flow.entry = begin;
        let ends = |arc: &Arc| match arc.step {
            Step::Edge(label) => game.ends_move(&label),
            Step::End => true,
            _ => false,
        };
        flow.keep(ends);
        flow.squeeze();
        flow
    }

    /// The walks of a check; `None` if there are none. Linear.
    pub(crate) fn check(game: &Game, from: NodeId, to: NodeId) -> Option<Self> {
        let mut numbers = Numbers::new(to, EXIT);
        let begin = numbers.of(from);
        while let Some((node, number)) = numbers.next() {
            for &edge in game.automaton.outgoing(node) {
                let edge = game.automaton.edge(edge);
                let step = match edge.label {
                    // Nobody looks at the tags of a check.
                    Label::Tag(_) | Label::TagVar(_) => Some(Step::Skip),
                    label => step(game, label),
                };
                let Some(step) = step else { continue };
                let target = numbers.of(edge.target);
                numbers.flow.add(number, step, target);
            }
        }
        let mut flow = numbers.flow;
        flow.entry = begin;
        flow.keep(|arc| arc.target == EXIT);
        flow.squeeze();
        (flow.entry == EXIT || !flow.arcs(flow.entry).is_empty()).then_some(flow)
    }

    /// Leaves the arcs that some walk needs for coming to one of those which are asked for.
    fn keep(&mut self, wanted: impl Fn(&Arc) -> bool) {
        let mut before: Vec<Vec<usize>> = vec![Vec::new(); self.out.len()];
        let mut useful = vec![false; self.out.len()];
        let mut left = Vec::new();
        for (node, arcs) in self.out.iter().enumerate() {
            for arc in arcs {
                if let Some(list) = before.get_mut(arc.target) {
                    list.push(node);
                }
            }
            if arcs.iter().any(&wanted) {
                left.push(node);
            }
        }
        while let Some(node) = left.pop() {
            if let Some(useful) = useful.get_mut(node).filter(|useful| !**useful) {
                *useful = true;
                left.extend(before.get(node).into_iter().flatten());
            }
        }
        for arcs in &mut self.out {
            arcs.retain(|arc| wanted(arc) || useful.get(arc.target).copied().unwrap_or(false));
        }
    }

    /// Goes directly where only a node without anything to do is between. Linear but for chains.
    fn squeeze(&mut self) {
        loop {
            let next: Vec<Option<usize>> = (0..self.out.len()).map(|node| self.through(node)).collect();
            let resolve = |mut node: usize| {
                // Nodes that lead to each other in a circle stay.
                for _ in 0..next.len() {
                    match next.get(node).copied().flatten() {
                        Some(further) => node = further,
                        None => return node,
                    }
                }
                node
            };
            let mut changed = false;
            let entry = resolve(self.entry);
            changed |= entry != self.entry;
            self.entry = entry;
            for arcs in &mut self.out {
                for arc in arcs.iter_mut() {
                    let target = resolve(arc.target);
                    changed |= target != arc.target;
                    arc.target = target;
                }
                let mut seen = FxHashSet::default();
                arcs.retain(|arc| seen.insert(*arc));
                changed |= decided(arcs);
            }
            if !changed {
                break;
            }
        }
        self.forget_unreachable();
    }

    /// Where a node leads to without doing anything.
    fn through(&self, node: usize) -> Option<usize> {
        match self.arcs(node) {
            [Arc { step: Step::Skip | Step::Edge(Label::Skip), target }] if *target != node => Some(*target),
            _ => None,
        }
    }

    fn forget_unreachable(&mut self) {
        let mut seen = vec![false; self.out.len()];
        let mut left = vec![self.entry];
        while let Some(node) = left.pop() {
            if let Some(seen) = seen.get_mut(node).filter(|seen| !**seen) {
                *seen = true;
                left.extend(self.arcs(node).iter().map(|arc| arc.target));
            }
        }
        for (arcs, seen) in self.out.iter_mut().zip(seen) {
            if !seen {
                arcs.clear();
            }
        }
    }

    /// Lets arcs go to a dispatch, which goes on to where they led: afterwards all of them meet in one node, and no target has more than one
    /// of them. `chosen` says which arcs, by their source.
    pub(crate) fn dispatch(&mut self, chosen: impl Fn(usize, &Arc) -> bool) {
        let hub = self.node(None);
        let mut targets: Vec<usize> = Vec::new();
        for node in 0..hub {
            for index in 0..self.arcs(node).len() {
                let Some(&arc) = self.arcs(node).get(index).filter(|arc| chosen(node, arc)) else { continue };
                if !targets.contains(&arc.target) {
                    targets.push(arc.target);
                }
                let chosen = Arc { step: Step::SetTarget(arc.target), target: hub };
                let between = match arc.step {
                    Step::Skip | Step::Edge(Label::Skip) => chosen,
                    step => {
                        let between = self.node(None);
                        self.add(between, chosen.step, chosen.target);
                        Arc { step, target: between }
                    }
                };
                if let Some(place) = self.out.get_mut(node).and_then(|arcs| arcs.get_mut(index)) {
                    *place = between;
                }
            }
        }
        // One question after the other; what is stored is one of the targets.
        let mut at = hub;
        while let Some(target) = targets.pop() {
            if targets.is_empty() {
                self.add(at, Step::ClearTarget, target);
                break;
            }
            let (found, next) = (self.node(None), self.node(None));
            self.add(found, Step::ClearTarget, target);
            self.add(at, Step::IfTarget(target, true), found);
            self.add(at, Step::IfTarget(target, false), next);
            at = next;
        }
    }

    /// Begins in a node that nothing leads to.
    pub(crate) fn begin_anew(&mut self) {
        let entry = self.node(None);
        self.add(entry, Step::Skip, self.entry);
        self.entry = entry;
    }
}

/// Replaces a question both answers of which lead to the same node; whether there was one.
fn decided(arcs: &mut [Arc]) -> bool {
    for a in 0..arcs.len() {
        let Some(&first) = arcs.get(a) else { continue };
        let Some(opposite) = first.step.opposite() else { continue };
        let Some(b) = arcs.iter().position(|arc| *arc == Arc { step: opposite, ..first }) else { continue };
        for index in [a, b] {
            if let Some(arc) = arcs.get_mut(index) {
                arc.step = Step::Skip;
            }
        }
        return true;
    }
    false
}

/// What an edge does; nothing if no walk comes through. Symbols that are compared with each other need not be in any type.
fn step(game: &Game, label: Label) -> Option<Step> {
    if let Label::Compare { lhs, rhs, negated } = label
        && let (Expr::Symbol(a), Expr::Symbol(b)) = (game.exprs.get(lhs), game.exprs.get(rhs))
    {
        return ((a == b) != negated).then_some(Step::Skip);
    }
    if let Label::Reach { from, to, negated } = label
        && from == to
    {
        return (!negated).then_some(Step::Skip);
    }
    Some(Step::Edge(label))
}

/// Numbers of nodes, given as walks come by.
struct Numbers {
    flow: Flow,
    numbers: FxHashMap<NodeId, usize>,
    left: Vec<(NodeId, usize)>,
}

impl Numbers {
    /// The node `last` has the number of a special one, and is not left.
    fn new(last: NodeId, special: usize) -> Self {
        let mut flow = Flow::default();
        flow.node(None);
        flow.node(None);
        Self { flow, numbers: [(last, special)].into_iter().collect(), left: Vec::new() }
    }

    fn of(&mut self, node: NodeId) -> usize {
        if let Some(&number) = self.numbers.get(&node) {
            return number;
        }
        let number = self.flow.node(Some(node));
        self.numbers.insert(node, number);
        self.left.push((node, number));
        number
    }

    fn next(&mut self) -> Option<(NodeId, usize)> {
        self.left.pop()
    }
}
