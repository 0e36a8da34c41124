//! Moves and states as KIF terms (section 10).

use crate::ast::{Atom, Description, Term};
use crate::lower::{Lowered, RoleNames, Summary, Vocabulary};
use crate::picture::Picture;
use crate::reading::Reader;
use crate::referee::Referee;
use crate::{print_prefix, read};
use rg_ir::notation::{Places, Reading, SourceNames};
use rg_ir::scene::{Board, Scene};
use rg_ir::{Game, JointMoves, Notation, Part, RuleBook, SourceId, Span, StateView};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use std::sync::{Arc, OnceLock};

/// Notation of a game that came from GDL. It owns all it needs.
///
/// A move is its KIF string, `(mark 1 1)`; on input the infix form `mark(1, 1)`, no outer parentheses, other case and other
/// white space are accepted, too. In short it is the places on the board that it names. Of a state, what relations such as `(cell 1 1 x)` say is drawn, and other fluents are listed.
#[derive(Clone, Debug)]
pub struct GdlNotation {
    vocabulary: Vocabulary,
    summary: Option<Summary>,
    structure: Vec<(String, String)>,
    /// Per role the moves by their tags.
    moves: Vec<FxHashMap<String, String>>,
    /// The rules.
    description: Option<Arc<Description>>,
    /// Made when a position is drawn first: much of what a game is loaded for draws none.
    picture: OnceLock<Picture>,
    /// Made when a move is read or written first.
    reader: OnceLock<Reader>,
}

impl GdlNotation {
    /// The notation of a lowered game.
    pub fn new(vocabulary: Vocabulary) -> Self {
        let moves = vocabulary.roles.iter().map(|role| role.moves.iter().cloned().collect()).collect();
        let (picture, reader) = (OnceLock::new(), OnceLock::new());
        Self { vocabulary, summary: None, structure: Vec::new(), moves, description: None, picture, reader }
    }

    /// How moves are read.
    fn reader(&self) -> &Reader {
        let new = |description: &Arc<Description>| Reader::new(self.picture(), description);
        self.reader.get_or_init(|| self.description.as_ref().map(new).unwrap_or_default())
    }

    /// How positions are drawn.
    fn picture(&self) -> &Picture {
        self.picture.get_or_init(|| {
            let initial = self.description.as_deref().map(initial).unwrap_or_default();
            Picture::new(&self.vocabulary, &initial)
        })
    }

    /// A lowered game, and its notation, which knows the rules it was made of.
    pub fn of(description: Arc<Description>, lowered: Lowered) -> (Game, Self) {
        let Lowered { game, vocabulary, summary, structure, .. } = lowered;
        let notation = Self::new(vocabulary).with_summary(summary, structure);
        (game, Self { description: Some(description), ..notation })
    }

    /// The same, with figures of the translation and the structure that was recovered.
    #[must_use]
    pub fn with_summary(self, summary: Option<Summary>, structure: Vec<(String, String)>) -> Self {
        Self { summary, structure, ..self }
    }

    /// An atom, unless its relation is one that the translation made.
    fn written(&self, atom: &str) -> Option<String> {
        let name = atom.trim_start_matches('(').split([' ', ')']).next()?;
        self.description.as_deref()?.words.find(name).map(|_| atom.to_owned())
    }

    /// The move of some role with these tags.
    fn find(&self, tags: &[&str]) -> Option<String> {
        (0..self.moves.len()).find_map(|role| self.of_role(role, tags))
    }

    /// The move of a role with these tags.
    fn of_role(&self, role: usize, tags: &[&str]) -> Option<String> {
        let listed = self.moves.get(role)?.get(&tags.join(" ")).cloned();
        listed.or_else(|| self.vocabulary.roles.get(role)?.told.iter().find_map(|moves| moves.term(tags)))
    }
}

impl Notation for GdlNotation {
    fn render_move(&self, tags: &[&str]) -> String {
        self.find(tags).unwrap_or_else(|| tags.join(" "))
    }

    fn render_moves(&self, moves: &[Vec<&str>]) -> Vec<String> {
        // Legal moves are those of one role; roles may mean different terms by the same tags.
        let of = |role: usize| -> Option<Vec<String>> { moves.iter().map(|tags| self.of_role(role, tags)).collect() };
        let found = (0..self.moves.len()).find_map(of);
        found.unwrap_or_else(|| moves.iter().map(|tags| self.render_move(tags)).collect())
    }

    fn parse_move(&self, text: &str, moves: &[Vec<&str>]) -> Result<usize, String> {
        let rendered = self.render_moves(moves);
        let wanted = canonical(text).unwrap_or_else(|| text.to_owned());
        rg_ir::notation::find_move(&wanted, &rendered).or_else(|message| {
            // The outer parentheses may be left out.
            let bare = canonical(&format!("({text})")).ok_or(message.clone())?;
            rg_ir::notation::find_move(&bare, &rendered).map_err(|_| message)
        })
    }

    fn render_player<'a>(&'a self, name: &'a str) -> &'a str {
        let role = self.vocabulary.roles.iter().find(|role| role.player.as_deref() == Some(name));
        role.map_or(name, |role| role.name.as_str())
    }

    fn source_names(&self) -> SourceNames {
        SourceNames::Statements
    }

