//! What a source text says of a game, whatever the language: its program, its first state, and how to read both.

use super::labels::Labels;
use crate::bridge::Bridge;
use crate::build::{search, self_contained};
use crate::fused::trial::Parts;
use engine::options::Options;
use engine::valid::{ValidGame, has_chance};
use lower::{Lifted, Place, TagWidth};
use rg_ir::ids::Id;
use rg_ir::{Game, Symbol, VarId};
use wir::verify::verify;
use wir::{FnId, Program};

/// Bits of a word, or a constant (`mask` is 0 then).
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Field {
    pub(super) word: u32,
    pub(super) shift: u32,
    pub(super) mask: u64,
    pub(super) fixed: u32,
}

/// A variable that a state keeps.
#[derive(Debug)]
pub(super) struct Variable {
    pub(super) name: String,
    /// Its places: what people call them, and their indices.
    pub(super) places: Vec<(String, usize)>,
    /// By index; empty if it is kept as sets.
    pub(super) fields: Vec<Field>,
    /// By value, the first word of the set of indices that have it.
    pub(super) sets: Vec<Option<u32>>,
    /// The value that is where no other is.
    pub(super) rest: usize,
    /// Names of the values.
    pub(super) values: Vec<String>,
}

/// A node where somebody decides.
#[derive(Debug)]
pub(super) struct Stop {
    pub(super) node: String,
    /// How it is made, `None` for the end.
    pub(super) decision: Option<Decision>,
}

/// How a decision is made.
#[derive(Debug)]
pub(super) struct Decision {
    pub(super) decide: FnId,
    pub(super) apply: FnId,
    /// See [`lower::Decision`]; the passes a bit each, by kind of move.
    pub(super) speculative: Option<FnId>,
    pub(super) passes: u64,
    pub(super) labels: Labels,
    /// Whether several of its moves may have one label.
    pub(super) overlaps: bool,
}

/// See the module.
#[derive(Debug)]
pub(super) struct Plan {
    pub(super) program: Program,
    pub(super) initial: Vec<u64>,
    pub(super) node: Field,
    pub(super) stops: Vec<Stop>,
    /// How functions that read labels give tags.
    pub(super) tag_width: TagWidth,
    /// Names of all symbols.
    pub(super) symbols: Vec<String>,
    pub(super) players: Vec<String>,
    /// Where `player` is, and by its value: the player's index, -1 for chance, -2 for nobody.
    pub(super) mover: Field,
    pub(super) turns: Vec<i64>,
    /// Whether chance ever decides.
    pub(super) has_chance: bool,
    pub(super) scores: Vec<String>,
    /// Per player, where its score is in the variable `goals`, by its number among the variables.
    pub(super) goals: (usize, Vec<usize>),
    /// Index of the score by value of `goals`.
    pub(super) score_of: Vec<usize>,
    pub(super) variables: Vec<Variable>,
}

impl Plan {
    /// Lifts a game and gathers what is needed.
    ///
    /// # Errors
    /// Why there is no source text of the game: a line for each reason.
    pub(super) fn new(game: &Game) -> Result<Self, String> {
        let game = ValidGame::new(game).map_err(|error| error.to_string())?;
        let options = Options { handovers: true, ..Options::default() };
        let slow = search(&game, &options).map_err(|error| error.to_string())?;
        let misfit = || "the layouts of the engines do not fit together".to_owned();
        let Parts { game, lifted, search: slow } = self_contained(game, slow, &options)?;
        let bridge = Bridge::new(&lifted, slow.program(), &game).ok_or_else(misfit)?;
        let mut state = slow.initial();
        slow.complete(&mut state, None).map_err(|error| format!("there is no first decision: {error}"))?;
        let (mut cells, mut initial) = (Vec::new(), Vec::new());
        let node = slow.cells(&state, &mut cells);
        bridge.words(&lifted, (&cells, node), &mut initial).ok_or_else(misfit)?;
        verify(&lifted.program)?;
        let scores: Vec<Symbol> = slow.program().layout.classes.members(slow.program().goals_class).to_vec();
        Self::of(&game, lifted, initial, &scores).ok_or_else(misfit)
    }

