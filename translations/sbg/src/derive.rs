//! The description in SBG that a game seems to be: kinds of pieces, their rules, goals. That it is the same game is proved later.

use crate::codes;
use crate::facts::Facts;
use crate::goals::Goals;
use crate::grid::Grid;
use crate::letters::letters;
use crate::model::{Advised, Cell, Refused, invalid, refuse};
use crate::regex::expression;
use crate::steps::{Minimal, Walks};
use crate::store::{Label, Mask, Store, Val};
use crate::turns::{Turn, Turns};
use indexmap::IndexMap;
use rg_ir::{Span, Symbol};
use rustc_hash::FxHashMap;
use sbg::MAX_LIMIT;
use sbg::ast::{On, Step};
use std::collections::{BTreeMap, BTreeSet};

/// The walks of all kinds of pieces, as steps on a rectangle.
pub(crate) type Kinds = BTreeMap<Symbol, Minimal>;

/// A description, and what is what in it.
pub(crate) struct Sketch {
    pub(crate) text: String,
    pub(crate) letters: BTreeMap<Symbol, char>,
    pub(crate) grid: Grid,
}

/// A value relative to where a walk is, so that walks that begin at different squares are alike.
#[derive(Clone, PartialEq, Eq, Hash)]
enum Relative {
    Val(Val),
    Origin,
    Offset(i32, i32),
}

/// What tells states of walks apart wherever they begin.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Alike {
    node: rg_ir::NodeId,
    player: Symbol,
    vals: Vec<Relative>,
    writes: Vec<(Relative, Symbol)>,
    pend: Option<(Relative, Mask)>,
    begun: bool,
}

/// The walks of all kinds of pieces.
///
/// # Errors
/// What a step needs is not one of what SBG knows.
pub(crate) fn kinds(turns: &Turns<'_, '_>, facts: &Facts, grid: &Grid) -> Result<Kinds, Refused> {
    let mut out = Kinds::new();
    let model = turns.explorer.eval.model;
    for (&kind, &owner) in &facts.owner {
        let walks = match turns.turns.iter().find(|turn| turn.start.player == model.players[owner]) {
            Some(turn) => {
                let atoms = atoms_of(turns, facts, turn, owner);
                let walks = Builder::new(turns, facts, grid, turn, (owner, &atoms)).walks(kind)?.minimal()?;
                classified(turns, facts, owner, &atoms, &walks)?
            }
            None => Walks::<Step>::default().minimal()?,
        };
        out.insert(kind, walks);
    }
    Ok(out)
}

/// The sets of contents that walks of a turn, or SBG, tell apart.
fn atoms_of(turns: &Turns<'_, '_>, facts: &Facts, turn: &Turn, owner: usize) -> Vec<Mask> {
    let known = &turns.explorer.eval.known;
    let labels = turn.graph.edges.iter().flatten().flat_map(|(labels, _)| labels);
    let tests = labels.filter_map(|label| match *label {
        Label::Test(_, mask) => Some(mask),
        Label::Origin(..) | Label::Home(_) => None,
    });
    let ends = turn.graph.exits.iter().filter_map(|&exit| turn.graph.states.get_index(exit)?.pend);
    let sides = facts.sides(turns, owner).into_iter().chain([known.mask(facts.empty)]);
    let masks: BTreeSet<Mask> = tests.chain(ends.map(|(_, mask)| mask)).chain(sides).collect();
    crate::words::atoms(known.everything(), masks.into_iter())
}

