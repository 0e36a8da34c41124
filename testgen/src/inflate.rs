//! Making a game larger without making another game of it.

use crate::choices::Choices;

/// An edge as text.
#[derive(Clone)]
struct Edge {
    source: String,
    target: String,
    label: String,
}

/// Adds to the game of a text, in `steps` steps, what passes can take away again: steps that do nothing, edges that stand
/// there twice, conditions and their contraries, copies of nodes and of the ends of walks, variables that nobody needs,
/// values that take a way around, comparisons in checks of their own. The game stays the same, except that it may become
/// ambiguous: what nobody needs can still be different.
///
/// The text must have a declaration or an edge in every line, as [`crate::game()`] makes it.
pub fn inflate(text: &str, seed: u64, steps: usize) -> String {
    by(text, Choices::seed(seed), steps)
}

/// As [`inflate`], as the choices say.
pub(crate) fn by(text: &str, choices: Choices, steps: usize) -> String {
    let (declarations, edges): (Vec<&str>, Vec<&str>) = text.lines().partition(|line| !is_edge(line));
    let mut inflater = Inflater {
        choices,
        declarations: declarations.into_iter().map(str::to_owned).collect(),
        edges: edges.into_iter().filter_map(edge).collect(),
        fresh: 0,
    };
    for _ in 0..steps {
        inflater.step();
    }
    let edges = inflater.edges.iter().map(|edge| format!("{}, {}: {};", edge.source, edge.target, edge.label));
    inflater.declarations.iter().cloned().chain(edges).collect::<Vec<_>>().join("\n")
}

fn is_edge(line: &str) -> bool {
    !["type ", "const ", "var ", "@"].iter().any(|start| line.starts_with(start))
}

fn edge(line: &str) -> Option<Edge> {
    let (ends, label) = line.trim_end().strip_suffix(';')?.split_once(':')?;
    let (source, target) = ends.split_once(',')?;
    let text = |part: &str| part.trim().to_owned();
    Some(Edge { source: text(source), target: text(target), label: text(label) })
}

struct Inflater {
    choices: Choices,
    declarations: Vec<String>,
    edges: Vec<Edge>,
    fresh: usize,
}

/// A variable of a set type, that type, and a member of it.
struct Scalar {
    name: String,
    ty: String,
    member: String,
}

impl Inflater {
    fn below(&mut self, bound: usize) -> usize {
        self.choices.below(bound)
    }

    fn node(&mut self) -> String {
        self.fresh += 1;
        format!("i{}", self.fresh)
    }

    fn add(&mut self, source: &str, target: &str, label: &str) {
        self.edges.push(Edge { source: source.into(), target: target.into(), label: label.into() });
    }

    /// A variable that is declared with a set type of some name.
    fn scalar(&mut self) -> Option<Scalar> {
        let members = |ty: &str| -> Option<Vec<String>> {
            let start = format!("type {ty} = {{");
            let line = self.declarations.iter().find_map(|line| line.strip_prefix(start.as_str()))?;
            Some(line.trim_end_matches(['}', ';', ' ']).split(',').map(|name| name.trim().to_owned()).collect())
        };
        let scalar = |line: &String| {
            let (name, rest) = line.strip_prefix("var ")?.split_once(": ")?;
            let ty = rest.split_once(" = ")?.0;
            Some((name.to_owned(), ty.to_owned(), members(ty)?))
        };
        let scalars: Vec<_> = self.declarations.iter().filter_map(scalar).collect();
        if scalars.is_empty() {
            return None;
        }
        let at = self.below(scalars.len());
        let (name, ty, members) = scalars.get(at)?.clone();
        let at = self.below(members.len());
        Some(Scalar { name, ty, member: members.get(at)?.clone() })
    }

    fn step(&mut self) {
        if self.edges.is_empty() {
            return;
        }
        let at = self.below(self.edges.len());
        match self.below(9) {
            0 => self.skip(at),
            1 => self.twice(at),
            2 => self.contraries(at, false),
            3 => self.contraries(at, true),
            4 => self.copy_of_target(at),
            5 | 6 => self.detour(at),
            7 => self.check(at),
            _ => self.scratch(at),
        }
    }

    /// Splits an edge with a step that does nothing, before it or after it.
    fn skip(&mut self, at: usize) {
        let (node, before) = (self.node(), self.below(2) == 0);
        let Edge { source, target, label } = self.edges.swap_remove(at);
        // A play is over at `end` itself only, not a step before.
        let before = before || target == "end";
        let (first, second) = if before { (String::new(), label) } else { (label, String::new()) };
        self.add(&source, &node, &first);
        self.add(&node, &target, &second);
    }

    fn twice(&mut self, at: usize) {
        let copy = self.edges[at].clone();
        self.edges.push(copy);
    }

    /// Before an edge: a condition, or else its contrary; after it the walks meet at once, or (`late`) behind a copy of the
    /// edge.
    fn contraries(&mut self, at: usize, late: bool) {
        let Some(scalar) = self.scalar() else { return };
        let Edge { source, target, label } = self.edges.swap_remove(at);
        let (one, two) = (self.node(), self.node());
        let two = if late { two } else { one.clone() };
        self.add(&source, &one, &format!("{} == {}", scalar.name, scalar.member));
        self.add(&source, &two, &format!("{} != {}", scalar.name, scalar.member));
        self.add(&one, &target, &label);
        if late {
            self.add(&two, &target, &label);
        }
    }

