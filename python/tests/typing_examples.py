"""Programs that a type checker must accept: `mypy --strict`."""

import numpy as np
from numpy.typing import NDArray

import rgc
from rgc import distributed


def play(name: str) -> list[float]:
    game: rgc.Game = rgc.load(name)
    state: rgc.State = game.new_initial_state()
    while not state.is_terminal():
        legal: list[int] = state.legal_actions()
        state.apply_action(legal[0])
    return state.returns()


def step(game: rgc.Game) -> NDArray[np.float32]:
    batch: rgc.BatchEnv = game.batch(16, seed=1, autoreset="next_step")
    observations, mask = batch.reset()
    observations, rewards, done, mask = batch.step(batch.sample())
    kept: NDArray[np.float32] = rewards.copy()
    return kept


def findings(text: str) -> list[tuple[int, str]]:
    try:
        rgc.loads(text, language="hrg")
    except rgc.GameError as error:
        return [(finding.line, finding.message) for finding in error.findings]
    return []


def first(state: rgc.State) -> int:
    return state.legal_actions()[0]


def matches(game: rgc.Game) -> tuple[float, list[float]]:
    agent: rgc.Agent = game.agent("greedy")
    match: rgc.Match = rgc.match(game, ["random", first, agent], 2)
    rgc.match("ticTacToe.hrg", [agent, agent], 2)
    results: list[rgc.Result] = [match.result(0, 1)]
    return results[0].score, [elo for elo, _ in match.ratings]


def counted(game: rgc.Game) -> int:
    played: list[rgc.Played] = distributed.self_play(game, first, 2) + distributed.self_play("ticTacToe.hrg", game.agent("random"), 2)
    return distributed.perft(game, 3, executor="serial", journal=None) + len(played)


def reported(game: rgc.Game) -> list[str]:
    audit: rgc.Audit = game.audit(playouts=10, proper=True)
    why: str | None = game.why("a; a")
    return [str(audit), why or "", *(finding.message for finding in audit.findings)]


def from_numpy(game: rgc.Game) -> NDArray[np.bool_]:
    """Actions and seeds that come from arrays."""
    state = game.new_initial_state()
    state.apply_action(np.int64(0))
    state.child(np.flatnonzero(state.legal_actions_mask())[0])
    return game.batch(4).reset(np.arange(4))[1]
