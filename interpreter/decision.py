"""decision: what a person or bot is asked: Decision, Option, and the error for an answer that was not offered.

In: a State at which a decision is open. Out: Decision objects; labels are built when they are read, from a copy of the
state as it was when asked.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

    from interpreter.state import State

CHANCE = -1


class IllegalAction(ValueError):
    """The answer is none of the open options, or its seat is not asked; the state is as it was."""


class Place(NamedTuple):
    """Where the text stands that asks: record, file, line (from 1)."""

    record: str
    file: str
    line: int


class Asked:
    """What a Decision and its Options look up: a copy of the state as it was, who is asked, what is offered. It knows
    neither of them, so that nothing waits for a search for circles once both are gone."""

    __slots__ = ("before", "labels", "odds", "opts", "player", "site", "state")

    def __init__(self, state: State, player: int, opts: Sequence[int]) -> None:
        self.state = state.clone(False)
        self.player = player
        self.opts = opts
        self.site = state.prog.sites[state.st[-1]]
        self.labels: tuple[str, ...] | None = None
        self.odds: list[float] | None = None
        self.before: tuple[int, ...] | None = None

    def labelled(self) -> tuple[str, ...]:
        """The labels of the options, then of what is chosen so far."""
        if self.labels is None:
            from interpreter.labels import labels

            self.labels = labels(self.state, (*self.opts, *self.so_far()), self.player)
        return self.labels

    def shares(self) -> list[float]:
        """The probability of each option of CHANCE."""
        if self.odds is None:
            from interpreter.alike import odds

            self.odds = odds(self.state, self.opts)
        return self.odds

    def slot(self, slot: int):  # type: ignore[no-untyped-def]
        s = self.state
        return s.st[len(s.st) - s.prog.shapes[s.st[-1]][0] + slot]

    def so_far(self) -> tuple[int, ...]:
        """The actions chosen before, of a choice of several."""
        if self.before is None:
            site = self.site
            self.before = () if site.slot < 0 or site.secret else tuple(self.slot(site.slot))
        return self.before


class Option:
    """action: an int that means the same in every state of one game digest. label: what is chosen, in words. target:
    record id of the thing that is chosen (`player N` for a player), None if it is none or is not known to the decider.
    probability: for options of CHANCE, else None."""

    __slots__ = ("_asked", "_index", "action")

    def __init__(self, action: int, asked: Asked, index: int) -> None:
        self.action = action
        self._asked = asked
        self._index = index

    @property
    def label(self) -> str:
        return self._asked.labelled()[self._index]

    @property
    def target(self) -> str | None:
        from interpreter.labels import target

        return target(self._asked.state, self.action, self._asked.player)

    @property
    def probability(self) -> float | None:
        a = self._asked
        return a.shares()[self._index] if a.player == CHANCE and self._index < len(a.opts) else None

    def __repr__(self) -> str:
        return f"<Option {self.action}: {self.label}>"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Option) and other.action == self.action

    def __hash__(self) -> int:
        return hash(self.action)


class Decision:
    """player: seat, 0-based, or CHANCE. options and chosen (so far, of a choice of several): tuples of Option. min and
    max count the whole set, those already chosen included."""

    __slots__ = ("_asked", "_options", "player")

    def __init__(self, state: State, player: int, opts: Sequence[int]) -> None:
        self.player = player
        self._asked = Asked(state, player, opts)
        self._options: tuple[Option, ...] | None = None

    @property
    def prompt(self) -> str:
        return self._asked.site.prompt

    @property
    def source(self) -> Place:
        site = self._asked.site
        return Place(site.record, site.file, site.line)

    @property
    def options(self) -> tuple[Option, ...]:
        if self._options is None:
            asked = self._asked
            self._options = tuple([Option(a, asked, i) for i, a in enumerate(asked.opts)])
        return self._options

    @property
    def chosen(self) -> tuple[Option, ...]:
        asked = self._asked
        return tuple(Option(a, asked, i) for i, a in enumerate(asked.so_far(), len(asked.opts)))

    @property
    def min(self) -> int:
        return self._bound(self._asked.site.least)

    @property
    def max(self) -> int:
        return self._bound(self._asked.site.most)

    def labels(self) -> tuple[str, ...]:
        """The labels of the options, then of what is chosen so far."""
        return self._asked.labelled()

    def odds(self) -> list[float]:
        """The probability of each option of CHANCE."""
        return self._asked.shares()

    def _bound(self, value: int) -> int:
        return value if value >= 0 else self._asked.slot(-1 - value)

    def __repr__(self) -> str:
        return f"<Decision of {self.player}: {self.prompt!r}, {len(self._asked.opts)} options>"
