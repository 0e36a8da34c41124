//! What the commands say about sheets in GDL as people write them.

use crate::support::{Scratch, json_lines, rgc, rgc_with_input};

/// A walker between three rooms whose worth in the last room is said twice; in the second, a role cannot move.
const TWICE: &str = "(role guide) (role guest) (init (room 1)) (after 1 2) (after 2 3)
(<= (legal guide on) (true (room ?n)))
(<= (legal guest follow) (true (room ?n)))
(<= (next (room ?m)) (true (room ?n)) (after ?n ?m))
(<= terminal (true (room 3)))
(tip 20) (tip 90)
(<= (goal guide ?n) (true (room 3)) (tip ?n))
(<= (goal guest 0) (true (room 1)))";

/// Writes a file, and returns where it is.
fn write(folder: &Scratch, name: &str, text: &str) -> String {
    let path = folder.path(name);
    std::fs::write(&path, text).unwrap();
    path
}

#[test]
fn goals_that_are_several_or_none() {
    let folder = Scratch::new("gdl-goals");
    let sheet = write(&folder, "twice.kif", TWICE);
    let run = rgc(["trace", &sheet]);
    let lines = json_lines(&run.stdout);
    let end = lines.last().unwrap();
    assert_eq!((end["status"].as_str(), end["goals"].as_str()), (Some("terminal"), Some("20|90 none")));
    assert_eq!((end["scores"]["guide"].as_u64(), end["scores"]["guest"].as_u64()), (Some(90), Some(0)));
    assert_eq!(run.code, 0);
    let several = "warning[GDL672]: `guide` has 2 goal values in a terminal state: 20|90";
    let none = "warning[GDL673]: `guest` has no goal value in a terminal state";
    let play = "after the moves `(on follow); (on follow)`";
    let said = |stderr: &str| {
        assert!(stderr.contains(several) && stderr.contains(none) && stderr.contains(play), "{stderr}");
    };
    said(&run.stderr);
    for engine in ["backtracking", "native"] {
        let run = rgc(["perft", &sheet, "3", "--joint", "--json", "--engine", engine]);
        let leaves: Vec<_> = json_lines(&run.stdout).iter().map(|row| row["leaves"].as_u64().unwrap()).collect();
        assert_eq!((run.code, leaves), (0, vec![1, 1, 0]));
        said(&run.stderr);
    }
    let run = rgc(["match", &sheet, "--players", "random,random", "--games", "2", "--json"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    said(&run.stderr);
    let run = rgc(["bench", &sheet, "--seconds", "0.02", "--runs", "1", "--mode", "list"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    said(&run.stderr);
}

#[test]
fn a_role_without_a_legal_move() {
    let folder = Scratch::new("gdl-stuck");
    let sheet =
        write(&folder, "stuck.kif", &TWICE.replace("guest follow) (true (room ?n))", "guest follow) (true (room 1))"));
    let run = rgc(["trace", &sheet]);
    let lines = json_lines(&run.stdout);
    let end = lines.last().unwrap();
    assert_eq!((end["steps"].as_u64(), end["status"].as_str()), (Some(1), Some("noplay(1:0)")));
    assert!(end.get("goals").is_none() && run.code == 0, "{}", run.stderr);
    let said = |stderr: &str| {
        let message = "warning[GDL671]: `guest` has no legal move, and the game is not over";
        assert!(stderr.contains(message) && stderr.contains("after the moves `(on follow)`"), "{stderr}");
    };
    said(&run.stderr);
    for arguments in [&["--joint"][..], &[]] {
        let run = rgc([&["perft", &sheet, "3", "--json"], arguments].concat());
        let leaves: Vec<_> = json_lines(&run.stdout).iter().map(|row| row["leaves"].as_u64().unwrap()).collect();
        assert_eq!((run.code, leaves), (0, vec![1, 0]), "{}", run.stderr);
        said(&run.stderr);
    }
    // A match of which no game has a result is no success.
    let run = rgc(["match", &sheet, "--players", "random,random", "--games", "2", "--json"]);
    assert_eq!(run.code, 1, "{}", run.stderr);
    said(&run.stderr);
    for mode in ["list", "bulk", "visit"] {
        let run = rgc(["bench", &sheet, "--seconds", "0.02", "--runs", "1", "--mode", mode]);
        assert_eq!(run.code, 0, "{}", run.stderr);
        said(&run.stderr);
    }
}

#[test]
fn by_the_letter() {
    let folder = Scratch::new("gdl-strict");
    let sheet = write(&folder, "brackets.kif", &format!("({})", TWICE.replace("guest follow)", "guest (follow))")));
    let run = rgc(["check", &sheet]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert!(run.stderr.contains("warning[GDL616]") && run.stderr.contains("warning[GDL605]"), "{}", run.stderr);
    for arguments in [&["check", &sheet][..], &["moves", &sheet], &["translate", &sheet, "--to", "gdl-infix"]] {
        let run = rgc([arguments, &["--strict"]].concat());
        assert_eq!((run.code, run.stdout.as_str()), (1, ""), "{}", run.stderr);
        assert!(run.stderr.contains("error[GDL616]") && run.stderr.contains("error[GDL605]"), "{}", run.stderr);
    }
}

/// Two roles bid in secret; who bid is told the higher bid, the other one nothing.
const BIDS: &str = "(role eve) (role odo) (role random) (init bidding) (bid 1) (bid 2) (above 2 1)
(<= (legal ?r (offer ?b)) (role ?r) (bid ?b) (true bidding) (distinct ?r random))
(<= (legal random (coin ?c)) (bid ?c) (true bidding))
(<= (next (got ?r ?b)) (does ?r (offer ?b)))
(<= (sees ?r (does ?q (offer ?b))) (does ?r (offer ?c)) (does ?q (offer ?b)) (above ?b ?c))
(<= (sees odo (does random ?m)) (does random ?m))
(<= terminal (not (true bidding)))
(<= (goal ?r 50) (true (got ?r ?b)))";

#[test]
fn what_roles_see() {
    let folder = Scratch::new("gdl-sees");
    let sheet = write(&folder, "bids.kif", BIDS);
    let lines = json_lines(&rgc(["trace", &sheet, "--seed", "1"]).output());
    assert_eq!(lines[1]["moves"].to_string(), r#"["(offer 2)","(offer 1)","(coin 2)"]"#);
    assert_eq!(
        lines[1]["sees"].to_string(),
        r#"{"eve":[],"odo":["(does eve (offer 2))","(does random (coin 2))"],"random":[]}"#
    );
    let known = |play: &str, role: &str| rgc(["moves", &sheet, "--as", role, "--play", play]).output();
    assert_eq!(known("", "eve"), "2 legal moves:\n  (offer 1)\n  (offer 2)\n");
    assert_eq!(known("(offer 2)", "eve"), "step 0: eve does (offer 2)\neve has chosen, and waits for the others\n");
    assert_eq!(known("(offer 2)", "odo"), "step 0: odo has not chosen yet\n2 legal moves:\n  (offer 1)\n  (offer 2)\n");
    let all = "(offer 2); (offer 1); (coin 1)";
    assert_eq!(known(all, "EVE"), "step 0: eve does (offer 2)\nthe game is over\n");
    let odo =
        "step 0: odo does (offer 1)\n  sees (does eve (offer 2))\n  sees (does random (coin 1))\nthe game is over\n";
    assert_eq!(known(all, "odo"), odo);
    let json = rgc(["moves", &sheet, "--as", "odo", "--play", "(offer 2)", "--json"]).output();
    assert_eq!(
        json,
        "{\"role\":\"odo\",\"steps\":[{\"move\":null,\"sees\":[]}],\"over\":false,\"moves\":[\"(offer 1)\",\"(offer 2)\"]}\n"
    );
    let run = rgc(["moves", &sheet, "--as", "adam"]);
    assert!(run.code == 1 && run.stderr.contains("IO323"), "{}", run.stderr);
    let run = rgc(["moves", "breakthrough.rbg", "--as", "white"]);
    assert!(run.code == 1 && run.stderr.contains("IO322"), "{}", run.stderr);
}

#[test]
fn joint_moves_are_divided() {
    let folder = Scratch::new("gdl-divide");
    let sheet = write(&folder, "bids.kif", BIDS);
    let shares = json_lines(&rgc(["perft", &sheet, "1", "--joint", "--divide", "--json"]).output());
    assert_eq!(shares.len(), 9, "eight joint moves, and their sum");
    assert_eq!(shares[0]["move"].as_str(), Some("((offer 1) (offer 1) (coin 1))"));
    assert_eq!(shares[8]["leaves"].as_u64(), Some(8));
    let twice = write(&folder, "twice.kif", TWICE);
    let shares = json_lines(&rgc(["perft", &twice, "2", "--joint", "--divide", "--json"]).output());
    assert_eq!((shares[0]["move"].as_str(), shares[0]["leaves"].as_u64()), (Some("(on follow)"), Some(1)));
}

#[test]
fn the_style_of_prolog() {
    let folder = Scratch::new("gdl-prolog");
    let text = "% Nim with one heap.\nrole(first). role(second).\ninit(heap(2)). init(turn(first)).\nless(1, 0). less(2, 1).\n\
                legal(P, take) :- true(turn(P)), \\+ true(heap(0)).\nlegal(P, pass) :- role(P), not(true(turn(P))).\n\
                next(heap(M)) :- true(heap(N)), less(N, M).\nnext(turn(Q)) :- true(turn(P)), role(Q), P \\= Q.\n\
                terminal :- true(heap(0)).\ngoal(P, 100) :- role(P), \\+ true(turn(P)).\ngoal(P, 0) :- true(turn(P)).\n";
    let sheet = write(&folder, "nim.gdl", text);
    let lines = json_lines(&rgc(["trace", &sheet]).success());
    assert_eq!((lines[3]["steps"].as_u64(), lines[3]["goals"].as_str()), (Some(2), Some("0 100")));
    let prefix = rgc(["translate", &sheet, "--to", "gdl-prefix"]).success();
    let again = write(&folder, "again.kif", &prefix);
    let prolog = rgc(["translate", &again, "--to", "gdl-prolog"]).success();
    assert!(prolog.contains("next(turn(Q)) :- true(turn(P)), role(Q), P \\= Q.\n"), "{prolog}");
    let back = write(&folder, "back", &prolog);
    assert_eq!(rgc(["translate", &back, "--to", "gdl-prefix", "--from", "gdl-prolog"]).success(), prefix);
    assert_eq!(rgc(["trace", &back]).success(), rgc(["trace", &sheet]).success());
    let formatted = rgc(["fmt", &back, "--from", "gdl-prolog", "--check"]);
    assert_eq!(formatted.code, 0, "{}", formatted.stdout);
    // Two facts alone look like the infix syntax, in which `;` begins a comment.
    let facts = write(&folder, "facts.gdl", "p(a). q :- r(b) ; s.\n");
    assert!(rgc(["check", &facts, "--from", "gdl-prolog"]).stderr.contains("relation `s`"));
}

/// A role that cannot move at the start is named by every command, also where nobody has moved yet.
#[test]
fn a_game_that_cannot_begin() {
    let sheet = "(role first) (role second) (init (at a)) (<= (legal first go) (true (at a)))
        (<= (legal second go) (true (at b))) (<= (next (at b)) (does first go)) (<= terminal (true (at c)))
        (goal first 50) (goal second 50)";
    for arguments in [&["moves", "-"][..], &["match", "-", "--players", "random", "--games", "2"]] {
        let run = rgc_with_input([arguments, &["--from", "gdl"]].concat(), sheet);
        assert_eq!(run.code, 1, "{arguments:?}: {}", run.stdout);
        assert!(run.stderr.contains("GDL671"), "{arguments:?}: {}", run.stderr);
        assert!(run.stderr.contains("`second` has no legal move"), "{arguments:?}: {}", run.stderr);
        assert!(run.stderr.contains("<stdin>:2:13"), "{arguments:?}: {}", run.stderr);
    }
}

/// Every command reports how a sheet is read
#[test]
fn lenient_readings_are_reported_by_all_commands() {
    let sheet = "((role one) (init (at a)) (<= (legal one go) (true (at a))) (<= (next (at b)) (does one go))
        (<= (terminal) (true (at b))) (goal one 50))";
    for arguments in [&["check", "-"][..], &["trace", "-"], &["perft", "-", "1"], &["moves", "-"]] {
        let run = rgc_with_input([arguments, &["--from", "gdl"]].concat(), sheet);
        assert_eq!(run.code, 0, "{arguments:?}: {}", run.stderr);
        assert!(run.stderr.contains("warning[GDL"), "{arguments:?}: {}", run.stderr);
        let strict = rgc_with_input([arguments, &["--from", "gdl", "--strict"]].concat(), sheet);
        assert_eq!(strict.code, 1, "{arguments:?}: {}", strict.stderr);
    }
}

/// With a rule for `base` that cannot be evaluated, the others declare only a part.
#[test]
fn a_part_of_base_is_no_declaration() {
    let sheet = "(role one) (init (n 0)) (base (n 0)) (base (n ?x)) (<= (legal one go) (true (n 0)))
        (<= (next (n 1)) (does one go)) (<= terminal (true (n 1))) (goal one 50)";
    let run = rgc_with_input(["check", "-", "--from", "gdl", "--proper"], sheet);
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert!(
        run.stderr.contains("GDL647") && run.stdout.contains("proper: all positions"),
        "{}{}",
        run.stdout,
        run.stderr
    );
}

#[test]
fn goal_values_that_are_not_numbers_count_as_0_everywhere() {
    let folder = Scratch::new("gdl-odd-goals");
    let sheet = "(role a) (role b) (init (step 0)) (<= (legal a (go ?x)) (odd ?x)) (legal b wait)
(<= (next (chosen ?x)) (does a (go ?x))) (odd VALUE) (odd 20)
(<= terminal (true (chosen ?x)))
(goal b 50)
";
    let constant = "(<= (goal a VALUE) (true (chosen VALUE))) (<= (goal a 20) (true (chosen 20)))";
    let variable = "(<= (goal a ?x) (true (chosen ?x)) (odd ?x))";
    for value in ["-5", "lots", "x-y", "+3", "99999999999999999999999"] {
        for goals in [constant, variable] {
            let file = write(&folder, "odd.kif", &format!("{sheet}{goals}\n").replace("VALUE", value));
            let chosen = format!("(go {value})");
            let about = format!("the goal value of `a` in a terminal state is not a number: `{value}`");
            let run = rgc(["moves", &file, "--play", &chosen]);
            assert!(run.stdout.contains("scores: a 0, b 50"), "{value}: {}", run.stdout);
            assert!(run.stderr.contains("GDL675") && run.stderr.contains(&about), "{value}: {}", run.stderr);
            assert!(run.stderr.contains("odd.kif:5:"), "{}", run.stderr);
            // In bytewise order the odd value may be the first or the second.
            let seed = if chosen.as_str() < "(go 20)" { "0" } else { "1" };
            let run = rgc(["trace", &file, "--seed", seed]);
            let end = json_lines(&run.stdout).pop().unwrap();
            assert_eq!((end["goals"].as_str(), end["scores"]["a"].as_u64()), (Some(&*format!("{value} 50")), Some(0)));
            assert!(run.stderr.contains(&about) && run.stderr.contains("odd.kif:5:"), "{}", run.stderr);
            let run = rgc(["match", &file, "--players", "random", "--games", "40", "--json"]);
            assert!(run.code == 0 && run.stderr.contains(&about), "{}", run.stderr);
            let run = rgc(["audit", &file, "--playouts", "40"]);
            assert!(run.stdout.contains("(0 × ") && run.stderr.contains(&about), "{}{}", run.stdout, run.stderr);
            assert!(!run.stdout.contains(&format!("({value} × ")), "{}", run.stdout);
        }
        let file = write(&folder, "odd.kif", &format!("{sheet}{constant}\n").replace("VALUE", value));
        let run = rgc(["check", "--strict", &file]);
        assert!(run.code == 1 && run.stderr.contains("error[GDL626]"), "{}", run.stderr);
    }
}
