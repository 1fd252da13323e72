"""view: the table as one seat sees it, in JSON types.

In: a State and a seat. Out: {seat, over, phase, deciding, players, zones, spaces} and, beyond the contract, turn,
round, active, counters (of the game) and things (what lies open, or has a fixed spot, and carries counters, states or
pieces, or is somebody's). An unknown card is null, a deck is a count, a counter that only its holder sees is null for
others. What is known of a hidden place stands first, so that its order tells nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from interpreter import machine
from interpreter.labels import Known, knower, place, spot
from interpreter.model import ACTIVE, OVER, PLAYERS, ROUND, TURN
from interpreter.mutations import own

if TYPE_CHECKING:
    from interpreter.model import Counter
    from interpreter.state import State


def view(s: State, seat: int) -> dict[str, Any]:
    m = s.prog.model
    v = s.v
    if not 0 <= seat < v[PLAYERS]:
        raise ValueError(f"no seat {seat}")
    known = knower(s, seat)
    game = s.game
    zones: dict[str, Any] = {}
    mine: list[dict[str, Any]] = [{} for _ in range(v[PLAYERS])]
    for zone in m.zones.values():
        if zone.of == "player":
            for k in range(v[PLAYERS]):
                mine[k][zone.name] = contents(s, zone.base + k, known)
        elif not zone.of:
            zones[zone.name] = contents(s, zone.base, known)
        else:
            for k in range(zone.base, zone.base + zone.count):
                if s.z[k]:
                    zones[place(game, k, known)] = contents(s, k, known)
    players = []
    for k in range(v[PLAYERS]):
        thing = v[m.faction_cell + k]
        players.append(
            {
                "name": m.names_of[k],
                "faction": m.record_of[thing] if thing >= 0 else None,
                "counters": counters(s, k, seat, known),
                "zones": mine[k],
            }
        )
    spaces, things = [], []
    fixed = fixtures(s)
    for x in in_path_order(s):
        on = game.layout.on_zone[x]
        card = any(kind.card for kind in game.layout.kinds[m.kind_of[x]])
        if on >= 0 and not card and m.seat_of[x] < v[PLAYERS]:
            spaces.append(
                {
                    "name": spot(game, x, known),
                    "action": action_of(s, x, known),
                    "pieces": [piece(s, y, known) for y in s.z[on]],
                    "counters": counters(s, x, seat, known),
                }
            )
        elif v[m.loc + x] >= 0 or m.kind_of[x] in fixed:
            entry = marked(s, x, seat, known)
            if entry:
                things.append(entry)
    return {
        "seat": seat,
        "over": bool(v[OVER]),
        "phase": phase(s),
        "deciding": deciding(s),
        "turn": v[TURN],
        "round": v[ROUND],
        "active": v[ACTIVE],
        "players": players,
        "zones": zones,
        "spaces": spaces,
        "counters": counters(s, -1, seat, known),
        "things": things,
    }


def in_path_order(s: State) -> list[int]:
    """Every thing but the players: first the spaces of shared paths in their order, then those of seats' own, then the rest."""
    m = s.prog.model
    zones = m.tables.get("path zones", {})
    shared = [zone for path, zone in zones.items() if m.seat_of[path] < 0]
    own_paths = [zone for path, zone in zones.items() if m.seat_of[path] >= 0]
    walked = dict.fromkeys(x for zone in (*shared, *own_paths) for x in s.z[zone])
    return [*walked, *(x for x in range(m.seats, m.things) if x not in walked)]


def phase(s: State) -> str:
    """The name of the innermost step under way, read from the frames; "" outside of steps."""
    phases = s.prog.phases
    at = len(s.st)
    while at > 0 and phases:
        block = s.st[at - 1]
        if block in phases:
            return phases[block]
        at -= s.prog.shapes[block][0]
    return ""


def deciding(s: State) -> list[int] | str:
    """The seats asked; "responses" in a window, whoever is asked."""
    if not s.opts or s.who == -1:
        return []
    if s.prog.sites[s.st[-1]].window:
        return "responses"
    return list(machine.open_seats(s))


