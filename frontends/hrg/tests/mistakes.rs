//! What is said about mistakes that newcomers make, and what mends them.
#![allow(clippy::unwrap_used, clippy::panic)] // a test stops at the first surprise

mod common;

use common::BASE;
use rg_ir::SourceId;

/// Declarations, and a graph in which everything that is declared here is used.
fn with(declarations: &str) -> String {
    format!("{BASE}{declarations}\ngraph rules() {{ player = p v = v end() }}")
}

/// A body of `rules`, with what comes before.
fn body(declarations: &str, body: &str) -> String {
    format!("{BASE}{declarations}\ngraph rules() {{\n  player = p\n  {body}\n  v = v end()\n}}")
}

/// The first finding of a description, and the description after its first fix, if it has one.
fn first(text: &str) -> (rg_ir::Diagnostic, Option<String>) {
    let found = hrg::load(SourceId(0), text).1.into_iter().find(rg_ir::Diagnostic::is_error).unwrap();
    let edit = found.fixes.first().and_then(|fix| fix.edits.first()).cloned();
    let mended = edit
        .map(|edit| format!("{}{}{}", &text[..edit.span.start as usize], edit.text, &text[edit.span.end as usize..]));
    (found, mended)
}

#[test]
fn declarations_of_other_languages_are_told() {
    let (found, mended) = first(&with("f: N => N\nf(X) = X"));
    assert_eq!(mended, Some(with("f: N -> N\nf(X) = X")), "{found:?}");
    let (found, mended) = first(&with("function take() {\n  v = v\n}"));
    assert_eq!(mended, Some(with("graph take() {\n  v = v\n}")), "{found:?}");
    let text = with("w = I(0)");
    let (found, mended) = first(&text);
    assert_eq!((found.message.as_str(), mended), ("the type of `w` is missing", None));
    assert!(text[..found.primary.unwrap().span.start as usize].ends_with("\nw"));
}

#[test]
fn names_without_their_brackets_are_mended() {
    let graph = "graph take() {\n  v = v\n}";
    for (wrong, right) in [
        ("if v == v { end }", "if v == v { end() }"),
        ("if v == v {\n    end\n  }", "if v == v {\n    end()\n  }"),
        ("take\n  v = v", "take()\n  v = v"),
        ("take", "take()"),
        ("loop { break }", "loop { break() }"),
    ] {
        let (found, mended) = first(&body(graph, wrong));
        assert_eq!(mended.as_deref(), Some(&*body(graph, right)), "{found:?}");
        assert!(found.message.ends_with("without brackets"), "{found:?}");
    }
    let (found, mended) = first(&body("graph take(x: N) {\n  v = x\n}", "take"));
    assert!(mended.is_none() && found.help.unwrap().contains("`take(…)`"));
    let text = format!("{BASE}graph rules {{\n  player = p\n  end()\n}}\n");
    let (found, mended) = first(&text);
    assert_eq!(mended, Some(text.replace("rules {", "rules() {")), "{found:?}");
}

#[test]
fn variables_that_are_called_where_they_are_assigned_are_mended() {
    let declarations = "m: N -> N = { :I(0) }\nk: N -> Player -> N = { :{ :I(0) } }\nf: N -> N\nf(X) = X";
    for (wrong, right) in [
        ("goals(player) = 100", "goals[player] = 100"),
        ("m(v) = v", "m[v] = v"),
        ("m(f(v)) = v", "m[f(v)] = v"),
        ("k(v, player) = v", "k[v][ player] = v"),
    ] {
        let text = body(declarations, wrong);
        let found = hrg::load(SourceId(0), &text).1.into_iter().find(rg_ir::Diagnostic::is_error).unwrap();
        assert!(found.help.as_ref().unwrap().contains("square brackets"), "{found:?}");
        let mut mended = text;
        let mut edits = found.fixes[0].edits.clone();
        edits.sort_by_key(|edit| std::cmp::Reverse(edit.span.start));
        edits.iter().for_each(|edit| mended.replace_range(edit.span.range(), &edit.text));
        assert_eq!(mended, body(declarations, right));
    }
}

