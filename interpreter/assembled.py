"""assembled: what compiling a game gives, as plain data, and its code → the Program.

In: an Image and a code object. Out: a Program. Whether they were just made or kept from before makes no difference.
"""

from __future__ import annotations

import linecache
from collections.abc import Callable
from types import CodeType
from typing import Any

from interpreter import alike, log, mutations
from interpreter.emitted import RUNTIME
from interpreter.program import Image, Program

BUILTINS = (len, range, sum, any, all, max, min, sorted, tuple, list, abs, int, bool, enumerate, zip)
SAFE = {one.__name__: one for one in BUILTINS}
CALLED = (  # what emitted code calls of the modules that write where things lie, or what is said
    *("rnd", "mv", "draw", "tops", "bottoms", "settle", "settle_bottom", "shuffle", "shuffle_in", "own", "sees"),
    *("know", "finish", "alike", "veil", "behind", "chose", "did"),
)


def namespace_of(tables: dict[str, Any]) -> dict[str, Any]:
    """The globals of emitted code before it has run."""
    namespace: dict[str, Any] = {"__builtins__": SAFE, **RUNTIME}
    for module in (mutations, alike, log):
        namespace |= {name: getattr(module, name) for name in CALLED if hasattr(module, name)}
    return namespace | tables


def assembled(image: Image, code: CodeType) -> Program:
    """Run the code in a namespace of its own, and put the Program together."""
    namespace = namespace_of(image.tables)
    if image.tables["TOLD"]:
        namespace["remember"] = mutations.remembering(image.tables["TOLD"], image.model.start)
    exec(code, namespace)  # our own emitted source
    linecache.cache[image.name] = (len(image.source), None, image.source.splitlines(True), image.name)
    namespace["can_effect"] = can_effect_of(image.can, namespace)
    model = image.model
    program = Program(model, [namespace[f"b{i}"] for i in range(image.blocks)])
    program.questions = {k: namespace[f"q{k}"] for k in image.questions}
    program.sites = image.sites
    program.shapes = image.shapes
    program.origins = image.origins
    program.start = image.start
    program.ranges = image.ranges
    program.num_actions = image.num_actions
    program.globals = namespace
    program.listeners = image.listeners
    program.lists = image.lists
    program.phases = image.phases
    program.mods = image.mods
    program.span = image.span
    program.fixed = image.fixed
    if model.scores:
        names = [namespace[f"score_{i}"] for i in range(len(model.scores))]
        ties = [namespace[f"tie_{i}"] for i in range(len(model.ties))]
        program.scores = lambda s, seat: sum(f(s, seat) for f in names)
        program.ranking = lambda s, seat: (sum(f(s, seat) for f in names), *[f(s, seat) for f in ties])
    if model.returns is not None:
        program.returns = namespace["returns"]
    return program


def can_effect_of(names: tuple[str, ...], namespace: dict[str, Any]) -> Callable[[Any, int, int], bool]:
    """can_effect(s, you, x): whether the main text of a thing can be performed. names: by thing, of what says so."""
    table = [namespace.get(name) for name in names]

    def can_effect(s: Any, you: int, x: int) -> bool:
        f = table[x] if x >= 0 else None
        return f is not None and bool(f(s, you, x))

    return can_effect
