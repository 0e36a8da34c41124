//! Games that engines can run: checked, with all built-in declarations, and with what their pragmas promise in typed form.

use crate::{Error, ErrorKind};
use rg_ir::diag::Severity;
use rg_ir::{Expr, Game, Label, NodeId, Pragma};
use std::ops::Deref;
use std::sync::Arc;

/// A game that passed the static checks of RG (specification, section 6), with its built-in declarations complete. Every
/// engine is built from one; copies share the game.
#[derive(Clone, Debug)]
pub struct ValidGame {
    game: Arc<Game>,
    claims: Arc<Claims>,
}

/// What the pragmas of a game promise, as far as engines rely on it.
#[derive(Clone, Default, Debug)]
pub struct Claims {
    /// Whether the keeper may have several ways to one end: the first one in the order of the search is taken
    /// (`@translatedFromRbg`).
    pub keeper_may_choose: bool,
    /// `@handover k a b c ..;`, four nodes each; `None` for a node that is gone.
    pub handovers: Vec<[Option<NodeId>; 4]>,
}

impl ValidGame {
    /// Checks a game and completes it. Near-linear in its size: about a millisecond for a thousand edges.
    ///
    /// # Errors
    /// [`ErrorKind::Invalid`] with the first error that [`rg_ir::check::check`] finds.
    pub fn new(game: &Game) -> Result<Self, Error> {
        let mut game = game.clone();
        game.complete_builtins();
        for name in ["keeper", "random", "1"] {
            game.symbols.intern(name);
        }
        if let Some(wrong) = rg_ir::check::check(&game).into_iter().find(|found| found.severity == Severity::Error) {
            return Err(Error::new(ErrorKind::Invalid, "", wrong.message));
        }
        let claims = Claims::of(&game);
        Ok(Self { game: Arc::new(game), claims: Arc::new(claims) })
    }

    /// The same game, as if it had no pragma `@handover`.
    pub fn without_handovers(self) -> Self {
        let claims = Claims { handovers: Vec::new(), ..*self.claims };
        Self { claims: Arc::new(claims), ..self }
    }

    /// What its pragmas promise.
    pub fn claims(&self) -> &Claims {
        &self.claims
    }
}

impl Deref for ValidGame {
    type Target = Game;

    fn deref(&self) -> &Game {
        &self.game
    }
}

impl Claims {
    fn of(game: &Game) -> Self {
        let mut claims = Self::default();
        for declared in &game.pragmas {
            match &declared.pragma {
                Pragma::TranslatedFromRbg => claims.keeper_may_choose = true,
                Pragma::Unknown(text) => claims.handovers.extend(handovers(game, text)),
                _ => {}
            }
        }
        claims
    }
}

/// The nodes of `handover k a b c ..`; none if the text is something else.
fn handovers(game: &Game, text: &str) -> Vec<[Option<NodeId>; 4]> {
    let Some(nodes) = text.split_whitespace().collect::<Vec<_>>().strip_prefix(&["handover"]).map(<[&str]>::to_vec)
    else {
        return Vec::new();
    };
    let find = |name: &str| game.find_node(game.symbols.get(name)?);
    nodes.as_chunks::<4>().0.iter().map(|nodes| nodes.map(find)).collect()
}

/// Whether `random` may ever decide: some expression, constant or first value names it, or a free choice offers it. Linear
/// in the game.
pub fn has_chance(game: &Game) -> bool {
    let Some(random) = game.symbols.get("random") else { return false };
    let declared = |ty, value| game.dense(ty, value).map_or(true, |dense| dense.values.contains(&random));
    let named = |label: &Label| {
        let mut found = matches!(*label, Label::AssignAny { ty, .. } if game.types.contains(ty, random));
        for root in label.exprs() {
            game.exprs.preorder(root, |_, expr| found |= expr == Expr::Symbol(random));
        }
        found
    };
    game.consts.values().any(|decl| declared(decl.ty, &decl.value))
        || game.vars.values().any(|decl| declared(decl.ty, &decl.initial))
        || game.automaton.edges().any(|(_, edge)| named(&edge.label))
}

/// Whether some player may not see some tag: `visible` is written somewhere, or is not 1 for everybody from the start. Linear in
/// the automaton.
pub fn has_hidden_tags(game: &Game) -> bool {
    let Some(visible) = game.symbols.get("visible").and_then(|name| game.find_var(name)) else { return false };
    let decl = &game.vars[visible];
    let seen = game.symbols.get("1");
    let initial = game.dense(decl.ty, &decl.initial);
    let writes = |label: &Label| match *label {
        Label::Assign { lhs, .. } | Label::AssignAny { lhs, .. } => game.exprs.root(lhs) == Expr::Var(visible),
        _ => false,
    };
    !initial.is_ok_and(|dense| dense.values.iter().all(|&symbol| Some(symbol) == seen))
        || game.automaton.edges().any(|(_, edge)| writes(&edge.label))
}
