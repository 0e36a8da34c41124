//! Errors about arguments in plain words, where the library that parses them speaks of digits and ranges.

use clap::error::{ContextKind, ContextValue, ErrorKind};
use std::error::Error as _;

/// The message for a value that is not the number that an option takes; `None` for other errors, whose messages are plain.
pub(crate) fn plain_words(error: &clap::Error) -> Option<String> {
    if error.kind() != ErrorKind::ValueValidation {
        return None;
    }
    let context = |kind| match error.get(kind) {
        Some(ContextValue::String(text)) => Some(text.as_str()),
        _ => None,
    };
    let (value, argument) = (context(ContextKind::InvalidValue)?, context(ContextKind::InvalidArg)?);
    let expected = expected(&error.source()?.to_string())?;
    Some(format!(
        "error: `{value}` is no value for `{argument}`: {expected} is expected\n\nFor more information, try '--help'.\n"
    ))
}

/// What is expected, from what the library says of a number: `invalid digit found in string`, or `0 is not in 1..=9`.
fn expected(reason: &str) -> Option<String> {
    for (begin, expected) in [
        ("invalid digit", "a whole number"),
        ("cannot parse integer", "a whole number"),
        ("number too large", "a smaller whole number"),
        ("number too small", "a greater whole number"),
        ("number would be zero", "a whole number of at least 1"),
    ] {
        if reason.starts_with(begin) {
            return Some(expected.to_owned());
        }
    }
    let (_, range) = reason.split_once(" is not in ")?;
    Some(match range.split_once("..=").or_else(|| range.split_once("..")) {
        Some((least, "" | "18446744073709551615" | "4294967295")) => format!("a whole number of at least {least}"),
        Some((least, most)) => format!("a whole number from {least} to {most}"),
        None => "a whole number".to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::expected;

    #[test]
    fn numbers() {
        assert_eq!(expected("invalid digit found in string").as_deref(), Some("a whole number"));
        assert_eq!(expected("0 is not in 1..=86400").as_deref(), Some("a whole number from 1 to 86400"));
        assert_eq!(expected("0 is not in 64..").as_deref(), Some("a whole number of at least 64"));
        assert_eq!(expected("there is no agent `foo`"), None);
    }
}
