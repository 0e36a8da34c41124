//! What messages look like.
#![allow(clippy::unwrap_used, clippy::panic)] // a test stops at the first surprise

mod common;

use common::{complete, mended, render};
use rg_ir::SourceId;

/// Checks the findings of several texts against one snapshot.
fn snapshot(name: &str, cases: &[&str]) {
    let shown: Vec<String> = cases.iter().map(|case| format!("{case}\n\n{}", findings(&complete(case)))).collect();
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path("../../../snapshots/rbg");
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!(name, shown.join("\n----\n")));
}

/// The rendered findings, without those on unused declarations: most cases use few.
fn findings(text: &str) -> String {
    let mut diagnostics = rbg::parse(SourceId(0), text).1;
    diagnostics.retain(|diagnostic| !diagnostic.message.ends_with("is never used"));
    render(text, &diagnostics)
}

#[test]
fn words_and_directives() {
    snapshot(
        "words_and_directives",
        &[
            "#rules = ->p up_left ->q",
            "#rules = ->p up ->q /* the rest",
            "#rules = ->p up ->q\n#pieces = a",
            "#m() = up\n#rules = ->p up ->q",
            "#players = p(1)\n#pieces = a\n#board = s[a]{}",
        ],
    );
}

#[test]
fn misspelt_macros_and_boards() {
    let board = |kind: &str| {
        format!(
            "#players = p(1), q(1)\n#pieces = a\n#variables =\n#board = {kind}(up, down, left, right, [a, a])\n#rules = ->p up ->q"
        )
    };
    snapshot(
        "misspelt",
        &[
            "#step(x; y) = x {y}\n#rules = ->p setp(up; a) ->q",
            "#step(x; y) = x {y}\n#rules = ->p step(up; a) (setp((up); a) + up) ->q",
            "#step(x; y) = x {y}\n#rules = ->p jump(up; a) ->q",
            "#rules = ->p up(left; a) ->q",
            "#rules = ->p (up; a) ->q",
            &board("rectanlge"),
            &board("hexagn"),
            &board("square"),
        ],
    );
}

#[test]
fn what_is_wrong_with_a_section_hides_nothing_in_others() {
    let game = |players: &str, pieces: &str, board: &str, rules: &str| {
        format!("#players = {players}\n#pieces = {pieces}\n#variables = n(3)\n#board = {board}\n#rules = {rules}")
    };
    let (players, pieces, board) = ("p(1), q(1)", "a, b", "rectangle(up, down, left, right, [a, a])");
    let rules = "->p upp {c} [$ m = 1] left ->r";
    snapshot(
        "sections",
        &[
            // The directions are known in spite of the mistake.
            &game(players, pieces, "rectangle(up, down, left, right, [a, a]", rules),
            &game(players, pieces, "rectangle(up, down, left, right, [a, x])", rules),
            &game(players, pieces, "s[a]{up: t} t[a]{left: s", rules),
            // They are not.
            &game(players, pieces, "rectangle(up, down, left", rules),
            &game(players, pieces, "rectangle(up, down, left, [a, a])", rules),
            &game(players, pieces, "square(up, down, left, right, [a, a])", rules),
            // Players and pieces are known in spite of the mistakes.
            &game("p(1), q", pieces, board, rules),
            &game(players, "a b", board, rules),
        ],
    );
}

#[test]
fn what_is_wrong_with_a_macro_is_said_where_it_is() {
    snapshot(
        "wrong_macros",
        &[
            // That a macro is not known because its definition is wrong is not said again.
            "#step(x; y) x {y}\n#rules = ->p step(up; a) ->q",
            "#any (up + left)\n#rules = ->p any ->r",
            "#any (up + left)\n#rules = ->p any(up) ->r",
            // A bracket that is not closed in it.
            "#step(x) = (x {a}\n#rules = (->p step(up) ->q step(left))*",
            "#step(x) = (x {a}\n#rules = (->p step(up) ->q",
        ],
    );
}

