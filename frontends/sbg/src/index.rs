//! The index of a text: its pieces, and where their letters stand. The words alone tell what each letter is, so that mistakes hide nothing.

#[cfg(test)]
mod tests;

use crate::lexer::{self, Kind, Token};
use rg_ir::ids::{EntityId, ItemId};
use rg_ir::index::{Builder, Class, Docs, Entity, EntityKind, Index, Role};
use rg_ir::{Report, SourceId, Span};
use std::collections::BTreeMap;

/// The names of a text. Linear, up to sorting.
pub fn index(source: SourceId, text: &str) -> Index {
    let lexed = lexer::lex(source, text, &mut Report::default());
    let comments = lexed.comments.iter().map(|&(start, end)| Span { source, start, end });
    let mut builder = Builder::default();
    comments.clone().for_each(|comment| builder.token(comment, Class::Comment));
    let docs = Docs::of(text, comments);
    let mut indexer = Indexer { source, text, tokens: &lexed.tokens, docs, builder, pieces: BTreeMap::new() };
    indexer.rules();
    indexer.letters();
    indexer.sections();
    indexer.builder.finish()
}

/// An index that is being made.
struct Indexer<'t> {
    source: SourceId,
    text: &'t str,
    tokens: &'t [Token],
    docs: Docs<'t>,
    builder: Builder,
    /// By upper-case letter.
    pieces: BTreeMap<char, EntityId>,
}

/// Where in a text a token is.
#[derive(Clone, Copy)]
pub(crate) struct State {
    /// The tag of the section, or [`Kind::Name`].
    pub(crate) section: Kind,
    /// Round brackets that are open.
    pub(crate) depth: usize,
    /// The token before.
    pub(crate) before: Option<Kind>,
}

impl State {
    /// At the beginning of a text.
    pub(crate) const START: State = State { section: Kind::Name, depth: 0, before: None };

    /// Behind a token.
    pub(crate) fn behind(self, token: &Token) -> Self {
        let depth = match token.kind {
            Kind::Open => self.depth + 1,
            Kind::Close => self.depth.saturating_sub(1),
            // An entry that is not closed ends with its `&` all the same.
            Kind::Ampersand => 0,
            _ => self.depth,
        };
        match token.kind {
            Kind::Board | Kind::Pieces | Kind::Goals => {
                State { section: token.kind, depth: 0, before: Some(token.kind) }
            }
            _ => State { depth, before: Some(token.kind), ..self },
        }
    }

    /// Whether a letter here names a piece, and if so, whether a rule begins with it.
    fn letter(self, kind: Kind) -> Option<Role> {
        match (self.section, kind) {
            (Kind::Pieces, Kind::Upper) if self.depth == 0 => Some(Role::Definition),
            (Kind::Goals, Kind::Upper | Kind::Lower) if matches!(self.before, Some(Kind::Hash | Kind::At)) => {
                Some(Role::Read)
            }
            _ => None,
        }
    }
}

impl Indexer<'_> {
    /// Each token with where it is.
    fn placed(&self) -> Vec<(State, Token)> {
        let mut state = State::START;
        let place = |token: &Token| {
            let here = state;
            state = state.behind(token);
            (here, *token)
        };
        self.tokens.iter().map(place).collect()
    }

    /// Adds the pieces that have rules.
    fn rules(&mut self) {
        let placed = self.placed();
        for (at, (state, token)) in placed.iter().enumerate() {
            if state.letter(token.kind) != Some(Role::Definition) {
                continue;
            }
            let span = token.span(self.source);
            let rest = placed.get(at + 1..).unwrap_or_default().iter();
            let ends = |(state, next): &&(State, Token)| {
                next.kind != Kind::Ampersand && !is_start(next.kind) && state.letter(next.kind).is_none()
            };
            let entry = rest.take_while(ends).fold(span, |entry, (_, next)| entry.to(next.span(self.source)));
            let doc = self.docs.on(span);
            let id = self.piece(token.text(self.text), span);
            self.builder.mention(id, span, Role::Definition);
            if let Some(entity) = self.builder.get_mut(id).filter(|entity| !entity.signature.is_some()) {
                (entity.signature, entity.span, entity.doc) = (entry, span, doc);
            }
        }
    }

    /// The piece with that letter, added if it is new.
    fn piece(&mut self, letter: &str, span: Span) -> EntityId {
        let name = letter.to_ascii_uppercase();
        let key = name.chars().next().unwrap_or_default();
        *self.pieces.entry(key).or_insert_with(|| {
            let detail = format!("`{name}` of white, `{}` of black", name.to_ascii_lowercase());
            self.builder.entity(Entity { detail, ..Entity::new(EntityKind::Piece, name, span) })
        })
    }

    /// Adds the other letters of pieces, and all other tokens.
    fn letters(&mut self) {
        for (state, token) in self.placed() {
            let span = token.span(self.source);
            let class = match token.kind {
                Kind::Upper | Kind::Lower => match state.letter(token.kind) {
                    Some(Role::Read) => {
                        let id = self.piece(token.text(self.text), span);
                        self.builder.mention(id, span, Role::Read);
                        continue;
                    }
                    Some(_) => continue,
                    // What a square has to hold.
                    None => Class::Keyword,
                },
                Kind::Row => {
                    self.row(token);
                    continue;
                }
                Kind::Name => Class::Text,
                Kind::Board | Kind::Pieces | Kind::Goals => Class::Keyword,
                Kind::Nat | Kind::Negative => Class::Number,
                _ => Class::Operator,
            };
            self.builder.token(span, class);
        }
    }

    /// The letters in a row of the board.
    fn row(&mut self, row: Token) {
        for (at, letter) in row.text(self.text).char_indices().filter(|(_, c)| c.is_ascii_alphabetic()) {
            let start = row.start as usize + at;
            let span = Span::new(self.source, start, start + 1);
            let id = self.piece(letter.encode_utf8(&mut [0; 4]), span);
            self.builder.mention(id, span, Role::Read);
        }
    }

    /// The outline: sections, and the rules in them.
    fn sections(&mut self) {
        let mut starts: Vec<Token> = self.tokens.iter().filter(|token| is_start(token.kind)).copied().collect();
        starts.dedup_by_key(|token| token.start);
        let placed = self.placed();
        for (at, start) in starts.iter().enumerate() {
            let next = starts.get(at + 1).map_or(u32::MAX, |next| next.start);
            let inside = placed.iter().filter(|(_, token)| start.start <= token.start && token.start < next);
            let span = start.span(self.source);
            if start.kind == Kind::Pieces {
                self.builder.rules(span);
            }
            let whole = inside.clone().fold(span, |whole, (_, token)| whole.to(token.span(self.source)));
            let title = start.text(self.text).trim_matches(['<', '>']);
            let section = self.builder.item(EntityKind::Section, title, (whole, span), None);
            for (state, token) in inside {
                if state.letter(token.kind) == Some(Role::Definition) {
                    self.rule(token, section);
                }
            }
        }
    }

    fn rule(&mut self, token: &Token, section: ItemId) {
        let span = token.span(self.source);
        let letter = token.text(self.text);
        let piece = letter.chars().next().and_then(|letter| self.pieces.get(&letter)).copied();
        let entry = piece.and_then(|id| self.builder.get(id)).filter(|entity| entity.span == span);
        let whole = entry.map_or(span, |entity| entity.signature);
        self.builder.item(EntityKind::Piece, letter, (whole, span), Some(section));
    }
}

fn is_start(kind: Kind) -> bool {
    matches!(kind, Kind::Name | Kind::Board | Kind::Pieces | Kind::Goals)
}
