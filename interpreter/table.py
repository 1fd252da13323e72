"""table: in, a view of the table (as State.view gives it), or the name of a record; out, lines of text to read.

Nothing here looks into a state: what a seat may not know is not in its view.
"""

from __future__ import annotations

import difflib
import textwrap
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from interpreter.game import Game

Lines = list[str]
Paint = Callable[[str], str]
UNKNOWN = "?"  # a number that this seat may not know


def plain(text: str) -> str:
    return text


def table(view: dict[str, Any], names: dict[str, str], width: int = 100, heading: Paint = plain) -> Lines:
    """The whole table as one seat sees it. names: record id → printed name. heading: how a heading is shown."""
    seat = view["seat"]
    out = [heading(state_of_play(view))]
    counters = some(view.get("counters", {}))
    if counters:
        out += ["", *hanging("In play: ", counted(counters), width)]
    if view["spaces"]:
        out += ["", heading("Spaces"), *spaces(view["spaces"], width)]
    out += ["", heading("Players"), *players(view, names, width)]
    mine = view["players"][seat]
    out += kept_by(mine["zones"], mine["name"], width, mine=True)
    for k, player in enumerate(view["players"]):
        known = {name: zone for name, zone in player["zones"].items() if isinstance(zone, list) and any(zone)}
        if k != seat and known:
            out += kept_by(known, player["name"], width)
    if view["zones"]:
        out += ["", heading("Places")]
        for name, zone in view["zones"].items():
            out += hanging(f"  {name}: ", listed(zone), width)
    if view.get("things"):
        out += ["", heading("Marked")]
        for thing in view["things"]:
            name, carried = thing["name"] or "a card", marks(thing)
            out += hanging(f"  {name}: ", carried, width) if carried else [f"  {name}"]
    return out


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


def spaces(entries: list[dict[str, Any]], width: int) -> Lines:
    """The spaces in their order, with the pieces on them, their action and counters; an empty column is left out, and
    spaces with nothing to tell of come last, in one line."""
    rows, bare = [], []
    for space in entries:
        row = [space["name"], space["action"] or "", listed(space["pieces"], ""), counted(some(space["counters"]))]
        if any(row[1:]):
            rows.append([*row[:2], row[2] or "-", row[3]])
        else:
            bare.append(space["name"])
    kept = [i for i in range(4) if any(row[i] for row in rows)]
    out = columns([[row[i] for i in kept] for row in rows], width)
    return out + (hanging("  empty: ", listed(bare), width) if bare else [])


def players(view: dict[str, Any], names: dict[str, str], width: int) -> Lines:
    """A row for each player: faction, counters, and how much lies in each of the player's zones. Where that is too
    wide, a column for each player, and what nobody has in one line."""
    everyone = view["players"]
    counters, zones = list(everyone[0]["counters"]), list(everyone[0]["zones"])
    lead = 2 if any(player["faction"] for player in everyone) else 1
    rows = [[""] * lead + counters + zones] if counters or zones else []
    for k, player in enumerate(everyone):
        row = [("* " if k == view.get("active") else "  ") + player["name"] + (" (you)" if k == view["seat"] else "")]
        row += [names.get(player["faction"] or "", "")][: lead - 1]
        row += [amount(player["counters"].get(name)) for name in counters]
        row += [size(player["zones"].get(name, 0)) for name in zones]
        rows.append(row)
    out = columns(rows, right=lead)
    if max(map(len, out)) <= width:
        return out
    turned = [[row[i].strip() if i == 0 else row[i] for row in rows] for i in range(len(rows[0]))]
    bare = [row[0] for row in turned[lead:] if set(row[1:]) == {"0"}]
    out = columns([row for row in turned if row[0] not in bare], right=1)
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
        return f"{zone} card{'' if zone == 1 else 's'}"
    groups: list[tuple[Any, int]] = []
    for item in zone:
        if groups and groups[-1][0] == item:
            groups[-1] = item, groups[-1][1] + 1
        else:
            groups.append((item, 1))
    texts = [f"{n} unknown" if item is None else item if n == 1 else f"{item} ({n})" for item, n in groups]
    return ", ".join(texts) or empty


def size(zone: Any) -> str:
    return str(zone if isinstance(zone, int) else len(zone))


