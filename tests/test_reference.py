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


@pytest.mark.parametrize(
    "name, counts, won",
    [
        ("kuhn_poker", {"chance": 4, "decision": 24, "end": 30}, 1 / 8),
        ("leduc_poker", {"chance": 157, "decision": 3780, "end": 5520}, -5 / 64),
    ],
)
def test_the_whole_tree_of_a_game_of_chance(name, counts, won):
    """won: what player 1 wins on average where both play uniformly."""
    seen = dict.fromkeys(counts, 0)
    value = [0.0, 0.0]

    def tree(state: State, other: Any, share: float) -> None:
        found = compare(name, state, other)
        if not found:
            seen["end"] += 1
            for seat, gain in enumerate(state.returns()):
                value[seat] += share * gain
            return
        ((seat, actions),) = found.items()
        seen["chance" if seat == CHANCE else "decision"] += 1
        for action, mine in actions.items():
            after = state.clone()
            after.apply(mine)
            tree(after, other.child(action), share / len(actions))

    tree(*begin(name), 1.0)
    assert seen == counts
    assert value == pytest.approx([won, -won])
