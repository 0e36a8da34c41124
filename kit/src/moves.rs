//! Moves as people write and read them: all in short, in one order, found by any way of writing them.

use crate::effect;
use crate::misread::{algebraic_move, is_sign, of_piece};
use crate::runner::{Labels, NO_TAGS, Runner, label_text, numbered, rendered, shown, tags_of};
use backend::{Engine, Moves, Reasoner, Rng, State, Turn};
use rg_ir::notation::{Naming, Position, Unread, beginning};
use rg_ir::{Diagnostic, Notation, SourceId, Span};
use std::cmp::Ordering;

/// Moves of each random game that are examined to find out how much of a move has to be named, and the number of these games.
const SAMPLE: usize = 24;
const PLAYS: u64 = 3;

/// How many legal moves are named, at most, when a text is not one of them.
const NAMED: usize = 8;

/// Places where a text may be cut into moves that are tried when it is not one.
const MAX_GAPS: usize = 20;

impl Runner {
    /// How much of a move people name in this game. It is found out at the first call, by some short random games.
    pub fn naming(&self) -> Naming {
        *self.naming.get_or_init(|| {
            // Moves are called the same wherever the game is started.
            let origin = self.loaded.start.as_ref().map(|start| Reasoner::new(&start.origin, Engine::Backtracking));
            let origin = origin.and_then(Result::ok);
            naming_of(origin.as_ref().unwrap_or(&self.reasoner), &*self.loaded.notation)
        })
    }

    /// All moves in the shortest form that [`Runner::find`] reads, in their order. Outcomes of an ambiguous label are numbered.
    pub fn short_texts(&self, moves: &Moves) -> Vec<String> {
        short_texts_of(&self.reasoner, &*self.loaded.notation, self.naming(), moves)
    }

    /// As [`Runner::short_texts`], each with its index, in the order in which people number them: numbers in texts count as numbers. This order
    /// does not depend on the engine.
    pub fn short_listed(&self, moves: &Moves) -> Vec<(String, usize)> {
        let mut listed: Vec<(String, usize)> = self.short_texts(moves).into_iter().zip(0..).collect();
        let rest = |index: usize| (moves.tags(index), moves.outcome(index));
        listed.sort_by(|(a, i), (b, j)| natural(a, b).then_with(|| rest(*i).cmp(&rest(*j))));
        listed
    }

    /// A sequence of moves from the first state, given as tags ([`backend::Reasoner::move_text`]), in the shortest form. What cannot be played
    /// is in full.
    pub fn short_play(&self, play: &[String]) -> Vec<String> {
        match play {
            [] => Vec::new(),
            _ => short_play_of(&self.reasoner, &*self.loaded.notation, self.naming(), play),
        }
    }

    /// Plays the moves of `text`, separated by `;`, from the first state; returns the state and the moves as tags. A move is written in any way
    /// that [`Runner::find`] reads; an empty one stands for the only legal one. Findings are at places of `source`, which has that text.
    ///
    /// # Errors
    /// The first move that is not legal (`IO320`), or an error of the rules.
    pub fn play(&self, source: SourceId, text: &str) -> crate::Result<(State, Vec<String>)> {
        let mut state = self.initial()?;
        let mut played = Vec::new();
        let mut moves = Moves::new();
        for (start, wanted) in written_moves(text) {
            if let Err(error) = self.reasoner.legal_moves(&state, &mut moves) {
                return Err(self.failure_after(error, played));
            }
            let index = self.find_in(wanted, &state, &moves).map_err(|message| {
                let place = Span::new(source, start, start + wanted.len());
                let wrong =
                    |message| Diagnostic::error("IO320", place, format!("move {}: {message}", played.len() + 1));
                let full = effect::numbered_places(self, wanted);
                if let Some(written) = effect::written(self, &state, full.as_deref().unwrap_or(wanted)) {
                    return wrong(written);
                }
                let message = self.explained(wanted, &moves, Some(&state)).unwrap_or(message);
                wrong(message).help(self.advice(wanted, &state, &moves))
            })?;
            played.push(self.reasoner.move_text(&moves, index));
            if let Err(error) = self.reasoner.apply(&mut state, &moves, index) {
                return Err(self.failure_after(error, played));
            }
        }
        Ok((state, played))
    }

