"""bounds: in, the words of a text and its tree; out, a fault where it is nested too deep or names too large a number.

Every later stage walks trees by calling itself, so what is refused here can exhaust nothing there.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from typing import Any

from interpreter.parse.faults import Fault
from interpreter.tree import Node, Span
from interpreter.words import Word

DEEPEST = 12  # parentheses, and blocks, in one another
MOST_LEVELS = 40  # parts of a sentence in one another, however they are joined
LONGEST_NUMBER = 9  # digits

OPENING = {"(": "parentheses", "_INDENT": "blocks"}
CLOSING = {")": "parentheses", "_DEDENT": "blocks"}


def too_much(words: list[Word]) -> list[Fault]:
    """What is seen in the words alone: the numbers, and the first place that is too deep."""
    faults = [
        Fault(word.at, "bad-number", f"a number of {len(word.text)} digits; {LONGEST_NUMBER} are allowed")
        for word in words
        if word.type == "NUMBER" and len(word.text.lstrip("+-0")) > LONGEST_NUMBER
    ]
    depth = dict.fromkeys(OPENING.values(), 0)
    for at, word in enumerate(words):
        sort = OPENING.get(word.type if word.type == "_INDENT" else word.text)
        if sort is not None:
            depth[sort] += 1
            if depth[sort] > DEEPEST:
                where = words[min(at + 1, len(words) - 1)].at if sort == "blocks" else word.at
                return [*faults, Fault(where, "too-deep", f"{sort} are nested more than {DEEPEST} deep here")]
        sort = CLOSING.get(word.type if word.type == "_DEDENT" else word.text)
        if sort is not None:
            depth[sort] -= 1
    return faults


def too_deep(tree: Any) -> list[Fault]:
    """The first part of a tree that lies too deep in the others."""
    level: list[Any] = [tree]
    for _ in range(MOST_LEVELS):
        level = [part for node in level for part in parts_of(node)]
        if not level:
            return []
    at = min(node.at for node in level)
    message = f"more than {MOST_LEVELS} parts stand in one another here: make part of it a phrase or a value"
    return [Fault(first_of(at), "too-deep", message)]


def first_of(at: Span) -> Span:
    return at if at[1] > at[0] else (at[0], at[0] + 1)


def parts_of(value: Any) -> Iterator[Node]:
    """The nodes that lie directly in a node, or in a tuple of its."""
    found = value if isinstance(value, tuple) else [getattr(value, f.name) for f in fields(value)]
    for inner in found:
        if isinstance(inner, Node):
            yield inner
        elif isinstance(inner, tuple):
            yield from parts_of(inner)
