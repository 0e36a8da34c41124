//! Ways that a check stops whatever they do: where it is known to hold, nobody need take them.
//!
//! If captures are compulsory, a search asks behind every other move whether there is a capture. All of these moves are alike
//! for that check, so that the first of them finds out what holds for all: the others need not be made at all.

use super::alike::alike;
use super::flow::{falls_through, target};
use super::translate::{Translator, field, memory};
use crate::program::{FAIL, Kinds, Op, Pc, Program};
use cranelift_codegen::ir::InstBuilder;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::I64;
use rustc_hash::{FxHashMap, FxHashSet};

/// Most operations that are looked at in one function.
const MAX_LOOKED_AT: usize = 1 << 16;
/// Most ways in one function that are looked at more closely.
const MAX_WAYS: usize = 64;

/// The operations that begin such ways, with the checks; `places`: by check, where the state is one that it cannot tell apart
/// from that in which the search began.
pub(super) fn doomed(
    program: &Program,
    kinds: &[Option<Kinds>],
    reached: &[Pc],
    places: &FxHashMap<u32, FxHashSet<Pc>>,
) -> FxHashMap<Pc, Vec<u32>> {
    let mut doomed: FxHashMap<Pc, Vec<u32>> = FxHashMap::default();
    let (mut left, mut ways) = (MAX_LOOKED_AT, MAX_WAYS);
    let mut checks: Vec<u32> = places.keys().copied().collect();
    checks.sort_unstable();
    for check in checks {
        let (Some(Some(kinds)), Some(places)) = (kinds.get(check as usize), places.get(&check)) else { continue };
        let mut stops = |from: Pc| {
            let anywhere = places.contains(&from) && stopped(program, check, from, &|_| true, &mut left);
            if !anywhere || ways == 0 {
                return false;
            }
            ways -= 1;
            let alike = alike(program, kinds, from);
            stopped(program, check, from, &|pc| alike.contains(&pc), &mut left)
        };
        for &pc in reached {
            let Some(&Op::Try(other)) = program.code.get(pc as usize) else { continue };
            let ways = [pc + 1, other].map(&mut stops);
            // Where both end, that was asked before.
            for (way, stops) in [pc + 1, other].into_iter().zip(ways) {
                if stops && ways.contains(&false) {
                    doomed.entry(way).or_default().push(check);
                }
            }
        }
    }
    doomed
}

/// Whether all ways from an operation on come to a check in a state alike to the one there, and end if it holds.
fn stopped(program: &Program, check: u32, from: Pc, alike: &dyn Fn(Pc) -> bool, left: &mut usize) -> bool {
    let (mut seen, mut open) = (FxHashSet::default(), vec![from]);
    while let Some(pc) = open.pop() {
        if !seen.insert(pc) {
            continue;
        }
        let (Some(&op), Some(less)) = (program.code.get(pc as usize), left.checked_sub(1)) else { return false };
        *left = less;
        match op {
            Op::Finish(_) | Op::FinishWith { .. } | Op::Accept => return false,
            Op::Reach { check: asked, negated, other, .. } if asked == check && alike(pc) => {
                open.extend(if negated { Some(other).filter(|&other| other != FAIL) } else { Some(pc + 1) });
            }
            _ => {
                open.extend(target(op));
                open.extend(falls_through(&op).then_some(pc + 1));
            }
        }
    }
    true
}

impl Translator<'_, '_> {
    /// Backtracks before an operation where a check that is known to hold stops all ways from here on.
    pub(super) fn stop(&mut self, pc: Pc) -> Result<(), String> {
        for check in self.doomed.get(&pc).cloned().unwrap_or_default() {
            let kept = self.context(field::KEPT);
            let offset = i32::try_from(check).map_err(|error| error.to_string())?;
            let answer = self.builder.ins().uload8(I64, memory(), kept, offset);
            let holds = self.builder.ins().icmp_imm_s(IntCC::Equal, answer, 1);
            let fails = self.failing();
            self.unless(holds, fails);
        }
        Ok(())
    }
}