    /// What is wrong with a text that is a move in a notation that is not read here, and what to type instead. The pieces are looked at
    /// if the state is known.
    fn explained(&self, wanted: &str, moves: &Moves, state: Option<&State>) -> Option<String> {
        let mut short = self.short_texts(moves);
        let view = state.map(|state| self.reasoner.view(state));
        if let Some(scene) = view.as_ref().and_then(|view| self.loaded.notation.scene(view)) {
            short = of_piece(&scene, wanted, &short);
        }
        let algebraic = algebraic_move(self.loaded.notation.places()?, wanted, &short);
        algebraic.map(|(message, advice)| format!("{message}; {advice}")).or_else(|| self.surplus(wanted, moves))
    }

    /// That a text begins with a legal move and has something behind it that is not understood, such as `!`, or that it is one but for signs between its
    /// places. Tries a limited number of beginnings.
    pub fn surplus(&self, wanted: &str, moves: &Moves) -> Option<String> {
        let (notation, wanted) = (&self.loaded.notation, wanted.trim());
        let places = notation.places()?;
        places.begin(wanted).filter(|_| wanted.contains(is_sign))?;
        let labels = Labels::of(moves);
        let tags = labels.tags(&self.reasoner, moves);
        let short = notation.short_moves(&tags, self.naming());
        let read = |text: &str| short.get(notation.read_move(text, &tags, self.naming()).ok()?);
        if let Some(legal) = read(&wanted.replace(is_sign, " ")) {
            return Some(format!("`{wanted}` is not a legal move; did you mean `{legal}`?"));
        }
        let (mut rest, mut ends) = (wanted, Vec::new());
        while let Some((_, behind)) = places.begin(rest).filter(|_| ends.len() < MAX_GAPS) {
            ends.push(wanted.len() - behind.len());
            rest = behind;
        }
        let cuts = ends.iter().rev().map(|&end| wanted.split_at(end)).filter(|(_, behind)| behind.starts_with(is_sign));
        let (begin, behind, legal) = cuts.filter_map(|(begin, behind)| Some((begin, behind, read(begin)?))).next()?;
        Some(format!(
            "`{wanted}` is not a legal move: `{behind}` behind `{begin}` is not understood; did you mean `{legal}`?"
        ))
    }

    /// What to do about a text that is not a legal move.
    fn advice(&self, wanted: &str, state: &State, moves: &Moves) -> String {
        if wanted.parse::<usize>().is_ok_and(|number| (1..=moves.len()).contains(&number)) {
            return format!("the number of a move in the list has a dot: `{wanted}.`");
        }
        if let Some(separated) = self.separated(wanted, state, moves) {
            return format!("moves are separated by `;`: `{separated}`");
        }
        match self.short_listed(moves).as_slice() {
            [] => "the game is over before this move".to_owned(),
            listed => {
                let named: Vec<String> = listed.iter().take(NAMED).map(|(text, _)| format!("`{text}`")).collect();
                let more =
                    if listed.len() > NAMED { format!(", … ({} in all)", listed.len()) } else { String::new() };
                format!("legal in this position: {}{more}", named.join(", "))
            }
        }
    }

