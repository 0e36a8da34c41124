//! Lowered games in lock step with a direct interpreter, on sheets of our own that use every construct.

#![allow(clippy::expect_used, clippy::panic)] // a test stops at the first surprise

mod common;

use common::naive::Naive;
use common::play::Player;
use std::collections::BTreeSet;

/// Plays `plays` plays of at most `steps` steps with both, and compares states, legal moves, ends and goals.
fn lock_step(name: &str, text: &str, plays: usize, steps: usize) {
    let (description, findings) = gdl::read(rg_ir::SourceId(0), text);
    let description = description.unwrap_or_else(|| panic!("{name}: {findings:?}"));
    let program = gdl::normal::normalize(&description).unwrap_or_else(|error| panic!("{name}: {error:?}"));
    let mut naive = Naive::new(program);
    let lowered = gdl::translate(&description, gdl::Limits::default()).unwrap_or_else(|e| panic!("{name}: {e:?}"));
    let errors = rg_ir::check(&lowered.game);
    assert!(!rg_ir::diag::has_errors(&errors), "{name}: {errors:?}");
    let player = Player::new(lowered).unwrap_or_else(|error| panic!("{name}: {error}"));
    for play in 0..plays {
        let mut state = naive.initial();
        let mut ours = player.reasoner.initial().unwrap_or_else(|error| panic!("{name}: {error}"));
        for step in 0..steps {
            let place = format!("{name}, play {play}, step {step}");
            let view = naive.view(&state, &[]);
            let mut texts: Vec<String> = state.iter().map(|&fluent| naive.text(fluent)).collect();
            texts.sort();
            assert_eq!(player.text(&ours), texts.join("\n"), "{place}: states");
            assert_eq!(player.reasoner.is_terminal(&ours), view.terminal(), "{place}: terminal");
            let roles = naive.program.roles.clone();
            if view.terminal() {
                let goals: Vec<String> = roles.iter().map(|&role| naive.text(view.goal(role)[0])).collect();
                assert_eq!(player.goals(&ours), goals, "{place}: goals");
                break;
            }
            let legal: Vec<Vec<String>> = roles
                .iter()
                .map(|&role| {
                    let mut list: Vec<String> = view.legal(role).iter().map(|&action| naive.text(action)).collect();
                    list.sort();
                    list
                })
                .collect();
            let chosen: Vec<usize> =
                legal.iter().enumerate().map(|(role, list)| (7 * step + 3 * role + 5 * play) % list.len()).collect();
            let made = player.step(&mut ours, |role, _| chosen[role]).unwrap_or_else(|e| panic!("{place}: {e}"));
            assert_eq!(made, legal, "{place}: legal moves");
            let moves = roles
                .iter()
                .zip(legal.iter().zip(&chosen))
                .map(|(&role, (list, &choice))| {
                    let is_chosen = |action: &gdl::normal::TermId| naive.text(*action) == list[choice];
                    view.legal(role).into_iter().find(is_chosen).expect("a legal move")
                })
                .collect::<Vec<_>>();
            state = naive.view(&state, &moves).next().into_iter().collect::<BTreeSet<_>>();
        }
    }
}

#[test]
fn taking_turns() {
    lock_step(
        "a race to seven",
        "(role ann) (role bob) (init (count 0)) (init (control ann))
         (up 0 1) (up 1 2) (up 2 3) (up 3 4) (up 4 5) (up 5 6) (up 6 7)
         (<= (legal ?p (add 1)) (true (control ?p)))
         (<= (legal ?p (add 2)) (true (control ?p)) (not (true (count 6))))
         (<= (legal ?p noop) (role ?p) (not (true (control ?p))))
         (<= (next (count ?n)) (true (count ?m)) (up ?m ?n) (does ?p (add 1)))
         (<= (next (count ?n)) (true (count ?m)) (up ?m ?k) (up ?k ?n) (does ?p (add 2)))
         (<= (next (control ann)) (true (control bob))) (<= (next (control bob)) (true (control ann)))
         (<= terminal (true (count 7)))
         (<= (goal ?p 0) (true (control ?p))) (<= (goal ?p 100) (role ?p) (not (true (control ?p))))",
        6,
        10,
    );
}

