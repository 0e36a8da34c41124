//! Notation: moves and states in the terms of the language a game was written in.

mod places;
mod read;
mod short;
mod way;

pub use places::Places;
pub use read::Unread;
pub use short::{Item, Naming, Position, Reading};

use crate::Span;
use crate::scene::{Board, Scene};
use rustc_hash::FxHashSet;
use std::borrow::Cow;

/// What a notation may ask about a state.
pub trait StateView {
    /// The symbol in a variable, or in a cell of a map variable (`keys` outermost first); `None` if there is no such
    /// cell.
    fn get(&self, variable: &str, keys: &[&str]) -> Option<&str>;
}

/// Renders and reads moves and states in source terms. Tags are given as text, in order.
pub trait Notation: Send + Sync {
    /// One move as text. Different legal moves of a state must come out different; see also
    /// [`Notation::render_moves`].
    fn render_move(&self, tags: &[&str]) -> String;

    /// All legal moves of a state as text, in the given order. Overridden where a move's text depends on the others
    /// (marks that are only needed to tell moves apart).
    fn render_moves(&self, moves: &[Vec<&str>]) -> Vec<String> {
        moves.iter().map(|tags| self.render_move(tags)).collect()
    }

    /// Which of the legal `moves` the text names. `Err` carries a one-line message that says what is wrong (unknown,
    /// ambiguous) and what would be accepted.
    fn parse_move(&self, text: &str, moves: &[Vec<&str>]) -> Result<usize, String> {
        find_move(text, &self.render_moves(moves))
    }

    /// The legal `moves`, by index, that may be meant by whoever has written `text` so far.
    fn begun(&self, text: &str, moves: &[Vec<&str>]) -> Vec<usize> {
        beginning(text, &self.render_moves(moves))
    }

    /// What people call the places that moves name; `None` if moves name none.
    fn places(&self) -> Option<&Places> {
        None
    }

    /// All legal moves of a state in the terms of people, in the given order; empty if nothing is known of what moves mean.
    fn readings(&self, _moves: &[Vec<&str>]) -> Vec<Reading> {
        Vec::new()
    }

    /// Which of some moves begin or end at the place with this label, as people write them. Linear in the moves.
    fn at_place(&self, label: &str, moves: &[Vec<&str>]) -> Vec<usize> {
        let readings = self.readings(moves);
        (0..).zip(&readings).filter(|(_, reading)| reading.is_at(label)).map(|(index, _)| index).collect()
    }

    /// Which of some moves go from place to place as a text does, and then on: its places are the first of theirs, or those where the piece
    /// comes down between jumps. Linear in the moves.
    fn going_on(&self, text: &str, moves: &[Vec<&str>]) -> Vec<usize> {
        way::going_on(self, text, moves)
    }

    /// All legal moves of a state as people write them, in the given order: in the shortest form that means no other of them, or else as
    /// [`Notation::render_moves`] has it. Linear in the moves.
    fn short_moves(&self, moves: &[Vec<&str>], naming: Naming) -> Vec<String> {
        short::shorten(&self.readings(moves), &self.render_moves(moves), naming)
    }

    /// Which of the legal `moves` a text means: in short, as [`Notation::parse_move`] has it, by its tags, or by the places that tell it
    /// apart. Linear in the moves.
    ///
    /// # Errors
    /// See [`Unread`].
    fn read_move(&self, text: &str, moves: &[Vec<&str>], naming: Naming) -> Result<usize, Unread> {
        read::find(self, text, moves, naming)
    }

    /// The words that moves may have which are not in the rules, such as one for a move that does nothing.
    fn move_words(&self) -> &[&str] {
        &[]
    }

    /// A player in source terms; `name` is the symbol of the game's `Player`.
    fn render_player<'a>(&'a self, name: &'a str) -> &'a str {
        name
    }

    /// A variable, or a cell of a map variable (`keys` outermost first), in source terms, as in ``the score of `white` ``.
    fn render_cell(&self, variable: &str, keys: &[&str]) -> String {
        match (variable, keys) {
            ("goals", [player]) => format!("the score of `{}`", self.render_player(player)),
            _ => keys.iter().fold(format!("`{variable}"), |text, key| format!("{text}[{key}]")) + "`",
        }
    }

