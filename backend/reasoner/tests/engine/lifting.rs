//! Games on which lifting once went wrong, and games that need one of its rules: all engines count the same plays, or find
//! the same fault.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "tests")]

use backend::{Engine, LiftedCode, Limits, MoveForm, Options, PlayoutStats, Reasoner};
use rg_ir::{Game, SourceId};
use std::path::{Path, PathBuf};

/// The games of a folder of fixtures.
fn games(folder: &str) -> Vec<(PathBuf, Game)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures").join(folder);
    let paths = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let game = |path: &PathBuf| rg_ir::text::parse(SourceId(0), &std::fs::read_to_string(path).unwrap()).0.unwrap();
    paths.map(|path| (path.clone(), game(&path))).collect()
}

#[test]
fn engines_count_the_same() {
    let games = games("lifting");
    for (path, game) in &games {
        let count = |engine, depth| {
            let reasoner = Reasoner::new(game, engine).unwrap();
            reasoner.perft(&reasoner.initial().unwrap(), depth).map_err(|error| error.kind)
        };
        for depth in 1..=3 {
            let expected = count(Engine::Naive, depth);
            assert!(depth > 1 || expected.is_ok(), "{path:?}: {expected:?}");
            for &(name, engine) in Engine::ALL {
                assert_eq!(count(engine, depth), expected, "{path:?} at depth {depth}, engine {name}");
            }
        }
    }
    assert_eq!(games.len(), 12);
}

#[test]
fn rules_are_used() {
    let games = games("lifted");
    testgen::parallel(&games, |(path, game)| {
        let counts = |engine, depths: std::ops::RangeInclusive<u32>| {
            let reasoner = Reasoner::new(game, engine).unwrap();
            let start = reasoner.initial().unwrap();
            let counts: Vec<u64> = depths.map(|depth| reasoner.perft(&start, depth).unwrap()).collect();
            (counts, reasoner.report().join("\n"))
        };
        let (expected, _) = counts(Engine::Naive, 1..=4);
        // One ply more takes the reference long: there, all others have to agree.
        let (deeper, _) = counts(Engine::Backtracking, 5..=5);
        for &(name, engine) in Engine::ALL.iter().filter(|(_, engine)| *engine != Engine::Naive) {
            let (found, report) = counts(engine, 1..=5);
            assert_eq!(found, [&expected[..], &deeper].concat(), "{path:?}: depths 1 to 5, engine {name}");
            assert!(
                engine != Engine::Interpreter
                    || !report.contains("not lifted")
                        && (report.contains("lifted") || path.ends_with("over_at_once.rg")),
                "{path:?}: {report}"
            );
        }
    });
    assert_eq!(games.len(), 28);
}

/// A check that goes on with another variable moves one place all the same: it becomes what it is with one variable.
#[test]
fn checks_move_one_place() {
    let path = "tests/fixtures/lifted/checks_go_on_with_another_variable.rg";
    let text = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(path)).unwrap();
    let functions = |text: &str| {
        let game = rg_ir::text::parse(SourceId(0), text).0.unwrap();
        let program = backend::lifted_program(&game).unwrap().to_string();
        program.split_once("fn ").map(|(_, functions)| functions.to_owned()).unwrap()
    };
    let one = text.replace("next = ", "pos = ").replace("[next]", "[pos]");
    assert_eq!(functions(&text), functions(&one));
    // Here both are read later on.
    let both = text.replace("jumped, back: pos = s[next];", "jumped, back: board[s[pos]] != empty;");
    assert_ne!(functions(&both), functions(&one));
}

/// Where the keeper may choose, he makes the move that a search finds first, without a search.
#[test]
fn the_keeper_takes_the_first() {
    let games = games("lifted");
    let (_, game) = games.iter().find(|(path, _)| path.ends_with("the_keeper_takes_the_first.rg")).unwrap();
    let reasoner = Reasoner::new(game, Engine::Interpreter).unwrap();
    assert_eq!(reasoner.perft(&reasoner.initial().unwrap(), 3).unwrap(), 36);
    let report = reasoner.report().join("\n");
    assert!(report.contains("side exits: 0"), "{report}");
}

