"""first hour: in, the README's section "A designer's first hour"; asserted, that each command prints what stands there.

A fence of YAML whose comment names a file is written to that file; in a fence of commands, what stands below `$ …` is what
it prints, where `…` alone stands for any lines, and within a line for anything.
"""

from __future__ import annotations

import io
import re
import shlex
from pathlib import Path

import pytest
import yaml

from interpreter import cli

ROOT = Path(__file__).resolve().parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
SECTION = README.partition("## A designer's first hour\n")[2].partition("\n## ")[0]


def fences() -> list[tuple[str, str]]:
    return re.findall(r"^```(\w*)\n(.*?)^```$", SECTION, re.MULTILINE | re.DOTALL)


def pattern(lines: list[str]) -> str:
    """A regular expression for what a command prints."""
    parts = []
    for line in lines:
        parts.append(r"(?:.*\n)*?" if line == "…" else re.escape(line).replace("…", ".*") + r"\n")
    return "".join(parts)


def test_each_command_prints_what_stands_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.stdin", io.StringIO(""))
    ran = []
    for language, text in fences():
        if language == "yaml":
            name = re.search(r"^# ([\w./-]+\.yaml)$", text, re.MULTILINE)
            assert name is not None, text
            path = tmp_path / name[1]
            path.parent.mkdir(exist_ok=True)
            path.write_text(text, encoding="utf-8")
            continue
        for part in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]:
            typed, *printed = part.rstrip("\n").split("\n")
            words = shlex.split(typed)
            assert words[0] == "cardscript"
            cli.main(words[1:])
            shown = capsys.readouterr()
            assert re.fullmatch(pattern(printed), shown.out), f"$ {typed}\n{shown.out}{shown.err}"
            ran.append(words[1])
    assert ran == ["new", "new", "check", "fmt", "check", "try", "test", "simulate"]


def test_the_readme_speaks_of_the_hooks_that_there_are() -> None:
    (config,) = (yaml.safe_load(text) for language, text in fences() if "pre-commit" in text)
    hooks = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
    assert [h["id"] for h in config["repos"][0]["hooks"]] == [h["id"] for h in hooks]
    assert (ROOT / "tools" / "ci" / "cardscript.yml").is_file() and "tools/ci/cardscript.yml" in SECTION
