"""live: in, a function of emitted code; out, the same without what is written and not read any more.

What is written: a variable, or a slot of the frame on top. A slot is read by whoever goes on with the frame; when the
frame is dropped, what was stored in it last is not.
"""

from __future__ import annotations

import ast
import re

from interpreter.optimise.slots import is_name, slot_of
from interpreter.unread import ONLY_READ

Body = list[ast.stmt]
MOST = 14  # nodes of what is written into the one test that reads it
FRAME = "st-*"  # among what is read: every slot of the frame on top
GOES_ON = re.compile(r"[bq]\d+")


def live(function: ast.FunctionDef) -> None:
    """Change a function in place."""
    Living().before(function.body, {FRAME}, [])


class Living:
    def __init__(self) -> None:
        self.looking = 0  # more than 0: nothing is changed, only looked at
        self.within: dict[int, set[str]] = {}  # id of an if → what is read in it and after it, but by its test

    def before(self, stms: Body, after: set[str], loops: list[tuple[set[str], set[str]]]) -> set[str]:
        """What is read of what was written before these statements, which are changed in place. loops: what is read after
        each loop around, and at its head."""
        live = set(after)
        out: Body = []
        for stm in reversed(stms):
            kept, live = self.statement(stm, live, loops)
            if kept and out and not self.looking and self.asked_only(stm, out[-1]):
                test = out[-1].test  # type: ignore[attr-defined]
                live = self.within[id(out[-1])] | reads(test)
                continue
            if kept:
                out.append(stm)
        if not self.looking:
            stms[:] = out[::-1] or [ast.Pass()]
        return live

    def statement(self, stm: ast.stmt, live: set[str], loops: list[tuple[set[str], set[str]]]) -> tuple[bool, set[str]]:
        """(whether it stays, what is read before it)."""
        if isinstance(stm, ast.Return):
            return True, {FRAME, *reads(stm.value)}
        if isinstance(stm, ast.Break):
            return True, set(loops[-1][0])
        if isinstance(stm, ast.Continue):
            return True, set(loops[-1][1])
        if isinstance(stm, ast.Assign):
            return self.assign(stm, live)
        if isinstance(stm, ast.AugAssign):
            if is_name(stm.target, "st"):
                return True, {FRAME, *live, *reads(stm)}
            if isinstance(stm.target, ast.Name):
                name = stm.target.id
                return (True, live | reads(stm)) if name in live or not pure(stm.value) else (False, live)
            return True, live | reads(stm)
        if isinstance(stm, ast.If):
            return self.branch(stm, live, loops)
        if isinstance(stm, (ast.For, ast.While)):
            return self.loop(stm, live, loops)
        if isinstance(stm, ast.Delete):
            gone = [t for t in stm.targets if isinstance(t, ast.Subscript) and ast.unparse(t.value) in ("st", "s.st")]
            return True, ({name for name in live if not name.startswith("st-")} if gone else live) | reads(stm)
        if isinstance(stm, ast.Expr) and isinstance(stm.value, ast.Call) and is_name(stm.value.func, "finish"):
            return True, {name for name in live if not name.startswith("st-")} | reads(stm)
        if isinstance(stm, ast.Pass):
            return False, live
        return True, live | reads(stm)

    def loop(
        self, stm: ast.For | ast.While, live: set[str], loops: list[tuple[set[str], set[str]]]
    ) -> tuple[bool, set[str]]:
        after = self.before(stm.orelse, live, loops) | live if stm.orelse else live
        asked = reads(stm.test if isinstance(stm, ast.While) else stm.iter)
        head = after | asked
        self.looking += 1  # what a pass reads of the pass before
        head = head | self.before(stm.body, head, [*loops, (live, head)])
        self.looking -= 1
        self.before(stm.body, head, [*loops, (live, head)])
        if not self.looking and isinstance(stm, ast.For) and not loops_on(stm, live):
            return False, live
        return True, head

    def assign(self, stm: ast.Assign, live: set[str]) -> tuple[bool, set[str]]:
        kept = [target for target in stm.targets if self.wanted(target, live)]
        if not kept:
            if pure(stm.value):
                return False, live
            kept = stm.targets[:1]
        if not self.looking:
            stm.targets = kept
        written = {target.id for target in kept if isinstance(target, ast.Name)}
        written |= {slot for slot in map(slot_of, kept) if slot}
        inside = {name for target in kept if not slot_of(target) for name in reads(target)}
        frame = {"st"} if any(map(slot_of, kept)) else set()
        return True, (live - written) | reads(stm.value) | inside | frame

    def wanted(self, target: ast.expr, live: set[str]) -> bool:
        if isinstance(target, ast.Name):
            return target.id in live
        slot = slot_of(target)
        return not slot or slot == "st-1" or slot in live or FRAME in live

    def branch(self, stm: ast.If, live: set[str], loops: list[tuple[set[str], set[str]]]) -> tuple[bool, set[str]]:
        found = self.before(stm.body, live, loops)
        other = self.before(stm.orelse, live, loops) if stm.orelse else set(live)
        if self.looking:
            return True, found | other | reads(stm.test)
        if stm.orelse and all(isinstance(one, ast.Pass) for one in stm.orelse):
            stm.orelse = []
        if all(isinstance(one, ast.Pass) for one in stm.body):
            if not stm.orelse and pure(stm.test):
                return False, live
            if stm.orelse:
                stm.body, stm.orelse = stm.orelse, []
                stm.test = ast.copy_location(ast.UnaryOp(ast.Not(), stm.test), stm.test)
        self.within[id(stm)] = found | other
        return True, found | other | reads(stm.test)

    def asked_only(self, stm: ast.stmt, after: ast.stmt) -> bool:
        """Whether what a statement works out is read by the test of the if after it alone, and now stands there."""
        if not (isinstance(after, ast.If) and isinstance(stm, ast.Assign) and len(stm.targets) == 1):
            return False
        target = stm.targets[0]
        if not isinstance(target, ast.Name) or target.id in self.within.get(id(after), {target.id}):
            return False
        inner = list(ast.walk(stm.value))
        if len(inner) > MOST or any(isinstance(n, (ast.Call, ast.ListComp, ast.GeneratorExp)) for n in inner):
            return False
        asked = [n for n in ast.walk(after.test) if isinstance(n, (ast.Name, ast.ListComp, ast.GeneratorExp))]
        if [n.id for n in asked if isinstance(n, ast.Name)].count(target.id) != 1 or len(asked) > 3:
            return False
        if not all(isinstance(n, ast.Name) for n in asked):
            return False
        after.test = room(Put(target.id, stm.value).visit(after.test))
        return True


