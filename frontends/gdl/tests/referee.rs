//! The rules asked directly: like the oracle says, and what a translation has no word for.
#![allow(clippy::unwrap_used, clippy::panic)] // a test stops at the first surprise

mod common;

use common::oracle::{corpus, hash, oracle, sheets};
use rg_ir::{RuleBook, SourceId};
use std::time::{Duration, Instant};

fn referee(text: &str) -> gdl::Referee {
    let (description, findings) = gdl::parse(SourceId(0), text);
    gdl::Referee::new(&description.unwrap_or_else(|| panic!("{}", common::render(text, &findings)))).unwrap()
}

fn texts(list: &[&[&str]]) -> Vec<Vec<String>> {
    list.iter().map(|texts| texts.iter().map(|&text| text.to_owned()).collect()).collect()
}

#[test]
fn goals_that_are_several_or_none() {
    let mut rules = referee(
        "(role p) (role q) (init (at a)) (<= (legal p go) (true (at a))) (legal q wait) (<= (next (at b)) (does p go))
         (worth 30) (worth 70) (<= terminal (true (at b))) (<= (goal p ?n) (true (at b)) (worth ?n)) (<= (goal q 5) (true (at a)))",
    );
    let start = rules.initial().unwrap();
    assert_eq!(start, "(at a)");
    assert_eq!(rules.legal(&start), Some(texts(&[&["go"], &["wait"]])));
    let end = rules.next(&start, &["go".to_owned(), "wait".to_owned()]).unwrap();
    assert_eq!((end.as_str(), rules.is_terminal(&end)), ("(at b)", Some(true)));
    assert_eq!(rules.goals(&end), Some(texts(&[&["30", "70"], &[]])));
    assert_eq!(rules.legal(&end), Some(texts(&[&[], &["wait"]])));
    assert!(!rules.has_percepts());
}

#[test]
fn percepts() {
    let mut rules = referee(
        "(role ann) (role bob) (init s) (<= (legal ?r (say ?x)) (role ?r) (word ?x)) (word yes) (word no)
         (<= (sees ?r (does ?q ?m)) (role ?r) (does ?q ?m) (distinct ?q ?r)) (<= (sees bob (heard ?x)) (does ann (say ?x)))
         (<= (next t) (true s)) (<= terminal (true t)) (<= (goal ?r 100) (role ?r))",
    );
    let moves = ["(say no)".to_owned(), "(say yes)".to_owned()];
    let seen = texts(&[&["(does bob (say yes))"], &["(does ann (say no))", "(heard no)"]]);
    assert_eq!(rules.percepts("s", &moves), Some(seen));
}

#[test]
fn recursion_and_negation() {
    // A ring of places: who is where can be reached in both directions, and each role has what the other has not.
    let mut rules = referee(
        "(role p) (edge a b) (edge b c) (edge c a) (edge d a) (init (at a)) (init (wall c))
         (<= (way ?x ?y) (open ?x ?y)) (<= (way ?x ?z) (way ?x ?y) (open ?y ?z))
         (<= (open ?x ?y) (edge ?x ?y) (not (true (wall ?y))))
         (<= (legal p (go ?y)) (true (at ?x)) (way ?x ?y)) (<= (legal p stay) (true (at ?x)) (not (way ?x ?x)))
         (<= (next (at ?y)) (does p (go ?y))) (<= terminal (true (at d)))
         (<= (goal p 0) (role p) (not (goal p 100))) (<= (goal p 100) (true (at b)))",
    );
    let start = rules.initial().unwrap();
    assert_eq!(rules.legal(&start), Some(texts(&[&["(go b)", "stay"]])));
    assert_eq!(rules.goals(&start), Some(texts(&[&["0"]])));
    let open = rules.next(&start, &["(go b)".to_owned()]).unwrap();
    assert_eq!(rules.legal(&open), Some(texts(&[&["(go a)", "(go b)", "(go c)"]])));
    assert_eq!(rules.goals(&open), Some(texts(&[&["100"]])));
}

/// Playout 0 of the oracle, as far as time goes.
#[test]
fn like_the_oracle() {
    let Some(corpus) = corpus() else { return };
    let table = oracle(&corpus);
    let (mut whole, mut given_up) = (0, Vec::new());
    let end = Instant::now() + Duration::from_secs(60);
    for (name, path) in sheets(&corpus) {
        let Some(row) = table.get(&name).filter(|row| row["p0_status"] == "terminal") else { continue };
        let bytes = std::fs::read(&path).unwrap();
        let (description, _) = gdl::parse(SourceId(0), &String::from_utf8_lossy(&bytes));
        let Some(mut rules) = description.and_then(|description| gdl::Referee::new(&description)) else { continue };
        let until = end.min(Instant::now() + Duration::from_millis(500));
        match playout(&mut rules, until) {
            Some(Some((counts, states, goals))) => {
                assert_eq!(
                    (counts.as_str(), states.as_str()),
                    (row["p0_counts"].as_str(), row["p0_hash"].as_str()),
                    "{name}"
                );
                assert_eq!(goals, row["p0_goals"], "{name}");
                whole += 1;
            }
            Some(None) => {}
            None => given_up.push(name),
        }
    }
    println!("{whole} games; too much effort: {given_up:?}");
    assert!(whole > 60 && given_up.len() < 20, "{whole} games; too much effort: {given_up:?}");
}

/// Counts, hash of states and goals; nothing inside if the time is over, nothing at all if it takes too much effort.
fn playout(rules: &mut gdl::Referee, until: Instant) -> Option<Option<(String, String, String)>> {
    let mut state = rules.initial()?;
    let (mut counts, mut hashes) = (Vec::new(), Vec::new());
    while !rules.is_terminal(&state)? {
        if Instant::now() > until {
            return Some(None);
        }
        let legal = rules.legal(&state)?;
        let step = hashes.len();
        let choice = |(role, moves): (usize, &Vec<String>)| moves[(7 * step + 3 * role) % moves.len()].clone();
        let moves: Vec<String> = legal.iter().enumerate().map(choice).collect();
        counts.push(legal.iter().map(|moves| moves.len().to_string()).collect::<Vec<_>>().join(":"));
        state = rules.next(&state, &moves)?;
        hashes.push(hash(&state));
    }
    let goals = rules.goals(&state)?;
    let goals: Vec<String> =
        goals.iter().map(|values| if values.is_empty() { "none".to_owned() } else { values.join("|") }).collect();
    Some(Some((counts.join(","), hash(&hashes.join("\n")), goals.join(" "))))
}
