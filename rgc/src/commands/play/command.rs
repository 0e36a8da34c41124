//! Commands of a game that is played, and what `help` says about them.

use crate::session::{Failure, finding};
use std::path::Path;

/// The words that commands begin with.
pub(super) const WORDS: [&str; 13] =
    ["board", "eval", "help", "hint", "move", "moves", "new", "quit", "resume", "save", "state", "undo", "why"];

pub(super) const HELP_MOVES: &str = "\
3.                the third move of the list
move [MOVE]       the same; without MOVE the only legal one
moves [PREFIX]    lists the legal moves, numbered; PREFIX selects some
";

pub(super) const HELP: &str = "\
board             shows the position again
state             shows all that the rules keep, such as counters and scores
hint              the move that an agent (`--against`) would choose here
eval              the score that this agent expects for the player to move
why MOVE          explains why a move is illegal (why --rules MOVE: with lines
                  of the rules; why PLACE: lists its moves)
";

pub(super) const HELP_GAME: &str = "\
undo              takes back your last move and everything after it
new               starts again from the beginning
save FILE         writes the game to a record (--force FILE: replaces one)
resume FILE       continues a saved game
quit              ends the game (also q, exit)
";

/// What can be said, as far as it makes sense at this point: `examples` are ways to write a legal move, none at the end of the game.
pub(super) fn help(examples: &[String]) -> String {
    if examples.is_empty() {
        let shows = HELP.lines().take_while(|line| line.contains(" shows "));
        return shows.flat_map(|line| [line, "\n"]).chain([HELP_GAME]).collect();
    }
    format!("{}{HELP_MOVES}{HELP}{HELP_GAME}", help_on_moves(examples))
}

/// The line about moves, with as many ways to write one as there is room for.
pub(super) fn help_on_moves(examples: &[String]) -> String {
    let mut line = "MOVE              a move, such as ".to_owned();
    for (number, example) in (0..).zip(examples) {
        let between = if number == 0 { "" } else { ", " };
        if number > 0 && line.len() + between.len() + example.len() > WIDTH {
            break;
        }
        line = line + between + example;
    }
    line + "\n"
}

/// Letters of the longest line of help.
const WIDTH: usize = 78;

/// What a line of input means.
pub(super) enum Command<'a> {
    /// All commands, or one of them.
    Help(&'a str),
    Move(&'a str),
    Moves(&'a str),
    Board,
    State,
    Hint,
    Eval,
    Why(&'a str),
    Undo,
    New,
    /// A command with something behind it that does not belong there.
    Surplus(&'a str),
    /// What is too long to be either a command or a move.
    TooLong,
    Save(&'a str),
    Resume(&'a str),
    Quit,
}

impl<'a> Command<'a> {
    /// The command of a line. What begins with no word of a command is a move.
    pub(super) fn of(line: &'a str) -> Self {
        let (word, rest) = line.split_once(char::is_whitespace).map_or((line, ""), |(word, rest)| (word, rest.trim()));
        match (word.to_lowercase().as_str(), rest) {
            ("help" | "?", _) => Command::Help(rest),
            ("move", _) => Command::Move(rest),
            ("moves", _) => Command::Moves(rest),
            ("why", _) => Command::Why(rest),
            ("save", _) => Command::Save(rest),
            ("resume", _) => Command::Resume(rest),
            ("board", "") => Command::Board,
            ("state", "") => Command::State,
            ("hint", "") => Command::Hint,
            ("eval", "") => Command::Eval,
            ("undo", "") => Command::Undo,
            ("new", "") => Command::New,
            _ if is_quit(line) => Command::Quit,
            ("board" | "state" | "hint" | "eval" | "undo" | "new" | "quit" | "exit", _) => Command::Surplus(word),
            _ => Command::Move(line),
        }
    }
}

/// A text without a word such as `--force` before or behind it, and whether that is there.
pub(super) fn flagged<'t>(text: &'t str, flag: &str) -> (&'t str, bool) {
    if text == flag {
        return ("", true);
    }
    let (first, last) = (text.strip_prefix(flag), text.strip_suffix(flag));
    let first = first.filter(|rest| rest.starts_with(char::is_whitespace)).map(str::trim_start);
    let last = last.filter(|rest| rest.ends_with(char::is_whitespace)).map(str::trim_end);
    first.or(last).map_or((text, false), |text| (text, true))
}

/// The file that a command names, which may stand in quotation marks.
pub(super) fn named<'t>(path: &'t str, usage: &str) -> Result<&'t Path, Failure> {
    let quoted = |mark: char| path.strip_prefix(mark)?.strip_suffix(mark);
    match quoted('"').or_else(|| quoted('\'')).unwrap_or(path) {
        "" => Err(finding("IO348", format!("the name of a file is missing: `{usage}`")).into()),
        path => Ok(Path::new(path)),
    }
}

/// Whether a line that is typed while something takes long ends the play at once, where so many lines wait before it. A letter may be the answer to a
/// question that one of these leads to.
pub(super) fn quits_at_once(line: &str, before: usize) -> bool {
    is_quit(line) && (before == 0 || line.trim().chars().count() > 1)
}

/// Whether a line is the command to end the play.
pub(super) fn is_quit(line: &str) -> bool {
    matches!(line.trim().to_lowercase().as_str(), "quit" | "exit" | "q")
}

#[cfg(test)]
mod tests {
    #[test]
    fn letters_that_wait_may_be_answers() {
        let quits =
            [("q", 0), ("quit", 1), ("q", 1), ("e7e8", 0)].map(|(line, before)| super::quits_at_once(line, before));
        assert_eq!(quits, [true, true, false, false]);
    }

    #[test]
    fn words_are_flags_at_either_end() {
        for text in ["--force a b.json", "a b.json  --force"] {
            assert_eq!(super::flagged(text, "--force"), ("a b.json", true), "{text}");
        }
        assert_eq!(super::flagged("--force", "--force"), ("", true));
        assert_eq!(["a--force", "--forced", ""].map(|text| super::flagged(text, "--force").1), [false; 3]);
    }
}
