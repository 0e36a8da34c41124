//! Games in GDL in which several roles move at once: boards that all share and boards of one role each, tied to it by static
//! relations or by fluents, pieces, scores, controls that go round, counters of steps, chains of waiting. What stays is
//! said in every way people say it: by `distinct`, by negation of a move, by helper relations over moves of several roles,
//! by disjunctions, by several rules for one kind of fluents.

mod body;
mod families;
mod moves;

use crate::choices::Choices;
use body::{Body, Scope};

/// What an argument is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    Thing,
    Role,
    Board,
    Number,
}

/// A relation, a fluent or a move, with its arguments.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Signature {
    name: String,
    args: Vec<Kind>,
}

impl Signature {
    fn new(name: &str, args: &[Kind]) -> Self {
        Self { name: name.to_owned(), args: args.to_vec() }
    }
}

/// A relation with rules, and whether it asks for moves.
struct Helper {
    signature: Signature,
    asks_moves: bool,
}

const ROLES: [&str; 4] = ["ann", "bob", "cal", "dee"];
const THINGS: [&str; 4] = ["a", "b", "c", "d"];
const BOARDS: [&str; 4] = ["north", "south", "west", "east"];
const NUMBERS: [&str; 6] = ["0", "1", "2", "3", "4", "5"];

/// A sheet that is being written.
struct Generator {
    choices: Choices,
    roles: Vec<&'static str>,
    things: usize,
    /// The greatest number.
    last: usize,
    statics: Vec<Signature>,
    fluents: Vec<Signature>,
    moves: Vec<Signature>,
    helpers: Vec<Helper>,
    lines: Vec<String>,
}

/// The sheet with that number, a rule in each line. It has no errors, and it ends or not; in most of them every role always
/// has a move, and exactly one score.
pub fn sheet(seed: u64) -> String {
    let mut choices = Choices::seed(seed);
    let count = [2, 2, 2, 3, 3, 4][choices.below(6)];
    let mut roles = ROLES[..count].to_vec();
    if choices.below(20) == 0 {
        roles.insert(choices.below(count + 1), "random");
    }
    let things = if choices.below(10) == 0 { 1 } else { 2 + choices.below(if count < 4 { 3 } else { 2 }) };
    let last = 2 + choices.below(3);
    let (statics, fluents, moves) = (Vec::new(), Vec::new(), Vec::new());
    let mut generator =
        Generator { choices, roles, things, last, statics, fluents, moves, helpers: Vec::new(), lines: Vec::new() };
    generator.world();
    generator.declare_moves();
    generator.declare_fluents();
    generator.helpers();
    generator.legal();
    generator.rules_of_next();
    generator.end();
    generator.percepts();
    generator.lines.join("\n") + "\n"
}

impl Generator {
    fn line(&mut self, text: impl Into<String>) {
        self.lines.push(text.into());
    }

    /// A rule, or a fact.
    fn rule(&mut self, head: &str, body: &[String]) {
        let line = if body.is_empty() { head.to_owned() } else { format!("(<= {head} {})", body.join(" ")) };
        if !self.lines.contains(&line) {
            self.line(line);
        }
    }

    /// Whether something happens that does so once in `times`.
    fn once_in(&mut self, times: usize) -> bool {
        self.choices.below(times) == 0
    }

