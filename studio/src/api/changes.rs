//! What a move changes of what is seen: cells of tables, and places of boards.

use rg_ir::scene::{Scene, Table};
use serde::Serialize;

/// What is different in the later one of two positions.
#[derive(Default, Serialize)]
pub(crate) struct Changes {
    /// Cells of tables.
    cells: Vec<Cell>,
    /// Places of boards: the number of the board, and the label of the place.
    places: Vec<(usize, String)>,
}

/// A cell of a table.
#[derive(Serialize)]
struct Cell {
    /// The title of its table, and the names of its row and its column.
    table: String,
    row: String,
    column: String,
    /// What it holds then.
    value: String,
}

impl Changes {
    /// What is different in a position that comes after another one. Linear in what is shown.
    pub(crate) fn between(before: &Scene<'_>, behind: &Scene<'_>) -> Self {
        Self { cells: cells(&before.tables, &behind.tables), places: places(before, behind) }
    }

    /// The numbers of the boards on which something is different, each once.
    pub(crate) fn boards(&self) -> Vec<usize> {
        let mut boards: Vec<usize> = self.places.iter().map(|(board, _)| *board).collect();
        boards.dedup();
        boards
    }
}

/// Cells by their names: what is shown of a table depends on the position.
fn cells(before: &[Table], behind: &[Table]) -> Vec<Cell> {
    let mut changed = Vec::new();
    for table in behind {
        for (row, values) in &table.rows {
            for (column, value) in table.columns.iter().zip(values) {
                // A cell that was not shown is not known to be another one.
                let known = before.iter().filter(|known| known.title == table.title);
                let was = known.filter_map(|known| at(known, row, column)).next();
                if was.is_some_and(|was| was != value) {
                    let [table, row, column, value] = [&table.title, row, column, value].map(String::clone);
                    changed.push(Cell { table, row, column, value });
                }
            }
        }
    }
    changed
}

/// What a table has in a row and a column.
fn at<'t>(table: &'t Table, row: &str, column: &str) -> Option<&'t String> {
    let column = table.columns.iter().position(|name| name == column)?;
    let (_, values) = table.rows.iter().find(|(name, _)| name == row)?;
    values.get(column)
}

fn places(before: &Scene<'_>, behind: &Scene<'_>) -> Vec<(usize, String)> {
    let boards = before.boards.iter().zip(&behind.boards).enumerate();
    let changed = boards.flat_map(|(number, (one, other))| {
        // As they are drawn: a mark on an empty place is not seen.
        let differs = |at: &usize| one.piece(*at).map(|piece| &piece.name) != other.piece(*at).map(|piece| &piece.name);
        let places = other.board.places.iter().enumerate().filter(move |(at, _)| differs(at));
        places.map(move |(_, place)| (number, place.label.clone()))
    });
    changed.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(columns: &[&str], rows: &[(&str, &[&str])]) -> Table {
        let all = |texts: &[&str]| texts.iter().map(|&text| text.to_owned()).collect();
        let rows = rows.iter().map(|&(name, values)| (name.to_owned(), all(values))).collect();
        Table { title: "men".to_owned(), columns: all(columns), rows }
    }

    #[test]
    fn cells_are_compared_by_their_names() {
        let before = Scene {
            tables: vec![table(&["a", "b"], &[("white", &["2", "0"]), ("black", &["1", "1"])])],
            ..Scene::default()
        };
        let behind = Scene {
            tables: vec![table(&["b", "a", "c"], &[("white", &["1", "1", "5"]), ("black", &["1", "1", "0"])])],
            ..Scene::default()
        };
        let changed = Changes::between(&before, &behind).cells;
        let told: Vec<_> = changed.iter().map(|one| (&*one.row, &*one.column, &*one.value)).collect();
        assert_eq!(told, [("white", "b", "1"), ("white", "a", "1")]);
        assert!(Changes::between(&before, &before).cells.is_empty());
    }
}
