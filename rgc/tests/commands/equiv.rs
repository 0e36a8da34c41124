//! `rgc equiv`: games against their translations, against other descriptions, and against games that differ a little.

use crate::support::{Scratch, game, json_lines, rgc, snapshot};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// A small race of SBG: three pawns each.
const PAWNS: &str = "\
<<Pawns>>
<BOARD>
3 4
|ppp|
|...|
|...|
|PPP|
<PIECES>
P (0,1,e) + (-1,1,p) + (1,1,p) &
<GOALS>
40 &
@P 0 3, 1 3, 2 3 &
@p 0 0, 1 0, 2 0 &
";

/// The verdict on two files; the exit code must go with it.
fn verdict(first: &str, second: &str, more: &[&str]) -> Value {
    let run = rgc([&["equiv", first, second, "--json"], more].concat());
    let verdict = json_lines(&run.stdout).pop().unwrap_or_else(|| panic!("{}", run.stderr));
    assert_eq!(run.code, if verdict["equal"] == true { 0 } else { 1 }, "{verdict}");
    assert_eq!(verdict["difference"].is_null(), verdict["equal"] == true, "{verdict}");
    verdict
}

fn translated(scratch: &Scratch, file: &str, target: &str, name: &str) -> String {
    let path = scratch.path(name);
    rgc(["translate", file, "--to", target, "-o", &path]).output();
    path
}

#[test]
fn a_game_is_the_same_as_its_translations() {
    let scratch = Scratch::new("equiv-translations");
    let pawns = scratch.path("pawns.sbg");
    fs::write(&pawns, PAWNS).unwrap();
    let few = ["--positions", "300", "--plays", "20"];
    for file in [pawns, game("rbg/breakthrough.rbg"), game("rg/race.rg")] {
        let rg = translated(&scratch, &file, "rg", "translated.rg");
        let json = translated(&scratch, &file, "json", "translated.json");
        for other in [&file, &rg, &json] {
            let found = verdict(&file, other, &few);
            assert_eq!(found["equal"], true, "{file} {other}: {found}");
            assert_ne!(found["criterion"], "shape", "{file} {other}: {found}");
        }
    }
    let file = game("rbg/connectFour.rbg");
    let low = translated(&scratch, &file, "ll-rbg", "low.rbg");
    assert_eq!(verdict(&file, &low, &few)["criterion"], "notation");
}

#[test]
fn games_whose_moves_have_other_names() {
    let found =
        verdict(&game("rg/ticTacToe.rg"), &game("rbg/ticTacToe.rbg"), &["--positions", "200000", "--plays", "0"]);
    assert_eq!(
        (&found["equal"], &found["criterion"], &found["complete"]),
        (&true.into(), &"bijection".into(), &true.into())
    );
    let scratch = Scratch::new("equiv-names");
    let text = fs::read_to_string(game("rg/ticTacToe.rg")).unwrap();
    // Who has three in a row loses.
    let other = text
        .replace("goals[mover] = 100", "goals[mover] = 0")
        .replace("goals[rival[mover]] = 0", "goals[rival[mover]] = 100");
    assert_ne!(text, other);
    let file = scratch.path("misere.rg");
    fs::write(&file, other).unwrap();
    let found = verdict(&file, &game("rbg/ticTacToe.rbg"), &["--positions", "200000", "--plays", "0"]);
    assert_eq!((&found["equal"], &found["criterion"]), (&false.into(), &"shape".into()));
    assert_eq!(found["difference"]["first"].as_array().unwrap().len(), 5);
    assert_eq!(found["difference"]["second"].as_array().unwrap().len(), 5);
    assert!(found["difference"]["what"].as_str().unwrap().contains("scores"));
}

