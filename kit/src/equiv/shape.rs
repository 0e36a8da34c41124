//! Comparing games whose moves are called differently, by the shape of their trees.
//!
//! The shape of a position to some depth is who is to move, or the scores, and how often each shape to one less occurs
//! among the positions after a move. Two positions have the same shape exactly if there is a bijection between their
//! moves, and again in all positions that correspond, down to that depth.

use super::{Budget, Criterion, Difference, Look, MAX_PLIES, Position, Verdict, below, look_at, players, unmatched};
use crate::Result;
use crate::runner::Runner;
use backend::{Moves, Rng, State};
use rustc_hash::FxHashMap;

/// The number of a shape; equal numbers are equal shapes.
type Shape = usize;

/// Depth of shapes is limited, since they are found by recursion.
const MAX_DEPTH: u32 = 64;

/// How deep shapes are that tell moves of playouts apart.
const AHEAD: u32 = 1;

/// How many times as many positions as in the systematic part may be looked at for playouts.
const PLAY_FACTOR: u64 = 20;

/// Compares two games by shape.
pub(super) fn compare(games: [&Runner; 2], budget: &Budget) -> Result<Verdict> {
    let start = Position::initial(games)?;
    let mut shapes = Shapes::new(games, budget.positions);
    let difference = players(games).map(|what| start.difference(games, what, false));
    let mut verdict = Verdict::new(Criterion::Shape, difference);
    for depth in 0..=budget.depth.min(MAX_DEPTH) {
        if verdict.complete || verdict.difference.is_some() {
            break;
        }
        let (Some(first), Some(second)) = (shapes.at_start(&start, 0, depth)?, shapes.at_start(&start, 1, depth)?)
        else {
            break;
        };
        if first != second {
            verdict.difference = Some(shapes.distinguish(start.clone(), depth)?);
        }
        (verdict.depth, verdict.complete) = (depth, shapes.finished(first));
        verdict.positions = shapes.spent;
    }
    if verdict.difference.is_none() && !verdict.complete {
        shapes.left = budget.positions.saturating_mul(PLAY_FACTOR);
        randomly(&mut shapes, &start, budget, &mut verdict)?;
    }
    verdict.equal = verdict.difference.is_none();
    Ok(verdict)
}

/// Random plays. Moves correspond if they look alike for a few plies; where several do, a difference later on may come
/// from having paired the wrong ones, and decides nothing.
fn randomly(shapes: &mut Shapes<'_>, start: &Position, budget: &Budget, verdict: &mut Verdict) -> Result<()> {
    let mut rng = Rng::new(budget.seed);
    for _ in 0..budget.plays {
        let mut position = start.clone();
        let mut certain = true;
        for _ in 0..MAX_PLIES {
            let mut moves = [Moves::new(), Moves::new()];
            position.moves(shapes.games, &mut moves)?;
            let Some(children) = shapes.children(&position, &moves, AHEAD)? else { return Ok(()) };
            let [first, second] = &children;
            if position.differs(shapes.games).is_some() || unmatched(first, second).iter().any(|left| !left.is_empty())
            {
                if !certain {
                    verdict.undecided += 1;
                    break;
                }
                verdict.difference = Some(shapes.distinguish(position, AHEAD + 1)?);
                return Ok(());
            }
            if first.is_empty() {
                break;
            }
            let chosen = below(&mut rng, first.len());
            let shape = first.get(chosen);
            let rank = first.iter().take(chosen).filter(|other| Some(*other) == shape).count();
            let alike: Vec<usize> = (0..second.len()).filter(|&at| second.get(at) == shape).collect();
            certain &= alike.len() == 1;
            let partner = alike.get(rank).copied().unwrap_or(0);
            position = position.after(shapes.games, &moves, [chosen, partner])?;
        }
        verdict.plays += 1;
    }
    Ok(())
}

/// A position as far as one shape shows it. What follows is sorted; at depth 0 it is not known.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Form {
    look: Look,
    next: Option<Vec<Shape>>,
}

/// All shapes found so far.
struct Shapes<'g> {
    games: [&'g Runner; 2],
    names: FxHashMap<Form, Shape>,
    /// Per shape whether all plays are over.
    over: Vec<bool>,
    known: [FxHashMap<(State, u32), Shape>; 2],
    /// How many positions have been, and may still be looked at.
    spent: u64,
    left: u64,
}

