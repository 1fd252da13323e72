"""plain: structured code in which nothing waits, and the function that is made of it, as text; who hands on an end."""

from __future__ import annotations

import textwrap
from typing import Any

import pytest

from interpreter import bound as bd
from interpreter.blocks import Emitter, emit_blocks
from interpreter.plain import ends, function_source, native

TOWER = bd.Routine("tower", "phrase", params=[bd.Var("x0", bd.NUMBER)], index=4, ends=True)
GUARD = bd.Routine("guard", "phrase", index=5)

CASES: dict[str, tuple[list[Any], str]] = {
    "the end of the game": ([bd.Run(["v[9] = 1"]), bd.Finish(), bd.Run(["v[9] = 2"])], "v[9] = 1\nfinish(s)\nreturn 1"),
    "the end of the turn": (
        [bd.Finish("turn")],
        "del s.st[DRIVER:]\ns.st[-1] = L_turn\nreturn 0",
    ),
    "an end in a branch in a loop": (
        [bd.Each("x1", "z[3]", [bd.Branch("v[x1]", [bd.Finish()])])],
        "for x1 in z[3]:\n    if v[x1]:\n        finish(s)\n        return 1",
    ),
    "a call of what may end the game": (
        [bd.Call(TOWER, ["x2"]), bd.Assign("x2", "1")],
        "end = f4(s, x2)\nif end is not None: return end\nx2 = 1",
    ),
    "a call of what does not": ([bd.Call(GUARD, []), bd.Assign("x2", "1")], "f5(s)\nx2 = 1"),
    "leaving a phrase": ([bd.Stop()], "return"),
}


@pytest.mark.parametrize("name", CASES)
def test_text(name: str) -> None:
    code, text = CASES[name]
    assert "\n".join(native(code, "")) == text
    assert ends(code) == ("finish" in text or "DRIVER" in text or "end" in text)


def test_a_function_is_called_with_its_parameters() -> None:
    routine = bd.Routine("coin", "phrase", [bd.Var("x0", bd.NUMBER)], body=[bd.Call(TOWER, ["x0"])], index=6)
    text = "def f6(s, x0):\n    v = s.v; z = s.z\n    end = f4(s, x0)\n    if end is not None: return end"
    assert function_source(routine) == text


def test_a_block_hands_on_an_end() -> None:
    """No frame is pushed for what does not wait, and what follows goes on in the same block."""
    e = Emitter(set(), False)
    emit_blocks(bd.Routine("step", "step", body=[bd.Call(TOWER, ["v[1]"]), bd.Run(["v[9] = 1"])], framed=True), e)
    text = """
        def b0(s, c):
            v = s.v
            st = s.st
            end = f4(s, v[1])
            if end is not None: return end
            v[9] = 1
            del st[-1:]
            return 0"""
    assert e.blocks == [textwrap.dedent(text).strip()]
