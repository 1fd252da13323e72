"""attach: one more statement or condition in a game's language → code onto its compiled program (scenarios, try).

In: a Compiled and a Source. Out: frames to push on a state, or functions to ask it.
"""

from __future__ import annotations

import linecache
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from interpreter import machine
from interpreter import tree as t
from interpreter.amounts import bind
from interpreter.blocks import desugar, emit_blocks
from interpreter.bound import Run, Var, thing
from interpreter.compile import Compiled, can_function, ranges_of
from interpreter.conditions import condition
from interpreter.diagnostics import Diagnostic, has_errors
from interpreter.model import Source
from interpreter.program import Program
from interpreter.rewrite import rewritten
from interpreter.scope import Builder, Scope, place, player_code
from interpreter.statements import bind_text


@dataclass(slots=True)
class Statement:
    """A statement attached to a program: push(s, you) puts its frame on a state; possible(s, you) says whether what it
    pays can be paid. It is compiled when its frame is first asked for."""

    rest: tuple[Any, ...]
    reask: int
    possible: Callable[[Any, int], bool]
    ready: Callable[[], None]

    @property
    def frame(self) -> tuple[Any, ...]:
        self.ready()
        return self.rest


@dataclass(slots=True)
class Question:
    """A condition attached to a program: holds(s, you), and the values of its two sides for messages: text, value, sort
    (number, thing, zone, condition)."""

    holds: Callable[[Any, int], bool]
    sides: list[tuple[str, Callable[[Any, int], Any], str]]


def parse(c: Compiled, source: Source, start: str) -> tuple[Any, list[Diagnostic]]:
    """(tree or None, findings) of one text."""
    node, faults = c.language.of(source.pack).parse(source.text, start, ())
    node = None if node is None else rewritten(node, c.model)
    return node, [place(source, f.span, f.code, f.message, f.suggestion) for f in faults]


def attach_statement(c: Compiled, source: Source, silent: bool = False) -> tuple[Statement | None, list[Diagnostic]]:
    """A text as an action of its own. silent: nothing in it is announced or replaced (for `given`)."""
    b, e, program = c.builder, c.emitter, c.program
    assert program is not None
    tree, findings = parse(c, source, "text")
    if tree is None or findings:
        return None, findings
    kept, b.findings = b.findings, []
    heard, replaced = b.heard, b.replaced
    if silent:
        b.heard, b.replaced = set(), set()
        e.heard = b.heard
    edges, e.edges = e.edges, e.edges and not silent
    functions, fixed = len(b.functions), fixed_parts(b)
    try:
        routine = b.routine("statement", "statement", source)
        routine.framed = True
        routine.params = [Var("x0", thing("player"))]
        routine.vars = [Var("x0", thing("player"))]
        sc = Scope(b, source, routine)
        sc.you = player_code("x0")
        bind_text(tree, sc)
        if b.actions_end:
            sc.out.append(Run(["end_of(s, 'end:action')"]))  # a statement done over a table is an action of its own
        routine.body = desugar(sc.out, routine, b.counts["replaced"], c.model.tables["applied"], "ORDERS")
        findings = b.findings
        if not has_errors(findings) and fixed_parts(b) != fixed:
            forget(b, fixed)
            message = "no text of the game does this for a time, so nothing here would end it; let a card's text do it"
            findings = [*findings, place(source, tree.at, "type", message)]
        if has_errors(findings):
            b.routines.pop()
            return None, findings
        pure = Scope(b, source, routine, you=player_code("x0"), pure=True)
        can_function(c, routine, tree, pure)
        first = len(e.blocks)
        emit_blocks(routine, e)
        sources = [
            *b.functions[functions:],
            *e.blocks[first:],
            *[e.questions[k] for k in sorted(e.questions) if k >= first],
        ]
        reask = ensure_reask(c)
    finally:
        b.findings = kept
        b.heard, b.replaced = heard, replaced
        e.heard = heard
        e.edges = edges
    c.waiting += sources
    program.ranges += ranges_of(b, program.ranges[-1].hi)
    return Statement(eval(routine.can), reask, later(c, f"can_{routine.index}"), lambda: settle(c)), findings


def later(c: Compiled, name: str) -> Callable[[Any, int], Any]:
    """A function of what was put onto a program, which is compiled when it is first asked."""

    def ask(s: Any, you: int) -> Any:
        settle(c)
        assert c.program is not None
        return c.program.globals[name](s, you)

    return ask


def settle(c: Compiled) -> None:
    """Compile what was put onto the program since the last time: all of it at once, and nothing that is only checked."""
    program = c.program
    assert program is not None
    if c.waiting:
        source = "\n\n".join(c.waiting)
        c.waiting.clear()
        for key in c.builder.tables.keys() - program.globals.keys():
            program.globals[key] = c.builder.tables[key]
        name = f"<cardscript {c.model.name or 'game'} and {len(program.blocks)}>"
        exec(compile(source, name, "exec"), program.globals)  # little, and done once: not worth making it better
        linecache.cache[name] = (len(source), None, source.splitlines(True), name)
    extend(program, c)


