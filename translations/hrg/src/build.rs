//! Structured statements for a flow: loops by dominators, branches up to where they meet by postdominators.
//!
//! A node to which several ways lead that have no common place to meet is written once for each of them. Where this would be too often, or where
//! no statement leads from a place to the next one, walks store where they go, and a dispatch sends them on.

use crate::code::{Block, Cond, Stmt, falls};
use crate::flow::{Arc, EXIT, Flow, OVER, Step};
use crate::loops::Loops;
use crate::scope::{Jump, Scope};
use rustc_hash::FxHashMap;

/// Blocks may nest this deeply.
const MAX_DEPTH: usize = 150;
/// Blocks that nest deeper are avoided where there is a choice.
const DEEP: usize = 12;
/// How often a flow is changed.
const MAX_CHANGES: usize = 200;

/// Emits steps in HRG.
pub(crate) trait Emitter {
    /// A step that is no question.
    fn statement(&self, flow: &Flow, step: Step) -> Option<Stmt>;
    /// A question.
    fn condition(&self, flow: &Flow, step: Step) -> Option<Cond>;
    /// Whether a step ends a move of a player, and the game goes on.
    fn ends_move(&self, step: Step) -> bool;
    /// What the node of a flow may be called.
    fn node(&self, flow: &Flow, node: usize) -> String;
}

/// Why there is no program.
pub(crate) enum Problem {
    /// It nests too deeply.
    Deep,
    /// It is too long.
    Long,
}

/// Why a flow has to be changed.
enum Conflict {
    /// The loop with this head is left for places that no statement leads to.
    Exits(usize),
    /// Too much is written several times.
    Copies,
    Deep,
}

/// The statements of a flow. Near-linear in what is written, for each change of the flow, and for each nesting of loops.
pub(crate) fn build(flow: &mut Flow, emitter: &dyn Emitter) -> Result<Block, Problem> {
    let limit = 4 * flow.size() + 2000;
    let mut strict = true;
    for _ in 0..MAX_CHANGES {
        let loops = Loops::of(flow);
        let scope = Scope::new(flow, flow.entry, vec![(EXIT, Jump::Return)], Vec::new());
        // Nothing is forbidden.
        let Some(scope) = scope else { return Err(Problem::Long) };
        let entered = flow.entered();
        let merges = merges(flow, &loops);
        let visits = FxHashMap::default();
        let mut builder = Builder { flow, emitter, loops: &loops, entered, merges, visits, left: limit, strict };
        let context = Context { scope: &scope, next: EXIT, depth: 0 };
        match builder.block(flow.entry, context, false) {
            Ok(block) => return Ok(block),
            Err(Conflict::Deep) => return Err(Problem::Deep),
            Err(Conflict::Exits(head)) => {
                let body = loops.bodies.get(&head).cloned().unwrap_or_default();
                let leaves = |arc: &Arc| !body.contains(&arc.target) && arc.target != EXIT && arc.target != OVER;
                flow.dispatch(|node, arc| body.contains(&node) && leaves(arc));
            }
            Err(Conflict::Copies) => {
                let visits = std::mem::take(&mut builder.visits);
                let entered = std::mem::take(&mut builder.entered);
                if !join(flow, &loops, &visits, &entered) && !std::mem::replace(&mut strict, false) {
                    return Err(Problem::Long);
                }
            }
        }
    }
    Err(Problem::Long)
}

/// By node: the nodes where walks from it meet again that came there in several ways, and that they come by it to; the last first.
fn merges(flow: &Flow, loops: &Loops) -> FxHashMap<usize, Vec<usize>> {
    let mut ways: FxHashMap<usize, usize> = FxHashMap::default();
    for (node, arc) in flow.out.iter().enumerate().flat_map(|(node, arcs)| arcs.iter().map(move |arc| (node, arc))) {
        let comes_back = loops.bodies.get(&arc.target).is_some_and(|body| body.contains(&node));
        *ways.entry(arc.target).or_default() += usize::from(!comes_back);
    }
    let mut merges: FxHashMap<usize, Vec<usize>> = FxHashMap::default();
    for (&node, &above) in &loops.dominator {
        if node != EXIT && node != OVER && ways.get(&node).is_some_and(|&count| count > 1) {
            merges.entry(above).or_default().push(node);
        }
    }
    for list in merges.values_mut() {
        list.sort_unstable_by_key(|node| std::cmp::Reverse(loops.order.get(node)));
    }
    merges
}