impl<'g> Shapes<'g> {
    fn new(games: [&'g Runner; 2], left: u64) -> Self {
        let known = [FxHashMap::default(), FxHashMap::default()];
        Self { games, names: FxHashMap::default(), over: Vec::new(), known, spent: 0, left }
    }

    fn finished(&self, shape: Shape) -> bool {
        self.over.get(shape).copied().unwrap_or(false)
    }

    fn at_start(&mut self, start: &Position, at: usize, depth: u32) -> Result<Option<Shape>> {
        let Some(state) = start.states.get(at).cloned() else { return Ok(None) };
        self.shape(at, &state, depth)
    }

    /// The shape of a state of one game; `None` if too much has been looked at. Recursion goes as deep as `depth`.
    fn shape(&mut self, at: usize, state: &State, depth: u32) -> Result<Option<Shape>> {
        let key = (state.clone(), depth);
        if let Some(&shape) = self.known.get(at).and_then(|known| known.get(&key)) {
            return Ok(Some(shape));
        }
        let Some(game) = self.games.get(at).copied() else { return Ok(None) };
        let Some(left) = self.left.checked_sub(1) else { return Ok(None) };
        (self.left, self.spent) = (left, self.spent + 1);
        let look = look_at(game, state);
        let ended = look.0 == backend::Turn::End;
        let next = if depth > 0 || ended {
            let mut moves = Moves::new();
            game.reasoner.legal_moves(state, &mut moves).map_err(|error| game.failure(&error))?;
            let Some(mut next) = self.after(at, state, &moves, depth.saturating_sub(1))? else { return Ok(None) };
            next.sort_unstable();
            Some(next)
        } else {
            None
        };
        let over = next.as_ref().is_some_and(|next| next.iter().all(|&shape| self.finished(shape)));
        let fresh = self.names.len();
        let shape = *self.names.entry(Form { look, next }).or_insert(fresh);
        if shape == fresh {
            self.over.push(over);
        }
        if let Some(known) = self.known.get_mut(at) {
            known.insert(key, shape);
        }
        Ok(Some(shape))
    }

    /// The shapes after each of the moves.
    fn after(&mut self, at: usize, state: &State, moves: &Moves, depth: u32) -> Result<Option<Vec<Shape>>> {
        let Some(game) = self.games.get(at).copied() else { return Ok(None) };
        let mut shapes = Vec::with_capacity(moves.len());
        for index in 0..moves.len() {
            let mut next = state.clone();
            game.reasoner.apply(&mut next, moves, index).map_err(|error| game.failure(&error))?;
            let Some(shape) = self.shape(at, &next, depth)? else { return Ok(None) };
            shapes.push(shape);
        }
        Ok(Some(shapes))
    }

    fn children(&mut self, position: &Position, moves: &[Moves; 2], depth: u32) -> Result<Option<[Vec<Shape>; 2]>> {
        let [a, b] = &position.states;
        let [first, second] = moves;
        let (Some(first), Some(second)) = (self.after(0, a, first, depth)?, self.after(1, b, second, depth)?) else {
            return Ok(None);
        };
        Ok(Some([first, second]))
    }

    /// Follows a difference of shapes of that depth to where it is seen.
    fn distinguish(&mut self, mut position: Position, depth: u32) -> Result<Difference> {
        let mut depth = depth;
        loop {
            if let Some(what) = position.differs(self.games) {
                return Ok(position.difference(self.games, what, false));
            }
            let mut moves = [Moves::new(), Moves::new()];
            position.moves(self.games, &mut moves)?;
            let [first, second] = [0usize, 1].map(|at| moves.get(at).map_or(0, Moves::len));
            if first != second {
                let what = format!("{first} legal moves / {second} legal moves");
                return Ok(position.difference(self.games, what, false));
            }
            depth = depth.saturating_sub(1);
            let shapes = self.children(&position, &moves, depth)?;
            let left = shapes.map(|[first, second]| unmatched(&first, &second)).unwrap_or_default();
            let [Some(a), Some(b)] = left.map(|left| left.first().copied()) else {
                let what = "the plays that follow differ / the plays that follow differ".to_owned();
                return Ok(position.difference(self.games, what, false));
            };
            position = position.after(self.games, &moves, [a, b])?;
        }
    }
}
