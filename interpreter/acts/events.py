"""events: announcing what happened and proposing what is about to.

In: an event key and its arguments (Python expressions). Out: lines that queue its triggers, or a Propose.
"""

from __future__ import annotations

from collections.abc import Callable

from interpreter.bound import (
    Code,
    Propose,
    ident_of,
)
from interpreter.scope import Scope
from interpreter.statements import (
    collect,
)


def announce(sc: Scope, key: str, *args: str) -> tuple[list[str], set[str]]:
    """Lines that queue the triggers of an event, none where nothing listens."""
    if key in sc.b.heard:
        name = event_name(key)
        return [f"{name}(s, {', '.join(args)})"], {key}
    return [], set()


def event_name(key: str) -> str:
    return "on_" + ident_of(key)


def propose(sc: Scope, key: str, args: list[str], affected: str, body: Callable[[Scope], None]) -> None:
    """An event that a replacement may answer: its arguments are bound to variables first."""
    if key not in sc.b.replaced:
        body(sc)
        return
    sc.out.append(Propose(key, args, collect(sc, body), affected))


def affected_of(sc: Scope, one: Code) -> str:
    return one.py if one.type.kind == "player" else f"own(s, {one.py})"
