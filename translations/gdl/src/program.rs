//! The rules of a game: those of its walks, and what follows from them.

use crate::codes;
use crate::path::{Path, Write};
use crate::places::{Form, Phase, Place};
use crate::rules::{Refused, Rules};
use crate::term::{Atom, Literal, PlaceId, Relation, Rule, StateId, Term, Variable};
use crate::walks::{Step, Walks};
use rg_ir::{Diagnostic, VarId};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use std::rc::Rc;

/// Most conditions that a move leads to none of the other states. They are the plainest way to say that it leads to one.
const MAX_OTHERS: usize = 1 << 16;
/// Most rules.
const MAX_RULES: usize = 1 << 18;

/// All rules, and what is to be said about states.
pub(crate) struct Program {
    pub(crate) rules: Vec<Rule>,
    /// Variables that moves change. All others are what they are at the beginning.
    pub(crate) changing: BTreeSet<VarId>,
    pub(crate) roles: Vec<rg_ir::Symbol>,
}

struct Builder<'w, 'r, 'g> {
    walks: &'w mut Walks<'r, 'g>,
    rules: Vec<Rule>,
    /// Per place the places that steps lead to.
    next: FxHashMap<PlaceId, BTreeSet<PlaceId>>,
}

/// Makes the rules.
///
/// # Errors
/// As for [`Walks::new`].
pub(crate) fn program(walks: &mut Walks<'_, '_>) -> Result<Program, Refused> {
    let mut builder = Builder { walks, rules: Vec::new(), next: FxHashMap::default() };
    let roots = builder.walk_rules()?;
    builder.check_rules()?;
    let ends = builder.ends();
    let roles = builder.roles();
    builder.moves(&roles);
    builder.handed()?;
    builder.terminal()?;
    builder.control(&roots)?;
    let changing = builder.changes(&ends)?;
    let rules = builder.rules;
    Ok(Program { rules, changing, roles })
}

