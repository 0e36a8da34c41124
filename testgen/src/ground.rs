//! Games without structure, as ground rules of GDL are in RG: cells that are true or false, rules that say what each of them is next, and
//! moves that are constants.

use crate::choices::Choices;
use std::fmt::Write;

/// Most plies of a play.
const PLIES: usize = 9;

struct Generator {
    choices: Choices,
    text: String,
    nodes: usize,
    /// Numbers of cells, of atoms that are computed from them, of checks, and of moves.
    cells: usize,
    atoms: usize,
    checks: usize,
    moves: usize,
    /// Whether players choose at the same time, without seeing each other's choice.
    at_once: bool,
}

/// The text of the game with that number. Every play ends.
pub fn ground(seed: u64) -> String {
    let mut choices = Choices::seed(seed);
    let cells = [3, 4, 6, 9, 70][choices.below(5)];
    // With many moves and few cells, a cell is in the conditions of hundreds of moves.
    let many = if cells < 10 { 600 } else { 66 };
    let moves = [2, 3, 5, 66, many][choices.below(5)];
    let (atoms, checks, at_once) = (1 + choices.below(4), choices.below(4), choices.below(2) == 0);
    let generator = Generator { choices, text: String::new(), nodes: 0, cells, atoms, checks, moves, at_once };
    generator.game()
}

impl Generator {
    fn below(&mut self, bound: usize) -> usize {
        self.choices.below(bound)
    }

    fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    fn node(&mut self) -> String {
        self.nodes += 1;
        format!("n{}", self.nodes)
    }

    fn edge(&mut self, from: &str, to: &str, label: &str) {
        let _ = writeln!(self.text, "{from}, {to}: {label};");
    }

    fn step(&mut self, from: &str, label: &str) -> String {
        let to = self.node();
        self.edge(from, &to, label);
        to
    }

    fn game(mut self) -> String {
        self.declarations();
        for check in 0..self.checks {
            self.check(check);
        }
        let mut at = "begin".to_owned();
        at = self.step(&at, "player = keeper");
        let state = at.clone();
        at = self.step(&at, "atom = no_atom");
        for atom in 0..self.atoms {
            at = self.set_if(&at, &format!("atom[a{atom}]"), atom, false);
        }
        at = self.ended(&at);
        let step = "step".to_owned();
        self.plies(&at, &step);
        at = self.step(&step, "next = no_cell");
        for cell in 0..self.cells {
            if self.cells < 20 || self.chance(30) {
                at = self.set_if(&at, &format!("next[c{cell}]"), self.atoms, true);
            } else {
                at = self.keep(&at, cell);
            }
            if self.chance(10) {
                at = self.step(&at, "player = keeper");
            }
        }
        if self.chance(50) {
            at = self.step(&at, "chosen_a = m0");
        }
        at = self.step(&at, "cell = next");
        at = self.step(&at, "turn = later[turn]");
        self.edge(&at, &state, "");
        self.text
    }

    fn declarations(&mut self) {
        let list = |name: &str, count: usize| (0..count).map(|i| format!("{name}{i}")).collect::<Vec<_>>().join(", ");
        let (cells, atoms, moves) = (list("c", self.cells), list("a", self.atoms), list("m", self.moves));
        let turns = list("t", PLIES + 1);
        let later: Vec<String> = (0..PLIES).map(|turn| format!("t{turn}: t{}", turn + 1)).collect();
        let begun: Vec<String> =
            (0..self.cells).filter(|_| self.choices.below(3) == 0).map(|c| format!(", c{c}: 1")).collect();
        let some: Vec<String> =
            (0..self.moves).filter(|_| self.choices.below(2) == 0).map(|m| format!(", m{m}: 1")).collect();
        let _ = write!(
            self.text,
            "type Player = {{ a, b }};\ntype Score = {{ 0, 50, 100 }};\ntype Cell = {{ {cells} }};\ntype Atom = {{ {atoms} }};\n\
             type Move = {{ {moves} }};\ntype Turn = {{ {turns} }};\nconst no_cell: Cell -> Bool = {{ :0 }};\n\
             const no_atom: Atom -> Bool = {{ :0 }};\nconst some: Move -> Bool = {{ :0{} }};\n\
             const later: Turn -> Turn = {{ :t{PLIES}, {} }};\nvar cell: Cell -> Bool = {{ :0{} }};\n\
             var next: Cell -> Bool = {{ :0 }};\nvar atom: Atom -> Bool = {{ :0 }};\nvar chosen_a: Move = m0;\n\
             var chosen_b: Move = m0;\nvar turn: Turn = t0;\n",
            some.concat(),
            later.join(", "),
            begun.concat()
        );
    }

