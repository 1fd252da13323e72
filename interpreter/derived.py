"""derived: in, a declared Model; out, the JSON Schemas of its files, so that an editor completes and explains their keys.

What a key of game.yaml may hold stands in SHAPES, by the function of `declare` that reads it; what it means, in
`described`. The schemas of mod.yaml, rules.yaml and scenarios are written by hand in `schemas/`.
"""

from __future__ import annotations

import copy
import json
import re
from typing import Any

from .declare import DECLARERS, FIELD_TYPES
from .declare.gathering import PROSE, RECORD_KEYS, slug
from .declare.records import CONTENT
from .described import ENTRY, KEYS, RECORD, TYPES
from .model import Field, Kind, Model
from .schema import load_schema

Schema = dict[str, Any]

DRAFT = "http://json-schema.org/draft-07/schema#"
FIXED = ("mod", "rules", "scenario")  # written by hand
WIDE = 110  # columns of a line of a written schema
MOST_NAMES = 300  # a field that could name more things is not given a list of them

TEXT: Schema = {"type": ["string", "number", "boolean"]}
WORD: Schema = {"type": ["string", "number"]}
NAMES: Schema = {"type": "array", "items": WORD}
FLAG: Schema = {"type": "boolean"}
COUNT: Schema = {"type": "integer"}
ANY: Schema = {}
ORIGINS = ["rulebook", "public", "original"]
FROM: Schema = {"enum": ORIGINS}

# What each key of an entry may hold, where it is not a word; the entry's required keys stand in NEEDED.
SHAPES: dict[str, dict[str, Schema]] = {
    "options": {"values": {"type": "array", "minItems": 1}, "default": ANY, "in scenarios": ANY},
    "kinds": {
        "fields": {"type": "object", "additionalProperties": {"$ref": "#/definitions/field"}},
        "each": {"const": "player"},
        "holds": NAMES,
        "card": FLAG,
        "owned": FLAG,
        "live": TEXT,
    },
    "field_of": {"default": ANY, "required": FLAG, "settable": FLAG, "is": TEXT},
    "counters": {
        "on": {
            "type": ["string", "array", "object"],
            "items": {"type": ["string", "object"], "additionalProperties": {"type": "string"}},
            "additionalProperties": {"type": "string"},
        },
        "most": COUNT,
        "least": COUNT,
        "start": COUNT,
        "public": FLAG,
        "shown": FLAG,
    },
    "zones": {"holds": NAMES, "deck": FLAG, "seen by": {"enum": ["all", "owner", "none"]}},
    "states": {"is": TEXT, "start": FLAG},
    "paths": {"of": {"enum": ["each player", "all players"]}, "spaces": NAMES, "loop": FLAG},
    "grids": {
        "columns": {"type": "integer", "minimum": 1, "maximum": 26},
        "rows": {"type": "integer", "minimum": 1},
        "wraps": FLAG,
        "lines": {"type": "array", "items": {"$ref": "#/definitions/line"}},
    },
    "lay_lines": {
        "length": {"type": "integer", "minimum": 2},
        "along": {"type": ["string", "array"], "items": WORD},
        "with": {"type": "object"},
    },
    "steps_of": {"text": TEXT, "turns": {"type": "array", "items": {"$ref": "#/definitions/step"}}},
    "scores": {"is": TEXT},
    "limits": {"sentences": {"type": "integer", "minimum": 1}},
    "phrases": {
        "text": TEXT,
        "event": {"type": "object", "additionalProperties": TEXT},
        "forms": {"type": "array", "items": {"type": "string"}, "minItems": 4, "maxItems": 4},
        "from": FROM,
    },
    "values": {"is": TEXT, "from": FROM},
    "rules": {"text": TEXT, "from": FROM},
    "relations": {"forms": NAMES, "is": TEXT},
}
NEEDED: dict[str, Schema] = {
    "kinds": {"required": ["kind"]},
    "counters": {"required": ["counter"]},
    "zones": {"required": ["zone"]},
    "titles": {"required": ["title"]},
    "grids": {"required": ["grid", "columns", "rows"]},
    "lay_lines": {"required": ["line"]},
    "steps_of": {"anyOf": [{"required": ["step"]}, {"required": ["phase"]}]},
    "phrases": {"required": ["phrase", "text"]},
    "values": {"required": ["is"], "anyOf": [{"required": ["value"]}, {"required": ["phrase"]}]},
}
STEPS: Schema = {"type": "array", "items": {"$ref": "#/definitions/step"}}
# What each key of game.yaml holds, where it is neither a word nor a list of entries.
VALUES: dict[str, Schema] = {
    "language": {"const": 1},
    "needs": {"type": "array", "items": {"type": "string"}},
    "players": {
        "type": ["integer", "array"],
        "minimum": 1,
        "maximum": 10,
        "items": {"type": "integer", "minimum": 1, "maximum": 10},
        "minItems": 2,
        "maxItems": 2,
    },
    "options": {"type": "object", "additionalProperties": {"$ref": "#/definitions/option"}},
    "called": {"$ref": "#/definitions/called"},
    "setup": {**TEXT, "type": [*TEXT["type"], "array"], "items": STEPS["items"]},
    "turn": STEPS,
    "round": STEPS,
    "ties": {"type": "array", "items": TEXT},
    "returns": TEXT,
    "limits": {"$ref": "#/definitions/limits"},
}
# The definitions: name → the function that reads such an entry, and what it is.
ENTRIES = {
    "option": ("options", "what players agree on before they begin"),
    "kind": ("kinds", "a kind of thing"),
    "field": ("field_of", "what a record of the kind says under this key: a type, or more of it"),
    "counter": ("counters", "a number that lies on players or things"),
    "zone": ("zones", "a named place"),
    "state": ("states", "an adjective"),
    "title": ("titles", "what one thing or player is at a time"),
    "called": ("called", "the game's own names"),
    "path": ("paths", "spaces in order"),
    "grid": ("grids", "spaces in columns and rows"),
    "line": ("lay_lines", "lines of a grid"),
    "step": ("steps_of", "a step of a turn, or a phase of a round"),
    "score": ("scores", "a line of the score"),
    "limits": ("limits", "when a game counts as endless"),
    "phrase": ("phrases", "a verb of the game"),
    "value": ("values", "a noun of the game"),
    "rule": ("rules", "a text that always holds"),
    "relation": ("relations", "a word such as `owns`"),
}
READER = {reader: name for name, (reader, _) in ENTRIES.items()}


