"""number: in, a small game with a name misspelt in a declaration or a record; asserted, the finding at the very word."""

from __future__ import annotations

from pathlib import Path

import pytest

from interpreter.load import load_compiled

GAME = """\
language: 1
name: Small
version: 1.0.0
players: 2
kinds:
  - {kind: Sign, fields: {Ways: list of Sign}, spread: Ways}
  - kind: Charm
    card: true
    fields:
      Signs: number for each Sign
      Twin: Sign
      Worth: {type: number, required: true}
zones:
  - {zone: Hand, of: player, holds: [Charm]}
counters:
  - {counter: Wind, on: game}
  - {counter: Sand, most: 3}
options:
  calm:
    values: [still, windy]
    default: still
    counter: Wind
turn:
  - step: Main
    text: End the game.
"""
CARDS = """\
signs:
  - {name: Moon}
charms:
  - name: Bell
    signs: {Moon: 2}
    twin: Moon
    worth: 1
"""


@pytest.mark.parametrize(
    "file, old, new, line, column, suggestion",
    [
        ("cards.yaml", "{Moon: 2}", "{Mono: 2}", 5, 13, "Moon"),
        ("cards.yaml", "twin: Moon", "twin: Noon", 6, 11, "Moon"),
        ("game.yaml", "holds: [Charm]", "holds: [Charn]", 14, 38, "Charm"),
        ("game.yaml", "Twin: Sign", "Twin: Sigh", 11, 13, "Sign"),
        ("game.yaml", "Signs: number for", "Signs: number fro", 10, 14, "number for each Sign"),
        ("game.yaml", "type: number", "type: nubmer", 12, 21, "number"),
        ("game.yaml", "spread: Ways", "spread: Wyas", 6, 56, "Ways"),
        ("game.yaml", "    counter: Wind", "    counter: Wid", 22, 14, "Wind"),
    ],
)
def test_a_misspelt_name_is_shown_at_the_word(
    tmp_path: Path, file: str, old: str, new: str, line: int, column: int, suggestion: str
) -> None:
    texts = {"game.yaml": GAME, "cards.yaml": CARDS}
    texts[file] = texts[file].replace(old, new)
    for name, text in texts.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    found = [f for f in load_compiled(tmp_path).findings if f.code == "unknown-name"]
    assert [(f.line, f.column, f.suggestion) for f in found] == [(line, column, suggestion)]


@pytest.mark.parametrize(
    "old, new, line, column, suggestion",
    [
        ("default: still", "default: stil", 21, 14, "still"),
        ("of: player, holds", "of: player, seen by: ownr, holds", 14, 39, "owner"),
        ("spread: Ways}", "spread: Ways, each: players}", 6, 68, "player"),
    ],
)
def test_one_of_a_few_words_is_wanted(
    tmp_path: Path, old: str, new: str, line: int, column: int, suggestion: str
) -> None:
    (tmp_path / "game.yaml").write_text(GAME.replace(old, new), encoding="utf-8")
    found = [f for f in load_compiled(tmp_path).findings if f.code == "bad-value"]
    assert [(f.line, f.column, f.suggestion) for f in found] == [(line, column, suggestion)]


def test_the_small_game_has_no_findings(tmp_path: Path) -> None:
    (tmp_path / "game.yaml").write_text(GAME, encoding="utf-8")
    (tmp_path / "cards.yaml").write_text(CARDS, encoding="utf-8")
    assert load_compiled(tmp_path).findings == []
