//! Suggested fixes: what they change, and that the finding is gone afterwards.

use crate::support::{Scratch, game, json_lines, rgc, snapshot};
use std::fs;

const RG: &str = "type Player = { p };\ntype Score = { 0, 1 };\ntype Piece = { empty, stone };\nvar cell: Piece = empty;\n\
    begin, a: player = p;\na, b: cell == empty;\nb, c: cell = stone;\nc, d: $ put;\nd, end: player = keeper;\n";
const RBG: &str = "#players = white(100), black(100)\n#pieces = e, w\n#variables = turnCount(9)\n\
    #board = rectangle(up,down,left,right,[e,e][w,e])\n#step = {w} [e] up {e} [w]\n\
    #rules = ->white step [$ turnCount = turnCount+1] [$ white=100] ->>\n";
const HRG: &str = "domain Player = p\ndomain Score = 0 | 1\ndomain Piece = empty | stone\nboard: Piece\n\
    graph rules() {\n  player = p\n  check(board == empty)\n  $ put\n  board = stone\n  player = keeper\n  end()\n}\n";
const GDL: &str = "(role p)\n(init (cell b))\n(<= (legal p put) (true (cell b)))\n(<= (next (cell s)) (does p put))\n\
    (<= terminal (true (cell s)))\n(<= (goal p 100) (true (cell s)))\n";

/// Language, the right text, and what is replaced by what.
const CASES: [(&str, &str, &str, &str); 28] = [
    ("rg", RG, "b, c: cell = stone", "b, c: cel = stone"),
    ("rg", RG, "var cell: Piece", "var cell: Peice"),
    ("rg", RG, "b, c: cell = stone;", "b, c: cell = stone"),
    ("rbg", RBG, "up {e}", "upp {e}"),
    ("rbg", RBG, "[$ turnCount = turnCount+1]", "[$ turnCount = turnCout+1]"),
    ("rbg", RBG, "#variables = turnCount(9)", "#variables = turn_count(9)"),
    ("rbg", RBG, "rectangle(", "rectanlge("),
    ("hrg", HRG, "check(board == empty)", "check(board = empty)"),
    ("hrg", HRG, "  board = stone", "  board == stone"),
    ("hrg", HRG, "  board = stone", "  baord = stone"),
    ("hrg", HRG, "check(board == empty)", "chekc(board == empty)"),
    ("rg", RG, "var cell: Piece", "vra cell: Piece"),
    ("rg", RG, "cell = stone", "cll = stone"),
    ("rbg", RBG, "#rules", "#rulse"),
    ("kif", GDL, "(legal p put)", "(legla p put)"),
    ("kif", GDL, "(<= terminal", "(<= termnal"),
    ("rbg", MACRO, "{mine} up", "{mnie} up"),
    ("rbg", MACRO, "turnCount+1", "turnCout+1"),
    ("rbg", MACRO, "move(wolf)", "move(wlof)"),
    ("rbg", PLAIN, "#variables =\n", ""),
    ("rbg", RBG, "#variables = turnCount(9)", "#varables = turnCount(9)"),
    ("rg", MAP, ":empty", ":emty"),
    ("rg", MAP, "stone: empty", "ston: empty"),
    ("hrg", HRG, "domain Score", "domian Score"),
    ("hrg", HRG, "graph rules", "grpah rules"),
    ("hrg", CHOICE, "then stone", "thn stone"),
    ("hrg", CHOICE, "else empty", "esle empty"),
    ("hrg", CHOICE, "= if", "= fi"),
];

/// A macro called twice: what is misspelt in it is misspelt in both calls.
const MACRO: &str = "#players = white(100), black(100)\n#pieces = e, wolf\n#variables = turnCount(9)\n\
    #board = rectangle(up,down,left,right,[e,e][wolf,e])\n\
    #move(mine) = {mine} up {e} [mine] [$ turnCount = turnCount+1]\n\
    #rules = ->white move(wolf) ->black move(wolf) [$ white=100] ->>\n";
const PLAIN: &str = "#players = white(100), black(100)\n#pieces = e, w\n#variables =\n\
    #board = rectangle(up,down,left,right,[e,e][w,e])\n#rules = ->white {w} up {e} [w] [$ white=100] ->>\n";
const MAP: &str = "type Player = { p };\ntype Score = { 0, 1 };\ntype Piece = { empty, stone };\n\
    var board: Piece -> Piece = { :empty, stone: empty };\n\
    begin, a: player = p;\na, b: board[stone] == empty;\nb, c: board[stone] = stone;\nc, end: player = keeper;\n";
