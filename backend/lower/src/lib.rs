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
mod build;
mod cases;
mod cells;
mod checks;
mod choose;
mod conditions;
mod deciders;
mod deferred;
mod emission;
mod explore;
mod facts;
mod failure;
mod folded;
mod furthest;
mod implied_tags;
mod lane;
mod layout;
mod loops;
mod merge;
mod monotone;
mod multiplex;
mod numbers;
mod order;
mod places;
mod rays;
mod region;
mod sets;
mod shape;
mod shared;
mod single_walk;
mod speculative;
mod stages;
mod support;
mod unique;
mod values;
mod writes;

use build::{Builder, Tables};
use checks::Answer;
pub use deciders::Decider;
use emission::{Emitted, Template};
pub use emission::{MoveFormat, TEMPLATE_SHIFT, Tag};
use engine::valid::{Claims, ValidGame};
pub use failure::Failure;
use lane::{GenId, Paths, Store};
use layout::Kind;
pub use layout::{Field, Layout, Place};
use numbers::Numbers;
use passes::analysis::mobility::MobilityChecks;
use passes::analysis::{Liveness, Ranges, Values};
use passes::dataflow::Solution;
use region::{Goal, Region};
use rg_ir::cancel;
use rg_ir::ids::Id;
use rg_ir::invariant::Invariant;
use rg_ir::{EdgeId, Game, Label, NodeId, Symbol, VarId};
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;
use unique::Unique;
use wir::{FnId, Function, Inst, Op, Program, Reg};

/// How many functions of the greatest size there may be.
const MAX_LARGE: usize = 10;
/// Nodes that all searches together may come by, regions included, and more for each node that there is.
const WORK: (usize, usize) = (1 << 18, 4);
/// Most instructions of a function with the code of others in the place of its calls: bytecode has no calls, and all
/// engines run the same functions.
const MAX_WITHOUT_CALLS: u64 = 1 << 18;
/// How often a function is begun anew with more choices taken for the only ones.
const MAX_ATTEMPTS: usize = 8;

/// The functions of one decision.
#[derive(Debug)]
pub struct Decision {
    /// Emits the moves.
    pub decide: FnId,
    /// Makes a move.
    pub apply: FnId,
    /// As `apply`, if the next decision has a move that is none of its passes; see [`speculative`].
    pub speculative: Option<FnId>,
    /// The kinds of moves that are legal only if all others are not, a bit each, the last one for all from 63 on.
    pub passes: u64,
    /// How to read them.
    pub templates: Vec<MoveFormat>,
    /// Whether some moves of one state may have the same label: such are one move if they lead to the same state, and have
    /// to be looked for among those that are found.
    pub overlaps: bool,
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
    /// Per variable: the initial value of each index, and whether the index exists.
    pub initial: Vec<(Vec<u32>, Vec<bool>)>,
}

/// How a game is lifted.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// How many registers a function may have.
    pub registers: u32,
    /// Whether code leaves a case to the search where the keeper might have a choice.
    pub keeper_checked: bool,
    /// What becomes of tags that the values around them tell.
    pub implied: Implied,
}

/// What becomes of implied tags: those that follow from the values around them ([`implied_tags`]).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Implied {
    /// They are part of labels like all others.
    Kept,
    /// Those who read labels add them.
    LeftOut,
}

