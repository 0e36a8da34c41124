//! Walks: which places they come to, and under which conditions they go on.
//!
//! From every state walks are followed symbolically until the move is over. Between places a walk is a path: conditions, and the terms that its
//! slots have behind them. Places are looked at again when more arrives there, until nothing new is known of any.

use crate::codes;
use crate::collect::Collected;
use crate::eval::Several;
use crate::path::{Call, Path, Source, Store, Whole, Write};
use crate::places::{Form, Keys, Phase, Place, Places};
use crate::rules::{Refused, Rules, invalid};
use crate::term::{PlaceId, Relation, StateId, StateKey, Term, Variable};
use indexmap::IndexSet;
use rg_ir::{Diagnostic, Edge, EdgeId, ExprId, Label, NodeId, Span, Symbol, TypeId, VarId};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// Most entries of maps that a walk carries along.
const MAX_WRITES: usize = 20;
/// Most tags of a move.
const MAX_TAGS: usize = 40;
/// Most places.
const MAX_PLACES: usize = 6_000;
/// Most looks at places until nothing new is known.
const MAX_LOOKS: usize = 100_000;

/// A path from one place to the next.
pub(crate) struct Step {
    pub(crate) path: Path,
    pub(crate) target: PlaceId,
    pub(crate) slots: Vec<Term>,
}

pub(crate) struct Walks<'r, 'g> {
    pub(crate) rules: &'r Rules<'g>,
    pub(crate) places: Places,
    pub(crate) states: IndexSet<StateKey>,
    /// For states of the keeper the players that may be next.
    next: FxHashMap<StateKey, BTreeSet<Symbol>>,
    /// States whose walks have not begun.
    new_states: Vec<StateId>,
    collected: Collected,
    /// Nodes where walks of one move may be decided in several places, so that these have nothing in common.
    unclear: BTreeSet<NodeId>,
}

/// Variables that are in relations once a move is known.
#[derive(Default)]
pub(crate) struct Settled {
    pub(crate) scalars: BTreeSet<VarId>,
    pub(crate) maps: BTreeSet<VarId>,
}

impl<'r, 'g> Walks<'r, 'g> {
    /// Follows all walks from a first state.
    ///
    /// # Errors
    /// There is something that rules of GDL cannot say.
    pub(crate) fn new(rules: &'r Rules<'g>, first: StateKey) -> Result<Self, Refused> {
        let mut walks = Self::empty(rules);
        walks.collected = crate::collect::collected(rules, first.player.is_some());
        if first.player.is_none() && walks.next(&first)?.len() > 1 {
            let message = "the keeper decides among several players who is the first one";
            let span = rules.game.automaton.node(first.node).span;
            return Err(Box::new(Diagnostic::error(codes::FIRST, span, message)));
        }
        loop {
            walks.state(first.clone());
            walks.follow()?;
            let unclear = walks.find_unclear();
            if unclear.is_subset(&walks.unclear) {
                return Ok(walks);
            }
            walks.unclear.extend(unclear);
            walks = Self { collected: walks.collected, unclear: walks.unclear, next: walks.next, ..Self::empty(rules) };
        }
    }

    fn empty(rules: &'r Rules<'g>) -> Self {
        Self {
            rules,
            places: Places::default(),
            states: IndexSet::new(),
            next: FxHashMap::default(),
            new_states: Vec::new(),
            collected: Collected::default(),
            unclear: BTreeSet::new(),
        }
    }

    /// Follows walks until nothing new is known of any place.
    fn follow(&mut self) -> Result<(), Refused> {
        for _ in 0..MAX_LOOKS {
            rg_ir::cancel::check();
            if let Some(state) = self.new_states.pop() {
                self.root(state);
            } else if let Some(place) = self.places.pending.pop() {
                self.steps(place)?;
            } else {
                return Ok(());
            }
            if self.places.len() > MAX_PLACES {
                break;
            }
        }
        Err(too_many(Span::NONE))
    }

