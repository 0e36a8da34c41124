"""Games as games of OpenSpiel.

>>> import pyspiel, rgc.openspiel
>>> game = pyspiel.load_game("rgc_connectFour")
>>> game = pyspiel.load_game("rgc(path=mine.rbg)")
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np
import pyspiel

import rgc

from ._adapter import MAX_OBSERVED

# A game may last for ever; OpenSpiel wants a number.
MAX_GAME_LENGTH = 10_000


def _type(short_name: str, rules: rgc.Game | None) -> pyspiel.GameType:
    """What OpenSpiel wants to know of a game. `None` stands for games that are not read yet: they may be anything."""
    kinds = pyspiel.GameType
    chance, hides = (rules.has_chance, rules.hides) if rules else (True, True)
    players = (rules.num_players, rules.num_players) if rules else (1, 10)
    return kinds(
        short_name=short_name,
        long_name=short_name,
        dynamics=kinds.Dynamics.SEQUENTIAL,
        chance_mode=kinds.ChanceMode.EXPLICIT_STOCHASTIC if chance else kinds.ChanceMode.DETERMINISTIC,
        information=kinds.Information.IMPERFECT_INFORMATION if hides else kinds.Information.PERFECT_INFORMATION,
        utility=_utility(rules),
        reward_model=kinds.RewardModel.TERMINAL,
        min_num_players=players[0],
        max_num_players=players[1],
        provides_information_state_string=True,
        provides_information_state_tensor=hides,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification={"path": ""},
    )


def _utility(rules: rgc.Game | None) -> pyspiel.GameType.Utility:
    is_zero = rules is not None and rules.utility_sum is not None
    return pyspiel.GameType.Utility.ZERO_SUM if is_zero else pyspiel.GameType.Utility.GENERAL_SUM


def _share(rules: rgc.Game) -> float:
    """What is subtracted from each player's return, so that all together are zero wherever they have the same sum."""
    return (rules.utility_sum or 0.0) / rules.num_players


@lru_cache(maxsize=64)
def _load(short_name: str, path: str, rules: rgc.Game) -> Game:
    """A game that was pickled, with its rules: its file may have changed, or may not be here."""
    return Game(short_name, rules, {"path": path} if path else {})


def _load_state(game: Game, history: list[int]) -> State:
    """A state that was pickled."""
    state = game.new_initial_state()
    for action in history:
        state.apply_action(action)
    return state


class Game(pyspiel.Game):
    """A game of `rgc`, which is `rules`."""

    def __init__(self, short_name: str, rules: rgc.Game, params: dict[str, Any] | None = None) -> None:
        self.rules, share = rules, _share(rules)
        self._named = short_name, (params or {}).get("path") or ""
        info = pyspiel.GameInfo(
            num_distinct_actions=rules.num_actions,
            max_chance_outcomes=rules.num_actions if rules.has_chance else 0,
            num_players=rules.num_players,
            min_utility=min(rules.utilities, default=0.0) - share,
            max_utility=max(rules.utilities, default=0.0) - share,
            utility_sum=None if rules.utility_sum is None else 0.0,
            max_game_length=MAX_GAME_LENGTH,
        )
        super().__init__(_type(short_name, rules), info, params or {})

    def new_initial_state(self) -> State:
        return State(self, self.rules.new_initial_state())

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Observer:
        return Observer(self.rules)

    def __reduce__(self) -> Any:
        return _load, (*self._named, self.rules)


class State(pyspiel.State):
    """A game in progress."""

    def __init__(self, game: Game, state: rgc.State) -> None:
        super().__init__(game)
        self.rgc = state

    def __reduce__(self) -> Any:
        return _load_state, (self.get_game(), self.rgc.history())

    def string_to_action(self, player: int | str, text: str | None = None) -> int:
        """The action that a text means, also a move as people write it. OpenSpiel's order is player first, which may be left out."""
        return self.rgc.string_to_action(str(player) if text is None else text)

    def current_player(self) -> int:
        return self.rgc.current_player()

    def _legal_actions(self, player: int) -> list[int]:
        return self.rgc.legal_actions(player)

    def chance_outcomes(self) -> list[tuple[int, float]]:
        return self.rgc.chance_outcomes()

    def _apply_action(self, action: int) -> None:
        self.rgc.apply_action(action)

    def _action_to_string(self, player: int, action: int) -> str:
        return self.rgc.action_to_string(action)

    def is_terminal(self) -> bool:
        return self.rgc.is_terminal()

    def returns(self) -> list[float]:
        share = _share(self.rgc.game) if self.rgc.is_terminal() else 0.0
        return [value - share for value in self.rgc.returns()]

    def information_state_string(self, player: int | None = None) -> str:
        return self.rgc.information_state_string(player)

    def observation_string(self, player: int | None = None) -> str:
        return self.rgc.observation_string(player)

    def __str__(self) -> str:
        return str(self.rgc)


class Observer:
    """Observations as arrays, and as text.

    Where nothing is hidden, `observation` has the planes of `Game.observation_shape`. Else `player` says who observes, and `observed` has a row for each of the last 64 tags that
    the player observed, the latest one last, with a 1 at its number (`Game.tags`).
    """

    def __init__(self, rules: rgc.Game) -> None:
        self.rules = rules
        shapes = {"player": (rules.num_players,), "observed": (MAX_OBSERVED, len(rules.tags))} if rules.hides else {"observation": rules.observation_shape}
        sizes = [int(np.prod(shape)) for shape in shapes.values()]
        self.tensor = np.zeros(sum(sizes), np.float32)
        parts = np.split(self.tensor, np.cumsum(sizes)[:-1])
        self.dict = {name: part.reshape(shape) for (name, shape), part in zip(shapes.items(), parts, strict=True)}

    def set_from(self, state: State, player: int) -> None:
        observed = state.rgc.observation_tensor(player)
        if not self.rules.hides:
            self.tensor[:] = observed.ravel()
            return
        self.tensor.fill(0)
        self.dict["player"][player] = 1
        last = observed[-MAX_OBSERVED:]
        self.dict["observed"][np.arange(MAX_OBSERVED - len(last), MAX_OBSERVED), last - 1] = 1

    def string_from(self, state: State, player: int) -> str:
        return state.rgc.information_state_string(player) if self.rules.hides else state.rgc.observation_string(player)


def _register(short_name: str, name: str | None) -> None:
    class Registered(Game):
        def __init__(self, params: dict[str, Any] | None = None) -> None:
            path = name or (params or {}).get("path") or ""
            if not path:
                raise pyspiel.SpielError("rgc(path=...) needs the path of a game, or the name of a bundled one")
            super().__init__(short_name, rgc.load(path), params)

    pyspiel.register_game(_type(short_name, None), Registered)


def register() -> None:
    """Registers `rgc`, and each bundled game under its name: `rgc_chess`, `rgc_chess_hrg`. Done once, when the module is imported."""
    known = set(pyspiel.registered_names())
    names: dict[str, str] = {"rgc": ""}
    for file in rgc.games():
        stem, language = file.rsplit(".", 1)
        names.setdefault(f"rgc_{stem}", stem)
        names[f"rgc_{stem}_{language}"] = file
    for short_name, file in names.items():
        if short_name not in known:
            _register(short_name, file or None)


register()
