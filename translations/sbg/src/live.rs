//! Which slots matter where: those that some walk from there reads before it assigns them.

use crate::model::{Model, Role, Root};
use rg_ir::{ExprId, Label, NodeId, VarId};
use rustc_hash::{FxHashMap, FxHashSet};

/// A set of slots.
pub(crate) type SlotSet = u128;

/// What a walk is to answer: how the play goes on, or whether it comes to a node.
pub(crate) type Question = Option<NodeId>;

/// For each question the slots that matter at nodes from which a walk leads on to an answer.
#[derive(Default)]
pub(crate) struct Live {
    tables: FxHashMap<Question, FxHashMap<NodeId, SlotSet>>,
    /// Nodes from which a walk comes to an edge where another player takes over.
    hands_over: FxHashSet<NodeId>,
    /// Nodes from which a walk comes to a cycle.
    cyclic: FxHashSet<NodeId>,
}

impl Live {
    /// Solves the data-flow equations for all questions together: checks ask questions of their own.
    pub(crate) fn new(model: &Model<'_>) -> Self {
        let mut live = Self { tables: FxHashMap::default(), hands_over: hands_over(model), cyclic: cyclic(model) };
        live.tables.insert(None, FxHashMap::default());
        for (_, edge) in model.game.automaton.edges() {
            if let Label::Reach { to, .. } = edge.label {
                live.tables.entry(Some(to)).or_default();
            }
        }
        let questions: Vec<Question> = live.tables.keys().copied().collect();
        while questions.iter().filter(|&&question| live.solve(model, question)).count() > 0 {}
        live
    }

    /// The slots that matter at a node; `None` if no walk from there answers the question.
    pub(crate) fn at(&self, question: Question, node: NodeId) -> Option<SlotSet> {
        self.tables.get(&question)?.get(&node).copied()
    }

    /// Whether a player may make moves from a node on, the keeper's included.
    pub(crate) fn hands_over(&self, node: NodeId) -> bool {
        self.hands_over.contains(&node)
    }

    /// Whether walks may go on from a node for ever.
    pub(crate) fn is_endless(&self, node: NodeId) -> bool {
        self.cyclic.contains(&node)
    }

    /// Solves the equations of one question, given what is known of the others; whether anything is new.
    fn solve(&mut self, model: &Model<'_>, question: Question) -> bool {
        let mut table = self.tables.remove(&question).unwrap_or_default();
        let answer = question.unwrap_or(model.game.end());
        let scores = model.scores.iter().fold(0, |set, &slot| set | bit(slot));
        let mut changed = add(&mut table, answer, if question.is_none() { scores } else { 0 });
        let mut pending: Vec<NodeId> = model.game.automaton.nodes().collect();
        while let Some(node) = pending.pop() {
            rg_ir::cancel::check();
            let Some(&after) = table.get(&node) else { continue };
            for &edge in model.game.automaton.incoming(node) {
                let edge = model.game.automaton.edge(edge);
                if question == Some(edge.source) {
                    continue;
                }
                let inside = match edge.label {
                    Label::Reach { from, to, .. } if question == Some(to) => table.get(&from).copied(),
                    Label::Reach { from, to, .. } => self.at(Some(to), from),
                    _ => None,
                };
                let before = before(model, &edge.label, after) | inside.unwrap_or(0);
                if add(&mut table, edge.source, before) {
                    changed = true;
                    pending.push(edge.source);
                }
            }
        }
        self.tables.insert(question, table);
        changed
    }
}

/// Whether another player takes over at an edge.
pub(crate) fn takes_over(model: &Model<'_>, label: &Label) -> bool {
    match *label {
        Label::Assign { lhs, .. } | Label::AssignAny { lhs, .. } => {
            matches!(model.spine(lhs).0, Root::Var(var) if matches!(model.roles[var], Role::Player))
        }
        _ => false,
    }
}

/// The nodes from which a walk comes to an edge where another player takes over.
fn hands_over(model: &Model<'_>) -> FxHashSet<NodeId> {
    let automaton = &model.game.automaton;
    let mut pending: Vec<NodeId> =
        automaton.edges().filter(|(_, edge)| takes_over(model, &edge.label)).map(|(_, edge)| edge.source).collect();
    let mut found = FxHashSet::default();
    while let Some(node) = pending.pop() {
        if found.insert(node) {
            pending.extend(automaton.incoming(node).iter().map(|&edge| automaton.edge(edge).source));
        }
    }
    found
}