/// The description after the first fix of the first finding with such a message, with its title.
fn after_fix(text: &str, message: &str) -> (String, String) {
    let found = hrg::load(SourceId(0), text).1;
    let with_it = found.iter().find(|found| found.message.contains(message));
    let fix = with_it.and_then(|found| found.fixes.first()).unwrap_or_else(|| panic!("{message}: {found:?}\n{text}"));
    assert_eq!(fix.applies, rg_ir::diag::Applies::Maybe);
    let mut after = text.to_owned();
    fix.edits.iter().for_each(|edit| after.replace_range(edit.span.range(), &edit.text));
    (after, fix.title.clone())
}

#[test]
fn what_is_not_declared_may_be_declared() {
    let declarations = "m: N -> Player -> N = { :{ :I(0) } }\nf: N -> N\nf(X) = X";
    for (statement, unknown, added) in [
        ("count = I(0)", "`count`", "\ncount: N"),
        ("count = v", "`count`", "\ncount: N"),
        ("count = f(v)", "`count`", "\ncount: N"),
        ("count = m[v][player]", "`count`", "\ncount: N"),
        ("count = N(*)", "`count`", "\ncount: N"),
        ("count = player", "`count`", "\ncount: Player"),
        ("count[v] = player", "`count`", "\ncount: N -> Player"),
        ("count[f(v)][player] = m[v][player]", "`count`", "\ncount: N -> Player -> N"),
        ("check(count == v)", "`count`", "\ncount: N"),
        ("jump()", "graph `jump`", "\n\ngraph jump() {\n}"),
        ("jump(v, f(m[v][player]), p)", "graph `jump`", "\n\ngraph jump(a: N, b: N, c: Player) {\n}"),
        ("check(reachable(jump(player)))", "graph `jump`", "\n\ngraph jump(a: Player) {\n}"),
        ("branch z in Quux { $ z }", "domain `Quux`", "\ndomain Quux = first | second"),
    ] {
        let text = body(declarations, statement);
        let (after, title) = after_fix(&text, unknown);
        assert!(after.contains(added), "{title}: {after}");
        let left = hrg::load(SourceId(0), &after).1;
        assert!(left.iter().all(|left| !left.is_error()), "{after}{left:?}");
    }
}

#[test]
fn what_has_no_clear_type_is_not_declared() {
    for statement in
        ["count = other", "count = f(v", "$$ count", "count[other] = v", "jump(other)", "count = I(0", "v = count"]
    {
        let found = hrg::load(SourceId(0), &body("f: N -> N\nf(X) = X", statement)).1;
        let titles: Vec<&str> = found.iter().flat_map(|found| &found.fixes).map(|fix| fix.title.as_str()).collect();
        assert!(titles.iter().all(|title| !title.contains("variable") && !title.contains("graph")), "{titles:?}");
    }
}

#[test]
fn mistakes_of_different_kinds_are_told_together() {
    let declarations = "m: N -> N = { :I(0) }\nf: N -> N\nf(X) = X";
    let wrong = "hre = g(v)\n  m[p] = v\n  v = p\n  check(f(p) == v)\n  check(v == p)\n  jump(unknown)\n  m[other] = v";
    let text = body(declarations, wrong);
    let found = hrg::load(SourceId(0), &text).1.into_iter().filter(rg_ir::Diagnostic::is_error);
    let found: Vec<String> =
        found.map(|found| format!("{} {}", found.code, &text[found.primary.unwrap().span.range()])).collect();
    for wanted in ["HRG426 hre", "HRG418 g", "RG018 p", "RG017 p", "HRG420 jump", "HRG418 other"] {
        assert!(found.iter().any(|found| found == wanted), "{wanted}: {found:?}");
    }
    // A graph that cannot be read hides nothing but itself.
    let lost = text
        .replace("graph rules", "graph lost(x) {\n  check(x == v)\n}\n\ngraph rules")
        .replace("f(X) = X", "f(X) = p");
    let (_, all) = hrg::load(SourceId(0), &lost);
    let places = |code: &str| all.iter().filter(|found| found.code == code).count();
    assert!(all.iter().any(|found| found.message == "the parameter `x` has no type"), "{all:?}");
    assert!(places("HRG429") == 1 && places("HRG426") == 1, "{all:?}");
    // One mistake is one finding.
    assert_eq!(found.iter().filter(|found| found.ends_with(" other")).count(), 1, "{found:?}");
    // Where declarations are wrong, types say little.
    let text = text.replace("m: N -> N", "m: M -> N");
    let found = hrg::load(SourceId(0), &text).1;
    assert!(found.iter().all(|found| !found.code.starts_with("RG")), "{found:?}");
}

