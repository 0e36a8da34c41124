//! `rgc translate --to rbg` of games in SBG.

use crate::support::{STRANGE_RULES, Scratch, game, json_lines, rgc, snapshot};
use rgc::library;
use std::fs;

/// The game as RBG has no findings, and is the same one as far as that is looked at.
fn same(file: &str, scratch: &Scratch, name: &str) -> String {
    let rbg = scratch.path(&format!("{name}.rbg"));
    rgc(["translate", file, "--to", "rbg", "-o", &rbg]).success();
    let text = fs::read_to_string(&rbg).unwrap();
    let checked = rgc(["check", &rbg]);
    assert!(checked.code == 0 && checked.stderr.is_empty(), "{name}: {}\n{text}", checked.stderr);
    assert_eq!(rgc(["fmt", &rbg, "--check"]).code, 0, "{name}");
    prove(file, &rbg, "300");
    text
}

/// Compares two games, move by move.
fn prove(file: &str, rbg: &str, positions: &str) {
    let run = rgc(["equiv", file, rbg, "--positions", positions, "--plays", "2", "--json"]);
    let verdict = json_lines(&run.stdout).pop().unwrap_or_else(|| panic!("{file}: {}", run.stderr));
    assert_eq!(verdict["equal"], true, "{file}: {verdict}\n{}", fs::read_to_string(rbg).unwrap());
    assert_ne!(verdict["criterion"], "counts", "{file}");
}

#[test]
fn bundled_games_are_the_same_in_rbg() {
    let scratch = Scratch::new("sbg-as-rbg");
    for bundled in library::all().into_iter().filter(|bundled| bundled.language.name == "sbg") {
        let name = bundled.file_name();
        same(&game(&format!("sbg/{name}")), &scratch, name.trim_end_matches(".sbg"));
    }
}

#[test]
fn a_small_game_in_rbg() {
    let scratch = Scratch::new("sbg-as-rbg-small");
    snapshot("hexapawn_as_rbg", &same(&game("sbg/hexapawn.sbg"), &scratch, "hexapawn"));
}

/// Rules that come back to where they start, pass, jump over own men, have powers, and pieces without a rule or opponents.
#[test]
fn strange_rules_are_the_same_in_rbg() {
    let scratch = Scratch::new("sbg-as-rbg-strange");
    for (name, rule) in STRANGE_RULES {
        for (position, board) in [("both", "|pp.|\n|...|\n|q..|\n|PP.|"), ("alone", "|...|\n|...|\n|...|\n|PPQ|")] {
            let goals = if position == "both" {
                "#P 1 &\n#p 1 &\n@P 1 2, 2 2 &\n@p 0 1 &\n"
            } else {
                "@P 0 3, 1 3, 2 3, 0 1 &\n"
            };
            let text = format!("<<Strange>>\n<BOARD>\n3 4\n{board}\n<PIECES>\n{rule}\n<GOALS>\n8 &\n{goals}");
            let name = format!("{name}-{position}");
            let file = scratch.path(&format!("{name}.sbg"));
            fs::write(&file, text).unwrap();
            same_but_for_warnings(&file, &scratch, &name);
        }
    }
}

/// As [`same`], where the rules themselves are strange enough for warnings.
fn same_but_for_warnings(file: &str, scratch: &Scratch, name: &str) {
    let rbg = scratch.path(&format!("{name}.rbg"));
    let translated = rgc(["translate", file, "--to", "rbg", "-o", &rbg]);
    assert_eq!(translated.code, 0, "{name}: {}", translated.stderr);
    prove(file, &rbg, "2000");
}

#[test]
fn other_languages_are_not_translated_to_rbg() {
    for name in ["ticTacToe.hrg", "ticTacToe.rbg", "ticTacToe.gdl", "race.rg"] {
        let refused = rgc(["translate", name, "--to", "rbg"]);
        assert!(refused.code == 1 && refused.stderr.contains("IO310"), "{name}: {}", refused.stderr);
    }
}
