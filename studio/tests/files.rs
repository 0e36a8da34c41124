//! What saving does to files.
#![cfg(unix)]
#![allow(clippy::unwrap_used, clippy::panic)] // a test stops at the first surprise

mod support;

use serde_json::{Value, json};
use std::fs::{self, Permissions};
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::time::{Duration, Instant};
use support::Served;

fn text() -> &'static str {
    kit::library::find("ticTacToe", Some("rbg")).unwrap().text
}

#[test]
fn permissions_are_kept_and_respected() {
    let served = Served::new();
    let path = served.folder.path().join("own.rbg");
    fs::write(&path, text()).unwrap();
    let mut page = served.page();
    let game = page.open(json!({ "path": "own.rbg" }));
    fs::set_permissions(&path, Permissions::from_mode(0o600)).unwrap();
    page.ask("save", json!({ "game": game, "text": "first" }));
    assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
    fs::set_permissions(&path, Permissions::from_mode(0o444)).unwrap();
    assert_eq!(page.request("save", json!({ "game": game, "text": "second" })).unwrap_err()["code"], "IO303");
    assert_eq!(fs::read_to_string(&path).unwrap(), "first");
    assert_eq!(fs::read_dir(served.folder.path()).unwrap().count(), 1, "nothing is left over");
}

#[test]
fn a_file_that_was_removed_can_be_saved_again() {
    let served = Served::new();
    let path = served.folder.path().join("own.rbg");
    fs::write(&path, text()).unwrap();
    let mut page = served.page();
    let game = page.open(json!({ "path": "own.rbg" }));
    fs::remove_file(&path).unwrap();
    assert_eq!(page.notified("changed")["gone"], true);
    page.ask("save", json!({ "game": game, "text": "again" }));
    assert_eq!(fs::read_to_string(&path).unwrap(), "again");
}

/// A file that is there, or that others have changed, is replaced only by those who say so.
#[test]
fn a_file_is_replaced_where_that_is_confirmed() {
    let served = Served::new();
    let path = served.folder.path().join("own.rbg");
    fs::write(&path, "of another one").unwrap();
    let mut page = served.page();
    let game = page.open(json!({ "name": "ticTacToe.rbg" }));
    let save = |replace: &Value| json!({ "game": game, "text": "mine", "path": "own.rbg", "replace": replace });
    let refused = page.request("save", save(&Value::Null)).unwrap_err();
    assert_eq!(refused["code"], "exists");
    assert_eq!(fs::read_to_string(&path).unwrap(), "of another one");
    page.ask("save", save(&refused["digest"]));
    assert_eq!(fs::read_to_string(&path).unwrap(), "mine");
    fs::write(&path, "changed").unwrap();
    let again = |replace: &Value| json!({ "game": game, "text": "mine again", "replace": replace });
    let refused = page.request("save", again(&Value::Null)).unwrap_err();
    assert_eq!(refused["code"], "IO392");
    // What was not there when somebody was told is not replaced, though replacing was confirmed.
    fs::write(&path, "changed once more").unwrap();
    let unseen = page.request("save", again(&refused["digest"])).unwrap_err();
    assert_eq!((&unseen["code"], fs::read_to_string(&path).unwrap().as_str()), (&json!("IO392"), "changed once more"));
    assert_ne!(unseen["digest"], refused["digest"]);
    // A page is told by itself as well.
    assert_eq!(page.notified("changed")["digest"], unseen["digest"]);
    page.ask("save", again(&unseen["digest"]));
    assert_eq!(fs::read_to_string(&path).unwrap(), "mine again");
    // What the text is a change of may be replaced in any case.
    page.ask("save", again(&json!("of nothing")));
    // Links that lead out of the folder are not followed, whatever is said.
    symlink("/etc/hostname", served.folder.path().join("out.rbg")).unwrap();
    assert!(
        page.request("save", json!({ "game": game, "text": "x", "path": "out.rbg", "replace": unseen["digest"] }))
            .is_err()
    );
}

#[test]
fn links_stay_links() {
    let served = Served::new();
    let folder = served.folder.path();
    fs::write(folder.join("own.rbg"), text()).unwrap();
    symlink("own.rbg", folder.join("link.rbg")).unwrap();
    let mut page = served.page();
    let game = page.open(json!({ "path": "link.rbg" }));
    page.ask("save", json!({ "game": game, "text": "new" }));
    assert!(fs::symlink_metadata(folder.join("link.rbg")).unwrap().is_symlink());
    assert_eq!(fs::read_to_string(folder.join("own.rbg")).unwrap(), "new");
    // One that leads to a hidden folder is not written through.
    fs::create_dir(folder.join(".git")).unwrap();
    fs::write(folder.join(".git/hook.rbg"), text()).unwrap();
    symlink(".git/hook.rbg", folder.join("hook.rbg")).unwrap();
    let hook = page.open(json!({ "path": "hook.rbg" }));
    assert!(page.request("save", json!({ "game": hook, "text": "new" })).is_err());
    assert_eq!(fs::read_to_string(folder.join(".git/hook.rbg")).unwrap(), text());
}

#[test]
fn hidden_names_and_control_characters_are_refused() {
    let served = Served::new();
    fs::create_dir(served.folder.path().join(".git")).unwrap();
    let mut page = served.page();
    let game = page.open(json!({ "name": "ticTacToe.rbg" }));
    for path in [".git/new.rbg", ".new.rbg", "a\nb.rbg", "a\u{1b}[2J.rbg", "a\u{0}.rbg"] {
        let save = json!({ "game": game, "text": "new", "path": path });
        assert_eq!(page.request("save", save).unwrap_err()["code"], "IO303", "{path:?}");
    }
    assert_eq!(fs::read_dir(served.folder.path().join(".git")).unwrap().count(), 0);
}

#[test]
fn pipes_are_no_files() {
    let served = Served::new();
    let path = served.folder.path().join("own.rbg");
    fs::write(&path, text()).unwrap();
    let mut page = served.page();
    page.open(json!({ "path": "own.rbg" }));
    fs::remove_file(&path).unwrap();
    let made = std::process::Command::new("mkfifo").arg(&path).status();
    if !made.is_ok_and(|status| status.success()) {
        return;
    }
    let start = Instant::now();
    assert_eq!(page.notified("changed")["gone"], true);
    assert!(page.request("open", json!({ "path": "own.rbg" })).is_err());
    assert!(start.elapsed() < Duration::from_secs(20), "nothing waits for the other end");
}

#[test]
fn of_two_pages_that_save_at_once_one_is_told() {
    let served = Served::new();
    fs::write(served.folder.path().join("own.rbg"), text()).unwrap();
    for round in 0..20 {
        let mut pages = [served.page(), served.page()];
        let games = pages.each_mut().map(|page| page.ask("open", json!({ "path": "own.rbg" }))["game"].clone());
        let saved: Vec<bool> = std::thread::scope(|scope| {
            let save = |(at, (page, game))| {
                let (page, game): (&mut support::Client, &Value) = (page, game);
                let text = format!("round {round}, page {at}");
                scope.spawn(move || page.request("save", json!({ "game": game, "text": text })).is_ok())
            };
            let running: Vec<_> = pages.iter_mut().zip(&games).enumerate().map(save).collect();
            running.into_iter().map(|thread| thread.join().unwrap()).collect()
        });
        assert_eq!(saved.iter().filter(|&&saved| saved).count(), 1, "the other text would be lost");
        let winner = saved.iter().position(|&saved| saved).unwrap();
        let file = fs::read_to_string(served.folder.path().join("own.rbg")).unwrap();
        assert_eq!(file, format!("round {round}, page {winner}"));
    }
}
