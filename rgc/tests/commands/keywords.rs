//! Keywords that are misspelt by one letter: an error, which `--fix` mends, and nothing else.

use crate::support::{Scratch, game, rgc};
use std::fs;

/// A bundled game, what is replaced in it first by what, and how the message begins.
const CASES: &[(&str, &str, &str, &str)] = &[
    ("rg/ticTacToe.rg", "begin, ", "begn, ", "error[RG029]: node `begn` cannot be reached from `begin`"),
    ("gdl/nim.gdl", "(role ", "(rol ", "error[GDL649]: `rol` is probably a misspelling of `role`"),
    ("gdl/nim.gdl", "(<= terminal", "(<= termnal", "error[GDL638]: the game has no `terminal`"),
    ("rg/ticTacToe.rg", "type Score", "tpye Score", "error[RG050]: unknown keyword `tpye`"),
    ("hrg/nim.hrg", "domain Score", "domian Score", "error[HRG402]: unknown keyword `domian`"),
    ("rg/ticTacToe.rg", "player = keeper", "player = keper", "error[RG017]: `keper` can never be assigned"),
];

#[test]
fn a_misspelt_keyword_is_one_error_with_a_fix() {
    let scratch = Scratch::new("keywords");
    for (name, right, wrong, message) in CASES {
        let text = fs::read_to_string(game(name)).unwrap();
        let file = scratch.path(name.rsplit('/').next().unwrap());
        fs::write(&file, text.replacen(right, wrong, 1)).unwrap();
        let run = rgc(["check", &file]);
        assert!(run.code == 1 && run.stderr.contains(message), "{wrong}: {}", run.stderr);
        let count =
            run.stderr.lines().filter(|line| line.starts_with("error[") || line.starts_with("warning[")).count();
        assert_eq!(count, 1, "{wrong}: {}", run.stderr);
        let run = rgc(["check", "--fix", &file]);
        assert!(run.stdout.contains("1 fix applied"), "{wrong}: {} {}", run.stdout, run.stderr);
        assert_eq!(fs::read_to_string(&file).unwrap(), text, "{wrong}");
    }
}
