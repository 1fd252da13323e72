"""emission: what acts emit, before and after the passes that make it straight: draws, numbers of seats, what is not read."""

from __future__ import annotations

import ast
import random
import textwrap
from typing import Any

import pytest

from interpreter import bound as bd
from interpreter.compile.program import seated
from interpreter.model import Model
from interpreter.mutations import draw, mv, rnd, settle, shuffle, tops
from interpreter.optimise.carry import straighten
from interpreter.optimise.fold import fold, folder_of
from interpreter.optimise.peephole import peephole
from interpreter.unread import without_unread
from tests import handmade as by_hand
from tests.handmade import GAMES, snapshot

ORDER = ((), ((0,),), ((0, 1), (1, 0)), ((0, 1, 2), (1, 2, 0), (2, 0, 1)))
DRAW = "o = tops(s, 0)\nx7 = st[-2] = o[rnd(s, len(o))] if o else -1\nif x7 >= 0:\n"
MOVE = "    f = v[8 + x7]\n    g = {0}\n    if f != g:\n        mv(s, x7, g)\n{1}    else:\n        settle(s, 0, x7)"
LOG = "        if s.lg is not None:\n            s.lg.append(('move', x7, f, g))\n"

CASES = {
    "the highest of two seats": (
        "n = max([v[38+i] for i in ORDER1[2][v[1]]], default=0)",
        "n = v[38] if v[38] > v[39] else v[39]",
    ),
    "the lowest of three": ("n = min([v[38+i] for i in ORDER1[3][v[1]]], default=0)", "n = min(v[38:41])"),
    "the highest of all who play": (
        "n = max([v[38+i] for i in ORDER1[v[0]][v[1]]], default=0)",
        "n = max(v[38:38 + v[0]], default=0)",
    ),
    "the highest of some": (
        "n = max([v[38+i] for i in ORDER1[2][v[1]] if i != x0], default=0)",
        "n = max([v[38 + i] for i in range(2) if i != x0], default=0)",
    ),
    "the first of the best begins with whose turn it is": (
        "n = one(best([(v[38+i], i) for i in ORDER1[2][v[1]]]))",
        "n = one(best([(v[38 + i], i) for i in ((0, 1), (1, 0))[v[1]]]))",
    ),
    "the first of a few": (
        "n = one([i for i in range(14, 16) if v[26+i] == x0])",
        "n = 14 if v[40] == x0 else 15 if v[41] == x0 else -1",
    ),
    "the first of many": (
        "n = one([i for i in range(14, 90) if v[26+i] == x0])",
        "n = one([i for i in range(14, 90) if v[26 + i] == x0])",
    ),
    "a sum of two seats": ("n = sum([v[38+i] for i in ORDER1[2][v[1]]])", "n = v[38] + v[39]"),
    "a tuple need not be copied": (
        "for x in tuple(ORDER1[2][v[1]]):\n    n = x",
        "for x in ((0, 1), (1, 0))[v[1]]:\n    n = x",
    ),
    "a chain of comparisons": ("if 0 <= 1 < 2:\n    n = 1", "n = 1"),
    "two bounds of one number": ("n = min(13, max(0, v[4]))", "n = v[4]\nif 0 > n:\n    n = 0\nif 13 < n:\n    n = 13"),
    "a card is drawn": (DRAW + MOVE.format("3", ""), "x7 = st[-2] = draw(s, 0, 3)\nif x7 >= 0:\n    pass"),
    "a card is drawn and told of": (
        DRAW + MOVE.format("1 + x4", LOG),
        "x7 = st[-2] = draw(s, 0, 1 + x4)\nif x7 >= 0:\n    if s.lg is not None:\n        if 0 != 1 + x4:\n"
        "            s.lg.append(('move', x7, 0, 1 + x4))",
    ),
    "a card goes where it says itself": (DRAW + MOVE.format("x7", ""), None),
    "a card is heard of before it moves": (
        DRAW + MOVE.format("3", "").replace("mv(", "on_leave(s)\n        mv("),
        None,
    ),
}


def better(body: str) -> str:
    source = "def b1(s, c):\n" + textwrap.indent(body, "    ")
    tables: dict[str, Any] = {"ORDER1": ORDER}
    folder = folder_of(tables)
    tree = peephole(fold(source, folder), folder)
    function = tree.body[-1]
    assert isinstance(function, ast.FunctionDef)
    return "\n".join(ast.unparse(stm) for stm in function.body)


@pytest.mark.parametrize("name", CASES)
def test_spelling(name: str) -> None:
    before, after = CASES[name]
    assert better(before) == (before if after is None else after)


