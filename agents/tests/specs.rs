//! What users write for agents.
#![allow(clippy::unwrap_used)] // a test stops at the first surprise

use agents::Spec;

#[test]
fn specs_are_read() {
    for text in [
        "random",
        "greedy",
        "flat",
        "flat:1000p",
        "mcts:1s",
        "mcts:100ms",
        "uct:5000p,rave,threads=2",
        "uct: 1.5s, c=0.4, fpu=1.1, playouts=2, table=off, keep=off, memory=1_000",
        "uct:10_000n",
        "ab",
        "ab:depth=6",
        "ab:1s,depth=6,eval=0",
        "ab:5000n",
    ] {
        let spec = Spec::parse(text).unwrap();
        assert_eq!(spec.to_string(), text);
        assert_eq!(text.parse::<Spec>().unwrap(), spec);
    }
}

#[test]
fn mistakes_are_explained() {
    for (text, said) in [
        ("", "the name of an agent is missing; the agents are `random`"),
        (
            "minimax",
            "there is no agent `minimax`; the agents are `random`, `greedy`, `flat`, `uct` (or `mcts`) and `ab`",
        ),
        ("random:1s", "`random` has no options, found `1s`"),
        ("uct:1x", "`1x` is not a budget: `ms`, `s`, `p` (playouts) or `n` (nodes) is expected after the number"),
        ("uct:0p", "`0p` is not a budget: a whole number of at least 1 is expected before `p`"),
        ("uct:1.5p", "a whole number of at least 1"),
        ("flat:0s", "`0s` is not a time: a positive number is expected, a day at most"),
        ("flat:99999999s", "a day at most"),
        ("flat:1.2.3s", "is not a time"),
        ("flat:rave", "`flat` has no option `rave`; a budget like `100ms`"),
        ("uct:raev", "or `c=NUMBER`"),
        ("uct:c=x", "`c=x`: a number of at least 0 is expected, found `x`"),
        ("uct:c=-1", "a number of at least 0"),
        ("uct:c=nan", "a number of at least 0"),
        ("uct:playouts=0", "`playouts=0`: a number from 1 to 1000 is expected, found `0`"),
        ("uct:threads=0", "`threads=0`: a number from 1 to 256 is expected, found `0`"),
        ("uct:table=maybe", "`on` or `off` is expected"),
        ("ab:depth=999", "a number from 1 to 200 is expected"),
        ("ab:depth", "or `depth=PLIES`"),
        ("uct:99999999999999999999p", "is not a budget"),
    ] {
        let found = Spec::parse(text).unwrap_err().to_string();
        assert!(found.contains(said), "{text}: {found}");
    }
}

#[test]
fn lists_are_split_where_agents_begin() {
    let list = |text: &str| -> Vec<String> { Spec::parse_list(text).unwrap().iter().map(Spec::to_string).collect() };
    assert_eq!(list("random,mcts:100ms"), ["random", "mcts:100ms"]);
    assert_eq!(
        list("uct:50p,rave,threads=2,ab:depth=6,eval=0, greedy"),
        ["uct:50p,rave,threads=2", "ab:depth=6,eval=0", "greedy"]
    );
    for (text, said) in [("", "is missing"), ("uct:5p,mini:3", "no agent `mini`")] {
        let result = Spec::parse_list(text);
        assert!(result.is_err_and(|error| error.to_string().contains(said)), "{text}");
    }
}
