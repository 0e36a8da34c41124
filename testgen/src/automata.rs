//! Games of any size, for measurements: their automata have about as many edges as asked for, and a bit of everything.

use backend::Rng;
use std::fmt::Write;

/// A way to make a game with about so many edges.
pub type Make = fn(usize) -> String;

/// All kinds with their names.
pub const KINDS: [(&str, Make); 4] = [("chain", chain), ("grid", grid), ("random", random), ("checks", checks)];

const DECLARATIONS: &str = "\
type Player = { a, b };
type Score = { 0, 1 };
type Cell = { e, x, o };
type Board = Score -> Cell;
const other: Cell -> Cell = { :e, x: o, o: x };
var board: Board = { :e };
";

/// A few variables per thousand edges, as in real games.
fn declare(edges: usize) -> (String, usize) {
    let count = (edges / 500).clamp(4, 200);
    let mut text = DECLARATIONS.to_owned();
    for index in 0..count {
        let _ = writeln!(text, "var v{index}: Cell = e;");
    }
    // Nothing is known of the variables when the first move begins.
    let mut from = "begin".to_owned();
    for index in 0..count {
        let _ = writeln!(text, "{from}, any{index}: v{index} = Cell(*);\nany{index}, told{index}: $$ v{index};");
        from = format!("told{index}");
    }
    let _ = writeln!(text, "{from}, start: player = a;");
    (text, count)
}

/// A step of a chain, which nothing can bar.
fn step(rng: &mut Rng, vars: usize) -> String {
    loop {
        let label = label(rng, vars);
        if !label.contains("==") && !label.contains("!=") {
            return label;
        }
    }
}

/// A label that does not end a move.
fn label(rng: &mut Rng, vars: usize) -> String {
    let var = |rng: &mut Rng| format!("v{}", rng.below(u32::try_from(vars).unwrap_or(1)));
    let cell = |rng: &mut Rng| ["e", "x", "o"][rng.below(3) as usize];
    match rng.below(10) {
        0..3 => String::new(),
        3 | 4 => format!("{} == {}", var(rng), cell(rng)),
        5 => format!("{} != {}", var(rng), cell(rng)),
        6 => format!("{} = {}", var(rng), cell(rng)),
        7 => format!("{} = other[{}]", var(rng), var(rng)),
        8 => format!("board[{}] = {}", rng.below(2), var(rng)),
        _ => format!("$ t{}", rng.below(20)),
    }
}

/// One long move, step by step.
pub fn chain(edges: usize) -> String {
    let (mut text, vars) = declare(edges);
    let mut rng = Rng::new(1);
    let _ = writeln!(text, "start, n0: ;");
    for at in 0..edges {
        let _ = writeln!(text, "n{at}, n{}: {};", at + 1, step(&mut rng, vars));
    }
    let _ = writeln!(text, "n{edges}, end: player = keeper;");
    text
}

/// A grid of nodes, from each of which steps lead right and down; walks meet again and again.
pub fn grid(edges: usize) -> String {
    let (mut text, vars) = declare(edges);
    let mut rng = Rng::new(2);
    let side = (edges as f64 / 2.0).sqrt().ceil().max(1.0) as usize;
    let _ = writeln!(text, "start, n0_0: ;");
    for row in 0..=side {
        for column in 0..=side {
            if column < side {
                let _ = writeln!(text, "n{row}_{column}, n{row}_{}: {};", column + 1, label(&mut rng, vars));
            }
            if row < side {
                let _ = writeln!(text, "n{row}_{column}, n{}_{column}: {};", row + 1, label(&mut rng, vars));
            }
        }
    }
    let _ = writeln!(text, "n{side}_{side}, end: player = keeper;");
    text
}

/// Steps from anywhere to anywhere, mostly forward and not far; every twentieth one ends a move.
pub fn random(edges: usize) -> String {
    let (mut text, vars) = declare(edges);
    let mut rng = Rng::new(3);
    let nodes = (edges / 2).max(2);
    let _ = writeln!(text, "start, n0: ;");
    for at in 0..edges {
        let source = at % nodes;
        let target = match rng.below(20) {
            0 => rng.below(u32::try_from(nodes).unwrap_or(u32::MAX)) as usize,
            _ => (source + 1 + rng.below(8) as usize) % nodes,
        };
        // A tag from a node to itself would be an error.
        let target = if target == source { (target + 1) % nodes } else { target };
        let label = match rng.below(20) {
            0 => format!("player = {}", ["a", "b"][rng.below(2) as usize]),
            _ => label(&mut rng, vars),
        };
        let _ = writeln!(text, "n{source}, n{target}: {label};");
    }
    // One of the last nodes is come by, whatever the others are.
    for node in nodes.saturating_sub(16)..nodes {
        let _ = writeln!(text, "n{node}, end: player = keeper;");
    }
    text
}

/// Many choices with equal or contrary conditions, each in checks of their own, and several ways to the same place.
pub fn checks(edges: usize) -> String {
    let (mut text, vars) = declare(edges);
    let mut rng = Rng::new(4);
    let _ = writeln!(text, "start, n0: ;");
    let parts = edges / 8;
    for at in 0..parts {
        let var = rng.below(u32::try_from(vars).unwrap_or(1));
        let next = at + 1;
        let _ = writeln!(text, "n{at}, y{at}: ? c{at} -> d{at};\nn{at}, z{at}: ! c{at} -> d{at};");
        let _ = writeln!(text, "c{at}, s{at}: v{var} == x;\ns{at}, d{at}: ;");
        let _ = writeln!(text, "y{at}, p{at}: {};\nz{at}, p{at}: {0};", label(&mut rng, vars));
        let _ = writeln!(text, "p{at}, q{at}: v{var} == e;\np{at}, n{next}: v{var} != e;\nq{at}, n{next}: ;");
    }
    let _ = writeln!(text, "n{parts}, end: player = keeper;");
    text
}

#[cfg(test)]
mod tests {
    use super::KINDS;

    #[test]
    fn sizes_are_about_what_was_asked_for() {
        for (name, make) in KINDS {
            for edges in [10, 1_000, 5_000, 50_000, 200_000] {
                let game = crate::parse(&make(edges)).unwrap_or_else(|| unreachable!("{name} has errors"));
                let count = game.automaton.edge_count();
                assert!(count >= edges / 2 && count <= edges * 2 + 40, "{name}: {count} edges, not {edges}");
            }
        }
    }
}