#[test]
fn a_mistake_of_the_syntax_hides_no_unknown_name() {
    let codes = |text: &str| -> Vec<String> {
        let found = hrg::load(SourceId(0), text).1.into_iter().filter(rg_ir::Diagnostic::is_error);
        found.map(|found| format!("{} {}", found.code, &text[found.primary.unwrap().span.range()])).collect()
    };
    let graph = "graph other() {\n  v = unknown\n  missing = v\n}";
    let names = ["HRG418 unknown", "HRG426 missing"];
    for wrong in ["if v == v {\n    end\n  }", "v = = v", "check(v == )", "end\n  v = v"] {
        let found = codes(&body(graph, wrong));
        assert!(names.iter().all(|name| found.iter().any(|found| found == name)), "{wrong}: {found:?}");
    }
}

#[test]
fn what_other_languages_write_is_mended() {
    for (wrong, right) in [
        ("if v == v { $ a } elif v == I(0) { $ b }", "if v == v { $ a } else if v == I(0) { $ b }"),
        ("forall x in N { $ x }", "branch x in N { $ x }"),
        ("v = I(0);", "v = I(0)"),
        ("check(f(v))", "check(f(v) == 1)"),
        ("if b { $ a }", "if b == 1 { $ a }"),
        ("check(v == v and v == I(0))", "check(v == v && v == I(0))"),
        ("check(v == v or v == I(0))", "check(v == v || v == I(0))"),
        ("branch { $ a } else { $ b }", "branch { $ a } or { $ b }"),
        ("check(v == v & v == I(0))", "check(v == v && v == I(0))"),
    ] {
        let functions = "b: Bool\nf: N -> Bool\nf(X) = 1";
        let (found, mended) = first(&body(functions, wrong));
        assert_eq!(mended.as_deref(), Some(&*body(functions, right)), "{found:?}");
        assert!(hrg::load(SourceId(0), &body(functions, right)).0.is_some(), "{right}");
    }
    let (found, mended) = first("domain Player = ann | bob\ndom");
    assert_eq!(mended.as_deref(), Some("domain Player = ann | bob\ndomain"), "{found:?}");
}

#[test]
fn tags_with_names_of_variables_are_told() {
    let text = body("graph step(from: N) {\n  $ from\n}", "$ v $$ v step(I(0))");
    let found = hrg::load(SourceId(0), &text).1.into_iter().filter(|found| found.code == "HRG463");
    let mended = found.map(|found| {
        let edit = &found.fixes[0].edits[0];
        let mut after = text.clone();
        after.replace_range(edit.span.range(), &edit.text);
        (text[found.primary.unwrap().span.range()].to_owned(), after)
    });
    let wanted = [("v", text.replacen("$ v", "$$ v", 1)), ("from", text.replace("$ from", "$$ from"))];
    let mut mended: Vec<(String, String)> = mended.collect();
    mended.sort_by_key(|(name, _)| std::cmp::Reverse(name.clone()));
    assert_eq!(mended, wanted.map(|(name, after)| (name.to_owned(), after)));
}

/// What may be more than one mistake is mended by its author.
#[test]
fn stray_signs_have_no_certain_fix() {
    for wrong in ["check(v == v &&& v == v)", "$ a & b", "v = v player\u{feff}= p"] {
        let found = hrg::load(SourceId(0), &body("", wrong)).1;
        let strays = found.iter().filter(|found| found.message.starts_with("unknown character"));
        let fixes: Vec<_> = strays.flat_map(|found| &found.fixes).collect();
        assert!(!fixes.is_empty() && fixes.iter().all(|fix| fix.applies == rg_ir::diag::Applies::Maybe), "{found:?}");
    }
}

