"""runs: spaces one behind the other along a way, as far as a noun says.

In: `the run of Towers of yours after here along a Road`. Out: Code for the things of the run, in order.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

from interpreter import tree as t
from interpreter.amounts.numbers import one_thing, path_kind, path_table, steps_table
from interpreter.bound import Code, thing
from interpreter.facts import kind_of_head
from interpreter.scope import Scope, is_a, kind_test
from interpreter.select import everything, pick


def bind_run(node: t.Value, sc: Scope) -> Code:
    """The spaces after one along a path, up to the first that the noun does not fit; with an end, only if the space
    behind them fits that. Along each of several paths: the runs of all of them."""
    args = dict(node.args)
    start = one_thing(args["of"], sc)
    way, many = paths_of(args["path"], sc)
    kind = path_kind(way.type.kind, sc)
    what, end = fits(args["what"], kind, sc), fits(args["end"], kind, sc) if "end" in args else None
    back = int(node.ident.endswith("before"))
    rays = rays_of(way, many, start, sc, 2 if end is not None else 1, back)
    i, j, k, r = sc.loop_var(), sc.loop_var(), sc.loop_var(), sc.loop_var()
    cells = [ONE_CELL.fullmatch(test) for test in (what, end) if test is not None]
    first = f"for {r} in {rays} if {what.replace('@', f'{r}[0]')}"
    if (
        all(cells) and len({cell[1] for cell in cells if cell}) == 1
    ):  # told apart by one cell of each, such as its owner
        base, value = cells[0][1], cells[0][2]  # type: ignore[index]
        cut = f"stretch(v, {r}, {base}, {j})"
        if end is not None:
            cut = f"stretch_to(v, {r}, {base}, {j}, {cells[1][2]})"  # type: ignore[index]
        first = f"for {j} in ({value},) for {r} in {rays} if v[{base}+{r}[0]] == {j}"
    elif end is None:
        cut = f"run({r}, [{what.replace('@', i)} for {i} in {r}])"
    else:
        cut = f"run_to({r}, [{what.replace('@', i)} for {i} in {r}], [{end.replace('@', i)} for {i} in {r}])"
    return Code(f"[{k} {first} for {k} in {cut}]", thing(kind, True))


ONE_CELL = re.compile(r"\(v\[(\d+)\+@\] == ([^@]+)\)")


def paths_of(node: Any, sc: Scope) -> tuple[Code, bool]:
    """The path, or all the paths that `each Road` and `a Road` mean."""
    if isinstance(node, t.Sel) and node.quant in ("a", "each", "all", "") and kind_of_head(sc, node.head):
        return everything(replace(node, quant="each"), sc), True
    return one_thing(node, sc), False


def fits(what: Any, kind: str, sc: Scope) -> str:
    """Python, with @ for a space, that says whether a noun fits it."""
    inner = sc.inner(pure=True)
    if not isinstance(what, t.Sel) or not kind_of_head(sc, what.head) or what.place is not None:
        sc.fault(what, "type", "a run is of a kind of space, such as a state or an owner tells them apart")
        return "False"
    p = pick(replace(what, quant="each"), inner)
    if len(p.loops) != 1 or p.best or p.ordered or p.total:
        sc.fault(what, "type", "each space of a run fits by itself or not")
        return "False"
    tests = [kind_test(sc.b.model, p.kind, p.var)] if not is_a(sc.b.model, kind, p.kind) else []
    if not p.loops[0][1].startswith("range("):
        tests.append(f"{p.var} in {p.loops[0][1]}")
    said = " and ".join(f"({c})" for c in [*tests, *p.conds] if c) or "True"
    return re.sub(rf"\b{p.var}\b", "@", said)


def rays_of(way: Code, many: bool, start: Code, sc: Scope, least: int, back: int) -> str:
    """An iterable of what lies ahead (back: behind) along each path: tuples of spaces; those too short are left out."""
    steps = sc.b.model.tables.get("steps", {})
    if steps_table(sc, 0) is None:
        w = sc.loop_var()
        ahead = f"(ahead(z[{path_table(sc)}[{w}]]{'[::-1]' * back}, {start.py}) for {w} in {way.py if many else f'({way.py},)'})"
        r = sc.loop_var()
        return f"[{r} for {r} in {ahead} if len({r}) >= {least}]"
    things = sc.b.model.things
    rows = {x: tuple(ray(steps[x][back], y) for y in range(things)) for x in steps}
    if many and way.py.startswith("range("):
        lo, hi = (int(n) for n in way.py[6:-1].split(", "))
        star = tuple(tuple(rows[x][y] for x in range(lo, hi) if len(rows[x][y]) >= least) for y in range(things))
        return f"{sc.b.table((*star, ()), 'RAYS')}[{start.py}]"
    each = tuple(
        tuple((r,) if len(r) >= least else () for r in (*rows.get(x, ((),) * things), ()))
        for x in range(max(steps) + 1)
    )
    table = sc.b.table((*each, ((),) * (things + 1)), "RAY")
    if not many:
        return f"{table}[{way.py}][{start.py}]"
    w, r = sc.loop_var(), sc.loop_var()
    return f"[{r} for {w} in {way.py} for {r} in {table}[{w}][{start.py}]]"


def ray(after: tuple[int, ...], start: int) -> tuple[int, ...]:
    """All that comes after a space until the end, or until it has gone round."""
    out: list[int] = []
    x = after[start]
    while x >= 0 and x != start and x not in out:
        out.append(x)
        x = after[x]
    return tuple(out)
