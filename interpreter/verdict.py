"""verdict: the conditions of scenarios on how a game stands: whether it is over, who wins, what a player scores.

In: the text of a condition, a Bench. Out: Verdict, to be asked as an attached Question is; None for any other text.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from .bench import Bench
from .diagnostics import Diagnostic, finding
from .model import OVER, PLAYERS

if TYPE_CHECKING:
    from .nodes import Scalar
    from .state import State

IS_OVER = re.compile(r"the game is( not)? over", re.IGNORECASE)
WINS = re.compile(r"(nobody|player \d+(?: and player \d+)*) (wins?|does not win)", re.IGNORECASE)
SCORE = re.compile(r"the score of player (\d+)(?: for (.+?))? = (-?\d+)", re.IGNORECASE)


@dataclass(slots=True)
class Verdict:
    """holds(state, you); sides: what was found, for messages: text, value, sort."""

    holds: Callable[[Any, int], bool]
    sides: list[tuple[str, Callable[[Any, int], Any], str]] = field(default_factory=list)


def verdict(text: Scalar, bench: Bench, file: str) -> tuple[Verdict | None, list[Diagnostic]]:
    """The Verdict that a text asks for, and what is wrong with it."""
    words = " ".join(text.text.split()).rstrip(".")
    if found := IS_OVER.fullmatch(words):
        wanted = found[1] is None
        return Verdict(lambda s, you: bool(s.v[OVER]) == wanted), []
    if found := WINS.fullmatch(words):
        seats = [int(n) - 1 for n in re.findall(r"\d+", found[1])]
        if "not" in found[2].lower():
            return Verdict(lambda s, you: bool(s.v[OVER]) and not set(seats) & set(s.winners)), []
        return Verdict(lambda s, you: bool(s.v[OVER]) and s.winners == sorted(seats)), []
    if found := SCORE.fullmatch(words):
        return scored(text, bench, file, *found.groups())
    return None, []


def scored(
    text: Scalar, bench: Bench, file: str, number: str, name: str | None, amount: str
) -> tuple[Verdict | None, list[Diagnostic]]:
    """`the score of player 1 = 72`, and of one entry of `scores`: `the score of player 1 for Level = 16`."""
    names = [entry for entry, _ in bench.program.model.scores]
    known = [n.casefold() for n in names]
    if name is not None and name.casefold() not in known:
        start = text.text.find(name)
        near = difflib.get_close_matches(name, names, 1)
        where = text.span(start, start + len(name))
        message = f'this game has no score called "{name}"'
        return None, [finding("unknown-name", file, where, message, near[0] if near else None)]
    seat, wanted = int(number) - 1, int(amount)
    part = None if name is None else bench.program.globals[f"score_{known.index(name.casefold())}"]

    def value(s: State, you: int) -> int | None:
        if seat >= s.v[PLAYERS]:
            return None
        return int(part(s, seat)) if part is not None else s.scores()[seat]

    words = text.text.partition("=")[0].strip()
    return Verdict(lambda s, you: value(s, you) == wanted, [(words, value, "number")]), []
