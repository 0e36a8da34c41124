//! What is said about mistakes that newcomers make, and what mends them.
#![allow(clippy::unwrap_used, clippy::panic)] // a test stops at the first surprise

mod common;

use common::{errors, findings, probe};
use rg_ir::SourceId;
use rg_ir::diag::Fix;

/// The text after a fix.
fn after(text: &str, fix: &Fix) -> String {
    let mut edits = fix.edits.clone();
    edits.sort_by_key(|edit| std::cmp::Reverse(edit.span.start));
    let mut after = text.to_owned();
    edits.iter().for_each(|edit| after.replace_range(edit.span.range(), &edit.text));
    after
}

/// The text after the first fix of its first finding with one, until there is none, at most a few times.
fn mended(text: &str) -> String {
    let mut text = text.to_owned();
    for _ in 0..4 {
        let found = sbg::parse(SourceId(0), &text).1;
        let mut wrong = found.iter().filter(|found| found.is_error() || found.code == "SBG530");
        let Some(fix) = wrong.find_map(|found| found.fixes.first()) else { break };
        text = after(&text, fix);
    }
    text
}

#[test]
fn rules_are_mended() {
    for (wrong, right) in [
        ("A (0,1,e)\nB (1,0,e) &", "A (0,1,e) &\nB (1,0,e) &"),
        ("A (0,1,e)", "A (0,1,e) &"),
        ("A (0,1,e) & &", "A (0,1,e) & "),
        ("A (0,1,e);", "A (0,1,e)&"),
        ("A (0,1,e)*(0,1,p) &", "A (0,1,e)^*(0,1,p) &"),
        ("A (0,1,e)2 &", "A (0,1,e)^2 &"),
        ("A (0,1,e)^+ &", "A (0,1,e)^* &"),
        ("A (0,1,e)^2^2 &", "A ((0,1,e)^2)^2 &"),
        ("A ((0,1,e) + (1,0,e))^2^2 &", "A (((0,1,e) + (1,0,e))^2)^2 &"),
        ("A (0,1,e)) &", "A (0,1,e) &"),
        ("A (0,1,e) + (1,0,e)) + (1,1,p) &", "A (0,1,e) + (1,0,e) + (1,1,p) &"),
        ("A ((0,1,e) + (1,0,e) &", "A ((0,1,e) + (1,0,e)) &"),
        ("A (0,1,e + (1,0,e) &", "A (0,1,e) + (1,0,e) &"),
        ("A (0,1) &", "A (0,1,e) &"),
        ("A (0 1,e) &", "A (0, 1,e) &"),
        ("A (+1,0,e) &", "A (1,0,e) &"),
        ("A (0,1,e) + + (1,0,e) &", "A (0,1,e)  + (1,0,e) &"),
        ("A (0,1,e) + &", "A (0,1,e)  &"),
        ("A (0,1,e) | (1,0,e) &", "A (0,1,e) + (1,0,e) &"),
        ("A (0,1,e)\n| (1,0,e) || (1,1,p) &", "A (0,1,e)\n+ (1,0,e) + (1,1,p) &"),
    ] {
        let (wrong, right) = (probe(wrong, "9 & @A 2 2 & @a 0 0 &"), probe(right, "9 & @A 2 2 & @a 0 0 &"));
        assert_eq!(mended(&wrong), right, "{}", findings(&wrong));
        assert!(errors(&right).is_empty(), "{}", findings(&right));
    }
}

#[test]
fn goals_are_mended() {
    for (wrong, right) in [
        ("9 & #A &", "9 & #A 0 &"),
        ("9 & #0 a &", "9 & #a 0 &"),
        ("9 & #a = 0 &", "9 & #a  0 &"),
        ("9 & @A 2,2 &", "9 & @A 2 2 &"),
        ("9 & @A 0,2, 1,2 &", "9 & @A 0 2, 1 2 &"),
        ("9 & @A 0 2 1 2 &", "9 & @A 0 2, 1 2 &"),
        ("9 & @A (0,2), (1,2) &", "9 & @A 0 2, 1 2 &"),
        ("9 & @A a3, b3 &", "9 & @A 0 2, 1 2 &"),
        ("9 & @A 0 2\n@a 0 0 &", "9 & @A 0 2 &\n@a 0 0 &"),
        // What follows the limit does not become a part of a comment.
        ("@A 0 2 & // first\n9 & @a 0 0 &", "9 &\n@A 0 2 & // first\n @a 0 0 &"),
        ("9 & @A 0 2 &\n@a 0 0", "9 & @A 0 2 &\n@a 0 0 &"),
        ("9 & @A 0 2; @a 0 0 &", "9 & @A 0 2& @a 0 0 &"),
        ("9 & A 0 2 & @a 0 0 &", "9 & @A 0 2 & @a 0 0 &"),
        ("9 & a 0 &", "9 & #a 0 &"),
        // The limit.
        ("9\n@A 0 2 &", "9 &\n@A 0 2 &"),
        ("@A 0 2 &", "200 &\n@A 0 2 &"),
        ("@A 0 2 &\n9 &", "9 &\n@A 0 2 &"),
        ("@A 0 2 & 9 & @a 0 0 &", "9 &\n@A 0 2 & @a 0 0 &"),
        ("twenty & @A 0 2 &", "200 & @A 0 2 &"),
        ("0 & @A 0 2 &", "200 & @A 0 2 &"),
        ("9 turns & @A 0 2 &", "9 & @A 0 2 &"),
        ("", "200 &\n"),
    ] {
        let rule = "A (0,1,e) + (1,0,e) &";
        let (wrong, right) = (probe(rule, wrong), probe(rule, right));
        assert_eq!(mended(&wrong).trim_end(), right.trim_end(), "{}", findings(&wrong));
        assert!(errors(&right).is_empty(), "{}", findings(&right));
    }
}

