"""printed: in, the name of a record; out, lines of text: what is printed on it."""

from __future__ import annotations

import difflib
import re
from typing import TYPE_CHECKING, Any

from interpreter.lines import Lines, hanging
from interpreter.table import Spellings

if TYPE_CHECKING:
    from interpreter.game import Game


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


def lying_at(view: dict[str, Any], words: Spellings, name: str) -> list[str] | None:
    """The names of what lies, as far as the view tells, in a place: a zone of the reader's own (`Hand`), one of all
    (`Yard`), one of somebody else (`Palm of player 2`), or all spaces of a kind (`Wells`). None for no such place."""
    places: dict[str, list[Any]] = {}
    for k, player in enumerate(view["players"]):
        for zone, items in player["zones"].items():
            places[f"{zone} of {player['name']}"] = items if isinstance(items, list) else []
            if k == view["seat"]:
                places[zone] = places[f"your {zone}"] = places[f"{zone} of {player['name']}"]
    places.update({zone: items for zone, items in view["zones"].items() if isinstance(items, list)})
    for kind, space in zip(view.get("kinds", ()), view["spaces"]):
        places.setdefault(words.many(kind), []).extend(space["pieces"])
        places.setdefault(space["name"].removeprefix("the "), []).extend(space["pieces"])
    wanted = " ".join(name.split()).casefold()
    items = next((items for place, items in places.items() if items and place.casefold() == wanted), None)
    if items is None:
        return None
    return list(dict.fromkeys(re.sub(r" of player \d+$", "", item) for item in items if item))


def card(game: Game, ident: str, width: int = 100) -> Lines:
    """A record as it is printed: name, kind, fields and texts, and of what its kind computes how that comes about."""
    record = game.model.records[ident]
    lines = [f"{record.name} ({record.kind})"]
    for name, value in record.values.items():
        if name not in record.texts and value is not None:
            lines += hanging(f"  {name}: ", printed(game, value), width)
    for one in game.model.kinds[record.kind].fields.values():
        if one.formula is not None and one.note and one.name not in record.texts:
            lines += hanging(f"  {one.name}: ", one.note, width)
    for name, source in record.texts.items():
        text = source.text.rstrip("\n").split("\n")
        if len(text) == 1:
            lines += hanging(f"  {name}: ", text[0], width)
        else:
            lines.append(f"  {name}:")
            for line in text:
                words = line.lstrip()
                lines += hanging(" " * (4 + len(line) - len(words)), words, width)
    return lines


def printed(game: Game, value: Any) -> str:
    if isinstance(value, (list, tuple)):
        return ", ".join(printed(game, item) for item in value) or "none"
    if isinstance(value, dict):
        return ", ".join(f"{printed(game, key)} {printed(game, item)}" for key, item in value.items())
    if isinstance(value, bool):
        return "yes" if value else "no"
    return game.names.get(value, value) if isinstance(value, str) else str(value)
