"""derived schemas: in, games and mods; asserted, that their JSON Schemas say what `check` says, that the shipped copies
are those, and that each content file names its own in its first line."""

from __future__ import annotations

import ast
import json
from pathlib import Path
from typing import Any

import pytest

from interpreter.data import list_games, packs_at
from interpreter.declare import declare
from interpreter.derived import ENTRIES, content_schema, fixed_schemas, game_schema
from interpreter.load import packs_of
from interpreter.read import read_pack
from interpreter.schema import load_schema, schema_name, validate
from tests.running import run

ROOT = Path(__file__).resolve().parent.parent
GAMES = [game.path for game in list_games()]
SMALL = [ROOT / "tests" / "language" / "reference", *sorted((ROOT / "tests" / "rules" / "games").iterdir())]


def faults(folder: Path, mods: tuple[Path, ...] = ()) -> list[str]:
    """What the schemas say of the files of a game."""
    packs = packs_of(folder, list(mods))
    content = content_schema(declare(packs)[0])
    fixed = fixed_schemas()
    found = []
    for pack in packs:
        for file in pack.files:
            name = schema_name(file.name)
            schema = fixed[f"{name}.schema.json"] if name else content
            assert file.root is not None
            found += [f"{file.name}:{d.line}:{d.column} {d.message}" for d in validate(file.root, schema, file.path)]
    return found


@pytest.mark.parametrize("folder", [*GAMES, *SMALL], ids=lambda path: path.name)
def test_what_check_accepts_its_schemas_accept(folder: Path) -> None:
    assert faults(folder) == []


def test_every_content_file_names_a_schema_that_is_there() -> None:
    for pack in packs_at(ROOT / "content"):
        for file in read_pack(pack).files:
            mark, _, where = file.text.split("\n")[0].partition("$schema=")
            assert mark == "# yaml-language-server: ", file.name
            schema = json.loads((pack / file.name).parent.joinpath(where).read_text(encoding="utf-8"))
            assert file.root is not None and validate(file.root, schema, file.path) == []


def described(schema: Any, path: str = "") -> list[str]:
    """The paths of properties without a description."""
    if isinstance(schema, list):
        return [p for i, item in enumerate(schema) for p in described(item, f"{path}/{i}")]
    if not isinstance(schema, dict):
        return []
    bare = []
    for key, value in schema.get("properties", {}).items():
        if isinstance(value, dict) and not value.get("description") and "$ref" not in value:
            bare.append(f"{path}/{key}")
    return bare + [p for key, value in schema.items() for p in described(value, f"{path}/{key}")]


@pytest.mark.parametrize("path", sorted((ROOT / "schemas").rglob("*.json")), ids=lambda p: f"{p.parent.name}/{p.stem}")
def test_every_key_is_explained(path: Path) -> None:
    schema = json.loads(path.read_text(encoding="utf-8"))
    assert described(schema) == []


def test_each_kind_of_entry_has_the_keys_that_declare_reads() -> None:
    read: dict[str, set[str]] = {}
    for file in sorted((ROOT / "interpreter" / "declare").glob("*.py")):
        for function in ast.parse(file.read_text(encoding="utf-8")).body:
            if isinstance(function, ast.FunctionDef):
                named = {
                    node.targets[0].id: node.value
                    for node in ast.walk(function)
                    if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name)
                }
                for node in ast.walk(function):
                    if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "entries":
                        allowed = node.args[2]
                        allowed = named[allowed.id] if isinstance(allowed, ast.Name) else allowed
                        read[function.name] = set(ast.literal_eval(allowed))
    entries = {reader for reader, _ in ENTRIES.values()}
    assert entries == set(read)
    known = game_schema()["definitions"]
    for name, (reader, _) in ENTRIES.items():
        schema = known[name]
        properties = schema["anyOf"][-1]["properties"] if name == "field" else schema["properties"]
        assert set(properties) == read[reader], name


# ---------------------------------------------------------------- what they refuse