/// The functions of a game that list moves, as text.
fn listing(name: &str) -> String {
    let games = games("lifted");
    let (_, game) = games.iter().find(|(path, _)| path.ends_with(name)).unwrap();
    let program = backend::lifted_program(game).unwrap().to_string();
    program.split("fn ").filter(|function| function.starts_with("decide_")).collect()
}

/// A choice that the label does not show is not taken for the only one if tables make the label tell it, and a loop of one walk
/// has code for as many rounds as the board is long: nothing is left to a side exit.
#[test]
fn labels_and_lines_need_no_side_exit() {
    for name in ["labels_determine_choices.rg", "loops_are_as_long_as_lines.rg"] {
        let text = listing(name);
        assert!(text.contains("emit") && !text.contains("side_exit"), "{name}: {text}");
    }
}

/// What follows the last choice is walked where moves are made: there is one kind of moves for each way to the choice. Code of its own
/// reads the labels, which are those of the search.
#[test]
fn tails_of_moves_are_one_kind() {
    let games = games("lifted");
    let (_, game) = games.iter().find(|(path, _)| path.ends_with("tails_end_with_the_choice.rg")).unwrap();
    let lifted = Reasoner::new(game, Engine::Interpreter).unwrap();
    let kinds = lifted.forms().iter().map(|form| form.form.as_ref().map_or(0, |form| form.kinds)).collect::<Vec<_>>();
    assert_eq!(kinds, [1, 1]);
    let search = Reasoner::new(game, Engine::Backtracking).unwrap();
    assert_eq!(labels(&lifted), labels(&search));
    assert!(labels(&lifted).contains(&"c7 c6 c5 c4 c3 c2 c1 c8".to_owned()));
    assert!(backend::lifted_program(game).unwrap().to_string().contains("fn label_choose_x"));
}

/// The labels of the first moves.
fn labels(reasoner: &Reasoner) -> Vec<String> {
    let (state, mut moves) = (reasoner.initial().unwrap(), backend::Moves::new());
    reasoner.legal_moves(&state, &mut moves).unwrap();
    let mut labels: Vec<String> = (0..moves.len()).map(|index| reasoner.move_text(&moves, index)).collect();
    labels.sort();
    labels
}

/// A choice in each round of a loop: the decision is a search by scalar code. Two walks with one label are one move.
#[test]
fn choices_in_loops_are_searches() {
    let games = games("lifted");
    let (_, game) = games.iter().find(|(path, _)| path.ends_with("captures_in_chains.rg")).unwrap();
    let naive = Reasoner::new(game, Engine::Naive).unwrap();
    let perft = |reasoner: &Reasoner| reasoner.perft(&reasoner.initial().unwrap(), 6).unwrap();
    // By hand: each man has two ways to begin, over the man to its left or right, and goes on in no case.
    assert_eq!(labels(&naive), ["c0 c2 c2", "c0 c6 c6", "c4 c2 c2", "c4 c6 c6"]);
    let lifting = Engine::ALL.iter().filter(|(name, _)| !["naive", "backtracking"].contains(name));
    for &(_, engine) in lifting {
        let searched = Reasoner::new(game, engine).unwrap();
        assert!(searched.forms().iter().all(|form| form.form.as_ref().is_ok_and(|form| form.kinds == 1)));
        assert_eq!(labels(&searched), labels(&naive));
        assert_eq!(perft(&searched), perft(&naive));
    }
}