#[test]
fn a_block_that_is_not_closed_hides_no_unknown_name() {
    let start = format!("{BASE}graph walk() {{\n  v = I(1)\n}}\ngraph rules() {{\n  player = p\n");
    for (open, behind) in [
        // At the end of the text, before another graph, and before a variable.
        ("  loop {\n    player = nobody\n    walk()\n    stroll()\n", ""),
        ("  loop {\n    player = nobody\n    stroll()\n", "graph more() {\n  v = I(0)\n}\n"),
        ("  loop {\n    player = nobody\n    stroll()\n", "w: N\n"),
        ("  loop {\n    branch { player = nobody } or { stroll() }\n    if v == I(0) {\n", ""),
        // A statement that is being written is lost, and what it begins with is no mistake.
        ("  loop {\n    player = nobody\n    stroll()\n    v = \n", ""),
        ("  loop {\n    player = nobody\n    stroll()\n    check(v == (I(0)\n", ""),
        // With a mistake before.
        ("  v = = v\n  loop {\n    player = nobody\n    stroll()\n", ""),
    ] {
        let text = format!("{start}{open}{behind}");
        let found = hrg::load(SourceId(0), &text).1;
        let told = |word: &str| found.iter().filter(|found| found.is_error() && found.message.contains(word)).count();
        assert_eq!((told("`stroll`"), told("`nobody`")), (1, 1), "{text}{found:?}");
        // Nothing follows from the brackets that were added.
        let syntax = found.iter().filter(|found| found.code == "HRG402").count();
        assert!(
            found.iter().all(|found| !found.is_error() || ["HRG402", "HRG418", "HRG420"].contains(&found.code)),
            "{text}{found:?}"
        );
        assert!((1..=2).contains(&syntax), "{text}{found:?}");
    }
    // Where all is right but for the brackets, nothing else is told.
    for open in [
        "  loop {\n    walk()\n",
        "  loop {\n    branch x in N {\n      v = x\n",
        "  if v == I(0) {\n    walk()\n  end()\n",
    ] {
        let text = format!("{start}{open}");
        let found: Vec<_> = hrg::load(SourceId(0), &text).1.into_iter().filter(rg_ir::Diagnostic::is_error).collect();
        assert!(matches!(found.as_slice(), [only] if only.code == "HRG402"), "{text}{found:?}");
    }
}

#[test]
fn unknown_values_may_be_added_to_their_domain() {
    let text = |content: &str, statements: &str| {
        format!(
            "domain Player = first | second\ndomain Score = 0 | 100\ndomain Content = {content}\ndomain Cell = C(X) where X in 0..2\nboard: Cell -> Content = {{ :empty }}\nat: Cell = C(0)\n\
                 graph rules() {{\n  player = first\n  {statements}\n  $ go\n  goals[first] = 100\n  end()\n}}\n"
        )
    };
    let told = |text: &str| -> Vec<(String, Option<String>)> {
        let found = hrg::load(SourceId(0), text).1;
        let errors = found.iter().filter(|found| found.is_error());
        let after = |found: &rg_ir::Diagnostic| {
            let fix = found.fixes.first()?;
            let mut after = text.to_owned();
            fix.edits.iter().for_each(|edit| after.replace_range(edit.span.range(), &edit.text));
            assert_eq!(fix.applies, rg_ir::diag::Applies::Maybe);
            Some(after)
        };
        errors.map(|found| (found.message.clone(), after(found))).collect()
    };
    for statement in ["board[C(0)] = burning", "check(board[at] == burning)", "check(board[C(1)] != burning)"] {
        let found = told(&text("empty | full", statement));
        assert_eq!(found.len(), 1, "{found:?}");
        let after = text("empty | full | burning", statement);
        assert_eq!(found[0].1.as_deref(), Some(after.as_str()), "{found:?}");
        assert!(told(&after).is_empty(), "{after}");
    }
    // A domain of terms has no list of names; what is called is a graph.
    for statement in ["at = nowhere", "board[at] = nothing(at)"] {
        let found = told(&text("empty | full", statement));
        assert!(!found.is_empty() && found.iter().all(|(_, after)| after.is_none()), "{statement}: {found:?}");
    }
}

/// The text after a fix.
fn fixed(text: &str, fix: &rg_ir::diag::Fix) -> String {
    let mut edits = fix.edits.clone();
    edits.sort_by_key(|edit| std::cmp::Reverse(edit.span.start));
    let mut after = text.to_owned();
    edits.iter().for_each(|edit| after.replace_range(edit.span.range(), &edit.text));
    after
}

