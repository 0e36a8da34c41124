//! Games in RBG on boards of every shape: rectangles, hexagons, chequered boards, rings and tori, of sizes about those at
//! which a set takes another word, with squares listed in any order. Moves put stones, step, ride, jump, shoot and exchange;
//! they are allowed or forbidden by lines, floods and what is beside; then stones are turned round or captured, as in the
//! games that lifting has rules for. What the keeper does is determined or ends in one state, as a rule.

use crate::choices::Choices;
use std::fmt::Write;

/// A board: where its squares are, in the order in which they are listed, and its directions, each next to its opposite.
struct Board {
    squares: Vec<(i32, i32)>,
    /// Width and height of what is closed to a ring in one direction or both.
    around: (Option<i32>, Option<i32>),
    directions: Vec<(&'static str, (i32, i32))>,
}

struct Generator {
    choices: Choices,
    directions: Vec<&'static str>,
    large: bool,
}

const SIDES: [(&str, (i32, i32)); 4] = [("up", (0, -1)), ("down", (0, 1)), ("left", (-1, 0)), ("right", (1, 0))];
const CORNERS: [(&str, (i32, i32)); 4] = [("ul", (-1, -1)), ("dr", (1, 1)), ("ur", (1, -1)), ("dl", (-1, 1))];
const HEXAGON: [(&str, (i32, i32)); 6] =
    [("nw", (0, -1)), ("se", (0, 1)), ("w", (-1, 0)), ("e", (1, 0)), ("ne", (1, -1)), ("sw", (-1, 1))];

/// Boards of more squares are large.
const LARGE: usize = 30;

/// The text of the game with that number. Every play ends, and labels tell moves apart.
pub fn rules(seed: u64) -> String {
    let mut choices = Choices::seed(seed);
    let board = board(&mut choices);
    let directions = board.directions.iter().map(|&(name, _)| name).collect();
    let large = board.squares.len() > LARGE;
    let mut generator = Generator { choices, directions, large };
    let mut text = String::from("#players = p(100), q(100)\n#pieces = ee, ww, bb, xx\n");
    let turns = if large { 4 } else { 8 };
    let _ = writeln!(text, "#variables = turn({turns}), some(3)");
    generator.board(&board, &mut text);
    let all = generator.directions.join(" + ");
    let _ = writeln!(text, "#near = ({all})\n#any = near*");
    generator.turn(turns, &mut text);
    text
}

fn board(choices: &mut Choices) -> Board {
    let large = choices.below(6) == 0;
    let grid = |width: i32, height: i32| (0..height).flat_map(move |y| (0..width).map(move |x| (x, y)));
    let sizes: &[(i32, i32)] = if large {
        &[(8, 8), (13, 5), (11, 6), (9, 9), (16, 8), (43, 3), (13, 10), (21, 3), (64, 1), (65, 1), (2, 33)]
    } else {
        &[(3, 3), (4, 4), (5, 3), (3, 2), (2, 6), (5, 5), (9, 1)]
    };
    let (width, height) = sizes[choices.below(sizes.len())];
    let mut board = match choices.below(7) {
        0 => {
            // Dark squares, of a board that is about as large.
            let (width, height) = if large { (2 * width, height.max(2)) } else { (width + 2, height + 2) };
            let dark = grid(width, height).filter(|(x, y)| (x + y) % 2 == 1);
            Board { squares: dark.collect(), around: (None, None), directions: CORNERS.to_vec() }
        }
        1 => {
            let radius: i32 = if large { [4, 5, 6][choices.below(3)] } else { 1 + choices.below(2) as i32 };
            let all = grid(2 * radius + 1, 2 * radius + 1).map(|(x, y)| (x - radius, y - radius));
            let squares = all.filter(|(x, y)| (x + y).abs() <= radius).collect();
            Board { squares, around: (None, None), directions: HEXAGON.to_vec() }
        }
        2 => Board { squares: grid(width, height).collect(), around: (None, None), directions: HEXAGON.to_vec() },
        3 => {
            let around = (Some(width), (choices.below(2) == 0).then_some(height));
            Board { squares: grid(width, height).collect(), around, directions: SIDES.to_vec() }
        }
        4 => {
            let directions = SIDES.iter().chain(&CORNERS).copied().collect();
            Board { squares: grid(width, height).collect(), around: (None, None), directions }
        }
        _ => Board { squares: grid(width, height).collect(), around: (None, None), directions: SIDES.to_vec() },
    };
    // Where all squares are in one row, some directions lead nowhere.
    let wide =
        |along: &dyn Fn(&(i32, i32)) -> i32| board.squares.iter().any(|at| along(at) != along(&board.squares[0]));
    let (columns, rows) = (wide(&|at| at.0), wide(&|at| at.1));
    board.directions.retain(|(_, (x, y))| (*x == 0 || columns) && (*y == 0 || rows));
    match choices.below(5) {
        // By diagonals, as hexagons are listed.
        0 | 1 => board.squares.sort_by_key(|&(x, y)| (x + y, x)),
        2 => {
            for at in 0..board.squares.len() {
                let other = choices.below(board.squares.len());
                board.squares.swap(at, other);
            }
        }
        _ => {}
    }
    board
}

impl Generator {
    fn below(&mut self, bound: usize) -> usize {
        self.choices.below(bound)
    }

