//! `rgc graph`.

mod page;

use super::translate::{extension, too_large, write};
use crate::cli::{Drawing, FoldArgs, GameArgs, LevelArgs, OutFile, StartArgs};
use crate::input::source_name;
use crate::optimize;
use crate::output::{Kind, PICTURES};
use crate::position::{Content, Position};
use crate::session::{Failure, Session, finding};
use crate::table::counted;
use backend::Options;
use passes::{Pipeline, analysis};
use rg_ir::drawing::View;
use rg_ir::regions::{Folding, Regions};
use rg_ir::{Game, NodeId, Severity};
use std::fmt::Write as _;
use std::path::Path;

/// With no more nodes than this, regions do not help: they are not drawn unless some are folded.
const SMALL: usize = 50;

/// What is drawn, and how.
pub(super) struct Plan<'a> {
    pub(super) game: &'a GameArgs,
    /// What the extension of the file tells, if it is not given.
    pub(super) to: Option<Drawing>,
    /// The analysis whose results are notes.
    pub(super) analysis: Option<&'a str>,
    /// The position whose node is marked, if it is not the game's own first one.
    pub(super) start: &'a StartArgs,
    pub(super) folding: &'a FoldArgs,
    pub(super) level: LevelArgs,
    pub(super) output: &'a OutFile,
}

pub(super) fn run(session: &mut Session, plan: &Plan<'_>) -> Result<(), Failure> {
    let to = plan.to.map_or_else(|| named_by(plan.output.output.as_deref()), Ok)?;
    let loaded = session.load(&plan.game.file, plan.game.language.from.as_deref(), Severity::Warning)?;
    let started = session.started(loaded, &plan.game.file, plan.start, Options::default())?;
    let (mut game, position) = match started.start {
        Some(start) => (start.origin, Some(start.position)),
        None => (started.game, None),
    };
    optimize::run(&mut game, &Pipeline::level(optimize::level(plan.level.or(0))))?;
    let describe = plan.analysis.and_then(analysis::find).map(|analysis| (analysis.solve)(&game));
    let marked = position.map(|position| marked(&game, &position)).transpose()?;
    let note = |node: NodeId| {
        let here = marked.as_ref().filter(|(marked, _)| *marked == node).map(|(_, text)| text.as_str());
        let told = describe.as_ref().map(|describe| describe(node)).filter(|text| !text.is_empty());
        here.into_iter().chain(told.as_deref()).collect::<Vec<_>>().join("\n")
    };
    let regions = Regions::of(&game);
    let folding = folding(&game, &regions, plan.folding)?;
    let wanted = !plan.folding.collapse.is_empty() || !plan.folding.expand.is_empty();
    let shown = Some(&folding).filter(|_| wanted || game.automaton.node_count() > SMALL);
    let marked = marked.as_ref().map(|(node, _)| *node);
    let view = View { note: &note, marked, folding: shown, ..View::default() };
    let (kind, text) = match to {
        Drawing::Dot => (Kind::Dot, rg_ir::dot::dot_with(&game, &view)),
        Drawing::Svg => (Kind::Svg, rg_ir::svg::svg_with(&game, &view).map_err(too_large)?),
        Drawing::Html => (Kind::Page, page::page(&source_name(&plan.game.file), &game, &regions, (&note, marked))),
        Drawing::Regions => (Kind::List, list(&game, &regions)),
    };
    write(session, plan.output, kind, text)
}

/// The node of a position, and what is noted there.
///
/// # Errors
/// `IO371`: optimisation has merged the node with others, or removed it.
fn marked(game: &Game, position: &Position) -> Result<(NodeId, String), Failure> {
    let node = game.symbols.get(&position.node).and_then(|name| game.find_node(name));
    let Some(node) = node else {
        let message = format!("the node `{}` of the position is not in the optimised automaton", position.node);
        return Err(finding("IO371", message).help("leave out `-O`").into());
    };
    let text = match position.get("player") {
        Some(Content::Symbol(player)) if node != game.end() => format!("here: {player} to move"),
        _ => "here: the game is over".to_owned(),
    };
    Ok((node, text))
}