const CHOICE: &str = "domain Player = p\ndomain Score = 0 | 1\ndomain Piece = empty | stone\nother: Piece -> Piece\n\
    other(X) = if X == empty then stone else empty\nboard: Piece\n\
    graph rules() {\n  player = p\n  check(board == empty)\n  $ put\n  board = other(board)\n  player = keeper\n  end()\n}\n";

#[test]
fn fixes_mend_what_they_are_about() {
    let scratch = Scratch::new("fixes");
    let mut shown = String::new();
    for (number, (language, right, old, new)) in CASES.into_iter().enumerate() {
        assert!(right.contains(old), "{old}");
        let path = scratch.path(&format!("{number}.{language}"));
        fs::write(&path, right.replace(old, new)).unwrap();
        let found = rgc(["check", &path, "--message-format", "json"]).stderr;
        let finding = json_lines(&found).into_iter().find(|finding| finding["severity"] == "error").unwrap();
        let fix = &finding["fixes"][0];
        let code = finding["code"].as_str().unwrap().to_owned();
        assert!(fix["title"].is_string(), "{code} has no fix: {found}");
        shown += &format!("{code} {}: {} ({})\n", finding["message"], fix["title"], fix["applies"].as_str().unwrap());
        if fix["applies"] == "always" {
            rgc(["check", &path, "--fix"]);
            let left = rgc(["check", &path, "--message-format", "json"]).stderr;
            assert!(!json_lines(&left).iter().any(|finding| finding["severity"] == "error"), "{code}: {left}");
            let text = fs::read_to_string(&path).unwrap();
            let line = text.lines().zip(right.replace(old, new).lines().map(str::to_owned)).find(|(a, b)| a != b);
            let (after, before) = line.unwrap();
            shown += &format!("  - {before}\n  + {after}\n");
        }
    }
    snapshot("fixes", &shown);
}

/// Words of GDL, in a sheet that has the right ones, too.
#[test]
fn misspelt_words_of_gdl_are_mended() {
    let scratch = Scratch::new("fixes-words");
    let sheet = GDL.replace("(role p)", "(role p)\n(role q)").replace(
        "(init (cell b))",
        "(init (cell b))\n(init (turn q))\n(<= (legal q wait) (true (turn q)) (distinct p q))\n(next (turn q))\n(goal q 0)",
    );
    for (right, wrong) in [
        ("(role q", "(rol q"),
        ("(legal p", "(legl p"),
        ("(true (turn", "(treu (turn"),
        ("distinct", "distnct"),
        ("(next (turn", "(nxt (turn"),
        ("(goal q", "(gol q"),
        ("terminal", "terminl"),
    ] {
        let path = scratch.path("game.kif");
        assert!(sheet.contains(right), "{right}");
        fs::write(&path, sheet.replace(right, wrong)).unwrap();
        rgc(["check", "--fix", &path]);
        assert_eq!(fs::read_to_string(&path).unwrap(), sheet, "{wrong}");
    }
}

/// A misspelt node makes one finding, and names of another kind are not suggested.
#[test]
fn findings_say_no_more_than_is_wrong() {
    let scratch = Scratch::new("fixes-few");
    let path = scratch.path("game.rg");
    let text = fs::read_to_string(crate::support::game("rg/breakthrough.rg")).unwrap();
    fs::write(&path, text.replacen(", choose: ", ", chose: ", 1)).unwrap();
    let found = json_lines(&rgc(["check", &path, "--message-format", "json"]).stderr);
    assert!(found.iter().any(|finding| finding["help"] == "did you mean `choose`?"), "{found:?}");
    assert_eq!(found.len(), 1, "{found:?}");
    rgc(["check", &path, "--fix"]);
    assert_eq!(fs::read_to_string(&path).unwrap(), text);
    let path = scratch.path("game.rbg");
    let text = fs::read_to_string(crate::support::game("rbg/breakthrough.rbg")).unwrap();
    fs::write(&path, text.replacen("[e]\n", "[qq]\n", 1)).unwrap();
    let found = json_lines(&rgc(["check", &path, "--message-format", "json"]).stderr);
    assert!(!found.is_empty() && found.iter().all(|finding| finding["help"].is_null()), "{found:?}");
}

