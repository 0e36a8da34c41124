//! Lifting: decisions of a game as straight-line code over sets.
//!
//! Instead of walking the automaton once for each value that a variable can be given (`pos = Position(*)`), a *lane*
//! walks it once for all of them: it carries the set of the values with which a walk gets so far, and variables as
//! functions of the value. Tests intersect the set, steps compose functions, lanes that meet are united, so most walks
//! need no visited marks. What depends on more than one choice is a loop over the first one's set. See `docs/engine/techniques.md`.
//!
//! Nothing is guessed: where there is no rule, lifting fails ([`Failure`]) and the search by backtracking answers; where
//! something hardly ever happens, the code takes a side exit ([`wir::Inst::SideExit`]), with the same effect.

mod ahead;
mod apply;
mod backward;
mod branches;
mod build;
mod cases;
mod cells;
mod checks;
mod choose;
mod conditions;
mod deciders;
mod deferred;
mod emission;
mod exclusive;
mod explore;
mod facts;
mod failure;
mod folded;
mod furthest;
mod hidden;
mod implied_tags;
mod lane;
mod layout;
mod lifter;
mod loops;
mod merge;
mod monotone;
mod multiplex;
mod network;
mod numbers;
mod order;
mod places;
mod rays;
mod region;
mod scalar;
mod sets;
mod shape;
mod shared;
mod signs;
mod single_walk;
mod spare_entries;
mod speculative;
mod stages;
mod support;
mod tail_copies;
mod tails;
mod unique;
mod values;
mod whole_maps;
mod writes;

pub use deciders::Decider;
pub use emission::{MoveFormat, PART_SHIFT, TEMPLATE_SHIFT, Tag};
use engine::ValidGame;
pub use failure::Failure;
use implied_tags::ImpliedTags;
pub use layout::{Code, Field, Layout, Place, SetPlace};
use lifter::Lifter;
use numbers::Numbers;
use passes::analysis::{Ranges, Values};
use rg_ir::ids::Id;
use rg_ir::invariant::Invariant;
use rg_ir::{Game, NodeId, Symbol};
pub use scalar::{LongMoves, TagWidth};
use simulate::Simulation;
use spare_entries::SpareEntries;
use std::rc::Rc;
use tails::Tails;
use wir::effects::Effects;
use wir::{FnId, Function, Inst, Op, Program};

/// Most instructions of a function with the code of others in the place of its calls: bytecode has no calls, and all
/// engines run the same functions.
const MAX_WITHOUT_CALLS: u64 = 1 << 18;

/// The functions of one decision.
#[derive(Debug)]
pub struct Decision {
    /// Emits the moves.
    pub decide: FnId,
    /// Makes a move.
    pub apply: FnId,
    /// If words do not say the whole labels: reads a part of what follows the tags that they say. Its argument is the move and, from
    /// [`PART_SHIFT`] on, the number of the part; its result some tags ([`Lifted::tag_width`]), the first one in the lowest bits: 1 more than the symbol's number, 0 after
    /// the last tag.
    pub label: Option<FnId>,
    /// As `apply`, if the next decision has a move that is none of its passes; see [`speculative`].
    pub speculative: Option<FnId>,
    /// The kinds of moves that are legal only if all others are not, a bit each, the last one for all from 63 on.
    pub passes: u64,
    /// How to read them.
    pub templates: Vec<MoveFormat>,
    /// Whether some moves of one state may have the same label: such are one move if they lead to the same state, and have
    /// to be looked for among those that are found.
    pub overlaps: bool,
    /// Whether moves are found by a search, walk by walk, instead of over sets.
    pub is_search: bool,
}

/// A node at which somebody decides, or the end.
#[derive(Debug)]
pub struct Stop {
    /// When it is made.
    pub decider: Decider,
    /// Its functions.
    pub decision: Result<Decision, Failure>,
}

/// A game with all of its decisions that could be lifted.
#[derive(Debug)]
pub struct Lifted {
    /// Their functions.
    pub program: Program,
    /// Where variables are.
    pub layout: Layout,
    /// By the number in a state. The first one is the end.
    pub stops: Vec<Stop>,
    /// The symbols of every variable's values by number.
    pub symbols: Vec<Vec<Symbol>>,
    /// Per variable: the symbols of its keys by number.
    pub keys: Vec<Vec<Vec<Symbol>>>,
    /// How functions that read labels give tags.
    pub tag_width: TagWidth,
    /// Per variable: the initial value of each index, and whether the index exists.
    pub initial: Vec<(Vec<u32>, Vec<bool>)>,
    /// Makes many plays side by side; games whose code is a network have it.
    pub simulation: Option<Simulation>,
}

