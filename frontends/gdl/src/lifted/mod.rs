//! Lowering without grounding (sections 9.7 to 9.9): kinds of fluents are variables and maps, rules are walks.
//!
//! Legal moves are walks that choose, step along static relations, read and test; the effects of a move are assignments
//! of what changes; what is not asked for in a move is asked in a check. Where a rule has a construct that nothing here
//! is for, the whole game is left to ground lowering, with the reason.

mod compact;
mod deletions;
mod derived;
mod done;
mod effects;
mod effort;
mod emit;
mod expr;
mod goals;
mod keeper;
mod layout;
mod names;
mod phases;
mod plan;
mod query;
mod solve;
mod targets;
mod turns;
mod unfolded;
mod update;
mod vocabulary;
mod walked;

use crate::ast::Word;
use crate::domains::Domains;
use crate::flat::{Flat, Rel, Tables, Unsupported, flatten, separate, share};
use crate::groups::{Context, Group, exceptions, idle, prove, without};
use crate::lower::Lowered;
use crate::normal::{Program, RelationKind, TermId};
use compact::Compact;
use derived::Procedure;
use expr::{Answer, Asked, Combined};
use layout::Layout;
use phases::{Control, Phases};
use query::{Mode, Stop};
use rustc_hash::FxHashMap;
use solve::Solved;
use std::cell::{Cell, RefCell};
use turns::Told;
use vocabulary::{Dom, Slot, Vocabulary};

/// The translation in progress.
struct Lift<'c, 'p> {
    context: &'c Context<'c>,
    voc: Vocabulary<'p>,
    /// Per kind of fluents; `None` if none is ever true.
    layouts: Vec<Option<Layout>>,
    phases: Phases,
    procedures: Vec<Procedure>,
    /// Whether a procedure is finished.
    procedure_ids: FxHashMap<(Rel, Vec<Mode>), (usize, bool)>,
    temporaries: FxHashMap<Dom, Vec<Slot>>,
    /// Per role and kind of move the slots that the arguments are told in.
    told: FxHashMap<(usize, usize), Vec<Told>>,
    players: Vec<rg_ir::Symbol>,
    /// Second variables of kinds of fluents, for next states.
    shadows: FxHashMap<rg_ir::VarId, rg_ir::VarId>,
    /// Where a step goes on that leads to a known phase, and to any.
    judged_nodes: FxHashMap<usize, rg_ir::NodeId>,
    judged_any: Option<rg_ir::NodeId>,
    /// The tags of kinds of moves.
    tags: FxHashMap<Word, rg_ir::Symbol>,
    work: usize,
    /// Edges that are looked at in one step per phase, about.
    work_of_steps: f64,
    compact: Compact,
    /// How many values of tuples have been tried.
    tried: Cell<usize>,
    /// Answers that are asked for again and again: values of tuples, tests, and tuples made of others.
    solved: RefCell<Solved>,
    tested: FxHashMap<Asked, Answer>,
    /// By the node where a check ends, the atom that it looks for.
    checks: FxHashMap<String, String>,
    combined: Combined,
}

impl Lift<'_, '_> {
    /// A temporary slot of a domain.
    fn temporary(&mut self, dom: Dom, number: usize) -> Slot {
        loop {
            if let Some(&slot) = self.temporaries.get(&dom).and_then(|slots| slots.get(number)) {
                return slot;
            }
            let stem = format!("a_{}", self.voc.dom_name(dom).to_lowercase());
            let slot = self.voc.new_slot(&stem, dom);
            self.temporaries.entry(dom).or_default().push(slot);
        }
    }

    fn relation_name(&self, rel: Rel) -> String {
        let relation = self.context.flat.relation(rel);
        let name = &self.voc.program.relation(relation.base).name;
        let parts = relation.shapes.iter().flatten().map(|&(word, _)| self.voc.program.words.text(word));
        std::iter::once(&**name).chain(parts).collect::<Vec<_>>().join("_")
    }

    /// What is known about the controlling fluent in a phase.
    fn control(&self, value: Option<Vec<TermId>>) -> Option<Control> {
        Some((self.context.flat.fluents.get(self.phases.control?)?.truth, value?))
    }
}

/// The tables of static relations. Those that are too large are no longer static: they are asked where they are needed.
fn tabulate(flat: &mut Flat) -> Result<Tables, Unsupported> {
    loop {
        let all = flat.rels();
        let wanted = all.filter(|&rel| !matches!(flat.relation(rel).kind, RelationKind::Base | RelationKind::Input));
        match Tables::new(flat, wanted) {
            Ok(tables) => return Ok(tables),
            // One static relation less: it ends.
            Err(rel) => flat.open(rel)?,
        }
    }
}

/// Most relations that are opened because their tests are too large.
const MAX_OPENED: usize = 8;

/// Relations with more rules are not opened: every rule is a way to walk.
const MAX_RULES: usize = 64;

/// Lifts a program; in the compact form ([`compact`]) where there are too many cases otherwise. Static relations whose tests would be maps with too many cells are asked by their rules.
///
/// # Errors
/// The reason why it cannot be.
pub fn lift(program: &Program) -> Result<Lowered, Unsupported> {
    lift_either(program).map(|(lowered, _)| lowered)
}

