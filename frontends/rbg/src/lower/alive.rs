//! The end of the game.
//!
//! In RBG a play is over when the one in control has no move; in RG it has to enter `end`. A switch is *possible* at a
//! place if some switch can be reached from there without crossing one. Where that is neither certain nor impossible,
//! the play takes a keeper's move that tests it on a copy of the rules without tags, whose switches all lead to one
//! place. One copy serves all tests.

use super::arith::Arithmetic;
use super::cover::Cover;
use super::draft::{BEGIN, Draft, END, Kind, Place, Step};
use super::relation::Relations;
use rg_ir::Span;
use rustc_hash::{FxHashMap, FxHashSet};

/// The keeper can be in control.
const KEEPER: u8 = 1;
/// A player can be in control.
const PLAYER: u8 = 2;

/// Who can be in control at the places of the draft.
pub(super) struct Control(Vec<u8>);

impl Control {
    /// By data flow from the start. Checks, and what is only in checks, are not entered. Linear.
    pub(super) fn new(draft: &Draft) -> Self {
        let out = draft.index(false);
        let mut control = vec![0u8; draft.places.len()];
        let mut stack = vec![(BEGIN, KEEPER)];
        while let Some((place, who)) = stack.pop() {
            let Some(known) = control.get_mut(place as usize) else { continue };
            if *known & who == who {
                continue;
            }
            *known |= who;
            for arrow in out.of(place).filter_map(|i| draft.arrows.get(i)) {
                stack.push(match arrow.step {
                    Step::Switch { player, .. } | Step::Hand(player) => {
                        (arrow.to, if player.is_some() { PLAYER } else { KEEPER })
                    }
                    _ => (arrow.to, who),
                });
            }
        }
        Self(control)
    }

    /// Whether a player can be in control at the place.
    pub(super) fn player(&self, place: Place) -> bool {
        self.0.get(place as usize).is_some_and(|who| who & PLAYER != 0)
    }
}

/// Makes every switch lead on only where the game goes on, and to the end otherwise. Linear in the draft.
pub(super) fn end_plays(draft: &mut Draft, relations: &Relations, arithmetic: &mut Arithmetic<'_>) {
    let control = Control::new(draft);
    let possible = possible(draft);
    let sure = Cover::sure(draft, relations, arithmetic);
    let mut ending = Ending {
        possible,
        sure,
        decisions: FxHashMap::default(),
        mirror: FxHashMap::default(),
        sink: None,
        over: None,
    };
    ending.switches(draft, &control);
    ending.start(draft);
    ending.copy(draft);
}

/// The places from which a switch can be reached as far as the graph tells.
fn possible(draft: &Draft) -> Vec<bool> {
    let back = draft.index(true);
    let mut possible = vec![false; draft.places.len()];
    let switches = draft.arrows.iter().filter(|arrow| matches!(arrow.step, Step::Switch { .. }));
    let mut stack: Vec<Place> = switches.map(|arrow| arrow.from).collect();
    while let Some(place) = stack.pop() {
        if std::mem::replace(possible.get_mut(place as usize).unwrap_or(&mut true), true) {
            continue;
        }
        let before = back.of(place).filter_map(|i| draft.arrows.get(i));
        stack.extend(before.filter(|a| !matches!(a.step, Step::Switch { .. })).map(|a| a.from));
    }
    possible
}

/// The rewriting of switches.
struct Ending {
    possible: Vec<bool>,
    sure: Vec<bool>,
    /// Where it is decided whether the play goes on, by place and player.
    decisions: FxHashMap<(Place, Option<u32>), Place>,
    /// Copies of places, and in which order they were asked for.
    mirror: FxHashMap<Place, Place>,
    sink: Option<Place>,
    over: Option<Place>,
}

impl Ending {
    fn switches(&mut self, draft: &mut Draft, control: &Control) {
        for position in 0..draft.arrows.len() {
            let Some(&arrow) = draft.arrows.get(position) else { continue };
            let Step::Switch { player, index } = arrow.step else { continue };
            let (to, step) = if !is(&self.possible, arrow.to) {
                (END, Step::Switch { player: None, index })
            } else if is(&self.sure, arrow.to) {
                (arrow.to, arrow.step)
            } else {
                let decide = self.decide(draft, arrow.to, player, arrow.span);
                // The keeper stays in control: he may decide in the same move.
                let same_move = player.is_some() && !control.player(arrow.from);
                (decide, if same_move { Step::Skip } else { Step::Switch { player: None, index } })
            };
            if let Some(arrow) = draft.arrows.get_mut(position) {
                (arrow.to, arrow.step) = (to, step);
            }
        }
    }

