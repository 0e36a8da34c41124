//! What is shown of moves can be typed.
#![allow(clippy::unwrap_used, clippy::panic)] // a test stops at the first surprise

use super::super::command::Command;
use super::super::{Plan, Sitting, seated};
use super::{NO_TAGS, Sought, Table, UNKNOWN};
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

/// Sits down at a bundled game without people, and does something with it.
fn sit(file: &str, seat: &mut dyn FnMut(&mut Sitting<'_>) -> Result<(), Failure>) -> Result<(), Failure> {
    let cli = Cli::try_parse_from(["rgc", "--color", "never", "play", file, "--as", "none"]).unwrap();
    let mut session = Session::new(&cli.output);
    let Invoked::Play(arguments) = cli.command else { panic!("`{file}` is not played") };
    let PlayArgs { game, humans, against, seed, start, resume, force, engine, .. } = arguments;
    let (game, humans, against, start, engine) = (&game, &humans, &against, &start, &engine);
    let resume = resume.as_deref();
    let plan = Plan { game, humans, against, seed, start, resume, force, engine, full_screen: false };
    seated(&mut session, &plan, |_, sitting| seat(sitting))
}

#[test]
fn examples_of_moves_are_read_in_all_games() {
    for bundled in crate::library::all() {
        let file = bundled.file_name();
        let mut count = 0;
        let done = sit(&file, &mut |sitting| {
            count = examples_are_read(&file, sitting)?;
            Ok(())
        });
        assert!(done.is_ok() && count > 0, "{file}: {count} examples, {done:?}");
    }
}

/// What tables say to a player is so, and variables as well; how many values were said.
fn known_is_true(game: &str, table: &Table<'_>) -> usize {
    let truth = table.drawer.scene(&table.state);
    let mut count = 0;
    for player in 0..table.fast.players().count() {
        let known = table.with_known(player, |known| (known.tables(table.drawer), known.variables(table.drawer)));
        let (tables, variables) = known.unwrap();
        for (title, row, cells) in
            tables.iter().flat_map(|one| one.rows.iter().map(|(row, cells)| (&one.title, row, cells)))
        {
            let same = truth.tables.iter().filter(|other| other.title == *title);
            let said = cells.iter().filter(|cell| *cell != UNKNOWN).count();
            let is_so =
                |other: &[String]| cells.iter().zip(other).all(|(cell, other)| cell == UNKNOWN || cell == other);
            let fits = same.flat_map(|other| &other.rows).any(|(name, other)| name == row && is_so(other));
            assert!(fits, "{game}: {title} {row} {cells:?}, {:?}", truth.tables);
            count += said;
        }
        assert!(variables.iter().all(|fact| truth.facts.contains(fact)), "{game}: {variables:?}");
        count += variables.len();
    }
    count
}

/// Random games of those that hide something.
#[test]
fn what_players_know_is_true() {
    let mut games = 0;
    for bundled in crate::library::all() {
        let file = bundled.file_name();
        let done = sit(&file, &mut |sitting| {
            let (mut count, hides) = (0, sitting.table.fast.reasoner.hides());
            let mut plies = if hides { 8 * PLIES } else { 0 };
            while plies > 0 {
                plies -= 1;
                if sitting.table.turn() == Turn::End {
                    sitting.table.restart(0);
                }
                let index = sitting.rng.below(u32::try_from(sitting.table.moves().len()).unwrap()) as usize;
                sitting.table.make(index)?;
                count += if plies % 5 == 0 { known_is_true(&file, &sitting.table) } else { 0 };
            }
            games += usize::from(count > 0);
            Ok(())
        });
        assert!(done.is_ok(), "{file}: {done:?}");
    }
    assert!(games >= 4, "{games} games");
}

/// A number that changes with every answer is known, however few of the imagined positions fit all answers.
#[test]
fn numbers_follow_from_answers() {
    let fleet = ["a1", "a2", "a3", "a4", "a5"].map(|cell| format!("{cell} across; ")).concat();
    let shots = "a1 j10 b1 j9 c1 j8 a2 j7 b2 j6 c2 j5 d2 j4".replace(' ', "; ");
    let done = sit("battleships", &mut |sitting| {
        sitting.table.begin(&format!("{fleet}{fleet}{shots}"))?;
        let tables = sitting.table.with_known(0, |known| known.tables(sitting.table.drawer)).unwrap();
        assert_eq!(
            tables.iter().find(|table| table.title == "afloat").map(|table| &table.rows[0].1),
            Some(&vec!["17".to_owned(), "10".to_owned()])
        );
        Ok(())
    });
    assert!(done.is_ok(), "{done:?}");
}
