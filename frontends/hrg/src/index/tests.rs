use super::*;

const GAME: &str = "\
// The players.
domain Player = first | second
domain Score = 0 | 100
domain Cell = C(X, Y) where X in 0..2, Y in {a, b}
domain Place = Cell | off

// The other one.
rival: Player -> Player
rival(first) = second
rival(_) = first

next: Place -> Place
next(C(X, Y)) = if C(X + 1, Y) in Cell then C(X + 1, Y) else off
next(X) = X

me: Player = first
board: Cell -> {empty, x} = { C(X, Y) = empty where X in 0..2, Y in {a} }

graph put(to: Place, to2: Player) {
  board[to] = x
  forall p: Player { $ p $ done $$ p }
  branch q in Player { me = rival[q] }
  branch { me = Player(*) } or { board = board }
}

graph rules() {
  player = me
  put(next[off], me)
  if reachable(put(off, me)) && not(me == first) { end() }
  loop { check(me == first) }
}
";

fn settings(body: impl FnOnce()) {
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path("../../../../snapshots/hrg");
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(body);
}

#[test]
fn everything_with_a_name_is_found() {
    settings(|| insta::assert_snapshot!("index", index(SourceId(0), GAME).show(GAME)));
}

#[test]
fn every_use_spells_its_name() {
    let index = index(SourceId(0), GAME);
    for used in index.uses() {
        assert_eq!(GAME.get(used.span.range()), index.entity(used.entity).map(|entity| &*entity.name));
    }
}

/// What the cursor at `^` in a text is at.
fn at_mark(marked: &str) -> Option<Entity> {
    let offset = marked.find('^').unwrap();
    let text = marked.replacen('^', "", 1);
    let index = index(SourceId(0), &text);
    let used = *index.names_at(u32::try_from(offset).unwrap()).first()?;
    index.entity(used.entity).cloned()
}

#[test]
fn names_in_broken_graphs_are_known() {
    let kind = |text: &str| at_mark(text).map(|entity| entity.kind);
    assert_eq!(kind("graph g(to: P) { x = = ; ^to }"), Some(EntityKind::Parameter));
    assert_eq!(kind("graph g(to: P) { x = = } graph h() { ^g() }"), Some(EntityKind::Graph));
    assert_eq!(kind("domain P = a\ngraph g(to: ^P) { x = = }"), Some(EntityKind::Type));
    assert_eq!(kind("graph g() { x = = branch q in P { ^q } }"), Some(EntityKind::Parameter));
    assert_eq!(kind("x: \ngraph g() { ^x = a }"), Some(EntityKind::Variable));
    assert_eq!(kind("domain A = a\nf A -> A\nf(X) = ^X"), Some(EntityKind::Parameter));
    assert_eq!(kind("domain A = a\nf A -> A\nf(X) = X\ngraph g() { x = ^f(a) }"), Some(EntityKind::Variable));
    assert_eq!(kind("graph g(to: P) { x = = }\ngraph h() { y = ^to }"), None);
}

#[test]
fn variables_of_maps_in_broken_graphs_hold_in_their_parts() {
    let kind = |text: &str| at_mark(text).map(|entity| entity.kind);
    let variable = Some(EntityKind::Parameter);
    assert_eq!(kind("graph g() { x = = y = { :a; C(X, Y) = f(^Y) where X in 0..2 } }"), variable);
    assert_eq!(kind("graph g() { y = { :a; C(X) = ^X; C(Z) = = } }"), variable);
    assert_eq!(kind("graph g() { y = { :a; C(X) = ^X"), variable);
    assert_eq!(kind("graph g() { x = = m = f({ :b; k = { :a; C(X) = ^X } }) }"), variable);
    // Not in other parts, and not behind the map.
    assert_eq!(kind("graph g() { x = = y = { :a; C(X) = X; C(Z) = ^X } }"), None);
    assert_eq!(kind("graph g() { x = = y = { :a; C(X) = X } z = ^X }"), None);
}

#[test]
fn inner_bindings_hide_outer_ones() {
    let entity = at_mark("graph g(a: P) { branch a in P { x = ^a } }").unwrap();
    assert_eq!(entity.span.start, 23);
}

#[test]
fn large_domains_say_how_many_values_they_have() {
    let text = "domain A = a | b\ndomain C = P(X, Y) where X in 0..2, Y in 0..3\ndomain D = C | off\n";
    let shown: Vec<(&str, String)> =
        sizes(SourceId(0), text).into_iter().map(|hint| (&text[..hint.offset as usize], hint.text)).collect();
    let [(c, twelve), (d, thirteen)] = &shown[..] else { panic!("{shown:?}") };
    assert!(c.ends_with("0..3") && d.ends_with("off"), "{shown:?}");
    assert_eq!((twelve.as_str(), thirteen.as_str()), (" // 12 values", " // 13 values"));
}
