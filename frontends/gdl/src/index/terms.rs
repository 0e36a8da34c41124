//! Objects, functions and roles.

use super::{BUILT_IN, Indexer, NUMBER};
use crate::ast::{Compound, Name, Rule, Term, Word};
use rg_ir::ids::EntityId;
use rg_ir::index::{Entity, EntityKind, Role};

/// The relations whose heads declare terms: what may hold, and what may be done.
const DECLARING: [Word; 5] = [Word::ROLE, Word::BASE, Word::INPUT, Word::INIT, Word::LEGAL];

impl<'t> Indexer<'t> {
    /// Adds all terms but variables. Declared is one where it stands first in a head that says what there is.
    pub(super) fn terms(&mut self) {
        let rules: &'t [Rule] = &self.description.rules;
        let declares = |rule: &&Rule| DECLARING.contains(&rule.head.name.word);
        for rule in rules.iter().filter(declares) {
            let roles = rule.head.name.word == Word::ROLE;
            for arg in &rule.head.args {
                self.term(arg, true, roles);
            }
        }
        for rule in rules {
            if !declares(&rule) {
                self.arguments(&rule.head);
            }
            let mut found: Vec<&Term> = Vec::new();
            for literal in &rule.body {
                literal.atoms(&mut |atom, _| found.extend(&atom.args));
                literal.distinct(&mut |terms| found.extend(terms));
            }
            found.into_iter().for_each(|term| self.term(term, false, false));
        }
    }

    fn arguments(&mut self, compound: &Compound) {
        compound.args.iter().for_each(|arg| self.term(arg, false, false));
    }

    /// A term and what is in it; recursion is over brackets, which the readers limit.
    fn term(&mut self, term: &Term, declares: bool, roles: bool) {
        match term {
            Term::Variable(_) => {}
            Term::Constant(name) => {
                self.named(*name, if roles { EntityKind::Player } else { EntityKind::Value }, declares);
            }
            Term::Function(compound) => {
                let id = self.named(compound.name, EntityKind::Function, declares);
                self.called(id, compound);
                compound.args.iter().for_each(|arg| self.term(arg, declares, roles));
            }
        }
    }

    fn named(&mut self, name: Name, kind: EntityKind, declares: bool) -> EntityId {
        let id = match self.terms.get(&name.word) {
            Some(&id) => id,
            None => {
                let text = self.written(name);
                let number = text.bytes().all(|byte| byte.is_ascii_digit());
                let fixed = if number { Some(NUMBER) } else { (name.word == Word::RANDOM).then_some(BUILT_IN) };
                let id = self.builder.entity(Entity { fixed, ..Entity::new(kind, text, name.span) });
                self.terms.insert(name.word, id);
                id
            }
        };
        let first = declares && self.declared.insert(id);
        if first && let Some(entity) = self.builder.get_mut(id) {
            entity.span = name.span;
        }
        self.mention(id, name.span, if first { Role::Definition } else { Role::Read });
        id
    }
}
