//! Near misses, chance and hidden information, and playouts from any state.

use backend::why::{Condition, Crossed, Effort, Misses, Route, Unable, near_misses, route, unable};
use backend::{Ambiguity, Engine, MoveForm, Moves, Options, PlayoutStats, Reasoner, Rng};
use rg_ir::{Game, Label, SourceId, StateView};

fn game(text: &str) -> Game {
    let (game, findings) = rg_ir::text::parse(SourceId(0), text);
    game.unwrap_or_else(|| panic!("{findings:?}"))
}

fn bundled(name: &str) -> Game {
    let path = format!("{}/../../games/rg/{name}.rg", env!("CARGO_MANIFEST_DIR"));
    game(&std::fs::read_to_string(path).unwrap())
}

#[test]
fn a_marked_cell_is_a_near_miss_in_every_engine() {
    let game = bundled("ticTacToe");
    for (name, engine) in Engine::ALL {
        let reasoner = Reasoner::new(&game, *engine).unwrap();
        let (mut state, mut moves) = (reasoner.initial().unwrap(), Moves::new());
        reasoner.legal_moves(&state, &mut moves).unwrap();
        let b2 = (0..moves.len()).find(|&index| reasoner.move_text(&moves, index) == "b2").unwrap();
        reasoner.apply(&mut state, &moves, b2).unwrap();
        let effort = Effort { conditions: 1, behind: 0, steps: 100_000, stop: None };
        let Misses { found: near, is_cut: cut, .. } =
            near_misses(&game, &reasoner.image(&state), effort, |_| true).unwrap();
        assert!(!cut && near.len() == 1, "{name}: {near:?}");
        assert_eq!(near[0].tags, ["b2"]);
        let condition = &near[0].conditions[0];
        assert_eq!(condition.values, Some(("x".to_owned(), "empty".to_owned())), "{name}");
        assert!(matches!(game.automaton.edge(condition.edge).label, Label::Compare { negated: false, .. }));
        let Misses { found: unwanted, .. } =
            near_misses(&game, &reasoner.image(&state), effort, |tags| tags == ["a1"]).unwrap();
        assert!(unwanted.is_empty());
        let Misses { is_cut: cut, .. } =
            near_misses(&game, &reasoner.image(&state), Effort { steps: 3, ..effort }, |_| true).unwrap();
        assert!(cut, "{name}");
    }
}

/// Conditions that stand side by side, or on ways that come to the same point, are named with each other: also where they are not alone.
#[test]
fn conditions_have_alternatives() {
    let text = "
        type Player = { a };  type Score = { 0, 1 };  type Door = { shut, open, gone, locked };
        var door: Door = shut;  var gate: Door = shut;
        begin, room: player = a;
        room, hall: door == open;
        room, hall: door == gone;
        hall, aside: gate == locked;
        aside, yard:;
        hall, yard: gate == open;
        yard, told: $ go;
        told, end: player = keeper;
        room, stay: $ stay;
        stay, end: player = keeper;
    ";
    let game = game(text);
    let reasoner = Reasoner::new(&game, Engine::Auto).unwrap();
    let image = reasoner.image(&reasoner.initial().unwrap());
    let effort = Effort { conditions: 2, behind: 0, steps: 10_000, stop: None };
    let Misses { found, .. } = near_misses(&game, &image, effort, |_| true).unwrap();
    let [miss] = found.as_slice() else { panic!("{found:?}") };
    let wanted = |condition: &Condition| condition.values.as_ref().unwrap().1.clone();
    let all = miss.conditions.iter().map(|one| {
        let mut all: Vec<String> = std::iter::once(one).chain(&one.instead).map(wanted).collect();
        all.sort_unstable();
        all
    });
    assert_eq!(all.collect::<Vec<_>>(), [["gone", "open"], ["locked", "open"]]);
}

#[test]
fn checks_and_endless_walks_are_near_misses_too() {
    let text = "
        type Player = { a };  type Score = { 0, 1 };  type Door = { shut, open };
        var door: Door = shut;
        begin, room: player = a;
        room, through: ? try -> passed;
        through, told: $ go;
        told, end: player = keeper;
        room, stay: $ stay;
        stay, end: player = keeper;
        room, loop: door == open;
        loop, room: $ again;
        try, passed: door == open;
    ";
    let game = game(text);
    let reasoner = Reasoner::new(&game, Engine::Auto).unwrap();
    let state = reasoner.initial().unwrap();
    let effort = Effort { conditions: 2, behind: 0, steps: 10_000, stop: None };
    let Misses { found: near, .. } = near_misses(&game, &reasoner.image(&state), effort, |_| true).unwrap();
    let found: Vec<(String, usize)> = near.iter().map(|miss| (miss.tags.join(" "), miss.conditions.len())).collect();
    let wanted = [("go", 1), ("again stay", 1), ("again again stay", 2), ("again go", 2)];
    assert_eq!(found.len(), wanted.len(), "{found:?}");
    assert!(wanted.iter().all(|&(tags, count)| found.contains(&(tags.to_owned(), count))), "{found:?}");
}

