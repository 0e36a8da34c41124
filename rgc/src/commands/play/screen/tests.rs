//! Plays on a screen in memory, with keys from a list.

use super::super::{Plan, seated};
use super::{Keys, lead};
use crate::cli::{Cli, Command, PlayArgs};
use crate::session::{Failure, Session};
use clap::Parser;
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::crossterm::event::{Event, KeyCode, KeyEvent, KeyModifiers};
use std::collections::VecDeque;
use std::io;
use std::time::{Duration, Instant};

/// Keys, and whether they are pressed before the program waits for them; behind the last one, the keyboard fails.
struct Script(VecDeque<KeyCode>, bool);

impl Keys for Script {
    fn next(&mut self, wait: bool) -> io::Result<Option<Event>> {
        if !wait && (!self.1 || self.0.is_empty()) {
            return Ok(None);
        }
        let code = self.0.pop_front().ok_or(io::ErrorKind::UnexpectedEof)?;
        Ok(Some(Event::Key(KeyEvent::new(code, KeyModifiers::NONE))))
    }

    fn forget(&mut self, _within: Duration) -> io::Result<()> {
        if self.1 {
            self.0.clear();
        }
        Ok(())
    }
}

/// Letters of a text as keys; `\n` is Enter and `\t` is Tab.
fn keys(text: &str) -> impl Iterator<Item = KeyCode> + '_ {
    text.chars().map(|letter| match letter {
        '\n' => KeyCode::Enter,
        '\t' => KeyCode::Tab,
        letter => KeyCode::Char(letter),
    })
}

/// The screen after a play with these keys, which has to go on until there are no more, or be left.
fn played(arguments: &[&str], keys: impl IntoIterator<Item = KeyCode>, size: (u16, u16)) -> String {
    on_screen(arguments, Script(keys.into_iter().collect(), false), size)
}

/// Keys that are pressed as soon as the program waits for them, but Esc only while it works.
struct Slow(VecDeque<KeyCode>);

impl Keys for Slow {
    fn next(&mut self, wait: bool) -> io::Result<Option<Event>> {
        if !wait && self.0.front() != Some(&KeyCode::Esc) {
            return Ok(None);
        }
        let code = self.0.pop_front().ok_or(io::ErrorKind::UnexpectedEof)?;
        Ok(Some(Event::Key(KeyEvent::new(code, KeyModifiers::NONE))))
    }

    fn forget(&mut self, _within: Duration) -> io::Result<()> {
        Ok(())
    }
}

/// A key that is pressed after some looks at the keyboard.
struct Later {
    looks: usize,
    key: Option<KeyCode>,
}

impl Keys for Later {
    fn next(&mut self, _wait: bool) -> io::Result<Option<Event>> {
        if self.looks > 0 {
            self.looks -= 1;
            return Ok(None);
        }
        let code = self.key.take().ok_or(io::ErrorKind::UnexpectedEof)?;
        Ok(Some(Event::Key(KeyEvent::new(code, KeyModifiers::NONE))))
    }

    fn forget(&mut self, _within: Duration) -> io::Result<()> {
        Ok(())
    }
}

fn on_screen(arguments: &[&str], script: impl Keys, size: (u16, u16)) -> String {
    beside(&[], arguments, script, size)
}

/// As [`on_screen`], while others have written these lines.
fn beside(written: &[&str], arguments: &[&str], mut script: impl Keys, (width, height): (u16, u16)) -> String {
    let (sender, remarks) = std::sync::mpsc::channel();
    written.iter().for_each(|line| sender.send((*line).to_owned()).unwrap());
    let cli = Cli::try_parse_from(["rgc", "--color", "never", "play"].iter().chain(arguments)).unwrap();
    let mut session = Session::new(&cli.output);
    let Command::Play(PlayArgs { game, humans, against, players: _, seed, start, resume, force, engine, full_screen }) =
        cli.command
    else {
        panic!()
    };
    let (game, humans, against, resume, engine) = (&game, &humans, &against, resume.as_deref(), &engine);
    let start = &start;
    let plan = Plan { game, humans, against, seed, start, resume, force, engine, full_screen };
    let mut terminal = Terminal::new(TestBackend::new(width, height)).unwrap();
    match seated(&mut session, &plan, |session, sitting| lead(session, sitting, &mut terminal, (&mut script, &remarks)))
    {
        Ok(()) => {}
        Err(Failure::Finding(said)) => assert_eq!(said.code, "IO303", "{}", said.message),
        Err(other) => panic!("{other:?}"),
    }
    // Behind the last key, the keyboard fails.
    assert!(script.next(true).is_err(), "not all keys were read");
    terminal.backend().to_string()
}