#[test]
fn macros() {
    snapshot(
        "macros",
        &[
            "#m(x) = up x\n#m(x; y) = x y\n#k(a) = left m(a; up; a)\n#rules = ->p k(down) ->q",
            "#m(x) = up x\n#rules = ->p m ->q",
            "#m(x; y) = up x~y\n#rules = ->p m(8; t) ->q",
            "#rules = ->p u~p ->q",
            "#m(x) = (up x\n#rules = ->p m((down) ->q",
            "#step(dir) = {a} dir\n#twice(dir) = step(dir) step(dir)\n#rules = ->p twice(lefft) ->q",
            "#piece(c; n) = {c~n}\n#any(c) = up piece(c; b)\n#rules = ->p any(a) ->q",
            "#a0(x) = x\n#a1(x) = a0(x)\n#a2(x) = a1(x)\n#a3(x) = a2(x)\n#a4(x) = a3(x)\n#a5(x) = a4(x)\n\
             #rules = ->p a5(nowhere) ->q",
            "#a = up up\n#b = (a a)^1000\n#c = b^1000 b^1000\n#rules = ->p c^1000 ->q",
        ],
    );
}

#[test]
fn syntax() {
    snapshot(
        "syntax",
        &[
            "#rules = ->p (up + ) ->q",
            "#rules = ->p up ->q ) left ->p",
            "#rules = ->p (up ->q",
            "#rules = ->p up** ->q",
            "#rules = ->p up^* ->q",
            "#rules = ->p { ? up} ->q",
            "#rules = ->p [$ v = -1] ->q",
            "#rules = ->p {a b} ->q",
            "#rules = ->p [] ->q",
            "#rules = ->p board ->q",
        ],
    );
}

#[test]
fn declarations_and_boards() {
    let board =
        |board: &str| format!("#players = p(1)\n#pieces = a, b\n#variables = \n#board = {board}\n#rules = ->p u ->p");
    let cases = [
        board("rectangle(u,d,l,r,[a,b][a])"),
        board("rectangle(u,d,l,[a,b])"),
        board("rectangle(u,d,l,a,[a,b])"),
        board("rectangle(u,d,l,r,[a b])"),
        board("hexagon(nw,ne,e,se,sw,u,[a,b][a,b])"),
        board("s[c]{u:t} t1[a]{u:s, u:s}"),
    ];
    snapshot("declarations_and_boards", &cases.iter().map(String::as_str).collect::<Vec<_>>());
}

#[test]
fn names_and_checks() {
    snapshot(
        "names_and_checks",
        &[
            "#rules = ->p {up} ->r",
            "#rules = ->p {? right ->q} right ->q",
            "#rules = ->p [$ v = 10] {$ w / 0 == 1} ->q",
            "#rules = ->p [$ v = 10] {$ 1 < 2} ->q",
            "#rules = ->p (up [c])* ->q",
            "#put(x) = [x]\n#rules = ->p ({a} put(a))* ->q",
            // Arguments of an unknown macro may be anything; brackets apart from a name are no arguments.
            "#put(x) = [x]\n#rules = ->p up putt(a) ->q",
            "#rules = ->p upp (a) ->q",
            "#rules = ->p up ->p [a]",
            "#rules = ->p up down left right turn y {a,b,c} ->q ->> ([$ v=1, w=2] ->p + {a} ->p)",
        ],
    );
}

#[test]
fn missing_sections_can_be_added() {
    let whole = [
        "#players = white(100), black(100)\n",
        "#pieces = e, w\n",
        "#variables = v(9)\n",
        "#board = rectangle(up, down, left, right, [e, e] [w, e])\n",
        "#rules = ->white {w} up [w] [$ v = 1] ->black {e} [$ white = 100] ->>",
    ];
    for left_out in 0..1 << whole.len() {
        let kept = (0..whole.len()).filter(|at| left_out >> at & 1 == 0);
        let mut text: String = kept.map(|at| whole[at]).collect();
        for _ in 0..whole.len() {
            let missing = rbg::parse(SourceId(0), &text).1.into_iter().find(|found| found.message.ends_with("missing"));
            let Some(missing) = missing else { break };
            // All that is missing is one finding.
            let mut edits = missing.fixes.first().unwrap().edits.clone();
            edits.sort_by_key(|edit| std::cmp::Reverse(edit.span.start));
            for edit in &edits {
                text.replace_range(edit.span.range(), &edit.text);
            }
        }
        let (description, found) = rbg::parse(SourceId(0), &text);
        // What is there may need names that what is added does not have.
        let is_unknown = |found: &rg_ir::Diagnostic| found.code == "RBG131" || !found.is_error();
        assert!(description.is_some() || found.iter().all(is_unknown), "{text}\n{}", render(&text, &found));
    }
}

