"""slots: statements of a block → the same, without reading again what a variable holds already.

What is read: a slot of the frame on top, or a list of the state.
"""

from __future__ import annotations

import ast

Body = list[ast.stmt]


def reread(stms: Body, known: dict[str, str] | None = None) -> Body:
    """Leave out `x = st[-k]` where x holds that slot already. known: variable → the text of its load."""
    known = {} if known is None else dict(known)
    out: Body = []
    for stm in stms:
        load = slot_read(stm)
        if load is not None:
            if known.get(load[0]) == load[1]:
                continue
            known[load[0]] = load[1]
            out.append(stm)
            continue
        if isinstance(stm, ast.If):
            stm.body = reread(stm.body, known)
            stm.orelse = reread(stm.orelse, known) if stm.orelse else []
        for part in parts_that_go_on(stm):
            for node in ast.walk(part):
                if isinstance(node, ast.Name) and isinstance(node.ctx, (ast.Store, ast.Del)):
                    if node.id == "st":
                        known.clear()
                    elif not stored(part, node.id, known):
                        known.pop(node.id, None)
                elif isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Del):
                    known.clear()
                elif isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store) and is_name(node.value, "st"):
                    text = ast.unparse(node)
                    for name in [n for n, t in known.items() if t == text and not stored(part, n, known)]:
                        del known[name]
                elif isinstance(node, ast.Call) and is_name(node.func, "finish"):
                    known.clear()
        out.append(stm)
    return out or [ast.Pass()]


def parts_that_go_on(stm: ast.stmt) -> list[ast.AST]:
    """The parts of a statement after which the next may run: a branch that returns does not change what is known."""
    if not isinstance(stm, ast.If):
        return [stm]
    parts: list[ast.AST] = [stm.test]
    for branch in (stm.body, stm.orelse):
        if branch and not isinstance(branch[-1], (ast.Return, ast.Raise)):
            parts += branch
    return parts


def slot_read(stm: ast.stmt) -> tuple[str, str] | None:
    """(variable, text) of `x = st[-k]`."""
    if isinstance(stm, ast.Assign) and len(stm.targets) == 1 and isinstance(stm.targets[0], ast.Name):
        value = stm.value
        if isinstance(value, ast.Subscript) and is_name(value.value, "st") and not isinstance(value.slice, ast.Slice):
            return stm.targets[0].id, ast.unparse(value)
        if isinstance(value, ast.Attribute) and is_name(value.value, "s") and value.attr in ("v", "z", "st"):
            return stm.targets[0].id, ast.unparse(value)
    return None


def stored(part: ast.AST, name: str, known: dict[str, str]) -> bool:
    """`x = st[-k] = …` writes the slot that x was read from: it still holds it."""
    if not isinstance(part, ast.Assign) or len(part.targets) != 2:
        return False
    first, second = part.targets
    return is_name(first, name) and isinstance(second, ast.Subscript) and ast.unparse(second) == known.get(name)


def is_name(node: ast.AST, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name
