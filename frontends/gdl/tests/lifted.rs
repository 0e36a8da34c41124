//! Lifted lowering: against the oracle on games of the corpus, and against ground lowering on games of the library.
//!
//! `GDL_ONLY=name` takes all games of the corpus whose names contain `name` (`GDL_ONLY=` all, `GDL_ONLY==name` one) and
//! prints a table: seconds to translate, nodes, edges, verdict; `GDL_SECONDS` is the time for playing one game.
#![allow(clippy::unwrap_used, clippy::panic)] // a test stops at the first surprise

mod common;

use common::oracle::{corpus, oracle};
use common::play::{Compared, Extent, Player, lock_step};
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

/// Games of the corpus that must be lifted, with the most edges that they may have.
const LIFTED: &[(&str, usize)] = &[
    ("3pConnectFour", 550),
    ("amazons", 1_350),
    ("battle", 700),
    ("blokbox_simple", 450),
    ("breakthrough", 100),
    ("breakthroughHoles", 110),
    ("chomp", 110),
    ("connectFour", 320),
    ("eightPuzzle", 220),
    ("hex", 230),
    ("knightThrough", 90),
    ("mineClearingSmall", 1_200),
    ("nim1", 60),
    ("pacman2p", 560),
    ("pawnWhopping", 240),
    ("quarto", 500),
    ("roshambo2", 140),
    ("ticTacToe", 90),
    ("tron_10x10", 220),
];

#[test]
fn lifted_games_agree_with_the_oracle() {
    let Some(corpus) = corpus() else { return };
    let only = std::env::var("GDL_ONLY").ok();
    let seconds = std::env::var("GDL_SECONDS").ok().and_then(|text| text.parse().ok()).unwrap_or(5);
    let wanted: BTreeMap<&str, usize> = LIFTED.iter().copied().collect();
    let mut failures = Vec::new();
    for (game, row) in oracle(&corpus) {
        let chosen = match &only {
            Some(only) => game.contains(only.as_str()) || only.strip_prefix('=') == Some(&game),
            None => wanted.contains_key(game.as_str()),
        };
        let Ok(bytes) = std::fs::read(corpus.join("kif").join(format!("{game}.kif"))) else { continue };
        let (description, _) = gdl::parse(rg_ir::SourceId(0), &String::from_utf8_lossy(&bytes));
        let Some(description) = description.filter(|_| chosen) else { continue };
        let start = Instant::now();
        let Ok(program) = gdl::normal::normalize(&description) else { continue };
        let lifted = gdl::lift(&program);
        let time = start.elapsed().as_secs_f64();
        let limit = wanted.get(game.as_str()).copied();
        let lowered = match lifted {
            Ok(lowered) => lowered,
            Err(reason) => {
                println!("{game} | {time:.2} | no: {}", reason.0);
                failures.extend(limit.map(|_| format!("{game} is not lifted: {}", reason.0)));
                continue;
            }
        };
        let (nodes, edges) = (lowered.game.automaton.node_count(), lowered.game.automaton.edge_count());
        if limit.is_some_and(|limit| edges > limit) {
            failures.push(format!("{game} has {edges} edges"));
        }
        let mut compared = Compared::default();
        let until = Some(Instant::now() + Duration::from_secs(seconds));
        let extent = Extent { steps: u64::MAX, leaves: 5_000, until };
        let agreed = Player::new(lowered).and_then(|player| player.agree(&row, extent, &mut compared));
        let verdict = agreed.map_or_else(
            |error| {
                failures.push(format!("{game}: {error}"));
                format!("FAILED: {error}")
            },
            |()| format!("agrees: {} playouts, perft {}", compared.playouts, compared.depth),
        );
        println!("{game} | {time:.2} {nodes} {edges} | {verdict}");
    }
    assert!(failures.is_empty(), "{failures:#?}");
}

/// Plays all lowerings side by side.
#[test]
fn lifted_games_agree_with_ground_lowering() {
    let library = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games/gdl");
    let mut files: Vec<_> = std::fs::read_dir(library).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let (mut lifted, mut compact) = (0, 0);
    for path in files {
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        let text = std::fs::read_to_string(&path).unwrap();
        let (description, findings) = gdl::parse(rg_ir::SourceId(0), &text);
        let description = description.unwrap_or_else(|| panic!("{name}: {findings:?}"));
        let program = gdl::normal::normalize(&description).unwrap();
        let forms = [gdl::lift(&program), gdl::lift_compact(&program)].map(|form| form.map(Player::new));
        if let [Err(reason), _] = &forms {
            println!("{name} is not lifted: {}", reason.0);
            continue;
        }
        let theirs = Player::new(gdl::translate_ground(&description, gdl::Limits::default()).unwrap()).unwrap();
        lifted += 1;
        for (form, ours) in ["", ", compact"].iter().zip(forms) {
            let Ok(ours) = ours else { continue };
            let ours = ours.unwrap();
            compact += usize::from(!form.is_empty());
            (0..3).for_each(|seed| lock_step(&format!("{name}{form}"), &ours, &theirs, seed));
        }
    }
    assert!(lifted >= 8, "only {lifted} games are lifted");
    assert!(compact >= 8, "only {compact} games are lifted in the compact form");
}

