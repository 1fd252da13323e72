"""visits: what it does with an ast is what the module ast does."""

from __future__ import annotations

import ast
import copy
from typing import Any

from interpreter.load import load_compiled
from interpreter.optimise.visits import FIELDS, Rewriter, copy_of, walk, with_places

SMALL = """
def b(s, c):
    v = s.v
    for x in (1, 2, -3):
        if x > 1 and not any([y for y in s.z[x] if y]):
            pass
        elif x: continue
        else: break
    return f'{x}', lambda: ..., {**v}, b"x", 1.5
"""


def source() -> str:
    compiled = load_compiled("nim").compiled
    assert compiled is not None
    return SMALL + compiled.source


def shown(tree: Any) -> str:
    return ast.dump(tree, include_attributes=True)


def test_it_walks_over_the_same_nodes_in_the_same_order() -> None:
    tree = ast.parse(source())
    assert [id(node) for node in walk(tree)] == [id(node) for node in ast.walk(tree)]


def change(node: ast.AST) -> Any:
    """Names get another, calls become their first argument, numbers one more, `pass` goes, `return` comes twice."""
    if isinstance(node, ast.Name):
        return ast.Name(node.id + "_", node.ctx)
    if isinstance(node, ast.Call) and node.args:
        return node.args[0]
    if isinstance(node, ast.Constant) and isinstance(node.value, int):
        return ast.Constant((node.value, 1))
    if isinstance(node, ast.Pass):
        return None
    return [node, ast.Return(ast.Constant(None))] if isinstance(node, ast.Return) else node


class Slow(ast.NodeTransformer):
    def visit_Name(self, node: ast.Name) -> Any:
        return change(node)

    def visit_Call(self, node: ast.Call) -> Any:
        return change(self.generic_visit(node))

    def visit_Constant(self, node: ast.Constant) -> Any:
        return change(node)

    def visit_Pass(self, node: ast.Pass) -> Any:
        return change(node)

    def visit_Return(self, node: ast.Return) -> Any:
        return change(self.generic_visit(node))


class Quick(Rewriter):
    visit_Name = Slow.visit_Name
    visit_Call = Slow.visit_Call
    visit_Constant = Slow.visit_Constant
    visit_Pass = Slow.visit_Pass
    visit_Return = Slow.visit_Return


def test_it_rewrites_and_places_in_the_same_way() -> None:
    text = source()
    slow, quick = Slow().visit(ast.parse(text)), Quick().visit(ast.parse(text))
    assert ast.dump(slow) == ast.dump(quick) != ast.dump(ast.parse(text))
    assert shown(ast.fix_missing_locations(slow)) == shown(with_places(quick))


def test_the_fields_that_are_passed_by_hold_no_nodes() -> None:
    passed = 0
    for node in ast.walk(ast.parse(source())):
        for name in {*node._fields} - {*FIELDS[node.__class__]}:
            value = getattr(node, name, None)
            signs = value if isinstance(value, list) else [value]
            assert all(not isinstance(one, ast.AST) or not one._fields for one in signs)
            passed += 1
    assert passed


def test_what_no_method_is_for_stays() -> None:
    class Nothing(Rewriter):
        pass

    class Names(Nothing):
        def visit_Name(self, node: ast.Name) -> ast.AST:
            return ast.Name("x", node.ctx)

    tree = ast.parse(source())
    assert shown(Nothing().visit(tree)) == shown(ast.parse(source()))
    assert ast.unparse(Names().visit(ast.parse("a + b[1]"))) == "x + x[1]"
    assert ast.unparse(Nothing().visit(ast.parse("a + b[1]"))) == "a + b[1]"


def test_a_copy_shares_nothing_that_can_be_changed() -> None:
    tree = ast.parse(source())
    made = copy_of(tree)
    assert shown(made) == shown(tree) == shown(copy.deepcopy(tree))
    signs = (ast.expr_context, ast.operator, ast.unaryop, ast.cmpop, ast.boolop)
    shared = {id(node) for node in walk(tree)} & {id(node) for node in walk(made) if not isinstance(node, signs)}
    assert shared == set()
    assert shown(copy_of(tree.body)[0]) == shown(tree.body[0])
