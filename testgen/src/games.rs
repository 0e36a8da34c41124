//! Games of all kinds, proper and improper.
//!
//! The generator is directed by types but uses the loose relation of section 5.1 throughout: sets that overlap, keys that
//! are no keys, whole maps with different keys.

use crate::choices::Choices;
use crate::is_valid;
use std::fmt::Write;

/// The text of the game with that number: without errors, but perhaps improper.
pub fn game(seed: u64) -> String {
    from(Choices::seed(seed))
}

/// The text of the game of some choices.
pub(crate) fn from(choices: Choices) -> String {
    let text = Generator::new(choices).game();
    // Lines that are ill-typed are left out one by one; most games have a few.
    well_typed(text)
}

/// A type: names of members, or a map.
#[derive(Clone, PartialEq, Debug)]
enum Ty {
    Set(&'static [&'static str]),
    Map(Box<Ty>, Box<Ty>),
}

/// The sets, by name; they overlap in many ways.
const SETS: [(&str, &[&str]); 8] = [
    ("Player", &["a", "b"]),
    ("Score", &["0", "1", "2"]),
    ("Bool", &["0", "1"]),
    ("PlayerOrSystem", &["a", "b", "keeper", "random"]),
    ("X", &["x", "y", "z"]),
    ("Y", &["y", "z", "w"]),
    ("Z", &["w", "a", "1", "x", "u"]),
    ("One", &["y"]),
];

/// The maps, by name, keys and values.
const MAPS: [(&str, &str, &str); 7] = [
    ("XY", "X", "Y"),
    ("YX", "Y", "X"),
    ("ZX", "Z", "X"),
    ("XXY", "X", "XY"),
    ("YYX", "Y", "YX"),
    ("Goals", "Player", "Score"),
    ("Visibility", "Player", "Bool"),
];

fn named(name: &str) -> Ty {
    if let Some(set) = SETS.iter().find(|s| s.0 == name) {
        return Ty::Set(set.1);
    }
    let map = MAPS.iter().find(|m| m.0 == name).unwrap();
    Ty::Map(Box::new(named(map.1)), Box::new(named(map.2)))
}

fn assignable(a: &Ty, b: &Ty) -> bool {
    match (a, b) {
        (Ty::Set(a), Ty::Set(b)) => a.iter().any(|s| b.contains(s)),
        (Ty::Map(k, v), Ty::Map(l, w)) => assignable(k, l) && assignable(v, w),
        _ => false,
    }
}

/// How a game is made.
struct Generator {
    choices: Choices,
    vars: Vec<(&'static str, &'static str)>,
    consts: Vec<(&'static str, &'static str)>,
    /// Nodes a move can be in, the first and last of them `begin` and `end`.
    nodes: Vec<String>,
    /// Nodes for checks, in layers: checks of one layer ask for later ones.
    checks: Vec<String>,
    /// Whether anything may lead anywhere.
    wild: bool,
    /// Whether what is written shows in the tags, so that few games are ambiguous.
    tidy: bool,
}

impl Generator {
    fn below(&mut self, bound: usize) -> usize {
        self.choices.below(bound)
    }

    fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    fn pick<T: Clone>(&mut self, list: &[T]) -> T {
        list[self.below(list.len())].clone()
    }

    fn new(choices: Choices) -> Self {
        let mut new = Self {
            choices,
            vars: vec![("goals", "Goals"), ("player", "PlayerOrSystem"), ("visible", "Visibility")],
            consts: Vec::new(),
            nodes: vec!["begin".into()],
            checks: Vec::new(),
            wild: false,
            tidy: false,
        };
        let kinds: Vec<&str> = SETS.iter().map(|s| s.0).chain(MAPS.iter().map(|m| m.0)).collect();
        let count = 1 + new.below(5);
        for name in ["v1", "v2", "v3", "v4", "v5"].into_iter().take(count) {
            let kind = new.pick(&kinds);
            new.vars.push((name, kind));
        }
        let count = new.below(3);
        for name in ["c1", "c2"].into_iter().take(count) {
            let kind = new.pick(&kinds);
            new.consts.push((name, kind));
        }
        let (inner, checks) = (2 + new.below(6), new.below(6));
        new.nodes.extend((0..inner).map(|i| format!("n{i}")));
        new.nodes.push("end".into());
        new.checks.extend((0..checks).map(|i| format!("q{i}")));
        new.wild = new.chance(20);
        new.tidy = new.chance(75);
        new
    }

    /// A literal of a type.
    fn literal(&mut self, ty: &Ty) -> String {
        match ty {
            Ty::Set(members) => self.pick(members).to_string(),
            Ty::Map(key, value) => {
                let Ty::Set(keys) = **key else { unreachable!() };
                let mut text = format!("{{ :{}", self.literal(value));
                for key in keys {
                    if self.chance(40) {
                        let _ = write!(text, ", {key}: {}", self.literal(value));
                    }
                }
                text + " }"
            }
        }
    }