    fn state(&mut self, key: StateKey) -> StateId {
        let (id, new) = self.states.insert_full(key);
        if new {
            self.new_states.push(id);
        }
        id
    }

    /// Whose turn it is in a state; nobody's if the game is over there.
    pub(crate) fn turn(&self, state: StateId) -> Option<Symbol> {
        let key = self.states.get_index(state)?;
        key.player.or_else(|| self.next.get(key)?.first().copied())
    }

    /// The path from a state to its first place.
    pub(crate) fn root(&mut self, state: StateId) -> Option<Step> {
        let key = self.states.get_index(state)?.clone();
        let mut path = Path::default();
        path.holds(Relation::Control(state), []);
        Some(self.begin(path, &key))
    }

    fn begin(&mut self, mut path: Path, key: &StateKey) -> Step {
        path.store.scalars.extend(key.known.iter().map(|(&var, &value)| (var, Term::Symbol(value))));
        path.store.mover = key.player.map(Term::Symbol);
        if key.player.is_none() {
            path.store.scalars.insert(self.rules.player, Term::Symbol(self.rules.keeper));
        }
        let phase = if key.player.is_some() { Phase::Mover } else { Phase::Keeper };
        self.arrive(path, phase, key.node)
    }

    /// The players that the keeper may name from a state.
    fn next(&mut self, key: &StateKey) -> Result<BTreeSet<Symbol>, Refused> {
        if let Some(known) = self.next.get(key) {
            return Ok(known.clone());
        }
        let mut inner = Walks::empty(self.rules);
        inner.begin(Path::default(), key);
        let mut looks = 0;
        while let Some(place) = inner.places.pending.pop() {
            rg_ir::cancel::check();
            looks += 1;
            if looks > MAX_LOOKS || inner.places.len() > MAX_PLACES {
                return Err(too_many(self.rules.game.automaton.node(key.node).span));
            }
            if inner.places.get(place).is_some_and(|at| matches!(at.form.phase, Phase::Keeper | Phase::Known)) {
                inner.steps(place)?;
            }
        }
        let mut next = BTreeSet::new();
        for (_, place) in inner.places.iter().filter(|(_, place)| place.form.phase == Phase::Mover) {
            match place.slots.first() {
                Some(Term::Symbol(player)) => drop(next.insert(*player)),
                Some(Term::Var(number)) => {
                    next.extend(place.vars.get(*number as usize).iter().flat_map(|var| var.values.iter()));
                }
                None => {}
            }
        }
        self.next.insert(key.clone(), next.clone());
        Ok(next)
    }

    /// The paths that lead from a place to others.
    ///
    /// # Errors
    /// As for [`Walks::new`].
    pub(crate) fn steps(&mut self, place: PlaceId) -> Result<Vec<Step>, Refused> {
        let Some(place) = self.places.get(place).cloned() else { return Ok(Vec::new()) };
        let Form { phase, node, .. } = place.form;
        let path = Path::new(place.vars, place.form.store(&place.slots));
        let over = node == self.rules.game.end();
        match phase {
            Phase::End(_) => return Ok(Vec::new()),
            Phase::Known | Phase::Decided | Phase::Handed => return Ok(vec![self.settle(path, phase, node)]),
            Phase::Check(to) if node == to => return Ok(Vec::new()),
            Phase::Keeper | Phase::Mover if over => return Ok(Vec::new()),
            Phase::Settled if over => return self.ends(path, node, None),
            _ => {}
        }
        let mut steps = Vec::new();
        for &edge in self.rules.game.automaton.outgoing(node) {
            let target = self.rules.game.automaton.edge(edge).target;
            if self.rules.live.at(question(phase), target).is_some() {
                steps.extend(self.cross(path.clone(), phase, edge)?);
            }
        }
        Ok(steps)
    }

