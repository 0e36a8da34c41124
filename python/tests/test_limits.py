"""What `max_plies` and numbers of moves count: the moves of players, wherever a game is played."""

import random
from itertools import pairwise
from typing import Any

import pytest

import rgc
from shared import load

NAMES = ["ticTacDie.hrg", "leducPoker.hrg", "backgammon.hrg", "chess.rbg", "connectFour.hrg"]


def moves_of_players(state: rgc.State) -> int:
    """The moves that players have made, counted one by one."""
    states = [state.game.new_initial_state()]
    for action in state.history():
        states.append(states[-1].child(action))
    whole = [(before, after) for before, after in pairwise(states) if not before.is_chance_node() and (state.game.action_kind == "moves" or after.plies > before.plies)]
    return len(whole)


def looked_at(state: rgc.State, most: int, is_cut: bool) -> None:
    """Looks at the last state of a game that was to have so many moves at most."""
    assert state.plies == moves_of_players(state) <= most
    # Chance has answered the last move: whether the game goes on is known.
    assert is_cut == (not state.is_terminal()) and not state.is_chance_node()
    assert not is_cut or state.plies == most


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("most", [1, 2, 4])
def test_limits_count_moves_of_players(name: str, most: int) -> None:
    game, rng = load(name), random.Random(most)
    for seed in range(4):
        played = rgc.play(game, ["random"] * game.num_players, seed=seed, max_plies=most)
        looked_at(played.states(game)[-1], most, played.truncated)
    found = game.playouts(6, seed=1, max_plies=most)
    assert found["truncated_plies"] == most * found["truncated"] <= found["plies"] <= most * found["plays"]
    assert all(sum(scores.values()) == found["plays"] - found["truncated"] for scores in found["scores"].values())
    batch = game.batch(8, seed=1, autoreset="disabled", max_plies=most)
    while not (batch.current_player < 0).all() and not (batch.truncated | batch.done).all():
        batch.step(batch.sample())
        for index in range(8):
            state = batch.state(index)
            assert state.plies == batch.ply[index]
            if batch.truncated[index] or batch.done[index]:
                looked_at(state, most, bool(batch.truncated[index]))
    # Where the caller draws for chance, games are cut off at the same place.
    for index in range(8):
        history = batch.state(index).history()
        explicit = game.batch(1, chance="explicit", autoreset="disabled", max_plies=most)
        for taken, action in enumerate(history, 1):
            assert not explicit.truncated.any() and not explicit.done.any()
            explicit.step([action])
            assert explicit.ply[0] == explicit.state(0).plies and explicit.state(0).history() == history[:taken]
        assert (explicit.truncated[0], explicit.done[0]) == (batch.truncated[index], batch.done[index])
    # And where games begin in states.
    state = batch.state(0)
    explicit.reset(states=state)
    assert explicit.ply.tolist() == [state.plies] == [batch.ply[0]]
    adapters(game, most, rng)


def adapters(game: rgc.Game, most: int, rng: random.Random) -> None:
    """The same for environments."""
    pytest.importorskip("gymnasium")
    pytest.importorskip("pettingzoo")
    from rgc.gymnasium import Env
    from rgc.pettingzoo import env

    for player in range(game.num_players):
        one: Any = Env(game, player=player, max_plies=most)
        _, info = one.reset(seed=player)
        over = cut = False
        while not (over or cut):
            legal = info["action_mask"].nonzero()[0]
            _, _, over, cut, info = one.step(int(rng.choice(legal)) if len(legal) else 0)
        looked_at(one.state, most, cut)
    turns = env(game, max_plies=most)
    turns.reset(seed=1)
    for agent in turns.agent_iter():
        observation, _, over, cut, _ = turns.last()
        turns.step(None if over or cut else int(rng.choice(observation["action_mask"].nonzero()[0])))
        if over or cut:
            looked_at(turns.state_, most, cut)


# Chance goes on for ever.
ENDLESS = """
type Player = { a };  type Score = { 0 };  type C = { x, y };  var c: C = x;
begin, m: player = a;  m, n: $ go;  n, a: player = random;  a, b: c = C(*);  b, t: $$ c;  t, u: player = keeper;  u, a: player = random;
"""


def test_chance_without_end_is_an_error() -> None:
    game = rgc.loads(ENDLESS, language="rg")
    with pytest.raises(rgc.GameError, match="`random` takes 10000 actions in a row") as caught:
        rgc.play(game, ["random"], seed=1, max_plies=3)
    assert caught.value.findings == []
    with pytest.raises(rgc.GameError, match="in a row"):
        game.batch(1).step([0])
    pytest.importorskip("gymnasium")
    pytest.importorskip("pettingzoo")
    from rgc.gymnasium import Env
    from rgc.pettingzoo import env

    one, turns = Env(game), env(game)
    one.reset(seed=1)
    turns.reset(seed=1)
    for step in (one.step, turns.step):
        with pytest.raises(rgc.GameError, match="in a row"):
            step(0)
