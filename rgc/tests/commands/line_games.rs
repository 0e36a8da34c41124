//! `rgc generate line-game`: the 21 published line games from the short descriptions in `games/line`, and the command itself.

use crate::support::{Scratch, game, json_lines, rgc, rgc_with_input, snapshot};
use generate::line::{Board, Description, Player};
use rg_ir::SourceId;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// The published games; `None`, with a message, where the corpus is missing.
fn published() -> Option<PathBuf> {
    let root = std::env::var_os("RGC_CORPUS")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/corpus"), PathBuf::from);
    let folder = root.join("hrg-line");
    if !folder.exists() {
        println!("skipped: there is no corpus at {}", root.display());
        return None;
    }
    Some(folder)
}

/// The names of the files in a folder, without extension.
fn names(folder: &Path) -> BTreeSet<String> {
    let names = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path().file_stem().unwrap().to_owned());
    names.map(|name| name.into_string().unwrap()).collect()
}

/// The verdict of `rgc equiv`.
fn verdict(first: &str, second: &str, more: &[&str]) -> serde_json::Value {
    let run = rgc([&["equiv", first, second, "--json"], more].concat());
    json_lines(&run.stdout).pop().unwrap_or_else(|| panic!("{first}: {}", run.stderr))
}

/// All descriptions give the published game, as `rgc equiv` finds. Six of the published games are ambiguous: a player who can
/// capture on may go on or stop, and no tag tells which.
#[test]
fn the_published_games_are_reproduced() {
    let Some(folder) = published() else { return };
    let scratch = Scratch::new("line-games");
    assert_eq!(names(&folder), names(Path::new(&game("line"))));
    for name in names(&folder) {
        let ours = scratch.path(&format!("{name}.hrg"));
        rgc(["generate", "line-game", &game(&format!("line/{name}.txt")), "-o", &ours]).success();
        let theirs = folder.join(format!("{name}.hrg"));
        let budget = ["--ambiguous", "split", "--positions", "200", "--plays", "5"];
        let found = verdict(&ours, theirs.to_str().unwrap(), &budget);
        assert_eq!(found["equal"], true, "{name}: {found}");
    }
}

/// The same with moves matched by name, to the end of random plays: points and directions of the published games are renamed by
/// following the lines of both boards, and moves of the ambiguous ones get the tags that ours have.
#[test]
fn the_published_games_are_reproduced_move_by_move() {
    let Some(folder) = published() else { return };
    let scratch = Scratch::new("line-games-by-name");
    for name in names(&folder) {
        let description = fs::read_to_string(game(&format!("line/{name}.txt"))).unwrap();
        let board = Description::read(SourceId(0), &description).unwrap().board;
        let ours = generate::line::generate(SourceId(0), &description).unwrap();
        let theirs = fs::read_to_string(folder.join(format!("{name}.hrg"))).unwrap();
        let (ours, theirs) = renamed(&board, &ours, &theirs).unwrap_or_else(|| panic!("{name}: other boards"));
        compare(&scratch, &name, [&ours, &theirs], "4");
        // Their limits are reached by few random plays, so lower ones are compared, too.
        let most = Player::ALL.map(|player| board.pieces(player)).into_iter().max().unwrap() + 2;
        let [ours, theirs] = [ours, theirs].map(|text| {
            ["0..L", "< L", "I(L)", "T(L)"].into_iter().fold(text, |text, place| {
                let with = |limit: &str| place.replace('L', limit);
                text.replace(&with("1250"), &with(&most.to_string())).replace(&with("100"), &with(&most.to_string()))
            })
        });
        compare(&scratch, &name, [&ours, &theirs], "20");
    }
}

/// Two games are the same, with moves matched by their tags.
fn compare(scratch: &Scratch, name: &str, [ours, theirs]: [&str; 2], plays: &str) {
    let [ours, theirs] = [("ours", ours), ("theirs", theirs)].map(|(side, text)| {
        let file = scratch.path(&format!("{name}-{side}.hrg"));
        fs::write(&file, text).unwrap();
        file
    });
    let found = verdict(&ours, &theirs, &["--by", "tags", "--positions", "500", "--plays", plays]);
    assert_eq!((&found["equal"], &found["criterion"]), (&true.into(), &"tags".into()), "{name}: {found}");
    assert_eq!((found["plays"].to_string().as_str(), &found["undecided"]), (plays, &0.into()), "{name}: {found}");
}