    /// A text of several moves with spaces between them, with a `;` behind the first, which is a legal one in `state`, and the second is one behind
    /// it, or begins with a place as moves do. Where something is hidden, it is not looked at what is legal behind the first.
    pub fn separated(&self, wanted: &str, state: &State, moves: &Moves) -> Option<String> {
        let mut gaps = wanted.match_indices(char::is_whitespace).map(|(at, _)| wanted.split_at(at)).take(MAX_GAPS);
        // A number is that of the move behind it.
        let close = |text: &str| text.chars().filter(|c| c.is_alphanumeric()).collect::<String>().to_lowercase();
        let short = self.short_texts(moves);
        let is_whole = |first: &str, index: usize| short.get(index).is_some_and(|legal| close(legal) == close(first));
        let is_move =
            |first: &str| !first.ends_with('.') && self.find(first, moves).is_ok_and(|index| is_whole(first, index));
        let (first, rest) = gaps.find(|&(first, _)| is_move(first))?;
        let rest: Vec<&str> = match first.contains(char::is_whitespace) {
            true => vec![rest.trim_start()],
            false => rest.split_whitespace().collect(),
        };
        let second = rest.first()?;
        let names_place = self.loaded.notation.places().and_then(|places| places.begin(second)).is_some();
        let mut behind = Moves::new();
        let behind = match self.reasoner.hides() {
            true => moves,
            false => {
                let mut after = state.clone();
                self.reasoner.apply(&mut after, moves, self.find(first, moves).ok()?).ok()?;
                self.reasoner.legal_moves(&after, &mut behind).ok()?;
                &behind
            }
        };
        if !names_place && !matches!(self.seek(second, behind), Ok(_) | Err(Unread::Choice(_))) {
            return None;
        }
        Some(format!("{first}; {}", rest.join("; ")))
    }

    /// The legal moves that may be meant by whoever has written this so far: the beginning of a short form, or as the notation of the game's
    /// language has it.
    pub fn begun(&self, text: &str, moves: &Moves) -> Vec<usize> {
        let labels = Labels::of(moves);
        let tags = labels.tags(&self.reasoner, moves);
        let short = self.loaded.notation.short_moves(&tags, self.naming());
        let small = |texts: Vec<String>| -> Vec<String> { texts.iter().map(|text| text.to_lowercase()).collect() };
        let mut found = beginning(&text.to_lowercase(), &small(short));
        if found.is_empty() {
            let places = self.loaded.notation.places();
            let place = places.and_then(|places| places.begin(text.trim())).filter(|(_, rest)| rest.is_empty());
            // A place does not name the moves that only change what is there.
            found = match place {
                Some((label, _)) => self.loaded.notation.at_place(label, &tags),
                None => self.loaded.notation.begun(text, &tags),
            };
            if found.is_empty() && place.is_none() {
                found = self.loaded.notation.going_on(text, &tags);
            }
        }
        if found.is_empty() {
            found.extend(self.loaded.notation.read_move(text, &tags, self.naming()));
        }
        let mut is_meant = vec![false; labels.first.len()];
        for label in found {
            is_meant.get_mut(label).into_iter().for_each(|slot| *slot = true);
        }
        let meant = |index: &usize| labels.of_move.get(*index).and_then(|&label| is_meant.get(label)) == Some(&true);
        (0..moves.len()).filter(meant).collect()
    }

    /// Which of the legal moves a text means: in short or in full, by tags, by the places that tell it apart, or by its number in
    /// [`Runner::short_listed`] with a dot, `3.`.
    ///
    /// # Errors
    /// What is wrong, in one line.
    pub fn find(&self, wanted: &str, moves: &Moves) -> Result<usize, String> {
        self.seek(wanted, moves).map_err(|unread| unread.message(wanted))
    }

    /// As [`Runner::find`] for the legal moves of a state; also reads two places of which only one legal move leads from the first one to the
    /// second one, though it names something else.
    ///
    /// # Errors
    /// What is wrong, in one line.
    pub fn find_in(&self, wanted: &str, state: &State, moves: &Moves) -> Result<usize, String> {
        self.find(wanted, moves).or_else(|message| {
            let full = effect::numbered_places(self, wanted);
            effect::only(self, state, full.as_deref().unwrap_or(wanted), moves).ok_or(message)
        })
    }