fn snapshot(name: &str, text: String) {
    insta::with_settings!({
        snapshot_path => concat!(env!("CARGO_MANIFEST_DIR"), "/../snapshots/rgc"),
        prepend_module_to_snapshot => false,
        omit_expression => true,
    }, {
        insta::assert_snapshot!(name, text);
    });
}

const TWO: [&str; 3] = ["ticTacToe.rg", "--as", "x,o"];

#[test]
fn a_screen() {
    let board = ["ticTacToe.rbg", "--as", "crosses,noughts"];
    snapshot("screen_board", played(&board, keys("b2\na"), (80, 24)));
    snapshot("screen_filtered", played(&TWO, keys("a1\nb1\na"), (80, 24)));
    snapshot("screen_help", played(&TWO, [KeyCode::F(1)], (100, 34)));
    snapshot("screen_end", played(&TWO, keys("a1\nb1\na2\nb2\na3\n"), (80, 24)));
}

#[test]
fn moves_and_commands_are_made_as_line_by_line() {
    let chosen = played(&TWO, [KeyCode::Down, KeyCode::Down, KeyCode::Enter], (80, 24));
    assert!(chosen.contains("x: a2") && chosen.contains("o to move, 8 legal moves"), "{chosen}");
    let undone = played(&TWO, keys("b2\n").chain([KeyCode::F(3)]), (80, 24));
    assert!(!undone.contains("x: b2") && undone.contains("x to move, 9 legal moves"), "{undone}");
    let wrong = played(&TWO, keys("b2\nb2\n"), (80, 24));
    assert!(wrong.contains("`b2` is not a legal move"), "{wrong}");
    let why = played(&TWO, keys("b2\nwhy b2\n"), (80, 24));
    assert!(why.contains("`b2` must be empty, but it holds `x`"), "{why}");
    let hint = played(&["ticTacToe.rg", "--against", "uct:200p"], [KeyCode::F(2)], (80, 24));
    assert!(hint.contains("hint (uct:200p): b2"), "{hint}");
    let left = played(&TWO, keys("quit\n"), (80, 24));
    assert!(left.contains("x to move, 9 legal moves"), "{left}");
}

#[test]
fn agents_answer() {
    let said = played(&["ticTacToe.rg", "--against", "random"], keys("b2\n"), (80, 24));
    assert!(said.contains("x: b2") && said.contains("o: ") && said.contains("x to move, 7 legal moves"), "{said}");
    let alone = played(&["ticTacToe.rg", "--as", "none", "--against", "ab:depth=9,eval=0"], [], (80, 24));
    assert!(alone.contains("the game is over: draw; scores: x 50, o 50"), "{alone}");
}

/// Keys pressed while an agent thinks work; a line that is typed meanwhile is done when the human is to move.
#[test]
fn early_keys_work_and_early_lines_wait() {
    let arguments = ["ticTacToe.rg", "--as", "o", "--against", "ab:depth=9,eval=0"];
    let said = on_screen(&arguments, Script(keys("c3\nmoves a\n").collect(), true), (100, 40));
    assert!(said.contains("o: c3") && said.contains("o to move, 6 legal moves"), "{said}");
    let left = on_screen(&["ticTacToe.rg", "--as", "none"], Script([KeyCode::F(10)].into(), true), (100, 40));
    assert!(left.contains("x to move, 9 legal moves"), "left before the first move: {left}");
}

