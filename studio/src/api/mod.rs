//! What a page can ask for: plain functions that know nothing of sockets and HTTP.

mod acted;
pub(crate) mod audit;
pub(crate) mod changes;
pub(crate) mod clicks;
mod ended;
pub(crate) mod games;
pub(crate) mod graph;
pub(crate) mod job;
pub(crate) mod library;
pub(crate) mod matches;
pub(crate) mod measure;
pub(crate) mod passes;
pub(crate) mod play;
mod position;
pub(crate) mod share;
pub(crate) mod table;
mod thinking;
mod typed;
mod unlawful;
mod walk;

use kit::render::{MessageFormat, Renderer};
use rg_ir::{Diagnostic, SourceMap};
use serde::{Deserialize, Serialize};

/// Why a request has no result.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Failure {
    /// The code of a finding, or a word for failures that are none.
    code: String,
    message: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    help: Option<String>,
    /// The whole finding as text, with its place.
    #[serde(skip_serializing_if = "Option::is_none")]
    details: Option<String>,
    /// Of a file that was not replaced, the digest: a page may go on to replace exactly what it was told of.
    #[serde(skip_serializing_if = "Option::is_none")]
    digest: Option<String>,
}

/// Bytes of a message and of the details of a failure at most: both may quote what the page has sent, which may be anything.
const MAX_SAID: usize = 20_000;

/// The beginning of a text that is too long.
fn shortened(mut text: String) -> String {
    if text.len() > MAX_SAID {
        text.truncate(text.floor_char_boundary(MAX_SAID));
        text.push('…');
    }
    text
}

impl Failure {
    pub(crate) fn new(code: &str, message: impl Into<String>) -> Self {
        Self { code: code.to_owned(), message: shortened(message.into()), help: None, details: None, digest: None }
    }

    /// The same in other words.
    pub(crate) fn saying(self, message: String) -> Self {
        Self { message: shortened(message), ..self }
    }

    /// The same with what only those want to read who look for the cause.
    pub(crate) fn with_details(self, details: String) -> Self {
        Self { details: Some(shortened(details)), ..self }
    }

    /// The same about a file with this digest.
    pub(crate) fn about_file(self, digest: Option<String>) -> Self {
        Self { digest, ..self }
    }

    /// Whether it is a failure of a kind.
    pub(crate) fn is(&self, code: &str) -> bool {
        self.code == code
    }

    /// What went wrong.
    pub(crate) fn message(&self) -> &str {
        &self.message
    }

    /// The text has changed since the page asked.
    pub(crate) fn outdated() -> Self {
        Self::new("stopped", "the text has changed")
    }

    /// A finding about a text, with its place.
    pub(crate) fn at(sources: &SourceMap, finding: Diagnostic) -> Self {
        let details = Renderer::new(MessageFormat::Human, false).render(sources, std::slice::from_ref(&finding));
        Self { details: Some(shortened(details)), ..Self::from(Box::new(finding)) }
    }
}

impl From<Box<Diagnostic>> for Failure {
    fn from(finding: Box<Diagnostic>) -> Self {
        let Diagnostic { code, message, help, .. } = *finding;
        Self { code: code.to_owned(), message: shortened(message), help, details: None, digest: None }
    }
}

/// Something that a page has open, by number.
#[derive(Deserialize)]
pub(crate) struct Numbered {
    pub(crate) number: u32,
}