    /// The place where the keeper finds out whether `player`, whose turn starts at `place`, can move.
    fn decide(&mut self, draft: &mut Draft, place: Place, player: Option<u32>, span: Span) -> Place {
        if let Some(&known) = self.decisions.get(&(place, player)) {
            return known;
        }
        let decide = draft.place(Kind::Decide, span);
        self.decisions.insert((place, player), decide);
        self.decision(draft, decide, place, player, span);
        decide
    }

    fn decision(&mut self, draft: &mut Draft, decide: Place, place: Place, player: Option<u32>, span: Span) {
        let (from, to) = (self.mirrored(draft, place), self.sink(draft));
        let check = |negated| Step::Check { negated, from, to };
        if player.is_some() {
            let go_on = draft.place(Kind::Plain, span);
            draft.arrow(decide, go_on, check(false), span);
            draft.arrow(go_on, place, Step::Hand(player), span);
        } else {
            // The keeper moves on by himself: if he can, the test below fails.
            draft.arrow(decide, place, Step::Skip, span);
        }
        let over = *self.over.get_or_insert_with(|| {
            let over = draft.place(Kind::Plain, Span::NONE);
            draft.arrow(over, END, Step::Hand(None), Span::NONE);
            over
        });
        draft.arrow(decide, over, check(true), span);
    }

    /// The keeper's first move gets the same treatment as one after a switch.
    fn start(&mut self, draft: &mut Draft) {
        if !is(&self.possible, BEGIN) {
            draft.arrows.retain(|arrow| arrow.from != BEGIN);
            draft.arrow(BEGIN, END, Step::Hand(None), Span::NONE);
        } else if !is(&self.sure, BEGIN) {
            // Play may come back to where it started, but not to the decision.
            let place = draft.place(Kind::Plain, Span::NONE);
            for arrow in &mut draft.arrows {
                for end in [&mut arrow.from, &mut arrow.to] {
                    if *end == BEGIN {
                        *end = place;
                    }
                }
            }
            for (from, copy) in std::mem::take(&mut self.mirror) {
                self.mirror.insert(if from == BEGIN { place } else { from }, copy);
            }
            self.possible.resize(draft.places.len(), false);
            if let Some(possible) = self.possible.get_mut(place as usize) {
                *possible = true;
            }
            self.decision(draft, BEGIN, place, None, Span::NONE);
        }
    }

    fn sink(&mut self, draft: &mut Draft) -> Place {
        *self.sink.get_or_insert_with(|| draft.place(Kind::CheckEnd, Span::NONE))
    }

    fn mirrored(&mut self, draft: &mut Draft, place: Place) -> Place {
        if is(&self.sure, place) {
            return self.sink(draft);
        }
        let span = draft.places.get(place as usize).map_or(Span::NONE, |info| info.span);
        *self.mirror.entry(place).or_insert_with(|| draft.place(Kind::Alive, span))
    }

    /// Copies what can be reached from the places asked for, up to the switches.
    fn copy(&mut self, draft: &mut Draft) {
        let out = draft.index(false);
        let mut stack: Vec<(Place, Place)> = self.mirror.iter().map(|(&from, &to)| (from, to)).collect();
        stack.sort_unstable();
        let mut done: FxHashSet<Place> = stack.iter().map(|&(place, _)| place).collect();
        while let Some((place, copy)) = stack.pop() {
            for position in out.of(place) {
                let Some(&arrow) = draft.arrows.get(position) else { continue };
                if matches!(arrow.step, Step::Hand(_) | Step::Switch { .. }) || !is(&self.possible, arrow.to) {
                    continue;
                }
                let target = self.mirrored(draft, arrow.to);
                draft.arrow(copy, target, arrow.step, arrow.span);
                if !is(&self.sure, arrow.to) && done.insert(arrow.to) {
                    stack.push((arrow.to, target));
                }
            }
        }
    }
}

fn is(flags: &[bool], place: Place) -> bool {
    flags.get(place as usize).copied().unwrap_or(false)
}