/// Of branches in a row, as many as one likes, each is written once: the code for twice as many is about twice as long.
#[test]
fn branches_in_a_row_are_not_doubled() {
    let instructions = |count: usize| {
        let cells: Vec<String> = (0..count).map(|at| format!("c{at}")).collect();
        let (mut text, last) = (String::new(), count - 1);
        text += &format!("type Player = {{ a }}; type Score = {{ 0, 1 }}; type Cell = {{ {} }};\n", cells.join(", "));
        text += "var board: Cell -> Score = { :1 }; var other: Cell -> Score = { :0, c0: 1 }; var at: Cell = c0;\n";
        text += "begin, choose: player = a; choose, chosen: at = Cell(*); chosen, told: $$ at; told, k0: player = keeper;\n";
        for at in 0..count {
            text += &format!("k{at}, w{at}: board[c{at}] == other[at]; w{at}, k{}: other[c{at}] = 1;\n", at + 1);
            text += &format!("k{at}, k{}: board[c{at}] != other[at];\n", at + 1);
        }
        text += &format!("k{count}, begin: other[c{last}] == 0; k{count}, won: other[c{last}] == 1;\n");
        text += "won, over: goals[a] = 1; over, end: player = keeper;\n";
        let game = rg_ir::text::parse(SourceId(0), &text).0.unwrap();
        let options = Options { lifted_code: LiftedCode::Searches, engine: Engine::Interpreter, ..Options::default() };
        let reasoner = Reasoner::with_options(&game, options).unwrap();
        assert_eq!(labels(&reasoner), labels(&Reasoner::new(&game, Engine::Naive).unwrap()));
        reasoner.program().unwrap().to_string().lines().count()
    };
    let (few, many) = (instructions(20), instructions(40));
    assert!(many < 3 * few, "{few} lines, {many} lines");
}

/// Searches keep the answers of checks that ask checks, while maps stay as they are.
#[test]
fn searches_ask_checks_of_checks() {
    let games = games("lifted");
    let (_, game) = games.iter().find(|(path, _)| path.ends_with("checks_of_checks.rg")).unwrap();
    let naive = Reasoner::new(game, Engine::Naive).unwrap();
    let perft = |reasoner: &Reasoner| reasoner.perft(&reasoner.initial().unwrap(), 5).unwrap();
    // By hand: on c3 a stone and its neighbour on c2 would have no liberty; on c0 it takes the one on c1.
    assert_eq!(labels(&naive), ["c0", "c6", "c7"]);
    for &(name, engine) in Engine::ALL.iter().filter(|(name, _)| !["naive", "backtracking"].contains(name)) {
        let searched = Reasoner::new(game, engine).unwrap();
        assert!(searched.forms().iter().all(|form| form.form.as_ref().is_ok_and(|form| form.kinds == 1)), "{name}");
        assert_eq!(labels(&searched), labels(&naive), "{name}");
        assert_eq!(perft(&searched), perft(&naive), "{name}");
    }
    assert!(backend::lifted_program(game).unwrap().scratch_words > 0, "the decision is a search");
}

/// Searches leave out writes to maps that only matter after the move, and tell apart what was chosen before them.
#[test]
fn searches_tell_apart_what_was_chosen_before_dead_writes() {
    let games = games("lifted");
    let (_, game) = games.iter().find(|(path, _)| path.ends_with("choices_before_dead_writes.rg")).unwrap();
    let expected = ["c0", "c1", "c2", "c3"].map(|cell| [format!("{cell} blue"), format!("{cell} red")]).concat();
    for &(name, engine) in Engine::ALL {
        assert_eq!(labels(&Reasoner::new(game, engine).unwrap()), expected, "{name}");
    }
    assert!(backend::lifted_program(game).unwrap().scratch_words > 0, "the decision is a search");
}

/// Who sees the tags of moves is the same whether a decision is lifted or searched.
#[test]
fn visibility_is_that_of_the_search() {
    let games = games("lifted");
    let (_, game) = games.iter().find(|(path, _)| path.ends_with("hidden_tags.rg")).unwrap();
    let seen = |engine| {
        let reasoner = Reasoner::with_options(game, Options { engine, ..Options::default() }).unwrap();
        let (mut state, mut moves, mut seen) = (reasoner.initial().unwrap(), backend::Moves::new(), Vec::new());
        while !reasoner.is_terminal(&state) {
            reasoner.legal_moves(&state, &mut moves).unwrap();
            let visibility = reasoner.visibility(&state, &moves).unwrap();
            let of = |index| (reasoner.move_text(&moves, index), visibility[moves.tag_range(index)].to_vec());
            let mut labels: Vec<(String, Vec<u64>)> = (0..moves.len()).map(of).collect();
            labels.sort();
            seen.push(labels);
            reasoner.apply(&mut state, &moves, 0).unwrap();
        }
        seen
    };
    let lifted = seen(Engine::Interpreter);
    assert_eq!(lifted, seen(Engine::Backtracking));
    let tags = |names: [&str; 2], seen: u64| names.map(|name| (name.to_owned(), vec![seen])).to_vec();
    assert_eq!(lifted, [tags(["p", "q"], 0b01), tags(["p", "q"], 0b11)]);
}

