//! What messages look like.
#![allow(clippy::unwrap_used)] // a test stops at the first surprise

mod common;

use common::{codes, errors, findings, probe};
use rg_ir::SourceId;

/// Checks the findings of several texts against one snapshot.
fn snapshot(name: &str, cases: &[String]) {
    let shown: Vec<String> = cases.iter().map(|case| format!("{}\n\n{}", case.trim_end(), findings(case))).collect();
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path("../../../snapshots/sbg");
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!(name, shown.join("\n----\n")));
}

#[test]
fn rules() {
    let cases = [
        "A (0,1,e) + & B (0,1,x) &",
        "A (0,1,e)* & A (0,1,e)^2^2 & B () & C & D (0,1,e &",
        "A (0,1,e)\nB (0,1,e)) & a (0,1,e) & C (0,1) &",
        "A (0,1,e) & A (0,1,p) & B (0,3,e) &",
        "A (0,1,e",
        "A (+1,0,e)(0,+1,e) &",
        "A (0,1,E) & B (0,1,e) C (0,1,e) &",
    ];
    snapshot("rules", &cases.map(|rules| probe(rules, "9 & @A 2 2 & @a 0 0 &")));
}

#[test]
fn goals() {
    let cases = [
        "0 &",
        "#A 0 &",
        "9 & @A & @A 3 3, 1 1 1 & #B 0 & #A &",
        "9 #A 0 & wins &",
        "9 & #A 0 & @a 2 2",
        "twenty & #A 0 &",
    ];
    snapshot("goals", &cases.map(|goals| probe("A (0,1,e)+(0,1,p) &", goals)));
}

#[test]
fn sections_and_boards() {
    let cases = [
        "<<a_b>> <BOARD> 3 2 |. A| |....| |...| <PIECES> <GOALS> 5 &",
        "<PIECES> <BOARD> 65 0 |.| <BOARDS> /* no end",
        "<<>> <BOARD> 1 1 1 |A| <PIECES> <GOALS> 5 & <GOALS> 6 & ?!",
        "<<x>> <BOARD> 2 1 |A. <PIECES> <GOALS> 99999999999 &",
    ];
    snapshot("sections_and_boards", &cases.map(str::to_owned));
}

#[test]
fn warnings() {
    let cases = [
        probe("A (0,0,e)+(0,1,e)+(1,0,e)(-1,0,e) & B (1,0,e) &", "1 & #A 2 & #a 1 & #a 0 & @b 0 0 & @A 2 2, 2 2"),
        probe("A (0,0,w) &", "9 & @A 0 0 & @A 0 0 &"),
        probe("A (0,1,e)^* &", "9 &"),
        probe("A (0,2,e)(0,2,e) &", "9 & #a 0 &"),
        "<<x>> <BOARD> 2 1 |a.| <PIECES> <GOALS> 5 & #a 0 &".to_owned(),
    ];
    snapshot("warnings", &cases);
}

#[test]
fn what_is_meant() {
    let game = |name: &str, rows: &str, rule: &str, goals: &str| {
        format!("// A game.\n{name}\n<BOARD> 3 3 {rows}\n<PIECES>\n{rule}\n<GOALS> 20 &\n{goals}")
    };
    let (name, rows, goals) = ("<<Pawns>>", "|ppp| |...| |PPP|", "@P 0 2 & @p 0 0 &");
    let rule = "P (0,1,e) + (1,1,p) &";
    let cases = [
        game(name, rows, "Q (0,1,e) + (1,1,p) &", goals),
        game(name, "|pkp| |...| |PKP|", "Q (0,1,e) + (1,1,p) &", goals),
        game(name, rows, "PP (0,1,e) + (1,1,P) &", "@PP 0 2 & @p 0 0 &"),
        game(name, rows, "PQ (0,1,e) &", goals),
        game(name, rows, rule, "@P 0 2 & @q 0 0 &"),
        game(name, "|pkp| |...| |PKP|", "P (0,1,p) & K (0,1,p) &", "#K 0 & #q 0 & @R 1 2 &"),
        game(name, "|ppp| |....| |PP|", rule, goals),
        game("<Two pawns>", rows, rule, goals),
        game("", rows, rule, goals),
    ];
    snapshot("meant", &cases);
}

#[test]
fn every_entry_is_looked_at() {
    let text = probe("A (0,1,) & B (,1,e) & C (0,1,e)(0,1,e))) &", "9 & #A & @A 1 & @a 9 9 &");
    assert_eq!(errors(&text), ["SBG513", "SBG513", "SBG513", "SBG513", "SBG513", "SBG518"]);
    assert!(codes(&probe("A (0,1,e)+(0,1,p) &", "9 & #A 0 & #a 0 &")).is_empty());
}

#[test]
fn comments_and_space_are_free() {
    let text = "/* a */ << n 1 >>//\r\n<BOARD>3/**/3\r\n|..a|\r\n|...|//x\r\n|A..|<PIECES>A( 0 , 1 , e ) ^ 2+(0,-1,p)&<GOALS>9&#A0&@a 0/**/0&";
    assert!(codes(text).is_empty(), "{}", findings(text));
}

#[test]
fn missing_sections_can_be_added() {
    let whole =
        ["<BOARD>\n3 3\n|ppp|\n|...|\n|PPP|\n", "<PIECES>\nP (0,1,e) &\np (0,1,e) &\n", "<GOALS>\n100 &\n@P 0 2 &"];
    for left_out in 0..1 << whole.len() {
        let kept = (0..whole.len()).filter(|at| left_out >> at & 1 == 0);
        let mut text = format!("<<Race>>\n{}", kept.map(|at| whole[at]).collect::<String>());
        for _ in 0..whole.len() {
            let found = sbg::parse(SourceId(0), &text).1;
            let Some(missing) = found.iter().find(|found| found.message.ends_with("is missing")) else { break };
            for edit in &missing.fixes.first().unwrap().edits {
                text.replace_range(edit.span.range(), &edit.text);
            }
        }
        assert!(!errors(&text).contains(&"SBG505"), "{text}");
    }
}

/// Width and height that are exchanged are one mistake.
#[test]
fn a_size_with_its_numbers_exchanged() {
    let text = "<<Race>>\n<BOARD>\n4 3\n|pp.|\n|...|\n|...|\n|.PP|\n<PIECES>\nP (0,1,e) &\n<GOALS>\n9 &\n@P 2 3 &\n";
    let (_, findings) = sbg::parse(rg_ir::SourceId(0), text);
    let errors: Vec<_> = findings.iter().filter(|finding| finding.is_error()).collect();
    let [error] = errors[..] else { panic!("{errors:?}") };
    assert!(error.message.contains("3 wide and 4 high"), "{}", error.message);
    let edit = &error.fixes[0].edits[0];
    let mended = format!("{}{}{}", &text[..edit.span.start as usize], edit.text, &text[edit.span.end as usize..]);
    assert!(sbg::parse(rg_ir::SourceId(0), &mended).1.iter().all(|finding| !finding.is_error()), "{mended}");
}
