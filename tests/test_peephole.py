"""peephole and enter: emitted code before and after, as text; and that no frame goes straight into a cycle."""

from __future__ import annotations

import ast
import textwrap
from typing import Any

import pytest

from interpreter.optimise.enter import MOST, components, enter_directly
from interpreter.optimise.fold import fold, folder_of
from interpreter.optimise.peephole import peephole

CASES = {
    "a number that is known": ("n = max(0, 1)", "n = 1"),
    "a lower bound": ("n = max(0, v[3])", "n = v[3]\nif 0 > n:\n    n = 0"),
    "an upper bound": ("n = min(n, 2 - v[k])", "limit = 2 - v[k]\nif limit < n:\n    n = limit"),
    "two bounds": (
        "n = max(0, 1)\nn = min(n, 2 - v[k])",
        "n = 1\nlimit = 2 - v[k]\nif limit < n:\n    n = limit",
    ),
    "a loop that counts": (
        "while x > 0:\n    bound(s)\n    x = x - 1\n    n = v[n]",
        "if x > 0:\n    bound(s, x)\n    for _ in range(x):\n        n = v[n]\n    x = 0",
    ),
    "a loop that looks at its count": (
        "while x > 0:\n    bound(s)\n    x = x - 1\n    n = v[x]",
        "while x > 0:\n    bound(s)\n    x = x - 1\n    n = v[x]",
    ),
    "a loop that is left": (
        "while x > 0:\n    bound(s)\n    x = x - 1\n    if n:\n        return 1",
        "while x > 0:\n    bound(s)\n    x = x - 1\n    if n:\n        return 1",
    ),
    "room for one": (
        "n = max(0, 1)\nn = min(n, 7 - v[k])\nif n > 0:\n    v[k] += n",
        "n = 7 - v[k]\nif n > 0:\n    n = 1\n    v[k] += n",
    ),
    "room for two": (
        "n = max(0, 2)\nn = min(n, 7 - v[k])\nif n > 0:\n    v[k] += n",
        "n = 2\nlimit = 7 - v[k]\nif limit < n:\n    n = limit\nif n > 0:\n    v[k] += n",
    ),
    "all that there is": (
        "n = max(0, v[k])\nn = min(n, v[k] - 0)\nif n > 0:\n    v[k] -= n",
        "n = v[k]\nif n > 0:\n    v[k] -= n",
    ),
    "all that there is elsewhere": (
        "n = max(0, v[j])\nn = min(n, v[k] - 0)\nif n > 0:\n    v[k] -= n",
        "n = v[j]\nif 0 > n:\n    n = 0\nlimit = v[k] - 0\nif limit < n:\n    n = limit\nif n > 0:\n    v[k] -= n",
    ),
    "options that are known": (
        "o = []\no += [5] if can_0(s, x0) else []\no += [6] if can_0(s, x0) else []\nif len(o) < 2:\n    return b9(s, 0)\ns.opts = o",
        "o = (5, 6)\ns.opts = o",
    ),
    "one option that is known": (
        "o = []\no += [5] if can_0(s, x0) else []\nif len(o) < 2:\n    return b9(s, o[0])\ns.opts = o",
        "o = (5,)\nreturn b9(s, o[0])",
    ),
    "options that depend": ("o += [5] if v[3] > 0 else []", "if v[3] > 0:\n    o.append(5)"),
    "a short list of options": (
        "o = [i for i in range(2, 4) if v[20 + i] < 0]",
        "o = []\nif v[22] < 0:\n    o.append(2)\nif v[23] < 0:\n    o.append(3)",
    ),
    "a long list of options": (
        "o = [i for i in range(2, 90) if v[20 + i] < 0]",
        "o = [i for i in range(2, 90) if v[20 + i] < 0]",
    ),
    "a test made once": (
        "o = [i for i in [j for j in z[4] if v[j]] if v[x1] and v[7 + i]]",
        "o = [i for i in z[4] if v[i] if v[7 + i]] if v[x1] else []",
    ),
    "a variable of the same name outside": (
        "o = [i for i in [j for j in z[4] if v[i]] if v[7 + i]]",
        "if v[i]:\n    o = [i for i in z[4] if v[7 + i]]\nelse:\n    o = []",
    ),
    "a short list of options that is added": (
        "o = []\no += [40 + i for i in range(2, 4) if v[20 + i] < 0]",
        "o = []\nif v[22] < 0:\n    o.append(42)\nif v[23] < 0:\n    o.append(43)",
    ),
    "the first list of options": (
        "o = []\no += [40 + i for i in z[3] if v[20 + i] < 0]\no += [50 + i for i in z[3]]",
        "o = [40 + i for i in z[3] if v[20 + i] < 0]\no += [50 + i for i in z[3]]",
    ),
    "a test that always holds": ("o = [i for i in z[3] if v[i] if can_0(s, i)]", "o = [i for i in z[3] if v[i]]"),
    "a test that asks one that always holds": (
        "o = [i for i in z[3] if v[i] if can_1(s, i)]",
        "o = [i for i in z[3] if v[i]]",
    ),
    "a test that never holds": ("o = [i for i in z[3] if not can_1(s, i)]", "o = []"),
    "a branch that is known": ("if True:\n    n = 1\nelse:\n    n = 2", "n = 1"),
    "what comes after a return": ("return 0\nn = 1", "return 0"),
    "one thing asked": ("w = any([True for i in (y,) if v[i] > 0])", "w = v[y] > 0"),
    "a zone is a tuple": ("for x in tuple(z[1 + y]):\n    n = x", "for x in z[1 + y]:\n    n = x"),
    "a list need not be copied to be walked": (
        "for x in tuple([i for i in z[1] if i]):\n    n = x",
        "for x in [i for i in z[1] if i]:\n    n = x",
    ),
    "a card that moves on at once": (
        "settle(s, 4, x)\nf = v[8 + x]\ng = 3\nif f != g:\n    on_leave(s, x)\n    mv(s, x, g)\n    n = 1",
        "f = v[8 + x]\ng = 3\nif f != g:\n    on_leave(s, x)\n    mv(s, x, g)\n    n = 1\nelse:\n    settle(s, 4, x)",
    ),
    "a card that does not": (
        "settle(s, 4, x)\nf = v[8 + x]\ng = 3\nif f != g:\n    mv(s, y, g)",
        "settle(s, 4, x)\nf = v[8 + x]\ng = 3\nif f != g:\n    mv(s, y, g)",
    ),
    "things known at load": (
        "w = v[y] in [ON[i] for i in range(2, 7) if F1[i] == 1]",
        "w = v[y] in {22, 23, 25, 26}",
    ),
    "few things known at load": ("w = v[y] in [ON[i] for i in range(0, 4) if F1[i] == 1]", "w = v[y] in (20, 22, 23)"),
    "places known at load": (
        "n = [j for i in [ON[k] for k in (2, 3)] for j in z[i]]",
        "n = [j for i in (22, 23) for j in z[i]]",
    ),
    "things of which one depends": (
        "w = v[y] in [ON[i] for i in range(2, 7) if F1[i] == x]",
        "w = v[y] in [ON[i] for i in range(2, 7) if F1[i] == x]",
    ),
    "a known list that is kept": ("n = [ON[i] for i in (2, 3)]", "n = [ON[i] for i in (2, 3)]"),
    "a row of places": ("w = v[y] in [27 + i for i in z[1]]", "w = v[y] - 27 in z[1]"),
    "a row of places with gaps": ("w = v[y] in [27 + i for i in z[1] if i]", "w = v[y] in [27 + i for i in z[1] if i]"),
    "a number that stands for a truth": ("w = int(v[3] >= 2) == 1", "w = v[3] >= 2"),
    "a number that stands for what is not so": (
        "w = int(v[3] >= 2 and v[4] > 1) == 0",
        "w = not (v[3] >= 2 and v[4] > 1)",
    ),
    "a number that is one": ("w = int(v[3]) == 1", "w = int(v[3]) == 1"),
    "a negative base": ("w = sum([v[-5 + i * 2 + x] for i in (3,)])", "w = v[1 + x]"),
    "a sum over some of a list": (
        "w = sum([v[8 + i] for i in [j for j in range(2, 4) if v[j] == x]])",
        "w = (v[10] if v[2] == x else 0) + (v[11] if v[3] == x else 0)",
    ),
    "whether there is one in some of a list": (
        "w = any([v[8 + i] for i in [i for i in range(2, 4) if v[i] == x] if v[20 + i]])",
        "w = v[2] == x and v[22] and v[10] or (v[3] == x and v[23] and v[11])",
    ),
    "a sum over some of a list that asks another of the same name": (
        "w = sum([v[8 + i] for i in [j for j in range(2, 4) if v[j + i] == x]])",
        "w = sum([v[8 + i] for i in [j for j in range(2, 4) if v[j + i] == x]])",
    ),
    "what a function says of a constant": ("w = is_open(s, x, 4)", "v = s.v\nw = v[30 + x] > 1 and v[14] == 2"),
    "what another says of it": ("w = is_open(s, x, 5)", "z = s.z\nv = s.v\nw = x in z[2] and v[15] == 2"),
    "what none says of it": ("w = is_open(s, x, 6)", "v = s.v\nw = v[16] == 2"),
    "what a function says of what is not known": ("w = is_open(s, x, v[5])", "w = is_open(s, x, v[5])"),
    "options that a test precedes": (
        "o = []\no += [40 + i for i in ([i for i in z[3] if v[i]] if x else [])]",
        "o = []\nif x:\n    o += [40 + i for i in z[3] if v[i]]",
    ),
    "options told apart that a test precedes": (
        "o += [40 + i for i in alike(s, x, [i for i in z[3]] if x else [])]",
        "if x:\n    o += [40 + i for i in alike(s, x, [i for i in z[3]])]",
    ),
    "whether a place is somebody's": (
        "w = v[y] in [27 + i for i in ORDER1[v[0]][v[1]]]",
        "w = 0 <= v[y] - 27 < v[0]",
    ),
    "things on places of a list": (
        "n = [j for i in [ON[k] for k in x if v[k]] for j in z[i]]",
        "n = [j for k in x if v[k] for j in z[ON[k]]]",
    ),
    "things on places that are asked about": (
        "n = [j for i in [ON[k] for k in x] for j in z[i] if v[i]]",
        "n = [j for i in [ON[k] for k in x] for j in z[i] if v[i]]",
    ),
    "a place of the same name": (
        "n = [j for i in [ON[j] for j in x] for j in z[i]]",
        "n = [j for i in [ON[j] for j in x] for j in z[i]]",
    ),
    "the first of several lists": (
        "n = one([j for i in x for j in z[i]][:1])",
        "n = one((j for i in x for j in z[i]))",
    ),
    "the first of one list": ("n = one([i for i in z[1]][:1])", "n = one([i for i in z[1]][:1])"),
    "whether there is one somewhere": (
        "w = one([i for i in z[1] if v[i]][:1]) >= 0",
        "w = any((True for i in z[1] if v[i]))",
    ),
    "whether there is none in several places": (
        "w = one([i for j in x for i in z[j]]) < 0",
        "w = not any((True for j in x for i in z[j]))",
    ),
    "whether the first is one": ("w = one([i for i in z[1] if v[i]]) >= 1", "w = one([i for i in z[1] if v[i]]) >= 1"),
    "whether one of a list is none": ("w = one([i for i in x if v[i]]) >= 0", "w = one([i for i in x if v[i]]) >= 0"),
    "a slot read twice": ("x0 = st[-2]\nn = x0\nx0 = st[-2]", "x0 = st[-2]\nn = x0"),
    "a slot written": (
        "x0 = st[-2]\nx0 = st[-2] = 5\nx0 = st[-2]",
        "x0 = st[-2]\nx0 = st[-2] = 5",
    ),
    "a slot written by another name": (
        "x0 = st[-2]\nst[-2] = 5\nx0 = st[-2]",
        "x0 = st[-2]\nst[-2] = 5\nx0 = st[-2]",
    ),
    "a variable given another value": ("x0 = st[-2]\nx0 = 3\nx0 = st[-2]", "x0 = st[-2]\nx0 = 3\nx0 = st[-2]"),
    "a variable that a branch changes": (
        "x0 = st[-2]\nif n:\n    x0 = 3\nx0 = st[-2]",
        "x0 = st[-2]\nif n:\n    x0 = 3\nx0 = st[-2]",
    ),
    "a branch that leaves": (
        "x0 = st[-2]\nif n:\n    x0 = 3\n    return 0\nx0 = st[-2]",
        "x0 = st[-2]\nif n:\n    x0 = 3\n    return 0",
    ),
    "a list of the state while frames come": (
        "v = s.v\nst += (1, 2)\nv = s.v\nn = v[1]",
        "v = s.v\nst += (1, 2)\nn = v[1]",
    ),
    "a loop that is gone on in": (
        "x0 = st[-2]\nfor i in z[1]:\n    if i:\n        x0 = 3\n        continue\n    return 1\nx0 = st[-2]",
        "x0 = st[-2]\nfor i in z[1]:\n    if i:\n        x0 = 3\n        continue\n    return 1\nx0 = st[-2]",
    ),
    "a frame that goes": ("x0 = st[-2]\ndel st[-2:]\nx0 = st[-2]", "x0 = st[-2]\ndel st[-2:]\nx0 = st[-2]"),
    "a loop that changes": (
        "x0 = st[-2]\nfor i in z[1]:\n    x0 = i\nx0 = st[-2]",
        "x0 = st[-2]\nfor i in z[1]:\n    x0 = i\nx0 = st[-2]",
    ),
}


