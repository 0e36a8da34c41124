//! Check 15: modifiers on cycles.
//!
//! A cycle without a switch that contains a modifier can go on for ever within one move, unless something stops it:
//! the board (so shifts are followed on it), or a condition. With no condition at all on it the description cannot be
//! proper. With conditions that nothing on the cycle can change it is suspicious. Cycles whose own modifiers can make
//! a condition fail are what capturing sequences look like, and are fine. So are cycles the play cannot come to.

use rustc_hash::{FxHashMap, FxHashSet};

use rg_ir::ids::Id;

use super::Constant;
use super::graph::{Adjacency, Arrow, Automaton, entry};
use crate::ast::{Arith, ArithId, Cell, Description, Rule, RuleId};

/// Most edges of the product with the board that are looked at; a description with more is not checked further.
const MAX_WORK: usize = 4_000_000;

/// A modifier that can be repeated without end.
pub(super) struct Finding {
    /// The modifier.
    pub(super) rule: RuleId,
    /// Whether there is no condition on the cycle at all.
    pub(super) certain: bool,
}

/// The board, as this check needs it.
struct Ways {
    /// The edges by label.
    shifts: Vec<Vec<(u32, u32)>>,
    /// Which vertices can be reached from the first.
    reachable: Vec<bool>,
}

/// How an action takes part in a cycle.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    /// Goes on unconditionally and changes nothing but the place.
    Free,
    /// Goes along the edges with this label.
    Shift(u32),
    /// Changes the state, always.
    Modifier,
    /// Changes the state if its value is within the bound.
    Conditional,
    /// Tests something.
    Condition,
}

/// Finds at most one modifier per cycle of the automaton. Near-linear, bounded by [`MAX_WORK`].
pub(super) fn find(description: &Description, automaton: &Automaton, values: &[Constant]) -> Vec<Finding> {
    let roles = roles(description, values);
    let role = |arrow: &Arrow| arrow.action.map_or(Role::Free, |id| role_of(&roles, id));
    let is_switch = |arrow: &&Arrow| arrow.action.is_some_and(|id| roles.get(id.index()).is_some_and(Option::is_none));
    let inner: Vec<Arrow> = automaton.arrows.iter().filter(|arrow| !is_switch(arrow)).copied().collect();
    let component = Adjacency::new(automaton.nodes, inner.iter().map(|a| (a.from, a.to))).components();
    let same = |a: &Arrow| component.get(a.from as usize) == component.get(a.to as usize);
    // Arrows by component, in order.
    let mut cycles: Vec<(u32, Arrow)> =
        inner.iter().filter(|a| same(a)).map(|a| (component.get(a.from as usize).copied().unwrap_or(0), *a)).collect();
    cycles.sort_by_key(|&(component, _)| component);
    let ways = Ways { shifts: targets(description), reachable: reachable_vertices(description) };
    let mut work: usize = 0;
    let mut visited: Option<Option<Vec<bool>>> = None;
    let mut findings: Vec<Finding> = Vec::new();
    for cycle in cycles.chunk_by(|a, b| a.0 == b.0) {
        let arrows: Vec<Arrow> = cycle.iter().map(|&(_, arrow)| arrow).collect();
        if !arrows.iter().any(|a| matches!(role(a), Role::Modifier | Role::Conditional)) {
            continue;
        }
        let certain: Vec<Arrow> =
            arrows.iter().filter(|a| !matches!(role(a), Role::Condition | Role::Conditional)).copied().collect();
        let stable = without_breakable(description, &arrows);
        for (arrows, certain) in [(certain, true), (stable, false)] {
            let candidates = endless(&ways, &arrows, &role, &mut work);
            if candidates.is_empty() {
                continue;
            }
            let visited = visited.get_or_insert_with(|| visited_places(description, automaton, &ways));
            let finding = choose(&candidates, certain, visited.as_deref(), ways.reachable.len());
            if let Some(finding) = finding {
                findings.push(finding);
                break;
            }
        }
    }
    findings
}

fn role_of(roles: &[Option<Role>], id: RuleId) -> Role {
    roles.get(id.index()).copied().flatten().unwrap_or(Role::Free)
}

