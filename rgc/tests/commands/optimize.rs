//! `rgc optimize`, and what finds defects of passes: with passes that are wrong on purpose.

use crate::support::{Scratch, game, json_lines, rgc, rgc_with_input, snapshot};
use passes::{Context, Error, Observer, Pass, Pipeline};
use rg_ir::{Game, Label};
use rgc::optimize::bisect::{Verdict, bisect};
use rgc::optimize::dump::Dumper;
use rgc::optimize::verify::{Effort, Verifier};
use rgc::output::{Existing, Folder, Writer};
use std::fs;

/// Takes comparisons for granted, which makes another game of most.
struct Careless;

impl Pass for Careless {
    fn name(&self) -> &'static str {
        "careless"
    }
    fn summary(&self) -> &'static str {
        "drop a comparison"
    }
    fn run(&self, game: &mut Game, context: &mut Context) -> bool {
        let compares = |label: &Label| matches!(label, Label::Compare { .. });
        let found = game.automaton.edges().find(|(_, edge)| compares(&edge.label)).map(|(id, _)| id);
        found.into_iter().for_each(|id| game.automaton.set_label(id, Label::Skip));
        context.note("<none> & \"nothing\"");
        found.is_some()
    }
}

/// Leaves an edge that says nonsense.
struct Nonsense;

impl Pass for Nonsense {
    fn name(&self) -> &'static str {
        "nonsense"
    }
    fn summary(&self) -> &'static str {
        "compare a symbol of nothing"
    }
    fn run(&self, game: &mut Game, _: &mut Context) -> bool {
        let name = game.symbols.intern("nonsense");
        let expr = game.resolve_name(name);
        let player = game.symbols.intern("player");
        let player = game.resolve_name(player);
        let (begin, end) = (game.begin(), game.end());
        let label = Label::Compare { lhs: player, rhs: expr, negated: false };
        game.automaton.add_edge(begin, end, label, rg_ir::Span::NONE);
        true
    }
}

/// Renames nothing, adds nothing: a change that nobody can observe.
struct Harmless;

impl Pass for Harmless {
    fn name(&self) -> &'static str {
        "harmless"
    }
    fn summary(&self) -> &'static str {
        "add a node once"
    }
    fn run(&self, game: &mut Game, _: &mut Context) -> bool {
        let name = game.symbols.intern("harmless");
        let new = game.find_node(name).is_none();
        let node = game.node(name, rg_ir::Span::NONE);
        if new {
            let end = game.end();
            game.automaton.add_edge(node, end, Label::Skip, rg_ir::Span::NONE);
        }
        new
    }
}

static CARELESS: Careless = Careless;
static NONSENSE: Nonsense = Nonsense;
static HARMLESS: Harmless = Harmless;

fn load(name: &str) -> rgc::Loaded {
    let mut sources = rg_ir::SourceMap::default();
    rgc::load(&mut sources, std::path::Path::new(&game(name)), None).0.unwrap()
}

#[test]
fn a_wrong_pass_is_caught_with_a_play() {
    let loaded = load("rbg/breakthrough.rbg");
    let mut verifier = Verifier::new(&loaded.game, loaded.notation.as_ref(), Effort::quick());
    let mut game = loaded.game.clone();
    let pipeline = Pipeline::of(vec![&HARMLESS, &CARELESS]);
    let error = pipeline.run(&mut game, &mut verifier).unwrap_err();
    let Error::Observer { pass, message } = &error else { panic!("{error}") };
    assert_eq!(*pass, "careless");
    assert!(message.starts_with("at the start, the move") || message.starts_with("after the moves `"), "{message}");
    assert!(verifier.compared() >= 1, "the harmless pass was compared");
    // Without the wrong one nothing is found.
    let mut game = loaded.game.clone();
    let mut verifier = Verifier::new(&loaded.game, loaded.notation.as_ref(), Effort::quick());
    Pipeline::of(vec![&HARMLESS]).run(&mut game, &mut verifier).unwrap();
    assert_eq!((verifier.compared(), verifier.finish()), (1, Ok(())));
}

