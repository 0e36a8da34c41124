//! The engines that lift, against those that search: thousands of random games as they are and optimised, and the games of
//! the corpus.
//!
//! A random game on which engines differ is made smaller before it is shown. `RGC_RANDOM_GAMES` is the number of random

//! games, `RGC_RANDOM_FIRST` the first of them.

use crate::common::{Seen, compare_two, equal_playouts, lifting, number, parse, same_order};
use backend::{Engine, Limits, Options};
use passes::{Level, Pipeline};
use rg_ir::{Game, SourceId};
use std::path::{Path, PathBuf};

/// Low limits: improper games may run for ever.
const LIMITS: Limits = Limits {
    steps: 20_000,
    naive_steps: 2_000,
    keeper_moves: 12,
    tags: 8,
    check_depth: 12,
    moves: 2_000,
    visited: 5_000,
    memory: 1 << 24,
    plies: 40,
    exact_after: 5_000,
    code: 60_000,
    compile_after: 0,
};

/// What became of games.
#[derive(Default, Debug)]
struct Sum {
    games: u64,
    /// Those that the engine for lifted games took.
    lifted: u64,
    states: u64,
    ends: u64,
    errors: u64,
    perfts: u64,
    plays: u64,
}

impl Sum {
    fn add(&mut self, seen: &Seen) {
        self.states += seen.states;
        self.ends += seen.ends;
        self.errors += seen.stuck + seen.ambiguous + seen.choices;
        self.perfts += seen.perfts;
    }

    fn played(&mut self, (lifted, plays): (bool, u64)) {
        self.lifted += u64::from(lifted);
        self.plays += plays;
    }
}

/// All engines on one game; `Err` says where two of them differ.
fn agree(game: &Game, limits: Limits, sum: &mut Sum) -> Result<(), String> {
    let options = |engine| Options { engine, limits, ..Options::default() };
    let checked = Options { checked: true, ..options(Engine::Naive) };
    for engine in std::iter::once(Engine::Backtracking).chain(lifting()) {
        let seen = compare_two(game, [checked, options(engine)], 2, 6, 3);
        sum.add(&seen.map_err(|error| format!("{engine:?}: {error}"))?);
        let strict = Options { checked: true, ..options(engine) };
        let seen = compare_two(game, [checked, strict], 1, 4, 2);
        sum.add(&seen.map_err(|error| format!("{engine:?}, checked: {error}"))?);
    }
    if let Some(compiled) = searching(limits) {
        // Nothing is lifted, everything is compiled: moves come in the order in which the interpreter finds them.
        let seen = compare_two(game, [checked, compiled], 2, 6, 3);
        sum.add(&seen.map_err(|error| format!("compiled searches: {error}"))?);
        same_order(game, options(Engine::Backtracking), compiled)
            .map_err(|error| format!("compiled searches: {error}"))?;
    }
    sum.games += 1;
    sum.played(equal_playouts(game, limits, 4)?);
    Ok(())
}

/// Searches as machine code from the beginning, and nothing else.
fn searching(limits: Limits) -> Option<Options> {
    let &(_, engine) = Engine::ALL.iter().find(|(name, _)| *name == "native")?;
    Some(Options { engine, limits: Limits { code: 0, compile_after: 0, ..limits }, ..Options::default() })
}

fn optimised(mut game: Game) -> Game {
    Pipeline::level(Some(Level::Full)).run(&mut game, &mut ()).unwrap();
    game
}

/// What is wrong with a game, as it is or optimised; `None` if the text is no game.
fn verdict(text: &str, sum: &mut Sum) -> Option<Result<(), String>> {
    let game = parse(text).ok()?;
    let plain = agree(&game, LIMITS, sum);
    Some(plain.and_then(|()| agree(&optimised(game), LIMITS, sum).map_err(|error| format!("optimised, {error}"))))
}

#[test]
fn engines_agree_on_random_games() {
    let (first, count) = (number("RGC_RANDOM_FIRST", 0), number("RGC_RANDOM_GAMES", 250));
    let sum = agree_on(first..first + count, testgen::game);
    // The games must reach everything worth comparing.
    let reached = [sum.games, sum.lifted * 5, sum.states, sum.ends, sum.errors * 5, sum.perfts, sum.plays];
    assert!(reached.iter().all(|&number| number >= count), "too few of something: {sum:?}");
}

