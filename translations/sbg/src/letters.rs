//! Letters for kinds of pieces: pieces of both players that follow the same rule share one.

use crate::codes;
use crate::derive::Kinds;
use crate::facts::Facts;
use crate::model::{Model, Refused, refuse};
use rg_ir::{Span, Symbol};
use std::collections::BTreeMap;

/// The letter of each kind of piece, large for the first player's and small for the second player's. `rules` are as for the first player.
pub(crate) fn letters(model: &Model<'_>, facts: &Facts, rules: &Kinds) -> Result<BTreeMap<Symbol, char>, Refused> {
    let side = |side: usize| -> Vec<(Symbol, String)> {
        let own = rules.keys().copied().filter(|kind| facts.owner.get(kind) == Some(&side));
        let own: Vec<Symbol> = own.collect();
        let names = own.iter().map(|&kind| model.game.name(kind)).collect::<Vec<_>>();
        let player = model.game.name(model.players[side]).trim_start_matches("player_");
        own.iter().zip(&names).map(|(&kind, name)| (kind, bare(name, &names, player))).collect()
    };
    let (whites, mut blacks) = (side(0), side(1));
    let (mut letters, mut taken) = (BTreeMap::new(), Vec::new());
    let mut pairs: Vec<(String, Option<Symbol>, Option<Symbol>)> = Vec::new();
    for (kind, name) in whites {
        let alike = |(other, _): &(Symbol, String)| rules.get(other) == rules.get(&kind);
        let same_name = blacks.iter().position(|other| alike(other) && other.1.eq_ignore_ascii_case(&name));
        let partner = same_name.or_else(|| blacks.iter().position(alike)).map(|at| blacks.remove(at).0);
        pairs.push((name, Some(kind), partner));
    }
    pairs.extend(blacks.into_iter().map(|(kind, name)| (name, None, Some(kind))));
    for (name, white, black) in pairs {
        let wished = name.chars().filter(char::is_ascii_alphabetic).map(|c| c.to_ascii_uppercase());
        let rule = white.or(black).and_then(|kind| rules.get(&kind));
        let knight = rule.is_some_and(|rule| !rule.is_empty() && rule.is_of_knights());
        let usual = name.is_empty().then_some(if knight { 'N' } else { 'P' });
        let letter = usual.into_iter().chain(wished).chain('A'..='Z').find(|letter| !taken.contains(letter));
        let Some(letter) = letter else {
            let message = "there are more kinds of pieces than letters";
            return Err(refuse(codes::BOARD, Span::NONE, message));
        };
        taken.push(letter);
        letters.extend(white.map(|kind| (kind, letter)));
        letters.extend(black.map(|kind| (kind, letter.to_ascii_lowercase())));
    }
    Ok(letters)
}

/// The name of a kind of piece without that of its player: without what all his pieces have in common, if there are several.
fn bare(name: &str, all: &[&str], player: &str) -> String {
    let name = name.trim_start_matches("piece_");
    let small = name.to_ascii_lowercase();
    if let Some(rest) = small.strip_prefix(&player.to_ascii_lowercase()) {
        return rest.trim_start_matches('_').to_owned();
    }
    let others = all.iter().map(|other| other.trim_start_matches("piece_"));
    let shared = others.fold(name.len(), |shared, other| {
        shared.min(name.bytes().zip(other.bytes()).take_while(|(a, b)| a == b).count())
    });
    match all.len() {
        // `w` and `b` for white and black say nothing else; a name of its own does.
        1 if player.to_ascii_lowercase().starts_with(&small) && name.len() == 1 && small == name => String::new(),
        1 => small,
        _ => small.get(shared..).filter(|rest| !rest.is_empty()).unwrap_or(&small).to_owned(),
    }
}
