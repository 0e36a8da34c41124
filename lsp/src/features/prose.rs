//! Comments as texts, and code that is shown in short.

/// Lines of code that are shown at most.
const MAX_LINES: usize = 12;
/// Lines of what is longer by nature.
const MAX_LONG_LINES: usize = 20;
/// Bytes of a line that are shown at most.
const MAX_WIDTH: usize = 120;

/// A comment without its signs, as Markdown: lines stay lines.
pub(crate) fn of_comment(comment: &str) -> String {
    let block = comment.strip_prefix("/*").map(|comment| comment.strip_suffix("*/").unwrap_or(comment));
    let line = |line: &str| match block {
        Some(_) => line.trim().trim_start_matches('*').trim().to_owned(),
        None => line.trim().trim_start_matches(['/', ';', '%']).trim().to_owned(),
    };
    let lines: Vec<String> = block.unwrap_or(comment).lines().map(line).collect();
    lines.join("\n").trim().to_owned()
}

/// Code as a block of Markdown, with `…` for what is too long.
pub(crate) fn code(language: &str, code: &str) -> String {
    block(language, code, MAX_LINES)
}

/// The same, with more lines: for what is longer by nature.
pub(crate) fn long_code(language: &str, code: &str) -> String {
    block(language, code, MAX_LONG_LINES)
}

fn block(language: &str, code: &str, most: usize) -> String {
    let mut lines: Vec<String> = code.lines().take(most).map(short).collect();
    let more = code.lines().count().saturating_sub(most);
    if more > 0 {
        lines.push(format!("… ({more} more {})", if more == 1 { "line" } else { "lines" }));
    }
    // Longer than any fence in the code.
    let fence = "`".repeat(3 + code.split(|c| c != '`').map(str::len).max().unwrap_or(0));
    format!("{fence}{language}\n{}\n{fence}", lines.join("\n"))
}

/// A line with `…` for what is too long.
pub(crate) fn short(line: &str) -> String {
    match line.get(..line.floor_char_boundary(MAX_WIDTH)) {
        Some(begin) if begin.len() < line.len() => format!("{begin}…"),
        _ => line.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_lose_their_signs() {
        assert_eq!(of_comment("// One,\n//   two."), "One,\ntwo.");
        assert_eq!(of_comment(";; One"), "One");
        assert_eq!(of_comment("/* One\n * two\n */"), "One\ntwo");
    }

    #[test]
    fn long_code_is_cut() {
        assert_eq!(code("rg", "a\nb"), "```rg\na\nb\n```");
        assert!(code("rg", &"x\n".repeat(99)).ends_with("x\n… (87 more lines)\n```"));
        assert!(code("rg", &"x\n".repeat(13)).ends_with("x\n… (1 more line)\n```"));
        assert!(code("rg", &"é".repeat(99)).contains("é…"));
        assert_eq!(code("rg", "````"), "```````rg\n````\n```````");
    }
}
