//! What the tests of the engines share: making reasoners from text, and comparing two of them.

#![allow(dead_code, reason = "not every test uses everything")]

use backend::{Engine, Error, ErrorKind, Limits, MoveForm, Moves, Options, PlayoutStats, Reasoner, Rng, State, Turn};
use rg_ir::{Game, Severity, SourceId, StateView};
use std::collections::{BTreeMap, HashMap};

/// The engines that search games as they are.
pub(crate) const ENGINES: [Engine; 2] = [Engine::Naive, Engine::Backtracking];

/// A number from the environment.
pub(crate) fn number(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|n| n.parse().ok()).unwrap_or(default)
}

/// The engines that run what can be lifted.
pub(crate) fn lifting() -> impl Iterator<Item = Engine> {
    let lifts = |name: &str| ["auto", "interpreter", "native"].contains(&name);
    Engine::ALL.iter().filter(move |(name, _)| lifts(name)).map(|(_, engine)| *engine)
}

/// Equal seeds give equal playouts, or errors of one kind after one play, in all engines that lift. Returns whether the
/// game is lifted, and the number of plays that came to an end.
pub(crate) fn equal_playouts(game: &Game, limits: Limits, plays: u64) -> Result<(bool, u64), String> {
    let made =
        |(engine, profile)| Reasoner::with_options(game, Options { engine, limits, profile, ..Options::default() });
    // Machine code also by what a play is like.
    let profiled = Engine::ALL.iter().filter(|(name, _)| *name == "native").map(|&(_, engine)| (engine, 1));
    let engines = lifting().map(|engine| (engine, 0)).chain(profiled);
    let reasoners: Vec<Reasoner> = engines.filter_map(|engine| made(engine).ok()).collect();
    equal_plays(&reasoners, plays)
}

/// As [`equal_playouts`], with reasoners of one game that list moves in one order.
pub(crate) fn equal_plays(reasoners: &[Reasoner], plays: u64) -> Result<(bool, u64), String> {
    let lifted = reasoners.iter().filter(|reasoner| reasoner.engine_name() != "backtracking").count();
    if lifted != 0 && lifted != reasoners.len() {
        return Err("an engine did not take what the other did".to_owned());
    }
    let mut ends = 0;
    for seed in 0..plays {
        let play = |reasoner: &Reasoner, form: MoveForm| {
            let mut stats = PlayoutStats::default();
            let played = reasoner.playout_in(form, &mut Rng::new(seed), &mut stats);
            played.map(|()| stats).map_err(|Error { kind, play, .. }| (kind, play))
        };
        let lists = reasoners.iter().map(|reasoner| play(reasoner, MoveForm::List));
        let mut results: Vec<Result<PlayoutStats, (ErrorKind, Vec<String>)>> = lists.collect();
        ends += results.iter().filter(|result| result.is_ok()).count() as u64;
        results.extend(reasoners.iter().map(|reasoner| play(reasoner, MoveForm::Sets)));
        if let Some(pair) = results.windows(2).find(|pair| pair[0] != pair[1]) {
            return Err(format!("playout {seed}: {:?}, {:?}", pair[0], pair[1]));
        }
    }
    Ok((lifted > 0, ends))
}

/// Equal seeds give equal playouts, or errors of one kind after one play, in two engines that list moves in one order.
pub(crate) fn same_order(game: &Game, one: Options, other: Options) -> Result<(), String> {
    let made = [one, other].map(|options| Reasoner::with_options(game, options).ok());
    let [Some(one), Some(other)] = made else { return Ok(()) };
    for seed in 0..4 {
        let played = [&one, &other].map(|reasoner| {
            let mut stats = PlayoutStats::default();
            let played = reasoner.playout(&mut Rng::new(seed), &mut stats);
            played.map(|()| stats).map_err(|Error { kind, play, .. }| (kind, play))
        });
        if played[0] != played[1] {
            return Err(format!("playout {seed}: {:?}, {:?}", played[0], played[1]));
        }
    }
    Ok(())
}

