"""onward: an ast of blocks → the same, with a block that takes an answer going on by itself as far as the next question.

What the machine would run next is written into the block: the rest of the turn where a step ends, the next pass of a loop,
the first block of a frame that is pushed. A call in what was written in becomes a return to the machine, so that no
content can exhaust Python's stack; an answer that is forced there is handed on by a frame of its own (block GIVEN).
"""

from __future__ import annotations

import ast
import re
from bisect import bisect_right
from collections import deque
from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import Any

from interpreter.optimise.fold import literal, number
from interpreter.optimise.slots import copied, is_name, read, reread

MOST = 180  # statements that are written into one block
FEW = 12  # statements of a block that may be written into one block more than once
FRAME = re.compile(r"R\d+")
BLOCK = re.compile(r"b\d+")
LEAVES = re.compile(r"f\d+|finish")  # functions that may change the frames

Body = list[ast.stmt]


def onward(tree: ast.Module, tables: dict[str, Any]) -> None:
    """Change the tree in place. tables: R<n> is the rest of the frame of a routine, its first block last; GIVEN: the
    block that hands on an answer; STEPS and ROUTINES: the numbers of the routines that the driver alone calls, and of all
    whose blocks are written into others; KEPT: blocks that are always called, because somebody may put others there."""
    if "GIVEN" in tables:
        Onward(tree, tables).write()