    fn cross(&mut self, path: Path, phase: Phase, id: EdgeId) -> Result<Vec<Step>, Refused> {
        let edge = self.rules.game.automaton.edge(id);
        let paths = match edge.label {
            Label::Skip => vec![path],
            Label::Compare { lhs, rhs, negated } => self.compare(path, lhs, rhs, negated, edge.span)?,
            Label::Assign { rhs, .. } if question(phase).is_none() && self.rules.game.ends_move(&edge.label) => {
                return self.hand_over(path, phase, edge, rhs);
            }
            Label::Assign { lhs, rhs } => self.assign(path, phase, id, lhs, Some(rhs), None)?,
            Label::AssignAny { .. } if question(phase).is_none() && self.rules.game.ends_move(&edge.label) => {
                return Err(invalid(edge.span, "`player` is chosen freely"));
            }
            Label::AssignAny { lhs, ty } => self.assign(path, phase, id, lhs, None, Some(ty))?,
            Label::Tag(_) | Label::TagVar(_) if phase != Phase::Mover => vec![path],
            Label::Tag(tag) => self.told(path, Term::Symbol(tag), edge)?,
            Label::TagVar(var) => {
                let values = self.rules.variable(path, var, &[], edge.span)?;
                let told = values.into_iter().map(|(path, value)| self.told(path, value, edge));
                told.collect::<Result<Vec<_>, _>>()?.concat()
            }
            Label::Reach { from, to, negated } => self.check(path, from, to, negated).into_iter().collect(),
        };
        if phase == Phase::Settled {
            let steps: Vec<Vec<Step>> =
                paths.into_iter().map(|path| self.ends(path, edge.target, None)).collect::<Result<_, _>>()?;
            return Ok(steps.into_iter().flatten().collect());
        }
        let rest = &self.collected.rest;
        let handed = self.collected.handed.contains(&edge.target);
        let decided = rest.contains(&edge.target) && !rest.contains(&edge.source) && !handed;
        let known = self.collected.known.contains(&edge.target) && self.counts(&edge.label) && !handed;
        let phase = match phase {
            Phase::Mover if decided => Phase::Decided,
            Phase::Keeper if known => Phase::Known,
            _ => phase,
        };
        Ok(paths.into_iter().map(|path| self.arrive(path, phase, edge.target)).collect())
    }

    /// Whether an edge writes to a small map.
    fn counts(&self, label: &Label) -> bool {
        let written = crate::collect::assigned(self.rules.game, label);
        written.is_some_and(|(var, is_entry)| is_entry && self.rules.small.contains(&var))
    }

    fn compare(&self, path: Path, lhs: ExprId, rhs: ExprId, negated: bool, span: Span) -> Result<Vec<Path>, Refused> {
        let mut out = Vec::new();
        for (mut path, terms) in self.rules.eval_all(path, &[lhs, rhs], span)? {
            let [a, b] = terms[..] else { continue };
            if if negated { path.differ(a, b) } else { path.unify(a, b) } {
                out.push(path);
            }
        }
        Ok(out)
    }

    fn assign(
        &self,
        path: Path,
        phase: Phase,
        id: EdgeId,
        lhs: ExprId,
        rhs: Option<ExprId>,
        any: Option<TypeId>,
    ) -> Result<Vec<Path>, Refused> {
        let edge = self.rules.game.automaton.edge(id);
        let collects = matches!(phase, Phase::Mover | Phase::Rest) && self.collected.edges.contains(&id);
        let (var, keys) = self.rules.target(lhs, edge.span)?;
        if !self.rules.matters(question(phase), edge.target, var) {
            return Ok(vec![path]);
        }
        let table = &self.rules.vars[var];
        if keys.len() != table.keys.len() {
            return match rhs {
                Some(rhs) if keys.is_empty() => self.rules.assign_whole(path, var, rhs, edge.span),
                Some(_) => Err(crate::eval::whole(edge.span, "that is a part of another one is assigned as a whole")),
                None => Err(crate::eval::whole(edge.span, "is compared, or chosen, as a whole")),
            };
        }
        let count = keys.len();
        let exprs: Vec<ExprId> = keys.into_iter().chain(rhs).collect();
        let mut out = Vec::new();
        let evaluated = self.rules.eval_all(path, &exprs, edge.span)?;
        let small = self.rules.small.contains(&var);
        let evaluated = if small { apart(evaluated, count, edge.span)? } else { evaluated };
        for (mut path, mut terms) in evaluated {
            if let Some(ty) = any {
                let name =
                    if count == 0 { table.name.clone() } else { crate::rules::type_name(self.rules.game, ty, "value") };
                let values = self.rules.members(ty);
                let value = path.fresh(&name, ty, values);
                path.holds(Relation::Type(ty), [value]);
                terms.push(value);
            }
            let Some(value) = terms.pop() else { continue };
            if terms.is_empty() {
                path.store.scalars.insert(var, value);
                path.store.wholes.remove(&var);
                out.push(path);
            } else {
                out.extend(self.write(path, Write { var, keys: terms, value, small }, collects, edge)?);
            }
        }
        Ok(out)
    }

