//! Sheets of small games in RG: what they say, that they are legal GDL, and why others are refused.
#![allow(clippy::unwrap_used, clippy::panic)] // a test stops at the first surprise

use rg_ir::{Diagnostic, Game, Severity, SourceId};

/// A game with one player, `Cell` and `Bool`, and these declarations and edges.
fn game(text: &str) -> Game {
    let (game, findings) = rg_ir::text::parse(SourceId(0), text);
    let game = game.unwrap_or_else(|| panic!("{findings:?}"));
    let errors: Vec<Diagnostic> = rg_ir::check(&game).into_iter().filter(Diagnostic::is_error).collect();
    assert!(errors.is_empty(), "{errors:?}");
    game
}

/// The rules of a game, which must be legal GDL.
fn rules(text: &str) -> String {
    let sheet = rg_to_gdl::translate(&game(text)).unwrap_or_else(|error| panic!("{}", error.message));
    let (description, findings) = gdl::parse(SourceId(0), &sheet);
    let wrong: Vec<&Diagnostic> = findings.iter().filter(|finding| finding.severity <= Severity::Warning).collect();
    assert!(description.is_some() && wrong.is_empty(), "{wrong:?}\n{sheet}");
    sheet
}

fn refused(text: &str) -> &'static str {
    match rg_to_gdl::translate(&game(text)) {
        Ok(sheet) => panic!("{sheet}"),
        Err(finding) => finding.code,
    }
}

/// Two players mark cells in turn until one is left.
const MARKS: &str = "
type Player = { left, right };
type Score = { 0, 100 };
type Cell = { A, a, role };
type Mark = { free, left, right };
const rival: Player -> Player = { :left, left: right };
var board: Cell -> Mark = { :free };
var cell: Cell = a;
var mover: Player = left;
begin, choose: player = left;
choose, chosen: cell = Cell(*);
chosen, open: board[cell] == free;
open, told: $$ cell;
told, marked: board[cell] = mover;
marked, judge: player = keeper;
judge, on: ? seek -> found;
judge, off: ! seek -> found;
off, won: goals[mover] = 100;
won, end: player = keeper;
on, next: mover = rival[mover];
next, choose: player = mover;
seek, sought: cell = Cell(*);
sought, found: board[cell] == free;
";

#[test]
fn states_moves_and_checks() {
    let sheet = rules(MARKS);
    for line in [
        "(role left)",
        "(init (control left_choose))",
        // Case does not matter in GDL, and there are reserved words.
        "(init (board a free))",
        "(init (board a_2 free))",
        "(init (board role_2 free))",
        "(<= (legal ?player noop) (true (control ?turn)) (idle ?player ?turn))",
        "(<= (next (board ?cell ?value)) (true (board ?cell ?value)) (not (changed_board ?cell)))",
        // The check is a relation of its own; the cell that it chooses is in no argument.
        "(<= seek (true (board ?cell free)))",
    ] {
        assert!(sheet.lines().any(|found| found == line), "{line}\n{sheet}");
    }
    // Whose turn it is, is a part of the place where the state waits.
    assert!(!sheet.contains("(true (mover"), "{sheet}");
}

/// A walk reads what it has written, and steps off the board.
#[test]
fn walks_carry_what_they_change() {
    let sheet = rules(
        "
type Player = { p };
type Score = { 0, 100 };
type Cell = { c1, c2, c3 };
type CellOrOff = { off, c1, c2, c3 };
type Piece = { e, x };
const right: CellOrOff -> CellOrOff = { :off, c1: c2, c2: c3 };
var board: Cell -> Piece = { :e, c1: x };
var at: CellOrOff = c1;
begin, choose: player = p;
choose, from: at = Cell(*);
from, own: board[Cell(at)] == x;
own, lifted: board[Cell(at)] = e;
lifted, go: $$ at;
go, step: at = right[at];
step, go: board[Cell(at)] == e;
step, put: board[Cell(at)] == e;
put, inside: at != off;
inside, told: $$ at;
told, done: board[Cell(at)] = x;
done, judge: player = keeper;
judge, over: board[c3] == x;
over, end: player = keeper;
judge, choose: player = p;
",
    );
    // The loop is a recursive rule.
    assert!(sheet.lines().any(|line| line.starts_with("(<= (go ") && line.contains("(step ")), "{sheet}");
    assert!(sheet.contains("(right c3 off)") && sheet.contains("(right off off)"), "{sheet}");
    // A player alone has nobody to wait for.
    assert!(!sheet.contains("noop"), "{sheet}");
}

