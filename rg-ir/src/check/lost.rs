//! Check 29: nodes that no game can reach.

use super::Checker;
use crate::automaton::{Edge, Label};
use crate::diag::{Applies, Diagnostic, Edit, Fix, Severity, alternatives, closest, nearest, unnumbered};
use crate::game::Game;
use crate::ids::{Id, NodeId};
use crate::source::Span;
use fixedbitset::FixedBitSet;
use std::collections::BTreeSet;

/// Whether a finding says already why no walk leads from `begin` to `end`.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum EndOfGame {
    /// A node is misspelt.
    Explained,
    /// There is no such finding.
    Open,
}

/// Reports nodes that neither walks from `begin` nor the checks on these walks reach: of those that can only be reached from another such
/// node only the number. O(nodes + edges), and a little more where names are misspelt.
pub(super) fn check(cx: &mut Checker<'_>) -> EndOfGame {
    let game = cx.game;
    let automaton = &game.automaton;
    let mut seen = FixedBitSet::with_capacity(automaton.node_bound());
    mark(game, game.begin(), &mut seen);
    let reached = seen.clone();
    let lost: Vec<NodeId> = automaton.nodes().filter(|&id| id != game.end() && !reached.contains(id.index())).collect();
    let mut entered = FixedBitSet::with_capacity(automaton.node_bound());
    lost.iter().flat_map(|&id| successors(game, id)).for_each(|id| entered.insert(id.index()));
    let misspelt = misspelt(cx, &lost, &reached);
    dead_ends(cx, &misspelt, &reached);
    let (entries, rest): (Vec<NodeId>, Vec<NodeId>) = lost.into_iter().partition(|id| !entered.contains(id.index()));
    let unexplained = entries.into_iter().chain(rest).map(|id| (id, None));
    let mut explained = EndOfGame::Open;
    for (id, dead_end) in misspelt.into_iter().map(|(id, dead_end)| (id, Some(dead_end))).chain(unexplained) {
        if seen.contains(id.index()) {
            continue;
        }
        let before = (seen.count_ones(..), seen.contains(game.end().index()));
        mark(game, id, &mut seen);
        let ends = !before.1 && seen.contains(game.end().index());
        let further = seen.count_ones(..) - before.0 - 1 - usize::from(ends);
        report(cx, id, further, dead_end, &reached);
        if ends && dead_end.is_some() {
            explained = EndOfGame::Explained;
        }
    }
    explained
}

/// Nodes out of reach whose names are almost those of reached nodes where walks stop, with these.
fn misspelt(cx: &mut Checker<'_>, lost: &[NodeId], reached: &FixedBitSet) -> Vec<(NodeId, NodeId)> {
    let game = cx.game;
    let automaton = &game.automaton;
    let stops = |id: &NodeId| *id != game.end() && reached.contains(id.index()) && automaton.outgoing(*id).is_empty();
    let mut found = Vec::new();
    for dead_end in automaton.nodes().filter(stops) {
        if lost.is_empty() || cx.suggestions == 0 {
            break;
        }
        cx.suggestions -= 1;
        let best = closest(game.node_name(dead_end), lost.iter().map(|&id| game.node_name(id)));
        let node = best.and_then(|name| game.symbols.get(name)).and_then(|symbol| game.find_node(symbol));
        found.extend(node.map(|node| (node, dead_end)));
    }
    found
}

