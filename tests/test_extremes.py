"""extremes: in, amounts; asserted, between which numbers they are said to lie, and that what cannot be read is not said."""

from __future__ import annotations

from pathlib import Path

import pytest

from interpreter.extremes import extremes
from interpreter.load import load_compiled

HUT = """\
language: 1
name: Hut
version: 1.0.0
description: Invented for the tests of bounds.
players: 2
kinds:
  - kind: Jar
    fields:
      Weight: number
      Height: {type: number, settable: true}
counters:
  - {counter: Coin, plural: Coins, on: player, least: -3, most: 7}
  - {counter: Oil, on: player}
  - {counter: Mark, plural: Marks, on: {Jar: player}, most: 2}
setup: |
  Set Height of the Red Jar to 1.
turn:
  - step: Rest
    text: |
      Choose one: nap; or doze.
phrases:
  - phrase: nap
    text: Gain 1 Coin.
  - phrase: doze
    text: Gain 1 Oil.
returns: RETURNS
"""
JARS = """\
jars:
  - {name: Red Jar, weight: 4, height: 1}
  - {name: Blue Jar, weight: -2, height: 1, copies: 2}
"""


@pytest.mark.parametrize(
    ("amount", "span"),
    [
        ("5", (5, 5)),
        ("your Coins", (-3, 7)),
        ("3 minus your Coins", (-4, 6)),
        ("your Coins plus your Coins", (-6, 14)),
        ("your Coins times your Coins", (-21, 49)),
        ("twice your Coins", (-6, 14)),
        ("the number of Jars", (0, 3)),
        ("2 for each Jar", (0, 6)),
        ("the total Weight of Jars", (-4, 4)),
        ("(10 if your Coins = 2, otherwise minus 1)", (-1, 10)),
        ("your Oil", None),
        ("the total Height of Jars", None),
        ("the total Weight of Jars plus your Oil", None),
        ("(10 if your Coins = 2, otherwise your Oil)", None),
    ],
)
def test_between_which_numbers_an_amount_lies(tmp_path: Path, amount: str, span: tuple[int, int] | None):
    (tmp_path / "game.yaml").write_text(HUT.replace("RETURNS", amount), encoding="utf-8")
    (tmp_path / "jars.yaml").write_text(JARS, encoding="utf-8")
    loaded = load_compiled(str(tmp_path))
    assert [f.message for f in loaded.findings if f.severity == "error"] == []
    assert loaded.compiled is not None and loaded.compiled.program is not None
    assert loaded.compiled.program.span == span


def test_an_amount_that_is_no_tree_has_no_bounds():
    loaded = load_compiled("pig")
    assert extremes(None, loaded.model) is None and loaded.compiled.program.span is None