    fn proposition(&self, variable: &str, keys: &[&str], value: &str) -> Option<String> {
        self.written(self.vocabulary.proposition(variable, keys, value)?)
    }

    fn checked(&self, node: &str) -> Option<String> {
        self.written(self.vocabulary.checks.get(node)?)
    }

    fn figures(&self) -> Vec<String> {
        let steps = match (self.vocabulary.turn_based, self.vocabulary.plies()) {
            (true, _) => "steps: turns of one role, which is proved; the others have no choice".to_owned(),
            (false, 1) => "steps: moves of one role".to_owned(),
            (false, plies) => format!("steps: hidden choices of {plies} roles"),
        };
        let ground = self.summary.iter().flat_map(|summary| {
            let Summary { instances, rules, conditions, fluents, constant_fluents, moves, kept_atoms } = summary;
            [
                format!("instances of rules: {instances}; {rules} with {conditions} conditions after simplification"),
                format!("fluents: {fluents}, of which {constant_fluents} always hold; moves: {moves}"),
                format!("other atoms kept in variables: {kept_atoms}"),
            ]
        });
        let structure = self.structure.iter().map(|(subject, text)| format!("{subject}: {text}"));
        std::iter::once(steps).chain(ground).chain(structure).collect()
    }

    fn joint(&self) -> Option<&dyn JointMoves> {
        Some(self)
    }

    fn places(&self) -> Option<&Places> {
        self.reader().places()
    }

    fn readings(&self, moves: &[Vec<&str>]) -> Vec<Reading> {
        self.render_moves(moves).iter().map(|term| self.reader().reading(term)).collect()
    }

    fn boards(&self) -> &[Board] {
        &self.picture().boards
    }

    fn scene(&self, state: &dyn StateView) -> Option<Scene<'_>> {
        Some(self.picture().scene(&self.vocabulary, state))
    }
}

/// The fluents that facts about `init` name.
fn initial(description: &Description) -> BTreeSet<String> {
    let text = print_prefix(description);
    let fact = |line: &str| Some(line.strip_prefix("(init ")?.strip_suffix(')')?.to_owned());
    text.lines().filter_map(fact).collect()
}

/// A term in either syntax as a KIF string; `None` if it is none.
fn canonical(text: &str) -> Option<String> {
    let (description, _) = read(SourceId(u32::MAX), text);
    let description = description.filter(|description| {
        matches!(description.rules.as_slice(), [fact] if fact.body.is_empty()) && description.comments.is_empty()
    })?;
    Some(print_prefix(&description).trim_end().to_owned())
}

impl JointMoves for GdlNotation {
    fn roles(&self) -> Vec<&str> {
        self.vocabulary.roles.iter().map(|role| role.name.as_str()).collect()
    }

    fn plies(&self) -> u32 {
        u32::try_from(self.vocabulary.plies()).unwrap_or(u32::MAX)
    }

    fn tells_all(&self) -> bool {
        self.description.as_deref().is_some_and(|description| {
            let words = &description.words;
            description.rules.iter().all(|rule| words.text(rule.head.name.word) != "sees")
        })
    }

    fn step(&self, state: &dyn StateView) -> Vec<Part<'_>> {
        let mover = state.get("player", &[]).filter(|_| self.vocabulary.turn_based);
        self.vocabulary.roles.iter().map(|role| part(role, mover)).collect()
    }

    fn goals(&self, state: &dyn StateView) -> Vec<String> {
        let goal = |role: &RoleNames| {
            let (variable, keys) = &role.goal;
            let keys: Vec<&str> = keys.iter().map(String::as_str).collect();
            state.get(variable, &keys).unwrap_or("none").to_owned()
        };
        self.vocabulary.roles.iter().map(goal).collect()
    }

    fn state_text(&self, state: &dyn StateView) -> String {
        self.vocabulary.state_text(state)
    }

    fn place(&self, relation: &str, role: &str, value: Option<&str>) -> Span {
        let Some(description) = self.description.as_deref() else { return Span::NONE };
        let words = &description.words;
        // A variable may be anything.
        let may_be = |term: &Term, text: &str| match term {
            Term::Variable(_) => true,
            Term::Constant(name) => words.text(name.word) == text,
            Term::Function(_) => false,
        };
        let own = |head: &&Atom, relation: &str| {
            words.text(head.name.word) == relation && head.args.first().is_some_and(|term| may_be(term, role))
        };
        let heads = || description.rules.iter().map(|rule| &rule.head);
        let of_value = |head: &&Atom| value.zip(head.args.get(1)).is_some_and(|(value, term)| may_be(term, value));
        let first = heads().filter(|head| own(head, relation)).find(of_value);
        let first = first.or_else(|| heads().find(|head| own(head, relation)));
        first.or_else(|| heads().find(|head| own(head, "role"))).map_or(Span::NONE, |head| head.span)
    }

    fn rules(&self) -> Option<Box<dyn RuleBook>> {
        let referee = Referee::new(self.description.as_deref()?)?;
        Some(Box::new(referee))
    }
}

/// What a role does if `mover` is the only player with a choice, or (`None`) all have one.
fn part<'a>(role: &'a RoleNames, mover: Option<&str>) -> Part<'a> {
    let waits = role.player.is_none() || mover.is_some_and(|mover| role.player.as_deref() != Some(mover));
    role.waiting.as_deref().filter(|_| waits).map_or(Part::Ply, Part::Forced)
}