Fixed = tuple[int, int, set[str], set[Any], int]


def fixed_parts(b: Builder) -> Fixed:
    """What a compiled program cannot be given afterwards: boundaries, cells that they clear, remembered phrases, and
    changes for a time."""
    changes = {k for k in b.table_names if k[0] == "dynamic"}
    return len(b.durations), len(b.cell_resets), set(b.history), changes, len(b.armed)


def forget(b: Builder, fixed: Fixed) -> None:
    """Take off again what was added to these parts."""
    durations, resets, history, changes, armed = fixed
    del b.durations[durations:], b.cell_resets[resets:], b.armed[armed:]
    b.history &= history
    for key in [k for k in b.table_names if k[0] == "dynamic" and k not in changes]:
        del b.table_names[key]


def extend(program: Program, c: Compiled) -> None:
    """The program's lists, as long as what was emitted."""
    e = c.emitter
    while len(program.blocks) < len(e.blocks):
        number = len(program.blocks)
        program.blocks.append(program.globals[f"b{number}"])
        program.shapes.append(e.shapes[number])
        program.origins.append(e.origins[number])
        if number in e.questions:
            program.questions[number] = program.globals[f"q{number}"]
        if number in e.sites:
            program.sites[number] = e.sites[number]


def ensure_reask(c: Compiled) -> int:
    """The block that asks the question under it again."""
    e, program = c.emitter, c.program
    assert program is not None
    number = c.builder.counts.get("reask")
    if number is not None:
        return number
    number = len(e.blocks)
    c.builder.counts["reask"] = number
    name = f"b{number}"

    def reask(s: Any, _c: int) -> int:
        del s.st[-1:]
        who, opts = machine.derive(s)
        if not opts:
            return int(program.blocks[s.st[-1]](s, -1))
        s.who, s.opts = who, opts
        return 1

    e.blocks.append("")
    e.shapes.append((1, ""))
    e.origins.append("statement")
    program.globals[name] = reask
    return number


def push(s: Any, statement: Statement, you: int) -> None:
    """Do a statement over whatever is open: to its end, or to its first decision."""
    s.st += [statement.reask, you, *statement.frame] if s.st else [you, *statement.frame]
    machine.run(s, 0)


def attach_condition(c: Compiled, source: Source) -> tuple[Question | None, list[Diagnostic]]:
    """A condition → a Question."""
    b, program = c.builder, c.program
    assert program is not None
    tree, findings = parse(c, source, "condition")
    if tree is None or findings:
        return None, findings
    kept, b.findings = b.findings, []
    functions, fixed = len(b.functions), fixed_parts(b)
    number = b.counts["asked"] = b.counts.get("asked", 0) + 1
    try:
        sc = Scope(b, source, pure=True)
        sc.you = player_code("x0")
        code = condition(tree, sc)
        sides = [
            (source.text[part.at[0] : part.at[1]], *bind_side(part, sc))
            for test in tests_in(tree)
            for part in (test.left, test.right)
            if part is not None
        ]
        findings = b.findings
        if fixed_parts(b) != fixed:
            forget(b, fixed)
            message = "no text of the game asks whether this was done, so nothing remembers it"
            findings = [*findings, place(source, tree.at, "type", message)]
    finally:
        b.findings = kept
    if has_errors(findings):
        return None, findings
    lines = [*b.functions[functions:], f"def holds{number}(s, x0):\n    v = s.v; z = s.z\n    return bool({code.py})"]
    for i, (_, py, _) in enumerate(sides):
        lines.append(f"def side{number}_{i}(s, x0):\n    v = s.v; z = s.z\n    return {py}")
    c.waiting += lines
    return Question(
        later(c, f"holds{number}"),
        [(text, later(c, f"side{number}_{i}"), sort) for i, (text, _, sort) in enumerate(sides)],
    ), findings


def tests_in(tree: Any) -> list[Any]:
    """The tests with two sides that a condition is made of."""
    if isinstance(tree, t.Logic):
        return [test for part in tree.parts for test in tests_in(part)]
    return [tree] if isinstance(tree, (t.Compare, t.Is, t.Has)) else []


def bind_side(part: Any, sc: Scope) -> tuple[str, str]:
    """(Python for one side, the sort of its value)."""
    kept = len(sc.b.findings)
    code = bind(part, sc)
    faulty = len(sc.b.findings) > kept
    del sc.b.findings[kept:]
    if faulty:
        return "None", ""
    return code.py, code.type.sort
