"""hostile: in, content, saves and scenarios as an enemy would write them; asserted, that each is refused at its place or
bounded, within seconds, and that nothing of theirs becomes code or reaches the terminal as it is.

Small files stand in corpus.yaml; what is large is made here.
"""

from __future__ import annotations

import ast
import json
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
import yaml

from interpreter import ContentError, SaveError, cli, emitted, load_game
from interpreter.commands.check import check_pack
from interpreter.diagnostics import Diagnostic
from interpreter.load import load_compiled

CORPUS = yaml.safe_load((Path(__file__).parent / "corpus.yaml").read_text(encoding="utf-8"))
SECONDS = 20  # on a slow machine; most take a tenth of it


@pytest.fixture(autouse=True)
def in_seconds() -> Iterator[None]:
    start = time.monotonic()
    yield
    assert time.monotonic() - start < SECONDS


def pack(folder: Path, files: dict[str, str]) -> Path:
    for name, text in ({"game.yaml": CORPUS["game"]} | files).items():
        path = folder / "meadows" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="\n")
    return folder / "meadows"


def found(folder: Path) -> list[Diagnostic]:
    return check_pack(folder)[0]


def herb(text: str) -> str:
    return "herbs:\n  - name: Thistle\n    text: |\n" + "".join(f"      {line}\n" for line in text.split("\n"))


@pytest.mark.parametrize("case", CORPUS["cases"], ids=[case["name"] for case in CORPUS["cases"]])
def test_what_is_small_is_refused_at_its_place(tmp_path: Path, case: dict[str, Any]) -> None:
    findings = found(pack(tmp_path, {"more.yaml": case["text"]}))
    places = [(d.code, d.line, d.column) for d in findings if d.file.endswith("more.yaml")]
    assert (case["code"], *case["at"]) in places
    with pytest.raises(ContentError):
        load_game(str(tmp_path / "meadows"))


def many(count: int, key: str = "H") -> str:
    return "herbs:\n" + "".join(f"  - {{name: {key} {i}, glow: 1}}\n" for i in range(count))


LARGE = {
    "100,000 records": ({f"a{j}.yaml": many(10_000, f"H {j}") for j in range(10)}, "too-many"),
    "20 million things": ({"a.yaml": many(2000).replace("glow: 1", "copies: 1000")}, "too-many"),
    "numbers beyond all measure": (
        {"a.yaml": many(2000) + "counters:\n  - {counter: Soot, on: [{Herb: Herb}]}\n"},
        "too-many",
    ),
    "2,001 files": ({f"n{i}.yaml": "" for i in range(2001)}, "too-many"),
    "a file of 2 MiB": ({"a.yaml": "#" * (2 << 20)}, "too-large"),
    "a pack of 17 MiB": ({f"a{i}.yaml": "#" * (1 << 20) for i in range(17)}, "too-large"),
    "a bomb of aliases": (
        {"a.yaml": "a: &a [1, 1]\n" + "".join(f"{y}: &{y} [*{x}, *{x}]\n" for x, y in zip("abcdefghij", "bcdefghijk"))},
        "alias",
    ),
    "lists 100,000 deep": ({"a.yaml": "herbs: " + "[" * 100_000}, "too-deep"),
    "mappings 1,000 deep": ({"a.yaml": "".join(" " * i + "a:\n" for i in range(1000))}, "too-deep"),
    "kinds 2,000 deep": (
        {
            "a.yaml": "kinds:\n  - kind: K 0\n"
            + "".join(f"  - {{kind: K {i}, is: K {i - 1}}}\n" for i in range(1, 2000))
        },
        "too-deep",
    ),
    "100,000 keys": ({"a.yaml": "".join(f"k{i}: 1\n" for i in range(100_000))}, "too-many"),
    "2,000 faulty texts": ({"a.yaml": many(2000).replace("glow: 1", "text: Gian 1 Ember.")}, "too-many"),
    "parentheses": ({"a.yaml": herb("Gain Ember = " + "(" * 1500 + "1" + ")" * 1500 + ".")}, "too-deep"),
    "blocks": (
        {"a.yaml": herb("\n".join("  " * i + "If your Ember = 1:" for i in range(14)) + "\n" + " " * 28 + "Stop.")},
        "too-deep",
    ),
    "a sum of 500": ({"a.yaml": herb("Gain Ember = " + " plus ".join(["1"] * 500) + ".")}, "too-deep"),
    "nouns of nouns": ({"a.yaml": herb("Gain Ember = the Glow of " + "the first Herb of " * 60 + "you.")}, "too-deep"),
    "a text of 4,001 characters": ({"a.yaml": herb("Gain 1 Ember. " * 286)}, "too-long"),
    "a phrase of 3,000 words": (
        {"a.yaml": "phrases:\n  - phrase: " + "kindle " * 3000 + "\n    text: Gain 1 Ember.\n"},
        "too-long",
    ),
    "values of values, a thousand million in all": (
        {
            "a.yaml": "values:\n  - {value: 'the xq of {number n}', is: n}\n"
            + "".join(
                f"  - value: the {'x' * i}q of {{number n}}\n    is: the {'x' * (i - 1)}q of n plus the {'x' * (i - 1)}q of n\n"
                for i in range(2, 32)
            )
        },
        "too-deep",
    ),
    "a name of a million letters": ({"a.yaml": "herbs:\n  - name: " + "A" * 1_000_000}, "bad-name"),
}


