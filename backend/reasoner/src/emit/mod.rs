//! Games as source text: a Rust module, or a C++ header, that needs nothing else.
//!
//! The text is the lifted program of the game ([`lower`]), decisions that are searches included, with a small frame around it: states are
//! arrays of words, moves are words. It lists moves in the order of the engines that run the same program, so that equal seeds give
//! equal playouts. Where such a program takes a side exit, the text reports an error, since there is no other engine in it.

mod code;
mod data;
mod labels;
mod plan;
mod plays;

use code::Role;
use data::{Data, quoted};
use engine::Limits;
use engine::limits::MAX_PERFT_DEPTH;
use lower::{PART_SHIFT, TEMPLATE_SHIFT};
use plan::Plan;
use rg_ir::Game;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::fmt::Write as _;
use wir::FnId;
use wir::calls::called;

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
            let frame = frame.replace("@PLIES@", &plays::plies(&plan));
            let headers = ["array", "cstddef", "cstdint", "map", "stdexcept", "string", "vector"];
            let includes: String = headers.iter().map(|header| format!("#include <{header}>\n")).collect();
            let includes = includes + "#if defined(__AVX512VBMI2__)\n#include <immintrin.h>\n#endif\n";
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
        .replace("@PART_SHIFT@", &PART_SHIFT.to_string())
        .replace("@LABEL_TAGS@", &plan.tag_width.part().to_string())
        .replace("@TAG_BITS@", &plan.tag_width.bits().to_string())
        .replace("@PLAYERS@", &Data::list(target, &plan.players))
        .replace("@SCORES@", &Data::list(target, &plan.scores))
}

/// All functions, and those that choose one by the node of the state.
fn functions(target: Target, plan: &Plan) -> String {
    let roles = roles(target, plan);
    let mut text = scratch(target, plan);
    if target == Target::Cpp {
        // Procedures may call each other in circles.
        for (&number, &role) in roles.iter().filter(|(_, role)| matches!(role, Role::Procedure | Role::Pure)) {
            let _ = writeln!(text, "{};", code::head(target, &plan.program, (number, role)));
        }
    }
    text.extend(roles.iter().map(|(&number, &role)| code::function(target, &plan.program, (number, role))));
    for choice in &CHOICES {
        choice.write(target, plan, &mut text);
    }
    text
}

/// The functions that decisions need, those that are called included.
fn roles(target: Target, plan: &Plan) -> BTreeMap<FnId, Role> {
    let mut roles = BTreeMap::new();
    for decision in plan.stops.iter().filter_map(|stop| stop.decision.as_ref()) {
        roles.insert(decision.decide, Role::Decide);
        roles.insert(decision.apply, Role::Apply);
        if let Some(speculative) = decision.speculative.filter(|_| target == Target::Cpp) {
            roles.insert(speculative, Role::Apply);
        }
        if let Some(function) = decision.labels.function {
            roles.insert(function, Role::Label);
        }
    }
    let mut left: Vec<FnId> = roles.keys().copied().collect();
    while let Some(caller) = left.pop() {
        let Some(caller) = plan.program.functions.get(caller as usize) else { continue };
        for number in called(&caller.body) {
            let Some(function) = plan.program.functions.get(number as usize) else { continue };
            if let Entry::Vacant(entry) = roles.entry(number) {
                entry.insert(Role::of_called(function));
                left.push(number);
            }
        }
    }
    roles
}

