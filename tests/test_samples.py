"""samples: the sentences of section E of two games' audits stand in records of small games, compile, print back, work.

`tests/language/NAME` is a game of its own for each; what a record's wording changes stands in its note.
"""

from __future__ import annotations

import random
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from interpreter import tree as t
from interpreter.bench import Bench
from interpreter.compile import EFFECT_TYPES, walk
from interpreter.game import Game
from interpreter.load import Loaded, load_compiled
from interpreter.suite import Benches, run_file, scenario_files
from interpreter.unparse import show

HERE = Path(__file__).resolve().parent / "language"
GAMES = {"clandestine": ("CL-S", 38), "secret_city": ("SC-S", 31)}
SAMPLES = [(name, f"{head}-{i:02}") for name, (head, count) in GAMES.items() for i in range(1, count + 1)]


@cache
def loaded(name: str) -> Loaded:
    return load_compiled(HERE / name)


def texts_of(name: str, ident: str) -> list[tuple[str, str, tuple[str, ...]]]:
    """The texts of a record: (text, start symbol, names bound in it)."""
    there = loaded(name)
    record = next((r for r in there.model.records.values() if r.name == ident), None)
    assert record is not None, f"no record is called {ident}"
    fields = there.model.kinds[record.kind].fields
    bound: tuple[str, ...] = ("object",)
    out = []
    for field, source in sorted(record.texts.items(), key=lambda item: fields[item[0]].type != "statement"):
        start = EFFECT_TYPES[fields[field].type]
        out.append((source.text, start, bound))
        assert there.compiled is not None
        node, _ = there.compiled.language.parse(source.text, start, bound)
        if fields[field].type == "statement":
            bound += tuple(n.name for n in walk(node) if isinstance(n, (t.Let, t.LetEither)))
    return out


@pytest.mark.parametrize("name", GAMES)
def test_the_small_games_have_no_errors(name: str) -> None:
    there = loaded(name)
    assert [f for f in there.findings if f.severity == "error"] == []
    assert there.compiled is not None and there.compiled.program is not None


@pytest.mark.parametrize(("name", "ident"), SAMPLES)
def test_a_sample_stands_in_a_record_and_prints_back(name: str, ident: str) -> None:
    texts = texts_of(name, ident)
    assert texts
    there = loaded(name)
    assert there.compiled is not None
    language = there.compiled.language
    for text, start, bound in texts:
        tree, faults = language.parse(text, start, bound)
        assert faults == []
        again, faults = language.parse(show(tree, language.vocabulary), start, bound)
        assert faults == []
        assert again == tree


@pytest.mark.parametrize("name", GAMES)
def test_the_scenarios_of_the_samples_hold(name: str) -> None:
    outcomes = [run_file(path, Benches()) for path in scenario_files(HERE / name)]
    assert sum(len(outcome.results) for outcome in outcomes) >= 20
    results = [result for outcome in outcomes for result in outcome.results]
    failures: list[Any] = [(r.scenario.name, r.failures, r.findings) for r in results if not r.passed]
    assert failures == []


@pytest.mark.parametrize("name", GAMES)
def test_the_small_games_can_be_played_saved_and_loaded(name: str) -> None:
    bench = Bench(load_compiled(HERE / name))
    game: Game = bench.game
    for seed in range(3):
        state = game.new(seed=seed)
        choices = random.Random(seed)
        for _ in range(120):
            if state.over:
                break
            state.apply(choices.choice(state.decision.options))
            assert game.from_json(state.to_json()).digest() == state.digest()
