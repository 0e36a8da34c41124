//! Parts of walks that leap: several ways to one node, as those of a knight.

use super::{Generator, PLACES, STEPS, WAYS};

impl Generator {
    /// Several ways to one node, each of which writes the same variable, as the leaps of a knight.
    pub(super) fn leaps(&mut self, at: &str) -> String {
        let (base, var, join) = (self.place(), self.pick(&PLACES), self.node());
        let first = self.below(STEPS.len());
        for leap in 0..2 + self.below(3) {
            let label = match self.below(6) {
                0 => format!("{var} = line[{}][{base}]", WAYS[leap % 3]),
                1 => format!("{var} = {}", self.stepped(base)),
                _ => format!("{var} = {}[{base}]", STEPS[(first + leap) % STEPS.len()]),
            };
            let mut end = if self.chance(self.habits.shows_ways / 2) { self.tag(at) } else { at.to_owned() };
            end = self.step(&end, &label);
            if self.chance(30) {
                end = self.tested(&end);
            }
            self.edge(&end, &join, "");
        }
        let join = self.written(join, var);
        match self.below(4) {
            0 => join,
            1 => self.tested(&join),
            _ => self.step(&join, &format!("{var} != off")),
        }
    }

    /// Leaps that differ from every square, as pieces of real games make them: what tells them apart is shown behind the node where they
    /// meet, and those that leave the board meet there, too.
    pub(super) fn distinct_leaps(&mut self, at: &str) -> String {
        let squares = if self.chance(70) { "Square(*)" } else { "Place(*)" };
        let mut at = self.step(at, &format!("from = {squares}"));
        self.may_choose = self.squares < 4;
        self.known.push("from");
        if self.chance(50) {
            at = self.tested(&at);
        }
        let (join, first) = (self.node(), self.below(3));
        for leap in 0..2 + self.below(2) {
            let label = format!("to = {}[from]", STEPS[(first + leap) % 3]);
            let mut end = self.step(&at, &label);
            if self.chance(15) {
                end = self.tested(&end);
            }
            self.edge(&end, &join, "");
        }
        self.known.push("to");
        self.due = vec!["from", "to"];
        let mut end = self.step(&join, "to != off");
        if self.chance(50) {
            end = self.tested(&end);
        }
        self.show(end, 50)
    }
}