#[test]
fn chance_and_hidden_information_are_known() {
    for (name, chance, hidden) in
        [("ticTacToe", false, false), ("kuhnPoker", true, true), ("matchingPennies", false, true)]
    {
        let reasoner = Reasoner::new(&bundled(name), Engine::Auto).unwrap();
        assert_eq!((reasoner.has_chance(), reasoner.hides()), (chance, hidden), "{name}");
    }
}

/// Many playouts at once are the same plays as one after the other.
#[test]
fn many_playouts() {
    for (name, plays) in [("ticTacToe", 700), ("kuhnPoker", 40)] {
        let game = bundled(name);
        for (_, engine) in &Engine::ALL[..4] {
            let reasoner = Reasoner::new(&game, *engine).unwrap();
            for form in [MoveForm::List, MoveForm::Sets] {
                let [(mut one, mut first), (mut many, mut second)] =
                    [0; 2].map(|_| (PlayoutStats::default(), Rng::new(6)));
                (0..plays).for_each(|_| reasoner.playout_in(form, &mut first, &mut one).unwrap());
                reasoner.playouts(plays, form, &mut second, &mut many).unwrap();
                assert_eq!((many, second.next_u64()), (one, first.next_u64()), "{name} {engine:?} {form:?}");
            }
        }
    }
}

#[test]
fn playouts_from_any_state() {
    let game = bundled("ticTacToe");
    for (name, engine) in Engine::ALL {
        let reasoner = Reasoner::new(&game, *engine).unwrap();
        let (mut state, mut moves) = (reasoner.initial().unwrap(), Moves::new());
        for wanted in ["a1", "b1", "a2", "b2"] {
            reasoner.legal_moves(&state, &mut moves).unwrap();
            let index = (0..moves.len()).find(|&index| reasoner.move_text(&moves, index) == wanted).unwrap();
            reasoner.apply(&mut state, &moves, index).unwrap();
        }
        let (mut stats, mut rng) = (PlayoutStats::default(), Rng::new(1));
        for _ in 0..50 {
            let before = stats.plies;
            reasoner.playout_from(&state, &mut rng, &mut stats).unwrap();
            assert!((1..=5).contains(&(stats.plies - before)), "{name}");
            let last: Vec<&str> =
                stats.last.iter().map(|&rank| reasoner.score_names()[rank as usize].as_str()).collect();
            assert!([["100", "0"], ["0", "100"], ["50", "50"]].iter().any(|scores| *scores == last[..]), "{last:?}");
        }
        assert_eq!(stats.plays, 50);
    }
}

/// Where nothing but the beginning of a move is missing, the walk that comes furthest names the condition that stops it; a search that
/// is stopped finds nothing more.
#[test]
fn walks_that_can_begin() {
    let game = bundled("breakthrough");
    let reasoner = Reasoner::new(&game, Engine::Auto).unwrap();
    let state = reasoner.initial().unwrap();
    let effort = Effort { conditions: 1, behind: 1, steps: 100_000, stop: None };
    let misses = near_misses(&game, &reasoner.image(&state), effort, |_| true).unwrap();
    assert!(misses.found.iter().flat_map(|miss| &miss.conditions).all(|condition| condition.after > 0));
    assert!(misses.furthest.is_some_and(|miss| !miss.tags.is_empty() && miss.conditions.len() == 1));
    let stop = std::sync::atomic::AtomicBool::new(true);
    let misses = near_misses(&game, &reasoner.image(&state), Effort { stop: Some(&stop), ..effort }, |_| true).unwrap();
    assert!(misses.is_cut && misses.found.is_empty());
}

/// What a move crosses leads from its beginning to its end, and shows its tags.
#[test]
fn a_move_has_a_route() {
    for name in ["ticTacToe", "race"] {
        let game = bundled(name);
        let reasoner = Reasoner::new(&game, Engine::Backtracking).unwrap();
        let (mut state, mut moves) = (reasoner.initial().unwrap(), Moves::new());
        for _ in 0..3 {
            reasoner.legal_moves(&state, &mut moves).unwrap();
            for index in 0..moves.len() {
                let tags: Vec<&str> = moves.tags(index).iter().map(|&tag| reasoner.tag_name(tag)).collect();
                let mut behind = state.clone();
                reasoner.apply(&mut behind, &moves, index).unwrap();
                let images = (reasoner.image(&state), reasoner.image(&behind));
                let route = route(&game, (&images.0, &images.1), &tags, 100_000).unwrap().unwrap();
                let edges: Vec<_> = route.made.iter().map(|crossed| game.automaton.edge(crossed.edge)).collect();
                assert_eq!(game.node_name(edges[0].source), reasoner.node_name(&state), "{name}");
                assert!(edges.windows(2).all(|pair| pair[0].target == pair[1].source), "{name}");
                let count = edges.iter().filter(|edge| matches!(edge.label, Label::Tag(_) | Label::TagVar(_))).count();
                assert_eq!(count, tags.len(), "{name}");
                let (last, before) = edges.split_last().unwrap();
                assert!(game.ends_move(&last.label) && !before.iter().any(|edge| game.ends_move(&edge.label)));
            }
            reasoner.apply(&mut state, &moves, 0).unwrap();
        }
        let image = reasoner.image(&state);
        assert_eq!(route(&game, (&image, &image), &["nonsense"], 100_000).unwrap(), None);
    }
}

