//! Records of plays as JSON lines: one line about the game, then one for every play. Written by `match` and `play`, read
//! by `replay` and `play --resume`.

use crate::finding;
use crate::load::Loaded;
use crate::position::Position;
use crate::runner::{Runner, rendered};
use crate::table::counted;
use agents::Play;
use backend::{Ambiguity, Turn};
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
    /// Whether the outcomes of a move with several are moves of their own.
    pub split: bool,
    /// Names of the players in declaration order.
    pub players: Vec<String>,
    /// The match, if it is a record of one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub contest: Option<Contest>,
    /// The position at which all plays start, if it is not the game's own first one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start: Option<Position>,
}

/// Which match a record is of: what is needed to play the games that are missing.
#[derive(Clone, PartialEq, Serialize, Deserialize, Debug)]
pub struct Contest {
    /// The participants.
    pub players: Vec<String>,
    /// Games of each line-up.
    pub games: u64,
    /// The seed of the match.
    pub seed: u64,
    /// Games longer than this are stopped.
    pub max_plies: u64,
    /// The number of random plies that games begin with, or the [`digest`] of the file of openings.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub opening: Option<String>,
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
    /// The scores by player; final if the game is over.
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
    pub fn new(runner: &Runner, file: &str, text: &str, ambiguity: Ambiguity) -> Self {
        Self {
            record: VERSION,
            game: file.to_owned(),
            language: runner.loaded.language.name.to_owned(),
            text: digest(text.as_bytes()),
            split: ambiguity == Ambiguity::Split,
            players: runner.players().map(str::to_owned).collect(),
            contest: None,
            start: runner.loaded.start.as_ref().map(|start| start.position.clone()),
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
    /// Where the first line stands.
    pub header_place: Span,
    /// Where the plays stand.
    pub places: Vec<Span>,
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
    let place = |start: usize, line: &str| Span::new(source, start, start + line.len());
    let header_place = place(start, first);
    if first.trim().is_empty() {
        return Err(empty("the record is empty".to_owned()).or_at(header_place).into());
    }
    let header: Header = parsed(source, start, first, "the first line of a record of games")?;
    if header.record != VERSION {
        let message = format!("the record has version {}, expected {VERSION}", header.record);
        return Err(Diagnostic::error("IO343", header_place, message).into());
    }
    let (mut plays, mut places, mut cut) = (Vec::new(), Vec::new(), None);
    for (start, line) in lines {
        match parsed(source, start, line, "a game of a record") {
            Ok(play) => {
                plays.push(play);
                places.push(place(start, line));
            }
            // What is written ends with a line break, which comes last.
            Err(_) if start + line.len() == text.len() => {
                let span = Span::new(source, text.len(), text.len());
                let message =
                    format!("the record ends within game {}, after {} complete ones", plays.len(), plays.len());
                cut = Some(Diagnostic::warning("IO360", span, message));
            }
            Err(error) => return Err(error),
        }
    }
    Ok(Record { header, plays, header_place, places, cut })
}

/// The finding about a record without a line.
pub fn empty(message: String) -> Diagnostic {
    finding("IO343", message)
        .help("a record is a line of JSON about the game, and one for every game, as `rgc match --record` writes them")
}

/// The game of a record, started where its plays start.
///
/// # Errors
/// `IO371`: the position does not belong to the game.
pub fn started(record: &Record, loaded: Loaded) -> crate::Result<Loaded> {
    let Some(position) = &record.header.start else { return Ok(loaded) };
    let started = loaded.start_at(position, "the position where the record starts");
    started.map_err(|misfit| {
        let path = misfit.path.join(".");
        Box::new(misfit.finding.or_at(record.header_place).note(format!("at `start.{path}` of the first line")))
    })
}

/// Plays a recorded game again. `each` sees every position with the index of the move that is made there, and
/// then, without an index, the position after it.
///
/// # Errors
/// `IO344`: a move is not legal, or the end, the scores or the legal moves on the way are others than those of the record. Errors of the rules.
pub fn replayed(
    runner: &Runner,
    line: &PlayLine,
    mut each: impl FnMut(&Play<'_>, Option<usize>),
) -> Result<(), Box<Diagnostic>> {
    let mut made = Vec::new();
    let failed = |error: backend::Error, made: &[String]| runner.failure_after(error, made.to_vec());
    let mut play = Play::new(&runner.reasoner).map_err(|error| failed(error, &made))?;
    let mut check = Check::default();
    for (number, wanted) in (1..).zip(&line.moves) {
        let found = runner.find_in(wanted, play.state(), play.moves());
        let index = found.map_err(|message| wrong(line.play, format!("move {number}: {message}")))?;
        check.add(runner, &play, index);
        made.push(runner.reasoner.move_text(play.moves(), index));
        each(&play, Some(index));
        play.make(index).map_err(|error| failed(error, &made))?;
        each(&play, None);
    }
    confirmed(line, &play, &check)
}

/// Compares the end of a game with its record.
fn confirmed(line: &PlayLine, play: &Play<'_>, check: &Check) -> Result<(), Box<Diagnostic>> {
    let (scores, over) = (play.scores(), play.turn() == Turn::End);
    if over != line.over {
        let (found, said) = if over { ("is over", "goes on") } else { ("goes on", "is over") };
        return Err(
            wrong(line.play, format!("after its moves the game {found}, but the record says that it {said}")).into()
        );
    }
    if scores != line.scores {
        let message = format!("the scores are {}, but the record says {}", scores.join(", "), line.scores.join(", "));
        return Err(wrong(line.play, message).into());
    }
    if !check.is(&line.check) {
        let message =
            "the moves lead to the same end, but on the way the rules allowed other moves than when it was played";
        return Err(wrong(line.play, message.to_owned()).into());
    }
    Ok(())
}

/// What about a header, or the seats and numbers of the plays, does not fit the game.
///
/// # Errors
/// `IO344`.
pub fn fits(record: &Record, runner: &Runner) -> Result<(), Box<Diagnostic>> {
    let Record { header, plays, header_place, places, .. } = record;
    let players: Vec<&str> = runner.players().collect();
    let unfit = |message: String| Err(Diagnostic::error("IO344", *header_place, message).into());
    if header.language != runner.loaded.language.name {
        let (theirs, ours) = (&header.language, runner.loaded.language.name);
        return unfit(format!("the record is of a game in `{theirs}`, this one is in `{ours}`"));
    }
    if header.players != players {
        let (theirs, ours) = (names(header.players.iter().map(String::as_str)), names(players.iter().copied()));
        return unfit(format!("the record has {theirs}, the game has {ours}"));
    }
    for ((number, line), place) in (0..).zip(plays).zip(places) {
        let unfit = |message: String| Err(wrong(line.play, message).or_at(*place).into());
        if line.play != number {
            return unfit(format!("it stands where game {number} is expected"));
        }
        let counts = [("seat", line.seats.len()), ("score", line.scores.len())];
        if let Some((what, count)) = counts.into_iter().find(|&(_, count)| count != players.len()) {
            let (found, wanted) = (counted(count as u64, what), counted(players.len() as u64, "player"));
            return unfit(format!("it has {found}, the game has {wanted}"));
        }
        if !header.split && line.moves.iter().any(|text| crate::runner::outcome_number(text).is_some()) {
            return unfit("its moves have numbers of outcomes, but the header says `split: false`".to_owned());
        }
    }
    Ok(())
}

/// The player `a`; the players `a`, `b`; or no players.
fn names<'n>(players: impl IntoIterator<Item = &'n str>) -> String {
    let names: Vec<String> = players.into_iter().map(|name| format!("`{name}`")).collect();
    match names.len() {
        0 => "no players".to_owned(),
        1 => format!("the player {}", names.concat()),
        _ => format!("the players {}", names.join(", ")),
    }
}

/// Lines with their offsets, without line breaks.
pub fn located(text: &str) -> impl Iterator<Item = (usize, &str)> {
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
        let object = line.trim_start().starts_with('{');
        let message = match object {
            true => format!("this is not {what}: {}", rg_ir::json::reason(&error)),
            // What stands there instead of JSON says nothing about records.
            false => format!("this is not {what}, which is a JSON object in a line"),
        };
        let place = Span::new(source, start + column, start + line.len().max(column));
        Diagnostic::error("IO343", place, message)
            .help("`rgc match --record` and `save` in `rgc play` write records")
            .into()
    })
}

