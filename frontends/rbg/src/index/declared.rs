//! What sections declare and name, with macros expanded.

use super::Indexer;
use crate::board::{CUBOID, HEXAGON, RECTANGLE};
use crate::directives::Section;
use crate::lexer::Kind;
use crate::macros::Expanded;
use rg_ir::ids::EntityId;
use rg_ir::index::{Entity, EntityKind, Role};
use rg_ir::{Span, Symbol};

/// The kind of a usual board that a token names, and its directions in order.
fn usual_board(token: &Expanded) -> Option<(&'static str, &'static [&'static str])> {
    match token.kind? {
        Kind::Rectangle => Some(("rectangle", &RECTANGLE)),
        Kind::Hexagon => Some(("hexagon", &HEXAGON)),
        Kind::Cuboid => Some(("cuboid", &CUBOID)),
        _ => None,
    }
}

/// The usual boards: the name of each, and its directions in order. Behind these, brackets have the pieces.
pub fn boards() -> [(&'static str, &'static [&'static str]); 3] {
    [("rectangle", &RECTANGLE), ("hexagon", &HEXAGON), ("cuboid", &CUBOID)]
}

impl Indexer<'_> {
    /// Where a token of an expanded text is written, and whether it is spelt out there.
    fn source_of(&self, token: &Expanded) -> (Span, bool) {
        let span = self.span(token.start, token.end);
        (span, self.text.get(span.range()) == Some(self.names.name(token.sym)))
    }

    /// Adds a use that a token of an expanded text is.
    fn named(&mut self, id: EntityId, token: &Expanded, role: Role) {
        match self.source_of(token) {
            (span, true) => self.mention(id, span, role),
            // What is written there is something else, too: a macro or a parameter, for instance.
            (span, false) => self.builder.mention(id, span, Role::Pasted),
        }
    }

    /// What a token of a section declares. The second time, it is one more declaration of the same.
    fn declare(&mut self, section: Section, kind: EntityKind, token: &Expanded) {
        self.declare_as(section, kind, token, String::new());
    }

    /// What a token declares, with what else is to be said about it.
    fn declare_as(&mut self, section: Section, kind: EntityKind, token: &Expanded, detail: String) {
        let name = self.names.name(token.sym).to_owned();
        let (span, _) = self.source_of(token);
        let signature = self.bounded(span);
        let names = if kind == EntityKind::Place { &mut self.vertices } else { &mut self.known };
        let known = names.get(&token.sym).copied();
        let id = known.unwrap_or_else(|| {
            let id = self.builder.entity(Entity { signature, detail, ..Entity::new(kind, name, span) });
            names.insert(token.sym, id);
            id
        });
        self.named(id, token, Role::Definition);
        if known.is_none() {
            self.show(section, id, span);
        }
    }

    /// A name with the bound behind it: `white(100)`.
    fn bounded(&self, name: Span) -> Span {
        let rest = self.text.get(name.end as usize..).unwrap_or_default();
        let digits =
            rest.trim_start().strip_prefix('(').and_then(|rest| rest.find(')').and_then(|end| rest.get(..end)));
        let bound = digits.filter(|digits| !digits.is_empty() && digits.trim().bytes().all(|b| b.is_ascii_digit()));
        match bound.and_then(|_| rest.find(')')) {
            Some(end) => self.span(name.start, name.end + u32::try_from(end).unwrap_or(0) + 1),
            None => Span::NONE,
        }
    }

    /// A section that is a list: of players, pieces or variables.
    pub(super) fn list(&mut self, tokens: &[Expanded], section: Section, kind: EntityKind) {
        for token in tokens.iter().filter(|token| token.kind == Some(Kind::Ident)) {
            self.declare(section, kind, token);
        }
    }

    /// The board: in square brackets stand pieces, before colons and in the brackets of a usual board directions, and all else is vertices.
    pub(super) fn board(&mut self, tokens: &[Expanded]) {
        let mut open: Vec<Kind> = Vec::new();
        let (board, directions) = tokens.iter().find_map(usual_board).unwrap_or(("", &[]));
        let mut directions = directions.iter();
        for (at, token) in tokens.iter().enumerate() {
            let Some(kind) = token.kind else { continue };
            let next = tokens.get(at + 1).and_then(|next| next.kind);
            match kind {
                Kind::Ident => match (open.last(), next) {
                    (Some(Kind::BracketOpen), _) => self.name(token, Role::Read),
                    (Some(Kind::ParenOpen), _) => {
                        let detail = directions.next().map(|direction| format!("`{direction}` of the {board}"));
                        self.direction(token, detail.unwrap_or_default());
                    }
                    (_, Some(Kind::Colon)) => self.direction(token, String::new()),
                    (_, Some(Kind::BracketOpen)) => self.declare(Section::Board, EntityKind::Place, token),
                    _ => self.vertex(token),
                },
                kind if kind.opens() => open.push(kind),
                kind if kind.closes() => {
                    open.pop();
                }
                _ => {}
            }
        }
        self.vertices_before_their_declaration(tokens);
    }

    /// A direction: the first one of its name is declared there.
    fn direction(&mut self, token: &Expanded, detail: String) {
        match self.known.get(&token.sym) {
            Some(&id) => self.named(id, token, Role::Read),
            None => self.declare_as(Section::Board, EntityKind::Direction, token, detail),
        }
    }

    fn vertex(&mut self, token: &Expanded) {
        if let Some(&id) = self.vertices.get(&token.sym) {
            self.named(id, token, Role::Read);
        }
    }

    /// Edges may lead to vertices that come later.
    fn vertices_before_their_declaration(&mut self, tokens: &[Expanded]) {
        for pair in tokens.windows(2) {
            if let [colon, name] = pair
                && colon.kind == Some(Kind::Colon)
                && name.kind == Some(Kind::Ident)
            {
                self.vertex(name);
            }
        }
    }

    /// A name of the one table that pieces, players, variables and directions share.
    fn name(&mut self, token: &Expanded, role: Role) {
        if let Some(&id) = self.known.get(&token.sym) {
            self.named(id, token, role);
        }
    }

    /// The rules.
    pub(super) fn rules(&mut self, tokens: &[Expanded]) {
        // A place of a macro that is expanded many times means mostly the same.
        let mut met: rustc_hash::FxHashSet<(u32, u32, Symbol, Role)> = rustc_hash::FxHashSet::default();
        let mut assigns = false;
        for (at, token) in tokens.iter().enumerate() {
            match token.kind {
                Some(Kind::AssignOpen) => assigns = true,
                Some(Kind::BracketClose) => assigns = false,
                Some(Kind::Ident) => {
                    let next = tokens.get(at + 1).and_then(|next| next.kind);
                    let role = if assigns && next == Some(Kind::Equal) { Role::Write } else { Role::Read };
                    if met.insert((token.start, token.end, token.sym, role)) {
                        self.name(token, role);
                    }
                }
                _ => {}
            }
        }
    }
}
