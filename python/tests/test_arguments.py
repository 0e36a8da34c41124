"""What arguments may be: agents of every kind, games and players by name, whole numbers; and what is said of those that may not."""

import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import rgc
from rgc import distributed
from shared import load


def last(state: rgc.State) -> int:
    """Always the last legal action, as an integer of numpy."""
    return np.int64(state.legal_actions()[-1])


def test_agents_that_were_made_play_as_their_texts() -> None:
    game = load("connectFour.hrg")
    made = game.agent("uct:20p", seed=5)
    assert rgc.play(game, [made, last], seed=2) == rgc.play(game, ["uct:20p", last], seed=2)
    match, same = (rgc.match(game, ["random", agent], 4, seed=1) for agent in (made, "uct:20p"))
    assert match.games == same.games and match.agents == ["random", "uct:20p"]
    for executor in ("serial", "local"):
        assert distributed.match(game, ["random", made], 4, seed=1, executor=executor).games == same.games
    alone = distributed.self_play(game, made, 3, seed=1, executor="serial")
    both = distributed.self_play(game, [made, made], 3, seed=1, executor="serial")
    assert alone == distributed.self_play(game, "uct:20p", 3, seed=1, executor="serial") and [one.actions for one in both] == [one.actions for one in alone]


def test_a_journal_knows_agents_that_were_made(tmp_path: Any) -> None:
    game, journal = load("ticTacToe.hrg"), tmp_path / "games.jsonl"
    games = distributed.self_play(game, game.agent("greedy"), 4, executor="serial", journal=journal)
    # The text is the same agent: nothing is played once more.
    before = journal.read_bytes()
    assert distributed.self_play(game, "greedy", 4, executor="serial", journal=journal) == games and journal.read_bytes() == before


def test_gymnasium_takes_agents_of_every_kind() -> None:
    pytest.importorskip("gymnasium")
    from rgc.gymnasium import Env

    game = load("ticTacToe.hrg")
    seen = []
    for opponent in ("greedy", game.agent("greedy", seed=9)):
        environment = Env(game, opponent=opponent)
        environment.reset(seed=4)
        environment.step(0)
        seen.append(environment.state.history())
    assert seen[0] == seen[1] and len(seen[0]) == 2
    with pytest.raises(TypeError, match="an action of .*<lambda> is an integer, not 1.5"):
        Env(game, player=1, opponent=lambda state: 1.5).reset()


def test_agents_of_other_games_are_refused() -> None:
    pytest.importorskip("gymnasium")
    from rgc.gymnasium import Env

    game, other = load("ticTacToe.hrg"), load("connectFour.hrg").agent("greedy")
    same = rgc.loads(game.source, language="hrg")
    assert rgc.play(game, [same.agent("greedy"), "greedy"]).returns
    tries = [
        lambda: Env(game, opponent=other),
        lambda: rgc.play(game, [other, "random"]),
        lambda: rgc.match(game, [other, "random"], 2),
        lambda: distributed.match(game, ["random", other], 2, executor="serial"),
        lambda: distributed.self_play(game, other, 2, executor="serial"),
        lambda: rgc.load("ticTacToe.hrg", actions="steps").agent("greedy").choose(game.new_initial_state()),
    ]
    for wrong in tries:
        with pytest.raises(ValueError, match="for another game|the agent is for <Game"):
            wrong()


WRONG_AGENTS: list[tuple[Any, type[Exception], str]] = [
    (5, TypeError, "an agent is .*, not 5"),
    (None, TypeError, "an agent is .*, not None"),
    ("no such agent", ValueError, "agent"),
]


@pytest.mark.parametrize(("agent", "raised", "said"), WRONG_AGENTS, ids=lambda value: repr(value)[:20])
def test_what_is_no_agent_is_refused_before_anybody_plays(agent: Any, raised: type[Exception], said: str) -> None:
    game, began = load("ticTacToe.hrg"), []

    def begins(state: rgc.State) -> int:
        began.append(state)
        return last(state)

    calls: list[Callable[[], Any]] = [
        lambda: rgc.play(game, [begins, agent]),
        lambda: rgc.match(game, [begins, begins, agent], 2),
        lambda: distributed.match(game, [begins, agent], 2, executor="serial"),
        lambda: distributed.self_play(game, [begins, agent], 2, executor="serial"),
        lambda: distributed.self_play(game, agent, 2, executor="serial"),
    ]
    for call in calls:
        with pytest.raises(raised, match=said):
            call()
    assert not began
    pytest.importorskip("gymnasium")
    from rgc.gymnasium import Env

    with pytest.raises(raised, match=said):
        Env(game, opponent=agent)