/// How many functions of a game make moves speculatively.
fn speculative(game: &Game) -> usize {
    let program = backend::lifted_program(game).unwrap();
    program.functions.iter().filter(|function| function.name.starts_with("speculate_")).count()
}

/// What random plays come to, and the fault that ends them if there is one.
fn played(game: &Game, engine: Engine, handovers: bool) -> (Option<String>, u64, u64, u64, Vec<Vec<u64>>, u64) {
    let reasoner = Reasoner::with_options(game, Options { engine, handovers, ..Options::default() }).unwrap();
    let (mut rng, mut stats) = (backend::Rng::new(5), PlayoutStats::default());
    let mut play = |count| reasoner.playouts(count, MoveForm::List, &mut rng, &mut stats).err();
    let fault = [1, 7, 1_000].into_iter().find_map(|count| play(count).map(|error| error.to_string()));
    let report = reasoner.report().join("\n");
    assert!(fault.is_some() || engine == Engine::Backtracking || report.contains("side exits: 0"), "{report}");
    (fault, stats.plies, stats.moves, stats.max_moves, stats.scores, rng.next_u64())
}

/// Where the keeper asks whether the next player can move, random plays find out when they list the moves, and are the same.
#[test]
fn moves_are_made_speculatively() {
    let games = games("lifted");
    let (path, game) = games.iter().find(|(path, _)| path.ends_with("moves_are_made_speculatively.rg")).unwrap();
    let mut plain = game.clone();
    plain.pragmas.clear();
    assert_eq!((speculative(game), speculative(&plain)), (2, 0));
    // A node that has another name now, and one where the claim does not tell of what is there.
    for (from, to, kept) in [("can_a", "gone", 2), ("done turn_a", "over turn_a", 2), ("can_a go_a", "gone gone", 1)] {
        let mut changed = game.clone();
        for declared in &mut changed.pragmas {
            if let rg_ir::Pragma::Unknown(text) = &mut declared.pragma {
                *text = text.replace(from, to);
            }
        }
        assert_eq!(speculative(&changed), kept, "{from} {to}");
    }
    let expected = played(&plain, Engine::Interpreter, true);
    assert_eq!(expected.0, None);
    for engine in [Engine::Interpreter, Engine::Auto, Engine::Native] {
        assert_eq!(played(game, engine, true), expected, "{engine:?}");
    }
    // The keeper asks for less than what whoever decides next may do: the claim is false, and nobody need believe it.
    let text = std::fs::read_to_string(path).unwrap();
    let asks = "free_a, more_a: board[pos] == empty;\nmore_a, done: board[e[pos]] == empty;";
    let text = text.replace("free_a, done: board[pos] == empty;", asks);
    let forged = rg_ir::text::parse(SourceId(0), &text).0.unwrap();
    let mut plain = forged.clone();
    plain.pragmas.clear();
    let expected = played(&plain, Engine::Interpreter, false);
    for engine in [Engine::Interpreter, Engine::Auto, Engine::Native] {
        assert_eq!(played(&forged, engine, false), expected, "{engine:?}");
    }
}

