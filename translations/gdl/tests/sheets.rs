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
    let maps = "var m: N -> N -> N = { :{ :n0 } }; const k: N -> N = { :n1 };";
    assert_eq!(refused(&moving(maps, "a, b: m[n0] = k; b, c: m[n0][n0] == n1; c, z: $ go;")), "TGD704");
    let first = "type Player = { p, q }; type Score = { 0, 100 }; type N = { n0, n1 }; var n: N = n0;
begin, b: n = N(*); begin, c: n == n0; b, b2: n == n1; b2, x: player = p; c, x: player = q;
x, y: $ go; y, z: player = keeper; z, end: player = keeper;";
    assert_eq!(refused(first), "TGD707");
}

/// A player jumps over stones as long as there are any to jump over.
const JUMPS: &str = "
type Player = { p }; type Score = { 0, 100 }; type Cell = { CELLS }; type Place = { off, CELLS };
type Mark = { none, free, stone }; const next: Place -> Place = { :off, NEXT }; const prev: Place -> Place = { :off, PREV };
var board: Place -> Mark = { :stone, off: none, c0: free, c2: free, c4: free }; var at: Place = c0;
begin, a: player = p; a, b: at = Cell(*); b, c: board[at] == free; c, d: ? can -> could; d, e: $$ at;
e, n1: board[next[at]] == stone; n1, n2: board[next[at]] = free; n2, n3: at = next[next[at]]; n3, f: board[at] == free;
e, p1: board[prev[at]] == stone; p1, p2: board[prev[at]] = free; p2, p3: at = prev[prev[at]]; p3, f: board[at] == free;
f, g: $$ at; g, e: ? can -> could; g, z: ! can -> could;
can, can1: board[next[at]] == stone; can1, could: board[next[next[at]]] == free;
can, can2: board[prev[at]] == stone; can2, could: board[prev[prev[at]]] == free;
z, k: player = keeper; k, a: player = p; k, l: board[c1] == free; l, m: goals[p] = 100; m, end: player = keeper;";

fn jumps(cells: usize) -> String {
    let names: Vec<String> = (0..cells).map(|cell| format!("c{cell}")).collect();
    let next: Vec<String> = names.windows(2).map(|pair| format!("{}: {}", pair[0], pair[1])).collect();
    let prev: Vec<String> = names.windows(2).map(|pair| format!("{}: {}", pair[1], pair[0])).collect();
    JUMPS.replace("CELLS", &names.join(", ")).replace("NEXT", &next.join(", ")).replace("PREV", &prev.join(", "))
}

/// A move with any number of tags becomes several moves of the player, with the place as part of the state. That is not done if a part may not be
/// completed, its tags do not say what it does, or nothing becomes fewer, so that there may be no end.
#[test]
fn moves_that_go_on_are_split() {
    let sheet = rules(&jumps(9));
    assert!(sheet.starts_with("; Moves that can go on and on are split here"), "{sheet}");
    for line in ["(init (control p_a))", "(turn p p_g)", "(init (at c0))"] {
        assert!(sheet.lines().any(|found| found == line), "{line}\n{sheet}");
    }
    assert!(sheet.contains("(legal p (move2 ") && sheet.contains("(legal p step)"), "{sheet}");
    // Without any way to stop, jumps into a dead end are no moves.
    assert_eq!(refused(&jumps(9).replace("g, z: !", "g, z0: at == c0; z0, z: !")), "TGD703");
    // The stone that is taken does not follow from where the jump leads.
    assert_eq!(refused(&jumps(9).replace("f, g: $$ at;", "f, g: $ on;")), "TGD703");
    // A stone is left behind.
    assert_eq!(refused(&jumps(9).replace("board[next[at]] = free;", "board[next[at]] = stone;")), "TGD703");
}

/// A check that follows such a move needs to know only that it can go on.
#[test]
fn checks_of_moves_that_go_on_end_early() {
    let asks = "k, k2: ! q -> r; k2, l: ; k, a0: ? q -> r; a0, a: player = p;
q, q1: at = Cell(*); q1, q2: board[at] == free; q2, q3: board[at] = free;
q3, s1: board[next[at]] == stone; s1, s2: board[next[at]] = free; s2, s3: at = next[next[at]]; s3, q4: board[at] == free;
q4, q3: ? reach -> reached; q4, r: ! reach -> reached;
reach, rea1: board[next[at]] == stone; rea1, reached: board[next[next[at]]] == free;";
    let text = jumps(9).replace("k, a: player = p; k, l: board[c1] == free;", asks);
    let sheet = rules(&text);
    // One jump is enough: what the board is after it does not matter.
    assert!(sheet.lines().any(|line| line == "(<= a (true (control p_k)) q)"), "{sheet}");
    assert!(!sheet.contains("reach"), "{sheet}");
}