/// The finding for one of the candidates that the play can come to, if there is one; a doubtful one if that is not
/// known.
fn choose(candidates: &[(RuleId, u32)], certain: bool, visited: Option<&[bool]>, vertices: usize) -> Option<Finding> {
    let Some(visited) = visited else {
        return candidates.first().map(|&(rule, _)| Finding { rule, certain: false });
    };
    let place = |rule, vertex| entry(rule) as usize * vertices + vertex as usize;
    let found = candidates.iter().find(|&&(rule, vertex)| visited.get(place(rule, vertex)) == Some(&true));
    found.map(|&(rule, _)| Finding { rule, certain })
}

/// The places of the automaton and the board, in this order, that a play can come to if conditions are ignored; `None`
/// if there are too many to look.
fn visited_places(description: &Description, automaton: &Automaton, ways: &Ways) -> Option<Vec<bool>> {
    let count = ways.reachable.len();
    if (automaton.nodes + automaton.arrows.len()).saturating_mul(count) > MAX_WORK {
        return None;
    }
    let vertices = u32::try_from(count).ok()?;
    let rule = |id: RuleId| description.rules.nodes.get(id.index()).map(|(rule, _)| rule);
    let mut edges: Vec<(u32, u32)> = Vec::new();
    for arrow in &automaton.arrows {
        let (from, to) = (arrow.from * vertices, arrow.to * vertices);
        match arrow.action.and_then(rule) {
            Some(Rule::On(pieces)) if pieces.is_empty() => {}
            Some(Rule::Shift(label)) => {
                let along = ways.shifts.get(*label as usize).map(Vec::as_slice).unwrap_or_default();
                edges.extend(along.iter().map(|&(a, b)| (from + a, to + b)));
            }
            Some(Rule::Check { rule, .. }) => {
                let inside = entry(*rule) * vertices;
                edges.extend((0..vertices).flat_map(|v| [(from + v, to + v), (from + v, inside + v)]));
            }
            _ => edges.extend((0..vertices).map(|v| (from + v, to + v))),
        }
    }
    let start = entry(description.rules.root) * vertices;
    Some(Adjacency::new(automaton.nodes * count, edges.iter().copied()).reachable([start]))
}

/// The role of every expression; `None` for switches.
fn roles(description: &Description, values: &[Constant]) -> Vec<Option<Role>> {
    let role = |rule: &Rule| match rule {
        Rule::Switch { .. } => None,
        Rule::Shift(label) => Some(Role::Shift(*label)),
        Rule::Off { .. } => Some(Role::Modifier),
        Rule::Assign { target, value, .. } => Some(match super::of(values, *value) {
            Constant::No => Role::Conditional,
            Constant::Value(value) if super::fits(description, *target, value) => Role::Modifier,
            // Never legal.
            Constant::Value(_) => Role::Condition,
        }),
        Rule::On(pieces) if pieces.len() == description.pieces.len() => Some(Role::Free),
        Rule::On(_) | Rule::Compare { .. } | Rule::Check { .. } => Some(Role::Condition),
        Rule::Sum(_) | Rule::Concat(_) | Rule::Star(_) | Rule::Dot => Some(Role::Free),
    };
    description.rules.nodes.iter().map(|(rule, _)| role(rule)).collect()
}

fn reachable_vertices(description: &Description) -> Vec<bool> {
    let vertices = (0u32..).zip(&description.board.vertices);
    let edges = vertices.flat_map(|(from, vertex)| vertex.edges.iter().map(move |&(_, to)| (from, to)));
    Adjacency::new(description.board.vertices.len(), edges).reachable([0])
}

/// What the modifiers of a cycle can change.
#[derive(Default)]
struct Changes {
    pieces: FxHashSet<u32>,
    cells: FxHashSet<Cell>,
}

/// The arrows whose conditions cannot be made false by the modifiers among them.
fn without_breakable(description: &Description, arrows: &[Arrow]) -> Vec<Arrow> {
    let rule = |arrow: &Arrow| Some(&description.rules.nodes.get(arrow.action?.index())?.0);
    let mut changes = Changes::default();
    for rule in arrows.iter().filter_map(rule) {
        match rule {
            Rule::Off { piece, .. } => {
                changes.pieces.insert(*piece);
            }
            Rule::Assign { target, .. } => {
                changes.cells.insert(*target);
            }
            _ => {}
        }
    }
    let breakable = |arrow: &&Arrow| match rule(arrow) {
        Some(Rule::On(pieces)) => {
            pieces.iter().filter(|piece| changes.pieces.contains(piece)).count() < changes.pieces.len()
                || pieces.is_empty()
        }
        Some(Rule::Compare { left, right, .. }) => reads(description, &[*left, *right], &changes),
        Some(Rule::Assign { value, .. }) => reads(description, &[*value], &changes),
        Some(Rule::Check { .. }) => true,
        _ => false,
    };
    arrows.iter().filter(|arrow| !breakable(arrow)).copied().collect()
}