/// The nodes from which a walk comes to a cycle: those that are left when nodes without ways on are taken out, again and again.
fn cyclic(model: &Model<'_>) -> FxHashSet<NodeId> {
    let automaton = &model.game.automaton;
    let mut ways: FxHashMap<NodeId, usize> =
        automaton.nodes().map(|node| (node, automaton.outgoing(node).len())).collect();
    let mut pending: Vec<NodeId> = ways.iter().filter(|(_, ways)| **ways == 0).map(|(&node, _)| node).collect();
    while let Some(node) = pending.pop() {
        ways.remove(&node);
        for &edge in automaton.incoming(node) {
            let source = automaton.edge(edge).source;
            if let Some(left) = ways.get_mut(&source) {
                *left -= 1;
                if *left == 0 {
                    pending.push(source);
                }
            }
        }
    }
    ways.into_keys().collect()
}

/// The set of one slot.
pub(crate) fn bit(slot: usize) -> SlotSet {
    u32::try_from(slot).ok().and_then(|slot| 1u128.checked_shl(slot)).unwrap_or(0)
}

/// Adds slots to those of a node; whether that is new.
fn add(table: &mut FxHashMap<NodeId, SlotSet>, node: NodeId, more: SlotSet) -> bool {
    match table.get_mut(&node) {
        Some(known) => {
            let before = *known;
            *known |= more;
            *known != before
        }
        None => table.insert(node, more).is_none(),
    }
}

/// What matters before an edge if `after` does behind it.
fn before(model: &Model<'_>, label: &Label, after: SlotSet) -> SlotSet {
    match *label {
        Label::Skip | Label::Tag(_) | Label::Reach { .. } => after,
        Label::TagVar(var) => after | all(model, var),
        Label::Compare { lhs, rhs, .. } => after | reads(model, lhs) | reads(model, rhs),
        Label::Assign { lhs, rhs } => match written(model, lhs, after) {
            Some(live) => live | reads(model, rhs),
            None => after,
        },
        Label::AssignAny { lhs, .. } => written(model, lhs, after).unwrap_or(after),
    }
}

/// What matters before the assignment of a left side, without what is read on the right; `None` if the assignment does not matter.
fn written(model: &Model<'_>, lhs: ExprId, after: SlotSet) -> Option<SlotSet> {
    let (Root::Var(var), keys) = model.spine(lhs) else { return Some(after) };
    let read = keys.iter().fold(0, |set, &key| set | reads(model, key));
    if model.slots_of(var).is_empty() {
        return Some(after | read);
    }
    match exact(model, var, &keys) {
        Some(slot) if after & bit(slot) == 0 => None,
        Some(slot) => Some(after & !bit(slot) | read),
        None if after & all(model, var) == 0 => None,
        None => Some(after | read),
    }
}

/// Whether the assignment of a left side does not matter where these slots do.
pub(crate) fn is_dead(model: &Model<'_>, lhs: ExprId, after: SlotSet) -> bool {
    let (Root::Var(var), keys) = model.spine(lhs) else { return false };
    !model.slots_of(var).is_empty() && exact(model, var, &keys).map_or_else(|| all(model, var), bit) & after == 0
}

/// The slot of an entry whose keys are symbols.
fn exact(model: &Model<'_>, var: VarId, keys: &[ExprId]) -> Option<usize> {
    let symbol = |&key: &ExprId| match model.spine(key) {
        (Root::Symbol(symbol), keys) if keys.is_empty() => Some(symbol),
        _ => None,
    };
    model.slot(var, &keys.iter().map(symbol).collect::<Option<Vec<_>>>()?)
}

fn all(model: &Model<'_>, var: VarId) -> SlotSet {
    model.slots_of(var).fold(0, |set, slot| set | bit(slot))
}

/// The slots that an expression reads.
fn reads(model: &Model<'_>, expr: ExprId) -> SlotSet {
    let (mut set, mut pending) = (0, vec![expr]);
    while let Some(expr) = pending.pop() {
        let (root, keys) = model.spine(expr);
        if let Root::Var(var) = root {
            set |= exact(model, var, &keys).map_or_else(|| all(model, var), bit);
        }
        pending.extend(keys);
    }
    set
}