/// Parses a game that has no errors (warnings are fine); else says why not.
pub(crate) fn parse(text: &str) -> Result<Game, String> {
    let (game, diagnostics) = rg_ir::text::parse(SourceId(0), text);
    let game = game.ok_or_else(|| format!("{diagnostics:?}"))?;
    let errors: Vec<_> = rg_ir::check(&game).into_iter().filter(|d| d.severity == Severity::Error).collect();
    if errors.is_empty() { Ok(game) } else { Err(format!("{errors:?}")) }
}

/// A reasoner for a game given as text.
pub(crate) fn reasoner(text: &str, options: Options) -> Reasoner {
    let game = parse(text).unwrap_or_else(|e| panic!("{e}\n{text}"));
    Reasoner::with_options(&game, options).unwrap_or_else(|e| panic!("{e}\n{text}"))
}

/// A checked reasoner with the default limits.
pub(crate) fn checked(text: &str, engine: Engine) -> Reasoner {
    reasoner(text, Options { engine, checked: true, ..Options::default() })
}

/// The legal moves as texts, in the order of the buffer.
pub(crate) fn texts(reasoner: &Reasoner, moves: &Moves) -> Vec<String> {
    (0..moves.len()).map(|index| reasoner.move_text(moves, index)).collect()
}

/// The legal moves of a state as sorted texts.
pub(crate) fn legal(reasoner: &Reasoner, state: &State) -> Result<Vec<String>, Error> {
    let mut moves = Moves::new();
    reasoner.legal_moves(state, &mut moves)?;
    let mut texts = texts(reasoner, &moves);
    texts.sort();
    Ok(texts)
}

/// The state after the moves with these texts.
pub(crate) fn after(reasoner: &Reasoner, play: &[&str]) -> Result<State, Error> {
    let (mut state, mut moves) = (reasoner.initial()?, Moves::new());
    for name in play {
        reasoner.legal_moves(&state, &mut moves)?;
        let index = texts(reasoner, &moves).iter().position(|m| m == name);
        reasoner.apply(&mut state, &moves, index.unwrap_or_else(|| panic!("`{name}` is not legal")))?;
    }
    Ok(state)
}

/// Names of all cells: variable and keys.
pub(crate) fn cells(game: &Game) -> Vec<(String, Vec<String>)> {
    let mut all = Vec::new();
    for (_, decl) in game.vars.iter() {
        let mut rows = vec![Vec::new()];
        for key in game.shape(decl.ty).unwrap().keys {
            let members = game.types.members(key);
            let longer = |row: &Vec<String>| {
                let row = row.clone();
                members.iter().map(move |&m| [&row[..], &[game.name(m).to_string()]].concat()).collect::<Vec<_>>()
            };
            rows = rows.iter().flat_map(longer).collect();
        }
        all.extend(rows.into_iter().map(|row| (game.name(decl.name).to_string(), row)));
    }
    all
}

/// The values of all cells of a state.
pub(crate) fn values(reasoner: &Reasoner, state: &State, cells: &[(String, Vec<String>)]) -> Vec<Option<String>> {
    let view = reasoner.view(state);
    let get = |(name, keys): &(String, Vec<String>)| {
        let keys: Vec<&str> = keys.iter().map(String::as_str).collect();
        view.get(name, &keys).map(str::to_string)
    };
    cells.iter().map(get).collect()
}

/// What can be seen of a state: its cells and its node; who decides; the scores.
type Image = ((Vec<Option<String>>, String), Turn, String);

/// What a comparison came across.
#[derive(Default, Debug)]
pub(crate) struct Seen {
    pub(crate) states: u64,
    pub(crate) moves: u64,
    pub(crate) ends: u64,
    pub(crate) stuck: u64,
    pub(crate) ambiguous: u64,
    pub(crate) split: u64,
    pub(crate) choices: u64,
    pub(crate) invalid: u64,
    pub(crate) limits: u64,
    pub(crate) randoms: u64,
    pub(crate) hidden: u64,
    pub(crate) perfts: u64,
    /// The second engine does not check the keeper.
    unchecked: bool,
}

