//! What is offered and shown while something is being written.
#![allow(clippy::unwrap_used, clippy::panic)] // a test stops at the first surprise

mod support;

use gen_lsp_types::{ActiveParameter, SignatureHelp, SignatureHelpRequest};
use serde_json::{Value, json};
use support::{Client, position};

/// A client with a text open, and the place of `|` in it.
fn opened(language: &str, marked: &str) -> (Client, Value) {
    let client = Client::new();
    let uri = format!("file:///a.{language}");
    let (before, after) = marked.rsplit_once('|').unwrap();
    let text = format!("{before}{after}");
    client.open(&uri, &text);
    (client, json!({ "textDocument": { "uri": uri }, "position": position(&text, before.len()) }))
}

/// The names and words that are offered at `|`, the likeliest first.
fn offered(language: &str, marked: &str) -> Vec<String> {
    let (mut client, place) = opened(language, marked);
    let list = client.request("textDocument/completion", place).unwrap();
    let text = |item: &Value, key: &str| item[key].as_str().unwrap().to_owned();
    let items = list["items"].as_array().unwrap().iter();
    let mut items: Vec<(String, String)> = items.map(|item| (text(item, "sortText"), text(item, "label"))).collect();
    items.sort();
    items.into_iter().map(|(_, label)| label).collect()
}

/// What the call takes that `|` is in, and the number of the argument there.
fn signature(language: &str, marked: &str) -> Option<(String, u32)> {
    let (mut client, place) = opened(language, marked);
    let help: SignatureHelp = client.ask::<SignatureHelpRequest>(place)?;
    let Some(ActiveParameter::Int(argument)) = help.active_parameter else { panic!("{help:?}") };
    let meant = usize::try_from(help.active_signature.unwrap()).unwrap();
    Some((help.signatures[meant].label.clone(), argument))
}

const GDL: &str = "\
(role xplayer) (role oplayer)
(init (cell 1 1 b))
(init (control xplayer))
(<= (legal ?w (mark ?x ?y)) (true (cell ?x ?y b)) (true (control ?w)))
(<= (next (cell ?m ?n x)) (does xplayer (mark ?m ?n)))
(succ 1 2)
";

#[test]
fn variables_of_a_rule_that_is_not_closed_are_offered() {
    for (text, variables) in [
        ("(<= (line ?row) (true (cell ?row ?col |\n\n(<= (other ?z) (cell ?z 1 b))\n", vec!["?col", "?row"]),
        ("(<= (line ?row) (true (cell |) (distinct ?row ?col)\n(<= terminal (line ?z))\n", vec!["?col", "?row"]),
        // The brackets are right, and something else is wrong.
        ("(<= (line ?row) (distinct ?row) (true (cell |)))\n(<= terminal (line ?z))\n", vec!["?row"]),
    ] {
        let names = offered("kif", &format!("{GDL}{text}"));
        let offered: Vec<&String> = names.iter().filter(|name| name.starts_with('?')).collect();
        assert_eq!(offered, variables, "{text}: {names:?}");
    }
    let infix = "role(white)\ninit(cell(1, b))\nline(Row) :- true(cell(Row, Col)) & distinct(|\nterminal :- line(Z)\n";
    let names = offered("gdl", infix);
    assert!(names.contains(&"Row".to_owned()) && names.contains(&"Col".to_owned()), "{names:?}");
    assert!(!names.contains(&"Z".to_owned()), "{names:?}");
}

#[test]
fn names_of_gdl_are_those_that_fit_the_place() {
    let names = |text: &str| offered("kif", &format!("{GDL}{text}"));
    assert_eq!(names("(<= (goal xplayer 100) (does |"), ["oplayer", "xplayer"]);
    assert_eq!(names("(<= (goal ?r 100) (does ?r (|")[..], ["mark"]);
    assert_eq!(names("(<= (goal ?r 100) (true (|")[..], ["cell", "control"]);
    // What stood there elsewhere comes first, and values that did not are not there.
    assert_eq!(names("(<= (goal ?r 100) (true (cell 1 1 |"), ["b", "x", "?r"]);
    assert_eq!(names("(<= (goal ?r 100) (true (control |"), ["xplayer", "?r"]);
    assert_eq!(names("(<= (goal ?r 100) (succ |"), ["1", "?r"]);
    let conditions = names("(<= (goal xplayer 100) (|");
    assert!(conditions.contains(&"succ".to_owned()) && conditions.contains(&"true".to_owned()), "{conditions:?}");
    assert!(!["cell", "mark", "<=", "xplayer"].iter().any(|&name| conditions.contains(&name.to_owned())));
    // Without a bracket, only what takes no arguments.
    assert_eq!(names("(<= terminal (not |"), ["terminal"]);
}

