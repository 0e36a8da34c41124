//! Several files in one command, and files that commands write: `rgc check`, `fmt`, `stats`, `perft`, `bench` and `new`.

use crate::support::{Scratch, command, game, json_lines, rgc, rgc_with_input};
use std::fs;
use std::io::{BufRead, BufReader};
use std::process::Stdio;
use std::sync::mpsc;
use std::time::Duration;

const GOOD: &str =
    "type Player = { a };\ntype Score = { 0, 1 };\nbegin, x: player = a;\nx, y: $ go;\ny, end: player = keeper;\n";

/// A folder with a game without findings, one with a warning, one with an error, and one that is not formatted.
fn folder(name: &str) -> Scratch {
    let scratch = Scratch::new(name);
    fs::create_dir_all(scratch.path("more")).unwrap();
    let write = |name: &str, text: &str| fs::write(scratch.path(name), text).unwrap();
    write("a.rg", GOOD);
    write("b.rg", &GOOD.replace("begin,", "const unused: Player = a;\nbegin,"));
    write("more/c.rg", &GOOD.replace("player = a", "playr = a"));
    write("more/d.rg", &GOOD.replace("type Player = { a }", "type   Player={a}"));
    write("notes.txt", "nothing");
    scratch
}

#[test]
fn findings_come_in_the_order_of_the_files() {
    let scratch = folder("files-check");
    for jobs in ["1", "4"] {
        let run = rgc(["check", scratch.folder(), "-j", jobs]);
        assert_eq!(
            (run.code, run.stdout.as_str()),
            (1, "4 files: 2 without findings, 1 with warnings, 1 with errors\n")
        );
        let [b, c] =
            ["b.rg:3", "c.rg:3"].map(|place| run.stderr.find(place).unwrap_or_else(|| panic!("{}", run.stderr)));
        assert!(b < c && !run.stderr.contains('\u{1b}'), "{}", run.stderr);
    }
    let run = rgc(["check", &scratch.path("*.rg"), "--message-format", "json"]);
    assert_eq!((run.code, &json_lines(&run.stdout)[0]["warnings"], json_lines(&run.stderr).len()), (0, &1.into(), 1));
    // Options reach every file.
    let run = rgc(["check", &scratch.path("a.rg"), "race.rg", "--proper", "--positions", "3"]);
    assert!(run.stdout.contains("a.rg: proper: all positions were explored"), "{}", run.stdout);
    assert!(run.stdout.contains("race.rg: no violation found (3 positions"), "{}", run.stdout);
    // Standard input and bundled games among files.
    let run = rgc_with_input(["check", "-", &scratch.path("a.rg"), "ticTacToe", "missing.rg"], GOOD);
    assert_eq!((run.code, run.stdout.as_str()), (1, "4 files: 3 without findings, 1 with errors\n"), "{}", run.stderr);
    assert!(run.stderr.contains("IO301"), "{}", run.stderr);
}

#[test]
fn what_cannot_be_written_is_said_in_plain_words() {
    let scratch = folder("files-unwritable");
    for (output, reason) in [
        (scratch.folder().to_owned(), "this is a folder; the name of a file is expected".to_owned()),
        (scratch.path("none/x.txt"), format!("there is no folder `{}`", scratch.path("none"))),
        (scratch.path("a.rg/x.txt"), format!("`{}` is a file, not a folder", scratch.path("a.rg"))),
    ] {
        let run = rgc(["translate", "ticTacToe", "-o", &output]);
        let wanted = format!("error[IO309]: cannot write `{output}`: {reason}\n\n");
        assert_eq!((run.code, run.stderr), (1, wanted));
        let played = rgc_with_input(["play", "ticTacToe"], &format!("save {output}\nquit\n"));
        let all = played.stdout + &played.stderr;
        assert!(all.contains(&reason) && !all.contains("os error"), "{all}");
    }
}

#[test]
fn one_file_is_what_it_was() {
    let scratch = folder("files-one");
    assert_eq!(rgc(["check", &scratch.path("a.rg")]).success(), "");
    assert!(rgc(["perft", &scratch.path("a.rg"), "1"]).success().starts_with("depth"));
    assert!(!rgc(["stats", &scratch.path("a.rg"), "--json"]).success().contains("\"file\""));
}

