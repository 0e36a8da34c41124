//! A game ready to be played, in the terms of its own language.

use crate::Result;
use crate::forms::Prepared;
use crate::load::Loaded;
use crate::watchdog;
use crate::wellformed;
use backend::{Error, ErrorKind, Moves, Options, Reasoner, State, Tag, Turn};
use rg_ir::check::repeatable_tag;
use rg_ir::notation::Naming;
use rg_ir::{Diagnostic, Game, NodeId, Notation, Severity, Span};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::VecDeque;
use std::sync::OnceLock;

/// What people read, and may write, for a move without any text.
pub const NO_TAGS: &str = "(no tags)";

/// What people read for the system player that decides by chance.
pub const CHANCE: &str = "chance";

/// A move as people read it.
pub fn shown(text: &str) -> &str {
    if text.is_empty() { NO_TAGS } else { text }
}

/// A form of a game.
struct Form {
    game: Game,
    notation: Box<dyn Notation>,
    ground: Option<gdl::GroundForm>,
}

/// A game with an engine.
pub struct Runner {
    /// The game.
    pub loaded: Loaded,
    /// The engine.
    pub reasoner: Reasoner,
    /// The game in the form that it was given in, if the engine runs another one.
    given: Option<Form>,
    /// The first state of a game of joint moves in which it met a role without a move.
    stuck: OnceLock<Error>,
    /// See [`Runner::naming`].
    pub(crate) naming: OnceLock<Naming>,
}

impl Runner {
    /// Prepares a game to be run ([`Loaded::prepared`]).
    pub fn new(loaded: Loaded, options: Options) -> Result<Self> {
        let prepared = watchdog::guarded("the engine was prepared", || loaded.prepared(options))?;
        Self::of(loaded, prepared)
    }

    /// A game whose engine was prepared, or could not be.
    pub fn of(loaded: Loaded, prepared: std::result::Result<Prepared, Error>) -> Result<Self> {
        match prepared {
            Ok(Prepared { reasoner, other }) => {
                let (mut loaded, mut given) = (loaded, None);
                if let Some((game, notation)) = other {
                    let game = std::mem::replace(&mut loaded.game, game);
                    let notation = std::mem::replace(&mut loaded.notation, notation);
                    given = Some(Form { game, notation, ground: loaded.ground.take() });
                }
                Ok(Self { loaded, reasoner, given, stuck: OnceLock::new(), naming: OnceLock::new() })
            }
            Err(error) => {
                let play: Vec<String> = error.play.iter().map(|text| rendered(&*loaded.notation, text)).collect();
                Err(run_time_error(&loaded, &error, &play).into())
            }
        }
    }

    /// The game in the form that it was given in.
    #[must_use]
    pub fn into_given(self) -> Loaded {
        match self.given {
            Some(Form { game, notation, ground }) => Loaded { game, notation, ground, ..self.loaded },
            None => self.loaded,
        }
    }

    /// The first state.
    pub fn initial(&self) -> Result<State> {
        self.reasoner.initial().map_err(|error| self.failure(&error))
    }

    /// Whether an error only says that a game of joint moves cannot go on, since a role has no legal move: others can be
    /// played all the same. The first is kept for [`Runner::findings`].
    pub fn forgives(&self, error: &Error) -> bool {
        let forgiven = error.kind == ErrorKind::Stuck && self.loaded.notation.joint().is_some();
        if forgiven {
            self.stuck.get_or_init(|| error.clone());
        }
        forgiven
    }

    /// What is wrong with states that are reached, in games of joint moves: in some random games, and where an engine met
    /// it.
    pub fn findings(&self) -> Vec<Diagnostic> {
        let mut findings = wellformed::look(&self.loaded);
        if findings.iter().all(|finding| finding.code != gdl::codes::D1_STUCK) {
            findings.extend(self.stuck.get().map(|error| {
                let mut plain = run_time_error(&self.loaded, error, &self.short_play(&error.play));
                plain.severity = Severity::Warning;
                wellformed::after(self, &error.play).unwrap_or(plain)
            }));
        }
        findings
    }

