//! What the comment at the beginning of a game says about its moves.

use super::wrap::wrapped;

/// Letters of a line of help.
const WIDTH: usize = 78;

/// How moves are written in a game with this text, in lines: the sentences behind `Moves:` in the comment at its beginning; nothing if it says nothing.
pub(super) fn about_moves(text: &str) -> String {
    let line = |line: &str| {
        let line = line.trim();
        let comment = line.strip_prefix("//").or_else(|| line.strip_prefix(';'))?;
        Some(comment.trim_start_matches(';').trim().to_owned())
    };
    let lines: Vec<String> = text.lines().map_while(line).collect();
    let mut paragraphs = lines.split(String::is_empty).map(|lines| lines.join(" "));
    let Some(paragraph) = paragraphs.find(|paragraph| paragraph.starts_with("Moves: ")) else { return String::new() };
    // The next word with a colon begins something else.
    let is_label = |sentence: &str| sentence.split(' ').next().is_some_and(|word| word.ends_with(':'));
    let sentences = paragraph.split_inclusive(". ").enumerate();
    let about: String =
        sentences.take_while(|(at, sentence)| *at == 0 || !is_label(sentence)).map(|(_, sentence)| sentence).collect();
    wrapped(about.trim_end(), Some(WIDTH)) + "\n"
}

#[cfg(test)]
mod tests {
    use super::about_moves;

    #[test]
    fn sentences_about_moves_are_found() {
        let text = "// A game.\n//\n// Rules: none.\n//\n// Moves: from where\n// to where. No more: really. Scores: 1.\n// perft: 3\ndomain";
        assert_eq!(about_moves(text), "Moves: from where to where. No more: really.\n");
        assert_eq!(about_moves("; A game.\n;\n; Moves: the cell. Scores: 1.\n(role x)"), "Moves: the cell.\n");
        assert_eq!(about_moves("// A game.\ngame\n// Moves: no comment at the beginning."), "");
        assert_eq!(about_moves(""), "");
    }
}