def test_a_single_agent_is_no_list_of_agents() -> None:
    game = load("ticTacToe.hrg")
    for agents in ("random", game.agent("random"), 5):
        for call in (lambda: rgc.match(game, agents, 2), lambda: rgc.play(game, agents), lambda: distributed.match(game, agents, 2)):
            with pytest.raises(TypeError, match="`agents` is a list"):
                call()


def test_games_by_name() -> None:
    game = load("ticTacToe.hrg")
    assert rgc.match("ticTacToe.hrg", ["random", "greedy"], 2, seed=1).games == rgc.match(game, ["random", "greedy"], 2, seed=1).games
    played = rgc.play("ticTacToe.hrg", ["random", "random"], seed=1)
    assert played == rgc.play(game, ["random", "random"], seed=1) and len(list(played.states("ticTacToe.hrg"))) == len(played.actions) + 1
    assert distributed.perft("ticTacToe.hrg", 3, executor="serial") == 504
    assert len(distributed.self_play("ticTacToe.hrg", "random", 2, executor="serial")) == 2
    assert len(distributed.match("ticTacToe.hrg", ["random"], 2, executor="serial").games) == 2
    for call in (lambda: rgc.match(5, ["random"], 2), lambda: distributed.perft(None, 2), lambda: rgc.play(5, [])):
        with pytest.raises(TypeError, match="a game is"):
            call()
    with pytest.raises(rgc.GameError):
        rgc.match("noSuchGame", ["random"], 2)


def test_players_by_name() -> None:
    pytest.importorskip("gymnasium")
    from rgc.gymnasium import Env

    game = load("connectFour.hrg")
    assert game.players == ["yellow", "red"]
    assert [Env(game, player=player).player for player in ("yellow", "red", 1, np.int8(0))] == [0, 1, 1, 0]
    for player, raised in (("crosses", ValueError), (2, ValueError), (-1, ValueError), (0.5, TypeError), (None, TypeError)):
        with pytest.raises(raised, match=r"the players of connectFour are 0 \('yellow'\), 1 \('red'\), not "):
            Env(game, player=player)


def test_nothing_is_rounded() -> None:
    pytest.importorskip("gymnasium")
    pytest.importorskip("pettingzoo")
    from rgc.gymnasium import Env, VectorEnv
    from rgc.pettingzoo import env, parallel_env

    turns = env("ticTacToe.hrg")
    turns.reset()
    one = Env("ticTacToe.hrg")
    one.reset(seed=1)
    for action in (0.7, 2.0, np.float32(1), "0", [1], None):
        if action is not None:
            with pytest.raises(TypeError, match="an action is an integer"):
                turns.step(action)
        with pytest.raises(TypeError, match="an action is an integer"):
            one.step(action)
    assert turns.state_.history() == one.state.history() == []
    turns.step(np.uint8(3))
    one.step(np.array(3))
    assert turns.state_.history() == [3] == one.state.history()[:1]
    joint = parallel_env("matchingPennies.gdl")
    joint.reset()
    with pytest.raises(TypeError, match="an action of even is an integer, not 0.5"):
        joint.step({"even": 0.5, "odd": 0})
    many = VectorEnv("ticTacToe.hrg", 2)
    many.reset()
    for actions in ([1.9, 2.0], ["1", "2"], [None, 1], [True, False]):
        with pytest.raises(TypeError, match="actions are integers"):
            many.step(actions)
    for actions in ([1], [[1, 2]], 1):
        with pytest.raises(ValueError, match="there are 2 games"):
            many.step(actions)
    assert (many.batch.ply == 0).all()
    many.step(np.array([1, 2], np.uint16))
    assert (many.batch.ply == 1).all()


