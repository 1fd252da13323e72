"""plain: structured code in which nothing waits, and the function that is made of it, as text; who ends what in it."""

from __future__ import annotations

import textwrap
from typing import Any

import pytest

from interpreter import bound as bd
from interpreter.blocks import Emitter, emit_blocks
from interpreter.plain import ends, function_source, native, surely


def phrase(index: int, *labels: str) -> bd.Routine:
    return bd.Routine("tower", "phrase", index=index, ends=frozenset(labels))


CUT = "del st[DRIVER:]\nst[-1] = L_turn\nreturn 0"
CASES: dict[str, tuple[list[Any], str, set[str]]] = {
    "the end of the game": ([bd.Finish(), bd.Run(["v[9] = 2"])], "finish(s)\nreturn 1", {""}),
    "the end of the turn": ([bd.Finish("turn")], CUT, {"turn"}),
    "an end in a branch in a loop": (
        [bd.Each("x1", "z[3]", [bd.Branch("v[x1]", [bd.Finish()])])],
        "for x1 in z[3]:\n    if v[x1]:\n        finish(s)\n        return 1",
        {""},
    ),
    "a call of what may end the game": ([bd.Call(phrase(4, ""), ["x2"])], "if f4(s, x2): return 1", {""}),
    "a call of what may end the turn": (
        [bd.Call(phrase(4, "turn"), [])],
        "if f4(s) is not None:\n" + textwrap.indent(CUT, "    "),
        {"turn"},
    ),
    "a call of what may end both": (
        [bd.Call(phrase(4, "turn", ""), [])],
        "end = f4(s)\nif end is not None:\n    if end: return 1\n" + textwrap.indent(CUT, "    "),
        {"turn", ""},
    ),
    "a call of what may end this and that": (
        [bd.Call(phrase(4, "turn", "round"), [])],
        "end = f4(s)\nif end is not None: return end",
        {"turn", "round"},
    ),
    "a call of what ends nothing": ([bd.Call(phrase(5), []), bd.Assign("x2", "1")], "f5(s)\nx2 = 1", set()),
    "leaving a phrase": ([bd.Stop()], "return", set()),
}


@pytest.mark.parametrize("name", CASES)
def test_text(name: str) -> None:
    code, text, labels = CASES[name]
    assert "\n".join(native(code, "", "st")) == text
    assert ends(code) == labels


def over(*body: Any) -> bd.Routine:
    routine = bd.Routine("fort", "phrase", body=[*body], index=8)
    routine.ends = ends(routine.body)
    return routine


@pytest.mark.parametrize(
    ("code", "sure"),
    [
        ([bd.Run(["v[9] = 2"]), bd.Finish()], True),
        ([bd.Finish("turn")], False),
        ([bd.Branch("v[9]", [bd.Finish()], [bd.Run(["v[9] = 2"]), bd.Finish()])], True),
        ([bd.Branch("v[9]", [bd.Finish()])], False),
        ([bd.Branch("v[9]", [bd.Stop()]), bd.Finish()], False),
        ([bd.Branch("v[9]", [bd.Finish("turn")]), bd.Finish()], False),
        ([bd.Each("x1", "z[3]", [bd.Finish()])], False),
        ([bd.Call(over(bd.Finish()), [])], True),
        ([bd.Call(over(bd.Branch("v[9]", [bd.Finish()])), [])], False),
        ([], False),
    ],
)
def test_what_surely_ends_the_game(code: list[Any], sure: bool) -> None:
    assert surely(code) == sure


def test_nothing_follows_what_surely_ends_the_game() -> None:
    code = [bd.Branch("v[9]", [bd.Call(over(bd.Finish()), ["x1"]), bd.Assign("x2", "1")]), bd.Assign("x3", "1")]
    assert native(code, "", "st") == ["if v[9]:", "    f8(s, x1)", "    return 1", "x3 = 1"]


def test_a_function_leaves_the_frames_to_who_called_it_unless_it_may_end_several_things() -> None:
    one = bd.Routine("coin", "phrase", [bd.Var("x0", bd.NUMBER)], body=[bd.Finish("turn")], index=6)
    one.ends = ends(one.body)
    assert function_source(one) == "def f6(s, x0):\n    v = s.v; z = s.z\n    return 0"
    both = bd.Routine("coin", "phrase", body=[bd.Branch("v[9]", [bd.Call(one, ["3"])], [bd.Finish("round")])], index=7)
    both.ends = ends(both.body)
    text = """
        def f7(s):
            v = s.v; z = s.z
            if v[9]:
                if f6(s, 3) is not None:
                    del s.st[DRIVER:]
                    s.st[-1] = L_turn
                    return 0
            else:
                del s.st[DRIVER:]
                s.st[-1] = L_round
                return 0"""
    assert function_source(both) == textwrap.dedent(text).strip()


def test_a_block_goes_on_after_what_does_not_wait() -> None:
    """No frame is pushed for it, and what follows stands in the same block."""
    e = Emitter(set(), False)
    step = bd.Routine("step", "step", body=[bd.Call(phrase(4, ""), ["v[1]"]), bd.Run(["v[9] = 1"])], framed=True)
    emit_blocks(step, e)
    text = """
        def b0(s, c):
            v = s.v
            st = s.st
            if f4(s, v[1]): return 1
            v[9] = 1
            del st[-1:]
            return 0"""
    assert e.blocks == [textwrap.dedent(text).strip()]