/// Lifts a game. `start` is the node of the first decision, and the symbols that single variables have there. `optimise` runs
/// passes on the program, as [`wir_opt::optimise`] does.
///
/// # Errors
/// Why nothing can be lifted; single decisions have reasons of their own.
pub fn lift(
    game: &ValidGame,
    options: Options,
    start: Option<&(NodeId, Vec<Option<Symbol>>)>,
    optimise: &mut dyn FnMut(&mut Program),
) -> Result<Lifted, Failure> {
    let numbers = Numbers::new(game);
    let values = Values::solve(game, &Ranges::solve(game));
    let without = match options.implied {
        Implied::LeftOut => implied_tags::remove(game, &numbers),
        Implied::Kept => None,
    };
    let claims = game.claims();
    let game: &Game = without.as_ref().map_or(game, |without| &without.game);
    let mut lifter = Lifter::new(game, claims, numbers, values)?;
    lifter.implied_tags = without.as_ref();
    lifter.strict = options.keeper_checked;
    lifter.most = options.registers as usize;
    let mut stops: Vec<Stop> = Vec::new();
    let mut total = 0;
    lifter.stops.push(Decider { node: game.end(), fixed: Vec::new() });
    if let Some((node, values)) = start {
        let fixed = lifter.special(*node).into_iter().filter_map(|var| {
            let symbol = *values.get(var.index())?;
            let form = lifter.numbers.vars.get(var)?.as_ref().ok()?;
            Some((var, lifter.numbers.number(form.class, symbol?)?))
        });
        let fixed = fixed.collect();
        lifter.stops.push(Decider { node: *node, fixed });
    }
    // Making moves shows which decisions there are.
    while let Some(decider) = lifter.stops.get(stops.len()).cloned() {
        let decision = match stops.len() {
            0 => Err(Failure::new("the game is over")),
            _ => lifter.decision(&decider, &mut total),
        };
        stops.push(Stop { decider, decision });
    }
    // Play can also come to a decision by backtracking.
    for node in lifter.nodes.iter().copied().skip(1) {
        if !stops.iter().any(|stop| stop.decider.node == node && stop.decider.fixed.is_empty()) {
            let decider = Decider { node, fixed: Vec::new() };
            stops.push(Stop { decider, decision: Err(Failure::elsewhere()) });
        }
    }
    if stops.iter().all(|stop| stop.decision.is_err()) {
        let first = stops.into_iter().nth(1).and_then(|stop| stop.decision.err());
        return Err(first.unwrap_or_else(|| Failure::new("nobody decides")));
    }
    lifter.program.state_words = lifter.layout.words;
    lifter.program.tables = lifter.tables.all();
    optimise(&mut lifter.program);
    let sizes = wir::calls::sizes(&lifter.program);
    for stop in &mut stops {
        let Ok(decision) = &mut stop.decision else { continue };
        let size = |function: FnId| {
            sizes.get(function as usize).copied().invariant_or(0, "every function of a decision has a size")
        };
        if size(decision.decide).max(size(decision.apply)) > MAX_WITHOUT_CALLS {
            let large = Failure::too_large();
            stop.decision = Err(large.at(game.node_name(stop.decider.node)));
            continue;
        }
        let always_exits = |function: &FnId| lifter.program.functions.get(*function as usize).is_some_and(always_exits);
        decision.speculative = decision.speculative.filter(|speculative| !always_exits(speculative));
        if always_exits(&decision.decide) || always_exits(&decision.apply) {
            stop.decision = Err(Failure::new("lifted code would leave every case to backtracking"));
        }
    }
    if stops.iter().all(|stop| stop.decision.is_err()) {
        let first = stops.into_iter().nth(1).and_then(|stop| stop.decision.err());
        return Err(first.unwrap_or_else(|| Failure::new("nobody decides")));
    }
    let symbols = lifter.numbers.vars.values().map(|form| match form {
        Ok(form) => lifter.numbers.members(form.class).to_vec(),
        Err(_) => Vec::new(),
    });
    let initial = lifter.numbers.vars.values().map(|form| match form {
        Ok(form) => (form.values.to_vec(), form.real.to_vec()),
        Err(_) => (Vec::new(), Vec::new()),
    });
    let keys = lifter.numbers.vars.values().map(|form| match form {
        Ok(form) => form.keys.iter().map(|&key| lifter.numbers.members(key).to_vec()).collect(),
        Err(_) => Vec::new(),
    });
    Ok(Lifted {
        keys: keys.collect(),
        symbols: symbols.collect(),
        initial: initial.collect(),
        stops,
        layout: lifter.layout,
        program: lifter.program,
    })
}

