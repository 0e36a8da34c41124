"""The compiled part of `rgc`. This is the reference of the module."""

from collections.abc import Mapping, Sequence
from os import PathLike
from typing import Any, Literal, SupportsIndex, final

import numpy as np
from numpy.typing import NDArray

__version__: str

__all__ = ["_elo", "_ratings", "_rebuilt", "_seats", "Agent", "Audit", "BatchEnv", "Finding", "Game", "GameError", "IllegalAction", "RulesWarning", "ScoreWarning", "State", "__version__", "games", "load", "loads"]

_Actions = Literal["auto", "moves", "steps", "places"]

class GameError(Exception):
    """A text is no game, or its rules fail while it is played."""

    findings: list[Finding]

class IllegalAction(ValueError):
    """An action is not legal where it was taken; nothing has changed."""

@final
class Finding:
    """Something that was found about a text."""

    def __new__(cls, code: str, severity: str, message: str, line: int, column: int, notes: list[str]) -> Finding: ...
    @property
    def code(self) -> str:
        """The code, such as `RG201`; `rgc explain` says more of it."""
    @property
    def severity(self) -> str:
        """`error`, `warning` or `note`."""
    @property
    def message(self) -> str:
        """What was found, in a line."""
    @property
    def line(self) -> int:
        """From 1; 0 if the finding is about no place in the text."""
    @property
    def column(self) -> int:
        """From 1, in characters."""
    @property
    def notes(self) -> list[str]:
        """What is to be said besides, and what can be done."""

class RulesWarning(UserWarning):
    """Something is probably wrong with the rules of a game, though it can be played; `Game.findings` has it."""

class ScoreWarning(UserWarning):
    """Not all scores of a game are numbers, and it was not said what they are worth: they are worth their place in the order of declaration."""

def load(game: str | PathLike[str], *, language: str | None = None, actions: _Actions = "auto", utilities: Mapping[str | int, float] | None = None) -> Game:
    """Reads the game in a file, or the bundled game of that name (`rgc.games()`).

    `actions` are whole moves (`"moves"`), tags of moves one by one (`"steps"`), or moves if there are at most 4,096 (`"auto"`).
    In RBG, `"auto"` numbers moves by the places that they name, so that numbers do not tell which moves win; with `"moves"`, each way through the rules has its own. With
    `"places"`, moves that name the same places of the board are one action, in any language. Two of them that are legal at once are a `GameError` when it happens.
    `utilities` say what scores are worth, by their names: `{"won": 1, "drawn": 0, "lost": -1}`. Those that are numbers may be left out. Without it, scores are worth the
    numbers that they are, or with a `ScoreWarning` their places in the order of declaration if some are none. Rewards of batches are `float32`: what is worth so much that this is
    infinite, or so little that it is 0, is refused.

    Raises `GameError`, and `ValueError` for `utilities` that are wrong.
    """

def loads(
    text: str, *, language: str | None = None, name: str = "game", actions: _Actions = "auto", utilities: Mapping[str | int, float] | None = None
) -> Game:
    """Reads a game from a text in `language` (`rbg`, `hrg`, `sbg`, `gdl`, `rg`), or the one that its beginning tells."""

def _rebuilt(text: str, language: str | None, name: str, actions: str, utilities: list[tuple[str, float]] | None) -> Game: ...
def games() -> list[str]:
    """The names of the bundled games."""

def _seats(agents: int, players: int, games: int) -> list[list[int]]: ...
def _elo(won: int, drawn: int, lost: int) -> tuple[float, float, float]: ...
def _ratings(agents: int, results: list[tuple[int, int, int, int, int]]) -> list[tuple[float, float]]: ...

