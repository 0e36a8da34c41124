//! What the text of the rules says of a macro, function, table or variable: the comment above its definition.

use kit::misread::words;

/// Letters of a sentence that is quoted at most.
const LONGEST: usize = 160;

/// The name of what a pattern such as `attacked(his; ahead)` calls, if that is all that it does.
pub(super) fn called(pattern: &str) -> Option<&str> {
    let name = pattern.split_once('(')?.0.trim();
    words(name).next().filter(|word| *word == name && pattern.ends_with(')'))
}

/// What the line begins with that declares all variables of a game in Regular Boardgames.
const VARIABLES: &str = "#variables";

/// What the comment directly above the declaration of a variable says of it; where variables are declared together, behind its name and a colon in the
/// comment above them. Linear.
pub(super) fn of_variable(text: &str, name: &str) -> Option<String> {
    let lines: Vec<&str> = text.lines().collect();
    let Some(together) = lines.iter().position(|line| line.starts_with(VARIABLES)) else { return comment(text, name) };
    let all = remarks(lines.get(..together)?);
    let (_, behind) = all.split_once(&format!("{name}: "))?;
    shortened(behind)
}

/// The first sentence of the comment directly above the definition of a name, without its full stop. Linear.
pub(super) fn comment(text: &str, name: &str) -> Option<String> {
    let lines: Vec<&str> = text.lines().collect();
    let defines = |line: &&str| {
        let is_outside = !line.starts_with(char::is_whitespace) && remark(line).is_none();
        is_outside
            && !line.starts_with(VARIABLES)
            && words(line).take(2).any(|word| word == name)
            && !line.split(name).next().unwrap_or("").contains('(')
    };
    shortened(&remarks(lines.get(..lines.iter().position(defines)?)?))
}

/// The comment at the end of some lines.
fn remarks(lines: &[&str]) -> String {
    let mut remarks: Vec<&str> = lines.iter().rev().map_while(|line| remark(line)).collect();
    remarks.reverse();
    remarks.join(" ")
}

/// The first sentence of a text, without its full stop, unless it is long.
fn shortened(text: &str) -> Option<String> {
    let sentence = text.split(". ").next().unwrap_or_default().trim().trim_end_matches('.');
    (!sentence.is_empty() && sentence.chars().count() <= LONGEST).then(|| sentence.to_owned())
}

/// What a line says that is only a comment.
fn remark(line: &str) -> Option<&str> {
    ["//", ";", "%"]
        .iter()
        .find_map(|mark| line.trim_start().strip_prefix(mark))
        .map(|rest| rest.trim_matches([';', '/', '%', ' ']))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_belong_to_what_is_below_them() {
        let text = "// A game.\n\n// Whether it is near. For cells.\n#near(his; ahead) = (\n    far(his))\n#far(his) = near(his; up)\n\
            // Any line:\n// of four.\ngraph four() {\n";
        let of = |name: &str| comment(text, name);
        assert_eq!(of("near").as_deref(), Some("Whether it is near"));
        assert_eq!(of("four").as_deref(), Some("Any line: of four"));
        assert_eq!((of("far"), of("his"), of("none")), (None, None, None));
        let text = "// left: what is left. most: what can be taken.\n#variables = most(20), left(20)\n#most = x\n";
        let of = |name: &str| of_variable(text, name);
        assert_eq!(of("most").as_deref(), Some("what can be taken"));
        assert_eq!((of("left").as_deref(), of("quiet")), (Some("what is left"), None));
        assert_eq!(of_variable("// Men left.\nmen: Count\n", "men").as_deref(), Some("Men left"));
        assert_eq!(called("near(his; ahead)"), Some("near"));
        assert_eq!((called("anywhere {king(my)} near(his)"), called("near")), (None, None));
    }
}