    fn constants(&self, kind: Kind) -> Vec<&'static str> {
        match kind {
            Kind::Thing => THINGS[..self.things].to_vec(),
            Kind::Role => self.roles.clone(),
            Kind::Board => BOARDS[..self.roles.len().min(4)].to_vec(),
            Kind::Number => NUMBERS[..=self.last].to_vec(),
        }
    }

    fn constant(&mut self, kind: Kind) -> &'static str {
        let all = self.constants(kind);
        all[self.choices.below(all.len())]
    }

    /// Roles, things, boards, numbers, and what never changes about them.
    fn world(&mut self) {
        let facts = |name: &str, all: &[&str]| all.iter().map(|one| format!("({name} {one})")).collect::<Vec<_>>();
        let (roles, things) = (self.roles.clone(), self.constants(Kind::Thing));
        let (boards, numbers) = (self.constants(Kind::Board), self.constants(Kind::Number));
        self.lines.extend(facts("role", &roles));
        self.lines.extend(facts("thing", &things));
        self.lines.extend(facts("num", &numbers));
        self.lines.extend(facts("board", &boards));
        numbers.windows(2).for_each(|pair| self.line(format!("(succ {} {})", pair[0], pair[1])));
        let shift = self.choices.below(2);
        for (number, role) in roles.iter().enumerate() {
            self.line(format!("(owns {role} {})", boards[(number + shift) % boards.len()]));
            self.line(format!("(after {role} {})", roles[(number + 1) % roles.len()]));
        }
        for (number, thing) in things.iter().enumerate() {
            let next = things[(number + 1) % things.len()];
            self.line(format!("(near {thing} {next})"));
            if self.once_in(2) {
                let role = self.constant(Kind::Role);
                self.line(format!("(likes {role} {thing})"));
            }
        }
        let role = self.constant(Kind::Role);
        self.line(format!("(likes {role} {})", things[0]));
        self.statics = vec![
            Signature::new("owns", &[Kind::Role, Kind::Board]),
            Signature::new("after", &[Kind::Role, Kind::Role]),
            Signature::new("near", &[Kind::Thing, Kind::Thing]),
            Signature::new("likes", &[Kind::Role, Kind::Thing]),
        ];
    }

    /// Relations between what rules ask and what they say: some ask for moves, of one role or of several.
    fn helpers(&mut self) {
        for number in 0..1 + self.choices.below(4) {
            let mut args = Vec::new();
            for _ in 0..self.choices.below(3) {
                args.push([Kind::Thing, Kind::Thing, Kind::Role, Kind::Board][self.choices.below(4)]);
            }
            let asks_moves = !self.once_in(3);
            let signature = Signature::new(&format!("h{number}"), &args);
            let scope = if asks_moves { Scope::Step } else { Scope::State };
            let mut begun: Option<(String, Body)> = None;
            for _ in 0..1 + self.choices.below(3) {
                // Rules of one relation often begin with the same conditions.
                let (head, mut body) = match begun.take().filter(|_| !self.once_in(2)) {
                    Some(begun) => begun,
                    None => self.begun_helper(&signature, asks_moves),
                };
                begun = Some((head.clone(), body.clone()));
                for _ in 0..self.choices.below(3) {
                    self.extra(&mut body, scope);
                }
                let text = body.literals();
                self.rule(&head, &text);
            }
            self.helpers.push(Helper { signature, asks_moves });
        }
    }

    /// The head of a rule for a helper, and the conditions that bind its arguments.
    fn begun_helper(&mut self, signature: &Signature, asks_moves: bool) -> (String, Body) {
        let mut body = Body::default();
        match (asks_moves, self.choices.below(3)) {
            (true, 0) => {
                self.does(&mut body);
                self.does(&mut body);
            }
            (true, _) => self.does(&mut body),
            (false, _) => self.holds(&mut body),
        }
        if self.once_in(2) {
            let scope = if asks_moves { Scope::Step } else { Scope::State };
            let asked = self.helper(&body, scope);
            asked.into_iter().for_each(|literal| body.positive(literal));
        }
        let head = self.head(signature, &mut body);
        (head, body)
    }

    /// When the game ends, and who has won then.
    fn end(&mut self) {
        let counted = self.fluents.iter().any(|fluent| fluent.name == "step");
        if counted {
            let last = NUMBERS[self.last];
            self.line(format!("(<= terminal (true (step {last})))"));
        }
        if !counted || self.once_in(4) {
            let mut body = Body::default();
            self.holds(&mut body);
            self.extra(&mut body, Scope::State);
            let text = body.literals();
            self.rule("terminal", &text);
        }
        let signature = Signature::new("wins", &[Kind::Role]);
        for _ in 0..1 + self.choices.below(2) {
            let mut body = Body::default();
            self.holds(&mut body);
            self.extra(&mut body, Scope::State);
            let head = self.head(&signature, &mut body);
            let text = body.literals();
            self.rule(&head, &text);
        }
        self.line("(<= (goal ?r 100) (role ?r) (wins ?r))");
        self.line("(<= (goal ?r 10) (role ?r) (not (wins ?r)))");
    }

    /// What roles are told, in some sheets.
    fn percepts(&mut self) {
        if !self.once_in(20) {
            return;
        }
        for _ in 0..1 + self.choices.below(3) {
            let mut body = Body::default();
            self.does(&mut body);
            self.extra(&mut body, Scope::Step);
            let role = self.argument(Kind::Role, &mut body);
            let (kind, name) = [(Kind::Thing, "saw"), (Kind::Role, "heard")][self.choices.below(2)];
            let what = self.argument(kind, &mut body);
            let text = body.literals();
            self.rule(&format!("(sees {role} ({name} {what}))"), &text);
        }
    }
}

/// Makes a sheet smaller with which something is wrong: first by whole lines, then by the conditions of its rules.
pub fn shrink_sheet(text: &str, wrong: impl Fn(&str) -> bool) -> String {
    let fewer = crate::shrink(text, &wrong);
    let spread: Vec<&str> = fewer.lines().flat_map(parts).collect();
    let least = crate::shrink(&spread.join("\n"), |text| wrong(&joined(text)));
    crate::shrink(&joined(&least), wrong)
}

/// The text with every form in one line.
fn joined(text: &str) -> String {
    let (mut out, mut depth) = (String::new(), 0usize);
    for line in text.lines() {
        if depth > 0 && line != ")" {
            out.push(' ');
        }
        out.push_str(line);
        depth = (depth + line.matches('(').count()).saturating_sub(line.matches(')').count());
        if depth == 0 {
            out.push('\n');
        }
    }
    out.trim_end().to_owned()
}

/// The parts of a rule: its head, its conditions, and the bracket behind them.
fn parts(line: &str) -> Vec<&str> {
    if !line.starts_with("(<= ") {
        return vec![line];
    }
    let (mut depth, mut start, mut parts) = (0, 0, Vec::new());
    for (at, byte) in line.bytes().enumerate() {
        match byte {
            b'(' => depth += 1,
            b')' => depth -= 1,
            b' ' if depth == 1 && at > "(<=".len() => {
                parts.push(&line[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    let end = line.len() - 1;
    parts.push(&line[start..end]);
    parts.push(&line[end..]);
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_determine_sheets() {
        assert_eq!(sheet(7), sheet(7));
        let different: std::collections::HashSet<String> = (0..50).map(sheet).collect();
        assert_eq!(different.len(), 50);
        let balanced = |line: &str| line.matches('(').count() == line.matches(')').count();
        assert!((0..200).all(|seed| sheet(seed).lines().all(balanced)));
    }

    #[test]
    fn conditions_are_left_out_one_by_one() {
        let text = "(role a)\n(<= (next (f ?x)) (true (f ?x)) (not (g ?x)) (h ?x))\n(<= terminal (true t))";
        let wrong = |text: &str| text.contains("(<= (next (f ?x))") && text.contains("(h ?x))");
        assert_eq!(shrink_sheet(text, wrong), "(<= (next (f ?x)) (h ?x))");
    }
}
