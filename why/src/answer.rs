//! What was found out about a move that is not legal, in words.

use super::signs::Signs;
use super::{Found, Leg, MOST, defined, first_place, forms, is_way, last_place, looked, places, sight, texts, words};
use backend::why::{Condition, NearMiss};
use kit::input::escaped;
use kit::runner::Runner;
use rg_ir::{EdgeId, Game, SourceMap, Span};
use std::cell::{Cell, RefCell};

/// Legal moves that are named at most.
const SHOWN: usize = 8;
/// Letters of a pattern that is shown at most.
const PATTERN: usize = 60;
/// Lines of the text of the rules that are shown at most.
const LINES: usize = 3;

/// The first word of a text that no move can have in its place now, though conditions may fail, with those that legal moves have there.
fn impossible<'t>(text: &'t str, short: &[String], found: &Found) -> Option<(&'t str, Vec<String>)> {
    // Tags are told by their brackets; they are no words of the short form.
    if found.words.is_empty() || text.trim_start().starts_with('(') {
        return None;
    }
    let written: Vec<&str> = kit::misread::words(text).collect();
    let legal: Vec<Vec<&str>> = short.iter().map(|text| kit::misread::words(text).collect()).collect();
    let is_there = |at: usize, word: &str| {
        legal.iter().any(|words| words.get(at) == Some(&word))
            || found.words.iter().any(|words| words.get(at).is_some_and(|other| other == word))
    };
    let (at, word) = (0..).zip(written).find(|&(at, word)| !is_there(at, word))?;
    let mut others: Vec<String> =
        legal.iter().filter_map(|words| words.get(at)).map(|word| format!("`{word}`")).collect();
    others.sort_unstable_by(|a, b| (a.len(), a).cmp(&(b.len(), b)));
    others.dedup();
    Some((word, others))
}

/// A move that is not legal.
#[derive(Default)]
pub struct Asked<'a> {
    /// How it was written.
    pub text: &'a str,
    /// The legal moves from the same place.
    pub legal: &'a [String],
    /// All legal moves.
    pub short: &'a [String],
    /// What to say of the places that it names, if no rule was found that leads there.
    pub seen: Option<String>,
    /// What stands on the place that it names, if that is one: `is empty`.
    pub stands: Option<String>,
    /// What to say of the part of the turn that is to be played, if nothing else explains the move.
    pub part: Option<String>,
    /// Where it leaves the legal moves that begin as it does, if it has several legs.
    pub leg: Option<Leg>,
    /// That all legal moves capture, if they do.
    pub capture: Option<String>,
    /// Whether the lines of the rules are wanted.
    pub rules: bool,
}

/// What is said of conditions, with lines of the text of the rules where they are wanted or needed.
pub(super) struct Said<'s> {
    signs: &'s Signs<'s>,
    sources: &'s SourceMap,
    /// The only place of the move.
    only: Option<&'s str>,
    rules: bool,
    /// Lines of the rules that may still be shown.
    left: Cell<usize>,
    /// The edges of the conditions of which something was said.
    told: RefCell<Vec<EdgeId>>,
    /// Comments that were shown.
    shown: RefCell<Vec<String>>,
}

impl<'s> Said<'s> {
    pub(super) fn new(sources: &'s SourceMap, signs: &'s Signs<'s>) -> Self {
        let (told, shown) = (RefCell::default(), RefCell::default());
        Self { signs, sources, only: None, rules: false, left: Cell::new(LINES), told, shown }
    }

    /// For a move that is not legal.
    fn about(sources: &'s SourceMap, signs: &'s Signs<'s>, asked: &Asked<'s>) -> Self {
        let runner = signs.runner;
        let only = first_place(runner, asked.text).filter(|_| !is_way(runner, asked.text));
        Self { only, rules: asked.rules, ..Self::new(sources, signs) }
    }

    /// A comment, unless it was shown already.
    fn once(&self, comment: String) -> String {
        let mut shown = self.shown.borrow_mut();
        if shown.contains(&comment) {
            return String::new();
        }
        shown.push(comment.clone());
        comment
    }

    /// Notes that something is said of a condition.
    fn tell(&self, condition: &Condition) {
        self.told.borrow_mut().push(condition.edge);
    }

