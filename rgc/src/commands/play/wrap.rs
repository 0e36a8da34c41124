//! Lines that fit.

/// A line in pieces of at most `room` letters, at least one piece. It is broken between words, and inside of those that are too long; what goes on is
/// indented as the line is.
pub(crate) fn broken(line: &str, room: usize) -> Vec<String> {
    let room = room.max(1);
    let count = |text: &str| text.chars().count();
    let indent: String = line.chars().take_while(|c| *c == ' ').take(room / 2).collect();
    let (mut pieces, mut piece) = (Vec::new(), String::new());
    for word in line.split_inclusive(' ') {
        if !piece.trim().is_empty() && count(&piece) + count(word.trim_end()) > room {
            pieces.push(std::mem::replace(&mut piece, indent.clone()));
        }
        for letter in word.chars() {
            if count(&piece) >= room && letter != ' ' {
                pieces.push(std::mem::replace(&mut piece, indent.clone()));
            }
            piece.push(letter);
        }
    }
    pieces.push(piece);
    pieces.iter().map(|piece| piece.trim_end().to_owned()).collect()
}

/// A text whose lines are broken so; without a `room`, it stays as it is.
pub(super) fn wrapped(text: &str, room: Option<usize>) -> String {
    let Some(room) = room else { return text.to_owned() };
    let end = if text.ends_with('\n') { "\n" } else { "" };
    text.lines().flat_map(|line| broken(line, room)).collect::<Vec<_>>().join("\n") + end
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_broken_between_words() {
        assert_eq!(broken("one two three", 8), ["one two", "three"]);
        assert_eq!(broken("  one two three", 9), ["  one two", "  three"]);
        assert_eq!(broken("abcdefghij kl", 4), ["abcd", "efgh", "ij", "kl"]);
        assert_eq!(broken("", 78), [""]);
        assert_eq!(broken("ab", 0), ["a", "b"]);
        assert_eq!(wrapped("one two\nthree\n", Some(5)), "one\ntwo\nthree\n");
        assert_eq!(wrapped("one two", None), "one two");
    }
}