/// Walks whose steps need what SBG knows: all pieces of the mover are alike, and all of the opponent.
fn classified(
    turns: &Turns<'_, '_>,
    facts: &Facts,
    owner: usize,
    atoms: &[Mask],
    walks: &Minimal<Partial>,
) -> Result<Minimal, Refused> {
    let known = &turns.explorer.eval.known;
    let [own, other] = facts.sides(turns, owner);
    let mut out = Minimal { next: Vec::new(), accepts: walks.accepts.clone() };
    for next in &walks.next {
        let mut steps = BTreeMap::new();
        let ways: BTreeSet<(i32, i32)> = next.keys().map(|&(dx, dy, _)| (dx, dy)).collect();
        for (dx, dy) in ways {
            for (on, class) in [(On::Empty, known.mask(facts.empty)), (On::Opponent, other), (On::Own, own)] {
                let parts = atoms.iter().enumerate().filter(|(_, atom)| **atom & class != 0);
                let leads: Vec<(Mask, Option<usize>)> =
                    parts.map(|(number, &atom)| (atom, next.get(&(dx, dy, number)).copied())).collect();
                let Some(&(one, target)) = leads.first() else { continue };
                if let Some(&(another, _)) = leads.iter().find(|(_, to)| *to != target) {
                    return Err(told_apart(turns, [one, another]));
                }
                if let Some(target) = target {
                    steps.insert(Step { dx, dy, on }, target);
                }
            }
        }
        out.next.push(steps);
    }
    Ok(out.merged())
}

/// The refusal of rules that tell kinds of pieces apart.
fn told_apart(turns: &Turns<'_, '_>, parts: [Mask; 2]) -> Refused {
    let known = &turns.explorer.eval.known;
    let [one, another] = parts.map(|mask| {
        let members = known.contents.iter().zip(0..).filter(|(_, at)| mask >> at & 1 == 1);
        members
            .map(|(&kind, _)| format!("`{}`", turns.explorer.eval.model.game.name(kind)))
            .collect::<Vec<_>>()
            .join(", ")
    });
    let message = format!("a piece goes on otherwise where {one} is than where {another} is");
    refuse(codes::RULE, Span::NONE, message).advised(
        "steps of SBG tell empty squares, pieces of the mover and pieces of the opponent apart, not kinds of pieces",
    )
}

/// A step to a square with one of the contents that belong to an atom.
type Partial = (i32, i32, usize);

/// Makes the automaton of a kind of pieces.
struct Builder<'a, 'm, 'g> {
    turns: &'a Turns<'m, 'g>,
    facts: &'a Facts,
    grid: &'a Grid,
    turn: &'a Turn,
    owner: usize,
    atoms: &'a [Mask],
    walks: Walks<Partial>,
    names: IndexMap<Alike, usize>,
}