/// Reports reached nodes where moves break off, with nodes of almost the same names that go on. Where `explained` has them, another finding does.
fn dead_ends(cx: &mut Checker<'_>, explained: &[(NodeId, NodeId)], reached: &FixedBitSet) {
    let game = cx.game;
    let automaton = &game.automaton;
    let is_target = |edge: &Edge, id| matches!(edge.label, Label::Reach { to, .. } if to == id);
    let stops = |id: &NodeId| *id != game.end() && reached.contains(id.index()) && automaton.outgoing(*id).is_empty();
    let found: Vec<NodeId> = automaton.nodes().filter(stops).take(cx.suggestions).collect();
    for id in found {
        let targeted = automaton.edges().any(|(_, edge)| is_target(edge, id));
        if targeted || explained.iter().any(|&(_, dead_end)| dead_end == id) || cx.suggestions == 0 {
            continue;
        }
        cx.suggestions -= 1;
        let name = game.node_name(id);
        let goes_on =
            |id: &NodeId| *id == game.end() || (reached.contains(id.index()) && !automaton.outgoing(*id).is_empty());
        let others = automaton.nodes().filter(goes_on).map(|id| game.node_name(id));
        let near = nearest(name, others.filter(|other| unnumbered(other) != unnumbered(name)));
        let applies = if near.len() == 1 { Applies::Always } else { Applies::Maybe };
        let quoted: Vec<String> = near.iter().map(|near| format!("`{near}`")).collect();
        // Where no walk leads to the end, that is the finding.
        if quoted.is_empty() && !(is_written(game, id) && ends_moves(game, id)) {
            continue;
        }
        if (quoted.is_empty() || near == ["end"]) && !reached.contains(game.end().index()) {
            continue;
        }
        let message = format!("node `{name}` is a dead end: no edge leaves it");
        let mut found = Diagnostic::warning("RG032", automaton.node(id).span, message);
        found.help = Some(match quoted.as_slice() {
            [] => "only `end` ends a game: lead on from here, or remove the edges to it".to_owned(),
            _ => format!("did you mean {}?", alternatives(&quoted)),
        });
        found.fixes.extend(near.iter().filter_map(|near| rename(game, id, near)).map(|fix| Fix { applies, ..fix }));
        cx.report(found);
    }
}

/// Whether a move ends at a node. Where a move is under way, rules may break it off on purpose.
fn ends_moves(game: &Game, node: NodeId) -> bool {
    let automaton = &game.automaton;
    automaton.incoming(node).iter().any(|&id| game.ends_move(&automaton.edge(id).label))
}

/// Whether the name of a node stands in a text: other nodes of translations stand for what is written there.
fn is_written(game: &Game, node: NodeId) -> bool {
    let span = game.automaton.node(node).span;
    span.is_some() && (span.end - span.start) as usize == game.node_name(node).len()
}

/// The nodes that edges of a node enter, be it in a check.
fn successors(game: &Game, node: NodeId) -> impl Iterator<Item = NodeId> {
    let automaton = &game.automaton;
    let entered = automaton.outgoing(node).iter().flat_map(|&id| {
        let edge = automaton.edge(id);
        let checked = match edge.label {
            // The target of a check that cannot succeed is reported there, not here.
            Label::Reach { from, to, .. } => [Some(from), Some(to)],
            _ => [None, None],
        };
        checked.into_iter().flatten().chain([edge.target])
    });
    entered.filter(|&id| automaton.contains_node(id))
}

fn mark(game: &Game, start: NodeId, seen: &mut FixedBitSet) {
    let mut stack = vec![start];
    seen.insert(start.index());
    while let Some(node) = stack.pop() {
        for next in successors(game, node) {
            if !seen.put(next.index()) {
                stack.push(next);
            }
        }
    }
}

/// Reports a node out of reach, with that many `further` ones behind it, and the dead end that was meant to be it.
fn report(cx: &mut Checker<'_>, node: NodeId, further: usize, dead_end: Option<NodeId>, reached: &FixedBitSet) {
    let game = cx.game;
    let automaton = &game.automaton;
    let name = game.node_name(node);
    let span = automaton.node(node).span;
    let behind = |found: Diagnostic| match further {
        0 => found,
        1 => found.note("1 node after it cannot be reached either"),
        more => found.note(format!("{more} nodes after it cannot be reached either")),
    };
    let found = behind(Diagnostic::warning("RG029", span, format!("node `{name}` cannot be reached from `begin`")));
    let Some(dead_end) = dead_end else {
        if !automaton.incoming(node).is_empty() || cx.suggestions == 0 {
            return cx.report(found);
        }
        cx.suggestions -= 1;
        let known = automaton.nodes().filter(|id| *id != game.end() && reached.contains(id.index()));
        let others = known.map(|id| game.node_name(id)).filter(|other| unnumbered(other) != unnumbered(name));
        return cx.report(found.suggest(name, others).unsure());
    };
    let other = game.node_name(dead_end);
    if dead_end == game.begin() {
        // Names of nodes are free, but every game begins with this one.
        let mut fixes: Vec<Fix> = rename(game, node, other).into_iter().collect();
        // Which of the two names is the right one is beyond doubt.
        fixes.iter_mut().flat_map(|fix| &mut fix.edits).for_each(|edit| edit.instead_of = None);
        let found = found.help(format!("did you mean `{other}`?"));
        return cx.report(Diagnostic { severity: Severity::Error, fixes, ..found });
    }
    let (of_dead_end, of_node) = (occurrences(game, dead_end), occurrences(game, node));
    let mut found = if of_dead_end == 1 && automaton.node(dead_end).span.is_some() {
        let message = format!("node `{other}` is a dead end, and node `{name}` cannot be reached from `begin`");
        let found = Diagnostic::warning("RG029", automaton.node(dead_end).span, message);
        behind(found.also(span, "cannot be reached")).help(format!("did you mean `{name}`?"))
    } else {
        found.help(format!("did you mean `{other}`?"))
    };
    let fix = if of_dead_end <= of_node { rename(game, dead_end, name) } else { None };
    found.fixes.extend(fix.or_else(|| rename(game, node, other)));
    cx.report(found);
}

