//! Short names (catalogue of passes, 7.7).

use crate::effects::Builtins;
use crate::facts::Values;
use crate::pass::{Context, Pass, Phase};
use fixedbitset::FixedBitSet;
use rg_ir::ids::Id;
use rg_ir::{Game, Label, Symbol, Symbols, VarId};

/// Renames what shows nowhere to `m0`, `m1`, …: types, constants, variables, nodes and symbols.
///
/// ```text
/// type Player = { white };   type Cell = { empty, full };   var board: Cell = empty;
/// begin, turn: player = white;   turn, done: board == empty;   done, end: $ white;
/// ```
/// becomes
/// ```text
/// type Player = { white };   type m0 = { m1, m2 };   var m3: m0 = m1;
/// begin, m4: player = white;   m4, m5: m3 == m1;   m5, end: $ white;
/// ```
///
/// *Correct*, since different names get different names, and all names that the language or a reader of moves and scores
/// knows are kept: the built-in ones, players, scores, all tags, and all symbols of the types of variables that are shown
/// as tags; if one of those may hold a symbol from outside its type, all names are kept. The names of boards and pieces
/// are lost, so that a front end can no longer draw a state. O(names + edges).
pub struct Mangle;

impl Pass for Mangle {
    fn name(&self) -> &'static str {
        "mangle"
    }

    fn summary(&self) -> &'static str {
        "give short names to everything that shows neither in moves nor in scores"
    }

    fn phase(&self) -> Phase {
        Phase::Request
    }

    fn keeps_claims(&self) -> bool {
        true
    }

    fn run(&self, game: &mut Game, _: &mut Context) -> bool {
        let kept = kept(game);
        let mut renamed = Symbols::default();
        let (mut number, mut changed) = (0usize, false);
        for index in 0..game.symbols.len() {
            let old = game.symbols.name(Symbol::from_index(index));
            if kept.contains(index) {
                renamed.intern(old);
                continue;
            }
            let new = loop {
                let name = format!("m{number}");
                number += 1;
                if game.symbols.get(&name).is_none_or(|symbol| !kept.contains(symbol.index())) {
                    break name;
                }
            };
            changed |= old != new;
            renamed.intern(&new);
        }
        if changed {
            game.symbols = renamed;
        }
        changed
    }
}

/// Names that the language gives a meaning.
const BUILT_IN: [&str; 15] = [
    "Player",
    "Score",
    "Bool",
    "Goals",
    "Visibility",
    "PlayerOrSystem",
    "goals",
    "player",
    "visible",
    "begin",
    "end",
    "keeper",
    "random",
    "0",
    "1",
];

/// The names that stay as they are.
fn kept(game: &Game) -> FixedBitSet {
    let mut kept = FixedBitSet::with_capacity(game.symbols.len());
    kept.extend(BUILT_IN.iter().filter_map(|name| game.symbols.get(name)).map(Id::index));
    for name in ["Player", "Score"] {
        let decl = game.symbols.get(name).and_then(|name| game.types.declaration(name));
        if let Some(decl) = decl.and_then(|decl| game.type_decls.get(decl)) {
            kept.extend(game.types.members(decl.definition).iter().map(|symbol| symbol.index()));
        }
    }
    let mut shown = FixedBitSet::with_capacity(game.vars.len());
    for (_, edge) in game.automaton.edges() {
        match edge.label {
            Label::Tag(tag) => kept.insert(tag.index()),
            Label::TagVar(var) => shown.insert(var.index()),
            _ => {}
        }
    }
    // Types are loose: what is shown may come from anywhere, unless every write to it shows that it does not.
    let values = Values::new(game);
    let builtins = Builtins::of(game);
    let seen = shown.ones().map(VarId::from_index).chain(builtins.goals).chain(builtins.player);
    if !seen.into_iter().all(|var| values.fits(var)) {
        kept.insert_range(..);
        return kept;
    }
    for (_, decl) in game.vars.iter().filter(|(id, _)| shown.contains(id.index())) {
        kept.extend(game.types.members(decl.ty).iter().map(|symbol| symbol.index()));
    }
    kept
}
