//! What the checks of RG find in a translated game, as findings on the description.
//!
//! Edges have the places of the statements and conditions that made them, so most findings only need to be passed on.
//! Some speak of nodes, which have no name in HRG, and get other words; some are about the translation, not about the
//! description, and are left out:
//!
//! | code | subject | why it is left out |
//! |---|---|---|
//! | RG024 | tags on cycles | unless the cycle has no condition: whether a chain of captures ends is not seen here |
//! | RG025 | edges out of `end` | there are none |
//! | RG027 | checks that enter themselves | recursive graphs are errors already; what is left is a lack of budget |
//! | RG028 | last step is not `player = keeper` | it always is, but at the end of `rules`, which has its own warning |
//! | RG029 | things that are not used | functions and domains are used at compile time too; our own warnings know that |
//! | RG030 | equal edges | copies of different statements become equal, such as `return()` in the last of a `repeat` |

use crate::keys;
use crate::notation::HrgNotation;
use petgraph::graph::{DiGraph, NodeIndex};
use rg_ir::ids::Id;
use rg_ir::{Diagnostic, Expr, Game, Label, Report, Span};
use rustc_hash::FxHashSet;

/// What findings need to speak of the description.
pub(crate) struct Names<'a> {
    /// The place of the name of `rules`.
    pub(crate) rules: Span,
    pub(crate) notation: &'a HrgNotation,
}

/// Adds what the checks of RG find. Near-linear.
pub(crate) fn check(game: &Game, names: &Names<'_>, report: &mut Report) {
    let endless = endless_tags(game);
    let is_seen = |finding: &Diagnostic| {
        let mut places = finding.primary.iter().chain(&finding.secondary);
        finding.code != "RG024" || places.any(|place| endless.contains(&place.span))
    };
    let found = rg_ir::check(game).into_iter().filter(is_seen);
    let found: Vec<Diagnostic> = found.filter_map(|finding| translate(finding, names.rules)).collect();
    let has_errors = found.iter().any(Diagnostic::is_error);
    let keys = if has_errors { Vec::new() } else { keys::check(game) };
    found.into_iter().chain(keys).for_each(|finding| report.push(in_words(finding, names.notation)));
}

/// Codes of errors of RG that are about a single label, whatever else the automaton has.
const OF_LABELS: [&str; 4] = ["RG015", "RG016", "RG017", "RG018"];

/// Adds the errors in the labels of a game whose graphs have other mistakes. Near-linear.
pub(crate) fn check_labels(game: &Game, notation: &HrgNotation, report: &mut Report) {
    let is_meant = |finding: &Diagnostic| {
        let is_placed = finding.primary.as_ref().is_some_and(|place| place.span.is_some());
        finding.is_error() && is_placed && OF_LABELS.contains(&finding.code)
    };
    let found = rg_ir::check(game).into_iter().filter(is_meant);
    let found = found.filter_map(|finding| translate(finding, Span::NONE));
    found.for_each(|finding| report.push(in_words(finding, notation)));
}

/// A finding with the names of the description.
fn in_words(mut finding: Diagnostic, notation: &HrgNotation) -> Diagnostic {
    let texts = finding.notes.iter_mut().chain(&mut finding.help).chain([&mut finding.message]);
    texts.for_each(|text| *text = notation.translate(text));
    finding
}

/// The places of tags on cycles that nothing can stop: without conditions and assignments to `player`. Linear.
fn endless_tags(game: &Game) -> FxHashSet<Span> {
    let player = game.symbols.get("player").and_then(|name| game.find_var(name));
    let mut graph: DiGraph<(), (), usize> = DiGraph::default();
    let nodes: Vec<NodeIndex<usize>> = (0..game.automaton.node_bound()).map(|_| graph.add_node(())).collect();
    let node = |index: usize| nodes.get(index).copied().unwrap_or_default();
    for (_, edge) in game.automaton.edges() {
        let stops = match edge.label {
            Label::Compare { .. } | Label::Reach { .. } => true,
            Label::Assign { lhs, .. } => matches!(game.exprs.root(lhs), Expr::Var(id) if Some(id) == player),
            _ => false,
        };
        if !stops {
            graph.add_edge(node(edge.source.index()), node(edge.target.index()), ());
        }
    }
    let mut component = vec![0; nodes.len()];
    for (number, members) in petgraph::algo::kosaraju_scc(&graph).into_iter().enumerate() {
        for member in members {
            if let Some(slot) = component.get_mut(member.index()) {
                *slot = number;
            }
        }
    }
    let tags = game.automaton.edges().filter(|(_, edge)| matches!(edge.label, Label::Tag(_) | Label::TagVar(_)));
    let on_cycle = tags.filter(|(_, edge)| component.get(edge.source.index()) == component.get(edge.target.index()));
    on_cycle.map(|(_, edge)| edge.span).collect()
}

fn translate(finding: Diagnostic, rules: Span) -> Option<Diagnostic> {
    let place = finding.primary.as_ref().map_or(Span::NONE, |primary| primary.span);
    let reword = |message: &str| Diagnostic::new(finding.severity, finding.code, place, message);
    match finding.code {
        "RG022" => {
            let warning = Diagnostic::warning("RG022", rules, "no game ever ends: nothing leads to `end()`");
            Some(warning.help("check that the loops on the way can be left"))
        }
        "RG016" => Some(finding.help("choose with one branch per player")),
        "RG023" => Some(reword("this tag is all that a loop does, so moves become infinitely long")),
        "RG026" if finding.primary.is_some() => {
            Some(reword("this graph never reaches its end, so the check always has the same outcome"))
        }
        "RG025" | "RG026" | "RG027" | "RG028" | "RG029" | "RG030" => None,
        _ if place.is_some() => Some(finding),
        // Without a place the whole of `rules` is the nearest.
        _ => {
            let whole = Diagnostic::new(finding.severity, finding.code, rules, finding.message.clone());
            Some(Diagnostic { primary: whole.primary, ..finding })
        }
    }
}
