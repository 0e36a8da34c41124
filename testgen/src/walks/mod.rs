//! Games whose moves are walks that meet, part and go round: what a search must tell apart, and what it must not.
//!
//! Walks choose squares, step in several ways to one node, ride along lines, jump with squares they have been to, count down, and
//! ask checks that do the same. What tells moves apart is shown at once, or only behind the node where they meet, or not at all.
//! Every now and then two walks are one move, or a label is ambiguous.

mod checks;
mod declarations;
mod leaps;
mod loops;

use crate::choices::Choices;
use std::fmt::Write;

/// Variables for places.
const PLACES: [&str; 3] = ["from", "to", "mid"];
const PIECES: [&str; 3] = ["e", "p", "q"];
/// Constants that lead from place to place.
/// The first three differ from every square, as a rule.
const STEPS: [&str; 5] = ["right", "left", "far", "ring", "odd"];
const WAYS: [&str; 3] = ["w0", "w1", "w2"];
/// Boards with more squares are large: walks on them choose few squares.
const LARGE: usize = 9;

/// How likely it is, in percent, that a game does something.
struct Habits {
    /// To show a variable as soon as it is written.
    shows_at_once: usize,
    /// To show it at all.
    shows: usize,
    /// To show which of several ways is taken.
    shows_ways: usize,
    /// To write to the board in the middle of a move.
    writes: usize,
    /// To go round, or to ask.
    loops: usize,
    asks: usize,
}

struct Generator {
    choices: Choices,
    text: String,
    habits: Habits,
    squares: usize,
    /// The largest number.
    numbers: usize,
    /// How many nodes and tags there are so far.
    nodes: usize,
    tags: usize,
    /// Variables that were written and are not shown yet.
    due: Vec<&'static str>,
    /// Variables for places that are written on all walks so far.
    known: Vec<&'static str>,
    /// Whether a walk may still choose among all squares.
    may_choose: bool,
    /// The first check that may be asked, and how many there are.
    checks: (usize, usize),
}

/// The text of the game with that number. Every play ends.
pub fn walks(seed: u64) -> String {
    let mut choices = Choices::seed(seed);
    let squares = match choices.below(10) {
        0 => [16, 31, 33, 63, 64, 65, 70][choices.below(7)],
        1 => 2,
        2 | 3 => 3,
        4 | 5 => 4,
        6 | 7 => 5,
        _ => [6, 7, 9][choices.below(3)],
    };
    let numbers = if choices.below(12) == 0 { [30, 64, 70][choices.below(3)] } else { 1 + choices.below(4) };
    let often = |choices: &mut Choices| [0, 30, 70, 100][choices.below(4)];
    let habits = Habits {
        shows_at_once: often(&mut choices),
        shows: [100, 100, 100, 80][choices.below(4)],
        shows_ways: [0, 30, 60, 100][choices.below(4)],
        writes: [0, 0, 20, 50][choices.below(4)],
        loops: [0, 20, 40, 70][choices.below(4)],
        asks: [0, 10, 30, 50][choices.below(4)],
    };
    let checks = (0, choices.below(5));
    let generator = Generator {
        choices,
        text: String::new(),
        habits,
        squares,
        numbers,
        nodes: 0,
        tags: 0,
        due: Vec::new(),
        known: Vec::new(),
        may_choose: true,
        checks,
    };
    generator.game()
}

impl Generator {
    fn below(&mut self, bound: usize) -> usize {
        self.choices.below(bound)
    }

    fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    fn pick<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.below(list.len())]
    }

    fn node(&mut self) -> String {
        self.nodes += 1;
        format!("n{}", self.nodes)
    }

    fn edge(&mut self, from: &str, to: &str, label: &str) {
        let _ = writeln!(self.text, "{from}, {to}: {label};");
    }

    /// An edge to a new node.
    fn step(&mut self, from: &str, label: &str) -> String {
        let to = self.node();
        self.edge(from, &to, label);
        to
    }

    fn tag(&mut self, from: &str) -> String {
        self.tags += 1;
        let label = format!("$ k{}", self.tags);
        self.step(from, &label)
    }

    fn sign(&mut self) -> &'static str {
        ["==", "!="][self.below(2)]
    }

    fn square(&mut self) -> String {
        format!("s{}", self.below(self.squares))
    }

    /// A variable for places, mostly one that was written before.
    fn place(&mut self) -> &'static str {
        if self.known.is_empty() || self.chance(5) {
            return self.pick(&PLACES);
        }
        let known = self.known.clone();
        self.pick(&known)
    }

    /// A place that is one step from another.
    fn stepped(&mut self, place: &str) -> String {
        if self.chance(25) {
            let way = if self.chance(50) { "way" } else { self.pick(&WAYS) };
            return format!("line[{way}][{place}]");
        }
        format!("{}[{place}]", self.pick(&STEPS))
    }

    /// A condition, and its contrary.
    fn test(&mut self) -> (String, String) {
        if self.checks.0 < self.checks.1 && self.chance(self.habits.asks) {
            let check = self.checks.0 + self.below(self.checks.1 - self.checks.0);
            let start = ["q", "r"][self.below(2)];
            return (format!("? {start}{check} -> g{check}"), format!("! {start}{check} -> g{check}"));
        }
        let (place, piece, sign) = (self.place(), self.pick(&PIECES), self.sign());
        let equal = match self.below(11) {
            0..4 => format!("board[{place}] == {piece}"),
            4 => format!("board[{}] == {piece}", self.stepped(place)),
            5 | 6 => format!("{place} == off"),
            7 => format!("{place} == {}", self.place()),
            8 => format!("seen[{place}] == 1"),
            9 => format!("grid[{}][{}] == {piece}", ["way", "w0", "w2"][self.below(3)], ["way", "w1"][self.below(2)]),
            _ => format!("{} == {piece}", ["held", "turned[held]"][self.below(2)]),
        };
        let differ = equal.replace(" == ", " != ");
        if sign == "==" && !equal.ends_with("off") || self.chance(10) { (equal, differ) } else { (differ, equal) }
    }

    fn tested(&mut self, from: &str) -> String {
        let (label, _) = self.test();
        self.step(from, &label)
    }

    /// A variable was written: it is shown at once, later, or never.
    fn written(&mut self, from: String, var: &'static str) -> String {
        if let Some(&place) = PLACES.iter().find(|&&place| place == var && !self.known.contains(&place)) {
            self.known.push(place);
        }
        if self.chance(self.habits.shows_at_once) {
            self.due.retain(|&due| due != var);
            return self.step(&from, &format!("$$ {var}"));
        }
        if !self.due.contains(&var) {
            self.due.push(var);
        }
        from
    }

    /// Shows some of the variables that are due, in any order.
    fn show(&mut self, mut at: String, percent: usize) -> String {
        for _ in 0..self.due.len() {
            let index = self.below(self.due.len());
            let var = self.due.remove(index);
            if self.chance(percent) {
                at = self.step(&at, &format!("$$ {var}"));
            } else {
                self.due.push(var);
            }
        }
        at
    }

    /// A choice of a value.
    fn choose(&mut self, at: &str) -> String {
        let (var, set) = match self.below(8) {
            0 => ("way", "Way(*)".to_owned()),
            1 => ("held", ["Piece(*)", "{ p, q }(*)"][self.below(2)].to_owned()),
            2 if self.numbers < LARGE => ("count", "Number(*)".to_owned()),
            _ => {
                let all = self.may_choose || self.squares <= LARGE && self.chance(40);
                let set = if all {
                    self.may_choose = self.squares < 4;
                    ["Square(*)", "Square(*)", "Place(*)"][self.below(3)].to_owned()
                } else {
                    let last = self.squares - 1;
                    [format!("{{ s0, s{last} }}(*)"), format!("{{ s1, off, s{} }}(*)", last.max(2))][self.below(2)]
                        .replace("s1, off, s2", if last < 2 { "s1, off" } else { "s1, off, s2" })
                };
                (self.pick(&PLACES), set)
            }
        };
        let to = self.step(at, &format!("{var} = {set}"));
        let to = if self.chance(50) { self.tested(&to) } else { to };
        self.written(to, var)
    }

    /// Ways that write different things to maps, and a question behind the node where they meet.
    fn written_ways(&mut self, at: &str) -> String {
        let (join, place, shown) = (self.node(), self.place(), self.chance(50));
        for piece in 0..2 + self.below(2) {
            let label = match self.below(3) {
                0 => format!("seen[{place}] = {}", piece % 2),
                1 => String::new(),
                _ => format!("board[{place}] = {}", PIECES[piece % 3]),
            };
            let end = self.step(at, &label);
            let end = if shown { self.tag(&end) } else { end };
            self.edge(&end, &join, "");
        }
        self.tested(&join)
    }

    /// A check that is asked before and after a write, or behind some walks only.
    fn asked_again(&mut self, at: &str) -> String {
        let (label, contrary) = self.test();
        let place = self.place();
        let write = match self.below(3) {
            0 => format!("seen[{place}] = 1"),
            1 => format!("seen[{place}] = 0"),
            _ => format!("board[{place}] = {}", self.pick(&PIECES)),
        };
        let first = if self.chance(50) { self.step(at, &label) } else { self.step(at, &contrary) };
        let then = self.step(&first, &write);
        let end = if self.chance(50) { self.step(&then, &label) } else { self.step(&then, &contrary) };
        if self.chance(50) {
            // The same without the write.
            let end_too = if self.chance(50) { self.step(at, &label) } else { self.step(at, &contrary) };
            let tagged = self.tag(&end_too);
            self.edge(&tagged, &end, "");
        }
        end
    }

    /// Ways that part by tags, by tests, or by nothing at all, and meet again.
    fn part(&mut self, at: &str, depth: usize) -> String {
        let join = self.node();
        let (known, due) = (self.known.clone(), self.due.clone());
        let (mut known_after, mut due_after) = (self.known.clone(), Vec::new());
        let (test, contrary) = self.test();
        let kind = self.below(3);
        for way in 0..2 + self.below(2) {
            (self.known, self.due) = (known.clone(), due.clone());
            let mut end = match (kind, way) {
                (0, 0) => self.step(at, &test),
                (0, 1) => self.step(at, &contrary),
                (1, _) if way > 0 || self.chance(50) => self.step(at, ""),
                _ if self.chance(self.habits.shows_ways) => self.tag(at),
                _ => self.step(at, ""),
            };
            for _ in 0..self.below(3) {
                end = self.segment(&end, depth - 1);
            }
            self.edge(&end, &join, "");
            known_after.retain(|place| self.known.contains(place));
            due_after.extend(self.due.iter().copied().filter(|var| !due_after.contains(var)).collect::<Vec<_>>());
        }
        (self.known, self.due) = (known_after, due_after);
        join
    }

    /// A write that is undone when the search goes back.
    fn write(&mut self, at: &str) -> String {
        let place = self.place();
        if self.chance(self.habits.writes) {
            let value = [self.pick(&PIECES), "held", "turned[board[from]]"][self.below(3)];
            let to = self.step(at, &format!("board[{place}] = {value}"));
            let to = if self.chance(self.habits.shows_ways) { self.tag(&to) } else { to };
            return self.written(to, place);
        }
        match self.below(5) {
            0 => self.step(at, &format!("seen[{place}] = 1")),
            1 => self.step(at, &format!("held = board[{place}]")),
            2 => self.step(at, "held = turned[held]"),
            3 => {
                let label = format!("seen[{}] = {}", self.pick(&PLACES), self.below(2));
                self.step(at, &label)
            }
            _ => {
                let (var, other) = (self.pick(&PLACES), self.stepped(place));
                let to = self.step(at, &format!("{var} = {other}"));
                self.written(to, var)
            }
        }
    }

    /// A short way and a long one that show the same, and mostly do the same: the long one makes choices that are not told, and forgets
    /// them. Either may come first.
    fn detour(&mut self, at: &str) -> String {
        let join = self.node();
        let (place, square, piece) = (self.place(), self.square(), self.pick(&PIECES));
        let is_long_first = self.chance(50);
        for way in 0..2 {
            let mut end = at.to_owned();
            if (way == 0) == is_long_first {
                for label in ["way = Way(*)", "held = Piece(*)", "way = w0", "held = e"] {
                    end = self.step(&end, label);
                }
            }
            let piece = if self.chance(10) { self.pick(&PIECES) } else { piece };
            let place = if self.chance(80) { &square } else { place };
            end = self.step(&end, &format!("board[{place}] = {piece}"));
            self.edge(&end, &join, "");
        }
        join
    }

    /// A part of a walk; where it ends.
    fn segment(&mut self, at: &str, depth: usize) -> String {
        if depth == 0 {
            return match self.below(3) {
                0 => self.write(at),
                1 => self.tag(at),
                _ => self.tested(at),
            };
        }
        if self.chance(self.habits.loops) {
            return self.going_round(at, depth);
        }
        match self.below(13) {
            12 => self.detour(at),
            0 | 1 => self.choose(at),
            2..5 => self.leaps(at),
            5 | 6 => self.part(at, depth),
            7 => self.tested(at),
            8 => self.write(at),
            9 => self.written_ways(at),
            10 => self.asked_again(at),
            _ => self.show(at.to_owned(), 50),
        }
    }

    /// A decision of a player or of chance, from a node to another.
    fn decision(&mut self, name: &str, end: &str) {
        (self.known, self.due, self.may_choose) = (Vec::new(), Vec::new(), true);
        let mut at = name.to_owned();
        let plain = self.chance(35);
        if plain {
            at = self.distinct_leaps(&at);
        } else if self.chance(90) {
            at = self.choose(&at);
        }
        for _ in 0..if plain { self.below(2) } else { 1 + self.below(4) } {
            at = self.segment(&at, 2);
            if self.chance(20) {
                at = self.show(at, 50);
            }
        }
        let shows = self.habits.shows;
        at = self.show(at, shows);
        // What the move changes is told by its label, if everything is shown.
        if self.due.is_empty() {
            for _ in 0..self.below(3) {
                let (place, value) = (self.place(), ["e", "p", "q", "held", "board[from]", "board[to]"][self.below(6)]);
                at = self.step(&at, &format!("board[{place}] = {value}"));
            }
            if self.chance(20) {
                let label = format!("grid[way][w{}] = {}", self.below(3), self.pick(&PIECES));
                at = self.step(&at, &label);
            }
        }
        if self.chance(30) {
            let (label, contrary) = self.test();
            let to = self.node();
            self.edge(&at, &to, &label);
            if self.chance(50) {
                self.edge(&at, &to, &contrary);
            }
            at = to;
        }
        self.edge(&at, end, "player = keeper");
        self.edge(name, &format!("{name}pass"), "$ pass");
        self.edge(&format!("{name}pass"), end, "player = keeper");
    }

    fn game(mut self) -> String {
        self.declare();
        let mut starts = vec![("a", "da"), ("b", "db")];
        if self.chance(20) {
            starts.push(("random", "dr"));
        }
        let first = self.step("begin", "turn = t0");
        self.edge(&first, "da", "player = a");
        for (index, &(_, name)) in starts.iter().enumerate() {
            let end = format!("{name}end");
            self.decision(name, &end);
            let mut at = self.reset(&end);
            let (next, label) = match starts.get(index + 1) {
                Some(&(player, next)) => (next, format!("player = {player}")),
                None => {
                    at = self.step(&at, "turn = later[turn]");
                    let over = self.step(&at, "turn == t4");
                    at = self.step(&at, "turn != t4");
                    self.scored(&over);
                    ("da", "player = a".to_owned())
                }
            };
            self.edge(&at, next, &label);
        }
        for check in 0..self.checks.1 {
            self.check(check);
        }
        self.text
    }

    /// The keeper resets what only moves need, so that labels tell what became of them.
    fn reset(&mut self, from: &str) -> String {
        let mut at = from.to_owned();
        for label in
            ["from = off", "to = off", "mid = off", "stop = off", "way = w0", "held = e", "count = 0", "seen = clear"]
        {
            // Now and then something is left as it is.
            if !self.chance(2) {
                at = self.step(&at, label);
            }
        }
        if self.chance(20) {
            at = self.step(&at, "visible[b] = unseen[visible[b]]");
        }
        at
    }

    fn scored(&mut self, from: &str) {
        let square = self.square();
        let at = self.step(from, &format!("goals[a] = worth[board[{square}]]"));
        let at = self.step(&at, "goals[b] = worth[grid[w0][w1]]");
        self.edge(&at, "end", "player = keeper");
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn they_are_games() {
        for seed in 0..500 {
            let text = super::walks(seed);
            assert!(crate::is_valid(&text), "{text}\n{:?}", rg_ir::text::parse(rg_ir::SourceId(0), &text).1);
        }
    }
}
