"""slots: statements of a block → the same, without reading again what a variable holds already.

What is read: a slot of the frame on top, or a list of the state.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

Body = list[ast.stmt]


def reread(stms: Body, known: dict[str, str] | None = None) -> Body:
    """Leave out `x = st[-k]` where x holds that slot already. known: variable → what it was read from."""
    known = {} if known is None else dict(known)
    out: Body = []
    for stm in stms:
        load = read(stm)
        if load is not None:
            if known.get(load[0]) == load[1]:
                continue
            known[load[0]] = load[1]
            out.append(stm)
            continue
        if isinstance(stm, ast.If):
            stm.body = reread(stm.body, known)
            stm.orelse = reread(stm.orelse, known) if stm.orelse else []
        forget(stm, known)
        out.append(stm)
    return out or [ast.Pass()]


def forget(stm: ast.stmt, known: dict[str, str]) -> None:
    """Take out of known what a statement changes, unless nothing comes after the change."""
    if isinstance(stm, ast.Assign):
        names = [target.id for target in stm.targets if isinstance(target, ast.Name)]
        slots = [slot for slot in map(slot_of, stm.targets) if slot]
        for name in [n for n, source in known.items() if n in names or source in slots]:
            if not (name in names and known[name] in slots):  # `x = st[-k] = …`: x still holds its slot
                del known[name]
    elif isinstance(stm, ast.AugAssign):
        if is_name(stm.target, "st"):
            other_frame(known)
        elif isinstance(stm.target, ast.Name):
            known.pop(stm.target.id, None)
        else:
            slot = slot_of(stm.target)
            for name in [n for n, source in known.items() if source == slot]:
                del known[name]
    elif isinstance(stm, (ast.If, ast.For, ast.While)):
        if isinstance(stm, ast.For) and isinstance(stm.target, ast.Name):
            known.pop(stm.target.id, None)
        for branch in (stm.body, stm.orelse):
            if branch and not (isinstance(stm, ast.If) and isinstance(branch[-1], (ast.Return, ast.Raise))):
                for inner in branch:
                    forget(inner, known)
    elif isinstance(stm, ast.Delete) or (
        isinstance(stm, ast.Expr) and isinstance(stm.value, ast.Call) and is_name(stm.value.func, "finish")
    ):
        other_frame(known)


def other_frame(known: dict[str, str]) -> None:
    """The slots are those of another frame now."""
    for name in [name for name, source in known.items() if source.startswith("st-")]:
        del known[name]


def read(stm: ast.stmt) -> tuple[str, str] | None:
    """(x, what it is read from) of `x = st[-k]` or `v = s.v`."""
    if isinstance(stm, ast.Assign) and len(stm.targets) == 1 and isinstance(stm.targets[0], ast.Name):
        slot = slot_of(stm.value)
        if slot:
            return stm.targets[0].id, slot
        value = stm.value
        if isinstance(value, ast.Attribute) and is_name(value.value, "s") and value.attr in ("v", "z", "st"):
            return stm.targets[0].id, value.attr
    return None


def slot_of(node: ast.expr) -> str:
    """A text for `st[-k]`; "" for anything else."""
    if isinstance(node, ast.Subscript) and is_name(node.value, "st") and isinstance(node.slice, ast.UnaryOp):
        inner = node.slice.operand
        if isinstance(inner, ast.Constant) and isinstance(inner.value, int):
            return f"st-{inner.value}"
    return ""


def copied(node: Any, instead: Callable[[str], ast.expr | None] = lambda name: None) -> Any:
    """A copy of a node, with other expressions instead of some of the variables that are read in it."""
    if isinstance(node, list):
        return [copied(one, instead) for one in node]
    if not isinstance(node, ast.AST) or not node._fields:
        return node
    if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
        other = instead(node.id)
        if other is not None:
            return ast.copy_location(other, node)
    made = node.__class__(**{name: copied(getattr(node, name), instead) for name in node._fields})
    return ast.copy_location(made, node)


def is_name(node: ast.AST, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name
