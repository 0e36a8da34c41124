"""States: the interface of OpenSpiel's, and what holds for all bundled games."""

import copy
import pickle
import random
import signal
import subprocess
import sys
import threading
import time
import warnings
from pathlib import Path

import numpy as np
import pytest

import rgc
from shared import load

NAMES = ["ticTacToe.rbg", "breakthrough.sbg", "connectFour.gdl", "chess.rbg", "hex.hrg", "kuhnPoker.hrg", "ticTacDie.hrg", "englishDraughts.hrg"]


def play(state: rgc.State, rng: random.Random, most: int = 60) -> list[rgc.State]:
    """A random game, state by state."""
    states = [state.clone()]
    while not state.is_terminal() and len(states) < most:
        state.apply_action(rng.choice(state.legal_actions()))
        states.append(state.clone())
    return states


@pytest.mark.parametrize("name", NAMES)
def test_the_interface_of_states(name: str) -> None:
    game = load(name)
    for state in play(game.new_initial_state(), random.Random(1)):
        legal = state.legal_actions()
        assert legal == sorted(set(legal)) and all(0 <= action < game.num_actions for action in legal)
        assert state.legal_actions_mask().nonzero()[0].tolist() == legal
        assert (state.current_player() == -4) == state.is_terminal() == (not legal)
        if state.is_chance_node():
            assert state.current_player() == -1
            assert [action for action, _ in state.chance_outcomes()] == legal
            assert sum(chance for _, chance in state.chance_outcomes()) == pytest.approx(1)
        else:
            assert state.chance_outcomes() == []
        for action in legal[:5]:
            assert state.action_to_string(max(state.current_player(), 0), action) == state.action_to_string(action)
            if game.action_kind == "moves":
                assert state.string_to_action(state.action_to_string(action)) == action
        if not state.is_terminal():
            assert state.returns() == [0.0] * game.num_players
            assert state.legal_actions(state.current_player()) == legal
            others = [player for player in (-1, *range(game.num_players)) if player != state.current_player()]
            assert all(state.legal_actions(player) == [] and not state.legal_actions_mask(player).any() for player in others)
        else:
            values = dict(zip(game.score_names, game.utilities))
            assert state.returns() == [values[score] for score in state.scores()] == [state.player_return(player) for player in range(game.num_players)]


@pytest.mark.parametrize("name", NAMES)
def test_states_are_copied_and_pickled(name: str) -> None:
    game = load(name)
    for state in play(game.new_initial_state(), random.Random(2), 25)[::6]:
        for other in (copy.copy(state), copy.deepcopy(state), state.clone(), pickle.loads(pickle.dumps(state)), game.state_from_bytes(state.to_bytes())):
            assert other == state and hash(other) == hash(state)
            assert (other.history(), other.plies, other.legal_actions()) == (state.history(), state.plies, state.legal_actions())
            assert other.observation_tensor().tolist() == state.observation_tensor().tolist()
        if not state.is_terminal():
            action = state.legal_actions()[0]
            child, before = state.child(action), state.to_bytes()
            assert state.to_bytes() == before and child.history() == [*state.history(), action]
    assert pickle.loads(pickle.dumps(game)) == game


def test_states_are_equal_if_positions_are() -> None:
    game = load("ticTacToe.hrg")
    one, other = game.new_initial_state(), game.new_initial_state()
    for action in (0, 4, 8):
        one.apply_action(action)
    for action in (8, 4, 0):
        other.apply_action(action)
    assert one == other and hash(one) == hash(other) and len({one, other}) == 1
    assert one != game.new_initial_state()


def test_moves_and_steps_are_the_same_game() -> None:
    """Whole moves, and tags one by one, have equally many plays of each length in moves."""
    for name in ("ticTacToe.hrg", "breakthrough.rbg", "clobber.sbg"):
        whole, steps = load(name, actions="moves"), load(name, actions="steps")
        assert (whole.action_kind, steps.action_kind) == ("moves", "steps")

        def count(state: rgc.State, plies: int) -> int:
            if state.plies == plies:
                return 1
            return sum(count(state.child(action), plies) for action in state.legal_actions())

        assert count(whole.new_initial_state(), 2) == count(steps.new_initial_state(), 2) == whole.perft(2)


