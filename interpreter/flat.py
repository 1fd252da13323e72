"""flat: objects of the program's own classes ↔ rows of numbers, words and tuples, which marshal can write.

In: a value. Out: rows, and from them a value like it: the same objects stand in several places of both. No other class can
come out of rows, and nothing of them is called.
"""

from __future__ import annotations

from dataclasses import fields
from typing import Any

from interpreter import model, program, vocabulary

ATOMS = (int, str, bool, float, type(None))
MODULES = (model, program, vocabulary)
CLASSES = {
    name: one
    for module in MODULES
    for name, one in vars(module).items()
    if isinstance(one, type) and one.__module__ == module.__name__ and hasattr(one, "__dataclass_fields__")
}
NAMES = {one: tuple(f.name for f in fields(one)) for one in CLASSES.values()}
LEFT_OUT = {  # what only reading and compiling need
    model.Model: {"packs", "vocabularies"},
    model.Record: {"node"},
    model.Grid: {"node", "lines"},
    model.Source: {"scalar"},
}
EMPTY: dict[str, Any] = {"packs": list, "vocabularies": dict, "lines": list}

Rows = list[tuple[Any, ...]]


class Strange(TypeError):
    """A value of a class that is not written."""


class Writer:
    def __init__(self) -> None:
        self.rows: Rows = []
        self.places: dict[int, int] = {}
        self.kept: list[Any] = []  # so that no id is given twice
        self.plain_ones: dict[int, bool] = {}

    def put(self, value: Any) -> Any:
        """The value itself where marshal can write it, else the place of its row, in a list."""
        kind = value.__class__
        if kind in ATOMS or (kind in (tuple, frozenset) and self.plain(value)):
            return value
        place = self.places.get(id(value))
        return [self.row(value) if place is None else place]

    def plain(self, value: Any) -> bool:
        """Whether a tuple or frozenset holds only numbers and words, and others such."""
        found = self.plain_ones.get(id(value))
        if found is None:
            found = all(
                one.__class__ in ATOMS or (one.__class__ in (tuple, frozenset) and self.plain(one)) for one in value
            )
            self.kept.append(value)
            self.plain_ones[id(value)] = found
        return found

    def row(self, value: Any) -> int:
        kind = value.__class__
        self.kept.append(value)
        if kind is tuple or kind is frozenset:  # what it holds comes first, for it cannot be filled afterwards
            made = (kind.__name__, tuple(self.put(one) for one in value))
            self.rows.append(made)
            place = self.places[id(value)] = len(self.rows) - 1
            return place
        place = self.places[id(value)] = len(self.rows)
        self.rows.append(())
        if kind is dict:
            inner = tuple(self.put(one) for pair in value.items() for one in pair)
        elif kind in (list, set):
            inner = tuple(self.put(one) for one in value)
        elif kind in NAMES:
            out = LEFT_OUT.get(kind, ())
            inner = tuple(
                self.put(getattr(value, name) if name not in out else EMPTY[name]() if name in EMPTY else None)
                for name in NAMES[kind]
            )
        else:
            raise Strange(f"{kind.__module__}.{kind.__name__}")
        self.rows[place] = (kind.__name__, inner)
        return place


def flatten(value: Any) -> Rows:
    """Rows; the value is the last one. Raises Strange."""
    writer = Writer()
    last = writer.put(value)
    writer.rows.append(("tuple", (last,)))
    return writer.rows


def unfold(rows: Rows) -> Any:
    """The value that rows were made of."""
    made: list[Any] = []
    simple = {"list": list, "set": set, "dict": dict}
    for kind, inner in rows:
        if kind in ("tuple", "frozenset"):
            found: Any = tuple([made[x[0]] if x.__class__ is list else x for x in inner])
            made.append(found if kind == "tuple" else frozenset(found))
        elif kind in simple:
            made.append(simple[kind]())
        else:
            made.append(object.__new__(CLASSES[kind]))
    put = object.__setattr__
    for (kind, inner), one in zip(rows, made, strict=True):
        if kind in CLASSES:  # before dicts and sets, whose keys they may be
            for name, x in zip(NAMES[one.__class__], inner, strict=True):
                put(one, name, made[x[0]] if x.__class__ is list else x)
    for (kind, inner), one in zip(rows, made, strict=True):
        if kind in simple:
            values = [made[x[0]] if x.__class__ is list else x for x in inner]
            if kind == "dict":
                one.update(zip(values[::2], values[1::2], strict=True))
            elif kind == "list":
                one.extend(values)
            else:
                one.update(values)
    return made[-1][0]