#[test]
fn plays_are_shown_in_the_notation_of_the_game() {
    // The difference is at the end only, so that a play has to lead there.
    let text = "type Player = { a, b }; type Score = { 0, 1 }; var v: Score = 0; begin, m: player = a; m, n: $ go;
        n, o: player = b; o, p: v == 0; o, q: v == 1; p, r: $ left; q, r: $ right; r, end: player = keeper;";
    let game = rg_ir::text::parse(rg_ir::SourceId(0), text).0.unwrap();
    struct Loud;
    impl rg_ir::Notation for Loud {
        fn render_move(&self, tags: &[&str]) -> String {
            tags.join(" ").to_uppercase()
        }
    }
    let mut verifier = Verifier::new(&game, &Loud, Effort::quick());
    let error = Pipeline::of(vec![&CARELESS]).run(&mut game.clone(), &mut verifier).unwrap_err();
    let Error::Observer { message, .. } = error else { panic!("{error}") };
    // The first careless change drops `v == 0`, which is true; the second one opens another way.
    assert_eq!(message, "after the moves `GO` (tags: `go`), the move `right` is new");
}

#[test]
fn a_pass_that_breaks_a_game_is_named() {
    let loaded = load("rg/race.rg");
    let error = Pipeline::of(vec![&NONSENSE]).validate(true).run(&mut loaded.game.clone(), &mut ()).unwrap_err();
    assert!(matches!(error, Error::Broken { pass: "nonsense", .. }), "{error}");
    let finding = rgc::optimize::broken(&error);
    assert_eq!(finding.code, "IO330");
    assert!(finding.notes.iter().any(|note| note.contains("nonsense")), "{finding:?}");
}

#[test]
fn bisection_finds_the_change() {
    let loaded = load("rg/ticTacToe.rg");
    let effort = Effort::quick();
    let pipeline = Pipeline::of(vec![&HARMLESS, &CARELESS]);
    let guilty = bisect(&loaded.game, &pipeline, loaded.notation.as_ref(), &effort).unwrap().guilty().unwrap();
    assert_eq!(guilty.pass, "careless");
    let (change, changes) = guilty.change;
    assert!(change > 1 && change <= changes, "{guilty:?}");
    // One fewer change, and the game is the same.
    let mut before = loaded.game.clone();
    pipeline.clone().stop_after(change - 1).run(&mut before, &mut ()).unwrap();
    let mut verifier = Verifier::new(&loaded.game, loaded.notation.as_ref(), effort);
    let mut after = loaded.game.clone();
    assert_eq!(pipeline.clone().stop_after(change).run(&mut after, &mut ()).unwrap().changes, change);
    assert_eq!(rg_ir::text::print(&before), guilty.texts[0]);
    assert_eq!(rg_ir::text::print(&after), guilty.texts[1]);
    pipeline.clone().stop_after(change - 1).run(&mut loaded.game.clone(), &mut verifier).unwrap();
    assert_eq!(verifier.finish(), Ok(()));
    let harmless = Pipeline::of(vec![&HARMLESS]);
    let verdict = bisect(&loaded.game, &harmless, loaded.notation.as_ref(), &effort).unwrap();
    // What was compared is told: at the least, the positions before and behind the first move, and all plays.
    assert!(
        matches!(&verdict, Verdict::Kept(compared) if compared.positions > 9 && compared.plays == effort.whole.plays),
        "{verdict:?}"
    );
}

