"""jumps: the sources of a program's blocks → the same, with a block that only one jump leads to standing where the jump was.

What is entered elsewhere (by the machine, a label, a question's answer) stays as a block too; the copy saves a call.
"""

from __future__ import annotations

import re

JUMP = re.compile(r"^( *)return b(\d+)\(s, 0\)$")
CALL = re.compile(r"return b(\d+)\(s, ")
HEADS = ("    v = s.v", "    z = s.z", "    st = s.st")
MOST_LINES = 60


def inline_jumps(blocks: list[str], keep: set[int]) -> list[str]:
    """Sources by number → sources by number. keep: blocks that are always entered by call, because somebody may put
    another in their place. Jumps lead forward only, so the last is taken first and nothing repeats."""
    jumps: dict[int, int] = {}
    for text in blocks:
        for call in CALL.finditer(text):
            jumps[int(call.group(1))] = jumps.get(int(call.group(1)), 0) + 1
    out = list(blocks)
    for number in range(len(out) - 1, -1, -1):
        head, *lines = out[number].split("\n")
        bound = {line for line in lines if line in HEADS}
        made: list[str] = []
        for line in lines:
            found = JUMP.match(line)
            goal = int(found.group(2)) if found is not None else -1
            body = (
                out[goal].split("\n")[1:] if number < goal < len(out) and goal not in keep and jumps[goal] == 1 else []
            )
            if found is None or not body or len(body) > MOST_LINES:
                made.append(line)
                continue
            pad = found.group(1)[4:]
            made += [pad + inner for inner in body if inner not in bound]
        out[number] = "\n".join([head, *made])
    return out
