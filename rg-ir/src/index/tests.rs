use super::*;
use crate::source::SourceId;

fn span(start: usize, end: usize) -> Span {
    Span::new(SourceId(0), start, end)
}

/// `ab = f(ab, x)` where `x` is declared for bytes 5 to 13 only, and `f(ab` is also the pasted `y`.
fn example() -> (Index, [EntityId; 4]) {
    let mut builder = Builder::default();
    let ab = builder.declare(Entity::new(EntityKind::Variable, "ab", span(0, 2)));
    let f = builder.entity(Entity::new(EntityKind::Function, "f", Span::NONE));
    let x = builder.entity(Entity { scope: span(5, 13), ..Entity::new(EntityKind::Parameter, "x", span(11, 12)) });
    let y = builder.entity(Entity::new(EntityKind::Piece, "y", span(5, 9)));
    builder.mention(x, span(11, 12), Role::Read);
    builder.mention(ab, span(7, 9), Role::Read);
    builder.mention(y, span(5, 9), Role::Pasted);
    builder.mention(f, span(5, 6), Role::Call);
    builder.mention(f, Span::NONE, Role::Read);
    builder.call(f, span(5, 13), vec![span(7, 9), span(11, 12)]);
    builder.token(span(3, 4), Class::Operator);
    builder.token(span(11, 12), Class::Keyword);
    builder.item(EntityKind::Function, "all", (span(0, 13), span(0, 2)), None);
    (builder.finish(), [ab, f, x, y])
}

#[test]
fn uses_are_found_by_place() {
    let (index, [ab, f, x, y]) = example();
    let named = |offset| index.names_at(offset).iter().map(|used| used.entity).collect::<Vec<_>>();
    assert_eq!((named(0), named(2), named(3)), (vec![ab], vec![ab], vec![]));
    assert_eq!((named(5), named(7), named(8)), (vec![f], vec![ab], vec![ab]));
    assert_eq!((named(11), named(12), named(13)), (vec![x], vec![x], vec![]));
    assert!(index.at(8).any(|used| used.entity == y && used.role == Role::Pasted));
    assert_eq!(index.uses_of(ab).map(|used| used.span).collect::<Vec<_>>(), [span(0, 2), span(7, 9)]);
}

#[test]
fn declarations_are_where_something_is_defined_or_first_named() {
    let (index, [ab, f, x, _]) = example();
    assert_eq!(index.declarations(ab), [span(0, 2)]);
    assert_eq!(index.declarations(x), [span(11, 12)]);
    assert!(index.declarations(f).is_empty());
}

#[test]
fn tokens_are_in_order_and_disjoint_and_names_come_first() {
    let (index, _) = example();
    let classes: Vec<Class> = index.tokens().iter().map(|token| token.1).collect();
    let name = |kind, role| Class::Name(kind, role);
    let expected = [
        name(EntityKind::Variable, Role::Definition),
        Class::Operator,
        name(EntityKind::Function, Role::Call),
        name(EntityKind::Variable, Role::Read),
        name(EntityKind::Parameter, Role::Read),
    ];
    assert_eq!(classes, expected);
    assert!(index.tokens().windows(2).all(|pair| pair[0].0.end <= pair[1].0.start));
}

#[test]
fn scopes_bound_what_is_visible() {
    let (index, _) = example();
    let names = |offset| index.visible(offset).map(|entity| &*entity.name).collect::<Vec<_>>();
    assert_eq!(names(0), ["ab", "f", "y"]);
    assert_eq!(names(13), ["ab", "f", "x", "y"]);
}

#[test]
fn arguments_are_counted_inside_of_the_brackets() {
    let (index, _) = example();
    let argument = |offset| index.call_at(offset).map(|(_, argument)| argument);
    assert_eq!(
        (argument(5), argument(7), argument(9), argument(10), argument(13)),
        (None, Some(0), Some(0), Some(1), None)
    );
    assert_eq!((index.items_at(13).count(), index.items_at(14).count()), (1, 0));
}
