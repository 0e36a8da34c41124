"""Games as games of OpenSpiel.

>>> import pyspiel, rgc.openspiel
>>> game = pyspiel.load_game("rgc_connectFour")
>>> game = pyspiel.load_game("rgc(path=mine.rbg)")
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pyspiel

import rgc

# A game may last for ever; OpenSpiel wants a number.
MAX_GAME_LENGTH = 10_000


def _type(short_name: str, players: tuple[int, int], chance: bool, hides: bool) -> pyspiel.GameType:
    return pyspiel.GameType(
        short_name=short_name,
        long_name=short_name,
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC if chance else pyspiel.GameType.ChanceMode.DETERMINISTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION if hides else pyspiel.GameType.Information.PERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.GENERAL_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        min_num_players=players[0],
        max_num_players=players[1],
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=not hides,
        parameter_specification={"path": ""},
    )


class Game(pyspiel.Game):
    """A game of `rgc`."""

    def __init__(self, short_name: str, name: str, params: dict[str, Any] | None = None) -> None:
        self.rules = rgc.load(name)
        rules = self.rules
        players = rules.num_players
        info = pyspiel.GameInfo(
            num_distinct_actions=rules.num_actions,
            max_chance_outcomes=rules.num_actions if rules.has_chance else 0,
            num_players=players,
            min_utility=min(rules.utilities, default=0.0),
            max_utility=max(rules.utilities, default=0.0),
            utility_sum=None,
            max_game_length=MAX_GAME_LENGTH,
        )
        super().__init__(_type(short_name, (players, players), rules.has_chance, rules.hides), info, params or {})

    def new_initial_state(self) -> State:
        return State(self, self.rules.new_initial_state())

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Observer:
        return Observer(self.rules)


class State(pyspiel.State):
    """A game in progress."""

    def __init__(self, game: Game, state: rgc.State) -> None:
        super().__init__(game)
        self.rgc = state

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
        return self.rgc.returns()

    def information_state_string(self, player: int | None = None) -> str:
        return self.rgc.information_state_string(player)

    def observation_string(self, player: int | None = None) -> str:
        return self.rgc.observation_string(player)

    def __str__(self) -> str:
        return str(self.rgc)


class Observer:
    """Observations as arrays (`Game.observation_shape`), or the tags a player was told as text."""

    def __init__(self, rules: rgc.Game) -> None:
        shape = (0,) if rules.hides else rules.observation_shape
        self.rules = rules
        self.tensor = np.zeros(int(np.prod(shape)), np.float32)
        self.dict = {} if rules.hides else {"observation": self.tensor.reshape(shape)}

    def set_from(self, state: State, player: int) -> None:
        if not self.rules.hides:
            self.tensor[:] = state.rgc.observation_tensor(player).ravel()

    def string_from(self, state: State, player: int) -> str:
        return state.rgc.information_state_string(player) if self.rules.hides else state.rgc.observation_string(player)


def _register(short_name: str, name: str | None) -> None:
    class Registered(Game):
        def __init__(self, params: dict[str, Any] | None = None) -> None:
            path = name or (params or {}).get("path") or ""
            if not path:
                raise pyspiel.SpielError("rgc(path=...) needs the path of a game, or the name of a bundled one")
            super().__init__(short_name, path, params)

    pyspiel.register_game(_type(short_name, (1, 10), True, True), Registered)


def register() -> None:
    """Registers `rgc`, and each bundled game under its name: `rgc_chess`, `rgc_chess_hrg`. Done once, when the module is imported."""
    known = set(pyspiel.registered_names())
    names: dict[str, str] = {"rgc": ""}
    for file in rgc.games():
        stem, language = file.rsplit(".", 1)
        names.setdefault(f"rgc_{stem}", file)
        names[f"rgc_{stem}_{language}"] = file
    for short_name, file in names.items():
        if short_name not in known:
            _register(short_name, file or None)


register()
