//! Errors about arguments in plain words, where the library that parses them speaks of digits and ranges.

use crate::cli::{self, Cli};
use crate::jobs::Repeat;
use crate::terminal;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::parser::ValueSource;
use clap::{Arg, ArgMatches, Command, FromArgMatches};
use rg_ir::diag::nearest;
use std::error::Error as _;
use std::ffi::OsString;
use std::path::Path;

/// The command line, the name of its command, and the command with its options, to be executed for one file.
pub(crate) fn parsed(arguments: impl IntoIterator<Item = OsString>) -> Result<(Cli, String, Repeat), clap::Error> {
    // `-1` is a value, although no option takes it: so what the option takes can be said.
    let value = |arg: Arg| if arg.get_action().takes_values() { arg.allow_negative_numbers(true) } else { arg };
    let mut command: Command =
        cli::command(terminal::help_width()).mut_args(value).mut_subcommands(|command| command.mut_args(value));
    let mut arguments: Vec<OsString> = arguments.into_iter().collect();
    if arguments.get(1).is_some_and(|first| first == "help") {
        // `rgc help --help` asks for no more than `rgc help`.
        arguments.retain(|argument| argument != "--help" && argument != "-h");
    }
    let matches = match command.try_get_matches_from_mut(&arguments) {
        Ok(matches) => matches,
        Err(error) => {
            let error = bounded(suggesting(error, &command, &arguments), &mut command, &arguments);
            return Err(with_usage(error, &mut command, &arguments));
        }
    };
    let name = matches.subcommand_name().unwrap_or_default().to_owned();
    let repeat = matches.subcommand().and_then(|(name, matches)| Some(repeat(command.find_subcommand(name)?, matches)));
    let cli = Cli::from_arg_matches(&matches).map_err(|error| error.format(&mut command))?;
    Ok((cli, name, repeat.unwrap_or_default()))
}

/// Options that are for the run as a whole, or are decided by it.
const OF_THE_WHOLE: [&str; 3] = ["color", "jobs", "watch"];

/// The command with the options that were given, those of all commands among them, without positional arguments.
fn repeat(command: &Command, matches: &ArgMatches) -> Repeat {
    let mut arguments = vec![OsString::from(command.get_name())];
    for arg in command.get_arguments() {
        let id = arg.get_id().as_str();
        if OF_THE_WHOLE.contains(&id) || matches.value_source(id) != Some(ValueSource::CommandLine) {
            continue;
        }
        let (flag, option) = match (arg.get_long(), arg.get_short()) {
            (Some(name), _) => (format!("--{name}"), format!("--{name}=")),
            (None, Some(letter)) => (format!("-{letter}"), format!("-{letter}")),
            (None, None) => continue,
        };
        if !arg.get_action().takes_values() {
            arguments.push(flag.into());
            continue;
        }
        for value in matches.get_raw(id).into_iter().flatten() {
            let mut argument = OsString::from(&option);
            argument.push(value);
            arguments.push(argument);
        }
    }
    Repeat { arguments }
}

/// An error with the nearest valid name by the same measure as everywhere else, in place of the library's own guess. The nearest value of an option,
/// command or option is looked for.
fn suggesting(mut error: clap::Error, command: &Command, arguments: &[OsString]) -> clap::Error {
    let (wrong, suggested) = match error.kind() {
        ErrorKind::InvalidValue => (ContextKind::InvalidValue, ContextKind::SuggestedValue),
        ErrorKind::InvalidSubcommand => (ContextKind::InvalidSubcommand, ContextKind::SuggestedSubcommand),
        ErrorKind::UnknownArgument => (ContextKind::InvalidArg, ContextKind::SuggestedArg),
        _ => return error,
    };
    let Some(ContextValue::String(name)) = error.get(wrong) else { return error };
    let name = name.clone();
    // What looks like an option is meant as one, unless a file is called so.
    if error.kind() == ErrorKind::UnknownArgument
        && !Path::new(&name).exists()
        && let Some(ContextValue::StyledStrs(mut tips)) = error.remove(ContextKind::Suggested)
    {
        tips.retain(|tip| !tip.to_string().contains("as a value, use"));
        if !tips.is_empty() {
            error.insert(ContextKind::Suggested, ContextValue::StyledStrs(tips));
        }
    }
    let candidates = match error.kind() {
        ErrorKind::InvalidValue => match error.get(ContextKind::ValidValue) {
            Some(ContextValue::Strings(valid)) => valid.clone(),
            _ => return error,
        },
        ErrorKind::InvalidSubcommand => {
            command.get_subcommands().map(|command| command.get_name().to_owned()).chain(["help".to_owned()]).collect()
        }
        _ => {
            let names = || arguments.iter().skip(1).filter_map(|argument| argument.to_str());
            let of = names().find_map(|name| command.find_subcommand(name)).into_iter().chain([command]);
            of.flat_map(Command::get_arguments).filter_map(|arg| Some(format!("--{}", arg.get_long()?))).collect()
        }
    };
    error.remove(suggested);
    let near: Vec<String> =
        nearest(&name, candidates.iter().map(String::as_str)).into_iter().map(str::to_owned).collect();
    // The place for options and values has room for one.
    let first = near.first().cloned();
    match (suggested, first) {
        (ContextKind::SuggestedSubcommand, None) if is_game(&name) => {
            let tip = format!("to play this game, use 'rgc play {name}'");
            error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![tip.into()]));
        }
        (_, None) => {}
        (ContextKind::SuggestedSubcommand, _) => _ = error.insert(suggested, ContextValue::Strings(near)),
        (_, Some(first)) => _ = error.insert(suggested, ContextValue::String(first)),
    }
    error
}