class Put(ast.NodeTransformer):
    def __init__(self, name: str, value: ast.expr) -> None:
        self.name = name
        self.value = value

    def visit_Name(self, node: ast.Name) -> ast.AST:
        return self.value if node.id == self.name else node


def room(test: ast.expr) -> ast.expr:
    """`n - a > 0` as `a < n`."""
    if isinstance(test, ast.Compare) and isinstance(test.left, ast.BinOp) and isinstance(test.left.op, ast.Sub):
        if len(test.ops) == 1 and isinstance(test.ops[0], ast.Gt) and ast.unparse(test.comparators[0]) == "0":
            less = ast.Compare(test.left.right, [ast.Lt()], [test.left.left])
            return ast.copy_location(less, test)
    return test


def loops_on(stm: ast.For, live: set[str]) -> bool:
    """Whether a loop does anything."""
    empty = all(isinstance(one, ast.Pass) for one in [*stm.body, *stm.orelse])
    return not (empty and pure(stm.iter) and isinstance(stm.target, ast.Name) and stm.target.id not in live)


def reads(node: ast.AST | None) -> set[str]:
    """The variables and slots that are read."""
    out: set[str] = set()
    stack = [node] if node is not None else []
    while stack:
        inner = stack.pop()
        kind = type(inner)
        if kind is ast.Name:
            if type(inner.ctx) is ast.Load:  # type: ignore[attr-defined]
                name: str = inner.id  # type: ignore[attr-defined]
                out.add(name)
                if name[0] in "bq" and GOES_ON.fullmatch(name):
                    out.add(FRAME)
            continue
        if kind is ast.Constant:
            continue
        if kind is ast.Subscript and type(inner.ctx) is ast.Load:  # type: ignore[attr-defined]
            slot = slot_of(inner)  # type: ignore[arg-type]
            if slot:
                out.add(slot)
        elif kind is ast.AugAssign and type(inner.target) is ast.Name:  # type: ignore[attr-defined]
            out.add(inner.target.id)  # type: ignore[attr-defined]
        for name in inner._fields:
            part = getattr(inner, name)
            if type(part) is list:
                stack += part
            elif isinstance(part, (ast.expr, ast.stmt, ast.slice)):
                stack.append(part)
    return out


def pure(node: ast.AST) -> bool:
    """Whether working something out does nothing else."""
    return all(
        isinstance(n.func, ast.Name) and n.func.id in ONLY_READ for n in ast.walk(node) if isinstance(n, ast.Call)
    )
