//! Descriptions: the text form, and what is checked about board and rules together.
//!
//! A description has lines `key: value`. Lines that begin with `#` are comments. A drawing of a board stands in the lines below
//! `board:`, and more text in those below `about:`, indented.

use super::board::{Board, Player};
use super::drawing::{self, Row};
use super::family;
use super::options;
use super::rules::{Capture, Chain, Flying, PerPiece, Promotion, Rules, Ways};
use super::setup;
use super::words::{Text, Wrong, shortened, unknown};
use crate::codes;
use rg_ir::{Diagnostic, SourceId, Span};

/// Keys that are not rules.
const KEYS: [&str; 4] = ["name", "about", "board", "setup"];

/// Most findings about one description.
const MAX_FINDINGS: usize = 20;

/// A line game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Description {
    /// Its title; may be empty.
    pub name: String,
    /// What is to be said about it: sources, players. May be empty.
    pub about: String,
    /// Board and first position.
    pub board: Board,
    /// Rules.
    pub rules: Rules,
    /// The keys of rules that were given, for findings.
    places: Vec<(String, Span)>,
}

/// A key with its value and the indented lines below it.
struct Entry<'t> {
    key: Text<'t>,
    value: Text<'t>,
    below: Vec<Text<'t>>,
}

impl Entry<'_> {
    /// The key with single spaces.
    fn name(&self) -> String {
        self.key.text.split_whitespace().collect::<Vec<_>>().join(" ")
    }
}

impl Description {
    /// Reads a description.
    ///
    /// # Errors
    /// What is wrong with it, at most 20 findings.
    pub fn read(source: SourceId, text: &str) -> Result<Self, Vec<Diagnostic>> {
        let mut findings = Vec::new();
        let entries = entries(source, text, &mut findings);
        let find = |key: &str| entries.iter().find(|entry| entry.key.text == key);
        let board = find("board").map(|entry| match board(source, entry) {
            Ok(board) => Some(board),
            Err(found) => {
                findings.extend(found);
                None
            }
        });
        let mut board = board.unwrap_or_else(|| {
            let message = "no board, expected `board:` with a family such as `grid 5x5`, or a drawing below it";
            findings.push(Diagnostic::error(codes::NO_BOARD, Span::new(source, 0, 0), message));
            None
        });
        let mut rules = Rules::default();
        let mut of_rules: Vec<&Entry<'_>> = entries.iter().filter(|entry| options::is_rule(&entry.name())).collect();
        of_rules.sort_by_key(|entry| options::order(entry.key.text));
        for entry in &of_rules {
            findings.extend(options::read(&mut rules, &entry.name(), entry.value).err().map(|finding| *finding));
        }
        if let (Some(board), Some(entry)) = (&mut board, find("setup")) {
            findings.extend(set_up(board, entry).err().map(|finding| *finding));
        }
        let places = of_rules.iter().map(|entry| (entry.name(), entry.value.span())).collect();
        let text_of = |key: &str| {
            let lines =
                find(key).map(|entry| entry.below.iter().fold(entry.value.text.to_owned(), |a, b| a + " " + b.text));
            lines.unwrap_or_default().split_whitespace().collect::<Vec<_>>().join(" ")
        };
        match board.filter(|_| findings.is_empty()) {
            None => {
                findings.sort_by_key(|finding| finding.primary.as_ref().map(|place| place.span));
                findings.truncate(MAX_FINDINGS);
                Err(findings)
            }
            Some(board) => {
                let description = Self { name: text_of("name"), about: text_of("about"), board, rules, places };
                description.check()?;
                Ok(description)
            }
        }
    }

    /// A game without title.
    pub fn new(board: Board, rules: Rules) -> Self {
        Self { name: String::new(), about: String::new(), board, rules, places: Vec::new() }
    }

    /// Whether board and rules go together.
    ///
    /// # Errors
    /// Why they do not.
    pub fn check(&self) -> Result<(), Vec<Diagnostic>> {
        let Self { board, rules, .. } = self;
        let mut findings = Vec::new();
        for player in Player::ALL.into_iter().filter(|&player| board.pieces(player) == 0) {
            let message = format!("{} has no pieces", player.name());
            let help = "pieces are the letters `w` and `b` in a drawing, or in `setup:`, as in `setup: 12b . 12w`";
            findings.push(Diagnostic::error(codes::NO_PIECES, board.span, message).help(help));
        }
        let mut contradiction = |key: &str, message: &str| {
            findings.push(Diagnostic::error(codes::CONTRADICTION, self.place(key), message));
        };
        if rules.capture == Capture::Longest && rules.chain != Chain::Forced {
            contradiction("chain", "`capture: longest` without forced chains of jumps, expected `chain: forced`");
        }
        if rules.flying != Flying::None && board.circular {
            contradiction(
                "flying",
                "flying pieces on a board of rings, where lines have no end, expected `flying: none`",
            );
        }
        if rules.flying == Flying::Kings && !rules.has_kings(board) {
            contradiction(
                "flying",
                "flying kings in a game without kings, expected `promotion: far row`, or `W` and `B` on the board",
            );
        }
        if rules.promotion != Promotion::None && board.circular {
            contradiction(
                "promotion",
                "promotion on a board of rings, which has no far row, expected `promotion: none`",
            );
        }
        let has_sides = |ways: &PerPiece<Ways>| ways.0.iter().flatten().any(|&w| w != Ways::ALL && w != Ways::NONE);
        for (key, ways) in [("steps", &rules.steps), ("jumps", &rules.jumps)] {
            if board.circular && has_sides(ways) {
                contradiction(key, "directions on a board of rings, where none is forward, expected `all` or `none`");
            }
            let king = self.places.iter().find(|(name, _)| name.ends_with(key) && name.contains("king"));
            if let Some((name, _)) = king.filter(|_| !rules.has_kings(board)) {
                contradiction(
                    name,
                    "a rule for kings in a game without kings, expected `promotion: far row`, or `W` and `B` on the board",
                );
            }
        }
        if findings.is_empty() { Ok(()) } else { Err(findings) }
    }

