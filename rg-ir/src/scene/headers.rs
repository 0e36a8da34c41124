//! Names of the rows and columns of tables.

/// Letters of the names of columns at most, if these are longer than need be: two lines of them.
const MAX_HEADER: usize = 152;

/// How columns are called: as moves call them, `H3` for `H(3)`, where there is room for that, else `3`.
pub(super) fn columns(title: &str, texts: &[&str], short: &[&str]) -> Vec<String> {
    let is_number = |text: &&str| text.bytes().all(|byte| byte.is_ascii_digit());
    let called: Vec<String> = texts.iter().map(|text| text.replace(['(', ')'], "")).collect();
    let width = title.len() + called.iter().map(|text| text.len() + 1).sum::<usize>();
    let is_better = texts != short && short.iter().all(is_number) && width <= MAX_HEADER;
    if is_better { called } else { short.iter().map(|&text| text.to_owned()).collect() }
}

/// Names that are pairs of words, `large,0`: every first word with the same second ones.
pub(super) struct Pairs<'t> {
    /// The first words, and the names by index.
    pub(super) rows: Vec<(&'t str, Vec<usize>)>,
    /// The second words.
    pub(super) columns: Vec<&'t str>,
    /// Names that are no pairs, by index.
    pub(super) rest: Vec<usize>,
}

impl<'t> Pairs<'t> {
    /// `None` if the names are no such pairs, or there is one first or second word only.
    pub(super) fn new(names: &[&'t str]) -> Option<Self> {
        let mut rows: Vec<(&str, Vec<(&str, usize)>)> = Vec::new();
        let mut rest = Vec::new();
        for (index, name) in names.iter().enumerate() {
            match name.split_once(',') {
                Some((first, second)) => match rows.iter_mut().find(|(other, _)| *other == first) {
                    Some((_, row)) => row.push((second, index)),
                    None => rows.push((first, vec![(second, index)])),
                },
                None => rest.push(index),
            }
        }
        let columns: Vec<&str> = rows.first()?.1.iter().map(|(second, _)| *second).collect();
        let same = |row: &[(&str, usize)]| row.iter().map(|(second, _)| second).eq(&columns);
        let fits = rows.len() > 1 && columns.len() > 1 && rows.iter().all(|(_, row)| same(row));
        let rows = rows.into_iter().map(|(name, row)| (name, row.into_iter().map(|(_, index)| index).collect()));
        fits.then(|| Self { rows: rows.collect(), columns, rest })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_make_rows_and_columns() {
        let pairs = Pairs::new(&["large,0", "large,1", "off", "small,0", "small,1"]).unwrap();
        assert_eq!(pairs.rows, [("large", vec![0, 1]), ("small", vec![3, 4])]);
        assert_eq!((pairs.columns, pairs.rest), (vec!["0", "1"], vec![2]));
        assert!(Pairs::new(&["a,0", "b,1"]).is_none() && Pairs::new(&["a", "b"]).is_none());
    }

    #[test]
    fn columns_are_called_as_moves_call_them() {
        assert_eq!(columns("seeds", &["H(0)", "H(1)"], &["0", "1"]), ["H0", "H1"]);
        assert_eq!(columns(&"x".repeat(150), &["H(0)", "H(1)"], &["0", "1"]), ["0", "1"], "no room");
        assert_eq!(columns("men", &["white", "black"], &["white", "black"]), ["white", "black"]);
    }
}