    /// As [`Runner::find`], and where only a choice is missing, what there is to choose from.
    ///
    /// # Errors
    /// See [`Unread`].
    pub fn seek(&self, wanted: &str, moves: &Moves) -> Result<usize, Unread> {
        if moves.is_empty() {
            return Err(Unread::Wrong(format!("`{wanted}` cannot be played: the game is over")));
        }
        if let Some(number) = list_number(wanted) {
            let found = number.checked_sub(1).and_then(|at| self.short_listed(moves).get(at).map(|(_, index)| *index));
            let wrong =
                || Unread::Wrong(format!("there is no move `{number}.`; moves are numbered from 1 to {}", moves.len()));
            return found.ok_or_else(wrong);
        }
        let ambiguous = (0..moves.len()).any(|index| moves.outcome(index) > 0);
        let (name, number) = if ambiguous { label_text(wanted) } else { (wanted, None) };
        let labels = Labels::of(moves);
        let tags = labels.tags(&self.reasoner, moves);
        let nothing = tags.iter().position(Vec::is_empty).filter(|_| matches!(name.trim(), "" | NO_TAGS));
        let label = nothing.map_or_else(|| self.loaded.notation.read_move(name, &tags, self.naming()), Ok);
        let labels = &labels;
        let outcomes = |label: usize| (0..moves.len()).filter(move |&index| labels.of_move.get(index) == Some(&label));
        let outcome = |label: usize| outcomes(label).find(|&index| moves.outcome(index) == number.unwrap_or(0));
        let outcome = &outcome;
        let label = label.map_err(|unread| match unread {
            Unread::Choice(words) => {
                Unread::Choice(words.into_iter().filter_map(|(word, label)| Some((word, outcome(label)?))).collect())
            }
            Unread::Passed { place, moves: passing } => {
                let index = |(name, label)| Some((name, outcome(label).or_else(|| outcomes(label).next())?));
                Unread::Passed { place, moves: passing.into_iter().filter_map(index).collect() }
            }
            Unread::Several(message) => {
                self.explained(wanted, moves, None).map_or(Unread::Several(message), Unread::Wrong)
            }
            Unread::Wrong(message) => {
                // A name that the game has is not misspelt.
                let is_name = self.loaded.game.symbols.get(name.trim()).is_some();
                let message = if is_name { format!("`{}` is not a legal move", name.trim()) } else { message };
                Unread::Wrong(self.explained(wanted, moves, None).unwrap_or(message))
            }
        })?;
        outcome(label).ok_or_else(|| {
            Unread::Wrong(match (number, outcomes(label).count()) {
                (Some(_), 1) => format!("`{name}` leads to one position only, without a number"),
                (Some(number), several) => format!("`{name}` has outcomes #1 to #{several}, there is no #{number}"),
                (None, several) => format!("`{name}` is ambiguous: it is one of `{name} #1` to `{name} #{several}`"),
            })
        })
    }
}

/// A sequence of moves from the first state of a reasoner, given as tags, as [`Runner::short_play`] has it: in the shortest form that
/// [`Runner::find`] reads. What cannot be played, because it is not legal or the rules have an error there, is in full. Costs a search for legal
/// moves per move, and a short random game.
pub fn short_play(reasoner: &Reasoner, notation: &dyn Notation, play: &[String]) -> Vec<String> {
    match play {
        [] => Vec::new(),
        _ => short_play_of(reasoner, notation, naming_of(reasoner, notation), play),
    }
}

fn short_play_of(reasoner: &Reasoner, notation: &dyn Notation, naming: Naming, play: &[String]) -> Vec<String> {
    let (mut state, mut moves) = (reasoner.initial().ok(), Moves::new());
    let mut short = |text: &String| {
        let mut after: State = state.take()?;
        reasoner.legal_moves(&after, &mut moves).ok()?;
        let index = (0..moves.len()).find(|&index| reasoner.move_text(&moves, index) == *text)?;
        let short = short_texts_of(reasoner, notation, naming, &moves).into_iter().nth(index);
        state = reasoner.apply(&mut after, &moves, index).ok().map(|()| after);
        short
    };
    play.iter().map(|text| short(text).unwrap_or_else(|| rendered(notation, text))).collect()
}