MEADOWS = {
    "game.yaml": "language: 1\nname: Meadows\nplayers: 2\nkinds:\n  - kind: Leaf\n    plural: Leaves\n    fields:\n"
    "      Sort: {type: Sort, required: true}\n      Sorts: list of Sort\n      Marks: number for each Sort\n"
    "      Weight: number\n      Wet: flag\n      Text: {type: text, note: done when it falls}\n  - kind: Sort\n",
    "leaves.yaml": "sorts:\n  - name: Oak\n  - name: Elm\nleaves:\n  - name: Small\n    sort: Oak\n",
}
WRONG = [
    ("sort: Oka", "bad-value", 'did you mean "Oak"?'),
    ("sorts: [Oak, Emm]", "bad-value", ""),
    ("marks: {Oka: 1}", "bad-value", ""),
    ("weight: much", "bad-value", ""),
    ("wet: maybe", "bad-value", ""),
    ("txet: Gain 1 Dew.", "unknown-field", ""),
    ("from: nowhere", "bad-value", ""),
]


def meadows(folder: Path, line: str = "") -> Path:
    folder.mkdir()
    for name, text in MEADOWS.items():
        more = f"  - name: Large\n{'' if line.startswith('sort:') else '    sort: Elm' + chr(10)}    {line}\n"
        (folder / name).write_text(text + (more if line and name == "leaves.yaml" else ""), encoding="utf-8")
    return folder


@pytest.mark.parametrize(("line", "code", "_"), WRONG)
def test_what_the_schema_of_a_kind_refuses(tmp_path: Path, line: str, code: str, _: str) -> None:
    folder = meadows(tmp_path / "meadows", line)
    packs = packs_of(folder, [])
    content = content_schema(declare(packs)[0])
    file = packs[0].file("leaves.yaml")
    assert file is not None and file.root is not None
    assert {d.code for d in validate(file.root, content, "leaves.yaml")} == {code}
    assert faults(meadows(tmp_path / "right")) == []


@pytest.mark.parametrize(
    "text",
    [
        "language: 2\n",
        "plyers: 2\n",
        "players: [2, 3, 4]\n",
        "kinds:\n  - plural: Leaves\n",
        "kinds:\n  - kind: Leaf\n    each: seat\n",
        "zones:\n  - {zone: Pile, seen by: none of them}\n",
        "counters:\n  - {counter: Dew, most: many}\n",
        "turn:\n  - text: Gain 1 Dew.\n",
    ],
)
def test_what_the_schema_of_game_yaml_refuses(text: str) -> None:
    from interpreter.document import read_document

    node, _ = read_document(text, "game.yaml")
    schema = load_schema("game")
    assert node is not None and schema is not None and validate(node, schema, "game.yaml") != []


# ---------------------------------------------------------------- the command


def test_the_command_prints_and_writes(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    folder = meadows(tmp_path / "meadows")
    code, out, _ = run(capsys, "schema", f"{folder}", "--kind", "leaf")
    leaf = json.loads(out)
    assert code == 0 and leaf["required"] == ["name", "sort"]
    assert leaf["properties"]["text"]["description"] == "Done when it falls (text)."
    code, out, _ = run(capsys, "schema", f"{folder}")
    assert code == 0 and {"leaves", "sorts", "phrases"} <= set(json.loads(out)["properties"])
    code, out, _ = run(capsys, "schema", f"{folder}", "--out", f"{tmp_path / 'out'}")
    names = {"content", "game", "kind", "mod", "rules", "scenario"}
    assert code == 0 and {p.name for p in (tmp_path / "out").iterdir()} == {f"{n}.schema.json" for n in names}
    assert run(capsys, "schema", f"{folder}", "--kind", "Lef")[0] == 2
    assert run(capsys, "schema", "nowhere")[0] == 2


def test_a_mods_kinds_and_things_are_in_the_schema(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    folder, mod = meadows(tmp_path / "meadows"), tmp_path / "frost"
    mod.mkdir()
    (mod / "mod.yaml").write_text("language: 1\nname: Frost\nextends: meadows\n", encoding="utf-8")
    text = "kinds:\n  - kind: Rime\n    key: rimes\nsorts:\n  - name: Ash\nrimes:\n  - name: Hoar\n"
    (mod / "more.yaml").write_text(text, encoding="utf-8")
    code, out, _ = run(capsys, "schema", f"{folder}", "--mod", f"{mod}")
    schema = json.loads(out)
    assert code == 0 and "rimes" in schema["properties"]
    assert schema["definitions"]["record-leaf"]["properties"]["sort"]["anyOf"][0]["enum"] == ["Oak", "Elm", "Ash"]
    assert faults(folder, (mod,)) == []