/// The state of the compiler.
struct Lifter<'g> {
    game: &'g Game,
    numbers: Numbers,
    kinds: Vec<Kind>,
    layout: Layout,
    program: Program,
    tables: Tables,
    liveness: Solution<fixedbitset::FixedBitSet>,
    player: Option<VarId>,
    visible: Option<VarId>,
    /// The players that decide, as numbers.
    deciders: Vec<u32>,
    /// All nodes where somebody decides; the first is the end.
    nodes: Vec<NodeId>,
    /// Decisions by number that are or will be lifted; the first is the end.
    stops: Vec<Decider>,
    /// Whether the keeper's moves are being lifted.
    keeper: bool,
    /// Why some of the keeper's walks are left to backtracking.
    left_out: Option<Failure>,
    /// Edges that the keeper takes only where it can take no other; see [`ahead`].
    subsumed: FxHashSet<EdgeId>,
    /// Where the keeper hands over to somebody who has a move; see [`speculative`].
    mobility: MobilityChecks,
    /// Whether the keeper may have several ways to one end.
    keeper_may_choose: bool,
    /// Whether a keeper with a choice has to be noticed.
    strict: bool,
    /// Tags that are shown, but not part of labels here.
    implied_tags: Option<&'g implied_tags::ImpliedTags>,
    /// The variables before the move.
    before: Vec<Store>,
    /// Most registers of one function.
    most: usize,
    regions: FxHashMap<(Goal, NodeId), Rc<Region>>,
    /// Classes that index a map of sets.
    positions: FxHashSet<usize>,
    unique: Unique,
    // The function at work:
    builder: Builder,
    /// A store of each kind.
    blank: Vec<Store>,
    paths: Paths,
    generators: GenId,
    /// Number of elements of each choice's sets.
    chosen_sizes: Vec<usize>,
    /// Where registers come from, and what truth values say; see [`cells`].
    sources: FxHashMap<Reg, cells::Source>,
    entries: FxHashMap<Reg, cells::Entries>,
    /// Variables whose assignments wait until a move is made; see [`deferred`].
    deferred: FxHashSet<VarId>,
    /// Expressions that the last evaluations took for constants because of what a lane's tests had established.
    folded: Vec<(rg_ir::ExprId, u32)>,
    /// Choices that must not be forgotten.
    pinned: Vec<GenId>,
    /// Choices that no label has to show.
    free: FxHashSet<GenId>,
    /// Choices that are taken for the only ones.
    singles: FxHashSet<GenId>,
    answers: Vec<Answer>,
    /// All choices that lanes had where the present check is asked; see [`monotone`].
    together: Option<monotone::Together>,
    /// Whether moves with the same label are distinguished later.
    overlaps: bool,
    /// Whether the code has to be small: checks have functions of their own, and are skipped where no walk comes to them,
    /// instead of being made for all walks together.
    size_optimised: bool,
    /// Whether the check that is asked next is better a function of its own.
    outline: bool,
    /// Checks with functions of their own.
    shared: Vec<shared::Shared>,
    /// See [`support`].
    beginning: Option<support::Beginning>,
    supports: Vec<support::Supported>,
    recording: Option<support::Recording>,
    loops: loops::Loops,
    /// Whether some entries of maps have no value, so that a test of each value may fail.
    partial: bool,
    /// Checks that only walked along lines.
    walked: usize,
    emitted: Vec<Emitted>,
    templates: Vec<Template>,
    nested: usize,
    /// Fixed points inside each other.
    fixpoints: usize,
    /// Searches inside each other.
    depth: usize,
    /// Nodes that searches came by so far.
    work: usize,
}