#[test]
fn engines_agree_on_random_boards() {
    let (first, count) = (number("RGC_RANDOM_FIRST", 0), number("RGC_RANDOM_GAMES", 250));
    let sum = agree_on(first..first + count, testgen::board);
    let reached = [sum.games, sum.lifted * 2, sum.states, sum.ends, sum.perfts, sum.plays];
    assert!(reached.iter().all(|&number| number >= count) && sum.errors == 0, "too few of something: {sum:?}");
}

#[test]
fn engines_agree_on_random_lines() {
    let (first, count) = (number("RGC_RANDOM_FIRST", 0), number("RGC_RANDOM_GAMES", 80));
    let sum = agree_on(first..first + count, testgen::lines);
    let reached = [sum.games, sum.lifted * 2, sum.states, sum.ends, sum.perfts, sum.plays];
    assert!(reached.iter().all(|&number| number >= count) && sum.errors == 0, "too few of something: {sum:?}");
}

/// All engines on random games.
fn agree_on(seeds: std::ops::Range<u64>, make: fn(u64) -> String) -> Sum {
    let mut sum = Sum::default();
    let mut problems = Vec::new();
    for seed in seeds {
        let text = make(seed);
        let Some(Err(message)) = verdict(&text, &mut sum) else { continue };
        let small = testgen::shrink(&text, |text| matches!(verdict(text, &mut Sum::default()), Some(Err(_))));
        let after = verdict(&small, &mut Sum::default()).and_then(Result::err).unwrap_or_default();
        problems.push(format!("seed {seed}: {message}\nsmaller: {after}\n{small}\n"));
        if problems.len() == 10 {
            break;
        }
    }
    println!("{sum:?}");
    assert!(problems.is_empty(), "{}", problems.join("\n"));
    sum
}

fn corpus() -> Option<PathBuf> {
    let path = std::env::var_os("RGC_CORPUS").map(PathBuf::from);
    let path = path.unwrap_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus"));
    if !path.is_dir() {
        println!("skipped: there is no corpus at {}", path.display());
        return None;
    }
    Some(path)
}

