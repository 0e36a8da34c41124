//! The one place where an engine is put together from its parts: the search over packed states, the lifted program, what runs
//! it, and the bridge between the two. Listings and source texts take the same parts.

use crate::fused::Fused;
use crate::fused::trial::{self, Parts, Trial};
#[cfg(feature = "native")]
use codegen::Tiered;
use codegen::{Executor, Vm};
use engine::Error;
use engine::model::Model;
use engine::options::{Engine, LiftedCode, Options};
use engine::outcomes::Ambiguity;
use engine::valid::ValidGame;
use lower::{Code, Facts, Lifted, LongMoves, SearchFacts, lift};
use reference::Naive;
use rg_ir::ids::Id;
use rg_ir::invariant::put;
use rg_ir::{Game, Label, NodeId, Symbol};
use search::program::{self, Marking};
use search::{Backtracking, interpreter};
use std::cell::OnceCell;
use std::collections::VecDeque;
use wir::Program;
use wir::profile::Profile;

/// An engine for one game.
pub(crate) struct Built {
    pub(crate) model: Box<dyn Model>,
    /// Names of the scores, in the order in which playouts count them.
    pub(crate) score_names: Vec<String>,
    /// Whether some player may not see some tag.
    pub(crate) hidden: bool,
    /// Why the game is not lifted, if it should be.
    pub(crate) refusal: Option<String>,
    /// The other form of the game, if the engine is for that.
    pub(crate) other: Option<Game>,
    /// What a ply takes if it is compiled; 0 if that was not tried.
    pub(crate) nanoseconds: Option<u64>,
}

/// Makes another form of a game whose engine takes so many nanoseconds for a ply, or is not compiled, if that may be worth it.
pub(crate) type OtherForm<'a> = &'a mut dyn FnMut(Option<u64>) -> Option<Game>;

/// Builds the engine that `options` name, for the given form of a game or another one.
///
/// # Errors
/// [`crate::ErrorKind::Invalid`] for tables beyond the limits.
pub(crate) fn build(game: ValidGame, options: &Options, other: OtherForm<'_>) -> Result<Built, Error> {
    let game = if options.handovers { game } else { game.without_handovers() };
    let search = search(&game, options)?;
    let symbols = |search: &dyn Backtracking, game: &ValidGame| {
        let program = search.program();
        let members = program.layout.classes.members(program.goals_class);
        let score_names: Vec<String> = members.iter().map(|&symbol| game.name(symbol).to_owned()).collect();
        (score_names, program.visible.is_some())
    };
    let (score_names, hidden) = symbols(search.as_ref(), &game);
    let of = |model, refusal| {
        let score_names = score_names.clone();
        Built { model, score_names, hidden, refusal, other: None, nanoseconds: Some(0) }
    };
    match (options.engine, searched_only(options)) {
        (Engine::Naive, _) => Ok(of(Box::new(Naive::new(&game, options, score_names.clone())?), None)),
        (Engine::Backtracking, _) => Ok(of(search, None)),
        (_, Some(reason)) => Ok(of(search, Some(reason.to_owned()))),
        _ => {
            let first = lifted(game, search, options);
            let cost = first.as_ref().ok().map(|(_, cost)| *cost);
            if cost.is_none_or(|cost| cost >= SLOW)
                && let Some(game) = other(cost)
                && let Ok(valid) = ValidGame::new(&game)
                && let Ok(search) = self::search(&valid, options)
                && let (score_names, hidden) = symbols(search.as_ref(), &valid)
                && let Ok((parts, of_other)) = lifted_other(valid, search, options)
                && cost.is_none_or(|cost| of_other < cost)
            {
                let (model, refusal) = fused(Ok(parts), options);
                return Ok(Built {
                    model,
                    score_names,
                    hidden,
                    refusal,
                    other: Some(game),
                    nanoseconds: Some(of_other),
                });
            }
            let (model, refusal) = fused(first.map(|(parts, _)| parts), options);
            Ok(Built { nanoseconds: cost, ..of(model, refusal) })
        }
    }
}

/// Engines that take no more nanoseconds for a ply are fast enough: no other form of the game is looked at.
const SLOW: u64 = 50;

/// The search over packed states.
///
/// # Errors
/// As for [`build`].
pub(crate) fn search(game: &ValidGame, options: &Options) -> Result<Box<dyn Backtracking>, Error> {
    let program = program::lower(game, Marking::WhereNeeded)?;
    Ok(interpreter(game.clone(), program, options))
}

