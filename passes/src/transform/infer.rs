//! Facts written as pragmas (catalogue of passes, section 8).

use crate::facts::Fact;
use crate::pass::{Context, Pass, Phase};
use rg_ir::Game;

/// Writes the facts of one kind into the game, in place of claims of that kind.
///
/// ```text
/// begin, m: player = a;   m, x: v == 0;   m, y: v != 0;   x, z: $ s;   y, z: $ t;
/// ```
/// gains, by three of these passes,
/// ```text
/// @disjointExhaustive m : x y;   @tagIndex x y : 0;   @integer 0 : 0 1 2;
/// ```
///
/// *Correct*, since pragmas change no play, and the facts are proved ([`crate::facts`]). Near-linear.
pub struct Infer {
    name: &'static str,
    summary: &'static str,
    fact: Fact,
}

/// Infers [`Fact::Disjoint`].
pub static INFER_DISJOINT: Infer = Infer {
    name: "infer-disjoint",
    summary: "find edges of which at most one can be taken, and write them as pragmas",
    fact: Fact::Disjoint,
};

/// Infers [`Fact::Iterator`].
pub static INFER_ITERATOR: Infer = Infer {
    name: "infer-iterator",
    summary: "find choices that are tested at once, and write them as pragmas",
    fact: Fact::Iterator,
};

/// Infers [`Fact::Unique`].
pub static INFER_UNIQUE: Infer = Infer {
    name: "infer-unique",
    summary: "find nodes where walks cannot meet, or few variables tell them apart, and write them as pragmas",
    fact: Fact::Unique,
};

/// Infers [`Fact::SimpleApply`].
pub static INFER_SIMPLE_APPLY: Infer = Infer {
    name: "infer-simple-apply",
    summary: "find moves that can be applied without a search, and write them as pragmas",
    fact: Fact::SimpleApply,
};

/// Infers [`Fact::TagIndex`].
pub static INFER_TAG_INDEX: Infer = Infer {
    name: "infer-tag-index",
    summary: "find how many tags come before a node, and write it as pragmas",
    fact: Fact::TagIndex,
};

/// Infers [`Fact::Integer`].
pub static INFER_INTEGER: Infer = Infer {
    name: "infer-integer",
    summary: "find sets of consecutive numbers, and write them as pragmas",
    fact: Fact::Integer,
};

impl Pass for Infer {
    fn name(&self) -> &'static str {
        self.name
    }

    fn summary(&self) -> &'static str {
        self.summary
    }

    fn phase(&self) -> Phase {
        Phase::Request
    }

    fn keeps_claims(&self) -> bool {
        true
    }

    fn run(&self, game: &mut Game, _: &mut Context) -> bool {
        self.fact.write(game)
    }
}
