//! Games in which stones are put on a board, in HRG.

use super::placement::{Aim, Place, Placement};

/// The text of a game.
pub(super) fn write(game: &Placement) -> String {
    let mut out = super::comment(&game.prose());
    let scores = if game.aim == Aim::LastMove { "0 | 100" } else { "50 | 0 | 100" };
    out.push_str(&format!(
        "\ndomain Player = white | black\ndomain Score = {scores}\ndomain Content = empty | Player\n{}\
         domain Square = S(X, Y) where X in 0..{}, Y in 0..{}\ndomain Place = Square | off\n\n\
         opponent: Player -> Player\nopponent(white) = black\nopponent(black) = white\n\n\
         on: Place -> Place\non(P) = if P in Square then P else off\n\n{}\
         board: Place -> Content\nme: Player\nsquare: Place\n{}\n",
        domains(game),
        game.width - 1,
        game.height - 1,
        maps(game),
        if matches!(game.aim, Aim::Line(_) | Aim::Avoid(_)) { "axis: Axis\n" } else { "" },
    ));
    out.push_str(&format!(
        "graph free() {{\n  square = Square(*)\n  check(board[square] == empty)\n{}}}\n\n",
        place(game)
    ));
    out.push_str(&aim(game));
    out.push_str(&format!(
        "graph rules() {{\n  loop {{\n    player = me\n    free()\n    $$ square\n    board[square] = me\n    \
         player = keeper\n{}  }}\n}}\n",
        result(game)
    ));
    out
}

/// The neighbours of a square by names of directions.
const STEPS: [(&str, i32, i32); 8] = [
    ("up", 0, 1),
    ("upRight", 1, 1),
    ("right", 1, 0),
    ("downRight", 1, -1),
    ("down", 0, -1),
    ("downLeft", -1, -1),
    ("left", -1, 0),
    ("upLeft", -1, 1),
];

/// The directions that a game is about.
fn used(game: &Placement) -> Vec<(&'static str, i32, i32)> {
    let mut names: Vec<String> = Vec::new();
    if game.aim != Aim::LastMove {
        names.extend(game.lines.axes().iter().flat_map(|(forth, back)| [joined(forth), joined(back)]));
    }
    names.extend(match game.place {
        Place::Free => vec![],
        Place::Falling => vec!["down".to_owned()],
        Place::Apart => ["up", "down", "left", "right"].map(str::to_owned).to_vec(),
    });
    if game.aim == Aim::Connect {
        names.extend(["up", "down", "left", "right"].map(str::to_owned));
    }
    STEPS.into_iter().filter(|(name, _, _)| names.iter().any(|used| used == name)).collect()
}

/// `["up", "right"]` as `upRight`.
fn joined(words: &[&str]) -> String {
    match words {
        [first, "right"] => format!("{first}Right"),
        [first, "left"] => format!("{first}Left"),
        _ => words.concat(),
    }
}

fn domains(game: &Placement) -> String {
    let directions: Vec<&str> = used(game).into_iter().map(|(name, _, _)| name).collect();
    let mut out = String::new();
    if !directions.is_empty() {
        out.push_str(&format!("domain Direction = {}\n", directions.join(" | ")));
    }
    if matches!(game.aim, Aim::Line(_) | Aim::Avoid(_)) {
        let axes: Vec<String> = game.lines.axes().iter().map(|(forth, _)| joined(forth)).collect();
        out.push_str(&format!("domain Axis = {}\n", axes.join(" | ")));
    }
    out
}

fn maps(game: &Placement) -> String {
    let mut out = String::new();
    let used = used(game);
    if !used.is_empty() {
        out.push_str("next: Direction -> Place -> Place\nnext(_, off) = off\n");
        for (name, dx, dy) in used {
            out.push_str(&format!(
                "next({name}, S(X, Y)) = on(S({}, {}))\n",
                super::plus("X", dx),
                super::plus("Y", dy)
            ));
        }
        out.push('\n');
    }
    match game.aim {
        Aim::Line(_) | Aim::Avoid(_) => {
            for (name, end) in [("forth", 0), ("back", 1)] {
                out.push_str(&format!("{name}: Axis -> Direction\n"));
                for (forth, back) in game.lines.axes() {
                    let towards = if end == 0 { forth } else { back };
                    out.push_str(&format!("{name}({}) = {}\n", joined(forth), joined(towards)));
                }
                out.push('\n');
            }
        }
        Aim::Connect => out.push_str(
            "home: Player -> Direction\nhome(white) = up\nhome(black) = left\n\n\
             away: Player -> Direction\naway(white) = down\naway(black) = right\n\n",
        ),
        Aim::LastMove => {}
    }
    out
}

/// What else a square needs for a stone to be put there.
fn place(game: &Placement) -> &'static str {
    match game.place {
        Place::Free => "",
        Place::Falling => "  check(next[down][square] == off || board[next[down][square]] != empty)\n",
        Place::Apart => {
            "  check(board[next[up][square]] != me && board[next[down][square]] != me)\n  \
             check(board[next[left][square]] != me && board[next[right][square]] != me)\n"
        }
    }
}

/// The graphs that tell whether the stone just put does what the game is about.
fn aim(game: &Placement) -> String {
    match game.aim {
        Aim::Line(length) | Aim::Avoid(length) => format!(
            "// Back to the first stone of a line, and forth over the others.\ngraph line() {{\n  axis = Axis(*)\n  \
             while board[next[back[axis]][square]] == me {{ square = next[back[axis]][square] }}\n  \
             repeat {} {{\n    square = next[forth[axis]][square]\n    check(board[square] == me)\n  }}\n}}\n\n",
            length - 1
        ),
        Aim::Connect => {
            let directions: Vec<String> =
                game.lines.axes().iter().flat_map(|(forth, back)| [joined(forth), joined(back)]).collect();
            format!(
                "// Stones of the mover lead from the one just put to a side of the board.\n\
                 graph chain(side: Direction) {{\n  loop {{\n    branch {{\n      check(next[side][square] == off)\n      break()\n    }} or {{\n      \
                 branch way in {{ {} }} {{ square = next[way][square] }}\n      check(board[square] == me)\n    }}\n  }}\n}}\n\n",
                directions.join(", ")
            )
        }
        Aim::LastMove => String::new(),
    }
}

/// What the keeper does after a move.
fn result(game: &Placement) -> String {
    let win = |condition: &str, winner: &str, loser: &str| {
        format!("    if {condition} {{\n      goals[{winner}] = 100\n      goals[{loser}] = 0\n      end()\n    }}\n")
    };
    match game.aim {
        Aim::Line(_) => {
            win("reachable(line())", "me", "opponent[me]") + "    me = opponent[me]\n    if not(reachable(free())) { end() }\n"
        }
        Aim::Avoid(_) => {
            win("reachable(line())", "opponent[me]", "me") + "    me = opponent[me]\n    if not(reachable(free())) { end() }\n"
        }
        Aim::Connect => {
            win("reachable(chain(home[me])) && reachable(chain(away[me]))", "me", "opponent[me]")
                + "    me = opponent[me]\n    if not(reachable(free())) { end() }\n"
        }
        Aim::LastMove => {
            "    me = opponent[me]\n    if not(reachable(free())) {\n      goals[opponent[me]] = 100\n      end()\n    }\n".to_owned()
        }
    }
}