#[test]
fn simultaneous_moves_disjunctions_and_local_stratification() {
    lock_step(
        "guess",
        "(role a) (role b) (init (round 1)) (next_round 1 2) (next_round 2 3) (pick 1) (pick 2) (pick 3)
         (<= (legal ?p (say ?n)) (role ?p) (pick ?n) (or (true (round 1)) (distinct ?n 2)))
         (<= (next (round ?n)) (true (round ?m)) (next_round ?m ?n))
         (<= (next (said ?p ?n)) (does ?p (say ?n)))
         (<= (next (won ?p)) (or (true (won ?p)) (beats ?p)))
         (<= (beats ?p) (does ?p (say ?n)) (does ?q (say ?m)) (distinct ?p ?q) (not (does ?q (say ?n))) (over ?n ?m))
         (over 3 2) (over 2 1) (over 1 3)
         (<= terminal (true (round 3)))
         (<= (goal ?p 100) (true (won ?p)))
         (<= (goal ?p 0) (role ?p) (not (goal ?p 100)))",
        9,
        4,
    );
}

#[test]
fn positive_cycles_and_frames() {
    lock_step(
        "paths on a ring",
        "(role walker) (cell 1) (cell 2) (cell 3) (cell 4)
         (near 1 2) (near 2 3) (near 3 4) (near 4 1) (near 2 1) (near 3 2) (near 4 3) (near 1 4)
         (init (open 1)) (init (open 2)) (init (open 4)) (init (steps 0)) (after 0 1) (after 1 2) (after 2 3) (after 3 4)
         (<= (linked ?x ?y) (true (open ?x)) (true (open ?y)) (near ?x ?y))
         (<= (linked ?x ?z) (linked ?x ?y) (linked ?y ?z))
         (<= (legal walker (flip ?x)) (cell ?x) (linked 1 ?x))
         (<= (legal walker (flip 1)))
         (<= (legal walker (flip ?x)) (cell ?x) (not (true (open ?x))))
         (<= (next (open ?x)) (true (open ?x)) (does walker (flip ?y)) (distinct ?x ?y))
         (<= (next (open ?x)) (does walker (flip ?x)) (not (true (open ?x))))
         (<= (next (steps ?n)) (true (steps ?m)) (after ?m ?n))
         (<= terminal (true (steps 4)))
         (<= (goal walker 100) (linked 1 3))
         (<= (goal walker 40) (not (linked 1 3)))",
        12,
        6,
    );
}

#[test]
fn terms_in_terms_and_bare_fluents() {
    lock_step(
        "a stack",
        "(role r) (init (stack nil)) (init fresh) (symbol x) (symbol y)
         (<= (legal r (push ?s)) (symbol ?s) (true fresh))
         (<= (legal r pop) (true (stack (cons ?h ?t))))
         (<= (legal r stop))
         (<= (next (stack (cons ?s nil))) (does r (push ?s)) (true (stack nil)))
         (<= (next (stack (cons ?s (cons ?h nil)))) (does r (push ?s)) (true (stack (cons ?h nil))))
         (<= (next (stack ?t)) (does r pop) (true (stack (cons ?h ?t))))
         (<= (next fresh) (true (stack nil)))
         (<= (next (stack ?s)) (does r stop) (true (stack ?s)))
         (<= (next done) (does r stop))
         (<= terminal (true done))
         (<= (goal r 100) (true (stack nil))) (<= (goal r 30) (not (true (stack nil))))",
        8,
        8,
    );
}

#[test]
fn chance_and_percepts() {
    lock_step(
        "a coin",
        "(role random) (role p) (side head) (side tail) (init (stage throw))
         (<= (legal random (toss ?s)) (side ?s) (true (stage throw)))
         (<= (legal random wait) (true (stage call)))
         (<= (legal p wait) (true (stage throw)))
         (<= (legal p (call ?s)) (side ?s) (true (stage call)))
         (<= (next (coin ?s)) (does random (toss ?s)))
         (<= (next (coin ?s)) (true (coin ?s)))
         (<= (next (called ?s)) (does p (call ?s)))
         (<= (next (stage call)) (true (stage throw)))
         (<= (next (stage end)) (true (stage call)))
         (<= (sees p thrown) (does random (toss ?s)))
         (<= terminal (true (stage end)))
         (<= (goal ?r 100) (role ?r) (true (coin ?s)) (true (called ?s)))
         (<= (goal ?r 0) (role ?r) (true (coin ?s)) (not (true (called ?s))))",
        6,
        4,
    );
}

