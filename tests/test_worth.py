"""worth: passes that pass by a function see by its text that there is nothing in it to do for them."""

from __future__ import annotations

import re

import pytest

from interpreter.optimise.fold import worth as to_fold
from interpreter.optimise.once import WRITTEN
from interpreter.optimise.scans import ASKED, worth
from interpreter.optimise.shared import CHAINS

TEXTS = [
    "n = any([x for x in o])",
    "n = many([x])",
    "(any(o), 1)",
    "n = _sum(o)",
    "sum(o)",
    "n = consume(o)",
    "is_ready(s, 4)",
    "this_one(s)",
    "n = dis_may(s)",
    "value_of(s)",
    "n = xvalue_of(s)",
    "rel_near(s, rel_to(s))",
    "barrel_full(s)",
    "can_(s)",
    "can_3(s, you)",
    "ORDER2[s.turn]",
    "REORDER2",
    "ORDERS[n]",
    "TABLE[3]",
    "TABLE[-3] + 1",
    "TABLE[n]",
    "myTABLE[3]",
    "n = NB + 1",
    "n = xNB + KNOB",
    "n = LAST",
    "for x in range(3, n):",
    "[x for x in range(3, 5)]",
    "[x for x in (3, 5)]",
    "[x for x in o]",
    "n in [4 + x for x in o]",
    "n in [-4+x for x in o]",
]


@pytest.mark.parametrize("text", TEXTS)
def test_what_is_told_by_a_text_is_what_the_plain_pattern_tells(text: str) -> None:
    asked = r"\b(?:is|can|rel|value)_\w+\(s"
    assert bool(ASKED.search(text)) == bool(re.search(asked, text))
    assert worth(text) == bool(re.search(f" for |{asked}", text))
    assert bool(WRITTEN.search(text)) == bool(re.search(r"\b(?:rel|value)_\w+\(s", text))
    assert bool(CHAINS.search(text)) == bool(re.search(r"\b(?:any|sum)\(", text))
    loops = r" for \w+ in (?:range\(\d+,|\(\d+,)| in \[-?\d+ ?\+ ?\w+ for "
    tables = r"\bORDER\d|\b[A-Z]\w*\[-?\d+\]|\b(?:NB|LAST)\b"
    assert to_fold(text, {"NB", "LAST"}) == bool(re.search(rf"\b(?:any|all|sum|one)\(|{tables}|{loops}", text))