def test_what_was_chosen_of_a_move_is_known() -> None:
    game = load("chess.rbg")
    state = game.new_initial_state()
    assert (game.action_kind, state.chosen, state.plies) == ("steps", [], 0)
    chosen = []
    while state.plies == 0:
        action = state.legal_actions()[-1]
        chosen.append(game.action_to_string(action))
        state.apply_action(action)
        # Tags that all moves share from there on are taken, too.
        assert state.plies == 1 or state.chosen[-len(chosen) :] == chosen or set(chosen) <= set(state.chosen)
    assert len(chosen) > 1


def test_errors_say_where() -> None:
    with pytest.raises(rgc.GameError) as caught:
        rgc.loads("#players = white(100)\n#pieces = e\n", language="rbg", name="mine.rbg")
    finding = caught.value.findings[0]
    assert finding.severity == "error" and finding.line >= 1 and finding.code.startswith("RBG")
    assert "mine.rbg" in str(caught.value)
    other = pickle.loads(pickle.dumps(caught.value))
    assert str(other) == str(caught.value) and other.findings[0].message == finding.message
    with pytest.raises(rgc.GameError, match="no such file, and no bundled game"):
        rgc.load("nothing")
    with pytest.raises(ValueError, match="not \"moved\""):
        rgc.load("ticTacToe", actions="moved")  # type: ignore[arg-type]
    state = load("ticTacToe.hrg").new_initial_state()
    state.apply_action(4)
    for wrong in (4, 9, -1, 2**40):
        with pytest.raises(rgc.IllegalAction):
            state.apply_action(wrong)
    assert state.history() == [4]
    with pytest.raises(rgc.IllegalAction):
        state.string_to_action("z9")
    with pytest.raises(ValueError):
        state.game.state_from_bytes(b"nonsense")
    for player in (2, 7, -2, -5):
        for asked in (state.observation_tensor, state.observation_string, state.information_state_string, state.player_return, state.legal_actions, state.legal_actions_mask):
            with pytest.raises(ValueError, match=rf"there is no player {player}: the players of ticTacToe are 0 \('\w+'\), 1 \('\w+'\)"):
                asked(player)
        with pytest.raises(ValueError, match=rf"there is no player {player}: the players of ticTacToe are 0 \('\w+'\), 1 \('\w+'\)"):
            state.action_to_string(player, 3)
    for wrong in (99, -1):
        with pytest.raises(ValueError, match="the actions are the numbers from 0 to 8"):
            state.action_to_string(0, wrong)


def test_errors_name_arguments_of_python(tmp_path: Path) -> None:
    unknown = tmp_path / "game.unknown"
    unknown.write_text("what is this?")
    for read in (lambda: rgc.loads("what is this?"), lambda: rgc.load(unknown)):
        with pytest.raises(rgc.GameError, match="with `language`") as caught:
            read()
        assert "--from" not in str(caught.value) and any("with `language`" in note for finding in caught.value.findings for note in finding.notes)
    with pytest.raises(rgc.GameError, match='`language="hrg"`') as caught:
        rgc.loads(load("ticTacToe.hrg").source, language="rbg")
    assert "--from" not in str(caught.value)


