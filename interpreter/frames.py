"""frames: the lines of a routine's blocks → Python source, in which what more than one block touches lies in the frame.

A variable that one block alone touches stays a local of Python's. Every assignment to one in the frame also stores it.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from interpreter import bound as bd

if TYPE_CHECKING:
    from interpreter.blocks import Cutter

VAR = re.compile(r"\bx\d+\b")


def letter(type_: bd.Type) -> str:
    if type_.sort == "thing":
        return "s" if type_.many else "t"
    return "m" if type_.many else "n"


def frame_slots(routine: bd.Routine, trial: Cutter) -> list[str]:
    """Parameters, and every variable that more than one block or a question touches, in order."""
    touched: dict[str, set[int]] = {}
    for i, lines in enumerate(trial.bodies):
        for name in VAR.findall("\n".join(lines)):
            touched.setdefault(name, set()).add(i)
        if trial.kinds[i][0]:
            touched.setdefault(trial.kinds[i][0], set()).add(i)
    for number, lines in trial.questions.items():
        for name in VAR.findall("\n".join(lines)):
            touched.setdefault(name, set()).add(-abs(number) - 1)
    params = {p.name for p in routine.params}
    slots = {site.slot for site in trial.sites.values()}
    slots |= {-1 - bound for site in trial.sites.values() for bound in (site.least, site.most) if bound < 0}
    names = [v.name for v in routine.vars]
    back = [b for i, b in enumerate(trial.bodies) if any(line.strip() == f"st[-1] = {trial.base + i}" for line in b)]
    return [
        n
        for i, n in enumerate(names)
        if n in params or len(touched.get(n, ())) > 1 or (i in slots and i >= 0 and n in touched) or looped(n, back)
    ]


def looped(name: str, back: list[list[str]]) -> bool:
    """A variable of a block that jumps back to itself keeps its value only in the frame, unless it is given another one
    first. back: the lines of such blocks."""
    if not back:
        return False
    word = re.compile(rf"\b{name}\b")
    for lines in back:
        first = next((line for line in lines if word.search(line)), "")
        if first and (not first.startswith(f"{name} = ") or len(word.findall(first)) > 1):
            return True
    return False


def block_source(number: int, lines: list[str], cutter: Cutter, index: int) -> str:
    """def b<number>(s, c): loads of what it reads, then its lines; an assignment to a framed variable also stores it."""
    var, decode = cutter.kinds[index]
    stored = [store(line, cutter) for line in lines]
    text = "\n".join(stored)
    used = sorted(set(VAR.findall(text)) & set(cutter.at), key=lambda n: cutter.at[n])
    head = []
    if re.search(r"\bv\[", text) or " v[" in text or "(v[" in text:
        head.append("v = s.v")
    if re.search(r"\bz\[", text):
        head.append("z = s.z")
    head.append("st = s.st")
    for name in used:
        if name != var:
            head.append(f"{name} = st[{cutter.at[name] - cutter.size}]")
    if var:
        head.append(store(f"{var} = {decode}", cutter))
    body = [*head, *stored] or ["pass"]
    return f"def b{number}(s, c):\n" + "\n".join("    " + line for line in body)


ASSIGN = re.compile(r"^(\s*)(x\d+) = (?!st\[)(.*)$")
AUGMENT = re.compile(r"^(\s*)(x\d+) ([+-])= (.*)$")


def store(line: str, cutter: Cutter) -> str:
    found = ASSIGN.match(line)
    if found and found.group(2) in cutter.at:
        value = found.group(3)
        second = re.match(r"^(.*); (x\d+) \+= 1$", value)
        name = found.group(2)
        if second:
            other = second.group(2)
            tail = (
                f"{other} += 1"
                if other not in cutter.at
                else f"{other} = st[{cutter.at[other] - cutter.size}] = {other} + 1"
            )
            return f"{found.group(1)}{name} = st[{cutter.at[name] - cutter.size}] = {second.group(1)}; {tail}"
        return f"{found.group(1)}{name} = st[{cutter.at[name] - cutter.size}] = {value}"
    if found:
        second = re.match(r"^(.*); (x\d+) \+= 1$", found.group(3))
        if second and second.group(2) in cutter.at:
            other = second.group(2)
            return f"{found.group(1)}{found.group(2)} = {second.group(1)}; {other} = st[{cutter.at[other] - cutter.size}] = {other} + 1"
    found = AUGMENT.match(line)
    if found and found.group(2) in cutter.at:
        name = found.group(2)
        return (
            f"{found.group(1)}{name} = st[{cutter.at[name] - cutter.size}] = {name} {found.group(3)} ({found.group(4)})"
        )
    found = re.match(r"^(\s*)(if .*: |else: )(x\d+) (\+?=) (.*)$", line)
    if found and found.group(3) in cutter.at:
        name = found.group(3)
        value = found.group(5) if found.group(4) == "=" else f"{name} + ({found.group(5)})"
        return f"{found.group(1)}{found.group(2)}{name} = st[{cutter.at[name] - cutter.size}] = {value}"
    return line


def question_source(number: int, cutter: Cutter) -> str:
    """def q<number>(s): who decides and the options, read from the frame alone. Of chance also q(s, True): each thing
    that may be drawn, those that look alike too."""
    lines = cutter.questions[number]
    secret, chance = lines[0] == "SECRET", lines[0] == "CHANCE"
    if secret or chance:
        lines = lines[1:]
    seat = cutter.questions.get(-number, [""])[0]
    used = sorted(set(VAR.findall("\n".join(lines))) & set(cutter.at), key=lambda n: cutter.at[n])
    head = [
        "v = s.v; z = s.z; st = s.st",
        *[f"{name} = st[{cutter.at[name] - cutter.size}]" for name in used if name != seat],
    ]
    params = "s, " + seat if secret else "s, whole=False" if chance else "s"
    return f"def q{number}({params}):\n" + "\n".join("    " + line for line in [*head, *lines])