/// The state after joint moves, which are given per step and role by their KIF strings; the game must be lifted.
fn lifted_state_after(text: &str, steps: &[&[&str]]) -> String {
    let (description, findings) = gdl::read(rg_ir::SourceId(0), text);
    let description = description.unwrap_or_else(|| panic!("{findings:?}"));
    let program = gdl::normal::normalize(&description).unwrap_or_else(|error| panic!("{error:?}"));
    let lifted = gdl::lift(&program).unwrap_or_else(|reason| panic!("not lifted: {}", reason.0));
    let player = Player::new(lifted).unwrap_or_else(|error| panic!("{error}"));
    let mut state = player.reasoner.initial().unwrap_or_else(|error| panic!("{error}"));
    for moves in steps {
        let legal = player.step(&mut state.clone(), |_, _| 0).unwrap_or_else(|error| panic!("{error}"));
        let index = |role: usize| legal[role].iter().position(|text| text == moves[role]).expect("a legal move");
        player.step(&mut state, |role, _| index(role)).unwrap_or_else(|error| panic!("{error}"));
    }
    player.text(&state)
}

/// Each cook strikes a dish off the menu of the other one. What is left of a menu depends on the move of one cook only,
/// which a static relation tells; that both have named the same dish must not matter, nor that they have not.
#[test]
fn what_stays_depends_on_a_role_that_a_static_relation_tells() {
    let text = "(role cora) (role dave) (dish soup) (dish stew) (dish pie) (reads cora blue) (reads dave red)
        (<= (init (on ?m ?d)) (reads ?r ?m) (dish ?d)) (init (round 1)) (after 1 2) (after 2 3)
        (<= (legal ?r (strike ?d)) (reads ?r ?m) (true (on ?m ?d)))
        (<= (next (on ?m ?d)) (true (on ?m ?d)) (does ?r (strike ?e)) (distinct ?e ?d) (reads ?r ?m))
        (<= (next (round ?n)) (true (round ?m)) (after ?m ?n))
        (<= terminal (true (round 3)))
        (<= (goal ?r 70) (role ?r))";
    let once = lifted_state_after(text, &[&["(strike soup)", "(strike pie)"]]);
    assert_eq!(once, "(on blue pie)\n(on blue stew)\n(on red soup)\n(on red stew)\n(round 2)");
    let twice = lifted_state_after(text, &[&["(strike soup)", "(strike soup)"], &["(strike pie)", "(strike stew)"]]);
    assert_eq!(twice, "(on blue stew)\n(on red pie)\n(round 3)");
    lock_step("menus", text, 9, 3);
}

/// Both point at a tree, and the one who has the saw fells it: what stays is tied to its role by a fluent.
#[test]
fn what_stays_depends_on_a_role_that_a_fluent_tells() {
    let text = "(role ida) (role jon) (tree oak) (tree elm) (tree yew) (tree ash)
        (<= (init (stands ?t)) (tree ?t)) (init (saw ida)) (passes ida jon) (passes jon ida)
        (<= (legal ?r (point ?t)) (role ?r) (true (stands ?t)))
        (<= (next (stands ?t)) (true (saw ?r)) (true (stands ?t)) (does ?r (point ?u)) (distinct ?t ?u))
        (<= (next (saw ?q)) (true (saw ?r)) (passes ?r ?q))
        (<= any (true (stands ?t))) (<= terminal (not any))
        (<= (goal ?r 100) (true (saw ?r))) (<= (goal ?r 0) (role ?r) (not (true (saw ?r))))";
    let twice = lifted_state_after(text, &[&["(point elm)", "(point yew)"], &["(point oak)", "(point ash)"]]);
    assert_eq!(twice, "(saw ida)\n(stands oak)\n(stands yew)");
    lock_step("trees", text, 9, 5);
}