/// Scratch memory, if the program has any: a copy for each thread.
fn scratch(target: Target, plan: &Plan) -> String {
    let words = plan.program.scratch_words;
    if words == 0 {
        return String::new();
    }
    match target {
        Target::Rust => format!(
            "/// Words of memory that searches need.\nconst SCRATCH: usize = {words};\n\nthread_local! {{\n    /// That memory.\n    \
             static MEMORY: std::cell::RefCell<Box<[u64; SCRATCH]>> = std::cell::RefCell::new(\n        vec![0; \
             SCRATCH].into_boxed_slice().try_into().expect(\"there are so many words\"),\n    );\n}}\n\n"
        ),
        Target::Cpp => format!(
            "/// Words of memory that searches need.\nconstexpr std::size_t SCRATCH = {words};\n\n/// That memory, of each \
             thread.\ninline u64* memory() {{\n    static thread_local std::vector<u64> words(SCRATCH);\n    return \
             words.data();\n}}\n\n"
        ),
    }
}

/// A function of the text that calls the one of a node's decision.
struct Choice {
    /// What it does, as documentation.
    what: &'static str,
    /// The head without the result, and the arguments of the functions, `{m}` for scratch memory, in Rust and in C++.
    rust: (&'static str, &'static str),
    cpp: (&'static str, &'static str),
    /// Result in Rust.
    result: &'static str,
    /// Which function of a decision it calls.
    of: fn(&plan::Decision) -> Option<FnId>,
}

const CHOICES: [Choice; 3] = [
    Choice {
        what: "Lists the legal moves at a node",
        rust: ("decide<S: Sink>(node: usize, s: &[u64; WORDS], out: &mut S)", "s, out{m}"),
        cpp: (
            "template <class S>\nbool decide(std::size_t node, const std::array<u64, WORDS>& s, S& out)",
            "s, out{m}",
        ),
        result: "()",
        of: |decision| Some(decision.decide),
    },
    Choice {
        what: "Makes a move of a node",
        rust: ("apply(node: usize, s: &mut [u64; WORDS], word: u64)", "s{m}, word"),
        cpp: ("inline bool apply(std::size_t node, std::array<u64, WORDS>& s, u64 word)", "s{m}, word"),
        result: "()",
        of: |decision| Some(decision.apply),
    },
    Choice {
        what: "Reads a part of the label of a move of a node",
        rust: ("label(node: usize, s: &[u64; WORDS], word: u64)", "s{m}, word"),
        cpp: (
            "inline bool label(std::size_t node, const std::array<u64, WORDS>& s, u64 word, u64& result)",
            "s{m}, word, result",
        ),
        result: "u64",
        of: |decision| decision.labels.function,
    },
];

impl Choice {
    fn write(&self, target: Target, plan: &Plan, text: &mut String) {
        let memory = plan.program.scratch_words > 0;
        let with = |arguments: &str, name: &str| {
            arguments.replace("{m}", &if memory { format!(", {name}") } else { String::new() })
        };
        let cases = plan.stops.iter().enumerate().filter_map(|(number, stop)| {
            let function = (self.of)(stop.decision.as_ref()?)?;
            Some(match target {
                Target::Rust => format!("        {number} => f{function}({}),\n", with(self.rust.1, "m")),
                Target::Cpp => {
                    format!("        case {number}: return f{function}({});\n", with(self.cpp.1, "memory()"))
                }
            })
        });
        let cases: String = cases.collect();
        let (what, result) = (self.what, self.result);
        let _ = match target {
            Target::Rust => {
                let (before, behind) = match memory && !cases.is_empty() {
                    true => ("MEMORY.with_borrow_mut(|m| ", ")"),
                    false => ("", ""),
                };
                writeln!(
                    text,
                    "/// {what}; `None` if the code has no answer.\n#[allow(unused_variables)]\nfn {} -> Option<{result}> {{\n    \
                     {before}match node {{\n{cases}        _ => None,\n    }}{behind}\n}}\n",
                    self.rust.0
                )
            }
            Target::Cpp => {
                let unused = if cases.is_empty() { "(void)s; (void)word; (void)result;\n    " } else { "" };
                writeln!(
                    text,
                    "/// {what}; false if the code has no answer.\n{} {{\n    {unused}switch (node) {{\n{cases}        default: \
                     return false;\n    }}\n}}\n",
                    self.cpp.0
                )
            }
        };
    }
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
