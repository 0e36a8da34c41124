//! Nodes that need no mark although ways meet there, because the ways are few and never bring the same value.
//!
//! From the beginning of a scope, walks that only step one variable through constant maps are followed symbolically: a
//! walk is the composed map, from the variable's value where the walk began to its value now. If the maps of all walks
//! to a node differ wherever they are defined, then no two arrivals in one scope are equal. Loops that step until they
//! fall off the board are followed to their end, which also proves that they end.
//!
//! A value that both of two walks leave where it is, as the place beside the board, may be brought by both if it ends in this
//! scope: such a node is visited once per walk with it, and recording moves finds out that they were found before. Brought to
//! another scope, it would multiply the walks there, and so on.
//!
//! A choice (`pos = T(*)`) begins walks of its own: arrivals are then told apart per chosen value only, so a node may be
//! visited once per value instead of once. That costs at most the length of the walks, and never changes what is found.
//! Where such a value is forgotten (a constant or another choice is written) a mark must stand, else every further choice
//! would multiply the walks.

use super::layout::Layout;
use super::region::Region;
use super::step::{Step, Test};
use super::{Ex, FAIL, Op};
use std::rc::Rc;

/// Walks followed per beginning, in steps.
const MAX_STEPS: usize = 512;
/// Walks that may meet in a node, per beginning.
const MAX_WALKS: usize = 32;
/// Table look-ups for a whole region.
const MAX_WORK: usize = 20_000_000;

/// The choice of a walk that made none.
const NO_CHOICE: (usize, usize) = (usize::MAX, 0);

/// A symbolic walk.
#[derive(Clone)]
struct Walk {
    node: usize,
    /// The choice that the walk comes from, as node and number of the way; [`NO_CHOICE`] for the beginning of the scope.
    choice: (usize, usize),
    /// The stepped variable's cell, and per value at the beginning the value now ([`FAIL`]: no walk).
    map: Option<(u32, Rc<Vec<u32>>)>,
}

/// What reaches one node from one beginning.
#[derive(Default)]
struct Arrivals {
    walks: Vec<Walk>,
    /// Whether a walk that stands for one arrival per chosen value forgot that value on the way here.
    blurred: bool,
}

/// Finds nodes that need no mark.
pub(super) struct Distinct<'a> {
    region: &'a Region,
    layout: &'a Layout,
    exprs: &'a [Ex],
    work: usize,
}

impl<'a> Distinct<'a> {
    pub(super) fn new(region: &'a Region, layout: &'a Layout, exprs: &'a [Ex]) -> Self {
        Self { region, layout, exprs, work: 0 }
    }

    /// Per node, whether it is proved to need no mark.
    pub(super) fn proved(mut self) -> Vec<bool> {
        let count = self.region.nodes.len();
        let mut starts = vec![false; count];
        for start in starts.iter_mut().take(self.region.entries) {
            *start = true;
        }
        for (index, list) in self.region.alternatives.iter().enumerate() {
            for alternative in list {
                if alternative.target < count && self.region.opens(&alternative.step, index, alternative.target) {
                    starts[alternative.target] = true;
                }
            }
        }
        let (mut proved, mut given_up) = (vec![true; count], vec![false; count]);
        for start in (0..count).filter(|&index| starts[index]) {
            if !given_up[start] && self.follow(start, &mut proved).is_err() {
                self.give_up(start, &mut given_up);
            }
        }
        proved.iter().zip(given_up).map(|(&proved, given_up)| proved && !given_up).collect()
    }

    /// Follows all walks from the beginning of a scope.
    fn follow(&mut self, start: usize, proved: &mut [bool]) -> Result<(), Unknown> {
        let region = self.region;
        let mut arrivals: rustc_hash::FxHashMap<usize, Arrivals> = rustc_hash::FxHashMap::default();
        // By node from which other scopes begin: the walks there.
        let mut openings: rustc_hash::FxHashMap<usize, Vec<Walk>> = rustc_hash::FxHashMap::default();
        let mut stack = vec![(Walk { node: start, choice: NO_CHOICE, map: None }, false)];
        let mut steps = 0;
        while let Some((walk, blurred)) = stack.pop() {
            steps += 1;
            if steps > MAX_STEPS {
                return Err(Unknown);
            }
            let index = walk.node;
            if region.arrivals[index] > 1 || region.forgets[index].is_some() {
                let here = arrivals.entry(index).or_default();
                here.walks.push(walk.clone());
                here.blurred |= blurred;
                if here.walks.len() > MAX_WALKS {
                    return Err(Unknown);
                }
            }
            let mut opening = false;
            for (number, alternative) in region.alternatives[index].iter().enumerate() {
                let target = alternative.target;
                if self.work > MAX_WORK {
                    return Err(Unknown);
                }
                if target >= region.nodes.len() || self.region.opens(&alternative.step, index, target) {
                    opening |= target < region.nodes.len();
                    continue;
                }
                if let Some(next) = self.step(&walk, &alternative.step, (index, number))? {
                    let blurred = walk.choice != NO_CHOICE && region.forgets[target].is_some();
                    stack.push((Walk { node: target, ..next }, blurred));
                }
            }
            if opening {
                openings.entry(index).or_default().push(walk);
            }
        }
        // What stays where it is may be brought twice, unless it is brought to another scope: there it would be twice as many
        // again.
        let ends = openings.values().all(|walks| walks.len() <= MAX_WALKS && self.differ(walks, false));
        for (node, here) in arrivals {
            if proved[node] && (here.blurred || !self.differ(&here.walks, ends)) {
                proved[node] = false;
            }
        }
        Ok(())
    }