#[test]
fn dumps_show_every_change() {
    let scratch = Scratch::new("dump");
    let loaded = load("rg/race.rg");
    let folder = std::path::Path::new(scratch.folder()).join("new/steps");
    let files = Folder::new(&folder, &Writer::default(), Existing::Refuse, Dumper::LAST).unwrap();
    let mut dumper = Dumper::new(files, "race", &loaded.game).unwrap();
    let mut game = loaded.game.clone();
    let mut observers: Vec<&mut dyn Observer> = vec![&mut dumper];
    let outcome = Pipeline::of(vec![&HARMLESS, &CARELESS]).run(&mut game, &mut observers).unwrap();
    dumper.finish().unwrap();
    let read = |name: &str| fs::read_to_string(folder.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"));
    assert!(read("001-harmless.diff").contains("+harmless, end: ;"));
    assert!(read("001-harmless.dot").starts_with("digraph") && read("001-harmless.svg").contains("<svg"));
    assert_eq!(read("000-input.rg"), rg_ir::text::print(&loaded.game));
    assert!(read("002-careless.rg").contains("harmless, end: ;"));
    let page = read("index.html");
    assert_eq!(page.matches("<section").count(), outcome.runs);
    assert_eq!(page.matches("Nothing to do.").count(), outcome.runs - outcome.changes);
    assert!(page.contains("&lt;none&gt; &amp; &quot;nothing&quot;") && !page.contains("<none>"));
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 3 + 4 * outcome.changes + 1);
}

#[test]
fn optimised_games_are_printed() {
    let scratch = Scratch::new("optimize");
    let text = "type Player = { a }; type Score = { 0, 1 }; begin, m: player = a; m, d: $ t; d, d: ; m, x: $ s; x, end: player = keeper;";
    let small = rgc_with_input(["optimize", "-", "--passes", "self-loops,prune"], text).success();
    assert!(!small.contains("d, d") && !small.contains("$ t") && small.contains("$ s"), "{small}");
    let only = rgc_with_input(["optimize", "-", "--passes", "self-loops"], text).success();
    assert!(!only.contains("d, d") && only.contains("$ t"), "{only}");
    assert_eq!(
        rgc_with_input(["optimize", "-", "-O0"], text).success(),
        rgc_with_input(["translate", "-"], text).success()
    );
    assert_eq!(
        rgc_with_input(["optimize", "-"], text).success(),
        rgc_with_input(["translate", "-", "-O2"], text).success()
    );
    let out = scratch.path("small.rg");
    assert_eq!(rgc(["optimize", &game("rbg/breakthrough.rbg"), "-o", &out, "--verify"]).success(), "");
    let rows = json_lines(&rgc(["perft", &out, "3", "--json", "-O0"]).success());
    assert_eq!(rows[2]["leaves"], 11132);
}

#[test]
fn steps_and_times_are_reported() {
    let text = "type Player = { a }; type Score = { 0, 1 }; begin, m: player = a; m, d: $ t; d, d: ; m, x: $ s; x, end: player = keeper;";
    let run = rgc_with_input(["optimize", "-", "--passes", "self-loops,prune", "--dump-passes", "--time-passes"], text);
    assert_eq!(run.code, 0);
    // Times differ from run to run.
    let number = |word: &str| word.contains('.') && word.parse::<f64>().is_ok();
    let fixed: Vec<String> = run
        .stderr
        .lines()
        .map(|line| {
            line.split(' ')
                .map(|word| if number(word) { "#" } else { word })
                .filter(|word| !word.is_empty())
                .collect::<Vec<_>>()
                .join(" ")
        })
        .collect();
    let (steps, times) = fixed.split_at(fixed.iter().position(|line| line.starts_with("pass ")).unwrap());
    snapshot("optimize_steps", &(steps.join("\n") + "\n"));
    let mut times = times.to_vec();
    times.sort();
    assert_eq!(times.len(), 4);
    assert!(times.iter().any(|line| line.starts_with("prune 2 1 #")), "{times:?}");
    let scratch = Scratch::new("dump-cli");
    let folder = scratch.path("steps");
    assert_eq!(rgc(["optimize", &game("rg/race.rg"), &format!("--dump-passes={folder}")]).code, 0);
    assert!(fs::read_to_string(format!("{folder}/index.html")).unwrap().contains("<title>race: passes</title>"));
}

#[test]
fn passes_are_listed() {
    let list = rgc(["optimize", "--list-passes"]).success();
    let help = rgc(["optimize", "--help"]).success().split_whitespace().collect::<Vec<_>>().join(" ");
    for pass in passes::registry() {
        for text in [&list, &help] {
            assert!(text.contains(pass.name()) && text.contains(pass.summary()), "{}", pass.name());
        }
    }
    let run = rgc(["optimize", "x.rg", "--passes", "prune,self-lops"]);
    assert_eq!(run.code, 2);
    assert!(run.stderr.contains("did you mean `self-loops`?"), "{}", run.stderr);
    assert_eq!(rgc(["optimize"]).code, 2);
    assert_eq!(rgc(["optimize", "x.rg", "-O4"]).code, 2);
    assert_eq!(rgc(["optimize", "x.rg", "-O2", "--passes", "prune"]).code, 2);
}