/// Where the board is drawn, coordinates on it are moves, too: the list shows which.
#[test]
fn other_ways_to_write_a_move_are_found() {
    let said = played(&["ticTacToe.rbg", "--as", "crosses,noughts"], keys("b2"), (90, 24));
    assert!(said.contains("moves (1)") && said.contains("│b2 "), "{said}");
}

#[test]
fn nothing_hidden_is_shown() {
    let arguments = ["kuhnPoker.hrg", "--as", "first,second", "--seed", "1"];
    let first = played(&arguments, keys("\n"), (80, 24));
    assert!(first.contains("what you observed") && !first.contains("history"), "{first}");
    assert_eq!(first.matches("something hidden").count(), 1, "the card of the other: {first}");
    let second = played(&arguments, keys("\nbet\n\n"), (80, 24));
    assert!(second.contains("second to move") && second.contains("first: bet"), "{second}");
    assert_eq!(second.matches("something hidden").count(), 1, "{second}");
}

/// Moves that are made at the same time are nowhere on the screen before all have been made; the position always is.
#[test]
fn moves_of_a_step_are_hidden_until_it_is_complete() {
    let arguments = ["matchingPennies.gdl", "--as", "even,odd", "--seed", "1"];
    let (before, position) = ("\nheads\n", "covered");
    let paused = played(&arguments, keys(before), (80, 24));
    assert!(paused.contains("odd is next. Pass the keyboard") && !paused.contains("heads"), "{paused}");
    let arrived = played(&arguments, keys(before).chain(keys("\n")), (80, 24));
    assert!(arrived.contains("odd to move") && arrived.contains(position), "{arrived}");
    assert!(!arrived.contains("even: heads") && !arrived.contains("what you observed"), "{arrived}");
    let over = played(&arguments, keys(before).chain(keys("\ntails\n")), (80, 24));
    assert!(over.contains("even: heads") && over.contains("odd: tails"), "{over}");
    let alone = ["matchingPennies.gdl", "--as", "odd", "--against", "random", "--seed", "1"];
    let asked = played(&alone, [], (80, 24));
    assert!(asked.contains("odd to move") && asked.contains(position), "{asked}");
    assert!(!asked.contains("even: heads") && !asked.contains("even: tails"), "{asked}");
}

/// Places beside a grid are on the screen.
#[test]
fn places_beside_a_grid_are_on_the_screen() {
    let said = played(&["felli", "--as", "white,black"], keys("a1centre\n"), (80, 24));
    assert!(said.contains("centre: w") && said.contains("black to move, 1 legal move"), "{said}");
}

/// Where something is hidden, nothing is shown to the next human before that one is at the keyboard: not even by keys.
#[test]
fn a_pause_is_between_humans_who_see_different_things() {
    let arguments = ["kuhnPoker.hrg", "--as", "first,second", "--seed", "1"];
    for (before, next) in [("", "first"), ("\nbet\n", "second"), ("\nbet\n\nundo\n", "first")] {
        let others = [KeyCode::F(3), KeyCode::F(2), KeyCode::Tab, KeyCode::Down, KeyCode::PageUp];
        for early in ["", "moves\n", "board\nb"] {
            let keys = keys(before).chain(others).chain(keys(early));
            let paused = played(&arguments, keys, (80, 24));
            assert!(paused.contains(&format!("{next} is next. Pass the keyboard")), "{before:?}: {paused}");
            let is_shown =
                ["jack", "queen", "king", "something hidden", "bet ", "call"].iter().any(|word| paused.contains(word));
            assert!(!is_shown && paused.contains("moves (0)"), "{before:?}: {paused}");
        }
        let shown = played(&arguments, keys(before).chain(keys("\n")), (80, 24));
        assert!(shown.contains("something hidden") && shown.contains(&format!("{next} to move")), "{shown}");
        played(&arguments, keys(before).chain(keys("quit\n")), (80, 24));
    }
    // Moves behind the one after which another human is to move are not made.
    let cut = played(&arguments, keys("\nbet; call\n"), (80, 24));
    assert!(cut.contains("second is next. Pass the keyboard") && cut.contains("the rest of the line was not"), "{cut}");
    // What was pressed before the pause is shown does not end it.
    let early = on_screen(&arguments, Script(keys("\nbet\n").collect(), true), (80, 24));
    assert!(early.contains("first is next. Pass the keyboard"), "{early}");
    // One human is not waited for, nor is anybody where everything is open, as it is at the end.
    let alone = played(&["kuhnPoker.hrg", "--as", "first", "--against", "random"], [], (80, 24));
    assert!(!alone.contains("Pass the keyboard"), "{alone}");
    let open = played(&TWO, keys("a1\n"), (80, 24));
    assert!(open.contains("o to move") && !open.contains("Pass the keyboard"), "{open}");
    let over = played(&arguments, keys("\nbet\n\nfold\n"), (80, 24));
    assert!(over.contains("the game is over"), "{over}");
}