    /// Leads an edge to a copy of its target.
    fn copy_of_target(&mut self, at: usize) {
        let target = self.edges[at].target.clone();
        // A check would notice that the walk does not come by the target any more.
        if target == "end" || self.edges.iter().any(|edge| edge.label.ends_with(&format!("-> {target}"))) {
            return;
        }
        let copy = self.node();
        let leaving: Vec<Edge> = self.edges.iter().filter(|edge| edge.source == target).cloned().collect();
        self.edges[at].target.clone_from(&copy);
        for edge in leaving {
            self.add(&copy, &edge.target, &edge.label);
        }
    }

    /// A new variable of the type, with the member as its value.
    fn variable(&mut self, ty: &str, member: &str) -> String {
        self.fresh += 1;
        let name = format!("w{}", self.fresh);
        self.declarations.push(format!("var {name}: {ty} = {member};"));
        name
    }

    /// Lets an edge read a copy of a variable instead of the variable.
    fn detour(&mut self, at: usize) {
        let Some(scalar) = self.scalar().filter(|scalar| scalar.name != "player") else { return };
        let Edge { source, target, label } = self.edges[at].clone();
        let root = label.split(|c: char| !c.is_alphanumeric() && c != '_').find(|word| !word.is_empty());
        let writes = label.contains(" = ") && root == Some(scalar.name.as_str());
        // The left side of an assignment may be a cast of the variable.
        if !words(&label).contains(&scalar.name.as_str()) || writes || label.contains(") = ") {
            return;
        }
        let copy = self.variable(&scalar.ty, &scalar.member);
        let replaced = replace_word(&label, &scalar.name, &copy);
        self.edges.swap_remove(at);
        let (one, two) = (self.node(), self.node());
        self.add(&source, &one, &format!("{copy} = {}", scalar.name));
        if label.starts_with("player = ") {
            self.add(&one, &target, &replaced);
            return;
        }
        self.add(&one, &two, &replaced);
        self.add(&two, &target, &format!("{copy} = {}", scalar.member));
    }

    /// Puts a comparison into a check of its own.
    fn check(&mut self, at: usize) {
        let label = self.edges[at].label.clone();
        let compares = label.contains(" == ") || label.contains(" != ");
        if !compares {
            return;
        }
        let (from, to) = (self.node(), self.node());
        let (sign, inner) = match self.below(2) {
            0 => ('?', label),
            _ if label.contains(" == ") => ('!', label.replace(" == ", " != ")),
            _ => ('!', label.replace(" != ", " == ")),
        };
        self.edges[at].label = format!("{sign} {from} -> {to}");
        self.add(&from, &to, &inner);
    }

    /// Writes a variable that nobody reads.
    fn scratch(&mut self, at: usize) {
        let Some(scalar) = self.scalar() else { return };
        let Edge { source, target, label } = self.edges.swap_remove(at);
        let (scratch, node) = (self.variable(&scalar.ty, &scalar.member), self.node());
        self.add(&source, &node, &format!("{scratch} = {}", scalar.name));
        self.add(&node, &target, &label);
    }
}

fn words(label: &str) -> Vec<&str> {
    label.split(|c: char| !c.is_alphanumeric() && c != '_').collect()
}

/// Replaces a word, but not parts of longer words.
fn replace_word(label: &str, old: &str, new: &str) -> String {
    let mut out = String::new();
    let mut word = String::new();
    for c in label.chars().chain([' ']) {
        if c.is_alphanumeric() || c == '_' {
            word.push(c);
            continue;
        }
        out.push_str(if word == old { new } else { &word });
        word.clear();
        out.push(c);
    }
    out.pop();
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use backend::{Engine, Reasoner, lockstep};

    /// It is larger, and the same game, as far as the first one is proper.
    #[test]
    fn inflated_games_are_equal() {
        let (mut larger, mut compared) = (0, 0);
        for seed in 0..150 {
            let small = crate::game(seed);
            let large = inflate(&small, seed, 8);
            let Some(game) = crate::parse(&small) else { continue };
            let other = crate::parse(&large).unwrap_or_else(|| unreachable!("seed {seed}:\n{large}"));
            larger += usize::from(other.automaton.edge_count() > game.automaton.edge_count());
            let limits = backend::Limits { steps: 20_000, keeper_moves: 12, tags: 8, ..Default::default() };
            let options = backend::Options { engine: Engine::Auto, checked: true, limits, ..Default::default() };
            let [a, b] = [&game, &other].map(|game| Reasoner::with_options(game, options).unwrap());
            let budget = lockstep::Budget { moves: 50, plays: 2, plies: 6, play_moves: 50, seed };
            // Variables that nobody needs may make a game ambiguous, so the larger one comes first.
            let found = lockstep::compare(&b, &a, &budget);
            assert!(found.is_none(), "seed {seed}: {}\n{small}\n\n{large}", found.unwrap());
            compared += usize::from(b.initial().is_ok());
        }
        assert!(larger > 130 && compared > 80, "{larger} {compared}");
    }

    #[test]
    fn words_are_replaced_whole() {
        assert_eq!(replace_word("v1 = v[v1][v12]", "v1", "w"), "w = v[w][v12]");
    }
}