/// As [`lift`], with whether the form is compact.
pub(crate) fn lift_either(program: &Program) -> Result<(Lowered, bool), Unsupported> {
    let Grouped { flat, groups, tables } = with_groups(open_information(program)?)?;
    match attempt(program, flat.clone(), tables, &groups, false) {
        Err(Stop::Cases) => {
            attempt(program, share(flat), None, &groups, true).map(|lowered| (lowered, true)).map_err(reason)
        }
        result => result.map(|lowered| (lowered, false)).map_err(reason),
    }
}

/// Lifts a program in the compact form, however many cases there are otherwise. Games with few cases play faster in the
/// other.
///
/// # Errors
/// The reason why it cannot be.
pub fn lift_compact(program: &Program) -> Result<Lowered, Unsupported> {
    let Grouped { flat, groups, .. } = with_groups(open_information(program)?)?;
    attempt(program, share(flat), None, &groups, true).map_err(reason)
}

/// The flat rules of a program in which players see everything.
fn open_information(program: &Program) -> Result<Flat, Unsupported> {
    if program.has_percepts() {
        return Err(Unsupported::new("players do not see everything"));
    }
    flatten(program)
}

/// The groups of fluents, and the flat rules with values of fluents apart because of which others are not groups. If those
/// are no groups without them either, the rules stay as they are.
fn with_groups(mut flat: Flat) -> Result<Grouped, Unsupported> {
    let tables = tabulate(&mut flat)?;
    let domains = Domains::new(&flat, &tables);
    let mut context = Context::new(&flat, &tables, &domains);
    let groups = prove(&mut context);
    let apart = exceptions(&mut context, &groups);
    if let Some(apart) = apart
        && let Some(mut new) = separate(&flat, &tables, &domains, &apart)
        && let Ok(tables) = tabulate(&mut new)
    {
        let domains = Domains::new(&new, &tables);
        let groups = prove(&mut Context::new(&new, &tables, &domains));
        if groups.iter().any(|group| group.fluent == apart.fluent && group.value == [apart.place]) {
            return Ok(without_idle(new, tables, groups));
        }
    }
    Ok(without_idle(flat, tables, groups))
}

/// Flat rules with the groups of their fluents, and the tables of static relations, if they are known.
struct Grouped {
    flat: Flat,
    groups: Vec<Group>,
    tables: Option<Tables>,
}

/// The flat rules without those that can never fire, as far as that is easy to prove.
fn without_idle(flat: Flat, tables: Tables, groups: Vec<Group>) -> Grouped {
    let domains = Domains::new(&flat, &tables);
    let mut context = Context::new(&flat, &tables, &domains);
    context.assume(&groups);
    context.learn();
    let rules = idle(&context);
    if rules.is_empty() {
        Grouped { flat, groups, tables: Some(tables) }
    } else {
        Grouped { flat: without(flat, &rules), groups, tables: None }
    }
}

/// Lifts flat rules, in the compact form or not; with the tables of static relations, if they are known. The groups are
/// proven on the same rules, or on rules with the same meaning and the same fluents.
fn attempt(
    program: &Program,
    mut flat: Flat,
    mut tables: Option<Tables>,
    groups: &[Group],
    compact: bool,
) -> Result<Lowered, Stop> {
    for _ in 0..MAX_OPENED {
        let tables = match tables.take() {
            Some(tables) => tables,
            None => tabulate(&mut flat)?,
        };
        let wide = match lift_flat(program, &flat, &tables, groups, compact) {
            Err(Stop::Wide(Some(rel))) if flat.rules_of(rel).count() <= MAX_RULES => rel,
            result => return result,
        };
        flat.open(wide)?;
    }
    Err(Stop::Wide(None))
}

fn reason(stop: Stop) -> Unsupported {
    match stop {
        Stop::Unsupported(reason) => Unsupported(reason),
        Stop::Cases => Unsupported::new("the rules have too many cases"),
        Stop::Undetermined => Unsupported::new("a choice is not determined"),
        Stop::Never => Unsupported::new("the game has no walk"),
        Stop::Wide(_) => Unsupported::new("a static relation has too many combinations of values"),
    }
}

fn lift_flat(
    program: &Program,
    flat: &Flat,
    tables: &Tables,
    groups: &[Group],
    compact: bool,
) -> Result<Lowered, Stop> {
    let domains = Domains::new(flat, tables);
    let mut context = Context::new(flat, tables, &domains);
    context.assume(groups);
    context.learn();
    let phases = Phases::new(&context, groups);
    let mut lift = Lift {
        context: &context,
        voc: Vocabulary::new(program),
        layouts: Vec::new(),
        phases,
        procedures: Vec::new(),
        procedure_ids: FxHashMap::default(),
        temporaries: FxHashMap::default(),
        told: FxHashMap::default(),
        players: Vec::new(),
        shadows: FxHashMap::default(),
        judged_nodes: FxHashMap::default(),
        judged_any: None,
        tags: FxHashMap::default(),
        work: 0,
        work_of_steps: 0.0,
        compact: Compact::new(compact),
        tried: Cell::new(0),
        solved: RefCell::default(),
        tested: FxHashMap::default(),
        checks: FxHashMap::default(),
        combined: FxHashMap::default(),
    };
    lift.build(groups)?;
    let vocabulary = lift.names()?;
    let structure = lift.structure(groups);
    let work = Some(lift.work_of_step());
    Ok(Lowered { game: lift.voc.game, vocabulary, summary: None, structure, work })
}