    /// Where a rule is given; or else where the board is.
    fn place(&self, key: &str) -> Span {
        let exact = self.places.iter().find(|(name, _)| name == key);
        let given = exact.or_else(|| self.places.iter().find(|(name, _)| name.ends_with(key)));
        let first = self.places.iter().find(|(name, _)| name == "capture");
        given.or(first).map_or(self.board.span, |&(_, span)| span)
    }
}

/// The lines of a description, grouped by keys.
fn entries<'t>(source: SourceId, text: &'t str, findings: &mut Vec<Diagnostic>) -> Vec<Entry<'t>> {
    let mut entries: Vec<Entry<'t>> = Vec::new();
    let mut start = 0;
    let mut goes_on = false;
    for line in text.split('\n') {
        let whole = Text { text: line.strip_suffix('\r').unwrap_or(line), source, start };
        start += line.len() + 1;
        if findings.len() >= MAX_FINDINGS || whole.text.starts_with('#') {
            continue;
        }
        if whole.text.trim().is_empty() || whole.text.starts_with([' ', '\t']) {
            let takes_lines = entries.last().is_some_and(|entry| ["board", "about"].contains(&entry.key.text));
            match entries.last_mut().filter(|_| goes_on) {
                Some(entry) if takes_lines => entry.below.push(whole),
                _ if goes_on && !whole.text.trim().is_empty() => {
                    let message = "an indented line, expected `key: value`; drawings stand below `board:`, more text below `about:`";
                    findings.push(Diagnostic::error(codes::NOT_A_LINE, whole.trimmed().span(), message));
                }
                _ => {}
            }
            continue;
        }
        goes_on = true;
        let Some(colon) = whole.text.find(':') else {
            goes_on = false;
            let message = format!("`{}`, expected `key: value`", shortened(whole.text));
            findings.push(Diagnostic::error(codes::NOT_A_LINE, whole.trimmed().span(), message));
            continue;
        };
        let (key, value) = (whole.part(0, colon), whole.part(colon + 1, whole.text.len()));
        let entry = Entry { key, value, below: Vec::new() };
        let name = entry.name();
        if !KEYS.contains(&name.as_str()) && !options::is_rule(&name) {
            goes_on = false;
            let names: Vec<&str> = KEYS.into_iter().chain(options::KEYS).chain([options::STUCK]).collect();
            findings.push(unknown(codes::UNKNOWN_KEY, "key", key, &names));
        } else if let Some(before) = entries.iter().find(|other| other.name() == name) {
            goes_on = false;
            let twice = Diagnostic::error(
                codes::REPEATED_KEY,
                key.span(),
                format!("`{name}` is there twice, expected it once"),
            );
            findings.push(twice.also(before.key.span(), "the first one"));
        } else {
            entries.push(entry);
        }
    }
    entries
}

fn board(source: SourceId, entry: &Entry<'_>) -> Result<Board, Vec<Diagnostic>> {
    let rows: &[Text<'_>] = &entry.below;
    let is_blank = |row: &&Text<'_>| row.text.trim().is_empty();
    let from = rows.iter().take_while(is_blank).count();
    let to = rows.len() - rows.iter().rev().take_while(is_blank).count();
    let rows = rows.get(from..to).unwrap_or_default();
    let (Some(first), Some(last)) = (rows.first(), rows.last()) else {
        return match entry.value.text {
            "" => Err(vec![
                entry.value.not("board", "a family such as `grid 5x5`, or a drawing in the lines below, indented"),
            ]),
            _ => family::read(entry.value),
        };
    };
    if !entry.value.text.is_empty() {
        let message = format!("`{}` with a drawing below it, expected one of the two", shortened(entry.value.text));
        return Err(vec![Diagnostic::error(codes::BAD_VALUE, entry.value.span(), message)]);
    }
    let indentation = |row: &Text<'_>| row.text.len() - row.text.trim_start_matches(' ').len();
    let margin = rows.iter().filter(|row| !is_blank(row)).map(indentation).min().unwrap_or_default();
    let cropped: Vec<Row<'_>> = rows
        .iter()
        .map(|row| Row {
            text: row.text.get(margin..).unwrap_or_default().trim_end_matches(' '),
            start: Some(row.start + margin),
        })
        .collect();
    drawing::read(source, first.trimmed().span().to(last.trimmed().span()), &cropped)
}

/// Puts the pieces of `setup` on a board.
fn set_up(board: &mut Board, entry: &Entry<'_>) -> Result<(), Wrong> {
    let pieces = setup::read(entry.value, board.points.len())?;
    if let Some(point) = board.points.iter().find(|point| point.piece.is_some()) {
        let twice = Diagnostic::error(
            codes::BAD_SETUP,
            entry.key.span(),
            "`setup` for a drawing that has pieces, expected one of the two",
        );
        return Err(twice.also(point.span, "the first piece of the drawing").into());
    }
    for (point, piece) in board.points.iter_mut().zip(pieces) {
        point.piece = piece;
    }
    Ok(())
}