/// While an agent thinks, the human at the screen sees what the human observed, not what the agent did.
#[test]
fn what_agents_observe_is_not_shown() {
    let arguments = ["kuhnPoker.hrg", "--as", "second", "--against", "uct:3600s", "--seed", "1"];
    let said = on_screen(&arguments, Later { looks: 20, key: Some(KeyCode::F(10)) }, (80, 24));
    assert!(said.contains("thinking") && said.contains("what you observed"), "{said}");
    let cards: Vec<&str> = said.split("chance: ").skip(1).filter_map(|rest| rest.split("  ").next()).collect();
    assert_eq!(cards.len(), 2, "{said}");
    assert_eq!(cards[0], "something hidden", "the card of the agent: {said}");
    assert!(["jack", "queen", "king"].contains(&cards[1]) && !said.contains("│bet"), "{said}");
}

/// An agent that would think for an hour is not waited for, however the play is left; nor is a hint.
#[test]
fn a_play_can_be_left_while_an_agent_thinks() {
    let slow = ["breakthrough", "--as", "black", "--against", "uct:3600s"];
    for left in [vec![KeyCode::F(10)], keys("q\n").collect(), keys("quit\n").collect()] {
        let start = Instant::now();
        let said = on_screen(&slow, Script(left.into(), true), (80, 24));
        let is_busy = said.contains("thinking") || said.contains("preparing the engine");
        assert!(is_busy && said.contains("white to move"), "{said}");
        assert!(start.elapsed() < Duration::from_secs(60), "it was waited for");
    }
    let hint = ["breakthrough", "--against", "flat:3600s"];
    let said = on_screen(&hint, Script([KeyCode::F(2), KeyCode::F(10)].into(), true), (80, 24));
    assert!(said.contains("thinking") || said.contains("preparing the engine"), "{said}");
}

/// What bots write on standard error is among the messages.
#[test]
fn what_others_write_is_a_message() {
    let said = beside(&["depth 5"], &TWO, Script(keys("b2").collect(), false), (80, 24));
    let messages = said.split("messages").nth(1).unwrap();
    assert!(messages.contains("│depth 5 "), "{said}");
}

/// Nothing fits, but nothing breaks either.
#[test]
fn tiny_and_large_screens() {
    // The line that is typed is there to the last.
    for height in 1..12 {
        let shown = played(&TWO, keys("zz"), (20, height));
        assert!(shown.contains("> zz"), "{height}: {shown}");
    }
    for size in [(1, 1), (2, 5), (20, 3), (10, 40), (300, 100)] {
        let moves = keys("a1\n\tb").chain([KeyCode::Down, KeyCode::PageDown, KeyCode::F(1), KeyCode::Enter]);
        played(&TWO, moves, size);
    }
}

/// On a narrow screen, the keys that matter least are not shown, and none is cut.
#[test]
fn keys_fit() {
    let keys = |width| played(&TWO, [], (width, 10)).lines().last().unwrap().trim_matches(['"', ' ']).to_owned();
    assert_eq!(keys(80), "F1 help  F2 hint  F3 undo  F4 save  F5 why  Tab completes  F10 quit");
    assert_eq!(keys(40), "F1 help  F3 undo  F4 save  F10 quit");
    assert_eq!(keys(20), "F1 help  F10 quit");
}

