"""new: in, names and games; asserted, that what is made checks, plays and passes its own scenario, over nothing."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from interpreter import load_game
from interpreter.read import read_pack
from tests.running import run

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def files(folder: Path) -> dict[str, str]:
    return {
        p.relative_to(folder).as_posix(): hashlib.sha256(p.read_bytes()).hexdigest()
        for p in sorted(folder.rglob("*"))
        if p.is_file()
    }


def fine(capsys: pytest.CaptureFixture[str], path: str, passed: int) -> None:
    code, out, _ = run(capsys, "check", path, "--strict")
    assert code == 0 and out.startswith("no findings in ")
    assert run(capsys, "test", path)[:2] == (0, f"{passed} passed, 0 failed\n")


def test_a_game_a_card_and_a_scenario(capsys: pytest.CaptureFixture[str], here: Path) -> None:
    code, out, _ = run(capsys, "new", "game", "Rolling Hills")
    assert code == 0 and out.endswith("go on with: cardscript play ./rolling-hills\n")
    fine(capsys, "rolling-hills", 3)
    state = load_game("./rolling-hills").new(players=3)
    state.playout(1)
    assert state.over
    assert run(capsys, "new", "card", "./rolling-hills")[0] == 0
    assert run(capsys, "new", "card", "./rolling-hills", "--name", "Big Gift", "--kind", "card")[0] == 0
    assert run(capsys, "new", "scenario", "./rolling-hills", "--name", "How it begins")[0] == 0
    fine(capsys, "rolling-hills", 6)
    assert {"New Card", "Big Gift"} <= set(load_game("./rolling-hills").names.values())
    assert "choose: " in Path("rolling-hills/scenarios/how-it-begins.yaml").read_text(encoding="utf-8")
    for file in read_pack(Path("rolling-hills")).files:
        where = file.text.split("\n")[0].removeprefix("# yaml-language-server: $schema=")
        assert (here / "rolling-hills" / file.name).parent.joinpath(where).is_file()


def test_a_mod_of_an_installed_game(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(capsys, "new", "mod", "Low Cards", "--extends", "crazy_eights", "--in", ".")[0] == 0
    fine(capsys, "low-cards", 1)
    assert run(capsys, "new", "card", "crazy_eights", "--mod", "low-cards", "--name", "Joker")[0] == 0
    assert run(capsys, "new", "scenario", "crazy_eights", "--mod", "low-cards")[0] == 0
    fine(capsys, "low-cards", 3)
    assert "joker" in load_game("crazy_eights", ["low-cards"]).names


@pytest.mark.slow
def test_a_card_that_must_say_much(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(capsys, "new", "mod", "Frost", "--extends", "clandestine", "--kind", "secret")[0] == 0
    fine(capsys, "frost", 1)
    assert "Gain 1 " in Path("frost/new-secret.yaml").read_text(encoding="utf-8")


def test_nothing_is_written_over(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(capsys, "new", "game", "Hills")[0] == 0
    assert run(capsys, "new", "card", "./hills", "--name", "Gift")[0] == 0
    before = files(Path("hills"))
    assert run(capsys, "new", "game", "hills")[0] == 2
    assert run(capsys, "new", "card", "./hills", "--name", "Gift")[0] == 2
    Path("hills/bell.yaml").write_text("# mine\n", encoding="utf-8")
    code, _, err = run(capsys, "new", "card", "./hills", "--name", "Bell")
    assert code == 2 and "bell.yaml" in err
    assert Path("hills/bell.yaml").read_text(encoding="utf-8") == "# mine\n"
    Path("hills/bell.yaml").unlink()
    assert files(Path("hills")) == before


def test_what_cannot_be_made(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(capsys, "new", "card", "kuhn_poker")[0] == 2, "an installed game is not changed"
    assert run(capsys, "new", "card", "nowhere")[0] == 2
    assert run(capsys, "new", "mod", "Frost", "--extends", "nowhere")[0] == 2
    assert run(capsys, "new", "mod", "Frost", "--extends", "./hills")[0] == 2
    assert run(capsys, "new", "game", "../Hills")[0] == 2
    assert run(capsys, "new", "game", "漢")[0] == 2
    code, _, err = run(capsys, "new", "mod", "Rows", "--extends", "tic_tac_toe")
    assert code == 2 and "--kind" in err
    assert run(capsys, "new", "mod", "Rows", "--extends", "tic_tac_toe", "--kind", "Lien")[0] == 2
    assert not list(Path().iterdir())


def test_content_with_errors_gets_no_card(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(capsys, "new", "game", "Hills")[0] == 0
    cards = Path("hills/cards.yaml")
    cards.write_text(cards.read_text(encoding="utf-8").replace("Gain 1 Point", "Gain 1 Piont"), encoding="utf-8")
    code, _, err = run(capsys, "new", "card", "./hills")
    assert code == 1 and 'did you mean "Point"?' in err
    assert not Path("hills/new-card.yaml").exists()
