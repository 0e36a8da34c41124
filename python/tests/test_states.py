"""States: the interface of OpenSpiel's, and what holds for all bundled games."""

import copy
import pickle
import random
import threading
import time

import numpy as np
import pytest

import rgc
from shared import NAMES, load, play


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


@pytest.mark.parametrize("name", ["ticTacToe.hrg", "chess.rbg", "leducPoker.hrg"])
def test_bytes_that_were_cut_off_or_changed_in_length_are_refused(name: str) -> None:
    game = load(name)
    state = play(game.new_initial_state(), random.Random(4), 6)[-1]
    data = state.to_bytes()
    assert game.state_from_bytes(data) == state and len(data) > 4 * len(state.history())
    # Among these are the bytes of each action less, which would lead to a state before.
    for wrong in (*(data[:end] for end in range(len(data))), data + data[-4:], data + b"x", data + data):
        with pytest.raises(ValueError, match="bytes|the state has"):
            game.state_from_bytes(wrong)
    # Without the number of actions, as it was once.
    with pytest.raises(ValueError, match="no state of a game as this version"):
        game.state_from_bytes(data[4:12] + data[20:])
    with pytest.raises(ValueError, match="not one of connectFour"):
        load("connectFour.hrg").state_from_bytes(data)


def test_nobody_is_no_player() -> None:
    """The numbers of chance and of nobody, which are OpenSpiel's, have actions only where they are to move; others are no players."""
    for name in ("ticTacDie.hrg", "ticTacToe.hrg"):
        for state in play(load(name).new_initial_state(), random.Random(1)):
            for nobody in (-1, -4):
                legal = state.legal_actions() if nobody == state.current_player() else []
                assert state.legal_actions(nobody) == legal == state.legal_actions_mask(nobody).nonzero()[0].tolist()
            for player in (-2, -3, -5, 2, 2**70, -(2**200)):
                for call in (state.legal_actions, state.legal_actions_mask):
                    with pytest.raises(ValueError, match="there is no player"):
                        call(player)


def test_programs_for_states_of_openspiel_find_their_names() -> None:
    for name in ("ticTacDie.hrg", "chess.rbg", "matchingPennies.gdl"):
        game = load(name)
        for number, state in enumerate(play(game.new_initial_state(), random.Random(3), 20)):
            assert (state.num_players(), state.num_distinct_actions()) == (game.num_players, game.num_actions)
            assert state.move_number() == number == len(state.history()) and state.is_initial_state() == (number == 0)
            assert [state.is_player_node(), state.is_chance_node(), state.is_terminal()].count(True) == 1 and not state.is_simultaneous_node()
            assert state.is_player_node() == (state.current_player() >= 0)


def test_numbers_of_any_size_are_looked_at() -> None:
    state = load("ticTacToe.hrg").new_initial_state()
    for action, said in ((2**40, str(2**40)), (-1, "-1"), (2**70, str(2**70)), (2**200, r"2\*\*127 or more"), (-(2**200), r"-2\*\*127 or less")):
        for call in (state.apply_action, state.child):
            with pytest.raises(rgc.IllegalAction, match=f"there is no action {said}: the actions are the numbers from 0 to 8"):
                call(action)
        with pytest.raises(ValueError, match=f"there is no action {said}"):
            state.action_to_string(action)
    for depth in (-1, 2**70, 2**200):
        with pytest.raises(ValueError, match="`depth` is"):
            state.game.perft(depth)


def test_games_do_not_change_and_are_no_copies() -> None:
    game = load("ticTacToe.hrg")
    assert copy.copy(game) is game and copy.deepcopy([game])[0] is game


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