    /// The finding for a run-time error.
    pub fn failure(&self, error: &Error) -> Box<Diagnostic> {
        // In games of joint moves the rules tell which role has no move.
        let stuck = (error.kind == ErrorKind::Stuck).then(|| wellformed::after(self, &error.play)).flatten();
        if let Some(finding) = stuck {
            return Diagnostic { severity: Severity::Error, ..finding }.into();
        }
        run_time_error(&self.loaded, error, &self.short_play(&error.play)).into()
    }

    /// The finding for a run-time error that happened after `play`.
    pub fn failure_after(&self, error: Error, play: Vec<String>) -> Box<Diagnostic> {
        self.failure(&Error { play, ..error })
    }

    /// The name of who is to move: a player, `chance`, or `None` at the end.
    pub fn mover(&self, state: &State) -> Option<&str> {
        match self.reasoner.turn(state) {
            Turn::Player(index) => self.players().nth(index),
            Turn::Random => Some(CHANCE),
            Turn::End => None,
        }
    }

    /// The names of the players in declaration order.
    pub fn players(&self) -> impl Iterator<Item = &str> {
        self.reasoner.players().iter().map(|name| self.loaded.notation.render_player(name))
    }

    /// The tags of all moves as text.
    pub fn tags<'m>(&'m self, moves: &'m Moves) -> Vec<Vec<&'m str>> {
        tags_of(&self.reasoner, moves)
    }

    /// All moves in the notation of the game's language, in their order. Outcomes of an ambiguous label are numbered.
    pub fn texts(&self, moves: &Moves) -> Vec<String> {
        self.label_texts(moves).into_iter().zip(0..).map(|(text, index)| numbered(text, moves.outcome(index))).collect()
    }

    /// As [`Runner::texts`], each with its index, sorted by their text. This order does not depend on the engine.
    pub fn listed(&self, moves: &Moves) -> Vec<(String, usize)> {
        let mut listed: Vec<(String, usize)> = self.label_texts(moves).into_iter().zip(0..).collect();
        let rest = |index: usize| (moves.tags(index), moves.outcome(index));
        listed.sort_by(|(a, i), (b, j)| a.cmp(b).then_with(|| rest(*i).cmp(&rest(*j))));
        listed.into_iter().map(|(text, index)| (numbered(text, moves.outcome(index)), index)).collect()
    }

    /// All moves in the notation of the game's language, without numbers.
    fn label_texts(&self, moves: &Moves) -> Vec<String> {
        let labels = Labels::of(moves);
        let texts = self.loaded.notation.render_moves(&labels.tags(&self.reasoner, moves));
        labels.of_move.iter().map(|&label| texts.get(label).cloned().unwrap_or_default()).collect()
    }
}

/// The tags of all moves as text.
pub(crate) fn tags_of<'m>(reasoner: &'m Reasoner, moves: &'m Moves) -> Vec<Vec<&'m str>> {
    moves.iter().map(|tags| tags.iter().map(|&tag| reasoner.tag_name(tag)).collect()).collect()
}

/// The labels of moves, each once.
pub(crate) struct Labels {
    /// Per label its first move.
    pub(crate) first: Vec<usize>,
    /// Per move its label.
    pub(crate) of_move: Vec<usize>,
}

impl Labels {
    pub(crate) fn of(moves: &Moves) -> Self {
        let mut labels = Labels { first: Vec::new(), of_move: Vec::with_capacity(moves.len()) };
        let mut ambiguous: FxHashMap<&[Tag], usize> = FxHashMap::default();
        for index in 0..moves.len() {
            let fresh = labels.first.len();
            let label = match moves.outcome(index) {
                0 => fresh,
                _ => *ambiguous.entry(moves.tags(index)).or_insert(fresh),
            };
            if label == fresh {
                labels.first.push(index);
            }
            labels.of_move.push(label);
        }
        labels
    }