impl<'a, 'm, 'g> Builder<'a, 'm, 'g> {
    fn new(
        turns: &'a Turns<'m, 'g>,
        facts: &'a Facts,
        grid: &'a Grid,
        turn: &'a Turn,
        (owner, atoms): (usize, &'a [Mask]),
    ) -> Self {
        let mut walks = Walks::default();
        walks.state();
        Self { turns, facts, grid, turn, owner, atoms, walks, names: IndexMap::new() }
    }

    fn walks(mut self, kind: Symbol) -> Result<Walks<Partial>, Refused> {
        let graph = &self.turn.graph;
        let targets: FxHashMap<usize, Cell> = self.turn.moves.iter().map(|ended| (ended.state, ended.target)).collect();
        let counts =
            |store: &Store| store.origin.is_some_and(|origin| origin.1 == kind && self.facts.reached.contains(&origin));
        let inside: Vec<bool> = graph.states.iter().map(counts).collect();
        for (number, store) in graph.states.iter().enumerate() {
            let edges = graph.edges.get(number).into_iter().flatten();
            for (labels, to) in edges.filter(|(_, to)| inside.get(*to) == Some(&true)) {
                let Some(next) = graph.states.get_index(*to) else { continue };
                let (mut from, mut at) = if store.origin.is_some() { (self.name(store), store.at) } else { (0, None) };
                for label in labels {
                    let Some(cell) = cell(label) else { continue };
                    if let Label::Origin(..) = label {
                        (from, at) = (0, Some(cell));
                        continue;
                    }
                    let Some(here) = at else { continue };
                    let made = self.walks.state();
                    self.steps(from, here, label, made)?;
                    (from, at) = (made, Some(cell));
                }
                let name = self.name(next);
                self.walks.empty[from].insert(name);
            }
            if let (Some(&target), true) = (targets.get(&number), inside[number]) {
                self.end(store, target)?;
            }
        }
        Ok(self.walks)
    }

    fn name(&mut self, store: &Store) -> usize {
        let alike = self.alike(store);
        if let Some(&name) = self.names.get(&alike) {
            return name;
        }
        let name = self.walks.state();
        self.names.insert(alike, name);
        name
    }

    fn alike(&self, store: &Store) -> Alike {
        let model = self.turns.explorer.eval.model;
        let origin = store.origin.map(|(cell, _)| cell);
        let relative = |cell: Cell| match (self.grid.place(cell), store.at.and_then(|at| self.grid.place(at))) {
            _ if Some(cell) == origin => Some(Relative::Origin),
            (Some((x, y)), Some((at_x, at_y))) => Some(Relative::Offset(x - at_x, y - at_y)),
            _ => None,
        };
        let val = |&val: &Val| match val {
            Val::Known(symbol) => {
                let cell = model.board.cell_of.get(&symbol).copied();
                cell.and_then(relative).unwrap_or(Relative::Val(val))
            }
            _ => Relative::Val(val),
        };
        let place = |cell: Cell| relative(cell).unwrap_or(Relative::Origin);
        Alike {
            node: store.node,
            player: store.player,
            vals: store.vals.iter().map(val).collect(),
            writes: store.writes.iter().map(|&(cell, content)| (place(cell), content)).collect(),
            pend: store.pend.map(|(cell, mask)| (place(cell), mask)),
            begun: store.at == origin,
        }
    }

    /// The steps from one square to that of a label.
    fn steps(&mut self, from: usize, here: Cell, label: &Label, to: usize) -> Result<(), Refused> {
        match *label {
            Label::Test(cell, mask) => {
                self.step(from, [here, cell], mask, to);
            }
            Label::Home(cell) => self.home(from, [here, cell], to),
            Label::Origin(..) => {}
        }
        Ok(())
    }

    fn step(&mut self, from: usize, [here, there]: [Cell; 2], mask: Mask, to: usize) {
        if let (Some((x, y)), Some((to_x, to_y))) = (self.grid.place(here), self.grid.place(there)) {
            let numbers = self.atoms.iter().zip(0..).filter(|(atom, _)| **atom & mask != 0);
            self.walks.steps[from].extend(numbers.map(|(_, number)| ((to_x - x, to_y - y, number), to)));
        }
    }

    /// A step back to where the walk began, where a piece of the mover stands.
    fn home(&mut self, from: usize, way: [Cell; 2], to: usize) {
        let [own, _] = self.facts.sides(self.turns, self.owner);
        self.step(from, way, own, to);
    }

    /// A move is over.
    fn end(&mut self, store: &Store, target: Cell) -> Result<(), Refused> {
        let mut at = self.name(store);
        let mut here = store.at;
        let known = &self.turns.explorer.eval.known;
        if let Some((cell, mask)) = store.pend
            && mask != known.everything()
            && let Some(from) = here
        {
            let made = self.walks.state();
            self.steps(at, from, &Label::Test(cell, mask), made)?;
            (at, here) = (made, Some(cell));
        }
        let (Some(here), Some((origin, _))) = (here, store.origin) else { return Ok(()) };
        if here == target && target != origin {
            self.walks.accepts[at] = true;
            return Ok(());
        }
        let made = self.walks.state();
        self.walks.accepts[made] = true;
        if target == origin {
            self.home(at, [here, target], made);
        } else {
            self.step(at, [here, target], known.everything(), made);
        }
        Ok(())
    }
}

fn cell(label: &Label) -> Option<Cell> {
    match *label {
        Label::Origin(cell, _) | Label::Test(cell, _) | Label::Home(cell) => Some(cell),
    }
}

/// How good a way to turn the board is: letters, whether the first player begins above, whether columns and rows are exchanged.
type Rank = (usize, bool, bool, u8);

/// The description that a game seems to be, with the board turned so that as many pieces of both players as possible follow the same rule, and that
/// those of the first player begin below.
pub(crate) fn sketch(turns: &Turns<'_, '_>, facts: &Facts, grid: &Grid, name: &str) -> Result<Sketch, Refused> {
    let mut best: Option<(Rank, Sketch, Kinds)> = None;
    for how in 0..8 {
        let grid = grid.turned(how);
        let mut rules = kinds(turns, facts, &grid)?;
        for (kind, walks) in &mut rules {
            if facts.owner.get(kind) != Some(&0) {
                *walks = walks.flipped();
            }
        }
        let letters = letters(turns.explorer.eval.model, facts, &rules)?;
        let different: BTreeSet<char> = letters.values().map(char::to_ascii_uppercase).collect();
        let rank = (different.len(), !is_below(turns, facts, &grid), how & 4 != 0, how);
        if best.as_ref().is_none_or(|(best, ..)| rank < *best) {
            best = Some((rank, Sketch { text: String::new(), letters, grid }, rules));
        }
    }
    let goals = Goals::new(turns, facts);
    let (_, mut sketch, rules) = best.ok_or_else(|| invalid(Span::NONE, "the game has no board"))?;
    sketch.text = text(turns, &sketch.grid, &rules, &sketch.letters, &goals, name)?;
    Ok(sketch)
}

/// Whether the pieces of the first player stand below those of the other one.
fn is_below(turns: &Turns<'_, '_>, facts: &Facts, grid: &Grid) -> bool {
    let model = turns.explorer.eval.model;
    let mean = |side: usize| {
        let rows = (0..).zip(&model.board.initial).filter(|(_, kind)| facts.owner.get(kind) == Some(&side));
        let rows: Vec<i64> = rows.filter_map(|(cell, _)| grid.place(cell)).map(|(_, y)| i64::from(y)).collect();
        (rows.iter().sum::<i64>(), i64::try_from(rows.len()).unwrap_or(0))
    };
    let ((white, whites), (black, blacks)) = (mean(0), mean(1));
    white * blacks < black * whites
}

fn text(
    turns: &Turns<'_, '_>,
    grid: &Grid,
    rules: &Kinds,
    letters: &BTreeMap<Symbol, char>,
    goals: &Goals,
    name: &str,
) -> Result<String, Refused> {
    let model = turns.explorer.eval.model;
    let mut rows = vec![vec!['.'; usize::try_from(grid.width).unwrap_or(0)]; usize::try_from(grid.height).unwrap_or(0)];
    for (cell, kind) in (0..).zip(&model.board.initial) {
        let Some((x, y)) = grid.place(cell) else { continue };
        let (x, y) = (usize::try_from(x).unwrap_or(0), usize::try_from(grid.height - 1 - y).unwrap_or(0));
        if let (Some(square), Some(&letter)) = (rows.get_mut(y).and_then(|row| row.get_mut(x)), letters.get(kind)) {
            *square = letter;
        }
    }
    let mut out = format!("<<{name}>>\n<BOARD>\n{} {}\n", grid.width, grid.height);
    rows.into_iter().for_each(|row| out.push_str(&format!("|{}|\n", row.into_iter().collect::<String>())));
    out.push_str("<PIECES>\n");
    let mut written: BTreeMap<char, String> = BTreeMap::new();
    for (kind, walks) in rules {
        if let (Some(letter), Some(expression)) = (letters.get(kind), expression(walks)?) {
            written.insert(letter.to_ascii_uppercase(), expression.text());
        }
    }
    written.iter().for_each(|(letter, rule)| out.push_str(&format!("{letter} {rule} &\n")));
    out.push_str(&format!("<GOALS>\n{} &\n", goals.draw.unwrap_or(MAX_LIMIT as usize)));
    let in_order = |letters: &BTreeMap<Symbol, char>| {
        let mut kinds: Vec<(char, Symbol)> = letters.iter().map(|(&kind, &letter)| (letter, kind)).collect();
        kinds.sort_unstable_by_key(|(letter, _)| (letter.is_ascii_lowercase(), *letter));
        kinds
    };
    for (letter, kind) in in_order(letters) {
        let Some(cells) = goals.reach.get(&kind) else { continue };
        let mut squares: Vec<(i32, i32)> = cells.iter().filter_map(|&cell| grid.place(cell)).collect();
        squares.sort_unstable_by_key(|&(x, y)| (y, x));
        let squares: Vec<String> = squares.into_iter().map(|(x, y)| format!("{x} {y}")).collect();
        out.push_str(&format!("@{letter} {} &\n", squares.join(", ")));
    }
    for (letter, kind) in in_order(letters) {
        if let Some(few) = goals.few.get(&kind) {
            out.push_str(&format!("#{letter} {few} &\n"));
        }
    }
    Ok(out)
}
