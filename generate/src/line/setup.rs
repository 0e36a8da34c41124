//! The first position as numbers of pieces in reading order: `12b . 12w`.

use super::board::{MAX_POINTS, Piece};
use super::words::{Text, Words, Wrong};
use crate::codes;
use rg_ir::Diagnostic;

/// Reads a first position for a board of `points` points. Groups in brackets are repeated: `.  3(3w 3b)`.
pub(super) fn read(value: Text<'_>, points: usize) -> Result<Vec<Option<Piece>>, Wrong> {
    let mut words = value.words();
    let mut found = Vec::new();
    group(&mut words, &mut found, Depth::Top)?;
    if found.len() != points {
        let (count, rest) = (found.len(), if found.len() < points { "fewer" } else { "more" });
        let message = format!("a first position of {count} points, {rest} than the board has, expected {points}");
        return Err(Diagnostic::error(codes::BAD_SETUP, value.span(), message).into());
    }
    Ok(found)
}

/// Whether brackets are open.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Depth {
    Top,
    Inside,
}

fn group(words: &mut Words<'_>, found: &mut Vec<Option<Piece>>, depth: Depth) -> Result<(), Wrong> {
    const EXPECTED: &str =
        "`.`, `w`, `b`, `W`, `B`, a number with one of these, or a number with several of them in brackets";
    loop {
        if words.is_at_end() || (depth == Depth::Inside && words.peek().text == ")") {
            return Ok(());
        }
        let is_number = words.peek().text.starts_with(|first: char| first.is_ascii_digit());
        let times = if is_number { words.number("number of points", MAX_POINTS)? } else { 1 };
        let word = words.next();
        let mut these = Vec::new();
        if word.text == "(" && depth == Depth::Top {
            group(words, &mut these, Depth::Inside)?;
            let end = words.next();
            if end.text != ")" {
                return Err(end.not("the end of a group", "`)`").into());
            }
        } else {
            for letter in word.text.chars() {
                these.push(match letter {
                    '.' | 'o' | '*' => None,
                    _ => Some(Piece::of_letter(letter).ok_or_else(|| word.not("piece", EXPECTED))?),
                });
            }
        }
        if these.is_empty() {
            return Err(word.not("piece", EXPECTED).into());
        }
        if these.len() * times + found.len() > MAX_POINTS {
            let message =
                format!("a first position of more than {MAX_POINTS} points, expected as many as the board has");
            return Err(Diagnostic::error(codes::TOO_LARGE, word.span(), message).into());
        }
        for _ in 0..times {
            found.extend_from_slice(&these);
        }
    }
}
