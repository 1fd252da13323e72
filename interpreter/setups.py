"""setups: in, a state; out, what the set-up of its game may have put into counters and hidden places, and how likely.

A counter that only its holder sees (`public: false`) can say what another was drawn: then it is as unknown as a card. What a
seat holds possible is what those set-ups draw that agree with all the drawn counters it sees. All set-ups are looked at
where chance can take so few ways, else some.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from interpreter import machine
from interpreter.alike import odds
from interpreter.mutations import GOLDEN, mix64, own

if TYPE_CHECKING:
    from interpreter.state import State

MOST = 4_000  # ways of chance that are all looked at
SOME = 512  # set-ups that are looked at where there are more
FEW = 16  # by which it is seen whether hidden counters differ at all


class Drawn(NamedTuple):
    """One set-up: what stands in the cells that differ from one to another, and in the places that hide something."""

    share: float
    cells: dict[int, int]
    places: dict[int, tuple[int, ...]]


class Setups(NamedTuple):
    """drawn: none where no set-up puts anything secret into a counter. secret: the cells that differ and not all see → (the
    seat that does, -2 for nobody, least, most)."""

    drawn: tuple[Drawn, ...]
    secret: dict[int, tuple[int, int, int]]

    def possible(self, s: State, seat: int) -> list[Drawn]:
        """Those that agree with all the counters that this seat sees."""
        differ = self.drawn[0].cells if self.drawn else ()
        seen = [cell for cell in differ if cell not in self.secret or self.secret[cell][0] == seat]
        return [one for one in self.drawn if all(s.v[cell] == one.cells[cell] for cell in seen)]

    def hidden(self, s: State, seat: int) -> list[int]:
        """The cells that this seat does not see, and that still hold what a set-up can have drawn."""
        return [cell for cell, (who, least, most) in self.secret.items() if who != seat and least <= s.v[cell] <= most]


def setups(s: State) -> Setups:
    """The set-ups of a game with the players, factions and options of this one; kept once looked at."""
    m = s.prog.model
    if all(counter.public for counter in m.counters.values()):
        return Setups((), {})
    start = s.game.again(s)
    key = tuple(start.v[: len(m.start)])
    found: Setups | None = s.game.setups.get(key)
    if found is None:
        found = s.game.setups[key] = looked_at(start)
    return found


def looked_at(start: State) -> Setups:
    """The set-ups that a game can have from here."""
    counted = cells(start)
    secret = {cell: seat for cell, seat in counted.items() if seat != -1}
    first = [taken(t, counted) for t in seeded(start, FEW)]
    if all(one.cells[cell] == first[0].cells[cell] for one in first for cell in secret):
        return Setups((), {})
    every: list[Drawn] = []
    for share, t in asked(start):
        every.append(taken(t, counted, share))
        if len(every) > MOST:
            every = [taken(t, counted) for t in seeded(start, SOME)]
            break
    values = {cell: {one.cells[cell] for one in every} for cell in counted}
    differ = [cell for cell in counted if len(values[cell]) > 1]
    drawn = tuple(one._replace(cells={cell: one.cells[cell] for cell in differ}) for one in every)
    spans = {cell: (secret[cell], min(values[cell]), max(values[cell])) for cell in differ if cell in secret}
    return Setups(drawn, spans)


def seeded(start: State, count: int) -> Iterator[State]:
    """As many set-ups, by seeds of their own."""
    for k in range(count):
        t = start.clone(log=False)
        t.rng = mix64(k * GOLDEN + GOLDEN)
        machine.run(t, 0)
        yield t


def asked(start: State) -> Iterator[tuple[float, State]]:
    """Each set-up that chance can come to, and how likely it is."""
    t = start.clone(log=False)
    t.explicit = True
    machine.run(t, 0)
    yield from further(t, 1.0)


def further(t: State, share: float) -> Iterator[tuple[float, State]]:
    if t.who != -1 or not t.opts:
        yield share, t
        return
    for action, part in zip(t.opts, odds(t, t.opts)):
        u = t.clone(log=False)
        u.answering = -1
        machine.step(u, action)
        yield from further(u, share * part)


def cells(s: State) -> dict[int, int]:
    """The cells of all counters but those of cards, which are dealt with their cards → the seat that sees it; -1: all, -2:
    nobody."""
    m = s.prog.model
    out: dict[int, int] = {}
    for counter in m.counters.values():
        for name, (offset, width, first) in counter.cells.items():
            kind = m.kinds.get(name)
            if name == "thing" or (kind is not None and kind.card):
                continue
            each = bool(counter.each.get(name)) and first < m.seats
            lo = kind.lo if kind is not None else 0
            many = kind.hi - kind.lo if kind is not None else m.seats if name == "player" else 1
            for x in range(many):
                owner = own(s, lo + x)
                for i in range(width):
                    seat = i if each else owner if owner >= 0 else -2
                    out[offset + x * width + i] = -1 if counter.public or name == "game" else seat
    return out


def taken(t: State, counted: dict[int, int], share: float = 1.0) -> Drawn:
    """What a set-up that has been done drew: all counters, and what lies in places that hide it but for decks."""
    lay = t.game.layout
    hide = [zone for zone, row in enumerate(t.z[: len(lay.see)]) if row and lay.sets[zone] and lay.place[zone]]
    return Drawn(share, {cell: t.v[cell] for cell in counted}, {zone: t.z[zone] for zone in hide})