/// The search, and why nothing is lifted.
type Unlifted = (Box<dyn Backtracking>, String);

/// What lifting a game needs to know, which the search over packed states has found out.
struct Lifting<'a> {
    options: lower::Options<'a>,
    /// The node of the first decision, and the symbols that single variables have there.
    start: Option<(NodeId, Vec<Option<Symbol>>)>,
}

/// By node, whether walks have to be kept from coming there twice with the same values.
fn marked_nodes(game: &ValidGame, search: &dyn Backtracking) -> Vec<bool> {
    let mut marked = vec![false; game.automaton.node_bound()];
    for site in &search.program().marks {
        put(&mut marked, site.node.index(), true, "nodes that are marked are nodes of the game");
    }
    marked
}

impl<'a> Lifting<'a> {
    fn new(
        game: &ValidGame,
        search: &'a dyn Backtracking,
        options: &Options,
        (facts, marked): (&'a Facts, &'a [bool]),
        long_moves: LongMoves,
    ) -> Self {
        let mut first = search.initial();
        let start = search.complete(&mut first, None).ok().map(|()| {
            let mut cells = Vec::new();
            let node = search.cells(&first, &mut cells);
            let layout = &search.program().layout;
            let value = |field: &program::layout::Field| {
                let value = cells.get(field.offset as usize).filter(|_| field.keys.is_empty())?;
                layout.classes.members(field.class).get(*value as usize).copied()
            };
            (node, layout.vars.values().map(value).collect())
        });
        let keeper_checked = options.checked && !game.claims().keeper_may_choose;
        let searches = SearchFacts { unique_labels: &search.program().labels_unique, marked };
        let registers = options.limits.code;
        let options = lower::Options { facts, registers, keeper_checked, searches, long_moves };
        Self { options, start }
    }
}

/// A game lifted in the form that costs least: over sets where there are rules for them, as searches, or as a network. `optimise` runs
/// passes on each form. Where no walk chooses among values, code over sets takes the same walks as searches, without their memory, so that
/// these are tried only if it leaves something out.
///
/// # Errors
/// The search, and why nothing is lifted.
pub(crate) fn cheapest(
    game: ValidGame,
    search: Box<dyn Backtracking>,
    options: &Options,
    optimise: &mut dyn FnMut(&mut Program),
) -> Result<(Parts, Option<Trial>), Unlifted> {
    let marked = marked_nodes(&game, search.as_ref());
    // Found out once, where something else than a network is tried.
    let all_facts = OnceCell::new();
    let lift_by =
        |(game, search): (&ValidGame, &dyn Backtracking), form: Form, optimise: &mut dyn FnMut(&mut Program)| {
            let of_network = (form.code == Code::Network && all_facts.get().is_none()).then(|| Facts::of_network(game));
            let facts = of_network.as_ref().unwrap_or_else(|| all_facts.get_or_init(|| Facts::of(game)));
            let Lifting { options, start } = Lifting::new(game, search, options, (facts, &marked), form.long_moves);
            lift(game, options, form.code, start.as_ref(), optimise)
        };
    let mut best: Option<(Lifted, Trial)> = None;
    let mut reason = None;
    let (mut game, mut search) = (game, search);
    let is_ground = !chooses(&game);
    let mut forms = VecDeque::from(forms(&game));
    while let Some(form) = forms.pop_front() {
        let code = form.code;
        let lifted = match lift_by((&game, search.as_ref()), form, optimise) {
            Ok(lifted) => lifted,
            // Searches are the base case, so their failure is the reason.
            Err(failure) => {
                if code != Code::Network {
                    reason = Some(failure.to_string());
                }
                continue;
            }
        };
        // A trial of searches ends once they cannot be better.
        let bound = best.as_ref().and_then(|(_, trial)| trial.bound()).filter(|_| code == Code::Scalar);
        let (parts, trial) = trial::of(Parts { game, lifted, search }, options, bound);
        let is_cheap = trial.is_some_and(Trial::is_cheap);
        let is_long = is_ground && code != Code::Network;
        let trial = if is_long { trial.map(|trial| trial.longer(BRANCHES)) } else { trial };
        if is_cheap && best.is_none() {
            return Ok((parts, trial));
        }
        let lifted = parts.lifted;
        (game, search) = (parts.game, parts.search);
        match (trial, &best) {
            (None, _) if form == Form::from(Code::Scalar) => forms.push_front(NUMBERED_SEARCHES),
            (None, _) => reason = Some("searches leave too much to side exits".to_owned()),
            (Some(trial), Some((_, other))) if !other.is_beaten_by(trial) => {}
            (Some(trial), _) => {
                if is_ground && trial.bound().is_some() && lifted.is_over_sets() {
                    forms.retain(|form| form.code != Code::Scalar);
                }
                best = Some((lifted, trial));
            }
        }
        if code == Code::Network && best.is_some() {
            break;
        }
    }
    match best {
        Some((lifted, trial)) => Ok((Parts { game, lifted, search }, Some(trial))),
        None => Err((search, reason.unwrap_or_default())),
    }
}

