"""rules: every scenario beside this file holds. They show one structure of the language each, on invented games."""

from __future__ import annotations

from pathlib import Path

import pytest

from interpreter.suite import Benches, run_file

HERE = Path(__file__).resolve().parent
BENCHES = Benches()


@pytest.mark.parametrize("path", sorted(HERE.glob("*.yaml")), ids=lambda path: path.stem)
def test_every_scenario_holds(path: Path) -> None:
    outcome = run_file(path, BENCHES)
    assert [d.message for d in outcome.findings] == []
    wrong = [
        "\n".join([f"{r.scenario.line}: {r.scenario.name}", *r.story, *map(str, r.failures), *map(str, r.findings)])
        for r in outcome.results
        if not r.passed
    ]
    assert outcome.results
    assert not wrong, "\n\n".join(wrong)