/// What the keeper asks is compared with what the next player may do: nobody need claim that it is the same.
#[test]
fn handovers_are_proven() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/lifted/moves_are_made_speculatively.rg");
    let text = std::fs::read_to_string(path).unwrap();
    // Kings leave themselves behind, so that moves write nothing that they read.
    let text = ["a", "b"].iter().fold(text, |text, side| {
        text.replace(
            &format!("gone_{side}, go_on_{side}: board[pos] = hole;"),
            &format!("gone_{side}, go_on_{side}: ;"),
        )
    });
    let game = |changes: &[(&str, &str)]| {
        let text = changes.iter().fold(text.clone(), |text, (from, to)| {
            assert!(text.contains(from), "{from}");
            text.replace(from, to)
        });
        let mut game = rg_ir::text::parse(SourceId(0), &text).0.unwrap();
        game.pragmas.clear();
        game
    };
    // A test that is asked twice is no other game, but the proof does not see that.
    let twice = |side: &str| {
        let free = format!("free_{side}, done: board[pos] == empty;");
        let again = free.replace("done", &format!("more_{side}")) + &free.replace("free_", "more_");
        (free, again)
    };
    let (twice_a, twice_b) = (twice("a"), twice("b"));
    let twice = game(&[(&twice_a.0, &twice_a.1), (&twice_b.0, &twice_b.1)]);
    // A player who first asks whether a square is one to go from, one whose name stands in a variable, and a check in a check.
    let demanded = [("from_a, gone_a: $$ pos;", "from_a, told: ? leave_a -> done; told, gone_a: $$ pos;")];
    let named = [("var pos:", "var me: Player = first; var pos:"), ("player = first", "player = me")];
    let nested = [("go_a, look_a: pos = Square(*);", "go_a, of_a: pos = Square(*); of_a, done: ? look_a -> done;")];
    let engines = [Engine::Interpreter, Engine::Native, Engine::Backtracking];
    assert_eq!(speculative(&twice), 0);
    for (changes, proven) in [(&[][..], 2), (&named, 2), (&nested, 2), (&demanded, 1)] {
        let game = game(changes);
        assert_eq!(speculative(&game), proven, "{changes:?}");
        for engine in engines {
            assert_eq!(played(&game, engine, false), played(&twice, engine, false), "{changes:?}, {engine:?}");
        }
    }
    // What is asked is more, less or something else than what is done.
    let others = [
        ("free_a, done: board[pos] == empty;", "free_a, done: board[pos] != a;"),
        ("free_a, done: board[pos] == empty;", "free_a, done: board[pos] == empty; free_a, done: board[pos] == b;"),
        ("leave_a, free_a: pos = nw[pos];", ""),
        ("go_on_a, to_a: pos = nw[pos];", ""),
        ("look_a, leave_a: board[pos] == a;", "look_a, of_a: board[pos] == a; of_a, leave_a: player != second;"),
        ("go_a, look_a: pos = Square(*);", "go_a, look_a: pos = x0y0;"),
        // Nothing is done where plays are over, here at once.
        ("turn_a", "end"),
    ];
    for change in others {
        let proven = usize::from(change.1 != "end");
        let (game, slow) = (game(&[change]), game(&[change, (&twice_b.0, &twice_b.1)]));
        assert_eq!((speculative(&game), speculative(&slow)), (proven, 0), "{change:?}");
        for engine in engines {
            assert_eq!(played(&game, engine, false), played(&slow, engine, false), "{change:?}, {engine:?}");
        }
    }
}

/// A player who may pass where he has no other move always has one. That the keeper asks whether anybody can move is proven of
/// the other moves; a pass shows that the answer is not known.
#[test]
fn passes_do_not_show_that_anybody_can_move() {
    let path = "tests/fixtures/lifted/passes_where_nothing_else_is_left.rg";
    let text = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(path)).unwrap();
    let game = |changes: &[(&str, &str)]| {
        let text = changes.iter().fold(text.clone(), |text, (from, to)| {
            assert!(text.contains(from), "{from}");
            text.replace(from, to)
        });
        rg_ir::text::parse(SourceId(0), &text).0.unwrap()
    };
    // The same game, but what is asked twice is not compared.
    let slow =
        ("free, near: board[pos] == empty;", "free, again: board[pos] == empty; again, near: board[pos] == empty;");
    // Stones that the next player cannot put are not asked for, moves do not forbid passes, or there are passes of another kind.
    let changes = [
        (None, 2),
        (Some(("near, found: board[s[pos]] == b;", "")), 1),
        (Some(("near, found: board[s[pos]] == b;", "near, found: board[s[pos]] == border;")), 1),
        (Some(("has_near_b, found: ? near_b -> found;", "has_near_b, found: board[e[pos]] == b;")), 1),
        (Some(("turn_b, stuck_b: ! has_b -> found;", "turn_b, stuck_b: board[x0y0] == empty;")), 1),
        (Some(("stuck_b, passes_b: $ pass;", "stuck_b, put_by_b: $ pass;")), 1),
        (Some(("stuck_b, passes_b: $ pass;", "stuck_b, passes_b: $ pass; name_b, passes_b: board[pos] == a;")), 1),
    ];
    for (change, proven) in changes {
        let same: Vec<(&str, &str)> = change.into_iter().collect();
        let (game, slow) = (game(&same), game(&[&same[..], &[slow]].concat()));
        assert_eq!((speculative(&game), speculative(&slow)), (proven, 0), "{change:?}");
        for engine in [Engine::Interpreter, Engine::Native, Engine::Backtracking] {
            let expected = played(&slow, engine, false);
            assert_eq!(played(&game, engine, false), expected, "{change:?}, {engine:?}");
            let (stuck, plies, ..) = expected;
            assert!(plies > 500 || stuck.is_some(), "{change:?}: {plies}");
        }
    }
}

