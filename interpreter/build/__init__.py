"""build: in, the name of a grammar rule and what its parts have become; out, a node of the tree, and its faults."""

from __future__ import annotations

from typing import Any

from interpreter.build import conditions as _conditions  # noqa: F401  (fills RULES)
from interpreter.build.base import RULES, Builder, Trouble
from interpreter.build.clauses import phrase
from interpreter.build.nouns import value
from interpreter.build.texts import finish, hoisted
from interpreter.tree import Span

__all__ = ["Builder", "Trouble", "build", "whole"]


def build(b: Builder, name: str, kids: list[Any], at: Span) -> Any:
    """The node of one rule. Rules of content's phrases are named by family and shape."""
    made = RULES.get(name)
    if made is not None:
        return made(b, kids, at)
    family = name.partition("_")[0]
    return phrase(b, name, kids, at) if family == "phrase" else value(b, name, kids, at)


def whole(b: Builder, made: Any) -> Any:
    """What a start symbol gives: a lone statement is finished here, as a text's are in it."""
    node = hoisted(finish(b, made))
    b.finished()
    return node