    fn one<'s>(&mut self, of: &[&'s str]) -> &'s str {
        of[self.below(of.len())]
    }

    /// The number of a direction; the opposite one is next to it.
    fn direction(&mut self) -> usize {
        self.below(self.directions.len())
    }

    fn towards(&mut self) -> &'static str {
        let direction = self.direction();
        self.directions[direction]
    }

    /// One direction, or a few, or all of them.
    fn ways(&mut self) -> String {
        match self.below(4) {
            0 => self.towards().to_owned(),
            1 => format!("({} + {})", self.directions[0], self.directions[2 % self.directions.len()]),
            2 => format!("({} + {})", self.directions[0], self.directions[1]),
            _ => "near".to_owned(),
        }
    }

    fn board(&mut self, board: &Board, text: &mut String) {
        let wrap = |at: i32, size: Option<i32>| size.map_or(at, |size| at.rem_euclid(size));
        let empty = 2 + self.below(6);
        text.push_str("#board =\n");
        let odd = if self.below(8) == 0 { self.below(board.squares.len()) } else { usize::MAX };
        for (number, &(x, y)) in board.squares.iter().enumerate() {
            let mut exits = Vec::new();
            for &(name, (by_x, by_y)) in &board.directions {
                let to = (wrap(x + by_x, board.around.0), wrap(y + by_y, board.around.1));
                let mut to = board.squares.iter().position(|&other| other == to);
                if number == odd && self.below(3) == 0 {
                    // A step that is unlike the others.
                    to = Some(self.below(board.squares.len())).filter(|&other| other != number);
                }
                if let Some(to) = to {
                    exits.push(format!("{name}: v{to}"));
                }
            }
            let piece = ["ww", "bb", "ww", "bb", "xx"].get(self.below(5 + empty)).copied().unwrap_or("ee");
            let _ = writeln!(text, "  v{number} [{piece}] {{{}}}", exits.join(", "));
        }
    }

    /// What a square may hold: of those who move, or of the others, or nothing.
    fn held(&mut self) -> &'static str {
        self.one(&["{mine}", "{mine}", "{his}", "{his}", "{ee}", "{ee}", "{ee, his}", "{mine, xx}", "{xx}"])
    }

    /// A question from the square where the walk is.
    fn question(&mut self, deep: bool) -> String {
        let direction = self.direction();
        let (to, back) = (self.directions[direction], self.directions[direction ^ 1]);
        let (a, b, c) = (self.held(), self.held(), self.held());
        let way = self.ways();
        let number = self.below(2);
        match self.below(if deep { 11 } else { 13 }) {
            0 => format!("(near {a})* {{! {to}}}"),
            1 => format!("({way} {a})* {way} {b}"),
            2 => format!("{to} {a} {to} ({a} {to})* {b}"),
            3 => format!("({to} {a})^2 + {back} {a} ({to}^2 + {back}) {a} + ({back} {a})^2"),
            4 => format!("({to} {a})* {to} {b}"),
            5 => format!("{way} {a}"),
            6 => {
                let other = self.towards();
                format!("{to} {a} + {other} {b} + {back} {c}")
            }
            7 => format!("any {a} {way} {b}"),
            8 => format!("({to} {a})* ({back} {b})* {{! {to} {c}}}"),
            9 => format!("({a} {{$ some == {number}}} {to})* {b}"),
            10 => format!("({to} {a} {{$ some < {number}}} + {back} {{$ some == {number}}})* {{! {to}}}"),
            11 => {
                let (sign, inner) = (self.one(&["?", "!"]), self.question(true));
                format!("any {a} {{{sign} {inner}}}")
            }
            _ => {
                let (sign, inner) = (self.one(&["?", "!"]), self.question(true));
                format!("{way} {a} {{{sign} {inner}}}")
            }
        }
    }

    /// Such a question, asked, or nothing.
    fn asked(&mut self, often: usize) -> String {
        if self.below(4) >= often {
            return String::new();
        }
        let (sign, question) = (self.one(&["?", "!", "!"]), self.question(false));
        format!("{{{sign} {question}}}")
    }

    /// One kind of moves.
    fn way(&mut self) -> String {
        let (first, last) = (self.asked(1), self.asked(2));
        let direction = self.direction();
        let (to, back) = (self.directions[direction], self.directions[direction ^ 1]);
        let ways = self.ways();
        let onto = self.one(&["{ee}", "{ee, his}", "{his}", "{ee, xx}"]);
        match self.below(if self.large { 8 } else { 13 }) {
            0 | 1 => format!("any {{ee}} {first} [mine] {last}"),
            2 | 3 => format!("any {{mine}} {first} [ee] {ways} {onto} [mine] {last}"),
            4 => format!("any {{mine}} [ee] {ways} {{his}} [ee] {to} {{ee}} [mine] {last}"),
            5 => format!(
                "any {{mine}} {first} [ee] ({to} ({{ee}} {to})* {onto} + {back} ({{ee}} {back})* {onto}) [mine] {last}"
            ),
            6 => format!(
                "any {{mine}} [ee] ({to} {{his}} [ee] {to} {{ee}})({to} {{his}} [ee] {to} {{ee}})* {{! {to} {{his}} {to} {{ee}}}} [mine]"
            ),
            7 => {
                // What it becomes depends on where it comes to.
                let question = self.question(true);
                format!("any {{mine}} [ee] {ways} {onto} ({{? {question}}} [mine] + {{! {question}}} [xx]) {last}")
            }
            8 => format!("any {{mine}} [ee] near {{ee}} [mine] {to} ({{ee}} {to})* {{ee}} [xx] {last}"),
            9 => format!("any {{mine}} {first} [xx] any {{ee}} [mine] {last}"),
            // From afar over a piece that is taken to the square behind it, and there and back over what is turned round.
            10 => format!("any {{mine}} [ee] {to} ({{ee}} {to})* {{his}} [ee] {to} {{ee}} [mine] {last}"),
            11 => format!(
                "any {{ee}} {to} {{his}} [xx] {to} ({{his}} [xx] {to})* {{mine}} {back} ({{xx}} {back})* {{ee}} [mine] {last}"
            ),
            _ => format!(
                "any {{mine}} [ee] (near {{his}} [xx] near {{ee}})(near {{his}} [xx] near {{ee}})* [mine] {last}"
            ),
        }
    }

    /// What the keeper does after a move, from the square where it ended.
    fn after(&mut self) -> String {
        match self.below(7) {
            0 | 1 => {
                // The stones between this one and another one are turned round.
                let mut text = String::new();
                for _ in 0..1 + self.below(4) {
                    let direction = self.direction();
                    let (to, back) = (self.directions[direction], self.directions[direction ^ 1]);
                    let _ = write!(
                        text,
                        "({{! {to} {{his}} {to} ({{his}} {to})* {{mine}}}} + {to} {{his}} [xx] {to} ({{his}} [xx] {to})* \
                         {{mine}} {back} ({{xx}} [mine] {back})* {{! {{xx}}}}) "
                    );
                }
                text
            }
            2 | 3 => {
                // Neighbours without something are taken off.
                let mut text = String::new();
                let question = self.question(false);
                for _ in 0..1 + self.below(3) {
                    let direction = self.direction();
                    let (to, back) = (self.directions[direction], self.directions[direction ^ 1]);
                    let _ = write!(
                        text,
                        "({to} {{his}} {{! {question}}} [ee] {back} + {{! {to} {{his}} {{! {question}}}}}) "
                    );
                }
                text
            }
            4 => "(any {xx} [ee] ->>)* {! any {xx}}".to_owned(),
            5 => {
                let question = self.question(false);
                format!(
                    "({{? {question}}} [$ some = some + 1] ({{$ some < 3}} + {{$ some == 3}} ->> {{}}) + {{! {question}}})"
                )
            }
            _ => String::new(),
        }
    }

    /// What ends a play, and what it is worth.
    fn end(&mut self) -> String {
        let question = self.question(false);
        let ways = [self.towards(), self.towards()];
        match self.below(6) {
            4 => {
                // Two questions of one group.
                let group = |to: &str| format!("(near {{mine}})* {{! {to}}}");
                let [one, other] = ways.map(group);
                format!("(({{! {one}}} + {{! {other}}}) + {{? {one}}} {{? {other}}} [$ me = 100] ->> {{}})")
            }
            0 => format!("({{? {question}}} [$ me = 100] [$ opp = 0] ->> {{}} + {{! {question}}} [$ me = 100])"),
            1 => "({$ mine > his} [$ me = 50] + {$ mine <= his} [$ opp = 50] [$ me = 0])".to_owned(),
            2 => "({$ his == 0} [$ me = 100] ->> {} + {$ his > 0})".to_owned(),
            _ => "[$ me = 100] [$ opp = 0]".to_owned(),
        }
    }

    fn turn(&mut self, turns: usize, text: &mut String) {
        let kinds = 1 + self.below(3);
        let question = self.question(false);
        let before = match self.below(6) {
            0 => "({? any {mine}} [$ some = 0] + {! any {mine}} [$ some = 1])".to_owned(),
            1 => format!("({{? {question}}} [$ me = 50] + {{! {question}}})"),
            _ => String::new(),
        };
        let ways: Vec<String> = (0..kinds).map(|_| self.way()).collect();
        let (after, end) = (self.after(), self.end());
        // A second part of a move, at times: another stone of the same player.
        let (asked, other) = (self.question(false), self.question(true));
        let second = match self.below(10) {
            3 | 4 => format!("({{? {asked}}} ->> ->me any {{his}} {{! {other}}} [ee] + {{! {asked}}})"),
            0 => "->> ->me any {his} [xx]".to_owned(),
            1 => format!("->me any {{ee}} {} [xx]", self.asked(2)),
            2 => "->me any {mine} [mine]".to_owned(),
            _ => String::new(),
        };
        let pass = match self.below(5) {
            0 => " + any [$ me = 50]".to_owned(),
            1 => {
                let question = self.question(true);
                format!(" + {{! any {{ee}} {{? {question}}}}} [$ me = 50]")
            }
            _ => String::new(),
        };
        let _ = writeln!(text, "#moves(me; mine; opp; his) =\n  {}{pass}", ways.join("\n  + "));
        let _ = writeln!(
            text,
            "#turn(me; mine; opp; his) =\n  {before} ->me (moves(me; mine; opp; his)) {second}\n  ->> {after}\n  {end}\n  \
             [$ turn = turn + 1] ({{$ turn < {turns}}} + {{$ turn == {turns}}} ->> {{}})"
        );
        let again = if self.below(6) == 0 { " turn(p; ww; q; bb)" } else { "" };
        let _ = writeln!(text, "#rules = (turn(p; ww; q; bb){again} turn(q; bb; p; ww))*");
    }
}
