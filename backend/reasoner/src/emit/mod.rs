//! Games as source text: a Rust module, or a C++ header, that needs nothing else.
//!
//! The text is the lifted program of the game ([`lower`]) with a small frame around it: states are arrays of words,
//! moves are words. It lists moves in the order of the engines that run the same program, so that equal seeds give equal
//! playouts. Where such a program would give a case back to the backtracking engine, the text reports an error, since
//! there is no such engine in it.

mod code;
mod data;
mod plan;

use data::{Data, quoted};
use engine::Limits;
use engine::limits::MAX_PERFT_DEPTH;
use lower::TEMPLATE_SHIFT;
use plan::{Plan, Stop};
use rg_ir::Game;
use std::fmt::Write as _;

/// The language of a source text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Target {
    /// A module that uses the standard library only, without `unsafe`.
    Rust,
    /// A header in C++17.
    Cpp,
}

impl Target {
    /// All languages by name.
    pub const ALL: &[(&'static str, Target)] = &[("rust", Target::Rust), ("cpp", Target::Cpp)];
}

/// The source text of a game called `name`.
///
/// # Errors
/// Why there is none: a line for every decision that is not lifted, or for what else is in the way.
pub fn emit(game: &Game, name: &str, target: Target) -> Result<String, String> {
    let plan = Plan::new(game)?;
    let data = Data::of(target, &plan);
    let code = functions(target, &plan);
    Ok(match target {
        Target::Rust => {
            let frame = filled(target, &plan, include_str!("runtime.rs.in"));
            let head = "// Made by `rgc compile --emit rust`; to be used as a module of its own.\n";
            format!("//! The game {}: its forward model.\n{head}\n{frame}{data}{code}", quoted(target, name))
        }
        Target::Cpp => {
            let frame = filled(target, &plan, include_str!("runtime.hpp.in")).replace("@CODE@", &(data + &code));
            let space = format!("rgc_{}", identifier(name));
            let guard = format!("{}_HPP", space.to_ascii_uppercase());
            let includes: String = ["array", "cstddef", "cstdint", "stdexcept", "string", "vector"]
                .iter()
                .map(|header| format!("#include <{header}>\n"))
                .collect();
            format!(
                "// The game {}: its forward model. Made by `rgc compile --emit cpp`; needs C++17.\n#ifndef {guard}\n#define \
                 {guard}\n\n{includes}\nnamespace {space} {{\n\n{frame}}}  // namespace {space}\n\n#endif\n",
                quoted(target, name)
            )
        }
    })
}

/// The frame with the numbers of a game.
fn filled(target: Target, plan: &Plan, frame: &str) -> String {
    frame
        .replace("@WORDS@", &plan.initial.len().to_string())
        .replace("@PLAYER_COUNT@", &plan.players.len().to_string())
        .replace("@SCORE_COUNT@", &plan.scores.len().to_string())
        .replace("@MAX_PLIES@", &Limits::default().plies.to_string())
        .replace("@MAX_DEPTH@", &MAX_PERFT_DEPTH.to_string())
        .replace("@KIND_SHIFT@", &TEMPLATE_SHIFT.to_string())
        .replace("@PLAYERS@", &Data::list(target, &plan.players))
        .replace("@SCORES@", &Data::list(target, &plan.scores))
}

/// All functions, and the two that choose one by the node of the state.
fn functions(target: Target, plan: &Plan) -> String {
    let mut text = String::new();
    for (number, function) in plan.program.functions.iter().enumerate() {
        // What the functions of the decisions call is a part of them.
        let belongs = |stop: &Stop| stop.functions.is_some_and(|(a, b)| [a, b].contains(&(number as u32)));
        if !plan.stops.iter().any(belongs) {
            continue;
        }
        text.push_str(&code::function(target, &plan.program, function, number));
    }
    let cases = |what: fn((u32, u32)) -> u32, arguments: &str| {
        let mut lines = String::new();
        for (number, stop) in plan.stops.iter().enumerate() {
            if let Some(functions) = stop.functions {
                let function = what(functions);
                let _ = match target {
                    Target::Rust => writeln!(lines, "        {number} => f{function}({arguments}),"),
                    Target::Cpp => writeln!(lines, "        case {number}: return f{function}({arguments});"),
                };
            }
        }
        lines
    };
    let (decide, apply) = (cases(|(decide, _)| decide, "s, out"), cases(|(_, apply)| apply, "s, word"));
    let _ = match target {
        Target::Rust => write!(
            text,
            "/// The legal moves at a node; `None` if the code has no answer.\n\
             fn decide<S: Sink>(node: usize, s: &[u64; WORDS], out: &mut S) -> Option<()> {{\n    match node {{\n\
             {decide}        _ => None,\n    }}\n}}\n\n\
             /// Makes a move of a node; `None` if the code has no answer.\n\
             fn apply(node: usize, s: &mut [u64; WORDS], word: u64) -> Option<()> {{\n    match node {{\n\
             {apply}        _ => None,\n    }}\n}}\n"
        ),
        Target::Cpp => write!(
            text,
            "/// The legal moves at a node; false if the code has no answer.\n\
             template <class S>\nbool decide(std::size_t node, const std::array<u64, WORDS>& s, S& out) {{\n    \
             switch (node) {{\n{decide}        default: return false;\n    }}\n}}\n\n\
             /// Makes a move of a node; false if the code has no answer.\n\
             inline bool apply(std::size_t node, std::array<u64, WORDS>& s, u64 word) {{\n    \
             switch (node) {{\n{apply}        default: return false;\n    }}\n}}\n"
        ),
    };
    text
}

/// A name as an identifier, without its first letter being of any matter.
fn identifier(name: &str) -> String {
    let mut identifier = String::new();
    for c in name.chars() {
        let c = if c.is_ascii_alphanumeric() { c } else { '_' };
        // Names with two underscores in a row belong to the compiler.
        if c != '_' || !identifier.ends_with('_') {
            identifier.push(c);
        }
    }
    identifier.trim_matches('_').to_owned()
}
