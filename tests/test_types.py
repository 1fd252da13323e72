"""types: in, a card of the reference game whose words are all known but do not fit together; asserted, that check says
so at the words."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from interpreter.load import load_compiled

GAME = Path(__file__).parent / "language" / "reference"


@pytest.mark.parametrize(
    "text, at, message",
    [
        (
            "Move a Charm in your Hand to your Shelf with Cost = 2.",
            "Cost",
            "Shelf is only a place; say this of what lies there",
        ),
        (
            "Choose a Charm. Gain Coins = the Marks of it on this.",
            "the Marks",
            "Marks says a number for each Sign, not for a Charm",
        ),
        ("If you have the Sun in your Hand, gain 1 Coin.", "the Sun", "a Sign lies in no Hand"),
    ],
)
def test_what_does_not_fit_is_shown_at_the_words(tmp_path: Path, text: str, at: str, message: str) -> None:
    folder = tmp_path / "watch"
    shutil.copytree(GAME, folder, ignore=shutil.ignore_patterns("scenarios"))
    line = f"    text: {text}"
    (folder / "wrong.yaml").write_text(f"charms:\n  - name: Wrong Charm\n    cost: 1\n{line}\n", encoding="utf-8")
    found = [(f.code, f.line, f.column, f.message) for f in load_compiled(folder).findings]
    assert found == [("type", 4, line.index(at) + 1, message)]
