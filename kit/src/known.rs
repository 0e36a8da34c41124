//! Known perft numbers in the comments of a game: a line such as `perft: 20 400 8902`.

use rg_ir::{SourceId, Span};

/// The numbers of a line, for 1, 2, … moves.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Known {
    /// The numbers and where they stand.
    pub numbers: Vec<(u64, Span)>,
    /// A word behind them that begins as a number but is none.
    pub broken: Option<Span>,
}

/// The lines of known numbers in all comments of a text in the language of that name. A line begins with `perft:`; numbers are separated by white
/// space or commas, and other words end them. Lines without numbers are left out. Linear.
pub fn known(language: &str, source: SourceId, text: &str) -> Vec<Known> {
    let mut found = Vec::new();
    for (start, line) in comment_lines(language, text) {
        let bare = line.trim_start_matches(|c: char| c.is_whitespace() || matches!(c, '/' | '*' | ';' | '%'));
        let Some(list) = bare.strip_prefix("perft:") else { continue };
        let line = numbers(source, start + line.len() - list.len(), list);
        if !line.numbers.is_empty() || line.broken.is_some() {
            found.push(line);
        }
    }
    found
}

/// The numbers that a text begins with.
fn numbers(source: SourceId, start: usize, list: &str) -> Known {
    let (mut numbers, mut broken, mut at) = (Vec::new(), None, 0);
    for word in list.split_inclusive(|c: char| c.is_whitespace() || c == ',') {
        let number = word.trim_end_matches(|c: char| c.is_whitespace() || c == ',');
        let begin = start + at;
        at += word.len();
        if number.is_empty() {
            continue;
        }
        let span = Span::new(source, begin, begin + number.len());
        match number.parse() {
            Ok(value) => numbers.push((value, span)),
            Err(_) => {
                broken = number.starts_with(|c: char| c.is_ascii_digit()).then_some(span);
                break;
            }
        }
    }
    Known { numbers, broken }
}

/// The lines of all comments, each with its offset.
fn comment_lines<'t>(language: &str, text: &'t str) -> Vec<(usize, &'t str)> {
    let signs: &[&str] = if language == "gdl" { &[";", "%"] } else { &["//"] };
    let (mut lines, mut at) = (Vec::new(), 0);
    while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
        let length = if signs.iter().any(|sign| rest.starts_with(sign)) {
            rest.find(['\n', '\r']).unwrap_or(rest.len())
        } else if rest.starts_with("/*") {
            rest.get(2..).and_then(|inner| inner.find("*/")).map_or(rest.len(), |end| end + 4)
        } else {
            at += rest.chars().next().map_or(1, char::len_utf8);
            continue;
        };
        let mut start = at;
        for line in rest.get(..length).unwrap_or_default().split_inclusive('\n') {
            lines.push((start, line));
            start += line.len();
        }
        at += length;
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_in_all_kinds_of_comments() {
        let read = |language, text| -> Vec<Vec<u64>> {
            let lines = known(language, SourceId(0), text);
            for (value, span) in lines.iter().flat_map(|line| &line.numbers) {
                assert_eq!(text.get(span.range()), Some(value.to_string().as_str()));
            }
            lines.into_iter().map(|line| line.numbers.into_iter().map(|(value, _)| value).collect()).collect()
        };
        assert_eq!(
            read("rbg", "// perft: 20 400 8902 of chess\n#x // perft: 1,2, 3\r\n"),
            [vec![20, 400, 8902], vec![1, 2, 3]]
        );
        assert_eq!(read("hrg", "/* a\n * perft: 7\n perft: 8 9*/ perft: 3 //perft: 4"), [vec![7], vec![8], vec![4]]);
        assert_eq!(read("gdl", ";;; perft: 1\n(x) % perft: 2\n// perft: 3"), [vec![1], vec![2]]);
        let none: [Vec<u64>; 0] = [];
        assert_eq!(read("rg", "// perft: see there\n// see perft: 3\n// perft:\n/*"), none);
        let broken = |text| known("rg", SourceId(0), text)[0].broken.and_then(|span| text.get(span.range()));
        assert_eq!(broken("// perft: 9 7x 5"), Some("7x"));
        assert_eq!(broken("// perft: 99999999999999999999"), Some("99999999999999999999"));
        assert_eq!(broken("// perft: 9 of 7x"), None);
        assert_eq!(read("rg", "/* perft: 5"), [[5]]);
    }
}