def test_places_are_actions_where_that_is_asked_for() -> None:
    game = rgc.load("ticTacToe.rbg", actions="places")
    assert game.num_actions == 9 and [game.action_to_string(action) for action in range(3)] == ["a3", "a2", "a1"]
    assert pickle.loads(pickle.dumps(game)) == game != load("ticTacToe.rbg")
    assert [game.perft(depth) for depth in range(5)] == [1, 9, 72, 504, 3024]
    state, agent = game.new_initial_state(), game.agent("ab:depth=4", seed=1)
    for move in ("a1", "b2", "a2", "c3"):
        state.apply_action(state.string_to_action(move))
    # The move that wins is an action as all others are.
    assert state.legal_actions() == [0, 3, 5, 7, 8] and game.action_to_string(agent.choose(state)) == "a3"
    state.apply_move("a3")
    assert state.returns() == [100, 0] and game.state_from_bytes(state.to_bytes()) == state
    batch = game.batch(8, seed=1)
    assert batch.reset()[1].all()
    for _ in range(30):
        batch.step(batch.sample())


def test_counts_that_make_no_sense_are_named() -> None:
    game = load("ticTacToe.hrg")
    calls = {
        "depth": lambda: game.perft(-1),
        "n": lambda: game.playouts(-1),
        "seed": lambda: game.agent("random", seed=-1),
        "level": lambda: game.to_rg(level=-1),
        "playouts": lambda: game.audit(playouts=-1),
        "max_plies": lambda: game.batch(1, max_plies=-1),
        "max_observed": lambda: game.batch(1, max_observed=-1),
        "threads": lambda: game.batch(1, threads=-1),
    }
    for name, call in calls.items():
        with pytest.raises(ValueError, match=rf"`{name}` is (at least [01]|a number from 1 to \d+), not -1"):
            call()
    for call in (lambda: game.batch(-1), lambda: game.batch(2).reset(-1), lambda: game.perft(2**40)):
        with pytest.raises(ValueError, match="^`(n|seed|depth)` is "):
            call()


def test_states_of_other_games_are_refused() -> None:
    game, other = load("ticTacToe.hrg"), load("connectFour.hrg").new_initial_state()
    with pytest.raises(ValueError, match="another game|the agent is for"):
        game.perft(2, state=other)
    with pytest.raises(ValueError, match="another game|the agent is for"):
        game.agent("random").choose(other)
    assert game.perft(2, state=rgc.load("ticTacToe.hrg").new_initial_state()) == 72


def test_positions_are_shown() -> None:
    state = load("ticTacToe.hrg").new_initial_state()
    state.apply_action(4)
    assert "x" in str(state) and state.svg() == state._repr_svg_()
    assert state.svg().startswith("<svg") and "to move" in repr(state)
    chess = load("chess").new_initial_state()
    assert (chess["board", "v_rx0y7"], chess["board", "v_rx0y4"]) == ("piece_wRu", "piece_e")
    for asked, said in (
        (("board", "v_rx0y8"), "has no entry `v_rx0y8`; did you mean `v_rx0y"),
        (("bord", "v_rx0y0"), "did you mean `board`?"),
        ("board", "is a map"),
        (("board", "v_rx0y0", "v_rx0y1"), "is a map"),
        (("player", "v_rx0y0"), "is no map"),
        ((), "name of a variable"),
    ):
        with pytest.raises(KeyError, match=said.replace("?", "[?]")):
            chess[asked]
    # At the end, too, all pieces are where they were.
    state = play(load("ticTacToe.hrg").new_initial_state(), random.Random(3))[-1]
    assert state.is_terminal() and str(state).count("x") >= 3


