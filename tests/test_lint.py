"""lint: in, a small game with one thing too much; asserted, that `check --strict` alone tells of it, at its word, and
that all content that is shipped is clean."""

from __future__ import annotations

from pathlib import Path

import pytest

from interpreter import cli
from interpreter.commands.check import check_pack

ROOT = Path(__file__).resolve().parent.parent

# What is added to the small game, and what is said of it: (file, what is added, code, the word).
ADDED = [
    ("more.yaml", "counters:\n  - {counter: Dew, on: player}\n", "unused-name", "Dew"),
    ("more.yaml", "states:\n  - {state: wet, of: Card}\n", "unused-name", "wet"),
    ("more.yaml", "titles:\n  - {title: Warden, of: player}\n", "unused-name", "Warden"),
    ("more.yaml", "values:\n  - value: the glow of {Card here}\n    is: 2\n", "unused-phrase", "the glow of {Card here}"),
    # used by itself alone, or by a phrase that nothing uses
    ("more.yaml", "phrases:\n  - phrase: rest\n    text: If your Points are 3, rest.\n", "unused-phrase", "rest"),
    ("more.yaml", "kinds:\n  - kind: Spirit\nspirits:\n  - name: Sprite\n", "unreachable-record", "Sprite"),
    ("more.yaml", "cards:\n  - name: Bell\n    copies: 0\n    text: Gain 3 Points.\n", "unreachable-record", "0"),
    ("more.yaml", "cards:\n  - name: Bell\n    text: If your Points are 3, stop.\n", "idle-text", "If your Points are 3, stop."),
    ("more.yaml", "cards:\n  - name: Bell\n    text: Stop. Gain 3 Points.\n", "idle-text", "Gain 3 Points"),
    ("more.yaml", "cards:\n  - name: Bell\n    text: Let most be 3. Draw 1 Card.\n", "unused-name", "most"),
    ("more.yaml", "cards:\n  - name: Bell\n    text: Gain 1 Point.\n", "twin-records", "Bell"),
]  # fmt: skip


@pytest.fixture
def hills(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Path:
    monkeypatch.chdir(tmp_path)
    assert cli.main(["new", "game", "Hills"]) == 0
    capsys.readouterr()
    return Path("hills")


@pytest.mark.parametrize(("file", "text", "code", "word"), ADDED)
def test_what_comes_to_nothing_is_told_at_its_word(hills: Path, file: str, text: str, code: str, word: str) -> None:
    (hills / file).write_text(text, encoding="utf-8")
    assert check_pack(hills)[0] == []
    (found,) = check_pack(hills, strict=True)[0]
    line = Path(found.file).read_text(encoding="utf-8").split("\n")[found.line - 1]
    assert (found.code, found.severity, line[found.column - 1 : found.end_column - 1]) == (code, "warning", word)


def test_what_is_used_is_not_told(hills: Path) -> None:
    (hills / "more.yaml").write_text(
        "counters:\n  - {counter: Dew, on: player}\n"
        "states:\n  - {state: wet, of: Card}\n"
        "titles:\n  - {title: Warden, of: player}\n"
        "values:\n  - value: the glow of {Card here}\n    is: 2\n"
        "phrases:\n  - phrase: rest\n    text: Gain 1 Dew.\n"
        "kinds:\n  - kind: Spirit\nspirits:\n  - name: Sprite\n"
        "zones:\n  - {zone: Pond, holds: [Spirit]}\n"
        "cards:\n  - name: Bell\n    text: |\n      Rest. Become the Warden. Place Sprite in the Pond.\n"
        "      Choose a Card in your Hand. Gain Points = the glow of it. It becomes wet.\n",
        encoding="utf-8",
    )
    assert check_pack(hills, strict=True)[0] == []


def test_strict_makes_exit_one_of_them(capsys: pytest.CaptureFixture[str], hills: Path) -> None:
    (hills / "more.yaml").write_text("counters:\n  - {counter: Dew, on: player}\n", encoding="utf-8")
    assert cli.main(["check", "hills"]) == 0
    assert cli.main(["check", "hills", "--strict"]) == 1
    assert "warning[unused-name]" in capsys.readouterr().out
    assert cli.main(["check", "hills/cards.yaml", "--strict"]) == 0, "the warning lies in another file"


def test_a_mod_is_told_of_what_is_its_own(capsys: pytest.CaptureFixture[str], hills: Path) -> None:
    assert cli.main(["new", "mod", "Low Cards", "--extends", "crazy_eights"]) == 0
    assert check_pack(Path("low-cards"), strict=True)[0] == []
    Path("low-cards/more.yaml").write_text("counters:\n  - {counter: Dew, on: player}\n", encoding="utf-8")
    assert [d.code for d in check_pack(Path("low-cards"), strict=True)[0]] == ["unused-name"]


@pytest.mark.slow
def test_all_that_is_shipped_is_clean(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["check", "--strict", str(ROOT / "content"), str(ROOT / "schemas" / "skeletons" / "game")]) == 0, (
        capsys.readouterr().out
    )