    /// An assignment to an entry. Where a key is none of the map, nothing happens.
    fn write(&self, path: Path, write: Write, collects: bool, edge: &Edge) -> Result<Vec<Path>, Refused> {
        let (mut out, mut path) = (Vec::new(), path);
        for (&key, (members, _)) in write.keys.iter().zip(&self.rules.vars[write.var].keys) {
            let strange: Vec<Symbol> = path.values(key).difference(members).copied().collect();
            for symbol in strange {
                let mut path = path.clone();
                if path.unify(key, Term::Symbol(symbol)) {
                    out.push(path);
                }
            }
            // That the key is one of the map is a condition of the rule, too.
            for &symbol in path.values(key).difference(members) {
                if !path.differ(key, Term::Symbol(symbol)) {
                    return Ok(out);
                }
            }
        }
        if collects {
            path.store.collected.insert(write.var);
            path.writes = Some(write);
            out.push(path);
            return Ok(out);
        }
        let same = |path: &Path, other: &Write| {
            other.var == write.var
                && other.keys.iter().zip(&write.keys).all(|(&a, &b)| path.resolve(a) == path.resolve(b))
        };
        let kept: Vec<Write> = path.store.writes.iter().filter(|other| !same(&path, other)).cloned().collect();
        path.store.writes = kept;
        if path.store.writes.len() >= MAX_WRITES {
            let name = &self.rules.vars[write.var].name;
            let message = format!("walks write more than {MAX_WRITES} entries of maps, the last one of `{name}`");
            let refused = Diagnostic::error(codes::WRITES, edge.span, message);
            return Err(Box::new(refused.help(
                "rules of GDL can carry only a fixed number of changes along a walk, if it may read them again",
            )));
        }
        path.store.writes.push(write);
        // Where all keys are symbols, the order does not matter.
        let (mut small, others): (Vec<_>, Vec<_>) =
            std::mem::take(&mut path.store.writes).into_iter().partition(|write| write.small);
        small.sort_by(|a, b| (a.var, &a.keys).cmp(&(b.var, &b.keys)));
        path.store.writes = [others, small].concat();
        out.push(path);
        Ok(out)
    }

    /// A tag, with who sees it.
    fn told(&self, mut path: Path, tag: Term, edge: &Edge) -> Result<Vec<Path>, Refused> {
        if path.store.tags.len() >= MAX_TAGS {
            let message = format!("moves have more than {MAX_TAGS} tags");
            let refused = Diagnostic::error(codes::TAGS, edge.span, message);
            return Err(Box::new(refused.help("a move of GDL is a term, and terms do not grow along rules")));
        }
        path.store.tags.push(tag);
        let mut open = vec![path];
        let Some(visible) = self.rules.visible else { return Ok(open) };
        for &player in self.rules.players() {
            let mut next = Vec::new();
            for path in open {
                for (mut path, sees) in self.rules.variable(path, visible, &[Term::Symbol(player)], edge.span)? {
                    path.store.seen.push(sees);
                    next.push(path);
                }
                crate::eval::few(next.len(), edge.span)?;
            }
            open = next;
        }
        Ok(open)
    }