    /// Nothing is known of the nodes that the scope from `start` reaches. What follows a node that was given up before was given up with it,
    /// so all calls together are linear in the region.
    fn give_up(&self, start: usize, given_up: &mut [bool]) {
        let mut stack = vec![start];
        given_up[start] = true;
        while let Some(index) = stack.pop() {
            for alternative in &self.region.alternatives[index] {
                let target = alternative.target;
                if target < given_up.len()
                    && !self.region.opens(&alternative.step, index, target)
                    && !std::mem::replace(&mut given_up[target], true)
                {
                    stack.push(target);
                }
            }
        }
    }

    /// The walk after a step, `None` if there is none.
    fn step(&mut self, walk: &Walk, step: &Step, choice: (usize, usize)) -> Result<Option<Walk>, Unknown> {
        match *step {
            Step::Skip | Step::Tag(_) | Step::Test(Test::Equal { .. } | Test::Map { .. } | Test::Reach { .. }) => {
                Ok(Some(walk.clone()))
            }
            Step::Never | Step::Finish { .. } => Ok(None),
            Step::Test(Test::In { value, ref list, negated, .. }) => {
                let (slot, table) = match self.exprs.get(value as usize) {
                    Some(&Ex::Slot(slot)) => (slot, None),
                    Some(&Ex::Table { base, slot }) => (slot, Some(base)),
                    _ => return Ok(Some(walk.clone())),
                };
                let tables = &self.layout.tables;
                let holds = |now: u32| {
                    let seen = table.map_or(Some(now), |base| tables.get((base + now) as usize).copied());
                    seen.is_some_and(|seen| list.binary_search(&seen).is_ok() != negated)
                };
                self.mapped(walk, slot, |now| if holds(now) { now } else { FAIL })
            }
            Step::Write { op: Op::SetTable { slot, base, from }, scalar: true, .. } if slot == from => {
                let tables = &self.layout.tables;
                self.mapped(walk, slot, |now| tables.get((base + now) as usize).copied().unwrap_or(FAIL))
            }
            Step::Write { op: Op::SetConstant { slot, value }, scalar: true, .. } => self.mapped(walk, slot, |_| value),
            Step::Each { op: Op::Each { slot, low, high }, scalar: true, .. } => {
                if walk.map.as_ref().is_some_and(|(other, _)| *other != slot) {
                    return Err(Unknown);
                }
                let map = (0..high).map(|v| if v < low { FAIL } else { v }).collect();
                Ok(Some(Walk { node: walk.node, choice, map: Some((slot, Rc::new(map))) }))
            }
            Step::Write { .. } | Step::Each { .. } => Err(Unknown),
        }
    }

    /// The walk with its map followed by `f` on the cell `slot`.
    fn mapped(&mut self, walk: &Walk, slot: u32, f: impl Fn(u32) -> u32) -> Result<Option<Walk>, Unknown> {
        let before: Rc<Vec<u32>> = match &walk.map {
            Some((known, map)) if *known == slot => map.clone(),
            Some(_) => return Err(Unknown),
            None => {
                let field = self.layout.vars.values().find(|field| field.keys.is_empty() && field.offset == slot);
                let size = self.layout.classes.members(field.ok_or(Unknown)?.class).len() as u32;
                Rc::new((0..size).collect())
            }
        };
        self.work += before.len();
        let map: Vec<u32> = before.iter().map(|&now| if now == FAIL { FAIL } else { f(now) }).collect();
        if map.iter().all(|&now| now == FAIL) {
            return Ok(None);
        }
        Ok(Some(Walk { node: walk.node, choice: walk.choice, map: Some((slot, Rc::new(map))) }))
    }

    /// Whether no two of the walks can bring the same value, unless it is one that stays where it is, if those do not
    /// matter.
    fn differ(&mut self, walks: &[Walk], ends: bool) -> bool {
        let first = walks.first().map(|walk| walk.choice);
        if walks.iter().any(|walk| Some(walk.choice) != first) {
            return false;
        }
        for (i, a) in walks.iter().enumerate() {
            for b in walks.iter().skip(i + 1) {
                let (slot, length) = match (&a.map, &b.map) {
                    (Some((s, x)), Some((t, y))) if s == t => (*s, x.len().max(y.len())),
                    (Some((s, x)), None) | (None, Some((s, x))) => (*s, x.len()),
                    _ => return false,
                };
                self.work += length;
                let now = |walk: &Walk, at: usize| match &walk.map {
                    Some((known, map)) if *known == slot => map.get(at).copied().unwrap_or(FAIL),
                    _ => at as u32,
                };
                // What has left the board stays outside.
                let stays = |x: u32| now(a, x as usize) == x && now(b, x as usize) == x;
                let same = |at| {
                    let (x, y) = (now(a, at), now(b, at));
                    x == y && x != FAIL && !(ends && stays(x))
                };
                if (0..length).any(same) {
                    return false;
                }
            }
        }
        true
    }
}

/// The walk does something that is not followed.
struct Unknown;
