//! Records of plays as JSON lines: one line about the game, then one for every play. Written by `match` and `play`, read
//! by `replay` and `play --resume`.

use crate::finding;
use crate::runner::Runner;
use agents::Play;
use backend::Turn;
use rg_ir::{Diagnostic, SourceId, Span};
use serde::{Deserialize, Serialize};
use std::io;

/// Version of the format.
pub const VERSION: u32 = 1;

/// The first line: which game.
#[derive(Clone, PartialEq, Serialize, Deserialize, Debug)]
pub struct Header {
    /// [`VERSION`].
    pub record: u32,
    /// The file, as it was named.
    pub game: String,
    /// The name of its language, for `--from`.
    pub language: String,
    /// [`digest`] of its text.
    pub text: String,
    /// Whether moves of one name and several outcomes are told apart.
    pub split: bool,
    /// Names of the players in declaration order.
    pub players: Vec<String>,
}

/// A line for a play.
#[derive(Clone, PartialEq, Serialize, Deserialize, Debug)]
pub struct PlayLine {
    /// Number, from 0.
    pub play: u64,
    /// Who played which player, in the order of the players.
    pub seats: Vec<String>,
    /// Seed of all random choices.
    pub seed: u64,
    /// The moves in source notation, those of chance included.
    pub moves: Vec<String>,
    /// The scores by player; final if the play is over.
    pub scores: Vec<String>,
    /// Whether the game was over.
    pub over: bool,
    /// [`Check::text`] of the play.
    pub check: String,
}

/// A line of JSON, with its end.
pub fn line(value: &impl Serialize) -> io::Result<String> {
    let mut text = serde_json::to_string(value).map_err(io::Error::from)?;
    text.push('\n');
    Ok(text)
}

impl Header {
    /// The header for a game that is read from `file`.
    pub fn new(runner: &Runner, file: &str, text: &str, split: bool) -> Self {
        Self {
            record: VERSION,
            game: file.to_owned(),
            language: runner.loaded.language.name.to_owned(),
            text: digest(text.as_bytes()),
            split,
            players: runner.players().map(str::to_owned).collect(),
        }
    }
}

/// What a record holds.
#[derive(Debug)]
pub struct Record {
    /// The first line.
    pub header: Header,
    /// Its complete plays.
    pub plays: Vec<PlayLine>,
    /// That the text ends within a line, and where.
    pub cut: Option<Diagnostic>,
}

/// Reads a record. If the text ends within a line, what stands in the lines before counts.
///
/// # Errors
/// `IO343` with the place if a line is not what it should be.
pub fn read(source: SourceId, text: &str) -> Result<Record, Box<Diagnostic>> {
    let mut lines = located(text).filter(|(_, line)| !line.trim().is_empty());
    let (start, first) = lines.next().unwrap_or((0, text));
    let header: Header = parsed(source, start, first, "the line about the game of a record")?;
    if header.record != VERSION {
        let message = format!("the record has version {}, expected {VERSION}", header.record);
        return Err(Diagnostic::error("IO343", Span::new(source, start, start + first.len()), message).into());
    }
    let (mut plays, mut cut) = (Vec::new(), None);
    for (start, line) in lines {
        match parsed(source, start, line, "a play of a record") {
            Ok(play) => plays.push(play),
            // What is written ends with a line break, which comes last.
            Err(_) if start + line.len() == text.len() => {
                let span = Span::new(source, text.len(), text.len());
                let message = format!("the record ends within play {}, after {} complete", plays.len(), plays.len());
                cut = Some(Diagnostic::warning("IO360", span, message));
            }
            Err(error) => return Err(error),
        }
    }
    Ok(Record { header, plays, cut })
}

