//! Moves and states in RBG's own terms.
#![allow(clippy::unwrap_used, clippy::panic)]

use backend::{Engine, Moves, Reasoner, State};
use rg_ir::scene::{self, Look};
use rg_ir::{Notation, SourceId};

struct Table {
    reasoner: Reasoner,
    notation: rbg::RbgNotation,
    state: State,
}

impl Table {
    fn new(text: &str) -> Self {
        let (lowered, diagnostics) = rbg::load(SourceId(0), text);
        let lowered = lowered.unwrap_or_else(|| panic!("{text}\n{diagnostics:?}"));
        let reasoner = Reasoner::new(&lowered.game, Engine::Naive).unwrap();
        let state = reasoner.initial().unwrap();
        Self { reasoner, notation: lowered.notation, state }
    }

    fn moves(&self) -> Moves {
        let mut moves = Moves::new();
        self.reasoner.legal_moves(&self.state, &mut moves).unwrap();
        moves
    }

    fn with_tags<T>(&self, act: impl FnOnce(&[Vec<&str>]) -> T) -> T {
        let moves = self.moves();
        let tags: Vec<Vec<&str>> =
            moves.iter().map(|m| m.iter().map(|&t| self.reasoner.tag_name(t)).collect()).collect();
        act(&tags)
    }

    fn texts(&self) -> Vec<String> {
        let mut texts = self.with_tags(|tags| self.notation.render_moves(tags));
        texts.sort();
        texts
    }

    /// What the text means, written out.
    fn read(&self, text: &str) -> Result<String, String> {
        self.with_tags(|tags| {
            let index = self.notation.parse_move(text, tags)?;
            Ok(self.notation.render_moves(tags)[index].clone())
        })
    }

    fn play(&mut self, text: &str) {
        let index = self.with_tags(|tags| self.notation.parse_move(text, tags)).unwrap();
        let moves = self.moves();
        self.reasoner.apply(&mut self.state, &moves, index).unwrap();
    }

    fn picture(&self) -> String {
        scene::text(&self.notation.scene(&self.reasoner.view(&self.state)).unwrap(), Look::default())
    }
}

const RACE: &str = "#players = white(100), black(100)
#pieces = e, whitePawn, whiteKing, whiteKnight, blackPawn
#variables = turn(9)
#board = rectangle(up,down,left,right,
    [blackPawn,e,e][e,,e][e,e,e][whitePawn,whiteKing,whiteKnight])
#any = (up* + down*)(left* + right*)
#step(p) = {p} [e] up {e} ->> [p]
#rules = (->white any (step(whitePawn) + step(whiteKing) + step(whiteKnight)) [$ turn = turn+1] [$ white=100]
    ->black any {blackPawn} [e] down {e} [blackPawn] [$ black=100, white=0] ->>)*";

#[test]
fn moves_are_written_and_read() {
    let mut table = Table::new(RACE);
    assert_eq!(table.texts(), ["rx0y3[e] rx0y2->>", "rx1y3[e] rx1y2->>", "rx2y3[e] rx2y2->>"]);
    let first = Ok("rx0y3[e] rx0y2->>".to_owned());
    for text in [
        "rx0y3[e] rx0y2->>",
        "  rx0y3[e]   rx0y2->> ",
        "rx0y3[ e ]rx0y2 ->>",
        "rx0y3",
        "rx0y2",
        "a1 a2",
        "A1 a2",
        "a1",
        "9 2 6 3",
        "a1#2",
        "a1 ->>",
    ] {
        assert_eq!(table.read(text), first, "{text}");
    }
    for (text, message) in [
        ("", "a move is missing"),
        ("[e]", "fits 3 moves"),
        ("->>", "fits 3 moves"),
        ("a9", "`a9` is not on the board"),
        ("9", "`9` is not a legal move"),
        ("rx0y9", "did you mean `rx0y0`?"),
        ("a1 b2", "is not a legal move"),
        ("a1(", "`(` is not part of a move"),
        ("a1#x", "`x` is not an index"),
        ("0", "is not a legal move"),
        ("12 34 56", "is not a legal move"),
        ("99999999999999999999", "is not on the board"),
    ] {
        let error = table.read(text).unwrap_err();
        assert!(error.contains(message), "{text}: {error}");
    }
    table.play("c1 c2");
    assert_eq!(table.texts(), ["rx0y0[e] rx0y1[blackPawn] rx0y1[$ black = 100] rx0y1[$ white = 0] rx0y1->>"]);
    assert_eq!(table.read("[$white=0]"), table.read("a4 a3"));
}

