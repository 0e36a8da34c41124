//! Rules that are being written: RBG that no game ends by, that forgets a switch, or begins without one. They are accepted, with a
//! warning at the text that says what will happen.

use crate::support::{Run, Scratch, json_lines, rgc, rgc_with_input};

/// A game in RBG on a board of two by two squares.
fn text(rules: &str) -> String {
    format!(
        "#players = red(9), blue(9)\n#pieces = none, disc\n#variables =\n\
         #board = rectangle(up,down,left,right,[none,none][none,none])\n\
         #anywhere = ((up* + down*)(left* + right*))\n#rules = {rules}\n"
    )
}

/// What `rgc check` says of the rules.
fn check(rules: &str) -> Run {
    let run = rgc_with_input(["check", "-", "--from", "rbg", "--color", "never"], &text(rules));
    assert_eq!(run.code, 0, "{rules}: {}", run.stderr);
    assert!(!run.stderr.contains("report this"), "{rules}: {}", run.stderr);
    run
}

/// Leaves of perft up to a depth.
fn perft(text: &str, from: &str, depth: &str) -> Vec<u64> {
    let run = rgc_with_input(["perft", "-", depth, "--from", from, "--json"], text);
    assert_eq!(run.code, 0, "{}", run.stderr);
    json_lines(&run.stdout).iter().map(|row| row["leaves"].as_u64().unwrap()).collect()
}

#[test]
fn what_will_happen_is_said_at_the_text() {
    let table: &[(&str, &str, &str)] = &[
        ("(->red ->blue)*", "RBG157", "no game ever ends"),
        ("(up [disc] ->> down [disc] ->>)*", "RBG154", "no player ever gets a turn"),
        ("->red up down", "RBG158", "there is no move: the game is over before the first one"),
        ("->red ([disc])* ->> {}", "RBG135", "no switch on this cycle: the move never ends"),
        ("->red up [disc] ->> [$ red = 9]", "RBG156", "no switch can follow, so the game is over before it"),
        (
            "anywhere {none} [disc] (->red anywhere {none} [disc] ->blue anywhere {none} [disc])*",
            "RT203",
            "the keeper chooses between different positions here; did you forget `->red`?",
        ),
        ("->red down ->>", "RBG156", "the game ends after this switch: the rules end without another switch"),
        ("->red down (->> + ->blue up ->> {})", "RBG156", "if the game is to end here, write `->> {}`"),
        ("{disc} ->red up [disc] ->> {}", "RT210", "the game is over before the first move"),
    ];
    for (rules, code, message) in table {
        let run = check(rules);
        let found = run.stderr.split("\n\n").find(|found| found.starts_with(&format!("warning[{code}]")));
        let found = found.unwrap_or_else(|| panic!("{rules}: {}", run.stderr));
        assert!(found.contains(message) && found.contains("<stdin>:"), "{rules}: {found}");
    }
    let several = check("->red up [disc] ->> up [disc] down [disc] ({none} up [disc] + {disc} [$ red = 9])");
    assert_eq!(several.stderr.matches("RBG156").count(), 1, "{}", several.stderr);
    let sound = check("(->red anywhere {none} [disc] [$ red = 9] ->> ->blue anywhere {none} [disc] ->>)*");
    assert!(!sound.stderr.contains("warning"), "{}", sound.stderr);
}

/// What is said of one file silences nothing about another.
#[test]
fn files_are_judged_by_themselves() {
    let scratch = Scratch::new("drafts");
    let write = |name: &str, rules: &str| {
        let path = scratch.path(name);
        std::fs::write(&path, text(rules)).unwrap();
        path
    };
    let (first, second) = (write("first.rbg", "->red up down"), write("second.rbg", "{disc} ->red up [disc] ->> {}"));
    let run = rgc(["check", &first, &second]);
    assert!(run.stderr.contains("RBG158") && run.stderr.contains("RT210"), "{}", run.stderr);
}

/// Games without an end can be run, and what is written of them at every level can be read.
#[test]
fn what_is_written_can_be_read() {
    for rules in ["(->red right left)*", "(->red {? {none}})*", "->red ([disc] right left)* ->blue ->> {}"] {
        let text = text(rules);
        for level in ["0", "1", "2", "3"] {
            let line = ["translate", "-", "--from", "rbg", "-O", level];
            let translated = rgc_with_input(line, &text).stdout;
            let again = rgc_with_input(["check", "-", "--from", "rg"], &translated);
            assert_eq!(again.code, 0, "{rules} at {level}: {}", again.stderr);
            if !rules.contains("disc") {
                assert_eq!(perft(&translated, "rg", "3"), perft(&text, "rbg", "3"), "{rules} at {level}");
            }
        }
    }
    assert_eq!(perft(&text("(->red {? {none}})*"), "rbg", "3"), [1, 1, 1]);
}