def test_moves_are_read_as_people_write_them() -> None:
    chess = load("chess.rbg").new_initial_state()
    assert chess.game.action_kind == "steps"
    assert len(chess.legal_moves()) == 20 and chess.why("e2 e4") is None
    actions = chess.move_to_actions("e2e4")
    assert len(actions) > 1
    stepped = chess.clone()
    for action in actions[:-1]:
        stepped.apply_action(action)
    assert stepped.plies == 0 and len(stepped.legal_moves()) < 20 and stepped.move_to_actions("e2e4") == actions[-1:]
    assert stepped.string_to_action("e2e4") == actions[-1]
    assert "begun" in str(stepped.why("d2d4"))
    stepped.apply_move("e2e4")
    chess.apply_move("e2 e4")
    assert chess == stepped and chess.history() == actions and chess.plies == 1
    with pytest.raises(rgc.IllegalAction, match="move_to_actions"):
        chess.string_to_action("e7 e5")
    for wrong in ("", " "):
        with pytest.raises(rgc.IllegalAction, match="empty"):
            chess.string_to_action(wrong)
    for wrong in ("e7 e4", "Nf6", "", "nonsense"):
        assert chess.why(wrong)
        with pytest.raises(rgc.IllegalAction):
            chess.apply_move(wrong)
    assert chess.plies == 1
    # Whole moves are single actions.
    state = load("breakthrough.rbg").new_initial_state()
    assert [state.string_to_action(text) for text in state.legal_moves()] == [state.move_to_actions(text)[0] for text in state.legal_moves()]
    assert sorted(state.string_to_action(text) for text in state.legal_moves()) == state.legal_actions()


@pytest.mark.parametrize("name", NAMES)
def test_legal_moves_are_read_back(name: str) -> None:
    for state in play(load(name).new_initial_state(), random.Random(6), 12):
        reached = set()
        for text in state.legal_moves():
            after = state.clone()
            after.apply_move(text)
            reached.add(after)
            assert after.plies == state.plies + 1
        assert bool(reached) != state.is_terminal()
        assert len({state.child(action) for action in state.legal_actions()}) <= len(reached)


def test_the_rules_are_shown() -> None:
    game = load("ticTacToe.hrg")
    small = rgc.loads(game.to_rg(level=2), language="rg")
    assert [small.perft(depth) for depth in range(4)] == [game.perft(depth) for depth in range(4)]
    assert len(game.to_rg(level=2)) < len(game.to_rg())
    assert game.graph().startswith("<svg") and game.graph("dot", level=0).startswith("digraph")
    for wrong in (lambda: game.graph("png"), lambda: game.graph(level=3)):
        with pytest.raises(ValueError):
            wrong()


def test_sums_and_perspectives() -> None:
    sums = {name: load(name).utility_sum for name in ("connectFour.hrg", "ticTacToe.rbg", "kuhnPoker.hrg", "backgammon.hrg")}
    # A game of backgammon may be won twice and three times.
    assert sums == {"connectFour.hrg": 100, "ticTacToe.rbg": 100, "kuhnPoker.hrg": 4, "backgammon.hrg": None}
    for name in ("breakthrough.hrg", "breakthrough.sbg", "breakthrough.rbg"):
        game = load(name)
        seen = game.perspectives
        assert seen.shape == (2, len(game.channels)) and (np.sort(seen, axis=1) == np.arange(seen.shape[1])).all()
        assert (seen[0] == np.arange(seen.shape[1])).all()
        pieces = [channel for channel in range(seen.shape[1]) if seen[1, channel] != channel and game.channels[channel].startswith("board")]
        assert len(pieces) == 2, name
        # At the beginning, as many pieces of each.
        planes = game.new_initial_state().observation_tensor()
        assert planes[pieces[0]].sum() == planes[pieces[1]].sum() == 16
    assert not game.simultaneous and load("matchingPennies.gdl").simultaneous


def test_rules_that_fail_say_where() -> None:
    text = "type Player = { a, b };\ntype Score = { 0, 1 };\ntype C = { x, y };\nvar c: C = x;\nbegin, s: player = a;\ns, t: c == y;\nt, u: player = keeper;\nu, end: ;\n"
    with pytest.raises(rgc.GameError, match="--> game:[56]:") as caught:
        rgc.loads(text, language="rg").new_initial_state()
    assert caught.value.findings[0].line in (5, 6)


