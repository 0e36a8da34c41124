//! The whole lowering: a game to a program.

use super::emit::Code;
use super::labels;
use super::layout::Layout;
use super::marks::{Marking, Marks};
use super::region::{Kind, Region};
use super::step::{Lowering, Step};
use super::{FAIL, Op, Pc, Program};
use engine::canonical::Dead;
use engine::valid::{ValidGame, has_hidden_tags};
use engine::{Error, ErrorKind};
use rg_ir::ids::Id;
use rg_ir::{Game, Label, NodeId, VarId};
use rustc_hash::{FxHashMap, FxHashSet};

/// Largest sum over the targets of checks of the nodes that a check with this target can come by: each has code of its
/// own, so checks whose walks spread over all of a large automaton would take quadratic time and space.
const MAX_CHECKED: usize = 1 << 24;

fn invalid(message: impl Into<String>) -> Error {
    Error::new(ErrorKind::Invalid, "", message)
}

/// Lowers a game with complete built-ins, with marks as `marking` says. Near-linear in the size of the game, of its tables and of what its checks
/// can come by.
///
/// # Errors
/// [`ErrorKind::Invalid`] for games that the checker would refuse, and for tables beyond the limits.
pub fn lower(game: &ValidGame, marking: Marking) -> Result<Program, Error> {
    let find = |name: &str| {
        let var = game.symbols.get(name).and_then(|s| game.find_var(s));
        var.ok_or_else(|| invalid(format!("there is no variable `{name}`")))
    };
    let (player, goals, visible) = (find("player")?, find("goals")?, find("visible")?);
    let dead = Dead::new(game);
    let mut lowering = Lowering::new(game, Layout::new(game, &dead)?);
    let bound = game.automaton.edges().last().map_or(0, |(id, _)| id.index() + 1);
    let mut steps = vec![Step::Never; bound];
    for (id, edge) in game.automaton.edges() {
        let step = lowering.step(edge.label).map_err(|mut error| {
            error.node = game.node_name(edge.source).to_string();
            error
        })?;
        steps[id.index()] = step;
    }

    let mut code = Code::default();
    let mut mark_cells = 0;
    let starts = move_starts(game);
    let mut entries = vec![FAIL; game.automaton.node_bound()];
    let region = Region::new(game, &lowering.layout, &steps, Kind::Moves, &starts);
    let told = labels::labels_unique(&region);
    let marks = Marks::new(&region, &lowering.layout, &lowering.exprs, &mut mark_cells, marking, &told.nodes);
    for (start, pc) in starts.iter().zip(code.region(&mut lowering, &region, &marks)) {
        entries[start.index()] = pc;
    }
    let mut labels_unique = vec![false; game.automaton.node_bound()];
    for (start, told) in starts.iter().zip(told.entries) {
        labels_unique[start.index()] = told;
    }
    let check_entries = checks(game, &steps, &mut lowering, &mut code, &mut mark_cells, marking)?;
    for op in &mut code.ops {
        if let Op::Reach { entry, check, .. } = op {
            *entry = check_entries.get(*check as usize).copied().unwrap_or(FAIL);
        }
    }

    let layout = lowering.layout;
    let field = |var: VarId| layout.vars[var].clone();
    let player_field = field(player);
    let number = |name: &str| {
        let symbol = game.symbols.get(name);
        symbol.and_then(|s| layout.classes.number(player_field.class, s)).unwrap_or(FAIL)
    };
    let players = game.players();
    let members = layout.classes.members(player_field.class).iter();
    let index_of = |s| players.iter().position(|p| p == s).map_or(FAIL, |i| i as u32);
    let cells_of = |var: VarId| cells_by_player(game, &layout, var);
    Ok(Program {
        player_slot: player_field.offset,
        player_class: player_field.class,
        keeper: number("keeper"),
        random: number("random"),
        player_index: members.map(index_of).collect(),
        goals: cells_of(goals)?,
        goals_class: field(goals).class,
        visible: has_hidden_tags(game)
            .then(|| -> Result<_, Error> {
                let one = game.symbols.get("1").and_then(|s| layout.classes.number(layout.vars[visible].class, s));
                Ok((cells_of(visible)?, one.unwrap_or(FAIL)))
            })
            .transpose()?,
        exprs: lowering.exprs,
        terms: lowering.terms,
        maps: lowering.maps,
        code: code.ops,
        names: lowering.names,
        marks: code.marks,
        mark_cells,
        checks: code.checks.iter().map(|&(from, _)| from).collect(),
        entries,
        labels_unique,
        resets: dead.resets(
            |var| (layout.vars[var].offset as usize, layout.vars[var].len as usize),
            |var| layout.vars[var].spare_entries(),
        ),
        begin: game.begin(),
        end: game.end(),
        keeper_may_choose: game.claims().keeper_may_choose,
        layout,
    })
}