/// Whatever is written, fixes stand within the text, and carrying them out stops no program.
#[test]
fn fixes_of_broken_texts_fit() {
    let text = probe("A (0,1,e)^*((1,0,p) + (1,1,e)^2) &\nB (0,-1,w) &", "9 &\n#A 0 &\n@a 0 0, 1 0 &");
    let signs = ["", "(", ")", "&", "+", "^", "*", ",", "#", "@", "|", ";", "0", "A", "e", "-1"];
    for (at, letter) in text.char_indices() {
        for sign in signs {
            let broken = format!("{}{sign}{}", &text[..at], &text[at + letter.len_utf8()..]);
            let found = sbg::parse(SourceId(0), &broken).1;
            for fix in found.iter().flat_map(|found| &found.fixes) {
                assert!(fix.edits.iter().all(|edit| broken.get(edit.span.range()).is_some()), "{broken}");
                let _ = sbg::parse(SourceId(0), &after(&broken, fix));
            }
        }
    }
}

#[test]
fn a_step_onto_several_kinds_of_squares_becomes_several() {
    for (wrong, right) in [
        ("A (2,1,ep) &", "A ((2,1,e) + (2,1,p)) &"),
        ("A (-1,0,wpe)(0,1,e) &", "A ((-1,0,e) + (-1,0,p) + (-1,0,w))(0,1,e) &"),
    ] {
        let (wrong, right) = (probe(wrong, "9 & @A 2 2 & @a 0 0 &"), probe(right, "9 & @A 2 2 & @a 0 0 &"));
        let found = sbg::parse(SourceId(0), &wrong).1;
        let fixes: Vec<&Fix> = found.iter().flat_map(|found| &found.fixes).collect();
        let [fix] = fixes[..] else { panic!("{}", findings(&wrong)) };
        assert_eq!((after(&wrong, fix), fix.applies), (right.clone(), rg_ir::diag::Applies::Maybe));
        assert!(errors(&right).is_empty(), "{}", findings(&right));
    }
    // What is no such word is spelt wrongly in another way.
    for other in ["A (0,1,ee) &", "A (0,1,ex) &"] {
        let found = sbg::parse(SourceId(0), &probe(other, "9 & @A 2 2 & @a 0 0 &")).1;
        assert!(found.iter().flat_map(|found| &found.fixes).all(|fix| !fix.title.contains('+')), "{found:?}");
    }
}

/// Where an entry is not understood, it is not certain where it ends.
#[test]
fn ends_of_entries_with_other_mistakes_are_guesses() {
    let is_certain = |rules: &str| -> Vec<bool> {
        let text = probe(rules, "9 & @A 2 2 & @a 0 0 &");
        let found = sbg::parse(SourceId(0), &text).1;
        let ends = found.iter().filter(|found| ["SBG514", "SBG530"].contains(&found.code));
        let ends = ends.flat_map(|found| &found.fixes);
        ends.map(|fix| fix.applies == rg_ir::diag::Applies::Always).collect()
    };
    assert_eq!(is_certain("A (0,1,e)\nB (1,0,e) &"), [true]);
    assert_eq!(is_certain("A (0,1,e) & B (1,0,e)"), [true]);
    assert_eq!(is_certain("A (0,1,e\nB (1,0,e) &"), [false]);
    assert_eq!(is_certain("A (0,1,e)\nB (1,0) &"), [false]);
    assert_eq!(is_certain("A (0,1) & B (1,0,e)"), [true]);
    assert_eq!(is_certain("A (0,1,e) & B (1,0,)"), [false]);
}
