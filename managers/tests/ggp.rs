//! Matches of the GGP protocol over the loopback interface: a manager and players of the crate, and players and managers that break the
//! protocol. A match always ends, and what went wrong stands in its record.

#![allow(clippy::unwrap_used, clippy::panic)] // a test stops at the first surprise

use backend::Options as EngineOptions;
use kit::language::{LANGUAGES, Reading};
use kit::load::{Loaded, load_text};
use kit::participant::Participant;
use kit::runner::Runner;
use managers::ggp::{
    Address, Match, Options, Outcome, PATIENCE, Played, Player, Request, Rules, ask, play_line, record,
};
use rg_ir::SourceId;
use std::io::{Read as _, Write as _};
use std::net::{Ipv4Addr, TcpListener};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

static NEVER: AtomicBool = AtomicBool::new(false);

/// Two players name a number at the same time; equal numbers win for `a`, others for `b`; three rounds.
const PENNIES: &str = "
    (role a) (role b) (init (round 0)) (init (score 0))
    (succ 0 1) (succ 1 2) (succ 2 3)
    (<= (legal ?r (show ?n)) (role ?r) (coin ?n)) (coin 1) (coin 2)
    (<= (next (round ?m)) (true (round ?n)) (succ ?n ?m))
    (<= same (does a (show ?n)) (does b (show ?n)))
    (<= (next (score ?m)) (true (score ?n)) (succ ?n ?m) same)
    (<= (next (score ?n)) (true (score ?n)) (not same))
    (<= terminal (true (round 3)))
    (<= won (true (score 2))) (<= won (true (score 3)))
    (<= (goal a 100) won) (<= (goal a 0) (not won)) (<= (goal b 0) won) (<= (goal b 100) (not won))";

/// A coin is tossed in secret, `a` is told the side, `b` has to guess it, and `a` says true or false things about it.
const SECRET: &str = "
    (role a) (role b) (role random) (side heads) (side tails) (init (phase toss))
    (<= (legal random (toss ?s)) (true (phase toss)) (side ?s))
    (<= (legal random noop) (not (true (phase toss))))
    (<= (legal a noop) (not (true (phase say))))
    (<= (legal a (say ?s)) (true (phase say)) (side ?s))
    (<= (legal b noop) (not (true (phase guess))))
    (<= (legal b (guess ?s)) (true (phase guess)) (side ?s))
    (<= (next (coin ?s)) (does random (toss ?s))) (<= (next (coin ?s)) (true (coin ?s)))
    (<= (next (phase say)) (true (phase toss))) (<= (next (phase guess)) (true (phase say)))
    (<= (next (phase over)) (true (phase guess)))
    (<= (next (guessed ?s)) (does b (guess ?s))) (<= (next (guessed ?s)) (true (guessed ?s)))
    (<= (sees a (side ?s)) (does random (toss ?s))) (<= (sees b (heard ?s)) (does a (say ?s)))
    (<= terminal (true (phase over)))
    (<= right (true (coin ?s)) (true (guessed ?s)))
    (<= (goal b 100) right) (<= (goal b 0) (not right)) (<= (goal a 0) right) (<= (goal a 100) (not right))
    (<= (goal random 0) (role random))";

fn runner(text: &str) -> Runner {
    let language = LANGUAGES.iter().find(|language| language.name == "gdl").unwrap();
    let (translation, findings) = load_text(SourceId(0), "game", text, language, Reading::default());
    let loaded =
        Loaded::new("game".to_owned(), language, SourceId(0), translation.unwrap_or_else(|| panic!("{findings:?}")));
    Runner::new(loaded, EngineOptions { keep_dead: true, ..EngineOptions::default() }).unwrap()
}

fn rules<'r>(runner: &'r Runner, text: &str) -> Rules<'r> {
    let second = Duration::from_secs(1);
    let text = gdl::print_prefix(&gdl::parse(SourceId(0), text).0.unwrap());
    Rules { runner, text, start_clock: second * 20, play_clock: second, max_steps: 100, is_scrambled: false }
}

/// A player of the crate.
fn player(agent: &str, seed: u64) -> Address {
    let agent = Participant::parse(agent).unwrap();
    let host = Ipv4Addr::LOCALHOST.into();
    let options = Options { name: "tester".to_owned(), host, port: 0, agent, seed, reading: Reading::default() };
    let player = Player::bind(options, Arc::new(|_| ())).unwrap();
    let address = Address::parse(&player.address().to_string()).unwrap();
    thread::spawn(move || player.run(&NEVER));
    address
}

/// What is answered to the connection with a number; nothing at all if there is none.
type Answer = Box<dyn Fn(usize) -> Option<Vec<u8>> + Send>;

