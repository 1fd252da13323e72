"""table: in, a view of the table (as State.view gives it); out, lines of text to read.

Nothing here looks into a state: what a seat may not know is not in its view.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from interpreter.lines import Lines, columns, hanging, side_by_side, so_many, spans

if TYPE_CHECKING:
    from interpreter.game import Game

Paint = Callable[[str], str]
UNKNOWN = "?"  # a number that this seat may not know
MANY = 5  # so many spaces of a kind without actions stand side by side
SHORT = 8  # so many rows of players' numbers stand in one column
NUMBERED = re.compile(r"(.*?) (\d+)((?: of player \d+)?)")


class Spellings(NamedTuple):
    """names: record id → printed name. plurals: counter or kind → its plural. silent: counters that are not shown."""

    names: dict[str, str]
    plurals: Mapping[str, str] = MappingProxyType({})
    silent: frozenset[str] = frozenset()

    def many(self, name: str) -> str:
        return self.plurals.get(name, name)

    def so_many(self, n: int, name: str) -> str:
        return f"{n} {name if n == 1 else self.many(name)}"


def plain(text: str) -> str:
    return text


def spellings(game: Game) -> Spellings:
    m = game.model
    plurals = {counter.name: counter.plural for counter in m.counters.values()}
    plurals |= {kind.name: kind.plural for kind in m.kinds.values()}
    return Spellings(game.names, plurals, frozenset(c.name for c in m.counters.values() if not c.shown))


def table(view: dict[str, Any], words: Spellings, width: int = 100, heading: Paint = plain) -> Lines:
    """The whole table as one seat sees it. heading: how a heading is shown."""
    out: Lines = []
    for title, lines in parts(view, words, width):
        out += ["", heading(title), *lines] if out else [heading(title), *lines]
    return out


def parts(view: dict[str, Any], words: Spellings, width: int = 100) -> list[tuple[str, Lines]]:
    """The table in its parts: heading, lines."""
    seat = view["seat"]
    held = [f"{title}: {who or 'a card'}" for title, who in view.get("titles", {}).items()]
    counters = ", ".join(filter(None, [counted(some(view.get("counters", {}), words), words), *held]))
    out = [(state_of_play(view), ["", *hanging("In play: ", counters, width)] if counters else [])]
    out += [(net["name"], grid(net)) for net in view.get("grids", ())]
    view = beside_grids(view)
    out += spaces(view, words, width)
    rows = players(view, words, width)
    mine = view["players"][seat]
    rows += kept_by(mine["zones"], mine["name"], width, mine=True)
    for k, player in enumerate(view["players"]):
        known = {name: zone for name, zone in player["zones"].items() if isinstance(zone, list) and any(zone)}
        if k != seat and known:
            rows += kept_by(known, player["name"], width)
    out.append(("Players", rows))
    if view["zones"]:
        long = {name: zone for name, zone in view["zones"].items() if isinstance(zone, list) and zone}
        short = [f"{name}: {listed(zone)}" for name, zone in view["zones"].items() if name not in long]
        lines = [line for name, zone in long.items() for line in hanging(f"  {name}: ", listed(zone), width)]
        out.append(("Places", lines + (hanging("  ", "; ".join(short), width) if short else [])))
    if view.get("things"):
        lines = []
        for thing in view["things"]:
            name, carried = thing["name"] or "a card", marks(thing, words)
            lines += hanging(f"  {name}: ", carried, width) if carried else [f"  {name}"]
        out.append(("Marked", lines))
    return out


def changes(
    old: dict[str, Any], new: dict[str, Any], words: Spellings, width: int = 100, heading: Paint = plain
) -> Lines:
    """Of a table, the lines that were not there with the view before, under their headings; of what players have, the
    numbers that differ."""
    before = dict(parts(old, words, width))
    after = parts(new, words, width)
    nets = {net["name"] for net in new.get("grids", ())}
    old, new = beside_grids(old), beside_grids(new)
    anew = {one["name"] for one, was in zip(new["spaces"], old["spaces"]) if one != was}
    of_spaces = dict(spaces(new, words, width))
    out: Lines = []
    for k, (title, lines) in enumerate(after):
        if title in nets:
            fresh = [] if lines == before.get(title) else lines
        elif title in of_spaces:
            fresh = dict(spaces(new, words, width, anew)).get(title, [])
        else:
            there = set(before.get(title, []))
            fresh = [line for line in lines if line not in there]
        if title == "Players":
            rows = players(new, words, width, moved(old, new))
            fresh = rows + [line for line in fresh if line not in players(new, words, width)]
        if fresh or (k == 0 and title not in before):
            out += ["", heading(title), *fresh]
    return out


def moved(old: dict[str, Any], new: dict[str, Any]) -> set[str]:
    """The counters of players, and the zones by their size, that differ."""
    out = set()
    for was, now in zip(old["players"], new["players"]):
        out |= {name for name, n in now["counters"].items() if n != was["counters"].get(name)}
        out |= {name for name, zone in now["zones"].items() if size(zone) != size(was["zones"].get(name, 0))}
    return out


def beside_grids(view: dict[str, Any]) -> dict[str, Any]:
    """A view without the spaces that are shown in a grid."""
    nets = view.get("grids", ())
    if not nets:
        return view
    shown = {column + row["name"] for net in nets for column in net["columns"] for row in net["rows"]}
    return {
        **view,
        "spaces": [space for space in view["spaces"] if space["name"] not in shown],
        "things": [x for x in view.get("things", ()) if (x["name"] or "").split(" of ")[0] not in shown],
    }


def grid(net: dict[str, Any]) -> Lines:
    """Rows and columns as they lie, a point for a space with nothing to tell of."""
    foot = ["", *net["columns"]]
    rows = [[row["name"], *(text or "." for text in row["spaces"])] for row in net["rows"]]
    return columns([*rows, foot])


def state_of_play(view: dict[str, Any]) -> str:
    """`Round 2, turn 5, Main; player 1 is active`."""
    parts = [f"round {view['round']}"] if view.get("round") else []
    parts += [f"turn {view['turn'] + 1}"] if "turn" in view else []
    parts += [view["phase"]] if view.get("phase") else []
    text = ", ".join(parts)
    active = view.get("active", -1)
    if 0 <= active < len(view["players"]) and not view["over"]:
        text += f"; {view['players'][active]['name']} is active"
    text = text + "; the game is over" if view["over"] else text
    return text[:1].upper() + text[1:]


def spaces(view: dict[str, Any], words: Spellings, width: int, only: set[str] | None = None) -> list[tuple[str, Lines]]:
    """The spaces in their order, with the pieces on them, their action and counters; an empty column is left out, and
    spaces with nothing to tell of come last, in one line. Of a kind that has no actions there are often many: these
    stand side by side, under the name of their kind. only: the names of those to tell of."""
    entries = view["spaces"]
    if not entries:
        return []
    kinds = view.get("kinds") or [""] * len(entries)
    of_kind: dict[str, list[dict[str, Any]]] = {}
    for kind, space in zip(kinds, entries):
        of_kind.setdefault(kind, []).append(space)
    grids = {kind: group for kind, group in of_kind.items() if kind and not any(space["action"] for space in group)}
    grids = {kind: group for kind, group in grids.items() if len(group) >= MANY and len(grids) < len(of_kind)}
    rows, bare = [], []
    for kind, space in zip(kinds, entries):
        if kind in grids or (only is not None and space["name"] not in only):
            continue
        numbers = counted(some(space["counters"]), words)
        row = [space["name"], space["action"] or "", "; ".join(filter(None, [together(space["pieces"]), numbers]))]
        if any(row[1:]):
            rows.append([*row[:2], row[2] or "-"])
        else:
            bare.append(space["name"].removeprefix("the "))
    kept = [i for i in range(3) if any(row[i] for row in rows)]
    lines = columns([[row[i] for i in kept] for row in rows], width)
    out = [("Spaces", lines + (hanging("  empty: ", ", ".join(runs(bare)), width) if bare else []))]
    out = [] if not out[0][1] else out
    for kind, group in grids.items():
        cells: dict[str, list[Any]] = {}
        for space in group if only is None else [one for one in group if one["name"] in only]:
            carried = [*space["pieces"], counted(some(space["counters"]), words)]
            cells.setdefault(space["name"].removeprefix("the "), []).extend(item for item in carried if item != "")
        full = [f"{name}: {together(items)}" for name, items in cells.items() if items]
        empty = runs([name for name, items in cells.items() if not items])
        lines = side_by_side(full, width) + (hanging("  empty: ", ", ".join(empty), width) if empty else [])
        if lines:
            out.append((words.many(kind), lines))
    return out


def runs(names: Lines) -> Lines:
    """`Well 1 of player 2, Well 2 of player 2` → `Well 1 to 2 of player 2`; other names as they are."""
    groups: dict[tuple[str, str], list[int]] = {}
    for name in names:
        found = NUMBERED.fullmatch(name)
        groups.setdefault((found[1], found[3]) if found else (name, ""), []).append(int(found[2]) if found else -1)
    out = []
    for (head, tail), numbers in groups.items():
        if numbers[0] < 0:
            out.append(head if len(numbers) == 1 else f"{head} ({len(numbers)})")
            continue
        out.append(f"{head} {spans(numbers, 3)}{tail}")
    return out


def players(view: dict[str, Any], words: Spellings, width: int, only: set[str] | None = None) -> Lines:
    """A row for each player: faction, counters, and how much lies in each of the player's zones. Where that is too
    wide, a column for each player, such columns side by side, and what nobody has in one line. only: the counters and
    zones to tell of."""
    everyone = view["players"]
    counters = [name for name in everyone[0]["counters"] if name not in words.silent]
    zones = list(everyone[0]["zones"])
    if only is not None:
        counters, zones = [n for n in counters if n in only], [n for n in zones if n in only]
        if not counters and not zones:
            return []
    lead = 2 if any(player["faction"] for player in everyone) and only is None else 1
    rows = [[""] * lead + counters + zones] if counters or zones else []
    for k, player in enumerate(everyone):
        row = [("* " if k == view.get("active") else "  ") + player["name"] + (" (you)" if k == view["seat"] else "")]
        row += [words.names.get(player["faction"] or "", "")][: lead - 1]
        row += [amount(player["counters"].get(name)) for name in counters]
        row += [size(player["zones"].get(name, 0)) for name in zones]
        rows.append(row)
    out = columns(rows, right=lead)
    if max(map(len, out)) <= width:
        return out
    turned = [[row[i].strip() if i == 0 else row[i] for row in rows] for i in range(lead, len(rows[0]))]
    bare = [row[0] for row in turned if set(row[1:]) == {"0"} and only is None]
    kept = [row for row in turned if row[0] not in bare]
    heads = [row[0].strip() for row in rows[1:]]
    head = ["", *heads]
    one = max(map(len, columns([head, *kept], right=1)))
    blocks = max(1, min((width + 4) // (one + 4), -(-len(kept) // SHORT)))
    tall = -(-len(kept) // blocks)
    sides = [columns([head, *kept[k : k + tall]], right=1) for k in range(0, len(kept), tall)]
    wide = [max(map(len, side)) for side in sides]
    out = [
        "    ".join(side[k].ljust(w) if k < len(side) else " " * w for side, w in zip(sides, wide)).rstrip()
        for k in range(tall + 1)
    ]
    if lead == 2:
        who = [f"{row[0].strip()}: {row[1]}" if row[1] else row[0].strip() for row in rows[1:]]
        out = [*hanging("  ", "; ".join(who), width), *out]
    return out + (hanging("  nobody has: ", ", ".join(bare), width) if bare else [])


def kept_by(zones: dict[str, Any], owner: str, width: int, mine: bool = False) -> Lines:
    """What lies in a player's zones, a line each; decks and empty zones stand in the row of the player."""
    out: Lines = []
    for name, zone in zones.items():
        if isinstance(zone, list) and zone:
            own = [item and item.removesuffix(f" of {owner}") for item in zone]
            out += hanging(f"  Your {name}: " if mine else f"  {name} of {owner}: ", listed(own), width)
    return out


