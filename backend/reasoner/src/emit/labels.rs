//! How labels of moves are read from their words.

use lower::{Decision, MoveFormat, Tag};
use rg_ir::Symbol;
use rg_ir::ids::Id;
use wir::FnId;

/// How the labels of a decision's moves are read. Symbols are numbers of the game's symbols.
#[derive(Debug)]
pub(super) struct Labels {
    /// By kind of moves: the parts that words say.
    pub(super) kinds: Vec<Vec<Part>>,
    /// The function of the program that reads what follows; see [`lower::Decision::label`].
    pub(super) function: Option<FnId>,
}

/// A part of a label.
#[derive(Clone, Debug)]
pub(super) enum Part {
    /// The symbol number `(word >> shift) & mask` of these.
    Choice { symbols: Vec<usize>, shift: u32, mask: u64 },
    /// What follows from the parts on both sides.
    Between {
        /// What stands for the part before this one, which is the previous one otherwise.
        before: Option<Box<Part>>,
        /// By the symbol before and the one behind it, in order: the symbols between them.
        cases: Vec<(usize, usize, Vec<usize>)>,
    },
}

impl Labels {
    /// How the labels of a decision's moves are read.
    pub(super) fn of(decision: &Decision) -> Self {
        Self { kinds: decision.templates.iter().map(parts).collect(), function: decision.label }
    }
}

/// How the labels of a kind of moves are read.
fn parts(format: &MoveFormat) -> Vec<Part> {
    format.tags.iter().map(|tag| part(format, tag)).collect()
}

fn part(format: &MoveFormat, tag: &Tag) -> Part {
    let numbers = |symbols: &[Symbol]| symbols.iter().map(|symbol| symbol.index()).collect();
    match tag {
        Tag::Symbol(symbol) => Part::Choice { symbols: vec![symbol.index()], shift: 0, mask: 0 },
        Tag::Argument(at, symbols) => {
            let argument = format.arguments.get(*at).copied();
            let (shift, bits) = argument.map_or((0, 0), |argument| (argument.shift, argument.bits));
            let mask = 1u64.checked_shl(bits).unwrap_or(0).wrapping_sub(1);
            Part::Choice { symbols: numbers(symbols), shift, mask }
        }
        Tag::Between(before, between) => {
            let before = before.as_deref().map(|before| Box::new(part(format, before)));
            let mut cases: Vec<_> =
                between.iter().map(|((from, to), symbols)| (from.index(), to.index(), numbers(symbols))).collect();
            cases.sort();
            Part::Between { before, cases }
        }
    }
}
