//! `rgc completions`.
//!
//! The generator knows commands, options and their values. That a game is a file or the name of a bundled game is more than
//! it can be known; where that matters, its scripts for bash, zsh and fish are changed here. The names are those of the
//! program that writes the script.

use crate::cli::Cli;
use crate::library;
use crate::session::{Failure, Session};
use clap::{Arg, Command, CommandFactory};
use clap_complete::Shell;
use std::io::Write as _;

pub(super) fn run(session: &mut Session, shell: Shell) -> Result<(), Failure> {
    let mut command = Cli::command();
    // Into memory first: the generator cannot cope with a reader that goes away.
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut command, "rgc", &mut script);
    let script = String::from_utf8_lossy(&script);
    let mut names: Vec<&str> = library::all().iter().map(|game| game.name).collect();
    names.dedup();
    let names = names.join(" ");
    let script = match shell {
        Shell::Bash => bash(&script, &command, &names),
        Shell::Zsh => zsh(&script, &names),
        Shell::Fish => fish(&script, &command, &names),
        _ => script.into_owned(),
    };
    Ok(session.out().write_all(script.as_bytes())?)
}

/// What arguments that are games are called.
const GAMES: [&str; 3] = ["FILE", "FIRST", "SECOND"];

/// Whether an argument is a game.
fn is_game(argument: &&Arg) -> bool {
    argument.get_value_names().is_some_and(|names| names.iter().any(|name| GAMES.contains(&name.as_str())))
}

/// The commands that take a game.
fn players(command: &Command) -> Vec<&str> {
    let takes = |command: &&Command| command.get_positionals().any(|argument| is_game(&argument));
    command.get_subcommands().filter(takes).map(Command::get_name).collect()
}

/// All options, of any command, whose next word is their value; without those whose value is a game.
fn valued(command: &Command) -> Vec<String> {
    let arguments = command.get_subcommands().chain([command]).flat_map(Command::get_opts);
    let mut options: Vec<String> = arguments
        .filter(|argument| !is_game(argument) && !argument.is_require_equals_set())
        .flat_map(|argument| {
            let long = argument.get_long().map(|name| format!("--{name}"));
            long.into_iter().chain(argument.get_short().map(|letter| format!("-{letter}")))
        })
        .collect();
    options.sort();
    options.dedup();
    options
}

/// A second function asks the generated one, and adds names and files where a game may stand.
fn bash(script: &str, command: &Command, names: &str) -> String {
    let (commands, options) = (players(command).join("|"), valued(command).join("|"));
    let function = format!(
        "
_rgc_games() {{
    _rgc \"$@\"
    local cur=\"${{COMP_WORDS[COMP_CWORD]}}\" prev=\"${{COMP_WORDS[COMP_CWORD-1]}}\"
    [[ $COMP_CWORD -ge 2 && $cur != -* ]] || return
    case \"$prev\" in
        {options}) return;;
        --game) ;;
        *) case \"${{COMP_WORDS[1]}}\" in {commands}) ;; *) return;; esac;;
    esac
    compopt -o filenames 2> /dev/null
    local IFS=$'\\n'
    COMPREPLY=( $(compgen -f -- \"$cur\") $(IFS=' ' compgen -W '{names}' -- \"$cur\") )
}}

"
    );
    let (before, registration) = script.rsplit_once("\nif [[").map_or((script, String::new()), |(before, rest)| {
        (before, format!("if [[{}", rest.replace("complete -F _rgc ", "complete -F _rgc_games ")))
    });
    format!("{before}{function}{registration}")
}

/// Games are completed by a function of their own.
fn zsh(script: &str, names: &str) -> String {
    let mut text = String::new();
    for (number, line) in script.lines().enumerate() {
        let is_game = ["':file ", "'::file ", "'*::files ", "':first ", "':second ", "'--game=", "'*--game="];
        let is_game = is_game.iter().any(|beginning| line.starts_with(beginning));
        text.push_str(&if is_game { line.replace(":_files'", ":_rgc_games'") } else { line.to_owned() });
        text.push('\n');
        if number == 0 {
            text.push_str(&format!(
                "\n_rgc_games() {{\n    _alternative 'games:bundled game:({names})' 'files:file:_files'\n}}\n"
            ));
        }
    }
    text
}

/// Files are completed anyway.
fn fish(script: &str, command: &Command, names: &str) -> String {
    let line = |of: &str, more: &str| {
        format!("complete -c rgc -n \"__fish_rgc_using_subcommand {of}\"{more} -a \"{names}\" -d 'Bundled game'\n")
    };
    let lines: String = players(command).into_iter().map(|command| line(command, "")).collect();
    format!("{script}{lines}{}", line("replay", " -l game -r"))
}