#[test]
fn a_changed_rule_is_told_by_a_shortest_play() {
    let scratch = Scratch::new("equiv-changed");
    let pawns = scratch.path("pawns.sbg");
    fs::write(&pawns, PAWNS).unwrap();
    let cases = [
        ("(-1,1,p) + ", "", 2, "legal moves"),
        ("40 &", "3 &", 3, "over with scores 50, 50"),
        ("@p 0 0, ", "@p ", 6, "over with scores"),
        ("|PPP|", "|PP.|", 0, "legal moves"),
    ];
    for (old, new, length, what) in cases {
        let changed = scratch.path("changed.sbg");
        assert!(PAWNS.contains(old));
        fs::write(&changed, PAWNS.replace(old, new)).unwrap();
        let found = verdict(&pawns, &changed, &["--positions", "100000"]);
        assert_eq!(found["equal"], false, "{new}");
        assert!(found["difference"]["what"].as_str().unwrap().contains(what), "{new}: {found}");
        assert_eq!(found["difference"]["first"].as_array().unwrap().len(), length, "{new}: {found}");
        // The play can be played in both games.
        let play: Vec<&str> =
            found["difference"]["first"].as_array().unwrap().iter().map(|m| m.as_str().unwrap()).collect();
        for file in [&pawns, &changed] {
            rgc(["moves", file, "--play", &play.join(";")]).output();
        }
    }
}

#[test]
fn random_plays_go_beyond_the_positions() {
    let scratch = Scratch::new("equiv-random");
    let pawns = scratch.path("pawns.sbg");
    let changed = scratch.path("changed.sbg");
    fs::write(&pawns, PAWNS).unwrap();
    fs::write(&changed, PAWNS.replace("@p 0 0, 1 0, 2 0", "@p 0 0")).unwrap();
    let found = verdict(&pawns, &changed, &["--positions", "1", "--plays", "200"]);
    assert_eq!(found["equal"], false, "{found}");
}

#[test]
fn text_for_people() {
    let (rg, rbg) = (game("rg/ticTacToe.rg"), game("rbg/connectFour.rbg"));
    let run = rgc(["equiv", &rg, &rbg]);
    assert_eq!((run.code, run.stderr.as_str()), (1, ""));
    assert!(run.stdout.starts_with("different games"), "{}", run.stdout);
    let run = rgc(["equiv", &rg, &rg, "--positions", "100", "--plays", "3"]).success();
    assert!(run.starts_with("no difference found"), "{run}");
}

/// The games of the library that are there in several languages: their paths by name.
fn versions() -> BTreeMap<String, Vec<String>> {
    let mut versions: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let entries = |folder: &Path| {
        let mut paths: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
        paths.sort();
        paths
    };
    for folder in entries(Path::new(&game(""))).into_iter().filter(|path| path.is_dir()) {
        // Descriptions that games are generated from are no games.
        let is_game = |path: &PathBuf| path.extension().is_some_and(|extension| extension != "txt");
        for path in entries(&folder).into_iter().filter(is_game) {
            let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
            versions.entry(name).or_default().push(path.to_str().unwrap().to_owned());
        }
    }
    versions.retain(|_, paths| paths.len() > 1);
    versions
}

fn language(path: &str) -> &str {
    Path::new(path).extension().unwrap().to_str().unwrap()
}

/// Few positions, so that the test is quick; whoever changes a game looks further.
#[test]
fn versions_of_a_game_in_several_languages() {
    let versions = versions();
    let mut pairs = Vec::new();
    for (name, paths) in &versions {
        for (index, second) in paths.iter().enumerate() {
            pairs.extend(paths[..index].iter().map(|first| (name, first, second)));
        }
    }
    let line = |&(name, first, second): &(&String, &String, &String)| {
        let found = verdict(first, second, &["--positions", "50", "--plays", "1"]);
        assert_eq!(found["equal"], true, "{first} {second}: {found}");
        format!("{name} {} {}: {}\n", language(first), language(second), found["criterion"].as_str().unwrap())
    };
    snapshot("equiv_versions", &testgen::parallel(&pairs, line).concat());
}