@pytest.mark.parametrize("least, known", [(2, "(x0 + 1) % 3"), (3, "(x0 + 1) % 3")])
def test_a_number_of_seats_that_is_fixed(least: int, known: str) -> None:
    model = Model(name="m", title="m", least=least, most=3)
    assert seated("(x0 + 1) % v[0]", model) == (known if least == 3 else "(x0 + 1) % v[0]")
    assert seated("v[01] + s.v[0] + xv[0]", model) == "v[01] + s.v[0] + xv[0]"


def test_what_nobody_reads_is_left_out() -> None:
    body: list[Any] = [
        bd.Assign("x1", "()"),
        bd.Assign("x2", "v[3]"),
        bd.Assign("x5", "take(s)"),
        bd.Each("x3", "z[4]", [bd.Assign("x1", "x1 + (x3,)"), bd.Run(["v[x2] = x3"])]),
        bd.Each("x4", "tuple(x1)", [bd.Assign("x6", "x4")]),
        bd.Branch("x2 > 0", [bd.Assign("x6", "1")], [bd.Stop()]),
    ]
    made = without_unread(body)
    assert [type(stm).__name__ for stm in made] == ["Assign", "Assign", "Each", "Branch"]
    assert [stm.var for stm in made[:2]] == ["x2", "x5"]
    assert made[2].body == [bd.Run(["v[x2] = x3"])] and made[3].then == [] and made[3].other == [bd.Stop()]


@pytest.mark.parametrize("name", GAMES)
def test_draw_is_what_its_parts_are(name: str) -> None:
    """On states at random: shuffled or in order, open, face down, to a hand, to the table, to the deck itself."""
    dice = random.Random(name)
    loc = GAMES[name].blank().prog.model.loc
    for _ in range(300):
        s = GAMES[name].blank()
        s.rng = dice.getrandbits(64)
        leaves = [x for x in range(by_hand.LEAF, by_hand.SPOT) if s.v[loc + x] >= 0]
        for _ in range(dice.randrange(12)):
            if leaves and dice.random() < 0.7:
                mv(s, dice.choice(leaves), dice.choice((by_hand.PILE, by_hand.PALM, by_hand.YARD)), dice.random() < 0.3)
            else:
                shuffle(s, by_hand.PILE)
        facedown = s.prog.model.tables["facedown"]
        for x in leaves:
            s.v[facedown + x] = dice.randrange(2)
        deck = dice.choice((by_hand.PILE, by_hand.PILE, by_hand.YARD))
        zone = dice.choice((by_hand.PILE, by_hand.PALM + 1, by_hand.YARD, by_hand.ON_SPOT))
        t = s.clone()
        o = tops(t, deck)
        x = o[rnd(t, len(o))] if o else -1
        if x >= 0 and zone != deck:
            mv(t, x, zone)
        elif x >= 0:
            settle(t, deck, x)
        assert draw(s, deck, zone) == x
        assert snapshot(s) == snapshot(t) and s.z == t.z and s.rng == t.rng