#[test]
fn folders_without_games_and_patterns_without_files() {
    let scratch = Scratch::new("files-none");
    for (name, code) in [("", "IO365"), ("*.rg", "IO366"), ("[", "IO367")] {
        for arguments in [&["check"][..], &["fmt"], &["stats"], &["bench"], &["audit"]] {
            let path = scratch.path(name);
            let run = rgc([arguments, &[&*path]].concat());
            assert!(run.code == 1 && run.stderr.contains(code), "{arguments:?} {path}: {}", run.stderr);
        }
    }
}

/// Standard input is one file, whatever a folder is called, and standard output is none.
#[test]
fn standard_streams_are_no_files() {
    let scratch = Scratch::new("files-streams");
    fs::create_dir(scratch.path("-")).unwrap();
    let run = |arguments: &[&str]| crate::support::rgc_in(scratch.folder(), arguments, GOOD);
    for arguments in [&["check", "-"][..], &["stats", "-"], &["check", "-", "ticTacToe"], &["fmt", "-", "--check"]] {
        assert_eq!(run(arguments).code, 0, "{arguments:?}: {}", run(arguments).stderr);
    }
    for arguments in [&["check", "-", "-"][..], &["stats", "-", "-"], &["equiv", "-", "-"]] {
        let twice = run(arguments);
        assert!(twice.code == 1 && twice.stderr.contains("can be read only once"), "{arguments:?}: {}", twice.stderr);
    }
    let match_ = ["match", "ticTacToe", "--players", "random", "--games", "1", "--record", "-"];
    for arguments in [&match_[..], &["audit", "ticTacToe", "--playouts", "1", "--html", "-"]] {
        let refused = run(arguments);
        let wanted = "it stands for standard output, but a file is needed here";
        assert!(refused.code == 1 && refused.stderr.contains(wanted), "{arguments:?}: {}", refused.stderr);
    }
    assert!(run(&["man", "-"]).success().contains(".SH NAME"));
    assert!(run(&["new", "rg", "-"]).stderr.contains("`-` cannot be the name of a game"));
    assert!(run(&["graph", "-", "--to", "html"]).success().contains("<title>&lt;stdin&gt;: automaton"));
    assert_eq!(fs::read_dir(scratch.folder()).unwrap().count(), 1, "nothing was written");
    // What is not an option of a command is not taken for a file.
    assert!(!run(&["perft", "ticTacToe", "2", "--sed", "1"]).stderr.contains("as a value"));
}

