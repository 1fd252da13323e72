"""schema: in, a tree with places and the schema of its file; out, findings at the exact key or value.

The schemas of the fixed parts lie in `schemas/`; the one for a game's own kinds is derived and handed in. Beside
JSON Schema's own words, `x-say` gives the sentence to say where a rule, such as oneOf, is broken.
"""

from __future__ import annotations

import difflib
import functools
import json
from collections.abc import Iterable
from typing import Any

from .data import schemas_folder
from .diagnostics import Diagnostic, Span, finding
from .nodes import Mapping, Node, Scalar, Sequence, plain

# Which schema a file of a pack has, by its name or its folder. A schema that is not there yet is not asked.
BY_NAME = {"game.yaml": "game", "mod.yaml": "mod", "rules.yaml": "rules"}
BY_FOLDER = {"scenarios": "scenario"}
FOR_EDITORS = ("game", "kind")  # derived from what `declare` reads, which says itself what is wrong there

TYPES = {
    "string": "a word or text",
    "integer": "a whole number",
    "number": "a number",
    "boolean": "true or false",
    "null": "nothing",
    "array": "a list",
    "object": "fields",
}


def schema_name(path: str) -> str | None:
    """The schema of a file by its POSIX path inside the pack; None for the files of a game's own kinds."""
    return BY_NAME.get(path) or BY_FOLDER.get(path.split("/")[0] if "/" in path else "")


@functools.cache
def load_schema(name: str) -> dict[str, Any] | None:
    """A schema of the fixed parts, None if there is none of that name."""
    path = schemas_folder() / f"{name}.schema.json"
    if not path.is_file():
        return None
    schema: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return schema


def validate(root: Node, schema: dict[str, Any], file: str) -> list[Diagnostic]:
    """Every fault of a tree under a schema."""
    errors = list(_validator()(schema).iter_errors(plain(root)))
    # A field that only is misspelt is not missed as well.
    meant: dict[tuple[Any, ...], set[str]] = {}
    found: list[Diagnostic] = []
    for error in errors:
        if error.validator == "additionalProperties":
            unknown = list(_findings(error, root, file))
            meant[tuple(error.absolute_path)] = {d.suggestion for d in unknown if d.suggestion}
            found += unknown
    for error in errors:
        if error.validator != "additionalProperties" and not _asks_for(error) & meant.get(
            tuple(error.absolute_path), set()
        ):
            found += _findings(error, root, file)
    return found


def _asks_for(error: Any) -> set[str]:
    """The fields that an error misses."""
    if error.validator == "required":
        return {_missing(error)}
    if error.validator in ("anyOf", "oneOf"):
        return {name for branch in error.validator_value for name in branch.get("required", [])}
    return set()


def _missing(error: Any) -> str:
    return str(error.message).rpartition("' is ")[0].strip("'")


@functools.cache
def _validator() -> Any:
    """Draft 7, where a whole number is one that is written so, and mapping and list are ours."""
    import jsonschema

    base = jsonschema.Draft7Validator
    whole = base.TYPE_CHECKER.redefine(
        "integer", lambda _, value: isinstance(value, int) and not isinstance(value, bool)
    )
    return jsonschema.validators.extend(base, type_checker=whole)


def _findings(error: Any, root: Node, file: str) -> Iterable[Diagnostic]:
    """One error of jsonschema as findings at their places."""
    path = list(error.absolute_path)
    node, key = _at(root, path)
    if getattr(node, "faulty", False):
        return []
    said = error.schema.get("x-say", {}).get(error.validator) if isinstance(error.schema, dict) else None
    if error.validator in ("anyOf", "oneOf") and not said:
        branch = _likely_branch(error)
        if branch:
            return [d for inner in branch for d in _findings(inner, root, file)]
    if error.validator == "additionalProperties" and isinstance(node, Mapping):
        return _unknown_fields(error, node, file)
    if error.validator == "required" and isinstance(node, Mapping):
        name = _missing(error)
        about = error.schema.get("properties", {}).get(name, {}).get("description", "")
        note = [f"{name}: {about}"] if about else []
        message = said or f'the field "{name}" is missing here'
        return [finding("missing-field", file, _span(node, key), message, notes=note)]
    suggestion = None
    if error.validator == "enum":
        near = difflib.get_close_matches(str(error.instance), [str(v) for v in error.validator_value], 1)
        suggestion = near[0] if near else None
    field = f'"{key.text}"' if key else "this"
    message = said or f"{field} {_wanted(error)}, not {_seen(error.instance, node)}"
    about = error.schema.get("description", "") if isinstance(error.schema, dict) else ""
    notes = [f"{key.text}: {about}"] if about and key and error.validator != "required" else []
    return [finding("bad-value", file, _span(node, key), message, suggestion, notes)]