def test_threads_share_a_state() -> None:
    """One thread looks at a state while another one goes on with it."""
    state, rng = rgc.load("breakthrough.rbg", actions="steps").new_initial_state(), random.Random(1)
    wrong: list[Exception] = []

    def look() -> None:
        try:
            for _ in range(30):
                assert str(state) and state.svg() and state["board", "v_rx0y0"]
                agent.choose(state)
        except Exception as error:
            wrong.append(error)

    agent = state.game.agent("uct:20p")
    looking = threading.Thread(target=look)
    looking.start()
    # Nobody wins in ten moves.
    while looking.is_alive() and state.plies < 10:
        state.apply_action(rng.choice(state.legal_actions()))
        time.sleep(0.01)
    looking.join()
    assert not wrong, wrong


def test_hidden_cards_stay_hidden() -> None:
    game = load("kuhnPoker.hrg")
    assert game.hides and game.has_chance
    seen: dict[str, set[str]] = {}
    for first in range(3):
        for second in range(2):
            state = game.new_initial_state()
            state.apply_action(state.legal_actions()[first])
            state.apply_action(state.legal_actions()[second])
            seen.setdefault(state.information_state_string(0), set()).add(state.information_state_string(1))
            observed = [game.tags[tag - 1] for tag in state.observed(0)]
            assert len(observed) == 1 and observed[0] in state.information_state_string(0)
    assert len(seen) == 3 and all(len(others) == 2 for others in seen.values())


@pytest.mark.parametrize("name", ["ticTacToe.hrg", "chess.rbg", "kuhnPoker.hrg", "englishDraughts.hrg"])
def test_agents_choose_legal_actions(name: str) -> None:
    game = load(name)
    playouts, plies = (10, 3) if name == "chess.rbg" else (60, 8)
    agent, rng = game.agent(f"uct:{playouts}p", seed=1), random.Random(4)
    state = game.new_initial_state()
    while not state.is_terminal() and state.plies < plies:
        if state.is_chance_node():
            state.apply_action(rng.choice(state.legal_actions()))
            continue
        action = agent.choose(state)
        assert action in state.legal_actions()
        state.apply_action(action)
    with pytest.raises(ValueError):
        game.agent("nobody")


def test_why_a_move_is_not_legal() -> None:
    chess = load("chess.rbg")
    state = chess.new_initial_state()
    for text, said in (("e2e4", None), ("e4 e5", "`e4` is empty"), ("e7 e5", "a piece of black"), ("e2 e9", "`e9` is not on the board"), ("e2 e5", "no way from `e2` to `e5`"), ("Nf6", "algebraic"), ("", "move")):
        found = state.why(text)
        assert (found is None) if said is None else said in str(found), (text, found)
    # What is not possible any more after a step.
    state.apply_action(state.move_to_actions("e2e4")[0])
    assert "begun" in str(state.why("d2 d4")) and state.why("e2 e3") is None
    assert chess.why("e2 e4; e7 e5; g1 f3") is None
    assert str(chess.why("e2e4; e4e5")).startswith("after `e2e4`: `e4e5` is not legal: `e4` holds")
    # Moves that name no place; a column that is full.
    poker = load("kuhnPoker.hrg").new_initial_state()
    assert poker.why("nonsense") and poker.why("bet") and poker.why(poker.legal_moves()[0]) is None
    assert "condition" in str(load("connectFour.hrg").why("a; a; a; a; a; a; a"))
    over = play(load("ticTacToe.hrg").new_initial_state(), random.Random(1))[-1]
    assert "the game is over" in str(over.why("a1"))
    full = load("ticTacToe.hrg").new_initial_state()
    full.apply_move("b2")
    assert "b2" in str(full.why("b2"))


# A keeper with a choice: no proper game.
IMPROPER = """
type Player = { a };
type Score = { 0, 1 };
begin, x: player = a;
x, y: $ go;
y, z: player = keeper;
z, end: goals[a] = 1;
z, end: goals[a] = 0;
"""


