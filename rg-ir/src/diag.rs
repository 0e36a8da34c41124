//! Diagnostics: what every stage says about what the user wrote, as data. Rendering is done at the edge (`rgc`).

use crate::source::Span;

/// Most candidates that are suggested because they are equally near.
const MAX_EQUALLY_NEAR: usize = 3;

/// Severity of a diagnostic; smaller is more severe.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Severity {
    /// The game cannot be used.
    Error,
    /// The game can be used, but something is probably wrong.
    Warning,
    /// A stylistic finding.
    Lint,
}

impl Severity {
    /// `error`, `warning` or `lint`.
    pub fn name(self) -> &'static str {
        match self {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Lint => "lint",
        }
    }
}

/// A place with a remark.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Annotation {
    /// The place; never [`Span::NONE`].
    pub span: Span,
    /// What is to be seen there; may be empty.
    pub text: String,
}

/// A change of a text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Edit {
    /// What is replaced; empty where something is inserted.
    pub span: Span,
    /// The text that has to be there now, if the edit is only right then.
    pub instead_of: Option<String>,
    /// What it becomes.
    pub text: String,
}

/// How certain a fix is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Applies {
    /// It is what the author meant, as far as a reader of the text can tell.
    Always,
    /// It may also change what works, such as other calls of a macro.
    Maybe,
}

impl Applies {
    /// As certain, but no more than `Maybe` where the fix changes a number ([`changes_number`]): it replaces `name` by `better`.
    #[must_use]
    pub fn unless_number(self, name: &str, better: &str) -> Self {
        if changes_number(name, better) { Applies::Maybe } else { self }
    }

    /// `always` or `maybe`.
    pub fn name(self) -> &'static str {
        match self {
            Applies::Always => "always",
            Applies::Maybe => "maybe",
        }
    }
}

/// Edits after which a finding is gone.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fix {
    /// What it does, as in a menu: ``replace `turm` by `turn` ``.
    pub title: String,
    /// Edits that belong together; they do not overlap.
    pub edits: Vec<Edit>,
    /// How certain it is.
    pub applies: Applies,
}

/// One finding. Build it with [`Diagnostic::error`] (or `warning`, `lint`) and the chaining methods.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagnostic {
    /// Stable code, such as `RG017` or `RBG104`; the prefix names the language. Unique across the project.
    pub code: &'static str,
    /// How bad it is.
    pub severity: Severity,
    /// One line: what was found, and what would be accepted.
    pub message: String,
    /// The offending place, with an optional remark. `None` only where no text exists (an empty JSON game, say).
    pub primary: Option<Annotation>,
    /// Further places: the earlier definition, the macro call that led here (innermost first).
    pub secondary: Vec<Annotation>,
    /// Further facts, a line each.
    pub notes: Vec<String>,
    /// What to do about it.
    pub help: Option<String>,
    /// Changes of the text that mend it, the best one first.
    pub fixes: Vec<Fix>,
}

impl Diagnostic {
    /// A finding of the given severity at `span` (which may be [`Span::NONE`]).
    pub fn new(severity: Severity, code: &'static str, span: Span, message: impl Into<String>) -> Self {
        let primary = span.is_some().then(|| Annotation { span, text: String::new() });
        Self {
            code,
            severity,
            message: message.into(),
            primary,
            secondary: Vec::new(),
            notes: Vec::new(),
            help: None,
            fixes: Vec::new(),
        }
    }

    /// An error.
    pub fn error(code: &'static str, span: Span, message: impl Into<String>) -> Self {
        Self::new(Severity::Error, code, span, message)
    }

    /// A warning.
    pub fn warning(code: &'static str, span: Span, message: impl Into<String>) -> Self {
        Self::new(Severity::Warning, code, span, message)
    }

    /// A stylistic finding.
    pub fn lint(code: &'static str, span: Span, message: impl Into<String>) -> Self {
        Self::new(Severity::Lint, code, span, message)
    }

    /// Sets the remark at the primary place.
    #[must_use]
    pub fn label(mut self, text: impl Into<String>) -> Self {
        if let Some(primary) = &mut self.primary {
            primary.text = text.into();
        }
        self
    }

    /// Adds a further place (ignored if `span` points nowhere).
    #[must_use]
    pub fn also(mut self, span: Span, text: impl Into<String>) -> Self {
        if span.is_some() {
            self.secondary.push(Annotation { span, text: text.into() });
        }
        self
    }

    /// Adds a fact.
    #[must_use]
    pub fn note(mut self, text: impl Into<String>) -> Self {
        self.notes.push(text.into());
        self
    }