def _unknown_fields(error: Any, node: Mapping, file: str) -> list[Diagnostic]:
    known = list(error.schema.get("properties", {}))
    found = []
    for name, (key, _) in node.items.items():
        if name in known:
            continue
        free = [k for k in known if k not in node.items]
        near = difflib.get_close_matches(name.lower(), free, 1) or difflib.get_close_matches(name, known, 1)
        notes = [] if near else ["the fields here are: " + ", ".join(known)]
        message = f'there is no field "{name}" here'
        found.append(finding("unknown-field", file, key.span(), message, near[0] if near else None, notes))
    return found


def _likely_branch(error: Any) -> list[Any]:
    """The errors of the branch of anyOf or oneOf that was most likely meant: the one that goes wrong deepest."""
    branches: dict[int, list[Any]] = {}
    for inner in error.context:
        branches.setdefault(inner.schema_path[0], []).append(inner)

    def rank(errors: list[Any]) -> tuple[int, int]:
        wrong_type = any(e.validator == "type" and len(e.path) == 0 for e in errors)
        return (1 if wrong_type else 0, len(errors))

    best = sorted(branches.values(), key=rank)
    if not best or rank(best[0])[0]:
        return []
    return best[0]


def _at(root: Node, path: list[Any]) -> tuple[Node, Scalar | None]:
    """The node at a path, and the nearest key above it."""
    node, key = root, None
    for step in path:
        if isinstance(node, Mapping):
            key, node = node.items[step]
        elif isinstance(node, Sequence):
            node = node.items[step]
    return node, key


def _span(node: Node, key: Scalar | None) -> Span:
    """A value itself where it is one word or line; else the key that leads to it, or its first key."""
    if isinstance(node, Scalar) and node.text:
        return node.span(0, len(node.text.split("\n")[0]))
    if isinstance(node, Mapping) and node.items:
        return node.span()
    return key.span() if key else (node.line, node.column, node.line, node.column + 1)


def _wanted(error: Any) -> str:
    rule, value = error.validator, error.validator_value
    if rule == "type":
        kinds = [value] if isinstance(value, str) else value
        return "must be " + " or ".join(TYPES[kind] for kind in kinds)
    if rule == "enum":
        return "must be one of " + ", ".join(str(v) for v in value)
    if rule == "const":
        return f"must be {value}"
    if rule in ("minimum", "maximum"):
        return f"must be {'at least' if rule == 'minimum' else 'at most'} {value}"
    if rule in ("minItems", "minLength", "minProperties"):
        return "must not be empty" if value == 1 else f"must have at least {value}"
    if rule in ("maxItems", "maxLength", "maxProperties"):
        return f"must have at most {value}"
    if rule == "uniqueItems":
        return "must hold each value once"
    return "cannot be so"


def _seen(value: Any, node: Node) -> str:
    if isinstance(node, Scalar):
        if not node.text:
            return "nothing"
        text = node.text.strip().split("\n")[0]
        text = text if len(text) <= 60 else text[:59] + "…"
        return f'the text "{text}"' if isinstance(value, str) else text
    if not value:
        return "an empty list" if isinstance(value, list) else "an empty mapping"
    return "a list" if isinstance(value, list) else "fields (" + ", ".join(map(str, list(value)[:3])) + ")"
