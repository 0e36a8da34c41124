//! What to say about lines that are neither a move nor a command.

use super::command::{HELP, HELP_GAME, HELP_MOVES, WORDS, help, help_on_moves};
use super::screen::state::KEYS;
use crate::runner::{NO_TAGS, Runner};
use crate::session::{Failure, finding};
use backend::{Moves, State};
use kit::misread::{algebraic_move, words};
use rg_ir::Diagnostic;
use rg_ir::diag::{alternatives, nearest};
use rg_ir::notation::{Item, Places, SourceNames};

/// What to do about a line that is not understood.
const TYPE: &str = "type `moves` to list legal moves, `help` for commands";

/// Legal moves at most that are named beside a text that is none.
const LIKE: usize = 8;

/// The line of `help` about a command, or all of it if none is named. `examples` are ways to write a legal move.
///
/// # Errors
/// `IO348`: there is no such command.
pub(super) fn help_on(word: &str, examples: &[String]) -> Result<String, Failure> {
    if word.is_empty() {
        return Ok(help(examples));
    }
    let small = match word.to_lowercase().as_str() {
        "exit" | "q" => "quit".to_owned(),
        "?" => "help".to_owned(),
        other => other.to_owned(),
    };
    if word == "MOVE" && !examples.is_empty() {
        return Ok(help_on_moves(examples));
    }
    let all = [HELP_MOVES, HELP, HELP_GAME];
    let lines: Vec<&str> = all.iter().flat_map(|text| text.lines()).collect();
    let is_key = || KEYS.split([' ', ',', ';', '\n']).any(|key| key.to_lowercase() == small && is_name_of_key(key));
    let is_about = |line: &&str| !line.starts_with(' ') && line.split_whitespace().next() == Some(&small);
    match lines.iter().position(is_about) {
        Some(at) => {
            let behind = lines.iter().skip(at + 1).take_while(|line| line.starts_with(' '));
            Ok(lines.iter().skip(at).take(1).chain(behind).flat_map(|line| [*line, "\n"]).collect())
        }
        None if small == "help" => Ok("help [COMMAND]    lists the commands, or explains one\n".to_owned()),
        None if is_key() => Ok(format!("keys with `--full-screen`:\n{KEYS}")),
        None => Err(unknown(word).into()),
    }
}

/// Whether a word of the text about keys is the name of one.
fn is_name_of_key(word: &str) -> bool {
    word.starts_with(|c: char| c.is_uppercase() || !c.is_ascii())
}

fn unknown(word: &str) -> Diagnostic {
    let unknown = finding("IO348", format!("unknown command `{word}`")).suggest(word, WORDS);
    if unknown.help.is_some() { unknown } else { unknown.help("`help` lists the commands") }
}

/// The finding about a command that has something behind it.
pub(super) fn surplus(word: &str) -> Diagnostic {
    finding("IO348", format!("`{word}` takes no arguments")).help(format!("type `{}` alone", word.to_lowercase()))
}

/// The finding about a text that is only a part of the moves `begun`, of which there is one at least.
pub(super) fn incomplete(text: &str, begun: &[&str]) -> Diagnostic {
    let wrong = finding("IO320", format!("`{}` is not a complete move", text.trim()));
    if let [only] = begun {
        return wrong.help(format!("did you mean `{only}`?"));
    }
    let named: Vec<String> = begun.iter().take(LIKE).map(|move_| format!("`{move_}`")).collect();
    let more = if begun.len() > LIKE { format!(", … ({} in all)", begun.len()) } else { String::new() };
    let small: String = text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect();
    let begins = |move_: &&&str| move_.to_lowercase().starts_with(&small);
    let what = match begun.iter().filter(begins).count() {
        0 if begun.iter().all(|move_| move_.to_lowercase().contains(&small)) => "that end there",
        0 => "that pass there",
        count if count < begun.len() => "that start or end there",
        _ => "that start like this",
    };
    wrong.help(format!("legal moves {what}: {}{more}", named.join(", ")))
}