    /// Whether something was said of a condition, or of one in its place.
    fn has_told(&self, condition: &Condition) -> bool {
        let told = self.told.borrow();
        std::iter::once(condition).chain(&condition.instead).any(|one| told.contains(&one.edge))
    }

    /// One condition, in lines.
    pub(super) fn line(&self, condition: &Condition) -> String {
        self.tell(condition);
        let game = &self.signs.runner.loaded.game;
        let pattern = pattern(self.sources, game, condition);
        match words::condition(self.signs, condition, (pattern, self.only)) {
            Some(text) => {
                let of_pattern = pattern
                    .filter(|pattern| text.contains(pattern))
                    .and_then(|pattern| self.comment(pattern, condition));
                let comment = self.once(of_pattern.unwrap_or_else(|| self.of_names(condition)));
                format!("  {text}\n{comment}{}", self.rules(std::slice::from_ref(condition), false))
            }
            None => {
                let rules = self.rules(std::slice::from_ref(condition), true);
                format!("  {}\n{rules}", words::UNNAMED)
            }
        }
    }

    /// What the text of the rules says about the first table or variable in a comparison of which it says anything, as a line; nothing about the board.
    fn of_names(&self, condition: &Condition) -> String {
        if looked::is_on_board(self.signs, condition) {
            return String::new();
        }
        let runner = self.signs.runner;
        let Some(source) = self.sources.get(runner.loaded.source) else { return String::new() };
        let said = |name: &looked::Name| {
            let comment = match name {
                looked::Name::Table(name) => defined::comment(&source.text, name),
                looked::Name::Variable(name) => defined::of_variable(&source.text, name),
            };
            comment.map(|comment| format!("    {}: {}\n", name.text(), escaped(&comment)))
        };
        looked::names(runner, condition).iter().find_map(said).unwrap_or_default()
    }

    /// What the text of the rules says about what the pattern of a condition calls, as a line.
    fn comment(&self, pattern: &str, condition: &Condition) -> Option<String> {
        let name = defined::called(pattern)?;
        let source = self.sources.get(self.signs.runner.loaded.source)?;
        let then = if condition.after > 0 { " (then)" } else { "" };
        defined::comment(&source.text, name).map(|comment| format!("    {name}{then}: {}\n", escaped(&comment)))
    }

    /// Where conditions are written.
    fn rules(&self, conditions: &[Condition], is_needed: bool) -> String {
        if !self.rules && !is_needed {
            return String::new();
        }
        let taken = conditions.len().min(self.left.get());
        self.left.set(self.left.get() - taken);
        let game = &self.signs.runner.loaded.game;
        conditions.iter().take(taken).map(|condition| place(self.sources, game, condition)).collect()
    }
}

/// What was found out about a move that is not legal, in lines, with where the conditions are written of which something is said, and what each of them
/// demands and finds, where there are words for it. What else was found belongs to other moves, and would mislead.
pub fn with_reasons(
    sources: &SourceMap,
    signs: &Signs<'_>,
    asked: &Asked<'_>,
    found: &Found,
) -> (String, Vec<(Span, Option<String>)>) {
    let said = Said::about(sources, signs, asked);
    let text = told(&said, asked, found);
    let game = &signs.runner.loaded.game;
    let conditions = found.conditions(game).into_iter().filter(|(_, condition)| said.has_told(condition));
    (text, conditions.map(|(span, condition)| (span, reason(sources, signs, condition))).collect())
}

/// What a condition demands and finds, where there are words for it.
pub(super) fn reason(sources: &SourceMap, signs: &Signs<'_>, condition: &Condition) -> Option<String> {
    words::condition(signs, condition, (pattern(sources, &signs.runner.loaded.game, condition), None))
}

/// What was found out about a move that is not legal, in lines; `said` notes of which conditions something is said.
fn told(said: &Said<'_>, asked: &Asked<'_>, found: &Found) -> String {
    let signs = said.signs;
    let text = explained(said, asked, found);
    let Some(capture) = &asked.capture else { return text };
    let is_unseen = |miss: &NearMiss| miss.conditions.iter().all(|one| words::is_variable(signs, one));
    match text.split_once('\n').filter(|_| found.miss.as_ref().is_some_and(is_unseen)) {
        // A variable that the rules compute says less than what it was computed for.
        Some((_, lines)) => format!("`{}` is not legal: {capture}\n{lines}", asked.text.trim()),
        None => format!("{text}  {capture}\n"),
    }
}

