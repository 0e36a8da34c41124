//! Kinds of fluents, and what becomes of them in a step.

use super::body::{Body, Scope, term};
use super::{Generator, Kind, Signature};

/// Kinds of fluents whose rules are made at random.
const SETS: [(&str, &[Kind]); 8] = [
    ("free", &[Kind::Thing]),
    ("open", &[Kind::Board, Kind::Thing]),
    ("has", &[Kind::Role, Kind::Thing]),
    ("lit", &[]),
    ("pair", &[Kind::Thing, Kind::Thing]),
    ("deal", &[Kind::Role, Kind::Board, Kind::Thing]),
    ("told", &[Kind::Role, Kind::Role]),
    ("shut", &[Kind::Board]),
];

impl Generator {
    /// The kinds of fluents, and those that hold at first.
    pub(super) fn declare_fluents(&mut self) {
        for _ in 0..1 + self.choices.below(3) {
            let (name, args) = SETS[self.choices.below(SETS.len())];
            if self.fluents.iter().any(|other| other.name == name) {
                continue;
            }
            self.fluents.push(Signature::new(name, args));
            self.init_set(name, args);
        }
        if !self.once_in(5) {
            self.fluent("step", &[Kind::Number], &["(step 0)"]);
        }
        if self.once_in(2) {
            let first = self.constant(Kind::Role);
            self.fluent("control", &[Kind::Role], &[&format!("(control {first})")]);
        }
        if self.once_in(3) {
            let cells: Vec<String> =
                self.constants(Kind::Thing).iter().map(|cell| format!("(cell {cell} none)")).collect();
            // Its second argument is a role or `none`: conditions ask for roles.
            self.fluent("cell", &[Kind::Thing, Kind::Role], &cells.iter().map(String::as_str).collect::<Vec<_>>());
        }
        if self.once_in(3) {
            let places = self.constants(Kind::Role).into_iter().map(|role| (role, self.constant(Kind::Thing)));
            let places: Vec<String> = places.map(|(role, place)| format!("(at {role} {place})")).collect();
            self.fluent("at", &[Kind::Role, Kind::Thing], &places.iter().map(String::as_str).collect::<Vec<_>>());
        }
        if self.once_in(4) {
            let scores: Vec<String> = self.roles.iter().map(|role| format!("(score {role} 0)")).collect();
            self.fluent("score", &[Kind::Role, Kind::Number], &scores.iter().map(String::as_str).collect::<Vec<_>>());
        }
        if self.once_in(4) {
            let mut links = Vec::new();
            for thing in self.constants(Kind::Thing) {
                if !self.once_in(3) {
                    links.push(format!("(link {thing} {})", self.constant(Kind::Thing)));
                }
            }
            self.fluent("link", &[Kind::Thing, Kind::Thing], &links.iter().map(String::as_str).collect::<Vec<_>>());
        }
        if self.once_in(5) && self.moves.iter().any(|kind| kind.name == "wait") {
            self.fluent("passes", &[Kind::Number], &["(passes 0)"]);
        }
    }

    fn fluent(&mut self, name: &str, args: &[Kind], init: &[&str]) {
        self.fluents.push(Signature::new(name, args));
        init.iter().for_each(|fluent| self.line(format!("(init {fluent})")));
    }

    /// All fluents of a kind hold at first, or some.
    fn init_set(&mut self, name: &str, args: &[Kind]) {
        let mut all = vec![Vec::new()];
        for &kind in args {
            let values = self.constants(kind);
            let with = |list: &Vec<String>| {
                values.iter().map(|&value| [list.as_slice(), &[value.to_owned()]].concat()).collect::<Vec<_>>()
            };
            all = all.iter().flat_map(with).collect();
        }
        let some = !self.once_in(2);
        for args in all {
            if !some || self.once_in(2) {
                self.line(format!("(init {})", term(name, &args)));
            }
        }
    }

    /// The rules of `next`.
    pub(super) fn rules_of_next(&mut self) {
        for fluent in self.fluents.clone() {
            match fluent.name.as_str() {
                "step" => self.line("(<= (next (step ?m)) (true (step ?n)) (succ ?n ?m))"),
                "control" => self.next_control(),
                "cell" => self.next_cell(),
                "at" => self.next_at(),
                "score" => self.next_score(),
                "link" => self.next_link(),
                "passes" => self.next_passes(),
                _ => self.next_set(&fluent),
            }
        }
    }

    fn next_control(&mut self) {
        match self.choices.below(3) {
            0 => {
                // It stays with whoever waits or asks for it.
                let mut body = Body::default();
                body.bind(Kind::Role, "?r");
                let Some(test) = self.undone(&body) else { return };
                self.line(format!("(<= (next (control ?q)) (true (control ?r)) (after ?r ?q) {test})"));
                let opposite = test.trim_start_matches("(not ").strip_suffix(')').unwrap_or(&test).to_owned();
                self.line(format!("(<= (next (control ?r)) (true (control ?r)) {opposite})"));
            }
            _ => self.line("(<= (next (control ?q)) (true (control ?r)) (after ?r ?q))"),
        }
    }

