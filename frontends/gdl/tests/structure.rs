//! What is proven about the state, on small descriptions.
#![allow(clippy::unwrap_used, clippy::panic)] // a test stops at the first surprise

/// The lines about what was recovered from rules for one player `a` who adds marks `(m k v)` by moves `(put k v)`.
fn structure(rules: &str) -> Vec<String> {
    let text = format!(
        "(role a) (key 1) (key 2) (key 3) (value x) (value y)
         (init (m 1 x)) (init (on a))
         (<= (legal a (put ?k ?v)) (key ?k) (value ?v) (true (on a)))
         (<= (next (on a)) (true (on a)))
         {rules}
         (<= terminal (true (m 1 y))) (goal a 100)"
    );
    let (description, findings) = gdl::parse(rg_ir::SourceId(0), &text);
    let description = description.unwrap_or_else(|| panic!("{findings:?}"));
    let lowered = gdl::translate(&description, gdl::Limits::default()).unwrap();
    lowered.structure.into_iter().map(|(subject, text)| format!("{subject}: {text}")).collect()
}

fn line(rules: &str) -> String {
    let lines = structure(rules);
    lines.iter().find(|line| line.starts_with("m:")).cloned().unwrap_or_else(|| panic!("{lines:?}"))
}

#[test]
fn overwritten_values_exclude_each_other() {
    let rules = "(<= (next (m ?k ?v)) (does a (put ?k ?v)))
        (<= (next (m ?k ?v)) (true (m ?k ?v)) (does a (put ?i ?w)) (distinct ?i ?k))";
    assert_eq!(line(rules), "m: at most one value of 2 for each of 3 keys");
}

#[test]
fn values_that_stay_do_not_exclude_each_other() {
    let rules = "(<= (next (m ?k ?v)) (does a (put ?k ?v)))
        (<= (next (m ?k ?v)) (true (m ?k ?v)))";
    assert_eq!(line(rules), "m: true or false for each of 6 keys");
}

#[test]
fn a_proof_may_need_legality() {
    // Only empty keys are marked, but nothing in `next` says so.
    let rules = "(<= (next (m ?k ?v)) (does a (put ?k ?v)) (not (taken ?k)))
        (<= (next (m ?k ?v)) (true (m ?k ?v)))
        (<= (taken ?k) (true (m ?k ?v)))";
    assert_eq!(line(rules), "m: at most one value of 2 for each of 3 keys");
}

#[test]
fn a_value_that_always_has_a_successor_is_one_variable() {
    let rules = "(<= (next (m ?k ?v)) (does a (put ?k ?v)))
        (init (step 1)) (<= (next (step ?n)) (true (step ?m)) (after ?m ?n))
        (after 1 2) (after 2 3) (after 3 1)";
    let lines = structure(rules);
    assert!(lines.contains(&"step: exactly one value of 3 for each of 1 keys".to_owned()), "{lines:?}");
}

#[test]
fn what_is_not_lifted_says_why() {
    // A relation that is recursive and depends on what is done.
    let rules = "(<= (next (m ?k ?v)) (does a (put ?k ?v)) (not (told ?k)))
        (<= (told ?k) (does a (put ?k y))) (<= (told ?k) (after ?j ?k) (told ?j)) (after 1 2) (after 2 3)";
    let lines = structure(rules);
    assert!(lines.iter().any(|line| line.starts_with("not lifted: ")), "{lines:?}");
}

/// What slides keeps its value. The relation that says where it comes to depends on itself, so that its rules are not looked into; but
/// all of them ask for the value at first.
#[test]
fn what_a_recursive_relation_asks_for() {
    let rules =
        "(init (m 2 y)) (init (m 3 x)) (after 1 2) (after 2 3) (after 3 1) (<= (legal a (go ?c ?e)) (slide ?c ?e ?v))
        (<= (slide ?c ?d ?v) (true (m ?c ?v)) (after ?c ?d))
        (<= (slide ?c ?e ?v) (slide ?c ?d ?v) (not (taken ?d)) (after ?d ?e))
        (<= (taken ?k) (true (m ?k ?v)))
        (<= (next (m ?e ?v)) (does a (go ?c ?e)) (slide ?c ?e ?v))
        (<= (next (m ?k ?v)) (true (m ?k ?v)) (does a (go ?c ?e)) (distinct ?c ?k) (distinct ?e ?k))";
    assert_eq!(line(rules), "m: at most one value of 2 for each of 3 keys");
    // A step that paints: the value comes from somewhere else.
    let painted = rules.replace(
        "(<= (slide ?c ?e ?v) (slide ?c ?d ?v)",
        "(<= (slide ?c ?e ?w) (slide ?c ?d ?v) (value ?v) (value ?w)",
    );
    assert_eq!(line(&painted), "m: true or false for each of 6 keys");
}

/// A state with three that may follow it: the last one does if neither of the others does.
#[test]
fn a_value_that_is_followed_by_one_of_three() {
    let rules = "(<= (next (m ?k ?v)) (does a (put ?k ?v))) (init (step 1))
        (<= (leads 2) (does a (put 1 ?v))) (<= (leads 3) (does a (put 2 ?v)))
        (<= (next (step 2)) (true (step 1)) (leads 2))
        (<= (next (step 3)) (true (step 1)) (not (leads 2)) (leads 3))
        (<= (next (step 1)) (true (step 1)) (not (leads 2)) (not (leads 3)))
        (<= (next (step 1)) (true (step 2))) (<= (next (step 1)) (true (step 3)))";
    let lines = structure(rules);
    assert!(lines.contains(&"step: exactly one value of 3 for each of 1 keys".to_owned()), "{lines:?}");
    // One that nothing may follow.
    let lines =
        structure(&rules.replace("(not (leads 2)) (not (leads 3))", "(not (leads 2)) (not (leads 3)) (true (m 1 x))"));
    assert!(lines.contains(&"step: at most one value of 3 for each of 1 keys".to_owned()), "{lines:?}");
}

