"""driver: set-up, then turns or rounds for ever, and the routine that resolves waiting triggers.

In: a Compiled and its steps. Out: two routines.
"""

from __future__ import annotations

from typing import Any

from interpreter import bound as bd
from interpreter.bound import NUMBER, Ask, Assign, Call, Dyn, Loop, Mark, Routine, Run, Settle, Type, Var
from interpreter.compile.phrases import on
from interpreter.compile.reading import Compiled
from interpreter.model import ACTIVE, FIRST, PLAYERS, ROUND, TURN, Model, Step
from interpreter.scope import Builder


def moment_run(b: Builder, key: str) -> list[Any]:
    if key not in b.heard:
        return []
    return [Run([f"{on(key)}(s, v[{ACTIVE}])"], {key}), Settle({key})]


def lasting(b: Builder, name: str) -> list[Any]:
    """The line that ends what lasts until a boundary, where anything does."""
    ends = {f"end:{boundary}" for _, _, boundary in b.cell_resets} | set(b.durations)
    if b.history:
        ends.add("end:turn")
    edge, _, step = name.partition(":")
    names = [name, *(f"{edge}:{kind}" for kind in kinds_of_step(b.model, step))]
    return [
        Run([f"end_of(s, {one!r})"])
        for one in names
        if one in ends or (one == "start:turn" and "start:turn:own" in ends)
    ]


def kinds_of_step(model: Model, step: str) -> list[str]:
    """The kinds that a step is of, where it is also a record."""
    record = next((r for r in model.records.values() if r.name == step), None)
    kind = record.kind if record is not None else ""
    out = []
    while kind in model.kinds:
        out.append(kind)
        kind = model.kinds[kind].parent
    return out


def bind_driver(c: Compiled, steps: dict[int, Routine]) -> Routine:
    """Set-up, then turns or rounds for ever: the frame at the bottom of the stack."""
    b = c.builder
    model = c.model
    driver = b.routine("driver", "driver")
    driver.framed = True
    body: list[Any] = []
    for step in model.setup:
        if id(step) in steps:
            body += [Call(steps[id(step)], [f"v[{FIRST}]"]), Settle(set(b.heard))]
    body.append(Run([f"v[{ACTIVE}] = v[{FIRST}]", "s.mods = ()"]))
    body.append(Mark("set-up done"))
    body += moment_run(b, "start:game")

    def one(step: Step) -> list[Any]:
        out: list[Any] = [Mark(f"step:{step.name}"), *moment_run(b, f"start:{step.name}")]
        if id(step) in steps:
            out += [Call(steps[id(step)], [f"v[{ACTIVE}]"]), Settle(set(b.heard))]
        out += [Mark(step.name), *moment_run(b, f"end:{step.name}"), *lasting(b, f"end:{step.name}")]
        return out

    def turns(inside: list[Step]) -> list[Any]:
        out: list[Any] = [
            Run([f"if s.lg is not None: s.lg.append(('turn', v[{ACTIVE}], v[{TURN}] + 1))"]),
            *([Run(["remember(s)"])] if b.remembers else []),
            *lasting(b, "start:turn"),
            *moment_run(b, "start:turn"),
        ]
        for step in inside:
            out += one(step)
        out += [
            Mark("turn"),
            *moment_run(b, "end:turn"),
            *lasting(b, "end:turn"),
            Run([f"v[{TURN}] += 1", f"v[{ACTIVE}] = (v[{ACTIVE}] + 1) % v[{PLAYERS}]"]),
        ]
        return out

    if model.round:
        loop: list[Any] = [Run([f"v[{ROUND}] += 1", f"v[{ACTIVE}] = v[{FIRST}]"]), *moment_run(b, "start:round")]
        for phase in model.round:
            if phase.each:
                count = f"x{len(driver.vars)}"
                driver.vars.append(Var(count, NUMBER))
                loop += [
                    Mark(f"step:{phase.name}"),
                    *moment_run(b, f"start:{phase.name}"),
                    Assign(count, f"v[{PLAYERS}]"),
                    Run([f"v[{ACTIVE}] = v[{FIRST}]"]),
                    Loop(f"{count} > 0", [Assign(count, f"{count} - 1"), *turns(phase.steps)]),
                    Mark(phase.name),
                    *moment_run(b, f"end:{phase.name}"),
                    *lasting(b, f"end:{phase.name}"),
                ]
            else:
                loop += one(phase)
        loop += [Mark("round"), *moment_run(b, "end:round"), *lasting(b, "end:round")]
        body.append(Loop("True", loop))
    elif model.turn:
        body.append(Loop("True", turns(model.turn)))
    body += [Mark("game"), *moment_run(b, "end:game"), bd.Finish()]
    driver.body = body
    return driver


def resolver(c: Compiled) -> Routine:
    """Triggers that wait, in turn order from the active player; one player's own in the order that player chooses."""
    b = c.builder
    r = b.routine("resolve", "resolve")
    r.framed = True
    names = ["batch", "seat", "answer", "entry", "old"]
    r.vars = [
        Var(f"x{i}", Type("number", "", True) if n in ("batch", "entry", "old") else NUMBER)
        for i, n in enumerate(names)
    ]
    applied = c.model.tables["applied"]
    ask = Ask("x2", "x1", ["o = order_options(s, x0, x1, ORDERS)"], "Choose which comes first", "order", ("", "", 0))
    r.body = [
        Assign("x0", "take_pending(s)"),
        Assign("x4", f"z[{applied}]"),
        Run([f"z[{applied}] = ()"]),
        Loop(
            "x0",
            [
                Assign("x1", "first_seat(s, x0)"),
                ask,
                Assign("x3", "pick_trigger(s, x0, x1, x2, ORDERS)"),
                Assign("x0", "without(x0, x3)"),
                Dyn(["*x3[1:]"], "LISTENERS[x3[0]]"),
            ],
        ),
        Run([f"z[{applied}] = x4"]),
    ]
    return r