/// Limits end grounding with the finding of check T2.
#[test]
fn limits_are_findings() {
    let text =
        "(role r) (num 1) (<= (num (s ?x)) (num ?x)) (init a) (<= (legal r (go ?x)) (num ?x)) (<= (next a) (true a))
                (<= terminal (not (true a))) (goal r 0)";
    let (description, _) = gdl::read(rg_ir::SourceId(0), text);
    let description = description.expect("no error of syntax");
    let error = gdl::translate(&description, gdl::Limits::default()).expect_err("numbers without end");
    assert_eq!(error.code, gdl::codes::T2_GROUNDING);
    assert!(error.primary.is_some_and(|primary| primary.text.contains("num")));
}

/// A rule of very many conditions is refused; joins recurse on them.
#[test]
fn long_rules_are_findings() {
    let mut text = String::from("(role r) (init a) (legal r go) (goal r 0) (<= (next a) (true a)) (<= terminal");
    (0..5000).for_each(|n| text += &format!(" (true (a ?x{n}))"));
    text += ")";
    let (description, _) = gdl::read(rg_ir::SourceId(0), &text);
    let description = description.expect("no error of syntax");
    let error = gdl::translate(&description, gdl::Limits::default()).expect_err("too long");
    assert_eq!(error.code, gdl::codes::T2_GROUNDING);
}

/// What `rgc stats` shows of a description: subjects and what is known about them.
fn structure(text: &str) -> Vec<(String, String)> {
    let (description, findings) = gdl::read(rg_ir::SourceId(0), text);
    let description = description.unwrap_or_else(|| panic!("{findings:?}"));
    gdl::translate(&description, gdl::Limits::default()).unwrap_or_else(|e| panic!("{e:?}")).structure
}

/// A role may have one move that is not always legal; that is tested, and does not make it a role with a choice.
#[test]
fn waiting_that_is_not_always_legal() {
    let text = "(role ann) (role bob) (init (control ann)) (init (free 1)) (init (free 2)) (init (free 3))
        (<= (legal ?p (take ?n)) (true (control ?p)) (true (free ?n)))
        (<= (legal ann wait) (true (control bob)) (true (free ?n)))
        (<= (legal bob wait) (true (control ann)) (true (free ?n)))
        (<= (next (control ann)) (true (control bob))) (<= (next (control bob)) (true (control ann)))
        (<= (next (free ?n)) (true (free ?n)) (does ?p (take ?m)) (distinct ?n ?m))
        (<= some (true (free ?n))) (<= terminal (not some))
        (<= (goal ?p 100) (true (control ?p))) (<= (goal ?p 0) (role ?p) (not (true (control ?p))))";
    lock_step("the last one", text, 6, 5);
    let structure = structure(text);
    assert!(structure.contains(&("turns".to_owned(), "by `control`".to_owned())), "{structure:?}");
}

/// A relation that counts in two arguments and hands two others through has one atom per count, not one per pair of
/// counts.
#[test]
fn counting_recursion_is_turned_round() {
    let cells: String =
        (1..=12).map(|n| format!("(cell {n}) (after {n} {}) (num {n}) (up {} {n}) ", n + 1, n - 1)).collect();
    let text = format!(
        "(role p) (num 0) {cells} (init (on 3)) (init (off 5))
         (<= (legal p (mark ?k ?n)) (kind ?k) (cell ?n) (not (true (on ?n))) (not (true (off ?n)))) (kind on) (kind off)
         (<= (next (on ?n)) (true (on ?n))) (<= (next (off ?n)) (true (off ?n)))
         (<= (next (on ?n)) (does p (mark on ?n))) (<= (next (off ?n)) (does p (mark off ?n)))
         (<= (count 13 ?a ?b ?a ?b) (num ?a) (num ?b))
         (<= (count ?n ?a ?b ?x ?y) (true (on ?n)) (after ?n ?m) (up ?a ?c) (count ?m ?c ?b ?x ?y))
         (<= (count ?n ?a ?b ?x ?y) (true (off ?n)) (after ?n ?m) (up ?b ?c) (count ?m ?a ?c ?x ?y))
         (<= (count ?n ?a ?b ?x ?y) (cell ?n) (not (true (on ?n))) (not (true (off ?n))) (after ?n ?m) (num ?a) (num ?b)
             (count ?m ?a ?b ?x ?y))
         (<= terminal (count 1 0 0 3 ?y)) (<= terminal (count 1 0 0 ?x 3))
         (<= (goal p 100) (count 1 0 0 3 1)) (<= (goal p 0) (not (count 1 0 0 3 1)))"
    );
    let (description, findings) = gdl::read(rg_ir::SourceId(0), &text);
    let description = description.unwrap_or_else(|| panic!("{findings:?}"));
    let lowered = gdl::translate_ground(&description, gdl::Limits::default()).unwrap_or_else(|e| panic!("{e:?}"));
    let instances = lowered.summary.map_or(0, |summary| summary.instances);
    // Pairs of counts with pairs of counts are more than 10,000 per cell.
    assert!(instances < 10_000, "{instances} instances");
    let player = Player::new(lowered).unwrap_or_else(|error| panic!("{error}"));
    // Marks that end the play: the third of one kind. Three of `on` with one of `off` win.
    let mut state = player.reasoner.initial().unwrap_or_else(|error| panic!("{error}"));
    for (step, mark) in ["(mark on 1)", "(mark on 12)"].into_iter().enumerate() {
        assert!(!player.reasoner.is_terminal(&state), "step {step}");
        let mut copy = state.clone();
        let legal = player.step(&mut copy, |_, _| 0).unwrap_or_else(|error| panic!("{error}"));
        let index = legal[0].iter().position(|text| text == mark).expect("a legal move");
        player.step(&mut state, |_, _| index).unwrap_or_else(|error| panic!("{error}"));
    }
    assert!(player.reasoner.is_terminal(&state));
    assert_eq!(player.goals(&state), ["100"]);
}