@pytest.mark.parametrize("name", LARGE)
def test_what_is_large_is_refused(tmp_path: Path, name: str) -> None:
    files, code = LARGE[name]
    findings = found(pack(tmp_path, files))
    assert code in {d.code for d in findings}
    assert len(findings) < 1_100
    assert all(d.line >= 1 and d.column >= 1 and d.file for d in findings)


ENDLESS = {
    "phrases that call each other": "Kindle.",
    "a loop that changes nothing": "Repeat while your Ember is 0: lose 1 Ember.",
    "a thousand million passes, each of them as many": "Repeat 999999999 times: repeat 999999999 times: gain 1 Ember.",
    "squares of squares": "Let n be 3.\nRepeat 999999999 times: let n be n times n.",
    "rules set up for later, without end": "Repeat 90000 times: at the end of this turn, gain 1 Ember.",
    "a thousand million dice": "Roll 999999999 dice.",
}
PHRASES = """phrases:
  - phrase: kindle
    text: |
      Gain 1 Ember.
      Douse.
  - phrase: douse
    text: |
      Lose 1 Ember.
      Kindle.
"""


@pytest.mark.parametrize("name", ENDLESS)
def test_what_never_ends_ends_the_game(tmp_path: Path, name: str) -> None:
    main = "".join(f"      {line}\n" for line in ENDLESS[name].split("\n"))
    game = CORPUS["game"].replace("      Choose one: gain 1 Ember; or end the game.\n", main)
    state = load_game(str(pack(tmp_path, {"game.yaml": game, "more.yaml": PHRASES}))).new(seed=1)
    assert (state.outcome, state.winners) == ("endless", [])


TRIGGERS = """rules:
  - name: One
    text: |
      When a player gains Ember, that player loses 1 Ember.
      When a player loses Ember, that player gains 1 Ember.
"""
LOOPS = """rules:
  - name: One
    text: |
      If a player would gain Ember, that player gains 2 Ember instead.
  - name: Two
    text: |
      If a player would gain Ember, that player gains 1 Ember instead.
"""


def test_triggers_that_answer_themselves_end_the_game(tmp_path: Path) -> None:
    state = load_game(str(pack(tmp_path, {"more.yaml": TRIGGERS}))).new(seed=1)
    state.apply(state.actions[0])
    assert state.outcome == "endless"


def test_replacements_apply_once_each(tmp_path: Path) -> None:
    state = load_game(str(pack(tmp_path, {"more.yaml": LOOPS}))).new(seed=1)
    for _ in range(3):
        state.apply(state.actions[0])
    assert state.view(0)["players"][0]["counters"]["Ember"] in (1, 2, 3, 4)


# ---------------------------------------------------------------- code

