//! `rgc generate random`: games drawn at random until one is worth a look.

use crate::cli::{RandomArgs, RandomLanguage};
use crate::language::{Language, by_name};
use crate::load::game_of;
use crate::session::{Failure, Session, finding};
use audit::{Figures, Plan, Report};
use backend::{Engine, Options, Rng};
use generate::random::{Design, Movement};
use rg_ir::diag::has_errors;
use rg_ir::{SourceId, SourceMap};

/// Games that are drawn before the search is given up.
const MAX_DRAWN: u32 = 500;

/// Random plays of each of them.
const PLAYS: u64 = 200;

/// Plies of a play at most.
const MAX_PLIES: u64 = 500;

/// The name of a language of random games.
pub(super) fn name(language: RandomLanguage) -> &'static str {
    match language {
        RandomLanguage::Rbg => "rbg",
        RandomLanguage::Hrg => "hrg",
        RandomLanguage::Sbg => "sbg",
    }
}

/// The first game of a seed that passes, formatted, with its figures in a comment.
///
/// # Errors
/// `IO402` if none of many does.
pub(super) fn game(session: &mut Session, options: &RandomArgs) -> Result<String, Failure> {
    let language = by_name(name(options.language)).ok_or_else(|| none_found(options.seed))?;
    let mut seeds = Rng::new(options.seed);
    for _ in 0..MAX_DRAWN {
        let seed = seeds.next_u64();
        let text = drawn(options.language, seed, language);
        let Some(text) = text else { continue };
        if let Some(figures) = figures(session, &text, language) {
            return Ok(format!("{}{text}", heading(options, &figures)));
        }
    }
    Err(none_found(options.seed).into())
}

fn none_found(seed: u64) -> rg_ir::Diagnostic {
    finding("IO402", format!("none of {MAX_DRAWN} games that were drawn with seed {seed} is worth a look"))
        .help("take another seed")
}

/// A game of a seed, formatted; `None` if it cannot be written in this language.
fn drawn(language: RandomLanguage, seed: u64, target: &Language) -> Option<String> {
    let source = SourceId(0);
    let text = match (language, Design::draw(seed)) {
        (RandomLanguage::Sbg, _) => Movement::of_seed(seed).sbg(),
        (RandomLanguage::Hrg, design) => design.hrg(),
        (RandomLanguage::Rbg, Design::Placement(game)) => game.rbg(),
        (RandomLanguage::Rbg, Design::Movement(game)) => {
            let view = by_name("sbg")?.views.iter().find(|view| view.name == "rbg")?;
            let (text, findings) = (view.render)(source, &game.sbg());
            let text = text.filter(|_| !has_errors(&findings))?;
            game.comment() + "\n" + text.split_once("\n\n").map_or("", |(_, rules)| rules)
        }
    };
    (target.format?)(source, &text).ok()
}

/// The figures of a game, if it is worth a look.
fn figures(session: &Session, text: &str, language: &'static Language) -> Option<Figures> {
    let mut sources = SourceMap::default();
    let source = sources.add("random".to_owned(), text.to_owned());
    let loaded = game_of(source, "random", text, language, session.reading).ok()?;
    let plan = Plan {
        proper: false,
        playouts: PLAYS,
        max_plies: MAX_PLIES,
        positions: 1,
        seed: 0,
        options: Options { engine: Engine::Interpreter, ..Options::default() },
        level: 2,
    };
    let report = Report::new(&sources, loaded, &plan, &mut |_| {}).ok()?;
    report.figures().filter(is_worth_a_look)
}

/// Whether all plays end, most of them won by one of the players, each of whom wins often enough, after some moves with some
/// choice.
fn is_worth_a_look(figures: &Figures) -> bool {
    figures.decisive >= 0.6
        && figures.wins.iter().all(|&wins| wins >= 0.2)
        && figures.plies >= 6.0
        && figures.choices >= 2.5
}

fn heading(options: &RandomArgs, figures: &Figures) -> String {
    let wins: Vec<String> = figures.wins.iter().map(|wins| format!("{:.0} %", wins * 100.0)).collect();
    format!(
        "// Drawn at random: `rgc generate random --language {} --seed {}`.\n\
         // In {PLAYS} random plays the players win {}; a play has {:.0} moves, a position {:.0} legal ones on average.\n//\n",
        name(options.language),
        options.seed,
        wins.join(" and "),
        figures.plies,
        figures.choices
    )
}
