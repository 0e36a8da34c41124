//! The steps of a pipeline in a folder: what each change made of the game, and a page to look through all of them.

mod page;

use super::report::Record;
use crate::output::{Folder, Kind};
use passes::{Observer, Step};
use rg_ir::Game;
use similar::TextDiff;
use std::time::Duration;

/// A difference of texts is looked for so long; after that it is a correct one, but no shortest one.
const DIFF_TIME: Duration = Duration::from_millis(500);
/// Automata of more edges are not drawn for every change; `rgc graph` draws them.
const MAX_DRAWN_EDGES: usize = 1_500;

/// Writes every change of a game into a folder.
///
/// For the change of run 17, made by the pass `skips`, these are `017-skips.rg` (the game after it), `017-skips.diff`,
/// `017-skips.dot`, and, if it is not too large, `017-skips.svg`; `000-input.*` is the first game. [`Dumper::finish`] adds
/// `index.html`.
pub struct Dumper {
    folder: Folder,
    name: String,
    text: String,
    entries: Vec<Entry>,
}

/// A step as the page shows it.
struct Entry {
    record: Record,
    summary: &'static str,
    changes_moves: bool,
    /// Empty if nothing changed.
    diff: String,
    /// The drawing after it, if there is one.
    svg: Option<String>,
    /// File names without extension.
    stem: String,
}

impl Dumper {
    /// Files that are not numbered.
    pub const LAST: &[(&str, Kind)] = &[("index.html", Kind::Page)];

    /// Begins with a game called `name`.
    ///
    /// # Errors
    /// If something cannot be written.
    pub fn new(folder: Folder, name: &str, game: &Game) -> Result<Self, String> {
        let text = rg_ir::text::print(game);
        let dumper = Self { folder, name: name.to_owned(), text, entries: Vec::new() };
        dumper.write("000-input.rg", &dumper.text)?;
        dumper.draw("000-input", game)?;
        Ok(dumper)
    }

    /// Writes the page.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn finish(self) -> Result<(), String> {
        self.write("index.html", &page::page(&self.name, &self.entries))
    }

    /// The difference and the files of a change.
    fn change(&mut self, stem: &str, game: &Game) -> Result<(String, Option<String>), String> {
        let text = rg_ir::text::print(game);
        let diff = difference(&self.text, &text);
        self.write(&format!("{stem}.rg"), &text)?;
        self.write(&format!("{stem}.diff"), &diff)?;
        self.text = text;
        Ok((diff, self.draw(stem, game)?))
    }

    fn draw(&self, stem: &str, game: &Game) -> Result<Option<String>, String> {
        self.write(&format!("{stem}.dot"), &rg_ir::dot::dot(game))?;
        if game.automaton.edge_count() > MAX_DRAWN_EDGES {
            return Ok(None);
        }
        let Ok(svg) = rg_ir::svg::svg(game) else { return Ok(None) };
        self.write(&format!("{stem}.svg"), &svg)?;
        Ok(Some(svg))
    }

    fn write(&self, name: &str, text: &str) -> Result<(), String> {
        self.folder.write(name, text).map_err(|finding| finding.message)
    }
}

impl Observer for Dumper {
    fn step(&mut self, step: &Step<'_>) -> Result<(), String> {
        let stem = format!("{:03}-{}", step.number, step.pass.name());
        let (diff, svg) = if step.changed { self.change(&stem, step.after)? } else { (String::new(), None) };
        self.entries.push(Entry {
            record: Record::from(step),
            summary: step.pass.summary(),
            changes_moves: step.pass.changes_moves(),
            diff,
            svg,
            stem,
        });
        Ok(())
    }
}

/// The lines in which two texts differ, with three lines around them.
pub fn difference(old: &str, new: &str) -> String {
    TextDiff::configure().timeout(DIFF_TIME).diff_lines(old, new).unified_diff().context_radius(3).to_string()
}
