//! What messages look like: every check of section 5 of the specification that needs no states.

mod common;

use common::{codes, findings, snapshot};
use gdl::Syntax;
use rg_ir::SourceId;
use rg_ir::diag::Applies;

/// A game without findings; a player goes from `s` to `t`.
const GAME: &str = "(role p) (base s) (base t) (input p go) (init s) (legal p go) (<= (next t) (true s)) \
                    (<= terminal (true t)) (goal p 100)";

/// Checks the findings of several texts against one snapshot.
fn messages(name: &str, cases: &[&str], whole: impl Fn(&str) -> String) {
    let shown: Vec<String> = cases.iter().map(|case| format!("{case}\n\n{}", findings(&whole(case)))).collect();
    snapshot(name, &shown.join("\n----\n"));
}

/// Names that occur once beside others that occur several times; the members of a family are not mistaken for each other.
#[test]
fn names_that_are_nearly_the_same() {
    let cases = [
        "(seat north) (seat south) (seat nroth) (<= (goal p 5) (seat north) (seat south))",
        "(seat linea) (seat lineb) (seat linea) (seat xside) (seat yside) (seat yside) (seat a12) (seat a13) (seat a13) (<= (goal p 5) (seat ?x))",
        "(seat (place a)) (seat (plcae b)) (seat (place b)) (<= (goal p 5) (seat (place ?x)))",
        "(seat cells) (seat cells) (<= (goal p 5) (seat cells) (seat (cell a)))",
        "(seat a) (<= (goal p 5) (seat ?column) (seat ?colunm) (distinct ?column b))",
        "(seat a) (<= (goal p 5) (seat ?thatColumn) (seat ?thatColunm) (distinct ?thatColumn b))",
        "(seat a) (<= (goal p 5) (seat ?row1) (seat ?row2) (distinct ?row1 b))",
        // Short names, and variables that stand once: only what is doubled or transposed is a slip.
        "(seat red) (seat reed) (seat red) (seat escond) (seat second) (seat second) (<= (goal p 5) (seat ?x))",
        "(seat a) (<= (goal p 5) (seat ?y2) (seat ?y22) (distinct ?y2 b))",
        "(seat a) (<= (goal p 5) (seat ?y1) (seat ?y11) (distinct ?y1 b)) (<= (goal p 6) (seat ?y10))",
        // Variables that nothing binds.
        "(seat a) (<= (goal p 5) (seat ?x) (distinct ?xx a)) (<= (goal p 6) (seat ?x))",
        "(seat a) (<= (sits ?x) (seat ?xx)) (<= (goal p 6) (sits ?x) (seat ?x))",
        "(seat a) (<= (goal ?r 50) (role ?rr) (seat a))",
        // Relations that are not used, and operators.
        "(seat a) (seatt b) (<= (goal p 5) (seat ?x))",
        "(seat a) (<= (goal p 5) (seat ?x) (orr (distinct ?x a) (true s)))",
    ];
    messages("near", &cases, with);
}

/// Behind the game.
fn with(case: &str) -> String {
    format!("{case}\n{GAME}")
}

#[test]
fn a_fluent_without_true_is_one_finding_with_a_fix() {
    let rules = "(init (at a)) (<= (next (at b)) (at a)) (<= (goal p 5) (not (at b)) (at ?x))";
    for (text, mended) in [
        (with(rules), rules.replace("(at a)) (<= (goal", "(true (at a))) (<= (goal")),
        (with("(init on) (<= (next on) on)"), "(init on) (<= (next on) (true on))".to_owned()),
    ] {
        let found: Vec<_> = gdl::parse(SourceId(0), &text)
            .1
            .into_iter()
            .filter(|found| ["GDL623", "GDL624"].contains(&found.code))
            .collect();
        let [finding] = &found[..] else { panic!("{found:?}") };
        assert!(finding.message.contains("fluent"), "{finding:?}");
        let fix = finding.fixes.first().unwrap();
        assert_eq!(fix.applies, Applies::Always);
        let mut edits: Vec<_> = fix.edits.iter().collect();
        edits.sort_by_key(|edit| std::cmp::Reverse(edit.span.start));
        let mut after = text.clone();
        edits.iter().for_each(|edit| after.replace_range(edit.span.range(), &edit.text));
        let known = mended.replace("(not (at b)) (at ?x)", "(not (true (at b))) (true (at ?x))");
        assert_eq!(after, with(&known));
    }
}

