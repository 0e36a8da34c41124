//! Why a text is not a legal move of a position, all in one: a look at the board, then at the rules.

use super::{Asked, HINT, Leg, Owners, Sight, Signs, described, first_place, one_place, search};
use backend::{Error, Moves, State, Turn};
use kit::draw::Drawer;
use kit::runner::Runner;
use rg_ir::SourceMap;
use rg_ir::scene::Setup;
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
}

impl Position<'_> {
    /// Why a text is not a legal move, in lines; `None` if it is one. Costs some searches for moves from the same place with conditions of the rules ignored, of which each
    /// is bounded; ends soon after `stop` is set.
    ///
    /// # Errors
    /// The rules fail.
    pub fn why(&self, text: &str, stop: &AtomicBool) -> Result<Option<String>, Error> {
        let &Self { sources, runner, drawer, state } = self;
        let text = text.trim();
        let mut moves = Moves::new();
        runner.reasoner.legal_moves(state, &mut moves)?;
        let Err(unread) = runner.find_in(text, state, &moves) else { return Ok(None) };
        let is_tags = || text.split_whitespace().all(|word| runner.loaded.game.symbols.get(word).is_some());
        let first = first_place(runner, text);
        if moves.is_empty() || text.is_empty() {
            return Ok(Some(unread));
        }
        let places = runner.loaded.notation.places().filter(|_| first.is_some() && !is_tags());
        if let Some(off) = places.and_then(|places| places.off_board(text)) {
            return Ok(Some(format!("`{text}` is not legal: `{off}` is not on the board\n")));
        }
        let tags = runner.tags(&moves);
        let short: Vec<String> = runner.short_listed(&moves).into_iter().map(|(text, _)| text).collect();
        let owners = OnceLock::new();
        let owners = || owners.get_or_init(|| Owners::of(runner, drawer, state));
        let signs = Signs::new(runner, drawer.boards(), false);
        let setup = || {
            let mut scene = drawer.scene(state);
            scene.boards.pop().filter(|_| scene.boards.is_empty())
        };
        let sight = match runner.reasoner.turn(state) {
            Turn::Player(mover) => setup().and_then(|setup| Sight::new(&signs, (setup, mover), &short, owners)),
            _ => None,
        };
        if let Some(seen) =
            sight.as_ref().and_then(|sight| sight.only_place(text, HINT).or_else(|| sight.at_start(text)))
        {
            return Ok(Some(seen));
        }
        let legal: Vec<String> =
            short.iter().filter(|legal| first.is_some() && first_place(runner, legal) == first).cloned().collect();
        let leg = Leg::of(runner, text, &tags, &runner.short_texts(&moves));
        let found = search(runner, state, (text, leg.as_ref()), stop)?;
        // A text of which nothing is known: what is wrong with how it is written.
        if first.is_none() && !is_tags() && !found.has_reason() {
            return Ok(Some(unread));
        }
        let one_place = || one_place(runner.loaded.notation.places()?, text, &short);
        let seen = sight.as_ref().and_then(|sight| sight.at_end(text, &legal)).or_else(one_place);
        let stands = setup().and_then(|setup| stands(&signs, &setup, first?));
        let before = setup().map(|setup| setup.at).unwrap_or_default();
        let signs = Signs::new(runner, drawer.boards(), false).with_owners(owners()).with_position(before);
        let asked = Asked { text, legal: &legal, short: &short, seen, stands, leg, ..Asked::default() };
        Ok(Some(described(sources, &signs, &asked, &found)))
    }
}

/// What stands on a place: `is empty`.
fn stands(signs: &Signs<'_>, setup: &Setup<'_>, label: &str) -> Option<String> {
    let place = setup.board.places.iter().position(|place| place.label == label)?;
    let kind = setup.at.get(place).copied().flatten()?;
    Some(signs.there(&setup.board.pieces.get(kind as usize)?.name))
}