    /// Says what to do.
    #[must_use]
    pub fn help(mut self, text: impl Into<String>) -> Self {
        self.help = Some(text.into());
        self
    }

    /// Adds a fix of one certain edit.
    #[must_use]
    pub fn fix(mut self, title: impl Into<String>, span: Span, text: impl Into<String>) -> Self {
        if span.is_some() {
            let edits = vec![Edit { span, instead_of: None, text: text.into() }];
            self.fixes.push(Fix { title: title.into(), edits, applies: Applies::Always });
        }
        self
    }

    /// Adds a fix of one certain edit: of the primary place.
    #[must_use]
    pub fn fix_here(self, title: impl Into<String>, text: impl Into<String>) -> Self {
        let span = self.primary.as_ref().map_or(Span::NONE, |primary| primary.span);
        self.fix(title, span, text)
    }

    /// Adds an uncertain fix that removes what stands at `spans` (those that point nowhere are left out), called `what`: only its author may know the
    /// use of it. [`crate::removal::complete`] adds what goes with it. A suggestion is added before this.
    #[must_use]
    pub fn removing(mut self, what: impl std::fmt::Display, spans: impl IntoIterator<Item = Span>) -> Self {
        let edit = |span| Edit { span, instead_of: None, text: String::new() };
        let edits: Vec<Edit> = spans.into_iter().filter(|span| span.is_some()).map(edit).collect();
        if !edits.is_empty() {
            self.fixes.push(Fix { title: format!("remove {what}"), edits, applies: Applies::Maybe });
        }
        self
    }

    /// The same, with fixes that are certain no longer.
    #[must_use]
    pub fn unsure(mut self) -> Self {
        self.fixes.iter_mut().for_each(|fix| fix.applies = Applies::Maybe);
        self
    }

    /// Adds ``did you mean `…`?`` if one of `candidates` is spelt almost like `name`, and a fix that puts it there if the primary place holds
    /// `name` and nothing else. Candidates that are equally near are all named, and none of their fixes is certain.
    #[must_use]
    pub fn suggest<'a>(self, name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Self {
        let span = self.primary.as_ref().map_or(Span::NONE, |primary| primary.span);
        self.suggest_at(span, name, candidates)
    }

    /// The same where the misspelt name does not stand at the primary place but at `span`.
    #[must_use]
    pub fn suggest_at<'a>(mut self, span: Span, name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Self {
        let best = nearest(name, candidates);
        let certainty = if best.len() == 1 { Applies::Always } else { Applies::Maybe };
        if !best.is_empty() {
            let quoted: Vec<String> = best.iter().map(|best| format!("`{best}`")).collect();
            self.help = Some(format!("did you mean {}?", alternatives(&quoted)));
        }
        for best in best.into_iter().filter(|_| span.is_some()) {
            let applies = certainty.unless_number(name, best);
            let edits = vec![Edit { span, instead_of: Some(name.to_owned()), text: best.to_owned() }];
            self.fixes.push(Fix { title: format!("replace `{name}` by `{best}`"), edits, applies });
        }
        self
    }

    /// The same, at this place if it has none.
    #[must_use]
    pub fn or_at(mut self, span: Span) -> Self {
        let place = || span.is_some().then(|| Annotation { span, text: String::new() });
        self.primary = self.primary.or_else(place);
        self
    }

    /// Whether this is an error.
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }
}

/// Whether a name is a number, or differs from a better one in its digits only. Numbers are close to many others, so none is taken for a misspelling.
pub fn changes_number(name: &str, better: &str) -> bool {
    name.chars().all(|c| c.is_ascii_digit()) || unnumbered(name) == unnumbered(better)
}

/// A name without its digits: names that differ in their numbers differ on purpose.
pub(crate) fn unnumbered(name: &str) -> String {
    name.chars().filter(|c| !c.is_ascii_digit()).collect()
}

/// Whether any of the findings is an error.
pub fn has_errors(diagnostics: &[Diagnostic]) -> bool {
    diagnostics.iter().any(Diagnostic::is_error)
}

/// `a`, `a or b`, `a, b or c`: a list of what would be accepted; empty if nothing is.
pub fn alternatives(words: &[String]) -> String {
    match words {
        [] => String::new(),
        [only] => only.clone(),
        [init @ .., last] => format!("{} or {last}", init.join(", ")),
    }
}

/// What could be meant by a name that is none of the valid ones, as the end of a message: ``did you mean `rbg`?``, or, where none is near, all of
/// them: ``expected one of `rg`, `rbg` or `hrg` ``.
pub fn expected_one_of<'a>(name: &str, valid: impl IntoIterator<Item = &'a str>) -> String {
    let valid: Vec<&str> = valid.into_iter().collect();
    let quoted = |names: &[&str]| alternatives(&names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>());
    match &nearest(name, valid.iter().copied())[..] {
        [] => format!("expected one of {}", quoted(&valid)),
        near => format!("did you mean {}?", quoted(near)),
    }
}

