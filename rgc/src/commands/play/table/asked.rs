//! Why a move is not legal, asked of the play on the table.

use super::super::command::flagged;
use super::super::work::watched;
use super::super::{Watch, misread};
use super::Table;
use crate::moves::written_moves;
use crate::session::{Failure, Session, finding};
use backend::{State, Turn};
use kit::effect::{numbered_places, written};
use kit::misread::algebraic_move;
use rg_ir::notation::{SourceNames, Unread};
use rg_ir::scene::Place;
use why::{Owners, Sight, Signs};

/// Moves at most behind which the moves of the next player are looked at.
const REPLIES: usize = 4;

/// Positions at most in which the reason is looked for where the one on the table is hidden.
const POSSIBLE: usize = 64;

/// Moves of a part of a turn that are named at most.
const PARTS: usize = 12;

impl Table<'_> {
    /// Why a move is not legal, or, if several are separated by `;`, the first of them that is not, in the position after those before it. The
    /// search for that is watched as the choice of an agent is ([`Table::choice`]).
    pub(in super::super) fn why(
        &mut self,
        session: &Session,
        text: &str,
        watch: Option<Watch<'_>>,
    ) -> Result<Option<String>, Failure> {
        let (text, rules) = flagged(text, "--rules");
        if !text.contains(';') || self.exactly(text) {
            return self.why_one(session, (text, rules), watch);
        }
        if self.is_secret() || self.unknown() > 0 {
            return Err(finding("IO348", "where something is hidden, `why` takes one move").into());
        }
        let before = self.plies();
        let answer = self.why_first(session, (text, rules), watch);
        self.restart(before);
        answer
    }

    /// Makes the moves of a text as long as they are legal; the answer is about the first one that is not.
    fn why_first(
        &mut self,
        session: &Session,
        (text, rules): (&str, bool),
        watch: Option<Watch<'_>>,
    ) -> Result<Option<String>, Failure> {
        let mut made: Vec<String> = Vec::new();
        for (_, part) in written_moves(text) {
            if self.turn() == Turn::End {
                let message = format!("after {} the game is over: no move is legal then", made.join(", "));
                return Err(finding("IO348", message).into());
            }
            let Ok(index) = self.meant(part) else {
                let answer = self.why_one(session, (part, rules), watch)?;
                let after = if made.is_empty() { String::new() } else { format!("after {}: ", made.join(", ")) };
                return Ok(answer.map(|answer| after + &answer));
            };
            made.push(format!("`{}`", self.text(index)));
            self.make(index)?;
        }
        Ok(Some(format!("{} are legal, one after the other\n", made.join(", "))))
    }

    /// Why one move is not legal, with lines of the rules if they are wanted.
    #[expect(clippy::too_many_lines, reason = "what a text can mean, in the order of what is most likely")]
    fn why_one(
        &self,
        session: &Session,
        (text, rules): (&str, bool),
        watch: Option<Watch<'_>>,
    ) -> Result<Option<String>, Failure> {
        // Only where moves are made from place to place, `why` says something about places.
        let is_named = self.short.first().is_some_and(|text| why::first_place(self.drawn, text).is_some());
        let is_sign = is_named && self.fast.find(text, self.play.moves()).is_err();
        let place = if is_sign { self.place_of_sign(text) } else { None };
        let text = place.as_deref().unwrap_or(text);
        let signs = Signs::new(self.drawn, self.drawer.boards(), self.unicode);
        let sight = self.sight(&signs);
        if let Some(answer) =
            sight.as_ref().filter(|_| !self.exactly(text)).and_then(|sight| sight.only_place(text, why::HINT))
        {
            return Ok(Some(answer));
        }
        let sought = self.fast.seek(text, self.play.moves());
        if let Ok(index) = sought {
            return Ok(Some(format!("`{}` is legal\n", self.text(index))));
        }
        if let Some(bare) = self.bare(text) {
            return self.why_one(session, (bare, rules), watch);
        }
        if let Some(answer) = self.not_to_become(text).or_else(|| self.surplus_letters(text)) {
            return Ok(Some(answer + "\n"));
        }
        let leg = self.leg(text);
        if let Some(answer) =
            sought.map_or_else(|unread| self.not_one_move(text, &unread, leg.is_some()), |_| Ok(None))?
        {
            return Ok(Some(answer));
        }
        if let Some(place) = why::joined_place(self.drawn, text) {
            return self.why_one(session, (&place, rules), watch);
        }
        if let Some(full) = numbered_places(self.drawn, text) {
            return self.why_one(session, (&full, rules), watch);
        }
        if let Some(index) = self.led(text) {
            return Ok(Some(format!("`{}` is legal; it is written `{}` here\n", text.trim(), self.text(index))));
        }
        if let Some(written) = written(self.drawn, &self.state, text) {
            return Ok(Some(written + "\n"));
        }
        if let Some(answer) = self.one_word(text) {
            return Ok(Some(answer));
        }
        let tags = self.fast.tags(self.play.moves());
        let on =
            if why::is_way(self.drawn, text) { self.drawn.loaded.notation.going_on(text, &tags) } else { Vec::new() };
        if let [_, ..] = on[..] {
            return Ok(Some(format!("`{}` is only the beginning; {}", text.trim(), self.some_legal(&on))));
        }
        let places = self.drawn.loaded.notation.places();
        if let Some((message, advice)) = places.and_then(|places| algebraic_move(places, text, &self.of_piece(text))) {
            return Err(finding("IO320", message).help(advice).into());
        }
        if let Some(message) = self.fast.surplus(text, self.play.moves()) {
            return Err(finding("IO320", message).into());
        }
        if let Some(answer) = self.named_piece(&signs, text).filter(|_| !rules) {
            return Ok(Some(answer));
        }
        // A place may have a name of its own in the rules, and is asked about as any other name is.
        let is_name = self.drawn.loaded.game.symbols.get(text.trim()).is_some();
        let is_unread = !is_name && why::first_place(self.drawn, text).is_none();
        if let Some(answer) = self.on_shown_place(&signs, text).filter(|_| is_unread) {
            return Ok(Some(answer));
        }
        let source = session.sources.get(self.drawn.loaded.source).map_or("", |file| &file.text);
        let is_unknown = || misread::unknown_name(self.drawn, source, text, self.named_in()).is_some();
        let watch = if self.is_secret() && (why::first_place(self.drawn, text).is_some() || !is_unknown()) {
            if let Some(answer) = self.why_by_what_is_known(session, (text, rules), watch)? {
                return Ok(Some(answer));
            }
            None
        } else {
            watch
        };
        if let Some(message) = self.why_at_once(text, source, (&signs, sight.as_ref())) {
            return Ok(Some(message));
        }
        let refused = if text.is_empty() {
            "a move is missing: `why MOVE`"
        } else if self.turn() == Turn::End {
            "no move is legal: the game is over"
        } else if self.is_secret() {
            "the reason may be something that is hidden from you, so `why` does not look for it"
        } else {
            return self.why_by_rules(session, (text, rules, leg), sight.as_ref(), watch);
        };
        Err(finding("IO348", refused).into())
    }

    /// The texts of the legal moves that have the names which people know.
    fn named_in(&self) -> &[String] {
        let is_statement = self.drawn.loaded.notation.source_names() == SourceNames::Statements;
        if is_statement { &self.texts } else { &self.short }
    }

    /// Where something is hidden, why a move is not legal, if that is the same in all positions that the player to move may be in.
    /// The one on the table is not looked at.
    fn why_by_what_is_known(
        &self,
        session: &Session,
        (text, rules): (&str, bool),
        watch: Option<Watch<'_>>,
    ) -> Result<Option<String>, Failure> {
        let Turn::Player(player) = self.turn() else { return Ok(None) };
        if text.trim().is_empty() {
            return Ok(None);
        }
        let signs = Signs::new(self.drawn, self.drawer.boards(), self.unicode);
        let legal = why::first_place(self.drawn, text).map_or(Vec::new(), |place| self.legal_from(place));
        let asked = why::Asked { text, legal: &legal, short: &self.short, rules, ..why::Asked::default() };
        let states: Vec<State> =
            self.with_known(player, |known| known.possible(POSSIBLE).cloned().collect()).unwrap_or_default();
        let found = watched(watch, |stop| why::in_all(&session.sources, &signs, &asked, &states, stop))?;
        let found = found.transpose().map_err(|error| self.failure(error))?.flatten();
        Ok(found.map(|told| told.text))
    }

    /// Why a move is not legal, as the rules tell.
    fn why_by_rules(
        &self,
        session: &Session,
        (text, rules, leg): (&str, bool, Option<why::Leg>),
        sight: Option<&Sight<'_>>,
        watch: Option<Watch<'_>>,
    ) -> Result<Option<String>, Failure> {
        let capture = if why::is_way(self.drawn, text) { self.all_capture() } else { None };
        let wanted = (text, leg.as_ref());
        let found = watched(watch, |stop| why::search(self.drawn, &self.state, wanted, stop))?.transpose();
        let found = found.map_err(|error| self.failure(error))?;
        let legal = why::first_place(self.drawn, text).map_or(Vec::new(), |place| self.legal_from(place));
        let part = self.is_later_part().then(|| self.part());
        let asked =
            why::Asked { text, legal: &legal, short: &self.short, part, leg, capture, rules, ..why::Asked::default() };
        let (sources, runner, drawer, state) = (&session.sources, self.drawn, self.drawer, self.known_state());
        let position = why::Position { sources, runner, drawer, state, unicode: self.unicode, hint: why::HINT };
        Ok(found.map(|found| position.told(asked, &found, (sight, self.owners())).text))
    }

    /// For a text that is not read as one move: those that begin with it, or that no piece stops where it ends. `None` if it is none of that, or `has_leg`:
    /// then more can be said.
    ///
    /// # Errors
    /// `IO320`: no piece stops where it ends.
    fn not_one_move(&self, text: &str, unread: &Unread, has_leg: bool) -> Result<Option<String>, Failure> {
        match unread {
            Unread::Several(_) | Unread::Choice(_) if why::is_way(self.drawn, text) => {
                let begun: Vec<usize> = self.begun(text).into_iter().map(|(_, index)| index).collect();
                Ok(match begun.as_slice() {
                    [] if has_leg => None,
                    [] => Some(unread.message(text) + "\n"),
                    begun => Some(format!("`{}` is only the beginning; {}", text.trim(), self.some_legal(begun))),
                })
            }
            Unread::Passed { place, moves } => Err(self.passed(text, place, moves).into()),
            _ => Ok(None),
        }
    }

    /// That a text is only a number, or a letter of coordinates, where all legal moves begin with a place: which of them begin with it. `None` for other
    /// texts.
    fn one_word(&self, text: &str) -> Option<String> {
        let (text, places) = (text.trim(), self.drawn.loaded.notation.places()?);
        let is_letter = |label: &str| {
            let rest = label.strip_prefix(text.to_lowercase().as_str());
            text.chars().all(char::is_alphabetic) && rest.is_some_and(|row| row.parse::<u32>().is_ok())
        };
        let is_part = !text.is_empty() && (text.parse::<u32>().is_ok() || places.labels().any(is_letter));
        let name_places = || self.short.iter().all(|legal| why::first_place(self.drawn, legal).is_some());
        if !is_part || why::first_place(self.drawn, text).is_some() || self.short.is_empty() || !name_places() {
            return None;
        }
        let begun: Vec<usize> = self.begun(text).into_iter().map(|(_, index)| index).collect();
        let number =
            misread::number_of_move(text, self.moves().len()).map_or(String::new(), |number| format!("; {number}"));
        Some(match begun.as_slice() {
            [] => format!("no legal move begins with `{text}`{number}\n"),
            begun => format!("`{text}` is only the beginning; {}", self.some_legal(begun)),
        })
    }

    /// Where a text of several places leaves the legal moves.
    fn leg(&self, text: &str) -> Option<why::Leg> {
        if self.exactly(text) || self.turn() == Turn::End || self.is_secret() {
            return None;
        }
        why::Leg::of(self.fast, text, &self.fast.tags(self.play.moves()), &self.short)
    }

    /// For a place that the board shows, where moves name something else: what is there, and the moves that name that, or else
    /// other legal ones. `None` for other texts.
    fn on_shown_place(&self, signs: &Signs<'_>, text: &str) -> Option<String> {
        if self.turn() == Turn::End {
            return None;
        }
        let scene = self.drawer.scene(self.known_state());
        let named = scene.boards.iter().filter_map(|setup| {
            let is_named = |place: &Place| place.label.eq_ignore_ascii_case(text.trim());
            let place = setup.board.places.iter().position(is_named)?;
            let kind = setup.at.get(place).copied().flatten().filter(|_| !self.is_secret());
            let piece = kind.and_then(|kind| setup.board.pieces.get(kind as usize));
            Some((&setup.board.places.get(place)?.label, piece))
        });
        // A place is on several boards: what stands there is on any of them.
        let (label, piece) = named.min_by_key(|(_, piece)| piece.is_some_and(|piece| piece.is_empty))?;
        let there = match piece {
            None => "is on the board".to_owned(),
            Some(piece) if piece.is_empty => "is empty".to_owned(),
            Some(piece) => signs.there(&piece.name),
        };
        let is_it = |word: &str| {
            piece.is_some_and(|piece| piece.name == word) || self.place_of_sign(word).as_ref() == Some(label)
        };
        let names_it = |&&index: &&usize| kit::misread::words(self.text(index)).any(is_it);
        let of_it: Vec<usize> = self.order.iter().filter(names_it).copied().collect();
        Some(match of_it.as_slice() {
            [] => format!("`{label}` {there}, but no legal move names it; {}", self.some_legal(&self.order)),
            named => format!("`{label}` {there}; {}", self.some_legal(named)),
        })
    }

    /// Some moves, by index.
    fn some_legal(&self, moves: &[usize]) -> String {
        let shown: Vec<String> = moves.iter().take(PARTS).map(|&index| format!("`{}`", self.text(index))).collect();
        let more = if moves.len() > PARTS { ", …" } else { "" };
        format!("legal moves: {}{more}\n", shown.join(", "))
    }

    /// Where every legal move ends with the name of what is on one place of the board, such as a tile to be pushed: that what the text ends with is
    /// not there, or cannot move. `None` in other games.
    fn named_piece(&self, signs: &Signs<'_>, text: &str) -> Option<String> {
        let last = |text: &str| kit::misread::words(text).last().map(str::to_owned);
        let is_piece = |legal: &String| last(legal).is_some_and(|word| self.place_of_sign(&word).is_some());
        let word = last(text).filter(|_| !self.short.is_empty() && self.short.iter().all(is_piece))?;
        let legal = || self.some_legal(&self.order);
        Some(match self.place_of_sign(&word) {
            Some(place) => format!("`{word}`, which is on `{place}`, has no legal move now; {}", legal()),
            None => self
                .on_shown_place(signs, &word)
                .unwrap_or_else(|| format!("`{word}` is not the name of a single piece on the board; {}", legal())),
        })
    }

    /// What stands on the only board, and which moves go from where to where; `None` while the game hides something or is over.
    fn sight<'s>(&'s self, signs: &'s Signs<'s>) -> Option<Sight<'s>> {
        let Turn::Player(mover) = self.turn() else { return None };
        if self.is_secret() {
            return None;
        }
        let setup = why::only_board(self.drawer, self.known_state())?;
        Sight::new(signs, (setup, mover), &self.short, || self.owners())
    }

    /// What is wrong with the place where a move begins, or with one that is named alone, as a look at the only board tells: a reason that does not
    /// have to be looked for in the rules. `None` while something is hidden.
    pub(super) fn seen_at_start(&self, text: &str) -> Option<String> {
        let text = text.trim();
        let signs = Signs::new(self.drawn, self.drawer.boards(), self.unicode);
        let sight = self.sight(&signs)?;
        sight.only_place(text, why::HINT).or_else(|| sight.at_start(text)).map(|seen| seen.trim_end().to_owned())
    }

    /// That a text belongs to an earlier part of the turn: the one who is to move has moved last, with a move like no legal one. Of a text that was
    /// not legal then, only what `stands` on the place that it names is said, if that is known.
    fn later(&self, text: &str, stands: Option<&str>) -> Option<String> {
        let before = self.steps.last().filter(|_| self.is_later_part())?;
        let was_legal = self.fast.seek(text, before.play.moves()).is_ok();
        let text = text.trim();
        let is = match stands {
            Some(stands) => format!("`{text}` {stands}"),
            None if was_legal => format!("`{text}` was legal before `{}`", before.short),
            None => return None,
        };
        Some(format!("{is}; now another part of the turn is to be played, such as `{}`\n", self.short.first()?))
    }

    /// Whether the one who is to move has moved last, and none of the moves that were legal then is legal now: this is another part of its turn.
    fn is_later_part(&self) -> bool {
        self.steps.last().filter(|step| step.play.turn() == self.turn()).is_some_and(|before| {
            let earlier = self.fast.texts(before.play.moves());
            !earlier.iter().any(|text| self.texts.contains(text))
        })
    }

    /// Which moves are legal in this part of the turn.
    fn part(&self) -> String {
        let all: Vec<String> = self.order.iter().map(|&index| format!("`{}`", self.text(index))).collect();
        let more = if all.len() > PARTS { ", …" } else { "" };
        format!("now another part of the turn is to be played: {}{more}", all.get(..PARTS).unwrap_or(&all).join(", "))
    }

    /// For a text that goes on behind a move that is only the first part of a turn: that, and what may come behind it.
    fn first_part(&self, text: &str) -> Option<String> {
        let first = why::first_place(self.drawn, text).filter(|first| *first != text.trim())?;
        let [only] = self.moves_from(first)[..] else { return None };
        if self.text(only) != first {
            return None;
        }
        let mut after = self.play.clone();
        after.make(only).ok()?;
        if self.turn() != after.turn() {
            return None;
        }
        let next: Vec<String> =
            self.fast.short_listed(after.moves()).into_iter().map(|(text, _)| format!("`{text}`")).collect();
        let more = if next.len() > PARTS { ", …" } else { "" };
        let next = next.get(..PARTS).unwrap_or(&next).join(", ");
        Some(format!(
            "`{text}` is not legal: `{first}` is a move of its own, the first part of the turn; after it, the legal moves are {next}{more}\n"
        ))
    }

    /// What stands on the place that a text begins with, on the only board: `is empty`; `None` if something is hidden.
    fn stands(&self, signs: &Signs<'_>, text: &str) -> Option<String> {
        let setup = why::only_board(self.drawer, self.known_state()).filter(|_| !self.is_secret())?;
        why::stands(signs, &setup, text)
    }

    /// Whose the kinds of pieces are.
    pub(super) fn owners(&self) -> &Owners {
        self.owners.get_or_init(|| Owners::of(self.drawn, self.drawer, &self.state))
    }

    /// Why a move is not legal, if no rule has to be looked at for that: it names a place that is not on the board, or what stands there does not
    /// move now, or it is a move of another player.
    fn why_at_once(
        &self,
        text: &str,
        source: &str,
        (signs, sight): (&Signs<'_>, Option<&Sight<'_>>),
    ) -> Option<String> {
        let is_symbol = |word: &str| self.drawn.loaded.game.symbols.get(word).is_some();
        let places = self.drawn.loaded.notation.places();
        let off = places.and_then(|places| places.off_board(text));
        if let Some(off) = off.filter(|off| !is_symbol(off) && misread::name_places(self.fast, self.moves())) {
            let named = places.and_then(|places| misread::named_like(places, &self.short));
            let named = named.map_or(String::new(), |named| format!("; {named}"));
            return Some(format!("`{text}` is not legal: `{off}` is not on the board{named}\n"));
        }
        let part = places.and_then(|places| misread::part_of_place(places, text, &self.short));
        if let Some(legal) = part {
            return Some(format!("`{}` is not a move here; the legal move there is `{legal}`\n", text.trim()));
        }
        if self.names_columns() && why::is_place(self.drawn, text) {
            let place = why::first_place(self.drawn, text)?;
            let stands = self.stands(signs, text).map_or(String::new(), |stands| format!("`{place}` {stands}; "));
            let column = place.trim_end_matches(|c: char| c.is_ascii_digit());
            let example = self.short.first()?;
            return Some(format!(
                "{stands}a move names a column here, such as `{example}`, and none is legal in `{column}`\n"
            ));
        }
        if let Some(unknown) = misread::unknown_name(self.drawn, source, text, self.named_in()) {
            return Some(unknown);
        }
        let Turn::Player(mover) = self.turn() else { return None };
        if let Some(part) = self.first_part(text) {
            return Some(part);
        }
        if let Some(seen) = sight.and_then(|sight| sight.at_start(text)) {
            return Some(seen);
        }
        let first = why::first_place(self.drawn, text)?;
        let legal = self.legal_from(first);
        if first == text.trim() {
            let stands = self.stands(signs, text);
            if legal.is_empty() {
                let later = || self.later(text, stands.as_deref());
                return later().or_else(|| why::only_place(self.drawn, text, &self.short, stands.clone()));
            }
            let legal: Vec<String> = legal.iter().map(|text| format!("`{text}`")).collect();
            let stands = stands.map_or(String::new(), |stands| format!("`{first}` {stands}; "));
            let part = if self.is_later_part() { "now another part of the turn is to be played; " } else { "" };
            return Some(format!("{stands}{part}legal moves begin with `{first}`: {}\n", legal.join(", ")));
        }
        if let Some(later) = self.later(text, None) {
            return Some(later);
        }
        if let Some(elsewhere) = why::elsewhere(self.drawn, text, &self.short).filter(|_| sight.is_none()) {
            return Some(elsewhere);
        }
        if !why::is_way(self.drawn, text) {
            return None;
        }
        // Behind a move of a step, others have chosen theirs already, which is not known.
        if self.hides_moves() || !legal.is_empty() {
            return None;
        }
        let name = |player: usize| self.fast.players().nth(player).unwrap_or_default();
        (0..self.moves().len().min(REPLIES)).find_map(|index| {
            let mut after = self.play.clone();
            after.make(index).ok()?;
            let Turn::Player(other) = after.turn() else { return None };
            let found = if other == mover { None } else { self.fast.seek(text, after.moves()).ok() };
            found?;
            let (other, mover) = (name(other), name(mover));
            Some(format!("`{text}` is not legal: it would be a move of {other}, but {mover} is to move\n"))
        })
    }
}