impl<'g> Lifter<'g> {
    fn new(game: &'g Game, claims: &Claims, mut numbers: Numbers, values: Option<Values>) -> Result<Self, Failure> {
        let find = |name: &str| game.symbols.get(name).and_then(|name| game.find_var(name));
        let (player, visible) = (find("player"), find("visible"));
        let kinds: Vec<Kind> = game.vars.ids().map(|var| Kind::of(&numbers, var)).collect();
        if let Some(values) = &values {
            let sets = game.vars.ids().zip(&kinds).filter(|(_, kind)| **kind == Kind::Sets);
            sets.for_each(|(var, _)| numbers.forget_constants(var, values));
        }
        let unique = Unique::solve(game, &numbers, values.as_ref());
        let liveness = Liveness::solve(game);
        let keeper = game.symbols.get("keeper");
        let mut nodes = vec![game.end()];
        let mut seen: FxHashSet<NodeId> = nodes.iter().copied().collect();
        for (_, edge) in game.automaton.edges() {
            let known = region::constant_player(game, &edge.label);
            if game.ends_move(&edge.label) && (known.is_none() || known != keeper) && seen.insert(edge.target) {
                nodes.push(edge.target);
            }
        }
        let goals = find("goals");
        let kept: Vec<bool> = game
            .vars
            .ids()
            .map(|var| {
                let live = nodes.iter().any(|&node| liveness.at(node).is_some_and(|fact| fact.contains(var.index())));
                Some(var) == player || Some(var) == goals || (live && Some(var) != visible)
            })
            .collect();
        let values = layout::possible(game, &numbers, values.as_ref());
        let layout = Layout::new(game, &numbers, &kinds, &kept, &values)?;
        let mut positions = FxHashSet::default();
        for var in game.vars.ids() {
            if let (Some(Kind::Sets), Some(Ok(form))) = (kinds.get(var.index()), numbers.vars.get(var)) {
                positions.extend(form.keys.iter().copied());
            }
        }
        let deciders = player.and_then(|player| {
            let class = numbers.vars.get(player)?.as_ref().ok()?.class;
            let names = game.players().iter().copied().chain(game.symbols.get("random"));
            Some(names.filter_map(|name| numbers.number(class, name)).collect())
        });
        let tables = Tables::default();
        let builder = Builder::new(0, &tables);
        let mut lifter = Self {
            game,
            kinds,
            layout,
            program: Program::default(),
            tables,
            liveness,
            player,
            visible,
            deciders: deciders.unwrap_or_default(),
            nodes,
            stops: Vec::new(),
            keeper: false,
            left_out: None,
            subsumed: FxHashSet::default(),
            mobility: MobilityChecks::of(game, &claims.handovers),
            keeper_may_choose: claims.keeper_may_choose,
            strict: false,
            implied_tags: None,
            before: Vec::new(),
            most: 0,
            regions: FxHashMap::default(),
            positions,
            unique,
            numbers,
            builder,
            blank: Vec::new(),
            paths: Paths::default(),
            generators: 0,
            chosen_sizes: Vec::new(),
            sources: FxHashMap::default(),
            entries: FxHashMap::default(),
            deferred: FxHashSet::default(),
            folded: Vec::new(),
            pinned: Vec::new(),
            free: FxHashSet::default(),
            singles: FxHashSet::default(),
            answers: Vec::new(),
            together: None,
            overlaps: false,
            size_optimised: false,
            outline: false,
            shared: Vec::new(),
            beginning: None,
            supports: Vec::new(),
            recording: None,
            loops: loops::Loops::Any,
            partial: false,
            walked: 0,
            emitted: Vec::new(),
            templates: Vec::new(),
            nested: 0,
            fixpoints: 0,
            depth: 0,
            work: 0,
        };
        for (_, edge) in game.automaton.edges() {
            // So many values are not told apart case by case.
            if let Label::AssignAny { lhs, ty } = edge.label
                && explore::MAX_CASES < game.types.members(ty).len()
                && let Ok(Some(class)) = lifter.class_of(lhs)
                && lifter.numbers.size(class) <= layout::MAX_INDICES
            {
                lifter.positions.insert(class);
            }
        }
        lifter.blank = game.vars.ids().map(|var| lifter.initial_store(var)).collect();
        Ok(lifter)
    }

    /// Lifts one decision: its moves, and making them.
    fn decision(&mut self, decider: &Decider, total: &mut usize) -> Result<Decision, Failure> {
        let decision = self.decided(decider, total);
        if self.size_optimised || !decision.as_ref().is_err_and(Failure::is_too_large) {
            return decision;
        }
        self.size_optimised = true;
        self.decided(decider, total)
    }

    fn decided(&mut self, decider: &Decider, total: &mut usize) -> Result<Decision, Failure> {
        // Whatever an attempt that failed has left.
        self.builder = Builder::new(0, &self.tables);
        self.fits()?;
        self.overlaps = false;
        let decide = match self.with_singles(decider) {
            Err(failure) if failure.same_label => {
                self.overlaps = true;
                self.with_singles(decider)?
            }
            decide => decide?,
        };
        let templates = std::mem::take(&mut self.templates);
        if templates.is_empty() {
            return Err(Failure::new("there is no move").at(self.game.node_name(decider.node)));
        }
        let apply = self.applying(decider, &templates)?;
        *total += decide.registers as usize + apply.registers as usize;
        if *total > self.most.saturating_mul(MAX_LARGE) {
            return Err(Failure::too_large());
        }
        self.program.functions.extend([decide, apply]);
        let count = self.program.functions.len() as FnId;
        let speculative = self.speculative_apply(decider, &templates);
        let passes = self.mobility.passes(templates.iter().map(|template| template.edge));
        let templates = templates.into_iter().map(|template| template.format).collect();
        Ok(Decision { decide: count - 2, apply: count - 1, speculative, passes, templates, overlaps: self.overlaps })
    }