def said(text: str) -> str:
    """A few words as a sentence."""
    return text[:1].upper() + text[1:] + "."


def entry(name: str) -> Schema:
    """The schema of one entry, by its name in ENTRIES."""
    reader, about = ENTRIES[name]
    shapes = SHAPES.get(reader, {})
    properties = {
        key: {"description": said(meaning), **shapes.get(key, WORD)}
        for key, meaning in {**ENTRY[reader], "note": RECORD["note"]}.items()
        if not (reader in ("called", "limits") and key == "note")
    }
    out: Schema = {
        "description": said(about),
        "type": "object",
        "additionalProperties": False,
        "properties": properties,
        **NEEDED.get(reader, {}),
    }
    if name == "field":
        types = "; ".join(f"{word}: {meaning}" for word, (_, meaning) in TYPES.items())
        out["properties"]["type"] = {
            "description": f"One of {types}.",
            "anyOf": [{"enum": list(FIELD_TYPES)}, {"type": "string"}],
        }
        out = {
            "description": said(about),
            "anyOf": [{"enum": list(FIELD_TYPES)}, {"type": "string"}, {k: out[k] for k in out if k != "description"}],
        }
    return out


def definitions() -> dict[str, Schema]:
    return {name: entry(name) for name in ENTRIES}


def key_of(key: str) -> Schema:
    """The schema of one key of game.yaml."""
    about = {"description": said(KEYS[key])}
    if key in VALUES:
        if "$ref" in VALUES[key]:
            return {**about, "allOf": [VALUES[key]]}
        return {**about, **VALUES[key]}
    if key in READER:
        return {**about, "type": "array", "items": {"$ref": f"#/definitions/{READER[key]}"}}
    return {**about, **WORD}