#[test]
fn brackets_that_are_missing_in_one_place_can_be_added() {
    for (wrong, right) in [
        ("(role a)\n(<= terminal (true (x)\n(role b)", "(role a)\n(<= terminal (true (x)))\n(role b)"),
        ("(role a) ; (\n(init (x y) ; z\n; w\n(role b)\n", "(role a) ; (\n(init (x y)) ; z\n; w\n(role b)\n"),
        ("(role a)\n(init (x y)", "(role a)\n(init (x y))"),
    ] {
        let found = gdl::read(SourceId(0), wrong).1;
        let fix = found.iter().find(|found| found.code == "GDL611").unwrap().fixes.first().unwrap();
        let [edit] = &fix.edits[..] else { panic!("{fix:?}") };
        let mut text = wrong.to_owned();
        text.replace_range(edit.span.range(), &edit.text);
        assert_eq!(text, right);
    }
}

#[test]
fn a_game_without_findings() {
    assert_eq!(codes(GAME), [""; 0]);
    let infix = "role(p) base(s) base(t) input(p, go) init(s) legal(p, go) next(t) :- true(s) \
                 terminal :- true(t). goal(p, 100)";
    assert_eq!(codes(infix), [""; 0]);
}

#[test]
fn text() {
    let cases = [
        "(role q",
        "(role q))",
        "(<= (next s)\n(true t)\n(legal p stay)",
        "(role \"q\")",
        "#| block |#",
        "(init é)",
        "(init ?)",
        "(INIT S) (init (X a)) (init (x b))",
        "(init a+b) (init ->)",
    ];
    messages("text", &cases, with);
}

#[test]
fn forms() {
    let cases = [
        "() ((p) a) (?x a)",
        "(<=)",
        "(<= terminal ?x)",
        "(<= terminal (not))",
        "(<= terminal (not terminal terminal))",
        "(<= terminal (distinct a))",
        "(<= terminal (or))",
        "(or terminal terminal)",
        "(<= (not terminal) terminal)",
        "(init (f (not a)))",
        "(<= terminal (true (or a b)))",
        "(init (f))",
        "(<= (terminal) (terminal))",
        "(<= (init a))",
        "(<= terminal (not (distinct a b)) (not (or (true a) (not (true b)))) (not (not (true c))))",
        "(init ?x)",
        "(<= terminal (and (true a) (true b)))",
    ];
    messages("forms", &cases, with);
}

#[test]
fn vocabulary() {
    let cases = [
        "(<= terminal (q a)) (q a b)",
        "(init (f a)) (init (f a b))",
        "(<= terminal (f a)) (f a) (init (f a))",
        "(<= terminal (pice a)) (<= terminal (not (zzz a))) (<= terminal (piece a)) (piece a)",
        "(piece a)",
        "(goal p 101) (goal p (f 1)) (goal p ten) (goal p 007)",
        "(role p q)",
        "(<= (legal p) terminal)",
        "(<= (terminal now) (true s))",
        "(init (true a)) (init goal)",
        "(init random)",
    ];
    messages("vocabulary", &cases, with);
}

#[test]
fn reserved_words() {
    let cases = [
        "(true a) (<= (does p go) terminal)",
        "(<= (role q) (side q)) (side q)",
        "(<= (init a) (h a)) (<= (h ?x) (g ?x)) (<= (g ?x) (true ?x))",
        "(<= (legal p stay) (q p)) (<= (q ?r) (does ?r go))",
        "(<= (base a) (true a))",
        "(<= terminal (next a))",
        "(<= terminal (sees p a))",
        "(legal q go) (<= terminal (does white go))",
        "(<= (goal ?r 0) (role ?r) (legal pp go))",
    ];
    messages("reserved_words", &cases, with);
}

