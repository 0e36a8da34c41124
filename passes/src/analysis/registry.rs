//! The table of analyses whose solutions can be shown.

use super::{Definition, Definitions, Facts, Known, Liveness, Ranges, Reached, Reaching, Values};
use fixedbitset::FixedBitSet;
use rg_ir::text::print_expr;
use rg_ir::{ExprId, Game, NodeId, Symbol};
use rustc_hash::FxHashMap;

/// What is known at a node, as a line of text; empty if nothing reaches it.
pub type Describe = Box<dyn Fn(NodeId) -> String>;

/// An analysis with a name, and a function that solves it for a game.
pub struct Described {
    /// Its name on the command line.
    pub name: &'static str,
    /// One line about what is shown at a node, without a full stop.
    pub summary: &'static str,
    /// Solves it; the result describes single nodes.
    pub solve: fn(&Game) -> Describe,
}

/// Most symbols of a set that are listed.
const MAX_LISTED: usize = 12;

static ANALYSES: &[Described] = &[
    Described { name: "live", summary: "variables whose value can still matter", solve: live },
    Described {
        name: "reaching",
        summary: "where the value of each variable was assigned, if in one place",
        solve: reaching,
    },
    Described { name: "constants", summary: "variables and cells with a known value", solve: constants },
    Described { name: "values", summary: "values that variables may have, where the type allows more", solve: values },
];

/// All analyses that can be shown.
pub fn registry() -> &'static [Described] {
    ANALYSES
}

/// The analysis of that name.
pub fn find(name: &str) -> Option<&'static Described> {
    ANALYSES.iter().find(|analysis| analysis.name == name)
}

/// The names of all variables by index, so that descriptions do not borrow the game.
fn names(game: &Game) -> Vec<String> {
    game.vars.values().map(|decl| game.name(decl.name).to_owned()).collect()
}

fn live(game: &Game) -> Describe {
    let (solution, names) = (Liveness::solve(game), names(game));
    Box::new(move |node| {
        let list = |set: &FixedBitSet| set.ones().filter_map(|at| names.get(at)).cloned().collect::<Vec<_>>().join(" ");
        solution.at(node).map_or(String::new(), list)
    })
}

fn reaching(game: &Game) -> Describe {
    let (solution, names) = (Reaching::solve(game), names(game));
    let ends = |edge: &rg_ir::Edge| format!("{}, {}", game.node_name(edge.source), game.node_name(edge.target));
    let edges: FxHashMap<_, _> = game.automaton.edges().map(|(id, edge)| (id, ends(edge))).collect();
    Box::new(move |node| {
        let one = |(name, definitions): (&String, &Definitions)| match definitions {
            Definitions::One(Definition::Edge(id)) => edges.get(id).map(|ends| format!("{name}: {ends}")),
            Definitions::One(Definition::Initial) | Definitions::Several => None,
        };
        let list = |reached: &Reached| names.iter().zip(reached.iter()).filter_map(one).collect::<Vec<_>>().join("; ");
        solution.at(node).map_or(String::new(), list)
    })
}

fn constants(game: &Game) -> Describe {
    let solution = Known::new(game).solve(game);
    let mut texts = FxHashMap::default();
    let mut symbols = FxHashMap::default();
    for &(expr, symbol) in game.automaton.nodes().filter_map(|node| solution.at(node)).flat_map(|facts| facts.iter()) {
        texts.entry(expr).or_insert_with(|| print_expr(game, expr));
        symbols.entry(symbol).or_insert_with(|| game.name(symbol).to_owned());
    }
    Box::new(move |node| {
        let one = |(expr, symbol): &(ExprId, Symbol)| Some(format!("{} == {}", texts.get(expr)?, symbols.get(symbol)?));
        let list = |facts: &Facts| facts.iter().filter_map(one).collect::<Vec<_>>().join("; ");
        solution.at(node).map_or(String::new(), list)
    })
}

fn values(game: &Game) -> Describe {
    let Some(solution) = Values::solve(game, &Ranges::solve(game)) else { return Box::new(|_| String::new()) };
    let mut texts: FxHashMap<NodeId, String> = FxHashMap::default();
    for node in game.automaton.nodes() {
        let one = |(var, decl): (_, &rg_ir::VarDecl)| {
            let values = solution.at(node, var)?;
            if values.is_empty() || values.len() >= game.types.members(decl.ty).len() {
                return None;
            }
            let shown: Vec<&str> = values.iter().take(MAX_LISTED).map(|&symbol| game.name(symbol)).collect();
            let more = if values.len() > MAX_LISTED { ", …" } else { "" };
            Some(format!("{}: {{ {}{more} }}", game.name(decl.name), shown.join(", ")))
        };
        texts.insert(node, game.vars.iter().filter_map(one).collect::<Vec<_>>().join("; "));
    }
    Box::new(move |node| texts.get(&node).cloned().unwrap_or_default())
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    const GAME: &str = "type Player = { a }; type Score = { 0, 1, 2 }; var v: Score = 0; var w: Score = 0; \
        begin, m: player = a; m, n: v = Score(*); n, o: w = 1; n, p: v != 2; \
        o, q: v == w; p, q: w = 1; q, r: $$ v; r, s: w == 1; s, end: player = keeper;";

    fn at(analysis: &str, node: &str) -> String {
        let mut game = rg_ir::text::parse(rg_ir::SourceId(0), GAME).0.unwrap();
        let node = game.symbols.intern(node);
        let node = game.find_node(node).unwrap();
        (find(analysis).unwrap().solve)(&game)(node)
    }

    #[test]
    fn solutions_are_described() {
        assert_eq!(at("live", "n"), "v goals");
        assert_eq!(at("live", "o"), "v w goals");
        assert_eq!(at("reaching", "n"), "v: m, n; player: begin, m");
        assert_eq!(at("reaching", "q"), "v: m, n; player: begin, m");
        assert_eq!(at("constants", "m"), "player == a; v == 0; w == 0");
        assert_eq!(at("constants", "q"), "player == a; w == 1");
        assert_eq!(at("values", "p"), "v: { 0, 1 }; player: { a }");
        assert_eq!(at("values", "q"), "v: { 0, 1 }; w: { 1 }; player: { a }");
    }
}
