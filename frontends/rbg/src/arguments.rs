//! What an argument of a macro may be, as the macro's body uses it: for whoever writes a call.

use crate::complete::kinds;
use crate::directives::{Directives, Macro, Word};
use crate::lexer::{Kind, Token};
use rg_ir::index::{EntityKind, Slot};
use rg_ir::{Symbol, Symbols};
use rustc_hash::FxHashMap;

/// Calls inside of each other through which uses are followed.
const MAX_DEPTH: usize = 30;

/// A call that is being written.
pub(crate) struct Call {
    /// The name of the macro.
    callee: Symbol,
    /// The number of the argument.
    argument: usize,
}

/// The innermost call that is open behind some tokens. Linear.
pub(crate) fn open(tokens: &[Token]) -> Option<Call> {
    // By open bracket, the name before it, and the semicolons behind it.
    let mut open: Vec<(Option<Symbol>, usize)> = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        match token.kind {
            Kind::Semicolon => open.iter_mut().last().into_iter().for_each(|(_, count)| *count += 1),
            kind if kind.opens() => {
                let name = at.checked_sub(1).and_then(|before| tokens.get(before));
                let name = name.filter(|name| kind == Kind::ParenOpen && name.kind == Kind::Ident);
                open.push((name.map(|name| name.sym), 0));
            }
            kind if kind.closes() => _ = open.pop(),
            _ => {}
        }
    }
    let &(callee, argument) = open.last()?;
    Some(Call { callee: callee?, argument })
}

/// The macros of a text.
pub(crate) struct Macros<'t> {
    pub(crate) tokens: &'t [Token],
    pub(crate) directives: &'t Directives,
    /// What stands in a section that is no board stands in rules.
    pub(crate) section: Kind,
    /// By macro and parameter, as which kinds of names it is used.
    pub(crate) known: FxHashMap<(usize, usize), Vec<EntityKind>>,
}

impl Macros<'_> {
    /// The kinds of names that an argument may be, likeliest first, and what else tells what stands there; `None` if nothing of that name has so many arguments.
    pub(crate) fn expected(&mut self, call: &Call, names: &Symbols) -> Option<(Vec<EntityKind>, Slot)> {
        let directives = self.directives;
        let fits = |found: &Macro| found.parameters.as_ref().is_some_and(|list| list.len() > call.argument);
        let meant = directives.macros.iter().enumerate().filter(|(_, found)| found.name == call.callee && fits(found));
        let uses: Vec<Vec<EntityKind>> = meant.map(|(at, _)| self.uses(at, call.argument, 0)).collect();
        let first = (!uses.is_empty()).then_some(EntityKind::Parameter)?;
        let kinds = [vec![first], common(uses), vec![EntityKind::Macro]].concat();
        Some((kinds, Slot { callees: vec![names.name(call.callee).to_owned()], argument: call.argument }))
    }

    /// As which kinds of names a macro uses a parameter, macros and parameters left out; none if it only makes names with it. Linear in the bodies of the macros that it is
    /// handed to.
    fn uses(&mut self, at: usize, parameter: usize, depth: usize) -> Vec<EntityKind> {
        if let Some(known) = self.known.get(&(at, parameter)) {
            return known.clone();
        }
        let (tokens, directives) = (self.tokens, self.directives);
        let Some(found) = directives.macros.get(at).filter(|_| depth < MAX_DEPTH) else { return Vec::new() };
        let (start, end) = (found.body.0 as usize, found.body.1 as usize);
        let is_it =
            |index: &usize| matches!(directives.word(*index), Word::Parameter(number) if number as usize == parameter);
        let is_pasted = |index: &usize| {
            let beside = [index.checked_sub(1), index.checked_add(1)].into_iter().flatten();
            beside
                .filter(|beside| (start..end).contains(beside))
                .any(|beside| tokens.get(beside).is_some_and(|token| token.kind == Kind::Tilde))
        };
        let mut uses = Vec::new();
        for index in (start..end).filter(is_it).filter(|index| !is_pasted(index)) {
            let before = tokens.get(start..index).unwrap_or_default();
            uses.push(match open(before) {
                Some(inner) => {
                    let is_meant = |other: &Macro| {
                        let count = other.parameters.as_ref().map_or(0, Vec::len);
                        other.name == inner.callee && other.directive < found.directive && count > inner.argument
                    };
                    let at = directives.macros.iter().position(is_meant);
                    at.map(|at| self.uses(at, inner.argument, depth + 1)).unwrap_or_default()
                }
                None => {
                    let names = |kind: &&EntityKind| !matches!(kind, EntityKind::Macro | EntityKind::Parameter);
                    kinds(self.section, before).iter().filter(names).copied().collect()
                }
            });
        }
        let uses = common(uses);
        self.known.insert((at, parameter), uses.clone());
        uses
    }
}