/// Sends walks to nodes that are written too often, and have the same dominator, through a dispatch; whether there are at least two.
fn join(flow: &mut Flow, loops: &Loops, visits: &FxHashMap<usize, usize>, entered: &[usize]) -> bool {
    let meets = |node: usize| node != OVER && node != EXIT && entered.get(node).is_some_and(|&count| count > 1);
    let mut groups: FxHashMap<usize, Vec<usize>> = FxHashMap::default();
    for (&node, &above) in loops.dominator.iter().filter(|(node, _)| meets(**node)) {
        groups.entry(above).or_default().push(node);
    }
    groups.retain(|_, nodes| nodes.len() > 1);
    let written = |nodes: &[usize]| nodes.iter().map(|node| visits.get(node).copied().unwrap_or(0)).max().unwrap_or(0);
    let worst = groups.into_iter().max_by_key(|(above, nodes)| (written(nodes), *above));
    let Some((_, nodes)) = worst.filter(|(_, nodes)| written(nodes) > 1) else { return false };
    flow.dispatch(|_, arc| nodes.contains(&arc.target));
    true
}

/// What is around a block.
#[derive(Clone, Copy)]
struct Context<'s> {
    scope: &'s Scope,
    /// Where the end of the block leads.
    next: usize,
    depth: usize,
}

impl<'s> Context<'s> {
    /// Inside of a statement behind which walks are at `next`.
    fn inside(self, next: usize) -> Self {
        Self { next, depth: self.depth + 1, ..self }
    }
}

/// A way to leave a node.
#[derive(Clone, Debug)]
struct Way {
    stmt: Option<Stmt>,
    target: usize,
}

/// Ways of one class that have a last node in common before they leave the scope; nothing for a way that has none.
type Group = (Option<(usize, usize)>, Vec<Way>);

struct Builder<'f> {
    flow: &'f Flow,
    emitter: &'f dyn Emitter,
    loops: &'f Loops,
    entered: Vec<usize>,
    merges: FxHashMap<usize, Vec<usize>>,
    /// How often a node was written.
    visits: FxHashMap<usize, usize>,
    left: usize,
    /// Whether no move may end in several copies of one place: the states behind it would be several, too.
    strict: bool,
}