/// What only its author can know is suggested, and not carried out.
#[test]
fn uncertain_fixes_are_left_to_the_author() {
    let scratch = Scratch::new("fixes-unsure");
    for (game, right, wrong, help) in [
        ("rg/ticTacToe.rg", "cell = Cell(*)", "cell = Cell", "assigned by `cell = Cell(*)`"),
        ("rg/ticTacToe.rg", "line = Line(*)", "line = Line", "assigned by `line = Line(*)`"),
        ("hrg/ticTacToe.hrg", "cell = Cell(*)", "cell = Cell", "assigned by `cell = Cell(*)`"),
        ("rg/ticTacToe.rg", "$$ cell", "$ cell", "did you mean `$$ cell`?"),
        ("hrg/ticTacToe.hrg", "$$ cell", "$ cell", "did you mean `$$ cell`?"),
        ("rg/ticTacToe.rg", "] = 100;", "] = 10;", "did you mean `100`?"),
        ("gdl/ticTacToe.gdl", "(<= terminal decided", "(=> terminal decided", "did you mean `<=`?"),
        ("hrg/connectFour.hrg", "reachable(four", "reachable(Four", "did you mean `four`?"),
    ] {
        let text = fs::read_to_string(crate::support::game(game)).unwrap();
        assert!(text.contains(right), "{game}: {right}");
        let (path, text) = (scratch.path(game.rsplit('/').next().unwrap()), text.replacen(right, wrong, 1));
        fs::write(&path, &text).unwrap();
        let run = rgc(["check", "--fix", &path]);
        assert!(run.stderr.contains(help) || wrong.contains("Four"), "{wrong}: {}", run.stderr);
        let is_mended = fs::read_to_string(&path).unwrap() != text;
        assert_eq!(is_mended, wrong.contains("Four"), "{wrong}");
    }
}

#[test]
fn only_files_are_changed() {
    let run = rgc(["check", "chess.rbg", "--fix"]);
    assert!(run.code == 1 && run.stderr.contains("IO361"), "{}", run.stderr);
    let scratch = Scratch::new("fixes_gdl");
    let path = scratch.path("sheet.kif");
    fs::write(&path, GDL.replace("(<= terminal", "(<= termnial")).unwrap();
    let run = rgc(["check", &path, "--fix"]);
    assert!(run.stderr.contains("GDL"), "what cannot be mended is still said: {}", run.stderr);
}

/// Misspelt fluents and moves, wherever they stand, and brackets around names without arguments.
#[test]
fn misspelt_terms_of_gdl_are_mended_everywhere() {
    let scratch = Scratch::new("fixes-gdl");
    for (right, wrong) in
        [("(true (cell", "(true (clel"), ("(does p put)", "(does p putt)"), ("terminal", "(terminal)")]
    {
        let path = scratch.path("game.kif");
        fs::write(&path, GDL.replace(right, wrong)).unwrap();
        let strict = rgc(["check", "--strict", &path]);
        assert!(strict.code == 1 && GDL.contains(right), "{wrong}: {}", strict.stderr);
        assert_eq!(rgc(["check", "--fix", &path]).code, 0);
        assert_eq!(fs::read_to_string(&path).unwrap(), GDL);
    }
}

/// Brackets and messages of game servers around a sheet, and variables that stand for every role, become GDL by the letter.
#[test]
fn lenient_readings_of_gdl_are_written_out() {
    let scratch = Scratch::new("fixes-lenient");
    let any_role = GDL
        .replace("(<= (goal p 100) (true", "(<= (goal ?who 100) (true")
        .replace("(<= (legal p put) (true (cell b)))", "(legal ?who put)");
    let bound = any_role
        .replace("(goal ?who 100)", "(goal ?who 100) (role ?who)")
        .replace("(legal ?who put)", "(<= (legal ?who put) (role ?who))");
    let comment = "; (what it is about)\n";
    for (code, lenient, right) in [
        ("GDL616", format!("({comment}{GDL})"), format!("{comment}{GDL}")),
        ("GDL616", format!("(START a.match p ({GDL}) 30 10)\n"), format!("{}\n", GDL.trim_end())),
        ("GDL644", any_role, bound),
    ] {
        let path = scratch.path("game.kif");
        fs::write(&path, &lenient).unwrap();
        let strict = rgc(["check", "--strict", &path]);
        assert!(strict.code == 1 && strict.stderr.contains(code), "{lenient}: {}", strict.stderr);
        assert_eq!(rgc(["check", "--fix", &path]).code, 0);
        assert_eq!(fs::read_to_string(&path).unwrap(), right, "{code}");
        assert_eq!(rgc(["check", "--strict", &path]).code, 0);
    }
}

