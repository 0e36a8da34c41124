//! Games.

use crate::status::Status;
use backend::{Engine, MoveForm, Options, PlayoutStats, Reasoner, Rng};
use kit::Loaded;
use kit::language::{LANGUAGES, Reading, by_name};
use kit::render::{MessageFormat, Renderer};
use rg_ir::SourceMap;
use rg_ir::diag::has_errors;

/// A game with an engine.
pub(crate) struct Session {
    pub(crate) reasoner: Reasoner,
}

impl Session {
    /// Reads a text in a language.
    pub(crate) fn load(text: &str, language: &str, engine: &str) -> Result<Self, Status> {
        let Some(language) = by_name(language) else {
            let names: Vec<&str> = LANGUAGES.iter().map(|language| language.name).collect();
            let names = names.join(", ");
            return Err(
                Status::Language.saying(&format!("there is no language `{language}`; the languages are {names}"))
            );
        };
        let Some(&(_, engine)) = Engine::ALL.iter().find(|(name, _)| *name == engine) else {
            let names: Vec<&str> = Engine::ALL.iter().map(|&(name, _)| name).collect();
            let names = names.join(", ");
            return Err(Status::Engine.saying(&format!("there is no engine `{engine}`; the engines are {names}")));
        };
        let mut sources = SourceMap::default();
        let source = sources.add("game", text);
        let (lowered, mut findings) = (language.lower)(source, text, Reading::default());
        let failed = has_errors(&findings);
        let Some(translation) = lowered.filter(|_| !failed) else {
            findings.retain(rg_ir::Diagnostic::is_error);
            let text = Renderer::new(MessageFormat::Short, false).render(&sources, &findings);
            return Err(Status::Game.saying(text.trim_end()));
        };
        let loaded = Loaded::new("game".to_owned(), language, source, translation);
        let loaded =
            loaded.optimised_to_count(2).map_err(|_| Status::Game.saying("the game could not be optimised"))?;
        let prepared = loaded.prepared(Options { engine, ..Options::default() });
        let prepared = prepared.map_err(|error| Status::Game.saying(&error.to_string()))?;
        Ok(Self { reasoner: prepared.reasoner })
    }

    /// Plays at random; the counts of scores are one row for each player.
    pub(crate) fn playouts(&self, count: u64, seed: u64) -> Result<(PlayoutStats, Vec<u64>), Status> {
        let (mut stats, mut rng) = (PlayoutStats::default(), Rng::new(seed));
        let played = self.reasoner.playouts(count, MoveForm::List, &mut rng, &mut stats);
        played.map_err(|error| Status::Run.saying(&error.to_string()))?;
        let scores = self.reasoner.score_names().len();
        let mut counts = vec![0; self.reasoner.players().len() * scores];
        for (row, found) in counts.chunks_mut(scores.max(1)).zip(&stats.scores) {
            for (to, from) in row.iter_mut().zip(found) {
                *to = *from;
            }
        }
        Ok((stats, counts))
    }
}