impl Builder<'_, '_, '_> {
    fn known(&self) -> &Rules<'_> {
        self.walks.rules
    }

    fn place(&self, place: PlaceId) -> Option<Place> {
        self.walks.places.get(place).cloned()
    }

    fn rule(&mut self, head: Atom, body: Vec<Literal>, vars: &[Variable]) {
        self.rules.push(Rule { head, body, vars: vars.to_vec() });
    }

    /// The conditions of a step, and the atom of the place it leads to.
    fn conditions(&self, step: &Step) -> (Vec<Literal>, Atom) {
        let path = &step.path;
        let args = |place: PlaceId, slots: &[Term]| {
            let args = self.walks.places.get(place).map(|place| place.args(slots)).unwrap_or_default();
            Atom::new(Relation::Place(place), args.into_iter().map(|arg| path.resolve(arg)).collect::<Vec<_>>())
        };
        let mut body = body(path);
        for call in &path.calls {
            let atom = args(call.place, &call.slots);
            body.push(if call.negated { Literal::Fails(atom) } else { Literal::Holds(atom) });
        }
        (body, args(step.target, &step.slots))
    }

    /// Rules for where walks come to, forwards from the states. Returns the first place of each state.
    fn walk_rules(&mut self) -> Result<Vec<PlaceId>, Refused> {
        let mut roots = Vec::new();
        for state in 0..self.walks.states.len() {
            let Some(step) = self.walks.root(state) else { continue };
            let (body, head) = self.conditions(&step);
            self.rule(head, body, &step.path.vars);
            roots.push(step.target);
        }
        for place in 0..self.walks.places.len() {
            let Some(from) = self.place(place) else { continue };
            if matches!(from.form.phase, Phase::Check(_)) {
                continue;
            }
            for step in self.walks.steps(place)? {
                self.next.entry(place).or_default().insert(step.target);
                let (conditions, head) = self.conditions(&step);
                let come = match from.form.phase {
                    Phase::Decided | Phase::Handed => made_there(place, &step.path, &from),
                    _ => Literal::Holds(here(place, &step.path, &from)),
                };
                let body = [vec![come], conditions].concat();
                if matches!(from.form.phase, Phase::Mover | Phase::Rest) {
                    self.collect(place, &from, &step, &head, &body);
                }
                self.rule(head, body, &step.path.vars);
            }
        }
        Ok(roots)
    }

    /// What a step of a player's walk writes, if that is collected. It counts if the walk is that of the move which is made, and goes on to its end.
    fn collect(&mut self, place: PlaceId, from: &Place, step: &Step, target: &Atom, body: &[Literal]) {
        let Some(next) = self.place(step.target).filter(|next| !next.form.collected.is_empty()) else { return };
        let on = |place: PlaceId, form: &Form, atom: Atom| {
            let relation = if form.phase == Phase::Mover { Relation::On(place) } else { Relation::Made(place) };
            Atom { relation, ..atom }
        };
        // What is decided goes on to the end.
        let decided = from.form.phase == Phase::Rest;
        let goes_on = Literal::Holds(on(step.target, &next.form, target.clone()));
        let goes_on = if decided { Vec::new() } else { vec![goes_on] };
        let body = [body, &goes_on].concat();
        if let Some(write) = &step.path.writes {
            let args: Vec<Term> =
                write.keys.iter().chain([&write.value]).map(|&term| step.path.resolve(term)).collect();
            let (keys, collected) =
                (args.get(..write.keys.len()).unwrap_or_default().to_vec(), Relation::Collected(write.var));
            self.rule(Atom::new(Relation::Wrote(write.var), keys), body.clone(), &step.path.vars);
            self.rule(Atom::new(collected, args), body.clone(), &step.path.vars);
        }
        if !decided && !from.form.collected.is_empty() {
            let head = on(place, &from.form, here(place, &step.path, from));
            self.rule(head, body, &step.path.vars);
        }
    }

    /// Rules for where checks succeed from, backwards from their ends.
    fn check_rules(&mut self) -> Result<(), Refused> {
        for place in 0..self.walks.places.len() {
            let Some(from) = self.place(place) else { continue };
            let Phase::Check(to) = from.form.phase else { continue };
            if from.form.node == to {
                let path = Path::new(from.vars.clone(), Default::default());
                self.rule(here(place, &path, &from), Vec::new(), &from.vars);
                continue;
            }
            for step in self.walks.steps(place)? {
                let (mut body, target) = self.conditions(&step);
                body.push(Literal::Holds(target));
                self.rule(here(place, &step.path, &from), body, &step.path.vars);
            }
        }
        Ok(())
    }

    fn ends(&self) -> Vec<(PlaceId, StateId, Place)> {
        let ends = self.walks.places.iter().filter_map(|(id, place)| match place.form.phase {
            Phase::End(state) => Some((id, state, place.clone())),
            _ => None,
        });
        ends.collect()
    }

    /// The players, and chance if it moves anywhere.
    fn roles(&self) -> Vec<rg_ir::Symbol> {
        let known = self.known();
        let moves = |random| (0..self.walks.states.len()).any(|state| self.walks.turn(state) == Some(random));
        let random = known.random.filter(|&random| !known.players().contains(&random) && moves(random));
        known.players().iter().copied().chain(random).collect()
    }

    /// The moves, each from where it ends or is handed over to the keeper.
    fn moves(&mut self, roles: &[rg_ir::Symbol]) {
        let over = |place: &Place| matches!(place.form.phase, Phase::End(_) | Phase::Decided | Phase::Handed);
        let places = self.walks.places.iter().filter(|(_, place)| over(place));
        let places: Vec<(PlaceId, Place)> = places.map(|(id, place)| (id, place.clone())).collect();
        for (id, place) in &places {
            if !place.form.mover {
                let [come, made] = [Relation::Place(*id), Relation::Made(*id)]
                    .map(|relation| Atom::new(relation, numbered(place.vars.len())));
                self.rule(made, vec![Literal::Holds(come)], &place.vars);
                continue;
            }
            let store = place.form.store(&place.slots);
            let action: Vec<Term> = store.mover.into_iter().chain(store.tags).collect();
            let vars = numbered(place.vars.len());
            let come = Literal::Holds(Atom::new(Relation::Place(*id), vars.clone()));
            let turn = Term::Var(u32::try_from(place.vars.len()).unwrap_or(u32::MAX));
            let mover: Vec<Term> = action.first().copied().into_iter().chain([turn]).collect();
            let with_turn = [place.vars.as_slice(), &[self.variable("turn")]].concat();
            let body = vec![
                Literal::Holds(Atom::new(Relation::Waiting, [turn])),
                Literal::Holds(Atom::new(Relation::Turn, mover)),
                come.clone(),
            ];
            self.rule(Atom::new(Relation::Legal, action.clone()), body, &with_turn);
            let does = Literal::Holds(Atom::new(Relation::Does, action.clone()));
            self.rule(Atom::new(Relation::Made(*id), vars), vec![does, come], &place.vars);
            self.sees(*id, place);
        }
        if roles.len() < 2 {
            return;
        }
        let [role, state] = [self.variable("player"), self.variable("turn")];
        let args = [Term::Var(0), Term::Var(1)];
        let body = vec![
            Literal::Holds(Atom::new(Relation::Waiting, [Term::Var(1)])),
            Literal::Holds(Atom::new(Relation::Idle, args)),
        ];
        self.rule(Atom::new(Relation::Waits, [Term::Var(0)]), body, &[role, state]);
    }

    /// What players see of a move.
    fn sees(&mut self, id: PlaceId, place: &Place) {
        let (known, store) = (self.walks.rules, place.form.store(&place.slots));
        let Some(one) = known.game.symbols.get("1") else { return };
        let players = known.players();
        for (index, &sees) in store.seen.iter().enumerate() {
            let number = index.checked_div(players.len()).unwrap_or_default();
            let player = players.get(index.checked_rem(players.len()).unwrap_or_default());
            let (Some(&player), Some(&tag)) = (player, store.tags.get(number)) else { continue };
            let mut path = Path::new(place.vars.clone(), Default::default());
            if path.unify(sees, Term::Symbol(one)) {
                let head = Atom::new(Relation::Sees(number + 1), [Term::Symbol(player), path.resolve(tag)]);
                self.rule(head, vec![made_there(id, &path, place)], &place.vars);
            }
        }
    }

    fn variable(&self, name: &str) -> Variable {
        Variable { name: Rc::from(name), ty: None, values: Rc::default() }
    }

    /// Where the game is over, and the scores there.
    fn terminal(&mut self) -> Result<(), Refused> {
        let end = self.known().game.end();
        for place in 0..self.walks.places.len() {
            let Some(over) = self.place(place) else { continue };
            if over.form.node != end || over.form.phase != Phase::Keeper {
                continue;
            }
            let come = Literal::Holds(Atom::new(Relation::Place(place), numbered(over.vars.len())));
            self.rule(Atom::new(Relation::Terminal, []), vec![come.clone()], &over.vars);
            let rules = self.walks.rules;
            for &player in rules.players() {
                let path = Path::new(over.vars.clone(), over.form.store(&over.slots));
                for (path, score) in rules.variable(path, rules.goals, &[Term::Symbol(player)], rg_ir::Span::NONE)? {
                    let head = Atom::new(Relation::Goal, [Term::Symbol(player), path.resolve(score)]);
                    let body = [vec![Literal::Holds(here(place, &path, &over))], body(&path)].concat();
                    self.rule(head, body, &path.vars);
                }
            }
        }
        Ok(())
    }

    /// Where the next state waits. Of all states that may follow one, the last one does if the move leads to none of the others, so that it is plain
    /// that there is exactly one.
    fn control(&mut self, roots: &[PlaceId]) -> Result<(), Refused> {
        let (mut others, mut chained) = (0, false);
        for (state, &root) in roots.iter().enumerate() {
            rg_ir::cancel::check();
            let (mut seen, mut pending) = (BTreeSet::from([root]), vec![root]);
            let mut follow: BTreeSet<StateId> = BTreeSet::new();
            while let Some(place) = pending.pop() {
                if let Some(end) = self.walks.places.get(place)
                    && let Phase::End(next) = end.form.phase
                    && self.may_move(state, end)
                {
                    follow.insert(next);
                }
                pending.extend(self.next.get(&place).into_iter().flatten().filter(|&&next| seen.insert(next)));
            }
            // A state that no move leads on from stays, so that always one of them holds.
            if follow.is_empty() {
                follow.insert(state);
            }
            let follow: Vec<StateId> = follow.into_iter().collect();
            if self.rules.len() + follow.len() > MAX_RULES {
                let message = format!("more than {MAX_RULES} rules are needed to say which states follow each other");
                return Err(Box::new(Diagnostic::error(codes::TOO_LARGE, rg_ir::Span::NONE, message)));
            }
            let more = follow.len().saturating_mul(follow.len()) / 2;
            let plain = others + more <= MAX_OTHERS;
            if plain {
                others += more;
            } else {
                chained = true;
            }
            for (index, &next) in follow.iter().enumerate() {
                let leads = |state: &StateId| Atom::new(Relation::Leads(*state), []);
                let mut body = vec![Literal::Holds(Atom::new(Relation::Control(state), []))];
                if plain {
                    body.extend(follow.iter().take(index).map(|other| Literal::Fails(leads(other))));
                } else {
                    body.push(Literal::Fails(Atom::new(Relation::LeadsBefore(next), [])));
                }
                if index + 1 < follow.len() {
                    body.push(Literal::Holds(leads(&next)));
                }
                self.rule(Atom::new(Relation::NextControl(next), []), body, &[]);
            }
        }
        if chained {
            self.leads_before();
        }
        Ok(())
    }

    /// Whether the move leads to a state before another one. No move leads to states that do not follow the one where it is made, so that these
    /// need not be left out.
    fn leads_before(&mut self) {
        for state in 1..self.walks.states.len() {
            for before in [Relation::Leads(state - 1), Relation::LeadsBefore(state - 1)] {
                let body = vec![Literal::Holds(Atom::new(before, []))];
                self.rule(Atom::new(Relation::LeadsBefore(state), []), body, &[]);
            }
        }
    }

    /// Whether a move with that end may be one of a state: places are shared by walks from several states, but each has one player to move.
    fn may_move(&self, state: StateId, end: &Place) -> bool {
        if !end.form.mover {
            return self.walks.turn(state).is_some();
        }
        match (end.slots.first(), self.walks.turn(state)) {
            (Some(Term::Symbol(mover)), Some(turn)) => *mover == turn,
            (Some(Term::Var(number)), Some(turn)) => {
                end.vars.get(*number as usize).is_some_and(|var| var.values.contains(&turn))
            }
            _ => false,
        }
    }

    /// What moves change, and that all else stays.
    fn changes(&mut self, ends: &[(PlaceId, StateId, Place)]) -> Result<BTreeSet<VarId>, Refused> {
        let mut changing = BTreeSet::new();
        for (id, state, place) in ends {
            let made = Literal::Holds(Atom::new(Relation::Made(*id), numbered(place.vars.len())));
            self.rule(Atom::new(Relation::Leads(*state), []), vec![made.clone()], &place.vars);
            let store = place.form.store(&place.slots);
            for (&var, &value) in store.scalars.iter().filter(|(var, _)| !store.wholes.contains_key(var)) {
                changing.insert(var);
                self.rule(Atom::new(Relation::Next(var), [value]), vec![made.clone()], &place.vars);
                self.rule(Atom::new(Relation::Changed(var), []), vec![made.clone()], &place.vars);
            }
            for (index, write) in store.writes.iter().enumerate() {
                changing.insert(write.var);
                let relations = (Relation::Next(write.var), Relation::Changed(write.var));
                self.written(&store.writes, index, relations, (*id, place))?;
            }
            for &var in &store.collected {
                changing.insert(var);
                self.collected_there(var, Relation::Next(var), Relation::Changed(var), (*id, place));
            }
            let (path, known) = (Path::new(place.vars.clone(), Default::default()), self.walks.rules);
            for (&var, whole) in &store.wholes {
                changing.insert(var);
                let newer: Vec<_> = store.writes.iter().filter(|write| write.var == var).collect();
                let made = |path: &Path| made_there(*id, path, place);
                let but = store.collected.contains(&var).then_some(Relation::Wrote(var));
                self.rules.extend(known.next_whole((var, whole), &path, made, &newer, but)?);
            }
        }
        for &var in &changing {
            self.stays(var, Relation::Next(var), Relation::Changed(var));
        }
        Ok(changing)
    }

    /// What an assignment of an entry makes of it, unless a later one changes it again. Both relations are told: the value, and that there is one.
    fn written(
        &mut self,
        writes: &[Write],
        index: usize,
        (value, changed): (Relation, Relation),
        (id, place): (PlaceId, &Place),
    ) -> Result<(), Refused> {
        let Some(write) = writes.get(index) else { return Ok(()) };
        let path = Path::new(place.vars.clone(), Default::default());
        let mut open = vec![path];
        for other in writes.iter().skip(index + 1).filter(|other| other.var == write.var) {
            let apart = |path| crate::eval::compared(path, &write.keys, &other.keys).1;
            open = open.into_iter().flat_map(apart).collect();
            crate::eval::few(open.len(), rg_ir::Span::NONE)?;
        }
        for path in open {
            let args: Vec<Term> = write.keys.iter().chain([&write.value]).map(|&t| path.resolve(t)).collect();
            let body = [vec![comes_to(id, &path, place)], body(&path)].concat();
            self.rule(Atom::new(value, args), body, &path.vars);
        }
        let made = comes_to(id, &Path::new(place.vars.clone(), Default::default()), place);
        self.rule(Atom::new(changed, write.keys.clone()), vec![made], &place.vars);
        Ok(())
    }

    /// What the move that ends at a place has collected for a map.
    fn collected_there(&mut self, var: VarId, value: Relation, changed: Relation, (id, place): (PlaceId, &Place)) {
        let made = Literal::Holds(Atom::new(Relation::Made(id), numbered(place.vars.len())));
        let own = self.entry_variables(var);
        let vars = [place.vars.as_slice(), &own].concat();
        let args = numbered(vars.len()).split_off(place.vars.len());
        let keys = args.split_last().map(|(_, keys)| keys.to_vec()).unwrap_or_default();
        let body = vec![made, Literal::Holds(Atom::new(Relation::Collected(var), args.clone()))];
        self.rule(Atom::new(value, args), body.clone(), &vars);
        self.rule(Atom::new(changed, keys), body, &vars);
    }

    /// What variables are where the move is known.
    fn handed(&mut self) -> Result<(), Refused> {
        let known = |place: &Place| matches!(place.form.phase, Phase::Known | Phase::Decided | Phase::Handed);
        let places = self.walks.places.iter().filter(|(_, place)| known(place));
        let places: Vec<(PlaceId, Place)> = places.map(|(id, place)| (id, place.clone())).collect();
        for (id, place) in &places {
            let (node, store, rules) = (place.form.node, place.form.store(&place.slots), self.walks.rules);
            let made = comes_to(*id, &Path::new(place.vars.clone(), Default::default()), place);
            self.rule(Atom::new(Relation::Through(*id), []), vec![made.clone()], &place.vars);
            let told = self.walks.known_there(&store, place.form.phase, node);
            for var in told.scalars {
                if let Some(&value) = store.scalars.get(&var) {
                    self.rule(Atom::new(Relation::Then(node, var), [value]), vec![made.clone()], &place.vars);
                }
            }
            for var in told.maps {
                let relations = (Relation::Then(node, var), Relation::Written(node, var));
                for index in (0..store.writes.len()).filter(|&at| store.writes.get(at).is_some_and(|w| w.var == var)) {
                    self.written(&store.writes, index, relations, (*id, place))?;
                }
                if store.collected.contains(&var) {
                    self.collected_there(var, relations.0, relations.1, (*id, place));
                }
                let mut path = Path::new(place.vars.clone(), place.form.store(&place.slots));
                path.store.writes.clear();
                let keys = rules.key_terms(&mut path, var);
                let given = store.wholes.get(&var).is_some_and(|whole| !whole.keys.is_empty());
                let there = |path: &Path| match given {
                    true => comes_to(*id, path, place),
                    false => Literal::Holds(Atom::new(Relation::Through(*id), [])),
                };
                self.rules.extend(rules.kept(path, var, &keys, relations.0, there, Some(relations.1))?);
            }
        }
        Ok(())
    }

    /// Variables for the keys and the value of an entry.
    fn entry_variables(&self, var: VarId) -> Vec<Variable> {
        let table = &self.known().vars[var];
        let named = table.key_names.iter().cloned().zip(table.shape.keys.iter().copied());
        let value = (Rc::from("value"), table.shape.leaf);
        named.chain([value]).map(|(name, ty)| Variable { name, ty: Some(ty), values: Rc::default() }).collect()
    }

    /// What is not changed stays.
    fn stays(&mut self, var: VarId, after: Relation, changed: Relation) {
        let vars = self.entry_variables(var);
        let args = numbered(vars.len());
        let keys = args.split_last().map(|(_, keys)| keys.to_vec()).unwrap_or_default();
        let body = vec![
            Literal::Holds(Atom::new(Relation::Fluent(var), args.clone())),
            Literal::Fails(Atom::new(changed, keys)),
        ];
        self.rule(Atom::new(after, args), body, &vars);
    }
}

/// That the move comes to the place where it ends, as far as a path that began there knows its arguments.
fn made_there(id: PlaceId, path: &Path, at: &Place) -> Literal {
    Literal::Holds(Atom { relation: Relation::Made(id), ..here(id, path, at) })
}

/// That the walk that is made, or the keeper's only one, comes to a place.
fn comes_to(id: PlaceId, path: &Path, at: &Place) -> Literal {
    match at.form.phase {
        Phase::Known => Literal::Holds(here(id, path, at)),
        _ => made_there(id, path, at),
    }
}

/// The conditions of a path without calls.
pub(crate) fn body(path: &Path) -> Vec<Literal> {
    path.literals.iter().map(|literal| literal.map(|term| path.resolve(term))).collect()
}

/// The atom of a place, as far as a path that began there knows its arguments.
fn here(place: PlaceId, path: &Path, at: &Place) -> Atom {
    let args: Vec<Term> = numbered(at.vars.len()).into_iter().map(|term| path.resolve(term)).collect();
    Atom::new(Relation::Place(place), args)
}

fn numbered(count: usize) -> Vec<Term> {
    (0..u32::try_from(count).unwrap_or(u32::MAX)).map(Term::Var).collect()
}