/// Both games with the same names for points, directions and kinds of moves; `None` if the boards, with the pieces on them, are not the same.
fn renamed(board: &Board, ours: &str, theirs: &str) -> Option<(String, String)> {
    let line = |start: &str| theirs.lines().find_map(|line| line.strip_prefix(start)).unwrap();
    let points: Vec<&str> = line("domain Position =").split('|').map(str::trim).collect();
    let directions: Vec<&str> =
        theirs.lines().filter_map(|line| line.strip_prefix("dirs(S(")?.split(" = ").nth(1)).collect();
    let mut next: BTreeMap<(&str, &str), &str> = BTreeMap::new();
    for line in theirs.lines() {
        let Some((call, to)) = line.split_once(" = ") else { continue };
        let Some((direction, from)) = call.split_once('(') else { continue };
        let (direction, from) = (direction.trim(), from.trim_end_matches(')'));
        if directions.contains(&direction) && points.contains(&from) && to != "null" {
            next.insert((direction, from), to.trim());
        }
    }
    // Directions of drawings are called by the points of the compass in both; rays and circles come in the same order.
    let pairs: Vec<(usize, &str)> = (board.directions.iter().enumerate())
        .map(|(at, direction)| {
            (
                at,
                if direction.vector.is_some() {
                    directions[theirs_of(&directions, &direction.name)]
                } else {
                    directions[at]
                },
            )
        })
        .collect();
    assert_eq!(pairs.len(), directions.len());
    let piece = |point: &str| {
        let found =
            theirs.lines().find_map(|line| line.trim().strip_prefix(&format!("{point} = "))?.strip_suffix_of_piece());
        found.unwrap_or('.')
    };
    let same = points.iter().find_map(|anchor| followed(board, &pairs, &next, anchor, points.len()))?;
    let agree = |(ours, theirs): (&usize, &&str)| {
        board.points[*ours].piece.map_or('.', |piece| piece.letter()) == piece(theirs)
    };
    if !same.iter().all(agree) {
        return None;
    }
    let mut theirs = theirs.replace(line("domain Position ="), " NAMES");
    // Longer names first: `cy1x1` begins like `cy1x10`.
    let mut by_length: Vec<(usize, &str)> = same.into_iter().collect();
    by_length.sort_by_key(|(_, name)| std::cmp::Reverse(name.len()));
    for (at, name) in by_length {
        let (column, row) = board.points[at].term.unwrap_or((99, 99));
        theirs = theirs.replace(name, &if column == 99 { "centre".to_owned() } else { format!("P({column}, {row})") });
    }
    let domain = ours.split("domain Point =").nth(1)?.split("domain").next()?;
    theirs = theirs.replace(" NAMES", domain).replace("$ NORMAL", "$ step").replace("$ CAPTURE", "$ jump");
    theirs = theirs.replace("branch {} or {break()}", "branch { $ more } or {break()}");
    theirs = theirs.replace("      player = me\n    }", "      player = me $$ pos $ jump\n    }");
    let mut ours = ours.to_owned();
    let names: Vec<String> = (0..directions.len()).map(|at| format!("d{at}")).collect();
    theirs = theirs.replace(
        &format!("domain DirIndex = S(X) where X in 0..{}", names.len() - 1),
        &format!("domain DirIndex = {}", names.join(" | ")),
    );
    for (at, direction) in directions.iter().enumerate() {
        theirs = theirs.replace(&format!("dirs(S({at})) = {direction}"), &format!("dirs(d{at}) = {direction}"));
    }
    // `north` is a part of `northeast`.
    let mut pairs = pairs;
    pairs.sort_by_key(|&(at, _)| std::cmp::Reverse(board.directions[at].name.len()));
    for (at, name) in pairs {
        let index = directions.iter().position(|direction| *direction == name)?;
        ours = ours.replace(&board.directions[at].name, &format!("d{index}"));
    }
    Some((ours, theirs))
}

fn theirs_of(directions: &[&str], name: &str) -> usize {
    directions.iter().position(|direction| *direction == name).unwrap()
}