/// Who is the first to move may depend on checks of the first position.
#[test]
fn checks_say_who_begins() {
    let text = "type Player = { p, q }; type Score = { 0, 100 }; type N = { n0, n1, n2 }; var n: N = n0; var m: N -> N = { :n0, n2: n1 };
begin, b: ? c -> d; begin, e: ! c -> d; b, x: player = p; e, x: player = q; c, c1: n = N(*); c1, d: m[n] == n1;
x, y: $ go; y, z: player = keeper; z, end: player = keeper;";
    let sheet = rules(text);
    assert!(sheet.contains("(init (control p))") && !sheet.contains("(turn q "), "{sheet}");
    let never = rules(&text.replace(", n2: n1", ""));
    assert!(never.contains("(init (control q))"), "{never}");
}

/// A row of cells, from which a walk takes all marks up to an end.
const SWEEP: &str = "
type Player = { p }; type Score = { 0, 100 }; type Cell = { CELLS }; type Place = { off, CELLS };
type Mark = { free, x, y }; const next: Place -> Place = { :off, NEXT };
var board: Cell -> Mark = { :x }; var at: Place = c0;
begin, a: player = p; a, b: at = Cell(*); b, c: $$ at;
c, d: at != off; d, d2: board[Cell(at)] = y; d2, e: at = next[at]; e, c: ; c, z: at == off;
z, k: player = keeper; k, a: player = p; k, l: board[c0] == y; l, m: goals[p] = 100; m, end: player = keeper;";

fn sweep(cells: usize) -> String {
    let names: Vec<String> = (0..cells).map(|cell| format!("c{cell}")).collect();
    let next: Vec<String> = names.windows(2).map(|pair| format!("{}: {}", pair[0], pair[1])).collect();
    SWEEP.replace("CELLS", &names.join(", ")).replace("NEXT", &next.join(", "))
}

/// However many entries a walk writes in a loop, they follow from the move; not if they are read again, have two values, or tags follow.
#[test]
fn writes_in_loops_follow_from_the_move() {
    let sheet = rules(&sweep(30));
    for line in [
        "(<= (writes_board ?place y) (d_2 ?place))",
        "(<= (next (board ?cell ?value)) (e off) (writes_board ?cell ?value))",
        "(<= (next (board ?cell ?value)) (true (board ?cell ?value)) (not (changed_board ?cell)))",
    ] {
        assert!(sheet.lines().any(|found| found == line), "{line}\n{sheet}");
    }
    for (from, to) in [
        ("c, z: at == off;", "c, z2: at == off; z2, z: board[c1] == y;"),
        ("c, z: at == off;", "c, z2: at == off; z2, z: board[c1] = free;"),
        ("c, z: at == off;", "c, z2: at == off; z2, z: $ done;"),
        ("c, z: at == off;", "c, z2: at == off; z2, z: ? r -> s; r, q: at = c2; q, s: board[Cell(at)] == y;"),
        ("e, c: ;", "e, c: ; d2, e2: at = c0; e2, c: board[c3] == y;"),
    ] {
        assert_eq!(refused(&sweep(30).replace(from, to)), "TGD703", "{to}");
    }
}

/// What the keeper writes before the first move is what the game begins with, if that is plain; else it is carried into the move, so that an
/// entry that a player's walk writes again would have two values.
#[test]
fn writes_before_the_first_move_come_first() {
    let opened = |opening: &str| {
        let game = sweep(30).replace("begin, a: player = p;", opening);
        game.replace("var at:", "var by: Place = c1; var at:")
    };
    let looped = "begin, s: at = c1; s, s1: at != c3; s1, s2: board[Cell(at)] = free; s2, s: at = next[at]; s, s3: at == c3; s3, a: player = p;";
    let sheet = rules(&opened(looped));
    for line in [
        "(init (board c1 free))",
        "(init (board c2 free))",
        "(init (board c3 x))",
        "(<= (writes_board ?place y) (d_2 ?place))",
    ] {
        assert!(sheet.lines().any(|found| found == line), "{line}\n{sheet}");
    }
    let asked =
        "begin, o0: by = Cell(*); o0, o: ? r -> q; r, q: board[c1] == x; o, o1: board[c1] = free; o1, a: player = p;";
    assert_eq!(refused(&opened(asked)), "TGD703");
}