/// The warnings about macros that are not used, as `code place`.
fn warned(text: &str) -> Vec<String> {
    let found = rbg::parse(SourceId(0), text).1.into_iter().filter(|found| found.severity == rg_ir::Severity::Warning);
    let place = |found: &rg_ir::Diagnostic| text[found.primary.as_ref().unwrap().span.range()].to_owned();
    let of_macros = ["RBG111", "RBG112", "RBG113", "RBG114", "RBG115", "RBG118", "RBG131", "RBG132"];
    found
        .filter(|found| of_macros.contains(&found.code))
        .map(|found| format!("{} {}", found.code, place(&found)))
        .collect()
}

#[test]
fn macros_that_are_not_used_are_looked_at() {
    let rules = "#rules = ->p up [b] ->q {a} up ->p {! up}";
    for (directives, wanted) in [
        // Names, as what stands where they do.
        ("#m = upp", vec!["RBG131 upp"]),
        ("#m(x) = x {a, d} {x, up} [d]", vec!["RBG131 d", "RBG132 up", "RBG131 d"]),
        ("#m = ->r [$ v = up] {? a}", vec!["RBG131 r", "RBG132 up", "RBG132 a"]),
        ("#m(x) = x {a} ->p [$ v = w + a] {? up}", vec![]),
        ("#m = n\n#n = up", vec!["RBG131 n"]),
        // What is pasted, and what is in arguments, is not known.
        ("#m(x) = b~x x~b {b~x}", vec![]),
        ("#g(x) = u~x #m = g(p) g(q)", vec!["RBG131 u~x"]),
        // Calls.
        ("#g(x; y) = x y #m = g(up) g up", vec!["RBG111 g", "RBG112 g"]),
        // Signs that stand side by side nowhere.
        ("#m = (up + )", vec!["RBG118 )"]),
        ("#m(x) = {x a}", vec![]),
        ("#m = {b a}", vec!["RBG118 a"]),
        ("#m = ->[a]", vec!["RBG118 ["]),
        ("#m = up^up", vec!["RBG118 up"]),
        ("#m = (up {a)", vec!["RBG118 )"]),
        ("#m = (up {a} ", vec!["RBG118 ("]),
        ("#m = k(up; left)", vec!["RBG131 ;", "RBG131 k"]),
        // Parts of lists, expressions and boards.
        (
            "#m = a, b #n = v + 1 #o = [a, , b] [a] #k = == 3 #l = * #open = ( #close = ) #t = s[a]{up: s, down: s}",
            vec![],
        ),
    ] {
        assert_eq!(warned(&complete(&format!("{directives}\n{rules}"))), wanted, "{directives}");
    }
}

#[test]
fn macros_of_games_without_mistakes_have_none() {
    let mut macros = 0;
    for (name, text) in common::corpus("rbg").unwrap_or_default() {
        if rg_ir::diag::has_errors(&rbg::parse(SourceId(0), &text).1) {
            continue;
        }
        // Without its rules, no macro is used.
        let Some(start) = text.find("#rules") else { continue };
        let end = text[start + 1..].find('#').map_or(text.len(), |end| start + 1 + end);
        let cut = format!("{}#rules = ->>\n{}", &text[..start], &text[end..]);
        macros += rbg::parse(SourceId(0), &cut).1.iter().filter(|found| found.message.starts_with("macro `")).count();
        assert_eq!(warned(&cut), Vec::<String>::new(), "{name}");
    }
    assert!(common::corpus("rbg").is_none() || macros > 100, "{macros}");
}

