//! A game as a program: which graphs there are, what everything is called, and the text.

use crate::build::{self, Problem};
use crate::code::{Graph, depth, size};
use crate::codes;
use crate::emitter::{Check, DispatchVariable, HrgEmitter};
use crate::flow::{EXIT, Flow, Step};
use crate::names::Names;
use crate::normalise;
use crate::text;
use crate::tidy;
use crate::types::Domains;
use crate::values::Declare;
use rg_ir::{ConstId, Diagnostic, Expr, Game, Label, NodeId, Pragma, Span, Symbol, TypeId, VarId};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::RefCell;
use std::fmt::Write as _;

/// Most rows of a table.
const MAX_ROWS: usize = 1 << 20;

/// Statements of a program.
const MAX_STATEMENTS: usize = 200_000;
/// Nesting of blocks.
const MAX_DEPTH: usize = 300;

type Result<T> = std::result::Result<T, Box<Diagnostic>>;

fn refused<T>(code: &'static str, span: Span, message: impl Into<String>) -> Result<T> {
    Err(Box::new(Diagnostic::error(code, span, message)))
}

/// The parts of the automaton that become graphs.
struct Flows {
    /// The rules, and the walks of checks that some walks pass.
    list: Vec<(Flow, Option<(NodeId, NodeId)>)>,
    checks: FxHashMap<(NodeId, NodeId), Check>,
}

/// The program of a prepared game, not yet formatted, and warnings.
pub(crate) fn program(game: &Game) -> Result<(String, Vec<Diagnostic>)> {
    let mut names = Names::new(game);
    let mut flows = flows(game, &mut names)?;
    let mut domains = Domains::new(game, &mut names);
    let used = Used::of(&flows);
    let vars = used.vars(game).into_iter().map(|id| (id, variable_name(game, &mut names, id))).collect();
    let consts: FxHashMap<ConstId, String> =
        used.consts(game).into_iter().map(|id| (id, named(&mut names, game, game.consts[id].name))).collect();
    let mut sets = FxHashMap::default();
    for (ty, name) in used.sets(game, &vars) {
        sets.insert(ty, domains.name(game, &mut names, ty, &name));
    }
    let checks = std::mem::take(&mut flows.checks);
    let mut emitter = HrgEmitter {
        game,
        names: RefCell::new(names),
        vars,
        consts,
        sets,
        checks,
        artificial: artificial(game),
        dispatch: RefCell::new(DispatchVariable::default()),
        flow: 0,
    };
    let graphs = graphs(game, &mut flows, &mut emitter)?;
    let HrgEmitter { names, vars, consts, dispatch, .. } = emitter;
    let mut names = names.into_inner();
    let graphs = ordered(tidy::tidy(graphs, &mut names));
    limits(&graphs)?;
    let declared = declarations(
        Declare { game, names: &mut names, domains: &mut domains, closed: normalise::closed(game) },
        &vars,
        &consts,
    )?;
    let mut text = domains.write(game, &names);
    let dispatch = dispatch.into_inner();
    if let Some([_, domain, nowhere]) = &dispatch.declared {
        let _ = writeln!(text, "domain {domain} = {nowhere} | {}", dispatch.order.join(" | "));
    }
    text.push('\n');
    text.push_str(&declared);
    if let Some([variable, domain, _]) = &dispatch.declared {
        let _ = writeln!(text, "{variable}: {domain}");
    }
    for graph in &graphs {
        text.push('\n');
        text.push_str(&text::graph(graph));
    }
    Ok((text, renamed(game, &names)))
}

fn named(names: &mut Names, game: &Game, name: Symbol) -> String {
    names.fresh(game.name(name))
}

/// The name of a variable; those that every game has keep theirs.
fn variable_name(game: &Game, names: &mut Names, id: VarId) -> String {
    let name = game.name(game.vars[id].name);
    if ["goals", "player", "visible"].contains(&name) { name.to_owned() } else { names.fresh(name) }
}

fn artificial(game: &Game) -> FxHashSet<Symbol> {
    let tags = game.pragmas.iter().filter_map(|decl| match &decl.pragma {
        Pragma::ArtificialTag(tags) => Some(tags.iter().copied()),
        _ => None,
    });
    tags.flatten().collect()
}

