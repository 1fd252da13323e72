"""tables: the games that the adapters are tried with, and how long each is played. Out: names, settings, games."""

from __future__ import annotations

from functools import cache
from typing import Any

from interpreter.data import list_games

NAMES = [game.name for game in list_games()]
LONG = {"clandestine": 40}  # so many decisions of a game that is long
DEALT = {"clandestine": 60}  # so many answers of chance, or nearly, come before the first one
SIMULTANEOUS = ["goofspiel"]


def settings(name: str) -> dict[str, Any]:
    """Of an environment, which asks for no chance."""
    return {"horizon": LONG[name]} if name in LONG else {}


@cache
def registered(name: str) -> str:
    from interpreter.adapters.openspiel import register

    return register(name)


def spiel(name: str, **params: Any) -> Any:
    """The OpenSpiel game of this name, cut short where it is long."""
    import pyspiel

    usual = {"horizon": LONG[name] + DEALT[name]} if name in LONG else {}
    return pyspiel.load_game(registered(name), {**usual, **params})
