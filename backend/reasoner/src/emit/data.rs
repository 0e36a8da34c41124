//! The tables of a source text: names, places of variables, kinds of moves, constant tables.

use super::Target;
use super::labels::Part;
use super::plan::{Field, Plan, Variable};
use rustc_hash::FxHashMap;
use std::fmt::Write as _;

/// Items in a line.
const WIDTH: usize = 12;

/// See the module.
pub(super) struct Data {
    target: Target,
    text: String,
    /// Lists of names and of symbols that are there already.
    names: FxHashMap<Vec<String>, String>,
    symbols: FxHashMap<Vec<usize>, String>,
    /// Arrays of labels' parts.
    arrays: usize,
}

impl Data {
    /// The tables of a game.
    pub(super) fn of(target: Target, plan: &Plan) -> String {
        let mut data =
            Self { target, text: String::new(), names: FxHashMap::default(), symbols: FxHashMap::default(), arrays: 0 };
        let words = plan.initial.iter().map(|&word| target.constant(word)).collect::<Vec<_>>();
        match target {
            Target::Rust => {
                let _ = writeln!(data.text, "const INITIAL: [u64; WORDS] = [{}];", words.join(", "));
            }
            Target::Cpp => {
                let words = words.join(", ");
                let _ = writeln!(data.text, "inline constexpr std::array<u64, WORDS> INITIAL = {{{{{words}}}}};");
            }
        }
        data.single("NODE", "Field", data.field(plan.node));
        data.single("MOVER", "Field", data.field(plan.mover));
        data.array("TURNS", data.integer(), plan.turns.iter().map(i64::to_string).collect());
        data.array("SCORE_OF", data.size(), plan.score_of.iter().map(usize::to_string).collect());
        data.single("GOALS", data.size(), plan.goals.0.to_string());
        data.array("GOALS_AT", data.size(), plan.goals.1.iter().map(usize::to_string).collect());
        let variables = plan.variables.iter().enumerate().map(|(at, variable)| data.variable(at, variable)).collect();
        data.array("VARIABLES", "Variable", variables);
        let symbols = plan.symbols.iter().map(|name| quoted(target, name)).collect();
        data.array("SYMBOLS", data.name_type(), symbols);
        data.stops(plan);
        for (at, table) in plan.program.tables.iter().enumerate() {
            if target == Target::Rust {
                data.text.push_str("#[allow(dead_code)]\n");
            }
            data.array(&format!("T{at}"), "u64", table.entries.iter().map(|&entry| target.constant(entry)).collect());
        }
        data.text.push('\n');
        data.text
    }

    /// A list of names as one expression.
    pub(super) fn list(target: Target, names: &[String]) -> String {
        let items: Vec<String> = names.iter().map(|name| quoted(target, name)).collect();
        match target {
            Target::Rust => format!("[{}]", items.join(", ")),
            Target::Cpp => format!("{{{}}}", items.join(", ")),
        }
    }

    fn stops(&mut self, plan: &Plan) {
        let mut stops = Vec::new();
        for (at, stop) in plan.stops.iter().enumerate() {
            let (mut kinds, mut reads, mut overlaps) = (Vec::new(), false, false);
            if let Some(decision) = &stop.decision {
                overlaps = decision.overlaps;
                reads = decision.labels.function.is_some();
                kinds = decision.labels.kinds.iter().map(|parts| self.parts(parts)).collect();
            }
            let (parts, node) = (if self.rust() { "&[Part]" } else { "Slice<Part>" }, quoted(self.target, &stop.node));
            let kinds = self.slice(&format!("KINDS_{at}"), parts, kinds);
            stops.push(self.record("stop", &[node, kinds, reads.to_string(), overlaps.to_string()]));
        }
        if !self.rust() {
            self.single("STOP_COUNT", "std::size_t", stops.len().to_string());
        }
        self.array("STOPS", "Stop", stops);
    }

    /// A name for another array.
    fn array_name(&mut self, prefix: &str) -> String {
        self.arrays += 1;
        format!("{prefix}{}", self.arrays)
    }

    fn parts(&mut self, parts: &[Part]) -> String {
        let parts = parts.iter().map(|part| self.part(part)).collect();
        let name = self.array_name("PARTS_");
        self.slice(&name, "Part", parts)
    }

