"""Batches of games in numpy arrays."""

import copy
import hashlib
import multiprocessing
import os
import pickle
import threading
import time
from typing import Any

import numpy as np
import pytest

import rgc
from shared import load


def test_arrays_have_the_shapes_that_the_game_tells() -> None:
    game = load("breakthrough.rbg")
    batch = game.batch(5, seed=1)
    observations, mask = batch.reset()
    assert observations.shape == (5, *game.observation_shape) and observations.dtype == np.uint8
    assert mask.shape == (5, game.num_actions) and mask.dtype == np.bool_
    assert batch.rewards.shape == (5, 2) and batch.rewards.dtype == np.float32
    assert batch.current_player.tolist() == [0] * 5 and batch.ply.tolist() == [0] * 5
    assert len(batch) == 5 and "breakthrough" in repr(batch)


def test_every_step_fills_the_same_arrays() -> None:
    batch = load("ticTacToe.hrg").batch(3)
    observations, mask = batch.reset()
    for _ in range(4):
        results = batch.step(batch.sample())
        assert results[0] is observations and results[3] is mask and results[1] is batch.rewards and results[2] is batch.done
        assert np.shares_memory(results[0], batch.observations)


def test_masks_and_lists_are_the_same() -> None:
    for name in ("connectFour.hrg", "connectFour.gdl", "breakthrough.rbg", "chess.rbg", "kuhnPoker.hrg"):
        batch = load(name).batch(7, seed=2)
        for _ in range(30):
            offsets, legal = batch.legal
            for index in range(7):
                row = legal[offsets[index] : offsets[index + 1]]
                assert row.tolist() == batch.mask[index].nonzero()[0].tolist()
            batch.step(batch.sample())


def test_actions_of_any_kind() -> None:
    batch = load("ticTacToe.hrg").batch(2)
    batch.step([0, 1])
    batch.step(np.array([1, 2], dtype=np.int64))
    batch.step(np.array([2, 3], dtype=np.int32))
    batch.step((3, 4))
    assert batch.ply.tolist() == [4, 4]
    with pytest.raises(ValueError, match="2 games, but 3 actions"):
        batch.step([0, 1, 2])
    with pytest.raises(rgc.IllegalAction, match="game 1 of the batch"):
        batch.step([5, 4])
    assert batch.ply.tolist() == [4, 4]
    with pytest.raises((TypeError, ValueError)):
        batch.step("no")


def test_threads_and_sizes_change_nothing() -> None:
    game = load("ticTacDie.hrg")

    def played(n: int, threads: int) -> np.ndarray:
        batch = game.batch(n, seed=9, threads=threads)
        return np.stack([batch.step(batch.sample())[0][:4].copy() for _ in range(40)])

    assert (played(40, 1) == played(40, 2)).all()
    assert (played(40, 1) == played(4, 1)).all()


def test_resets_that_are_chosen() -> None:
    batch = load("ticTacToe.hrg").batch(3, autoreset="disabled")
    for _ in range(3):
        batch.step(batch.sample())
    batch.reset(which=np.array([True, False, True]))
    assert batch.ply.tolist() == [0, 3, 0]
    for _ in range(9):
        batch.step(batch.sample())
    assert batch.current_player.tolist()[1] == -4
    with pytest.raises(ValueError):
        batch.reset(which=np.array([True]))
    with pytest.raises(ValueError, match="same_step"):
        load("ticTacToe").batch(1, autoreset="never")  # type: ignore[arg-type]


def test_values_that_make_no_sense() -> None:
    game = load("ticTacToe.hrg")
    for options in ({"n": -1}, {"n": 2**62}, {"n": 2, "max_observed": 2**62}, {"n": 2, "seed": -1}, {"n": 2, "chance": "no"}):
        with pytest.raises((ValueError, OverflowError)):
            game.batch(**options)
    # More than there is room for: 64 KiB of tags for each of the games that may be asked for. That is known before they are begun.
    begin = time.perf_counter()
    with pytest.raises(MemoryError, match="1048576 games take about 26[0-9].. GiB|allocate"):
        load("kuhnPoker.hrg").batch(2**20, max_observed=2**16)
    with pytest.raises(ValueError, match="a batch has at most 1048576 games, not 10000000"):
        load("chess.rbg").batch(10**7)
    assert time.perf_counter() - begin < 10
    batch = game.batch(3, threads=1000, max_plies=1)
    batch.step(batch.sample())
    assert batch.truncated.all()
    batch.mask[:] = False
    assert batch.step(batch.sample())[3].any()
    batch.observations.setflags(write=False)
    with pytest.raises(TypeError):
        batch.step(batch.sample())


