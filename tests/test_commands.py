"""commands: list, check and explain: what they print, in which format, and their exit codes."""

from __future__ import annotations

import json
import re
import resource
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from interpreter import cli
from tests.running import run

ROOT = Path(__file__).resolve().parent.parent
TIC = ROOT / "content" / "reference" / "tic_tac_toe"
GAME = """\
language: 1
name: Meadows
version: 1.0.0
players: [2, 3]
factions: Clan
kinds:
  - kind: Clan
    key: clans
  - kind: Leaf
    plural: Leaves
    card: true
    fields:
      Text: text
counters:
  - counter: Dew
    on: player
    most: 20
zones:
  - zone: Pile
    deck: true
    holds: [Leaf]
turn:
  - step: Morning
    text: |
      Gain 1 Dew.
      If your Dew is at least 3, you win the game.
"""
LEAVES = """\
leaves:
  - name: Ash
    copies: 3
    from: rulebook
    text: Gain 2 Dew.
  - name: Birch
    from: public
    text: |
      Lose 1 Dew.
"""
CLANS = """\
clans:
  - name: The Millers
  - name: The Reapers
"""


@pytest.fixture
def meadows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "meadows"
    folder.mkdir()
    for name, text in (("game.yaml", GAME), ("leaves.yaml", LEAVES), ("clans.yaml", CLANS)):
        (folder / name).write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return folder


# ---------------------------------------------------------------- list


