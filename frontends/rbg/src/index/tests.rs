use super::*;
use rg_ir::index::Entity;

const GAME: &str = "\
// All players.
#players = white(100), black(50)
#pieces = e, my~P, wK, piece(x)
#variables = turn(9)
// A row.
#row(a) = [a, a]
#row(a; b) = [a, b]
#unused = up {wK}
#board = rectangle(up, down, left, right, row(e) row(wK; e))
#step(dir; to) = dir {to}
#any = up + left
#rook~ = wrong
#go = step(up; e) (any any) [wK] [$ turn = turn + 1]
#rules = ->white go step(any; e) ->black {! left {x}} ->> {unknown}
";

#[test]
fn everything_with_a_name_is_found() {
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path("../../../../snapshots/rbg");
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!("index", index(SourceId(0), GAME).show(GAME)));
}

/// What the cursor at `^` in a text is at.
fn at_mark(marked: &str) -> Vec<Entity> {
    let offset = marked.find('^').unwrap();
    let text = marked.replacen('^', "", 1);
    let index = index(SourceId(0), &text);
    let named = index.names_at(u32::try_from(offset).unwrap());
    named.iter().map(|used| index.entity(used.entity).unwrap().clone()).collect()
}

#[test]
fn pasted_names_have_the_place_of_their_parts() {
    let text = "#my(P) = my~P #pieces = my(a) my(b)\n#rules = {mya} {my(b)}";
    let index = index(SourceId(0), text);
    let mya = index.entities().iter().find(|(_, entity)| entity.name == "mya").unwrap().0;
    let uses: Vec<_> = index.uses_of(mya).map(|used| (&text[used.span.range()], used.role)).collect();
    assert_eq!(uses, [("my~P", Role::Pasted), ("mya", Role::Read)]);
}

#[test]
fn names_in_unused_macros_and_broken_rules_are_known() {
    let kinds = |text: &str| at_mark(text).iter().map(|entity| entity.kind).collect::<Vec<_>>();
    assert_eq!(kinds("#pieces = a\n#unused = {^a}"), [EntityKind::Piece]);
    assert_eq!(kinds("#pieces = a\n#rules = ) {^a"), [EntityKind::Piece]);
    assert_eq!(kinds("#m(x) = ^x\n#rules = m("), [EntityKind::Parameter]);
    assert_eq!(kinds("#m(x) = x\n#rules = ^m(a"), []);
    // Later macros are not known, and names hide nothing.
    assert_eq!(kinds("#a = ^b\n#b = c"), []);
}

#[test]
fn vertices_are_apart_from_other_names() {
    let board = "#pieces = e\n#board = v[e]{^up: w} w[e]{up: v}\n";
    assert_eq!(at_mark(board)[0].kind, EntityKind::Direction);
    let board = "#pieces = e\n#board = v[e]{up: ^w} w[e]{up: v}\n";
    assert_eq!(at_mark(board)[0].kind, EntityKind::Place);
}

#[test]
fn macros_are_known_in_later_directives_only() {
    let visible = |text: &str| {
        let index = index(SourceId(0), text);
        let names = index.visible(u32::try_from(text.len()).unwrap()).filter(|entity| entity.kind == EntityKind::Macro);
        names.map(|entity| entity.name.clone()).collect::<Vec<_>>()
    };
    assert_eq!(visible("#a = b\n#c = d\n  "), ["a"]);
    assert_eq!(visible("#a = b\n#c = d\n#"), ["a", "c"]);
}

#[test]
fn the_size_of_a_board_is_shown_if_it_has_one() {
    let size = |board: &str| {
        let text = format!("#pieces = e\n#row = [e, e]\n#board = {board}");
        let index = index(SourceId(0), &text);
        let shown = |hint: &rg_ir::index::Hint| {
            let before = &text[..hint.offset as usize];
            format!("{}|{}", before.rsplit([' ', '#']).next().unwrap(), hint.text)
        };
        index.hints().iter().map(shown).collect::<Vec<_>>().join("; ")
    };
    assert_eq!(size("rectangle(a, b, c, d, [e, e, e] [e, e, e])"), "e])| 3×2");
    assert_eq!(size("rectangle(a, b, c, d, [e, , e] [, , e])"), "e])| 3×2, 3 vertices");
    assert_eq!(size("rectangle(a, b, c, d, row row row)"), "row)| 2×3");
    assert_eq!(size("hexagon(a, b, c, d, f, g, [e, e] [e, e, e] [e, e])"), "e])| 7 vertices");
    assert_eq!(size("cuboid(a, b, c, d, f, g, [[e, e, e] [e, e, e]] [[e, e, e] [e, e, e]])"), "e]])| 3×2×2");
    assert_eq!(size(&"v[e]{} ".repeat(9)), "board| 9 vertices");
    for wrong in ["v[e]{}", "rectangle(a, b, c, d, [e, e", "rectangle(a, b, c, d, [e, e] [e])", "rectangle", ""] {
        assert_eq!(size(wrong), "", "{wrong}");
    }
    assert_eq!(size("cuboid(a, b, c, d, f, g, [[e] [e]] [[e]])"), "");
}
