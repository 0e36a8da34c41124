//! Parts of walks that go round: rides, walks that remember where they have been, and sowing.

use super::{Generator, LARGE, PIECES, PLACES};

impl Generator {
    /// A part that goes round; where it ends.
    pub(super) fn going_round(&mut self, at: &str, depth: usize) -> String {
        match self.below(5) {
            0 | 1 => self.rides(at),
            2 => self.remembering(at, depth),
            3 => self.sowing(at),
            _ => self.wandering(at, depth),
        }
    }

    /// A variable for places that begins where another one is.
    fn begun(&mut self, at: &str) -> (String, &'static str) {
        let var = self.pick(&PLACES);
        if self.known.contains(&var) && self.chance(60) {
            return (at.to_owned(), var);
        }
        let place = self.place();
        let to = self.step(at, &format!("{var} = {place}"));
        (to, var)
    }

    /// Rides in one or several directions that stop anywhere on the way, at one node.
    fn rides(&mut self, at: &str) -> String {
        let (at, var) = self.begun(at);
        let join = self.node();
        let passed = self.pick(&PIECES);
        for _ in 0..1 + self.below(3) {
            let step = format!("{var} = {}", self.stepped(var));
            let (head, on) = (self.node(), self.node());
            let start = if self.chance(self.habits.shows_ways) { self.tag(&at) } else { at.clone() };
            if self.chance(80) {
                self.edge(&start, &head, &step);
            } else {
                self.edge(&start, &head, "");
            }
            self.edge(&head, &on, &format!("board[{var}] == {passed}"));
            match self.below(3) {
                0 => {
                    let more = self.step(&on, &format!("{var} != off"));
                    self.edge(&more, &head, &step);
                }
                _ => self.edge(&on, &head, &step),
            }
            // Behind the first square, on the last one, or anywhere.
            match self.below(4) {
                0 => self.edge(&head, &join, &format!("board[{var}] != {passed}")),
                1 => {
                    let stop = self.tested(&on);
                    self.edge(&stop, &join, "");
                }
                _ => self.edge(&on, &join, ""),
            }
        }
        self.written(join, var)
    }

    /// Goes on to squares where the walk has not been, and may show each.
    fn remembering(&mut self, at: &str, depth: usize) -> String {
        let (at, var) = self.begun(at);
        let (head, end) = (self.node(), self.node());
        self.edge(&at, &head, "");
        let fresh = self.step(&head, &format!("seen[{var}] == 0"));
        let mut next = self.step(&fresh, &format!("seen[{var}] = 1"));
        // Few ways on, so that there are not too many walks.
        let ways = if self.squares > LARGE { 1 } else { 1 + self.below(2) };
        let join = self.node();
        for _ in 0..ways {
            let to = format!("{var} = {}", self.stepped(var));
            let start = if self.chance(self.habits.shows_ways) { self.tag(&next) } else { next.clone() };
            self.edge(&start, &join, &to);
        }
        next = if self.chance(60) { self.tested(&join) } else { join };
        if self.chance(self.habits.asks) {
            next = self.tested(&next);
        }
        match self.below(3) {
            0 => next = self.step(&next, &format!("$$ {var}")),
            1 => next = self.tag(&next),
            _ if depth > 1 && self.chance(30) => next = self.write(&next),
            _ => {}
        }
        self.edge(&next, &head, "");
        let last = if self.chance(50) { next } else { head };
        let stop = if self.chance(40) { self.tested(&last) } else { last };
        self.edge(&stop, &end, "");
        self.written(end, var)
    }

    /// Counts down while it goes on, and leaves out a square; the whole rest is determined, or nearly so.
    fn sowing(&mut self, at: &str) -> String {
        let (at, var) = self.begun(at);
        let first = match self.below(3) {
            0 => format!("count = size[board[{var}]]"),
            1 => format!("count = {}", self.numbers),
            _ => "count = size[held]".to_owned(),
        };
        let place = if self.chance(70) { var } else { self.place() };
        let at = self.step(&at, &format!("stop = {place}"));
        let at = self.step(&at, &first);
        let at = if self.chance(40) { self.show(at, 100) } else { at };
        let (head, end) = (self.node(), self.node());
        self.edge(&at, &head, "");
        let on = self.step(&head, "count != 0");
        let over = if self.chance(90) { "count == 0" } else { "" };
        self.edge(&head, &end, over);
        let step =
            format!("{var} = {}", ["ring[{}]", "ring[{}]", "right[{}]", "odd[{}]"][self.below(4)].replace("{}", var));
        let there = self.step(&on, &step);
        let mut put = there.clone();
        if self.chance(70) {
            let skipped = self.step(&there, &format!("{var} == stop"));
            let back = if self.chance(60) { on } else { head.clone() };
            let label = if self.chance(15) { "stop = ring[stop]" } else { "" };
            self.edge(&skipped, &back, label);
            put = self.step(&there, &format!("{var} != stop"));
        }
        match self.below(5) {
            0 => put = self.step(&put, &format!("seen[{var}] = 1")),
            1 => put = self.step(&put, &format!("board[{var}] = turned[board[{var}]]")),
            2 => put = self.step(&put, "held = turned[held]"),
            3 if self.chance(50) => put = self.step(&put, "$ sown"),
            _ => {}
        }
        if self.chance(15) {
            put = self.step(&put, &step);
        }
        let fewer = if self.chance(90) { "count = less[count]" } else { "count = less[less[count]]" };
        self.edge(&put, &head, fewer);
        if self.chance(30) { self.tested(&end) } else { self.written(end, var) }
    }

    /// Goes anywhere and nowhere: only marks end it.
    fn wandering(&mut self, at: &str, depth: usize) -> String {
        let (at, var) = self.begun(at);
        let (head, end) = (self.node(), self.node());
        self.edge(&at, &head, "");
        for _ in 0..1 + self.below(3) {
            let to = format!("{var} = {}", self.stepped(var));
            let mut next = self.step(&head, &to);
            if self.chance(60) {
                next = self.tested(&next);
            }
            if depth > 1 && self.chance(15) {
                next = self.step(&next, &format!("seen[{var}] = 1"));
            }
            self.edge(&next, &head, "");
            if self.chance(40) {
                self.edge(&next, &end, "");
            }
        }
        let stop = if self.chance(60) { self.tested(&head) } else { head };
        self.edge(&stop, &end, "");
        self.written(end, var)
    }
}
