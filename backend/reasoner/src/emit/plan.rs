//! What a source text says of a game, whatever the language: its program, its first state, and how to read both.

use crate::bridge::Bridge;
use crate::build::{search, with_whole_labels};
use engine::options::Options;
use engine::valid::ValidGame;
use lower::{Lifted, MoveFormat, Place, Tag};
use rg_ir::ids::Id;
use rg_ir::{Game, Symbol, VarId};
use wir::calls::inlined;
use wir::verify::verify;
use wir::{FnId, Program};

/// Registers that all functions may have together.
const MAX_INLINED: u64 = 400_000;

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

/// A part of a move's text: the name at `(word >> shift) & mask`.
#[derive(Debug)]
pub(super) struct Part {
    pub(super) names: Vec<String>,
    pub(super) shift: u32,
    pub(super) mask: u64,
}

/// A node where somebody decides.
#[derive(Debug)]
pub(super) struct Stop {
    pub(super) node: String,
    /// The functions, none for the end.
    pub(super) functions: Option<(FnId, FnId)>,
    /// By kind of moves.
    pub(super) kinds: Vec<Vec<Part>>,
}

/// See the module.
#[derive(Debug)]
pub(super) struct Plan {
    pub(super) program: Program,
    pub(super) initial: Vec<u64>,
    pub(super) node: Field,
    pub(super) stops: Vec<Stop>,
    pub(super) players: Vec<String>,
    /// Where `player` is, and by its value: the player's index, -1 for chance, -2 for nobody.
    pub(super) mover: Field,
    pub(super) turns: Vec<i64>,
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
        let mut lifted = with_whole_labels(&game, &*slow, &options, &mut wir_opt::optimise)
            .map_err(|failure| format!("the game is not lifted: {failure}"))?;
        refuse(&game, &lifted)?;
        let misfit = || "the layouts of the engines do not fit together".to_owned();
        let bridge = Bridge::new(&lifted, slow.program(), &game).ok_or_else(misfit)?;
        let mut state = slow.initial();
        slow.complete(&mut state, None).map_err(|error| format!("there is no first decision: {error}"))?;
        let (cells, node) = slow.cells(&state);
        let initial = bridge.words(&lifted, &cells, node).ok_or_else(misfit)?;
        verify(&lifted.program)?;
        // What is only for random plays is left out.
        for speculative in lifted.stops.iter().filter_map(|stop| stop.decision.as_ref().ok()?.speculative) {
            if let Some(function) = lifted.program.functions.get_mut(speculative as usize) {
                function.body.insts.clear();
            }
        }
        // Source texts have no calls.
        lifted.program = inlined(&lifted.program, MAX_INLINED)?.into_owned();
        let scores: Vec<Symbol> = slow.program().layout.classes.members(slow.program().goals_class).to_vec();
        Self::of(&game, lifted, initial, &scores).ok_or_else(misfit)
    }

    fn of(game: &Game, lifted: Lifted, initial: Vec<u64>, scores: &[Symbol]) -> Option<Self> {
        let name = |symbol: Symbol| game.name(symbol).to_owned();
        let find = |name: &str| game.symbols.get(name).and_then(|name| game.find_var(name));
        let (player, goals) = (find("player")?, find("goals")?);
        let mover = match lifted.layout.places.get(player.index())? {
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
            let decision = stop.decision.as_ref().ok();
            Stop {
                node: if game.automaton.contains_node(stop.decider.node) {
                    game.node_name(stop.decider.node).to_owned()
                } else {
                    String::new()
                },
                functions: decision.map(|decision| (decision.decide, decision.apply)),
                kinds: decision.map_or(Vec::new(), |decision| {
                    decision.templates.iter().map(|format| parts(game, format)).collect()
                }),
            }
        });
        Some(Self {
            stops: stops.collect(),
            node: of_field(lifted.layout.node),
            players: game.players().iter().copied().map(name).collect(),
            scores: scores.iter().copied().map(name).collect(),
            goals: (goals_at?, places?),
            score_of: score_of?,
            program: lifted.program,
            initial,
            mover,
            turns,
            variables,
        })
    }
}

/// An error with a line for each decision that is not lifted, if there is one.
fn refuse(game: &Game, lifted: &Lifted) -> Result<(), String> {
    let reasons = lifted.stops.iter().skip(1).filter_map(|stop| {
        let reason = match &stop.decision {
            Ok(decision) if decision.overlaps => "has moves with the same label".to_string(),
            Err(failure) if !failure.is_elsewhere() => format!("is not lifted: {failure}"),
            _ => return None,
        };
        let node = if game.automaton.contains_node(stop.decider.node) { game.node_name(stop.decider.node) } else { "" };
        Some(format!("the decision at `{node}` {reason}"))
    });
    let reasons: Vec<String> = reasons.collect();
    if reasons.is_empty() { Ok(()) } else { Err(reasons.join("\n")) }
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

/// How the moves of a kind are written.
fn parts(game: &Game, format: &MoveFormat) -> Vec<Part> {
    let name = |&symbol: &Symbol| game.name(symbol).to_owned();
    let part = |tag: &Tag| match tag {
        Tag::Symbol(symbol) => Part { names: vec![name(symbol)], shift: 0, mask: 0 },
        Tag::Argument(at, symbols) => {
            let argument = format.arguments.get(*at).copied();
            let (shift, bits) = argument.map_or((0, 0), |argument| (argument.shift, argument.bits));
            let mask = 1u64.checked_shl(bits).unwrap_or(0).wrapping_sub(1);
            Part { names: symbols.iter().map(name).collect(), shift, mask }
        }
        // Programs for source texts are made with all tags in their labels.
        Tag::Between(..) => Part { names: Vec::new(), shift: 0, mask: 0 },
    };
    format.tags.iter().map(part).collect()
}
