//! Changes in the text of an automaton: what a front end never makes, but anybody may write.

use crate::choices::Choices;

/// The text of a game in RG with a few edges changed: labels are exchanged or turned into their contrary, edges lead
/// elsewhere, are left out, or get a second label. Claims of front ends are left out, too. It may be no game any more.
pub fn mutate(text: &str, seed: u64) -> String {
    let mut choices = Choices::seed(seed);
    let mut lines: Vec<String> = text.lines().filter(|line| !line.starts_with('@')).map(str::to_owned).collect();
    for _ in 0..1 + choices.below(4) {
        let edges: Vec<usize> = (0..lines.len()).filter(|&at| parts(&lines[at]).is_some()).collect();
        if edges.is_empty() {
            break;
        }
        let [one, other] = std::array::from_fn(|_| edges[choices.below(edges.len())]);
        let (Some((source, target, label)), Some((_, elsewhere, foreign))) = (parts(&lines[one]), parts(&lines[other]))
        else {
            continue;
        };
        match choices.below(7) {
            0 => {
                let exchanged = [format!("{source}, {target}: {foreign}"), lines[other].replace(foreign, label)];
                let [first, second] = exchanged;
                lines[one] = first;
                lines[other] = second;
            }
            1 | 2 => lines[one] = format!("{source}, {target}: {}", contrary(label)),
            3 => lines[one] = format!("{source}, {elsewhere}: {label}"),
            4 => _ = lines.remove(one),
            5 => lines.push(format!("{source}, {target}: {}", contrary(label))),
            _ => lines.push(format!("{source}, {elsewhere}: {foreign}")),
        }
    }
    lines.join("\n")
}

/// Source, target and label of an edge, with the semicolon.
fn parts(line: &str) -> Option<(&str, &str, &str)> {
    if ["type ", "const ", "var "].iter().any(|word| line.starts_with(word)) {
        return None;
    }
    let (ends, label) = line.split_once(": ")?;
    let (source, target) = ends.split_once(", ")?;
    Some((source, target, label))
}

/// The contrary of a test; other labels stay as they are.
fn contrary(label: &str) -> String {
    for (test, other) in [(" == ", " != "), (" != ", " == "), ("? ", "! "), ("! ", "? ")] {
        if label.contains(test) {
            return label.replacen(test, other, 1);
        }
    }
    label.to_owned()
}

#[cfg(test)]
mod tests {
    #[test]
    fn most_are_games() {
        let games = (0..400).filter(|&seed| crate::is_valid(&super::mutate(&crate::lines(seed), seed))).count();
        assert!(games > 200, "{games}");
    }
}
