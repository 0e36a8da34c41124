//! The automaton in terms of RBG: edges are whole actions, not yet RG labels.

use super::relation::RelId;
use crate::ast::{ArithId, Cell, Relation};
use rg_ir::Span;
use rustc_hash::FxHashSet;

/// A place of the draft.
pub(super) type Place = u32;

/// An action.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Step {
    /// Nothing.
    Skip,
    /// Go somewhere, by a relation that is neither empty nor the identity.
    Go(RelId),
    /// The current vertex holds a piece of this set (index into [`Draft::sets`]).
    On(u32),
    /// Put a piece.
    Off { piece: u32, index: u32 },
    /// Assign a value.
    Assign { target: Cell, value: ArithId, index: u32 },
    /// Compare.
    Compare { relation: Relation, left: ArithId, right: ArithId },
    /// Hand over. The target is where the play goes on.
    Switch { player: Option<u32>, index: u32 },
    /// Some walk leads from one place to another, or none.
    Check { negated: bool, from: Place, to: Place },
    /// An RG edge `player = …` without tags, for the ends of moves of our own making: `None` is the keeper.
    Hand(Option<u32>),
}

/// What kind of place it is; gives RG nodes their names.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    /// Named after what follows.
    Plain,
    /// The start of the play.
    Begin,
    /// The end of the play.
    End,
    /// Where a check starts.
    CheckStart,
    /// Where a check succeeds.
    CheckEnd,
    /// Where it is decided whether the play goes on.
    Decide,
    /// In the copy of the rules that tells whether a switch can be reached.
    Alive,
}

/// A place with its origin.
#[derive(Clone, Copy, Debug)]
pub(super) struct PlaceInfo {
    pub(super) kind: Kind,
    pub(super) span: Span,
}

/// An edge of the draft.
#[derive(Clone, Copy, Debug)]
pub(super) struct Arrow {
    pub(super) from: Place,
    pub(super) to: Place,
    pub(super) step: Step,
    pub(super) span: Span,
}

/// The automaton.
#[derive(Clone, Debug, Default)]
pub(super) struct Draft {
    pub(super) places: Vec<PlaceInfo>,
    pub(super) arrows: Vec<Arrow>,
    /// Piece sets of `On`: sorted indices of pieces.
    pub(super) sets: indexmap::IndexSet<Vec<u32>, rustc_hash::FxBuildHasher>,
    /// Number of pieces of the description.
    pub(super) all_pieces: usize,
}

/// The start of the play in every draft.
pub(super) const BEGIN: Place = 0;
/// The end of the play in every draft.
pub(super) const END: Place = 1;

/// Outgoing arrows by place, in order, as positions in [`Draft::arrows`].
pub(super) struct Outgoing {
    starts: Vec<u32>,
    items: Vec<u32>,
}

impl Outgoing {
    /// Positions of the arrows that leave `place`.
    pub(super) fn of(&self, place: Place) -> impl Iterator<Item = usize> + '_ {
        let start = self.starts.get(place as usize).copied().unwrap_or(0) as usize;
        let end = self.starts.get(place as usize + 1).copied().unwrap_or(0) as usize;
        self.items.get(start..end).unwrap_or(&[]).iter().map(|&i| i as usize)
    }
}

impl Draft {
    /// The two places that every play has.
    pub(super) fn new(all_pieces: usize) -> Self {
        let mut draft = Self { all_pieces, ..Self::default() };
        draft.place(Kind::Begin, Span::NONE);
        draft.place(Kind::End, Span::NONE);
        draft
    }

    /// Adds a place.
    pub(super) fn place(&mut self, kind: Kind, span: Span) -> Place {
        self.places.push(PlaceInfo { kind, span });
        u32::try_from(self.places.len() - 1).unwrap_or(u32::MAX)
    }

    /// Adds an arrow.
    pub(super) fn arrow(&mut self, from: Place, to: Place, step: Step, span: Span) {
        self.arrows.push(Arrow { from, to, step, span });
    }

    /// The index of a set of pieces.
    pub(super) fn set(&mut self, pieces: &[u32]) -> u32 {
        u32::try_from(self.sets.insert_full(pieces.to_vec()).0).unwrap_or(u32::MAX)
    }