    /// Asks whether there is a walk.
    fn check(&mut self, mut path: Path, from: NodeId, to: NodeId, negated: bool) -> Option<Path> {
        if self.rules.live.at(Some(to), from).is_none() {
            return negated.then_some(path);
        }
        let mut store = Store {
            mover: None,
            tags: Vec::new(),
            seen: Vec::new(),
            scalars: path.store.scalars.clone(),
            writes: path.store.writes.clone(),
            wholes: path.store.wholes.clone(),
            collected: Default::default(),
        };
        if let Some(mover) = path.store.mover {
            store.scalars.entry(self.rules.player).or_insert(mover);
        }
        self.forget(&mut store, Some(to), from);
        let (place, slots) = self.come(&path, Phase::Check(to), from, &store);
        path.calls.push(Call { place, slots, negated });
        Some(path)
    }

    /// An assignment to `player`.
    fn hand_over(&mut self, path: Path, phase: Phase, edge: &Edge, rhs: ExprId) -> Result<Vec<Step>, Refused> {
        let (keeper, player, target) = (Term::Symbol(self.rules.keeper), self.rules.player, edge.target);
        let mut steps = Vec::new();
        for (mut path, next) in self.rules.eval(path, rhs, edge.span)? {
            let mut kept = path.clone();
            if kept.unify(next, keeper) {
                kept.store.scalars.insert(player, keeper);
                match phase {
                    Phase::Mover | Phase::Rest | Phase::Settled => steps.extend(self.ends(kept, target, None)?),
                    _ => steps.push(self.arrive(kept, phase, target)),
                }
            }
            if !path.differ(next, keeper) {
                continue;
            }
            path.store.scalars.remove(&player);
            if phase == Phase::Keeper {
                // The end is nobody's move, whoever is named there.
                if target == self.rules.game.end() {
                    steps.push(self.arrive(path, phase, target));
                    continue;
                }
                path.store.mover = Some(path.resolve(next));
                steps.push(self.arrive(path, Phase::Mover, target));
                continue;
            }
            for symbol in path.values(next).iter().copied() {
                let mut path = path.clone();
                if path.unify(next, Term::Symbol(symbol)) {
                    steps.extend(self.ends(path, target, Some(symbol))?);
                }
            }
        }
        Ok(steps)
    }

    /// The end of a move, at a node where that player is in control. If the keeper is, and has entries of maps to write, that belongs to the move,
    /// which goes on then; so it does if the keeper decides among several players who is next: every state has one player whose turn it is.
    fn ends(&mut self, path: Path, node: NodeId, player: Option<Symbol>) -> Result<Vec<Step>, Refused> {
        let mut steps = Vec::new();
        if player.is_none() && self.rules.writes.contains(&node) {
            return Ok(vec![self.settled(path, node)]);
        }
        for (mut path, known) in self.turns(path, node)? {
            let player = player.filter(|_| node != self.rules.game.end());
            let key = StateKey { node, player, known };
            let settles = player.is_none() && node != self.rules.game.end() && self.next(&key)?.len() > 1;
            if settles {
                steps.push(self.settled(path, node));
                continue;
            }
            let mut store = std::mem::take(&mut path.store);
            store.scalars.remove(&self.rules.player);
            store.scalars.retain(|var, _| !key.known.contains_key(var));
            self.forget(&mut store, None, node);
            let state = self.state(key);
            let (target, slots) = self.come(&path, Phase::End(state), node, &store);
            steps.push(Step { path, target, slots });
        }
        Ok(steps)
    }

    /// The keeper goes on with the move. If walks do not carry along what the player wrote, the keeper begins from what that has become.
    fn settled(&mut self, path: Path, node: NodeId) -> Step {
        let phase = if path.store.collected.is_empty() { Phase::Settled } else { Phase::Handed };
        self.arrive(path, phase, node)
    }