NODES = """Module FunctionDef arguments arg Return Assign AugAssign Expr If For While Break Continue Pass Delete Name Load
    Store Del Constant Attribute Subscript Slice Tuple List Dict Starred Call keyword BinOp UnaryOp BoolOp Compare IfExp
    ListComp SetComp GeneratorExp comprehension Add Sub Mult FloorDiv Mod LShift BitAnd BitOr Not USub And Or Eq NotEq
    Lt LtE Gt GtE Is IsNot In NotIn"""
ALLOWED = set(NODES.split())
PARTS = {
    "append",
    "auto",
    "blocks",
    "explicit",
    "get",
    "index",
    "lg",
    "mods",
    "opts",
    "prog",
    "pend",
    "st",
    "v",
    "who",
    "z",
}  # of a state
WORDS = ["None", "True", "Class", "Lambda", "Import", "Self", "Def", "Eval", "Exec", "Print", "S", "V", "Del", "Yield"]


def test_nothing_of_a_mod_becomes_code(tmp_path: Path) -> None:
    """Names that are Python's words are fine names; the emitted code has the allowed nodes alone, and none of them."""
    files = {
        "herbs.yaml": "herbs:\n" + "".join(f"  - {{name: {word}, text: Gain 1 Ember.}}\n" for word in WORDS),
        "more.yaml": "counters:\n" + "".join(f"  - {{counter: {word}sy, on: player, most: 9}}\n" for word in WORDS)
        + "rules:\n  - name: import os\n    text: |\n" + "".join(f"      When a player gains {w}sy, that player gains 1 Ember.\n" for w in WORDS),
    }  # fmt: skip
    folder = pack(tmp_path, files)
    loaded = load_compiled(folder)
    assert loaded.compiled is not None
    assert [d for d in loaded.findings if d.severity == "error"] == []
    nodes = list(ast.walk(ast.parse(loaded.compiled.source)))
    assert {type(node).__name__ for node in nodes} <= ALLOWED
    assert {node.attr for node in nodes if isinstance(node, ast.Attribute)} <= PARTS
    called = {node.func.id for node in nodes if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)}
    assert not called & {"eval", "exec", "open", "getattr", "setattr", "compile", "__import__", "globals", "vars"}
    for node in nodes:
        name = node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""
        assert not name.startswith("_")
    load_game(str(folder)).new(seed=1).playout(1)


# ---------------------------------------------------------------- mods, scenarios, saves, the terminal

HEAD = "language: 1\nname: Bad\nextends: pig\n"
MODS = {
    "extends a path": ("language: 1\nname: Bad\nextends: ../../pig\n", "bad-value", (3, 10)),
    "extends an absolute path": ("language: 1\nname: Bad\nextends: /etc\n", "bad-value", (3, 10)),
    "extends nothing": ("language: 1\nname: Bad\nextends: piggy\n", "unknown-game", (3, 10)),
    "needs itself": (HEAD + "needs: [bad]\n", "circular-needs", (4, 9)),
    "needs a path": (HEAD + "needs: [../pig]\n", "bad-value", (4, 9)),
    "removes what is not there": (HEAD + "removes: [nobody]\n", "unknown-name", (4, 11)),
    "another key": (HEAD + "python: evil.py\n", "unknown-field", (4, 1)),
    "no mapping": ("- language: 1\n", "bad-value", (1, 1)),
}


@pytest.mark.parametrize("name", MODS)
def test_hostile_heads_of_mods(tmp_path: Path, name: str) -> None:
    text, code, place = MODS[name]
    (tmp_path / "bad").mkdir()
    (tmp_path / "bad" / "mod.yaml").write_text(text, encoding="utf-8")
    findings = found(tmp_path / "bad")
    assert (code, *place) in [(d.code, d.line, d.column) for d in findings]


def test_no_link_leads_out_of_a_pack(tmp_path: Path) -> None:
    folder = pack(tmp_path, {})
    (tmp_path / "secret.yaml").write_text("herbs: [{name: Stolen}]\n", encoding="utf-8")
    (folder / "link.yaml").symlink_to(tmp_path / "secret.yaml")
    (folder / "all").symlink_to(tmp_path)
    assert [(d.code, Path(d.file).name) for d in found(folder)] == [
        ("outside-pack", "all"),
        ("outside-pack", "link.yaml"),
    ]


