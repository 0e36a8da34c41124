//! From a description to a game in HRG: what is needed, and the graphs.

use super::board::Player;
use super::description::Description;
use super::rules::{AtLimit, Capture, Chain, Counted, Flying, Limit, Promotion, Rules, Stuck, Unit};
use super::{prose, tables};
use rg_ir::{Diagnostic, SourceId, Span};

/// What the text of a game needs, depending on its rules.
pub(super) struct Game<'d> {
    pub(super) description: &'d Description,
    /// Whether there are kings; without them a piece is called like its player.
    pub(super) kings: bool,
    /// Whether some pieces do not step in all directions.
    pub(super) restricts_steps: bool,
    /// Whether some pieces do not jump in all directions.
    pub(super) restricts_jumps: bool,
    out: String,
}

impl Game<'_> {
    pub(super) fn rules(&self) -> &Rules {
        &self.description.rules
    }

    /// Adds lines. What stands in braces need not be indented.
    pub(super) fn add(&mut self, text: &str) {
        self.out.push_str(text);
        self.out.push('\n');
    }

    pub(super) fn is_longest(&self) -> bool {
        self.rules().capture == Capture::Longest
    }

    pub(super) fn limit_by_majority(&self) -> bool {
        self.rules().limit.is_some_and(|limit| limit.result == AtLimit::Majority)
    }

    /// What the tables of directions are asked with: the piece that moves.
    fn mover(&self) -> &'static str {
        if self.kings { "piece" } else { "me" }
    }
}

impl Description {
    /// The game in HRG: formatted, with comments. A move is called by the point it begins at, `step` or `jump`, and its directions,
    /// with the points it leads to if pieces fly.
    ///
    /// # Errors
    /// Why board and rules do not go together ([`Description::check`]).
    pub fn hrg(&self) -> Result<String, Vec<Diagnostic>> {
        self.check()?;
        let Self { rules, board, .. } = self;
        let mut game = Game {
            description: self,
            kings: rules.has_kings(board),
            restricts_steps: rules.restricts(&rules.steps, board),
            restricts_jumps: rules.restricts(&rules.jumps, board),
            out: String::new(),
        };
        let heading = prose::heading(&game);
        game.add(&heading);
        tables::write(&mut game);
        lift(&mut game);
        step(&mut game);
        jump(&mut game);
        conditions(&mut game);
        jumps(&mut game);
        turn(&mut game);
        limit(&mut game);
        loop_of_turns(&mut game);
        // Spans into the generated text mean nothing to whoever wrote the description.
        let unplaced = |finding: Diagnostic| Diagnostic { primary: None, secondary: Vec::new(), ..finding };
        let formatted = hrg::format(SourceId(Span::NONE.source.0), &game.out);
        formatted.map_err(|findings| findings.into_iter().map(unplaced).collect())
    }
}

/// The choice of a piece.
fn lift(game: &mut Game<'_>) {
    game.add("// A piece of the player in turn is taken up.\ngraph lift() {\npoint = Point(*)");
    game.add(if game.kings { "piece = board[point]\ncheck(owner[piece] == me)" } else { "check(board[point] == me)" });
    game.add("$$ point\nboard[point] = empty\n}\n");
}

/// A part of a graph that only flying pieces go through.
fn if_flying(game: &mut Game<'_>, text: &str) {
    match game.rules().flying {
        Flying::None => {}
        Flying::All => game.add(text),
        Flying::Kings => {
            game.add("if isKing[piece] == 1 {");
            game.add(text);
            game.add("}");
        }
    }
}

/// The name of the rest of a move.
fn tag(game: &mut Game<'_>) {
    game.add("$ direction");
    if game.rules().flying != Flying::None {
        game.add("$$ point");
    }
}

/// Further along a line of free points, or not.
const ONWARDS: &str = "\
loop {
branch { break() } or {
point = next[direction][point]
check(board[point] == empty)
}
}";

fn step(game: &mut Game<'_>) {
    game.add("// It moves to a free point.\ngraph step() {\nbranch direction in Direction {");
    if game.restricts_steps {
        let mover = game.mover();
        game.add(&format!("check(mayStep[{mover}][direction] == 1)"));
    }
    game.add("point = next[direction][point]\ncheck(board[point] == empty)");
    if_flying(game, ONWARDS);
    tag(game);
    game.add("}\n}\n");
}

fn jump(game: &mut Game<'_>) {
    game.add("// It jumps over a piece of the opponent to a free point behind it, and captures it.\ngraph jump() {\nbranch direction in Direction {");
    if game.restricts_jumps {
        let mover = game.mover();
        game.add(&format!("check(mayJump[{mover}][direction] == 1)"));
    }
    game.add("over = next[direction][point]");
    if_flying(game, "while board[over] == empty { over = next[direction][over] }");
    let theirs = if game.kings { "owner[board[over]]" } else { "board[over]" };
    game.add(&format!("check({theirs} == opponent[me])"));
    game.add("point = next[direction][over]\ncheck(board[point] == empty)");
    if_flying(game, ONWARDS);
    game.add("board[over] = empty");
    if game.limit_by_majority() {
        game.add("pieces[opponent[me]] = fewer[pieces[opponent[me]]]");
    }
    tag(game);
    game.add("}\n}\n");
}