def test_reports_are_those_of_the_command_line() -> None:
    game = load("ticTacToe.hrg")
    report, again = (game.audit(playouts=300, positions=50) for _ in range(2))
    assert str(report) == str(again) and not report.wrong and report.findings == []
    # Plays take from 5 to 9 moves.
    length = report.data["sample"]["length"]
    assert (length["least"], length["greatest"]) == (5, 9) and 7 < length["mean"]["value"] < 8.5
    assert report.data["sample"]["plays"] == 300 and "proper" not in report.data
    assert not load("nim.hrg").audit(playouts=5, proper=True).wrong
    assert report.html().startswith("<!") and "<svg" in report.html() and "srcdoc" in report._repr_html_()
    wrong = rgc.loads(IMPROPER, language="rg").audit(playouts=5, positions=50, proper=True)
    assert wrong.wrong and wrong.data["proper"]["violated"]
    for options in ({"playouts": 0}, {"playouts": -1}, {"positions": 0}, {"max_plies": 2**40}):
        with pytest.raises(ValueError, match="is a number from 1 to 100000000, not"):
            game.audit(**options)


def test_perft_goes_on_in_the_middle_of_a_move() -> None:
    """The steps that were taken are a part of the first move that is counted."""
    for name in ("breakthrough.rbg", "ticTacDie.hrg", "clobber.sbg"):
        game = rgc.load(name, actions="steps")
        for state in play(game.new_initial_state(), random.Random(2), 12):
            if state.is_terminal():
                break
            parts = [state.child(action) for action in state.legal_actions()]
            if state.is_chance_node():
                continue
            assert game.perft(0, state=state) == 1
            for depth in (1, 2):
                # A move of one step is made, and one more is to be counted otherwise.
                counts = [game.perft(depth if part.plies == state.plies else depth - 1, state=part) for part in parts]
                assert sum(counts) == game.perft(depth, state=state), (name, depth)


def test_an_agent_finds_a_win() -> None:
    game = load("ticTacToe.hrg")
    wins = 0
    for seed in range(10):
        agent, rng, state = game.agent("uct:300p", seed=seed), random.Random(seed), game.new_initial_state()
        while not state.is_terminal():
            state.apply_action(agent.choose(state) if state.current_player() == 0 else rng.choice(state.legal_actions()))
        returns = state.returns()
        assert returns[0] >= returns[1]
        wins += returns[0] > returns[1]
    assert wins >= 7


def test_perft_and_playouts() -> None:
    game = load("ticTacToe.rbg")
    assert [game.perft(depth) for depth in range(5)] == [1, 9, 72, 504, 3024]
    state = game.new_initial_state()
    state.apply_action(state.legal_actions()[0])
    assert game.perft(1, state=state) == 8
    stats = game.playouts(1000, seed=1)
    assert stats["plays"] == 1000 and 5000 < stats["plies"] < 9000
    assert all(sum(counts.values()) == 1000 for counts in stats["scores"].values())
    assert stats == game.playouts(1000, seed=1)


def endless(count: int) -> str:
    """A game whose plays do not end, with that many bits of which each move changes one: each takes a while."""
    bits = "".join(f"var b{bit}: Bit = 0;" for bit in range(count))
    moves = "".join(f"m, {kind}{bit}: b{bit} == {old}; {kind}{bit}, t{kind}{bit}: b{bit} = {1 - old}; t{kind}{bit}, u{bit}: $ x{bit};" for bit in range(count) for kind, old in (("n", 0), ("o", 1)))
    back = "".join(f"u{bit}, m: player = p;" for bit in range(count))
    return f"type Player = {{ p }}; type Score = {{ 0 }}; type Bit = {{ 0, 1 }}; {bits} begin, m: player = p; {moves} {back} m, e: player == keeper; e, end: player = keeper;"


ENDLESS = endless(40)