#[test]
fn the_arguments_are_those_of_the_innermost_call() {
    let signature = |text: &str| signature("kif", &format!("{GDL}{text}"));
    let expect = |label: &str, argument| Some((label.to_owned(), argument));
    assert_eq!(signature("(<= (goal ?r 100) (true (cell ?x |"), expect("(cell ?x ?y b)", 1));
    assert_eq!(signature("(<= (goal ?r 100) (true (control |"), expect("(control ?w)", 0));
    assert_eq!(signature("(<= (goal ?r 100) (true |"), expect("(true fact)", 0));
    assert_eq!(signature("(<= (goal ?r 100) (does ?r (mark ?x ?|"), expect("(mark ?x ?y)", 1));
    assert_eq!(signature("(<= (goal ?r 100) (succ 1 |"), expect("(succ 1 2)", 1));
}

#[test]
fn boards_of_rbg_tell_what_they_take() {
    let signature = |text: &str| signature("rbg", &format!("#row(a) = [a, a]\n#board = {text}"));
    let rectangle = |argument| Some(("rectangle(up, down, left, right, [row] …)".to_owned(), argument));
    assert_eq!(signature("rectangle(|"), rectangle(0));
    assert_eq!(signature("rectangle(n, s, |"), rectangle(2));
    assert_eq!(signature("rectangle(n, s, w, e, [x, |"), rectangle(4));
    assert_eq!(signature("rectangle(n, s, w, e, [x, x] [x, x], |"), rectangle(4));
    assert_eq!(signature("rectangle(n, s, w, e, row(|"), Some(("row(a)".to_owned(), 0)));
    assert!(signature("hexagon(|").unwrap().0.starts_with("hexagon("));
    assert!(signature("cuboid(a, |").unwrap().0.ends_with("[[row] …] …)"));
}

#[test]
fn maps_of_hrg_are_made_of_values() {
    let text = "domain A = a | b\nm: A -> A = { ";
    for rest in [":|", "|", ":a; |"] {
        let names = offered("hrg", &format!("{text}{rest}"));
        assert_eq!(
            names.iter().filter(|name| *name != "keeper" && *name != "random").take(2).collect::<Vec<_>>(),
            ["a", "b"]
        );
        assert!(!names.contains(&"A".to_owned()), "{names:?}");
    }
}

#[test]
fn a_name_is_refused_with_a_reason() {
    let refused = |language: &str, marked: &str, name: &str| {
        let (mut client, mut params) = opened(language, marked);
        params["newName"] = json!(name);
        client.request("textDocument/rename", params).unwrap_err().1
    };
    let rbg = |marked: &str| {
        let text = "#players = a(1)\n#pieces = e\n#variables =\n#board = rectangle(u, d, l, r, [e])\n#any = {e}\n#rules = ->a any ->>\n";
        text.replacen(marked, &format!("|{marked}"), 1)
    };
    let refused_rbg = |marked: &str, name: &str| refused("rbg", &rbg(marked), name);
    assert_eq!(refused_rbg("any", "2x"), "`2x` cannot be the name of this macro: a name begins with a letter");
    assert_eq!(
        refused_rbg("any", "board"),
        "`board` cannot be the name of this macro: `board` is a word of the language"
    );
    assert_eq!(refused_rbg("u, d", "d"), "`d` is the name of a direction here (line 4, column 23)");
    let gdl = "(role a)\n(<= (p ?x ?|y) (q ?x ?y))\n(q 1 2)\n";
    assert_eq!(refused("kif", gdl, "y"), "`y` cannot be the name of this parameter: variables begin with `?`");
    assert_eq!(refused("kif", gdl, "?x"), "`?x` is the name of a parameter here (line 2, column 8)");
}

/// What is shown over `|`.
fn hover(language: &str, marked: &str) -> String {
    let (mut client, place) = opened(language, marked);
    let hover = client.request("textDocument/hover", place).unwrap();
    hover["contents"]["value"].as_str().unwrap_or_default().to_owned()
}

