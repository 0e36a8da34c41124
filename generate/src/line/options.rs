//! The values of rules in descriptions.

use super::board::{Player, Rank};
use super::rules::{
    AtLimit, Capture, Chain, Counted, Flying, Limit, MAX_TURNS, PerPiece, Promotion, Rules, Stuck, Unit, Ways,
};
use super::words::{Text, Wrong};

/// Keys of rules.
pub(super) const KEYS: [&str; 9] =
    ["first", "capture", "chain", "move", "steps", "jumps", "flying", "promotion", "limit"];

/// The last one.
pub(super) const STUCK: &str = "stuck";

const PLAYERS: [(&str, Player); 2] = [("white", Player::White), ("black", Player::Black)];

/// Whether `key` is that of a rule; `steps` and `jumps` may have a player and a rank before them.
pub(super) fn is_rule(key: &str) -> bool {
    key == STUCK || KEYS.contains(&key) || pieces(key).is_some()
}

/// Whose steps or jumps a key is about: `steps`, `king steps`, `white steps`, `white king steps`.
fn pieces(key: &str) -> Option<(Vec<(Player, Rank)>, &str)> {
    let mut words: Vec<&str> = key.split_whitespace().collect();
    let what = words.pop().filter(|what| ["steps", "jumps"].contains(what))?;
    let named = words.first().and_then(|word| PLAYERS.iter().find(|(name, _)| name == word)).map(|&(_, player)| player);
    let rank = match words.get(usize::from(named.is_some())..) {
        Some([]) => None,
        Some(["king"]) => Some(Rank::King),
        Some(["man"]) => Some(Rank::Man),
        _ => return None,
    };
    let of = |player: Player| named.is_none_or(|named| named == player);
    let is = |which: Rank| rank.is_none_or(|rank| rank == which);
    let all = Player::ALL.into_iter().flat_map(|player| Rank::ALL.map(|rank| (player, rank)));
    Some((all.filter(|&(player, rank)| of(player) && is(rank)).collect(), what))
}

/// How special a key is: more special ones are read later, since they override.
pub(super) fn order(key: &str) -> usize {
    key.split_whitespace().count()
}

/// Reads the value of a rule.
pub(super) fn read(rules: &mut Rules, key: &str, value: Text<'_>) -> Result<(), Wrong> {
    match key {
        "first" => rules.first = value.choice("player who begins", &PLAYERS)?,
        "capture" => {
            let choices = [("optional", Capture::Optional), ("forced", Capture::Forced), ("longest", Capture::Longest)];
            rules.capture = value.choice(key, &choices)?;
        }
        "chain" => {
            let choices = [("none", Chain::None), ("optional", Chain::Optional), ("forced", Chain::Forced)];
            rules.chain = value.choice(key, &choices)?;
        }
        "move" => rules.unit = value.choice(key, &[("turn", Unit::Turn), ("jump", Unit::Jump)])?,
        "flying" => {
            let choices = [("none", Flying::None), ("kings", Flying::Kings), ("all", Flying::All)];
            rules.flying = value.choice(key, &choices)?;
        }
        "promotion" => {
            rules.promotion = value.choice(key, &[("none", Promotion::None), ("far row", Promotion::FarRow)])?;
        }
        "limit" => rules.limit = limit(value)?,
        STUCK => rules.stuck = value.choice(key, &[("loses", Stuck::Loses), ("draw", Stuck::Draw)])?,
        _ => {
            let Some((pieces, what)) = pieces(key) else { return Ok(()) };
            let ways = ways(value)?;
            let table: &mut PerPiece<Ways> = if what == "steps" { &mut rules.steps } else { &mut rules.jumps };
            for (player, rank) in pieces {
                table.set(player, rank, ways);
            }
        }
    }
    Ok(())
}

/// Directions: `all`, `none`, or some of `forward`, `sideways`, `backward` and one of `straight`, `diagonal`.
fn ways(value: Text<'_>) -> Result<Ways, Wrong> {
    type Set = fn(&mut Ways);
    let sides: [(&str, Set); 3] =
        [("forward", |w| w.forward = true), ("sideways", |w| w.sideways = true), ("backward", |w| w.backward = true)];
    let lines: [(&str, Set); 2] = [("straight", |w| w.straight = true), ("diagonal", |w| w.diagonal = true)];
    match value.text {
        "all" => return Ok(Ways::ALL),
        "none" => return Ok(Ways::NONE),
        _ => {}
    }
    let mut ways = Ways::NONE;
    let mut words = value.words();
    if words.is_at_end() {
        return Err(value
            .not("directions", "`all`, `none`, `forward`, `sideways`, `backward`, `straight` or `diagonal`")
            .into());
    }
    while !words.is_at_end() {
        let choices: Vec<(&str, Set)> = sides.iter().chain(&lines).copied().collect();
        words.next().choice("direction", &choices)?(&mut ways);
    }
    if !(ways.forward || ways.sideways || ways.backward) {
        (ways.forward, ways.sideways, ways.backward) = (true, true, true);
    }
    if !(ways.straight || ways.diagonal) {
        (ways.straight, ways.diagonal) = (true, true);
    }
    Ok(ways)
}

/// A limit: `none`, `1250 turns`, `100 quiet turns, majority`.
fn limit(value: Text<'_>) -> Result<Option<Limit>, Wrong> {
    if value.text == "none" {
        return Ok(None);
    }
    let items = value.items();
    let (Some(first), more) = (items.first(), items.get(1..).unwrap_or_default()) else { return Ok(None) };
    let mut words = first.words();
    if !words.peek().text.starts_with(|first: char| first.is_ascii_digit()) {
        return Err(first.not("limit", "`none`, or a number of turns such as `100 turns` or `100 quiet turns`").into());
    }
    let turns = words.number("number of turns", MAX_TURNS)?;
    let counted = if words.take("quiet") { Counted::Quiet } else { Counted::Turns };
    words.next().choice("what is counted", &[("turns", ())])?;
    words.end("the number of turns")?;
    let mut result = AtLimit::Draw;
    if let Some(extra) = more.get(1) {
        return Err(extra.not("the end of the limit", "one result at most").into());
    }
    for item in more {
        result = item.choice("result at the limit", &[("draw", AtLimit::Draw), ("majority", AtLimit::Majority)])?;
    }
    Ok(Some(Limit { turns, counted, result }))
}
