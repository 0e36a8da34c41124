//! Inferred facts are never refuted by search: on random games, and on the games of the corpus.
#![allow(clippy::unwrap_used, clippy::panic, clippy::unreachable)]

use backend::{claims, lockstep::Budget};
use passes::facts::{self, Fact};
use rg_ir::{Game, Pragma, PragmaDecl, SourceId, Span};
use std::path::PathBuf;

fn parse(text: &str) -> Game {
    let (game, findings) = rg_ir::text::parse(SourceId(0), text);
    game.unwrap_or_else(|| panic!("{findings:?}\n{text}"))
}

/// The game with all inferred facts and no other claims; they must be well formed.
fn inferred(mut game: Game) -> Game {
    facts::drop_claims(&mut game);
    let found = facts::infer(&mut game);
    game.pragmas.extend(found.into_iter().map(|pragma| PragmaDecl { pragma, span: Span::NONE }));
    let wrong: Vec<_> = rg_ir::check(&game).into_iter().filter(|finding| finding.code == "RG031").collect();
    assert!(wrong.is_empty(), "{wrong:?}\n{}", rg_ir::text::print(&game));
    game
}

/// Panics if search refutes an inferred fact.
fn confirm(what: &str, game: Game, budget: &Budget) -> Game {
    let game = inferred(game);
    let wrong = claims::verify(&game, budget).unwrap();
    if let Some(wrong) = wrong.first() {
        let pragma = game.pragmas[wrong.pragma].pragma.clone();
        panic!("{what}: {pragma:?}: {wrong}\n{}", rg_ir::text::print(&game));
    }
    game
}

#[test]
fn facts_about_random_games_hold() {
    let count = std::env::var("RGC_RANDOM_GAMES").ok().and_then(|n| n.parse().ok()).unwrap_or(40);
    let budget = Budget { moves: 60, plays: 2, plies: 6, play_moves: 60, seed: 1 };
    let mut kinds = [0; Fact::ALL.len()];
    for seed in 0..count {
        let game = confirm(&format!("seed {seed}"), parse(&testgen::game(seed)), &budget);
        for (kind, fact) in kinds.iter_mut().zip(Fact::ALL) {
            *kind += usize::from(game.pragmas.iter().any(|decl| fact.covers(&decl.pragma)));
        }
    }
    println!("{count} games with facts of {:?}: {kinds:?}", Fact::ALL);
}

/// The search above is one that finds mistakes: it refutes many claims that are too strong.
#[test]
fn claims_about_random_games_are_refuted() {
    let budget = Budget { moves: 60, plays: 2, plies: 6, play_moves: 60, seed: 1 };
    let (mut unique, mut apply) = (0, 0);
    for seed in 0..20 {
        let mut game = inferred(parse(&testgen::game(seed)));
        let names: Vec<_> = game.automaton.nodes().map(|node| game.automaton.node(node).name).collect();
        for decl in &mut game.pragmas {
            match &mut decl.pragma {
                Pragma::Unique(nodes) => *nodes = names.clone(),
                Pragma::SimpleApply { assignments, .. } => assignments.truncate(assignments.len().saturating_sub(1)),
                _ => {}
            }
        }
        for wrong in claims::verify(&game, &budget).unwrap() {
            match &game.pragmas[wrong.pragma].pragma {
                Pragma::Unique(_) => unique += 1,
                Pragma::SimpleApply { .. } => apply += 1,
                other => panic!("seed {seed}: {other:?}: {wrong}"),
            }
        }
    }
    assert!(unique > 2 && apply > 2, "{unique} {apply}");
}

#[test]
fn facts_about_the_corpus_hold() {
    let path = std::env::var_os("RGC_CORPUS")
        .map_or_else(|| PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../shared/corpus")), PathBuf::from);
    let Ok(files) = std::fs::read_dir(path.join("rg")) else {
        println!("skipped: there is no corpus at {}", path.display());
        return;
    };
    let budget = Budget { moves: 200, plays: 2, plies: 50, play_moves: 500, seed: 1 };
    for file in files {
        let path = file.unwrap().path();
        let text = std::fs::read_to_string(&path).unwrap();
        confirm(&path.display().to_string(), parse(&text), &budget);
    }
}

/// The pragmas that are inferred for a game.
fn pragmas(edges: &str) -> Vec<String> {
    let head = "type Player = {a}; type Score = {0, 1, 2, 3}; type Bool = {0, 1};
        var v: Score = 0; var w: Score = 0; var m: Score -> Bool = {:0, 1: 1};";
    let game = inferred(parse(&format!("{head} {edges}")));
    let text = rg_ir::text::print(&game);
    text.lines().filter(|line| line.starts_with('@')).map(str::to_owned).collect()
}

fn unique(edges: &str) -> Vec<String> {
    let mut found = pragmas(edges);
    found.retain(|pragma| pragma.starts_with("@unique") || pragma.starts_with("@repeat"));
    found
}

#[test]
fn what_is_forgotten_is_not_unique() {
    // Specification of RG, 10.3: four walks arrive at t in one state.
    assert_eq!(
        unique(
            "begin, p: player = a; p, q: v = Score(*); q, r: w = Score(*); r, s: v == w; s, u: w = 0; u, t: v = 0;
             t, end: player = keeper;"
        ),
        ["@unique begin p q r s u;", "@repeat t :;"]
    );
    // Two parallel comparisons before a tag.
    assert_eq!(
        unique("begin, p: player = a; p, q: v == 0; p, q: w == 0; q, r: $$ v; r, end: player = keeper;"),
        ["@unique begin p r;", "@repeat q :;"]
    );
}

#[test]
fn tags_and_opposites_tell_walks_apart() {
    assert_eq!(
        unique(
            "begin, p: player = a; p, q: v = Score(*); q, r: $$ v; r, s: v = 0; s, t: w == 0; s, u: w != 0; t, x: $ t;
             u, x: $ u; x, y: w = 1; y, end: player = keeper;"
        ),
        ["@unique begin p q r s t u x y;"]
    );
    // The condition is about what w was when the move began.
    assert_eq!(
        unique(
            "begin, p: player = a; p, q: w == 0; p, r: w != 0; q, s: v = 1; r, s: v = 2; s, t: w = 3;
             t, end: player = keeper;"
        ),
        ["@unique begin p q r s t;"]
    );
    // What a check says holds until something is written.
    assert_eq!(
        unique(
            "begin, p: player = a; p, q: ? c -> d; p, r: ! c -> d; q, s: ; r, s: ; c, d: v == 1; s, t: $ t;
             t, end: player = keeper;"
        ),
        ["@unique begin p q c d r s t;"]
    );
}

#[test]
fn loops_repeat() {
    assert_eq!(
        unique(
            "begin, p: player = a; p, q: v = w; q, r: v == 1; r, q: v = 2; q, s: v == 3; q, s: w == 3; s, t: $$ v;
             t, end: player = keeper;"
        ),
        ["@unique begin p r t;", "@repeat q s : v;"]
    );
}

#[test]
fn a_pragma_is_written_once() {
    let mut game =
        inferred(parse("type Player = {a}; type Score = {0, 1}; begin, p: player = a; p, end: player = keeper;"));
    let before = rg_ir::text::print(&game);
    assert!(!Fact::ALL.into_iter().any(|fact| fact.write(&mut game)));
    assert_eq!(rg_ir::text::print(&game), before);
    assert!(game.pragmas.iter().any(|decl| matches!(decl.pragma, Pragma::Unique(_))));
}
