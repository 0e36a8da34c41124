//! What `rgc check --proper` finds beyond single moves: completions of the keeper, moves without end, limits.

use crate::support::{Run, rgc_with_input};

/// Checks whether a game in a language is proper.
fn proper(language: &str, text: &str) -> Run {
    rgc_with_input(["check", "-", "--proper", "--from", language], text)
}

/// A game in RBG for one player, who steps from `s` to `t`, and a keeper who goes on by `rules`.
fn keeper(rules: &str) -> Run {
    let head = "#players = one(50), two(50)\n#pieces = none, mark\n#variables = left(3), right(3)\n\
                #board = s[none]{on:t} t[mark]{on:u, back:s} u[mark]{back:t}\n#rules = ->one on ->> ";
    proper("rbg", &format!("{head}{rules}\n"))
}

#[test]
fn completions_of_the_keeper_that_score_differently() {
    let run = keeper("([$ one = 7] ->> [$ two = 1] ->> {} + [$ one = 8] ->> {})");
    assert_eq!(run.code, 1, "{}", run.stdout);
    assert!(run.stderr.contains("error[RT203]"), "{}", run.stderr);
    assert!(run.stderr.contains("one 7, two 1") && run.stderr.contains("one 8, two 0"), "{}", run.stderr);
    assert!(run.stderr.contains("after the moves `pass`; no shorter sequence of moves shows it"), "{}", run.stderr);
}

/// Moves are shown as `--play` reads them, and places are those of the text: a game in RBG names no nodes.
#[test]
fn reports_are_in_the_terms_of_the_game() {
    let text = "#players = red(9), blue(9)\n#pieces = none, disc\n#variables =\n\
                #board = rectangle(up,down,left,right,[none,none][none,disc])\n#anywhere = ((up* + down*)(left* + right*))\n\
                #rules = ->red anywhere {none} [disc] ->> anywhere [disc] ->blue anywhere {none} [disc] ->> {}\n";
    let run = proper("rbg", text);
    assert!(run.code == 1 && run.stderr.contains("after the moves `a2`"), "{}", run.stderr);
    assert!(!run.stderr.contains("at node"), "{}", run.stderr);
    let endless = text.replace("->blue anywhere {none} [disc]", "->blue ([disc])*");
    let endless = endless.replace("->> anywhere [disc] ->blue", "->blue");
    let moves = rgc_with_input(["moves", "-", "--from", "rbg", "--play", "a2"], &endless);
    assert_eq!(moves.code, 1, "{}", moves.stdout);
    assert!(moves.stderr.contains("after the moves `a2`") && moves.stderr.contains("<stdin>:6:"), "{}", moves.stderr);
    assert!(!moves.stderr.contains("at node"), "{}", moves.stderr);
    let audit = rgc_with_input(["audit", "-", "--from", "rbg", "--proper", "--playouts", "10"], text).stdout;
    assert!(audit.contains("at line 6, column 39; no shorter sequence of moves shows it"), "{audit}");
}

#[test]
fn completions_of_the_keeper_that_hand_over_to_others() {
    let run = keeper("({? on} [none] ->one + {? back} [none] ->two) ->> {}");
    assert_eq!(run.code, 1, "{}", run.stdout);
    assert!(run.stderr.contains("`one` is to move after some of them, `two` after others"), "{}", run.stderr);
}

#[test]
fn completions_of_the_keeper_that_leave_another_board() {
    let run = keeper("(on [none] back + {? on}) ->two (on {mark} + on {none}) [none] ->> {}");
    assert_eq!(run.code, 1, "{}", run.stdout);
    assert!(run.stderr.contains("error[RT203]") && run.stderr.contains("after another"), "{}", run.stderr);
}

/// The order in which two cells are cleared does not matter: the completions meet again.
#[test]
fn completions_of_the_keeper_that_agree() {
    let run = keeper("([none] ->> on [none] ->> back + on [none] ->> back [none] ->>) ->two on [mark] ->> {}");
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert!(run.stdout.contains("proper: all positions were explored"), "{}", run.stdout);
}

#[test]
fn a_keeper_who_need_not_stop() {
    let run = keeper("([none] ->> [mark] ->>)* ->two on [mark] ->> {}");
    assert_eq!(run.code, 1, "{}", run.stdout);
    assert!(run.stderr.contains("error[RT208]"), "{}", run.stderr);
    assert!(
        run.stderr.contains("the keeper need not stop: 2 moves of his lead back to where he began"),
        "{}",
        run.stderr
    );
}

const RG: &str =
    "type Player = { a, b };\ntype Score = { 0, 1 };\ntype Coin = { heads, tails };\nvar coin: Coin = heads;\n";

/// Labels that can be longer and longer: infinitely many moves, which shows after the first move.
#[test]
fn a_move_without_end() {
    let rules = "begin, p: player = a; p, q: $ go; q, r: player = b; r, s: $ more; s, t: coin == heads; t, r: coin = heads; \
                 r, u: $ done; u, end: player = keeper;";
    let run = proper("rg", &format!("{RG}{rules}"));
    assert_eq!(run.code, 1, "{}", run.stdout);
    assert!(run.stderr.contains("error[RT208]"), "{}", run.stderr);
    assert!(run.stderr.contains("the tags `more` can be repeated in it any number of times"), "{}", run.stderr);
    assert!(run.stderr.contains("after the moves `go`"), "{}", run.stderr);
}

