//! The source formatter and the canonical print.
#![allow(clippy::unwrap_used, clippy::panic)] // a test stops at the first surprise

mod common;

use common::{corpus, probe};
use rg_ir::SourceId;

fn format(text: &str) -> String {
    sbg::format(SourceId(0), text).unwrap_or_else(|errors| panic!("{text}: {errors:?}"))
}

#[test]
fn white_space_is_tidied() {
    let text = "// A game.\n\n\n<<x>> <BOARD> 2\n2 |.a||A.|  // the start\n<PIECES> A (0 ,1, e)^ 2+\n (1,0,e) ( 0,\n1,p)  /* ! */ &\
                B((0,1,e)+(0,1,p))^*&<GOALS>9& #a0&@A 1 1 ,0   1& // done";
    let expected = "\
// A game.

<<x>>
<BOARD>
2 2
|.a|
|A.| // the start
<PIECES>
A (0,1,e)^2 +
  (1,0,e)(0,1,p) /* ! */ &
B ((0,1,e) + (0,1,p))^* &
<GOALS>
9 &
#a 0 &
@A 1 1, 0 1 & // done
";
    assert_eq!(format(text), expected);
    assert_eq!(format(expected), expected);
}

#[test]
fn what_cannot_be_cut_into_words_is_not_formatted() {
    let errors = sbg::format(SourceId(0), "<<x>> ? /*").unwrap_err();
    assert_eq!(errors.iter().map(|e| e.code).collect::<Vec<_>>(), ["SBG501", "SBG502"]);
}

#[test]
fn printing_and_reading_gives_the_same_game() {
    let rules = "A ((0,1,e)+(1,0,p)(0,1,w))^2 + ((0,1,e)^*)^3 ((1,0,e)+(1,0,p)) + (((0,1,e))) &";
    let text = probe(rules, "9 & #A 0 & @a 0 0, 1 0 &");
    let first = sbg::parse(SourceId(0), &text).0.unwrap();
    let printed = sbg::print(&first);
    assert!(printed.contains("A ((0,1,e) + (1,0,p)(0,1,w))^2 + ((0,1,e)^*)^3((1,0,e) + (1,0,p)) + (0,1,e) &\n"));
    let second = sbg::parse(SourceId(0), &printed).0.unwrap();
    assert_eq!(sbg::print(&second), printed);
    assert!(sbg::lower(&first).unwrap().game == sbg::lower(&second).unwrap().game);
}

#[test]
fn formatting_the_corpus_changes_no_game_and_happens_once() {
    for (name, text) in corpus("sbg").unwrap_or_default() {
        let formatted = format(&text);
        assert_eq!(format(&formatted), formatted, "{name}");
        let print = |text: &str| sbg::print(&sbg::parse(SourceId(0), text).0.unwrap());
        assert_eq!(print(&text), print(&formatted), "{name}");
    }
}