/// Edges beyond which code for each of them is not tried where there is a network.
const LARGE: usize = 1 << 15;

/// A form in which a game can be lifted.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Form {
    code: Code,
    long_moves: LongMoves,
}

impl From<Code> for Form {
    fn from(code: Code) -> Self {
        Self { code, long_moves: LongMoves::SideExit }
    }
}

/// What is tried where too many moves do not fit into words.
const NUMBERED_SEARCHES: Form = numbered_searches(u32::MAX);

/// Searches in which moves whose choices take more than so many bits have numbers.
const fn numbered_searches(beyond: u32) -> Form {
    Form { code: Code::Scalar, long_moves: LongMoves::Numbered { beyond } }
}

/// Whether some walk chooses among all values of a type; in a game of ground rules none does. Linear in the edges.
#[must_use]
pub fn chooses(game: &Game) -> bool {
    game.automaton.edges().any(|(_, edge)| matches!(edge.label, Label::AssignAny { .. }))
}

/// The forms that are tried for a game, in order.
fn forms(game: &Game) -> Vec<Form> {
    let codes = match game.automaton.edge_count() > LARGE {
        _ if chooses(game) => vec![Code::Sets, Code::Scalar],
        true => vec![Code::Network, Code::Sets, Code::Scalar],
        false => vec![Code::Sets, Code::Scalar, Code::Network],
    };
    codes.into_iter().map(Form::from).collect()
}

/// A game lifted in one form.
///
/// # Errors
/// The search, and why nothing is lifted.
fn lifted_as(form: Form, game: ValidGame, search: Box<dyn Backtracking>, options: &Options) -> Result<Parts, Unlifted> {
    let facts = if form.code == Code::Network { Facts::of_network(&game) } else { Facts::of(&game) };
    let marked = marked_nodes(&game, search.as_ref());
    let Lifting { options, start } = Lifting::new(&game, search.as_ref(), options, (&facts, &marked), form.long_moves);
    match lift(&game, options, form.code, start.as_ref(), &mut wir_opt::optimise) {
        Ok(lifted) => Ok(Parts { game, lifted, search }),
        Err(failure) => Err((search, failure.to_string())),
    }
}

/// A game lifted in a form in which the program alone makes all decisions and reads all labels: the one that costs least, or, if that
/// leaves something to the search over packed states, the one in which all decisions are searches.
///
/// # Errors
/// What each decision leaves to the search over packed states, a line for each.
pub(crate) fn self_contained(
    game: ValidGame,
    search: Box<dyn Backtracking>,
    options: &Options,
) -> Result<Parts, String> {
    let (parts, _) = cheapest(game, search, options, &mut wir_opt::optimise)
        .map_err(|(_, reason)| format!("the game is not lifted: {reason}"))?;
    let reasons = left_out(&parts.game, &parts.lifted);
    if reasons.is_empty() {
        return Ok(parts);
    }
    let Parts { game, search, .. } = parts;
    match lifted_as(NUMBERED_SEARCHES, game, search, options) {
        Ok(parts) if left_out(&parts.game, &parts.lifted).is_empty() => Ok(parts),
        _ => Err(reasons.join("\n")),
    }
}

/// What decisions leave to the search over packed states, a line for each.
fn left_out(game: &Game, lifted: &Lifted) -> Vec<String> {
    let reasons = lifted.stops.iter().skip(1).filter_map(|stop| {
        let reason = match &stop.decision {
            Err(failure) if !failure.is_elsewhere() => format!("is not lifted: {failure}"),
            _ => return None,
        };
        let node = if game.automaton.contains_node(stop.decider.node) { game.node_name(stop.decider.node) } else { "" };
        Some(format!("the decision at `{node}` {reason}"))
    });
    reasons.collect()
}