/// The same without a word about legal moves that capture.
fn explained(said: &Said<'_>, asked: &Asked<'_>, found: &Found) -> String {
    let &Asked { text, legal, ref seen, .. } = asked;
    let signs = said.signs;
    let runner = signs.runner;
    if let Some(leg) = asked.leg.as_ref().filter(|_| found.miss.is_none()) {
        return left(said, text, leg, found.leg.as_ref());
    }
    if let Some(furthest) = found.furthest.as_ref().filter(|_| found.miss.is_none()) {
        let first = first_place(runner, text).unwrap_or_default();
        if legal.iter().all(|text| text == first) && !legal.is_empty() {
            return format!("`{text}` is not legal: `{first}` alone is a move, and no rule goes on from there\n");
        }
        if let [_, ..] = legal {
            return no_way(signs, asked, found);
        }
        if let Some(seen) = seen {
            return seen.clone();
        }
        if let Some(stopped) = stopped(said, text, furthest) {
            return stopped;
        }
    }
    if let [condition, ..] = found.blocked.as_slice() {
        // What begins there cannot be the reason why something else does not.
        if !legal.is_empty() {
            return no_way(signs, asked, found);
        }
        if let Some(first) = first_place(runner, text).filter(|first| words::finds_empty(signs, condition, first)) {
            said.tell(condition);
            return format!("`{text}` is not legal: `{first}` is empty\n");
        }
        found.blocked.iter().for_each(|condition| said.tell(condition));
        return unmovable(signs, (text, condition), &found.blocked);
    }
    match &found.miss {
        Some(miss) => missed(said, asked, found, miss),
        None => unexplained(runner, asked, found),
    }
}

/// What is said of a move for which no conditions were found.
fn unexplained(runner: &Runner, asked: &Asked<'_>, found: &Found) -> String {
    let &Asked { text, short, ref seen, ref part, .. } = asked;
    if let Some(supposed) = &found.supposed {
        return format!("`{text}` is not legal: {}\n", supposed.text());
    }
    if let Some((word, others)) = impossible(text, short, found) {
        let more = if others.len() > SHOWN { ", …" } else { "" };
        let shown = others.get(..SHOWN.min(others.len())).unwrap_or_default().join(", ");
        let hint = if shown.is_empty() { String::new() } else { format!("; legal moves have {shown}{more} there") };
        return format!("`{text}` is not legal: no move can have `{word}` there now{hint}\n");
    }
    if let Some(seen) = seen {
        return seen.clone();
    }
    if let Some(example) = forms::other_kind(runner, text, short) {
        return format!("`{text}` is not legal: now a move of another kind is to be made, such as `{example}`\n");
    }
    if let Some(part) = part {
        return format!("`{text}` is not legal: {part}\n");
    }
    if found.is_cut {
        return format!("`{text}` is not a legal move; no explanation found, but not everything could be explored\n");
    }
    let shown: Vec<String> = short.iter().take(SHOWN).map(|text| format!("`{text}`")).collect();
    let more = if short.len() > SHOWN { ", …" } else { "" };
    format!(
        "`{text}` is not legal: the rules do not offer it here, even with {MOST} conditions ignored; legal moves: {}{more}\n",
        shown.join(", ")
    )
}

