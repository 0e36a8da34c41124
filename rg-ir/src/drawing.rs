//! What a picture of a game shows, for every kind of picture: nodes and labelled arrows, and regions folded into one box.

use crate::automaton::Label;
use crate::game::Game;
use crate::ids::NodeId;
use crate::regions::Folding;
use crate::show::Show;
use rustc_hash::{FxHashMap, FxHashSet};

/// What a drawing shows besides the automaton.
#[derive(Clone, Copy)]
pub struct View<'v> {
    /// A note under the name of a node; empty if there is none.
    pub note: &'v dyn Fn(NodeId) -> String,
    /// A node in a colour of its own.
    pub marked: Option<NodeId>,
    /// The regions: those that are folded are drawn as one box, and nodes of one region as belonging together.
    pub folding: Option<&'v Folding<'v>>,
    /// Where a click on the box of a node leads (in SVG only).
    pub link: &'v dyn Fn(NodeId) -> Option<String>,
    /// Whether style sheet and arrow heads are left out of an SVG picture, since it stands in a page that has them from
    /// [`crate::svg::definitions`].
    pub embedded: bool,
    /// Whether boxes in an SVG picture have the attribute `data-node`, the name of the node, and arrows and their labels
    /// `data-from` and `data-to`, so that a page can find them.
    pub named: bool,
}

impl Default for View<'_> {
    /// The automaton alone.
    fn default() -> Self {
        Self { note: &|_| String::new(), marked: None, folding: None, link: &|_| None, embedded: false, named: false }
    }
}

impl View<'_> {
    /// The node whose box stands for this one.
    pub(crate) fn shown(&self, node: NodeId) -> NodeId {
        self.folding.map_or(node, |folding| folding.shown(node))
    }

    /// Whether the box of this node is the marked one.
    pub(crate) fn is_marked(&self, node: NodeId) -> bool {
        self.marked.is_some_and(|marked| self.shown(marked) == node)
    }

    /// Number of nodes of the folded region for which this box stands.
    pub(crate) fn folded_nodes(&self, node: NodeId) -> Option<usize> {
        self.folding.and_then(|folding| folding.folded_at(node)).map(|region| region.nodes)
    }
}

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

/// The arrows of a game in the order of its edges. Comparisons between the same two nodes share an arrow, and so do all
/// edges of one kind between the same two boxes if one of them is a folded region; what is inside of it has none.
/// Reachability tests get a second arrow to where they start. `show` may cut labels. Linear.
pub(crate) fn arrows(game: &Game, show: Show<'_>, view: &View<'_>) -> Vec<Arrow> {
    let mut arrows: Vec<Arrow> = Vec::new();
    let mut shared: FxHashMap<(NodeId, NodeId, Kind), usize> = FxHashMap::default();
    let mut entered: FxHashSet<(NodeId, NodeId)> = FxHashSet::default();
    let mut said: FxHashSet<(usize, String)> = FxHashSet::default();
    for (_, edge) in game.automaton.edges() {
        let (source, target) = (view.shown(edge.source), view.shown(edge.target));
        let folded = view.folded_nodes(source).is_some() || view.folded_nodes(target).is_some();
        let kind = kind(game, &edge.label);
        if !(folded && source == target) {
            let text = show.label(&edge.label);
            let shares = folded || kind == Kind::Test;
            let before = shared.get(&(source, target, kind)).copied().filter(|_| shares);
            let at = before.unwrap_or(arrows.len());
            if before.is_none() {
                arrows.push(Arrow { source, target, kind, lines: Vec::new() });
                shared.insert((source, target, kind), at);
            }
            // In front of a folded region, the same label may stand many times.
            let is_new = !folded || said.insert((at, text.clone()));
            if let Some(arrow) = arrows.get_mut(at).filter(|_| is_new && !text.is_empty()) {
                arrow.lines.push(text);
            }
        }
        if let Label::Reach { from, .. } = edge.label
            && game.automaton.contains_node(from)
            && view.shown(from) != source
            && entered.insert((source, view.shown(from)))
        {
            arrows.push(Arrow { source, target: view.shown(from), kind: Kind::Enter, lines: Vec::new() });
        }
    }
    arrows
}

fn kind(game: &Game, label: &Label) -> Kind {
    match label {
        Label::Skip => Kind::Skip,
        Label::Compare { .. } => Kind::Test,
        Label::Reach { .. } => Kind::Check,
        Label::Assign { .. } | Label::AssignAny { .. } if game.ends_move(label) => Kind::Switch,
        Label::Assign { .. } | Label::AssignAny { .. } => Kind::Change,
        Label::Tag(_) | Label::TagVar(_) => Kind::Tag,
    }
}
