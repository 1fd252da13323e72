"""primed: in, Clandestine with the Serpent Keepers; asserted, that nobody else is shown or told which Secret was primed."""

from __future__ import annotations

import random
from typing import Any

import pytest

from interpreter import State, load_game

SEATS = ["the-serpent-keepers", "the-garden-club", "the-twilight-masks"]


def beside(s: State, seat: int) -> list[Any]:
    """What lies beside the Spaces, as this seat sees it."""
    found = s.view(seat)["players"][0]["zones"]["Undergrowth"]
    assert isinstance(found, list)
    return found


def prime(s: State, picks: random.Random) -> None:
    """Play at random, priming what can be primed, until something lies beside a Space."""
    while not beside(s, 0):
        decision = s.decision
        assert decision is not None
        options = list(decision.options)
        wanted = [o for o in options if "rime it" in o.label] or [o for o in options if o.label.startswith("Play ")]
        s.apply(picks.choice(wanted or options))


@pytest.mark.parametrize("seed", range(6))
def test_nobody_else_learns_what_is_primed(seed: int) -> None:
    s = load_game("clandestine").new(players=SEATS, seed=seed)
    prime(s, random.Random(seed))
    (name,) = beside(s, 0)
    assert any(name in entry["text"] for entry in s.log(0))
    for seat in (1, 2):
        assert beside(s, seat) == [None]
        assert not any(name in entry["text"] for entry in s.log(seat))
        assert any("prime it" in entry["text"] for entry in s.log(seat))
        assert sum(space["counters"].get("Coil", 0) for space in s.view(seat)["spaces"]) == 1