#[test]
fn moves_that_look_alike_get_their_index() {
    let head = "#players = p(9)\n#pieces = a,b\n#variables =\n#board = s[a]{r:t} t[a]{}\n";
    let table = Table::new(&format!("{head}#rules = ->p ([b] + [b] + [b] r + r) [b] ->p {{}}"));
    assert_eq!(table.texts(), ["s[b] t[b] t->p", "s[b]#2 s[b] s->p", "s[b]#3 s[b] s->p", "t[b] t->p"]);
    assert_eq!(table.read("s[b]#3"), Ok("s[b]#3 s[b] s->p".to_owned()));
    assert!(table.read("s[b] s[b]").unwrap_err().contains("fits 2 moves"));
}

#[test]
fn rectangles_with_six_neighbours_are_hexagons() {
    let drawn = |neighbours: &str| {
        let head = "#players = p(9)\n#pieces = e, s\n#variables =\n#board = rectangle(u,d,l,r,[e,e,e][e,s,e])\n";
        Table::new(&format!("{head}#rules = ->p ({neighbours}) [s] ->p {{}}")).picture()
    };
    let first = |text: &str| drawn(text).lines().take(3).map(str::to_owned).collect::<Vec<String>>();
    assert_eq!(first("u + u r + r + d + d l + l"), ["2 . . .", " 1 . s .", "    a b c"]);
    assert_eq!(first("u + (u l + r) + d + (d r + l)"), [" 2 . . .", "1 . s .", " a b c"], "the other diagonal");
    let squares = ["2 . . .", "1 . s .", "  a b c"];
    assert_eq!(first("u + r + d + l"), squares);
    assert_eq!(first("u + u r + r + d + d l + l + u l + d r"), squares, "all eight");
    assert_eq!(first("(u + u r + r + d + d l + l) (u l + d r)"), squares, "a choice between other neighbours");
    assert_eq!(first("u {e} + u r + r + d + d l + l"), squares, "not only neighbours");
}

#[test]
fn states_are_drawn() {
    let mut table = Table::new(RACE);
    table.play("c1");
    let hexagon = Table::new(
        "#players = p(9)\n#pieces = empty, stone\n#variables = v(3)\n
        #board = hexagon(nw,ne,e,se,sw,w,[empty,empty][empty,stone,empty][empty,empty])\n#rules = ->p e [stone] ->p {}",
    );
    let cuboid = Table::new(
        "#players = p(9)\n#pieces = a,b\n#variables =\n
        #board = cuboid(u,d,l,r,f,k,[[a,b][a,b]][[a,a][,b]])\n#rules = ->p r [a] ->p {}",
    );
    let list = Table::new(
        "#players = p(9)\n#pieces = a,b\n#variables =\n#board = s[a]{r:t} t[b]{}\n#rules = ->p r [a] ->p {}",
    );
    let pictures = [table, hexagon, cuboid, list].map(|table| table.picture()).join("\n");
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path("../../../snapshots/rbg");
    settings.set_prepend_module_to_snapshot(false);
    settings.bind(|| insta::assert_snapshot!("pictures", pictures));
}

/// Moves by which places exchange their pieces are called by the first place and the way round, or by where its piece goes in a row.
#[test]
fn rotations_are_named() {
    let head = "#players = p(9)\n#pieces = e, s, t\n#variables =\n";
    // What is on the first place, what is on the second one, and the way there and back.
    let exchange = "#put(mine; its; there; back) = {mine} there {its} back [its] there [mine]
        #with(mine; there; back) = (put(mine; e; there; back) + put(mine; s; there; back) + put(mine; t; there; back))
        #swap(there; back) = (with(e; there; back) + with(s; there; back) + with(t; there; back))\n";
    let short = |rest: &str| {
        let table = Table::new(&format!("{head}{exchange}{rest}"));
        let mut short = table.with_tags(|tags| table.notation.short_moves(tags, rg_ir::notation::Naming::Usual));
        short.sort();
        short
    };
    let board = "#board = rectangle(u,d,l,r,[e,s,e][s,t,e])\n";
    let square = "->p (swap(d; u) swap(r; l) swap(u; d) + swap(r; l) swap(d; u) swap(l; r)) ->p {}";
    assert_eq!(short(&format!("{board}#rules = {square}")), ["a2 clockwise", "a2 counterclockwise"]);
    let row = "->p (swap(r; l) swap(r; l) + d swap(r; l) swap(r; l)) ->p {}";
    assert_eq!(short(&format!("{board}#rules = {row}")), ["a1c1", "a2c2"], "a row has no way round");
    // One exchange is a move of its own.
    let single = short(&format!("{board}#rules = ->p (swap(r; l) + swap(d; u)) ->p {{}}"));
    assert!(!single.iter().any(|name| name.contains("clockwise")), "{single:?}");
}