class Onward:
    def __init__(self, tree: ast.Module, tables: dict[str, Any]) -> None:
        self.tables = tables
        functions = [f for f in tree.body if isinstance(f, ast.FunctionDef)]
        self.blocks = {int(f.name[1:]): f for f in functions if BLOCK.fullmatch(f.name)}
        self.answers = {int(f.name[1:]) for f in functions if re.fullmatch(r"q\d+", f.name)}
        self.owner = owner_of(tables)
        self.writable = writable(tables)
        self.sizes: dict[str, int] = {}  # of the frames of steps
        self.after = self.resumes({f"R{n}" for n in tables["STEPS"]})
        self.left = 0
        self.held: list[ast.Delete] = []  # so that no id is given twice
        self.gone: dict[int, tuple[int, int, str]] = {}  # id of `del st[-k:]` → k, the block then on top, whose frame

    def resumes(self, steps: set[str]) -> dict[str, int]:
        """Step → the block that goes on when its frame is gone, where that is always the same."""
        found: dict[str, set[int]] = {}
        for function in self.blocks.values():
            for stms in lists(function.body):
                for before, stm in pairwise(stms):
                    name = pushed(stm)
                    if name in steps:
                        found.setdefault(name, set()).add(top_set(before))
                        self.sizes[name] = len(self.values(stm))
        return {name: tops.pop() for name, tops in found.items() if len(tops) == 1 and -1 not in tops}

    def values(self, push: ast.stmt) -> list[ast.expr]:
        """All that a frame holds that is pushed."""
        assert isinstance(push, ast.AugAssign) and isinstance(push.value, ast.BinOp)
        assert isinstance(push.value.left, ast.Tuple)
        return [*push.value.left.elts, *(literal(x) for x in self.tables[pushed(push)])]

    def write(self) -> None:
        done: dict[int, Body] = {}
        for number_ in sorted(self.answers & self.blocks.keys()):
            if self.owner(number_) not in self.writable:
                continue
            self.left = MOST
            body = copied(self.blocks[number_].body)
            self.go_on(body, number_)
            if self.left < MOST:
                for stms in lists(body):
                    self.change_frames(stms)
                done[number_] = reread(body)
        for number_, body in done.items():
            self.blocks[number_].body = body

    # ------------------------------------------------------------ writing in

    def go_on(self, body: Body, block: int) -> None:
        """Write in what follows at the ends of the statements of a block, what is near before what is far; a long block
        once."""
        here = self.owner(block)
        ends: deque[tuple[Body, str, frozenset[int], bool]] = deque()
        ends.extend((stms, here, frozenset({block}), True) for stms in lists(body))
        long: set[int] = set()
        while ends:
            stms, here, seen, own = ends.popleft()
            if not stms or not isinstance(stms[-1], ast.Return):
                continue
            goal = self.goal(stms, here, own)
            if goal in seen or goal in long or not self.fits(goal):
                if not own:
                    self.to_machine(stms)
                continue
            made = copied(self.blocks[goal].body)
            self.left -= size(made)
            if size(made) > FEW:
                long.add(goal)
            self.note(stms, here)
            stms[-1:] = made
            then = (self.owner(goal), seen | {goal}, False)
            ends.extend((inner, *then) for inner in (stms, *list(lists(made))[1:]))

    def note(self, stms: Body, here: str) -> None:
        """Keep which frame goes at the end of these statements. The frame of a step is the only one on the driver's."""
        for gone in stms[-3:-1]:
            if isinstance(gone, ast.Delete) and here in self.after:
                if not taken(gone):
                    lower = ast.UnaryOp(ast.USub(), ast.Constant(self.sizes[here]))
                    gone.targets = [ast.Subscript(ast.Name("st", ast.Load()), ast.Slice(lower), ast.Del())]
                self.gone[id(gone)] = (taken(gone), self.after[here], here)
                self.held.append(gone)

    def fits(self, goal: int) -> bool:
        """Whether a block may be written in, and is not too long."""
        if goal not in self.blocks or goal in self.answers or goal in self.tables["KEPT"]:
            return False
        return self.owner(goal) in self.writable and size(self.blocks[goal].body) <= self.left

    def goal(self, stms: Body, here: str, own: bool) -> int:
        """The block that follows the last of these statements, where that is known; -1."""
        last = stms[-1]
        assert isinstance(last, ast.Return)
        called = call_of(last)
        if called is not None:
            return called[0] if not own and is_zero(called[1]) else -1
        before = stms[-2] if len(stms) > 1 else last
        if not is_zero(last.value):
            return -1
        if isinstance(before, ast.Delete):
            return self.after.get(here, -1) if taken(before) else -1
        if pushed(before):
            frame = self.tables.get(pushed(before))
            return frame[-1] if frame else -1
        return top_set(before)

    def to_machine(self, stms: Body) -> None:
        """A call at the end of what was written in becomes a return to the machine; one of a kept block stays."""
        last = stms[-1]
        assert isinstance(last, ast.Return)
        called = call_of(last)
        if called is None or called[0] in self.tables["KEPT"]:
            return
        block, answer = called
        made: Body = [ast.Assign([slot(1)], ast.Constant(block))]
        if not is_zero(answer):
            frame = ast.Tuple([answer, ast.Constant(self.tables["GIVEN"])], ast.Load())
            made.append(ast.AugAssign(ast.Name("st", ast.Store()), ast.Add(), frame))
        stms[-1:] = [ast.copy_location(stm, last) for stm in (*made, ast.Return(ast.Constant(0)))]

    # ------------------------------------------------------------ one frame in the place of another

    def change_frames(self, stms: Body) -> None:
        """A frame that goes, and one that comes for it: its slots take the other values."""
        for at, gone in enumerate(stms):
            if id(gone) not in self.gone:
                continue
            many, under, routine = self.gone[id(gone)]
            top, between, end = under, [], at + 1
            while end < len(stms) and not pushed(stms[end]):
                stm = stms[end]
                if top_set(stm) >= 0:
                    top = top_set(stm)
                elif not names_frames(stm):
                    between.append(stm)
                elif read(stm) != ("st", "st"):
                    break
                end += 1
            name = pushed(stms[end]) if end < len(stms) else ""
            if not name:
                continue
            push = stms[end]
            values = self.values(push)
            if top == under and len(values) == many:
                written_in = not isinstance(stms[end + 1], ast.Return)  # then that sets the block on top
                made = stored(values[:-1] if name == routine and written_in else values, many, stms, end + 1)
            else:
                lower = ast.UnaryOp(ast.USub(), ast.Constant(many + (top != under)))
                target = ast.Subscript(ast.Name("st", ast.Load()), ast.Slice(lower), ast.Store())
                whole = [ast.Constant(top), *values] if top != under else values
                made = [ast.Assign([target], ast.Tuple(whole, ast.Load()))]
            stms[at : end + 1] = [*between, *(ast.copy_location(stm, push) for stm in made)]