    /// A move with an argument of that kind: the condition that a role makes it, with that variable in its place.
    fn does_with(&mut self, kind: Kind, role: &str, name: &str, body: &mut Body) -> Option<String> {
        let fits = |other: &&Signature| other.args.contains(&kind);
        let moves: Vec<Signature> = self.moves.iter().filter(fits).cloned().collect();
        let made = moves.get(self.choices.below(moves.len()))?;
        let mut given = false;
        let args: Vec<String> = made
            .args
            .iter()
            .map(|&other| {
                if other == kind && !given {
                    given = true;
                    return name.to_owned();
                }
                let fresh = body.fresh(other);
                body.bind(other, &fresh);
                fresh
            })
            .collect();
        Some(format!("(does {role} {})", term(&made.name, &args)))
    }

    /// A board with marks: whoever marks a cell that has none gets it; of several roles, all, or none, or the first.
    fn next_cell(&mut self) {
        let mut body = Body::default();
        let Some(does) = self.does_with(Kind::Thing, "?r", "?x", &mut body) else {
            return self.line("(<= (next (cell ?x ?m)) (true (cell ?x ?m)))");
        };
        let helper = "(<= (taken ?x)".to_owned() + &format!(" {does})");
        self.line(helper);
        let tie = match self.choices.below(4) {
            0 => " (true (control ?r))",
            1 => " (likes ?r ?x)",
            _ => "",
        };
        let tie = if tie.contains("control") && !self.fluents.iter().any(|fluent| fluent.name == "control") {
            ""
        } else {
            tie
        };
        self.line(format!("(<= (next (cell ?x ?r)) {does} (true (cell ?x none)){tie})"));
        self.line("(<= (next (cell ?x ?m)) (true (cell ?x ?m)) (distinct ?m none))");
        match self.choices.below(3) {
            0 => self.line("(<= (next (cell ?x none)) (true (cell ?x none)) (not (taken ?x)))"),
            1 => {
                let other = does.replace("?x", "?y");
                self.line(format!("(<= (next (cell ?x none)) (true (cell ?x none)) {other} (distinct ?x ?y){tie})"));
            }
            _ => self.line("(<= (next (cell ?x ?m)) (true (cell ?x ?m)) (not (taken ?x)))"),
        }
    }

    /// Everybody is somewhere: a move goes there; all others stay.
    fn next_at(&mut self) {
        let mut body = Body::default();
        let Some(does) = self.does_with(Kind::Thing, "?r", "?x", &mut body) else {
            return self.line("(<= (next (at ?r ?x)) (true (at ?r ?x)))");
        };
        match self.choices.below(3) {
            0 => {
                self.line(format!("(<= (moves ?r) {does})"));
                self.line(format!("(<= (next (at ?r ?x)) {does})"));
                self.line("(<= (next (at ?r ?x)) (true (at ?r ?x)) (not (moves ?r)))");
            }
            1 => {
                self.line(format!("(<= (goes ?r ?x) {does} (true (at ?r ?y)) (near ?y ?x))"));
                self.line("(<= (leaves ?r) (goes ?r ?x))");
                self.line("(<= (next (at ?r ?x)) (goes ?r ?x))");
                self.line("(<= (next (at ?r ?x)) (true (at ?r ?x)) (not (leaves ?r)))");
            }
            _ => {
                // Who is named, or meant by another move, is moved on.
                let mut body = Body::default();
                self.does(&mut body);
                let role = self.argument(Kind::Role, &mut body);
                let text = body.literals();
                self.rule(&format!("(pushed {role})"), &text);
                self.line("(<= (next (at ?r ?y)) (true (at ?r ?x)) (near ?x ?y) (pushed ?r))");
                self.line("(<= (next (at ?r ?x)) (true (at ?r ?x)) (not (pushed ?r)))");
            }
        }
    }

    /// One thing leads to another: moves, of one role or of all, lead it elsewhere, and conditions cut it off.
    fn next_link(&mut self) {
        let mut body = Body::default();
        let role = if self.once_in(3) { "?r" } else { self.constant(Kind::Role) };
        let two = self.moves.iter().any(|kind| kind.name == "swap");
        let does = if two { Some(format!("(does {role} (swap ?x ?y))")) } else { None };
        let does = does.or_else(|| self.does_with(Kind::Thing, role, "?y", &mut body));
        let from = if two { "?x" } else { self.constant(Kind::Thing) };
        if let Some(does) = does {
            self.line(format!("(<= (leads {from} ?y) {does})"));
            self.line("(<= (cut ?x) (leads ?x ?y))");
            self.line("(<= (next (link ?x ?y)) (leads ?x ?y))");
        }
        for _ in 0..1 + self.choices.below(2) {
            let mut body = Body::default();
            body.positive("(true (link ?x ?y))".to_owned());
            body.bind(Kind::Thing, "?x");
            body.bind(Kind::Thing, "?y");
            for _ in 0..self.choices.below(3) {
                self.extra(&mut body, Scope::Step);
            }
            body.test("(not (cut ?x))".to_owned());
            let text = body.literals();
            self.rule("(next (link ?x ?y))", &text);
        }
    }