#[test]
fn built_in_types_are_called_so() {
    for (name, values) in [
        ("Bool", "no | yes"),
        ("Bool", "0 | 1 | 2"),
        ("PlayerOrSystem", "p | q"),
        ("Goals", "win | lose"),
        ("Visibility", "0 | 1"),
    ] {
        let text = format!("{}\n", body(&format!("domain {name} = {values}\nw: {name}"), "w = w"));
        let found: Vec<_> = hrg::load(SourceId(0), &text).1.into_iter().filter(rg_ir::Diagnostic::is_error).collect();
        let [only] = &found[..] else { panic!("{text}{found:?}") };
        assert_eq!(only.code, "HRG462", "{found:?}");
        assert!(only.message.contains(&format!("`{name}` is built in")), "{found:?}");
        let [fix] = &only.fixes[..] else { panic!("{found:?}") };
        assert_eq!(fix.applies, rg_ir::diag::Applies::Maybe);
        let after = fixed(&text, fix);
        assert_eq!(after, text.replace(name, &format!("Own{name}")));
        assert!(hrg::load(SourceId(0), &after).0.is_some(), "{after}");
    }
    for right in ["domain Bool = 0 | 1", "domain Bool = 1 | 0", "domain PlayerOrSystem = Player | keeper | random"] {
        let text = body(&format!("{right}\nw: Bool"), "w = w");
        assert!(hrg::load(SourceId(0), &text).0.is_some(), "{right}");
    }
}

#[test]
fn built_in_variables_are_called_so() {
    for (declared, ty) in [
        ("player: Player = p", "PlayerOrSystem"),
        ("goals: Player -> Player", "Player -> Score"),
        ("goals: Score", "Player -> Score"),
        ("visible: N -> Bool", "Player -> Bool"),
    ] {
        let text = body(&format!("{declared} // mine"), "v = v");
        let found: Vec<_> = hrg::load(SourceId(0), &text).1.into_iter().filter(rg_ir::Diagnostic::is_error).collect();
        let [only] = &found[..] else { panic!("{text}{found:?}") };
        assert!(only.code == "HRG462" && only.message.contains(&format!("`{ty}`")), "{found:?}");
        let after = fixed(&text, &only.fixes[0]);
        assert!(!after.contains(declared) && hrg::load(SourceId(0), &after).0.is_some(), "{after}");
    }
    for right in
        ["player: PlayerOrSystem", "goals: Player -> Score", "visible: Player -> Bool = { :1 }", "goals: Goals"]
    {
        assert!(hrg::load(SourceId(0), &body(right, "v = v")).0.is_some(), "{right}");
    }
}

/// What is missing is not suggested under its own name.
#[test]
fn what_is_missing_is_not_its_own_suggestion() {
    let rules = format!("{BASE}graph ruels() {{\n  player = p\n  v = v\n  end()\n}}\n");
    let players = rules.replace("ruels", "rules").replace("Player", "Playr");
    for (text, told, help) in [
        (&rules, "there is no graph `rules`", "should the graph `ruels` be called `rules`?"),
        (&players, "there is no domain `Player`", "should the domain `Playr` be called `Player`?"),
    ] {
        let (found, mended) = first(text);
        assert_eq!((found.message.as_str(), found.help.as_deref()), (told, Some(help)));
        let mended = mended.unwrap();
        assert!(hrg::load(SourceId(0), &mended).0.is_some(), "{mended}");
    }
    // Uses of a domain that every description has do not name another one.
    let text = format!("{}w: Player\n", BASE.replace("Player = p | q", "Plays = p | q"));
    let found = hrg::load(SourceId(0), &format!("{text}graph rules() {{\n  player = p\n  end()\n}}\n")).1;
    let replaced = found.iter().flat_map(|found| &found.fixes).flat_map(|fix| &fix.edits);
    assert!(replaced.filter(|edit| edit.instead_of.as_deref() == Some("Player")).count() == 0, "{found:?}");
}

#[test]
fn names_that_are_used_elsewhere_are_no_certain_misspellings() {
    let start = BASE.replace("p | q", "white | black");
    let text = format!("{start}graph rules() {{\n  player = white\n  white v\n  end()\n}}\n");
    let found = hrg::load(SourceId(0), &text).1;
    let fixes = || found.iter().flat_map(|found| &found.fixes).filter(|fix| fix.title.contains("`while`"));
    assert!(fixes().all(|fix| fix.applies == rg_ir::diag::Applies::Maybe), "{found:?}");
    let text = format!("{start}graph rules() {{\n  player = white\n  whiel v == v {{\n  v = v\n  }}\n  end()\n}}\n");
    let found = hrg::load(SourceId(0), &text).1;
    let mut certain = found.iter().flat_map(|found| &found.fixes);
    assert!(
        certain.any(|fix| fix.applies == rg_ir::diag::Applies::Always && fix.title.contains("`while`")),
        "{found:?}"
    );
}