/// A game whose only move passes these edges, from `a` to `z`.
fn moving(declarations: &str, edges: &str) -> String {
    format!(
        "type Player = {{ p }}; type Score = {{ 0, 100 }}; type N = {{ n0, n1 }}; {declarations}
begin, a: player = p; {edges} z, y: goals[p] = 100; y, x: player = keeper; x, end: player = keeper;"
    )
}

#[test]
fn what_rules_cannot_say_is_refused() {
    let scores = moving("", "a, z: $ go;").replace("{ 0, 100 }", "{ 0, 101 }").replace("= 100", "= 101");
    assert_eq!(refused(&scores), "TGD701");
    assert_eq!(refused(&moving("", "a, a: $ more; a, z: $ go;")), "TGD702");
    let writes = "a, b: n = Cell(*); b, c: m[n] = n1; c, a: $ t; c, z: $ go; z, w: m[c0] == n1; w, z: ;";
    let cells: Vec<String> = (0..30).map(|number| format!("c{number}")).collect();
    let declarations =
        format!("type Cell = {{ {} }}; var n: Cell = c0; var m: Cell -> N = {{ :n0 }};", cells.join(", "));
    assert_eq!(refused(&moving(&declarations, &writes.replace("c, a: $ t;", "c, a: ;"))), "TGD703");
    let maps = "var m: N -> N = { :n0 }; const k: N -> N = { :n1 };";
    assert_eq!(refused(&moving(maps, "a, b: m = k; b, c: m[n0] == n1; c, z: $ go;")), "TGD704");
    let first = "type Player = { p, q }; type Score = { 0, 100 }; type N = { n0, n1 }; var n: N = n0;
begin, b: n = N(*); begin, c: n == n0; b, b2: n == n1; b2, x: player = p; c, x: player = q;
x, y: $ go; y, z: player = keeper; z, end: player = keeper;";
    assert_eq!(refused(first), "TGD707");
}

/// Scores, tags and names that are numbers stay what they are.
#[test]
fn scores_are_those_of_the_walk() {
    let sheet = rules(&moving("", "a, z: $ go; a, b: $ 7; b, x: player = keeper;"));
    assert!(sheet.contains("(<= (legal p (move go))") && sheet.contains("(<= (legal p (move 7))"), "{sheet}");
    assert!(sheet.contains("(goal p ?score)") || sheet.contains("(goal p 100)"), "{sheet}");
}

/// Who is not looking does not see; the rules say what everybody sees, then.
#[test]
fn hidden_tags_are_not_seen() {
    let sheet = rules(
        "type Player = { p, q }; type Score = { 0, 100 }; type N = { n0, n1 }; var n: N = n0;
begin, a: player = p; a, b: n = N(*); b, c: $ go; c, d: visible[q] = 0; d, e: $$ n; e, f: visible[q] = 1;
f, z: player = q; z, y: $ stop; y, x: goals[p] = 100; x, w: player = keeper; w, end: player = keeper;",
    );
    let seen: Vec<&str> = sheet.lines().filter(|line| line.contains("(sees ")).collect();
    assert!(seen.iter().any(|line| line.contains("(sees q (told 1 go))")), "{sheet}");
    assert!(seen.iter().any(|line| line.contains("(sees p (told 2 ?n))")), "{sheet}");
    assert!(!seen.iter().any(|line| line.contains("(sees q (told 2")), "{sheet}");
    assert!(!rules(MARKS).contains("sees"), "everybody sees all");
}
