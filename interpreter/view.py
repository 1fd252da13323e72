"""view: the table as one seat sees it, in JSON types.

In: a State and a seat. Out: {seat, over, phase, deciding, players, zones, spaces} and, beyond the contract, turn,
round, active, kinds (of the spaces, in their order), counters (of the game), titles (who or what holds one), fields (of
players and things: what texts have set) and things (what lies open, or has a fixed spot, and carries counters, states,
set fields or pieces, or is somebody's). An unknown card is null, a deck is a count, a counter that only its holder sees
is null for others. What is known of a hidden place stands first, so that its order tells
nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from interpreter import machine
from interpreter.labels import Known, knower, place, spot
from interpreter.model import ACTIVE, OVER, PLAYERS, ROUND, TURN
from interpreter.mutations import own

if TYPE_CHECKING:
    from interpreter.game import Game
    from interpreter.model import Field, Grid
    from interpreter.state import State


class Count(NamedTuple):
    """A counter of things of one kind. Its cells on thing x are v[base + x * width] and width - 1 more; each: one for
    each thing from first on."""

    name: str
    public: bool
    base: int
    width: int
    first: int
    each: bool


class Sort(NamedTuple):
    """What things of one leaf kind carry and are. fixed: they lie in no place at any time, such as the cells of a
    board, and are in the open where they are."""

    counters: tuple[Count, ...]
    states: tuple[tuple[str, int], ...]  # (word, cell - thing)
    action: Field | None  # the field `action`, if it names a thing
    settable: tuple[Field, ...]  # the others that texts can set
    card: bool
    fixed: bool
    faction: bool


class Order(NamedTuple):
    """In which order things are shown. spaces: (thing, zone on it, sort, its name to who knows it); others: the first
    three and all cells whose value is shown if it is not 0."""

    spaces: tuple[tuple[int, int, Sort, str], ...]
    others: tuple[tuple[int, int, Sort, tuple[int, ...]], ...]


def view(s: State, seat: int) -> dict[str, Any]:
    """The table as a seat sees it (see above). Raises ValueError for a seat that there is not."""
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
        sort = sort_of(game, m.kind_of[k])
        players.append(
            {
                "name": m.names_of[k],
                "faction": m.record_of[thing] if thing >= 0 else None,
                "counters": counters(s, k, sort, seat, known),
                "zones": mine[k],
                **({"fields": fields(s, k, sort, known)} if sort.settable else {}),
            }
        )
    order = in_order(s)
    z, loc, owners = s.z, m.loc, m.own
    spaces = [
        {
            "name": name if known(x) else spot(game, x, known),
            "action": action_of(s, x, sort, known) if sort.action else None,
            "pieces": [piece(s, y, known) for y in z[on]] if z[on] else [],
            "counters": counters(s, x, sort, seat, known),
            **({"fields": fields(s, x, sort, known)} if sort.settable else {}),
        }
        for x, on, sort, name in order.spaces
    ]
    things = []
    for x, on, sort, cells in order.others:
        away = v[loc + x] < 0
        if away and not sort.fixed:
            continue
        if (on < 0 or not z[on]) and not (away and v[owners + x] >= 0) and not (sort.settable and was_set(s, x, sort)):
            for cell in cells:
                if v[cell]:
                    break
            else:
                continue
        entry = marked(s, x, sort, seat, known)
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
        "kinds": [m.kind_of[x] for x, _, _, _ in order.spaces],
        "counters": counters(s, -1, sort_of(game, ""), seat, known),
        "things": things,
        **({"titles": titles(s, known)} if m.titles else {}),
        **({"grids": [grid_of(s, grid, seat, known) for grid in m.grids]} if m.grids else {}),
    }


def in_order(s: State) -> Order:
    """Every thing but the players: first the spaces of shared paths in their order, then those of seats' own, then the
    rest. Paths are laid when a game begins, so this is kept for each number of players."""
    players = s.v[PLAYERS]
    found: Order | None = s.game.orders.get(players)
    if found is not None:
        return found
    m = s.prog.model
    zones = m.tables.get("path zones", {})
    shared = [zone for path, zone in zones.items() if m.seat_of[path] < 0]
    own_paths = [zone for path, zone in zones.items() if m.seat_of[path] >= 0]
    walked = dict.fromkeys(x for zone in (*shared, *own_paths) for x in s.z[zone])
    spaces, others = [], []
    for x in (*walked, *(x for x in range(m.seats, m.things) if x not in walked)):
        on = s.game.layout.on_zone[x]
        sort = sort_of(s.game, m.kind_of[x])
        if on >= 0 and not sort.card and m.seat_of[x] < players:
            spaces.append((x, on, sort, spot(s.game, x, lambda x: True)))
        else:
            counted = (one.base + x * one.width + i for one in sort.counters for i in range(one.width))
            others.append((x, on, sort, (*counted, *(cell + x for _, cell in sort.states))))
    found = s.game.orders[players] = Order(tuple(spaces), tuple(others))
    return found


def sort_of(game: Game, leaf: str) -> Sort:
    """Of a leaf kind, kept once worked out; of the game itself: ''."""
    found: Sort | None = game.sorts.get(leaf)
    if found is not None:
        return found
    m = game.model
    line = game.layout.kinds[leaf] if leaf else ()
    names = [kind.name for kind in line] or [leaf or "game"]
    every = ["thing"] if leaf and leaf != "player" else []  # what every thing carries that is no player
    counts = []
    for counter in m.counters.values():
        kind = next((name for name in (*names, *every) if name in counter.cells), None)
        if kind is not None:
            offset, width, first = counter.cells[kind]
            lo = m.kinds[kind].lo if kind in m.kinds else 0
            each = bool(counter.each.get(kind))
            counts.append(Count(counter.name, counter.public, offset - lo * width, width, first, each))
    words = [word for some in m.states.values() for word in some if word.cell >= 0 and word.kind in names]
    fields = [one for kind in line[:1] for one in kind.fields.values()]
    action = next((one for one in fields if one.name.casefold() == "action" and one.type == "thing"), None)
    held = {name for zone in m.zones.values() for name in zone.holds}
    held |= {name for kind in m.kinds.values() for name in kind.holds}
    card = any(kind.card for kind in line)
    found = game.sorts[leaf] = Sort(
        tuple(counts),
        tuple((word.word, word.cell) for word in words),
        action,
        tuple(one for one in fields if one.cell >= 0 and one is not action),
        card,
        bool(line) and not card and not any(kind.name in held for kind in line),
        leaf == m.faction_kind,
    )
    return found


def grid_of(s: State, grid: Grid, seat: int, known: Known) -> dict[str, Any]:
    """A grid as it is looked at, the last row first: of each space what lies on it, else its counters, else who owns
    it; "" where there is nothing."""
    records = s.prog.model.records
    rows = []
    for names in reversed(grid.names):
        spaces = [on_space(s, records[ident].ids[0], seat, known) for ident in names]
        rows.append({"name": records[names[0]].name[1:], "spaces": spaces})
    return {"name": grid.kind, "columns": [records[ident].name[0] for ident in grid.names[0]], "rows": rows}


def on_space(s: State, x: int, seat: int, known: Known) -> str:
    on = s.game.layout.on_zone[x]
    if on >= 0 and s.z[on]:
        return ", ".join(piece(s, y, known) or "?" for y in s.z[on])
    sort = sort_of(s.game, s.prog.model.kind_of[x])
    numbers = ["?" if n is None else str(n) for n in counters(s, x, sort, seat, known).values()]
    owner = s.v[s.prog.model.own + x]
    return " ".join(numbers) or (str(owner + 1) if owner >= 0 else "")


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


def counters(s: State, x: int, sort: Sort, seat: int, known: Known) -> dict[str, Any]:
    """Counters of a thing, or of the game (x = -1): name → number, or name → {member: number} where there is one for
    each of several; None where only another seat may see it. Of a hidden one for each player, a seat sees its own."""
    v = s.v
    out: dict[str, Any] = {}
    for name, public, base, width, first, each in sort.counters:
        at = base + x * width if x > 0 else base
        if not public and each and first < s.prog.model.seats:
            out[name] = {spot(s.game, seat, known): v[at + seat]} if v[at + seat] else {}
        elif not public and x >= 0 and own(s, x) != seat:
            out[name] = None
        elif not each:
            out[name] = v[at]
        else:
            row = v[at : at + width]
            out[name] = {spot(s.game, first + i, known): n for i, n in enumerate(row) if n} if any(row) else {}
    return out


def action_of(s: State, x: int, sort: Sort, known: Known) -> str | None:
    """The printed name of what a space's field `action` names, if its kind has such a field."""
    one = sort.action
    if one is None:
        return None
    m = s.prog.model
    lo = m.tables.get(("field lo", id(one)), m.kinds[m.kind_of[x]].lo)
    y = s.v[one.cell + x] if one.cell >= 0 else one.table[x - lo] if one.table else -1
    return m.names_of[y] if y >= 0 and known(y) else None