/// How much of a move people name, by some short random games.
fn naming_of(reasoner: &Reasoner, notation: &dyn Notation) -> Naming {
    if notation.places().is_none() {
        return Naming::default();
    }
    let plays: Vec<_> = (1..=PLAYS).filter_map(|seed| sample(reasoner, notation, seed)).collect();
    Naming::of(&plays)
}

/// Some positions of a random play.
fn sample(reasoner: &Reasoner, notation: &dyn Notation, seed: u64) -> Option<Vec<Position>> {
    let (mut rng, mut moves) = (Rng::new(seed), Moves::new());
    let mut state = reasoner.initial().ok()?;
    let mut positions = Vec::new();
    while positions.len() < SAMPLE {
        let ready = reasoner.legal_moves(&state, &mut moves).is_ok();
        if !ready || moves.is_empty() {
            break;
        }
        let index = rng.below(u32::try_from(moves.len()).unwrap_or(u32::MAX)) as usize;
        if reasoner.turn(&state) != Turn::Random {
            positions.push(Position { moves: notation.readings(&tags_of(reasoner, &moves)), made: index });
        }
        if reasoner.apply(&mut state, &moves, index).is_err() {
            break;
        }
    }
    Some(positions)
}

/// All moves in the shortest form, in their order.
fn short_texts_of(reasoner: &Reasoner, notation: &dyn Notation, naming: Naming, moves: &Moves) -> Vec<String> {
    let labels = Labels::of(moves);
    let texts = notation.short_moves(&labels.tags(reasoner, moves), naming);
    let text = |(index, &label): (usize, &usize)| {
        let text = numbered(texts.get(label).cloned().unwrap_or_default(), moves.outcome(index));
        shown(&text).to_owned()
    };
    labels.of_move.iter().enumerate().map(text).collect()
}

/// The moves of a text, which are separated by `;`, each with where it begins; an empty one stands for the only legal one. One `;` may stand at
/// the end.
pub fn written_moves(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let text = text.trim_end();
    let text = text.strip_suffix(';').unwrap_or(text);
    let is_empty = text.trim_start().is_empty();
    let parts = text.split(';').scan(0, |at, part| {
        let start = *at;
        *at += part.len() + 1;
        Some((start + part.len() - part.trim_start().len(), part.trim()))
    });
    parts.filter(move |_| !is_empty)
}

/// The number of a text such as `3.`.
pub fn list_number(text: &str) -> Option<usize> {
    text.trim().strip_suffix('.')?.parse().ok()
}

/// The order of texts in which numbers count as numbers: `a2` is before `a10`.
fn natural(a: &str, b: &str) -> Ordering {
    let chunks = |text: &str| -> Vec<(Option<u64>, String)> {
        let mut chunks = Vec::new();
        let mut rest = text;
        while let Some(first) = rest.chars().next() {
            let is_digit = first.is_ascii_digit();
            let end = rest.find(|c: char| c.is_ascii_digit() != is_digit).unwrap_or(rest.len());
            let (chunk, behind) = rest.split_at(end);
            chunks.push((chunk.parse().ok().filter(|_| is_digit), chunk.to_owned()));
            rest = behind;
        }
        chunks
    };
    chunks(a).cmp(&chunks(b)).then_with(|| a.cmp(b))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_in_texts_are_numbers() {
        let mut texts = ["b1", "a10", "a2", "a", "10", "9", "a2a3", "C(0,10)", "C(0,2)"];
        texts.sort_by(|a, b| natural(a, b));
        assert_eq!(texts, ["C(0,2)", "C(0,10)", "a", "a2", "a2a3", "a10", "b1", "9", "10"]);
    }

    #[test]
    fn numbers_of_a_list_have_a_dot() {
        assert_eq!([" 3. ", "3", ".", "a3.", "0."].map(list_number), [Some(3), None, None, None, Some(0)]);
    }
}
