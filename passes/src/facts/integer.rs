//! Sets of consecutive numbers.

use rg_ir::{Game, Pragma, Symbol};
use rustc_hash::FxHashMap;

/// Finds the declared sets whose symbols are written as consecutive numbers, and lists them in order. A set is left out if
/// the game gives one of its symbols another number, or all of them their numbers already. O(symbols · log).
pub(super) fn infer(game: &Game) -> Vec<Pragma> {
    let mut known: FxHashMap<Symbol, u64> = FxHashMap::default();
    for decl in &game.pragmas {
        if let Pragma::Integer { first, symbols } = &decl.pragma {
            known.extend(symbols.iter().copied().zip(*first..));
        }
    }
    let mut found: Vec<Pragma> = Vec::new();
    for decl in game.type_decls.values() {
        let members = game.types.members(decl.definition);
        let number = |&symbol: &Symbol| Some((number(game.name(symbol))?, symbol));
        let Some(mut numbers) = members.iter().map(number).collect::<Option<Vec<_>>>() else { continue };
        numbers.sort_unstable();
        let consecutive = numbers.windows(2).all(|pair| matches!(pair, [a, b] if a.0.checked_add(1) == Some(b.0)));
        let agrees = numbers.iter().all(|(number, symbol)| known.get(symbol).is_none_or(|other| other == number));
        let Some(&(first, _)) = numbers.first() else { continue };
        let news = numbers.iter().any(|(_, symbol)| !known.contains_key(symbol));
        if numbers.len() > 1 && consecutive && agrees && news {
            let pragma = Pragma::Integer { first, symbols: numbers.into_iter().map(|(_, symbol)| symbol).collect() };
            if !found.contains(&pragma) {
                found.push(pragma);
            }
        }
    }
    found
}

/// The number that a name is in its usual form.
fn number(name: &str) -> Option<u64> {
    let digits = name.bytes().all(|byte| byte.is_ascii_digit());
    let usual = name == "0" || !name.starts_with('0');
    if digits && usual { name.parse().ok() } else { None }
}
