//! Lifted GDL sheets against their ground form, and that against a direct interpreter of the rules: on generated sheets in
//! which several roles move at once, and on the sheets of the corpus.
//!
//! A generated sheet on which forms differ is made smaller before it is shown. `RGC_RANDOM_GAMES` is the number of sheets,
//! `RGC_RANDOM_FIRST` the first of them. `RGC_SHEETS_SECONDS` is the time for a sheet of the corpus, `RGC_SHEETS_ONLY` a
//! part of the names of those to look at.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // a test stops at the first surprise

#[path = "../../frontends/gdl/tests/common/naive.rs"]
#[allow(dead_code)] // other tests use more of it
mod naive;

use backend::Error;
use backend::joint::{Aspect, Budget, Difference, JointGame, Position, compare};
use gdl::normal::{Program, TermId};
use naive::Naive;
use rgc::optimize::lifting::{Form, Sheet, Verdict};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// How much is compared on a generated sheet.
const BUDGET: Budget = Budget { steps: 300, plays: 3, length: 12, seed: 1, time: None };

/// The same with the interpreter.
const BUDGET_OF_RULES: Budget = Budget { steps: 25, plays: 1, length: 6, seed: 2, time: None };

/// The rules of a sheet, interpreted.
struct Rules {
    naive: RefCell<Naive>,
    /// Moves by their KIF strings.
    moves: RefCell<BTreeMap<String, TermId>>,
}

impl Rules {
    fn new(program: Program) -> Self {
        Self { naive: RefCell::new(Naive::new(program)), moves: RefCell::default() }
    }
}

/// A tag that stands for a percept.
fn tag(text: &str) -> String {
    let spaced: String = text.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { ' ' }).collect();
    spaced.split_whitespace().collect::<Vec<_>>().join("_")
}

impl JointGame for Rules {
    type State = BTreeSet<TermId>;

    fn roles(&self) -> Vec<String> {
        let naive = self.naive.borrow();
        naive.program.roles.iter().map(|&role| naive.text(role)).collect()
    }

    fn initial(&self) -> Result<Self::State, Error> {
        Ok(self.naive.borrow_mut().initial())
    }

    fn position(&self, state: &Self::State) -> Result<Position, Error> {
        let mut naive = self.naive.borrow_mut();
        let view = naive.view(state, &[]);
        let sorted = |terms: Vec<TermId>| {
            let mut texts: Vec<String> = terms.into_iter().map(|term| naive.text(term)).collect();
            texts.sort();
            texts
        };
        let fluents = sorted(state.iter().copied().collect());
        if view.terminal() {
            // No score counts as 0, and of several the greatest.
            let greatest = |texts: Vec<String>| texts.into_iter().max_by_key(|text| text.parse::<u32>().unwrap_or(0));
            let goals = naive.program.roles.iter().map(|&role| greatest(sorted(view.goal(role))));
            return Ok(Position::Over { fluents, goals: goals.map(|goal| goal.unwrap_or("0".to_owned())).collect() });
        }
        let mut moves = self.moves.borrow_mut();
        let mut legal = Vec::new();
        for &role in &naive.program.roles {
            let found = view.legal(role);
            moves.extend(found.iter().map(|&action| (naive.text(action), action)));
            legal.push(sorted(found));
        }
        let stuck = legal.iter().any(Vec::is_empty);
        Ok(if stuck { Position::Stuck } else { Position::Open { fluents, legal } })
    }

    fn step(&self, state: &Self::State, moves: &[String]) -> Result<(Self::State, Vec<Vec<String>>), Error> {
        let mut naive = self.naive.borrow_mut();
        let roles = naive.program.roles.clone();
        let moves: Vec<TermId> = moves.iter().map(|text| self.moves.borrow()[text]).collect();
        let view = naive.view(state, &moves);
        let told = |&role: &TermId| {
            let mut tags: Vec<String> = view.seen_by(role).into_iter().map(|term| tag(&naive.text(term))).collect();
            tags.sort();
            tags
        };
        let has_random = |role: &TermId| naive.text(*role) == "random";
        let percepts = roles.iter().map(|role| if has_random(role) { Vec::new() } else { told(role) }).collect();
        Ok((view.next(), percepts))
    }
}

