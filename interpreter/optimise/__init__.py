"""optimise: emitted Python source, and what it reads → an ast of the same program, spelled as a programmer would.

The passes are the lines of `improved` in their order; each module says in its first lines what goes in and what comes out,
and has tests with text before and after. A pass knows shapes of code, never what a game is about.
"""

from __future__ import annotations

import ast
from typing import Any

from interpreter.optimise.carry import straighten
from interpreter.optimise.empty import empty
from interpreter.optimise.enter import enter_directly
from interpreter.optimise.fold import fold, folder_of
from interpreter.optimise.joins import joins
from interpreter.optimise.loops import loops
from interpreter.optimise.once import once
from interpreter.optimise.onward import onward
from interpreter.optimise.peephole import peephole
from interpreter.optimise.rounds import rounds
from interpreter.optimise.scans import scans
from interpreter.optimise.shared import shared
from interpreter.optimise.skipped import skipped
from interpreter.optimise.stops import stops
from interpreter.optimise.visits import with_places


def improved(source: str, tables: dict[str, Any]) -> ast.Module:
    """tables: the globals that the source reads; those that are known at load are folded. No errors of its own."""
    folder = folder_of(tables)
    tree = peephole(fold(source, folder), folder)
    empty(tree, source)
    once(tree, source)
    joins(tree, scans(tree, tables, source))
    shared(tree, source)
    stops(tree, tables, source)
    skipped(tree, tables)
    rounds(tree)
    onward(tree, tables)
    straighten(tree, source)
    loops(tree, source, tables["LIMIT"])
    enter_directly(tree, tables)
    return with_places(tree)