fn renamed(game: &Game, names: &Names) -> Vec<Diagnostic> {
    let mut list: Vec<(Symbol, &str)> = names.renamed().collect();
    list.sort_unstable();
    let warning = |(symbol, name): (Symbol, &str)| {
        let message =
            format!("the symbol `{}` is called `{name}`, since it means something else in HRG", game.name(symbol));
        Diagnostic::warning(codes::RENAMED, Span::NONE, message)
    };
    list.into_iter().map(warning).collect()
}

/// The rules, and all checks that they need.
fn flows(game: &Game, names: &mut Names) -> Result<Flows> {
    let mut flows = Flows { list: vec![(Flow::rules(game), None)], checks: FxHashMap::default() };
    let mut at = 0;
    while let Some((flow, _)) = flows.list.get(at) {
        for (from, to) in asked(flow) {
            if flows.checks.contains_key(&(from, to)) {
                continue;
            }
            let check = match Flow::check(game, from, to) {
                None => Check::Fixed(false),
                Some(flow) if flow.entry == EXIT => Check::Fixed(true),
                Some(flow) => {
                    flows.list.push((flow, Some((from, to))));
                    Check::Graph(names.graph(game.node_name(from), "check"))
                }
            };
            flows.checks.insert((from, to), check);
        }
        at += 1;
    }
    recursion(game, &flows)?;
    Ok(flows)
}

/// The checks that a flow asks about, in order.
fn asked(flow: &Flow) -> Vec<(NodeId, NodeId)> {
    let check = |step| match step {
        Step::Edge(Label::Reach { from, to, .. }) => Some((from, to)),
        _ => None,
    };
    flow.out.iter().flatten().filter_map(|arc| check(arc.step)).collect()
}

/// Finds checks that come back to themselves.
fn recursion(game: &Game, flows: &Flows) -> Result<()> {
    let mut calls: petgraph::graph::DiGraph<(NodeId, NodeId), (), u32> = petgraph::graph::DiGraph::default();
    let all = flows.list.iter().filter_map(|(_, check)| *check);
    let nodes: FxHashMap<(NodeId, NodeId), _> = all.map(|check| (check, calls.add_node(check))).collect();
    for (flow, check) in &flows.list {
        let Some(&from) = check.and_then(|check| nodes.get(&check)) else { continue };
        for to in asked(flow).iter().filter_map(|check| nodes.get(check)) {
            calls.add_edge(from, *to, ());
        }
    }
    match petgraph::algo::toposort(&calls, None) {
        Ok(_) => Ok(()),
        Err(cycle) => {
            let (from, to) = calls.node_weight(cycle.node_id()).copied().unwrap_or((game.begin(), game.end()));
            let (from_name, to_name) = (game.node_name(from), game.node_name(to));
            let message = format!(
                "the check `{from_name} -> {to_name}` comes back to itself; graphs of HRG do not call themselves"
            );
            refused(codes::RECURSIVE, game.automaton.node(from).span, message)
        }
    }
}

/// What the automaton mentions.
struct Used {
    labels: Vec<Label>,
}

impl Used {
    fn of(flows: &Flows) -> Self {
        let arcs = flows.list.iter().flat_map(|(flow, _)| flow.out.iter().flatten());
        let label = |step| if let Step::Edge(label) = step { Some(label) } else { None };
        Self { labels: arcs.filter_map(|arc| label(arc.step)).collect() }
    }

    fn exprs(&self, game: &Game, mut see: impl FnMut(Expr)) {
        for expr in self.labels.iter().flat_map(Label::exprs) {
            game.exprs.preorder(expr, |_, expr| see(expr));
        }
    }

    /// Variables in their order; those that every game has come always.
    fn vars(&self, game: &Game) -> Vec<VarId> {
        let mut used: FxHashSet<VarId> = FxHashSet::default();
        self.exprs(game, |expr| used.extend(if let Expr::Var(var) = expr { Some(var) } else { None }));
        used.extend(
            self.labels.iter().filter_map(|label| if let Label::TagVar(var) = label { Some(*var) } else { None }),
        );
        let built_in = |name: &str| ["goals", "player", "visible"].contains(&name);
        game.vars
            .iter()
            .filter(|(id, decl)| used.contains(id) || built_in(game.name(decl.name)))
            .map(|(id, _)| id)
            .collect()
    }

