"""references: in, what is declared and the names that declarations speak of; out, a finding for each that is not there.

It looks when all packs are read, whatever else is wrong with them: a kind that is misspelt is told at its own word, and
not only at the records that then have no such field.
"""

from __future__ import annotations

from interpreter.declare.gathering import FIELD_TYPES, Declaring, near_of
from interpreter.diagnostics import finding
from interpreter.nodes import Scalar

CORE_KINDS = ("player", "thing", "game", "card")


def references(d: Declaring) -> None:
    """Every name that a declaration refers to is there; a finding stands at the very word."""
    known = names_by_sort(d)
    for file, node, name, sort in d.model.tables.pop("references", []):
        if name in known[sort]:
            continue
        at = node.text.find(name) if name in node.text else 0
        d.findings.append(
            finding(
                "unknown-name",
                file,
                span_of(node, at, name),
                f'no {SORTS.get(sort, sort)} is called "{name}"',
                near_of(name, known[sort]),
            )
        )


SORTS = {"type": "kind, and no type of a field,", "spread": "field of it", "game counter": "counter of the game"}


def names_by_sort(d: Declaring) -> dict[str, list[str]]:
    """For each sort of reference, what may be named."""
    model = d.model
    kinds = [*CORE_KINDS, *model.kinds]
    of_many = [head + kind for head in ("list of ", "number for each ") for kind in kinds]
    return {
        "kind": kinds,
        "type": [*kinds, *FIELD_TYPES, *of_many],
        "zone": list(model.zones),
        "thing": sorted({record.name for record in model.records.values()}),
        "spread": ["path", *dict.fromkeys(f.name for k in model.kinds.values() for f in k.fields.values())],
        "game counter": [c.name for c in model.counters.values() if "game" in c.on],
        "counter": list(model.counters),
    }


def span_of(node: Scalar, at: int, name: str) -> tuple[int, int, int, int]:
    line, column = node.place(at)
    return line, column, line, column + len(name)
