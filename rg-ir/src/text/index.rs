//! The index of a text in RG: its types, constants, variables, values, tags and nodes, and where they are named.

mod declared;
mod named;
#[cfg(test)]
mod tests;

use super::lexer::{Known, Lexer, Token};
use super::parse;
use super::report::Report;
use crate::ids::EntityId;
use crate::index::{Builder, Class, Docs, Entity, EntityKind, Index, Role};
use crate::source::{SourceId, Span};
use rustc_hash::{FxHashMap, FxHashSet};

/// Why what the language gives a meaning keeps its name.
const BUILT_IN: &str = "the language gives it a meaning";
/// Why numbers keep their names.
const NUMBER: &str = "it is a number";
/// Sets with more members than this get a remark on how many there are.
const FEW: usize = 8;
/// Members of a type that the outline shows at most.
const MAX_SHOWN: usize = 100;

/// The names of a text. Declarations with mistakes count as far as they can be read: what they declare is known, and what they name is looked up.
/// Linear, up to sorting.
pub fn index(source: SourceId, text: &str) -> Index {
    let parsed = parse::declarations(source, text, &mut Report::default());
    let comments = Lexer::new(text).filter(|lexeme| matches!(lexeme.token, Token::Comment(_)));
    let docs = Docs::of(text, comments.map(|lexeme| Span::new(source, lexeme.start, lexeme.end)));
    let mut indexer = Indexer {
        source,
        text,
        docs,
        builder: Builder::default(),
        types: FxHashMap::default(),
        data: FxHashMap::default(),
        values: FxHashMap::default(),
        nodes: FxHashMap::default(),
        bound: FxHashMap::default(),
        seen: FxHashSet::default(),
    };
    indexer.declarations(&parsed);
    indexer.bodies(&parsed.declarations);
    indexer.rest();
    indexer.builder.finish()
}

/// An index that is being made.
struct Indexer<'t> {
    source: SourceId,
    text: &'t str,
    docs: Docs<'t>,
    builder: Builder,
    types: FxHashMap<&'t str, EntityId>,
    /// Constants and variables.
    data: FxHashMap<&'t str, EntityId>,
    /// Symbols, tags among them.
    values: FxHashMap<&'t str, EntityId>,
    nodes: FxHashMap<&'t str, EntityId>,
    /// Names that the current pragma binds.
    bound: FxHashMap<&'t str, EntityId>,
    /// Where the names begin whose uses are known.
    seen: FxHashSet<u32>,
}

impl<'t> Indexer<'t> {
    /// Adds a use. Several of one place are possible.
    fn mention(&mut self, id: EntityId, span: Span, role: Role) {
        self.seen.insert(span.start);
        self.builder.mention(id, span, role);
    }

    /// An entity of that kind, made if it is new.
    fn node(&mut self, name: &'t str, span: Span) -> EntityId {
        *self.nodes.entry(name).or_insert_with(|| {
            let fixed = ["begin", "end"].contains(&name).then_some(BUILT_IN);
            self.builder.entity(Entity { fixed, ..Entity::new(EntityKind::Node, name, span) })
        })
    }

    /// What a name stands for in a broken declaration.
    fn known(&self, name: &str) -> Option<EntityId> {
        [&self.data, &self.values, &self.types, &self.nodes].iter().find_map(|names| names.get(name).copied())
    }

    /// Tokens that are not names, and names in what could not be parsed.
    fn rest(&mut self) {
        // The number of the token in its declaration.
        let mut at = 0;
        for lexeme in Lexer::new(self.text) {
            let span = Span::new(self.source, lexeme.start, lexeme.end);
            match lexeme.token {
                Token::Comment(_) | Token::BlockComment(_) => {
                    self.builder.token(span, Class::Comment);
                    continue;
                }
                Token::Const | Token::Type | Token::Var => {
                    at = 0;
                    self.builder.token(span, Class::Keyword);
                }
                Token::Name(name) => self.unread(name, span, at),
                Token::Pragma(body) => self.pragma(body, span),
                Token::Unknown(_) => {}
                _ => self.builder.token(span, Class::Operator),
            }
            at = if lexeme.token == Token::Semicolon { 0 } else { at + 1 };
        }
    }

    /// A name that nothing is known about yet, unless it is.
    fn unread(&mut self, name: &'t str, span: Span, at: usize) {
        if self.seen.contains(&span.start) {
            return;
        }
        let edge = if at == 0 { self.nodes.get(name).copied() } else { None };
        if let Some(id) = edge.or_else(|| self.known(name)) {
            self.mention(id, span, Role::Read);
        } else if name.bytes().all(|byte| byte.is_ascii_digit()) {
            self.builder.token(span, Class::Number);
        }
    }

    /// The word of a pragma, and the names in it that could not be parsed.
    fn pragma(&mut self, body: &'t str, span: Span) {
        let Some((known, names)) = Known::split(body) else {
            return self.builder.token(span, Class::Keyword);
        };
        let end = span.start as usize + 1 + known.name().len();
        self.builder.token(Span::new(self.source, span.start as usize, end), Class::Keyword);
        for lexeme in Lexer::part(names, span.end as usize - names.len()) {
            let span = Span::new(self.source, lexeme.start, lexeme.end);
            match lexeme.token {
                Token::Name(name) => self.unread(name, span, 1),
                Token::Comment(_) | Token::BlockComment(_) => self.builder.token(span, Class::Comment),
                Token::Unknown(_) => {}
                _ => self.builder.token(span, Class::Operator),
            }
        }
    }
}
