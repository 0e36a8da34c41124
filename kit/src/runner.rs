//! A game ready to be played, in the terms of its own language.

use crate::load::Loaded;
use crate::watchdog;
use crate::wellformed;
use crate::{Result, finding};
use backend::{Error, ErrorKind, Moves, Options, Reasoner, State, Tag, Turn};
use rg_ir::check::repeatable_tag;
use rg_ir::notation::find_move;
use rg_ir::{Diagnostic, Notation, Severity};
use rustc_hash::FxHashMap;
use std::sync::OnceLock;

/// What people read, and may write, for a move without any text.
pub const NO_TAGS: &str = "(no tags)";

/// A move as people read it.
pub fn shown(text: &str) -> &str {
    if text.is_empty() { NO_TAGS } else { text }
}

/// A game with an engine.
pub struct Runner {
    /// The game.
    pub loaded: Loaded,
    /// The engine.
    pub reasoner: Reasoner,
    /// The first state of a game of joint moves in which it met a role without a move.
    stuck: OnceLock<Error>,
}

impl Runner {
    /// Prepares a game to be run.
    pub fn new(loaded: Loaded, options: Options) -> Result<Self> {
        let prepare = || Reasoner::with_options(&loaded.game, loaded.trusted(options));
        let prepared = watchdog::guarded("the engine was prepared", prepare);
        match prepared? {
            Ok(reasoner) => Ok(Self { loaded, reasoner, stuck: OnceLock::new() }),
            Err(error) => Err(run_time_error(&loaded, &error).into()),
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
        let mut findings = wellformed::look(self);
        if findings.iter().all(|finding| finding.code != gdl::codes::D1_STUCK) {
            findings.extend(self.stuck.get().map(|error| {
                let mut plain = run_time_error(&self.loaded, error);
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
        run_time_error(&self.loaded, error).into()
    }

    /// The finding for a run-time error that happened after `play`.
    pub fn failure_after(&self, error: Error, play: Vec<String>) -> Box<Diagnostic> {
        self.failure(&Error { play, ..error })
    }

    /// The name of who is to move: a player, `random`, or `None` at the end.
    pub fn mover(&self, state: &State) -> Option<&str> {
        match self.reasoner.turn(state) {
            Turn::Player(index) => self.players().nth(index),
            Turn::Random => Some("random"),
            Turn::End => None,
        }
    }

    /// The names of the players in declaration order.
    pub fn players(&self) -> impl Iterator<Item = &str> {
        self.reasoner.players().iter().map(|name| self.loaded.notation.render_player(name))
    }

    /// The tags of all moves as text.
    pub fn tags<'m>(&'m self, moves: &'m Moves) -> Vec<Vec<&'m str>> {
        moves.iter().map(|tags| tags.iter().map(|&tag| self.reasoner.tag_name(tag)).collect()).collect()
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
        let texts = self.loaded.notation.render_moves(&self.label_tags(&labels, moves));
        labels.of_move.iter().map(|&label| texts.get(label).cloned().unwrap_or_default()).collect()
    }

    fn label_tags<'m>(&'m self, labels: &Labels, moves: &'m Moves) -> Vec<Vec<&'m str>> {
        let tags = |&index: &usize| moves.tags(index).iter().map(|&tag| self.reasoner.tag_name(tag)).collect();
        labels.first.iter().map(tags).collect()
    }

    /// Plays the moves of `text`, separated by `;`, from the first state; returns the state and the moves as tags. A
    /// move is written in the language's notation or as tags; an empty one stands for the only legal one.
    pub fn play(&self, text: &str) -> Result<(State, Vec<String>)> {
        let mut state = self.initial()?;
        let mut played = Vec::new();
        let mut moves = Moves::new();
        let text = text.trim();
        let text = text.strip_suffix(';').unwrap_or(text);
        for wanted in text.split(';').map(str::trim).filter(|_| !text.is_empty()) {
            if let Err(error) = self.reasoner.legal_moves(&state, &mut moves) {
                return Err(self.failure_after(error, played));
            }
            let index = self.find(wanted, &moves).map_err(|message| {
                let wrong = finding("IO320", format!("move {}: {message}", played.len() + 1));
                let advice = "`rgc moves` without `--play`, or with a shorter play, lists the legal moves";
                wrong.help(advice)
            })?;
            played.push(self.reasoner.move_text(&moves, index));
            if let Err(error) = self.reasoner.apply(&mut state, &moves, index) {
                return Err(self.failure_after(error, played));
            }
        }
        Ok((state, played))
    }

    /// The legal moves that may be meant by whoever has written this so far: in the notation of the game's language.
    pub fn begun(&self, text: &str, moves: &Moves) -> Vec<usize> {
        let labels = Labels::of(moves);
        let mut is_meant = vec![false; labels.first.len()];
        for label in self.loaded.notation.begun(text, &self.label_tags(&labels, moves)) {
            is_meant.get_mut(label).into_iter().for_each(|slot| *slot = true);
        }
        let meant = |index: &usize| labels.of_move.get(*index).and_then(|&label| is_meant.get(label)) == Some(&true);
        (0..moves.len()).filter(meant).collect()
    }

    /// Which of the legal moves a text means: in the notation of the game's language, or by tags.
    ///
    /// # Errors
    /// What is wrong, in one line.
    pub fn find(&self, wanted: &str, moves: &Moves) -> Result<usize, String> {
        if moves.is_empty() {
            return Err(format!("`{wanted}` cannot be played, the play is over"));
        }
        let ambiguous = (0..moves.len()).any(|index| moves.outcome(index) > 0);
        let (name, number) = if ambiguous { label_text(wanted) } else { (wanted, None) };
        let labels = Labels::of(moves);
        let tags = self.label_tags(&labels, moves);
        let nothing = tags.iter().position(Vec::is_empty).filter(|_| matches!(name.trim(), "" | NO_TAGS));
        let label = nothing.map_or_else(|| self.loaded.notation.parse_move(name, &tags), Ok).or_else(|message| {
            let plain: Vec<String> = tags.iter().map(|tags| tags.join(" ")).collect();
            find_move(name, &plain).map_err(|_| message)
        })?;
        let outcomes = || (0..moves.len()).filter(|&index| labels.of_move.get(index) == Some(&label));
        let outcome = outcomes().find(|&index| moves.outcome(index) == number.unwrap_or(0));
        outcome.ok_or_else(|| match (number, outcomes().count()) {
            (Some(_), 1) => format!("`{name}` leads to one position only, without a number"),
            (Some(number), several) => format!("`{name}` has outcomes #1 to #{several}, there is no #{number}"),
            (None, several) => format!("`{name}` is ambiguous: it is one of `{name} #1` to `{name} #{several}`"),
        })
    }
}

/// The labels of moves, each once.
struct Labels {
    /// Per label its first move.
    first: Vec<usize>,
    /// Per move its label.
    of_move: Vec<usize>,
}

impl Labels {
    fn of(moves: &Moves) -> Self {
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
}

/// A move's text with the number of its outcome; 0 stands for none.
fn numbered(text: String, outcome: u32) -> String {
    match outcome {
        0 => text,
        _ if text.is_empty() => format!("#{outcome}"),
        _ => format!("{text} #{outcome}"),
    }
}

/// Takes the number of the outcome, which stands alone at the end, off a move's text.
fn label_text(text: &str) -> (&str, Option<u32>) {
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

/// Says what happened at run time, where in the rules, and after which play.
fn run_time_error(loaded: &Loaded, error: &Error) -> Diagnostic {
    let game = &loaded.game;
    let node = game.symbols.get(&error.node).and_then(|name| game.find_node(name));
    let span = node.map_or(rg_ir::Span::NONE, |node| game.automaton.node(node).span);
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
    if !error.node.is_empty() {
        wrong = wrong.note(format!("at node `{}`", error.node));
    }
    if error.play.is_empty() {
        return wrong;
    }
    let moves = error.play.iter().map(|text| rendered(&*loaded.notation, text));
    wrong.note(format!("after the play `{}`", moves.collect::<Vec<_>>().join("; ")))
}
