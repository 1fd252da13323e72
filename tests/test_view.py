"""view: in, a table with numbers that are one for each player and hidden; asserted, that a seat sees its own alone."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from interpreter import State, load_game

BAZAAR = Path(__file__).parent / "rules" / "games" / "bazaar"


def tastes(state: State, seat: int) -> dict[str, Any]:
    return {thing["name"]: thing["counters"].get("Taste") for thing in state.view(seat)["things"]}


def test_a_hidden_number_for_each_player_is_seen_by_that_player():
    state = load_game(str(BAZAAR)).new(players=2)
    assert tastes(state, 0) == {"Sun": {"player 1": 4}}
    assert tastes(state, 1) == {"Sun": {"player 2": 5}, "Moon": {"player 2": 6}}
    assert not any("Taste" in entry["text"] for seat in (0, 1) for entry in state.log(seat))