/// Along some plays, all engines show the same moves.
#[test]
fn moves_are_shown_alike() {
    for (path, game) in &games("lifted") {
        let reasoners: Vec<Reasoner> =
            Engine::ALL.iter().map(|&(_, engine)| Reasoner::new(game, engine).unwrap()).collect();
        for play in 0..5 {
            let mut states: Vec<_> = reasoners.iter().map(|reasoner| reasoner.initial().unwrap()).collect();
            for ply in 0..20 {
                // Some of the games get stuck.
                let stuck = reasoners[0].legal_moves(&states[0], &mut backend::Moves::new()).is_err();
                if stuck || reasoners[0].is_terminal(&states[0]) {
                    break;
                }
                let mut chosen: Option<(Vec<String>, String)> = None;
                for (reasoner, state) in reasoners.iter().zip(&mut states) {
                    let mut moves = backend::Moves::new();
                    reasoner.legal_moves(state, &mut moves).unwrap();
                    let texts: Vec<String> = (0..moves.len()).map(|at| reasoner.tags_text(moves.tags(at))).collect();
                    let mut sorted = texts.clone();
                    sorted.sort();
                    let (expected, text) = chosen.get_or_insert_with(|| {
                        let text = sorted[(7 * play + 3 * ply) % sorted.len()].clone();
                        (sorted.clone(), text)
                    });
                    assert_eq!(*expected, sorted, "{path:?}, play {play}, ply {ply}, {}", reasoner.engine_name());
                    let at = texts.iter().position(|other| other == text).unwrap();
                    reasoner.apply(state, &moves, at).unwrap();
                }
            }
        }
    }
}

/// Steps are not allowed while something can be captured. Searches take none of them then, and find the same moves.
const COMPULSORY: &str = "
type Player = { first };
type Score = { 0, 1 };
type Square = { s0, s1, s2, s3, s4, s5, s6, s7 };
type Piece = { a, b, up, hit, empty };
type Count = { n0, n1, n2, n3, n4, n5, n6, n7, n8 };
const e: Square -> Square = { :s0, s0: s1, s1: s2, s2: s3, s3: s4, s4: s5, s5: s6, s6: s7 };
const w: Square -> Square = { :s7, s1: s0, s2: s1, s3: s2, s4: s3, s5: s4, s6: s5, s7: s6 };
const less: Count -> Count = { :n0, n8: n7, n7: n6, n6: n5, n5: n4, n4: n3, n3: n2, n2: n1 };
var board: Square -> Piece = { :empty, s0: a, s1: a, s4: b, s6: b };
var pos: Square = s0;
var at: Square = s0;
var left: Count = n8;
begin, turn: player = first;
turn, chosen: pos = Square(*);
chosen, taken: board[pos] == a;
taken, told: $$ pos;
told, ready: board[pos] = up;
ready, over: pos = e[pos];
over, struck: board[pos] == b;
struck, beyond: board[pos] = hit;
beyond, land: pos = e[pos];
land, landed: board[pos] == empty;
landed, done: $ captures;
ready, step: pos = e[pos];
step, stepped: board[pos] == empty;
stepped, free: ! look -> found;
free, done: $ steps;
look, mine: at = Square(*);
mine, beside: board[at] == a;
mine, beside: board[at] == up;
beside, behind: board[e[at]] == b;
behind, found: board[e[e[at]]] == empty;
done, placed: player = keeper;
placed, gone: board[pos] = a;
gone, swept: board[w[pos]] = empty;
swept, cleared: board[w[w[pos]]] == up;
cleared, counted: board[w[w[pos]]] = empty;
swept, counted: board[w[w[pos]]] != up;
counted, again: left = less[left];
again, turn_again: left != n0;
turn_again, turn: player = first;
again, over_now: left == n0;
over_now, end: player = keeper;
";

