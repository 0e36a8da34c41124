//! Random plays in C++: each decision as a case of a loop that keeps the state in registers.

use super::plan::{Decision, Plan};
use std::fmt::Write as _;
use wir::uses::unconditional_emissions;

/// Most sets of moves of a decision that are written in bytes: which of them a move belongs to takes a comparison for each.
const MAX_PACKS: usize = 16;

/// The cases of a loop over plies, one for each decision whose moves all have labels of their own.
pub(super) fn plies(plan: &Plan) -> String {
    let speculates = plan.stops.iter().flat_map(|stop| &stop.decision).any(|decision| decision.speculative.is_some());
    let mut text = String::new();
    for (number, stop) in plan.stops.iter().enumerate() {
        if let Some(decision) = stop.decision.as_ref().filter(|decision| !decision.overlaps) {
            let _ = writeln!(text, "                case {number}: {{");
            for line in ply(plan, decision, speculates) {
                let _ = writeln!(text, "                    {line}");
            }
            let _ = writeln!(text, "                }}");
        }
    }
    text
}

/// Lists and counts the moves of a state, draws one and makes it. Breaks with everything as it was where that cannot be done here, or
/// the last move has to be made without speculation.
fn ply(plan: &Plan, decision: &Decision, speculates: bool) -> Vec<String> {
    let memory = if plan.program.scratch_words > 0 { ", detail::memory()" } else { "" };
    let Decision { decide, apply, speculative, passes, .. } = *decision;
    let function = plan.program.functions.get(decide as usize);
    let (mut lines, list) = match function.and_then(unconditional_emissions) {
        Some(sets @ 1..=MAX_PACKS) => {
            (vec![format!("detail::Room<{sets}> room;"), format!("detail::Packs<{sets}> list(room);")], "list")
        }
        _ => (vec!["buffer.clear();".to_owned()], "buffer"),
    };
    lines.push(format!("if (!detail::f{decide}(words, {list}{memory})) break;"));
    lines.push(format!("const u64 moves = {list}.size();"));
    lines.push("if (moves == 0) break;".to_owned());
    let checked = speculates && passes != 0;
    if checked {
        lines.push("const Rng undrawn = rng;".to_owned());
    }
    lines.push(format!("const u64 word = {list}.word(rng.below(static_cast<std::uint32_t>(moves)));"));
    if checked {
        lines.push("const u64 kind = word >> detail::KIND_SHIFT;".to_owned());
        lines.push(format!("if (speculative && ({passes:#x}ULL >> (kind < 63 ? kind : 63) & 1) != 0) {{"));
        lines.extend(["    rng = undrawn;", "    break;", "}"].map(str::to_owned));
    }
    let chance = plan.has_chance;
    if chance {
        lines.push("if (detail::TURNS[detail::MOVER.of(words)] != RANDOM) {".to_owned());
    }
    let counting = ["++plies;", "choices += moves;", "if (moves > most) most = moves;"];
    lines.extend(counting.iter().map(|line| format!("{}{line}", if chance { "    " } else { "" })));
    if chance {
        lines.push("}".to_owned());
    }
    if let Some(function) = speculative {
        lines.extend(["before = words;", "chosen = word;", "speculative = true;"].map(str::to_owned));
        lines.push(format!("if (!detail::f{function}(words{memory}, word)) break;"));
    } else {
        if speculates {
            lines.push("speculative = false;".to_owned());
        }
        lines.push(format!("if (!detail::f{apply}(words{memory}, word)) detail::stopped(node);"));
    }
    lines.push("continue;".to_owned());
    lines
}
