"""plain: structured code in which nothing waits → Python; a routine of only such code → a function.

Such code may end the game, the turn or the phase: it then returns what a block returns (0: on to the machine, 1: stop),
and a function that does returns None where it went on. Who calls it hands on what is not None.
"""

from __future__ import annotations

from typing import Any

from interpreter import bound as bd


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


def ends(stms: list[Any]) -> bool:
    """Whether code that waits for nothing may end the game or something in it (calls as far as is known by now)."""
    for stm in stms:
        if isinstance(stm, bd.Finish) or (isinstance(stm, bd.Call) and stm.routine.ends):
            return True
        if isinstance(stm, bd.Branch) and (ends(stm.then) or ends(stm.other)):
            return True
        if isinstance(stm, (bd.Each, bd.Loop)) and ends(stm.body):
            return True
    return False


def label_name(label: str) -> str:
    return "".join(c if c.isalnum() else "_" for c in label)


def function_source(routine: bd.Routine) -> str:
    """def f<index>(s, parameters …)."""
    params = ", ".join(["s", *[p.name for p in routine.params]])
    lines = ["v = s.v; z = s.z", *native(routine.body, "")]
    return f"def f{routine.index}({params}):\n" + "\n".join("    " + line for line in lines)


def native(stms: list[Any], pad: str) -> list[str]:
    """Structured code without waiting → lines of Python."""
    lines: list[str] = []
    for stm in stms:
        if isinstance(stm, bd.Run):
            lines += [pad + line for line in stm.lines]
        elif isinstance(stm, bd.Assign):
            lines.append(f"{pad}{stm.var} = {stm.py}")
        elif isinstance(stm, bd.Branch):
            if stm.then:
                lines += [f"{pad}if {stm.cond}:", *native(stm.then, pad + "    ")]
                if stm.other:
                    lines += [f"{pad}else:", *native(stm.other, pad + "    ")]
            elif stm.other:
                lines += [f"{pad}if not ({stm.cond}):", *native(stm.other, pad + "    ")]
        elif isinstance(stm, bd.Each):
            lines.append(f"{pad}for {stm.var} in {stm.over}:")
            if stm.skip:
                lines.append(f"{pad}    if {stm.skip}: continue")
            lines += native(stm.body, pad + "    ")
        elif isinstance(stm, bd.Loop):
            lines += [f"{pad}while {stm.cond}:", f"{pad}    bound(s)", *native(stm.body, pad + "    ")]
        elif isinstance(stm, bd.Call):
            call = f"f{stm.routine.index}({', '.join(['s', *stm.args])})"
            if stm.routine.ends:
                lines += [f"{pad}end = {call}", f"{pad}if end is not None: return end"]
            else:
                lines.append(pad + call)
        elif isinstance(stm, bd.Chance):  # only where chance is not asked
            lines += [f"{pad}o = {stm.over}", f"{pad}{stm.var} = o[rnd(s, len(o))] if o else -1"]
        elif isinstance(stm, bd.Stop):
            return [*lines, f"{pad}return"]
        elif isinstance(stm, bd.Finish):
            return [*lines, *finish(stm, pad)]
        else:
            raise AssertionError(f"{type(stm).__name__} waits")
    return lines or [f"{pad}pass"]


def finish(stm: bd.Finish, pad: str) -> list[str]:
    """Leave the game, or go on at a label of the driver, whose frame is the lowest."""
    if not stm.label:
        return [f"{pad}finish(s)", f"{pad}return 1"]
    return [f"{pad}del s.st[DRIVER:]", f"{pad}s.st[-1] = L_{label_name(stm.label)}", f"{pad}return 0"]
