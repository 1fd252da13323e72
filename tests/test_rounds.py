"""rounds and jumps: blocks before and after, as text."""

from __future__ import annotations

import ast
import textwrap

import pytest

from interpreter.jumps import inline_jumps
from interpreter.optimise.rounds import MANY, rounds

# the lines of block 5, before and after
CASES: dict[str, tuple[str, str]] = {
    "a loop over things": (
        """
        st = s.st
        x1 = st[-2]
        if x1 >= 3:
            del st[-2:]
            return 0
        x1 = st[-2] = x1 + 1
        if not s.pend:
            st[-1] = 5
            return 0
        st[-1] = 6
        return 0""",
        """
        st = s.st
        x1 = st[-2]
        while True:
            if x1 >= 3:
                del st[-2:]
                return 0
            x1 = st[-2] = x1 + 1
            if not s.pend:
                continue
            st[-1] = 6
            return 0""",
    ),
    "a loop that counts": (
        """
        v = s.v
        st = s.st
        v[7] += 1
        if v[9]:
            return 1
        st[-1] = 5
        return 0""",
        f"""
        v = s.v
        st = s.st
        while True:
            v[7] += 1
            if v[9]:
                return 1
            if v[7] < {MANY}:
                continue
            st[-1] = 5
            return 0""",
    ),
    "another block": ("st[-1] = 6\nreturn 0", "st[-1] = 6\nreturn 0"),
    "within a loop": (
        "for x1 in z[2]:\n    st[-1] = 5\n    return 0\nreturn 1",
        "for x1 in z[2]:\n    st[-1] = 5\n    return 0\nreturn 1",
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_a_block_goes_round(name: str) -> None:
    before, after = (textwrap.dedent(text).strip() for text in CASES[name])
    tree = ast.parse("def b5(s, c):\n" + textwrap.indent(before, "    "))
    rounds(tree)
    function = tree.body[0]
    assert isinstance(function, ast.FunctionDef)
    assert "\n".join(ast.unparse(stm) for stm in function.body) == after


def block(number: int, *lines: str) -> str:
    return "\n".join([f"def b{number}(s, c):", *("    " + line for line in lines)])


LONG = [f"v[{i}] = 1" for i in range(20)]


def test_a_short_block_stands_wherever_a_jump_leads_to_it() -> None:
    short = block(1, "st = s.st", "del st[-2:]", "return 0")
    made = inline_jumps(
        [block(0, "st = s.st", "if v[9]:", "    return b1(s, 0)", "return b1(s, 0)"), short],
        set(),
    )
    assert made[0] == block(0, "st = s.st", "if v[9]:", "    del st[-2:]", "    return 0", "del st[-2:]", "return 0")
    assert made[1] == short


def test_a_long_block_stands_where_the_only_jump_leads_to_it() -> None:
    jump, long = block(0, "return b1(s, 0)"), block(1, *LONG, "return 0")
    assert inline_jumps([jump, long], set()) == [block(0, *LONG, "return 0"), long]
    assert inline_jumps([jump, long], {1}) == [jump, long]
    assert inline_jumps([jump, long, block(2, "return b1(s, 0)")], set())[0] == jump


def test_a_long_block_that_begins_itself_again_stays_by_itself() -> None:
    both = [block(0, "return b1(s, 0)"), block(1, *LONG, "st[-1] = 1", "return 0")]
    assert inline_jumps(both, set()) == both


def test_what_stands_in_another_block_is_done_first_whatever_its_number() -> None:
    first, second = block(0, "return b2(s, 0)"), block(1, *LONG, "return 0")
    made = inline_jumps([first, second, block(2, "return b1(s, 0)")], set())
    assert made[0] == block(0, *LONG, "return 0")
