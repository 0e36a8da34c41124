use super::*;

const PREFIX: &str = "\
; The players.
(role xplayer)
(role Oplayer)
(init (cell 1 blank))
; A line.
(<= (line ?x) (true (cell 1 ?x)) (not (true (cell 2 ?X))) (distinct ?x blank))
(<= (line ?y) (or (mark ?y) (LINE ?y)))
(<= (legal ?w (mark 1)) (role ?w))
(<= (goal xplayer 100) (line x))
(<= terminal
";

#[test]
fn everything_with_a_name_is_found() {
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path("../../../../snapshots/gdl");
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!("index", index(SourceId(0), PREFIX).show(PREFIX)));
}

#[test]
fn both_syntaxes_have_the_same_names() {
    let names = |text: &str| {
        let index = index(SourceId(0), text);
        let mut names: Vec<(String, EntityKind, usize)> = index
            .entities()
            .iter()
            .map(|(id, entity)| {
                (entity.name.trim_start_matches('?').to_lowercase(), entity.kind, index.uses_of(id).count())
            })
            .collect();
        names.sort();
        names
    };
    let prefix = "(role x)\n(init (f a))\n(<= (r ?x) (true (f ?x)) (distinct ?x a))";
    let infix = "role(x)\ninit(f(a))\nr(X) :- true(f(X)) & distinct(X, a)";
    assert_eq!(names(prefix), names(infix));
}

#[test]
fn variables_are_of_one_rule() {
    let text = "(<= (a ?x) (b ?x))\n(<= (b ?x) (a ?x))";
    let index = index(SourceId(0), text);
    let scopes: Vec<&str> =
        index.entities().values().filter(|e| e.kind == EntityKind::Parameter).map(|e| &text[e.scope.range()]).collect();
    assert_eq!(scopes, ["(<= (a ?x) (b ?x))", "(<= (b ?x) (a ?x))"]);
}
