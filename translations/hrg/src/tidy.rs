//! Statements in the way people write them: what is written several times becomes a graph, loops with a condition in front become `while`, arms that
//! differ in one name become one.

use crate::code::{Block, Cond, Graph, Stmt, falls, size};
use crate::fold;
use crate::names::Names;
use rustc_hash::FxHashMap;

/// What becomes a graph of its own has as many statements.
const WORTH_A_GRAPH: usize = 4;

/// Tidies graphs; the first is `rules`, and what is called or asked about stands behind it in any order. Near-linear.
pub(crate) fn tidy(graphs: Vec<Graph>, names: &mut Names) -> Vec<Graph> {
    let bound = names.bound();
    let mut graphs: Vec<Graph> = graphs;
    for graph in &mut graphs {
        loops(&mut graph.body);
    }
    for graph in graphs.iter_mut().skip(1) {
        share_end(graph);
    }
    let mut graphs = extracted(graphs, names);
    for graph in &mut graphs {
        flatten(&mut graph.body);
        loops(&mut graph.body);
        fold::fold(&mut graph.body, &bound);
    }
    merged(graphs)
}

/// Checks often differ in what they assign first: marks the rest of a graph as shared.
fn share_end(graph: &mut Graph) {
    let first = graph.body.iter().take_while(|stmt| matches!(stmt, Stmt::Assign(..))).count();
    if first > 0 && first < graph.body.len() {
        let rest = graph.body.split_off(first);
        graph.body.push(Stmt::Shared(graph.name.clone(), rest));
    }
}

/// Turns loops that begin with a condition into `while`.
fn loops(block: &mut Block) {
    for stmt in block {
        stmt.blocks_mut().into_iter().for_each(loops);
        let Stmt::Loop(body) = stmt else { continue };
        if let Some(Stmt::If(_, yes, no)) = body.first()
            && matches!(yes.as_slice(), [Stmt::Break])
            && no.is_empty()
            && let Stmt::If(cond, ..) = body.remove(0)
        {
            *stmt = Stmt::While(cond.negated(), std::mem::take(body));
        }
    }
}

/// Makes graphs of what is written several times, and puts everything else where it belongs.
fn extracted(graphs: Vec<Graph>, names: &mut Names) -> Vec<Graph> {
    let mut counts: FxHashMap<Block, usize> = FxHashMap::default();
    for graph in &graphs {
        count(&graph.body, &mut counts);
    }
    let mut made: FxHashMap<Block, String> = FxHashMap::default();
    let mut all = Vec::new();
    for mut graph in graphs {
        let mut extractor = Extractor { counts: &counts, made: &mut made, names, new: Vec::new() };
        extractor.body(&mut graph.body);
        let new = std::mem::take(&mut extractor.new);
        all.push(graph);
        all.extend(new);
    }
    all
}

fn count(block: &Block, counts: &mut FxHashMap<Block, usize>) {
    for stmt in block {
        if let Stmt::Shared(_, rest) = stmt {
            *counts.entry(rest.clone()).or_default() += 1;
        }
        stmt.blocks().into_iter().for_each(|inner| count(inner, counts));
    }
}

struct Extractor<'e> {
    counts: &'e FxHashMap<Block, usize>,
    made: &'e mut FxHashMap<Block, String>,
    names: &'e mut Names,
    new: Vec<Graph>,
}

impl Extractor<'_> {
    /// The body of a graph: at its end, `return()` is no jump.
    fn body(&mut self, body: &mut Block) {
        if let Some(Stmt::Shared(node, rest)) = body.last_mut()
            && self.is_shared(rest)
            && let Some(name) = self.graph(node, rest)
        {
            body.pop();
            self.block(body);
            body.push(Stmt::Call(name));
        } else {
            self.block(body);
        }
    }

    fn is_shared(&self, rest: &Block) -> bool {
        self.counts.get(rest).is_some_and(|&count| count > 1) && size(rest) >= WORTH_A_GRAPH
    }

    fn block(&mut self, block: &mut Block) {
        for stmt in block.iter_mut() {
            if let Stmt::Shared(node, rest) = stmt
                && self.is_shared(rest)
                && let Some(call) = self.call(node, rest)
            {
                *rest = call;
                continue;
            }
            stmt.blocks_mut().into_iter().for_each(|inner| self.block(inner));
        }
    }

    /// The call of a graph for statements, if they can be one.
    fn call(&mut self, node: &str, rest: &Block) -> Option<Block> {
        let way = Leaving::of(rest);
        // In a graph of its own, `return()` would lead elsewhere, unless nothing is behind it.
        if way.returns && way.falls {
            return None;
        }
        let mut call = vec![Stmt::Call(self.graph(node, rest)?)];
        call.extend(way.returns.then_some(Stmt::Return));
        Some(call)
    }

    /// The name of a graph for statements that leave no loop around them.
    fn graph(&mut self, node: &str, rest: &Block) -> Option<String> {
        if Leaving::of(rest).jumps {
            return None;
        }
        if let Some(known) = self.made.get(rest) {
            return Some(known.clone());
        }
        let mut body = rest.clone();
        let name = self.names.graph(node, "part");
        self.body(&mut body);
        self.made.insert(rest.clone(), name.clone());
        self.new.push(Graph { name: name.clone(), body });
        Some(name)
    }
}

