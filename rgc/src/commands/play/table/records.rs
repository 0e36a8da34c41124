//! The play on the table as a record, and back.

use super::{Step, Table};
use crate::output::{Existing, What, Writer};
use crate::record::{self, Check, Header, PlayLine, wrong};
use crate::session::{Failure, finding};
use agents::Play;
use backend::Turn;
use std::io::Write as _;
use std::path::Path;
use std::sync::{Mutex, OnceLock};

impl Table<'_> {
    /// Writes the game to a file.
    pub(in super::super) fn save(
        &self,
        (writer, path, existing): (&Writer, &Path, Existing),
        seats: &[String],
        seed: u64,
    ) -> Result<(), Failure> {
        let line = PlayLine {
            play: 0,
            seats: seats.to_vec(),
            seed,
            moves: self.steps.iter().map(|step| step.text.clone()).collect(),
            scores: self.play.scores().into_iter().map(str::to_owned).collect(),
            over: self.turn() == Turn::End,
            check: self.check.text(),
        };
        let text = record::line(&self.header)? + &record::line(&line)?;
        let written = writer.create(What::Record, path, existing)?.write_all(text.as_bytes());
        Ok(written.map_err(|error| What::Record.unwritable(path, &error))?)
    }

    /// Whether the play so far begins with that of a record.
    pub(in super::super) fn begins_with(&self, header: &Header, line: &PlayLine) -> bool {
        let same = header.text == self.header.text && header.split == self.header.split;
        let same = same && header.start == self.header.start;
        let equal = self.steps.iter().zip(&line.moves).all(|(step, text)| step.text == *text);
        same && equal && line.moves.len() <= self.steps.len()
    }

    /// That a record is not the beginning of this game which leaves out moves that cannot be taken back ([`Table::undo`]).
    ///
    /// # Errors
    /// `IO348`: it is.
    pub(in super::super) fn keeps(&self, header: &Header, line: &PlayLine, humans: &[usize]) -> Result<(), Failure> {
        let hides = self.fast.reasoner.hides() && !self.is_open();
        let kept = line.moves.len();
        if !hides || kept >= self.steps.len() || !self.begins_with(header, line) {
            return Ok(());
        }
        self.is_not_shown()?;
        let is_human = |step: &&Step<'_>| matches!(step.play.turn(), Turn::Player(player) if humans.contains(&player));
        let Some(first) = self.steps.iter().skip(kept).find(is_human) else { return Ok(()) };
        let is_other = |step: &Step<'_>| step.play.turn() != first.play.turn();
        if self.steps.iter().skip(kept).any(is_other) || self.is_told_since(first, humans) {
            let message =
                "the record is the beginning of this game, and a move behind it was answered: it cannot be taken back";
            return Err(finding("IO348", message).help("`new` starts again").into());
        }
        Ok(())
    }

    /// Goes on with a play of a record.
    pub(in super::super) fn resume(&mut self, header: &Header, line: &PlayLine) -> Result<(), Failure> {
        if header.text != self.header.text || header.split != self.header.split {
            let message = format!("the record is of another game: `{}`, or of another text of it", header.game);
            return Err(finding("IO345", message).into());
        }
        if header.start != self.header.start {
            let message = "the record starts at another position than this game";
            return Err(finding("IO345", message).help("`rgc play --resume` starts where the record does").into());
        }
        let play = Play::new(&self.fast.reasoner).map_err(|error| self.fast.failure(&error))?;
        let mut fresh = Table {
            header: self.header.clone(),
            play,
            state: self.drawn.initial()?,
            check: Check::default(),
            steps: Vec::new(),
            texts: Vec::new(),
            short: Vec::new(),
            order: Vec::new(),
            owners: OnceLock::new(),
            must_capture: OnceLock::new(),
            known: Mutex::default(),
            ..*self
        };
        fresh.name_moves();
        for (number, wanted) in (1..).zip(&line.moves) {
            let index = fresh.meant(wanted).map_err(|message| wrong(line.play, format!("move {number}: {message}")))?;
            fresh.make(index)?;
        }
        if !fresh.check.is(&line.check) {
            let message = "the rules allowed other moves on the way than when it was played".to_owned();
            return Err(wrong(line.play, message).into());
        }
        *self = fresh;
        Ok(())
    }
}
