"""hearing: in, the bearers and the condition of a rule; asserted, as text, in what order they are looked at."""

from __future__ import annotations

import pytest

from interpreter.bound import Listener, Routine
from interpreter.compile.hearing import before_you, source_loop
from interpreter.model import Model
from interpreter.scope import Builder

OF_ONE = """
if a1 == 12:
    if (v[50] == 3):
        x0 = own(s, 7)
        if x0 >= 0:
            if (a0 == x0):
                n = 7
"""
OF_SEVERAL = """
if a1 == 12:
    for x1 in range(7, 9):
        if (v[43 + x1] == 3):
            x0 = own(s, x1)
            if x0 >= 0:
                if (a0 == x0):
                    n = x1
"""
ITSELF = """
x1 = a1
if 7 <= x1 <= 8:
    if (v[43 + x1] == 3):
        x0 = own(s, x1)
        if x0 >= 0:
            if (a0 == x0):
                n = x1
"""
CASES = {
    "one bearer": ((7,), "v[43 + x1] == 3 and (a0 == x0) and a1 == 12", OF_ONE.replace("v[50]", "v[43 + 7]")),
    "several bearers": ((7, 8), "v[43 + x1] == 3 and (a0 == x0) and a1 == 12", OF_SEVERAL),
    "the bearer itself": ((7, 8), "v[43 + x1] == 3 and a0 == x0 and a1 == x1", ITSELF),
}


@pytest.mark.parametrize("name", CASES)
def test_the_player_is_looked_for_last(name: str) -> None:
    things, match, after = CASES[name]
    heard = Listener("do:ring", "", Routine("ring", "listener"), match, things, "", "own(s, x1)")
    assert "\n".join(source_loop(heard, ["n = x1"], match, Builder(Model()))) == after.strip()


def test_what_needs_the_player_keeps_its_order() -> None:
    match = "v[a0] > 1 and x0 >= 0 and v[9 + x0] == 2 and F1[a1] == 1 and a0 == 4 and 3 <= a1 < 9"
    quick, first, rest = before_you(match)
    assert quick == ["a0 == 4", "3 <= a1 < 9"]
    assert first == ["v[a0] > 1"]
    assert rest == "(x0 >= 0) and (v[9 + x0] == 2) and (F1[a1] == 1)"


def test_a_rule_has_cells_for_its_bearers_only() -> None:
    builder = Builder(Model())
    end = builder.model.cells
    at = builder.cells_by((7, 8, 10))
    assert [at + x - end for x in (7, 8, 10)] == [0, 1, 3]
    assert builder.cells_by((), "turn") == end + 4
    assert builder.extra_cells == [0] * 5
    assert builder.cell_resets == [(end + 4, 1, "turn")]
