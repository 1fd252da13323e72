"""layout: where a program's things keep what is theirs, worked out once when a game is loaded.

In: a Program. Out: Layout: flat tables for mutations, labels, views, saves and determinization.
"""

from __future__ import annotations

from typing import Any

from interpreter.model import Kind, Model
from interpreter.program import Program

Ints = tuple[int, ...]
Tab = tuple[int, int, int, Ints, Ints, tuple[bool, ...], int, int, Ints, Ints]


class Layout:
    """tab is the tuple that mutations unpack: (loc, own, seen, see, segs, sets, facedown, everyone, owner, seat_of).

    see: zone → bit set of the seats that learn what enters, -1 where the owner of a thing decides. segs: zone → index
    in State.z of its segments, -1. place: zone → False for segments, paths and other lists of numbers. sets: zone →
    True where order means nothing and is kept by id. rows: thing → tuple of (base, width): its cells are v[base + id *
    width] and width - 1 more; public_rows the same without hidden counters. group: thing → number; only things of one
    group can stand for each other. twins: thing → True if another thing is of the same record; never a player.
    looks: what `alike` unpacks, at its end twins; thing → number of its record and seat; thing → another number, of its
    kind and seat; thing → True if it has no cells of its own and nothing can lie on it; and how far owners are apart,
    so that a sort, a place and an owner have one number."""

    __slots__ = (
        "everyone",
        "group",
        "kinds",
        "looks",
        "los",
        "members",
        "on_zone",
        "place",
        "public_rows",
        "rows",
        "see",
        "segs",
        "sets",
        "start",
        "tab",
        "thing_cells",
        "twins",
        "zone_texts",
        "zones",
    )

    def __init__(self, program: Program) -> None:
        m = program.model
        self.everyone = (1 << m.seats) - 1
        ordered = set(m.tables.get("ordered", ()))
        see: list[int] = []
        for zone in range(m.zone_count):
            seen, who = m.zone_seen[zone], m.zone_owner[zone]
            if seen == "all":
                see.append(self.everyone)
            elif seen == "none" or who == -1:
                see.append(0)
            else:
                see.append(1 << who if who >= 0 else -1)
        self.see = tuple(see)
        self.segs = tuple(m.segments.get(zone, -1) for zone in range(m.zone_count))
        self.sets = tuple(
            self.see[zone] != self.everyone and self.segs[zone] < 0 and zone not in ordered
            for zone in range(m.zone_count)
        )
        self.tab: Tab = (
            m.loc,
            m.own,
            m.seen,
            self.see,
            self.segs,
            self.sets,
            m.tables.get("facedown", -1),
            self.everyone,
            tuple(m.zone_owner),
            tuple(x if x < m.seats else seat for x, seat in enumerate(m.seat_of)),
        )
        self.kinds = {name: lineage(m, name) for name in set(m.kind_of)}
        self._cells(program)
        same: dict[str, int] = {}
        for ident in m.record_of:
            same[ident] = same.get(ident, 0) + 1
        self.twins = tuple(x >= m.seats and same[ident] > 1 for x, ident in enumerate(m.record_of))
        self._texts(m)
        self._groups(m)
        numbers: dict[tuple[str | None, str, int], int] = {}
        told = list(zip(m.record_of, m.kind_of, m.seat_of))
        wide = m.zone_count + 1  # places, and none
        step = wide * (m.seats + 1)  # with owners, and nobody
        sorts = tuple([numbers.setdefault(one, step + step * len(numbers)) for one in told])
        backs = tuple([numbers.setdefault((None, *one[1:]), step + step * len(numbers)) for one in told])
        bare = tuple([not rows and on < 0 for rows, on in zip(self.rows, self.on_zone)])
        self.looks = (m.things, m.seats, m.seen, m.loc, m.own, self.twins, sorts, backs, bare, wide)
        self.los = [r.lo for r in program.ranges]
        self._start(program)

    def _cells(self, program: Program) -> None:
        m = program.model
        self.rows: list[tuple[tuple[int, int], ...]] = []
        self.public_rows: list[tuple[tuple[int, int], ...]] = []
        holders: set[int] = set()
        members: set[tuple[int, int, int, int, int]] = set()
        by_kind: dict[str, tuple[tuple[tuple[int, int], ...], tuple[tuple[int, int], ...]]] = {}
        for leaf, line in self.kinds.items():
            rows: dict[tuple[int, int], bool] = {}
            for kind in line:
                for one in kind.fields.values():
                    if one.cell >= 0:
                        rows[one.cell, 1] = True
                        if one.type == "thing":
                            holders.update(one.cell + x for x in range(kind.lo, kind.hi))
                for word in m.states.values():
                    for state in word:
                        if state.cell >= 0 and state.kind == kind.name:
                            rows[state.cell, 1] = True
            names = [kind.name for kind in line] + ([] if line else [leaf]) + ["thing"]
            for counter in m.counters.values():
                for name in names:
                    if name in counter.cells:
                        offset, width, first = counter.cells[name]
                        lo, hi = (
                            (m.kinds[name].lo, m.kinds[name].hi)
                            if name in m.kinds
                            else (0, m.seats if name == "player" else m.things)
                        )
                        rows.setdefault((offset - lo * width, width), counter.public)
                        if width > 1:
                            members.add((offset, width, first, lo, hi))
            facedown = m.tables.get("facedown", -1)
            if facedown >= 0:
                rows[facedown, 1] = True
            by_kind[leaf] = tuple(rows), tuple(row for row, public in rows.items() if public)
        for x, leaf in enumerate(m.kind_of):
            rows_, public = by_kind[leaf]
            more = tuple((offset - lo, 1) for offset, lo, hi in program.columns if lo <= x < hi)
            self.rows.append(rows_ + more)
            self.public_rows.append(public)
        holders.update(title.cell for title in m.titles.values() if title.cell >= 0)
        self.thing_cells = tuple(sorted(holders))
        self.members = tuple(sorted(members))

    def _groups(self, m: Model) -> None:
        """group: things that look alike from behind (of one kind, or of kinds of cards with one deck) and have the
        same cells, so that they can change places."""
        numbers: dict[tuple[Any, ...], int] = {}
        hosts = [m.kinds[zone.of] for zone in m.zones.values() if zone.of in m.kinds]
        self.group = []
        for x in range(m.things):
            record = m.records.get(m.record_of[x])
            cells = (
                self.rows[x],
                self.on_zone[x] >= 0,
                tuple(kind.lo <= x < kind.hi for kind in hosts),
                tuple(first <= x < first + width for _, width, first, _, _ in self.members),
            )
            key = (self._back(m.kind_of[x]), record.faction if record else "", m.seat_of[x], cells)
            self.group.append(numbers.setdefault(key, len(numbers)))

    def _back(self, leaf: str) -> str:
        """The highest kind above a kind of cards that has the same deck; another kind is its own."""
        line = self.kinds[leaf]
        found = leaf
        for kind in line:
            if not kind.card or kind.deck != line[0].deck:
                break
            found = kind.name
        return found

    def _texts(self, m: Model) -> None:
        """zone → its printed name, '' for the place that is a thing itself; on_zone: thing → zone of what lies on it,
        -1."""
        texts = [""] * m.zone_count
        for zone in m.zones.values():
            for k in range(zone.base, zone.base + zone.count):
                texts[k] = zone.name
        self.zone_texts = tuple(texts)
        on = m.tables.get("on zones")
        self.on_zone = (
            tuple(on)
            if on
            else tuple(
                m.on_zone[kind] + x - m.kinds[kind].lo if (kind := m.kind_of[x]) in m.on_zone else -1
                for x in range(m.things)
            )
        )
        lists = {
            *m.segments.values(),
            *m.tables.get("path zones", {}).values(),
            *(m.tables[name] for name in ("history", "applied", "armed") if name in m.tables),
        }
        self.place = tuple(zone not in lists for zone in range(m.zone_count))

    def _start(self, program: Program) -> None:
        """State.v and State.z before set-up. What starts out of the game is known to everyone: nothing hides it."""
        m = program.model
        v = list(m.start)
        for x in range(m.things):
            if v[m.loc + x] < 0:
                v[m.seen + x] = self.everyone
        if program.zones is not None:
            z = list(program.zones)
        else:
            more = (at + 2 for at in program.lists if at >= m.zone_count)
            z = [()] * max([m.zone_count, *(g + 1 for g in m.segments.values()), *more])
            for x in range(m.things):
                zone = v[m.loc + x]
                if zone >= 0:
                    z[zone] += (x,)
            for zone, g in m.segments.items():
                n = len(z[zone])
                z[g] = () if not n else (1,) if n == 1 else (-n,)
                for x in z[zone]:
                    v[m.seen + x] = 0
        for x in range(m.things):
            zone = v[m.loc + x]
            if zone >= 0 and self.segs[zone] < 0 and self.see[zone] > 0:
                v[m.seen + x] |= self.see[zone]
        self.start, self.zones = v, z


def fill_paths(m: Model, seats: int) -> dict[int, tuple[int, ...]]:
    """For so many seats: zone of a path → its spaces in order."""
    out: dict[int, tuple[int, ...]] = {}
    for ids, parts, each, _ in m.tables.get("paths", ()):
        for i, x in enumerate(ids):
            if each == "own":
                spaces = tuple(part[i] for part in parts) if i < seats else ()
            elif each == "player":
                spaces = tuple(part[seat] for seat in range(seats) for part in parts)
            else:
                spaces = tuple(part[0] for part in parts)
            out[m.tables["path zones"][x]] = spaces
    return out


def lineage(m: Model, name: str) -> tuple[Kind, ...]:
    """A kind with its parents, the leaf first."""
    line: list[Kind] = []
    while name in m.kinds and len(line) < 32:
        line.append(m.kinds[name])
        name = m.kinds[name].parent
    return tuple(line)