/// What is said of the conditions because of which a move is not legal.
fn missed(said: &Said<'_>, asked: &Asked<'_>, found: &Found, miss: &NearMiss) -> String {
    let &Asked { text, legal, ref stands, rules, .. } = asked;
    let (signs, only) = (said.signs, said.only);
    let runner = signs.runner;
    let name = runner.loaded.notation.short_moves(&[texts(&miss.tags)], runner.naming()).concat();
    if asked.short.contains(&name) {
        return format!("`{}` is not legal; did you mean `{name}`?\n", text.trim());
    }
    let named = |text: &str| runner.loaded.notation.places().map(|places| sight::named(places, text).len());
    let name = if named(&name) == named(text) { name } else { text.trim().to_owned() };
    let missing = |first: &&str| miss.conditions.iter().any(|condition| words::finds_empty(signs, condition, first));
    if let Some(first) = first_place(runner, text).filter(|_| is_way(runner, text)).filter(missing) {
        miss.conditions.iter().filter(|one| words::finds_empty(signs, one, first)).for_each(|one| said.tell(one));
        return format!("`{name}` is not legal: `{first}` is empty\n");
    }
    let gap = miss.conditions.iter().find_map(|condition| looked::unused(signs, condition));
    if let Some(place) = gap {
        return format!("`{text}` is not legal: `{place}` is not used in this game\n");
    }
    let conditions = chosen(said, &miss.conditions);
    // Several pieces where others are or none: that would be another position, and not this move.
    let is_far = conditions.len() > 1 && conditions.iter().any(|condition| looked::requires_piece(signs, condition));
    if is_far && !rules && !legal.is_empty() && is_way(runner, text) {
        return no_way(signs, asked, found);
    }
    let is_own = found.is_own
        && last_place(runner, miss)
            .is_some_and(|last| miss.conditions.iter().all(|one| looked::is_about(runner, one, &last)));
    let one_line = |condition: &&Condition| {
        let at = miss.conditions.iter().position(|other| other == *condition);
        let instead = at.and_then(|at| found.instead.get(at)).map_or(&[][..], Vec::as_slice);
        match looked::one_of(signs, instead) {
            Some(text) if instead.len() > 1 || miss.conditions.len() == 1 => {
                said.tell(condition);
                let own = if is_own { ", one of your own" } else { "" };
                format!("  {text}{own}\n{}{}", said.of_names(condition), said.rules(instead, false))
            }
            _ => said.line(condition),
        }
    };
    let mut lines: Vec<String> = conditions.iter().map(one_line).collect();
    // Of two that are the same, the second one has no comment.
    lines.dedup_by(|next, before| before.starts_with(next.as_str()));
    let (count, lines) = (lines.len(), lines.concat());
    let is_on_board = |condition: &Condition| looked::is_on_board(signs, condition);
    match (only, stands) {
        (Some(place), Some(stands)) if !conditions.iter().copied().any(is_on_board) => {
            format!("`{place}` {stands}, but the move is not legal there:\n{lines}")
        }
        _ => {
            let because = match count {
                _ if count < miss.conditions.len() => String::new(),
                1 => ", because of one condition".to_owned(),
                count => format!(", because of {count} conditions"),
            };
            format!("`{name}` is not legal{because}:\n{lines}")
        }
    }
}

/// On which leg a text leaves the legal moves, with the conditions because of which they do not go there, if some were found.
fn left(said: &Said<'_>, text: &str, leg: &Leg, miss: Option<&NearMiss>) -> String {
    let what = leg.text(text);
    let conditions = miss.map_or(Vec::new(), |miss| chosen(said, &miss.conditions));
    let is_far =
        conditions.len() > 1 && conditions.iter().any(|condition| looked::requires_piece(said.signs, condition));
    if is_far {
        return format!("{what}{}\n", leg.instead());
    }
    let mut lines: Vec<String> = conditions.iter().map(|condition| said.line(condition)).collect();
    lines.dedup();
    match lines.len() {
        0 => format!("{what}{}\n", leg.instead()),
        1 => format!("{what}, because of one condition:\n{}", lines.concat()),
        count => format!("{what}, because of {count} conditions:\n{}", lines.concat()),
    }
}

/// That there is no way between the places of a text, with the legal moves from the first of them.
fn no_way(signs: &Signs<'_>, asked: &Asked<'_>, found: &Found) -> String {
    let &Asked { text, legal, .. } = asked;
    if let Some(leg) = &asked.leg {
        return format!("{}{}\n", leg.text(text), leg.instead());
    }
    let named = signs.runner.loaded.notation.places().map_or(Vec::new(), |places| sight::named(places, text));
    let (first, last) = (named.first().copied().unwrap_or_default(), named.last().copied().unwrap_or_default());
    let shown: Vec<String> = legal.iter().take(SHOWN).map(|text| format!("`{text}`")).collect();
    let more = if legal.len() > SHOWN { ", …" } else { "" };
    let unless = words::otherwise(signs, &found.others).unwrap_or_default();
    let shown = shown.join(", ");
    let names_one = |legal: &String| {
        signs.runner.loaded.notation.places().is_some_and(|places| sight::named(places, legal).len() < 2)
    };
    if legal.iter().any(names_one) {
        return format!(
            "`{text}` is not legal: no legal move goes from `{first}` to `{last}`; legal from there: {shown}{more}\n"
        );
    }
    let alone = if asked.short.iter().any(|legal| legal == last) {
        format!("; `{last}` alone is a legal move")
    } else {
        String::new()
    };
    format!(
        "`{text}` is not legal: there is no way from `{first}` to `{last}` now{unless}; legal from there: {shown}{more}{alone}\n"
    )
}

