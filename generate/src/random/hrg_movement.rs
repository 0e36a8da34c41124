//! Games of pieces that move, in HRG.

use super::movement::{Gait, Goal, Movement, Onto, Vector};

/// The text of a game.
pub(super) fn write(game: &Movement) -> String {
    let mut out = super::comment(&game.prose());
    out.push_str(&declarations(game));
    out.push_str(&board(game));
    out.push_str(&walks(game));
    out.push_str(&ends(game));
    out
}

/// What a kind of pieces of a player is called on the board.
fn content(player: &str, name: &str) -> String {
    let mut letters = name.chars();
    let first = letters.next().map_or(' ', |letter| letter.to_ascii_uppercase());
    format!("{player}{first}{}", letters.as_str())
}

/// The steps that pieces on the board make, without repetition.
fn vectors(game: &Movement) -> Vec<Vector> {
    // One row ahead is also how the last row is found.
    let mut out: Vec<Vector> = if game.goals.contains(&Goal::Race) { vec![(0, 1)] } else { Vec::new() };
    for vector in game.kinds.iter().flat_map(|kind| &kind.gaits).flat_map(|gait| gait.directions) {
        if !out.contains(vector) {
            out.push(*vector);
        }
    }
    out
}

/// The name of a step: `ahead2Left`.
fn named((dx, dy): Vector) -> String {
    let times = |word: &str, count: u32| match count {
        0 => String::new(),
        1 => word.to_owned(),
        _ => format!("{word}{count}"),
    };
    let row = times(if dy > 0 { "ahead" } else { "back" }, dy.unsigned_abs());
    let column = times(if dx > 0 { "right" } else { "left" }, dx.unsigned_abs());
    let mut letters = column.chars();
    match letters.next() {
        Some(first) if !row.is_empty() => format!("{row}{}{}", first.to_ascii_uppercase(), letters.as_str()),
        _ => row + &column,
    }
}

fn declarations(game: &Movement) -> String {
    let names: Vec<&str> = game.kinds.iter().map(|kind| kind.name).collect();
    let pieces = |player: &str| names.iter().map(|name| content(player, name)).collect::<Vec<_>>();
    let steps: Vec<String> = vectors(game).into_iter().map(named).collect();
    let mut out = format!(
        "\ndomain Player = white | black\ndomain Score = 50 | 0 | 100\ndomain Kind = {}\ndomain Content = empty | outside | {} | {}\n\
         domain Owner = nobody | Player\ndomain Step = {}\ndomain Turn = T(I) where I in 0..{}\n\
         domain Square = S(X, Y) where X in 0..{}, Y in 0..{}\ndomain Place = Square | off\n\n\
         opponent: Player -> Player\nopponent(white) = black\nopponent(black) = white\n\n",
        names.join(" | "),
        pieces("white").join(" | "),
        pieces("black").join(" | "),
        steps.join(" | "),
        game.limit,
        game.width - 1,
        game.height - 1
    );
    out.push_str("piece: Player -> Kind -> Content\n");
    for player in ["white", "black"] {
        for name in &names {
            out.push_str(&format!("piece({player}, {name}) = {}\n", content(player, name)));
        }
    }
    out.push_str("\nowner: Content -> Owner\nowner(empty) = nobody\nowner(outside) = nobody\n");
    for player in ["white", "black"] {
        for name in &names {
            out.push_str(&format!("owner({}) = {player}\n", content(player, name)));
        }
    }
    out.push_str(&format!("\nnext: Turn -> Turn\nnext(T(I)) = if I < {0} then T(I + 1) else T({0})\n", game.limit));
    out.push_str("\non: Place -> Place\non(P) = if P in Square then P else off\n\ngo: Player -> Step -> Place -> Place\ngo(_, _, off) = off\n");
    for (player, side) in [("white", 1), ("black", -1)] {
        for (dx, dy) in vectors(game) {
            let (x, y) = (super::plus("X", dx), super::plus("Y", dy * side));
            out.push_str(&format!("go({player}, {}, S(X, Y)) = on(S({x}, {y}))\n", named((dx, dy))));
        }
    }
    out.push('\n');
    out
}

