"""Games as games of OpenSpiel.

>>> import pyspiel, rgc.openspiel
>>> game = pyspiel.load_game("rgc_connectFour")
>>> game = pyspiel.load_game("rgc(path=mine.rbg,utility=zero_sum,actions=places,utilities=won:1;lost:-1)")

`max_observed` is how many of the tags that a player observed last are in tensors of games that hide something; without it, it is `Game.max_observed`. `rules` has a game as `str` of a
game of OpenSpiel writes one that has neither a name nor a path.
"""

from __future__ import annotations

import base64
import json
import random
import re
import zlib
from collections.abc import Callable
from functools import lru_cache
from os import PathLike, fspath
from typing import Any

import numpy as np
import pyspiel

import rgc

from ._adapter import latest, max_observed_of
from ._arguments import Actions, GameLike, Utilities, game_of

# A game may last for ever; OpenSpiel wants a number.
MAX_GAME_LENGTH = 10_000


def _type(short_name: str, rules: rgc.Game | None, total: float | None) -> pyspiel.GameType:
    """What OpenSpiel wants to know of a game, whose returns have always the sum `total`. `None` stands for games that are not read yet: they may be anything."""
    kinds = pyspiel.GameType
    chance, hides = (rules.has_chance, rules.hides) if rules else (True, True)
    players = (rules.num_players, rules.num_players) if rules else (1, 10)
    return kinds(
        short_name=short_name,
        long_name=short_name,
        dynamics=kinds.Dynamics.SEQUENTIAL,
        chance_mode=kinds.ChanceMode.EXPLICIT_STOCHASTIC if chance else kinds.ChanceMode.DETERMINISTIC,
        information=kinds.Information.IMPERFECT_INFORMATION if hides else kinds.Information.PERFECT_INFORMATION,
        utility=kinds.Utility.GENERAL_SUM if total is None else kinds.Utility.ZERO_SUM,
        reward_model=kinds.RewardModel.TERMINAL,
        min_num_players=players[0],
        max_num_players=players[1],
        provides_information_state_string=True,
        provides_information_state_tensor=hides,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification={"path": "", "rules": "", "utility": "", "actions": "", "utilities": "", "max_observed": 0},
    )


def _total(rules: rgc.Game, utility: str) -> float | None:
    """The sum that the returns of a play always have; `None` in games of general sum."""
    if utility not in ("", "zero_sum", "general_sum"):
        raise pyspiel.SpielError(f"utility is zero_sum or general_sum, not {utility}")
    if utility == "general_sum":
        return None
    known = rules.utility_sum
    return _total_of_a_play(rules) if known is None and utility == "zero_sum" else known


def _total_of_a_play(rules: rgc.Game) -> float:
    """The sum of the returns of a random play."""
    rng, state = random.Random(0), rules.new_initial_state()
    for _ in range(MAX_GAME_LENGTH):
        if state.is_terminal():
            return sum(state.returns())
        state.apply_action(rng.choice(state.legal_actions()))
    raise pyspiel.SpielError(f"a random play of {rules.name} does not end in {MAX_GAME_LENGTH} moves, so the sum of its scores is not known")


@lru_cache(maxsize=64)
def _load(short_name: str, rules: rgc.Game, params: tuple[tuple[str, Any], ...]) -> Game:
    """A game that was pickled, with its rules: its file may have changed, or may not be here."""
    return Game(short_name, rules, dict(params))


def _load_state(game: Game, history: list[int]) -> State:
    """A state that was pickled."""
    state = game.new_initial_state()
    for action in history:
        state.apply_action(action)
    return state