/// Whether a word names a bundled game or a file.
fn is_game(name: &str) -> bool {
    kit::library::find(name, None).is_ok() || Path::new(name).is_file()
}

/// An error about a negative number with what the option takes, where that does not begin at 0: what it says of 0.
fn bounded(mut error: clap::Error, command: &mut Command, arguments: &[OsString]) -> clap::Error {
    let Some(ContextValue::String(value)) = error.get(ContextKind::InvalidValue) else { return error };
    if error.kind() != ErrorKind::ValueValidation || !value.starts_with('-') {
        return error;
    }
    let with_zero = |argument: &OsString| match argument.to_str().and_then(|text| text.strip_suffix(value.as_str())) {
        Some(begin) if begin.is_empty() || begin.ends_with('=') => OsString::from(format!("{begin}0")),
        _ => argument.clone(),
    };
    let of_zero = command.try_get_matches_from_mut(arguments.iter().map(with_zero)).err();
    let of_zero = of_zero.filter(|other| other.get(ContextKind::InvalidArg) == error.get(ContextKind::InvalidArg));
    if let Some(expected) = of_zero.and_then(|other| expected(&other.source()?.to_string())) {
        error.insert(ContextKind::Custom, ContextValue::String(expected));
    }
    error
}

/// An error with the usage of its command, in which that is made of what was typed: options would then look as if they were required.
fn with_usage(mut error: clap::Error, command: &mut Command, arguments: &[OsString]) -> clap::Error {
    let names = || arguments.iter().skip(1).filter_map(|argument| argument.to_str());
    let Some(name) = names().find(|name| command.find_subcommand(name).is_some()) else { return error };
    let usage = match name {
        "help" => Some(command.render_usage()),
        _ => command.find_subcommand_mut(name).map(Command::render_usage),
    };
    if let Some(usage) = usage.filter(|_| error.get(ContextKind::Usage).is_some()) {
        error.insert(ContextKind::Usage, ContextValue::StyledStr(usage));
    }
    error
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
        expected = context(ContextKind::Custom).unwrap_or("a whole number that is not negative").to_owned();
    }
    Some(format!(
        "error: `{value}` is not a value for `{argument}`: {expected} is expected\n\nFor more information, try '--help'.\n"
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
    use super::{expected, parsed};

    #[test]
    fn commands_are_repeated_with_their_options() {
        let line = "rgc --limit 9 check a b --proper --positions 7 --from rbg --watch -j 3 --color never";
        let (_, _, repeat) = parsed(line.split(' ').map(Into::into)).unwrap();
        let mut options = repeat.arguments.clone();
        assert_eq!(options.remove(0), "check");
        options.sort();
        assert_eq!(options, ["--from=rbg", "--limit=9", "--positions=7", "--proper"]);
        let (_, _, repeat) = parsed("rgc perft a b 4 --profile -O 1".split(' ').map(Into::into)).unwrap();
        let mut options = repeat.arguments;
        options.sort();
        assert_eq!(options, ["--profile=100", "-O1", "perft"]);
    }

    #[test]
    fn suggestions_are_the_nearest_names() {
        for (line, tip) in [
            ("check --from rgb a", "tip: a similar value exists: 'rbg'"),
            ("perft a 1 --engine natve", "tip: a similar value exists: 'native'"),
            ("graph a --to htlm", "tip: a similar value exists: 'html'"),
            ("chek a", "tip: a similar subcommand exists: 'check'"),
            ("moves a --plya x", "tip: a similar argument exists: '--play'"),
            ("moves a --colr never", "tip: a similar argument exists: '--color'"),
        ] {
            let error = parsed(["rgc"].into_iter().chain(line.split(' ')).map(Into::into)).unwrap_err();
            assert!(error.to_string().contains(tip), "{line}: {error}");
        }
        for line in ["compile a --emit java", "bench a --mode zzz", "zzz", "moves a --zzz"] {
            let error = parsed(["rgc"].into_iter().chain(line.split(' ')).map(Into::into)).unwrap_err();
            assert!(!error.to_string().contains("similar"), "{line}: {error}");
        }
    }

    #[test]
    fn negative_numbers_are_told_what_zero_is_told() {
        for (line, wanted) in [
            ("match a --players random --games -1", "a whole number of at least 1 is expected"),
            ("match a --players random --games=-1", "a whole number of at least 1 is expected"),
            ("match a --players random --games 0", "a whole number of at least 1 is expected"),
            ("play a --seed -1", "a whole number that is not negative is expected"),
        ] {
            let error = parsed(["rgc"].into_iter().chain(line.split(' ')).map(Into::into)).unwrap_err();
            let text = super::plain_words(&error).unwrap();
            assert!(text.contains(wanted), "{line}: {text}");
        }
    }

    #[test]
    fn numbers() {
        assert_eq!(expected("invalid digit found in string").as_deref(), Some("a whole number"));
        assert_eq!(expected("0 is not in 1..=86400").as_deref(), Some("a whole number from 1 to 86400"));
        assert_eq!(expected("0 is not in 64..").as_deref(), Some("a whole number of at least 64"));
        assert_eq!(expected("there is no agent `foo`"), None);
    }
}
