//! Profiles: what is counted is what happens, their text, and that they change nothing but speed.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

use backend::{Engine, Listing, MoveForm, Options, PlayoutStats, Reasoner, Rng, listing, profiled_program};
use rg_ir::{Game, SourceId};
use std::path::Path;
use wir::profile::Profile;
use wir::{parse, parse_counted};

/// Whoever is asked takes a number that nobody has taken.
const NUMBERS: &str = "
    type Player = { first, second };
    type Score = { 0, 1 };
    type Number = { n1, n2, n3, n4, n5 };
    type Taken = { no, yes };
    var number: Number = n1;
    var taken: Number -> Taken = { :no };
    begin, move: player = first;
    move, chosen: number = Number(*);
    chosen, free: taken[number] == no;
    free, told: $$ number;
    told, marked: taken[number] = yes;
    marked, done: player = keeper;
    done, over: ! more -> left;
    done, again: ? more -> left;
    more, some: number = Number(*);
    some, left: taken[number] == no;
    again, move: player = second;
    over, end: player = keeper;";

fn game(text: &str) -> Game {
    rg_ir::text::parse(SourceId(0), text).0.unwrap()
}

#[test]
fn texts_of_programs_keep_what_was_counted() {
    let mut rng = Rng::new(3);
    for round in 0..500 {
        let program = crate::ir::program(&mut rng, 1 + round % 60);
        let profile = crate::ir::profile(&program, u64::from(round));
        let text = profile.text(&program).unwrap();
        assert_eq!(parse_counted(&text).unwrap(), (program.clone(), Some(profile)), "{text}");
        assert_eq!(parse(&text).unwrap(), program);
        assert_eq!(parse_counted(&program.to_string()).unwrap(), (program, None));
    }
}

#[test]
fn errors_say_where() {
    let cases = [
        ("fn f() @ {}", "1:10: `{` instead of a number"),
        ("fn f() @-1 {}", "1:9: `-` means nothing"),
        ("fn f() @r1 {}", "1:9: `r1` instead of a number"),
        ("fn f() @99999999999999999999 {}", "1:9: `99999999999999999999` is no number"),
        ("fn f() @1 {\n  if r0 {}\n}", "2:9: some blocks"),
        ("fn f() @1 {\n  if r0 @1 {}\n}", "3:1: some blocks"),
        ("fn f() {\n  if r0 @1 {}\n}", "2:9: some blocks"),
        ("fn f() @1 {\n  emitset r0 + r0 << 1\n}", "3:1: some blocks"),
        ("fn f() { }\nfn g() @2 { }", "2:8: some blocks"),
    ];
    for (text, expected) in cases {
        let error = parse_counted(text).unwrap_err().to_string();
        assert!(error.starts_with(expected), "{text}: {error}");
    }
}

#[test]
fn broken_texts_are_refused_without_a_panic() {
    let mut rng = Rng::new(4);
    for round in 0..300 {
        let program = crate::ir::program(&mut rng, 12);
        let mut text: Vec<char> = crate::ir::profile(&program, round).text(&program).unwrap().chars().collect();
        for _ in 0..1 + rng.below(3) {
            let at = rng.below(text.len() as u32) as usize;
            match rng.below(3) {
                0 => drop(text.remove(at)),
                1 => text.truncate(at.max(1)),
                _ => text[at] = ['{', '}', '@', '9', '-', '<'][rng.below(6) as usize],
            }
        }
        if let Ok((program, Some(profile))) = parse_counted(&text.into_iter().collect::<String>()) {
            profile.fits(&program).unwrap();
        }
    }
}

#[test]
fn profiles_of_other_programs_are_refused() {
    let program = parse("fn f(r0) { if r0 { emit r0 } }").unwrap();
    let longer = parse("fn f(r0) { if r0 { emitset r0 + r0 << 1 } }").unwrap();
    let more = parse("fn f(r0) { if r0 { emit r0 } } fn g() { }").unwrap();
    let profile = Profile::of(&program, [5, 2, 3].into_iter());
    assert_eq!(profile.fits(&program), Ok(()));
    let (numbers, functions) = (profile.fits(&longer).unwrap_err(), profile.fits(&more).unwrap_err());
    assert_eq!(numbers, "for `f`, the profile has 3 numbers, and the program places for 4");
    assert_eq!(functions, "the profile is one of 1 functions, and the program has 2");
    for other in [&longer, &more] {
        assert!(profile.text(other).is_err());
        #[cfg(feature = "native")]
        assert!(codegen::native::Native::with_profile(other, 0, Some(profile.clone())).is_err());
    }
    assert!(Profile::of(&program, [5, 2].into_iter()).fits(&program).is_err());
}

#[test]
fn what_is_counted_is_what_happens() {
    let game = game(NUMBERS);
    let (program, profile) = profiled_program(&game, 100).unwrap();
    assert_eq!(profile.fits(&program), Ok(()));
    let named = |name: &str| {
        let of =
            program.functions.iter().zip(&profile.functions).filter(|(function, _)| function.name.starts_with(name));
        of.map(|(_, counts)| counts.clone()).collect::<Vec<_>>()
    };
    // A play has five moves, made among 5 + 4 + 3 + 2 + 1.
    let (decisions, moves) = (named("decide"), named("apply"));
    assert_eq!(decisions.iter().map(|counts| counts[0]).sum::<u64>(), 500);
    assert_eq!(decisions.iter().map(|counts| counts[1]).sum::<u64>(), 1_500);
    assert_eq!(moves.iter().map(|counts| counts[0]).sum::<u64>(), 500);
    // The same once more, and as text.
    assert_eq!(profiled_program(&game, 100).unwrap(), (program.clone(), profile.clone()));
    assert_eq!(listing(&game, Listing::Program, 100).unwrap(), profile.text(&program).unwrap());
    assert_eq!(listing(&game, Listing::Program, 0).unwrap(), program.to_string());
}

#[test]
fn games_are_the_same() {
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures");
    let mut games = vec![game(NUMBERS)];
    for folder in ["lifted", "lifting"] {
        let paths = std::fs::read_dir(fixtures.join(folder)).unwrap().map(|entry| entry.unwrap().path());
        games.extend(paths.map(|path| game(&std::fs::read_to_string(path).unwrap())));
    }
    testgen::parallel(&games, |game| {
        let found = |engine, profile| {
            let reasoner = Reasoner::with_options(game, Options { engine, profile, ..Options::default() }).unwrap();
            let start = reasoner.initial().unwrap();
            let mut stats = PlayoutStats::default();
            let played = reasoner.playouts(300, MoveForm::List, &mut Rng::new(1), &mut stats);
            let played = played.map(|()| stats).map_err(|error| (error.kind, error.play));
            let counts: Vec<_> =
                (1..=4).map(|depth| reasoner.perft(&start, depth).map_err(|error| error.kind)).collect();
            (played, counts, reasoner.engine_name() == "backtracking")
        };
        let expected = found(Engine::Interpreter, 0);
        for &(name, engine) in Engine::ALL.iter().filter(|(name, _)| ["auto", "native", "interpreter"].contains(name)) {
            for profile in [0, 1, 20] {
                assert_eq!(found(engine, profile), expected, "{name} with {profile} plays");
            }
        }
    });
}