    /// Goes on from where the move is known: what it has assigned until then is in relations.
    fn settle(&mut self, mut path: Path, phase: Phase, node: NodeId) -> Step {
        let mut store = std::mem::take(&mut path.store);
        let then = |var| (var, Whole { source: Source::Then(node, var), keys: Vec::new() });
        let told = self.known_there(&store, phase, node);
        store.wholes.extend(told.scalars.iter().chain(&told.maps).copied().map(then));
        store.scalars.retain(|var, _| !told.scalars.contains(var));
        store.writes.retain(|write| !told.maps.contains(&write.var));
        if let Some(mover) = store.mover {
            store.scalars.entry(self.rules.player).or_insert(mover);
        }
        path.store = Store { wholes: store.wholes, scalars: store.scalars, writes: store.writes, ..Store::default() };
        let phase = match phase {
            Phase::Known => Phase::Keeper,
            Phase::Decided => Phase::Rest,
            _ => Phase::Settled,
        };
        self.arrive(path, phase, node)
    }

    /// What is in relations from there on. The keeper's only walk has one value of everything. The walks of a player's move leave the same maps where it
    /// is over; before, they have in common what the tags say.
    pub(crate) fn known_there(&self, store: &Store, phase: Phase, node: NodeId) -> Settled {
        let action: Vec<Term> = store.mover.iter().chain(&store.tags).copied().collect();
        let decided = |term: &Term| matches!(term, Term::Symbol(_)) || action.contains(term);
        let clear = |var: &VarId| {
            let writes = store.writes.iter().filter(|write| write.var == *var);
            let keys = store.wholes.get(var).into_iter().flat_map(|whole| &whole.keys);
            writes.flat_map(|write| write.keys.iter().chain([&write.value])).chain(keys).all(decided)
        };
        let plain = |var: &VarId| *var != self.rules.player && !self.rules.turns.contains(var);
        let scalars = store.scalars.iter().filter(|(var, _)| plain(var));
        match phase {
            Phase::Known => Settled { scalars: scalars.map(|(&var, _)| var).collect(), maps: store.written() },
            Phase::Decided if self.unclear.contains(&node) => Settled::default(),
            Phase::Decided => Settled {
                scalars: scalars.filter(|(_, value)| decided(value)).map(|(&var, _)| var).collect(),
                maps: store.written().into_iter().filter(clear).collect(),
            },
            _ => Settled { scalars: BTreeSet::new(), maps: store.written() },
        }
    }

    /// The nodes where walks of one move may be decided in several places.
    fn find_unclear(&self) -> BTreeSet<NodeId> {
        let decided: Vec<&Place> =
            self.places.iter().map(|(_, place)| place).filter(|place| place.form.phase == Phase::Decided).collect();
        let mut found = BTreeSet::new();
        for (index, a) in decided.iter().enumerate() {
            let others = decided.iter().skip(index + 1).filter(|b| b.form.node == a.form.node);
            if others.clone().any(|b| !a.other_move(b)) {
                found.insert(a.form.node);
            }
        }
        found
    }

    /// An alternative for all values of the variables that say whose turn it is, as far as they matter at a node.
    fn turns(&self, path: Path, node: NodeId) -> Several<BTreeMap<VarId, Symbol>> {
        let mut open = vec![(path, BTreeMap::new())];
        for &var in self.rules.turns.iter().filter(|&&var| self.rules.matters(None, node, var)) {
            let mut next = Vec::new();
            for (path, known) in open {
                let Some(&term) = path.store.scalars.get(&var) else {
                    next.push((path, known));
                    continue;
                };
                for symbol in path.values(term).iter().copied() {
                    let mut path = path.clone();
                    if path.unify(term, Term::Symbol(symbol)) {
                        let mut known = known.clone();
                        known.insert(var, symbol);
                        next.push((path, known));
                    }
                }
                crate::eval::few(next.len(), self.rules.game.automaton.node(node).span)?;
            }
            open = next;
        }
        Ok(open)
    }