#[test]
fn missing_relations() {
    let cases = ["", "(init a)", "; nothing but a comment", "(role p) (legal p go) (goal p 100) terminal"];
    messages("missing_relations", &cases, str::to_owned);
}

#[test]
fn safety() {
    let cases = [
        "(<= (next ?x) (true s))",
        "(<= terminal (not (true ?x)))",
        "(<= terminal (distinct ?x ?y) (true ?x))",
        "(<= (next ?x) (or (true ?x) (true (f ?y))))",
        "(<= (next ?x) (or (true ?x) (true (f ?x ?y))))",
        "(<= terminal (or (not (true ?x)) (true ?x)))",
        "(<= terminal (true ?x) (or (not (true (f ?x ?y))) (distinct ?x a)))",
        "(<= terminal (not (or (not (true ?x)) (true (f ?x)))))",
    ];
    messages("safety", &cases, with);
}

#[test]
fn cycles() {
    let cases = [
        "(<= q (not q)) (<= terminal q)",
        "(<= (a ?x) (b ?x)) (<= (b ?x) (true ?x) (not (c ?x))) (<= (c ?x) (a ?x)) (<= terminal (a s))",
        // Not one: the relation is split by the constants in its heads.
        "(<= (goal ?r 0) (role ?r) (not (goal ?r 50))) (<= (goal p 50) (true s))",
        "(<= (goal ?r ?n) (role ?r) (n ?n) (not (goal ?r 50))) (n 50)",
        "(<= (n (f ?x)) (n ?x)) (n a) (<= terminal (n b))",
        "(<= (n ?x) (n (f ?x))) (n a) (<= terminal (n b))",
        "(<= (n ?x) (m ?x (f ?y)) (true ?y)) (<= (m ?x ?y) (n ?x) (true (f ?y))) (n a) (<= terminal (n b))",
        "(<= (n ?x) (or (n ?y) (true ?y)) (true ?x)) (<= terminal (n b))",
    ];
    messages("cycles", &cases, with);
}

#[test]
fn lenient() {
    let cases = [
        "(init (s)) (<= (legal (p) (go)) (true (f (a))))",
        "(goal ?who 50) (<= (legal ?who stay) (true s)) (<= (sees ?who seen) (true s))",
        "(base (at ?x)) (<= (input p (go ?x ?y)) (n ?x)) (n 1)",
        "(<= (spare ?x) (not (true ?x))) (<= (idle ?x) (spare ?x))",
        "(<= (apart ?x ?y) (distinct ?x ?y)) (<= (next ?x) (true ?x) (true ?y) (apart ?x ?y))",
        "(same ?x ?x) (<= (next ?x) (true ?x) (not (same ?x t)))",
        // Not bound by who asks; under a negation there is a variable more; the relation asks itself.
        "(<= (apart ?x ?y) (distinct ?x ?y)) (<= (next ?x) (apart ?x s))",
        "(<= (some ?x) (n ?y) (distinct ?x ?y)) (n s) (<= (next ?x) (true ?x) (not (some ?x)))",
        "(<= (on ?x ?y) (on ?y ?x)) (on ?x a) (<= terminal (true s) (on s s))",
    ];
    messages("lenient", &cases, with);
    let wrapped = |case: &str| case.replace("GAME", GAME);
    let cases = [
        "(GAME)",
        "(START m.1 p (GAME) 30 5)",
        "(START m.1 p (GAME) 30)",
        "(START m.1 p GAME 30 5)",
        "(START m.1 p 30 5)",
        "((role p) x",
    ];
    messages("wrapped", &cases, wrapped);
}

#[test]
fn misspelt_words_of_the_language() {
    let words = ["role p", "init s", "legal p", "true s", "next t", "terminal (", "goal p"];
    let slips = ["rloe p", "intit s", "lgeal p", "treu s", "nxet t", "termnial (", "gaol p"];
    let whole = |case: &str| match slips.iter().position(|slip| *slip == case) {
        Some(place) => GAME.replacen(words[place], case, 1),
        None => with(case),
    };
    let rules = ["(<= (next s) (deos p go))", "(<= (next s) (true s) (dsitinct s t))", "(<= (next s) (nto (true s)))"];
    // Of another arity, or defined and used: names of their own.
    let own = ["(<= (next s) (gaols p go 1))", "(<= (next s) (rule s)) (rule s)"];
    let cases: Vec<&str> = slips.into_iter().chain(rules).chain(own).collect();
    messages("misspelt", &cases, whole);
}

