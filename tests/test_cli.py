"""cli: commands, exit codes, and where installed content lies."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from interpreter import cli, data

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture
def mod(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "frost"
    folder.mkdir()
    (folder / "mod.yaml").write_text("language: 1\nname: Frost\nextend: meadows\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return folder


def test_help_and_wrong_usage(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["--help"]) == 0
    assert "check" in capsys.readouterr().out
    assert cli.main(["chek"]) == 2
    assert 'did you mean "check"?' in capsys.readouterr().err
    assert cli.main(["check", "no/such/folder"]) == 2
    assert cli.main(["check", "--nonsense"]) == 2


def test_every_command_of_the_table_is_there() -> None:
    for name, (module, line) in cli.COMMANDS.items():
        assert (ROOT / "interpreter" / "commands" / f"{module}.py").is_file() and line.endswith("."), name


def test_check_names_files_as_the_argument_led_to_them(mod: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["check", "frost", "--format", "json"]) == 1
    found = json.loads(capsys.readouterr().out)
    shown = [(d["file"], d["line"], d["column"], d["end_column"], d["code"], d["suggestion"]) for d in found]
    assert ("frost/mod.yaml", 3, 1, 7, "unknown-field", "extends") in shown
    assert cli.main(["check", "frost/mod.yaml", "--format", "concise"]) == 1
    assert "frost/mod.yaml:3:1: error[unknown-field]: " in capsys.readouterr().out


def test_explain(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["explain", "yaml-colon"]) == 0
    out = capsys.readouterr().out
    assert out.startswith("error[yaml-colon]: ") and "text: |\n      Choose one" in out
    assert cli.main(["explain", "yaml-colom"]) == 2
    assert 'did you mean "yaml-colon"?' in capsys.readouterr().err


def test_ctrl_c_and_a_closed_pipe(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(cli.cardscript, "main", interrupted)
    assert cli.main(["check"]) == 130
    command = f"{sys.executable} -m interpreter explain yaml-colon | true"
    done = subprocess.run(["bash", "-c", command], cwd=ROOT, capture_output=True, text=True)
    assert done.stderr == ""


def test_help_imports_no_command() -> None:
    code = (
        "import sys; from interpreter.cli import main; main(['--help']); "
        "heavy = ('yaml', 'lark', 'jsonschema', 'rich', 'interpreter.commands'); "
        "print([m for m in sys.modules if m.startswith(heavy)])"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.strip().endswith("[]")


def test_a_bare_name_is_installed_content_and_never_the_working_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for path in ("installed/content/meadows", "installed/content/reference/dots", "here/hills"):
        (tmp_path / path).mkdir(parents=True)
        (tmp_path / path / "game.yaml").write_text("", encoding="utf-8")
    (tmp_path / "installed/content/shared").mkdir()
    monkeypatch.setattr(data, "data_folder", lambda: tmp_path / "installed")
    monkeypatch.chdir(tmp_path / "here")
    assert [(g.name, g.reference) for g in data.list_games()] == [("meadows", False), ("dots", True)]
    assert data.find_game("meadows") == tmp_path / "installed/content/meadows"
    assert data.find_game("dots") == tmp_path / "installed/content/reference/dots"
    assert data.find_game("./hills") == Path("hills")
    assert [data.find_game(name) for name in ("hills", "reference", "shared", "../here/none", "", "..", "a\x00b")] == [
        None
    ] * 7
    assert data.find_pack("shared") == tmp_path / "installed/content/shared"


@pytest.mark.skipif(os.name == "nt", reason="modes of POSIX")
def test_the_cache_is_the_users_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CARDSCRIPT_CACHE", str(tmp_path / "a" / "b"))
    assert data.cache_folder() == tmp_path / "a" / "b"
    assert (tmp_path / "a" / "b").stat().st_mode & 0o777 == 0o700
    (tmp_path / "open").mkdir()
    (tmp_path / "open").chmod(0o777)
    monkeypatch.setenv("CARDSCRIPT_CACHE", str(tmp_path / "open"))
    assert data.cache_folder() is None
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("CARDSCRIPT_CACHE", str(tmp_path / "file"))
    assert data.cache_folder() is None
    monkeypatch.setenv("CARDSCRIPT_CACHE", "")
    assert data.cache_folder() is None
    monkeypatch.delenv("CARDSCRIPT_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "x"))
    assert data.cache_folder() == tmp_path / "x" / "cardscript"
