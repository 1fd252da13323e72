"""jumps: the sources of a program's blocks → the same, with a block that only one jump leads to, or that is short, standing
where the jump was.

What is entered elsewhere (by the machine, a label, a question's answer) stays as a block too; the copy saves a call.
"""

from __future__ import annotations

import re
from itertools import pairwise

JUMP = re.compile(r"^( *)return b(\d+)\(s, 0\)$")
CALL = re.compile(r"return b(\d+)\(s, ")
AGAIN = re.compile(r"st\[-1\] = \d+")
HEADS = ("    v = s.v", "    z = s.z", "    st = s.st")
MOST_LINES = 60
SHORT = 6  # lines of a block that stands wherever a jump leads to it


def again(before: str, line: str) -> int:
    """The block that the machine begins after these two lines; -1."""
    before = before.strip()
    return int(before[9:]) if line.strip() == "return 0" and AGAIN.fullmatch(before) else -1


def inline_jumps(blocks: list[str], keep: set[int]) -> list[str]:
    """Sources by number → sources by number. keep: blocks that are always entered by call, because somebody may put
    another in their place. Jumps never lead round, so what one leads to is done first and nothing repeats. A block that
    begins itself again stays by itself (rounds)."""
    jumps: dict[int, int] = {}
    for text in blocks:
        for call in CALL.finditer(text):
            jumps[int(call.group(1))] = jumps.get(int(call.group(1)), 0) + 1
    out: dict[int, list[str]] = {}

    def stands(goal: int) -> list[str]:
        """The lines of a block, if they stand where a jump leads to it."""
        if goal in keep:
            return []
        body = out[goal][1:]
        if sum(line not in HEADS for line in body) <= SHORT:
            return body
        rounds = any(again(before, line) == goal for before, line in pairwise(body))
        return body if jumps[goal] == 1 and len(body) <= MOST_LINES and not rounds else []

    def write(number: int) -> None:
        head, *lines = blocks[number].split("\n")
        bound = {line for line in lines if line in HEADS}
        made: list[str] = []
        for line in lines:
            found = JUMP.match(line)
            body = stands(int(found.group(2))) if found is not None else []
            if found is None or not body:
                made.append(line)
                continue
            pad = found.group(1)[4:]
            made += [pad + inner for inner in body if inner not in bound]
        out[number] = [head, *made]

    work = list(range(len(blocks)))
    while work:
        number = work[-1]
        goals = [int(found.group(2)) for line in blocks[number].split("\n") if (found := JUMP.match(line))]
        missing = [goal for goal in goals if goal not in out]
        work += missing
        if not missing:
            work.pop()
            if number not in out:
                write(number)
    return ["\n".join(out[number]) for number in range(len(blocks))]
