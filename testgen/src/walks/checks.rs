//! Checks that moves ask: floods, lines, and walks as moves make them.

use super::Generator;

impl Generator {
    /// A check with two beginnings and one end; it may ask later ones.
    pub(super) fn check(&mut self, number: usize) {
        let (first, second, goal) = (format!("q{number}"), format!("r{number}"), format!("g{number}"));
        let before = (self.checks, self.habits.shows_at_once);
        // Tags inside checks mean nothing, and may be in loops.
        self.checks.0 = number + 1;
        self.habits.shows_at_once = 10;
        (self.known, self.due, self.may_choose) = (vec!["from", "to"], Vec::new(), true);
        let mut at = first;
        match self.below(3) {
            0 => at = self.step(&at, "mid = Square(*)"),
            1 => {
                let place = self.place();
                at = self.step(&at, &format!("mid = {place}"));
            }
            _ => at = self.choose(&at),
        }
        self.known.push("mid");
        if self.chance(70) {
            at = self.tested(&at);
        }
        self.edge(&second, &at, "");
        for _ in 0..self.below(3) {
            at = if self.chance(50) { self.going_round(&at, 1) } else { self.segment(&at, 1) };
        }
        // A way back behind everything, so that the whole check goes round.
        if self.chance(20) {
            let back = self.tested(&at);
            self.edge(&back, &second, "");
        }
        let at = self.tested(&at);
        self.edge(&at, &goal, "");
        (self.checks, self.habits.shows_at_once) = before;
    }
}