/// What the rules said about a play, in 64 bits: at every move who was to move, how many legal moves there were, and which
/// was made. It depends neither on the engine nor on how much the game was optimised, nor on the form that it was translated to.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Check {
    /// With moves as they are written, in games of joint moves: these have other tags in other forms.
    written: Option<Fnv>,
    /// With the tags of moves.
    tagged: Fnv,
}

impl Check {
    /// Takes in the move that is about to be made.
    pub fn add(&mut self, runner: &Runner, play: &Play<'_>, index: usize) {
        let mover = match play.turn() {
            Turn::Player(player) => player as u64,
            Turn::Random => u64::MAX - 1,
            Turn::End => u64::MAX,
        };
        let tags = runner.reasoner.move_text(play.moves(), index);
        let add = |to: &mut Fnv, text: &str| {
            to.add(&mover.to_le_bytes());
            to.add(&(play.moves().len() as u64).to_le_bytes());
            to.add(text.as_bytes());
            to.add(&[0xff]);
        };
        if runner.loaded.notation.joint().is_some() {
            add(self.written.get_or_insert_default(), &rendered(&*runner.loaded.notation, &tags));
        }
        add(&mut self.tagged, &tags);
    }

    /// Sixteen hexadecimal digits.
    pub fn text(&self) -> String {
        self.written.as_ref().unwrap_or(&self.tagged).text()
    }

    /// Whether this is what a record says. Earlier versions took the tags of all games.
    #[must_use]
    pub fn is(&self, recorded: &str) -> bool {
        self.text() == recorded || self.tagged.text() == recorded
    }
}

/// The digest of a text.
pub fn digest(bytes: &[u8]) -> String {
    let mut fnv = Fnv::default();
    fnv.add(bytes);
    fnv.text()
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
    fn text(&self) -> String {
        format!("{:016x}", self.0)
    }

    fn add(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
}

/// A finding about a record that does not fit its game.
pub fn wrong(play: u64, message: String) -> Diagnostic {
    finding("IO344", format!("game {play} of the record: {message}"))
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