#[test]
fn bisection_on_the_command_line() {
    let refused = rgc(["optimize", &game("rg/race.rg"), "--bisect", "-o", "nowhere.rg"]);
    assert!(refused.code == 2 && refused.stderr.contains("cannot be used with"), "{}", refused.stderr);
    let output = rgc(["optimize", &game("rg/race.rg"), "--bisect"]).success();
    let told = output.strip_prefix("no difference found between the game and the result (").unwrap();
    // How much was compared: the game has few positions, and it is played as often as it takes.
    assert!(told.ends_with(" positions from the start and 20 random plays compared)\n"), "{output}");
}

#[test]
fn levels_of_commands() {
    let name = game("rbg/breakthrough.rbg");
    for level in ["-O0", "-O1", "-O2", "-O3"] {
        let rows = json_lines(&rgc(["perft", &name, "3", "--json", level]).success());
        assert_eq!(rows[2]["leaves"], 11132, "{level}");
        let trace = |level| rgc(["trace", &name, "--seed", "3", level]).success();
        assert_eq!(trace(level), trace("-O0"), "{level}");
        let moves = |level| json_lines(&rgc(["moves", &name, "--json", level]).success());
        assert_eq!(moves(level), moves("-O0"), "{level}");
        rgc(["graph", &name, level]).success();
        rgc(["equiv", &game("rg/ticTacToe.rg"), &game("rg/ticTacToe.rg"), level, "--positions", "100"]).success();
    }
    let nodes = |level| json_lines(&rgc(["stats", &name, "--json", level]).success())[0]["nodes"].as_u64().unwrap();
    assert!(nodes("-O2") <= nodes("-O0"));
    assert_eq!(rgc(["translate", &name, "--to", "ll-rbg", "-O2"]).code, 1);
}

/// Games in which passes drop the last assignment that makes two walks with one label end in equal states.
#[test]
fn values_that_nobody_reads_any_more_make_no_difference() {
    for (name, plays) in [("fires_assignments", 4), ("keeps_ends_of_checks", 1)] {
        let file = format!("{}/../passes/tests/fixtures/forward/{name}.rg", env!("CARGO_MANIFEST_DIR"));
        for level in ["-O0", "-O1", "-O2", "-O3"] {
            for (engine, _) in backend::Engine::ALL {
                let counted = rgc(["perft", &file, "1", "--json", "--engine", engine, level]).success();
                let leaves = json_lines(&counted)[0]["leaves"].as_u64();
                assert_eq!(leaves, Some(plays), "{name} {level} {engine}");
            }
        }
    }
}

#[test]
fn the_reasoners_program_is_printed() {
    let emit = |what: &str| rgc(["optimize", &game("rg/ticTacToe.rg"), "--emit", what]);
    let program = emit("program").success();
    let parsed = wir::parse(&program).unwrap();
    assert_eq!(parsed.to_string(), program);
    for (what, _) in backend::Listing::ALL {
        let text = emit(what).success();
        assert!(parsed.functions.iter().all(|function| text.contains(&function.name)), "{what}: {text}");
    }
    let emit =
        |text: &str| crate::support::rgc_with_input(["optimize", "-", "--from", "rg", "--emit", "program"], text);
    // Nobody decides anything here.
    let over = emit("type Player = { a }; type Score = { 0 }; begin, end: player = keeper;").success();
    assert!(wir::parse(&over).unwrap().functions.is_empty(), "{over}");
    // The player has no move.
    let run =
        emit("type Player = { a }; type Score = { 0 }; begin, n0: player = a; n0, n0: $ x; n1, end: player = keeper;");
    assert_eq!(run.code, 1);
    assert!(run.stderr.contains("IO334"), "{}", run.stderr);
}