/// Of several moves with equal tags, the one is told that was made; of a state to which none of them leads, none.
#[test]
fn a_route_is_that_of_the_very_move() {
    let text = "
        type Player = { a, b };  type Score = { 0, 1 };  type Cell = { left, middle, right };
        var here: Cell = middle;  var tally: Cell = middle;
        begin, turn: player = a;
        turn, short: here = left;
        turn, long: ;
        long, longer: ;
        longer, far: here = right;
        short, shown: $ go;
        far, shown: $ go;
        shown, judge: player = keeper;
        judge, kept: tally = here;
        kept, again: player = b;
        again, same: here == tally;
        same, won: tally == left;
        won, over: goals[a] = 1;
        over, end: player = keeper;
        again, end: player = keeper;
    ";
    let game = game(text);
    let ambiguity = Ambiguity::Split;
    let options = Options { engine: Engine::Backtracking, ambiguity, keep_dead: true, ..Options::default() };
    let reasoner = Reasoner::with_options(&game, options).unwrap();
    let (state, mut moves) = (reasoner.initial().unwrap(), Moves::new());
    reasoner.legal_moves(&state, &mut moves).unwrap();
    assert_eq!(moves.len(), 2);
    let image = reasoner.image(&state);
    let mut starts = Vec::new();
    for index in 0..moves.len() {
        let mut behind = state.clone();
        reasoner.apply(&mut behind, &moves, index).unwrap();
        let behind = reasoner.image(&behind);
        let Route { made, answers } = route(&game, (&image, &behind), &["go"], 1_000).unwrap().unwrap();
        let reads = answers.iter().flat_map(|crossed| &crossed.reads).map(|(_, value)| value.as_str());
        let start = game.node_name(game.automaton.edge(made[0].edge).target).to_owned();
        assert!(reads.clone().all(|value| value == if start == "short" { "left" } else { "right" }));
        assert!(reads.count() > 0, "the keeper reads what the move has written");
        starts.push(start);
    }
    starts.sort();
    assert_eq!(starts, ["long", "short"]);
    assert_eq!(route(&game, (&image, &image), &["go"], 1_000).unwrap(), None);
}

/// Outcomes of one label are told apart also where they leave values that are not read any more, which engines put back.
#[test]
fn a_route_is_told_by_what_can_still_be_read() {
    let text = "
        type Player = { a, b };  type Score = { 0, 1 };  type Cell = { left, middle, right };
        var here: Cell = middle;  var way: Cell = middle;
        begin, turn: player = a;
        turn, short: here = left;
        turn, long: ;
        long, far: here = right;
        short, shown: way = left;
        far, shown: way = right;
        shown, told: way != middle;
        told, gone: $ go;
        gone, next: player = b;
        next, won: here == left;
        next, lost: here == right;
        won, over: $ won;
        lost, over: $ lost;
        over, end: player = keeper;
    ";
    let game = game(text);
    let options = Options { engine: Engine::Backtracking, ambiguity: Ambiguity::Split, ..Options::default() };
    let reasoner = Reasoner::with_options(&game, options).unwrap();
    let (state, mut moves) = (reasoner.initial().unwrap(), Moves::new());
    reasoner.legal_moves(&state, &mut moves).unwrap();
    assert_eq!(moves.len(), 2);
    let start = |index: usize| {
        let mut behind = state.clone();
        reasoner.apply(&mut behind, &moves, index).unwrap();
        assert_eq!(reasoner.view(&behind).get("way", &[]), Some("middle"), "it is dead");
        let images = (&*reasoner.image(&state), &*reasoner.image(&behind));
        let Route { made, .. } = route(&game, images, &["go"], 1_000).unwrap().unwrap();
        game.node_name(game.automaton.edge(made[0].edge).target).to_owned()
    };
    let mut starts = [start(0), start(1)];
    starts.sort();
    assert_eq!(starts, ["long", "short"]);
}