/// The letter of a piece of a published game.
trait PieceName {
    fn strip_suffix_of_piece(self) -> Option<char>;
}

impl PieceName for &str {
    fn strip_suffix_of_piece(self) -> Option<char> {
        self.trim_end_matches(';').strip_suffix("Pawn")?.chars().next()
    }
}

/// Which of their points is which of ours, if our first one is their `anchor`: all lines of both boards lead to points that are the same.
fn followed<'t>(
    board: &Board,
    directions: &[(usize, &str)],
    next: &BTreeMap<(&str, &str), &'t str>,
    anchor: &&'t str,
    count: usize,
) -> Option<BTreeMap<usize, &'t str>> {
    let mut same: BTreeMap<usize, &str> = BTreeMap::from([(0, *anchor)]);
    let mut open = vec![0];
    while let Some(point) = open.pop() {
        for &(at, direction) in directions {
            match (board.next(at, point), next.get(&(direction, same[&point]))) {
                (None, None) => {}
                (Some(ours), Some(&theirs)) => match same.get(&ours) {
                    Some(known) if *known != theirs => return None,
                    Some(_) => {}
                    None => {
                        same.insert(ours, theirs);
                        open.push(ours);
                    }
                },
                _ => return None,
            }
        }
    }
    let distinct: BTreeSet<&&str> = same.values().collect();
    (board.points.len() == count && same.len() == count && distinct.len() == count).then_some(same)
}

/// Changes of boards and rules are found in the same way, so that the tests above say something.
#[test]
fn other_games_are_told_from_the_published_ones() {
    let scratch = Scratch::new("line-games-other");
    let text =
        "board: grid 3x3, diagonals\nsetup: 3b w . b 3w\ncapture: optional\nchain: none\nlimit: 9 turns, majority\n";
    let [file, other] = ["game.hrg", "other.hrg"].map(|name| scratch.path(name));
    let generate = |text: &str, file: &str| {
        rgc_with_input(["generate", "line-game", "-", "-o", file, "--force"], text).success();
    };
    generate(text, &file);
    for (from, to) in [
        (", diagonals", ", all diagonals"),
        ("w . b", "b . w"),
        ("optional", "forced"),
        ("optional\nchain: none", "longest\nchain: forced"),
        ("none", "forced"),
        ("none", "optional"),
        ("none", "forced\nmove: jump"),
        ("9 turns, majority", "9 turns"),
        ("9 turns, majority", "8 turns, majority"),
        ("9 turns, majority", "9 quiet turns, majority"),
        ("optional", "optional\nfirst: black"),
        ("optional", "optional\nsteps: forward"),
        ("optional", "optional\nblack jumps: none"),
        ("optional", "optional\nflying: all"),
        ("optional", "optional\npromotion: far row\nman steps: forward sideways"),
    ] {
        assert!(text.contains(from));
        generate(&text.replacen(from, to, 1), &other);
        let found = verdict(&file, &other, &["--by", "tags", "--positions", "5000", "--plays", "200"]);
        assert_eq!(found["equal"], false, "{to}: {found}");
    }
}

#[test]
fn games_are_formatted_and_have_no_findings() {
    let scratch = Scratch::new("line-games-check");
    let mut files = Vec::new();
    for name in names(Path::new(&game("line"))) {
        let file = scratch.path(&format!("{name}.hrg"));
        rgc(["generate", "line-game", &game(&format!("line/{name}.txt")), "-o", &file]).success();
        files.push(file);
    }
    let command =
        |words: &[&str]| words.iter().map(|&word| word.to_owned()).chain(files.iter().cloned()).collect::<Vec<_>>();
    let checked = rgc(command(&["check"]));
    assert!(checked.code == 0 && checked.stdout.contains("without findings"), "{}{}", checked.stdout, checked.stderr);
    assert_eq!(rgc(command(&["fmt", "--check"])).code, 0);
}