STRAIGHT = {
    "a number is known": ("k = 4\nn = 1\nif n > 0:\n    v[k] += n", "v[4] += 1"),
    "another name": ("x2 = x1\nf(s, x2)", "f(s, x1)"),
    "another name of what changes": ("x2 = x1\nx1 = v[3]\nf(s, x2, x1)", "x2 = x1\nx1 = v[3]\nf(s, x2, x1)"),
    "a number that one branch changes": ("n = 1\nif x1:\n    n = 2\nf(s, n)", "n = 1\nif x1:\n    n = 2\nf(s, n)"),
    "a branch that leaves": ("n = 1\nif x1:\n    n = 2\n    return n\nf(s, n)", "if x1:\n    return 2\nf(s, 1)"),
    "a loop changes it": (
        "n = 1\nfor x in z[3]:\n    f(s, n)\n    n = 2",
        "n = 1\nfor x in z[3]:\n    f(s, n)\n    n = 2",
    ),
    "a test in a test": ("if x1 >= 0:\n    if x1 >= 0:\n        v[x1] = 2", "if x1 >= 0:\n    v[x1] = 2"),
    "a test that a narrower one decides": (
        "if 2 <= x1 < 14 and (v[x1] if x1 >= 0 else 0) == 1:\n    f(s)",
        "if 2 <= x1 < 14 and v[x1] == 1:\n    f(s)",
    ),
    "a test that was not met": (
        "if x1 > 3:\n    f(s)\nelif x1 < 5:\n    g(s)",
        "if x1 > 3:\n    f(s)\nelse:\n    g(s)",
    ),
    "what is taken is given": (
        "x5 = 0\nn = v[k]\nif n > 0:\n    v[k] -= n\nx4 = n if n > 0 else 0\nx5 = x5 + x4\n"
        "n = x5\nif 0 > n:\n    n = 0\nv[7 + 2] += n",
        "n = v[k]\nif n > 0:\n    v[k] -= n\nx4 = n if n > 0 else 0\nv[9] += x4",
    ),
    "one of two bounds": (
        "x1 = (4, 5, 2)[x2]\nif 4 <= x1 < 6:\n    f(s, x1)",
        "x1 = (4, 5, 2)[x2]\nif 4 <= x1:\n    f(s, x1)",
    ),
    "a test of what has changed": (
        "if x1 > 3:\n    x1 = v[2]\n    if x1 > 3:\n        f(s, x1)",
        "if x1 > 3:\n    x1 = v[2]\n    if x1 > 3:\n        f(s, x1)",
    ),
    "either way": (
        "if x1 > 0:\n    g(s)\nn = x1 if x1 > 0 else 0\nf(s, n)",
        "if x1 > 0:\n    g(s)\nn = x1 if x1 > 0 else 0\nf(s, n)",
    ),
    "what a comprehension names": ("k = 4\no = [k for k in x1]\nf(o)", "k = 4\no = [k for k in x1]\nf(o)"),
    "a slot of a frame that goes": ("x1 = st[-2] = v[3]\nf(s, x1)\ndel st[-3:]\nreturn 0", None),
    "a slot that is read": (
        "st[-2] = v[3]\ng(st[-2])\ndel st[-3:]\nreturn 0",
        "st[-2] = v[3]\ng(st[-2])\ndel st[-3:]\nreturn 0",
    ),
    "a slot of a frame that stays": ("st[-2] = v[3]\nst[-1] = 5\nreturn 0", "st[-2] = v[3]\nst[-1] = 5\nreturn 0"),
    "a slot that the next block reads": ("st[-2] = v[3]\nreturn b7(s, 0)", "st[-2] = v[3]\nreturn b7(s, 0)"),
    "a slot in a loop": (
        "for x in z[3]:\n    st[-2] = x\n    f(s, x)\ndel st[-3:]\nreturn 0",
        "for x in z[3]:\n    f(s, x)\ndel st[-3:]\nreturn 0",
    ),
    "the end of a game": ("st[-2] = v[3]\nfinish(s)\nreturn 1", "finish(s)\nreturn 1"),
    "room for one": (
        "n = 48 - v[k]\nif n > 0:\n    n = 1\n    v[k] += n\nf(s)",
        "if v[k] < 48:\n    v[k] += 1\nf(s)",
    ),
    "room that is read again": (
        "n = 48 - v[k]\nif n > 0:\n    v[k] += n\nf(s)",
        "n = 48 - v[k]\nif n > 0:\n    v[k] += n\nf(s)",
    ),
    "room for one in a loop": (
        "for k in z[3]:\n    n = 48 - v[k]\n    if n > 0:\n        n = 1\n        v[k] += n\nf(s)",
        "for k in z[3]:\n    if v[k] < 48:\n        v[k] += 1\nf(s)",
    ),
    "another value": ("old = v[k]\nif n != old:\n    v[k] = n", "if n != v[k]:\n    v[k] = n"),
    "what does something stays": ("n = take(s)\nx1 = v[2]", "n = take(s)"),
    "a loop that does nothing": ("for x in tuple(x1):\n    n = x", "pass"),
    "a loop that is left": (
        "n = 0\nfor x in z[3]:\n    n = x\n    if v[x]:\n        break\nf(s, n)",
        "n = 0\nfor x in z[3]:\n    n = x\n    if v[x]:\n        break\nf(s, n)",
    ),
}


@pytest.mark.parametrize("name", STRAIGHT)
def test_what_is_known_is_carried_and_what_is_not_read_is_left_out(name: str) -> None:
    before, after = STRAIGHT[name]
    source = "def b1(s, c):\n" + textwrap.indent(before, "    ")
    tree = ast.parse(source)
    straighten(tree, source)
    function = tree.body[-1]
    assert isinstance(function, ast.FunctionDef)
    made = "\n".join(ast.unparse(stm) for stm in function.body)
    assert made == ("x1 = v[3]\nf(s, x1)\ndel st[-3:]\nreturn 0" if after is None else after)