/// What became of sheets.
#[derive(Default, Debug)]
struct Sum {
    sheets: u64,
    lifted: u64,
    compact: u64,
    complete: u64,
    states: u64,
    steps: u64,
    /// Why sheets are not lifted, or cannot be compared.
    reasons: BTreeMap<String, u64>,
}

impl Sum {
    fn because(&mut self, reason: &str) {
        *self.reasons.entry(reason.to_owned()).or_default() += 1;
    }

    fn join(&mut self, other: Sum) {
        self.sheets += other.sheets;
        self.lifted += other.lifted;
        self.compact += other.compact;
        self.complete += other.complete;
        self.states += other.states;
        self.steps += other.steps;
        for (reason, count) in other.reasons {
            *self.reasons.entry(reason).or_default() += count;
        }
    }
}

/// Which forms differ, and in what.
type Different = (&'static str, Box<Difference>);

/// All forms of a sheet; `None` if it has errors.
fn look(text: &str, sum: &mut Sum) -> Option<Result<(), Different>> {
    let description = gdl::parse(rg_ir::SourceId(0), text).0?;
    let sheet = match Sheet::new(&description, gdl::Limits::default()) {
        Ok(sheet) => sheet,
        Err(error) => {
            sum.because(&error.message);
            return None;
        }
    };
    sum.sheets += 1;
    let rules = Rules::new(gdl::normal::normalize(&description).ok()?);
    let names = ["the rules", "the ground form"];
    if let Err(difference) = compare(&rules, &sheet.ground()?.game()?, names, &BUDGET_OF_RULES) {
        return Some(Err(("ground", difference)));
    }
    for form in [Form::Usual, Form::Compact] {
        match (sheet.compare(form, &BUDGET), form) {
            (Verdict::Same(extent), Form::Usual) => {
                sum.lifted += 1;
                sum.complete += u64::from(extent.complete);
                sum.states += extent.states;
                sum.steps += extent.steps;
            }
            (Verdict::Same(_), Form::Compact) => sum.compact += 1,
            (Verdict::NotLifted(reason), Form::Usual) => sum.because(&reason),
            (Verdict::NotLifted(_), Form::Compact) => {}
            (Verdict::NotRun(reason), _) => sum.because(&format!("not run: {reason}")),
            (Verdict::Different(difference), Form::Usual) => return Some(Err(("lifted", difference))),
            (Verdict::Different(difference), Form::Compact) => return Some(Err(("compact", difference))),
        }
    }
    Some(Ok(()))
}

/// Stops with a smaller sheet on which the same forms differ in the same way.
fn shown(seed: u64, text: &str, form: &str, aspect: Aspect) -> ! {
    let differs = |text: &str| match look(text, &mut Sum::default()) {
        Some(Err((other, difference))) => (other == form && difference.aspect == aspect).then_some(difference),
        _ => None,
    };
    let small = testgen::shrink_sheet(text, |text| differs(text).is_some());
    panic!("sheet {seed}, {form}: {}\n{small}", differs(&small).unwrap());
}

/// A number from the environment.
fn number(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|n| n.parse().ok()).unwrap_or(default)
}

/// A sheet of our own must be lifted, and agree with the rules in all forms.
fn agrees(text: &str) {
    let mut sum = Sum::default();
    match look(text, &mut sum) {
        Some(Ok(())) => assert_eq!((sum.lifted, sum.compact), (1, 1), "{:?}", sum.reasons),
        Some(Err((form, difference))) => panic!("{form}: {difference}"),
        None => panic!("it has errors, or does not ground: {:?}", sum.reasons),
    }
}