/// A message without the rules in a list, or with a comment in it, is for its author to mend.
#[test]
fn comments_in_messages_are_not_lost() {
    let scratch = Scratch::new("fixes-message");
    let path = scratch.path("game.kif");
    let text = format!("(START a.match p ; of the third round\n({GDL}) 30 10)\n");
    fs::write(&path, &text).unwrap();
    rgc(["check", "--fix", &path]);
    assert_eq!(fs::read_to_string(&path).unwrap(), text);
}

/// Misspelt fields of a game in JSON.
#[test]
fn misspelt_fields_of_json_are_mended() {
    let scratch = Scratch::new("fixes-json");
    let (source, path) = (scratch.path("game.rg"), scratch.path("game.json"));
    fs::write(&source, RG).unwrap();
    let json = rgc(["translate", &source, "--to", "json"]).success();
    assert!(json.contains("\"edges\""), "{json}");
    fs::write(&path, json.replacen("\"edges\"", "\"egdes\"", 1)).unwrap();
    let wrong = rgc(["check", &path]);
    assert!(wrong.code == 1 && wrong.stderr.contains("did you mean `edges`?"), "{}", wrong.stderr);
    let mended = rgc(["check", "--fix", &path]);
    assert!(mended.code == 0 && mended.stdout.contains("1 fix applied"), "{}{}", mended.stdout, mended.stderr);
    assert_eq!(fs::read_to_string(&path).unwrap(), json);
}

/// Where the declaration is misspelt and the uses are right, the declaration is changed; names that are equally near are both named.
#[test]
fn misspelt_declarations_are_mended_where_they_stand() {
    let scratch = Scratch::new("fixes-declarations");
    for (game, right, wrong) in [
        ("rg/ticTacToe.rg", "type Cell =", "type Cel ="),
        ("rg/breakthrough.rg", "const rival:", "const rivall:"),
        ("rg/breakthrough.rg", "var board:", "var baord:"),
        ("rbg/breakthrough.rbg", "black(100)", "blakc(100)"),
        ("rbg/breakthrough.rbg", "#turn(", "#tunr("),
        ("rbg/breakthrough.rbg", "theirs; forward)", "theirs; forwrad)"),
        ("hrg/breakthrough.hrg", "domain Player", "domain Pllayer"),
        ("hrg/breakthrough.hrg", "opponent: Player", "oppponent: Player"),
        ("hrg/breakthrough.hrg", "\nboard:", "\nboadr:"),
        ("gdl/ticTacToe.gdl", "(<= decided", "(<= decidde"),
        ("hrg/breakthrough.hrg", "C(X, Y) where X", "C(XX, Y) where X"),
        // Used once, and spelt as in other games.
        ("rbg/breakthrough.rbg", "#anywhere =", "#anywher ="),
        ("rbg/breakthrough.rbg", "#row(", "#rwo("),
        ("hrg/breakthrough.hrg", "Content = empty", "Content = emtpy"),
        ("gdl/ticTacToe.gdl", "(legal ?r noop)", "(legal ?r nop)"),
    ] {
        let text = fs::read_to_string(crate::support::game(game)).unwrap();
        let path = scratch.path(game.rsplit('/').next().unwrap());
        assert!(text.contains(right), "{game}: {right}");
        fs::write(&path, text.replacen(right, wrong, 1)).unwrap();
        let run = rgc(["check", "--fix", &path]);
        assert!(run.code == 0 && run.stderr.is_empty(), "{game}: {}", run.stderr);
        assert_eq!(fs::read_to_string(&path).unwrap(), text, "{wrong}");
    }
    let path = scratch.path("rivals.rbg");
    let text = fs::read_to_string(crate::support::game("rbg/breakthrough.rbg")).unwrap();
    fs::write(&path, text.replacen("->foe", "->fe", 1)).unwrap();
    let run = rgc(["check", "--fix", &path]);
    assert!(run.code == 1 && run.stderr.contains("did you mean `me` or `foe`?"), "{}", run.stderr);
}

/// What stands in one place is mended there, not in the several places that agree.
#[test]
fn parts_of_names_are_mended_where_they_stand() {
    let scratch = Scratch::new("fixes-parts");
    let right = fs::read_to_string(crate::support::game("rbg/theMillGame.rbg")).unwrap();
    for (from, to) in [
        ("ringOf(small;", "ringOf(smaall;"),
        (
            "= ring~point[e]{clock: ring~next, counter: ring~last}\n",
            "= ring~pzint[e]{clock: ring~next, counter: ring~last}\n",
        ),
    ] {
        let file = scratch.write("mill.rbg", &right.replacen(from, to, 1));
        let run = rgc(["check", &file, "--fix"]);
        assert_eq!(fs::read_to_string(&file).unwrap(), right, "{}", run.stderr);
    }
}

