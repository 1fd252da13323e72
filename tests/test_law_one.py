"""law one: no game in the engine. In: identifiers and strings of interpreter/, grammar/ and schemas/, and the names that
the games' content declares. Out: every meeting of the two that tests/general_words.txt does not allow.
"""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).resolve().parent.parent


def general_words() -> dict[str, str]:
    """Word → reason."""
    out = {}
    for line in (ROOT / "tests" / "general_words.txt").read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            word, _, reason = line.partition(":")
            out[word.strip()] = reason.strip()
    return out


def game_words() -> dict[str, str]:
    """Lower-case declared name → the game that declares it. Reference games are common property."""
    found: dict[str, str] = {}
    for file in sorted((ROOT / "content").rglob("*.yaml")):
        game = file.relative_to(ROOT / "content").parts[0]
        if game in ("reference", "common") or "scenarios" in file.parts:
            continue
        for name in names_in(yaml.load(file.read_text(encoding="utf-8"), yaml.BaseLoader)):
            found.setdefault(name.lower(), game)
    return found


def names_in(node: object) -> list[str]:
    out: list[str] = []
    if isinstance(node, dict):
        for key, value in node.items():
            if key in ("kind", "counter", "zone", "name", "path") and isinstance(value, str):
                out.append(value)
            else:
                out += names_in(value)
    elif isinstance(node, list):
        for item in node:
            out += names_in(item)
    return out


def engine_words() -> dict[str, str]:
    """Lower-case word of an identifier or string (docstrings and comments left out) → where it stands first."""
    found: dict[str, str] = {}

    def add(text: str, where: str) -> None:
        words = [word.lower() for word in re.findall(r"[A-Za-z][a-z]+|\d+", text)]
        for size in (1, 2, 3, 4):
            for at in range(len(words) - size + 1):
                found.setdefault(" ".join(words[at : at + size]), where)

    for file in sorted((ROOT / "interpreter").rglob("*.py")):
        if "_data" in file.parts:
            continue
        tree = ast.parse(file.read_text(encoding="utf-8"))
        prose = {
            id(n.body[0].value)
            for n in ast.walk(tree)
            if isinstance(n, (ast.Module, ast.FunctionDef, ast.ClassDef)) and n.body and isinstance(n.body[0], ast.Expr)
        }
        for node in ast.walk(tree):
            where = f"{file.relative_to(ROOT).as_posix()}:{getattr(node, 'lineno', 0)}"
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in prose:
                add(node.value, where)
            for attribute in ("id", "attr", "arg", "name"):
                value = getattr(node, attribute, None)
                if isinstance(value, str):
                    add(value.replace("_", " "), where)
    for file in sorted((ROOT / "grammar").glob("*.lark")):
        for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
            add(line.partition("//")[0].replace("_", " "), f"{file.relative_to(ROOT).as_posix()}:{number}")
    for file in sorted((ROOT / "schemas").glob("*.json")):
        add(file.read_text(encoding="utf-8"), file.relative_to(ROOT).as_posix())
    return found


def test_general_words_are_few_and_have_reasons() -> None:
    words = general_words()
    assert len(words) <= 60
    assert all(words.values())


def test_no_game_in_the_engine() -> None:
    games, allowed = game_words(), general_words()
    found = sorted(
        f"{where}: {word} ({games[word]})"
        for word, where in engine_words().items()
        if word in games and word not in allowed
    )
    assert not found, "\n".join(found)


@pytest.mark.parametrize("word", ["gold", "relic", "fundraise", "chaos"])
def test_the_test_can_fail(word: str) -> None:
    assert word in game_words()
    assert word not in general_words()
