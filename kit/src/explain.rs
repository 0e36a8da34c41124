//! What the codes of all findings mean, from all crates.

/// A family of codes.
#[derive(Clone, Copy, Debug)]
pub struct Family {
    /// The letters before the number.
    pub prefix: &'static str,
    /// What the findings are about.
    pub title: &'static str,
    /// Where to read more, in the repository.
    pub page: &'static str,
    /// Codes in ascending order, with what each is about.
    pub codes: &'static [(&'static str, &'static str)],
}

/// All families.
pub static FAMILIES: &[Family] = &[
    Family { prefix: "RG", title: "Regular Games (RG)", page: "docs/languages/rg.md", codes: rg_ir::codes::ALL },
    Family { prefix: "RBG", title: "Regular Boardgames (RBG)", page: "docs/languages/rbg.md", codes: rbg::codes::ALL },
    Family {
        prefix: "HRG",
        title: "High-level Regular Games (HRG)",
        page: "docs/languages/hrg.md",
        codes: hrg::codes::ALL,
    },
    Family {
        prefix: "SBG",
        title: "Simplified Boardgames (SBG)",
        page: "docs/languages/sbg.md",
        codes: sbg::codes::ALL,
    },
    Family {
        prefix: "GDL",
        title: "Game Description Language (GDL)",
        page: "docs/languages/gdl.md",
        codes: gdl::codes::ALL,
    },
    Family { prefix: "GEN", title: "generated games", page: "docs/generate.md", codes: generate::codes::ALL },
    Family {
        prefix: "TGD",
        title: "games translated to GDL",
        page: "docs/languages/gdl.md",
        codes: rg_to_gdl::codes::ALL,
    },
    Family {
        prefix: "THR",
        title: "games translated to HRG",
        page: "docs/languages/hrg.md",
        codes: rg_to_hrg::codes::ALL,
    },
    Family {
        prefix: "TSB",
        title: "games translated to SBG",
        page: "docs/languages/sbg.md",
        codes: rg_to_sbg::codes::ALL,
    },
    Family { prefix: "RT", title: "errors at run time", page: "docs/reasoner.md", codes: backend::ErrorKind::CODES },
    Family { prefix: "IO", title: "the command line", page: "README.md", codes: IO },
];

