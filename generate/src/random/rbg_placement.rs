//! Games in which stones are put on a board, in RBG.

use super::placement::{Aim, Place, Placement};

/// The text of a game.
pub(super) fn write(game: &Placement) -> String {
    let mut out = super::comment(&game.prose());
    let row = format!("[{}]\n", vec!["empty"; game.width as usize].join(", "));
    out.push_str(&format!(
        "\n#players = white(100), black(100)\n#pieces = empty, whiteStone, blackStone\n#variables =\n\n\
         #board = rectangle(up, down, left, right,\n{})\n\n#anywhere = (up* + down*) (left* + right*)\n{}{}",
        row.repeat(game.height as usize),
        place(game),
        aim(game),
    ));
    let apart = game.place == Place::Apart;
    let free = |stone: &str| if apart { format!("free({stone})") } else { "free".to_owned() };
    // What a turn depends on: the name, and what it is for white and for black.
    let mut parameters = vec![("me", "white", "black"), ("mine", "whiteStone", "blackStone")];
    if game.aim != Aim::LastMove {
        parameters.push(("opponent", "black", "white"));
    }
    if apart {
        parameters.push(("theirs", "blackStone", "whiteStone"));
    }
    if game.aim == Aim::Connect {
        parameters.extend([("from", "up", "left"), ("to", "down", "right")]);
    }
    let list = |of: fn(&(&'static str, &'static str, &'static str)) -> &'static str| {
        parameters.iter().map(of).collect::<Vec<_>>().join("; ")
    };
    out.push_str(&format!(
        "#wins(player) = [$ player = 100] ->> {{}}\n\n#turn({}) =\n    ->me anywhere {} [mine]\n    ->> {}\n\n\
         #rules = (turn({}) turn({}))*\n",
        list(|parameter| parameter.0),
        free("mine"),
        result(game, &free("theirs")),
        list(|parameter| parameter.1),
        list(|parameter| parameter.2),
    ));
    out
}

/// The macro of squares where a stone may be put.
fn place(game: &Placement) -> String {
    match game.place {
        Place::Free => "#free = {empty}\n".to_owned(),
        Place::Falling => "#free = {empty} ({! down} + {? down {whiteStone, blackStone}})\n".to_owned(),
        Place::Apart => "#free(stone) = {empty} {! (up + down + left + right) {stone}}\n".to_owned(),
    }
}

/// The macros that tell whether the stone just put does what the game is about.
fn aim(game: &Placement) -> String {
    let axes = game.lines.axes();
    match game.aim {
        Aim::Line(length) | Aim::Avoid(length) => {
            let calls: Vec<String> = axes
                .iter()
                .map(|(forth, back)| format!("along(stone; {}; {})", forth.join(" "), back.join(" ")))
                .collect();
            format!(
                "// Back to some stone of the line, and forth over the others.\n\
                 #along(stone; forth; back) = (back {{stone}})* (forth {{stone}})^{}\n#line(stone) = {}\n",
                length - 1,
                calls.join(" + ")
            )
        }
        Aim::Connect => {
            let steps: Vec<String> = axes.iter().flat_map(|(forth, back)| [forth.join(" "), back.join(" ")]).collect();
            format!("#chain(stone; side) = (({}) {{stone}})* {{! side}}\n", steps.join(" + "))
        }
        Aim::LastMove => String::new(),
    }
}

/// What the keeper does after a move.
fn result(game: &Placement, free: &str) -> String {
    let stuck = if game.aim == Aim::LastMove { "wins(me)" } else { "[$ me = 50, opponent = 50] ->> {}" };
    let goes_on = format!("({{? anywhere {free}}} + {{! anywhere {free}}} {stuck})");
    match game.aim {
        Aim::Line(_) => format!("({{? line(mine)}} wins(me) + {{! line(mine)}} {goes_on})"),
        Aim::Avoid(_) => format!("({{? line(mine)}} wins(opponent) + {{! line(mine)}} {goes_on})"),
        Aim::Connect => {
            let joined = "{? chain(mine; from)} {? chain(mine; to)}";
            format!("({{? {joined}}} wins(me)\n    + {{! {joined}}} {goes_on})")
        }
        Aim::LastMove => goes_on,
    }
}