/// Four in a line along some axis: the axis is chosen, and the cells are steps along it, where choosing the cells would be to
/// look at about 42 to the fourth of them.
#[test]
fn a_line_is_looked_for_along_an_axis() {
    let text = include_str!("../../../games/gdl/connectFour.gdl");
    let description = gdl::parse(rg_ir::SourceId(0), text).0.unwrap();
    let lowered =
        gdl::lift(&gdl::normal::normalize(&description).unwrap()).unwrap_or_else(|reason| panic!("{}", reason.0));
    assert!(lowered.work.is_some_and(|work| work < 10_000.0), "{:?}", lowered.work);
}

/// A relation that asks for itself with a constant in the place of an argument, and with an argument that does not matter.
#[test]
fn recursion_with_other_arguments() {
    let text = "(role a) (place 1) (place 2) (place 3) (place 4)
        (edge 1 2) (edge 2 3) (edge 3 4) (edge 4 1) (edge 2 4)
        (init (shut 3)) (init (turn a))
        (<= (legal a (swing ?p)) (place ?p))
        (<= (next (shut ?p)) (does a (swing ?p)) (not (true (shut ?p))))
        (<= (next (shut ?p)) (true (shut ?p)) (does a (swing ?q)) (distinct ?p ?q))
        (next (turn a))
        (<= (way ?x ?y ?z) (edge ?x ?y) (place ?z))
        (<= (way ?x ?y ?z) (edge ?x 2) (not (true (shut 2))) (way 2 ?y ?z))
        (<= (way ?x ?y ?z) (edge ?x ?z) (not (true (shut ?z))) (way ?z ?y ?z))
        (<= (closed ?x) (place ?x) (not (way ?x 4 3)) (not (way ?x 4 1)))
        (<= terminal (closed 1))
        (<= (goal a 100) (way 1 4 3))
        (<= (goal a 0) (not (way 1 4 3)))";
    let description = gdl::parse(rg_ir::SourceId(0), text).0.unwrap();
    let lifted =
        gdl::lift(&gdl::normal::normalize(&description).unwrap()).unwrap_or_else(|reason| panic!("{}", reason.0));
    let ours = Player::new(lifted).unwrap();
    let theirs = Player::new(gdl::translate_ground(&description, gdl::Limits::default()).unwrap()).unwrap();
    (0..8).for_each(|seed| lock_step("ways", &ours, &theirs, seed));
}

/// Rules that ask the same first, and differ in what they ask then: in the compact form that is asked once.
#[test]
fn common_conditions_are_asked_once() {
    let text = "(role a) (cell 1) (cell 2) (cell 3) (cell 4) (init (on 1)) (init (step 1))
        (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5) (succ 5 6) (near 1 2) (near 2 3) (near 3 4) (near 4 1)
        (<= (jump ?x ?y) (true (on ?x)) (near ?x ?y))
        (<= (jump ?x ?y) (true (on ?x)) (near ?y ?x) (not (true (on ?y))))
        (<= (may ?x ?y) (jump ?x ?y) (not (true (on ?y))))
        (<= (may ?x ?y) (jump ?x ?y) (true (on 4)))
        (<= (may ?x ?y) (jump ?x ?y) (true (step ?n)) (succ 3 ?n))
        (<= (legal a (move ?x ?y)) (may ?x ?y))
        (<= (legal a stay))
        (<= (next (on ?y)) (does a (move ?x ?y)))
        (<= (next (on ?z)) (true (on ?z)) (does a (move ?x ?y)))
        (<= (next (on ?z)) (true (on ?z)) (does a stay))
        (<= (next (step ?n)) (true (step ?m)) (succ ?m ?n))
        (<= terminal (true (step 6)))
        (<= (goal a 100) (true (on 3))) (<= (goal a 0) (not (true (on 3))))";
    let description = gdl::parse(rg_ir::SourceId(0), text).0.unwrap();
    let program = gdl::normal::normalize(&description).unwrap();
    let (plain, compact) = (gdl::lift(&program).unwrap(), gdl::lift_compact(&program).unwrap());
    let edges = [&plain, &compact].map(|lowered| lowered.game.automaton.edge_count());
    assert!(edges[1] < edges[0], "{edges:?}");
    let [plain, compact] = [plain, compact].map(|lowered| Player::new(lowered).unwrap());
    (0..8).for_each(|seed| lock_step("jumps", &compact, &plain, seed));
}