/// Whatever is misspelt in a game, there is one finding, and its fix gives the game back.
#[test]
fn misspellings_make_one_finding_with_a_fix() {
    let scratch = Scratch::new("fixes-one");
    for (game, right, wrong) in [
        ("hrg/breakthrough.hrg", "graph rules", "graph rulse"),
        ("hrg/breakthrough.hrg", "Content = empty", "Content = emtpy"),
        ("hrg/breakthrough.hrg", "off = outside;", "off = outsied;"),
        ("hrg/alquerque.hrg", "player = keeper", "player = keper"),
        ("hrg/breakthrough.hrg", "== opponent[me]", "== oponent[me]"),
        ("hrg/oware.hrg", "&& seeds[", "&& seds["),
        ("hrg/connectFour.hrg", "last(row, C", "last(roow, C"),
        ("hrg/amazons.hrg", "upRight | right |", "upRight | righht |"),
        ("hrg/ticTacToe.hrg", "opponent(noughts) = crosses", "opponent(noughts) = cosses"),
        ("hrg/breakthrough.hrg", "Y in 0..7", "Y inn 0..7"),
        ("hrg/breakthrough.hrg", "board[cell] == me", "board[cell] == mee"),
        ("hrg/breakthrough.hrg", "on(C(X, Y + 1))", "on(C(X, YY + 1))"),
        ("hrg/breakthrough.hrg", "on(C(X, Y + 1))", "on(CC(X, Y + 1))"),
        ("hrg/leducPoker.hrg", "beats(king, queen)", "beats(kng, queen)"),
        ("hrg/backgammon.hrg", "step(one)", "step(onne)"),
        ("hrg/backgammon.hrg", "graph play(die: Die)", "graph play(diie: Die)"),
        ("rg/ticTacToe.rg", "? seek -> found", "? seek -> fuond"),
        ("rbg/breakthrough.rbg", "row(w) row(w)", "row(ww) row(w)"),
        ("rbg/breakthrough.rbg", "row(w) row(w)", "rwo(w) row(w)"),
        ("rbg/breakthrough.rbg", "#row(", "#rwo("),
        ("rbg/connectFour.rbg", "+ line(disc; up", "+ line(dsic; up"),
        ("rbg/chess.rbg", "my~Q, my~Ku", "my~Q, ym~Ku"),
        ("rbg/breakthrough.rbg", "theirs; forward)", "theirs; forwrad)"),
        ("rbg/chess.rbg", "#king(my)", "#king(ym)"),
        ("rbg/chess.rbg", "#attacked(his;", "#attacked(hsi;"),
        ("rbg/theMillGame.rbg", "#ringOf(ring;", "#ringOf(rign;"),
        ("sbg/breakthrough.sbg", "(0,1,e)", "(0,1,ee)"),
        ("hrg/breakthrough.hrg", "C(X, Y) where X", "C(XX, Y) where X"),
        ("rbg/chess.rbg", "straight(his~R", "sraight(his~R"),
        ("sbg/breakthrough.sbg", "<BOARD>", "<BAORD>"),
        ("sbg/breakthrough.sbg", "<PIECES>", "<PEICES>"),
        ("sbg/breakthrough.sbg", "<GOALS>", "<GOLAS>"),
    ] {
        let text = fs::read_to_string(crate::support::game(game)).unwrap();
        let path = scratch.path(game.rsplit('/').next().unwrap());
        assert!(text.contains(right), "{game}: {right}");
        fs::write(&path, text.replacen(right, wrong, 1)).unwrap();
        let found = rgc(["check", &path, "--message-format", "json"]).stderr;
        assert_eq!(json_lines(&found).len(), 1, "{wrong}: {found}");
        let run = rgc(["check", "--fix", &path]);
        assert!(run.code == 0 && run.stderr.is_empty(), "{wrong}: {}", run.stderr);
        assert_eq!(fs::read_to_string(&path).unwrap(), text, "{wrong}");
    }
}