def used(schema: Schema, known: dict[str, Schema]) -> dict[str, Schema]:
    """The definitions that a schema speaks of, through whatever chain."""
    found: dict[str, Schema] = {}
    queue: list[Any] = [schema]
    while queue:
        node = queue.pop()
        if isinstance(node, dict):
            name = str(node.get("$ref", "")).rpartition("/")[2]
            if name in known and name not in found:
                found[name] = known[name]
                queue.append(known[name])
            queue += node.values()
        elif isinstance(node, list):
            queue += node
    return {name: found[name] for name in known if name in found}


def whole(title: str, about: str, schema: Schema, known: dict[str, Schema]) -> Schema:
    out = {"$schema": DRAFT, "title": title, "description": about, **schema}
    needed = used(schema, known)
    return copy.deepcopy({**out, "definitions": needed} if needed else out)


def game_schema() -> Schema:
    """The schema of game.yaml, the same for every game."""
    schema = {
        "type": "object",
        "additionalProperties": False,
        "properties": {key: key_of(key) for key in DECLARERS},
    }
    about = "What things there are, how a turn goes, and when the game ends. Records stand in files beside it."
    return whole("game.yaml: the head of a game", about, schema, definitions())


def kind_schema() -> Schema:
    """The schema of one kind, as it is declared."""
    known = definitions()
    schema = {key: value for key, value in known.pop("kind").items() if key != "description"}
    return whole("kinds: a kind of thing", "One entry of `kinds:`.", schema, known)


# ---------------------------------------------------------------- records


def record_schema(model: Model, kind: Kind) -> Schema:
    """The schema of one record of a kind."""
    properties: dict[str, Schema] = {}
    for key in RECORD:
        if key in RECORD_KEYS:
            properties[key] = {"description": said(RECORD[key]), **WORD}
    properties["from"] = {"description": said(RECORD["from"]), **FROM}
    properties["status"] = {"description": said(RECORD["status"]), "const": "draft"}
    properties["copies"] = {"description": said(RECORD["copies"]), "type": "integer", "minimum": 0, "maximum": 1000}
    needed = ["name"]
    for field in kind.fields.values():
        properties[field.name.lower()] = field_schema(model, field)
        if field.required:
            needed.append(field.name.lower())
    return {
        "description": f"One {kind.name}.",
        "type": "object",
        "additionalProperties": False,
        "required": needed,
        "properties": properties,
    }


def field_schema(model: Model, field: Field) -> Schema:
    """What a record may say under a field."""
    sort = {"thing": "KIND", "list": "list of KIND", "each": "number for each KIND"}.get(field.type, field.type)
    meaning = TYPES[sort][1].split(";")[0]
    if field.kind:
        meaning = {
            "thing": f"a {field.kind}, by its name",
            "list": f"a list of {field.kind}",
            "each": f"a number for each {field.kind}, else 0",
        }[field.type]
    note = field.note[:1].upper() + field.note[1:]
    about = f"{note} ({field.type if not field.kind else meaning})." if note else said(meaning)
    if field.default is not None:
        about += f" Else {field.default}."
    shapes: dict[str, Schema] = {
        "number": COUNT,
        "flag": FLAG,
        "amount": TEXT,
        "condition": TEXT,
        "prose": {"type": ["string", "integer"]},
        "numbers": {"type": "array", "items": {"type": "integer", "minimum": -999, "maximum": 999}},
    }
    if field.type in ("thing", "list", "each"):
        return {"description": about, **naming(model, field)}
    return {"description": about, **shapes.get(field.type, TEXT)}