#[test]
fn words_of_the_languages_are_explained() {
    for (language, marked, word) in [
        ("rg", "ty|pe A = { a };", "`type`: declares a set of values"),
        ("rbg", "#play|ers = a(1)", "`players`: the players"),
        ("rbg", "#rules = |->a", "`->`: hands over to a player"),
        ("hrg", "graph rules() {\n  lo|op { }\n}", "`loop`: repeats its block"),
        ("hrg", "graph rules() {\n  chec|k(a == b)\n}", "`check`: goes on only if"),
        ("hrg", "graph rules() {\n  |$ a\n}", "`$`: adds names to the move"),
        ("sbg", "<<a>>\n<BO|ARD>\n1 1\n", "height of the board"),
        ("kif", "(<= a (n|ot b))", "`not`: holds if"),
    ] {
        assert!(hover(language, marked).contains(word), "{language} {marked}: {}", hover(language, marked));
    }
}

#[test]
fn parameters_of_hrg_tell_their_type() {
    let text = "domain Player = a | b\ngraph go(me: Player) {\n  player = me\n  branch x in Player {\n    player = x\n  }\n}\n";
    for (at, shown) in [("player = me", "me: Player"), ("player = x", "x in Player")] {
        let marked = text.replacen(at, &format!("player = |{}", &at["player = ".len()..]), 1);
        assert!(hover("hrg", &marked).contains(shown), "{}", hover("hrg", &marked));
    }
}

#[test]
fn what_a_text_without_anything_lacks_is_one_finding() {
    let mut client = Client::new();
    client.open("file:///a.rbg", "\n");
    let found = client.findings("file:///a.rbg", 1);
    assert_eq!(found.len(), 1, "{found:?}");
    let params = json!({ "textDocument": { "uri": "file:///a.rbg" }, "range": found[0].range, "context": { "diagnostics": [] } });
    let actions = client.request("textDocument/codeAction", params).unwrap();
    let is_meant = |action: &&Value| action["title"].as_str().unwrap().starts_with("Add the missing sections");
    let action = actions.as_array().unwrap().iter().find(is_meant).unwrap();
    let edits = &action["edit"]["changes"]["file:///a.rbg"];
    let text = edits[0]["newText"].as_str().unwrap();
    assert!(edits.as_array().unwrap().len() == 1 && text.matches('#').count() == 5, "{actions}");
}

#[test]
fn variables_of_hrg_are_offered_in_what_cannot_be_read() {
    let text = "domain A = a | b\nf: A -> A -> A\nf(X, Y) = |\nf(Z, a) = Z\n";
    let names = offered("hrg", text);
    assert!(names.contains(&"X".to_owned()) && names.contains(&"Y".to_owned()), "{names:?}");
    assert!(!names.contains(&"Z".to_owned()), "{names:?}");
}

#[test]
fn values_of_the_type_come_first() {
    let text = "domain Piece = empty | full\ndomain Player = white | black\ngraph rules() {\n  player = |\n}\n";
    assert_eq!(offered("hrg", text)[..4], ["black", "keeper", "random", "white"]);
    // Then what has such a value.
    let text = "domain Die = one | two\nroll: Die\nbid: Die -> Die\nother: {a, b}\ngraph rules() {\n  roll = |\n}\n";
    assert_eq!(offered("hrg", text)[..3], ["one", "two", "bid"]);
}

#[test]
fn fixes_are_offered_anywhere_on_the_line() {
    let text = "domain Player = white | black\ndomain Score = 0 | 100\ngraph rules() {\n  \
                player = whit   goals[blac] = 100\n  end()\n}\n";
    let mut client = Client::new();
    client.open("file:///a.hrg", text);
    assert!(client.findings("file:///a.hrg", 1).len() >= 2);
    let mut titles = |line: u32, [start, end]: [u32; 2]| -> Vec<String> {
        let range = json!({ "start": { "line": line, "character": start }, "end": { "line": line, "character": end } });
        let params = json!({
            "textDocument": { "uri": "file:///a.hrg" }, "range": range,
            "context": { "diagnostics": [], "only": ["quickfix"] },
        });
        let actions = client.request("textDocument/codeAction", params).unwrap();
        actions.as_array().unwrap().iter().map(|action| action["title"].as_str().unwrap().to_owned()).collect()
    };
    let (white, black) = ("Replace `whit` by `white`", "Replace `blac` by `black`");
    // What is at the cursor comes first.
    assert_eq!(titles(3, [13, 13]), [white, black]);
    assert_eq!(titles(3, [28, 28]), [black, white]);
    assert_eq!(titles(3, [0, 0]), [white, black]);
    // What is selected is all that is meant, and other lines are not.
    assert_eq!(titles(3, [26, 28]), [black]);
    assert!(titles(3, [0, 3]).is_empty() && titles(2, [0, 0]).is_empty());
}