/// A text with something that is not used, what the finding says, and what is cut.
const UNUSED: [(&str, &str, &str, &str); 13] = [
    ("rg", RG, "type Score", "<type Odd = { odd,\n  even }; // for nothing\n>type Score"),
    ("rg", RG, "stone };\n", "stone };< const odd: Piece = stone;>\n"),
    ("rbg", RBG, "e, w\n", "e, w<, odd>\n"),
    ("rbg", RBG, "e, w\n", "<odd, >e, w // all\n"),
    ("rbg", RBG, "turnCount(9)", "turnCount(9)<, odd(2)>"),
    ("rbg", RBG, "#rules", "<#odd(x) = {x} up\n    {x} // for nothing\n>#rules"),
    ("hrg", HRG, "board: Piece", "<odd: Piece -> Piece\nodd(X) = X\n>board: Piece"),
    ("hrg", HRG, "board: Piece\n", "<odd: Piece = stone // for nothing\n>board: Piece\n"),
    ("hrg", HRG, "graph rules", "<graph odd() {\n  $ put\n}\n>graph rules"),
    (
        "kif",
        GDL,
        "(<= terminal",
        "<(odd b)\n>(<= terminal (true (cell s)))\n<(<= (odd ?x) (true (cell ?x)))\n>(<= terminal",
    ),
    ("kif", GDL, "(init", "<(odd a) (odd b) ; for nothing\n>(init"),
    ("sbg", SBG, "P (0", "<Q (0,1,e) & >P (0"),
    ("sbg", SBG, "<GOALS>", "<Q (0,1,e) & // for nothing\n><GOALS>"),
];
const SBG: &str =
    "<<Race>>\n<BOARD>\n1 4\n|p|\n|.|\n|.|\n|P|\n<PIECES>\nP (0,1,e) &\n<GOALS>\n20 &\n@P 0 3 &\n@p 0 0 &\n";

/// What is not used can be removed, with all that goes with it; the finding is gone then, and nothing else is found.
#[test]
fn unused_declarations_can_be_removed() {
    let scratch = Scratch::new("fixes-unused");
    for (number, (language, text, old, marked)) in UNUSED.into_iter().enumerate() {
        // `<=`, `->` and sections of SBG have the same brackets.
        let (open, close) = ('\u{1}', '\u{2}');
        let kept = [("<=", "\u{3}"), ("->", "\u{4}"), ("<GOALS>", "\u{5}")];
        let hidden = kept.iter().fold(marked.to_owned(), |text, (sign, other)| text.replace(sign, other));
        let hidden = hidden.replace('<', "\u{1}").replace('>', "\u{2}");
        let marked = kept.iter().fold(hidden, |text, (sign, other)| text.replace(other, sign));
        assert!(text.contains(old), "{old}");
        let wrong = text.replacen(old, &marked.replace([open, close], ""), 1);
        let right: String = marked.split(open).map(|part| part.rsplit(close).next().unwrap()).collect();
        let path = scratch.path(&format!("{number}.{language}"));
        fs::write(&path, &wrong).unwrap();
        let found = json_lines(&rgc(["check", &path, "--message-format", "json"]).stderr);
        let unused = found.iter().find(|finding| finding["fixes"][0]["title"].to_string().starts_with("\"remove"));
        let fix = &unused.unwrap_or_else(|| panic!("{wrong}: {found:?}"))["fixes"][0];
        assert_eq!(fix["applies"], "maybe");
        let mut left = wrong.clone();
        for edit in fix["edits"].as_array().unwrap().iter().rev() {
            let byte = |name: &str| usize::try_from(edit[name].as_u64().unwrap()).unwrap();
            left.replace_range(byte("byte_start")..byte("byte_end"), edit["text"].as_str().unwrap());
        }
        assert_eq!(left, text.replacen(old, &right, 1), "{marked}");
        fs::write(&path, &left).unwrap();
        let after = json_lines(&rgc(["check", &path, "--message-format", "json"]).stderr);
        let same = |finding: &&serde_json::Value| finding["message"] == unused.unwrap()["message"];
        let errors = after.iter().filter(|finding| finding["severity"] == "error" || same(finding));
        assert_eq!(errors.count(), 0, "{left}: {after:?}");
    }
}