/// A static relation of eight arguments would have a table of six million rows; it is asked with what is known instead.
#[test]
fn large_static_relations_have_no_table() {
    let text = "(role p) (v 1) (v 2) (v 3) (v 4) (v 5) (v 6) (v 7) (k a) (k b) (k c) (k d) (k e) (k f) (k g) (k h)
        (<= (init (at ?k 1)) (k ?k))
        (<= (legal p (set ?k ?v)) (k ?k) (v ?v))
        (<= (next (at ?k ?v)) (does p (set ?k ?v)))
        (<= (next (at ?k ?v)) (true (at ?k ?v)) (does p (set ?j ?w)) (distinct ?j ?k))
        (<= (first ?z ?a ?b ?c ?d ?e ?f ?g ?h) (same ?z ?a) (v ?b) (v ?c) (v ?d) (v ?e) (v ?f) (v ?g) (v ?h)
            (not (same ?z ?b)) (not (same ?z ?c)))
        (<= (same ?x ?x) (v ?x))
        (<= terminal (true (at a ?a)) (true (at b ?b)) (true (at c ?c)) (true (at d ?d)) (true (at e ?e)) (true (at f ?f))
            (true (at g ?g)) (true (at h ?h)) (first 7 ?b ?a ?c ?d ?e ?f ?g ?h))
        (goal p 100)";
    let lines = structure(text);
    assert!(lines.iter().any(|(subject, _)| subject == "lifted"), "{lines:?}");
    let (description, _) = gdl::read(rg_ir::SourceId(0), text);
    let lowered = gdl::translate(&description.expect("no error"), gdl::Limits::default()).expect("it translates");
    let player = Player::new(lowered).unwrap_or_else(|error| panic!("{error}"));
    let state = player.reasoner.initial().unwrap_or_else(|error| panic!("{error}"));
    // 56 moves, of which one ends the play: `b` becomes 7 while `a` and `c` are not.
    let perft: Vec<u64> = (1..=2).map(|depth| player.reasoner.perft(&state, depth).expect("a count")).collect();
    assert_eq!(perft, [56, 55 * 56]);
}

/// Walks that would enumerate triples of sixty-five numbers are more work than the few instances of a rule.
#[test]
fn the_cheaper_form_is_taken() {
    let numbers: String = (1..=65).map(|n| format!("(n {n}) ")).collect();
    let rows: String = (0..65).map(|n| format!("(row {} {} {}) ", n + 1, n * 7 % 65 + 1, n * 11 % 65 + 1)).collect();
    let text = format!(
        "(role p) {numbers} {rows} (init (on 2)) (init (on 8)) (init (on 12))
         (<= (legal p (add ?n)) (n ?n) (not (true (on ?n))))
         (<= (legal p (take ?a ?b ?c)) (true (on ?a)) (true (on ?b)) (true (on ?c)) (row ?a ?b ?c))
         (<= (next (on ?n)) (true (on ?n)) (does p (add ?m))) (<= (next (on ?n)) (does p (add ?n)))
         (<= (next (on ?n)) (true (on ?n)) (does p (take ?a ?b ?c)) (distinct ?n ?a))
         (<= terminal (not some)) (<= some (true (on ?n))) (goal p 100)"
    );
    let lines = structure(&text);
    let reason = lines.iter().find(|(subject, _)| subject == "not lifted");
    assert!(reason.is_some_and(|(_, text)| text.contains("smaller ground program")), "{lines:?}");
    lock_step("rows", &text, 2, 3);
}

