//! `rgc translate --to gdl`: games of all languages as rules of GDL are the same games, or are refused with the reason.

use crate::support::{Scratch, game, json_lines, rgc, rgc_with_input, snapshot};
use rgc::library;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The rules of a bundled game, or the code of the finding why there are none.
fn rules(file: &str) -> Result<String, String> {
    let run = rgc(["translate", file, "--to", "gdl"]);
    if run.code == 0 {
        return Ok(run.stdout);
    }
    let code = run.stderr.lines().find_map(|line| line.strip_prefix("error[")).and_then(|rest| rest.get(..6));
    Err(code.unwrap_or_else(|| panic!("{file}: {}", run.stderr)).to_owned())
}

/// Compares a game with its rules; both must have as many moves, scores and turns in as many positions.
fn prove(scratch: &Scratch, name: &str, file: &str, rules: &str, positions: &str) -> Value {
    let sheet = scratch.path(&format!("{name}.kif"));
    fs::write(&sheet, rules).unwrap();
    let mut arguments = vec!["equiv", file, &sheet, "--positions", positions, "--plays", "2", "--json"];
    if rules.starts_with("; Moves that can go on") {
        arguments.extend(["--by", "steps"]);
    }
    let run = rgc(arguments);
    let verdict = json_lines(&run.stdout).pop().unwrap_or_else(|| panic!("{name}: {}", run.stderr));
    assert_eq!(verdict["equal"], true, "{name}: {verdict}");
    assert_ne!(verdict["criterion"], "counts", "{name}");
    assert!(verdict["depth"].as_u64().unwrap() >= 1, "{name}: {verdict}");
    verdict
}

/// Does work on all of a list, on all processors.
fn all<T: Sync>(list: &[T], work: impl Fn(&T) + Sync) {
    let next = AtomicUsize::new(0);
    let some = || {
        while let Some(one) = list.get(next.fetch_add(1, Ordering::Relaxed)) {
            work(one);
        }
    };
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| (0..threads).for_each(|_| drop(scope.spawn(some))));
}

/// Which bundled games are translated, how long their rules are, and why others are not.
#[test]
fn bundled_games_are_translated_or_refused() {
    let bundled: Vec<_> = library::all().into_iter().filter(|bundled| bundled.language.name != "gdl").collect();
    let table: Mutex<BTreeMap<usize, String>> = Mutex::default();
    all(&bundled.iter().enumerate().collect::<Vec<_>>(), |(number, bundled)| {
        let name = bundled.file_name();
        let line = match rules(&game(&format!("{}/{name}", bundled.language.name))) {
            Ok(text) => {
                let rules = text.lines().filter(|line| line.starts_with("(<=")).count();
                let facts = text.lines().filter(|line| line.starts_with('(')).count() - rules;
                format!("{name}: {rules} rules, {facts} facts\n")
            }
            Err(code) => format!("{name}: {code}\n"),
        };
        table.lock().unwrap().insert(*number, line);
    });
    snapshot("rules_of_gdl", &table.into_inner().unwrap().into_values().collect::<String>());
}

/// Games of all languages and kinds: boards, checks for lines and connections, chance, hidden cards, moves in parts, and such that go on and on, pieces with several ways to move.
#[test]
fn rules_are_the_same_game() {
    let scratch = Scratch::new("rules-of-gdl");
    all(PROVED, |(file, positions)| {
        let text = rules(&game(file)).unwrap_or_else(|code| panic!("{file}: {code}"));
        prove(&scratch, &file.replace('/', "_"), &game(file), &text, positions);
    });
}

