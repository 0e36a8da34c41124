//! Rows of places of which each player owns one half, as in games of sowing.

use super::variables::initial;
use crate::ids::{Symbol, TypeId};
use crate::types::Structure;
use crate::{Game, Value};

/// One half: who owns it, and its places in their order.
pub(super) type Half<'g> = (&'g str, Vec<Symbol>);

/// The two halves of the places of a map with keys of the type `key`, if a constant of the game gives the first half to one player and the second
/// half to another one. Linear in the constants, and the places for those of such a type.
pub(super) fn halves<'g>(game: &'g Game, key: TypeId, places: &[Symbol]) -> Option<[Half<'g>; 2]> {
    if places.len() < 4 || !places.len().is_multiple_of(2) {
        return None;
    }
    let (first, second) = places.split_at(places.len() / 2);
    game.consts.values().find_map(|constant| {
        let Some(Structure::Arrow(from, to)) = game.types.structure(constant.ty) else { return None };
        let values = game.types.members(to);
        let owners = game.types.members(from) == game.types.members(key)
            && !values.is_empty()
            && values.iter().all(|value| game.players().contains(value));
        if !owners {
            return None;
        }
        let [one, other] = [first, second].map(|half| owner(game, &constant.value, half));
        let (one, other) = (one?, other?);
        (one != other).then(|| [(game.name(one), first.to_vec()), (game.name(other), second.to_vec())])
    })
}

/// Who owns all of some places.
fn owner(game: &Game, owners: &Value, places: &[Symbol]) -> Option<Symbol> {
    let mut all = places.iter().map(|&place| initial(game, owners, &[place]));
    let first = all.next()??;
    all.all(|owner| owner == Some(first)).then_some(first)
}