def was_set(s: State, x: int, sort: Sort) -> bool:
    start = s.game.layout.start
    return any(s.v[one.cell + x] != start[one.cell + x] for one in sort.settable)


def fields(s: State, x: int, sort: Sort, known: Known) -> dict[str, Any]:
    """The fields that texts have set to something else than is printed: name → number, or the name of a thing; None
    where it is set to nothing, or to what the seat does not know."""
    out: dict[str, Any] = {}
    if known(x):
        start = s.game.layout.start
        for one in sort.settable:
            value = s.v[one.cell + x]
            if value != start[one.cell + x]:
                out[one.name] = (
                    value if one.type in ("number", "flag") else piece(s, value, known) if value >= 0 else None
                )
    return out


def titles(s: State, known: Known) -> dict[str, Any]:
    """Title → who or what holds it, None if the seat does not know that; without those that nobody holds."""
    held = ((title.name, s.v[title.cell]) for title in s.prog.model.titles.values() if title.cell >= 0)
    return {name: piece(s, x, known) for name, x in held if x >= 0}


def marked(s: State, x: int, sort: Sort, seat: int, known: Known) -> dict[str, Any] | None:
    """A thing that carries something, if its place shows which thing that is: known, or at its own spot in the open."""
    m = s.prog.model
    lay = s.game.layout
    zone = s.v[m.loc + x]
    if zone >= 0 and (lay.segs[zone] >= 0 or (lay.sets[zone] and not known(x))):
        return None
    numbers = {name: n for name, n in counters(s, x, sort, seat, known).items() if n}
    states = [word for word, cell in sort.states if s.v[cell + x]]
    on = lay.on_zone[x]
    taken = zone < 0 and m.seat_of[x] < 0 and not sort.faction and s.v[m.own + x] >= 0
    changed = fields(s, x, sort, known) if sort.settable else {}
    if not numbers and not states and not changed and not taken and (on < 0 or not s.z[on]):
        return None
    return {
        "name": piece(s, x, known),
        "place": place(s.game, zone, known) if zone >= 0 else None,
        "counters": numbers,
        "states": states,
        "pieces": contents(s, on, known) if on >= 0 else [],
        **({"fields": changed} if changed else {}),
    }
