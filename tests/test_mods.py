"""mods: in, tests/mods/ copied to where an outsider's would lie; asserted, that it is checked, tried, played, counted.

README, "A society of your own", tells how the society there was made; what it says of files and commands is held here.
"""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest

from interpreter import ContentError, cli, load_game
from interpreter.diagnostics import Diagnostic
from interpreter.read import read_pack

ROOT = Path(__file__).resolve().parent.parent
LODGE = "the-clockmakers-lodge"
OTHERS = ["the-garden-club", "the-twilight-masks", "the-blue-army", "the-serpent-keepers"]


@pytest.fixture
def mod(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The mod in a folder of its own, far from the game, which is the working folder."""
    folder = tmp_path / "clockmakers"
    shutil.copytree(ROOT / "tests" / "mods" / "clockmakers", folder)
    monkeypatch.chdir(folder)
    return folder


def test_it_is_yaml_alone(mod: Path) -> None:
    assert {path.suffix for path in mod.rglob("*") if path.is_file()} == {".yaml"}
    pack = read_pack(mod)
    assert pack.findings == []
    assert {file.name for file in pack.files} == {"mod.yaml", "lodge.yaml", "scenarios/lodge.yaml"}


def test_it_is_checked_and_its_scenarios_pass(mod: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["check"]) == 0
    assert capsys.readouterr().out.startswith("no findings in ")
    assert cli.main(["test"]) == 0
    assert re.search(r"^1\d passed, 0 failed$", capsys.readouterr().out, re.MULTILINE)


def test_a_scenario_that_does_not_hold_fails(mod: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = mod / "lodge.yaml"
    path.write_text(path.read_text(encoding="utf-8").replace("be twice Drums", "be Drums"), encoding="utf-8")
    assert cli.main(["test"]) == 1
    assert "A clock that runs down strikes by itself" in capsys.readouterr().out


@pytest.mark.parametrize("count", [2, 3, 4, 5])
def test_it_is_simulated(mod: Path, count: int) -> None:
    players = ",".join([LODGE, *OTHERS][:count])
    command = ["simulate", "clandestine", "--mod", ".", "--players", players, "--games", "2", "--out", "out.json"]
    assert cli.main(command) == 0
    told = json.loads((mod / "out.json").read_text(encoding="utf-8"))
    assert told["outcomes"] == {"won": 2}
    assert told["factions"][LODGE]["games"] == 2
    assert told["errors"] == []
    assert len(told["mods"]) == 1


def test_it_is_played(mod: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = ["play", "clandestine", "--mod", str(mod), "--players", f"{LODGE},the-blue-army", "--seed", "3"]
    assert cli.main([*command, "--auto", "--save", "game.json"]) == 0
    shown = capsys.readouterr().out
    assert "Wind Up" in shown
    assert "The game is over: won by player 1 (The Clockmakers' Lodge)" in shown
    assert cli.main(["replay", "game.json", "--quiet"]) == 0
    assert "the game is over: won" in capsys.readouterr().out


def test_it_leaves_the_games_own_texts_alone() -> None:
    bare = load_game("clandestine")
    with_it = load_game("clandestine", [str(ROOT / "tests" / "mods" / "clockmakers")])
    assert set(with_it.factions) - set(bare.factions) == {LODGE}
    assert with_it.digest != bare.digest
    assert {k: v for k, v in with_it.names.items() if k in bare.names} == bare.names


def small(folder: Path, name: str, text: str) -> str:
    (folder / name).mkdir(parents=True)
    head = f"language: 1\nname: {name.capitalize()}\nextends: clandestine\n"
    (folder / name / "mod.yaml").write_text(head, encoding="utf-8")
    (folder / name / "more.yaml").write_text(text, encoding="utf-8")
    return str(folder / name)


MORE = """relics:
  - {name: %s, %svalue: 1, icons: {Sword: 1}, intrigue value: 1, from: original}
"""


def test_the_order_of_mods_never_matters(tmp_path: Path) -> None:
    mods = [
        small(tmp_path, "alder", MORE % ("Alder Flute", "")),
        small(tmp_path / "far", "birch", MORE % ("Birch Drum", "")),
        str(ROOT / "tests" / "mods" / "clockmakers"),
    ]
    games = [load_game("clandestine", order) for order in (mods, mods[::-1], [mods[1], mods[2], mods[0]])]
    assert len({game.digest for game in games}) == 1
    assert len({tuple(game.names.items()) for game in games}) == 1
    states = [game.new(players=[LODGE, "the-garden-club"], seed=5) for game in games]
    for state in states:
        state.playout(1)
    assert len({state.digest() for state in states}) == 1


def refusals(first: Path, second: Path) -> list[Diagnostic]:
    """The one finding for which two mods are refused together, in both orders."""
    out = []
    for order in ([first, second], [second, first]):
        with pytest.raises(ContentError) as raised:
            load_game("clandestine", order)
        (found,) = raised.value.diagnostics
        out.append(found)
    return out


def test_two_that_replace_one_record_are_an_error_naming_both(tmp_path: Path) -> None:
    first = small(tmp_path, "alder", MORE % ("Alder Cup", "replaces: wooden-cup, "))
    second = small(tmp_path, "birch", MORE % ("Birch Cup", "replaces: wooden-cup, "))
    for found in refusals(first, second):
        assert found.code == "replaced-twice"
        assert Path(found.file).parent.name == "birch"
        assert "alder/more.yaml:2" in found.message


def test_two_mods_of_one_name_are_an_error(tmp_path: Path) -> None:
    first = small(tmp_path / "near", "alder", MORE % ("Alder Cup", ""))
    second = small(tmp_path / "far", "alder", MORE % ("Birch Cup", ""))
    assert [found.code for found in refusals(first, second)] == ["duplicate-name"] * 2


def test_one_that_removes_what_another_replaces_is_an_error(tmp_path: Path) -> None:
    first = small(tmp_path, "alder", MORE % ("Alder Cup", "replaces: wooden-cup, "))
    second = small(tmp_path, "birch", "relics: []\n")
    with (tmp_path / "birch" / "mod.yaml").open("a", encoding="utf-8") as head:
        head.write("removes: [wooden-cup]\n")
    for found in refusals(first, second):
        assert found.code == "replaced-twice"
        assert Path(found.file).parent.name == "birch"
        assert "alder/more.yaml:2" in found.message


def test_the_readme_tells_of_it_truly() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    (section,) = re.findall(r"^## A society of your own\n(.*?)^## ", readme, re.MULTILINE | re.DOTALL)
    texts = {p.name: p.read_text(encoding="utf-8") for p in (ROOT / "tests/mods/clockmakers").glob("*.yaml")}
    blocks = re.findall(r"^ *```yaml\n(.*?)^ *```", section, re.MULTILINE | re.DOTALL)
    assert len(blocks) >= 3
    for block in blocks:
        lines = [line.strip() for line in block.splitlines() if line.strip() not in ("", "…")]
        whole = [line.strip() for text in texts.values() for line in text.splitlines()]
        assert [line for line in lines if line not in whole] == []
