"""samples of two games: in, the folders language/westminster and language/syncanite; asserted, that every sentence of
section E of their audits stands in a record, is compiled without a finding, prints back to the same tree, and that the
scenarios pass.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from interpreter.load import Loaded, load_compiled
from interpreter.parse import Language
from interpreter.suite import Benches, run_file, scenario_files
from interpreter.unparse import show

GAMES = Path(__file__).parent / "language"
SAMPLES = {
    "westminster": [f"SW-S-{n:02}" for n in range(1, 23)],
    "syncanite": [f"SF-S-{n:02}" for n in range(1, 39)],
}


@cache
def loaded(game: str) -> Loaded:
    return load_compiled(GAMES / game)


def texts(game: str) -> dict[str, list[str]]:
    """id → the texts of the record or rule that is called so."""
    model = loaded(game).model
    out = {ident: [s.text for s in record.texts.values()] for ident, record in model.records.items()}
    out |= {rule.ident: [rule.source.text] for rule in model.rules}
    return out


@pytest.mark.parametrize("game", SAMPLES)
def test_every_sample_stands_in_a_record(game: str) -> None:
    there = texts(game)
    assert [ident for ident in SAMPLES[game] if not there.get(ident)] == []


@pytest.mark.parametrize("game", SAMPLES)
def test_it_loads_without_errors(game: str) -> None:
    found = loaded(game)
    assert [str(f) for f in found.findings if f.severity == "error"] == []
    assert found.compiled is not None and found.compiled.program is not None


@pytest.mark.parametrize("game", SAMPLES)
def test_every_text_prints_back(game: str) -> None:
    language = Language(next(iter(loaded(game).model.vocabularies.values())))
    wrong = []
    for ident, written in texts(game).items():
        for text in written:
            for start in ("text", "selection", "amount", "condition"):
                tree, faults = language.parse(text, start, ("object",))
                if tree is not None and not faults:
                    again, faults = language.parse(show(tree, language.vocabulary), start, ("object",))
                    if faults or again != tree:
                        wrong.append(ident)
                    break
            else:
                wrong.append(ident)
    assert wrong == []


@pytest.mark.parametrize("game", SAMPLES)
def test_scenarios_pass(game: str) -> None:
    benches = Benches()
    outcomes = [run_file(path, benches) for path in scenario_files(GAMES / game)]
    assert sum(o.passed for o in outcomes) >= 10
    assert [(r.scenario.name, r.failures, r.findings) for o in outcomes for r in o.results if not r.passed] == []
