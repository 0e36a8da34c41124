//! Facts about a game that engines can use, written as pragmas (specification of RG, section 10; catalogue of passes,
//! section 8).
//!
//! Every fact is *proved*: by looking at the labels of a node's edges, or by data flow over the automaton, never by
//! trying. The analyses assume nothing about the game but that it has no errors; in particular variables may hold symbols
//! outside their type, unless every write to them shows that they do not ([`Values`]).
//!
//! Pragmas in a text are *claims*: what an author says of the game. [`Claims`] says what to do with them.

mod classes;
mod components;
mod disjoint;
mod integer;
mod iterator;
mod knowledge;
mod labels;
mod simple_apply;
mod tag_index;
mod terms;
mod unique;
mod values;
mod walks;

pub use classes::Classes;
pub use components::components;
pub(crate) use labels::{TagEdges, droppable};
pub use tag_index::{Count, move_starts, tag_counts};
pub use values::Values;

use rg_ir::{Game, Pragma, PragmaDecl, Span};

/// What to do with the claims of an input file.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Claims {
    /// Forget them: [`drop_claims`]. Facts can be inferred anew.
    #[default]
    Ignore,
    /// Test them by search before they are believed.
    Verify,
    /// Believe them.
    Trust,
}

impl Claims {
    /// All policies by name.
    pub const ALL: [(&'static str, Claims); 3] =
        [("ignore", Claims::Ignore), ("verify", Claims::Verify), ("trust", Claims::Trust)];
}

/// The kinds of facts that can be inferred.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fact {
    /// `@disjoint`, `@disjointExhaustive`.
    Disjoint,
    /// `@iterator`.
    Iterator,
    /// `@unique`, `@repeat`.
    Unique,
    /// `@simpleApply`, `@simpleApplyExhaustive`.
    SimpleApply,
    /// `@tagIndex`, `@tagMaxIndex`.
    TagIndex,
    /// `@integer`, where the names of all symbols of a set are consecutive numbers.
    Integer,
}

impl Fact {
    /// All kinds.
    pub const ALL: [Fact; 6] =
        [Fact::Disjoint, Fact::Iterator, Fact::Unique, Fact::SimpleApply, Fact::TagIndex, Fact::Integer];

    /// The facts of this kind that hold in a game without errors. What `game` already says is not looked at, except that
    /// a symbol with a number keeps it. The game gains at most names and expressions that the pragmas use. Near-linear.
    pub fn infer(self, game: &mut Game) -> Vec<Pragma> {
        match self {
            Fact::Disjoint => disjoint::infer(game),
            Fact::Iterator => iterator::infer(game),
            Fact::Unique => unique::infer(game),
            Fact::SimpleApply => simple_apply::infer(game),
            Fact::TagIndex => tag_index::infer(game),
            Fact::Integer => integer::infer(game),
        }
    }

    /// Whether a pragma is of this kind.
    pub fn covers(self, pragma: &Pragma) -> bool {
        match self {
            Fact::Disjoint => matches!(pragma, Pragma::Disjoint { .. }),
            Fact::Iterator => matches!(pragma, Pragma::Iterator { .. }),
            Fact::Unique => matches!(pragma, Pragma::Unique(_) | Pragma::Repeat { .. }),
            Fact::SimpleApply => matches!(pragma, Pragma::SimpleApply { .. }),
            Fact::TagIndex => matches!(pragma, Pragma::TagIndex { .. } | Pragma::TagMaxIndex { .. }),
            Fact::Integer => matches!(pragma, Pragma::Integer { .. }),
        }
    }

    /// Infers the facts of this kind and writes them into the game, in place of claims of the same kind (numbers of
    /// symbols are kept). Whether that changed anything.
    pub fn write(self, game: &mut Game) -> bool {
        let found = self.infer(game);
        if self != Fact::Integer {
            if game.pragmas.iter().map(|decl| &decl.pragma).filter(|pragma| self.covers(pragma)).eq(&found) {
                return false;
            }
            game.pragmas.retain(|decl| !self.covers(&decl.pragma));
        } else if found.is_empty() {
            return false;
        }
        game.pragmas.extend(found.into_iter().map(|pragma| PragmaDecl { pragma, span: Span::NONE }));
        true
    }
}

/// All facts that can be inferred. As for [`Fact::infer`].
pub fn infer(game: &mut Game) -> Vec<Pragma> {
    Fact::ALL.into_iter().flat_map(|fact| fact.infer(game)).collect()
}

/// Whether a pragma is a claim about walks, which search can refute and a change of the automaton can make wrong. The
/// others say what symbols and tags are meant to be (`@integer`, `@artificialTag`, `@translatedFromRbg`) or are unknown.
pub fn is_claim(pragma: &Pragma) -> bool {
    match pragma {
        Pragma::Disjoint { .. }
        | Pragma::Iterator { .. }
        | Pragma::Repeat { .. }
        | Pragma::Unique(_)
        | Pragma::SimpleApply { .. }
        | Pragma::TagIndex { .. }
        | Pragma::TagMaxIndex { .. } => true,
        Pragma::ArtificialTag(_) | Pragma::Integer { .. } | Pragma::TranslatedFromRbg | Pragma::Unknown(_) => false,
    }
}

/// Forgets all claims; whether there were any.
///
/// The pipeline does so after every pass that may have made one wrong (section 10.4, the simple policy: nodes vanish,
/// walks are added), so facts are best inferred last.
pub fn drop_claims(game: &mut Game) -> bool {
    let before = game.pragmas.len();
    game.pragmas.retain(|decl| !is_claim(&decl.pragma));
    game.pragmas.len() != before
}
