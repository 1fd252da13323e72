"""stale: in, a cache folder with old and large entries; asserted, what is left of it."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from interpreter import cache, load_game, stale
from interpreter.stale import DAY, MONTH, NOTE, clear


def entry(folder: Path, name: str, age: float, size: int = 10) -> Path:
    path = folder / name
    path.write_bytes(b"x" * size)
    os.utime(path, (time.time() - age,) * 2)
    return path


def left(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()} - {NOTE}


def test_what_nobody_read_for_a_month_goes(tmp_path: Path) -> None:
    for name, age in (("code-a", 2 * MONTH), ("game-b", MONTH + 60), ("grammar-c.json", MONTH + 60), ("code-d", DAY)):
        entry(tmp_path, name, age)
    entry(tmp_path, "somebody's notes", 2 * MONTH)
    entry(tmp_path, ".code-half.x1", 2 * DAY)
    entry(tmp_path, ".code-now.x2", 60)
    clear(tmp_path)
    assert left(tmp_path) == {"code-d", "somebody's notes", ".code-now.x2"}


def test_the_oldest_go_where_there_is_too_much(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stale, "LARGEST", 35)
    for age in range(6):
        entry(tmp_path, f"code-{age}", age * 60.0)
    clear(tmp_path)
    assert left(tmp_path) == {"code-0", "code-1", "code-2"}


def test_it_is_looked_through_once_a_day(tmp_path: Path) -> None:
    clear(tmp_path)
    entry(tmp_path, "code-a", 2 * MONTH)
    clear(tmp_path)
    assert left(tmp_path) == {"code-a"}
    entry(tmp_path, NOTE, DAY + 60)
    clear(tmp_path)
    assert left(tmp_path) == set()


def test_what_is_read_stays_young(tmp_path: Path) -> None:
    path = tmp_path / "code-a"
    cache.write(path, (1, 2))
    os.utime(path, (time.time() - MONTH + 60,) * 2)
    assert cache.read(path) == (1, 2)
    assert time.time() - path.stat().st_mtime < 60
    assert cache.read(tmp_path / "code-b") is None


def test_a_game_is_loaded_anew_after_its_entries_went(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "cache"
    monkeypatch.setenv("CARDSCRIPT_CACHE", str(folder))
    load_game("nim")
    assert any(name.startswith("game-") for name in left(folder))
    for path in folder.iterdir():
        os.utime(path, (time.time() - 2 * MONTH,) * 2)
    clear(folder)
    assert left(folder) == set()
    assert load_game("nim").new(seed=1).playout(1) > 0
    assert any(name.startswith("game-") for name in left(folder))


def test_a_folder_that_is_gone_or_may_not_be_read_is_left_alone(tmp_path: Path) -> None:
    clear(tmp_path / "nowhere")
    assert not (tmp_path / "nowhere").exists()
