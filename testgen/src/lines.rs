//! Games on a small board with lines: pieces are taken up and put down, and moves are allowed or forbidden by what a line
//! from a piece meets, as a king's lines in chess. Now and then there are two kings, or none.

use crate::choices::Choices;
use std::fmt::Write;

const PIECES: [&str; 4] = ["e", "k", "p", "q"];
/// Moves of a play.
const TURNS: usize = 5;
/// Boards with more cells are large.
const LARGE: usize = 20;

struct Generator {
    choices: Choices,
    /// Number of cells; the first is beside the board.
    cells: usize,
}

/// The text of the game with that number. Every play ends, and labels tell moves apart.
pub fn lines(seed: u64) -> String {
    let mut choices = Choices::seed(seed);
    // A few boards take more than one word.
    let cells =
        if choices.below(20) == 0 { [64, 65, 66, 81, 130][choices.below(5)] } else { [5, 6, 8, 10][choices.below(4)] };
    Generator { choices, cells }.game()
}

impl Generator {
    fn below(&mut self, bound: usize) -> usize {
        self.choices.below(bound)
    }

    fn piece(&mut self) -> &'static str {
        PIECES[self.below(PIECES.len())]
    }

    fn sign(&mut self) -> &'static str {
        ["==", "!="][self.below(2)]
    }

    fn direction(&mut self) -> &'static str {
        ["right", "left", "down"][self.below(3)]
    }

    /// Cells joined by steps of a fixed length, in one direction or the other; at times one of the steps is odd.
    fn neighbours(&mut self, step: usize, back: bool) -> String {
        let mut entries = Vec::new();
        for cell in 1..self.cells {
            let other = if back { cell.saturating_sub(step) } else { cell + step };
            if other > 0 && other < self.cells {
                entries.push(format!("c{cell}: c{other}"));
            }
        }
        if self.below(4) == 0 && !entries.is_empty() {
            let odd = self.below(entries.len());
            let from = entries[odd].split(':').next().unwrap_or("c1").to_owned();
            entries[odd] = format!("{from}: c{}", self.below(self.cells));
        }
        format!("{{ :c0, {} }}", entries.join(", "))
    }

    /// What a move does: mostly, it takes a piece up and puts it down elsewhere.
    fn way(&mut self) -> Vec<String> {
        let mut steps = Vec::new();
        // Moves of large boards are few, so that tests take no longer.
        let large = self.cells > LARGE;
        match self.below(if large { 2 } else { 4 }) {
            0 => steps.push("board[at] == k".to_owned()),
            1 => steps.push("board[at] != e".to_owned()),
            2 => steps.push(format!("board[at] == {}", self.piece())),
            _ => {}
        }
        let elsewhere = match self.below(5) {
            0 if !large => vec!["to = Cell(*)".to_owned(), "$$ to".to_owned()],
            1 => vec![format!("to = {}[{}[at]]", self.direction(), self.direction())],
            _ => vec![format!("to = {}[at]", self.direction())],
        };
        let allowed =
            [format!("board[to] {} {}", self.sign(), self.piece()), "to != c0".to_owned(), "to != at".to_owned()];
        let held = format!("held = {}", ["board[at]", "board[at]", "turned[board[at]]", "k"][self.below(4)]);
        let up = format!("board[at] = {}", ["e", "e", "e", "p", "board[to]"][self.below(5)]);
        let down = format!("board[to] = {}", ["held", "held", "board[at]", "turned[held]", "k", "q"][self.below(6)]);
        steps.extend(elsewhere);
        for condition in allowed {
            if self.below(2) == 0 {
                steps.push(condition);
            }
        }
        steps.push(held);
        let mut both = [up, down];
        if self.below(4) == 0 {
            both.reverse();
        }
        for write in both {
            if self.below(8) > 0 {
                steps.push(write);
            }
        }
        if self.below(6) == 0 {
            steps.push(format!("board[{}] = {}", ["at", "to", "up"][self.below(3)], self.piece()));
        }
        steps.push(["up = at", "up = to", "up = up"][self.below(3)].to_owned());
        steps
    }

    /// The walks of a check: from a piece along lines, to what they meet.
    fn check(&mut self, text: &mut String, name: &str) {
        let king = if self.below(4) == 0 { self.piece() } else { "k" };
        let _ = writeln!(text, "{name}0, {name}1: at = Cell(*);\n{name}1, {name}2: board[at] == {king};");
        if self.below(6) == 0 {
            let _ = writeln!(text, "{name}0, {name}2: at = up;");
        }
        for line in 0..1 + self.below(3) {
            let direction = self.direction();
            let first = if self.below(4) == 0 { "".to_owned() } else { format!("at = {direction}[at]") };
            let _ = writeln!(text, "{name}2, {name}a{line}: {first};");
            let passed = self.piece();
            let sign = if self.below(4) == 0 { "!=" } else { "==" };
            let _ = writeln!(
                text,
                "{name}a{line}, {name}b{line}: board[at] {sign} {passed};\n\
                 {name}b{line}, {name}c{line}: at = {direction}[at];\n{name}c{line}, {name}a{line}: at != c0;"
            );
            let met = self.piece();
            let _ = writeln!(text, "{name}a{line}, {name}d{line}: board[at] == {met};");
            match self.below(4) {
                0 => {
                    let next = self.direction();
                    let _ = writeln!(text, "{name}d{line}, {name}e{line}: at = {next}[at];");
                    let (sign, piece) = (self.sign(), self.piece());
                    let _ = writeln!(text, "{name}e{line}, {name}9: board[at] {sign} {piece};");
                }
                1 => {
                    let _ = writeln!(text, "{name}d{line}, {name}9: at {} up;", self.sign());
                }
                _ => {
                    let _ = writeln!(text, "{name}d{line}, {name}9: ;");
                }
            }
        }
    }

    fn game(&mut self) -> String {
        let list =
            |prefix: &str, count: usize| (0..count).map(|i| format!("{prefix}{i}")).collect::<Vec<_>>().join(", ");
        let later: Vec<String> = (1..TURNS).map(|turn| format!("t{turn}: t{}", (turn + 1).min(TURNS - 1))).collect();
        let width = 2 + self.below(2);
        let (right, left, down) = (self.neighbours(1, false), self.neighbours(1, true), self.neighbours(width, false));
        let kings = [0, 1, 1, 1, 1, 2][self.below(6)];
        let empty = if self.cells > LARGE { 20 } else { 2 };
        let mut board: Vec<&str> =
            (1..self.cells).map(|_| ["p", "q"].get(self.below(2 + empty)).copied().unwrap_or("e")).collect();
        for _ in 0..kings {
            let cell = self.below(board.len());
            board[cell] = "k";
        }
        let board: Vec<String> = (1..).zip(board).map(|(cell, piece)| format!("c{cell}: {piece}")).collect();
        let turned: Vec<String> = PIECES[1..]
            .iter()
            .map(|piece| format!("{piece}: {}", if self.below(3) > 0 { piece } else { self.piece() }))
            .collect();
        let beside = if self.below(8) == 0 { "k" } else { "e" };
        let mut text = format!(
            "type Player = {{ a }};\ntype Score = {{ 0 }};\ntype Cell = {{ {} }};\ntype Piece = {{ {} }};\n\
             type Turn = {{ {} }};\nconst right: Cell -> Cell = {right};\nconst left: Cell -> Cell = {left};\n\
             const down: Cell -> Cell = {down};\nconst turned: Piece -> Piece = {{ :e, {} }};\n\
             const later: Turn -> Turn = {{ :t1, {} }};\nvar board: Cell -> Piece = {{ :{beside}, {} }};\n\
             var at: Cell = c0;\nvar to: Cell = c0;\nvar up: Cell = c1;\nvar held: Piece = e;\nvar turn: Turn = t0;\n\
             begin, start: player = a;\nstart, pass: $ pass;\npass, done: ;\nstart, m: at = Cell(*);\nm, n: $$ at;\n",
            list("c", self.cells),
            PIECES.join(", "),
            list("t", TURNS),
            turned.join(", "),
            later.join(", "),
            board.join(", "),
        );
        for way in 0..1 + self.below(3) {
            let _ = writeln!(text, "n, w{way}_0: $ w{way};");
            let steps = self.way();
            for (step, label) in steps.iter().enumerate() {
                let _ = writeln!(text, "w{way}_{step}, w{way}_{}: {label};", step + 1);
            }
            let question = ["! q0 -> q9", "! q0 -> q9", "? q0 -> q9", "! r0 -> r9"][self.below(4)];
            let _ = writeln!(text, "w{way}_{}, asked: {question};", steps.len());
        }
        text.push_str("asked, done: ");
        text.push_str(["", "", "? r0 -> r9"][self.below(3)]);
        text.push_str(
            ";\ndone, late: turn = later[turn];\nlate, over: turn == t4;\nlate, go_on: turn != t4;\n\
             over, end: player = keeper;\ngo_on, start: player = a;\n",
        );
        self.check(&mut text, "q");
        self.check(&mut text, "r");
        text
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn they_are_games() {
        for seed in 0..500 {
            let text = super::lines(seed);
            assert!(crate::is_valid(&text), "{text}");
        }
    }
}
