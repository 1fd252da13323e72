"""plain: structured code in which nothing waits → Python; a routine of only such code → a function.

Such code may end the game, the turn or a phase. A function that does returns 1 when the game is over, 0 when something
in it is, and None where it went on. The frames are cut back by the block that called it, or, where there are several
things that it may end, by the function.
"""

from __future__ import annotations

from typing import Any

from interpreter import bound as bd
from interpreter.bound import ident_of


def waits(stms: list[Any]) -> bool:
    """Whether code may stop for a decision (calls as far as is known by now)."""
    return any(stm_waits(stm) for stm in stms)


def stm_waits(stm: Any) -> bool:
    if isinstance(stm, (bd.Ask, bd.Secret, bd.Chance, bd.Settle, bd.CallEffect, bd.Mark, bd.Dyn)):
        return True
    if isinstance(stm, bd.Call):
        return stm.routine.suspends or stm.routine.framed
    if isinstance(stm, bd.Branch):
        return waits(stm.then) or waits(stm.other)
    if isinstance(stm, (bd.Each, bd.Loop)):
        return waits(stm.body)
    return False


def has_stop(stms: list[Any]) -> bool:
    for stm in stms:
        if isinstance(stm, bd.Stop):
            return True
        if isinstance(stm, bd.Branch) and (has_stop(stm.then) or has_stop(stm.other)):
            return True
        if isinstance(stm, (bd.Each, bd.Loop)) and has_stop(stm.body):
            return True
    return False


def ends(stms: list[Any]) -> frozenset[str]:
    """The labels of what code may end that waits for nothing ("": the game; calls as far as is known by now)."""
    found: set[str] = set()
    for stm in stms:
        if isinstance(stm, bd.Finish):
            found.add(stm.label)
        elif isinstance(stm, bd.Call):
            found |= stm.routine.ends
        elif isinstance(stm, bd.Branch):
            found |= ends(stm.then) | ends(stm.other)
        elif isinstance(stm, (bd.Each, bd.Loop)):
            found |= ends(stm.body)
    return frozenset(found)


def surely(stms: list[Any]) -> bool:
    """Whether code that waits for nothing ends the game however it goes."""
    for stm in stms:
        if isinstance(stm, bd.Finish):
            return not stm.label
        if isinstance(stm, bd.Call) and stm.routine.ends == {""} and surely(stm.routine.body):
            return True
        if isinstance(stm, bd.Branch) and surely(stm.then) and surely(stm.other):
            return True
        if has_stop([stm]) or ends([stm]) - {""}:
            return False
    return False


def function_source(routine: bd.Routine) -> str:
    """def f<index>(s, parameters …)."""
    params = ", ".join(["s", *[p.name for p in routine.params]])
    lines = ["v = s.v; z = s.z", *native(routine.body, "", "s.st" if len(routine.ends - {""}) > 1 else "")]
    return f"def f{routine.index}({params}):\n" + "\n".join("    " + line for line in lines)


def native(stms: list[Any], pad: str, st: str) -> list[str]:
    """Structured code without waiting → lines of Python. st: the frames, if they are cut back here."""
    lines: list[str] = []
    inner = pad + "    "
    for stm in stms:
        if isinstance(stm, bd.Run):
            lines += [pad + line for line in stm.lines]
        elif isinstance(stm, bd.Assign):
            lines.append(f"{pad}{stm.var} = {stm.py}")
        elif isinstance(stm, bd.Branch):
            if stm.then:
                lines += [f"{pad}if {stm.cond}:", *native(stm.then, inner, st)]
                if stm.other:
                    lines += [f"{pad}else:", *native(stm.other, inner, st)]
            elif stm.other:
                lines += [f"{pad}if not ({stm.cond}):", *native(stm.other, inner, st)]
        elif isinstance(stm, bd.Each):
            lines.append(f"{pad}for {stm.var} in {stm.over}:")
            if stm.skip:
                lines.append(f"{inner}if {stm.skip}: continue")
            lines += native(stm.body, inner, st)
        elif isinstance(stm, bd.Loop):
            lines += [f"{pad}while {stm.cond}:", f"{inner}bound(s)", *native(stm.body, inner, st)]
        elif isinstance(stm, bd.Call):
            lines += call(stm, pad, st)
            if surely([stm]):
                return lines
        elif isinstance(stm, bd.Chance):  # only where chance is not asked
            lines += [f"{pad}o = {stm.over}", f"{pad}{stm.var} = o[rnd(s, len(o))] if o else -1"]
        elif isinstance(stm, bd.Stop):
            return [*lines, f"{pad}return"]
        elif isinstance(stm, bd.Finish):
            return [*lines, *finish(stm.label, pad, st)]
        else:
            raise AssertionError(f"{type(stm).__name__} waits")
    return lines or [f"{pad}pass"]


def call(stm: bd.Call, pad: str, st: str) -> list[str]:
    """Call a function; what it ended is ended here too."""
    text = f"f{stm.routine.index}({', '.join(['s', *stm.args])})"
    labels = stm.routine.ends - {""}
    if not stm.routine.ends:
        return [pad + text]
    if not labels:
        return [pad + text, f"{pad}return 1"] if surely(stm.routine.body) else [f"{pad}if {text}: return 1"]
    if len(labels) > 1 or not st:
        return [f"{pad}end = {text}", f"{pad}if end is not None: return end"]
    cut = finish(min(labels), pad + "    ", st)
    if "" not in stm.routine.ends:
        return [f"{pad}if {text} is not None:", *cut]
    return [f"{pad}end = {text}", f"{pad}if end is not None:", f"{pad}    if end: return 1", *cut]


def finish(label: str, pad: str, st: str) -> list[str]:
    """Leave the game, or go on at a label of the driver, whose frame is the lowest. st: the frames, or "" where somebody
    else cuts them back."""
    if not label:
        return [f"{pad}finish(s)", f"{pad}return 1"]
    cut = [f"{pad}del {st}[DRIVER:]", f"{pad}{st}[-1] = L_{ident_of(label)}"] if st else []
    return [*cut, f"{pad}return 0"]