/// The finding about a text that names what stands on a place, from which the moves `begun` lead, none or several of `count` legal ones.
pub(super) fn sign(text: &str, place: &str, begun: &[&str], count: usize) -> Diagnostic {
    let text = text.trim();
    if begun.is_empty() {
        let message = format!("`{text}` is not a legal move: what is on `{place}` has no legal move now");
        return finding("IO320", message).help(number_of_move(text, count).unwrap_or_else(|| TYPE.to_owned()));
    }
    let named: Vec<String> = begun.iter().take(LIKE).map(|move_| format!("`{move_}`")).collect();
    let more = if begun.len() > LIKE { format!(", … ({} in all)", begun.len()) } else { String::new() };
    finding("IO320", format!("`{text}` is not a complete move"))
        .help(format!("legal moves from `{place}`, where it is: {}{more}", named.join(", ")))
}

/// The finding about a text that is not a legal move for a reason that the board shows.
pub(super) fn seen(reason: String) -> Diagnostic {
    finding("IO320", reason).help(TYPE)
}

/// What to type for the move of the list with a number, of `count`, that stands there without a dot.
pub(super) fn number_of_move(text: &str, count: usize) -> Option<String> {
    let is_number = text.parse::<usize>().is_ok_and(|number| (1..=count).contains(&number));
    is_number.then(|| format!("move {text} of the list is `{text}.`, with a dot"))
}

/// Whether any of the legal moves names a place.
pub(super) fn name_places(runner: &Runner, moves: &Moves) -> bool {
    let readings = runner.loaded.notation.readings(&runner.tags(moves));
    readings.iter().any(|reading| reading.items.iter().any(|item| matches!(item, Item::Place(_))))
}

/// The number before moves, as records of games have it: `1.` in `1. e4 e5`.
fn numbered(text: &str) -> Option<&str> {
    let (number, _) = text.split_once(char::is_whitespace)?;
    let digits = number.strip_suffix('.')?.trim_end_matches('.');
    (!digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())).then_some(number)
}

/// The finding about a text that is not a legal move, for which `message` says why. `moves` are the legal ones, of which the short
/// forms are `short`.
pub(super) fn not_a_move(
    runner: &Runner,
    (text, message): (&str, String),
    (state, moves): (&State, &Moves),
    short: &[String],
) -> Diagnostic {
    let text = text.trim();
    let wrong = |message: String| finding("IO320", message);
    let shown = written_like(&message, runner, moves);
    if moves.is_empty() {
        return wrong(message).help(super::table::after_end(runner));
    }
    if let Some(advice) = number_of_move(text, moves.len()) {
        return wrong(message).help(advice);
    }
    if text.strip_suffix('.').is_some_and(|number| number.parse::<i128>().is_ok()) {
        return wrong(format!("there is no move `{text}`; moves are numbered from 1. to {}.", moves.len())).help(TYPE);
    }
    if let Some(command) = instead_of(text) {
        return wrong(format!("`{text}` is not a command here")).help(command);
    }
    if let Some(number) = numbered(text) {
        return wrong(message).help(format!("`{number}` stands for a move of the list: leave it out before a move"));
    }
    if let Some(separated) = runner.separated(text, state, moves) {
        return wrong(message).help(format!("several moves in a line are separated by `;`: `{separated}`"));
    }
    if let Some(named) = with_words_before(text, short) {
        return wrong(format!("`{text}` is not a legal move")).help(format!("did you mean `{named}`?"));
    }
    let is_symbol = |word: &str| runner.loaded.game.symbols.get(word).is_some();
    let Some(places) = runner.loaded.notation.places() else {
        // Names of the game, which are only not legal now, need no example.
        let is_formed = words(text).count() > 0 && words(text).all(is_symbol);
        return wrong(message).help(if is_formed { TYPE.to_owned() } else { shown });
    };
    let is_formed = count_places(places, text)
        .is_some_and(|count| runner.short_texts(moves).iter().any(|legal| count_places(places, legal) == Some(count)));
    let shown = if is_formed { TYPE.to_owned() } else { shown };
    if let Some((message, advice)) = algebraic_move(places, text, short) {
        return wrong(message).help(advice);
    }
    if let Some(message) = runner.surplus(text, moves) {
        return wrong(message);
    }
    if let Some(named) = part_of_place(places, text, short) {
        return wrong(message).help(format!("did you mean `{named}`?"));
    }
    if let Some(off) = places.off_board(text).filter(|off| !is_symbol(off) && name_places(runner, moves)) {
        let named = named_like(places, short).map_or(TYPE.to_owned(), |named| format!("{named}; {TYPE}"));
        return wrong(format!("`{text}` is not a legal move: `{off}` is not on the board")).help(named);
    }
    let word = text.split_whitespace().next().unwrap_or_default();
    let names_place = places.begin(word).is_some() || short.iter().any(|move_| move_.contains(word));
    if names_place || !word.starts_with(char::is_alphabetic) && word != text {
        return wrong(message).help(shown);
    }
    let neither = wrong(format!("`{text}` is neither a legal move nor a command")).suggest(&word.to_lowercase(), WORDS);
    if neither.help.is_some() { neither } else { neither.help(written_like("", runner, moves)) }
}

