//! The index of a text: its relations, functions, objects, roles and variables, and where they are named.

mod forms;
pub(crate) mod reserved;
mod terms;
#[cfg(test)]
mod tests;
mod words;

use crate::ast::{Compound, Description, Name, Rule, Syntax, Term, Word};
use crate::read_into;
pub(crate) use forms::begins_line;
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
        unnamed: FxHashMap::default(),
    };
    indexer.heads();
    indexer.terms();
    indexer.bodies();
    indexer.groups();
    indexer.unread(source, &words);
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
    /// How many arguments of what is called have no name yet.
    unnamed: FxHashMap<EntityId, usize>,
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
            if let Some(entity) = self.builder.get_mut(id).filter(|entity| !entity.signature.is_some()) {
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
            self.called(id, atom);
        }
    }

    /// Adds a call, and what its arguments tell of what is called: their names are those of variables where some call has one.
    fn called(&mut self, id: EntityId, call: &Compound) {
        self.builder.call(id, call.span, call.args.iter().map(Term::span).collect());
        let text = self.text;
        let written = |term: &Term| text.get(term.span().range()).unwrap_or_default().to_owned();
        let prefix = self.description.syntax == Syntax::Prefix;
        let is_variable = |written: &str| match prefix {
            true => written.starts_with('?'),
            false => written.starts_with(|c: char| c == '_' || c.is_ascii_uppercase()),
        };
        let Some(entity) = self.builder.get_mut(id).filter(|entity| entity.fixed.is_none()) else { return };
        if entity.parameters.is_empty() {
            entity.parameters = call.args.iter().map(written).collect();
        } else if entity.parameters.len() == call.args.len() && self.unnamed.get(&id) != Some(&0) {
            for (parameter, term) in entity.parameters.iter_mut().zip(&call.args) {
                if !is_variable(parameter) && matches!(term, Term::Variable(_)) {
                    *parameter = written(term);
                }
            }
        }
        let unnamed = entity.parameters.iter().filter(|parameter| !is_variable(parameter)).count();
        self.unnamed.insert(id, unnamed);
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

    /// The variables of rules that could not be read.
    fn unread(&mut self, source: SourceId, words: &[(Span, Sort)]) {
        let unread = |(span, sort): &&(Span, Sort)| *sort == Sort::Variable && !self.seen.contains(&span.start);
        let unread: Vec<Span> = words.iter().filter(unread).map(|(span, _)| *span).collect();
        if unread.is_empty() {
            return;
        }
        let syntax = self.description.syntax;
        for form in forms::forms(source, self.text, syntax) {
            let first = unread.partition_point(|span| span.start < form.start);
            let last = unread.partition_point(|span| span.start < form.end);
            let mut bound: FxHashMap<String, EntityId> = FxHashMap::default();
            for &span in unread.get(first..last).unwrap_or_default() {
                let written = self.text.get(span.range()).unwrap_or_default();
                let word = if syntax == Syntax::Prefix { written.to_ascii_lowercase() } else { written.to_owned() };
                let entity = || Entity { scope: form, ..Entity::new(EntityKind::Parameter, written, span) };
                let (id, role) = match bound.get(&word) {
                    Some(&id) => (id, Role::Read),
                    None => (self.builder.entity(entity()), Role::Definition),
                };
                bound.insert(word, id);
                self.builder.mention(id, span, role);
            }
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