impl Seen {
    fn error(&mut self, error: &Error) {
        *match error.kind {
            ErrorKind::Stuck => &mut self.stuck,
            ErrorKind::Ambiguous => &mut self.ambiguous,
            ErrorKind::KeeperChoice => &mut self.choices,
            ErrorKind::Recursion | ErrorKind::Limit => &mut self.limits,
            ErrorKind::Invalid | ErrorKind::IllegalMove => &mut self.invalid,
        } += 1;
    }
}

/// Compares the results of two engines; `None` if at least one failed and nothing further can be compared.
///
/// The engines search in different orders and the fast ones leave out ways that lead nowhere, so what one meets
/// first need not be met by the other: a limit and a recursion (which backtracking finds by its depth) excuse a
/// difference. So does the keeper's freedom of choice if only the first engine is asked to look for it: `keeper` says
/// whether it is the keeper whose labels are ambiguous. All other errors are properties of the game.
fn both<T>(
    what: &str,
    seen: &mut Seen,
    keeper: bool,
    a: Result<T, Error>,
    b: Result<T, Error>,
) -> Result<Option<(T, T)>, String> {
    let excused = |e: &Error| matches!(e.kind, ErrorKind::Limit | ErrorKind::Recursion);
    let free = |e: &Error| e.kind == ErrorKind::KeeperChoice || keeper && e.kind == ErrorKind::Ambiguous;
    match (a, b) {
        (Err(e), _) if seen.unchecked && free(&e) => {
            seen.error(&e);
            Ok(None)
        }
        (Ok(a), Ok(b)) => Ok(Some((a, b))),
        (Err(e), _) | (_, Err(e)) if excused(&e) => {
            seen.error(&e);
            Ok(None)
        }
        (_, Err(e)) if excused(&e) => Ok(None),
        (Err(a), Err(b)) if a.kind == b.kind && (a.kind != ErrorKind::Stuck || a.node == b.node) => {
            seen.error(&a);
            Ok(None)
        }
        (a, b) => Err(format!("{what}: the first engine says {:?}, the second {:?}", a.err(), b.err())),
    }
}

/// What every move of a state leads to. Equal states must have equal images; the opposite need not be, since spare entries
/// of maps are no cells.
fn images(
    reasoner: &Reasoner,
    state: &State,
    moves: &Moves,
    cells: &[(String, Vec<String>)],
) -> Result<BTreeMap<String, Result<Image, Error>>, String> {
    let mut seen: HashMap<State, Image> = HashMap::new();
    let mut images = BTreeMap::new();
    for (index, text) in texts(reasoner, moves).into_iter().enumerate() {
        let mut next = state.clone();
        let image = reasoner.apply(&mut next, moves, index).map(|()| {
            let image = (values(reasoner, &next, cells), reasoner.node_name(&next).to_string());
            (image, reasoner.turn(&next), reasoner.scores(&next).join(" "))
        });
        if image.as_ref().is_err_and(|error| error.kind == ErrorKind::IllegalMove) {
            return Err(format!("{} refuses the legal move `{text}`: {image:?}", reasoner.engine_name()));
        }
        if let Ok(image) = &image
            && seen.insert(next, image.clone()).is_some_and(|other| other != *image)
        {
            return Err(format!("{}: equal states differ: {image:?}", reasoner.engine_name()));
        }
        images.insert(text, image);
    }
    Ok(images)
}