@pytest.mark.parametrize("name", ["Env", "VectorEnv", "env", "parallel_env"])
def test_settings_are_looked_at_when_an_environment_is_made(name: str) -> None:
    pytest.importorskip("gymnasium")
    pytest.importorskip("pettingzoo")
    from rgc import gymnasium, pettingzoo

    make = getattr(gymnasium if "Env" in name else pettingzoo, name)
    game = load("matchingPennies.gdl")
    settings: list[tuple[dict[str, Any], type[Exception]]] = [
        ({"max_plies": -1}, ValueError),
        ({"max_plies": "a"}, TypeError),
        ({"max_plies": 2.5}, TypeError),
        ({"max_observed": -1}, ValueError),
        ({"max_observed": "a"}, TypeError),
    ]
    for setting, raised in settings:
        with pytest.raises(raised, match=f"`{next(iter(setting))}`"):
            make(game, **setting)
    for mode in () if name == "VectorEnv" else ("zz", ["ansi"], 5):
        with pytest.raises(ValueError, match="render_mode is 'ansi', 'svg' or None, not"):
            make(game, render_mode=mode)
    for most in (None, 3, np.int32(3)):
        make(game, max_plies=most).reset(seed=1)


def test_counts_are_looked_at() -> None:
    game = load("ticTacToe.hrg")
    with pytest.raises(ValueError, match="`max_plies` is at least 1, not -1"):
        rgc.play(game, ["random", "random"], max_plies=-1)
    for call in (rgc.match, distributed.match):
        with pytest.raises(ValueError, match="`games` is at least 0, not -1"):
            call(game, ["random", "random"], -1)
        with pytest.raises(TypeError, match="`games` is an integer, not 1.5"):
            call(game, ["random", "random"], 1.5)
    with pytest.raises(ValueError, match="`depth` is at least 0, not -1"):
        distributed.perft(game, -1)
    with pytest.raises(TypeError, match="`workers` is an integer"):
        distributed.perft(game, 2, executor=rgc.executors.Local(1.5))


def test_agents_of_a_match_are_looked_up() -> None:
    match = rgc.match(load("ticTacToe.hrg"), ["random", "greedy"], 2)
    for call in (lambda: match.result(5, 0), lambda: match.result(0, -1), lambda: match.mean_returns(2)):
        with pytest.raises(ValueError, match="the agents are the numbers from 0 to 1"):
            call()
    assert match.result(np.int64(1), 0) == match.result(1, 0)


def test_pettingzoo_before_the_first_reset_and_after_the_end() -> None:
    pytest.importorskip("pettingzoo")
    from gymnasium.error import ResetNeeded

    from rgc.pettingzoo import env

    environment = env("ticTacToe.hrg", render_mode="ansi")
    for name in ("agent_selection", "rewards", "terminations", "truncations", "infos"):
        assert not hasattr(environment, name)
        with pytest.raises(AttributeError, match=r"call reset\(\) first"):
            getattr(environment, name)
    with pytest.raises(AttributeError, match="has no attribute 'reward'"):
        environment.reward
    needy: list[Callable[[], Any]] = [environment.last, lambda: environment.step(0), environment.agent_iter, environment.render, environment.state, lambda: environment.observe("noughts")]
    for call in needy:
        with pytest.raises(ResetNeeded, match=r"call reset\(\) first"):
            call()
    environment.reset()
    first, second = environment.possible_agents
    with pytest.raises(ValueError, match=f"{first} has to choose an action: None is for"):
        environment.step(None)
    with pytest.raises(ValueError, match=f"the agents are {first}, {second}, not eve"):
        environment.observe("eve")
    # Who has three in a row at once wins.
    for action in (0, 3, 1, 4, 2):
        environment.step(action)
    assert environment.terminations == {first: True, second: True} and environment.agents == [first, second]
    rewards = {}
    for _ in range(2):
        agent = environment.agent_selection
        observation, rewards[agent], over, _, _ = environment.last()
        assert over and not observation["action_mask"].any()
        with pytest.raises(ValueError, match="only valid action is None"):
            environment.step(0)
        environment.step(None)
        assert agent not in environment.agents
    assert rewards == {first: 100.0, second: 0.0} and list(environment.agent_iter()) == []
    for call in (environment.last, lambda: environment.step(None), lambda: environment.step(5)):
        with pytest.raises(ResetNeeded, match="over for all agents"):
            call()
    # Also if not all agents knew of the end.
    environment.reset()
    assert environment.agents == [first, second] and environment.agent_selection == first