impl Builder<'_> {
    /// What is done from a node on until the end of the block. `inside`: the node begins it, as the head of its loop or because it was seen to
    /// that several ways lead there.
    fn block(&mut self, mut node: usize, cx: Context<'_>, mut inside: bool) -> Result<Block, Conflict> {
        if cx.depth > MAX_DEPTH {
            return Err(Conflict::Deep);
        }
        let mut block = Block::new();
        // Behind a branch, all ways have met.
        let mut met = true;
        loop {
            if !inside && let Some(end) = end_of_block(node, cx) {
                block.extend(end);
                return Ok(block);
            }
            if !inside && !met && self.entered.get(node).is_some_and(|&count| count > 1) {
                let rest = self.behind_meeting(node, cx)?;
                block.push(Stmt::Shared(self.emitter.node(self.flow, node), rest));
                return Ok(block);
            }
            self.visit(node)?;
            if !inside && self.loops.bodies.contains_key(&node) {
                let follow = self.repeated(node, cx, &mut block)?;
                let Some(follow) = follow else { return Ok(block) };
                (node, met) = (follow, true);
                continue;
            }
            inside = false;
            match self.flow.arcs(node) {
                [] => {
                    block.push(Stmt::Check(Cond::Fixed(false)));
                    return Ok(block);
                }
                [arc] => {
                    block.extend(self.statement(arc.step));
                    if arc.target == OVER {
                        return Ok(block);
                    }
                    (node, met) = (arc.target, false);
                }
                _ => match self.choice(node, cx, &mut block)? {
                    Some(next) => (node, met) = (next, true),
                    None => return Ok(block),
                },
            }
        }
    }

    /// The rest of a block from a node on to which several ways lead.
    fn behind_meeting(&mut self, node: usize, cx: Context<'_>) -> Result<Block, Conflict> {
        let mut rest = Block::new();
        if !self.loops.bodies.contains_key(&node) {
            return self.block(node, cx, true);
        }
        self.visit(node)?;
        if let Some(follow) = self.repeated(node, cx, &mut rest)? {
            rest.extend(match end_of_block(follow, cx) {
                Some(end) => end.into_iter().collect(),
                None => self.block(follow, cx, true)?,
            });
        }
        Ok(rest)
    }

    fn visit(&mut self, node: usize) -> Result<(), Conflict> {
        let visits = self.visits.entry(node).or_default();
        *visits += 1;
        if self.strict && *visits > 1 && self.flow.arcs(node).iter().any(|arc| self.emitter.ends_move(arc.step)) {
            return Err(Conflict::Copies);
        }
        self.left = self.left.checked_sub(1).ok_or(Conflict::Copies)?;
        Ok(())
    }

    /// Adds a loop; the result is the node behind it.
    fn repeated(&mut self, head: usize, cx: Context<'_>, block: &mut Block) -> Result<Option<usize>, Conflict> {
        let body = self.loops.bodies.get(&head);
        let inside = |node: usize| body.is_some_and(|body| body.contains(&node));
        let follow = cx.scope.chain(head).find(|&node| !inside(node));
        let mut targets = vec![(head, Jump::Continue)];
        targets.extend(follow.map(|follow| (follow, Jump::Break)));
        if follow != Some(EXIT) {
            targets.push((EXIT, Jump::Return));
        }
        let outer = cx.scope.targets.iter().map(|(node, _)| *node).chain(cx.scope.forbidden.iter().copied());
        let forbidden = outer.filter(|node| !targets.iter().any(|(target, _)| target == node)).collect();
        let scope = Scope::new(self.flow, head, targets, forbidden).ok_or(Conflict::Exits(head))?;
        let inner = Context { scope: &scope, next: head, depth: cx.depth + 1 };
        let body = self.block(head, inner, true)?;
        block.push(Stmt::Loop(body));
        Ok(follow)
    }

    fn statement(&self, step: Step) -> Option<Stmt> {
        match step {
            Step::End => Some(Stmt::End),
            step => self
                .emitter
                .condition(self.flow, step)
                .map(Stmt::Check)
                .or_else(|| self.emitter.statement(self.flow, step)),
        }
    }

    /// Adds what several arcs out of a node do; the result is the node where they meet.
    fn choice(&mut self, node: usize, cx: Context<'_>, block: &mut Block) -> Result<Option<usize>, Conflict> {
        if let Some((cond, yes, no)) = self.question(node, cx) {
            return self.alternative(node, (cond, yes, no), cx, block);
        }
        let ways = self.ways(node);
        if let [Way { stmt, target }] = ways.as_slice() {
            block.extend(stmt.clone());
            return Ok(Some(*target));
        }
        let class = cx.scope.class(node);
        let meeting = self.meeting(node, cx);
        let goes_on = |way: &&Way| cx.scope.class_behind(way.target) == class;
        let Some(meeting) = meeting else {
            let arms = self.arms(ways, cx, cx.next)?;
            block.push(Stmt::Branch(arms));
            return Ok(None);
        };
        if let [only] = ways.iter().filter(goes_on).collect::<Vec<_>>().as_slice()
            && only.stmt.is_some()
            && cx.depth < DEEP
        {
            let arms = self.arms(ways, cx, cx.next)?;
            block.push(Stmt::Branch(arms));
            return Ok(None);
        }
        let arms = self.arms(ways, cx, meeting)?;
        block.push(Stmt::Branch(arms));
        Ok(Some(meeting))
    }

    /// Where ways out of a node meet. If they have only the end of the scope in common, and the statement that leads there, that is a node to
    /// which several of them lead.
    fn meeting(&self, node: usize, cx: Context<'_>) -> Option<usize> {
        let meeting = cx.scope.meeting(node);
        if meeting.is_some_and(|meeting| cx.scope.jump(meeting).is_none()) {
            return meeting;
        }
        let class = cx.scope.class(node);
        let fits = |&&merge: &&usize| cx.scope.jump(merge).is_none() && cx.scope.class(merge) == class;
        self.merges.get(&node).and_then(|merges| merges.iter().find(fits)).copied().or(meeting)
    }

    /// Adds an `if`.
    fn alternative(
        &mut self,
        node: usize,
        (cond, yes, no): (Cond, usize, usize),
        cx: Context<'_>,
        block: &mut Block,
    ) -> Result<Option<usize>, Conflict> {
        let class = cx.scope.class(node);
        let leaves = |target| cx.scope.class_behind(target) != class;
        let meeting = self.meeting(node, cx);
        // An exception is short, or nothing meets: the rest goes on behind it.
        let split = match (meeting, leaves(yes), leaves(no)) {
            (_, true, false) | (None, ..) => Some((cond.clone(), yes, no)),
            (_, false, true) => Some((cond.clone().negated(), no, yes)),
            _ => None,
        };
        if let Some((cond, exception, other)) = split {
            let arm = self.block_at(exception, cx.inside(cx.next))?;
            if falls(&arm) {
                let otherwise = self.block_at(other, cx.inside(cx.next))?;
                block.push(Stmt::If(cond, arm, otherwise));
                return Ok(None);
            }
            block.push(Stmt::If(cond, arm, Block::new()));
            return Ok(Some(other));
        }
        let Some(meeting) = meeting else { return Ok(None) };
        let inner = cx.inside(meeting);
        let (then, otherwise) = (self.block_at(yes, inner)?, self.block_at(no, inner)?);
        match (then.is_empty(), otherwise.is_empty()) {
            (true, true) => {}
            (true, false) => block.push(Stmt::If(cond.negated(), otherwise, Block::new())),
            (false, _) => block.push(Stmt::If(cond, then, otherwise)),
        }
        Ok(Some(meeting))
    }

    /// A block that begins in a node which need not be its only beginning.
    fn block_at(&mut self, node: usize, cx: Context<'_>) -> Result<Block, Conflict> {
        if end_of_block(node, cx).is_none() && self.entered.get(node).is_some_and(|&count| count > 1) {
            let rest = self.behind_meeting(node, cx)?;
            return Ok(vec![Stmt::Shared(self.emitter.node(self.flow, node), rest)]);
        }
        self.block(node, cx, false)
    }

    /// Two arcs that ask and answer a question, and questions behind it that belong to it: the condition, and where it leads.
    fn question(&self, node: usize, cx: Context<'_>) -> Option<(Cond, usize, usize)> {
        let (mut cond, mut yes, mut no) = self.asked(node)?;
        let alone = |node: usize| self.entered.get(node) == Some(&1) && end_of_block(node, cx).is_none();
        loop {
            if alone(no)
                && let Some((other, then, otherwise)) = self.asked(no)
                && (then == yes || otherwise == yes)
            {
                let (other, further) = if then == yes { (other, otherwise) } else { (other.negated(), then) };
                (cond, no) = (cond.or(other), further);
            } else if alone(yes)
                && let Some((other, then, otherwise)) = self.asked(yes)
                && (then == no || otherwise == no)
            {
                let (other, further) = if otherwise == no { (other, then) } else { (other.negated(), otherwise) };
                (cond, yes) = (cond.and(other), further);
            } else {
                return Some((cond, yes, no));
            }
        }
    }

    fn asked(&self, node: usize) -> Option<(Cond, usize, usize)> {
        let [first, second] = self.flow.arcs(node) else { return None };
        let answers = first.step.opposite() == Some(second.step);
        answers
            .then(|| self.emitter.condition(self.flow, first.step))
            .flatten()
            .map(|cond| (cond, first.target, second.target))
    }

    /// The ways out of a node; questions that lead to one node are one way.
    fn ways(&self, node: usize) -> Vec<Way> {
        let mut ways: Vec<Way> = Vec::new();
        for arc in self.flow.arcs(node) {
            let stmt = self.statement(arc.step);
            let same = ways.iter_mut().find(|way| way.target == arc.target && matches!(way.stmt, Some(Stmt::Check(_))));
            match (same, stmt) {
                (Some(Way { stmt: Some(Stmt::Check(known)), .. }), Some(Stmt::Check(more))) => {
                    *known = std::mem::replace(known, Cond::Fixed(true)).or(more);
                }
                (_, stmt) => ways.push(Way { stmt, target: arc.target }),
            }
        }
        ways
    }

    /// A block for each way, up to `next`. Ways that meet before are arms of one arm.
    fn arms(&mut self, ways: Vec<Way>, cx: Context<'_>, next: usize) -> Result<Vec<Block>, Conflict> {
        let inner = cx.inside(next);
        let mut groups: Vec<Group> = Vec::new();
        for way in ways {
            let class = cx.scope.class_behind(way.target);
            let last = cx
                .scope
                .chain(way.target)
                .take_while(|&node| ![next, OVER].contains(&node) && cx.scope.jump(node).is_none())
                .last();
            let key = last.map(|last| (class, last));
            match groups.iter_mut().find(|(other, _)| key.is_some() && *other == key) {
                Some((_, group)) => group.push(way),
                None => groups.push((key, vec![way])),
            }
        }
        let mut arms = Vec::new();
        for (_, group) in groups {
            let targets: Vec<usize> = group.iter().map(|way| way.target).collect();
            match (group.as_slice(), cx.scope.common(&targets)) {
                ([_, _, ..], Some(common)) if inner.depth <= MAX_DEPTH => {
                    let mut arm = vec![Stmt::Branch(self.arms(group, inner, common)?)];
                    arm.extend(self.block(common, inner, false)?);
                    arms.push(arm);
                }
                _ => {
                    for way in group {
                        let mut arm: Block = way.stmt.into_iter().collect();
                        if way.target != OVER {
                            arm.extend(self.block_at(way.target, inner)?);
                        }
                        arms.push(arm);
                    }
                }
            }
        }
        Ok(arms)
    }
}

/// What stands at the end of a block that leads to a node; nothing if none does.
fn end_of_block(node: usize, cx: Context<'_>) -> Option<Option<Stmt>> {
    if node == cx.next {
        return Some(None);
    }
    Some(Some(match cx.scope.jump(node)? {
        Jump::Continue => Stmt::Continue,
        Jump::Break => Stmt::Break,
        Jump::Return => Stmt::Return,
    }))
}