/// The cells of a map from players, by player.
fn cells_by_player(game: &ValidGame, layout: &Layout, var: VarId) -> Result<Vec<u32>, Error> {
    let field = &layout.vars[var];
    let key = field.keys.first().copied();
    let cell = |player| {
        let key = key?;
        let number = layout.classes.number(key.class, player)?;
        let position = key.convert.map_or(Some(number), |c| layout.tables.get((c + number) as usize).copied())?;
        Some(field.offset + position)
    };
    let cells: Option<Vec<u32>> = game.players().iter().map(|&player| cell(player)).collect();
    cells.ok_or_else(|| invalid("`goals` and `visible` must be maps from players"))
}

/// The nodes at which a move can begin: `begin`, and wherever an assignment to `player` leads, `end` excepted.
fn move_starts(game: &Game) -> Vec<NodeId> {
    let mut starts = vec![game.begin()];
    let mut seen = vec![false; game.automaton.node_bound()];
    seen[game.begin().index()] = true;
    for (_, edge) in game.automaton.edges() {
        if game.ends_move(&edge.label)
            && edge.target != game.end()
            && !std::mem::replace(&mut seen[edge.target.index()], true)
        {
            starts.push(edge.target);
        }
    }
    starts
}

/// Emits the regions of all checks, one per target; returns the entries of [`Code::checks`].
fn checks(
    game: &Game,
    steps: &[Step],
    lowering: &mut Lowering,
    code: &mut Code,
    mark_cells: &mut u32,
    marking: Marking,
) -> Result<Vec<Pc>, Error> {
    let mut targets: Vec<(NodeId, Vec<NodeId>)> = Vec::new();
    let mut index: FxHashMap<NodeId, usize> = FxHashMap::default();
    let mut seen: FxHashSet<(NodeId, NodeId)> = FxHashSet::default();
    for (_, edge) in game.automaton.edges() {
        if let Label::Reach { from, to, .. } = edge.label {
            let at = *index.entry(to).or_insert_with(|| {
                targets.push((to, Vec::new()));
                targets.len() - 1
            });
            if let Some((_, starts)) = targets.get_mut(at)
                && seen.insert((from, to))
            {
                starts.push(from);
            }
        }
    }
    let mut entries: FxHashMap<(NodeId, NodeId), Pc> = FxHashMap::default();
    let mut size = 0;
    for (to, starts) in targets {
        let region = Region::new(game, &lowering.layout, steps, Kind::Check(to), &starts);
        size += region.nodes.len();
        if size > MAX_CHECKED {
            let mut error = invalid(format!("the reachability checks walk more than {MAX_CHECKED} nodes together"));
            error.node = game.node_name(to).to_string();
            return Err(error);
        }
        let marks = Marks::new(&region, &lowering.layout, &lowering.exprs, mark_cells, marking, &[]);
        for (&from, pc) in starts.iter().zip(code.region(lowering, &region, &marks)) {
            entries.insert((from, to), pc);
        }
    }
    Ok(code.checks.iter().map(|check| entries.get(check).copied().unwrap_or(FAIL)).collect())
}
