"""schema: the fixed parts of content are checked, each fault at the very key or value."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from interpreter.document import read_document
from interpreter.schema import load_schema, schema_name, validate

ROOT = Path(__file__).resolve().parent.parent


def faults(schema: str | dict[str, Any], text: str) -> list[tuple[str, int, int, str | None]]:
    node, findings = read_document(text, "f.yaml")
    assert node is not None and findings == []
    found = load_schema(schema) if isinstance(schema, str) else schema
    assert found is not None
    return sorted((d.code, d.line, d.column, d.suggestion) for d in validate(node, found, "f.yaml"))


SCENARIO = """\
game: meadows
scenarios:
  - name: Kindling pays
    covers: [ME-080, ME-AMB-02]
    players: [the-owls, the-otters]
    seed: 1
    deck: {Big Deck: [A, B]}
    rolls: [3, 6]
    options: {short: true}
    setup:
      - by: player 2
        choose: Lantern
    at: Main of player 1      # a comment
    given:
      - Set Ember of player 1 to 0.
    when:
      - choose: [Walker, left Meadow, Kindle]
      - by: player 2
        choose: [Thistle, done]
      - choose: 3
      - do: Player 1 gains 2 Ember.
        as: player 2
      - offered: [Take Ember, Pass]
      - not offered: [Assign]
      - refused: Kindle
      - refused: {do: Pay 3 Ember.}
    then:
      - Ember of player 1 = 2
"""


def test_the_contracts_scenario_is_fine() -> None:
    assert faults("scenario", SCENARIO) == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("scenarios:\n- nmae: x\n  then: [a]\n", [("unknown-field", 2, 3, "name")]),
        ("scenarios:\n- then: [a]\n", [("missing-field", 2, 3, None)]),
        ("scenarios: []\n", [("bad-value", 1, 1, None)]),
        ("game: x\n", [("missing-field", 1, 1, None)]),
        ("scenarios:\n- name: x\n", [("bad-value", 2, 3, None)]),
        ("scenarios:\n- name: x\n  then: a\n", [("bad-value", 3, 9, None)]),
        ("scenarios:\n- name: x\n  seed: -1\n  then: []\n", [("bad-value", 3, 9, None)]),
        ("scenarios:\n- name: x\n  seed: 1.0\n  then: []\n", [("bad-value", 3, 9, None)]),
        ("scenarios:\n- name: x\n  players: true\n  then: []\n", [("bad-value", 3, 12, None)]),
        ("scenarios:\n- name: x\n  covers: [080]\n  then: []\n", [("bad-value", 3, 12, None)]),
        ("scenarios:\n- name: x\n  when:\n  - chose: a\n", [("unknown-field", 4, 5, "choose")]),
        ("scenarios:\n- name: x\n  when:\n  - as: a\n    choose: b\n", [("bad-value", 4, 5, None)]),
        ("scenarios:\n- name: x\n  when:\n  - refused: {doo: a}\n", [("unknown-field", 4, 15, "do")]),
        ("scenarios:\n- name: x\n  when:\n  - choose: a\n    do: b\n", [("bad-value", 4, 5, None)]),
    ],
)  # fmt: skip
def test_what_a_scenario_may_not_hold(text: str, expected: list[object]) -> None:
    assert faults("scenario", text) == expected


def test_mods() -> None:
    good = "language: 1\nname: Frost\nversion: 1.0\nextends: meadows 1.2\nneeds: [common]\nremoves: [thistle]\n"
    assert faults("mod", good) == []
    assert faults("mod", good.replace("meadows 1.2", "../meadows")) == [("bad-value", 4, 10, None)]
    assert faults("mod", good.replace("language: 1", "langauge: 1")) == [("unknown-field", 1, 1, "language")]
    assert faults("mod", good.replace("language: 1", "language: 2")) == [("bad-value", 1, 11, None)]


def test_rules() -> None:
    assert (
        faults("rules", "rules:\n- id: ME-001\n  where: [{file: cards.yaml, record: A, field: text, sentence: 2}]\n")
        == []
    )
    assert faults("rules", "rules:\n- {id: ME-AMB-02, not shown: It is a matter of taste.}\n") == []
    assert faults("rules", "rules:\n- id: ME-001\n") == [("bad-value", 2, 3, None)]
    assert faults("rules", "rules:\n- id: me1\n  not shown: x\n") == [("bad-value", 2, 7, None)]


def test_a_derived_schema_suggests_members_of_a_list() -> None:
    schema = {"type": "object", "properties": {"suit": {"enum": ["Owl", "Otter"]}}}
    assert faults(schema, "suit: Oter\n") == [("bad-value", 1, 7, "Otter")]


def test_which_file_has_which_schema() -> None:
    paths = ["game.yaml", "mod.yaml", "rules.yaml", "scenarios/a.yaml", "cards.yaml", "x/rules.yaml"]
    assert [schema_name(path) for path in paths] == ["game", "mod", "rules", "scenario", None, None]


def test_every_field_of_the_shipped_schemas_is_described() -> None:
    def bare(part: Any, name: str) -> list[str]:
        found: list[str] = []
        if isinstance(part, dict):
            for key, value in part.get("properties", {}).items():
                if "description" not in value and "$ref" not in value:
                    found.append(f"{name}: {key}")
            for value in part.values():
                found += bare(value, name)
        elif isinstance(part, list):
            for value in part:
                found += bare(value, name)
        return found

    for name in ("mod", "rules", "scenario"):
        assert bare(load_schema(name), name) == []


def test_the_shipped_copies_and_the_first_lines_of_content_are_up_to_date() -> None:
    done = subprocess.run([sys.executable, "tools/schemas", "--check"], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, f"run tools/schemas; not as they should be:\n{done.stdout}{done.stderr}"
