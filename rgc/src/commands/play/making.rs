//! The moves that humans make.

use super::pause::CUT;
use super::table::Sought;
use super::{Sitting, plain};
use crate::moves::{list_number, written_moves};
use crate::session::{Failure, finding};

impl Sitting<'_> {
    /// Makes the moves of a text, which are separated by `;`, as long as humans are to move, and where one may not see what another sees, as long as
    /// the same one is; returns the answers.
    pub(super) fn play_moves(&mut self, text: &str) -> Result<String, Failure> {
        if !text.contains(';') || self.table.exactly(text) {
            return self.play_move(text);
        }
        let (mut said, before, mover) = (String::new(), self.table.plies(), self.table.turn());
        for (number, (_, part)) in (1..).zip(written_moves(text)) {
            if self.is_shared() && self.table.turn() != mover {
                said.push_str(CUT);
                self.is_cut = true;
                break;
            }
            let answer = match self.waits() {
                true => self.play_move(part),
                false => Err(finding("IO348", "another player is to move").into()),
            };
            match answer {
                Ok(answer) => said.push_str(&answer),
                Err(Failure::Finding(why)) if self.table.plies() > before => {
                    said.push_str(&match part {
                        "" => format!("move {number} of the line is missing; what is behind it was not played\n"),
                        _ => format!("`{part}` was not played: {}\n", plain(&why)),
                    });
                    break;
                }
                Err(failure) => return Err(failure),
            }
            if !self.asked.is_empty() {
                break;
            }
        }
        Ok(said)
    }

    /// Makes the move that a text means, or asks for what it leaves open; returns the answer. A text that answers no question is a move of its own, or
    /// else the question is asked again.
    fn play_move(&mut self, text: &str) -> Result<String, Failure> {
        let sought = match self.chosen(text) {
            Some(index) => Ok(Sought::Move(index)),
            // The choices have no numbers. Those of the list are meant only where it has been shown.
            None if !self.asked.is_empty() && list_number(text).is_some() && !self.is_listed() => {
                Ok(Sought::Choice(self.asked.clone()))
            }
            None => match self.table.find(text) {
                Err(_) if !self.asked.is_empty() => Ok(Sought::Choice(self.asked.clone())),
                found => found,
            },
        };
        let again = std::mem::take(&mut self.asked);
        if sought.is_err()
            && let Some(chain) = self.table.chain(text)
        {
            let mut said = String::new();
            for index in chain {
                said.push_str(&(self.table.announced(index) + "\n"));
                self.table.make(index)?;
            }
            self.unsaved.moved(self.table.turn());
            return Ok(said);
        }
        let index = match sought? {
            Sought::Move(index) => index,
            Sought::Choice(words) => {
                let all: Vec<&str> = words.iter().map(|(word, _)| word.as_str()).collect();
                let none = if words == again { format!("`{}` is none of them; ", text.trim()) } else { String::new() };
                let question = format!("{none}which one? {}\n", all.join(", "));
                self.asked = words;
                return Ok(question);
            }
        };
        let is_short = self.table.text(index) != text;
        // What is told later with the moves of the others is not said now.
        let is_said = is_short && !self.table.is_in_steps();
        let said = if is_said { self.table.announced(index) + "\n" } else { String::new() };
        self.table.make(index)?;
        self.unsaved.moved(self.table.turn());
        // Where players choose at the same time, all moves are told when all have chosen.
        let told = self.table.told();
        Ok(if told.is_empty() { said } else { told })
    }

    /// Whether the legal moves of this position have been listed with their numbers.
    fn is_listed(&self) -> bool {
        self.listed == Some(self.table.plies())
    }

    /// The move that a text chooses of those that were asked about: by the word for it, or the beginning of that.
    pub(super) fn chosen(&self, text: &str) -> Option<usize> {
        let small = text.trim().to_lowercase();
        let begins = |(word, _): &&(String, usize)| !small.is_empty() && word.to_lowercase().starts_with(&small);
        if let Some((_, index)) = self.asked.iter().find(|(word, _)| word.to_lowercase() == small) {
            return Some(*index);
        }
        let mut chosen = self.asked.iter().filter(begins);
        chosen.next().filter(|_| chosen.next().is_none()).map(|(_, index)| *index)
    }

    /// Whether a text is the beginning of any word that was asked about: it is an answer, and no command.
    pub(super) fn answers(&self, text: &str) -> bool {
        let small = text.trim().to_lowercase();
        !small.is_empty() && self.asked.iter().any(|(word, _)| word.to_lowercase().starts_with(&small))
    }
}