/// A piece that is put on cells whatever is there is a kind of fluents of its own; conditions on any piece, on a known one,
/// and on the absence of one mean the same as before.
#[test]
fn pieces_that_are_apart() {
    let count = |name: &str, count: u32| (0..count).map(|n| format!("({name} {}{n})", &name[..1])).collect::<String>();
    let near: String = (0..40).map(|n| format!("(near c{n} c{})", (n + 1) % 40)).collect();
    let pieces: String = (0..30).map(|n| format!("(init (on p{n} c{}))", (7 * n + 3) % 40)).collect();
    let steps: String = (0..25).map(|n| format!("(succ {n} {})", n + 1)).collect();
    let text = format!(
        "(role a) {} {} {near} {steps} (heavy p0) (heavy p1) (init (step 0))
         {pieces}
         (<= (legal a (move ?c ?d)) (true (on ?p ?c)) (near ?c ?d) (not (heavy ?p)))
         (<= (legal a (move ?c ?d)) (true (on ?p ?c)) (heavy ?p) (near ?c ?d) (not (true (on ?p ?d))))
         (<= (legal a (drop ?c)) (near c1 ?c)) (<= (legal a (drop ?c)) (near ?c c0))
         (<= (legal a (call ?p)) (piece ?p) (heavy ?p) (not (true (on ?p c2))))
         (<= (changed ?c) (does a (move ?c ?d)))
         (<= (changed ?d) (does a (move ?c ?d)))
         (<= (next (on ?p ?d)) (does a (move ?c ?d)) (true (on ?p ?c)))
         (<= (next (on p0 ?c)) (does a (drop ?c)))
         (<= (next (on ?p ?c)) (true (on ?p ?c)) (not (changed ?c)))
         (<= (next (step ?n)) (true (step ?m)) (succ ?m ?n))
         (<= both (true (on p0 ?c)) (true (on ?p ?c)) (distinct ?p p0))
         (<= terminal (true (step 25)))
         (<= (goal a 100) both) (<= (goal a 0) (not both))",
        count("piece", 30),
        count("cell", 40)
    );
    let description = gdl::parse(rg_ir::SourceId(0), &text).0.unwrap();
    let program = gdl::normal::normalize(&description).unwrap();
    let (plain, compact) = (gdl::lift(&program).unwrap(), gdl::lift_compact(&program).unwrap());
    assert!(plain.structure.iter().any(|(subject, _)| subject == "on p0"), "{:?}", plain.structure);
    let theirs = Player::new(gdl::translate_ground(&description, gdl::Limits::default()).unwrap()).unwrap();
    for ours in [plain, compact].map(|lowered| Player::new(lowered).unwrap()) {
        (0..8).for_each(|seed| lock_step("pieces", &ours, &theirs, seed));
    }
}

/// Whether a costly relation holds of anything is found out once per state in the compact form, before anybody asks.
#[test]
fn what_costs_much_is_remembered() {
    let chain: String = (0..30).map(|n| format!("(after c{n} c{})", n + 1)).collect();
    let text = format!(
        "(role a) {chain} (init (on c1)) (init (on c9)) (init (shut c5)) (init (lit c1)) (init (lit c9))
         (<= (cell ?x) (after ?x ?y))
         (<= (way ?x ?y) (after ?x ?y) (not (true (shut ?y))))
         (<= (way ?x ?y) (after ?x ?z) (not (true (shut ?z))) (way ?z ?y))
         (<= (meets ?x ?y) (true (on ?x)) (true (on ?y)) (true (lit ?x)) (not (true (lit ?y))) (way ?x ?y))
         (<= (meets ?x ?y) (true (on ?x)) (true (on ?y)) (true (lit ?x)) (true (lit ?y)) (way ?x ?y))
         (<= (next (lit ?x)) (does a (close ?x)))
         (<= (next (lit ?x)) (true (lit ?x)))
         (<= met (meets ?x ?y))
         (<= (legal a (open ?x)) (true (shut ?x)))
         (<= (legal a (close ?x)) (cell ?x) met (not (true (on ?x))))
         (<= (legal a (go ?x ?y)) (meets ?x ?y))
         (<= (legal a (go ?x ?y)) (true (on ?x)) (after ?x ?y) (not met))
         (<= (next (shut ?x)) (does a (close ?x)))
         (<= (next (shut ?x)) (true (shut ?x)) (not (does a (open ?x))))
         (<= (next (on ?y)) (does a (go ?x ?y)))
         (<= (next (on ?x)) (true (on ?x)) (not (leaves ?x)))
         (<= (leaves ?x) (does a (go ?x ?y)))
         (<= terminal (true (on c30)))
         (<= (goal a 100) met) (<= (goal a 0) (not met))"
    );
    let description = gdl::parse(rg_ir::SourceId(0), &text).0.unwrap();
    let compact = gdl::lift_compact(&gdl::normal::normalize(&description).unwrap()).unwrap();
    let names: Vec<&str> = compact.game.vars.iter().map(|(_, var)| compact.game.name(var.name)).collect();
    assert!(names.iter().any(|name| name.starts_with("some_meet") || *name == "some_met"), "{names:?}");
    let ours = Player::new(compact).unwrap();
    let theirs = Player::new(gdl::translate_ground(&description, gdl::Limits::default()).unwrap()).unwrap();
    (0..8).for_each(|seed| lock_step("ways", &ours, &theirs, seed));
}