#[test]
fn short_words_without_a_letter() {
    // The relation and the move have other names nearby, but only one from which a letter is missing.
    let text = "(role p) (init s) (mark p o) (mrk p x) (legal p (put s)) (legal p (pat s))
        (<= (next s) (does p (pt s)) (mark p o)) (<= terminal (true s)) (goal p 1)";
    let (_, found) = gdl::parse_as(SourceId(0), text, Syntax::Prefix);
    let helps: Vec<&str> = found.iter().filter_map(|finding| finding.help.as_deref()).collect();
    assert!(helps.contains(&"did you mean `mark`?") && helps.contains(&"did you mean `pat` or `put`?"), "{helps:?}");
    let guesses = found.iter().flat_map(|finding| &finding.fixes).filter(|fix| fix.title.starts_with("replace"));
    assert!(guesses.clone().count() == 3 && guesses.into_iter().all(|fix| fix.applies == Applies::Maybe));
}

/// Of a relation that is only defined and one that is only used, that is renamed which occurs once, wherever the other one occurs several times.
/// Where both occur once, or both several times, no fix is certain.
#[test]
fn the_rarer_spelling_is_the_wrong_one() {
    let game = "(role p) (init s) (legal p go) (<= (next t) (true s)) (goal p 1)";
    let cases = [
        // The definition, the uses, and the certain fix.
        ("(<= pen (true s))", "(<= terminal open)", None),
        ("(<= open (true s))", "(<= terminal pen)", None),
        ("(<= pen (true s))", "(<= terminal open) (<= (goal p 2) (not open))", Some("replace `pen` by `open`")),
        ("(<= open (true s)) (<= open (true t))", "(<= terminal (not pen))", Some("replace `pen` by `open`")),
        ("(<= pen (true s)) (<= pen (true t))", "(<= terminal open) (<= (goal p 2) (not open))", None),
        // Names that count are members of a family; names with other numbers of arguments are other relations.
        ("(<= line1 (true s))", "(<= terminal line2) (<= (goal p 2) line2)", None),
        ("(<= (pen a) (true s))", "(<= terminal open) (<= (goal p 2) open)", None),
        // A use that is misspelt everywhere may be a relation that is still to be defined.
        ("(<= open (true s))", "(<= terminal opne) (<= (goal p 2) opne) (<= (goal p 3) open)", None),
    ];
    for (definition, uses, wanted) in cases {
        let (_, found) = gdl::parse_as(SourceId(0), &format!("{game} {definition} {uses}"), Syntax::Prefix);
        let certain: Vec<&str> = found
            .iter()
            .filter_map(|finding| finding.fixes.first())
            .filter(|fix| fix.applies == Applies::Always)
            .map(|fix| fix.title.as_str())
            .collect();
        assert!(certain.iter().all(|title| Some(*title) == wanted), "{definition} {uses}: {certain:?}");
        assert_eq!(certain.is_empty(), wanted.is_none(), "{definition} {uses}");
        assert!(found.iter().all(|finding| !finding.is_error()), "{definition} {uses}: {found:?}");
    }
}

