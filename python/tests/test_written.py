"""Moves as people write them, and why one is not legal."""

import random
import re

import pytest

import rgc
from shared import NAMES, load, play


def test_moves_are_read_as_people_write_them() -> None:
    chess = load("chess.rbg").new_initial_state()
    assert chess.game.action_kind == "steps"
    assert len(chess.legal_moves()) == 20 and chess.why("e2 e4") is None
    actions = chess.move_to_actions("e2e4")
    assert len(actions) > 1
    stepped = chess.clone()
    for action in actions[:-1]:
        stepped.apply_action(action)
    assert stepped.plies == 0 and len(stepped.legal_moves()) < 20 and stepped.move_to_actions("e2e4") == actions[-1:]
    assert stepped.string_to_action("e2e4") == actions[-1]
    assert "begun" in str(stepped.why("d2d4"))
    stepped.apply_move("e2e4")
    chess.apply_move("e2 e4")
    assert chess == stepped and chess.history() == actions and chess.plies == 1
    with pytest.raises(rgc.IllegalAction, match="move_to_actions"):
        chess.string_to_action("e7 e5")
    for wrong in ("", " "):
        with pytest.raises(rgc.IllegalAction, match="empty"):
            chess.string_to_action(wrong)
    for wrong in ("e7 e4", "Nf6", "", "nonsense"):
        assert chess.why(wrong)
        with pytest.raises(rgc.IllegalAction):
            chess.apply_move(wrong)
    assert chess.plies == 1
    # Whole moves are single actions.
    state = load("breakthrough.rbg").new_initial_state()
    assert [state.string_to_action(text) for text in state.legal_moves()] == [state.move_to_actions(text)[0] for text in state.legal_moves()]
    assert sorted(state.string_to_action(text) for text in state.legal_moves()) == state.legal_actions()


def test_steps_say_what_they_do() -> None:
    """The text of a step in RBG has what the rules do there, and tells it from all others."""
    for name in ("chess.rbg", "amazonsSplit.rbg", "breakthrough.rbg"):
        game = rgc.load(name, actions="steps") if name != "chess.rbg" else load(name)
        texts = [game.action_to_string(action) for action in range(game.num_actions)]
        assert len(set(texts)) == len(texts)
        modifiers = [text for text in texts if "#" in text]
        assert modifiers and all(text.startswith(("[", "->")) for text in modifiers), modifiers
        # A place may be called so, but no modifier is.
        assert all(text != tag for text, tags in zip(texts, map(game.action_tags, range(game.num_actions))) for tag in tags if re.fullmatch(r"i\d+", tag))
    state, chess = load("chess.rbg").new_initial_state(), load("chess.rbg")
    assert any(text.startswith("[wP]#") for text in map(chess.action_to_string, range(chess.num_actions)))
    rng = random.Random(2)
    while state.plies < 4:
        for action in state.legal_actions():
            assert state.string_to_action(state.action_to_string(action)) == action
        state.apply_action(rng.choice(state.legal_actions()))


@pytest.mark.parametrize("name", NAMES)
def test_legal_moves_are_read_back(name: str) -> None:
    for state in play(load(name).new_initial_state(), random.Random(6), 12):
        reached = set()
        for text in state.legal_moves():
            after = state.clone()
            after.apply_move(text)
            reached.add(after)
            assert after.plies == state.plies + (not state.is_chance_node()) and len(after.history()) > len(state.history())
        assert bool(reached) != state.is_terminal()
        assert len({state.child(action) for action in state.legal_actions()}) <= len(reached)


def test_why_a_move_is_not_legal() -> None:
    chess = load("chess.rbg")
    state = chess.new_initial_state()
    for text, said in (("e2e4", None), ("e4 e5", "`e4` is empty"), ("e7 e5", "a piece of black"), ("e2 e9", "`e9` is not on the board"), ("e2 e5", "no way from `e2` to `e5`"), ("Nf6", "algebraic"), ("", "move")):
        found = state.why(text)
        assert (found is None) if said is None else said in str(found), (text, found)
    # What is not possible any more after a step.
    state.apply_action(state.move_to_actions("e2e4")[0])
    assert "begun" in str(state.why("d2 d4")) and state.why("e2 e3") is None
    assert chess.why("e2 e4; e7 e5; g1 f3") is None
    assert str(chess.why("e2e4; e4e5")).startswith("after `e2e4`: `e4e5` is not legal: `e4` holds")
    # Moves that name no place; a column that is full.
    poker = load("kuhnPoker.hrg").new_initial_state()
    assert poker.why("nonsense") and poker.why("bet") and poker.why(poker.legal_moves()[0]) is None
    assert "condition" in str(load("connectFour.hrg").why("a; a; a; a; a; a; a"))
    over = play(load("ticTacToe.hrg").new_initial_state(), random.Random(1))[-1]
    assert "the game is over" in str(over.why("a1"))
    full = load("ticTacToe.hrg").new_initial_state()
    full.apply_move("b2")
    assert "b2" in str(full.why("b2"))
