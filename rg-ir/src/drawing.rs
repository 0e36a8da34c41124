//! What a picture of a game shows, for every kind of picture: nodes and labelled arrows.

use crate::automaton::Label;
use crate::game::Game;
use crate::ids::NodeId;
use crate::show::Show;
use rustc_hash::{FxHashMap, FxHashSet};

/// How an arrow is drawn.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum Kind {
    /// A step that does nothing.
    Skip,
    /// Comparisons.
    Test,
    /// A reachability test.
    Check,
    /// An assignment.
    Change,
    /// A tag.
    Tag,
    /// The end of a move.
    Switch,
    /// No edge, but the way from a reachability test to the start of the tested walk.
    Enter,
}

impl Kind {
    /// All kinds, in order.
    pub(crate) const ALL: [Kind; 7] =
        [Kind::Skip, Kind::Test, Kind::Check, Kind::Change, Kind::Tag, Kind::Switch, Kind::Enter];

    /// Colour of arrow and label.
    pub(crate) fn colour(self) -> &'static str {
        match self {
            Kind::Skip => "#666666",
            Kind::Test => "#1f5fa8",
            Kind::Check => "#7a3b9a",
            Kind::Change => "#222222",
            Kind::Tag => "#1b7a3d",
            Kind::Switch => "#c0392b",
            Kind::Enter => "#b79acb",
        }
    }
}

/// An arrow with its label, line by line.
pub(crate) struct Arrow {
    pub(crate) source: NodeId,
    pub(crate) target: NodeId,
    pub(crate) kind: Kind,
    pub(crate) lines: Vec<String>,
}

/// The arrows of a game in the order of its edges. Comparisons between the same two nodes share an arrow; reachability
/// tests get a second arrow to where they start. `limit` cuts labels. Linear.
pub(crate) fn arrows(game: &Game, show: Show<'_>) -> Vec<Arrow> {
    let mut arrows: Vec<Arrow> = Vec::new();
    let mut tests: FxHashMap<(NodeId, NodeId), usize> = FxHashMap::default();
    let mut entered: FxHashSet<(NodeId, NodeId)> = FxHashSet::default();
    for (_, edge) in game.automaton.edges() {
        let (source, target) = (edge.source, edge.target);
        let kind = match edge.label {
            Label::Skip => Kind::Skip,
            Label::Compare { .. } => Kind::Test,
            Label::Reach { .. } => Kind::Check,
            Label::Assign { .. } | Label::AssignAny { .. } if game.ends_move(&edge.label) => Kind::Switch,
            Label::Assign { .. } | Label::AssignAny { .. } => Kind::Change,
            Label::Tag(_) | Label::TagVar(_) => Kind::Tag,
        };
        let text = show.label(&edge.label);
        if kind == Kind::Test
            && let Some(arrow) = tests.get(&(source, target)).and_then(|&i| arrows.get_mut(i))
        {
            arrow.lines.push(text);
            continue;
        }
        if kind == Kind::Test {
            tests.insert((source, target), arrows.len());
        }
        let lines = if text.is_empty() { Vec::new() } else { vec![text] };
        arrows.push(Arrow { source, target, kind, lines });
        if let Label::Reach { from, .. } = edge.label
            && from != source
            && game.automaton.contains_node(from)
            && entered.insert((source, from))
        {
            arrows.push(Arrow { source, target: from, kind: Kind::Enter, lines: Vec::new() });
        }
    }
    arrows
}