def better(body: str) -> str:
    source = "def can_0(s, x0):\n    v = s.v\n    return True\n\n"
    source += (
        "FIELD_Gate = {4: read_1, 5: read_2}\n\ndef read_1(s, x0, x1):\n    v = s.v\n    return v[30 + x0] > 1\n\n"
    )
    source += "def read_2(s, x0, x1):\n    z = s.z\n    return x0 in z[2]\n\ndef is_open(s, x0, x1):\n    v = s.v\n"
    source += "    return (FIELD_Gate[x1](s, x0, x1) if x1 in FIELD_Gate else True) and v[10 + x1] == 2\n\n"
    source += "def can_1(s, x0):\n    v = s.v\n    return can_0(s, x0) and True\n\ndef b1(s, c):\n" + textwrap.indent(
        body, "    "
    )
    tables: dict[str, Any] = {
        "ON": (20, 21, 22, 23, 24, 25, 26),
        "F1": (1, 0, 1, 1, 0, 1, 1),
        "ORDER1": ((), ((0,),), ((0, 1), (1, 0))),
    }
    folder = folder_of(tables)
    tree = peephole(fold(source, folder), folder)
    function = tree.body[-1]
    assert isinstance(function, ast.FunctionDef)
    return "\n".join(ast.unparse(stm) for stm in function.body)