/// Who takes the last of a row moves again: one of two rules says who is next, as a condition holds or not.
#[test]
fn turns_that_depend_on_the_move() {
    let text = "(role a) (role b) (key 1) (key 2) (key 3) (init (turn a))
        (<= (legal ?r (take ?k)) (true (turn ?r)) (key ?k) (not (true (gone ?k))))
        (<= (legal ?r wait) (role ?r) (true (turn ?s)) (distinct ?r ?s))
        (<= (again ?r) (does ?r (take 3)))
        (<= (next (turn ?r)) (true (turn ?r)) (again ?r))
        (<= (next (turn ?s)) (true (turn ?r)) (role ?s) (distinct ?s ?r) (not (again ?r)))
        (<= (next (gone ?k)) (does ?r (take ?k)))
        (<= (next (gone ?k)) (true (gone ?k)))
        (<= terminal (true (gone 1)) (true (gone 2))) (goal a 100) (goal b 0)";
    let (description, findings) = gdl::parse(rg_ir::SourceId(0), text);
    let description = description.unwrap_or_else(|| panic!("{findings:?}"));
    let lowered = gdl::translate(&description, gdl::Limits::default()).unwrap();
    let turn = lowered.structure.iter().find(|(subject, _)| subject == "turn");
    assert_eq!(turn.map(|(_, text)| text.as_str()), Some("exactly one value of 2 for each of 1 keys"));
    assert!(lowered.vocabulary.turn_based);
}

/// Moves are legal by a helper that other rules look at, too, so that it stays an atom of its own: what it needs, they need.
#[test]
fn turns_by_way_of_a_helper() {
    let text = "(role a) (role b) (init (count 0)) (init (control a))
        (up 0 1) (up 1 2) (up 2 3) (up 3 4) (up 4 5) (up 5 6) (up 6 7)
        (<= (legal ?p ?m) (may ?p ?m))
        (<= (may ?p (add 1)) (true (control ?p)))
        (<= (may ?p (add 2)) (true (control ?p)) (not (true (count 6))))
        (<= (legal ?p noop) (role ?p) (not (true (control ?p))))
        (<= (next (count ?n)) (true (count ?m)) (up ?m ?n) (does ?p (add 1)))
        (<= (next (count ?n)) (true (count ?m)) (up ?m ?k) (up ?k ?n) (does ?p (add 2)))
        (<= (next (control a)) (true (control b))) (<= (next (control b)) (true (control a)))
        (<= open (may ?p (add 2))) (<= terminal (not open))
        (<= (goal ?p 0) (true (control ?p))) (<= (goal ?p 100) (role ?p) (not (true (control ?p))))";
    let (description, findings) = gdl::parse(rg_ir::SourceId(0), text);
    let description = description.unwrap_or_else(|| panic!("{findings:?}"));
    let ground = gdl::translate_ground(&description, gdl::Limits::default()).unwrap();
    assert!(ground.vocabulary.turn_based);
    // The same without the condition on turns: both may add.
    let both = text.replace("(<= (may ?p (add 1)) (true (control ?p)))", "(<= (may ?p (add 1)) (role ?p))");
    let (description, findings) = gdl::parse(rg_ir::SourceId(0), &both);
    let description = description.unwrap_or_else(|| panic!("{findings:?}"));
    let ground = gdl::translate_ground(&description, gdl::Limits::default()).unwrap();
    assert!(!ground.vocabulary.turn_based);
}

/// A rule that puts the value `v0` on a key whatever it has: `v0` is apart, the other values exclude each other.
#[test]
fn a_value_that_does_not_exclude_others_is_apart() {
    let list = |name: &str, count: u32| (0..count).map(|n| format!("({name} {}{n})", &name[..1])).collect::<String>();
    let text = format!(
        "(role a) {} {} (init (m k1 v1)) (init (m k2 v2))
         (<= (legal a (put ?k ?v)) (key ?k) (value ?v) (distinct ?v v0))
         (<= (legal a (add ?k)) (key ?k))
         (<= (next (m ?k ?v)) (does a (put ?k ?v)))
         (<= (next (m ?k v0)) (does a (add ?k)))
         (<= (next (m ?k ?v)) (true (m ?k ?v)) (does a (put ?i ?w)) (distinct ?i ?k))
         (<= (next (m ?k ?v)) (true (m ?k ?v)) (does a (add ?i)))
         (<= terminal (true (m k1 v1)) (true (m k1 v0))) (goal a 100)",
        list("key", 40),
        list("value", 30)
    );
    let (description, findings) = gdl::parse(rg_ir::SourceId(0), &text);
    let description = description.unwrap_or_else(|| panic!("{findings:?}"));
    let lowered = gdl::translate(&description, gdl::Limits::default()).unwrap();
    let lines: Vec<String> =
        lowered.structure.into_iter().map(|(subject, text)| format!("{subject}: {text}")).collect();
    let own: Vec<&str> = lines.iter().map(String::as_str).filter(|line| line.starts_with("m")).collect();
    assert_eq!(own, ["m: at most one value of 29 for each of 40 keys", "m v0: true or false for each of 40 keys"]);
    assert_eq!(lowered.vocabulary.fluents.iter().filter(|fluent| fluent.term == "(m k7 v0)").count(), 1);
}