impl Lifted {
    /// Whether all decisions that play comes to by code are lifted, none of them as a search.
    #[must_use]
    pub fn is_over_sets(&self) -> bool {
        self.stops.iter().skip(1).all(|stop| match &stop.decision {
            Ok(decision) => !decision.is_search,
            Err(failure) => failure.is_elsewhere(),
        })
    }
}

/// What analyses find out about a game, whatever code it becomes. They cost a good part of lifting, so they run once for all forms.
pub struct Facts {
    /// The values that variables can have, if the game is not too large for that.
    values: Option<Values>,
    /// Tags that are shown, but not part of labels in code.
    implied_tags: Option<ImpliedTags>,
    /// By map, whether entries outside its key type may matter.
    spare_entries: SpareEntries,
}

impl Facts {
    /// Analyses a game: near-linear in its size, but for tags, which are looked at along all walks between two that show a position.
    #[must_use]
    pub fn of(game: &Game) -> Self {
        Self::with_values(game, Values::solve)
    }

    /// Analyses a game that is to become a network only: which values variables can have does not matter there, and is most of the work.
    #[must_use]
    pub fn of_network(game: &Game) -> Self {
        Self::with_values(game, |_, _| None)
    }

    fn with_values(game: &Game, values: impl FnOnce(&Game, &Ranges) -> Option<Values>) -> Self {
        let ranges = Ranges::solve(game);
        let values = values(game, &ranges);
        let implied_tags = implied_tags::remove(game, &Numbers::new(game));
        let spare_entries = SpareEntries::solve(game, &ranges, values.as_ref());
        Self { values, implied_tags, spare_entries }
    }
}

/// How a game is lifted.
#[derive(Clone, Copy)]
pub struct Options<'a> {
    /// What is known of the game.
    pub facts: &'a Facts,
    /// How many registers a function may have.
    pub registers: u32,
    /// Whether code leaves a case to the search where the keeper might have a choice.
    pub keeper_checked: bool,
    /// What scalar searches need, for decisions without a form over sets.
    pub searches: SearchFacts<'a>,
    /// What becomes of moves of searches that do not fit into a word.
    pub long_moves: LongMoves,
}

/// What is known of the walks of a game.
#[derive(Clone, Copy, Debug)]
pub struct SearchFacts<'a> {
    /// By node, whether all walks of a decision there have labels of their own.
    pub unique_labels: &'a [bool],
    /// By node, whether walks have to be kept from coming there twice with the same values.
    pub marked: &'a [bool],
}

/// Lifts a game into one kind of code: over sets where there are rules for it, other decisions as searches; or all of them as searches.
/// `start` is the node of the first decision, and the symbols that single variables have there. `optimise` runs
/// passes on the program, as [`wir_opt::optimise`] does.
///
/// # Errors
/// Why nothing can be lifted; single decisions have reasons of their own.
pub fn lift(
    game: &ValidGame,
    options: Options<'_>,
    code: Code,
    start: Option<&(NodeId, Vec<Option<Symbol>>)>,
    optimise: &mut dyn FnMut(&mut Program),
) -> Result<Lifted, Failure> {
    let mut finish = |attempt: Attempt, game: &Game| attempt.optimised(game, optimise);
    let whole = |attempt: &Result<Attempt, Failure>| attempt.as_ref().is_ok_and(Attempt::is_complete);
    let tails = if code == Code::Sets { tails::split(game) } else { None };
    let Some(tails) = tails else {
        return Ok(finish(attempt(game, options, Form { tails: None, code, wants: Wants::Most }, start)?, game)?.lifted);
    };
    // Most attempts that are given up for another one in the end fail early.
    let mut plain = attempt(game, options, Form { tails: None, code, wants: Wants::All }, start);
    if whole(&plain) {
        plain = finish(plain?, game);
        if whole(&plain) {
            return Ok(plain?.lifted);
        }
    }
    let (facts, form) = (Facts::of(&tails.game), Form { tails: Some(&tails), code, wants: Wants::Most });
    let mut other = attempt(game, Options { facts: &facts, ..options }, form, start);
    if whole(&other) {
        other = finish(other?, &tails.game);
        if whole(&other) {
            return Ok(other?.lifted);
        }
    }
    if plain.is_err() {
        plain = attempt(game, options, Form { tails: None, code, wants: Wants::Most }, start);
    }
    let decisions = |attempt: &Result<Attempt, Failure>| attempt.as_ref().map_or(0, Attempt::decisions);
    let is_better = |other: &_| decisions(other) > 0 && decisions(other) >= decisions(&plain);
    // What passes cost is only spent on the better one.
    if is_better(&other) {
        other = finish(other?, &tails.game);
        if is_better(&other) {
            return Ok(other?.lifted);
        }
    }
    Ok(finish(plain?, game)?.lifted)
}