/// Reserved words of three and four letters that lack a letter, in bodies and in heads, have a fix; what occurs once is an error.
#[test]
fn short_reserved_words_without_a_letter() {
    let game =
        "(role p) (role q) (base s) (init s) (legal p go) (legal q go) (<= (next t) (does p go)) (<= (next s) (true s))
        (<= terminal (not (true s))) (goal p 1) (goal q 2)";
    for (right, wrong, code) in [
        ("(role q)", "(rol q)", "GDL649"),
        ("(next t)", "(nex t)", "GDL649"),
        ("(true s))\n", "(tru s))\n", "GDL649"),
        ("(does p go)", "(oes p go)", "GDL649"),
        ("(goal q", "(gol q", "GDL649"),
        ("(base s)", "(bas s)", "GDL649"),
        ("(does p go)", "(do p go)", "GDL624"),
        ("(not (true s))", "(no (true s))", "GDL604"),
    ] {
        let text = game.replacen(right, wrong, 1);
        let (_, found) = gdl::parse_as(SourceId(0), &text, Syntax::Prefix);
        let finding = found.iter().find(|finding| finding.code == code);
        assert!(text != game && finding.is_some(), "{wrong}: {found:?}");
        assert!(
            finding.is_some_and(|finding| finding.help.is_some() && !finding.fixes.is_empty()),
            "{wrong}: {found:?}"
        );
        // The severity is that of the code, and does not depend on what else is found.
        let is_error = |code: &str| ["GDL649", "GDL604"].contains(&code);
        let other = ["GDL624", "GDL625"];
        let known = found.iter().filter(|finding| finding.code == code || other.contains(&finding.code));
        assert!(known.clone().all(|finding| finding.is_error() == is_error(finding.code)), "{wrong}: {found:?}");
    }
    // A relation of its own: it occurs several times.
    let own = format!("{game} (int 1) (int 2)");
    let (_, found) = gdl::parse_as(SourceId(0), &own, Syntax::Prefix);
    let certain = found.iter().filter_map(|finding| finding.fixes.first()).any(|fix| fix.applies == Applies::Always);
    assert!(!certain && found.iter().all(|finding| finding.code != "GDL649"), "{found:?}");
}

/// A role that no rule for `goal` is about is reported, but not if a variable may stand for it, nor chance.
#[test]
fn roles_without_goals() {
    let game = "(role p) (role q) (role random) (init s) (<= (legal ?r go) (role ?r)) (<= terminal (true s))";
    for (goals, wanted) in [
        ("(goal p 100)", Some("no rule for `goal` is about the role `q`, so it always scores 0")),
        ("(goal p 100) (goal q 0)", None),
        ("(<= (goal ?r 100) (role ?r))", None),
        ("(goal p 100) (<= (goal ?r 100) (role ?r) (distinct ?r p))", None),
    ] {
        let (_, found) = gdl::parse_as(SourceId(0), &format!("{game} {goals}"), Syntax::Prefix);
        let about: Vec<&str> =
            found.iter().filter(|finding| finding.code == "GDL650").map(|finding| finding.message.as_str()).collect();
        assert_eq!(about, wanted.into_iter().collect::<Vec<_>>(), "{goals}");
        assert!(found.iter().all(|finding| !finding.is_error()), "{goals}: {found:?}");
    }
}

#[test]
fn a_text_that_looks_like_another_syntax() {
    let texts = [
        (Syntax::Prolog, "(role p)\n(init s)"),
        (Syntax::Prefix, "role(p).\nlegal(p, go) :- true(s), \\+ true(t)."),
        (Syntax::Infix, "role(p).\nlegal(p, go) :- true(s), \\+ true(t)."),
        (Syntax::Prolog, "role(p) legal(p, go) :- true(s) & ~true(t) !"),
        // Both might be meant.
        (Syntax::Prolog, "role(p). !"),
    ];
    let shown = texts.map(|(syntax, text)| {
        let (_, found) = gdl::parse_as(SourceId(0), text, syntax);
        let notes = found.iter().flat_map(|finding| &finding.notes).cloned().collect::<Vec<_>>().join("\n");
        format!("{syntax:?}: {text}\n\n{}\n{notes}", found.first().map_or("", |first| &first.message))
    });
    snapshot("syntaxes", &shown.join("\n----\n"));
}

#[test]
fn prolog() {
    let cases = [
        "q(X) :- r(X), .\nr(a).",
        "q :- \\+ .",
        "q(X) :- X, r(X).",
        "q :- (r, s ; ).",
        "/* q",
        "q :- r, s\nt.",
        "q(X) :- r(X), s(?y).",
    ];
    let game = "role(p). base(s). input(p, go). init(s). legal(p, go). next(t) :- true(s), \\+ true(t). terminal :- true(t). goal(p, 100).";
    messages("prolog", &cases, |case| format!("{game}\n{case}"));
}