/// Men slide along a ring and take what they meet; what a move says about them is carried along by relations that depend on
/// themselves. That a cell has one man, and that there is one count, follows from what these ask for at first; which cells a
/// move clears is known without looking into them.
#[test]
fn what_relations_carry_along() {
    let text = "(role white) (role black) (init (turn white)) (init (count 0))
        (up 0 1) (up 1 2) (up 2 3) (up 3 4) (up 4 5) (up 5 6) (up 6 7) (up 7 8)
        (after a b) (after b c) (after c d) (after d e) (after e f) (after f a)
        (of white w) (of black m) (foe white m) (foe black w)
        (init (on a w)) (init (on b w)) (init (on d m)) (init (on e m))
        (<= (taken ?c) (true (on ?c ?v)))
        (<= (counted ?n) (true (count ?m)) (up ?m ?n))
        (<= (starts ?r ?c ?v ?n) (true (turn ?r)) (of ?r ?v) (true (on ?c ?v)) (counted ?n))
        (<= (slides ?r ?c ?d ?v ?n) (starts ?r ?c ?v ?n) (after ?c ?d))
        (<= (slides ?r ?c ?e ?v ?n) (slides ?r ?c ?d ?v ?n) (not (taken ?d)) (after ?d ?e))
        (<= (ends ?r ?c ?d ?v ?n) (slides ?r ?c ?d ?v ?n) (not (taken ?d)))
        (<= (ends ?r ?c ?d ?v ?n) (slides ?r ?c ?d ?v ?n) (foe ?r ?w) (true (on ?d ?w)))
        (<= (legal ?r (go ?c ?d)) (ends ?r ?c ?d ?v ?n))
        (<= (legal ?r wait) (role ?r) (not (true (turn ?r))))
        (<= (legal ?r pass) (true (turn ?r)))
        (<= (made ?c ?d ?v ?n) (does ?r (go ?c ?d)) (ends ?r ?c ?d ?v ?n))
        (<= (changed ?c) (made ?c ?d ?v ?n)) (<= (changed ?d) (made ?c ?d ?v ?n))
        (<= (next (on ?d ?v)) (made ?c ?d ?v ?n))
        (<= (next (on ?c ?v)) (true (on ?c ?v)) (not (changed ?c)))
        (<= counts (made ?c ?d ?v ?n))
        (<= (next (count ?n)) (made ?c ?d ?v ?n))
        (<= (next (count ?n)) (true (count ?n)) (not counts))
        (<= (next (turn white)) (true (turn black))) (<= (next (turn black)) (true (turn white)))
        (<= left (true (on ?c m)))
        (<= terminal (true (count 8))) (<= terminal (not left))
        (<= (goal white 100) (not left)) (<= (goal white 50) left) (<= (goal black 0) (not left)) (<= (goal black 50) left)";
    let (description, findings) = gdl::parse(rg_ir::SourceId(0), text);
    let description = description.unwrap_or_else(|| panic!("{findings:?}"));
    let program = gdl::normal::normalize(&description).unwrap();
    let theirs = Player::new(gdl::translate_ground(&description, gdl::Limits::default()).unwrap()).unwrap();
    for lifted in [gdl::lift(&program).unwrap(), gdl::lift_compact(&program).unwrap()] {
        for wanted in ["at most one value of 2 for each of 6 keys", "at most one value of 9 for each of 1 keys"] {
            assert!(lifted.structure.iter().any(|(_, line)| line == wanted), "{:?}", lifted.structure);
        }
        let ours = Player::new(lifted).unwrap();
        (0..20).for_each(|seed| lock_step("what relations carry along", &ours, &theirs, seed));
    }
}