/// A walk on four islands, by bridges that are open: `extra` are more rules for the list of where one has been.
fn islands(extra: &str) -> String {
    format!(
        "(role a) (isle 1 i) (isle 2 j) (isle 3 k) (isle 4 l) (name i) (name j) (name k) (name l)
         (bridge 1 2) (bridge 2 3) (bridge 3 4) (bridge 2 4) (bridge 4 1) (bridge 3 2)
         (init (open 1 2)) (init (open 2 3)) (init (open 3 4)) (init (step 0)) (succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4)
         (<= (legal a (turn ?x ?y)) (bridge ?x ?y))
         (<= (next (open ?x ?y)) (does a (turn ?x ?y)) (not (true (open ?x ?y))))
         (<= (next (open ?x ?y)) (true (open ?x ?y)) (does a (turn ?u ?v)) (or (distinct ?x ?u) (distinct ?y ?v)))
         (<= (next (step ?n)) (true (step ?m)) (succ ?m ?n))
         (list nil)
         (<= (list (l ?a nil)) (name ?a))
         (<= (list (l ?a (l ?b nil))) (name ?a) (name ?b))
         {extra}
         (<= (add ?e nil (l ?e nil)) (name ?e))
         (<= (add ?e (l ?h ?t) (l ?h ?new)) (name ?h) (name ?e) (distinct ?e ?h) (list ?t) (add ?e ?t ?new) (list ?new))
         (<= (way ?x ?z ?seen) (isle ?x ?e) (add ?e ?seen ?more) (list ?more) (on ?x ?z ?more))
         (<= (on ?x ?z ?seen) (true (open ?x ?z)) (list ?seen))
         (<= (on ?x ?z ?seen) (true (open ?x ?y)) (way ?y ?z ?seen) (list ?seen))
         (<= terminal (true (step 4)))
         (<= (goal a 100) (way 1 4 nil))
         (<= (goal a 50) (way 2 1 nil) (not (way 1 4 nil)))
         (<= (goal a 0) (not (way 1 4 nil)) (not (way 2 1 nil)))"
    )
}

/// Which arguments the relation `way` of a description has left.
fn arity_of_way(text: &str) -> usize {
    let description = gdl::read(rg_ir::SourceId(0), text).0.expect("no errors");
    let mut program = gdl::normal::normalize(&description).expect("a normal form");
    gdl::forget(&mut program);
    program.relations.iter().find(|relation| &*relation.name == "way").expect("it is there").arity
}

/// The list of where one has been forbids nothing but circles: it is not needed.
#[test]
fn an_argument_that_only_remembers() {
    let text = islands(
        "(<= (list (l ?a (l ?b (l ?c nil)))) (name ?a) (name ?b) (name ?c))
         (<= (list (l ?a (l ?b (l ?c (l ?d nil))))) (name ?a) (name ?b) (name ?c) (name ?d))",
    );
    assert_eq!(arity_of_way(&text), 2);
}

/// Lists of two at most forbid longer ways: they stay.
#[test]
fn an_argument_that_counts() {
    let text = islands("");
    assert_eq!(arity_of_way(&text), 3);
}

/// Names that two islands share forbid more than circles.
#[test]
fn an_argument_that_remembers_less_than_all() {
    let text = islands(
        "(<= (list (l ?a (l ?b (l ?c nil)))) (name ?a) (name ?b) (name ?c))
         (<= (list (l ?a (l ?b (l ?c (l ?d nil))))) (name ?a) (name ?b) (name ?c) (name ?d))",
    )
    .replace("(isle 3 k)", "(isle 3 j)");
    assert_eq!(arity_of_way(&text), 3);
}