/// Scores, tags and names that are numbers stay what they are.
#[test]
fn scores_are_those_of_the_walk() {
    let sheet = rules(&moving("", "a, z: $ go; a, b: $ 7; b, x: player = keeper;"));
    assert!(sheet.contains("(<= (legal p (move go))") && sheet.contains("(<= (legal p (move 7))"), "{sheet}");
    // One move changes the score, the other one does not; both lead to the end, where the score counts.
    for line in [
        "(init (goals p 0))",
        "(<= made_x (does p (move go)) (true (control p)))",
        "(<= (next (goals p 100)) made_x)",
        "(<= (changed_goals p) made_x)",
        "(<= (next (goals ?player ?value)) (true (goals ?player ?value)) (not (changed_goals ?player)))",
        "(<= (next (control x)) (true (control p)))",
        "(<= terminal (true (control x)))",
        "(<= (goal p ?score) (true (control x)) (true (goals p ?score)))",
    ] {
        assert!(sheet.lines().any(|found| found == line), "{line}\n{sheet}");
    }
    assert!(!sheet.contains("(does p (move 7))"), "{sheet}");
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

/// Where a key is none of the map's, an assignment changes nothing, and that is the only case in which it does not.
#[test]
fn writes_off_the_map_change_nothing() {
    let sheet = rules(
        "type Player = { p }; type Score = { 0, 100 }; type Cell = { c1, c2 }; type CellOrOff = { off, c1, c2 };
type Piece = { e, x }; var board: Cell -> Piece = { :e }; var at: CellOrOff = off;
begin, choose: player = p; choose, chosen: at = CellOrOff(*); chosen, told: $$ at; told, put: board[Cell(at)] = x;
put, judge: player = keeper; judge, on: board[Cell(at)] == e; on, choose: player = p;
judge, won: board[Cell(at)] == x; won, over: goals[p] = 100; over, end: player = keeper;",
    );
    for line in [
        "(<= (judge ?at) (told_2 ?at) (distinct ?at off))",
        "(<= (next (board ?at x)) (made_judge ?at))",
        "(<= (legal p (move off)) (true (control ?turn)) (turn p ?turn) (told_2 off))",
    ] {
        assert!(sheet.lines().any(|found| found == line), "{line}\n{sheet}");
    }
}

#[test]
fn negation_in_a_cycle_is_refused() {
    // Who takes the last one wins: a number is won if some number is lost that a move leads to.
    let edges = "a, b: $ go; b, z: ? s -> f;
s, open: pile != n0; open, less: pile = dec[pile]; less, f: ! s -> f;";
    let pile = "type M = { 0, 1, 2, 3 }; var pile: M = 3; const dec: M -> M = { :0, 2: 1, 3: 2 };";
    let edges = edges.replace("n0", "0");
    assert_eq!(refused(&moving(pile, &edges)), "TGD708");
    // Without negation it is a recursive rule.
    let sheet = rules(&moving(pile, &edges.replace("! s", "? s").replace("open, less", "s, f: pile == 0; open, less")));
    assert!(sheet.contains("(<= (s_2 ?m) (distinct ?m 0) (dec ?m ?m_2) (s_2 ?m_2))"), "{sheet}");
    assert!(!sheet.contains("(not (s"), "{sheet}");
}

/// Every entry that a walk has written may be the one that it reads.
#[test]
fn too_many_alternatives_are_refused() {
    let mut edges = String::from("a, w0: $ go;");
    for at in 0..14 {
        let next = at + 1;
        edges += &format!("w{at}, x{at}: x = M(*); x{at}, y{at}: y = M(*); y{at}, w{next}: m[x][y] = n1;");
    }
    edges += "w14, z: m[m0][m1] == n1;";
    let declarations = "type M = { m0, m1, m2 }; var x: M = m0; var y: M = m0; var m: M -> M -> N = { :{ :n0 } };";
    assert_eq!(refused(&moving(declarations, &edges)), "TGD705");
    // Of a small map walks carry all entries.
    let small = declarations.replace(", m2 }", " }");
    let sheet = rules(&moving(&small, &edges));
    assert!(sheet.contains("(legal p (move go))"), "{sheet}");
}

/// Where many states may follow one, rules do not list all others.
#[test]
fn rules_for_many_states_stay_short() {
    let players: Vec<String> = (0..60).map(|number| format!("p{number}")).collect();
    let sheet = rules(&format!(
        "type Player = {{ {} }}; type Score = {{ 0, 100 }}; var mover: Player = p0;
begin, a: player = p0; a, b: mover = Player(*); b, c: $$ mover; c, a: player = mover;
a, y: $ stop; y, x: player = keeper; x, end: player = keeper;",
        players.join(", ")
    ));
    // Players are first in the order of their numbers, and the state of the end comes after that of `p0`.
    for line in [
        "(<= (next (control p7)) (true (control p58)) (not (leads_before p7)) (leads_to p7))",
        "(<= (leads_before p7) (leads_to p6))",
        "(<= (leads_before p7) (leads_before p6))",
        "(<= (next (control p59)) (true (control p58)) (not (leads_before p59)))",
    ] {
        assert!(sheet.lines().any(|found| found == line), "{line}\n{sheet}");
    }
}

/// The end is where the automaton ends, whoever is named there.
#[test]
fn a_player_named_at_the_end_does_not_move() {
    let ended = "type Player = { anna, bob }; type Score = { 0, 100 };
begin, a: player = anna; a, b: $ go; b, judge: player = keeper; judge, won: goals[bob] = 100; won, end: player = anna;";
    let sheet = rules(ended);
    assert!(sheet.lines().any(|line| line == "(goal bob 100)" || line.starts_with("(<= (goal bob 100) ")), "{sheet}");
    assert!(sheet.lines().any(|line| line.starts_with("(<= terminal ")), "{sheet}");
    // Where somebody may be next as well, that is whose turn it is.
    let edges = "judge, on: n == 0; judge, lost: n == 1; on, a: player = bob; lost, won: ";
    let chosen = ended.replace("b, judge", "b, c: n = N(*); c, d: $$ n; d, judge").replace("judge, won: ", edges);
    let sheet = rules(&format!("type N = {{ 0, 1 }}; var n: N = 0; {chosen}"));
    for line in [
        "(<= (next (control bob)) (true (control anna)))",
        "(<= terminal end)",
        "(<= end (true (control bob)) (true (n 1)))",
        "(<= (goal bob 100) end)",
    ] {
        assert!(sheet.lines().any(|found| found == line), "{line}\n{sheet}");
    }
}

#[test]
fn games_without_moves_or_end_are_refused() {
    assert_eq!(refused("type Player = { p }; type Score = { 0, 100 }; begin, end: player = p;"), "TGD709");
    assert_eq!(
        refused("type Player = { p }; type Score = { 0, 100 }; begin, a: player = keeper; a, end: player = keeper;"),
        "TGD709"
    );
}

#[test]
fn long_ways_of_the_keeper_are_refused() {
    let mut edges = String::from("a, k0: $ go; k0, k1: player = keeper;");
    for at in 1..6_100 {
        edges += &format!("k{at}, k{}: n == n0;", at + 1);
    }
    edges += "k6100, z: player = p; z0, a: ;";
    assert_eq!(refused(&moving("var n: N = n0;", &edges)), "TGD705");
}

/// Words of GDL are ASCII; names that become the same word stay apart.
#[test]
fn names_have_letters_of_ascii() {
    let sheet = rules(
        "type Player = { anna, jürgen, jörgen }; type Score = { 0, 100 }; type Größe = { ä, ö };
const weiß: Größe -> Größe = { :ä, ä: ö }; var maß: Größe = ä;
begin, a: player = anna; a, b: maß = Größe(*); b, c: maß != weiß[maß]; c, d: $$ maß; d, e: player = jürgen;
e, f: $ weiter; f, g: player = jörgen; g, h: $ weiter; h, i: player = keeper; i, end: player = keeper;",
    );
    let rules: Vec<&str> = sheet.lines().filter(|line| !line.starts_with(';')).collect();
    assert!(rules.iter().all(|line| line.is_ascii()), "{sheet}");
    for role in ["(role anna)", "(role j_rgen)", "(role j_rgen_2)"] {
        assert!(rules.contains(&role), "{sheet}");
    }
}