/// Two gardeners pull weeds, each in a bed of their own. A third role has no moves yet.
const WEEDS: &str = "(role ann) (role bob) (role cal) (bed rose) (bed herb) (tends ann rose) (tends bob herb)
    (<= (init (weed ?b ?n)) (bed ?b) (num ?n)) (num 1) (num 2) (init (day 1)) (after 1 2) (after 2 3)
    (<= (legal ?r (pull ?n)) (tends ?r ?b) (true (weed ?b ?n)))
    (<= (legal ?r rest) (tends ?r ?b))
    (<= (next (weed ?b ?n)) (true (weed ?b ?n)) (tends ?r ?b) (does ?r (pull ?m)) (distinct ?m ?n))
    (<= (next (weed ?b ?n)) (true (weed ?b ?n)) (tends ?r ?b) (does ?r rest))
    (<= (next (day ?n)) (true (day ?m)) (after ?m ?n))
    (<= terminal (true (day 3)))
    (<= (clean ?r) (tends ?r ?b) (not (true (weed ?b 1))) (not (true (weed ?b 2))))
    (<= (goal ?r 100) (role ?r) (clean ?r)) (<= (goal ?r 0) (role ?r) (not (clean ?r)))";

/// A role with one move that is not always legal waits in it; where it is not legal, nobody can go on.
#[test]
fn a_role_that_cannot_wait() {
    agrees(&format!("{WEEDS} (<= (legal cal watch) (true (day 1)))"));
    agrees(&format!("{WEEDS} (<= (legal cal watch) (not (true (weed rose 1))))"));
    agrees(&format!("{WEEDS} (legal cal watch)"));
}

/// A cell can be empty, and who is asked for can be one that no cell ever has: that is not the same.
#[test]
fn values_that_a_fluent_cannot_have() {
    agrees(
        "(role ann) (role bob) (role cal) (spot 1) (spot 2) (spot 3) (init (day 1)) (after 1 2) (after 2 3) (after 3 4)
         (<= (init (claim ?s none)) (spot ?s)) (<= (init (wants ?r ?s)) (role ?r) (spot ?s))
         (<= (legal ?r (ask ?s)) (role ?r) (spot ?s))
         (<= (next (claim ?s ann)) (does ann (ask ?s)) (true (claim ?s none)))
         (<= (next (claim ?s bob)) (does bob (ask ?s)) (not (does ann (ask ?s))) (true (claim ?s none)))
         (<= (next (claim ?s none)) (true (claim ?s none)) (not (asked ?s)))
         (<= (asked ?s) (does ?r (ask ?s)))
         (<= (next (wants ?r ?s)) (true (wants ?r ?s)) (does ann (ask ?t)) (distinct ?s ?t) (not (true (claim ?t ?r))))
         (<= (next (wants ?r ?s)) (true (wants ?r ?s)) (does ?r (ask ?s)))
         (<= (next (day ?n)) (true (day ?m)) (after ?m ?n))
         (<= terminal (true (day 4)))
         (<= (got ?r) (true (claim ?s ?r)))
         (<= (goal ?r 100) (role ?r) (got ?r)) (<= (goal ?r 0) (role ?r) (not (got ?r)))",
    );
}

/// What is lost only if its two arguments are equal, one of which is always the same.
#[test]
fn a_fluent_whose_key_has_one_value() {
    agrees(
        "(role ann) (role bob) (post a) (post b) (post c) (init (rope a b)) (init (day 1)) (after 1 2) (after 2 3) (after 3 4)
         (<= (legal ann (tie ?y)) (post ?y)) (legal ann keep) (legal bob look) (legal bob nap)
         (<= (next (rope a ?y)) (does ann (tie ?y)))
         (<= (next (rope ?x ?y)) (true (rope ?x ?y)) (does ann keep) (distinct ?x ?y))
         (<= (next (day ?n)) (true (day ?m)) (after ?m ?n))
         (<= terminal (true (day 4)))
         (<= held (true (rope a ?y))) (<= (goal ?r 100) (role ?r) held) (<= (goal ?r 0) (role ?r) (not held))",
    );
}

