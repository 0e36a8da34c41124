//! Formatting, printing, and the laws between the two syntaxes.
#![allow(clippy::unwrap_used, clippy::panic)] // a test stops at the first surprise

mod common;

use common::{corpus, findings};
use gdl::{Description, Syntax};
use proptest::prelude::*;
use rg_ir::SourceId;

fn format(text: &str) -> String {
    gdl::format(SourceId(0), text).unwrap()
}

/// The tree of a text that may have errors that only matter to whole games.
fn read(text: &str) -> Description {
    gdl::read(SourceId(0), text).0.unwrap_or_else(|| panic!("{text}\n{}", findings(text)))
}

/// The prefix text of a description with the variables of every rule numbered from left to right.
fn renamed(description: &Description) -> String {
    let text = gdl::print_prefix(description);
    let mut out = String::new();
    let mut names: Vec<String> = Vec::new();
    for line in text.split_inclusive('\n') {
        if !line.starts_with(' ') {
            names.clear();
        }
        let mut rest = line;
        while let Some(at) = rest.find('?').filter(|_| !line.starts_with(';')) {
            let end = rest[at..].find([' ', ')', '\n']).unwrap() + at;
            let name = rest[at..end].to_owned();
            let number = names.iter().position(|known| *known == name).unwrap_or(names.len());
            if number == names.len() {
                names.push(name);
            }
            out.push_str(&rest[..at]);
            out.push_str(&format!("?{number}"));
            rest = &rest[end..];
        }
        out.push_str(rest);
    }
    // Names have different lengths, so lines may be broken differently.
    out.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn prefix_texts() {
    let text = "; title \r\n\r\n\r\n( role  a )( role b)terminal;; end\r\n  ; own line\r\n\
                (<=\t(goal a 100)\r\n(true (x 1) ; why\r\n ) (not\n(true y)))\r\
                (<= (legal ?r noop) (role ?r))\n;last";
    let expected = "; title\n\n(role a)\n(role b)\nterminal ;; end\n; own line\n\
                    (<= (goal a 100)\n    (true\n      (x 1) ; why\n    )\n    (not (true y)))\n\
                    (<= (legal ?r noop) (role ?r))\n;last\n";
    assert_eq!(format(text), expected);
    assert_eq!(format(expected), expected);
    assert_eq!(format(""), "");
}

#[test]
fn long_forms_are_broken() {
    let name = "n".repeat(60);
    let text = format!("(<= (p ?x) (or (q {name} ?x) (r {name} (f ?x))) (s {name}))");
    let expected = format!("(<= (p ?x)\n    (or\n      (q {name} ?x)\n      (r {name} (f ?x)))\n    (s {name}))\n");
    assert_eq!(format(&text), expected);
    assert_eq!(format(&expected), expected);
}

#[test]
fn infix_texts() {
    let text = "% title\r\nrole( a )role(b).terminal:-x&~ y % end\n\
                goal(a,100):-(true(x)|true(y) &z)&\nX!=Y ; why\n& distinct(X ,'+')\n\n\nlast";
    let expected = "% title\nrole(a)\nrole(b).\nterminal :- x & ~y % end\n\
                    goal(a, 100) :-\n    (true(x) | true(y) & z) &\n    X != Y ; why\n    &\n    distinct(X, '+')\n\nlast\n";
    assert_eq!(format(text), expected);
    assert_eq!(format(expected), expected);
}

#[test]
fn what_has_wrong_brackets_is_not_formatted() {
    let codes = |text| gdl::format(SourceId(0), text).unwrap_err().iter().map(|error| error.code).collect::<Vec<_>>();
    assert_eq!(codes("(p a"), ["GDL611"]);
    assert_eq!(codes("(p \"a\"))"), ["GDL612", "GDL611"]);
    assert_eq!(codes("p(a, :- q"), ["GDL651"]);
}

#[test]
fn the_syntax_is_that_of_the_beginning() {
    for (text, infix) in [
        ("; p(x)\n(role a)", false),
        ("terminal (role a)", false),
        ("% (x)\nrole(a)", true),
        ("terminal :- x", true),
        ("", false),
        ("terminal", false),
        ("terminal\nrole(a)", true),
        ("'+'", true),
        ("% c\nterminal", true),
    ] {
        assert_eq!(Syntax::of(text) == Syntax::Infix, infix, "{text}");
    }
}

#[test]
fn prolog_texts() {
    let text = "/* two\n   lines */ role(a). role( b ).\nterminal:-true( x ),\\+true(y). % end\n\
                legal(P,M):-role(P),(n(M);M\\=a,k(_,_)),not((true(x),true(y)))\n,q.\nnext(x):-true(y);true(z),n(x).";
    let expected = "/* two\n   lines */\nrole(a).\nrole(b).\nterminal :- true(x), \\+ true(y). % end\n\
                    legal(P, M) :-\n    role(P),\n    (n(M) ; M \\= a, k(_, _)),\n    not((true(x), true(y))),\n    q.\n\
                    next(x) :- true(y) ; true(z), n(x).\n";
    assert_eq!(format(text), expected);
    assert_eq!(format(expected), expected);
    let prefix = "; two\n;   lines\n(role a)\n(role b)\n(<= terminal (true x) (not (true y)))\n; end\n\
                  (<= (legal ?p ?m)\n    (role ?p)\n    (or (n ?m) (and (distinct ?m a) (k ?_ ?__2)))\n    \
                  (not (and (true x) (true y)))\n    q)\n(<= (next x) (or (true y) (and (true z) (n x))))\n";
    assert_eq!(gdl::print_prefix(&read(text)), prefix, "every `_` is another variable");
    let printed = gdl::print_prolog(&read("(<= (p ?x ?_) (q ?x ?_) (or r (not (distinct ?x a))))")).0;
    assert_eq!(printed, "p(X, __) :- q(X, __), (r ; \\+ X \\= a).\n");
}

#[test]
fn what_texts_look_like() {
    for (text, syntax) in [
        ("p(X) :- q(X), r.", Syntax::Prolog),
        ("p(X) :- q(X) & r(X, X)", Syntax::Infix),
        ("p :- \\+ q.", Syntax::Prolog),
        ("p :- (q ; r).", Syntax::Prolog),
        ("p(a) ; why, and how\nq :- r & ~s", Syntax::Infix),
        ("'a, b'(x) :- q & r", Syntax::Infix),
        // Prefix texts with a bracket too few or too many at their beginning.
        ("role(white)\n(<= (legal ?r go) (role ?r))", Syntax::Prefix),
        ("<=(legal ?r go) (role ?r))", Syntax::Prefix),
        ("init(cell 1 1 b)) (init (cell 1 2 b))", Syntax::Prefix),
    ] {
        assert_eq!(Syntax::of(text), syntax, "{text}");
    }
}

#[test]
fn names_without_infix_spelling() {
    let description = read("; c\n(<= (-> ?x+y ?x_y ?1 +) (p ?x+y ?x_y ?1 _a) (or (q ?1) (r ?1)))");
    let (text, findings) = gdl::print_infix(&description);
    let rule = "'->'(X_y, X_y_2, _1, '+') :- p(X_y, X_y_2, _1, '_a') & (q(_1) | r(_1))\n";
    assert_eq!(text, format!("% c\n{rule}"));
    let messages: Vec<&str> = findings.iter().map(|finding| finding.message.as_str()).collect();
    assert_eq!(messages.len(), 6, "{messages:?}");
    assert_eq!(messages[0], "name `->` has no spelling of its own in infix GDL; written `'->'`");
    assert_eq!(renamed(&read(&text)), renamed(&description));
}

#[test]
fn infix_variables_that_differ_in_case() {
    let description = read("p(Ab, AB, aB) :- q(Ab) & q(AB)\nr(AB) :- q(AB)\ns(ab)");
    let expected = "(<= (p ?ab ?ab_2 ab) (q ?ab) (q ?ab_2))\n(<= (r ?ab) (q ?ab))\n(s ab)\n";
    assert_eq!(gdl::print_prefix(&description), expected);
}

/// Compares long texts; shows the first difference only.
fn same(left: &str, right: &str, name: &str) {
    let differs = left.lines().zip(right.lines()).find(|(left, right)| left != right);
    assert!(left == right, "{name}: {differs:?}");
}

#[test]
fn laws_on_the_corpus() {
    for (name, text) in corpus("kif").unwrap_or_default().iter().filter(|(name, _)| name != "index") {
        let description = read(text);
        let prefix = gdl::print_prefix(&description);
        same(&gdl::print_prefix(&read(&prefix)), &prefix, name);
        let (infix, _) = gdl::print_infix(&description);
        assert_eq!(Syntax::of(&infix), Syntax::Infix, "{name}");
        let again = read(&infix);
        same(&gdl::print_infix(&again).0, &infix, name);
        same(&renamed(&again), &renamed(&description), name);
        let (prolog, _) = gdl::print_prolog(&description);
        let again = read(&prolog);
        same(&gdl::print_prolog(&again).0, &prolog, name);
        same(&renamed(&again), &renamed(&description), name);
        for text in [text, &prefix, &infix, &prolog] {
            let formatted = format(text);
            same(&format(&formatted), &formatted, name);
            let (before, after) = (read(text), read(&formatted));
            same(&renamed(&after), &renamed(&before), name);
            assert_eq!(after.comments.len(), before.comments.len(), "{name}");
        }
    }
}

fn term() -> impl Strategy<Value = String> {
    let leaf = prop::sample::select(vec!["a", "b1", "+", "?x", "?y-z", "?y_z", "100", "_u"]).prop_map(str::to_owned);
    leaf.prop_recursive(3, 12, 3, |inner| {
        (prop::sample::select(vec!["f", "g->"]), prop::collection::vec(inner, 1..4))
            .prop_map(|(name, args)| format!("({name} {})", args.join(" ")))
    })
}

fn literal() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        prop::collection::vec(term(), 1..3).prop_map(|args| format!("(p {})", args.join(" "))),
        Just("q".to_owned()),
        (term(), term()).prop_map(|(left, right)| format!("(distinct {left} {right})")),
    ];
    leaf.prop_recursive(3, 10, 3, |inner| {
        (prop::sample::select(vec!["or", "and", "not"]), prop::collection::vec(inner, 1..4)).prop_map(
            |(name, parts)| {
                let parts = if name == "not" { &parts[..1] } else { &parts[..] };
                format!("({name} {})", parts.join(" "))
            },
        )
    })
}

proptest! {
    #[test]
    fn laws_on_made_up_rules(literals in prop::collection::vec(literal(), 1..5), comment in "(; [a-z(%]*\n)?") {
        let text = format!("{comment}(<= (h ?x) {})", literals.join(" "));
        let description = read(&text);
        let prefix = gdl::print_prefix(&description);
        prop_assert_eq!(gdl::print_prefix(&read(&prefix)), prefix);
        let (infix, _) = gdl::print_infix(&description);
        prop_assert_eq!(renamed(&read(&infix)), renamed(&description), "{}", infix);
        let (prolog, _) = gdl::print_prolog(&description);
        prop_assert_eq!(renamed(&read(&prolog)), renamed(&description), "{}", prolog);
        for text in [&text, &infix, &prolog] {
            let formatted = format(text);
            prop_assert_eq!(format(&formatted), formatted);
        }
    }
}
