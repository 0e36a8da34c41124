//! Variables, constants and types of a lowered game.

use super::atoms::Form;
use super::build::{Build, Family, Player, Scope, declare, symbol};
use super::names::camel;
use super::vocabulary::{Fluent, Place, RoleNames};
use crate::ground::{AtomId, AtomKind};
use crate::normal::{Term, TermId};
use rg_ir::expr::Expr;
use rg_ir::ids::ExprId;
use rg_ir::{Span, Symbol, Value};
use rustc_hash::FxHashMap;

impl Build<'_> {
    /// One family per function of fluents.
    pub(super) fn declare_fluents(&mut self) {
        let mut groups: Vec<(String, Vec<usize>)> = Vec::new();
        let mut position: FxHashMap<(crate::ast::Word, usize), usize> = FxHashMap::default();
        for (number, &fluent) in self.ground.fluents.iter().enumerate() {
            let term = self.text(fluent);
            if self.ground.constant[number] {
                self.vocabulary.fluents.push(Fluent { term, place: Place::Always });
                continue;
            }
            let Some(functor) = self.program.terms.functor(fluent) else { continue };
            let slot = *position.entry(functor).or_insert_with(|| {
                groups.push((self.program.words.text(functor.0).to_owned(), Vec::new()));
                groups.len() - 1
            });
            if let Some(group) = groups.get_mut(slot) {
                group.1.push(number);
            }
        }
        for (functor, members) in groups {
            let keys: Vec<String> = members.iter().map(|&number| self.key_text(self.ground.fluents[number])).collect();
            let ones: Vec<bool> = members.iter().map(|&number| self.ground.initial[number]).collect();
            let (now, cells, names) = self.family(&functor, &keys, &ones);
            let (next, next_cells, _) = self.family_like(&format!("next_{functor}"), &now, &names.1);
            for ((&number, cell), (next, key)) in members.iter().zip(cells).zip(next_cells.into_iter().zip(&names.1)) {
                self.cells[number] = Some((cell, next));
                let keys = key.iter().cloned().collect();
                let place = Place::Cell { variable: names.0.clone(), keys, value: "1".to_owned() };
                self.vocabulary.fluents.push(Fluent { term: self.text(self.ground.fluents[number]), place });
            }
            self.families.push((now, next));
        }
    }

    /// What tells the fluents of one function apart.
    fn key_text(&self, term: TermId) -> String {
        match self.program.terms.get(term) {
            Term::Compound(_, args) => args.iter().map(|&arg| self.text(arg)).collect::<Vec<_>>().join("_"),
            _ => self.text(term),
        }
    }

    /// Declares a family of `0`/`1` cells with these keys, and their initial values: its cells, its name and, for a map,
    /// its keys.
    fn family(
        &mut self,
        name: &str,
        keys: &[String],
        initial: &[bool],
    ) -> (Family, Vec<ExprId>, (String, Vec<Option<String>>)) {
        let name = self.values.fresh(name);
        let symbol_name = self.game.symbols.intern(&name);
        let zero_symbol = self.game.symbols.intern("0");
        let one_symbol = self.game.symbols.intern("1");
        if keys.len() == 1 {
            let value = if initial.first() == Some(&true) { one_symbol } else { zero_symbol };
            let id = self.game.add_var(symbol_name, self.bool_type, Value::Symbol(value), Span::NONE);
            let var = self.game.exprs.intern(Expr::Var(id));
            let family = Family { var, zero: self.zero, ty: self.bool_type };
            return (family, vec![var], (name, vec![None]));
        }
        let mut own = Scope::default();
        let keys: Vec<String> = keys.iter().map(|key| own.fresh(key, &self.values)).collect();
        let symbols: Vec<Symbol> = keys.iter().map(|key| self.game.symbols.intern(key)).collect();
        let type_name = self.types.fresh(&camel(&name));
        let key_type = declare(&mut self.game, &type_name, symbols.clone());
        let ty = self.game.types.arrow(key_type, self.bool_type);
        let ones = symbols.iter().zip(initial).filter(|(_, one)| **one);
        let value = Value::map(
            Value::Symbol(zero_symbol),
            ones.map(|(&key, _)| (key, Value::Symbol(one_symbol))).collect::<Vec<_>>(),
        );
        let id = self.game.add_var(symbol_name, ty, value, Span::NONE);
        let var = self.game.exprs.intern(Expr::Var(id));
        let zero_name = self.values.fresh(&format!("no_{name}"));
        let zero_name = self.game.symbols.intern(&zero_name);
        let zero = self.game.add_const(zero_name, ty, Value::map(Value::Symbol(zero_symbol), []), Span::NONE);
        let zero = self.game.exprs.intern(Expr::Const(zero));
        let cells = symbols.iter().map(|&key| self.access(var, key)).collect();
        (Family { var, zero, ty }, cells, (name, keys.into_iter().map(Some).collect()))
    }

    /// A family with the keys of another one, all cells `0`.
    fn family_like(&mut self, name: &str, other: &Family, keys: &[Option<String>]) -> (Family, Vec<ExprId>, String) {
        let name = self.values.fresh(name);
        let symbol_name = self.game.symbols.intern(&name);
        let zero_symbol = Value::Symbol(self.game.symbols.intern("0"));
        let value = if other.ty == self.bool_type { zero_symbol } else { Value::map(zero_symbol, []) };
        let id = self.game.add_var(symbol_name, other.ty, value, Span::NONE);
        let var = self.game.exprs.intern(Expr::Var(id));
        let cell = |key: &Option<String>| match key {
            None => var,
            Some(key) => {
                let key = self.game.symbols.intern(key);
                let key = self.game.exprs.intern(Expr::Symbol(key));
                self.game.exprs.intern(Expr::Access(var, key))
            }
        };
        let cells = keys.iter().map(cell).collect();
        (Family { var, zero: other.zero, ty: other.ty }, cells, name)
    }

    fn access(&mut self, map: ExprId, key: Symbol) -> ExprId {
        let key = self.game.exprs.intern(Expr::Symbol(key));
        self.game.exprs.intern(Expr::Access(map, key))
    }

    /// Variables for atoms that the keeper computes, one family per relation and form.
    pub(super) fn declare_atoms(&mut self) {
        let mut groups: Vec<(Form, String, Vec<AtomId>)> = Vec::new();
        let mut position: FxHashMap<(bool, u32), usize> = FxHashMap::default();
        for (number, kind) in (0..).zip(&self.ground.atoms) {
            let (atom, form) = (AtomId(number), self.forms.form[number as usize]);
            if !matches!(form, Form::State | Form::Step) {
                continue;
            }
            let (relation, name) = match kind {
                AtomKind::Next(fluent) => {
                    if let Some((_, next)) = self.cells[*fluent as usize] {
                        self.atom_cells.insert(atom, next);
                    }
                    continue;
                }
                AtomKind::Helper { relation, .. } => {
                    (*relation, self.program.relations[*relation as usize].name.to_string())
                }
                AtomKind::Legal(..) => (u32::MAX, "legal".to_owned()),
                AtomKind::Terminal => (u32::MAX - 1, "terminal".to_owned()),
                AtomKind::Goal(..) => (u32::MAX - 2, "goal".to_owned()),
                AtomKind::Sees(..) | AtomKind::True(_) => continue,
            };
            let slot = *position.entry((form == Form::State, relation)).or_insert_with(|| {
                groups.push((form, name, Vec::new()));
                groups.len() - 1
            });
            if let Some(group) = groups.get_mut(slot) {
                group.2.push(atom);
            }
        }
        for (form, name, atoms) in groups {
            let keys: Vec<String> = atoms.iter().map(|&atom| self.atom_text(atom)).collect();
            let (family, cells, (variable, places)) = self.family(&name, &keys, &[]);
            if form == Form::State {
                for (&atom, key) in atoms.iter().zip(places) {
                    let keys = key.into_iter().collect();
                    let place = Place::Cell { variable: variable.clone(), keys, value: "1".to_owned() };
                    let term = self.atom_term(atom);
                    self.vocabulary.derived.push(Fluent { term, place });
                }
            }
            self.atom_cells.extend(atoms.into_iter().zip(cells));
            if form == Form::State { self.state_families.push(family) } else { self.step_families.push(family) }
        }
    }

    /// What tells the atoms of one relation apart.
    pub(super) fn atom_text(&self, atom: AtomId) -> String {
        let role_text =
            |role: u32| self.ground.roles.get(role as usize).map_or(String::new(), |role| self.text(role.name));
        match &self.ground.atoms[atom.index()] {
            AtomKind::Helper { args, .. } => args.iter().map(|&arg| self.text(arg)).collect::<Vec<_>>().join("_"),
            AtomKind::Legal(role, action) => {
                let action = self.ground.roles.get(*role as usize).and_then(|role| role.moves.get(*action as usize));
                format!("{}_{}", role_text(*role), action.map_or(String::new(), |&action| self.text(action)))
            }
            AtomKind::Goal(role, value) | AtomKind::Sees(role, value) => {
                format!("{}_{}", role_text(*role), self.text(*value))
            }
            AtomKind::True(fluent) | AtomKind::Next(fluent) => self.text(self.ground.fluents[*fluent as usize]),
            AtomKind::Terminal => "terminal".to_owned(),
        }
    }

    /// An atom as a KIF string.
    pub(super) fn atom_term(&self, atom: AtomId) -> String {
        let role = |role: u32| self.ground.roles.get(role as usize);
        let role_text = |of: u32| role(of).map_or(String::new(), |role| self.text(role.name));
        let (name, arguments) = match &self.ground.atoms[atom.index()] {
            AtomKind::Helper { relation, args } => {
                let name = self.program.relations[*relation as usize].name.to_string();
                (name, args.iter().map(|&arg| self.text(arg)).collect())
            }
            AtomKind::Legal(of, action) => {
                let action = role(*of).and_then(|role| role.moves.get(*action as usize));
                ("legal".to_owned(), vec![role_text(*of), action.map_or(String::new(), |&action| self.text(action))])
            }
            AtomKind::Goal(of, value) => ("goal".to_owned(), vec![role_text(*of), self.text(*value)]),
            AtomKind::Sees(of, value) => ("sees".to_owned(), vec![role_text(*of), self.text(*value)]),
            AtomKind::True(fluent) | AtomKind::Next(fluent) => {
                return self.text(self.ground.fluents[*fluent as usize]);
            }
            AtomKind::Terminal => ("terminal".to_owned(), Vec::new()),
        };
        if arguments.is_empty() { name } else { format!("({name} {})", arguments.join(" ")) }
    }

    pub(super) fn declare_players(&mut self, names: Vec<String>) {
        let count = names.len();
        for (number, (role, name)) in self.ground.roles.iter().zip(names).enumerate() {
            let texts: Vec<String> = role.moves.iter().map(|&action| self.text(action)).collect();
            let mut own = Scope::default();
            let tags: Vec<String> = texts.iter().map(|text| own.fresh(text, &self.values)).collect();
            // Somebody makes a ply in every step, so that steps can be distinguished.
            let needed = number + 1 == count && self.vocabulary.roles.iter().all(|role| role.player.is_none());
            let forced = !needed && self.is_forced(number as u32);
            let symbols: Vec<Symbol> = tags.iter().map(|tag| self.game.symbols.intern(tag)).collect();
            let moves: Vec<ExprId> = symbols.iter().map(|&tag| self.game.exprs.intern(Expr::Symbol(tag))).collect();
            let (goal, goal_name) = self.declare_goal(&name);
            let mut player = Player { symbol: None, choice: None, moves, ty: None, name: name.clone(), goal };
            if !forced {
                player.symbol = Some(symbol(&mut self.game, &name));
                let type_name = self.types.fresh(&camel(&format!("{name}_move")));
                let nothing = self.game.symbols.intern("none");
                let members = if symbols.is_empty() { vec![nothing] } else { symbols.clone() };
                let initial = members.first().copied().unwrap_or(nothing);
                let ty = declare(&mut self.game, &type_name, members);
                let variable = self.values.fresh(&format!("{name}_move"));
                let variable = self.game.symbols.intern(&variable);
                let id = self.game.add_var(variable, ty, Value::Symbol(initial), Span::NONE);
                player.choice = Some((id, self.game.exprs.intern(Expr::Var(id))));
                player.ty = Some(ty);
            }
            self.players.push(player);
            let waits = match &self.turns {
                Some(turns) => turns.waiting.get(number).and_then(|&waiting| texts.get(waiting as usize)),
                None => texts.first().filter(|_| forced),
            };
            self.vocabulary.roles.push(RoleNames {
                name: self.text(role.name),
                player: (!forced).then_some(name),
                waiting: waits.cloned(),
                moves: tags.into_iter().zip(texts).collect(),
                told: Vec::new(),
                goal: goal_name,
            });
        }
    }

    /// Where the goal value of a role is: `random` has no place in `goals`.
    fn declare_goal(&mut self, name: &str) -> (ExprId, (String, Vec<String>)) {
        if name != "random" {
            let (goals, key) = (self.built_in("goals"), self.symbol(name));
            let cell = self.game.exprs.intern(Expr::Access(goals, key));
            return (cell, ("goals".to_owned(), vec![name.to_owned()]));
        }
        let variable = self.values.fresh("random_goal");
        let (id, score) = (self.game.symbols.intern(&variable), self.game.symbols.intern("Score"));
        let (ty, zero) = (self.game.types.name(score), self.game.symbols.intern("0"));
        let id = self.game.add_var(id, ty, Value::Symbol(zero), Span::NONE);
        (self.game.exprs.intern(Expr::Var(id)), (variable, Vec::new()))
    }

    /// Whether a role has the same single move in every state.
    fn is_forced(&self, role: u32) -> bool {
        let is_single = self.ground.roles.get(role as usize).is_some_and(|role| role.moves.len() == 1);
        let always = |(number, kind): (u32, &AtomKind)| {
            matches!(kind, AtomKind::Legal(other, _) if *other == role)
                && self.ground.rules_of(AtomId(number)).iter().any(|rule| rule.body.is_empty())
        };
        is_single && (0..).zip(&self.ground.atoms).any(always)
    }

    /// The variable that tells whether a round changed something.
    pub(super) fn flag(&mut self) -> ExprId {
        if let Some(flag) = self.changed {
            return flag;
        }
        let name = self.values.fresh("changed");
        let (name, zero) = (self.game.symbols.intern(&name), self.game.symbols.intern("0"));
        let id = self.game.add_var(name, self.bool_type, Value::Symbol(zero), Span::NONE);
        let flag = self.game.exprs.intern(Expr::Var(id));
        self.changed = Some(flag);
        flag
    }

    /// The constant that shows tags to all players, or to none.
    pub(super) fn sight(&mut self, all: bool) -> ExprId {
        let value = self.game.symbols.intern(if all { "1" } else { "0" });
        let name = self.values.fresh(if all { "shown" } else { "hidden" });
        let (name, ty) = (self.game.symbols.intern(&name), self.game.symbols.intern("Visibility"));
        let ty = self.game.types.name(ty);
        let id = self.game.add_const(name, ty, Value::map(Value::Symbol(value), []), Span::NONE);
        self.game.exprs.intern(Expr::Const(id))
    }

    /// The constants that show tags to one player only, by role; none for `random`.
    pub(super) fn sights(&mut self) -> Vec<Option<ExprId>> {
        let names: Vec<String> = self.players.iter().map(|player| player.name.clone()).collect();
        let (zero, one) = (self.game.symbols.intern("0"), self.game.symbols.intern("1"));
        let ty = self.game.symbols.intern("Visibility");
        let ty = self.game.types.name(ty);
        let mut sights = Vec::new();
        for name in names {
            let key = self.game.symbols.intern(&name);
            if name == "random" {
                sights.push(None);
                continue;
            }
            let constant = self.values.fresh(&format!("shown_to_{name}"));
            let constant = self.game.symbols.intern(&constant);
            let value = Value::map(Value::Symbol(zero), [(key, Value::Symbol(one))]);
            let id = self.game.add_const(constant, ty, value, Span::NONE);
            sights.push(Some(self.game.exprs.intern(Expr::Const(id))));
        }
        sights
    }

    /// The tag of a percept: different ones have different tags.
    pub(super) fn percept(&mut self, term: TermId) -> Symbol {
        if let Some(&tag) = self.percepts.0.get(&term) {
            return tag;
        }
        let text = self.text(term);
        let text = self.percepts.1.fresh(&text, &self.values);
        let tag = self.game.symbols.intern(&text);
        self.percepts.0.insert(term, tag);
        tag
    }
}
