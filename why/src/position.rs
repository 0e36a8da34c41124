//! Why a text is not a legal move of a position, all in one: a look at the board, then at the rules.

use super::{
    Asked, Found, Leg, Owners, Sight, Signs, first_place, is_way, one_place, only_place, search, with_reasons,
};
use backend::{Error, Moves, State, Turn};
use kit::draw::Drawer;
use kit::runner::Runner;
use rg_ir::scene::Setup;
use rg_ir::{SourceMap, Span};
use std::sync::OnceLock;
use std::sync::atomic::AtomicBool;

/// A position about which is asked, of which all is known.
#[derive(Clone, Copy)]
pub struct Position<'p> {
    /// Where the rules are written.
    pub sources: &'p SourceMap,
    /// The game, with an engine that keeps the values of all variables.
    pub runner: &'p Runner,
    /// How it is drawn.
    pub drawer: &'p Drawer<'p>,
    /// The state.
    pub state: &'p State,
    /// Whether pieces are told by characters, as they are drawn, or in letters.
    pub unicode: bool,
    /// How to learn more, behind a place at which no move can begin now.
    pub hint: &'p str,
}

/// Why a text is not a legal move.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Told {
    /// In lines, the first of which says what is wrong.
    pub text: String,
    /// Where the conditions are written that stand in the way, and what each of them demands and finds, where there are words for it.
    pub reasons: Vec<(Span, Option<String>)>,
}

impl From<String> for Told {
    fn from(text: String) -> Self {
        Self { text, reasons: Vec::new() }
    }
}

impl Position<'_> {
    /// Why a text is not a legal move; `None` if it is one. Costs some searches for moves from the same place with conditions of the rules ignored, of which each
    /// is bounded; ends soon after `stop` is set.
    ///
    /// # Errors
    /// The rules fail.
    pub fn why(&self, text: &str, stop: &AtomicBool) -> Result<Option<Told>, Error> {
        let &Self { runner, drawer, state, .. } = self;
        let text = text.trim();
        let mut moves = Moves::new();
        runner.reasoner.legal_moves(state, &mut moves)?;
        let Err(unread) = runner.find_in(text, state, &moves) else { return Ok(None) };
        let is_tags = || text.split_whitespace().all(|word| runner.loaded.game.symbols.get(word).is_some());
        let first = first_place(runner, text);
        if moves.is_empty() || text.is_empty() {
            return Ok(Some(unread.into()));
        }
        let places = runner.loaded.notation.places().filter(|_| first.is_some() && !is_tags());
        if let Some(off) = places.and_then(|places| places.off_board(text)) {
            return Ok(Some(format!("`{text}` is not legal: `{off}` is not on the board\n").into()));
        }
        let short: Vec<String> = runner.short_listed(&moves).into_iter().map(|(text, _)| text).collect();
        let owners = OnceLock::new();
        let owners = || owners.get_or_init(|| Owners::of(runner, drawer, state));
        let signs = Signs::new(runner, drawer.boards(), self.unicode);
        let sight = match runner.reasoner.turn(state) {
            Turn::Player(mover) => {
                only_board(drawer, state).and_then(|setup| Sight::new(&signs, (setup, mover), &short, owners))
            }
            _ => None,
        };
        let seen =
            || sight.as_ref().and_then(|sight| sight.only_place(text, self.hint).or_else(|| sight.at_start(text)));
        if let Some(seen) = seen() {
            return Ok(Some(seen.into()));
        }
        let is_from = |legal: &&String| match first {
            Some(first) if is_way(runner, legal) => first_place(runner, legal) == Some(first),
            Some(first) => *legal == first || first_place(runner, legal) == Some(first),
            None => false,
        };
        let legal: Vec<String> = short.iter().filter(is_from).cloned().collect();
        let there = || stands(&signs, &only_board(drawer, state)?, text);
        if legal.is_empty()
            && let Some(only) = only_place(runner, text, &short, there())
        {
            return Ok(Some(only.into()));
        }
        let leg = Leg::of(runner, text, &runner.tags(&moves), &runner.short_texts(&moves));
        let found = search(runner, state, (text, leg.as_ref()), stop)?;
        // A text of which nothing is known: what is wrong with how it is written.
        if first.is_none() && !is_tags() && !found.has_reason() {
            return Ok(Some(unread.into()));
        }
        let asked = Asked { text, legal: &legal, short: &short, leg, ..Asked::default() };
        Ok(Some(self.told(asked, &found, (sight.as_ref(), owners()))))
    }

    /// What a search found out about a text that is not a legal move, with what a look at the board tells of its places.
    pub fn told(&self, asked: Asked<'_>, found: &Found, (sight, owners): (Option<&Sight<'_>>, &Owners)) -> Told {
        let Asked { text, legal, short, .. } = asked;
        let setup = only_board(self.drawer, self.state);
        let before = setup.as_ref().map(|setup| setup.at.clone()).unwrap_or_default();
        let signs = Signs::new(self.runner, self.drawer.boards(), self.unicode);
        let signs = signs.with_owners(owners).with_position(before);
        let one_place = || one_place(self.runner.loaded.notation.places()?, text, short);
        let seen = sight.and_then(|sight| sight.at_end(text, legal)).or_else(one_place);
        let asked = Asked { seen, stands: setup.and_then(|setup| stands(&signs, &setup, text)), ..asked };
        let (text, reasons) = with_reasons(self.sources, &signs, &asked, found);
        Told { text, reasons }
    }
}

/// The only board of a state, as it is drawn; `None` if there are several, or none.
pub fn only_board<'d>(drawer: &'d Drawer<'_>, state: &State) -> Option<Setup<'d>> {
    let mut scene = drawer.scene(state);
    scene.boards.pop().filter(|_| scene.boards.is_empty())
}

/// What stands on the place that a text begins with, on the only board: `is empty`.
pub fn stands(signs: &Signs<'_>, setup: &Setup<'_>, text: &str) -> Option<String> {
    let first = first_place(signs.runner, text)?;
    let place = setup.board.places.iter().position(|place| place.label == first)?;
    let kind = setup.at.get(place).copied().flatten()?;
    Some(signs.there(&setup.board.pieces.get(kind as usize)?.name))
}