/// Misspellings that leave a game with rules: they would only be noticed while it is played.
#[test]
fn misspellings_that_break_no_rule_are_found() {
    let scratch = Scratch::new("fixes-silent");
    let file = |game: &str, right: &str, wrong: &str| {
        let text = fs::read_to_string(crate::support::game(game)).unwrap();
        let path = scratch.path(game.rsplit('/').next().unwrap());
        assert!(text.contains(right), "{game}: {right}");
        fs::write(&path, text.replacen(right, wrong, 1)).unwrap();
        (path, text)
    };
    for (game, right, wrong, code) in [
        ("rg/race.rg", "rested, judge", "rested, jugde", "RG032"),
        ("rg/race.rg", "won, over", "won, overr", "RG029"),
        ("rg/race.rg", "@integer", "@integr", "RG055"),
        ("rg/matchingPennies.rg", "var visible", "var isible", "RG029"),
        ("rg/matchingPennies.rg", "type Bool", "type Bol", "RG029"),
        ("gdl/nim.gdl", "(base (heap", "(base (heaap", "GDL648"),
        ("gdl/ticTacToe.gdl", "(base (cell ?x ?y empty", "(base (cell ?x ?y emptyy", "GDL648"),
        ("gdl/ticTacToe.gdl", "(input ?r noop", "(input ?r nooop", "GDL648"),
        ("gdl/ticTacToe.gdl", "(input ?r noop", "(input ?r nop", "GDL648"),
        ("gdl/ticTacToe.gdl", "(init (control crosses", "(init (control croses", "GDL617"),
        ("gdl/ticTacToe.gdl", "(init (control", "(init (contrl", "GDL620"),
        ("gdl/ticTacToe.gdl", "(next (control", "(next (contrl", "GDL620"),
        ("gdl/ticTacToe.gdl", "(role crosses", "(role croses", "GDL617"),
        ("gdl/ticTacToe.gdl", "(mark noughts", "(mark nougths", "GDL617"),
        ("gdl/ticTacToe.gdl", "(mark noughts", "(mark oughts", "GDL617"),
        ("gdl/ticTacToe.gdl", "(mark noughts", "(mark nnoughts", "GDL617"),
        ("gdl/ticTacToe.gdl", "(legal ?r (put", "(legal ?r (putt", "GDL629"),
        ("gdl/foxAndHounds.gdl", "(init (control fox", "(init (control foox", "GDL617"),
        ("gdl/connectFour.gdl", "(role red", "(role reed", "GDL617"),
        ("gdl/connectFour.gdl", "(true (cell ?x2 ?y2", "(true (cell ?x2 ?y22", "GDL618"),
        ("gdl/connectFour.gdl", "(succ 4 5)", "(succc 4 5)", "GDL625"),
        ("gdl/ticTacDie.gdl", "(true (turn ?s put", "(true (turn ?s puut", "GDL617"),
        ("gdl/ticTacDie.gdl", "(<= (line ?r)", "(<= (liine ?r)", "GDL625"),
    ] {
        let (path, text) = file(game, right, wrong);
        let run = rgc(["check", &path]);
        assert!(run.code == 0 && run.stderr.contains(code), "{wrong}: {}", run.stderr);
        let run = rgc(["check", "--fix", &path]);
        assert!(run.stderr.is_empty() && fs::read_to_string(&path).unwrap() == text, "{wrong}: {}", run.stderr);
    }
    for (game, right, wrong, code) in [
        ("rg/race.rg", "type Score", "type Scroe", "RG014"),
        ("hrg/breakthrough.hrg", " then ", " theen ", "HRG402"),
        ("sbg/breakthrough.sbg", "<GOALS>", "<GGOALS>", "SBG501"),
        ("gdl/ticTacToe.gdl", "(<= terminal decided", "(=< terminal decided", "GDL604"),
    ] {
        let (path, text) = file(game, right, wrong);
        let run = rgc(["check", &path]);
        assert!(run.code == 1 && run.stderr.contains(code), "{wrong}: {}", run.stderr);
        let run = rgc(["check", "--fix", &path]);
        assert!(run.stderr.is_empty() && fs::read_to_string(&path).unwrap() == text, "{wrong}: {}", run.stderr);
    }
    // Whatever is misspelt throughout is mended throughout.
    let (path, text) = file("rg/kuhnPoker.rg", "type Player", "type Player");
    fs::write(&path, text.replace("Player", "Plyer").replace("Score", "Scroe")).unwrap();
    assert_eq!(rgc(["check", "--fix", &path]).code, 0);
    // An element of a domain may be a symbol that is spelt almost like another domain.
    let (path, text) = file("hrg/ticTacToe.hrg", "Place = Cell", "Place = Cel");
    let run = rgc(["check", "--fix", &path]);
    assert!(run.code == 1 && run.stderr.contains("HRG414") && run.stderr.contains("did you mean `Cell`?"));
    assert_eq!(fs::read_to_string(&path).unwrap(), text.replacen("Place = Cell", "Place = Cel", 1));
    let (path, _) = file("rbg/breakthrough.rbg", "->foe", "->black");
    fs::write(&path, fs::read_to_string(&path).unwrap().replacen("foe = 0", "black = 0", 1)).unwrap();
    let run = rgc(["check", &path]);
    // A lint; a warning where a name in the body is nearly the same.
    assert!(run.stderr.contains("lint[RBG177]: parameter `foe` is never used"), "{}", run.stderr);
}

