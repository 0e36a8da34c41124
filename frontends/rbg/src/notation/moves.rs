//! Finding the move that a text means.

use rustc_hash::FxHashMap;

/// A modifier of a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Pair {
    /// Position of the vertex where it is applied.
    pub(super) vertex: Option<usize>,
    /// Its index.
    pub(super) index: usize,
}

/// What a text says about a modifier of a move.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Item {
    vertex: Option<usize>,
    /// Without white space.
    modifier: Option<String>,
    index: Option<usize>,
}

impl Item {
    /// Whether it names a vertex only.
    pub(super) fn is_place(&self) -> bool {
        self.vertex.is_some() && self.modifier.is_none() && self.index.is_none()
    }

    /// Whether a modifier with this text is one the item can mean.
    pub(super) fn fits(&self, pair: &Pair, modifier: &str) -> bool {
        let same_text = |wanted: &String| wanted.chars().eq(modifier.chars().filter(|c| !c.is_whitespace()));
        self.vertex.is_none_or(|vertex| pair.vertex == Some(vertex))
            && self.index.is_none_or(|index| pair.index == index)
            && self.modifier.as_ref().is_none_or(same_text)
    }
}

/// Per position, whether moves that print alike have different indices there.
pub(super) fn differing(moves: &[Vec<Pair>]) -> Vec<bool> {
    let Some((first, rest)) = moves.split_first() else { return Vec::new() };
    let differs = |(at, pair): (usize, &Pair)| rest.iter().any(|m| m.get(at).is_some_and(|p| p.index != pair.index));
    first.iter().enumerate().map(differs).collect()
}

/// The numbers of a text that consists of numbers only.
pub(super) fn numbers(text: &str) -> Option<Vec<usize>> {
    let numbers: Vec<usize> = text.split_whitespace().map(|word| word.parse().ok()).collect::<Option<_>>()?;
    (!numbers.is_empty()).then_some(numbers)
}

/// `vertex index vertex index …`, vertices counted from 1.
pub(super) fn numbered_items(numbers: &[usize]) -> Vec<Item> {
    let item = |pair: &[usize]| Item {
        // Vertex 0 does not exist, and neither does the last of all positions.
        vertex: pair.first().map(|&v| v.checked_sub(1).unwrap_or(usize::MAX)),
        modifier: None,
        index: pair.get(1).copied(),
    };
    numbers.chunks(2).map(item).collect()
}

/// Reads `vertex modifier #index`, any of which may be missing, again and again. With `loose`, white space may stand
/// between the parts; otherwise what follows it is about another modifier.
pub(super) fn items(text: &str, positions: &FxHashMap<String, usize>, loose: bool) -> Result<Vec<Item>, String> {
    let mut items: Vec<Item> = Vec::new();
    let mut rest = text.trim_start();
    while !rest.is_empty() {
        let mut item = Item::default();
        let before = rest;
        if let Some((name, after)) = word(rest) {
            let position = positions.get(name).or_else(|| positions.get(&name.to_lowercase()));
            item.vertex = Some(*position.ok_or_else(|| unknown(name, positions))?);
            rest = if loose { after.trim_start() } else { after };
        }
        if let Some((modifier, after)) = modifier(rest) {
            item.modifier = Some(modifier.chars().filter(|c| !c.is_whitespace()).collect());
            rest = after;
        }
        if let Some(after) = rest.strip_prefix('#') {
            let (number, after) = word(after).ok_or("`#` is followed by the index of a modifier")?;
            item.index = Some(number.parse().map_err(|_| format!("`{number}` is not an index of a modifier"))?);
            rest = after;
        }
        if rest.len() == before.len() {
            return Err(format!("`{rest}` is not part of a move; a move looks like `vertex[piece] vertex->>`"));
        }
        items.push(item);
        rest = rest.trim_start();
    }
    Ok(items)
}

fn unknown(name: &str, positions: &FxHashMap<String, usize>) -> String {
    let mut names: Vec<&str> = positions.keys().map(String::as_str).collect();
    names.sort_unstable();
    match rg_ir::diag::closest(name, names) {
        Some(close) => format!("`{name}` is not on the board; did you mean `{close}`?"),
        None => format!("`{name}` is not on the board"),
    }
}

/// A word at the beginning, and what is behind it.
fn word(text: &str) -> Option<(&str, &str)> {
    let end = text.find(|c: char| !c.is_alphanumeric()).unwrap_or(text.len());
    (end > 0).then(|| text.split_at(end))
}

/// `[…]`, `->>` or `->player` at the beginning, and what is behind it.
fn modifier(text: &str) -> Option<(&str, &str)> {
    if text.starts_with('[') {
        return text.find(']').map(|end| text.split_at(end + 1));
    }
    let after = text.strip_prefix("->")?;
    let name = if after.starts_with('>') { 1 } else { word(after)?.0.len() };
    Some(text.split_at(2 + name))
}

/// The moves that begin with one of several lists of items; if there is none, those that have the items of one in order with
/// gaps.
pub(super) fn begun(meant: &[Vec<Item>], moves: &[Vec<Pair>], fits: impl Fn(&Item, &Pair) -> bool) -> Vec<usize> {
    let begins = |m: &[Pair], items: &[Item]| items.len() <= m.len() && items.iter().zip(m).all(|(i, p)| fits(i, p));
    let scattered = |m: &[Pair], items: &[Item]| {
        let mut pairs = m.iter();
        items.iter().all(|item| pairs.any(|pair| fits(item, pair)))
    };
    let find = |fit: &dyn Fn(&[Pair], &[Item]) -> bool| -> Vec<usize> {
        (0..).zip(moves).filter(|(_, m)| meant.iter().any(|items| fit(m, items))).map(|(index, _)| index).collect()
    };
    let found = find(&begins);
    if found.is_empty() { find(&scattered) } else { found }
}

/// The moves that the items fit: as the whole move; if there is none, as its beginning; if there is none, in order with
/// gaps. Linear in the moves.
pub(super) fn candidates(items: &[Item], moves: &[Vec<Pair>], fits: impl Fn(&Item, &Pair) -> bool) -> Vec<usize> {
    let begins = |m: &Vec<Pair>| items.len() <= m.len() && items.iter().zip(m).all(|(item, pair)| fits(item, pair));
    let whole = |m: &Vec<Pair>| items.len() == m.len() && begins(m);
    let scattered = |m: &Vec<Pair>| {
        let mut pairs = m.iter();
        items.iter().all(|item| pairs.any(|pair| fits(item, pair)))
    };
    let find = |fit: &dyn Fn(&Vec<Pair>) -> bool| -> Vec<usize> {
        moves.iter().enumerate().filter(|(_, m)| fit(m)).map(|(position, _)| position).collect()
    };
    if items.is_empty() {
        return Vec::new();
    }
    for fit in [&whole as &dyn Fn(&Vec<Pair>) -> bool, &begins, &scattered] {
        let found = find(fit);
        if !found.is_empty() {
            return found;
        }
    }
    Vec::new()
}