/// In RBG it is a modifier on a cycle.
#[test]
fn a_move_without_end_in_rbg() {
    let run = keeper("->two on ([mark] {mark})* [none] ->> {}");
    assert!(run.code == 1 && run.stderr.contains("a move need not end"), "{} {}", run.stdout, run.stderr);
}

/// Maps that agree on all keys are equal, whatever default their literals had.
#[test]
fn defaults_of_literals_distinguish_no_maps() {
    let rules = "type Map = Coin -> Coin;\nconst same: Map = { :tails, heads: heads, tails: heads };\nvar map: Map = { :heads };\n\
                 begin, p: player = a; p, q: ; p, q: map = same; q, r: player = b; r, s: map[tails] == heads; \
                 s, end: player = keeper;";
    let run = proper("rg", &format!("{RG}{rules}"));
    assert_eq!(run.code, 0, "{}", run.stderr);
    for engine in ["naive", "backtracking", "interpreter", "native"] {
        let line = ["perft", "-", "1", "--from", "rg", "--ambiguous", "split", "--json", "--engine", engine];
        let count = rgc_with_input(line, &format!("{RG}{rules}")).success();
        assert_eq!(crate::support::json_lines(&count)[0]["leaves"], 1, "{engine}: {count}");
    }
}

/// A walk of more steps than one search may take: nothing was seen, and that is what is said.
#[test]
fn a_limit_is_no_verdict() {
    let names: Vec<String> = (0..10).map(|i| format!("v{i}")).collect();
    let vars: String = names.iter().map(|v| format!("var {v}: Coin = heads;\n")).collect();
    let choose = |(i, v): (usize, &String)| format!("n{i}, m{i}: {v} = Coin(*); m{i}, n{}: $$ {v};\n", i + 1);
    let walk: String = names.iter().enumerate().map(choose).collect();
    let rules = format!("begin, n0: player = a;\n{walk}n10, o: player = b; o, e: $ end_it; e, end: player = keeper;\n");
    let run =
        rgc_with_input(["check", "-", "--proper", "--from", "rg", "--positions", "1"], &format!("{RG}{vars}{rules}"));
    assert!(run.code == 0, "enough steps for one position: {}", run.stderr);
    let more: String = (0..8).map(|i| format!("type T{i} = {{ x, y, z, w }};\nvar w{i}: T{i} = x;\n")).collect();
    let walk: String = (0..8).map(|i| format!("k{i}, l{i}: w{i} = T{i}(*); l{i}, k{}: $$ w{i};\n", i + 1)).collect();
    let rules = format!("begin, k0: player = a;\n{walk}k8, o: player = b; o, e: $ end_it; e, end: player = keeper;\n");
    let run =
        rgc_with_input(["check", "-", "--proper", "--from", "rg", "--positions", "1"], &format!("{RG}{more}{rules}"));
    assert_eq!(run.code, 1, "{}", run.stdout);
    assert!(run.stdout.contains("not decided"), "{}", run.stdout);
    assert!(run.stderr.contains("error[RT209]") && run.stderr.contains("given up at a limit"), "{}", run.stderr);
}

/// A sheet in GDL with one role, who goes from `a` to `b`, where the game is over.
fn sheet(more: &str) -> Run {
    let text = format!(
        "(role walker) (init (place a)) (<= (legal walker walk) (true (place a))) (<= (next (place b)) (does walker walk))
        (<= terminal (true (place b))) {more}"
    );
    proper("gdl", &text)
}

/// Conditions of GDL, in its words: the role, the values, and joint moves.
#[test]
fn sheets_that_are_not_well_formed() {
    let fine = "(goal walker 70)";
    let run = sheet(fine);
    assert!(
        run.code == 0 && run.stdout.contains("proper: all positions were explored"),
        "{}{}",
        run.stdout,
        run.stderr
    );
    let declared = "(base (place a)) (base (place b)) (input walker walk)";
    assert_eq!(sheet(&format!("{fine} {declared}")).code, 0);
    for (more, code, what, when) in [
        (
            "(goal walker 70) (goal walker 20)",
            "GDL672",
            "`walker` has 2 goal values in a terminal state: 20|70",
            "`walk`",
        ),
        (
            "(<= (goal walker 70) (true (place a)))",
            "GDL673",
            "`walker` has no goal value in a terminal state",
            "`walk`",
        ),
        (
            "(goal walker 70) (role other) (goal other 1) (<= (legal other rest) (true (place b)))",
            "GDL671",
            "`other` has no legal move, and the game is not over",
            "at the start",
        ),
        (
            "(goal walker 70) (base (place a)) (input walker walk)",
            "GDL674",
            "`(place b)` is reachable, but not in `base`",
            "`walk`",
        ),
        (
            "(goal walker 70) (base (place a)) (base (place b)) (input walker walk) (<= (legal walker run) (true (place a)))",
            "GDL674",
            "`run` is legal for `walker`, but not in `input`",
            "at the start",
        ),
    ] {
        let run = sheet(more);
        assert_eq!(run.code, 1, "{more}: {}", run.stdout);
        let found = run.stderr.split("\n\n").find(|found| found.contains(&format!("error[{code}]")));
        let found = found.unwrap_or_else(|| panic!("{more}: {}", run.stderr));
        assert!(
            found.contains(what) && found.contains(when) && found.contains("no shorter sequence"),
            "{more}: {found}"
        );
    }
}
