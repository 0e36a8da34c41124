//! What `rgc play` shows of a position.

use crate::support::{Scratch, game, rgc_with_input};

/// The position shows what legal moves depend on, and scores only where rules read them; `state` shows everything.
#[test]
fn bookkeeping_is_not_shown() {
    let two = |game: &str, input: &str| rgc_with_input(["play", game, "--seed", "1"], input).success();
    let chess = two("chess", "help\nstate\nq\n");
    let (before, after) = chess.split_once("> state").unwrap();
    assert!(!before.contains("quiet = ") && !before.contains("scores: ") && !before.contains("e2e4"), "{before}");
    assert!(before.contains("MOVE              a move, such as a2a3, a2-a3, a2 a3\n"), "{before}");
    assert!(after.contains("variables: quiet = 0\nscores: white = 0, black = 0\n"), "{after}");
    let dice = two("ticTacDie.hrg", "q\n");
    assert!(dice.contains("\nthis turn, chance gave: "), "which moves are legal depends on it: {dice}");
    let gdl = two("ticTacToe.gdl", "state\nq\n");
    assert_eq!(gdl.matches("(control crosses)").count(), 1, "the headline says who is to move: {gdl}");
    let hex = two("hex.rbg", "q\n");
    assert!(hex.contains("pieces: b = blue, r = red\n"), "{hex}");
    let hidden = two("kuhnPoker.hrg", "state\nq\n");
    assert!(hidden.contains("> state\npart of the position is hidden from you. `board` shows"), "{hidden}");
}

/// The place where the rules stand is shown where other moves would be legal at another one, and only there.
#[test]
fn the_current_vertex_is_shown_where_it_matters() {
    // The ball is the vertex itself; what was passed cannot be passed again.
    let soccer = "#players = white(1), black(1)\n#pieces = e, v\n#variables =\n#board = rectangle(up,down,left,right,[e,e,e][e,e,e][e,e,e])\n\
        #rules = right down (->white (left + right + up + down){e} ->> [v] ->black (left + right + up + down){e} ->> [v])*\n";
    // Wherever the last move ended, the next one begins with a walk to any piece, so that the vertex is not what matters.
    let walk = "#players = white(1), black(1)\n#pieces = e, w, b\n#variables =\n#board = rectangle(up,down,left,right,[w,e,e][w,e,b][e,e,b])\n\
        #any = (up* + down*)(left* + right*)\n\
        #rules = (->white any {w} [e] (left + right){e} ->> [w] ->black any {b} [e] (left + right){e} ->> [b])*\n";
    let scratch = Scratch::new("current vertex");
    let said = |text: &str, input: &str| {
        let file = scratch.write("game.rbg", text);
        rgc_with_input(["play", &file, "--as", "white,black"], input).success()
    };
    let soccer = said(soccer, "b1\nq\n");
    assert!(soccer.contains("2 . @ .\n1 . . .\n  a b c\ncurrent vertex: b2\npieces: @ = current vertex\n"), "{soccer}");
    assert!(soccer.contains("2 . . .\n1 . v .\n  a b c\ncurrent vertex: b1\n"), "it stands where a piece is: {soccer}");
    let walk = said(walk, "1.\nq\n");
    assert!(walk.contains("black to move") && !walk.contains("current vertex"), "{walk}");
    let boards = rgc_with_input(["play", "ultimateTicTacToe.rbg", "--as", "crosses,noughts"], "1.\nq\n").success();
    assert!(boards.contains("current vertex: "), "it says in which board to play: {boards}");
}

/// A card that decides the game is shown to those who may see it, and at the end to all, also where no legal move depends on it.
#[test]
fn what_decides_the_scores_is_shown() {
    let dealt = "R(jack,hearts); R(queen,hearts); check; check";
    let leduc = |play: &str, input: &str| {
        rgc_with_input(["play", "leducPoker", "--as", "first,second", "--play", play], input).success()
    };
    let before = leduc("R(jack,hearts); R(queen,hearts)", "q\n");
    assert!(!before.contains("variables"), "no card lies on the table, and whose turn it is is no news: {before}");
    let open = leduc(&format!("{dealt}; R(king,hearts)"), "check\ncheck\nq\n");
    assert_eq!(open.matches("variables: common = king,hearts\n").count(), 3, "twice in play and at the end: {open}");
    // In RG, hands are single variables: one's own is shown, the other one at the end.
    let kuhn = rgc_with_input(["play", &game("rg/kuhnPoker.rg"), "--as", "first", "--seed", "3"], "bet\nq\n").success();
    let (own, end) = kuhn.split_once("> bet").unwrap();
    assert!(own.contains("variables: firstCard = ") && !own.contains("secondCard"), "{own}");
    assert!(end.contains("variables: firstCard = ") && end.contains(", secondCard = "), "{end}");
    // What a move was put together in is on the board.
    let line = rgc_with_input(["play", "breakthrough.rg", "--as", "none", "--against", "random"], "").success();
    assert!(!line.contains("variables: to"), "{line}");
}

/// What chance did last was told when it did it, and is no news when the game is over.
#[test]
fn chance_is_not_told_again_at_the_end() {
    let throw = "domain Player = only
domain Score = 0 | 100
domain Die = D(N) where N in 1..6

score: Die -> Score
score(D(N)) = if N == 6 then 100 else 0

die: Die
graph rules() {
  player = only
  player = random
  die = Die(*)
  $$ die
  player = keeper
  goals[only] = score(die)
  end()
}
";
    let path = std::path::PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("lastThrow.hrg");
    std::fs::write(&path, throw).unwrap();
    let said = rgc_with_input(["play", path.to_str().unwrap(), "--seed", "1"], "1.\n").success();
    assert_eq!(said.matches("chance: D").count(), 1, "{said}");
    assert!(said.contains("the game is over"), "{said}");
    assert!(!said.contains("chance gave"), "{said}");
}

/// At the end, the pieces are counted whose numbers the rules compare; they are in no other game.
#[test]
fn what_decided_the_game_is_shown() {
    let end = |game: &str| rgc_with_input(["play", game, "--as", "none", "--against", "random"], "").success();
    let reversi = end("reversi.rbg");
    let counted = reversi.lines().find(|line| line.starts_with("on the board: b = ")).unwrap();
    assert!(counted.contains(", w = ") && reversi.matches("on the board").count() == 1, "{reversi}");
    assert!(!end("ticTacToe.rbg").contains("on the board"));
}