    /// The tags of every label as text.
    pub(crate) fn tags<'m>(&self, reasoner: &'m Reasoner, moves: &'m Moves) -> Vec<Vec<&'m str>> {
        let tags = |&index: &usize| moves.tags(index).iter().map(|&tag| reasoner.tag_name(tag)).collect();
        self.first.iter().map(tags).collect()
    }
}

/// A move's text with the number of its outcome; 0 stands for none.
pub(crate) fn numbered(text: String, outcome: u32) -> String {
    match outcome {
        0 => text,
        _ if text.is_empty() => format!("#{outcome}"),
        _ => format!("{text} #{outcome}"),
    }
}

/// Takes the number of the outcome, which stands alone at the end, off a move's text.
pub(crate) fn label_text(text: &str) -> (&str, Option<u32>) {
    let alone = |name: &&str| name.is_empty() || name.ends_with(char::is_whitespace);
    let split = text.rsplit_once('#').filter(|(name, _)| alone(name));
    let split = split.and_then(|(name, number)| Some((name.trim_end(), number.parse().ok()?)));
    split.map_or((text, None), |(name, number)| (name, Some(number)))
}

/// The number of the outcome that the text of a move ends with.
pub fn outcome_number(text: &str) -> Option<u32> {
    label_text(text).1
}

/// A move given by its tags ([`Reasoner::move_text`]; no tag has a `#`) in a notation, for people.
pub fn rendered(notation: &dyn Notation, text: &str) -> String {
    let (tags, outcome) = label_text(text);
    let tags: Vec<&str> = tags.split_whitespace().collect();
    shown(&numbered(notation.render_move(&tags), outcome.unwrap_or(0))).to_owned()
}

/// The place of a node in the text: its own, or else the nearest one on walks from it. Linear in the edges that are passed.
pub fn place_of(game: &Game, node: NodeId) -> Span {
    let own = game.automaton.node(node).span;
    if own.is_some() { own } else { ahead(game, node) }
}

/// The nearest place in the text on walks from a node; none if nothing on them has a place. Linear in the edges that are passed.
pub fn ahead(game: &Game, node: NodeId) -> Span {
    let mut seen = FxHashSet::from_iter([node]);
    let mut queue = VecDeque::from([node]);
    while let Some(node) = queue.pop_front() {
        for &id in game.automaton.outgoing(node) {
            let edge = game.automaton.edge(id);
            if edge.span.is_some() {
                return edge.span;
            }
            if seen.insert(edge.target) {
                queue.push_back(edge.target);
            }
        }
    }
    Span::NONE
}

/// Says what happened at run time, where in the rules, and after which play, for people.
fn run_time_error(loaded: &Loaded, error: &Error, play: &[String]) -> Diagnostic {
    let game = &loaded.game;
    let node = game.symbols.get(&error.node).and_then(|name| game.find_node(name));
    let span = node.map_or(Span::NONE, |node| place_of(game, node));
    // Where a search runs for ever is more telling than where it began.
    let tag = node.filter(|_| error.kind == ErrorKind::Limit).and_then(|node| repeatable_tag(game, node));
    let tag = tag.map(|tag| game.automaton.edge(tag).span).filter(|span| span.is_some());
    let mut wrong = Diagnostic::error(error.kind.code(), tag.unwrap_or(span), error.message.clone());
    if tag.is_some() {
        wrong = wrong.label("a move can do this any number of times");
    }
    if error.kind == ErrorKind::Ambiguous {
        wrong = wrong.help("`--ambiguous split` makes a move of every outcome");
    }
    if !error.node.is_empty() && loaded.language.writes_nodes() {
        wrong = wrong.note(format!("at node `{}`", error.node));
    }
    if let Some(start) = &loaded.start {
        wrong = wrong.note(format!("the game was started at {}", start.name));
    }
    match play {
        [] => wrong,
        _ => wrong.note(format!("after the moves `{}`", play.join("; "))),
    }
}