#[test]
fn ranges_are_written_as_the_language_has_them() {
    for (wrong, right, rest) in [
        ("domain M = 0..3", "domain M = 0 | 1 | 2 | 3", "w: M"),
        ("domain M = off | 0..1", "domain M = off | 0 | 1", "w: M"),
        ("domain M = C(0..2)", "domain M = C(X) where X in 0..2", "w: M"),
        ("domain M = C(0..2, 5..6)", "domain M = C(X, Y) where X in 0..2, Y in 5..6", "w: M"),
        ("domain M = C(Z, 5..6) where Z in 0..1", "domain M = C(Z, X) where X in 5..6, Z in 0..1", "w: M"),
    ] {
        let text = body(&format!("{wrong}\n{rest}"), "w = w");
        let (found, _) = first(&text);
        let after = found.fixes.iter().map(|fix| fixed(&text, fix)).next();
        let wanted = body(&format!("{right}\n{rest}"), "w = w");
        assert_eq!(after.as_deref(), Some(&*wanted), "{found:?}");
        assert!(found.fixes.iter().all(|fix| fix.applies == rg_ir::diag::Applies::Maybe));
        assert!(hrg::load(SourceId(0), &wanted).0.is_some(), "{wanted}");
    }
    let text = body("", "branch x in 0..2 { $ x }");
    let (found, _) = first(&text);
    let after = found.fixes.iter().map(|fix| fixed(&text, fix)).next();
    assert_eq!(after, Some(text.replace("0..2 {", "{ 0, 1, 2 } {")), "{found:?}");
    // Lists without end are not written.
    let (found, mended) = first(&body("domain M = 0..1000\nw: M", "w = w"));
    assert!(mended.is_none(), "{found:?}");
}

#[test]
fn values_are_ordered_by_a_function() {
    let declarations = "domain Small = 0 | 1 | 2 | 3\nm: N -> Small\nlow: Small\nhigh: Small";
    for (wrong, right, function) in [
        (
            "check(low < high)",
            "check(isLess(low, high) == 1)",
            "isLess: Small -> Small -> Bool\nisLess(X, Y) = if X < Y",
        ),
        ("check(m[v] >= 2)", "check(isAtLeast(m[v], 2) == 1)", "isAtLeast: Small -> Small -> Bool"),
        ("if 1 > low && v == v { $ a }", "if isMore(1, low) == 1 && v == v { $ a }", "isMore: Small -> Small -> Bool"),
        ("check(v <= I(1))", "check(isAtMost(v, I(1)) == 1)", "isAtMost: N -> N -> Bool"),
    ] {
        // `X` is the name of another variable.
        let text = body(declarations, wrong).replace("I(X) where X in", "I(K) where K in");
        let (found, _) = first(&text);
        let [fix] = &found.fixes[..] else { panic!("{found:?}") };
        assert_eq!(fix.applies, rg_ir::diag::Applies::Maybe);
        let after = fixed(&text, fix);
        assert!(after.contains(right) && after.contains(function), "{after}");
        let left = hrg::load(SourceId(0), &after).1;
        assert!(left.iter().all(|left| !left.is_error()), "{after}{left:?}");
    }
}

#[test]
fn what_is_added_stands_behind_comments() {
    let text = body("w: N // where one is", "count = v");
    let (after, _) = after_fix(&text, "`count`");
    assert!(after.contains("w: N // where one is\ncount: N\n"), "{after}");
    let text = body("domain Last = one | two // the last", "branch z in Quux { $ z }");
    let (after, _) = after_fix(&text, "domain `Quux`");
    assert!(after.contains("two // the last\ndomain Quux = first | second\n"), "{after}");
}

#[test]
fn words_around_conditions_are_added() {
    let graph = "graph found() {\n  check(v == v)\n}";
    for (wrong, right) in [
        ("check(found())", "check(reachable(found()))"),
        ("if v == v && found() { $ a }", "if v == v && reachable(found()) { $ a }"),
        ("not(v == I(0))", "check(not(v == I(0)))"),
        ("reachable(found())", "check(reachable(found()))"),
    ] {
        let (found, _) = first(&body(graph, wrong));
        let after = found.fixes.first().map(|fix| fixed(&body(graph, wrong), fix));
        assert_eq!(after, Some(body(graph, right)), "{found:?}");
        assert!(found.fixes.iter().all(|fix| fix.applies == rg_ir::diag::Applies::Always));
        assert!(hrg::load(SourceId(0), &body(graph, right)).0.is_some(), "{right}");
    }
}
