//! Moves that can be applied without a search (catalogue of passes, 8.4).
//!
//! From a node where a move begins or a tag has been emitted, all ways to the next tags and to the end of the move are
//! followed, as lists of assignments; conditions do not matter, since the move is known to be legal. If the next tag tells
//! which edge emits it, and all ways to that edge have one list, that list is what the tag does.

use super::move_starts;
use super::values::Values;
use rg_ir::game::ApplyTag;
use rg_ir::ids::Id;
use rg_ir::types::TypeKind;
use rg_ir::{EdgeId, Expr, ExprId, Game, Label, NodeId, Pragma, Symbol, TypeId, VarId};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::{BTreeMap, VecDeque};
use std::rc::Rc;

/// Different lists of assignments followed per node; where there are more, nothing is known.
const MAX_LISTS: usize = 4;
/// Steps from one node, and in all.
const MAX_STEPS: usize = 4_000;
const MAX_WORK: usize = 3_000_000;
/// Tags of one pragma.
const MAX_TAGS: usize = 16;
/// Symbols that tags of one node can be.
const MAX_SYMBOLS: usize = 20_000;

/// `@simpleApply` for every node where a move begins or goes on after a tag, as far as it holds; `@simpleApplyExhaustive` where
/// these are all continuations. Bounded: 4,000 steps from one node, 3,000,000 in all.
pub(super) fn infer(game: &mut Game) -> Vec<Pragma> {
    let segments = Segments::new(game).all();
    let names = Names::new(game);
    segments.into_iter().map(|segment| names.pragma(game, &segment)).collect()
}

/// An assignment on a way.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Item {
    Set(ExprId, ExprId),
    /// Any symbol is chosen for a variable.
    Choose(VarId),
    /// The tag with this number, from 0, is put into a variable.
    FromTag(VarId, usize),
}

/// What a tag can be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Tag {
    Fixed(Symbol),
    /// A symbol of a variable's type.
    Of(VarId),
}

/// An edge that emits the next tag or ends the move.
#[derive(Clone, Debug)]
struct Exit {
    edge: EdgeId,
    tag: Option<Tag>,
    /// What is done until then, the tag being number 0; `None` if that depends on the way.
    items: Option<Vec<Item>>,
}

/// The continuations of a node.
#[derive(Default, Debug)]
struct Exits {
    list: Vec<Exit>,
    /// Whether every continuation is told by its next tag, and known.
    complete: bool,
}

/// A `@simpleApply` in the making.
#[derive(Debug)]
struct Segment {
    from: NodeId,
    to: NodeId,
    tags: Vec<Tag>,
    items: Vec<Item>,
    exhaustive: bool,
}

struct Segments<'g> {
    game: &'g Game,
    values: Values<'g>,
    exits: FxHashMap<NodeId, Rc<Exits>>,
    work: usize,
}

/// Lists of assignments that end in a common one share the rest: each is an item and the list before it.
#[derive(Default)]
struct Lists {
    entries: Vec<(Item, usize)>,
    ids: FxHashMap<(Item, usize), usize>,
}

/// The empty list.
const EMPTY: usize = usize::MAX;

impl Lists {
    fn push(&mut self, list: usize, item: Item) -> usize {
        *self.ids.entry((item, list)).or_insert_with(|| {
            self.entries.push((item, list));
            self.entries.len() - 1
        })
    }

    /// The items, first one first.
    fn items(&self, mut list: usize) -> Vec<Item> {
        let mut items = Vec::new();
        while let Some(&(item, rest)) = self.entries.get(list) {
            items.push(item);
            list = rest;
        }
        items.reverse();
        items
    }
}

impl<'g> Segments<'g> {
    fn new(game: &'g Game) -> Self {
        Self { game, values: Values::new(game), exits: FxHashMap::default(), work: MAX_WORK }
    }