/// What the extension of the file to write asks for; without one, text for Graphviz.
///
/// # Errors
/// `IO356`: a kind of picture that is not made.
fn named_by(output: Option<&Path>) -> Result<Drawing, Failure> {
    match extension(output).as_str() {
        "svg" => Ok(Drawing::Svg),
        "html" | "htm" => Ok(Drawing::Html),
        picture if PICTURES.contains(&picture) => {
            let message = format!("drawings are made as SVG, HTML or text for Graphviz, not as `.{picture}`");
            let advice = format!("Graphviz makes others: `rgc graph FILE | dot -T{picture}`");
            Err(finding("IO356", message).help(advice).into())
        }
        _ => Ok(Drawing::Dot),
    }
}

/// What the options fold.
fn folding<'r>(game: &Game, regions: &'r Regions, options: &FoldArgs) -> Result<Folding<'r>, Failure> {
    let all = 0..regions.list().len();
    let mut folded = vec![options.collapse.is_empty() && !options.expand.is_empty(); all.len()];
    for name in &options.collapse {
        match name.as_str() {
            "all" => folded.fill(true),
            name => folded.get_mut(region(game, regions, name)?).into_iter().for_each(|slot| *slot = true),
        }
    }
    for name in &options.expand {
        for around in regions.chain(region(game, regions, name)?) {
            folded.get_mut(around).into_iter().for_each(|slot| *slot = false);
        }
    }
    Ok(Folding::new(regions, all.filter(|&at| folded.get(at) == Some(&true))))
}

/// Regions at most that are all named where another name is given.
const NAMED_REGIONS: usize = 12;

/// The region of that name.
fn region(game: &Game, regions: &Regions, name: &str) -> Result<usize, Failure> {
    let node = game.symbols.get(name).and_then(|name| game.find_node(name));
    if let Some(region) = node.and_then(|node| regions.entered(node)) {
        return Ok(region);
    }
    let names = || regions.list().iter().map(|region| game.node_name(region.entry));
    let mut wrong = finding("IO315", format!("there is no region `{name}`"));
    if let Some(around) = node.and_then(|node| regions.list().get(regions.around(node)?)) {
        let around = game.node_name(around.entry);
        wrong = wrong.note(format!("`{name}` is a node of the region `{around}`"));
    }
    Err(match names().next() {
        None => wrong.help("the automaton is too small to have any"),
        Some(_) if rg_ir::diag::closest(name, names()).is_some() => wrong.suggest(name, names()),
        Some(_) if names().count() <= NAMED_REGIONS => wrong.help(rg_ir::diag::expected_one_of(name, names())),
        Some(_) => wrong.help("`rgc graph --to regions` lists them, with the same `-O`"),
    }
    .into())
}

/// A line for every region, inner ones indented below the one around them.
fn list(game: &Game, regions: &Regions) -> String {
    let mut text = String::new();
    let mut inner: Vec<Vec<usize>> = vec![Vec::new(); regions.list().len()];
    let mut outer = Vec::new();
    for (at, region) in regions.list().iter().enumerate() {
        region.parent.and_then(|parent| inner.get_mut(parent)).unwrap_or(&mut outer).push(at);
    }
    outer.reverse();
    while let Some(at) = outer.pop() {
        if let Some(region) = regions.list().get(at) {
            let indent = 2 * region.depth;
            let _ = writeln!(
                text,
                "{:indent$}{}: {}",
                "",
                game.node_name(region.entry),
                counted(region.nodes as u64, "node")
            );
        }
        outer.extend(inner.get(at).into_iter().flatten().rev());
    }
    if text.is_empty() { "no regions: the automaton is small\n".to_owned() } else { text }
}
