//! Parts of the automaton that are written several times (catalogue of passes, 10).

use crate::analysis;
use crate::pass::{Context, Pass, Phase};
use crate::repeats::{Exit, Finder, MIN_COPIES, Repeat, ends_move};
use rg_ir::{EdgeId, Expr, ExprId, Game, Label, NodeId, Span, Symbol, Value};
use rustc_hash::{FxHashMap, FxHashSet};

/// How often a part is looked for in one run.
const MAX_PARTS: usize = 8;

/// The least nodes and edges of a part: it has to be long, since every use of it costs an assignment and a comparison.
const MIN_PART: usize = 64;

/// A part is shared only if that saves at least one in so many of all nodes and edges.
const WORTH: usize = 4;

/// Makes one part of several copies of it, and notes in a variable where to go on afterwards.
///
/// ```text
/// m, p: $ x;   p, q: v = 1;   q, m2: w = 2;
/// m2, p2: $ x;   p2, q2: v = 1;   q2, m3: w = 2;
/// m3, p3: $ x;   p3, q3: v = 1;   q3, e: w = 2;
/// ```
/// becomes
/// ```text
/// m2, m: part = part_2;   m3, m: part = part_3;
/// m, p: $ x;   p, q: v = 1;   q, out: w = 2;
/// out, m2: part == part_1;   out, m3: part == part_2;   out, back: part == part_3;   back, e: part = part_1;
/// ```
/// if there are many nodes and edges in place of the few shown here. The variable gets its initial value back where
/// another copy does not follow at once, no part ends with a move, and nothing more is live where a move ends, so that no
/// states are distinguished that were the same.
///
/// *Correct*, since a walk in copy i is a walk in the shared part with the variable at i, step by step, which comes in by
/// the only node where copy i is entered, and leaves to where copy i leads; nothing else reads or writes the variable.
/// Where checks start and what they look for is not part of a copy. Bounded as the search for repeats is.
pub struct SharedParts;

impl Pass for SharedParts {
    fn name(&self) -> &'static str {
        "shared-parts"
    }

    fn summary(&self) -> &'static str {
        "write a large part that occurs several times only once"
    }

    fn phase(&self) -> Phase {
        Phase::Finish
    }

    fn run(&self, game: &mut Game, context: &mut Context) -> bool {
        let mut changed = false;
        for _ in 0..MAX_PARTS {
            let size = game.automaton.node_count() + game.automaton.edge_count();
            if size < MIN_COPIES * MIN_PART {
                break;
            }
            let worth = |saved: &usize| *saved * WORTH >= size;
            let found = Finder::new(game).best(|repeat| saving(game, repeat).filter(worth).unwrap_or(0));
            let Some(repeat) = found else { break };
            let (copies, nodes, edges) = (repeat.copies(), repeat.nodes.len(), repeat.edges);
            let mut shared = game.clone();
            share(&mut shared, &repeat);
            if remembers_more(game, &shared, &repeat) {
                context
                    .note(format!("a part with {nodes} nodes and {edges} edges would keep what not all copies need"));
                break;
            }
            *game = shared;
            context.note(format!("one part with {nodes} nodes and {edges} edges instead of {copies}"));
            changed = true;
        }
        changed
    }
}

/// Whether something is live at the end of a move that was not: the analysis does not see that walks leave a part by the
/// exit of the copy by which they came, so what is read behind one exit is kept for all.
fn remembers_more(old: &Game, new: &Game, repeat: &Repeat) -> bool {
    let mut first: FxHashMap<NodeId, NodeId> = FxHashMap::default();
    for row in &repeat.nodes {
        first.extend(row.iter().filter_map(|&node| Some((node, *row.first()?))));
    }
    let place = |node| first.get(&node).copied().filter(|_| !new.automaton.contains_node(node)).unwrap_or(node);
    analysis::remembers_more(old, new, place)
}

/// Whether the variable has to get its initial value back on the way from a copy: not if it is assigned at once.
fn resets(repeat: &Repeat, copy: usize, target: NodeId) -> bool {
    copy > 0 && !repeat.entries().contains(&target)
}