/// Behind a move, the walk goes on through what the keeper does, with what each edge reads there.
#[test]
fn a_route_leads_through_the_answers_of_the_keeper() {
    let text = "
        type Player = { a, b };  type Score = { 0, 1 };  type Cell = { left, right };
        var here: Cell = left;  var me: Player = a;  var at: Player -> Cell = { :left };
        begin, turn: player = a;
        turn, chosen: here = Cell(*);
        chosen, shown: $$ here;
        shown, kept: at[me] = here;
        kept, judge: player = keeper;
        judge, won: at[a] == right;
        won, over: goals[a] = 1;
        over, end: player = keeper;
        judge, next: at[a] != right;
        next, tally: player = keeper;
        tally, again: here = at[a];
        again, turn: player = b;
    ";
    let game = game(text);
    let reasoner = Reasoner::new(&game, Engine::Backtracking).unwrap();
    let image = reasoner.image(&reasoner.initial().unwrap());
    // A state that is none behind the only move with these tags: it is that one nevertheless.
    let walk = |tag: &str| route(&game, (&image, &image), &[tag], 1_000).unwrap().unwrap();
    let nodes = |all: &[Crossed]| -> Vec<String> {
        all.iter().map(|crossed| game.node_name(game.automaton.edge(crossed.edge).target).to_owned()).collect()
    };
    let reads = |all: &[Crossed], at: usize| -> Vec<String> {
        let text = |(expr, value): &(_, String)| format!("{} {value}", rg_ir::text::print_expr(&game, *expr));
        all[at].reads.iter().map(text).collect()
    };
    let Route { made, answers } = walk("right");
    assert_eq!(nodes(&made), ["chosen", "shown", "kept", "judge"]);
    assert_eq!(reads(&made, 0), ["here right"], "the value that was chosen");
    assert_eq!(reads(&made, 2), ["here right", "me a"], "what is written, and where");
    assert_eq!(nodes(&answers), ["won", "over", "end"]);
    assert_eq!(reads(&answers, 0), ["at[a] right"]);
    // Two moves of the keeper one behind the other, up to the next player.
    assert_eq!(nodes(&walk("left").answers), ["next", "tally", "again", "turn"]);
    // What cannot be walked to the end is told as far as it goes.
    assert_eq!(
        nodes(&route(&game, (&image, &image), &["right"], 7).unwrap().unwrap().made),
        ["chosen", "shown", "kept", "judge"]
    );
}

/// Who would be to move and has no move is known where the rules end the game because of that: by a check for a way that there is none, also inside of others. Not
/// where they end it by something else, be it that the same player has none then.
#[test]
fn who_is_unable_to_move_is_found_out() {
    let ends = |judge: &str| {
        let text = format!(
            "type Player = {{ a, b }};  type Score = {{ 0, 1 }};  type Door = {{ shut, open }};
            var door: Door = open;
            begin, turn: player = a;
            turn, shut: $ close;
            shut, closed: door = shut;
            closed, judge: player = keeper;
            turn, left: $ leave;
            left, judge: player = keeper;
            {judge}
            won, over: goals[a] = 1;
            over, end: player = keeper;
            next, through: player = b;
            through, passed: door == open;
            passed, gone: $ go;
            gone, end: player = keeper;
            try, tried: door == open;
            stuck, found: ! try -> tried;
            seen, found: ;
            seen, found: ! try -> tried;"
        );
        let game = game(&text);
        let options = Options { engine: Engine::Backtracking, keep_dead: true, ..Options::default() };
        let reasoner = Reasoner::with_options(&game, options).unwrap();
        let (mut state, mut moves) = (reasoner.initial().unwrap(), Moves::new());
        let before = reasoner.image(&state);
        reasoner.legal_moves(&state, &mut moves).unwrap();
        let close = (0..moves.len()).find(|&index| reasoner.move_text(&moves, index) == "close").unwrap();
        reasoner.apply(&mut state, &moves, close).unwrap();
        let behind = reasoner.image(&state);
        let found = unable(&game, (&before, &behind), &["close"], 10_000).unwrap();
        let effort = Effort { conditions: 1, behind: 0, steps: 10_000, stop: None };
        found.map(|Unable { player, image }| {
            let misses = near_misses(&game, &image, effort, |_| true).unwrap();
            (player, misses.found.into_iter().map(|miss| miss.tags.concat()).collect::<Vec<_>>())
        })
    };
    let told = Some(("b".to_owned(), vec!["go".to_owned()]));
    assert_eq!(ends("judge, won: ! try -> tried;  judge, next: ? try -> tried;"), told);
    assert_eq!(ends("judge, won: ? stuck -> found;  judge, next: ! stuck -> found;"), told, "a check in a check");
    // It holds without that, too.
    assert_eq!(ends("judge, won: ? seen -> found;  judge, next: ! seen -> found;"), None);
    assert_eq!(ends("judge, won: door == shut;  judge, next: door == open;"), None, "no check");
}