/// The first of the candidates [`nearest`] to `name`.
pub fn closest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    nearest(name, candidates).into_iter().next()
}

/// The candidates nearest to `name` by edit distance, if they are near enough for a likely misspelling: at most a third
/// of the length (and at most 3), case differences counting as nothing. One letter is near to everything, so nothing of one
/// letter is suggested but the same letter in the other case, or where one of the two is the other one typed twice. Of candidates that are equally
/// near, those come alone that have the same letters (a doubled one, two transposed ones); then the first three are taken. Where none is near, a word of four letters or more that mixes up the order of one's letters,
/// such as `withe` for `white`, is a step further away. At most 10,000 candidates
/// are looked at.
pub fn nearest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
    let wanted: Vec<char> = name.chars().take(64).flat_map(char::to_lowercase).collect();
    let limit = (wanted.len() / 3).clamp(1, 3);
    let (mut least, mut best, mut best_slips) = (limit, Vec::new(), false);
    let mut mixed = Vec::new();
    for candidate in candidates.into_iter().take(10_000) {
        if candidate == name || candidate.len() > 4 * 64 {
            continue;
        }
        let other: Vec<char> = candidate.chars().take(64).flat_map(char::to_lowercase).collect();
        let letters = other.len() < 2 || wanted.len() < 2;
        let twice = || matches!((&*wanted, &*other), ([a, b], [c]) | ([c], [a, b]) if a == b && b == c);
        if other.len().abs_diff(wanted.len()) > limit || (letters && other != wanted && !twice()) {
            continue;
        }
        let distance = edit_distance(&wanted, &other);
        let is_mixed = distance == limit + 1 && distance <= 2 && wanted.len() >= 4;
        if is_mixed && has_same_letters(&wanted, &other) && !mixed.contains(&candidate) {
            mixed.push(candidate);
        }
        let slips = distance <= least && has_same_letters(&wanted, &other);
        if distance < least || (distance == least && slips && !best_slips) {
            (least, best, best_slips) = (distance, Vec::new(), slips);
        }
        if distance == least && slips == best_slips && best.len() < MAX_EQUALLY_NEAR && !best.contains(&candidate) {
            best.push(candidate);
        }
    }
    if best.is_empty() {
        mixed.truncate(MAX_EQUALLY_NEAR);
        return mixed;
    }
    best
}

/// Whether two words have the same letters: in another order, or some of them several times in a row in one and not in the other.
fn has_same_letters(a: &[char], b: &[char]) -> bool {
    let sorted = |word: &[char]| {
        let mut word = word.to_vec();
        word.sort_unstable();
        word
    };
    let single = |word: &[char]| {
        let mut word = word.to_vec();
        word.dedup();
        word
    };
    single(a) == single(b) || (a.len() == b.len() && sorted(a) == sorted(b))
}

/// Whether one of two words is the other one with one character typed twice: `xx` and `x`, `row` and `roww`. Linear.
pub fn is_doubled(a: &str, b: &str) -> bool {
    let letters = |text: &str| -> Vec<char> { text.chars().collect() };
    let (a, b) = (letters(a), letters(b));
    let (long, short) = if a.len() > b.len() { (a, b) } else { (b, a) };
    let place = long.iter().zip(&short).position(|(x, y)| x != y).unwrap_or(short.len());
    long.len() == short.len() + 1
        && place > 0
        && long.get(place - 1) == long.get(place)
        && long.get(place + 1..) == short.get(place..)
}

/// Whether two words are one word with a slip of the fingers: a character typed twice, or two neighbours transposed. Linear.
pub fn is_slip(a: &str, b: &str) -> bool {
    let sorted = |text: &str| {
        let mut letters: Vec<char> = text.chars().collect();
        letters.sort_unstable();
        letters
    };
    is_doubled(a, b) || (is_near(a, b) && sorted(a) == sorted(b))
}

/// Whether two words differ by one character: added, left out, replaced, or two neighbours transposed. Case counts. Of words
/// with more than 64 characters: no. Constant time.
pub fn is_near(a: &str, b: &str) -> bool {
    let letters = |text: &str| -> Vec<char> { text.chars().take(65).collect() };
    let (a, b) = (letters(a), letters(b));
    a.len().max(b.len()) <= 64 && a.len().abs_diff(b.len()) <= 1 && edit_distance(&a, &b) == 1
}

