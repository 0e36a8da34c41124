//! Tags that labels can do without (catalogue of passes, 2.4 and 2.5).

use crate::effects::Builtins;
use crate::facts::{TagEdges, droppable};
use crate::pass::{Context, Level, Pass, Phase};
use crate::relabel::Marked;
use rg_ir::{Game, Label, Pragma, Symbol, Value};
use rustc_hash::FxHashSet;

/// Makes skips of artificial tags.
///
/// ```text
/// @artificialTag t;   m, x: v == 0;   m, y: v == 1;   x, z: $ t;   y, z: $ t;   z, e: $ u;   e, end: player = keeper;
/// ```
/// becomes
/// ```text
/// m, x: v == 0;   m, y: v == 1;   x, z: ;   y, z: ;   z, e: $ u;   e, end: player = keeper;
/// ```
///
/// *Correct*, since the labels that remain are as different as they were ([`crate::facts`], *labels*): a tag that tells
/// moves apart is kept, with all others of its name. The old labels can be had back ([`Marked`]). Bounded: after 600,000
/// pairs of steps nothing is dropped.
pub struct DropArtificialTags;

impl Pass for DropArtificialTags {
    fn name(&self) -> &'static str {
        "drop-artificial-tags"
    }

    fn summary(&self) -> &'static str {
        "drop artificial tags where the others distinguish moves"
    }

    fn phase(&self) -> Phase {
        Phase::Finish
    }

    fn level(&self) -> Level {
        Level::Relabel
    }

    fn changes_moves(&self) -> bool {
        true
    }

    fn run(&self, game: &mut Game, context: &mut Context) -> bool {
        let artificial = |pragma: &Pragma| match pragma {
            Pragma::ArtificialTag(tags) => tags.clone(),
            _ => Vec::new(),
        };
        let names: FxHashSet<Symbol> = game.pragmas.iter().flat_map(|decl| artificial(&decl.pragma)).collect();
        if names.is_empty() || hides_tags(game) {
            return false;
        }
        let is_artificial = |label: &Label| matches!(label, Label::Tag(tag) if names.contains(tag));
        let edges = game.automaton.edges();
        let candidates: TagEdges = edges.filter(|(_, edge)| is_artificial(&edge.label)).map(|(id, _)| id).collect();
        let Some(dropped) = droppable(game, candidates, true) else {
            context.note("there are too many pairs of tags to compare");
            return false;
        };
        let changed = make_skips(game, &dropped, context);
        if changed {
            let used = |tag: &Symbol| game.automaton.edges().any(|(_, edge)| edge.label == Label::Tag(*tag));
            let used: FxHashSet<Symbol> = names.iter().copied().filter(used).collect();
            for decl in &mut game.pragmas {
                if let Pragma::ArtificialTag(tags) = &mut decl.pragma {
                    tags.retain(|tag| used.contains(tag));
                }
            }
            game.pragmas.retain(|decl| !matches!(&decl.pragma, Pragma::ArtificialTag(tags) if tags.is_empty()));
        }
        changed
    }
}

/// Makes skips of tags that say what the other tags of the label, and the state in which the move begins, say already.
///
/// ```text
/// m, x: v = T(*);   x, y: $$ v;   y, z: $ put;   z, q: w = next[v];   q, r: $$ w;   r, end: player = keeper;
/// ```
/// becomes
/// ```text
/// m, x: v = T(*);   x, y: $$ v;   y, z: ;   z, q: w = next[v];   q, r: ;   r, end: player = keeper;
/// ```
///
/// *Correct*, since two different labels differ in a tag that is kept ([`crate::facts`], *labels*), so that there are as
/// many moves as before. The old labels can be had back ([`Marked`]). Not for games that hide tags from players. Bounded:
/// after 600,000 pairs of steps nothing is dropped.
pub struct DropRedundantTags;

impl Pass for DropRedundantTags {
    fn name(&self) -> &'static str {
        "drop-redundant-tags"
    }

    fn summary(&self) -> &'static str {
        "drop tags that add no information"
    }

    fn phase(&self) -> Phase {
        Phase::Finish
    }

    fn level(&self) -> Level {
        Level::Relabel
    }

    fn changes_moves(&self) -> bool {
        true
    }

    fn run(&self, game: &mut Game, context: &mut Context) -> bool {
        if hides_tags(game) {
            return false;
        }
        // What is left out tells no longer what comes after it, so the last round finds nothing new as a rule.
        let mut rest = game.clone();
        let mut all = TagEdges::default();
        loop {
            let tags = rest.automaton.edges().filter(|(_, edge)| is_tag(&edge.label));
            let Some(dropped) = droppable(&rest, tags.map(|(id, _)| id).collect(), false) else {
                context.note("there are too many pairs of tags to compare");
                break;
            };
            if dropped.is_empty() {
                break;
            }
            dropped.iter().for_each(|&id| rest.automaton.set_label(id, Label::Skip));
            all.extend(dropped);
        }
        make_skips(game, &all, context)
    }
}

fn is_tag(label: &Label) -> bool {
    matches!(label, Label::Tag(_) | Label::TagVar(_))
}

/// Makes skips of these edges, and leaves a note of how to translate moves; whether there are any.
fn make_skips(game: &mut Game, dropped: &TagEdges, context: &mut Context) -> bool {
    if dropped.is_empty() {
        return false;
    }
    context.relabelled.push(Marked::new(game.clone(), dropped));
    dropped.iter().for_each(|&id| game.automaton.set_label(id, Label::Skip));
    true
}

/// Whether some player may not see some tag: what is left out could then be all that somebody is told.
fn hides_tags(game: &Game) -> bool {
    let Some(visible) = Builtins::of(game).visible else { return false };
    let written = game
        .automaton
        .edges()
        .any(|(_, edge)| crate::effects::write(game, &edge.label).is_some_and(|write| write.var == visible));
    let one = game.symbols.get("1");
    let decl = &game.vars[visible];
    let seen = match &decl.initial {
        Value::Symbol(_) => false,
        initial => game.dense(decl.ty, initial).is_ok_and(|table| table.values.iter().all(|&value| Some(value) == one)),
    };
    written || !seen
}
