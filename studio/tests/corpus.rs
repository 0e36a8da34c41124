//! Games that others have written open without an error of the studio: a text with findings is shown with them.
#![allow(clippy::unwrap_used, clippy::panic)] // a test stops at the first surprise

mod support;

use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use studio::Options;
use support::Served;

#[test]
fn a_folder_of_old_games_opens() {
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/corpus");
    let corpus = std::env::var_os("RGC_CORPUS").map_or(own, PathBuf::from);
    if !corpus.is_dir() {
        println!("skipped: there is no corpus at {}", corpus.display());
        return;
    }
    let served = Served::at(&corpus, Options { read_only: true, ..Options::default() });
    let mut page = served.page();
    let files = page.ask("library", json!({}))["files"].take();
    let files = files.as_array().unwrap();
    assert!(files.len() > 100, "{}", files.len());
    let mut good = 0;
    for file in files {
        let opened = page.ask("open", json!({ "path": file["path"] }));
        // Sheets in GDL can take long to be translated; that they are read is enough here.
        if opened["language"] != "gdl" {
            let update = json!({ "game": opened["game"], "version": 0, "text": opened["text"] });
            let checked = page.ask("update", update);
            assert_eq!(checked["errors"] == 0, checked["wrong"] == Value::Null, "{file}");
            good += u32::from(checked["errors"] == 0);
        }
        page.ask("close", json!({ "number": opened["game"] }));
    }
    assert!(good > 100, "{good}");
}
