"""growth: in, a shipped game; asserted, that the grown copies which tools/bench measures load, and have what they say."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

from interpreter import load_game
from interpreter.data import find_game

ROOT = Path(__file__).resolve().parents[1]


@pytest.fixture
def growth(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(ROOT / "tools"))
    spec = importlib.util.spec_from_file_location("growth", ROOT / "tools" / "growth.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_so_many_times_the_phrases(growth: ModuleType, tmp_path: Path) -> None:
    source = find_game("breakthrough")
    assert source is not None
    file, _ = growth.longest(source)
    phrases = sum(path.read_text(encoding="utf-8").count("- phrase: ") for path in source.glob("*.yaml"))
    assert phrases == 2
    folder = growth.grown(source, tmp_path / "grown", file, 1, 3)
    grown = load_game(str(folder))
    assert len(grown.model.phrases) == 3 * phrases
    assert grown.new(2, seed=1, log=False).playout(1) == load_game("breakthrough").new(2, seed=1, log=False).playout(1)


def test_so_many_times_the_records(growth: ModuleType, tmp_path: Path) -> None:
    source = find_game("clandestine")
    assert source is not None
    file, count = growth.longest(source)
    folder = growth.grown(source, tmp_path / "grown", file, 3, 1)
    made = sorted(path.name for path in folder.glob("grown-*.yaml"))
    assert len(made) == 2
    more = load_game(str(folder)).model.records
    assert len(more) == len(load_game("clandestine").model.records) + 2 * count
