"""sight: in, a state at a decision; out, what all laws that look at it need, worked out once: what it is in memory, a
number of its own, what each seat sees, and another deal of what a seat cannot know.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

from interpreter import State, machine
from interpreter.determinize import dealt, unknown
from interpreter.model import FIXED_CELLS, STEPS

SELDOM = 8  # what is long is looked at in one state of so many
CELLS = 40  # and what goes to the end of the game in one of so many as the state has cells, divided by this
SOME = 200  # cells of a state that its number is made of
DEALS = 2  # deals tried for a seat until one can be asked what is open
RECENT = 30  # entries of a log that are kept where the whole of a long one would be too much


def seats(s: State) -> range:
    return range(s.v[0])


def raw(s: State) -> tuple[Any, ...]:
    """All that makes a state, as it lies in memory: cheap to take and to compare."""
    return s.v[:], s.z[:], s.st[:], s.rng, s.pend, s.mods, tuple(s.opts), s.who, *settings(s)


def settings(s: State) -> tuple[Any, ...]:
    return s.auto, s.explicit, None if s.lg is None else len(s.lg)


def unchanged(s: State, before: tuple[Any, ...]) -> bool:
    """raw(s) == before, without copying."""
    v, z, st, rng, pend, mods, opts, who, *rest = before
    return (
        s.v == v
        and s.z == z
        and s.st == st
        and (s.rng, s.pend, s.mods, tuple(s.opts), s.who) == (rng, pend, mods, opts, who)
        and settings(s) == tuple(rest)
    )


class Sight:
    """What was worked out of one state."""

    __slots__ = ("made", "number", "state", "twins", "views")

    def __init__(self, s: State) -> None:
        self.state = s
        self.made = raw(s)
        self.views: dict[int, Any] = {}
        self.twins: dict[int, tuple[State, dict[int, int]] | None] = {}
        # Python hashes ints alike in every process.
        cells = s.v[:STEPS] + s.v[FIXED_CELLS:SOME]
        parts = tuple(cells), tuple(s.z), tuple(s.st), tuple(s.opts), s.who, s.rng
        self.number = hash(parts) & 0xFFFF_FFFF_FFFF


last: list[Sight] = []


def sight(s: State) -> Sight:
    """What is known of this state: kept until another is looked at, or this one has changed."""
    if not last or last[0].state is not s or not unchanged(s, last[0].made):
        last[:] = [Sight(s)]
    return last[0]


def number(s: State) -> int:
    """A number that a state gives, for draws of the laws' own."""
    return sight(s).number


def seldom(s: State) -> bool:
    return number(s) % SELDOM == 0


def rare(s: State) -> bool:
    """True in fewer states the larger these are: games are longer then, too."""
    return number(s) // SELDOM % max(2, len(s.v) // CELLS) == 0


def one_seat(s: State) -> int:
    return number(s) // SELDOM % len(seats(s))


def some(s: State, most: int) -> list[int]:
    """A few of the actions, always the same ones of one state."""
    return random.Random(number(s)).sample(s.actions, min(most, len(s.actions)))


def recent(s: State) -> State:
    """A copy with the last entries of its log."""
    t = s.clone(log=False)
    t.lg = None if s.lg is None else s.lg[-RECENT:]
    return t


def view(s: State, seat: int) -> Any:
    """What a seat sees, looked at once."""
    views = sight(s).views
    if seat not in views:
        views[seat] = s.view(seat)
    return views[seat]


def twin(s: State, seat: int) -> tuple[State, dict[int, int]] | None:
    """A copy of s in which what this seat cannot know is dealt anew, at the same question, and which thing stands where
    another was. Unlike determinize, this leaves no deal out, whatever the seat would be asked under it. None if there
    is nothing to deal, or if somebody else's question could not be asked then. To be copied before it is changed."""
    twins = sight(s).twins
    if seat not in twins:
        twins[seat] = next(deals(s, seat), None)
    return twins[seat]


def deals(s: State, seat: int) -> Iterator[tuple[State, dict[int, int]]]:
    groups = unknown(s, seat)
    for k in range(DEALS if groups else 0):
        dice = random.Random(number(s) * DEALS + k + seat)
        swap = {x: y for things in groups for x, y in zip(things, dice.sample(things, len(things)))}
        t = dealt(s, swap)
        if not s.over:
            t.who, t.opts = machine.derive(t)
            if t.who != s.who or not t.opts:
                continue
        yield t, swap
