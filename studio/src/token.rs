//! The secret in the address of the page.

use kit::{Result, finding};
use std::fmt::Write as _;
use std::hash::{BuildHasher as _, RandomState};
use subtle::ConstantTimeEq;

/// 128 random bits. Whoever has them may use the server; they are in the fragment of the address, which browsers send to nobody.
pub(crate) struct Token(String);

impl Token {
    /// A new secret.
    ///
    /// # Errors
    /// `IO391`: the system has no random numbers.
    pub(crate) fn new() -> Result<Self> {
        let mut bytes = [0_u8; 16];
        getrandom::fill(&mut bytes)
            .map_err(|error| finding("IO391", format!("no secret could be made for the page: {error}")))?;
        Ok(Self(hexadecimal(&bytes)))
    }

    /// As hexadecimal digits.
    pub(crate) fn text(&self) -> &str {
        &self.0
    }

    /// Whether a text is the secret, in a time that does not depend on where they differ.
    pub(crate) fn is(&self, text: &str) -> bool {
        self.0.as_bytes().ct_eq(text.as_bytes()).into()
    }
}

/// A text that nobody has seen before, for the style sheets of one answer and for names of files; not a secret. It has the random keys that maps are
/// made with.
pub(crate) fn nonce() -> String {
    let [first, second] = [0_u8, 1].map(|half| RandomState::new().hash_one(half));
    format!("{first:016x}{second:016x}")
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}