/// The first position, and the other variables.
fn board(game: &Movement) -> String {
    let mut entries = vec!["  :empty".to_owned(), "  off = outside".to_owned()];
    let last = game.height - 1;
    for (player, back, pawns) in [("white", 0, 1), ("black", last, last - 1)] {
        let across = format!("where X in 0..{}", game.width - 1);
        entries.push(format!("  S(X, {pawns}) = {} {across}", content(player, "pawn")));
        for (x, kind) in game.back.iter().enumerate() {
            if let Some(kind) = kind.and_then(|kind| game.kinds.get(kind)) {
                entries.push(format!("  S({x}, {back}) = {}", content(player, kind.name)));
            }
        }
    }
    let entries = entries.join(";\n");
    format!("board: Place -> Content = {{\n{entries}\n}}\nme: Player\nturn: Turn\nfrom: Place\nsquare: Place\n\n")
}

/// The graphs of the moves.
fn walks(game: &Movement) -> String {
    let mut out = String::new();
    let mut alternatives = Vec::new();
    for kind in &game.kinds {
        let name = kind.name;
        let graph = content("walk", name);
        let gaits: Vec<String> = kind.gaits.iter().map(|&gait| walk(gait)).collect();
        let body = match &gaits[..] {
            [only] => only.clone(),
            _ => format!("branch {{\n{}}}\n", gaits.join("} or {\n")),
        };
        out.push_str(&format!("graph {graph}() {{\n{body}}}\n\n"));
        alternatives.push(format!("check(board[square] == piece[me][{name}])\n{graph}()\n"));
    }
    let choice = match &alternatives[..] {
        [only] => only.clone(),
        _ => format!("branch {{\n{}}}\n", alternatives.join("} or {\n")),
    };
    out.push_str(&format!(
        "graph canMove() {{\nsquare = Square(*)\n{choice}}}\n\n\
         graph move() {{\nfrom = Square(*)\ncheck(owner[board[from]] == me)\n$$ from\nsquare = from\n{choice}$$ square\n}}\n\n"
    ));
    out
}

/// The statements of a gait.
fn walk(gait: Gait) -> String {
    let steps: Vec<String> = gait.directions.iter().map(|&vector| named(vector)).collect();
    let end = match gait.onto {
        Onto::Empty => "check(board[square] == empty)\n",
        Onto::Opponent => "check(owner[board[square]] == opponent[me])\n",
        Onto::Both => "check(board[square] == empty || owner[board[square]] == opponent[me])\n",
    };
    let go = "square = go[me][step][square]\n";
    let walk = if gait.slides {
        format!("loop {{\n{go}branch {{ break() }} or {{ check(board[square] == empty) }}\n}}\n")
    } else {
        go.to_owned()
    };
    match &steps[..] {
        [only] => format!("{}{end}", walk.replace("step", only)),
        _ => format!("branch step in {{ {} }} {{\n{walk}}}\n{end}", steps.join(", ")),
    }
}

/// The graphs of what wins, and of the whole.
fn ends(game: &Movement) -> String {
    let mut out = "graph win() {\ngoals[me] = 100\ngoals[opponent[me]] = 0\nend()\n}\n\n".to_owned();
    let mut tests = String::new();
    for goal in &game.goals {
        match *goal {
            Goal::Race => {
                tests.push_str("if board[square] == piece[me][pawn] && go[me][ahead][square] == off { win() }\n")
            }
            Goal::Take(kind) => {
                let name = game.kinds.get(kind).map_or("pawn", |kind| kind.name);
                out.push_str(&format!(
                    "graph left() {{\nsquare = Square(*)\ncheck(board[square] == piece[opponent[me]][{name}])\n}}\n\n"
                ));
                tests.push_str("if not(reachable(left())) { win() }\n");
            }
        }
    }
    out.push_str(&format!(
        "graph rules() {{\nloop {{\nplayer = me\nmove()\nplayer = keeper\n\
         board[square] = board[from]\nboard[from] = empty\nturn = next[turn]\n{tests}\
         if turn == T({}) {{ end() }}\nme = opponent[me]\n\
         if not(reachable(canMove())) {{\nme = opponent[me]\nwin()\n}}\n}}\n}}\n",
        game.limit
    ));
    out
}