SCENARIOS = {
    "no list": "game: pig\nscenarios: 7\n",
    "no mappings": "game: pig\nscenarios: [1, [2], ~]\n",
    "a game that is a path": "game: /etc\nscenarios: []\n",
    "odd values": "game: pig\nscenarios:\n  - {name: A, seed: [1], when: {}, then: 3, given: [[1]]}\n",
    "many": "game: pig\nscenarios:\n" + "  - {name: A, then: [Glod = 1]}\n" * 300,
}


@pytest.mark.parametrize("name", SCENARIOS)
def test_hostile_scenarios(tmp_path: Path, name: str, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "bad.yaml").write_text(SCENARIOS[name], encoding="utf-8")
    assert cli.main(["test", str(tmp_path / "bad.yaml")]) == 1
    assert "bad.yaml:" in capsys.readouterr().out


SAVES = ["", "[" * 100_000, "{}", "null", '{"format": "cardscript-save"}', '{"format": "cardscript-state"}', "\x1b[31m"]


@pytest.mark.parametrize("number", range(len(SAVES)))
def test_hostile_saves(tmp_path: Path, number: int, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "save.json"
    path.write_text(SAVES[number], encoding="utf-8")
    assert cli.main(["replay", str(path)]) == 1
    assert cli.main(["play", "pig", "--load", str(path), "--auto"]) == 1
    assert "\x1b" not in "".join(capsys.readouterr())
    with pytest.raises(SaveError):
        load_game("pig").from_json(SAVES[number])


def test_a_save_that_names_other_things(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "save.json"
    assert cli.main(["play", "pig", "--auto", "--save", str(path)]) == 0
    good = json.loads(path.read_text(encoding="utf-8"))
    for key, value in (("game", "\x1b[31m/etc"), ("mods", ["/etc"]), ("digest", "\x1b[2J"), ("players", 10**9)):
        path.write_text(json.dumps(good | {key: value}), encoding="utf-8")
        assert cli.main(["replay", str(path)]) == 1
        assert cli.main(["play", "--load", str(path), "--auto"]) in (1, 2)
        assert "\x1b" not in "".join(capsys.readouterr())


@pytest.mark.parametrize("form", ["full", "concise", "json", "github", "sarif"])
def test_no_escape_reaches_the_terminal(tmp_path: Path, form: str, capsys: pytest.CaptureFixture[str]) -> None:
    odd = 'herbs:\n  - {"\\e[31mglow": 1, name: "\\e]0;own\\a"}\n"\\e[2J": 1\n# \x1b[31m\n'
    folder = pack(
        tmp_path, {"a.yaml": odd, "b.yaml": 'herbs:\n  - {name: Nettle, replaces: "\\e[2J", from: "\\u202e"}\n'}
    )
    assert cli.main(["check", "--format", form, str(folder)]) == 1
    said = "".join(capsys.readouterr())
    assert not set(said) & {"\x1b", "\x07", "\u202e"}


def test_none_to_spare_of_many_is_what_it_is_of_few() -> None:
    """Sums of worths, against trying every set."""

    def every_set(rest: list[int], taken: list[int], need: int) -> bool:
        if sum(taken) >= need:
            return sum(taken) - min(taken) < need
        return any(w > 0 and every_set(rest[i + 1 :], [*taken, w], need) for i, w in enumerate(rest))

    random = Random(1)
    answers = []
    for _ in range(2000):
        rest = [random.randint(0, 9) for _ in range(random.randint(1, 8))]
        taken = [random.randint(1, 9) for _ in range(random.randint(0, 3))]
        need = sum(taken) + random.randint(1, 12)
        answers.append(every_set(rest, taken, need))
        assert emitted.sums_fit(rest, taken, need - sum(taken)) == answers[-1]
    assert 500 < sum(answers) < 1900
    assert len(emitted.spare(list(range(200)), list(range(200)), [], 4000)) == 178
