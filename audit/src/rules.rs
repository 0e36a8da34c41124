//! Dead rules: steps of the automaton that no walk takes, or that none took in the plays that were looked at.

use backend::proper::Examination;
use kit::proper::undetected;
use passes::analysis::{Ranges, Values, Verdict};
use rg_ir::{Edge, EdgeId, Game, Label, SourceMap, Span};
use rustc_hash::FxHashMap;
use serde::Serialize;

/// Places that are named; all are counted.
const SHOWN: usize = 20;
/// Characters of source text that are shown.
const WIDTH: usize = 60;

/// Dead rules.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Rules {
    /// Steps of the automaton.
    pub(crate) edges: usize,
    /// Places in the rules that can be told apart: texts that stand for steps, and steps that no text stands for.
    pub(crate) places: usize,
    /// Places that no game can use: analyses of the rules show it, or all positions were explored.
    pub(crate) dead: Unused,
    /// Places that no play used that was looked at.
    pub(crate) unwalked: Unused,
    /// Positions looked at for that, one after the other.
    pub(crate) positions: u64,
    /// Random plays looked at.
    pub(crate) plays: u64,
    /// Whether these were all positions of the game.
    pub(crate) complete: bool,
    /// A place that a greater share of all playouts uses has been seen, with a confidence of 95 %; 0 if these were all positions.
    pub(crate) undetected: f64,
}

/// Places without use.
#[derive(Clone, Debug, Default, Serialize)]
pub(crate) struct Unused {
    pub(crate) count: usize,
    /// The first of them.
    pub(crate) shown: Vec<Place>,
}

/// A place in the rules.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub(crate) struct Place {
    /// Line and column in the source, if the place comes from there.
    pub(crate) at: Option<[usize; 2]>,
    /// What stands there: the beginning of the text, or the nodes of the step.
    pub(crate) text: String,
}

/// What is known of a step, the strongest last.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Use {
    Dead,
    Unwalked,
    Walked,
}

/// Sorts all steps of a game by what use they were. `game` is the one that was examined.
pub(crate) fn rules(sources: &SourceMap, game: &Game, examined: &Examination) -> Rules {
    let values = Values::solve(game, &Ranges::solve(game));
    let reachable = reachable(game);
    let of = |id: EdgeId, edge: &Edge| {
        let never = values.as_ref().is_some_and(|values| {
            let compares = matches!(edge.label, Label::Compare { .. });
            !values.reached(edge.source) || (compares && values.verdict(game, id) == Verdict::Never)
        });
        if examined.crossed(id) {
            Use::Walked
        } else if never || !reachable(edge) || examined.complete {
            Use::Dead
        } else {
            Use::Unwalked
        }
    };
    // Several steps may come from one text: it is of use if one of them is.
    let mut order: Vec<(Option<Span>, EdgeId)> = Vec::new();
    let mut uses: FxHashMap<(Option<Span>, Option<EdgeId>), Use> = FxHashMap::default();
    for (id, edge) in game.automaton.edges() {
        let span = Some(edge.span).filter(|span| span.is_some());
        let key = (span, Some(id).filter(|_| span.is_none()));
        let found = of(id, edge);
        uses.entry(key).and_modify(|known| *known = found.max(*known)).or_insert_with(|| {
            order.push((span, id));
            found
        });
    }
    order.sort_by_key(|(span, id)| (span.map(|span| (span.source, span.start, span.end)), *id));
    let mut rules = Rules {
        edges: game.automaton.edge_count(),
        places: order.len(),
        dead: Unused::default(),
        unwalked: Unused::default(),
        positions: examined.positions,
        plays: examined.plays,
        complete: examined.complete,
        undetected: if examined.complete { 0.0 } else { undetected(examined.plays) },
    };
    for (span, id) in order {
        let unused = match uses.get(&(span, Some(id).filter(|_| span.is_none()))) {
            Some(Use::Dead) => &mut rules.dead,
            Some(Use::Unwalked) => &mut rules.unwalked,
            _ => continue,
        };
        unused.count += 1;
        if unused.shown.len() < SHOWN {
            unused.shown.push(place(sources, game, span, id));
        }
    }
    rules
}

/// Whether a walk from the beginning, or from the start of a check, can come to a step as far as the automaton goes.
fn reachable(game: &Game) -> impl Fn(&Edge) -> bool + use<> {
    let mut starts = vec![game.begin()];
    let mut known = game.automaton.reachable(starts.iter().copied());
    loop {
        let before = starts.len();
        for (_, edge) in game.automaton.edges() {
            if let Label::Reach { from, .. } = edge.label
                && known.contains(rg_ir::ids::Id::index(edge.source))
                && !starts.contains(&from)
            {
                starts.push(from);
            }
        }
        if starts.len() == before {
            return move |edge| known.contains(rg_ir::ids::Id::index(edge.source));
        }
        known = game.automaton.reachable(starts.iter().copied());
    }
}

fn place(sources: &SourceMap, game: &Game, span: Option<Span>, id: EdgeId) -> Place {
    let written = span.and_then(|span| {
        let (line, column) = sources.position(span)?;
        let text = sources.get(span.source)?.text.get(span.range())?;
        Some(Place { at: Some([line, column]), text: shortened(text) })
    });
    written.unwrap_or_else(|| {
        let edge = game.automaton.edge(id);
        let (from, to) = (game.node_name(edge.source), game.node_name(edge.target));
        let span = game.automaton.node(edge.source).span;
        let at = sources.position(span).filter(|_| span.is_some()).map(|(line, column)| [line, column]);
        Place { at, text: shortened(&format!("step from `{from}` to `{to}`")) }
    })
}

/// The beginning of a text in one line.
fn shortened(text: &str) -> String {
    let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match words.char_indices().nth(WIDTH) {
        Some((end, _)) => format!("{}…", words.get(..end).unwrap_or_default()),
        None => words,
    }
}
