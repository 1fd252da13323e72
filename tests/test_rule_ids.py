"""rule ids: in, rules.yaml and the scenarios of clandestine; asserted, that every id of the rule list is named once, and
that every printed example has a scenario with a table before it and what comes of it.
"""

from __future__ import annotations

from pathlib import Path

import yaml

from tests.productions import scenarios_of

GAME = Path(__file__).resolve().parent.parent / "content" / "clandestine"
LISTED = [f"CL-{i:03}" for i in range(1, 224)] + [f"CL-AMB-{i:02}" for i in range(1, 50)]
EXAMPLES = {f"CL-EX-{i:02}" for i in range(1, 13)}


def named() -> list[str]:
    found = yaml.safe_load((GAME / "rules.yaml").read_text(encoding="utf-8"))
    return [entry["id"] for entry in found["rules"]]


def test_each_id_of_the_list_is_named_once() -> None:
    assert sorted(named()) == sorted(LISTED)


def test_each_printed_example_is_played() -> None:
    played = {
        str(word.value)
        for path in sorted((GAME / "scenarios").glob("*.yaml"))
        for scenario in scenarios_of(path)
        if (scenario.given or scenario.when) and scenario.then
        for word in scenario.covers
    }
    assert EXAMPLES - played == set()
    assert {ident for ident in played if ident.startswith("CL-AMB")} <= set(LISTED)