/// The kinds that several places have in common, or all of them if there are none; of places that have none, nothing is known.
fn common(places: Vec<Vec<EntityKind>>) -> Vec<EntityKind> {
    let known = places.into_iter().filter(|kinds| !kinds.is_empty());
    let both = |all: Vec<EntityKind>, kinds: Vec<EntityKind>| {
        let shared: Vec<EntityKind> = all.iter().copied().filter(|kind| kinds.contains(kind)).collect();
        if !shared.is_empty() {
            return shared;
        }
        let new: Vec<EntityKind> = kinds.into_iter().filter(|kind| !all.contains(kind)).collect();
        [all, new].concat()
    };
    known.reduce(both).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use crate::complete::expected;
    use rg_ir::index::EntityKind::{Direction, Macro, Parameter, Piece, Player, Variable};

    const MACROS: &str = "\
#put(piece) = {e} [piece]
#turn(me; his; ahead; count) = ->me {his} (ahead + up) put(his) [$ count = count + 1] [$ me = 100] ->>
#men(my) = my~P, my~K
#take(my) = {men(my)} [e]
#rules = ";

    #[test]
    fn arguments_are_what_macros_use_them_as() {
        for (call, wanted) in [
            ("turn(", vec![Parameter, Player, Macro]),
            ("turn(white; ", vec![Parameter, Piece, Macro]),
            ("turn(white; w; ", vec![Parameter, Direction, Macro, Piece, Player, Variable]),
            ("(left + turn(white; w; up; qu", vec![Parameter, Variable, Player, Piece, Macro]),
            ("put(", vec![Parameter, Piece, Macro]),
            // Names are made with it.
            ("take(", vec![Parameter, Macro]),
        ] {
            let text = format!("{MACROS}{call}");
            let found = expected(&text, text.len());
            let kinds: Vec<_> = wanted.iter().filter(|kind| found.kinds.contains(kind)).copied().collect();
            assert!(kinds.len() >= 2 && found.kinds.starts_with(&wanted[..2]), "{call}: {:?}", found.kinds);
            let slot = found.slot.map(|slot| (slot.callees.concat(), slot.argument));
            let name =
                call.rsplit_once('(').map(|(before, _)| before.rsplit(['(', ' ']).next().unwrap_or("").to_owned());
            assert_eq!(slot, name.map(|name| (name, call.matches(';').count())), "{call}");
        }
        // What is a player in one place and the target of an assignment in another one is no piece.
        let text = format!("{MACROS}turn(");
        assert_eq!(expected(&text, text.len()).kinds, [Parameter, Player, Macro]);
    }

    #[test]
    fn other_brackets_are_no_calls() {
        for call in ["(", "{", "turn(white; {", "put(w) ", "unknown(", "put(w; ", "turn(white; (up + "] {
            let text = format!("{MACROS}{call}");
            assert_eq!(expected(&text, text.len()).slot, None, "{call}");
        }
    }
}