def amount(value: Any) -> str:
    if value is None:
        return UNKNOWN
    if isinstance(value, dict):
        return " ".join(f"{name}:{amount(n)}" for name, n in value.items()) or "0"
    return str(value)


def some(counters: dict[str, Any]) -> dict[str, Any]:
    """The counters that are not zero."""
    return {name: n for name, n in counters.items() if n is None or n}


def counted(counters: dict[str, Any]) -> str:
    """`2 Dew, Bid ?, Mist: 1 Ash, 3 Elm`."""
    parts = []
    for name, value in counters.items():
        if isinstance(value, dict):
            parts.append(f"{name}: " + (", ".join(f"{n} {member}" for member, n in value.items()) or "none"))
        else:
            parts.append(f"{name} {UNKNOWN}" if value is None else f"{value} {name}")
    return ", ".join(parts)


def marks(thing: dict[str, Any]) -> str:
    """What a thing carries, and where it lies."""
    parts = []
    if thing.get("place"):
        parts.append(f"on {thing['place']}")
    parts += list(thing.get("states", ()))
    if thing.get("counters"):
        parts.append(counted(thing["counters"]))
    if thing.get("pieces"):
        parts.append(f"under {listed(thing['pieces'])}")
    return ", ".join(parts)


# ---------------------------------------------------------------- laying out


def columns(rows: list[list[str]], width: int = 0, right: int = 1_000, indent: str = "  ") -> Lines:
    """Rows with their columns in line; columns from `right` on are numbers. The last column wraps, if a width is
    given."""
    if not rows:
        return []
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    out: Lines = []
    for row in rows:
        cells = [c.rjust(w) if i >= right else c.ljust(w) for i, (c, w) in enumerate(zip(row, widths))]
        if width:
            out += hanging(indent + "  ".join(cells[:-1]) + "  ", row[-1], width)
        else:
            out.append((indent + "  ".join(cells)).rstrip())
    return out


def hanging(head: str, text: str, width: int) -> Lines:
    """head, then text, whose further lines stand below its first."""
    indent = " " * min(len(head), width // 2)
    lines = textwrap.wrap(
        head + text,
        width,
        subsequent_indent=indent,
        break_long_words=False,
        break_on_hyphens=False,
        drop_whitespace=True,
        replace_whitespace=False,
    )
    return [line.rstrip() for line in lines] or [head.rstrip()]


# ---------------------------------------------------------------- one record


def find_record(game: Game, name: str) -> tuple[str | None, list[str]]:
    """The id of the record with this name or id, else None and the names that come near."""
    wanted = " ".join(name.split()).casefold()
    by_name: dict[str, str] = {}
    for ident, printed in game.names.items():
        by_name.setdefault(ident.casefold(), ident)
        by_name[printed.casefold()] = ident
    if wanted in by_name:
        return by_name[wanted], []
    inside = sorted({ident for text, ident in by_name.items() if wanted and wanted in text})
    if len(inside) == 1:
        return inside[0], []
    near = [by_name[text] for text in difflib.get_close_matches(wanted, by_name, 3)]
    return None, [game.names[ident] for ident in dict.fromkeys(inside[:5] or near)]


def card(game: Game, ident: str, width: int = 100) -> Lines:
    """A record as it is printed: name, kind, fields and texts."""
    record = game.model.records[ident]
    lines = [f"{record.name} ({record.kind})"]
    for name, value in record.values.items():
        if name not in record.texts and value is not None:
            lines += hanging(f"  {name}: ", printed(game, value), width)
    for name, source in record.texts.items():
        text = source.text.rstrip("\n").split("\n")
        if len(text) == 1 and len(text[0]) + len(name) + 4 <= width:
            lines.append(f"  {name}: {text[0]}")
        else:
            lines += [f"  {name}:", *("    " + line for line in text)]
    return lines


def printed(game: Game, value: Any) -> str:
    if isinstance(value, (list, tuple)):
        return ", ".join(printed(game, item) for item in value) or "none"
    if isinstance(value, dict):
        return ", ".join(f"{printed(game, key)} {printed(game, item)}" for key, item in value.items())
    if isinstance(value, bool):
        return "yes" if value else "no"
    return game.names.get(value, value) if isinstance(value, str) else str(value)