#[test]
fn the_command() {
    let scratch = Scratch::new("generate");
    let alquerque = ["generate", "line-game", "--board", "grid 5x5, diagonals", "--setup", "12b . 12w"];
    let game = rgc(alquerque).success();
    assert_eq!(
        rgc_with_input(["generate", "line-game", "-"], "board: grid 5x5, diagonals\nsetup: 12b . 12w\n").success(),
        game
    );
    // A drawing in a file, and rules.
    let drawing = scratch.path("drawing.txt");
    fs::write(&drawing, "b-b-b\n|\\|/|\n.-.-.\n|/|\\|\nw-w-w\n").unwrap();
    let drawn =
        rgc(["generate", "line-game", "--board", &drawing, "--rules", "capture: optional; first: black;"]).success();
    assert!(drawn.contains("Black begins.") && drawn.contains("Nobody has to capture."), "{drawn}");
    // Nothing is overwritten.
    let file = scratch.path("game.hrg");
    rgc([&alquerque[..], &["-o", &file]].concat()).success();
    assert_eq!(fs::read_to_string(&file).unwrap(), game);
    let refused = rgc([&alquerque[..], &["-o", &file]].concat());
    assert!(refused.code == 1 && refused.stderr.contains("IO354"), "{}", refused.stderr);
    rgc([&alquerque[..], &["-o", &file, "--force"]].concat()).success();
    let other = rgc([&alquerque[..], &["-o", &scratch.path("game.rg")]].concat());
    assert!(other.code == 1 && other.stderr.contains("IO356"), "{}", other.stderr);
    let itself = rgc(["generate", "line-game", "--board", &drawing, "-o", &drawing, "--force"]);
    assert!(itself.code == 1 && itself.stderr.contains("IO353"), "{}", itself.stderr);
    assert_eq!(rgc(["generate", "line-game", &drawing, "--board", "grid 3x3"]).code, 2);
    assert_eq!(rgc(["generate", "line-game"]).code, 2);
    assert_eq!(rgc(["generate", "card-game", &drawing]).code, 2);
}

/// Mistakes are shown at their places.
#[test]
fn mistakes_on_the_command_line() {
    let scratch = Scratch::new("generate-mistakes");
    fs::write(scratch.path("wrong.txt"), "board:\n  b-b-b\n  |\\|/\n  w-w-w\ncapture: fored\n").unwrap();
    let in_folder = |arguments: &[&str]| {
        let run = crate::support::rgc_in(scratch.folder(), arguments, "");
        assert_eq!((run.code, run.stdout.as_str()), (1, ""), "{arguments:?}: {}", run.stderr);
        run.stderr
    };
    let shown = [
        in_folder(&["generate", "line-game", "wrong.txt"]),
        in_folder(&["generate", "line-game", "--board", "grid 3x3, centre", "--rules", "chains: none"]),
        in_folder(&["generate", "line-game", "missing.txt"]),
    ];
    snapshot("generate_mistakes", &shown.join("\n"));
}

/// The legal moves after some others, as listed; at the end, the line that says how the game ended.
fn moves(scratch: &Scratch, text: &str, play: &str) -> Vec<String> {
    let file = scratch.path("rules.hrg");
    rgc_with_input(["generate", "line-game", "-", "-o", &file, "--force"], text).success();
    let listed = rgc(["moves", &file, "--play", play]).success();
    // Moves are numbered; rows of the board have points, too.
    let numbered = |line: &str| {
        let (number, name) = line.trim().split_once(". ")?;
        number.parse::<u32>().is_ok().then(|| name.to_owned())
    };
    let mut moves: Vec<String> = listed.lines().filter_map(numbered).collect();
    moves.extend(listed.lines().filter(|line| line.contains("game is over")).map(str::to_owned));
    moves.sort();
    moves
}

/// Two men: one can capture two pieces, one after the other, the other man one.
const CHAINS: &str = "board:\n  w-b-.-b-.\n  |\n  w-b-.\n";