def test_list_names_the_games(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    code, out, _ = run(capsys, "list")
    assert code == 0
    assert any(line.split() == ["tic_tac_toe", "2", "Tic-Tac-Toe", "(reference)"] for line in out.splitlines())


def test_list_counts_records_by_kind_and_origin(capsys: pytest.CaptureFixture[str], meadows: Path) -> None:
    code, out, _ = run(capsys, "list", "./meadows")
    assert code == 0
    lines = out.splitlines()
    assert lines[:2] == ["Meadows 1.0.0", "players   2 to 3"]
    assert "  the-millers  The Millers" in lines
    rows = [line.split() for line in lines]
    assert ["records", "rulebook", "public", "original", "in", "all", "things"] in rows
    assert ["Clan", "0", "0", "2", "2", "2"] in rows
    assert ["Leaf", "1", "1", "0", "2", "4"] in rows
    assert ["all", "1", "1", "2", "4", "6"] in rows


def test_list_finds_the_mods_of_a_game(capsys: pytest.CaptureFixture[str], meadows: Path) -> None:
    for name, base in (("frost", "tic_tac_toe"), ("haze", "meadows")):
        Path(name).mkdir()
        Path(name, "mod.yaml").write_text(f"language: 1\nname: {name.title()}\nextends: {base}\n", encoding="utf-8")
    _, out, _ = run(capsys, "list")
    assert ["frost", "tic_tac_toe", "Frost"] in [line.split() for line in out.splitlines()]
    _, out, _ = run(capsys, "list", "tic_tac_toe")
    assert "frost" in out and "haze" not in out


def test_list_of_what_there_is_not(capsys: pytest.CaptureFixture[str], meadows: Path) -> None:
    code, _, err = run(capsys, "list", "tictactoe")
    assert code == 2 and 'did you mean "tic_tac_toe"?' in err
    assert run(capsys, "list", "meadows")[0] == 2, "a bare name is never of the working folder"
    (meadows / "leaves.yaml").write_text("leafs: []\n", encoding="utf-8")
    code, _, err = run(capsys, "list", "./meadows")
    assert code == 1 and "meadows/leaves.yaml:1:1: error[unknown-field]" in err


# ---------------------------------------------------------------- check


def test_check_of_games_that_are_fine(capsys: pytest.CaptureFixture[str], meadows: Path) -> None:
    assert run(capsys, "check", "tic_tac_toe", "meadows") == (0, "no findings in 5 files\n", "")
    assert run(capsys, "check", "meadows", "--format", "json") == (0, "[]\n", "")
    assert run(capsys, "check", "meadows", "--format", "concise") == (0, "", "")


def test_check_finds_faults_in_texts_at_the_word(capsys: pytest.CaptureFixture[str], meadows: Path) -> None:
    (meadows / "leaves.yaml").write_text(LEAVES.replace("Lose 1 Dew", "Lose 1 Daw"), encoding="utf-8")
    code, out, _ = run(capsys, "check", "meadows", "--format", "json")
    (found,) = json.loads(out)
    assert code == 1
    assert found["message"] and {key: found[key] for key in found if key != "message"} == {
        "file": "meadows/leaves.yaml",
        "line": 9,
        "column": 14,
        "end_line": 9,
        "end_column": 17,
        "severity": "error",
        "code": "unknown-name",
        "suggestion": "Dew",
    }
    assert list(found) == [
        "file", "line", "column", "end_line", "end_column", "severity", "code", "message", "suggestion",
    ]  # fmt: skip
    code, out, _ = run(capsys, "check", "meadows/leaves.yaml")
    assert code == 1 and "      Lose 1 Daw.\n" in out and '^^^ did you mean "Dew"?' in out
    assert out.endswith("1 error in 1 file\n")
    assert run(capsys, "check", "meadows/game.yaml")[0] == 0, "the fault lies in another file"
    _, out, _ = run(capsys, "check", "meadows", "--format", "github")
    assert out.startswith("::error file=meadows/leaves.yaml,line=9,")
    _, out, _ = run(capsys, "check", "meadows", "--format", "sarif")
    assert json.loads(out)["runs"][0]["results"][0]["ruleId"] == "unknown-name"


def test_check_of_the_folder_one_stands_in(
    capsys: pytest.CaptureFixture[str], meadows: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (meadows / "leaves.yaml").write_text(LEAVES.replace("Gain 2", "Gayn 2"), encoding="utf-8")
    monkeypatch.chdir(meadows)
    code, out, _ = run(capsys, "check", ".", "--format", "concise")
    assert code == 1 and out.startswith("leaves.yaml:5:")


def test_check_without_path_takes_the_content_of_the_working_folder(
    capsys: pytest.CaptureFixture[str], meadows: Path
) -> None:
    Path("content").mkdir()
    shutil.move(str(meadows), "content/meadows")
    shutil.copytree(TIC, "content/reference/tic_tac_toe")
    assert run(capsys, "check") == (0, "no findings in 5 files\n", "")
    Path("content/meadows/clans.yaml").write_text("clans:\n  - name: X\n    nmae: Y\n", encoding="utf-8")
    code, out, _ = run(capsys, "check", "--format", "concise")
    assert code == 1 and "content/meadows/clans.yaml:3:5: error[unknown-field]" in out


def test_warnings_are_fine_unless_strict(capsys: pytest.CaptureFixture[str], meadows: Path) -> None:
    (meadows / "more.yml").write_text("leaves: []\n", encoding="utf-8")
    code, out, _ = run(capsys, "check", "meadows", "--format", "concise")
    assert code == 0 and "warning[wrong-suffix]" in out
    assert run(capsys, "check", "meadows", "--strict")[0] == 1


def test_check_reads_the_scenarios(capsys: pytest.CaptureFixture[str], meadows: Path) -> None:
    (meadows / "scenarios").mkdir()
    story = "scenarios:\n  - name: One\n    then:\n      - Dew of player 1 = 1\n      - Daw of player 1 = 1\n"
    (meadows / "scenarios" / "one.yaml").write_text(story, encoding="utf-8")
    code, out, _ = run(capsys, "check", "meadows", "--format", "concise")
    assert code == 1 and out.startswith("meadows/scenarios/one.yaml:5:9: error[unknown-name]")
    shutil.move("meadows/scenarios/one.yaml", "one.yaml")
    Path("one.yaml").write_text("game: ./meadows\n" + story, encoding="utf-8")
    code, out, _ = run(capsys, "check", "one.yaml", "--format", "concise")
    assert code == 1 and out.startswith("one.yaml:6:9: error[unknown-name]")


def test_check_of_a_mod(capsys: pytest.CaptureFixture[str], meadows: Path) -> None:
    mod = Path("frost")
    mod.mkdir()
    (mod / "mod.yaml").write_text("language: 1\nname: Frost\nextends: tic_tac_to\n", encoding="utf-8")
    code, out, _ = run(capsys, "check", "frost", "--format", "json")
    (found,) = json.loads(out)
    assert (code, found["code"], found["suggestion"]) == (1, "unknown-game", "tic_tac_toe")
    assert (found["file"], found["line"], found["column"]) == ("frost/mod.yaml", 3, 10)
    (mod / "mod.yaml").write_text("language: 1\nname: Frost\nextends: tic_tac_toe\n", encoding="utf-8")
    (mod / "lines.yaml").write_text("lines:\n  - {name: Row 4, cells: [A1, B4]}\n", encoding="utf-8")
    code, out, _ = run(capsys, "check", "frost", "--format", "concise")
    assert code == 1 and out.startswith("frost/lines.yaml:2:")
    (mod / "lines.yaml").write_text("lines:\n  - {name: Row 4, cells: [A1, B3]}\n", encoding="utf-8")
    assert run(capsys, "check", "frost")[0] == 0


def test_check_of_what_there_is_not(capsys: pytest.CaptureFixture[str], meadows: Path) -> None:
    for path in ("nowhere", "./nowhere", "no/where.yaml"):
        assert run(capsys, "check", path)[0] == 2
    assert run(capsys, "check", "meadows", "--format", "xml")[0] == 2


# ---------------------------------------------------------------- explain


def test_explain_a_record(capsys: pytest.CaptureFixture[str], meadows: Path) -> None:
    code, out, _ = run(capsys, "explain", "./meadows", "birch")
    assert code == 0
    assert out.startswith(("Birch (Leaf, ./meadows/leaves.yaml:6)", "Birch (Leaf, meadows/leaves.yaml:6)"))
    assert "\ntext:\n    Lose 1 Dew.\n" in out
    assert "\ncanonical:\n    Lose 1 Dew.\n" in out
    assert "\ntree:\n    Text\n      sentences: Act verb=lose\n" in out
    assert "(you)" in out and "\npython (effect, frames):\n    def b" in out


def test_explain_a_step_with_what_it_asks(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "explain", "tic_tac_toe", "Mark")
    assert code == 0 and out.startswith("Mark (step)\n")
    assert "Choose a free Cell (thing, 1 to 1)" in out and "    x0  player (you)" in out
    _, out, _ = run(capsys, "explain", "tic_tac_toe", "row", "1")
    assert out.startswith("Row 1 (Line, ") and "it has no text" in out


def test_explain_what_there_is_not(capsys: pytest.CaptureFixture[str], meadows: Path) -> None:
    code, _, err = run(capsys, "explain", "tic_tac_toe", "Rwo 1")
    assert code == 2 and '"Row 1"' in err
    assert run(capsys, "explain", "tik_tac_toe", "Mark")[0] == 2
    assert run(capsys, "explain")[0] == 2
    (meadows / "leaves.yaml").write_text(LEAVES.replace("Dew", "Daw"), encoding="utf-8")
    code, _, err = run(capsys, "explain", "./meadows", "Ash")
    assert code == 1 and "error[unknown-name]" in err and "Gain 2 Daw." in err


# ---------------------------------------------------------------- all of them


def test_help_is_quick() -> None:
    def took() -> float:
        """Seconds of processor time: what else runs on the machine does not count."""
        start = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([sys.executable, "-m", "interpreter", "--help"], cwd=ROOT, check=True, capture_output=True)
        end = resource.getrusage(resource.RUSAGE_CHILDREN)
        return end.ru_utime + end.ru_stime - start.ru_utime - start.ru_stime

    assert any(took() < 0.15 for _ in range(25)), "and other processes may be busy for a while"


@pytest.mark.parametrize("name", sorted(cli.COMMANDS))
def test_every_command_has_help(capsys: pytest.CaptureFixture[str], name: str) -> None:
    code, out, _ = run(capsys, name, "--help")
    assert code == 0 and out.startswith(f"Usage: cardscript {name}") and run(capsys, name, "--nonsense")[0] == 2


def test_the_tools_measure(tmp_path: Path) -> None:
    command = [sys.executable, "tools/bench", "tic_tac_toe", "--seconds", "0.01"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    for row in ("by playout()", "by options and apply", "times the loop by hand", "clone in mid-game", "check, cold"):
        assert row in done.stdout


def test_check_writes_sarif_with_paths_below_the_working_folder(
    capsys: pytest.CaptureFixture[str], meadows: Path
) -> None:
    (meadows / "leaves.yaml").write_text(LEAVES.replace("Gain 2 Dew", "Gain 漢 Dwe"), encoding="utf-8")
    code, out, _ = run(capsys, "check", "meadows", "--format", "sarif")
    results = json.loads(out)["runs"][0]["results"]
    places = [r["locations"][0]["physicalLocation"] for r in results]
    assert code == 1 and {p["artifactLocation"]["uri"] for p in places} == {"meadows/leaves.yaml"}
    assert [p["region"]["startColumn"] for p in places] == [16, 18]


def test_mutants_are_refused_at_the_word() -> None:
    command = [sys.executable, "tools/mutate", "kuhn_poker", "--mutants", "150", "--seed", "3"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    refused, at_word, legal = (float(found) for found in re.findall(r"\(([\d.]+) %\)", done.stdout))
    assert refused >= 99 and at_word >= 96 and legal <= 5, done.stdout


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["explain", "nim"], "nim is a game: say what of it, as in: cardscript explain nim NAME"),
        (["explain", "agreemint"], 'there is no code "agreemint"; did you mean "agreement"?'),
        (["schema", "nim", "--kind", "heep"], 'this game has no kind "heep" with records; did you mean "Heap"?'),
        (["list", "nimm"], 'there is no game "nimm"; did you mean "nim"?'),
        (["simulate", "nim", "--games", "x"], "'x' is not a valid number"),
        (["explain", "tic_tac_toe", ""], 'nothing in this game is called ""\n'),
        (["play", "nim", "--auto", "--save", "."], "--save: . is a folder; name a file in it"),
        (["try", "nim", "Heap", "--save", "none/x"], "--save: none is no folder to write a file in"),
        (["simulate", "nim", "--games", "1", "--out", "none/x.csv"], "--out: none is no folder to write a file in"),
        (["replay", "none.json"], 'there is no file "none.json"'),
        (["lst"], 'there is no command "lst"; did you mean "list"?'),
        (["fmt", "loose.yaml"], "loose.yaml: this file lies in no game's folder"),
    ],
)
def test_what_there_is_not_is_told_with_what_there_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], words: list[str], says: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "loose.yaml").write_text("charms: []\n", encoding="utf-8")
    code, _, err = run(capsys, *words)
    assert says in err and code == (1 if words[0] == "fmt" else 2)