    /// A place or constant that may be used as `ty`: a name with accesses.
    fn place(&mut self, ty: &Ty, depth: usize, constants: bool) -> Option<(String, Ty)> {
        let mut roots = self.vars.clone();
        if constants {
            roots.extend_from_slice(&self.consts);
        }
        for _ in 0..8 {
            let (name, kind) = self.pick(&roots);
            let (mut text, mut at) = (name.to_string(), named(kind));
            loop {
                if assignable(&at, ty) && !(depth > 0 && self.chance(15)) {
                    return Some((text, at));
                }
                let Ty::Map(key, value) = at else { break };
                let Some(key) = self.expr(&key, depth.saturating_sub(1)) else { break };
                let _ = write!(text, "[{key}]");
                at = *value;
            }
        }
        None
    }

    /// An expression that may be used as `ty`.
    fn expr(&mut self, ty: &Ty, depth: usize) -> Option<String> {
        if let Ty::Set(members) = ty
            && (depth == 0 || self.chance(35))
        {
            return Some(self.pick(members).to_string());
        }
        if depth > 0 && self.chance(12) {
            let kinds: Vec<&str> = SETS.iter().map(|s| s.0).chain(MAPS.iter().map(|m| m.0)).collect();
            let kind = self.pick(&kinds);
            if assignable(&named(kind), ty) {
                return Some(format!("{kind}({})", self.expr(&named(kind), depth - 1)?));
            }
        }
        if let Some((text, _)) = self.place(ty, depth, true) {
            return Some(text);
        }
        if let Ty::Set(members) = ty { Some(self.pick(members).to_string()) } else { None }
    }

    /// A label that does not end a move; `layer`: the first check node it may ask for.
    fn label(&mut self, layer: usize) -> Option<String> {
        let any_kind = |g: &mut Self| {
            let kinds: Vec<&str> = SETS.iter().map(|s| s.0).chain(MAPS.iter().map(|m| m.0)).collect();
            named(g.pick(&kinds))
        };
        Some(match self.below(100) {
            0..12 => String::new(),
            12..32 => {
                let ty = any_kind(self);
                let (left, right) = (self.place(&ty, 2, true)?, self.expr(&ty, 2)?);
                // The two sides met in `ty`, but need not meet each other; the checker sorts that out.
                format!("{} {} {right}", left.0, if self.chance(50) { "==" } else { "!=" })
            }
            32..50 => {
                let ty = any_kind(self);
                let (left, ty) = self.place(&ty, 2, false).filter(|(left, _)| left != "player")?;
                format!("{left} = {}", self.expr(&ty, 2)?)
            }
            50..62 => {
                let Ty::Set(members) = any_kind(self) else { return None };
                let (left, ty) = self.place(&Ty::Set(members), 2, false).filter(|(left, _)| left != "player")?;
                let Ty::Set(members) = ty else { return None };
                let fitting: Vec<&str> =
                    SETS.iter().filter(|s| s.1.iter().all(|m| members.contains(m))).map(|s| s.0).collect();
                if fitting.is_empty() || self.chance(20) {
                    let (first, last) = (members[0], members[members.len() - 1]);
                    let list = if first == last { first.to_string() } else { format!("{last}, {first}") };
                    format!("{left} = {{ {list} }}(*)")
                } else {
                    format!("{left} = {}(*)", self.pick(&fitting))
                }
            }
            62..75 => format!("$ {}", self.pick(&["s", "t", "x"])),
            75..83 => {
                let sets: Vec<&str> =
                    self.vars.iter().filter(|v| matches!(named(v.1), Ty::Set(_))).map(|v| v.0).collect();
                format!("$$ {}", self.pick(&sets))
            }
            _ => {
                let mut pool: Vec<String> = self.checks.get(layer..).unwrap_or(&[]).to_vec();
                if self.wild {
                    pool.extend_from_slice(&self.nodes);
                }
                if pool.is_empty() {
                    return None;
                }
                let sign = if self.chance(70) { "?" } else { "!" };
                format!("{sign} {} -> {}", self.pick(&pool), self.pick(&pool))
            }
        })
    }

    fn switch(&mut self) -> String {
        match self.below(10) {
            0..3 => "player = a".to_string(),
            3..5 => "player = b".to_string(),
            5..7 => "player = keeper".to_string(),
            7 => "player = random".to_string(),
            8 => "PlayerOrSystem(player) = player".to_string(),
            _ => {
                let players = named("PlayerOrSystem");
                self.expr(&players, 2).map_or("player = a".to_string(), |e| format!("player = {e}"))
            }
        }
    }

    /// Half of a generate-and-test search: a variable takes any value, or is compared with one.
    fn guess(&mut self) -> String {
        let sets = self.vars.iter().filter(|v| v.0 != "player" && matches!(named(v.1), Ty::Set(_)));
        let sets: Vec<(&str, &str)> = sets.copied().collect();
        if sets.is_empty() {
            return String::new();
        }
        let (name, kind) = self.pick(&sets);
        let Ty::Set(members) = named(kind) else { return String::new() };
        if self.chance(50) { format!("{name} = {kind}(*)") } else { format!("{name} == {}", self.pick(members)) }
    }