    /// The pieces of a set.
    pub(super) fn pieces(&self, set: u32) -> &[u32] {
        self.sets.get_index(set as usize).map_or(&[], |set| set)
    }

    /// The arrows by source (or by target, with `backwards`). Linear.
    pub(super) fn index(&self, backwards: bool) -> Outgoing {
        let end = |arrow: &Arrow| if backwards { arrow.to } else { arrow.from } as usize;
        let mut starts = vec![0u32; self.places.len() + 1];
        for arrow in &self.arrows {
            if let Some(count) = starts.get_mut(end(arrow) + 1) {
                *count += 1;
            }
        }
        let mut sum = 0;
        for start in &mut starts {
            sum += *start;
            *start = sum;
        }
        let mut next = starts.clone();
        let mut items = vec![0u32; self.arrows.len()];
        for (position, arrow) in (0u32..).zip(&self.arrows) {
            if let Some(at) = next.get_mut(end(arrow)) {
                if let Some(item) = items.get_mut(*at as usize) {
                    *item = position;
                }
                *at += 1;
            }
        }
        Outgoing { starts, items }
    }

    /// Merges places that a skip makes equal, drops repeated arrows and idle loops, and cuts off what no play and no
    /// check comes by and what leads nowhere. Near-linear.
    pub(super) fn tidy(&mut self) {
        self.merge_skips();
        self.drop_repetitions();
        self.trim();
    }

    /// A skip from a place with no other way out, or to a place with no other way in, joins the two places.
    fn merge_skips(&mut self) {
        let mut merger = Merger::new(self);
        // Later merges can enable earlier ones; a few rounds find practically all of them.
        for _ in 0..8 {
            let mut changed = false;
            self.arrows.retain(|arrow| {
                let joined = arrow.step == Step::Skip && merger.try_join(arrow.from, arrow.to);
                changed |= joined;
                !joined
            });
            if !changed {
                break;
            }
        }
        for arrow in &mut self.arrows {
            arrow.from = merger.find(arrow.from);
            arrow.to = merger.find(arrow.to);
            if let Step::Check { from, to, .. } = &mut arrow.step {
                (*from, *to) = (merger.find(*from), merger.find(*to));
            }
        }
        merger.name_groups(&mut self.places);
    }

    fn drop_repetitions(&mut self) {
        let mut seen = FxHashSet::default();
        self.arrows.retain(|arrow| {
            let idle = arrow.from == arrow.to
                && matches!(arrow.step, Step::Skip | Step::On(_) | Step::Compare { .. } | Step::Check { .. });
            !idle && seen.insert((arrow.from, arrow.to, arrow.step))
        });
    }

    /// Keeps the arrows on ways from the start to a switch, the end, or the success of a check; renumbers nothing.
    pub(super) fn trim(&mut self) {
        let out = self.index(false);
        let mut forward = vec![false; self.places.len()];
        let mut goals = vec![END];
        let mut stack = vec![BEGIN];
        while let Some(place) = stack.pop() {
            if std::mem::replace(forward.get_mut(place as usize).unwrap_or(&mut true), true) {
                continue;
            }
            for arrow in out.of(place).filter_map(|i| self.arrows.get(i)) {
                stack.push(arrow.to);
                match arrow.step {
                    Step::Check { from, to, .. } => {
                        stack.push(from);
                        goals.push(to);
                    }
                    Step::Switch { .. } => goals.push(arrow.from),
                    _ => {}
                }
            }
        }
        let back = self.index(true);
        let mut backward = vec![false; self.places.len()];
        while let Some(place) = goals.pop() {
            if std::mem::replace(backward.get_mut(place as usize).unwrap_or(&mut true), true) {
                continue;
            }
            goals.extend(back.of(place).filter_map(|i| self.arrows.get(i)).map(|arrow| arrow.from));
        }
        let at = |marks: &[bool], place: Place| marks.get(place as usize).copied().unwrap_or(false);
        self.arrows.retain(|arrow| {
            let leads_on = at(&backward, arrow.to) || matches!(arrow.step, Step::Switch { .. });
            at(&forward, arrow.from) && leads_on
        });
    }
}