#[test]
fn a_mistake_in_the_rules_hides_no_other() {
    let codes =
        |rules: &str| common::errors(&complete(&format!("#g(x; y) = x y\n#m = [b\n#n = up +\n#rules = {rules}")));
    for (rules, wanted) in [
        // Mistakes of the syntax, each once, and names behind them.
        ("->p {a b} up [d] ->q", vec!["RBG118", "RBG131"]),
        ("->p {a b} up [b ->q {d} up up ({c a} + up) ->p", vec!["RBG118", "RBG118", "RBG118", "RBG131"]),
        ("->p (up {d} ->q", vec!["RBG118", "RBG131"]),
        ("->p up) {d} ->q", vec!["RBG118", "RBG131"]),
        ("->p ({a up) {a} up {d} ->q", vec!["RBG118", "RBG131"]),
        ("->p (up + ) {d} ->q", vec!["RBG119", "RBG131"]),
        ("->p -> {d} ->q", vec!["RBG118", "RBG131"]),
        // Calls of macros.
        ("->p g(up) {d} ->q", vec!["RBG111", "RBG131"]),
        ("->p g(up) {d} ({a ->q", vec!["RBG111", "RBG131"]),
        ("->p up(a; b) up(b; a) {d} ->q", vec!["RBG131", "RBG131"]),
        ("->p ({? a} up) up} {up} {d} ->q", vec!["RBG118", "RBG131"]),
        ("->p {g(a)} [g] ->g(p) up {d} ->q", vec!["RBG111", "RBG112", "RBG111", "RBG131"]),
        ("->p up(a; b) {d} ->q", vec!["RBG131", "RBG131"]),
        ("->p m ->q {d}", vec!["RBG118", "RBG131"]),
        ("->p (n) ->q {d}", vec!["RBG119", "RBG131"]),
    ] {
        assert_eq!(codes(rules), wanted, "{rules}");
    }
}

#[test]
fn brackets_that_are_wrong_can_be_mended() {
    for (wrong, right) in [
        ("#rules = ->p [a ->q up", "#rules = ->p [a] ->q up"),
        ("#rules = ->p (up {a} ->q", "#rules = ->p (up {a} ->q)"),
        ("#rules = ->p ({? up {a} ->q", "#rules = ->p ({? up {a} ->q})"),
        ("#rules = ->p up) ->q", "#rules = ->p up ->q"),
        ("#rules = ->p {? (up} ->q", "#rules = ->p {? (up)} ->q"),
        ("#rules = ->p {a] ->q", "#rules = ->p {a} ->q"),
        ("#m = (up {a}\n#rules = ->p m ->q", "#m = (up {a})\n#rules = ->p m ->q"),
        ("#m = [a\n#rules = ->p up m ->q", "#m = [a]\n#rules = ->p up m ->q"),
        // What follows the call closes it, so that a bracket outside is open in the end.
        ("#m = (up {a}\n#rules = ->p (m + left) ->q", "#m = (up {a})\n#rules = ->p (m + left) ->q"),
        (
            "#m = (up {a}\n#n = (m + left)\n#rules = ->p n ->q n ->p",
            "#m = (up {a})\n#n = (m + left)\n#rules = ->p n ->q n ->p",
        ),
        ("#m = {? up\n#n = {! m}\n#rules = ->p n ->q", "#m = {? up}\n#n = {! m}\n#rules = ->p n ->q"),
        (
            "#m(x) = (up ({? x\n#n = (m(left)) up\n#rules = ->p n ->q",
            "#m(x) = (up ({? x}))\n#n = (m(left)) up\n#rules = ->p n ->q",
        ),
    ] {
        let mut text = complete(wrong);
        let found = rbg::parse(SourceId(0), &text).1;
        let fix = found.iter().find_map(|found| found.fixes.first()).unwrap_or_else(|| panic!("{wrong}: {found:?}"));
        let edit = fix.edits.first().unwrap();
        text.replace_range(edit.span.range(), &edit.text);
        assert_eq!(text, complete(right));
    }
}

