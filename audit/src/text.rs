//! A report as text.

use super::estimate::Estimate;
use super::rules::{Rules, Unused};
use super::winnable::{Answer, Role, Winnable};
use super::{Failure, Report};
use kit::elo::elo_text;
use kit::proper::{Proper, undetected};
use kit::table::{counted, grouped};
use std::fmt::Write as _;

/// Width of the names of figures.
const NAMES: usize = 22;

/// Relative standard error above which an estimate is called doubtful.
const DOUBT: f64 = 0.3;

/// Moves of a play that are shown.
const MOVES: usize = 60;

/// The figures of a report, in the order of their sections: title, and lines with a name and a text.
pub(super) type Lines = Vec<(&'static str, Vec<(String, String)>)>;

/// The whole report, with a final newline.
pub fn text(report: &Report) -> String {
    let mut text = format!("{} ({}): {}\n", report.game, report.language, kind(report));
    for (title, lines) in lines(report) {
        let _ = writeln!(text, "\n{title}");
        for (name, value) in lines {
            let gap = NAMES.saturating_sub(name.chars().count()).max(1);
            let _ = writeln!(text, "  {name}{}{value}", " ".repeat(gap));
        }
    }
    text
}

/// What kind of game it is: its players, and whether there is chance or something hidden.
pub fn kind(report: &Report) -> String {
    let players = match report.players.len() {
        0 => "no players".to_owned(),
        1 => format!("one player, {}", report.players.join("")),
        count => format!("{count} players, {}", report.players.join(", ")),
    };
    let chance = if report.chance { "chance" } else { "no chance" };
    let hidden = if report.hidden { "hidden information" } else { "nothing hidden" };
    let at_once = if report.simultaneous { "; several move at once" } else { "" };
    format!("{players}; {chance}; {hidden}{at_once}")
}

pub(super) fn lines(report: &Report) -> Lines {
    let mut sections = vec![("playouts", plays(report))];
    sections.push(("results of playouts", results(report)));
    sections.push(("sizes", sizes(report)));
    sections.push(("dead rules", rules(&report.rules)));
    sections.extend(report.winnable.as_ref().map(|found| ("winnability", winnability(found))));
    sections.extend(report.proper.as_ref().map(|found| ("properness", properness(found))));
    sections
}

fn line(name: &str, value: impl Into<String>) -> (String, String) {
    (name.to_owned(), value.into())
}

/// A figure with its interval.
fn figure(estimate: &Estimate) -> String {
    let [low, high] = estimate.interval;
    format!("{:.2} [{low:.2}, {high:.2}]", estimate.value)
}

/// A share with its interval, in percent.
fn percent(estimate: &Estimate) -> String {
    let [low, high] = estimate.interval.map(|end| end * 100.0);
    format!("{:.1} % [{low:.1}, {high:.1}]", estimate.value * 100.0)
}

/// A number given by its decimal logarithm.
fn power(log: f64) -> String {
    if log < 6.0 { grouped(10f64.powf(log).round() as u64) } else { format!("10^{log:.1}") }
}

/// What stands where a figure is not known, because no play was over.
fn unknown(report: &Report) -> String {
    let sample = &report.sample;
    let why = match (sample.unfinished, sample.failed) {
        (0, 0) => "there was no playout",
        (_, 0) => "all playouts were stopped; raise `--max-plies`",
        (0, _) => "all playouts ended in an error",
        _ => "all playouts were stopped or ended in an error",
    };
    format!("– (unknown: {why})")
}

/// The error that playouts ended in: its place, code and message.
fn failure(error: &Failure) -> String {
    let place = error.at.map(|[line, column]| format!("{line}:{column}: ")).unwrap_or_default();
    format!("{place}{} ({})", error.message, error.code)
}

fn plays(report: &Report) -> Vec<(String, String)> {
    let sample = &report.sample;
    let mut number = format!("{}, seed {}", grouped(sample.plays), sample.seed);
    for (count, what) in [(sample.unfinished, "stopped"), (sample.failed, "ended in an error")] {
        if count > 0 {
            let _ = write!(number, "; {} more {what}", grouped(count));
        }
    }
    let mut lines = vec![line("playouts", number)];
    lines.extend(report.error.as_ref().map(|error| line("error", failure(error))));
    lines.push(line("engine", report.engine));
    if let Some(length) = &sample.length {
        let mean = figure(&length.mean);
        let spread = format!("deviation {:.2}", length.deviation);
        let range = format!("{} to {}, median {}", length.least, length.greatest, length.median);
        lines.push(line("length", format!("{mean} moves; {spread}; {range}")));
    } else {
        lines.push(line("length", unknown(report)));
    }
    if let Some(branching) = &sample.branching {
        let mean = figure(&branching.mean);
        let rest = format!("geometric mean {:.2}; at most {}", branching.geometric_mean, grouped(branching.greatest));
        let forced = format!("{:.1} % of the moves forced", branching.forced * 100.0);
        lines.push(line("branching factor", format!("{mean}; {rest}; {forced}")));
        if let Some(chance) = branching.chance {
            lines.push(line("outcomes of chance", format!("{chance:.2} on average")));
        }
    } else {
        lines.push(line("branching factor", "– (unknown: no player had to move)"));
    }
    lines
}

fn results(report: &Report) -> Vec<(String, String)> {
    let sample = &report.sample;
    let mut lines = Vec::new();
    for player in &sample.players {
        let scores: Vec<String> =
            player.scores.iter().map(|score| format!("{} × {}", score.score, grouped(score.count))).collect();
        let wins = player.wins.as_ref().map(|wins| format!("wins {}; ", percent(wins))).unwrap_or_default();
        let Some(score) = &player.score else {
            lines.push(line(&player.player, unknown(report)));
            continue;
        };
        let mean = figure(score);
        lines.push(line(&player.player, format!("{wins}mean score {mean} ({})", scores.join(", "))));
    }
    if let Some(drawn) = &sample.drawn {
        lines.push(line("drawn", format!("{}: all score the same", percent(drawn))));
    }
    if let Some(decisive) = &sample.decisive {
        lines.push(line("decisive", format!("{}: one scores more than all others", percent(decisive))));
    }
    if let Some(first) = &sample.first {
        let who =
            first.player.as_ref().map_or("who moves first".to_owned(), |player| format!("{player}, who moves first,"));
        let elo = first.elo.map(|elo| format!("; {} Elo", elo_text(elo))).unwrap_or_default();
        let [low, high] = first.score.interval;
        let sure = if low > first.fair {
            "an advantage"
        } else if high < first.fair {
            "a disadvantage"
        } else {
            "no significant advantage"
        };
        let fair = first.fair * 100.0;
        let mut text = format!("{who} gets {} of the points; {fair:.1} % is fair: {sure}{elo}", percent(&first.score));
        if report.simultaneous {
            text.push_str("; the order is that of the rules, since all move at once");
        }
        lines.push(line("first player", text));
    }
    lines
}

fn sizes(report: &Report) -> Vec<(String, String)> {
    let (sample, space) = (&report.sample, &report.space);
    let mut lines = Vec::new();
    if let Some(tree) = &sample.tree {
        let error = tree.error * 100.0;
        let knuth = format!("{} plays, {} nodes", power(tree.plays_log10), power(tree.nodes_log10));
        let doubt = if tree.error > DOUBT { "; a few playouts make up most of it" } else { "" };
        lines.push(line("game tree (Knuth)", format!("{knuth}; relative standard error {error:.0} %{doubt}")));
        lines.push(line("game tree (b^d)", format!("{} plays", power(tree.power_log10))));
    } else {
        lines.push(line("game tree", unknown(report)));
    }
    let found = grouped(space.found);
    let depth = space.by_depth.len();
    if space.complete {
        let away = counted(depth.saturating_sub(1) as u64, "move");
        lines.push(line("positions", format!("{found}: all, up to {away} from the start")));
    } else {
        let near = match depth {
            0 => String::new(),
            depth => format!(" (all that are up to {} from the start)", counted(depth as u64 - 1, "move")),
        };
        lines.push(line("positions", format!("at least {found}{near}, by exploration")));
        let text = match (sample.positions.distinct, sample.positions.chao1) {
            (Some(distinct), Some(chao1)) => {
                let estimate = power(chao1.max(1.0).log10());
                format!("{} met; {estimate} within reach of playouts (Chao 1)", grouped(distinct))
            }
            _ => "– (unknown: too many were met to count them)".to_owned(),
        };
        lines.push(line("positions (sample)", text));
    }
    lines.push(line(
        "positions (bound)",
        format!("at most {}, by what the variables can hold", power(space.bound_log10)),
    ));
    lines
}

fn rules(rules: &Rules) -> Vec<(String, String)> {
    let looked = match rules.complete {
        true => format!("all {} positions", grouped(rules.positions)),
        false => format!(
            "{} and {} of the reference engine",
            counted(rules.positions, "position"),
            counted(rules.plays, "playout")
        ),
    };
    let mut lines =
        vec![line("examined", format!("{} of the rules, in {looked}", counted(rules.places as u64, "place")))];
    let mut list = |name: &str, what: &str, unused: &Unused| {
        lines.push(line(name, format!("{} {what}", grouped(unused.count as u64))));
        for place in &unused.shown {
            let at = place.at.map(|[line, column]| format!("{line}:{column}")).unwrap_or_default();
            lines.push(line(&format!("  {at}"), place.text.clone()));
        }
        let more = unused.count - unused.shown.len();
        if more > 0 {
            lines.push(line("", format!("… and {} more", grouped(more as u64))));
        }
    };
    list("unreachable", "that no game can use", &rules.dead);
    if !rules.complete {
        list("not exercised", "that none of these positions and playouts used", &rules.unwalked);
        if rules.unwalked.count > 0 {
            let rare = format!(
                "too small to call these dead: {} of all playouts may use one of them",
                seldom(rules.undetected)
            );
            lines.push(line("sample", rare));
        }
    }
    lines
}

fn answer(answer: Answer) -> &'static str {
    match answer {
        Answer::Yes => "yes",
        Answer::No => "no",
        Answer::Unknown => "unknown: not all positions were explored",
    }
}

