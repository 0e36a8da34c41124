//! From HRG to RG: the order of things.

use crate::ast::{Graph, Name, Source};
use crate::codes;
use crate::declare::{self, Declare, duplicate};
use crate::eval::{Evaluator, Limits};
use crate::findings;
use crate::graphs::Graphs;
use crate::missing::Places;
use crate::notation::HrgNotation;
use crate::values::Value;
use rg_ir::diag::closest;
use rg_ir::{Diagnostic, Game, Report, SourceId, Span, Symbol, removal};
use rustc_hash::{FxHashMap, FxHashSet};

/// A description in RG.
#[derive(Clone, Debug)]
pub struct Lowered {
    /// The game. Spans of its edges point to the statements they come from.
    pub game: Game,
    /// Moves and states in terms of HRG.
    pub notation: HrgNotation,
}

/// Reads a description and translates it to RG. All findings are returned, warnings included; the result is missing if
/// one of them is an error. What RG's own checks find is reported at the statements that caused
/// it (the crate's `findings` module says what is left out).
///
/// Work is linear in the sizes of domains, tables and unrolled graphs, which are limited.
pub fn load(source: SourceId, text: &str) -> (Option<Lowered>, Vec<Diagnostic>) {
    load_within(source, text, Limits::default())
}

/// Like [`load`], with other limits.
pub fn load_within(source: SourceId, text: &str, limits: Limits) -> (Option<Lowered>, Vec<Diagnostic>) {
    let mut report = Report::default();
    let tree = crate::parse::parse_into(source, text, &mut report);
    if report.failed() {
        return (None, report.finish_in_order());
    }
    crate::lints::lint(&tree, &mut report);
    let mut evaluator = Evaluator::new(&tree, Places::of(source, text, &tree), limits, report);
    let lowered = lower(&mut evaluator, &tree);
    let mut report = evaluator.report;
    if !report.failed() {
        let names = findings::Names { rules: place_of_rules(&tree), notation: &lowered.notation };
        findings::check(&lowered.game, &names, &mut report);
    }
    if report.failed() {
        // What is not used may only seem so.
        let mut findings = report.finish_in_order();
        findings.retain(|finding| ![codes::UNUSED, codes::UNUSED_CASE].contains(&finding.code));
        without_uses_of_wrong_domains(text, &tree, &mut findings);
        return (None, findings);
    }
    let mut findings = report.finish_in_order();
    removal::complete(text, codes::UNUSED, DECLARATIONS, &mut findings);
    (Some(lowered), findings)
}

/// What stands between declarations, for fixes that remove some.
const DECLARATIONS: removal::Syntax = removal::Syntax { comments: &["//"], separators: &[], terminators: &[] };

/// Drops the errors about uses of domains that are declared, but with errors: those are reported where the domain is declared.
fn without_uses_of_wrong_domains(text: &str, tree: &Source, findings: &mut Vec<Diagnostic>) {
    let mut declared: FxHashSet<&str> =
        tree.domains.iter().map(|domain| tree.symbols.name(domain.name.symbol)).collect();
    // Their values are those of `Player`, `Score` and `Bool`.
    declared.extend(["Goals", "Visibility"]);
    let follows = |finding: &Diagnostic| {
        let place = finding.primary.as_ref().filter(|_| finding.code == codes::UNKNOWN_DOMAIN);
        place.and_then(|place| text.get(place.span.range())).is_some_and(|name| declared.contains(name))
    };
    if findings.iter().any(|finding| finding.is_error() && !follows(finding)) {
        findings.retain(|finding| !follows(finding));
    }
}

fn place_of_rules(tree: &Source) -> Span {
    let rules = tree.graphs.iter().find(|graph| tree.symbols.name(graph.name.symbol) == "rules");
    rules.map_or(Span::NONE, |rules| rules.name.span)
}

fn lower<'a>(ev: &mut Evaluator<'a>, tree: &'a Source) -> Lowered {
    declare::domains(ev);
    names(ev, tree);
    let mut declare = Declare {
        ev,
        game: Game::new(),
        written: FxHashMap::default(),
        broken: FxHashSet::default(),
        strange: Vec::new(),
    };
    declare.types();
    declare.functions();
    declare.variables();
    declare.unused_cases();
    let mut graphs = Graphs::new(declare);
    graphs.parameters();
    graphs.declare.game.complete_builtins();
    graphs.lower();
    let parameters = graphs.parameter_names();
    let Declare { ev, game, written, .. } = graphs.declare;
    let notation = HrgNotation::new(&game, &written, parameters, &ev.values, &ev.symbols);
    Lowered { game, notation }
}

/// The first player, if it has a name.
fn first_player<'e>(ev: &'e Evaluator<'_>) -> &'e str {
    let players = ev.symbols.get("Player").and_then(|name| ev.domains.get(&name));
    match players.and_then(|players| players.list.first()).map(|&player| ev.values.get(player)) {
        Some(&Value::Symbol(name)) => ev.symbols.name(name),
        _ => "first",
    }
}

/// Collects the names of functions and variables; finds those that are declared twice.
fn names<'a>(ev: &mut Evaluator<'a>, tree: &'a Source) {
    let mut seen: FxHashMap<Symbol, Span> = FxHashMap::default();
    let mut see = |ev: &mut Evaluator<'a>, what: &str, name: Name| match seen.get(&name.symbol) {
        Some(&first) => duplicate(ev, what, name, first),
        None => {
            seen.insert(name.symbol, name.span);
        }
    };
    for function in &tree.functions {
        see(ev, "function", function.name);
        ev.functions.entry(function.name.symbol).or_insert(function);
    }
    for variable in &tree.variables {
        see(ev, "variable", variable.name);
        ev.places.insert(variable.name.symbol);
    }
    for name in ["goals", "player", "visible"] {
        let name = ev.symbols.intern(name);
        ev.places.insert(name);
    }
    let mut graphs: FxHashMap<Symbol, Span> = FxHashMap::default();
    for graph in &tree.graphs {
        match graphs.get(&graph.name.symbol) {
            Some(&first) => duplicate(ev, "graph", graph.name, first),
            None => {
                graphs.insert(graph.name.symbol, graph.name.span);
            }
        }
    }
    let rules = tree.graphs.iter().find(|graph| ev.symbols.name(graph.name.symbol) == "rules");
    match rules {
        None => {
            let name = |graph: &Graph| ev.symbols.name(graph.name.symbol);
            let near = closest("rules", tree.graphs.iter().map(name));
            let meant = tree.graphs.iter().find(|graph| near == Some(name(graph)));
            let place = meant.or(tree.graphs.first()).map_or(ev.additions.end, |graph| graph.name.span);
            let missing = Diagnostic::error(codes::MISSING, place, "there is no graph `rules`");
            let missing = match near {
                Some(near) => missing.suggest(near, ["rules"]),
                None => ev.additions.with_rules(missing, first_player(ev)),
            };
            ev.report.push(missing);
        }
        Some(rules) if !rules.parameters.is_empty() => {
            ev.report.error(codes::RULES_PARAMETERS, rules.name.span, "the graph `rules` takes no parameters");
        }
        Some(_) => {}
    }
}
