"""program: all routines → Python source, executed once → Program.

In: a Compiled whose texts are bound. Out: its program.
"""

from __future__ import annotations

import hashlib
import re
from bisect import bisect_left
from types import CodeType
from typing import Any

from interpreter import bound as bd
from interpreter.armed import LETTERS
from interpreter.assembled import assembled
from interpreter.blocks import Emitter, desugar, emit_blocks
from interpreter.bound import Call, Loop, Routine, ident_of
from interpreter.cache import code_of, reading
from interpreter.compile.hearing import boundaries, events, modifiers
from interpreter.compile.reading import Compiled, all_steps, tree_of
from interpreter.compile.records import main_text
from interpreter.extremes import extremes
from interpreter.jumps import inline_jumps
from interpreter.model import FIXED_CELLS, POSITION_LISTS, Model
from interpreter.optimise import improved
from interpreter.plain import ends, function_source, stm_waits
from interpreter.program import Image, OptionText, Range
from interpreter.scope import Builder
from interpreter.unread import without_unread


def emit(c: Compiled, driver: Routine, resolve: Routine) -> None:
    """The bodies of all routines → blocks and functions in the emitter."""
    b = c.builder
    e = c.emitter
    listeners = [
        m
        for group in (*b.listeners.values(), *b.replacements.values(), b.edges, *b.permissions.values())
        for m in group
    ]
    replaced = b.counts.get("replaced")
    if replaced is None:
        replaced = b.counts["replaced"] = b.cell(1)
    for routine in b.routines:
        body = desugar(routine.body, routine, replaced, c.model.tables["applied"], "ORDERS")
        routine.body = without_unread(body)
    suspension(b)
    ending(b)
    emit_blocks(driver, e)
    e.resolve = resolve
    for routine in b.routines:
        if routine is driver:
            continue
        emit_routine(routine, e)
    b.tables["ORDERS"] = tuple(b.text_action(m.label or m.key) for m in listeners)
    events(c, listeners)
    modifiers(c)
    boundaries(c)
    finishing(c, driver, resolve, listeners)


def emit_routine(routine: Routine, e: Emitter) -> None:
    if routine.suspends or routine.framed:
        emit_blocks(routine, e)
    else:
        e.functions.append(function_source(routine))


def suspension(b: Builder) -> None:
    """Which routines wait: a least fixpoint; whatever lies in a cycle of calls goes through frames."""
    calls: dict[int, set[int]] = {r.index: called(r.body) for r in b.routines}
    changed = True
    while changed:
        changed = False
        for r in b.routines:
            if not (r.suspends or r.framed) and any(stm_waits(stm) for stm in r.body):
                r.suspends = changed = True
    for r in b.routines:
        seen: set[int] = set()
        queue = list(calls[r.index])
        while queue:
            at = queue.pop()
            if at not in seen:
                seen.add(at)
                queue += calls[at]
        if r.index in seen and not r.framed:
            r.framed = True
    heavy(b)
    for r in b.routines:
        if not (r.suspends or r.framed) and any(stm_waits(stm) for stm in r.body):
            suspension(b)
            return


def ending(b: Builder) -> None:
    """What routines that wait for nothing may end: a least fixpoint."""
    plain = [r for r in b.routines if not (r.suspends or r.framed)]
    changed = True
    while changed:
        changed = False
        for r in plain:
            found = ends(r.body)
            if found != r.ends:
                r.ends = found
                changed = True


HEAVIEST = 40  # calls that one call may come to without the machine's counting them


def heavy(b: Builder) -> None:
    """What would do too much at once goes through frames, where it is counted."""
    weight: dict[int, int] = {}

    def calls(stms: list[Any]) -> list[Routine]:
        out: list[Routine] = []
        for stm in stms:
            if isinstance(stm, Call):
                out.append(stm.routine)
            elif isinstance(stm, bd.Branch):
                out += calls(stm.then) + calls(stm.other)
            elif isinstance(stm, (bd.Each, Loop)):
                out += calls(stm.body)
        return out

    waiting = [r for r in b.routines if not (r.suspends or r.framed)]
    while waiting:
        r = waiting[-1]
        inner = [other for other in calls(r.body) if not (other.suspends or other.framed)]
        missing = [other for other in inner if other.index not in weight]
        if r.index in weight or not missing:
            waiting.pop()
            weight[r.index] = 1 + sum(weight[other.index] for other in inner)
            r.framed = weight[r.index] > HEAVIEST
        else:
            waiting += missing


