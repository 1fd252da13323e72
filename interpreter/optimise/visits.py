"""visits: in, an ast; out, its nodes, the tree rewritten, or with the places that `compile` wants.

As the module ast does it, in half its time: passes go over some hundred thousand nodes of emitted code.
"""

from __future__ import annotations

import ast
from typing import Any, TypeVar

ATOMS = frozenset(
    (type(None), str, int, bool, float, complex, bytes, type(...), tuple, frozenset)
)  # no nodes; constants hold tuples
Node = TypeVar("Node")
LEAVES = {ast.Name, ast.Constant}
NO_NODES = {"ctx", "op", "ops", "id", "attr", "arg", "name", "kind", "type_comment"}  # fields of signs and words
FIELDS = {
    one: tuple(name for name in one._fields if name not in NO_NODES)
    for one in vars(ast).values()
    if isinstance(one, type) and issubclass(one, ast.AST)
}
PLACES = {one for one in vars(ast).values() if isinstance(one, type) and "lineno" in getattr(one, "_attributes", ())}


def walk(node: ast.AST) -> list[ast.AST]:
    """The node and all in it, the outer ones first."""
    found = [node]
    for one in found:  # which grows meanwhile
        inside: dict[str, Any] = one.__dict__
        for name in one._fields:
            value: Any = inside.get(name)
            if value.__class__ is list:
                found += [inner for inner in value if inner.__class__ not in ATOMS]
            elif value.__class__ not in ATOMS:
                found.append(value)
    return found


def copy_of(node: Node) -> Node:
    """A node, or a list of some, with nodes of its own in it; signs, which hold nothing, are shared."""
    if node.__class__ is list:
        return [copy_of(one) for one in node]  # type: ignore[attr-defined,return-value]
    made = node.__class__.__new__(node.__class__)
    inside = made.__dict__
    for name, value in node.__dict__.items():
        if value.__class__ is list:
            value = [one if one.__class__ in ATOMS else copy_of(one) for one in value]
        elif value.__class__ not in ATOMS and value._fields:
            value = copy_of(value)
        inside[name] = value
    return made


def left(_: Any, node: ast.AST) -> ast.AST:
    """What is done with names, constants and signs where a Rewriter does nothing with them."""
    return node


class Rewriter(ast.NodeTransformer):
    """A NodeTransformer. What it does with a class of nodes is looked up once."""

    ways: dict[type, Any]

    def __init_subclass__(cls) -> None:
        cls.ways = {}

    def way(self, kind: type) -> Any:
        leaf = kind in LEAVES or not (kind._fields or kind in PLACES)  # type: ignore[attr-defined]
        found = getattr(self.__class__, "visit_" + kind.__name__, None)
        if found is None or found is getattr(ast.NodeVisitor, "visit_Constant", None):
            found = left if leaf else self.__class__.generic_visit
        self.ways[kind] = found
        return found

    def visit(self, node: ast.AST) -> Any:
        return (self.ways.get(node.__class__) or self.way(node.__class__))(self, node)

    def generic_visit(self, node: ast.AST) -> ast.AST:
        inside: dict[str, Any] = node.__dict__
        ways = self.ways
        for name in FIELDS[node.__class__]:
            old: Any = inside.get(name)
            kind = old.__class__
            if kind is list:
                made: list[Any] = []
                for one in old:
                    if one.__class__ in ATOMS:
                        made.append(one)
                        continue
                    new = (ways.get(one.__class__) or self.way(one.__class__))(self, one)
                    if new.__class__ is list:
                        made += new
                    elif new is not None:
                        made.append(new)
                old[:] = made
            elif kind not in ATOMS:
                way = ways.get(kind) or self.way(kind)
                if way is not left:
                    new = way(self, old)
                    if new is None:
                        delattr(node, name)
                    elif new is not old:
                        inside[name] = new
        return node


def with_places(tree: ast.Module) -> ast.Module:
    """Nodes without a place get that of the node around them."""
    todo: list[tuple[Any, int, int, int, int]] = [(tree, 1, 0, 1, 0)]
    while todo:
        node, line, column, end_line, end_column = todo.pop()
        inside: dict[str, Any] = node.__dict__
        if node.__class__ in LEAVES and "lineno" in inside and inside.get("end_lineno") is not None:
            continue
        if node.__class__ in PLACES:
            line = inside.setdefault("lineno", line)
            column = inside.setdefault("col_offset", column)
            if inside.get("end_lineno") is None:
                inside["end_lineno"] = end_line
            else:
                end_line = inside["end_lineno"]
            if inside.get("end_col_offset") is None:
                inside["end_col_offset"] = end_column
            else:
                end_column = inside["end_col_offset"]
        for name in FIELDS[node.__class__]:
            value: Any = inside.get(name)
            if value.__class__ is list:
                for one in value:
                    if one.__class__ not in ATOMS:
                        todo.append((one, line, column, end_line, end_column))
            elif value.__class__ not in ATOMS and value._fields:
                todo.append((value, line, column, end_line, end_column))
    return tree
