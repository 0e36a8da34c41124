//! What names can be made of, for those who give something another one.

use gdl::Syntax;
use rg_ir::index::EntityKind;

/// Why a text cannot be a name in RG.
pub(super) fn rg(_: &str, _: EntityKind, name: &str) -> Option<String> {
    (!rg_ir::text::is_name(name)).then(|| words(name).unwrap_or_else(|| reserved(name)))
}

/// Why a text cannot be a name in HRG.
pub(super) fn hrg(_: &str, _: EntityKind, name: &str) -> Option<String> {
    words(name).or_else(|| hrg::is_reserved(name).then(|| reserved(name)))
}

/// Why a text cannot be a name in RBG.
pub(super) fn rbg(_: &str, _: EntityKind, name: &str) -> Option<String> {
    let begins = |c: char| c.is_ascii_alphabetic();
    made_of(
        name,
        begins,
        |c| c.is_ascii_alphanumeric(),
        "a name begins with a letter",
        "a name has only letters and digits",
    )
    .or_else(|| rbg::is_reserved(name).then(|| reserved(name)))
}

/// Why a text cannot be the name of a piece in SBG.
pub(super) fn sbg(_: &str, _: EntityKind, name: &str) -> Option<String> {
    let is_letter = name.len() == 1 && name.bytes().all(|byte| byte.is_ascii_alphabetic());
    (!is_letter).then(|| "a piece is one letter".to_owned())
}

/// Why a text cannot be a name in GDL, in the syntax that the text around it seems to have.
pub(super) fn gdl(text: &str, kind: EntityKind, name: &str) -> Option<String> {
    gdl_in(Syntax::of(text), kind, name)
}

/// Why a text cannot be a name in GDL, in that syntax.
pub(super) fn gdl_in(syntax: Syntax, kind: EntityKind, name: &str) -> Option<String> {
    let is_variable = kind == EntityKind::Parameter;
    let text = match syntax {
        Syntax::Prefix => {
            let rest = name.strip_prefix('?');
            match (is_variable, rest) {
                (true, None) => return Some("variables begin with `?`".to_owned()),
                (false, Some(_)) => return Some("only variables begin with `?`".to_owned()),
                _ => {}
            }
            let allowed = |c: char| c.is_ascii_graphic() && !"\"'`();".contains(c);
            made_of(rest.unwrap_or(name), allowed, allowed, "a name has no spaces, brackets, quotes and `;`", "")
        }
        Syntax::Infix | Syntax::Prolog => {
            let variable = |c: char| c == '_' || c.is_ascii_uppercase();
            let constant = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit();
            let (begins, reason): (fn(char) -> bool, _) = match is_variable {
                true => (variable, "a variable begins with an upper-case letter or `_`"),
                false => (constant, "a name begins with a lower-case letter or a digit"),
            };
            let inside = |c: char| c == '_' || c.is_ascii_alphanumeric();
            made_of(name, begins, inside, reason, "a name has only letters, digits and `_`")
        }
    };
    let word = if syntax == Syntax::Prefix { name.to_ascii_lowercase() } else { name.to_owned() };
    text.or_else(|| gdl::is_reserved(&word).then(|| reserved(name)))
}

/// Why a text is no word of letters, digits and `_`.
fn words(name: &str) -> Option<String> {
    let allowed = |c: char| c == '_' || c.is_alphanumeric();
    made_of(name, allowed, allowed, "a name has only letters, digits and `_`", "")
}

/// Why a text does not begin and go on with such characters; without another reason, the first one is that for all of them.
fn made_of(
    name: &str,
    begins: impl Fn(char) -> bool,
    goes_on: impl Fn(char) -> bool,
    first: &str,
    rest: &str,
) -> Option<String> {
    let mut letters = name.chars();
    match letters.next() {
        None => Some("a name has at least one character".to_owned()),
        Some(letter) if !begins(letter) => Some(first.to_owned()),
        Some(_) if !letters.all(goes_on) => Some(if rest.is_empty() { first } else { rest }.to_owned()),
        Some(_) => None,
    }
}

fn reserved(name: &str) -> String {
    format!("`{name}` is a word of the language")
}

#[cfg(test)]
mod tests {
    use super::*;
    use EntityKind::{Macro, Parameter, Piece, Relation};

    #[test]
    fn reasons_are_those_of_the_language() {
        let says = |reason: Option<String>, wanted: &str| assert_eq!(reason.as_deref(), Some(wanted));
        says(rbg("", Macro, "2x"), "a name begins with a letter");
        says(rbg("", Macro, "x_y"), "a name has only letters and digits");
        says(rbg("", Macro, "rules"), "`rules` is a word of the language");
        says(rg("", Macro, "var"), "`var` is a word of the language");
        says(rg("", Macro, "a-b"), "a name has only letters, digits and `_`");
        says(hrg("", Macro, ""), "a name has at least one character");
        says(hrg("", Macro, "branch"), "`branch` is a word of the language");
        says(sbg("", Piece, "KN"), "a piece is one letter");
        says(gdl("(role a)", Parameter, "x"), "variables begin with `?`");
        says(gdl("(role a)", Relation, "a b"), "a name has no spaces, brackets, quotes and `;`");
        says(gdl("role(a)", Parameter, "x"), "a variable begins with an upper-case letter or `_`");
        says(gdl("(role a)", Relation, "TRUE"), "`TRUE` is a word of the language");
        for reason in
            [rg("", Macro, "2x"), hrg("", Macro, "é_1"), rbg("", Macro, "x2"), gdl("(role a)", Relation, "+-")]
        {
            assert_eq!(reason, None);
        }
    }
}