/// Union-find over places with the numbers of arrows in and out.
struct Merger {
    parent: Vec<Place>,
    inward: Vec<u32>,
    outward: Vec<u32>,
    /// Entered from outside: the start, starts of checks.
    entered: Vec<bool>,
    /// Left to outside: the end, successes of checks.
    accepting: Vec<bool>,
}

impl Merger {
    fn new(draft: &Draft) -> Self {
        let size = draft.places.len();
        let mut merger = Self {
            parent: (0u32..).take(size).collect(),
            inward: vec![0; size],
            outward: vec![0; size],
            entered: vec![false; size],
            accepting: vec![false; size],
        };
        for (place, info) in draft.places.iter().enumerate() {
            set(&mut merger.entered, place, matches!(info.kind, Kind::Begin | Kind::CheckStart | Kind::Decide));
            set(&mut merger.accepting, place, matches!(info.kind, Kind::End | Kind::CheckEnd));
        }
        for arrow in &draft.arrows {
            add(&mut merger.outward, arrow.from);
            add(&mut merger.inward, arrow.to);
            if let Step::Check { from, to, .. } = arrow.step {
                set(&mut merger.entered, from as usize, true);
                set(&mut merger.accepting, to as usize, true);
            }
        }
        merger
    }

    fn find(&mut self, place: Place) -> Place {
        let mut root = place;
        while let Some(&parent) = self.parent.get(root as usize) {
            if parent == root {
                break;
            }
            root = parent;
        }
        let mut at = place;
        while at != root {
            match self.parent.get_mut(at as usize) {
                Some(parent) => at = std::mem::replace(parent, root),
                None => break,
            }
        }
        root
    }

    /// Joins the ends of a skip if that changes nothing; then the skip is to be removed.
    fn try_join(&mut self, from: Place, to: Place) -> bool {
        let (a, b) = (self.find(from), self.find(to));
        let (ai, bi) = (a as usize, b as usize);
        let get = |list: &[u32], i: usize| list.get(i).copied().unwrap_or(0);
        let is = |list: &[bool], i: usize| list.get(i).copied().unwrap_or(false);
        if a == b {
            for counts in [&mut self.outward, &mut self.inward] {
                if let Some(count) = counts.get_mut(ai) {
                    *count = count.saturating_sub(1);
                }
            }
            return true;
        }
        let only_way_out = get(&self.outward, ai) == 1 && !is(&self.accepting, ai);
        let only_way_in = get(&self.inward, bi) == 1 && !is(&self.entered, bi);
        if !only_way_out && !only_way_in {
            return false;
        }
        let (root, child) = (ai.min(bi), ai.max(bi));
        for counts in [&mut self.outward, &mut self.inward] {
            let sum = (get(counts, ai) + get(counts, bi)).saturating_sub(1);
            if let Some(count) = counts.get_mut(root) {
                *count = sum;
            }
        }
        for flags in [&mut self.entered, &mut self.accepting] {
            let any = is(flags, ai) || is(flags, bi);
            set(flags, root, any);
        }
        if let Some(parent) = self.parent.get_mut(child) {
            *parent = a.min(b);
        }
        true
    }

    /// Gives each group of merged places the most telling kind among its members.
    fn name_groups(&mut self, places: &mut [PlaceInfo]) {
        for place in (0u32..).take(places.len()) {
            let root = self.find(place);
            let Some(&info) = places.get(place as usize) else { continue };
            if let Some(group) = places.get_mut(root as usize) {
                if rank(info.kind) > rank(group.kind) {
                    group.kind = info.kind;
                }
                if !group.span.is_some() {
                    group.span = info.span;
                }
            }
        }
    }
}

fn rank(kind: Kind) -> u32 {
    match kind {
        Kind::Plain => 0,
        Kind::Alive => 1,
        Kind::CheckStart => 2,
        Kind::CheckEnd => 3,
        Kind::Decide => 4,
        Kind::Begin => 5,
        Kind::End => 6,
    }
}

fn set(flags: &mut [bool], index: usize, value: bool) {
    if let Some(flag) = flags.get_mut(index) {
        *flag = value;
    }
}

fn add(counts: &mut [u32], place: Place) {
    if let Some(count) = counts.get_mut(place as usize) {
        *count += 1;
    }
}