def called(stms: list[Any]) -> set[int]:
    out: set[int] = set()
    for stm in stms:
        if isinstance(stm, Call):
            out.add(stm.routine.index)
        elif isinstance(stm, bd.Branch):
            out |= called(stm.then) | called(stm.other)
        elif isinstance(stm, (bd.Each, Loop)):
            out |= called(stm.body)
    return out


def finishing(c: Compiled, driver: Routine, resolve: Routine, listeners: list[bd.Listener]) -> None:
    """Everything together → source, executed once; then the Program."""
    b = c.builder
    e = c.emitter
    model = c.model
    number_base = b.next_action
    b.ranges.append(scope_range(number_base, b.most_number))
    b.next_action += b.most_number + 1
    constants: dict[str, Any] = {"NB": number_base, "DRIVER": e.shapes[driver.entry][0]}
    for routine in b.routines:
        if routine.can:
            b.tables[f"R{routine.index}"] = eval(routine.can)
    for label, block in e.labels.items():
        constants[f"L_{ident_of(label)}"] = block
    b.tables["R_RESOLVE"] = b.tables[f"R{resolve.index}"]
    b.tables["LISTENERS"] = tuple(b.tables[f"R{m.routine.index}"] for m in listeners)
    effect_tables(c)
    kept = [e.labels[name] for name in ("set-up done",) if name in e.labels]
    constants |= {
        "LIMIT": model.limit,
        "GIVEN": give(e),
        "KEPT": tuple(kept),
        "STEPS": tuple(r.index for r in b.routines if r.kind == "step"),
        "ROUTINES": tuple(r.index for r in b.routines if r.kind in ("driver", "step", "phrase")),
    }
    blocks = inline_jumps(e.blocks, set(kept))
    c.source = seated(
        "\n\n".join([*b.functions, *e.functions, *blocks, *[e.questions[k] for k in sorted(e.questions) if k >= 0]]),
        model,
    )
    model.start = [*model.start[: model.cells], *b.extra_cells]
    size = e.shapes[driver.entry][0]
    image = Image(
        model,
        tables={**constants, **b.tables, "TOLD": told(c)},
        name=name_of(model, c.source),
        source=c.source,
        blocks=len(e.blocks),
        questions=[k for k in e.questions if k >= 0],
        sites=dict(e.sites),
        shapes=list(e.shapes),
        origins=list(e.origins),
        start=(*([0] * (size - 1)), driver.entry),
        ranges=ranges_of(b),
        num_actions=b.next_action,
        listeners=len(listeners),
        lists={model.tables["armed"]: LETTERS, **dict.fromkeys(lists_of_positions(c), "n")},
        phases=phases_of(c),
        can=can_names(c),
        span=None if model.returns is None else extremes(tree_of(c, model.returns), model),
    )
    c.image = image
    c.code = code_for(image)
    c.program = assembled(image, c.code)


MOVES = re.compile(r"\b(?:mv|draw|settle\w*|shuffle\w*|know)\(")  # what changes where things lie, or who knows it


def lists_of_positions(c: Compiled) -> range:
    """The lists, behind all places, of the positions that a game remembers; none if it remembers none."""
    first = c.model.zone_count
    return range(first, first + POSITION_LISTS if c.builder.remembers else first)


def told(c: Compiled) -> tuple[int, ...]:
    """For `remembering`, where positions are told apart: (the first list of those before, how many places to look at, where a
    run of cells begins and ends, where the rest of them begins, and the cell that says whether this one is repeated). A game
    that moves nothing need not look where things lie, nor whose they are where its set-up alone says so. Who won is no part
    of a position from which a game goes on."""
    m = c.model
    if not c.builder.remembers:
        return ()
    lists = m.zone_count
    rest = m.faction_cell + m.most  # who plays what never changes
    if MOVES.search(c.source):
        return (lists, m.tables["history"], FIXED_CELLS, m.result, rest, m.tables["repeated"])
    set_up = {name for routine in c.set_up for name in names_of(c, routine)}
    owns = re.compile(rf"^ *(?:v\[{m.own} ?\+.*\] [-+|&]?= |k = {m.own}\b)", re.MULTILINE)
    parts = [part for part in c.source.split("\n\n") if not set_up & set(DEFINED.findall(part))]
    first = m.own if any(owns.search(part) for part in parts) else m.result
    return (lists, 0, first, m.result, rest, m.tables["repeated"])