def naming(model: Model, field: Field) -> Schema:
    """A field that names things of a kind: one, several, or a number for each."""
    records = [r for r in model.records.values() if under(model, r.kind, field.kind)]
    names = list(dict.fromkeys(r.name for r in records))
    one: Schema = {"type": "string"}
    if records and len(names) <= MOST_NAMES:
        idents = [r.ident for r in records if r.ident not in names]
        # The ids as a pattern: they may be written, but an editor proposes the names alone.
        ids = "|".join(re.escape(ident) for ident in idents)
        one = {"anyOf": [{"enum": names}, {"type": "string", "pattern": f"^(?:{ids})$"}]} if ids else {"enum": names}
    if field.type == "list":
        numbers = [int(name) for name in names if name.isascii() and name.isdigit()]
        item = {"anyOf": [one, {"enum": numbers}]} if numbers else one
        return {"type": "array", "items": item}
    if field.type == "each":
        numbered: Schema = {"type": "integer"}
        known = {name: {"description": f"For {name}.", **numbered} for name in names[:MOST_NAMES]}
        return {"type": "object", "properties": known, "additionalProperties": numbered, "propertyNames": one}
    return one


def under(model: Model, kind: str, above: str) -> bool:
    """Whether a kind is another or a sort of it."""
    while kind in model.kinds and kind != above:
        kind = model.kinds[kind].parent
    return kind == above


def content_schema(model: Model) -> Schema:
    """The schema of a file of records: every kind of the game and of its mods, and what else may be declared there."""
    known = definitions()
    properties: dict[str, Schema] = {}
    for number, kind in enumerate(model.kinds.values()):
        if not kind.key:
            continue
        name = f"record-{slug(kind.name)}"
        if not name.isascii() or name in known:
            name = f"record-{number}"  # editors do not find names with other signs
        known[name] = record_schema(model, kind)
        one = {"$ref": f"#/definitions/{name}"}
        properties[kind.key] = {"description": f"Records of the kind {kind.name}.", "type": "array", "items": one}
        if kind.name == model.faction_kind:
            about = f"The {kind.name} that this file is about: `you` is its player in all that stands here."
            properties[kind.name.lower()] = {"description": about, "allOf": [one]}
    for key in CONTENT:
        properties[key] = key_of(key)
    for key in sorted(PROSE):
        properties.setdefault(key, {"description": said(RECORD[key]), **WORD})
    schema = {"type": "object", "additionalProperties": False, "properties": properties}
    return whole(f"{model.title}: a file of content", "Records, and what belongs to them.", schema, known)


def one_kind(model: Model, kind: Kind) -> Schema:
    """The schema of one record of a kind, by itself."""
    schema = record_schema(model, kind)
    about = schema.pop("description")
    return whole(f"{model.title}: {kind.name}", about, schema, {})


# ---------------------------------------------------------------- files


def fixed_schemas() -> dict[str, Schema]:
    """The schemas that are the same for every game, by file name."""
    out = {"game": game_schema(), "kind": kind_schema()}
    for name in FIXED:
        hand = load_schema(name)
        if hand is not None:
            out[name] = hand
    return {f"{name}.schema.json": schema for name, schema in out.items()}


def written(schema: Schema) -> str:
    """A schema as its file has it: what fits into a line stands in one."""
    return laid(schema, "") + "\n"


def laid(node: Any, indent: str) -> str:
    line = json.dumps(node, ensure_ascii=False)
    if len(indent) + len(line) <= WIDE or not isinstance(node, (dict, list)) or not node:
        return line
    deeper = indent + "  "
    if isinstance(node, dict):
        parts = [f"{json.dumps(key, ensure_ascii=False)}: {laid(value, deeper)}" for key, value in node.items()]
    else:
        parts = [laid(item, deeper) for item in node]
    inside = f",\n{deeper}".join(parts)
    first, last = "{}" if isinstance(node, dict) else "[]"
    return f"{first}\n{deeper}{inside}\n{indent}{last}"


def head_of(name: str, folder: str, content: str) -> str:
    """The comment that tells an editor the schema of a file. name: the file's path in its pack; folder: where the fixed
    schemas lie, and content: where the one of the records does, both seen from the pack."""
    from .schema import schema_name

    up = "../" * name.count("/")
    fixed = schema_name(name)
    where = f"{folder}/{fixed}.schema.json" if fixed else content
    return f"# yaml-language-server: $schema={up}{where}"