    /// A value of a variable in source terms.
    fn render_value<'a>(&'a self, value: &'a str) -> &'a str {
        value
    }

    /// A tag of a move in source terms, where it stands alone and not in a move. Different tags of a game come out different.
    fn render_tag<'a>(&'a self, tag: &'a str) -> Cow<'a, str> {
        Cow::Borrowed(self.render_value(tag))
    }

    /// Which names in the automaton people know from the text of the rules.
    fn source_names(&self) -> SourceNames {
        SourceNames::Cells
    }

    /// What the rules call the fact that a variable, or a cell of a map variable (`keys` outermost first), has a value: `(cell 1 2 x)`.
    /// `None` if they have no words for it.
    fn proposition(&self, _variable: &str, _keys: &[&str], _value: &str) -> Option<String> {
        None
    }

    /// What the rules call the fact that a check looks for which begins or ends at a node; `None` if they have no words for it.
    fn checked(&self, _node: &str) -> Option<String> {
        None
    }

    /// What is worth knowing about the translation, a line each, for statistics.
    fn figures(&self) -> Vec<String> {
        Vec::new()
    }

    /// How plies make up joint moves, in languages in which all roles move at once.
    fn joint(&self) -> Option<&dyn JointMoves> {
        None
    }

    /// The boards that positions are drawn on; none if the notation knows of none.
    fn boards(&self) -> &[Board] {
        &[]
    }

    /// The kinds of pieces, by name, whose numbers on the board the rules compare with each other, as where the larger number wins.
    fn compared(&self) -> &[String] {
        &[]
    }

    /// The variable that holds the place which [`Setup::cursor`](crate::scene::Setup::cursor) is, if there is one.
    fn cursor(&self) -> Option<&str> {
        None
    }

    /// The position: everything that differs between states in which a move begins. `None` if the notation knows nothing of what variables
    /// mean; [`crate::scene::Variables`] helps then.
    fn scene(&self, _state: &dyn StateView) -> Option<Scene<'_>> {
        None
    }
}

/// Which names in an automaton are those of the text that it was made of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SourceNames {
    /// All of them: the text is RG.
    All,
    /// Those of variables and their values.
    Variables,
    /// None as they are, but [`Notation::render_cell`] and [`Notation::render_value`] know words for cells and values.
    Cells,
    /// None, but [`Notation::proposition`] and [`Notation::checked`] know words for conditions.
    Statements,
}

/// What a role does in a step of a game of joint moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Part<'a> {
    /// It makes a ply.
    Ply,
    /// It makes none, because this is its only legal move.
    Forced(&'a str),
}

/// Games in which all roles move at once: a *step* is one ply of each role that has a choice to make, in the order of the
/// roles.
pub trait JointMoves {
    /// The roles in order.
    fn roles(&self) -> Vec<&str>;

    /// The number of plies of every step.
    fn plies(&self) -> u32;

    /// Whether every role is told the moves of all others as soon as all have chosen: nothing else is hidden.
    fn tells_all(&self) -> bool {
        false
    }

    /// What each role does in the step that begins in that state.
    fn step(&self, state: &dyn StateView) -> Vec<Part<'_>>;

    /// The scores of the roles in a state at the end of a play.
    fn goals(&self, state: &dyn StateView) -> Vec<String>;

    /// The text that stands for the state between two steps in hashes.
    fn state_text(&self, state: &dyn StateView) -> String;

    /// Where the rules say what a role may do (`legal`) or what it is worth (`goal`): the head of the first rule for that value, else of the first
    /// rule for the role, else the role itself. [`Span::NONE`] if the text is not known.
    fn place(&self, relation: &str, role: &str, value: Option<&str>) -> Span {
        let _ = (relation, role, value);
        Span::NONE
    }

    /// The rules as they are written, if they can be asked.
    fn rules(&self) -> Option<Box<dyn RuleBook>> {
        None
    }
}

