//! The state of the compiler, and how a decision is lifted: its function that lists moves, and the one that makes a move.
//!
//! The state has parts that live as long as the game ([`Known`], [`Lifter`]), as a function ([`FunctionState`]), and as the checks of a function
//! ([`CheckState`]).

use super::build::{Builder, Tables};
use super::checks::Answer;
use super::emission::{Emitted, Template};
use super::lane::{GenId, Paths, Store};
use super::layout::{self, Kind, Layout};
use super::numbers::Numbers;
use super::region::{self, Goal, Region};
use super::scalar::LongMoves;
use super::spare_entries::SpareEntries;
use super::tails::Tails;
use super::unique::Unique;
use super::{
    Decider, Decision, Failure, SearchFacts, Wants, cells, explore, implied_tags, loops, monotone, network, scalar,
    shared, support,
};
use engine::valid::{Claims, has_hidden_tags};
use passes::analysis::mobility::MobilityChecks;
use passes::analysis::{Liveness, Values};
use passes::dataflow::Solution;
use rg_ir::cancel;
use rg_ir::ids::Id;
use rg_ir::{EdgeId, Game, Label, NodeId, VarId};
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;
use wir::{FnId, Function, Program, Reg};

/// How many functions of the greatest size there may be.
const MAX_LARGE: usize = 10;
/// Nodes that all searches together may come by, regions included, and more for each node that there is.
const WORK: (usize, usize) = (1 << 18, 4);
/// A function larger than the size limit divided by this is restarted in the smaller style as soon as it has to be restarted at all.
const LARGE: usize = 3;
/// How often a function is begun anew with more choices taken for the only ones.
const MAX_ATTEMPTS: usize = 8;

/// What is known of a game before any of it is lifted.
pub(super) struct Known<'g> {
    /// The numbers of symbols.
    pub(super) numbers: Numbers,
    /// How each variable is kept.
    pub(super) kinds: Vec<Kind>,
    /// The variables whose values can matter, by node.
    pub(super) liveness: Solution<fixedbitset::FixedBitSet>,
    /// The variable `player`.
    pub(super) player: Option<VarId>,
    /// The variable `visible`, if some player may not see some tag.
    pub(super) visible: Option<VarId>,
    /// The players that decide, as numbers.
    pub(super) deciders: Vec<u32>,
    /// All nodes where somebody decides; the first is the end.
    pub(super) nodes: Vec<NodeId>,
    /// Classes that index a map of sets.
    pub(super) positions: FxHashSet<usize>,
    /// What a map has at one place at most.
    pub(super) unique: Unique,
    /// The values that variables can have, if the game is not too large for that.
    pub(super) values: Option<&'g Values>,
    /// Tags that are shown, but not part of labels here.
    pub(super) implied_tags: Option<&'g implied_tags::ImpliedTags>,
    /// Whether entries of maps outside their key types may matter; `None` if that has not been found out.
    pub(super) spare_entries: Option<&'g SpareEntries>,
    /// The tails of moves that are the keeper's.
    pub(super) tails: Option<&'g Tails>,
    /// Whether the keeper may have several ways to one end.
    pub(super) keeper_may_choose: bool,
    /// Whether a keeper with a choice has to be noticed.
    pub(super) strict: bool,
    /// Most registers of one function.
    pub(super) most: usize,
    /// What decisions become.
    pub(super) code: layout::Code,
    /// The game with all of its tags, on the same nodes and edges.
    pub(super) labelled: Option<&'g Game>,
    /// What scalar searches need; `None` if there are none.
    pub(super) walks: Option<SearchFacts<'g>>,
    /// What becomes of moves of searches that do not fit into a word.
    pub(super) long_moves: LongMoves,
    /// Which decisions are lifted.
    pub(super) wants: Wants,
}

/// How a function is written.
#[derive(Clone, Copy, Default)]
pub(super) struct Style {
    /// Whether moves with the same label are distinguished later.
    pub(super) overlaps: bool,
    /// Whether the code has to be small: checks have functions of their own, and are skipped where no walk comes to them,
    /// instead of being made for all walks together.
    pub(super) size_optimised: bool,
    /// Whether loops in which walks part have code for one round only.
    pub(super) one_round: bool,
    /// Whether code for rare walks is skipped in states that have none; see [`branches`](super::branches).
    pub(super) branches: bool,
}

