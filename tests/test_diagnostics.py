"""diagnostics: every code by its wrong example, at the very word, and its right example, which has no finding.

Texts, records, files and scenarios stand in diagnostics/codes.yaml; what is about bytes, sizes, folders and mods here.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from interpreter import cli, read
from interpreter.commands.check import check_pack
from interpreter.diagnostics import CODES, Diagnostic
from interpreter.load import load_compiled
from interpreter.read import read_file, read_pack
from interpreter.suite import Benches, run_file

ROOT = Path(__file__).resolve().parent.parent
SPEC = yaml.safe_load((ROOT / "tests" / "diagnostics" / "codes.yaml").read_text(encoding="utf-8"))
OPEN, CLOSE = "«", "»"
RULES = "rules:\n  - id: ME-001\n    not shown: the base of these examples\n"
Place = tuple[str, str, int, int, int, int]


def indented(text: str, depth: int) -> str:
    return "".join(" " * depth + line + "\n" if line else "\n" for line in text.split("\n"))


def files_of(how: str, example: Any) -> dict[str, str]:
    """The files of the game with one example in it."""
    files = dict(SPEC["game"])
    if how == "text":
        files["herbs.yaml"] = "herbs:\n  - name: Thistle\n    text: |\n" + indented(example, 6)
    elif how == "record":
        files["herbs.yaml"] = "herbs:\n  - name: Thistle\n" + indented(example, 4)
    elif how == "scenario":
        files["scenarios/one.yaml"] = "scenarios:\n  - name: One\n" + indented(example, 4)
        files["rules.yaml"] = RULES
    else:
        files |= example
    return files


def write(folder: Path, files: dict[str, str]) -> list[Place]:
    """Write the files without the marks; the place that was marked, as (code's file, '', line, column, …)."""
    marked: list[Place] = []
    for name, text in files.items():
        start, end = text.find(OPEN), text.find(CLOSE) - 1
        text = text.replace(OPEN, "").replace(CLOSE, "")
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="\n")
        if start >= 0:
            before, inside = text[:start], text[:end]
            places = [(t.count("\n") + 1, len(t) - t.rfind("\n")) for t in (before, inside)]
            marked.append((name, "", *places[0], *places[1]))
    return marked


def places_of(findings: list[Diagnostic]) -> list[Place]:
    return [(Path(d.file).name, d.code, d.line, d.column, d.end_line, d.end_column) for d in findings]


def found_in(folder: Path, how: str) -> list[Diagnostic]:
    """What check says of the folder, and what a run of its scenario says."""
    findings = check_pack(folder)[0]
    if how == "scenario" and not findings:
        result = run_file(folder / "scenarios" / "one.yaml", Benches()).results[0]
        assert result.passed or result.findings
        return result.findings
    return findings


def strictly(folder: Path, code: str, file: str) -> list[Place]:
    """Where `check --strict` finds a code in a file."""
    return [p for p in places_of(check_pack(folder, strict=True)[0]) if p[:2] == (file, code)]


STRICT = {code for code, (_, meaning, _, _) in CODES.items() if meaning.startswith("With --strict: ")}
DRIVEN = [(code, *case) for code, cases in SPEC["codes"].items() for case in cases.items()]


@pytest.mark.parametrize(("code", "how", "examples"), DRIVEN, ids=[code for code, _, _ in DRIVEN])
def test_the_wrong_example_is_found_at_its_word_and_the_right_is_fine(
    tmp_path: Path, code: str, how: str, examples: list[Any]
) -> None:
    wrong, right = examples
    (place,) = write(tmp_path / "wrong", files_of(how, wrong))
    expected = (Path(place[0]).name, code, *place[2:])
    if code in STRICT:
        assert places_of(found_in(tmp_path / "wrong", how)) == []
        assert strictly(tmp_path / "wrong", code, place[0]) == [expected]
        assert write(tmp_path / "right", files_of(how, right)) == []
        assert strictly(tmp_path / "right", code, place[0]) == []
        return
    assert places_of(found_in(tmp_path / "wrong", how)) == [expected]
    assert write(tmp_path / "right", files_of(how, right)) == []
    assert found_in(tmp_path / "right", how) == []


def bare(text: str) -> str:
    return " ".join(text.replace(OPEN, "").replace(CLOSE, "").replace("\u202e", "\\u202e").replace("\t", "\\t").split())


@pytest.mark.parametrize("code", sorted(SPEC["codes"]))
def test_what_explain_shows_is_what_is_driven(code: str) -> None:
    ((how, examples),) = SPEC["codes"][code].items()
    for shown, example in zip(CODES[code][2:], examples):
        whole = bare("\n".join(files_of(how, example).values()))
        lines = [bare(line).removeprefix("- ") for line in shown.split("\n")]
        assert [line for line in lines if line not in whole] == []


def test_every_code_is_driven() -> None:
    assert set(SPEC["codes"]) | set(OUTSIDE) == set(CODES)


def test_no_other_code_is_ever_given() -> None:
    """Whatever is called fault, finding, Fault, Problem or Fail is given a code that can be explained."""
    strange = []
    for path in sorted((ROOT / "interpreter").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.Call):
                continue
            name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            at = {"fault": 1, "finding": 0, "Fault": 1, "Problem": 1, "Trouble": 1, "Fail": 2, "place": 2}.get(name)
            if at is None or len(node.args) <= at or not isinstance(node.args[at], ast.Constant):
                continue
            code = node.args[at].value  # type: ignore[attr-defined]
            if isinstance(code, str) and " " not in code and code and code not in CODES:
                strange.append(f"{path.name}:{node.lineno}: {code}")
    assert strange == []