#[test]
fn steps_that_a_check_forbids_are_not_taken() {
    let game = rg_ir::text::parse(SourceId(0), COMPULSORY).0.unwrap();
    let found = |engine| {
        let limits = Limits { code: 0, compile_after: 0, ..Limits::default() };
        let reasoner = Reasoner::with_options(&game, Options { engine, limits, ..Options::default() }).unwrap();
        let start = reasoner.initial().unwrap();
        let leaves: Vec<u64> = (1..=8).map(|depth| reasoner.perft(&start, depth).unwrap()).collect();
        let (mut rng, mut stats) = (backend::Rng::new(7), PlayoutStats::default());
        if engine != Engine::Naive {
            reasoner.playouts(500, MoveForm::List, &mut rng, &mut stats).unwrap();
        }
        (leaves, (stats.plies, stats.moves, rng.next_u64()))
    };
    let expected = found(Engine::Backtracking);
    assert_eq!(found(Engine::Native), expected);
    assert_eq!(found(Engine::Naive).0, expected.0);
    // Either piece steps once nothing can be captured.
    assert_eq!(expected.0, [1, 2, 2, 2, 2, 4, 6, 12]);
}

/// Code reads labels of many tags, part by part, where a part has only two of them because there are many symbols.
#[test]
fn long_labels_of_many_symbols_are_read() {
    let far: Vec<String> = (0..1 << 16).map(|number| format!("far_{number}")).collect();
    let label: Vec<String> = (0..50).map(|number| format!("t{number}")).collect();
    let steps: String = (0..50).map(|at| format!("n{at}, n{}: $ t{at};\n", at + 1)).collect();
    let text = format!(
        "type Player = {{ a }};\ntype Score = {{ 0 }};\ntype Far = {{ {} }};\n\
         begin, n0: player = a;\n{steps}n50, over: player = keeper;\nover, end: player = keeper;\n",
        far.join(", ")
    );
    let game = rg_ir::text::parse(SourceId(0), &text).0.unwrap();
    let options = Options { engine: Engine::Interpreter, lifted_code: LiftedCode::Searches, ..Options::default() };
    assert_eq!(labels(&Reasoner::with_options(&game, options).unwrap()), [label.join(" ")]);
}

/// Labels are read from the words of moves where there are more symbols than 16 bits can tell apart.
#[test]
fn labels_of_many_symbols_are_read() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/lifted/large_maps.rg");
    let text = std::fs::read_to_string(path).unwrap();
    let far: Vec<String> = (0..1 << 16).map(|number| format!("far_{number}")).collect();
    let text = format!("type Far = {{ {} }};\n{text}", far.join(", "));
    let game = rg_ir::text::parse(SourceId(0), &text).0.unwrap();
    assert!(backend::lifted_program(&game).unwrap().to_string().contains("fn label_"));
    let texts = |engine| {
        let reasoner = Reasoner::new(&game, engine).unwrap();
        let (mut state, mut moves, mut texts) = (reasoner.initial().unwrap(), backend::Moves::new(), Vec::new());
        while !reasoner.is_terminal(&state) && texts.len() < 20 {
            reasoner.legal_moves(&state, &mut moves).unwrap();
            texts.push((0..moves.len()).map(|index| reasoner.move_text(&moves, index)).collect::<Vec<_>>());
            texts.last_mut().unwrap().sort_unstable();
            let first = (0..moves.len()).min_by_key(|&index| reasoner.move_text(&moves, index)).unwrap();
            reasoner.apply(&mut state, &moves, first).unwrap();
        }
        texts
    };
    let expected = texts(Engine::Naive);
    assert!(expected.concat().len() > 1);
    assert_eq!(texts(Engine::Interpreter), expected);
    assert_eq!(texts(Engine::Native), expected);
}