#[test]
fn passes_over_programs_are_run_and_dumped() {
    let game = "breakthrough";
    let scratch = Scratch::new("programs");
    let folder = std::path::Path::new(scratch.folder()).to_owned();
    let dumped = rgc(["optimize", game, &format!("--dump-wir={}", folder.display())]);
    let whole = rgc(["optimize", game, "--emit", "program"]).success();
    assert_eq!(dumped.stdout, whole, "who looks on changes nothing");
    assert!(dumped.stderr.lines().any(|line| line.contains(" gvn ") && line.contains(" -> ")), "{}", dumped.stderr);
    let read = |name: &str| fs::read_to_string(folder.join(name)).unwrap();
    assert_eq!(read("result.wir"), whole);
    let lowered = rgc(["optimize", game, "--wir-passes", "none"]).success();
    assert_eq!(read("0000-lowered.wir"), lowered);
    // A file with a program goes through the same passes.
    let file = folder.join("0000-lowered.wir").display().to_string();
    assert_eq!(rgc(["optimize", &file]).success(), whole);
    let some = rgc(["optimize", &file, "--wir-passes", "gvn,dce"]).success();
    assert!(some.len() < lowered.len() && whole.len() < some.len());
    for option in ["--emit=program", "--emit=rg", "--passes=prune", "--verify", "-O1", "--validate", "--from=rg"] {
        let run = rgc(["optimize", &file, option]);
        let name = option.split('=').next().unwrap().trim_end_matches('1');
        assert!(run.code == 1 && run.stdout.is_empty(), "{option}: {}", run.stderr);
        assert!(run.stderr.contains(&format!("IO339]: `{name}` is for games")), "{option}: {}", run.stderr);
    }
    // What is wrong is shown where it is.
    fs::write(folder.join("wrong.wir"), "fn f(r0) { r1 = bogus r0  yield r1 }").unwrap();
    let wrong = rgc(["optimize", &folder.join("wrong.wir").display().to_string()]);
    assert_eq!(wrong.code, 1);
    assert!(wrong.stderr.contains("IO338") && wrong.stderr.contains("wrong.wir:1:17"), "{}", wrong.stderr);
    fs::write(folder.join("wrong.wir"), "fn f(r0) { yield r1 }").unwrap();
    let wrong = rgc(["optimize", &folder.join("wrong.wir").display().to_string()]);
    assert!(wrong.code == 1 && wrong.stderr.contains("IO338"), "{}", wrong.stderr);
    let misspelt = rgc(["optimize", game, "--wir-passes", "gnv"]);
    assert!(misspelt.code == 2 && misspelt.stderr.contains("did you mean `gvn`?"), "{}", misspelt.stderr);
}

#[test]
fn names_of_passes_are_looked_at() {
    let said = |passes: &str| {
        let run = rgc(["optimize", &game("rg/race.rg"), "--passes", passes]);
        assert_eq!((run.code, run.stdout.as_str()), (2, ""), "{passes}");
        run.stderr
    };
    for missing in ["", "prune,", "prune, ,skips"] {
        let text = said(missing);
        assert!(text.contains("the name of a pass is missing; `-O0` runs none"), "{text}");
    }
    assert!(said("prune, skip").contains("there is no pass `skip`; did you mean `skips`?"));
    let spaced = rgc(["optimize", &game("rg/race.rg"), "--passes", "prune, skips"]).success();
    assert_eq!(spaced, rgc(["optimize", &game("rg/race.rg"), "--passes", "prune,skips"]).success());
}

#[test]
fn analyses_are_drawn() {
    for analysis in passes::analysis::registry() {
        let drawn = rgc(["graph", &game("rg/race.rg"), "--analysis", analysis.name]).success();
        assert_ne!(drawn, rgc(["graph", &game("rg/race.rg")]).success(), "{}", analysis.name);
        assert!(rgc(["graph", "--help"]).success().contains(analysis.summary));
        let svg = rgc(["graph", &game("rg/race.rg"), "--to", "svg", "--analysis", analysis.name]).success();
        assert!(svg.contains("<text class=\"note\""), "{}", analysis.name);
    }
    let live = rgc(["graph", &game("rg/race.rg"), "--analysis", "live"]).success();
    let won = live.lines().find(|line| line.contains("label=\"won\\n")).unwrap_or_else(|| panic!("{live}"));
    assert!(won.contains("mover") && !won.contains("place"), "{won}");
    assert_eq!(rgc(["graph", "x.rg", "--analysis", "gut"]).code, 2);
}

