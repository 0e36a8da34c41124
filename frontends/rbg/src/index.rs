//! The index of a text: its macros with their parameters, players, pieces, variables, directions and vertices, and where they are named.
//!
//! What a token stands for as a macro or parameter follows from where it is written. What all others stand for is seen once macros are expanded: each
//! token of an expanded section comes from a place of the text, and a name that was pasted together from several tokens from all of their places.

mod declared;
mod size;
#[cfg(test)]
mod tests;
mod written;

use crate::directives::{self, Directives, Section};
use crate::lexer::{self, Kind, Token};
use crate::macros::{Expanded, Expander};
pub use declared::boards;
use rg_ir::ids::{EntityId, ItemId};
use rg_ir::index::{Builder, Class, Docs, EntityKind, Index, Role};
use rg_ir::{Report, SourceId, Span, Symbol, Symbols};
use rustc_hash::{FxHashMap, FxHashSet};

/// Names of a section that the outline shows at most.
const MAX_SHOWN: usize = 100;

/// Most tokens as written, and most tokens and steps of expansion.
const LIMIT: usize = 1_000_000;

/// The names of a text. Sections with mistakes count as far as they can be read. Linear in the text with macros written out, which is limited, up to
/// sorting.
pub fn index(source: SourceId, text: &str) -> Index {
    let mut report = Report::default();
    let mut names = Symbols::default();
    let lexed = lexer::lex(source, text, LIMIT, &mut names, &mut report);
    let tokens = &lexed.tokens;
    let directives = directives::cut(source, tokens, &names, &mut report);
    let mut expander = Expander::new(source, tokens, &directives, LIMIT, &mut names, &mut report);
    let expanded = directives.sections.map(|section| section.map(|section| expander.expand_partly(&section)));
    let comments = lexed.comments.iter().map(|&(start, end)| Span { source, start, end });
    let mut builder = Builder::default();
    comments.clone().for_each(|comment| builder.token(comment, Class::Comment));
    let mut indexer = Indexer {
        source,
        text,
        tokens,
        directives: &directives,
        names: &names,
        docs: Docs::of(text, comments),
        builder,
        macros: Vec::new(),
        parameters: Vec::new(),
        known: FxHashMap::default(),
        vertices: FxHashMap::default(),
        seen: FxHashSet::default(),
        outline: [None; 5],
    };
    indexer.macros();
    indexer.written();
    indexer.sections(&expanded);
    indexer.rest();
    indexer.builder.finish()
}

/// An index that is being made.
struct Indexer<'t> {
    source: SourceId,
    text: &'t str,
    tokens: &'t [Token],
    directives: &'t Directives,
    names: &'t Symbols,
    docs: Docs<'t>,
    builder: Builder,
    /// By position in [`Directives::macros`].
    macros: Vec<EntityId>,
    /// The parameters of each macro.
    parameters: Vec<Vec<EntityId>>,
    /// Players, pieces, variables and directions.
    known: FxHashMap<Symbol, EntityId>,
    vertices: FxHashMap<Symbol, EntityId>,
    /// Where the tokens begin whose uses are known.
    seen: FxHashSet<u32>,
    /// The sections in the outline, by position in [`Section::ALL`].
    outline: [Option<Shown>; 5],
}

/// A section in the outline.
#[derive(Clone, Copy)]
struct Shown {
    item: ItemId,
    whole: Span,
    /// How many of its names are shown.
    names: usize,
}

impl Indexer<'_> {
    fn span(&self, start: u32, end: u32) -> Span {
        Span { source: self.source, start, end }
    }

    fn place(&self, token: &Token) -> Span {
        self.span(token.start, token.end)
    }

    /// Adds a use of what is written there.
    fn mention(&mut self, id: EntityId, span: Span, role: Role) {
        self.seen.insert(span.start);
        self.builder.mention(id, span, role);
    }

    /// Adds the names in the sections, in the order in which they are declared.
    fn sections(&mut self, expanded: &[Option<Vec<Expanded>>; 5]) {
        let of = |section: Section| expanded.get(section as usize).and_then(Option::as_deref).unwrap_or_default();
        self.directives();
        for (section, kind) in [
            (Section::Players, EntityKind::Player),
            (Section::Pieces, EntityKind::Piece),
            (Section::Variables, EntityKind::Variable),
        ] {
            self.list(of(section), section, kind);
        }
        self.board(of(Section::Board));
        self.size(of(Section::Board));
        self.rules(of(Section::Rules));
    }

    /// Adds a name to the outline of the section that declares it, if it is written there.
    fn show(&mut self, section: Section, id: EntityId, span: Span) {
        let Some(shown) = self.outline.get_mut(section as usize).and_then(Option::as_mut) else { return };
        let inside = shown.whole.start <= span.start && span.end <= shown.whole.end;
        if let Some(entity) = self.builder.get(id).filter(|_| inside && shown.names < MAX_SHOWN) {
            let whole = if entity.signature.is_some() { entity.signature } else { span };
            let (kind, name) = (entity.kind, entity.name.clone());
            shown.names += 1;
            let item = shown.item;
            self.builder.item(kind, name, (whole, span), Some(item));
        }
    }

    /// Tokens that are not names, and names in what is not expanded.
    fn rest(&mut self) {
        for token in self.tokens {
            let span = self.place(token);
            let class = match token.kind {
                Kind::Ident if self.seen.contains(&token.start) => continue,
                Kind::Ident => match self.known.get(&token.sym).or_else(|| self.vertices.get(&token.sym)) {
                    Some(&id) => {
                        self.mention(id, span, Role::Read);
                        continue;
                    }
                    None => continue,
                },
                Kind::Nat => Class::Number,
                kind if kind.is_keyword() => Class::Keyword,
                _ => Class::Operator,
            };
            self.builder.token(span, class);
        }
    }
}
