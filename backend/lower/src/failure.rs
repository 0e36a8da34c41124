//! Reasons for not lifting.

use super::lane::GenId;

/// Why something is not lifted.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Failure {
    /// The reason.
    pub reason: &'static str,
    /// The node or variable it is about; empty if it is about all.
    pub place: String,
    /// A choice that the label does not show.
    pub(super) hidden_choice: Option<GenId>,
    /// Whether it is that labels do not tell moves apart.
    pub(super) same_label: bool,
}

impl Failure {
    pub(super) fn new(reason: &'static str) -> Self {
        Self { reason, place: String::new(), hidden_choice: None, same_label: false }
    }

    pub(super) fn hidden_choice(id: GenId) -> Self {
        Self { hidden_choice: Some(id), ..Self::same_label("the label does not show a choice") }
    }

    /// Labels do not tell moves apart, as far as that is known beforehand.
    pub(super) fn same_label(reason: &'static str) -> Self {
        Self { same_label: true, ..Self::new(reason) }
    }

    /// There would be more code than there may be.
    pub(super) fn too_large() -> Self {
        Self::new("the code is too large")
    }

    /// Whether it is [`Failure::too_large`], wherever.
    pub(super) fn is_too_large(&self) -> bool {
        self.reason == Self::too_large().reason
    }

    /// A search would leave too much to side exits.
    pub fn unprofitable() -> Self {
        Self::new("a search leaves too much to side exits")
    }

    /// No lifted code leads here.
    pub(super) fn elsewhere() -> Self {
        Self::new("no lifted move leads here")
    }

    /// Whether it stands for a decision that lifted code does not come to.
    pub fn is_elsewhere(&self) -> bool {
        *self == Self::elsewhere()
    }

    pub(super) fn at(mut self, place: &str) -> Self {
        if self.place.is_empty() {
            self.place = place.to_string();
        }
        self
    }
}

impl std::fmt::Display for Failure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.reason)?;
        if self.place.is_empty() { Ok(()) } else { write!(f, " (at `{}`)", self.place) }
    }
}
