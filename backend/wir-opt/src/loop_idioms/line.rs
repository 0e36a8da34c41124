//! What kind of loop it is.

use super::round::Known;
use super::{Closing, NOWHERE, PLACES, closure};
use rustc_hash::FxHashMap;
use wir::{Block, Inst, Op, Reg};

/// What becomes of a carried value in a round.
pub(super) enum Change {
    /// It is the place.
    Place,
    /// The place is added to it.
    Joined,
    /// The place is taken away from it.
    Left,
    /// A number is added.
    Added(u64),
    /// It becomes an entry of this table.
    Looked(u32),
    /// It is not read in rounds.
    Unread,
}

/// A loop that can be closed.
pub(super) struct Line {
    /// The place of the first round.
    pub(super) start: Reg,
    /// What the round looks up by the place before: by place, if it only knows that one.
    pub(super) before: FxHashMap<Reg, Vec<u64>>,
    pub(super) changes: Vec<Change>,
    /// The registers of the body that are known.
    pub(super) known: FxHashMap<Reg, Option<Known>>,
    /// Where it goes on.
    pub(super) on: Reg,
    /// By place: those on the way from there, without the end.
    pub(super) ahead: Vec<u64>,
    /// The place from which no way leads on.
    pub(super) end: usize,
    /// What going on at the end would be: never, or if this bit of the set is there.
    pub(super) endless: bool,
    pub(super) upwards: bool,
    /// Most rounds that go on.
    pub(super) rounds: u64,
}

impl Closing<'_> {
    /// What a loop is, if one of its carried values is a place of this kind; or, with `ahead`, the place before the one at
    /// which a round looks.
    pub(super) fn line(
        &mut self,
        carried: &[(Reg, Reg)],
        body: &Block,
        moving: usize,
        ahead: bool,
        insts: &mut Vec<Inst>,
    ) -> Option<Line> {
        let (&on, next) = body.yields.split_first()?;
        let &(here, first) = carried.get(moving)?;
        let mut possible = self.values(first)?;
        // Which of the carried values can be a place is seen before anything is computed.
        let Some(&Op::Table(table, index)) = self.definitions.get(next.get(moving)?) else { return None };
        if index != here {
            return None;
        }
        let entries = &self.program.tables.get(table as usize)?.entries;
        let step = (0..PLACES).map(|x| entries.get(x & entries.len().wrapping_sub(1)).copied());
        let step = step.map(|next| next.map(|next| next as usize)).collect::<Option<Vec<usize>>>()?;
        let (mut start, mut before) = (first, FxHashMap::default());
        if ahead {
            closure(&mut possible, &step)?;
            before = self.by_next(body, here, &possible, &step)?;
            start = self.put(Op::Table(table, first), insts);
            let mut reached = vec![false; PLACES];
            for (_, &next) in possible.iter().zip(&step).filter(|(possible, _)| **possible) {
                *reached.get_mut(next)? = true;
            }
            possible = reached;
        }
        let here = (!ahead).then_some(here);
        let known = self.round(carried, body, here, &before, insts);
        let Some(Some(Known::Member { nowhere, .. })) = known.get(&on) else { return None };
        let ends_nowhere = *nowhere == Some(false);
        // From where rounds go on, and where the line ends.
        let mut step = step;
        if ends_nowhere {
            *step.get_mut(NOWHERE)? = NOWHERE;
        }
        closure(&mut possible, &step)?;
        let ends: Vec<usize> =
            (0..PLACES).filter(|&x| possible.get(x) == Some(&true) && step.get(x) == Some(&x)).collect();
        let (&end, []) = ends.split_first()? else { return None };
        let steps = (0..PLACES).filter(|&x| x != end && possible.get(x) == Some(&true));
        let steps: Vec<(usize, usize)> = steps.filter_map(|x| Some((x, *step.get(x)?))).collect();
        let upwards = steps.iter().all(|&(x, next)| next == end || next > x);
        if !upwards && !steps.iter().all(|&(x, next)| next == end || next < x) || steps.iter().any(|&(x, _)| x > 63) {
            return None;
        }
        let mut ahead = vec![0_u64; PLACES];
        let order: Vec<&(usize, usize)> = if upwards { steps.iter().rev().collect() } else { steps.iter().collect() };
        for &(x, next) in order {
            let rest = if next == end { 0 } else { *ahead.get(next)? };
            *ahead.get_mut(x)? = rest | 1 << x;
        }
        let rounds = ahead.iter().map(|places| places.count_ones()).max().unwrap_or(0);
        let passed = ahead.iter().fold(0, |all, places| all | places);
        let changes = self.changes(carried, body, moving, passed, &known)?;
        let endless = !(end == NOWHERE && ends_nowhere);
        Some(Line { start, before, changes, known, on, ahead, end, endless, upwards, rounds: rounds.into() })
    }

    /// What becomes of the carried values.
    fn changes(
        &self,
        carried: &[(Reg, Reg)],
        body: &Block,
        moving: usize,
        passed: u64,
        known: &FxHashMap<Reg, Option<Known>>,
    ) -> Option<Vec<Change>> {
        let next = body.yields.get(1..)?;
        let is_here = |register: Reg| match known.get(&register) {
            Some(Some(Known::Function(values))) => {
                values.iter().take(NOWHERE).enumerate().all(|(x, &value)| passed >> x & 1 == 0 || value == 1 << x)
            }
            _ => false,
        };
        let change = |(index, (&(param, _), next)): (usize, (&(Reg, Reg), &Reg))| {
            if index == moving {
                return Some(Change::Place);
            }
            let changed = match *self.definitions.get(next).unwrap_or(&Op::Const(0)) {
                Op::Or(a, b) if a == param && is_here(b) || b == param && is_here(a) => Some(Change::Joined),
                Op::AndNot(a, b) if a == param && is_here(b) => Some(Change::Left),
                Op::Add(a, b) if a == param => self.constant(b).map(Change::Added),
                Op::Add(a, b) if b == param => self.constant(a).map(Change::Added),
                Op::Table(table, index) if index == param => Some(Change::Looked(table)),
                _ => None,
            };
            changed.or_else(|| is_unread(body, param).then_some(Change::Unread))
        };
        carried.iter().zip(next).enumerate().map(change).collect()
    }
}

/// Whether nothing in a round reads a carried value.
fn is_unread(body: &Block, param: Reg) -> bool {
    body.insts.iter().all(|inst| match inst {
        Inst::Let { op, .. } => op.reads().all(|register| register != param),
        Inst::SideExit { cond } => *cond != param,
        _ => false,
    }) && body.yields.iter().all(|&register| register != param)
}
