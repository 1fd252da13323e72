"""drawn: in, statements of an ast that draw a card at random and move it; out, the same with one call of draw.

`o = tops(s, deck)`, `x = o[rnd(s, len(o))] if o else -1` and the move that follows become `x = draw(s, deck, zone)`.
"""

from __future__ import annotations

import ast
import copy

from interpreter.optimise.slots import is_name

Body = list[ast.stmt]
PICKED = "o[rnd(s, len(o))] if o else -1"
MOVED = ("f", "g")  # where the card came from, and where it goes


def drawn(out: Body, stm: ast.If) -> bool:
    """Rewrite the last statements of out, and `if x >= 0: …` after them, in place → whether they were a draw."""
    if len(out) < 2:
        return False
    taken, picked = out[-2:]
    deck = argument(taken, "o", "tops")
    if deck is None or not (isinstance(picked, ast.Assign) and ast.unparse(picked.value) == PICKED):
        return False
    names = [target.id for target in picked.targets if isinstance(target, ast.Name)]
    if len(names) != 1 or ast.unparse(stm.test) != f"{names[0]} >= 0":
        return False
    at = next((i for i, one in enumerate(stm.body) if not isinstance(one, ast.Assign)), -1)
    move = stm.body[at]
    if not (isinstance(move, ast.If) and ast.unparse(move.test) == "f != g"):
        return False
    if ast.unparse(move.body[0]) != f"mv(s, {names[0]}, g)":
        return False
    if [ast.unparse(one) for one in move.orelse] != [f"settle(s, {ast.unparse(deck)}, {names[0]})"]:
        return False
    before = [one for one in stm.body[:at] if not puts(one, MOVED)]
    zone = next((one.value for one in stm.body[:at] if isinstance(one, ast.Assign) and puts(one, ("g",))), None)
    set_before = {
        n.id for one in before for n in ast.walk(one) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)
    }
    if zone is None or any(isinstance(n, ast.Call) or is_given(n, {names[0], *set_before}) for n in ast.walk(zone)):
        return False
    if any(isinstance(n, ast.Call) for one in before for n in ast.walk(one)):
        return False
    call = ast.Call(ast.Name("draw", ast.Load()), [ast.Name("s", ast.Load()), deck, zone], [])
    out[-2:] = [ast.copy_location(ast.Assign(picked.targets, call), picked)]
    stm.body = [*before, *told(move, deck, zone), *stm.body[at + 1 :]]
    return True


def told(move: ast.If, deck: ast.expr, zone: ast.expr) -> Body:
    """What follows the move itself, where the card does not stay in its deck."""
    put = Instead({"f": deck, "g": zone})
    rest: Body = [put.visit(one) for one in move.body[1:]]
    test = ast.Compare(copy.deepcopy(deck), [ast.NotEq()], [copy.deepcopy(zone)])
    if not rest or (isinstance(deck, ast.Constant) and isinstance(zone, ast.Constant)):
        return rest if not rest or ast.unparse(deck) != ast.unparse(zone) else []
    only = rest[0]
    if len(rest) == 1 and isinstance(only, ast.If) and not only.orelse:  # the log: asked for first, as it is rare
        only.body = [ast.copy_location(ast.If(test, only.body, []), move)]
        return [only]
    return [ast.copy_location(ast.If(test, rest, []), move)]


class Instead(ast.NodeTransformer):
    def __init__(self, values: dict[str, ast.expr]) -> None:
        self.values = values

    def visit_Name(self, node: ast.Name) -> ast.AST:
        value = self.values.get(node.id) if isinstance(node.ctx, ast.Load) else None
        return node if value is None else copy.deepcopy(value)


def argument(stm: ast.stmt, name: str, function: str) -> ast.expr | None:
    """What is asked in `name = function(s, argument)`, if it is a name or a number."""
    value = stm.value if isinstance(stm, ast.Assign) and puts(stm, (name,)) else None
    if isinstance(value, ast.Call) and is_name(value.func, function) and len(value.args) == 2:
        return value.args[1] if isinstance(value.args[1], (ast.Name, ast.Constant)) else None
    return None


def puts(stm: ast.stmt, names: tuple[str, ...]) -> bool:
    """`name = …`, for one of these names."""
    target = stm.targets[0] if isinstance(stm, ast.Assign) and len(stm.targets) == 1 else None
    return isinstance(target, ast.Name) and target.id in names


def is_given(node: ast.AST, names: set[str]) -> bool:
    return isinstance(node, ast.Name) and node.id in names
