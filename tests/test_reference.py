"""reference: in, small games under content/reference; asserted, that the whole tree of each is that of OpenSpiel's game
of that name. Random games of all of them: test_in_step.py."""

from __future__ import annotations

from typing import Any

import pytest

from interpreter import CHANCE, State
from tests.in_step import begin, compare


def test_the_whole_tree_of_tic_tac_toe():
    """States that both games take for one and the same are gone through once and counted as often as they come up."""
    done: dict[tuple[str, str], tuple[int, int]] = {}

    def tree(state: State, other: Any) -> tuple[int, int]:
        """Positions, ends: counted by the ways in which they are reached."""
        key = state.digest(), str(other)
        if key not in done:
            positions, ends = 1, int(state.over)
            for action, mine in (
                compare("tic_tac_toe", state, other).get(0 if state.over else state.decision.player, {}).items()
            ):
                after = state.clone()
                after.apply(mine)
                more = tree(after, other.child(action))
                positions, ends = positions + more[0], ends + more[1]
            done[key] = positions, ends
        return done[key]

    assert tree(*begin("tic_tac_toe")) == (549_946, 255_168)
    assert len(done) == 5_478


def test_the_whole_tree_of_kuhn_poker():
    counts = {"chance": 0, "decision": 0, "end": 0}
    value = [0.0, 0.0]

    def tree(state: State, other: Any, share: float) -> None:
        found = compare("kuhn_poker", state, other)
        if not found:
            counts["end"] += 1
            for seat, won in enumerate(state.returns()):
                value[seat] += share * won
            return
        ((seat, actions),) = found.items()
        counts["chance" if seat == CHANCE else "decision"] += 1
        for action, mine in actions.items():
            after = state.clone()
            after.apply(mine)
            tree(after, other.child(action), share / len(actions))

    tree(*begin("kuhn_poker"), 1.0)
    assert counts == {"chance": 4, "decision": 24, "end": 30}
    assert value == pytest.approx([1 / 8, -1 / 8])  # who plays uniformly wins this for player 1
