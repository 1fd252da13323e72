"""interpreter: Cardscript's engine. In: content by name or path. Out: games, states, decisions (the names below).

Names are loaded when first used, so that importing the package costs nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable

    from interpreter.decision import CHANCE, Decision, IllegalAction, Option
    from interpreter.diagnostics import ContentError
    from interpreter.game import Game
    from interpreter.save import SaveError
    from interpreter.state import State

__all__ = ["CHANCE", "ContentError", "Decision", "Game", "IllegalAction", "Option", "SaveError", "State", "load_game"]

HOMES = {
    "CHANCE": "decision",
    "Decision": "decision",
    "IllegalAction": "decision",
    "Option": "decision",
    "ContentError": "diagnostics",
    "Game": "game",
    "SaveError": "save",
    "State": "state",
}


def load_game(name_or_path: Any, mods: Iterable[Any] = ()) -> Game:
    """The game of this name (of the installed content) or path, with mods. Raises ContentError with every finding."""
    from interpreter import kept
    from interpreter.game import Game

    given = list(mods)
    program = kept.find(name_or_path, given)
    if program is None:
        from interpreter.load import load_program

        program = load_program(name_or_path, given)
    return Game(program)


def __getattr__(name: str) -> Any:
    if name in HOMES:
        value = globals()[name] = getattr(import_module("interpreter." + HOMES[name]), name)
        return value
    raise AttributeError(f"module 'interpreter' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
