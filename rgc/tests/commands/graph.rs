//! `rgc graph` with regions, as a user runs it.

use crate::support::{Scratch, game, rgc};

/// Runs `rgc graph` on a game with some hundred nodes.
fn graph(arguments: &[&str]) -> String {
    rgc([&["graph", &game("rbg/englishDraughts.rbg")], arguments].concat()).success()
}

/// The regions of that game, with their numbers of nodes.
fn regions() -> Vec<(String, usize)> {
    let line = |line: &str| {
        let (name, nodes) = line.trim().split_once(": ").unwrap();
        (name.to_owned(), nodes.strip_suffix(" nodes").unwrap().parse().unwrap())
    };
    graph(&["--to", "regions"]).lines().map(line).collect()
}

#[test]
fn regions_fold_and_open() {
    let regions = regions();
    assert!(regions.len() >= 4, "{regions:?}");
    let boxes = |text: &str| text.matches("shape=box3d").count();
    let nodes = |text: &str| text.lines().filter(|line| line.starts_with("  n") && !line.contains(" -> ")).count();
    let open = graph(&[]);
    assert_eq!((open.matches("subgraph cluster_").count(), boxes(&open)), (regions.len(), 0));
    let all = graph(&["--collapse", "all"]);
    assert!(boxes(&all) >= 2 && !all.contains("subgraph") && nodes(&all) < nodes(&open) / 4, "{all}");
    // One region is folded: its nodes become one.
    let (first, size) = &regions[0];
    let one = graph(&["--collapse", first]);
    assert_eq!((boxes(&one), nodes(&open) - nodes(&one)), (1, size - 1));
    // And one is open: so are those around it, and no others.
    let (last, _) = regions.last().unwrap();
    let but_one = graph(&["--expand", last]);
    assert!(but_one.contains(&format!("label=\"{last}: ")) && boxes(&but_one) > 0, "{but_one}");
    assert_eq!(graph(&["--collapse", "all", "--expand", last]), but_one);
}

#[test]
fn pictures_with_folded_regions() {
    let size = |svg: &str| svg.matches("<g class=\"n").count();
    let open = graph(&["--to", "svg"]);
    let folded = graph(&["--to", "svg", "--collapse", "all"]);
    assert!(size(&folded) < size(&open) / 4, "{} {}", size(&folded), size(&open));
    assert!(!folded.contains("<a "), "there is nothing to click outside of a page");
    let page = graph(&["--to", "html"]);
    assert!(page.contains("<title>") && page.matches("<section").count() >= regions().len());
}

#[test]
fn names_of_regions_are_checked() {
    let scratch = Scratch::new("graph");
    let file = game("rbg/englishDraughts.rbg");
    let (name, _) = regions().remove(0);
    let misspelt = format!("{name}x");
    let inner = rgc(["graph", &file, "--collapse", &misspelt]);
    assert!(inner.code == 1 && inner.stderr.contains("IO315"), "{}", inner.stderr);
    assert!(inner.stderr.contains("did you mean"), "{}", inner.stderr);
    let node = rgc(["graph", &file, "--expand", "begin,noSuchNode"]);
    assert!(node.code == 1 && node.stderr.contains("IO315"), "{}", node.stderr);
    std::fs::write(scratch.path("small.rg"), "type Player = { a }; type Score = { 0 }; begin, end: player = keeper;")
        .unwrap();
    let small = rgc(["graph", &scratch.path("small.rg"), "--collapse", "begin"]);
    assert!(small.code == 1 && small.stderr.contains("too small to have any"), "{}", small.stderr);
    assert!(rgc(["graph", &scratch.path("small.rg"), "--to", "regions"]).output().starts_with("no regions"));
}

/// The name of the file tells what is to be in it where `--to` does not.
#[test]
fn extensions_choose_the_form() {
    let scratch = Scratch::new("extensions");
    let written = |arguments: &[&str], name: &str| {
        let path = scratch.path(name);
        assert_eq!(rgc([arguments, &["-o", &path]].concat()).success(), "");
        std::fs::read_to_string(path).unwrap()
    };
    for (name, beginning) in
        [("a.svg", "<svg"), ("a.HTML", "<!doctype html"), ("a.gv", "digraph"), ("a.txt", "digraph")]
    {
        let text = written(&["graph", "ticTacToe.rg"], name);
        assert!(text.trim_start().starts_with(beginning), "{name}: {}", text.lines().next().unwrap());
    }
    for (name, beginning) in
        [("b.svg", "<svg"), ("b.json", "{"), ("b.dot", "digraph"), ("b.rg", "type "), ("b", "type ")]
    {
        let text = written(&["translate", "ticTacToe.rg"], name);
        assert!(text.contains(beginning) && text.len() > 500, "{name}: {}", text.lines().next().unwrap());
    }
    assert!(written(&["graph", "ticTacToe.rg", "--to", "dot"], "c.txt").starts_with("digraph"));
    assert!(written(&["translate", "ticTacToe.rbg", "--to", "ll-rbg"], "c.rbg").contains("#board"));
    for (command, name, said) in [("graph", "d.png", "dot -Tpng"), ("translate", "d.rbg", "the file is called `.rbg`")]
    {
        let path = scratch.path(name);
        let run = rgc([command, "ticTacToe.rbg", "-o", &path]);
        assert!(run.code == 1 && run.stderr.contains("IO356") && run.stderr.contains(said), "{}", run.stderr);
        assert!(!std::path::Path::new(&path).exists());
    }
}
