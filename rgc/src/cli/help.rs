//! Help texts that fit into the terminal.

use super::Cli;
use crate::commands::play::wrap::broken;
use clap::{Command, CommandFactory};

/// Columns of a help text at most: longer lines are hard to read.
const WIDEST: usize = 100;
/// Columns of a help text at least, however narrow the terminal is.
const NARROWEST: usize = 40;

/// The command line, with help texts for a terminal of so many columns.
pub fn command(columns: usize) -> Command {
    let columns = columns.clamp(NARROWEST, WIDEST);
    let fit = |command: Command| {
        let below = command.get_after_help().map(|text| fitted(&text.to_string(), columns));
        let command = command.term_width(columns).max_term_width(columns);
        if let Some(below) = below { command.after_help(below) } else { command }
    };
    fit(Cli::command()).mut_subcommands(fit)
}

/// A text for so many columns. Lines that begin in the first column are paragraphs, which are filled; one that ends with a colon ends its
/// paragraph. Indented lines are items: what follows two spaces in one is continued below itself.
fn fitted(text: &str, columns: usize) -> String {
    let mut lines: Vec<String> = Vec::new();
    let mut paragraph = String::new();
    for line in text.lines().chain([""]) {
        if line.is_empty() || line.starts_with(' ') {
            flush(&mut paragraph, columns, &mut lines);
            lines.extend(item(line, columns));
            continue;
        }
        if !paragraph.is_empty() {
            paragraph.push(' ');
        }
        paragraph.push_str(line);
        if line.ends_with(':') {
            flush(&mut paragraph, columns, &mut lines);
        }
    }
    lines.join("\n").trim_end().to_owned()
}

/// Ends a paragraph.
fn flush(paragraph: &mut String, columns: usize, lines: &mut Vec<String>) {
    let paragraph = std::mem::take(paragraph);
    if !paragraph.is_empty() {
        lines.extend(broken(&paragraph, columns));
    }
}

/// An indented line in pieces that fit.
fn item(line: &str, columns: usize) -> Vec<String> {
    if line.chars().count() <= columns {
        return vec![line.to_owned()];
    }
    let indent = line.len() - line.trim_start().len();
    let gap = line.get(indent..).and_then(|rest| rest.find("  ")).map(|gap| indent + gap);
    let Some((left, right)) = gap.and_then(|gap| line.split_at_checked(gap)) else { return broken(line, columns) };
    let at = line.chars().count() - right.trim_start().chars().count();
    // Where little room is left for it, what stands behind goes to lines of its own.
    let (first, at) = if at * 3 > columns * 2 { (Some(left.to_owned()), indent + 4) } else { (None, at) };
    let rest = broken(right.trim_start(), columns.saturating_sub(at));
    let lead = |number: usize| if number == 0 && first.is_none() { format!("{left:at$}") } else { " ".repeat(at) };
    first.clone().into_iter().chain(rest.iter().enumerate().map(|(number, piece)| lead(number) + piece)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paragraphs_are_filled_and_items_are_continued_below_themselves() {
        let text = "One two\nthree four.\n\nItems:\n  a    one two three\n  long words  two\nfive";
        assert_eq!(
            fitted(text, 14),
            "One two three\nfour.\n\nItems:\n  a    one two\n       three\n  long words\n      two\nfive"
        );
        assert_eq!(fitted(text, 80), "One two three four.\n\nItems:\n  a    one two three\n  long words  two\nfive");
    }

    #[test]
    fn no_line_of_any_help_is_longer_than_the_terminal() {
        for columns in [60, 80, 100] {
            let mut command = command(columns);
            command.build();
            let helps = std::iter::once(&mut command.clone())
                .chain(command.get_subcommands_mut())
                .flat_map(|command| [command.render_help(), command.render_long_help()].map(|help| help.to_string()))
                .collect::<Vec<_>>();
            let long = helps.iter().flat_map(|help| help.lines()).filter(|line| line.chars().count() > columns);
            assert_eq!(long.collect::<Vec<_>>(), Vec::<&str>::new(), "{columns}");
        }
    }
}