/// The function at work.
pub(super) struct FunctionState {
    /// Whether the keeper's moves are being lifted.
    pub(super) keeper: bool,
    /// Where moves begin, if it lists them.
    pub(super) node: Option<NodeId>,
    /// The variables before the move.
    pub(super) before: Vec<Store>,
    /// Its code.
    pub(super) builder: Builder,
    /// A store of each kind.
    pub(super) blank: Vec<Store>,
    /// The ways that lanes came.
    pub(super) paths: Paths,
    /// The number of the next choice.
    pub(super) generators: GenId,
    /// By choice, the elements that it can be of, a bit each.
    pub(super) elements: Vec<Vec<u64>>,
    /// Where registers come from, and what truth values say; see [`cells`].
    pub(super) sources: FxHashMap<Reg, cells::Source>,
    /// Registers that are entries of maps.
    pub(super) entries: FxHashMap<Reg, cells::Entries>,
    /// Variables whose assignments wait until a move is made; see [`deferred`].
    pub(super) deferred: FxHashSet<VarId>,
    /// Expressions that the last evaluations took for constants because of what a lane's tests had established.
    pub(super) folded: Vec<(rg_ir::ExprId, u32)>,
    /// Choices that must not be forgotten.
    pub(super) pinned: Vec<GenId>,
    /// Choices that no label has to show.
    pub(super) free: FxHashSet<GenId>,
    /// Choices that are taken for the only ones.
    pub(super) singles: FxHashSet<GenId>,
    /// How it is written.
    pub(super) style: Style,
    /// Whether some entries of maps have no value, so that a test of each value may fail.
    pub(super) partial: bool,
    /// Sets of moves that were emitted so far.
    pub(super) emitted: Vec<Emitted>,
    /// The kinds of moves so far.
    pub(super) templates: Vec<Template>,
}

/// The checks of the function at work.
#[derive(Default)]
pub(super) struct CheckState {
    /// Answers of checks that are known in scope.
    pub(super) answers: Vec<Answer>,
    /// All choices that lanes had where the present check is asked; see [`monotone`].
    pub(super) together: Option<monotone::Together>,
    /// Whether the check that is asked next is better a function of its own.
    pub(super) outline: bool,
    /// See [`support`].
    pub(super) beginning: Option<support::Beginning>,
    /// Checks that were answered at the beginning, with their support.
    pub(super) supports: Vec<support::Supported>,
    /// What the check at the beginning asks, while it is evaluated.
    pub(super) recording: Option<support::Recording>,
    /// How loops are walked.
    pub(super) loops: loops::Loops,
    /// Checks that only walked along lines.
    pub(super) walked: usize,
    /// Choices inside each other.
    pub(super) nested: usize,
    /// Fixed points inside each other.
    pub(super) fixpoints: usize,
    /// Searches inside each other.
    pub(super) depth: usize,
}

/// The state of the compiler: a game, what becomes of it, and the function at work.
pub(super) struct Lifter<'g> {
    /// The game.
    pub(super) game: &'g Game,
    /// Where its variables are.
    pub(super) layout: Layout,
    /// The program so far.
    pub(super) program: Program,
    /// Its tables.
    pub(super) tables: Tables,
    /// Decisions by number that are or will be lifted; the first is the end.
    pub(super) stops: Vec<Decider>,
    /// Why some of the keeper's walks are left to backtracking.
    pub(super) left_out: Option<Failure>,
    /// Whether some walk that goes round a loop is left to a side exit after so many rounds.
    pub(super) gives_up_loops: bool,
    /// Edges that the keeper takes only where it can take no other; see [`ahead`].
    pub(super) subsumed: FxHashSet<EdgeId>,
    /// Where the keeper hands over to somebody who has a move; see [`speculative`].
    pub(super) mobility: MobilityChecks,
    /// Regions that were walked before.
    pub(super) regions: FxHashMap<(Goal, NodeId), Rc<Region>>,
    /// Checks with functions of their own.
    pub(super) shared: shared::SharedChecks,
    /// Nodes that searches came by so far.
    pub(super) work: usize,
    /// Of decisions whose code is too large in any style: how many nodes their moves come by, the fewest.
    pub(super) too_large: Option<usize>,
    /// What scalar functions share.
    pub(super) searches: scalar::Searches,
    /// The network of the game, once it has been tried.
    pub(super) network: Option<Result<Rc<network::Network>, Failure>>,
    /// The first function of each part of it, by the part's place in scratch memory.
    pub(super) network_functions: FxHashMap<u32, FnId>,
    /// What analyses found.
    pub(super) known: Known<'g>,
    /// See [`FunctionState`].
    pub(super) function: FunctionState,
    /// See [`CheckState`].
    pub(super) check: CheckState,
}