def test_a_loose_file_of_scenarios_is_checked_on_the_game_it_names(
    meadows: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (meadows.parent / "loose.yaml").write_text(
        "game: ./meadows\nscenarios:\n  - name: A\n    then: [1 = 1, Glod = 1]\n", encoding="utf-8"
    )
    code, out, _ = run(capsys, "check", "loose.yaml", "--format", "concise")
    assert code == 1 and out.startswith("loose.yaml:4:19: error[unknown-name]")
    (meadows / "more.yaml").write_text("leaves:\n  - {name: Bad, text: Gain 1 Glod.}\n", encoding="utf-8")
    code, out, _ = run(capsys, "check", "loose.yaml", "--format", "concise")
    assert (code, out) == (1, "loose.yaml:3:5: error[unknown-game]: meadows has errors: check it first\n")


@pytest.mark.parametrize("tool", ["uses", "reference", "schemas"])
def test_tools_that_write_say_what_they_take_before_they_do(tool: str) -> None:
    before = (ROOT / "grammar" / "README.md").stat().st_mtime_ns
    for words, code in (["--help"], 0), (["--bogus"], 2):
        done = subprocess.run([sys.executable, f"tools/{tool}", *words], cwd=ROOT, capture_output=True, text=True)
        assert done.returncode == code and "usage: " in done.stdout + done.stderr
    assert (ROOT / "grammar" / "README.md").stat().st_mtime_ns == before
