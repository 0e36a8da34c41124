//! Games on a small board in which every move is followed by checks, as in games with a rule that forbids what a move
//! would allow: the same question is asked again and again, of states that differ here and there.

use crate::choices::Choices;
use std::fmt::Write;

const CELLS: usize = 5;
const PIECES: [&str; 4] = ["e", "p", "q", "r"];
/// Moves of a play.
const TURNS: usize = 6;

struct Generator(Choices);

/// The text of the game with that number. Every play ends, and labels tell moves apart.
pub fn board(seed: u64) -> String {
    Generator(Choices::seed(seed)).game()
}

impl Generator {
    fn below(&mut self, bound: usize) -> usize {
        self.0.below(bound)
    }

    fn piece(&mut self) -> &'static str {
        PIECES[self.below(PIECES.len())]
    }

    fn sign(&mut self) -> &'static str {
        ["==", "!="][self.below(2)]
    }

    /// A table over the pieces.
    fn table(&mut self, values: &[&str]) -> String {
        let entries: Vec<String> =
            PIECES[1..].iter().map(|piece| format!("{piece}: {}", values[self.below(values.len())])).collect();
        format!("{{ :{}, {} }}", values[self.below(values.len())], entries.join(", "))
    }

    /// What a move does, or a check; all of it is determined by the state.
    fn step(&mut self) -> String {
        match self.below(12) {
            0 => format!("board[at] {} {}", self.sign(), self.piece()),
            1 => format!("board[next[at]] {} {}", self.sign(), self.piece()),
            2 => format!("held {} {}", self.sign(), self.piece()),
            3 => format!("count[{}] {} n{}", self.piece(), self.sign(), self.below(3)),
            4 => "at = next[at]".to_owned(),
            5 | 6 => format!("board[at] = {}", self.piece()),
            7 => "board[at] = turned[board[at]]".to_owned(),
            8 => "held = board[at]".to_owned(),
            9 => "held = turned[held]".to_owned(),
            10 => format!("count[{}] = more[count[{}]]", self.piece(), self.piece()),
            _ => "count[kind[board[at]]] = more[count[kind[board[at]]]]".to_owned(),
        }
    }

    fn question(&mut self) -> String {
        format!("{} q0 -> q9", ["!", "!", "?"][self.below(3)])
    }

    fn game(&mut self) -> String {
        let list =
            |prefix: &str, count: usize| (0..count).map(|i| format!("{prefix}{i}")).collect::<Vec<_>>().join(", ");
        let ring = |prefix: &str, count: usize, last: usize| {
            let next = |i: usize| if i + 1 < count { i + 1 } else { last };
            let entries: Vec<String> = (1..count).map(|i| format!("{prefix}{i}: {prefix}{}", next(i))).collect();
            format!("{{ :{prefix}1, {} }}", entries.join(", "))
        };
        let mut text = format!(
            "type Player = {{ a }};\ntype Score = {{ 0 }};\ntype Cell = {{ {} }};\ntype Piece = {{ {} }};\n\
             type Number = {{ n0, n1, n2 }};\ntype Turn = {{ {} }};\n\
             const next: Cell -> Cell = {};\nconst more: Number -> Number = {};\nconst later: Turn -> Turn = {};\n",
            list("c", CELLS),
            PIECES.join(", "),
            list("t", TURNS),
            ring("c", CELLS, 0),
            ring("n", 3, 2),
            ring("t", TURNS, TURNS - 1),
        );
        let board: Vec<String> = (1..CELLS).map(|cell| format!("c{cell}: {}", self.piece())).collect();
        let _ = write!(
            text,
            "const turned: Piece -> Piece = {};\nconst kind: Piece -> Piece = {};\n\
             var board: Cell -> Piece = {{ :{}, {} }};\nvar count: Piece -> Number = {{ :n0 }};\n\
             var at: Cell = c0;\nvar held: Piece = e;\nvar turn: Turn = t0;\n\
             begin, start: player = a;\nstart, pass: $ pass;\npass, done: ;\nstart, m: at = Cell(*);\nm, n: $$ at;\n",
            self.table(&PIECES),
            self.table(&PIECES),
            self.piece(),
            board.join(", "),
        );
        for way in 0..1 + self.below(3) {
            let _ = writeln!(text, "n, w{way}_0: $ w{way};");
            let steps = 1 + self.below(4);
            for step in 0..steps {
                let label = if self.below(6) == 0 { self.question() } else { self.step() };
                let _ = writeln!(text, "w{way}_{step}, w{way}_{}: {label};", step + 1);
            }
            let _ = writeln!(text, "w{way}_{steps}, asked: {};", self.question());
        }
        text.push_str(
            "asked, done: ;\ndone, late: turn = later[turn];\nlate, over: turn == t5;\nlate, go_on: turn != t5;\n\
             over, end: player = keeper;\ngo_on, start: player = a;\n",
        );
        // A way through the check, and others beside it.
        let steps = 2 + self.below(4);
        for step in 0..steps {
            let target = if step + 1 == steps { 9 } else { step + 1 };
            let label = if step == 0 && self.below(4) > 0 { "at = Cell(*)".to_owned() } else { self.step() };
            let _ = writeln!(text, "q{step}, q{target}: {label};");
        }
        for other in 0..self.below(5) {
            let (source, target) = (self.below(steps), [self.below(steps), 9][self.below(2)]);
            let label = if self.below(5) == 0 { "at = Cell(*)".to_owned() } else { self.step() };
            let _ = writeln!(text, "q{source}, o{other}: {label};\no{other}, q{target}: ;");
        }
        text
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn they_are_games() {
        for seed in 0..500 {
            let text = super::board(seed);
            assert!(crate::is_valid(&text), "{text}");
        }
    }
}
