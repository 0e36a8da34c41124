//! States one by one, with all that is to be said about the search for their moves.

use super::inspect::Inspector;
use super::search::Search;
use super::{Cells, Endless, Naive};
use engine::Error;
use engine::model::Model;
use engine::outcomes::order;
use engine::state::{Moves, Record, State, Tag, Turn};
use fixedbitset::FixedBitSet;
use rg_ir::ids::Id;
use rg_ir::invariant::Invariant;
use rg_ir::{EdgeId, Symbol};

/// In what two positions differ: the first of these that does.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Difference {
    /// The game is over in one of them and goes on in the other.
    Over,
    /// Who is to move.
    Turn([String; 2]),
    /// The scores at the end, by player in declaration order.
    Scores([Vec<(String, String)>; 2]),
    /// A cell of a variable, as it is written in RG, and its values.
    Cell {
        /// The cell.
        place: String,
        /// Its values.
        values: [String; 2],
    },
    /// The nodes where play goes on.
    Node([String; 2]),
}

/// The naive engine, looking at one state after the other. Labels with several outcomes are split: the engine has to be made
/// with [`engine::Ambiguity::Split`].
pub(crate) struct Survey {
    pub(crate) naive: Naive,
    inspector: Option<Inspector>,
}

/// What a state has to offer.
pub(crate) struct Look {
    /// Its moves, or why they are not known.
    pub(crate) moves: Result<Moves, Error>,
    /// An action that is not valid.
    pub(crate) invalid: Option<(EdgeId, String)>,
    /// Steps of the search.
    pub(crate) steps: u64,
}

impl Survey {
    pub(crate) fn new(naive: Naive) -> Self {
        Self { inspector: Some(Inspector::new(&naive.game)), naive }
    }

    /// Searches for the moves of a state.
    pub(crate) fn look(&mut self, state: &State) -> Look {
        let (cells, node) = self.naive.unpack(state);
        let mut search = Search::new(&self.naive);
        search.inspector = self.inspector.take();
        let found = search.moves(cells, node);
        let steps = search.steps;
        let mut inspector = search.inspector.take().unwrap_or_default();
        let invalid = inspector.invalid.take();
        self.inspector = Some(inspector);
        let moves = found.map(|found| {
            let mut moves = Moves::new();
            for (tags, outcomes) in found {
                moves.split |= outcomes.len() > 1;
                for ((_, node), (cells, _)) in outcomes {
                    let effects = moves.effects.len() as u32;
                    moves.records.push(Record { tags: moves.tags.len() as u32, effects, node: node.index() as u32 });
                    moves.tags.extend(tags.iter().copied().map(Tag));
                    moves.effects.extend(cells.into_iter().enumerate().map(|(i, v)| (i as u32, v)));
                }
            }
            order(&self.naive, state, &mut moves);
            moves
        });
        Look { moves, invalid, steps }
    }

    /// Who decides; `Err` with a name if `player` is nobody, `Ok(None)` if it is the keeper.
    pub(crate) fn turn(&self, state: &State) -> Result<Option<Turn>, String> {
        let turn = self.naive.turn(state);
        let (cells, _) = self.naive.unpack(state);
        let player = cells.get(self.naive.offsets[self.naive.player]).copied();
        match (turn, player) {
            (None, Some(player)) if player != self.naive.keeper => {
                Err(self.naive.game.name(Symbol::from_index(player as usize)).to_owned())
            }
            _ => Ok(turn),
        }
    }

    /// Tags that moves of a state can repeat without end, if such are found.
    pub(crate) fn endless(&self, state: &State) -> Option<Endless> {
        self.naive.endless(state).ok().flatten()
    }

    /// In what two positions differ.
    pub(crate) fn difference(&self, one: &State, other: &State) -> Difference {
        let (game, players) = (&self.naive.game, &self.naive.players);
        let states = [one, other];
        let turns = states.map(|state| self.naive.turn(state));
        if turns.contains(&Some(Turn::End)) && turns != [Some(Turn::End); 2] {
            return Difference::Over;
        }
        if turns.first() != turns.last() {
            return Difference::Turn(turns.map(|turn| match turn {
                Some(Turn::Player(index)) => players.get(index).map_or("?", |&player| game.name(player)).to_owned(),
                Some(Turn::Random) => "random".to_owned(),
                _ => "keeper".to_owned(),
            }));
        }
        let scores = states.map(|state| self.naive.scores(state));
        if turns.contains(&Some(Turn::End)) && scores.first() != scores.last() {
            let named = |score: (&Symbol, &str)| (game.name(*score.0).to_owned(), score.1.to_owned());
            return Difference::Scores(scores.map(|scores| players.iter().zip(scores).map(named).collect()));
        }
        self.cell_difference(states)
    }

    /// The first cell of a variable in which two states differ.
    fn cell_difference(&self, states: [&State; 2]) -> Difference {
        let game = &self.naive.game;
        let [(one, here), (other, there)] = states.map(|state| self.naive.unpack(state));
        for (var, decl) in game.vars.iter() {
            let (offset, size) = (self.naive.offsets[var], self.naive.size(decl.ty));
            let differs = (offset..offset + size).find(|&at| one.get(at) != other.get(at));
            let Some(at) = differs else { continue };
            let value = |cells: &Cells| {
                let symbol = cells.get(at).copied().invariant_or(0, "both states have all cells");
                game.name(Symbol::from_index(symbol as usize)).to_owned()
            };
            let place = self.naive.place_text(var, at - offset);
            return Difference::Cell { place, values: [&one, &other].map(value) };
        }
        Difference::Node([here, there].map(|node| game.node_name(node).to_owned()))
    }

    /// The state after a move of [`Survey::look`], before the keeper answers.
    pub(crate) fn after(&self, state: &State, moves: &Moves, index: usize) -> State {
        let mut next = state.clone();
        self.naive.apply(&mut next, moves, index);
        next
    }

    /// The state before anything happened.
    pub(crate) fn start(&self) -> State {
        Model::initial(&self.naive)
    }

    /// Name of the node of a state.
    pub(crate) fn node_name(&self, state: &State) -> &str {
        self.naive.node_name(state)
    }

    /// A move as text.
    pub(crate) fn text(&self, moves: &Moves, index: usize) -> String {
        let name = |tag: Tag| self.naive.game.name(Symbol::from_index(tag.0 as usize));
        engine::state::text_of(moves, index, name)
    }

    /// Whether the keeper may take several ways to one end.
    pub(crate) fn keeper_may_choose(&self) -> bool {
        self.naive.keeper_may_choose
    }

    /// The edges crossed so far, by index.
    pub(crate) fn crossed(&self) -> FixedBitSet {
        self.inspector.as_ref().map(|inspector| inspector.crossed.clone()).unwrap_or_default()
    }
}