/// The codes of this crate.
const IO: &[(&str, &str)] = &[
    ("IO301", "There is no file of that name, and no bundled game. `rgc games` lists the bundled ones."),
    ("IO302", "A folder where a file is expected."),
    ("IO303", "A file or standard input that cannot be read; the message has the reason."),
    ("IO304", "A file that is larger than 64 MiB, the maximum size."),
    ("IO305", "A file that is not text in UTF-8."),
    ("IO306", "A file without content."),
    ("IO307", "An unknown language, in `--from` or as the extension of the file."),
    ("IO308", "A text that does not begin like any language. Name it with `--from`."),
    ("IO309", "A result that cannot be written; the message has the reason."),
    ("IO310", "A view that games in this language do not have."),
    (
        "IO311",
        "A game that is too large for a picture. `rgc graph` draws it with regions folded; Graphviz may do it from `--to dot`.",
    ),
    ("IO312", "A language without a formatter."),
    ("IO313", "A bundled game that is not there in the language asked for."),
    (
        "IO314",
        "A game without source text, because engines run a part of it by search only. The message names the decisions.",
    ),
    (
        "IO315",
        "A name in `--collapse` or `--expand` that is not a region of the automaton. `rgc graph --to regions` lists them.",
    ),
    (
        "IO320",
        "A move that is not legal where it is to be made. The legal ones are listed by `rgc moves`, and by `moves` in `rgc play`.",
    ),
    ("IO321", "A game that is longer than `--max-plies` allows."),
    ("IO322", "A game without joint moves: only games in GDL have them."),
    ("IO323", "A role that the game does not have."),
    ("IO324", "A question about the rules of a game in GDL that takes too long to answer."),
    (
        "IO325",
        "Tags are asked for where a line stands for moves of several roles at once (`rgc trace --tags` of a game in GDL).",
    ),
    (
        "IO330",
        "A pass left a game with errors, or with other moves. This is a defect of the program: please report it.",
    ),
    (
        "IO331",
        "Verification found that a pass made another game, or that a claim it made is wrong. This is a defect of the pass.",
    ),
    (
        "IO332",
        "The pipeline of passes did not reach a fixed point within its rounds. The result is still a correct game.",
    ),
    ("IO333", "A claim (pragma) in a game that a search refutes."),
    ("IO334", "A game, or a decision, for which the fast engines have no program. `rgc stats --reasoner` says why."),
    (
        "IO335",
        "An engine that has no moves as sets for this game, which `rgc bench --mode set` measures. The other modes suit all.",
    ),
    ("IO336", "A file to compare with that is not a run of `rgc bench --json`, or a line of it that is broken."),
    (
        "IO337",
        "Verification found that a game in GDL is another game when its rules are lifted than when they are written out. This is \
      a defect of the translation: please report it, with the game and what is shown.",
    ),
    (
        "IO338",
        "A file with the extension `wir` that is not a program of the word-level IR, or one that breaks a rule of it. \
      `rgc optimize --emit program GAME` prints one.",
    ),
    (
        "IO339",
        "An option of `rgc optimize` that is about games, with a program of the reasoner (`.wir`), on which it would have no effect.",
    ),
    ("IO340", "A record of games that cannot be written; the message has the reason."),
    ("IO341", "An agent that does not play this game. `uct` plays all games."),
    ("IO342", "A match that cannot be played: too many line-ups, or no threads could be started."),
    (
        "IO343",
        "A file that is not a record of games, or a line of it that is broken. Records are written by `rgc match --record` and by \
      `save` in `rgc play`.",
    ),
    (
        "IO344",
        "A record that the rules contradict: a move that is not legal, another end, other scores, or other choices on the way.",
    ),
    ("IO345", "A record of another game, or of a game whose text has changed since."),
    ("IO346", "A game that is to be read from standard input, where the moves of the human come from."),
    ("IO347", "A name in `--as` that is not a player of the game."),
    ("IO348", "A command of `rgc play` that cannot be executed there."),
    ("IO349", "An unknown diagnostic code. `rgc explain` lists all codes."),
    ("IO350", "A page of `rgc audit --html` that cannot be written; the message has the reason."),
    (
        "IO351",
        "Several games for one page, which is about one (`rgc audit --html`, `rgc studio --export`), or a game that there can be no page about.",
    ),
    ("IO352", "A full screen that there is no terminal for. Without `--full-screen`, `rgc play` works everywhere."),
    ("IO353", "A file to be written that is the game that is read; it would be lost."),
    (
        "IO354",
        "A file to be written exists, and is something else than an earlier result of the same kind (records and new games replace nothing). `--force` replaces it.",
    ),
    (
        "IO355",
        "A record that does not tell where its game is now: the game came from standard input, or the file is not there, \
      relative to the current folder. `--game FILE` names it.",
    ),
    (
        "IO356",
        "A file to be written whose extension is that of another format than it would hold, such as `.svg` for a game, or of a \
      format that the command does not write. Another name, or `--to` where the command has it, resolves it.",
    ),
    ("IO357", "The game was not prepared within the CPU time of `--limit`. The message says what was under way."),
    ("IO358", "More memory is in use than `--memory` allows."),
    ("IO359", "A file to be written that another program is writing at this moment."),
    (
        "IO360",
        "A record that ends within a line: the program that wrote it was stopped, or the file is a part of another. Its complete \
      games are verified.",
    ),
    ("IO361", "`check --fix` or `--watch` for a text that is not in a file: a bundled game, or standard input."),
    ("IO362", "`perft --expect` names another number of leaves than was counted."),
    ("IO365", "A folder without games. Files in JSON are not looked for: name them one by one, or with `--from json`."),
    ("IO366", "A pattern that no file matches. Hidden files and those in folders called `target` are left out."),
    ("IO367", "A pattern for files that is not one: a bracket that is not closed, for instance."),
    ("IO368", "The process that handles one of several files could not be started, or was stopped from outside."),
    ("IO369", "A name for `rgc new` that not all languages can use for a game."),
    ("IO370", "A file in `--position` that is not a position in JSON. `rgc moves --json` writes positions."),
    (
        "IO371",
        "A position that does not belong to the game: it has other variables, keys, values or nodes, or no player moves there.",
    ),
    (
        "IO372",
        "A perft number in a comment of the game, in a line `perft: 20 400 8902`, that is not what `check --perft` counts.",
    ),
    ("IO373", "`--position` for several games: a position belongs to one."),
    (
        "IO380",
        "A line of a file of openings that cannot be played from the first position, or after which the game is over.",
    ),
    ("IO381", "`--opening` asks for more random moves than games of random moves last."),
    ("IO382", "`--record` for a match over several games: a record holds games of one."),
    ("IO383", "A match was interrupted. The results are those of the games that were over by then."),
    (
        "IO384",
        "A program named by `cmd:` failed: it ended, did not answer in time, or its answer is not a legal move. The protocol is in \
          docs/playing.md.",
    ),
    ("IO385", "`--resume` names the record of another match, which the games to be played do not continue."),
    (
        "IO386",
        "An editor that started the language server, `rgc lsp`, went away without saying so, or breaks the protocol.",
    ),
    ("IO387", "A game with too many different moves to give each a number. Actions can be steps of moves instead."),
    (
        "IO388",
        "Scores of which some are no numbers, such as `won` and `lost`. Agents and figures take each for its place in the order of \
          declaration; in Python, `utilities=` says what they are worth.",
    ),
    (
        "IO390",
        "The page of `rgc studio` cannot be served on its port: another program uses it, or the system does not allow it.",
    ),
    ("IO391", "The system has no random numbers for the secret in the address of `rgc studio`."),
    (
        "IO392",
        "A file to be saved by `rgc studio` that another program has changed since it was opened. It is not overwritten: open it \
          again, or save under another name.",
    ),
    ("IO393", "Something to be saved by `rgc studio --read-only`."),
    (
        "IO394",
        "A game about which `rgc studio --export` can make no page: it cannot be run, or the agents named by `--players` do not play it.",
    ),
    (
        "IO395",
        "`rgc join` or `rgc serve` cannot listen on its port: another program uses it, or the system does not allow it.",
    ),
    (
        "IO396",
        "`rgc serve` for a game in another language than that of the protocol: GDL with `--ggp`, RBG with `--rbg`.",
    ),
    (
        "IO397",
        "`rgc serve --ggp` with fewer players than the game has roles to be played, or with the same player twice.",
    ),
    (
        "IO398",
        "A player failed in a match of `rgc serve`: it was late, could not be reached, or answered something else than a legal move. \
          Its moves were drawn.",
    ),
    ("IO399", "A match of `rgc serve` without a result: it was too long, or the rules failed."),
    ("IO400", "`rgc join --rbg` cannot connect to a manager, or the manager breaks the protocol."),
    ("IO401", "A program that breaks the protocol for programs that choose moves. docs/playing.md describes it."),
    ("IO402", "None of the games that `rgc generate random` drew for a seed is worth a look. Another seed helps."),
    ("IO403", "A game that cannot be translated to RBG, such as one in which powers are too large to be written out."),
    (
        "IO404",
        "Something to be expanded in a language that has neither macros nor functions, or at a place without a macro call.",
    ),
    (
        "IO405",
        "A C++ interface that a game cannot have: that of RBG for a game in another language, or either for Rust.",
    ),
];