/// A game lifted as the options say, and the nanoseconds that a ply takes by trial; 0 where nothing is tried.
fn lifted(game: ValidGame, search: Box<dyn Backtracking>, options: &Options) -> Result<(Parts, u64), Unlifted> {
    let as_form = |form, game, search| Ok((lifted_as(form, game, search, options)?, 0));
    match options.lifted_code {
        LiftedCode::Cheapest => {
            let (parts, trial) = cheapest(game, search, options, &mut wir_opt::optimise)?;
            Ok((parts, trial.map_or(0, Trial::nanoseconds)))
        }
        LiftedCode::Sets => as_form(Code::Sets.into(), game, search),
        LiftedCode::Searches => as_form(Code::Scalar.into(), game, search),
        LiftedCode::NumberedSearches { beyond } => as_form(numbered_searches(beyond), game, search),
        LiftedCode::Network => as_form(Code::Network.into(), game, search),
    }
}

/// Edges up to which the other form of a game is tried in all forms of code.
const SMALL: usize = 1 << 12;

/// Code for each edge of a ground game takes about so many times as long as its instructions cost: it is long, and its branches are hard to
/// predict. A network is a few loops, whatever the rules are.
const BRANCHES: u64 = 2;

/// What a ply of the other form counts if it takes so many nanoseconds by trial. A large network counts half as much again: its counters
/// are not in the nearest cache, and it takes longer to start, so it has to be clearly faster.
fn with_handicap(nanoseconds: u64, edges: usize) -> u64 {
    if edges > LARGE { nanoseconds.saturating_mul(3) / 2 } else { nanoseconds }
}

/// The other form of a game lifted as a network, or if it is small in the form that is cheapest, and the nanoseconds that a ply takes by
/// trial.
fn lifted_other(game: ValidGame, search: Box<dyn Backtracking>, options: &Options) -> Result<(Parts, u64), Unlifted> {
    if game.automaton.edge_count() <= SMALL {
        return lifted(game, search, options);
    }
    let edges = game.automaton.edge_count();
    let (parts, trial) = trial::of(lifted_as(Code::Network.into(), game, search, options)?, options, None);
    Ok((parts, trial.map_or(u64::MAX, |trial| with_handicap(trial.nanoseconds(), edges))))
}

/// The engine for a lifted game, or the search. Beside it, why the game is not lifted.
fn fused(parts: Result<Parts, Unlifted>, options: &Options) -> (Box<dyn Model>, Option<String>) {
    let parts = match parts {
        Ok(parts) => parts,
        Err((search, reason)) => return (search, Some(reason)),
    };
    let executor = match executor(&parts.lifted.program, options, None) {
        Ok(executor) => executor,
        Err(reason) => return (parts.search, Some(reason)),
    };
    match Fused::new(parts, executor, options.limits.plies) {
        Ok(mut fused) => {
            if options.profile > 0 && options.engine != Engine::Interpreter {
                with_profile(&mut fused, options);
            }
            (Box::new(fused), None)
        }
        Err(parts) => (parts.search, None),
    }
}

/// Why lifted code cannot do what is wanted.
fn searched_only(options: &Options) -> Option<&'static str> {
    if options.ambiguity == Ambiguity::Split {
        Some("labels are split")
    } else {
        // Lifted states have no place for what nobody reads.
        options.keep_dead.then_some("states keep values that nobody reads")
    }
}

/// Takes an executor that knows what plays are like. Where that cannot be found out, everything stays as it is.
fn with_profile(fused: &mut Fused, options: &Options) {
    let Ok(vm) = Vm::new(fused.program()) else { return };
    let plain = fused.replace_executor(Box::new(vm));
    let known = fused.profile(options.profile);
    let executor = known.and_then(|profile| executor(fused.program(), options, Some(profile)));
    fused.replace_executor(executor.unwrap_or(plain));
}

#[cfg_attr(not(feature = "native"), expect(unused_variables, reason = "there is no machine code"))]
fn executor(program: &Program, options: &Options, profile: Option<Profile>) -> Result<Box<dyn Executor>, String> {
    match options.engine {
        #[cfg(feature = "native")]
        Engine::Native => codegen::machine_code(program, options.limits.compile_after, profile),
        #[cfg(feature = "native")]
        Engine::Auto => Ok(Box::new(Tiered::from_bytecode(program, profile)?)),
        _ => Ok(Box::new(Vm::new(program)?)),
    }
}
