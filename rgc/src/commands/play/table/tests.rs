//! What is shown of moves can be typed.
#![allow(clippy::unwrap_used, clippy::panic)] // a test stops at the first surprise

use super::super::command::Command;
use super::super::{Plan, Sitting, seated};
use super::{NO_TAGS, Sought, Table};
use crate::cli::{Cli, Command as Invoked, PlayArgs};
use crate::session::{Failure, Session};
use backend::Turn;
use clap::Parser as _;

/// Moves of each game that are made.
const PLIES: usize = 20;

/// Of these moves, before so many of them the list is looked at.
const LISTED: usize = 10;

/// Moves of a list that are read at most, times the number of legal moves among which they are found.
const EFFORT: usize = 2_000;

/// The moves that `moves` lists are read as what they are when they are typed as they are shown; of a long list, some all along it.
fn listed_moves_are_read(game: &str, table: &Table<'_>) {
    let list = table.listed("");
    let lines: Vec<&str> = list.lines().collect();
    assert_eq!(lines.len(), table.order.len(), "{game}: {list}");
    let step = (lines.len() * lines.len()).div_ceil(EFFORT).max(1);
    for (line, &index) in lines.iter().zip(&table.order).step_by(step) {
        let (_, text) = line.split_once(". ").unwrap();
        let is_move = table.exactly(text) || text == NO_TAGS || matches!(Command::of(text), Command::Move(_));
        let is_read = matches!(table.find(text), Ok(Sought::Move(found)) if found == index);
        assert!(is_move && is_read, "{game}: `{text}` is listed");
    }
}

/// The ways to write a move that `help` shows are read as this move, all along a random game; how many there were.
fn examples_are_read(game: &str, sitting: &mut Sitting<'_>) -> Result<usize, Failure> {
    let mut count = 0;
    for ply in 0..PLIES {
        if sitting.table.turn() == Turn::End {
            break;
        }
        let table = &sitting.table;
        if ply < LISTED {
            listed_moves_are_read(game, table);
        }
        for example in table.examples().into_iter().filter(|example| example != NO_TAGS) {
            let is_move = table.exactly(&example) || matches!(Command::of(&example), Command::Move(_));
            let is_read =
                matches!(table.find(&example), Ok(Sought::Move(index)) if Some(&index) == table.order.first());
            assert!(is_move && is_read, "{game}: `{example}`");
            count += 1;
        }
        let index = sitting.rng.below(u32::try_from(table.moves().len()).unwrap()) as usize;
        sitting.table.make(index)?;
    }
    Ok(count)
}

#[test]
fn examples_of_moves_are_read_in_all_games() {
    for bundled in crate::library::all() {
        let file = bundled.file_name();
        let cli = Cli::try_parse_from(["rgc", "--color", "never", "play", &file, "--as", "none"]).unwrap();
        let mut session = Session::new(&cli.output);
        let Invoked::Play(arguments) = cli.command else { panic!("`{file}` is not played") };
        let PlayArgs { game, humans, against, seed, start, resume, force, engine, .. } = arguments;
        let (game, humans, against, start, engine) = (&game, &humans, &against, &start, &engine);
        let resume = resume.as_deref();
        let plan = Plan { game, humans, against, seed, start, resume, force, engine, full_screen: false };
        let mut count = 0;
        let done = seated(&mut session, &plan, |_, sitting| {
            count = examples_are_read(&file, sitting)?;
            Ok(())
        });
        assert!(done.is_ok() && count > 0, "{file}: {count} examples, {done:?}");
    }
}