@pytest.mark.parametrize("name", CASES)
def test_spelling(name: str) -> None:
    before, after = CASES[name]
    assert better(before) == after


def entered(source: str, **tables: Any) -> str:
    tree = ast.parse(textwrap.dedent(source))
    enter_directly(tree, tables)
    return ast.unparse(tree)


PUSH = "def b{0}(s, c):\n    st[-1] = {0}\n    st += (x0,) + R{1}\n    return 0\n"


def test_a_frame_is_entered_at_once() -> None:
    made = entered(PUSH.format(1, 7) + "def b2(s, c):\n    return 1\n", R7=(0, 2))
    assert "return b2(s, 0)" in made


def test_a_cycle_goes_through_the_machine() -> None:
    made = entered(PUSH.format(1, 7) + PUSH.format(2, 8), R7=(0, 2), R8=(0, 1))
    assert "return b1" not in made and "return b2" not in made


def test_a_long_chain_goes_through_the_machine() -> None:
    """Each pushes the next: no run of direct calls is longer than MOST."""
    blocks = [PUSH.format(i, i + 1) for i in range(3 * MOST)]
    made = ast.parse(entered("".join(blocks), **{f"R{i + 1}": (0, i + 1) for i in range(3 * MOST)}))
    longest = run = 0
    for function in made.body:
        run = run + 1 if "return b" in ast.unparse(function) else 0
        longest = max(longest, run)
    assert 0 < longest <= MOST


def test_components_come_after_what_they_lead_to() -> None:
    found = components({"a": {"b"}, "b": {"c", "d"}, "c": {"b"}, "d": set()})
    assert found["b"] == found["c"] and found["d"] < found["b"] < found["a"]