    /// All segments: those that follow on each other from the starts of moves, then those from other tags.
    fn all(mut self) -> Vec<Segment> {
        let mut found = Vec::new();
        // Per node whether what leads there is exhaustive.
        let mut state: BTreeMap<NodeId, bool> = BTreeMap::new();
        let mut queue: VecDeque<(NodeId, bool)> = move_starts(self.game).into_iter().map(|node| (node, true)).collect();
        let mut covered: FxHashSet<EdgeId> = FxHashSet::default();
        let tags = |game: &Game, id: EdgeId| matches!(game.automaton.edge(id).label, Label::Tag(_) | Label::TagVar(_));
        let main = crate::effects::main_part(self.game);
        let others: Vec<EdgeId> =
            self.game.automaton.edges().map(|(id, _)| id).filter(|&id| tags(self.game, id)).collect();
        let mut others = others.into_iter();
        loop {
            while let Some((node, follows)) = queue.pop_front() {
                match state.get(&node) {
                    Some(&before) if before || !follows => continue,
                    _ => {}
                }
                let again = state.insert(node, follows).is_some();
                if again {
                    found.retain(|segment: &Segment| segment.from != node);
                }
                for segment in self.from(node, follows, &mut covered) {
                    let ends = segment.items.last().is_some_and(|item| self.ends(item));
                    if !ends {
                        queue.push_back((segment.to, segment.exhaustive));
                    }
                    found.push(segment);
                }
            }
            let Some(id) = others.next() else { break };
            let edge = self.game.automaton.edge(id);
            if !covered.contains(&id) && main.contains(edge.source.index()) && !state.contains_key(&edge.target) {
                queue.push_back((edge.target, false));
            }
        }
        found.sort_by_key(|segment| segment.from);
        found
    }

    fn ends(&self, item: &Item) -> bool {
        matches!(*item, Item::Set(lhs, rhs) if self.game.ends_move(&Label::Assign { lhs, rhs }))
    }

    /// The segments from a node. `follows`: a move begins there, or an exhaustive segment ends there.
    fn from(&mut self, node: NodeId, follows: bool, covered: &mut FxHashSet<EdgeId>) -> Vec<Segment> {
        let exits = self.exits(node);
        let exhaustive = follows && exits.complete;
        let mut found = Vec::new();
        for exit in &exits.list {
            let Some(items) = exit.items.clone() else { continue };
            covered.insert(exit.edge);
            let to = self.game.automaton.edge(exit.edge).target;
            let mut segment = Segment { from: node, to, tags: exit.tag.into_iter().collect(), items, exhaustive };
            if exit.tag.is_some() {
                self.extend(&mut segment, covered);
            }
            found.push(segment);
        }
        found
    }

    /// Goes on as long as there is one way.
    fn extend(&mut self, segment: &mut Segment, covered: &mut FxHashSet<EdgeId>) {
        let mut seen = FxHashSet::from_iter([segment.from]);
        while segment.tags.len() < MAX_TAGS && seen.insert(segment.to) {
            let exits = self.exits(segment.to);
            let [Exit { edge, tag, items: Some(items) }] = &exits.list[..] else { return };
            if !exits.complete {
                return;
            }
            covered.insert(*edge);
            let number = segment.tags.len();
            segment.items.extend(items.iter().map(|&item| match item {
                Item::FromTag(var, _) => Item::FromTag(var, number),
                other => other,
            }));
            segment.tags.extend(*tag);
            segment.to = self.game.automaton.edge(*edge).target;
            if tag.is_none() {
                return;
            }
        }
    }

    fn exits(&mut self, node: NodeId) -> Rc<Exits> {
        if let Some(known) = self.exits.get(&node) {
            return known.clone();
        }
        let exits = Rc::new(self.explore(node).map(|list| self.told(list)).unwrap_or_default());
        self.exits.insert(node, exits.clone());
        exits
    }

