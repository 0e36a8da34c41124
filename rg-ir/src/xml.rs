//! Texts in XML and HTML.

/// A text as content of an element or of a quoted attribute. Characters that XML cannot hold become the replacement character. Linear.
pub fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            '\n' | '\t' => out.push(c),
            c if c < ' ' || matches!(c, '\u{fffe}' | '\u{ffff}') => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_leaves_its_place() {
        assert_eq!(
            escaped("a <b c=\"d\" e='f'> &\n\u{1b}é"),
            "a &lt;b c=&quot;d&quot; e=&#39;f&#39;&gt; &amp;\n\u{fffd}é"
        );
    }
}
