//! The ledger: the result of the full suite, checked in, so that a change of it is seen in review.

use crate::examine::Report;
use std::path::PathBuf;

const HEADER: &str = "\
# Conformance with the corpus, written by RGC_UPDATE_LEDGER=1 cargo test --release -p rgc --test conformance
# warnings; nodes and edges in RG; depth of perft verified / known; random playouts (=: they agree with the oracle's)
# language game                           W  nodes  edges  perft  plays
";

const EFFORT: &str = "\
# Games of at most 2,000 edges at -O2 as bytecode, written by RGC_UPDATE_LEDGER=effort cargo test --release -p rgc --test conformance
# decisions lifted / all; bytes of a state; over 400 plies of playout: instructions per ply for finding all moves and
# making one; plies with a side exit to backtracking, whose instructions do not count
# language game                          lifted  bytes instructions back
";

fn path() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../snapshots/conformance.txt")
}

fn effort_path() -> PathBuf {
    path().with_file_name("effort.txt")
}

fn effort(reports: &[Report]) -> String {
    let lines: String =
        reports.iter().filter_map(|report| report.effort.as_ref()).map(|line| format!("{line}\n")).collect();
    format!("{EFFORT}{lines}")
}

fn render(reports: &[Report]) -> String {
    let lines: String = reports.iter().map(|report| report.line() + "\n").collect();
    let ok = reports.iter().filter(|report| report.problems.is_empty()).count();
    format!("{HEADER}{lines}# {ok} of {} games ok\n", reports.len())
}

pub(crate) fn write(reports: &[Report]) {
    std::fs::write(path(), render(reports)).unwrap();
}

pub(crate) fn write_effort(reports: &[Report]) {
    std::fs::write(effort_path(), effort(reports)).unwrap();
}

/// The differences between the reports and the ledger. A run with a smaller budget may have verified less than the
/// ledger says, but not more, and must have found the same sizes.
pub(crate) fn compare(reports: &[Report], full: bool) -> Vec<String> {
    let ledger = std::fs::read_to_string(path()).unwrap_or_default();
    let efforts = std::fs::read_to_string(effort_path()).unwrap_or_default();
    let known = |line: &&String| efforts.lines().any(|other| other == line.as_str());
    let changed = reports.iter().filter_map(|report| report.effort.as_ref()).filter(|line| !known(line));
    let mut problems: Vec<String> = changed.map(|line| format!("not in the ledger of effort: {line}")).collect();
    if full {
        let differences = |a: &str, b: &str, sign: &str| -> Vec<String> {
            a.lines()
                .filter(|line| !b.lines().any(|other| other == *line))
                .map(|line| format!("{sign} {line}"))
                .collect()
        };
        let now = render(reports);
        problems.extend(differences(&ledger, &now, "ledger:  "));
        problems.extend(differences(&now, &ledger, "this run:"));
        return problems;
    }
    for report in reports {
        let sizes = report.sizes();
        match ledger.lines().find_map(|line| line.strip_prefix(sizes.as_str())) {
            None => problems.push(format!("{}: not in the ledger: {sizes}", report.title())),
            Some(rest) => {
                let depth = rest.split('/').next().and_then(|depth| depth.trim().parse::<u32>().ok());
                if depth.is_none_or(|depth| depth < report.perft.0) {
                    problems.push(format!("{}: perft {} is more than in the ledger", report.title(), report.perft.0));
                }
            }
        }
    }
    problems
}
