//! The index of a text: its relations, functions, objects, roles and variables, and where they are named.

pub(crate) mod reserved;
mod terms;
#[cfg(test)]
mod tests;
mod words;

use crate::ast::{Compound, Description, Name, Rule, Syntax, Word};
use crate::read_into;
use rg_ir::ids::EntityId;
use rg_ir::index::{Builder, Class, Docs, Entity, EntityKind, Index, Role};
use rg_ir::{Report, SourceId, Span};
use rustc_hash::{FxHashMap, FxHashSet};
pub(crate) use words::{Sort, words};

/// Why words of the language keep their names.
const BUILT_IN: &str = "it is a word of the language";
/// Why numbers keep their names.
const NUMBER: &str = "it is a number";

/// The names of a text in the syntax it seems to have. Rules with mistakes count as far as their words are known from others. Linear, up to sorting.
pub fn index(source: SourceId, text: &str) -> Index {
    index_as(source, text, Syntax::of(text))
}

/// As [`index`], in that syntax.
pub fn index_as(source: SourceId, text: &str, syntax: Syntax) -> Index {
    let description = read_into(source, text, syntax, &mut Report::default());
    let words = words(source, text, syntax);
    let comments = words.iter().filter(|(_, sort)| *sort == Sort::Comment).map(|(span, _)| *span);
    let mut indexer = Indexer {
        text,
        description: &description,
        docs: Docs::of(text, comments),
        builder: Builder::default(),
        relations: FxHashMap::default(),
        terms: FxHashMap::default(),
        declared: FxHashSet::default(),
        seen: FxHashSet::default(),
    };
    indexer.heads();
    indexer.terms();
    indexer.bodies();
    indexer.groups();
    indexer.rest(&words);
    indexer.builder.finish()
}

/// An index that is being made.
struct Indexer<'t> {
    text: &'t str,
    description: &'t Description,
    docs: Docs<'t>,
    builder: Builder,
    relations: FxHashMap<Word, EntityId>,
    /// Objects, functions and roles.
    terms: FxHashMap<Word, EntityId>,
    /// Terms whose declaration is known.
    declared: FxHashSet<EntityId>,
    /// Where the words begin whose uses are known.
    seen: FxHashSet<u32>,
}

impl<'t> Indexer<'t> {
    /// How a name is written at its place.
    fn written(&self, name: Name) -> &'t str {
        self.text.get(name.span.range()).unwrap_or_default()
    }

    fn mention(&mut self, id: EntityId, span: Span, role: Role) {
        self.seen.insert(span.start);
        self.builder.mention(id, span, role);
    }

    /// The relation of that name, added if it is new.
    fn relation(&mut self, name: Name) -> EntityId {
        if let Some(&id) = self.relations.get(&name.word) {
            return id;
        }
        let mut entity = Entity::new(EntityKind::Relation, self.written(name), name.span);
        if let Some(meaning) = reserved::meaning(name.word) {
            entity.detail = meaning.to_owned();
            entity.parameters = reserved::parameters(name.word).iter().map(|&name| name.to_owned()).collect();
            entity.fixed = Some(BUILT_IN);
        }
        let id = self.builder.entity(entity);
        self.relations.insert(name.word, id);
        id
    }

    /// Adds what rules and facts define.
    fn heads(&mut self) {
        let rules: &'t [Rule] = &self.description.rules;
        for rule in rules {
            let id = self.relation(rule.head.name);
            self.mention(id, rule.head.name.span, Role::Definition);
            let doc = self.docs.on(rule.span);
            self.builder.rules(rule.span);
            let written = |term: &crate::ast::Term| self.text.get(term.span().range()).unwrap_or_default().to_owned();
            if let Some(entity) = self.builder.get_mut(id).filter(|entity| !entity.signature.is_some()) {
                if entity.parameters.is_empty() {
                    entity.parameters = rule.head.args.iter().map(written).collect();
                }
                (entity.signature, entity.doc, entity.span) = (rule.span, doc, rule.head.name.span);
            }
        }
    }

    /// Adds what rules name: first relations, then the variables of each rule.
    fn bodies(&mut self) {
        let rules: &'t [Rule] = &self.description.rules;
        for rule in rules {
            let mut atoms: Vec<&Compound> = Vec::new();
            rule.body.iter().for_each(|literal| literal.atoms(&mut |atom, _| atoms.push(atom)));
            self.call(&rule.head);
            for atom in atoms {
                let id = self.relation(atom.name);
                self.mention(id, atom.name.span, Role::Read);
                self.call(atom);
            }
            self.variables(rule);
        }
    }

    fn call(&mut self, atom: &Compound) {
        if let Some(&id) = self.relations.get(&atom.name.word).filter(|_| !atom.args.is_empty()) {
            self.builder.call(id, atom.span, atom.args.iter().map(crate::ast::Term::span).collect());
        }
    }

    /// The variables of a rule, which are known in it only.
    fn variables(&mut self, rule: &Rule) {
        let mut found: Vec<Name> = Vec::new();
        rule.head.variables(&mut |name| found.push(name));
        for literal in &rule.body {
            literal.atoms(&mut |atom, _| atom.variables(&mut |name| found.push(name)));
            literal.distinct(&mut |terms| terms.iter().for_each(|term| term.variables(&mut |name| found.push(name))));
        }
        found.sort_by_key(|name| name.span.start);
        let mut bound: FxHashMap<Word, EntityId> = FxHashMap::default();
        for name in found {
            let (id, role) = match bound.get(&name.word) {
                Some(&id) => (id, Role::Read),
                None => {
                    let entity = Entity::new(EntityKind::Parameter, self.written(name), name.span);
                    let id = self.builder.entity(Entity { scope: rule.span, ..entity });
                    bound.insert(name.word, id);
                    (id, Role::Definition)
                }
            };
            self.mention(id, name.span, role);
        }
    }

    /// The outline has an entry for rules of the same relation that follow each other.
    fn groups(&mut self) {
        let mut groups: Vec<(Name, Span)> = Vec::new();
        for rule in &self.description.rules {
            match groups.last_mut() {
                Some((name, span)) if name.word == rule.head.name.word => *span = span.to(rule.span),
                _ => groups.push((rule.head.name, rule.span)),
            }
        }
        for (name, span) in groups {
            self.builder.item(EntityKind::Relation, self.written(name), (span, name.span), None);
        }
    }

    /// Words in what could not be read, and all else.
    fn rest(&mut self, words: &[(Span, Sort)]) {
        for &(span, sort) in words {
            let class = match sort {
                Sort::Comment => Class::Comment,
                Sort::Sign => Class::Operator,
                Sort::Variable => continue,
                Sort::Name if self.seen.contains(&span.start) => continue,
                Sort::Name => {
                    let text = self.text.get(span.range()).unwrap_or_default().to_ascii_lowercase();
                    let word = self.description.words.find(&text);
                    let known = word.and_then(|word| self.relations.get(&word).or_else(|| self.terms.get(&word)));
                    match known.copied() {
                        Some(id) => {
                            self.mention(id, span, Role::Read);
                            continue;
                        }
                        None if reserved::is_word(&text) => Class::Keyword,
                        None if text.bytes().all(|byte| byte.is_ascii_digit()) => Class::Number,
                        None => continue,
                    }
                }
            };
            self.builder.token(span, class);
        }
    }
}