/// The codes of the errors in sections before the rules, with what they point at.
fn section_errors(players: &str, pieces: &str, board: &str, rules: &str) -> Vec<String> {
    let text = format!("#players = {players}\n#pieces = {pieces}\n#variables =\n#board = {board}\n#rules = {rules}");
    let found = rbg::parse(SourceId(0), &text).1.into_iter().filter(|found| found.is_error());
    found.map(|found| format!("{} {}", found.code, &text[found.primary.unwrap().span.range()])).collect()
}

#[test]
fn a_mistake_in_a_list_or_board_hides_no_other() {
    let rectangle = |rows: &str| format!("rectangle(up, down, left, right, {rows})");
    let (players, pieces, board, rules) = ("p(1), q(1)", "a, b", rectangle("[a, b]"), "->p up ->q");
    let of_lists = |players: &str, pieces: &str, rules: &str| section_errors(players, pieces, &board, rules);
    assert_eq!(of_lists(players, pieces, rules), [""; 0]);
    assert_eq!(of_lists("p(1, q, r(1)", pieces, rules), ["RBG118 (", "RBG118 ,"]);
    assert_eq!(of_lists("p(1) q(1), r(), s(2)", pieces, rules), ["RBG118 q", "RBG118 )"]);
    assert_eq!(of_lists(players, "a b, c, , d e", rules), ["RBG118 b", "RBG118 ,", "RBG118 e"]);
    assert_eq!(of_lists("p(1), q", "a b,", rules).len(), 3);
    // All names are known in spite of the mistakes, so others are not.
    assert_eq!(of_lists("p(1), q", "a b", "->p {a} up {b} ->q"), ["RBG118 q", "RBG118 b"]);
    assert_eq!(of_lists("p(1), q", "a b", "->p {c} up ->r"), ["RBG118 q", "RBG118 b", "RBG131 c", "RBG131 r"]);
    // But not where a name is missing.
    assert_eq!(of_lists("p(1), (1)", "a, , b", "->p {c} up ->r"), ["RBG118 (", "RBG118 ,"]);
    let of_board = |board: &str| section_errors(players, pieces, board, rules);
    assert_eq!(of_board(&rectangle("[a b] [a, b] [b a]")), ["RBG118 b", "RBG118 a"]);
    assert_eq!(of_board(&rectangle("[a, b [a, b] [b a]")), ["RBG118 [", "RBG118 a"]);
    assert_eq!(of_board(&rectangle("[a, b], [a, b], [b a]")).len(), 3);
    assert_eq!(of_board("cuboid(up, down, left, right, f, g, [[a b][a, b]] [[a, b][b a]])"), ["RBG118 b", "RBG118 a"]);
    assert_eq!(of_board("s[a]{up t} t[b] u[a b]{up: s} v[a]{}"), ["RBG118 t", "RBG118 u", "RBG118 b"]);
}

#[test]
fn signs_that_are_wrong_can_be_mended() {
    let macros = "#turn(a; b) = up {a} [b]";
    for (wrong, right) in [
        ("->p {$ v = 1} up ->q", "->p {$ v == 1} up ->q"),
        ("->p up [$ v == 1] ->q", "->p up [$ v = 1] ->q"),
        ("->p up [$ v = -1] ->q", "->p up [$ v = 0-1] ->q"),
        ("->p {a b} up ->q", "->p {a, b} up ->q"),
        ("->p (up | left) ->q", "->p (up + left) ->q"),
        ("->p turn(a, b) ->q", "->p turn(a; b) ->q"),
        ("->p (turn(a; b) turn(b; a) ->q", "->p (turn(a; b) turn(b; a) ->q)"),
        ("->p (up turn(a; b); left) ->q", "->p (up turn(a; b) left) ->q"),
    ] {
        let text = |rules: &str| complete(&format!("{macros}\n#rules = {rules}"));
        let (found, after) = mended(&text(wrong));
        assert_eq!(after.as_deref(), Some(&*text(right)), "{found:?}");
        assert_eq!(found.len(), 1, "{found:?}");
    }
    let board = |rows: &str| {
        format!(
            "#players = p(1)\n#pieces = a\n#variables =\n#board = rectangle(up, down, left, right, {rows})\n#rules = ->p up ->p"
        )
    };
    assert_eq!(mended(&board("[a, a], [a, a]")).1, Some(board("[a, a] [a, a]")));
}