/// What the rules of a game of joint moves declare to be possible.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Declared {
    /// All fluents; `None` if the rules declare none.
    pub fluents: Option<FxHashSet<String>>,
    /// All pairs of a role and a move.
    pub moves: Option<FxHashSet<(String, String)>>,
}

/// The rules of a game of joint moves as they are written, whatever a translation makes of them. States are their texts
/// ([`JointMoves::state_text`]); lists are in the order of the roles, and sorted within.
///
/// All answers are `None` where they would take too much work.
pub trait RuleBook {
    /// Lets all answers from here on together take so much work, in rules that are tried; there are none after that.
    fn bound(&mut self, work: usize);

    /// The state at first.
    fn initial(&mut self) -> Option<String>;

    /// Whether the game is over.
    fn is_terminal(&mut self, state: &str) -> Option<bool>;

    /// Per role its legal moves.
    fn legal(&mut self, state: &str) -> Option<Vec<Vec<String>>>;

    /// Per role all its goal values: one in a well-formed game that is over.
    fn goals(&mut self, state: &str) -> Option<Vec<Vec<String>>>;

    /// The state after a joint move.
    fn next(&mut self, state: &str, moves: &[String]) -> Option<String>;

    /// Whether the rules say what roles see of moves.
    fn has_percepts(&self) -> bool;

    /// The fluents and moves that the rules declare to be possible.
    fn declared(&mut self) -> Option<Declared>;

    /// Per role what it sees of a joint move.
    fn percepts(&mut self, state: &str, moves: &[String]) -> Option<Vec<Vec<String>>>;
}

/// The notation of RG itself: tags separated by single spaces.
#[derive(Clone, Copy, Debug, Default)]
pub struct PlainNotation;

impl Notation for PlainNotation {
    fn render_move(&self, tags: &[&str]) -> String {
        tags.join(" ")
    }

    fn source_names(&self) -> SourceNames {
        SourceNames::All
    }
}

/// The rendered moves, by index, that begin with `text` (after collapsing white space). A space at its end counts.
pub fn beginning(text: &str, rendered: &[String]) -> Vec<usize> {
    let mut wanted = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if text.ends_with(char::is_whitespace) && !wanted.is_empty() {
        wanted.push(' ');
    }
    (0..).zip(rendered).filter(|(_, text)| text.starts_with(&wanted)).map(|(index, _)| index).collect()
}

/// Whether a move begins with a text that does not end within a number of it: `a1` is not short for `a10`.
pub fn is_short_for(text: &str, rendered: &str) -> bool {
    let digit = |c: char| c.is_ascii_digit();
    rendered.strip_prefix(text).is_some_and(|rest| !(text.ends_with(digit) && rest.starts_with(digit)))
}

/// Whether a text ends within a number of a move, as `a1` does in `a10`, in any case.
pub fn ends_in_number(text: &str, rendered: &str) -> bool {
    let (text, rendered) = (text.trim().to_lowercase(), rendered.to_lowercase());
    rendered.starts_with(&text) && !is_short_for(&text, &rendered)
}

/// Finds `text` among rendered moves: an exact match (after collapsing white space), else the only one it is short for: a prefix
/// that does not end within a number.
pub fn find_move(text: &str, rendered: &[String]) -> Result<usize, String> {
    let wanted = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if let Some(exact) = rendered.iter().position(|m| *m == wanted) {
        return Ok(exact);
    }
    if wanted.is_empty() && rendered.len() > 1 {
        return Err(format!("a move is missing; there are {} to choose from", rendered.len()));
    }
    let mut candidates = rendered.iter().enumerate().filter(|(_, m)| is_short_for(&wanted, m));
    match (candidates.next(), candidates.next()) {
        (Some((index, _)), None) => Ok(index),
        (Some((_, first)), Some((_, second))) => Err(format!("`{wanted}` is ambiguous: `{first}`, `{second}`, …")),
        (None, _) => {
            let close = crate::diag::closest(&wanted, rendered.iter().map(String::as_str));
            Err(match close {
                Some(close) => format!("`{wanted}` is not a legal move; did you mean `{close}`?"),
                None => format!("`{wanted}` is not a legal move"),
            })
        }
    }
}