    /// A condition: on cells, on atoms below a number, on checks and, after a ply, on what was chosen.
    fn condition(&mut self, atoms: usize, chosen: bool) -> [String; 2] {
        let both = |text: String| [text.replace('~', "=="), text.replace('~', "!=")];
        let player = ["a", "b"][self.below(2)];
        let condition = match self.below(10) {
            0 | 1 if atoms > 0 => both(format!("atom[a{}] ~ 1", self.below(atoms))),
            2 if self.checks > 0 => {
                let check = self.below(self.checks);
                [format!("? check{check} -> holds"), format!("! check{check} -> holds")]
            }
            3 | 4 if chosen => both(format!("chosen_{player} ~ m{}", self.below(self.moves))),
            5 if chosen => both(format!("some[chosen_{player}] ~ 1")),
            6 => both(format!("turn ~ t{}", self.below(PLIES))),
            7 if chosen => both(format!("player ~ {}", ["keeper", "a"][self.below(2)])),
            _ => both(format!("cell[c{}] ~ {}", self.below(self.cells), self.choices.below(2))),
        };
        if self.chance(30) { [condition[1].clone(), condition[0].clone()] } else { condition }
    }

    /// A check: some paths of conditions, of earlier checks, too.
    fn check(&mut self, number: usize) {
        let all = self.checks;
        self.checks = number;
        for _ in 0..1 + self.below(3) {
            let mut at = format!("check{number}");
            for _ in 0..self.below(3) {
                let [condition, _] = self.condition(0, false);
                at = self.step(&at, &condition);
            }
            let [condition, _] = self.condition(0, false);
            self.edge(&at, "holds", &condition);
        }
        self.checks = all;
    }

    /// To one node if one of some conjunctions of conditions holds, else to the other.
    fn cascade(&mut self, from: &str, yes: &str, no: &str, atoms: usize, chosen: bool) {
        let mut at = from.to_owned();
        let rules = 1 + self.below(3);
        for rule in 0..rules {
            let failed = if rule + 1 == rules { no.to_owned() } else { self.node() };
            let conditions = 1 + self.below(3);
            for number in 0..conditions {
                let next = if number + 1 == conditions { yes.to_owned() } else { self.node() };
                let [condition, opposite] = self.condition(atoms, chosen);
                self.edge(&at, &next, &condition);
                self.edge(&at, &failed, &opposite);
                at = next;
            }
            at = failed;
        }
    }

    fn set_if(&mut self, from: &str, cell: &str, atoms: usize, chosen: bool) -> String {
        let (set, next) = (self.node(), self.node());
        self.cascade(from, &set, &next, atoms, chosen);
        self.edge(&set, &next, &format!("{cell} = 1"));
        next
    }

    /// A cell stays as it is.
    fn keep(&mut self, from: &str, cell: usize) -> String {
        let (set, next) = (self.node(), self.node());
        self.edge(from, &set, &format!("cell[c{cell}] == 1"));
        self.edge(from, &next, &format!("cell[c{cell}] != 1"));
        self.edge(&set, &next, &format!("next[c{cell}] = 1"));
        next
    }

    /// The game is over after some plies, or if a rule says so; then there are scores.
    fn ended(&mut self, from: &str) -> String {
        let (over, going, goes_on) = (self.node(), self.node(), self.node());
        self.edge(from, &over, &format!("turn == t{PLIES}"));
        self.edge(from, &going, &format!("turn != t{PLIES}"));
        if self.chance(50) {
            let atoms = self.atoms;
            self.cascade(&going, &over, &goes_on, atoms, false);
        } else {
            self.edge(&going, &goes_on, "");
        }
        let mut at = over;
        for player in ["a", "b"] {
            let (some, other, scored) = (self.node(), self.node(), self.node());
            let atoms = self.atoms;
            self.cascade(&at, &some, &other, atoms, false);
            for (node, score) in [(some, 100), (other, [0, 50][self.below(2)])] {
                self.edge(&node, &scored, &format!("goals[{player}] = {score}"));
            }
            at = scored;
        }
        self.edge(&at, "end", "player = keeper");
        goes_on
    }

    fn plies(&mut self, from: &str, to: &str) {
        if self.at_once {
            let mut at = from.to_owned();
            for player in ["a", "b"] {
                at = self.ply(&at, player);
            }
            self.edge(&at, to, "player = keeper");
            return;
        }
        let nodes = [self.node(), self.node()];
        let atoms = self.atoms;
        self.cascade(from, &nodes[0], &nodes[1], atoms, false);
        for (node, (player, other)) in nodes.iter().zip([("a", "b"), ("b", "a")]) {
            let waits = self.step(node, &format!("chosen_{other} = m0"));
            let moved = self.ply(&waits, player);
            self.edge(&moved, to, "player = keeper");
        }
    }

    /// The choice of a player. The first move is always legal, as a rule.
    fn ply(&mut self, from: &str, player: &str) -> String {
        let turn = self.step(from, &format!("player = {player}"));
        let (chose, moved) = (self.node(), self.node());
        for number in 0..self.moves {
            let pick = self.node();
            let rules = if number == 0 { 1 } else { self.below(3) };
            for rule in 0..rules {
                let mut at = turn.clone();
                for _ in 0..if number == 0 && self.choices.below(20) > 0 { 0 } else { 1 + rule } {
                    let [condition, _] = self.condition(self.atoms, false);
                    at = self.step(&at, &condition);
                }
                self.edge(&at, &pick, "");
            }
            if rules > 0 {
                self.edge(&pick, &chose, &format!("chosen_{player} = m{number}"));
            }
        }
        let mut at = chose;
        if self.chance(30) {
            at = self.step(&at, "$ takes");
        }
        self.edge(&at, &moved, &format!("$$ chosen_{player}"));
        moved
    }
}