/// Whether a play ends in an error of the same kind in this engine.
fn fails_likewise(reasoner: &Reasoner, error: &Error) -> bool {
    let same = |found: &Error| found.kind == error.kind;
    // A play may name a label with several outcomes without saying which one it is.
    let named = |text: &str, name: &str| {
        text.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.trim_start().starts_with('#'))
    };
    let Ok(start) = reasoner.initial() else { return false };
    let (mut states, mut moves) = (vec![start], Moves::new());
    for name in &error.play {
        let mut next = Vec::new();
        for state in &states {
            if let Err(found) = reasoner.legal_moves(state, &mut moves) {
                return same(&found);
            }
            let texts = texts(reasoner, &moves);
            for index in (0..texts.len()).filter(|&index| texts.get(index).is_some_and(|text| named(text, name))) {
                let mut state = state.clone();
                match reasoner.apply(&mut state, &moves, index) {
                    Ok(()) => next.push(state),
                    Err(found) if same(&found) => return true,
                    Err(_) => {}
                }
            }
        }
        states = next;
    }
    states.iter().any(|state| reasoner.legal_moves(state, &mut moves).is_err_and(|found| same(&found)))
}

/// Whether it is the keeper who meets an error: the last move of its play is legal, but cannot be made.
fn is_of_keeper(reasoner: &Reasoner, error: &Error) -> bool {
    let (Ok(mut state), mut moves) = (reasoner.initial(), Moves::new()) else { return true };
    for name in &error.play {
        if reasoner.legal_moves(&state, &mut moves).is_err() {
            return false;
        }
        let Some(index) = texts(reasoner, &moves).iter().position(|text| text == name) else { return false };
        if reasoner.apply(&mut state, &moves, index).is_err() {
            return true;
        }
    }
    false
}

/// Compares the engines that search, with the same options: `Err` says where they differ.
pub(crate) fn compare(game: &Game, options: Options, plays: u64, plies: usize, depth: u32) -> Result<Seen, String> {
    compare_two(game, ENGINES.map(|engine| Options { engine, ..options }), plays, plies, depth)
}

/// Compares two engines along random plays and by perft: `Err` says where they differ.
pub(crate) fn compare_two(
    game: &Game,
    options: [Options; 2],
    plays: u64,
    plies: usize,
    depth: u32,
) -> Result<Seen, String> {
    let [first, second] = options;
    let mut seen = Seen { unchecked: first.checked && !second.checked, ..Seen::default() };
    let make = |options| Reasoner::with_options(game, options);
    match both("lowering", &mut seen, false, make(first), make(second))? {
        Some((slow, fast)) => compare_made(game, [&slow, &fast], seen, plays, plies, depth),
        None => Ok(seen),
    }
}