    fn arrive(&mut self, mut path: Path, phase: Phase, node: NodeId) -> Step {
        let mut store = std::mem::take(&mut path.store);
        self.forget(&mut store, question(phase), node);
        let (target, slots) = self.come(&path, phase, node, &store);
        Step { path, target, slots }
    }

    /// Forgets what does not matter any more.
    fn forget(&self, store: &mut Store, question: Option<NodeId>, node: NodeId) {
        store.scalars.retain(|&var, _| self.rules.matters(question, node, var));
        store.writes.retain(|write| self.rules.matters(question, node, write.var));
        store.wholes.retain(|&var, _| self.rules.matters(question, node, var));
        store.collected.retain(|&var| self.rules.matters(question, node, var));
    }

    fn come(&mut self, path: &Path, phase: Phase, node: NodeId, store: &Store) -> (PlaceId, Vec<Term>) {
        let (form, slots) = Form::of(phase, node, store);
        let slots: Vec<Term> = slots.into_iter().map(|term| path.resolve(term)).collect();
        let kinds = self.kinds(&form);
        let describe = |index: usize| {
            let (term, kind) = (slots.get(index).copied(), kinds.get(index).cloned());
            let (name, ty) = kind.unwrap_or(("tag".into(), None));
            let own = match term {
                Some(Term::Var(number)) => path.vars.get(number as usize),
                _ => None,
            };
            let values = term.map(|term| path.values(term)).unwrap_or_default();
            Variable { name: own.map_or(name, |var| var.name.clone()), ty: ty.or(own.and_then(|var| var.ty)), values }
        };
        let place = self.places.arrive(form, &slots, describe);
        (place, slots)
    }

    /// What the slots of a form are called, and the types of what is in them.
    fn kinds(&self, form: &Form) -> Vec<(Rc<str>, Option<TypeId>)> {
        let vars = &self.rules.vars;
        let leaf = |var: VarId| Some(vars[var].shape.leaf);
        let mut kinds = Vec::new();
        if form.mover {
            kinds.push((vars[self.rules.player].name.clone(), leaf(self.rules.player)));
        }
        kinds.extend(form.scalars.iter().map(|&var| (vars[var].name.clone(), leaf(var))));
        for (var, keys) in &form.writes {
            let table = &vars[*var];
            if let Keys::Slots(_) = keys {
                kinds.extend(table.key_names.iter().cloned().zip(table.shape.keys.iter().copied().map(Some)));
            }
            kinds.push((table.name.clone(), leaf(*var)));
        }
        for &(_, source, keys) in &form.wholes {
            let table = self.rules.table(source);
            kinds.extend(table.key_names.iter().cloned().zip(table.shape.keys.iter().copied().map(Some)).take(keys));
        }
        kinds
    }
}

/// The alternatives in which all of the first terms are symbols.
fn apart(alternatives: Vec<(Path, Vec<Term>)>, count: usize, span: Span) -> Several<Vec<Term>> {
    let mut open = alternatives;
    for index in 0..count {
        let mut next = Vec::new();
        for (path, terms) in open {
            let Some(&term) = terms.get(index) else { continue };
            for &symbol in path.values(term).iter() {
                let (mut path, mut terms) = (path.clone(), terms.clone());
                if path.unify(term, Term::Symbol(symbol)) {
                    terms.iter_mut().for_each(|term| *term = path.resolve(*term));
                    next.push((path, terms));
                }
            }
            crate::eval::few(next.len(), span)?;
        }
        open = next;
    }
    Ok(open)
}

fn too_many(span: Span) -> Refused {
    Box::new(Diagnostic::error(codes::TOO_LARGE, span, "the walks of this game are too many to be followed"))
}

/// The question that walks in a phase are to answer.
pub(crate) fn question(phase: Phase) -> Option<NodeId> {
    match phase {
        Phase::Check(to) => Some(to),
        Phase::Keeper | Phase::Known | Phase::Mover | Phase::Decided | Phase::Rest => None,
        Phase::Handed | Phase::Settled | Phase::End(_) => None,
    }
}