@pytest.mark.parametrize("code", sorted(CODES))
def test_every_code_is_explained_with_its_examples(code: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["explain", code]) == 0
    said = capsys.readouterr().out
    severity, meaning, wrong, right = CODES[code]
    assert said.startswith(f"{severity}[{code}]: {meaning}\n")
    for example in (wrong, right):
        assert all("    " + line in said.split("\n") for line in example.split("\n"))


# ---------------------------------------------------------------- bytes, sizes, folders, mods


def small(folder: Path, **files: str) -> Path:
    write(folder, SPEC["game"] | files)
    return folder


def mod(folder: Path, text: str, **files: str) -> Path:
    head = f"language: 1\nname: {folder.name}\nversion: 1.0.0\n{text}"
    write(folder, {"mod.yaml": head, **{name.replace("_", "."): body for name, body in files.items()}})
    return folder


def of_bytes(data: bytes, right: bytes) -> Callable[[Path, bool], list[Diagnostic]]:
    def driven(folder: Path, wrong: bool) -> list[Diagnostic]:
        (small(folder) / "herbs.yaml").write_bytes(data if wrong else right)
        return check_pack(folder)[0]

    return driven


def of_text(text: str, right: str) -> Callable[[Path, bool], list[Diagnostic]]:
    def driven(folder: Path, wrong: bool) -> list[Diagnostic]:
        write(folder, files_of("text", text if wrong else right))
        return check_pack(folder)[0]

    return driven


def suffix(folder: Path, wrong: bool) -> list[Diagnostic]:
    (small(folder) / ("more.yml" if wrong else "more.yaml")).write_text("herbs: []\n")
    return check_pack(folder)[0]


def link(folder: Path, wrong: bool) -> list[Diagnostic]:
    (folder.parent / "elsewhere.yaml").write_text("herbs: []\n")
    small(folder)
    if wrong:
        (folder / "more.yaml").symlink_to(folder.parent / "elsewhere.yaml")
    else:
        (folder / "more.yaml").write_text("herbs: []\n")
    return check_pack(folder)[0]


def gone(folder: Path, wrong: bool) -> list[Diagnostic]:
    small(folder)
    return read_file(folder / ("gaem.yaml" if wrong else "game.yaml"))[1]


def large(folder: Path, wrong: bool) -> list[Diagnostic]:
    comment = "# " + "x" * 98 + "\n"
    size = read.LARGEST_FILE // len(comment) + (1 if wrong else -1)
    (small(folder) / "more.yaml").write_text(comment * size)
    return read_pack(folder).findings


def many(folder: Path, wrong: bool) -> list[Diagnostic]:
    small(folder)
    for n in range(read.MOST_FILES if wrong else 20):
        (folder / f"more{n}.yaml").touch()
    return read_pack(folder).findings


def twice(folder: Path, wrong: bool) -> list[Diagnostic]:
    small(folder)
    change = "herbs:\n  - name: Nettle\n    replaces: thistle\n"
    mods = [
        mod(folder.parent / name, f"extends: {folder.name}\n", herbs_yaml=change if wrong or name == "one" else "")
        for name in ("one", "two")
    ]
    return load_compiled(folder, mods).findings


def lost(folder: Path, wrong: bool) -> list[Diagnostic]:
    return check_pack(mod(folder, f"extends: {'kuhn_pokr' if wrong else 'kuhn_poker'}\n"))[0]


def circle(folder: Path, wrong: bool) -> list[Diagnostic]:
    small(folder)
    one = mod(folder.parent / "one", f"extends: {folder.name}\nneeds: [two]\n")
    two = mod(folder.parent / "two", f"extends: {folder.name}\n" + ("needs: [one]\n" if wrong else ""))
    return load_compiled(folder, [one, two]).findings


OUTSIDE: dict[str, tuple[Callable[[Path, bool], list[Diagnostic]], int, int]] = {
    "not-found": (gone, 1, 1),
    "outside-pack": (link, 1, 1),
    "wrong-suffix": (suffix, 1, 1),
    "bad-encoding": (of_bytes("herbs: # \xe9".encode("latin-1"), "herbs: [] # \xe9".encode()), 1, 10),
    "byte-order-mark": (of_bytes(b"\xef\xbb\xbfherbs: []\n", b"herbs: []\n"), 1, 1),
    "too-large": (large, 1, 1),
    "too-many": (many, 1, 1),
    "too-long": (of_text("Gain 1 Ember. " * 300, "Gain 1 Ember. " * 280), 4, 7),
    "unknown-game": (lost, 4, 10),
    "replaced-twice": (twice, 3, 15),
    "circular-needs": (circle, 5, 9),
}


@pytest.mark.parametrize("code", sorted(OUTSIDE))
def test_what_is_no_text_is_found_at_its_place(tmp_path: Path, code: str) -> None:
    driven, line, column = OUTSIDE[code]
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    found = driven(tmp_path / "a" / "meadows", True)
    assert {d.code for d in found} == {code}
    assert (found[0].line, found[0].column) == (line, column)
    assert driven(tmp_path / "b" / "meadows", False) == []