#[test]
fn what_is_wrong_in_a_macro_is_said_in_it() {
    let text = |macros: &str| complete(&format!("{macros}\n#rules = ->p turn(p; a) ->q turn(q; b) ->p"));
    let at = |text: &str| {
        let (found, _) = mended(text);
        let place = |found: &rg_ir::Diagnostic| found.primary.as_ref().unwrap().span;
        // Of several calls, each may say it.
        assert!(found.windows(2).all(|pair| place(&pair[0]) == place(&pair[1])), "{found:?}");
        let first = found.first().unwrap();
        (text[place(first).range()].to_owned(), first.message.clone())
    };
    // A sign that does not fit.
    let (place, message) = at(&text("#turn(me; mine) = up [mine]; [$ me = 1]"));
    assert_eq!((place.as_str(), message.as_str()), (";", "unexpected `;`"));
    // A parameter that is misspelt, where it is.
    let (place, message) = at(&text("#turn(me; mine) = up [mine] [$ mee = 1]\n#other(me) = [$ me = 1]"));
    assert_eq!(place, "mee", "{message}");
    // A value that is too great.
    let (place, message) = at(&text("#turn(me; mine) = up [mine] [$ me = 5000]"));
    assert_eq!(place, "5000", "{message}");
    // A macro that is defined further down.
    let (place, message) = at(&text("#turn(me; mine) = step [mine] [$ me = 1]\n#step = up"));
    assert_eq!((place.as_str(), message.contains("before its definition")), ("step", true), "{message}");
    let late = complete("#rules = ->p turn(p; a) ->q\n#turn(me; mine) = up [mine] [$ me = 1]");
    assert!(at(&late).1.contains("before its definition"));
    // One that stands in its own definition.
    let (place, message) = at(&text("#turn(me; mine) = up [mine] turn(me; mine) [$ me = 1]"));
    assert_eq!((place.as_str(), message.contains("in its own definition")), ("turn", true), "{message}");
}

#[test]
fn a_parameter_and_a_name_that_occur_once_are_both_told() {
    for (macros, parameter, name) in [
        ("#go(dir) = {a} dri {a}\n#rules = ->p go(up) ->q go(left) ->p", "dir", "dri"),
        ("#go(piece) = [peice] up\n#rules = ->p go(a) ->q", "piece", "peice"),
        ("#go(who; piece) = up [piece] ->whoo\n#rules = ->p go(q; b) up ->p", "who", "whoo"),
    ] {
        let text = complete(macros);
        let found = rbg::parse(SourceId(0), &text).1;
        let at = |code: &str| {
            let found: Vec<_> = found.iter().filter(|found| found.code == code).collect();
            assert_eq!(found.len(), 1, "{macros}: {found:?}");
            (&text[found[0].primary.as_ref().unwrap().span.range()], found[0])
        };
        let (place, error) = at("RBG131");
        assert_eq!((place, error.is_error()), (name, true));
        assert_eq!(error.help.as_deref(), Some(&*format!("did you mean `{parameter}`?")));
        assert_eq!(at("RBG177").0, parameter);
        let (found, after) = mended(&text);
        assert_eq!(after, Some(text.replace(name, parameter)), "{found:?}");
    }
}

#[test]
fn missing_sections_are_said_at_the_beginning() {
    let (found, _) = mended("#players = p(1)\n#pieces = a\n#variables =\n");
    assert_eq!(found.first().unwrap().primary.as_ref().unwrap().span.range(), 0..0);
}
