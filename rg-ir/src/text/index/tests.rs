use super::*;
use crate::testing::*;

const GAME: &str = "\
// The players.
type Player = { white, black };
type Score = { 0, 100 };
type Content = { empty, white };

// Who is next,
// always.
const rival: Player -> Player = { :white, white: black };
var me: Player = white;
var board: { a, b } -> Content = { :empty };
// The beginning.
begin, move: player = me;
move, done: $ go;
move, done: $ white;
done, end: ? move -> begin;
done, end: board[a] == Content(me);
@simpleApply begin end [x: Player, go] me = rival[x];
";

#[test]
fn everything_with_a_name_is_found() {
    snapshot("index", index(SourceId(0), GAME).show(GAME));
}

/// What the cursor at `^` in a text is at: kinds and names.
fn at_mark(marked: &str) -> Vec<(EntityKind, String)> {
    let offset = marked.find('^').unwrap();
    let text = marked.replacen('^', "", 1);
    let index = index(SourceId(0), &text);
    let entity = |used: crate::index::Use| index.entity(used.entity).unwrap().clone();
    index.names_at(u32::try_from(offset).unwrap()).into_iter().map(entity).map(|e| (e.kind, e.name)).collect()
}

#[test]
fn names_in_broken_declarations_are_known() {
    let one = |text: &str| at_mark(text).first().map(|(kind, _)| *kind);
    assert_eq!(one("type T = { a };\nvar x: ^T = \nbegin, end: ;"), Some(EntityKind::Type));
    assert_eq!(one("var x: T = ;\nbegin, end: ^x = ;"), Some(EntityKind::Variable));
    assert_eq!(one("begin, end: ;\n^begin, end: x ="), Some(EntityKind::Node));
    assert_eq!(one("const ^c: = {;\nbegin, end: ;"), Some(EntityKind::Constant));
    assert_eq!(one("begin, end: ;\n@unique ^begin [;"), Some(EntityKind::Node));
    assert_eq!(one("begin, end: ^unknown = also;"), None);
}

#[test]
fn a_constant_is_a_symbol_in_its_own_value() {
    let kinds = |text: &str| at_mark(text).first().map(|(kind, _)| *kind);
    assert_eq!(kinds("type T = { c };\nconst c: T = ^c;"), Some(EntityKind::Value));
    assert_eq!(kinds("type T = { c };\nconst c: T = c;\nconst d: T = ^c;"), Some(EntityKind::Constant));
}

#[test]
fn comments_describe_what_is_right_below() {
    let text = "// top\n\ntype A = { a }; // behind\ntype B = { b };\n// one\n// two\ntype C = { c };";
    let index = index(SourceId(0), text);
    let doc = |name: &str| {
        let entity = index.entities().values().find(|entity| entity.name == name).unwrap();
        entity.doc.is_some().then(|| &text[entity.doc.range()])
    };
    assert_eq!((doc("A"), doc("B"), doc("C")), (None, None, Some("// one\n// two")));
}

#[test]
fn spans_of_the_corpus_spell_names() {
    let games = corpus("rg");
    for (name, text) in &games {
        let index = index(SourceId(0), text);
        assert!(!index.uses().is_empty(), "{name}");
        for used in index.uses() {
            assert_eq!(text.get(used.span.range()), index.entity(used.entity).map(|entity| &*entity.name), "{name}");
        }
    }
}