/// What the options of capturing allow, found by hand.
#[test]
fn captures() {
    let scratch = Scratch::new("line-captures");
    for (rules, expected) in [
        ("", &["a1 jump east", "a2 jump east east"][..]),
        ("capture: longest\n", &["a2 jump east east"]),
        ("capture: longest\nmove: jump\n", &["a2 jump east"]),
        ("chain: none\n", &["a1 jump east", "a2 jump east"]),
        ("chain: optional\n", &["a1 jump east", "a2 jump east", "a2 jump east east"]),
        ("move: jump\n", &["a1 jump east", "a2 jump east"]),
        ("chain: optional\nmove: jump\n", &["a1 jump east", "a2 jump east", "a2 jump east more"]),
        ("white jumps: backward\nsteps: all\nstuck: draw\n", &[]),
        // Black has no man who could go on.
        ("first: black\n", &["b1 step east", "b2 step east", "d2 step east", "d2 step west"]),
    ] {
        let found = moves(&scratch, &format!("{CHAINS}{rules}"), "");
        let found: Vec<&str> = found.iter().map(String::as_str).filter(|line| !line.contains("over")).collect();
        assert_eq!(found, expected, "{rules}");
    }
    let second = moves(&scratch, &format!("{CHAINS}move: jump\n"), "a2 jump east");
    assert_eq!(second, ["c2 jump east"], "the second jump of a turn");
}

/// Where pieces go, found by hand.
#[test]
fn ways() {
    let scratch = Scratch::new("line-ways");
    let line = "board:\n  W-.-b-.-.\n          |\n          .\ncapture: optional\n";
    let flying = ["a2 jump east d2", "a2 jump east e2", "a2 step east b2"];
    assert_eq!(moves(&scratch, &format!("{line}flying: kings\n"), ""), flying);
    assert_eq!(moves(&scratch, &format!("{}flying: all\n", line.replace('W', "w")), ""), flying);
    assert_eq!(
        moves(&scratch, &format!("{line}flying: kings\nfirst: black\n"), ""),
        ["c2 step east d2", "c2 step west b2"]
    );
    assert_eq!(moves(&scratch, line, ""), ["a2 step east"]);
    let square = "board:\n  .-.-b\n  |\\|/|\n  .-w-.\n  |/|\\|\n  .-.-.\njumps: none\n";
    for (steps, expected) in [
        ("forward", &["north", "northwest"][..]),
        ("sideways", &["east", "west"]),
        ("backward straight", &["south"]),
        ("diagonal", &["northwest", "southeast", "southwest"]),
        ("forward sideways straight", &["east", "north", "west"]),
    ] {
        let expected: Vec<String> = expected.iter().map(|way| format!("b2 step {way}")).collect();
        assert_eq!(moves(&scratch, &format!("{square}white steps: {steps}\n"), ""), expected, "{steps}");
    }
}

/// Men that reach the far row turn round if they are promoted, and are stuck if not.
#[test]
fn promotion() {
    let scratch = Scratch::new("line-promotion");
    let text = "board:\n  .-.-b\n  | | |\n  w-.-.\n  | | |\n  .-.-.\n";
    let play = "a2 step north; c3 step south";
    let promoted = moves(&scratch, &format!("{text}promotion: far row\nman steps: forward\n"), play);
    assert_eq!(promoted, ["a3 step east", "a3 step south"]);
    for (stuck, scores) in [("loses", "black 100, white 0"), ("draw", "black 50, white 50")] {
        let ended = moves(&scratch, &format!("{text}man steps: forward\nstuck: {stuck}\n"), play);
        assert!(ended.len() == 1 && ended[0].contains(scores), "{ended:?}");
    }
}

/// After the limit the game is over, and who has more pieces wins if the rules say so.
#[test]
fn limits() {
    let scratch = Scratch::new("line-limits");
    let text = "board:\n  w-w-.-.-b\n  |\n  .\ncapture: optional\n";
    let play = "b2 step east; e2 step west";
    for (limit, scores) in [
        ("2 turns", "black 50, white 50"),
        ("2 turns, majority", "black 0, white 100"),
        ("2 quiet turns, majority", "black 0, white 100"),
    ] {
        let ended = moves(&scratch, &format!("{text}limit: {limit}\n"), play);
        assert!(ended.len() == 1 && ended[0].contains(scores), "{limit}: {ended:?}");
    }
    assert_eq!(
        moves(&scratch, &format!("{text}limit: 3 turns\n"), play),
        ["a2 step east", "a2 step south", "c2 jump east", "c2 step west"]
    );
    // A capture begins the count of quiet turns anew.
    let more = text.replace("  .\n", "  .-b\n") + "limit: 3 quiet turns\n";
    assert_eq!(moves(&scratch, &more, &format!("{play}; c2 jump east")), ["b1 step west"]);
}
