"""second uses: in, every text of the samples, of content/ and of tests/rules/; asserted, that no alternative of the
grammar serves one sample alone, that no phrase of the samples does nothing, and how many samples are shown by scenarios.

A use is a text that the parser reads with the production. What optional parts make of an alternative counts each for
itself. Texts of tests/language other than the samples (the reference page, forms, invented sentences) are no uses.
"""

from __future__ import annotations

import re
from collections import defaultdict
from functools import cache
from pathlib import Path

import pytest

from interpreter import tree as t
from interpreter.compile import walk
from interpreter.grammar import STARTS
from interpreter.load import Loaded
from tests.productions import (
    Production,
    Text,
    all_productions,
    productions_of,
    scenarios_of,
    texts_of,
    texts_of_scenarios,
)
from tests.test_language import language_of, spec_of

ROOT = Path(__file__).resolve().parent.parent
LANGUAGE, RULES = ROOT / "tests" / "language", ROOT / "tests" / "rules"
SAMPLE = re.compile(r"(?:CL|SC|SW|SF)-S-\d\d")
SAMPLES = {"clandestine": 38, "secret_city": 31, "westminster": 22, "syncanite": 38}


def games() -> list[Path]:
    found = [p.parent for p in (ROOT / "content").glob("*/game.yaml")]
    found += [p.parent for p in (ROOT / "content" / "reference").glob("*/game.yaml")]
    return sorted([*found, *(p.parent for p in RULES.glob("games/*/game.yaml"))])


def scenario_files(game: Path) -> list[Path]:
    """The files of scenarios that stand in a game, or in tests/rules and name it."""
    files = sorted((game / "scenarios").glob("*.yaml"))
    if RULES in game.parents:
        files += [p for p in sorted(RULES.rglob("*.yaml")) if head_of(p).get("game", "").endswith(f"games/{game.name}")]
    return files


def head_of(path: Path) -> dict[str, str]:
    return dict(re.findall(r"^(game): *(\S+)$", path.read_text(encoding="utf-8")[:200], re.MULTILINE))


@cache
def second_uses() -> dict[Production, set[str]]:
    """Production → the texts of content/ and tests/rules/ that use it."""
    used: dict[Production, set[str]] = defaultdict(set)
    for game in games():
        loaded, texts = texts_of(game)
        assert loaded.compiled is not None
        more = [x for p in scenario_files(game) for x in texts_of_scenarios(p, loaded.compiled.language)]
        for text in dict.fromkeys([*texts, *more]):
            for production in productions_of(text):
                used[production].add(text.text)
    return used


def idents_of(loaded: Loaded) -> dict[str, set[str]]:
    """Text → the samples that it is."""
    found: dict[str, set[str]] = defaultdict(set)
    for record in loaded.model.records.values():
        for source in record.texts.values():
            found[source.text] |= {x for x in (record.ident, record.name) if SAMPLE.fullmatch(str(x))}
    for rule in loaded.model.rules:
        found[rule.source.text] |= {rule.ident} if SAMPLE.fullmatch(str(rule.ident)) else set()
    return found


@cache
def sample_uses() -> dict[Production, set[str]]:
    """Production → the samples that use it, as records and as sentences alone."""
    used: dict[Production, set[str]] = defaultdict(set)
    for name in SAMPLES:
        loaded, texts = texts_of(LANGUAGE / name)
        idents = idents_of(loaded)
        pairs = [(text, ident) for text in texts for ident in idents[text.text]]
        for sample in spec_of(name)["samples"]:
            text = Text(sample["text"].rstrip("\n"), sample.get("start", "text"), (), language_of(name))
            pairs.append((text, sample["id"]))
        for text, ident in pairs:
            for production in productions_of(text):
                used[production].add(ident)
    return used


def is_door(production: Production) -> bool:
    """`?event: happens`: where a text may begin, and no alternative of anything."""
    origin, _, symbols = production
    return origin in STARTS and len(symbols) == 1 and symbols[0].islower()


def test_each_sample_is_read() -> None:
    seen = {ident for idents in sample_uses().values() for ident in idents}
    assert {ident for ident in seen if SAMPLE.fullmatch(ident)} >= {
        f"{head}-{i:02}"
        for head, count in zip(("CL-S", "SC-S", "SW-S", "SF-S"), SAMPLES.values())
        for i in range(1, count + 1)
    }


def test_the_productions_are_those_of_the_grammar() -> None:
    assert len(all_productions()) > 400
    assert set(second_uses()) | set(sample_uses()) <= all_productions()


def test_each_alternative_has_a_use_beside_one_sample() -> None:
    samples, others = sample_uses(), second_uses()
    lacking = [
        f"{origin} -> {name}: {' '.join(symbols)}  ({', '.join(sorted(samples.get(p, ()))) or 'no sample'})"
        for p in sorted(all_productions())
        if not is_door(p) and len(samples.get(p, ())) < 2 and not others.get(p)
        for origin, name, symbols in [p]
    ]
    assert lacking == []


def test_an_alternative_for_one_sample_would_be_told() -> None:
    """The check is no vacuous one: without the games under tests/rules many would lack a second use."""
    game = ROOT / "content" / "clandestine"
    used = {p for text in texts_of(game)[1] for p in productions_of(text)}
    alone = [p for p in all_productions() if len(sample_uses().get(p, ())) == 1 and p not in used]
    assert len(alone) > 10
    assert all(second_uses().get(p) for p in alone)


# ---------------------------------------------------------------- phrases


@pytest.mark.parametrize("name", SAMPLES)
def test_each_phrase_of_the_samples_does_something(name: str) -> None:
    loaded, _ = texts_of(LANGUAGE / name)
    assert loaded.compiled is not None
    idle = []
    for ident, body in loaded.model.phrases.items():
        tree = loaded.compiled.trees.get(id(body.source))
        acts = [n for n in walk(tree) if isinstance(n, (t.Act, t.Static, t.ChooseOne, t.Window))]
        if not [a for a in acts if not (isinstance(a, t.Act) and a.verb in ("stop", "pass"))]:
            idle.append(ident)
    assert idle == []


# ---------------------------------------------------------------- scenarios of the samples


def shown(folder: Path) -> set[str]:
    """The samples that scenarios with something done and something asserted speak of."""
    found: set[str] = set()
    for path in sorted((folder / "scenarios").glob("*.yaml")):
        lines = [line.partition(" #")[0] for line in path.read_text(encoding="utf-8").splitlines()]
        scenarios = scenarios_of(path)
        ends = [scenario.line - 1 for scenario in scenarios[1:]] + [len(lines)]
        for scenario, end in zip(scenarios, ends):
            if scenario.when and scenario.then:
                found |= set(SAMPLE.findall("\n".join(lines[scenario.line - 1 : end])))
    return found


def test_each_sample_of_the_first_table_has_a_scenario() -> None:
    wanted = {f"CL-S-{i:02}" for i in range(1, SAMPLES["clandestine"] + 1)}
    assert wanted - shown(LANGUAGE / "clandestine") == set()


@pytest.mark.parametrize("name", SAMPLES)
def test_six_samples_a_game_have_a_scenario(name: str) -> None:
    assert len(shown(LANGUAGE / name)) >= 6
