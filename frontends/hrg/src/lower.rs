//! From HRG to RG: the order of things.

use crate::additions;
use crate::ast::{Domain, Element, Graph, Name, ResultType, Source, Type};
use crate::codes;
use crate::declare::{self, Declare, duplicate};
use crate::eval::{Evaluator, Limits};
use crate::findings;
use crate::graphs::Graphs;
use crate::lexer::{self, Kind, STATEMENTS, Token};
use crate::missing::Places;
use crate::notation::HrgNotation;
use crate::parse::{self, Rest};
use crate::undeclared;
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
        behind_mistakes(source, text, limits, &mut report);
        let mut findings = report.finish_in_order();
        undeclared::declare(source, text, &tree, &mut findings);
        additions::declare(source, text, &tree, &mut findings);
        return (None, findings);
    }
    crate::lints::lint(&tree, &mut report);
    let mut evaluator = Evaluator::new(&tree, Places::of(source, text, &tree), limits, report);
    let Translated { lowered, declared, parallel } = lower(&mut evaluator, &tree);
    let mut report = evaluator.report;
    if report.failed() && declared == Declarations::Right {
        behind_graphs(&lowered, &mut report);
    } else if !report.failed() {
        let names = findings::Names { rules: place_of_rules(&tree), notation: &lowered.notation };
        findings::check(&lowered.game, &names, &mut report);
    }
    if report.failed() {
        // What is not used may only seem so.
        let mut findings = report.finish_in_order();
        findings.retain(|finding| ![codes::UNUSED, codes::UNUSED_CASE].contains(&finding.code));
        without_uses_of_wrong_domains(text, &tree, &mut findings);
        removal::complete(text, codes::BUILT_IN, DECLARATIONS, &mut findings);
        undeclared::declare(source, text, &tree, &mut findings);
        additions::declare(source, text, &tree, &mut findings);
        return (None, findings);
    }
    let mut findings = report.finish_in_order();
    findings.retain(|finding| finding.code != codes::OUTSIDE_KEYS || !is_decided(text, &parallel, finding));
    removal::complete(text, codes::UNUSED, DECLARATIONS, &mut findings);
    (Some(lowered), findings)
}

/// Codes of errors that do not depend on what values there are.
const STRUCTURAL: [&str; 10] = [
    codes::ARITY,
    codes::ARGUMENTS,
    codes::DUPLICATE,
    codes::UNKNOWN_GRAPH,
    codes::UNKNOWN_FUNCTION,
    codes::UNKNOWN_DOMAIN,
    codes::OUTSIDE_LOOP,
    codes::CONDITION,
    codes::REACHABLE,
    codes::RECURSIVE,
];

/// Adds the errors in what mistakes of the syntax have left of a description, but for those that may follow from them.
fn behind_mistakes(source: SourceId, text: &str, limits: Limits, report: &mut Report) {
    let Some(Rest { tree, lost }) = parse::rest(source, text) else { return };
    let are_values_known = lost.iter().all(|name| has_no_value(text, source, name));
    let lost = with_dependents(&tree, lost);
    let mut evaluator = Evaluator::new(&tree, Places::of(source, text, &tree), limits, Report::default());
    let Translated { lowered, declared, .. } = lower(&mut evaluator, &tree);
    if declared == Declarations::Right {
        behind_graphs(&lowered, &mut evaluator.report);
    }
    let mut findings = evaluator.report.finish_in_order();
    without_uses_of_wrong_domains(text, &tree, &mut findings);
    let names_lost = |text: &str| {
        text.split(|c: char| c != '_' && !c.is_alphanumeric()).any(|word| !word.is_empty() && lost.contains(word))
    };
    for finding in findings.into_iter().filter(Diagnostic::is_error) {
        let is_sure = are_values_known || STRUCTURAL.contains(&finding.code);
        let spans = finding.primary.iter().chain(&finding.secondary).map(|place| place.span.range());
        let follows = names_lost(&finding.message) || spans.filter_map(|range| text.get(range)).any(names_lost);
        // What is missing may be what could not be read.
        if is_sure && !follows && finding.code != codes::MISSING {
            report.push(finding);
        }
    }
}

/// Whether a key stands in the second operand of a disjunction of which the first one is about the same key: where that one holds, what the map gives is of no
/// interest, though both are looked at. Linear in the operands.
fn is_decided(text: &str, parallel: &[(Span, Span)], finding: &Diagnostic) -> bool {
    let Some(place) = finding.primary.as_ref().map(|primary| primary.span) else { return false };
    let of = |span: Span| text.get(span.range()).unwrap_or_default();
    let is_around = |(_, second): &&(Span, Span)| second.start <= place.start && place.end <= second.end;
    parallel.iter().filter(is_around).any(|&(first, _)| of(first).contains(of(place)))
}

