//! `rgc graph`.

use super::translate::{too_large, write};
use crate::cli::{Drawing, GameArgs, LevelArgs, OutFile};
use crate::optimize;
use crate::session::{Failure, Session};
use passes::{Pipeline, analysis};
use rg_ir::{NodeId, Severity};

pub(super) fn run(
    session: &mut Session,
    game: &GameArgs,
    to: Drawing,
    analysis: Option<&str>,
    level: LevelArgs,
    output: &OutFile,
) -> Result<(), Failure> {
    let mut game = session.load(&game.file, game.language.from.as_deref(), Severity::Warning)?.game;
    optimize::run(&mut game, &Pipeline::level(optimize::level(level.or(0))))?;
    let describe = analysis.and_then(analysis::find).map(|analysis| (analysis.solve)(&game));
    let note = |node: NodeId| describe.as_ref().map_or(String::new(), |describe| describe(node));
    let text = match to {
        Drawing::Dot => rg_ir::dot::dot_with(&game, note),
        Drawing::Svg => rg_ir::svg::svg_with(&game, note).map_err(too_large)?,
    };
    write(session, output.output.as_deref(), text)
}