DEFINED = re.compile(r"^def (\w+)\(", re.MULTILINE)


def names_of(c: Compiled, routine: Routine) -> list[str]:
    """The functions that a routine became."""
    if not (routine.suspends or routine.framed):
        return [f"f{routine.index}"]
    after = min((r.entry for r in c.builder.routines if r.entry > routine.entry), default=len(c.emitter.blocks))
    return [f"b{number}" for number in range(routine.entry, after)]


def name_of(model: Model, source: str) -> str:
    """What tracebacks call emitted source."""
    return f"<cardscript {model.name or 'game'} {hashlib.sha256(source.encode()).hexdigest()[:8]}>"


def phases_of(c: Compiled) -> dict[int, str]:
    """The blocks of each step."""
    found: dict[int, str] = {}
    for step in all_steps(c.model):
        for i, record in enumerate(c.emitter.origins):
            if step.source is not None and record == step.source.record:
                found[i] = step.name
    return found


SEATS = re.compile(r"(?<![\w.])v\[0\]")


def seated(source: str, model: Model) -> str:
    """A game for just so many players need not look up how many there are."""
    return SEATS.sub(str(model.most), source) if model.least == model.most else source


def give(e: Emitter) -> int:
    """The number of a block that takes an answer from its frame and hands it to the block below."""
    number = e.first + len(e.blocks)
    lines = ["st = s.st", "c = st[-2]", "del st[-2:]", "return s.prog.blocks[st[-1]](s, c)"]
    e.blocks.append(f"def b{number}(s, c):\n" + "\n".join("    " + line for line in lines))
    e.shapes.append((2, "a"))
    e.origins.append("")
    return number


def scope_range(lo: int, most: int) -> Any:
    from interpreter.scope import ActionRange

    return ActionRange(lo, lo + most + 1, "number")


def ranges_of(b: Builder, first: int = 0) -> list[Range]:
    """The ranges of actions from the first on; they are in order."""
    out = []
    for r in b.ranges[bisect_left(b.ranges, first, key=lambda r: r.lo) :]:
        data: Any = (
            r.label
            if r.kind == "text"
            else OptionText(r.first, r.label, "{place." in r.label)
            if r.kind == "option"
            else None
        )
        out.append(Range(r.lo, r.hi, r.kind, data, r.plain))
    return out


def effect_tables(c: Compiled) -> None:
    """EFFECT_<field>: thing → rest of the frame of its effect, or None; `*` means the main text of any kind."""
    b = c.builder
    model = c.model
    for name in sorted({*c.emitter.effect_tables, *(name for _, name in b.effects), "*"}):
        table: list[Any] = [None] * model.things
        for (ident, field_name), routine in b.effects.items():
            record = model.records[ident]
            wanted = main_text(model.kinds[record.kind]) if name == "*" else name
            if field_name == wanted:
                for x in record.ids:
                    table[x] = b.tables[f"R{routine.index}"]
        b.tables["EFFECT_" + ident_of(name)] = tuple(table)


def can_names(c: Compiled) -> tuple[str, ...]:
    """By thing: the function that says whether its main text can be performed, or nothing."""
    names = [""] * c.model.things
    for (ident, name), routine in c.builder.effects.items():
        record = c.model.records[ident]
        if name == main_text(c.model.kinds[record.kind]):
            for x in record.ids:
                names[x] = f"can_{routine.index}"
    return tuple(names)


def code_for(image: Image) -> CodeType:
    """Emitted source → code, made better; what is tried once need not be."""
    if reading.get():
        return compile(image.source, image.name, "exec")
    constants = {k: v for k, v in image.tables.items() if isinstance(v, (int, tuple))}
    return code_of(image.source, constants, lambda: compile(improved(image.source, image.tables), image.name, "exec"))
