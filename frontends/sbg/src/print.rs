//! The canonical text of a description.

use crate::ast::{Description, Expr, ExprId, GoalKind, Moves};

/// Prints a description: sections in order, one rule and one goal per line, alternatives joined by ` + `, powers kept.
/// Reading the text again gives the same game. Linear; nothing recurses.
pub fn print(description: &Description) -> String {
    let mut out = format!("<<{}>>\n<BOARD>\n{} {}\n", description.name, description.width, description.height);
    for row in description.cells.chunks(description.width.max(1) as usize) {
        let cells: String = row.iter().map(|cell| cell.unwrap_or('.')).collect();
        out.push_str(&format!("|{cells}|\n"));
    }
    out.push_str("<PIECES>\n");
    for rule in &description.rules {
        out.push(rule.letter);
        out.push(' ');
        write(&description.moves, rule.moves, &mut out);
        out.push_str(" &\n");
    }
    out.push_str(&format!("<GOALS>\n{} &\n", description.limit));
    for goal in &description.goals {
        match &goal.kind {
            GoalKind::Count(count) => out.push_str(&format!("#{} {count} &\n", goal.letter)),
            GoalKind::Reach(squares) => {
                let squares: Vec<String> = squares.iter().map(|(s, _)| format!("{} {}", s.x, s.y)).collect();
                out.push_str(&format!("@{} {} &\n", goal.letter, squares.join(", ")));
            }
        }
    }
    out
}

/// How tightly an expression must hold together where it stands.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Level {
    Sum,
    Concat,
    Atom,
}

enum Part {
    Expr(ExprId, Level),
    Text(&'static str),
    Power(u32),
}

fn write(moves: &Moves, root: ExprId, out: &mut String) {
    let mut parts = vec![Part::Expr(root, Level::Sum)];
    while let Some(part) = parts.pop() {
        match part {
            Part::Text(text) => out.push_str(text),
            Part::Power(n) => out.push_str(&format!("^{n}")),
            Part::Expr(id, level) => expand(moves, id, level, out, &mut parts),
        }
    }
}

fn expand(moves: &Moves, id: ExprId, level: Level, out: &mut String, parts: &mut Vec<Part>) {
    let Some(expr) = moves.get(id) else { return };
    let own = match expr {
        Expr::Sum(_) => Level::Sum,
        Expr::Concat(_) | Expr::Power(..) | Expr::Star(_) => Level::Concat,
        Expr::Step(_) => Level::Atom,
    };
    if own < level {
        out.push('(');
        parts.push(Part::Text(")"));
    }
    match expr {
        Expr::Step(step) => out.push_str(&format!("({},{},{})", step.dx, step.dy, step.on.letter())),
        Expr::Power(part, n) => parts.extend([Part::Power(*n), Part::Expr(*part, Level::Atom)]),
        Expr::Star(part) => parts.extend([Part::Text("^*"), Part::Expr(*part, Level::Atom)]),
        Expr::Sum(list) => {
            for (i, &part) in list.iter().enumerate().rev() {
                parts.push(Part::Expr(part, Level::Sum));
                if i > 0 {
                    parts.push(Part::Text(" + "));
                }
            }
        }
        Expr::Concat(list) => parts.extend(list.iter().rev().map(|&part| Part::Expr(part, Level::Concat))),
    }
}
