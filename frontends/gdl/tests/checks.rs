//! What the checks find in the corpus: exactly what the specification lists.

mod common;

use common::{codes, corpus};
use std::collections::BTreeMap;

/// Codes and the files they are found in, in the order of names. Where the specification only gives a number of files
/// (of a larger corpus), the files were looked at by hand.
const FOUND: &[(&str, &str)] = &[
    ("GDL606", "ggptest_test_case_1a ggptest_test_case_5d"),
    ("GDL607", "ggptest_test_clean_not_distinct"),
    ("GDL613", "chessAlex_disabled cittaceot"),
    (
        "GDL614",
        "amazons amazonsSuicide amazonsTorus asteroidsParallel asteroidsSerial blockerParallel blocksWorldParallel \
         blokbox_simple catcha_mouse choicethroughalt duplicateStateLarge duplicateStateSmall \
         factoringMutuallyAssuredDestruction mummyMaze2p_2007 othello-comp2007 pentago pentagoSuicide \
         ruleDepthExponential ruleDepthLinear slaughter stateSpaceSmall wargame03",
    ),
    ("GDL620", "firefighter ggptest_test_case_5d wargame03"),
    ("GDL622", "ggptest_test_invalid_function_arities_differ"),
    (
        "GDL623",
        "breakthroughSmall choicethroughalt factoringMutuallyAssuredDestruction knightThrough knightazons \
         rubiksCube_disabled ttcc4 ttcc4_2player_small",
    ),
    ("GDL624", "ggptest_test_case_3c"),
    (
        "GDL625",
        "alexChess battle brawl cephalopodMicro checkers checkers-cylinder-mustjump checkers-mustjump \
         checkers-mustjump-torus checkers-newgoals checkers-suicide-cylinder-mustjump checkersTiny chessAlex_disabled \
         choicethroughalt crossers3 cylinder-checkers englishDraughts ghostMaze2p kalaha5x2x3 kalaha_2009 max_knights \
         othello-comp2007 othelloHoles othelloSuicide pawnToQueen quad_7x7 ruleDepthLinear snakeParallel \
         tictactoe_3d_2player tictactoe_3d_small_2player wallmaze",
    ),
    (
        "GDL639",
        "ggptest_test_case_3c ggptest_test_case_3f ggptest_test_case_5e ggptest_test_clean_not_distinct gt_two_thirds_2p \
         gt_two_thirds_6p nonogram_10x10_1 nonogram_5x5_1 sudoku",
    ),
    ("GDL644", "ggptest_test_case_3f"),
];

#[test]
fn findings_are_those_of_the_specification() {
    let Some(files) = corpus("kif") else { return };
    let mut found: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for (name, text) in files.iter().filter(|(name, _)| name != "index") {
        let mut codes = codes(text);
        codes.sort_unstable();
        codes.dedup();
        for code in codes {
            found.entry(code).or_default().push(name);
        }
    }
    found.values_mut().for_each(|names| names.sort_unstable());
    let domains = found.remove("GDL640").unwrap_or_default();
    assert_eq!(domains.len(), 110, "files without `base` and `input`");
    let found: Vec<(&str, String)> = found.into_iter().map(|(code, names)| (code, names.join(" "))).collect();
    for ((found_code, found), (code, files)) in found.iter().zip(FOUND) {
        assert_eq!((*found_code, found.as_str()), (*code, *files));
    }
    assert_eq!(found.len(), FOUND.len());
}
