"""skipped: a block that may pass over its question, before and after, as text."""

from __future__ import annotations

import ast
import textwrap

import pytest

from interpreter.optimise.skipped import SHORT, skipped

PASSING = """
    st = s.st
    x0 = st[-3]
    if not z[x0]:
        return b6(s, -1)
    st[-1] = 6
    return 1
"""
# the lines of the block that takes the answer; what then stands where the question is passed over; None: the call
CASES: dict[str, tuple[str, str | None]] = {
    "an answer that is asked about": (
        """
        st = s.st
        x0 = st[-3]
        x1 = st[-2] = c
        if x1 < 0 or x1 == 40:
            v[9] = x0
        if 7 <= x1 < 50 and v[3]:
            v[10] = x1
        else:
            v[11] = x1
        st[-1] = 4
        return 0""",
        "x1 = st[-2] = -1\nv[9] = x0\nv[11] = -1\nst[-1] = 4\nreturn 0",
    ),
    "a test that is not known": (
        "x1 = c\nif v[x1]:\n    x1 = v[3]\nv[4] = x1\nreturn 0",
        "if v[-1]:\n    x1 = v[3]\nv[4] = x1\nreturn 0",
    ),
    "a long one": ("\n".join(f"v[{i}] = c" for i in range(SHORT)) + "\nreturn 0", None),
    "a loop": ("for x1 in z[3]:\n    v[x1] = c\nreturn 0", None),
}


@pytest.mark.parametrize("name", CASES)
def test_text(name: str) -> None:
    answered, then = CASES[name]
    blocks = {"b5": PASSING, "b6": answered, "b8": PASSING}
    tree = ast.parse(
        "\n".join(
            f"def {number}(s, c):\n{textwrap.indent(textwrap.dedent(body).strip(), '    ')}"
            for number, body in blocks.items()
        )
    )
    skipped(tree, {"R1": (5,), "R2": (8,), "ROUTINES": (1,)})
    made = {f.name: ast.unparse(f).split("\n", 1)[1] for f in tree.body if isinstance(f, ast.FunctionDef)}
    call = "return b6(s, -1)"
    inside = textwrap.dedent(PASSING).strip()
    expected = inside if then is None else inside.replace("    " + call, textwrap.indent(then, "    "))
    assert textwrap.dedent(made["b5"]) == expected
    assert textwrap.dedent(made["b8"]) == inside, "texts that are not named stay"
