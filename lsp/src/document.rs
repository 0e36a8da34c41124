//! A text that a client has open.

use crate::background::Opening;
use crate::lines::{Encoding, Lines};
use gen_lsp_types::{Position, Range, TextDocumentContentChangeEvent, Uri};
use kit::language::{self, Language};
use kit::perft::Counted;
use rg_ir::index::{Hint, Index};
use rg_ir::{Diagnostic, SourceId, SourceMap, Span};
use std::cell::OnceCell;
use std::path::Path;
use std::sync::Arc;

/// The only text of the source map of a document.
pub(crate) const SOURCE: SourceId = SourceId(0);

/// A text that a client has open, and what is known of it.
pub(crate) struct Document {
    pub(crate) uri: Uri,
    /// The number that the client gives this state of the text.
    pub(crate) version: i32,
    pub(crate) text: Arc<str>,
    pub(crate) lines: Lines,
    pub(crate) language: &'static Language,
    /// What the client says the language is called.
    language_id: String,
    encoding: Encoding,
    index: OnceCell<Index>,
    /// How large things are, if somebody has asked.
    sizes: OnceCell<Vec<Hint>>,
    /// What is wrong with the text, as far as it is known.
    findings: Option<Vec<Diagnostic>>,
    /// How many plays the game has, if that is known.
    plays: Option<Counted>,
}

impl Document {
    /// A text that was opened.
    pub(crate) fn new(uri: Uri, language_id: &str, version: i32, text: String, encoding: Encoding) -> Self {
        Self {
            version,
            lines: Lines::of(&text, encoding),
            language: language_of(&uri, language_id, &text),
            text: text.into(),
            language_id: language_id.to_owned(),
            uri,
            encoding,
            index: OnceCell::new(),
            sizes: OnceCell::new(),
            findings: None,
            plays: None,
        }
    }

    /// Changes the text, one change after the other.
    pub(crate) fn change(&mut self, version: i32, changes: Vec<TextDocumentContentChangeEvent>) {
        for change in changes {
            match change {
                TextDocumentContentChangeEvent::TextDocumentContentChangePartial(part) => {
                    let bytes = self.lines.bytes(&self.text, part.range);
                    let (before, after) = (self.text.get(..bytes.start), self.text.get(bytes.end..));
                    let parts = [before.unwrap_or_default(), &part.text, after.unwrap_or_default()];
                    self.text = parts.concat().into();
                }
                TextDocumentContentChangeEvent::TextDocumentContentChangeWholeDocument(whole) => {
                    self.text = whole.text.into();
                }
            }
            self.lines = Lines::of(&self.text, self.encoding);
        }
        self.version = version;
        self.language = language_of(&self.uri, &self.language_id, &self.text);
        self.index = OnceCell::new();
        self.sizes = OnceCell::new();
        self.findings = None;
        self.plays = None;
    }

    /// The names of the text.
    pub(crate) fn index(&self) -> &Index {
        self.index.get_or_init(|| (self.language.editing.index)(SOURCE, &self.text))
    }

    /// What front ends remark within the text.
    pub(crate) fn remarks(&self) -> impl Iterator<Item = &Hint> {
        let sizes = self.sizes.get_or_init(|| (self.language.editing.sizes)(SOURCE, &self.text));
        self.index().hints().iter().chain(sizes)
    }

    /// What is wrong with the text; `None` as long as that is not known.
    pub(crate) fn findings(&self) -> Option<&[Diagnostic]> {
        self.findings.as_deref()
    }

    /// Takes note of what is wrong with the text.
    pub(crate) fn set_findings(&mut self, findings: Vec<Diagnostic>) {
        self.findings = Some(findings);
    }

    /// Takes note of what the first positions of the game show beside that, and of the number of its plays.
    pub(crate) fn add_opening(&mut self, opening: Opening) {
        self.findings.get_or_insert_default().extend(opening.findings);
        self.plays = opening.plays;
    }

    /// How many plays the game has, if that is known.
    pub(crate) fn plays(&self) -> Option<Counted> {
        self.plays
    }

    /// A text to be put into this one, with the ends of lines that this one has.
    pub(crate) fn with_its_line_ends(&self, text: &str) -> String {
        let text = text.replace("\r\n", "\n");
        if self.text.contains("\r\n") { text.replace('\n', "\r\n") } else { text }
    }

    /// The byte at a position.
    pub(crate) fn offset(&self, position: Position) -> u32 {
        self.lines.offset(&self.text, position)
    }

    /// A place of the text.
    pub(crate) fn range(&self, span: Span) -> Range {
        self.lines.range(span)
    }

    /// The text at a place.
    pub(crate) fn at(&self, span: Span) -> &str {
        self.text.get(span.range()).unwrap_or_default()
    }

    /// The name of its file, for messages.
    pub(crate) fn name(&self) -> &str {
        self.uri.0.rsplit('/').next().unwrap_or_default()
    }

    /// The text in a source map, for what works on those.
    pub(crate) fn sources(&self) -> SourceMap {
        let mut sources = SourceMap::default();
        sources.add(self.name(), &*self.text);
        sources
    }
}

/// The language of a text: what the client says, or else the extension, or else how it begins; if nothing tells it, RG. A text that the client or
/// the extension only calls GDL is read in the syntax that it seems to have, as everywhere.
fn language_of(uri: &Uri, language_id: &str, text: &str) -> &'static Language {
    let name = uri.0.split(['?', '#']).next().unwrap_or_default();
    let said = language::by_name(language_id);
    said.or_else(|| language::choose(Path::new(name), None, text).ok())
        .or_else(|| language::choose(Path::new("-"), None, text).ok())
        .or_else(|| language::by_name("rg"))
        .unwrap_or(&language::LANGUAGES[0])
}

#[cfg(test)]
mod tests {
    use super::*;
    use gen_lsp_types::TextDocumentContentChangePartial;

    fn name(uri: &str, id: &str, text: &str) -> &'static str {
        language_of(&Uri(uri.to_owned()), id, text).name
    }

    #[test]
    fn the_client_the_extension_and_the_text_tell_the_language() {
        assert_eq!(name("file:///a.rbg", "hrg", ""), "hrg");
        assert_eq!(name("file:///a.rbg", "plaintext", ""), "rbg");
        assert_eq!(name("untitled:Untitled-1", "plaintext", "<<Chess>>"), "sbg");
        assert_eq!(name("file:///a.txt", "plaintext", "(role x)"), "gdl");
        assert_eq!(name("untitled:Untitled-1", "", ""), "rg");
    }

    #[test]
    fn changes_are_made_in_order() {
        let uri = Uri("file:///a.rg".to_owned());
        let mut document = Document::new(uri, "rg", 1, "é\nb\n".to_owned(), Encoding::Utf16);
        let part = |start: (u32, u32), end: (u32, u32), text: &str| {
            let range = Range {
                start: Position { line: start.0, character: start.1 },
                end: Position { line: end.0, character: end.1 },
            };
            let part = TextDocumentContentChangePartial { range, text: text.to_owned(), ..Default::default() };
            TextDocumentContentChangeEvent::TextDocumentContentChangePartial(part)
        };
        document.change(2, vec![part((0, 1), (1, 0), "x\ny"), part((1, 1), (1, 1), "z")]);
        assert_eq!((&*document.text, document.version), ("éx\nyzb\n", 2));
    }
}