    /// The function that lists moves, with as many choices taken for the only ones as labels do not show.
    fn with_singles(&mut self, decider: &Decider) -> Result<Function, Failure> {
        self.singles.clear();
        for _ in 1..MAX_ATTEMPTS {
            match self.deciding(decider) {
                Err(Failure { hidden_choice: Some(id), .. }) if self.singles.insert(id) => {}
                other => return other,
            }
        }
        self.deciding(decider)
    }

    fn deciding(&mut self, decider: &Decider) -> Result<Function, Failure> {
        let node = decider.node;
        let game = self.game;
        cancel::begin_step(game.automaton.node(node).span, || {
            format!("the decision at node `{}` was lifted", game.node_name(node))
        });
        self.begin(0);
        self.fits()?;
        self.paths = Paths::default();
        self.templates.clear();
        let region = self.region(Goal::Moves, node);
        self.deferred = self.deferrable(&region);
        let mut lane = self.loaded(decider);
        self.before.clone_from(&lane.vars);
        self.begins_at(&lane);
        for var in &self.deferred {
            if let Some(slot) = lane.vars.get_mut(var.index()) {
                *slot = Store::Dead;
            }
        }
        if region.contains(node) {
            self.explore(&region, vec![(node, lane)])?;
        }
        self.ended(format!("decide_{}", self.game.node_name(node)), 0, Vec::new())
    }

    /// Begins a function.
    fn begin(&mut self, params: u32) {
        self.builder = Builder::new(params, &self.tables);
        self.generators = 0;
        self.chosen_sizes.clear();
        self.sources.clear();
        self.entries.clear();
        self.pinned.clear();
        self.free.clear();
        self.answers.clear();
        self.together = None;
        self.beginning = None;
        self.supports.clear();
        self.emitted.clear();
        self.keeper = false;
        self.nested = 0;
        self.loops = loops::Loops::Any;
        self.partial = false;
        self.fixpoints = 0;
        self.depth = 0;
        self.blank = self.game.vars.ids().map(|var| self.initial_store(var)).collect();
    }

    fn ended(&mut self, name: String, params: u32, yields: Vec<wir::Reg>) -> Result<Function, Failure> {
        // What was found with no work left may be wrong.
        self.fits()?;
        let builder = std::mem::replace(&mut self.builder, Builder::new(0, &self.tables));
        Ok(builder.finish(name, params, yields))
    }

    /// Refuses functions that grow too large.
    fn fits(&mut self) -> Result<(), Failure> {
        self.work += 1;
        if self.work > self.allowed() {
            return Err(Failure::new("the game is too large"));
        }
        // What takes more than half of the room is begun anew, optimised for size: that is found out before much time is lost.
        let most = if self.size_optimised { self.most } else { self.most / 2 };
        if self.builder.size() > most { Err(Failure::too_large()) } else { Ok(()) }
    }

    fn allowed(&self) -> usize {
        WORK.0 + WORK.1 * self.game.automaton.node_count()
    }

    fn fresh_generator(&mut self) -> GenId {
        self.generators += 1;
        self.generators - 1
    }

    fn region(&mut self, goal: Goal, start: NodeId) -> Rc<Region> {
        let game = self.game;
        if let Some(region) = self.regions.get(&(goal, start)) {
            return region.clone();
        }
        // With no work left nothing is walked any more: an empty region stands for all.
        let region =
            Rc::new(if self.work > self.allowed() { Region::empty(goal) } else { Region::new(game, goal, &[start]) });
        self.work += region.component.len();
        self.regions.insert((goal, start), region.clone());
        region
    }

    /// Whether a class is one of positions.
    fn is_position(&self, class: usize) -> bool {
        self.positions.contains(&class)
    }

    /// Whether the value of a variable can matter from a node on.
    fn is_live(&self, node: NodeId, var: usize) -> bool {
        let always = [self.player, self.visible].iter().flatten().any(|other| other.index() == var);
        always || self.liveness.at(node).is_some_and(|fact| fact.contains(var))
    }

    /// The player that decides at a node, if all ways there say the same.
    fn player_at(&self, node: NodeId) -> Option<u32> {
        let class = self.numbers.vars.get(self.player?)?.as_ref().ok()?.class;
        let mut found = None;
        for &id in self.game.automaton.incoming(node) {
            let edge = self.game.automaton.edge(id);
            if !self.game.ends_move(&edge.label) {
                continue;
            }
            let symbol = region::constant_player(self.game, &edge.label)?;
            if found.is_some_and(|found| found != symbol) {
                return None;
            }
            found = Some(symbol);
        }
        self.numbers.number(class, found?)
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
