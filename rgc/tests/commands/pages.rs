//! `rgc studio --export`: pages that need no server.

#![cfg(feature = "studio")]

use crate::support::{Scratch, rgc};
use std::fs;

/// A game that ends after one move.
const SHORT: &str =
    "type Player = { p };\ntype Score = { 0, 1 };\nbegin, a: player = p;\na, b: $ go;\nb, end: player = keeper;\n";

#[test]
fn one_game_has_one_page() {
    let scratch = Scratch::new("page");
    let (game, page) = (scratch.path("own.rg"), scratch.path("own.html"));
    fs::write(&game, SHORT).unwrap();
    let run = rgc(["studio", &game, "--export", &page, "--players", "random"]);
    assert_eq!((run.code, run.stdout.as_str(), run.stderr.as_str()), (0, "", ""));
    let text = fs::read_to_string(&page).unwrap();
    assert!(text.starts_with("<!doctype html>") && text.contains("\"seats\":[\"random\"]"));
    // It is replaced by a later one, but nothing else is.
    assert_eq!(rgc(["studio", "ticTacToe", "--export", &page, "--players", "random"]).code, 0);
    assert!(fs::read_to_string(&page).unwrap().contains("Tic-tac-toe"));
    fs::write(&page, "notes").unwrap();
    let run = rgc(["studio", &game, "--export", &page]);
    assert!(run.code == 1 && run.stderr.contains("IO354"), "{}", run.stderr);
    assert_eq!(fs::read_to_string(&page).unwrap(), "notes");
    assert_eq!(rgc(["studio", &game, "--export", &page, "--force"]).code, 0);
    // The game itself is never lost, whatever it is called.
    let odd = scratch.path("odd.html");
    fs::write(&odd, SHORT).unwrap();
    let run = rgc(["studio", &odd, "--export", &odd, "--force"]);
    assert!(run.code != 0, "{}", run.stderr);
    assert_eq!(fs::read_to_string(&odd).unwrap(), SHORT);
}

#[test]
fn a_folder_has_pages_and_a_list() {
    let scratch = Scratch::new("site");
    let (games, site) = (scratch.path("games"), scratch.path("site"));
    fs::create_dir_all(format!("{games}/inner")).unwrap();
    for name in ["one.rg", "inner/one.rg", "a b'<i>.rg"] {
        fs::write(format!("{games}/{name}"), SHORT).unwrap();
    }
    fs::write(format!("{games}/broken.rg"), "type Player = {").unwrap();
    let run = rgc(["studio", &games, "--export", &site, "--players", "random"]);
    // What is wrong with one game keeps no other from having a page.
    assert!(run.code == 1 && run.stderr.contains("broken.rg"), "{}", run.stderr);
    let mut pages: Vec<String> =
        fs::read_dir(&site).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    pages.sort_unstable();
    assert_eq!(pages, ["a-b--i--rg.html", "index.html", "one-rg-2.html", "one-rg.html"]);
    let list = fs::read_to_string(format!("{site}/index.html")).unwrap();
    assert!(pages.iter().filter(|page| *page != "index.html").all(|page| list.contains(&format!("href=\"{page}\""))));
    assert!(!list.contains("<i>"));
    let run = rgc(["studio", &games, "--export", &scratch.path("all.html")]);
    assert!(run.code == 1 && run.stderr.contains("IO351"), "{}", run.stderr);
    assert!(!fs::exists(scratch.path("all.html")).unwrap());
    // What looks like a file of another kind is not made a folder, unless it says so.
    let run = rgc(["studio", "ticTacToe", "--export", &scratch.path("page.txt")]);
    assert!(run.code == 1 && run.stderr.contains("IO356"), "{}", run.stderr);
    assert!(!fs::exists(scratch.path("page.txt")).unwrap());
    let folder = format!("{}/", scratch.path("site.v2"));
    assert_eq!(rgc(["studio", &format!("{games}/one.rg"), "--export", &folder, "--players", "random"]).code, 0);
    assert!(fs::exists(format!("{folder}index.html")).unwrap());
    let run = rgc(["studio", "http://127.0.0.1:1/#g=abc", "--export", &site]);
    assert!(run.code == 1 && run.stderr.contains("IO351") && run.stderr.contains("rgc studio LINK"), "{}", run.stderr);
}

#[test]
fn a_list_that_may_not_be_replaced_is_known_before_the_work() {
    let scratch = Scratch::new("list");
    let site = scratch.path("site");
    fs::create_dir_all(&site).unwrap();
    fs::write(format!("{site}/index.html"), "notes").unwrap();
    let names = || fs::read_dir(&site).unwrap().map(|entry| entry.unwrap().file_name()).collect::<Vec<_>>();
    let run = rgc(["studio", "ticTacToe", "--export", &site, "--players", "random"]);
    assert!(run.code == 1 && run.stderr.contains("IO354"), "{}", run.stderr);
    assert_eq!(names(), ["index.html"], "no page was made");
    assert_eq!(fs::read_to_string(format!("{site}/index.html")).unwrap(), "notes");
    let run = rgc(["studio", "ticTacToe", "--export", &site, "--players", "random", "--force"]);
    assert_eq!((run.code, names().len()), (0, 2), "{}", run.stderr);
}

#[test]
fn what_cannot_be_exported_is_said() {
    let scratch = Scratch::new("unexported");
    let page = scratch.path("page.html");
    for (arguments, code) in [
        (vec!["studio", "noSuchGame", "--export", page.as_str()], "IO301"),
        (vec!["studio", "ticTacToe", "--export", page.as_str(), "--players", "cmd:false"], "IO394"),
        (vec!["studio", "ticTacToe", "--export", "-"], "IO309"),
    ] {
        let run = rgc(arguments);
        assert!(run.code == 1 && run.stderr.contains(code), "{code}: {}", run.stderr);
    }
    for wrong in [&["--players", "random"][..], &["--export", "x.html", "--port", "80"], &["--force"]] {
        let run = rgc([&["studio", "ticTacToe"], wrong].concat());
        assert_eq!(run.code, 2, "{wrong:?}: {}", run.stderr);
    }
}