def listed(zone: Any, empty: str = "nothing") -> str:
    """`Ash, Fern (2), 3 unknown`; a deck is its number of cards."""
    if isinstance(zone, int):
        return so_many(zone, "card")
    groups: list[tuple[Any, int]] = []
    for item in zone:
        if groups and groups[-1][0] == item:
            groups[-1] = item, groups[-1][1] + 1
        else:
            groups.append((item, 1))
    texts = [f"{n} unknown" if item is None else item if n == 1 else f"{item} ({n})" for item, n in groups]
    return ", ".join(texts) or empty


def together(items: list[Any]) -> str:
    """The same for things whose order means nothing: `Ash (2), Fern`."""
    order = {item: k for k, item in reversed(list(enumerate(items)))}
    return listed(sorted(items, key=lambda item: order[item]), "")


def size(zone: Any) -> str:
    return str(zone if isinstance(zone, int) else len(zone))


def amount(value: Any) -> str:
    if value is None:
        return UNKNOWN
    if isinstance(value, dict):
        return " ".join(f"{name}:{amount(n)}" for name, n in value.items()) or "0"
    return str(value)


def some(counters: dict[str, Any], words: Spellings | None = None) -> dict[str, Any]:
    """The counters that are to be shown, and not zero."""
    silent = words.silent if words else frozenset()
    return {name: n for name, n in counters.items() if (n is None or n) and name not in silent}


def counted(counters: dict[str, Any], words: Spellings) -> str:
    """`2 Drops, Bid ?, Mist: 1 of Ash, 3 of Elm`."""
    parts = []
    for name, value in counters.items():
        if isinstance(value, dict):
            parts.append(", ".join(f"{words.so_many(n, name)} of {member}" for member, n in value.items()))
        else:
            parts.append(f"{name} {UNKNOWN}" if value is None else words.so_many(value, name))
    return ", ".join(parts)


def marks(thing: dict[str, Any], words: Spellings) -> str:
    """What a thing carries, and where it lies."""
    parts = []
    if thing.get("place"):
        parts.append(f"on {thing['place']}")
    parts += list(thing.get("states", ()))
    if thing.get("counters"):
        parts.append(counted(thing["counters"], words))
    parts += [f"{name} {'?' if value is None else value}" for name, value in thing.get("fields", {}).items()]
    if thing.get("pieces"):
        parts.append(f"under {together(thing['pieces'])}")
    return ", ".join(parts)