/// Bundled games, and how many positions are compared.
const PROVED: &[(&str, &str)] = &[
    ("rg/ticTacToe.rg", "2000"),
    ("rg/race.rg", "2000"),
    ("rg/matchingPennies.rg", "100"),
    ("rg/kuhnPoker.rg", "500"),
    ("rg/breakthrough.rg", "60"),
    ("rg/knightthrough.rg", "60"),
    ("rbg/alquerque.rbg", "500"),
    ("rbg/breakthrough.rbg", "60"),
    ("rbg/clobber.rbg", "200"),
    ("rbg/connectFour.rbg", "60"),
    ("rbg/englishDraughts.rbg", "500"),
    ("rbg/ticTacToe.rbg", "200"),
    ("rbg/knightthrough.rbg", "60"),
    ("hrg/breakthrough.hrg", "60"),
    ("hrg/clobber.hrg", "100"),
    ("hrg/connectFour.hrg", "100"),
    ("hrg/felli.hrg", "60"),
    ("hrg/foxAndHounds.hrg", "100"),
    ("hrg/hex5.hrg", "60"),
    ("hrg/kuhnPoker.hrg", "500"),
    ("hrg/nim.hrg", "200"),
    ("hrg/pentagoSplit.hrg", "500"),
    ("hrg/reversi.hrg", "200"),
    ("hrg/ticTacDie.hrg", "500"),
    ("hrg/ticTacToe.hrg", "500"),
    ("hrg/ultimateTicTacToe.hrg", "200"),
    ("hrg/yavalath.hrg", "100"),
    ("sbg/breakthrough.sbg", "60"),
    ("sbg/clobber.sbg", "60"),
    ("sbg/foxAndFourHounds.sbg", "100"),
    ("sbg/hexapawn.sbg", "500"),
    ("sbg/knightthrough.sbg", "60"),
    ("sbg/sheepAndWolves.sbg", "60"),
];

/// What players do not see is not in the percepts of the rules.
#[test]
fn hidden_moves_stay_hidden() {
    let scratch = Scratch::new("rules-of-gdl-hidden");
    let sheet = scratch.path("matchingPennies.kif");
    fs::write(&sheet, rules(&game("rg/matchingPennies.rg")).unwrap()).unwrap();
    let steps = json_lines(&rgc(["trace", &sheet]).stdout);
    let of =
        |step: usize, role: &str| steps.iter().find(|line| line["step"] == step).unwrap()["sees"][role].to_string();
    assert!(of(0, "even").contains("told 1") && of(0, "odd") == "[]", "{steps:?}");
}

/// What the sheets say is legal GDL: no finding but that there is no list of possible fluents.
#[test]
fn rules_check_clean() {
    for (file, _) in PROVED {
        let text = rules(&game(file)).unwrap();
        let run = rgc_with_input(["check", "-"], &text);
        let findings: Vec<&str> =
            run.stdout.lines().chain(run.stderr.lines()).filter(|line| line.contains("[GDL")).collect();
        assert!(run.code == 0 && findings.iter().all(|line| line.contains("GDL640")), "{file}: {findings:?}");
        assert_eq!(rgc_with_input(["fmt", "-"], &text).stdout, text, "{file} is formatted");
    }
}

/// The other syntaxes, standard input, files by their extensions, and levels.
#[test]
fn rules_in_other_forms() {
    let scratch = Scratch::new("rules-of-gdl-forms");
    let file = game("rg/ticTacToe.rg");
    let text = rules(&file).unwrap();
    let infix = rgc(["translate", &file, "--to", "gdl-infix"]).success();
    assert!(rgc_with_input(["translate", "-", "--to", "gdl-prefix"], &infix).output().contains("(role x)"));
    prove(&scratch, "infix", &file, &infix, "200");
    let prolog = rgc(["translate", &file, "--to", "gdl-prolog"]).success();
    assert!(prolog.contains("role(x)."), "{prolog}");
    let rg = fs::read_to_string(&file).unwrap();
    assert_eq!(rgc_with_input(["translate", "-", "--to", "gdl"], &rg).success(), text);
    let written = scratch.path("ticTacToe.kif");
    rgc(["translate", &file, "-o", &written]).success();
    assert_eq!(fs::read_to_string(&written).unwrap(), text);
    let plain = rgc(["translate", &file, "--to", "gdl", "-O0"]).success();
    prove(&scratch, "plain", &file, &plain, "200");
}