    fn of(game: &Game, lifted: Lifted, initial: Vec<u64>, scores: &[Symbol]) -> Option<Self> {
        let name = |symbol: Symbol| game.name(symbol).to_owned();
        let find = |name: &str| game.symbols.get(name).and_then(|name| game.find_var(name));
        let (player, goals) = (find("player")?, find("goals")?);
        let mover = match lifted.layout.of(player)? {
            Place::Scalar(field) => of_field(*field),
            _ => return None,
        };
        let random = game.symbols.get("random");
        let turn = |&symbol: &Symbol| match game.players().iter().position(|&player| player == symbol) {
            Some(index) => index as i64,
            None if Some(symbol) == random => -1,
            None => -2,
        };
        let turns = lifted.symbols.get(player.index())?.iter().map(turn).collect();
        let score_of: Option<Vec<usize>> = lifted
            .symbols
            .get(goals.index())?
            .iter()
            .map(|symbol| scores.iter().position(|score| score == symbol))
            .collect();
        let [keys] = lifted.keys.get(goals.index())?.as_slice() else { return None };
        let places: Option<Vec<usize>> =
            game.players().iter().map(|player| keys.iter().position(|key| key == player)).collect();
        let (mut variables, mut goals_at) = (Vec::new(), None);
        for var in game.vars.ids().filter(|&var| var != player) {
            if let Some(variable) = variable(game, &lifted, var) {
                if var == goals {
                    goals_at = Some(variables.len());
                }
                variables.push(variable);
            }
        }
        let stops = lifted.stops.iter().map(|stop| {
            let decision = stop.decision.as_ref().ok().map(|decision| Decision {
                decide: decision.decide,
                apply: decision.apply,
                speculative: decision.speculative,
                passes: decision.passes,
                labels: Labels::of(decision),
                overlaps: decision.overlaps,
            });
            Stop {
                node: if game.automaton.contains_node(stop.decider.node) {
                    game.node_name(stop.decider.node).to_owned()
                } else {
                    String::new()
                },
                decision,
            }
        });
        Some(Self {
            stops: stops.collect(),
            tag_width: lifted.tag_width,
            node: of_field(lifted.layout.node),
            symbols: game.symbols.names().map(str::to_owned).collect(),
            players: game.players().iter().copied().map(name).collect(),
            scores: scores.iter().copied().map(name).collect(),
            goals: (goals_at?, places?),
            score_of: score_of?,
            program: lifted.program,
            initial,
            mover,
            turns,
            has_chance: has_chance(game),
            variables,
        })
    }
}

fn of_field(field: lower::Field) -> Field {
    let mask = 1u64.checked_shl(field.bits).unwrap_or(0).wrapping_sub(1);
    Field { word: field.word, shift: field.shift, mask, fixed: 0 }
}

/// How a variable is read, if states keep it.
fn variable(game: &Game, lifted: &Lifted, var: VarId) -> Option<Variable> {
    let at = var.index();
    let (values, real) = lifted.initial.get(at)?;
    let (fields, sets, rest) = match lifted.layout.places.get(at)? {
        Place::Nowhere => return None,
        Place::Scalar(field) => (vec![of_field(*field)], Vec::new(), 0),
        Place::Cells(fields) => {
            let field = |(field, &value): (&Option<_>, &u32)| match field {
                Some(field) => of_field(*field),
                None => Field { fixed: value, ..Field::default() },
            };
            (fields.iter().zip(values).map(field).collect(), Vec::new(), 0)
        }
        Place::Packed(packed) => {
            ((0..packed.entries).map(|index| of_field(packed.field(index))).collect(), Vec::new(), 0)
        }
        Place::Sets(place) => (Vec::new(), place.first.clone(), place.rest),
    };
    let keys = lifted.keys.get(at)?;
    let places = real.iter().enumerate().filter(|&(_, &real)| real).map(|(index, _)| {
        let (mut rest, mut text) = (index, Vec::new());
        for symbols in keys.iter().rev() {
            let symbol = symbols.get(rest % symbols.len().max(1));
            text.push(symbol.map_or("", |&symbol| game.name(symbol)));
            rest /= symbols.len().max(1);
        }
        text.reverse();
        (text.join(" "), index)
    });
    let names = lifted.symbols.get(at)?.iter().map(|&symbol| game.name(symbol).to_owned());
    let name = game.vars.get(var).map_or("", |decl| game.name(decl.name)).to_owned();
    Some(Variable { name, places: places.collect(), fields, sets, rest, values: names.collect() })
}
