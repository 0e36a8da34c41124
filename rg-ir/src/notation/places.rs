//! What people call places.

use rustc_hash::FxHashMap;

/// The labels of the places of a game, by all that may be written for them: their names in the rules, and the labels themselves.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Places {
    labels: FxHashMap<String, String>,
    /// The same without regard to case, where that is unambiguous.
    folded: FxHashMap<String, Option<String>>,
    /// Names only.
    names: FxHashMap<String, String>,
    /// Length in bytes of the longest text.
    longest: usize,
}

impl Places {
    /// From pairs of a name in the rules and a label. A name with several labels is not a place, and neither are names that share a label.
    /// Linear.
    pub fn new<'p>(pairs: impl IntoIterator<Item = (&'p str, &'p str)>) -> Self {
        let mut labels: FxHashMap<&str, Option<&str>> = FxHashMap::default();
        for (name, label) in pairs {
            let known = labels.entry(name).or_insert(Some(label));
            *known = known.filter(|known| *known == label);
        }
        let mut uses: FxHashMap<&str, usize> = FxHashMap::default();
        labels.values().flatten().for_each(|label| *uses.entry(label).or_default() += 1);
        let own = labels.iter().filter_map(|(&name, &label)| Some((name, label?)));
        let pairs: Vec<(&str, &str)> = own.filter(|(_, label)| uses.get(label) == Some(&1)).collect();
        let mut places = Self::default();
        for &(name, label) in &pairs {
            places.names.insert(name.to_owned(), label.to_owned());
            places.labels.entry(label.to_owned()).or_insert_with(|| label.to_owned());
        }
        // A place's own name wins over a label that looks alike.
        places.labels.extend(pairs.iter().map(|(name, label)| ((*name).to_owned(), (*label).to_owned())));
        for (text, label) in &places.labels {
            places.longest = places.longest.max(text.len());
            let known = places.folded.entry(text.to_lowercase()).or_insert_with(|| Some(label.clone()));
            *known = known.take().filter(|known| known == label);
        }
        places
    }

    /// The label of the place with this name in the rules.
    pub fn label(&self, name: &str) -> Option<&str> {
        self.names.get(name).map(String::as_str)
    }

    /// All labels, in no order. Linear.
    pub fn labels(&self) -> impl Iterator<Item = &str> {
        self.names.values().map(String::as_str)
    }

    /// The label of the place that a text begins with, in any case, and what is behind it: of several the one with the longest
    /// text.
    pub fn begin<'t>(&self, text: &'t str) -> Option<(&str, &'t str)> {
        let mut end = self.longest.min(text.len());
        while end > 0 {
            if let Some((name, rest)) = text.split_at_checked(end)
                && is_whole(name, rest)
            {
                let folded = || self.folded.get(&name.to_lowercase())?.as_deref();
                if let Some(label) = self.labels.get(name).map(String::as_str).or_else(folded) {
                    return Some((label, rest));
                }
            }
            end -= 1;
        }
        None
    }
}

impl Places {
    /// The first part of a text that looks like the coordinates of a place, as `a9` does in `a8a9`, where the places of the game have
    /// coordinates, but this one is not among them. `None` if there is no such part.
    pub fn off_board<'t>(&self, text: &'t str) -> Option<&'t str> {
        if !self.names.values().any(|label| column(label).is_some()) {
            return None;
        }
        let (mut rest, mut is_behind_place) = (text, false);
        while let Some(letter) = rest.chars().next() {
            let was_behind_place = std::mem::take(&mut is_behind_place);
            if let Some((_, behind)) = self.begin(rest) {
                (rest, is_behind_place) = (behind, true);
            } else if let Some(behind) = rest.strip_prefix(['x', 'X']).filter(|_| was_behind_place)
                && (self.begin(behind).is_some() || coordinates(behind).is_some())
            {
                // A sign between places, as in `e5xd6`.
                rest = behind;
            } else if letter.is_alphanumeric() {
                let end = rest.find(|c: char| !c.is_alphanumeric()).unwrap_or(rest.len());
                // Another place may follow at once.
                let is_whole = |behind: &str| {
                    let is_next = || self.begin(behind).is_some() || coordinates(behind).is_some();
                    !behind.starts_with(char::is_alphanumeric) || is_next()
                };
                if let Some((word, _)) = coordinates(rest).filter(|(_, behind)| is_whole(behind)) {
                    return Some(word);
                }
                rest = rest.get(end..).unwrap_or_default();
            } else {
                rest = rest.get(letter.len_utf8()..).unwrap_or_default();
            }
        }
        None
    }
}