/// What to type instead of a text that is not a legal move: something like the first one, unless `message` says more already.
fn written_like(message: &str, runner: &Runner, moves: &Moves) -> String {
    let listed = runner.short_listed(moves);
    let mut examples = listed.iter().map(|(text, _)| text).filter(|text| !text.is_empty() && *text != NO_TAGS);
    match examples.next().filter(|_| !message.ends_with('?')) {
        Some(example) => format!("a move is written like `{example}`; {TYPE}"),
        None => TYPE.to_owned(),
    }
}

/// How many places a text consists of; `None` if there is anything else in it but signs between them.
fn count_places(places: &Places, text: &str) -> Option<usize> {
    let (mut count, mut rest) = (0, text);
    while !rest.is_empty() {
        let (_, behind) = places.begin(rest).or_else(|| places.begin(rest.strip_prefix(['x', 'X'])?))?;
        rest = behind.trim_start_matches(|c: char| !c.is_alphanumeric());
        count += 1;
    }
    (count > 0).then_some(count)
}

/// How places are called, as the first legal move that names one tells, where they have other names than letters of columns and numbers of rows.
pub(super) fn named_like(places: &Places, short: &[String]) -> Option<String> {
    let label = short.iter().find_map(|legal| places.begin(legal)).map(|(label, _)| label)?;
    let letters = label.chars().take_while(char::is_ascii_lowercase).count();
    let is_coordinates = (1..=2).contains(&letters) && label.get(letters..)?.parse::<u32>().is_ok();
    (!is_coordinates).then(|| format!("places are named like `{label}`"))
}

/// The legal move that stands at the end of a text of several words, as people say it: `d` for `drop d`.
fn with_words_before<'m>(text: &str, short: &'m [String]) -> Option<&'m str> {
    let (_, last) = text.rsplit_once(char::is_whitespace)?;
    let mut found = short.iter().filter(|legal| legal.eq_ignore_ascii_case(last));
    found.next().filter(|_| found.next().is_none()).map(String::as_str)
}

/// What to type instead of a word that is a command in other programs.
fn instead_of(text: &str) -> Option<&'static str> {
    Some(match text.to_lowercase().as_str() {
        "draw" => "players cannot agree on a draw; `quit` ends the game",
        "flip" | "turn" | "rotate" => "the board is always shown the same way round",
        "resign" | "concede" | "surrender" | "stop" | "end" => "`quit` ends the game",
        "redo" => "type the moves again that `undo` took back",
        "back" | "takeback" => "`undo` takes your last move back",
        "restart" | "reset" => "`new` starts again from the beginning",
        "load" | "open" => "`resume FILE` continues a saved game",
        "list" | "legal" => "`moves` lists the legal moves",
        "show" | "print" => "`board` shows the position again",
        _ => return None,
    })
}

/// The legal move that is named by a part of a place, its column or row, where a text is the whole place: `d` for `d6`.
pub(super) fn part_of_place<'m>(places: &Places, text: &str, short: &'m [String]) -> Option<&'m str> {
    let (place, _) = places.begin(text.trim()).filter(|(_, rest)| rest.is_empty())?;
    let (column, row) = place.split_at(place.find(|c: char| c.is_ascii_digit())?);
    let is_part = |legal: &&String| legal.as_str() == column || legal.as_str() == row;
    let mut found = short.iter().filter(is_part);
    found.next().filter(|_| found.next().is_none()).map(String::as_str)
}

