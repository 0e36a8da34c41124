//! Declarations, and elementary conditions.

use super::atoms::Forms;
use super::names::{Names, as_score, identifier};
use super::turns::{Turns, turns};
use super::vocabulary::{Lowered, Summary, Vocabulary};
use crate::ground::{AtomId, AtomKind, GroundProgram, MoveSet};
use crate::normal::{Program, TermId};
use rg_ir::expr::Expr;
use rg_ir::ids::{ExprId, NodeId, TypeId};
use rg_ir::{Game, Label, Span, Symbol};
use rustc_hash::{FxHashMap, FxHashSet};

/// A map variable of `0`/`1` cells, or with one cell a plain variable.
pub(super) struct Family {
    /// The variable.
    pub(super) var: ExprId,
    /// A value with `0` in all cells.
    pub(super) zero: ExprId,
    pub(super) ty: TypeId,
}

/// A role in RG.
pub(super) struct Player {
    /// The symbol; `None` for a role that never has a choice.
    pub(super) symbol: Option<ExprId>,
    /// The variable that keeps its choice.
    pub(super) choice: Option<(rg_ir::ids::VarId, ExprId)>,
    /// The symbols of its moves.
    pub(super) moves: Vec<ExprId>,
    pub(super) ty: Option<TypeId>,
    pub(super) name: String,
    /// The cell of its goal value.
    pub(super) goal: ExprId,
}

/// A game under construction.
pub(super) struct Build<'a> {
    pub(super) program: &'a Program,
    pub(super) ground: &'a GroundProgram,
    pub(super) game: Game,
    pub(super) forms: Forms,
    pub(super) values: Names,
    pub(super) types: Names,
    pub(super) made: u32,
    pub(super) bool_type: TypeId,
    pub(super) zero: ExprId,
    pub(super) one: ExprId,
    pub(super) players: Vec<Player>,
    /// Per fluent the cell of the state and of the next state; `None` for constant ones.
    pub(super) cells: Vec<Option<(ExprId, ExprId)>>,
    /// The maps of the state, and of the next state.
    pub(super) families: Vec<(Family, Family)>,
    /// The cells of other atoms that are variables.
    pub(super) atom_cells: FxHashMap<AtomId, ExprId>,
    pub(super) state_families: Vec<Family>,
    pub(super) step_families: Vec<Family>,
    /// Where checks arrive.
    pub(super) holds: NodeId,
    /// Where the checks of atoms start.
    pub(super) checks: FxHashMap<AtomId, NodeId>,
    pub(super) sets: FxHashMap<MoveSet, ExprId>,
    /// Entries of their tables.
    pub(super) entries: usize,
    pub(super) set_checks: FxHashMap<MoveSet, NodeId>,
    /// How players take turns, if that is proved.
    pub(super) turns: Option<Turns>,
    pub(super) changed: Option<ExprId>,
    /// The tags of percepts, and their names.
    pub(super) percepts: (FxHashMap<TermId, Symbol>, Scope),
    pub(super) vocabulary: Vocabulary,
}

impl<'a> Build<'a> {
    /// Declares everything; `None` if there is no player.
    pub(super) fn new(program: &'a Program, ground: &'a GroundProgram) -> Option<Self> {
        let mut game = Game::new();
        let (mut values, mut types) = (Names::new(), Names::new());
        for name in ["Player", "Score", "Bool", "Goals", "Visibility", "PlayerOrSystem"] {
            types.fresh(name);
        }
        let mut player_names = Vec::new();
        for role in &ground.roles {
            let text = program.terms.kif(&program.words, role.name);
            player_names.push(if text == "random" { text } else { values.fresh(&text) });
        }
        let real: Vec<Symbol> =
            player_names.iter().filter(|name| *name != "random").map(|name| game.symbols.intern(name)).collect();
        if real.is_empty() {
            return None;
        }
        declare(&mut game, "Player", real);
        let scores = scores(program, ground).iter().map(|name| game.symbols.intern(name)).collect();
        declare(&mut game, "Score", scores);
        game.complete_builtins();
        let bool_name = game.symbols.intern("Bool");
        let bool_type = game.types.name(bool_name);
        let (zero, one) = (symbol(&mut game, "0"), symbol(&mut game, "1"));
        let holds_name = game.symbols.intern("holds");
        let holds = game.node(holds_name, Span::NONE);
        let turns = turns(program, ground);
        let mut build = Self {
            program,
            ground,
            game,
            forms: Forms::new(ground),
            values,
            types,
            made: 0,
            bool_type,
            zero,
            one,
            players: Vec::new(),
            cells: vec![None; ground.fluents.len()],
            families: Vec::new(),
            atom_cells: FxHashMap::default(),
            state_families: Vec::new(),
            step_families: Vec::new(),
            holds,
            checks: FxHashMap::default(),
            sets: FxHashMap::default(),
            entries: 0,
            set_checks: FxHashMap::default(),
            vocabulary: Vocabulary { turn_based: turns.is_some(), ..Vocabulary::default() },
            turns,
            changed: None,
            percepts: Default::default(),
        };
        build.declare_fluents();
        build.declare_atoms();
        build.declare_players(player_names);
        Some(build)
    }