impl<'g> Known<'g> {
    /// Analyses a game: near-linear in its size, but for the values of variables ([`Unique`]).
    fn new(game: &Game, claims: &Claims, mut numbers: Numbers, values: Option<&'g Values>, code: layout::Code) -> Self {
        let find = |name: &str| game.symbols.get(name).and_then(|name| game.find_var(name));
        let player = find("player");
        let mut kinds: Vec<Kind> = game.vars.ids().map(|var| Kind::of(&numbers, var, code)).collect();
        layout::pack_many(&numbers, &mut kinds, code);
        if let Some(values) = values {
            let sets = game.vars.ids().zip(&kinds).filter(|(_, kind)| **kind == Kind::Sets);
            sets.for_each(|(var, _)| numbers.forget_constants(var, values));
        }
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
        Self {
            kinds,
            liveness: Liveness::solve(game),
            player,
            visible: find("visible").filter(|_| has_hidden_tags(game)),
            deciders: deciders.unwrap_or_default(),
            nodes: nodes_of_decisions(game),
            positions,
            unique: Unique::solve(game, &numbers, values),
            values,
            numbers,
            implied_tags: None,
            spare_entries: None,
            tails: None,
            keeper_may_choose: claims.keeper_may_choose,
            strict: false,
            most: 0,
            walks: None,
            long_moves: LongMoves::default(),
            wants: Wants::Most,
            code,
            labelled: None,
        }
    }

    /// Where the variables are that some decision needs.
    fn layout(&self, game: &Game, values: Option<&Values>) -> Result<Layout, Failure> {
        let goals = game.symbols.get("goals").and_then(|name| game.find_var(name));
        let is_kept = |var: VarId| {
            let is_live = |node| self.liveness.at(node).is_some_and(|fact| fact.contains(var.index()));
            let live = self.nodes.iter().any(|&node| is_live(node));
            live || [self.player, self.visible, goals].contains(&Some(var))
        };
        let kept: Vec<bool> = game.vars.ids().map(is_kept).collect();
        let values = layout::possible(game, &self.numbers, values);
        Layout::new(game, &self.numbers, &self.kinds, &kept, &values)
    }
}

/// The end, and all nodes where somebody but the keeper decides.
fn nodes_of_decisions(game: &Game) -> Vec<NodeId> {
    let keeper = game.symbols.get("keeper");
    let mut nodes = vec![game.end()];
    let mut seen: FxHashSet<NodeId> = nodes.iter().copied().collect();
    for (_, edge) in game.automaton.edges() {
        let known = region::constant_player(game, &edge.label);
        if game.ends_move(&edge.label) && (known.is_none() || known != keeper) && seen.insert(edge.target) {
            nodes.push(edge.target);
        }
    }
    nodes
}

impl FunctionState {
    fn new(builder: Builder) -> Self {
        Self {
            keeper: false,
            node: None,
            before: Vec::new(),
            builder,
            blank: Vec::new(),
            paths: Paths::default(),
            generators: 0,
            elements: Vec::new(),
            sources: FxHashMap::default(),
            entries: FxHashMap::default(),
            deferred: FxHashSet::default(),
            folded: Vec::new(),
            pinned: Vec::new(),
            free: FxHashSet::default(),
            singles: FxHashSet::default(),
            style: Style::default(),
            partial: false,
            emitted: Vec::new(),
            templates: Vec::new(),
        }
    }
}