@pytest.mark.parametrize("name", ["ticTacToe.hrg", "kuhnPoker.hrg"])
def test_observations_of_many_games_may_be_kept(name: str) -> None:
    pytest.importorskip("gymnasium")
    from rgc.gymnasium import VectorEnv

    def arrays(returned: Any) -> list[np.ndarray]:
        """All arrays in what was returned."""
        if isinstance(returned, np.ndarray):
            return [returned]
        parts = returned.values() if isinstance(returned, dict) else returned
        return [array for part in parts for array in arrays(part)]

    environment, same = (VectorEnv(load(name), 8, copy=copy) for copy in (True, False))
    for many in (environment, same):
        assert many.copy == (many is environment)
    kept = [environment.reset(seed=1)]
    same.reset(seed=1)
    before = [[array.copy() for array in arrays(returned)] for returned in kept]
    for _ in range(12):
        actions = environment.batch.sample().copy()
        kept.append(environment.step(actions))
        before.append([array.copy() for array in arrays(kept[-1])])
        observation, *_ = same.step(actions)
        assert all((observation[key] == kept[-1][0][key]).all() for key in observation)
    for returned, then in zip(kept, before, strict=True):
        assert all((array == old).all() for array, old in zip(arrays(returned), then, strict=True))
    assert not any(np.shares_memory(one, other) for one in arrays(kept[-1]) for other in arrays(kept[-2]))
    again, *_ = same.step(same.batch.sample())
    assert np.shares_memory(again["observation"], observation["observation"])


def test_the_end_of_games_is_observed() -> None:
    pytest.importorskip("gymnasium")
    from rgc.gymnasium import Env, VectorEnv

    game = load("ticTacToe.hrg")
    state = game.new_initial_state()
    moves = (0, 3, 1, 4, 2)
    for action in moves:
        state.apply_action(action)
    one, many, first = Env(game, opponent=lambda state: moves[state.plies]), VectorEnv(game, 1), VectorEnv(game, 1, autoreset="disabled")
    start, _ = many.reset()
    one.reset()
    first.reset()
    for action in moves:
        begun, _, done, _, info = many.step([action])
        ended, *_ = first.step([action])
    for action in moves[::2]:
        observation, _, over, _, _ = one.step(action)
    assert over and done.all() and info["_final_obs"].all()
    for seen in (observation["observation"], info["final_obs"][0], ended["observation"][0]):
        assert (seen == state.observation_tensor(0)).all()
    assert not observation["action_mask"].any() and not ended["action_mask"].any()
    assert (begun["observation"] == start["observation"]).all() and begun["action_mask"].all()


def test_settings_of_many_games() -> None:
    pytest.importorskip("gymnasium")
    from gymnasium.vector import AutoresetMode

    from rgc.gymnasium import VectorEnv

    game = load("ticTacDie.hrg")
    with pytest.raises(ValueError, match="`autoreset` is 'same_step', 'next_step', 'disabled', or .*, not 'bogus'"):
        VectorEnv(game, 2, autoreset="bogus")
    assert VectorEnv(game, 2, autoreset=AutoresetMode.NEXT_STEP).metadata == VectorEnv(game, 2, autoreset="next_step").metadata
    many = VectorEnv(game, 4)

    def drawn(seed: Any) -> list[int]:
        """What is drawn with a seed."""
        many.reset(seed=seed)
        found: list[int] = []
        for _ in range(6):
            actions = many.batch.sample().copy()
            found += [*actions.tolist(), *many.batch.mask.nonzero()[1].tolist()]
            many.step(actions)
        return found

    assert drawn([1, 2, 3, 4]) == drawn(np.array([1, 2, 3, 4])) == drawn((1, 2, 3, 4))
    # One seed stands for the following ones, too, as in Gymnasium.
    assert drawn([1, 2, 3, 4]) != drawn([1, 2, 3, 5]) and drawn(7) == drawn(np.int64(7)) == drawn([7, 8, 9, 10])
    alone = VectorEnv(game, 1)

    def masks(environment: VectorEnv, seed: Any, number: int) -> list[list[bool]]:
        """What is legal in a game after some seed."""
        environment.reset(seed=seed)
        return [environment.step(environment.batch.sample())[4]["action_mask"][number].tolist() for _ in range(12)]

    # What a game draws depends on its own seed alone, neither on its number nor on the seeds of others.
    assert masks(many, [5, 6, 5, 6], 0) == masks(many, [1, 2, 5, 3], 2) == masks(alone, [5], 0) == masks(alone, 5, 0) != masks(many, [5, 6, 5, 6], 1)
    many.reset(seed=[None, 5, None, None])
    for seed, raised in (([1, 2], ValueError), ([1, 2, 3, -4], ValueError), (-1, ValueError), (1.5, TypeError), ("abcd", TypeError), ([1, 2, 3, 0.5], TypeError)):
        with pytest.raises(raised, match="`seed` is"):
            many.reset(seed=seed)


