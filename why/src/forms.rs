//! What kind of move is to be made, by the form of the legal ones: places and words in some order.

use super::first_place;
use kit::runner::Runner;
use rg_ir::notation::Places;

/// A part of a move as people write it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Part {
    /// A place of the board.
    Place,
    /// Anything else.
    Word,
}

/// The parts of a move, in order. A sign between two places, such as `x`, is none.
fn form(places: &Places, text: &str) -> Vec<Part> {
    let (mut parts, mut rest) = (Vec::new(), text);
    while let Some(letter) = rest.chars().next() {
        let behind = rest.get(letter.len_utf8()..).unwrap_or_default();
        if let Some((_, behind)) = places.begin(rest) {
            parts.push(Part::Place);
            rest = behind;
        } else if !letter.is_alphanumeric() || letter.is_alphabetic() && places.begin(behind).is_some() {
            rest = behind;
        } else {
            parts.push(Part::Word);
            rest = rest.trim_start_matches(char::is_alphanumeric);
        }
    }
    parts
}

/// A legal move as an example, where a text has another form than all legal moves, in short: then it is another kind of move. `None` where it has
/// the form of one, or there are no places. Linear in the moves.
pub(super) fn other_kind<'m>(runner: &Runner, text: &str, short: &'m [String]) -> Option<&'m str> {
    let places = runner.loaded.notation.places()?;
    let wanted = form(places, text);
    let is_other = !wanted.is_empty() && short.iter().all(|legal| form(places, legal) != wanted);
    short.first().filter(|_| is_other).map(String::as_str)
}

/// That a text which names one place only is another kind of move than is to be made, with what `stands` on the place.
pub fn only_place(runner: &Runner, text: &str, short: &[String], stands: Option<String>) -> Option<String> {
    let place = first_place(runner, text).filter(|place| *place == text.trim())?;
    let example = other_kind(runner, text, short)?;
    if stands.is_none() && short.iter().all(|legal| first_place(runner, legal).is_some()) {
        return Some(format!("no legal move begins with `{place}`; legal moves are such as `{example}`\n"));
    }
    let stands =
        stands.map_or_else(|| format!("`{place}` alone is no move now"), |stands| format!("`{place}` {stands}"));
    Some(format!("{stands}; now a move of another kind is to be made, such as `{example}`\n"))
}

/// That all legal moves begin at one place, which is not the one where a text begins.
pub fn elsewhere(runner: &Runner, text: &str, short: &[String]) -> Option<String> {
    let first = first_place(runner, text)?;
    let [example, _, ..] = short else { return None };
    let only = first_place(runner, example).filter(|only| *only != first)?;
    let is_only = short.iter().all(|legal| first_place(runner, legal) == Some(only) && super::is_way(runner, legal));
    is_only.then(|| format!("`{}` is not legal: all legal moves begin with `{only}` now\n", text.trim()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_have_forms() {
        let places = Places::new(["a1", "a10", "b2"].map(|label| (label, label)));
        let of = |text: &str| form(&places, text);
        assert_eq!(of("a1 clockwise"), [Part::Place, Part::Word]);
        for text in ["a1b2", "A10xb2", "a1-b2"] {
            assert_eq!(of(text), [Part::Place; 2], "{text}");
        }
        assert_eq!((of("pass"), of("b2=Q"), of("")), (vec![Part::Word], vec![Part::Place, Part::Word], vec![]));
    }
}