impl<'g> Lifter<'g> {
    /// Gets ready to lift the decisions of a game.
    pub(super) fn new(
        game: &'g Game,
        claims: &Claims,
        numbers: Numbers,
        values: Option<&'g Values>,
        code: layout::Code,
    ) -> Result<Self, Failure> {
        let known = Known::new(game, claims, numbers, values, code);
        let layout = known.layout(game, values)?;
        let tables = Tables::default();
        let mut lifter = Self {
            game,
            layout,
            program: Program::default(),
            stops: Vec::new(),
            left_out: None,
            gives_up_loops: false,
            subsumed: FxHashSet::default(),
            mobility: MobilityChecks::of(game, &claims.handovers),
            regions: FxHashMap::default(),
            shared: shared::SharedChecks::default(),
            work: 0,
            too_large: None,
            searches: scalar::Searches::default(),
            network: None,
            network_functions: FxHashMap::default(),
            known,
            function: FunctionState::new(Builder::new(0, &tables)),
            tables,
            check: CheckState::default(),
        };
        for (_, edge) in game.automaton.edges() {
            // So many values are not distinguished case by case.
            if let Label::AssignAny { lhs, ty } = edge.label
                && explore::MAX_CASES < game.types.members(ty).len()
                && let Ok(Some(class)) = lifter.class_of(lhs)
                && lifter.known.numbers.size(class) <= layout::MAX_INDICES
            {
                lifter.known.positions.insert(class);
            }
        }
        lifter.function.blank = game.vars.ids().map(|var| lifter.initial_store(var)).collect();
        Ok(lifter)
    }

    /// Lifts one decision: its moves, and making them.
    pub(super) fn decision(&mut self, decider: &Decider, total: &mut usize) -> Result<Decision, Failure> {
        match self.known.code {
            layout::Code::Scalar => return self.as_search(decider),
            layout::Code::Network => return self.as_network(decider),
            layout::Code::Sets => {}
        }
        let nodes = self.region(Goal::Moves, decider.node).component.len();
        let is_hopeless = self.too_large.is_some_and(|least| nodes >= least);
        let mut decision = if is_hopeless { Err(Failure::too_large()) } else { self.decided(decider, total) };
        // Once code is too large, that of the other decisions will hardly be smaller.
        for smaller in [
            |style: &mut Style| std::mem::replace(&mut style.size_optimised, true),
            |style: &mut Style| std::mem::replace(&mut style.one_round, true),
        ] {
            if decision.as_ref().is_err_and(Failure::is_too_large) && !smaller(&mut self.function.style) {
                decision = self.decided(decider, total);
            }
        }
        if decision.as_ref().is_err_and(Failure::is_too_large) {
            self.too_large = self.too_large.into_iter().chain([nodes]).min();
        }
        if self.known.walks.is_some() && self.known.wants == Wants::Most {
            return decision.or_else(|failure| self.as_search(decider).map_err(|_| failure));
        }
        decision
    }

    pub(super) fn decided(&mut self, decider: &Decider, total: &mut usize) -> Result<Decision, Failure> {
        // Whatever an attempt that failed has left.
        self.function.builder = Builder::new(0, &self.tables);
        self.fits()?;
        let decide = self.listing(decider)?;
        let templates = std::mem::take(&mut self.function.templates);
        if templates.is_empty() {
            return Err(Failure::new("there is no move").at(self.game.node_name(decider.node)));
        }
        let apply = self.applying(decider, &templates)?;
        *total += decide.registers as usize + apply.registers as usize;
        if *total > self.known.most.saturating_mul(MAX_LARGE) {
            return Err(Failure::too_large());
        }
        let label = self.tail_labels(decider, &templates)?;
        self.program.functions.extend([decide, apply]);
        let count = self.program.functions.len() as FnId;
        let speculative = self.speculative_apply(decider, &templates);
        let passes = self.mobility.passes(templates.iter().map(|template| template.edge));
        let templates = templates.into_iter().map(Template::into_format).collect();
        Ok(Decision {
            decide: count - 2,
            apply: count - 1,
            label,
            speculative,
            passes,
            templates,
            overlaps: self.function.style.overlaps,
            is_search: false,
        })
    }

    /// The function that lists moves: with branches if that can be, and otherwise without; where labels may be the same, moves
    /// are distinguished later.
    fn listing(&mut self, decider: &Decider) -> Result<Function, Failure> {
        let mut outcome = Err(Failure::new("there is no style of functions"));
        for (branches, overlaps) in [(true, false), (false, false), (false, true)] {
            if overlaps && self.known.wants == Wants::All {
                break;
            }
            self.function.style = Style { overlaps, branches, ..self.function.style };
            outcome = self.with_singles(decider);
            let goes_on = |failure: &Failure| failure.same_label || branches && failure.is_too_large();
            if !outcome.as_ref().is_err_and(goes_on) {
                break;
            }
            // Without branches it is hardly ever smaller.
            let is_large = self.function.builder.size() > self.known.most / LARGE;
            if branches && is_large && !self.function.style.size_optimised {
                return Err(Failure::too_large());
            }
        }
        outcome
    }

