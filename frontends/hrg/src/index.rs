//! The index of a text: its domains, functions, variables, graphs, values and what declarations bind, and where they are named.

mod declared;
mod locals;
mod named;
#[cfg(test)]
mod tests;

use crate::ast::{Domain, Name, Source};
use crate::declare;
use crate::eval::{Evaluator, Limits};
use crate::lexer::{self, CONDITIONS, FOR_ALL, Kind, STATEMENTS, Token};
use crate::missing::Places;
use crate::parse::parse_into;
use locals::Locals;
use rg_ir::ids::{EntityId, ItemId};
use rg_ir::index::{Builder, Class, Docs, Entity, EntityKind, Hint, Index, Role};
use rg_ir::{Report, SourceId, Span, Symbol};
use rustc_hash::{FxHashMap, FxHashSet};

/// Why what the language gives a meaning keeps its name.
const BUILT_IN: &str = "the language gives it a meaning";
/// Why numbers keep their names.
const NUMBER: &str = "it is a number";

/// Domains with more values than this get a hint that says how many there are.
const FEW: usize = 8;
/// Values of a domain that the outline shows at most.
const MAX_SHOWN: usize = 100;
/// Work for counting the values of domains at most, in values and steps of evaluation.
const COUNTED: u64 = 100_000;

/// The names of a text. Declarations with mistakes count as far as they can be read: what they declare is known, and what they name is looked up.
/// Linear, up to sorting.
pub fn index(source: SourceId, text: &str) -> Index {
    let mut report = Report::default();
    let tokens = lexer::lex(source, text, &mut report).tokens;
    let tree = parse_into(source, text, &mut report);
    let comments = tokens.iter().filter(|token| token.kind == Kind::Comment);
    let mut indexer = Indexer {
        source,
        text,
        tree: &tree,
        docs: Docs::of(text, comments.map(|token| token.span(source))),
        builder: Builder::default(),
        outline: FxHashMap::default(),
        types: FxHashMap::default(),
        data: FxHashMap::default(),
        graphs: FxHashMap::default(),
        values: FxHashMap::default(),
        locals: Locals::default(),
        seen: FxHashSet::default(),
    };
    let words: Vec<Token> = tokens.iter().filter(|token| token.kind != Kind::Comment).copied().collect();
    indexer.declarations();
    indexer.broken(&words);
    indexer.built_in();
    indexer.elements();
    indexer.bodies();
    indexer.rest(&tokens);
    indexer.builder.finish()
}

/// How many values each large domain of a text has. Evaluates domains, which is not linear in the text, but limited.
pub fn sizes(source: SourceId, text: &str) -> Vec<Hint> {
    let tree = parse_into(source, text, &mut Report::default());
    let limits = Limits { steps: COUNTED, ..Limits::default() };
    let mut evaluator = Evaluator::new(&tree, Places::of(source, text, &tree), limits, Report::default());
    declare::domains(&mut evaluator);
    let size = |domain: &Domain| {
        let members = evaluator.domains.get(&domain.name.symbol);
        let size = members.map(|members| members.list.len()).filter(|&size| size > FEW)?;
        Some(Hint { offset: tree.extent(domain.name.span).end, text: format!(" // {size} values") })
    };
    tree.domains.iter().filter_map(size).collect()
}

/// An index that is being made.
struct Indexer<'t> {
    source: SourceId,
    text: &'t str,
    tree: &'t Source,
    docs: Docs<'t>,
    builder: Builder,
    /// The domains in the outline, by name.
    outline: FxHashMap<Symbol, ItemId>,
    /// Domains.
    types: FxHashMap<&'t str, EntityId>,
    /// Functions and variables.
    data: FxHashMap<&'t str, EntityId>,
    graphs: FxHashMap<&'t str, EntityId>,
    /// Symbols and constructors.
    values: FxHashMap<&'t str, EntityId>,
    /// What is bound in a part of a text.
    locals: Locals<'t>,
    /// Where the names begin whose uses are known.
    seen: FxHashSet<u32>,
}

impl<'t> Indexer<'t> {
    fn name(&self, symbol: Symbol) -> &'t str {
        self.tree.symbols.name(symbol)
    }

    /// Adds a use.
    fn mention(&mut self, id: EntityId, span: Span, role: Role) {
        self.seen.insert(span.start);
        self.builder.mention(id, span, role);
    }

    /// What a name stands for outside of all bindings.
    fn global(&self, name: &str) -> Option<EntityId> {
        [&self.data, &self.graphs, &self.values, &self.types].iter().find_map(|names| names.get(name).copied())
    }

    /// A value, added if it is new.
    fn value(&mut self, name: Name, kind: EntityKind) -> EntityId {
        let text = self.name(name.symbol);
        *self.values.entry(text).or_insert_with(|| {
            let number = text.bytes().all(|byte| byte.is_ascii_digit());
            self.builder.entity(Entity { fixed: number.then_some(NUMBER), ..Entity::new(kind, text, name.span) })
        })
    }

    /// Tokens that are not names, and names in what could not be parsed.
    fn rest(&mut self, tokens: &[Token]) {
        for token in tokens {
            let span = token.span(self.source);
            let text = token.text(self.text);
            let class = match token.kind {
                Kind::Comment => Class::Comment,
                Kind::Unknown => continue,
                Kind::Number => Class::Number,
                Kind::Lower | Kind::Upper if self.seen.contains(&span.start) => continue,
                // A tag may have the same name.
                Kind::Lower if STATEMENTS.contains(&text) || CONDITIONS.contains(&text) => Class::Keyword,
                Kind::Lower | Kind::Upper => match self.locals.around(text, span).or_else(|| self.global(text)) {
                    Some(id) => {
                        self.mention(id, span, Role::Read);
                        continue;
                    }
                    None if text == FOR_ALL => Class::Keyword,
                    None => continue,
                },
                kind if kind.is_reserved() => Class::Keyword,
                _ => Class::Operator,
            };
            self.builder.token(span, class);
        }
    }
}
