//! Moves and states as they are written in HRG.
#![allow(clippy::unwrap_used)] // a test stops at the first surprise

use backend::{Moves, Options, Reasoner};
use rg_ir::scene::{self, Look};
use rg_ir::{Notation, SourceId};

const GAME: &str = "
domain Player = p
domain Score = 0 | 1
domain Piece = empty | stone
domain Pos = V(X, Y) where X in 0..2, Y in 0..1
board : Pos -> Piece = { :empty; V(1, 0) = stone }
pos : Pos
graph rules() {
  player = p
  pos = Pos(*)
  check(board[pos] == empty)
  $$ pos
  board[pos] = stone
  branch { $ stay } or { $_ go }
  player = keeper
  end()
}
";

#[test]
fn moves_and_boards_are_written_in_terms_of_hrg() {
    let (lowered, findings) = hrg::load(SourceId(0), GAME);
    assert!(findings.is_empty(), "{findings:?}");
    let lowered = lowered.unwrap();
    // Boards are drawn whole, with what nobody reads any more.
    let options = Options { keep_dead: true, ..Options::default() };
    let reasoner = Reasoner::with_options(&lowered.game, options).unwrap();
    let mut state = reasoner.initial().unwrap();
    let (mut moves, mut text) = (Moves::new(), String::new());
    reasoner.legal_moves(&state, &mut moves).unwrap();
    text += &scene::text(&lowered.notation.scene(&reasoner.view(&state)).unwrap(), Look::default());
    let tags = |moves: &Moves, index| -> Vec<String> {
        moves.tags(index).iter().map(|&tag| reasoner.tag_name(tag).to_owned()).collect()
    };
    for index in 0..moves.len() {
        let tags = tags(&moves, index);
        let tags: Vec<&str> = tags.iter().map(String::as_str).collect();
        text += &(lowered.notation.render_move(&tags) + "\n");
    }
    reasoner.apply(&mut state, &moves, 0).unwrap();
    text += &scene::text(&lowered.notation.scene(&reasoner.view(&state)).unwrap(), Look::default());
    insta::with_settings!({ snapshot_path => "../../../snapshots/hrg", prepend_module_to_snapshot => false }, {
        insta::assert_snapshot!("notation", text);
    });
}

#[test]
fn cells_with_six_neighbours_are_hexagons() {
    let drawn = |diagonal: &str| {
        let game = format!(
            "domain Player = p
domain Score = 0 | 1
domain Piece = empty | stone
domain Direction = up | right | diagonal
domain Cell = C(X, Y) where X in 0..2, Y in 0..2
domain Place = Cell | off
on : Place -> Place
on(P) = if P in Cell then P else off
next : Direction -> Place -> Place
next(_, off) = off
next(up, C(X, Y)) = on(C(X, Y + 1))
next(right, C(X, Y)) = on(C(X + 1, Y))
next(diagonal, C(X, Y)) = on({diagonal})
board : Cell -> Piece = {{ :empty; C(1, 0) = stone }}
place : Place
direction : Direction
graph rules() {{
  player = p
  direction = Direction(*)
  place = next[direction][C(0, 0)]
  $$ place
  player = keeper
  end()
}}
"
        );
        let lowered = hrg::load(SourceId(0), &game).0.unwrap();
        let options = Options { keep_dead: true, ..Options::default() };
        let reasoner = Reasoner::with_options(&lowered.game, options).unwrap();
        let state = reasoner.initial().unwrap();
        let text = scene::text(&lowered.notation.scene(&reasoner.view(&state)).unwrap(), Look::default());
        text.lines().take(4).map(str::to_owned).collect::<Vec<String>>()
    };
    assert_eq!(drawn("C(X + 1, Y + 1)"), ["3 . . .", " 2 . . .", "  1 . s .", "     a b c"]);
    assert_eq!(drawn("C(X - 1, Y + 1)"), ["  3 . . .", " 2 . . .", "1 . s .", " a b c"]);
    assert_eq!(drawn("C(X + 2, Y + 1)"), ["3 . . .", "2 . . .", "1 . s .", "  a b c"], "a knight");
}

/// Squares that are called `a1`, `b1` and so on are a board, as terms with two numbers are; other sets of such names are not, where labels would be other names than these.
#[test]
fn squares_by_name_are_a_board() {
    let drawn = |cells: &str| {
        let text = format!(
            "domain Player = p\ndomain Score = 0 | 1\ndomain Piece = empty | stone\ndomain Cell = {cells}\n\
             domain Place = Cell | off\nboard : Place -> Piece = {{ :empty; b1 = stone }}\nplace : Cell\n\
             graph rules() {{\n  player = p\n  place = Cell(*)\n  check(board[place] == empty)\n  $$ place\n  \
             board[place] = stone\n  player = keeper\n  end()\n}}\n"
        );
        let (lowered, findings) = hrg::load(SourceId(0), &text);
        let lowered = lowered.unwrap_or_else(|| panic!("{findings:?}"));
        let options = Options { keep_dead: true, ..Options::default() };
        let reasoner = Reasoner::with_options(&lowered.game, options).unwrap();
        let state = reasoner.initial().unwrap();
        let scene = lowered.notation.scene(&reasoner.view(&state)).unwrap();
        (scene.boards.len(), scene::text(&scene, Look::default()))
    };
    let (boards, text) = drawn("a1 | a2 | b1 | b2 | c1 | c2");
    assert!(boards == 1 && text.starts_with("2 . . .\n1 . s .\n  a b c\n"), "{text}");
    assert_eq!(drawn("a1 | b1 | c1").0, 0, "one row");
    assert_eq!(drawn("b1 | b2 | c1 | c2").0, 0, "they would be called a1, a2, b1 and b2");
}
