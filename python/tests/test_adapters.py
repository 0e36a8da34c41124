"""PettingZoo, Gymnasium and OpenSpiel, by their own tests where they have some. Each is skipped where it is not installed."""

import pickle
import random
import subprocess
import sys
import warnings
from functools import reduce
from operator import xor

import numpy as np
import pytest

import rgc
from shared import load


@pytest.mark.parametrize("name", ["ticTacToe.hrg", "breakthrough.rbg", "chess.rbg", "kuhnPoker.hrg", "ticTacDie.hrg", "chaturanga.sbg"])
def test_pettingzoo_by_its_own_tests(name: str) -> None:
    pytest.importorskip("pettingzoo")
    from pettingzoo.test import api_test, seed_test

    from rgc.pettingzoo import env

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        game, cycles = load(name), 30 if name == "chess.rbg" else 100
        api_test(env(game, max_plies=200), num_cycles=cycles)
        seed_test(lambda: env(game, max_plies=200), num_cycles=cycles // 2)


def test_pettingzoo_plays_joint_games() -> None:
    pytest.importorskip("pettingzoo")
    from gymnasium.error import ResetNeeded
    from pettingzoo.test import parallel_api_test, parallel_seed_test

    from rgc.pettingzoo import parallel_env

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        parallel_api_test(parallel_env("matchingPennies.gdl"), num_cycles=50)
        parallel_seed_test(lambda: parallel_env("matchingPennies.gdl"), num_cycles=20)
    environment = parallel_env("matchingPennies.gdl", render_mode="ansi")
    observations, infos = environment.reset()
    while environment.agents:
        with pytest.raises(ValueError, match="has to choose"):
            environment.step({})
        actions = {agent: int(info["action_mask"].nonzero()[0][0]) for agent, info in infos.items()}
        before = observations
        observations, rewards, over, cut, infos = environment.step(actions)
        assert set(observations) == set(rewards) == set(over) == set(cut) == set(before)
    assert sorted(rewards.values()) == [0.0, 100.0] and all(over.values()) and environment.render()
    with pytest.raises(ResetNeeded):
        environment.step(actions)
    environment.reset()
    with pytest.raises(ValueError, match="the agents are even, odd, not eve"):
        environment.step({**actions, "eve": 0})
    with pytest.raises(ValueError, match="in turn"):
        parallel_env("ticTacToe.hrg")
    with pytest.raises(ValueError, match='actions="moves"'):
        parallel_env(load("matchingPennies.gdl", actions="steps"))


# Chance ends about half of the plays before anybody has moved; else the player takes its only action.
COIN = """
type Player = { solo };
type Score = { 0, 50, 100 };
begin, toss: player = random;
toss, lucky: $ heads;
toss, unlucky: $ tails;
lucky, won: player = keeper;
won, over: goals[solo] = 100;
unlucky, turn: player = solo;
turn, taken: $ take;
taken, lost: player = keeper;
lost, over: goals[solo] = 50;
over, end: player = keeper;
"""


def test_pettingzoo_tells_games_that_chance_ends_at_once() -> None:
    pytest.importorskip("pettingzoo")
    from rgc.pettingzoo import env

    environment, totals = env(rgc.loads(COIN, language="rg")), []
    for seed in range(10):
        environment.reset(seed=seed)
        total = 0.0
        for _ in environment.agent_iter():
            observation, reward, termination, _, _ = environment.last()
            total += reward
            environment.step(None if termination else observation["action_mask"].argmax())
        totals.append(total)
    assert set(totals) == {50.0, 100.0}


def test_gymnasium_tells_games_that_chance_ends_at_once() -> None:
    gymnasium = pytest.importorskip("gymnasium")
    from rgc.gymnasium import Env

    environment, rewards = Env(rgc.loads(COIN, language="rg")), set()
    for seed in range(10):
        observation, _ = environment.reset(seed=seed)
        _, reward, over, cut, info = environment.step(int(observation["action_mask"].argmax()))
        assert over and not cut and "illegal" not in info
        rewards.add(reward)
        with pytest.raises(gymnasium.error.ResetNeeded):
            environment.step(0)
    assert rewards == {50.0, 100.0}


def test_pettingzoo_plays_whole_games() -> None:
    pytest.importorskip("pettingzoo")
    from gymnasium.error import ResetNeeded

    from rgc.pettingzoo import env

    environment = env("connectFour.hrg", render_mode="ansi")
    for seed in range(5):
        environment.reset(seed=seed)
        rng, totals = np.random.default_rng(seed), dict.fromkeys(environment.possible_agents, 0.0)
        for agent in environment.agent_iter():
            observation, reward, termination, truncation, info = environment.last()
            totals[agent] += reward
            over = termination or truncation
            assert (observation["action_mask"] == info["action_mask"]).all()
            environment.step(None if over else rng.choice(observation["action_mask"].nonzero()[0]))
        assert sorted(totals.values()) in ([0.0, 100.0], [50.0, 50.0])
    with pytest.raises(rgc.IllegalAction):
        environment.reset()
        environment.step(42)
    unready = env(load("ticTacToe.hrg"))
    for too_early in (unready.last, lambda: unready.step(0)):
        with pytest.raises(ResetNeeded):
            too_early()
    with pytest.raises(ValueError, match="not 'human'"):
        env(load("ticTacToe.hrg"), render_mode="human")


@pytest.mark.parametrize("name", ["ticTacToe.hrg", "chess.rbg", "kuhnPoker.hrg"])
def test_gymnasium_by_its_own_test(name: str) -> None:
    gymnasium = pytest.importorskip("gymnasium")
    from gymnasium.utils.env_checker import check_env

    import rgc.gymnasium

    assert rgc.gymnasium is not None
    environment = gymnasium.make("rgc/Game-v0", game=load(name), max_plies=20 if name == "chess.rbg" else 60)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        check_env(environment.unwrapped, skip_render_check=True)


def test_gymnasium_against_opponents() -> None:
    gymnasium = pytest.importorskip("gymnasium")
    from rgc.gymnasium import Env

    rng = np.random.default_rng(1)
    for player in (0, 1):
        environment = Env("ticTacToe.hrg", player=player, opponent="greedy", render_mode="ansi")
        observation, info = environment.reset(seed=3)
        over, reward = False, 0.0
        while not over:
            assert environment.state.current_player() == player
            observation, reward, over, cut, info = environment.step(rng.choice(info["action_mask"].nonzero()[0]))
            assert not cut and environment.observation_space.contains(observation)
        assert reward in (0.0, 50.0, 100.0) and environment.render()
    observation, info = environment.reset()
    environment.step(int(info["action_mask"].nonzero()[0][0]))
    taken = int((1 - environment.state.legal_actions_mask().astype(int)).nonzero()[0][0])
    _, reward, over, _, info = environment.step(taken)
    assert over and info["illegal"] and reward == 0.0
    with pytest.raises(gymnasium.error.ResetNeeded):
        environment.step(0)
    first = Env("ticTacToe.hrg", opponent=lambda state: state.legal_actions()[0])
    first.reset()
    first.step(8)
    assert first.state.history() == [8, 0]


@pytest.mark.parametrize("autoreset", ["same_step", "next_step", "disabled"])
def test_gymnasium_vectors(autoreset: str) -> None:
    pytest.importorskip("gymnasium")
    from rgc.gymnasium import VectorEnv

    environment = VectorEnv("ticTacToe.hrg", 16, autoreset=autoreset)
    observation, info = environment.reset(seed=1)
    ended = 0
    for _ in range(40):
        assert environment.observation_space.contains(observation)
        observation, rewards, done, truncated, info = environment.step(environment.batch.sample())
        assert rewards.shape == done.shape == truncated.shape == (16,)
        ended += int(done.sum())
        if autoreset == "disabled" and (environment.batch.current_player == -4).any():
            environment.reset(options={"reset_mask": environment.batch.current_player == -4})
        if autoreset == "same_step" and done.any():
            assert (info["_final_obs"] == done).all()
    assert ended > 16


def test_gymnasium_imports_the_module_that_a_name_has() -> None:
    """In a process that has not imported it."""
    pytest.importorskip("gymnasium")
    program = """
import gymnasium
name, options = "rgc.gymnasium:rgc/Game-v0", {"game": "ticTacToe.hrg"}
assert gymnasium.make(name, opponent="random", **options).reset(seed=1)[0]["action_mask"].all()
assert gymnasium.make_vec(name, num_envs=2, **options).reset(seed=1)[0]["action_mask"].shape == (2, 9)
"""
    subprocess.run([sys.executable, "-c", program], check=True)


def test_gymnasium_makes_many_games_with_opponents_or_without() -> None:
    gymnasium = pytest.importorskip("gymnasium")
    import rgc.gymnasium

    with pytest.raises(TypeError, match="a `VectorEnv` has no 'opponent', 'player': the caller acts for all players.*vectorization_mode"):
        gymnasium.make_vec("rgc/Game-v0", num_envs=2, game="ticTacToe.hrg", opponent="random", player=1)
    with pytest.raises(TypeError, match="a `VectorEnv` has no 'thread'$"):
        rgc.gymnasium.VectorEnv("ticTacToe.hrg", 2, thread=3)
    many = gymnasium.make_vec("rgc/Game-v0", num_envs=3, game="ticTacToe.hrg")
    _, info = many.reset(seed=1)
    assert info["current_player"].tolist() == [0] * 3 and type(many.unwrapped).__name__ == "VectorEnv"
    # An environment for each game, as the message says.
    many = gymnasium.make_vec("rgc/Game-v0", num_envs=3, vectorization_mode="sync", game="ticTacToe.hrg", opponent="random", player=1)
    observation, info = many.reset(seed=1)
    ended = 0
    for _ in range(30):
        mask = observation["action_mask"]
        observation, rewards, over, cut, info = many.step(np.where(mask.any(axis=1), mask.argmax(axis=1), 0))
        ended += int(over.sum())
    assert ended > 3 and not cut.any()


NAMES = ["rgc_ticTacToe", "rgc_breakthrough_rbg", "rgc_kuhnPoker", "rgc_ticTacDie", "rgc_chess"]


@pytest.mark.parametrize("name", NAMES)
def test_openspiel_by_its_own_test(name: str) -> None:
    pyspiel = pytest.importorskip("pyspiel")
    import rgc.openspiel

    assert rgc.openspiel is not None
    game = pyspiel.load_game(name)
    assert game.get_type().short_name == name
    rng = random.Random(1)
    state = game.new_initial_state()
    while not state.is_terminal() and len(state.history()) < 40:
        assert state.clone().history() == state.history()
        legal = state.legal_actions()
        assert legal == [action for action in legal if action in state.rgc.legal_actions()]
        state.apply_action(rng.choice(legal))
    if name != "rgc_chess":
        pyspiel.random_sim_test(game, num_sims=1 if "breakthrough" in name else 3, serialize=False, verbose=False)


def count(state: "object", depth: int) -> int:
    if depth == 0:
        return 1
    return sum(count(state.child(action), depth - 1) for action in state.legal_actions())


@pytest.mark.parametrize(("ours", "theirs"), [("rgc_breakthrough_rbg", "breakthrough"), ("rgc_connectFour_hrg", "connect_four"), ("rgc_ticTacToe_hrg", "tic_tac_toe"), ("rgc_kuhnPoker", "kuhn_poker")])
def test_openspiel_has_the_same_games(ours: str, theirs: str) -> None:
    pyspiel = pytest.importorskip("pyspiel")
    import rgc.openspiel

    assert rgc.openspiel is not None
    counts = [[count(pyspiel.load_game(name).new_initial_state(), depth) for depth in range(1, 4)] for name in (ours, theirs)]
    assert counts[0] == counts[1]


def test_openspiel_knows_sums_and_tensors() -> None:
    pyspiel = pytest.importorskip("pyspiel")
    import rgc.openspiel

    assert rgc.openspiel is not None
    utility = pyspiel.GameType.Utility
    game = pyspiel.load_game("rgc_connectFour_hrg")
    # 100, 50 or 0 are won there.
    assert game.get_type().utility == utility.ZERO_SUM and game.utility_sum() == 0 and (game.min_utility(), game.max_utility()) == (-50, 50)
    assert pyspiel.load_game("rgc_backgammon").get_type().utility == utility.GENERAL_SUM
    state = game.new_initial_state()
    assert state.string_to_action("d") == state.string_to_action(0, "d") in state.legal_actions()
    hidden = pyspiel.load_game("rgc_kuhnPoker")
    seen = set()
    for first in range(3):
        state = hidden.new_initial_state()
        state.apply_action(state.legal_actions()[first])
        state.apply_action(state.legal_actions()[0])
        observer = hidden.make_py_observer()
        observer.set_from(state, 0)
        assert observer.tensor.sum() == 2 and observer.dict["player"].tolist() == [1, 0]
        assert hidden.rules.tags[observer.dict["observed"][-1].argmax()] in state.information_state_string(0)
        seen.add(observer.tensor.tobytes())
    assert len(seen) == 3


def test_openspiel_solves_games() -> None:
    pytest.importorskip("pyspiel")
    import pyspiel
    from open_spiel.python.algorithms import cfr, exploitability, expected_game_score, minimax

    import rgc.openspiel

    assert rgc.openspiel is not None
    game = pyspiel.load_game("rgc_nim_hrg")
    # Who is to move loses exactly if the heaps, as binary numbers, have no bit in an odd number of them (Bouton, 1901).
    for heaps in ((1, 3, 2, 0), (1, 2, 4, 0), (1, 3, 0, 2), (0, 1, 5, 4), (1, 1, 1, 3)):
        state = game.new_initial_state()
        for heap, left in enumerate(heaps):
            if left < 2 * heap + 1:
                state.apply_action(state.string_to_action(f"{'abcd'[heap]} {left}"))
        mover = state.current_player()
        is_lost = reduce(xor, heaps) == 0
        assert minimax.alpha_beta_search(game, state, maximizing_player_id=mover)[0] == (-50 if is_lost else 50), heaps
    game = pyspiel.load_game("rgc_kuhnPoker")
    solver = cfr.CFRSolver(game)
    for _ in range(60):
        solver.evaluate_and_update_policy()
    policy = solver.average_policy()
    assert exploitability.nash_conv(game, policy) < 0.1
    # What the game is worth to who begins is known.
    values = expected_game_score.policy_value(game.new_initial_state(), [policy, policy])
    assert values[0] == pytest.approx(-1 / 18, abs=0.02)


@pytest.mark.parametrize("name", ["rgc_ticTacToe", "rgc_chess_rbg", "rgc_leducPoker"])
def test_openspiel_games_are_pickled(name: str) -> None:
    pyspiel = pytest.importorskip("pyspiel")
    import rgc.openspiel

    assert rgc.openspiel is not None
    game, rng = pyspiel.load_game(name), random.Random(1)
    state = game.new_initial_state()
    for _ in range(4):
        state.apply_action(rng.choice(state.legal_actions()))
    other_game, other = pickle.loads(pickle.dumps((game, state)))
    assert other_game.get_type().short_name == name and other_game.rules == game.rules
    assert other.history() == state.history() and str(other) == str(state) and other.legal_actions() == state.legal_actions()


@pytest.mark.parametrize("name", ["rgc_ticTacToe_hrg", "tic_tac_toe", "rgc_kuhnPoker", "kuhn_poker"])
def test_openspiel_has_actions_for_who_is_to_move_alone(name: str) -> None:
    """As its own games do."""
    pyspiel = pytest.importorskip("pyspiel")
    import rgc.openspiel

    assert rgc.openspiel is not None
    game, rng = pyspiel.load_game(name), random.Random(1)
    state = game.new_initial_state()
    ended = False
    while not ended:
        ended, legal = state.is_terminal(), state.legal_actions()
        assert bool(legal) != ended
        for player in (-1, -2, -3, -4, -5, 0, 1, 7):
            wanted = legal if player == state.current_player() else []
            assert state.legal_actions(player) == wanted
            if player >= 0:
                mask = state.legal_actions_mask(player)
                assert len(mask) == game.num_distinct_actions() and [action for action, one in enumerate(mask) if one] == wanted
        if not ended:
            state.apply_action(rng.choice(legal))


def test_openspiel_searches() -> None:
    pyspiel = pytest.importorskip("pyspiel")
    from open_spiel.python.algorithms import mcts

    import rgc.openspiel

    assert rgc.openspiel is not None
    game = pyspiel.load_game("rgc_ticTacToe_hrg")
    rng = np.random.RandomState(1)
    bot = mcts.MCTSBot(game, 1.4, 60, mcts.RandomRolloutEvaluator(1, rng), random_state=rng)
    state = game.new_initial_state()
    while not state.is_terminal():
        state.apply_action(bot.step(state) if state.current_player() == 0 else rng.choice(state.legal_actions()))
    assert state.returns()[0] >= state.returns()[1]


def test_openspiel_reads_files(tmp_path: "object") -> None:
    pyspiel = pytest.importorskip("pyspiel")
    import rgc.openspiel

    assert rgc.openspiel is not None
    path = tmp_path / "mine.hrg"
    path.write_text(load("ticTacToe.hrg").source)
    game = pyspiel.load_game("rgc", {"path": str(path)})
    assert game.num_distinct_actions() == 9
    # What was pickled keeps its rules, whatever becomes of the file.
    pickled = pickle.dumps(game.new_initial_state())
    path.write_text(load("connectFour.hrg").source)
    state, again = pickle.loads(pickled), pickle.loads(pickled)
    assert state.get_game().rules == game.rules and state.get_game().rules is again.get_game().rules
    with pytest.raises(pyspiel.SpielError):
        pyspiel.load_game("rgc")


def test_openspiel_games_are_read_from_their_texts(tmp_path: "object") -> None:
    pyspiel = pytest.importorskip("pyspiel")
    import rgc.openspiel

    path = tmp_path / "mine (1).hrg"
    path.write_text(load("ticTacToe.hrg").source)
    worth = {"100": 1, "50": 0.5, "0": -1}
    games = [
        rgc.openspiel.game("ticTacToe.rbg", actions="places", utilities=worth),
        rgc.openspiel.game(load("kuhnPoker.hrg"), max_observed=12),
        rgc.openspiel.game(rgc.loads(load("ticTacToe.hrg").source + "\n// mine\n", name="mine"), utilities=worth),
        rgc.openspiel.game(path),
        rgc.openspiel.game("hex5.rbg", utility="zero_sum"),
    ]
    for game in games:
        again = pyspiel.load_game(str(game))
        assert again.rules == game.rules and again.rules.utilities == game.rules.utilities and str(again) == str(game)
        assert again.get_type().utility == game.get_type().utility and again.max_observed == game.max_observed
    assert "path=ticTacToe.rbg" in str(games[0]) and "path=kuhnPoker.hrg" in str(games[1]) and "rules=" in str(games[2])
    for twice in ("100:1;50:0;100:0", "0:1; 0:2"):
        with pytest.raises(pyspiel.SpielError, match="say twice what the score"):
            pyspiel.load_game(f"rgc_ticTacToe_rbg(utilities={twice})")
    for wrong in ("rgc(rules=abc)", "rgc()", "rgc(rules=!)"):
        with pytest.raises(pyspiel.SpielError):
            pyspiel.load_game(wrong)


def test_openspiel_tensors_are_as_long_as_is_said() -> None:
    pyspiel = pytest.importorskip("pyspiel")
    import rgc.openspiel

    assert pyspiel.load_game("rgc_kuhnPoker").information_state_tensor_shape() == [2 + 64 * len(load("kuhnPoker.hrg").tags)]
    for game in (pyspiel.load_game("rgc_kuhnPoker(max_observed=4)"), rgc.openspiel.game("kuhnPoker.hrg", max_observed=4)):
        length = 2 + 4 * len(game.rules.tags)
        assert game.information_state_tensor_shape() == [length]
        state = game.new_initial_state()
        while not state.is_terminal():
            state.apply_action(state.legal_actions()[0])
        assert len(state.information_state_tensor(0)) == length and pickle.loads(pickle.dumps(game)).max_observed == 4
    for wrong in ("rgc_ticTacToe(max_observed=4)", "rgc_kuhnPoker(max_observed=-1)"):
        with pytest.raises(pyspiel.SpielError, match="`max_observed` is"):
            pyspiel.load_game(wrong)


def test_options_of_a_reset_are_known() -> None:
    pytest.importorskip("gymnasium")
    from rgc.gymnasium import Env, VectorEnv

    game = load("ticTacToe.hrg")
    state = game.new_initial_state()
    state.apply_action(4)
    many = VectorEnv(game, 3)
    for environment, option in ((many, "state"), (Env(game), "states")):
        with pytest.raises(ValueError, match=f"there is no option '{option}': `options` may have"):
            environment.reset(options={option: 3})
    with pytest.raises(TypeError, match="`states` is a state"):
        many.reset(options={"states": 3})
    many.reset(options={"states": state, "reset_mask": np.array([True, False, True])})
    assert many.batch.ply.tolist() == [1, 0, 1]
    Env(game).reset(options={})
    for setting in ({"max_observed": 3}, {"max_plies": 0}):
        for make in (Env, VectorEnv):
            with pytest.raises(ValueError, match=f"`{next(iter(setting))}` is"):
                make(game, **setting)


def test_pettingzoo_names_the_version_in_which_players_move_at_once() -> None:
    pytest.importorskip("pettingzoo")
    from rgc.pettingzoo import parallel_env

    with pytest.raises(ValueError, match=r"act in turn: use `env`, or matchingPennies.gdl, where they act at once"):
        parallel_env("matchingPennies")
    with pytest.raises(ValueError, match="act in turn: use `env`$"):
        parallel_env("breakthrough.rbg")


def test_last_observations_show_the_last_position() -> None:
    pytest.importorskip("gymnasium")
    pytest.importorskip("pettingzoo")
    from rgc.gymnasium import Env, VectorEnv
    from rgc.pettingzoo import env

    game, moves = load("ticTacToe.hrg"), (0, 3, 1, 4, 2)
    state = game.new_initial_state()
    turns, many = env(game), VectorEnv(game, 1)
    one = Env(game, opponent=lambda state: moves[state.plies])
    turns.reset()
    many.reset()
    one.reset()
    for action in moves:
        before = state.observation_tensor(0)
        state.apply_action(action)
        turns.step(action)
        info = many.step([action])[4]
        if state.plies % 2:
            shown = one.step(action)[0]
    last = state.observation_tensor(0)
    assert state.is_terminal() and (last != before).any()
    cells = [channel for channel in range(len(game.channels)) if game.channels[channel] in ("board = x", "board = o")]
    assert last[cells].sum() == len(moves)
    for seen in (turns.observe("crosses")["observation"], info["final_obs"][0], shown["observation"]):
        assert (seen == last).all()
