//! One walk along a line on a board of more than one word: how far it gets is a look-up of the line and a search for the
//! first place that stops it. See `docs/engine/techniques.md`, *rays*.

use super::Lifter;
use super::explore::Exit;
use super::lane::{Lane, Store, Val};
use super::region::{Goal, Region};
use rg_ir::NodeId;
use std::rc::Rc;
use wir::Reg;

/// Most words of a board; on larger ones lines are long, too.
const MAX_WORDS: usize = 8;
/// How many operations there may be between a place and a test of it.
const MAX_OPERATIONS: u32 = 8;

impl Lifter<'_> {
    /// How the only walk in a lane, which is at `place`, leaves a loop that takes it along a line: where it cannot go round
    /// again, since it never can do both. `None` if this is no such loop.
    pub(super) fn furthest(
        &mut self,
        inside: &Rc<Region>,
        header: NodeId,
        lane: &Lane,
        var: usize,
        place: Reg,
    ) -> Option<Vec<(Exit, Lane)>> {
        if inside.goal == Goal::Moves || !self.leaves_or_goes_round(inside, header, lane, var) {
            return None;
        }
        self.attempt(|lifter| {
            let rebased = lifter.rebased(lane, var).ok_or(())?;
            let line = lifter.line(inside, header, &rebased, var).filter(|line| line.ends.is_empty()).ok_or(())?;
            let words = line.from.len();
            if words > MAX_WORDS {
                return Err(());
            }
            let size = 64 * words;
            let rays = lifter.rays(&line, size);
            let possible: Vec<u64> =
                line.from.iter().map(|&word| lifter.function.builder.possible_bits(word)).collect();
            // Every line ends somewhere, unless it comes back.
            let sure = rays.iter().all(|ray| ray.iter().zip(&possible).any(|(ray, possible)| ray & !possible != 0));
            let ahead = lifter.masks_of(&rays, place, words);
            let stops = lifter.function.builder.minus(&ahead, &line.from);
            let last = if line.by > 0 {
                lifter.function.builder.lowest(&stops)
            } else {
                lifter.function.builder.highest(&stops)
            };
            let mut lane = lane.clone();
            if !sure {
                let any = lifter.is_any(&stops);
                lane.guard = lifter.function.builder.and(lane.guard, any);
            }
            *lane.vars.get_mut(var).ok_or(())? = Store::Scalar(Val::Reg(last));
            // What a round asks of this place first of all is answered here: it stops.
            let untested = Lane { facts: Vec::new(), tested: Vec::new(), ..lane.clone() };
            let tried = lifter.explore(inside, vec![(header, untested)]).map_err(drop)?;
            let mut rounds = tried.iter().filter(|(exit, _)| *exit == Exit::Back);
            if let (Some((_, round)), None) = (rounds.next(), rounds.next())
                && let [(test, false)] = round.tested[..]
                && lifter.function.builder.depends(test, last, MAX_OPERATIONS)
            {
                lifter.function.builder.bound(test, 0);
            }
            lifter.left(inside, header, lane).map_err(drop)
        })
        .ok()
    }

    /// Whether a walk at the header of a loop that only moves a position can either leave it or go round, never both.
    fn leaves_or_goes_round(&mut self, inside: &Rc<Region>, header: NodeId, lane: &Lane, var: usize) -> bool {
        let depth = self.function.builder.depth();
        self.open();
        let place = self.function.builder.fresh();
        let mut round = lane.clone();
        round.guard = self.function.builder.constant(1);
        (round.facts, round.origins, round.tested, round.written) = Default::default();
        if let Some(slot) = round.vars.get_mut(var) {
            *slot = Store::Scalar(Val::Reg(place));
        }
        let exits = self.unrecorded(|lifter| lifter.explore(inside, vec![(header, round)]));
        self.function.builder.unwind(depth);
        self.forget_closed();
        let Ok(exits) = exits else { return false };
        let (back, out): (Vec<_>, Vec<_>) = exits.into_iter().partition(|(exit, _)| *exit == Exit::Back);
        let exclusive = |a: &Lane, b: &Lane| a.excludes(b) || a.began_otherwise(b);
        back.iter().all(|(_, round)| round.generator.is_none() && out.iter().all(|(_, out)| exclusive(round, out)))
    }
}
