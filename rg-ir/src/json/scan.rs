//! A look at the brackets of a JSON text: how deep it nests, and where the items of its lists are.
//!
//! Deserialisation recurses as deep as the text nests, so that is bounded before; and serde keeps no places, which findings need.
//! Linear in the length of the text, without recursion. What is not JSON gives no places; the parser says what is wrong.

use crate::source::{SourceId, Span};
use rustc_hash::FxHashMap;

/// Levels that a text may nest: enough for expressions and values that nest as deep as RG allows.
pub(super) const MAX_DEPTH: usize = 4_096;

/// What was found.
#[derive(Default)]
pub(super) struct Scan {
    /// The first bracket that is too deep.
    pub(super) too_deep: Option<usize>,
    /// The items of the lists that are fields of the document, by the name of the field.
    items: FxHashMap<String, Vec<(usize, usize)>>,
}

/// A bracket that is open.
enum Open<'t> {
    /// `{`; the key that was read last.
    Object(&'t str),
    /// `[`
    List,
}

impl Scan {
    /// Looks at a text.
    pub(super) fn new(text: &str) -> Self {
        let mut scan = Self::default();
        let bytes = text.as_bytes();
        let mut open: Vec<Open<'_>> = Vec::new();
        // The string that was read last: a key, if a colon follows.
        let mut string = (0, 0);
        let mut item = None;
        let mut at = 0;
        while let Some(&byte) = bytes.get(at) {
            let start = at;
            at += 1;
            match byte {
                b'"' => {
                    at = end_of_string(bytes, at);
                    string = (start + 1, at.saturating_sub(1));
                }
                b':' => {
                    if let Some(Open::Object(key)) = open.last_mut() {
                        *key = text.get(string.0..string.1).unwrap_or_default();
                    }
                }
                b'{' | b'[' => {
                    if open.len() >= MAX_DEPTH {
                        scan.too_deep = Some(start);
                        return scan;
                    }
                    if matches!(open.as_slice(), [Open::Object(_), Open::List]) {
                        item = Some(start);
                    }
                    open.push(if byte == b'{' { Open::Object("") } else { Open::List });
                }
                b'}' | b']' => {
                    open.pop();
                    if let ([Open::Object(list), Open::List], Some(first)) = (open.as_slice(), item) {
                        scan.items.entry((*list).to_owned()).or_default().push((first, at));
                    }
                }
                _ => {}
            }
        }
        scan
    }

    /// The place of an item of a list.
    pub(super) fn span(&self, source: SourceId, list: &str, index: usize) -> Span {
        let place = self.items.get(list).and_then(|items| items.get(index));
        place.map_or(Span::NONE, |&(start, end)| Span::new(source, start, end))
    }
}

/// The offset behind a string whose first character is at `at`.
fn end_of_string(bytes: &[u8], mut at: usize) -> usize {
    while let Some(&byte) = bytes.get(at) {
        at += match byte {
            b'\\' => 2,
            b'"' => return at + 1,
            _ => 1,
        };
    }
    bytes.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_of_lists_are_found() {
        let text = r#"{"a":1,"edges":[{"x":"]}\"["}, {"y":[1,{"edges":[{}]}]}],"types":[{}]}"#;
        let scan = Scan::new(text);
        let item = |list: &str, index| {
            let span = scan.span(SourceId(0), list, index);
            text.get(span.start as usize..span.end as usize)
        };
        assert_eq!(item("edges", 0), Some(r#"{"x":"]}\"["}"#));
        assert_eq!(item("edges", 1), Some(r#"{"y":[1,{"edges":[{}]}]}"#));
        assert_eq!(item("types", 0), Some("{}"));
        assert!(scan.span(SourceId(0), "types", 1) == Span::NONE && scan.too_deep.is_none());
    }

    #[test]
    fn depth_is_bounded() {
        assert_eq!(Scan::new(&"[".repeat(MAX_DEPTH)).too_deep, None);
        assert_eq!(Scan::new(&"[".repeat(MAX_DEPTH + 5)).too_deep, Some(MAX_DEPTH));
        assert_eq!(Scan::new(&format!("\"{}\"", "[".repeat(MAX_DEPTH + 5))).too_deep, None);
    }
}