/// A player that gives the answer of a function to the number of the connection.
fn liar(answer: impl Fn(usize) -> Option<Vec<u8>> + Send + 'static) -> (Address, Arc<AtomicUsize>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = Address::parse(&listener.local_addr().unwrap().to_string()).unwrap();
    let count = Arc::new(AtomicUsize::new(0));
    let counter = Arc::clone(&count);
    thread::spawn(move || {
        let mut silent = Vec::new();
        for stream in listener.incoming() {
            let Ok(mut stream) = stream else { return };
            let number = counter.fetch_add(1, Ordering::SeqCst);
            let mut heard = [0; 65_536];
            let _ = stream.read(&mut heard);
            match answer(number) {
                Some(bytes) => _ = stream.write_all(&bytes),
                None => silent.push(stream),
            }
        }
    });
    (address, count)
}

fn http(body: &str) -> Option<Vec<u8>> {
    Some(format!("HTTP/1.1 200 OK\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}", body.len()).into_bytes())
}

fn played(rules: &Rules<'_>, players: &[&Address], seed: u64) -> Played {
    let players = players.iter().map(|&address| address.clone()).collect();
    rules.play(&Match { id: format!("test.{seed}"), players, seed, stop: &NEVER }).unwrap()
}

fn failures(played: &Played) -> Vec<usize> {
    (0..played.players.len()).map(|role| played.failures(role)).collect()
}

fn library(name: &str) -> String {
    std::fs::read_to_string(format!("{}/../games/gdl/{name}.gdl", env!("CARGO_MANIFEST_DIR"))).unwrap()
}

#[test]
fn matches_are_played_to_the_end_and_can_be_replayed() {
    let (one, two) = (player("random", 1), player("uct:20p", 2));
    for (text, is_scrambled) in
        [(library("connectFour"), false), (library("ticTacToe"), true), (PENNIES.to_owned(), true)]
    {
        let runner = runner(&text);
        let rules = Rules { is_scrambled, ..rules(&runner, &text) };
        for seed in 0..3 {
            let played = played(&rules, &[&one, &two], seed);
            let Outcome::Over(scores) = &played.outcome else { panic!("{:?}", played.outcome) };
            assert_eq!(scores.iter().map(|score| score.parse::<u32>().unwrap()).sum::<u32>(), 100);
            assert_eq!(failures(&played), [0, 0], "{played:?}");
            assert!(played.start_errors.iter().all(String::is_empty), "{:?}", played.start_errors);
            assert_eq!(played.states.len(), played.steps.len() + 1);
            let line = play_line(&runner, &played, 0).unwrap();
            assert!(line.over);
            kit::record::replayed(&runner, &line, |_, _| ()).unwrap();
            let json: serde_json::Value = serde_json::from_str(&record(&rules, &played).unwrap()).unwrap();
            assert_eq!(json["isCompleted"], true);
            assert_eq!(json["moves"].as_array().unwrap().len(), played.steps.len());
            assert_eq!(json["states"].as_array().unwrap().len(), played.states.len());
        }
    }
}

#[test]
fn players_know_percepts_only() {
    let runner = runner(SECRET);
    let rules = Rules { is_scrambled: true, ..rules(&runner, SECRET) };
    let (one, two) = (player("uct:200p", 1), player("uct:200p", 2));
    let mut guessed = 0;
    for seed in 0..8 {
        let played = played(&rules, &[&one, &two], seed);
        assert_eq!(failures(&played), [0, 0, 0], "{played:?}");
        let Outcome::Over(scores) = &played.outcome else { panic!("{:?}", played.outcome) };
        guessed += usize::from(scores.get(1).is_some_and(|score| score == "100"));
    }
    // What is said tells nothing, so the guess is one.
    assert!((1..8).contains(&guessed), "{guessed} of 8");
}

#[test]
fn a_match_ends_whatever_a_player_answers() {
    let runner = runner(PENNIES);
    let rules = rules(&runner, PENNIES);
    let good = player("random", 1);
    let endless = |_| Some(b"HTTP/1.1 200 OK\r\nContent-Length: 99999999999\r\n\r\n".to_vec());
    let cases: Vec<(&str, Answer)> = vec![
        ("no answer in time", Box::new(|_| None)),
        ("cannot be reached", Box::new(endless)),
        ("cannot be reached", Box::new(|_| Some(Vec::new()))),
        ("cannot be reached", Box::new(|_| Some(b"nonsense\r\n\r\n".to_vec()))),
        ("status 500", Box::new(|_| Some(b"HTTP/1.1 500 No\r\nContent-Length: 0\r\n\r\n".to_vec()))),
        ("`(dance)` is not a legal move", Box::new(|_| http("(dance)"))),
        ("is not a legal move", Box::new(|_| http(")((("))),
        ("is not a legal move", Box::new(|_| http(&"x".repeat(100_000)))),
        ("more than", Box::new(|_| http(&"x".repeat(3_000_000)))),
    ];
    for (says, answer) in cases {
        let (bad, count) = liar(answer);
        let start = Instant::now();
        let played = played(&Rules { start_clock: Duration::from_secs(1), ..rules_of(&rules) }, &[&good, &bad], 1);
        assert!(matches!(played.outcome, Outcome::Over(_)), "{says}: {:?}", played.outcome);
        assert_eq!(failures(&played), [0, 3], "{says}: {played:?}");
        let errors: Vec<&String> = played.steps.iter().filter_map(|step| step.errors.get(1)).collect();
        assert!(errors.iter().any(|error| error.contains(says)), "{says}: {errors:?}");
        assert!(start.elapsed() < Duration::from_secs(15), "{says}: {:?}", start.elapsed());
        // After some silences, nobody asks any more, not even at the end; others are asked to the end.
        let is_silent = errors.iter().any(|error| error.starts_with("not asked"));
        let asked = if is_silent { PATIENCE as usize } else { 5 };
        assert_eq!(count.load(Ordering::SeqCst), asked, "{says}: {errors:?}");
    }
}