    fn consts(&self, game: &Game) -> Vec<ConstId> {
        let mut used: FxHashSet<ConstId> = FxHashSet::default();
        self.exprs(game, |expr| used.extend(if let Expr::Const(id) = expr { Some(id) } else { None }));
        game.consts.ids().filter(|id| used.contains(id)).collect()
    }

    /// Types of which any value is assigned, with names for them that fit.
    fn sets(&self, game: &Game, vars: &FxHashMap<VarId, String>) -> Vec<(TypeId, String)> {
        let any = |label: &Label| match *label {
            Label::AssignAny { lhs, ty } => match game.exprs.root(lhs) {
                Expr::Var(var) => Some((ty, vars.get(&var).cloned().unwrap_or_default())),
                _ => Some((ty, String::new())),
            },
            _ => None,
        };
        self.labels.iter().filter_map(any).collect()
    }
}

/// Statements for all flows.
fn graphs(game: &Game, flows: &mut Flows, emitter: &mut HrgEmitter<'_>) -> Result<Vec<Graph>> {
    let mut graphs = Vec::new();
    for (number, (flow, check)) in flows.list.iter_mut().enumerate() {
        emitter.flow = number;
        let name = match check.and_then(|check| emitter.checks.get(&check)) {
            Some(Check::Graph(name)) => name.clone(),
            _ => "rules".to_owned(),
        };
        let place = check.map_or(game.begin(), |(from, _)| from);
        let span = game.automaton.node(place).span;
        match build::build(flow, emitter) {
            Ok(body) => graphs.push(Graph { name, body }),
            Err(Problem::Deep) => return refused(codes::TOO_LARGE, span, "the program would nest too deeply"),
            Err(Problem::Long) => {
                return refused(codes::TOO_LARGE, span, "in the program, too much would be written several times");
            }
        }
    }
    Ok(graphs)
}

/// Graphs behind those that they call; what nothing calls is left out.
fn ordered(graphs: Vec<Graph>) -> Vec<Graph> {
    let mut left: FxHashMap<String, Graph> = graphs.into_iter().map(|graph| (graph.name.clone(), graph)).collect();
    let mut open: Vec<(Graph, Vec<String>)> = Vec::new();
    let mut done = Vec::new();
    let mut begin = |name: &str| {
        let mut graph = left.remove(name)?;
        let mut called = Vec::new();
        graph.body.iter_mut().for_each(|stmt| stmt.graphs(&mut |name| called.push(name.clone())));
        called.reverse();
        Some((graph, called))
    };
    open.extend(begin("rules"));
    while let Some((_, called)) = open.last_mut() {
        match called.pop() {
            Some(name) => open.extend(begin(&name)),
            None => done.extend(open.pop().map(|(graph, _)| graph)),
        }
    }
    done
}

fn limits(graphs: &[Graph]) -> Result<()> {
    let statements: usize = graphs.iter().map(|graph| size(&graph.body)).sum();
    if statements > MAX_STATEMENTS {
        let message =
            format!("the program would have {statements} statements, and at most {MAX_STATEMENTS} are written");
        return refused(codes::TOO_LARGE, Span::NONE, message);
    }
    if graphs.iter().any(|graph| depth(&graph.body) > MAX_DEPTH) {
        return refused(codes::TOO_LARGE, Span::NONE, "the program would nest too deeply");
    }
    Ok(())
}

/// Functions and variables.
fn declarations(
    mut declare: Declare<'_>,
    vars: &FxHashMap<VarId, String>,
    consts: &FxHashMap<ConstId, String>,
) -> Result<String> {
    let game = declare.game;
    let wider = normalise::wider_keys(game);
    let mut text = String::new();
    for (id, decl) in game.consts.iter() {
        let Some(name) = consts.get(&id) else { continue };
        let more = wider.get(&id).map(Vec::as_slice).unwrap_or_default();
        if declare.rows(id, more).is_none_or(|rows| rows > MAX_ROWS) {
            let message = format!("the table of `{name}` would have more than {MAX_ROWS} rows");
            return refused(codes::TOO_LARGE, decl.span, message);
        }
        match declare.function(id, name, more) {
            Some(function) => text.push_str(&function),
            None => return refused(codes::INVALID, decl.span, "this constant has no table"),
        }
        text.push('\n');
    }
    for (id, _) in game.vars.iter() {
        text.extend(vars.get(&id).and_then(|name| declare.variable(id, name)));
    }
    Ok(text)
}