/// How walks leave a block.
#[derive(Default)]
struct Leaving {
    /// At its end.
    falls: bool,
    returns: bool,
    /// By a `break()` or `continue()` of a loop around it.
    jumps: bool,
}

impl Leaving {
    fn of(block: &Block) -> Self {
        let mut leaving = Self::default();
        leaving.look(block, false);
        leaving.falls = falls(block);
        leaving
    }

    fn look(&mut self, block: &Block, in_loop: bool) {
        for stmt in block {
            match stmt {
                Stmt::Return => self.returns = true,
                Stmt::Break | Stmt::Continue => self.jumps |= !in_loop,
                Stmt::Loop(body) | Stmt::While(_, body) => self.look(body, true),
                _ => stmt.blocks().into_iter().for_each(|inner| self.look(inner, in_loop)),
            }
        }
    }
}

/// Puts shared statements where they belong, and drops alternatives that are none.
fn flatten(block: &mut Block) {
    let mut flat = Block::with_capacity(block.len());
    for mut stmt in std::mem::take(block) {
        stmt.blocks_mut().into_iter().for_each(flatten);
        match stmt {
            Stmt::Shared(_, rest) => flat.extend(rest),
            Stmt::Branch(mut arms) if arms.len() == 1 => flat.extend(arms.pop().unwrap_or_default()),
            Stmt::Branch(arms) => flat.extend(branch(arms)),
            Stmt::Check(cond) if holds(&cond) => {}
            Stmt::If(cond, yes, no) if yes.is_empty() && !no.is_empty() => flat.push(Stmt::If(cond.negated(), no, yes)),
            other => flat.push(other),
        }
    }
    // What stands behind a jump is never executed.
    if let Some(jump) = flat.iter().position(Stmt::is_jump) {
        flat.truncate(jump + 1);
    }
    *block = flat;
}

/// Whether a condition always holds, as far as it says.
fn holds(cond: &Cond) -> bool {
    match cond {
        Cond::Fixed(holds) => *holds,
        Cond::Some(conds) => conds.iter().any(holds),
        Cond::All(conds) => conds.iter().all(holds),
        Cond::Equal(..) | Cond::Reachable(..) => false,
    }
}

/// A branch, with arms that are only a branch dissolved into theirs.
fn branch(arms: Vec<Block>) -> Block {
    let mut list: Vec<Block> = Vec::new();
    for mut arm in arms {
        match arm.as_mut_slice() {
            [Stmt::Branch(inner)] => list.append(inner),
            _ => list.push(arm),
        }
    }
    let check = |arm: &Block| match arm.as_slice() {
        [Stmt::Check(cond)] => Some(cond.clone()),
        _ => None,
    };
    match list.iter().map(check).collect::<Option<Vec<Cond>>>() {
        Some(conds) if !conds.is_empty() => conds.into_iter().reduce(Cond::or).map(Stmt::Check).into_iter().collect(),
        _ => vec![Stmt::Branch(list)],
    }
}

/// Leaves one of graphs that are the same, and calls it instead of the others.
fn merged(mut graphs: Vec<Graph>) -> Vec<Graph> {
    loop {
        let mut known: FxHashMap<Block, String> = FxHashMap::default();
        let mut instead: FxHashMap<String, String> = FxHashMap::default();
        graphs.retain(|graph| match known.get(&graph.body) {
            Some(first) => {
                instead.insert(graph.name.clone(), first.clone());
                false
            }
            None => {
                known.insert(graph.body.clone(), graph.name.clone());
                true
            }
        });
        if instead.is_empty() {
            return graphs;
        }
        let mut see = |name: &mut String| {
            if let Some(first) = instead.get(name) {
                name.clone_from(first);
            }
        };
        for graph in &mut graphs {
            graph.body.iter_mut().for_each(|stmt| stmt.graphs(&mut see));
        }
    }
}
