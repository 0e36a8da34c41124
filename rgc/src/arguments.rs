//! Errors about arguments in plain words, where the library that parses them speaks of digits and ranges.

use crate::cli::Cli;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, Command, CommandFactory, FromArgMatches};
use std::error::Error as _;
use std::ffi::OsString;

/// The command line, and the name of its command.
pub(crate) fn parsed(arguments: impl IntoIterator<Item = OsString>) -> Result<(Cli, String), clap::Error> {
    // `-1` is a value, although no option takes it: so what the option takes can be said.
    let value = |arg: Arg| if arg.get_action().takes_values() { arg.allow_negative_numbers(true) } else { arg };
    let mut command: Command = Cli::command().mut_args(value).mut_subcommands(|command| command.mut_args(value));
    let matches = command.try_get_matches_from_mut(arguments)?;
    let name = matches.subcommand_name().unwrap_or_default().to_owned();
    let cli = Cli::from_arg_matches(&matches).map_err(|error| error.format(&mut command))?;
    Ok((cli, name))
}

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
    let mut expected = expected(&error.source()?.to_string())?;
    if expected == "a whole number" && value.starts_with('-') {
        expected = "a whole number that is not negative".to_owned();
    }
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