/// One slip is one finding, and its fix gives back the text as it was.
#[test]
fn letters_and_arrows_are_mended() {
    let scratch = Scratch::new("fixes-slips");
    for (name, right, wrong, said) in [
        ("rbg/breakthrough.rbg", "+ {! forward} ->> {}", "+ {! forward} ->> {}", ""),
        ("rbg/breakthrough.rbg", "{? forward} ->foe", "{? forward} ->>foe", "`->>` is followed by the player `black`"),
        ("rbg/breakthrough.rbg", "= ->white", "= ->>white", "`->>` is followed by the player `white`"),
        ("sbg/breakthrough.sbg", "P (0,1,e)", "P (O,1,e)", "expected a number, found `O`"),
        ("sbg/breakthrough.sbg", "@P 0 7", "@P O 7", "expected a number, found `O`"),
        ("sbg/breakthrough.sbg", "@p 0 0, 1 0", "@p 0 0, 1 o", "expected a number, found `o`"),
        ("sbg/breakthrough.sbg", "\n200 &", "\n2OO &", "expected a number, found `2OO`"),
        ("sbg/breakthrough.sbg", "\nP (0,1,e)", "\nQ (0,1,e)", "neither `Q` nor `q` is on the board"),
        ("rg/breakthrough.rg", "over: goals[", "over: gaols[", "no variable or constant `gaols`"),
    ] {
        let text = fs::read_to_string(game(name)).unwrap();
        let path = scratch.path(name.split('/').next_back().unwrap());
        let slip = text.replacen(right, wrong, 1);
        assert_eq!(slip == text, said.is_empty(), "{right}");
        fs::write(&path, slip).unwrap();
        let run = rgc(["check", &path, "--message-format", "short"]);
        let lines = usize::from(!said.is_empty());
        assert!(run.stderr.lines().count() == lines && run.stderr.contains(said), "{wrong}: {}", run.stderr);
        assert_eq!(rgc(["check", "--fix", &path]).stderr, "", "{wrong}");
        assert_eq!(fs::read_to_string(&path).unwrap(), text, "{wrong}");
    }
    // Letters that are meant stay letters, and a missing player is not guessed.
    for (name, right, wrong, said) in [
        ("rbg/breakthrough.rbg", "->> {}", "-> {}", "expected a player after `->`, found `{`"),
        ("sbg/breakthrough.sbg", "P (0,1,e)", "P (0,1,o)", "expected `e`, `p` or `w`, found `o`"),
    ] {
        let text = fs::read_to_string(game(name)).unwrap().replacen(right, wrong, 1);
        let path = scratch.path(name.split('/').next_back().unwrap());
        fs::write(&path, &text).unwrap();
        let run = rgc(["check", "--fix", &path]);
        assert!(run.code == 1 && run.stderr.contains(said), "{}", run.stderr);
        assert_eq!(fs::read_to_string(&path).unwrap(), text);
    }
    let path = scratch.path("o.sbg");
    let text = "<<o>>\n<BOARD>\n3 3\n|ooo|\n|...|\n|OOO|\n<PIECES>\nO (0,1,e)^2 + (1,1,p) &\n<GOALS>\n20 &\n@O 0 2 & @o 0 0 & #O 0 & #o 0 &\n";
    fs::write(&path, text).unwrap();
    let run = rgc(["check", &path]);
    assert!(!run.stderr.contains("SBG513"), "{}", run.stderr);
}

/// A name that is misspelt in both of its uses is right where it is declared if bundled games have it, and not the other one.
#[test]
fn a_slip_that_is_made_twice_is_found() {
    let scratch = Scratch::new("fixes-twice");
    let path = scratch.path("twice.rg");
    let text = fs::read_to_string(game("rg/ticTacToe.rg")).unwrap();
    for (right, wrong) in [("rival[", "rivla["), ("seek -> found", "seek -> fuond")] {
        fs::write(&path, text.replace(right, wrong)).unwrap();
        let run = rgc(["check", &path]);
        let said = format!("{}{}", run.stdout, run.stderr);
        let name = right.trim_end_matches('[').rsplit(' ').next().unwrap();
        assert_eq!(said.matches(&format!("did you mean `{name}`?")).count(), 2, "{said}");
        assert!(!said.contains("occurs nowhere else"), "{said}");
    }
}