/// The play of a difference, which must be playable in both games, each in its own notation.
fn difference(files: [&str; 2], found: &Value) -> [Vec<String>; 2] {
    assert_eq!(found["equal"], false, "{found}");
    let plays = ["first", "second"].map(|side| {
        let play = found["difference"][side].as_array().unwrap();
        play.iter().map(|text| text.as_str().unwrap().to_owned()).collect::<Vec<_>>()
    });
    for (file, play) in files.into_iter().zip(&plays) {
        rgc(["moves", file, "--play", &play.join(";")]).output();
    }
    plays
}

#[test]
fn a_changed_rule_shows_in_another_language() {
    let scratch = Scratch::new("equiv-languages");
    let changed = scratch.path("changed.sbg");
    // A rule, the game that it is changed in, and the least length of a play that shows it.
    let cases = [
        ("(-1,1,e) + ", "", "breakthrough", 0),
        ("(1,1,p)", "(1,1,p) + (0,1,p)", "breakthrough", 3),
        ("(2,1,e) + ", "", "knightthrough", 0),
        ("|NNNNNNNN|\n<", "|NNNNNNN.|\n<", "knightthrough", 0),
    ];
    for (old, new, name, length) in cases {
        let file = game(&format!("sbg/{name}.sbg"));
        let text = fs::read_to_string(&file).unwrap();
        assert!(text.contains(old), "{old}");
        fs::write(&changed, text.replacen(old, new, 1)).unwrap();
        let other = game(&format!("rbg/{name}.rbg"));
        let found = verdict(&other, &changed, &["--positions", "3000", "--plays", "20"]);
        let [first, second] = difference([&other, &changed], &found);
        assert!(first.len() == second.len() && first.len() >= length, "{old}: {found}");
    }
}

#[test]
fn a_change_that_shows_late() {
    let scratch = Scratch::new("equiv-late");
    let changed = scratch.path("changed.sbg");
    let text = fs::read_to_string(game("sbg/breakthrough.sbg")).unwrap();
    fs::write(&changed, text.replace("@P 0 7, ", "@P ")).unwrap();
    let other = game("rbg/breakthrough.rbg");
    let found = verdict(&other, &changed, &["--positions", "2000", "--plays", "100"]);
    assert_eq!(found["criterion"], "bijection", "{found}");
    let [first, _] = difference([&other, &changed], &found);
    assert!(first.last().unwrap().ends_with("a8"), "{found}");
    assert!(
        found["difference"]["what"].as_str().unwrap().starts_with("the game is over with scores 100, 0"),
        "{found}"
    );
}

/// A player takes two things in one move, and wins if they are the same.
const TAKE: &str = "\
type Player = { a, b };
type Score = { 0, 1 };
type Thing = { x, y, z };
var one: Thing = x;
var two: Thing = x;
begin, m: player = a;
m, n: one = Thing(*);
n, o: $$ one;
o, p: ;
p, q: two = Thing(*);
q, r: $$ two;
r, s: player = b;
s, t: $ t;
t, u: one == two;
t, v: one != two;
u, w: goals[a] = 1;
v, w: goals[b] = 1;
w, end: player = keeper;
";

