//! Loops that move a position by one distance, round after round: lines on a board.
//!
//! What such a loop comes to is computed without going round. From one position it is a look-up of the line and a search
//! for what blocks it; from a set, doubling: twice as many rounds with each step. See `docs/engine/techniques.md`,
//! *rays*.

use super::Lifter;
use super::build::Builder;
use super::explore::Exit;
use super::lane::{Generator, Lane, Store, Val};
use super::region::Region;
use super::sets::{Set, Targets, constant_words};
use rg_ir::NodeId;
use std::rc::Rc;
use wir::{Block, Inst, Op, Reg};

/// A loop of this kind.
pub(super) struct Line {
    /// Where a round can begin.
    pub(super) from: Set,
    /// Those of them from which it goes the distance.
    inner: Set,
    /// How far a round goes.
    pub(super) by: i64,
    /// Other places to which a round can lead, where it ends, and from where.
    pub(super) ends: Targets,
    /// Most rounds that are possible one after the other.
    rounds: u32,
}

impl Lifter<'_> {
    /// One round of a loop, if it is of this kind: `var` is a position, the lane's only thing that the loop changes.
    pub(super) fn line(&mut self, inside: &Rc<Region>, header: NodeId, lane: &Lane, var: usize) -> Option<Line> {
        let class = self.known.numbers.vars.get(rg_ir::ids::Id::from_index(var))?.as_ref().ok()?.class;
        let size = self.known.numbers.size(class);
        let words = super::sets::words(size);
        if !inside.is_acyclic() {
            return None;
        }
        let id = self.fresh_generator();
        let full = self.function.builder.constant_set(words, 0..size);
        let mut general = lane.clone();
        general.facts.clear();
        general.origins.clear();
        general.guard = self.function.builder.constant(1);
        general.generator = Some(Generator { id, set: full });
        *general.vars.get_mut(var)? = Store::Scalar(Val::Gen((0..words as u32 * 64).collect()));
        self.open();
        let exits = self.explore(inside, vec![(header, general.clone())]);
        let block = self.close(Vec::new());
        let mut back = exits.ok()?.into_iter().filter(|(exit, _)| *exit == Exit::Back).map(|(_, lane)| lane);
        let (mut round, None) = (back.next()?, back.next()) else { return None };
        self.bury(&mut round, header);
        let generator = round.generator.as_ref().filter(|generator| generator.id == id)?;
        let from = generator.set.clone();
        let Some(Store::Scalar(Val::Gen(map))) = round.vars.get(var).cloned() else { return None };
        let possible: Vec<u64> = from.iter().map(|&word| self.function.builder.possible_bits(word)).collect();
        let may = |x: usize| x < size && possible.get(x / 64).is_some_and(|word| word >> (x % 64) & 1 == 1);
        let (by, ends) = Builder::distance(&map, may, size)?;
        // The longest line on which rounds can follow each other.
        let (mut rounds, mut lines) = (0, vec![0u32; size]);
        let order: Vec<usize> = if by > 0 { (0..size).collect() } else { (0..size).rev().collect() };
        let moves = |x: usize| may(x) && map.get(x).is_some_and(|&y| i64::from(y) - x as i64 == by);
        for x in order.into_iter().filter(|&x| moves(x)) {
            let steps = lines.get(x).map_or(1, |steps| steps + 1);
            rounds = rounds.max(steps);
            if let Some(next) = x.checked_add_signed(by as isize).and_then(|next| lines.get_mut(next)) {
                *next = steps;
            }
        }
        if !only_computes(&block) {
            return None;
        }
        self.function.builder.splice(block);
        // What stays where it is needs no round.
        let stays = (0..size).filter(|&x| map.get(x).is_some_and(|&y| y as usize == x));
        let outside: Vec<usize> = ends.iter().flat_map(|(_, elements)| elements).copied().chain(stays).collect();
        let outside = self.function.builder.constant_set(words, outside);
        Some(Line { inner: self.function.builder.minus(&from, &outside), from, by, ends, rounds })
    }

    /// All positions to which some rounds take a set, those of no round included.
    pub(super) fn filled(&mut self, line: &Line, start: &Set) -> Set {
        // A round is `shift(set, by)` where `allowed`.
        let allowed = self.function.builder.shifted(&line.inner, line.by);
        let all = self.doubled(start, allowed, line.by, line.rounds);
        self.ended_at(line, all)
    }

    /// With the places where rounds end that begin in a set.
    fn ended_at(&mut self, line: &Line, mut all: Set) -> Set {
        let words = all.len();
        let from = self.function.builder.both(&all, &line.from);
        for (target, elements) in &line.ends {
            let elements = self.function.builder.constant_set(words, elements.iter().copied());
            let there = self.function.builder.both(&from, &elements);
            let there = self.is_any(&there);
            let target = self.function.builder.constant_set(words, [*target]);
            let target = self.function.builder.when(there, &target);
            all = self.function.builder.either(&all, &target);
        }
        all
    }

    /// All positions from which some rounds lead to a set, those of no round included.
    pub(super) fn gathered(&mut self, line: &Line, end: &Set, size: usize) -> Set {
        let words = end.len();
        let mut all = end.clone();
        for (target, elements) in &line.ends {
            let target = self.function.builder.constant(*target as u64);
            let here = self.function.builder.contains(end, target, size);
            let elements = self.function.builder.constant_set(words, elements.iter().copied());
            let elements = self.function.builder.both(&elements, &line.from);
            let elements = self.function.builder.when(here, &elements);
            all = self.function.builder.either(&all, &elements);
        }
        self.doubled(&all, line.inner.clone(), -line.by, line.rounds)
    }

    fn doubled(&mut self, start: &Set, mut allowed: Set, by: i64, rounds: u32) -> Set {
        let (mut all, mut done, mut by) = (start.clone(), 0, by);
        while done < rounds {
            let moved = self.function.builder.shifted(&all, by);
            let moved = self.function.builder.both(&moved, &allowed);
            all = self.function.builder.either(&all, &moved);
            done = 2 * done + 1;
            if done < rounds {
                let further = self.function.builder.shifted(&allowed, by);
                allowed = self.function.builder.both(&allowed, &further);
                by *= 2;
            }
        }
        all
    }

    /// As [`Lifter::filled`] from the position in a register, a number below `size`.
    pub(super) fn ray(&mut self, line: &Line, size: usize, start: Reg) -> Set {
        let rays = self.rays(line, size);
        let rays = self.masks_of(&rays, start, line.from.len());
        self.blocked(line, &rays)
    }

    /// As [`Lifter::filled`] from a position that tables tell by the value of a register; `None` if they do not, or if
    /// they tell of several positions.
    pub(super) fn ray_of_entry(&mut self, line: &Line, size: usize, start: &Set) -> Option<Set> {
        let words = line.from.len();
        let mut entry: Option<(Reg, Vec<Option<usize>>)> = None;
        for (i, &word) in start.iter().enumerate() {
            if self.function.builder.constant_of(word) == Some(0) {
                continue;
            }
            let Some(Op::Table(table, index)) = self.function.builder.op_of(word) else { return None };
            let (known, positions) = entry.get_or_insert((index, Vec::new()));
            let entries = self.tables.read(table, <[u64]>::to_vec)?;
            if positions.is_empty() {
                positions.resize(entries.len(), None);
            }
            if *known != index || positions.len() != entries.len() {
                return None;
            }
            for (position, bits) in positions.iter_mut().zip(entries) {
                if bits.count_ones() + u32::from(bits != 0 && position.is_some()) > 1 {
                    return None;
                }
                if bits != 0 {
                    *position = Some(64 * i + bits.trailing_zeros() as usize);
                }
            }
        }
        let (index, positions) = entry?;
        let rays = self.rays(line, size);
        let word = |position: &Option<usize>, i: usize| {
            let ray = position.and_then(|position| rays.get(position));
            ray.and_then(|ray| ray.get(i)).copied().unwrap_or(0)
        };
        let ahead = |i: usize| positions.iter().map(|position| word(position, i)).collect();
        let ahead = (0..words).map(|i| self.function.builder.looked_up(ahead(i), index)).collect();
        Some(self.blocked(line, &ahead))
    }

    /// By position: itself and those ahead of it on a line, blocked or not.
    pub(super) fn rays(&self, line: &Line, size: usize) -> Vec<Vec<u64>> {
        let possible: Vec<u64> = line.inner.iter().map(|&word| self.function.builder.possible_bits(word)).collect();
        let may = |x: usize| possible.get(x / 64).is_some_and(|word| word >> (x % 64) & 1 == 1);
        let next = |&x: &usize| if may(x) { x.checked_add_signed(line.by as isize) } else { None };
        let ray = |x| constant_words(line.from.len(), std::iter::successors(Some(x), next));
        (0..size).map(ray).collect()
    }

    /// What is reached of the positions of a ray.
    fn blocked(&mut self, line: &Line, rays: &Set) -> Set {
        // Places outside are the last ones of their rays anyway.
        let last = self.function.builder.minus(rays, &line.from);
        let up_to_last = if line.by > 0 { self.up_to_lowest(&last) } else { self.down_to_highest(&last) };
        let reached = self.function.builder.both(rays, &up_to_last);
        self.ended_at(line, reached)
    }

    /// All numbers up to the least of a set; if it is empty, all.
    fn up_to_lowest(&mut self, set: &Set) -> Set {
        let (zero, mut none) = (self.function.builder.constant(0), self.function.builder.constant(1));
        let mut masks = Vec::with_capacity(set.len());
        for &word in set.iter() {
            // These are the bits that taking away 1 changes; taking away 0 changes none.
            let less = self.function.builder.op(Op::Sub(word, none));
            masks.push(self.function.builder.op(Op::Xor(word, less)));
            let empty = self.function.builder.op(Op::Eq(word, zero));
            none = self.function.builder.and(empty, none);
        }
        masks.into()
    }

    /// All numbers from the greatest of a set on; if it is empty, all.
    fn down_to_highest(&mut self, set: &Set) -> Set {
        // A word without bits has its highest one at 64.
        let from = (0..128).map(|highest| match highest {
            0..64 => u64::MAX << highest,
            64 => u64::MAX,
            _ => 0,
        });
        let from = self.tables.number(from.collect());
        let (zero, mut none) = (self.function.builder.constant(0), self.function.builder.constant(1));
        let mut masks = Vec::with_capacity(set.len());
        for &word in set.iter().rev() {
            let highest = self.function.builder.op(Op::Highest(word));
            let mask = self.function.builder.op(Op::Table(from, highest));
            let open = self.function.builder.splat(none);
            masks.push(self.function.builder.and(mask, open));
            let empty = self.function.builder.op(Op::Eq(word, zero));
            none = self.function.builder.and(empty, none);
        }
        masks.reverse();
        masks.into()
    }
}

/// Whether a block does nothing but compute.
pub(super) fn only_computes(block: &Block) -> bool {
    block.insts.iter().all(|inst| match inst {
        Inst::Let { .. } | Inst::Call { .. } => true,
        Inst::If { then, other, .. } => only_computes(then) && only_computes(other),
        Inst::Switch { cases, .. } => cases.iter().all(only_computes),
        Inst::Each { body, .. } | Inst::Loop { body, .. } => only_computes(body),
        Inst::Peek { .. }
        | Inst::Poke { .. }
        | Inst::Store { .. }
        | Inst::Emit { .. }
        | Inst::EmitSet { .. }
        | Inst::SideExit { .. } => false,
    })
}