/// As [`compare_two`], with reasoners of the game.
#[allow(clippy::too_many_lines)] // one comparison after the other
pub(crate) fn compare_made(
    game: &Game,
    [slow, fast]: [&Reasoner; 2],
    mut seen: Seen,
    plays: u64,
    plies: usize,
    depth: u32,
) -> Result<Seen, String> {
    let names = [slow.engine_name(), fast.engine_name()];
    let Some((of_slow, of_fast)) = both("the start", &mut seen, true, slow.initial(), fast.initial())? else {
        return Ok(seen);
    };
    // Two walks with the same tags may differ in who saw them; then either is right.
    let visible = game.symbols.get("visible").map(|s| format!("{s:?}"));
    let masks = visible.is_some() && !rg_ir::text::print(game).lines().any(|l| l.contains(": visible"));
    let cells = cells(game);
    for seed in 0..plays {
        let mut rng = Rng::new(seed);
        let (mut a, mut b) = (of_slow.clone(), of_fast.clone());
        let (mut moves_a, mut moves_b) = (Moves::new(), Moves::new());
        let mut play: Vec<String> = Vec::new();
        for _ in 0..plies {
            let at = format!("after {play:?}");
            let differ = |what: &str, a: &dyn std::fmt::Debug, b: &dyn std::fmt::Debug| {
                Err(format!("{at}: {what}: {} {a:?}, {} {b:?}", names[0], names[1]))
            };
            seen.states += 1;
            let ((turn_a, turn_b), (node_a, node_b)) =
                ((slow.turn(&a), fast.turn(&b)), (slow.node_name(&a), fast.node_name(&b)));
            if turn_a != turn_b || node_a != node_b {
                return differ("the state", &(turn_a, node_a), &(turn_b, node_b));
            }
            let (values_a, values_b) = (values(slow, &a, &cells), values(fast, &b, &cells));
            if values_a != values_b || values_a.contains(&None) {
                let wrong =
                    cells.iter().zip(values_a.iter().zip(&values_b)).filter(|(_, (a, b))| a != b || a.is_none());
                return differ("the cells", &wrong.collect::<Vec<_>>(), &"");
            }
            if slow.scores(&a) != fast.scores(&b) {
                return differ("the scores", &slow.scores(&a), &fast.scores(&b));
            }
            seen.randoms += u64::from(turn_a == Turn::Random);
            let results = (slow.legal_moves(&a, &mut moves_a), fast.legal_moves(&b, &mut moves_b));
            if both(&at, &mut seen, false, results.0, results.1)?.is_none() {
                break;
            }
            if turn_a == Turn::End {
                seen.ends += 1;
                break;
            }
            let (texts_a, texts_b) = (texts(slow, &moves_a), texts(fast, &moves_b));
            seen.split += u64::from((0..moves_a.len()).any(|index| moves_a.outcome(index) > 0));
            let (mut sorted_a, mut sorted_b) = (texts_a.clone(), texts_b.clone());
            sorted_a.sort();
            sorted_b.sort();
            if sorted_a != sorted_b {
                return differ("the moves", &sorted_a, &sorted_b);
            }
            if sorted_a.windows(2).any(|pair| pair[0] == pair[1]) {
                return differ("a move twice", &sorted_a, &sorted_b);
            }
            seen.moves += texts_a.len() as u64;
            let index = rng.below(texts_a.len() as u32) as usize;
            let other = texts_b.iter().position(|m| *m == texts_a[index]).unwrap();
            // Every move can be made, and leads to equal states in both engines.
            let images_a = images(slow, &a, &moves_a, &cells)?;
            let images_b = images(fast, &b, &moves_b, &cells)?;
            for ((text, a), b) in images_a.into_iter().zip(images_b.into_values()) {
                if let Some((a, b)) = both(&format!("{at}, at the end of `{text}`"), &mut seen, true, a, b)?
                    && a != b
                {
                    return differ(&format!("the state after `{text}`"), &a, &b);
                }
            }
            let (mut log_a, mut log_b) = (Vec::new(), Vec::new());
            let results = (
                slow.apply_logged(&mut a, &moves_a, index, &mut log_a),
                fast.apply_logged(&mut b, &moves_b, other, &mut log_b),
            );
            play.push(texts_a[index].clone());
            if both(&format!("at the end of {play:?}"), &mut seen, true, results.0, results.1)?.is_none() {
                break;
            }
            for player in 0..slow.players().len() {
                let told = |log: &[backend::Event]| log.iter().map(|e| e.observed_by(player)).collect::<Vec<_>>();
                if masks && told(&log_a) != told(&log_b) {
                    return differ("what is told", &log_a, &log_b);
                }
                seen.hidden += u64::from(log_a.iter().any(|e| e.observed_by(player).len() < e.tags.len()));
            }
        }
    }
    for depth in 0..=depth {
        let results = (slow.perft(&of_slow, depth), fast.perft(&of_fast, depth));
        let keeper = results.0.as_ref().is_err_and(|error| is_of_keeper(slow, error));
        if let (Err(a), Err(b)) = &results
            && a.play != b.play
            && fails_likewise(fast, a)
            && fails_likewise(slow, b)
        {
            // Of several plays with errors, each engine names the one that it comes to first.
            seen.error(a);
            break;
        }
        let Some((a, b)) = both(&format!("perft {depth}"), &mut seen, keeper, results.0, results.1)? else { break };
        if a != b {
            return Err(format!("perft {depth}: {} {a}, {} {b}", names[0], names[1]));
        }
        seen.perfts += 1;
    }
    Ok(seen)
}