/// Reversi on a line: loops of walks that write, keepers that go on with it, and counts at the end.
const LINE: &str = "
domain Player = black | white
domain Score = 0 | 50 | 100
domain Content = empty | Player
domain Direction = right | left
domain Cell = P(I) where I in 0..5
domain Place = Cell | off
domain Count = N(I) where I in 0..6
opponent: Player -> Player
opponent(black) = white
opponent(white) = black
more: Count -> Count
more(N(I)) = if I < 6 then N(I + 1) else N(6)
greater: Count -> Count -> Score
greater(N(A), N(B)) = if A > B then 100 else 0
on: Place -> Place
on(P) = if P in Cell then P else off
next: Direction -> Place -> Place
next(_, off) = off
next(right, P(I)) = on(P(I + 1))
next(left, P(I)) = on(P(I - 1))
board: Place -> Content = { :empty; P(2) = black; P(3) = white }
me: Player
cell: Place
reach: Place
moves: Count
count: Content -> Count
graph enclosing(way: Direction) {
  reach = next[way][cell]
  check(board[reach] == opponent[me])
  while board[reach] == opponent[me] { reach = next[way][reach] }
  check(board[reach] == me)
}
graph choose() {
  cell = Cell(*)
  check(board[cell] == empty)
  branch way in Direction { enclosing(way) }
}
graph turn(way: Direction) {
  if reachable(enclosing(way)) {
    reach = next[way][cell]
    while board[reach] == opponent[me] {
      board[reach] = me
      reach = next[way][reach]
    }
  }
}
graph score() {
  repeat field in Cell { count[board[field]] = more[count[board[field]]] }
  goals[me] = greater[count[me]][count[opponent[me]]]
  goals[opponent[me]] = greater[count[opponent[me]]][count[me]]
  end()
}
graph rules() {
  loop {
    player = me
    branch {
      cell = Cell(*)
      check(board[cell] == empty)
      $$ cell
      moves = more[moves]
      turn(right)
      turn(left)
      board[cell] = me
    } or {
      check(not(reachable(choose())))
      $ pass
    }
    player = keeper
    if moves == N(4) { score() }
    me = opponent[me]
    if not(reachable(choose())) { me = opponent[me] }
  }
}
";

/// Maps that are assigned as a whole, before and after their entries are, and matter in the next move.
const ROWS: &str = "
type Player = { p, q };
type Score = { 0, 100 };
type Cell = { c0, c1, c2 };
type Row = { r0, r1 };
type Mark = { free, p, q };
const none: Cell -> Mark = { :free, c1: q };
const rival: Player -> Player = { :q, q: p };
const right: Cell -> Cell = { :c0, c0: c1, c1: c2 };
var board: Row -> Cell -> Mark = { :{ :free } };
var row: Row = r0;
var old: Cell -> Mark = { :free };
var last: Cell -> Mark = { :free };
var cell: Cell = c0;
var me: Player = p;
begin, a: player = me;
a, b: row = Row(*);
a, z: $ pass;
z, o2: last = board[r1];
b, c: cell = Cell(*);
c, d: board[row][cell] != me;
d, e: $$ row;
e, f: $$ cell;
f, g: board[row][cell] = me;
g, h: old = board[row];
h, i: board[row][c0] = old[right[c0]];
i, j: board[row][c1] = old[right[c1]];
j, k: board[row][c2] = old[right[c2]];
k, l: old[c0] = last[c0];
l, m: last[c1] == me;
l, n: last[c1] != me;
m, o: last = none;
n, o: last = board[r0];
o, o2: last[c2] = old[c0];
o2, o3: player = keeper;
o3, w: ? s -> t;
o3, x: ! s -> t;
s, t: last[c0] == old[c2];
w, w2: me = rival[me];
w2, a2: board[r0][c0] != board[r1][c1];
w2, a3: board[r0][c0] == board[r1][c1];
a2, a: player = me;
a3, u: goals[me] = 100;
u, end: player = keeper;
x, v: board[r0] [c0] != free;
x, y: board[r0] [c0] == free;
v, u: goals[q] = 100;
y, a2: me = rival[me];
";

/// Small games, of which all positions are compared: what walks write in loops, and maps that are assigned as a whole.
#[test]
fn what_walks_write_follows_from_the_move() {
    let scratch = Scratch::new("rules-of-gdl-writes");
    let turns = "      turn(right)\n      turn(left)\n      board[cell] = me\n";
    // The move is not decided before the walk has written: it may fail afterwards.
    let fails = "      reach = next[right][cell]
      while board[reach] == opponent[me] {
        board[reach] = me
        reach = next[right][reach]
      }
      check(board[reach] != empty || cell == P(0) || cell == P(1) || cell == P(5))
      board[cell] = me
";
    let pass = "      check(not(reachable(choose())))\n      $ pass";
    let decides = "    if not(reachable(choose())) { me = opponent[me] }\n";
    let games = [
        ("line.hrg", LINE.to_owned()),
        ("turns.hrg", LINE.replace(decides, "")),
        ("fails.hrg", LINE.replace(turns, fails).replace(pass, "      $ pass\n      moves = more[moves]")),
        ("rows.rg", ROWS.to_owned()),
    ];
    for (name, text) in games {
        let file = scratch.path(name);
        fs::write(&file, text).unwrap();
        let sheet = rules(&file).unwrap_or_else(|code| panic!("{name}: {code}"));
        assert_eq!(prove(&scratch, name, &file, &sheet, "3000")["complete"], true, "{name}");
    }
}
