"""records: content files → records; what a mod adds, replaces and removes.

In: read nodes. Out: records in the model.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable
from typing import Any

from interpreter.declare.course import (
    ignore,
    language,
    limits,
    options,
    phrases,
    players,
    returns,
    round_,
    rules,
    scores,
    setup,
    simple,
    ties,
    turn,
    values,
)
from interpreter.declare.gathering import PROSE, RECORD_KEYS, Declaring, children, near_of, plain, slug
from interpreter.declare.grids import grids
from interpreter.declare.kinds import called, counters, kinds, paths, relations, states, titles, zones
from interpreter.declare.references import CORE_KINDS
from interpreter.model import (
    Field,
    Kind,
    Record,
)
from interpreter.read import Mapping

DECLARERS: dict[str, Callable[[Declaring, Any], None]] = {
    "language": language,
    "name": simple("title"),
    "version": simple("version"),
    "description": simple("description"),
    "note": ignore,
    "needs": ignore,
    "players": players,
    "factions": simple("faction_kind"),
    "options": options,
    "kinds": kinds,
    "counters": counters,
    "zones": zones,
    "states": states,
    "titles": titles,
    "called": called,
    "paths": paths,
    "grids": grids,
    "relations": relations,
    "setup": setup,
    "turn": turn,
    "round": round_,
    "scores": scores,
    "ties": ties,
    "returns": returns,
    "limits": limits,
    "phrases": phrases,
    "values": values,
    "rules": rules,
}


# What a content file (or a mod's) may hold beside lists of records.
CONTENT = {
    key: DECLARERS[key]
    for key in (
        "kinds",
        "counters",
        "zones",
        "states",
        "titles",
        "paths",
        "grids",
        "relations",
        "phrases",
        "values",
        "rules",
    )
}


def content_file(d: Declaring, root: Mapping) -> None:
    """One file of records: lists under the keys of kinds, and what else may stand beside them."""
    by_key: dict[str, Kind] = {}
    for kind in d.model.kinds.values():
        by_key[kind.key] = kind
    singular = {kind.name.lower(): kind for kind in d.model.kinds.values()}
    d.faction = ""
    for key, (_, node) in root.items.items():
        single = singular.get(key)
        if single and single.name == d.model.faction_kind and isinstance(node, Mapping):
            record(d, single, node)
            d.faction = slug(d.word(node.items["name"][1])) if "name" in node.items else ""
            if "id" in node.items:
                d.faction = d.word(node.items["id"][1])
    for key in ("kinds", "counters", "zones"):
        if key in root.items:
            CONTENT[key](d, root.items[key][1])
    by_key = {kind.key: kind for kind in d.model.kinds.values()}
    for key, (key_node, node) in root.items.items():
        if key in ("kinds", "counters", "zones"):
            continue
        if key in CONTENT:
            CONTENT[key](d, node)
        elif key in by_key:
            for item in children(d, node, key):
                record(d, by_key[key], item)
        elif (key in singular and singular[key].name == d.model.faction_kind) or key in PROSE:
            continue
        else:
            near = difflib.get_close_matches(key, [*CONTENT, *by_key], 1)
            d.fault(
                key_node,
                "unknown-field",
                f'no kind of this game has its records under "{key}"',
                near[0] if near else None,
            )
    d.faction = ""


def record(d: Declaring, kind: Kind, node: Any) -> None:
    """One record of a kind: its fields, its copies, its origin."""
    if not isinstance(node, Mapping):
        d.fault(node, "bad-value", f"a {kind.name} is a mapping of fields")
        return
    if "name" not in node.items:
        d.fault(node, "missing-field", f"a {kind.name} wants a name")
        return
    if drafted(d, node):
        return
    name = d.named(node.items["name"][1])
    ident = d.word(node.items["id"][1]) if "id" in node.items else slug(name)
    out = Record(ident, name, kind.name, faction=d.faction, pack=d.pack, file=d.file, line=node.line, node=node)
    by_key = {f.name.lower(): f for f in kind.fields.values()}
    for key, (key_node, value) in node.items.items():
        if key == "copies":
            number = plain(value)
            if not isinstance(number, int) or isinstance(number, bool) or not 0 <= number <= 1000:
                d.fault(value, "bad-value", "copies wants a number from 0 to 1000")
                number = 1
            out.copies = number
        elif key == "from":
            out.origin = d.word(value)
            if out.origin not in ("rulebook", "public", "original"):
                d.fault(value, "bad-value", "from wants rulebook, public or original")
        elif key in by_key:
            read_field(d, out, by_key[key], value)
        elif key not in RECORD_KEYS:
            near = difflib.get_close_matches(key, [*by_key, *RECORD_KEYS], 1)
            d.fault(key_node, "unknown-field", f'a {kind.name} has no field "{key}"', near[0] if near else None)
    for f in kind.fields.values():
        if f.required and f.name not in out.values and f.name not in out.texts:
            d.fault(node, "missing-field", f'{name} wants the field "{f.name.lower()}"')
    if "replaces" in node.items:
        replaces(d, node, out)
        return
    if ident in d.model.records:
        other = d.model.records[ident]
        if other.name == name:
            d.fault(node.items["name"][1], "duplicate-name", f'"{name}" stands already in {other.file}:{other.line}')
        else:
            where = node.items["id" if "id" in node.items else "name"][1]
            d.fault(where, "duplicate-id", f'"{other.name}" in {other.file}:{other.line} has the id "{ident}" too')
        return
    d.model.records[ident] = out
    if kind.name == d.model.faction_kind:
        d.model.factions = (*d.model.factions, ident)


def drafted(d: Declaring, node: Mapping) -> bool:
    """`status: draft`: the record is kept out of play, and that is said."""
    if "status" not in node.items:
        return False
    value = node.items["status"][1]
    d.choice(value, ("draft",), "status")
    if plain(value) == "draft":
        d.fault(value, "draft", f'"{d.word(node.items["name"][1])}" is a draft and kept out of play')
        return True
    return False


def replaces(d: Declaring, node: Mapping, out: Record) -> None:
    """A mod's record in the place of another; two mods that replace one record are an error naming both."""
    where = node.items["replaces"][1]
    old = d.model.records.get(d.word(where))
    taken = d.model.tables.setdefault("replaced", {})
    if old is None:
        d.fault(
            where, "unknown-name", f'no record has the id "{d.word(where)}"', near_of(d.word(where), d.model.records)
        )
    elif old.ident in taken:
        d.fault(where, "replaced-twice", f'"{old.name}" is replaced twice; the other is in {taken[old.ident]}')
    else:
        taken[old.ident] = f"{d.file}:{node.line}"
        out.ident = old.ident
        if out.name == old.name:
            d.model.tables.setdefault("stood in", {})[old.ident] = old.pack
        out.faction = out.faction or old.faction
        d.model.records[old.ident] = out