/// What two rules have in common is asked once in the compact form; what is left of them binds nothing on its own.
#[test]
fn rests_of_rules_that_bind_nothing() {
    agrees(
        "(role ann) (role bob) (init (day 1)) (init (open door)) (after 1 2) (after 2 3) (after 3 4) (way door) (way gate)
         (<= (bright) (true (open ?w))) (<= (bright) (true (day 3)))
         (<= (busy ?r) (role ?r) (bright) (distinct ?r ann))
         (<= (busy ?r) (role ?r) (bright) (way gate) (distinct ?r bob))
         (<= (legal ?r (shut ?w)) (role ?r) (way ?w)) (<= (legal ?r sleep) (role ?r) (not (busy ?r)))
         (<= (next (open ?w)) (true (open ?w)) (does ann (shut ?v)) (distinct ?v ?w))
         (<= (next (open gate)) (does bob (shut door)))
         (<= (next (day ?n)) (true (day ?m)) (after ?m ?n))
         (<= terminal (true (day 4))) (<= (goal ?r 60) (role ?r))",
    );
}

/// Rules for percepts that never fire: moves are not told, all the same.
#[test]
fn nothing_is_told_where_percepts_never_are() {
    let text = "(role ann) (role bob) (init (day 1)) (<= (legal ?r (say ?d)) (role ?r) (word ?d)) (word yes) (word no)
        (<= (next (day 2)) (true (day 1))) (<= terminal (true (day 2))) (<= (goal ?r 50) (role ?r))
        (<= (sees ?r loud) (role ?r) (does ann shout))";
    let mut sum = Sum::default();
    assert!(look(text, &mut sum).is_some_and(|found| found.is_ok()));
    assert_eq!(sum.reasons.keys().collect::<Vec<_>>(), ["players do not see everything"]);
}

/// What differs is shown after the fewest steps, also if it was found in a long game.
#[test]
fn differences_are_shown() {
    let sheet = |text: &str| {
        let description = gdl::parse(rg_ir::SourceId(0), text).0.unwrap();
        Sheet::new(&description, gdl::Limits::default()).unwrap()
    };
    let text = format!("{WEEDS} (legal cal watch)");
    let difference = |from: &str, to: &str, budget: &Budget| {
        assert!(text.contains(from));
        let (ours, theirs) = (sheet(&text), sheet(&text.replace(from, to)));
        let (ours, theirs) = (ours.ground().unwrap().game().unwrap(), theirs.ground().unwrap().game().unwrap());
        compare(&ours, &theirs, ["one", "the other"], budget).unwrap_err().to_string()
    };
    let later = "(tends ?r ?b) (does ?r rest))";
    for budget in [BUDGET, Budget { steps: 0, plays: 500, ..BUDGET }] {
        let shown = difference(later, "(tends ?r ?b) (does ?r rest) (not (true (day 2))))", &budget);
        let shown = shown.replace("bob", "ann").replace("herb", "rose");
        assert!(shown.contains("; ") && shown.matches(", cal watch").count() == 2, "{shown}");
        assert!(shown.contains("\n  fluents only in one: (weed rose "), "{shown}");
    }
    let first = difference("(goal ?r 100)", "(goal ?r 90)", &BUDGET);
    let play = "ann (pull 1), bob (pull 1), cal watch; ann (pull 2), bob (pull 2), cal watch";
    assert_eq!(first, format!("after `{play}`:\n  scores: 100 100 0 (one), 90 90 0 (the other)"));
    let legal = difference("(<= (legal ?r rest) (tends ?r ?b))", "(legal ann rest) (legal bob sit)", &BUDGET);
    let lines = "\n  legal moves of bob only in one: rest\n  legal moves of bob only in the other: sit";
    assert_eq!(legal, format!("at the start:{lines}"));
}