/// What about a header, or the seats and numbers of the plays, does not fit the game.
///
/// # Errors
/// `IO344`.
pub fn fits(record: &Record, runner: &Runner) -> Result<(), Box<Diagnostic>> {
    let Record { header, plays, .. } = record;
    let players: Vec<&str> = runner.players().collect();
    if header.language != runner.loaded.language.name {
        let message = format!(
            "the record is of a game in `{}`, this one is in `{}`",
            header.language, runner.loaded.language.name
        );
        return Err(finding("IO344", message).into());
    }
    if header.players != players {
        let message = format!(
            "the players of the record are {}, those of the game are {}",
            header.players.join(", "),
            players.join(", ")
        );
        return Err(finding("IO344", message).into());
    }
    for (number, line) in (0..).zip(plays) {
        if line.play != number {
            return Err(wrong(line.play, format!("it stands where play {number} is expected")).into());
        }
        let counts = [("seats", line.seats.len()), ("scores", line.scores.len())];
        if let Some((what, count)) = counts.into_iter().find(|&(_, count)| count != players.len()) {
            return Err(
                wrong(line.play, format!("it has {count} {what}, the game has {} players", players.len())).into()
            );
        }
        if !header.split && line.moves.iter().any(|text| crate::runner::outcome_number(text).is_some()) {
            return Err(wrong(
                line.play,
                "its moves have numbers of outcomes, but the header says `split: false`".to_owned(),
            )
            .into());
        }
    }
    Ok(())
}

/// Lines with their offsets.
fn located(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.split_inclusive('\n').scan(0, |at, line| {
        let start = *at;
        *at += line.len();
        Some((start, line.trim_end_matches(['\n', '\r'])))
    })
}

fn parsed<'a, T: Deserialize<'a>>(
    source: SourceId,
    start: usize,
    line: &'a str,
    what: &str,
) -> Result<T, Box<Diagnostic>> {
    serde_json::from_str(line).map_err(|error| {
        let column = line.floor_char_boundary(error.column().saturating_sub(1));
        let reason = error.to_string();
        let reason = reason.split(" at line ").next().unwrap_or_default();
        let message = format!("this is not {what}: {reason}");
        let place = Span::new(source, start + column, start + line.len().max(column));
        Diagnostic::error("IO343", place, message)
            .help("`rgc match --record` and `save` in `rgc play` write records")
            .into()
    })
}

/// What the rules said about a play, in 64 bits: at every move who was to move, how many legal moves there were, and which
/// was made. It depends neither on the engine nor on how much the game was optimised.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Check(Fnv);

impl Check {
    /// Takes in the move that is about to be made.
    pub fn add(&mut self, runner: &Runner, play: &Play<'_>, index: usize) {
        let mover = match play.turn() {
            Turn::Player(player) => player as u64,
            Turn::Random => u64::MAX - 1,
            Turn::End => u64::MAX,
        };
        self.0.add(&mover.to_le_bytes());
        self.0.add(&(play.moves().len() as u64).to_le_bytes());
        self.0.add(runner.reasoner.move_text(play.moves(), index).as_bytes());
        self.0.add(&[0xff]);
    }

    /// Sixteen hexadecimal digits.
    pub fn text(&self) -> String {
        format!("{:016x}", self.0.0)
    }
}

/// The digest of a text.
pub fn digest(bytes: &[u8]) -> String {
    let mut fnv = Fnv::default();
    fnv.add(bytes);
    format!("{:016x}", fnv.0)
}

/// The hash FNV-1a with 64 bits (Fowler, Noll and Vo).
#[derive(Clone, PartialEq, Eq, Debug)]
struct Fnv(u64);

impl Default for Fnv {
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl Fnv {
    fn add(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
}

/// A finding about a record that does not fit its game.
pub fn wrong(play: u64, message: String) -> Diagnostic {
    finding("IO344", format!("play {play} of the record: {message}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digests() {
        assert_eq!(digest(b""), "cbf29ce484222325");
        assert_eq!(digest(b"a"), "af63dc4c8601ec8c");
    }

    #[test]
    fn wrong_records_are_refused_with_their_place() {
        for text in ["", "{}", "[1]", "\n{\"record\": 9", "\n\nżółć"] {
            let error = read(SourceId(0), text).unwrap_err();
            let start = error.primary.unwrap().span.start as usize;
            assert!(error.code == "IO343" && text.is_char_boundary(start), "{text}: {start}");
        }
    }
}