#[test]
fn engines_agree_on_rg_games() {
    let Some(corpus) = corpus() else { return };
    let entries = std::fs::read_dir(corpus.join("rg")).unwrap();
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let mut problems = Vec::new();
    for file in files {
        let text = std::fs::read_to_string(&file).unwrap();
        let game = rg_ir::text::parse(SourceId(0), &text).0.unwrap();
        let mut sum = Sum::default();
        let result = plays(&game, &mut sum).and_then(|()| plays(&optimised(game), &mut sum));
        println!("{}: {sum:?}", file.display());
        problems.extend(result.err().map(|error| format!("{}: {error}", file.display())));
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

/// Engines that lift against backtracking, which other tests compare with the naive engine, along some plays of a game.
fn plays(game: &Game, sum: &mut Sum) -> Result<(), String> {
    let options = |engine| Options { engine, ..Options::default() };
    for engine in lifting() {
        let seen = compare_two(game, [Engine::Backtracking, engine].map(options), 2, 40, 1);
        sum.add(&seen.map_err(|error| format!("{engine:?}: {error}"))?);
    }
    // Little room for code: checks become functions.
    for (engine, code) in lifting().zip([700, 3_000].into_iter().cycle()) {
        let small = Options { limits: Limits { code, ..Limits::default() }, ..options(engine) };
        let seen = compare_two(game, [options(Engine::Backtracking), small], 1, 40, 1);
        sum.add(&seen.map_err(|error| format!("{engine:?} with {code} registers: {error}"))?);
    }
    if let Some(compiled) = searching(Limits::default()) {
        let seen = compare_two(game, [options(Engine::Backtracking), compiled], 2, 40, 1);
        sum.add(&seen.map_err(|error| format!("compiled searches: {error}"))?);
        same_order(game, options(Engine::Backtracking), compiled)
            .map_err(|error| format!("compiled searches: {error}"))?;
    }
    sum.games += 1;
    sum.played(equal_playouts(game, Limits::default(), 3)?);
    Ok(())
}

#[test]
fn searches_without_enough_room_are_interpreted() {
    // One move of 5,000 tags, one of 40,000 writes, and a whole tree of choices.
    let mut text = String::from("type Player = { a };\ntype Score = { 0 };\ntype Bit = { x, y };\nvar bit: Bit = x;\n");
    text.push_str("begin, t0: player = a;\n");
    for step in 0..5_000 {
        text.push_str(&format!("t{step}, t{}: $ tag;\n", step + 1));
    }
    text.push_str("t5000, done: player = keeper;\nt0, w0: $ writes;\n");
    for step in 0..33_000 {
        text.push_str(&format!("w{step}, w{}: bit = {};\n", step + 1, if step % 2 == 0 { "y" } else { "x" }));
    }
    text.push_str("w33000, done: player = keeper;\ndone, end: player = keeper;\n");
    let game = parse(&text).unwrap();
    let Some(compiled) = searching(Limits::default()) else { return };
    let interpreted = Options { engine: Engine::Backtracking, ..Options::default() };
    let seen = compare_two(&game, [interpreted, compiled], 1, 2, 2).unwrap();
    assert!(seen.ends > 0, "{seen:?}");
    same_order(&game, interpreted, compiled).unwrap();
}

/// Men on a line of `squares`, some of them kings, who step ahead by one or two, unless a man then stands before a king. The
/// keeper asks whether anybody can step at all, and then puts away what is left behind.
fn line(squares: usize) -> String {
    let names: Vec<String> = (0..squares).map(|square| format!("s{square}")).collect();
    let step = |by: usize| {
        let steps = (0..squares).map(|from| format!("s{from}: {}", names.get(from + by).map_or("off", |to| to)));
        steps.collect::<Vec<_>>().join(", ")
    };
    let mut text = format!(
        "type Player = {{ a }}; type Score = {{ 0, 1 }}; type Board = {{ {all} }}; type Square = {{ {all}, off }};
        type Piece = {{ empty, man, king, left, wall, moat }}; var pos: Square = s0; var turns: Turns = 0;
        type Turns = {{ 0, 1, 2, 3, 4, 5, 6, 7, 8 }};
        const one: Square -> Square = {{ :off, {one} }}; const two: Square -> Square = {{ :off, {two} }};
        const next: Turns -> Turns = {{ :8, 0: 1, 1: 2, 2: 3, 3: 4, 4: 5, 5: 6, 6: 7, 7: 8 }};
        var board: Square -> Piece = {{ :empty, off: wall, s0: man, s1: man, s2: king, s5: man, s6: moat, s9: king, s{last}: man,
            s{before}: man }};",
        all = names.join(", "),
        one = step(1),
        two = step(2),
        last = squares - 1,
        before = squares - 3,
    );
    text.push_str(
        "begin, demanded: turns = next[turns];
        demanded, ends: turns == 8; demanded, asks: turns != 8;
        asks, decides: ? can -> could; asks, ends: ! can -> could;
        can, c1: pos = Board(*); c1, c2: board[pos] == man; c1, c2: board[pos] == king; c2, c3: pos = one[pos];
        c2, c3: pos = two[pos]; c3, could: board[pos] == empty;
        decides, d1: player = a; d1, d2: pos = Board(*); d2, m: board[pos] == man; d2, k: board[pos] == king;
        m, m1: board[pos] = left; m1, m2: $$ pos; m2, m3: pos = one[pos]; m2, m3: pos = two[pos];
        m3, m4: board[pos] == empty; m4, m5: board[pos] = man; m5, t: $$ pos;
        k, k1: board[pos] = left; k1, k2: $$ pos; k2, k3: pos = two[pos]; k3, k4: board[pos] != wall;
        k4, k5: board[pos] == empty; k5, k6: board[pos] = king; k6, t: $$ pos;
        t, done: ! near -> is; near, n1: pos = Board(*); n1, n2: board[pos] == man; n2, n3: pos = one[pos]; n3, is: board[pos] == king;
        done, clean: player = keeper; clean, e1: pos = Board(*); e1, e2: board[pos] == left; e2, begin: board[pos] = empty;
        ends, end: player = keeper;",
    );
    text
}

/// Compares searches, interpreted and compiled, with the naive engine and with each other; the ends and the states that were
/// seen by each. `None` without machine code.
fn searches_agree(game: &Game) -> Option<[(usize, usize); 2]> {
    let compiled = searching(Limits::default())?;
    let [naive, interpreted] =
        [Engine::Naive, Engine::Backtracking].map(|engine| Options { engine, ..Options::default() });
    same_order(game, interpreted, compiled).unwrap();
    Some([interpreted, compiled].map(|other| {
        let seen = compare_two(game, [naive, other], 3, 40, 2).unwrap();
        (seen.ends as usize, seen.states as usize)
    }))
}

#[test]
fn values_of_choices_are_found_at_once_or_one_by_one() {
    // Words have 64 bits, and processors compare 16 cells at once.
    for squares in [15, 16, 40, 64, 65, 80] {
        let game = parse(&line(squares)).unwrap();
        for game in [optimised(game.clone()), game] {
            let Some(seen) = searches_agree(&game) else { return };
            assert!(seen.iter().all(|&(ends, states)| ends > 0 && states > 9), "{squares}: {seen:?}");
        }
    }
}

/// Men on a ring who jump over others, there and back. On small rings they land where they came from, or where the other
/// one was: what was written on the way is what the tests behind it find.
fn ring(squares: usize) -> String {
    let names: Vec<String> = (0..squares).map(|square| format!("s{square}")).collect();
    let step = |by: usize| {
        let steps = (0..squares).map(|from| format!("s{from}: s{}", (from + by) % squares));
        steps.collect::<Vec<_>>().join(", ")
    };
    let kinds = |of: &str| (0..5).map(|kind| format!("{of}{kind}")).collect::<Vec<_>>();
    let pieces = (0..squares)
        .filter(|square| square % 3 < 2)
        .map(|square| format!("s{square}: {}{}", if square % 3 == 0 { "man" } else { "foe" }, square % 5));
    let is = |from: &str, to: &str, of: &str| {
        kinds(of).iter().map(|kind| format!("{from}, {to}: board[pos] == {kind};\n")).collect::<String>()
    };
    let mut text = format!(
        "type Player = {{ a }}; type Score = {{ 0, 1 }}; type Square = {{ {all} }};
        type Piece = {{ empty, gone, {men}, {foes} }}; var pos: Square = s0; var turns: Turns = 0;
        type Turns = {{ 0, 1, 2, 3, 4, 5, 6, 7, 8 }};
        const next: Turns -> Turns = {{ :8, 0: 1, 1: 2, 2: 3, 3: 4, 4: 5, 5: 6, 6: 7, 7: 8 }};
        const on: Square -> Square = {{ :s0, {on} }}; const back: Square -> Square = {{ :s0, {back} }};
        var board: Square -> Piece = {{ :empty, {pieces} }};
        begin, demanded: turns = next[turns];
        demanded, ends: turns == 8; demanded, asks: turns != 8;
        asks, decides: ? can -> could; asks, ends: ! can -> could;
        can, c1: pos = Square(*); c2, c3: board[pos] = empty;
        c3, f1: pos = on[pos]; f2, f3: board[pos] = gone; f3, f4: pos = on[pos]; f4, could: board[pos] == empty;
        c3, b1: pos = back[pos]; b2, b3: board[pos] = gone; b3, b4: pos = back[pos]; b4, could: board[pos] == empty;
        b4, could: board[pos] == gone;
        decides, d1: player = a; d1, d2: pos = Square(*); d3, d4: $$ pos; d4, d5: board[pos] = empty;
        d5, g0: $ on; g0, g1: pos = on[pos]; g2, g3: board[pos] = gone; g3, g4: pos = on[pos]; g4, g5: board[pos] == empty;
        g5, t: board[pos] = man1;
        d5, h0: $ back; h0, h1: pos = back[pos]; h2, h3: board[pos] = gone; h3, h4: pos = back[pos];
        h4, h5: board[pos] == empty; h4, h5: board[pos] == gone; h5, t: board[pos] = man4;
        t, done: $$ pos; done, clean: player = keeper;
        clean, e1: pos = Square(*); e1, e2: board[pos] == gone; e2, begin: board[pos] = foe3;
        clean, f: ! e0 -> e2; f, begin: ; e0, e1: pos = Square(*);
        ends, end: player = keeper;\n",
        all = names.join(", "),
        men = kinds("man").join(", "),
        foes = kinds("foe").join(", "),
        on = step(1),
        back = step(squares - 1),
        pieces = pieces.collect::<Vec<_>>().join(", "),
    );
    for (from, to, of) in [
        ("c1", "c2", "man"),
        ("f1", "f2", "foe"),
        ("b1", "b2", "foe"),
        ("d2", "d3", "man"),
        ("g1", "g2", "foe"),
        ("h1", "h2", "foe"),
    ] {
        text.push_str(&is(from, to, of));
    }
    text
}

#[test]
fn tests_are_asked_ahead_of_writes_that_they_see() {
    let mut moves = 0;
    for squares in [1, 2, 3, 4, 5, 7, 15, 24, 64, 70] {
        let game = parse(&ring(squares)).unwrap();
        for game in [optimised(game.clone()), game] {
            let Some(seen) = searches_agree(&game) else { return };
            assert!(seen.iter().all(|&(ends, _)| ends > 0), "{squares}: {seen:?}");
            moves += seen.iter().map(|&(_, states)| states).sum::<usize>();
        }
    }
    assert!(moves > 500, "{moves}");
}

/// The dark squares of a chequered board of `size` rows, listed by diagonals: their numbers have gaps. Kings go as far as they
/// like and tread on the square behind, or beside the board; they stop when none can step on a square that nobody trod on.
fn chequered(size: i64) -> String {
    let rows = |row: i64| (0..size).filter(move |column| (row + column) % 2 == 1).map(move |column| (row, column));
    let mut squares: Vec<(i64, i64)> = (0..size).flat_map(rows).collect();
    squares.sort_by_key(|&(row, column)| (row + column, row));
    let name = |(row, column): (i64, i64)| format!("r{row}c{column}");
    let step = |(down, right): (i64, i64)| {
        let steps = squares.iter().filter_map(|&(row, column)| {
            let to = (row + down, column + right);
            squares.contains(&to).then(|| format!("{}: {}", name((row, column)), name(to)))
        });
        format!("{{ :off, {} }}", steps.collect::<Vec<_>>().join(", "))
    };
    let named = |every: usize, piece: &str| {
        squares.iter().step_by(every).map(|&at| format!("{}: {piece}", name(at))).collect::<Vec<_>>().join(", ")
    };
    let mut text = format!(
        "type Player = {{ a }}; type Score = {{ 0, 1 }}; type Board = {{ {all} }}; type Square = {{ {all}, off }};
        type Piece = {{ empty, king, wall }}; type Bit = {{ no, yes }}; type Turns = {{ 0, 1, 2, 3, 4, 5, 6 }};
        var pos: Square = off; var turns: Turns = 0; var trod: Square -> Bit = {{ :no }};
        const next: Turns -> Turns = {{ :6, 0: 1, 1: 2, 2: 3, 3: 4, 4: 5, 5: 6 }};
        const sw: Square -> Square = {}; const se: Square -> Square = {};
        const nw: Square -> Square = {}; const ne: Square -> Square = {};
        var board: Square -> Piece = {{ :empty, off: wall, {kings} }};
        begin, demanded: turns = next[turns];
        demanded, ends: turns == 6; demanded, asks: turns != 6;
        asks, decides: ? can -> could; asks, ends: ! can -> could;
        can, c1: pos = Board(*); c1, c2: board[pos] == king;
        decides, d1: player = a; d1, d2: pos = Board(*); d2, d3: board[pos] == king; d3, d4: board[pos] = empty;
        d4, d5: $$ pos; e1, e2: board[pos] = king; e2, e3: $$ pos; e3, e4: pos = ne[pos]; e4, done: trod[pos] = yes;
        done, begin: player = keeper; ends, end: player = keeper;\n",
        step((1, -1)),
        step((1, 1)),
        step((-1, -1)),
        step((-1, 1)),
        all = squares.iter().map(|&at| name(at)).collect::<Vec<_>>().join(", "),
        kings = named(5, "king"),
    );
    for way in ["sw", "se", "nw", "ne"] {
        text.push_str(&format!(
            "c2, c{way}: pos = {way}[pos]; c{way}, could: trod[pos] == no;
            d5, g{way}: $ {way}; g{way}, h{way}: pos = {way}[pos]; h{way}, g{way}: board[pos] == empty;
            h{way}, e1: board[pos] == empty;\n"
        ));
    }
    text
}

#[test]
fn boards_whose_numbers_have_gaps() {
    let mut sum = Sum::default();
    for size in [4, 6, 8] {
        let game = parse(&chequered(size)).unwrap();
        for game in [optimised(game.clone()), game] {
            agree(&game, LIMITS, &mut sum).unwrap_or_else(|error| panic!("{size}: {error}"));
        }
    }
    assert_eq!((sum.lifted, sum.errors), (6, 0), "{sum:?}");
    assert!(sum.ends > 0 && sum.states > 100, "{sum:?}");
}