#[test]
fn counts_where_no_moves_correspond() {
    let scratch = Scratch::new("equiv-counts");
    let [file, split, unfair] = ["take.rg", "split.rg", "unfair.rg"].map(|name| scratch.path(name));
    fs::write(&file, TAKE).unwrap();
    fs::write(&split, TAKE.replace("o, p: ;", "o, p: player = a;")).unwrap();
    let other = TAKE.replace("o, p: ;", "o, p: player = a;").replace("q, r: $$ two;", "q, r: $$ two; q, r: one != z;");
    fs::write(&unfair, other.replace("one != z", "two == x")).unwrap();
    // There is no bijection, and the number of moves differs.
    let found = verdict(&file, &split, &[]);
    assert_eq!(found["difference"]["what"].as_str().map(|what| what.contains("9 legal moves")), Some(true), "{found}");
    let found = verdict(&file, &split, &["--by", "counts"]);
    assert_eq!((&found["equal"], &found["criterion"]), (&true.into(), &"counts".into()));
    let statistics = &found["statistics"];
    assert_eq!((&statistics["plays"], &statistics["plies_agree"]), (&2000.into(), &false.into()));
    assert!(statistics["chi_square"].as_f64() < statistics["threshold"].as_f64());
    let shown = rgc(["equiv", &file, &split, "--by", "counts"]).success();
    assert!(shown.starts_with("no difference in counts (statistical, moves not matched)\n"), "{shown}");
    assert!(shown.contains("playouts of 2.0 / 3.0 moves on average, so their numbers were not compared"), "{shown}");
    // Other scores: always a draw of luck for `b`.
    let rare =
        TAKE.replace("t, u: one == two;", "t, u: one == two; t, u: one != two;").replace("t, v: one != two;", "");
    fs::write(&unfair, rare.replace("v, w: goals[b] = 1;", "")).unwrap();
    let found = verdict(&split, &unfair, &["--by", "counts"]);
    assert_eq!(found["equal"], false, "{found}");
    assert!(found["difference"]["what"].as_str().unwrap().contains("of 2000 playouts"), "{found}");
    // Equal lengths: numbers of move sequences are compared, and the difference has a play.
    fs::write(&unfair, TAKE.replace("s, t: $ t;", "s, t: $ t; s, t: $ u;")).unwrap();
    let found = verdict(&file, &unfair, &["--by", "counts"]);
    let [first, _] = difference([&file, &unfair], &found);
    assert_eq!(first.len(), 1, "{found}");
}

#[test]
fn whole_plays_are_compared_by_counts_if_they_cannot_be_matched() {
    // Moves of one version name a direction, those of the other a target.
    let files = [game("rg/breakthrough.rg"), game("sbg/breakthrough.sbg")];
    let [rg, sbg] = &files;
    let found = verdict(rg, sbg, &["--positions", "1000", "--plays", "20"]);
    let statistics = &found["statistics"];
    assert_eq!((&found["criterion"], &statistics["plies_agree"]), (&"shape".into(), &true.into()), "{found}");
    assert!(statistics["depth"].as_u64() >= found["depth"].as_u64(), "{found}");
    // White wins every play: that shows at the ends only.
    let scratch = Scratch::new("equiv-scores");
    let other = scratch.path("white.rg");
    let text = fs::read_to_string(rg).unwrap();
    assert!(text.contains("goals[mover] = 100"));
    fs::write(&other, text.replace("goals[mover] = 100", "goals[white] = 100")).unwrap();
    let found = verdict(&other, sbg, &["--positions", "1000", "--plays", "20"]);
    assert_eq!((&found["equal"], &found["criterion"]), (&false.into(), &"counts".into()), "{found}");
}

#[test]
fn a_criterion_can_be_asked_for() {
    let (rg, rbg) = (game("rg/ticTacToe.rg"), game("rbg/ticTacToe.rbg"));
    for (criterion, equal) in
        [("notation", false), ("tags", false), ("bijection", true), ("shape", true), ("counts", true)]
    {
        let found = verdict(&rg, &rbg, &["--by", criterion, "--positions", "300", "--plays", "20"]);
        assert_eq!((&found["equal"], &found["criterion"]), (&equal.into(), &criterion.into()), "{found}");
    }
    assert_eq!(rgc(["equiv", &rg, &rbg, "--by", "guess"]).code, 2);
    let found = verdict(&rg, &game("rbg/connectFour.rbg"), &["--by", "bijection"]);
    assert!(found["difference"]["what"].as_str().unwrap().contains("legal moves"), "{found}");
}