/// How far the rules follow the text, with the condition behind; `None` where they go elsewhere.
fn stopped(said: &Said<'_>, text: &str, furthest: &NearMiss) -> Option<String> {
    let runner = said.signs.runner;
    let condition = furthest.conditions.first()?;
    let mut way = places(runner, &texts(&furthest.tags));
    way.dedup();
    let wanted = sight::named(runner.loaded.notation.places()?, text);
    let follows = !way.is_empty() && way.iter().zip(&wanted).all(|(place, wanted)| place == wanted);
    (follows && way.len() <= wanted.len())
        .then(|| format!("`{text}` is not legal: the rules stop after `{}`:\n{}", way.join(" "), said.line(condition)))
}

/// The conditions that are told: of a move that names one place, that about what stands there, if there is one; of several conditions those about
/// what is on the board, if there are any, which people see.
fn chosen<'c>(said: &Said<'_>, conditions: &'c [Condition]) -> Vec<&'c Condition> {
    let is_seen = |one: &&Condition| looked::is_on_board(said.signs, one);
    let is_there = |one: &&Condition| said.only.is_some_and(|only| looked::is_about(said.signs.runner, one, only));
    let all = || conditions.iter();
    if said.rules {
        return all().collect();
    }
    if let Some(there) = all().find(|one| is_seen(one) && is_there(one)) {
        return vec![there];
    }
    let seen: Vec<&Condition> = all().filter(is_seen).collect();
    if seen.is_empty() { all().collect() } else { seen }
}

/// That no move begins at a place, because of what is there.
fn unmovable(signs: &Signs<'_>, (text, condition): (&str, &Condition), all: &[Condition]) -> String {
    let first = first_place(signs.runner, text).unwrap_or_default();
    let required: Vec<String> = all.iter().filter_map(|one| Some(signs.called(&one.values.as_ref()?.1))).collect();
    let (is, required) = (words::is(signs, condition), required.join(", "));
    format!(
        "`{text}` is not legal: no move can begin at `{first}` now.\n  There {is}, and moves need one of {required}\n"
    )
}

/// What a check looks for, as the rules write it, if that is in one short line: `encloses(mine)` of `{? encloses(mine)}` or `reachable(encloses(mine))`.
fn pattern<'s>(sources: &'s SourceMap, game: &Game, condition: &Condition) -> Option<&'s str> {
    let span = game.automaton.edge(condition.edge).span;
    let text = sources.get(span.source)?.text.get(span.start as usize..span.end as usize)?;
    let inner = match text.strip_prefix(['{']) {
        Some(inner) => inner.strip_suffix('}')?.trim_start_matches(['?', '!']),
        None => {
            let inner = text.trim_start_matches(['!', ' ']).trim_start_matches("not ").trim_start();
            inner.strip_prefix("reachable")?.trim_start().strip_prefix('(')?.strip_suffix(')')?
        }
    };
    (inner.len() <= PATTERN && !inner.contains('\n')).then(|| inner.trim())
}

/// Where a condition is written: place and line of the text.
fn place(sources: &SourceMap, game: &Game, condition: &Condition) -> String {
    let span = game.automaton.edge(condition.edge).span;
    let Some((file, (line, column))) = sources.get(span.source).zip(sources.position(span)) else {
        return String::new();
    };
    let text = file.text.lines().nth(line.saturating_sub(1)).unwrap_or_default();
    format!("    {}:{line}:{column}: {}\n", escaped(&file.name), text.trim())
}