/// That a text has a word which is no place, and is part of no name in the game, with names like it, or else legal moves. Where names in moves are
/// not those of the game, those of its `source` count. Linear in names, but for suggestions.
pub(super) fn unknown_name(runner: &Runner, source: &str, text: &str, short: &[String]) -> Option<String> {
    let (game, notation) = (&runner.loaded.game, &runner.loaded.notation);
    let is_source = notation.source_names() == SourceNames::Statements;
    let source = if is_source { source.to_lowercase() } else { String::new() };
    let mut labels: Vec<&str> = notation.places().into_iter().flat_map(Places::labels).collect();
    let names = || {
        let symbols = game.symbols.names().flat_map(|name| [name, notation.render_value(name)]);
        symbols.chain(notation.move_words().iter().copied())
    };
    let is_known = |word: &str| {
        let word = word.to_lowercase();
        if is_source {
            return words(&source).any(|other| other == word)
                || short.iter().any(|move_| words(&move_.to_lowercase()).any(|other| other == word));
        }
        names().chain(short.iter().map(String::as_str)).any(|name| name.to_lowercase().contains(&word))
    };
    let mut rest = text.trim();
    while let Some(letter) = rest.chars().next() {
        // Between places, `x` is a sign.
        let place = notation.places().and_then(|places| {
            let unsigned = rest.strip_prefix(['x', 'X']).filter(|_| rest.len() < text.trim().len());
            places.begin(rest).or_else(|| places.begin(unsigned?))
        });
        if let Some((_, behind)) = place {
            rest = behind;
            continue;
        }
        let end = rest.find(|c: char| !is_letter(c)).unwrap_or(rest.len());
        let (word, behind) = rest.split_at(end);
        if !word.is_empty() && !is_known(word) {
            labels.extend(short.iter().map(String::as_str).chain(short.iter().flat_map(|text| words(text))));
            labels.sort_unstable_by_key(|label| (label.len(), *label));
            labels.dedup();
            let near: Vec<String> =
                nearest(word, labels.iter().copied()).iter().map(|name| format!("`{name}`")).collect();
            let named = || notation.places().and_then(|places| named_like(places, short));
            let hint = match near.is_empty() {
                true => Some(like(text, short))
                    .filter(|like| !like.is_empty())
                    .or_else(|| Some(format!("; {}", named()?)))
                    .unwrap_or_default(),
                false => format!("; did you mean {}?", alternatives(&near)),
            };
            let what = if word == text.trim() { String::new() } else { format!("`{}` is not legal: ", text.trim()) };
            return Some(format!("{what}there is no place or name `{word}` in this game{hint}\n"));
        }
        rest = if word.is_empty() { rest.get(letter.len_utf8()..).unwrap_or_default() } else { behind };
    }
    None
}

/// Whether a letter is part of a name.
fn is_letter(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_'
}

/// Some legal moves with the first word of a text.
fn like(text: &str, short: &[String]) -> String {
    let Some(first) = words(text).next() else { return String::new() };
    let mut fitting = short.iter().filter(|move_| words(move_).next() == Some(first)).map(|move_| format!("`{move_}`"));
    let shown: Vec<String> = fitting.by_ref().take(LIKE).collect();
    let more = if fitting.next().is_some() { ", …" } else { "" };
    if shown.is_empty() { String::new() } else { format!("; legal moves: {}{more}", shown.join(", ")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn help_explains_one_command() {
        let move_ = ["e2e4".to_owned(), "e2-e4".to_owned()];
        assert!(
            help_on("", &move_).is_ok_and(|all| all.starts_with("MOVE              a move, such as e2e4, e2-e4\n"))
        );
        assert!(help_on("f1", &[]).is_ok_and(|keys| keys.contains("F1 help")));
        assert!(help_on("UNDO", &move_).is_ok_and(|line| line.starts_with("undo ") && line.lines().count() == 1));
        assert!(help_on("", &[]).is_ok_and(|all| !all.contains("moves [") && all.contains("new")));
        assert!(help_on("", &move_).is_ok_and(|all| all.lines().all(|line| line.len() <= 78)));
        let Err(Failure::Finding(wrong)) = help_on("bord", &[]) else { panic!("there is such a command") };
        assert_eq!(
            (wrong.message.as_str(), wrong.help.as_deref()),
            ("unknown command `bord`", Some("did you mean `board`?"))
        );
    }
}