def stored(values: list[ast.expr], many: int, stms: Body, end: int) -> Body:
    """Assignments of values to the slots of a frame of so many. What is read of them at once (stms from end on; taken
    out there) is assigned with them."""
    out: Body = []
    for i, value in enumerate(values):
        targets: list[ast.expr] = [slot(many - i)]
        later = {n.id for v in values[i + 1 :] for n in ast.walk(v) if isinstance(n, ast.Name)}
        at = end
        while at < len(stms) and (load := read(stms[at])) is not None:
            if load[1] == f"st-{many - i}" and load[0] not in later:
                if not is_name(value, load[0]):
                    targets.insert(0, ast.Name(load[0], ast.Store()))
                del stms[at]
                break
            at += 1
        out.append(ast.Assign(targets, value))
    return out


# ---------------------------------------------------------------- small questions


def owner_of(tables: dict[str, Any]) -> Callable[[int], str]:
    """block → the routine (R<n>) that it belongs to: the blocks of one follow one another."""
    first = sorted((frame[-1], name) for name, frame in tables.items() if FRAME.fullmatch(name) and frame)

    def owner(block: int) -> str:
        at = bisect_right(first, (block, "S"))
        return first[at - 1][1] if at else ""

    return owner


def writable(tables: dict[str, Any]) -> set[str]:
    """The routines whose blocks are written into others."""
    return {f"R{n}" for n in tables["ROUTINES"]}


def lists(stms: Body) -> Iterator[Body]:
    """This list of statements and those within."""
    yield stms
    for stm in stms:
        if isinstance(stm, (ast.If, ast.For, ast.While)):
            yield from lists(stm.body)
            yield from lists(stm.orelse)


def size(stms: Body) -> int:
    return sum(len(one) for one in lists(stms))


def slot(from_top: int) -> ast.expr:
    """`st[-k]`, to be written to."""
    return ast.Subscript(ast.Name("st", ast.Load()), ast.UnaryOp(ast.USub(), ast.Constant(from_top)), ast.Store())


def pushed(stm: ast.stmt) -> str:
    """R<n> of `st += (…) + R<n>`; ""."""
    if isinstance(stm, ast.AugAssign) and is_name(stm.target, "st") and isinstance(stm.value, ast.BinOp):
        rest = stm.value.right
        if isinstance(stm.value.left, ast.Tuple) and isinstance(rest, ast.Name) and FRAME.fullmatch(rest.id):
            return rest.id
    return ""


def top_set(stm: ast.stmt) -> int:
    """n of `st[-1] = n`; -1."""
    if isinstance(stm, ast.Assign) and len(stm.targets) == 1 and number(stm.value):
        if ast.unparse(stm.targets[0]) == "st[-1]":
            return int(stm.value.value)  # type: ignore[attr-defined]
    return -1


def taken(stm: ast.Delete) -> int:
    """k of `del st[-k:]`; 0."""
    target = stm.targets[0]
    if isinstance(target, ast.Subscript) and is_name(target.value, "st") and isinstance(target.slice, ast.Slice):
        lower = target.slice.lower
        if isinstance(lower, ast.UnaryOp) and isinstance(lower.operand, ast.Constant) and target.slice.upper is None:
            return int(lower.operand.value)  # type: ignore[arg-type]
    return 0


def call_of(stm: ast.Return) -> tuple[int, ast.expr] | None:
    """(n, c) of `return b<n>(s, c)`."""
    call = stm.value
    if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and BLOCK.fullmatch(call.func.id):
        return int(call.func.id[1:]), call.args[1]
    return None


def is_zero(node: ast.expr | None) -> bool:
    return isinstance(node, ast.Constant) and node.value == 0 and node.value is not False


def names_frames(stm: ast.stmt) -> bool:
    """Whether a statement may leave, or touch the frames."""
    return any(
        isinstance(n, ast.Return)
        or (isinstance(n, ast.Attribute) and n.attr == "st")
        or (isinstance(n, ast.Name) and (n.id == "st" or LEAVES.fullmatch(n.id) is not None))
        for n in ast.walk(stm)
    )
