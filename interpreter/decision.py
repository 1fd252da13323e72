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


class Option:
    """action: an int that means the same in every state of one game digest. label: what is chosen, in words. target:
    record id of the thing that is chosen (`player N` for a player), None if it is none or is not known to the decider.
    probability: for options of CHANCE, else None."""

    __slots__ = ("_decision", "_index", "action")

    def __init__(self, action: int, decision: Decision, index: int) -> None:
        self.action = action
        self._decision = decision
        self._index = index

    @property
    def label(self) -> str:
        return self._decision.labels()[self._index]

    @property
    def target(self) -> str | None:
        from interpreter.labels import target

        d = self._decision
        return target(d._state, self.action, d.player)

    @property
    def probability(self) -> float | None:
        d = self._decision
        return d.odds()[self._index] if d.player == CHANCE and self._index < len(d._opts) else None

    def __repr__(self) -> str:
        return f"<Option {self.action}: {self.label}>"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Option) and other.action == self.action

    def __hash__(self) -> int:
        return hash(self.action)


class Decision:
    """player: seat, 0-based, or CHANCE. options and chosen (so far, of a choice of several): tuples of Option. min and
    max count the whole set, those already chosen included."""

    __slots__ = ("_before", "_labels", "_odds", "_options", "_opts", "_site", "_state", "player")

    def __init__(self, state: State, player: int, opts: Sequence[int]) -> None:
        self.player = player
        self._state = state.clone(log=False)
        self._site = state.prog.sites[state.st[-1]]
        self._opts = opts
        self._options: tuple[Option, ...] | None = None
        self._labels: tuple[str, ...] | None = None
        self._odds: list[float] | None = None
        self._before: tuple[int, ...] | None = None

    @property
    def prompt(self) -> str:
        return self._site.prompt

    @property
    def source(self) -> Place:
        site = self._site
        return Place(site.record, site.file, site.line)

    @property
    def options(self) -> tuple[Option, ...]:
        if self._options is None:
            self._options = tuple([Option(a, self, i) for i, a in enumerate(self._opts)])
        return self._options

    @property
    def chosen(self) -> tuple[Option, ...]:
        first = len(self._opts)
        return tuple(Option(a, self, first + i) for i, a in enumerate(self._so_far()))

    @property
    def min(self) -> int:
        return self._bound(self._site.least)

    @property
    def max(self) -> int:
        return self._bound(self._site.most)

    def labels(self) -> tuple[str, ...]:
        """The labels of the options, then of what is chosen so far."""
        if self._labels is None:
            from interpreter.labels import labels

            self._labels = labels(self._state, (*self._opts, *self._so_far()), self.player)
        return self._labels

    def odds(self) -> list[float]:
        if self._odds is None:
            from interpreter.alike import odds

            self._odds = odds(self._state, self._opts)
        return self._odds

    def _slot(self, slot: int):  # type: ignore[no-untyped-def]
        s = self._state
        return s.st[len(s.st) - s.prog.shapes[s.st[-1]][0] + slot]

    def _so_far(self) -> tuple[int, ...]:
        if self._before is None:
            site = self._site
            self._before = () if site.slot < 0 or site.secret else tuple(self._slot(site.slot))
        return self._before

    def _bound(self, value: int) -> int:
        return value if value >= 0 else self._slot(-1 - value)

    def __repr__(self) -> str:
        return f"<Decision of {self.player}: {self.prompt!r}, {len(self._opts)} options>"