#[test]
fn infix() {
    let cases = [
        "p(a) :- q(b),",
        "p(a) :- q(b) :- r",
        "X :- p\n~q\n& r",
        "X(a)\np(Y(b))",
        "p :- X",
        "p :- (q | r",
        "p(a, )\np()\nq(",
        "p(a) :- distinct(a)\nq :- not(p)",
        "p := q",
        "p(X) :- q(?x) & 'a b'",
        "cell(aB) :- q & true(ab)",
        "q(X, Y) :- ~r(f(X), Y) & (s(X) | t(Y))",
        "p((a))",
        "p(a) :- q(b) & ~\nq(b) :- r & s",
        "p(a) :- q(b) &",
    ];
    let game = "role(p) base(s) input(p, go) init(s) legal(p, go) next(t) :- true(s) terminal :- true(t) goal(p, 100)";
    messages("infix", &cases, |case| format!("{case}\n{game}"));
}

#[test]
fn fluents_and_moves_that_there_are_not() {
    let cases = [
        "(<= (goal p 5) (true (stop 1)) (not (true (stop 1))))",
        "(init (stop 1)) (<= (goal p 5) (not (true (stpo 1))) (true (stpo 2)) (true stop))",
        "(<= (next q) (or (does p goo) (not (does p (go 1)))))",
        "(legal p stay) (<= (next q) (does p stya))",
        "(init (stop 1)) (<= (next (stpo ?n)) (true (stop ?n))) (<= (goal p 5) (not (true (stop 1))))",
        "(base (stop 1)) (input p wait) (<= (goal p 5) (true (stop 1)) (does p wait))",
        "(<= (next ?f) (true ?f) (distinct ?f s)) (init unread)",
    ];
    messages("terms", &cases, with);
}

#[test]
fn fluents_and_moves_that_may_be_anything() {
    for made in
        ["(<= (next ?f) (may ?f)) (may x)", "(<= (init ?f) (may ?f)) (may x)", "(<= (base ?f) (may ?f)) (may x)"]
    {
        let codes = codes(&with(&format!("{made} (<= (goal p 5) (true (stop 1)))")));
        assert!(!codes.contains(&gdl::codes::U4_FLUENT), "{codes:?}");
    }
    let codes = codes(&with("(<= (legal ?p ?m) (may ?p ?m)) (may p x) (<= (next s) (does p (stop 1)))"));
    assert!(!codes.contains(&gdl::codes::U5_MOVE), "{codes:?}");
    // What holds already is nothing new.
    let frame =
        "(<= (next ?f) (true ?f)) (<= (legal ?p ?m) (input ?p ?m)) (<= (goal p 5) (true (stop 1)) (does p run))";
    assert!(common::codes(&with(frame)).contains(&gdl::codes::U4_FLUENT));
}

#[test]
fn a_rule_that_cannot_be_read_hides_nothing_in_others() {
    let game = "(role a)\n(init (p 1))\n(legal a go)\n(goal a 100)\n(<= (next (p 2)) (true (p 1)))\n(<= terminal (true (p 2)))\n";
    let errors = |more: &str| -> Vec<&str> {
        let found = gdl::parse(SourceId(0), &format!("{game}{more}")).1;
        found.iter().filter(|found| found.is_error()).map(|found| found.code).collect()
    };
    assert_eq!(errors(""), Vec::<&str>::new());
    // A rule without its head, and others with mistakes of their own.
    let wrong = "(<= )\n(q 3)\n(<= (next (r ?x)) (q 3))\n(<= (q 2) (q 1 2))\n";
    assert_eq!(errors(wrong), ["GDL602", "GDL641", "GDL621"]);
    // Nothing follows from what could not be read.
    assert_eq!(errors("(<= (q ?x) (not))\n"), errors("(<= (q ?x) (not))\n(<= (r 1) (q 2))\n"));
}
