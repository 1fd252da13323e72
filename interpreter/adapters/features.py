"""features: a seat's view as numbers in fixed places, and as text.

In: a State (for what a game with so many players can show) and views, as State.view gives them. Out: Features, which
turns a view into a row of numbers of one length; texts of views, of what all seats see alike, and of what one sees more.
Nothing here looks into a state for a value: what a seat may not know is not in its view.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from interpreter.labels import place, spot
from interpreter.model import PLAYERS
from interpreter.view import in_order, sort_of

if TYPE_CHECKING:
    from interpreter.model import Field
    from interpreter.state import State
    from interpreter.view import Sort

Key = tuple[Any, ...]
OWNER = re.compile(r"(.*) of player (\d+)")
OTHER: Key = ("other",)  # what has no place of its own
UNKNOWN = "?"
SIZE = "#"


class Features:
    """places: what is told → its index in a row. ordered: the places whose order is told as well."""

    def __init__(self, s: State) -> None:
        self.places: dict[Key, int] = {}
        self.ordered: set[Key] = set()
        for key in (*self._general(s), *self._players(s), *self._zones(s), *self._spaces(s), *self._things(s), OTHER):
            self.places.setdefault(key, len(self.places))

    def row(self, view: dict[str, Any], prompt: str = "") -> list[float]:
        """The view in numbers; prompt: what the seat is asked."""
        out = [0.0] * len(self.places)
        if prompt:
            out[self.places["asked", prompt]] = 1.0
        places = self.places
        for key, n in self.told(view):
            at = places.get(key, -1)
            if key[-1] == "at":
                out[at] = n
            else:
                out[at] += n
        return out

    def told(self, view: dict[str, Any]) -> Iterator[tuple[Key, float]]:
        """What a view tells: what, and how much of it."""
        yield ("seat", view["seat"]), 1
        yield ("over",), int(view["over"])
        yield ("turn",), view["turn"]
        yield ("round",), view["round"]
        yield ("active", view["active"]), 1
        if view["phase"]:
            yield ("phase", view["phase"]), 1
        for seat in [view["deciding"]] if isinstance(view["deciding"], str) else view["deciding"]:
            yield ("deciding", seat), 1
        for k, player in enumerate(view["players"]):
            mine = ("player", k)
            if player["faction"]:
                yield (*mine, "faction", player["faction"]), 1
            yield from numbers(mine, player["counters"])
            yield from fields(mine, player.get("fields", {}))
            for name, there in player["zones"].items():
                yield from self._pieces((*mine, name), there)
        yield from numbers(("game",), view["counters"])
        for name, there in view["zones"].items():
            yield from self._pieces(("game", name), there)
        here: Key
        for k, space in enumerate(view["spaces"]):
            here = ("space", k)
            if space["action"]:
                yield (*here, "action", space["action"]), 1
            yield from numbers(here, space["counters"])
            yield from fields(here, space.get("fields", {}))
            yield from self._pieces(here, space["pieces"])
        for title, who in view.get("titles", {}).items():
            yield ("title", title, who or UNKNOWN), 1
        for thing in view["things"]:
            found = OWNER.fullmatch(thing["name"] or UNKNOWN)
            here = ("thing", found[1] if found else thing["name"] or UNKNOWN)
            if found:
                yield (*here, "owner", int(found[2]) - 1), 1
            yield from numbers(here, thing["counters"])
            yield from fields(here, thing.get("fields", {}))
            yield from (((*here, "state", word), 1) for word in thing["states"])
            yield from self._pieces(here, thing["pieces"])

    def _pieces(self, here: Key, there: Any) -> Iterator[tuple[Key, float]]:
        if isinstance(there, int):
            yield (*here, SIZE), there
            return
        ordered = here in self.ordered
        for i, name in enumerate(there, 1):
            yield (*here, "has", name or UNKNOWN), 1
            if ordered and name:
                yield (*here, "has", name, "at"), i / len(there)

    # ------------------------------------------------------------ what can be told

    def _general(self, s: State) -> Iterator[Key]:
        seats = range(s.v[PLAYERS])
        yield from (("seat", k) for k in seats)
        yield from (("over",), ("turn",), ("round",), ("active", -1))
        yield from (("active", k) for k in seats)
        yield from (("deciding", k) for k in (*seats, "responses"))
        yield from (("phase", name) for name in dict.fromkeys(s.prog.phases.values()))
        yield from (("asked", prompt) for prompt in dict.fromkeys(site.prompt for site in s.prog.sites.values()))
        yield from counted(s, ("game",), sort_of(s.game, ""))
        for title in s.prog.model.titles.values():
            yield from (("title", title.name, name) for name in (*texts(s, [title.kind]), UNKNOWN))

    def _players(self, s: State) -> Iterator[Key]:
        sort = sort_of(s.game, s.prog.model.kind_of[0])
        for k in range(s.v[PLAYERS]):
            yield from (("player", k, "faction", ident) for ident in s.game.factions)
            yield from carried(s, ("player", k), sort)

    def _zones(self, s: State) -> Iterator[Key]:
        for zone in s.prog.model.zones.values():
            names = (*texts(s, zone.holds), UNKNOWN)
            if zone.of == "player":
                for k in range(s.v[PLAYERS]):
                    yield from self._place(s, ("player", k, zone.name), zone.base + k, names)
            elif not zone.of:
                yield from self._place(s, ("game", zone.name), zone.base, names)
            else:
                for k in range(zone.base, zone.base + zone.count):
                    yield from self._place(s, ("game", place(s.game, k, lambda x: True)), k, names)

    def _place(self, s: State, here: Key, zone: int, names: Sequence[str]) -> Iterator[Key]:
        lay = s.game.layout
        if lay.segs[zone] >= 0:
            yield (*here, SIZE)
            return
        yield from ((*here, "has", name) for name in names)
        if not lay.sets[zone]:
            self.ordered.add(here)
            yield from ((*here, "has", name, "at") for name in names[:-1])

    def _spaces(self, s: State) -> Iterator[Key]:
        m = s.prog.model
        for k, (x, _, sort, _) in enumerate(in_order(s).spaces):
            if sort.action:
                yield from (("space", k, "action", name) for name in texts(s, [sort.action.kind]))
            yield from carried(s, ("space", k), sort)
            yield from (("space", k, "has", name) for name in (*texts(s, held(s, m.kind_of[x])), UNKNOWN))

    def _things(self, s: State) -> Iterator[Key]:
        m = s.prog.model
        done: set[tuple[str, str]] = set()
        for x, on, sort, _ in in_order(s).others:
            if m.seat_of[x] >= s.v[PLAYERS] or (m.names_of[x], m.kind_of[x]) in done:
                continue
            done.add((m.names_of[x], m.kind_of[x]))
            told = [*carried(s, (), sort), *(("state", word) for word, _ in sort.states)]
            if on >= 0:
                told += [("has", name) for name in (*texts(s, held(s, m.kind_of[x])), UNKNOWN)]
            if told or sort.fixed:
                told += [("owner", seat) for seat in range(s.v[PLAYERS])]
            yield from (("thing", name, *key) for key in told for name in (m.names_of[x], UNKNOWN))


def numbers(here: Key, counters: dict[str, Any]) -> Iterator[tuple[Key, float]]:
    for name, n in counters.items():
        if isinstance(n, dict):
            yield from (((*here, name, member), one) for member, one in n.items())
        elif n:
            yield (*here, name), n


def fields(here: Key, changed: dict[str, Any]) -> Iterator[tuple[Key, float]]:
    for name, value in changed.items():
        if isinstance(value, int):
            yield (*here, "set", name), value
        else:
            yield (*here, "set", name, value or UNKNOWN), 1


def carried(s: State, here: Key, sort: Sort) -> Iterator[Key]:
    """What can be told of the counters and the settable fields of a thing."""
    yield from counted(s, here, sort)
    for one in sort.settable:
        yield from ((*here, "set", one.name, *value) for value in values(s, one))


def counted(s: State, here: Key, sort: Sort) -> Iterator[Key]:
    m = s.prog.model
    for counter in sort.counters:
        if not counter.each:
            yield (*here, counter.name)
            continue
        for x in range(counter.first, counter.first + counter.width):
            if not s.v[PLAYERS] <= x < m.seats:
                yield (*here, counter.name, spot(s.game, x, lambda x: True))


def values(s: State, one: Field) -> Iterable[Key]:
    return [()] if one.type in ("number", "flag") else [(name,) for name in (*texts(s, [one.kind]), UNKNOWN)]


def held(s: State, leaf: str) -> list[str]:
    return [name for kind in s.game.layout.kinds[leaf] for name in kind.holds]


def texts(s: State, kinds: Iterable[str]) -> list[str]:
    """How the things of these kinds can be written in a view, with each owner that they may have; all, if none is
    named."""
    m, players = s.prog.model, s.v[PLAYERS]
    wanted = set(kinds)
    out: dict[str, None] = {}
    for x, name in enumerate(m.names_of):
        line = s.game.layout.kinds[m.kind_of[x]]
        if (x < m.seats or m.seat_of[x] >= 0) and (x if x < m.seats else m.seat_of[x]) >= players:
            continue
        if wanted and not any(kind.name in wanted for kind in line):
            continue
        at_first = m.start[m.own + x] if x >= m.seats else -1
        if at_first < 0 or any(kind.owned for kind in line):
            out[name] = None
        if at_first >= 0:
            out[f"{name} of player {at_first + 1}"] = None
        if x >= m.seats and any(kind.owned for kind in line):
            out |= dict.fromkeys(f"{name} of player {k + 1}" for k in range(players))
    return list(out)


# ---------------------------------------------------------------- texts


def text(view: dict[str, Any]) -> str:
    """A view in one line, without what is zero or empty."""
    return written({name: value for name, value in bare(view).items() if name != "seat"})


def shared(views: Sequence[dict[str, Any]]) -> Any:
    """What all seats see alike."""
    return alike([{name: value for name, value in view.items() if name != "seat"} for view in views])


def more(view: dict[str, Any], public: dict[str, Any]) -> str:
    """What a seat sees beyond what all see alike, "" if nothing."""
    found = beyond({name: value for name, value in view.items() if name != "seat"}, public)
    return written(found) if found else ""


def common(public: Any) -> str:
    """What all seats see alike, in one line."""
    return written(bare(public))


def written(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(", ", ": "))


def bare(value: Any) -> Any:
    if isinstance(value, dict):
        kept = {name: bare(one) for name, one in value.items() if name not in ("kinds", "grids")}
        return {name: one for name, one in kept.items() if one or (one is None and name not in ("faction", "action"))}
    return [bare(one) for one in value] if isinstance(value, list) else value


def alike(values: Sequence[Any]) -> Any:
    first = values[0]
    if all(value == first for value in values):
        return first
    if all(isinstance(value, dict) for value in values):
        return {name: alike([value[name] for value in values]) for name in first if all(name in v for v in values)}
    if all(isinstance(value, list) and len(value) == len(first) for value in values):
        return [alike(row) for row in zip(*values)]
    return None


def beyond(value: Any, public: Any) -> Any:
    if value == public:
        return None
    if isinstance(value, dict) and isinstance(public, dict):
        parts = {name: beyond(one, public.get(name)) for name, one in value.items() if one != public.get(name)}
        return {name: one for name, one in parts.items() if one is not None}
    if isinstance(value, list) and isinstance(public, list) and len(value) == len(public):
        return {i: found for i, (a, b) in enumerate(zip(value, public)) if (found := beyond(a, b)) is not None}
    return value