#[test]
fn ambiguous_games() {
    let scratch = Scratch::new("equiv-ambiguous");
    let file = scratch.path("ambiguous.rg");
    let text = TAKE.replace("n, o: $$ one;", "n, o: $ one;");
    fs::write(&file, &text).unwrap();
    let json = scratch.path("ambiguous.json");
    assert_eq!(rgc(["equiv", &file, &file]).code, 1);
    rgc(["translate", &file, "--to", "json", "-o", &json]).output(); // with a warning
    let found = verdict(&file, &json, &["--ambiguous", "split"]);
    assert_eq!((&found["equal"], &found["complete"]), (&true.into(), &true.into()), "{found}");
    fs::write(&json, text.replace("t, u: one == two;", "t, u: one == two; t, u: one == z;")).unwrap();
    let found = verdict(&file, &json, &["--ambiguous", "split", "--from", "rg"]);
    assert_eq!(found["equal"], false, "{found}");
}

/// A move in several steps of a player is the move whose tags these are one after the other; nothing else is.
#[test]
fn moves_in_steps() {
    let few = ["--by", "steps", "--positions", "40", "--plays", "1"];
    let (whole, split) = (game("hrg/amazons.hrg"), game("hrg/amazonsSplit.hrg"));
    let found = verdict(&whole, &split, &few);
    assert_eq!((&found["equal"], &found["criterion"]), (&true.into(), &"steps".into()), "{found}");
    // Moves of the second game are no parts of moves of the first.
    assert_eq!(verdict(&split, &whole, &few)["equal"], false);
    let scratch = Scratch::new("equiv-steps");
    let rules = "
type Player = { a, b }; type Score = { 0, 100 }; var goals: Player -> Score = { :0 };
begin, m: player = a; m, n: $ go; n, o: $ left; n, o: $ right; o, p: player = b; p, q: $ go; q, r: goals[a] = 100; r, end: player = keeper;";
    let (first, second) = (scratch.path("whole.rg"), scratch.path("steps.rg"));
    fs::write(&first, rules).unwrap();
    let parts = rules.replace("m, n: $ go;", "m, n0: $ go; n0, n: player = a;");
    for (rules, equal) in [
        (parts.clone(), true),
        (parts.replace("n, o: $ left;", ""), false),
        (parts.replace("n, o: $ left;", "n, o: $ up;"), false),
        (parts.replace("n0, n: player = a;", "n0, n: player = b;"), false),
        (parts.replace("n, o: $ left;", "n, o: $ left; n, o1: $ on; o1, o: player = a;"), false),
        (rules.replace("goals[a]", "goals[b]"), false),
    ] {
        fs::write(&second, &rules).unwrap();
        assert_eq!(verdict(&first, &second, &["--by", "steps"])["equal"], equal, "{rules}");
    }
}

/// Whether `a` is a move or half of one cannot be seen where the same player moves next: that is no difference.
#[test]
fn moves_that_may_go_on_are_left_out() {
    let scratch = Scratch::new("equiv-open-steps");
    let [first, second] = [("whole.rg", ""), ("steps.rg", "player = p")].map(|(name, again)| {
        let rules = format!(
            "type Player = {{ p }}; type Score = {{ 0, 1 }}; type Bit = {{ 0, 1 }}; var round: Bit = 0;
             begin, x: player = p; x, y: $ a; y, on: {again}; on, k: ; on, z: $ b; z, k: ; k, m: player = keeper;
             m, again: round == 0; again, begin: round = 1; m, last: round == 1; last, end: player = keeper;"
        );
        let path = scratch.path(name);
        fs::write(&path, rules).unwrap();
        path
    });
    let found = verdict(&first, &second, &["--by", "steps"]);
    assert_eq!(
        (&found["equal"], &found["positions"], &found["undecided"]),
        (&true.into(), &0.into(), &101.into()),
        "{found}"
    );
    let text = rgc(["equiv", &first, &second, "--by", "steps", "--plays", "0"]).stdout;
    assert!(text.contains("1 position left out: words do not say which steps are which move"), "{text}");
}