def test_actions_and_utilities_are_the_same_everywhere() -> None:
    pytest.importorskip("gymnasium")
    pytest.importorskip("pettingzoo")
    from rgc import gymnasium, pettingzoo

    worth: dict[str | int, float] = {100: 1, 50: 0, 0: -1}
    name, given = "ticTacToe.rbg", {"actions": "places", "utilities": worth}
    wanted = rgc.load(name, **given)
    for game in (name, load(name), wanted):
        made = [gymnasium.Env(game, **given).game, gymnasium.VectorEnv(game, 2, **given).game, pettingzoo.env(game, **given).game]
        assert made == [wanted] * 3 and made[0].num_actions == 9
        played = rgc.play(game, ["random", "random"], seed=1, **given)
        assert played == rgc.play(wanted, ["random", "random"], seed=1) and set(played.returns) <= {1, 0, -1}
        assert rgc.match(game, ["random", "greedy"], 2, seed=1, **given).games == rgc.match(wanted, ["random", "greedy"], 2, seed=1).games
        assert distributed.self_play(game, "random", 2, seed=1, executor="serial", **given) == distributed.self_play(wanted, "random", 2, seed=1, executor="serial")
        assert distributed.match(game, ["random", "random"], 2, seed=1, executor="serial", **given).games == distributed.match(wanted, ["random", "random"], 2, seed=1, executor="serial").games
        assert distributed.perft(game, 3, executor="serial", **given) == 504
    # What is not given stays as it is.
    assert gymnasium.Env(wanted, actions="steps").game.utilities == wanted.utilities
    assert gymnasium.Env(wanted, utilities={0: 7}).game.num_actions == 9
    makers: list[Callable[..., Any]] = [gymnasium.Env, lambda game, **options: gymnasium.VectorEnv(game, 2, **options), pettingzoo.env, pettingzoo.parallel_env, lambda game, **options: rgc.play(game, ["random", "random"], **options)]
    for make in makers:
        for game in (name, wanted):
            with pytest.raises(ValueError, match='actions are "auto", "moves", "steps" or "places", not "tags"'):
                make(game, actions="tags")
            with pytest.raises(ValueError, match="there is no score `win`: the scores are"):
                make(game, utilities={"win": 1})
            with pytest.raises(TypeError, match="utilities"):
                make(game, utilities=[1, 2])


def test_actions_and_utilities_are_parameters_of_openspiel() -> None:
    pyspiel = pytest.importorskip("pyspiel")
    from rgc import openspiel

    game = pyspiel.load_game("rgc_ticTacToe_rbg(actions=places,utilities=100:1;50:0;0:-1)")
    assert game.num_distinct_actions() == 9 and game.max_utility() == 1
    assert game.rules == openspiel.game("ticTacToe.rbg", actions="places", utilities={100: 1, 50: 0, 0: -1}).rules
    assert pickle.loads(pickle.dumps(game)).rules == game.rules
    for wrong in ("actions=tags", "utilities=100", "utilities=win:1", "utilities=100:x"):
        with pytest.raises(pyspiel.SpielError):
            pyspiel.load_game(f"rgc_ticTacToe_rbg({wrong})")