/// How often edges name a node.
fn occurrences(game: &Game, node: NodeId) -> usize {
    let automaton = &game.automaton;
    let checks = automaton.edges().map(|(_, edge)| match edge.label {
        Label::Reach { from, to, .. } => usize::from(from == node) + usize::from(to == node),
        _ => 0,
    });
    automaton.outgoing(node).len() + automaton.incoming(node).len() + checks.sum::<usize>()
}

/// Edits that rename a node everywhere; `None` if it is not known where it is named: known are the first place, and where
/// edges begin. O(edges).
pub(super) fn rename(game: &Game, node: NodeId, to: &str) -> Option<Fix> {
    let automaton = &game.automaton;
    let name = game.node_name(node);
    let length = u32::try_from(name.len()).ok()?;
    let outgoing = automaton.outgoing(node).iter().map(|&id| automaton.edge(id).span);
    let starts = outgoing.map(|span| Span { end: span.start.saturating_add(length), ..span });
    let places: BTreeSet<Span> = starts.chain([automaton.node(node).span]).filter(|span| span.is_some()).collect();
    if places.is_empty() || places.len() != occurrences(game, node) {
        return None;
    }
    let edit = |span| Edit { span, instead_of: Some(name.to_owned()), text: to.to_owned() };
    let edits = places.into_iter().map(edit).collect();
    Some(Fix { title: format!("replace `{name}` by `{to}`"), edits, applies: Applies::Always.unless_number(name, to) })
}

#[cfg(test)]
mod tests {
    use crate::{Diagnostic, SourceId};

    fn findings(text: &str) -> Vec<Diagnostic> {
        crate::check(&crate::text::parse(SourceId(0), text).0.unwrap())
    }

    /// A misspelt node makes one finding, whose fix changes the name that is written less often.
    #[test]
    fn misspelt_nodes_make_one_finding() {
        let mended = |wrong: &str| {
            let text = format!("type Player = {{ a }}; type Score = {{ 0 }}; {wrong}");
            let found = findings(&text);
            let [only] = found.as_slice() else { panic!("{wrong}: {found:?}") };
            let mut mended = text.clone();
            for edit in only.fixes.first().unwrap().edits.iter().rev() {
                mended.replace_range(edit.span.range(), &edit.text);
            }
            assert!(findings(&mended).is_empty(), "{mended}");
            (only.message.clone(), only.notes.clone())
        };
        let (target, notes) =
            mended("begin, chose: ; choose, m: $ x; choose, n: $ y; m, end: player = keeper; n, m: ;");
        assert_eq!(target, "node `chose` is a dead end, and node `choose` cannot be reached from `begin`");
        assert_eq!(notes, ["2 nodes after it cannot be reached either"]);
        let (source, _) =
            mended("begin, choose: ; begin, choose: $ z; chose, m: $ x; chose, m: $ y; m, end: player = keeper;");
        assert_eq!(source, "node `chose` cannot be reached from `begin`");
        assert!(mended("begin, m: ; m, edn: player = keeper;").0.contains("no walk leads"));
    }
}
