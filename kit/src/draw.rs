//! States as text.

use crate::runner::Runner;
use backend::State;
use rg_ir::{Game, StateView, TypeId};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

/// Rows shown of one variable.
const MAX_ROWS: usize = 200;

/// The state as its notation draws it, or else as a list of variables. With a final newline.
pub fn state(runner: &Runner, state: &State) -> String {
    let view = runner.reasoner.view(state);
    let drawing = runner.loaded.notation.render_state(&view);
    drawing.unwrap_or_else(|| variables(&runner.loaded.game, &view))
}

/// All variables but `player`, in the manner of RG: of a map, the commonest value first, then the exceptions from it.
fn variables(game: &Game, view: &dyn StateView) -> String {
    let mut text = String::new();
    for (_, variable) in game.vars.iter() {
        let name = game.name(variable.name);
        let Some(shape) = game.shape(variable.ty).filter(|_| name != "player") else { continue };
        let mut rows = Rows { game, view, name, text: &mut text, left: MAX_ROWS };
        rows.write(&shape.keys);
    }
    text
}

struct Rows<'g, 't> {
    game: &'g Game,
    view: &'g dyn StateView,
    name: &'g str,
    text: &'t mut String,
    left: usize,
}

impl<'g> Rows<'g, '_> {
    /// One row for every combination of all keys but the last.
    fn write(&mut self, keys: &[TypeId]) {
        let Some((last, outer)) = keys.split_last() else {
            let value = self.view.get(self.name, &[]).unwrap_or("?");
            let _ = writeln!(self.text, "{} = {value}", self.name);
            return;
        };
        let members: Vec<Vec<&str>> = outer.iter().map(|&key| self.members(key)).collect();
        let last = self.members(*last);
        let mut at = vec![0; outer.len()];
        loop {
            if self.left == 0 {
                let _ = writeln!(self.text, "{}…", self.name);
                return;
            }
            self.left -= 1;
            let prefix: Vec<&str> =
                at.iter().zip(&members).filter_map(|(&index, members)| members.get(index).copied()).collect();
            self.row(&prefix, &last);
            if !next(&mut at, &members) {
                return;
            }
        }
    }

    fn members(&self, key: TypeId) -> Vec<&'g str> {
        self.game.types.members(key).iter().map(|&symbol| self.game.name(symbol)).collect()
    }

    fn row(&mut self, prefix: &[&'g str], keys: &[&'g str]) {
        let value = |key: &'g str| {
            let path: Vec<&str> = prefix.iter().copied().chain([key]).collect();
            self.view.get(self.name, &path).unwrap_or("?")
        };
        let values: Vec<(&str, &str)> = keys.iter().map(|&key| (key, value(key))).collect();
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        for (_, value) in &values {
            *counts.entry(value).or_default() += 1;
        }
        let commonest = counts.iter().max_by_key(|(_, count)| **count).map_or("?", |(value, _)| *value);
        let exceptions = values.iter().filter(|(_, value)| *value != commonest);
        let exceptions: String = exceptions.map(|(key, value)| format!(", {key}: {value}")).collect();
        let place: String = prefix.iter().map(|key| format!("[{key}]")).collect();
        let _ = writeln!(self.text, "{}{place} = {{ :{commonest}{exceptions} }}", self.name);
    }
}

/// Counts up `at`, whose last digit is the fastest; false once all combinations are through.
fn next(at: &mut [usize], members: &[Vec<&str>]) -> bool {
    for (digit, members) in at.iter_mut().zip(members).rev() {
        *digit += 1;
        if *digit < members.len() {
            return true;
        }
        *digit = 0;
    }
    false
}

/// A line in bold type on a terminal.
pub fn bold(text: &str) -> String {
    format!("\u{1b}[1m{text}\u{1b}[0m")
}

/// Colours of pieces: yellow, red, cyan, green, magenta, blue.
const COLOURS: [u8; 6] = [33, 31, 36, 32, 35, 34];

/// The parts of a drawing, line by line, each with the code of its colour on a terminal, if it has one: in rows of a
/// board, which begin with their number, every kind of piece has a colour of its own, and empty places are dim (2).
pub fn parts(drawing: &str) -> Vec<Vec<(&str, Option<u8>)>> {
    let is_row = |line: &str| line.split_whitespace().next().is_some_and(|label| label.parse::<u32>().is_ok());
    let pieces = drawing.lines().filter(|line| is_row(line)).flat_map(|line| line.split_whitespace().skip(1));
    let kinds: BTreeSet<&str> = pieces.filter(|piece| *piece != ".").collect();
    let colour = |piece: &str| match kinds.iter().position(|kind| *kind == piece) {
        Some(at) => COLOURS.get(at % COLOURS.len()).copied().unwrap_or(0),
        None => 2,
    };
    let row = |line| {
        let mut label = true;
        let mut parts = Vec::new();
        for part in str::split_inclusive(line, ' ') {
            let piece = part.trim_end();
            if !is_row(line) || piece.is_empty() || std::mem::take(&mut label) {
                parts.push((part, None));
            } else {
                parts.push((piece, Some(colour(piece))));
                parts.push((part.get(piece.len()..).unwrap_or_default(), None));
            }
        }
        parts
    };
    drawing.lines().map(row).collect()
}

/// A drawing with colours for a terminal.
pub fn coloured(drawing: &str) -> String {
    let mut text = String::new();
    for line in parts(drawing) {
        for (part, colour) in line {
            let _ = match colour {
                Some(colour) => write!(text, "\u{1b}[{colour}m{part}\u{1b}[0m"),
                None => write!(text, "{part}"),
            };
        }
        text.push('\n');
    }
    text
}
