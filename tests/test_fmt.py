"""fmt: in, files with texts that are worded loosely; asserted, that only the sentences change, and that twice is once."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from interpreter import cli
from interpreter.canonical import formatted
from interpreter.commands.fmt import opened, texts_of
from interpreter.data import list_games
from tests import running

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture
def hills(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Path:
    monkeypatch.chdir(tmp_path)
    assert cli.main(["new", "game", "Hills"]) == 0
    capsys.readouterr()
    return tmp_path / "hills"


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str]:
    code, out, err = running.run(capsys, *arguments)
    return code, out + err


BEFORE = """\
# yaml-language-server: $schema=schemas/content.schema.json
cards:   # what lies in the Deck

  - name:   "Small Gift"      # quoted, and oddly spaced
    copies: 0x6
    text: gain 1 Point
  # a comment between keys
  - name: Toll
    text: |
        Take 1 Point from each other player.
        if your Points are 3, gain 1 Point.

        Gain 1 Point.   Draw 1 Card.
    from:   original
  - {name: Fresh Start, text: Gain Points = half your Points rounded down, from: original}
  - name: Long
    text: |
      Choose one:
        gain 2 Points;
        draw 2 Cards.
  - name: Wrapped
    text: |
      If your Points are at least 3,
         gain 1 Point.
"""
SENTENCES = (
    ("text: gain 1 Point\n", "text: Gain 1 Point.\n"),
    ("if your Points are 3, gain 1 Point.", "If your Points = 3, gain 1 Point."),
    ("Gain 1 Point.   Draw 1 Card.", "Gain 1 Point. Draw 1 Card."),
)
AFTER = BEFORE
for sentence, canonical in SENTENCES:
    assert AFTER.count(sentence) == 1
    AFTER = AFTER.replace(sentence, canonical)


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_only_the_sentences_change(capsys: pytest.CaptureFixture[str], hills: Path, end: str) -> None:
    cards = hills / "cards.yaml"
    cards.write_bytes(BEFORE.replace("\n", end).encode())
    code, out = run(capsys, "fmt", "hills")
    assert (code, out) == (0, "formatted hills/cards.yaml (2 texts)\n1 file changed\n"), cards.read_text()
    assert cards.read_bytes().decode() == AFTER.replace("\n", end)
    assert run(capsys, "fmt", "hills") == (0, "0 files changed\n")


def test_check_and_diff_write_nothing(capsys: pytest.CaptureFixture[str], hills: Path) -> None:
    cards = hills / "cards.yaml"
    cards.write_text(BEFORE, encoding="utf-8")
    assert run(capsys, "fmt", "hills", "--check") == (
        1,
        "would format hills/cards.yaml (2 texts)\n1 file would change\n",
    )
    code, out = run(capsys, "fmt", "hills/cards.yaml", "--diff")
    assert code == 0 and "-    text: gain 1 Point\n+    text: Gain 1 Point.\n" in out
    assert run(capsys, "fmt", "hills", "--diff", "--check")[0] == 1
    assert cards.read_text(encoding="utf-8") == BEFORE
    assert run(capsys, "fmt", "hills/game.yaml", "--check") == (0, "0 files would change\n")


def test_what_cannot_be_read_is_left_and_told(capsys: pytest.CaptureFixture[str], hills: Path) -> None:
    cards = hills / "cards.yaml"
    text = BEFORE.replace("gain 1 Point\n", "gian 1 Point\n").replace(
        "      Choose one:", "      # why\n      Choose one:"
    )
    cards.write_text(text, encoding="utf-8")
    code, out = run(capsys, "fmt", "hills")
    assert code == 1 and out.endswith("1 file changed; 2 texts are left, which `check` finds fault with\n")
    now = cards.read_text(encoding="utf-8")
    assert "    text: gian 1 Point\n" in now and "      # why\n" in now and "If your Points = 3, gain 1 Point." in now


def test_scenarios_are_formatted_too(capsys: pytest.CaptureFixture[str], hills: Path) -> None:
    story = hills / "scenarios" / "cards.yaml"
    whole = story.read_text(encoding="utf-8")
    story.write_text(whole.replace("Perform the first Toll.", "perform the first Toll"), encoding="utf-8")
    assert run(capsys, "fmt", "hills/scenarios/cards.yaml")[0] == 0
    assert story.read_text(encoding="utf-8") == whole
    elsewhere = Path("mine.yaml")
    elsewhere.write_text("game: ./hills\n" + whole.replace("Set Points", "set Points"), encoding="utf-8")
    assert run(capsys, "fmt", "mine.yaml")[0] == 0
    assert elsewhere.read_text(encoding="utf-8") == "game: ./hills\n" + whole


def test_a_mod_is_formatted_on_its_game(capsys: pytest.CaptureFixture[str], hills: Path) -> None:
    assert run(capsys, "new", "mod", "Low Cards", "--extends", "crazy_eights")[0] == 0
    law = Path("low-cards/law.yaml")
    law.write_text("rules:\n  - text: At the start of your turn, you gains 1 Fetch\n", encoding="utf-8")
    assert run(capsys, "fmt", "low-cards")[0] == 1
    law.write_text("rules:\n  - text: at the start of the turn, gain 1 Fetch\n", encoding="utf-8")
    assert run(capsys, "fmt", "low-cards")[0] == 0
    assert law.read_text(encoding="utf-8") == "rules:\n  - text: At the start of the turn, gain 1 Fetch.\n"


def test_declarations_with_errors_are_told(capsys: pytest.CaptureFixture[str], hills: Path) -> None:
    (hills / "more.yaml").write_text("crads: []\n", encoding="utf-8")
    code, out = run(capsys, "fmt", "hills")
    assert code == 1 and "error[unknown-field]" in out
    assert run(capsys, "fmt", "nowhere")[0] == 2


@pytest.mark.slow
@pytest.mark.parametrize("game", [g.path for g in list_games()], ids=lambda p: p.name)
def test_formatting_twice_is_formatting_once_and_changes_no_rule(game: Path, tmp_path: Path) -> None:
    folder = tmp_path / game.name
    shutil.copytree(game, folder)
    loaded, only = opened(folder, folder)
    assert loaded.compiled is not None
    for path, readings in texts_of(loaded, only).items():
        once = formatted(path.read_bytes(), readings, loaded.compiled.language)
        assert once.left == 0, path
        path.write_bytes(once.data)
    again, only = opened(folder, folder)
    assert again.compiled is not None and again.findings == loaded.findings
    for path, readings in texts_of(again, only).items():
        assert formatted(path.read_bytes(), readings, again.compiled.language).changed == 0, path
    assert list(again.compiled.trees.values()) == list(loaded.compiled.trees.values())