    fn next_score(&mut self) {
        let mut body = Body::default();
        self.does(&mut body);
        self.extra(&mut body, Scope::Step);
        let role = self.argument(Kind::Role, &mut body);
        let text = body.literals();
        self.rule(&format!("(point {role})"), &text);
        self.line("(<= (next (score ?r ?m)) (true (score ?r ?n)) (succ ?n ?m) (point ?r))");
        self.line("(<= (next (score ?r ?n)) (true (score ?r ?n)) (not (point ?r)))");
        let last = super::NUMBERS[self.last];
        self.line(format!("(<= (next (score ?r {last})) (true (score ?r {last})))"));
    }

    /// The game ends when all, or some, have waited several times in a row.
    fn next_passes(&mut self) {
        let all: Vec<String> = self.roles.iter().map(|role| format!("(does {role} wait)")).collect();
        let some = self.choices.below(3);
        self.rule("quiet", &all[some.min(all.len() - 1)..]);
        self.line("(<= (next (passes ?m)) (true (passes ?n)) (succ ?n ?m) quiet)");
        self.line("(<= (next (passes 0)) (not quiet))");
        self.line("(<= terminal (true (passes 2)))");
    }

    /// Rules of all forms for one kind of fluents.
    fn next_set(&mut self, fluent: &Signature) {
        for _ in 0..[0, 1, 1, 1, 2, 2, 3][self.choices.below(7)] {
            self.frame(fluent);
        }
        for _ in 0..[0, 1, 1, 2][self.choices.below(4)] {
            let mut body = Body::default();
            if self.once_in(6) {
                self.holds(&mut body);
            } else {
                self.does(&mut body);
            }
            for _ in 0..self.choices.below(3) {
                self.extra(&mut body, Scope::Step);
            }
            let args: Vec<String> = fluent.args.iter().map(|&kind| self.argument(kind, &mut body)).collect();
            let text = body.literals();
            self.rule(&format!("(next {})", term(&fluent.name, &args)), &text);
        }
    }

    /// A rule by which fluents stay.
    fn frame(&mut self, fluent: &Signature) {
        let mut body = Body::default();
        let mut args: Vec<String> = Vec::new();
        for &kind in &fluent.args {
            let known = body.known(kind);
            let arg = match self.choices.below(12) {
                0 => self.constant(kind).to_owned(),
                1 if !known.is_empty() => known[0].clone(),
                _ => body.fresh(kind),
            };
            if arg.starts_with('?') {
                body.bind(kind, &arg);
            }
            args.push(arg);
        }
        let own = term(&fluent.name, &args);
        body.positive(format!("(true {own})"));
        match self.choices.below(8) {
            0..=3 => self.unless_done(fluent, &args, &mut body),
            4 => {
                let test = self.undone(&body);
                test.into_iter().for_each(|literal| body.test(literal));
            }
            5 => {
                let test = self.simple_test(&body, Scope::Step);
                test.into_iter().for_each(|literal| body.test(literal));
            }
            6 => self.does(&mut body),
            _ => {}
        }
        for _ in 0..[0, 0, 1, 1, 2][self.choices.below(5)] {
            self.extra(&mut body, Scope::Step);
        }
        let text = body.literals();
        self.rule(&format!("(next {own})"), &text);
    }

    /// A role makes a move about something else: one argument of the move is not that of the fluent, or one of several.
    fn unless_done(&mut self, fluent: &Signature, args: &[String], body: &mut Body) {
        let places: Vec<usize> = (0..args.len()).filter(|&place| args[place].starts_with('?')).collect();
        let Some(&place) = places.get(self.choices.below(places.len())) else { return self.does(body) };
        let kind = fluent.args[place];
        let role = match self.choices.below(4) {
            0 => self.constant(Kind::Role).to_owned(),
            1 if !body.known(Kind::Role).is_empty() => body.known(Kind::Role)[0].clone(),
            _ => body.fresh(Kind::Role),
        };
        let other = body.fresh(kind);
        let Some(does) = self.does_with(kind, &role, &other, body) else { return self.does(body) };
        body.positive(does);
        body.bind(kind, &other);
        if role.starts_with('?') {
            body.bind(Kind::Role, &role);
            if !self.once_in(3) {
                self.tie(&role, body);
            }
        }
        let differs = format!("(distinct {other} {})", args[place]);
        let alternative = if self.once_in(4) { self.simple_test(body, Scope::Step) } else { None };
        body.test(match alternative {
            Some(alternative) if alternative != differs => format!("(or {differs} {alternative})"),
            _ => differs,
        });
    }
}