/// The codes of findings about something that could as well not be there.
const UNUSED: [&str; 7] = [
    "RG029",
    rbg::codes::UNUSED,
    rbg::codes::UNUSED_PARAMETER,
    hrg::codes::UNUSED,
    hrg::codes::UNUSED_CASE,
    sbg::codes::UNUSED_RULE,
    gdl::codes::U2_UNUSED,
];

/// Whether findings of that code are about something that could as well not be there: editors show it faded.
pub fn is_unused(code: &str) -> bool {
    UNUSED.contains(&code)
}

/// All codes with their families.
pub fn all() -> impl Iterator<Item = (&'static Family, &'static str, &'static str)> {
    FAMILIES.iter().flat_map(|family| family.codes.iter().map(move |&(code, text)| (family, code, text)))
}

/// What is said about a code in the sources, as a text for people: without references to sections of specifications,
/// which stand in brackets at the end.
pub fn plain(text: &str) -> String {
    let text = text.trim();
    match text.strip_suffix(").").and_then(|rest| rest.rsplit_once(" (")) {
        Some((sentence, _)) => format!("{sentence}."),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_unique_and_explained() {
        let codes: Vec<&str> = all().map(|(_, code, _)| code).collect();
        for (family, code, text) in all() {
            let number = code.strip_prefix(family.prefix).unwrap_or_default();
            assert!(number.len() == 3 && number.bytes().all(|b| b.is_ascii_digit()), "{code} of {}", family.prefix);
            let said = plain(text);
            assert!(said.len() > 10 && said.ends_with('.') && !said.contains("(check"), "{code}: {said}");
        }
        assert!(FAMILIES.iter().all(|family| family.codes.is_sorted_by_key(|(code, _)| *code)));
        let mut unique = codes.clone();
        unique.sort_unstable();
        unique.dedup();
        assert_eq!(unique.len(), codes.len());
    }

    #[test]
    fn references_are_left_out() {
        assert_eq!(plain(" A thing (check 3)."), "A thing.");
        assert_eq!(plain("Calls `f(x)` twice."), "Calls `f(x)` twice.");
    }
}