/// What is asked before a turn.
fn conditions(game: &mut Game<'_>) {
    game.add("graph canStep() {\nlift()\nstep()\n}\n\ngraph canJump() {\nlift()\njump()\n}\n");
    if game.is_longest() {
        game.add("// More than `left` jumps in a row.\ngraph series() {\nloop {\njump()");
        game.add("if left == N(0) { break() }\nleft = fewer[left]\n}\n}\n");
        game.add(
            "// A series that is longer than any found so far.\ngraph longer() {\nlift()\nleft = most\nseries()\n}\n",
        );
    }
}

/// The jumps of a turn, from the first one on.
fn jumps(game: &mut Game<'_>) {
    let rules = game.rules();
    let (chain, unit, longest) = (rules.chain, rules.unit, game.is_longest());
    if chain == Chain::None {
        return;
    }
    let comment = match (longest, chain) {
        (true, _) => "// Jumps until as many pieces are captured as can be.",
        (_, Chain::Forced) => "// Jumps as long as there are pieces to capture.",
        _ => "// One jump or several.",
    };
    game.add(&format!("{comment}\ngraph jumps() {{\nloop {{\njump()"));
    if longest {
        game.add("most = fewer[most]\nif most == N(0) { break() }");
        if unit == Unit::Jump {
            game.add("left = fewer[most]\ncheck(reachable(series()))");
        }
    } else if chain == Chain::Forced || unit == Unit::Jump {
        game.add("if not(reachable(jump())) { break() }");
    }
    match (chain, unit) {
        (Chain::Optional, Unit::Turn) => game.add("branch { break() } or { }"),
        (Chain::Optional, Unit::Jump) => game.add("branch { break() } or { $ more }"),
        _ => {}
    }
    if unit == Unit::Jump {
        let piece = game.mover();
        game.add(&format!("board[point] = {piece}\n// The next jump is a move of its own.\nplayer = me"));
        game.add("$$ point\n$ jump\nboard[point] = empty");
    }
    game.add("}\n}\n");
}

/// A turn.
fn turn(game: &mut Game<'_>) {
    let rules = game.rules();
    let (capture, counted) = (rules.capture, rules.limit.map(|limit| limit.counted));
    let quiet = counted == Some(Counted::Quiet);
    let chain = if rules.chain == Chain::None { "jump()" } else { "jumps()" };
    let step = format!("$ step\nstep(){}", if quiet { "\nturns = later[turns]" } else { "" });
    let jump = format!("$ jump\n{chain}{}", if quiet { "\nturns = T(0)" } else { "" });
    game.add("graph turn() {");
    match capture {
        Capture::Optional => game.add(&format!("lift()\nbranch {{\n{step}\n}} or {{\n{jump}\n}}")),
        Capture::Forced => {
            game.add(&format!("if reachable(canJump()) {{\nlift()\n{jump}\n}} else {{\nlift()\n{step}\n}}"));
        }
        Capture::Longest => game.add(&format!("lift()\nif most == N(0) {{\n{step}\n}} else {{\n{jump}\n}}")),
    }
    let piece = if rules_promote(game) { "promoted[piece][point]" } else { game.mover() };
    game.add(&format!("board[point] = {piece}\n}}\n"));
}

fn rules_promote(game: &Game<'_>) -> bool {
    game.rules().promotion != Promotion::None
}

/// The end at the limit.
fn limit(game: &mut Game<'_>) {
    if !game.limit_by_majority() {
        return;
    }
    game.add("// Who has more pieces wins.\ngraph count() {");
    let win = |winner: Player, loser: Player| {
        let (winner, loser) = (winner.name(), loser.name());
        format!("if more[pieces[{winner}]][pieces[{loser}]] == 1 {{\ngoals[{winner}] = 100\ngoals[{loser}] = 0\n}}")
    };
    game.add(&win(Player::White, Player::Black));
    game.add(&win(Player::Black, Player::White));
    game.add("end()\n}\n");
}

fn loop_of_turns(game: &mut Game<'_>) {
    let Rules { stuck, limit, .. } = *game.rules();
    game.add("graph rules() {\nloop {\nif not(reachable(canStep()) || reachable(canJump())) {");
    game.add(match stuck {
        Stuck::Loses => "goals[me] = 0\ngoals[opponent[me]] = 100\nend()\n}",
        Stuck::Draw => "end()\n}",
    });
    if let Some(Limit { turns, result, .. }) = limit {
        let end = if result == AtLimit::Majority { "count()" } else { "end()" };
        game.add(&format!("if turns == T({turns}) {{ {end} }}"));
    }
    if game.is_longest() {
        game.add("most = N(0)\nwhile reachable(longer()) { most = another[most] }");
    }
    game.add("player = me\nturn()\nplayer = keeper");
    if limit.is_some_and(|limit| limit.counted == Counted::Turns) {
        game.add("turns = later[turns]");
    }
    game.add("me = opponent[me]\n}\n}");
}
