//! One-letter misspellings of names and keywords in the bundled games: how many of them are found, and where.

use crate::support::Scratch;
use kit::library::{self, Bundled};
use rayon::prelude::*;
use rg_ir::{Diagnostic, SourceMap};
use std::fmt::Write as _;
use std::fs;
use std::ops::Range;
use std::path::Path;

/// Misspellings per language.
const SAMPLES: usize = 100;

/// Texts that are longer take too long to be read so often.
const MAX_TEXT: usize = 6000;

/// A misspelt text of a game.
struct Typo {
    game: Bundled,
    /// Where the word stands in the right text.
    place: Range<usize>,
    wrong: String,
}

/// What became of it.
enum Outcome {
    /// Found in its line, with a suggestion that gives the right text back.
    Mended,
    /// Found in its line, with another suggestion or none.
    Found(String),
    /// Only findings in other lines, none of whose suggestions gives the right text back.
    Elsewhere(String),
    Silent,
}

/// Pseudorandom numbers, the same in every run.
struct Draw(u64);

impl Draw {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % bound
    }
}

/// The words of a text that begin with a letter, outside comments.
fn words(game: &Bundled) -> Vec<Range<usize>> {
    let sign = if game.language.name == "gdl" { ";" } else { "//" };
    let mut words = Vec::new();
    let mut start = 0;
    for line in game.text.split_inclusive('\n') {
        let code = line.split(sign).next().unwrap();
        let mut end = 0;
        for word in code.split_inclusive(|c: char| !c.is_alphanumeric() && c != '_') {
            let from = end;
            end += word.len();
            let word = word.trim_end_matches(|c: char| !c.is_alphanumeric() && c != '_');
            if word.starts_with(char::is_alphabetic) {
                words.push(start + from..start + from + word.len());
            }
        }
        start += line.len();
    }
    words
}

/// A word with a letter doubled, left out, or transposed with its neighbour.
fn misspelt(word: &str, draw: &mut Draw) -> String {
    let mut letters: Vec<char> = word.chars().collect();
    let place = draw.below(letters.len());
    match draw.below(3) {
        1 if letters.len() > 2 => _ = letters.remove(place),
        2 if place + 1 < letters.len() => letters.swap(place, place + 1),
        _ => letters.insert(place, letters[place]),
    }
    letters.into_iter().collect()
}

/// Whether all that a finding suggests is the very name that it is about.
fn suggests_itself(finding: &Diagnostic) -> bool {
    let quoted = |text: &str| -> Vec<String> {
        text.split('`').skip(1).step_by(2).map(|name| name.trim_start_matches('#').to_owned()).collect()
    };
    let help = finding.help.as_deref().filter(|help| help.starts_with("did you mean"));
    let told = quoted(&finding.message);
    told.len() == 1 && help.is_some_and(|help| quoted(help) == told)
}

/// Misspellings that give no word of the game.
fn typos(language: &str, count: usize, draw: &mut Draw) -> Vec<Typo> {
    let games: Vec<Bundled> = library::all().into_iter().filter(|game| game.language.name == language).collect();
    let games: Vec<Bundled> = games.into_iter().filter(|game| game.text.len() < MAX_TEXT).collect();
    let mut typos = Vec::new();
    while typos.len() < count {
        let game = games[draw.below(games.len())];
        let words = words(&game);
        let place = words[draw.below(words.len())].clone();
        let wrong = misspelt(&game.text[place.clone()], draw);
        if !words.iter().any(|word| game.text[word.clone()] == wrong) {
            typos.push(Typo { game, place, wrong });
        }
    }
    typos
}

fn outcome(folder: &Path, number: usize, typo: &Typo) -> Outcome {
    let mut text = typo.game.text.to_owned();
    text.replace_range(typo.place.clone(), &typo.wrong);
    let file = folder.join(format!("{number}.{}", typo.game.language.name));
    fs::write(&file, &text).unwrap();
    let mut sources = SourceMap::default();
    let (_, mut found) = kit::load(&mut sources, &file, None);
    // Right texts have that, too.
    found.retain(|finding| finding.code != "GDL640");
    if found.is_empty() {
        return Outcome::Silent;
    }
    assert!(!found.iter().any(suggests_itself), "{found:?}");
    let line = |at: usize| text[..at].matches('\n').count();
    let gives_back = |finding: &&Diagnostic| {
        finding.fixes.iter().any(|fix| {
            let mut edits = fix.edits.clone();
            edits.sort_by_key(|edit| std::cmp::Reverse(edit.span.start));
            let mut text = text.clone();
            edits.iter().for_each(|edit| text.replace_range(edit.span.range(), &edit.text));
            text == typo.game.text
        })
    };
    let there = |finding: &&Diagnostic| {
        finding.primary.as_ref().is_some_and(|place| line(place.span.range().start) == line(typo.place.start))
    };
    let first = format!("{} {}", found[0].code, found[0].message);
    if found.iter().any(|finding| gives_back(&finding)) {
        Outcome::Mended
    } else if found.iter().any(|finding| there(&finding)) {
        Outcome::Found(first)
    } else {
        Outcome::Elsewhere(first)
    }
}

/// Language; per cent of misspellings that are found at all, and that have a fix which gives the right text back.
///
/// What is not found: names that occur nowhere else, so that nothing has the right spelling, such as tags and symbols of ranges in HRG and variables
/// of GDL that stand once; the name of a game in SBG. What has no such fix: words that are right in the rest of the text, but not used there.
const RATES: [(&str, usize, usize); 5] =
    [("rg", 98, 94), ("rbg", 98, 94), ("hrg", 95, 92), ("sbg", 95, 95), ("gdl", 96, 94)];

#[test]
fn misspelt_words_are_found_where_they_stand() {
    let scratch = Scratch::new("typos");
    let folder = scratch.path("");
    for (language, found_rate, mended_rate) in RATES {
        let typos = typos(language, SAMPLES, &mut Draw(7));
        let outcomes: Vec<Outcome> =
            typos.par_iter().enumerate().map(|(number, typo)| outcome(Path::new(&folder), number, typo)).collect();
        let (mut found, mut mended) = (0, 0);
        let mut listed = String::new();
        for (typo, outcome) in typos.iter().zip(&outcomes) {
            let what = match outcome {
                Outcome::Mended => {
                    mended += 1;
                    found += 1;
                    continue;
                }
                Outcome::Found(finding) => {
                    found += 1;
                    format!("no fix: {finding}")
                }
                Outcome::Elsewhere(finding) => format!("found elsewhere only: {finding}"),
                Outcome::Silent => "not found".to_owned(),
            };
            let line = typo.game.text[..typo.place.start].matches('\n').count() + 1;
            let (file, right) = (typo.game.file_name(), &typo.game.text[typo.place.clone()]);
            writeln!(listed, "{file}:{line}: `{right}` as `{}`: {what}", typo.wrong).unwrap();
        }
        let enough = found * 100 >= found_rate * SAMPLES && mended * 100 >= mended_rate * SAMPLES;
        assert!(enough, "{language}: {found} found, {mended} mended, of {SAMPLES}\n{listed}");
    }
}
