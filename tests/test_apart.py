"""apart: answers come in order, whatever becomes of the processes; `check` says the same with several of them."""

from __future__ import annotations

import multiprocessing
import os
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from interpreter import apart
from interpreter.apart import spread
from interpreter.cli import main

HERE = os.getpid()
forked = pytest.mark.skipif(sys.platform != "linux", reason="only a forked process knows in which one it was made")


def slow_first(number: int) -> tuple[int, int]:
    time.sleep(0.2 if number == 0 else 0)
    return number, os.getpid()


def dies(number: int) -> tuple[int, int]:
    if number == 1 and os.getpid() != HERE:
        os._exit(3)
    return number, os.getpid()


def cannot(number: int) -> tuple[int, int]:
    if number == 2:
        raise ZeroDivisionError(os.getpid())
    return number, os.getpid()


@forked
def test_answers_come_in_order_from_other_processes() -> None:
    found = list(spread(slow_first, list(range(5)), 2))
    assert [number for number, _ in found] == [0, 1, 2, 3, 4]
    assert HERE not in {where for _, where in found}
    assert len({where for _, where in found}) == 2
    assert not multiprocessing.active_children()


@forked
def test_what_a_process_took_with_it_is_worked_out_here() -> None:
    found = list(spread(dies, list(range(6)), 2))
    assert [number for number, _ in found] == [0, 1, 2, 3, 4, 5]
    assert found[1][1] == HERE
    assert HERE not in {where for number, where in found if number != 1}


@forked
def test_all_processes_may_die() -> None:
    def all_die(number: int) -> int:
        if os.getpid() != HERE:
            os._exit(3)
        return number

    assert list(spread(all_die, list(range(6)), 2)) == [0, 1, 2, 3, 4, 5]


@forked
def test_what_is_raised_is_raised_here() -> None:
    found = spread(cannot, list(range(5)), 2)
    assert [next(found)[0], next(found)[0]] == [0, 1]
    with pytest.raises(ZeroDivisionError) as caught:
        next(found)
    assert caught.value.args == (HERE,)
    assert not multiprocessing.active_children()


@forked
def test_who_stops_asking_leaves_no_process_behind() -> None:
    found = spread(slow_first, list(range(50)), 2)
    next(found)
    assert len(multiprocessing.active_children()) == 2
    found.close()  # type: ignore[attr-defined]
    assert not multiprocessing.active_children()


def no_process(*_: Any, **__: Any) -> None:
    raise BlockingIOError("no more processes")


@pytest.mark.parametrize("jobs", [1, 2])
def test_without_processes_it_is_done_here(jobs: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(multiprocessing.context.ForkProcess, "start", no_process)
    monkeypatch.setattr(multiprocessing.context.SpawnProcess, "start", no_process)
    assert [where for _, where in spread(slow_first, [1, 2, 3], jobs)] == [HERE] * 3
    assert list(spread(slow_first, [], jobs)) == []


# ---------------------------------------------------------------- check


def games(folder: Path) -> list[str]:
    """Three games: one sound, one with a fault in a text, one with a fault in a field."""
    head = "name: Coins\nplayers: 2\nturn:\n  - Gain: Gain 1 Coin.\ncounters: Coin\n"
    texts = {"ash": head, "bog": head.replace("Gain 1 Coin", "Gain 1 Coyn"), "cave": head + "colour: red\n"}
    for name, text in texts.items():
        (folder / name).mkdir()
        (folder / name / "game.yaml").write_text(text, encoding="utf-8")
    return [str(folder / name) for name in texts]


@pytest.mark.parametrize("form", ["full", "json"])
def test_check_says_the_same_by_one_process_and_by_two(
    form: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    paths = games(tmp_path)
    told: list[tuple[int, str]] = []
    for jobs in (1, 2):
        monkeypatch.setattr("interpreter.commands.check.processors", lambda jobs=jobs: jobs)
        code = main(["check", "--format", form, *reversed(paths)])
        told.append((code, capsys.readouterr().out))
    assert told[0] == told[1]
    assert told[0][0] == 1
    assert told[0][1].index("bog/game.yaml") < told[0][1].index("cave/game.yaml")


@forked
def test_ctrl_c_ends_check_and_its_processes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted(connections: Any) -> Any:
        raise KeyboardInterrupt

    monkeypatch.setattr("interpreter.commands.check.processors", lambda: 2)
    monkeypatch.setattr(apart, "wait", interrupted)
    assert main(["check", *games(tmp_path)]) == 130
    assert not multiprocessing.active_children()
    assert "Traceback" not in capsys.readouterr().err
