"""blocks: routines of structured code that may wait → Python source of blocks (runs of code without a decision in them).

What asks, draws, calls what waits, or resolves triggers may wait; any other routine is a plain function. A local lies in
the frame only if two blocks, or a block and its question, touch it. Back edges return to the machine, so that no content
can exhaust Python's stack.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from interpreter import bound as bd
from interpreter.frames import VAR, block_source, frame_slots, letter, question_source
from interpreter.plain import ends, finish, has_stop, native, stm_waits
from interpreter.program import Site


@dataclass(slots=True)
class Emitter:
    """What emission gathers: sources by block, questions, sites, shapes, labels."""

    heard: set[str]
    edges: bool
    resolve: Any = None  # the routine that resolves triggers
    logs: bool = True
    blocks: list[str] = field(default_factory=list)
    questions: dict[int, str] = field(default_factory=dict)
    sites: dict[int, Site] = field(default_factory=dict)
    shapes: list[tuple[int, str]] = field(default_factory=list)
    origins: list[str] = field(default_factory=list)
    labels: dict[str, int] = field(default_factory=dict)
    functions: list[str] = field(default_factory=list)
    effect_tables: set[str] = field(default_factory=set)
    first: int = 0  # number of the first block (a statement compiled later starts higher)


def desugar(stms: list[Any], routine: bd.Routine, replaced_cell: int, applied: int, order_actions: str) -> list[Any]:
    """Propose → the loop that lets replacements answer, each at most once to one event and to what it becomes."""
    out: list[Any] = []
    for stm in stms:
        if isinstance(stm, bd.Branch):
            stm.then = desugar(stm.then, routine, replaced_cell, applied, order_actions)
            stm.other = desugar(stm.other, routine, replaced_cell, applied, order_actions)
        elif isinstance(stm, (bd.Each, bd.Loop)):
            stm.body = desugar(stm.body, routine, replaced_cell, applied, order_actions)
        if not isinstance(stm, bd.Propose):
            out.append(stm)
            continue
        act = desugar(stm.act, routine, replaced_cell, applied, order_actions)
        number, several = bd.NUMBER, bd.Type("number", "", True)
        old, found, one = (fresh(routine, several) for _ in range(3))
        done, answer = (fresh(routine, number) for _ in range(2))
        args = []
        for arg in stm.args:
            if VAR.fullmatch(arg):
                args.append(arg)
            else:
                var = fresh(routine, number)
                out.append(bd.Assign(var, arg))
                args.append(var)
        affected = fresh(routine, number)
        name = "instead_" + "".join(c if c.isalnum() else "_" for c in stm.key)
        ask = bd.Ask(
            answer,
            affected,
            [f"o = distinct([{order_actions}[i] for i in {found}[::3]])"],
            "Choose what happens instead",
            "order",
            ("", "", 0),
        )
        at = f"pick_replacement({found}, {answer}, {order_actions})"
        body: list[Any] = [
            bd.Assign(found, f"{name}(s, {', '.join(args)})"),
            bd.Branch(
                f"not {found}",
                [*act, bd.Assign(done, "1")],
                [
                    ask,
                    bd.Assign(one, at),
                    bd.Run([f"z[{applied}] = z[{applied}] + ({one}[0], {one}[2])", f"v[{replaced_cell}] = 1"]),
                    bd.Dyn([f"{one}[1]", f"{one}[2]", *args], f"LISTENERS[{one}[0]]"),
                    bd.Branch(f"v[{replaced_cell}] == 1", [bd.Assign(done, "1")]),
                ],
            ),
        ]
        out += [
            bd.Assign(
                affected,
                stm.affected if stm.affected.isdigit() else f"({stm.affected} if {stm.affected} >= 0 else v[1])",
            ),
            bd.Assign(old, f"z[{applied}]"),
            bd.Assign(done, "0"),
            bd.Loop(f"{done} == 0", body),
            bd.Run([f"z[{applied}] = {old}"]),
        ]
    return out


def fresh(routine: bd.Routine, type_: Any) -> str:
    name = f"x{len(routine.vars)}"
    routine.vars.append(bd.Var(name, type_))
    return name


# ---------------------------------------------------------------- blocks


class Cutter:
    """Cuts one routine into blocks. Run twice: first every variable in the frame, then only those that need it."""

    def __init__(self, routine: bd.Routine, e: Emitter, framed: list[str] | None, base: int) -> None:
        self.routine = routine
        self.e = e
        self.slots = [v.name for v in routine.vars] if framed is None else framed
        self.at = {name: i for i, name in enumerate(self.slots)}
        self.size = len(self.slots) + 1
        self.base = base
        self.bodies: list[list[str]] = []
        self.kinds: list[tuple[str, str]] = []  # (variable that takes the answer, decode)
        self.questions: dict[int, list[str]] = {}
        self.sites: dict[int, Site] = {}
        self.labels: dict[str, int] = {}

    def cut(self) -> None:
        entry = self.block()
        self.sequence(self.routine.body, entry, "", None)

    def block(self) -> int:
        self.bodies.append([])
        self.kinds.append(("", ""))
        return self.base + len(self.bodies) - 1

    def lines(self, block: int) -> list[str]:
        return self.bodies[block - self.base]

    def leave(self, block: int, pad: str, goal: int | None, back: bool = False) -> None:
        """Go on at a block (a call forward, the machine for a back edge), or return from the routine."""
        out = self.lines(block)
        if goal is None:
            out.append(f"{pad}del st[-{self.size}:]")
            out.append(f"{pad}return 0")
        elif back:
            out.append(f"{pad}st[-1] = {goal}")
            out.append(f"{pad}return 0")
        else:
            out.append(f"{pad}return b{goal}(s, 0)")

    def sequence(self, stms: list[Any], block: int, pad: str, goal: int | None, back: bool = False) -> None:
        """Emit statements into a block; at the end go on at goal (None: return)."""
        for index, stm in enumerate(stms):
            rest = stms[index + 1 :]
            if isinstance(stm, bd.Stop):
                self.leave(block, pad, None)
                return
            if isinstance(stm, bd.Finish):
                self.lines(block).extend(finish(stm.label, pad, "st"))
                return
            if isinstance(stm, bd.Settle) and not self.settles(stm):
                continue
            if not stm_waits(stm):
                if isinstance(stm, bd.Branch) and (has_stop(stm.then) or has_stop(stm.other)):
                    self.branch(stm, rest, block, pad, goal, back)
                    return
                if isinstance(stm, (bd.Each, bd.Loop)) and has_stop(stm.body):
                    self.wait(stm, rest, block, pad, goal, back)
                    return
                self.lines(block).extend(native([stm], pad, "st"))
                continue
            self.wait(stm, rest, block, pad, goal, back)
            return
        self.leave(block, pad, goal, back)

    def settles(self, stm: bd.Settle) -> bool:
        return (
            bool(stm.fires & self.e.heard)
            or self.e.edges
            or "effect" in stm.fires
            or any(f.startswith("do:") for f in stm.fires)
        )

    def after(self, rest: list[Any], goal: int | None, back: bool) -> tuple[int | None, bool]:
        """The block that holds the rest, or the goal itself when nothing is left."""
        if not rest:
            return goal, back
        block = self.block()
        self.sequence(rest, block, "", goal, back)
        return block, False

    def branch(self, stm: bd.Branch, rest: list[Any], block: int, pad: str, goal: int | None, back: bool) -> None:
        nxt = self.block() if rest else None
        to, to_back = (nxt, False) if rest else (goal, back)
        out = self.lines(block)
        out.append(f"{pad}if {stm.cond}:")
        self.sequence(stm.then, block, pad + "    ", to, to_back)
        self.sequence(stm.other, block, pad, to, to_back)
        if nxt is not None:
            self.sequence(rest, nxt, "", goal, back)

    def wait(self, stm: Any, rest: list[Any], block: int, pad: str, goal: int | None, back: bool) -> None:
        if isinstance(stm, (bd.Each, bd.Loop)) and only_draws(stm.body):
            # Where chance is not asked, nothing in this waits. It begins a block of its own: see machine.begun.
            draw = self.block()
            self.lines(block).extend([f"{pad}st[-1] = {draw}", f"{pad}return 0"])
            out = self.lines(draw)
            out.append("if not s.explicit:")
            out += native([stm], "    ", "st")
            after, after_back = self.after(rest, goal, back)
            self.leave(draw, "    ", after, after_back)
            WAITERS[type(stm)](self, stm, [], draw, "", after, after_back)
            return
        WAITERS[type(stm)](self, stm, rest, block, pad, goal, back)

    def ask(self, stm: bd.Ask, rest: list[Any], block: int, pad: str, goal: int | None, back: bool) -> None:
        resume = self.block()
        self.kinds[resume - self.base] = (stm.var, "c")
        out = self.lines(block)
        if stm.skip:
            out += [f"{pad}if {stm.skip}: return b{resume}(s, -1)"]
        out += [pad + line for line in stm.lines]
        forced = (
            ""
            if stm.forced == "True" and not stm.hidden
            else f" and {stm.forced}"
            if stm.forced != "True"
            else " and not s.explicit is None"
        )
        if stm.forced == "False" or stm.kind == "may" or stm.hidden:
            out.append(f"{pad}if not o: return b{resume}(s, -1)")
        else:
            told = (
                f"if s.lg is not None: chose(s, 'forced', {stm.who}, o[0], {resume})" if stm.kind != "order" else "pass"
            )
            out += [
                f"{pad}if len(o) < 2{forced}:",
                f"{pad}    if not o: return b{resume}(s, -1)",
                f"{pad}    if s.auto:",
                f"{pad}        {told}",
                f"{pad}        return b{resume}(s, o[0])",
            ]
        out += [f"{pad}s.opts = o; s.who = {stm.who}; st[-1] = {resume}", f"{pad}return 1"]
        self.questions[resume] = [*stm.lines, f"return {stm.who}, o"]
        record, file, line = stm.source
        self.sites[resume] = Site(
            stm.prompt,
            record,
            file,
            line,
            stm.kind,
            self.bound_of(stm.least),
            self.bound_of(stm.most),
            stm.hidden,
            stm.window,
            False,
            self.at.get(stm.slot, -1),
            self.at.get(stm.about, -1),
            tuple((name, self.at[var], is_thing) for name, var, is_thing in stm.named if var in self.at),
        )
        self.sequence(rest, resume, "", goal, back)

    def bound_of(self, value: int | str) -> int:
        """How many are to be chosen: the number, or where in the frame it stands (as program.Site says it)."""
        return value if isinstance(value, int) else -1 - self.at[value]

    def chance(self, stm: bd.Chance, rest: list[Any], block: int, pad: str, goal: int | None, back: bool) -> None:
        # What draws begins a block of its own, so that what comes before the first draw can be kept (machine.begun).
        draw = self.block()
        self.lines(block).extend([f"{pad}st[-1] = {draw}", f"{pad}return 0"])
        block, pad = draw, ""
        then = rest[0] if rest else None
        followed = isinstance(then, bd.Branch) and not stm.offset and not (stm_waits(then) or leaves([then]))
        if followed:
            # Where chance is not asked, what becomes of the card follows at once.
            out = self.lines(block)
            out += ["if not s.explicit:", *native([stm, then], "    ", "st")]
            goal, back = self.after(rest[1:], goal, back)
            self.leave(block, "    ", goal, back)
            rest = [then]
        resume = self.block()
        self.kinds[resume - self.base] = (stm.var, f"c - {stm.offset} if c >= 0 else -1" if stm.offset else "c")
        out = self.lines(block)
        out += [f"{pad}o = {stm.over}"]
        if stm.offset:
            out.append(f"{pad}o = [{stm.offset}+i for i in o]")
        once = [] if stm.offset else ["o = alike(s, -1, o)"]
        out += [
            f"{pad}if not o: return b{resume}(s, -1)",
            *([] if followed else [f"{pad}if not s.explicit: return b{resume}(s, o[rnd(s, len(o))])"]),
            *[pad + line for line in once],
            f"{pad}if len(o) == 1 and s.auto: return b{resume}(s, o[0])",
            f"{pad}s.opts = o; s.who = -1; st[-1] = {resume}",
            f"{pad}return 1",
        ]
        self.questions[resume] = [
            "CHANCE",
            f"o = {stm.over}",
            *([f"o = [{stm.offset}+i for i in o]"] if stm.offset else []),
            *["if not whole: " + line for line in once],
            "return -1, o",
        ]
        record, file, line = stm.source
        self.sites[resume] = Site(stm.prompt, record, file, line, "chance")
        self.sequence(rest, resume, "", goal, back)

    def secret(self, stm: bd.Secret, rest: list[Any], block: int, pad: str, goal: int | None, back: bool) -> None:
        resume = self.block()
        done = self.block()
        q = f"q{resume}"
        out = self.lines(block)
        out += [
            f"{pad}a = [-2] * v[0]",
            f"{pad}for i in {stm.who}: a[i] = -1",
            f"{pad}{stm.var} = st[{self.slot(stm.var)}] = tuple(a)",
            f"{pad}return b{resume}(s, None)",
        ]
        inside = self.lines(resume)
        inside += [
            f"a = {stm.var}",
            "if c is not None:",
            "    i = s.answering",
            f"    {stm.var} = st[{self.slot(stm.var)}] = a[:i] + (c,) + a[i + 1:]",
            "    if s.lg is not None: s.lg.append(('secret', i))",
            f"    a = {stm.var}",
            "for i in range(len(a)):",
            "    if a[i] == -1:",
            f"        o = {q}(s, i)",
            "        if len(o) == 1 and s.auto or not o:",
            "            a = a[:i] + (o[0] if o else -2,) + a[i + 1:]",
            f"            {stm.var} = st[{self.slot(stm.var)}] = a",
            "            continue",
            f"        st[-1] = {resume}; s.opts = o; s.who = i",
            "        return 1",
            f"return b{done}(s, 0)",
        ]
        self.questions[resume] = ["SECRET", *stm.lines, "return o"]
        self.questions[-resume] = [stm.seat]
        record, file, line = stm.source
        self.sites[resume] = Site(stm.prompt, record, file, line, "secret", secret=True, slot=self.at.get(stm.var, -1))
        self.sequence(rest, done, "", goal, back)

    def slot(self, var: str) -> int:
        return self.at[var] - self.size if var in self.at else 0

    def branching(self, stm: bd.Branch, rest: list[Any], block: int, pad: str, goal: int | None, back: bool) -> None:
        self.branch(stm, rest, block, pad, goal, back)

    def each(self, stm: bd.Each, rest: list[Any], block: int, pad: str, goal: int | None, back: bool) -> None:
        head = self.block()
        out = self.lines(block)
        if stm.over != stm.items:
            out.append(f"{pad}{stm.items} = {stm.over}")
        out += [f"{pad}{stm.index} = 0", f"{pad}return b{head}(s, 0)"]
        after, after_back = self.after(rest, goal, back)
        inside = self.lines(head)
        inside.append(f"if {stm.index} >= len({stm.items}):")
        self.leave(head, "    ", after, after_back)
        inside += [f"{stm.var} = {stm.items}[{stm.index}]; {stm.index} += 1"]
        if stm.skip:
            inside.append(f"if {stm.skip}:")
            self.leave(head, "    ", head, True)
        self.sequence(stm.body, head, "", head, True)

    def loop(self, stm: bd.Loop, rest: list[Any], block: int, pad: str, goal: int | None, back: bool) -> None:
        head = self.block()
        self.lines(block).append(f"{pad}return b{head}(s, 0)")
        after, after_back = self.after(rest, goal, back)
        inside = self.lines(head)
        inside.append("v[7] += 1")
        if stm.cond != "True":
            inside.append(f"if not ({stm.cond}):")
            self.leave(head, "    ", after, after_back)
        self.sequence(stm.body, head, "", head, True)

    def call(self, stm: bd.Call, rest: list[Any], block: int, pad: str, goal: int | None, back: bool) -> None:
        self.enter(f"({''.join(a + ', ' for a in stm.args)}) + R{stm.routine.index}", rest, block, pad, goal, back)

    def enter(
        self, frame: str, rest: list[Any], block: int, pad: str, goal: int | None, back: bool, guard: str = ""
    ) -> None:
        """Push a frame and return to the machine. When the frame is gone, the rest goes on in a block of its own, or,
        where nothing is left, what follows."""
        resume = goal if goal is not None and not rest else self.block()
        out = self.lines(block)
        if guard:
            out.append(f"{pad}if not {guard}:")
            self.leave(block, pad + "    ", resume, back and not rest)
        out += [f"{pad}st[-1] = {resume}", f"{pad}st += {frame}", f"{pad}return 0"]
        if resume != goal:
            self.sequence(rest, resume, "", goal, back)

    def call_effect(
        self, stm: bd.CallEffect, rest: list[Any], block: int, pad: str, goal: int | None, back: bool
    ) -> None:
        table = "EFFECT_" + "".join(c if c.isalnum() else "_" for c in stm.table)
        self.e.effect_tables.add(stm.table)
        out = self.lines(block)
        out.append(f"{pad}e = {table}[{stm.what}]")
        self.enter(f"({stm.who}, {stm.what}) + e", rest, block, pad, goal, back, guard="e")

    def dyn(self, stm: bd.Dyn, rest: list[Any], block: int, pad: str, goal: int | None, back: bool) -> None:
        out = self.lines(block)
        out.append(f"{pad}e = {stm.tail}")
        self.enter(f"({''.join(a + ', ' for a in stm.args)}) + e", rest, block, pad, goal, back, guard="e")

    def settle(self, stm: bd.Settle, rest: list[Any], block: int, pad: str, goal: int | None, back: bool) -> None:
        if self.e.edges:
            self.lines(block).append(f"{pad}edges(s)")
        self.enter("R_RESOLVE", rest, block, pad, goal, back, guard="s.pend")

    def mark(self, stm: bd.Mark, rest: list[Any], block: int, pad: str, goal: int | None, back: bool) -> None:
        nxt = self.block()
        self.labels[stm.label] = nxt
        self.lines(block).append(f"{pad}return b{nxt}(s, 0)")
        self.sequence(rest, nxt, "", goal, back)


WAITERS: dict[type, Any] = {
    bd.Ask: Cutter.ask,
    bd.Chance: Cutter.chance,
    bd.Secret: Cutter.secret,
    bd.Branch: Cutter.branching,
    bd.Each: Cutter.each,
    bd.Loop: Cutter.loop,
    bd.Call: Cutter.call,
    bd.CallEffect: Cutter.call_effect,
    bd.Settle: Cutter.settle,
    bd.Mark: Cutter.mark,
    bd.Dyn: Cutter.dyn,
}


def leaves(stms: list[Any]) -> bool:
    """Whether something in this leaves the routine, or what goes on outside of it."""
    return has_stop(stms) or bool(ends(stms))


def only_draws(stms: list[Any]) -> bool:
    """Whether something in this asks chance, and nothing else waits or leaves."""
    draws = False
    for stm in stms:
        if isinstance(stm, bd.Stop) or ends([stm]):
            return False
        inner = [*stm.then, *stm.other] if isinstance(stm, bd.Branch) else getattr(stm, "body", [])
        if isinstance(stm, bd.Chance) or (isinstance(stm, (bd.Branch, bd.Each, bd.Loop)) and only_draws(inner)):
            draws = True
        elif stm_waits(stm) or (isinstance(inner, list) and has_stop(inner)):
            return False
    return draws


def emit_blocks(routine: bd.Routine, e: Emitter) -> None:
    """A routine that waits → its blocks, questions, sites and shapes in the emitter."""
    base = e.first + len(e.blocks)
    trial = Cutter(routine, e, None, base)
    trial.cut()
    keep = frame_slots(routine, trial)
    cutter = Cutter(routine, e, keep, base)
    cutter.cut()
    routine.entry = base
    letters = "".join(letter(v.type) for v in routine.vars if v.name in cutter.at)
    record = routine.source.record if routine.source else routine.name
    for i, lines in enumerate(cutter.bodies):
        number = base + i
        e.blocks.append(block_source(number, lines, cutter, i))
        e.shapes.append((cutter.size, letters))
        e.origins.append(record)
        if number in cutter.questions:
            e.questions[number] = question_source(number, cutter)
        if number in cutter.sites:
            e.sites[number] = cutter.sites[number]
    for label, block in cutter.labels.items():
        e.labels[label] = block
    kinds = {v.name: v.type for v in routine.vars}
    empty = [
        "(), " if kinds[name].many else "-1, " if kinds[name].sort == "thing" else "0, "
        for name in cutter.slots[len(routine.params) :]
    ]
    routine.can = f"({''.join(empty)}{base},)"