    /// Follows all ways from a node to the next tags and to the end of the move; `None` if that takes too long.
    fn explore(&mut self, node: NodeId) -> Option<Vec<Exit>> {
        let automaton = &self.game.automaton;
        let mut lists = Lists::default();
        // Per node the lists of the ways to it; `None`: too many.
        let mut known: FxHashMap<NodeId, Option<Vec<usize>>> = FxHashMap::default();
        known.insert(node, Some(vec![EMPTY]));
        let mut order = vec![node];
        let mut queue = VecDeque::from([node]);
        let mut steps = 0;
        while let Some(at) = queue.pop_front() {
            let here = known.get(&at).cloned().flatten();
            for &id in automaton.outgoing(at) {
                steps += 1;
                self.work = self.work.checked_sub(1).filter(|_| steps <= MAX_STEPS)?;
                let edge = automaton.edge(id);
                if at == self.game.end() || self.exit_tag(edge.label).is_some() || self.game.ends_move(&edge.label) {
                    continue;
                }
                let after = here.as_ref().and_then(|here| self.after(&mut lists, here, edge.label));
                let first = !known.contains_key(&edge.target);
                let there = known.entry(edge.target).or_insert_with(|| Some(Vec::new()));
                if first {
                    order.push(edge.target);
                }
                if add(there, after) || first {
                    queue.push_back(edge.target);
                }
            }
        }
        let mut found = Vec::new();
        for at in order.into_iter().filter(|&at| at != self.game.end()) {
            let Some(here) = known.get(&at) else { continue };
            for &id in automaton.outgoing(at) {
                let label = automaton.edge(id).label;
                let tag = self.exit_tag(label);
                if tag.is_some() || self.game.ends_move(&label) {
                    let ways = here.as_ref().map(|here| here.iter().map(|&list| lists.items(list)).collect());
                    found.push(Exit { edge: id, tag, items: ways.and_then(|ways| self.items(ways, label)) });
                }
            }
        }
        Some(found)
    }

    fn exit_tag(&self, label: Label) -> Option<Tag> {
        match label {
            Label::Tag(tag) => Some(Tag::Fixed(tag)),
            Label::TagVar(var) => Some(Tag::Of(var)),
            _ => None,
        }
    }

    /// The lists after an edge; `None` if the edge chooses something that no tag can show.
    fn after(&self, lists: &mut Lists, here: &[usize], label: Label) -> Option<Vec<usize>> {
        let item = match label {
            Label::Assign { lhs, rhs } => Item::Set(lhs, rhs),
            Label::AssignAny { lhs, .. } => Item::Choose(self.whole(lhs)?),
            _ => return Some(here.to_vec()),
        };
        Some(here.iter().map(|&list| lists.push(list, item)).collect())
    }

    /// The variable that a left side is, if it is not a part of one.
    fn whole(&self, mut lhs: ExprId) -> Option<VarId> {
        loop {
            match self.game.exprs.get(lhs) {
                Expr::Cast(_, inner) => lhs = inner,
                Expr::Var(var) => return Some(var),
                Expr::Access(..) | Expr::Const(_) | Expr::Symbol(_) => return None,
            }
        }
    }

    /// What all ways to an exit do; `None` if they differ. A variable that is shown can be set from the tag.
    fn items(&self, mut ways: Vec<Vec<Item>>, label: Label) -> Option<Vec<Item>> {
        match label {
            Label::TagVar(var) => {
                let sets = |item: &Item| match *item {
                    Item::Set(lhs, _) => self.whole(lhs) == Some(var),
                    Item::Choose(other) => other == var,
                    Item::FromTag(..) => false,
                };
                let mut from_tag = false;
                if ways.iter().any(|way| Some(way) != ways.first()) {
                    from_tag = true;
                    for way in &mut ways {
                        while way.last().is_some_and(sets) {
                            way.pop();
                        }
                    }
                }
                for way in &mut ways {
                    if from_tag {
                        way.push(Item::FromTag(var, 0));
                    } else if let Some(last) = way.iter_mut().rev().find(|item| sets(item))
                        && *last == Item::Choose(var)
                    {
                        *last = Item::FromTag(var, 0);
                    }
                }
            }
            Label::Assign { lhs, rhs } => ways.iter_mut().for_each(|way| way.push(Item::Set(lhs, rhs))),
            _ => {}
        }
        let first = ways.first()?.clone();
        let same = ways.iter().all(|way| *way == first);
        let known = !first.iter().any(|item| matches!(item, Item::Choose(_)));
        (same && known).then_some(first)
    }