/// Whether any of the expressions depends on what changes.
fn reads(description: &Description, roots: &[ArithId], changes: &Changes) -> bool {
    let mut stack = roots.to_vec();
    while let Some(id) = stack.pop() {
        match description.rules.arith.get(id.index()).map(|&(arith, _)| arith) {
            Some(Arith::Cell(cell)) if changes.cells.contains(&cell) => return true,
            Some(Arith::Count(_)) if !changes.pieces.is_empty() => return true,
            Some(Arith::Binary(_, left, right)) => stack.extend([left, right]),
            _ => {}
        }
    }
    false
}

/// The modifiers on cycles of the product of these arrows and the board, with the vertices where they are. Spends `work`; finds nothing once that is too much.
fn endless(ways: &Ways, arrows: &[Arrow], role: &impl Fn(&Arrow) -> Role, work: &mut usize) -> Vec<(RuleId, u32)> {
    let (nodes, arrows) = cyclic(arrows, role);
    *work += (nodes + arrows.len()).saturating_mul(ways.reachable.len());
    if arrows.is_empty() || *work > MAX_WORK {
        return Vec::new();
    }
    let vertices = u32::try_from(ways.reachable.len()).unwrap_or(u32::MAX);
    let mut edges: Vec<(u32, u32)> = Vec::new();
    let mut modifiers: Vec<((u32, u32), (RuleId, u32))> = Vec::new();
    for arrow in &arrows {
        let (from, to) = (arrow.from * vertices, arrow.to * vertices);
        if let Role::Shift(label) = role(arrow) {
            let along = ways.shifts.get(label as usize).map(Vec::as_slice).unwrap_or_default();
            edges.extend(along.iter().map(|&(a, b)| (from + a, to + b)));
            continue;
        }
        for vertex in (0..vertices).filter(|&v| ways.reachable.get(v as usize) == Some(&true)) {
            let edge = (from + vertex, to + vertex);
            edges.push(edge);
            if let (Role::Modifier | Role::Conditional, Some(rule)) = (role(arrow), arrow.action) {
                modifiers.push((edge, (rule, vertex)));
            }
        }
    }
    let component = Adjacency::new(nodes * vertices as usize, edges.iter().copied()).components();
    let of = |node: u32| component.get(node as usize);
    modifiers.into_iter().filter(|((from, to), _)| of(*from) == of(*to)).map(|(_, found)| found).collect()
}

/// The arrows that lie on cycles together with a modifier, board aside; their nodes are renumbered from 0, and counted.
fn cyclic(arrows: &[Arrow], role: &impl Fn(&Arrow) -> Role) -> (usize, Vec<Arrow>) {
    let mut ids: FxHashMap<u32, u32> = FxHashMap::default();
    let mut renumbered = |node: u32| {
        let next = u32::try_from(ids.len()).unwrap_or(u32::MAX);
        *ids.entry(node).or_insert(next)
    };
    let mut local: Vec<Arrow> = arrows.to_vec();
    for arrow in &mut local {
        (arrow.from, arrow.to) = (renumbered(arrow.from), renumbered(arrow.to));
    }
    let component = Adjacency::new(ids.len(), local.iter().map(|a| (a.from, a.to))).components();
    let of = |node: u32| component.get(node as usize).copied();
    local.retain(|arrow| of(arrow.from) == of(arrow.to));
    let changing = local.iter().filter(|arrow| matches!(role(arrow), Role::Modifier | Role::Conditional));
    let changing: FxHashSet<Option<u32>> = changing.map(|arrow| of(arrow.from)).collect();
    local.retain(|arrow| changing.contains(&of(arrow.from)));
    (if local.is_empty() { 0 } else { ids.len() }, local)
}

/// The edges of the board by label.
fn targets(description: &Description) -> Vec<Vec<(u32, u32)>> {
    let mut by_label = vec![Vec::new(); description.board.labels.len()];
    for (from, vertex) in (0u32..).zip(&description.board.vertices) {
        for &(label, to) in &vertex.edges {
            if let Some(list) = by_label.get_mut(label as usize) {
                list.push((from, to));
            }
        }
    }
    by_label
}