    fn part(&mut self, part: &Part) -> String {
        let nothing = self.slice("", "", Vec::new());
        match part {
            Part::Choice { symbols, shift, mask } => {
                let symbols = self.symbols(symbols);
                let mask = self.target.constant(*mask);
                self.record("part", &[symbols, shift.to_string(), mask, nothing.clone(), nothing])
            }
            Part::Between { before, cases } => {
                let before =
                    before.as_deref().map_or(nothing.clone(), |before| self.parts(std::slice::from_ref(before)));
                let case = |(from, to, symbols): &(usize, usize, Vec<usize>)| {
                    let symbols = self.symbols(symbols);
                    self.record("between", &[from.to_string(), to.to_string(), symbols])
                };
                let cases = cases.iter().map(case).collect();
                let name = self.array_name("BETWEEN_");
                let cases = self.slice(&name, "Between", cases);
                self.record("part", &[nothing, "0".to_owned(), self.target.constant(0), before, cases])
            }
        }
    }

    fn symbols(&mut self, symbols: &[usize]) -> String {
        if let Some(found) = self.symbols.get(symbols) {
            return found.clone();
        }
        let items = symbols.iter().map(usize::to_string).collect();
        let list = self.slice(&format!("S{}", self.symbols.len()), self.size(), items);
        self.symbols.insert(symbols.to_vec(), list.clone());
        list
    }

    fn variable(&mut self, at: usize, variable: &Variable) -> String {
        let place = |(keys, index): &(String, usize)| {
            let keys = quoted(self.target, keys);
            if self.rust() { format!("({keys}, {index})") } else { format!("{{{keys}, {index}}}") }
        };
        let places = variable.places.iter().map(place).collect();
        let places = self.slice(&format!("PLACES_{at}"), if self.rust() { "(&str, usize)" } else { "Place" }, places);
        let fields = variable.fields.iter().map(|&field| self.field(field)).collect();
        let fields = self.slice(&format!("FIELDS_{at}"), "Field", fields);
        let set = |first: &Option<u32>| first.map_or("NONE".to_owned(), |first| first.to_string());
        let sets = self.slice(&format!("SETS_{at}"), self.size(), variable.sets.iter().map(set).collect());
        let values = self.names(&variable.values);
        let name = quoted(self.target, &variable.name);
        self.record("variable", &[name, places, fields, sets, variable.rest.to_string(), values])
    }

    fn field(&self, field: Field) -> String {
        let mask = self.target.constant(field.mask);
        self.record("field", &[field.word.to_string(), field.shift.to_string(), mask, field.fixed.to_string()])
    }

    fn names(&mut self, names: &[String]) -> String {
        if let Some(found) = self.names.get(names) {
            return found.clone();
        }
        let items = names.iter().map(|name| quoted(self.target, name)).collect();
        let list = self.slice(&format!("N{}", self.names.len()), self.name_type(), items);
        self.names.insert(names.to_vec(), list.clone());
        list
    }

    fn rust(&self) -> bool {
        self.target == Target::Rust
    }

    fn size(&self) -> &'static str {
        if self.rust() { "usize" } else { "std::size_t" }
    }

    fn integer(&self) -> &'static str {
        if self.rust() { "i64" } else { "int" }
    }

    fn name_type(&self) -> &'static str {
        if self.rust() { "&str" } else { "const char*" }
    }

    /// A value of a structure; in Rust `maker` makes it.
    fn record(&self, maker: &str, fields: &[String]) -> String {
        let fields = fields.join(", ");
        if self.rust() { format!("{maker}({fields})") } else { format!("{{{fields}}}") }
    }

    fn single(&mut self, name: &str, of: &str, value: String) {
        let _ = match self.target {
            Target::Rust => writeln!(self.text, "const {name}: {of} = {value};"),
            Target::Cpp => writeln!(self.text, "inline constexpr {of} {name} = {value};"),
        };
    }

    fn array(&mut self, name: &str, of: &str, items: Vec<String>) {
        let (open, close) = match self.target {
            Target::Rust => (format!("static {name}: [{of}; {}] = [", items.len()), "];"),
            Target::Cpp => (format!("inline constexpr {of} {name}[] = {{"), "};"),
        };
        self.text.push_str(&open);
        for line in items.chunks(WIDTH) {
            let _ = write!(self.text, "\n    {},", line.join(", "));
        }
        let _ = writeln!(self.text, "\n{close}");
    }

    /// An array and the expression that stands for all of it.
    fn slice(&mut self, name: &str, of: &str, items: Vec<String>) -> String {
        let len = items.len();
        if len == 0 {
            return if self.rust() { "&[]".to_owned() } else { "{nullptr, 0}".to_owned() };
        }
        self.array(name, of, items);
        if self.rust() { format!("&{name}") } else { format!("{{{name}, {len}}}") }
    }
}

/// A text as a literal.
pub(super) fn quoted(target: Target, text: &str) -> String {
    let mut quoted = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => quoted.extend(['\\', c]),
            c if c.is_control() && target == Target::Rust => quoted.extend(c.escape_unicode()),
            c if c.is_ascii_control() => {
                let _ = write!(quoted, "\\{:03o}", u32::from(c));
            }
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}