    /// The finished game.
    pub(super) fn finish(mut self) -> Lowered {
        self.vocabulary.fluents.sort_by(|a, b| a.term.cmp(&b.term));
        let ground = self.ground;
        let summary = Summary {
            instances: ground.instances,
            rules: ground.rules.len(),
            conditions: ground.rules.iter().map(|rule| rule.body.len()).sum(),
            fluents: ground.fluents.len(),
            constant_fluents: ground.constant.iter().filter(|&&constant| constant).count(),
            moves: ground.roles.iter().map(|role| role.moves.len()).sum(),
            kept_atoms: self.atom_cells.len() - self.cells.iter().flatten().count().min(self.atom_cells.len()),
        };
        Lowered {
            game: self.game,
            vocabulary: self.vocabulary,
            summary: Some(summary),
            structure: Vec::new(),
            work: None,
        }
    }

    pub(super) fn text(&self, term: TermId) -> String {
        self.program.terms.kif(&self.program.words, term)
    }

    /// A new node.
    pub(super) fn node(&mut self, stem: &str) -> NodeId {
        self.made += 1;
        let name = self.game.symbols.intern(&format!("{stem}_{}", self.made));
        self.game.node(name, Span::NONE)
    }

    pub(super) fn edge(&mut self, from: NodeId, to: NodeId, label: Label) {
        self.game.automaton.add_edge(from, to, label, Span::NONE);
    }

    /// `player = who`
    pub(super) fn give(&mut self, from: NodeId, to: NodeId, who: ExprId) {
        let player = self.built_in("player");
        self.edge(from, to, Label::Assign { lhs: player, rhs: who });
    }

    /// A built-in variable.
    pub(super) fn built_in(&mut self, name: &str) -> ExprId {
        let name = self.game.symbols.intern(name);
        self.game.resolve_name(name)
    }

    pub(super) fn symbol(&mut self, name: &str) -> ExprId {
        symbol(&mut self.game, name)
    }
}

/// Names of one type: they differ from each other and from all variables, but not from those of other types.
#[derive(Default)]
pub(super) struct Scope {
    taken: FxHashSet<String>,
}

impl Scope {
    pub(super) fn fresh(&mut self, text: &str, values: &Names) -> String {
        let stem = identifier(text);
        let (mut name, mut number) = (stem.clone(), 1);
        while values.has(&name) || !self.taken.insert(name.clone()) {
            number += 1;
            name = format!("{stem}_{number}");
        }
        name
    }
}

/// The values of goals, `0` first.
fn scores(program: &Program, ground: &GroundProgram) -> Vec<String> {
    let goal = |kind: &AtomKind| match kind {
        AtomKind::Goal(_, value) => Some(program.terms.kif(&program.words, *value)),
        _ => None,
    };
    let goal = |kind: &AtomKind| goal(kind).filter(|text| as_score(text).is_some());
    let mut scores: Vec<String> = ground.atoms.iter().filter_map(goal).chain(["0".to_owned()]).collect();
    scores.sort_by(|a, b| (a.len(), a).cmp(&(b.len(), b)));
    scores.dedup();
    scores.sort_by_key(|score| score != "0");
    scores
}

pub(super) fn declare(game: &mut Game, name: &str, members: Vec<Symbol>) -> TypeId {
    let definition = game.types.set(members);
    let name = game.symbols.intern(name);
    game.add_type(name, definition, Span::NONE);
    game.types.name(name)
}

pub(super) fn symbol(game: &mut Game, name: &str) -> ExprId {
    let symbol = game.symbols.intern(name);
    game.exprs.intern(Expr::Symbol(symbol))
}