    /// Forgets what exits do that the next tag does not tell from others. A move that can end is told only if no tag can
    /// come instead.
    fn told(&mut self, mut list: Vec<Exit>) -> Exits {
        let mut owners: FxHashMap<Symbol, usize> = FxHashMap::default();
        let mut clash = vec![false; list.len()];
        let mut left = MAX_SYMBOLS;
        for (at, exit) in list.iter().enumerate() {
            let symbols = match exit.tag {
                None => continue,
                Some(Tag::Fixed(tag)) => vec![tag],
                Some(Tag::Of(var)) if self.values.fits(var) => self.game.types.members(self.game.vars[var].ty).to_vec(),
                Some(Tag::Of(_)) => Vec::new(),
            };
            let many = left < symbols.len();
            left = left.saturating_sub(symbols.len());
            if symbols.is_empty() || many {
                // It may be any symbol.
                list.iter_mut().for_each(|exit| exit.items = None);
                return Exits { list, complete: false };
            }
            for symbol in symbols {
                let owner = *owners.entry(symbol).or_insert(at);
                if owner != at {
                    [owner, at]
                        .into_iter()
                        .for_each(|at| clash.iter_mut().skip(at).take(1).for_each(|clash| *clash = true));
                }
            }
        }
        let tags = list.iter().any(|exit| exit.tag.is_some());
        let ends = list.iter().filter(|exit| exit.tag.is_none()).count();
        for (exit, clash) in list.iter_mut().zip(clash) {
            if clash || (exit.tag.is_none() && (tags || ends > 1)) {
                exit.items = None;
            }
        }
        let complete = !list.is_empty() && list.iter().all(|exit| exit.items.is_some());
        Exits { list, complete }
    }
}

/// Adds lists to those of a node; whether there were new ones.
fn add(there: &mut Option<Vec<usize>>, after: Option<Vec<usize>>) -> bool {
    let Some(lists) = there else { return false };
    let Some(after) = after else {
        *there = None;
        return true;
    };
    let before = lists.len();
    for list in after {
        if !lists.contains(&list) {
            lists.push(list);
        }
    }
    let more = lists.len() > before;
    if lists.len() > MAX_LISTS {
        *there = None;
    }
    more
}

/// Names that tags are bound to.
struct Names {
    names: Vec<Symbol>,
}

impl Names {
    /// `v_1`, `v_2`, …, unless a symbol, constant or variable has that name.
    fn new(game: &mut Game) -> Self {
        let mut used: FxHashSet<Symbol> = FxHashSet::default();
        for index in 0..game.types.len() {
            used.extend(game.types.members(TypeId::from_index(index)));
        }
        for (_, edge) in game.automaton.edges() {
            for root in edge.label.exprs() {
                game.exprs.preorder(root, |_, part| {
                    if let Expr::Symbol(symbol) = part {
                        used.insert(symbol);
                    }
                });
            }
        }
        used.extend(game.consts.values().map(|decl| decl.name));
        used.extend(game.vars.values().map(|decl| decl.name));
        let mut name = |number: usize| {
            let mut text = format!("v_{number}");
            loop {
                let name = game.symbols.intern(&text);
                if !used.contains(&name) {
                    return name;
                }
                text.push('_');
            }
        };
        Self { names: (1..=MAX_TAGS).map(&mut name).collect() }
    }

    fn pragma(&self, game: &mut Game, segment: &Segment) -> Pragma {
        let name = |number: usize| self.names.get(number).copied();
        let tags = segment.tags.iter().enumerate().filter_map(|(number, tag)| match *tag {
            Tag::Fixed(name) => Some(ApplyTag { name, ty: None }),
            Tag::Of(var) => Some(ApplyTag { name: name(number)?, ty: Some(game.vars[var].ty) }),
        });
        let tags = tags.collect();
        let assignments = segment.items.iter().filter_map(|item| match *item {
            Item::Set(lhs, rhs) => Some((lhs, rhs)),
            Item::FromTag(var, number) => {
                let ty = game.vars[var].ty;
                let lhs = game.exprs.intern(Expr::Var(var));
                let mut rhs = game.exprs.intern(Expr::Symbol(name(number)?));
                if matches!(game.types.kind(ty), TypeKind::Name(_)) {
                    rhs = game.exprs.intern(Expr::Cast(ty, rhs));
                }
                Some((lhs, rhs))
            }
            Item::Choose(_) => None,
        });
        let assignments = assignments.collect();
        let node = |node: NodeId| game.automaton.node(node).name;
        Pragma::SimpleApply {
            exhaustive: segment.exhaustive,
            from: node(segment.from),
            to: node(segment.to),
            tags,
            assignments,
        }
    }
}