def test_actions_that_fail_change_nothing() -> None:
    # Behind `bad`, nobody can go on; behind `worse`, the next player has no move.
    game = rgc.loads(
        """type Player = { a, b }; type Score = { 0 }; type Bit = { 0, 1 }; var bit: Bit = 0;
        begin, one: player = a; one, good: $ good; good, begin: player = keeper;
        one, bad: $ bad; bad, stuck: player = keeper; stuck, end: bit == 1;
        one, worse: $ worse; worse, none: player = b; none, over: bit == 1; over, end: player = keeper;"""
    )
    state = game.new_initial_state()
    state.apply_move("good")
    before = (state.history(), state.plies, state.legal_moves(), state.to_bytes(), hash(state), state.current_player())
    for move in ("bad", "worse"):
        with pytest.raises(rgc.GameError):
            state.apply_move(move)
        with pytest.raises(rgc.GameError):
            state.apply_action(state.string_to_action(move))
        with pytest.raises(rgc.GameError):
            state.child(state.string_to_action(move))
        assert (state.history(), state.plies, state.legal_moves(), state.to_bytes(), hash(state), state.current_player()) == before
    state.apply_move("good")
    assert state.plies == 2


@pytest.mark.parametrize("work", ["game.perft(12)", "rgc.load('backgammon.hrg').perft(9)", "game.perft(70)", "game.playouts(10**9)", "rgc.loads(ENDLESS, language='rg').playouts(10**9)", "rgc.loads(ENDLESS, language='rg').playouts(1)", "game.audit(playouts=10**8)", "game.audit(positions=10**8, proper=True)", "game.agent('uct:1000s').choose(game.new_initial_state())"])
def test_long_work_is_interrupted(work: str) -> None:
    """Ctrl-C ends what would take hours."""
    # A process that was started in the background ignores the signal until it says otherwise.
    heed = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)"
    program = f"{heed}; import rgc; ENDLESS = {ENDLESS!r}; game = rgc.load('breakthrough.rbg'); print('ready', flush=True); {work}"
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as child:
        assert child.stdout is not None and child.stdout.readline() == b"ready\n"
        time.sleep(0.3)
        child.send_signal(signal.SIGINT)
        try:
            _, said = child.communicate(timeout=20)
        finally:
            child.kill()
        assert child.returncode != 0 and b"KeyboardInterrupt" in said


def test_there_are_many_bundled_games() -> None:
    assert len(rgc.games()) > 80


@pytest.mark.parametrize("name", rgc.games())
def test_every_bundled_game_is_played(name: str) -> None:
    """All that depends on the game. That its text is read again where it is unpickled is tested with some games."""
    game = load(name)
    last = play(game.new_initial_state(), random.Random(5), 25)[-1]
    assert game.num_actions > 0 and (game.hides or len(game.channels) > 0)
    assert game.state_from_bytes(last.to_bytes()) == last
    assert isinstance(last.observation_tensor(), np.ndarray)


def test_games_and_states_say_what_they_are() -> None:
    game = load("ticTacToe.hrg")
    assert repr(game) == "<Game ticTacToe.hrg: 2 players (crosses, noughts), 9 actions (moves)>"
    assert "places" in repr(load("ticTacToe.rbg", actions="places")) and "steps" in repr(load("chess.rbg"))
    assert repr(load("leducPoker.hrg")).endswith("chance, hidden information>")
    state = game.new_initial_state()
    assert repr(state) == "<State of ticTacToe after 0 moves, crosses to move>"
    for action in (0, 3, 1, 4, 2):
        state.apply_action(action)
    assert repr(state) == "<State of ticTacToe after 5 moves, over with returns 100, 0>"
    steps = load("chess.rbg").new_initial_state()
    steps.apply_action(steps.legal_actions()[0])
    assert "chosen: " in repr(steps)


def test_nothing_is_legal_in_a_finished_game() -> None:
    state = load("ticTacToe.hrg").new_initial_state()
    for action in (0, 3, 1, 4, 2):
        state.apply_action(action)
    for call in (lambda: state.apply_action(5), lambda: state.apply_action(99), lambda: state.child(5), lambda: state.string_to_action("a1"), lambda: state.apply_move("a1"), lambda: state.move_to_actions("a1")):
        with pytest.raises(rgc.IllegalAction, match="the game is over"):
            call()
    with pytest.raises(ValueError, match="the game is over"):
        state.game.agent("random").choose(state)
    with pytest.raises(ValueError, match="chance is to move"):
        chance = load("ticTacDie.hrg").new_initial_state()
        while not chance.is_chance_node():
            chance.apply_action(chance.legal_actions()[0])
        chance.game.agent("random").choose(chance)