def test_rules_that_fail_have_findings() -> None:
    text = """
        type Player = { a };  type Score = { 0, 1 };  type C = { x, y };  var c: C = x;
        begin, a: player = random;  a, b: c = C(*);  b, t: $$ c;  t, u: player = keeper;  u, a: player = random;
    """
    with pytest.raises(rgc.GameError, match="moves in a row") as caught:
        rgc.loads(text, language="rg").batch(2)
    assert caught.value.findings == []


def test_two_batches_are_stepped_at_once() -> None:
    game = load("breakthrough.rbg")
    batches = [game.batch(64, seed=seed) for seed in range(2)]

    def run(batch: rgc.BatchEnv) -> None:
        for _ in range(50):
            batch.step(batch.sample())

    threads = [threading.Thread(target=run, args=(batch,)) for batch in batches]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    alone = game.batch(64, seed=1)
    run(alone)
    assert (alone.observations == batches[1].observations).all()


def test_a_batch_is_one_threads_at_a_time() -> None:
    batch = load("chess.rbg").batch(2000, seed=1)
    said: set[str] = set()

    def run() -> None:
        for _ in range(10):
            try:
                batch.step(batch.sample())
            except rgc.IllegalAction:
                said.add("drawn before the other one stepped")
            except RuntimeError as error:
                said.add(str(error))

    threads = [threading.Thread(target=run) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert any("another thread is using this batch" in text for text in said), said


def _stepped(batch: rgc.BatchEnv) -> bytes:
    batch.step(batch.sample())
    return batch.observations.tobytes()


def test_a_batch_with_threads_lives_on_in_a_forked_process() -> None:
    batch = load("breakthrough.rbg").batch(64, threads=2, seed=1)
    batch.step(batch.sample())
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.write(writer, hashlib.sha256(_stepped(batch)).digest())
        os._exit(0)
    assert os.waitpid(child, 0)[1] == 0
    assert os.read(reader, 32) == hashlib.sha256(_stepped(batch)).digest()


def test_arrays_that_were_changed_are_refused() -> None:
    batch = load("ticTacToe.hrg").batch(2, seed=1)
    actions = batch.sample().copy()
    batch.rewards.setflags(write=False)
    with pytest.raises(TypeError):
        batch.step(actions)
    batch.rewards.setflags(write=True)
    batch.step(actions)
    assert batch.ply.tolist() == [1, 1]
    batch.mask.resize((1,), refcheck=False)
    with pytest.raises(ValueError, match="another size"):
        batch.step(batch.sample())


def _perft(game: rgc.Game) -> int:
    return game.perft(3)


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_games_are_sent_to_other_processes(method: str) -> None:
    game = load("breakthrough.rbg")
    assert pickle.loads(pickle.dumps(game)).perft(2) == 484
    with multiprocessing.get_context(method).Pool(1) as pool:
        assert pool.map(_perft, [game]) == [11132]


def _arrays(batch: rgc.BatchEnv) -> list[np.ndarray]:
    names = ("observations", "final_observations", "observed", "mask", "rewards", "done", "truncated", "current_player", "ply")
    return [getattr(batch, name).copy() for name in names]


@pytest.mark.parametrize("name", ["breakthrough.rbg", "chess.rbg", "ticTacDie.hrg", "leducPoker.hrg"])
@pytest.mark.parametrize("autoreset", ["same_step", "next_step", "disabled"])
def test_copies_of_batches_go_on_as_they_do(name: str, autoreset: Any) -> None:
    batch = load(name).batch(6, seed=3, autoreset=autoreset, max_plies=30)
    for played in (0, 9, 40):
        for _ in range(played):
            batch.step(batch.sample())
        copies = [batch.clone(), copy.copy(batch), copy.deepcopy(batch), pickle.loads(pickle.dumps(batch))]
        for other in copies:
            assert repr(other) == repr(batch) and other.game == batch.game
            assert all(np.array_equal(one, two) for one, two in zip(_arrays(batch), _arrays(other), strict=True))
            assert not np.shares_memory(other.mask, batch.mask)
        for _ in range(25):
            actions = batch.sample().copy()
            batch.step(actions)
            for other in copies:
                assert (other.sample() == actions).all()
                other.step(actions)
                assert all(np.array_equal(one, two) for one, two in zip(_arrays(batch), _arrays(other), strict=True))


@pytest.mark.parametrize("name", ["breakthrough.rbg", "chess.rbg", "ticTacDie.hrg", "leducPoker.hrg"])
def test_games_of_a_batch_are_states(name: str) -> None:
    game = load(name)
    batch = game.batch(3, seed=1)
    for _ in range(20):
        batch.step(batch.sample())
        for index in range(3):
            state = batch.state(index)
            assert state.legal_actions() == batch.mask[index].nonzero()[0].tolist()
            assert state.current_player() == batch.current_player[index]
    assert batch.state(-1) == batch.state(2)
    for wrong in (3, -4):
        with pytest.raises(IndexError, match="there is no game"):
            batch.state(wrong)
    # And back.
    states = [batch.state(index) for index in range(3)]
    other = game.batch(3, seed=9)
    other.reset(states=states)
    assert (other.mask == batch.mask).all() and (other.current_player == batch.current_player).all()
    assert [other.state(index).history() for index in range(3)] == [state.history() for state in states]
    other.reset(states=states[0])
    assert (other.mask == batch.mask[0]).all()
    other.reset(states=[states[0], None, None], which=np.array([False, True, False]))
    assert other.state(1).plies == game.batch(1, seed=9).state(0).plies or game.has_chance


def test_states_of_a_reset_are_looked_at() -> None:
    batch, other = load("ticTacToe.hrg").batch(2), load("connectFour.hrg").new_initial_state()
    with pytest.raises(ValueError, match="one for each of 2 games, not 1"):
        batch.reset(states=[None])
    with pytest.raises(ValueError, match="is no state of <Game ticTacToe"):
        batch.reset(states=other)
    over = load("ticTacToe.hrg").new_initial_state()
    for action in (0, 3, 1, 4, 2):
        over.apply_action(action)
    batch.reset(states=[over, None])
    assert batch.mask.sum(axis=1).tolist() == [0, 9] and batch.ply.tolist() == [5, 0]
    assert not batch.done.any() and batch.current_player.tolist() == [-4, 0]
    _, rewards, done, _ = batch.step(np.array([0, 0]))
    assert done.tolist() == [True, False] and rewards[0].tolist() == [100, 0]
    # The next game begins at the beginning, as always.
    assert batch.ply.tolist() == [0, 1]
    for autoreset in ("next_step", "disabled"):
        batch = load("ticTacToe.hrg").batch(1, autoreset=autoreset)
        batch.reset(states=over)
        assert batch.sample().tolist() == [0]
        _, rewards, done, mask = batch.step([5])
        assert done.all() and rewards.tolist() == [[100, 0]] and not mask.any() and batch.ply.tolist() == [5]
        batch.step([0])
        assert batch.ply.tolist() == [0 if autoreset == "next_step" else 5]


def test_a_reset_that_goes_wrong_changes_nothing() -> None:
    batch = load("ticTacDie.hrg").batch(3, seed=1)
    for _ in range(4):
        batch.step(batch.sample())
    before, arrays = batch.__reduce__()[1][3], _arrays(batch)
    state, other = batch.game.new_initial_state(), load("connectFour.hrg").new_initial_state()
    for options in ({"states": [state, None, other]}, {"states": [state], "seed": 3}, {"seed": [1, 2, -1]}, {"which": [0, 0]}, {"which": [3]}):
        with pytest.raises((ValueError, IndexError)):
            batch.reset(**options)
        assert batch.__reduce__()[1][3] == before and all(np.array_equal(one, two) for one, two in zip(arrays, _arrays(batch), strict=True))


def test_games_that_are_reset_are_told_in_any_way() -> None:
    batch = load("ticTacToe.hrg").batch(4, autoreset="disabled", seed=1)
    assert len(batch) == batch.num_games == 4
    ways: list[tuple[Any, list[int]]] = [
        ([True, False, False, True], [0, 1, 1, 0]),
        (np.array([True, False, False, True]), [0, 1, 1, 0]),
        ([np.bool_(True), False, False, True], [0, 1, 1, 0]),
        ([0, -1], [0, 1, 1, 0]),
        ((2,), [1, 1, 0, 1]),
        (np.array([1, 3], np.int32), [1, 0, 1, 0]),
        (np.array([1, 0, 0, 1]).astype(bool), [0, 1, 1, 0]),
        ([], [1, 1, 1, 1]),
        (np.array([], np.int64), [1, 1, 1, 1]),
        (None, [0, 0, 0, 0]),
    ]
    for which, plies in ways:
        batch.reset()
        batch.step(batch.sample())
        batch.reset(which=which)
        assert batch.ply.tolist() == plies, which
    # Integers are numbers of games, so that a mask of them names some twice.
    for wrong in ([1, 0, 1, 1], np.array([0, 0, 0, 1], np.uint8), [2, 2], [3, -1]):
        with pytest.raises(ValueError, match="names game [0-3] twice; integers are numbers of games, and a mask is of bool"):
            batch.reset(which=wrong)
    for wrong, raised in (([True], ValueError), ([4], IndexError), ([-5], IndexError), (2, TypeError), ([0.5], TypeError), ("no", TypeError)):
        with pytest.raises(raised, match="`which`|there is no game"):
            batch.reset(which=wrong)


def test_wrong_actions_are_told() -> None:
    batch = load("ticTacToe.hrg").batch(2)
    for wrong in (3, None, [0.5, 1.5], ["a", "b"], [[0], [1]]):
        with pytest.raises(TypeError, match="`actions` is a list with an integer for each game, not "):
            batch.step(wrong)
    for kind in (np.float64, np.float32):
        with pytest.raises(TypeError, match=f"`actions` is a list with an integer for each game, not an array of {kind.__name__}"):
            batch.step(np.zeros(2, kind))
    with pytest.raises(ValueError, match=r"there are 2 games, but actions of the shape \(2, 1\)"):
        batch.step(np.zeros((2, 1), np.int64))
    for action in (-1, 2**40, 9):
        with pytest.raises(rgc.IllegalAction, match=f"game 1 of the batch: there is no action {action}: the actions are the numbers from 0 to 8"):
            batch.step([0, action])
    assert batch.ply.tolist() == [0, 0]


@pytest.mark.parametrize("option", ["n", "threads", "max_plies"])
def test_nothing_is_no_number_of_games_threads_or_moves(option: str) -> None:
    game = load("ticTacToe.hrg")
    with pytest.raises(ValueError, match=f"`{option}` is at least 1, not 0"):
        game.batch(**{"n": 2, option: 0})
    if option == "max_plies":
        calls = [lambda: game.playouts(2, max_plies=0), lambda: rgc.play(game, ["random", "random"], max_plies=0), lambda: rgc.match(game, ["random", "random"], 2, max_plies=0)]
        for call in calls:
            with pytest.raises(ValueError, match="`max_plies` is at least 1, not 0"):
                call()


def test_what_is_observed_is_a_number_where_something_is_hidden() -> None:
    with pytest.raises(ValueError, match="`max_observed` is for games that hide something, which ticTacToe does not"):
        load("ticTacToe.hrg").batch(2, max_observed=10)
    assert load("kuhnPoker.hrg").batch(2, max_observed=10).observed.shape == (2, 10)


def test_no_more_tags_are_shown_than_there_is_room_for() -> None:
    game = load("kuhnPoker.hrg")
    for most in (2**16 + 1, 2**40):
        with pytest.raises(ValueError, match=f"`max_observed` is at most 65536, not {most}"):
            game.batch(2, max_observed=most)


@pytest.mark.parametrize("name", ["breakthrough.rbg", "kuhnPoker.hrg", "ticTacDie.hrg"])
def test_what_no_batch_has_written_is_not_read(name: str) -> None:
    batch = load(name).batch(3, seed=4)
    for _ in range(3):
        batch.step(batch.sample())
    rebuild, (game, size, options, games, kept) = batch.__reduce__()
    assert rebuild(game, size, options, games, kept).legal[1].tolist() == batch.legal[1].tolist()
    for wrong in (games[:-1], games + b"x", games + games, b"", games[::-1]):
        with pytest.raises(ValueError, match="not written by a batch of this game"):
            rebuild(game, size, options, wrong, kept)
    other = {**options, "chance": "explicit"}
    if game.has_chance:
        with pytest.raises(ValueError):
            rebuild(game, size, other, games, kept)


def test_states_that_are_pickled_together_have_the_rules_once() -> None:
    game = load("breakthrough.rbg")
    state = game.new_initial_state()
    states = [state.child(action) for action in state.legal_actions()]
    alone, together = len(pickle.dumps(states[0])), len(pickle.dumps(states))
    assert together < alone + 200 * len(states) and alone > len(game.source)
    again = pickle.loads(pickle.dumps((states, game.batch(2, seed=1), states[0].game)))
    assert again[0] == states and again[2] == game and again[1].game == game