/// One or two letters and a number at the beginning of a text, and what is behind them.
fn coordinates(text: &str) -> Option<(&str, &str)> {
    let letters = text.find(|c: char| !c.is_ascii_alphabetic()).filter(|letters| (1..=2).contains(letters))?;
    let digits = text.get(letters..)?;
    let number = digits.find(|c: char| !c.is_ascii_digit()).unwrap_or(digits.len());
    (number > 0).then(|| text.split_at(letters + number))
}

/// Whether a name ends where the rest of the text begins: no number goes on there, and no word.
fn is_whole(name: &str, rest: &str) -> bool {
    let Some(next) = rest.chars().next() else { return true };
    match name.chars().next_back() {
        Some(last) if last.is_ascii_digit() => !next.is_ascii_digit(),
        Some(last) if last.is_alphanumeric() => !next.is_alphanumeric() && next != '_',
        _ => true,
    }
}

/// The letters of the column that a label such as `e2` begins with.
pub(super) fn column(label: &str) -> Option<&str> {
    let (column, row) = label.split_at_checked(label.find(|c: char| c.is_ascii_digit())?)?;
    let letters = !column.is_empty() && column.chars().all(|c| c.is_ascii_lowercase());
    (letters && row.chars().all(|c| c.is_ascii_digit())).then_some(column)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_begin_with_places() {
        let places = Places::new([("C(0,0)", "a1"), ("C(0,9)", "a10"), ("H(0)", "b1"), ("V(0)", "b1"), ("hut", "hut")]);
        assert_eq!(places.label("C(0,0)"), Some("a1"));
        assert_eq!(places.label("H(0)"), None, "two places have this label");
        let begin = |text| places.begin(text);
        assert_eq!(begin("a1a10"), Some(("a1", "a10")));
        assert_eq!(begin("A10x"), Some(("a10", "x")));
        assert_eq!(begin("c(0,9)-"), Some(("a10", "-")));
        assert_eq!(begin("a11"), None);
        assert_eq!(begin("huts"), None);
        assert_eq!(begin("hut hut"), Some(("hut", " hut")));
        assert_eq!(begin("ä"), None);
    }

    #[test]
    fn coordinates_off_the_board_are_found() {
        let places = Places::new([("x0", "a1"), ("x1", "a2"), ("x2", "b1"), ("x3", "b2")]);
        let off = |text| places.off_board(text);
        assert_eq!(
            ["a1a9", "c1-a1", "a1 b2", "a1=Q", "move b12", "hello", "", "a9a1", "a9c1", "a9x"].map(off),
            [Some("a9"), Some("c1"), None, None, Some("b12"), None, None, Some("a9"), Some("a9"), None]
        );
        assert_eq!(
            ["a1xb2", "a1Xb9", "a1 xb2", "xb2"].map(off),
            [None, Some("b9"), Some("xb2"), Some("xb2")],
            "`x` between places is no column"
        );
        assert_eq!(Places::new([("hut", "hut")]).off_board("a1"), None, "places without coordinates");
    }

    #[test]
    fn labels_have_columns() {
        assert_eq!(["e2", "ab12", "hut", "B3", "7", "e"].map(column), [Some("e"), Some("ab"), None, None, None, None]);
    }
}