    /// Three nodes where the keeper has one move: it writes something, or tests something and its contrary.
    fn keepers(&mut self, text: &mut String) {
        for k in 0..3 {
            let (one, two) = (self.below(self.nodes.len() - 2), self.below(self.nodes.len() - 2));
            let _ = writeln!(text, "y{k}, n{one}: player = {};", self.pick(&["a", "b", "random", "player"]));
            match self.label(0) {
                Some(label) if label.contains(" == ") || label.contains(" != ") => {
                    let (equal, differ) = (label.replace(" != ", " == "), label.replace(" == ", " != "));
                    let _ = writeln!(text, "k{k}, y{k}: {equal};\nk{k}, z{k}: {differ};\nz{k}, n{two}: player = b;");
                }
                Some(label) if label.contains(" = ") && !label.contains("(*)") => {
                    let _ = writeln!(text, "k{k}, y{k}: {label};");
                }
                Some(label) if label.starts_with("? ") => {
                    let contrary = label.replace("? ", "! ");
                    let _ = writeln!(text, "k{k}, y{k}: {label};\nk{k}, z{k}: {contrary};\nz{k}, n{two}: player = b;");
                }
                _ => {
                    let _ = writeln!(text, "k{k}, y{k}: ;");
                }
            }
        }
    }

    /// The text of a game, which may still have type errors.
    fn game(&mut self) -> String {
        let mut text = String::new();
        for (name, members) in SETS {
            let _ = writeln!(text, "type {name} = {{ {} }};", members.join(", "));
        }
        for (name, key, value) in MAPS {
            let _ = writeln!(text, "type {name} = {key} -> {value};");
        }
        for (keyword, list) in [("const", self.consts.clone()), ("var", self.vars.clone())] {
            for (name, kind) in list {
                let value = match name {
                    "player" => "keeper".to_string(),
                    "visible" if self.below(10) < 7 => "{ :1 }".to_string(),
                    _ => self.literal(&named(kind)),
                };
                let _ = writeln!(text, "{keyword} {name}: {kind} = {value};");
            }
        }
        let first = if self.chance(75) { "player = a".to_string() } else { self.switch() };
        let _ = writeln!(text, "begin, n0: {first};");
        let inner = self.nodes.len() - 2;
        for edge in 0..inner * 2 + self.below(4) {
            let source = 1 + self.below(inner);
            let back = if self.wild { 40 } else { 12 };
            let target =
                if self.chance(back) { self.below(inner + 2) } else { source + 1 + self.below(inner + 1 - source) };
            let label = if self.chance(if target == inner + 1 { 85 } else { 15 }) {
                Some(self.switch())
            } else {
                self.label(0)
            };
            let Some(label) = label else { continue };
            let (from, to) = (self.nodes[source].clone(), self.nodes[target].clone());
            let Some((left, _)) = label.split_once(" = ").filter(|_| self.tidy) else {
                let _ = writeln!(text, "{from}, {to}: {label};");
                continue;
            };
            if left == "player" || left == "PlayerOrSystem(player)" {
                // The keeper has nodes of its own, where it has no choice.
                let to = if label == "player = keeper" && to != "end" { format!("k{}", self.below(3)) } else { to };
                let _ = writeln!(text, "{from}, m{edge}: $ e{edge};\nm{edge}, {to}: {label};");
                continue;
            }
            // What was written is told by a tag at once.
            let scalar = self.vars.iter().any(|v| v.0 == left && matches!(named(v.1), Ty::Set(_)));
            let tag = if scalar { format!("$$ {left}") } else { format!("$ e{edge}") };
            let _ = writeln!(text, "{from}, m{edge}: {label};\nm{edge}, {to}: {tag};");
        }
        self.keepers(&mut text);
        let checks = self.checks.len();
        for _ in 0..checks * 3 {
            let (source, target) = (self.below(checks), self.below(checks));
            // Cycles within a layer, checks of later layers only.
            let label = match self.below(10) {
                0 => Some(self.switch()),
                1..6 => Some(self.guess()),
                _ => self.label(source.max(target) + 1),
            };
            let Some(label) = label else { continue };
            let ordered = self.wild || self.chance(30) || !label.contains("->");
            let (source, target) = if ordered { (source, target) } else { (source.min(target), source.max(target)) };
            let _ = writeln!(text, "{}, {}: {label};", self.checks[source], self.checks[target]);
        }
        let _ = writeln!(text, "n{}, end: player = keeper;", inner - 1);
        text
    }
}

/// Drops the edges that the checker refuses.
fn well_typed(text: String) -> String {
    if is_valid(&text) {
        return text;
    }
    let (declarations, edges): (Vec<&str>, Vec<&str>) =
        text.lines().partition(|l| l.starts_with("type ") || l.starts_with("const ") || l.starts_with("var "));
    let anchor = "begin, end: ;";
    let fits = |edge: &&str| is_valid(&format!("{}\n{anchor}\n{edge}", declarations.join("\n")));
    let kept: Vec<&str> = edges.into_iter().filter(fits).collect();
    format!("{}\n{}", declarations.join("\n"), kept.join("\n"))
}