def piece(s: State, x: int, known: Known) -> str | None:
    """A thing by its name, with its owner where it has one of its own; None if the seat does not know it."""
    m = s.prog.model
    if not known(x):
        return None
    who = s.v[m.own + x]
    return f"{m.names_of[x]} of player {who + 1}" if who >= 0 and x >= m.seats else m.names_of[x]


def contents(s: State, zone: int, known: Known) -> Any:
    lay = s.game.layout
    row = s.z[zone]
    if lay.segs[zone] >= 0:
        return len(row)
    if lay.sets[zone]:
        return [piece(s, x, known) for x in row if known(x)] + [None] * sum(1 for x in row if not known(x))
    return [piece(s, x, known) for x in row]


def counters(s: State, x: int, seat: int, known: Known) -> dict[str, Any]:
    """Counters of a thing, or of the game (x = -1): name → number, or name → {member: number} where there is one for
    each of several; None where only another seat may see it."""
    m = s.prog.model
    kinds = ["game"] if x < 0 else [k.name for k in s.game.layout.kinds[m.kind_of[x]]] or [m.kind_of[x]]
    if x >= m.seats:
        kinds.append("thing")
    out: dict[str, Any] = {}
    for counter in m.counters.values():
        for name in kinds:
            if name in counter.cells:
                if not counter.public and x >= 0 and own(s, x) != seat:
                    out[counter.name] = None
                else:
                    out[counter.name] = amount(s, counter, name, max(x, 0), known)
                break
    return out


def amount(s: State, counter: Counter, kind: str, x: int, known: Known) -> Any:
    m = s.prog.model
    offset, width, first = counter.cells[kind]
    lo = m.kinds[kind].lo if kind in m.kinds else 0
    at = offset + (x - lo) * width
    if not counter.each.get(kind):
        return s.v[at]
    return {spot(s.game, first + i, known): n for i, n in enumerate(s.v[at : at + width]) if n}


def action_of(s: State, x: int, known: Known) -> str | None:
    """The printed name of what a space's field `action` names, if its kind has such a field."""
    m = s.prog.model
    for kind in s.game.layout.kinds[m.kind_of[x]]:
        for one in kind.fields.values():
            if one.name.casefold() == "action" and one.type == "thing":
                tables: dict[Any, Any] = m.tables
                lo = tables.get(("field lo", id(one)), kind.lo)
                y = s.v[one.cell + x] if one.cell >= 0 else one.table[x - lo] if one.table else -1
                return m.names_of[y] if y >= 0 and known(y) else None
    return None


def marked(s: State, x: int, seat: int, known: Known) -> dict[str, Any] | None:
    """A thing that carries something, if its place shows which thing that is: known, or at its own spot in the open."""
    m = s.prog.model
    lay = s.game.layout
    zone = s.v[m.loc + x]
    if zone >= 0 and (lay.segs[zone] >= 0 or (lay.sets[zone] and not known(x))):
        return None
    numbers = {name: n for name, n in counters(s, x, seat, known).items() if n}
    names = {kind.name for kind in lay.kinds[m.kind_of[x]]}
    states = [
        word.word
        for words in m.states.values()
        for word in words
        if word.cell >= 0 and word.kind in names and s.v[word.cell + x]
    ]
    on = lay.on_zone[x]
    taken = m.kind_of[x] != m.faction_kind and zone < 0 and m.seat_of[x] < 0 and s.v[m.own + x] >= 0
    if not numbers and not states and not taken and (on < 0 or not s.z[on]):
        return None
    return {
        "name": piece(s, x, known),
        "place": place(s.game, zone, known) if zone >= 0 else None,
        "counters": numbers,
        "states": states,
        "pieces": contents(s, on, known) if on >= 0 else [],
    }


def fixtures(s: State) -> set[str]:
    """Kinds whose things lie in no place at any time, such as the cells of a board: they are in the open where they
    are."""
    m = s.prog.model
    held = {name for zone in m.zones.values() for name in zone.holds}
    held |= {name for kind in m.kinds.values() for name in kind.holds}
    return {
        leaf
        for leaf, line in s.game.layout.kinds.items()
        if line and not any(kind.card or kind.name in held for kind in line)
    }