def test_playouts_are_cut_off() -> None:
    game = load("breakthrough.rbg")
    cut = game.playouts(10, seed=1, max_plies=4)
    assert (cut["plays"], cut["truncated"], cut["plies"]) == (10, 10, 40)
    assert all(sum(counts.values()) == 0 for counts in cut["scores"].values())
    whole = game.playouts(10, seed=1)
    assert whole["truncated"] == 0 and all(sum(counts.values()) == 10 for counts in whole["scores"].values())
    with pytest.raises(ValueError, match="`max_plies`"):
        game.playouts(1, max_plies=-1)


def test_scores_that_are_no_numbers_are_a_finding() -> None:
    text = "type Player = { x };\ntype Score = { lost, won };\nbegin, a: player = x;\na, b: $ go;\nb, c: player = keeper;\nc, end: goals[x] = won;\n"
    with pytest.warns(rgc.ScoreWarning):
        game = rgc.loads(text, language="rg")
    codes = [finding.code for finding in game.audit(playouts=5, positions=5).findings]
    assert "IO388" in codes
    known = rgc.loads(text, language="rg", utilities={"won": 1, "lost": -1})
    assert "IO388" not in [finding.code for finding in known.audit(playouts=5, positions=5).findings]


def test_what_a_state_is_asked_for_is_named() -> None:
    state = load("ticTacToe.hrg").new_initial_state()
    for wrong in (3, None, ("board", 3)):
        with pytest.raises(TypeError, match="a state has values by the name of a variable, or a name with keys"):
            state[wrong]
    for utilities, said in (({"100": "a"}, "worth a number, not 'a'$"), ({0.5: 1}, r"as keys, not 0\.5$")):
        with pytest.raises(TypeError, match=said):
            rgc.load("ticTacToe.hrg", utilities=utilities)


def test_playouts_have_all_scores() -> None:
    for name in ("ticTacToe.hrg", "chess.rbg"):
        game = load(name)
        for count, most in ((0, None), (1, None), (2, 1)):
            scores = game.playouts(count, seed=1, max_plies=most)["scores"]
            assert list(scores) == game.players and all(list(counts) == game.score_names for counts in scores.values())


def test_drawings_are_shown_in_notebooks() -> None:
    drawn = load("ticTacToe.hrg").graph()
    assert isinstance(drawn, str) and drawn.startswith("<svg") and drawn._repr_svg_() == str(drawn)
    assert type(load("ticTacToe.hrg").graph("dot")) is str


def test_perspectives_that_no_name_tells_are_a_warning() -> None:
    text = "type Player = { one, two };\ntype Score = { 0, 1 };\ntype C = { x, y };\nvar c: C = x;\n"
    text += "begin, a: player = one;\na, b: $ go;\nb, c: c = y;\nc, d: player = two;\nd, e: $ stop;\ne, f: c == y;\nf, g: player = keeper;\ng, end: goals[one] = 1;\n"
    game = rgc.loads(text, language="rg")
    assert game.channels
    with pytest.warns(UserWarning, match="no channel has the name of a player in it"):
        orders = game.perspectives
    assert (orders == np.arange(len(game.channels))).all()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert (load("breakthrough.rbg").perspectives[1] != np.arange(len(load("breakthrough.rbg").channels))).any()
        # Seats stay where they are; a variable of the rules that says the same is a player's own.
        game = load("ticTacToe.hrg")
        moved = [game.channels[at] for at in np.flatnonzero(game.perspectives[1] != np.arange(len(game.channels)))]
    assert moved == ["me = crosses", "me = noughts"]
