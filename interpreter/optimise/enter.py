"""enter: an ast of blocks → the same, with a block that pushes a frame going straight on in the frame's first block.

Only where that cannot come round to itself, and at most MOST calls deep: whatever lies in a cycle returns to the machine,
so that no content can exhaust Python's stack.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import Any

MOST = 100
BLOCK = re.compile(r"b(\d+)")


def enter_directly(tree: ast.Module, tables: dict[str, Any]) -> None:
    """Change the tree in place. tables: R<n> is the rest of the frame of a routine, its first block last."""
    functions = {f.name: f for f in tree.body if isinstance(f, ast.FunctionDef) and BLOCK.fullmatch(f.name)}
    jumps: dict[str, set[str]] = {}
    pushes: dict[str, list[tuple[list[ast.stmt], int, str]]] = {}
    for name, function in functions.items():
        jumps[name] = {goal for goal in returned(function.body) if goal in functions}
        pushes[name] = list(pushed(function.body, tables, functions))
    group = components({name: jumps[name] | {goal for *_, goal in pushes[name]} for name in functions})
    depth: dict[str, int] = {}
    for name in sorted(functions, key=lambda n: group[n]):  # what a block leads to comes before it
        depth[name] = 1 + max((depth.get(goal, MOST) for goal in jumps[name]), default=0)
        for stms, index, goal in pushes[name]:
            if group[goal] == group[name] or depth.get(goal, MOST) >= MOST:
                continue
            depth[name] = max(depth[name], 1 + depth[goal])
            call = ast.Call(ast.Name(goal, ast.Load()), [ast.Name("s", ast.Load()), ast.Constant(0)], [])
            stms[index] = ast.copy_location(ast.Return(call), stms[index])


def returned(stms: list[ast.stmt]) -> Iterator[str]:
    """The functions that are called to be returned."""
    for stm in stms:
        if isinstance(stm, ast.Return) and isinstance(stm.value, ast.Call) and isinstance(stm.value.func, ast.Name):
            yield stm.value.func.id
        elif isinstance(stm, (ast.If, ast.For, ast.While)):
            yield from returned(stm.body)
            yield from returned(stm.orelse)


def pushed(stms: list[ast.stmt], tables: dict[str, Any], blocks: Any) -> Any:
    """(list, index of its `return 0`, first block) wherever a frame of a known routine is pushed."""
    for index, stm in enumerate(stms):
        if isinstance(stm, (ast.If, ast.For, ast.While)):
            yield from pushed(stm.body, tables, blocks)
            yield from pushed(stm.orelse, tables, blocks)
        if index == 0 or not (isinstance(stm, ast.Return) and isinstance(stm.value, ast.Constant)):
            continue
        push = stms[index - 1]
        if stm.value.value == 0 and isinstance(push, ast.AugAssign) and isinstance(push.value, ast.BinOp):
            rest = push.value.right
            frame = tables.get(rest.id) if isinstance(rest, ast.Name) and re.fullmatch(r"R\d+", rest.id) else None
            if frame and f"b{frame[-1]}" in blocks:
                yield stms, index, f"b{frame[-1]}"


def components(edges: dict[str, set[str]]) -> dict[str, int]:
    """Node → number of its strongly connected component, those that it leads to numbered lower (Tarjan 1972)."""
    number: dict[str, int] = {}
    low: dict[str, int] = {}
    group: dict[str, int] = {}
    stack: list[str] = []
    count = 0
    for root in edges:
        if root in number:
            continue
        number[root] = low[root] = len(number)
        stack.append(root)
        work = [(root, iter(sorted(edges[root])))]
        while work:
            node, rest = work[-1]
            goal = next(rest, None)
            if goal is None:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[node])
                if low[node] == number[node]:
                    while node not in group:
                        group[stack.pop()] = count
                    count += 1
            elif goal not in number:
                number[goal] = low[goal] = len(number)
                stack.append(goal)
                work.append((goal, iter(sorted(edges[goal]))))
            elif goal not in group:
                low[node] = min(low[node], number[goal])
    return group