    /// The function that lists moves, with as many choices taken for the only ones as labels do not show.
    pub(super) fn with_singles(&mut self, decider: &Decider) -> Result<Function, Failure> {
        self.function.singles.clear();
        for _ in 1..MAX_ATTEMPTS {
            match self.deciding(decider) {
                Err(Failure { hidden_choice: Some(id), .. }) if self.function.singles.insert(id) => {}
                other => return other,
            }
        }
        self.deciding(decider)
    }

    pub(super) fn deciding(&mut self, decider: &Decider) -> Result<Function, Failure> {
        let node = decider.node;
        let game = self.game;
        cancel::begin_step(game.automaton.node(node).span, || {
            format!("the decision at node `{}` was lifted", game.node_name(node))
        });
        self.begin(0);
        self.fits()?;
        self.function.paths = Paths::default();
        self.function.templates.clear();
        let region = self.region(Goal::Moves, node);
        self.function.deferred = self.deferrable(&region);
        let mut lane = self.loaded(decider);
        self.function.before.clone_from(&lane.vars);
        self.function.node = Some(node);
        self.begins_at(&lane);
        for var in &self.function.deferred {
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
    pub(super) fn begin(&mut self, params: u32) {
        self.begin_scalar(params);
        self.function.node = None;
        self.function.generators = 0;
        self.function.elements.clear();
        self.function.pinned.clear();
        self.function.free.clear();
        self.function.emitted.clear();
        self.function.keeper = false;
        self.check.nested = 0;
        self.check.loops = loops::Loops::Any;
        self.function.partial = false;
        self.check.fixpoints = 0;
        self.check.depth = 0;
        self.function.blank = self.game.vars.ids().map(|var| self.initial_store(var)).collect();
    }

    pub(super) fn ended(&mut self, name: String, params: u32, yields: Vec<wir::Reg>) -> Result<Function, Failure> {
        // What was found with no work left may be wrong.
        self.fits()?;
        Ok(self.finished(name, params, yields))
    }

    /// Refuses functions that grow too large.
    pub(super) fn fits(&mut self) -> Result<(), Failure> {
        self.work += 1;
        if self.work > self.allowed() {
            return Err(Failure::new("the game is too large"));
        }
        self.has_room()
    }

    /// Refuses functions that grow too large, whatever work it took.
    pub(super) fn has_room(&self) -> Result<(), Failure> {
        // What takes more than half of the room is begun anew, optimised for size: that is found out before much time is lost.
        let most = if self.function.style.size_optimised { self.known.most } else { self.known.most / 2 };
        if self.function.builder.size() > most { Err(Failure::too_large()) } else { Ok(()) }
    }

    pub(super) fn allowed(&self) -> usize {
        WORK.0 + WORK.1 * self.game.automaton.node_count()
    }

    pub(super) fn fresh_generator(&mut self) -> GenId {
        self.function.generators += 1;
        self.function.generators - 1
    }

    pub(super) fn region(&mut self, goal: Goal, start: NodeId) -> Rc<Region> {
        let game = self.game;
        if let Some(region) = self.regions.get(&(goal, start)) {
            return region.clone();
        }
        // With no work left nothing is walked any more: an empty region stands for all.
        let mut region =
            if self.work > self.allowed() { Region::empty(goal) } else { Region::new(game, goal, &[start]) };
        region.one_walk |=
            matches!(goal, Goal::Check(to) if self.known.tails.is_some_and(|tails| tails.done.contains(&to)));
        let region = Rc::new(region);
        self.work += region.component.len();
        self.regions.insert((goal, start), region.clone());
        region
    }

    /// Whether a class is one of positions.
    pub(super) fn is_position(&self, class: usize) -> bool {
        self.known.positions.contains(&class)
    }

    /// Whether the value of a variable can matter from a node on.
    pub(super) fn is_live(&self, node: NodeId, var: usize) -> bool {
        let always = [self.known.player, self.known.visible].iter().flatten().any(|other| other.index() == var);
        always || self.known.liveness.at(node).is_some_and(|fact| fact.contains(var))
    }

    /// The player that decides at a node, if all ways there say the same.
    pub(super) fn player_at(&self, node: NodeId) -> Option<u32> {
        let class = self.known.numbers.vars.get(self.known.player?)?.as_ref().ok()?.class;
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
        self.known.numbers.number(class, found?)
    }
}