def removes(d: Declaring, node: Any) -> None:
    """`removes: [id]` of a mod.yaml."""
    taken = d.model.tables.setdefault("replaced", {})
    for item in children(d, node, "removes"):
        ident = d.word(item)
        if ident in taken:
            done = "replaced" if ident in d.model.records else "removed"
            d.fault(item, "replaced-twice", f'"{ident}" is {done} too, in {taken[ident]}')
        elif ident not in d.model.records:
            d.fault(item, "unknown-name", f'no record has the id "{ident}"', near_of(ident, d.model.records))
        else:
            taken[ident] = f"{d.file}:{item.line}"
            del d.model.records[ident]
            d.model.factions = tuple(f for f in d.model.factions if f != ident)


def read_field(d: Declaring, out: Record, f: Field, node: Any) -> None:
    """The value of one field of a record, as its type wants it."""
    if f.type in ("text", "amount", "condition", "selection", "statement"):
        source = d.text(node, out.ident, f.name)
        if source:
            out.texts[f.name] = source
        return
    value = plain(node)
    if f.kind and f.kind not in d.model.kinds and f.kind not in CORE_KINDS:
        out.values[f.name] = value  # the field's own fault is told where it is declared
        return
    wanted: dict[str, Callable[[Any], bool]] = {
        "number": lambda v: isinstance(v, int) and not isinstance(v, bool),
        "flag": lambda v: isinstance(v, bool),
        "thing": lambda v: isinstance(v, str),
        "list": lambda v: isinstance(v, list) and all(isinstance(item, (str, int)) for item in v),
        "each": lambda v: isinstance(v, dict) and all(isinstance(n, int) for n in v.values()),
        "prose": lambda v: isinstance(v, (str, int)),
        "numbers": lambda v: isinstance(v, list) and all(isinstance(n, int) and abs(n) < 1000 for n in v),
    }
    if not wanted[f.type](value):
        meant = {
            "thing": f"the name of a {f.kind}",
            "list": f"a list of {f.kind}",
            "each": f"a number for each {f.kind}",
        }
        d.fault(node, "bad-value", f"{f.name.lower()} wants {meant.get(f.type, 'a ' + f.type)}")
        return
    out.values[f.name] = value