class Game(pyspiel.Game):
    """A game of `rgc`, which is `rules`."""

    def __init__(self, short_name: str, rules: rgc.Game, params: dict[str, Any] | None = None) -> None:
        params = {name: value for name, value in (params or {}).items() if value}
        self.rules, self.total = rules, _total(rules, params.get("utility", ""))
        """The sum that the returns of `rules` always have; `None` in games of general sum."""
        self.max_observed = max_observed_of(rules, params.get("max_observed"))
        self._named, share = (short_name, params), self.share
        info = pyspiel.GameInfo(
            num_distinct_actions=rules.num_actions,
            max_chance_outcomes=rules.num_actions if rules.has_chance else 0,
            num_players=rules.num_players,
            min_utility=min(rules.utilities, default=0.0) - share,
            max_utility=max(rules.utilities, default=0.0) - share,
            utility_sum=None if self.total is None else 0.0,
            max_game_length=MAX_GAME_LENGTH,
        )
        super().__init__(_type(short_name, rules, self.total), info, params)

    @property
    def share(self) -> float:
        """What is subtracted from each player's return, so that all together are zero in games of zero sum."""
        return (self.total or 0.0) / self.rules.num_players

    def new_initial_state(self) -> State:
        return State(self, self.rules.new_initial_state())

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Observer:
        return Observer(self.rules, self.max_observed)

    def __reduce__(self) -> Any:
        name, params = self._named
        return _load, (name, self.rules, tuple(sorted(params.items())))


def game(rules: GameLike, *, utility: str = "", actions: Actions | None = None, utilities: Utilities | None = None, max_observed: int | None = None) -> Game:
    """A game of OpenSpiel from one that was loaded, from a bundled one, or from a file. `utility` is `"zero_sum"` where the rules do not tell, or `"general_sum"`; `actions`
    and `utilities` are those of `rgc.load`. `pyspiel.load_game(str(game))` is the same game: its text names the bundled game or the file, or has the rules themselves."""
    loaded = game_of(rules, actions, utilities)
    most = {} if max_observed is None else {"max_observed": max_observed_of(loaded, max_observed)}
    return Game("rgc", loaded, {**_named(rules, loaded), "utility": utility, **most})


def _named(asked: GameLike, game: rgc.Game) -> dict[str, str]:
    """The parameters that stand for a game: its name or path with its actions and utilities, or else all that it was made from."""
    _, made_from = game.__reduce__()
    text, language, name, actions, utilities = made_from
    file = f"{name}.{language}" if isinstance(asked, rgc.Game) else fspath(asked) if isinstance(asked, (str, PathLike)) else ""
    is_bundled = not isinstance(asked, rgc.Game) or (file in rgc.games() and rgc.load(file).source == text)
    said = ";".join(f"{score}:{worth!r}" for score, worth in utilities or ())
    # What OpenSpiel reads as a parameter's text, and `_utilities` as what was said.
    if is_bundled and re.fullmatch(r"[\w./-]+", file) and re.fullmatch(r"[\w.:;+-]*", said):
        return {"path": file, "actions": "" if actions == "auto" else actions, "utilities": said}
    data = base64.urlsafe_b64encode(zlib.compress(json.dumps(made_from).encode(), 9))
    return {"rules": data.decode().rstrip("=")}


def _unnamed(data: str) -> rgc.Game:
    """The game that a parameter `rules` has."""
    try:
        text, language, name, actions, utilities = json.loads(zlib.decompress(base64.urlsafe_b64decode(data + "=" * (-len(data) % 4))))
        return rgc.loads(text, language=language, name=f"{name}.{language}", actions=actions, utilities=None if utilities is None else dict(utilities))
    except (ValueError, TypeError, zlib.error, rgc.GameError) as error:
        raise pyspiel.SpielError(f"`rules` is what `str` writes of a game that has no path, not this: {error}") from error


