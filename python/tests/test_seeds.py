"""What is drawn without a seed differs every time; with one, it is the same."""

import inspect
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rgc
from rgc import distributed
from shared import load


def sampled(**options: Any) -> Any:
    batch = load("breakthrough.rbg").batch(16, **options)
    return [batch.sample().tolist() for _ in range(3)]


def resampled(**options: Any) -> Any:
    state = load("leducPoker.hrg").new_initial_state()
    while state.is_chance_node():
        state.apply_action(state.legal_actions()[0])
    if "seed" in options and options["seed"] is not None:
        return [state.resample(0, seed=options["seed"] + 20 * number).history() for number in range(12)]
    return [state.resample(0, **options).history() for _ in range(12)]


def chosen(**options: Any) -> Any:
    game = load("breakthrough.rbg")
    agent = game.agent("random", **options)
    return [agent.choose(game.new_initial_state()) for _ in range(24)]


AGENTS = ["random", "random"]
DRAWS: dict[str, Callable[..., Any]] = {
    "batch": sampled,
    "playouts": lambda **options: load("breakthrough.rbg").playouts(30, **options)["plies"],
    "agent": chosen,
    "resample": resampled,
    "play": lambda **options: rgc.play(load("breakthrough.rbg"), AGENTS, **options),
    "match": lambda **options: rgc.match(load("ticTacToe.hrg"), AGENTS, 6, **options).games,
    "self_play": lambda **options: distributed.self_play(load("ticTacToe.hrg"), "random", 6, executor="serial", **options),
    "distributed.match": lambda **options: distributed.match(load("ticTacToe.hrg"), AGENTS, 6, executor="serial", **options).games,
}


@pytest.mark.parametrize("name", DRAWS)
def test_seeds(name: str) -> None:
    draw = DRAWS[name]
    drawn = [draw() for _ in range(4)] + [draw(seed=None) for _ in range(4)]
    # That eight of them are the same by chance has a probability far below one in a million.
    assert any(one != drawn[0] for one in drawn[1:4]) and any(one != drawn[4] for one in drawn[5:])
    assert draw(seed=5) == draw(seed=5) == draw(seed=np.int64(5)) and any(draw(seed=seed) != draw(seed=5) for seed in range(6, 10))


def test_seeds_are_integers() -> None:
    game = load("ticTacToe.hrg")
    state = game.new_initial_state()
    calls: list[Callable[..., Any]] = [lambda **options: game.batch(2, **options), lambda **options: game.playouts(2, **options), lambda **options: game.agent("random", **options), lambda **options: state.resample(0, **options), lambda **options: rgc.play(game, AGENTS, **options), lambda **options: rgc.match(game, AGENTS, 2, **options), lambda **options: distributed.match(game, AGENTS, 2, executor="serial", **options)]
    for call in calls:
        for wrong in (0.5, "a"):
            with pytest.raises(TypeError, match="seed|cannot be interpreted as an integer|integer"):
                call(seed=wrong)


def test_a_state_is_resampled_anew_by_every_call() -> None:
    state = load("kuhnPoker.hrg").new_initial_state()
    for _ in range(2):
        state.apply_action(state.legal_actions()[0])
    assert len({tuple(state.resample(0).history()) for _ in range(40)}) == 2


def test_seeds_have_a_range() -> None:
    """Everywhere the same one; others are a `ValueError`."""
    game = load("leducPoker.hrg")
    batch = game.batch(2)
    calls: list[Callable[[Any], Any]] = [
        lambda seed: game.batch(2, seed=seed),
        batch.reset,
        lambda seed: batch.reset([1, seed]),
        lambda seed: game.playouts(2, seed=seed),
        lambda seed: game.agent("random", seed=seed),
        lambda seed: game.audit(playouts=2, positions=2, seed=seed),
        lambda seed: game.new_initial_state().resample(0, seed=seed),
        lambda seed: rgc.play(game, ["random", "random"], seed=seed),
        lambda seed: rgc.match(game, ["random", "random"], 2, seed=seed),
        lambda seed: distributed.self_play(game, "random", 1, seed=seed, executor="serial"),
        lambda seed: distributed.match(game, ["random", "random"], 1, seed=seed, executor="serial"),
    ]
    if find_spec("gymnasium"):
        from rgc.gymnasium import Env, VectorEnv

        many = VectorEnv(game, 2)
        calls += [lambda seed: Env(game).reset(seed=seed), lambda seed: VectorEnv(game, 2, seed=seed), lambda seed: many.reset(seed=seed), lambda seed: many.reset(seed=[seed, 1])]
    if find_spec("pettingzoo"):
        from rgc.pettingzoo import env, parallel_env

        calls += [lambda seed: env(game).reset(seed=seed), lambda seed: parallel_env("matchingPennies.gdl").reset(seed=seed)]
    for call in calls:
        for seed in (-1, 2**64, 2**70, 2**200, -(2**200)):
            with pytest.raises(ValueError, match=r"`seed` is an integer from 0 to 2\*\*64 - 1, not "):
                call(seed)
        for seed in (0, 2**64 - 1):
            call(seed)


def test_reports_are_those_of_the_command_line_without_a_seed() -> None:
    game = load("ticTacToe.hrg")
    assert str(game.audit(playouts=20)) == str(game.audit(playouts=20, seed=0))
    assert len({str(game.audit(playouts=20, seed=None)) for _ in range(3)}) > 1


def test_environments_without_a_seed() -> None:
    pytest.importorskip("gymnasium")
    from rgc.gymnasium import VectorEnv

    def drawn(seed: int | None, again: int | None) -> list[int]:
        environment = VectorEnv("breakthrough.rbg", 16, seed=seed)
        environment.reset(seed=again)
        return environment.batch.sample().tolist()

    assert any(drawn(None, None) != drawn(None, None) for _ in range(3))
    assert drawn(3, None) == drawn(3, None) and drawn(None, 3) == drawn(7, 3)
    assert inspect.signature(VectorEnv).parameters["seed"].default is None


@pytest.mark.parametrize("kind", ["self_play", "distributed.match"])
def test_a_journal_keeps_the_seed(tmp_path: Path, kind: str) -> None:
    path, draw = tmp_path / "games.jsonl", DRAWS[kind]
    games = draw(journal=path)
    kept = path.read_bytes()
    assert draw(journal=path) == games and path.read_bytes() == kept
    # As if it had been interrupted.
    path.write_bytes(kept[: kept.index(b"\n") + 1])
    assert draw(journal=path) == games
    with pytest.raises(ValueError, match="another task: seed differ"):
        draw(journal=path, seed=1)