fn moves_text(moves: &[String]) -> String {
    let shown = moves.get(..MOVES.min(moves.len())).unwrap_or(moves).join("; ");
    if moves.len() > MOVES { format!("`{shown}; …`") } else { format!("`{shown}`") }
}

fn winnability(found: &Winnable) -> Vec<(String, String)> {
    let mut lines =
        vec![line("weakly winnable", answer(found.weakly)), line("strongly winnable", answer(found.strongly))];
    for Role { role, weakly, play, strongly, moves } in &found.roles {
        let mut text = match (weakly, play) {
            (Answer::Yes, Some(play)) => format!("can win, as by {}", moves_text(play)),
            (Answer::Yes, None) => "can win: a playout did".to_owned(),
            (Answer::No, _) => "can never win".to_owned(),
            (Answer::Unknown, _) => "no win found".to_owned(),
        };
        if let (Answer::Yes, Some(moves), true) = (strongly, moves, found.roles.len() > 1) {
            let _ = write!(text, "; wins by {} whatever the others do", moves_text(moves));
        }
        lines.push(line(role, text));
    }
    lines
}

/// What was found, in a few words.
fn verdict(found: &Proper) -> &'static str {
    match (found.violated, found.complete) {
        (true, _) => "not proper",
        (false, true) => "proper: all positions were explored",
        (false, false) if found.undecided() => "not decided",
        (false, false) => "no violation found",
    }
}

