"""rules: every scenario beside this file holds, and every fault of faults.yaml is told at its words. They show one structure
of the language each, on invented games."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
import yaml

from interpreter.load import load_compiled
from interpreter.suite import Benches, run_file

HERE = Path(__file__).resolve().parent
BENCHES = Benches()


@pytest.mark.parametrize(
    "path", sorted(p for p in HERE.glob("*.yaml") if p.stem != "faults"), ids=lambda path: path.stem
)
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


def test_what_means_nothing_is_told_at_its_words(tmp_path: Path) -> None:
    faults = yaml.safe_load((HERE / "faults.yaml").read_text(encoding="utf-8"))
    folder = tmp_path / "keep"
    shutil.copytree(HERE / "games" / "keep", folder)
    rows = [
        line for i, (text, _, _) in enumerate(faults) for line in (f"- name: Fault {i}", "  text: |", f"    {text}")
    ]
    file = folder / "faults.yaml"
    file.write_text("charms:\n" + "\n".join(rows) + "\n", encoding="utf-8")
    lines = file.read_text(encoding="utf-8").splitlines()
    told = load_compiled(folder).findings
    assert {Path(f.file).name for f in told} == {"faults.yaml"}, told
    found = [(f.line, lines[f.line - 1][f.column - 1 : f.end_column - 1], f.code) for f in told]
    assert sorted(found) == [(4 + 3 * i, words, code) for i, (_, words, code) in enumerate(faults)]