/// What is wider or higher than its place says how it is scrolled; labels of rows stay, and lists are broken instead.
#[test]
fn large_positions_fit_or_scroll() {
    let broken = played(&["backgammon.hrg", "--as", "none", "--against", "random"], [KeyCode::F(10)], (80, 24));
    assert!(broken.contains("checkers "), "{broken}");
    let wide = ["gomoku.rbg", "--as", "black,white"];
    let narrow = (44, 24);
    let before = played(&wide, [], narrow);
    let after = played(&wide, [KeyCode::Right], narrow);
    assert!(before.contains("← →") && after.contains("← →"), "{before}");
    let first = |screen: &str| screen.lines().nth(1).unwrap().chars().take(4).collect::<String>();
    assert_eq!(first(&before), first(&after), "the label of the row stays: {after}");
    assert_ne!(before.lines().nth(1), after.lines().nth(1), "the row is moved: {after}");
    let end = played(&wide, std::iter::repeat_n(KeyCode::Right, 50), narrow);
    assert_eq!(end.lines().nth(1).map(|line| line.trim().len() > 4), Some(true), "something stays in sight: {end}");
}

/// All of `help` is on a screen of usual size; Esc brings the position back.
#[test]
fn help_fits() {
    let help = played(&["chess.rbg", "--as", "white,black"], [KeyCode::F(1)], (80, 24));
    assert!(help.contains("Esc closes"), "{help}");
    assert!(help.contains("Tab completes") && help.contains("quit              ends"), "{help}");
    let back = played(&["chess.rbg", "--as", "white,black"], [KeyCode::F(1), KeyCode::Esc], (80, 24));
    assert!(back.contains("│1 "), "{back}");
    let again = keys("e2").chain([KeyCode::F(1), KeyCode::F(1)]);
    let again = played(&["chess.rbg", "--as", "white,black"], again, (80, 24));
    assert!(again.contains("│1 ") && again.contains("> e2"), "{again}");
}

/// What was read is no message, and the end of a game is not said any more once it is taken back.
#[test]
fn nothing_outdated_stays() {
    let read = played(&TWO, [KeyCode::F(1), KeyCode::Esc], (80, 24));
    assert!(!read.contains("scroll") && !read.contains("Tab completes, Up"), "{read}");
    let over = keys("a1\nb1\na2\nb2\na3\nb3\n");
    let after = played(&TWO, over.chain([KeyCode::F(3)]), (80, 24));
    assert!(after.contains("x to move") && !after.contains("the game is over"), "{after}");
    let keys = played(&TWO, keys("help F1\n"), (80, 24));
    assert!(keys.contains("F1 help, F2 hint"), "{keys}");
}

/// Lists are as wide as their longest line where the board leaves room.
#[test]
fn lists_are_not_cut_off() {
    let shown = played(&["theMillGame.hrg", "--as", "white,black", "--play", "large,0; small,6"], [], (80, 24));
    assert!(shown.contains("white: large,0 ") && shown.contains("black: small,6 "), "{shown}");
    let gdl = played(&["nim.gdl", "--as", "first,second"], keys("(leave d 6)\n"), (80, 24));
    assert!(gdl.contains("first: (leave d 6)"), "{gdl}");
}

/// What a player observed is shown from its end: that is where it grows.
#[test]
fn the_latest_observation_is_in_sight() {
    let fleet = ["a1", "a2", "a3", "a4", "a5"].map(|cell| format!("{cell} across\n")).concat();
    let shots = "a1 a2 b1 b2 c1 c2 d1 d2 e1 e2 f1 f2".split(' ').map(|cell| format!("{cell}\n\n")).collect::<String>();
    let typed = format!("\n{fleet}\n{fleet}\n{shots}");
    let said = played(&["battleships", "--as", "first,second"], keys(&typed), (80, 24));
    assert!(said.contains("second: f2 → miss"), "{said}");
}