@final
class Game:
    """The rules of a game, with an engine for them. It does not change, is shared by threads, and is pickled as its text."""

    @property
    def name(self) -> str:
        """The name of the file or the bundled game, without the extension."""
    @property
    def language(self) -> str:
        """The language of the rules: `rbg`, `hrg`, `sbg`, `gdl` or `rg`."""
    @property
    def source(self) -> str:
        """The rules."""
    @property
    def findings(self) -> list[Finding]:
        """What `rgc check` finds of the rules and of the first positions: warnings, and notes on style. Bundled games have none of the former."""
    @property
    def players(self) -> list[str]:
        """The players' names. Players are numbered from 0, in this order."""
    @property
    def num_players(self) -> int:
        """The number of players."""
    @property
    def hides(self) -> bool:
        """Whether some player does not see all of every move. Observations are then what a player observed."""
    @property
    def has_chance(self) -> bool:
        """Whether chance decides something."""
    @property
    def score_names(self) -> list[str]:
        """The scores that the rules know, by name."""
    @property
    def utilities(self) -> list[float]:
        """What each of `score_names` is worth: the number that it is, or else its rank; or what `load(utilities=...)` said."""
    @property
    def utility_sum(self) -> float | None:
        """What all players' scores are worth together at the end of every play; `None` if that differs, or cannot be told from the rules."""
    @property
    def num_actions(self) -> int:
        """Actions are the numbers below; they mean the same in all states, and depend on the rules as they are written alone."""
    @property
    def action_kind(self) -> Literal["moves", "steps"]:
        """What an action is: a whole move, or a step of one."""
    @property
    def action_version(self) -> str:
        """Changes if the number of any action does."""
    def action_to_string(self, action: SupportsIndex) -> str:
        """An action in full, whatever the state; a state has a shorter text for those that are legal."""
    def action_tags(self, action: SupportsIndex) -> list[str]:
        """The names of an action's tags; none for the step that ends a move."""
    @property
    def observation_shape(self) -> tuple[int, ...]:
        """`(C, rows, columns)`; `(C, places)` for boards that are no rectangles; `(C,)` without a board. In games that hide something, `(max_observed,)`."""
    @property
    def max_observed(self) -> int:
        """How many of the tags that a player observed last are shown in games that hide something; 0 in others.

        It is the most that a player observes in some random plays, rounded up to a multiple of 64, at most 65,536, and depends on the rules alone. `State.observed` has all tags.
        """
    @property
    def observation_version(self) -> str:
        """Changes if the shape of observations does, the name of a channel, the number that stands for any value, or the number of any tag that players observe."""
    @property
    def channels(self) -> list[str]:
        """What each of the `C` planes is: `board = whitepawn`, `player = white`; `decision = NODE` where a player moves at several places of the rules.

        A number above 255 has more channels (`turn / 256`); of more than 255 places of the rules, `decision` has the number of the first 255 and `decision from 255 on` those of the following ones, from 1
        on, and so on; 0 stands for none of them. In games that hide something there are none: observations are numbers of tags.
        """
    @property
    def unobserved(self) -> list[str]:
        """Variables that observations leave out, since they are too large."""
    @property
    def tags(self) -> list[str]:
        """All tags. In games that hide something, players observe tags: the number `k` stands for `tags[k - 1]`, 0 for nothing."""
    @property
    def perspectives(self) -> NDArray[np.int64]:
        """By player, the channels in an order in which the player's own are where those of player 0 are: `planes[game.perspectives[player]]`.

        Channels are told apart by the players' names in them, their initials, or capital and small letters. All others stay where they are, and so do those that say who is to
        move (`player = white`). Places are not turned. Where no name tells anything, all orders are the same, and a `UserWarning` says so.
        """
    @property
    def simultaneous(self) -> bool:
        """Whether the rules let all players move at once. Their actions are taken one after the other, and none knows those of the others."""
    def to_rg(self, *, level: int = 0) -> str:
        """The automaton that the rules are translated to, as text in the language RG: as translated, or optimised (1, 2)."""
    def graph(self, format: Literal["svg", "dot"] = "svg", *, level: int = 2) -> str:
        """A drawing of the automaton, as SVG or as text for Graphviz. A notebook shows the SVG, which is a text else. Raises `ValueError` if it is too large for SVG."""
    def new_initial_state(self) -> State:
        """The state at the beginning."""
    def state_from_bytes(self, data: bytes) -> State:
        """What `State.to_bytes` has written. Raises `ValueError` for bytes of another game or another format, and for some that were cut off or changed in length."""
    def batch(
        self,
        n: int,
        *,
        seed: int | None = None,
        threads: int = 1,
        autoreset: Literal["same_step", "next_step", "disabled"] = "same_step",
        chance: Literal["sampled", "explicit"] = "sampled",
        max_plies: int | None = None,
        max_observed: int | None = None,
        mask: bool = True,
        observations: bool = True,
    ) -> BatchEnv:
        """`n` games that are stepped together. What is drawn depends on `seed` and the number of a game in the batch alone; `None` stands for a fresh seed. `max_observed` is for
        games that hide something; `None` stands for `Game.max_observed`. A game is cut off after `max_plies` moves of players, once chance has answered the last one, also where that is
        the caller's to do (`chance="explicit"`).

        Raises `ValueError` for no games, or more than about a million, and `MemoryError` at once where there is no room for them. Ctrl-C ends it while games are begun.
        """
    def perft(self, depth: int, *, state: State | None = None) -> int:
        """The number of plays of `depth` moves. Behind some steps of a move, that move is the first one. Raises `ValueError` for a state of another game."""
    def _perft_parts(self, depth: int, whole: int, wanted: int) -> list[tuple[list[int], int]]: ...
    def playouts(self, n: int, *, seed: int | None = None, max_plies: int | None = None) -> dict[str, Any]:
        """Random games: how many there were (`plays`), the moves of players in all of them (`plies`), and by player how often it had each score (`scores`).

        Games of more than `max_plies` moves of players are cut off: they have no scores, and are in `plays` and `plies`, but also in `truncated` and `truncated_plies` alone. So scores are
        those of `plays - truncated` games, with `plies - truncated_plies` moves. Equal seeds give equal games, whatever `n` and `max_plies` are; `None` stands for a fresh seed.
        """
    def audit(self, *, playouts: int = 1_000, positions: int = 10_000, max_plies: int = 5_000, seed: int | None = 0, proper: bool = False) -> Audit:
        """A report as that of `rgc audit`: lengths, branching, results, sizes, dead rules; with `proper`, whether the game is proper.

        `playouts` random plays of at most `max_plies` moves, those of chance included as in `rgc audit`, and the `positions` nearest to the start. Equal seeds give equal reports; `None` stands for a fresh seed. Ctrl-C
        ends it.
        """
    def why(self, text: str) -> str | None:
        """Why one of some moves from the beginning, separated by `;`, is not legal: what is wrong with the first one that is not. `None` if all are legal."""
    def agent(self, spec: str, *, seed: int | None = None) -> Agent:
        """A program that chooses moves: `random`, `greedy`, `flat:1000p`, `uct:1s`, `ab:depth=6`. `None` stands for a fresh seed."""
    def __copy__(self) -> Game: ...
    def __deepcopy__(self, _memo: object) -> Game: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class State:
    """A game in progress. States are equal if their positions are, however they came about."""

    @property
    def game(self) -> Game:
        """The game."""
    def current_player(self) -> int:
        """The player to move; -1 for chance, -4 at the end."""
    def is_terminal(self) -> bool:
        """Whether the game is over."""
    def is_chance_node(self) -> bool:
        """Whether chance decides."""
    def num_players(self) -> int:
        """The number of players, as `Game.num_players`."""
    def num_distinct_actions(self) -> int:
        """The number of actions, as `Game.num_actions`."""
    def is_player_node(self) -> bool:
        """Whether a player decides."""
    def is_simultaneous_node(self) -> bool:
        """Never: players who move at once act one after the other (`Game.simultaneous`)."""
    def is_initial_state(self) -> bool:
        """Whether nobody has acted so far."""
    def move_number(self) -> int:
        """The number of actions so far, those of chance and steps of moves included; `plies` has the moves of players."""
    def legal_actions(self, player: int | None = None) -> list[int]:
        """Ascending; none for players who are not to move, nor for chance (-1) where a player decides. Raises
        `ValueError` for players that there are not.
        """
    def legal_actions_mask(self, player: int | None = None) -> NDArray[np.bool_]:
        """By action, whether it is legal; none is for players who are not to move."""
    def apply_action(self, action: SupportsIndex) -> None:
        """Raises `IllegalAction`, and `GameError` where the rules fail; nothing has changed then."""
    def child(self, action: SupportsIndex) -> State:
        """A copy in which an action was taken. Raises what `apply_action` raises."""
    def clone(self) -> State:
        """A copy, which goes on by itself."""
    def __copy__(self) -> State: ...
    def __deepcopy__(self, _memo: object) -> State: ...
    def returns(self) -> list[float]:
        """What the scores of a game that is over are worth, by player; zeros before."""
    def player_return(self, player: int) -> float:
        """What `returns` has for a player."""
    def rewards(self) -> list[float]:
        """As `returns`: all rewards come at the end."""
    def scores(self) -> list[str]:
        """The scores by name, as the rules have them at this moment."""
    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Each action of chance with its probability; none where a player decides."""
    def action_to_string(self, action_or_player: int, action: int | None = None, /) -> str:
        """A legal action as people write it here, another one as `Game.action_to_string` has it. Of two numbers, the first one is a player, as OpenSpiel has it."""
    def string_to_action(self, text: str) -> int:
        """The legal action with this text, or else with these tags; a move is read in any way that people write it (`e2e4`).

        Raises `IllegalAction`, which says what would be legal; also for a text that several actions have, and for an empty one.
        """
    def move_to_actions(self, text: str) -> list[int]:
        """The actions that make a legal move as people write it: one, or the steps that are still to be taken. Raises `IllegalAction`."""
    def apply_move(self, text: str) -> None:
        """Makes a legal move as people write it, whatever actions are. Raises `IllegalAction`."""
    def legal_moves(self) -> list[str]:
        """The legal moves as people write them, whatever actions are."""
    def why(self, text: str) -> str | None:
        """Why a move is not legal, as a look at the position and the rules tell, in the words of `rgc play`; `None` if it is legal. It knows all that is hidden.

        The first call prepares an engine that keeps all values; a call looks for conditions of the rules that stand in the way, which may take a second.
        """
    def resample(self, player: int | None = None, *, seed: int | None = None) -> State:
        """A state that a player cannot tell from this one: its information state and, if it is to move, its legal actions are the same. The likelier ones more often, if
        everybody moves at random. If nothing is hidden, it is this state. Steps of a move that somebody else is making are left out.

        Every call draws anew, with a fresh seed; with `seed`, equal seeds draw equal states.

        The first call in a state looks for such states; the following ones take as long as it takes to make their moves. Raises `GameError` if none is found.
        """
    def history(self) -> list[int]:
        """The actions so far, those of chance included."""
    @property
    def plies(self) -> int:
        """The number of moves of players so far: those of chance, and steps of a move, do not count. `len(history())` is the number of all actions."""
    @property
    def chosen(self) -> list[str]:
        """The tags of the move that is being made, as far as they are chosen (steps), written as `action_to_string` does."""
    def observed(self, player: int | None = None) -> list[int]:
        """In games that hide something, the numbers of all tags that a player observed, from the first to the last: `k` stands for `Game.tags[k - 1]`. Empty in others."""
    def observation_tensor(self, player: int | None = None) -> NDArray[Any]:
        """An array of the shape `Game.observation_shape`: planes of bytes (`Game.channels`).

        In games that hide something, the last `Game.max_observed` numbers of `observed`, the latest one last, after zeros (`int32`).
        Of a finished game, planes show the last position, as its last move left it.
        """
    def information_state_tensor(self, player: int | None = None) -> NDArray[np.int32]:
        """In games that hide something: the numbers of all tags that the player observed, as `observed` has them, after zeros, so that there are `Game.max_observed` (`int32`).

        Raises `ValueError` where the player observed more, and in games that hide nothing: an information state is the whole history there, which has no greatest length
        (`information_state_string` has it as text, `history` as numbers).
        """
    def observation_string(self, player: int | None = None) -> str:
        """The position as text; in games that hide something, what the player observed."""
    def information_state_string(self, player: int | None = None) -> str:
        """The actions so far; in games that hide something, what the player observed."""
    def __getitem__(self, keys: str | tuple[str, ...], /) -> str:
        """The value of a variable, or of an entry of a map: `state["board", "v_rx0y0"]`. Raises `KeyError`, which says what there is."""
    def svg(self) -> str:
        """A picture of the position."""
    def _repr_svg_(self) -> str: ...
    def to_bytes(self) -> bytes:
        """What `Game.state_from_bytes` reads: the actions so far."""
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class BatchEnv:
    """Many games of one kind. Every step fills the same arrays: copy what has to be kept.

    Batches are copied and pickled with their games, arrays, and what they will draw: a copy goes on as the batch itself does.
    """

    @property
    def game(self) -> Game:
        """The game."""
    @property
    def observations(self) -> NDArray[np.uint8]:
        """Planes, as `Game.observation_shape` says; of size 0 in games that hide something."""
    @property
    def final_observations(self) -> NDArray[np.uint8]:
        """With `autoreset="same_step"`: the last observation of games that were over in this step."""
    @property
    def observed(self) -> NDArray[np.int32]:
        """The last `max_observed` tags that the player to move observed, in games that hide something."""
    @property
    def mask(self) -> NDArray[np.bool_]:
        """By game and action, whether it is legal."""
    @property
    def rewards(self) -> NDArray[np.float32]:
        """By game and player, what the score is worth in the step in which a game ends; else 0."""
    @property
    def done(self) -> NDArray[np.bool_]:
        """Which games ended in this step; without a reset, until they are reset."""
    @property
    def truncated(self) -> NDArray[np.bool_]:
        """Which games were cut off, after `max_plies` moves of players."""
    @property
    def current_player(self) -> NDArray[np.int8]:
        """Who is to move; -1 for chance, -4 for nobody."""
    @property
    def ply(self) -> NDArray[np.int32]:
        """The number of moves of players so far, as `State.plies`: those of chance, and steps of a move, do not count."""
    @property
    def legal(self) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
        """Where the legal actions of each game begin, with the end of the last; and all of them, one after the other, those of each game ascending."""
    def __len__(self) -> int: ...
    @property
    def num_games(self) -> int:
        """The number of games, which `len` is as well."""
    def reset(self, seed: int | Sequence[int | None] | NDArray[np.integer[Any]] | None = None, *, which: NDArray[np.bool_] | NDArray[np.integer[Any]] | Sequence[bool] | Sequence[int] | None = None, states: State | Sequence[State | None] | None = None) -> tuple[NDArray[Any], NDArray[np.bool_]]:
        """Begins all games anew, or those in `which`: a bool for each game, or the numbers of some, each once. Integers are always numbers, so that a mask of 0 and 1 needs
        `astype(bool)`. Returns observations and mask.

        Games begin in `states`, which is one for all or one for each game, `None` for the beginning; the games after them begin at the beginning. Moves before a state count for
        `ply` and `max_plies`. In a state that is over, nothing is legal: the next step ignores the game's action, and reports its end with `done` and rewards. Where something is wrong,
        no game has changed.

        A seed draws in each game anew, by the number of the game; of a list, each game has its own, so that equal seeds draw the same, and with `None` goes on.
        """
    def step(self, actions: Any) -> tuple[NDArray[Any], NDArray[np.float32], NDArray[np.bool_], NDArray[np.bool_]]:
        """Takes an action in every game. Returns observations, rewards, `done` and mask.

        Raises `IllegalAction` before any game has changed.
        """
    def sample(self) -> NDArray[np.int64]:
        """A legal action for each game, each with the same probability; 0 for games that are over."""
    def state(self, index: int) -> State:
        """The game of this number as a `State` of its own, with all actions that led there; negative numbers count from the end. Raises `IndexError`."""
    def clone(self) -> BatchEnv:
        """A copy, with arrays of its own."""
    def __copy__(self) -> BatchEnv: ...
    def __deepcopy__(self, _memo: object) -> BatchEnv: ...
    def _restore(self, games: bytes, kept: tuple[Any, ...]) -> None: ...

@final
class Agent:
    """A program that chooses moves.

    A copy (`copy.copy`, `copy.deepcopy`) goes on as the agent does, with all that it remembers. One that was pickled begins anew, as it was made: with the same text and seed.
    """

    @property
    def game(self) -> Game:
        """The game."""
    @property
    def spec(self) -> str:
        """The text that it was made from."""
    def choose(self, state: State) -> int:
        """Chooses a legal action for the player to move, of which it knows no more than that player. Raises `ValueError` at the end of a game and where chance decides."""
    def __call__(self, state: State) -> int: ...
    def __copy__(self) -> Agent: ...
    def __deepcopy__(self, _memo: object) -> Agent: ...

@final
class Audit:
    """A report about a game. `str` is its text, and in a notebook it is shown with plots."""

    @property
    def data(self) -> dict[str, Any]:
        """The figures, as `rgc audit --json` writes them."""
    def html(self) -> str:
        """A page with plots that needs nothing else."""
    def _repr_html_(self) -> str:
        """The page in a frame, for notebooks."""
    @property
    def findings(self) -> list[Finding]:
        """What is to be said besides: an error that some playout ended in, and the like."""
    @property
    def wrong(self) -> bool:
        """Whether the rules fail in some play, or the game is not, or not known to be, proper where that was asked for."""
