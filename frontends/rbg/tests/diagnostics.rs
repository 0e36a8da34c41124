//! What messages look like.
#![allow(clippy::unwrap_used)] // a test stops at the first surprise

mod common;

use common::{render, with};
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

/// Adds the sections a case does not bring itself.
fn complete(case: &str) -> String {
    if case.contains("#board") { case.to_owned() } else { with(case) }
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
            // Players, or pieces, are not known, but all else is.
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
            let missing =
                rbg::parse(SourceId(0), &text).1.into_iter().find(|found| found.message.contains("is missing"));
            let Some(missing) = missing else { break };
            for edit in &missing.fixes.first().unwrap().edits {
                text.replace_range(edit.span.range(), &edit.text);
            }
        }
        let (description, found) = rbg::parse(SourceId(0), &text);
        // What is there may need names that what is added does not have.
        let is_unknown = |found: &rg_ir::Diagnostic| found.code == "RBG131" || !found.is_error();
        assert!(description.is_some() || found.iter().all(is_unknown), "{text}\n{}", render(&text, &found));
    }
}
