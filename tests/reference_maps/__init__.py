"""reference_maps: one module a reference game, named as its folder: MEANING says which of OpenSpiel's actions each of
our options is. In: a label. Out: Meaning."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Meaning:
    """act, deal: the label of a player's and of a chance option → OpenSpiel's action: pure, injective, the same at every
    state. players: how many play. forced: "ask" where OpenSpiel asks for the only move there is, "take" where it makes
    it. games: how many are played in CI; full: how many in a full run. lean: chances to take the first option, one for
    each run of games; None: all options alike."""

    act: Callable[[str], int]
    deal: Callable[[str], int] = int
    players: int = 2
    forced: str = "ask"
    games: int = 40
    full: int = 1000
    lean: tuple[float | None, ...] = (None,)