#[test]
fn claims_are_forgotten_tested_or_believed() {
    let text = "type Player = { a }; type Score = { 0, 1 }; var v: Score = 0; begin, m: player = a; m, x: v == 0; m, y: v != 0;
        x, z: $ s; y, z: $ t; z, end: player = keeper;";
    let right = format!("{text} @disjointExhaustive m : x y;");
    let wrong = format!("{} @disjoint m : x y;", text.replace("v != 0", "0 == 0"));
    let optimize = |policy: &str, text: &str| rgc_with_input(["optimize", "-", "-O0", "--pragmas", policy], text);
    assert!(!rgc_with_input(["optimize", "-", "-O0"], &right).success().contains("@disjoint"));
    assert!(!optimize("ignore", &right).success().contains("@disjoint"));
    assert!(optimize("trust", &right).success().contains("@disjointExhaustive m : x y;"));
    assert!(optimize("verify", &right).success().contains("@disjointExhaustive m : x y;"));
    let run = optimize("verify", &wrong);
    assert_eq!((run.code, run.stdout.as_str()), (1, ""));
    assert!(
        run.stderr.contains("IO333") && run.stderr.contains("this claim is wrong: after the moves `(no tags)`, "),
        "{}",
        run.stderr
    );
    assert!(optimize("trust", &wrong).output().contains("@disjoint m"));
    assert_eq!(optimize("hope", &right).code, 2);
}

#[test]
fn facts_are_inferred_and_verified() {
    for name in ["rg/race.rg", "rbg/breakthrough.rbg"] {
        let facts = rgc(["optimize", &game(name), "--infer", "--verify"]).success();
        assert!(facts.contains("@tagIndex") && facts.contains("@unique"), "{facts}");
        assert!(!rgc(["optimize", &game(name)]).success().contains("@unique"));
    }
}

#[test]
fn start_up_is_measured() {
    let output = rgc(["bench", &game("rg/race.rg"), "--startup", "--seconds", "0.1", "--json"]).success();
    let rows = json_lines(&output);
    assert_eq!(rows.len(), 1);
    for name in ["read_ms", "optimise_ms", "build_ms"] {
        assert!(rows[0][name].as_f64().unwrap() > 0.0, "{name} of {output}");
    }
    assert!(rows[0]["edges"][1].as_u64() <= rows[0]["edges"][0].as_u64());
    assert!(rgc(["bench", &game("rg/race.rg"), "--startup", "--seconds", "0.1"]).success().contains("optimise ms"));
    for (engine, ran) in [
        ("auto", &["interpreter"][..]),
        ("native", &["native"]),
        ("all", &["native", "interpreter", "backtracking", "naive"]),
    ] {
        let more = ["--engine", engine, "--seconds", "0.1", "--json"];
        let output = rgc(["bench", "breakthrough", "--startup"].into_iter().chain(more)).success();
        let rows = json_lines(&output);
        let names: Vec<&str> = rows.iter().map(|row| row["engine"].as_str().unwrap()).collect();
        assert_eq!(names, ran, "{engine}");
    }
}

/// What each pass makes of some games of the library, in the order of the runs: sizes, without times.
#[test]
fn stages_of_games() {
    for name in STAGES {
        let loaded = load(name);
        let mut stages = Stages(String::new());
        let mut small = loaded.game.clone();
        Pipeline::level(rgc::optimize::level(2)).run(&mut small, &mut stages).unwrap();
        let before = passes::Size::of(&loaded.game);
        let sizes =
            |size: passes::Size| format!("{:>6} {:>6} {:>7} {:>6}", size.nodes, size.edges, size.cells, size.bits);
        let text = format!("{:<22} {}\n{}", "", sizes(before), stages.0);
        snapshot(&format!("stages_{}", name.replace(['/', '.'], "_")), &text);
    }
}

