//! Making a text smaller with which something is wrong.

/// Leaves out lines as long as the text is still `wrong`: first large parts, then single lines, until none can go.
pub fn shrink(text: &str, wrong: impl Fn(&str) -> bool) -> String {
    let mut lines: Vec<&str> = text.lines().collect();
    let mut size = lines.len() / 2;
    while size > 0 {
        let mut at = 0;
        let mut fewer_found = false;
        while at < lines.len() {
            let mut fewer = lines.clone();
            fewer.drain(at..(at + size).min(lines.len()));
            if wrong(&fewer.join("\n")) {
                lines = fewer;
                fewer_found = true;
            } else {
                at += size;
            }
        }
        // Single lines are tried again as long as that helps.
        if size > 1 || !fewer_found {
            size /= 2;
        }
    }
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::shrink;

    #[test]
    fn what_matters_is_left() {
        let text: Vec<String> = (0..100).map(|i| i.to_string()).collect();
        let wrong = |text: &str| ["17", "18", "93"].iter().all(|need| text.lines().any(|line| line == *need));
        assert_eq!(shrink(&text.join("\n"), wrong), "17\n18\n93");
        // A line that can only go after another one.
        let wrong = |text: &str| !text.contains('b') || text.contains('a');
        assert_eq!(shrink("a\nb\nc", wrong), "");
    }
}