/// How many nodes and edges fewer there are if the copies are shared; `None` if they cannot be.
fn saving(game: &Game, repeat: &Repeat) -> Option<usize> {
    let copies = repeat.copies();
    if repeat.nodes.len() + repeat.edges < MIN_PART {
        return None;
    }
    let before = copies * (repeat.nodes.len() + repeat.edges);
    let mut after = repeat.nodes.len() + repeat.edges + 2 * copies;
    let entries: FxHashSet<NodeId> = repeat.entries().iter().copied().collect();
    for exit in &repeat.exits {
        let back = exit.targets.iter().skip(1).filter(|target| !entries.contains(target)).count();
        if ends_move(game, exit) {
            // The next move would start with a variable that still tells the copies apart.
            return None;
        }
        after += if exit.is_common() { 2 * back.min(1) } else { 1 + copies + 2 * back };
    }
    before.checked_sub(after)
}

fn share(game: &mut Game, repeat: &Repeat) {
    let (variable, places) = declare(game, repeat.copies());
    let span = repeat.entries().first().map_or(Span::NONE, |&node| game.automaton.node(node).span);
    let Some(&first) = repeat.entries().first() else { return };
    // Elsewhere the variable has its initial value, the first copy's.
    let follows = repeat.exits.iter().any(|exit| exit.targets.iter().skip(1).any(|&target| target == first));
    let entry = if follows { game.fresh_node("shared", span) } else { first };
    let mut ways: FxHashMap<EdgeId, NodeId> = FxHashMap::default();
    for exit in &repeat.exits {
        let way = way_out(game, repeat, exit, variable, &places);
        ways.extend(exit.edges.iter().map(|&edge| (edge, way)));
    }
    let mut copies: FxHashMap<NodeId, usize> = FxHashMap::default();
    for row in &repeat.nodes {
        copies.extend(row.iter().enumerate().map(|(copy, &node)| (node, copy)));
    }
    game.automaton.edit_edges(|id, edge| {
        match copies.get(&edge.source) {
            None => return true,
            Some(0) => {}
            Some(_) => return false,
        }
        match ways.get(&id) {
            Some(&way) => edge.target = way,
            None if edge.target == first => edge.target = entry,
            None => {}
        }
        if edge.source == first {
            edge.source = entry;
        }
        true
    });
    for row in repeat.nodes.iter().skip(1) {
        row.iter().skip(1).for_each(|&node| game.remove_node(node));
    }
    for (&node, &place) in repeat.entries().iter().zip(&places).filter(|&(&node, _)| node != entry) {
        game.automaton.add_edge(node, entry, Label::Assign { lhs: variable, rhs: place }, span);
    }
}

/// A variable with a value per copy: its expression and those of its values.
fn declare(game: &mut Game, copies: usize) -> (ExprId, Vec<ExprId>) {
    let name = game.fresh_name("part");
    let values: Vec<Symbol> = (0..copies).map(|_| game.fresh_name("part")).collect();
    let ty = game.types.set(values.clone());
    let initial = Value::Symbol(values.first().copied().unwrap_or(name));
    let variable = game.add_var(name, ty, initial, Span::NONE);
    let places = values.into_iter().map(|value| game.exprs.intern(Expr::Symbol(value))).collect();
    (game.exprs.intern(Expr::Var(variable)), places)
}

/// The node to which an exit leads now. From there it goes on to where the copies led.
fn way_out(game: &mut Game, repeat: &Repeat, exit: &Exit, variable: ExprId, places: &[ExprId]) -> NodeId {
    let span = exit.edges.first().map_or(Span::NONE, |&edge| game.automaton.edge(edge).span);
    let initial = places.first().map(|&rhs| Label::Assign { lhs: variable, rhs });
    let reset = initial.unwrap_or(Label::Skip);
    if let (true, Some(&target)) = (exit.is_common(), exit.targets.last()) {
        if !resets(repeat, repeat.copies() - 1, target) {
            return target;
        }
        let back = game.fresh_node("back", span);
        game.automaton.add_edge(back, target, reset, span);
        return back;
    }
    let way = game.fresh_node("leave", span);
    for (copy, (&target, &place)) in exit.targets.iter().zip(places).enumerate() {
        let label = Label::Compare { lhs: variable, rhs: place, negated: false };
        if resets(repeat, copy, target) {
            let back = game.fresh_node("back", span);
            game.automaton.add_edge(way, back, label, span);
            game.automaton.add_edge(back, target, reset, span);
        } else {
            game.automaton.add_edge(way, target, label, span);
        }
    }
    way
}