/// How much was looked at.
pub fn looked(found: &Proper) -> String {
    let mut looked = counted(found.positions, "position");
    if !found.complete {
        if found.positions > 0 {
            let depth = counted(found.depth.into(), "move");
            let all = if found.positions == 1 { "the only one that is" } else { "among them all that are" };
            let _ = write!(looked, ", {all} fewer than {depth} from the start");
        }
        let _ = write!(looked, "; {} of the reference engine", counted(found.plays, "playout"));
    }
    if found.rule_states > 0 {
        let _ = write!(looked, "; {} by the rules as they are written", counted(found.rule_states, "state"));
    }
    if found.fast_plays > 0 {
        let _ = write!(looked, "; {} of the fast engine", counted(found.fast_plays, "playout"));
    }
    if found.given_up > 0 {
        let _ = write!(looked, "; {} given up at a limit", grouped(found.given_up));
    }
    looked
}

/// A share of playouts that a sample can miss, in words.
fn seldom(share: f64) -> String {
    format!("up to {:.1} %", share * 100.0)
}

/// Whether what was looked at is a sample that showed nothing, so that it matters what it can miss.
fn is_sample(found: &Proper) -> bool {
    !found.complete && !found.violated && !found.undecided()
}

/// Whether a game is proper and how much was looked at, in one line.
pub fn properness_in_short(found: &Proper) -> String {
    let missed = match is_sample(found) {
        true => format!("; a violation in {} of all playouts can be missed", seldom(found.undetected)),
        false => String::new(),
    };
    format!("{} ({}){missed}", verdict(found), looked(found))
}

fn properness(found: &Proper) -> Vec<(String, String)> {
    let mut lines = vec![line("verdict", verdict(found)), line("explored", looked(found))];
    if is_sample(found) {
        let mut missed = format!("can miss an invalid action in {} of all playouts", seldom(found.undetected));
        let others = seldom(undetected(found.plays + found.fast_plays));
        let _ = write!(missed, ", and another violation in {others}");
        lines.push(line("sample", missed));
    }
    for broken in &found.violations {
        lines.push(line(
            &format!("{}. {}", broken.condition, broken.name),
            format!("{} ({})", broken.what, broken.code),
        ));
        lines.push(line("  after the moves", broken.play_text()));
        let at = match (&*broken.node, broken.at) {
            ("", Some([row, column])) => format!("at line {row}, column {column}; "),
            ("", None) => String::new(),
            (node, _) => format!("at node `{node}`; "),
        };
        lines.push(line("", at + broken.rank()));
    }
    lines
}
