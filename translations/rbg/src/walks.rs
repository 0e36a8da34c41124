//! The rules of pieces as macros: shifts, and what must be on the squares they lead to.

use crate::Game;
use sbg::ast::{Expr, ExprId, Moves, On, Rule, Step};
use std::collections::BTreeSet;

/// What the macro of a rule can ask its caller for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Parameter {
    /// The mover's pieces.
    Own,
    /// The other player's pieces.
    Theirs,
    /// Up for white, down for black.
    Forward,
    /// Down for white, up for black.
    Backward,
}

impl Parameter {
    fn name(self) -> &'static str {
        match self {
            Parameter::Own => "own",
            Parameter::Theirs => "theirs",
            Parameter::Forward => "forward",
            Parameter::Backward => "backward",
        }
    }
}

/// What the rule of a letter asks its callers for, in the order of the parameters of its macro. Linear in the rule.
pub(crate) fn parameters(moves: &Moves, rule: &Rule) -> BTreeSet<Parameter> {
    let mut found = BTreeSet::new();
    let mut todo = vec![rule.moves];
    while let Some(id) = todo.pop() {
        match moves.get(id) {
            Some(Expr::Step(step)) => found.extend(of_step(*step)),
            Some(Expr::Sum(parts) | Expr::Concat(parts)) => todo.extend(parts),
            Some(Expr::Power(_, 0)) | None => {}
            Some(Expr::Power(part, _) | Expr::Star(part)) => todo.push(*part),
        }
    }
    found
}

fn of_step(step: Step) -> impl Iterator<Item = Parameter> {
    let on = match step.on {
        On::Empty => None,
        On::Own => Some(Parameter::Own),
        On::Opponent => Some(Parameter::Theirs),
    };
    let direction = match step.dy {
        0 => None,
        1.. => Some(Parameter::Forward),
        _ => Some(Parameter::Backward),
    };
    on.into_iter().chain(direction)
}

/// The macros of all rules of pieces that can be on the board.
pub(crate) fn macros(game: &Game) -> String {
    let moves = &game.description.moves;
    let mut out = String::new();
    let present = |letter: char| game.letters.contains(&letter) || game.letters.contains(&letter.to_ascii_lowercase());
    for rule in game.description.rules.iter().filter(|rule| present(rule.letter)) {
        let names: Vec<&str> = parameters(moves, rule).into_iter().map(Parameter::name).collect();
        let head = if names.is_empty() { String::new() } else { format!("({})", names.join("; ")) };
        out.push_str(&format!("#walk{}{head} = ", rule.letter));
        write(moves, rule.moves, &mut out);
        out.push('\n');
    }
    if !out.is_empty() {
        out.insert_str(0, "// How each piece walks, square by square.\n");
        out.push('\n');
    }
    out
}

/// How tightly an expression must hold together where it stands.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Level {
    Sum,
    Factors,
    Atom,
}

enum Part {
    Expr(ExprId, Level),
    /// Steps to one square, with all that may be there.
    Steps(Vec<Step>, Level),
    Text(&'static str),
    Power(u32),
}

fn write(moves: &Moves, root: ExprId, out: &mut String) {
    let mut parts = vec![Part::Expr(root, Level::Sum)];
    while let Some(part) = parts.pop() {
        match part {
            Part::Text(text) => out.push_str(text),
            Part::Power(count) => out.push_str(&format!("^{count}")),
            Part::Steps(steps, level) => {
                let text = square(&steps);
                out.push_str(&if level == Level::Atom { format!("({text})") } else { text });
            }
            Part::Expr(id, level) => expand(moves, id, level, &mut parts),
        }
    }
}

/// Replaces an expression by its parts; the first is written first.
fn expand(moves: &Moves, id: ExprId, level: Level, parts: &mut Vec<Part>) {
    let Some(expr) = moves.get(id) else { return };
    match expr {
        Expr::Step(step) => parts.push(Part::Steps(vec![*step], level)),
        Expr::Star(part) => {
            let inner = vec![Part::Expr(*part, Level::Atom), Part::Text("*")];
            enclose(inner, level == Level::Atom, parts);
        }
        Expr::Power(_, 0) => parts.push(Part::Text(".")),
        Expr::Power(part, 1) => parts.push(Part::Expr(*part, level)),
        Expr::Power(part, count) => {
            let inner = vec![Part::Expr(*part, Level::Atom), Part::Power(*count)];
            enclose(inner, level == Level::Atom, parts);
        }
        Expr::Concat(list) => {
            let mut inner = Vec::new();
            for (number, &part) in list.iter().enumerate() {
                if number > 0 {
                    inner.push(Part::Text(" "));
                }
                inner.push(Part::Expr(part, Level::Factors));
            }
            enclose(inner, level > Level::Factors, parts);
        }
        Expr::Sum(list) => {
            let mut inner = Vec::new();
            let alternatives = alternatives(moves, list);
            let several = alternatives.len() > 1;
            for (number, part) in alternatives.into_iter().enumerate() {
                if number > 0 {
                    inner.push(Part::Text(" + "));
                }
                inner.push(match part {
                    Part::Steps(steps, _) if !several => Part::Steps(steps, level),
                    part => part,
                });
            }
            enclose(inner, several && level > Level::Sum, parts);
        }
    }
}

fn enclose(mut inner: Vec<Part>, brackets: bool, parts: &mut Vec<Part>) {
    if brackets {
        inner.insert(0, Part::Text("("));
        inner.push(Part::Text(")"));
    }
    parts.extend(inner.into_iter().rev());
}

/// The alternatives of a sum, with the steps that lead to one square put together where the first of them stands.
fn alternatives(moves: &Moves, list: &[ExprId]) -> Vec<Part> {
    let mut out: Vec<Part> = Vec::new();
    for &id in list {
        let Some(&Expr::Step(step)) = moves.get(id) else {
            out.push(Part::Expr(id, Level::Sum));
            continue;
        };
        let same = out.iter_mut().find_map(|part| match part {
            Part::Steps(steps, _) => {
                steps.first().is_some_and(|first| (first.dx, first.dy) == (step.dx, step.dy)).then_some(steps)
            }
            _ => None,
        });
        match same {
            Some(steps) => steps.push(step),
            None => out.push(Part::Steps(vec![step], Level::Sum)),
        }
    }
    out
}

/// Shifts to a square, and what may be there. All steps lead to the same square.
fn square(steps: &[Step]) -> String {
    let mut words: Vec<String> = Vec::new();
    if let Some(step) = steps.first() {
        let vertical = if step.dy > 0 { "forward" } else { "backward" };
        let horizontal = if step.dx > 0 { "right" } else { "left" };
        words.extend(shift(vertical, step.dy.unsigned_abs()));
        words.extend(shift(horizontal, step.dx.unsigned_abs()));
    }
    let contents: BTreeSet<&str> = steps
        .iter()
        .map(|step| match step.on {
            On::Empty => "empty",
            On::Own => "own",
            On::Opponent => "theirs",
        })
        .collect();
    words.push(format!("{{{}}}", contents.into_iter().collect::<Vec<_>>().join(", ")));
    words.join(" ")
}

fn shift(direction: &str, squares: u32) -> Option<String> {
    match squares {
        0 => None,
        1 => Some(direction.to_owned()),
        _ => Some(format!("{direction}^{squares}")),
    }
}