/// Edit distance with transpositions of neighbours (optimal string alignment): O(len(a) · len(b)) time, O(len(b)) memory.
fn edit_distance(a: &[char], b: &[char]) -> usize {
    let mut before: Vec<usize> = Vec::new();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.iter().enumerate() {
        let mut next = Vec::with_capacity(row.len());
        next.push(i + 1);
        for (j, y) in b.iter().enumerate() {
            let at = |row: &[usize], j: usize| row.get(j).copied().unwrap_or(usize::MAX - 1);
            let edits = [at(&row, j) + usize::from(x != y), at(&row, j + 1) + 1, at(&next, j) + 1];
            let transposed = i > 0 && j > 0 && a.get(i - 1) == Some(y) && b.get(j - 1) == Some(x);
            let swap = if transposed { at(&before, j - 1) + 1 } else { usize::MAX };
            next.push(edits.into_iter().chain([swap]).min().unwrap_or(0));
        }
        before = std::mem::replace(&mut row, next);
    }
    row.last().copied().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances() {
        let d = |a: &str, b: &str| edit_distance(&a.chars().collect::<Vec<_>>(), &b.chars().collect::<Vec<_>>());
        assert_eq!(d("", "abc"), 3);
        assert_eq!(d("kitten", "sitting"), 3);
        assert_eq!(d("same", "same"), 0);
        assert_eq!((d("blakc", "black"), d("ab", "ba"), d("abc", "ca"), d("abcd", "badc")), (1, 1, 3, 2));
    }

    #[test]
    fn what_would_be_valid() {
        assert_eq!(expected_one_of("rgb", ["rg", "rbg", "hrg"]), "did you mean `rbg`?");
        assert_eq!(expected_one_of("java", ["rust", "cpp"]), "expected one of `rust` or `cpp`");
    }

    #[test]
    fn near_words_differ_by_one_character() {
        for (a, b) in [("rloe", "role"), ("legl", "legal"), ("nexxt", "next"), ("goat", "goal")] {
            assert!(is_near(a, b) && is_near(b, a), "{a} {b}");
        }
        assert!(!is_near("role", "role") && !is_near("rule", "real") && !is_near(&"a".repeat(70), &"a".repeat(69)));
    }

    #[test]
    fn suggestions_are_near_misses_only() {
        assert_eq!(closest("whitePawm", ["whitePawn", "blackPawn"]), Some("whitePawn"));
        assert_eq!(closest("score", ["Score", "Player"]), Some("Score"));
        assert_eq!(closest("zebra", ["Score", "Player"]), None);
        assert_eq!(closest("blakc", ["black", "block"]), Some("black"));
        // Rivals are named side by side.
        assert_eq!(nearest("fe", ["me", "forward", "foe", "me"]), ["me", "foe"]);
        assert_eq!(
            (nearest("withe", ["white", "black"]), nearest("eht", ["the"])),
            (vec!["white"], vec![]),
            "mixed up"
        );
        let found = Diagnostic::error("RG001", Span::new(crate::SourceId(0), 0, 2), "").suggest("fe", ["me", "foe"]);
        assert_eq!(found.help.as_deref(), Some("did you mean `me` or `foe`?"));
        assert!(found.fixes.len() == 2 && found.fixes.iter().all(|fix| fix.applies == Applies::Maybe));
        // Numbers are near to each other, but no misspellings.
        let certain = |name, better| {
            Diagnostic::error("RG001", Span::new(crate::SourceId(0), 0, 2), "").suggest(name, [better]).fixes[0].applies
        };
        assert_eq!([certain("10", "100"), certain("p1", "p2"), certain("51", "5l")], [Applies::Maybe; 3]);
        assert_eq!(certain("whit1", "white1"), Applies::Always);
        // One letter is near to every other one.
        assert_eq!((closest("x", ["y", "xy"]), closest("ab", ["a"]), closest("X", ["x"])), (None, None, Some("x")));
        assert_eq!(
            (closest("xx", ["y", "x"]), closest("x", ["xx"]), closest("xxx", ["x"])),
            (Some("x"), Some("xx"), None)
        );
        // What is doubled or transposed is nearer than what is another letter.
        assert_eq!((nearest("c33", ["c1", "c3", "c13"]), nearest("ab1", ["ab2", "a1b"])), (vec!["c3"], vec!["a1b"]));
        assert!(is_slip("my", "ym") && is_slip("my", "myy") && !is_slip("my", "me") && !is_slip("my", "my"));
        assert!(
            is_doubled("x", "xx") && is_doubled("row", "roow") && !is_doubled("x1", "x12") && !is_doubled("a", "a")
        );
    }
}