/// What an attempt writes.
#[derive(Clone, Copy)]
struct Form<'a> {
    tails: Option<&'a Tails>,
    code: Code,
    wants: Wants,
}

/// Which decisions an attempt lifts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Wants {
    /// All of them over sets, with labels that tell moves apart; it fails as soon as one cannot be.
    All,
    /// As many as can be, and the others as searches.
    Most,
}

/// A game lifted in one way.
struct Attempt {
    lifted: Lifted,
    /// The node of the first decision.
    start: Option<NodeId>,
    /// Whether some walk that goes round a loop is left to a side exit.
    gives_up_loops: bool,
    /// Whether passes have run.
    is_optimised: bool,
}

impl Attempt {
    /// How many decisions are lifted over sets.
    fn decisions(&self) -> usize {
        let over_sets = |stop: &&Stop| stop.decision.as_ref().is_ok_and(|decision| !decision.is_search);
        self.lifted.stops.iter().filter(over_sets).count()
    }

    /// Whether all decisions are lifted, with all of their walks.
    fn is_complete(&self) -> bool {
        !self.gives_up_loops && self.lifted.is_over_sets()
    }

    /// Runs passes if they have not run, and gives up decisions of which these show that they are useless. `game` has the names of the
    /// nodes.
    fn optimised(mut self, game: &Game, optimise: &mut dyn FnMut(&mut Program)) -> Result<Self, Failure> {
        if std::mem::replace(&mut self.is_optimised, true) {
            return Ok(self);
        }
        let Lifted { program, stops, .. } = &mut self.lifted;
        optimise(program);
        refuse_useless(game, program, stops);
        one_is_lifted(stops, self.start)?;
        Ok(self)
    }
}

/// Lifts a game, or the one whose tails are the keeper's, into one kind of code.
fn attempt(
    game: &ValidGame,
    options: Options<'_>,
    Form { tails, code, wants }: Form<'_>,
    start: Option<&(NodeId, Vec<Option<Symbol>>)>,
) -> Result<Attempt, Failure> {
    let claims = game.claims();
    let game: &Game = tails.map_or(game, |tails| &tails.game);
    let labelled = game;
    let numbers = Numbers::new(game);
    let Facts { values, implied_tags, spare_entries } = options.facts;
    let game: &Game = implied_tags.as_ref().map_or(game, |without| &without.game);
    let mut lifter = Lifter::new(game, claims, numbers, values.as_ref(), code)?;
    lifter.known.implied_tags = implied_tags.as_ref();
    lifter.known.spare_entries = Some(spare_entries);
    lifter.known.tails = tails;
    lifter.known.strict = options.keeper_checked;
    lifter.known.long_moves = options.long_moves;
    lifter.known.most = options.registers as usize;
    lifter.known.labelled = Some(labelled);
    lifter.known.wants = wants;
    if tails.is_none() {
        lifter.known.walks = Some(options.searches);
    }
    let mut stops = decisions(&mut lifter, start)?;
    let first = start.map(|(node, _)| *node);
    one_is_lifted(&mut stops, first)?;
    lifter.program.state_words = lifter.layout.words;
    lifter.program.tables = lifter.tables.all();
    if !lifter.program.functions.iter().any(|function| Effects::of(&function.body).memory) {
        lifter.program.scratch_words = 0;
    }
    let symbols = lifter.known.numbers.vars.values().map(|form| match form {
        Ok(form) => lifter.known.numbers.members(form.class).to_vec(),
        Err(_) => Vec::new(),
    });
    let initial = lifter.known.numbers.vars.values().map(|form| match form {
        Ok(form) => (form.values.to_vec(), form.real.to_vec()),
        Err(_) => (Vec::new(), Vec::new()),
    });
    let keys = lifter.known.numbers.vars.values().map(|form| match form {
        Ok(form) => lifter.known.numbers.keys(form),
        Err(_) => Vec::new(),
    });
    let gives_up_loops = lifter.gives_up_loops;
    let simulation = lifter.network.take().and_then(Result::ok).and_then(Rc::into_inner);
    let lifted = Lifted {
        keys: keys.collect(),
        symbols: symbols.collect(),
        initial: initial.collect(),
        tag_width: TagWidth::of(game.symbols.len()),
        stops,
        layout: lifter.layout,
        program: lifter.program,
        simulation: simulation.and_then(|network| network.simulation),
    };
    Ok(Attempt { lifted, start: first, gives_up_loops, is_optimised: false })
}

