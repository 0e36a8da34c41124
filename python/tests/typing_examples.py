"""Programs that a type checker must accept: `mypy --strict`."""

import numpy as np
from numpy.typing import NDArray

import rgc


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
