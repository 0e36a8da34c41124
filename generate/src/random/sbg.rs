//! Games of pieces that move, in SBG.

use super::movement::{Gait, Goal, Movement, Onto};

/// The text of a game.
pub(super) fn write(game: &Movement) -> String {
    let mut out = super::comment(&game.prose());
    out.push_str(&format!("\n<<Random game>>\n<BOARD>\n{} {}\n{}", game.width, game.height, board(game)));
    out.push_str("<PIECES>\n");
    for kind in &game.kinds {
        let words: Vec<String> = kind.gaits.iter().flat_map(|&gait| words(gait)).collect();
        out.push_str(&format!("{} {} &\n", kind.letter, words.join(" + ")));
    }
    out.push_str(&format!("<GOALS>\n{} &\n", game.limit));
    for goal in &game.goals {
        match *goal {
            Goal::Race => {
                for (letter, row) in [('P', game.height - 1), ('p', 0)] {
                    let squares: Vec<String> = (0..game.width).map(|x| format!("{x} {row}")).collect();
                    out.push_str(&format!("@{letter} {} &\n", squares.join(", ")));
                }
            }
            Goal::Take(kind) => {
                let letter = game.kinds.get(kind).map_or('P', |kind| kind.letter);
                out.push_str(&format!("#{letter} 0 &\n#{} 0 &\n", letter.to_ascii_lowercase()));
            }
        }
    }
    out
}

fn board(game: &Movement) -> String {
    let letter = |kind: Option<usize>| kind.and_then(|kind| game.kinds.get(kind)).map_or('.', |kind| kind.letter);
    let back: String = game.back.iter().map(|&kind| letter(kind)).collect();
    let pawns = "P".repeat(game.width as usize);
    let empty = format!("|{}|\n", ".".repeat(game.width as usize)).repeat(game.height.saturating_sub(4) as usize);
    format!("|{}|\n|{}|\n{empty}|{pawns}|\n|{back}|\n", back.to_ascii_lowercase(), pawns.to_ascii_lowercase())
}

/// The alternatives of a gait.
fn words(gait: Gait) -> Vec<String> {
    let ends: &[char] = match gait.onto {
        Onto::Empty => &['e'],
        Onto::Opponent => &['p'],
        Onto::Both => &['e', 'p'],
    };
    let step = |(dx, dy): (i32, i32), on: char| format!("({dx},{dy},{on})");
    if gait.slides {
        let last = |vector| ends.iter().map(|&on| step(vector, on)).collect::<Vec<_>>().join(" + ");
        gait.directions.iter().map(|&vector| format!("{}^*({})", step(vector, 'e'), last(vector))).collect()
    } else {
        ends.iter().flat_map(|&on| gait.directions.iter().map(move |&vector| step(vector, on))).collect()
    }
}