def _utilities(text: str) -> dict[str | int, float] | None:
    """What scores are worth, as a parameter says it: `won:1;drawn:0;lost:-1`."""
    said: dict[str | int, float] = {}
    for part in filter(None, text.split(";")):
        score, _, worth = part.rpartition(":")
        score = score.strip()
        if score in said:
            raise pyspiel.SpielError(f"utilities say twice what the score {score} is worth: {text}")
        try:
            said[score] = float(worth)
        except ValueError:
            score = ""
        if not score:
            raise pyspiel.SpielError(f"utilities are written as won:1;drawn:0;lost:-1, not {text}")
    return said or None


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

    def legal_actions(self, player: int | None = None) -> list[int]:
        """Those of a player, or of who is to move; none for others, whoever they are. So do the games in C++; those in Python have the actions of chance for everybody, and an error for -1."""
        return self.rgc.legal_actions() if player is None or player == self.current_player() else []

    def legal_actions_mask(self, player: int | None = None) -> list[int]:
        """1 for each of `legal_actions`, 0 for all other actions."""
        mask = [0] * self.rgc.game.num_actions
        for action in self.legal_actions(player):
            mask[action] = 1
        return mask

    def chance_outcomes(self) -> list[tuple[int, float]]:
        return self.rgc.chance_outcomes()

    def _apply_action(self, action: int) -> None:
        self.rgc.apply_action(action)

    def _action_to_string(self, player: int, action: int) -> str:
        return self.rgc.action_to_string(action)

    def is_terminal(self) -> bool:
        return self.rgc.is_terminal()

    def returns(self) -> list[float]:
        values = self.rgc.returns()
        if not self.rgc.is_terminal():
            return values
        game = self.get_game()
        if game.total is not None and abs(sum(values) - game.total) > 1e-6:
            raise pyspiel.SpielError(f"the returns have the sum {sum(values):g} here and {game.total:g} elsewhere: {game.rules.name} is not of zero sum")
        return [value - game.share for value in values]

    def information_state_string(self, player: int | None = None) -> str:
        return self.rgc.information_state_string(player)

    def observation_string(self, player: int | None = None) -> str:
        return self.rgc.observation_string(player)

    def resample_from_infostate(self, player: int, sampler: Callable[[], float]) -> State:
        """A state that `player` cannot tell from this one, drawn with a function that returns numbers from 0 to 1 (`State.resample`)."""
        return _load_state(self.get_game(), self.rgc.resample(player, seed=int(sampler() * 2**53)).history())

    def __str__(self) -> str:
        return str(self.rgc)


class Observer:
    """Observations as arrays, and as text.

    Where nothing is hidden, `observation` has the planes of `Game.observation_shape`. Else `player` says who observes, and `observed` has a row for each of the last
    `max_observed` tags that the player observed, the latest one last, with a 1 at its number (`Game.tags`).
    """

    def __init__(self, rules: rgc.Game, max_observed: int | None = None) -> None:
        self.rules, self.max_observed = rules, max_observed_of(rules, max_observed if rules.hides else None)
        shapes = {"player": (rules.num_players,), "observed": (self.max_observed, len(rules.tags))} if rules.hides else {"observation": rules.observation_shape}
        sizes = [int(np.prod(shape)) for shape in shapes.values()]
        self.tensor = np.zeros(sum(sizes), np.float32)
        parts = np.split(self.tensor, np.cumsum(sizes)[:-1])
        self.dict = {name: part.reshape(shape) for (name, shape), part in zip(shapes.items(), parts, strict=True)}

    def set_from(self, state: State, player: int) -> None:
        if not self.rules.hides:
            self.tensor[:] = state.rgc.observation_tensor(player).ravel()
            return
        self.tensor.fill(0)
        self.dict["player"][player] = 1
        observed = latest(state.rgc.observed(player), self.max_observed)
        (rows,) = observed.nonzero()
        self.dict["observed"][rows, observed[rows] - 1] = 1

    def string_from(self, state: State, player: int) -> str:
        return state.rgc.information_state_string(player) if self.rules.hides else state.rgc.observation_string(player)


def _register(short_name: str, name: str | None) -> None:
    class Registered(Game):
        def __init__(self, params: dict[str, Any] | None = None) -> None:
            said = params or {}
            path, text = name or said.get("path") or "", "" if name else said.get("rules") or ""
            if not path and not text:
                raise pyspiel.SpielError("rgc(path=...) needs the path of a game, or the name of a bundled one")
            try:
                rules = game_of(path or _unnamed(text), said.get("actions") or None, _utilities(said.get("utilities") or ""))
                super().__init__(short_name, rules, params)
            except (ValueError, TypeError) as error:
                raise pyspiel.SpielError(str(error)) from error

    pyspiel.register_game(_type(short_name, None, None), Registered)


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