/// A description in RG, and what is known of how it came to be.
struct Translated {
    lowered: Lowered,
    declared: Declarations,
    /// Operands of which the second one is looked at in any case.
    parallel: Vec<(Span, Span)>,
}

/// Whether there is nothing wrong in declarations, so that expressions are what they seem.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Declarations {
    Right,
    Wrong,
}

/// Adds the errors about single labels that other mistakes in graphs leave to be seen, where nothing is reported yet.
fn behind_graphs(lowered: &Lowered, report: &mut Report) {
    let mut found = Report::default();
    findings::check_labels(&lowered.game, &lowered.notation, &mut found);
    let place = |finding: &Diagnostic| finding.primary.as_ref().map(|primary| primary.span);
    let known: Vec<Span> = report.findings().iter().filter(|known| known.is_error()).filter_map(place).collect();
    let touches = |span: Span| known.iter().any(|known| known.start <= span.end && span.start <= known.end);
    let fresh = found.finish_in_order().into_iter().filter(|finding| place(finding).is_some_and(|span| !touches(span)));
    fresh.for_each(|finding| report.push(finding));
}

/// Whether a name that begins a line which could not be read is that of a graph, of a statement, or of what every description has: nothing is computed with it
/// that is not known. Linear.
fn has_no_value(text: &str, source: SourceId, name: &str) -> bool {
    let tokens = lexer::lex(source, text, &mut Report::default()).tokens;
    let is_graph =
        |pair: &[Token]| matches!(pair, [word, graph] if word.kind == Kind::Graph && graph.text(text) == name);
    STATEMENTS.contains(&name) || ["goals", "player", "visible"].contains(&name) || tokens.windows(2).any(is_graph)
}

/// Names that are not declared any more, and those that are declared with them. Linear for each level of domains.
fn with_dependents(tree: &Source, lost: Vec<String>) -> FxHashSet<String> {
    let mut lost: FxHashSet<String> = lost.into_iter().collect();
    let name = |name: Name| tree.symbols.name(name.symbol);
    loop {
        let depends = |domain: &&Domain| {
            let mut elements = domain.elements.iter();
            !lost.contains(name(domain.name))
                && elements.any(|element| matches!(element, Element::Name(inner) if lost.contains(name(*inner))))
        };
        let more: Vec<String> =
            tree.domains.iter().filter(depends).map(|domain| name(domain.name).to_owned()).collect();
        if more.is_empty() {
            break;
        }
        lost.extend(more);
    }
    let of = |ty: &Type| match &ty.result {
        ResultType::Name(result) => ty.keys.iter().chain([result]).any(|key| lost.contains(name(*key))),
        ResultType::Set(_) => ty.keys.iter().any(|key| lost.contains(name(*key))),
    };
    let functions = tree.functions.iter().filter(|function| of(&function.ty)).map(|function| function.name);
    let variables = tree.variables.iter().filter(|variable| of(&variable.ty)).map(|variable| variable.name);
    let more: Vec<String> = functions.chain(variables).map(|found| name(found).to_owned()).collect();
    lost.extend(more);
    lost
}

/// What stands between declarations, for fixes that remove some.
const DECLARATIONS: removal::Syntax = removal::Syntax { comments: &["//"], separators: &[], terminators: &[] };

/// Drops the errors about uses of domains that are declared, but with errors: those are reported where the domain is declared.
fn without_uses_of_wrong_domains(text: &str, tree: &Source, findings: &mut Vec<Diagnostic>) {
    let mut declared: FxHashSet<&str> =
        tree.domains.iter().map(|domain| tree.symbols.name(domain.name.symbol)).collect();
    // The first two are reported as missing where they are not declared; the values of the others are theirs.
    declared.extend(["Player", "Score", "Goals", "Visibility"]);
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

fn lower<'a>(ev: &mut Evaluator<'a>, tree: &'a Source) -> Translated {
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
    let declared = if graphs.declare.ev.report.failed() { Declarations::Wrong } else { Declarations::Right };
    graphs.lower();
    let parameters = graphs.parameter_names();
    let parallel = std::mem::take(&mut graphs.parallel);
    let Declare { ev, game, written, .. } = graphs.declare;
    let notation = HrgNotation::new(&game, &written, parameters, &ev.values, &ev.symbols);
    Translated { lowered: Lowered { game, notation }, declared, parallel }
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
pub(crate) fn names<'a>(ev: &mut Evaluator<'a>, tree: &'a Source) {
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
            let place = meant.map_or(ev.additions.beginning(), |graph| graph.name.span);
            let missing = Diagnostic::error(codes::MISSING, place, "there is no graph `rules`");
            let missing = match near {
                Some(near) => {
                    let help = format!("should the graph `{near}` be called `rules`?");
                    missing.suggest(near, ["rules"]).help(help)
                }
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