const STAGES: [&str; 6] = [
    "rbg/breakthrough.rbg",
    "rbg/reversi.rbg",
    "rbg/amazons.rbg",
    "hrg/connectFour.hrg",
    "hrg/yavalath.hrg",
    "rg/ticTacToe.rg",
];

struct Stages(String);

impl Observer for Stages {
    fn step(&mut self, step: &passes::Step<'_>) -> Result<(), String> {
        if step.changed {
            let passes::Size { nodes, edges, cells, bits } = step.size_after;
            self.0 += &format!("{:<22} {nodes:>6} {edges:>6} {cells:>7} {bits:>6}\n", step.pass.name());
        }
        Ok(())
    }
}

/// `docs/passes.md` lists all passes.
#[test]
fn the_page_on_passes_is_up_to_date() {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/passes.md");
    let page = fs::read_to_string(&path).unwrap();
    let mut table = "| pass | runs at | moves | what it does |\n|---|---|---|---|\n".to_owned();
    for &pass in passes::registry() {
        let moves = if pass.changes_moves() { "changed" } else { "kept" };
        table += &format!("| `{}` | {} | {moves} | {} |\n", pass.name(), rgc::optimize::when(pass), pass.summary());
    }
    let (before, rest) = page.split_once("<!-- passes -->\n").unwrap();
    let (_, after) = rest.split_once("<!-- end -->\n").unwrap();
    let wanted = format!("{before}<!-- passes -->\n{table}<!-- end -->\n{after}");
    if std::env::var_os("RGC_UPDATE_LEDGER").is_some() {
        fs::write(&path, &wanted).unwrap();
    } else {
        assert!(page == wanted, "the table in docs/passes.md is old; RGC_UPDATE_LEDGER=1 writes it anew");
    }
    for option in ["--dump-passes", "--time-passes", "--verify", "--bisect", "--infer", "--passes"] {
        assert!(page.contains(option) && rgc(["optimize", "--help"]).success().contains(option), "{option}");
    }
}

/// A game in GDL is compared with its ground form; what was compared is said.
#[test]
fn translations_are_verified() {
    let scratch = Scratch::new("verify-gdl");
    let out = scratch.path("out.rg");
    let verify = |text: &str| {
        let run = rgc_with_input(["optimize", "-", "--from", "gdl", "-o", &out, "--verify"], text);
        assert_eq!((run.code, run.stdout.as_str()), (0, ""), "{}", run.stderr);
        run.stderr
    };
    let sheet = "(role ann) (role bob) (step 1) (step 2) (base (at 0)) (init (at 0)) (next_step 0 1) (next_step 1 2)
        (<= (legal ?r (name ?n)) (role ?r) (step ?n)) (input ann (name 1)) (input ann (name 2)) (input bob (name 1)) (input bob (name 2))
        (<= (base (at ?n)) (step ?n)) (<= (base (said ?r ?n)) (role ?r) (step ?n))
        (<= (next (said ?r ?n)) (does ?r (name ?n))) (<= (next (at ?n)) (true (at ?m)) (next_step ?m ?n))
        (<= terminal (true (at 2))) (<= terminal (true (at 2)) (true (said ann 1))) (<= (goal ?r 50) (role ?r))";
    // The first state, one for each of four joint moves in each of two steps; of these, every state is looked at for each way there.
    let all = "lifted and ground form agree in 21 states, which are all that can be reached\n";
    assert_eq!(verify(sheet), all);
    let chance = verify(&sheet.replace("bob", "random"));
    assert_eq!(chance, "the game is not lifted, so there is nothing to compare: a role is chance\n");
    let description = gdl::parse(rg_ir::SourceId(0), sheet).0.unwrap();
    let small = gdl::Limits { atoms: 3, ..gdl::Limits::default() };
    let said = rgc::optimize::lifting::verify(&description, small).unwrap();
    assert_eq!(said, "lifted and ground form are not compared: the description does not ground within 3 atoms");
}