/// A table that does not fit below boards side by side is reached by scrolling.
#[test]
fn tables_of_a_high_position_are_reached() {
    let fleet = "a1 across\na2 across\na3 across\na4 across\na5 across\n";
    let typed = format!("\n{fleet}\n{fleet}\nj10\n\nj10\n\n");
    let at = |more: &[KeyCode]| {
        played(&["battleships", "--as", "first,second"], keys(&typed).chain(more.iter().copied()), (80, 24))
    };
    let before = at(&[]);
    let latest = before.find("second: j10 → miss");
    assert!(latest < before.find("sea[first]:") && latest.is_some() && before.contains("PgUp PgDn scroll"), "{before}");
    let after = at(&[KeyCode::PageDown]);
    assert!(after.contains("afloat first second") && after.contains("pieces: s = ship"), "{after}");
    assert!(after.contains("?: hidden from you") || !after.contains(" ? "), "{after}");
}

/// A message that is longer than its area begins at its beginning, and the rest is a key away.
#[test]
fn long_messages_scroll() {
    let list = |pages: usize| {
        let pages = std::iter::repeat_n(KeyCode::PageDown, pages);
        played(&["ticTacToe.rg", "--as", "x,o"], keys("moves\n").chain(pages), (80, 16))
    };
    let (first, last) = (list(0), list(3));
    assert!(first.contains("1. a1") && !first.contains("9. c3") && first.contains("PgUp PgDn scroll"), "{first}");
    assert!(last.contains("9. c3") && !last.contains("1. a1"), "{last}");
}

/// While the engine is prepared, keys act at once: a hint is not waited for, nor is the play of an agent.
#[test]
fn preparing_is_not_waited_for() {
    let start = Instant::now();
    let question = [KeyCode::F(2), KeyCode::Esc].into_iter().chain(keys("e2e4\n"));
    let said = on_screen(&["chess.rbg", "--as", "white,black"], Slow(question.collect()), (80, 24));
    assert!(said.contains("stopped") && said.contains("black to move"), "{said}");
    let left = Later { looks: 1, key: Some(KeyCode::F(10)) };
    let said = on_screen(&["chess.rbg", "--as", "black"], left, (80, 24));
    assert!(said.contains("preparing the engine") && said.contains("white to move"), "{said}");
    assert!(start.elapsed() < Duration::from_secs(60), "it was waited for");
}

#[test]
fn the_end_says_what_can_be_done() {
    let over = played(&TWO, keys("a1\nb1\na2\nb2\na3\n"), (80, 24));
    assert!(over.contains("new, undo or quit > "), "{over}");
    let help = played(&TWO, keys("a1\nb1\na2\nb2\na3\nhelp\n"), (80, 24));
    assert!(help.contains("starts again") && !help.contains("third move"), "{help}");
    let again = played(&TWO, keys("a1\nb1\na2\nb2\na3\nnew\n"), (80, 24));
    assert!(again.contains("x to move, 9 legal moves"), "{again}");
}

/// A search that takes seconds shows that it goes on, and Esc stops it without leaving the play.
#[test]
fn a_search_is_stopped() {
    let question = keys("why e1e8\n").chain([KeyCode::Esc]).chain(keys("e2e4\n"));
    let said = on_screen(&["chess.rbg", "--as", "white,black"], Slow(question.collect()), (80, 24));
    assert!(said.contains("stopped") && said.contains("black to move"), "{said}");
}

/// What is too wide or too high for its usual place gets more room, lies side by side, or is written with less.
#[test]
fn boards_of_boards_fit() {
    for game in ["ultimateTicTacToe.rbg", "ultimateTicTacToe.hrg"] {
        let shown = played(&[game, "--as", "crosses,noughts"], [], (80, 24));
        let keys = ["← →", "PgUp"].iter().any(|keys| shown.split("history").nth(1).unwrap().contains(keys));
        assert!(!keys, "{shown}");
    }
    let small = played(&["ultimateTicTacToe.rbg", "--as", "crosses,noughts"], keys("a1\n"), (80, 24));
    assert!(small.contains("x  a2 a3   b1 b2 b3"), "empty places have their names: {small}");
}
