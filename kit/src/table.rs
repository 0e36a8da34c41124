//! Tables of aligned text.

use comfy_table::{CellAlignment, Table};

/// A table without lines: the first `names` columns aligned to the left, the others, which hold numbers, to the right.
/// With a final newline.
pub fn render(header: &[&str], names: usize, rows: Vec<Vec<String>>) -> String {
    let mut table = Table::new();
    table.load_preset(comfy_table::presets::NOTHING).set_header(header.to_vec());
    for row in rows {
        table.add_row(row);
    }
    for (index, column) in table.column_iter_mut().enumerate() {
        column.set_padding((0, if index + 1 == header.len() { 0 } else { 2 }));
        if index >= names {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    let mut text = table.lines().map(|line| line.trim_end().to_owned()).collect::<Vec<_>>().join("\n");
    text.push('\n');
    text
}

/// A number with a comma after every three digits.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A number of things, in words: `1 play`, `2 plays`. `thing` has its plural with an `s`.
pub fn counted(number: u64, thing: &str) -> String {
    format!("{} {thing}{}", grouped(number), if number == 1 { "" } else { "s" })
}

/// A number per second, rounded; 0 where no time passed.
pub fn rate(count: f64, seconds: f64) -> f64 {
    if seconds > 0.0 { (count / seconds).round() } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_grouped() {
        assert_eq!(grouped(0), "0");
        assert_eq!(grouped(999), "999");
        assert_eq!(grouped(1_000), "1,000");
        assert_eq!(grouped(123_456_789), "123,456,789");
        assert_eq!([0, 1, 1_000].map(|n| counted(n, "play")), ["0 plays", "1 play", "1,000 plays"]);
    }

    #[test]
    fn columns_are_aligned() {
        let table =
            render(&["depth", "leaves"], 1, vec![vec!["1".into(), "20".into()], vec!["2".into(), "400".into()]]);
        assert_eq!(table, "depth  leaves\n1          20\n2         400\n");
    }
}