fn rules_of<'r>(rules: &Rules<'r>) -> Rules<'r> {
    Rules { runner: rules.runner, text: rules.text.clone(), ..*rules }
}

#[test]
fn a_player_that_comes_back_goes_on() {
    let runner = runner(PENNIES);
    let rules = rules(&runner, PENNIES);
    let good = player("random", 1);
    // Ready, then one answer that is late, then right ones.
    let (late, count) = liar(|number| match number {
        0 => http("READY"),
        1 => None,
        _ => http("(SHOW  1)"),
    });
    let played = played(&rules, &[&late, &good], 4);
    assert_eq!(failures(&played), [1, 0], "{played:?}");
    assert_eq!(count.load(Ordering::SeqCst), 5, "a start, three moves, and the end");
}

#[test]
fn a_player_answers_any_manager() {
    let address = player("random", 1);
    let say = |text: &str| ask(&address, &Request::parse(text).unwrap(), Duration::from_secs(20));
    let rules = gdl::print_prefix(&gdl::parse(SourceId(0), &library("ticTacToe")).0.unwrap());
    assert_eq!(say("(INFO)").as_deref(), Ok("((name tester) (status available))"));
    assert_eq!(say("(PLAY m NIL)").as_deref(), Ok("NIL"), "there is no match");
    assert_eq!(say("(STOP m NIL)").as_deref(), Ok("DONE"));
    assert_eq!(say("(ABORT m)").as_deref(), Ok("ABORTED"));
    assert_eq!(say(&format!("(PREVIEW ({rules}) 1)")).as_deref(), Ok("READY"));
    let start = |id: &str, role: &str, rules: &str| say(&format!("(START {id} {role} ({rules}) 10 1)"));
    assert_eq!(start("m", "crosses", &rules).as_deref(), Ok("READY"));
    assert_eq!(say("(INFO)").as_deref(), Ok("((name tester) (status busy))"));
    assert_eq!(start("n", "crosses", &rules).as_deref(), Ok("BUSY"), "one match at a time");
    let first = say("(PLAY m NIL)").unwrap();
    assert!(first.starts_with("(put ") && first.ends_with(')'), "{first}");
    // Moves that cannot be: the player goes on from what it knows.
    let other = say("(PLAY m ((fly 1 1) noop))").unwrap();
    assert!(other.starts_with("(put "), "{other}");
    let few = say("(PLAY m (noop))").unwrap();
    assert!(few.starts_with("(put "), "{few}");
    let next = say(&format!("(PLAY m ({first} noop))")).unwrap();
    assert_eq!(next, "noop");
    assert_eq!(say("(STOP m (noop (put 9 9)))").as_deref(), Ok("DONE"));
    assert_eq!(say("(INFO)").as_deref(), Ok("((name tester) (status available))"));
    // Games that it cannot play end nothing but the match.
    for (role, rules) in [("nobody", rules.as_str()), ("white", "(role white)"), ("white", "(((")] {
        let Ok(request) = Request::parse(&format!("(START k {role} ({rules}) 5 1)")) else { continue };
        assert_eq!(ask(&address, &request, Duration::from_secs(20)).as_deref(), Ok("READY"));
        assert_eq!(say("(PLAY k NIL)").as_deref(), Ok("NIL"));
        assert_eq!(say("(ABORT k)").as_deref(), Ok("ABORTED"));
    }
}

#[test]
fn requests_that_are_no_messages_are_refused() {
    let address = player("random", 1).to_string();
    let send = |head: &str, body: &str| {
        let mut stream = std::net::TcpStream::connect(&address).unwrap();
        let length = body.len();
        write!(stream, "{head}Host: {address}\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n{body}").unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        answer
    };
    let bad = send("POST / HTTP/1.1\r\n", "(PLAY");
    assert!(bad.starts_with("HTTP/1.1 400") && bad.contains("a closing bracket is missing"), "{bad}");
    assert!(send("GET / HTTP/1.1\r\n", "").starts_with("HTTP/1.1 405"));
    // A page in a browser cannot make a player work.
    assert!(send("POST / HTTP/1.1\r\nOrigin: http://example.com\r\n", "(INFO)").starts_with("HTTP/1.1 403"));
    assert!(send("POST /any/path HTTP/1.1\r\n", "(info)").contains("(status available)"));
}
