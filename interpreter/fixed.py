"""fixed: a compiled game → its Image, in which what a set-up alone writes (whose a space is) is a table known at load.

For games of a fixed number of players that hide nothing, whose set-up asks and draws nothing: then each game begins with
the same cells. Scenarios, which may set anything, play the Program as it was compiled.
"""

from __future__ import annotations

import ast
import re
from dataclasses import replace
from types import CodeType

from interpreter.assembled import assembled
from interpreter.compile import Compiled, code_for, name_of, names_of
from interpreter.game import Game
from interpreter.model import Model
from interpreter.program import Image

Cells = tuple[int, int, int]  # base, lo, hi: v[base + x] of the things lo <= x < hi


def fixed_image(c: Compiled) -> tuple[Image, CodeType]:
    """What c.program is made of, or what the same game is made of faster. `fixed` tells which cells are as they are in
    every game."""
    program, image, code, m = c.program, c.image, c.code, c.model
    assert program is not None and image is not None and code is not None
    if m.least != m.most or m.factions or m.options or hides(m) or not settable(m):
        return image, code
    tree = ast.parse(c.source)
    set_up = {name for routine in c.set_up for name in names_of(c, routine)}
    fields = [f for f in settable(m) if alone(f, m) and not written(tree, set_up, f)]
    if not fields:
        return image, code
    game = Game(program)
    begun = game.new(m.least, log=False)
    assert game.starts is not None
    ((_, decided, _),) = game.starts.values()
    if not decided:
        return image, code
    tables = {
        f"FIXED{i}": (*[-1] * lo, *begun.v[base + lo : base + hi], *[-1] * (m.things + 1 - hi))
        for i, (base, lo, hi) in enumerate(fields)
    }
    found = [(base + lo, tuple(begun.v[base + lo : base + hi])) for base, lo, hi in fields]
    source = with_tables(c.source, tree, set_up, fields)
    name, every = name_of(m, source), {**image.tables, **tables}
    faster = replace(image, tables=every, name=name, source=source, fixed=found)
    made = code_for(faster)
    if Game(assembled(faster, made)).new(m.least, log=False).to_json() == begun.to_json():
        return faster, made
    return image, code


def hides(m: Model) -> bool:
    """Whether things may lie where not every seat sees what they are: such things are dealt anew by determinize."""
    zones, kinds = m.zones.values(), m.kinds.values()
    return any(zone.deck or zone.seen != "all" for zone in zones) or any(kind.visible != "all" for kind in kinds)


def settable(m: Model) -> list[Cells]:
    """The owners of all things, and each field that some text sets."""
    found: dict[int, Cells] = {}
    for kind in m.kinds.values():
        for f in kind.fields.values():
            if f.settable:
                found.setdefault(id(f), (f.cell, kind.lo, kind.hi))
    owned = any(kind.owned for kind in m.kinds.values())
    return [*([(m.own, 0, m.things)] if owned else []), *found.values()]


def alone(cells: Cells, m: Model) -> bool:
    """Whether no other cells are reckoned from the same base."""
    bases = [m.loc, m.own, m.seen, m.result, m.faction_cell]
    bases += [base for base, _, _ in settable(m) if base != m.own]
    for counter in m.counters.values():
        for kind, (offset, width, first) in counter.cells.items():
            lo = m.kinds[kind].lo if kind in m.kinds else 0
            bases.append(offset - lo * width - first)
    bases += [state.cell for words in m.states.values() for state in words]
    return bases.count(cells[0]) == 1


def written(tree: ast.Module, set_up: set[str], cells: Cells) -> bool:
    """Whether a function outside the set-up may write these cells."""
    base, lo, hi = cells
    for function in tree.body:
        if not isinstance(function, ast.FunctionDef) or function.name in set_up:
            continue
        named: dict[str, list[ast.expr]] = {}
        for node in ast.walk(function):
            if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
                named.setdefault(node.targets[0].id, []).append(node.value)
        for node in ast.walk(function):
            if not (isinstance(node, ast.Subscript) and isinstance(node.ctx, (ast.Store, ast.Del))):
                continue
            if ast.unparse(node.value) not in ("v", "s.v"):
                continue
            index = node.slice
            ways = named.get(index.id, []) if isinstance(index, ast.Name) else [index]
            at = [first_number(way) for way in ways]
            if not at or None in at or any(k == base or base + lo <= k < base + hi for k in at if k is not None):
                return True
    return False


def first_number(index: ast.expr) -> int | None:
    """The constant that an index begins with: 8 of `8 + x`."""
    while isinstance(index, ast.BinOp) and isinstance(index.op, ast.Add):
        index = index.left
    return index.value if isinstance(index, ast.Constant) and isinstance(index.value, int) else None


def with_tables(source: str, tree: ast.Module, set_up: set[str], fields: list[Cells]) -> str:
    """The source, in which everything outside the set-up reads these cells in tables."""
    lines = source.split("\n")
    for function in tree.body:
        if isinstance(function, ast.FunctionDef) and function.name not in set_up:
            for at in range(function.lineno - 1, function.end_lineno or 0):
                for i, (base, _, _) in enumerate(fields):
                    lines[at] = re.sub(rf"(?<![\w.])v\[{base} ?\+ ?", f"FIXED{i}[", lines[at])
    return "\n".join(lines)