/// All decisions of a game, the end first, each lifted if there are rules for it. Making moves shows which decisions there are.
///
/// # Errors
/// Why a decision is not lifted, if all have to be.
fn decisions(lifter: &mut Lifter<'_>, start: Option<&(NodeId, Vec<Option<Symbol>>)>) -> Result<Vec<Stop>, Failure> {
    let mut stops: Vec<Stop> = Vec::new();
    let mut total = 0;
    lifter.stops.push(Decider { node: lifter.game.end(), fixed: Vec::new() });
    if let Some((node, values)) = start.filter(|(node, _)| *node != lifter.game.end()) {
        let fixed = lifter.special(*node).into_iter().filter_map(|var| {
            let symbol = *values.get(var.index())?;
            let form = lifter.known.numbers.vars.get(var)?.as_ref().ok()?;
            Some((var, lifter.known.numbers.number(form.class, symbol?)?))
        });
        let fixed = fixed.collect();
        lifter.stops.push(Decider { node: *node, fixed });
    }
    while let Some(decider) = lifter.stops.get(stops.len()).cloned() {
        let decision = match stops.len() {
            0 => Err(Failure::new("the game is over")),
            _ if lifter.known.wants == Wants::All => Ok(lifter.decision(&decider, &mut total)?),
            _ => lifter.decision(&decider, &mut total),
        };
        stops.push(Stop { decider, decision });
    }
    // Play can also come to a decision by backtracking.
    for node in lifter.known.nodes.iter().copied().skip(1) {
        if !stops.iter().any(|stop| stop.decider.node == node && stop.decider.fixed.is_empty()) {
            let decider = Decider { node, fixed: Vec::new() };
            stops.push(Stop { decider, decision: Err(Failure::elsewhere()) });
        }
    }
    Ok(stops)
}

/// The reason why the first decision is not lifted, if none is. A game that is over at once has none that could be.
fn one_is_lifted(stops: &mut Vec<Stop>, start: Option<NodeId>) -> Result<(), Failure> {
    let end = stops.first().map(|stop| stop.decider.node);
    if stops.iter().any(|stop| stop.decision.is_ok()) || start.is_some() && start == end {
        return Ok(());
    }
    let first = std::mem::take(stops).into_iter().nth(1).and_then(|stop| stop.decision.err());
    Err(first.unwrap_or_else(|| Failure::new("nobody decides")))
}

/// Gives up decisions whose functions have become too large, or always take a side exit.
fn refuse_useless(game: &Game, program: &Program, stops: &mut [Stop]) {
    let sizes = wir::calls::sizes(program);
    for stop in stops {
        let Ok(decision) = &mut stop.decision else { continue };
        let size = |function: FnId| {
            sizes.get(function as usize).copied().invariant_or(0, "every function of a decision has a size")
        };
        if size(decision.decide).max(size(decision.apply)) > MAX_WITHOUT_CALLS {
            let large = Failure::too_large();
            stop.decision = Err(large.at(game.node_name(stop.decider.node)));
            continue;
        }
        let always_exits = |function: &FnId| program.functions.get(*function as usize).is_some_and(always_exits);
        decision.speculative = decision.speculative.filter(|speculative| !always_exits(speculative));
        if always_exits(&decision.decide) || always_exits(&decision.apply) {
            stop.decision = Err(Failure::new("lifted code would leave every case to backtracking"));
        }
    }
}

/// Whether a function always takes a side exit.
fn always_exits(function: &Function) -> bool {
    let is_one = |reg| {
        let mut values = function.body.insts.iter().filter_map(|inst| match inst {
            Inst::Let { to, op: Op::Const(value) } if *to == reg => Some(*value != 0),
            _ => None,
        });
        values.next().unwrap_or(false)
    };
    function.body.insts.iter().any(|inst| matches!(inst, Inst::SideExit { cond } if is_one(*cond)))
}