#[test]
fn fixes_in_several_files() {
    let scratch = folder("files-fix");
    let run = rgc(["check", scratch.folder(), "--fix"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert!(run.stdout.contains("c.rg: 1 fix applied\n"), "{}", run.stdout);
    assert_eq!(fs::read_to_string(scratch.path("more/c.rg")).unwrap(), GOOD);
}

#[test]
fn formatting_several_files() {
    let scratch = folder("files-fmt");
    let broken = scratch.path("more/e.rg");
    fs::write(&broken, "type Player = ;").unwrap();
    let ugly = scratch.path("more/d.rg");
    let before = fs::read_to_string(&ugly).unwrap();
    let run = rgc(["fmt", scratch.folder(), "--check"]);
    assert_eq!((run.code, run.stdout), (1, format!("{ugly}\n5 files: 3 formatted, 1 not formatted, 1 with errors\n")));
    let run = rgc(["fmt", scratch.folder(), "--diff"]);
    let lines = "-type   Player={a};\n+type Player = { a };\n type Score = { 0, 1 };\n";
    assert!(run.code == 1 && run.stdout.contains(lines), "{}", run.stdout);
    assert!(run.stdout.contains(&format!("--- {ugly}\n+++ {ugly} (formatted)\n@@ -1,4 +1,4 @@\n")), "{}", run.stdout);
    assert_eq!(fs::read_to_string(&ugly).unwrap(), before, "nothing is changed");
    let run = rgc(["fmt", scratch.folder()]);
    let text = format!("formatted {ugly} (1 line)\n5 files: 1 formatted, 3 unchanged, 1 with errors\n");
    assert_eq!((run.code, run.stdout), (1, text));
    fs::remove_file(broken).unwrap();
    assert_eq!(rgc(["fmt", scratch.folder()]).success(), "4 files: 4 unchanged\n");
    assert_eq!(rgc(["fmt", scratch.folder(), "--diff"]).success(), "4 files: 4 formatted\n");
    // One file alone, and standard input.
    fs::write(&ugly, before).unwrap();
    assert_eq!(rgc(["fmt", &ugly]).success(), format!("formatted {ugly} (1 line)\n"));
    assert_eq!(rgc(["fmt", &ugly]).success(), "");
    assert_eq!(rgc(["fmt", &ugly, "--diff"]).success(), "");
    let run = rgc_with_input(["fmt", "-", "--diff", "--from", "rg"], &GOOD.replace("begin, x", "begin,x"));
    assert!(run.code == 1 && run.stdout.contains("-begin,x") && run.stdout.contains("+begin, x"), "{}", run.stdout);
}

#[test]
fn counting_in_several_files() {
    let scratch = folder("files-perft");
    let run = rgc(["perft", &scratch.path("a.rg"), &scratch.path("more/c.rg"), "2", "--jobs", "2"]);
    let lines: Vec<&str> = run.stdout.lines().collect();
    assert_eq!(
        (run.code, lines[0], lines[1].starts_with("depth")),
        (1, &*scratch.path("a.rg"), true),
        "{}",
        run.stdout
    );
    assert!(run.stderr.contains("c.rg:3"), "{}", run.stderr);
    assert_eq!(lines.last(), Some(&"2 files: 1 without findings, 1 with errors"));
    let rows = json_lines(&rgc(["perft", "race", "ticTacToe.rg", "2", "--json"]).success());
    let rows: Vec<_> =
        rows.iter().map(|row| (row["file"].as_str().unwrap(), row["leaves"].as_u64().unwrap())).collect();
    assert_eq!(rows, [("race", 2), ("race", 4), ("ticTacToe.rg", 9), ("ticTacToe.rg", 72)]);
    let rows = json_lines(&rgc(["stats", &scratch.path("*.rg"), "--json", "-O2"]).success());
    assert_eq!(rows.iter().map(|row| row["nodes"].as_u64()).collect::<Vec<_>>().len(), 2);
    let text = rgc(["stats", &game("sbg/*.sbg")]).success();
    assert!(text.contains("chaturanga") && text.ends_with("11 files: 11 without findings\n"), "{text}");
}

/// A small game in every language: it has no findings, is formatted, and ends.
#[test]
fn new_games() {
    let scratch = Scratch::new("files-new");
    for language in ["rbg", "hrg", "sbg", "gdl", "rg"] {
        let (name, file) = (scratch.path("my_game-2"), scratch.path(&format!("my_game-2.{language}")));
        let text = rgc(["new", language, &name]).success();
        assert!(text.starts_with(&format!("wrote {file}; ")), "{text}");
        assert_eq!(rgc(["check", &file]).success(), "");
        assert_eq!(rgc(["fmt", &file, "--diff"]).success(), "");
        let trace = json_lines(&rgc(["trace", &file]).success());
        assert!(trace.last().unwrap()["scores"].is_object(), "{trace:?}");
        rgc(["check", &file, "--proper", "--positions", "100"]).output();
        let seen = rgc(["match", &file, "--players", "random", "--games", "20", "--json"]).success();
        assert_eq!(json_lines(&seen).last().unwrap()["broken"], 0, "{seen}");
        // What is there stays.
        fs::write(&file, "mine").unwrap();
        let run = rgc(["new", language, &file]);
        assert!(run.code == 1 && run.stderr.contains("IO354") && run.stderr.contains("--force"), "{}", run.stderr);
        assert_eq!(fs::read_to_string(&file).unwrap(), "mine");
        rgc(["new", language, &file, "--force"]).success();
        assert!(fs::read_to_string(&file).unwrap().contains("my_game-2") || language == "sbg");
    }
    let run = rgc(["new", "rbgg", "x"]);
    assert!(run.code == 2 && run.stderr.contains("a similar value exists: 'rbg'"), "{}", run.stderr);
    for name in ["a b", "1", "..", "", "a\nb"] {
        let run = rgc(["new", "rg", &scratch.path(name)]);
        assert!(run.code == 1 && run.stderr.contains("IO369"), "{name}: {}", run.stderr);
    }
    let run = rgc(["new", "rg", &scratch.path("no/such/folder")]);
    assert!(run.code == 1 && run.stderr.contains("IO309"), "{}", run.stderr);
}

#[test]
fn files_are_checked_again_when_they_change() {
    let scratch = folder("files-watch");
    let mut child = command(["check", "--watch", &scratch.path("*.rg"), "--message-format", "short"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let (sender, lines) = mpsc::channel();
    let outputs: [Box<dyn std::io::Read + Send>; 2] =
        [Box::new(child.stdout.take().unwrap()), Box::new(child.stderr.take().unwrap())];
    for output in outputs {
        let sender = sender.clone();
        std::thread::spawn(move || {
            BufReader::new(output).lines().map_while(Result::ok).for_each(|line| _ = sender.send(line));
        });
    }
    let mut seen = Vec::new();
    let mut await_line = |wanted: &str| loop {
        match lines.recv_timeout(Duration::from_secs(60)) {
            Ok(line) if line.contains(wanted) => break,
            Ok(line) => seen.push(line),
            Err(_) => panic!("{wanted} does not come after {seen:?}"),
        }
    };
    await_line("2 files: 1 without findings, 1 with warnings");
    fs::write(scratch.path("a.rg"), GOOD.replace("player = a", "playr = a")).unwrap();
    await_line("playr");
    fs::write(scratch.path("a.rg"), GOOD).unwrap();
    await_line("1 file: 1 without findings");
    // A new file, and one that is replaced as editors do it.
    fs::write(scratch.path("z.rg"), "type").unwrap();
    await_line("1 file: 1 with errors");
    fs::write(scratch.path("new"), GOOD).unwrap();
    fs::rename(scratch.path("new"), scratch.path("z.rg")).unwrap();
    await_line("1 file: 1 without findings");
    child.kill().unwrap();
    child.wait().unwrap();
    for name in ["ticTacToe", "-"] {
        let run = rgc(["check", "--watch", name]);
        assert!(run.code == 1 && run.stderr.contains("IO361"), "{}", run.stderr);
    }
}

/// What replaces an earlier result of its kind without `--force`, and nothing else.
#[test]
fn results_replace_earlier_results_of_their_kind_only() {
    let scratch = Scratch::new("files-replaced");
    let file = scratch.path("result");
    let commands: [&[&str]; 18] = [
        &["optimize"],
        &["optimize", "--emit", "program"],
        &["optimize", "--emit", "program", "--profile"],
        &["optimize", "--emit", "clif"],
        &["optimize", "--emit", "asm"],
        &["optimize", "--wir-passes", "none"],
        &["translate"],
        &["translate", "--to", "json"],
        &["translate", "--to", "dot"],
        &["translate", "--to", "svg"],
        &["translate", "--to", "ll-rbg"],
        &["translate", "--from", "gdl", "--to", "gdl-prefix"],
        &["translate", "--from", "gdl", "--to", "gdl-infix"],
        &["translate", "--from", "gdl", "--to", "gdl-prolog"],
        &["compile", "--emit", "rust"],
        &["compile", "--emit", "cpp"],
        &["graph", "--to", "html"],
        &["audit", "--playouts", "5", "--positions", "5"],
    ];
    for command in commands {
        let option = if command[0] == "audit" { "--html" } else { "-o" };
        let write = |game: &str| rgc([command, &[game, option, &file]].concat());
        let _ = fs::remove_file(&file);
        write("ticTacToe").success();
        let first = fs::read_to_string(&file).unwrap();
        write("breakthrough").success();
        assert_ne!(fs::read_to_string(&file).unwrap(), first, "{command:?}");
        for other in ["notes\n", "// Mine.\ntype Player = { a };\n", "{}\n", "<svg>\n", "state of things\n"] {
            fs::write(&file, other).unwrap();
            let run = write("ticTacToe");
            assert!(run.code == 1 && run.stderr.contains("IO354"), "{command:?} {other}: {}", run.stderr);
            assert_eq!(fs::read_to_string(&file).unwrap(), other);
        }
        rgc([command, &["ticTacToe", option, &file, "--force"]].concat()).success();
        assert_eq!(fs::read_to_string(&file).unwrap(), first, "{command:?}");
        fs::write(&file, "").unwrap();
        write("ticTacToe").success();
    }
    // A list is like any text; what is no file holds nothing.
    fs::write(&file, "turn_1: 3 nodes\n").unwrap();
    assert_eq!(rgc(["graph", "ticTacToe", "--to", "regions", "-o", &file]).code, 1);
    rgc(["graph", "ticTacToe", "-o", "/dev/null"]).success();
    // A game that somebody wrote.
    rgc(["new", "rg", &scratch.path("mine")]).success();
    let run = rgc(["translate", "ticTacToe", "-o", &scratch.path("mine.rg")]);
    let wanted = format!(
        "error[IO354]: `{}` already exists, and is not an RG game that `rgc` wrote\n |\n \
         = help: add `--force` to replace it, or name another file\n\n",
        scratch.path("mine.rg")
    );
    assert_eq!(run.stderr, wanted);
}

#[test]
fn dumps_replace_earlier_dumps_only() {
    let scratch = Scratch::new("files-dumps");
    for option in ["--dump-passes", "--dump-wir"] {
        let folder = scratch.path(option);
        let dump = |game: &str, more: &[&str]| rgc([&["optimize", game, &format!("{option}={folder}")], more].concat());
        let names = || {
            let files = fs::read_dir(&folder).unwrap().map(|file| file.unwrap().file_name().into_string().unwrap());
            let mut files: Vec<String> = files.collect();
            files.sort();
            files
        };
        let dumped = |game: &str, more: &[&str]| assert_eq!(dump(game, more).code, 0);
        dumped("ticTacToe", &[]);
        let first = names();
        dumped("breakthrough", &[]);
        assert_ne!(names(), first);
        dumped("ticTacToe", &[]);
        assert_eq!(names(), first, "nothing of the other dump is left");
        for name in ["notes.txt", "001-mine.rg", if option == "--dump-wir" { "result.wir" } else { "index.html" }] {
            let mine = format!("{folder}/{name}");
            let before = fs::read(&mine).unwrap_or_default();
            fs::write(&mine, "mine").unwrap();
            let run = dump("ticTacToe", &[]);
            assert!(run.code == 1 && run.stderr.contains("IO354") && run.stderr.contains(name), "{}", run.stderr);
            assert_eq!(fs::read_to_string(&mine).unwrap(), "mine");
            if before.is_empty() { fs::remove_file(&mine).unwrap() } else { fs::write(&mine, before).unwrap() }
        }
        fs::write(format!("{folder}/notes.txt"), "mine").unwrap();
        dumped("ticTacToe", &["--force"]);
        assert_eq!(fs::read_to_string(format!("{folder}/notes.txt")).unwrap(), "mine");
    }
    let folder = scratch.path("man1");
    rgc(["man", &folder]).success();
    rgc(["man", &folder]).success();
    fs::write(format!("{folder}/rgc-play.1"), ".TH other 1\n").unwrap();
    assert_eq!(rgc(["man", &folder]).code, 1);
    rgc(["man", &folder, "--force"]).success();
}

/// Nothing is written to a file whose extension is that of another format; extensions of no format say nothing.
#[test]
fn extensions_of_other_formats_are_refused() {
    let scratch = Scratch::new("files_extensions");
    for (command, option, names) in [
        (&["optimize", "ticTacToe"][..], "-o", &["a.svg", "a.json", "a.RBG", "a.png"][..]),
        (&["optimize", "ticTacToe", "--wir-passes", "dce"], "-o", &["a.rg", "a.dot"]),
        (&["optimize", "ticTacToe", "--emit", "asm"], "-o", &["a.rg", "a.html"]),
        (&["translate", "ticTacToe"], "-o", &["a.html", "a.pdf", "a.wir", "a.rbg"]),
        (&["translate", "ticTacToe", "--to", "json"], "-o", &["a.rg"]),
        (&["translate", "ticTacToe", "--to", "ll-rbg"], "-o", &["a.hrg"]),
        (&["graph", "ticTacToe"], "-o", &["a.rg", "a.json"]),
        (&["graph", "ticTacToe", "--to", "dot"], "-o", &["a.svg"]),
        (&["compile", "ticTacToe", "--emit", "rust"], "-o", &["a.hpp", "a.rg"]),
        (&["compile", "ticTacToe", "--emit", "cpp"], "-o", &["a.rs"]),
        (&["audit", "ticTacToe", "--playouts", "1"], "--html", &["a.svg", "a.rg"]),
        (&["match", "ticTacToe", "--players", "random", "--games", "1"], "--record", &["a.svg", "a.rbg"]),
    ] {
        for name in names {
            let file = scratch.path(name);
            let run = rgc([command, &[option, &file]].concat());
            assert!(run.code == 1 && run.stderr.contains("IO356"), "{command:?} {name}: {}", run.stderr);
            assert!(!std::path::Path::new(&file).exists(), "{command:?} {name}");
        }
        let file = scratch.path("a.txt");
        rgc([command, &[option, &file, "--force"]].concat()).success();
        assert!(std::path::Path::new(&file).exists(), "{command:?}");
    }
}