#[test]
fn generated_sheets() {
    let (games, first) = (number("RGC_RANDOM_GAMES", 250), number("RGC_RANDOM_FIRST", 0));
    let mut sum = Sum::default();
    let seeds: Vec<u64> = (first..first + games).collect();
    let sums = testgen::parallel(&seeds, |&seed| {
        let mut sum = Sum::default();
        let text = testgen::sheet(seed);
        if let Some(Err((form, difference))) = look(&text, &mut sum) {
            shown(seed, &text, form, difference.aspect);
        }
        sum
    });
    sums.into_iter().for_each(|other| sum.join(other));
    println!("{sum:#?}");
}

/// The texts of the corpus by name, if it is there.
fn corpus() -> Option<Vec<(String, String)>> {
    let default = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/corpus");
    let root = std::env::var_os("RGC_CORPUS").map_or_else(default, PathBuf::from);
    let Ok(entries) = std::fs::read_dir(root.join("kif")) else {
        eprintln!("skipped: there is no corpus; set RGC_CORPUS, or put it at ../shared/corpus");
        return None;
    };
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "kif"));
    paths.sort();
    let read = |path: &PathBuf| {
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        (name, String::from_utf8_lossy(&std::fs::read(path).unwrap()).into_owned())
    };
    Some(paths.iter().map(read).collect())
}

/// Sheets that ground to more conditions are left to a longer run.
const SMALL: usize = 100_000;

#[test]
fn sheets_of_the_corpus() {
    let Some(sheets) = corpus() else { return };
    let seconds = number("RGC_SHEETS_SECONDS", 0);
    let only = std::env::var("RGC_SHEETS_ONLY").unwrap_or_default();
    let quick = gdl::Limits { conditions: SMALL, atoms: SMALL, time: Duration::from_secs(1), ..gdl::Limits::default() };
    let limits = if seconds > 0 { gdl::Limits::default() } else { quick };
    let time = if seconds > 0 { Duration::from_secs(seconds) } else { Duration::from_millis(100) };
    let budget = Budget { steps: 100_000, plays: 1_000, length: 300, seed: 3, time: Some(time) };
    let sheets: Vec<_> = sheets.iter().filter(|(name, _)| name.contains(&only)).collect();
    let results = testgen::parallel(&sheets, |(name, text)| {
        let start = Instant::now();
        let description = gdl::parse(rg_ir::SourceId(0), text).0?;
        let verdicts = match Sheet::new(&description, limits) {
            Ok(sheet) => [Form::Usual, Form::Compact].map(|form| (form, sheet.compare(form, &budget))),
            Err(error) => {
                println!("{name} | {:.1} s | {}", start.elapsed().as_secs_f64(), error.message);
                return None;
            }
        };
        let texts = verdicts.each_ref().map(|(_, verdict)| match verdict {
            Verdict::Same(extent) if extent.complete => format!("{} states, all", extent.states),
            Verdict::Same(extent) => format!("{} states", extent.states),
            Verdict::NotLifted(reason) | Verdict::NotRun(reason) => reason.clone(),
            Verdict::Different(_) => "DIFFERS".to_owned(),
        });
        println!("{name} | {:.1} s | {}", start.elapsed().as_secs_f64(), texts.join(" | "));
        Some((name, verdicts))
    });
    let (mut compared, mut complete, mut differ) = (0, 0, Vec::new());
    for (name, verdicts) in results.iter().flatten() {
        for (form, verdict) in verdicts {
            match verdict {
                Verdict::Same(extent) => {
                    compared += 1;
                    complete += u32::from(extent.complete);
                }
                Verdict::Different(difference) => differ.push(format!("{name}, {form:?}: {difference}")),
                Verdict::NotLifted(_) | Verdict::NotRun(_) => {}
            }
        }
    }
    println!("{compared} forms compared, {complete} of them in all states");
    assert!(differ.is_empty(), "{}", differ.join("\n"));
}
